"""Compose pairs of laws on a grid of losses, in integers that are rounded to the safe side.

Upper bound. The answers of a cell [a, b] of losses, of masses P and Q, are split into p_a answers of loss a and p_b of
loss b with p_a + p_b = P and p_a e^-a + p_b e^-b = Q. Merging them again is a post-processing that gives the cell back,
so the split pair dominates. delta(eps) = sum p_j (1 - e^(eps - j*step))_+ + infinite grows with every p_j, and so does
every product of laws: masses are rounded up, losses beyond the window are counted as infinite, those below it as its
least one.

Lower bound. Every event S has delta(eps) >= P(S) - e^eps Q(S). S is "the sum of the rounds' cells is at least t": P is
rounded down, Q up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from privref.kernel import bins
from privref.kernel.balls import MOST_PRECISION, Ball, convolved, rational, units, working
from privref.kernel.losses import Cells, cells, listed
from privref.kernel.numbers import Refused
from privref.kernel.pairs import InBins, Pair, Revealed

#: Points of the window times bits of a mass, rounds, and work that one check spends.
MOST_MEMORY = 2**28
MOST_ROUNDS = 10**7
MOST_WORK = 4 * 10**9


@dataclass(frozen=True, slots=True)
class Grid:
    """What a certificate states of a grid: its step, the bits of its masses, and the window of losses in steps.

    ``own`` is how far from 0 the losses of a single round are listed, in steps. ``lattice`` is how many points the
    lattice of a run on bins has.
    """

    step: Fraction
    bits: int
    low: int
    high: int
    own: int
    lattice: int = 0

    @property
    def of_one(self) -> Grid:
        """The window of a single round."""
        return replace(self, low=max(self.low, -self.own), high=min(self.high, self.own))

    @property
    def points(self) -> int:
        """How many losses the window has."""
        return self.high - self.low + 1

    @property
    def fine(self) -> int:
        """The bits of the weights of a lattice, of which each mass is a sum."""
        return self.bits + 2 * self.lattice.bit_length() + 16


@dataclass(frozen=True, slots=True)
class Masses:
    """Masses of P times 2^bits by loss, from ``low`` on; and those of an infinite loss."""

    low: int
    masses: list[int]
    infinite: int


def precision(grid: Grid) -> int:
    """Bits that leave the masses exact to one unit after the cancellation in a split."""
    largest = max(abs(grid.low), abs(grid.high)) * grid.step
    steps = (1 / grid.step).__ceil__().bit_length()
    return grid.bits + ceil(3 * largest) + 2 * steps + 64


def checked(grid: Grid, rounds: Sequence[tuple[Pair, int]]) -> int:
    """Return the precision; Refused for a grid that takes too much work."""
    if not 0 < grid.step <= 4 or not 32 <= grid.bits <= 4096 or not grid.low < 0 < grid.high or grid.own < 1:
        raise Refused("the grid needs a step in (0, 4], 32 to 4096 bits, and a window around 0")
    if bool(grid.lattice) != any(isinstance(pair.base, InBins) for pair, _ in rounds):
        raise Refused("a lattice is stated where there are balls in bins, and only there")
    count = sum(times for _, times in rounds)
    bits = precision(grid)
    if grid.points * grid.bits > MOST_MEMORY or count > MOST_ROUNDS or bits > MOST_PRECISION:
        raise Refused("this grid takes more memory or precision than one check spends")
    if work(grid, rounds) > MOST_WORK:
        raise Refused("this grid takes more work than one check spends")
    return bits


def work(grid: Grid, rounds: Sequence[tuple[Pair, int]]) -> int:
    """Count what a grid costs: bits times points, for each product and for each mass; about 10 ns each.

    A mass, or a part of one of a mixture, costs more than in proportion to its bits; a listed answer is several.
    """
    products = sum(2 * times.bit_length() for _, times in rounds)
    masses = lattices = 0
    cases = [pair.base.parts if isinstance(pair.base, Revealed) else ((1, pair),) for pair, _ in rounds]
    for pair in (part for parts in cases for _, part in parts):
        if isinstance(pair.base, InBins):
            reach = max(-grid.of_one.low, grid.of_one.high) * grid.step
            lattices += bins.checked(pair.base, reach, grid.lattice, grid.fine)
        parts = sum(map(len, sum(pair.means or (), ()))) or 1
        masses += 8 * parts * grid.of_one.points + 64 * listed(pair.base, grid.bits)
    bits = precision(grid)
    return bits * (grid.points * products + masses * (1 + bits // 512)) + lattices


def upper_delta(rounds: Sequence[tuple[Pair, int]], removal: bool, grid: Grid, epsilon: Fraction) -> Ball:
    """Bound delta(epsilon) of the composed pairs from above."""
    with working(checked(grid, rounds)):
        return hockey_stick(composed([(law(pair, removal, grid), n) for pair, n in rounds], grid), grid, epsilon)


def law(pair: Pair, removal: bool, grid: Grid) -> Masses:
    """Return the law of one round's loss, every mass rounded up."""
    one = grid.of_one
    if isinstance(pair.base, InBins):
        return _split(bins.cells(pair.base, removal, grid.step, one.low, one.high, grid.lattice, grid.fine), one)
    return _split(cells(pair, removal, grid.step, one.low, one.high, grid.bits), one)


