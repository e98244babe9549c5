"""Composition of bounded-range mechanisms, such as exponential ones: all chosen in advance, and chosen on the way.

A mechanism has bounded range eps where the losses of its outputs lie in an interval of width eps, whichever for each
pair of neighbours. With the interval [t - eps, t] the worst pair has its two ends as losses, t with probability
p(t) = (e^eps - e^t)/(e^eps - 1) and t - eps else: the hockey-stick divergence is convex in e^-loss, whose mean is 1.
Which t is worst depends on what else is run, and for mechanisms that are chosen on the way on the answers so far.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.errors import InputError, UndecidedError
from privref.exact.numbers import bits_below, spell
from privref.exact.rounding import to_decimal
from privref.exact.work import TERMS, WorkLimit, afford, all_where_refused, spend
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Multiset, Probability
from privref.statements.registry import Result, implements

_ROUNDS = (Hypothesis.BOUNDED_RANGE_ROUNDS, Hypothesis.FIXED_PARAMETERS)


# --- chosen in advance -------------------------------------------------------------------------------------------


def _at_most(ar: Arithmetic, eps: Fraction, k: int, eps_g: Fraction, last: int) -> Real:
    """P(at most ``last`` low losses) - e^eps_g Q(the same), where all intervals are the ones that are worst for it.

    Its derivative in t has the sign of e^(eps_g + (last + 1) eps - k t) - e^t, so that the largest value is at
    t = (eps_g + (last + 1) eps)/(k + 1), which lies within (0, eps) for last < k - eps_g/eps.
    """
    t = (eps_g + (last + 1) * eps) / (k + 1)
    whole_range = ar.expm1(eps)
    high, low = ar.exp(t) * ar.expm1(eps - t) / whole_range, ar.expm1(t) / whole_range
    odds = low / high
    step = ar.exp(eps)
    weight, factor = high**k, ar.exp(eps_g - k * t)
    first, second = weight, weight * factor
    for i in range(last):
        weight = weight * (odds * Fraction(k - i, i + 1))
        factor = factor * step
        first, second = first + weight, second + weight * factor
    return first - second


def _parts(eps: Fraction, k: int, eps_g: Fraction) -> int:
    """How many numbers of low losses leave a loss above eps_g for some t."""
    return min(k, -(-(k * eps - eps_g) // eps))


@implements(
    "dong2020/thm3.delta",
    kind="exact",
    cites="Theorem 3",
    hypotheses=(*_ROUNDS, Hypothesis.EQUAL_PARAMETERS, Hypothesis.QUERIES_IN_ADVANCE),
)
def advance_delta(ar: Arithmetic, eps: Fraction, k: int, eps_g: Fraction) -> Result:
    """The least delta for which k mechanisms of bounded range eps, all chosen in advance, are (eps_g, delta)-DP.

    dong2020/thm3.delta: Dong, Durfee, Rogers 2020, Theorem 3: the largest, over the number l < k of low losses, of the
    sum over i <= l of C(k, i) p^(k-i) (1-p)^i (1 - e^(eps_g - k t + i eps)), with t = (eps_g + (l+1) eps)/(k+1) and
    p = (e^eps - e^t)/(e^eps - 1). Attained by k equal mechanisms with two outputs. Mechanisms that are chosen from
    earlier answers can lose more (dong2020/adaptive.delta). Two million terms are summed at most.
    """
    if eps_g >= k * eps:
        return Fraction(0)
    parts = _parts(eps, k, eps_g)
    TERMS.require(parts * (parts + 1) // 2)
    largest: Real = ar.real(Fraction(0))
    for last in range(parts):
        largest = ar.maximum(largest, _at_most(ar, eps, k, eps_g, last))
    return largest


@implements(
    "dong2020/thm3.eps",
    kind="exact",
    cites="Theorem 3, solved for epsilon",
    hypotheses=(*_ROUNDS, Hypothesis.EQUAL_PARAMETERS, Hypothesis.QUERIES_IN_ADVANCE),
)
def advance_eps(ar: Arithmetic, eps: Fraction, k: int, delta_g: Probability) -> Result:
    """The least eps_g >= 0 for which k mechanisms of bounded range eps, all chosen in advance, are (eps_g, delta_g)-DP.

    dong2020/thm3.eps: Dong, Durfee, Rogers 2020, Theorem 3, solved: the largest of the roots of its parts, each of
    which falls with eps_g. delta_g = 0 gives k eps exactly.
    """
    if delta_g == 0 or eps == 0 or k == 0:
        return k * eps
    if delta_g == 1:
        return Fraction(0)
    parts = _parts(eps, k, Fraction(0))
    TERMS.require(parts * (parts + 1) // 2)
    low, high = Fraction(0), Fraction(0)
    for last in _likeliest_first(eps, k, delta_g, parts):

        def left(inner: Arithmetic, eps_g: Fraction, last: int = last) -> Scalar:
            return delta_g - _at_most(inner, eps, k, eps_g, last)

        # The part with l low losses is there up to eps_g = (k - l) eps, where it is 0.
        end = (k - last) * eps
        if high >= end or decide.sign(partial(left, eps_g=high), ar) >= 0:
            continue
        found = roots.root(left, high, end, ar)
        low, high = max(low, found[0]), max(high, found[1])
    return Fraction(0) if high == 0 else ar.hull(low, high)


def _likeliest_first(eps: Fraction, k: int, delta_g: Fraction, parts: int) -> list[int]:
    """All parts, from the one that a normal law would make the largest on: an order, of which nothing depends."""
    mean, deviation = k * float(min(eps, Fraction(8))) / 8, math.sqrt(k) / 2
    about = deviation * math.sqrt(max(0.0, -2 * math.log(max(float(delta_g), 1e-300)))) + mean
    centre = min(parts - 1, max(0, round((k - about) / 2)))
    return sorted(range(parts), key=lambda last: abs(last - centre))


#: Of mechanisms with given intervals: a term for each number of low losses of each kind.
_OUTCOMES = WorkLimit(20_000, "numbers of low losses", "ask for fewer mechanisms, or fewer different ones")


@implements(
    "dong2020/intervals.delta",
    kind="lower",
    cites="the generalized randomized response with given intervals",
    hypotheses=(Hypothesis.BOUNDED_RANGE_ROUNDS,),
)
def intervals_delta(ar: Arithmetic, eps: tuple[Fraction, ...], t: tuple[Fraction, ...], eps_g: Fraction) -> Result:
    """What mechanisms of these bounded ranges lose for certain: those of two outputs with losses t_i and t_i - eps_i.

    dong2020/intervals.delta: Dong, Durfee, Rogers 2020: the hockey-stick divergence at eps_g of the product of pairs
    with P(loss t_i) = (e^eps_i - e^t_i)/(e^eps_i - 1). A lower bound on every delta that holds for all mechanisms
    with these ranges, also where all are chosen in advance; which intervals lose most it does not say.
    """
    if len(t) != len(eps):
        raise InputError("t", f"{len(t)} values", f"give one for each of the {len(eps)} ranges")
    for width, end in zip(eps, t, strict=True):
        if end > width:
            raise InputError("t", spell(end), "give a number from 0 to its range: the interval [t - eps, t] holds 0")
    kinds = [(width, end, n) for (width, end), n in Counter(zip(eps, t, strict=True)).items() if 0 < end < width]
    _OUTCOMES.require(math.prod(n + 1 for _, _, n in kinds))
    masses: list[tuple[Scalar, Fraction]] = [(Fraction(1), Fraction(0))]
    for width, end, n in kinds:
        whole_range = ar.expm1(width)
        high, low = ar.exp(end) * ar.expm1(width - end) / whole_range, ar.expm1(end) / whole_range
        shares = [math.comb(n, i) * high ** (n - i) * low**i for i in range(n + 1)]
        masses = [(mass * share, loss + n * end - i * width) for mass, loss in masses for i, share in enumerate(shares)]
    return ar.sum(-mass * ar.expm1(eps_g - loss) for mass, loss in masses if loss > eps_g)


def worst_ends(kinds: Sequence[tuple[Fraction, int]], eps_g: Fraction) -> tuple[Fraction, ...]:
    """For each range with its number of mechanisms the end t of an interval that loses much, found in floats.

    What is done with it is exact whatever it is. Coordinate steps from the middle, halved while nothing improves.
    """
    widths = [width for width, _ in kinds]
    if max(eps_g, *widths) > 300 or min(widths) < Fraction(1, 10**100):
        # Beyond floats: the middle, which is as good as any interval of a proof.
        return tuple(width / 2 for width, _ in kinds)
    target = float(eps_g)

    outcomes = math.prod(n + 1 for _, n in kinds)

    def lost(ends: Sequence[float]) -> float:
        spend(2 * outcomes)
        masses = [(1.0, -target)]
        for (width, n), share in zip(kinds, ends, strict=True):
            e = float(width)
            t = share * e
            low = math.expm1(t) / math.expm1(e)
            masses = [
                (mass * math.comb(n, i) * (1 - low) ** (n - i) * low**i, loss + n * t - i * e)
                for mass, loss in masses
                for i in range(n + 1)
            ]
        return sum(-mass * math.expm1(-loss) for mass, loss in masses if loss > 0)

    ends = [0.6] * len(kinds)
    best, step = lost(ends), 0.25
    while step > 2**-7:
        improved = False
        for i in range(len(ends)):
            for move in (-step, step):
                tried = [*ends]
                tried[i] = min(1.0, max(0.0, tried[i] + move))
                if (value := lost(tried)) > best:
                    ends, best, improved = tried, value, True
        step = step if improved else step / 2
    return tuple(width * Fraction(round(share * 1024), 1024) for (width, _), share in zip(kinds, ends, strict=True))


# --- chosen on the way -------------------------------------------------------------------------------------------


@implements("dong2020/prop4.eps", kind="upper", cites="Proposition 4", hypotheses=_ROUNDS)
def adaptive_bound(ar: Arithmetic, eps: Multiset, delta: Probability) -> Result:
    """An epsilon for mechanisms of bounded ranges that are fixed in advance, the mechanisms chosen on the way.

    dong2020/prop4.eps: Dong, Durfee, Rogers 2020, Proposition 4: the smaller of sum eps_i and
    sum (a_i - 1 - log a_i) + sqrt(sum eps_i^2 log(1/delta)/2), with a_i = eps_i/(1 - e^(-eps_i)): the largest mean of
    the loss, and Azuma's inequality for losses in intervals of width eps_i.
    """
    total = sum((value * count for value, count in eps), Fraction(0))
    if delta == 0 or total == 0:
        return total
    means: list[Scalar] = []
    for value, count in eps:
        if value:
            ratio = -value / ar.expm1(-value)
            means.append(count * (ratio - 1 - ar.log(ratio)))
    square = sum((value * value * count for value, count in eps), Fraction(0))
    return ar.minimum(total, ar.sum(means) + ar.sqrt(square * ar.log(1 / delta) / 2))


#: The hockey-stick curve is computed by so many rounds and up to that range of each.
MOST_ROUNDS = 200
MOST_RANGE = 4
_ROUND_LIMIT = WorkLimit(MOST_ROUNDS, "rounds of bounded range", "dong2020/prop4.eps bounds any number of them")


@dataclass(frozen=True, slots=True)
class _Curve:
    """Bounds on the curve h(u) = delta at log u, at u = ratio^i for i >= 0, times 2^bits; the step is log ratio."""

    upper: tuple[int, ...]
    lower: tuple[int, ...]
    bits: int
    step: Fraction
    #: In units of work, counted at every use, so that what is answered does not depend on what was asked before.
    price: int


def _cells(eps: Sequence[Fraction]) -> int:
    """How many steps the largest range has: the fewer the more rounds there are."""
    return max(8, min(320, 1600 // max(1, len(eps))))


def _step(eps: Sequence[Fraction]) -> Fraction:
    """A step of which all ranges are multiples where they are commensurable enough; else of the largest alone."""
    shared = Fraction(
        math.gcd(*(e.numerator * (math.lcm(*(f.denominator for f in eps)) // e.denominator) for e in eps))
    )
    shared /= math.lcm(*(e.denominator for e in eps))
    cells = _cells(eps)
    most = max(eps)
    if most / shared <= cells:
        return shared / (cells * shared // most)
    return most / cells


class _Weights:
    """What a round of range ``steps`` multiplies by, as integers over 2^bits, rounded outward."""

    def __init__(self, ar: EnclosingArithmetic, step: Fraction, steps: int, bits: int) -> None:
        self.steps = steps
        scale = 1 << bits

        def ends(value: Real) -> tuple[int, int]:
            return decide.finite(ar, value, "a weight has no finite enclosure").in_units(bits)

        with ar.active():
            ratio = ar.exp(step)
            powers = [ar.real(Fraction(1))]
            for _ in range(steps):
                powers.append(powers[-1] * ratio)
            whole_range = ar.expm1(steps * step)
            # (e^eps - e^(at step))/(e^eps - 1), the weight of a chord's left end ``at`` steps below.
            inside = [ends((powers[steps] - powers[at]) / whole_range) for at in range(steps - 1, 0, -1)]
            # Within a cell the chord's value is B + A a + C/a; what bends it up is -C (a1^(-1/2) - a2^(-1/2))^2.
            half = ar.expm1(-step / 2)
            bend = half * half / whole_range / ar.expm1(step)
            self.bends = [ends(bend * powers[at])[1] for at in range(steps, 0, -1)]
            self.ratio_up = ends(ratio)[1]
            #: e^(-i step) for i = steps, ..., 1.
            self.below = [ends(1 / powers[i]) for i in range(steps, 0, -1)]
        self.left_down, self.left_up = [low for low, _ in inside], [high for _, high in inside]
        self.right_down, self.right_up = [scale - high for _, high in inside], [scale - low for low, _ in inside]


def _reflected(values: list[int], tail: int, below: list[tuple[int, int]], bits: int, up: bool) -> list[int]:
    """h(1/u) = 1 - 1/u + h(u)/u, as the class of mechanisms is the same with both laws exchanged."""
    scale, found = 1 << bits, []
    for i, (low, high) in zip(range(len(below), 0, -1), below, strict=True):
        rest = scale - (values[i] if i < len(values) else tail)
        found.append(scale - (low * rest >> bits) if up else scale + (-high * rest >> bits))
    return found


def _raise(values: list[int], tail: int, weights: _Weights, bits: int, floor: int) -> tuple[list[int], int]:
    """Upper bounds after one more round before: the largest chord, over all left ends within the range below.

    Between grid points the curve is at most its interpolation. Where it falls below ``floor`` it is cut, and the last
    value taken for all that follow.
    """
    steps = weights.steps
    known = _reflected(values, tail, weights.below, bits, True) + values
    last = len(values) + steps
    known += [tail] * (3 * steps + 2)
    bend = [
        # One more than its value rounded up: the last bits need not fall, and a difference below 0 is rounded down.
        max(0, 1 - (-weights.ratio_up * (known[i] - known[i + steps]) >> bits) - known[i + 1] + known[i + steps + 1])
        for i in range(last + steps)
    ]
    found: list[int] = []
    for j in range(last + 1):
        here = known[j + steps] << bits
        chords = [
            a * x + b * y
            for a, x, b, y in zip(
                weights.left_up, known[j + 1 : j + steps], weights.right_up, known[j + 1 + steps : j + 2 * steps],
                strict=True,
            )
        ]  # fmt: skip
        ends = [here, *chords, here]
        best = max(map(_over_cell, ends, ends[1:], weights.bends, bend[j : j + steps]))
        found.append(-(-best >> bits))
        if found[-1] < floor:
            break
    return found, found[-1]


def _over_cell(first: int, second: int, bends: int, bend: int) -> int:
    return (first if first > second else second) + bends * bend


def _lower(values: list[int], weights: _Weights, bits: int, keep: int) -> list[int]:
    """Lower bounds after one more round before: the largest chord between grid points, which an adversary may use."""
    steps = weights.steps
    known = _reflected(values, 0, weights.below, bits, False) + values + [0] * (3 * steps)
    found: list[int] = []
    for j in range(min(keep, len(values) + steps)):
        best = known[j + steps] << bits
        for a, x, b, y in zip(
            weights.left_down, known[j + 1 : j + steps], weights.right_down, known[j + 1 + steps : j + 2 * steps],
            strict=True,
        ):  # fmt: skip
            chord = a * x + b * y
            if chord > best:
                best = chord
        found.append(best >> bits)
    return found


def _curve(ar: Arithmetic, eps: tuple[Fraction, ...], precision: int) -> _Curve:
    """The curve of rounds in that order, to about 2^-precision of absolute width alongside that of the grid."""
    with all_where_refused():
        found = _computed(decide.engine_name(ar), eps, precision)
        spend(found.price)
    return found


@lru_cache(maxsize=64)
def _computed(engine: decide.EngineName, eps: tuple[Fraction, ...], precision: int) -> _Curve:
    step = _step(eps)
    bits = precision + 64
    floor = max(1, (1 << bits - precision) // len(eps))
    # Differences of powers lose as many bits as the step has below 1.
    below = bits_below(step)
    ar = decide.engine(engine, bits + 64 + 2 * below)
    weights: dict[int, _Weights] = {}

    def of(steps: int) -> _Weights:
        if steps not in weights:
            weights[steps] = _Weights(ar, step, steps, bits)
        return weights[steps]

    upper, lower, tail, pairs, price = [0], [0], 0, 0, 0
    for value in reversed(eps):
        down = value // step
        up = down if down * step == value else down + 1
        upper, tail = _raise(upper, tail, of(up), bits, floor)
        lower = _lower(lower, of(down), bits, len(upper)) if down else lower
        pairs += up * len(upper)
        price = pairs * (1 + (bits >> 9)) // 2
        afford(price)
    return _Curve(tuple(upper), tuple(lower), bits, step, price)


def _known(eps: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The rounds that lose something; refused where the curve is not computed."""
    found = tuple(value for value in eps if value)
    _ROUND_LIMIT.require(len(found))
    if any(value > MOST_RANGE for value in found):
        raise InputError("eps", "a larger range", f"ranges up to {MOST_RANGE} are composed on the way")
    return found


