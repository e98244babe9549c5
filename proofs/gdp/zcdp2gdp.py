"""The mu of zCDP: the root of sqrt(-log Phi(-mu/2)) - sqrt(-log Phi(mu/2)) = sqrt(rho), which increases with mu.

Hypotheses: rho-zCDP for every pair of neighbours in both orders, at all orders above 1. Source: ours;
proofs/derivations/zcdp_as_gaussian.py derives it.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property, phi

F = Fraction


def rho_of(mu, digits):
    """The largest rho for which the theorem gives this mu (`digits` digits)."""
    # Numbers before the roots: of a root that SymPy keeps it asks now and then whether it is real, and fails.
    logs = ((-sp.log(phi(side * mu / 2))).evalf(digits, maxn=4 * digits) for side in (-1, 1))
    rare, usual = map(sp.sqrt, logs)
    return (rare - usual) ** 2


def brackets(code):
    for rhos in (((F(1, 2), 1),), ((F(1, 20), 7), (F(3), 2)), ((F(1, 10**6), 1),), ((F(80), 1),)):
        low, high = code.enclosed(25, rhos=rhos)
        total = sum(c * r for r, c in rhos)
        # An enclosure may be far narrower than it has to be.
        digits = 40 + len(str(int(1 / (high - low))))
        ends = (low - (high - low), high + (high - low))
        before, after = (rho_of(sp.Rational(end), digits) for end in ends)
        assert before < sp.Rational(total) < after
    assert code.exact(rhos=()) == code.exact(rhos=((F(0), 3),)) == 0


def between_two_slopes(code):
    """From sqrt(pi log 2) sqrt(2 rho) on, and above what randomized response shows to be needed."""
    for rho in (F(1, 10**8), F(1, 100), F(1), F(4)):
        low, high = code.enclosed(25, rhos=((rho, 1),))
        unit = sp.sqrt(2 * sp.Rational(rho))
        assert sp.N(sp.sqrt(sp.pi * sp.log(2)) * unit, 40) < sp.Rational(high)
        assert sp.Rational(low) < sp.N(2 * unit, 40)


PROVES = (
    Property("gdp/zcdp2gdp.mu", brackets, "the root of the equation, typed once more, at four sums", "cases"),
    Property("gdp/zcdp2gdp.mu", between_two_slopes, "between both slopes at four rho", "cases"),
)
