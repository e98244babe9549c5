"""Optimal composition of k rounds of eps-DP. Vertex i <= k/2 of the curve is ((k - 2i) eps, delta_i) with
delta_i = sum_{l < i} C(k, l) (e^((k-l) eps) - e^((k-2i+l) eps)) / (1 + e^eps)^k. The whole curve is the hockey-stick
divergence of k randomized responses, the sum over all l of C(k, l) (e^((k-l) eps) - e^(eps_g + l eps))_+ /
(1 + e^eps)^k; on its first segment eps_g = log(e^(k eps) - delta (1 + e^eps)^k).

Hypotheses: parameters fixed and equal, delta = 0. Source: Theorem 3.3 of Kairouz, Oh, Viswanath as quoted by Hartmann
et al., Appendix A ("i in their Thm. 3.3"); for pure rounds its delta_i is the total one. eps = log(1 + t) below ranges
over all eps > 0.
"""

import math
from fractions import Fraction

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

t = sp.Symbol("t", positive=True)
eps = sp.log(1 + t)
x = 1 + t
delta_g = proper_fraction("s")


def vertex(eps, k, i):
    x = sp.exp(eps)
    return sum(math.comb(k, l) * (x ** (k - l) - x ** (k - 2 * i + l)) for l in range(i)) / (1 + x) ** k


def curve(eps, k, eps_g):
    x, y = sp.exp(eps), sp.exp(eps_g)
    ratio = sp.simplify(eps_g / eps)
    positive = [l for l in range(k + 1) if k - 2 * l > ratio]
    return sum((math.comb(k, l) * (x ** (k - l) - y * x**l) for l in positive), sp.S.Zero) / (1 + x) ** k


def inverse(eps, k, delta_g):
    """The least eps_g >= 0 with curve(eps_g) <= delta_g: the segment is the one whose ends lie around delta_g."""
    last = None
    for i in range(1, k // 2 + 1):
        if vertex(eps, k, i) > delta_g:
            last = i
            break
    reach = last if last is not None else (k // 2 + 1)
    p = sum(math.comb(k, l) * x ** (k - l) for l in range(reach)) / (1 + x) ** k
    q = sum(math.comb(k, l) * x**l for l in range(reach)) / (1 + x) ** k
    if last is None and p - q - delta_g <= 0:
        return sp.Integer(0)
    return sp.log((p - delta_g) / q)


def top_segment(k, eps, delta):
    first_vertex = (1 - sp.exp(-2 * eps)) * (1 + sp.exp(-eps)) ** (-k)
    if k > 1 and delta > first_vertex:
        return "refused"
    return sp.log(sp.exp(k * eps) - delta * (1 + sp.exp(eps)) ** k)


def fits(eps, k, delta):
    """delta_1(k) <= delta, at 40 digits (a rational never ties)."""
    x = sp.exp(sp.Rational(eps))
    return sp.N((1 - x**-2) * (1 + 1 / x) ** -k, 40) <= sp.Rational(delta)


def least_k(delta, eps):
    k = 2
    while not fits(eps, k, delta):
        k += 1
    return sp.Integer(k)


def printed_k(delta, eps):
    """Table 1 as printed, for its own deltas and eps."""
    row = dict(zip(range(5, 13), (17, 20, 24, 27, 31, 35, 38, 42), strict=True))
    return sp.Integer(row[len(str(delta.denominator)) - 1])


def first_vertex(k):
    return vertex(eps, k, 1)


def between(k):
    """Every delta with delta_1(k) <= delta < delta_1(k - 1), or above delta_1(2) for k = 2: one symbol, and the end."""
    at = first_vertex(k)
    inside = at + sp.Symbol("s", positive=True) if k == 2 else at + delta_g * (first_vertex(k - 1) - at)
    return (at, inside)


def least_of_all(delta, eps):
    """The least k >= 2 with delta_1(k) <= delta, one after the other."""
    k = 2
    while first_vertex(k) > delta:
        k += 1
    return sp.Integer(k)


EVERY_DELTA = tuple({"delta": delta, "eps": eps} for k in range(2, 5) for delta in between(k))
TABLE = tuple({"delta": Fraction(1, 10**n), "eps": Fraction(1, 10)} for n in range(5, 13))
RATIOS = (sp.Rational(1, 3), sp.S.Zero, sp.S.One, sp.Rational(3, 2), sp.Integer(2), sp.Rational(7, 3), sp.Integer(5))

PROVES = (
    Transcription(
        "hartmann2022/table1.exact_min_k",
        least_k,
        (*TABLE, *({"delta": Fraction(1, n), "eps": Fraction(1, 2)} for n in (2, 10, 1000))),
        "the 8 columns of Table 1 and 3 more",
        "grid",
    ),
    Transcription(
        "hartmann2022/table1.exact_min_k",
        least_of_all,
        EVERY_DELTA,
        "every eps > 0 and every delta whose answer is at most 4, ties included",
        "cases",
    ),
    Transcription("hartmann2022/table1.min_k.printed", printed_k, TABLE, "the printed row of Table 1", "grid"),
    Transcription(
        "hartmann2022/table1.min_k.printed",
        lambda delta, eps: least_of_all(delta, eps) + 1,
        EVERY_DELTA,
        "one more than the least k (E17): every eps > 0 and every delta whose least k is at most 4",
        "cases",
    ),
    Transcription(
        "kov2015/vertex.delta",
        vertex,
        tuple({"eps": eps, "k": k, "i": i} for k in range(9) for i in range(k // 2 + 1)),
        "every eps > 0, k <= 8, all vertices",
        "cases",
    ),
    Transcription(
        "kov2015/optimal.delta",
        curve,
        tuple({"eps": eps, "k": k, "eps_g": r * eps} for k in range(1, 7) for r in RATIOS),
        "every eps > 0, k <= 6, vertices and points within segments",
        "cases",
    ),
    Transcription(
        "kov2015/optimal.eps",
        inverse,
        tuple({"eps": eps, "k": k, "delta_g": delta_g} for k in range(1, 5)),
        "every eps > 0, delta in (0, 1), k <= 4, every segment",
        "cases",
    ),
    Transcription(
        "hartmann2022/table1.delta_i",
        lambda k, i, eps: vertex(eps, k, i),
        tuple({"eps": eps, "k": k, "i": i} for k in range(1, 9) for i in range(k // 2 + 1)),
        "every eps > 0, k <= 8, all vertices",
        "cases",
    ),
    Transcription(
        "kov2015/curve.eps_top_segment",
        top_segment,
        tuple({"eps": eps, "k": k, "delta": delta_g} for k in range(1, 6)),
        "every eps > 0, delta in (0, 1), k <= 5; refused above the first vertex",
        "cases",
    ),
)
