"""Renyi filters: one order fixed in advance, and a grid of orders of which the best may be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm

from privref.composition.basic import total
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.guarantees.conversions import conversion_cost, rdp_to_dp_eps, renyi_cost, renyi_costs
from privref.guarantees.model import ZCDP, BoundedRange, GaussianDP, Guarantee, dp_parameters, zcdp_parameters
from privref.guarantees.randomized_response import are_small, charged_at_order
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import (
    ABOVE_ONE,
    OPEN_PROBABILITY,
    AboveOne,
    Multiset,
    OpenProbability,
    Probabilities,
    Probability,
    one,
)
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .additive import AdditiveFilter
from .protocol import Decision, Reading, StepsByBlocks, not_covered
from .running import BudgetLimit, checked, plus


def conversion_limit(eps: Fraction, order: Fraction, delta: Fraction, engine: decide.EngineName) -> BudgetLimit:
    """What the rounds may cost at an order, so that it converts at delta to eps; InputError where that is nothing."""
    one("order", ABOVE_ONE).read(order)
    one("delta_prime", OPEN_PROBABILITY).read(delta)
    # alpha, delta rational: a tie of eps with the conversion's cost would be one of logarithms of rationals with a
    # non-zero rational, which is impossible; eps = 0 could tie only where (1 - 1/alpha)^(alpha-1) = alpha delta.
    if decide.exceeds(lambda ar: conversion_cost(ar, order, delta), lambda ar: eps, decide.engine(engine)):
        raise InputError("order", str(order), "its conversion alone costs more than epsilon: give a larger order")
    return BudgetLimit.of(lambda ar: eps - conversion_cost(ar, order, delta), engine)


def limit_if_any(eps: Fraction, order: Fraction, delta: Fraction, engine: decide.EngineName) -> BudgetLimit | None:
    """The same, or None where the conversion at the order alone costs more than eps: only plain sums are left then."""
    try:
        return conversion_limit(eps, order, delta, engine)
    except InputError as refusal:
        if refusal.field != "order" or order <= 1:
            raise
        return None


@implements(
    "feldman2021/renyi_filter.decision",
    kind="exact",
    cites="the Renyi filter (of approximate Renyi DP by the argument of Whitehouse et al. 2023, Theorem 1)",
    hypotheses=(Hypothesis.RDP_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE),
)
def renyi_filter_decision(
    ar: Arithmetic,
    order: AboveOne,
    eps_order: Multiset,
    delta: Probabilities,
    eps_g: Fraction,
    delta_prime: OpenProbability,
    delta_pp: Probability,
) -> Result:
    """Whether the Renyi filter of one order lets the last of these rounds run.

    feldman2021/renyi_filter.decision: HALT iff the sum of the deltas exceeds delta'', or the sum of the epsilons at the
    order converts (cks2020/rdp2dp.eps at delta') to more than eps_g. What runs is (eps_g, delta' + delta'')-DP.
    """
    if total(delta) > delta_pp:
        return "HALT"
    return "HALT" if _converts_above(ar, order, total(eps_order), delta_prime, eps_g) else "CONT"


@implements(
    "lecuyer2021/renyi_grid_filter.decision",
    kind="exact",
    cites="the filter of several orders, with a share of delta' for each (ours; Lecuyer 2021 for the idea)",
    hypotheses=(Hypothesis.RDP_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE),
)
def renyi_grid_filter_decision(
    ar: Arithmetic,
    order: Sequence[AboveOne],
    eps_order: Sequence[Fraction],
    delta: Probabilities,
    eps_g: Fraction,
    delta_prime: OpenProbability,
    delta_pp: Probability,
) -> Result:
    """Whether the Renyi filter of several orders lets the last of these rounds run.

    lecuyer2021/renyi_grid_filter.decision: ``eps_order`` holds what the rounds cost in all at each order. HALT iff the
    sum of the deltas exceeds delta'', or the cost at each of the m orders converts at delta'/m to more than eps_g.
    """
    if len(order) != len(eps_order):
        raise InputError("eps_order", f"{len(eps_order)} values", f"give one for each of the {len(order)} orders")
    if not order or len(set(order)) != len(order):
        raise InputError("order", ", ".join(map(str, order)) or "(none)", "give at least one order, each once")
    if total(delta) > delta_pp:
        return "HALT"
    share = delta_prime / len(order)
    over = (_converts_above(ar, alpha, cost, share, eps_g) for alpha, cost in zip(order, eps_order, strict=True))
    return "HALT" if all(over) else "CONT"


def _converts_above(ar: Arithmetic, order: Fraction, cost: Fraction, delta: Fraction, eps: Fraction) -> bool:
    """Whether a cost at the order converts at delta to more than eps, certainly; see ``conversion_limit`` for ties."""
    return decide.exceeds(lambda inner: rdp_to_dp_eps(inner, order, cost, delta), lambda inner: eps, ar)


_ONE_ORDER, _GRID = theorem("feldman2021/renyi_filter"), theorem("lecuyer2021/renyi_grid_filter")


def renyi_filter(
    eps: Fraction, order: Fraction, delta_prime: Fraction, delta_pp: Fraction, engine: decide.EngineName = "arb"
) -> AdditiveFilter:
    """The Renyi filter of one order (feldman2021; whitehouse2023/thm1's argument for approximate Renyi DP).

    It halts when the sum of the events' epsilons at the order exceeds what converts to (eps, delta')-DP, or the sum of
    the deltas exceeds delta''; the interaction is (eps, delta' + delta'')-DP.
    """
    return AdditiveFilter(
        _ONE_ORDER.id,
        _ONE_ORDER.hypotheses,
        lambda event: renyi_cost(event, order),
        (f"sum of the epsilons of order {order}", "sum of delta"),
        (conversion_limit(eps, order, delta_prime, engine), BudgetLimit.exactly(delta_pp)),
        lambda totals: lambda ar: ar.maximum(rdp_to_dp_eps(ar, order, totals[0], delta_prime), 0),
    )


@dataclass(frozen=True, slots=True)
class GridState:
    """The exact sum at each order that is alive, over one denominator (0 for a dead one), and that of the deltas."""

    sums: tuple[int, ...]
    alive: tuple[bool, ...]
    delta: Fraction
    denominator: int
    #: What each sum may be, rounded down; what is more is compared with the limit itself.
    room: tuple[int, ...]
    halted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """The orders of one filter, the largest of them, and all over one denominator; looked up by which object it is."""

    orders: tuple[Fraction, ...]
    largest: Fraction
    numerators: tuple[int, ...]
    denominator: int


@lru_cache(maxsize=4096)
def _response_costs(eps: Fraction, grid: _Grid) -> tuple[tuple[int, ...], int]:
    """What a round of that epsilon costs at each order, over one denominator."""
    found = [charged_at_order(eps, order) for order in grid.orders]
    common = lcm(*(cost.denominator for cost in found))
    return tuple(cost.numerator * (common // cost.denominator) for cost in found), common


@dataclass(frozen=True, slots=True)
class RenyiGridFilter(StepsByBlocks[GridState]):
    """A Renyi filter that continues while at least one order of a grid is within its own limit.

    Which order survives depends on the answers, so each order must pay: with delta'/m for each of m orders, the loss
    at the halting time N = max N_alpha satisfies E[(1 - e^(eps - L_N))_+] <= sum over alpha of
    E[(1 - e^(eps - L_(N_alpha)))_+] <= delta', as N is one of the N_alpha. Without the division it is false: `privref
    attack best-order` loses 1.86 times its delta with two orders. An order that is once exceeded is out for good, as
    its filter has halted. The deltas of the events are added: (eps, delta' + delta'')-DP.
    """

    eps: Fraction
    orders: tuple[Fraction, ...]
    delta_prime: Fraction
    delta_pp: Fraction
    limits: tuple[BudgetLimit | None, ...]
    statement: str = _GRID.id
    hypotheses: tuple[Hypothesis, ...] = _GRID.hypotheses
    grid: _Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        scale = lcm(*(order.denominator for order in self.orders))
        numerators = tuple(int(order * scale) for order in self.orders)
        object.__setattr__(self, "grid", _Grid(self.orders, max(self.orders, default=Fraction(0)), numerators, scale))

    @classmethod
    def of(
        cls,
        eps: Fraction,
        orders: tuple[Fraction, ...],
        delta_prime: Fraction,
        delta_pp: Fraction,
        engine: decide.EngineName = "arb",
    ) -> RenyiGridFilter:
        """The filter of a grid of different orders; orders too low to convert at all are kept out of use."""
        if not orders or len(set(orders)) != len(orders):
            raise InputError("orders", ", ".join(map(str, orders)) or "(none)", "give at least one order, each once")
        limits = tuple(limit_if_any(eps, order, delta_prime / len(orders), engine) for order in orders)
        if all(limit is None for limit in limits):
            raise InputError("orders", ", ".join(map(str, orders)), "their conversion alone costs more than epsilon")
        return cls(eps, orders, delta_prime, delta_pp, limits)

    def start(self) -> GridState:
        alive = tuple(limit is not None for limit in self.limits)
        return GridState((0,) * len(self.orders), alive, Fraction(0), 1, self._room(1))

    def _room(self, denominator: int) -> tuple[int, ...]:
        return tuple(
            0 if limit is None else limit.lower.numerator * denominator // limit.lower.denominator
            for limit in self.limits
        )

    def _costs(self, event: Guarantee) -> tuple[Fraction | None, list[int | None], int]:
        """``renyi_costs`` in integers over one denominator."""
        dp = None if isinstance(event, BoundedRange) else dp_parameters(event)
        quadratic = are_small(dp[0], self.grid.largest) if dp is not None else isinstance(event, (ZCDP, GaussianDP))
        if quadratic and (zcdp := zcdp_parameters(event)) is not None:
            n, d = zcdp[0].numerator, zcdp[0].denominator
            return zcdp[1], [n * factor for factor in self.grid.numerators], d * self.grid.denominator
        if dp is not None:
            costs, common = _response_costs(dp[0], self.grid)
            return dp[1], list(costs), common
        delta, found = renyi_costs(event, self.orders)
        common = lcm(*(1 if cost is None else cost.denominator for cost in found))
        return delta, [None if c is None else c.numerator * (common // c.denominator) for c in found], common

    def block(self, state: GridState, event: Guarantee, count: int) -> tuple[GridState, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through.

        HALT where no order would stay within its limit or the deltas exceed delta'', strictly.
        """
        delta, costs, denominator = self._costs(checked(event))
        if delta is None:
            raise not_covered(self, event, Hypothesis.RDP_ROUNDS)
        if state.halted:
            return state, Decision("HALT", self.read(state), "the filter has halted")
        delta = plus(state.delta, delta, count)
        common = lcm(state.denominator, denominator)
        grown, times = common // state.denominator, common // denominator * count
        room = state.room if grown == 1 else self._room(common)
        sums: list[int] = []
        for before, cost, on, most, limit in zip(state.sums, costs, state.alive, room, self.limits, strict=True):
            total = -1
            if on and cost is not None and limit is not None:
                total = before * grown + cost * times
                # What costs nothing ends nothing.
                if total > most and cost and not limit.admits(Fraction(total, common)):
                    total = -1
            sums.append(total)
        alive = tuple(total >= 0 for total in sums)
        if delta > self.delta_pp or not any(alive):
            reason = "sum of delta exceeds delta''" if delta > self.delta_pp else "every order would exceed its limit"
            return replace(state, halted=True), Decision("HALT", self.read(state), reason)
        after = GridState(tuple(max(total, 0) for total in sums), alive, delta, common, room)
        return after, Decision("CONT", self.read(after))

    def read(self, state: GridState) -> Reading:
        """The least epsilon that an order still alive gives for what has run, each order at delta'/m."""
        share = self.delta_prime / len(self.orders)

        def reading(ar: Arithmetic) -> Scalar:
            found = [
                rdp_to_dp_eps(ar, order, Fraction(total, state.denominator), share)
                for order, total, on in zip(self.orders, state.sums, state.alive, strict=True)
                if on
            ]
            least: Scalar = found[0]
            for other in found[1:]:
                least = ar.minimum(least, other)
            return ar.maximum(least, 0)

        return reading
