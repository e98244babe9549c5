"""Balls in bins: every record falls into one of b batches, uniformly, and takes part in that batch alone.

With the noise multiplier s, E epochs over the same bins and a = sqrt(E)/s, the answers of the steps have the laws

    P = (1/b) sum_i N(a e_i, I)   where the record is there,   Q = N(0, I)   where it is not,

and this pair dominates every adaptive run: given the bin, the steps of one bin are E Gaussian queries of length at most
1, which are together a post-processing of N(a e_i, I) (a direction is chosen from earlier answers, a shorter vector is
mixed with fresh noise), in the same way whichever the bin is (Chua et al. 2025, arXiv 2412.16802). A record that is
always the unit vector attains it.

**One put option.** dP/dQ = A, the mean of b independent X = exp(a Z - a^2/2) with E X = 1. With K = e^eps,

    removal: E(A - K)_+ = 1 - K + E(K - A)_+        addition: E(1 - K A)_+ = K E(1/K - A)_+,

so that all is in E(bK - S)_+, S = X_1 + ... + X_b, which depends on S below bK only: no tail is cut off.

**Bounds on a lattice.** With p(c) = E(c - X)_+ and any numbers y_j >= 0 let q(c) = sum_j y_j (c - j h)_+.

* If q >= p on [0, c], then E(c - S)_+ <= sum over j_1, ..., j_b of y_j1 ... y_jb (c - h (j_1 + ... + j_b))_+, and with
  <= everywhere if q <= p. Induction: given all other summands with sum s, E(c - s - X)_+ = p(c - s) against q(c - s),
  where s >= 0; and the weights are not negative. They need not sum to 1.
* Above: q is the chord of the convex p between lattice points, y_j = (p((j+1)h) - 2 p(jh) + p((j-1)h))/h >= 0. Each is
  rounded up, which raises q.
* Below, on points c_j = o + j h with some o >= 0: let u_j be the smaller value at c_j of the tangents to p at c_j - h/2
  (where that is positive) and at c_j + h/2, rounded down. Between c_j and c_(j+1) the chord of u lies below the tangent
  halfway, at both ends and so between them, and that below p. Up to the last negative u_j all are replaced by 0: the
  chord after them still starts below its tangent, whose value there is at least u >= 0. The greatest convex function
  below the points (its kinks are at lattice points) lies below the chords; its changes of slope are the y_j, rounded
  down, which lowers q. The sum of b points is b o + h (j_1 + ... + j_b). The best o is E[X | X < o + h/2], so that all
  that is near 0 is one point at its mean.

Neither needs all lattice points: between any two of them the chord, or the tangent halfway, serves as it does between
neighbours. So p is computed where it bends, a hundred times within the width of X and near the places where one X alone
makes the loss; elsewhere the points are far apart.

Both are of second order in the distances. The b-th power of the integer polynomial of the y_j is rounded after each
product to the same side and cut at the lattice point above bK, where (c - s)_+ is 0. What is cut off elsewhere, where
there is almost no mass, counts in the upper bound with bK, at least what (bK - s)_+ is.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from privref.composition.loss_grid import most_places
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.integer_poly import IntegerPolynomial
from privref.exact.rounding import to_decimal
from privref.exact.work import kept, spend
from privref.guarantees.gaussian import gaussian_delta, gaussian_eps
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Count, Positive, Probability
from privref.statements.registry import Result, implements

#: Lattice points of one law that are not cut off: a finer lattice would take minutes. And how many deviations of the
#: sum they are taken for, and how much longer the whole lattice may be.
MOST_POINTS = 1 << 17
_DEVIATIONS, _MOST_LONGER = 26, 16.0
#: What an end that is cut off may hold, as a power of 2: a billionth of delta for all.
_CUT_BITS = 10
_FIRST_POINTS = 1 << 10
#: Relative widths of what is answered.
STATED_WIDTH = Fraction(1, 20_000)
STATED_DELTA_WIDTH = Fraction(1, 2000)
#: Binary places of a mass beyond those that its use needs, and of values beyond those of masses.
_SPARE_BITS = 40
#: How many points where p is computed lie within the width of X; so many times more on each next lattice.
_PARTS, _MORE_PARTS = 64, 1.5
#: So much coarser is the lattice that is tried first for an addition, which mostly loses far less.
_COARSER = 8
#: The largest exponent whose exponential is a float.
_MOST_EXPONENT = 700.0
#: The points of the next lattice: a fifth more than second order asks for, squared; at most 64 times as many.
_MORE, _MOST_MORE = 1.2, 64.0
#: Below it a quotient of two tails is left alone: floats end at 1e-308.
_LEAST_TAIL = 1e-250
#: Halvings and binary places of an offset, and a part by which it is rounded up: that of the halvings' last digits.
_OFFSET_PLACES, _OFFSET_SPARE = 60, 1e-9
#: Places of an epsilon that a search tries, and of a lattice's end.
_PLACES = 2**48
#: A loss above it has no lattice: e^eps is beyond what is worth writing down.
MOST_EPSILON = 200


@dataclass(frozen=True, slots=True)
class OptionLattice:
    """Points j h, 0 <= j < ``points``, with h = bins * top/points: sums S up to bins * top; masses in 2^-bits.

    From below, each summand's points begin at ``offset``. ``parts``: how many of them lie within the width of X; None
    for all points.
    """

    top: Fraction
    points: int
    bits: int
    offset: Fraction = Fraction(0)
    parts: float | None = None


@dataclass(frozen=True, slots=True)
class OptionSums:
    """The masses of S on a lattice from one side, as sums over the first points from ``low``: of y_j, and of j y_j.

    ``missing`` bounds the mass that an upper bound has left out.
    """

    masses: tuple[int, ...]
    moments: tuple[int, ...]
    low: int
    missing: int
    bins: int
    lattice: OptionLattice

    def put(self, ratio: Fraction) -> Fraction:
        """The bound of E(ratio - A)_+ for 0 <= ratio <= top."""
        if not 0 <= ratio <= self.lattice.top:
            raise ValueError("the lattice does not reach this ratio")
        step = self.lattice.top / self.lattice.points
        ratio = max(ratio - self.lattice.offset, Fraction(0))
        place = min(max(math.ceil(ratio / step) - self.low, 0), len(self.masses) - 1)
        found = ratio * (self.masses[place] + self.missing) - step * self.moments[place]
        return found / Fraction(1 << self.lattice.bits)


def _put(ar: EnclosingArithmetic, a: Real, place: Fraction) -> tuple[Real, Real]:
    """p(c) = E(c - X)_+ = c F(c) - Phi((log c - a^2/2)/a), and F(c) = P(X < c), at c > 0."""
    log = ar.log(place)
    below = ar.normal_cdf((log + a * a / 2) / a)
    return place * below - ar.normal_cdf((log - a * a / 2) / a), below


def _ends(ar: EnclosingArithmetic, value: Scalar, bits: int) -> tuple[int, int]:
    found = ar.in_units(value, bits)
    if found is None:
        raise MorePrecisionError("a put option of balls in bins has no finite enclosure")
    return found


def _places(bins: int, mu_squared: Fraction, lattice: OptionLattice) -> list[int]:
    """Where p is computed, from point 0 to the last one, by floats: any points serve."""
    if lattice.parts is None:
        return list(range(lattice.points + 1))
    a, end, begins = math.sqrt(mu_squared), float(bins * lattice.top), float(lattice.offset)
    step = end / lattice.points
    # Beyond these places X has no mass that is written down.
    far = a * math.sqrt(2 * math.log(2) * lattice.bits)
    least, most = math.exp(-min(far + a * a / 2, _MOST_EXPONENT)), math.exp(min(far + a * a / 2, _MOST_EXPONENT))
    spread = math.sqrt(bins * math.expm1(min(a * a, _MOST_EXPONENT)))
    found = [0]
    while found[-1] < lattice.points:
        place = begins + found[-1] * step
        if place < least:
            wide = least - place
        elif place > most:
            wide = end
        else:
            wide = min(min(a, 1.0) * place, max(spread, a * abs(end - bins - place))) / lattice.parts
        found.append(min(found[-1] + max(int(wide / step), 1), lattice.points))
    return found


def _masses_above(ar: EnclosingArithmetic, a: Real, step: Fraction, lattice: OptionLattice, at: list[int]) -> list[int]:
    """The changes of slope of the chords, rounded up."""
    values: list[Scalar] = [0, *(_put(ar, a, step * j)[0] / step for j in at[1:])]
    slopes: list[Scalar] = [0]
    slopes += [(after - before) / Fraction(k - i) for (i, before), (k, after) in pairwise(zip(at, values, strict=True))]
    found = [0] * lattice.points
    for j, (before, after) in zip(at, pairwise(slopes), strict=False):
        found[j] = max(_ends(ar, after - before, lattice.bits)[1], 0)
    return found


def _masses_below(ar: EnclosingArithmetic, a: Real, step: Fraction, lattice: OptionLattice, at: list[int]) -> list[int]:
    """The changes of slope of the greatest convex function below the tangents' values, rounded down."""
    # The tangent halfway between two points, at the first of them and at the second.
    tangents: list[tuple[Scalar, Scalar]] = []
    for i, k in pairwise([-1, *at, lattice.points + 1]):
        place = lattice.offset + step * (i + k) / 2
        value, slope = _put(ar, a, place) if place > 0 else (Fraction(0), Fraction(0))
        value, rise = value / step, slope * Fraction(k - i, 2)
        tangents.append((value - rise, value + rise))
    lowest = [
        min(_ends(ar, before[1], lattice.bits)[0], _ends(ar, after[0], lattice.bits)[0])
        for before, after in pairwise(tangents)
    ]
    negative = max((j for j, value in enumerate(lowest) if value < 0), default=-1)
    for j in range(min(negative + 2, len(lowest))):
        lowest[j] = 0
    return _changes_of_slope(at, lowest)


