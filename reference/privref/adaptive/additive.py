"""Filters that add up what each event costs and halt when a sum would exceed its limit: all but the Rogers filter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from privref.exact.errors import HypothesisError
from privref.exact.rounding import about, approximately
from privref.guarantees.model import Guarantee
from privref.statements.hypotheses import Hypothesis

from .protocol import Decision, Reading, StepsByBlocks
from .running import BudgetLimit, checked, plus

Charges = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """The exact sums so far, and whether the filter has halted."""

    totals: Charges
    halted: bool = False


@dataclass(frozen=True, slots=True)
class AdditiveFilter(StepsByBlocks[Spent]):
    """A filter with one exact sum per limit.

    ``charge`` gives what an event adds to each sum, or None where the theorem does not cover the event; ``names`` say
    what the sums are of; ``epsilon`` reads, from the sums, the epsilon that the theorem gives for what has run.
    """

    statement: str
    hypotheses: tuple[Hypothesis, ...]
    charge: Callable[[Guarantee], Charges | None]
    names: tuple[str, ...]
    limits: tuple[BudgetLimit, ...]
    epsilon: Callable[[Charges], Reading]

    def start(self) -> Spent:
        return Spent((Fraction(0),) * len(self.limits))

    def block(self, state: Spent, event: Guarantee, count: int) -> tuple[Spent, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through.

        CONT where no sum would exceed its limit, strictly; a refused event leaves the sums as they were.
        """
        charges = self.charge(checked(event))
        if charges is None:
            raise HypothesisError(
                f"{self.statement} does not cover a {event.kind} event: it requires {self.hypotheses[0].value}"
            )
        if state.halted:
            return state, Decision("HALT", self.epsilon(state.totals), "the filter has halted")
        sums = []
        for i, (total, charge) in enumerate(zip(state.totals, charges, strict=True)):
            if charge.numerator:
                total = plus(total, charge, count)
                limit = self.limits[i]
                if not limit.admits(total):
                    refused = f"{self.names[i]}: {about(total)} requested in all, at most {_limit_text(limit)} allowed"
                    return Spent(state.totals, True), Decision("HALT", self.epsilon(state.totals), refused)
            sums.append(total)
        asked = tuple(sums)
        return Spent(asked), Decision("CONT", self.epsilon(asked))


def _limit_text(limit: BudgetLimit) -> str:
    return about(limit.lower) if limit.lower == limit.upper else approximately(limit.lower)
