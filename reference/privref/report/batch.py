"""A batch as text: counts per verdict, the worst units, the root."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.audit.claims import claim_named
from privref.batch.verdicts import SEVERITY
from privref.exact.rounding import plain

from .lines import line, text_table


def batch_report(summary: Mapping[str, Any]) -> RenderableType:
    """The summary of a batch (``batch.1``) as text."""
    parts: list[RenderableType] = [
        line(summary["title"], "bold"),
        Text(f"{summary['units']} unit(s) with {summary['distinct_ledgers']} different ledger(s)", style="dim"),
    ]
    if summary["quarantined"] is not None:
        bad = summary["quarantined"]
        parts.append(
            Text(f"{bad['rows']} row(s) of {bad['units']} unit(s) in quarantine: those units are out of scope")
        )
    for claim, counts in summary["verdicts"].items():
        parts.append(line(claim_named(claim)))
        parts += [Text(f"  {counts[verdict]:>12}  {verdict}") for verdict in reversed(SEVERITY) if verdict in counts]
    if summary["filter"] is not None:
        said = summary["filter"]
        counts = ", ".join(f"{number} {what}" for what, number in said["units"].items())
        parts.append(line(f"{said['theorem']}, of each unit by itself: {counts}"))
        parts += [line(f"  premise: {premise}", "italic") for premise in said["premises"]]
    parts += [line(f"premise: {premise}", "italic") for premise in summary.get("premises", ())]
    if summary.get("bounds") == "first":
        parts.append(Text("each bound is that of the first theorem that decides; --best looks for the smallest", "dim"))
    table = text_table("worst units", "claim", "verdict", "bound at most", "theorem")
    for row in summary["worst"]:
        upper = "—" if row["upper"] is None else plain(row["upper"])
        table.add_row(line(row["unit"]), line(row["claim"]), row["verdict"], upper, line(row["theorem"] or "—"))
    return Group(*parts, table, Text(f"Merkle root {summary['merkle_root']}", style="bold"))
