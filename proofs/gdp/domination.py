"""epsilon-DP and then Gaussian DP are Gaussian DP of a square where their total variation is at most that one's.

Hypotheses: any epsilon-DP round; what follows may depend on its answer and is Gaussian DP. Source: ours;
proofs/derivations/domination.py derives it.

Here both total variations are compared as they stand: 2 Phi(m/2) - 1, and that of randomized response and a Gaussian.
"""

import sympy as sp

from proofs.transcription import Transcription, phi

eps, after, gap = sp.symbols("eps after gap", positive=True)


def stated(eps, before, after):
    if eps == 0:
        return "CONT" if after <= before else "HALT"
    if after >= before:
        return "HALT"
    ours = 1 - 2 * phi(-sp.sqrt(before) / 2)
    v = sp.sqrt(after)
    rest = 1 if after == 0 else phi(eps / v - v / 2) + sp.exp(eps) * phi(-eps / v - v / 2)
    theirs = 1 - 2 * rest / (1 + sp.exp(eps))
    return "CONT" if theirs <= ours else "HALT"


PROVES = (
    Transcription(
        "gdp/domination.decision",
        stated,
        (
            {"eps": eps, "before": after + gap, "after": after},
            {"eps": eps, "before": gap, "after": sp.S.Zero},
            {"eps": eps, "before": after, "after": after + gap},
            {"eps": sp.S.Zero, "before": after, "after": gap},
        ),
        "every epsilon and both squares",
    ),
)
