"""An adaptive DP-SGD filter: sampling rates and noise multipliers chosen on the way, charged at one fixed order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, cast

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.guarantees.conversions import conversion_cost
from privref.guarantees.model import RenyiDP
from privref.profiles.subsampled import poisson_gaussian_delta_statement
from privref.profiles.subsampled_renyi import MOST_ORDER, renyi
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import POSITIVE, PROBABILITY, OpenProbability, Positive, Probability, Whole, one
from privref.statements.registry import Result, implements

_CHARGE_BITS = 96


@implements(
    "mtz2019/sgd_filter.decision",
    kind="exact",
    cites="the moment at a whole order, in the Renyi filter of Feldman and Zrnic 2021",
    hypotheses=(Hypothesis.POISSON_SAMPLING, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def sgd_filter_decision(
    ar: Arithmetic,
    order: Annotated[int, Whole(2)],
    q: Sequence[Probability],
    sigma: Sequence[Positive],
    steps: Sequence[int],
    eps_g: Fraction,
    delta_g: OpenProbability,
) -> Result:
    """Whether a filter for DP-SGD lets the last of these steps run, whose rates and noise were chosen on the way.

    mtz2019/sgd_filter.decision: HALT iff the sum of steps_i times mtz2019/poisson_gaussian.renyi(q_i, sigma_i) at the
    order, which is fixed in advance, converts (cks2020/rdp2dp.eps at delta_g) to more than eps_g. What runs is (eps_g,
    delta_g)-DP, by feldman2021/renyi_filter: q_i and sigma_i may depend on the gradients that were released. The moment
    is that of a record's removal, the larger of both directions (proofs/mtz2019/sgd_filter.py, for every order > 1).
    """
    if not len(q) == len(sigma) == len(steps):
        raise InputError("steps", f"{len(steps)} values", f"give one for each of the {len(q)} rates and multipliers")

    def converted(inner: Arithmetic) -> Scalar:
        parts = [n * inner.real(_number(renyi(inner, r, s, order))) for r, s, n in zip(q, sigma, steps, strict=True)]
        return (
            inner.sum(parts) + conversion_cost(inner, order, delta_g)
            if parts
            else conversion_cost(inner, order, delta_g)
        )

    # No tie of these transcendental numbers with a rational is known to be impossible: the ladder's cap guards it.
    return "HALT" if decide.exceeds(converted, lambda inner: eps_g, ar) else "CONT"


@implements(
    "zdw2022/base_filter.decision",
    kind="exact",
    cites="Theorems 10 and 11: every round is dominated by one of the base",
    hypotheses=(Hypothesis.POISSON_SAMPLING, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def base_filter_decision(
    ar: Arithmetic,
    base_q: Probability,
    base_sigma: Positive,
    q: Sequence[Probability],
    sigma: Sequence[Positive],
    steps: Sequence[int],
    eps_g: Fraction,
    delta_g: OpenProbability,
) -> Result:
    """Whether a filter that counts rounds of a base lets the last of these DP-SGD steps run.

    zdw2022/base_filter.decision: HALT iff a step has a rate above base_q or a noise multiplier below base_sigma, which
    were fixed in advance, or zdw2022/poisson_gaussian.delta of as many base rounds is above delta_g at eps_g. Whatever
    rates and noise were chosen on the way, each step is dominated by a base round, and all of them by their product:
    no rounds at all are lost against parameters that were fixed (proofs/zdw2022/base_filter.py). A step without records
    (q = 0) counts as none.
    """
    if not len(q) == len(sigma) == len(steps):
        raise InputError("steps", f"{len(steps)} values", f"give one for each of the {len(q)} rates and multipliers")
    ran = [(r, s, n) for r, s, n in zip(q, sigma, steps, strict=True) if r > 0 and n > 0]
    if any(r > base_q or s < base_sigma for r, s, _ in ran):
        return "HALT"
    count = sum(n for _, _, n in ran)

    def spent(inner: Arithmetic) -> Scalar:
        return _number(poisson_gaussian_delta_statement(inner, base_q, base_sigma, count, eps_g))

    return "HALT" if decide.exceeds(spent, lambda inner: delta_g, decide.enclosing(ar)) else "CONT"


def _number(result: Result) -> Scalar:
    if isinstance(result, str):
        raise InputError("order", result, "give a whole order")
    return result


@lru_cache(maxsize=4096)
def charge(q: Fraction, sigma: Fraction, order: int) -> Fraction:
    """What one step costs at a whole order: its divergence, rounded up by less than 2^-96."""
    width = Fraction(1, 2 ** (_CHARGE_BITS + 8))
    found = decide.enclose(lambda ar: _number(renyi(ar, q, sigma, order)), decide.engine("arb", 256), width)
    return Fraction(math.ceil(found.upper * 2**_CHARGE_BITS), 2**_CHARGE_BITS)


def sgd_guarantee(q: Fraction, sigma: Fraction, orders: Sequence[Fraction]) -> RenyiDP:
    """What one step guarantees at those of the orders that are whole, each rounded up by less than 2^-96.

    For the Renyi filters: ``renyi-filter`` with one of the orders, ``renyi-grid-filter`` with all of them.
    """
    one("q", PROBABILITY).read(q)
    one("sigma", POSITIVE).read(sigma)
    kept = [int(order) for order in orders if order.denominator == 1 and 2 <= order <= MOST_ORDER]
    if not kept:
        raise InputError("orders", ", ".join(map(str, orders)) or "(none)", f"give whole ones from 2 to {MOST_ORDER}")
    return RenyiDP(tuple((Fraction(order), charge(q, sigma, order)) for order in kept))


def order_for_steps(q: Fraction, sigma: Fraction, eps: Fraction, delta: Fraction) -> int:
    """The whole order up to 512 that lets the most equal steps run: a choice for what is planned, valid for all."""

    def steps(order: int) -> Fraction:
        left = (
            eps
            - decide.enclose(
                lambda ar: conversion_cost(ar, Fraction(order), delta), decide.engine("arb"), Fraction(1, 2**40)
            ).upper
        )
        cost = charge(q, sigma, order)
        return left / cost if cost else left

    orders = cast("list[int]", [*range(2, 33), *range(34, 129, 2), *range(136, 513, 8)])
    return max(orders, key=steps)
