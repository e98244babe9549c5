"""What theorems ask of a ledger: its events as multisets of parameters, and which hypotheses it meets, and how."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from privref.exact.columns import MOST_MERGED
from privref.exact.numbers import spell, weighted_sum
from privref.exact.roots import root_up
from privref.exact.rounding import about
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    OutputDP,
    RenyiDP,
    Unknown,
    as_approx_dp,
    as_zcdp,
)
from privref.guarantees.output_dp import require_cell
from privref.guarantees.renyi import ORDERS, renyi_cost
from privref.ledger.model import ZCDP_FILTER, Budget, Event, EventColumns, Ledger
from privref.profiles.declared import Mechanism, Sample, Truncation, worst_case
from privref.profiles.model import SubsampledGaussian
from privref.profiles.sampled import CLAIMED, NOT_ADD_OR_REMOVE, NOT_POISSON, TRUNCATED, gaussian_of
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Multiset
from privref.statements.theorems import LIFTS

_View = TypeVar("_View")


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a hypothesis is met, and by what; a premise is what is declared and no ledger can show."""

    hypothesis: Hypothesis
    met: bool
    how: str
    premise: bool = False
    lifted_by: str = ""
    """The theorem by which it holds where mechanisms may run concurrently."""


class Facts:
    """A ledger summarised once for all theorems. Sums are exact; lists keep how often each value occurs."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.budget = ledger.budget
        #: Whether the claim is about more units than the guarantees, or about parts of several partitions, of which
        #: no ledger says that a unit lies in all: then no worst case is known.
        self.of_group = False
        #: How many more units of the claim's group may be beside the one that differs.
        self.beside = 0
        #: Whether the events are those of several periods, each run again.
        self.of_periods = False
        self.columns = ledger.events if isinstance(ledger.events, EventColumns) else None
        """The events of a long sheet; what theorems ask of those is summed without making them one by one."""

    def under(self, budget: Budget | None) -> Facts:
        """The same record, had this budget been the one that was enforced."""
        other = copy.copy(self)
        other.budget = budget
        return other

    @property
    def filter(self) -> str | None:
        """The filter that the budget names; only it may prove a claim on what was not fixed in advance."""
        return None if self.budget is None else self.budget.filter

    @cached_property
    def attainable(self) -> bool:
        """Whether a worst case of each guarantee is known, so that a claim may be held against it."""
        return not self.of_group and not self.ledger.selects

    @cached_property
    def refused(self) -> int:
        """How many requested events the running system did not run."""
        return len(self.ledger.events) - len(self.ledger.ran)

    @cached_property
    def distinct(self) -> tuple[tuple[Guarantee, int], ...]:
        """The different guarantees and how often each occurs."""
        counter: Counter[Guarantee] = Counter()
        for event in self.ledger.ran:
            counter[event.guarantee] += event.count
        return tuple(counter.items())

    @property
    def unknown(self) -> tuple[str, ...]:
        """Descriptions of the events that can not be accounted."""
        if self.columns is not None:
            return ()
        return tuple(guarantee.description for guarantee, _ in self.distinct if isinstance(guarantee, Unknown))

    @property
    def has_approx(self) -> bool:
        """Whether every event has an (epsilon, delta)-DP guarantee."""
        return self.columns.kind == "approx-dp" if self.columns is not None else self.approx is not None

    @property
    def has_zcdp(self) -> bool:
        """Whether every event has an approximate zCDP guarantee."""
        return self.columns is not None or self.zcdp is not None

    @cached_property
    def different(self) -> int:
        """How many different guarantees there are; of long columns 2^20 + 1 where there are more than 2^20."""
        if self.columns is None:
            return len(self.distinct)
        sizes, deltas = self.columns.sizes, self.columns.deltas
        if deltas is None or min(deltas.numerators) == max(deltas.numerators):
            merged = sizes.merged() if deltas is None else self.epsilons
            return min(len(merged), MOST_MERGED + 1)
        seen: set[tuple[int, int]] = set()
        for pair in zip(sizes.numerators, deltas.numerators, strict=True):
            seen.add(pair)
            if len(seen) > MOST_MERGED:
                break
        return len(seen)

    @cached_property
    def approx(self) -> tuple[tuple[ApproxDP, int], ...] | None:
        """All events as (epsilon, delta)-DP; None where one has no such guarantee."""
        return self._all(as_approx_dp)

    @cached_property
    def zcdp(self) -> tuple[tuple[ZCDP, int], ...] | None:
        """All events as approximate zCDP; None where one has no such guarantee."""
        return self._all(as_zcdp)

    @cached_property
    def gaussian(self) -> tuple[tuple[GaussianDP, int], ...] | None:
        """All events as Gaussian DP, by guarantee or by a Gaussian mechanism of rational mu; None where one is none."""
        counter: Counter[GaussianDP] = Counter()
        for event in self.ledger.ran:
            kinds = (event.guarantee, None if event.law is None else event.law.guarantee)
            found = next((kind for kind in reversed(kinds) if isinstance(kind, GaussianDP)), None)
            if found is None:
                return None
            counter[found] += event.count
        return tuple(counter.items())

    @cached_property
    def mus(self) -> Multiset | None:
        """The mus of all events; those of Gaussian mechanisms that are no rationals as one, the root of their squares.

        That one is rounded up where it is no rational either. None where an event is no Gaussian one.
        """
        if self.gaussian is not None:
            return tuple((event.mu, count) for event, count in self.gaussian if event.mu)
        rational: list[tuple[Fraction, int]] = []
        squares = Fraction(0)
        for event in self.ledger.ran:
            law = event.law
            kinds = (event.guarantee, None if law is None else law.guarantee)
            found = next((kind for kind in reversed(kinds) if isinstance(kind, GaussianDP)), None)
            if found is not None:
                rational.append((found.mu, event.count))
            elif law is not None and law.kind == "gaussian" and isinstance(law.guarantee, ZCDP):
                squares += 2 * event.count * law.guarantee.rho
            else:
                return None
        return tuple((mu, count) for mu, count in _merged([*rational, (root_up(squares), 1)]) if mu)

    @cached_property
    def bounded_range(self) -> Multiset | None:
        """The bounded ranges of the events; None where an event is declared to have none."""
        if self.columns is not None or not all(isinstance(kind, BoundedRange) for kind, _ in self.distinct):
            return None
        return tuple((kind.epsilon, count) for kind, count in self.distinct if isinstance(kind, BoundedRange))

    @cached_property
    def laws(self) -> tuple[tuple[Mechanism, int], ...] | None:
        """Every event as one dominating pair, of its mechanism or else its guarantee; None where one has none."""
        counter: Counter[Mechanism] = Counter()
        for event in self.ledger.ran:
            found = event.law if event.law is not None and event.law.upper is not None else worst_case(event.guarantee)
            if found is None:
                return None
            counter[found] += event.count
        return tuple(counter.items())

    @cached_property
    def samples(self) -> tuple[tuple[Sample, int], ...] | None:
        """How the records of every event were drawn, with counts; None where one event is not subsampled."""
        counter: Counter[Sample] = Counter()
        for event in self.ledger.ran:
            if event.law is None or event.law.sample is None:
                return None
            counter[event.law.sample] += event.count
        return tuple(counter.items())

    @property
    def declared(self) -> Iterator[Mechanism]:
        """What ran, as far as it is declared: mechanisms, and those of trials of which one was selected."""
        found = (event.law or event.trial for event in self.ledger.ran)
        return (law for law in found if law is not None)

    @cached_property
    def drawn(self) -> bool:
        """Whether some event ran on a Poisson sample of the records, of which the theorems speak."""
        if self.columns is not None or self.ledger.neighbours != "add-or-remove-one":
            return False
        return any(law.sample is not None and law.sample.sampling == "poisson" for law in self.declared)

    @cached_property
    def at_their_word(self) -> str:
        """Which guarantees beside samples were compared with nothing, in words; "" where none is."""
        if self.columns is not None:
            return ""
        places = [
            str(place)
            for place, event in enumerate(self.ledger.events)
            if event.decision in (None, "continue") and _at_its_word(event)
        ]
        if not places:
            return ""
        more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
        if len(places) == 1:
            return f"the guarantee of event {places[0]} is taken at its word; its mechanism's law is not known here"
        named = ", ".join(places[:_MOST_NAMED])
        return (
            f"the guarantees of events {named}{more} are taken at their word; their mechanisms' laws are not known here"
        )

    @cached_property
    def truncated(self) -> tuple[tuple[Mechanism, int], ...] | None:
        """Every event as one dominating pair, some with samples that may be cut; None where none is, or one has none.

        What is declared of the mechanism counts before its guarantee.
        """
        if self.columns is not None:
            return None
        counter: Counter[Mechanism] = Counter()
        for event in self.ledger.ran:
            law = event.law
            known = law is not None and (law.whole or law).upper is not None
            found = law if known else worst_case(event.guarantee)
            if found is None:
                return None
            counter[found] += event.count
        return tuple(counter.items()) if any(law.whole is not None for law in counter) else None

    @cached_property
    def caps(self) -> tuple[Truncation, ...]:
        """The different caps that are declared of Poisson samples, and how many records they rest on."""
        if self.columns is not None:
            return ()
        found = dict.fromkeys(event.truncation for event in self.ledger.ran)
        return tuple(truncation for truncation in found if truncation is not None)

    @property
    def unaccounted(self) -> tuple[str, ...]:
        """Descriptions of the events that neither have a guarantee nor are bounded by their pair and a cap."""
        return () if self.truncated is not None else self.unknown

    @property
    def only_sampling_unknown(self) -> bool:
        """Whether all that can not be accounted is how records were sampled."""
        return all(
            event.law is not None and event.law.sample is not None
            for event in self.ledger.events
            if isinstance(event.guarantee, Unknown)
        )

    @cached_property
    def sampled_gaussian(self) -> tuple[SubsampledGaussian, int] | None:
        """The one Poisson-sampled Gaussian round that all events are, and how often; None where there is none."""
        pairs: Counter[SubsampledGaussian] = Counter()
        for event in self.ledger.ran:
            (item, *more) = (event.law.upper if event.law is not None else None) or (None,)
            if item is None or more or not isinstance(item.pair, SubsampledGaussian):
                return None
            pairs[item.pair] += event.count * item.count
        return next(iter(pairs.items())) if len(pairs) == 1 else None

    @cached_property
    def lost(self) -> tuple[tuple[tuple[Mechanism, int], ...], ...]:
        """Groups of declared mechanisms with their counts; what one group loses, the whole loses at least.

        One pair of neighbouring data sets attains the shifts of a group. That pairs are the same for different events
        is the ledger's to declare: counts of men and of women change for different records. Otherwise every event is
        a group of its own.
        """
        attained = [
            (event.law, event.count)
            for event in self.ledger.ran
            if event.law is not None and event.law.attained and event.law.lower
        ]
        if not self.ledger.attained_together:
            return tuple((pair,) for pair in dict.fromkeys(attained))
        counter: Counter[Mechanism] = Counter()
        for law, count in attained:
            counter[law] += count
        return (tuple(counter.items()),) if counter else ()

    def without_laws(self) -> Facts:
        """The same record without the events whose mechanism has a declared law: what only guarantees speak of."""
        if not self.declares_laws:
            return self
        kept = tuple(
            event for event in self.ledger.events if event.decision not in (None, "continue") or not _accounted(event)
        )
        return Facts(replace(self.ledger, events=kept)).under(self.budget)

    @property
    def declares_laws(self) -> bool:
        """Whether some event that ran declares a mechanism with its law, or on a sample."""
        return self.columns is None and any(map(_accounted, self.ledger.ran))

    def _all(self, view: Callable[[Guarantee], _View | None]) -> tuple[tuple[_View, int], ...] | None:
        found = []
        for guarantee, count in self.distinct:
            seen = view(guarantee)
            if seen is None:
                return None
            found.append((seen, count))
        return tuple(found)

    @cached_property
    def epsilons(self) -> Multiset:
        """The epsilons of the events as (epsilon, delta)-DP."""
        if self.columns is not None:
            return self.columns.sizes.merged() if self.has_approx else ()
        return _merged((approx.epsilon, count) for approx, count in self.approx or ())

    @cached_property
    def approx_delta(self) -> Fraction:
        """The sum of the deltas of the events as (epsilon, delta)-DP."""
        if self.columns is not None:
            return self._column_delta
        return weighted_sum((approx.delta, count) for approx, count in self.approx or ())

    @cached_property
    def any_delta(self) -> Fraction:
        """The sum of the deltas of the events, whatever each guarantees."""
        if self.columns is not None:
            return self._column_delta
        return weighted_sum((getattr(guarantee, "delta", Fraction(0)), count) for guarantee, count in self.distinct)

    @property
    def _column_delta(self) -> Fraction:
        deltas = None if self.columns is None else self.columns.deltas
        return Fraction(0) if deltas is None else deltas.moment(1)

    @cached_property
    def rhos(self) -> Multiset:
        """The rhos of the events as approximate zCDP."""
        if self.columns is not None:
            sizes = self.columns.sizes
            return sizes if self.columns.kind == "zcdp" else sizes.half_squares()
        return tuple((event.rho, count) for event, count in self.zcdp or ())

    @cached_property
    def rho(self) -> Fraction:
        """The sum of the rhos of the events as approximate zCDP."""
        if self.columns is not None:
            sizes = self.columns.sizes
            return sizes.moment(1) if self.columns.kind == "zcdp" else sizes.moment(2) / 2
        return weighted_sum((zcdp.rho, count) for zcdp, count in self.zcdp or ())

    @cached_property
    def zcdp_delta(self) -> Fraction:
        """The sum of the deltas of the events as approximate zCDP."""
        if self.columns is not None:
            return self._column_delta
        return weighted_sum((zcdp.delta, count) for zcdp, count in self.zcdp or ())

    @cached_property
    def pure_and_rho(self) -> tuple[Multiset, Fraction]:
        """The epsilons of the events that are (epsilon, delta)-DP and nothing better, and the sum of the others' rhos.

        A bounded range is better as zCDP.
        """
        if self.columns is not None:
            return (self.epsilons, Fraction(0)) if self.has_approx else ((), self.rho)
        pure = [(as_approx_dp(kind), n) for kind, n in self.distinct if not isinstance(kind, BoundedRange)]
        rhos = [(as_zcdp(kind), n) for kind, n in self.distinct if isinstance(kind, BoundedRange | ZCDP | GaussianDP)]
        return (
            _merged((found.epsilon, n) for found, n in pure if found is not None and found.epsilon),
            weighted_sum((found.rho, n) for found, n in rhos if found is not None),
        )

    @cached_property
    def output_costs(self) -> tuple[tuple[Fraction, Fraction, Fraction, int], ...] | None:
        """In order: each event's largest cost, the cost of its observed cell, its delta, and its count.

        A DP event has one cell (hartmann2022/lem3); one whose cell was not recorded is charged its largest cost.
        """
        costs = []
        for event in self.ledger.ran:
            guarantee = event.guarantee
            approx = as_approx_dp(guarantee)
            if approx is None:
                return None
            observed = approx.epsilon
            if isinstance(guarantee, OutputDP) and event.observed_cell is not None:
                observed = require_cell(guarantee, event.observed_cell)
            costs.append((approx.epsilon, observed, approx.delta, event.count))
        return tuple(costs)

    @cached_property
    def renyi(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The summed epsilon of every declared Renyi order at which all events promise something, deltas apart."""
        if self.columns is not None:
            return ()
        declared = {
            order for guarantee, _ in self.distinct if isinstance(guarantee, RenyiDP) for order, _ in guarantee.orders
        }
        sums = []
        for order in sorted(declared):
            costs = [(renyi_cost(guarantee, order), count) for guarantee, count in self.distinct]
            if all(cost is not None for cost, _ in costs):
                sums.append((order, weighted_sum((cost[0], count) for cost, count in costs if cost is not None)))
        return tuple(sums)

    @cached_property
    def renyi_delta(self) -> Fraction:
        """The sum of the deltas of the events as approximate Renyi DP."""
        order = self.renyi[0][0]
        costs = [(renyi_cost(guarantee, order), count) for guarantee, count in self.distinct]
        return weighted_sum((cost[1], count) for cost, count in costs if cost is not None)

    @property
    def charged_by_answers(self) -> bool:
        """Whether a budget was in force that may have been charged by observed cells, so that it stopped at answers."""
        return (
            self.ledger.budget is not None
            and self.ledger.budget.filter in (None, OUTPUT_FILTER, SIMPLE_OUTPUT_FILTER, EX_POST_FILTER)
            and any(isinstance(kind, OutputDP) and len(kind.cells) > 1 for kind, _ in self.distinct)
        )

    @property
    def fixed(self) -> bool:
        """Whether what ran was fixed in advance: also nothing was refused, as a refusal may hang on the answers."""
        return self.ledger.parameters == "fixed-in-advance" and not self.refused and not self.charged_by_answers

    @property
    def unconditional(self) -> bool:
        """Whether every event ran whatever the answers were: fixed, and under no budget that answers are charged to."""
        return self.fixed and self.ledger.budget is None

    def check(self, hypothesis: Hypothesis, by: str) -> Finding:
        """Whether the ledger meets the hypothesis for this theorem, and by which declaration or computation."""
        if hypothesis in BUDGET_HYPOTHESES:
            return self._enforced(hypothesis, by)
        if hypothesis is Hypothesis.TUNING_IN_ADVANCE:
            return self._tuned(by)
        if hypothesis is Hypothesis.RDP_ROUNDS and by in (RENYI_FILTER, GRID_FILTER):
            return self._at_filters_orders(by)
        met, how = _CHECKS[hypothesis](self)
        lifted = LIFTS.get(hypothesis, "") if met and self.ledger.interaction != "sequential" else ""
        return Finding(hypothesis, met, f"{how} ({lifted})" if lifted else how, lifted_by=lifted)

    @property
    def answers_of_absent(self) -> bool:
        """Whether randomized response is declared of a unit that may be absent."""
        if self.ledger.neighbours != "add-or-remove-one" or self.columns is not None:
            return False
        return any(map(answers, self.declared))

    def _enforced(self, hypothesis: Hypothesis, by: str) -> Finding:
        """Whether the theorem is the filter that was in force.

        A filter is valid when it alone decided what ran. One that is chosen after the run, by what happened to run,
        belongs to a union of filters, and a union of filters is no filter.
        """
        budget = self.budget
        if self.fixed and hypothesis is Hypothesis.BUDGET_IN_ADVANCE:
            return Finding(hypothesis, True, "parameters fixed in advance: the sum is a budget that was never exceeded")
        if self.fixed and (budget is None or budget.filter is None):
            enforcing = "Algorithm 1" if hypothesis is Hypothesis.OUTPUT_BUDGET else "the ex-post filter"
            return Finding(hypothesis, False, _CELLS_WITHOUT_BUDGET.format(enforcing))
        if budget is None or budget.filter is None:
            return Finding(hypothesis, False, "the ledger names no filter that was enforced")
        if budget.filter != by and not (budget.filter == ZCDP_FILTER and by in _OF_ZCDP):
            how = (
                f"the ledger's budget names {budget.filter} as the filter that was enforced; a theorem chosen after "
                "the run would make it a union of filters, which is no filter"
            )
            return Finding(hypothesis, False, how)
        return Finding(hypothesis, True, _premise(budget), premise=True)

    def filter_orders(self, by: str) -> tuple[Fraction, ...]:
        """The orders of a Renyi filter: the one that the ledger declares, or those of a replay's grid."""
        if by == GRID_FILTER:
            return ORDERS
        order = self.ledger.tuning.get(by, {}).get("order")
        return () if order is None or order <= 1 else (order,)

    def at_order(self, order: Fraction) -> tuple[Fraction, Fraction] | None:
        """What all events cost at a Renyi order, and the sum of their deltas; None where one promises nothing there."""
        costs = [(renyi_cost(guarantee, order), count) for guarantee, count in self.distinct]
        if any(cost is None for cost, _ in costs):
            return None
        found = [(cost, count) for cost, count in costs if cost is not None]
        return weighted_sum((cost[0], n) for cost, n in found), weighted_sum((cost[1], n) for cost, n in found)

    def _at_filters_orders(self, by: str) -> Finding:
        """Whether every event promises something at the filter's order, or at one of its orders."""
        orders = self.filter_orders(by)
        if not orders:
            return Finding(Hypothesis.RDP_ROUNDS, False, "the ledger does not declare the filter's order (`tuning`)")
        kept = [order for order in orders if self.at_order(order) is not None]
        named = ", ".join(spell(order) for order in kept or orders)
        if not kept:
            return Finding(Hypothesis.RDP_ROUNDS, False, f"an event promises nothing at the order(s) {named}")
        return Finding(Hypothesis.RDP_ROUNDS, True, f"every event promises something at the order(s) {named}")

    def _tuned(self, by: str) -> Finding:
        """Whether the ledger declares the order that the filter was tuned to; that it was in advance is a premise."""
        if by == GRID_FILTER:
            orders = ", ".join(spell(order) for order in ORDERS)
            how = f"the filter's orders were {orders}, fixed before the first event (no ledger can show this)"
            return Finding(Hypothesis.TUNING_IN_ADVANCE, True, how, premise=True)
        order = self.ledger.tuning.get(by, {}).get("order")
        if order is None or order <= 1:
            said = "the ledger does not declare it" if order is None else f"the ledger declares {spell(order)}"
            return Finding(Hypothesis.TUNING_IN_ADVANCE, False, f"a Renyi order above 1, and {said} (`tuning`)")
        return Finding(
            Hypothesis.TUNING_IN_ADVANCE,
            True,
            f"the order {spell(order)} was fixed before the first event (no ledger can show this)",
            premise=True,
        )