def _from_the_top(ar: Arithmetic, eps: Sequence[Fraction], eps_g: Fraction) -> Real:
    """delta from the sum of all ranges down by the least of them, where all losses must be high ones.

    With s = (sum eps_i - eps_g)/(k + 1) every interval ends at t_i = eps_i - s, whatever was answered:
    (1 - e^-s)^(k + 1)/prod (1 - e^-eps_i).
    """
    short = (sum(eps, Fraction(0)) - eps_g) / (len(eps) + 1)
    return (-ar.expm1(-short)) ** (len(eps) + 1) / _from_one(ar, eps)


def _from_one(ar: Arithmetic, eps: Sequence[Fraction]) -> Real:
    """prod (1 - e^-eps_i)."""
    found = ar.real(Fraction(1))
    for value, times in Counter(eps).items():
        found = found * (-ar.expm1(-value)) ** times
    return found


def _is_at_the_top(ar: Arithmetic, eps: Sequence[Fraction], delta_g: Fraction) -> bool:
    """Whether epsilon at delta_g is at most the least range below the sum of all."""
    place = sum(eps, Fraction(0)) - min(eps)
    return decide.sign(lambda inner: _from_the_top(inner, eps, place) - delta_g, decide.enclosing(ar)) >= 0


def _width(of: str) -> Any:
    """The relative width that is promised: of second order in the step, of first where it divides no range.

    None where there is a closed form.
    """

    def stated(inputs: Mapping[str, Any]) -> Fraction | None:
        eps = tuple(value for value in inputs["eps"] if value)
        if not eps or inputs.get("delta_g") in (0, 1) or inputs.get("eps_g", 0) >= sum(eps) - min(eps):
            return None
        if of == "eps" and _is_at_the_top(decide.engine("arb"), eps, inputs["delta_g"]):
            return None
        step = _step(eps)
        cells: Fraction = max(eps) / step
        if any(value % step for value in eps):
            width: Fraction = max(3 / cells, Fraction(1, 50))
            return width if of == "eps" else 12 * width
        if of == "eps":
            coarse = max(Fraction(1, 50), 8 / cells**2 + 4 / (cells * len(eps)))
            promised: Fraction = max(Fraction(1, 200), min(40 / cells**2, coarse))
            return promised
        # The curve bends as a power of what is missing to the sum of all ranges, and each round adds its own cells.
        bent: Fraction = len(eps) * max(eps) / (sum(eps) - inputs["eps_g"]) / cells
        return min(Fraction(6, 25), (5 + Fraction(2 * len(eps), 3)) * bent**2)

    return stated


