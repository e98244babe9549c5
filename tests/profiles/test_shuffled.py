"""Shuffled batches lose more than Poisson samples of the same rate where the noise is small."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from pathlib import Path

import pytest

from privref.profiles.shuffled import best_threshold
from privref.statements.registry import evaluate


@pytest.mark.parametrize(("sigma", "batches", "beats"), [("0.5", 100, True), ("0.6", 100, True), ("0.4", 100, None)])
def test_an_epsilon_as_if_poisson_is_false_of_a_shuffled_run(sigma: str, batches: int, beats: bool | None) -> None:
    """At Poisson sampling's epsilon the shuffled run has a larger delta, or the bound says nothing."""
    delta = Fraction(1, 10**6)
    poisson = evaluate(
        "zdw2022/poisson_gaussian.eps", {"q": f"1/{batches}", "sigma": sigma, "k": batches, "delta": str(delta)}
    ).enclosure
    assert poisson is not None
    eps = poisson.upper
    inputs = {"sigma": sigma, "batches": batches, "eps": str(eps)}
    threshold = best_threshold(Fraction(sigma), batches, eps)
    bound = evaluate("chua2024/shuffled.delta", {**inputs, "threshold": str(threshold)}).enclosure
    assert bound is not None
    assert (bound.lower > delta) is bool(beats)


def _rows() -> list[list[str]]:
    page = Path(__file__).parents[2] / "reference" / "docs" / "dp-sgd.md"
    lines = page.read_text("utf-8").partition("| noise multiplier |")[2].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in takewhile(str.strip, lines)]


def test_the_table_of_shuffles_has_a_row_for_each_noise() -> None:
    assert [row[0] for row in _rows()] == ["0.4", "0.5", "0.6", "0.7", "0.8", "1", "1.5", "2", "3"]
    assert {len(row) for row in _rows()} == {7}


# The other entries take seconds each.
@pytest.mark.parametrize(
    ("sigma", "column"), [("0.6", 0), ("0.8", 0), ("1", 0), ("1.5", 1), ("2", 1), ("2", 2), ("3", 0)]
)
def test_the_table_of_shuffles_says_what_is_computed(sigma: str, column: int) -> None:
    (row,) = (row for row in _rows() if row[0] == sigma)
    batches, (eps, told) = (100, 1000, 10000)[column], row[1 + 2 * column : 3 + 2 * column]
    inputs = {"q": f"1/{batches}", "sigma": sigma, "k": batches, "delta": "1e-5"}
    poisson = evaluate("zdw2022/poisson_gaussian.eps", inputs).enclosure
    assert poisson is not None
    assert Fraction(eps) - Fraction(1, 1000) < poisson.lower <= poisson.upper <= Fraction(eps)
    threshold = best_threshold(Fraction(sigma), batches, Fraction(eps))
    bound = evaluate(
        "chua2024/shuffled.delta", {"sigma": sigma, "batches": batches, "eps": eps, "threshold": str(threshold)}
    ).enclosure
    assert bound is not None
    if told == "nothing":
        assert bound.upper < Fraction(1, 10**5)
    else:
        assert max(Fraction(told), Fraction(1, 10**5)) <= bound.lower <= Fraction(told) * Fraction(21, 20)
