"""An audit as rows, as a data frame, and as the table that a notebook shows. Numbers are decimals, as text."""

from __future__ import annotations

from collections.abc import Iterable

from privref.exact.rounding import plain, to_decimal
from privref.exact.tables import html_table

from .best import best, caveat, margin
from .verdicts import MEANINGS, Bound, Opinion

_DIGITS = 10


def _by(bound: Bound) -> str:
    return f"{bound.application.by}{caveat(bound)}"


def rows(opinions: Iterable[Opinion]) -> list[dict[str, str]]:
    """One row for each claim: id, claim, verdict, the best bound (rounded up), by which theorem, the margin (rounded
    down), and why."""
    found = []
    for opinion in opinions:
        bound, left = best(opinion), margin(opinion)
        found.append(
            {
                "claim": opinion.claim.id,
                "says": str(opinion.claim),
                "verdict": opinion.verdict,
                "bound": ""
                if bound is None or bound.enclosure is None
                else plain(bound.enclosure.decimals(_DIGITS)[1]),
                "by": "" if bound is None else _by(bound),
                "margin": "" if left is None else plain(to_decimal(left.lower, _DIGITS, "down")),
                "reason": opinion.reason,
            }
        )
    return found


def table(title: str, opinions: Iterable[Opinion]) -> str:
    """Return the rows as an HTML table; everything that a ledger or a claim says is escaped."""
    columns = ("claim", "says", "verdict", "meaning", "bound", "by", "margin")
    found = [row | {"meaning": MEANINGS[opinion.verdict]} for opinion in opinions for row in rows([opinion])]
    return html_table(title, [{name: row[name] for name in columns} for row in found])
