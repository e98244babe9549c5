"""Every filter and odometer side by side, with the certified optimum for parameters fixed in advance as the limit.

What is compared is the final epsilon at one delta: the least budget of three decimals on which a filter lets all rounds
run, what an odometer shows after them, and the lower end of the optimum. All are tuned to the plan, before it starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from privref.adaptive import odometers
from privref.adaptive.machines import Setup, build
from privref.adaptive.protocol import Reading
from privref.adaptive.response import tuned_order
from privref.adaptive.sgd import charge, sgd_guarantee
from privref.exact import decide, roots
from privref.exact.errors import HypothesisError, InputError
from privref.exact.numbers import spell
from privref.guarantees.conversions import ORDERS, conversion_cost
from privref.guarantees.model import ApproxDP, GaussianDP, Guarantee, PureDP, as_zcdp
from privref.statements.registry import evaluate

FILTERS = (
    "basic-filter", "rogers-filter", "dp-filter", "zcdp-filter", "tight-zcdp-filter", "renyi-grid-filter",
    "renyi-filter", "response-filter", "ex-post-filter", "gaussian-filter", "domination-filter",
)  # fmt: skip
ODOMETERS = (
    "basic-odometer", "rogers-odometer", "restated-odometer", "filter-odometer", "mixture-odometer",
    "one-sided-mixture-odometer", "stitched-odometer",
)  # fmt: skip
#: The public size of the data set, for the odometers of Rogers et al.
_SIZE = Fraction(10**4)
_UNIT = Fraction(1, 1000)
#: No larger budget is sought, in units.
_MOST = 1 << 24


@dataclass(frozen=True, slots=True)
class PlannedRounds:
    """Rounds that are planned: their guarantees with counts, the delta of the whole, and the statement of the limit.

    ``rate`` and ``sigma`` are those of a subsampled Gaussian mechanism, whose guarantee depends on the order.
    """

    rounds: str
    each: str
    events: tuple[tuple[Guarantee, int], ...]
    delta: Fraction
    limit: str
    inputs: dict[str, object]
    sampled: tuple[Fraction, Fraction] | None = None

    @property
    def orders(self) -> tuple[Fraction, ...]:
        """The grid of Renyi orders."""
        return ORDERS if self.sampled is None else tuple(order for order in ORDERS if order.denominator == 1)

    @property
    def own_delta(self) -> Fraction:
        """What the rounds themselves spend of delta."""
        return sum((getattr(event, "delta", Fraction(0)) * count for event, count in self.events), Fraction(0))

    @property
    def slack(self) -> Fraction:
        """What the rounds leave of delta."""
        return self.delta - self.own_delta

    @property
    def time(self) -> Fraction:
        """The intrinsic time after all rounds; 0 where no odometer covers them."""
        found = [(as_zcdp(event), count) for event, count in self.events]
        return sum((2 * zcdp.rho * count for zcdp, count in found if zcdp is not None), Fraction(0))


def _pure(count: int, eps: str, delta: str) -> PlannedRounds:
    inputs: dict[str, object] = {"eps": eps, "k": str(count), "delta_g": delta}
    return PlannedRounds(
        str(count), eps, ((PureDP(Fraction(eps)), count),), Fraction(delta), "kov2015/optimal.eps", inputs
    )


def _several(parts: Sequence[tuple[int, str, str]], delta: str) -> PlannedRounds:
    events: tuple[tuple[Guarantee, int], ...] = tuple(
        (ApproxDP(Fraction(eps), Fraction(own)) if own != "0" else PureDP(Fraction(eps)), count)
        for count, eps, own in parts
    )
    inputs: dict[str, object] = {
        "eps": [eps for count, eps, _ in parts for _ in range(count)],
        "delta": [own for count, _, own in parts for _ in range(count)],
        "delta_g": delta,
    }
    rounds = "+".join(str(count) for count, _, _ in parts)
    each = ", ".join(eps if own == "0" else f"{eps} {own}" for _, eps, own in parts)
    return PlannedRounds(rounds, each, events, Fraction(delta), "mv2016/optimal.eps", inputs)


def _gaussian(count: int, mu: str, delta: str) -> PlannedRounds:
    events: tuple[tuple[Guarantee, int], ...] = ((GaussianDP(Fraction(mu)), count),)
    return PlannedRounds(
        str(count), f"mu {mu}", events, Fraction(delta), "gdp/composition.eps",
        {"mu": [mu] * count, "delta": delta},
    )  # fmt: skip


def _sampled(count: int, rate: str, sigma: str, delta: str) -> PlannedRounds:
    inputs: dict[str, object] = {"q": rate, "sigma": sigma, "k": str(count), "delta": delta}
    guarantee = sgd_guarantee(Fraction(rate), Fraction(sigma), ORDERS)
    sampled = (Fraction(rate), Fraction(sigma))
    return PlannedRounds(
        str(count), f"q {rate}", ((guarantee, count),), Fraction(delta), "zdw2022/poisson_gaussian.eps", inputs, sampled
    )


def plans() -> tuple[PlannedRounds, ...]:
    """Twelve plans, of 10 to 100,000 rounds."""
    return (
        _pure(10, "1", "1e-6"),
        _pure(100, "1/10", "1e-6"),
        _pure(1000, "1/50", "1e-9"),
        _pure(10_000, "1/100", "1e-6"),
        _pure(100_000, "1/200", "1e-6"),
        _several(((100, "1/10", "1e-9"),), "1e-6"),
        _several(((1000, "1/50", "1e-10"),), "1e-6"),
        _several(((50, "1/10", "0"), (10, "1/2", "0")), "1e-6"),
        _several(((400, "1/100", "0"), (20, "1/4", "1e-8")), "1e-6"),
        _gaussian(1000, "1/20", "1e-6"),
        _sampled(10_000, "1/100", "1", "1e-5"),
        _sampled(100_000, "1/1000", "1", "1e-6"),
    )


def _limit(plan: PlannedRounds) -> Fraction:
    """The lower end of the least epsilon that is possible with everything fixed in advance."""
    found = evaluate(plan.limit, plan.inputs, digits=8).enclosure
    assert found is not None
    return found.lower


def _order(plan: PlannedRounds, about: Fraction) -> Fraction:
    """The one Renyi order, known from the plan: the best for its steps, or for small rounds at about this epsilon."""
    if plan.sampled is None:
        return tuned_order(about, plan.slack)
    ((_, count),) = plan.events
    best: tuple[Fraction, int] | None = None
    for order in range(2, 65):
        # Every order is valid; which one is used is a choice, and the upper ends make it.
        spent = count * charge(*plan.sampled, order)
        cost = decide.enclose(
            lambda ar, order=order: conversion_cost(ar, Fraction(order), plan.slack),  # type: ignore[misc]
            decide.engine("arb"),
            Fraction(1, 2**40),
        ).upper
        best = min(best or (spent + cost, order), (spent + cost, order))
    assert best is not None
    return Fraction(best[1])


def _admits(name: str, plan: PlannedRounds, eps: Fraction, order: Fraction | None) -> bool:
    """Whether the filter of this budget lets the whole plan run; HypothesisError where it does not cover it."""
    events = plan.events
    if plan.sampled is not None and order is not None:
        events = ((sgd_guarantee(*plan.sampled, (order,)), events[0][1]),)
    try:
        machine = build(name, Setup(eps, plan.delta, delta_prime=plan.slack, order=order, orders=plan.orders))
    except InputError:
        # The conversion alone costs more than epsilon.
        return False
    state = machine.start()
    for event, count in events:
        state, decision = machine.block(state, event, count)
        if decision.verdict == "HALT":
            return False
    return True


def least_budget(name: str, plan: PlannedRounds, limit: Fraction) -> str:
    """The least budget of three decimals on which the filter lets the plan run; "-" where it covers no such rounds."""
    order = _order(plan, limit) if name == "renyi-filter" else None

    def admits(units: int) -> bool:
        return _admits(name, plan, units * _UNIT, order)

    # No filter lets it run on less than what is possible with everything fixed in advance.
    refused, step = floor(limit / _UNIT), 1
    try:
        while not admits(refused + step):
            refused, step = refused + step, 2 * step
            if refused > _MOST:
                return "-"
    except HypothesisError:
        return "-"
    return to_decimal_places(roots.first(admits, refused, refused + step) * _UNIT)


def _of_base(plan: PlannedRounds, limit: Fraction) -> str:
    """The same of the filter that counts rounds of a base, the plan's own rate and noise: of DP-SGD only."""
    if plan.sampled is None:
        return "-"
    rate, sigma = map(spell, plan.sampled)
    ((_, count),) = plan.events
    given = {"base_q": rate, "base_sigma": sigma, "q": [rate], "sigma": [sigma], "steps": [str(count)]}
    units, by = floor(limit / _UNIT), "zdw2022/base_filter.decision"
    while evaluate(by, {**given, "eps_g": spell(units * _UNIT), "delta_g": spell(plan.delta)}).value != "CONT":
        units += 1
    return to_decimal_places(units * _UNIT)