@implements(
    "dong2020/adaptive.eps",
    kind="exact",
    cites="the recursion for mechanisms that are chosen on the way (transcribed from its derivation)",
    hypotheses=(*_ROUNDS, Hypothesis.SEQUENTIAL),
    stated_width=_width("eps"),
)
def adaptive_eps(ar: Arithmetic, eps: tuple[Fraction, ...], delta_g: Probability) -> Result:
    """The least eps_g >= 0 for mechanisms of these bounded ranges in this order, chosen on the way, at delta_g.

    dong2020/adaptive.eps: dong2020/adaptive.delta solved for eps_g, to the stated width; in closed form for one
    mechanism, and where it is within the least range of the sum of all.
    """
    known = _known(eps)
    if delta_g == 0 or not known:
        return sum(known, Fraction(0))
    if delta_g == 1:
        return Fraction(0)
    if _is_at_the_top(ar, known, delta_g):
        times = len(known) + 1
        return sum(known, Fraction(0)) + times * ar.log1p(-ar.exp(ar.log(delta_g * _from_one(ar, known)) / times))
    if len(known) == 1:
        # Its delta at 0 is less.
        return Fraction(0)
    curve = _curve(ar, known, bits_below(delta_g) + 26)
    target = delta_g * (1 << curve.bits)
    up, down = curve.upper, curve.lower
    if up[0] <= target:
        return Fraction(0)
    after = next((i for i, value in enumerate(up) if value <= target), None)
    most: Scalar = sum(known, Fraction(0))
    if after is not None:
        # Between two points of the grid the curve, convex in u, is at most its chord.
        part = (up[after - 1] - target) / (up[after - 1] - up[after])
        most = ar.minimum(most, _between(ar, after - 1, part, curve.step))
    before = sum(1 for _ in itertools.takewhile(lambda value: value >= target, down)) - 1
    if before < 1:
        return ar.hull(Fraction(0) if before < 0 else before * curve.step, most)
    # And to the right of a chord it is at least the chord's continuation.
    part = (down[before] - target) / (up[before - 1] - down[before])
    width = part * -ar.expm1(-curve.step)
    return ar.hull(before * curve.step + ar.log1p(width), most)


