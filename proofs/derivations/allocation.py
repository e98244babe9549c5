"""Balls in bins: the pair that dominates every adaptive run, its put option, and the bounds of that on a lattice.

A record falls into bin I, uniform on 1, ..., b. At each step t of bin I the record's query q_t, a vector of length at
most 1 that is chosen from earlier answers, is added to noise N(0, s^2 I); at all other steps, and on the neighbour,
nothing of it is. Given I = i the answers are a function of (z_1, ..., z_b) with z_i ~ N(a, 1), the others N(0, 1), and
of fresh noise, which does not know i:

* the E steps of one bin see the coordinates of E numbers of shift 1/s each; their normed sum has shift a = sqrt(E)/s
  and all else of them, being independent of it, has no shift, so that they can be drawn from z and fresh noise;
* a query c u of length c <= 1 answers c w u + sqrt(1 - c^2) n u + noise in the other directions, w the step's number:
  of shift c/s where w has 1/s and of none where w has none.

So (P, Q) of profiles/allocation.py dominates, and a record that is u at every step attains it. The steps below run the
same argument where all can be listed: three answers for a number, bins and rules written out in exact rationals.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, product

import sympy as sp

from .steps import Derivation, Step, identity

F = Fraction
#: The law of one step's answer without and with the record, of ratios 1/4, 1 and 4; and a weaker query: a coin decides
#: whether it is asked at all.
_NOTHING = (F(4, 7), F(2, 7), F(1, 7))
_FULL = (F(1, 7), F(2, 7), F(4, 7))
_SCALES = (F(1), F(9, 8), F(3, 2), F(2), F(3), F(6))


def _answer(strength: Fraction) -> tuple[Fraction, ...]:
    return tuple(strength * full + (1 - strength) * none for full, none in zip(_FULL, _NOTHING, strict=True))


def _run(bins: int, epochs: int, rule: object) -> tuple[list[Fraction], list[Fraction]]:
    """The laws of all answers with the record and without it; a rule chooses each query's strength by the answers."""
    with_it, without = [], []
    for answers in product(range(3), repeat=bins * epochs):
        rest = F(1)
        for said in answers:
            rest *= _NOTHING[said]
        total = F(0)
        for mine in range(bins):
            chance = F(1, bins)
            for step, said in enumerate(answers):
                strength = rule(step, answers[:step]) if step % bins == mine else F(0)  # type: ignore[operator]
                chance *= _answer(strength)[said]
            total += chance
        with_it.append(total)
        without.append(rest)
    return with_it, without


def _lost(p: list[Fraction], q: list[Fraction], scale: Fraction) -> Fraction:
    return sum((max(x - scale * y, F(0)) for x, y in zip(p, q, strict=True)), F(0))


_RULES = {
    "always": lambda step, before: F(1),
    "half": lambda step, before: F(1, 2),
    "after a loss": lambda step, before: F(1) if not before or before[-1] == 2 else F(1, 3),
    "after none": lambda step, before: F(1) if not before or before[-1] != 2 else F(0),
    "by the sum": lambda step, before: F(1, 1 + sum(before)),
}
_SIZES = ((1, 2), (2, 1), (3, 1), (2, 2), (4, 1))


def _dominated() -> bool:
    """No rule loses more than the full query at every step, in either orientation."""
    for (bins, epochs), scale in product(_SIZES, _SCALES):
        p, q = _run(bins, epochs, _RULES["always"])
        for rule in _RULES.values():
            first, second = _run(bins, epochs, rule)
            if _lost(first, second, scale) > _lost(p, q, scale) or _lost(second, first, scale) > _lost(q, p, scale):
                return False
    return True


def _mean_of_ratios() -> bool:
    """P/Q of a run over b bins is the mean of b independent ratios of one bin."""
    one_p, one_q = _run(1, 1, _RULES["always"])
    for bins in (2, 3):
        p, q = _run(bins, 1, _RULES["always"])
        for scale in _SCALES:
            direct = F(0)
            for chosen in product(range(3), repeat=bins):
                weight = F(1)
                for i in chosen:
                    weight *= one_q[i]
                mean = sum((one_p[i] / one_q[i] for i in chosen), F(0)) / bins
                direct += weight * max(mean - scale, F(0))
            if direct != _lost(p, q, scale):
                return False
    return True


