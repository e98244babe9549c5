"""Conversions between notions of privacy."""

from __future__ import annotations

from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, plan, refused

from .values import (
    BELOW_ONE_DOUBLE,
    DELTAS,
    EPSILONS,
    LEAST_SUBNORMAL,
    TENTH_DOUBLE,
    TINY_DELTAS,
)

_RHOS = ("1/1000", "0.1", "1/2", "2.56", "30")


@plan("whitehouse2023/lem1.dp2zcdp.rho", "rho")
def dp_to_zcdp() -> Iterator[Case]:
    yield from grid("ordinary", "eps^2 / 2.", eps=(*EPSILONS, "0.3", "2/3", "17.14"))
    yield case("boundary", "Nothing.", eps="0")
    yield from grid(
        "exact-exhaustion", "Not a double: the square must be rounded up.", eps=("0.7", "1/3", TENTH_DOUBLE)
    )
    yield from grid("subnormal", "The square underflows.", eps=("1e-160", "1e-200", LEAST_SUBNORMAL))
    yield case("boundary", "The square overflows a double.", eps="1e160")
    yield case("boundary", "The square just fits.", eps="1e154")


@plan("whitehouse2023/lem1.dp2zcdp.least_delta", "delta")
def dp_to_zcdp_least_delta() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "Below the rho that eps alone gives.",
        eps=("1/2", "1", "3"),
        delta=("0", "1e-6"),
        rho=("0.01", "0.1"),
    )
    yield from grid("hypothesis-trap", "eps tanh(eps/2) is less than eps^2/2.", eps=("1",), delta=("0",), rho=("0.47",))
    yield from grid("boundary", "delta is enough.", eps=("1",), delta=("0", "1e-6", "1"), rho=("0.4622", "1/2"))
    yield case("boundary", "rho = 0: the total variation.", eps="1", delta="0.1", rho="0")
    yield case("cancellation", "e^eps - e^x of nearly equal numbers.", eps="1", delta="0", rho="0.46211715726000975")
    yield case("boundary", "e^eps overflows.", eps="1000", delta="0", rho="999")
    yield case("subnormal", "A tiny rho.", eps="1e-160", delta="0", rho="1e-330")


@plan("whitehouse2023/def3.delta", "delta")
def approximate_zcdp_delta() -> Iterator[Case]:
    response, three = (["3/4", "1/4"], ["1/4", "3/4"]), (["1/2", "1/3", "1/6"], ["1/6", "1/6", "2/3"])
    for p, q in (response, three):
        yield from grid("ordinary", "Parts that are rho-zCDP.", p=(p,), q=(q,), rho=("0.01", "0.1", "0.3"))
    yield case("boundary", "rho = 0: the total variation.", p=three[0], q=three[1], rho="0")
    yield case("boundary", "rho-zCDP as they are.", p=response[0], q=response[1], rho="0.55")
    yield case("tiny-delta", "Nearly rho-zCDP as they are.", p=response[0], q=response[1], rho="0.5493061443")
    yield case(
        "ordinary", "One outcome under P alone, one under Q.", p=["0.9", "0.1", "0"], q=["0.1", "0.8", "0.1"], rho="0.1"
    )
    yield case(
        "hypothesis-trap",
        "The order 1 does not bind: a rare outcome of a large ratio.",
        p=["0.01", "0.5", "0.49"],
        q=["0.0002", "0.5", "0.4998"],
        rho="0.02",
    )
    yield case("boundary", "What only one law gives is lost at any rho.", p=["0.9", "0.1"], q=["1", "0"], rho="100")
    yield case("boundary", "Disjoint.", p=["1", "0"], q=["0", "1"], rho="1")
    yield case("subnormal", "A tiny rho.", p=response[0], q=response[1], rho="1e-30")
    yield refused("bad-input", "No law.", p=["1/2", "1/3"], q=["1/2", "1/2"], rho="1")
    yield refused("bad-input", "A negative rho.", p=["1/2", "1/2"], q=["1/2", "1/2"], rho="-1")


@plan("whitehouse2023/lem1.zcdp2dp.eps", "epsilon")
def zcdp_to_dp_eps() -> Iterator[Case]:
    yield from grid("ordinary", "The simple conversion.", rho=_RHOS, delta_prime=DELTAS)
    yield from grid("tiny-delta", "Tiny delta'.", rho=("0.1", "2.56"), delta_prime=TINY_DELTAS)
    yield from grid("boundary", "delta' = 1: rho itself.", rho=("0", "1/2"), delta_prime=("1",))
    yield case("boundary", "Nothing.", rho="0", delta_prime="1e-6")
    yield case("cancellation", "log(1/delta') near 0.", rho="1", delta_prime=BELOW_ONE_DOUBLE)
    yield from grid("subnormal", "A subnormal rho.", rho=(LEAST_SUBNORMAL, "1e-400"), delta_prime=("1e-6",))


@plan("whitehouse2023/lem1.zcdp2dp.delta", "delta")
def zcdp_to_dp_delta() -> Iterator[Case]:
    yield from grid(
        "ordinary", "delta + (1 - delta) delta'.", delta=("0", "1e-6", "1/10"), delta_prime=("1e-6", "1/10", "1")
    )
    yield from grid(
        "tiny-delta", "1 - delta is 1 in binary64.", delta=("1e-18", "1e-30"), delta_prime=("1e-18", "1e-30")
    )
    yield case("boundary", "delta = 1.", delta="1", delta_prime="1e-6")
    yield from grid(
        "exact-exhaustion", "Decimals that are no doubles.", delta=("0.1", "0.3"), delta_prime=("0.1", "0.7")
    )


