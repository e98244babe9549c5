"""Tuning values are tight at their target, and their certificates enclose the optimum."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from privref.adaptive import odometers
from privref.exact.errors import InputError
from tests.oracles import around, meets

TARGETS = st.fractions(Fraction(1, 1000), 10, max_denominator=1000)
PRIMES = st.sampled_from([Fraction(1, 10), Fraction(1, 10**6), Fraction(9, 10)])


def mixture(V: Fraction, gamma: mpf, delta: Fraction) -> mpf:  # noqa: N803
    v, d = mpf(V.numerator) / V.denominator, mpf(delta.numerator) / delta.denominator
    return mpmath.sqrt(2 * (gamma + v) * mpmath.log(mpmath.sqrt((v + gamma) / gamma) / d)) + v / 2


@settings(max_examples=15)
@given(target=TARGETS, delta=PRIMES)
def test_no_gamma_reads_less_than_the_tuned_one(target: Fraction, delta: Fraction) -> None:
    tuned = odometers.tune_gamma(target, delta)
    gamma = mpf(tuned.value.numerator) / tuned.value.denominator
    assert tuned.excess < Fraction(1, 10**15)
    # Roundings at 15 digits or more, and what the tuned one is in excess of the best.
    off = Fraction(1, 10**12)
    for factor in (mpf("0.2"), mpf("0.9"), mpf("0.999"), mpf("1.001"), mpf("1.1"), mpf(5)):
        assert around(mixture(target, gamma * factor, delta), absolute=off).upper > tuned.best.lower
    assert meets(tuned.best, around(mixture(target, gamma, delta), absolute=off))


def test_the_target_time_is_where_the_filter_would_halt() -> None:
    time = odometers.target_time(Fraction(1), Fraction(1, 10**6))
    assert time == Fraction("0.0349378095382")
    with pytest.raises(InputError, match="eps"):
        odometers.target_time(Fraction(0), Fraction(1, 10))
    with pytest.raises(InputError, match="target"):
        odometers.tune_gamma(Fraction(0), Fraction(1, 10))
    with pytest.raises(InputError, match="delta_prime"):
        odometers.tune_gamma(Fraction(1), Fraction(1))
