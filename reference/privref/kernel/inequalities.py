"""The inequalities of the theorems that are no sum: each is decided once, at the precision that its certificate states.

All epsilons and rhos are in nats. A function returns True only where the inequality certainly holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from privref.kernel.balls import Ball, at_most, end, rational
from privref.kernel.numbers import Refused, total
from privref.kernel.record import normal_delta

Counted = Sequence[tuple[Fraction, int]]

#: Terms of one inequality's sums.
MOST_TERMS = 500_000


def _sum(parts: list[Ball]) -> Ball:
    return sum(parts, rational(0))


def equal_advanced(epsilon: Fraction, count: int, prime: Fraction, target: Fraction) -> bool:
    """rogers2016/thm2.10: k eps (e^eps - 1) + eps sqrt(2 k log(1/delta')) <= target (Rogers et al. 2016)."""
    eps = rational(epsilon)
    found = count * eps * eps.expm1() + eps * (-2 * count * rational(prime).log()).sqrt()
    return at_most(found, target)


def advanced(epsilons: Counted, prime: Fraction, target: Fraction) -> bool:
    """whitehouse2023/eq2: sqrt(2 log(1/delta') sum eps^2) + sum eps tanh(eps/2) <= target (KOV 2015, Theorem 3.5)."""
    square = total((eps * eps, times) for eps, times in epsilons)
    drift = _sum([times * pure_rho(eps) for eps, times in epsilons])
    return at_most((-2 * rational(prime).log() * rational(square)).sqrt() + drift, target)


def squares_filter(epsilons: Counted, prime: Fraction, target: Fraction) -> bool:
    """whitehouse2023/thm2: sqrt(2 log(1/delta') V) + V/2 <= target, V = sum eps^2 (Whitehouse et al. 2023)."""
    square = rational(total((eps * eps, times) for eps, times in epsilons))
    return at_most((-2 * rational(prime).log() * square).sqrt() + square / 2, target)


def pure_rho(epsilon: Fraction) -> Ball:
    """Return eps tanh(eps/2), the rho of randomized response and so the most of any eps-DP mechanism."""
    eps = rational(epsilon)
    return eps * (eps / 2).tanh()


def by_lemma1(rho: Fraction, prime: Fraction, target: Fraction) -> bool:
    """whitehouse2023/lem1: rho + 2 sqrt(rho log(1/delta')) <= target (Bun and Steinke 2016, Proposition 1.3)."""
    return at_most(rational(rho) + 2 * (-rational(rho) * rational(prime).log()).sqrt(), target)


def by_order(moment: Ball, order: Fraction, prime: Fraction, target: Fraction) -> bool:
    """cks2020/rdp2dp: a Renyi divergence of an order gives (target, delta') (Canonne, Kamath, Steinke 2020, Prop. 12).

    ``moment`` is (order - 1) times the divergence:
    moment - (order - 1) target + order log(1 - 1/order) - log(order - 1) <= log(delta').
    """
    if order <= 1:
        raise Refused("a Renyi order is above 1")
    alpha = rational(order)
    left = moment - (alpha - 1) * rational(target) + alpha * (1 - 1 / alpha).log() - (alpha - 1).log()
    return at_most(left - rational(prime).log(), Fraction(0))


def response_moment(epsilon: Fraction, order: Fraction) -> Ball:
    """Return (order - 1) times the Renyi divergence of randomized response (Mironov 2017, Table II).

    log cosh(eps (order - 1/2)) - log cosh(eps/2), the most of any eps-DP mechanism.
    """
    eps = rational(epsilon)
    top, bottom = eps * rational(order - Fraction(1, 2)), eps / 2
    return top - bottom + (-2 * top).exp().log1p() - (-2 * bottom).exp().log1p()


def sampled_moment(rate: Fraction, square: Fraction, order: int) -> Ball:
    """Return (order - 1) times the Renyi divergence of one Poisson-sampled Gaussian round, at a whole order.

    Mironov, Talwar, Zhang 2019, Section 3.3; by their Theorem 5 the divergence for an addition is no larger.
    """
    if not 2 <= order <= 4096:
        raise Refused("moments of sampled rounds are taken at whole orders from 2 to 4096")
    q, part = rational(rate), rational(square) / 2
    terms = [comb(order, j) * (1 - q) ** (order - j) * q**j * (j * (j - 1) * part).exp() for j in range(order + 1)]
    return _sum(terms).log()


def normal_profile(square: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """gdp/composition: the delta of mu-Gaussian DP at epsilon is at most delta (Dong, Roth, Su 2019, Corollary 1)."""
    return not square or at_most(normal_delta(square, epsilon), delta)


def equal_ranges(width: Fraction, count: int, target: Fraction, delta: Fraction, precision: int) -> bool:
    """dong2020/thm3: equal bounded ranges chosen in advance are (target, delta)-DP (Dong, Durfee, Rogers 2020, Thm 3).

    For every number l < k of low losses: the sum over i <= l of C(k, i) p^(k-i) (1-p)^i (1 - e^(target - k t + i eps))
    is at most delta, with t = (target + (l + 1) eps)/(k + 1) and p = (e^eps - e^t)/(e^eps - 1).
    """
    if target >= count * width:
        return True
    if count * (count + 1) // 2 * precision > 256 * MOST_TERMS:
        raise Refused("this theorem is evaluated for at most half a million terms at 256 bits")
    eps, goal = rational(width), rational(target)
    for last in range(count):
        t = (target + (last + 1) * width) / (count + 1)
        if t >= width:
            break  # p is at most 0: so many low losses do not occur.
        p = (eps.exp() - rational(t).exp()) / eps.expm1()
        parts = [
            comb(count, i) * p ** (count - i) * (1 - p) ** i * -(goal + rational(i * width - count * t)).expm1()
            for i in range(last + 1)
        ]
        if not at_most(_sum(parts), delta):
            return False
    return True


def range_means(widths: Counted, delta: Fraction, target: Fraction) -> bool:
    """dong2020/prop4: the largest means of the losses, and Azuma's inequality (Dong, Durfee, Rogers 2020).

    sum (a - 1 - log a) + sqrt(sum eps^2 log(1/delta)/2) <= target, with a = eps/(1 - e^-eps); or sum eps <= target.
    """
    positive = [(eps, times) for eps, times in widths if eps]
    if total(positive) <= target:
        return True
    if not delta:
        return False
    means = []
    for eps, times in positive:
        ratio = rational(-eps) / rational(-eps).expm1()
        means.append(times * (ratio - 1 - ratio.log()))
    square = rational(total((eps * eps, times) for eps, times in positive))
    return at_most(_sum(means) + (-square * rational(delta).log() / 2).sqrt(), target)


def cut_tail(rate: Fraction, cap: int, records: int) -> Ball:
    """Bound the chance that at least ``cap`` of ``records`` others are drawn, by a geometric series."""
    q = rational(rate)
    ratio = rational(Fraction(records - cap, cap + 1)) * q / (1 - q)
    if not at_most(ratio, Fraction(1)) or end(ratio, up=True) == 1:
        return rational(1)
    n, b = rational(records), rational(cap)
    log_term = (n + 1).lgamma() - (b + 1).lgamma() - (n - b + 1).lgamma() + b * q.log() + (n - b) * (-q).log1p()
    return log_term.exp() / (1 - ratio)
