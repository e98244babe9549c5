"""Optimal composition of equal pure-DP rounds (Kairouz, Oh, Viswanath 2015): vertices and the whole curve.

The composition of k randomized responses is the worst case. Its privacy loss is (k - 2 l) eps with probability
C(k, l) e^((k-l) eps) / (1 + e^eps)^k, l = 0..k, so the optimal delta(eps_g) is convex and piecewise linear in
e^eps_g, with vertices at eps_g = (k - 2 i) eps.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar, is_enclosing
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.exact.factorials import binomial
from privref.exact.numbers import float_log
from privref.exact.work import TERMS, WorkLimitError
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Count, OpenProbability, Positive, PositiveProbability, Probability
from privref.statements.registry import Result, evaluate, implements

#: The sums over the curve's vertices are linear in k; beyond this an audit says that it did not compute them.
MOST_ROUNDS = 100_000
#: From here on few terms of a sum over the rounds matter, and up to there floats find them in a second.
MANY_ROUNDS, _MOST_PLANNED = 1_000, 10**8

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


def _segment_by_floats(growth: float, k: int, goal: float) -> int:
    """About the vertex, below the last, where the curve's segment with this log delta begins; nothing rests on it."""

    def log_delta(i: int) -> float:
        log = math.lgamma(k + 1) - math.lgamma(i + 1) - math.lgamma(k - i + 1)
        log += (k - i) * growth - k * (growth + math.log1p(math.exp(-growth)))
        total, term = 0.0, 1.0
        for j in range(i + 1):
            total -= term * math.expm1(-2 * (j + 1) * growth)
            if term < 1e-16 * total:
                break
            term *= (i - j) / (k - i + j + 1) * math.exp(growth)
        return log + math.log(total)

    return bisect_left(range(k // 2), True, key=lambda i: log_delta(i) > goal)


def _large_terms(
    ar: EnclosingArithmetic, eps: Fraction, k: int, last: int
) -> tuple[tuple[Real, Real], tuple[Real, Real]] | None:
    """The last term of ``tail_sum``, and its sums from the terms that matter and a bound of the rest."""
    try:
        step = float(eps)
    except OverflowError:
        return None
    growth = ar.exp(eps)
    scale = binomial(ar, k, last) / (1 + growth) ** k
    first = p, q = scale * ar.exp((k - last) * eps), scale * ar.exp(last * eps)
    p_sum, q_sum = first
    n, bits = last, 0.0
    while n and bits > -ar.precision - 30:
        odds = Fraction(n, k - n + 1)
        p, q = p * odds * growth, q * odds / growth
        p_sum, q_sum = p_sum + p, q_sum + q
        bits += math.log2(n / (k - n + 1)) + step / math.log(2)
        n -= 1
    # From here on a term under b = 0 is at most this share of the one before, and under b = 1 a smaller one.
    share = Fraction(n, k - n + 1) * growth
    if decide.sign_now(1 - share, ar) <= 0:
        return None
    p_sum, q_sum = (sums + ar.hull(0, term * share / (1 - share)) for sums, term in ((p_sum, p), (q_sum, q)))
    return first, (p_sum, q_sum)


def _by_large_terms(ar: EnclosingArithmetic, eps: Fraction, k: int, delta_g: Fraction) -> Real | None:
    """What ``optimal_eps`` finds, from the terms that matter; None where floats misled it."""
    try:
        i = _segment_by_floats(float(eps), k, float_log(delta_g))
    except (OverflowError, ValueError):
        return None
    if i == k // 2 or (found := _large_terms(ar, eps, k, i)) is None:
        return None
    first, (p_sum, q_sum) = found
    vertex = ar.exp((k - 2 * i) * eps)
    begins = i == 0 or decide.sign_now(p_sum - first[0] - vertex * (q_sum - first[1]) - delta_g, ar) <= 0
    ends = decide.sign_now(p_sum - vertex / ar.exp(2 * eps) * q_sum - delta_g, ar) > 0
    return ar.log((p_sum - delta_g) / q_sum) if begins and ends else None


def tail_sum(ar: Arithmetic, eps: Scalar, k: int, last: int) -> tuple[Real, Real]:
    """The tail probabilities down to the loss (k - 2 last) eps."""
    TERMS.require(last)
    if MANY_ROUNDS <= k <= _MOST_PLANNED and last <= k and is_enclosing(ar) and isinstance(eps, Fraction):
        found = _large_terms(ar, eps, k, last)
        if found is not None:
            return found[1]
    for i, sums in enumerate(_tail_sums(ar, eps, k)):
        if i == last:
            return sums
    raise ValueError(f"{last} exceeds the number of rounds {k}")


@implements("kov2015/optimal.delta", kind="exact", cites="Theorem 3.3 with its whole curve", hypotheses=_EQUAL_PURE)
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
    hypotheses=_EQUAL_PURE,
)
def optimal_eps(ar: Arithmetic, eps: Fraction, k: int, delta_g: Probability) -> Result:
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
    if (
        MANY_ROUNDS <= k <= _MOST_PLANNED
        and is_enclosing(ar)
        and (found := _by_large_terms(ar, eps, k, delta_g)) is not None
    ):
        return found
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


@implements("kov2015/vertex.delta", kind="exact", cites="Theorem 3.3, equation (6)", hypotheses=_EQUAL_PURE)
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
    hypotheses=_EQUAL_PURE,
)
def optimal_eps_top_segment(ar: Arithmetic, k: Count, eps: Positive, delta: PositiveProbability) -> Result:
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


