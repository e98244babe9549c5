"""Binomial coefficients of large numbers as enclosures: written out where that is short, else by Stirling's series."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from .arithmetic import EnclosingArithmetic, Real, Scalar
from .complex_interval import plane

#: Below it a binomial coefficient is written out, above it Stirling's series has hundreds of digits.
WRITTEN = 2000
#: Terms of Stirling's series: some 5,000 bits of log 2001!, and more of others.
_MOST_TERMS = 500


def log_factorial(ar: EnclosingArithmetic, n: int) -> Real:
    """log n!, n > 2000, by Stirling's series: it lies between any two of its partial sums that follow on each other."""
    series: Scalar = Fraction(0)
    for k in range(1, _MOST_TERMS + 1):
        following = _bernoulli(2 * k) / (2 * k * (2 * k - 1) * Fraction(n) ** (2 * k - 1))
        if k == _MOST_TERMS or abs(following) < Fraction(1, 1 << ar.precision):
            break
        series = series + ar.real(following)
    # What is left out is between nothing and the first term that was not added.
    rest = ar.hull(*sorted((Fraction(0), following)))
    tau: Real = 2 * plane(ar).pi()
    return (n + Fraction(1, 2)) * ar.log(n) - n + ar.log(tau) / 2 + series + rest


def log_binomial(ar: EnclosingArithmetic, n: int, j: int) -> Real:
    """log C(n, j)."""
    if min(j, n - j) <= WRITTEN:
        return ar.log(math.comb(n, j))
    return log_factorial(ar, n) - log_factorial(ar, j) - log_factorial(ar, n - j)


def binomial(ar: EnclosingArithmetic, n: int, j: int) -> Scalar:
    """C(n, j), exactly where it is short."""
    if min(j, n - j) <= WRITTEN:
        return math.comb(n, j)
    # The logarithms have about as many bits before the point as n.
    ahead = ar.at(ar.precision + 2 * n.bit_length() + 16)
    with ahead.active():
        log = log_binomial(ahead, n, j)
    return ar.exp(log)


@cache
def _bernoulli(n: int) -> Fraction:
    """The Bernoulli number of an even index, or of 0 or 1."""
    if n == 0:
        return Fraction(1)
    if n % 2 and n > 1:
        return Fraction(0)
    return -sum((math.comb(n + 1, k) * _bernoulli(k) for k in range(n)), Fraction(0)) / (n + 1)