def shown(name: str, plan: PlannedRounds) -> str:
    """What an odometer that is tuned to the plan shows after it, rounded up; "-" where it covers no such rounds."""
    time = plan.time
    if not time:
        return "-"
    gamma = odometers.tune_gamma(time, plan.slack).value
    setup = Setup(
        Fraction(1), plan.delta, delta_prime=plan.slack, n=_SIZE, y_star=time, gamma=gamma, v0=time, dominating=True
    )
    machine = build(name, setup)
    state = machine.start()
    reading: Reading | None = None
    for event, count in plan.events:
        try:
            state, decision = machine.block(state, event, count)
        except HypothesisError:
            return "-"
        reading = decision.reading
    assert reading is not None
    if isinstance(reading, str):
        return reading
    formula: decide.Formula = (lambda ar: reading) if isinstance(reading, Fraction) else reading
    return to_decimal_places(decide.enclose(formula, decide.engine("arb"), _UNIT / 1000).upper)


def to_decimal_places(value: Fraction) -> str:
    """Rounded up to three decimals."""
    return f"{ceil(value / _UNIT) / 1000:.3f}"


def side_by_side(chosen: Sequence[PlannedRounds] | None = None) -> Iterator[dict[str, str]]:
    """A row for each machine, a column for each plan; the first rows say what is planned, the last one is the limit.

    Filters: the least budget of epsilon, in thousandths. Odometers: the reading, rounded up. Limit: rounded down.
    """
    columns = plans() if chosen is None else chosen
    limits = [_limit(plan) for plan in columns]

    def row(name: str, cells: Callable[[PlannedRounds], str]) -> dict[str, str]:
        return {"": name} | {str(i): cells(plan) for i, plan in enumerate(columns, 1)}

    yield row("rounds", lambda plan: plan.rounds)
    yield row("each", lambda plan: plan.each)
    yield row("delta", lambda plan: f"{float(plan.delta):g}")
    for name in FILTERS:
        yield {"": name} | {
            str(i): least_budget(name, plan, limit)
            for i, (plan, limit) in enumerate(zip(columns, limits, strict=True), 1)
        }
    yield {"": "base-filter"} | {
        str(i): _of_base(plan, limit) for i, (plan, limit) in enumerate(zip(columns, limits, strict=True), 1)
    }
    for name in ODOMETERS:
        yield row(name, lambda plan, name=name: shown(name, plan))  # type: ignore[misc]
    yield {"": "fixed in advance"} | {str(i): f"{floor(limit / _UNIT) / 1000:.3f}" for i, limit in enumerate(limits, 1)}
