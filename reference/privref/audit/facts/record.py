"""A ledger as theorems ask for it: one view for each subject."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from privref.guarantees.conversions import ORDERS
from privref.guarantees.model import OutputDP
from privref.ledger.model import Budget, Ledger
from privref.statements.hypotheses import Hypothesis
from privref.statements.theorems import THEOREMS, named

from .guarantees import Guarantees
from .mechanisms import Mechanisms, is_declared
from .samples import Samples


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a hypothesis is met, and by what; a premise is what is declared and no ledger can show."""

    hypothesis: Hypothesis
    met: bool
    how: str
    premise: bool = False
    lifted_by: str = ""
    """The theorem by which it holds where mechanisms may run concurrently."""


_PAID_BY_ANSWERS = tuple(each.id for each in THEOREMS if each.is_paid_by_answers)


@dataclass(frozen=True, eq=False)
class Declarations:
    """The declared interaction, under the budget that is taken to have been enforced."""

    guarantees: Guarantees
    budget: Budget | None

    @property
    def ledger(self) -> Ledger:
        """The ledger that declares it."""
        return self.guarantees.ledger

    @property
    def filter(self) -> str | None:
        """The filter that the budget names; only it may prove a claim on what was not fixed in advance."""
        return None if self.budget is None else self.budget.filter

    @cached_property
    def refused(self) -> int:
        """How many requested events the running system did not run."""
        return len(self.ledger.events) - len(self.ledger.ran)

    @property
    def charged_by_answers(self) -> bool:
        """Whether a budget was in force that may have been charged by observed cells, so that it stopped at answers."""
        return (
            self.ledger.budget is not None
            and self.ledger.budget.filter in (None, *_PAID_BY_ANSWERS)
            and any(isinstance(kind, OutputDP) and len(kind.cells) > 1 for kind, _ in self.guarantees.distinct)
        )

    @property
    def fixed(self) -> bool:
        """Whether what ran was fixed in advance: also nothing was refused, as a refusal may depend on the answers."""
        return self.ledger.parameters == "fixed-in-advance" and not self.refused and not self.charged_by_answers

    @property
    def unconditional(self) -> bool:
        """Whether every event ran whatever the answers were: fixed, and under no budget that answers are charged to."""
        return self.fixed and self.ledger.budget is None

    def filter_orders(self, by: str) -> tuple[Fraction, ...]:
        """The orders of a Renyi filter: the one that the ledger declares, or those of a replay's grid."""
        if renyi_orders(by) == "grid":
            return ORDERS
        order = self.ledger.tuning.get(by, {}).get("order")
        return () if order is None or order <= 1 else (order,)


def renyi_orders(by: str) -> str:
    """Return how a theorem's filter got its Renyi orders: declared, a grid, or "" where it has none."""
    rule = named(by)
    return "" if rule is None else rule.orders


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
