"""The Brownian mechanism releases f(x) + B(t) at decreasing times t, chosen on the way; the step from t to t' is a
Gaussian round of its own, of variance 1/(1/t' - 1/t), and the first one has variance t. Each is
(sensitivity^2/2)/variance zCDP, and zCDP of rounds chosen on the way adds up.

Hypotheses: times decrease; each is chosen by what was released before. Source: Whitehouse et al. 2022 (the mechanism);
that its steps are Gaussian rounds is proved in proofs/derivations/ex_post.py.
"""

from itertools import pairwise

import sympy as sp

from proofs.transcription import Transcription

Delta = sp.Symbol("Delta", nonnegative=True)
t = [sp.Symbol(f"t{i}", positive=True) for i in range(3)]


def rho(sensitivity, variance):
    if any(not after < before for before, after in pairwise(variance)):
        return "refused"
    cost = sp.S.Zero
    for i, now in enumerate(variance):
        own = now if i == 0 else 1 / (1 / now - 1 / variance[i - 1])
        cost += sensitivity**2 / (2 * own)
    return cost


PROVES = (
    Transcription(
        "whitehouse2022/brownian.rho",
        rho,
        tuple({"sensitivity": Delta, "variance": tuple(t[:n])} for n in range(4)),
        "every sensitivity >= 0, up to 3 variances in any order",
        "cases",
    ),
)
