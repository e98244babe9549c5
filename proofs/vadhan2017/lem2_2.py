"""Group privacy of (eps, delta)-DP: P_0 <= e^eps P_1 + delta, k times one into the other.

The deltas of the steps are multiplied by e^eps as often as steps precede them: a geometric sum, which the lemma
then rounds up. Hypotheses: (eps, delta)-DP. Source: the proof of Lemma 2.2.
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", positive=True)
delta = sp.Symbol("delta", positive=True)


def hybrid(eps, delta, k):
    total = sp.S.Zero
    for _ in range(int(k)):
        total = sp.exp(eps) * total + delta
    return total


PROVES = (
    Transcription(
        "vadhan2017/lem2.2.delta",
        hybrid,
        (
            *({"eps": eps, "delta": delta, "k": sp.Integer(k)} for k in range(1, 6)),
            *({"eps": sp.S.Zero, "delta": delta, "k": sp.Integer(k)} for k in (1, 4)),
            {"eps": eps, "delta": sp.S.Zero, "k": sp.Integer(3)},
        ),
        "every eps, delta, groups of up to 5",
        "cases",
    ),
)
