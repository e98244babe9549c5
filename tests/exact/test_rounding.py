"""Directed export: the decimal and the double lie on the right side, and nothing closer does."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact.rounding import to_binary64, to_decimal

WIDE = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(2) ** e,
    st.integers(-(10**20), 10**20),
    st.integers(1, 10**20),
    st.integers(-1200, 1200),
)


@given(WIDE, st.integers(1, 40))
def test_decimals_enclose_within_one_unit_of_the_last_digit(value: Fraction, digits: int) -> None:
    down, up = (Fraction(to_decimal(value, digits, way)) for way in ("down", "up"))  # type: ignore[arg-type]
    assert down <= value <= up
    if value:
        exponent = math.floor(math.log10(abs(value.numerator))) - math.floor(math.log10(value.denominator))
        assert up - down <= Fraction(10) ** (exponent - digits + 3)
        if down == value:
            assert up == value


@given(WIDE)
def test_doubles_are_the_nearest_on_their_side(value: Fraction) -> None:
    down, up = to_binary64(value, "down"), to_binary64(value, "up")
    assert down == -math.inf or Fraction(down) <= value
    assert up == math.inf or Fraction(up) >= value
    if math.isfinite(down) and math.isfinite(up) and down != up:
        assert math.nextafter(down, math.inf) == up
    if down == up:
        assert Fraction(down) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_its_own_image(value: float) -> None:
    assert to_binary64(Fraction(value), "down") == value == to_binary64(Fraction(value), "up")


@pytest.mark.parametrize(
    ("value", "digits", "way", "text"),
    [
        (Fraction(0), 5, "up", "0"),
        (Fraction(1, 3), 3, "down", "3.33e-1"),
        (Fraction(1, 3), 3, "up", "3.34e-1"),
        (Fraction(-1, 3), 3, "up", "-3.33e-1"),
        (Fraction(-1, 3), 3, "down", "-3.34e-1"),
        (Fraction(99999), 3, "up", "1.00e5"),
        (Fraction(99999), 3, "down", "9.99e4"),
        (Fraction(1), 1, "up", "1e0"),
    ],
)
def test_decimals_as_written(value: Fraction, digits: int, way: str, text: str) -> None:
    assert to_decimal(value, digits, way) == text  # type: ignore[arg-type]


def test_overflow_goes_to_infinity_only_outward() -> None:
    huge = Fraction(10) ** 400
    assert to_binary64(huge, "up") == math.inf
    assert to_binary64(huge, "down") == float.fromhex("0x1.fffffffffffffp+1023")
    assert to_binary64(-huge, "down") == -math.inf


def test_the_least_positive_double_bounds_tiny_values() -> None:
    tiny = Fraction(1, 10**400)
    assert to_binary64(tiny, "up") == 5e-324
    assert to_binary64(tiny, "down") == 0.0