def _changes_of_slope(at: list[int], values: list[int]) -> list[int]:
    """Those of the greatest convex function below the values at these points, which starts at 0 with slope 0."""
    points = list(zip(at, values, strict=True))
    corners = points[:1]
    for j, value in points[1:]:
        while len(corners) > 1:
            (i, least), (k, middle) = corners[-2:]
            if (middle - least) * (j - i) < (value - least) * (k - i):
                break
            corners.pop()
        corners.append((j, value))
    found = [0] * at[-1]
    slope = Fraction(0)
    for (i, least), (k, middle) in pairwise(corners):
        new = Fraction(middle - least, k - i)
        found[i], slope = math.floor(new - slope), new
    return found


@dataclass(frozen=True, slots=True)
class LatticeSum:
    """The law of a sum of ``times`` summands, from the lattice point ``low`` on, and what it leaves out."""

    law: IntegerPolynomial
    times: int
    low: int = 0
    missing: int = 0


def joined(first: LatticeSum, second: LatticeSum, lattice: OptionLattice, *, up: bool) -> LatticeSum:
    """The law of both together, rounded to one side and with its ends of almost no mass cut off."""
    low, count = first.low + second.low, first.times + second.times
    whole_product = (first.law * second.law).part(0, lattice.points - low)
    found = whole_product.shifted_up(lattice.bits) if up else whole_product.shifted_down(lattice.bits)
    budget, size = count * lattice.points << _CUT_BITS, len(found)
    start = most_places(size, lambda places: found.part(0, places).sum() <= budget)
    stop = most_places(size, lambda places: found.part(size - places, size).sum() <= budget)
    missing = 0
    if up:
        masses = first.law.sum(), second.law.sum()
        beside = (masses[0] + first.missing) * (masses[1] + second.missing) - masses[0] * masses[1]
        cut = found.part(0, start).sum() + found.part(size - stop, size).sum()
        missing = -(-beside >> lattice.bits) + cut
    return LatticeSum(found.part(start, size - stop), count, low + start, missing)


