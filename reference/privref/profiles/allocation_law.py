"""The loss of balls in bins on a grid: a pair of finitely many losses above that of a run, and one below it.

Runs over new bins are composed by these pairs: bins that are drawn anew in each epoch, or other mechanisms with a run.

With A = dP/dQ of one run (``allocation``) let p(K) = E_Q(K - A)_+, of which the profile is 1 - K + p(K) for a removal
and K p(1/K) for an addition. A convex g with g(0) = 0 and a last slope of 1 is the p of a pair: at a corner K its slope
rises by the mass of Q there, and P has K times as much; P has the rest at infinite loss. An addition has what Q has at
K = 0 there.

* Above: let g be the greatest convex function below points (K, y) with y >= p(K), continued with slope 1. The chords of
  p between the points lie above p and not above the points; beyond the last one 1 - K + p(K) falls. Each part of the
  axis takes its points from the finest lattice that reaches it.
* Below: a lattice's bound holds on the whole axis, and so does K - 1. At the last corner of the bound, or place on the
  line beyond it, that is above K - 1, it is lowered to K - 1 and goes on with that; so the whole is a lower bound of p,
  and so is the greatest convex function below it. It ends on K - 1, so that P has no mass beyond 1.

One profile's being above another's everywhere is kept by compositions (Zhu, Dong, Wang 2022, Theorem 10), in each
orientation. Mass at infinite loss counts in full: of n rounds, whose finite parts are at most 1, at most n times it.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import float_log
from privref.exact.work import kept

from .allocation import OptionLattice, OptionSums, first_points, offset, sums
from .model import Allocation
from .subsampled_law import GridCell, Window

#: A lattice reaches four times as far as the one before; the finest reaches to 2, about which all ratios are.
_RATIO, _FINEST, _MOST_LATTICES = 4, 2, 24
#: As far as less than 2^-this is lost beyond; binary places of a mass.
_REACH, _PLACES = 80, 160
#: Lattice points of one step of the loss grid, over the root of the bins; and the most of one lattice.
_PER_STEP, _MOST_POINTS = 2.0, 1 << 15
#: As far as this lattice reaches, in points, or as less than 2^-this is lost beyond, the bound from below is of use.
_MOST_BELOW, _LITTLE = 1 << 15, 44
#: Other lattices have half of the points for each level, as far as this many.
_FEWER = 3
#: How many points where an option is computed lie within the width of X, at least; and the parts of a lattice's step in
#: which its offset is rounded up.
_PARTS, _WHERE = 64.0, 64
_SKETCHED = Fraction(1, 16)

_Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Corners:
    """A convex g: from the corner ``places[k]``, in ``unit``, to the next one g(K) = q[k] K - p[k].

    So that Q(A <= K) = q[k] and P(A <= K) = p[k] there.
    """

    unit: Fraction
    places: tuple[int, ...]
    q: tuple[Fraction, ...]
    p: tuple[Fraction, ...]

    def infinite(self, *, removal: bool) -> Fraction:
        """The mass of infinite loss."""
        if removal:
            return 1 - self.p[-1]
        return Fraction(0) if self.places[0] else self.q[0]

    def lost_beyond(self, ratio: Fraction) -> Fraction:
        """1 - K + g(K)."""
        k = bisect_right(self.places, math.floor(ratio / self.unit))
        return 1 - ratio + (self.q[k - 1] * ratio - self.p[k - 1] if k else 0)


def points_for(pair: Allocation, step: Fraction) -> int:
    """How many points a lattice has for a loss grid of this step."""
    fine = 1 << max(0, math.ceil(math.log2(_PER_STEP * math.sqrt(pair.bins) / float(step))))
    return max(first_points(pair.bins, pair.mu_squared), min(fine, _MOST_POINTS))


def _lattice(bins: int, mu_squared: Fraction, level: int, points: int) -> OptionLattice:
    """The lattice of one level: the finest is 0, and the others, where there is less, have fewer points."""
    bits, parts = _PLACES + 2 * bins.bit_length(), max(_PARTS, 2 * points / bins)
    points = max(points >> min(abs(level), _FEWER), first_points(bins, mu_squared))
    return OptionLattice(_FINEST * Fraction(_RATIO) ** level, points, bits, parts=parts)


@kept(64)
def _levels(engine: decide.EngineName, bins: int, mu_squared: Fraction, points: int) -> range:
    """Which lattices are needed: as far as nothing that counts is lost beyond, on either side."""
    first = last = 0
    while last - first < _MOST_LATTICES:
        lattices = (_lattice(bins, mu_squared, at, points) for at in (first, last))
        near, far = (sums(engine, bins, mu_squared, lattice, up=True) for lattice in lattices)
        if (1 - far.lattice.top + far.put(far.lattice.top)) * 2**_REACH > 1:
            last += 1
        elif near.missing + (0 if near.low else near.masses[1]) >> near.lattice.bits - _REACH:
            first -= 1
        else:
            return range(first, last + 1)
    raise UndecidedError("the losses of these bins reach too far for lattices: out of reach")


def _bound(found: OptionSums, width: int, begins: int) -> list[_Point]:
    """One lattice's bound at its points, of this width each."""
    last = len(found.masses) - 1
    places = ((j, min(max(j - found.low, 0), last)) for j in range(found.lattice.points + 1))
    return [(begins + width * j, width * (j * (found.masses[k] + found.missing) - found.moments[k])) for j, k in places]