# --- Table 1 of Hartmann et al. 2022 ----------------------------------------------------------------------------------


#: About e^eps rounds are needed: where eps is some 1,400 or more the search is given up.
_MOST_ROUNDS = 2**2048

#: The paper's row for eps = 1/10 and delta = 10^-5, …, 10^-12; every entry is one too large (erratum E17).
PRINTED_ROW = (17, 20, 24, 27, 31, 35, 38, 42)
DELTAS = tuple(Fraction(1, 10**n) for n in range(5, 13))
EPS = Fraction(1, 10)


@implements(
    "hartmann2022/table1.delta_i",
    kind="exact",
    cites="Table 1 (Kairouz, Oh, Viswanath 2015, Theorem 3.3)",
    hypotheses=_EQUAL_PURE,
)
def table_delta(ar: Arithmetic, k: int, i: int, eps: Fraction) -> Result:
    """The delta of the i-th vertex of the optimal curve of k rounds of eps-DP.

    hartmann2022/table1.delta_i: Hartmann et al. 2022, Table 1; the same as kov2015/vertex.delta.
    """
    return vertex_delta(ar, eps, k, i)


def first_vertex(ar: Arithmetic, k: int, eps: Fraction) -> Scalar:
    """(1 - e^(-2 eps)) (1 + e^(-eps))^-k: the first vertex's delta, which falls with k."""
    return -ar.expm1(-2 * eps) / (1 + ar.exp(-eps)) ** k


@implements("hartmann2022/table1.exact_min_k", kind="exact", cites="Table 1, recomputed", hypotheses=_EQUAL_PURE)
def least_rounds(ar: Arithmetic, delta: OpenProbability, eps: Positive) -> Result:
    """From how many rounds of eps-DP on the first vertex of the optimal curve has a delta of at most ``delta``.

    hartmann2022/table1.exact_min_k: Hartmann et al. 2022, Table 1, recomputed: the least k >= 2 with
    delta_1(k) <= delta, delta_1(k) = (1 - e^(-2 eps)) (1 + e^(-eps))^-k. The whole curve beats basic composition at
    every k >= 1 and delta > 0 (kov2015/curve.eps_top_segment, erratum E18).
    """

    def fits(k: int) -> bool:
        # delta_1 is a non-constant rational function of e^eps, so it never equals a rational delta.
        return decide.sign(lambda inner: delta - first_vertex(inner, k, eps), ar) >= 0

    low, high = 1, 2
    while not fits(high):
        low, high = high, 2 * high
        if high > _MOST_ROUNDS:
            raise WorkLimitError("the least number of rounds is above 2^2048: ask for a smaller eps or a larger delta")
    return roots.first(fits, low, high)


@implements(
    "hartmann2022/table1.min_k.printed",
    kind="exact",
    cites="Table 1 as printed",
    hypotheses=_EQUAL_PURE,
    standing="printed",
)
def least_rounds_printed(ar: Arithmetic, delta: OpenProbability, eps: Positive) -> Result:
    """The number of rounds that Table 1 prints: one more than needed.

    hartmann2022/table1.min_k.printed: Hartmann et al. 2022, Table 1: its row is the least k with
    delta_1(k - 1) <= delta (erratum E17).
    """
    found = least_rounds(ar, delta, eps)
    assert isinstance(found, int)
    return found + 1


@dataclass(frozen=True, slots=True)
class Table1Column:
    """One column with its certificate: delta_1 straddles delta at the recomputed k, and not at the printed one."""

    delta: Fraction
    rounds: int
    printed: int
    before: Enclosure
    at: Enclosure
    before_printed: Enclosure
    curve_eps_before: Enclosure

    @property
    def certified(self) -> bool:
        """delta_1(rounds - 1) > delta >= delta_1(rounds), so the recomputed entry is the minimum."""
        return self.at.upper <= self.delta < self.before.lower

    @property
    def printed_refuted(self) -> bool:
        """delta_1(printed - 1) <= delta already, so the printed entry is not the minimum."""
        return self.before_printed.upper <= self.delta


def table1(engine: decide.EngineName = "arb") -> tuple[Table1Column, ...]:
    """Table 1 recomputed, with the certificate of both rows and the whole curve's epsilon one round earlier (E18)."""

    def vertex(k: int) -> Enclosure:
        found = evaluate("hartmann2022/table1.delta_i", {"k": k, "i": 1, "eps": EPS}, engine=engine).enclosure
        assert found is not None
        return found

    columns = []
    for delta, printed in zip(DELTAS, PRINTED_ROW, strict=True):
        rounds = least_rounds(decide.engine(engine), delta, EPS)
        assert isinstance(rounds, int)
        curve = evaluate("kov2015/curve.eps_top_segment", {"k": rounds - 1, "eps": EPS, "delta": delta}, engine=engine)
        assert curve.enclosure is not None
        columns.append(
            Table1Column(
                delta, rounds, printed, vertex(rounds - 1), vertex(rounds), vertex(printed - 1), curve.enclosure
            )
        )
    return tuple(columns)
