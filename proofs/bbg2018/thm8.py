"""Amplification by Poisson sampling: with probability 1 - q the record is not there and nothing is lost.

Hypotheses: Poisson sampling, add-or-remove-one neighbours. Source: Theorem 8.
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", positive=True)
q = sp.Symbol("q", positive=True)
delta = sp.Symbol("delta", nonnegative=True)

PROVES = (
    Transcription(
        "bbg2018/thm8.eps",
        lambda eps, q: sp.log(1 + q * (sp.exp(eps) - 1)),
        ({"eps": eps, "q": q}, {"eps": sp.S.Zero, "q": q}),
        "every eps, q",
    ),
    Transcription("bbg2018/thm8.delta", lambda delta, q: q * delta, ({"delta": delta, "q": q},), "every delta, q"),
)
