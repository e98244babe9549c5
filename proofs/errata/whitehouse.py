"""Witnesses of the errata of Whitehouse, Ramdas, Rogers, Wu 2023."""

from __future__ import annotations

import math

import sympy as sp

from .exact import (
    F,
    Facts,
    constant,
    decimal,
    greater,
    law,
    least_delta,
    power,
    response_tail,
    rounded,
    scientific,
    statement,
    word,
)


def _f(ar, v, delta):
    return ar.sqrt(2 * ar.log(1 / delta) * v) + v / ar.real(2)


def e3() -> Facts:
    """The exact delta of an open failure and k randomized responses, at the eps that the arXiv form claims."""
    eps = F(1, 10)

    def exact_delta(k, failing, delta):
        rho = k * eps * eps / 2

        def formula(ar):
            claimed = rho + 2 * ar.sqrt(rho * ar.log(1 / delta))
            total = F(0)
            for zeros in range(k + 1):
                loss = (k - 2 * zeros) * eps
                if greater(constant(loss), lambda inner: rho + 2 * inner.sqrt(rho * inner.log(1 / delta))):
                    x = ar.exp(eps)
                    p = math.comb(k, zeros) * x ** (k - zeros) / (1 + x) ** k
                    q = math.comb(k, zeros) * x**zeros / (1 + x) ** k
                    total = p - ar.exp(claimed) * q + total
            return failing + (1 - failing) * total

        assert greater(formula, constant(delta))
        return rounded(formula, 6)

    (k, delta), *others = ((6, F(1, 10)), (2, F(1, 2)), (1, F(2, 3)))
    prime = F(1, 10**4)
    return (
        "rho + 2 sqrt(rho log(1/delta))",
        f"RR({eps}) have exact delta {exact_delta(k, delta, delta)} (delta = {delta}, k = {k}), "
        + ", ".join(f"{exact_delta(n, d, d)} ({d}, {n})" for n, d in others),
        "delta' > 0",
        f"with delta'' = {delta} of failure, delta' = {prime} and k = {k} the exact delta is "
        f"{exact_delta(k, delta, delta + prime)} > {delta + prime}",
    )


def e4() -> Facts:
    """n rounds whose loss is log 1/(1-d) with certainty, against the odometers tuned to that very V."""

    def loss(ar, d, n):
        return -n * ar.log(1 - d)

    def v(ar, d, n):
        return n * ar.log(1 - d) ** 2

    d, n = F(1, 100), 10
    assert greater(lambda ar: loss(ar, d, n), lambda ar: _f(ar, v(ar, d, n), d))
    first = (
        f"at d = delta' = {d}, n = {n} that is {rounded(lambda ar: loss(ar, F(1, 100), 10), 4)} > "
        f"{rounded(lambda ar: _f(ar, v(ar, F(1, 100), 10), F(1, 100)), 4)} = u^F"
    )
    assert d + n * d < 1
    # The pair: (1, 0) against (1 - d, d): |loss| <= log 1/(1-d) except with probability d on the second law.
    assert least_delta([F(1), F(0)], [1 - d, d], 1 / (1 - d)) == d
    d, n = F(1, 10**6), 60

    def mixture(ar):
        # gamma = V: sqrt(4 V log(sqrt 2/d)) + V/2
        t = v(ar, d, n)
        return ar.sqrt(4 * t * ar.log(ar.sqrt(2) / d)) + t / 2

    def stitched(ar):
        # v0 = V
        t = v(ar, d, n)
        return F(17, 10) * ar.sqrt(t * (ar.log(ar.log(2)) + F(72, 100) * ar.log(F(52, 10) / d))) + t / 2

    for odometer in (lambda ar: _f(ar, v(ar, d, n), d), mixture, stitched):
        assert greater(lambda ar: loss(ar, d, n), odometer)
        # Repaired, each covers it: it adds exactly that loss.
        assert greater(lambda ar, odometer=odometer: odometer(ar) + loss(ar, d, n), lambda ar: loss(ar, d, n))
    # One rational step as a check on privref's own odometer: eps at least log 1/(1-d).
    reading = statement("whitehouse2023/thm3.filter.at", V="0.0010101", y_star="0.0010101", delta_prime="1/100")
    assert greater(lambda ar: loss(ar, F(1, 100), 10), constant(reading.upper))
    return (
        "delta_n > 0",
        "with probability 1 - d is (log 1/(1-d), d)-pDP, and n rounds lose n log 1/(1-d) with probability 1:",
        first,
        f"at {power(d)}, n = {n}",
        "sum log(1/(1 - delta_m))",
    )


