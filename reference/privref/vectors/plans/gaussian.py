"""Gaussian differential privacy."""

from __future__ import annotations

from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, plan, rounds

from .values import DELTAS, TINY_DELTAS

_MUS = ("1/100", "0.1", "1/2", "1", "4")


@plan("gdp/profile.delta", "delta")
def profile_delta() -> Iterator[Case]:
    yield from grid("ordinary", "The Gaussian profile.", mu=_MUS[1:], eps=("0", "0.1", "1", "5"))
    yield from grid("ordinary", "A small mu.", mu=_MUS[:1], eps=("0", "0.01", "0.1"))
    yield from grid(
        "cancellation",
        "Two almost equal tails: the difference of two terms near each other.",
        mu=("1e-3", "1e-6", "1e-9"),
        eps=("0", "1e-9"),
    )
    yield case("cancellation", "A small mu at one standard deviation.", mu="1e-3", eps="1e-3")
    yield from grid(
        "tiny-delta", "Far in the tail, where 1 - Phi is 0 in binary64.", mu=("1/2", "1"), eps=("6", "10", "30")
    )
    yield case("boundary", "mu = 0 loses nothing.", mu="0", eps="1")
    yield case("boundary", "A mu so large that delta is 1 in binary64.", mu="40", eps="1")
    yield case("boundary", "e^eps overflows a double while its tail underflows.", mu="40", eps="800")
    yield case("subnormal", "The answer is below the least double.", mu="1/10", eps="5")


@plan("gdp/profile.eps", "epsilon")
def profile_eps() -> Iterator[Case]:
    yield from grid("ordinary", "The profile inverted.", mu=_MUS, delta=DELTAS)
    yield from grid("tiny-delta", "Tiny delta.", mu=("0.1", "1"), delta=TINY_DELTAS)
    yield from grid("cancellation", "A tiny mu.", mu=("1e-6",), delta=("1e-8", "1e-10"))
    yield from grid("boundary", "A delta at which epsilon is 0.", mu=("1/100", "1"), delta=("1/2", "1"))
    yield case("boundary", "delta = 0: no finite epsilon.", mu="1", delta="0")
    yield case("boundary", "mu = 0 loses nothing.", mu="0", delta="0")


@plan("gdp/composition.delta", "delta")
def composition_delta() -> Iterator[Case]:
    yield from grid(
        "ordinary", "Several Gaussians.", mu=(["1"], ["0.1"] * 10, ["1/2", "1/3", "1/4"]), eps=("0", "1", "3")
    )
    yield from grid(
        "huge-k", "Very many rounds.", mu=(rounds("0.001", 10**6), rounds("1e-6", 10**12)), eps=("0", "1", "6")
    )
    yield case("boundary", "No rounds.", mu=[], eps="1")
    yield case("exact-exhaustion", "A hundred tenths compose to mu = 1.", mu=rounds("0.1", 100), eps="1")


@plan("gdp/composition.mu", "number")
def composition_mu() -> Iterator[Case]:
    yield from grid("ordinary", "Squares add up.", mu=(["1"], ["0.1"] * 3, ["1/3", "2", "0.4"]))
    yield case("ordinary", "Three, four, five.", mu=["3", "4"])
    yield case("cancellation", "A tiny mu beside one.", mu=["1", "1e-12"])
    yield case("boundary", "No rounds.", mu=[])


@plan("gdp/composition.eps", "epsilon")
def composition_eps() -> Iterator[Case]:
    yield from grid("ordinary", "Several Gaussians.", mu=(["1"], ["0.1"] * 10, ["1/2", "1/3", "1/4"]), delta=DELTAS)
    yield from grid("huge-k", "Very many rounds.", mu=(rounds("0.001", 10**6),), delta=("1e-6", "1e-12"))
    yield case("boundary", "No rounds.", mu=[], delta="1e-6")
    yield case("exact-exhaustion", "A hundred tenths compose to mu = 1.", mu=rounds("0.1", 100), delta="1e-6")


@plan("gdp/profile.mu", "budget")
def largest_mu() -> Iterator[Case]:
    yield from grid("ordinary", "How much mu fits.", eps=("0", "0.1", "1", "10"), delta=("1e-5",))
    yield from grid("tiny-delta", "Tiny delta.", eps=("1",), delta=TINY_DELTAS[:1])


@plan("smith2022/filter.decision", "decision")
def gaussian_filter() -> Iterator[Case]:
    # The largest mu at epsilon 1 and delta 1e-5 is 0.268…: seven rounds of 1/10 run, an eighth does not.
    for asked in (6, 7, 8):
        yield case(
            "halting-step", "Rounds of mu = 1/10: seven run.", mu=rounds("0.1", asked), eps_g="1", delta_g="1e-5"
        )
    yield from grid("ordinary", "Well inside and outside.", mu=(["0.1"], ["3"]), eps_g=("1",), delta_g=DELTAS)
    yield case("boundary", "Nothing asked.", mu=[], eps_g="0", delta_g="1e-5")
    yield case("tiny-delta", "A tiny delta.", mu=["0.1"], eps_g="1", delta_g="1e-30")
