"""A ledger: the events of one interaction and the facts about it that theorems ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, Literal, get_args, overload

from privref.exact.columns import Column, Integers
from privref.exact.errors import InputError, one_of, require, require_text
from privref.exact.numbers import at_least_zero, count, probability, rational, written
from privref.exact.tables import Library, frame, html_table
from privref.guarantees.model import ZCDP, ApproxDP, Guarantee, checked
from privref.guarantees.selection import Trials
from privref.profiles.declared import Mechanism, Truncation
from privref.statements.theorems import THEOREMS

from .evidence import Evidence
from .names import canonical, require_told_apart
from .released import Released
from .rounded import RoundedInput

Neighbours = Literal["add-or-remove-one", "replace-one", "zero-out"]
Parameters = Literal["fixed-in-advance", "chosen-adaptively"]
Interaction = Literal["sequential", "concurrent"]


#: What may be declared of a ledger, each as one of a few words or as None.
_WORDS = {
    "neighbours": get_args(Neighbours),
    "parameters": get_args(Parameters),
    "interaction": get_args(Interaction),
    "queries": get_args(Parameters),
}
#: How often the epsilon of one trial is paid by what private selection releases (liu2019/alg1, liu2019/alg2).
SELECTED = {"above-threshold": 2, "best-of-random-number": 3}
#: Events of a ledger that a notebook shows.
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a ledger: ``count`` runs of something with a guarantee."""

    guarantee: Guarantee
    """What each run guarantees."""
    count: int = 1
    """How often it ran."""
    label: str = ""
    """What the release is called."""
    mechanism: str = ""
    """The kind of the declared mechanism; empty where none is declared."""
    observed_cell: str | None = None
    """Of a mechanism with output DP: the cell that its answer fell into."""
    decision: str | None = None
    """What the running system decided: continue, halt or reject; None where nothing decided."""
    law: Mechanism | None = None
    """The declared mechanism with its parameters; ``mechanism`` is its kind."""
    part: tuple[str, str] | None = None
    """The partition and its part that alone the event reads; None: all records."""
    selected: str | None = None
    """How one of several trials was selected; ``guarantee`` counts it already."""
    trial: Mechanism | None = None
    """The declared mechanism of one trial, or of answers of which something else was released: neither has its law."""
    released: Released | None = None
    """What is declared of the answers that were released; where that is not what the mechanism answers, nothing is."""
    best_of: Trials | None = None
    """Of how many trials the best was released; ``guarantee`` counts it already."""

    def __post_init__(self) -> None:
        checked(self.guarantee)
        if type(self.count) is not int or self.count < 1:
            object.__setattr__(self, "count", count(self.count, "event.count", least=1))
        if self.part is not None:
            of, which = self.part
            object.__setattr__(self, "part", (canonical(of, "event.part.of"), canonical(which, "event.part.is")))

    @property
    def truncation(self) -> Truncation | None:
        """The cap on the samples of what ran, or of a trial of it; None where none is declared."""
        declared = self.law or self.trial
        return None if declared is None or declared.sample is None else declared.sample.truncation


class EventColumns(Sequence[Event]):
    """Events of one kind, (epsilon, delta)-DP or zCDP, that all ran: sizes, deltas and counts in columns."""

    __slots__ = ("counts", "deltas", "kind", "sizes")

    def __init__(
        self, kind: Literal["approx-dp", "zcdp"], sizes: Column, deltas: Column | None, counts: Integers | None
    ) -> None:
        self.kind = kind
        self.sizes = sizes
        """The epsilons, or the rhos, with the counts."""
        self.deltas = deltas
        self.counts = counts

    def __len__(self) -> int:
        return len(self.sizes)

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, place: int | slice) -> Event | tuple[Event, ...]:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        size, times = self.sizes[place]
        if self.kind == "zcdp":
            return Event(ZCDP(size), times)
        delta = Fraction(0) if self.deltas is None else self.deltas[place][0]
        return Event(ApproxDP(size, delta), times)

    def __iter__(self) -> Iterator[Event]:
        return (self[i] for i in range(len(self)))

    @property
    def rounds(self) -> int:
        """The number of runs, counts included."""
        return self.sizes.size


