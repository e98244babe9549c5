"""Find the proofs that certificates hold: orders, splits, grids, events and thresholds that the kernel accepts.

Everything here may be wrong, since the kernel decides: a fault costs a certificate, and proves nothing. Floats plan.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

from privref.composition.bounded_range import worst_ends
from privref.exact.errors import UndecidedError
from privref.exact.numbers import bits_below, spell
from privref.guarantees.selection import ORDERS_OF_A_TRIAL
from privref.guarantees.two_point import two_point_witness
from privref.kernel import bins, certificate, grid, ranges, theorems
from privref.kernel.balls import rational, working
from privref.kernel.fields import LEAST, MOST, Fields
from privref.kernel.numbers import Malformed, Refused
from privref.kernel.pairs import InBins, Law, Normal, Pair, Response, Revealed, WorstApproximate
from privref.kernel.record import FILTERS, Event, Guarantee, Record, read
from privref.kernel.refutations import (
    DIVISION,
    EPOCH,
    MOMENT,
    MOST_ORDERS,
    TEST,
    TWO_POINTS,
    refute,
    running_together,
    steps_of,
    worst_case,
    worst_of_guarantees,
)
from privref.kernel.theorems import TABLES, Goal, prove
from privref.profiles.sampled import multipliers

Document = dict[str, Any]
Pairs = Sequence[tuple[Pair, int]]

#: Points of lattices for balls in bins; and a weight so small that the logarithms of the sums add up as the ratios do.
_LATTICES, _HARDLY = (2**10, 2**12, 2**14, 2**16), Fraction(1, 2**40)
#: Points of the largest grid that is tried, halvings of its step, and the share of delta that a window leaves out.
_MOST_POINTS, _MOST_HALVINGS, _LEFT_OUT = 2**17, 10, 2**-12
#: That share, and more bits, of a lower bound: risks state it to a hundred thousandth, and each cell is rounded.
_LEFT_OUT_BELOW, _BITS_BELOW = 2**-20, 32
#: Events that are tried alone in a lower bound.
_MOST_ALONE = 4
#: Pairs of one bounded range for which the worst losses are looked for.
_MOST_OF_A_RANGE = 20
#: A lower bound of less than this share of delta on one grid is not looked for on a finer one.
_HOPELESS = Fraction(3, 4)
#: The largest exponent whose exponential is a float.
_MOST_EXPONENT = 700.0
#: How often a window is made half as wide again.
_MOST_WIDENINGS = 12
#: Grids that are tried for one lower bound.
_MOST_TESTS = 8
#: Steps of a grid for very many rounds, in deviations of a round's loss; how far its window reaches, in deviations of
#: the sum; and of delta the part that the losses of single rounds beyond their window have.
_PARTS_OF_A_DEVIATION, _SPREADS, _BEYOND = (1 / 2, 1 / 8, 1 / 32), 9.0, 1000
#: The squares of shifts, in deviations of the noise, for which a round's deviation is known by floats.
_SQUARES = Fraction(1, 10**12), 400
#: The kernel's units of work that such a grid may take: some seconds.
_MOST_OF_A_PLAN = 15 * 10**8
#: Places after the binary point of an order, and steps of the search for it.
_ORDER_BITS, _ORDER_STEPS = 40, 80
#: Steps of the largest range in a recursion; boxes of a cover, and how often its sides are halved at most.
_CELLS = (16, 32, 64, 128, 320, 640, 1280)
_MOST_BOXES, _LEAST_SIDE = 20_000, 2**16
_CONVERTED = ("cks2020/zcdp2dp", "mironov2017/mixed", "cks2020/rdp2dp")
_ON_GRID = (
    "kov2015/optimal", "mv2016/optimal", "zdw2022/thm10", "zdw2022/poisson_gaussian", "chua2024b/cut",
    "chua2024b/truncated",
)  # fmt: skip


#: Why the kernel takes no other theorem than that of a filter.
NO_FILTER = "parameters were not fixed in advance, and this theorem is not a filter"


@dataclass(frozen=True, slots=True)
class Proved:
    """The proofs of a verdict, one for each combination of parts; or why the kernel has none."""

    proofs: tuple[Document, ...]
    reason: str = ""


def proofs(
    ledger: Mapping[str, Any],
    claim: Mapping[str, Any],
    verdict: str,
    preferred: Sequence[str] = (),
    of_unit: tuple[Fraction, Fraction] | None = None,
) -> Proved:
    """Look for proofs of a verdict that the kernel accepts; ``preferred`` theorems are tried first."""
    try:
        record = read(ledger, MOST if verdict == "confirmed" else LEAST)
        stated = certificate.claim_of(claim, record)
        found = _confirming if verdict == "confirmed" else _contradicting
        return found(record, stated, verdict, preferred, of_unit)
    except (Refused, Malformed) as refusal:
        return Proved((), str(refusal))


def _goal(claim: certificate.Claim) -> Goal:
    return Goal(claim.notion, claim.size, claim.delta, claim.periods)


def _confirming(
    record: Record,
    claim: certificate.Claim,
    verdict: str,
    preferred: Sequence[str],
    of_unit: tuple[Fraction, Fraction] | None,
) -> Proved:
    apart, found = certificate.apart_of(record, claim), []
    for parts, part in certificate.cases(record, claim, []):
        proof = _proof(part, parts, claim, apart, preferred, of_unit)
        if isinstance(proof, str):
            return Proved((), proof)
        found.append(({"case": dict(parts)} if parts else {}) | proof)
    return Proved(tuple(found))


def _proof(
    record: Record,
    parts: Mapping[str, str],
    claim: certificate.Claim,
    apart: int,
    preferred: Sequence[str],
    of_unit: tuple[Fraction, Fraction] | None,
) -> Document | str:
    """The first theorem that the kernel accepts, or the reason of the first one that it does not."""
    named = [by for by in TABLES[claim.notion] if claim.by in ("", by) or claim.by.startswith(f"{by}.")]
    order = [*(by for by in preferred if by in named), *(by for by in named if by not in preferred)]
    reasons = [
        f"{by} has no row in the kernel for a claim of {claim.notion}"
        for by in preferred
        if by not in TABLES[claim.notion]
    ]
    ways: list[tuple[list[Record], Goal, Document]] = []
    if apart == 1:
        ways.append(([record], _goal(claim), {}))
    else:
        if of_unit is not None:
            unit = {"epsilon": spell(of_unit[0]), "delta": spell(of_unit[1])}
            goal = replace(_goal(claim), size=of_unit[0], delta=of_unit[1])
            ways.append(([record], goal, {"of_unit": unit}))
        try:
            if parts:
                raise Refused("the units of a group may lie in different parts: claim it of one unit")
            ways.append((certificate.groups(record, claim, apart), _goal(claim), {}))
        except Refused as refusal:
            reasons.append(str(refusal))
    for by in order:
        for records, goal, more in ways:
            # The kernel would refuse any witness, and a grid takes long to plan.
            barred = not record.fixed and (by not in FILTERS or claim.notion == "mu")
            witness = NO_FILTER if barred else _witness(by, records, goal)
            if isinstance(witness, str):
                reasons.append(f"{by}: {witness}")
            else:
                return {**more, "by": by, "witness": witness}
    return reasons[0] if reasons else f"the kernel has no theorem {claim.by}"


def _accepts(by: str, record: Record, goal: Goal, witness: Document) -> str:
    """Ask the kernel; "" where it accepts the witness."""
    try:
        with Fields(witness, "witness") as fields:
            prove(by, record, replace(goal, premises=[]), fields)
    except (Refused, Malformed) as refusal:
        return str(refusal)
    return ""


def _witness(by: str, records: list[Record], goal: Goal) -> Document | str:
    """A witness that the kernel accepts for all of them, or its last refusal."""
    refusal = "no witness was found"
    try:
        for candidate in _candidates(by, records[0], goal):
            witness = candidate | _second_orders(by, records[0], candidate)
            refusals = (_accepts(by, record, goal, witness) for record in records)
            refusal = next(filter(None, refusals), "")
            if not refusal:
                return witness
    except Refused as refused:
        # A record of which this theorem has no pairs: another one may apply.
        return str(refused)
    return refusal


def _candidates(by: str, record: Record, goal: Goal) -> Iterator[Document]:
    if goal.notion == "epsilon" and by in _CONVERTED:
        for order in _orders(by, record, goal):
            yield {"order": spell(order)}
            yield {"order": spell(order), "precision": 1024}
    elif goal.notion == "epsilon" and by in _ON_GRID:
        yield from _grids(by, record, goal)
    elif by == "lecuyer2021/renyi_grid_filter":
        events = _different(record)
        orders = sorted(theorems.GRID_ORDERS, key=lambda order: _excess(by, record, events, goal, order))
        yield from ({"order": spell(order)} for order in orders[:3])
    elif by == "chua2025/allocation":
        yield from _lattices(goal)
    elif by == "gdp/domination":
        yield from _squares_left(record)
    elif by == "dong2020/advance":
        yield from _covers(record, goal)
    else:
        yield {}
        if by in ("dong2020/adaptive", "dong2020/unequal"):
            yield from _recursions(record, goal)
        if by not in ("rogers2016/thm2.9", "rogers2016/thm3.3", "whitehouse2023/thm1"):
            yield {"precision": 1024}


def _squares_left(record: Record) -> Iterator[Document]:
    """What is left of mu^2 after each group of rounds, from the least one that is enough."""
    # Imported late: no small audit runs a filter.
    from privref.adaptive.domination import least_squares

    rounds: list[tuple[Fraction | None, Fraction, int]] = []
    for event in record.events:
        square, dp = event.mu_squared, event.dp
        if square is None and dp is None:
            return
        own = square or Fraction(0)
        rounds.append((None if square is not None or dp is None else dp[0], own, event.count))
    try:
        square, groups = least_squares(rounds)
    except UndecidedError:
        return
    yield {"square": spell(square), "groups": [{"rounds": n, "left": spell(left)} for n, left in groups]}


# -- orders -------------------------------------------------------------------------------------------------------


def _orders(by: str, record: Record, goal: Goal) -> Iterator[Fraction]:
    """The order at which the conversion is best, by floats; of Renyi guarantees each declared one."""
    guarantees = [event.guarantee for event in record.events if event.law is None and event.guarantee is not None]
    trials = [found.of for found in guarantees if found.of is not None]
    declared = {order for found in (*guarantees, *trials) for order, _ in found.orders}
    if any(not found.orders for found in trials):
        declared |= {*ORDERS_OF_A_TRIAL}
    sampled = any(event.law is not None and any(p.rate < 1 for p in event.law.pairs) for event in record.events)
    events = _different(record)
    if by == "cks2020/rdp2dp" and (declared or sampled):
        whole = [Fraction(n) for n in (*range(2, 65), 80, 96, 128, 160, 192, 256)] if sampled else []
        yield from sorted({*declared, *whole}, key=lambda order: _excess(by, record, events, goal, order))[:3]
        return
    low, high = -20.0, 25.0
    for _ in range(_ORDER_STEPS):
        third = (high - low) / 3
        left, right = low + third, high - third
        if _excess(by, record, events, goal, _order(left)) < _excess(by, record, events, goal, _order(right)):
            high = right
        else:
            low = left
    yield _order((low + high) / 2)


def _second_orders(by: str, record: Record, witness: Document) -> Document:
    """The second order of each kind of trials, where the theorem takes one: at the witness's order or the ledger's."""
    found = witness.get("order", record.tuning.get(by, {}).get("order"))
    if found is None or by in ("cks2020/zcdp2dp", "mironov2017/mixed"):
        return {}
    orders = [order for event, _ in _different(record) for order in _seconds(event, Fraction(found))]
    return {"others": [spell(order) for order in orders]} if orders else {}


def _seconds(event: Event, order: Fraction) -> list[Fraction]:
    return [_second(event, order)] if event.guarantee is not None and event.guarantee.of is not None else []


@lru_cache(4096)
def _second(event: Event, order: Fraction) -> Fraction:
    """The second order at which the best of trials is bounded best, by one that has such a bound."""
    assert event.guarantee is not None
    assert event.guarantee.of is not None
    declared = [other for other, _ in event.guarantee.of.orders]

    def bound(other: Fraction) -> float:
        with working(64):
            found = theorems.renyi_moment(event, order, iter((other,)))
            return float(found.mid()) if found.is_finite() else math.inf

    # It falls and then rises: a ledger may have many kinds of trials, and each is asked for at each order.
    choices: Sequence[Fraction] = declared or ORDERS_OF_A_TRIAL
    low, high = 0, len(choices) - 1
    try:
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if bound(choices[middle]) <= bound(choices[middle + 1]) else (middle + 1, high)
    except (Refused, OverflowError):
        return choices[-1]
    return choices[low]


def _order(exponent: float) -> Fraction:
    """1 + e^exponent as a short rational."""
    scale = 2 ** max(_ORDER_BITS - math.floor(exponent / math.log(2)), 0)
    return 1 + Fraction(max(round(math.exp(exponent) * scale), 1), scale)


def _float(value: Fraction) -> float:
    return float(min(value, Fraction(10**300)))


def _different(record: Record) -> list[tuple[Event, int]]:
    """Events of different moments, and how often one with each ran: their deltas are apart."""
    found: dict[tuple[Law | None, Guarantee | None], tuple[Event, int]] = {}
    for event in record.events:
        kind = event.law, event.guarantee and replace(event.guarantee, delta=Fraction(0))
        first, times = found.get(kind, (event, 0))
        found[kind] = first, times + event.count
    return list(found.values())


def _excess(by: str, record: Record, events: list[tuple[Event, int]], goal: Goal, order: Fraction) -> float:
    """What the kernel compares with log(delta'), roughly, but for the part that no order changes."""
    alpha = float(order)
    try:
        with working(64):
            if by != "cks2020/zcdp2dp":
                moment = sum(
                    float((n * theorems.renyi_moment(event, order, iter(_seconds(event, order)))).mid())
                    for event, n in events
                )
            else:
                rho = sum(float(event.zcdp[0]) * event.count for event in record.events if event.zcdp is not None)
                if not record.fixed and record.budget is not None and record.budget.of_rho:
                    rho = float(record.budget.size)
                moment = alpha * (alpha - 1) * rho
    except (Refused, OverflowError, ValueError):
        return math.inf
    size = _float(goal.size)
    if not record.fixed and record.budget is not None and not record.budget.of_rho:
        size = _float(record.budget.size)
    return moment - (alpha - 1) * size + alpha * math.log1p(-1 / alpha) - math.log(alpha - 1)


# -- bounded ranges -----------------------------------------------------------------------------------------------


def _ranges(record: Record) -> list[tuple[Fraction, int]]:
    """The different ranges above 0, the least first, with their numbers."""
    found: dict[Fraction, int] = {}
    for event in record.events:
        if event.width:
            found[event.width] = found.get(event.width, 0) + event.count
    return sorted(found.items())


def _recursions(record: Record, goal: Goal) -> Iterator[Document]:
    """Steps of the recursion from coarse to fine: the least range is a multiple where the others may be, too."""
    kinds = _ranges(record)
    if not kinds or not goal.delta:
        return
    bits = min(64 * -(-(64 + bits_below(goal.delta)) // 64), 4096)
    count = sum(times for _, times in kinds)
    shared = Fraction(
        math.gcd(
            *(width.numerator * math.lcm(*(w.denominator for w, _ in kinds)) // width.denominator for width, _ in kinds)
        ),
        math.lcm(*(w.denominator for w, _ in kinds)),
    )
    most = kinds[-1][0]
    for cells in _CELLS:
        if cells * cells * count * count > ranges.MOST_PRODUCTS // 2:
            return
        wide = most / cells
        step = shared / math.ceil(shared / wide) if shared > wide / 4 else wide
        yield {"step": spell(step), "bits": bits}


def _covers(record: Record, goal: Goal) -> Iterator[Document]:
    """A cover by boxes, each halved until what is lost in it is at most delta; none where that takes too many."""
    kinds = _ranges(record)
    if len(kinds) > ranges.MOST_KINDS or not goal.delta:
        return
    splits: list[int] = []
    waiting: list[ranges.Box] = [tuple((Fraction(0), width) for width, _ in kinds)]
    with working(128):
        while waiting:
            box = waiting.pop()
            if len(splits) > _MOST_BOXES:
                return
            if ranges.in_box(kinds, box, goal.size).upper() <= rational(goal.delta).lower():
                splits.append(-1)
                continue
            sides = [times * (high - low) for (low, high), (_, times) in zip(box, kinds, strict=True)]
            cut = sides.index(max(sides))
            if kinds[cut][0] > (box[cut][1] - box[cut][0]) * _LEAST_SIDE:
                return
            splits.append(cut)
            waiting += reversed([*ranges.halves(box, cut)])
    yield {"splits": splits}


# -- grids --------------------------------------------------------------------------------------------------------


def _rounds(by: str, record: Record) -> list[tuple[Pair, int]]:
    if by in ("kov2015/optimal", "mv2016/optimal"):
        return theorems.worst_case_rounds(record)
    return theorems.dominating_rounds(record, labelled=by == "chua2024b/cut")


def _grids(by: str, record: Record, goal: Goal) -> Iterator[Document]:
    """Grids from coarse to fine. The window leaves out a small part of delta."""
    if not 0 < goal.delta < 1:
        return
    rounds = _rounds(by, record)
    before: float | None = None
    for plan, composed in _plans(rounds, goal.size, goal.delta):
        if by == "chua2024b/truncated":
            yield _written(plan)
            continue
        with working(grid.precision(plan)):
            delta = max(float(grid.hockey_stick(found, plan, goal.size).mid()) for found in composed)
        if delta <= goal.delta:
            yield _written(plan)
        # What a step adds falls by its square, but not evenly where losses lie off the grid: at most as much is left to
        # gain as the last step gained.
        if before is not None and delta - (before - delta) > goal.delta:
            return
        before = delta


def _written(plan: grid.Grid) -> Document:
    written = {"step": spell(plan.step), "bits": plan.bits, "low": plan.low, "high": plan.high, "own": plan.own}
    return {**written, "lattice": plan.lattice} if plan.lattice else written


def _in_bins(rounds: Pairs, step: Fraction, reach: Fraction) -> int:
    """Points of a lattice for balls in bins, whose ratios are about as far apart as the losses; 0 without bins."""
    most = max((pair.base.bins for pair, _ in rounds if isinstance(pair.base, InBins)), default=0)
    fine = math.sqrt(most) * math.exp(min(float(reach), _MOST_EXPONENT)) / float(4 * step)
    return most and min(max(_LATTICES[0], 1 << math.ceil(math.log2(fine))), _LATTICES[-1])


def _bits(delta: Fraction, rounds: Pairs, exact: bool) -> int:
    """Binary places of the masses: where losses lie on the grid themselves, their rounding is all that is lost."""
    small, wide = bits_below(delta), sum(times for _, times in rounds).bit_length()
    if exact:
        return min(64 * -(-(small + 2 * wide + 64) // 64), 4096)
    return min(16 * -(-(small + wide + 28) // 16), 4096)


def _cases(pair: Pair) -> tuple[tuple[Fraction, Pair], ...]:
    """The pairs that a round may have, with their chances; what loses nothing is left out."""
    return pair.base.parts if isinstance(pair.base, Revealed) else ((Fraction(1), pair),)


def _common(rounds: Pairs) -> Fraction | None:
    """The largest step of which the losses of all rounds are multiples, where they are few."""
    step = Fraction(0)
    for pair in [part for each, _ in rounds for _, part in _cases(each)]:
        if pair.rate < 1 or not isinstance(pair.base, Response | WorstApproximate):
            return None
        epsilon = pair.base.epsilon
        top = math.gcd(step.numerator * epsilon.denominator, epsilon.numerator * step.denominator)
        step = Fraction(top, step.denominator * epsilon.denominator)
    return step or None


def _plans(
    rounds: Pairs, epsilon: Fraction, delta: Fraction, *, below: bool = False
) -> Iterator[tuple[grid.Grid, list[grid.Masses]]]:
    """Grids of finer and finer steps, with the composed law for each order of the two laws.

    The chance that a loss lies beyond the window is small against delta.
    """
    span = epsilon + 1
    common = _common(rounds)
    exact = common is not None and 0 < common <= 4 and 4 * span / common < _MOST_POINTS
    bits = min(_bits(delta, rounds, exact) + (_BITS_BELOW if below else 0), 4096)
    least = delta * Fraction(_LEFT_OUT_BELOW if below else _LEFT_OUT)
    first = Fraction(2) ** math.floor(math.log2(float(span) / 256))
    own = span / 32
    for step in [common] if exact and common is not None else [first / 2**n for n in range(_MOST_HALVINGS)]:
        found = _window(rounds, step, bits, own, 3 * span / 2, least, exact)
        if found is None:
            # A window that is too wide for one step is too wide for a finer one.
            return
        own, plan, composed = found
        yield plan, composed


def _window(
    rounds: Pairs, step: Fraction, bits: int, own: Fraction, reach: Fraction, least: Fraction, exact: bool
) -> tuple[Fraction, grid.Grid, list[grid.Masses]] | None:
    """The window of one round and of all beyond which hardly anything lies; None where it is too wide."""
    both = any(pair.rate < 1 or isinstance(pair.base, (InBins, Revealed)) for pair, _ in rounds)
    orders = (True, False) if both else (True,)
    count = sum(times for _, times in rounds)
    laws: dict[tuple[Pair, bool], grid.Masses] = {}
    for pair, order in ((pair, order) for pair, _ in rounds for order in orders):
        allowed = least / count + _infinite([(pair, 1)])
        while (pair, order) not in laws:
            wide = math.ceil(own / step)
            if 2 * wide > _MOST_POINTS:
                return None
            plan = grid.Grid(step, bits, -wide, wide, wide, _in_bins([(pair, 1)], step, own))
            with working(grid.checked(plan, [(pair, 1)])):
                found = grid.law(pair, order, plan)
            if found.infinite <= allowed * 2**bits:
                laws[pair, order] = found
            else:
                own *= 2
    # The kernel lists a round's losses within the window of all only.
    reach = max(reach, own)
    for _ in range(_MOST_WIDENINGS):
        wide = math.ceil(reach / step)
        if 2 * wide > _MOST_POINTS:
            return None
        # From so far below 0 hardly any loss comes back to above epsilon.
        fine = _in_bins(rounds, step, own)
        plan = grid.Grid(step, bits, -wide if exact else -(wide // 2), wide, math.ceil(own / step), fine)
        try:
            grid.checked(plan, rounds)
        except Refused:
            return None
        composed = [grid.composed([(laws[pair, order], n) for pair, n in rounds], plan) for order in orders]
        if max(found.infinite for found in composed) <= (least + _infinite(rounds)) * 2**bits:
            return own, plan, composed
        reach *= Fraction(3, 2)
    return None


def _infinite(rounds: Pairs) -> Fraction:
    """What no window leaves in: the deltas of worst cases."""
    cases = ((times * chance, part.base) for pair, times in rounds for chance, part in _cases(pair))
    return sum((share * getattr(base, "delta", Fraction(0)) for share, base in cases), Fraction(0))


def _lattices(goal: Goal) -> Iterator[Document]:
    """Lattices for balls in bins from coarse to fine, with bits that keep the claimed delta."""
    if not 0 < goal.delta < 1 or goal.size > bins.MOST_EPSILON:
        return
    small = goal.delta.denominator.bit_length() - goal.delta.numerator.bit_length() + math.ceil(goal.size * 3 / 2)
    for points in _LATTICES:
        yield {"points": points, "bits": 32 * -(-(small + 2 * points.bit_length() + 64) // 32)}


def _run_in_steps(event: Event) -> InBins | None:
    """The pair that an event attains if it is a run on bins."""
    bases = [pair.base for pair in event.law.lost] if event.law is not None else []
    return next((base for base in bases if isinstance(base, InBins)), None)


def _by_steps(record: Record, goal: Goal, places: Sequence[int]) -> Iterator[Document]:
    """The test by a sum over the steps of each run on bins alone."""
    for place in places:
        base = _run_in_steps(record.events[place])
        for weight, plan in _plans_of_steps(base, goal) if base is not None else ():
            assert base is not None
            with Fields({"weight": spell(weight)}, "witness") as given:
                rounds = [(part, n * record.events[place].count) for part, n in steps_of(Pair(base), given)]
            threshold, value = _best_threshold(rounds, True, plan, goal.size)
            if value > goal.delta:
                yield {"events": [place], "weight": spell(weight), **_written(plan), "threshold": threshold}


def _plans_of_steps(base: InBins, goal: Goal) -> Iterator[tuple[Fraction, grid.Grid]]:
    """Weights and grids: of one bin the sum of all ratios, which decides up to its value at the claimed epsilon."""
    from privref.profiles.chosen import best_event

    small = bits_below(goal.delta or Fraction(1, 2**40)) + math.ceil(goal.size * 3 / 2)
    if base.held == 1:
        most = Fraction(math.ceil(base.bins * math.exp(float(goal.size)) * 2**20), 2**20)
        for points in _LATTICES[:-1]:
            bits = 32 * -(-(small + 2 * base.bins.bit_length() + points.bit_length() + 24) // 32)
            yield _HARDLY, grid.Grid(most * _HARDLY / points, bits, -1, points + base.bins, points)
        return
    sigma = multipliers(base.square / base.held)[1]
    found = best_event(base.bins, base.held, sigma, goal.size)
    if found is None:
        return
    weight, mesh, threshold = found
    bits = 32 * -(-(small + 2 * base.bins.bit_length() + threshold.bit_length() + 24) // 32)
    # Hardly any answer of a step is farther out.
    reach = math.sqrt(2 * math.log(2) * bits) + 1 / float(sigma)
    own = math.ceil(math.log1p(float(weight) * math.exp(min(reach / float(sigma), _MOST_EXPONENT))) / float(mesh))
    yield weight, grid.Grid(mesh, bits, -1, max(threshold, own) + 1, own)


# -- lower bounds -------------------------------------------------------------------------------------------------


def _contradicting(
    record: Record,
    claim: certificate.Claim,
    verdict: str,
    preferred: Sequence[str],
    of_unit: tuple[Fraction, Fraction] | None,
) -> Proved:
    if certificate.apart_of(record, claim) > 1:
        return Proved((), "lower bounds are about one unit and the ledger's own neighbours")
    reason = "no lower bound was found that the kernel accepts"
    names = dict.fromkeys(event.part[0] for event in record.events if event.part is not None)
    # A lower bound is of the events that read all records, and one part of one partition.
    apart = [
        replace(record, events=tuple(event for event in record.events if event.part is None or event.part[0] == name))
        for name in (names or [""])
    ]
    for parts, part in (found for each in apart for found in certificate.cases(each, claim, [])):
        of_case = replace(part, together=part.together and claim.periods == 1, budget=record.budget)
        for by, witness in _bounds(of_case, _goal(claim), verdict):
            try:
                with Fields(witness, "witness") as fields:
                    (refute if verdict == "refuted" else worst_case)(of_case, _goal(claim), by, fields)
                return Proved(((({"case": dict(parts)} if parts else {}) | {"by": by, "witness": witness}),))
            except (Refused, Malformed) as refusal:
                reason = str(refusal)
    return Proved((), reason)


def _bounds(record: Record, goal: Goal, verdict: str) -> Iterator[tuple[str, Document]]:
    """Sets of events with the test that tells most, or with their moment."""
    underivable = verdict == "underivable"
    sized = [place for place, event in enumerate(record.events) if event.divided and not underivable]
    if sized:
        most = max(sized, key=lambda place: record.events[place].count * record.events[place].divided)
        yield DIVISION, {"events": sized if record.together else [most]}
    for place, event in enumerate(record.events):
        if not underivable and event.law is not None and event.law.epoch is not None:
            yield EPOCH, {"events": [place], "deviations": spell(_deviations(*event.law.epoch, goal.size))}
    usable = [
        place
        for place, event in enumerate(record.events)
        if (event.law.attained if event.law is not None else event.guarantee) and (event.law is None) == underivable
    ]
    weight = {place: _weight(record.events[place]) for place in usable}
    alone = [[place] for place in sorted(usable, key=lambda place: -weight[place])[:_MOST_ALONE]]
    together = record.together or underivable
    near_zero = underivable and _near_zero(record, goal)
    two_answers = [(TWO_POINTS, each) for each in _two_points(record, goal, alone)] if near_zero else []
    yield from two_answers
    for places in [*([usable] if together and len(usable) > 1 else []), *alone]:
        kept = _testable(record, places, verdict)
        if not kept:
            continue
        if goal.notion != "epsilon":
            yield MOMENT, {"events": kept}
        elif verdict == "refuted" and any(_run_in_steps(record.events[place]) for place in kept):
            yield from ((TEST, witness) for witness in _by_steps(record, goal, kept))
        else:
            yield from ((TEST, witness) for witness in _tests(record, goal, kept, verdict))
    if underivable and goal.notion == "epsilon" and not two_answers:
        yield from ((TWO_POINTS, witness) for witness in _two_points(record, goal, alone))


def _deviations(batches: int, square: Fraction, epsilon: Fraction) -> Fraction:
    """About how far out the test of an epoch tells most."""
    from privref.profiles.shuffled import best_threshold

    sigma = multipliers(square)[1]
    return best_threshold(sigma, batches, epsilon) / sigma


def _near_zero(record: Record, goal: Goal) -> bool:
    """Whether the claimed epsilon is at most the rho of an event, where two answers are found at once."""
    kept = [event.guarantee for event in record.events if event.guarantee is not None]
    return goal.notion == "epsilon" and any(each.kind == "zcdp" and each.rho >= goal.size for each in kept)


def _two_points(record: Record, goal: Goal, alone: list[list[int]]) -> Iterator[Document]:
    """A mechanism of two answers in place of one zCDP event, and orders between which it is shown to be zCDP."""
    for (place,) in alone:
        found = record.events[place].guarantee
        if found is None or found.kind != "zcdp":
            continue
        pair = two_point_witness(found.rho, goal.size, goal.delta)
        if pair is not None:
            orders = _covering(float(found.rho), *pair)
            yield {"events": [place], "p": spell(pair[0]), "q": spell(pair[1]), "orders": [*map(spell, orders)]}


def _covering(rho: float, p: Fraction, q: Fraction) -> list[Fraction]:
    """Orders from each of which the next one is as far as the moments of both directions allow, with a small margin."""
    orders = [Fraction(1)]
    most = max(math.log(p / q), math.log((1 - q) / (1 - p))) / rho
    with working(256):
        logs = [
            (rational(x), rational(x / y).log(), rational((1 - x) / (1 - y)).log()) for x, y in ((p, q), (1 - q, 1 - p))
        ]
        step = Fraction(1, 4)
        while orders[-1] <= most and len(orders) < MOST_ORDERS and step > Fraction(1, 2**18):
            reached = orders[-1] + step
            power, bound = rational(reached - 1), rational((reached - 1) * orders[-1]) * rho
            if all((x * (power * up).exp() + (1 - x) * (power * down).exp()).log() < bound for x, up, down in logs):
                orders.append(reached)
                step = min(2 * step, orders[-1] / 4)
            else:
                step /= 2
    return orders[1:]


def _testable(record: Record, places: Sequence[int], verdict: str) -> list[int]:
    """The events that a lower bound may use."""
    unconditional = record.fixed and record.budget is None
    kept = []
    for place in places:
        event = record.events[place]
        cells = len(event.guarantee.cells) if event.guarantee is not None else 0
        rdp = event.guarantee is not None and event.guarantee.kind == "rdp"
        if verdict == "refuted" or (not rdp and (cells <= 1 or unconditional or len(places) == 1)):
            kept.append(place)
    return kept


def _weight(event: Event) -> float:
    rho = event.zcdp
    if rho is not None:
        return float(rho[0] + rho[1]) * event.count
    pairs = event.dominating or ()
    return event.count * sum(float(pair.rate) ** 2 for pair in pairs)


def _tests(record: Record, goal: Goal, places: list[int], verdict: str) -> Iterator[Document]:
    """The best threshold on each grid, for each order of the laws; of bounded ranges, for some choices of losses."""
    widths = [record.events[place].width for place in places]
    if verdict != "underivable" or not any(widths):
        yield from _tests_of(record, goal, places, verdict, [Fraction(0)] * len(places), {})
        return
    chosen = [(width or Fraction(0), record.events[place].count) for width, place in zip(widths, places, strict=True)]
    few = [(width, min(n, _MOST_OF_A_RANGE)) for width, n in chosen]
    for tops in (worst_ends(few, goal.size), [width / 2 for width, _ in chosen]):
        inside = [min(max(top, Fraction(0)), width) for top, (width, _) in zip(tops, chosen, strict=True)]
        yield from _tests_of(record, goal, places, verdict, inside, {"tops": [spell(top) for top in inside]})


def _tests_of(
    record: Record, goal: Goal, places: list[int], verdict: str, tops: list[Fraction], more: Document
) -> Iterator[Document]:
    if verdict == "refuted":
        laws = [(record.events[place].law, record.events[place].count) for place in places]
        rounds = [(pair, n) for law, n in laws if law is not None for pair in law.lost]
    else:
        events = running_together(record, [record.events[place] for place in places])
        rounds = worst_of_guarantees(events, tops)
    if not rounds:
        return
    sampled = any(pair.rate < 1 for pair, _ in rounds)
    delta = goal.delta or Fraction(1, 2**40)
    known = islice((plan for plan, _ in _plans(rounds, goal.size, delta, below=True)), _MOST_TESTS)
    for plans in (known, _plans_of_many(rounds, goal.size, delta)):
        before: Fraction | None = None
        for plan in plans:
            most = Fraction(0)
            for removal in (True, False) if sampled else (True,):
                try:
                    threshold, value = _best_threshold(rounds, removal, plan, goal.size)
                except Refused:
                    break
                most = max(most, value)
                if value > goal.delta:
                    document: Document = {"events": places, **more, **_written(plan), "threshold": threshold}
                    yield document if removal else {**document, "removal": False}
            # What a coarse cell of many rounds loses falls by the square of its size.
            if most < goal.delta * _HOPELESS or (before is not None and 2 * most - before <= goal.delta):
                break
            before = most if plans is not known else None


def _plans_of_many(rounds: Pairs, epsilon: Fraction, delta: Fraction) -> Iterator[grid.Grid]:
    """Coarse grids for very many Gaussian rounds: the cell of a round is a part of its loss's deviation.

    A sum of cells is below that of the losses by about half a step for each round. This moves the threshold, and takes
    next to nothing from the test; only the window has to reach there.
    """
    from privref.profiles.chosen import deviation

    count = sum(n for _, n in rounds)
    if any(pair.means or not isinstance(pair.base, Normal) for pair, _ in rounds):
        return
    low, high = _SQUARES
    if any(not low <= pair.base.square <= high for pair, _ in rounds if isinstance(pair.base, Normal)):
        return
    deviations, own = 0.0, 0.0
    far = math.sqrt(2 * (math.log(count * _BEYOND) + bits_below(delta) * math.log(2)))
    for pair, n in rounds:
        assert isinstance(pair.base, Normal)
        a, rate = math.sqrt(pair.base.square), float(pair.rate)
        most = a * (far + a / 2)
        if rate < 1:
            deviations += n * deviation(a, rate / (1 - rate)) ** 2
            own = max(own, math.log1p(rate * math.expm1(min(most, _MOST_EXPONENT))), -math.log1p(-rate))
        else:
            deviations, own = deviations + n * a * a, max(own, most)
    spread = math.sqrt(deviations)
    if not spread:
        return
    bits = min(_bits(delta, rounds, False) + _BITS_BELOW, 4096)
    for part in _PARTS_OF_A_DEVIATION:
        step = Fraction(2) ** math.floor(math.log2(part * spread / math.sqrt(count)))
        wide, of_one = math.ceil(_SPREADS * spread / step), math.ceil(own / step)
        least = -math.ceil(count / 2 + deviations / (2 * step)) - wide
        plan = grid.Grid(step, bits, least, max(of_one, math.ceil(epsilon / step)) + wide, of_one)
        if grid.work(plan, rounds) > _MOST_OF_A_PLAN:
            return
        yield plan


def _best_threshold(rounds: Pairs, removal: bool, plan: grid.Grid, epsilon: Fraction) -> tuple[int, Fraction]:
    """Where P(S) - e^eps Q(S) is largest, and roughly how large."""
    first, second = grid.event_laws(rounds, removal, plan)
    with working(128):
        factor = rational(epsilon).exp()
        scaled = int(float(factor.mid()) * 2**64) if epsilon < 500 else int((factor * 2**64).mid().floor().fmpz())
    best, threshold, value = None, plan.high, first.infinite * 2**64 - second.infinite * scaled
    for j in range(plan.high, plan.low - 1, -1):
        p = first.masses[j - first.low] if 0 <= j - first.low < len(first.masses) else 0
        q = second.masses[j - second.low] if 0 <= j - second.low < len(second.masses) else 0
        value += p * 2**64 - q * scaled
        if best is None or value > best:
            best, threshold = value, j
    return threshold, Fraction(best or 0, 2 ** (plan.bits + 64))
