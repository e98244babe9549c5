"""Audits by one run: at least v of at most r guesses about m randomly included canaries are right with at most

  B + m delta B (1 - B)/(v P(W = v)),  B = P(W >= v),  W ~ Bin(r, q),  q = e^eps/(1 + e^eps).

Hypotheses: every canary is included by a fair coin of its own; guesses see the answer and no coin; r is chosen before.
Source: ours, for the test of Steinke, Nasr, Jagielski 2023, derived in proofs/derivations/evidence.py.
"""

from fractions import Fraction
from math import comb

import sympy as sp

from proofs.numerals import by_sympy, meet
from proofs.transcription import Property

F = Fraction
CASES = (
    (1, 1, 1), (5, 3, 2), (5, 3, 0), (10, 10, 10), (40, 12, 9), (1000, 100, 75), (200, 200, 150),
)  # fmt: skip


def exactly(value):
    return sp.Rational(value.numerator, value.denominator)


def p_value(m, r, v, eps, delta):
    """The formula with q written out, its sums term by term."""
    if v == 0:
        return sp.S.One
    q = 1 / (1 + sp.exp(-exactly(eps)))
    chance = [comb(r, w) * q**w * (1 - q) ** (r - w) for w in range(v, r + 1)]
    tail = sum(chance, sp.S.Zero)
    return tail + m * exactly(delta) * tail * (1 - tail) / (v * chance[0])


def values(code):
    for m, r, v in CASES:
        for eps in (F(0), F(1, 10), F(2)):
            for delta in (F(0), F(1, 10**5)):
                found = code.enclosed(20, eps=eps, delta=delta, canaries=m, guesses=r, right=v)
                assert meet(found, by_sympy(p_value(m, r, v, eps, delta))), (m, r, v, eps, delta)
                assert found[1] - found[0] <= found[1] / 10**18
    assert code.refuses(eps=F(1), delta=F(0), canaries=3, guesses=4, right=1)
    assert code.refuses(eps=F(1), delta=F(0), canaries=3, guesses=2, right=3)


def epsilons(code):
    for m, r, v in CASES:
        for delta in (F(0), F(1, 10**5)):
            level = F(1, 20)
            low, high = code.enclosed(12, level=level, delta=delta, canaries=m, guesses=r, right=v)
            if high:
                assert by_sympy(p_value(m, r, v, low * (1 - F(1, 10**15)), delta))[1] <= level
                assert by_sympy(p_value(m, r, v, high * (1 + F(1, 10**15)), delta))[0] >= level
                assert (high - low) * 10**10 <= high
            else:
                assert by_sympy(p_value(m, r, v, F(0), delta))[1] >= level


PROVES = (
    Property("steinke2023/one_run.p", values, "7 sizes, 3 epsilons, 2 deltas, 20 digits", "grid"),
    Property("steinke2023/one_run.eps", epsilons, "7 sizes, 2 deltas, level 1/20", "grid"),
)
