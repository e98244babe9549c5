"""Hartmann et al. 2022: Lemma 21's sensitivity and the tight one, and the algebra of Theorem 17 and Corollary 18."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from .steps import Derivation, Step, below, identity, larger, nonnegative, positive, rising_from_zero, smaller

#: How many times smaller the tight sensitivity is at least.
TIMES = 4
w1 = sp.Symbol("w1", real=True)
w2 = sp.Symbol("w2", positive=True)
u, v = sp.symbols("u v", positive=True)


def h(w: sp.Expr) -> sp.Expr:
    """h_p(x) = 2/(1 + e^(-p.x)) - 1."""
    return 2 / (1 + sp.exp(-w)) - 1


def reverse_triangle() -> bool:
    """|u - v| - |u' - v| <= |u - u'|, by its cases: linear in each order of u, u', v."""
    a, b = sp.symbols("a b", nonnegative=True)
    # u' = v + s1 a, u = v + s2 b: the left side is b - a, the right side |s2 b - s1 a|.
    return all(
        bool(sp.simplify(sp.expand((s2 * b - s1 * a) ** 2 - (b - a) ** 2)).is_nonnegative)
        for s1 in (1, -1)
        for s2 in (1, -1)
    )


def sensitivity() -> Derivation:
    """The printed 2 (e^w2 - 1) and the tight 2 tanh(w2/4)."""
    gap = h(w1 + w2 / 2) - h(w1 - w2 / 2)
    # With e^w1 = z and e^(w2/2) = s: the gap is 2 z (s^2-1)/s / ((z + 1/s)(z + s)) ... maximal where z = 1.
    z, s = sp.symbols("z s", positive=True)
    in_z = 2 * z * s / (1 + z * s) - 2 * (z / s) / (1 + z / s)
    e = sp.Symbol("e", positive=True)
    return Derivation(
        "lem21's sensitivity and the tight 2 tanh(w2/4)",
        ("hartmann2022/lem21.sensitivity", "hartmann2022/lem21.sensitivity_tight"),
        (
            identity("h(w) = tanh(w/2)", h(w1), sp.tanh(w1 / 2)),
            Step("(14): ||u - v| - |u' - v|| <= |u - u'|", reverse_triangle),
            identity(
                "the displayed chain: 2 (1/(1+e^-w1) - 1/(1+e^(-w1+w2))) = 2 e^w1 (e^w2 - 1)/((e^w1+1)(e^w1+e^w2))",
                2 * (1 / (1 + sp.exp(-w1)) - 1 / (1 + sp.exp(-w1 + w2))),
                2 * sp.exp(w1) * (sp.exp(w2) - 1) / ((sp.exp(w1) + 1) * (sp.exp(w1) + sp.exp(w2))),
            ),
            positive(
                "which is below 2 (e^w2 - 1): 1 - z/((z+1)(z+y)) > 0 for z, y > 0",
                lambda: sp.simplify(((u + 1) * (u + 1 + v) - u) / ((u + 1) * (u + 1 + v))).expand().simplify(),
            ),
            identity(
                "the gap over an interval of width w2 around w1 in z = e^w1, s = e^(w2/2)",
                lambda: sp.simplify(gap.subs(w1, sp.log(z)).subs(w2, 2 * sp.log(s))),
                lambda: sp.simplify(in_z),
            ),
            identity(
                "its derivative in z has the sign of 1 - z^2: the maximum is at w1 = 0",
                lambda: sp.factor(sp.simplify(sp.diff(in_z, z) * (1 + z * s) ** 2 * (s + z) ** 2)),
                sp.factor(2 * s * (1 - z**2) * (s**2 - 1)),
            ),
            identity("where it is 2 tanh(w2/4)", sp.simplify(in_z.subs(z, 1)), sp.simplify(2 * (s - 1) / (s + 1))),
            identity(
                "(2 (s - 1)/(s + 1) with s = e^(w2/2) is 2 tanh(w2/4))",
                (2 * (s - 1) / (s + 1)).subs(s, sp.exp(w2 / 2)),
                2 * sp.tanh(w2 / 4),
            ),
            Step(
                "attained by labels y = 1: |h - 1| = 1 - h, so the errors differ by exactly the gap",
                lambda: sp.simplify((1 - h(w1 - w2 / 2)) - (1 - h(w1 + w2 / 2)) - gap) == 0,
            ),
            rising_from_zero(
                "more than four times smaller, always: e^w - 1 > w for w > 0, by two derivatives",
                sp.exp(e) - 1 - e,
                e,
                2,
            ),
            rising_from_zero(f"and w > {TIMES} tanh(w/{TIMES}), by one", e - TIMES * sp.tanh(e / TIMES), e, 1),
            Step(
                f"(no more than {TIMES} times, for small w)",
                lambda: sp.limit((sp.exp(e) - 1) / sp.tanh(e / 4), e, 0) == TIMES,
            ),
            below(
                "(4.2 times at w2 = 1/10)",
                lambda ar: Fraction(42, 10) * 2 * ar.tanh(Fraction(1, 40)),
                lambda ar: 2 * ar.expm1(Fraction(1, 10)),
            ),
        ),
    )


