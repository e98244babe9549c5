"""The checker's own table of theorems, and what a claim is held against.

It says again, on purpose, what the audit's table says: the checker must not believe the audit. A test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privref.audit.checker.basis import Mismatch
from privref.exact.numbers import rational
from privref.statements.hypotheses import Hypothesis

_H = Hypothesis

#: Which statement each theorem is evaluated by, and what it needs: for epsilon claims, and for rho claims. This table
#: is the checker's own; a test holds it against the audit's.
EPSILON: dict[str, tuple[str, tuple[Hypothesis, ...]]] = {
    "rogers2016/thm2.9": (
        "rogers2016/thm2.9.eps", (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "rogers2016/thm3.3": (
        "rogers2016/thm2.9.eps", (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP),
    ),
    "rogers2016/thm2.10": (
        "rogers2016/thm2.10.eps_g",
        (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "whitehouse2023/eq2": (
        "whitehouse2023/eq2.eps", (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "kov2015/optimal": (
        "kov2015/optimal.eps",
        (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.PURE_ROUNDS, _H.CONCURRENT_DP),
    ),
    "mv2016/optimal": (
        "mv2016/optimal.eps", (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "whitehouse2023/thm2": (
        "whitehouse2023/thm2.f", (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP),
    ),
    "hartmann2022/alg1": (
        "hartmann2022/alg1.least_eps", (_H.OUTPUT_DP_ROUNDS, _H.OUTPUT_BUDGET, _H.SEQUENTIAL),
    ),
    "rswr2023/ex_post_filter": (
        "rswr2023/ex_post_filter.least_eps",
        (_H.EX_POST_ROUNDS, _H.EX_POST_BUDGET, _H.TUNING_IN_ADVANCE, _H.SEQUENTIAL),
    ),
    "whitehouse2023/lem1": (
        "whitehouse2023/lem1.zcdp2dp.eps", (_H.ZCDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP),
    ),
    "cks2020/zcdp2dp": (
        "cks2020/zcdp2dp.eps", (_H.ZCDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP),
    ),
    "mironov2017/mixed": (
        "mironov2017/mixed.eps", (_H.ZCDP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_ZCDP),
    ),
    "cks2020/rdp2dp": ("cks2020/rdp2dp.eps", (_H.RDP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_RDP)),
    "dong2020/thm3": (
        "dong2020/thm3.eps",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.QUERIES_IN_ADVANCE, _H.SEQUENTIAL),
    ),
    "dong2020/adaptive": (
        "dong2020/adaptive.eps",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.SEQUENTIAL),
    ),
    "dong2020/advance": (
        "dong2020/advance.eps",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.QUERIES_IN_ADVANCE, _H.SEQUENTIAL),
    ),
    "dong2020/unequal": (
        "dong2020/adaptive.eps",
        (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.QUERIES_IN_ADVANCE, _H.SEQUENTIAL),
    ),
    "dong2020/prop4": ("dong2020/prop4.eps", (_H.BOUNDED_RANGE_ROUNDS, _H.FIXED_PARAMETERS, _H.SEQUENTIAL)),
    "gdp/composition": ("gdp/composition.eps", (_H.GAUSSIAN_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP)),
    "zdw2022/thm10": ("zdw2022/thm10.eps", (_H.KNOWN_LAWS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP)),
    "zdw2022/poisson_gaussian": (
        "zdw2022/poisson_gaussian.eps",
        (_H.SAMPLED_ROUNDS, _H.POISSON_SAMPLING, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "chua2024b/truncated": (
        "chua2024b/truncated.eps", (_H.TRUNCATED_SAMPLES, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "rogers2016/thm5.1": (
        "rogers2016/thm5.1.bound", (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP),
    ),
    "hartmann2022/def19": (
        "hartmann2022/alg1.least_eps", (_H.OUTPUT_DP_ROUNDS, _H.OUTPUT_BUDGET, _H.SEQUENTIAL),
    ),
    "feldman2021/renyi_filter": (
        "cks2020/rdp2dp.eps", (_H.RDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.TUNING_IN_ADVANCE, _H.CONCURRENT_RDP),
    ),
    "feldman2021/response_filter": (
        "rswr2023/ex_post_filter.least_eps",
        (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.TUNING_IN_ADVANCE, _H.CONCURRENT_DP),
    ),
    "lecuyer2021/renyi_grid_filter": (
        "cks2020/rdp2dp.eps", (_H.RDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.TUNING_IN_ADVANCE, _H.CONCURRENT_RDP),
    ),
}  # fmt: skip

RHO: dict[str, tuple[str, tuple[Hypothesis, ...]]] = {
    "whitehouse2023/thm1": (
        "whitehouse2023/thm1.rho", (_H.ZCDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP),
    ),
    "whitehouse2023/thm1.tight": (
        "whitehouse2023/thm1.tight.rho", (_H.ZCDP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_ZCDP),
    ),
}  # fmt: skip

MU: dict[str, tuple[str, tuple[Hypothesis, ...]]] = {
    "gdp/composition": ("gdp/composition.mu", (_H.GAUSSIAN_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP)),
}  # fmt: skip

#: The filters, and whether the delta of each was split in advance.
FILTERS = {
    "rogers2016/thm3.3": False,
    "whitehouse2023/thm2": True,
    "whitehouse2023/lem1": True,
    "cks2020/zcdp2dp": True,
    "gdp/composition": False,
    "hartmann2022/alg1": False,
    "rswr2023/ex_post_filter": True,
    "whitehouse2023/thm1": False,
    "rogers2016/thm5.1": False,
    "hartmann2022/def19": False,
    "feldman2021/renyi_filter": True,
    "feldman2021/response_filter": True,
    "lecuyer2021/renyi_grid_filter": True,
}

#: The orders of lecuyer2021/renyi_grid_filter as a replay has them.
GRID_ORDERS = (Fraction(3, 2), *map(Fraction, (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512)))

#: What is said of mechanisms that answer once, of concurrent interactive ones: by hypothesis, the theorem.
LIFTS = {
    _H.CONCURRENT_DP: "haney2023/concurrent.dp",
    _H.CONCURRENT_RDP: "haney2023/concurrent.renyi",
    _H.CONCURRENT_ZCDP: "haney2023/concurrent.renyi",
}

CONVERSIONS = ("whitehouse2023/lem1", "cks2020/zcdp2dp")

LOWER_EPSILON = {
    "kov2015/optimal.delta",
    "mv2016/optimal.delta",
    "dong2020/thm3.delta",
    "dong2020/intervals.delta",
    "cks2020/gaussian_witness.delta",
    "cks2020/two_point_witness.delta",
    "zdw2022/thm10.delta",
    "zdw2022/poisson_gaussian.delta",
    "chua2024/shuffled.delta",
    "chua2024b/truncated.least",
}

LOWER_RHO = {"cks2020/gaussian_witness.rho"}


def check_theorem(bound: Mapping[str, Any], claim: Mapping[str, Any], verdict: str) -> str:
    """The statement is the theorem's own, of the claim's kind, and the theorem is the one that the claim names."""
    by, id = bound["by"], bound["statement"]
    wanted, hypotheses = theorems_for(claim).get(by, ("", ()))
    if wanted != id:
        raise Mismatch(f"{id} is not what {by} gives for this kind of claim")
    if bound["hypotheses"] != [hypothesis.value for hypothesis in hypotheses]:
        raise Mismatch(f"these are not the hypotheses of {by}")
    named = claim.get("by")
    if named is not None and not (named == by or (named.startswith(by + ".") and f"{id}.".startswith(named + "."))):
        raise Mismatch(f"the claim is by {named}, the bound by {by}")
    return "" if verdict == "confirmed" else "the verdict speaks of the listed theorems only"


def theorems_for(claim: Mapping[str, Any]) -> dict[str, tuple[str, tuple[Hypothesis, ...]]]:
    """The theorems that bound what the claim speaks of."""
    return EPSILON if "epsilon" in claim else RHO if "rho" in claim else MU


def lower_target(claim: Mapping[str, Any]) -> Fraction:
    """What a lower bound is held against: the delta, the rho, or the rho that mu-GDP has, mu^2/2."""
    if "epsilon" in claim:
        return rational(claim.get("delta", "0"), "certificate.claim.delta")
    return claimed_number(claim) if "rho" in claim else claimed_number(claim) ** 2 / 2


def claimed_number(claim: Mapping[str, Any]) -> Fraction:
    key = next(name for name in ("epsilon", "rho", "mu") if name in claim)
    return rational(claim[key], f"certificate.claim.{key}")
