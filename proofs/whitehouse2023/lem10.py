"""The expected privacy loss of an eps-DP algorithm is at most eps^2/2; randomized response attains
eps (e^eps - 1)/(e^eps + 1), which is the least bound.

Hypotheses: eps-DP. Source: Lemma 10 (Proposition 3.3 of Bun and Steinke 2016); the tight value in equation (2).
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", nonnegative=True)

PROVES = (
    Transcription("whitehouse2023/lem10.kl_bound", lambda eps: eps**2 / 2, ({"eps": eps},), "every eps >= 0"),
    Transcription(
        "whitehouse2023/lem10.kl_tight",
        lambda eps: eps * (sp.exp(eps) / (1 + sp.exp(eps)) - 1 / (1 + sp.exp(eps))),
        ({"eps": eps},),
        "every eps >= 0",
    ),
)
