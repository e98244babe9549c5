"""Balls in bins: what a run loses at most in which a record takes part in one of b batches, by put options.

P = (1/b) sum_i N(a e_i, I) against Q = N(0, I) dominates the run (Chua et al. 2025): given its bin, what a record does
is a post-processing of one Gaussian query of shift a. dP/dQ is the mean A of b independent X = exp(a Z - a^2/2). With
K = e^epsilon, delta is 1 - K + E(K - A)_+ for a removal, K E(1/K - A)_+ for an addition.

With p(c) = E(c - X)_+, a lattice of points c_j = j h and weights y_j >= 0 let q(c) = sum y_j (c - c_j)_+. If q is
nowhere below p up to c, then E(c - X_1 - ... - X_b)_+ is at most the sum over all b points of their weights' product
times (c - their sum)_+: one summand after the other is replaced, the others being fixed. No point is negative, so that
what the others leave of c is never above c. Here q is the chord of the convex p between neighbouring points. All
roundings go the same way, since every weight counts with a factor that is not negative.

Masses of P at losses may stand for a run in a product if sum m (1 - K e^-loss)_+ is at no K >= 0 below its delta: what
the product loses is a mean of that over the losses of the others. Let w be the weights of A, which bound E(K - A)_+ for
K up to T. For a removal w is Q's mass and w A that of P; what P lacks, and T times what Q has beyond 1, is at infinite
loss: the sum is at least 1 - K and the bound of E(K - A)_+ up to T, and then as large as there. For an addition w is
P's mass, w A that of Q; what P lacks is at -log T. From K = 1/T on the sum is K times the bound of E(1/K - A)_+; before
it is a line from 1 or more to there, so above delta, which is convex.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import ceil, floor

from privref.kernel.balls import Ball, convolved, end, normal_cdf, rational, working
from privref.kernel.losses import Cells
from privref.kernel.numbers import Refused
from privref.kernel.pairs import InBins

#: Points of one lattice, points times bits, and the largest epsilon.
MOST_POINTS, MOST_MEMORY, MOST_EPSILON = 2**17, 2**26, 200


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
    with working(bits + 64 + ceil(2 * epsilon)):
        grown = rational(epsilon).exp()
        low, high = end(grown, up=False), end(grown, up=True)
    found: list[Fraction] = []
    for ratio, most in ((low, high), (1 / low, 1 / low)):
        step, weights = _law(base, most, points, bits)
        reach = ratio / step
        below = weights[: ceil(reach)]
        found.append((reach * sum(below) - sum(j * w for j, w in enumerate(below))) * step / 2**bits)
    return max(1 - low + found[0], low * found[1])


def cells(base: InBins, removal: bool, step: Fraction, low: int, high: int, points: int, bits: int) -> Cells:
    """Return masses that may stand for a run in a product, by the cells of a grid: the weights of A on a lattice."""
    first, last = (low, high) if removal else (-high, -low)
    most = end(rational(step, last).exp(), up=True)
    place, weights = _law(base, most, points, bits)
    of_p, of_q = ([*accumulate(each, initial=0)] for each in ((j * w for j, w in enumerate(weights)), weights))
    found, one, other = Cells(), Fraction(0), Fraction(0)
    for j in range(first, last + 1):
        reach = rational(step, j).exp() / rational(place)
        count = floor(end(reach, up=False)) + 1
        if count <= end(reach, up=True):
            raise Refused("at this precision it is not certain in which cell a point of a lattice lies")
        count = min(count, len(weights))
        p, q = place * Fraction(of_p[count], 2**bits), Fraction(of_q[count], 2**bits)
        of_cell = rational(p - one), rational(q - other)
        if removal:
            found.inner.append((j - 1, *of_cell))
        elif j > first:
            found.inner.append((-j, *of_cell[::-1]))
        else:
            found.beyond = of_cell[1]
        one, other = p, q
    if removal:
        found.beyond = rational(max(1 - one + most * max(other - 1, Fraction(0)), Fraction(0)))
    else:
        found.on_grid.append((low, rational(max(1 - other, Fraction(0))), rational(0)))
    return found


def _law(base: InBins, most: Fraction, points: int, bits: int) -> tuple[Fraction, list[int]]:
    """Return a step and the weights of its multiples, in units of 2^-bits, by which E(c - A)_+ is bounded to ``most``.

    ``points`` steps reach a little further, by a short number.
    """
    step = Fraction(ceil(most * 2**48) + 1, 2**48) / points
    with working(bits + points.bit_length() + 64):
        weights = _chords(rational(base.square).sqrt(), base.bins * step, points, bits)
    return step, _power(weights, base.bins, points, bits)


def _option(root: Ball, place: Fraction) -> Ball:
    """Return p(c)."""
    if place <= 0:
        return rational(0)
    log, half = rational(place).log(), root * root / 2
    return rational(place) * normal_cdf((log + half) / root) - normal_cdf((log - half) / root)


def _chords(root: Ball, step: Fraction, points: int, bits: int) -> list[int]:
    """Return the changes of slope of the chords at the points, in units of 2^-bits, rounded up."""
    values = [_option(root, j * step) / rational(step) for j in range(-1, points + 1)]
    scale = rational(2) ** bits
    return [
        max(ceil(end((after - 2 * here + before) * scale, up=True)), 0)
        for before, here, after in zip(values, values[1:], values[2:], strict=False)
    ]


def _power(weights: list[int], times: int, points: int, bits: int) -> list[int]:
    """Return the weights of the sum of ``times`` points, each product rounded up and cut at the last point."""
    found, square = [1 << bits], weights
    while times:
        if times & 1:
            found = [-(-w >> bits) for w in convolved(found, square)[:points]]
        times >>= 1
        if times:
            square = [-(-w >> bits) for w in convolved(square, square)[:points]]
    return found
