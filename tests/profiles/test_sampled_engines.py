"""The contour and the grid, each alone, on the benchmark's parameters of at most 1,000 steps; and what is recorded."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from privref import evaluate
from privref.exact.enclosure import Enclosure
from privref.profiles import subsampled
from tests.benchmarks import bench_sgd


@pytest.mark.parametrize("seed", [0, 2, 24, 26, 74])
def test_the_engines_meet(seed: int) -> None:
    """Disjoint enclosures raise; from few jumps to many, rates of 0.1 % to 20 %."""
    inputs = bench_sgd.parameters(seed)
    assert int(inputs["k"]) <= bench_sgd.MOST_COMPARED
    assert bench_sgd.engines(inputs) == "contour and grid"


def test_a_contradiction_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subsampled, "eps_by_contour", lambda *_: Enclosure(Fraction(99), Fraction(100)))
    with pytest.raises(AssertionError, match="the engines contradict each other"):
        bench_sgd.engines(bench_sgd.parameters(2))


def recorded() -> list[dict[str, str]]:
    with (Path(__file__).parents[1] / "data" / "bench_sgd.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_documentation_counts_what_was_recorded() -> None:
    page = (Path(__file__).parents[2] / "reference" / "docs" / "dp-sgd.md").read_text(encoding="utf-8")
    rows = recorded()
    assert [int(row["seed"]) for row in rows] == list(range(len(rows)))
    for line in bench_sgd.summary(rows):
        assert line in page


@pytest.mark.parametrize("seed", [0, 1, 22, 30, 41, 57])
def test_what_was_recorded_is_found_again(seed: int) -> None:
    row = recorded()[seed]
    found = evaluate(bench_sgd.EPS, bench_sgd.parameters(seed)).enclosure
    assert found is not None
    assert found.intersection(Enclosure(Fraction(row["lower"]), Fraction(row["upper"]))) is not None
