"""Lower bounds: what the declared mechanisms certainly lose, and what the declared guarantees allow to be lost.

``refute`` shows that a claim is false of what ran. ``worst_case`` shows that no theorem can prove it from the ledger:
mechanisms that have every declared guarantee lose more. Neither searches: the events, the test and its threshold stand
in the witness.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from privref.kernel.balls import above, at_most, normal_cdf, rational, working
from privref.kernel.fields import Fields
from privref.kernel.grid import lower_delta, work
from privref.kernel.numbers import Malformed, Refused, count, number, total
from privref.kernel.pairs import Base, InBins, Law, Normal, Pair, Step, TwoAnswers, worst_pair
from privref.kernel.record import MOST_EVENTS, Event, Record
from privref.kernel.theorems import MOST_STEPS, Goal, drawn, read_grid

TEST, MOMENT, TWO_POINTS, DIVISION, EPOCH = "event", "moment", "two-points", "division", "epoch"
MOST_ORDERS = 20_000  # Orders of one cover.


def refute(record: Record, goal: Goal, by: str, witness: Fields) -> None:
    """Check that the declared mechanisms lose more than is claimed.

    The other events can only add to it. Several events count together only where the ledger declares that one pair of
    neighbouring data sets attains all their shifts.
    """
    if not record.fixed:
        raise Refused("what ran may depend on the answers, so that the declared events need not run together")
    events = _chosen(record, witness)
    if len(events) > 1 and not record.together:
        raise Refused("the ledger does not declare that one pair of neighbours attains all shifts (attained_together)")
    if by == DIVISION:
        _by_division(record.size or 0, goal, events)
        return
    laws = [(event.law, event.count) for event in events if event.law is not None and event.law.attained]
    if len(laws) < len(events):
        raise Refused("an event's mechanism is not declared, or its shift is not attained")
    if by == EPOCH:
        _by_epoch(goal, laws[0][0], witness)
        return
    same = ", the same one in all rounds of an event" if any(times > 1 for _, times in laws) else ""
    goal.premises.append(f"shifts of the declared mechanisms are attained by a pair of neighbouring data sets{same}")
    if goal.notion != "epsilon" or by == MOMENT:
        _by_moment(by, goal, [(rho, n) for law, n in laws for rho in _own_rhos(law)])
        return
    cut = [event for event in events if event.law is not None and event.law.cap is not None]
    lost = [
        (part, n * times * own)
        for law, n in laws
        for pair, times in Counter(law.lost).items()
        for part, own in steps_of(pair, witness)
    ]
    _by_test(by, goal, lost, witness, cut)


def steps_of(pair: Pair, witness: Fields) -> list[tuple[Pair, int]]:
    """Return a pair, or each step of a run on bins: a sum over all of them has one law, whichever have the record."""
    base = pair.base
    if not isinstance(base, InBins):
        return [(pair, 1)]
    weight, square = witness.exact("weight", positive=True), base.square / base.held
    return [(Pair(Step(square, held, weight)), n) for held, n in ((True, base.held), (False, base.bins - base.held))]


def worst_case(record: Record, goal: Goal, by: str, witness: Fields) -> None:
    """Check that mechanisms with the declared guarantees can lose more than is claimed; the others answer nothing."""
    events = running_together(record, _chosen(record, witness))
    if by == TWO_POINTS:
        _two_points(events, goal, witness)
        return
    pairs = worst_of_guarantees(events, _tops(events, witness))
    if goal.notion != "epsilon" or by == MOMENT:
        _by_moment(by, goal, [(p.base.square / 2, n) for p, n in pairs if isinstance(p.base, Normal)])
    else:
        _by_test(by, goal, pairs, witness, [])


def running_together(record: Record, events: list[Event]) -> list[Event]:
    """Return the events as a worst case may run them.

    What runs after an event with several cells may depend on the cell that was observed, unless all was fixed and no
    budget was in force: such an event counts alone, and once.
    """
    by_answers = any(event.guarantee is not None and len(event.guarantee.cells) > 1 for event in events)
    if not by_answers or (record.fixed and record.budget is None):
        return events
    if len(events) > 1:
        raise Refused("what runs after an event with several cells may depend on the cell that was observed")
    return [replace(events[0], count=1)]


def _tops(events: list[Event], witness: Fields) -> list[Fraction]:
    """Return the larger loss of each event's two answers, where the witness chooses one for bounded ranges."""
    if not witness.has("tops"):
        return [(event.width or Fraction(0)) / 2 for event in events]
    tops = [number(top, "witness.tops") for top in witness.items("tops", len(events), len(events))]
    if any(not 0 <= top <= (event.width or 0) for top, event in zip(tops, events, strict=True)):
        raise Refused("a loss lies outside of its event's range")
    return tops


