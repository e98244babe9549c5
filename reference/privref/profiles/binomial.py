"""The tail of a binomial distribution: P(Bin(n, q) >= m) and its logarithm's complement, for n up to 10^15.

The largest term of a tail by Stirling's series or an exact binomial coefficient; the sum of the terms over it, whose
ratios fall along the tail, so that what is left out is less than a geometric series. The shorter of both tails is
summed. Floats only say how many terms that takes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.decide import enclosing
from privref.exact.factorials import log_binomial
from privref.exact.work import WorkLimit, spend
from privref.statements.params import Probability
from privref.statements.registry import implements

#: A tail that starts about at the mean of a large sample is long; one that starts some deviations above it is not.
TAIL = WorkLimit(200_000, "terms of a binomial tail", "ask for fewer digits, or of a cap farther above the mean")
#: Work of one term, in units of a microsecond.
_TERM, _PLAIN_TERM = 2, 25


@dataclass(frozen=True, slots=True)
class Tail:
    """P(Bin(n, q) >= m), and log P(Bin(n, q) < m)."""

    probability: Scalar
    log_below: Scalar


def tail(ar: Arithmetic, q: Fraction, n: int, least: int) -> Tail:
    """Both for 0 < q < 1 and 1 <= least <= n; WorkLimitError where the sum has too many terms."""
    balls = enclosing(ar)
    if least > n * q:
        found = _from(balls, q, n, least)
        return Tail(found, balls.log1p(-found))
    below = _from(balls, 1 - q, n, n - least + 1)
    return Tail(1 - below, balls.log(below))


def _from(ar: EnclosingArithmetic, q: Fraction, n: int, least: int) -> Real:
    """P(Bin(n, q) >= least), least > n q - q: from there on every term is smaller than the one before."""
    p, r = q.numerator, q.denominator - q.numerator
    count = _terms(q, n, least, ar.precision)
    TAIL.require(count)
    spend(count * (_TERM if ar.name == "arb" else _PLAIN_TERM))
    ahead = ar.at(ar.precision + 2 * n.bit_length() + 16)
    with ahead.active():
        first = _term(ahead, q, n, least)
        term: Real = ahead.real(1)
        total = term
        for j in range(least, least + count):
            # C(n, j + 1)/C(n, j) q/(1 - q)
            term = term * ((n - j) * p) / ((j + 1) * r)
            total = total + term
        j = least + count
        ratio = Fraction((n - j) * p, (j + 1) * r)
        if ratio:
            # The rest is at least nothing, and at most a geometric series of the next ratio, which is below 1.
            total = total + ahead.hull(0, term * (ratio / (1 - ratio)))
        return first * total


def _terms(q: Fraction, n: int, least: int, bits: int) -> int:
    """About how many terms there are until the rest is below 2^-bits of the first: a count by floats, no bound."""
    odds = float(q / (1 - q)) if q < 1 else math.inf
    target = -(bits + 8) * math.log(2)
    size, count = 0.0, 0
    most = min(n - least, TAIL.most + 1)
    while count < most:
        j = least + count
        ratio = (n - j) / (j + 1) * odds
        if ratio < 1 and size + math.log(ratio / (1 - ratio) if ratio else 5e-324) < target:
            break
        size += math.log(ratio) if ratio else 0.0
        count += 1
    return count


def _term(ar: EnclosingArithmetic, q: Fraction, n: int, j: int) -> Real:
    """P(Bin(n, q) = j)."""
    powers = j * ar.log(q) + (n - j) * ar.log1p(-q)
    return ar.exp(powers + log_binomial(ar, n, j))


@implements(
    "chua2024b/truncated.tail",
    kind="exact",
    cites="the probability that at least this many records are drawn, in the term for truncated batches (Theorem 3.3)",
)
def binomial_tail(ar: Arithmetic, q: Probability, n: int, least: int) -> Scalar:
    """The probability that a Poisson sample of n records has at least this many of them.

    chua2024b/truncated.tail: P(Bin(n, q) >= least), every record drawn on its own with probability q. Refused beyond
    10^15 records, and where the tail has more than 200,000 terms of any size.
    """
    if least == 0 or (q == 1 and least <= n):
        return Fraction(1)
    if least > n or q == 0:
        return Fraction(0)
    return tail(ar, q, n, least).probability
