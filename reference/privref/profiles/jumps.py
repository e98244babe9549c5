"""Few jumps on the grid: rounds of subsampled Gaussians where few lose nearly all.

There contours are long (``contour_few``), while an untilted grid of few points is enough: all losses above epsilon and
what the other rounds may win back are one cell, without any error (``subsampled_law.topped``). Both ends are proved as
on every grid; floats choose the step, the bits and where the last cell begins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from privref.composition.loss_convolution import Profile, narrowed
from privref.composition.loss_grid import GUARD_BITS, Grid, GridLaw
from privref.exact.arithmetic import EnclosingArithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, MorePrecisionError
from privref.exact.numbers import float_log
from privref.exact.rounding import to_decimal
from privref.exact.work import WorkLimitError, afford

from . import exchanged, subsampled_law
from .contour_plan import OutOfReachError, by_floats, dyadic
from .grid import ProfileSetting, product
from .model import Exchanged, Labelled, Sampled, exchanges, parts_of
from .subsampled_law import CellsBelowTop

#: The most points of one round's law, and with mpmath's arithmetic, which takes them about six times as long.
MOST_POINTS = 30_000
MOST_PLAIN_POINTS = 6_000
#: The same of records in other ones' places: many rounds of theirs have long cells.
MOST_EXCHANGED_POINTS = 60_000
#: The most points of the one grid that has all points, in mpmath's arithmetic.
MOST_PLAIN_AT_ONCE = 14_000
_FIRST_POINTS = 300
#: So wide an enclosure is first looked for with these points.
_WIDE, _FIRST_WIDE_POINTS = Fraction(1, 100), 100
#: The points of a glance, in the second arithmetic too, and the part of delta that may go missing in one.
_GLANCES, _PLAIN_GLANCES, _GLANCED = (300, 2400), (150,), 1e-6
#: Masses of more bits take minutes: an untilted grid has as many as delta has zeros.
_MOST_BITS = 1 << 13
_ATTEMPTS = 5
#: The part of the most points that says whether all of them will do.
_SOME = 6
#: The other rounds win back more than this many deviations, or than all that they can, negligibly often.
_DEVIATIONS = 7.0
#: e^200 times any count of rounds is still a float.
_MOST_EXPONENT = 200.0
#: The last cell begins a little beyond epsilon: epsilon is only about right.
_BEYOND = 1.02
#: A plan of too many points gets the most there may be, less a hundredth, since the step is rounded.
_FEWER = 0.99
#: The points of the next grid: a third more than second order asks for; at least half as many again, at most 60 times.
_MORE, _LEAST_MORE, _MOST_MORE = 1.3, 1.5, 60.0
_DIGITS = 9
#: About what a point of one round's law costs in either arithmetic, in units of work.
_COST, _PLAIN_COST = 140, 430
#: How many times as much where a record is in another's place, in the second arithmetic, and where there is a group.
_DEARER_PLAIN, _DEARER = 2, 4
#: Of a Gaussian step's losses those below minus this part of the highest place are hardly ever won back by others.
_NOT_WON_BACK = 3


@dataclass(frozen=True, slots=True)
class JumpGrid:
    """A grid: its step, bits, the share of delta that may go missing (as -log2), and where the last cell begins.

    A cell has at most ``longest`` steps: what k rounds that do not jump add to the error is k times that of one that
    does; more where that is less likely than about e^log_delta.
    """

    step: Fraction
    high: int
    bits: int
    missing_bits: float
    longest: int
    log_delta: float


#: The pairs of rounds, and how many rounds have each.
Jumping = Sampled | Labelled
JumpingRounds = tuple[tuple[Jumping, int], ...]


def won_back(rounds: JumpingRounds, eps: float) -> float:
    """About the most by which the rounds' losses fall below 0, those up to epsilon in sum."""
    most, deviations = 0.0, []
    for each, k in rounds:
        # The pair that most rounds have.
        pair = max(parts_of(each), key=lambda part: part[0])[1]
        if isinstance(pair, Exchanged):
            # Its losses have no end below.
            most = math.inf
            square = sum([math.exp(log) * loss * loss for loss, log in exchanged.sketch(pair) if abs(loss) <= eps])
            deviations.append(math.sqrt(k * square))
            continue
        q, s = float(pair.rate), float(pair.sigma)
        most += -k * math.log1p(-q) if pair.orientation == "removal" else math.inf
        deviations.append(q * math.sqrt(k * math.expm1(min(1 / (s * s), _MOST_EXPONENT))))
    return min(most, _DEVIATIONS * math.hypot(*deviations))