def e4b() -> Facts:
    """One (0, 1/10)-DP round: V = 0, the odometer reads 0.0679, the loss is log(11/9) with probability 11/20."""
    p, q = [F(11, 20), F(9, 20)], [F(9, 20), F(11, 20)]
    delta = least_delta(p, q, F(1))
    gamma, delta_prime = F(1, 1000), F(1, 10)
    reading = statement("whitehouse2023/thm3.mixture", V="0", gamma=str(gamma), delta_prime=str(delta_prime))

    def loss(ar):
        return ar.log(p[0] / q[0])

    assert greater(loss, constant(reading.upper))
    assert p[0] > delta + delta_prime
    return (
        f"one (0, {delta})-DP round, mixture with gamma = {gamma}, delta' = {delta_prime}: the odometer reads "
        f"{rounded(constant(reading.lower), 4)} and the loss is {rounded(loss, 4)} with probability {p[0]} > "
        f"{delta + delta_prime}",
        "delta > 0",
    )


def e5() -> Facts:
    """f at the printed y* is eps/2 identically; what the printed odometer reads at the filter's halting point."""
    log_term, eps = sp.symbols("l eps", positive=True)
    root = -sp.sqrt(2 * log_term) + sp.sqrt(2 * log_term + eps)
    assert sp.expand(sp.sqrt(2 * log_term) * root + root**2 / 2 - eps / 2) == 0
    # Where the filter halts the printed odometer reads, in units of 2 log(1/delta') and with r the root of the printed
    # y*, r/2 + R^2/(2r) + R^2/2 at the true root R = sqrt(1 + 2e) - 1 of the time, where eps is e = r(r + 2).
    r = sp.Symbol("r", positive=True)
    assert sp.expand(1 + r * (r + 2) - (1 + r) ** 2) == 0
    halting = sp.sqrt(1 + 2 * r * (r + 2)) - 1
    factor = (r / 2 + halting**2 / (2 * r) + halting**2 / 2) / (r * (r + 2))
    most = sp.limit(factor, r, 0, "+")
    # It falls: the derivative's numerator is A - B q with q^2 = 2 r^2 + 4 r + 1, and (B q)^2 - A^2 has no minus sign.
    q = sp.sqrt(2 * r**2 + 4 * r + 1)
    a, b = 4 * r**4 + 20 * r**3 + 40 * r**2 + 34 * r + 8, 3 * r**3 + 12 * r**2 + 18 * r + 8
    assert sp.simplify(sp.diff(factor, r) - (a - b * q) / (2 * r**3 * (r + 2) ** 2 * q)) == 0
    coefficients = sp.Poly(sp.expand(b**2 * q**2 - a**2), r).all_coeffs()
    assert min(coefficients) >= 0 < max(coefficients)
    target, delta_prime = F(1), F(1, 10**6)
    inputs = {"eps": str(target), "delta_prime": str(delta_prime)}
    time = str(statement("whitehouse2023/thm3.ystar.corrected", **inputs).lower)
    reading = statement("whitehouse2023/thm3.filter.printed", V=time, **inputs)
    low, high = (rounded(constant(end), 3) for end in (reading.lower, reading.upper))
    assert low == high
    assert statement("whitehouse2023/thm3.filter", V=time, **inputs).upper <= target * (1 + F(1, 10**20))
    return (
        "y* = (-sqrt(2 log(1/delta')) + sqrt(2 log(1/delta') + eps))^2 solves",
        "f(y*) = eps/2 identically; the root has 2 eps",
        "any fixed y* > 0",
        f"up to {decimal(F(str(most)))} eps: that factor falls as eps grows, to {low} at eps = {target} for "
        f"delta' = {power(delta_prime)}",
    )


