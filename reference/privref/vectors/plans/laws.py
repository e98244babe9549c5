"""Finite laws: randomized response, indistinguishability, losses and divergences."""

from __future__ import annotations

from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, plan, refused, rounds

from .values import EPSILONS, TINY_DELTAS

_E2_WITNESS = {"p": ["9/20", "11/20"], "q": ["11/20", "9/20"]}
_E1_WITNESS = {"p": ["1/6", "1/30", "4/5"], "q": ["1/30", "1/6", "4/5"]}


def _randomized_response(kind: str) -> Iterator[Case]:
    yield from grid("ordinary", kind, eps=EPSILONS, delta=("0", "0.01", "1e-6"))
    yield from grid("boundary", "Nothing hidden, or everything lost.", eps=("0", "1"), delta=("0", "1"))
    yield from grid("tiny-delta", "1 - delta is 1 in binary64.", eps=("1/2",), delta=TINY_DELTAS)
    yield case("boundary", "e^eps overflows a double.", eps="800", delta="0")


@plan("rogers2016/def2.6.p_top", "number", "neither")
def p_top() -> Iterator[Case]:
    yield from _randomized_response("The probability of the likely answer.")


@plan("rogers2016/def2.6.p_bottom", "number", "neither")
def p_bottom() -> Iterator[Case]:
    yield from _randomized_response("The probability of the unlikely answer.")


@plan("hartmann2022/lem12.p1", "number", "neither")
def lem12_p1() -> Iterator[Case]:
    yield from _randomized_response("The same in the numbering of Hartmann et al.")


@plan("rogers2016/def2.1.delta", "delta")
def indistinguishable() -> Iterator[Case]:
    yield case("ordinary", "A three-point pair, exactly.", **_E1_WITNESS, exp_eps="2")
    yield from grid(
        "boundary", "Equal laws, disjoint laws.", p=(["1/2", "1/2"],), q=(["1/2", "1/2"],), exp_eps=("1", "2")
    )
    yield case("boundary", "Disjoint.", p=["1", "0"], q=["0", "1"], exp_eps="1000000")
    yield from grid(
        "ordinary", "Randomized response.", p=(["2/3", "1/3"],), q=(["1/3", "2/3"],), exp_eps=("1", "3/2", "2", "3")
    )
    yield case("exact-exhaustion", "Tenths: e^eps q is p exactly.", p=["0.3", "0.7"], q=["0.1", "0.9"], exp_eps="3")
    yield refused(
        "bad-input",
        "Not a law: the probabilities add up to less than 1.",
        p=["0.3", "0.6"],
        q=["0.1", "0.9"],
        exp_eps="3",
    )


@plan("rogers2016/def2.2.delta", "delta")
def pointwise() -> Iterator[Case]:
    yield case(
        "hypothesis-trap",
        "(log 2, 1/10)-indistinguishable, yet |loss| > 2 log 2 with probability 1/5; the printed one gives 0.144.",
        **_E1_WITNESS,
        exp_eps="4",
    )
    yield case("hypothesis-trap", "A (0, 1/10)-DP bit: |loss| is log(11/9) always.", **_E2_WITNESS, exp_eps="1")
    yield case("boundary", "At the loss itself: not above.", **_E2_WITNESS, exp_eps="11/9")
    yield case("boundary", "A hair below.", **_E2_WITNESS, exp_eps="1222222222222222222/1000000000000000000")
    yield case("boundary", "Disjoint.", p=["1", "0"], q=["0", "1"], exp_eps="1000000")


@plan("whitehouse2023/def2.renyi", "number", "neither")
def renyi() -> Iterator[Case]:
    yield from grid("ordinary", "Of two bits.", p=(["2/3", "1/3"],), q=(["1/3", "2/3"],), order=("3/2", "2", "10"))
    yield refused("bad-input", "Orders below 1.", p=["2/3", "1/3"], q=["1/3", "2/3"], order="1/2")
    yield from grid(
        "boundary",
        "Order 1 is the Kullback-Leibler divergence.",
        p=(["2/3", "1/3"],),
        q=(["1/3", "2/3"], ["2/3", "1/3"]),
        order=("1",),
    )
    yield case("cancellation", "Nearly equal laws.", p=["0.5000000001", "0.4999999999"], q=["1/2", "1/2"], order="2")
    yield case("cancellation", "An order next to 1.", p=["2/3", "1/3"], q=["1/3", "2/3"], order="1.000000001")


@plan("rogers2016/lem2.3.corrected", "delta")
def sharp_conversion() -> Iterator[Case]:
    yield from _to_pointwise()


