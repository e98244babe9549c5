"""Approximate zCDP of two finite laws: the least delta for a rho.

P and Q are delta-approximately rho-zCDP (Whitehouse et al. 2023, Definition 3, for one pair of neighbours and one
history) where P = (1 - delta) P' + delta P'' and Q = (1 - delta) Q' + delta Q'' with D_alpha(P'||Q') <= rho alpha and
D_alpha(Q'||P') <= rho alpha for all alpha >= 1. The best parts of P and Q are the same for every alpha:

Theorem (ours; the least favourable pair of Huber and Strassen 1973). For delta from ``least_share`` to the total
variation let a <= 1 <= b have sum (P - b Q)_+ = delta = sum (Q - P/a)_+, and P* = min(P, b Q)/(1 - delta), Q* =
min(Q, P/a)/(1 - delta). Whatever P', Q' a mixture has, D_alpha(P*||Q*) <= D_alpha(P'||Q') for every alpha, and
the same with both exchanged.

Proof. Put t = 1 - delta, p = t P' <= P and q = t Q' <= Q. A Renyi divergence increases with the f-divergence of
f(x) = x^alpha (x log x at order 1), which is a positive combination of sum (P' - c Q')_+ over c > 0; so it is enough
to compare those. Where c >= b or c <= a, P* and Q* attain their least values 0 and 1 - c, as a <= P*/Q* <= b. For
a < c < b let S be the outcomes with P > c Q. There Q* = Q/t, and P* = P/t on the others, so that
t sum (P* - c Q*)_+ = t P*(S) - c t Q*(S) = t - P(not S) - c Q(S) <= t - p(not S) - c q(S) = p(S) - c q(S)
<= t sum (P' - c Q')_+. The same P*, Q* serve with P and Q exchanged: b and 1/a change places.

So the least delta is the least one whose P*, Q* are rho-zCDP; they are rational where P, Q and delta are. With a
greater delta a pair stays rho-zCDP (P'' takes some of P'), so the answer is bracketed: below by one order at which
P*, Q* exceed rho alpha, above by a proof for all orders, a cover of them by intervals. With s = alpha - 1 and K(s) =
log sum P* (P*/Q*)^s, convex, K(0) = 0, the condition is K(s) <= rho s (s + 1) for all s > 0 (K'(0) <= rho, for
alpha = 1, follows). On an interval K is at most its chord, and a chord less the parabola is at most 0 by its vertex;
beyond s + 1 = log max(P*/Q*)/rho it holds since K(s) <= s log max(P*/Q*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError
from privref.statements.params import Probability
from privref.statements.registry import Result, implements

from .pointwise import check_laws

#: The relative width to which the least delta is known: more digits take a finer cover, not a finer formula.
_WIDTH = Fraction(1, 10**9)
#: How far above the lower end the proof for all orders is tried: from this share of it on, four times as far each time.
_FIRST_GAP = Fraction(1, 2**36)
_TRIES = 4
#: How often the proof may find one more order that is violated.
_ROUNDS = 12
#: Values of K that one cover may take, and halvings of one step; then the inequality is too tight to prove.
_MOST_VALUES = 4000
_MOST_HALVINGS = 200
_BITS = 128
#: Where the search for the worst order looks first: s = 0 and so many powers of two from 2^-12 on, while the largest
#: s log(P/Q) is at most this: beyond, the divergence hardly moves.
_POWERS = 100
_MOST_EXPONENT = 2**16
_GOLDEN = Fraction(618_033_988_749_895, 10**15)

Laws = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True, slots=True)
class _Order:
    """One condition of zCDP: s = alpha - 1, and whether P and Q are exchanged."""

    s: Fraction
    exchanged: bool


def least_share(laws: Laws) -> Fraction:
    """The delta that no parts avoid: what one law has where the other has nothing, the larger of both."""
    return max(sum((p for p, q in laws if not q), Fraction(0)), sum((q for p, q in laws if not p), Fraction(0)))


def total_variation(laws: Laws) -> Fraction:
    """Half the sum of |P - Q|."""
    return sum((abs(p - q) for p, q in laws), Fraction(0)) / 2


def _merged(p: Sequence[Fraction], q: Sequence[Fraction]) -> Laws:
    """The outcomes by likelihood ratio, the largest first: those of one ratio count as one outcome."""
    found: dict[Fraction | None, tuple[Fraction, Fraction]] = {}
    for a, b in zip(p, q, strict=True):
        if a or b:
            ratio = a / b if b else None
            x, y = found.get(ratio, (Fraction(0), Fraction(0)))
            found[ratio] = x + a, y + b
    infinite = [found.pop(None)] if None in found else []
    return tuple(infinite + [pair for _, pair in sorted(found.items(), key=lambda entry: entry[0] or 0, reverse=True)])


def _clip(laws: Laws, delta: Fraction) -> Fraction | None:
    """The b with sum (P - b Q)_+ = delta, for outcomes in the order of falling ratios; None where no ratio is cut."""
    above_p = above_q = Fraction(0)
    for i, (p, q) in enumerate(laws):
        above_p, above_q = above_p + p, above_q + q
        if not above_q:
            continue
        b = (above_p - delta) / above_q
        following = laws[i + 1] if i + 1 < len(laws) else None
        if following is None or following[0] <= b * following[1]:
            return b
    return None


def least_favourable(laws: Laws, delta: Fraction) -> Laws:
    """P* and Q* of the theorem, for ``least_share`` <= delta <= the total variation, delta < 1."""
    b = _clip(laws, delta)
    c = _clip(tuple((q, p) for p, q in reversed(laws)), delta)
    assert b is not None
    assert c is not None
    rest = 1 - delta
    cut = ((min(p, b * q) / rest, min(q, c * p) / rest) for p, q in laws)
    return tuple((p, q) for p, q in cut if p)


def _log_moment(ar: Arithmetic, laws: Laws, s: Fraction) -> Scalar:
    """K(s) = log sum P (P/Q)^s; K'(0), the Kullback-Leibler divergence, where s = 0."""
    unequal = [(p, q) for p, q in laws if p != q]
    if s == 0:
        return ar.sum(p * ar.log(p / q) for p, q in unequal)
    return ar.log1p(ar.sum(p * ar.expm1(s * ar.log(p / q)) for p, q in unequal))


