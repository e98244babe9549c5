"""A ledger as theorems ask for it: one view for each subject."""

from __future__ import annotations

from dataclasses import dataclass, replace

from privref.ledger.model import Budget, Ledger

from .declarations import Declarations
from .guarantees import Guarantees
from .mechanisms import Mechanisms, is_declared
from .samples import Samples


@dataclass(frozen=True, slots=True)
class Structure:
    """What a plain ledger no longer shows of the claim that it was made for."""

    of_group: bool = False
    """Whether the claim is about more units than the guarantees, or about parts of several partitions, of which no
    ledger says that a unit lies in all: then no worst case is known."""
    beside: int = 0
    """How many more units of the claim's group may be besides the one that differs."""
    of_periods: bool = False
    """Whether the events are those of several periods, each run again."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A ledger summarised once for all theorems."""

    guarantees: Guarantees
    declarations: Declarations
    mechanisms: Mechanisms
    samples: Samples
    structure: Structure

    @staticmethod
    def of(ledger: Ledger, structure: Structure | None = None) -> Facts:
        """Return the views of a ledger, with its own budget."""
        guarantees = Guarantees(ledger)
        mechanisms = Mechanisms(guarantees)
        declarations = Declarations(guarantees, ledger.budget)
        return Facts(guarantees, declarations, mechanisms, Samples(mechanisms), structure or Structure())

    @property
    def ledger(self) -> Ledger:
        """The ledger itself."""
        return self.guarantees.ledger

    @property
    def attainable(self) -> bool:
        """Whether a worst case of each guarantee is known, so that a claim may be compared with it."""
        return not self.structure.of_group and not self.ledger.selects

    def under(self, budget: Budget | None) -> Facts:
        """Return the same record, had this budget been the one that was enforced."""
        return replace(self, declarations=replace(self.declarations, budget=budget))

    def without_laws(self) -> Facts:
        """Return the same record without the events whose mechanism has a declared law."""
        if not self.mechanisms.declares_laws:
            return self
        kept = tuple(
            event for event in self.ledger.events if event.decision not in (None, "continue") or not is_declared(event)
        )
        return Facts.of(replace(self.ledger, events=kept), self.structure).under(self.declarations.budget)
