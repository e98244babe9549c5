"""A two-point mechanism that is rho-zCDP and loses almost as much as the tight conversion allows.

P gives the bad outcome probability p, Q gives it q = about p e^-L. Its Renyi divergences are D(alpha) =
log(p^alpha q^(1-alpha) + (1-p)^alpha (1-q)^(1-alpha)) / (alpha - 1); they increase with alpha and are at most
log(p/q). So D(alpha) <= rho alpha on [a, b] follows from the one inequality D(b) <= rho a, and for alpha >=
log(p/q)/rho it always holds: finitely many certain comparisons prove rho-zCDP.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import partial

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import HypothesisError
from privref.statements.params import OpenProbability, Positive
from privref.statements.registry import implements

#: Beyond it e^-epsilon has no normal binary64 spelling near the losses that the search tries.
_MOST_EPSILON = 700
#: The covering stops when a step along alpha would be shorter than this: then the inequality is too tight to prove.
_SHORTEST_STEP = Fraction(1, 2**16)


def _moment(ar: Arithmetic, p: Fraction, q: Fraction, alpha: Fraction) -> Scalar:
    """E_Q[(P/Q)^alpha] = exp((alpha - 1) D(alpha)) for alpha > 1."""
    return p * ar.exp((alpha - 1) * ar.log(p / q)) + (1 - p) * ar.exp((alpha - 1) * ar.log((1 - p) / (1 - q)))


def is_zcdp(ar: Arithmetic, rho: Fraction, p: Fraction, q: Fraction) -> bool:
    """Whether the covering argument proves that the pair (p, 1-p), (q, 1-q), p > q, is rho-zCDP in both directions."""
    return _one_way(ar, rho, 1 - q, 1 - p) and _one_way(ar, rho, p, q)


def _one_way(ar: Arithmetic, rho: Fraction, p: Fraction, q: Fraction) -> bool:
    """The same for the divergences of (p, 1-p) from (q, 1-q), p > q, alone."""
    # (alpha - 1) D(alpha) increases: where it is at most (b - 1) rho a at b, D(alpha) <= rho alpha from a to b.

    def unreached(inner: Arithmetic, order: Fraction) -> Scalar:
        return inner.log(p / q) - rho * order

    def excess(inner: Arithmetic, order: Fraction, reached: Fraction) -> Scalar:
        return inner.log(_moment(inner, p, q, reached)) - (reached - 1) * rho * order

    order, step = Fraction(1), Fraction(1, 4)
    while decide.sign(partial(unreached, order=order), ar) > 0:
        reached = order + step
        if decide.sign(partial(excess, order=order, reached=reached), ar) <= 0:
            # Of a small rho the orders to cover are many: what one step may span grows with the order.
            order, step = reached, min(2 * step, order / 4)
        elif step > _SHORTEST_STEP:
            step /= 2
        else:
            return False
    return True


def two_point_renyi(ar: Arithmetic, p: Fraction, q: Fraction, order: Fraction) -> Scalar:
    """The Renyi divergence of (p, 1-p) from (q, 1-q)."""
    return ar.log(ar.real(_moment(ar, p, q, order))) / (order - 1)


def has_renyi(ar: Arithmetic, p: Fraction, q: Fraction, orders: Iterable[tuple[Fraction, Fraction]]) -> bool:
    """Whether the two outcomes' divergences, in both directions, are at most what is declared at each order."""
    # The exponential of a rational is no algebraic number unless it is 1: D = epsilon is impossible for p != q.

    def excess(inner: Arithmetic, x: Fraction, y: Fraction, order: Fraction, cost: Fraction) -> Scalar:
        return two_point_renyi(inner, x, y, order) - cost

    return not any(
        decide.sign(partial(excess, x=x, y=y, order=order, cost=cost), ar) > 0
        for order, cost in orders
        for x, y in ((p, q), (q, p))
    )


@implements(
    "cks2020/two_point_witness.delta",
    kind="lower",
    cites="a rho-zCDP mechanism with two outcomes (the converse of Corollary 13, nearly)",
    standing="ours",
)
def two_point_delta(ar: Arithmetic, rho: Positive, eps: Fraction, p: OpenProbability, q: OpenProbability) -> Scalar:
    """What the two-point mechanism loses at epsilon: p - e^eps q, a lower bound on delta for one rho-zCDP event.

    cks2020/two_point_witness.delta: proved here; HypothesisError where the pair is not shown to be rho-zCDP.
    """
    if not p > q or not is_zcdp(ar, rho, p, q):
        raise HypothesisError(f"the two-point mechanism with p = {p}, q = {q} is not shown to be {rho}-zCDP")
    return p - ar.exp(eps) * q


def _response(rho: Fraction, eps: Fraction, delta: Fraction) -> tuple[Fraction, Fraction] | None:
    """Randomized response with nearly this rho, x tanh(x/2): by the mean of its loss the order 1 is the worst one."""
    ar = decide.engine("arb")
    for shrink in (2.0**-3, 2.0**-5, 2.0**-7):
        low, high = 0.0, max(2.0, 2 * float(rho)) + 2
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if middle * math.tanh(middle / 2) < float(rho) * (1 - shrink) else (low, middle)
        q = Fraction(1 / (1 + math.exp(low)))
        lost = decide.sign(partial(_gain, p=1 - q, q=q, eps=eps, delta=delta), ar) if 0 < q < Fraction(1, 2) else -1
        if lost > 0 and is_zcdp(ar, rho, 1 - q, q):
            return 1 - q, q
    return None


def _gain(ar: Arithmetic, p: Fraction, q: Fraction, eps: Fraction, delta: Fraction) -> Scalar:
    return p - ar.exp(eps) * q - delta


def two_point_witness(rho: Fraction, eps: Fraction, delta: Fraction) -> tuple[Fraction, Fraction] | None:
    """A pair (p, q) that is rho-zCDP and has more than ``delta`` at ``eps``, where the search finds one.

    The search is in floats and proves nothing; what it proposes is checked by ``two_point_delta``. It finds nothing
    above epsilon = 700, nor where rho vanishes in binary64. Up to epsilon = rho it proposes randomized response.
    """
    if 0 <= eps <= rho <= _MOST_EPSILON and float(rho):
        return _response(rho, eps, delta)
    # On the exact numbers, as a float of them may not exist. Below, x <= e + 4 < 704 and e^-x is a normal number.
    if not 0 < rho < eps <= _MOST_EPSILON:
        return None
    ar = decide.engine("arb")
    r, e = float(rho), float(eps)
    if r == 0:
        return None
    # For rare bad outcomes log p is about -(L - rho)^2 / (4 rho); L maximises log p + log(1 - e^(eps - L)).
    candidates = [e + i / 256 for i in range(1, 1024)]
    loss = max(candidates, key=lambda x: -((x - r) ** 2) / (4 * r) + math.log1p(-math.exp(e - x)))
    log_p = -((loss - r) ** 2) / (4 * r)
    if log_p < -600:
        return None
    ratio = Fraction(math.exp(-loss)).limit_denominator(10**15) if loss < 30 else Fraction(math.exp(-loss))

    for shrink in (2.0**-20, 2.0**-14, 2.0**-11, 2.0**-9):
        p = Fraction(math.exp(log_p) * (1 - shrink))
        q = p * ratio
        if decide.sign(partial(_gain, p=p, q=q, eps=eps, delta=delta), ar) > 0 and is_zcdp(ar, rho, p, q):
            return p, q
    return None
