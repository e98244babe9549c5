"""The theorems that audits, filters and odometers rest on: one table, from which others take ids and hypotheses.

A statement is a formula; a theorem says under which hypotheses which statements bound the privacy of an interaction.
``privref.kernel.theorems`` writes down again, on purpose, what the check of a certificate needs of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .hypotheses import PAID_BY_ANSWERS, Failure, Hypothesis
from .papers import REFERENCES

_H = Hypothesis

#: How the delta of a filter's budget is used: not a filter; a filter that spends it as a whole; a filter whose delta is
#: split in advance into delta' and the rest.
Filter = Literal["", "whole", "split"]


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem that turns a record of what ran into a bound, or stops what runs before a budget is exceeded."""

    id: str
    #: What people call it, without a source: it stands before the id where it is printed.
    name: str
    says: str
    cites: str
    hypotheses: tuple[Hypothesis, ...]
    #: The statements that it evaluates: an epsilon at a delta, a delta, a rho, a mu.
    epsilon: str = ""
    delta: str = ""
    rho: str = ""
    mu: str = ""
    #: Further statements that belong to it.
    also: tuple[str, ...] = ()
    filter: Filter = ""
    #: The machines that enforce it as a filter and read it as an odometer, and what the odometer's reading needs.
    machine: str = ""
    odometer: str = ""
    odometer_hypotheses: tuple[Hypothesis, ...] = ()
    #: What the odometer has to be told in advance, as a ledger's `tuning` names it.
    odometer_tuning: tuple[str, ...] = ()
    #: Which failure the odometer's theorem bounds; empty where there is no odometer.
    odometer_failure: Failure | Literal[""] = ""
    #: The theorem of the sum that it converts to an epsilon: what that theorem's filter guarantees may be converted.
    converts: str = ""
    #: The Renyi orders at which its filter charges every kind of guarantee: one that a ledger declares, or a grid.
    orders: Literal["", "declared", "grid"] = ""
    #: The sum over the rounds that its bound is built on, and whether the bound is a function of that sum alone.
    sums: Literal["", "epsilon", "epsilon^2", "rho", "mu^2", "renyi"] = ""
    of_sum_alone: bool = True
    #: The machine of another theorem that enforces it as a filter of each unit by itself.
    individual: str = ""
    #: What it lets mechanisms be that run concurrently: interactive, their queries interleaved.
    lifts: tuple[Hypothesis, ...] = ()
    #: The Lean checker of its certificates, by theorem id; or why there is none.
    lean: str = ""
    no_lean: str = ""
    #: Other names of the same theorem, from before there was one: those of rules, and of statements.
    aliases: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """Paper and place; of what is ours the paper that it follows."""
        after = "ours, after " if self._is_ours else ""
        return f"{after}{REFERENCES[self.id.split('/')[0]].citation}; {self.cites}"

    @property
    def _is_ours(self) -> bool:
        return "ours)" in self.cites

    @property
    def called(self) -> str:
        """Name, authors, year and id, as in "optimal composition (Murtagh and Vadhan 2016; mv2016/optimal)"."""
        authors = REFERENCES[self.id.split("/")[0]].short_citation
        # What is ours follows a paper, and is not in it.
        return f"{self.name} ({'after ' if self._is_ours else ''}{authors}; {self.id})"

    @property
    def statements(self) -> tuple[str, ...]:
        """The ids of its statements, each once."""
        return tuple(dict.fromkeys(id for id in (self.epsilon, self.delta, self.rho, self.mu, *self.also) if id))

    @property
    def is_paid_by_answers(self) -> bool:
        """Whether its filter charges what was observed, so that a round pays for its answer."""
        return bool(PAID_BY_ANSWERS & set(self.hypotheses))

    @property
    def names(self) -> tuple[str, ...]:
        """The id and every other name, each once."""
        return tuple(dict.fromkeys(name for name in (self.id, self.machine, self.odometer, *self.aliases) if name))


_FIXED_DP = (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP)
_FILTER_DP = (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP)
_FILTER_ZCDP = (_H.ZCDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP)
_TUNED_RDP = (_H.RDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.TUNING_IN_ADVANCE, _H.CONCURRENT_RDP)
_SIZED = (_H.RR_LOSS, _H.PUBLIC_SIZE, _H.BUDGET_IN_ADVANCE, _H.SEQUENTIAL)
_TUNED = (_H.RR_LOSS, _H.TUNING_IN_ADVANCE, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP)
_TUNED_PDP = (_H.PDP_ROUNDS, _H.TUNING_IN_ADVANCE, _H.BUDGET_IN_ADVANCE, _H.SEQUENTIAL)

