"""Witnesses of the errata of Whitehouse, Ramdas, Rogers, Wu 2023."""

from __future__ import annotations

import math

import sympy as sp

from .exact import F, between, constant, greater, least_delta, response_tail, statement, word


def _f(ar, v, delta):
    return ar.sqrt(2 * ar.log(1 / delta) * v) + v / ar.real(2)


def e3() -> None:
    """The exact delta of an open failure and k randomized responses, at the eps that the arXiv form claims."""
    for k, delta, low, high in (
        (6, F(1, 10), "0.100817", "0.100818"),
        (2, F(1, 2), "0.5031991", "0.5031992"),
        (1, F(2, 3), "0.6675304", "0.6675305"),
    ):
        eps = F(1, 10)
        rho = k * eps * eps / 2

        def exact(ar, k=k, delta=delta, eps=eps, rho=rho):
            claimed = rho + 2 * ar.sqrt(rho * ar.log(1 / delta))
            total = F(0)
            for zeros in range(k + 1):
                loss = (k - 2 * zeros) * eps
                if greater(constant(loss), lambda inner: rho + 2 * inner.sqrt(rho * inner.log(1 / delta))):
                    x = ar.exp(eps)
                    p = math.comb(k, zeros) * x ** (k - zeros) / (1 + x) ** k
                    q = math.comb(k, zeros) * x**zeros / (1 + x) ** k
                    total = p - ar.exp(claimed) * q + total
            return delta + (1 - delta) * total

        assert greater(exact, constant(delta))
        assert between(low, exact, high)


def e4() -> None:
    """n rounds whose loss is log 1/(1-d) with certainty, against the odometers tuned to that very V."""

    def loss(ar, d, n):
        return -n * ar.log(1 - d)

    def v(ar, d, n):
        return n * ar.log(1 - d) ** 2

    d = F(1, 100)
    assert between("0.10050", lambda ar: loss(ar, d, 10), "0.10051")
    assert between("0.09695", lambda ar: _f(ar, v(ar, d, 10), d), "0.09697")
    assert d + 10 * d < 1
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
        assert greater(lambda ar: odometer(ar) + loss(ar, d, n), lambda ar: loss(ar, d, n))
    # One rational step as a check on privref's own odometer: eps at least log 1/(1-d).
    reading = statement("whitehouse2023/thm3.filter.at", V="0.0010101", y_star="0.0010101", delta_prime="1/100")
    assert greater(lambda ar: loss(ar, F(1, 100), 10), constant(reading.upper))


def e4b() -> None:
    """One (0, 1/10)-DP round: V = 0, the odometer reads 0.0679, the loss is log(11/9) with probability 11/20."""
    p, q = [F(11, 20), F(9, 20)], [F(9, 20), F(11, 20)]
    assert least_delta(p, q, F(1)) == F(1, 10)
    reading = statement("whitehouse2023/thm3.mixture", V="0", gamma="1/1000", delta_prime="1/10")
    assert F("0.0678") < reading.lower <= reading.upper < F("0.0679")
    assert greater(lambda ar: ar.log(F(11, 9)), constant(reading.upper))
    assert p[0] > F(1, 10) + F(1, 10)


def e5() -> None:
    """f at the printed y* is eps/2 identically; what the printed odometer reads at the filter's halting point."""
    log_term, eps = sp.symbols("l eps", positive=True)
    root = -sp.sqrt(2 * log_term) + sp.sqrt(2 * log_term + eps)
    assert sp.expand(sp.sqrt(2 * log_term) * root + root**2 / 2 - eps / 2) == 0
    for target in ("1/10", "1", "3"):
        for delta in ("1/1000000", "1/100"):
            halting = statement("whitehouse2023/thm3.ystar.corrected", eps=target, delta_prime=delta).lower
            reading = statement("whitehouse2023/thm3.filter.printed", V=str(halting), eps=target, delta_prime=delta)
            assert F(target) < reading.lower <= reading.upper < F("1.25") * F(target)
            if delta == "1/1000000" and target != "3":
                assert reading.lower > F("1.22") * F(target)
            right = statement("whitehouse2023/thm3.filter", V=str(halting), eps=target, delta_prime=delta)
            assert right.upper <= F(target) * (1 + F(1, 10**20))


def e5b() -> None:
    """With a = y*, b^2 = 2 l y*: exp(-b^2/a) is delta'^2."""
    log_term, y = sp.symbols("l y", positive=True)
    b_squared = 2 * log_term * y
    assert sp.simplify(sp.exp(-b_squared / y) - sp.exp(-log_term) ** 2) == 0
    assert sp.simplify(sp.exp(-b_squared / (2 * y)) - sp.exp(-log_term)) == 0