@plan("whitehouse2023/lem2.corrected", "delta")
def sharp_conversion_restated() -> Iterator[Case]:
    yield from _to_pointwise()


def _to_pointwise() -> Iterator[Case]:
    yield from grid(
        "ordinary", "delta (1 + e^-2eps) / (1 - e^-eps).", eps=("0.1", "1/2", "1", "2"), delta=("1e-6", "0.01")
    )
    yield from grid("tiny-delta", "Tiny delta.", eps=("1",), delta=TINY_DELTAS)
    yield from grid("cancellation", "1 - e^-eps without expm1.", eps=("1e-9", "1e-17"), delta=("1e-30",))
    yield case(
        "hypothesis-trap",
        "The printed constant 2 delta/(eps e^eps) is too small, here and at every epsilon.",
        eps="0.6931471805599453",
        delta="0.1",
    )
    yield case("boundary", "delta = 0.", eps="1", delta="0")


@plan("rogers2016/lem2.3.delta", "delta")
def pointwise_to_dp() -> Iterator[Case]:
    yield from grid("ordinary", "Kept as it is.", delta=("0", "1e-6", "0.1", "1"))


@plan("rogers2016/sec6.pointwise_failure", "delta")
def pointwise_failure() -> Iterator[Case]:
    yield from grid(
        "hypothesis-trap",
        "Pointwise advanced composition read as an odometer fails with this probability.",
        exp_eps=("1001/1000",),
        delta_g=("1/20", "1/10"),
        two_sided=("true",),
        drift=("tanh", "expm1"),
        K=("5", "13", "15", "19"),
    )
    yield case("ordinary", "One-sided.", exp_eps="1001/1000", delta_g="1/10", two_sided="false", drift="tanh", K="40")


@plan("rogers2016/sec6.pointwise_failure.K", "number", "neither")
def pointwise_failure_rounds() -> Iterator[Case]:
    yield from grid(
        "hypothesis-trap",
        "After so many rounds it has failed.",
        exp_eps=("1001/1000",),
        delta_g=("1/20", "1/10"),
        two_sided=("true",),
        drift=("tanh", "expm1"),
    )


@plan("whitehouse2023/appF.loss", "loss")
def appf_loss() -> Iterator[Case]:
    yield from grid(
        "ordinary", "log((delta + e^eps)/(1 - delta)).", eps=("0", "0.1", "1"), delta=("0.01", "0.1", "1e-6")
    )
    yield from grid("tiny-delta cancellation", "log((1 + delta)/(1 - delta)).", eps=("0",), delta=TINY_DELTAS)
    yield case("boundary", "delta = 0: eps itself.", eps="1/2", delta="0")


@plan("whitehouse2023/appF.probability", "number", "neither")
def appf_probability() -> Iterator[Case]:
    yield from grid("ordinary", "The probability of that loss.", eps=("0", "0.1", "1"), delta=("0", "0.01", "1e-18"))


@plan("whitehouse2023/lem10.kl_bound", "loss")
def kl_bound() -> Iterator[Case]:
    yield from grid("ordinary", "eps^2/2.", eps=("0", *EPSILONS, "0.7"))
    yield case("subnormal", "The square underflows.", eps="1e-200")


@plan("whitehouse2023/lem10.kl_tight", "loss")
def kl_tight() -> Iterator[Case]:
    yield from grid("ordinary", "eps tanh(eps/2).", eps=("0", *EPSILONS, "0.7"))
    yield from grid("cancellation", "(e^eps - 1)/(e^eps + 1) without tanh.", eps=("1e-9", "1e-17"))
    yield case("boundary", "e^eps overflows.", eps="1000")


@plan("whitehouse2023/lem8.good", "number", "neither")
def lem8_good() -> Iterator[Case]:
    yield from grid("ordinary", "prod(1 - delta).", delta=([], ["0.1"] * 3, ["1/2", "1/3"], rounds("1e-6", 100)))
    yield from grid("tiny-delta", "1 - delta is 1 in binary64.", delta=(["1e-18"], ["1e-30"] * 2))


@plan("whitehouse2023/lem8.lower", "number")
def lem8_lower() -> Iterator[Case]:
    yield from grid("ordinary", "1 - sum delta.", delta=([], ["0.1"] * 3, ["1/2", "1/3"], rounds("1e-6", 100)))
    yield case("exact-exhaustion", "Nine tenths.", delta=["0.1"] * 9)
    yield from grid("tiny-delta", "A double can not hold it: round down.", delta=(["1e-18"], ["1e-30"] * 2))
