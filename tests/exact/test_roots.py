"""Certified roots: the bracket has the right signs and is as tight as asked."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact import decide, roots


@pytest.mark.parametrize("engine", tuple(decide.ENGINES))
@given(st.fractions(min_value=2, max_value=10**6, max_denominator=1000))
def test_square_roots_are_bracketed(engine: str, square: Fraction) -> None:
    ar = decide.engine(engine, 128)  # type: ignore[arg-type]
    low, high = roots.root(lambda inner, x: x * x - square, Fraction(0), square, ar)
    assert low * low <= square <= high * high
    assert high - low <= high / 2**120


@pytest.mark.parametrize("engine", tuple(decide.ENGINES))
def test_a_transcendental_root_is_bracketed_tightly(engine: str) -> None:
    ar = decide.engine(engine, 200)  # type: ignore[arg-type]
    low, high = roots.root(lambda inner, x: inner.exp(x) - 5, Fraction(0), Fraction(3), ar)
    assert high - low < Fraction(1, 2**180)
    assert decide.sign(lambda inner: inner.exp(low) - 5, ar) <= 0 <= decide.sign(lambda inner: inner.exp(high) - 5, ar)


def test_the_upper_end_is_found_by_doubling() -> None:
    ar = decide.engine("arb")
    high = roots.bracket_above(lambda inner, x: x - 1000, Fraction(1), ar)
    assert 1000 < high < 2100
