"""Witnesses of the errata of Rogers, Roth, Ullman, Vadhan 2016."""

from __future__ import annotations

import sympy as sp

from .exact import (
    F,
    between,
    constant,
    crossing,
    greater,
    hockey_stick,
    least_delta,
    statement,
    word,
)


def e1() -> None:
    """One exact counterexample, and the inequality that makes the printed delta too small at every eps > 0."""
    p, q = [F(1, 6), F(1, 30), F(4, 5)], [F(1, 30), F(1, 6), F(4, 5)]
    assert least_delta(p, q, F(2)) == F(1, 10)
    lost = sum((a for a, b in zip(p, q, strict=True) if a > 4 * b or b > 4 * a), F(0))
    assert lost == F(1, 5)
    assert greater(constant(lost), lambda ar: 2 * F(1, 10) / (ar.log(2) * 2))
    assert between("0.14426", lambda ar: F(1, 10) / ar.log(2), "0.14427")
    # P = (a, a/y), Q reversed, has delta a (1 - x/y) and loses a (1 + 1/y); as y falls to x^2 the ratio tends to the
    # sharp (1 + x^-2)/(1 - 1/x), above the printed 2/(log(x) x) as log(x)(x^2 + 1) - 2(x - 1) > 0 for x > 1:
    x = sp.Symbol("x", positive=True)
    gap = sp.log(x) * (x**2 + 1) - 2 * (x - 1)
    assert gap.subs(x, 1) == 0
    assert sp.simplify(sp.diff(gap, x) - ((x - 1) ** 2 / x + 2 * x * sp.log(x))) == 0
    for y in (F(401, 100), F(4001, 1000)):
        ratio = (1 + 1 / y) / (1 - 2 / y)
        assert ratio < F(5, 2)
        assert F(5, 2) - ratio < (y - 4) * 2
    # 2 delta e^eps/eps is valid: (1 + x^-2)/(1 - 1/x) <= 2 x/log x, by (x^2+1) log x <= 2 x^2 (x - 1) at x = 1 + t.
    t = sp.Symbol("t", nonnegative=True)
    assert sp.Poly(sp.expand(2 * (1 + t) ** 2 * t - ((1 + t) ** 2 + 1) * t), t).all_coeffs() == [1, 2, 0, 0]


def e2() -> None:
    """A (0, 1/10)-DP bit has |loss| = log(11/9) with certainty, above all three bounds."""
    p, q = [F(9, 20), F(11, 20)], [F(11, 20), F(9, 20)]
    assert least_delta(p, q, F(1)) == F(1, 10)
    assert {a / b for a, b in zip(p, q, strict=True)} == {F(9, 11), F(11, 9)}
    assert word("rogers2016/thm3.3.odometer", eps=["0"], delta=["1/10"], delta_g="1/10") == "0"
    assert word("rogers2016/thm3.3.filter", eps=["0"], delta=["1/10"], eps_g="1/100", delta_g="1/5") == "CONT"
    assert word("rogers2016/thm5.1.decision", eps=["0"], delta=["1/10"], eps_g="1/100", delta_g="1/5") == "CONT"
    assert greater(lambda ar: ar.log(F(11, 9)), constant(F(1, 100)))
    reading = statement("rogers2016/thm6.2.odometer", eps=["0"], delta=["1/10"], n="1000", delta_g="1/5")
    assert F("0.0032") < reading.lower <= reading.upper < F("0.0033")
    assert greater(lambda ar: ar.log(F(11, 9)), constant(reading.upper))
    # The DP consequence survives: the bit is (0, 1/10)-DP, so (1/100, 1/5)-DP.
    assert hockey_stick(p, q, F(1)) <= F(1, 5)


def e7() -> None:
    """With beta = eps_g^2/(c L), S/beta is c L S/eps_g^2: the same c inside and outside."""
    s, eps_g, log_term, c, d = sp.symbols("S eps_g L c d", positive=True)
    beta = eps_g**2 / (c * log_term)
    inner = sp.simplify(4 * s / (4 * beta))
    assert sp.simplify(inner - c * log_term * s / eps_g**2) == 0
    assert sp.solve(sp.Eq(d * log_term * s / eps_g**2, inner), d) == [c]


def e8() -> None:
    """The two readings of (4) at n = 1000, delta_g = 10^-6."""

    def four_log2(ar):
        return 4 * ar.log(1000) / ar.log(2)

    assert between("17.4", lambda ar: ar.log(four_log2(ar) * 10**6), "17.6")
    assert between("3600000", lambda ar: ar.log(four_log2(ar)) * 10**6, "3700000")


