"""The table of theorems: what each needs of a record, the inequality that it checks, and the witness that it takes.

A row is one small function, which is given the theorem's id. It raises Refused where a hypothesis is not declared or
the inequality does not certainly hold; what it rests on and no ledger can show, it adds to the premises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

from privref.kernel import bins, ranges
from privref.kernel import inequalities as iq
from privref.kernel.balls import WORK_OF_A_TAIL, Ball, at_most, binomial_tail, normal_cdf, rational, summed, working
from privref.kernel.fields import Fields
from privref.kernel.grid import MOST_WORK, Grid, upper_delta, work
from privref.kernel.numbers import Malformed, Refused, count, grown, number, shown, total
from privref.kernel.pairs import IN_ANY_SAMPLE, NOT_BY_ROUND, InBins, Law, Normal, Pair, Revealed, if_cut, worst_pair
from privref.kernel.record import ADD_OR_REMOVE, FILTERS, ZERO_OUT, Event, Guarantee, Record, normal_delta

_ZERO = Fraction(0)
_Kind = TypeVar("_Kind", bound=Hashable)
Counted = list[tuple[Fraction, int]]


@dataclass(slots=True)
class Goal:
    """What is to be shown of one plain record: (epsilon, delta)-DP, delta-approximate rho-zCDP, or mu-Gaussian DP."""

    notion: str
    size: Fraction
    delta: Fraction
    periods: int = 1
    premises: list[str] = field(default_factory=list)
    #: What the proofs of one certificate have spent on grids, in one cell that they share.
    spent: list[int] = field(default_factory=lambda: [0])

    def spend(self, amount: int) -> None:
        """Refuse where the proofs of one certificate take more work together than one check spends."""
        self.spent[0] += amount
        if self.spent[0] > 2 * MOST_WORK:
            raise Refused("the proofs of this certificate take more work than one check spends")

    def holds(self, shown_: bool, what: str) -> None:
        """Refuse where an inequality is not certain."""
        if not shown_:
            raise Refused(f"{what}: this is not certain")


Row = Callable[[str, Record, Goal, Fields], None]


@dataclass(frozen=True, slots=True)
class Theorem:
    """One row: what it says, where it stands, and the function that checks it."""

    says: str
    cites: str
    check: Row


def _each(
    record: Record, view: Callable[[Event], tuple[Fraction, Fraction] | None], what: str
) -> list[tuple[Fraction, Fraction, int]]:
    """Return what every event has in one notion, with counts; Refused where one has none."""
    found = []
    for event in record.events:
        values = view(event)
        if values is None:
            raise Refused(f"an event has no {what} guarantee that the kernel knows")
        found.append((*values, event.count))
    return found


def only(proofs: list[Any]) -> tuple[Any, str, Fields]:
    """Read the proof of a certificate that has one: its parts, its theorem or kind of proof, and the witness."""
    if len(proofs) != 1:
        raise Malformed("certificate.proofs", len(proofs), "a verdict of this kind has one proof")
    with Fields(proofs[0], "certificate.proofs") as fields:
        case = fields.take("case") if fields.has("case") else {}
        return case, fields.name("by", required=True), fields.inner("witness")


def prove(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """Check one row. Only theorems that filters enforce may be about parameters that were not fixed in advance."""
    row = TABLES[goal.notion].get(by)
    if row is None:
        raise Refused(f"{by} has no row in the kernel for a claim of {goal.notion}")
    if (by not in FILTERS or goal.notion == "mu") and not record.fixed:
        raise Refused("parameters were not fixed in advance, and this theorem is no filter")
    row.check(by, record, goal, witness)


def _dp(record: Record) -> tuple[Counted, Fraction]:
    """Return the epsilons with their counts, and the sum of the deltas."""
    found = _each(record, lambda event: event.dp, "(epsilon, delta)-DP")
    return _merged([(eps, n) for eps, _, n in found]), total((delta, n) for _, delta, n in found)


def _zcdp(record: Record) -> tuple[Fraction, Fraction]:
    """Return the sums of the rhos and of the deltas; approximate zCDP is composed in sequence only."""
    found = _each(record, lambda event: event.zcdp, "zCDP")
    _lifted(record)
    return total((rho, n) for rho, _, n in found), total((delta, n) for _, delta, n in found)


def _lifted(record: Record) -> None:
    """Concurrent rounds cost what sequential ones do, but for zCDP and Renyi DP with a delta of their own."""
    kinds = ("zcdp", "rdp")
    if not record.sequential and any(
        event.law is None and event.guarantee is not None and event.guarantee.kind in kinds and event.guarantee.delta
        for event in record.events
    ):
        raise Refused("the ledger does not declare a sequential interaction, which approximate zCDP needs")


def _merged(parts: Iterable[tuple[_Kind, int]]) -> list[tuple[_Kind, int]]:
    """Add up the counts of what is alike, in the order in which it comes first; numbers that are 0 are left out."""
    found = Counter[_Kind]()
    for value, times in parts:
        found[value] += times
    return [(value, times) for value, times in found.items() if value]


def sequential(record: Record) -> None:
    if not record.sequential:
        raise Refused("the ledger does not declare a sequential interaction")


def _enforced(record: Record, goal: Goal, by: str, accepted: tuple[str, ...] = ()) -> Goal:
    """Return the goal that the filter itself has: the claim where all was fixed in advance, else its enforced budget.

    The filter is the one that the ledger names. One chosen after the run would be a union of filters, which is none.
    """
    if record.fixed:
        return goal
    if any(event.law is not None and event.law.shared for event in record.events):
        raise Refused(NOT_BY_ROUND)
    budget = record.budget
    if budget is None or budget.filter not in (by, *accepted):
        raise Refused(f"parameters were not fixed in advance, and the ledger names no enforced budget of {by}")
    own = "rho" if budget.of_rho else "epsilon"
    if budget.delta > goal.delta or (own == goal.notion and budget.size > goal.size):
        raise Refused("the enforced budget is larger than the claim")
    goal.premises.append(
        f"{budget.filter} with the budget {own} = {shown(budget.size)}, delta = {shown(budget.delta)}, and no other "
        "rule, decided from before the first event which events ran (no ledger can show this)"
    )
    return Goal(own, budget.size, budget.delta, goal.periods, goal.premises, goal.spent)


def _prime(record: Record, goal: Goal, by: str, largest: Fraction, witness: Fields) -> Fraction:
    """Return the delta' of a split: all that is left where all was fixed in advance, else what was fixed before.

    Never by what ran: whether an event had a delta may have been chosen on the way.
    """
    if record.fixed:
        found = witness.exact("delta_prime") if witness.has("delta_prime") else largest
        if not 0 < found <= largest:
            raise Refused("the deltas of the events leave nothing for delta'")
        return found
    budget, tuned = record.budget, record.tuning.get(by, {}).get("delta_prime")
    found = goal.delta / 2 if tuned is None else tuned
    if budget is not None and budget.prime is not None:
        if tuned not in (None, budget.prime):
            raise Refused("the ledger declares two different splits of delta: in its budget and in its tuning")
        found = budget.prime
    if not 0 < found <= largest:
        raise Refused("the deltas of the events are more than the filter's split leaves them")
    return found


def _precise(witness: Fields) -> int:
    return witness.whole("precision", 256, 8192, least=32)


# -- sums ---------------------------------------------------------------------------------------------------------


def _basic(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """The epsilons or rhos and the deltas of parameters fixed in advance, or of a filter."""
    if goal.notion == "rho":
        spent, delta = _zcdp(record)
    else:
        epsilons, delta = _dp(record)
        spent = total(epsilons)
    goal = _enforced(record, goal, by)
    goal.holds(delta <= goal.delta, "the sum of the deltas")
    goal.holds(spent <= goal.size, f"the sum of the {goal.notion}s")


def _tight_rho(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    pure, rho, delta = _pure_and_rho(record)
    goal.holds(delta <= goal.delta, "the sum of the deltas")
    with working(_precise(witness)):
        spent = sum((n * iq.pure_rho(eps) for eps, n in pure), rational(rho))
        goal.holds(at_most(spent, goal.size) if pure else rho <= goal.size, "the sum of eps tanh(eps/2) and the rhos")


def _pure_and_rho(record: Record) -> tuple[Counted, Fraction, Fraction]:
    """Return the epsilons of events that are (epsilon, delta)-DP alone, the rho of the others, and all deltas."""
    _, delta = _zcdp(record)
    alone = [(event, event.dp is not None and event.width is None) for event in record.events]
    pure = _merged((event.dp[0], event.count) for event, own in alone if own and event.dp is not None)
    rho = total((event.zcdp[0], event.count) for event, own in alone if not own and event.zcdp is not None)
    return pure, rho, delta


def _mu_of_rho(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """Show sqrt(rho) <= v(-mu/2) - v(mu/2), v(x) = sqrt(-log Phi(x)): no test of two rho-zCDP laws errs less (ours)."""
    rho, delta = _zcdp(record)
    with working(_precise(witness)):
        tail = normal_cdf(rational(-goal.size / 2))
        above_mu = rational(rho).sqrt() + (-(-tail).log1p()).sqrt() - (-tail.log()).sqrt()
        goal.holds(not delta and at_most(above_mu, _ZERO), "zCDP as Gaussian DP")


def _mu_squared(record: Record) -> Fraction:
    found = _each(record, lambda event: None if event.mu_squared is None else (event.mu_squared, _ZERO), "Gaussian DP")
    return total((square, n) for square, _, n in found)


# -- one inequality each ------------------------------------------------------------------------------------------


def _by_squares(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """Advanced composition of equal or of different rounds, fixed in advance; or the filter of the squares."""
    epsilons, delta = _dp(record)
    if by == _THM210 and len({event.dp for event in record.events}) != 1:
        raise Refused("the rounds are not equal")
    goal = _enforced(record, goal, by)
    prime = _prime(record, goal, by, goal.delta - delta, witness)
    with working(_precise(witness)):
        goal.holds(iq.advanced(by, epsilons, prime, goal.size), "advanced composition")


def _zcdp_goal(record: Record, goal: Goal, by: str, witness: Fields) -> tuple[Goal, Fraction, Fraction]:
    """Return the goal, the rho of the whole, and the delta' that delta_0 + (1 - delta_0) delta' = delta leaves.

    Where a budget of rho was enforced, that is the rho of the whole, and is converted at the claim.
    """
    rho, delta = _zcdp(record)
    inner = _enforced(record, goal, by, ("whitehouse2023/thm1",))
    if inner.notion == "epsilon":
        left = (inner.delta - delta) / (1 - delta) if delta < 1 else _ZERO
        return inner, rho, _prime(record, inner, by, left, witness)
    inner.holds(rho <= inner.size and delta <= inner.delta, "the enforced budget of rho")
    if inner.delta >= 1 or goal.delta <= inner.delta:
        raise Refused("the budget's delta leaves nothing for the conversion")
    return goal, inner.size, (goal.delta - inner.delta) / (1 - inner.delta)


def _converted_rho(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """The rho of all, or at the stated order also the moments of pure rounds by themselves."""
    order = _ZERO if by == _LEMMA1 else number(witness.take("order"), "witness.order")
    goal, rho, prime = _zcdp_goal(record, goal, by, witness)
    pure, rho = _pure_and_rho(record)[:2] if by == _MIXED else ([], rho)
    with working(_precise(witness)):
        if by == _LEMMA1:
            goal.holds(at_most(iq.lemma1(rho, prime), goal.size), "the conversion of Lemma 1")
            return
        moment = sum((n * iq.response_moment(eps, order) for eps, n in pure), rational(order * (order - 1) * rho))
        goal.holds(iq.by_order(moment, order, prime, goal.size), "the conversion at the stated order")


def _moments(record: Record, order: Fraction, others: Iterator[Fraction], precision: int, goal: Goal) -> Ball:
    """Return the sum of what the events have at an order; equal ones are computed once."""
    different = _merged((Event(1, event.guarantee, event.law), event.count) for event in record.events)
    _require_few(len(different), order, precision, goal)
    return summed(times * renyi_moment(event, order, others) for event, times in different)


def _others(record: Record, witness: Fields) -> Iterator[Fraction]:
    """Take the second orders of the bests of trials, one for each kind of them, as they come first in the ledger."""
    kinds = {found for event in record.events if (found := event.guarantee) is not None and found.of is not None}
    given = witness.items("others", len(kinds), len(kinds)) if kinds else []
    return iter([number(order, "witness.others") for order in given])


def _require_few(different: int, order: Fraction, precision: int, goal: Goal) -> None:
    # About 10 ns a bit up to 1,024 bits.
    ranges.require_few(different * precision * (1 + precision // 1024) * max(int(order), 64), goal.spend)


def renyi_moment(event: Event, order: Fraction, others: Iterator[Fraction] | None = None) -> Ball:
    """Return (order - 1) times the Renyi divergence that the event has at an order, its delta apart."""
    found = event.guarantee
    if found is not None and found.of is not None:
        other, one = next(others or iter(()), _ZERO), Event(1, found.of, None)
        return iq.best_moment(found.numbers, order, renyi_moment(one, order), other, renyi_moment(one, other))
    if event.law is None and found is not None and found.kind == "rdp":
        # The divergence grows with the order.
        cost = next((cost for declared, cost in found.orders if declared >= order), None)
        if cost is None:
            raise Refused(f"an event promises nothing at the order {shown(order)}")
        return rational((order - 1) * cost)
    pair = event.law.pairs[0] if event.law is not None and event.law.pairs else None  # All of samples are the same.
    if event.law and pair and pair.rate < 1 and (isinstance(pair.base, Normal) or not pair.means):
        whole = pair.means is None and event.law.cap is None
        if not isinstance(pair.base, Normal) or not whole or order.denominator != 1:
            raise Refused("only whole orders of Gaussian rounds on samples, not cut and not replaced, have moments")
        return len(event.law.pairs) * iq.sampled_moment(pair.rate, pair.base.square, int(order))
    if event.width is not None:
        return rational((order - 1) * min(event.width**2 * order / 8, event.width))
    if event.dp is not None:
        return iq.response_moment(event.dp[0], order)
    if event.zcdp is None:
        raise Refused("an event has no Renyi divergence that the kernel knows")
    return rational(order * (order - 1) * event.zcdp[0])


def _gaussian(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """The squares of mu add up: to one of the claim, or to a profile."""
    square = _mu_squared(record)
    if goal.notion == "mu":
        goal.holds(square <= goal.size**2, "the sum of the squares of mu")
        return
    goal = _enforced(record, goal, by)
    with working(_precise(witness)):
        goal.holds(at_most(normal_delta(square, goal.size), goal.delta), "the profile of the Gaussian")


def _widths(record: Record, *, equal: bool = False, chosen_before: bool = False, periods: int = 1) -> Counted:
    """Return the different ranges with their counts, of mechanisms that were ``chosen_before`` the first answer."""
    sequential(record)
    if equal and len({event.width for event in record.events}) > 1:
        raise Refused("the ranges are not equal")
    found = _each(record, lambda event: None if event.width is None else (event.width, _ZERO), "bounded range")
    if chosen_before and (not record.queries_fixed or periods > 1):
        raise Refused("the ledger does not declare that every mechanism was chosen before the first answer")
    return _merged((width, n) for width, _, n in found)


def _range_means(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    widths = _widths(record)
    with working(_precise(witness)):
        goal.holds(ranges.means(widths, goal.delta, goal.size), "the means of the losses")


def _in_advance(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """dong2020/thm3: equal ranges. dong2020/advance: a cover of all intervals by boxes, in each of which it holds."""
    equal, precision = by == _THM3, _precise(witness)
    widths = sorted(_widths(record, equal=equal, chosen_before=True, periods=goal.periods))
    with working(precision):
        if equal:
            (width, times), *_ = widths or [(_ZERO, 0)]
            shown_ = ranges.equal_ranges(width, times, goal.size, goal.delta, precision, goal.spend)
        else:
            given = witness.items("splits", ranges.MOST_BOXES)
            splits = [count(cut, "witness.splits", -1, len(widths)) for cut in given]
            shown_ = ranges.in_advance(widths, goal.size, goal.delta, splits, precision, goal.spend)
        goal.holds(shown_, "the optimum of equal ranges" if equal else "a box of intervals")


def _one_by_one(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """dong2020/adaptive: equal ranges. Only their parameters were fixed; mechanisms may be chosen from answers.

    dong2020/unequal: mechanisms chosen in advance lose no more than ones chosen on the way, in any order.
    """
    different = by == _UNEQUAL
    widths = sorted(_widths(record, equal=not different, chosen_before=different, periods=goal.periods), reverse=True)
    if not witness.has("step"):
        with working(_precise(witness)):
            goal.holds(ranges.from_the_top(widths, goal.size, goal.delta), "the losses that are all high")
        return
    step = witness.exact("step", positive=True)
    bits = witness.whole("bits", most=4096, least=32)
    if sum(times for _, times in widths) > ranges.MOST_TERMS:
        raise Refused("this recursion takes more work than one check spends")
    each = [width for width, times in widths for _ in range(times)]
    goal.holds(ranges.on_the_way(each, goal.size, goal.delta, step, bits, goal.spend), "the recursion over the answers")


# -- filters of one theorem ---------------------------------------------------------------------------------------


def _rogers(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """rogers2016/thm5.1: what the filter compares with its budget depends on the budget, so one must be enforced."""
    if record.fixed:
        raise Refused("this theorem is about an enforced budget, and the parameters were fixed in advance")
    epsilons, delta = _dp(record)
    goal = _enforced(record, goal, by)
    goal.holds(2 * delta <= goal.delta, "the deltas, of which the filter leaves half of its own")
    with working(_precise(witness)):
        goal.holds(iq.rogers_filter(epsilons, goal.size, goal.delta), "the filter of advanced rate")


def _tuned_order(record: Record, goal: Goal, by: str) -> Fraction:
    """Return the Renyi order of a filter that the ledger declares: no witness may choose it after the run."""
    order = record.tuning.get(by, {}).get("order", _ZERO)
    if order <= 1:
        raise Refused("the ledger declares no Renyi order above 1 for the filter (tuning)")
    goal.premises.append(f"the Renyi order {shown(order)} was fixed before the first event (no ledger can show this)")
    return order


def _converted(record: Record, goal: Goal, witness: Fields, by: str, order: Fraction, shares: int, plain: bool) -> None:
    """Check a Renyi filter: all moments at one order, or where ``plain`` the sum of epsilons, within the budget.

    Both sums only grow, so that what holds of all that ran held before each event. The deltas of the events and delta'
    add up: the filter runs on the coupled, pure interaction (Whitehouse et al. 2023, Theorem 1).
    """
    _lifted(record)
    goal = _enforced(record, goal, by)
    delta = total((event.own_delta, event.count) for event in record.events)
    prime = _prime(record, goal, by, goal.delta - delta, witness)
    if plain and total(_dp(record)[0]) <= goal.size:
        return
    precision, others = _precise(witness), _others(record, witness)
    with working(precision):
        moment = _moments(record, order, others, precision, goal)
        goal.holds(iq.by_order(moment, order, prime / shares, goal.size), "the conversion at the filter's order")


def _one_order(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """All divergences at one order, of the witness; or fixed in advance, of a filter (Feldman and Zrnic 2021).

    Or those of randomized response, or epsilons: this ``plain`` filter halts once both are above the budget; up to the
    halting time of each the loss is within the budget but for its share of delta, which of the plain sum is 0 (ours).
    """
    order = _tuned_order(record, goal, by) if by in FILTERS else number(witness.take("order"), "witness.order")
    _converted(record, goal, witness, by, order, 1, by == _RR)


#: The orders of the filter of several orders: they belong to it, and no ledger chooses them.
GRID_ORDERS = (Fraction(3, 2), *map(Fraction, (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512)))


def _grid_filter(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """lecuyer2021/renyi_grid_filter: it went on while any of its orders was within its share of delta'.

    One order within it at the end was within it before each event. By a union bound over the orders (ours).
    """
    order = number(witness.take("order"), "witness.order")
    if order not in GRID_ORDERS:
        raise Refused(f"{shown(order)} is none of the filter's orders")
    goal.premises.append("the filter's orders were fixed before the first event (no ledger can show this)")
    _converted(record, goal, witness, by, order, len(GRID_ORDERS), False)


def _dominated(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """What runs after each group of ``rounds`` is dominated by the Gaussian of mu^2 ``left``: all of it by ``square``.

    By induction from the last group, whose rounds are alike, and each charged as the last of them (ours).
    """
    sequential(record)
    goal = _enforced(record, goal, by)
    spent = total((event.own_delta, event.count) for event in record.events)
    prime, before = _prime(record, goal, by, goal.delta - spent, witness), witness.exact("square")
    groups = []
    for item in witness.items("groups", MOST_GROUPS, 0):
        with Fields(item, "witness.groups") as fields:
            groups.append((fields.whole("rounds"), fields.exact("left")))
    precision, following = _precise(witness), iter(groups)
    goal.spend(10**4 * len(groups) * (1 + precision // 512))
    with working(precision):
        goal.holds(at_most(normal_delta(before, goal.size), prime), "the profile of the Gaussian")
        for event in record.events:
            waiting = event.count
            while waiting:
                times, after = next(following, (0, _ZERO))
                if not 0 < times <= waiting:
                    raise Refused("the groups of rounds are not those that ran")
                each = (before - after) / times
                fits = event.dp is not None and iq.dominated(event.dp[0], after + each, after)
                goal.holds(fits if event.mu_squared is None else each >= event.mu_squared, "what a round takes")
                before, waiting = after, waiting - times
    if next(following, None) is not None:
        raise Refused("the witness has more groups than rounds ran")


# -- answers that were observed -----------------------------------------------------------------------------------


def _observed(event: Event) -> tuple[Fraction, Fraction]:
    """Return the most that an event's answer could cost, and what the observed one costs."""
    if event.dp is None:
        raise Refused("an event has no (epsilon, delta)-DP guarantee that the kernel knows")
    most = event.dp[0]
    return most, dict(event.guarantee.cells)[event.cell] if event.guarantee is not None and event.cell else most


