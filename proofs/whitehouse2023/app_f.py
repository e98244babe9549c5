"""An (eps, delta)-DP bit that is not (eps, delta)-pDP: its loss is
log( (delta + (1-delta) e^eps/(1+e^eps)) / ((1-delta)/(1+e^eps)) ) on the event {1}.

Hypotheses: eps >= 0, delta in (0, 1). Source: Appendix F, the line before "= log((delta + e^eps)/(1 - delta))".
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

eps = sp.Symbol("eps", nonnegative=True)


def loss(eps, delta):
    top = delta + (1 - delta) * sp.exp(eps) / (1 + sp.exp(eps))
    return sp.log(sp.simplify(top / ((1 - delta) / (1 + sp.exp(eps)))))


PROVES = (
    Transcription(
        "whitehouse2023/appF.probability",
        lambda eps, delta: (1 - delta) * sp.exp(eps) / (1 + sp.exp(eps)) + delta,
        ({"eps": eps, "delta": proper_fraction("t")},),
        "every eps >= 0, delta in (0, 1)",
    ),
    Transcription(
        "whitehouse2023/appF.loss",
        loss,
        tuple({"eps": eps, "delta": d} for d in (proper_fraction("t"), sp.S.Zero)),
        "every eps >= 0, delta in [0, 1)",
    ),
)
