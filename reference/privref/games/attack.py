"""The search for an adversary that breaks an accountant, and its certificate.

An adversary chooses each round from a finite menu, sees the answer, and may stop at any time. What matters of the past
is the accountant's state and the privacy loss so far (the failure is a homogeneous function of the two probabilities of
the transcript), so the best failure from a state is

    V(state, loss, rounds left) = max( failure if it stops here,
                                       max over admitted rounds of  sum over answers of  p(answer) V(next),
                                       max over refused rounds of  V(state after the refusal) ).

A refused request takes one of the rounds too; it is a move only where the accountant's state remembers it, so that a
filter which starts anew after a HALT is found.

The search runs in integers over one common denominator (2^160 times those of the deltas), every weight and every sum
rounded up: what it finds is a certain upper bound on the failure of every adversary over the menu. The strategy found
is evaluated on its own, exactly where the laws are rational and enclosed otherwise: that is a certain lower bound.
Where the two leave a tie with the claimed delta open and the laws are rational, the search is repeated in rationals.
For filters a branch is cut where even an adversary whom no accountant restrains could not gain.

Failure is, for ``view``: the delta of the whole interaction at the filter's epsilon (what makes a filter useful); for
``loss``: the probability under input 0 that |loss| exceeds the filter's epsilon, or the odometer's bound at any time
(Definitions 3.1 and 3.2 of Rogers et al. 2016); for ``one-sided``: the same without the absolute value (for odometers
Definition 6 of Whitehouse et al. 2023). An accountant with a theorem is asked for the failure that this theorem bounds.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal, cast

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.logs import LogForm
from privref.exact.numbers import spell
from privref.statements.hypotheses import Failure as Failure

from .accountants import ENGINE, Accountant, AccountantBudget, Shown, exceeds_shown
from .limits import MAX_STATES as MAX_STATES
from .rounds import INFINITE, GameRound, LawProbability, Loss

AttackVerdict = Literal["broken", "not-broken", "undecided"]

_BITS = 160
#: A gain below 2^-this is rounding: the strategy stops instead.
_NOISE_BITS = 90
#: Losses and bounds are compared as integers over this first, and exactly where that leaves them open.
_LOSS_SCALE = 1 << 128
_MAX_NODES = 200_000
_WIDTH = Fraction(1, 10**30)


class _StateLimit(Exception):
    """The search would visit more states than it may."""


@dataclass(frozen=True, slots=True)
class Node:
    """A point of a strategy: ask for a round of the menu, then go to the node that its answer names; or stop.

    Where ``refused``, the round is asked for to be refused, and ``then`` is the one node that follows.
    """

    asks: int | None
    then: tuple[int, ...] = ()
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy as a graph without cycles; ``nodes[root]`` is where it starts."""

    nodes: tuple[Node, ...]
    root: int
    depth: int


@dataclass(frozen=True, slots=True)
class Attack:
    """What the search found.

    ``rounds`` is the number of rounds up to which every adversary over the menu was searched (0: not even one);
    ``ceiling`` bounds the failure of all of them from above; ``failure`` is that of ``strategy``, and ``exact`` its
    exact value where it is rational. ``states`` counts the states and the rounds tried in them.

    ``not-broken`` is a verdict on all ``asked_rounds``: a search that came to the limit of states before it had gone
    through them is ``limited``, and ``undecided``.
    """

    verdict: AttackVerdict
    accountant: Accountant
    budget: AccountantBudget
    failure_of: Failure
    menu: tuple[GameRound, ...]
    rounds: int
    asked_rounds: int
    ceiling: Fraction
    strategy: Strategy
    failure: Enclosure
    exact: Fraction | None
    states: int
    limited: bool = False
    #: The same search for the other failure of an odometer, on which its theorem says nothing.
    other: Attack | None = None

    @property
    def factor(self) -> Fraction | None:
        """What the strategy certainly reaches, as a multiple of the claimed delta; None for a claim of 0."""
        return self.failure.lower / self.budget.delta if self.budget.delta else None


