"""Witnesses of the errata of Rogers, Roth, Ullman, Vadhan 2016."""

from __future__ import annotations

import sympy as sp

from proofs.derivations.rogers import CONSTANT

from .exact import (
    F,
    Facts,
    constant,
    crossing,
    decimal,
    greater,
    hockey_stick,
    law,
    least_delta,
    power,
    refused,
    rounded,
    scientific,
    statement,
    word,
)


def e1() -> Facts:
    """One exact counterexample, and the inequality that makes the printed delta too small at every eps > 0."""
    p, q = [F(1, 6), F(1, 30), F(4, 5)], [F(1, 30), F(1, 6), F(4, 5)]
    growth = F(2)
    delta = least_delta(p, q, growth)
    lost = sum((a for a, b in zip(p, q, strict=True) if a > growth**2 * b or b > growth**2 * a), F(0))

    def claimed(ar):
        return 2 * delta / (ar.log(growth) * growth)

    assert greater(constant(lost), claimed)
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
    return (
        "for every eps > 0",
        "(2 eps, 2 delta/(eps e^eps))",
        "delta (1 + e^(-2 eps))/(1 - e^-eps)",
        "2 delta e^eps/eps",
        f"At e^eps = {growth}, P = {law(p)}, Q = {law(q)} have delta = {delta} and P(|loss| > 2 eps) = {lost} > "
        f"{rounded(claimed, 4)}",
    )


def e2() -> Facts:
    """A (0, 1/10)-DP bit has |loss| = log(11/9) with certainty, above all three bounds."""
    p, q = [F(9, 20), F(11, 20)], [F(11, 20), F(9, 20)]
    delta = least_delta(p, q, F(1))
    assert delta == F(1, 10)
    (ratio,) = {max(a / b, b / a) for a, b in zip(p, q, strict=True)}
    assert ratio == F(11, 9)
    assert word("rogers2016/thm3.3.odometer", eps=["0"], delta=["1/10"], delta_g="1/10") == "0"
    assert word("rogers2016/thm3.3.filter", eps=["0"], delta=["1/10"], eps_g="1/100", delta_g="1/5") == "CONT"
    assert word("rogers2016/thm5.1.decision", eps=["0"], delta=["1/10"], eps_g="1/100", delta_g="1/5") == "CONT"
    assert greater(lambda ar: ar.log(F(11, 9)), constant(F(1, 100)))
    reading = statement("rogers2016/thm6.2.odometer", eps=["0"], delta=["1/10"], n="1000", delta_g="1/5")
    assert F("0.0032") < reading.lower <= reading.upper < F("0.0033")
    assert greater(lambda ar: ar.log(F(11, 9)), constant(reading.upper))
    # The DP consequence survives: the bit is (0, 1/10)-DP, so (1/100, 1/5)-DP.
    assert hockey_stick(p, q, F(1)) <= F(1, 5)
    return (
        "delta_i > 0",
        f"a (0, {delta})-DP bit with laws {law(p)}, {law(q)} always has |loss| = log({ratio})",
        "delta_i = 0",
    )


def e7() -> Facts:
    """With beta = eps_g^2/(c L), S/beta is c L S/eps_g^2: the same c inside and outside."""
    s, eps_g, log_term, c, d = sp.symbols("S eps_g L c d", positive=True)
    beta = eps_g**2 / (c * log_term)
    inner = sp.simplify(4 * s / (4 * beta))
    assert sp.simplify(inner - c * log_term * s / eps_g**2) == 0
    assert sp.solve(sp.Eq(d * log_term * s / eps_g**2, inner), d) == [c]
    # The printed outer constant.
    assert decimal(CONSTANT) == "28.04"
    return (f"{decimal(CONSTANT)} in both places: both are 1/beta",)


def e8() -> Facts:
    """The two readings of (4) at n = 1000, delta_g = 10^-6."""
    n, delta_g = 1000, F(1, 10**6)

    def four_log2(ar):
        return 4 * ar.log(n) / ar.log(2)

    right = rounded(lambda ar: ar.log(four_log2(ar) / delta_g), 1)
    literal = scientific(lambda ar: ar.log(four_log2(ar)) / delta_g, 6, 1)
    return (
        "log(4 log_2(n))/delta_g)",
        "log(4 log_2(n)/delta_g)",
        f"{right} and not {literal} at n = {n}, delta_g = {power(delta_g)}",
    )


def e24() -> Facts:
    """e^(1/10) - 1 is above 1/10; what does hold."""
    product = limit = F(1, 10)
    assert greater(lambda ar: ar.expm1(product), constant(limit))
    # It holds below log 1.1, which is smaller.
    assert greater(constant(product), lambda ar: ar.log(1 + limit))
    # The total variation of (eps n)-DP laws is at most tanh(eps n / 2).
    bound = F("0.04996")
    assert greater(constant(bound), lambda ar: ar.tanh(product / 2))
    return (
        f"e^(eps n) - 1 < {decimal(limit)} for eps < 1/({1 / product} n)",
        f"e^{decimal(product)} - 1 = {rounded(lambda ar: ar.expm1(product), 5)}",
        f"eps n < log {decimal(1 + limit)}",
        f"tanh({product / 2}) < {decimal(bound)}",
    )