def worst_of_guarantees(events: list[Event], tops: list[Fraction]) -> list[tuple[Pair, int]]:
    """Return, for each event, a pair of laws that has its declared guarantee."""
    pairs: list[tuple[Pair, int]] = []
    for event, top in zip(events, tops, strict=True):
        found = event.guarantee
        if event.law is not None or found is None:
            raise Refused("a worst case is of declared guarantees, and this event declares what ran")
        if event.selected:
            raise Refused("what private selection releases need not lose all that is paid for it")
        if found.kind in ("zcdp", "gaussian-dp"):
            base: Base = Normal(2 * found.rho if found.kind == "zcdp" else found.mu**2)
        elif found.kind == "bounded-range":
            base = TwoAnswers(found.epsilon, top)
        elif event.dp is not None:
            base = worst_pair(*event.dp).base
        else:
            raise Refused("no worst case of this guarantee is known here")
        if not (isinstance(base, Normal) and not base.square) and not (isinstance(base, TwoAnswers) and not base.width):
            pairs.append((Pair(base), event.count))
    return pairs


def _chosen(record: Record, witness: Fields) -> list[Event]:
    """Return the events that a witness names, by their places among those that ran."""
    given = witness.items("events", MOST_EVENTS)
    places = [count(place, "witness.events", 0, len(record.events) - 1) for place in given]
    if len(set(places)) != len(places):
        raise Malformed("witness.events", given, "give the places of the events, each once")
    return [record.events[place] for place in places]


def _own_rhos(law: Law) -> list[Fraction]:
    """Return the rho of Gaussian noise, which is its least: discrete noise at whole shifts has it at order 2.

    A sample's law is at least c > 0 times that of all records: order a has at least a rho - a log(1/c)/(a - 1).
    """
    if law.kind == "discrete-gaussian":
        return [law.rho or Fraction(0)]
    alike = () if law.cap else [pair for pair in law.lost if not pair.means]
    return [pair.base.square / 2 for pair in alike if isinstance(pair.base, (Normal, InBins))]


def _by_moment(by: str, goal: Goal, rhos: list[tuple[Fraction, int]]) -> None:
    """No claim of rho, or of mu = sqrt(2 rho), is below the sum of these: by one order, or in the limit."""
    if by != MOMENT or goal.notion == "epsilon" or (goal.notion == "rho" and goal.delta):
        raise Refused("a moment contradicts a claim of rho without delta, or of mu")
    claimed = goal.size if goal.notion == "rho" else goal.size**2 / 2
    goal.holds(total(rhos) > claimed, "a rho of these events above the claim")


def _by_test(by: str, goal: Goal, pairs: list[tuple[Pair, int]], witness: Fields, cut: list[Event]) -> None:
    """One event has P(S) - e^eps Q(S) above delta."""
    if by != TEST:
        raise Refused(f"{by} is no lower bound of the kernel")
    removal = witness.flag("removal", True)
    grid = read_grid(witness)
    threshold = witness.whole("threshold", most=MOST_STEPS, least=-MOST_STEPS)
    goal.spend(2 * work(grid, pairs))
    found = lower_delta(pairs, removal, grid, threshold, goal.size)
    with working(512):
        if cut:
            # Where the others contribute nothing, the cut mechanism has the whole one's pair but for this chance.
            held, _ = drawn(cut, goal)
            found = found - held * (1 if removal else rational(goal.size).exp())
        if not above(found, goal.delta):
            raise Refused(f"the lower bound {found.str(6)} is not above the claimed delta")


