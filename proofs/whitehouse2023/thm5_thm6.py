"""Time-uniform boundaries. Mixture (Theorem 5): sqrt(2 (V + gamma) log(1/delta sqrt((V + gamma)/gamma))). Stitched
(Theorem 6): 1.7 sqrt(V (log log(2V/v0) + .72 log(5.2/delta))) on V >= v0.

One-sided mixture (ours): sqrt(V + gamma) z with z^2/2 + log(2 Phi(z)) = log(1/delta sqrt((V + gamma)/gamma)).

Hypotheses: gamma, v0 > 0; delta in (0, 1) (Theorem 5 says "any delta > 0", which leaves its domain, E26a). Source:
Theorems 5, 6.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import At, Chart, Claim, Root, Sum, Tail, Transcription, proper_fraction

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


def one_sided(root, V, gamma, delta):  # noqa: N803
    """The mixture over l = |N(0, 1/gamma)| of exp(l M - l^2 V/2), equal to 1/delta at M = sqrt(V + gamma) z."""

    def mixed(z):
        level = sp.sqrt((V + gamma) / gamma) / delta
        return z**2 / 2 + sp.log(1 + sp.erf(z / sp.sqrt(2))) - sp.log(level)

    return sp.sqrt(V + gamma) * root(mixed)


def density(z):
    return sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)


z = sp.Symbol("z", real=True)
BELOW = (1 + sp.erf(z / sp.sqrt(2))) / 2
#: Phi(z) > 0, and Mills: z Phi(z) + phi(z) > 0, on the whole line.
MIDDLE = Chart({sp.Symbol("y", real=True): (Fraction(-3), Fraction(3))}, {z: sp.Symbol("y", real=True)})
LINE = {z: (-sp.oo, sp.oo)}
CDF = Claim("Phi(z) > 0", BELOW, LINE, (MIDDLE, Tail(z, Fraction(3), sp.oo), Tail(z, Fraction(-3), -sp.oo)))


def one_sided_slope(z_, **inputs):
    """z + phi(z)/Phi(z), a sum of positive terms for z > 0."""
    return (Sum(((z_, At(CDF, {z: z_})), (density(z_),))),), (At(CDF, {z: z_}),)


# V >= 0 and delta in (0, 1) so that SymPy sees log((V + gamma)/gamma) and log(1/delta): every pair is one of these.
w = sp.Symbol("w", nonnegative=True)
s = sp.Symbol("s", positive=True)
ONE_SIDED = (
    "every V >= 0, gamma > 0, delta in (0, 1): the same root of the same equation; the only one, by a cover of the line"
)

PROVES = (
    *(
        Root(
            id,
            rule,
            sp.Symbol("x", positive=True),
            ({"V": gamma * sp.exp(w) - gamma, "gamma": gamma, name: sp.exp(-(s**2) / 2)},),
            ONE_SIDED,
            lambda z_, **inputs: one_sided_slope(z_),
            status="enclosed",
        )
        for id, name, rule in (
            ("whitehouse2023/thm5.one_sided", "delta", one_sided),
            (
                "whitehouse2023/thm3.one_sided",
                "delta_prime",
                lambda root, V, gamma, delta_prime: one_sided(root, V, gamma, delta_prime) + V / 2,  # noqa: N803
            ),
        )
    ),
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
