"""A martingale with predictable ranges leaves the radius sqrt((U^2/4 + beta)(2 + log(U^2/(4 beta) + 1)) log(1/delta))
with probability at most delta, where U^2 is the sum of the squared ranges and beta > 0 is fixed.

Hypotheses: beta > 0, 0 < delta <= 1/e. Source: Theorem 4.1.
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

U2 = sp.Symbol("U2", nonnegative=True)
beta = sp.Symbol("beta", positive=True)
over = sp.Symbol("over", nonnegative=True)


def radius(U2, beta, delta):  # noqa: N803
    return sp.sqrt((U2 / 4 + beta) * (2 + sp.log(U2 / (4 * beta) + 1)) * sp.log(1 / delta))


def additive(U2, beta, delta):  # noqa: N803
    return sp.sqrt(2 * (U2 / 4 + beta) * (sp.log(1 / delta) + sp.Rational(1, 2) * sp.log(U2 / (4 * beta) + 1)))


PROVES = (
    Transcription(
        "rogers2016/thm4.1.additive",
        additive,
        ({"U2": U2, "beta": beta, "delta": proper_fraction("t")},),
        "every U^2 >= 0, beta > 0, delta in (0, 1); the formula is ours, derived in proofs/derivations/rogers.py",
    ),
    Transcription(
        "rogers2016/thm4.1.radius",
        radius,
        ({"U2": U2, "beta": beta, "delta": sp.exp(-1 - over)},),
        "every U^2 >= 0, beta > 0, delta in (0, 1/e]",
    ),
)