#: The filter that enforces a budget of rho; every conversion of zCDP may be applied to what it guarantees.
ZCDP_FILTER = "whitehouse2023/thm1"

#: The filters that a budget may name, and whether the delta of each is split in advance into delta' and the rest.
FILTERS: Mapping[str, bool] = {each.id: each.filter == "split" for each in THEOREMS if each.filter}


@dataclass(frozen=True, slots=True)
class Budget:
    """What was fixed before the first event and enforced: (epsilon, delta), or rho with delta, and by which filter.

    ``delta_prime`` is the part of delta that the filter's conversion or tail bound takes; None stands for the default,
    delta/2, which depends on nothing that was chosen during the run. ``rho`` is set instead of ``epsilon`` for the
    filter of whitehouse2023/thm1.
    """

    delta: Fraction
    epsilon: Fraction | None = None
    filter: str | None = None
    delta_prime: Fraction | None = None
    rho: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", probability(self.delta, "budget.delta"))
        for name in ("epsilon", "rho", "delta_prime"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, at_least_zero(value, f"budget.{name}"))

    @property
    def document(self) -> dict[str, str]:
        """The ``budget`` of a ledger that declares it."""
        named = {"epsilon": self.epsilon, "rho": self.rho, "delta": self.delta, "delta_prime": self.delta_prime}
        numbers = {name: written(value) for name, value in named.items() if value is not None}
        return numbers if self.filter is None else {**numbers, "filter": self.filter}

    def __str__(self) -> str:
        if self.epsilon is not None:
            size = f"{written(self.epsilon)}, "
        else:
            size = "" if self.rho is None else f"rho = {written(self.rho)}, "
        split = "" if self.delta_prime is None else f" with delta' = {written(self.delta_prime)}"
        return f"({size}delta = {written(self.delta)}){split}"


@dataclass(frozen=True, slots=True)
class Joined:
    """One of several ledgers whose events a joint ledger holds."""

    title: str
    digest: str

    def __str__(self) -> str:
        return f"{self.title} (SHA-256 {self.digest})"


