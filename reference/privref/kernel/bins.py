"""Balls in bins: bounds of the delta of a run in which a record takes part in one of b batches, by a put option.

P = (1/b) sum_i N(a e_i, I) against Q = N(0, I) dominates the run (Chua et al. 2025): given its bin, what a record does
is a post-processing of one Gaussian query of shift a. dP/dQ is the mean A of b independent X = exp(a Z - a^2/2). With
K = e^epsilon, delta is 1 - K + E(K - A)_+ for a removal, K E(1/K - A)_+ for an addition.

With p(c) = E(c - X)_+, a lattice of points c_j = o + j h and weights y_j >= 0 let q(c) = sum y_j (c - c_j)_+. If q is
nowhere below p up to c, then E(c - X_1 - ... - X_b)_+ is at most the sum over all b points of their weights' product
times (c - their sum)_+: one summand after the other is replaced, the others being fixed. If q is nowhere above, it is
at least that. No point is negative, so that what the others leave of c is never above c.

Above, o = 0 and q is the chord of the convex p between neighbouring points. Below, q has at each point at most the
values of the two tangents to p halfway to the neighbours, so that each chord of q lies below a tangent; up to the last
point where that is negative q is 0, and then the greatest convex function below those values. All roundings go the same
way, since every weight counts with a factor that is not negative.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from privref.kernel.balls import Ball, convolved, end, normal_cdf, rational, working
from privref.kernel.numbers import Refused
from privref.kernel.pairs import InBins

#: Points of one lattice, points times bits, and the largest epsilon.
MOST_POINTS, MOST_MEMORY, MOST_EPSILON = 2**17, 2**26, 200
#: Of numerator and denominator of the first point.
MOST_OFFSET_BITS = 128


def checked(base: InBins, epsilon: Fraction, points: int, bits: int) -> int:
    """Return what one lattice costs, in the grids' units; Refused where that is more than one check spends."""
    if not 16 <= points <= MOST_POINTS or not 32 <= bits <= 4096 or points * bits > MOST_MEMORY:
        raise Refused(f"a lattice has 16 to {MOST_POINTS} points of 32 to 4096 bits, {MOST_MEMORY} bits in all")
    if not 0 <= epsilon <= MOST_EPSILON:
        raise Refused(f"a lattice is made for an epsilon of at most {MOST_EPSILON}")
    # Two special functions a point, which cost more than in proportion to their bits, and the products.
    return points * (4000 + 5 * bits * (1 + bits // 512) + 2 * bits * base.bins.bit_length())


def upper_delta(base: InBins, epsilon: Fraction, points: int, bits: int) -> Fraction:
    """Bound delta(epsilon) of both orientations from above."""
    low, high = _grown(epsilon, bits)
    removal = 1 - low + _put(base, low, _Lattice(base, high, points, bits), Fraction(0), up=True)
    addition = low * _put(base, 1 / low, _Lattice(base, 1 / low, points, bits), Fraction(0), up=True)
    return max(removal, addition)


def lower_delta(base: InBins, epsilon: Fraction, points: int, bits: int, offset: Fraction) -> Fraction:
    """Bound delta(epsilon) of a removal from below; ``offset`` is where the lattice of one summand begins."""
    if max(offset.numerator.bit_length(), offset.denominator.bit_length()) > MOST_OFFSET_BITS:
        raise Refused(f"the offset of a lattice has at most {MOST_OFFSET_BITS} bits")
    _, high = _grown(epsilon, bits)
    return 1 - high + _put(base, high, _Lattice(base, high, points, bits), offset, up=False)


def _grown(epsilon: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    with working(bits + 64 + ceil(2 * epsilon)):
        grown = rational(epsilon).exp()
        return end(grown, up=False), end(grown, up=True)


class _Lattice:
    """Steps of one size up to ``bins`` times a ratio, and how far masses are rounded."""

    def __init__(self, base: InBins, most: Fraction, points: int, bits: int) -> None:
        # A short number a little larger serves as well.
        self.step = base.bins * Fraction(ceil(most * 2**48) + 1, 2**48) / points
        self.points, self.bits = points, bits


def _put(base: InBins, ratio: Fraction, lattice: _Lattice, offset: Fraction, *, up: bool) -> Fraction:
    """Bound E(ratio - A)_+ from above or below."""
    with working(lattice.bits + lattice.points.bit_length() + 64):
        root = rational(base.square).sqrt()
        weights = _chords(root, lattice) if up else _tangents(root, lattice, offset)
    found = _power(weights, base.bins, lattice, up=up)
    # All b summands begin at the offset.
    reach = (ratio - offset) * base.bins / lattice.step
    below = found[: max(ceil(reach), 0)]
    value = reach * sum(below) - sum(j * weight for j, weight in enumerate(below))
    return value * lattice.step / base.bins / Fraction(1 << lattice.bits)


def _option(root: Ball, place: Fraction) -> tuple[Ball, Ball]:
    """Return p(c) and its slope P(X < c)."""
    if place <= 0:
        return rational(0), rational(0)
    log = rational(place).log()
    slope = normal_cdf((log + root * root / 2) / root)
    return rational(place) * slope - normal_cdf((log - root * root / 2) / root), slope


def _chords(root: Ball, lattice: _Lattice) -> list[int]:
    """Return the changes of slope of the chords at the points, in units of 2^-bits, rounded up."""
    values = [_option(root, j * lattice.step)[0] / rational(lattice.step) for j in range(-1, lattice.points + 1)]
    scale = rational(2) ** lattice.bits
    return [
        max(ceil(end((after - 2 * here + before) * scale, up=True)), 0)
        for before, here, after in zip(values, values[1:], values[2:], strict=False)
    ]


def _tangents(root: Ball, lattice: _Lattice, offset: Fraction) -> list[int]:
    """Return the changes of slope of the convex function below the tangents, in units of 2^-bits, rounded down."""
    step, scale = rational(lattice.step), rational(2) ** lattice.bits
    touching = []
    for j in range(-1, lattice.points + 1):
        value, slope = _option(root, offset + lattice.step * Fraction(2 * j + 1, 2))
        touching.append((value / step - slope / 2, value / step + slope / 2))
    values = [
        min(floor(end(number * scale, up=False)) for number in (before[1], after[0]))
        for before, after in pairwise(touching)
    ]
    zeros = max((j for j, value in enumerate(values) if value < 0), default=-1) + 2
    values = [0] * min(zeros, len(values)) + values[zeros:]
    corners = [0]
    for j in range(1, len(values)):
        while len(corners) > 1 and _bends_up(values, corners[-2], corners[-1], j):
            corners.pop()
        corners.append(j)
    found, before = [0] * lattice.points, Fraction(0)
    for i, k in pairwise(corners):
        slope = Fraction(values[k] - values[i], k - i)
        found[i], before = floor(slope - before), slope
    return found


def _bends_up(values: list[int], i: int, k: int, j: int) -> bool:
    """Return whether the middle one of three points is not below the line through the others."""
    return (values[k] - values[i]) * (j - i) >= (values[j] - values[i]) * (k - i)


def _power(weights: list[int], times: int, lattice: _Lattice, *, up: bool) -> list[int]:
    """Return the weights of the sum of ``times`` points, each product rounded to one side and cut at the last point."""
    found, square = [1 << lattice.bits], weights
    add = (1 << lattice.bits) - 1 if up else 0
    while times:
        if times & 1:
            found = [(w + add) >> lattice.bits for w in convolved(found, square)[: lattice.points]]
        times >>= 1
        if times:
            square = [(w + add) >> lattice.bits for w in convolved(square, square)[: lattice.points]]
    return found
