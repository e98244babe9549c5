"""Groups, disjoint parts, private selection and Poisson samples."""

from __future__ import annotations

from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, plan

from .values import DELTAS, EPSILONS, TINY_DELTAS


@plan("dr2014/thm2.2.eps", "epsilon")
def group_eps() -> Iterator[Case]:
    yield from grid("ordinary", "A group of pure DP.", eps=EPSILONS, k=(1, 2, 10))
    yield case("cancellation", "Three tenths, which doubles miss.", eps="0.1", k=3)
    yield case("huge-k", "A large group.", eps="1e-9", k=10**12)
    yield case("boundary", "Nothing stays nothing.", eps="0", k=7)


@plan("vadhan2017/lem2.2.delta", "delta")
def group_delta() -> Iterator[Case]:
    yield from grid("ordinary", "A group of approximate DP.", eps=("0.1", "1"), delta=DELTAS, k=(2, 5))
    yield from grid(
        "cancellation", "A tiny epsilon: nearly k times delta.", eps=("1e-9", "1e-18"), delta=("1e-6",), k=(3,)
    )
    yield from grid("tiny-delta", "Tiny delta.", eps=("1/2",), delta=TINY_DELTAS, k=(4,))
    yield case("boundary", "A group of one.", eps="1", delta="1e-6", k=1)
    yield case("boundary", "epsilon = 0.", eps="0", delta="1e-6", k=4)
    yield case("boundary", "delta = 0.", eps="1", delta="0", k=4)
    yield case("boundary", "More than 1: it says nothing, and is not clipped.", eps="3", delta="1/10", k=10)


@plan("bs2016/prop1.9.rho", "rho")
def group_rho() -> Iterator[Case]:
    yield from grid("ordinary", "A group of zCDP.", rho=("0.01", "1/2"), k=(1, 2, 10))
    yield case("cancellation", "Nine tenths, which doubles miss.", rho="0.1", k=3)
    yield case("huge-k", "A large group.", rho="1e-20", k=10**9)


@plan("gdp/group.mu", "number")
def group_mu() -> Iterator[Case]:
    yield from grid("ordinary", "A group of Gaussian DP.", mu=("0.1", "1/3"), k=(1, 3, 10))


@plan("dong2020/group.eps", "epsilon")
def group_range() -> Iterator[Case]:
    yield from grid("ordinary", "A group of a bounded range.", eps=EPSILONS, k=(1, 2, 10))
    yield case("cancellation", "Three tenths, which doubles miss.", eps="0.1", k=3)


@plan("mironov2017/prop2.eps", "epsilon")
def group_renyi() -> Iterator[Case]:
    yield from grid("ordinary", "Groups of 1, 2 and 8 under Renyi DP.", eps=("0.1", "1/2"), c=(0, 1, 3))


@plan("mcsherry2009/thm4.eps", "epsilon")
def parallel() -> Iterator[Case]:
    yield case("ordinary", "Three parts.", eps=["0.1", "0.5", "0.3"])
    yield case("ordinary", "Equal parts.", eps=["0.1"] * 50)
    yield case("boundary", "No parts.", eps=[])
    yield case("cancellation", "Two parts that doubles do not tell apart.", eps=["0.1", "0.1000000000000000000001"])


@plan("liu2019/alg1.eps", "epsilon")
def threshold_selection() -> Iterator[Case]:
    yield from grid("ordinary", "The first trial above a threshold.", eps=EPSILONS)


@plan("liu2019/alg2.eps", "epsilon")
def random_selection() -> Iterator[Case]:
    yield from grid("ordinary", "The best of a geometric number of trials.", eps=EPSILONS)


@plan("zdw2022/thm11.delta", "delta")
def sampled_pair() -> Iterator[Case]:
    pairs = {"p": ["3/4", "1/4"], "q": ["1/4", "3/4"]}, {"p": ["0.1", "0.6", "0.3"], "q": ["0", "0.7", "0.3"]}
    for pair in pairs:
        for rate in ("0.01", "1/3"):
            for exp_eps in ("1", "1.1", "2"):
                yield case("ordinary", "A Poisson sample of a finite pair.", rate=rate, exp_eps=exp_eps, **pair)
        yield case("boundary", "No sample.", rate="0", exp_eps="1.1", **pair)
        yield case("boundary", "All of it.", rate="1", exp_eps="1.1", **pair)
    yield case("cancellation", "A tiny rate.", rate="1e-18", exp_eps="1", **pairs[0])


@plan("bbg2018/thm8.eps", "epsilon")
def sampled_eps() -> Iterator[Case]:
    yield from grid("ordinary", "A Poisson sample.", eps=("0.1", "1", "6.8"), q=("0.01", "0.124", "1/2"))
    yield from grid("cancellation", "A tiny rate.", eps=("0.1", "1"), q=("1e-9", "1e-18"))
    yield from grid("boundary", "No sample, and all of it.", eps=("1",), q=("0", "1"))
    yield case("boundary", "e^eps overflows a double.", eps="800", q="1/2")


@plan("bbg2018/thm8.delta", "delta")
def sampled_delta() -> Iterator[Case]:
    yield from grid("ordinary", "A Poisson sample.", delta=DELTAS, q=("0.01", "0.124"))
    yield from grid("tiny-delta", "Tiny delta.", delta=TINY_DELTAS, q=("1e-3",))
