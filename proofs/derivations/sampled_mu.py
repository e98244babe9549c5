"""The least mu, and rho, of Gaussian rounds on samples: over all epsilon that of no sampling, whatever the rates.

From above. One round on a Poisson sample has the pair (P, Q), P = (1 - q) Q + q N, N and Q normal laws at the distance
1/s. Hockey sticks are convex in both laws, and a law against itself has the least of all: so each orientation of (P, Q)
has at most what the same orientation of (N, Q) has, which of normal laws is one and the same. Rounds compose (Zhu,
Dong, Wang 2022, Theorem 10; what is asked may depend on earlier answers), and k rounds are sqrt(k)/s-Gaussian DP. The
same holds of a run on balls in bins, where P is the mean of b normal laws at the distance a.

From below. For a removal P >= c N, c > 0 being the chance that the record is in every round's sample (q^k; 1/b for a
run on bins), and N what all records would have, at the distance m from Q. So for every event S

    P(S) - e^epsilon Q(S) >= c (N(S) - e^(epsilon + log(1/c)) Q(S)),    delta(epsilon) >= c delta_m(epsilon + log(1/c)),

delta_m the curve of m-Gaussian DP, and the Renyi divergence of order a is at least a m^2/2 - a log(1/c)/(a - 1). That
of mu-Gaussian DP is at most a mu^2/2 (Dong, Roth, Su 2019, Corollary B.6), and that of rho-zCDP at most a rho: for
large a neither mu < m nor rho < m^2/2 is true. Gaussian DP speaks of both orientations, so that one is enough. The last
steps show points of both curves: an epsilon at which the rounds certainly lose more than a smaller mu allows.

So a filter by Gaussian DP gains nothing from sampling either. Let it hold the largest nu for which a round, and then
nu-Gaussian DP, are dominated by the n-Gaussian DP that was left before. It is sound, by induction from the last round
(Theorem 10; what is left depends on earlier answers only). But that nu^2 is n^2 - 1/s^2 whatever the rate: no less, by
the pair of all records; and no more, as the round's divergences leave it at most n^2 - 1/s^2 + 2 log(1/q)/(a - 1) for
every order a.

The additions alone have a bounded loss, and no such limit: the theorem is about neighbours in both orders.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import sympy as sp

from privref.exact.arithmetic import Arithmetic, Scalar

from .steps import Derivation, Step, below, identity

F = Fraction
order, rho, less, log_c, distance = sp.symbols("order rho less log_c distance", positive=True)
#: Rates, and the densities of both laws in each round.
RATES, NONE, ALL = (
    sp.symbols("q0:3", positive=True),
    sp.symbols("n0:3", positive=True),
    sp.symbols("a0:3", positive=True),
)
_REST = sp.symbols("r0:3", positive=True)
#: Two laws on four answers, either orientation the same; and scales below and above 1.
_FULL, _NOTHING = (F(1, 15), F(2, 15), F(4, 15), F(8, 15)), (F(8, 15), F(4, 15), F(2, 15), F(1, 15))
_SCALES = (F(1, 9), F(1, 2), F(1), F(3, 2), F(2), F(5), F(9))


def _every_round() -> bool:
    """The product of (1 - q) Q + q N, less prod q N, has no negative term; so has the mean over bins."""
    rounds = sp.prod(
        [rest * none + rate * all_ for rest, none, rate, all_ in zip(_REST, NONE, RATES, ALL, strict=True)]
    )
    left = sp.Poly(sp.expand(rounds - sp.prod(RATES) * sp.prod(ALL)), *_REST, *NONE, *RATES, *ALL)
    bins = sp.Poly(sp.expand(sum(ALL) / 3 - ALL[0] / 3), *ALL)
    return all(coefficient >= 0 for poly in (left, bins) for coefficient in poly.coeffs())


def _lost(p: tuple[Fraction, ...], q: tuple[Fraction, ...], scale: Fraction) -> Fraction:
    return sum((max(x - scale * y, F(0)) for x, y in zip(p, q, strict=True)), F(0))


def _no_more() -> bool:
    """Two rounds on samples, and a mean over two places, lose no more than all records, in both orientations."""
    for scale, rate, other in product(_SCALES, (F(1, 10), F(1, 2), F(9, 10)), (F(1, 3), F(1))):
        one, two = (
            tuple((1 - q) * none + q * full for none, full in zip(_NOTHING, _FULL, strict=True)) for q in (rate, other)
        )
        mixed, nothing, full = (
            tuple(x * y for x, y in product(a, b)) for a, b in ((one, two), (_NOTHING, _NOTHING), (_FULL, _FULL))
        )
        if _lost(mixed, nothing, scale) > _lost(full, nothing, scale):
            return False
        if _lost(nothing, mixed, scale) > _lost(nothing, full, scale):
            return False
        first, second = (tuple(x * y for x, y in product(*pair)) for pair in ((_FULL, _NOTHING), (_NOTHING, _FULL)))
        binned = tuple((x + y) / 2 for x, y in zip(first, second, strict=True))
        if _lost(binned, nothing, scale) > _lost(first, nothing, scale):
            return False
        if _lost(nothing, binned, scale) > _lost(nothing, first, scale):
            return False
    return all(_lost(_FULL, _NOTHING, scale) == _lost(_NOTHING, _FULL, scale) for scale in _SCALES)


def _curve(
    mu: Callable[[Arithmetic], Scalar], epsilon: Callable[[Arithmetic], Scalar]
) -> Callable[[Arithmetic], Scalar]:
    """The delta of mu-Gaussian DP, typed once more."""

    def delta(ar: Arithmetic) -> Scalar:
        m, e = mu(ar), epsilon(ar)
        return ar.normal_cdf(m / 2 - e / m) - ar.exp(e) * ar.normal_cdf(-m / 2 - e / m)

    return delta


def _point(rate: Fraction, rounds: int, s: Fraction, mu: Fraction, epsilon: int) -> Step:
    """A point at which the rounds certainly lose more than mu-Gaussian DP allows."""
    chance = rate**rounds

    def lost(ar: Arithmetic) -> Scalar:
        shifted = _curve(lambda a: a.sqrt(rounds / s**2), lambda a: epsilon + a.log(1 / chance))
        return chance * shifted(ar)

    allowed = _curve(lambda a: a.real(mu), lambda a: a.real(F(epsilon)))
    return below(
        f"{rounds} round(s) at rate {rate}, s = {s}: not {mu}-Gaussian DP, by epsilon = {epsilon}", allowed, lost
    )


DERIVATIONS = (
    Derivation(
        "The least mu and rho over all epsilon of Gaussian rounds on samples (gdp/sampled.rho)",
        ("gdp/sampled.rho",),
        (
            Step("the rounds in which the record always is are a part of the mixture, and so is one bin", _every_round),
            Step("samples and bins lose no more than all records, in both orientations", _no_more),
            identity(
                "the divergence of order a of c N from Q is a m^2/2 - a log(1/c)/(a - 1)",
                (-order * log_c + order * (order - 1) * distance**2 / 2) / (order - 1),
                order * distance**2 / 2 - order * log_c / (order - 1),
            ),
            identity(
                "so rho' < rho is false from the order 1 + 2 log(1/c)/(rho - rho') on: half of a (rho - rho') is left",
                (order * rho - order * log_c / (order - 1) - order * less).subs(order, 1 + 2 * log_c / (rho - less)),
                (order * (rho - less) / 2).subs(order, 1 + 2 * log_c / (rho - less)),
            ),
            identity(
                "a filter's round leaves nu^2 <= n^2 - 1/s^2 + 2 log(1/q)/(a - 1), by its divergence of order a",
                2 * (order * rho - (order * distance**2 / 2 - order * log_c / (order - 1))) / order,
                2 * rho - distance**2 + 2 * log_c / (order - 1),
            ),
            _point(F(1, 2), 1, F(1), F(9, 10), 12),
            _point(F(1, 10), 3, F(1), F(3, 2), 60),
            _point(F(1, 100), 4, F(1, 2), F(3), 80),
        ),
    ),
)
