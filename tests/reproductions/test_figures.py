"""The figures of Whitehouse 2023 and the readings chart: rigorous data, deterministic pictures, honest captions."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise

import pytest

from privref.adaptive.machines import Setup, build_all
from privref.adaptive.running import run_machines
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, UndecidedError
from privref.guarantees.model import GaussianDP, PureDP, Unknown
from privref.report.chart import check, draw
from privref.report.replay import readings_chart
from privref.reproductions.figures import FIGURES, Chart, Curve, chart, table
from privref.statements.registry import statement
from tests.oracles import around, meets


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_thinner_than_a_pixel_says_what_is_ours_and_cites_statements(name: str) -> None:
    drawn = chart(name)
    check(drawn)
    assert "Ours" in drawn.caption
    assert len(drawn.curves) >= 2
    for curve in drawn.curves:
        assert statement(curve.statement).standing != "printed"
        heights = [y for y in curve.y if y is not None]
        assert len(heights) > 300
        assert all(a.lower <= b.upper for a, b in pairwise(heights)), "a curve decreases"


def test_points_of_a_figure_are_the_values_of_its_formulas() -> None:
    found = chart("3b")
    gamma = float(found.caption.split("gamma = ")[1].split(",")[0])
    log = 6 * math.log(10)
    for at in (1, 300, 600):
        v = float(found.curves[0].x[at])
        mixture, pointwise = found.curves[1].y[at], found.curves[3].y[at]
        assert mixture is not None
        assert pointwise is not None
        expected = math.sqrt(2 * (gamma + v) * (log + math.log1p(v / gamma) / 2)) + v / 2
        # gamma is read off the caption, to the digits that stand there.
        assert meets(mixture, around(expected, absolute=Fraction(1, 10**5)))
        assert meets(pointwise, around(math.sqrt(2 * log * v) + v / 2, relative=Fraction(1, 10**13)))


def test_the_filter_odometer_touches_the_pointwise_curve_and_no_odometer_goes_below() -> None:
    found = chart("3b")
    pointwise = found.curves[3]
    for curve in found.curves[:3]:
        for above, below in zip(curve.y, pointwise.y, strict=True):
            assert below is not None
            assert above is None or above.upper >= below.lower
    gaps = [
        a.lower - b.upper
        for a, b in zip(found.curves[0].y, pointwise.y, strict=True)
        if a is not None and b is not None
    ]
    assert min(gaps) < Fraction(1, 10**4)


def test_the_mixture_of_one_side_is_below_that_of_two_everywhere() -> None:
    two, one, pointwise = chart("one-sided").curves
    for above, below, least in zip(two.y, one.y, pointwise.y, strict=True):
        assert above is not None
        assert below is not None
        assert least is not None
        assert least.upper < below.lower < below.upper < above.lower


@pytest.mark.parametrize("name", ["1a", "2c"])
def test_pictures_are_the_same_bytes_every_time(name: str) -> None:
    first = draw(chart(name))
    assert first == draw(chart(name))
    root = ET.fromstring(first)
    assert root.tag.endswith("svg")
    assert b"dc:date" not in first
    assert b"Ours" in first
    image = draw(chart(name), "png")
    assert image.startswith(b"\x89PNG")
    assert image == draw(chart(name), "png")


def test_unknown_figures_and_formats_are_refused() -> None:
    with pytest.raises(InputError, match="1a"):
        chart("4")
    with pytest.raises(InputError, match="svg"):
        draw(chart("2a"), "pdf")


def test_a_thick_enclosure_is_not_drawn() -> None:
    wide = (Enclosure(Fraction(0), Fraction(1, 100)), Enclosure(Fraction(1), Fraction(1)))
    thick = Chart("x", "x", "x", "y", (Curve("c", "s", (Fraction(0), Fraction(1)), wide),), "")
    with pytest.raises(UndecidedError, match="known only to"):
        draw(thick)


def test_the_readings_of_a_replay_are_drawn_over_round_or_time() -> None:
    machines, _ = build_all(Setup(Fraction(1), Fraction(1, 10**6)))
    rows = list(run_machines([PureDP(Fraction(1, 20))] * 30, machines))
    for axis in ("round", "time"):
        drawn = readings_chart(rows, machines, axis=axis, budget=Fraction(1))
        names = [curve.label for curve in drawn.curves]
        assert "gaussian-filter" not in names
        assert {"dp-filter", "mixture-odometer", "budget"} <= set(names)
        halted = {curve.label: curve.halted_at for curve in drawn.curves}
        assert halted["dp-filter"] is not None
        assert halted["basic-odometer"] is None
        assert draw(drawn) == draw(drawn)
    assert {row["curve"] for row in table(drawn)} == set(names)
    with pytest.raises(InputError, match="axis"):
        readings_chart(rows, machines, axis="epsilon")


def test_events_without_an_epsilon_have_no_place_on_the_time_axis() -> None:
    machines, _ = build_all(Setup(Fraction(1), Fraction(1, 10**6)))
    rows = list(run_machines([GaussianDP(Fraction(1, 20)), Unknown("survey")], machines))
    readings_chart(rows[:1], machines, axis="time")
    assert readings_chart(rows, machines, axis="round").curves
    assert draw(readings_chart([], machines, axis="round"))
