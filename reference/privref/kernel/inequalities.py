"""The inequalities of the theorems, sums apart: each is decided once, at the precision that its certificate states.

All epsilons and rhos are in nats. A function returns True only where the inequality certainly holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

from privref.kernel.balls import Ball, at_most, normal_cdf, rational, summed
from privref.kernel.numbers import Refused, total

Counted = Sequence[tuple[Fraction, int]]


def pure_rho(epsilon: Fraction) -> Ball:
    """Return eps tanh(eps/2), the rho of randomized response and so the most of any eps-DP mechanism."""
    eps = rational(epsilon)
    return eps * (eps / 2).tanh()


#: What a round adds to the mean of the loss, by each theorem: for equal rounds (Rogers et al. 2016, Theorem 2.10), for
#: different ones (KOV 2015, Theorem 3.5), and of the filter of the squares (Whitehouse et al. 2023, Theorem 2).
DRIFTS: dict[str, Callable[[Fraction], Ball]] = {
    "rogers2016/thm2.10": lambda eps: rational(eps) * rational(eps).expm1(),
    "whitehouse2023/eq2": pure_rho,
    "whitehouse2023/thm2": lambda eps: rational(eps * eps) / 2,
}


def advanced(by: str, epsilons: Counted, prime: Fraction, target: Fraction) -> bool:
    """Advanced composition by one of these theorems: sqrt(2 log(1/delta') sum eps^2) + sum of the drifts <= target."""
    square = rational(total((eps * eps, times) for eps, times in epsilons))
    drift = summed([times * DRIFTS[by](eps) for eps, times in epsilons])
    return at_most((-2 * rational(prime).log() * square).sqrt() + drift, target)


def lemma1(rho: Fraction, prime: Fraction) -> Ball:
    """Return rho + 2 sqrt(rho log(1/delta')), of whitehouse2023/lem1 (Bun and Steinke 2016, Proposition 1.3)."""
    return rational(rho) + 2 * (-rational(rho) * rational(prime).log()).sqrt()


def by_order(moment: Ball, order: Fraction, prime: Fraction, target: Fraction) -> bool:
    """cks2020/rdp2dp: the divergence of an order gives (target, delta') (Canonne, Kamath, Steinke 2020, Prop. 12)."""
    return at_most(log_delta(moment, order, rational(target)) - rational(prime).log(), Fraction(0))


def log_delta(moment: Ball, order: Fraction, target: Ball) -> Ball:
    """Return moment - (order - 1) target + order log(1 - 1/order) - log(order - 1), the log of Proposition 12's delta.

    ``moment`` is (order - 1) times the divergence of the order.
    """
    if order <= 1:
        raise Refused("a Renyi order is above 1")
    alpha = rational(order)
    return moment - (alpha - 1) * target + alpha * (1 - 1 / alpha).log() - (alpha - 1).log()


def best_moment(numbers: Sequence[Fraction], order: Fraction, moment: Ball, other: Fraction, second: Ball) -> Ball:
    """Return (order - 1) times the divergence of the best of a random number of trials, by the moments of one trial.

    papernot2022/thm2.renyi, for eta and gamma of a truncated negative binomial number, with any ``other`` order b > 1:
    eps(a) + (1 + eta)((1 - 1/b) eps(b) + log(1/gamma)/b) + log(E K)/(a - 1). papernot2022/thm6.renyi, for the mean m of
    a Poisson number: log(e^-m + m e^((a - 1)(eps(a) + m delta)))/(a - 1) where a trial is (log(a/(a - 1)), delta)-DP.
    """
    alpha, first = rational(order), rational(numbers[0])
    if len(numbers) == 1:
        delta = log_delta(second, other, -(1 - 1 / alpha).log()).exp().min(rational(1))
        return ((-first).exp() + first * (moment + (alpha - 1) * first * delta).exp()).log()
    loss = -rational(numbers[1]).log()
    mean = loss.expm1() * (first / -(-first * loss).expm1() if numbers[0] else 1 / loss)
    if other <= 1:
        raise Refused("a Renyi order is above 1")
    return moment + (alpha - 1) * (1 + first) * (second + loss) / rational(other) + mean.log()


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
    return summed(terms).log()


#: 28.04: the paper's rounding of 8 x*, where x* = 2 + log(1 + x*).
_ROGERS = Fraction(2804, 100)


def rogers_filter(epsilons: Counted, target: Fraction, delta: Fraction) -> bool:
    """rogers2016/thm5.1: the filter of advanced rate, for delta in (0, 1/e) (Rogers et al. 2016, Theorem 5.1).

    m + sqrt(2 (S + eps_g^2/c) (1 + log(c S/eps_g^2 + 1)/2) log(2/delta)) <= eps_g, with m = sum eps (e^eps - 1)/2,
    S = sum eps^2 and c = 28.04 log(1/delta).
    """
    log = -rational(delta).log()
    if not target or not at_most(-log, Fraction(-1)):
        raise Refused("this filter needs a budget of epsilon above 0, and of delta above 0 and below 1/e")
    drift = summed([times * rational(eps) * rational(eps).expm1() / 2 for eps, times in epsilons])
    square = rational(total((eps * eps, times) for eps, times in epsilons))
    share, scale = rational(target * target), rational(_ROGERS) * log
    spread = 2 * (square + share / scale) * (1 + (scale * square / share).log1p() / 2)
    return at_most(drift + (spread * (log + rational(2).log())).sqrt(), target)


def dominated(epsilon: Fraction, before: Fraction, after: Fraction) -> bool:
    """gdp/domination.decision: epsilon-DP, then Gaussian DP of mu^2 = after, are Gaussian DP of mu^2 = before (ours).

    (1 + e^-eps) Phi(-sqrt(before)/2) <= Phi(-eps/v - v/2) + e^-eps Phi(eps/v - v/2), v = sqrt(after): total variations.
    """
    if not epsilon:
        return after <= before
    eps, less, v = rational(epsilon), rational(-epsilon).exp(), rational(after).sqrt()
    kept = normal_cdf(-eps / v - v / 2) + less * normal_cdf(eps / v - v / 2) if after else less
    return at_most((1 + less) * normal_cdf(-rational(before).sqrt() / 2) - kept, Fraction(0))