def _put(law: dict[Fraction, Fraction], strike: Fraction) -> Fraction:
    return sum((mass * max(strike - place, F(0)) for place, mass in law.items()), F(0))


def _sum_of(law: dict[Fraction, Fraction], times: int) -> dict[Fraction, Fraction]:
    found = {F(0): F(1)}
    for _ in range(times):
        after: dict[Fraction, Fraction] = {}
        for (one, p), (other, q) in product(found.items(), law.items()):
            after[one + other] = after.get(one + other, F(0)) + p * q
        found = after
    return found


#: A law of mean 1 with much near 0, as a lognormal one has.
_LAW = {F(1, 10): F(1, 2), F(3, 10): F(1, 5), F(9, 5): F(1, 5), F(53, 10): F(1, 10)}


def _bounds(step: Fraction, points: int, begins: Fraction) -> tuple[dict[Fraction, Fraction], dict[Fraction, Fraction]]:
    """The weights from above and from below, as profiles/allocation.py says, in exact rationals."""

    def slope(place: Fraction) -> Fraction:
        return sum((mass for at, mass in _LAW.items() if at < place), F(0))

    def price(place: Fraction) -> Fraction:
        return _put(_LAW, place)

    above = {
        j * step: (price((j + 1) * step) - 2 * price(j * step) + price((j - 1) * step)) / step for j in range(points)
    }
    places = [begins + j * step for j in range(points + 1)]

    def tangent(halfway: Fraction, at: Fraction) -> Fraction:
        return price(halfway) + slope(halfway) * (at - halfway)

    values = [min(tangent(place - step / 2, place), tangent(place + step / 2, place)) for place in places]
    negative = max((j for j, value in enumerate(values) if value < 0), default=-1)
    values = [F(0)] * min(negative + 2, len(values)) + values[negative + 2 :]
    lowest = [_hull(values, j) for j in range(len(values))]
    slopes = [F(0), *((after - before) / step for before, after in pairwise(lowest))]
    below = {place: after - before for place, before, after in zip(places, slopes, slopes[1:], strict=False)}
    return above, below


def _hull(values: list[Fraction], j: int) -> Fraction:
    """The greatest convex function below the values, at one place."""
    chords = [values[j]]
    for i in range(j):
        for k in range(j + 1, len(values)):
            chords.append((values[i] * (k - j) + values[k] * (j - i)) / (k - i))
    return min(chords)


def _enclosed() -> bool:
    """For one summand at all strikes, and so for the sum of several."""
    for step, begins in product((F(1, 2), F(1, 3), F(4, 3)), (F(0), F(1, 10), F(1))):
        above, below = _bounds(step, 12, begins)
        if min(above.values()) < 0 or min(below.values()) < 0:
            return False
        for strike in (F(k, 20) for k in range(1, int(20 * 11 * step))):
            if not _put(below, strike) <= _put(_LAW, strike) <= _put(above, strike):
                return False
            if strike.denominator == 1 and strike <= 4:
                for times in (2, 3):
                    exact = _put(_sum_of(_LAW, times), strike)
                    if not _put(_sum_of(below, times), strike) <= exact <= _put(_sum_of(above, times), strike):
                        return False
    return True


