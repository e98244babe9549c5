"""An eps-bounded-range mechanism is eps^2/8-zCDP: its losses lie in an interval of width eps, so that the cumulant K of
the loss, which is 0 at 0 and -1, has K'' <= eps^2/4, and K(s)/s <= (s + 1) eps^2/8.

Hypotheses: bounded range, any two outputs' losses differ by at most eps. Source: Cesar, Rogers 2021 (arXiv 2004.07223).
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", nonnegative=True)

PROVES = (
    Transcription(
        "cesar2021/br2zcdp.rho", lambda eps: sp.Rational(1, 2) * (eps / 2) ** 2, ({"eps": eps},), "every eps >= 0"
    ),
)
