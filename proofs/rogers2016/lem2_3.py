"""Indistinguishable (eps, delta) implies pointwise indistinguishable with 2 eps and a delta' that the paper prints as
2 delta / (eps e^eps).

That is false (erratum E1). What holds, and is attained for small delta, is delta (1 + e^(-2 eps)) / (1 - e^(-eps)), a
probability, so at most 1. Proof: let A be where P > e^(2 eps) Q and B where Q > e^(2 eps) P. On A,
P(A) <= e^eps Q(A) + delta <= e^(-eps) P(A) + delta, so P(A) <= delta/(1 - e^(-eps)). On B,
P(B) <= e^(-2 eps) Q(B) <= e^(-2 eps) delta/(1 - e^(-eps)). The sum is the bound.

Hypotheses: eps > 0, delta in [0, 1]. Source: Lemma 2.3 ("(2 eps, 2 delta/(eps e^eps))-point-wise
indistinguishable"; extraction b drops the denominator, extraction a shows it as "efe"; Lemma 2 of Whitehouse et al.
prints it in full).
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

eps = sp.Symbol("eps", positive=True)
CASES = tuple({"eps": eps, "delta": d} for d in (proper_fraction("t"), sp.S.Zero, sp.S.One))


def printed(eps, delta):
    return 2 * delta / (eps * sp.exp(eps))


def corrected(eps, delta):
    return sp.Min(1, delta * (1 + sp.exp(-2 * eps)) / (1 - sp.exp(-eps)))


PROVES = (
    Transcription("rogers2016/lem2.3.printed", printed, CASES, "every eps > 0, delta in [0, 1]"),
    Transcription("rogers2016/lem2.3.corrected", corrected, CASES, "every eps > 0, delta in [0, 1]"),
    Transcription("whitehouse2023/lem2.corrected", corrected, CASES, "every eps > 0, delta in [0, 1]"),
    Transcription(
        "rogers2016/lem2.3.delta",
        lambda delta: delta,
        ({"delta": sp.Symbol("delta", nonnegative=True)},),
        "every delta: pointwise implies indistinguishable, both parameters kept",
    ),
)
