"""Few rounds on Poisson samples whose losses are atoms: their product itself, without a grid.

The losses log(1 - q + q e^l) of a sampled lattice law lie on no lattice, and those of a small rate or near the largest
loss are closer together than any grid. But few rounds of few atoms have few outcomes. With y = e^eps, two halves of
the rounds and their outcomes a and b,

  delta(eps) = sum over a and b of (P_a P_b - y Q_a Q_b)_+ = sum over a of P_a P(B_a) - y Q_a Q(B_a),

where B_a are the outcomes b of a loss above eps less that of a: sums over the beginning of a list in the order of loss,
so that the price is the number of outcomes of each half and not of both. Outcomes whose loss is not seen to be above or
below are summed one by one, each enclosed between 0 and its positive part.

Every set of outcomes S bounds from below, P(S) - y Q(S), and so the root (P(S) - delta)/Q(S) of each is a lower bound
of e^epsilon; the upper end is where the whole sum is proved to be at most delta. Atoms of small mass are left out, and
count in full in the upper bound.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import itemgetter

from privref.composition.loss_convolution import planning
from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import float_log
from privref.exact.work import WorkLimitError, afford, spend

from . import laws
from .laws import FinitePair
from .model import Allocation, Drawn, Exchanged, Gaussian, Instead, Labelled, Laplace, Subsampled, SubsampledGaussian

#: The most outcomes of a half of several rounds, and the most that are enclosed one by one.
MOST_OUTCOMES = 1 << 15
_MOST_OPEN = 1 << 14
#: What is left out of delta, as -log2 of a share; how often more is kept, and to which end.
_SHARE, _TRIES, _LEAST = 56, 8, 4096
#: The most steps towards an epsilon, and the gaps between its ends that are tried, as -log2 of a share.
_STEPS = 80
_GAPS = (64, 56, 48, 40, 32, 26, 22)
_OUT_OF_REACH = "the rounds have too many outcomes to be summed one by one: out of reach"

_Rounds = tuple[tuple[FinitePair, int], ...]
#: A loss, in units of 2^-bits and rounded down, and its mass under both laws.
_Outcome = tuple[int, Real, Real]


def _powers(one: Real, p: Real, q: Real, times: int) -> list[tuple[Real, Real]]:
    """Return (p^i, q^i) for i = 0, ..., times."""
    return list(accumulate(range(times), lambda at, _: (at[0] * p, at[1] * q), initial=(one, one)))


def speaks_of(rounds: _Rounds) -> bool:
    """Whether some rounds are on samples and all have atoms alone: the others have engines of their own."""
    pairs = [pair for pair, _ in rounds]
    bases = [pair.base if isinstance(pair, Subsampled | Instead) else pair for pair in pairs]
    if any(
        isinstance(base, (Gaussian, SubsampledGaussian, Labelled, Drawn, Exchanged, Allocation, Laplace))
        for base in bases
    ):
        return False
    return any(isinstance(pair, Subsampled | Instead) for pair in pairs)


@dataclass(frozen=True, slots=True)
class _Sum:
    """P(S) and Q(S) of the outcomes S whose loss is above epsilon for certain, and what others add to delta at most."""

    p: Real
    q: Real
    open: Real


class OutcomeSums:
    """The outcomes of both halves of the rounds; each round's atoms of least mass, 2^-needed of it, are left out."""

    def __init__(self, ar: EnclosingArithmetic, rounds: _Rounds, needed: int) -> None:
        self.ar = ar
        count = sum(n for _, n in rounds)
        kept, left_out = [], ar.real(0)
        for pair, n in rounds:
            atoms, rest = _atoms(ar, pair, needed + count.bit_length())
            kept.append((atoms, n))
            left_out = left_out + n * rest
        self.left_out = left_out
        halves = [[(atoms, n // 2) for atoms, n in kept], [(atoms, n - n // 2) for atoms, n in kept]]
        sizes = [math.prod(math.comb(len(atoms) + n - 1, n) for atoms, n in half) for half in halves]
        if count > 1 and max(sizes) > MOST_OUTCOMES:
            raise UndecidedError(_OUT_OF_REACH)
        self.size = sum(sizes)
        afford(8 * self.size)
        ends = [self._enclosed(loss) for atoms, _ in kept for loss, _, _ in atoms]
        most = count * max(max(-end.lower, end.upper) for end in ends)
        self.bits = ar.precision - 32 - most.numerator.bit_length() + most.denominator.bit_length()
        few, many = (self._half(half) for half in halves)
        # Each loss is rounded down by less than a unit, and enclosed to less than another.
        self.rounded = 2 * count
        # From the largest loss down, so that what is above epsilon is a beginning.
        many.sort(key=itemgetter(0), reverse=True)
        self.few, self.many = few, many
        self.falling = [-place for place, _, _ in many]
        zero = ar.real(0)
        self.beginnings_p = list(accumulate((p for _, p, _ in many), initial=zero))
        self.beginnings_q = list(accumulate((q for _, _, q in many), initial=zero))

    def _half(self, rounds: list[tuple[list[_Atom], int]]) -> list[_Outcome]:
        one = self.ar.real(1)
        found: list[_Outcome] = [(0, one, one)]
        for atoms, times in rounds:
            if times:
                more = self._power(atoms, times)
                found = [(l + m, p * a, q * b) for l, p, q in found for m, a, b in more]
        return found

    def _power(self, atoms: list[_Atom], times: int) -> list[_Outcome]:
        """A number of equal rounds: how many of them are at which atom, and in how many orders, atom by atom."""
        one = self.ar.real(1)
        found: list[list[_Outcome]] = [[(0, one, one)], *([] for _ in range(times))]
        for loss, p, q in atoms:
            powers = _powers(one, p, q, times)
            place = self._place(loss)
            for filled in range(times, 0, -1):
                for more in range(1, filled + 1):
                    ways = math.comb(filled, more)
                    of_p, of_q = ways * powers[more][0], ways * powers[more][1]
                    spend(len(found[filled - more]))
                    found[filled] += [(l + more * place, a * of_p, b * of_q) for l, a, b in found[filled - more]]
        return found[times]

    def _place(self, loss: Real) -> int:
        ends = self.ar.in_units(loss, self.bits)
        if ends is None or ends[1] - ends[0] > 2:
            raise MorePrecisionError("the loss of an atom is not known closely enough")
        return ends[0]

    def _at(self, eps: Fraction, y: Real) -> _Sum:
        ar, place = self.ar, eps * Fraction(2) ** self.bits
        low, high = math.floor(place), math.ceil(place)
        spend(self.size)
        p_sum, q_sum, open_ = ar.real(0), ar.real(0), ar.real(0)
        opened = 0
        for loss, p, q in self.few:
            sure = bisect_left(self.falling, loss - high)
            end = bisect_left(self.falling, loss + self.rounded + 1 - low, sure)
            p_sum, q_sum = p_sum + p * self.beginnings_p[sure], q_sum + q * self.beginnings_q[sure]
            opened += end - sure
            if opened > _MOST_OPEN:
                raise UndecidedError(_OUT_OF_REACH)
            for _, of_p, of_q in self.many[sure:end]:
                open_ = open_ + ar.maximum(p * of_p - y * (q * of_q), 0)
        return _Sum(p_sum, q_sum, open_)

    def delta(self, eps: Fraction) -> Enclosure:
        """delta(eps), eps >= 0."""
        y = self.ar.exp(eps)
        found = self._at(eps, y)
        seen = found.p - y * found.q
        lower, upper = self._enclosed(seen), self._enclosed(seen + found.open + self.left_out)
        return Enclosure(max(lower.lower, Fraction(0)), min(max(upper.upper, Fraction(0)), Fraction(1)))

    def eps(self, target: Enclosure, largest: Fraction | None) -> Enclosure:
        """The least epsilon >= 0 at a delta > 0 that is enclosed; ``largest`` bounds all losses."""
        if self.delta(Fraction(0)).upper <= target.lower:
            return Enclosure(Fraction(0), Fraction(0))
        near = self._near(target)
        lower = self._least(near, target)
        for gap in _GAPS:
            upper = (lower or near) * (1 + Fraction(1, 1 << gap))
            if largest is not None and upper >= largest:
                upper = largest
            elif self.delta(upper).upper > target.lower:
                continue
            return Enclosure(lower, upper)
        raise UndecidedError(_OUT_OF_REACH)

    def _least(self, near: Fraction, target: Enclosure) -> Fraction:
        """A lower bound of epsilon by the outcomes above ``near``, and by those above it, until they are the same."""
        ar, least = self.ar, Fraction(0)
        for _ in range(_STEPS):
            found = self._at(near, ar.exp(near))
            if self._enclosed(found.q).lower <= 0:
                break
            root = (found.p - target.upper) / found.q
            if self._enclosed(root).lower <= 1:
                break
            after = self._enclosed(ar.log(root)).lower
            if after <= least:
                break
            least = near = after
        return least

    @planning()
    def _near(self, target: Enclosure) -> Fraction:
        """About epsilon: Newton's steps for log delta, which is nearly concave, between ends that close in on it."""
        goal = float_log(target.lower)
        # No outcome has a larger loss.
        highest = -self.falling[0] + max(loss for loss, _, _ in self.few) + self.rounded
        low, high, at = 0.0, float(highest / Fraction(2) ** self.bits), 0.0
        for _ in range(_STEPS):
            eps = Fraction(at)
            y = self.ar.exp(eps)
            found = self._at(eps, y)
            seen, slope = self._enclosed(found.p - y * found.q + found.open).lower, self._enclosed(y * found.q).lower
            if seen <= 0 or slope <= 0:
                high = at
                at = (low + high) / 2
                continue
            excess = float_log(seen) - goal
            low, high = (at, high) if excess > 0 else (low, at)
            after = at + excess * math.exp(float_log(seen) - float_log(slope))
            if not low < after < high:
                after = (low + high) / 2
            if abs(after - at) <= 1e-9 * after:
                break
            at = after
        return Fraction(at)

    def _enclosed(self, value: Real) -> Enclosure:
        return decide.finite(self.ar, value, "a sum of outcomes has no finite enclosure")


_Atom = tuple[Real, Real, Real]


def _atoms(ar: EnclosingArithmetic, pair: FinitePair, needed: int) -> tuple[list[_Atom], Real]:
    """The atoms of one round (losses, masses under both laws), and a bound of the mass of those that are left out."""
    atoms, left_out = laws.plain_atoms(ar, pair, needed)
    known = []
    for atom in atoms:
        mass = decide.finite(ar, atom[1], "the mass of an atom has no finite enclosure")
        known.append((mass.upper, atom))
    known.sort(key=itemgetter(0))
    room, first = Fraction(1, 1 << needed), 0
    while first < len(known) - 1 and known[first][0] <= room:
        room -= known[first][0]
        first += 1
    dropped = sum((mass for mass, _ in known[:first]), Fraction(0))
    return [atom for _, atom in known[first:]], dropped + ar.real(left_out)


def _summed(ar: EnclosingArithmetic, rounds: _Rounds, needed: int) -> OutcomeSums:
    inner = ar.at(2 * needed + 160)
    with inner.active():
        return OutcomeSums(inner, rounds, needed)


def delta_of(ar: EnclosingArithmetic, rounds: _Rounds, eps: Fraction, width: Fraction) -> Enclosure | None:
    """delta(eps) to a relative width, eps >= 0; None where the rounds are of another kind, or too many."""
    if not speaks_of(rounds):
        return None
    needed = _SHARE
    try:
        for _ in range(_TRIES):
            sums = _summed(ar, rounds, needed)
            with sums.ar.active():
                found = sums.delta(eps)
            if found.relative_width_at_most(width):
                return found
            least = found.lower if found.lower else found.upper**2
            if not least:
                break
            needed = max(2 * needed, _SHARE + math.ceil(-float_log(least) / math.log(2)))
            if needed > _LEAST:
                break
    except WorkLimitError:
        raise
    except UndecidedError:
        pass
    return None


def eps_of(
    ar: EnclosingArithmetic, rounds: _Rounds, target: Enclosure, largest: Fraction | None, width: Fraction
) -> Enclosure | None:
    """The least epsilon >= 0 at a delta in (0, 1), likewise."""
    if not speaks_of(rounds):
        return None
    needed = _SHARE + max(0, math.ceil(-float_log(target.lower) / math.log(2)))
    try:
        while needed <= _LEAST:
            sums = _summed(ar, rounds, needed)
            with sums.ar.active():
                found = sums.eps(target, largest)
            if found.relative_width_at_most(width):
                return found
            needed += needed // 2
    except WorkLimitError:
        raise
    except UndecidedError:
        pass
    return None
