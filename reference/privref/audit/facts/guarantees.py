"""What the events of a ledger guarantee, as multisets of parameters and their exact sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from privref.exact.columns import MOST_MERGED
from privref.exact.numbers import weighted_sum
from privref.guarantees.conversions import renyi_cost
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
from privref.ledger.model import Event, EventColumns, Ledger
from privref.statements.params import Multiset

_View = TypeVar("_View")


@dataclass(frozen=True, eq=False)
class Guarantees:
    """The guarantees of what ran. Sums are exact; lists keep how often each value occurs."""

    ledger: Ledger

    @property
    def columns(self) -> EventColumns | None:
        """The events of a long sheet; what theorems ask of those is summed without making them one by one."""
        return self.ledger.events if isinstance(self.ledger.events, EventColumns) else None

    @cached_property
    def distinct(self) -> tuple[tuple[Guarantee, int], ...]:
        """The different guarantees and how often each occurs."""
        counter: Counter[Guarantee] = Counter()
        for event in self.ledger.ran:
            counter[event.guarantee] += event.count
        return tuple(counter.items())

    @property
    def unknown(self) -> tuple[str, ...]:
        """Descriptions of the events that cannot be accounted."""
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
    def bounded_range(self) -> Multiset | None:
        """The bounded ranges of the events; None where an event is declared to have none."""
        if self.columns is not None or not all(isinstance(kind, BoundedRange) for kind, _ in self.distinct):
            return None
        return tuple((kind.epsilon, count) for kind, count in self.distinct if isinstance(kind, BoundedRange))

    @cached_property
    def epsilons(self) -> Multiset:
        """The epsilons of the events as (epsilon, delta)-DP."""
        if self.columns is not None:
            return self.columns.sizes.merged() if self.has_approx else ()
        return merged((approx.epsilon, count) for approx, count in self.approx or ())

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
            merged((found.epsilon, n) for found, n in pure if found is not None and found.epsilon),
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
        costs = ((order, self.at_order(order)) for order in sorted(declared))
        return tuple((order, cost[0]) for order, cost in costs if cost is not None)

    @cached_property
    def renyi_delta(self) -> Fraction:
        """The sum of the deltas of the events as approximate Renyi DP."""
        cost = self.at_order(self.renyi[0][0])
        assert cost is not None
        return cost[1]

    def at_order(self, order: Fraction) -> tuple[Fraction, Fraction] | None:
        """What all events cost at a Renyi order, and the sum of their deltas; None where one promises nothing there."""
        costs = [(renyi_cost(guarantee, order), count) for guarantee, count in self.distinct]
        if any(cost is None for cost, _ in costs):
            return None
        found = [(cost, count) for cost, count in costs if cost is not None]
        return weighted_sum((cost[0], n) for cost, n in found), weighted_sum((cost[1], n) for cost, n in found)

    def _all(self, view: Callable[[Guarantee], _View | None]) -> tuple[tuple[_View, int], ...] | None:
        found = []
        for guarantee, count in self.distinct:
            seen = view(guarantee)
            if seen is None:
                return None
            found.append((seen, count))
        return tuple(found)


def counted(ledger: Ledger, view: Callable[[Event], _View | None]) -> tuple[tuple[_View, int], ...] | None:
    """Return what a view makes of the events that ran, with counts; None where it makes nothing of one."""
    counter: Counter[_View] = Counter()
    for event in ledger.ran:
        found = view(event)
        if found is None:
            return None
        counter[found] += event.count
    return tuple(counter.items())


def merged(pairs: Iterable[tuple[Fraction, int]]) -> Multiset:
    """Return the different values with how often each occurs, in the order of their first occurrence."""
    # Keyed by numerator and denominator: the hash of a Fraction takes a modular inverse.
    counter: dict[tuple[int, int], int] = {}
    first: dict[tuple[int, int], Fraction] = {}
    for value, count in pairs:
        key = value.numerator, value.denominator
        first.setdefault(key, value)
        counter[key] = counter.get(key, 0) + count
    return tuple((first[key], count) for key, count in counter.items())