def e5b() -> Facts:
    """With a = y*, b^2 = 2 l y*: exp(-b^2/a) is delta'^2."""
    log_term, y = sp.symbols("l y", positive=True)
    b_squared = 2 * log_term * y
    assert sp.simplify(sp.exp(-b_squared / y) - sp.exp(-log_term) ** 2) == 0
    assert sp.simplify(sp.exp(-b_squared / (2 * y)) - sp.exp(-log_term)) == 0
    return ("exp(-b^2/a) = delta'", "exp(-b^2/a) = delta'^2", "exp(-b^2/(2a)) = delta'")


def e5c() -> Facts:
    """a = b = V = 1, M = 2 is on the event X > exp(b^2/2a), where the printed inequality fails and >= holds."""
    a = b = v = F(1)
    m = F(2)
    exponent = b / a * m - b * b / (2 * a * a) * v
    assert exponent > b * b / (2 * a)
    assert not b / a * m <= b * b / (2 * a) + b * b / (2 * a * a) * v
    assert b / a * m >= b * b / (2 * a) + b * b / (2 * a * a) * v
    return ("(b/a) M_n <= b^2/(2a) + b^2/(2a^2) V_n", ">=")


def e6() -> Facts:
    """24 randomized responses of 1/1000 exceed the printed odometer with probability 1.81e-5 > 10^-6."""
    eps, k, n, delta_prime = F(1, 1000), 24, 200, F(1, 10**6)
    v = k * eps * eps
    assert not F(1, n**2) <= v <= 1
    inputs = {"V": str(v), "n": str(n), "delta_prime": str(delta_prime)}
    printed = statement("whitehouse2023/lem3.branch3.printed", **inputs)

    def tail(ar):
        return response_tail(ar, eps, k, printed.upper)[0]

    assert greater(tail, constant(delta_prime))
    corrected = statement("whitehouse2023/lem3.branch3.corrected", **inputs)
    assert corrected.lower > k * eps, "the corrected odometer is above the largest possible loss"
    return (
        "log log(4/delta' log_2|x|)",
        f"|x| = {n}, delta' = {power(delta_prime)}, {k} RR({eps}): P(loss > u) = {scientific(tail, -5, 2)}",
    )


def e9() -> Facts:
    """One (0, 1)-DP round that reveals everything has sum eps^2 = 0 and delta 1 at every eps."""
    p, q = [F(1), F(0)], [F(0), F(1)]
    assert least_delta(p, q, F(1)) == 1
    assert all(least_delta(p, q, F(x)) == 1 for x in (2, 100, 10**9))
    # Theorem 2, with its budget for the deltas, refuses the round.
    rounds = word("whitehouse2023/thm2.N", eps_target="1", delta_prime="1/10", delta_pp="0", eps=["0"], delta=["1"])
    assert rounds == "0"
    return ("one (0, 1)-DP round",)


def e10() -> Facts:
    """RR(10) at eps = 1 has delta above 0.99; with 0 allowed the filter refuses it."""
    first, target, most = 10, 1, F(99, 100)
    assert greater(lambda ar: (ar.exp(first) - ar.exp(target)) / (1 + ar.exp(first)), constant(most))
    rounds = word(
        "whitehouse2023/thm2.N",
        eps_target=str(target),
        delta_prime="1/10",
        delta_pp="0",
        eps=[str(first)],
        delta=["0"],
    )
    assert rounds == word("whitehouse2023/thm1.N", rho="1/2", delta="0", rhos=["50"], deltas=["0"]) == "0"
    return (
        f"that {rounds} is a natural number",
        f"{rounds} must be allowed: with eps_1 = {first} and a target eps = {target} the",
        f"its delta at eps = {target} exceeds {decimal(most)}",
    )


