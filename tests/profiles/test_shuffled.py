"""Shuffled batches lose more than Poisson samples of the same rate where the noise is small."""

from __future__ import annotations

from fractions import Fraction

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