@kept(16)
def _above(engine: decide.EngineName, bins: int, mu_squared: Fraction, points: int) -> Corners:
    """The corners of a g above p."""
    lattices = [_lattice(bins, mu_squared, level, points) for level in _levels(engine, bins, mu_squared, points)]
    unit = min(each.top / each.points for each in lattices)
    known: list[_Point] = []
    for lattice in lattices:
        found = _bound(sums(engine, bins, mu_squared, lattice, up=True), int(lattice.top / lattice.points / unit), 0)
        known += [point for point in found if not known or point[0] > known[-1][0]]
    return _greatest_convex(known, unit, 1 << lattices[0].bits)


@kept(16)
def _below(engine: decide.EngineName, bins: int, mu_squared: Fraction, points: int) -> Corners:
    """The corners of a g below p: a lattice as fine as the finest of those above, and reaching further."""
    above, lattice = _above(engine, bins, mu_squared, points), _lattice(bins, mu_squared, 0, points)
    most = _MOST_BELOW if engine == "arb" else _MOST_BELOW // 4
    while 2 * lattice.points <= most and above.lost_beyond(lattice.top) * 2**_LITTLE > 1:
        lattice = replace(lattice, top=2 * lattice.top, points=2 * lattice.points)
    step = lattice.top / lattice.points
    unit, one = step / _WHERE, 1 << lattice.bits
    begins = math.ceil(offset(mu_squared, bins * step) / unit)
    law = sums(engine, bins, mu_squared, replace(lattice, offset=begins * unit), up=False)
    known = _bound(law, _WHERE, begins)
    _end(known, law.masses[-1], int(1 / unit), one)
    return _greatest_convex(known, unit, one)


def corners(engine: decide.EngineName, bins: int, mu_squared: Fraction, points: int, *, up: bool) -> Corners:
    """The corners of g, above p or below it."""
    return (_above if up else _below)(engine, bins, mu_squared, points)


