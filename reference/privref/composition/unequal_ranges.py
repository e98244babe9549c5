"""The optimum of unequal bounded ranges that are all chosen in advance: a search over intervals that leaves none out.

k mechanisms of ranges eps_i, all chosen in advance, lose most as pairs with two outputs, of losses t_i and t_i - eps_i
(``bounded_range``). For a set S of outputs P(S) - e^eps_g Q(S) is, in each x_i = e^t_i, of the form A - a x_i - b/x_i
with a, b >= 0, and only the sets S = {sum of the eps_i with a low loss < c} count. Equal ranges have equal t at some
maximum, and there, for the S of its T = sum t_i, every kind satisfies

  t_j + T = eps_g + eps_j + log E[e^Y | Y in (c - eps_j, c]],

Y the sum of the other mechanisms' eps_i with low losses, c the largest sum in S. A box of t where that cannot be, or
whose sums T belong to another S, holds no maximum of S; the others are made smaller, cut in two, or bounded by the
value in their middle and what is left of the derivatives (proofs/derivations/bounded_range.py). All bounds are integers
over a power of 2, rounded outward.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.errors import InputError, UndecidedError
from privref.exact.numbers import bits_below, spell, weighted_sum
from privref.exact.work import QUESTION, WorkLimit, all_where_refused, apart, left, spend
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Multiset, Probability
from privref.statements.registry import Result, implements

from .bounded_range import intervals_delta, worst_ends

Kinds = tuple[tuple[Fraction, int], ...]

_INSTEAD = (
    "dong2020/adaptive bounds it from above, with the largest range first, and dong2020/intervals.delta from below"
)
#: Numbers of low losses of all kinds together.
OUTCOMES = WorkLimit(2_000, "numbers of low losses", _INSTEAD)
MOST_KINDS = 5
MOST_WIDTH = 20
_KINDS = WorkLimit(MOST_KINDS, "different ranges", _INSTEAD)
_ROUNDS = WorkLimit(200, "rounds of bounded range", _INSTEAD)

#: Boxes of one search; a search that needs more is given up.
_MOST_BOXES = 100_000
#: The relative width of both answers: what is lost for certain, and by so much more than anything can.
WIDTH = Fraction(1, 10**9)


class _Exceeded(Exception):
    """Intervals that lose more than was to be shown."""

    def __init__(self, ends: dict[Fraction, Fraction]) -> None:
        super().__init__()
        self.ends = ends


@dataclass(frozen=True, slots=True)
class _Pattern:
    """How many low losses the others of each kind have where one more of this kind decides; bounds on e^(Y - c)."""

    lows: tuple[int, ...]
    down: int
    up: int


class _Set:
    """One S, by the largest sum of eps_i that it holds and the next one: what of it does not depend on a box."""

    def __init__(self, search: _Search, held: int, following: int) -> None:
        self.held, self.following = held, following
        kinds, units = search.kinds, search.units
        self.windows: list[list[_Pattern]] = []
        #: For each number of low losses of the kinds but the first, the most of the first that S holds.
        self.most: list[tuple[tuple[int, ...], int]] = []
        for lows in itertools.product(*(range(n + 1) for _, n in kinds[1:])):
            rest = held - sum(map(_times, lows, units[1:]))
            if rest >= 0:
                self.most.append((lows, min(kinds[0][1], rest // units[0])))
        for j, (_, count) in enumerate(kinds):
            found = []
            for others in itertools.product(*(range(n + 1) for i, (_, n) in enumerate(kinds) if i != j)):
                spent = sum(map(_times, others, (*units[:j], *units[j + 1 :])))
                own = (held - spent) // units[j]
                if 0 <= own < count:
                    below = held - spent - own * units[j]
                    found.append((below, (*others[:j], own, *others[j:])))
            found.sort()
            self.windows.append([_Pattern(lows, *search.falling(below)) for below, lows in found])
        least, most = (search.eps_g + Fraction(end, search.common) for end in (held, following))
        self.total = search.down(least), search.up(most)
        #: Of k + 1 times T, and of k + 1 times each t, where all derivatives are 0, what does not depend on the means.
        spread = weighted_sum(kinds)
        alone = search.rounds * least + spread
        self.of_total = search.down(alone), search.up(alone)
        each = [(search.rounds + 1) * width - spread + least for width, _ in kinds]
        self.of_ends = [(search.down(x), search.up(x)) for x in each]
        self.of_slopes = [(search.down(least + width), search.up(least + width)) for width, _ in kinds]

    @property
    def relevant(self) -> tuple[int, ...]:
        """The kinds of which it depends on a single mechanism whether an output is in S."""
        return tuple(j for j, window in enumerate(self.windows) if window)


def _times(first: int, second: int) -> int:
    return first * second


_Box = tuple[tuple[int, int], ...]
#: Bounds on P(low)/P(high); None where there is none above.
_Odds = tuple[int, "int | None"]


class _Search:
    """Whether some intervals of these kinds lose more at eps_g than a number of about the given size."""

    def __init__(self, engine: decide.EngineName, kinds: Kinds, eps_g: Fraction, size: Fraction) -> None:
        self.engine, self.kinds, self.eps_g = engine, kinds, eps_g
        self.rounds = sum(n for _, n in kinds)
        widths = [width for width, _ in kinds]
        common = math.lcm(*(width.denominator for width in widths))
        self.units = [int(width * common) for width in widths]
        self.common = common
        small = min(widths)
        self.size = size
        # Differences of powers lose as many bits as the width has below 1; what is lost has as many below 1.
        self.bits = 160 + 3 * bits_below(small) + 2 * bits_below(size)
        self.one = 1 << self.bits
        self.ar: EnclosingArithmetic = decide.engine(engine, self.bits + 64)
        self._minus: dict[int, tuple[int, int]] = {}
        self._falling: dict[int, tuple[int, int]] = {}
        with self.ar.active():
            self.ranges = [self.ends(self.ar.expm1(width)) for width in widths]
            self.factor = self.ends(self.ar.exp(eps_g))
        self.tops = [self.down(width) for width in widths]

    def price(self, size: int) -> int:
        """The work of a box of a set with this many patterns, which grows with the bits."""
        return len(self.kinds) * (size + self.rounds + 100) * (1 + (self.bits + self.rounds >> 8))

    # --- numbers ---------------------------------------------------------------------------------------------------

    def ends(self, value: Scalar) -> tuple[int, int]:
        return decide.finite(self.ar, value, "a loss of an interval has no finite enclosure").in_units(self.bits)

    def down(self, value: Fraction) -> int:
        return (value.numerator << self.bits) // value.denominator

    def up(self, value: Fraction) -> int:
        return -((-value.numerator << self.bits) // value.denominator)

    def minus_one(self, t: int) -> tuple[int, int]:
        """e^t - 1."""
        if t not in self._minus:
            with self.ar.active():
                self._minus[t] = self.ends(self.ar.expm1(Fraction(t, self.one)))
        return self._minus[t]

    def falling(self, below: int) -> tuple[int, int]:
        """e^-y for y in units of the common denominator."""
        if below not in self._falling:
            with self.ar.active():
                self._falling[below] = self.ends(self.ar.exp(Fraction(-below, self.common)))
        return self._falling[below]

    def log(self, value: int) -> tuple[int, int]:
        with self.ar.active():
            return self.ends(self.ar.log(Fraction(value, self.one)))

    def _sums(self) -> list[int]:
        """All sums of ranges with a low loss, in units of the common denominator."""
        every = itertools.product(*(range(n + 1) for _, n in self.kinds))
        return sorted({sum(map(_times, lows, self.units)) for lows in every})

    # --- a box -----------------------------------------------------------------------------------------------------

    def _odds(self, kind: int, box: _Box) -> _Odds:
        """(e^t - 1)/(e^eps - e^t) over the box."""
        low, high = box[kind]
        least, most = self.minus_one(low)[0], self.minus_one(high)[1]
        down, up = self.ranges[kind]
        above = None
        if high < self.tops[kind] and most < down:
            above = -(-(most << self.bits) // (down - most))
        return (least << self.bits) // (up - least), above

    def _powers(self, kind: int, odds: _Odds, centre: int) -> tuple[list[int], list[int]]:
        """Bounds on odds^(l - centre) for l = 0, 1, ..."""
        least, most = odds
        n, bits, one = self.kinds[kind][1], self.bits, self.one
        lows, highs = [one], [one]
        for _ in range(n - centre):
            assert most is not None
            lows.append(lows[-1] * least >> bits)
            highs.append(-(-highs[-1] * most >> bits))
        under, over = [one], [one]
        inverse_low = 0 if most is None else (one << bits) // most
        for _ in range(centre):
            under.append(under[-1] * inverse_low >> bits)
            over.append(-((-over[-1] << bits) // least))
        return [*reversed(under[1:]), *lows], [*reversed(over[1:]), *highs]

    def _centres(self, found: _Set, box: _Box, bounds: list[_Odds]) -> list[int]:
        """About which number of low losses of each kind to count: where an end of the odds is 0 or none, that end."""
        odds, centres = [], []
        for (width, n), (low, high), (least, most) in zip(self.kinds, box, bounds, strict=True):
            centres.append(0 if not least else n if most is None else -1)
            middle = math.expm1((low + high) / (2 * self.one))
            odds.append(math.log(max(middle, 1e-300)) - math.log(max(math.expm1(width) - middle, 1e-300)))
        if -1 not in centres:
            return centres
        window = found.windows[0]
        logs = [
            sum(
                low * odd + _log_comb(n - (kind == 0), low)
                for kind, (low, odd, (_, n)) in enumerate(zip(pattern.lows, odds, self.kinds, strict=True))
            )
            for pattern in window
        ]
        largest = max(logs)
        weights = [math.exp(log - largest) for log in logs]
        total = sum(weights)
        return [
            round(sum(w * p.lows[kind] for w, p in zip(weights, window, strict=True)) / total) if centre < 0 else centre
            for kind, centre in enumerate(centres)
        ]

    def _means(self, found: _Set, box: _Box) -> list[tuple[int, int]] | None:
        """For each kind bounds on log E[e^(Y - c) | Y in the window], over the box; None where one's odds have none."""
        odds = [self._odds(kind, box) for kind in range(len(self.kinds))]
        if any(not least and most is None for least, most in odds):
            return None
        centres = self._centres(found, box, odds)
        powers = [self._powers(kind, odds[kind], centre) for kind, centre in enumerate(centres)]
        bits = self.bits
        answers = []
        for j, window in enumerate(found.windows):
            tables = []
            for i, (lows, highs) in enumerate(powers):
                ways = _ways(self.kinds[i][1] - (i == j))
                tables.append(
                    (
                        [w * x for w, x in zip(ways, lows, strict=False)],
                        [w * x for w, x in zip(ways, highs, strict=False)],
                    )
                )
            weights = []
            for pattern in window:
                least, most = self.one, self.one
                for (lows, highs), low in zip(tables, pattern.lows, strict=True):
                    least = least * lows[low] >> bits
                    most = -(-most * highs[low] >> bits)
                weights.append((pattern, least, most))
            answers.append((self._least(weights), self._most(weights)))
        return answers

    def _most(self, weights: list[tuple[_Pattern, int, int]]) -> int:
        """The largest mean: the most weight for the largest, from where they are above the mean."""
        total = sum(least for _, least, _ in weights)
        summed = sum(pattern.up * least for pattern, least, _ in weights)
        for pattern, least, most in weights:
            if pattern.up * total <= summed and total:
                break
            summed += pattern.up * (most - least)
            total += most - least
        return min(0, self.log(-(-summed // total))[1])

    def _least(self, weights: list[tuple[_Pattern, int, int]]) -> int:
        total = sum(least for _, least, _ in weights)
        summed = sum(pattern.down * least for pattern, least, _ in weights)
        for pattern, least, most in reversed(weights):
            if pattern.down * total >= summed and total:
                break
            summed += pattern.down * (most - least)
            total += most - least
        return self.log(max(1, summed // total))[0]

    def _within(self, found: _Set, box: _Box) -> tuple[_Box, tuple[int, int]] | None:
        """The part of the box with a T for which S is the best set, and the bounds on T; None where there is none."""
        counts = [n for _, n in self.kinds]
        least = sum(n * ends[0] for n, ends in zip(counts, box, strict=True))
        most = sum(n * ends[1] for n, ends in zip(counts, box, strict=True))
        low, high = max(found.total[0], least), min(found.total[1], most)
        if low > high:
            return None
        narrowed = []
        for n, (first, last) in zip(counts, box, strict=True):
            first, last = max(first, (low - (most - n * last)) // n), min(last, -(-(high - (least - n * first)) // n))
            if first > last:
                return None
            narrowed.append((first, last))
        return tuple(narrowed), (low, high)

    def _stationary(
        self, found: _Set, box: _Box, total: tuple[int, int], means: list[tuple[int, int]]
    ) -> tuple[_Box, tuple[int, int]] | None:
        """The part of the box where all derivatives may be 0."""
        counts, more = [n for _, n in self.kinds], self.rounds + 1
        least = sum(n * low for n, (low, _) in zip(counts, means, strict=True))
        most = sum(n * high for n, (_, high) in zip(counts, means, strict=True))
        low = max(total[0], (found.of_total[0] + least) // more)
        high = min(total[1], -(-(found.of_total[1] + most) // more))
        if low > high:
            return None
        narrowed = []
        for n, here, (first, last), (down, up) in zip(counts, found.of_ends, box, means, strict=True):
            first = max(first, (here[0] + (more - n) * down - (most - n * up)) // more)
            last = min(last, -(-(here[1] + (more - n) * up - (least - n * down)) // more))
            if first > last:
                return None
            narrowed.append((first, last))
        return tuple(narrowed), (low, high)

    # --- values ----------------------------------------------------------------------------------------------------

    def _value(self, found: _Set, at: Sequence[int]) -> int:
        """An upper bound on P(S) - e^eps_g Q(S) at one point."""
        bits, one = self.bits, self.one
        first, second = [], []
        for (_, n), t, (down, up) in zip(self.kinds, at, self.ranges, strict=True):
            least, most = self.minus_one(t)
            # Of P upper bounds, of Q lower ones.
            low, high = min(one, -((-most << bits) // down)), min(one, one - (least << bits) // up)
            x_up = one + most
            q_high = max(0, (((down - most) << bits) // up << bits) // x_up)
            q_low = ((((least << bits) // up) * (one + down) >> bits) << bits) // x_up
            first.append(_binomial(n, low, high, bits, up=True))
            second.append(_binomial(n, q_low, q_high, bits, up=False))
        sums = [list(itertools.accumulate(first[0])), list(itertools.accumulate(second[0]))]
        lost = kept = 0
        for lows, most_of_first in found.most:
            p, q = sums[0][most_of_first], sums[1][most_of_first]
            for table_p, table_q, low_count in zip(first[1:], second[1:], lows, strict=True):
                p = -(-p * table_p[low_count] >> bits)
                q = q * table_q[low_count] >> bits
            lost, kept = lost + p, kept + q
        return lost - (kept * self.factor[0] >> bits)

    def _slack(self, found: _Set, box: _Box, means: list[tuple[int, int]], radii: list[int]) -> int:
        """What the value can gain from the middle to anywhere in the box, whatever T is there."""
        bits, one = self.bits, self.one
        total = [sum(n * ends[side] for (_, n), ends in zip(self.kinds, box, strict=True)) for side in (0, 1)]
        tables = []
        for (_, n), (low, high), (down, up) in zip(self.kinds, box, self.ranges, strict=True):
            share = min(one, -((-self.minus_one(high)[1] << bits) // down))
            rest = min(one, one - (self.minus_one(low)[0] << bits) // up)
            tables.append((_binomial(n, share, rest, bits, up=True), _binomial(n - 1, share, rest, bits, up=True)))
        gained = 0
        for j, ((_, n), (low, high), (down, up), radius) in enumerate(zip(self.kinds, box, means, radii, strict=True)):
            # log of what the two terms of the derivative differ by.
            apart = found.of_slopes[j]
            off = max(abs(high + total[1] - down - apart[0]), abs(apart[1] + up - low - total[0]))
            deciding = 0
            for pattern in found.windows[j]:
                part = one
                for i, (both, own) in enumerate(tables):
                    part = -(-part * (own if i == j else both)[pattern.lows[i]] >> bits)
                deciding += part
            # |e^x - 1| <= |x| + x^2 for |x| <= 1.
            steep = off + -(-off * off >> bits) if off <= one else self.minus_one(off)[1]
            slope = -(-deciding * (one + self.minus_one(high)[1]) // self.ranges[j][0])
            gained += -(-n * slope * steep * radius >> 2 * bits)
        return gained

    def improved(self, ends: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Ends near to those at which all derivatives are 0 for the set that is best for them: found, not shown."""
        at = [min(top, self.down(end)) for end, top in zip(ends, self.tops, strict=True)]
        sums = self._sums()
        for _ in range(40):
            place = sum(n * t for (_, n), t in zip(self.kinds, at, strict=True)) - self.down(self.eps_g)
            following = next((i for i, value in enumerate(sums) if value * self.one >= place * self.common), 0)
            if not following or not all(0 < t < top for t, top in zip(at, self.tops, strict=True)):
                break
            found = _Set(self, sums[following - 1], sums[following])
            if len(found.relevant) < len(self.kinds):
                break
            spend(self.price(sum(map(len, found.windows))))
            means = self._means(found, tuple((t, t) for t in at))
            if means is None:
                break
            spread = sum(n * (low + high) for (_, n), (low, high) in zip(self.kinds, means, strict=True)) // 2
            share = self.rounds + 1
            moved = [
                (sum(here) // 2 + share * (low + high) // 2 - spread) // share
                for here, (low, high) in zip(found.of_ends, means, strict=True)
            ]
            moved = [min(max(t, top >> 20), top - (top >> 20)) for t, top in zip(moved, self.tops, strict=True)]
            if moved == at:
                break
            at = moved
        return tuple(min(Fraction(t, self.one), width) for t, (width, _) in zip(at, self.kinds, strict=True))

    # --- the search ------------------------------------------------------------------------------------------------

    def run(self, most: Fraction, likely: Fraction = Fraction(0)) -> None:
        """Show that no intervals lose more than ``most``; _Exceeded with some that do, UndecidedError where it is long.

        What is tried first are the sets that are the best ones for a T of about ``likely``: an order, no more.
        """
        sums = self._sums()
        cap = self.down(most)
        longest = weighted_sum(self.kinds)
        boxes = 0
        fewer: set[tuple[int, ...]] = set()
        reached = [ends for ends in itertools.pairwise(sums) if self.eps_g + Fraction(ends[0], self.common) < longest]
        place = (likely - self.eps_g) * self.common
        for held, following in sorted(reached, key=lambda ends: abs(ends[0] + ends[1] - 2 * place)):
            found = _Set(self, held, following)
            spend(2 * self.price(sum(map(len, found.windows)) + len(found.most)))
            if len(found.relevant) < len(self.kinds):
                fewer.add(found.relevant)
                continue
            boxes = self._over(found, cap, boxes)
        for relevant in sorted(fewer):
            if relevant:
                _Search(self.engine, tuple(self.kinds[j] for j in relevant), self.eps_g, self.size).run(most)

    def _over(self, found: _Set, cap: int, boxes: int) -> int:
        """All boxes of one S."""
        size = sum(map(len, found.windows))
        waiting: list[_Box] = [tuple((0, top + 1) for top in self.tops)]
        while waiting:
            box = waiting.pop()
            boxes += 1
            if boxes > _MOST_BOXES:
                raise UndecidedError(f"more than {_MOST_BOXES} boxes of intervals stay open")
            spend(self.price(size))
            open_ = self._narrowed(found, box, cap)
            if open_ is None:
                continue
            at = max(range(len(open_)), key=lambda j: Fraction(open_[j][1] - open_[j][0], self.tops[j] + 1))
            low, high = open_[at]
            if high - low <= 1:
                raise UndecidedError("intervals that lose about as much as was to be shown stay open")
            middle = (low + high) // 2
            waiting += [(*open_[:at], ends, *open_[at + 1 :]) for ends in ((low, middle), (middle, high))]
        return boxes

    def _narrowed(self, found: _Set, box: _Box, cap: int) -> _Box | None:
        """What of a box may hold a maximum above the cap; None where nothing does."""
        while True:
            inside = self._within(found, box)
            if inside is None:
                return None
            box, total = inside
            means = self._means(found, box)
            if means is None:
                return box
            part = self._stationary(found, box, total, means)
            if part is None:
                return None
            before, (box, total) = box, part
            shrunk = max(
                Fraction(now[1] - now[0], max(1, then[1] - then[0])) for now, then in zip(box, before, strict=True)
            )
            # A box of no size in half of all bits is as small as is of use.
            if shrunk > Fraction(7, 10) or all(high - low <= self.one >> self.bits // 2 for low, high in box):
                break
        middle = [(low + high) // 2 for low, high in box]
        radii = [max(high - at, at - low) for (low, high), at in zip(box, middle, strict=True)]
        slack = self._slack(found, box, means, radii)
        value = self._value(found, middle)
        if value + slack <= cap:
            return None
        if value > cap + (slack >> 4):
            raise _Exceeded({kind[0]: Fraction(at, self.one) for kind, at in zip(self.kinds, middle, strict=True)})
        return box


def _binomial(n: int, low: int, high: int, bits: int, *, up: bool) -> list[int]:
    """Bounds on C(n, l) low^l high^(n - l) for l = 0, ..., n."""
    lows, highs = [1 << bits], [1 << bits]
    for _ in range(n):
        if up:
            lows.append(-(-lows[-1] * low >> bits))
            highs.append(-(-highs[-1] * high >> bits))
        else:
            lows.append(lows[-1] * low >> bits)
            highs.append(highs[-1] * high >> bits)
    products = [ways * x * y for ways, x, y in zip(_ways(n), lows, reversed(highs), strict=True)]
    return [-(-product >> bits) if up else product >> bits for product in products]


@lru_cache(maxsize=4 * MOST_KINDS)
def _ways(n: int) -> tuple[int, ...]:
    """C(n, l) for l = 0, ..., n."""
    return tuple(math.comb(n, low) for low in range(n + 1))


def _log_comb(n: int, low: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(low + 1) - math.lgamma(n - low + 1)


# --- the optimum -------------------------------------------------------------------------------------------------


def _kinds(eps: Multiset) -> Kinds:
    """The ranges that lose something with their numbers, the most frequent first; refused where they are too many."""
    counts: Counter[Fraction] = Counter()
    for width, n in eps:
        if width and n:
            counts[width] += n
    _KINDS.require(len(counts))
    _ROUNDS.require(sum(counts.values()))
    OUTCOMES.require(math.prod(n + 1 for n in counts.values()))
    if counts and max(counts) > MOST_WIDTH:
        raise InputError("eps", spell(max(counts)), f"ranges up to {MOST_WIDTH} are composed")
    return tuple(sorted(counts.items(), key=lambda kind: (-kind[1], -kind[0])))


def _lost(ar: Arithmetic, kinds: Kinds, ends: Sequence[Fraction], eps_g: Fraction) -> Scalar:
    """What mechanisms with these intervals lose."""
    widths = tuple(width for width, n in kinds for _ in range(n))
    t = tuple(end for end, (_, n) in zip(ends, kinds, strict=True) for _ in range(n))
    result = intervals_delta(ar, widths, t, eps_g)
    assert not isinstance(result, str)
    return result


def _surely_lost(engine: decide.EngineName, kinds: Kinds, ends: Sequence[Fraction], eps_g: Fraction) -> Fraction:
    ar = decide.engine(engine, 128)
    return decide.enclose(lambda inner: _lost(inner, kinds, ends, eps_g), ar, WIDTH / 10**6).lower


def _first(kinds: Kinds, eps_g: Fraction) -> tuple[Fraction, ...]:
    """Ends that lose something at least: the better of two guesses."""
    longest = weighted_sum(kinds)
    share = (1 + eps_g / longest) / 2
    even = tuple(width * share for width, _ in kinds)
    guessed = worst_ends(kinds, eps_g)
    if not _any(kinds, guessed, eps_g):
        return even
    return max((even, guessed), key=lambda ends: _surely_lost("arb", kinds, ends, eps_g))


def _any(kinds: Kinds, ends: Sequence[Fraction], eps_g: Fraction) -> bool:
    """Whether the ends lose anything: their sum is above eps_g, and some are not trivial."""
    inside = [(n, end) for end, (width, n) in zip(ends, kinds, strict=True) if 0 < end < width]
    return sum((n * end for n, end in inside), Fraction(0)) > eps_g


def _better(
    engine: decide.EngineName, kinds: Kinds, ends: Sequence[Fraction], eps_g: Fraction
) -> tuple[tuple[Fraction, ...], Fraction]:
    """Ends that lose at least as much as these, and what they lose for certain."""
    lost = _surely_lost(engine, kinds, ends, eps_g)
    moved = _Search(engine, kinds, eps_g, lost).improved(ends)
    if _any(kinds, moved, eps_g) and (more := _surely_lost(engine, kinds, moved, eps_g)) >= lost:
        return moved, more
    return tuple(ends), lost


def _with(kinds: Kinds, found: Mapping[Fraction, Fraction]) -> tuple[Fraction, ...]:
    """The ends that were found, and the middle for kinds that these did without."""
    return tuple(found.get(width, width / 2) for width, _ in kinds)


_SEARCHES = 40


def _searched(
    engine: decide.EngineName, kinds: Kinds, eps_g: Fraction, ends: Sequence[Fraction], most: Fraction
) -> None:
    likely = sum((n * end for end, (_, n) in zip(ends, kinds, strict=True)), Fraction(0))
    _Search(engine, kinds, eps_g, most).run(most, likely)


@lru_cache(maxsize=64)
def _delta(engine: decide.EngineName, kinds: Kinds, eps_g: Fraction) -> tuple[Fraction, int]:
    """What is lost for certain, and by ``WIDTH`` more than anything can; and the work that it took."""
    with apart(min(QUESTION, left())) as spent:
        ends, lost = _better(engine, kinds, _first(kinds, eps_g), eps_g)
        for _ in range(_SEARCHES):
            try:
                _searched(engine, kinds, eps_g, ends, lost * (1 + WIDTH * Fraction(9, 10)))
                return lost, spent()
            except _Exceeded as more:
                ends, lost = _better(engine, kinds, _with(kinds, more.ends), eps_g)
            except UndecidedError as error:
                raise type(error)(
                    f"at least {_range_text(lost)} is lost; that it is the most stays open: {error}"
                ) from None
    raise UndecidedError(f"at least {_range_text(lost)} is lost, and better intervals were found again and again")


def _range_text(value: Fraction) -> str:
    return decide.enclose(lambda ar: value, decide.engine("arb"), WIDTH).decimals(6)[0]


@lru_cache(maxsize=64)
def _epsilon(engine: decide.EngineName, kinds: Kinds, delta: Fraction) -> tuple[Fraction, Fraction, int]:
    """Both ends of the least epsilon, and the work that it took."""
    longest = weighted_sum(kinds)
    low = Fraction(0)
    ends = _first(kinds, low)
    with apart(min(QUESTION, left())) as spent:
        for attempt in range(_SEARCHES):
            low, ends = _raised(engine, kinds, delta, low, ends, afresh=not attempt)
            high = min(_grid(low * (1 + WIDTH * Fraction(9, 10))), longest)
            try:
                _searched(engine, kinds, high, ends, delta)
                return low, high, spent()
            except _Exceeded as more:
                ends = _with(kinds, more.ends)
                # The search exceeds by an upper bound on what they lose.
                if _surely_lost(engine, kinds, ends, high) < delta:
                    raise UndecidedError(
                        f"epsilon is at least {_range_text(low)}; intervals that lose about delta at it stay open"
                    ) from None
                low = high
            except UndecidedError as error:
                raise type(error)(
                    f"epsilon is at least {_range_text(low)}; whether it is larger stays open: {error}"
                ) from None
    raise UndecidedError(f"epsilon is at least {_range_text(low)}, and better intervals were found again and again")


def _raised(
    engine: decide.EngineName, kinds: Kinds, delta: Fraction, low: Fraction, ends: tuple[Fraction, ...], *, afresh: bool
) -> tuple[Fraction, tuple[Fraction, ...]]:
    """An epsilon from ``low`` on at which some ends lose delta at least, and these: about the largest one near by."""
    high = weighted_sum(kinds)
    for step in range(60):
        if high - low <= low * WIDTH / 20:
            break
        middle = _grid((low + high) / 2)
        guess = _first(kinds, middle) if (afresh and step < 12) or not _any(kinds, ends, middle) else ends
        tried, lost = _better(engine, kinds, guess, middle)
        if lost >= delta:
            low, ends = middle, tried
        else:
            high = middle
    return low, ends


def _grid(value: Fraction) -> Fraction:
    """Rounded up to 80 bits."""
    if not value:
        return value
    scale = Fraction(2) ** (80 + bits_below(value) - bits_below(1 / value))
    return Fraction(-(-value * scale // 1)) / scale


_HYPOTHESES = (Hypothesis.BOUNDED_RANGE_ROUNDS, Hypothesis.FIXED_PARAMETERS, Hypothesis.QUERIES_IN_ADVANCE)


def _stated(inputs: Mapping[str, Any]) -> Fraction | None:
    longest = weighted_sum(inputs["eps"])
    if not longest or inputs.get("delta_g") in (0, 1) or inputs.get("eps_g", 0) >= longest:
        return None
    return WIDTH


@implements(
    "dong2020/advance.delta",
    kind="exact",
    cites="the generalized randomized responses of Theorem 3, of unequal ranges: their optimum by a search (ours)",
    hypotheses=_HYPOTHESES,
    standing="ours",
    stated_width=_stated,
)
def advance_delta(ar: Arithmetic, eps: Multiset, eps_g: Fraction) -> Result:
    """The least delta for which mechanisms of these bounded ranges, all chosen in advance, are (eps_g, delta)-DP.

    dong2020/advance.delta: the largest hockey-stick divergence at eps_g of products of pairs with P(loss t_i) =
    (e^eps_i - e^t_i)/(e^eps_i - 1) and the loss t_i - eps_i else, over all t_i in [0, eps_i]; dong2020/thm3.delta for
    equal ranges. From below by intervals that were found, from above as no box of others can lose a billionth more. At
    most five different ranges up to 20 and 200 rounds, and 2,000 numbers of low losses; within that too a search that
    takes more work than one question may is refused, with what is lost at least.
    """
    kinds = _kinds(eps)
    if eps_g >= weighted_sum(kinds):
        return Fraction(0)
    with all_where_refused():
        lost, price = _delta(decide.engine_name(ar), kinds, eps_g)
        spend(price)
    return ar.hull(lost, lost * (1 + WIDTH * Fraction(9, 10)))


@implements(
    "dong2020/advance.eps",
    kind="exact",
    cites="the optimum of unequal ranges chosen in advance, solved for epsilon (ours)",
    hypotheses=_HYPOTHESES,
    standing="ours",
    stated_width=_stated,
)
def advance_eps(ar: Arithmetic, eps: Multiset, delta_g: Probability) -> Result:
    """The least eps_g >= 0 for which mechanisms of these bounded ranges, chosen in advance, are (eps_g, delta_g)-DP.

    dong2020/advance.eps: dong2020/advance.delta solved for eps_g, to a billionth; sum eps_i for delta_g = 0.
    """
    kinds = _kinds(eps)
    if delta_g == 0 or not kinds:
        return weighted_sum(kinds)
    if delta_g == 1:
        return Fraction(0)
    with all_where_refused():
        low, high, price = _epsilon(decide.engine_name(ar), kinds, delta_g)
        spend(price)
    # What was halved again and again may be a double, and its decimals, rounded outward, lie below it.
    return ar.hull(low * (1 - WIDTH / 1000), high) if high else Fraction(0)
