"""DP-SGD the other way round: the least noise multiplier, or the most steps, whose epsilon is within a budget.

Floats guess where the answer is; it is certified by contours at the answer and at its neighbour. More noise is a
post-processing of less, and fewer steps of more, so that all beyond the two is decided as well.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from privref.exact import decide
from privref.exact.errors import EnginesDisagree, InputError, UndecidedError
from privref.exact.numbers import count, float_log, pair, rational, spell, written
from privref.exact.work import metered
from privref.profiles.subsampled import estimated_log_delta, far_within, within
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import POSITIVE, POSITIVE_PROBABILITY, one

from .calibrate import Calibration

_RULE = "zdw2022/poisson_gaussian"
_STATEMENT = "zdw2022/poisson_gaussian.delta"
#: How a run sampled is no detail: batches of a shuffle can lose more at the same rate.
_PREMISES = (Hypothesis.POISSON_SAMPLING.value,)
_ENOUGH = "even this noise multiplier is enough; give a finer one"
#: The most noise, and the most steps, that are tried.
MOST_SIGMA = Fraction(10**6)
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
    if resolution <= 0:
        raise InputError("resolution", spell(resolution), "give a number > 0")
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
        raise InputError("budget", "steps", none)
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
                f"whether {name} = {spell(j * unit)} is within the budget is out of the contour's reach"
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
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if certain(middle) else (middle, high)
    return high


def _agree(decisions: Callable[[decide.EngineName], tuple[bool | None, bool | None]]) -> None:
    """The second engine says the same where it reaches."""
    second = decisions("mpmath")
    if second[0] is False or second[1] is True:
        raise EnginesDisagree(f"{_STATEMENT}: the engines decide the calibrated value differently")
