"""mu-Gaussian DP is (eps, delta(eps))-DP exactly for delta(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2).

The inverse has no closed form: proved of the code is that delta(eps) is strictly decreasing, with derivative
-e^eps Phi(-eps/mu - mu/2), so that the root is the value. Hypotheses: mu >= 0, eps >= 0. Source: Corollary 1 of Dong,
Roth, Su 2019; the formula as in the seed papers' references.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property, Transcription, rounds, total, vanishes

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
    # Below the profile's value at 0 the answer is positive, however small; above it is exactly 0.
    assert code.enclosed(25, mu=Fraction(1, 10), delta=Fraction(1, 10)) == (0, 0)
    for m, d in (
        (Fraction(1, 10), Fraction(1, 1000)),
        (Fraction(1), Fraction(1, 10**6)),
        (Fraction(1, 2), Fraction(1, 1000)),
        (Fraction(3), Fraction(1, 10)),
    ):
        low, high = code.enclosed(25, mu=m, delta=d)
        at_low = sp.N(delta(sp.Rational(m), sp.Rational(low - (high - low))), 40)
        at_high = sp.N(delta(sp.Rational(m), sp.Rational(high + (high - low))), 40)
        assert at_high < sp.Rational(d) < at_low


def composed(mu, eps):
    if not mu:
        return sp.S.Zero
    return delta(sp.sqrt(total(c * m**2 for m, c in mu)), eps)


def straddles(code, target, increasing, **inputs):
    """The profile at both ends of the answer, moved outward by its width, lies on both sides of the target."""
    low, high = code.enclosed(25, **inputs)
    before = sp.N(target(sp.Rational(low - (high - low))), 40)
    after = sp.N(target(sp.Rational(high + (high - low))), 40)
    asked = sp.Rational(inputs["delta"])
    assert (before < asked < after) if increasing else (after < asked < before)


def composed_inverse(code):
    for mus, d in (
        (((Fraction(1), 2), (Fraction(1, 2), 3)), Fraction(1, 1000)),
        (((Fraction(2), 1),), Fraction(1, 10**6)),
    ):
        mu = sp.sqrt(sum(c * sp.Rational(m) ** 2 for m, c in mus))
        straddles(code, lambda e, mu=mu: delta(mu, e), False, mu=mus, delta=d)
    assert code.exact(mu=(), delta=Fraction(1, 10)) == 0


def largest_mu(code):
    """The profile increases with mu: its derivative is the normal density at mu/2 - eps/mu, which is positive."""
    slope = sp.diff(delta(mu, eps), mu)
    density = sp.exp(-((mu / 2 - eps / mu) ** 2) / 2) / sp.sqrt(2 * sp.pi)
    assert vanishes(sp.simplify(sp.expand(sp.simplify(slope - density), power_exp=True)))
    for e, d in ((Fraction(1), Fraction(1, 10**5)), (Fraction(0), Fraction(1, 10))):
        straddles(code, lambda m, e=e: delta(m, sp.Rational(e)), True, eps=e, delta=d)


PROVES = (
    Transcription(
        "gdp/composition.delta",
        composed,
        tuple({"mu": rounds("m", n, lowest="positive"), "eps": eps} for n in range(3)),
        "lists of any length with up to 2 different mu (Corollary 2: squares add up)",
        "cases",
    ),
    Property(
        "gdp/composition.eps", composed_inverse, "the profile straddles delta at 2 values; monotony as gdp/profile.eps"
    ),
    Property("gdp/profile.mu", largest_mu, "monotony in mu for all mu > 0; the profile straddles delta at 2 values"),
    Transcription("gdp/profile.delta", delta, ({"mu": mu, "eps": eps},), "every mu > 0, eps >= 0"),
    Property("gdp/profile.eps", inverse, "monotony for all mu > 0; the profile straddles delta at 3 values"),
)
