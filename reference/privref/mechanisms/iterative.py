"""Iterative mechanisms that may stop early (Hartmann et al. 2022, Algorithm 3), and the rounds they are made of.

An iterative mechanism may stop after k_1 < … < k_n rounds; a cell is the number of rounds run. Its delta comes from
hartmann2022/lem11 with any composition theorem or from hartmann2022/thm15 (``privref.composition``).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.guarantees.model import OutputDP
from privref.guarantees.output_dp import partition_from_rule
from privref.guarantees.randomized_response import p_top
from privref.statements.params import Probability
from privref.statements.registry import implements


def iterative(k: Sequence[int], E: Sequence[Fraction], delta: Fraction) -> OutputDP:
    """The guarantee of an iterative mechanism: stopping after k_i rounds costs E_i, whole delta."""
    return OutputDP(partition_from_rule({"rule": "iterations", "k": list(k), "E": list(E)}, "iterative"), delta)


def likely(growth: Real | Fraction, delta: Fraction) -> Scalar:
    """(1 - delta) x/(1 + x): the probability of randomized response's likelier two-sided symbol, x = e^eps."""
    return (1 - delta) * growth / (1 + growth)


def unlikely(growth: Real | Fraction, delta: Fraction) -> Scalar:
    """(1 - delta)/(1 + x): the probability of randomized response's less likely two-sided symbol, x = e^eps."""
    return (1 - delta) / (1 + growth)


@implements("hartmann2022/lem12.p1", kind="exact", cites="Lemma 12 (Kairouz, Oh, Viswanath 2015)")
def symbol_one(ar: Arithmetic, eps: Fraction, delta: Probability) -> Scalar:
    """The probability of the symbol 1 of randomized response on the input 0.

    hartmann2022/lem12.p1: Hartmann et al. 2022, Lemma 12: (1 - delta) e^eps/(1 + e^eps). The symbols 0, 1, 2, 3 have
    probabilities (delta, this, (1 - delta)/(1 + e^eps), 0) on the input 0, and the reverse on the input 1.
    """
    return p_top(ar, eps, delta) if eps else (1 - delta) / 2
