"""A ledger: the events of one interaction and the facts about it that theorems ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from privref.guarantees.model import Guarantee

Neighbours = Literal["add-or-remove-one", "replace-one"]
Parameters = Literal["fixed-in-advance", "chosen-adaptively"]
Interaction = Literal["sequential", "concurrent"]


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a ledger: ``count`` runs of something with a guarantee."""

    guarantee: Guarantee
    count: int = 1
    label: str = ""
    mechanism: str = ""
    observed_cell: str | None = None
    decision: str | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """The (epsilon, delta) that was fixed before the first event and enforced."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was run, and what is declared about how; None stands for "not declared"."""

    title: str
    events: tuple[Event, ...]
    digest: str
    digest_of: str
    neighbours: Neighbours | None = None
    parameters: Parameters | None = None
    interaction: Interaction | None = None
    privacy_unit: str = ""
    dataset_size: int | None = None
    dataset_size_public: bool = False
    budget: Budget | None = None
    tuning: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    document: Mapping[str, Any] | None = None

    @property
    def ran(self) -> tuple[Event, ...]:
        """The events that ran: one that the running system halted or rejected answered nothing."""
        return tuple(event for event in self.events if event.decision in (None, "continue"))

    @property
    def rounds(self) -> int:
        """The number of runs, counts included."""
        return sum(event.count for event in self.ran)
