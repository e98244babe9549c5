"""Figure 1: the noise of a released entry without output DP has scale c/eps3. With output DP it is at most the scale
at m released large entries plus the scale's chord from m to c times the expected number of small entries released,
each released with probability Pr(nu - rho >= margin), bounded by Chebyshev's inequality or exactly.

The paper gives no formula; this one is ours under its stated assumptions (vector of ``entries`` values, ``large`` of
them large, sensitivity 1, margin between small values and threshold). Proved: the closed tail is the integral of the
two Laplace densities, Chebyshev's (one-sided) uses their variances, and the chord is assembled as stated.
Hypotheses: eps_svt split at the best ratio. Source: Section 4.1, Figure 1.
"""

import sympy as sp

from proofs.transcription import Property, Transcription, vanishes

eps_svt, eps3, margin = sp.symbols("eps_svt eps3 margin", positive=True)


def scales(eps_svt, c):
    ratio = sp.Integer(2 * c) ** sp.Rational(-2, 3)
    return (1 + ratio) / (eps_svt * ratio), 2 * c * (1 + ratio) / eps_svt


def chebyshev(eps_svt, c, margin):
    b1, b2 = scales(eps_svt, c)
    variance = 2 * b1**2 + 2 * b2**2
    return variance / (variance + margin**2)


def exact_tail(eps_svt, c, margin):
    b1, b2 = scales(eps_svt, c)
    return (b2**2 * sp.exp(-margin / b2) - b1**2 * sp.exp(-margin / b1)) / (2 * (b2**2 - b1**2))


def bound(tail):
    def formula(entries, large, c, eps_svt, eps3, margin):
        if large > c or large > entries:
            return "refused"
        eps2 = 2 * c / scales(eps_svt, c)[1]

        def scale(n):
            return n / (eps3 + sp.Rational(c - n, c) * eps2)

        if large == c:
            return scale(c)
        share = sp.Rational(entries - large, c - large) * tail(eps_svt, c, margin)
        return scale(large) + (scale(c) - scale(large)) * sp.Min(1, share)

    return formula


def tail_is_integral(code):
    """Pr(nu - rho >= m) for Laplace scales b2 and b1, by integrating over rho."""
    b1, b2, m = sp.symbols("b1 b2 m", positive=True)
    z = sp.Symbol("z", real=True)
    above = sp.exp(-(m + z) / b2) / 2
    positive = sp.integrate(sp.exp(-z / b1) / (2 * b1) * above, (z, 0, sp.oo), conds="none")
    middle = sp.integrate(sp.expand(sp.exp(z / b1) / (2 * b1) * above), (z, -m, 0), conds="none")
    below = sp.integrate(sp.exp(z / b1) / (2 * b1) * (1 - sp.exp((m + z) / b2) / 2), (z, -sp.oo, -m), conds="none")
    closed = (b2**2 * sp.exp(-m / b2) - b1**2 * sp.exp(-m / b1)) / (2 * (b2**2 - b1**2))
    assert vanishes(sp.simplify(sp.piecewise_fold(positive + middle + below) - closed))
    ours = code.helper("privref.mechanisms.svt:false_top_exact")(1 / b1, 2 / b2, 1, m)
    assert vanishes(sp.simplify(ours - closed))
    variance = sp.integrate(z**2 * sp.exp(-z / b1) / b1, (z, 0, sp.oo))
    assert vanishes(variance - 2 * b1**2)


CASES = tuple(
    {"entries": entries, "large": large, "c": c, "eps_svt": eps_svt, "eps3": eps3, "margin": margin}
    for entries, large, c in ((10, 2, 4), (10, 4, 4), (3, 1, 2), (2, 3, 4), (9, 3, 2))
)

PROVES = (
    Transcription(
        "hartmann2022/fig1.noise_dp",
        lambda c, eps3: c / eps3,
        ({"c": sp.Symbol("c", positive=True, integer=True), "eps3": eps3},),
        "every c, eps3",
    ),
    Transcription(
        "hartmann2022/fig1.noise_odp_chebyshev", bound(chebyshev), CASES, "5 sizes, every budget and margin", "cases"
    ),
    Transcription("hartmann2022/fig1.noise_odp", bound(exact_tail), CASES, "5 sizes, every budget and margin", "cases"),
    Property("hartmann2022/fig1.noise_odp", tail_is_integral, "every pair of scales and margin"),
)
