"""Optimal composition."""

from __future__ import annotations

from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, plan, refused

from .values import DELTAS, TINY_DELTAS


@plan("kov2015/optimal.delta", "delta")
def optimal_delta() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "The whole curve of equal rounds.",
        eps=("0.01", "0.1", "1"),
        k=("2", "10", "100"),
        eps_g=("0", "0.05", "0.5", "3"),
    )
    yield from grid(
        "boundary",
        "At a vertex (k - 2i) eps, and next to it.",
        eps=("0.1",),
        k=("16",),
        eps_g=("1.4", "1.2", "1.6", "14000000000000001/10000000000000000", "13999999999999999/10000000000000000"),
    )
    yield from grid(
        "boundary",
        "At and above k eps nothing is left.",
        eps=("0.1",),
        k=("10",),
        eps_g=("1", "2", "0.9999999999999999"),
    )
    yield from grid("boundary", "No rounds, or rounds that cost nothing.", eps=("0", "1"), k=("0", "3"), eps_g=("0",))
    yield from grid(
        "tiny-delta", "Next to the top of the curve.", eps=("0.1", "0.01"), k=("100",), eps_g=("0.99", "9.8", "9")
    )
    yield from grid(
        "cancellation",
        "Small rounds: each term is a difference of almost equal numbers.",
        eps=("1e-9", "1e-15"),
        k=("1", "10"),
        eps_g=("0", "1e-10"),
    )
    yield case("huge-k", "Three thousand rounds: (1 + e^eps)^k overflows a double.", eps="0.01", k="3000", eps_g="1")
    yield case("huge-k", "A thousand rounds of 1.", eps="1", k="1000", eps_g="500")


@plan("kov2015/optimal.eps", "epsilon")
def optimal_eps() -> Iterator[Case]:
    yield from grid(
        "ordinary", "The whole curve inverted.", eps=("0.01", "0.1", "1"), k=("2", "10", "100"), delta_g=DELTAS
    )
    yield from grid("tiny-delta", "Tiny delta.", eps=("0.1", "0.01"), k=("10", "100"), delta_g=TINY_DELTAS)
    yield from grid("boundary", "delta = 0: k eps exactly.", eps=("0.1", "1/3"), k=("0", "1", "10"), delta_g=("0",))
    yield from grid(
        "boundary", "delta = 1, or so large that epsilon is 0.", eps=("0.1",), k=("1", "10"), delta_g=("1", "1/2")
    )
    yield case("huge-k", "Three thousand rounds.", eps="0.01", k="3000", delta_g="1e-6")
    yield case("huge-k", "1030 rounds, where a power in binary64 overflows.", eps="0.01", k="1030", delta_g="1e-6")


@plan("kov2015/vertex.delta", "delta")
def vertex_delta() -> Iterator[Case]:
    yield from grid("ordinary", "The vertices.", eps=("0.1", "1"), k=("10", "16", "101"), i=("1", "2", "5"))
    yield from grid(
        "boundary",
        "The first vertex costs nothing; the last is at the middle.",
        eps=("0.1",),
        k=("0", "1", "10"),
        i=("0",),
    )
    yield case("boundary", "The last vertex of an even number of rounds.", eps="0.1", k="10", i="5")
    yield from grid("tiny-delta", "Tiny.", eps=("0.1",), k=("100", "500"), i=("1", "2"))
    yield from grid("cancellation", "Small rounds.", eps=("1e-12",), k=("3", "10"), i=("1",))
    yield refused("bad-input", "There is no vertex beyond k/2.", eps="0.1", k="10", i="6")


@plan("kov2015/curve.eps_top_segment", "epsilon")
def top_segment() -> Iterator[Case]:
    yield from grid(
        "ordinary", "Below k eps for every positive delta.", k=("5", "15"), eps=("0.1", "1"), delta=("1e-6", "1e-12")
    )
    yield from grid(
        "tiny-delta cancellation",
        "delta (1 + e^eps)^k vanishes beside e^(k eps).",
        k=("5", "15"),
        eps=("0.1",),
        delta=TINY_DELTAS,
    )
    yield case(
        "hypothesis-trap",
        "k = 15, delta = 1e-5: the vertices alone give no gain here; the curve gives 0.17.",
        k="15",
        eps="0.1",
        delta="1e-5",
    )
    yield refused(
        "hypothesis-trap", "delta is above the first vertex's: another segment holds.", k="15", eps="0.1", delta="1e-2"
    )
    yield case("boundary", "One round.", k="1", eps="1", delta="1e-6")


_ROUNDS = (["0.1"] * 5, ["0.1", "0.2", "0.3"], ["1", "1/2", "1/3", "1/4"])


def _with_deltas(**axis: tuple[str, ...]) -> Iterator[Case]:
    for eps in _ROUNDS:
        for delta in ("0", "1e-8"):
            yield from grid("ordinary", "Different rounds.", eps=(eps,), delta=([delta] * len(eps),), **axis)


@plan("mv2016/optimal.delta", "delta")
def heterogeneous_delta() -> Iterator[Case]:
    yield from _with_deltas(eps_g=("0", "0.3", "1"))
    yield from grid(
        "boundary",
        "At the sum of the epsilons, and above.",
        eps=(["0.1", "0.2"],),
        delta=(["0", "0"],),
        eps_g=("0.3", "1", "0.29999999999999999"),
    )
    yield from grid(
        "tiny-delta",
        "1 - (1 - delta) in binary64 is 0.",
        eps=(["0.1"] * 3,),
        delta=(["1e-18"] * 3, ["1e-30"] * 3),
        eps_g=("0.3", "0.2"),
    )
    yield case("boundary", "No rounds.", eps=[], delta=[], eps_g="0")
    yield refused("bad-input", "One delta for each epsilon.", eps=["0.1", "0.2"], delta=["0"], eps_g="0")


@plan("mv2016/optimal.eps", "epsilon")
def heterogeneous_eps() -> Iterator[Case]:
    yield from _with_deltas(delta_g=("1e-5", "1e-6"))
    yield from grid("tiny-delta", "Tiny delta.", eps=(["0.1"] * 3,), delta=(["0"] * 3,), delta_g=TINY_DELTAS)
    yield case("boundary", "delta = 0: the sum.", eps=["0.1", "0.2"], delta=["0", "0"], delta_g="0")
    yield case(
        "boundary",
        "The rounds' deltas alone exceed the target: no epsilon.",
        eps=["0.1"] * 2,
        delta=["1e-5"] * 2,
        delta_g="1e-5",
    )


@plan("mv2016/mixed.delta", "delta")
def mixed_delta() -> Iterator[Case]:
    yield from _mixed("eps_g", ("0", "1"))


@plan("mv2016/mixed.eps", "epsilon")
def mixed_eps() -> Iterator[Case]:
    yield from _mixed("delta_g", ("1e-5", "1e-6"))


def _mixed(name: str, values: tuple[str, ...]) -> Iterator[Case]:
    for value in values:
        for mu in (["1"], ["0.5", "0.1"], []):
            yield case(
                "ordinary",
                "Pure rounds beside Gaussians.",
                eps=["0.1", "0.2"],
                delta=["0", "1e-8"],
                mu=mu,
                **{name: value},
            )