@by_floats()
def plan(rounds: JumpingRounds, eps: float, log_delta: float, points: float, tolerance: float) -> JumpGrid:
    """A grid of ``points`` points up to epsilon, for delta about e^log_delta to about the relative tolerance."""
    step = dyadic(eps / points, 10)
    if step <= 0:
        raise OutOfReachError
    high, k = math.ceil((_BEYOND * eps + won_back(rounds, eps)) / float(step)), sum(count for _, count in rounds)
    missing_bits = (math.log(1 / tolerance) - log_delta) / math.log(2) + 4
    if missing_bits > _MOST_BITS:
        raise OutOfReachError
    bits = math.ceil(missing_bits + math.log2(max(high, 16)) + math.log2(k)) + 8
    return JumpGrid(step, high, bits, missing_bits, max(math.isqrt(k) // 2, 1), log_delta)


@by_floats()
def _lowest(pair: Jumping, step: Fraction, high: int) -> int:
    """A step below the least loss, log(1 - q), as the law sees for itself; where there is none, a part of ``high``."""
    if isinstance(pair, Exchanged):
        return -high
    if isinstance(pair, Labelled):
        return min(_lowest(part, step, high) for _, part in parts_of(pair))
    if pair.orientation == "addition":
        return -high
    if pair.rate == 1:
        return -high // _NOT_WON_BACK
    least = math.log1p(-float(pair.rate)) if pair.rate < Fraction(1, 2) else math.log(1 - pair.rate)
    return math.floor(least / float(step)) - 1


def _ends_of(pair: Exchanged, chance: Fraction, count: int, chosen: JumpGrid, low: int) -> tuple[int, ...]:
    """Where cells end, by floats."""
    step = float(chosen.step)
    seldom = subsampled_law.Seldom(float(chance), float_log(count * chance) - chosen.log_delta)
    return subsampled_law.places(exchanged.sketch(pair), chosen.longest * step, step, low, chosen.high, seldom)


class Jumps:
    """The profile of the rounds on one grid."""

    def __init__(self, ar: EnclosingArithmetic, rounds: JumpingRounds, chosen: JumpGrid) -> None:
        grid = Grid(chosen.step, 1, chosen.bits)
        self.ar = ar.at(chosen.bits + 2 * GUARD_BITS)
        ends = [
            CellsBelowTop(_lowest(pair, chosen.step, chosen.high), chosen.high, chosen.longest) for pair, _ in rounds
        ]
        points = max(chosen.high - each.low for each in ends)
        cost, dearer = (_COST, 1) if ar.name == "arb" else (_PLAIN_COST, _DEARER_PLAIN)
        cells = 0
        where: list[list[list[int]]] = []
        for (pair, count), each in zip(rounds, ends, strict=True):
            where.append([])
            for chance, part in parts_of(pair):
                if isinstance(part, Exchanged):
                    at = list(_ends_of(part, chance, count, chosen, each.low))
                    cells += (_DEARER if exchanged.is_of_group(part) else dearer) * len(at)
                else:
                    at = each.of(part, chosen.step)
                    cells += len(at)
                where[-1].append(at)
        afford(cells * cost + sum(points * k.bit_length() for _, k in rounds))
        with self.ar.active():
            laws = [self._law(pair, grid, each) for (pair, _), each in zip(rounds, where, strict=True)]
            setting = ProfileSetting(grid, chosen.missing_bits, False, points)
            upper, p, q = (
                product([(law.measure(), k) for law, (_, k) in zip(each, rounds, strict=True)], setting)
                for each in zip(*laws, strict=True)
            )
        self.profile = Profile(upper, _no_normaliser, p, q, _no_normaliser)

    def _law(self, pair: Jumping, grid: Grid, where: list[list[int]]) -> tuple[GridLaw, GridLaw, GridLaw]:
        """One round from above, and its labels under P and Q."""
        ar = self.ar.bare()
        tails, step, still = [], ar.real(grid.step), pair.still if isinstance(pair, Labelled) else Fraction(0)
        for (chance, part), at in zip(parts_of(pair), where, strict=True):
            if not isinstance(part, Exchanged):
                tails.append(subsampled_law.tails_of(ar, chance, part, grid.step, at))
                continue
            law = exchanged.ExchangedLaw(self.ar, part)
            masses = (law.beyond(j * grid.step) for j in at)
            beyond = [(ar.real(p), ar.real(q)) for p, q in masses]
            tails.append(subsampled_law.Tails(chance, at, [ar.exp(j * step) for j in at], beyond, below=True))
        return subsampled_law.topped(ar, tails, still, grid)

    def delta(self, eps: Fraction) -> Enclosure:
        with self.ar.active():
            lower = self.ar.enclosure(self.profile.delta_lower(self.ar, eps))
            upper = self.ar.enclosure(self.profile.delta_upper(self.ar, eps))
        return narrowed(Enclosure(Fraction(0), Fraction(1)), lower, upper)

    def eps(self, delta: Fraction, near: Fraction, width: Fraction, missing: Fraction) -> Enclosure | None:
        """The least epsilon >= 0 at all of delta - missing to delta; None where no upper bound is found."""
        with self.ar.active():
            target = self.ar.hull(delta - missing, delta) if missing else self.ar.real(delta)
            upper = self.profile.eps_upper(self.ar, target, near, near * width / 64)
            return None if upper is None else Enclosure(self.profile.eps_lower(self.ar, target, upper), upper)


def _no_normaliser(_: EnclosingArithmetic) -> Scalar:
    return 0


def _grid(ar: EnclosingArithmetic, rounds: JumpingRounds, chosen: JumpGrid, known: bool) -> Jumps | None:
    """None where its precision does not do: delta is smaller than planned.

    OutOfReachError where the work that is left does not do, if something is ``known`` that can be said instead.
    """
    try:
        return Jumps(ar, rounds, chosen)
    except MorePrecisionError:
        return None
    except WorkLimitError:
        if known:
            raise OutOfReachError from None
        raise


def _with_most(
    rounds: JumpingRounds, eps: float, log_delta: float, points: float, width: Fraction, most: int
) -> tuple[JumpGrid, bool]:
    """A plan of as many of the points as are within reach, and whether those are fewer."""
    chosen = plan(rounds, eps, log_delta, points, float(width) / 64)
    if chosen.high <= most:
        return chosen, False
    return plan(rounds, eps, log_delta, points * _FEWER * most / chosen.high, float(width) / 64), True


class _Points:
    """How many points are tried, one number after the other: errors are of second order in the step.

    Without ``all`` a grid of some points first says whether those within reach will do, unless one as fine has said so
    already; where not, it ends.
    """

    def __init__(
        self, ar: EnclosingArithmetic, width: Fraction, all_points: bool, rounds: JumpingRounds | None = None
    ) -> None:
        self.width, self.all = width, all_points
        plain = MOST_PLAIN_AT_ONCE if all_points else MOST_PLAIN_POINTS
        most = MOST_EXCHANGED_POINTS if rounds and all(exchanges(pair) for pair, _ in rounds) else MOST_POINTS
        self.most = most if ar.name == "arb" else plain
        self.next: float = self.most if all_points else _FIRST_WIDE_POINTS if width >= _WIDE else _FIRST_POINTS
        self.tried = 0

    def plan(self, rounds: JumpingRounds, eps: float, log_delta: float) -> tuple[JumpGrid, bool] | None:
        """The plan, and whether it is the last; None where there is none."""
        chosen, last = _with_most(rounds, eps, log_delta, self.next, self.width, self.most)
        if last and not self.all:
            chosen = _with_most(rounds, eps, log_delta, self.next, self.width, self.most // _SOME)[0]
            if chosen.high <= self.tried:
                return None
        self.tried = max(self.tried, chosen.high)
        return chosen, last and self.all

    @by_floats()
    def found(self, best: Enclosure, chosen: JumpGrid, eps: float) -> None:
        more = math.sqrt(_MORE * float(best.width / best.upper / self.width))
        self.next = eps / float(chosen.step) * min(max(more, _LEAST_MORE), _MOST_MORE)


def eps_of(
    ar: EnclosingArithmetic,
    rounds: JumpingRounds,
    delta: Fraction,
    near: float,
    width: Fraction,
    *,
    missing: Fraction = Fraction(0),
    all_points: bool = False,
) -> Enclosure:
    """The least epsilon >= 0 at delta of a removal, about ``near``, to about the relative width, or what was reached.

    With some of delta ``missing``, that at all of delta - missing to delta. ``all_points`` takes the finest grid within
    reach at once. OutOfReachError where no bracket was found.
    """
    log_delta = float_log(delta)
    best: Enclosure | None = None
    points = _Points(ar, width, all_points, rounds)
    for _ in range(_ATTEMPTS):
        planned = points.plan(rounds, near, log_delta)
        if planned is None:
            break
        chosen, last = planned
        try:
            grid = _grid(ar, rounds, chosen, best is not None)
        except OutOfReachError:
            break
        found = None if grid is None else grid.eps(delta, Fraction(near), width, missing)
        if found is None or found.upper > chosen.high * chosen.step:
            # The cell above all others begins too low.
            near *= 2
            continue
        best = found if best is None else met(best, found)
        if not best.upper or last or best.relative_width_at_most(width):
            break
        near = float(best.upper)
        points.found(best, chosen, near)
    if best is None:
        raise OutOfReachError
    # So few digits that another platform's floats hardly ever change them.
    lower, upper = to_decimal(best.lower, _DIGITS, "down"), to_decimal(best.upper, _DIGITS, "up")
    return Enclosure(Fraction(lower), Fraction(upper))


def delta_of(
    ar: EnclosingArithmetic,
    rounds: JumpingRounds,
    eps: Fraction,
    log_delta: float,
    width: Fraction,
    *,
    all_points: bool = False,
) -> Enclosure:
    """delta at epsilon > 0 of a removal, about e^log_delta, to about the relative width, or what was reached."""
    best = Enclosure(Fraction(0), Fraction(1))
    points = _Points(ar, width, all_points, rounds)
    for _ in range(_ATTEMPTS):
        planned = points.plan(rounds, float(eps), log_delta)
        if planned is None:
            break
        chosen, last = planned
        try:
            grid = _grid(ar, rounds, chosen, bool(best.lower))
        except OutOfReachError:
            break
        best = best if grid is None else met(best, grid.delta(eps))
        if best.relative_width_at_most(width):
            break
        if not best.lower:
            log_delta -= 20
        elif last:
            break
        else:
            log_delta = float_log(best.lower)
            points.found(best, chosen, float(eps))
    return best


def glance(ar: EnclosingArithmetic, rounds: JumpingRounds, eps: Fraction, delta: Fraction) -> Enclosure:
    """delta at epsilon > 0, so far as it takes to see whether it is more than that, on grids of few points."""
    best = Enclosure(Fraction(0), Fraction(1))
    for points in _GLANCES if ar.name == "arb" else _PLAIN_GLANCES:
        grid = _grid(ar, rounds, plan(rounds, float(eps), float_log(delta), points, _GLANCED), True)
        best = best if grid is None else met(best, grid.delta(eps))
        if best.upper <= delta or best.lower > delta:
            break
    return best


def met(first: Enclosure, second: Enclosure) -> Enclosure:
    """What two enclosures of one number have in common."""
    common = first.intersection(second)
    if common is None:
        raise EnginesDisagree("two enclosures of one number of a subsampled Gaussian are disjoint")
    return common