def _ends(ar: EnclosingArithmetic, value: Scalar) -> Enclosure:
    return decide.finite(ar, value, "no finite enclosure at this precision")


class _Excess:
    """How far a pair of laws is above rho-zCDP, by order, as enclosures at one precision."""

    def __init__(self, ar: EnclosingArithmetic, laws: Laws, rho: Fraction) -> None:
        self._ar, self._rho = ar, rho
        self._laws = {False: laws, True: tuple((q, p) for p, q in laws)}

    def moment(self, order: _Order) -> Enclosure:
        """K(s)."""
        return _ends(self._ar, _log_moment(self._ar, self._laws[order.exchanged], order.s))

    def about(self, order: _Order) -> Fraction:
        """About D_alpha - rho alpha."""
        found = self.moment(order)
        return (found.lower + found.upper) / 2 / (order.s or 1) - self._rho * (order.s + 1)

    def last(self, exchanged: bool) -> Fraction:
        """An s from which on the condition holds: log max(P/Q)/rho - 1, rounded up."""
        greatest = max(p / q for p, q in self._laws[exchanged])
        return max(_ends(self._ar, self._ar.log(greatest)).upper / self._rho - 1, Fraction(0))

    def worst(self, known: Sequence[_Order]) -> _Order:
        """About the worst order, looked for alongside the known ones too: a search, which proves nothing."""
        found = []
        for exchanged in (False, True):
            last = self.last(exchanged)
            most = min(last, _MOST_EXPONENT / (self._rho * (last + 1)))
            powers = [s for k in range(_POWERS) if (s := Fraction(2) ** (k - 12)) < most]
            grid = sorted({Fraction(0), *powers, most, *(order.s for order in known if order.exchanged == exchanged)})
            tried = [(self.about(_Order(s, exchanged)), i) for i, s in enumerate(grid)]
            _, i = max(tried)
            found.append((max(tried)[0], exchanged, grid[max(i - 1, 0)], grid[min(i + 1, len(grid) - 1)]))
        _, exchanged, low, high = max(found)
        return self._peak(exchanged, low, high)

    def _peak(self, exchanged: bool, low: Fraction, high: Fraction) -> _Order:
        """The largest value found between two orders, by golden sections; or at the order 1, where that is larger."""

        def value(s: Fraction) -> Fraction:
            return self.about(_Order(s, exchanged))

        def short(s: Fraction) -> Fraction:
            return Fraction(round(s * 2**_BITS), 2**_BITS)

        best = max((value(s), s) for s in (low, high))
        left, right = short(high - (high - low) * _GOLDEN), short(low + (high - low) * _GOLDEN)
        at_left, at_right = value(left), value(right)
        for _ in range(50):
            best = max(best, (at_left, left), (at_right, right))
            if at_left > at_right:
                high, right, at_right = right, left, at_left
                left = short(high - (high - low) * _GOLDEN)
                at_left = value(left)
            else:
                low, left, at_left = left, right, at_right
                right = short(low + (high - low) * _GOLDEN)
                at_right = value(right)
        return _Order(best[1], exchanged)

    def violation(self) -> _Order | None:
        """An order at which the pair is certainly above rho alpha; None where it is proved that there is none.

        MorePrecisionError where neither was found.
        """
        for exchanged in (False, True):
            if (found := self._cover(exchanged)) is not None:
                return found
        return None

    def _cover(self, exchanged: bool) -> _Order | None:
        """The same for one direction: intervals from s = 0 on, each with its chord of K below the parabola."""
        last = self.last(exchanged)
        start, at_start, step = Fraction(0), Fraction(0), Fraction(1)
        halvings = 0
        for _ in range(_MOST_VALUES):
            if start >= last:
                return None
            end = min(start + step, last)
            reached = self.moment(_Order(end, exchanged))
            if reached.lower > self._rho * end * (end + 1):
                return _Order(end, exchanged)
            if self._chord_is_below(start, at_start, end, reached.upper):
                start, at_start, step, halvings = end, reached.upper, 2 * (end - start), 0
            elif halvings < _MOST_HALVINGS:
                step, halvings = (end - start) / 2, halvings + 1
            else:
                break
        raise MorePrecisionError("the inequality is too tight to be proved at this precision")

    def _chord_is_below(self, start: Fraction, at_start: Fraction, end: Fraction, at_end: Fraction) -> bool:
        """Whether at_start + slope (s - start) <= rho s (s + 1) on the whole interval."""
        rho, slope = self._rho, (at_end - at_start) / (end - start)
        if at_start > rho * start * (start + 1) or at_end > rho * end * (end + 1):
            return False
        if not 2 * rho * start < slope - rho < 2 * rho * end:
            return True
        return at_start - slope * start + (slope - rho) ** 2 / (4 * rho) <= 0


