"""Kairouz, Oh, Viswanath 2015: the vertices lie on the whole curve, which is convex and improves at every delta > 0."""

from __future__ import annotations

import math

import sympy as sp

from .steps import Derivation, Step, identity

x = 1 + sp.Symbol("t", positive=True)
z = sp.Symbol("z", positive=True)


def vertex(k: int, i: int) -> sp.Expr:
    """delta_i of Theorem 3.3."""
    return sum(math.comb(k, l) * (x ** (k - l) - x ** (k - 2 * i + l)) for l in range(i)) / (1 + x) ** k


def curve(k: int, segment: int, y: sp.Expr) -> sp.Expr:
    """The hockey stick with the terms l < segment, the positive ones for log_x y in [k - 2 segment, k - 2 segment
    + 2).
    """
    return sum((math.comb(k, l) * (x ** (k - l) - y * x**l) for l in range(segment)), sp.S.Zero) / (1 + x) ** k


def on_curve() -> bool:
    return all(
        sp.cancel(curve(k, i, x ** (k - 2 * i)) - vertex(k, i)) == 0 for k in range(1, 11) for i in range(k // 2 + 1)
    )


def continuous() -> bool:
    """At the vertex the term that joins or leaves is zero."""
    return all(
        sp.cancel(curve(k, i, x ** (k - 2 * i)) - curve(k, i + 1, x ** (k - 2 * i))) == 0
        for k in range(1, 11)
        for i in range(k // 2 + 1)
    )


def steeper() -> bool:
    """The slope in y = e^eps_g gets steeper by a positive amount from segment to segment: convex, strictly
    decreasing.
    """
    return all(
        sp.cancel(sp.diff(curve(k, i, z) - curve(k, i + 1, z), z) * (1 + x) ** k - math.comb(k, i) * x**i) == 0
        for k in range(1, 11)
        for i in range(k // 2 + 1)
    )


def top() -> bool:
    delta = sp.Symbol("delta", positive=True)
    return all(sp.cancel(curve(k, 1, x**k - delta * (1 + x) ** k) - delta) == 0 for k in range(1, 11))


def first_vertex() -> sp.Expr:
    k = sp.Symbol("k", positive=True, integer=True)
    # ((1 + x)/x)^-k = x^k/(1 + x)^k, x > 0: the numerators remain.
    return sp.powsimp(sp.expand(z**k * (1 - z**-2))) - (z**k - z ** (k - 2))


DERIVATIONS = (
    Derivation(
        "KOV's vertices lie on the whole curve",
        ("kov2015/vertex.delta", "kov2015/optimal.delta", "kov2015/optimal.eps", "kov2015/curve.eps_top_segment"),
        (
            Step("delta_i is the hockey stick at (k - 2i) eps, for every k <= 10 and i", on_curve),
            Step("the curve is continuous at the vertices", continuous),
            Step(
                "and convex and strictly decreasing in e^eps_g: each segment is flatter by C(k, i) x^i/(1+x)^k", steeper
            ),
            Step("on the first segment e^eps_g = e^(k eps) - delta (1 + e^eps)^k gives back delta", top),
            identity("delta_1 = (1 - e^(-2 eps))(1 + e^-eps)^(-k), any k", first_vertex(), 0),
            Step(
                "so eps_g < k eps for every delta > 0 (E18): e^(k eps) - delta (1+x)^k < x^k",
                lambda: bool((sp.Symbol("d", positive=True) * (1 + x) ** 3).is_positive),
            ),
        ),
    ),
)
