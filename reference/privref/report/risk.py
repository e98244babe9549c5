"""What attacks on one unit can do, as a document and as text."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType

from privref.audit.evidence import said
from privref.audit.risk import Risk, Risks
from privref.exact.numbers import spell
from privref.exact.rounding import plain
from privref.statements.theorems import called

from .lines import line, text_table

_DIGITS = 8
_SAID = {
    "advantage": "advantage of a test over a blind guess",
    "right-guesses": "right guesses, prior {0}",
    "attack-success": "true-positive rate at false-positive rate {0}",
    "mu": "least mu for delta from {0} to {1}",
}


def _ends(found: Risk) -> tuple[str, str]:
    lower, upper = (plain(end) for end in found.enclosure.decimals(_DIGITS))
    return lower, upper


def risk_document(found: Risks) -> dict[str, Any]:
    """``risk.1``: both ends of each number, and the points from which they follow."""
    return {
        "schema": "risk.1",
        "ledger": {"title": found.ledger.title, "sha256": found.ledger.digest},
        "by": found.by,
        "premises": list(found.premises),
        "risks": [
            {
                "name": each.name,
                "at": [spell(value) for value in each.at],
                "lower": _ends(each)[0],
                "upper": _ends(each)[1],
                "proved": len(each.proved),
                "lost": len(each.lost),
            }
            for each in found.found
        ],
    }


def risk_claims(found: Risks) -> dict[str, Any]:
    """The points of all numbers as ``claims.1``: what is proved, which audits confirm, with certificates.

    Deltas are rounded up to 12 digits. Of what is lost a claim of a little less would be refuted; it is not written.
    """
    points = dict.fromkeys(point for each in found.found for point in each.proved if point[1] < 1)
    return {
        "schema": "claims.1",
        "claims": [
            {"id": f"point-{i}", "epsilon": spell(epsilon), "delta": spell(delta)}
            for i, (epsilon, delta) in enumerate(points, 1)
        ],
    }


def risk_report(found: Risks) -> RenderableType:
    """A table of the numbers, the theorem of the curve, and what it rests on."""
    table = text_table("  of any attack on one unit", "at least", "at most")
    for each in found.found:
        at = map(said, each.at)
        table.add_row(line("  " + _SAID[each.name].format(*at)), *_ends(each))
    return Group(
        line(found.ledger.title, "bold"),
        table,
        line(f"the curve is that of {called(found.by)}", "dim"),
        *(line(f"premise: {premise}", "dim") for premise in found.premises),
    )
