"""Bounded ranges: the kernel's recursion and its boxes are never below what the reference shows to be lost."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.exact.enclosure import Enclosure
from privref.kernel import ranges
from privref.kernel.balls import at_most, working
from privref.kernel.numbers import Refused
from privref.kernel.ranges import from_the_top, halves, in_box

DELTA = Fraction(1, 10**4)


def spend(bits: int) -> None:
    """These tests spend what they like."""


on_the_way = partial(ranges.on_the_way, spend=spend)
in_advance = partial(ranges.in_advance, spend=spend)
TWO: list[tuple[Fraction, int]] = [(Fraction(1, 4), 5), (Fraction(1, 2), 3)]


def value(statement: str, **inputs: Any) -> Enclosure:
    found = privref.evaluate(statement, inputs).enclosure
    assert found is not None
    return found


@pytest.mark.parametrize("cells", [1, 2, 5, 16, 64])
@pytest.mark.parametrize("times", [2, 3, 12])
def test_the_recursion_is_above_what_is_certainly_lost(times: int, cells: int) -> None:
    """On any grid; and near it on a fine one."""
    width = Fraction(1, 2)
    exact = value("dong2020/adaptive.eps", eps=[str(width)] * times, delta_g=str(DELTA))
    step = width / cells
    assert not on_the_way([width] * times, exact.lower * Fraction(9999, 10000), DELTA, step, 96)
    if cells == 64:
        assert on_the_way([width] * times, exact.upper * Fraction(101, 100), DELTA, step, 96)


@given(
    widths=st.lists(st.fractions(Fraction(1, 20), 1, max_denominator=20), min_size=1, max_size=4),
    target=st.fractions(0, 3, max_denominator=30),
    step=st.fractions(Fraction(1, 60), Fraction(1, 2), max_denominator=60),
)
def test_no_grid_shows_less_than_is_lost(widths: list[Fraction], target: Fraction, step: Fraction) -> None:
    """Ranges that are no multiples of the step, in any order; and the closed form near the sum of all."""
    widths = sorted(widths, reverse=True)
    if target >= sum(widths):
        assert on_the_way(widths, target, Fraction(0), step, 64)
        return
    lost = value("dong2020/adaptive.delta", eps=[str(width) for width in widths], eps_g=str(target)).lower
    assert not on_the_way(widths, target, lost * Fraction(999, 1000), step, 128)
    counted = [(width, 1) for width in widths]
    with working(256):
        if target >= sum(widths) - min(widths):
            assert not from_the_top(counted, target, lost * Fraction(999, 1000))
            assert from_the_top(counted, target, lost * Fraction(1001, 1000))
        else:
            with pytest.raises(Refused, match="further"):
                from_the_top(counted, target, Fraction(1))


def cover(epsilon: Fraction, delta: Fraction) -> list[int]:
    """Halve each box until what is lost in it is at most delta."""
    splits: list[int] = []
    waiting: list[Any] = [tuple((Fraction(0), width) for width, _ in TWO)]
    while waiting and len(splits) < 3000:
        box = waiting.pop()
        if at_most(in_box(TWO, box, epsilon), delta):
            splits.append(-1)
            continue
        cut = max(range(2), key=lambda kind: TWO[kind][1] * (box[kind][1] - box[kind][0]))
        splits.append(cut)
        waiting += reversed([*halves(box, cut)])
    return splits


def test_a_cover_shows_what_the_search_shows_and_no_less() -> None:
    exact = value("dong2020/advance.eps", eps=[str(width) for width, n in TWO for _ in range(n)], delta_g=str(DELTA))
    epsilon = exact.upper * Fraction(101, 100)
    with working(128):
        splits = cover(epsilon, DELTA)
        assert in_advance(TWO, epsilon, DELTA, splits, 128)
        below = exact.lower * Fraction(999, 1000)
        assert not in_advance(TWO, below, DELTA, splits, 128)
        # No cover at all shows it: the boxes that hold the worst intervals never close.
        assert len(cover(below, DELTA)) >= 3000


@pytest.mark.parametrize("change", ["a box less", "a box more", "a kind that is none", "one box"])
def test_a_cover_leaves_no_interval_out(change: str) -> None:
    exact = value("dong2020/advance.eps", eps=[str(width) for width, n in TWO for _ in range(n)], delta_g=str(DELTA))
    epsilon = exact.upper * Fraction(101, 100)
    with working(128):
        splits = cover(epsilon, DELTA)
        altered = {
            "a box less": splits[:-1], "a box more": [*splits, -1], "a kind that is none": [2, *splits[1:]],
            "one box": [-1],
        }[change]  # fmt: skip
        if change == "one box":
            assert not in_advance(TWO, epsilon, DELTA, altered, 128)
            return
        with pytest.raises(Refused, match="cover"):
            in_advance(TWO, epsilon, DELTA, altered, 128)


def test_a_recursion_of_too_much_work_is_refused() -> None:
    with pytest.raises(Refused, match="work"):
        on_the_way([Fraction(1)] * 200, Fraction(1), DELTA, Fraction(1, 1000), 64)
    with pytest.raises(Refused, match="precision"):
        on_the_way([Fraction(1)], Fraction(1, 2), DELTA, Fraction(1, 10), 16000)
