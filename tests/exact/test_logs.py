"""Forms c + sum of c_i log(p_i): equal exactly when their values are, spelt so that they are read back."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact import decide
from privref.exact.errors import InputError
from privref.exact.logs import LogForm, _factors, log_form, total

rationals = st.fractions(min_value=-20, max_value=20, max_denominator=30)
positive = st.fractions(min_value=Fraction(1, 5000), max_value=5000, max_denominator=5000)
forms = st.builds(
    lambda constant, terms: total([LogForm.of(constant), *(LogForm.log(x).scaled(c) for x, c in terms)]),
    rationals | st.just(Fraction(0)),
    st.lists(st.tuples(positive, rationals), max_size=3),
)


def value(form: LogForm) -> mpmath.mpf:
    """The number, to 60 digits."""
    with mpmath.workdps(60):
        terms = [mpmath.mpf(c.numerator) / c.denominator * mpmath.log(p) for p, c in form.logs]
        return mpmath.fsum([mpmath.mpf(form.constant.numerator) / form.constant.denominator, *terms])


@given(st.integers(1, 10**7))
def test_factors_are_primes_whose_powers_multiply_to_the_number(number: int) -> None:
    found = _factors(number)
    assert prod(p**power for p, power in found) == number
    assert all(p > 1 and all(p % d for d in range(2, int(p**0.5) + 1)) for p, _ in found)
    assert [p for p, _ in found] == sorted({p for p, _ in found})


def test_large_prime_factors_are_refused_and_the_largest_square_is_found() -> None:
    """Trial division ends below a million: what is left must be 1 or a prime for certain."""
    assert _factors(999_983**2) == ((999_983, 2),)
    assert _factors(2**40) == ((2, 40),)
    assert _factors(3 * 1_000_003) == ((3, 1), (1_000_003, 1))
    with pytest.raises(InputError, match="prime factors are too large"):
        _factors(1_000_003 * 1_000_033)


@given(forms)
def test_what_is_spelt_is_read_back(form: LogForm) -> None:
    assert log_form(form.spell()) == form


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (LogForm(), "0"),
        (LogForm.of(Fraction(-3, 2)), "-3/2"),
        (LogForm.log(Fraction(9, 4)), "log(9/4)"),
        (LogForm.log(Fraction(1, 3)), "log(1/3)"),
        (LogForm.log(Fraction(2)).scaled(Fraction(1, 3)), "1/3*log(2)"),
        (LogForm.log(Fraction(6)).scaled(Fraction(1, 3)), "1/3*log(6)"),
        (LogForm.log(Fraction(6)) + LogForm.of(1), "1+1*log(2)+1*log(3)"),
    ],
)
def test_spellings(form: LogForm, text: str) -> None:
    """A whole power is one logarithm, a common denominator comes before it, a constant stands first."""
    assert form.spell() == text


@given(forms, forms)
def test_sums_and_signs_are_those_of_the_values(a: LogForm, b: LogForm) -> None:
    with mpmath.workdps(60):
        for form, number in ((a + b, value(a) + value(b)), (a - b, value(a) - value(b)), (-a, -value(a))):
            assert abs(value(form) - number) < mpmath.mpf(10) ** -50
            assert form.sign() == (0 if abs(number) < mpmath.mpf(10) ** -40 else int(mpmath.sign(number)))
    assert (a - a).is_zero
    assert (a - a).sign() == 0


@given(st.lists(forms, max_size=4))
def test_a_total_has_every_term(terms: list[LogForm]) -> None:
    with mpmath.workdps(60):
        assert abs(value(total(terms)) - mpmath.fsum(map(value, terms))) < mpmath.mpf(10) ** -50


@given(positive)
def test_exponentials_of_logarithms_are_the_rationals(x: Fraction) -> None:
    assert LogForm.log(x).rational_exp() == x
    assert LogForm.log(x).rational == (0 if x == 1 else None)
    assert LogForm.log(x).exp(decide.engine("arb")) == x


def test_powers_too_long_to_write_are_none() -> None:
    """2 has two bits: a hundred thousand of them are the most."""
    assert LogForm.log(Fraction(2)).scaled(Fraction(100_000)).rational_exp() == 2**100_000
    assert LogForm.log(Fraction(2)).scaled(Fraction(100_001)).rational_exp() is None
    assert LogForm.log(Fraction(2)).scaled(Fraction(1, 2)).rational_exp() is None
    assert LogForm.of(1).rational_exp() is None


@pytest.mark.parametrize("text", ["log(0)", "log(-1)", "2*log(0)", "log()", "log(2)*2", "x+log(2)"])
def test_what_is_no_form_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        log_form(text)
    with pytest.raises(InputError, match="positive"):
        LogForm.log(Fraction(0))
