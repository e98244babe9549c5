"""Exact intervals: the lower end p of a proportion has P(Bin(n, p) >= k) = level, and 0 for k = 0; the upper end is

  1 less the lower end for n - k.  Two of them, a below a true-positive rate and b above a false-positive one, each at
  level/2, hold together but for level; (eps, delta)-DP asks a <= e^eps b + delta and 1 - b <= e^eps (1 - a) + delta.

Hypotheses: runs are independent, and what counts as a positive is fixed before.
Source: Clopper, Pearson 1934, and the definition of differential privacy. That P(the end is above p) <= level: the end
of k is above p just if P(Bin(n, p) >= k) < level, and the k of which that is true have less than level together.
"""

from fractions import Fraction
from math import comb

import sympy as sp

from proofs.numerals import by_sympy, meet
from proofs.steinke2023.one_run import exactly
from proofs.transcription import Property

F = Fraction
TRIES = ((1, 0), (1, 1), (5, 2), (12, 12), (40, 9), (40, 39))


def tail(n, p, k):
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), F(0))


def ends(code):
    for level in (F(1, 20), F(1, 10**10), F(2, 3)):
        for n, k in TRIES:
            low, high = code.enclosed(12, level=level, tries=n, hits=k)
            if not k:
                assert low == high == 0
                continue
            assert tail(n, low, k) <= level <= tail(n, high, k), (level, n, k)
            assert (high - low) * 10**10 <= high
    assert code.refuses(level=F(1, 20), tries=3, hits=4)


def covers(code):
    """The chance that the end is above the true proportion, at most the level, for every proportion of a grid."""
    for n in (1, 4, 9):
        above = [code.enclosed(12, level=F(1, 10), tries=n, hits=k)[1] for k in range(n + 1)]
        for p in (F(i, 40) for i in range(1, 40)):
            wrong = sum((tail(n, p, k) - tail(n, p, k + 1) for k in range(n + 1) if above[k] > p), F(0))
            assert wrong <= F(1, 10), (n, p)


def both(code):
    ends(code)
    covers(code)


def end(n, k, level):
    """The lower end between two rationals 2^-150 apart."""
    low, high = F(0), F(1)
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (low, middle) if tail(n, middle, k) > level else (middle, high)
    return low


def rates(code):
    for n, hits, n0, wrong in ((20, 18, 20, 1), (20, 5, 20, 5), (20, 20, 15, 0), (3, 0, 4, 4), (40, 2, 30, 28)):
        for level, delta in ((F(1, 20), F(0)), (F(1, 100), F(1, 50))):
            a = exactly(end(n, hits, level / 2))
            below = exactly(end(n0, n0 - wrong, level / 2))
            largest = max(sp.S.One, (a - exactly(delta)) / (1 - below), (below - exactly(delta)) / (1 - a))
            found = code.enclosed(
                12, level=level, delta=delta, runs_with=n, true_positives=hits, runs_without=n0, false_positives=wrong
            )
            assert meet(found, by_sympy(sp.log(largest))), (n, hits, n0, wrong, level)


PROVES = (
    Property("clopper1934/lower.p", both, "6 counts, 3 levels, 12 digits; coverage of 1, 4 and 9 tries", "grid"),
    Property("clopper1934/two_rates.eps", rates, "5 pairs of counts, 2 levels with their deltas", "grid"),
)
