"""The Renyi filter of one order alpha > 1: it halts once the sum of the deltas exceeds delta'', or the sum of the
epsilons at alpha exceeds what converts to (eps_g, delta')-DP, where a total of t at alpha is (t + log(1 - 1/alpha) +
log(1/(alpha delta'))/(alpha - 1), delta')-DP.

Hypotheses: delta-approximate Renyi DP of that order, known before each round; a budget fixed in advance. Source:
Feldman and Zrnic 2021 for the filter, Canonne, Kamath, Steinke 2020, Proposition 12, for the conversion.
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction, rounds, total

alpha = 1 + sp.Symbol("a", positive=True)
eps_g = sp.Symbol("eps_g", nonnegative=True)


def converted(order, cost, delta):
    return cost + sp.log(1 - 1 / order) + sp.log(1 / (order * delta)) / (order - 1)


def decision(order, eps_order, delta, eps_g, delta_prime, delta_pp):
    if total(c * d for d, c in delta) > delta_pp:
        return "HALT"
    return "HALT" if converted(order, total(c * e for e, c in eps_order), delta_prime) > eps_g else "CONT"


PROVES = (
    Transcription(
        "feldman2021/renyi_filter.decision",
        decision,
        tuple(
            {
                "order": alpha,
                "eps_order": rounds("e", n),
                "delta": rounds("d", n),
                "eps_g": eps_g,
                "delta_prime": proper_fraction("t"),
                "delta_pp": proper_fraction("s"),
            }
            for n in range(3)
        ),
        "lists of any length with up to 2 different values, ties included",
        "cases",
    ),
)