ANSWERS_OF_ABSENT = (
    "the ledger declares randomized response under add-or-remove-one neighbours: the pair holds where an answer is "
    "given for every unit, and that of an absent one is drawn as that of a unit with some value, and not where absence "
    "shows, as no answer or as one without noise"
)


#: The same of a lower bound: another rule for an absent unit's answer loses less.
ANSWERED_ALIKE = (
    "the ledger declares randomized response under add-or-remove-one neighbours: an absent unit's answer is drawn as "
    "that of a unit with another value; were it a fair coin, for example, less would be lost"
)


def answers(law: Mechanism) -> bool:
    """Whether the mechanism, or that on a sample, is randomized response of a unit's own value."""
    return "randomized-response" in (law.kind, law.sample.base.kind if law.sample else "")


#: Events that a premise names.
_MOST_NAMED = 5


def _at_its_word(event: Event) -> bool:
    """Whether a guarantee was declared beside a sample without a pair; a cut one that is attained was compared."""
    law, guarantee = event.law or event.trial, event.guarantee
    if law is None or law.sample is None or law.upper is not None or isinstance(guarantee, Unknown):
        return False
    return guarantee != law.guarantee and not (law.attained and law.may_be_cut)


def _accounted(event: Event) -> bool:
    """Whether what ran is declared, so that it need not lose what its guarantee allows: a law, or a sample."""
    return event.law is not None and (event.law.upper is not None or event.law.sample is not None)


