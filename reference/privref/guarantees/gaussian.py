"""Gaussian differential privacy: the exact privacy profile of N(0, 1) against N(mu, 1)."""

from __future__ import annotations

from fractions import Fraction

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.params import PROBABILITY, one
from privref.statements.registry import Result, implements


def gaussian_delta(ar: Arithmetic, mu: Scalar, eps: Scalar) -> Scalar:
    """The hockey-stick divergence at epsilon of N(mu, 1) from N(0, 1), for mu > 0.

    Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
    """
    ratio = ar.real(eps) / mu
    half = ar.real(mu) / 2
    return ar.normal_cdf(half - ratio) - ar.exp(eps) * ar.normal_cdf(-half - ratio)


@implements(
    "gdp/profile.delta",
    kind="exact",
    cites="Corollary 1 (Balle and Wang 2018, Theorem 8)",
    params=(one("mu"), one("eps")),
)
def gaussian_profile_delta(ar: Arithmetic, mu: Fraction, eps: Fraction) -> Result:
    """The exact delta of mu-Gaussian DP at epsilon.

    gdp/profile.delta: Dong, Roth, Su 2019, Corollary 1: delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
    mu = 0 gives 0.
    """
    return gaussian_delta(ar, mu, eps) if mu else Fraction(0)


@implements(
    "gdp/profile.eps",
    kind="exact",
    cites="Corollary 1, solved for epsilon",
    params=(one("mu"), one("delta", PROBABILITY)),
)
def gaussian_profile_eps(ar: Arithmetic, mu: Fraction, delta: Fraction) -> Result:
    """The least epsilon >= 0 at which mu-Gaussian DP has the given delta.

    gdp/profile.eps: Dong, Roth, Su 2019, Corollary 1, inverted on its strictly decreasing profile. delta = 0 gives
    inf (0 for mu = 0); a delta of at least Phi(mu/2) - Phi(-mu/2) gives 0.
    """
    if mu == 0 or delta == 1:
        return Fraction(0)
    if delta == 0:
        return "inf"

    def shortfall(inner: Arithmetic, eps: Fraction) -> Scalar:
        return inner.real(delta) - gaussian_delta(inner, mu, eps)

    if decide.sign(lambda inner: shortfall(inner, Fraction(0)), ar) >= 0:
        return Fraction(0)
    low, high = roots.root(shortfall, Fraction(0), roots.bracket_above(shortfall, Fraction(0), ar), ar)
    return ar.hull(low, high)
