"""A discrete Gaussian round on the points of a grid, in integers: recurrences after a few exponentials.

The masses of neighbouring atoms have ratios that are a geometric sequence, and their losses are equally far apart: what
lies between a loss and its grid point changes by one of two numbers from atom to atom, and the exponential of it by one
of two factors. All are intervals of integers, rounded outward at each step, with more bits than all steps lose.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from privref.composition.loss_grid import GUARD_BITS, Grid, fixed
from privref.exact.arithmetic import EnclosingArithmetic, Real
from privref.exact.work import spend

#: Integers between which a number lies, in units of a power of two.
IntegerEnds = tuple[int, int]
#: By grid index, in units of 2^-(bits + GUARD_BITS).
CellEnds = dict[int, IntegerEnds]

_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class LatticeAtoms:
    """Atoms at losses that fall by equal steps: tilted P-masses in units of 2^-bits; a bound of what is left out."""

    first: Fraction
    spacing: Fraction
    masses: tuple[IntegerEnds, ...]
    bits: int
    left_out: Real


def is_reachable(grid: Grid) -> bool:
    """Whether tilting changes little within a step: then no factor of a recurrence is far from 1."""
    return max(grid.step, abs(grid.tilt) * grid.step) <= 1


def wide(grid: Grid, atoms: int) -> int:
    """The bits of the recurrences: what this many steps lose, and what 1/(1 - e^-h) does, is below the grid's guard."""
    return grid.bits + 2 * GUARD_BITS + 2 * atoms.bit_length() + math.ceil(1 / grid.step).bit_length()


def falling(
    ar: EnclosingArithmetic, scale: Real, start: Fraction, variance: Fraction, count: int, bits: int
) -> list[IntegerEnds]:
    """scale e^(-(start + k)^2/(2 variance)) for k < count, where start >= -1/2: each less than the one before."""
    spend(count)
    low, high = fixed(ar, scale * ar.exp(-start * start / (2 * variance)), bits)
    ratio_low, ratio_high = fixed(ar, ar.exp(-(2 * start + 1) / (2 * variance)), bits)
    fall_low, fall_high = fixed(ar, ar.exp(-1 / variance), bits)
    found = []
    for _ in range(count):
        found.append((low, high))
        low, high = low * ratio_low >> bits, -(-high * ratio_high >> bits)
        ratio_low, ratio_high = ratio_low * fall_low >> bits, -(-ratio_high * fall_high >> bits)
    return found


def about(
    ar: EnclosingArithmetic, scale: Real, centre: Fraction, variance: Fraction, first: int, last: int, bits: int
) -> tuple[IntegerEnds, ...]:
    """scale e^(-(x - centre)^2/(2 variance)) for first <= x <= last, from the middle outward."""
    middle = round(centre)
    below = falling(ar, scale, centre - middle + 1, variance, middle - first, bits)
    above = falling(ar, scale, middle - centre, variance, last - middle + 1, bits)
    return (*reversed(below), *above)


class _Exponential:
    """e^(rate o) of an offset o that falls by the same amount each time, or by that less a step."""

    __slots__ = ("bits", "ends", "fall", "rise")

    def __init__(
        self, ar: EnclosingArithmetic, rate: Fraction, offset: Fraction, amount: Fraction, step: Fraction, bits: int
    ) -> None:
        self.bits = bits
        self.ends = fixed(ar, ar.exp(rate * offset), bits)
        self.fall = fixed(ar, ar.exp(-rate * amount), bits)
        self.rise = fixed(ar, ar.exp(rate * (step - amount)), bits)

    def move(self, up: bool) -> None:
        (low, high), (least, most) = self.ends, self.rise if up else self.fall
        self.ends = low * least >> self.bits, -(-high * most >> self.bits)


