"""Complex pairs over the exact rationals: a field, and powers by repeated multiplication."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from privref.exact.complex_pairs import ComplexPair, over, plus, power, product, scaled

fractions = st.fractions(-9, 9, max_denominator=12)
pairs = st.tuples(fractions, fractions)


@given(pairs, pairs, pairs)
def test_products_distribute_and_quotients_undo_them(a: ComplexPair, b: ComplexPair, c: ComplexPair) -> None:
    assert product(a, plus(b, c)) == plus(product(a, b), product(a, c))
    assert product((Fraction(0), Fraction(1)), a) == (-a[1], a[0])
    assert scaled(Fraction(2), a) == plus(a, a)
    if b != (0, 0):
        assert over(product(a, b), b) == a


@given(pairs, st.integers(1, 9))
def test_powers_are_repeated_products(a: ComplexPair, exponent: int) -> None:
    assert power(a, exponent) == reduce(product, [a] * exponent)
