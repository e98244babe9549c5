"""Certified roots: the bracket has the right signs and is as tight as asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar


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


@pytest.mark.parametrize("engine", tuple(decide.ENGINES))
@given(st.one_of(st.none(), st.floats(-10, 10), st.sampled_from([2.995732273553991, 2.9957322736, 2.9, 1e300])))
def test_what_floats_say_of_a_root_is_never_believed(engine: str, near: float | None) -> None:
    ar = decide.engine(engine, 128)  # type: ignore[arg-type]
    low, high = roots.root_above(lambda inner, x: inner.exp(x) - 20, Fraction(1), ar, near)
    assert high - low < Fraction(1, 2**118)
    assert (
        decide.sign(lambda inner: inner.exp(low) - 20, ar) <= 0 <= decide.sign(lambda inner: inner.exp(high) - 20, ar)
    )


class Blurred:
    """A linear function whose enclosures are as wide as ``radius``: near its root no precision decides the sign."""

    def __init__(self, root: Fraction, radius: Fraction) -> None:
        self.root, self.radius = root, radius

    def __call__(self, ar: Any, x: Fraction) -> Any:
        return ar.hull(x - self.root - self.radius, x - self.root + self.radius)

    def is_bracketed(self, low: Fraction, high: Fraction) -> bool:
        """Whether both signs are certain on the blurred function."""
        return low - self.root + self.radius <= 0 <= high - self.root - self.radius


@pytest.mark.parametrize("engine", tuple(decide.ENGINES))
@given(st.fractions(min_value=-3, max_value=3, max_denominator=1000), st.integers(5, 60))
def test_around_an_open_sign_both_ends_stay_certain(engine: str, root: Fraction, bits: int) -> None:
    """The bracket widens to where the signs are certain, and not much further."""
    function = Blurred(root, Fraction(1, 2**bits))
    low, high = roots.root(function, Fraction(-5), Fraction(5), decide.engine(engine, 96))  # type: ignore[arg-type]
    assert function.is_bracketed(low, high)
    assert high - low <= 16 * function.radius


@given(
    st.fractions(min_value=-50, max_value=50, max_denominator=10**6).filter(bool),
    st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=100),
    st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000),
)
def test_brackets_hold_wherever_the_root_lies(root: Fraction, left: Fraction, right: Fraction) -> None:
    """Roots of both signs, found from any distance on either side, by few evaluations. (Widths are relative: not 0.)"""
    seen: list[Fraction] = []

    def function(ar: Any, x: Fraction) -> Any:
        seen.append(x)
        return (x - root) * (1 + (x - root) ** 2)

    low, high = roots.root(function, root - left, root + right, decide.engine("arb", 100))
    assert low <= root <= high
    assert high - low <= max(abs(low), abs(high)) / 2**90
    assert root - left <= min(seen)
    assert max(seen) <= root + right
    assert len(seen) < 250


def test_an_end_that_is_the_root_is_kept() -> None:
    """f(low) = 0 is a bracket: so is f(high) = 0."""
    ar = decide.engine("arb", 80)
    for low, high in ((Fraction(2), Fraction(7)), (Fraction(-3), Fraction(2))):
        found = roots.root(lambda inner, x: inner.exp(x - 2) - 1, low, high, ar)
        assert found[0] <= 2 <= found[1]
        assert found[1] - found[0] < Fraction(1, 2**60)


@pytest.mark.parametrize("engine", tuple(decide.ENGINES))
def test_a_smooth_function_takes_a_few_secant_steps(engine: decide.EngineName) -> None:
    """The ends move in turn next to a simple root; each step adds digits, and not a single bit."""
    asked: list[Fraction] = []

    def excess(ar: Arithmetic, alpha: Fraction) -> Scalar:
        asked.append(alpha)
        return (alpha - 1) ** 2 / 50 + ar.log(alpha) - 14

    low, high = roots.root(excess, Fraction(1), Fraction(33), decide.engine(engine, 256))
    assert high - low <= high / 2**250
    assert len(asked) <= 30