def _merged(pairs: Iterable[tuple[Fraction, int]]) -> Multiset:
    # Keyed by numerator and denominator: the hash of a Fraction takes a modular inverse.
    counter: dict[tuple[int, int], int] = {}
    first: dict[tuple[int, int], Fraction] = {}
    for value, count in pairs:
        key = value.numerator, value.denominator
        first.setdefault(key, value)
        counter[key] = counter.get(key, 0) + count
    return tuple((first[key], count) for key, count in counter.items())


#: What each of several ledgers declares of itself says nothing of them together.
_NOT_TOGETHER = "it is not declared of the {} ledgers together that they had {} (--together {})"


def together(ledger: Ledger) -> tuple[Finding, ...]:
    """Return what is declared of several ledgers' joint interaction, which none of them can show."""
    found = []
    if ledger.together and ledger.parameters == "fixed-in-advance":
        how = (
            f"it is declared of the {len(ledger.together)} ledgers together that the privacy parameters of all their "
            "events, and which events there are, were fixed before the first answer in any of them"
        )
        found.append(Finding(Hypothesis.FIXED_PARAMETERS, True, how, premise=True))
    if ledger.together and ledger.interaction == "sequential":
        how = (
            f"it is declared of the {len(ledger.together)} ledgers together that their events ran one after another, "
            "none of one ledger while one of another ran"
        )
        found.append(Finding(Hypothesis.SEQUENTIAL, True, how, premise=True))
    return tuple(found)