def e25() -> Facts:
    """The first rounds at which pointwise advanced composition has failed with probability above delta_g."""
    x = F(1001, 1000)
    deltas = (F(1, 10), F(1, 20), F(1, 100), F(1, 10**6))

    def first(delta, drift, limit, *, two_sided):
        """The first K up to the limit at which the probability of having left the bound exceeds delta."""
        found = crossing(x, drift, delta, limit, two_sided=two_sided)
        return next(k for k, probability in enumerate(found, 1) if probability > delta)

    two_sided = [first(d, x - 1, limit, two_sided=True) for d, limit in zip(deltas, (20, 25, 40, 160), strict=True)]
    one_sided = [first(d, x - 1, limit, two_sided=False) for d, limit in zip(deltas, (70, 80, 110, 320), strict=True)]
    tanh = first(F(1, 20), (x - 1) / (x + 1), 20, two_sided=True)
    shown = [str(d) for d in deltas[:3]] + [power(deltas[3])]
    return (
        f"at e^eps = {x} the loss",
        f"delta_g = {shown[0]} from K = {two_sided[0]}, "
        + ", ".join(f"{d} from {k}" for d, k in zip(shown[1:], two_sided[1:], strict=True))
        + " on",
        f"with the drift tanh, {F(1, 20)} from {tanh}",
        f"one-sided {', '.join(map(str, one_sided))}",
    )


def e26() -> Facts:
    """28.04 = 8 x* rounded, where it is optimal, and where the filter itself halts."""

    def shape(ar, c):
        x = c / 8
        return (1 + 1 / x) * (2 + ar.log(1 + x))

    low, high = F("28.0419319"), F("28.0419320")
    # x - 2 - log(1 + x) changes sign there: the minimum of the shape lies between.
    assert greater(lambda ar: ar.log(1 + low / 8), constant(low / 8 - 2))
    assert greater(constant(high / 8 - 2), lambda ar: ar.log(1 + high / 8))
    c = F(round(low * 100), 100)
    assert c == F(round(high * 100), 100) == CONSTANT
    # At the optimum the shape is x* + 1 + ... = (1 + 1/x)(x): the excess of 28.04 is of the order 1e-9.
    assert greater(lambda ar: shape(ar, low) * (1 + F(1, 10**8)), lambda ar: shape(ar, c))
    delta_g = F(1, 10**6)

    def radius_squared(ar, s):
        """(2) without drift over eps_g, squared, at S L/eps_g^2 = s."""
        return 2 * (s + 1 / c) * (1 + ar.log(c * s + 1) / 2) * ar.log(2 / delta_g) / ar.log(1 / delta_g)

    # It increases with s and crosses 1 at the halting point.
    halting, half_digit = F("0.207"), F("0.0005")
    assert greater(constant(1), lambda ar: radius_squared(ar, halting - half_digit))
    assert greater(lambda ar: radius_squared(ar, halting + half_digit), constant(1))
    return (
        f"{decimal(c)} is nearly optimal for eps_g = eps sqrt(8 k log(1/delta_g))",
        "the optimum is 8 x* with x* = 2 + log(1 + x*), at S = eps_g^2/(8 log(1/delta_g)), with",
        f"ratio {rounded(lambda ar: ar.sqrt(shape(ar, c) / 2), 5)} to advanced composition",
        f"S log(1/delta_g)/eps_g^2 = {decimal(halting)} (delta_g = {power(delta_g)})",
    )


def e28() -> Facts:
    """If one of the two laws sufficed, X = (1, 0), Y = (1/2, 1/2) would be (log 2, 0)-DP."""
    x, y, growth = [F(1), F(0)], [F(1, 2), F(1, 2)], F(2)
    bad = [o for o in (0, 1) if x[o] > growth * y[o] or y[o] > growth * x[o]]
    assert sum(x[o] for o in bad) == 0
    assert sum(y[o] for o in bad) == F(1, 2)
    assert hockey_stick(y, x, growth) == F(1, 2)
    return (
        "with probability at least 1 - delta over either",
        f"X = {law(x)}, Y = {law(y)} at e^eps = {growth}, delta = {sum(x[o] for o in bad)}",
    )


