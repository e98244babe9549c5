"""The price of adaptivity as a table: what the natural filter claims, and what adversaries over a menu reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from privref.exact.numbers import spell
from privref.exact.rounding import to_decimal
from privref.games.price import INSTANCES, ROUNDS, Instance, prices

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
