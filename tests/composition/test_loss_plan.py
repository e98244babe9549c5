"""The plan of a loss grid against a Gaussian's closed forms, and the bookkeeping of enclosures."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.composition.loss_convolution import LossPlan, Moments, narrowed, sharper
from privref.exact.enclosure import Enclosure


def gaussian(mu_squared: float, most: float = 1e9) -> LossPlan:
    def moments(tilt: float) -> Moments:
        return Moments(tilt * (tilt + 1) / 2 * mu_squared, (tilt + 0.5) * mu_squared, mu_squared)

    return LossPlan(moments, 1e-30, most, 1e-6)


@given(st.integers(1, 200), st.integers(0, 400))
def test_the_tilted_mean_of_a_gaussian_is_the_epsilon(quarters: int, more: int) -> None:
    """mu^2 (tilt + 1/2) = epsilon; below mu^2/2 there is nothing to tilt."""
    mu_squared, eps = quarters / 4, Fraction(more, 10)
    shape = gaussian(mu_squared).at_eps(eps)
    wanted = max(float(eps) / mu_squared - 0.5, 0.0)
    assert wanted <= shape.tilt <= wanted * (1 + 2e-6) + 1e-6
    assert (shape.eps, shape.deviation) == (float(eps), mu_squared**0.5)
    assert abs(shape.rounded_tilt - Fraction(shape.tilt)) <= Fraction(1, 128)


def test_a_smaller_delta_tilts_further_as_far_as_it_helps() -> None:
    tilts = [gaussian(1.0).at_delta(log_delta).tilt for log_delta in (-1.0, -10.0, -40.0, -200.0)]
    assert tilts == sorted(tilts)
    assert tilts[-1] > 10
    assert gaussian(1.0, most=8.0).at_delta(-1e6).tilt == 8.0


@pytest.mark.parametrize(("upper", "width"), [(Fraction(2), Fraction(1, 10)), (Fraction(0), Fraction(1, 10))])
def test_a_plan_that_missed_is_sharpened_and_never_loosened(upper: Fraction, width: Fraction) -> None:
    assert 0 < sharper(0.1, Enclosure(Fraction(0), upper), width) <= 0.05


def test_what_was_known_is_kept_where_nothing_better_was_found() -> None:
    known = Enclosure(Fraction(1), Fraction(3))
    assert narrowed(known, None, None) == known
    found = narrowed(known, Enclosure(Fraction(0), Fraction(5)), Enclosure(Fraction(1), Fraction(2)))
    assert (found.lower, found.upper) == (1, 2)
