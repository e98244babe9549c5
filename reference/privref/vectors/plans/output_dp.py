"""Output differential privacy: Hartmann et al. 2022."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from privref.exact.numbers import spell
from privref.vectors.cases import Case, case, grid, plan, refused

from .values import EPSILONS, TENTH_DOUBLE, TINY_DELTAS

_CASES = ("answer", "bottom-answer", "bottom-bottom")


@plan("hartmann2022/alg1.remaining", "budget")
def remaining() -> Iterator[Case]:
    yield case("ordinary", "Two rounds.", eps_t="1", delta_t="1/100", spends=["1/2", "1/4"], deltas=["1/200", "0"])
    for value, times in (("0.1", 10), ("1/3", 3), ("0.2", 5), ("1/7", 7), ("0.01", 100)):
        for asked in (times - 1, times):
            yield case(
                "exact-exhaustion",
                f"{asked} rounds of {value} on a budget of 1.",
                eps_t="1",
                delta_t="0",
                spends=[value] * asked,
                deltas=["0"] * asked,
            )
    yield case(
        "cancellation",
        "A spend that vanishes beside the budget.",
        eps_t="1",
        delta_t="0",
        spends=["1e-17"],
        deltas=["0"],
    )
    for tiny in TINY_DELTAS:
        yield case(
            "tiny-delta",
            f"delta spent in steps of {tiny}.",
            eps_t="1",
            delta_t="1/2",
            spends=["0"] * 2,
            deltas=[tiny] * 2,
        )
    yield case("boundary", "Nothing spent.", eps_t="1", delta_t="0.01", spends=[], deltas=[])
    yield case(
        "hypothesis-trap",
        "Subtract: read literally (eps_r = E), line 7 would leave 1/2 and admit what it must not.",
        eps_t="1",
        delta_t="0",
        spends=["1/4", "1/2"],
        deltas=["0", "0"],
    )


@plan("hartmann2022/def19.simple_filter", "decision")
def simple_filter() -> Iterator[Case]:
    for value, times in (("0.1", 10), ("1/3", 3), ("0.2", 5)):
        for asked in (times - 1, times, times + 1):
            yield case(
                "halting-step exact-exhaustion",
                f"{asked} rounds of {value}: {times} fit exactly.",
                eps=[value] * asked,
                delta=["0"] * asked,
                eps_t="1",
                delta_t="0",
            )
    for times in (9, 10):
        yield case(
            "halting-step",
            "The double nearest to 0.1: the tenth round passes 1.",
            eps=[TENTH_DOUBLE] * times,
            delta=["0"] * times,
            eps_t="1",
            delta_t="0",
        )
    for tiny in TINY_DELTAS:
        yield case(
            "halting-step tiny-delta",
            f"delta is passed by {tiny}.",
            eps=["0"] * 2,
            delta=["1/2", tiny],
            eps_t="1",
            delta_t="1/2",
        )
    yield case("boundary", "Nothing asked.", eps=[], delta=[], eps_t="0", delta_t="0")


@plan("hartmann2022/thm7.eps", "epsilon")
def thm7_eps() -> Iterator[Case]:
    yield from grid("ordinary", "The budget's own epsilon.", eps_t=EPSILONS, delta_t=("0", "1e-6"))


def _laws(name: str, one: str, e: str) -> Iterator[Case]:
    yield case("ordinary", "Two cells.", P=["1/2", "1/2"], Q=["0", "1"], **{name: [one, e]})
    yield case("ordinary", "The other direction.", P=["0", "1"], Q=["1/2", "1/2"], **{name: [one, e]})
    yield case("boundary", "Equal laws lose nothing.", P=["0.3", "0.7"], Q=["0.3", "0.7"], **{name: [one, one]})
    yield case("boundary", "Disjoint laws lose everything.", P=["1", "0"], Q=["0", "1"], **{name: [e, e]})
    yield case("exact-exhaustion", "Tenths.", P=["0.3", "0.7"], Q=["0.1", "0.9"], **{name: [e, one]})
    yield refused("bad-input", "Not a law.", P=["0.3", "0.6"], Q=["0.1", "0.9"], **{name: [e, one]})
    yield refused(
        "bad-input", "As many cell costs as outcomes are needed.", P=["0.3", "0.7"], Q=["0.1", "0.9"], **{name: [e]}
    )


@plan("hartmann2022/def2.min_delta", "delta")
def min_delta() -> Iterator[Case]:
    yield from _laws("expE", "1", "2")


@plan("hartmann2022/def2.min_delta_both", "delta")
def min_delta_both() -> Iterator[Case]:
    yield from _laws("expE", "1", "2")


@plan("hartmann2022/def2.min_delta_nats", "delta")
def min_delta_nats() -> Iterator[Case]:
    yield from _laws("E", "0", "1/2")


@plan("hartmann2022/def5.min_delta", "delta")
def subset_delta() -> Iterator[Case]:
    yield case("ordinary", "The first outcome only.", P=["1/2", "1/2"], Q=["1/4", "3/4"], R=["0"], expE="1")
    yield case("ordinary", "Both.", P=["1/2", "1/2"], Q=["1/4", "3/4"], R=["0", "1"], expE="3/2")
    yield case("boundary", "e^E q is p exactly.", P=["1/2", "1/2"], Q=["1/4", "3/4"], R=["0"], expE="2")


def _optdel(eps: str, budget: str, value: str, one: str, costs: list[str]) -> Iterator[Case]:
    yield case("ordinary", "Five and ten rounds.", **{eps: value}, delta="1e-6", k=["5", "10"], **{budget: costs})
    for delta in ("0", "0.01", "1e-6"):
        yield case("ordinary", "Two stopping points.", **{eps: value}, delta=delta, k=["1", "2"], **{budget: costs})
        yield case(
            "ordinary",
            "One stopping point: ordinary optimal composition.",
            **{eps: value},
            delta=delta,
            k=["4"],
            **{budget: costs[:1]},
        )
    for tiny in TINY_DELTAS:
        yield case("tiny-delta", "Tiny delta.", **{eps: value}, delta=tiny, k=["2", "4"], **{budget: costs})
    yield case("boundary", "Rounds that cost nothing.", **{eps: one}, delta="0", k=["2", "4"], **{budget: [one, one]})
    yield case("boundary", "delta = 1.", **{eps: value}, delta="1", k=["2"], **{budget: costs[:1]})
    yield refused("bad-input", "Stopping points must grow.", **{eps: value}, delta="0", k=["4", "2"], **{budget: costs})


@plan("hartmann2022/thm15.optdel", "delta")
def optdel() -> Iterator[Case]:
    yield from _optdel("exp_eps", "exp_E", "11/10", "1", ["13/10", "8/5"])
    yield case(
        "hypothesis-trap",
        "Read as subsets with prefix-disjointness: 19/100, where summing the cells' own optima gives 29/100.",
        exp_eps="1",
        delta="1/10",
        k=["1", "2"],
        exp_E=["1", "1"],
    )


@plan("hartmann2022/thm15.optdel_eps", "delta")
def optdel_eps() -> Iterator[Case]:
    yield from _optdel("eps", "E", "0.1", "0", ["0.3", "0.5"])


@plan("hartmann2022/eq4.lemma11", "delta")
def lemma11() -> Iterator[Case]:
    yield from _optdel("exp_eps", "exp_E", "11/10", "1", ["13/10", "8/5"])


@plan("hartmann2022/eq4.lemma11_eps", "delta")
def lemma11_eps() -> Iterator[Case]:
    yield from _optdel("eps", "E", "0.1", "0", ["0.3", "0.5"])


@plan("hartmann2022/thm15.optdel_het", "delta")
def optdel_het() -> Iterator[Case]:
    yield case(
        "ordinary", "Two different rounds.", exp_eps=["3/2", "2"], delta=["1/10", "0"], k=["1", "2"], exp_E=["3/2", "2"]
    )
    yield case(
        "ordinary", "Three.", exp_eps=["3/2", "2", "3"], delta=["0", "0", "1e-6"], k=["2", "3"], exp_E=["2", "4"]
    )
    yield case("tiny-delta", "Tiny.", exp_eps=["3/2", "2"], delta=["1e-30", "1e-18"], k=["1", "2"], exp_E=["3/2", "3"])


@plan("hartmann2022/thm15.optdel_het_eps", "delta")
def optdel_het_eps() -> Iterator[Case]:
    yield case(
        "ordinary", "Two different rounds.", eps=["0.4", "0.7"], delta=["1/10", "0"], k=["1", "2"], E=["0.4", "0.7"]
    )
    yield case("ordinary", "Three.", eps=["0.4", "0.7", "1"], delta=["0", "0", "1e-6"], k=["2", "3"], E=["0.7", "1.4"])
    yield case("tiny-delta", "Tiny.", eps=["0.4", "0.7"], delta=["1e-30", "1e-18"], k=["1", "2"], E=["0.4", "1.1"])


@plan("hartmann2022/thm15.least_E", "epsilon")
def least_E() -> Iterator[Case]:  # noqa: N802
    yield from grid(
        "ordinary",
        "The least common factor of the cells' costs.",
        eps=("0.1",),
        delta=("0",),
        k=(["5", "10"],),
        shape=(["1", "2"],),
        delta_t=("1e-3", "1e-6"),
    )


@plan("hartmann2022/lem11.delta", "delta")
def lem11_delta() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "The sum over the stopping points.",
        theorem=("advanced", "zcdp", "optimal"),
        eps=("0.1",),
        delta=("0", "1e-8"),
        k=(["5", "10"],),
        E=(["0.6", "1.1"],),
    )
    yield case(
        "boundary",
        "Basic composition at its own epsilon.",
        theorem="basic",
        eps="0.1",
        delta="1e-8",
        k=["5", "10"],
        E=["0.5", "1"],
    )


@plan("hartmann2022/lem3.E", "epsilon")
def lem3_e() -> Iterator[Case]:
    yield from grid("ordinary", "Kept.", eps=("0", *EPSILONS))


@plan("hartmann2022/lem4.eps", "epsilon")
def lem4_eps() -> Iterator[Case]:
    yield from grid("ordinary", "The largest cell.", E=(["1", "1/2"], ["0.1"], ["1/3", "0.3333333333333333"]))


@plan("hartmann2022/lem6.delta", "delta")
def lem6_delta() -> Iterator[Case]:
    yield from grid("ordinary", "The sum.", Delta=(["1/10", "1/20"], [], ["1e-18", "1/2"]))
    yield case("exact-exhaustion", "Ten tenths.", Delta=["0.1"] * 10)
    yield case("boundary", "More than 1: not clipped.", Delta=["0.7", "0.7"])


@plan("hartmann2022/lem8.cost", "epsilon")
def svt_cost() -> Iterator[Case]:
    yield from grid(
        "ordinary", "eps1 + (c'/c) eps2.", eps1=("0.1", "1/3"), eps2=("0.4",), c=("20", "3"), cprime=("0", "1", "3")
    )
    yield case("boundary", "All c.", eps1="0.1", eps2="0.4", c="20", cprime="20")
    yield refused("bad-input", "More than c.", eps1="0.1", eps2="0.4", c="20", cprime="21")


@plan("hartmann2022/sec4.1.per_entry_budget", "budget")
def per_entry_budget() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "What each released entry may use.",
        eps2=("0.4", "1/3"),
        eps3=("1/2",),
        c=("20", "3"),
        cprime=("1", "3"),
    )


@plan("hartmann2022/sec4.1.split.eps1", "number", "neither")
def split_eps1() -> Iterator[Case]:
    yield from grid("ordinary", "eps1/eps2 = (2c)^(-2/3).", eps=("0.1", "1/2", "3"), c=("1", "4", "20", "1000000"))


@plan("hartmann2022/sec4.1.split.eps2", "number", "neither")
def split_eps2() -> Iterator[Case]:
    yield from grid("ordinary", "eps1/eps2 = (2c)^(-2/3).", eps=("0.1", "1/2", "3"), c=("1", "4", "20", "1000000"))


@plan("hartmann2022/fig1.noise_dp", "number", "neither")
def fig1_dp() -> Iterator[Case]:
    yield from grid("ordinary", "The noise of Figure 1.", c=("1", "20"), eps3=("1/2", "1"))


def _fig1() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "The noise of Figure 1.",
        entries=("100",),
        large=("5", "10"),
        c=("20",),
        eps_svt=("1/2",),
        eps3=("1/2",),
        margin=("100", "1000"),
    )


@plan("hartmann2022/fig1.noise_odp", "number")
def fig1_odp() -> Iterator[Case]:
    yield from _fig1()


@plan("hartmann2022/fig1.noise_odp_chebyshev", "number")
def fig1_odp_chebyshev() -> Iterator[Case]:
    yield from _fig1()


def _cells() -> Iterator[Case]:
    yield from grid("ordinary", "By cell.", eps=("0", "0.1", "1/3", "1"), cell=("answer", "bottom"))


@plan("hartmann2022/def9.E", "epsilon")
def def9_e() -> Iterator[Case]:
    yield from _cells()


@plan("hartmann2022/lem10.E", "epsilon")
def lem10_e() -> Iterator[Case]:
    yield from _cells()


@plan("hartmann2022/sec3.toy.E", "epsilon")
def toy_e() -> Iterator[Case]:
    yield from _cells()


@plan("hartmann2022/lem10.delta_from_def9", "delta")
def lem10_delta() -> Iterator[Case]:
    yield from grid("ordinary", "2 delta - delta^2.", delta=("0", "0.1", "1e-6", "1"))
    yield from grid("tiny-delta", "delta^2 vanishes.", delta=TINY_DELTAS)
    yield case(
        "hypothesis-trap",
        "Lemma 10 prints delta; only 2 delta - delta^2 follows from Definition 9, and it is attained.",
        delta="1/3",
    )


@plan("hartmann2022/sec4.2.cascade.delta", "delta")
def cascade_delta() -> Iterator[Case]:
    yield from _cascade("delta", ("0.1", "1e-6", "1e-18"))


@plan("hartmann2022/sec4.2.cascade.eps", "epsilon")
def cascade_eps() -> Iterator[Case]:
    yield from _cascade("eps", ("0.1", "1/3", "1"))


def _cascade(name: str, values: tuple[str, ...]) -> Iterator[Case]:
    for value in values:
        for outcome in _CASES:
            yield Case(("ordinary",), "By case.", {name: value, "case": outcome})


@plan("hartmann2022/table1.delta_i", "delta")
def table1_delta() -> Iterator[Case]:
    yield from grid("ordinary", "The vertices at epsilon 0.1.", k=("16", "19", "23", "41"), i=("1", "2"), eps=("0.1",))
    yield case("boundary", "i = 0.", k="10", i="0", eps="0.1")


@plan("hartmann2022/table1.exact_min_k", "number", "neither")
def table1_k() -> Iterator[Case]:
    for exponent, printed in zip(range(5, 13), (17, 20, 24, 27, 31, 35, 38, 42), strict=True):
        yield case(
            "hypothesis-trap",
            f"Table 1 prints {printed}, one too many.",
            delta=spell(Fraction(1, 10**exponent)),
            eps="0.1",
        )
    yield from grid("ordinary", "Other epsilons.", delta=("1e-6",), eps=("1/2", "1"))


def _erm(**more: tuple[str, ...]) -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "Empirical risk minimisation.",
        n_train=("700", "10000"),
        n_test=("300",),
        Lam=("1", "0.001"),
        **more,
    )
    yield from grid(
        "cancellation",
        "e^w - 1 for a tiny w.",
        n_train=("1000000000000",),
        n_test=("1000000000000000000",),
        Lam=("1",),
        **{name: values[:1] for name, values in more.items()},
    )


@plan("hartmann2022/thm17.a", "number")
def thm17_a() -> Iterator[Case]:
    yield from _erm()


@plan("hartmann2022/thm17.a_tight", "number")
def thm17_a_tight() -> Iterator[Case]:
    yield from _erm()


@plan("hartmann2022/thm17.E_Rd", "epsilon")
def thm17_e() -> Iterator[Case]:
    yield from _erm(eps1=("1", "0.05"), eps2=("0.1", "2"))


@plan("hartmann2022/thm17.E_Rd_tight", "epsilon")
def thm17_e_tight() -> Iterator[Case]:
    yield from _erm(eps1=("1", "0.05"), eps2=("0.1", "2"))


@plan("hartmann2022/thm17.E_bot", "epsilon")
def thm17_bottom() -> Iterator[Case]:
    yield from _erm(eps1=("1", "0.05"), eps2=("0.1", "2"))


@plan("hartmann2022/fig2.percentile95", "number", "neither")
def fig2() -> Iterator[Case]:
    yield from _erm(eps2=("0.1", "2"))


@plan("hartmann2022/fig2.percentile95_tight", "number", "neither")
def fig2_tight() -> Iterator[Case]:
    yield from _erm(eps2=("0.1", "2"))


@plan("hartmann2022/cor18.E_Rd", "epsilon")
def cor18() -> Iterator[Case]:
    yield from grid("ordinary", "eps1 >= eps2.", eps1=("1", "0.3"), eps2=("0.1", "0.3"))
    yield refused("hypothesis-trap", "Corollary 18 needs eps1 >= eps2.", eps1="0.1", eps2="1")


@plan("hartmann2022/cor18.E_bot", "epsilon")
def cor18_bottom() -> Iterator[Case]:
    yield from grid("ordinary", "eps1 >= eps2.", eps1=("1", "0.3"), eps2=("0.1", "0.3"))
    yield refused("hypothesis-trap", "Corollary 18 needs eps1 >= eps2.", eps1="0.1", eps2="1")


@plan("hartmann2022/thm16.l2_sensitivity", "number")
def l2_sensitivity() -> Iterator[Case]:
    yield from grid("ordinary", "2/(n Lambda).", n_train=("1", "700", "999983"), Lam=("1", "0.1", "1/3"))


@plan("hartmann2022/lem21.sensitivity", "number")
def sensitivity() -> Iterator[Case]:
    yield from grid("ordinary", "2 (e^w - 1).", w2=("0", "0.1", "1", "0.01"))
    yield from grid("cancellation", "A tiny w.", w2=("1e-9", "1e-17", "1e-30"))


@plan("hartmann2022/lem21.sensitivity_tight", "number")
def sensitivity_tight() -> Iterator[Case]:
    yield from grid("ordinary", "2 tanh(w/4).", w2=("0", "0.1", "1", "0.01"))
    yield from grid("cancellation", "A tiny w.", w2=("1e-9", "1e-17", "1e-30"))


@plan("hartmann2022/alg1.least_eps", "epsilon")
def least_eps() -> Iterator[Case]:
    yield case("ordinary", "The last round decides.", sups=["1/2", "1/2"], spends=["1/4", "1/4"])
    yield case(
        "boundary",
        "The first round decides: it cost little, and could have cost more.",
        sups=["1", "1/4"],
        spends=["0", "1/4"],
    )
    yield case("exact-exhaustion", "Ten tenths.", sups=["0.1"] * 10, spends=["0.1"] * 10)
    yield case("exact-exhaustion", "Ten doubles.", sups=[TENTH_DOUBLE] * 10, spends=[TENTH_DOUBLE] * 10)
    yield case("boundary", "No rounds.", sups=[], spends=[])
    yield refused("bad-input", "A round can not spend more than its largest cost.", sups=["1/4"], spends=["1/2"])


@plan("hartmann2022/alg2.probability", "number", "neither")
def svt_probability() -> Iterator[Case]:
    for answers in (["0"], ["1"]):
        yield case(
            "ordinary", "One query.", gaps=["1/2"], answers=answers, eps1="0.1", eps2="0.4", c="1", sensitivity="1"
        )
    yield case(
        "ordinary",
        "Three queries, two tops.",
        gaps=["1", "-1", "2"],
        answers=["1", "0", "1"],
        eps1="0.1",
        eps2="0.4",
        c="2",
        sensitivity="1",
    )
    yield case(
        "boundary",
        "No distance from the threshold.",
        gaps=["0"],
        answers=["1"],
        eps1="1",
        eps2="1",
        c="1",
        sensitivity="1",
    )


@plan("hartmann2022/thm7.delta", "delta")
def thm7_delta() -> Iterator[Case]:
    yield from grid("ordinary", "The budget's own delta.", eps_t=("1",), delta_t=("0", "1e-6", "0.1"))