def power(law: IntegerPolynomial, times: int, lattice: OptionLattice, *, up: bool) -> LatticeSum:
    """The law of the sum of this many, each product rounded to one side; its ends of almost no mass are cut off."""

    one, found = LatticeSum(law, 1), None
    while times:
        if times & 1:
            found = one if found is None else joined(found, one, lattice, up=up)
        times >>= 1
        if times:
            one = joined(one, one, lattice, up=up)
    assert found is not None
    return found


def offset(mu_squared: Fraction, step: Fraction) -> Fraction:
    """About where the points of a lattice from below begin best, by floats: any number >= 0 serves."""
    a, half = math.sqrt(mu_squared), float(step) / 2

    def mean_below(place: float) -> float:
        log = math.log(place)
        below = math.erfc(-(log / a + a / 2) / math.sqrt(2))
        return math.erfc(-(log / a - a / 2) / math.sqrt(2)) / below if below > _LEAST_TAIL else place

    low, high = 0.0, 1.0
    for _ in range(_OFFSET_PLACES):
        middle = (low + high) / 2
        low, high = (low, middle) if middle >= mean_below(middle + half) else (middle, high)
    return Fraction(math.ceil(high * (1 + _OFFSET_SPARE) * 2**_OFFSET_PLACES), 2**_OFFSET_PLACES)