def e5c() -> None:
    """a = b = V = 1, M = 2 is on the event X > exp(b^2/2a), where the printed inequality fails and >= holds."""
    a = b = v = F(1)
    m = F(2)
    exponent = b / a * m - b * b / (2 * a * a) * v
    assert exponent > b * b / (2 * a)
    assert not b / a * m <= b * b / (2 * a) + b * b / (2 * a * a) * v
    assert b / a * m >= b * b / (2 * a) + b * b / (2 * a * a) * v


def e6() -> None:
    """24 randomized responses of 1/1000 exceed the printed odometer with probability 1.81e-5 > 10^-6."""
    eps, k = F(1, 1000), 24
    v = k * eps * eps
    assert not F(1, 200**2) <= v <= 1
    printed = statement("whitehouse2023/lem3.branch3.printed", V=str(v), n="200", delta_prime="1/1000000")
    tail = lambda ar: response_tail(ar, eps, k, printed.upper)[0]  # noqa: E731
    assert between("0.0000181", tail, "0.0000182")
    corrected = statement("whitehouse2023/lem3.branch3.corrected", V=str(v), n="200", delta_prime="1/1000000")
    assert corrected.lower > k * eps, "the corrected odometer is above the largest possible loss"


def e9() -> None:
    """One (0, 1)-DP round that reveals everything has sum eps^2 = 0 and delta 1 at every eps."""
    p, q = [F(1), F(0)], [F(0), F(1)]
    assert least_delta(p, q, F(1)) == 1
    assert all(least_delta(p, q, F(x)) == 1 for x in (2, 100, 10**9))
    # Theorem 2, with its budget for the deltas, refuses the round.
    rounds = word("whitehouse2023/thm2.N", eps_target="1", delta_prime="1/10", delta_pp="0", eps=["0"], delta=["1"])
    assert rounds == "0"


def e10() -> None:
    """RR(10) at eps = 1 has delta above 0.99; with 0 allowed the filter refuses it."""
    assert greater(lambda ar: (ar.exp(10) - ar.exp(1)) / (1 + ar.exp(10)), constant(F(99, 100)))
    rounds = word("whitehouse2023/thm2.N", eps_target="1", delta_prime="1/10", delta_pp="0", eps=["10"], delta=["0"])
    assert rounds == "0"
    assert word("whitehouse2023/thm1.N", rho="1/2", delta="0", rhos=["50"], deltas=["0"]) == "0"


def e20() -> None:
    """Mixtures exist where no events of the output do."""
    p, q, delta = [F(9, 20), F(11, 20)], [F(1, 2), F(1, 2)], F(1, 10)
    common = [min(a, b) for a, b in zip(p, q, strict=True)]
    assert sum(common) >= 1 - delta, "P' = Q' = the overlap, so Condition 2 holds with rho = 0"
    shared = [c / sum(common) for c in common]
    for law in (p, q):
        rest = [(a - (1 - delta) * s) / delta for a, s in zip(law, shared, strict=True)]
        assert all(r >= 0 for r in rest)
        assert sum(rest) == 1
    # An event of the output with probability >= 9/10 is the whole space under both laws, and P != Q.
    events = [E for E in ((), (0,), (1,), (0, 1)) if min(sum(p[o] for o in E), sum(q[o] for o in E)) >= 1 - delta]
    assert events == [(0, 1)]
    assert p != q


def e21() -> None:
    """u_1 without eps_1 is a constant c; RR with e^eps = 3^m loses m log 3 > c with probability at least 3/4."""
    for c in (1, 10, 100):
        x = F(3) ** c
        assert greater(lambda ar: c * ar.log(3), constant(c))
        assert x / (1 + x) >= F(3, 4)


def e22() -> None:
    """At V = 10^8 (v0 = 1, delta' = 10^-6) the stitched odometer is 1.0013 times V/2."""
    reading = statement("whitehouse2023/thm3.stitched", V="100000000", v0="1", delta_prime="1/1000000")
    assert F("1.0012") < reading.lower / (5 * 10**7) <= reading.upper / (5 * 10**7) < F("1.0013")


def e23() -> None:
    """The boundary at delta = delta' + delta'' is lower than the odometer's, which is stated at delta'."""
    prime = statement("whitehouse2023/thm5.boundary", V="1", gamma="1", delta="1/100")
    both = statement("whitehouse2023/thm5.boundary", V="1", gamma="1", delta="11/100")
    assert both.upper < prime.lower
    odometer = statement("whitehouse2023/thm3.mixture", V="1", gamma="1", delta_prime="1/100")
    assert abs(odometer.lower - prime.lower - F(1, 2)) < F(1, 10**20)


def e30() -> None:
    """At V = 0 and delta = 2 the radicand of Theorem 5 is negative, and so is 2 k log(1/delta^) at delta^ = 2."""
    assert greater(constant(0), lambda ar: 2 * ar.log(F(1, 2)))
    gamma, v = F(1), F(0)
    assert greater(constant(0), lambda ar: 2 * (v + gamma) * ar.log(ar.sqrt((v + gamma) / gamma) / 2))
