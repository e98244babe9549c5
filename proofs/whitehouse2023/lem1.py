"""(eps, delta)-DP implies delta-approximate (eps^2/2)-zCDP; delta-approximate rho-zCDP implies
(rho + 2 sqrt(rho log(1/delta')), delta + (1 - delta) delta')-DP.

Hypotheses: delta' in (0, 1]. Source: Lemma 1 ("ln" there is natural).
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

eps = sp.Symbol("eps", nonnegative=True)
rho = sp.Symbol("rho", nonnegative=True)
delta = sp.Symbol("delta", nonnegative=True)

PROVES = (
    Transcription(
        "whitehouse2023/lem1.dp2zcdp.rho", lambda eps: sp.Rational(1, 2) * eps**2, ({"eps": eps},), "every eps >= 0"
    ),
    Transcription(
        "whitehouse2023/lem1.zcdp2dp.eps",
        lambda rho, delta_prime: rho + 2 * sp.sqrt(rho * sp.log(1 / delta_prime)),
        tuple({"rho": rho, "delta_prime": d} for d in (proper_fraction("t"), sp.S.One)),
        "every rho >= 0, delta' in (0, 1]",
    ),
    Transcription(
        "whitehouse2023/lem1.zcdp2dp.delta",
        lambda delta, delta_prime: delta + (1 - delta) * delta_prime,
        ({"delta": delta, "delta_prime": sp.Symbol("delta_prime", positive=True)},),
        "every delta, delta'",
    ),
)
