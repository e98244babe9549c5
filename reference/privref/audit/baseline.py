"""Verdicts that are known and accepted for a time: one claim's, with a reason, an end, and the ledger it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from privref.exact.errors import InputError, one_line, require
from privref.ledger import documents

from .claims import Claim, claim_from
from .opinions import Audit


@dataclass(frozen=True, slots=True)
class Accepted:
    """One entry of a baseline: the whole claim, since its name alone may come to stand for another."""

    claim: Claim
    verdict: str
    reason: str
    until: date
    ledger: str | None = None


def baseline_from_document(document: Any) -> tuple[Accepted, ...]:
    """The entries of a parsed ``baseline.1`` document; a confirmed claim needs none, a refuted one its ledger."""
    documents.validate(document, "baseline.1", "baseline")
    found = []
    for i, entry in enumerate(document["accepted"]):
        place = f"baseline.accepted[{i}]"
        try:
            until = date.fromisoformat(entry["until"])
        except ValueError:
            raise InputError(f"{place}.until", entry["until"], "give a day of the calendar, as YYYY-MM-DD") from None
        if entry["verdict"] == "confirmed":
            raise InputError(f"{place}.verdict", "confirmed", "what is confirmed needs no acceptance; remove it")
        documents.validate({"schema": "claims.1", "claims": [entry["claim"]]}, "claims.1", place)
        claim = claim_from(entry["claim"], f"{place}.claim")
        found.append(Accepted(claim, entry["verdict"], entry["reason"], until, entry.get("ledger")))
    return tuple(found)


def under_baseline(audit: Audit, accepted: tuple[Accepted, ...], today: date) -> tuple[Audit, tuple[str, ...]]:
    """The audit without the opinions that are accepted today, and a line for every entry on what became of it.

    An entry accepts one verdict on one claim: where the claim of that id says anything else, where the verdict or the
    ledger is another, or the day too late, it accepts nothing.
    """
    require(audit, Audit, "audit", "give the Audit that audit(ledger, claims) returned")
    left, lines = list(audit.opinions), []
    for entry in accepted:
        opinion = next((o for o in audit.opinions if o.claim.id == entry.claim.id), None)
        name = one_line(entry.claim.id)
        if opinion is None:
            lines.append(f"baseline: there is no claim {name}")
        elif replace(opinion.claim, document=None) != replace(entry.claim, document=None):
            lines.append(f"baseline: {name} was accepted when it said something else, and counts")
        elif entry.ledger is not None and entry.ledger != audit.ledger.digest:
            lines.append(f"baseline: {name} was accepted for another ledger, not for {audit.ledger.digest}, and counts")
        elif opinion.verdict != entry.verdict:
            lines.append(f"baseline: {name} was accepted as {entry.verdict}; it is {opinion.verdict} now")
        elif today > entry.until:
            lines.append(f"baseline: {name}, {entry.verdict}, was accepted until {entry.until}, and counts again")
        else:
            left = [other for other in left if other is not opinion]
            lines.append(f"accepted until {entry.until}: {name} is {opinion.verdict}: {one_line(entry.reason)}")
    return Audit(audit.ledger, tuple(left)), tuple(lines)