def _fixed(facts: Facts) -> tuple[bool, str]:
    declared = facts.ledger.parameters
    if facts.ledger.together and declared != "fixed-in-advance":
        return False, _NOT_TOGETHER.format(
            len(facts.ledger.together), "parameters fixed in advance", "fixed-in-advance"
        )
    if declared is None:
        return False, "the ledger does not declare whether parameters were fixed in advance"
    if facts.refused:
        return False, f"{facts.refused} event(s) were refused, so what ran may hang on the answers"
    if facts.charged_by_answers:
        return False, "the declared budget may have been charged by observed cells, so what ran may hang on the answers"
    return facts.fixed, f"the ledger declares parameters {declared}"


def _known_laws(facts: Facts) -> tuple[bool, str]:
    if not facts.declares_laws:
        return False, "no event declares its mechanism with parameters"
    if facts.laws is None:
        without = sorted(
            {
                event.guarantee.kind
                for event in facts.ledger.ran
                if (event.law is None or event.law.upper is None) and worst_case(event.guarantee) is None
            }
        )
        return False, f"events of kind {', '.join(without)} declare no mechanism with a law"
    words = sorted({mechanism.kind for mechanism, _ in facts.laws})
    return True, f"every event has a pair of laws: {', '.join(words)}"


def _sampled(facts: Facts) -> tuple[bool, str]:
    if facts.samples is None:
        return False, "not every event declares a subsampled mechanism"
    bases = {gaussian_of(sample.base.upper or ()) for sample, _ in facts.samples}
    if None in bases:
        kinds = sorted({sample.base.kind for sample, _ in facts.samples})
        return (
            False,
            f"the mechanisms on the samples are {', '.join(kinds)}, of which not every one is a Gaussian query",
        )
    if len(bases) > 1 or len({sample.rate for sample, _ in facts.samples}) > 1:
        return False, "the rounds differ in rate or noise, and only equal ones are composed"
    return True, "all rounds are one Gaussian mechanism on samples of one rate"


