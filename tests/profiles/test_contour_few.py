"""Contours of M^k - A^k, for few jumps: against quadrature over the first of two rounds, and changed lines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from privref import evaluate
from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.profiles import contour_few, contour_plan
from privref.profiles.contour import Contour
from privref.profiles.model import SubsampledGaussian
from privref.profiles.subsampled import delta_in_one_orientation
from tests.slow import shared

CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 40


def real(value: Fraction) -> mpmath.mpf:
    return CONTEXT.mpf(value.numerator) / value.denominator


def one_round(q: mpmath.mpf, s: mpmath.mpf, eps: mpmath.mpf) -> mpmath.mpf:
    """delta of one removal at any real epsilon: (1 - q) Q + q P - e^eps Q on y above where it is zero."""
    ratio = (CONTEXT.exp(eps) - (1 - q)) / q
    if ratio <= 0:
        return 1 - CONTEXT.exp(eps)
    y = s * CONTEXT.log(ratio) + 1 / (2 * s)
    return (1 - q - CONTEXT.exp(eps)) * CONTEXT.ncdf(-y) + q * CONTEXT.ncdf(1 / s - y)


@shared
def two_rounds(q: Fraction, sigma: Fraction, eps: Fraction) -> mpmath.mpf:
    a, s, at = real(q), real(sigma), real(eps)

    def integrand(y: mpmath.mpf) -> mpmath.mpf:
        ratio = 1 - a + a * CONTEXT.exp(y / s - 1 / (2 * s * s))
        density = CONTEXT.npdf(y) * ratio
        return density * one_round(a, s, at - CONTEXT.log(ratio))

    return CONTEXT.quad(integrand, [CONTEXT.mpf(n) / 2 for n in range(-28, 45)])


@pytest.mark.parametrize(
    ("q", "sigma", "eps"),
    [("1/400", "7/5", "1"), ("1/100", "3/5", "6"), ("1/1000", "3", "1/100")],
)
def test_two_rounds_are_a_quadrature(q: str, sigma: str, eps: str) -> None:
    pair = SubsampledGaussian(Fraction(q), Fraction(sigma))
    truth = two_rounds(Fraction(q), Fraction(sigma), Fraction(eps))
    line = contour_few.plan_few(pair, 2, float(Fraction(eps)), float(CONTEXT.log(truth)), 1e-6)
    assert line.split is not None
    found = Contour(decide.engine("arb", 128), pair, 2, line).delta(Fraction(eps))
    assert real(found.lower) <= truth <= real(found.upper)
    assert found.relative_width_at_most(Fraction(1, 10**5))


def test_a_changed_line_is_not_a_narrower_claim() -> None:
    """What the split's bounds rest on may be anything: the enclosure widens and keeps the value."""
    pair, k, eps = SubsampledGaussian(Fraction(1, 400), Fraction(7, 5)), 2, Fraction(1)
    truth = two_rounds(pair.rate, pair.sigma, eps)
    line = contour_few.plan_few(pair, k, 1.0, float(CONTEXT.log(truth)), 1e-6)
    split, cut = line.split, line.cut
    assert split is not None
    assert cut is not None
    ar = decide.engine("arb", 128)
    planned = Contour(ar, pair, k, line).delta(eps)
    for change in (
        {"nodes": 20},
        {"period": line.period / 3},
        {"split": replace(split, third=split.third / 8)},
        {"split": replace(split, top=contour_plan.Cut(split.top.place - 1, split.top.width))},
        {"split": replace(split, third_law=replace(split.third_law, step=split.third_law.step * 8))},
        {"cut": contour_plan.Cut(cut.place + 1, cut.width)},
    ):
        found = Contour(ar, pair, k, replace(line, **change)).delta(eps)  # type: ignore[arg-type]
        assert real(found.lower) <= truth <= real(found.upper), change
        assert found.width > planned.width, change
    with pytest.raises(UndecidedError, match="removal"):
        Contour(ar, replace(pair, orientation="addition"), k, line)


@pytest.mark.parametrize(
    ("q", "sigma", "k", "delta"),
    [
        pytest.param("1.13e-5", "0.65", 562, "1.66e-22", marks=pytest.mark.exhaustive),
        ("2.11e-5", "2.35", 8546396, "9.91e-11"),
    ],
)
def test_few_jumps_are_within_reach(q: str, sigma: str, k: int, delta: str) -> None:
    """And epsilon and delta are each other's inverse there."""
    inputs = {"q": q, "sigma": sigma, "k": k}
    found = evaluate("zdw2022/poisson_gaussian.eps", {**inputs, "delta": delta}).enclosure
    assert found is not None
    assert found.relative_width_at_most(Fraction(1, 10**5))
    back = evaluate("zdw2022/poisson_gaussian.delta", {**inputs, "eps": found.upper}).enclosure
    assert back is not None
    assert back.lower <= Fraction(delta)
    assert back.relative_width_at_most(Fraction(1, 1000))


def test_a_search_goes_on_where_a_step_goes_too_far() -> None:
    """Ten jumps are many enough for M^k and few enough for the abscissa to be far from the slope."""
    inputs = {"q": "0.000282", "sigma": "0.767", "k": 36020, "delta": "1.31e-6"}
    found = evaluate("zdw2022/poisson_gaussian.eps", inputs).enclosure
    assert found is not None
    assert found.relative_width_at_most(Fraction(1, 10**6))
    assert found.lower <= Fraction("0.4898711") <= found.upper


@pytest.mark.parametrize(("sigma", "k"), [("1/20", 10**6), ("1/5", 10**9)])
def test_where_the_estimated_delta_is_above_one_nothing_is_planned(sigma: str, k: int) -> None:
    """There the third abscissa would be 0, whose logarithm no plan has."""
    pair = SubsampledGaussian(Fraction(1, 100), Fraction(sigma), "removal")
    with pytest.raises(contour_plan.OutOfReachError):
        contour_few.plan_few(pair, k, 1.0, None, 1e-8)
    with pytest.raises(contour_plan.OutOfReachError):
        contour_few._third(pair, k, contour_plan.Cut(Fraction(1), Fraction(1)), 1.0, 0.0)


@pytest.mark.parametrize("error", [ValueError, OverflowError, ZeroDivisionError])
def test_whatever_floats_cannot_plan_is_out_of_reach(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> float:
        raise error

    monkeypatch.setattr(contour_plan, "log_kappa", fails)
    monkeypatch.setattr(contour_few, "log_kappa", fails)
    with pytest.raises(UndecidedError, match="no contour or grid within the work allowed"):
        delta_in_one_orientation(
            decide.engine("arb", 128), SubsampledGaussian(Fraction(1, 10), Fraction(2), "removal"), 99, Fraction(1)
        )
