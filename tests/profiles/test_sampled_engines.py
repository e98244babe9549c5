"""The contour and the grid, each alone, on the benchmark's parameters of at most 1,000 steps; and what is recorded."""

from __future__ import annotations

from fractions import Fraction

import pytest

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