_DRAWN = (
    "the ledger declares sampling poisson and add-or-remove-one neighbours: every record was drawn on its own, anew in "
    "every round; "
)
#: What an upper bound for Poisson samples rests on, and no ledger can show.
DRAWN = f"{_DRAWN}batches of a shuffle, which most training loops use, can lose more"
#: And a lower bound.
DRAWN_AT_LEAST = f"{_DRAWN}samples that were drawn otherwise may lose less"
#: What a lower bound for an epoch of shuffled batches rests on.
SHUFFLED = (
    "the ledger declares sampling shuffled and add-or-remove-one neighbours: each epoch takes its batches from a "
    "random order of all records, and the other records may be any that the clipping allows"
)


def _poisson(facts: Facts) -> tuple[bool, str]:
    declared = sorted({sample.sampling for sample, _ in facts.samples or ()})
    for sampling in declared:
        if sampling != "poisson":
            claimed = CLAIMED[sampling]
            said = "" if claimed is None else f" ({claimed.value})"
            return False, f"the ledger declares sampling {sampling}{said}: {NOT_POISSON[sampling]}"
    if facts.ledger.neighbours != "add-or-remove-one":
        return False, f"the ledger declares neighbours {facts.ledger.neighbours}: {NOT_ADD_OR_REMOVE}"
    if any(cap.occurs for cap in facts.caps):
        return False, TRUNCATED
    if not declared:
        return False, "no event declares how its records were sampled"
    return True, DRAWN


