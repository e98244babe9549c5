"""Noisy sums that are divided by the number of records: what neighbours of n and n - 1 records tell at least.

All records contribute nothing, so that every sum is its noise alone, whoever was sampled: N independent normal numbers
of one variance, divided by n or by n - 1. In units of the variance for n, their squares add up to X, chi squared of N,
or to (n/(n - 1))^2 X. Let S say that they add up to at most v N, v = n/(n - 1). Markov's inequality of e^(t X), whose
mean is (1 - 2 t)^(-N/2) for t < 1/2, gives at its best t

    P(X > v N) <= (v e^(1 - v))^(N/2) for v > 1,    P(X <= u N) <= (u e^(1 - u))^(N/2) for u < 1.

For n records S fails with at most the former, and for n - 1 records it is X <= u N with u = v ((n - 1)/n)^2 = 1/v. So
delta(epsilon) >= P_n(S) - e^epsilon P_(n-1)(S) is at least the stated number. The pair is one of neighbours where a
record is added or removed; where one is replaced or zeroed out, both data sets have n records and the same spread.
"""

from __future__ import annotations

import sympy as sp

from .steps import Derivation, Step, identity

v, n = sp.symbols("v n", positive=True)
t, z = sp.symbols("t z", real=True)


def _mean() -> bool:
    """The mean of e^(t z^2), z normal, by its integral; t = -1 and t = 1/4 have no other form."""
    density = sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)
    return all(
        sp.simplify(sp.integrate(density * sp.exp(at * z**2), (z, -sp.oo, sp.oo)) - (1 - 2 * at) ** sp.Rational(-1, 2))
        == 0
        for at in (sp.Integer(-1), sp.Rational(1, 4), sp.Rational(-3, 7))
    )


#: Of one coordinate: the log of the mean less t v.
BOUND = -sp.log(1 - 2 * t) / 2 - t * v
BEST = (1 - 1 / v) / 2

DERIVATIONS = (
    Derivation(
        "Sums divided by the number of records (gdp/divided.delta)",
        ("gdp/divided.delta",),
        (
            Step("the mean of e^(t z^2) is (1 - 2 t)^(-1/2)", _mean),
            identity("the bound is stationary at t = (1 - 1/v)/2", sp.diff(BOUND, t).subs(t, BEST), sp.S.Zero),
            identity("where it is least: it curves upward", sp.diff(BOUND, t, 2), 2 / (1 - 2 * t) ** 2),
            identity(
                "there it is half of log(v e^(1 - v))",
                sp.expand_log(BOUND.subs(t, BEST), force=True),
                (sp.log(v) + 1 - v) / 2,
            ),
            identity("the threshold of n is 1/v of the other variance", n / (n - 1) * ((n - 1) / n) ** 2, (n - 1) / n),
        ),
    ),
)
