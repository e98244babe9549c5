"""mu-Gaussian DP is (eps, delta(eps))-DP exactly for delta(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2).

The inverse has no closed form: proved of the code is that delta(eps) is strictly decreasing, with derivative
-e^eps Phi(-eps/mu - mu/2), so that the root is the value. Hypotheses: mu >= 0, eps >= 0. Source: Corollary 1 of Dong,
Roth, Su 2019; the formula as in the seed papers' references.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property, Transcription, vanishes

mu = sp.Symbol("mu", positive=True)
eps = sp.Symbol("eps", nonnegative=True)


def phi(z):
    return (1 + sp.erf(z / sp.sqrt(2))) / 2


def delta(mu, eps):
    return phi(-eps / mu + mu / 2) - sp.exp(eps) * phi(-eps / mu - mu / 2)


def inverse(code):
    slope = sp.diff(delta(mu, eps), eps)
    assert vanishes(sp.simplify(slope + sp.exp(eps) * phi(-eps / mu - mu / 2)))
    ours = code.helper("privref.guarantees.gaussian:gaussian_delta")(mu, eps)
    assert vanishes(ours - delta(mu, eps))
    for m, d in ((Fraction(1), Fraction(1, 10**6)), (Fraction(1, 2), Fraction(1, 1000)), (Fraction(3), Fraction(1, 10))):
        low, high = code.enclosed(25, mu=m, delta=d)
        at_low = sp.N(delta(sp.Rational(m), sp.Rational(low - (high - low))), 40)
        at_high = sp.N(delta(sp.Rational(m), sp.Rational(high + (high - low))), 40)
        assert at_high < sp.Rational(d) < at_low


PROVES = (
    Transcription("gdp/profile.delta", delta, ({"mu": mu, "eps": eps},), "every mu > 0, eps >= 0"),
    Property("gdp/profile.eps", inverse, "monotony for all mu > 0; the profile straddles delta at 3 values"),
)
