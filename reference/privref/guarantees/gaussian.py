"""Gaussian differential privacy: the exact privacy profile of N(0, 1) against N(mu, 1)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

from privref.exact import roots
from privref.exact.arithmetic import Arithmetic, ExactArithmetic, Scalar
from privref.exact.errors import NotRationalError
from privref.exact.numbers import weighted_sum
from privref.statements.params import POSITIVE, Count, Multiset, Probability, Whole
from privref.statements.registry import Result, implements


def gaussian_delta(ar: Arithmetic, mu: Scalar, eps: Scalar) -> Scalar:
    """The hockey-stick divergence at epsilon of N(mu, 1) from N(0, 1), for mu > 0.

    Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
    """
    ratio = ar.real(eps) / mu
    half = ar.real(mu) / 2
    return ar.normal_cdf(half - ratio) - ar.exp(eps) * ar.normal_cdf(-half - ratio)


@implements("gdp/profile.delta", kind="exact", cites="Corollary 1 (Balle and Wang 2018, Theorem 8)")
def gaussian_profile_delta(ar: Arithmetic, mu: Fraction, eps: Fraction) -> Result:
    """The exact delta of mu-Gaussian DP at epsilon.

    gdp/profile.delta: Dong, Roth, Su 2019, Corollary 1: delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
    mu = 0 gives 0.
    """
    return gaussian_delta(ar, mu, eps) if mu else Fraction(0)


@implements("gdp/profile.eps", kind="exact", cites="Corollary 1, solved for epsilon")
def gaussian_eps_statement(ar: Arithmetic, mu: Fraction, delta: Probability) -> Result:
    """The least epsilon >= 0 at which mu-Gaussian DP has the given delta.

    gdp/profile.eps: Dong, Roth, Su 2019, Corollary 1, inverted on its strictly decreasing profile. delta = 0 gives
    inf (0 for mu = 0); a delta of at least Phi(mu/2) - Phi(-mu/2) gives 0.
    """
    if mu == 0:
        return Fraction(0)
    return gaussian_eps(ar, lambda inner: inner.real(mu), delta)


def gaussian_eps(ar: Arithmetic, mu: Callable[[Arithmetic], Scalar], delta: Fraction) -> Result:
    """The profile's inverse at delta for a mu > 0 that each arithmetic computes itself."""
    if delta == 1:
        return Fraction(0)
    if delta == 0:
        return "inf"

    def shortfall(inner: Arithmetic, eps: Fraction) -> Scalar:
        # Of logs: the profile falls like a Gaussian tail, on which secant steps would crawl.
        return inner.log(delta) - inner.log(gaussian_delta(inner, mu(inner), eps))

    return roots.least(shortfall, ar)


def composed_mu(ar: Arithmetic, mu: Multiset) -> Scalar:
    """The mu of the composition of Gaussian mechanisms: the root of the sum of squares (gdp, Corollary 2)."""
    return ar.sqrt(_squares(mu))


def _squares(mu: Multiset) -> Fraction:
    return sum((value * value * count for value, count in mu), Fraction(0))


@implements("gdp/composition.delta", kind="exact", cites="Corollaries 1 and 2")
def gaussian_composition_delta(ar: Arithmetic, mu: Annotated[Multiset, POSITIVE], eps: Fraction) -> Result:
    """The exact delta at epsilon of a composition of Gaussian-DP events.

    gdp/composition.delta: Dong, Roth, Su 2019, Corollaries 1 and 2: the profile of sqrt(sum mu_i^2). 0 for none.
    """
    return gaussian_delta(ar, composed_mu(ar, mu), eps) if mu else Fraction(0)


@implements("gdp/composition.eps", kind="exact", cites="Corollaries 1 and 2, solved for epsilon")
def gaussian_composition_eps(ar: Arithmetic, mu: Annotated[Multiset, POSITIVE], delta: Probability) -> Result:
    """The least epsilon >= 0 of a composition of Gaussian-DP events at delta.

    gdp/composition.eps: Dong, Roth, Su 2019, Corollaries 1 and 2: the profile of sqrt(sum mu_i^2), inverted.
    """
    return gaussian_eps(ar, lambda inner: composed_mu(inner, mu), delta) if mu else Fraction(0)


@implements("gdp/composition.mu", kind="exact", cites="Corollary 2")
def gaussian_composition_mu(ar: Arithmetic, mu: Annotated[Multiset, POSITIVE]) -> Result:
    """The mu of a composition of Gaussian-DP events: the root of the sum of squares.

    gdp/composition.mu: Dong, Roth, Su 2019, Corollary 2: the composition is sqrt(sum mu_i^2)-GDP, which Gaussian
    mechanisms attain. 0 for none.
    """
    if not mu:
        return Fraction(0)
    squares = _squares(mu)
    if isinstance(squares, Fraction):
        # A rational root is exact, so that a claim of just that mu is decided.
        with contextlib.suppress(NotRationalError):
            return ExactArithmetic().sqrt(squares)
    return ar.sqrt(squares)