def e20() -> Facts:
    """Mixtures exist where no events of the output do."""
    p, q, delta = [F(9, 20), F(11, 20)], [F(1, 2), F(1, 2)], F(1, 10)
    common = [min(a, b) for a, b in zip(p, q, strict=True)]
    assert sum(common) >= 1 - delta, "P' = Q' = the overlap, so Condition 2 holds with rho = 0"
    shared = [c / sum(common) for c in common]
    for one in (p, q):
        rest = [(a - (1 - delta) * s) / delta for a, s in zip(one, shared, strict=True)]
        assert all(r >= 0 for r in rest)
        assert sum(rest) == 1
    # An event of the output with probability >= 9/10 is the whole space under both laws, and P != Q.
    events = [E for E in ((), (0,), (1,), (0, 1)) if min(sum(p[o] for o in E), sum(q[o] for o in E)) >= 1 - delta]
    assert events == [(0, 1)]
    assert p != q
    return (f"{law(p)} against {law(q)}, rho = 0, delta = {delta} satisfy 2 and not 1",)


def e21() -> Facts:
    """u_1 without eps_1 is a constant c; RR with e^eps = 3^m loses m log 3 > c with probability at least 3/4."""
    for c in (1, 10, 100):
        x = F(3) ** c
        assert greater(lambda ar, c=c: c * ar.log(3), constant(c))
        assert x / (1 + x) >= F(3, 4)
    return ("eps_{1:n-1}; E(L_m | F_{n-1})", "eps_{1:n}", "F_{m-1}")


def e22() -> Facts:
    """At V = 10^8 (v0 = 1, delta' = 10^-6) the stitched odometer is 1.0013 times V/2."""
    v = F(10**8)
    reading = statement("whitehouse2023/thm3.stitched", V=str(v), v0="1", delta_prime="1/1000000")
    low, high = (rounded(constant(end / (v / 2)), 4) for end in (reading.lower, reading.upper))
    assert low == high
    return ("The term V/2 leads", f"u/(V/2) = {low} at V = {power(v)}")


def e23() -> Facts:
    """The boundary at delta = delta' + delta'' is lower than the odometer's, which is stated at delta'."""
    prime = statement("whitehouse2023/thm5.boundary", V="1", gamma="1", delta="1/100")
    both = statement("whitehouse2023/thm5.boundary", V="1", gamma="1", delta="11/100")
    assert both.upper < prime.lower
    odometer = statement("whitehouse2023/thm3.mixture", V="1", gamma="1", delta_prime="1/100")
    assert abs(odometer.lower - prime.lower - F(1, 2)) < F(1, 10**20)
    return ("with delta = delta' + delta'' the boundary would be lower",)


def e30() -> Facts:
    """At V = 0 and delta = 2 the radicand of Theorem 5 is negative, and so is 2 k log(1/delta^) at delta^ = 2."""
    delta, gamma, v = 2, F(1), F(0)
    assert greater(constant(0), lambda ar: 2 * ar.log(F(1, delta)))
    assert greater(constant(0), lambda ar: 2 * (v + gamma) * ar.log(ar.sqrt((v + gamma) / gamma) / delta))
    return ("at most 1: above", f"at V = {v}, delta = {delta}", "above 1")


def e36() -> Facts:
    """Tuned for eps = 1, at v = 10^-4 and |x| = 10^4 the original odometer is the least; and so it is in the limit."""
    eps, delta_prime, size, v = F(1), F(1, 10**6), F(10**4), F(1, 10**4)
    common = {"V": str(v), "delta_prime": str(delta_prime)}
    filtered = statement("whitehouse2023/thm3.filter", eps=str(eps), **common)
    time = statement("whitehouse2023/thm3.ystar.corrected", eps=str(eps), delta_prime=str(delta_prime))
    best = statement("whitehouse2023/thm3.mixture.best_gamma", V=str(time.lower), delta_prime=str(delta_prime))
    gamma = F(rounded(constant(best.lower), 4))
    mixture = statement("whitehouse2023/thm3.mixture", gamma=str(gamma), **common)
    original = statement("whitehouse2023/lem3.odometer", n=str(size), **common)
    assert original.upper < mixture.lower < filtered.lower
    assert word("whitehouse2023/thm3.stitched", v0=str(time.lower / 100), **common) == "inf"
    # The odometers at v = 0 and the original at v = 1/n^2, for n without end.
    n, y, g, log_term = sp.symbols("n y gamma l", positive=True)
    assert sp.limit(sp.sqrt(2 / n**2 * (1 + sp.log(110) + 2 * (sp.log(sp.log(n)) + log_term))), n, sp.oo) == 0
    assert (sp.sqrt(2 * y * log_term) / 2).is_positive
    assert sp.sqrt(2 * g * log_term).is_positive
    shown = [rounded(constant(reading.lower), 4) for reading in (original, mixture, filtered)]
    assert shown == [rounded(constant(reading.upper), 4) for reading in (original, mixture, filtered)]
    return (
        "as v tends to 0",
        "at v = 1/|x|^2 tends to 0",
        f"At |x| = {power(size)}, delta' = {power(delta_prime)}, v = {power(v)}, tuned for eps = {eps}: original "
        f"{shown[0]}, mixture {shown[1]}, filter {shown[2]}",
    )


