"""Columns are the multisets that they stand for, and their sums are those of the formulas, by two ways."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.composition.basic import advanced_heterogeneous_eps
from privref.exact import columns, decide
from privref.exact.columns import Column, x_tanh_half_between, x_tanh_half_coefficients
from privref.exact.numbers import weighted_sum

NUMERATORS = st.lists(st.integers(0, 3000), max_size=12)


@st.composite
def multisets(draw: st.DrawFn) -> Column:
    """Columns with and without counts, of values on both sides of where the series is used, some beyond 64 bits."""
    numerators = draw(NUMERATORS)
    scale = draw(st.sampled_from([1, 10**18]))
    counts = draw(st.none() | st.lists(st.integers(1, 9), min_size=len(numerators), max_size=len(numerators)))
    return Column(columns.packed([n * scale for n in numerators]), 2000 * scale, counts)


def plain(values: Column) -> tuple[tuple[Fraction, int], ...]:
    return tuple(values)


@given(multisets(), st.integers(1, 4))
def test_sums_are_those_of_the_pairs(values: Column, pairs: int) -> None:
    assert values.moment(1) == weighted_sum(values) == weighted_sum(plain(values))
    assert values.moment(2) == weighted_sum(plain(values), power=2)
    assert values.even_moments(pairs) == [
        sum((x ** (2 * k) * times for x, times in values), Fraction(0)) for k in range(1, pairs + 1)
    ]
    assert values.size == sum(times for _, times in values)
    halves = {x * x / 2 for x, _ in values}
    assert {x for x, _ in values.half_squares()} == halves


@given(multisets(), st.fractions(0, 2, max_denominator=50))
def test_merging_and_splitting_keep_the_multiset(values: Column, bound: Fraction) -> None:
    def counted(*parts: Column) -> dict[Fraction, int]:
        found: dict[Fraction, int] = {}
        for part in parts:
            for x, times in part:
                found[x] = found.get(x, 0) + times
        return found

    merged = values.merged()
    assert counted(merged) == counted(values)
    assert len({x for x, _ in merged}) == len(merged)
    small, large = values.split(bound)
    assert counted(small, large) == counted(values)
    assert all(x <= bound for x, _ in small)
    assert all(x > bound for x, _ in large)
    assert plain(values[1:3]) == plain(values)[1:3]
    assert [values[i] for i in range(len(values))] == list(values)


def test_too_many_different_values_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MOST_MERGED", 3)
    monkeypatch.setattr(columns, "_BLOCK", 2)
    several, few = Column([1, 2, 3, 4, 4], 7), Column([1, 2, 3, 3, 1], 7)
    assert several.merged() is several
    assert dict(few.merged()) == {Fraction(1, 7): 2, Fraction(2, 7): 1, Fraction(3, 7): 2}


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def sums() -> list[Fraction]:
        return [*Column(range(50), 7, range(50)).even_moments(3), Column(range(50), 7).moment(1)]

    before = sums()
    monkeypatch.setattr(columns, "_BLOCK", 8)
    assert sums() == before


def test_the_coefficients_are_those_of_the_taylor_series() -> None:
    sympy = pytest.importorskip("sympy")
    x = sympy.symbols("x")
    series = sympy.series(x * sympy.tanh(x / 2), x, 0, 22).removeO()
    for j, coefficient in enumerate(x_tanh_half_coefficients(10), 1):
        assert Fraction(str(series.coeff(x, 2 * j))) == coefficient


@given(multisets(), st.sampled_from([64, 150]))
def test_both_engines_enclose_the_plain_sum(values: Column, precision: int) -> None:
    """Arb sums value by value, mpmath exact powers: each meets what both find for the pairs one by one."""
    for name in ("arb", "mpmath"):
        ar = decide.engine(name, precision)  # type: ignore[arg-type]
        with ar.active():
            ours, theirs = (
                ar.enclosure(advanced_heterogeneous_eps(ar, given, Fraction(1, 10)))
                for given in (values, plain(values))
            )
        assert ours is not None
        assert theirs is not None
        common = ours.intersection(theirs)
        assert common is not None
        assert ours.width <= Fraction(1 + len(values)) / 2 ** (precision - 20) * (1 + ours.upper)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8))
def test_successive_partial_sums_enclose_and_are_not_padded(numerators: list[int]) -> None:
    values = Column(numerators, 2000)
    found = x_tanh_half_between(values, 100)
    assert found is not None
    low, high = found
    ar = decide.engine("arb", 300)
    with ar.active():
        exact = ar.enclosure(ar.sum(x * ar.tanh(x / 2) for x, _ in values))
    assert exact is not None
    assert low <= exact.lower
    assert exact.upper <= high
    assert (high - low) * 2**100 <= values.moment(2) / 2


def test_values_for_which_the_series_does_not_converge_are_left() -> None:
    assert x_tanh_half_between(Column([7], 1), 64) is None