def cut(caps: Iterable[Truncation], beside: int = 0) -> str:
    """What a verdict on samples with caps rests on; ``beside`` are the other units of the claim's group."""
    group = f", of which {beside} may be of the claim's group" if beside else ""
    said = "; ".join(
        f"a batch of more than {cap.cap} records is cut to {cap.cap}, and no data set has more than {cap.records} "
        f"beside the one that differs{group}"
        for cap in caps
    )
    return (
        f"the ledger declares that {said}: which records are dropped hangs on the records drawn, on coins and on "
        "earlier answers only, and no sum is divided by how many were drawn"
    )


def _truncated(facts: Facts) -> tuple[bool, str]:
    if not any(cap.occurs for cap in facts.caps):
        return False, "no event declares a cap (`batch_cap`) that its Poisson samples may be above"
    if facts.ledger.neighbours != "add-or-remove-one":
        return False, f"the ledger declares neighbours {facts.ledger.neighbours}: {NOT_ADD_OR_REMOVE}"
    if facts.truncated is None:
        told = f": {facts.unknown[0]}" if facts.unknown else ""
        return False, f"an event has neither a known law nor a guarantee that is one pair of laws{told}"
    return True, cut(facts.caps, facts.beside)


def _equal(facts: Facts) -> tuple[bool, str]:
    found = facts.different
    many = f"more than {MOST_MERGED}" if found > MOST_MERGED and facts.columns is not None else str(found)
    return found <= 1, f"{many} different guarantee(s) among {facts.ledger.rounds} round(s)"