@implements("whitehouse2023/def3.delta", kind="exact", cites="Definition 3", stated_width=lambda inputs: _WIDTH)
def approximate_zcdp_delta(ar: Arithmetic, p: Sequence[Probability], q: Sequence[Probability], rho: Fraction) -> Result:
    """The least delta for which two finite laws are delta-approximately rho-zCDP, in both directions.

    whitehouse2023/def3.delta: Whitehouse et al. 2023, Definition 3, for one pair of neighbours and one history: the
    least delta with P = (1 - delta) P' + delta P'', Q = (1 - delta) Q' + delta Q'' and Renyi divergences of P' and Q'
    of at most rho alpha at all orders alpha >= 1. By the least favourable pair of likelihood ratios cut at both ends
    (proof in the module's docstring). Exact where rho = 0 (the total variation) and where cutting off what only one law
    can give is enough; enclosed to a relative 1e-9 otherwise, the upper end proved for all orders.
    """
    check_laws(p, q)
    laws = _merged(p, q)
    low, most = least_share(laws), total_variation(laws)
    if low == most or not rho:
        return most
    enclosing = decide.enclosing(ar)
    inner = enclosing.at(max(enclosing.precision, _BITS))
    with inner.active():
        ends = _bracket(inner, laws, rho, low, most)
    return ends[0] if ends[0] == ends[1] else ar.hull(*ends)


def _bracket(
    ar: EnclosingArithmetic, laws: Laws, rho: Fraction, low: Fraction, most: Fraction
) -> tuple[Fraction, Fraction]:
    """Two numbers, equal or at most a relative 1e-9 apart, between which the least delta lies."""

    def excess(delta: Fraction) -> _Excess:
        return _Excess(ar, least_favourable(laws, delta), rho)

    def raised(order: _Order) -> Fraction:
        """The delta at which this one order is met: below it no parts are rho-zCDP.

        The least sum p^alpha q^(1 - alpha) over parts of mass 1 - delta, less (1 - delta) e^(alpha (alpha - 1) rho),
        is convex in delta and negative at the total variation: below a zero it is positive. So is its limit at order 1.
        """

        def slack(inner: Arithmetic, delta: Fraction) -> Scalar:
            cut = least_favourable(laws, delta)
            moment = _log_moment(inner, tuple((q, p) for p, q in cut) if order.exchanged else cut, order.s)
            return rho * (order.s + 1) * (order.s or 1) - moment

        return roots.root(slack, low, most, ar.at(64))[0]

    violated = excess(low).violation()
    if violated is None:
        return low, low
    known: list[_Order] = []
    for _ in range(_ROUNDS):
        # Each order that is violated raises the lower end; the worst one there raises it further.
        before = Fraction(-1)
        while violated is not None and low > before * (1 + _FIRST_GAP / 16):
            known.append(violated)
            before, low = low, raised(violated)
            worst = excess(low).worst(known)
            violated = worst if excess(low).about(worst) > 0 else None
        for i in range(_TRIES):
            high = min(low * (1 + _FIRST_GAP * 4**i), most)
            try:
                violated = excess(high).violation()
            except MorePrecisionError:
                continue
            if violated is None:
                return low, high
            break
        else:
            break
    raise MorePrecisionError("the least delta was not bracketed at this precision")
