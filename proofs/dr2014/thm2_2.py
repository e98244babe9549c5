"""Group privacy of pure DP: every step along a chain of k neighbours costs eps.

Hypotheses: eps-DP. Source: Theorem 2.2.
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", nonnegative=True)
k = sp.Symbol("k", integer=True, positive=True)

PROVES = (Transcription("dr2014/thm2.2.eps", lambda eps, k: k * eps, ({"eps": eps, "k": k},), "every eps, k >= 1"),)