def _pure(facts: Facts) -> tuple[bool, str]:
    if not facts.has_approx:
        return False, _lacking(facts, as_approx_dp)
    return facts.approx_delta == 0, f"the deltas of the events sum to {about(facts.approx_delta)}"


def _lacking(facts: Facts, view: Callable[[Guarantee], object]) -> str:
    if facts.columns is not None:
        return f"events of kind {facts.columns.kind} have no such guarantee"
    kinds = sorted({guarantee.kind for guarantee, _ in facts.distinct if view(guarantee) is None})
    return f"events of kind {', '.join(kinds)} have no such guarantee"


def _approx(facts: Facts) -> tuple[bool, str]:
    if not facts.has_approx:
        return False, _lacking(facts, as_approx_dp)
    return True, "every event has an (epsilon, delta)-DP guarantee"


def _zcdp(facts: Facts) -> tuple[bool, str]:
    if not facts.has_zcdp:
        return False, _lacking(facts, as_zcdp)
    return True, "every event has a zCDP guarantee, declared or by whitehouse2023/lem1"


def _gaussian(facts: Facts) -> tuple[bool, str]:
    met = facts.mus is not None
    return met, "every event is declared Gaussian DP" if met else "not every event is declared Gaussian DP"


def _bounded_range(facts: Facts) -> tuple[bool, str]:
    met = facts.bounded_range is not None
    return met, "every event is declared of bounded range" if met else "not every event is declared of bounded range"


def _queries(facts: Facts) -> tuple[bool, str]:
    said = facts.ledger.queries
    if said is None:
        return False, "the ledger does not declare whether mechanisms were chosen from earlier answers (`queries`)"
    if facts.of_periods:
        return False, "the mechanisms of a later period may be chosen from the answers of an earlier one"
    return facts.fixed and said == "fixed-in-advance", f"the ledger declares queries {said}"


def _renyi(facts: Facts) -> tuple[bool, str]:
    orders = ", ".join(str(order) for order, _ in facts.renyi)
    return bool(
        orders
    ), f"every event has Renyi DP of the order(s) {orders}" if orders else "no declared order is common"


#: Algorithm 1 of Hartmann et al. 2022: the one filter that charges what was observed.
OUTPUT_FILTER = "hartmann2022/alg1"

#: And the one that charges it beside rounds at a Renyi order.
EX_POST_FILTER = "rswr2023/ex_post_filter"

#: The filter of output DP by its definition: it decides as Algorithm 1 does, by the cells observed.
SIMPLE_OUTPUT_FILTER = "hartmann2022/def19"

#: The Renyi filters, of one order and of the grid of orders that a replay has.
RENYI_FILTER, GRID_FILTER = "feldman2021/renyi_filter", "lecuyer2021/renyi_grid_filter"

#: What a theorem asks of the rule that decided which events ran.
BUDGET_HYPOTHESES = frozenset({Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.OUTPUT_BUDGET, Hypothesis.EX_POST_BUDGET})

#: Those of them that let a round pay for its answer: without the budget it costs the most that it may.
PAID_BY_ANSWERS = frozenset({Hypothesis.OUTPUT_BUDGET, Hypothesis.EX_POST_BUDGET})