def _places(
    law: LatticeAtoms, ahead: Fraction, step: Fraction, moving: tuple[_Exponential, ...]
) -> Iterator[tuple[int, bool]]:
    """The grid index below each loss plus ``ahead``, and whether that is on it; the exponentials move along."""
    first = law.first + ahead
    unit = math.lcm(first.denominator, law.spacing.denominator, step.denominator)
    loss, spacing, whole = int(first * unit), int(law.spacing * unit), int(step * unit)
    amount = spacing % whole
    offset = loss % whole
    for _ in law.masses:
        yield (loss - offset) // whole, not offset
        loss -= spacing
        up = offset < amount
        offset += whole - amount if up else -amount
        for each in moving:
            each.move(up)


def _exponentials(
    ar: EnclosingArithmetic, law: LatticeAtoms, ahead: Fraction, step: Fraction, rates: tuple[Fraction, ...]
) -> tuple[_Exponential, ...]:
    """Of what lies between each loss and the grid point that is the next one below it plus ``ahead``."""
    offset, amount = (law.first + ahead) % step - ahead, law.spacing % step
    return tuple(_Exponential(ar, rate, offset, amount, step, law.bits) for rate in rates)


def spread(ar: EnclosingArithmetic, law: LatticeAtoms, grid: Grid) -> CellEnds:
    """An atom of mass p at l = (j + f) h: (1 - e^(-f h))/(1 - e^-h) of it to j + 1, the rest to j, tilted there."""
    spend(4 * len(law.masses))
    step, tilt, bits = grid.step, grid.tilt, law.bits
    one = 1 << bits
    kept_low, kept_high = fixed(ar, ar.exp(-step), bits)
    whole = -ar.expm1(-step)
    below_low, below_high = fixed(ar, 1 / whole, bits)
    above_low, above_high = fixed(ar, ar.exp(tilt * step) / whole, bits)
    moving = plain, tilted = _exponentials(ar, law, _ZERO, step, (Fraction(-1), -tilt))
    found: CellEnds = {}
    for (low, high), (j, on_grid) in zip(law.masses, _places(law, _ZERO, step, moving), strict=True):
        if on_grid:
            _add(found, j, low, high)
            continue
        (share_low, share_high), (least, most) = plain.ends, tilted.ends
        low, high = low * least >> bits, -(-high * most >> bits)
        # e^-h < e^(-f h) < 1: where the bits do not show it the share is at least 0.
        _add(
            found, j,
            (low * max(share_low - kept_high, 0) >> bits) * below_low >> bits,
            -(-high * (share_high - kept_low) * below_high >> 2 * bits),
        )  # fmt: skip
        _add(
            found, j + 1,
            (low * max(one - share_high, 0) >> bits) * above_low >> bits,
            -(-high * (one - share_low) * above_high >> 2 * bits),
        )  # fmt: skip
    return _narrowed(found, bits, grid)


def merge(ar: EnclosingArithmetic, law: LatticeAtoms, grid: Grid) -> tuple[CellEnds, CellEnds]:
    """The label of an atom is the nearest grid point; P is tilted by the label, and Q by one more."""
    spend(3 * len(law.masses))
    step, bits = grid.step, law.bits
    # The label's loss is that of the atom less the offset.
    moving = plain, tilted = _exponentials(ar, law, step / 2, step, (Fraction(-1), -grid.tilt))
    p: CellEnds = {}
    q: CellEnds = {}
    for (low, high), (j, _) in zip(law.masses, _places(law, step / 2, step, moving), strict=True):
        (share_low, share_high), (least, most) = plain.ends, tilted.ends
        low, high = low * least >> bits, -(-high * most >> bits)
        _add(p, j, low, high)
        _add(q, j, low * share_low >> bits, -(-high * share_high >> bits))
    return _narrowed(p, bits, grid), _narrowed(q, bits, grid)


def _add(cells: CellEnds, index: int, low: int, high: int) -> None:
    before = cells.get(index)
    cells[index] = (low, high) if before is None else (before[0] + low, before[1] + high)


def _narrowed(cells: CellEnds, bits: int, grid: Grid) -> CellEnds:
    excess = bits - grid.bits - GUARD_BITS
    return {j: (low >> excess, -(-high >> excess)) for j, (low, high) in cells.items()}
