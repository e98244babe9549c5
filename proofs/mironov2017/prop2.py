"""Group privacy of Renyi DP: each doubling of the group halves the order and triples the epsilon.

Hypotheses: (alpha, eps)-Renyi DP with alpha >= 2^(c+1). Source: Proposition 2.
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", nonnegative=True)
c = sp.Symbol("c", integer=True, nonnegative=True)

PROVES = (
    Transcription(
        "mironov2017/prop2.eps", lambda eps, c: sp.Integer(3) ** c * eps, ({"eps": eps, "c": c},), "every eps, c >= 0"
    ),
)
