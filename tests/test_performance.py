"""The page of measured times is what its generator makes of the recorded measurements, and its arithmetic is right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks import bench_table

PAGE = Path(__file__).parents[1] / "reference" / "docs" / "performance.md"


def line(row: str, side: str, seconds: float, answer: str = "") -> dict[str, str]:
    return {
        "row": row, "side": side, "run": "0", "seconds": str(seconds), "answer": answer, "commit": "c", "machine": "m",
    }  # fmt: skip


def test_the_page_is_made_of_the_measurements() -> None:
    assert PAGE.read_text(encoding="utf-8") == bench_table.page(bench_table.read())


def test_every_row_was_measured() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in (*bench_table.ROWS, *bench_table.GROWTH):
        assert f"| `{name}` |" in text


@pytest.mark.parametrize(("ours", "missed"), [(0.9, False), (1.1, True)])
def test_a_row_says_ratio_error_and_whether_its_goal_is_missed(ours: float, missed: bool) -> None:
    ends, answers = json.dumps([[1.0, 1.0001], [2.0, 2.0]]), json.dumps([1.0001, 1.9])
    lines = [line("equal", "ours", ours, ends), line("equal", "ours", 7, ends), line("equal", "theirs", 2, answers)]
    (found,) = (text for text in bench_table.page(lines).splitlines() if "| `equal` |" in text)
    assert "relative width at most 1e-04" in found
    assert f"| {ours}, {(ours + 7) / 2:.3g} |" in found
    assert f"| -5e-02 | {ours / 2:.2g} | 0.5 times{', missed' if missed else ''} |" in found


def test_the_exponent_is_that_of_a_power() -> None:
    """As the page prints it: to two places."""
    assert f"{bench_table.slope({n: 3 * n**1.5 for n in (10, 100, 1000)}):.2f}" == "1.50"
