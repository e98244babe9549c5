"""Integer polynomials against plain Python."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from privref.exact.integer_poly import IntegerPolynomial

coefficients = st.lists(st.integers(-(10**40), 10**40), max_size=12)
masses = st.lists(st.integers(0, 10**40), min_size=1, max_size=12)


def stripped(values: list[int]) -> list[int]:
    while values and not values[-1]:
        values = values[:-1]
    return values


@given(coefficients, coefficients)
def test_the_product_is_the_schoolbook_one(a: list[int], b: list[int]) -> None:
    expected = [0] * (len(a) + len(b))
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            expected[i + j] += x * y
    assert (IntegerPolynomial(a) * IntegerPolynomial(b)).coefficients() == stripped(expected)


@given(masses, st.integers(0, 150))
def test_shifting_rounds_every_coefficient_down(a: list[int], bits: int) -> None:
    shifted = IntegerPolynomial(a).shifted_down(bits).coefficients()
    for n, value in enumerate(a):
        got = shifted[n] if n < len(shifted) else 0
        assert got * 2**bits <= value < (got + 1) * 2**bits


@given(coefficients, st.integers(-3, 15), st.integers(-3, 15))
def test_a_part_is_a_slice(a: list[int], start: int, stop: int) -> None:
    part = IntegerPolynomial(a).part(start, stop)
    full = stripped(a)
    assert part.coefficients() == stripped(full[max(start, 0) : max(stop, 0)])
    assert len(part) == len(part.coefficients())
    assert part.sum() == sum(part.coefficients())
    assert [part[n] for n in range(3)] == [*part.coefficients(), 0, 0, 0][:3]


@given(masses, st.fractions(0, 3), st.fractions(0, 1))
def test_the_value_is_enclosed_over_the_whole_range(a: list[int], low: Fraction, extent: Fraction) -> None:
    bounds = IntegerPolynomial(a).value_between(low, low + extent, 80)
    for x in (low, low + extent / 3, low + extent):
        exact = sum((value * x**n for n, value in enumerate(a)), Fraction(0))
        assert bounds[0] <= exact <= bounds[1]


def test_the_value_is_tight_at_a_point() -> None:
    coefficients, x = [10**30 + n for n in range(1000)], Fraction(9, 10)
    low, high = IntegerPolynomial(coefficients).value_between(x, x, 80)
    assert 0 < high - low < high / 2**75
    assert low <= sum(value * x**n for n, value in enumerate(coefficients)) <= high
