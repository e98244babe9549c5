"""Time-uniform boundaries. Mixture (Theorem 5): sqrt(2 (V + gamma) log(1/delta sqrt((V + gamma)/gamma))). Stitched
(Theorem 6): 1.7 sqrt(V (log log(2V/v0) + .72 log(5.2/delta))) on V >= v0.

Hypotheses: gamma, v0 > 0; delta in (0, 1) (Theorem 5 says "any delta > 0", which leaves its domain, E26a). Source:
Theorems 5, 6.
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

V = sp.Symbol("V", nonnegative=True)
gamma = sp.Symbol("gamma", positive=True)
v0 = sp.Symbol("v0", positive=True)
delta = proper_fraction("t")


def mixture(V, gamma, delta):  # noqa: N803
    return sp.sqrt(2 * (V + gamma) * sp.log(1 / delta * sp.sqrt((V + gamma) / gamma)))


def stitched(V, v0, delta):  # noqa: N803
    if v0 > V:
        return "refused"
    inner = sp.log(sp.log(2 * V / v0)) + sp.Rational(72, 100) * sp.log(sp.Rational(52, 10) / delta)
    return sp.Rational(17, 10) * sp.sqrt(V * inner)


PROVES = (
    Transcription(
        "whitehouse2023/thm5.boundary",
        mixture,
        ({"V": V, "gamma": gamma, "delta": delta},),
        "every V >= 0, gamma > 0, delta in (0, 1)",
    ),
    Transcription(
        "whitehouse2023/thm6.boundary",
        stitched,
        ({"V": sp.Symbol("V", positive=True), "v0": v0, "delta": delta},),
        "every V, v0 > 0, delta in (0, 1)",
    ),
)
