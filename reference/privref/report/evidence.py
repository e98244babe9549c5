"""What the evidence of a ledger shows, as a document and as text."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType

from privref.audit.evidence import EvidenceBound, by, premise_of, said
from privref.exact.rounding import plain
from privref.statements.registry import statement

from .lines import line

_DIGITS = 10


def evidence_document(found: tuple[EvidenceBound, ...]) -> dict[str, Any]:
    """``evidence.1``: of each piece the epsilon that it shows, rounded down, with its confidence and premise."""
    return {
        "schema": "evidence.1",
        "shown": [
            {
                "evidence": str(each.piece),
                "by": by(each.piece),
                "delta": said(each.delta),
                "epsilon": plain(each.enclosure.decimals(_DIGITS)[0]),
                "confidence": said(each.piece.confidence),
                "premise": premise_of(each.piece),
            }
            for each in found
        ],
    }


def evidence_report(found: tuple[EvidenceBound, ...]) -> RenderableType:
    """The pieces, each with the epsilon that it shows."""
    parts: list[RenderableType] = []
    for each in found:
        least, sure = plain(each.enclosure.decimals(_DIGITS)[0]), said(each.piece.confidence)
        parts.append(line(str(each.piece), "bold"))
        parts.append(
            line(f"  not (epsilon, {said(each.delta)})-DP for any epsilon below {least}, with confidence {sure}")
        )
        parts.append(line(f"  premise: {premise_of(each.piece)}"))
        parts.append(line(f"  {statement(f'{by(each.piece)}.eps').source}", "dim"))
    return Group(*parts)