@plan("cks2020/zcdp2dp.delta", "delta")
def tight_delta() -> Iterator[Case]:
    yield from grid("ordinary", "The tight conversion.", rho=("0.1", "1/2", "2.56"), eps=("1/2", "3", "17.14"))
    yield from grid("tiny-delta", "Far in the tail.", rho=("0.1",), eps=("10", "40"))
    yield case("boundary", "rho = 0 loses nothing.", rho="0", eps="1")
    yield from grid("boundary", "epsilon = 0, or below rho.", rho=("1/2", "10"), eps=("0", "1"))
    yield from grid("cancellation", "A small rho: the best order is large.", rho=("1e-6",), eps=("0.01", "0.001"))
    yield case("cancellation", "A very small rho at a few of its square roots.", rho="1e-12", eps="4e-6")
    yield case("subnormal", "The answer is below the least double.", rho="0.01", eps="10")


@plan("cks2020/zcdp2dp.eps", "epsilon")
def tight_eps() -> Iterator[Case]:
    yield from grid("ordinary", "The tight conversion, inverted.", rho=_RHOS, delta=DELTAS)
    yield from grid("tiny-delta", "Tiny delta.", rho=("0.1", "2.56"), delta=TINY_DELTAS)
    yield case("boundary", "rho = 0 loses nothing.", rho="0", delta="1e-6")
    yield case("boundary", "rho = 0 and delta = 0.", rho="0", delta="0")
    yield case("boundary", "delta = 0: no finite epsilon.", rho="1/2", delta="0")
    yield case("boundary", "delta = 1: nothing is left to protect.", rho="1/2", delta="1")
    yield from grid("boundary", "A delta so large that epsilon is 0.", rho=("0.001",), delta=("1/2", "0.1"))
    yield from grid(
        "cancellation", "A small rho: the best order is large.", rho=("1e-6", "1e-12"), delta=("1e-6", "1e-10")
    )
    yield case("ordinary", "The 2020 Census redistricting budget for persons.", rho="2.56", delta="1e-10")


@plan("cks2020/gaussian_witness.delta", "delta")
def gaussian_witness_delta() -> Iterator[Case]:
    yield from grid(
        "ordinary", "What Gaussian mechanisms really lose.", rho=(["1/2"], ["0.1"] * 3, ["2.56"]), eps=("0", "1", "5")
    )
    yield case("boundary", "No rounds.", rho=[], eps="1")
    yield case("tiny-delta", "Far in the tail.", rho=["0.01"], eps="3")


@plan("cks2020/gaussian_witness.rho", "rho")
def gaussian_witness_rho() -> Iterator[Case]:
    yield from grid("ordinary", "The sum, exactly.", rho=(["1/2"], ["0.1"] * 3, ["2.56", "0.07"]))
    yield case("exact-exhaustion", "Ten tenths.", rho=["0.1"] * 10)
    yield case("boundary", "No rounds.", rho=[])


@plan("cks2020/two_point_witness.delta", "delta")
def two_point_witness() -> Iterator[Case]:
    yield case(
        "ordinary", "A pair that is 1-zCDP, e.g. randomized response with log 2.", rho="1", eps="0", p="2/3", q="1/3"
    )
    yield case("ordinary", "The same pair at epsilon 1/2.", rho="1", eps="1/2", p="2/3", q="1/3")
    yield from grid(
        "boundary", "Close to a pair that loses nothing.", rho=("1/2",), eps=("0",), p=("501/1000",), q=("1/2",)
    )
    yield refused(
        "hypothesis-trap", "The pair is not 1/100-zCDP: no bound follows.", rho="1/100", eps="0", p="2/3", q="1/3"
    )
    yield refused("hypothesis-trap", "p must exceed q.", rho="1", eps="0", p="1/3", q="2/3")


@plan("cks2020/rdp2dp.eps", "epsilon")
def renyi_to_dp() -> Iterator[Case]:
    yield from grid("ordinary", "One order.", order=("3/2", "2", "10", "100"), eps_order=("0.1", "1"), delta=DELTAS)
    yield from grid("tiny-delta", "Tiny delta.", order=("10",), eps_order=("1",), delta=TINY_DELTAS)
    yield case("boundary", "It is negative here, and is not clipped.", order="10", eps_order="0", delta="1/2")
    yield case("cancellation", "An order next to 1.", order="1.000000001", eps_order="0.1", delta="1e-6")
    yield case("cancellation", "log(1 - 1/order) for a large order.", order="1e15", eps_order="0.1", delta="1e-6")


@plan("cks2020/zcdp2dp.order", "number", "neither")
def best_order() -> Iterator[Case]:
    yield from grid("ordinary", "The order for the largest rho.", eps=("0.1", "1", "10"), delta=DELTAS[:2])


@plan("mironov2017/response.renyi", "loss")
def response_renyi() -> Iterator[Case]:
    yield from grid("ordinary", "Randomized response.", eps=("0.01", "1", "5"), order=("3/2", "2", "30"))
    yield case("boundary", "Nothing.", eps="0", order="2")
    yield case("cancellation", "alpha eps^2/2, nearly.", eps="1e-9", order="2")
    yield case("cancellation", "An order next to 1.", eps="1", order="1.000000001")
    yield case("huge-k", "e^(alpha eps) overflows; the loss is eps, nearly.", eps="700", order="1000")


@plan("cks2020/zcdp2dp.rho", "budget")
def largest_rho() -> Iterator[Case]:
    yield from grid("ordinary", "How much rho fits.", eps=("0.1", "1", "10"), delta=DELTAS[:2])
    yield from grid("tiny-delta", "Tiny delta.", eps=("1",), delta=TINY_DELTAS[:1])
