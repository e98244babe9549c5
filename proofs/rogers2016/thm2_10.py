"""Advanced composition of k rounds with the same (eps, delta): eps_g = eps (e^eps - 1) k + eps sqrt(2 k log(1/delta^)),
at delta_g = k delta + delta^.

Hypotheses: parameters fixed and equal, delta^ in (0, 1]. Source: Theorem 2.10.
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

eps = sp.Symbol("eps", nonnegative=True)
k = sp.Symbol("k", integer=True, nonnegative=True)


def eps_g(eps, k, delta_hat):
    return eps * (sp.exp(eps) - 1) * k + eps * sp.sqrt(2 * k * sp.log(1 / delta_hat))


PROVES = (
    Transcription(
        "rogers2016/thm2.10.eps_g",
        eps_g,
        ({"eps": eps, "k": k, "delta_hat": proper_fraction("t")}, {"eps": eps, "k": k, "delta_hat": sp.S.One}),
        "every eps >= 0, k >= 0, delta^ in (0, 1]",
    ),
    Transcription(
        "rogers2016/thm2.10.delta",
        lambda delta, k, delta_hat: k * delta + delta_hat,
        ({"delta": proper_fraction("d"), "k": k, "delta_hat": proper_fraction("t")},),
        "every delta, delta^ in (0, 1), k >= 0",
    ),
)