def e29() -> Facts:
    """Dyadic epochs of Theorem 6.2: within delta_g/2 where 2 log_2 n is whole, above it elsewhere; others always do."""
    for bits in (1, 2, 4, 10):
        n = 2**bits
        epochs = [F(2**j, n * n) for j in range(2 * bits)]
        # The first begins at (4)'s beta = 1/n^2 and the last ends at 1: one event each, and no further one for (4).
        assert epochs[0] * n * n == 1 == 2 * epochs[-1]
        assert F(len(epochs), 4 * bits) == F(1, 2)
    n, steps = 3, 0
    while F(2**steps, n * n) < 1:
        steps += 1
    # 2 log_2 n < steps, so that steps/(4 log_2 n) > 1/2; one epoch less, of equal ratios, is at most 2 log_2 n.
    assert n**2 < 2**steps
    assert 2 ** (steps - 1) <= n**2
    # The ratios n^(2/(steps - 1)) are at most 2^(3/2), where one beta still serves (proofs/derivations/rogers.py).
    assert n**4 <= 2 ** (3 * (steps - 1))
    share = rounded(lambda ar: steps * ar.log(2) / (4 * ar.log(n)), 2)
    return (
        "log(n^2) choices for beta",
        "2 log_2 n dyadic epochs of delta_g/(4 log_2 n) and delta_g/2 for the deltas",
        "where 2 log_2 n is whole, as for n = 2, 4, 8",
        "the epochs sum to delta_g/2",
        "its beta 1/n^2",
        f"n = {n} needs {steps} dyadic epochs, {share} delta_g",
        "floor(2 log_2 n) epochs of equal ratio n^(2/floor(2 log_2 n)) <= 2^(3/2)",
    )


def e32() -> Facts:
    """log_2(1) = 0, and for n just above 1 the logarithm in (3) is negative."""
    n = sp.Symbol("n", positive=True)
    inner = 4 * sp.log(n) / sp.log(2)
    assert inner.subs(n, 1) == 0
    assert sp.limit(sp.log(inner / F(3, 10)), n, 1, "+") == -sp.oo
    assert greater(constant(1), lambda ar: 4 * ar.log(F(101, 100)) / ar.log(2) / F(3, 10))
    for size in ("1", "101/100", "199/100"):
        assert refused("rogers2016/thm6.2.odometer", eps=["1"], delta=["0"], n=size, delta_g="3/10") == "n"
    assert refused("rogers2016/thm6.2.odometer", eps=["1"], delta=["0"], n="2", delta_g="3/10") is None
    return ("|x| >= 2", f"at 1 both have log {inner.subs(n, 1)}", "n < 2")


def e34() -> Facts:
    """Theorem 6.2 over Theorem 2.10 with S = sum eps^2 at 1 and just above, against sqrt(log log n)."""
    eps, delta = F(1, 1000), F(1, 10**6)

    def factor(total, n):
        """How many times Theorem 2.10's bound the odometer reads after rounds of eps with sum of squares ``total``."""
        count = int(total / eps**2)
        reading = statement(
            "rogers2016/thm6.2.odometer",
            eps=[{"value": str(eps), "count": count}],
            delta=["0"],
            n=str(n),
            delta_g=str(delta),
        )
        heuristic = statement("rogers2016/thm2.10.eps_g", eps=str(eps), k=str(count), delta_hat=str(delta))
        return reading.lower / heuristic.upper, reading.upper / heuristic.lower

    def claimed(n):
        return lambda ar: ar.sqrt(ar.log(ar.log(n)))

    def shown(total, n, places):
        low, high = factor(total, n)
        assert greater(constant(low), claimed(n))
        text = rounded(constant(low), places)
        assert text == rounded(constant(high), places)
        return text

    near, far, above = 10**9, 10**1000, F("1.01")
    # Just above 1 Theorem 2.10 does not depend on n, and (4) grows like sqrt(log n) times the claimed factor.
    log_n = sp.Symbol("l", positive=True)
    squared = 2 * (sp.exp(-2 * log_n) + 1) * (1 + sp.log(1 + sp.exp(2 * log_n)) / 2)
    assert sp.limit(squared / log_n, log_n, sp.oo) == 2
    assert sp.limit(sp.log(4 * log_n / sp.log(2) / sp.Rational(delta)) / sp.log(log_n), log_n, sp.oo) == 1
    # Below 1/n^2 it stays, where Theorem 2.10 tends to 0.
    nothing = statement("rogers2016/thm6.2.odometer", eps=[], delta=["0"], n="100", delta_g=str(delta))
    little = statement("rogers2016/thm2.10.eps_g", eps="1/1000000", k="1", delta_hat=str(delta))
    assert nothing.lower > 100 * little.upper
    return (
        "below, it does not fall with S",
        f"{shown(F(1), near, 3)} against {rounded(claimed(near), 3)} at S = sum eps^2 = 1, n = {power(F(near))}, "
        f"delta = {power(delta)}, eps = {eps}",
        "only for S in [1/n^2, 1]",
        f"at S = {decimal(above)} it is {shown(above, near, 2)} for n = {power(F(near))} and {shown(above, far, 1)} "
        f"for n = {power(F(far))}, against {rounded(claimed(far), 2)}",
    )


def e42() -> Facts:
    """Total variation of neighbours and of data sets that differ in all n records, and what Theorem 5.1 depends on."""
    eps = F(1, 100)
    for n in (2, 10, 1000):
        assert greater(lambda ar, n=n: ar.expm1(eps * n), lambda ar: ar.expm1(eps))
    inputs = {"eps": ["1/10"], "eps_g": "1", "delta_g": "1/100"}
    assert refused("rogers2016/thm5.1.bound", **inputs) is None
    assert refused("rogers2016/thm5.1.bound", n="10", **inputs) == "n"
    return ("e^(eps n) - 1", "e^eps - 1, which is smaller for n > 1", "nowhere else in Theorem 5.1")
