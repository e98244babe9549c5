"""The best bound of a claim, what it leaves of it, and how far it is a guarantee."""

from __future__ import annotations

from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.rounding import to_decimal
from privref.statements.hypotheses import BUDGET_HYPOTHESES

from .claims import TotalClaim
from .verdicts import Bound, Opinion


def best(opinion: Opinion) -> Bound | None:
    """The bound that decided, or else the tightest; None where no theorem gave a finite one."""
    first = opinion.deciding or next(iter(opinion.bounds), None)
    return None if first is None or first.enclosure is None else first


#: Digits of a bound that is not exact, and letters of one that is.
DIGITS, MOST_LETTERS = 10, 20


def shown(opinion: Opinion) -> Bound | None:
    """The bound to say: the best one, or one that is known exactly and is no larger than the best one's digits.

    Where a theorem proves 15 exactly, another one's 14.9999999999999998, rounded up, is not new.
    """
    item, claim = best(opinion), opinion.claim
    if item is None or item.enclosure is None or item.value is not None:
        return item
    if claim.by is not None or not isinstance(claim, TotalClaim):
        return item
    most = Fraction(to_decimal(item.enclosure.upper, DIGITS, "up"))
    if opinion.verdict == "confirmed":
        most = min(most, (opinion.of_unit or claim).size)
    exact = (
        other
        for other in opinion.bounds
        if other.value is not None
        and len(other.value) <= MOST_LETTERS
        and other.enclosure is not None
        and other.enclosure.upper <= most
        and caveat(other) == caveat(item)
    )
    return next(exact, item)


def caveat(item: Bound) -> str:
    """What to say with a bound that is a reading of what ran, and holds as a guarantee only by a filter's budget."""
    if item.application.supposed is not None:
        return " (only if it was the filter enforced)"
    by_filter = any(
        finding.premise and finding.hypothesis in BUDGET_HYPOTHESES for finding in item.application.findings
    )
    return " (what ran, within the budget, which is what the filter guarantees)" if by_filter else ""


def margin(opinion: Opinion, item: Bound | None = None) -> Enclosure | None:
    """The claimed number less the best bound, or this one: positive where the claim leaves room, else negative.

    None where a filter decided what ran: it guarantees its budget, so the rest cannot be used. Of a group's
    claim that follows from one of a unit it is that one's.
    """
    item, claim = item or best(opinion), opinion.claim
    if item is None or item.enclosure is None or not isinstance(claim, TotalClaim) or caveat(item):
        return None
    size = (opinion.of_unit or claim).size
    return Enclosure(size - item.enclosure.upper, size - item.enclosure.lower)
