"""An adaptive DP-SGD filter: sampling rates and noise multipliers chosen on the way, charged at one fixed order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, NamedTuple, Self, cast

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import EnginesDisagree, InputError, UndecidedError
from privref.exact.numbers import count, float_log, pair, rational, spell, written
from privref.exact.work import metered
from privref.guarantees.conversions import conversion_cost
from privref.guarantees.model import RenyiDP
from privref.profiles.subsampled import estimated_log_delta, far_within, poisson_gaussian_delta_statement, within
from privref.profiles.subsampled_renyi import MOST_ORDER, renyi
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import (
    POSITIVE,
    POSITIVE_PROBABILITY,
    PROBABILITY,
    OpenProbability,
    Positive,
    Probability,
    Whole,
    one,
)
from privref.statements.registry import Result, implements

from .calibrate import Calibration
from .protocol import Decision

_CHARGE_BITS = 96
_RATE, _NOISE = one("q", PROBABILITY), one("sigma", POSITIVE)


@implements(
    "mtz2019/sgd_filter.decision",
    kind="exact",
    cites="the moment at a whole order, in the Renyi filter of Feldman and Zrnic 2021",
    hypotheses=(Hypothesis.POISSON_SAMPLING, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def sgd_filter_decision(
    ar: Arithmetic,
    order: Annotated[int, Whole(2)],
    q: Sequence[Probability],
    sigma: Sequence[Positive],
    steps: Sequence[int],
    eps_g: Fraction,
    delta_g: OpenProbability,
) -> Result:
    """Whether a filter for DP-SGD lets the last of these steps run, whose rates and noise were chosen on the way.

    mtz2019/sgd_filter.decision: HALT iff the sum of steps_i times mtz2019/poisson_gaussian.renyi(q_i, sigma_i) at the
    order, which is fixed in advance, converts (cks2020/rdp2dp.eps at delta_g) to more than eps_g. What runs is (eps_g,
    delta_g)-DP, by feldman2021/renyi_filter: q_i and sigma_i may depend on the gradients that were released. The moment
    is that of a record's removal, the larger of both directions (proofs/mtz2019/sgd_filter.py, for every order > 1).
    """
    if not len(q) == len(sigma) == len(steps):
        raise InputError("steps", f"{len(steps)} values", f"give one for each of the {len(q)} rates and multipliers")

    def converted(inner: Arithmetic) -> Scalar:
        parts = [n * inner.real(_number(renyi(inner, r, s, order))) for r, s, n in zip(q, sigma, steps, strict=True)]
        return (
            inner.sum(parts) + conversion_cost(inner, order, delta_g)
            if parts
            else conversion_cost(inner, order, delta_g)
        )

    # No tie of these transcendental numbers with a rational is known to be impossible: the ladder's cap guards it.
    return "HALT" if decide.exceeds(converted, lambda inner: eps_g, ar) else "CONT"


@implements(
    "zdw2022/base_filter.decision",
    kind="exact",
    cites="Theorems 10 and 11: every round is dominated by one of the base",
    hypotheses=(Hypothesis.POISSON_SAMPLING, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def base_filter_decision(
    ar: Arithmetic,
    base_q: Probability,
    base_sigma: Positive,
    q: Sequence[Probability],
    sigma: Sequence[Positive],
    steps: Sequence[int],
    eps_g: Fraction,
    delta_g: OpenProbability,
) -> Result:
    """Whether a filter that counts rounds of a base lets the last of these DP-SGD steps run.

    zdw2022/base_filter.decision: HALT iff a step has a rate above base_q or a noise multiplier below base_sigma, which
    were fixed in advance, or zdw2022/poisson_gaussian.delta of as many base rounds is above delta_g at eps_g. Whatever
    rates and noise were chosen on the way, each step is dominated by a base round, and all of them by their product:
    no rounds at all are lost against parameters that were fixed (proofs/zdw2022/base_filter.py). A step without records
    (q = 0) counts as none.
    """
    if not len(q) == len(sigma) == len(steps):
        raise InputError("steps", f"{len(steps)} values", f"give one for each of the {len(q)} rates and multipliers")
    ran = [(r, s, n) for r, s, n in zip(q, sigma, steps, strict=True) if r > 0 and n > 0]
    if any(r > base_q or s < base_sigma for r, s, _ in ran):
        return "HALT"
    count = sum(n for _, _, n in ran)

    def spent(inner: Arithmetic) -> Scalar:
        return _number(poisson_gaussian_delta_statement(inner, base_q, base_sigma, count, eps_g))

    return "HALT" if decide.exceeds(spent, lambda inner: delta_g, decide.enclosing(ar)) else "CONT"


class BaseState(NamedTuple):
    """How many rounds of the base are spent, and whether the filter has halted."""

    spent: int = 0
    halted: bool = False


@dataclass(frozen=True, slots=True)
class BaseFilter:
    """The base filter as a machine: of rounds, each a sampling rate and a noise multiplier, it lets ``rounds`` run.

    >>> machine = BaseFilter.of("1/100", "1", (1, "1e-5"))
    >>> machine.rounds
    254
    >>> state, decision = machine.step(machine.start(), (Fraction(1, 200), Fraction(2)))
    >>> decision.verdict, decision.reading
    ('CONT', Fraction(1, 1))
    """

    rate: Fraction
    sigma: Fraction
    rounds: int
    statement: str = "zdw2022/base_filter.decision"
    hypotheses: tuple[Hypothesis, ...] = (
        Hypothesis.POISSON_SAMPLING,
        Hypothesis.BUDGET_IN_ADVANCE,
        Hypothesis.TUNING_IN_ADVANCE,
    )

    @classmethod
    def of(cls, rate: object, sigma: object, budget: object) -> Self:
        """Return the filter of a budget of epsilon and delta, and of a base that is fixed in advance."""
        most = calibrate_sgd(budget, rate=rate, sigma=sigma).value
        return cls(rational(rate, "rate"), rational(sigma, "sigma"), int(most))

    def start(self) -> BaseState:
        """Return the state in which nothing is spent."""
        return BaseState()

    def step(self, state: BaseState, event: tuple[Fraction, Fraction]) -> tuple[BaseState, Decision]:
        """Decide one requested round, by its rate and noise multiplier: constant work, on whole numbers."""
        rate, sigma = cast("tuple[Fraction, Fraction]", (_RATE.read(event[0]), _NOISE.read(event[1])))
        reason = ""
        if state.halted:
            reason = "the filter has halted"
        elif rate and (rate > self.rate or sigma < self.sigma):
            reason = "the rate is above the base's, or the noise below it"
        elif rate and state.spent == self.rounds:
            reason = f"all {self.rounds} rounds of the base are spent"
        if reason:
            return BaseState(state.spent, True), Decision("HALT", Fraction(state.spent), reason)
        spent = state.spent + (1 if rate else 0)
        return BaseState(spent), Decision("CONT", Fraction(spent))


def _number(result: Result) -> Scalar:
    if isinstance(result, str):
        raise InputError("order", result, "give a whole order")
    return result


@lru_cache(maxsize=4096)
def charge(q: Fraction, sigma: Fraction, order: int) -> Fraction:
    """What one step costs at a whole order: its divergence, rounded up by less than 2^-96."""
    width = Fraction(1, 2 ** (_CHARGE_BITS + 8))
    found = decide.enclose(lambda ar: _number(renyi(ar, q, sigma, order)), decide.engine("arb", 256), width)
    return Fraction(math.ceil(found.upper * 2**_CHARGE_BITS), 2**_CHARGE_BITS)


def sgd_guarantee(q: Fraction, sigma: Fraction, orders: Sequence[Fraction]) -> RenyiDP:
    """What one step guarantees at those of the orders that are whole, each rounded up by less than 2^-96.

    For the Renyi filters: ``renyi-filter`` with one of the orders, ``renyi-grid-filter`` with all of them.
    """
    one("q", PROBABILITY).read(q)
    one("sigma", POSITIVE).read(sigma)
    kept = [int(order) for order in orders if order.denominator == 1 and 2 <= order <= MOST_ORDER]
    if not kept:
        raise InputError("orders", ", ".join(map(str, orders)) or "(none)", f"give whole ones from 2 to {MOST_ORDER}")
    return RenyiDP(tuple((Fraction(order), charge(q, sigma, order)) for order in kept))


def order_for_steps(q: Fraction, sigma: Fraction, eps: Fraction, delta: Fraction) -> int:
    """The whole order up to 512 that lets the most equal steps run: a choice for what is planned, valid for all."""

    def steps(order: int) -> Fraction:
        left = (
            eps
            - decide.enclose(
                lambda ar: conversion_cost(ar, Fraction(order), delta), decide.engine("arb"), Fraction(1, 2**40)
            ).upper
        )
        cost = charge(q, sigma, order)
        return left / cost if cost else left

    orders = cast("list[int]", [*range(2, 33), *range(34, 129, 2), *range(136, 513, 8)])
    return max(orders, key=steps)


# DP-SGD the other way round: the least noise multiplier, or the most steps, whose epsilon is within a budget.
#
# Floats guess where the answer is; it is certified by contours at the answer and at its neighbour. More noise is a
# post-processing of less, and fewer steps of more, so that all beyond the two is decided as well.

_RULE = "zdw2022/poisson_gaussian"
_STATEMENT = "zdw2022/poisson_gaussian.delta"
#: How a run sampled is no detail: batches of a shuffle can lose more at the same rate.
_PREMISES = (Hypothesis.POISSON_SAMPLING.value,)
_ENOUGH = "even this noise multiplier is enough; give a finer one"
#: The most noise, the finest resolution of it, and the most steps that are tried.
MOST_SIGMA, LEAST_RESOLUTION = Fraction(10**6), Fraction(1, 10**9)
MOST_STEPS = 10**9
#: Certified steps from the guess to a bracket, and within it.
_MOST_TRIES = 60


def calibrate_sgd(
    budget: object,
    *,
    rate: object,
    steps: object = None,
    sigma: object = None,
    resolution: object = "0.01",
) -> Calibration:
    """Return the least noise multiplier (a multiple of the resolution) for these steps, or the most steps for it.

    Poisson samples of that rate, records added or removed; the budget is epsilon and delta, a pair or text with a
    comma. Certified: the value is within the budget, ``refused``, its neighbour, is not. Numbers are exact.
    InputError where no value, or every value, is within; UndecidedError where a contour is out of reach.
    """
    eps, delta = pair(budget, "budget")
    q = one("rate", POSITIVE_PROBABILITY).read(rate)
    assert isinstance(q, Fraction)
    if (steps is None) == (sigma is None):
        raise InputError("steps", "steps and sigma", "give one of the two: the other one is calibrated")
    if not 0 < delta < 1:
        raise InputError("budget", f"{written(eps)},{written(delta)}", "give a delta in (0, 1)")
    with metered():
        if sigma is None:
            return _least_sigma(eps, delta, q, count(steps, "steps", least=1), rational(resolution, "resolution"))
        noise = one("sigma", POSITIVE).read(sigma)
        assert isinstance(noise, Fraction)
        return _most_steps(eps, delta, q, noise)


def _least_sigma(eps: Fraction, delta: Fraction, q: Fraction, k: int, resolution: Fraction) -> Calibration:
    if resolution < LEAST_RESOLUTION:
        remedy = f"no bound here separates noise multipliers that close; give at least {written(LEAST_RESOLUTION)}"
        raise InputError("resolution", written(resolution), remedy if resolution > 0 else "give a number > 0")
    most = int(MOST_SIGMA / resolution)

    def fits(j: int, engine: decide.EngineName) -> bool | None:
        return _within(engine, q, j * resolution, k, eps, delta)

    def guessed(j: int) -> bool:
        found = estimated_log_delta(q, j * resolution, k, eps)
        return found is not None and found <= float_log(delta)

    none = f"no noise multiplier up to {written(most * resolution)} meets it"
    if _far("arb", q, resolution, k, eps, delta):
        raise InputError("resolution", spell(resolution), _ENOUGH)
    j = _first(fits, _guess(guessed, most), most, "sigma", resolution, none)
    if j == 1:
        raise InputError("resolution", spell(resolution), _ENOUGH)
    _agree(lambda engine: (fits(j, engine), fits(j - 1, engine)))
    return Calibration(_RULE, _STATEMENT, "sigma", j * resolution, (j - 1) * resolution, _PREMISES)


def _most_steps(eps: Fraction, delta: Fraction, q: Fraction, sigma: Fraction) -> Calibration:
    def exceeds(k: int, engine: decide.EngineName) -> bool | None:
        found = _within(engine, q, sigma, k, eps, delta)
        return None if found is None else not found

    def guessed(k: int) -> bool:
        found = estimated_log_delta(q, sigma, k, eps)
        return found is not None and found > float_log(delta)

    none = f"all numbers of steps up to {MOST_STEPS} are within it"
    if _far("arb", q, sigma, MOST_STEPS, eps, delta):
        raise InputError("budget", f"({written(eps)}, {written(delta)})", f"{none}; give a smaller one")
    k = _first(exceeds, _guess(guessed, MOST_STEPS), MOST_STEPS, "steps", Fraction(1), none)
    if k == 1:
        raise InputError("budget", f"({written(eps)}, {written(delta)})", "not even one step is within it")
    _agree(lambda engine: (exceeds(k, engine), exceeds(k - 1, engine)))
    return Calibration(_RULE, _STATEMENT, "steps", Fraction(k - 1), Fraction(k), _PREMISES)


def _within(
    engine: decide.EngineName, q: Fraction, sigma: Fraction, k: int, eps: Fraction, delta: Fraction
) -> bool | None:
    ar = decide.engine(engine, 128)
    with ar.active():
        return within(ar, q, sigma, k, eps, delta)


def _far(engine: decide.EngineName, q: Fraction, sigma: Fraction, k: int, eps: Fraction, delta: Fraction) -> bool:
    ar = decide.engine(engine, 128)
    with ar.active():
        return far_within(ar, q, sigma, k, eps, delta)


def _guess(holds: Callable[[int], bool], most: int) -> int:
    """About the least value from which on it holds, by floats."""
    low, high = 0, 1
    while high < most and not holds(high):
        low, high = high, high * 2
    high = min(high, most)
    while high - low > 1 and high - low > high >> 20:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _first(
    holds: Callable[[int, decide.EngineName], bool | None], near: int, most: int, name: str, unit: Fraction, none: str
) -> int:
    """The least value from 1 on at which it holds, certified there and just below."""
    tries = 0

    def certain(j: int) -> bool:
        nonlocal tries
        tries += 1
        found = holds(j, "arb") if tries <= _MOST_TRIES else None
        if found is None:
            raise UndecidedError(
                f"whether {name} = {written(j * unit)} is within the budget is out of the contour's reach"
                + ("; give a coarser --resolution" if unit != 1 else "")
            )
        return found

    gap = 1
    if certain(near):
        high = near
        while high > 1:
            low = max(high - gap, 1)
            if not certain(low):
                break
            high, gap = low, gap * 2
        else:
            return 1
    else:
        low = near
        while True:
            if low >= most:
                raise InputError("budget", name, none)
            high = min(low + gap, most)
            if certain(high):
                break
            low, gap = high, gap * 2
    return roots.first(certain, low, high)


def _agree(decisions: Callable[[decide.EngineName], tuple[bool | None, bool | None]]) -> None:
    """The second engine says the same where it reaches."""
    second = decisions("mpmath")
    if second[0] is False or second[1] is True:
        raise EnginesDisagree(f"{_STATEMENT}: the engines decide the calibrated value differently")