def _ceil(value: Fraction, scale: int) -> int:
    return -((-value.numerator * scale) // value.denominator)


def _encloses(formula: Callable[[Arithmetic], Scalar], scale: int, what: str) -> tuple[int, int]:
    """Integers lower <= value * scale <= upper, at most a few units apart; ``what`` is it that has the value."""
    precision = scale.bit_length() + 64
    while True:
        found = decide.enclose_once(formula, ENGINE.at(precision))
        if found is not None and found.width * scale <= 2:
            return (found.lower.numerator * scale) // found.lower.denominator, _ceil(found.upper, scale)
        precision *= 2
        if precision > decide.PRECISION_CAP:
            raise InputError("menu", what, "its probabilities or bounds cannot be enclosed; give smaller epsilons")


class _Search:
    """The recursion, its tables and its limits."""

    def __init__(
        self,
        accountant: Accountant,
        menu: Sequence[GameRound],
        budget: AccountantBudget,
        failure_of: Failure,
        max_states: int,
        *,
        exact: bool = False,
    ) -> None:
        # In the exact mode values are Fractions over the scale 1, and nothing is rounded.
        self.exact = exact
        self.scale = 1 if exact else math.lcm(budget.delta.denominator, *(r.delta.denominator for r in menu)) << _BITS
        self.noise = 0 if exact else self.scale >> _NOISE_BITS
        self.accountant = accountant
        self.menu = tuple(menu)
        self.budget = budget
        self.failure_of = failure_of
        self.left = self.limit = max_states
        self.is_filter = accountant.kind == "filter"
        self.accounts: list[Any] = []
        self.account_ids: dict[Hashable, int] = {}
        self.losses: list[Loss] = []
        self.loss_ids: dict[Loss, int] = {}
        self.loss_ends: list[tuple[int, int]] = []
        self.stopped: list[int] = []
        # Each is asked of the same states again and again.
        self.accounts_after, self.losses_after = cache(self._accounts_after), cache(self._losses_after)
        self.refused_to = cache(self._refused_to)
        self._is_dead, self._what_is_shown = cache(self._dead), cache(self._shown)
        self.answers = [asked.possible for asked in self.menu]
        self.weights = [
            tuple(self._weight(o.p, asked.name) for o in answers)
            for asked, answers in zip(self.menu, self.answers, strict=True)
        ]
        self.memo: list[dict[tuple[int, int], int]] = []
        self.choices: list[dict[tuple[int, int], int]] = []
        self.ceilings: list[dict[int, int]] = []
        self.orders: dict[tuple[int, int], list[tuple[int, int]]] = {}
        # The budget's epsilon is at least this, and one round raises or lowers the loss by at most that.
        self.least_budget = (
            _encloses(cast(LogForm, budget.epsilon).evaluate, _LOSS_SCALE, "the budget")[0] if self.is_filter else 0
        )
        self.steps = [tuple(self._step(o.loss, asked.name) for o in asked.possible) for asked in self.menu]
        self.reach = self._reach()
        self.start = (self.account(accountant.start()), self.loss(LogForm(), (0, 0)))

    def _weight(self, p: LawProbability, name: str) -> int:
        if isinstance(p, Fraction):
            return cast(int, p) if self.exact else _ceil(p, self.scale)
        return _encloses(p, self.scale, name)[1]

    def _step(self, loss: Loss, name: str) -> tuple[int, int]:
        """The ends of one answer's loss; those of an infinite one are not looked at."""
        return (0, 0) if loss == INFINITE else _encloses(loss.evaluate, _LOSS_SCALE, name)

    def _reach(self) -> tuple[int, int] | None:
        """How far one round can raise and lower the loss at most; None where a loss can be infinite."""
        if any(o.loss == INFINITE for answers in self.answers for o in answers):
            return None
        ends = [end for steps in self.steps for end in steps]
        return max(0, *(upper for _, upper in ends)), max(0, *(-lower for lower, _ in ends))

    def _within(self, lower: int, upper: int) -> bool:
        """Whether a loss between these ends is certainly no failure of the filter."""
        return upper <= self.least_budget and (self.failure_of != "loss" or -lower <= self.least_budget)

    def _out_of_reach(self, loss: int, left: int) -> bool:
        """Whether the loss certainly stays within the filter's epsilon, whatever the rounds that are left."""
        if self.reach is None:
            return False
        (up, down), (lower, upper) = self.reach, self.loss_ends[loss]
        return self._within(lower - left * down, upper + left * up)

    def _mean(self, item: int, values: list[int]) -> int:
        """The mean of the values over the answers, rounded up; exact where they are all equal.

        The probabilities add up to 1, so only what exceeds the least value is weighted.
        """
        least = min(values)
        total = sum(weight * (value - least) for weight, value in zip(self.weights[item], values, strict=True))
        return least + total if self.exact else min(self.scale, least - (-total // self.scale))

    # --- states -----------------------------------------------------------------------------------------------------

    def account(self, state: Hashable) -> int:
        found = self.account_ids.get(state)
        if found is None:
            found = self.account_ids[state] = len(self.accounts)
            self.accounts.append(state)
        return found

    def loss(self, loss: Loss, ends: tuple[int, int]) -> int:
        """The number of a loss, which lies between the ends; those of an infinite one are not looked at."""
        found = self.loss_ids.get(loss)
        if found is None:
            found = self.loss_ids[loss] = len(self.losses)
            self.losses.append(loss)
            self.loss_ends.append(ends)
            self.stopped.append(self._stopped(loss, ends) if self.is_filter else 0)
        return found

    def _stopped(self, loss: Loss, ends: tuple[int, int]) -> int:
        """The failure of a filter at a transcript with this loss, per probability under input 0, rounded up."""
        if loss == INFINITE:
            return self.scale
        if self._within(*ends):
            return 0
        room = loss - cast(LogForm, self.budget.epsilon)
        if self.failure_of == "view":
            if room.sign() <= 0:
                return 0
            known = (-room).rational_exp()
            if known is not None:
                return cast(int, 1 - known) if self.exact else _ceil(1 - known, self.scale)
            return _encloses(lambda ar: 1 - cast(Real, (-room).exp(ar)), self.scale, "a loss of it")[1]
        below = -loss - cast(LogForm, self.budget.epsilon)
        exceeds = room.sign() > 0 or (self.failure_of == "loss" and below.sign() > 0)
        return self.scale if exceeds else 0

    def _accounts_after(self, account: int, item: int) -> tuple[int, ...] | None:
        """The accountant's state after each answer of the round; None where it refuses the round."""
        state, asked = self.accounts[account], self.menu[item]
        running = self.accountant.request(state, asked)
        if running is None:
            return None
        return tuple(self.account(self.accountant.observe(running, asked, o)) for o in self.answers[item])

    def _refused_to(self, account: int, item: int) -> int:
        """The accountant's state after refusing the round."""
        return self.account(self.accountant.refuse(self.accounts[account], self.menu[item]))

    def _losses_after(self, loss: int, item: int) -> tuple[int, ...]:
        """The loss after each answer of the round."""
        here, (lower, upper) = self.losses[loss], self.loss_ends[loss]
        return tuple(
            self.loss(INFINITE, (0, 0))
            if here == INFINITE or o.loss == INFINITE
            else self.loss(here + o.loss, (lower + low, upper + high))
            for o, (low, high) in zip(self.answers[item], self.steps[item], strict=True)
        )

    def _shown(self, account: int) -> tuple[Shown, int, int]:
        """What the odometer shows, and integers around it."""
        shown = self.accountant.shows(self.accounts[account])
        if shown == "inf":
            return shown, 0, 0
        formula = shown.evaluate if isinstance(shown, LogForm) else shown
        return shown, *_encloses(formula, _LOSS_SCALE, "what the odometer shows")

    def violates(self, account: int, loss: int) -> bool:
        """Whether the loss exceeds what the odometer shows."""
        shown, low, high = self._what_is_shown(account)
        if shown == "inf":
            return False
        exact = self.losses[loss]
        if exact == INFINITE:
            return True
        lower, upper = self.loss_ends[loss]
        if self.failure_of == "loss" and lower < 0:
            lower, upper, exact = (-upper, -lower, -exact) if upper <= 0 else (0, max(-lower, upper), exact)
        if lower > high:
            return True
        if upper <= low:
            return False
        return exceeds_shown(exact, shown, two_sided=self.failure_of == "loss")

    # --- the recursion ----------------------------------------------------------------------------------------------

    def ceiling(self, loss: int, left: int) -> int:
        """What an adversary whom no accountant restrains could gain: filters only, an odometer may show anything."""
        if not self.is_filter:
            return self.scale
        while len(self.ceilings) <= left:
            self.ceilings.append({})
        table = self.ceilings[left]
        found = table.get(loss)
        if found is None:
            found = self.stopped[loss]
            if left and found < self.scale and not self._out_of_reach(loss, left):
                self._spend()
                found = max(found, *(bound for bound, _ in self.order(loss, left)))
            table[loss] = found
        return found

    def order(self, loss: int, left: int) -> list[tuple[int, int]]:
        """The menu with its ceilings from here, most promising first."""
        # Not by ``cache``: as deep as the game is long, its calls would overflow the stack.
        found = self.orders.get((loss, left))
        if found is None:
            self._spend(len(self.menu))
            found = [(self._item_ceiling(item, loss, left), item) for item in range(len(self.menu))]
            found.sort(key=lambda pair: -pair[0])
            self.orders[loss, left] = found
        return found

    def _item_ceiling(self, item: int, loss: int, left: int) -> int:
        if not self.is_filter:
            return self.scale + 1
        return self._mean(item, [self.ceiling(after, left - 1) for after in self.losses_after(loss, item)])

    @property
    def visited(self) -> int:
        """How many states the search has looked at, each round tried there counted too."""
        return min(self.limit, self.limit - self.left)

    @property
    def closes_exactly(self) -> bool:
        """Whether the failure of stopping is rational at every loss."""
        return self.failure_of != "view" or cast(LogForm, self.budget.epsilon).rational_exp() is not None

    def _spend(self, units: int = 1) -> None:
        self.left -= units
        if self.left < 0:
            raise _StateLimit

    def value(self, account: int, loss: int, left: int, first: bool = False) -> int:
        """An upper bound on the failure from a state, per probability of its transcript under input 0, times 2^160."""
        table = self.memo[left]
        key = (account, loss)
        best = table.get(key)
        if best is not None:
            return best
        self._spend()
        best = self.stopped[loss]
        if not self.is_filter and not first and self.violates(account, loss):
            best = self.scale
        choice = -1
        if left and best < self.scale and self.ceiling(loss, left) > best:
            for bound, item in self.order(loss, left):
                if bound <= best:
                    break
                accounts = self.accounts_after(account, item)
                if accounts is None:
                    continue
                self._spend()
                following = zip(accounts, self.losses_after(loss, item), strict=True)
                total = self._mean(item, [self.value(a, after, left - 1) for a, after in following])
                if total > best:
                    if total > best + self.noise:
                        choice = item
                    best = total
            best, choice = self._refused(account, loss, left, best, choice)
        table[key] = best
        self.choices[left][key] = choice
        return best

    def _refused(self, account: int, loss: int, left: int, best: int, choice: int) -> tuple[int, int]:
        """The best value and choice, refusals that change the accountant's state considered; ~item is a refusal."""
        if not self.is_filter or self.ceiling(loss, left - 1) <= best:
            return best, choice
        for item in range(len(self.menu)):
            if self.accounts_after(account, item) is not None:
                continue
            following = self.refused_to(account, item)
            if following == account or self._is_dead(following):
                continue
            self._spend()
            total = self.value(following, loss, left - 1)
            if total > best:
                if total > best + self.noise:
                    choice = ~item - 1
                best = total
        return best, choice

    def _dead(self, account: int) -> bool:
        """Whether the accountant refuses everything from here, for good."""
        items = range(len(self.menu))
        return all(self.accounts_after(account, item) is None for item in items) and all(
            self.refused_to(account, item) == account for item in items
        )

    def run(self, rounds: int) -> int:
        """The ceiling on all adversaries of at most this many rounds."""
        while len(self.memo) <= rounds:
            self.memo.append({})
            self.choices.append({})
        with _deep(8 * rounds + 2_000):
            return self.value(*self.start, rounds, True)

    # --- the strategy -----------------------------------------------------------------------------------------------

    def strategy(self, rounds: int) -> Strategy:
        """The best strategy found for this horizon."""
        nodes: list[Node] = [Node(None)]
        index: dict[tuple[int, int, int], int] = {}

        def build(account: int, loss: int, left: int) -> int:
            choice = self.choices[left].get((account, loss), -1)
            refused = choice < -1
            item = ~choice - 1 if refused else choice
            # Stopping nodes are one per loss and outcome, so that each node of the graph has one of either.
            failed = not self.is_filter and left < rounds and self.violates(account, loss)
            key = (account, loss, left) if item >= 0 else (-1, loss, int(failed))
            if key in index:
                return index[key]
            then: tuple[int, ...] = ()
            if refused:
                then = (build(self.refused_to(account, item), loss, left - 1),)
            elif item >= 0:
                accounts = cast("tuple[int, ...]", self.accounts_after(account, item))
                following = self.losses_after(loss, item)
                then = tuple(build(a, o, left - 1) for a, o in zip(accounts, following, strict=True))
            if len(nodes) >= _MAX_NODES:
                raise InputError(
                    "rounds", rounds, f"the strategy has more than {_MAX_NODES} points; ask for fewer rounds"
                )
            index[key] = len(nodes)
            nodes.append(Node(item if item >= 0 else None, then, refused))
            return index[key]

        with _deep(8 * rounds + 2_000):
            root = build(*self.start, rounds)
        return Strategy(tuple(nodes), root, _depth(nodes, root))

    def evaluated(self, strategy: Strategy) -> tuple[Enclosure, Fraction | None]:
        """The failure of a strategy: exactly where everything is rational, else enclosed."""
        steps = self._walk(strategy)

        def formula(ar: Arithmetic) -> Scalar:
            return self._failure(ar, strategy, steps)

        epsilon = self.budget.epsilon
        rational = all(self.menu[n.asks].exact for n in strategy.nodes if n.asks is not None)
        if rational and (self.failure_of != "view" or cast(LogForm, epsilon).rational_exp() is not None):
            exact = Fraction(cast(Fraction, formula(ENGINE)))
            return Enclosure(exact, exact), exact
        if not any(failed for _, failed in steps.values()):
            return Enclosure(Fraction(0), Fraction(0)), Fraction(0)
        return decide.enclose(formula, ENGINE, _WIDTH), None

    def _walk(self, strategy: Strategy) -> dict[int, tuple[int, bool]]:
        """For each node that is reached: its loss, and whether the transcript has failed there."""
        found: dict[int, tuple[int, bool]] = {}

        def visit(node: int, account: int, loss: int, first: bool) -> None:
            if node in found:
                return
            here = strategy.nodes[node]
            failed = self.stopped[loss] > 0 if self.is_filter else (not first and self.violates(account, loss))
            found[node] = (loss, failed)
            if here.refused:
                visit(here.then[0], self.refused_to(account, cast(int, here.asks)), loss, False)
            elif here.asks is not None:
                accounts = cast("tuple[int, ...]", self.accounts_after(account, here.asks))
                for a, o, n in zip(accounts, self.losses_after(loss, here.asks), here.then, strict=True):
                    visit(n, a, o, False)

        with _deep(8 * strategy.depth + 2_000):
            visit(strategy.root, *self.start, True)
        return found

    def _failure(self, ar: Arithmetic, strategy: Strategy, steps: Mapping[int, tuple[int, bool]]) -> Scalar:
        values: dict[int, Scalar] = {}
        for node in sorted(steps):  # children come before their parents
            here, (loss, failed) = strategy.nodes[node], steps[node]
            if here.refused:
                values[node] = values[here.then[0]]
            elif here.asks is not None:
                total: Scalar = Fraction(0)
                for outcome, following in zip(self.answers[here.asks], here.then, strict=True):
                    p = outcome.p if isinstance(outcome.p, Fraction) else outcome.p(ar)
                    child = values[following]
                    if not (isinstance(child, Fraction) and not child):
                        total = total + cast(Real, p) * child
                values[node] = total
            elif not failed:
                values[node] = Fraction(0)
            elif self.failure_of == "view" and self.losses[loss] != INFINITE:
                room = cast(LogForm, self.budget.epsilon) - cast(LogForm, self.losses[loss])
                values[node] = 1 - cast(Real, room.exp(ar))
            else:
                values[node] = Fraction(1)
        return values[strategy.root]

    def report(
        self,
        verdict: AttackVerdict,
        rounds: int,
        asked: int,
        ceiling: Fraction,
        strategy: Strategy,
        failure: tuple[Enclosure, Fraction | None],
        *,
        limited: bool,
    ) -> Attack:
        """What this search found, as ``Attack`` says it."""
        of = self.accountant, self.budget, self.failure_of, self.menu
        return Attack(verdict, *of, rounds, asked, ceiling, strategy, *failure, self.visited, limited=limited)


def _depth(nodes: Sequence[Node], root: int) -> int:
    depths: list[int] = []
    for node in nodes:
        depths.append(1 + max(depths[following] for following in node.then) if node.then else 0)
    return depths[root]


@contextmanager
def _deep(limit: int) -> Iterator[None]:
    """Room for a recursion as deep as the game is long."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def attack(
    accountant: Accountant,
    menu: Sequence[GameRound],
    budget: AccountantBudget,
    rounds: int,
    *,
    failure_of: Failure | None = None,
    largest: bool = False,
    max_states: int = MAX_STATES,
    progress: Callable[[str], None] | None = None,
) -> Attack:
    """Search all adversaries of at most ``rounds`` rounds over the menu; stop at the shortest that breaks the claim.

    Where ``largest``, go on to the largest failure that any reaches within ``rounds``. The default failure is the one
    that the accountant's theorem bounds; without a theorem a filter's is ``view``, an odometer's ``loss``.

    Where the search would visit more than ``max_states`` states (each round tried in one is counted too), the ceiling
    and the strategy are about the largest number of rounds that it finished, and the verdict is ``undecided`` unless
    the claim is broken within these.
    """
    chosen: Failure = failure_of or accountant.promised or ("view" if accountant.kind == "filter" else "loss")
    if accountant.kind == "odometer" and chosen == "view":
        raise InputError("failure", chosen, "an odometer fails by its loss: give loss or one-sided")
    if accountant.kind == "filter" and budget.epsilon is None:
        raise InputError("epsilon", "(missing)", "a filter needs the epsilon that it enforces")
    if rounds < 1 or not menu:
        raise InputError("rounds", rounds, "give at least one round and a menu")
    search = _Search(accountant, menu, budget, chosen, max_states)
    found = _deepened(search, rounds, progress, largest)
    rational = all(asked.exact for asked in menu)
    if found.verdict == "undecided" and not found.limited and rational and search.closes_exactly:
        search = _Search(accountant, menu, budget, chosen, max_states, exact=True)
        found = _deepened(search, rounds, progress, largest)
    return found


def _deepened(search: _Search, rounds: int, progress: Callable[[str], None] | None, largest: bool) -> Attack:
    """Search 1, 2, 4, … rounds, and where the claim is broken go back to the least number that breaks it.

    Where the largest failure is asked for, only what was searched last counts.
    """
    budget = search.budget
    target = budget.delta * search.scale
    finished, broken_at = 0, None

    def breaks(horizon: int) -> bool:
        if progress is not None:
            progress(f"{horizon} rounds")
        return search.run(horizon) > target + search.noise

    try:
        while finished < rounds and broken_at is None:
            horizon = min(2 * finished or 1, rounds)
            if breaks(horizon) and not largest:
                broken_at = horizon
            else:
                finished = horizon
        while broken_at is not None and broken_at - finished > 1:
            middle = (finished + broken_at) // 2
            if breaks(middle):
                broken_at = middle
            else:
                finished = middle
    except _StateLimit:
        pass
    horizon = finished if broken_at is None else broken_at
    if not horizon:
        return _nothing(search, rounds)
    return _found(search, horizon, rounds, limited=broken_at is None and finished < rounds)


def _found(search: _Search, horizon: int, asked: int, *, limited: bool) -> Attack:
    """What the search of a horizon says, with its strategy evaluated on its own."""
    budget = search.budget
    ceiling = Fraction(search.memo[horizon][search.start]) / search.scale
    strategy = search.strategy(horizon)
    enclosure, exact = search.evaluated(strategy)
    verdict: AttackVerdict = "undecided"
    if enclosure.lower > budget.delta:
        verdict = "broken"
    elif ceiling <= budget.delta and horizon == asked and not limited:
        verdict = "not-broken"
    return search.report(verdict, horizon, asked, ceiling, strategy, (enclosure, exact), limited=limited)


def horizons(
    accountant: Accountant,
    menu: Sequence[GameRound],
    budget: AccountantBudget,
    rounds: int,
    *,
    max_states: int = MAX_STATES,
) -> Iterator[Attack]:
    """The largest failure of a filter within 1, 2, … rounds; fewer where the search would visit more states.

    Each horizon is searched whole, and the tables of one serve the next.
    """
    if rounds < 1 or not menu or accountant.kind != "filter":
        raise InputError("rounds", rounds, "give a filter, a menu and at least one round")
    search = _Search(accountant, menu, budget, "view", max_states)
    for horizon in range(1, rounds + 1):
        try:
            search.run(horizon)
        except _StateLimit:
            return
        yield _found(search, horizon, horizon, limited=False)


def _nothing(search: _Search, rounds: int) -> Attack:
    zero, still = Fraction(0), Strategy((Node(None),), 0, 0)
    return search.report("undecided", 0, rounds, Fraction(1), still, (Enclosure(zero, zero), zero), limited=True)


def certificate(found: Attack) -> dict[str, Any]:
    """The ``attack-certificate.1`` of a broken accountant: what a re-check needs, and nothing of the search."""
    if found.verdict != "broken":
        raise InputError("certificate", found.verdict, "only a broken accountant has a certificate")
    used = sorted({node.asks for node in found.strategy.nodes if node.asks is not None})
    place = {item: i for i, item in enumerate(used)}
    nodes: list[dict[str, Any]] = []
    for node in found.strategy.nodes:
        if node.asks is None:
            nodes.append({"stop": True})
        elif node.refused:
            nodes.append({"round": place[node.asks], "refused": node.then[0]})
        else:
            labels = [o.label for o in found.menu[node.asks].possible]
            nodes.append({"round": place[node.asks], "then": dict(zip(labels, node.then, strict=True))})
    lower, upper = found.failure.decimals(30)
    failure: dict[str, Any] = {"lower": lower, "upper": upper}
    if found.exact is not None and len(spelled := spell(found.exact)) <= 8_000:
        failure["value"] = spelled
    return {
        "schema": "attack-certificate.1",
        "accountant": {"kind": found.accountant.kind, **found.accountant.document()},
        "budget": found.budget.document(),
        "failure_of": found.failure_of,
        "rounds": [dict(found.menu[item].source) for item in used],
        "strategy": {"root": found.strategy.root, "depth": found.strategy.depth, "nodes": nodes},
        "failure": failure,
    }
