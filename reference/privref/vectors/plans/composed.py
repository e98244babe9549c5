"""Composition of dominating pairs: mechanisms whose laws are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from privref.vectors.cases import Case, case, grid, plan, refused

LAPLACE: dict[str, Any] = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
GAUSSIAN: dict[str, Any] = {"kind": "gaussian", "sigma": "7/2", "sensitivity": "1"}
CELLS: dict[str, Any] = {"kind": "discrete-gaussian", "sigma_squared": "3203/13", "shifts": ["1", "1"]}
GEOMETRIC: dict[str, Any] = {"kind": "geometric", "scale": "5/2", "shifts": ["2"]}
RESPONSE: dict[str, Any] = {"kind": "randomized-response", "epsilon": "0.1"}
KARY: dict[str, Any] = {"kind": "randomized-response", "probability": "3/4", "outcomes": "4"}
WORST: dict[str, Any] = {"kind": "approx-dp", "epsilon": "1/10", "delta": "1e-9"}


def _times(count: int, mechanism: dict[str, Any]) -> dict[str, Any]:
    return {**mechanism, "count": count}


_MIXES = (
    [_times(100, LAPLACE)],
    [_times(3, CELLS), _times(2, GEOMETRIC)],
    [_times(20, LAPLACE), _times(5, RESPONSE), _times(3, WORST)],
)


@plan("zdw2022/thm10.delta", "delta")
def composed_delta() -> Iterator[Case]:
    yield from grid("ordinary", "Mechanisms that are known, mixed and equal.", rounds=_MIXES, eps=("0", "1/2", "2"))
    yield case("ordinary", "A Gaussian beside Laplace noise.", rounds=[GAUSSIAN, LAPLACE], eps="0.3")
    yield case("ordinary", "Four answers, the true one three times of four.", rounds=[_times(3, KARY)], eps="2")
    yield case("boundary", "No rounds.", rounds=[], eps="1")
    yield case("boundary", "One Laplace round at its own epsilon loses nothing more.", rounds=[LAPLACE], eps="0.1")
    yield case("boundary", "One Laplace round below it.", rounds=[LAPLACE], eps="0.09")
    yield case("exact-exhaustion", "Ten tenths, at their sum.", rounds=[_times(10, RESPONSE)], eps="1")
    yield case("tiny-delta", "Far in the tail.", rounds=[_times(100, LAPLACE)], eps="9")
    yield case(
        "huge-k", "A hundred thousand equal rounds.", rounds=[{**_times(100_000, LAPLACE), "scale": "100"}], eps="20"
    )
    yield case(
        "hypothesis-trap",
        "A shift of (1, 1) is not one of length 2, nor a continuous one of length sqrt 2.",
        rounds=[{"kind": "discrete-gaussian", "sigma_squared": "1/3", "shifts": ["1", "1"]}],
        eps="3",
    )
    yield refused("bad-input", "A Laplace scale of 0.", rounds=[{**LAPLACE, "scale": "0"}], eps="1")
    yield refused("bad-input", "A misspelled field.", rounds=[{**LAPLACE, "scael": "1"}], eps="1")


@plan("zdw2022/thm10.eps", "epsilon")
def composed_eps() -> Iterator[Case]:
    yield from grid("ordinary", "Mechanisms that are known, mixed and equal.", rounds=_MIXES, delta=("1e-6", "1e-3"))
    yield case("ordinary", "A Gaussian beside Laplace noise.", rounds=[GAUSSIAN, LAPLACE], delta="1e-5")
    yield case("tiny-delta", "Tiny delta.", rounds=[_times(100, LAPLACE)], delta="1e-30")
    yield case(
        "tiny-delta", "Tiny delta, unequal cells.", rounds=[_times(3, CELLS), _times(2, GEOMETRIC)], delta="1e-18"
    )
    yield case("boundary", "delta = 0: the largest loss.", rounds=[_times(100, LAPLACE)], delta="0")
    yield case("boundary", "delta = 0, and the loss has no bound.", rounds=[CELLS], delta="0")
    yield case("boundary", "delta = 1.", rounds=[LAPLACE], delta="1")
    yield case("boundary", "A delta that the infinite losses use up.", rounds=[_times(10, WORST)], delta="1e-9")
    yield case("boundary", "No rounds.", rounds=[], delta="1e-6")
    yield case(
        "huge-k",
        "A hundred thousand equal rounds.",
        rounds=[{**_times(100_000, LAPLACE), "scale": "100"}],
        delta="1e-6",
    )
    yield refused("bad-input", "A shift that is no whole number.", rounds=[{**CELLS, "shifts": ["1/2"]}], delta="1e-6")