def composed(laws: Sequence[tuple[Masses, int]], grid: Grid, *, up: bool = True) -> Masses:
    """Return the product of the laws of rounds with their counts, every mass rounded ``up`` or down."""
    found = Masses(0, [1 << grid.bits], 0)
    for one, times in laws:
        found = _times(found, _power(one, times, grid, up=up), grid, up=up)
    return found


def hockey_stick(found: Masses, grid: Grid, epsilon: Fraction) -> Ball:
    """Sum the masses above epsilon, each times 1 - e^(epsilon - loss)."""
    first = max(found.low, epsilon // grid.step + 1)
    total = rational(found.infinite)
    above = found.masses[first - found.low :]
    if above:
        # From the top: sum of m_j (1 - e^(eps - j h)) = sum m_j - e^(eps - first h) sum m_j e^(-(j - first) h).
        ratio, weighted = rational(-grid.step).exp(), rational(0)
        for mass in reversed(above):
            weighted = weighted * ratio + mass
        total = total + sum(above) - rational(epsilon - first * grid.step).exp() * weighted
    return total / rational(2) ** grid.bits


def _split(found: Cells, grid: Grid) -> Masses:
    """Move each cell's answers to the two ends of the cell; P and Q of the cell are kept."""
    low = grid.low
    masses = [0] * grid.points
    scale = rational(2) ** grid.bits
    ratio = rational(grid.step).exp()
    infinite = units((found.infinite + found.beyond) * scale, up=True)
    for j, p, q in found.inner:
        if j < low:
            masses[0] += units(p * scale, up=True)
            continue
        bottom = rational(grid.step, j).exp()
        # p_b (1 - e^-h) = P - e^a Q and p_a (e^h - 1) = e^b Q - P, with b = a + h.
        masses[j + 1 - low] += units((p - bottom * q) / (1 - 1 / ratio) * scale, up=True)
        masses[j - low] += units((bottom * ratio * q - p) / (ratio - 1) * scale, up=True)
    for j, p, _ in found.on_grid:
        if j > grid.high:
            infinite += units(p * scale, up=True)
        else:
            masses[max(j, low) - low] += units(p * scale, up=True)
    return Masses(low, masses, infinite)


def _power(law: Masses, times: int, grid: Grid, *, up: bool) -> Masses:
    """Compose a law with itself, by squaring: what is multiplied at each binary digit is the short law of one round."""
    found = law
    for digit in f"{times:b}"[1:]:
        found = _times(found, found, grid, up=up)
        if digit == "1":
            found = _times(found, law, grid, up=up)
    return found


def _times(one: Masses, other: Masses, grid: Grid, *, up: bool) -> Masses:
    """Multiply two laws: losses add, masses multiply, and are rounded ``up`` or down to units."""
    product = convolved(one.masses, other.masses)
    add = (1 << grid.bits) - 1 if up else 0
    masses = [(mass + add) >> grid.bits for mass in product]
    here, there = sum(one.masses), sum(other.masses)
    infinite = (one.infinite * (there + other.infinite) + here * other.infinite + add) >> grid.bits
    return _windowed(Masses(one.low + other.low, masses, infinite), grid, up=up)


def _windowed(found: Masses, grid: Grid, *, up: bool) -> Masses:
    """Cut a law to the window. Upwards: losses below count as the least, those above as infinite. Down: none below."""
    below = max(grid.low - found.low, 0)
    cut, masses = found.masses[:below], found.masses[below:] or [0]
    low, infinite = found.low + below, found.infinite
    if up:
        masses[0] += sum(cut)
    keep = max(grid.high - low + 1, 0)
    cut, masses = masses[keep:], masses[:keep]
    if up:
        infinite += sum(cut)
    elif masses:
        masses[-1] += sum(cut)
    return Masses(low, masses or [0], infinite)


def lower_delta(rounds: Sequence[tuple[Pair, int]], removal: bool, grid: Grid, least: int, epsilon: Fraction) -> Ball:
    """Bound delta(epsilon) of the composed pairs from below: S is that the cells sum to so much at least."""
    first, second = event_laws(rounds, removal, grid)
    with working(precision(grid)):
        p, q = (each.infinite + sum(each.masses[max(least - each.low, 0) :]) for each in (first, second))
        return (rational(p) - rational(epsilon).exp() * q) / rational(2) ** grid.bits


def event_laws(rounds: Sequence[tuple[Pair, int]], removal: bool, grid: Grid) -> tuple[Masses, Masses]:
    """Return the law of the sum of the rounds' cells, under P rounded down and under Q rounded up."""
    with working(checked(grid, rounds)):
        one = grid.of_one
        found = [(cells(pair, removal, grid.step, one.low, one.high, grid.bits), times) for pair, times in rounds]
        p, q = ([(_labelled(each, one, up=up), times) for each, times in found] for up in (False, True))
        return composed(p, grid, up=False), composed(q, grid, up=True)


def _labelled(found: Cells, grid: Grid, *, up: bool) -> Masses:
    """Return P rounded down by cell, or Q rounded up. Answers of no cell are not in the event, so count for neither."""
    masses = [0] * grid.points
    scale = rational(2) ** grid.bits
    for j, p, q in (*found.inner, *found.on_grid):
        # What lies below the window is in no event, where the cells of other rounds are not, either.
        if grid.low <= j <= grid.high:
            masses[j - grid.low] += units((q if up else p) * scale, up=up)
    return Masses(grid.low, masses, 0 if up else units(found.infinite * scale, up=False) if found.infinite else 0)