def _by_division(size: int, goal: Goal, events: list[Event]) -> None:
    """Normal noise in N numbers, divided by n or n - 1: whether their mean square is small (Chernoff's bounds; ours).

    delta(eps) >= 1 - (v e^(1 - v))^(N/2) - e^eps (u e^(1 - u))^(N/2) with v = n/(n - 1) and u = 1/v.
    """
    if goal.notion != "epsilon" or goal.periods > 1 or size < 2 or not all(event.divided for event in events):
        raise Refused("not (epsilon, delta) of normal noise that was divided by a declared number of records")
    goal.premises.append(
        f"{size} records may contribute nothing to these sums; noise, drawn for each number, was divided by that or by "
        f"{size - 1}"
    )
    numbers = sum(event.count * event.divided for event in events)
    with working(512):
        ratios = (rational(Fraction(size, size - 1)), rational(Fraction(size - 1, size)))
        missed, alike = ((rational(numbers) / 2 * (ratio.log() + 1 - ratio)).exp() for ratio in ratios)
        found = 1 - missed - rational(goal.size).exp() * alike
        goal.holds(above(found, goal.delta), "more than the claimed delta, by the division")


def _by_epoch(goal: Goal, law: Law, witness: Fields) -> None:
    """Whether the answer of some batch of an epoch is c deviations above where the records of others put it.

    These all point the other way, so that the mean of one batch is 2 mu above with the record, and mu above where it is
    zeroed out, or gone (Chua et al. 2024).
    """
    if law.epoch is None or goal.notion != "epsilon":
        raise Refused("not (epsilon, delta) of an epoch of shuffled batches")
    batches, square = law.epoch
    goal.premises.append(
        "each epoch takes its batches from a random order of all records, whose contributions may be any; some record "
        "changes the sum of its batch by the full sensitivity, whichever it is in; an event begins with an epoch"
    )
    with working(512):
        mu, c = rational(square).sqrt(), rational(witness.exact("deviations"))
        p, q = (1 - normal_cdf(c - m * mu) * normal_cdf(c) ** (batches - 1) for m in (2, 1))
        found = p - rational(goal.size).exp() * q
        goal.holds(above(found, goal.delta), "more than the claimed delta, by an epoch")


def _two_points(events: list[Event], goal: Goal, witness: Fields) -> None:
    """One rho-zCDP event may have two answers: the likelier one with p on one data set and with q on its neighbour.

    Its delta at epsilon is p - e^epsilon q at least. It is rho-zCDP: the divergence D grows with the order, so that
    D(a) <= rho a holds from one order of the cover, a0, to the next, b, where D(b) <= rho a0; the first one is 1, and
    after the last D is at most the larger loss. In both directions.
    """
    if len(events) != 1 or events[0].law is not None or events[0].guarantee is None:
        raise Refused("two answers take the place of one event with a declared guarantee")
    if goal.notion != "epsilon" or events[0].guarantee.kind != "zcdp" or events[0].selected:
        raise Refused("two answers contradict an (epsilon, delta) claim about an event of zCDP")
    rho = events[0].guarantee.rho
    p, q = (number(witness.take(key), f"witness.{key}") for key in ("p", "q"))
    given = witness.items("orders", MOST_ORDERS)
    if not 0 < q < p < 1:
        raise Malformed("witness.p", p, "give 0 < q < p < 1")
    if max(len(str(value)) for value in (p, q)) > 2000:
        raise Refused("these probabilities have too many digits")
    orders = [Fraction(1), *(number(order, "witness.orders") for order in given)]
    with working(512):
        growth = rational(goal.size).exp()
        for one, other in ((p, q), (1 - q, 1 - p)):
            for low, high in pairwise(orders):
                if not low < high:
                    raise Refused("the orders of the cover do not grow")
                power = rational(high - 1)
                moment = (
                    rational(one) * (power * rational(one / other).log()).exp()
                    + rational(1 - one) * (power * rational((1 - one) / (1 - other)).log()).exp()
                ).log()
                goal.holds(at_most(moment, (high - 1) * rho * low), "zCDP between two orders of the cover")
            goal.holds(at_most(rational(one / other).log(), rho * orders[-1]), "zCDP beyond the last order")
        goal.holds(above(rational(p) - growth * rational(q), goal.delta), "more than the claimed delta")