@dataclass(frozen=True, slots=True, repr=False)
class Ledger:
    """What was run, and what is declared about how; None stands for "not declared"."""

    title: str
    """What the ledger is called in reports."""
    events: Sequence[Event]
    """What was run, in the order of the ledger: an Event is one entry, with how often it ran."""
    digest: str
    """The SHA-256 of what was read, in hexadecimal digits; certificates name it."""
    digest_of: str
    """Of what the digest is: the ledger's canonical JSON, or the bytes of a sheet's file."""
    neighbours: Neighbours | None = None
    """Which data sets are neighbours."""
    parameters: Parameters | None = None
    """Whether all privacy parameters were fixed before the first answer was seen."""
    interaction: Interaction | None = None
    """Whether each event began after the one before had ended."""
    privacy_unit: str = ""
    """Whose data one record is, in words."""
    queries: Parameters | None = None
    """Whether every mechanism, and not only its parameters, was chosen before the first answer."""
    attained_together: bool = False
    """Whether one pair of neighbouring data sets attains the shifts of all mechanisms, each with its count."""
    dataset_size: int | None = None
    """How many records the data has; None where that is not declared."""
    dataset_size_public: bool = False
    """Whether that number is public."""
    budget: Budget | None = None
    """What was fixed before the first event and enforced while the events ran."""
    partitions: Mapping[str, str] = field(default_factory=dict)
    """The partitions that events name, each with its public key in words."""
    different_names: tuple[tuple[str, ...], ...] = ()
    """Groups of names that look alike, each of which is declared to be another one than the rest of its group."""
    period: str = ""
    """What of a person's data the privacy unit is: that of one such period; "" for all of it."""
    tuning: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    """Parameters of machines that were fixed in advance, by the id of their statement."""
    document: Mapping[str, Any] | None = None
    """The JSON document that was read; None for a sheet."""
    rows: Mapping[str, Any] | None = None
    """What the rows of a sheet say as a ledger's document, where that is more than guarantees, counts and labels."""
    source: str = ""
    """Where the record comes from, in words."""
    together: tuple[Joined, ...] = ()
    """The ledgers whose events these are; ``parameters`` and ``interaction`` are then declared of all together."""
    may_be_fixed: bool = False
    """Whether the parameters of ledgers that were joined may all have been fixed in advance: none says otherwise."""
    evidence: tuple[Evidence, ...] = ()
    """What attacks on what ran had found."""
    attacked: tuple[Ledger, ...] = ()
    """Of ledgers that were combined, those with evidence, which is compared with what each of them proves too."""
    rounded: tuple[RoundedInput, ...] = ()
    """The parameters that were published rounded; ``events`` are read where most is lost."""
    unread: tuple[str, ...] = ()
    """Where a sheet has words that no verdict depends on: headings of columns, and the lines above the table."""
    in_order: bool = True
    """Whether ``events`` are in the order in which they were asked for; those of a unit in a batch are in none."""

    def __post_init__(self) -> None:
        require_text(self.title, "title")
        require(self.events, Sequence, "events", "give a sequence of Event")
        for name, words in _WORDS.items():
            one_of(getattr(self, name), (None, *words), name)
        if self.dataset_size is not None and (type(self.dataset_size) is not int or self.dataset_size < 1):
            object.__setattr__(self, "dataset_size", count(self.dataset_size, "dataset_size", least=1))
        if not all(isinstance(value, Fraction) for values in self.tuning.values() for value in values.values()):
            read = {
                statement: {name: at_least_zero(value, f"tuning.{statement}.{name}") for name, value in values.items()}
                for statement, values in self.tuning.items()
            }
            object.__setattr__(self, "tuning", read)
        if self.budget is not None and self.budget.delta_prime is not None:
            tuned = self.tuning.get(self.budget.filter or "", {}).get("delta_prime")
            if tuned not in (None, self.budget.delta_prime):
                remedy = (
                    f"the budget splits delta with delta_prime = {written(self.budget.delta_prime)}; give one of both"
                )
                raise InputError(f"tuning.{self.budget.filter}.delta_prime", written(tuned), remedy)
        self.told_apart()

    def __repr__(self) -> str:
        return f"<Ledger {self.title[:60]!r}: {len(self.events)} event(s), {self.rounds} round(s)>"

    @property
    def as_written(self) -> Sequence[Mapping[str, Any]]:
        """What was read of each event's guarantee, with its numbers as the user wrote them; empty where it is lost."""
        said = (self.document or self.rows or {}).get("events", ())
        known = len(said) == len(self.events)
        return [each.get("guarantee", {}) for each in said] if known else ({},) * len(self.events)

    def rows_of_events(self) -> list[dict[str, str]]:
        """Return one dictionary of text for each event: label, what it guarantees, mechanism and count."""
        as_written = self.as_written
        return [
            {
                "#": str(i),
                "label": event.label,
                "guarantee": _said(event.guarantee, as_written[i - 1]),
                "mechanism": event.mechanism,
                "count": str(event.count),
                "decision": event.decision or "",
            }
            for i, event in enumerate(self.events, 1)
        ]

    def to_frame(self, library: Library | None = None) -> Any:
        """Return the events as a data frame of pandas or polars; InputError where neither is installed."""
        return frame(self.rows_of_events(), library)

    def _repr_html_(self) -> str:
        """Return the declarations and the first events as a table."""
        declared = [("neighbours", self.neighbours), ("parameters", self.parameters), ("interaction", self.interaction)]
        said = "; ".join(f"{name}: {value or 'not declared'}" for name, value in declared)
        title = f"{self.title}: {len(self.events)} event(s), {self.rounds} round(s); {said}"
        shown = replace(self, events=self.events[:_MOST_SHOWN]) if len(self.events) > _MOST_SHOWN else self
        more = f"; the first {_MOST_SHOWN} are shown" if shown is not self else ""
        return html_table(title + more, shown.rows_of_events())

    def told_apart(self) -> list[tuple[str, str]]:
        """Return the alike names of parts, or of partitions, that are declared to be different ones.

        InputErrors for alike names of which the ledger does not say that: whether they are one part is a question.
        """
        parts: dict[str, list[tuple[str, str]]] = {}
        if not isinstance(self.events, EventColumns):
            for i, event in enumerate(self.events):
                if event.part is not None:
                    parts.setdefault(event.part[0], []).append((f"ledger.events[{i}].part.is", event.part[1]))
        if not parts and len(self.partitions) < 2:
            return []
        named = [(f"ledger.partitions.{name}", canonical(name, "ledger.partitions")) for name in self.partitions]
        named += [(names[0][0].removesuffix("is") + "of", name) for name, names in parts.items()]
        answered = require_told_apart(named, self.different_names, "ledger.partitions")
        for names in parts.values():
            answered += require_told_apart(names, self.different_names, "ledger.events")
        return answered

    @property
    def names_in_use(self) -> set[str]:
        """The names of its partitions and of the parts that its events read."""
        events = () if isinstance(self.events, EventColumns) else self.events
        return {*self.partitions, *(name for event in events for name in event.part or ())}

    @property
    def ran(self) -> Sequence[Event]:
        """The events that ran: one that the running system halted or rejected answered nothing."""
        if isinstance(self.events, EventColumns):
            return self.events
        return tuple(event for event in self.events if event.decision in (None, "continue"))

    @property
    def selects(self) -> bool:
        """Whether an event is the selected one of several trials."""
        return not isinstance(self.events, EventColumns) and any(e.selected or e.best_of for e in self.events)

    @property
    def shares(self) -> bool:
        """Whether a round of some event counts as its part of what the rounds of an epoch have together."""
        return not isinstance(self.events, EventColumns) and any(
            event.law is not None and event.law.shared for event in self.events
        )

    @property
    def asks_for_neighbours(self) -> bool:
        """Whether a sheet has samples or parts, of which theorems ask who the neighbours are, and does not say it."""
        events = self.rows["events"] if self.neighbours is None and self.rows is not None else ()
        return any("part" in row or row.get("mechanism", {}).get("kind") == "subsampled" for row in events)

    @property
    def rounds(self) -> int:
        """The number of runs, counts included."""
        if isinstance(self.events, EventColumns):
            return self.events.rounds
        return sum(event.count for event in self.ran)


def _said(guarantee: Guarantee, as_written: Mapping[str, Any]) -> str:
    """The kind of a guarantee with its numbers, as they were written where that is known."""
    numbers = []
    for each in fields(guarantee):
        if isinstance(value := getattr(guarantee, each.name), Fraction):
            text = as_written.get(each.name)
            same = isinstance(text, str) and rational(text) == value
            numbers.append(f"{each.name} = {text if same else written(value)}")
    return f"{guarantee.kind}({', '.join(numbers)})"


def most_others(size: int, neighbours: str | None, units: int = 1) -> int:
    """Return how many records there may be besides one that differs, for data sets that are this many units apart.

    One of the data sets has ``size`` records. Units are added to all of them, one after another; a unit is replaced, or
    zeroed out, among all but itself.
    """
    return size + units - 1 if neighbours == "add-or-remove-one" else size - 1


def require_ledger(value: object, field: str = "ledger") -> None:
    """InputError where a caller gave no ledger."""
    require(value, Ledger, field, "give a Ledger, as read_ledger(path) or ledger_from_document(document) makes it")