@implements(
    "gdp/zcdp2gdp.mu",
    kind="upper",
    cites="ours: both errors of a test of two rho-zCDP laws, by the binary divergences of all orders",
    standing="ours",
)
def zcdp_as_gaussian_dp(ar: Arithmetic, rhos: Multiset) -> Result:
    """The least mu for which the proof says that mechanisms of zCDP together are mu-Gaussian DP, over all epsilon.

    gdp/zcdp2gdp.mu: with rho the sum, every mu with sqrt(rho) <= sqrt(-log Phi(-mu/2)) - sqrt(-log Phi(mu/2)). That is
    1.476 sqrt(2 rho) for small rho, and nearly twice sqrt(2 rho) for large; a Gaussian mechanism has sqrt(2 rho), and
    randomized response 1.253 sqrt(2 rho) or more, so that no theorem has less than that. 0 for no events.
    """
    rho = weighted_sum(rhos)
    if not rho:
        return Fraction(0)

    def beyond(inner: Arithmetic, mu: Fraction) -> Scalar:
        tail = inner.normal_cdf(inner.real(-mu / 2))
        return inner.sqrt(-inner.log(tail)) - inner.sqrt(-inner.log1p(-tail)) - inner.sqrt(rho)

    return roots.least(beyond, ar)


@implements(
    "gdp/sampled.rho",
    kind="lower",
    cites="ours: a sample's law is at least a constant part of that of all records, and Corollary B.6",
    standing="ours",
)
def gaussian_rho_on_samples(ar: Arithmetic, rho: Multiset) -> Result:
    """The least rho, and mu^2/2 over all epsilon, of Gaussian rounds on samples or on all records: that of no sampling.

    gdp/sampled.rho: with a chance of c > 0 a record is in all rounds of its own, so that P >= c N where N is what the
    rounds lose on all records. Of order a the Renyi divergence is at least a rho - a log(1/c)/(a - 1), and for
    rho'-zCDP or sqrt(2 rho')-GDP at most a rho': so rho' >= rho, the sum over the rounds.
    """
    return sum((value * count for value, count in rho), Fraction(0))


@implements(
    "gdp/divided.delta",
    kind="lower",
    cites="ours: sums of Gaussian noise that are divided by the number of records, by Chernoff's bounds of chi squared",
    standing="ours",
)
def divided_by_size(ar: Arithmetic, n: Annotated[int, Whole(2)], coordinates: Count, eps: Fraction) -> Result:
    """What is lost at least where noisy sums are divided by the number of records, which a neighbour changes.

    gdp/divided.delta: records that contribute nothing, n of them or n - 1, and the noise divided by n or n - 1, in N
    coordinates of all rounds: the mean square of the answers is below a threshold between both variances with a
    chance of at least 1 - (v e^(1 - v))^(N/2) for n, v = n/(n - 1), and at most (u e^(1 - u))^(N/2) for n - 1, u = 1/v.
    Whatever the noise, the clipping norm and the sampling rate are. Negative where nothing follows.
    """
    above, below = ar.real(n) / (n - 1), ar.real(n - 1) / n
    half = ar.real(coordinates) / 2
    missed = ar.exp(half * (ar.log(above) + (1 - above)))
    alike = ar.exp(eps + half * (ar.log(below) + (1 - below)))
    return 1 - missed - alike


@implements(
    "cks2020/gaussian_witness.delta",
    kind="lower",
    cites="the Gaussian mechanism is rho-zCDP with rho = mu^2 / 2 (Bun and Steinke 2016, Prop. 1.6)",
    standing="ours",
)
def gaussian_witness_delta(ar: Arithmetic, rho: Annotated[Multiset, POSITIVE], eps: Fraction) -> Result:
    """What Gaussian mechanisms with these rho-zCDP guarantees really lose: a lower bound on the worst case.

    cks2020/gaussian_witness.delta: for events that are rho_i-zCDP, Gaussian mechanisms of mu_i = sqrt(2 rho_i) respect
    every declared guarantee, and their composition has exactly the profile of mu = sqrt(2 sum rho_i).
    """
    if not rho:
        return Fraction(0)
    return gaussian_delta(ar, ar.sqrt(2 * weighted_sum(rho)), eps)


@implements(
    "cks2020/gaussian_witness.rho",
    kind="lower",
    cites="the Renyi divergence of Gaussians is rho alpha exactly (Bun and Steinke 2016, Prop. 1.6)",
    standing="ours",
)
def gaussian_witness_rho(ar: Arithmetic, rho: Multiset) -> Result:
    """The least rho of a composition of Gaussian mechanisms with these rho-zCDP guarantees: the sum, exactly.

    cks2020/gaussian_witness.rho: their Renyi divergence of every order alpha is alpha times the sum.
    """
    return sum((value * count for value, count in rho), Fraction(0))
