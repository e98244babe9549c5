"""Basic composition with adaptively chosen parameters. The odometer reads infinity once the deltas add up to more than
delta_g, else the sum of the epsilons; the filter halts once either sum exceeds its budget, and goes on at equality.

Hypotheses: delta_i = 0 or randomized-response rounds for the loss statement (E2). Source: Theorem 3.3 ("> delta_g",
"> eps_g" in both extractions).
"""

import sympy as sp

from proofs.transcription import Transcription, listed, total

eps_g = sp.Symbol("eps_g", nonnegative=True)
delta_g = sp.Symbol("delta_g", nonnegative=True)


def pairs(values):
    return tuple((value, 1) for value in values)


def sums(eps, delta):
    return total(c * e for e, c in eps), total(c * d for d, c in delta)


def odometer(eps, delta, delta_g):
    eps_sum, delta_sum = sums(eps, delta)
    return "inf" if delta_sum > delta_g else eps_sum


def filter_(eps, delta, eps_g, delta_g):
    eps_sum, delta_sum = sums(eps, delta)
    return "HALT" if delta_sum > delta_g or eps_sum > eps_g else "CONT"


def cases(**budget):
    return tuple({"eps": pairs(listed("e", size)), "delta": pairs(listed("d", size)), **budget} for size in range(4))


PROVES = (
    Transcription(
        "rogers2016/thm3.3.odometer", odometer, cases(delta_g=delta_g), "up to 3 rounds, ties included", "cases"
    ),
    Transcription(
        "rogers2016/thm3.3.filter",
        filter_,
        cases(eps_g=eps_g, delta_g=delta_g),
        "up to 3 rounds, ties included",
        "cases",
    ),
)