def e37() -> Facts:
    """The mixture of exp(lambda M - lambda^2 V/2) over the half normal law of lambda > 0, at Theorem 5's boundary."""
    lam, g, v, z = sp.symbols("lambda gamma V z", positive=True)
    m = sp.Symbol("m", real=True)
    # gamma^(1/2) sqrt(2/pi) is the half normal density's constant: its total mass is 1, so the mixture starts at 1.
    density = sp.sqrt(2 * g / sp.pi) * sp.exp(-g * lam**2 / 2)
    assert sp.simplify(sp.integrate(density, (lam, 0, sp.oo)) - 1) == 0
    mixture = sp.integrate(sp.expand(density * sp.exp(lam * m - lam**2 * v / 2)), (lam, 0, sp.oo))
    cumulative = (1 + sp.erf(z / sp.sqrt(2))) / 2
    claimed = 2 * sp.sqrt(g / (v + g)) * sp.exp(m**2 / (2 * (v + g))) * cumulative.subs(z, m / sp.sqrt(v + g))
    assert sp.simplify(mixture - claimed) == 0
    # At the boundary m^2 = 2 (V + gamma) log(sqrt((V + gamma)/gamma)/delta), so that m/sqrt(V + gamma) is at least
    # sqrt(2 log(1/delta)), least at V = 0, and the mixture is 2 Phi(..)/delta: by Ville it gets there with probability
    # at most delta/(2 Phi(sqrt(2 log(1/delta)))).
    delta = sp.Symbol("delta", positive=True)
    squared = 2 * (v + g) * sp.log(sp.sqrt((v + g) / g) / delta)
    level = sp.sqrt(g / (v + g)) * sp.exp(sp.expand_log(squared / (2 * (v + g)), force=True))
    assert sp.simplify(level * delta) == 1
    rate = sp.expand_log(squared / (v + g), force=True)
    assert sp.simplify(rate.subs(v, 0) + 2 * sp.log(delta)) == 0
    assert sp.simplify(sp.diff(rate, v) - 1 / (v + g)) == 0

    def probability(d):
        return lambda ar: d / (2 * ar.normal_cdf(ar.sqrt(2 * ar.log(1 / d))))

    large, small = F(1, 10), F(1, 10**6)
    return (
        "delta/(2 Phi(sqrt(2 log(1/delta))))",
        f"{rounded(probability(large), 4)} at delta = {large} and {scientific(probability(small), -7, 4)} at "
        f"{power(small)}",
        "a factor of nearly 2",
    )


def e43() -> Facts:
    """The Renyi divergence of two laws tends to the Kullback-Leibler divergence, where the formula is 0/0."""
    p, q = [F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]
    order = sp.Symbol("lambda", positive=True)
    inside = sum(sp.Rational(a) * sp.Rational(a / b) ** (order - 1) for a, b in zip(p, q, strict=True))
    assert inside.subs(order, 1) == 1
    limit = sp.limit(sp.log(inside) / (order - 1), order, 1)
    assert sp.simplify(limit - sp.log(2) / 3) == 0
    laws = {"p": [str(a) for a in p], "q": [str(b) for b in q]}
    found = statement("whitehouse2023/def2.renyi", order="1", **laws)
    assert not greater(lambda ar: ar.log(2) / 3, constant(found.upper))
    assert not greater(constant(found.lower), lambda ar: ar.log(2) / 3)
    return (
        "^(lambda - 1)])/(lambda - 1) for lambda >= 1",
        f"for {law(p)} against {law(q)} log(2)/3",
        "At lambda = 1 that is 0/0",
    )
