"""Group privacy of Gaussian DP: k steps of mu are one of k mu.

Hypotheses: mu-Gaussian DP. Source: Theorem 2.14 of the arXiv version.
"""

import sympy as sp

from proofs.transcription import Transcription

mu = sp.Symbol("mu", nonnegative=True)
k = sp.Symbol("k", integer=True, positive=True)

PROVES = (Transcription("gdp/group.mu", lambda mu, k: k * mu, ({"mu": mu, "k": k},), "every mu, k >= 1"),)
