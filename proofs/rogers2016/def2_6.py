"""Randomized response RR(epsilon, delta): on input 0 it outputs 0 with probability delta, "top" with probability
(1-delta) e^eps/(1+e^eps), "bottom" with probability (1-delta)/(1+e^eps), and never 1.

Hypotheses: eps, delta >= 0, delta <= 1. Source: Definition 2.6 (the fraction after "(1 - delta)" is cut in extraction
a; Definition 7 of Whitehouse et al. and Lemma 12 of Hartmann et al. print it in full).
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

eps = sp.Symbol("eps", nonnegative=True)


def p_top(eps, delta):
    return (1 - delta) * sp.exp(eps) / (1 + sp.exp(eps))


def p_bottom(eps, delta):
    return (1 - delta) / (1 + sp.exp(eps))


PROVES = (
    Transcription(
        "rogers2016/def2.6.p_bottom",
        p_bottom,
        tuple({"eps": eps, "delta": d} for d in (proper_fraction("t"), sp.S.Zero, sp.S.One)),
        "every eps >= 0, delta in [0, 1]",
    ),
    Transcription(
        "rogers2016/def2.6.p_top",
        p_top,
        tuple({"eps": eps, "delta": d} for d in (proper_fraction("t"), sp.S.Zero, sp.S.One)),
        "every eps >= 0, delta in [0, 1]",
    ),
)