def _by_cells(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """Before each round what was spent and the most of the round are within epsilon, also by the simple definition."""
    sequential(record)
    goal = _budgeted(record, goal, by)
    spent_by_cells(record.events, goal.size)
    goal.holds(_dp(record)[1] <= goal.delta, "the sum of the deltas")


def spent_by_cells(events: Iterable[Event], most_of_all: Fraction) -> Fraction:
    """Return what the observed answers cost; Refused where some round's dearest answer was more than was left."""
    spent = _ZERO
    for event in events:
        most, seen = _observed(event)
        if spent + (event.count - 1) * seen + most > most_of_all:
            raise Refused("a round beyond the budget ran")
        spent = grown(spent, event.count, seen)
    return spent


def _budgeted(record: Record, goal: Goal, by: str) -> Goal:
    if record.budget is None or record.budget.filter != by:
        raise Refused(f"{by} charges observed cells only where it enforced a budget, and the ledger declares none")
    return _enforced(replace(record, fixed=False), goal, by)


def _ex_post(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """rswr2023/ex_post_filter: what ex-post rounds released, and the others at one Renyi order, fit in epsilon."""
    sequential(record)
    goal = _budgeted(record, goal, by)
    order = _tuned_order(record, goal, by)
    delta = total((event.own_delta, event.count) for event in record.events)
    prime = _prime(replace(record, fixed=False), goal, by, goal.delta - delta, witness)
    released, plain, only_dp = _ZERO, _ZERO, True
    precision, others = _precise(witness), _others(record, witness)
    _require_few(len({(event.law, event.guarantee) for event in record.events}), order, precision, goal)

    def hold(plain: Fraction, released: Fraction) -> None:
        left = goal.size - released
        fits = (only_dp and plain <= goal.size) or (left >= 0 and iq.by_order(moment, order, prime, left))
        goal.holds(fits, "a round beyond the budget ran")

    with working(precision):
        moment = rational(0)
        moments: dict[tuple[Law | None, Guarantee | None], Ball] = {}
        for event in record.events:
            found = event.guarantee
            if event.law is None and found is not None and found.kind == "output-dp" and not found.delta:
                most, seen = _observed(event)
                before = released + (event.count - 1) * seen
                hold(before + most + plain, before + most)
                released = grown(released, event.count, seen)
                continue
            kind = event.law, found
            if kind not in moments:
                moments[kind] = renyi_moment(event, order, others)
            moment = moment + event.count * moments[kind]
            only_dp = only_dp and event.dp is not None
            plain = plain if event.dp is None else grown(plain, event.count, event.dp[0])
            hold(released + plain, released)


# -- laws on a grid -----------------------------------------------------------------------------------------------


#: Of numerator and denominator of a grid's step: each mass is computed at a multiple of it. And steps to its ends.
MOST_STEP_BITS, MOST_STEPS = 1024, 2**40
MOST_GROUPS = 10**5  # Groups of rounds of the filter by domination.


def read_grid(witness: Fields) -> Grid:
    """Read the grid that a witness states."""
    step = witness.exact("step", positive=True)
    if max(step.numerator.bit_length(), step.denominator.bit_length()) > MOST_STEP_BITS:
        raise Refused(f"the step of a grid has at most {MOST_STEP_BITS} bits")
    bits = witness.whole("bits", most=4096, least=32)
    low, high, own = (witness.whole(key, most=MOST_STEPS, least=-MOST_STEPS) for key in ("low", "high", "own"))
    return Grid(step, bits, low, high, own, witness.whole("lattice", 0))


def _worst_cases(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """Each (epsilon, delta)-DP round is a post-processing of its worst case (KOV 2015, Thm 3.3); or equal pure ones."""
    if by == _KOV and (len({event.dp for event in record.events}) > 1 or _dp(record)[1]):
        raise Refused("the rounds are not equal, or one has a delta")
    _on_grid(worst_case_rounds(record), goal, witness)


def worst_case_rounds(record: Record) -> list[tuple[Pair, int]]:
    """Return the worst case of every event's (epsilon, delta), with counts."""
    found = _each(record, lambda event: event.dp, "(epsilon, delta)-DP")
    return _merged((worst_pair(eps, delta), n) for eps, delta, n in found)


def _laws(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """The product of dominating pairs dominates what ran (Zhu, Dong, Wang 2022, Theorem 10), or of equal rounds."""
    pairs = {pair for event in record.events for pair in event.dominating or ()}
    drawn = all(isinstance(pair.base, Normal) and pair.rate < 1 and pair.means is None for pair in pairs)
    if by == _EQUAL_SAMPLES and not (drawn and len(pairs) == 1):
        raise Refused("the rounds are not equal sampled Gaussian ones")
    if not any(event.law is not None for event in record.events):
        raise Refused("no event declares its mechanism")
    laws = [event.law for event in record.events if event.law is not None and event.law.kind != IN_ANY_SAMPLE]
    if any(law.cap is not None for law in laws):
        raise Refused("samples may be cut above a cap, of which chua2024b/truncated speaks")
    _on_grid(dominating_rounds(record), goal, witness)


def dominating_rounds(record: Record, *, labelled: bool = False) -> list[tuple[Pair, int]]:
    """Return pairs whose product dominates all events, with counts; ``labelled`` reveals which samples may be cut."""
    found: list[tuple[tuple[Pair, tuple[int, int] | None], int]] = []
    for event in record.events:
        pairs = event.dominating
        if pairs is None:
            raise Refused("an event has no pair of laws that dominates it")
        cap, times = (event.law.cap if labelled else None, event.law.times) if event.law is not None else (None, 1)
        found += [((pair, None if isinstance(pair.base, Revealed) else cap), event.count * times) for pair in pairs]
    zeroed = record.neighbours == ZERO_OUT
    rounds = [(if_cut(pair, *cap, zeroed) if cap else pair, n) for (pair, cap), n in _merged(found)]
    normal = [(pair.base.square, n) for pair, n in rounds if isinstance(pair.base, Normal) and pair == Pair(pair.base)]
    if len(normal) > 1 or any(n > 1 for _, n in normal):
        # Gaussian pairs compose to one Gaussian pair: the squares of mu add up.
        rounds = [(pair, n) for pair, n in rounds if not isinstance(pair.base, Normal) or pair != Pair(pair.base)]
        rounds.append((Pair(Normal(total(normal))), 1))
    return rounds


def _cut_samples(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """chua2024b/truncated: whole samples, and the chance that a batch is cut that holds the record (ours).

    For chua2024b/cut it is revealed whether a sample may be cut, which depends on the others' coins only (ours).
    """
    labelled = by == _CUT
    caps = [event for event in record.events if event.law is not None and event.law.cap is not None]
    placed = any(_places([(pair, 1) for pair in event.dominating or ()]) for event in record.events)
    if not caps and not (labelled and placed):
        raise Refused("no event declares a cap that its samples may be above")
    if record.neighbours != ADD_OR_REMOVE and not labelled:
        raise Refused("what contributes nothing may take another record's place in a cut sample")
    if labelled and caps:
        goal.premises.append("a cut batch keeps its records by an order, random or fixed, of all records")
    if record.neighbours == ZERO_OUT:
        goal.premises.append("what contributes nothing is drawn, and takes a place in a cut batch, like any record")
    goal.spend(WORK_OF_A_TAIL * labelled * len({event.law for event in caps}))
    _on_grid(dominating_rounds(record, labelled=labelled), goal, witness, cut=None if labelled else drawn(caps, goal))


def _in_bins(by: str, record: Record, goal: Goal, witness: Fields) -> None:
    """chua2025/allocation: one run on bins that were drawn once, and nothing else."""
    rounds = dominating_rounds(record)
    base = rounds[0][0].base if len(rounds) == 1 and rounds[0][1] == 1 else None
    if not isinstance(base, InBins):
        raise Refused("what ran is not one run of balls in bins, over the same bins, and nothing else")
    points, bits = witness.whole("points"), witness.whole("bits")
    goal.spend(2 * bins.checked(base, goal.size, points, bits))
    goal.holds(bins.upper_delta(base, goal.size, points, bits) <= goal.delta, "delta of balls in bins")


def drawn(caps: list[Event], goal: Goal) -> tuple[Ball, Ball]:
    """Bound the chance that some sample is cut while it holds the differing record; and that some sample is cut."""
    with working(256):
        kept = every = rational(0)
        for event in caps:
            assert event.law is not None
            rate = event.law.pairs[0].rate
            goal.spend(WORK_OF_A_TAIL)
            cap, records = event.law.cap or (0, 0)
            tail = binomial_tail(records, rational(rate), cap)
            # 1 - prod (1 - x)^n <= sum n x.
            kept = kept + event.count * rational(rate) * tail
            every = every + event.count * tail
        return kept, every


def _places(rounds: list[tuple[Pair, int]]) -> bool:
    """Return whether it is revealed of some samples whether a record's place is drawn."""
    return any(isinstance(pair.base, Revealed) and pair.base.parts[0][1].rate == 1 for pair, _ in rounds)


def _on_grid(rounds: list[tuple[Pair, int]], goal: Goal, witness: Fields, cut: tuple[Ball, Ball] | None = None) -> None:
    grid = read_grid(witness)
    if _places(rounds):
        goal.premises.append("each record's place was drawn with at most its chance, whatever was answered before")
    one_way = any(pair.rate < 1 or pair.means or isinstance(pair.base, (InBins, Revealed)) for pair, _ in rounds)
    both = (True, False) if one_way else (True,)
    for removal in both:
        goal.spend(work(grid, rounds))
        found = upper_delta(rounds, removal, grid, goal.size)
        with working(256):
            held, every = cut or (rational(0), rational(0))
            extras = held * (1 if removal else rational(goal.size).exp()), every
            goal.holds(any(at_most(found + extra, goal.delta) for extra in extras), "delta on the stated grid")


_KOV, _THM210, _TIGHT = "kov2015/optimal", "rogers2016/thm2.10", "cks2020/zcdp2dp"
_LEMMA1, _MIXED = "whitehouse2023/lem1", "mironov2017/mixed"
_RR, _UNEQUAL, _THM3 = "feldman2021/response_filter", "dong2020/unequal", "dong2020/thm3"
_EQUAL_SAMPLES, _CUT = "zdw2022/poisson_gaussian", "chua2024b/cut"
#: What bounds an (epsilon, delta)-DP claim.
EPSILON: dict[str, Theorem] = {
    "rogers2016/thm2.9": Theorem("the epsilons and the deltas add up", "Theorem 2.9", _basic),
    "rogers2016/thm3.3": Theorem("the basic filter: sums within its budget", "Theorem 3.3", _basic),
    _THM210: Theorem("advanced composition of equal rounds", "Theorem 2.10", _by_squares),
    "whitehouse2023/eq2": Theorem("advanced composition of different rounds", "equation (2)", _by_squares),
    "whitehouse2023/thm2": Theorem("the filter by the sum of the squared epsilons", "Theorem 2", _by_squares),
    _KOV: Theorem("the optimum of equal pure rounds", "Theorem 3.3", _worst_cases),
    "mv2016/optimal": Theorem("the optimum of (epsilon, delta)-DP rounds", "Theorem 1.5", _worst_cases),
    "rogers2016/thm5.1": Theorem("the first filter of advanced rate", "Theorem 5.1, equation (2)", _rogers),
    "hartmann2022/alg1": Theorem("the output-DP accountant", "Algorithm 1, Theorem 7", _by_cells),
    "hartmann2022/def19": Theorem("the simple filter of output DP", "Definition 19, Algorithm 6", _by_cells),
    "rswr2023/ex_post_filter": Theorem("ex-post rounds with others at one Renyi order", "ex-post filters", _ex_post),
    _LEMMA1: Theorem("zCDP, converted by Bun and Steinke's formula", "Lemma 1", _converted_rho),
    _TIGHT: Theorem("zCDP, converted at the stated order", "Corollary 13", _converted_rho),
    _MIXED: Theorem("pure rounds and zCDP by their moments at one order", "Table II", _converted_rho),
    "cks2020/rdp2dp": Theorem("Renyi DP, converted at the stated order", "Proposition 12", _one_order),
    "feldman2021/renyi_filter": Theorem("the Renyi filter of one order", "the Renyi filter", _one_order),
    _RR: Theorem("the filter of randomized response, or of epsilons", "Mironov 2017", _one_order),
    "lecuyer2021/renyi_grid_filter": Theorem("several orders, each at its share", "several orders", _grid_filter),
    "gdp/domination": Theorem("a Gaussian dominates all that may still run", "ours", _dominated),
    _THM3: Theorem("the optimum of equal bounded ranges chosen in advance", "Theorem 3", _in_advance),
    "dong2020/adaptive": Theorem("equal bounded ranges chosen from earlier answers", "the recursion", _one_by_one),
    "dong2020/advance": Theorem("unequal ranges in advance: intervals, by boxes", "Thm 3 (ours)", _in_advance),
    _UNEQUAL: Theorem("unequal ranges in advance, by the recursion", "the recursion (ours)", _one_by_one),
    "dong2020/prop4": Theorem("bounded ranges by means and Azuma's inequality", "as the paper's bound", _range_means),
    "gdp/composition": Theorem("Gaussian DP: the squares of mu add up", "Corollaries 1 and 3.3", _gaussian),
    "zdw2022/thm10": Theorem("dominating pairs compose", "Theorem 10", _laws),
    _EQUAL_SAMPLES: Theorem("equal Poisson-sampled Gaussian rounds", "Thms 10, 11", _laws),
    _CUT: Theorem("a cap, revealed if one may be cut", "ours, with Theorems 10, 11", _cut_samples),
    "chua2025/allocation": Theorem("a run on balls in bins: a put option", "ours, with its pair", _in_bins),
    "chua2024b/truncated": Theorem("Poisson samples with a cap", "ours, with Theorems 10, 11", _cut_samples),
}
#: What bounds a zCDP claim, and a claim of Gaussian DP.
RHO: dict[str, Theorem] = {
    "whitehouse2023/thm1": Theorem("the rhos and the deltas add up", "Theorem 1", _basic),
    "whitehouse2023/thm1.tight": Theorem("pure rounds are eps tanh(eps/2)-zCDP", "Theorem 1 (ours)", _tight_rho),
}
MU: dict[str, Theorem] = {
    "gdp/composition": Theorem("the squares of mu add up", "Corollary 3.3", _gaussian),
    "gdp/zcdp2gdp": Theorem("zCDP is Gaussian DP of a larger mu", "ours", _mu_of_rho),
}
TABLES = {"epsilon": EPSILON, "rho": RHO, "mu": MU}
