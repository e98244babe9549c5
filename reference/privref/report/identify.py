"""Which formulas give a published number, as a document and as text."""

from __future__ import annotations

import re
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.audit.identify import Identification
from privref.exact.rounding import plain
from privref.statements.theorems import cited

from .lines import line, text_table


def identification_document(found: Identification) -> dict[str, Any]:
    """``identification.1``: every formula with its value, and the rounding where it agrees."""
    return {
        "schema": "identification.1",
        "claim": {"epsilon": found.epsilon, "delta": found.delta},
        "given": {found.takes: found.number, "count": found.rounds},
        "formulas": [
            {
                "name": match.formula.name,
                "source": match.formula.source,
                "registered": match.formula.registered is not None,
                "lower": match.enclosure.decimals(12)[0],
                "upper": match.enclosure.decimals(12)[1],
                "agrees": match in found.found,
            }
            | ({"rounding": match.rounding} if match.rounding is not None and match in found.found else {})
            | ({"premise": match.formula.premise} if match.formula.premise else {})
            for match in found.matches
        ],
    }


def identification_report(found: Identification) -> RenderableType:
    """The formulas that agree, then what the others give."""
    times = f", {found.rounds} rounds" if found.rounds > 1 else ""
    parts: list[RenderableType] = [line(f"({found.epsilon}, {found.delta}) from {found.takes} = {found.number}{times}")]
    for match in found.found:
        value = plain(match.enclosure.decimals(9)[1])
        premise = f"; {match.formula.premise}" if match.formula.premise else ""
        parts.append(Text.assemble("agrees: ", (match.formula.name, "bold"), f" = {value}"))
        parts.append(line(f"  {match.rounding}{premise}"))
        source = re.sub(r"\b[a-z]+[0-9]*[a-z]?/[\w.]+", lambda id: cited(id[0]), match.formula.source)
        parts.append(line(f"  by {source}", "dim"))
    if not found.found:
        parts.append(Text("no formula known here gives this number, rounded either way"))
    table = text_table("  gives", "by")
    others = [match for match in found.matches if match not in found.found]
    for match in others:
        table.add_row(line(f"  {plain(match.enclosure.decimals(9)[1])}"), line(match.formula.name))
    return Group(*parts, *([table] if others else []))
