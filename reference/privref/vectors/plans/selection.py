"""Bounded range, and histograms with thresholds."""

from __future__ import annotations

from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, plan

from .values import EPSILONS


@plan("cesar2021/br2zcdp.rho", "rho")
def bounded_range() -> Iterator[Case]:
    yield from grid("ordinary", "eps^2/8.", eps=(*EPSILONS, "2", "1/4", "0.3"))
    yield case("boundary", "Nothing.", eps="0")
    yield case("subnormal", "The square underflows.", eps="1e-200")


@plan("rogers2023/threshold.delta", "delta")
def threshold() -> Iterator[Case]:
    yield from grid("ordinary", "One key.", scale=("1/2", "1", "5"), threshold=(2, 5, 30), keys=[1])
    yield from grid("ordinary", "Several keys.", scale=("1", "4"), threshold=(20,), keys=[2, 100])
    yield case(
        "boundary", "Shown from a count of 1 on: the noise must not be negative.", scale="2", threshold=1, keys=1
    )
    yield from grid("tiny-delta", "Far from the threshold.", scale=("1", "2"), threshold=(80,), keys=[1, 3])
    yield case("cancellation", "1 - p is 1 in binary64.", scale="1/4", threshold=20, keys=4)
    yield case("subnormal", "Below every normal double.", scale="1/8", threshold=100, keys=1)
