"""(eps, delta)-DP implies (2 eps, 2 delta/(eps e^eps))-pDP, as printed; false (E1).

Hypotheses: eps > 0. Source: Lemma 2, printed in full.
"""

import sympy as sp

from proofs.transcription import Transcription

PROVES = (
    Transcription(
        "whitehouse2023/lem2.printed",
        lambda eps, delta: 2 * delta / (eps * sp.exp(eps)),
        ({"eps": sp.Symbol("eps", positive=True), "delta": sp.Symbol("delta", nonnegative=True)},),
        "every eps > 0, delta",
    ),
)
