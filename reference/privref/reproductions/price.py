"""The price of adaptivity: how much more than its claim a filter loses that composes optimally what it has seen.

The natural filter lets a round run while the optimal composition of the parameters so far, as if they had been fixed in
advance, stays within the budget. An adversary who chooses each round from a menu after the answers so far reaches a
larger delta; the price is the largest ratio of what is reached to what is claimed. By the search of ``games.attack``
each ratio comes with both ends: what a strategy attains, exactly, and what no adversary over the menu exceeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privref.exact.errors import InputError
from privref.exact.numbers import spell
from privref.exact.rounding import to_decimal
from privref.games import named
from privref.games.accountants import NaturalFilter
from privref.games.attack import MAX_STATES, Attack, horizons


@dataclass(frozen=True, slots=True)
class Price:
    """The price within this many rounds: that of the attack's strategy, and an upper bound on every other's."""

    attack: Attack

    @property
    def rounds(self) -> int:
        return self.attack.rounds

    @property
    def reached(self) -> Fraction:
        """The delta that the strategy attains: exact where the laws are rational, rounded down otherwise."""
        return self.attack.failure.lower if self.attack.exact is None else self.attack.exact

    @property
    def lower(self) -> Fraction:
        """The ratio that is attained."""
        return self.reached / self.attack.budget.delta

    @property
    def upper(self) -> Fraction:
        """A ratio that no adversary over the menu exceeds within these rounds."""
        return self.attack.ceiling / self.attack.budget.delta


def prices(menu: str, epsilon: str, delta: str, rounds: int, *, max_states: int = MAX_STATES) -> Iterator[Price]:
    """The price of the natural filter within 1, 2, … rounds; fewer where the search would visit more states."""
    budget = named.budget(epsilon, delta)
    if not budget.delta:
        raise InputError("delta", delta, "give a delta > 0: a ratio to 0 says nothing")
    found = horizons(NaturalFilter(budget), named.read_rounds(menu), budget, rounds, max_states=max_states)
    return map(Price, found)


@dataclass(frozen=True, slots=True)
class Instance:
    """A menu and a claim at which the price was found to be large."""

    menu: str
    epsilon: str
    delta: str


#: Found by a search over menus of logarithms of small rationals, and over the deltas that fixed rounds attain: the
#: largest known price within ten rounds for menus of 3 to 6 choices, the first with less budget, and its family with a
#: fourth choice, where four rounds reach 1102/10125 against 1/10. The ratios are computed, not stored.
INSTANCES = (
    Instance("log(3/2), log(2), log(3)", "log(2)", "1/4"),
    Instance("log(13/10), log(3), log(9)", "log(81)", "243/2300"),
    Instance("log(5/4), log(3/2), log(2), log(3)", "log(2)", "1/10"),
    Instance("log(13/10), log(7/4), log(8/3), log(9)", "log(81)", "243/2300"),
    Instance("log(4/3), log(2), log(7/3), log(9), log(12)", "log(12)", "12/91"),
    Instance("log(13/10), log(7/4), log(8/3), log(3), log(5), log(9)", "log(81)", "243/2300"),
)
ROUNDS = 10


_DIGITS = 8
#: A rational that is longer is shown as a decimal.
_LONGEST = 24


def price_of_adaptivity(instances: Sequence[Instance] = INSTANCES, rounds: int = ROUNDS) -> Iterator[dict[str, str]]:
    """One row for each menu and number of rounds; both ends of the ratio are certain."""
    for instance in instances:
        for price in prices(instance.menu, instance.epsilon, instance.delta, rounds):
            reached = spell(price.reached)
            yield {
                "menu": instance.menu,
                "epsilon": instance.epsilon,
                "claimed": instance.delta,
                "rounds": str(price.rounds),
                "reached": reached if len(reached) <= _LONGEST else to_decimal(price.reached, _DIGITS, "down"),
                "ratio at least": to_decimal(price.lower, _DIGITS, "down"),
                "ratio at most": to_decimal(price.upper, _DIGITS, "up"),
                "states": str(price.attack.states),
            }
