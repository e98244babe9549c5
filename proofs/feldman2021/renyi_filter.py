"""The Renyi filter of one order alpha > 1: it halts once the sum of the deltas exceeds delta'', or the sum of the
epsilons at alpha exceeds what converts to (eps_g, delta')-DP, where a total of t at alpha is (t + log(1 - 1/alpha) +
log(1/(alpha delta'))/(alpha - 1), delta')-DP.

The response filter (ours) charges an (eps, delta)-DP round the divergence of randomized response at alpha.

Hypotheses: delta-approximate Renyi DP of that order, known before each round; a budget fixed in advance. Source:
Feldman and Zrnic 2021 for the filter, Canonne, Kamath, Steinke 2020, Proposition 12, for the conversion.
"""

from fractions import Fraction

import sympy as sp

from proofs.numerals import by_sympy, meet
from proofs.transcription import Property, Transcription, proper_fraction, rounds, total, vanishes

alpha = 1 + sp.Symbol("a", positive=True)
eps_g = sp.Symbol("eps_g", nonnegative=True)


def converted(order, cost, delta):
    return cost + sp.log(1 - 1 / order) + sp.log(1 / (order * delta)) / (order - 1)


def decision(order, eps_order, delta, eps_g, delta_prime, delta_pp):
    if total(c * d for d, c in delta) > delta_pp:
        return "HALT"
    return "HALT" if converted(order, total(c * e for e, c in eps_order), delta_prime) > eps_g else "CONT"


def response(eps, order):
    """Randomized response's divergence, with the probabilities p and 1 - p."""
    if eps == 0:
        return sp.S.Zero
    p = sp.exp(eps) / (1 + sp.exp(eps))
    return sp.log(p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)) / (order - 1)


def response_decision(order, eps, delta, eps_g, delta_prime, delta_pp):
    if total(c * d for d, c in delta) > delta_pp:
        return "HALT"
    if not total(c * e for e, c in eps) > eps_g:
        return "CONT"
    spent = total(c * shortened(e, order) for e, c in eps)
    return "HALT" if converted(order, spent, delta_prime) > eps_g else "CONT"


def shortened(eps, order):
    """The same divergence without a positive exponent: the fraction is expanded by e^(-alpha eps) and e^-eps."""
    if eps == 0:
        return sp.S.Zero
    return eps + (sp.log(1 + sp.exp((1 - 2 * order) * eps)) - sp.log(1 + sp.exp(-eps))) / (order - 1)


def check_response(code):
    """e^((alpha - 1) D) is the same; at 20 points D is at most alpha eps^2/2, Bun and Steinke's bound."""
    e, u = sp.symbols("e u", positive=True)
    order = 1 + u
    p = sp.exp(e) / (1 + sp.exp(e))
    left = p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)
    right = sp.exp(u * e) * (1 + sp.exp((1 - 2 * order) * e)) / (1 + sp.exp(-e))
    # Both over e^((1 + alpha) e): p = 1/(1 + e^-e), (1 - p)/p = e^-e.
    t = sp.Symbol("t", positive=True)
    q = 1 / (1 + t)
    moved = q * (t ** (1 - order) + t**order)
    assert vanishes(sp.simplify(sp.expand(left.subs(e, -sp.log(t)) - moved)))
    assert vanishes(sp.simplify(sp.expand(right.subs(e, -sp.log(t)) - moved)))
    for value in (Fraction(1, 100), Fraction(1, 10), Fraction(1), Fraction(3), Fraction(40)):
        for alpha_ in (Fraction(101, 100), Fraction(2), Fraction(17, 2), Fraction(100)):
            low, high = code.enclosed(20, eps=value, order=alpha_)
            assert 0 < low <= high <= min(alpha_ * value**2 / 2, value)
            assert meet((low, high), by_sympy(response(sp.Rational(value), sp.Rational(alpha_))))
    assert code.exact(eps=Fraction(0), order=Fraction(2)) == 0


PROVES = (
    Property(
        "mironov2017/response.renyi", check_response, "every eps > 0 and order > 1 by SymPy; 20 values to 20 digits"
    ),
    Transcription(
        "feldman2021/response_filter.decision",
        response_decision,
        tuple(
            {
                "order": alpha,
                "eps": rounds("e", n, lowest="positive"),
                "delta": rounds("d", n),
                "eps_g": eps_g,
                "delta_prime": proper_fraction("t"),
                "delta_pp": proper_fraction("s"),
            }
            for n in range(3)
        ),
        "lists of any length with up to 2 different positive epsilons, ties included",
        "cases",
    ),
    Transcription(
        "feldman2021/renyi_filter.decision",
        decision,
        tuple(
            {
                "order": alpha,
                "eps_order": rounds("e", n),
                "delta": rounds("d", n),
                "eps_g": eps_g,
                "delta_prime": proper_fraction("t"),
                "delta_pp": proper_fraction("s"),
            }
            for n in range(3)
        ),
        "lists of any length with up to 2 different values, ties included",
        "cases",
    ),
)
