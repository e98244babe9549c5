"""Group privacy of zCDP: rho grows with the square of the group, as the distance of two Gaussians does.

Hypotheses: rho-zCDP, without an approximation. Source: Proposition 1.9.
"""

import sympy as sp

from proofs.transcription import Transcription

rho = sp.Symbol("rho", nonnegative=True)
k = sp.Symbol("k", integer=True, positive=True)

PROVES = (Transcription("bs2016/prop1.9.rho", lambda rho, k: k**2 * rho, ({"rho": rho, "k": k},), "every rho, k >= 1"),)
