"""What a ledger declares of how it came about, and which filter stopped it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from privref.guarantees.conversions import ORDERS
from privref.guarantees.model import OutputDP
from privref.ledger.model import Budget, Ledger
from privref.statements.theorems import THEOREMS, named

from .guarantees import Guarantees

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
