"""Kairouz, Oh, Viswanath 2015: the vertices lie on the whole curve, which is convex and improves at every delta > 0."""

from __future__ import annotations

import sympy as sp

from .steps import Derivation, identity, nonnegative, positive

#: e^eps of the rounds, e^eps_g, the number of rounds, the number of the vertex or segment, and of a term.
x = 1 + sp.Symbol("t", positive=True)
y = sp.Symbol("y", positive=True)
k, i, l = sp.symbols("k i l", integer=True, nonnegative=True)
s = sp.Symbol("s", integer=True, nonnegative=True)
# log_x y in [k - 2i, k - 2i + 2), the segment in which the terms l < i are positive.
place = sp.Symbol("place", nonnegative=True)
log_y = k - 2 * i + 2 * place / (1 + place)


def term(l: sp.Expr, y: sp.Expr) -> sp.Expr:
    """C(k, l) (x^(k-l) - y x^l)/(1+x)^k, l of k answers the less likely one, without the binomial and (1+x)^k."""
    return x ** (k - l) - y * x**l


def vertex_term(l: sp.Expr) -> sp.Expr:
    """The term l of Theorem 3.3's delta_i, without the binomial and (1+x)^k."""
    return x ** (k - l) - x ** (k - 2 * i + l)


first_segment = x**k - sp.Symbol("delta", positive=True) * (1 + x) ** k


DERIVATIONS = (
    Derivation(
        "KOV's vertices lie on the whole curve",
        ("kov2015/vertex.delta", "kov2015/optimal.delta", "kov2015/optimal.eps", "kov2015/curve.eps_top_segment"),
        (
            # Everything is shown term by term with k, i and l symbols, so for every k.
            identity(
                "a term is positive iff x^(k - 2l) > y: it is x^l (x^(k-2l) - y)",
                term(l, y),
                x**l * (x ** (k - 2 * l) - y),
            ),
            positive(
                "terms l = i - 1 - s are positive where log_x y < k - 2i + 2: k - 2l > log_x y",
                lambda: sp.simplify((k - 2 * (i - 1 - s)) - log_y),
            ),
            nonnegative(
                "and terms l = i + s are not where log_x y >= k - 2i: log_x y >= k - 2l",
                lambda: sp.simplify(log_y - (k - 2 * (i + s))),
            ),
            identity(
                "so delta_i is the hockey stick at (k - 2i) eps: the same terms l < i, for every k, i and l",
                sp.powsimp(sp.expand(term(l, x ** (k - 2 * i)) - vertex_term(l))),
                0,
            ),
            identity(
                "the curve is continuous at the vertices: the term l = i that joins there is zero",
                sp.powsimp(sp.expand(term(i, x ** (k - 2 * i)))),
                0,
            ),
            positive(
                "each term falls strictly with y: the curve is strictly decreasing wherever it is positive",
                -sp.diff(term(l, y), y),
            ),
            identity(
                "and convex: from segment i + 1 to i, as y grows, the slope rises by x^i times C(k, i)/(1+x)^k > 0",
                sp.diff(-term(i, y), y),
                x**i,
            ),
            identity(
                "on the first segment e^eps_g = e^(k eps) - delta (1 + e^eps)^k gives back delta",
                lambda: sp.simplify(term(0, first_segment) / (1 + x) ** k),
                sp.Symbol("delta", positive=True),
            ),
            identity(
                "delta_1 = (1 - e^(-2 eps))(1 + e^-eps)^(-k), any k",
                sp.powsimp(sp.expand((1 - x**-2) * x**k)) - sp.powsimp(sp.expand(vertex_term(0).subs(i, 1))),
                0,
            ),
            positive(
                "so eps_g < k eps for every delta > 0 and every k (E18): e^eps_g < x^k",
                x**k - first_segment,
            ),
        ),
    ),
)
