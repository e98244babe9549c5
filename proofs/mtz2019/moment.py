"""The Renyi divergence of R = (1 - q) N(0, s^2) + q N(1, s^2) from N(0, s^2), of a whole order alpha: the log of the
moment E_N[(R/N)^alpha], over alpha - 1.

Here the moment is integrated: the ratio 1 - q + q e^((2x - 1)/(2 s^2)), to the power alpha, against the density.

Hypotheses: every record is drawn on its own with probability q; the removal of a record; s is the noise multiplier.
Source: Mironov, Talwar, Zhang 2019 (arXiv 1908.10530), Section 3.3.
"""

from fractions import Fraction

import mpmath
import sympy as sp

from proofs.numerals import by_mpmath, image, meet
from proofs.transcription import Property, Transcription

q = sp.Symbol("t", positive=True) / (1 + sp.Symbol("t", positive=True))
sigma = sp.Symbol("sigma", positive=True)


def expanded(q, sigma, order):
    """The power multiplied out; E_N[e^(j (2x - 1)/(2 s^2))] = e^(j (j - 1)/(2 s^2))."""
    u = sp.Symbol("u")
    power = sp.Poly((1 - q + q * u) ** order, u)
    moment = sum(c * sp.exp(sp.Rational(j * (j - 1), 2) / sigma**2) for (j,), c in power.terms())
    return sp.log(moment) / (order - 1)


def divergence(context, integrand, places, order):
    """The log of the integral over order - 1, between two rationals; what is beyond the places is less than 1e-30."""
    ends = by_mpmath(*context.quad(integrand, places, error=True))
    return tuple(end / (order - 1) for end in image(sp.log, ends))


def integrated(code):
    context = mpmath.mp.clone()
    context.dps = 30
    for rate, noise, order in ((Fraction(1, 10), Fraction(1), 2), (Fraction(1, 3), Fraction(3, 2), 5)):
        r, s = (context.mpf(value.numerator) / value.denominator for value in (rate, noise))

        def integrand(x, r=r, s=s, order=order):
            return context.npdf(x, 0, s) * (1 - r + r * context.exp((2 * x - 1) / (2 * s * s))) ** order

        places = [-14 * s, -6 * s, 0, order / 2, order, order + 6 * s, order + 14 * s]
        low, high = code.enclosed(25, q=rate, sigma=noise, order=order)
        assert meet((low, high), divergence(context, integrand, places, Fraction(order))), (rate, noise, order)
        assert high - low < Fraction(1, 10**20)


def of_any_order(code):
    """By quadrature between whole orders, and for a removal no less than for an addition (Theorem 5)."""
    context = mpmath.mp.clone()
    context.dps = 30
    inputs = ((Fraction(1, 10), Fraction(1), Fraction(3, 2)), (Fraction(1, 3), Fraction(3, 2), Fraction(21, 4)))
    for rate, noise, order in inputs:
        r, s, a = (context.mpf(value.numerator) / value.denominator for value in (rate, noise, order))

        def integrand(x, power, r=r, s=s):
            return context.npdf(x, 0, s) * (1 - r + r * context.exp((2 * x - 1) / (2 * s * s))) ** power

        places = [-14 * s, -6 * s, 0, a / 2, a, a + 6 * s, a + 14 * s]
        removed = divergence(context, lambda x, a=a: integrand(x, a), places, order)
        places = [-20 * s, -9 * s, -s, 0, s, 14 * s]
        added = divergence(context, lambda x, a=a: integrand(x, 1 - a), places, order)
        low, high = code.enclosed(25, q=rate, sigma=noise, order=order)
        assert meet((low, high), removed), (rate, noise, order)
        assert high - low < Fraction(1, 10**20)
        assert added[1] <= removed[0]


PROVES = (
    Transcription(
        "mtz2019/poisson_gaussian.renyi",
        expanded,
        tuple({"q": q, "sigma": sigma, "order": order} for order in (2, 3, 4)),
        "every q in (0, 1) and sigma > 0, orders 2, 3 and 4",
        "cases",
    ),
    Property(
        "mtz2019/poisson_gaussian.renyi_of_order", of_any_order, "2 inputs: the moment integrated, 20 digits", "grid"
    ),
    Property("mtz2019/poisson_gaussian.renyi", integrated, "2 inputs: the moment integrated, 20 digits", "grid"),
)