#: What both engines ask for in an audit of one claim, once more for the next claim.
@kept(32)
def sums(engine: decide.EngineName, bins: int, mu_squared: Fraction, lattice: OptionLattice, *, up: bool) -> OptionSums:
    """The law of S on a lattice, from above or from below."""
    ar = decide.engine(engine, lattice.bits + lattice.points.bit_length() + _SPARE_BITS)
    step = bins * lattice.top / lattice.points
    at = _places(bins, mu_squared, lattice)
    with ar.active():
        found = (_masses_above if up else _masses_below)(ar, ar.sqrt(mu_squared), step, lattice, at)
    whole = power(IntegerPolynomial(found), bins, lattice, up=up)
    spend(len(whole.law) >> 2)
    masses, moments = [0], [0]
    for j, mass in enumerate(whole.law.coefficients(), whole.low):
        masses.append(masses[-1] + mass)
        moments.append(moments[-1] + j * mass)
    return OptionSums(tuple(masses), tuple(moments), whole.low, whole.missing, bins, lattice)


def _grown(ar: EnclosingArithmetic, eps: Fraction) -> Enclosure:
    with ar.active():
        return decide.finite(ar, ar.exp(eps), "e^epsilon has no finite enclosure")


class _Law:
    """Both bounds of one pair on one lattice."""

    def __init__(self, engine: decide.EngineName, bins: int, mu_squared: Fraction, lattice: OptionLattice) -> None:
        self.lattice = lattice
        self.ar = decide.engine(engine, lattice.bits + 64)
        self.above = sums(engine, bins, mu_squared, lattice, up=True)
        begins = offset(mu_squared, bins * lattice.top / lattice.points)
        self.below = sums(engine, bins, mu_squared, replace(lattice, offset=begins), up=False)

    def delta(self, eps: Fraction) -> Enclosure:
        """The delta of a removal at epsilon >= 0, which falls in K = e^epsilon."""
        grown = _grown(self.ar, eps)
        least = 1 - grown.upper + self.below.put(grown.upper)
        return Enclosure(max(least, Fraction(0)), 1 - grown.lower + self.above.put(grown.lower))