#: What follows from a zCDP guarantee, whatever the filter of that guarantee saw.
_OF_ZCDP = ("whitehouse2023/lem1", "cks2020/zcdp2dp")

_CELLS_WITHOUT_BUDGET = (
    "the ledger declares no budget enforced by {}, and parameters fixed in advance: what ran did not hang on "
    "the observed cells, so that each event costs its largest cell"
)


def _premise(budget: Budget) -> str:
    """What a filter theorem rests on and no ledger can show."""
    return (
        f"premise: {budget.filter} with the budget {budget}, and no other rule, decided from before the first event "
        "which events ran (no ledger can show this)"
    )


_CONCURRENT = (
    "for (epsilon, delta)-DP, Gaussian DP, and Renyi DP and zCDP with delta = 0 concurrent composition costs the same"
)


def _sequential(facts: Facts) -> tuple[bool, str]:
    if facts.ledger.interaction == "sequential":
        return True, "the ledger declares a sequential interaction"
    if facts.ledger.together:
        return False, _NOT_TOGETHER.format(len(facts.ledger.together), "a sequential interaction", "sequential")
    return False, "the ledger does not declare a sequential interaction"


def _concurrent_dp(facts: Facts) -> tuple[bool, str]:
    sequential, how = _sequential(facts)
    return True, how if sequential else _CONCURRENT


def _concurrent_moments(facts: Facts) -> tuple[bool, str]:
    """Moments of one order are lifted, and (epsilon, delta)-DP is post-processing; approximate zCDP has no such proof.

    proofs/derivations/concurrent.py; Haney et al. 2023 for filters of one fixed order.
    """
    sequential, how = _sequential(facts)
    if sequential or facts.unknown:
        return sequential, how
    if facts.columns is not None:
        approximate = facts.columns.kind == "zcdp" and facts.zcdp_delta > 0
    else:
        approximate = any(isinstance(event, (ZCDP, RenyiDP)) and event.delta for event, _ in facts.distinct)
    if approximate:
        return False, f"{how}, and an event is delta-approximately zCDP or Renyi DP with delta > 0"
    return True, _CONCURRENT


_OBSERVED = "every event has an output DP guarantee and its observed cell"


def _output_dp(facts: Facts) -> tuple[bool, str]:
    if not facts.has_approx:
        return False, _lacking(facts, as_approx_dp)
    if facts.columns is not None:
        return True, _OBSERVED
    unseen = sum(
        event.count
        for event in facts.ledger.ran
        if isinstance(event.guarantee, OutputDP) and event.observed_cell is None and len(event.guarantee.cells) > 1
    )
    return True, _OBSERVED if not unseen else (
        f"every event has an output DP guarantee; {unseen} without an observed cell are charged their largest cost"
    )


def _ex_post(facts: Facts) -> tuple[bool, str]:
    order = facts.ledger.tuning.get(EX_POST_FILTER, {}).get("order")
    if facts.columns is None and order is not None and order > 1:
        for guarantee, _ in facts.distinct:
            if as_approx_dp(guarantee) is None and renyi_cost(guarantee, order) is None:
                return False, f"an event of kind {guarantee.kind} promises nothing at the declared order {spell(order)}"
    return True, "every event is (epsilon, delta)-DP, zCDP or Renyi DP"


_CHECKS: dict[Hypothesis, Callable[[Facts], tuple[bool, str]]] = {
    Hypothesis.FIXED_PARAMETERS: _fixed,
    Hypothesis.EQUAL_PARAMETERS: _equal,
    Hypothesis.KNOWN_LAWS: _known_laws,
    Hypothesis.SAMPLED_ROUNDS: _sampled,
    Hypothesis.POISSON_SAMPLING: _poisson,
    Hypothesis.TRUNCATED_SAMPLES: _truncated,
    Hypothesis.PURE_ROUNDS: _pure,
    Hypothesis.APPROX_DP_ROUNDS: _approx,
    Hypothesis.ZCDP_ROUNDS: _zcdp,
    Hypothesis.GAUSSIAN_ROUNDS: _gaussian,
    Hypothesis.BOUNDED_RANGE_ROUNDS: _bounded_range,
    Hypothesis.QUERIES_IN_ADVANCE: _queries,
    Hypothesis.RDP_ROUNDS: _renyi,
    Hypothesis.OUTPUT_DP_ROUNDS: _output_dp,
    Hypothesis.EX_POST_ROUNDS: _ex_post,
    Hypothesis.SEQUENTIAL: _sequential,
    Hypothesis.CONCURRENT_DP: _concurrent_dp,
    Hypothesis.CONCURRENT_RDP: _concurrent_moments,
    Hypothesis.CONCURRENT_ZCDP: _concurrent_moments,
}
