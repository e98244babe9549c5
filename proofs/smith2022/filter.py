"""The Gaussian-DP filter halts once the profile of sqrt(sum mu_i^2)-Gaussian DP at eps_g exceeds delta_g.

Hypotheses: Gaussian-DP rounds, a budget fixed in advance. Source: as in the seed papers' related work (squares of mu
add
up under adaptive choice); the profile is Corollary 1 of Dong, Roth, Su 2019.
"""

import sympy as sp

from proofs.gdp.cor1 import delta
from proofs.transcription import Transcription, proper_fraction, rounds, total

eps_g = sp.Symbol("eps_g", nonnegative=True)


def decision(mu, eps_g, delta_g):
    square = total(c * m**2 for m, c in mu)
    if square == 0:
        return "CONT"
    return "HALT" if delta(sp.sqrt(square), eps_g) > delta_g else "CONT"


PROVES = (
    Transcription(
        "smith2022/filter.decision",
        decision,
        tuple(
            {"mu": rounds("m", n, lowest="positive"), "eps_g": eps_g, "delta_g": proper_fraction("t")} for n in range(3)
        ),
        "lists of any length with up to 2 different mu, ties included",
        "cases",
    ),
)