def e24() -> None:
    """e^(1/10) - 1 is above 1/10; what does hold."""
    assert between("0.10517", lambda ar: ar.expm1(F(1, 10)), "0.10518")
    assert greater(lambda ar: ar.exp(F(1, 10)), constant(F(11, 10)))
    assert between("0.0953", lambda ar: ar.log(F(11, 10)), "0.0954")
    # The total variation of (eps n)-DP laws is at most tanh(eps n / 2).
    assert between("0.0499", lambda ar: ar.tanh(F(1, 20)), "0.04996")


def e25() -> None:
    """The first rounds at which pointwise advanced composition has failed with probability above delta_g."""
    x = F(1001, 1000)
    for two_sided, cases in (
        (True, ((F(1, 10), 15), (F(1, 20), 19), (F(1, 100), 31), (F(1, 10**6), 149))),
        (False, ((F(1, 10), 61), (F(1, 20), 71), (F(1, 100), 94), (F(1, 10**6), 309))),
    ):
        for delta, first in cases:
            found = crossing(x, x - 1, delta, first, two_sided=two_sided)
            assert found[-1] > delta >= found[-2], (delta, first)
    tanh = crossing(x, (x - 1) / (x + 1), F(1, 20), 13, two_sided=True)
    assert tanh[-1] > F(1, 20) >= tanh[-2]
    at_15 = crossing(x, x - 1, F(1, 10), 15, two_sided=True)[-1]
    assert F("0.107055") < at_15 < F("0.107057")


def e26() -> None:
    """28.04 = 8 x* rounded, where it is optimal, and where the filter itself halts."""

    def shape(ar, c):
        x = c / 8
        return (1 + 1 / x) * (2 + ar.log(1 + x))

    c = F(2804, 100)
    low, high = F("28.0419319"), F("28.0419320")
    # x - 2 - log(1 + x) changes sign there: the minimum of the shape lies between.
    assert greater(lambda ar: ar.log(1 + low / 8), constant(low / 8 - 2))
    assert greater(constant(high / 8 - 2), lambda ar: ar.log(1 + high / 8))
    # At the optimum the shape is x* + 1 + ... = (1 + 1/x)(x): the excess of 28.04 is of the order 1e-9.
    assert greater(lambda ar: shape(ar, low) * (1 + F(1, 10**8)), lambda ar: shape(ar, c))
    assert between("1.5008", lambda ar: ar.sqrt(shape(ar, c) / 2), "1.5009")

    def radius_squared(ar, s):
        """(2) without drift over eps_g, squared, at S L/eps_g^2 = s and delta_g = 10^-6."""
        return 2 * (s + 1 / c) * (1 + ar.log(c * s + 1) / 2) * ar.log(2 * 10**6) / ar.log(10**6)

    assert greater(constant(1), lambda ar: radius_squared(ar, F("0.206")))
    assert greater(lambda ar: radius_squared(ar, F("0.208")), constant(1))


def e28() -> None:
    """If one of the two laws sufficed, X = (1, 0), Y = (1/2, 1/2) would be (log 2, 0)-DP."""
    x, y, growth = [F(1), F(0)], [F(1, 2), F(1, 2)], F(2)
    bad = [o for o in (0, 1) if x[o] > growth * y[o] or y[o] > growth * x[o]]
    assert sum(x[o] for o in bad) == 0
    assert sum(y[o] for o in bad) == F(1, 2)
    assert hockey_stick(y, x, growth) == F(1, 2)


def e29() -> None:
    """ceil(2 log_2 n) + 1 events of delta_g/(4 log_2 n) exceed delta_g/2, by up to a half."""
    for n in (2, 4, 16, 1024):
        bits = n.bit_length() - 1
        dyadic = 2 * bits
        assert F(dyadic + 1, 4 * bits) > F(1, 2)
    # n = 3: 2 log_2 3 = 3.17 needs 4 dyadic epochs; 5/(4 log_2 3) > 1/2 as 3^2 < 2^5.
    assert 2**3 < 3**2 < 2**4 < 2**5


def e32() -> None:
    """log_2(1) = 0, and at n = 101/100, delta_g = 3/10 the logarithm in (3) is negative."""
    assert greater(constant(1), lambda ar: 4 * ar.log(F(101, 100)) / ar.log(2) / F(3, 10))
    assert between("-1e-9", lambda ar: ar.log(F(1) + F(1, 10**12)) - F(1, 10**12), "1e-9")
