"""Guesses of one run under mu-Gaussian DP: from  r = level v/m, h = level (n - v)/m,

  h' = max(h, g(r)),  r' = r + i/(n - i) (h' - h)  for i = v - 1, ..., 0,   g(x) = Phi(Phi^-1(x) - mu),

and a mechanism whose chance of at least v right guesses of n is the level has  r + h <= n/m  at the end.

Hypotheses: every canary is included by a fair coin of its own; guesses see the answer and no coin; n is chosen before.
Source: the recursion as jax-privacy's auditing code has it, which names Mahloujifar, Melis, Chaudhuri 2024; proved in
proofs/derivations/curve_of_one_run.py. The statement is (r + h) m/n, and 2 where that is more or r is 1 or more.
"""

from fractions import Fraction

from mpmath import erfc, erfinv, mp, mpf, sqrt

from proofs.numerals import by_mpmath, meet
from proofs.transcription import Property

F = Fraction
CASES = ((1, 1, 1), (5, 3, 2), (10, 10, 9), (40, 12, 11), (1000, 100, 75), (200, 200, 150), (7, 7, 0))


def below(x, mu):
    return erfc(-(sqrt(mpf(2)) * erfinv(2 * x - 1) - mu) / sqrt(mpf(2))) / 2 if mu else x


def total(m, n, v, mu, level):
    """The recursion of r and h, with 60 digits."""
    with mp.workdps(60):
        level, mu = mpf(level.numerator) / level.denominator, mpf(mu.numerator) / mu.denominator
        r, h = level * v / m, level * (n - v) / m
        for i in range(v - 1, -1, -1):
            if r >= 1:
                return mpf(2)
            more = max(h, below(r, mu))
            r, h = r + mpf(i) / (n - i) * (more - h), more
        return min((r + h) * m / n, mpf(2))


def totals(code):
    for m, n, v in CASES:
        for mu in (F(0), F(1, 10), F(2)):
            for level in (F(1, 20), F(1, 10**9), F(1, 2)):
                low, high = code.enclosed(15, mu=mu, level=level, canaries=m, guesses=n, right=v)
                found = total(m, n, v, mu, level)
                assert meet((low, high), by_mpmath(found, digits=50)), (m, n, v, mu, level)
                assert high - low <= high / 10**14
    assert code.refuses(mu=F(1), level=F(1, 20), canaries=3, guesses=4, right=1)
    assert code.refuses(mu=F(1), level=F(1, 20), canaries=3, guesses=2, right=3)


def mus(code):
    for m, n, v in CASES:
        for level in (F(1, 20), F(1, 10**9)):
            low, high = code.enclosed(8, level=level, canaries=m, guesses=n, right=v)
            if high:
                assert total(m, n, v, low * (1 - F(1, 10**9)), level) > 1, (m, n, v, level)
                assert total(m, n, v, high * (1 + F(1, 10**9)), level) <= 1, (m, n, v, level)
                assert (high - low) * 10**8 <= high
            else:
                assert total(m, n, v, F(0), level) <= 1


PROVES = (
    Property("mahloujifar2024/one_run.total", totals, "7 sizes, 3 mus, 3 levels, 15 digits", "grid"),
    Property("mahloujifar2024/one_run.mu", mus, "7 sizes, 2 levels", "grid"),
)
