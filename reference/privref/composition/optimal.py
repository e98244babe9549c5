"""Optimal composition of equal pure-DP rounds (Kairouz, Oh, Viswanath 2015): vertices and the whole curve.

The composition of k randomized responses is the worst case. Its privacy loss is (k - 2 l) eps with probability
C(k, l) e^((k-l) eps) / (1 + e^eps)^k, l = 0..k, so the optimal delta(eps_g) is convex and piecewise linear in
e^eps_g, with vertices at eps_g = (k - 2 i) eps.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import HypothesisError, InputError
from privref.exact.work import TERMS
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import POSITIVE, POSITIVE_PROBABILITY, PROBABILITY, one, whole
from privref.statements.registry import Result, implements

#: The sums over the curve's vertices are linear in k; beyond this an audit says that it did not compute them.
MOST_ROUNDS = 100_000

_EQUAL_PURE = (Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS, Hypothesis.PURE_ROUNDS)


def _tail_sums(ar: Arithmetic, eps: Scalar, k: int) -> Iterator[tuple[Real, Real]]:
    """For i = 0, 1, …, k: the probabilities under b = 0 and b = 1 that the loss is at least (k - 2 i) eps."""
    growth = ar.exp(eps)
    p = (growth / (1 + growth)) ** k
    q = (1 / (1 + growth)) ** k
    p_sum, q_sum = p, q
    yield p_sum, q_sum
    for i in range(k):
        odds = Fraction(k - i, i + 1)
        p = p * odds / growth
        q = q * odds * growth
        p_sum, q_sum = p_sum + p, q_sum + q
        yield p_sum, q_sum


def tail_sum(ar: Arithmetic, eps: Scalar, k: int, last: int) -> tuple[Real, Real]:
    """The tail probabilities down to the loss (k - 2 last) eps."""
    TERMS.require(last)
    for i, sums in enumerate(_tail_sums(ar, eps, k)):
        if i == last:
            return sums
    raise ValueError(f"{last} exceeds the number of rounds {k}")


@implements(
    "kov2015/optimal.delta",
    kind="exact",
    cites="Theorem 3.3 with its whole curve",
    params=(one("eps"), whole("k"), one("eps_g")),
    hypotheses=_EQUAL_PURE,
)
def optimal_delta(ar: Arithmetic, eps: Fraction, k: int, eps_g: Fraction) -> Result:
    """The least delta for which k rounds of eps-DP compose to (eps_g, delta)-DP in the worst case.

    kov2015/optimal.delta: Kairouz, Oh, Viswanath 2015, Theorem 3.3: the sum over l of
    C(k, l) (e^((k-l) eps) - e^(eps_g + l eps))_+ / (1 + e^eps)^k. Attained by randomized response.
    """
    if eps_g >= k * eps:
        return Fraction(0)
    # The terms with (k - 2 l) eps > eps_g are the positive ones; a rational decides which.
    below = (k - eps_g / eps) / 2
    last = min(k, (below.numerator - 1) // below.denominator)
    p, q = tail_sum(ar, eps, k, last)
    return p - ar.exp(eps_g) * q


@implements(
    "kov2015/optimal.eps",
    kind="exact",
    cites="Theorem 3.3 with its whole curve, solved for epsilon",
    params=(one("eps"), whole("k"), one("delta_g", PROBABILITY)),
    hypotheses=_EQUAL_PURE,
)
def optimal_eps(ar: Arithmetic, eps: Fraction, k: int, delta_g: Fraction) -> Result:
    """The least eps_g >= 0 for which k rounds of eps-DP compose to (eps_g, delta_g)-DP in the worst case.

    kov2015/optimal.eps: Kairouz, Oh, Viswanath 2015, Theorem 3.3, inverted on the whole curve: on the segment between
    the vertices i and i + 1, e^eps_g = (P(loss >= (k-2i) eps | 0) - delta) / P(loss >= (k-2i) eps | 1).
    delta_g = 0 gives k eps exactly. A rational delta_g never falls on a vertex for eps > 0 and 0 < delta_g < 1, as a
    non-constant rational function of e^eps is transcendental.
    """
    if delta_g == 0 or eps == 0 or k == 0:
        return k * eps
    if delta_g == 1:
        return Fraction(0)
    square = ar.exp(2 * eps)
    next_vertex = ar.exp((k - 2) * eps)
    for i, (p, q) in enumerate(_tail_sums(ar, eps, k)):
        if 2 * (i + 1) > k:
            # The last segment ends at eps_g = 0 (or below it): the curve at 0 decides between 0 and the segment.
            return Fraction(0) if decide.sign_now(p - q - delta_g, ar) <= 0 else ar.log((p - delta_g) / q)
        if decide.sign_now(p - next_vertex * q - delta_g, ar) > 0:
            return ar.log((p - delta_g) / q)
        next_vertex = next_vertex / square
    raise AssertionError("the loop returns at the last segment")


@implements(
    "kov2015/vertex.delta",
    kind="exact",
    cites="Theorem 3.3, equation (6)",
    params=(one("eps"), whole("k"), whole("i")),
    hypotheses=_EQUAL_PURE,
)
def vertex_delta(ar: Arithmetic, eps: Fraction, k: int, i: int) -> Result:
    """The delta of the i-th vertex ((k - 2 i) eps, delta_i) of the optimal curve, i <= k/2.

    kov2015/vertex.delta: Kairouz, Oh, Viswanath 2015, Theorem 3.3: delta_i =
    sum over l < i of C(k, l) (e^((k-l) eps) - e^((k-2i+l) eps)) / (1 + e^eps)^k; 0 for i = 0.
    """
    if 2 * i > k:
        raise InputError("i", i, f"give a vertex of at most k/2 = {k}/2")
    if i == 0 or eps == 0:
        return Fraction(0)
    p, q = tail_sum(ar, eps, k, i - 1)
    return p - ar.exp((k - 2 * i) * eps) * q


@implements(
    "kov2015/curve.eps_top_segment",
    kind="exact",
    cites="Theorem 3.3 with its whole curve, first segment",
    params=(whole("k", 1), one("eps", POSITIVE), one("delta", POSITIVE_PROBABILITY)),
    hypotheses=_EQUAL_PURE,
)
def optimal_eps_top_segment(ar: Arithmetic, k: int, eps: Fraction, delta: Fraction) -> Result:
    """The optimal eps_g for a delta of at most the first vertex's: below k eps for every delta > 0.

    kov2015/curve.eps_top_segment: Kairouz, Oh, Viswanath 2015, Theorem 3.3 on its first segment:
    log(e^(k eps) - delta (1 + e^eps)^k), for delta <= delta_1 = (1 - e^(-2 eps)) (1 + e^(-eps))^(-k).
    Raises HypothesisError above delta_1.
    """
    growth = ar.exp(eps)

    def room(inner: Arithmetic) -> Scalar:
        return (1 - inner.exp(-2 * eps)) / (1 + inner.exp(-eps)) ** k - delta

    # delta_1 is a non-constant rational function of e^eps, so it never equals a rational delta.
    if k > 1 and decide.sign(room, ar) < 0:
        raise HypothesisError(f"kov2015/curve.eps_top_segment: delta {delta} exceeds the first vertex's")
    return ar.log(growth**k - delta * (1 + growth) ** k)