def _between(ar: Arithmetic, at: int, part: Fraction, step: Fraction) -> Real:
    """log of the point that divides the segment from ratio^at to ratio^(at + 1)."""
    return at * step + ar.log1p(part * ar.expm1(step))


@implements(
    "dong2020/adaptive.delta",
    kind="exact",
    cites="the recursion for mechanisms that are chosen on the way (transcribed from its derivation)",
    hypotheses=(*_ROUNDS, Hypothesis.SEQUENTIAL),
    stated_width=_width("delta"),
)
def adaptive_delta(ar: Arithmetic, eps: tuple[Fraction, ...], eps_g: Fraction) -> Result:
    """The least delta for mechanisms of these bounded ranges in this order, each chosen from the answers before it.

    dong2020/adaptive.delta: Dong, Durfee, Rogers 2020: delta_0(x) = (1 - e^x)_+, and with one more mechanism before,
    of range eps, delta_k(x) = max over t in [0, eps] of p(t) delta_(k-1)(x - t) + (1 - p(t)) delta_(k-1)(x - t + eps).
    As a function of u = e^x this is the largest chord over an interval [a, a e^eps] that holds u. Both bounds on a grid
    of u: from below grid intervals alone, from above what a chord can gain within a cell. From the sum of all ranges
    down by the least of them, and so for one mechanism, it is (1 - e^-s)^(k+1)/prod (1 - e^-eps_i) with
    s = (sum eps_i - eps_g)/(k + 1). Up to 200 rounds, ranges up to 4.
    """
    known = _known(eps)
    if eps_g >= sum(known):
        return Fraction(0)
    if eps_g >= sum(known) - min(known):
        return _from_the_top(ar, known, eps_g)
    curve = _curve_at(ar, known, eps_g)
    low, high = _read(ar, curve, eps_g)

    def apart(inner: Arithmetic) -> Scalar:
        least, most = _read(inner, curve, eps_g)
        return 2 * inner.real(least) - most

    # A ball as wide as that would be below 0 too.
    if decide.sign(apart, ar) <= 0:
        raise UndecidedError(_too_far_up(ar, low, high))
    return ar.hull(low, high)