def _most_added(
    engine: decide.EngineName, bins: int, mu_squared: Fraction, eps: Fraction, lattice: OptionLattice, enough: Fraction
) -> Fraction:
    """At least the delta of an addition at epsilon >= 0, by a lattice of its own: it is about sums below b/K only.

    A coarser lattice answers where its bound is ``enough``.
    """
    least = _grown(decide.engine(engine, lattice.bits + 64), eps).lower
    top = Fraction(math.ceil(_PLACES / least) + 1, _PLACES)
    coarse = max(first_points(bins, mu_squared), lattice.points // _COARSER)
    if coarse < lattice.points:
        own = replace(lattice, top=top, points=coarse)
        found = least * sums(engine, bins, mu_squared, own, up=True).put(1 / least)
        if found <= enough:
            return found
    return least * sums(engine, bins, mu_squared, replace(lattice, top=top), up=True).put(1 / least)


def _top(eps: Fraction) -> Fraction:
    """Some rational number above e^epsilon."""
    return Fraction(math.ceil(_grown(decide.engine("arb", 64), eps).upper * _PLACES) + 1, _PLACES)


def _lattice(bins: int, eps: Fraction, points: int, small: Fraction, parts: float | None) -> OptionLattice:
    """The lattice up to e^epsilon, with bits enough for a delta that is as small."""
    top = _top(eps)
    scale = math.ceil(top * bins * points / min(small, Fraction(1)))
    return OptionLattice(top, points, 32 * -(-(scale.bit_length() + _SPARE_BITS) // 32), parts=parts)


def _most_points(bins: int, mu_squared: Fraction) -> int:
    """The most points of a lattice from 0 on."""
    deviation = math.sqrt(math.expm1(min(float(mu_squared), _MOST_EXPONENT)) * bins)
    return int(MOST_POINTS * min(max(bins / (_DEVIATIONS * deviation), 1.0), _MOST_LONGER))


def first_points(bins: int, mu_squared: Fraction) -> int:
    """The points of the coarsest lattice: the sum of b summands of mean 1 is not seen with fewer."""
    points = max(_FIRST_POINTS, 1 << (2 * bins).bit_length())
    most = _most_points(bins, mu_squared)
    if points > most:
        raise UndecidedError(f"{bins} bins need more than {most} lattice points: out of reach")
    return points


def _finer(lattice: OptionLattice, most: int, found: Enclosure, width: Fraction) -> tuple[int, float | None] | None:
    """How many points, and parts, make the enclosure as narrow as is asked, by its second order.

    None where no more are tried: the last lattice has all points.
    """
    if lattice.points == most:
        return None if lattice.parts is None else (most, None)
    ratio = _MOST_MORE
    if found.lower:
        ratio = min(math.sqrt(found.width / found.lower / width) * _MORE, _MOST_MORE)
    points = min(max(int(lattice.points * ratio), 2 * lattice.points), most)
    return points, None if lattice.parts is None else lattice.parts * _MORE_PARTS


def _at(engine: decide.EngineName, bins: int, mu_squared: Fraction, eps: Fraction, lattice: OptionLattice) -> Enclosure:
    """The delta at epsilon of the larger of both orientations."""
    removed = _Law(engine, bins, mu_squared, lattice).delta(eps)
    return Enclosure(
        removed.lower, max(removed.upper, _most_added(engine, bins, mu_squared, eps, lattice, removed.lower))
    )


@kept(64)
def _delta_found(
    engine: decide.EngineName, bins: int, mu_squared: Fraction, eps: Fraction, width: Fraction
) -> tuple[Enclosure, OptionLattice]:
    """The delta, and the last lattice."""
    seen, small = Enclosure(Fraction(0), Fraction(1)), Fraction(1, 2**32)
    finer: tuple[int, float | None] | None = (first_points(bins, mu_squared), _PARTS)
    while finer is not None:
        points, parts = finer
        chosen = _lattice(bins, eps, points, small, parts)
        seen = _meet(seen, _at(engine, bins, mu_squared, eps, chosen))
        if seen.relative_width_at_most(width):
            return seen, chosen
        small = max(seen.lower, seen.upper / 2**32, Fraction(1, 2**2000))
        finer = _finer(chosen, _most_points(bins, mu_squared), seen, width)
    raise UndecidedError(
        f"delta of these balls in bins is within [{to_decimal(seen.lower, 6, 'down')}, "
        f"{to_decimal(seen.upper, 6, 'up')}]: a finer lattice takes too much work"
    )


def _meet(first: Enclosure, second: Enclosure) -> Enclosure:
    common = first.intersection(second)
    if common is None:
        raise AssertionError("two lattices disagree about balls in bins")
    return common


def delta_of(
    engine: decide.EngineName, bins: int, mu_squared: Fraction, eps: Fraction, width: Fraction = STATED_DELTA_WIDTH
) -> Enclosure:
    """The delta at epsilon >= 0 of one run, to a relative width; UndecidedError where no lattice gives that."""
    if eps > MOST_EPSILON:
        raise UndecidedError(f"balls in bins are computed for epsilon up to {MOST_EPSILON}: out of reach")
    known, lattice = _delta_found("arb", bins, mu_squared, eps, width)
    if engine == "arb":
        return known
    # The second engine computes all for itself, on the lattice that sufficed.
    found = _at(engine, bins, mu_squared, eps, lattice)
    return found if found.relative_width_at_most(width) else _delta_found(engine, bins, mu_squared, eps, width)[0]


def eps_of(
    engine: decide.EngineName, bins: int, mu_squared: Fraction, delta: Fraction, width: Fraction = STATED_WIDTH
) -> Enclosure:
    """The least epsilon >= 0 at delta in (0, 1) of one run, to a relative width."""
    known, lattice, reach = _eps_found("arb", bins, mu_squared, delta, width)
    if engine == "arb":
        return known
    law = _Law(engine, bins, mu_squared, lattice)
    if law.delta(reach).upper <= delta:
        found = _inverted(law, delta, Fraction(0), reach)
        if _is_proved(engine, bins, mu_squared, delta, found, lattice, width):
            return found
    return _eps_found(engine, bins, mu_squared, delta, width)[0]


@kept(64)
def _eps_found(
    engine: decide.EngineName, bins: int, mu_squared: Fraction, delta: Fraction, width: Fraction
) -> tuple[Enclosure, OptionLattice, Fraction]:
    """The epsilon, the last lattice, and the epsilon up to which that reaches."""
    law, reach = _reaching(engine, bins, mu_squared, delta)
    found = _inverted(law, delta, Fraction(0), reach)
    while not _is_proved(engine, bins, mu_squared, delta, found, law.lattice, width):
        finer = _finer(law.lattice, _most_points(bins, mu_squared), found, width)
        if finer is None:
            raise UndecidedError(
                f"epsilon of these balls in bins is at least {to_decimal(found.lower, 6, 'down')}, for a removal at "
                f"most {to_decimal(found.upper, 6, 'up')}: a finer lattice takes too much work"
            )
        reach = found.upper
        law = _Law(engine, bins, mu_squared, _lattice(bins, reach, finer[0], delta, finer[1]))
        found = _meet(found, _inverted(law, delta, found.lower, reach))
    return found, law.lattice, reach


def _is_proved(
    engine: decide.EngineName,
    bins: int,
    mu_squared: Fraction,
    delta: Fraction,
    found: Enclosure,
    lattice: OptionLattice,
    width: Fraction,
) -> bool:
    """Whether the enclosure is narrow, and no more is lost at its upper end by an addition."""
    if not found.relative_width_at_most(width):
        return False
    return _most_added(engine, bins, mu_squared, found.upper, lattice, delta) <= delta


def _reaching(engine: decide.EngineName, bins: int, mu_squared: Fraction, delta: Fraction) -> tuple[_Law, Fraction]:
    """A coarse lattice, and an epsilon where it shows that no more than delta is lost by a removal."""
    # One Gaussian query of the whole shift loses no less.
    ar = decide.engine("arb", 128)
    whole = gaussian_eps(ar, lambda inner: inner.sqrt(mu_squared), delta)
    assert not isinstance(whole, str)
    highest = decide.finite(ar, whole, "epsilon has no finite enclosure").upper
    points, most = first_points(bins, mu_squared), _most_points(bins, mu_squared)
    while points <= most:
        reach = Fraction(1, 4)
        while reach / 2 <= min(max(highest, Fraction(1, 4)), Fraction(MOST_EPSILON)):
            law = _Law(engine, bins, mu_squared, _lattice(bins, reach, points, delta, _PARTS))
            if law.delta(reach).upper <= delta:
                return law, reach
            reach = reach * 3 / 2
        points *= 4
    raise UndecidedError(f"no lattice of {most} points shows an epsilon of these {bins} bins: out of reach")


def _inverted(law: _Law, delta: Fraction, low: Fraction, high: Fraction) -> Enclosure:
    """Where the two bounds of delta pass delta, between two numbers that enclose epsilon.

    Each end was tried: below the first place the lower bound is above delta, at the last one the upper bound is not.
    """
    lowest = math.floor(low * _PLACES)
    places = range(lowest, math.ceil(high * _PLACES))

    def at(place: int) -> Enclosure:
        return law.delta(Fraction(place, _PLACES))

    first = bisect_left(places, True, key=lambda place: bool(at(place).lower <= delta))
    last = bisect_left(places, True, key=lambda place: bool(at(place).upper <= delta))
    return Enclosure(
        low if not first else max(low, Fraction(places[first - 1], _PLACES)),
        high if last == len(places) else Fraction(places[last], _PLACES),
    )


@implements(
    "chua2025/allocation.delta",
    kind="exact",
    cites="the dominating pair of balls-and-bins sampling, its profile enclosed (ours)",
    hypotheses=(Hypothesis.BALLS_IN_BINS,),
    stated_width=lambda inputs: STATED_DELTA_WIDTH if inputs["bins"] > 1 else None,
)
def allocation_delta(ar: Arithmetic, bins: Count, sigma: Positive, epochs: Count, eps: Fraction) -> Result:
    """The delta at epsilon of DP-SGD where each record falls into one of ``bins`` batches, the same in every epoch.

    chua2025/allocation.delta: Chua, Ghazi, Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha, Zhang 2025, Balls-and-
    Bins Sampling for DP-SGD: P = (1/b) sum_i N(sqrt(E) e_i, sigma^2 I), Q = N(0, sigma^2 I) dominates b E steps with
    noise multiplier sigma, for a record that is added or removed; the larger of both orientations, which is attained.
    epsilon in nats.
    """
    mu_squared = epochs / sigma**2
    if bins == 1:
        return gaussian_delta(ar, ar.sqrt(mu_squared), eps)
    found = delta_of(decide.engine_name(ar), bins, mu_squared, eps)
    return ar.hull(found.lower, found.upper)


@implements(
    "chua2025/allocation.eps",
    kind="exact",
    cites="the dominating pair of balls-and-bins sampling, solved for epsilon (ours)",
    hypotheses=(Hypothesis.BALLS_IN_BINS,),
    stated_width=lambda inputs: STATED_WIDTH if inputs["bins"] > 1 else None,
)
def allocation_eps(ar: Arithmetic, bins: Count, sigma: Positive, epochs: Count, delta: Probability) -> Result:
    """The least epsilon >= 0 at delta of DP-SGD where each record falls into one of ``bins`` batches.

    chua2025/allocation.eps: chua2025/allocation.delta solved for epsilon; ``inf`` at delta = 0.
    """
    if delta in (0, 1):
        return Fraction(0) if delta else "inf"
    mu_squared = epochs / sigma**2
    if bins == 1:
        return gaussian_eps(ar, lambda inner: inner.sqrt(mu_squared), delta)
    found = eps_of(decide.engine_name(ar), bins, mu_squared, delta)
    return ar.hull(found.lower, found.upper)
