"""The errata of the papers, as a document and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.statements.errata import WRONG, Erratum


def errata_document(rows: Sequence[Erratum]) -> dict[str, Any]:
    """Errata as a JSON document."""
    return {"schema": "errata.1", "note": WRONG, "errata": [asdict(row) | {"read": row.read} for row in rows]}


def errata_report(rows: Sequence[Erratum]) -> RenderableType:
    """Errata as text."""
    parts: list[RenderableType] = [Text(WRONG)]
    for row in rows:
        parts.append(Text.assemble((row.id, "bold"), f" ({row.severity}) {row.where}"))
        parts += [
            Text(f"  says         {row.says}"),
            Text(f"  correct      {row.correct}"),
            Text(f"  for auditors {row.consequence}"),
            Text(f"  read         {row.read}"),
            *(Text(f"  corrected    {text}") for text in row.corrections),
        ]
    return Group(*parts)