def _greatest_convex(points: list[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """Its corners: a point counts unless a chord of two others is below it; then slope 1."""
    kept = [
        (place, value)
        for j, (place, value) in enumerate(points)
        if all(
            value * (right[0] - left[0]) < left[1] * (right[0] - place) + right[1] * (place - left[0])
            for left in points[:j]
            for right in points[j + 1 :]
        )
    ]
    while len(kept) > 1 and kept[-1][1] - kept[-2][1] >= kept[-1][0] - kept[-2][0]:
        kept.pop()
    return kept


#: Losses of a pair: the ratio, with the masses under P and under Q; and P's mass of infinite loss.
_Pair = tuple[list[tuple[Fraction, Fraction, Fraction]], Fraction]


def _pair(corners: list[tuple[Fraction, Fraction]]) -> _Pair:
    slopes = [*((d - b) / (c - a) for (a, b), (c, d) in pairwise(corners)), F(1)]
    masses = [after - before for before, after in pairwise([F(0), *slopes])]
    places = [place for place, _ in corners]
    found = [(place, place * mass, mass) for place, mass in zip(places, masses, strict=True)]
    return found, 1 - sum((p for _, p, _ in found), F(0))


def _pairs_of(step: Fraction, begins: Fraction) -> tuple[_Pair, _Pair]:
    """The pair above one run of the law and that below it, as profiles/allocation_law.py says."""
    above, below = _bounds(step, 12, begins)
    places = [j * step for j in range(13)]
    upper = _greatest_convex([(place, _put(above, place)) for place in places])
    corners = [(place, _put(below, place)) for place in (begins + j * step for j in range(13))]
    last = next((j for j, (place, value) in enumerate(corners) if value < place - 1), len(corners)) - 1
    ends = [*corners[:last], (corners[last][0], corners[last][0] - 1)]
    return _pair(upper), _pair(_greatest_convex(ends))


_RUN: _Pair = ([(ratio, ratio * mass, mass) for ratio, mass in _LAW.items()], F(0))


def _lost_twice(pair: _Pair, scale: Fraction, *, removal: bool) -> Fraction:
    """delta of two runs; what has infinite loss in either counts in full."""
    losses, infinite = pair
    found = F(0)
    for (_, p, q), (_, other_p, other_q) in product(losses, repeat=2):
        first, second = (p * other_p, q * other_q) if removal else (q * other_q, p * other_p)
        found += max(first - scale * second, F(0))
    return found + (2 * infinite if removal else F(0))


def _composed() -> bool:
    """Both pairs are laws, and two runs lose between what the pairs below and above them do, in each orientation."""
    for step, begins in product((F(1, 2), F(1, 3)), (F(0), F(1, 10))):
        above, below = _pairs_of(step, begins)
        if below[1] or above[1] < 0 or any(q < 0 for losses, _ in (above, below) for _, _, q in losses):
            return False
        for scale, removal in product(_SCALES, (True, False)):
            exact = _lost_twice(_RUN, scale, removal=removal)
            least, most = (_lost_twice(pair, scale, removal=removal) for pair in (below, above))
            if not least <= exact <= most:
                return False
    return True


def _ratios_of(steps: int, chosen: list[tuple[int, ...]]) -> dict[tuple[Fraction, ...], Fraction]:
    """The mean ratio of a record in one of these sets of steps at random, by the ratios of all steps."""
    found = {}
    for at in product(_RATIOS, repeat=steps):
        found[at] = sum((math.prod(at[i] for i in each) for each in chosen), F(0)) / len(chosen)
    return found


#: One step's ratio and its chance without the record: 1/4, 1 and 4, as in the laws above.
_RATIOS = {full / none: none for full, none in zip(_FULL, _NOTHING, strict=True)}


def _in_blocks() -> bool:
    """A record in k of t steps loses no more than one in one step of each of k blocks, of t/k steps or one more each.

    Cut the steps into blocks at random, draw one step of each: that is k of t. Who also learns the blocks learns more.
    """
    for steps, times in ((3, 2), (4, 2), (5, 2), (5, 3)):
        ends = [steps * i // times for i in range(times + 1)]
        blocks = [range(low, high) for low, high in pairwise(ends)]
        least = [range(low, low + steps // times) for low, _ in pairwise(ends)]
        chances = {at: math.prod(_RATIOS[one] for one in at) for at in product(_RATIOS, repeat=steps)}
        any_of = _ratios_of(steps, list(combinations(range(steps), times)))
        for split in (blocks, least):
            one_each = _ratios_of(steps, list(product(*split)))
            for scale in _SCALES:
                for sign in (1, -1):
                    lost, most = (
                        sum((q * max(sign * (of[at] - scale**sign), F(0)) for at, q in chances.items()), F(0))
                        for of in (any_of, one_each)
                    )
                    if lost > most:
                        return False
    return True


_TIMES = ((2, 1), (3, 1), (3, 2), (4, 2), (4, 3))
#: Functions of one answer, in whole numbers: of no use, about log(1 + X), and X itself over its least value.
_SCORES = ((0, 0, 0), (0, 1, 2), (2, 7, 16), (1, 4, 16))


def _scored(law: tuple[Fraction, ...], scores: tuple[int, ...]) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for mass, score in zip(law, scores, strict=True):
        found[F(score)] = found.get(F(score), F(0)) + mass
    return found


def _plus(first: dict[Fraction, Fraction], second: dict[Fraction, Fraction]) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for (one, p), (other, q) in product(first.items(), second.items()):
        found[one + other] = found.get(one + other, F(0)) + p * q
    return found


def _listed(steps: int, times: int, scores: tuple[int, ...]) -> tuple[dict[Fraction, Fraction], ...]:
    """The laws of the sum of all steps' scores with the record and without it, by listing all sets and answers."""
    sets = list(combinations(range(steps), times))
    with_it: dict[Fraction, Fraction] = {}
    without: dict[Fraction, Fraction] = {}
    for answers in product(range(3), repeat=steps):
        total, none = F(sum(scores[i] for i in answers)), math.prod(_NOTHING[i] for i in answers)
        mean = sum(
            (math.prod((_FULL if i in each else _NOTHING)[said] for i, said in enumerate(answers)) for each in sets),
            F(0),
        ) / len(sets)
        with_it[total] = with_it.get(total, F(0)) + mean
        without[total] = without.get(total, F(0)) + none
    return with_it, without


def _sum_is_alike() -> bool:
    """Whichever k steps were drawn, the sum of all steps' scores has one law: k summands of one kind and t - k."""
    for (steps, times), scores in product(_TIMES, _SCORES):
        mine, none = _scored(_FULL, scores), _scored(_NOTHING, scores)
        laws = [{F(0): F(1)}, {F(0): F(1)}]
        for i in range(steps):
            laws = [_plus(laws[0], mine if i < times else none), _plus(laws[1], none)]
        if tuple(laws) != _listed(steps, times, scores):
            return False
    return True


def _events_lose_less(*, attained: bool) -> bool:
    """No event of the sum shows more than the pair loses; where one step of all is drawn, the sum of X shows it all."""
    for (steps, times), scores, scale in product(_TIMES, _SCORES, _SCALES):
        chances = {at: math.prod(_RATIOS[one] for one in at) for at in product(_RATIOS, repeat=steps)}
        ratios = _ratios_of(steps, list(combinations(range(steps), times)))
        lost = sum((q * max(ratios[at] - scale, F(0)) for at, q in chances.items()), F(0))
        with_it, without = _listed(steps, times, scores)
        shown = [
            sum((p - scale * without[at] for at, p in with_it.items() if at >= least), F(0)) for least in (*with_it, 99)
        ]
        if max(shown) > lost or (attained and times == 1 and scores == _SCORES[-1] and max(shown) != lost):
            return False
    return True


c, x, K, t = sp.symbols("c x K t", positive=True)
_z, _a = sp.symbols("z a", real=True)

DERIVATIONS = (
    Derivation(
        "balls in bins: the dominating pair and its put option (chua2025/allocation)",
        ("chua2025/allocation.delta", "chua2025/allocation.eps"),
        (
            identity(
                "the ratio of N(a, 1) to N(0, 1) is exp(a z - a^2/2)",
                sp.expand(-((_z - _a) ** 2) / 2 + _z**2 / 2),
                _a * _z - _a**2 / 2,
            ),
            identity("a shorter query is a longer one and fresh noise: c^2 and 1 - c^2", c**2 + (1 - c**2), 1),
            Step("no adaptive rule of weaker queries loses more than the full query at every step", _dominated),
            Step("the ratio of the run is the mean of independent ratios, one for each bin", _mean_of_ratios),
            identity("(A - K)_+ = A - K + (K - A)_+ where A = K + x", x, (K + x) - K + 0),
            identity("and where A = K - x", sp.Integer(0), (K - x) - K + x),
            identity("(1 - K A)_+ = K (1/K - A)_+", sp.expand(K * (1 / K - t)), 1 - K * t),
            Step(
                "chords bound the option of one summand from above, tangents from below; so do their powers", _enclosed
            ),
            Step("k of t steps lose no more than one of each of k blocks of steps, or of parts of these", _in_blocks),
            Step("the pairs of a grid are above and below a run, and two of them above and below two", _composed),
        ),
    ),
    Derivation(
        "k of t random steps: a test by a sum over all steps (feldman2025/allocation)",
        ("feldman2025/allocation.delta",),
        (
            Step("whichever steps were drawn, a sum of one function of each step has one law", _sum_is_alike),
            Step("no event of such a sum shows more than is lost", lambda: _events_lose_less(attained=False)),
            Step("of one of t steps the sum of the ratios shows all", lambda: _events_lose_less(attained=True)),
        ),
    ),
)
