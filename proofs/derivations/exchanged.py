"""Gaussian rounds on samples that hold one record or another one in its place: the bounds of profiles/exchanged.py.

Kahane's inequality (1985). Let X and Y be centred Gaussian vectors with Cov(X_i, X_j) <= Cov(Y_i, Y_j) for all i, j,
all w_i >= 0, and f convex and bounded on z >= 0. Then E f(sum of w_i e^(X_i - Var X_i/2)) is at most the same with Y.
Proof. For smooth f with bounded derivatives take X and Y independent, K(t) = (1 - t) Cov X + t Cov Y, which is the
covariance of sqrt(1 - t) X + sqrt(t) Y, and z_i = w_i e^(G_i - K_ii/2). The derivative of E f(sum of z_i) along t is
the sum of K_ij'/2 times E d_i d_j f, by the heat equation, less the sum of K_ii'/2 times E d_i f: that is
1/2 times the sum of K_ij' E z_i z_j f''(sum of z_i) >= 0. f(z) = (1 - z)_+ is a limit of such functions, uniformly.

One round, given the others' sample and all earlier answers (a mixture with the same weights on both sides loses no more
than its largest part): with u = x and the means x_i of the other parts, P - scale Q = q (N_u - sum of w_i N_(x_i)), and
delta = q E (1 - Z)_+ under N_u, Z = sum of w_i dN_(x_i)/dN_u. Its exponents have the covariances
<x_i - u, x_j - u>/s^2.
All covariances are at their bounds at once for means on one line: there delta is largest.

A group. The same proof with signs. Let f be convex, all c_i real, and Cov(Y_i, Y_j) - Cov(X_i, X_j) have the sign of
c_i c_j (or be 0) for all i, j. Then E f(sum of c_i e^(X_i - Var X_i/2)) is at most the same with Y: along t its
derivative is 1/2 times the sum of K_ij' E z_i z_j f'' as above, with z_i z_j of the sign of c_i c_j.
One data set has the records x_1, ..., x_a alone, the other y_1, ..., y_b, all of norm at most 1. Given the others'
sample, and up to a shift by its sum, P = sum_S p_S N(x_S, s^2) over the subsets of the former that are drawn, x_S their
sum, and Q = sum_T r_T N(y_T, s^2). Under N_0, P - scale Q is N_0 times A = sum p_S e^(..) - scale sum r_T e^(..), and
delta = E A_+, for every scale > 0: both ways round, and at every epsilon. The exponents are centred Gaussians less half
their variances, of covariances <x_S, x_U>/s^2 <= |S| |U|/s^2 for two of P, <y_T, y_V>/s^2 <= |T| |V|/s^2 for two of Q,
and <x_S, y_T>/s^2 >= -|S| |T|/s^2 for one of each: all at their bounds at once where all x_i = 1 and all y_j = -1 on a
line. There the pair is sum_i Bin(a, q)(i) N(i, s^2) against sum_j Bin(b, q)(j) N(-j, s^2): it dominates each round, so
that products of it dominate all rounds of adaptive queries, and data sets attain it. Of two data sets m neighbours
apart a + b = m, or less; a pair of fewer records is one of some that are 0. A run has one a and b in all its rounds.

A mixture. One record moves the sum by x_i with the chance w_i, |x_i| <= c_i, and which i it is is not released: P = sum
w_i N(x_i, s^2), Q = N(0, s^2). Under Q, dP/dQ = Z = sum w_i e^(G_i - Var G_i/2) with Cov(G_i, G_j) = <x_i, x_j>/s^2 <=
c_i c_j/s^2. delta is E (Z - e^eps)_+, and the other way round E (1 - e^eps Z)_+: both convex in Z, and so largest where
all x_i = c_i on a line. They rise with each c_i, all covariances being products of two that are at least 0.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations, product

import sympy as sp

from proofs.kahane1985.exchanged import law

from .steps import Derivation, Step, identity, nonnegative

F = Fraction
q, scale = sp.symbols("q scale", positive=True)
still, there, other = sp.symbols("still there other")
first, second, w, v = sp.symbols("first second w v")
a, b, r = sp.symbols("a b r", nonnegative=True)
far, near = 1 / (1 + a), 1 / (1 + b)
p, m = sp.symbols("p m", nonnegative=True)


def _heat_equation() -> bool:
    """d_i d_j F, and (d_i^2 - d_i) F on the diagonal, are z_i z_j f''; F = f(w e^first + v e^second)."""
    f = sp.Function("f")
    z = (w * sp.exp(first), v * sp.exp(second))
    whole = sp.Symbol("whole")
    value = f(z[0] + z[1])

    def bare(expression: sp.Expr) -> sp.Expr:
        return sp.simplify(expression.doit())

    bent = sp.diff(f(whole), whole, 2).subs(whole, z[0] + z[1])
    mixed = sp.diff(value, first, second) - z[0] * z[1] * bent
    square = sp.diff(value, first, 2) - sp.diff(value, first) - z[0] ** 2 * bent
    return bool(bare(mixed) == 0 and bare(square) == 0)


def fixed_size() -> bool:
    """A sample of a fixed size is B - 1 others and one more, or x in its place with probability B/n."""
    for n, size in ((2, 1), (3, 2), (4, 2), (4, 3)):
        others = tuple(F(10**i) for i in range(1, n))
        whole = law((F(1), *others), F(size, n), "fixed-size")
        found: dict[Fraction, Fraction] = {}
        rest = list(combinations(range(n - 1), size - 1))
        for kept in rest:
            outside = [i for i in range(n - 1) if i not in kept]
            drawn = sum((others[i] for i in kept), F(0))
            for total, chance in [
                (drawn + 1, F(size, n)), *((drawn + others[i], (1 - F(size, n)) / len(outside)) for i in outside)
            ]:  # fmt: skip
                found[total] = found.get(total, F(0)) + chance / len(rest)
        if found != whole:
            return False
    return True


def _delta(one: list[tuple[float, float, float]], two: list[tuple[float, float, float]], s: float, eps: float) -> float:
    """delta of two mixtures in the plane, (weight, x, y) each, by a sum over a lattice."""
    total, step, grown = 0.0, 0.125, math.exp(eps)
    for i, j in product(range(-40, 41), repeat=2):
        x, y = i * step, j * step
        parts = [
            sum(wt * math.exp(-((x - mx) ** 2 + (y - my) ** 2) / (2 * s * s)) for wt, mx, my in law)
            for law in (one, two)
        ]
        total += max(parts[0] - grown * parts[1], 0.0)
    return total * step * step / (2 * math.pi * s * s)


def _no_vectors_lose_more() -> bool:
    """Random vectors of the plane within their norms: never more than on the line, to the hundredth the sum is off."""
    rng = random.Random(1985)

    def vector(norm: float) -> tuple[float, float]:
        angle, length = rng.uniform(0, 2 * math.pi), norm * rng.choice((1, 1, rng.random()))
        return length * math.cos(angle), length * math.sin(angle)

    for _ in range(12):
        rate, s, eps = rng.choice((0.1, 0.5, 0.9)), rng.choice((0.7, 1.0)), rng.choice((0.0, 0.5, 1.5))
        x, other, third = (vector(1) for _ in range(3))
        cases = (
            ((0.0, 0.0), x, other, (0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)),
            (third, x, (0.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (0.0, 0.0)),
            (third, (0.0, 0.0), x, (1.0, 0.0), (0.0, 0.0), (1.0, 0.0)),
            (third, x, other, (-1.0, 0.0), (1.0, 0.0), (-1.0, 0.0)),
        )
        for unmoved, there, elsewhere, *worst in cases:
            found = _delta([(1 - rate, *unmoved), (rate, *there)], [(1 - rate, *unmoved), (rate, *elsewhere)], s, eps)
            most = _delta(
                [(1 - rate, *worst[0]), (rate, *worst[1])], [(1 - rate, *worst[0]), (rate, *worst[2])], s, eps
            )
            if found > most * 1.01:
                return False
    return True


def _signed() -> bool:
    """Of w e^first - v e^second each second derivative, less the first on the diagonal, is z_i z_j f'', z_2 < 0."""
    f, whole = sp.Function("f"), sp.Symbol("whole")
    z = (w * sp.exp(first), -v * sp.exp(second))
    value, bent = f(z[0] + z[1]), sp.diff(f(whole), whole, 2).subs(whole, z[0] + z[1])
    mixed = sp.diff(value, first, second) - z[0] * z[1] * bent
    square = sp.diff(value, second, 2) - sp.diff(value, second) - z[1] ** 2 * bent
    return bool(sp.simplify(mixed.doit()) == 0 and sp.simplify(square.doit()) == 0)


def _no_group_loses_more() -> bool:
    """Random records of the plane, two alone on one side and up to two on the other: never more than on the line."""
    rng = random.Random(2401)

    def drawn(rows: list[tuple[float, float]], rate: float) -> list[tuple[float, float, float]]:
        found = []
        for chosen in product((0, 1), repeat=len(rows)):
            weight = math.prod(rate if each else 1 - rate for each in chosen)
            x, y = (sum(row[axis] for row, each in zip(rows, chosen, strict=True) if each) for axis in (0, 1))
            found.append((weight, x, y))
        return found

    for others in (0, 1, 2, 1, 2, 2):
        rate, s, eps = rng.choice((0.1, 0.5, 0.9)), rng.choice((0.8, 1.0)), rng.choice((-0.7, 0.0, 0.5, 1.5))
        rows = []
        for _ in range(2 + others):
            angle, length = rng.uniform(0, 2 * math.pi), rng.choice((1, 1, rng.random()))
            rows.append((length * math.cos(angle), length * math.sin(angle)))
        found = _delta(drawn(rows[:2], rate), drawn(rows[2:], rate), s, eps)
        most = _delta(drawn([(1.0, 0.0)] * 2, rate), drawn([(-1.0, 0.0)] * others, rate), s, eps)
        if found > most * 1.01:
            return False
    return True


def _no_mixture_loses_more() -> bool:
    """Random vectors of the plane, each at most as long as its shift: never more than on the line, both ways round."""
    rng, still = random.Random(2024), [(1.0, 0.0, 0.0)]
    for _ in range(8):
        s, eps = rng.choice((0.8, 1.0)), rng.choice((-0.7, 0.0, 0.5, 1.5))
        weights = [rng.random() for _ in range(3)]
        there, worst = [], []
        for weight in (each / sum(weights) for each in weights):
            shift, angle, part = 1.5 * rng.random(), rng.uniform(0, 2 * math.pi), rng.choice((1, 1, rng.random()))
            there.append((weight, part * shift * math.cos(angle), part * shift * math.sin(angle)))
            worst.append((weight, shift, 0.0))
        if _delta(there, still, s, eps) > _delta(worst, still, s, eps) * 1.01:
            return False
        if _delta(still, there, s, eps) > _delta(still, worst, s, eps) * 1.01:
            return False
    return True


DERIVATIONS = (
    Derivation(
        "Gaussian queries that one record moves by one of several shifts (kahane1985/mixture)",
        ("kahane1985/mixture.delta",),
        (
            Step("convexity enters through z_i z_j f'' alone, in each covariance (Kahane 1985)", _heat_equation),
            # |x_i| = c_i/(1 + a), |x_j| = c_j/(1 + b), <x_i, x_j> = |x_i| |x_j| - r; on the line it is c_i c_j.
            nonnegative("covariances are at most those of the shifts on a line", p * m - (p * far * m * near - r)),
            nonnegative("which rise with a shift", (p + a) * m - p * m),
            Step("no vectors of the plane lose more, with random norms, also below epsilon 0", _no_mixture_loses_more),
        ),
    ),
    Derivation(
        "Gaussian rounds on Poisson samples of data sets that a group tells apart (kahane1985/group)",
        ("kahane1985/group.delta",),
        (
            Step("with signs convexity enters through z_i z_j f'' alone, in each covariance", _signed),
            # |x| = 1/(1 + a), |y| = 1/(1 + b), <x, y> = |x| |y| - r for two of one law, r - |x| |y| for one of each.
            nonnegative("within a law covariances of two records are at most 1", 1 - (far * near - r)),
            nonnegative("and between both laws at least -1", (r - far * near) + 1),
            Step("no records of the plane lose more, with random norms, also below epsilon 0", _no_group_loses_more),
        ),
    ),
    Derivation(
        "Gaussian rounds on samples of which a record is replaced or zeroed out (kahane1985/exchanged)",
        ("kahane1985/exchanged.delta",),
        (
            Step("convexity enters through z_i z_j f'' alone, in each covariance (Kahane 1985)", _heat_equation),
            Step("a sample of a fixed size is others and one place, which x has with B/n", fixed_size),
            identity(
                "P - scale Q is q N_x less a mixture with weights that are at least 0",
                (1 - q) * still + q * there - scale * ((1 - q) * still + q * other),
                q * (there - ((scale - 1) * (1 - q) / q * still + scale * other)),
            ),
            # |x| = 1/(1 + a), |x'| = 1/(1 + b), <x, x'> = r - |x| |x'|. On the line x = 1, x' = -1: 4, 2 and 1.
            nonnegative(
                "Poisson samples, norms at most 1: |x' - x|^2 <= 4", 4 - far**2 - near**2 + 2 * (r - far * near)
            ),
            nonnegative("and <0 - x, x' - x> = |x|^2 - <x, x'> <= 2", 2 - far**2 + (r - far * near)),
            nonnegative("and |0 - x|^2 <= 1; of a fixed size the bounds are those of Cauchy and Schwarz", 1 - far**2),
            identity(
                "below 0 the profile is that of the other way round: (p - m)_+ = p - m + (m - p)_+",
                (abs(p - m) + p - m) / 2 - (abs(m - p) + m - p) / 2,
                p - m,
            ),
            Step("no vectors of the plane lose more, in four cases with random norms", _no_vectors_lose_more),
        ),
    ),
)
