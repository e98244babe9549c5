"""Randomized response with symbols 0, 1, 2, 3: on input 0, symbol 1 has probability (1-delta) e^eps/(1+e^eps).

Hypotheses: delta in [0, 1]. Source: Lemma 12.
"""

import sympy as sp

from proofs.transcription import Transcription

delta = sp.Symbol("delta", nonnegative=True)

PROVES = (
    Transcription(
        "hartmann2022/lem12.p1",
        lambda eps, delta: (1 - delta) * sp.exp(eps) / (1 + sp.exp(eps)),
        tuple({"eps": e, "delta": delta} for e in (sp.Symbol("eps", positive=True), sp.S.Zero)),
        "every eps >= 0, delta",
    ),
)