def _end(known: list[_Point], slope: int, unity: int, one: int) -> None:
    """Go on with K - 1 from the last corner where the bound, which goes on with its slope, is above."""
    below = next((k for k, (x, y) in enumerate(known) if (x - unity) * one > y), len(known))
    x, y = known[below - 1] if below else known[0]
    if below == len(known):
        if slope >= one:
            raise UndecidedError("the masses of a lattice do not tell what lies beyond it: out of reach")
        x = max((y - slope * x + unity * one) // (one - slope), x)
    kept = known[: max(below - (x == known[below - 1][0]), 0)]
    corner = x, (x - unity) * one
    # Where the lattice is too coarse the bound would fall: then it is 0, and K - 1 from 1 on.
    coarse = not below or corner[1] < (kept[-1][1] if kept else 0)
    known[:] = [(unity, 0)] if coarse else [*kept, corner]


def _greatest_convex(known: list[_Point], unit: Fraction, one: int) -> Corners:
    """The greatest convex function below the points, and beyond them with slope 1."""
    hull: list[_Point] = []
    for x, y in known:
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2:]
            if (y1 - y0) * (x - x1) < (y - y1) * (x1 - x0):
                break
            hull.pop()
        hull.append((x, y))
    while len(hull) > 1 and hull[-1][1] - hull[-2][1] >= one * (hull[-1][0] - hull[-2][0]):
        hull.pop()
    q = [*(Fraction(d - b, (c - a) * one) for (a, b), (c, d) in pairwise(hull)), Fraction(1)]
    p = tuple((slope * x - Fraction(y, one)) * unit for slope, (x, y) in zip(q, hull, strict=True))
    return Corners(unit, tuple(x for x, _ in hull), tuple(q), p)


class AllocationLaw:
    """The law of one run by the cells of a grid, from above or from below."""

    def __init__(self, ar: EnclosingArithmetic, pair: Allocation, points: int, *, up: bool) -> None:
        self.ar, self.removal = ar, pair.orientation == "removal"
        self.corners = corners(decide.engine_name(ar), pair.bins, pair.mu_squared, points, up=up)

    def window(self, step: Fraction) -> Window:
        """All the losses that are finite; nothing lies outside."""
        used = [place for place in self.corners.places if place]
        ends = [float_log(place * self.corners.unit) for place in (used[0], used[-1])]
        low, high = ends if self.removal else (-ends[1], -ends[0])
        return Window(math.floor(low / float(step)) - 2, math.ceil(high / float(step)) + 2, lambda *_: 0)

    def _up_to(self, loss: Fraction) -> tuple[Fraction, Fraction]:
        """P(A <= e^loss) and Q(A <= e^loss)."""
        found = self.corners
        ends = (1 / found.unit,) * 2
        if loss:
            known = decide.finite(self.ar, self.ar.exp(loss) / found.unit, "a grid point of balls in bins is too far")
            ends = known.lower, known.upper
        low, high = (bisect_right(found.places, math.floor(end)) for end in ends)
        if low != high:
            raise MorePrecisionError("a grid point is too near a corner of a bound of balls in bins")
        return (found.p[low - 1], found.q[low - 1]) if low else (Fraction(0), Fraction(0))

    def cells(self, first: Fraction, step: Fraction, window: Window | None) -> list[GridCell]:
        """P- and Q-masses of the cells that have any."""
        assert window is not None
        found, sign = [], 1 if self.removal else -1
        for (j, before), (k, after) in pairwise((j, self._up_to(sign * (first + j * step))) for j in window.ends):
            p, q = (sign * (b - a) for a, b in zip(before, after, strict=True))
            if p or q:
                p, q = (p, q) if self.removal else (q, p)
                found.append((j, k, self.ar.real(p), self.ar.real(q)))
        return found

    def left_out(self, low: Fraction, high: Fraction, tilt: Fraction, window: Window | None) -> Real:
        """Nothing: infinite losses are counted apart."""
        return self.ar.real(0)


@kept(64)
def sketch(pair: Allocation) -> tuple[tuple[float, float], ...]:
    """About the law of the loss under P as losses and logs of masses, for planning."""
    found = corners("arb", pair.bins, pair.mu_squared, points_for(pair, _SKETCHED), up=True)
    listed = []
    for k, place in enumerate(found.places):
        if not place:
            continue
        mass = found.q[k] - (found.q[k - 1] if k else 0)
        loss, log = float_log(place * found.unit), float_log(mass)
        listed.append((loss, log + loss) if pair.orientation == "removal" else (-loss, log))
    return tuple(listed)