def theorem_17() -> Derivation:
    """Max/min algebra of Theorem 17 and Corollary 18."""
    t, r, e2 = sp.symbols("t r e2", positive=True)
    share, gap = sp.symbols("share gap", nonnegative=True)
    # a = max(t, r) is t + share; c = t/a; eps1 is below c eps2, between c eps2 and eps2, or above eps2.
    a = t + share
    c = t / a
    step = gap / (1 + gap)
    orders = ((1 - step) * c * e2, c * e2 + step * (1 - c) * e2, e2 + gap)

    def cells(e1: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
        """Both cells' epsilons as Theorem 17 prints them."""
        released = larger(e1, c * e2)
        return released, smaller(released, e2)

    return Derivation(
        "thm17's max/min algebra",
        (
            "hartmann2022/thm17.a",
            "hartmann2022/thm17.E_Rd",
            "hartmann2022/thm17.E_bot",
            "hartmann2022/cor18.E_Rd",
            "hartmann2022/cor18.E_bot",
        ),
        (
            nonnegative("c = t/a <= 1 for every t <= a, a = max(t, r)", sp.simplify(1 - c)),
            Step(
                "max(t, r) is t + share, with share = 0 where r <= t",
                lambda: larger(t, t + share) == t + share and larger(r + share, r) == r + share,
            ),
            Step("max(eps2, c eps2) = eps2", lambda: larger(e2, c * e2) == e2),
            Step(
                "eps1 <= c eps2: max(eps1, c eps2) = c eps2, and its minimum with eps2 too",
                lambda: all(sp.simplify(cell - c * e2) == 0 for cell in cells(orders[0])),
            ),
            Step(
                "c eps2 <= eps1 <= eps2: both are eps1",
                lambda: all(sp.simplify(cell - orders[1]) == 0 for cell in cells(orders[1])),
            ),
            Step(
                "eps1 >= eps2: max is eps1 and the minimum eps2",
                lambda: [sp.simplify(x - y) for x, y in zip(cells(orders[2]), (orders[2], e2), strict=True)] == [0, 0],
            ),
            identity("Lap(a/eps2) hides a change of a: density ratio exp(eps2)", sp.exp(r / (r / e2)), sp.exp(e2)),
            identity("and one of 2/n_test: exp((2/n_test) eps2/a)", sp.exp(t / (r / e2)), sp.exp(t / r * e2)),
            Step(
                "Pr(Lap(b) > b log 10) = 1/20: the 95th percentile of Figure 2",
                lambda: sp.exp(-sp.log(10)) / 2 == sp.Rational(1, 20),
            ),
        ),
    )


def through_zcdp() -> Derivation:
    """Lemma 11 with zCDP: 1 - (1 - delta)^k in the place of k delta."""
    d, x, g, s, k = sp.symbols("d x g s k", positive=True)
    p, q, dp, dq, y = sp.symbols("p q dp dq y", nonnegative=True)
    good = (1 - d) * x / (1 + x)
    return Derivation(
        "lem11 through zCDP: independent coins",
        ("hartmann2022/lem11.delta",),
        (
            # By Lemmas 12 and 13 the rounds are post-processed randomized responses with coins of their own, all
            # parameters fixed: one is a mixture of the same weights 1 - d, d under both laws.
            identity("with probability 1 - d a response is the pure one of e^eps = x", good / (1 - d), x / (1 + x)),
            Step(
                "whose likelihood ratio is x: it is eps-DP, so eps^2/2-zCDP, and k of them are k eps^2/2-zCDP",
                lambda: sp.simplify((x / (1 + x)) / (1 / (1 + x)) - x) == 0,
            ),
            identity(
                "k independent coins are all good with probability (1 - d)^k: one more round multiplies",
                (1 - d) ** (k + 1),
                (1 - d) ** k * (1 - d),
            ),
            identity(
                "an event of a mixture g (p, q) + (1 - g) (dp, dq) has the mixture of its two gains: at most g times "
                "what zCDP leaves and 1 - g",
                (g * p + (1 - g) * dp) - y * (g * q + (1 - g) * dq),
                g * (p - y * q) + (1 - g) * (dp - y * dq),
            ),
            identity(
                "so that delta = 1 - (1 - d)^k (1 - s), s the slack of zCDP",
                (1 - d) ** k * s + (1 - (1 - d) ** k),
                1 - (1 - d) ** k * (1 - s),
            ),
            identity(
                "k d >= 1 - (1 - d)^k, by induction: what it is more for k + 1 is (1 - d) times that for k, and k d^2",
                (k * d - 1 + g) * (1 - d) + k * d**2,
                (k + 1) * d - 1 + g * (1 - d),
            ),
            identity(
                "and the sum k d + (1 - k d) s is more by that, times 1 - s",
                (k * d + (1 - k * d) * s) - (1 - g * (1 - s)),
                (k * d - 1 + g) * (1 - s),
            ),
        ),
    )


DERIVATIONS = (sensitivity(), theorem_17(), through_zcdp())
