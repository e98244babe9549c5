"""The benchmark's own judgement, on a small ledger."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from privref.exact.enclosure import Enclosure
from privref.report import bench
from privref.statements.registry import evaluate
from privref.vectors.peers import timing

SMALL = timing.TimedQuestion("small", timing.random_rounds(12), "1e-3", ("1e-2", "1e-4"))


def test_our_rows_are_as_narrow_as_asked_and_true() -> None:
    rows = list(timing.run([SMALL], peers=False))
    assert [row.tool for row in rows] == ["privref to 1e-2", "privref to 1e-4"]
    inputs = {"eps": list(SMALL.rounds), "delta": ["0"] * 12, "delta_g": "1e-3"}
    exact = evaluate("mv2016/optimal.eps", inputs, digits=12).enclosure
    assert exact is not None
    for row, width in zip(rows, (1e-2, 1e-4), strict=True):
        assert row.lower is not None
        assert row.upper is not None
        assert row.lower <= float(exact.lower)
        assert row.upper >= float(exact.upper)
        assert row.relative_width is not None
        assert row.relative_width <= width


def test_the_printed_ends_of_our_rows_are_rounded_outward() -> None:
    """Eight digits to nearest would be inside on one side or on both."""
    lower, upper = 1.0000000056, 1.0000000144
    (low, high) = bench._ends(timing.Timing("q", "privref to 1e-4", lower, upper, 0.1, 1e-8, timing.CERTIFIED))
    assert (low, high) == ("1.0000000", "1.0000001")
    assert Fraction(low) <= Fraction(lower)
    assert Fraction(high) >= Fraction(upper)
    rows = list(timing.run([SMALL], peers=False))
    for row in rows:
        assert row.lower is not None
        assert row.upper is not None
        low, high = bench._ends(row)
        assert Fraction(low) <= Fraction(row.lower) <= Fraction(row.upper) <= Fraction(high)
    columns = list(bench.table(rows).columns)
    assert [list(column.cells) for column in columns[2:4]] == [
        list(ends) for ends in zip(*map(bench._ends, rows), strict=True)
    ]
    assert bench._ends(timing.Timing("q", "a library", None, float("inf"), 0.1)) == ("-", "inf")


@pytest.mark.parametrize(
    ("lower", "upper", "verdict"),
    [
        (None, 1.5, "within"),
        (None, 2.5, "above"),
        (0.5, 2.5, "above"),
        (None, 0.5, "below the truth by 5.0e-01"),
        (2.25, 2.5, "its lower end is above the truth"),
        (None, float("inf"), "gives inf"),
        (None, float("nan"), "gives nan"),
    ],
)
def test_an_answer_below_the_truth_is_called_that(lower: float | None, upper: float, verdict: str) -> None:
    assert timing._judged(lower, upper, Enclosure(Fraction(1), Fraction(2)))[1] == verdict


def test_a_library_that_fails_is_a_row_and_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(eps: object, delta: float, setting: float) -> timing.Ends:
        raise OverflowError("too much")

    peers = (
        timing.TimedLibrary("broken", "json", (0.0,), broken),
        timing.TimedLibrary("absent", "no_such_lib", (0.0,), broken),
        timing.TimedLibrary("not asked", "json", (0.0,), broken, most_distinct=11),
    )
    monkeypatch.setattr(timing, "LIBRARIES", peers)
    rows = list(timing.run([SMALL]))
    assert [(row.tool, row.verdict) for row in rows[2:]] == [("broken", "OverflowError")]
    assert timing.missing_peers() == ["no_such_lib"]
    assert bench.table(rows).row_count == 3


def test_the_plot_has_a_line_for_each_tool(tmp_path: Path) -> None:
    rows = [
        timing.Timing("q", "privref to 1e-4", 1.0, 1.1, 0.5, 1e-4, "certified"),
        timing.Timing("q", "privref to 1e-6", 1.0, 1.1, 2.0, 1e-6, "certified"),
        timing.Timing("q", "peer at 0.1", None, 1.1, 2.0, 1e-2, "above"),
    ]
    bench.plot(rows, "q", tmp_path / "widths.svg")
    text = (tmp_path / "widths.svg").read_text()
    assert text.count("legend") >= 1
    assert "<svg" in text