_NO_CERTIFICATE = "claims about an odometer's reading have no Lean checker"
_NO_INTERACTION = "concurrent interaction is not modelled in Lean: one round follows another"
_NO_ROUTE = "no claim is audited by it: it decides before each event, and a ledger shows its decisions only"


def _odometer(
    id: str,
    name: str,
    says: str,
    cites: str,
    machine: str,
    failure: Failure,
    hypotheses: tuple[Hypothesis, ...],
    *also: str,
    tuning: tuple[str, ...] = (),
) -> Theorem:
    return Theorem(
        id,
        name,
        says,
        cites,
        hypotheses,
        also=also,
        odometer=machine,
        odometer_hypotheses=hypotheses,
        odometer_tuning=tuning,
        odometer_failure=failure,
        no_lean=_NO_CERTIFICATE,
    )


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "rogers2016/thm2.9",
        "basic composition",
        "basic composition: the epsilons and the deltas add up",
        "Theorem 2.9",
        _FIXED_DP,
        epsilon="rogers2016/thm2.9.eps",
        delta="rogers2016/thm2.9.delta",
        lean="rogers2016/thm2.9",
        aliases=("basic",),
        sums="epsilon",
    ),
    Theorem(
        "rogers2016/thm3.3",
        "the basic filter",
        "the basic filter and odometer: sums, also of parameters chosen on the way",
        "Theorem 3.3",
        _FILTER_DP,
        epsilon="rogers2016/thm2.9.eps",
        delta="rogers2016/thm2.9.delta",
        also=("rogers2016/thm3.3.filter", "rogers2016/thm3.3.odometer"),
        filter="whole",
        machine="basic-filter",
        odometer="basic-odometer",
        odometer_hypotheses=(_H.PDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.SEQUENTIAL),
        odometer_failure="loss",
        no_lean="the Lean checker takes parameters fixed in advance, which rogers2016/thm2.9 is about",
        sums="epsilon",
    ),
    Theorem(
        "rogers2016/thm2.10",
        "advanced composition",
        "advanced composition of equal rounds",
        "Theorem 2.10",
        (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.CONCURRENT_DP),
        epsilon="rogers2016/thm2.10.eps_g",
        delta="rogers2016/thm2.10.delta",
        lean="rogers2016/thm2.10",
        aliases=("advanced",),
        sums="epsilon^2",
        of_sum_alone=False,
    ),
    Theorem(
        "whitehouse2023/eq2",
        "advanced composition of unequal rounds",
        "advanced composition of rounds with different parameters",
        "equation (2) (Kairouz, Oh, Viswanath 2015, Theorem 3.5)",
        _FIXED_DP,
        epsilon="whitehouse2023/eq2.eps",
        delta="whitehouse2023/eq2.delta",
        lean="whitehouse2023/eq2",
        aliases=("advanced-heterogeneous",),
        sums="epsilon^2",
        of_sum_alone=False,
    ),
    Theorem(
        "kov2015/optimal",
        "optimal composition of equal rounds",
        "the best epsilon that holds for all mechanisms with these equal parameters",
        "Theorem 3.3 and the curve between its vertices",
        (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.PURE_ROUNDS, _H.CONCURRENT_DP),
        epsilon="kov2015/optimal.eps",
        delta="kov2015/optimal.delta",
        lean="kov2015/optimal",
        aliases=("optimal-equal",),
    ),
    Theorem(
        "mv2016/optimal",
        "optimal composition",
        "the best epsilon that holds for all mechanisms with these parameters",
        "Theorem 1.5",
        _FIXED_DP,
        epsilon="mv2016/optimal.eps",
        delta="mv2016/optimal.delta",
        no_lean="its value is a search over a lattice of losses, which the Lean checker does not repeat",
    ),
    Theorem(
        "whitehouse2023/thm2",
        "the filter by squared epsilons",
        "the (epsilon, delta) filter by the sum of the squared epsilons",
        "Theorem 2 (Theorem 8 of the arXiv version)",
        _FILTER_DP,
        epsilon="whitehouse2023/thm2.f",
        delta="whitehouse2023/thm2.delta",
        also=("whitehouse2023/thm2.N",),
        filter="split",
        machine="dp-filter",
        lean="whitehouse2023/thm2",
        sums="epsilon^2",
        of_sum_alone=False,
    ),
    Theorem(
        "hartmann2022/alg1",
        "the output-DP accountant",
        "the output-DP accountant: charges the cell that was observed",
        "Algorithm 1, Theorem 7",
        (_H.OUTPUT_DP_ROUNDS, _H.OUTPUT_BUDGET, _H.SEQUENTIAL),
        epsilon="hartmann2022/alg1.least_eps",
        also=("hartmann2022/alg1.remaining", "hartmann2022/thm7.eps", "hartmann2022/thm7.delta"),
        filter="whole",
        machine="output-dp-accountant",
        no_lean="the library proves Theorem 7 itself; a checker of a ledger's cells is not written",
        aliases=("output-accountant", "hartmann2022/thm7"),
    ),
    Theorem(
        "hartmann2022/def19",
        "the simple output-DP filter",
        "the simple filter of output DP: sums of the largest costs, the last one apart",
        "Definition 19, Algorithm 6",
        (_H.OUTPUT_DP_ROUNDS, _H.OUTPUT_BUDGET, _H.SEQUENTIAL),
        epsilon="hartmann2022/alg1.least_eps",
        also=("hartmann2022/def19.simple_filter",),
        filter="whole",
        machine="output-dp-filter",
        no_lean="a checker of a ledger's cells is not written",
        aliases=("output-filter",),
    ),
    Theorem(
        "whitehouse2023/lem1",
        "zCDP with Bun and Steinke's conversion",
        "the zCDP filter, converted to (epsilon, delta)-DP by Bun and Steinke's formula",
        "Lemma 1 with Theorem 1",
        _FILTER_ZCDP,
        epsilon="whitehouse2023/lem1.zcdp2dp.eps",
        delta="whitehouse2023/lem1.zcdp2dp.delta",
        filter="split",
        machine="zcdp-filter",
        lean="whitehouse2023/lem1",
        aliases=("zcdp-lemma1",),
        converts="whitehouse2023/thm1",
        sums="rho",
    ),
    Theorem(
        "cks2020/zcdp2dp",
        "zCDP with the tight conversion",
        "the zCDP filter, converted to (epsilon, delta)-DP by the tight formula",
        "Corollary 13, with Whitehouse et al. 2023, Theorem 1",
        _FILTER_ZCDP,
        epsilon="cks2020/zcdp2dp.eps",
        delta="cks2020/zcdp2dp.delta",
        filter="split",
        machine="tight-zcdp-filter",
        lean="cks2020/zcdp2dp",
        aliases=("zcdp-tight", "whitehouse2023/thm1+cks2020/zcdp2dp"),
        converts="whitehouse2023/thm1",
        sums="rho",
    ),
    Theorem(
        "mironov2017/mixed",
        "the best Renyi order for mixed rounds",
        "(epsilon, delta)-DP and zCDP rounds by the moments of each, at the best of all Renyi orders",
        "Table II (randomized response), with Canonne, Kamath, Steinke 2020, Proposition 12 (ours)",
        (_H.ZCDP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_ZCDP),
        epsilon="mironov2017/mixed.eps",
        delta="mironov2017/mixed.delta",
        also=("mironov2017/response.renyi",),
        lean="mironov2017/mixed",
        sums="rho",
        of_sum_alone=False,
    ),
    Theorem(
        "cks2020/rdp2dp",
        "Renyi composition",
        "Renyi DP of parameters fixed in advance, converted at the best declared order",
        "Proposition 12, with Mironov 2017, Proposition 1",
        (_H.RDP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_RDP),
        epsilon="cks2020/rdp2dp.eps",
        lean="cks2020/rdp2dp",
        sums="renyi",
    ),
    Theorem(
        "feldman2021/renyi_filter",
        "the Renyi filter",
        "the Renyi filter of one order fixed in advance",
        "the Renyi filter",
        _TUNED_RDP,
        epsilon="cks2020/rdp2dp.eps",
        also=("feldman2021/renyi_filter.decision",),
        filter="split",
        machine="renyi-filter",
        no_lean="the Lean certificate has no group of Renyi costs",
        orders="declared",
    ),
    Theorem(
        "feldman2021/response_filter",
        "the Renyi filter of randomized response",
        "one Renyi order charged with randomized response's divergence, or the sum of epsilon: whichever lasts",
        "the Renyi filter, with Mironov 2017, Table II (ours)",
        (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.TUNING_IN_ADVANCE, _H.CONCURRENT_DP),
        epsilon="rswr2023/ex_post_filter.least_eps",
        also=("feldman2021/response_filter.decision", "mironov2017/response.renyi", "cks2020/zcdp2dp.order"),
        filter="split",
        machine="response-filter",
        no_lean="its divergences at a Renyi order are not among the functions of the Lean checker",
    ),
    Theorem(
        "rswr2023/ex_post_filter",
        "the ex-post filter",
        "rounds that pay for the cell of their answer, with others that are charged at one Renyi order",
        "ex-post filters, with the Renyi filter of one order (ours)",
        (_H.EX_POST_ROUNDS, _H.EX_POST_BUDGET, _H.TUNING_IN_ADVANCE, _H.SEQUENTIAL),
        epsilon="rswr2023/ex_post_filter.least_eps",
        also=("rswr2023/ex_post_filter.decision", "ligett2017/gradual_response.delta"),
        filter="split",
        machine="ex-post-filter",
        no_lean="its divergences at a Renyi order are not among the functions of the Lean checker",
        orders="declared",
    ),
    Theorem(
        "feldman2021/individual_filter",
        "the individual Renyi filter",
        "the Renyi filter of each unit by itself: a unit takes part while its own losses are within the budget",
        "Theorem 4.5 (number as others cite it; the text was not read, and the theorem is proved here anew)",
        (_H.RDP_ROUNDS, _H.INDIVIDUAL_LOSSES, _H.LEFT_OUT, _H.BUDGET_IN_ADVANCE, _H.SEQUENTIAL),
        individual="renyi-filter",
        no_lean=_NO_ROUTE,
    ),
    Theorem(
        "lecuyer2021/renyi_grid_filter",
        "the Renyi filter of several orders",
        "the Renyi filter of several orders, each at its share of delta'",
        "the filter of several orders (with shares: ours)",
        _TUNED_RDP,
        epsilon="cks2020/rdp2dp.eps",
        also=("lecuyer2021/renyi_grid_filter.decision",),
        filter="split",
        machine="renyi-grid-filter",
        no_lean="the Lean certificate has no group of Renyi costs",
        orders="grid",
    ),
    Theorem(
        "gdp/composition",
        "Gaussian DP composition",
        "Gaussian DP: the squares of mu add up, also of parameters chosen on the way",
        "Corollary 1 (composition: Corollary 3.3; chosen on the way: Smith and Thakurta 2022)",
        (_H.GAUSSIAN_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP),
        epsilon="gdp/composition.eps",
        delta="gdp/composition.delta",
        mu="gdp/composition.mu",
        also=("smith2022/filter.decision",),
        filter="whole",
        machine="gaussian-filter",
        lean="gdp/composition",
        aliases=("gaussian", "smith2022/filter"),
        sums="mu^2",
    ),
    Theorem(
        "gdp/zcdp2gdp",
        "zCDP as Gaussian DP",
        "zCDP implies Gaussian DP with a larger mu: no test between two zCDP laws errs less than one of a Gaussian",
        "both errors of a test, by its binary divergences of all orders (ours)",
        (_H.ZCDP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_ZCDP),
        mu="gdp/zcdp2gdp.mu",
        no_lean="only (epsilon, delta) claims have a Lean checker",
        sums="rho",
    ),
    Theorem(
        "gdp/domination",
        "the filter by domination",
        "one Gaussian that dominates all that may still run: rounds of (epsilon, delta)-DP and of Gaussian DP",
        "Corollary 1, with the domination of randomized response and a Gaussian by a Gaussian (ours)",
        (_H.DOMINATED_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.SEQUENTIAL),
        epsilon="gdp/profile.eps",
        also=("gdp/domination.decision",),
        filter="split",
        machine="domination-filter",
        no_lean="its normal distribution function is not among the functions of the Lean checker",
    ),
    Theorem(
        "koskela2023/individual_filter",
        "the individual Gaussian filter",
        "the Gaussian filter of each unit by itself: a unit takes part while its own mu^2 sum to at most the budget",
        "the individual Gaussian filter (number not verified; the text was not read, and it is proved here anew)",
        (_H.GAUSSIAN_ROUNDS, _H.INDIVIDUAL_LOSSES, _H.LEFT_OUT, _H.BUDGET_IN_ADVANCE, _H.SEQUENTIAL),
        individual="gaussian-filter",
        no_lean=_NO_ROUTE,
    ),
    Theorem(
        "dong2020/thm3",
        "optimal composition of equal bounded ranges",
        "the best epsilon for equal bounded ranges where every mechanism was chosen in advance",
        "Theorem 3",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.QUERIES_IN_ADVANCE, _H.SEQUENTIAL),
        epsilon="dong2020/thm3.eps",
        delta="dong2020/thm3.delta",
        no_lean="its maximum over sums is not among the functions of the Lean checker",
    ),
    Theorem(
        "dong2020/adaptive",
        "adaptive composition of equal bounded ranges",
        "the best epsilon for equal bounded ranges where mechanisms may be chosen from earlier answers",
        "the recursion for mechanisms that are chosen on the way (transcribed from its derivation)",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.SEQUENTIAL),
        epsilon="dong2020/adaptive.eps",
        delta="dong2020/adaptive.delta",
        no_lean="its recursion over a grid is not among the functions of the Lean checker",
    ),
    Theorem(
        "dong2020/advance",
        "optimal composition of unequal bounded ranges",
        "the best epsilon for unequal bounded ranges where every mechanism was chosen in advance",
        "Theorem 3 for unequal ranges: the optimum by a search (ours)",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.QUERIES_IN_ADVANCE, _H.SEQUENTIAL),
        epsilon="dong2020/advance.eps",
        delta="dong2020/advance.delta",
        no_lean="its search over boxes is not among the functions of the Lean checker",
    ),
    Theorem(
        "dong2020/unequal",
        "adaptive composition of unequal bounded ranges",
        "unequal bounded ranges chosen in advance: at most what is lost where they are chosen on the way, in any order",
        "the recursion for mechanisms that are chosen on the way, the largest range first (ours)",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.QUERIES_IN_ADVANCE, _H.SEQUENTIAL),
        epsilon="dong2020/adaptive.eps",
        delta="dong2020/adaptive.delta",
        no_lean="its recursion over a grid is not among the functions of the Lean checker",
    ),
    Theorem(
        "dong2020/prop4",
        "bounded ranges by Azuma's inequality",
        "bounded ranges by the largest mean of the loss and Azuma's inequality",
        "Proposition 4",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.SEQUENTIAL),
        epsilon="dong2020/prop4.eps",
        lean="dong2020/prop4",
    ),
    Theorem(
        "zdw2022/thm10",
        "composed privacy-loss distributions",
        "composition of dominating pairs: the laws of the mechanisms that ran, composed",
        "Theorem 10 (Dong, Roth, Su 2019, Theorem 4)",
        (_H.KNOWN_LAWS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
        epsilon="zdw2022/thm10.eps",
        delta="zdw2022/thm10.delta",
        no_lean="its own value is not checked; of discrete Gaussian noise a file proves a coarser convolution",
    ),
    Theorem(
        "zdw2022/poisson_gaussian",
        "composed Poisson-subsampled Gaussian rounds",
        "DP-SGD: equal rounds of a Poisson-subsampled Gaussian mechanism, their laws composed",
        "Theorems 10 and 11",
        (_H.SAMPLED_ROUNDS, _H.POISSON_SAMPLING, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
        epsilon="zdw2022/poisson_gaussian.eps",
        delta="zdw2022/poisson_gaussian.delta",
        no_lean="its contour integral is not among the functions of the Lean checker",
    ),
    Theorem(
        "chua2024b/cut",
        "composed samples, cuts or places revealed",
        "samples: their laws composed, which also reveal whether a batch may be cut, or whether a record is drawn",
        "with Theorems 10 and 11 of Zhu, Dong, Wang 2022 (ours)",
        (_H.CUT_BY_ORDER, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
        epsilon="chua2024b/cut.eps",
        delta="chua2024b/cut.delta",
        no_lean="its contour integral is not among the functions of the Lean checker",
    ),
    Theorem(
        "chua2024b/truncated",
        "composed Poisson samples with a cap",
        "Poisson samples with a cap on the batch: their laws composed as if none were cut, and a term of delta",
        "Theorem 3.3, which was not read, with a sharper term (ours)",
        (_H.TRUNCATED_SAMPLES, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
        epsilon="chua2024b/truncated.eps",
        delta="chua2024b/truncated.delta",
        no_lean="its contour integral is not among the functions of the Lean checker",
    ),
    Theorem(
        "chua2025/allocation",
        "balls-in-bins sampling",
        "DP-SGD on balls in bins: the profile of the dominating pair, bounded on a lattice by convex order",
        "its dominating pair, which was not read, with bounds of its profile (ours)",
        (_H.BALLS_IN_BINS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
        epsilon="chua2025/allocation.eps",
        delta="chua2025/allocation.delta",
        no_lean="its convolution of laws is not among the functions of the Lean checker",
    ),
    Theorem(
        "whitehouse2023/thm1",
        "zCDP composition",
        "the zCDP filter: the rhos and the deltas add up, also of parameters chosen on the way",
        "Theorem 1",
        _FILTER_ZCDP,
        rho="whitehouse2023/thm1.rho",
        delta="whitehouse2023/thm1.delta",
        also=("whitehouse2023/thm1.N",),
        filter="whole",
        no_lean="only (epsilon, delta) claims have a Lean checker",
        sums="rho",
    ),
    Theorem(
        "whitehouse2023/thm1.tight",
        "tight zCDP composition",
        "zCDP with parameters fixed in advance: an (epsilon, delta)-DP round adds epsilon tanh(epsilon/2)",
        "Theorem 1 with the least rho of an (epsilon, delta)-DP round (ours)",
        (_H.ZCDP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_ZCDP),
        rho="whitehouse2023/thm1.tight.rho",
        delta="whitehouse2023/thm1.delta",
        also=("whitehouse2023/lem1.dp2zcdp.least_delta",),
        no_lean="only (epsilon, delta) claims have a Lean checker",
        sums="rho",
        of_sum_alone=False,
    ),
    Theorem(
        "rogers2016/thm5.1",
        "the first advanced filter",
        "the first filter of advanced rate",
        "Theorem 5.1, equation (2)",
        _FILTER_DP,
        epsilon="rogers2016/thm5.1.bound",
        also=("rogers2016/thm5.1.decision",),
        filter="whole",
        machine="rogers-filter",
        no_lean="its drift eps (e^eps - 1) is not among the functions of the Lean checker",
    ),
    _odometer(
        "rogers2016/thm6.2",
        "the first advanced odometer",
        "the first odometer of advanced rate, for a public data set size",
        "Theorem 6.2, equations (3) and (4)",
        "rogers-odometer",
        "loss",
        _SIZED,
        "rogers2016/thm6.2.odometer",
        "rogers2016/thm6.2.eq3",
        "rogers2016/thm6.2.eq4",
    ),
    _odometer(
        "whitehouse2023/lem3",
        "the first advanced odometer, corrected",
        "that odometer as restated, corrected",
        "Lemma 3, corrected",
        "restated-odometer",
        "one-sided",
        _SIZED,
        "whitehouse2023/lem3.odometer",
        "whitehouse2023/lem3.branch2",
        "whitehouse2023/lem3.branch3.corrected",
        tuning=("delta_prime",),
    ),
    _odometer(
        "whitehouse2023/thm3.filter",
        "the filter odometer",
        "the filter odometer, tight at the time y* fixed in advance",
        "Theorem 3.1",
        "filter-odometer",
        "one-sided",
        _TUNED,
        "whitehouse2023/thm3.filter.at",
        "whitehouse2023/thm3.ystar.corrected",
        tuning=("delta_prime", "y_star"),
    ),
    _odometer(
        "whitehouse2023/thm3.mixture",
        "the mixture odometer",
        "the mixture odometer, for a gamma fixed in advance",
        "Theorem 3.2",
        "mixture-odometer",
        "one-sided",
        _TUNED,
        "whitehouse2023/thm3.mixture.best",
        "whitehouse2023/thm3.mixture.best_gamma",
        tuning=("delta_prime", "gamma"),
    ),
    _odometer(
        "whitehouse2023/thm3.one_sided",
        "the one-sided mixture odometer",
        "the mixture odometer of one side, for a gamma fixed in advance",
        "Theorem 3.2, with the mixture of one side (ours)",
        "one-sided-mixture-odometer",
        "one-sided",
        _TUNED,
        "whitehouse2023/thm5.one_sided",
        tuning=("delta_prime", "gamma"),
    ),
    _odometer(
        "whitehouse2023/thm3.stitched",
        "the stitched odometer",
        "the stitched odometer, finite from a v0 fixed in advance",
        "Theorem 3.3",
        "stitched-odometer",
        "one-sided",
        _TUNED,
        "whitehouse2023/thm3.stitched.domain",
        tuning=("delta_prime", "v0"),
    ),
    _odometer(
        "whitehouse2023/thm3.filter.repaired",
        "the filter odometer, repaired",
        "the filter odometer for pDP rounds with positive deltas",
        "Theorem 3.1, repaired (ours)",
        "filter-odometer-repaired",
        "one-sided",
        _TUNED_PDP,
        "whitehouse2023/thm3.repair_term",
        tuning=("delta_prime", "y_star"),
    ),
    _odometer(
        "whitehouse2023/thm3.mixture.repaired",
        "the mixture odometer, repaired",
        "the mixture odometer for pDP rounds with positive deltas",
        "Theorem 3.2, repaired (ours)",
        "mixture-odometer-repaired",
        "one-sided",
        _TUNED_PDP,
        "whitehouse2023/thm3.repair_term",
        tuning=("delta_prime", "gamma"),
    ),
    _odometer(
        "whitehouse2023/thm3.stitched.repaired",
        "the stitched odometer, repaired",
        "the stitched odometer for pDP rounds with positive deltas",
        "Theorem 3.3, repaired (ours)",
        "stitched-odometer-repaired",
        "one-sided",
        _TUNED_PDP,
        "whitehouse2023/thm3.repair_term",
        tuning=("delta_prime", "v0"),
    ),
    Theorem(
        "haney2023/concurrent.dp",
        "concurrent composition",
        "what holds of (epsilon, delta)-DP or f-DP mechanisms of one answer holds of interactive ones, interleaved",
        "for (epsilon, delta)-DP and f-DP (abstract; numbers not verified); parameters fixed: Vadhan, Zhang 2023",
        (),
        lifts=(_H.CONCURRENT_DP,),
        no_lean=_NO_INTERACTION,
    ),
    Theorem(
        "haney2023/concurrent.renyi",
        "concurrent Renyi composition",
        "sums of Renyi DP at fixed orders, and of zCDP, hold of interactive mechanisms, interleaved",
        "for Renyi DP of a fixed order (abstract; numbers not verified); proved here anew, also of zCDP with delta = 0",
        (),
        also=("haney2023/concurrent.moment",),
        lifts=(_H.CONCURRENT_RDP, _H.CONCURRENT_ZCDP),
        no_lean=_NO_INTERACTION,
    ),
)

#: By hypothesis, the theorem by which it holds also of concurrent mechanisms.
LIFTS: Mapping[Hypothesis, str] = {hypothesis: each.id for each in THEOREMS for hypothesis in each.lifts}

_BY_NAME = {name: each for each in THEOREMS for name in each.names}


def theorem(id: str) -> Theorem:
    """The theorem of that id; KeyError for one that is not in the table, which is a defect of the caller."""
    found = _BY_NAME[id]
    if found.id != id:
        raise KeyError(id)
    return found


def called(id: str | None, *, authors: bool = True) -> str:
    """Return a theorem's name with its authors and id, or in a table without authors; of any other id the id."""
    found = _BY_NAME.get(id or "")
    if found is None or found.id != id:
        return id or ""
    return found.called if authors else f"{found.name} ({id})"


def cited(id: str) -> str:
    """Return the id of a statement with its authors, after the name of the theorem that evaluates it, if one does."""
    rule = next((each for each in THEOREMS if id in (each.id, *each.statements)), None)
    if rule is None:
        return f"{REFERENCES[id.split('/')[0]].short_citation} ({id})"
    return rule.called.replace(f"; {rule.id})", f"; {id})")


def named(name: str) -> Theorem | None:
    """The theorem that a name means: its id, its machine's or odometer's name, or an alias; None for no theorem's."""
    return _BY_NAME.get(name)
