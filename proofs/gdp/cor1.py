"""mu-Gaussian DP is (eps, delta(eps))-DP exactly for delta(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2).

The inverses have no closed form: the code brackets the root of log(delta) - log(delta(eps)), or of delta(eps) - delta
as a function of mu. The first increases, by e^eps Phi(-eps/mu - mu/2)/delta(eps). Both parts of that fraction are
positive by a cover of the real line: Phi(-z) is, and so is phi(z) - z Phi(-z), by which Mills' ratio Phi(-z)/phi(z)
falls; delta(eps) is phi(eps/mu - mu/2) times the difference of two of its values. The second increases by a density.

Hypotheses: mu >= 0, eps >= 0. Source: Corollary 1 of Dong, Roth, Su 2019; the formula as in the seed papers'
references.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import (
    At,
    Chart,
    Claim,
    Drop,
    Property,
    Root,
    Tail,
    Transcription,
    phi,
    rounds,
    total,
    vanishes,
)

SLACK = sp.exp(-sp.Symbol("log_inverse", positive=True))
mu = sp.Symbol("mu", positive=True)
eps = sp.Symbol("eps", nonnegative=True)


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


z, y = sp.symbols("z y", real=True)
LINE = {z: (-sp.oo, sp.oo)}
MIDDLE = Chart({y: (Fraction(-3), Fraction(3))}, {z: y})


def density(z):
    return sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)


UPPER_TAIL = Claim("Phi(-z) > 0", phi(-z), LINE, (MIDDLE, Tail(z, Fraction(3), sp.oo), Tail(z, Fraction(-3), -sp.oo)))
MILLS = Claim(
    "phi(z) > z Phi(-z)",
    density(z) - z * phi(-z),
    LINE,
    (MIDDLE, Tail(z, Fraction(3), sp.oo, 1 / z), Tail(z, Fraction(-3), -sp.oo, -1 / z)),
)


def profile_inverse(root, mu, delta_g):
    """The least eps >= 0 at which the profile is at most delta_g."""
    if mu == 0 or delta_g == 1:
        return sp.S.Zero
    if delta_g == 0:
        return "inf"

    def shortfall(e):
        return sp.log(delta_g) - sp.log(delta(mu, e))

    return sp.S.Zero if shortfall(sp.S.Zero) >= 0 else root(shortfall)


def profile_slope(mu, e):
    """e^eps Phi(-eps/mu - mu/2) over the profile, which is phi(a) times what Mills' ratio falls by from a to a + mu."""
    a = e / mu - mu / 2
    profile = Drop(MILLS, 1 / density(z), phi(-z) / density(z), a, a + mu, density(a))
    return (sp.exp(e), At(UPPER_TAIL, {z: a + mu})), (profile,)


profile = delta


def composed_square_root(mu):
    return sp.sqrt(total(c * m**2 for m, c in mu))


PROVES = (
    Root(
        "gdp/profile.eps",
        lambda root, mu, delta: profile_inverse(root, mu, delta),
        sp.Symbol("x", positive=True),
        tuple({"mu": m, "delta": d} for m, d in ((mu, SLACK), (sp.S.Zero, SLACK), (mu, sp.S.Zero), (mu, sp.S.One))),
        "every mu >= 0, delta in [0, 1]: the same root of the same equation; the only one, by a cover of the real line",
        lambda e, mu, delta: profile_slope(mu, e),
        status="enclosed",
    ),
    Root(
        "gdp/composition.eps",
        lambda root, mu, delta: profile_inverse(root, composed_square_root(mu) if mu else sp.S.Zero, delta),
        sp.Symbol("x", positive=True),
        tuple({"mu": rounds("m", n, lowest="positive"), "delta": SLACK} for n in range(3)),
        "lists of any length with up to 2 different mu, every delta in (0, 1): as gdp/profile.eps",
        lambda e, mu, delta: profile_slope(composed_square_root(mu), e),
        lambda mu, delta: composed_square_root(mu),
        status="cases",
    ),
    Root(
        "gdp/profile.mu",
        lambda root, eps, delta: root(lambda m: profile(m, eps) - delta),
        sp.Symbol("x", positive=True),
        ({"eps": eps, "delta": SLACK},),
        "every eps >= 0, delta in (0, 1): the same root of the same equation, by SymPy, and the only one",
        lambda m, eps, delta: ((density(m / 2 - eps / m),), ()),
    ),
    Transcription(
        "gdp/composition.mu",
        lambda mu: composed_square_root(mu) if mu else sp.S.Zero,
        tuple({"mu": rounds("m", n, lowest="positive")} for n in range(3)),
        "lists of any length with up to 2 different mu (Corollary 2: squares add up)",
        "cases",
    ),
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