def _curve_at(ar: Arithmetic, known: tuple[Fraction, ...], eps_g: Fraction) -> _Curve:
    """The curve with bits enough for eps_g: a value beneath what was cut away is computed anew with more."""

    def above_cut(inner: Arithmetic, curve: _Curve, bits: int) -> Scalar:
        return _read(inner, curve, eps_g)[0] - _cut(bits)

    bits = 64
    while True:
        curve = _curve(ar, known, bits)
        if bits >= _MOST_BITS or decide.sign(partial(above_cut, curve=curve, bits=bits), ar) > 0:
            return curve
        bits *= 4


def _too_far_up(ar: Arithmetic, low: Scalar, high: Scalar) -> str:
    ends = [decide.enclosing(ar).enclosure(end) for end in (low, high)]
    least = "0" if ends[0] is None else to_decimal(max(ends[0].lower, Fraction(0)), 6, "down")
    most = "1" if ends[1] is None else to_decimal(ends[1].upper, 6, "up")
    return (
        f"delta is within [{least}, {most}]: the grid is too coarse for the number of mechanisms near the sum of "
        "their ranges; ask at a smaller epsilon"
    )


_MOST_BITS = 1024


def _cut(bits: int) -> Fraction:
    return Fraction(1, 2 ** (bits - 24))


def _read(ar: Arithmetic, curve: _Curve, eps_g: Fraction) -> tuple[Scalar, Scalar]:
    """Bounds on the curve at eps_g: the chord above, and below the continuation of the chord before."""
    scale, up, down = 1 << curve.bits, curve.upper, curve.lower
    at = eps_g // curve.step
    if at + 1 >= len(up):
        return Fraction(0), Fraction(up[-1], scale)
    part = ar.expm1(eps_g - at * curve.step) / ar.expm1(curve.step)
    high = (up[at] + part * (up[at + 1] - up[at])) / scale
    if eps_g == at * curve.step:
        return Fraction(down[at] if at < len(down) else 0, scale), Fraction(up[at], scale)
    low: Scalar = Fraction(down[at + 1] if at + 1 < len(down) else 0, scale)
    if 1 <= at < len(down):
        further = part * ar.exp(curve.step)
        low = ar.maximum(low, (down[at] - further * (up[at - 1] - down[at])) / scale)
    return low, high
