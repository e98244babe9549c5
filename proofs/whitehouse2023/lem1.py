"""(eps, delta)-DP implies delta-approximate (eps^2/2)-zCDP; delta-approximate rho-zCDP implies
(rho + 2 sqrt(rho log(1/delta')), delta + (1 - delta) delta')-DP.

Sharpened: every (eps, delta)-DP mechanism is delta*-approximate rho-zCDP with delta* = delta + (1 - delta)
(e^eps - e^x)/(1 + e^eps), x tanh(x/2) = rho, or delta* = delta where eps tanh(eps/2) <= rho.

Hypotheses: delta' in (0, 1]. Source: Lemma 1 ("ln" there is natural); ours.
"""

import sympy as sp

from proofs.transcription import Root, Transcription, proper_fraction

eps = sp.Symbol("eps", nonnegative=True)
rho = sp.Symbol("rho", nonnegative=True)
delta = sp.Symbol("delta", nonnegative=True)


def least_delta(root, eps, delta, rho):
    """Randomized response of x <= eps is x tanh(x/2)-zCDP; the rest of its mass is lost."""

    def excess(x):
        return x * sp.tanh(x / 2) - rho

    if excess(eps) <= 0:
        return delta
    x = root(excess)
    return delta + (1 - delta) * (sp.exp(eps) - sp.exp(x)) / (1 + sp.exp(eps))


PROVES = (
    Root(
        "whitehouse2023/lem1.dp2zcdp.least_delta",
        least_delta,
        sp.Symbol("x", positive=True),
        tuple(
            {"eps": sp.Symbol("eps", positive=True), "delta": d, "rho": sp.Symbol("rho", positive=True)}
            for d in (proper_fraction("t"), sp.S.Zero)
        ),
        "every eps, rho > 0, delta in [0, 1)",
    ),
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
