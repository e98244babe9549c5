"""What the judge found, as documents and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from privref.exact.numbers import spell
from privref.vectors.judge import VERDICTS, Judgement, Opinion
from privref.vectors.oracle import describe, distance_words
from privref.vectors.store import Vector

from .text import text_table

_STYLES = {"unsound": "bold red", "vacuous": "yellow", "loose": "yellow", "tight": "green", "within": "green"}


def vectors_document(vectors: Mapping[str, Vector], folder: str) -> dict[str, Any]:
    """Which statements have vectors, and how many of which flag."""
    rows: dict[str, dict[str, Any]] = {}
    for vector in vectors.values():
        row = rows.setdefault(vector.statement, {"statement": vector.statement, "cases": 0, "flags": {}})
        row["cases"] += 1
        for flag in vector.flags:
            row["flags"][flag] = row["flags"].get(flag, 0) + 1
    return {"folder": folder, "cases": len(vectors), "statements": list(rows.values())}


def vectors_report(document: Mapping[str, Any]) -> RenderableType:
    """The same as text."""
    table = text_table("statement", "cases", "flags")
    for row in document["statements"]:
        flags = ", ".join(f"{name} {count}" for name, count in row["flags"].items())
        table.add_row(row["statement"], str(row["cases"]), flags)
    total = f"{document['cases']} cases, {len(document['statements'])} statements"
    return Group(table, Text(f"{total}, in {document['folder']}"))


def opinion_document(opinion: Opinion) -> dict[str, Any]:
    """One opinion; the margin is exact."""
    document: dict[str, Any] = {
        "id": opinion.vector.id,
        "verdict": opinion.verdict,
        "answer": opinion.reading.spelled,
        "read_as": opinion.reading.read_as,
        "expected": dict(opinion.vector.expected),
        "safe": opinion.vector.safe,
    }
    if opinion.margin is not None:
        spelled = spell(opinion.margin)
        if len(spelled) <= 2000:
            document["margin"] = spelled
        document["distance"] = distance_words(opinion)
    return document


def judgement_document(judgement: Judgement) -> dict[str, Any]:
    """All opinions, with the counts."""
    return {
        "schema": "judgement.1",
        "counts": {verdict: judgement.counts[verdict] for verdict in VERDICTS},
        "unanswered": judgement.unanswered,
        "exit_code": judgement.exit_code,
        "opinions": [opinion_document(opinion) for opinion in judgement.opinions],
    }


def judgement_report(judgement: Judgement) -> RenderableType:
    """A row for each statement, then a line for each answer that is unsound or promises nothing."""
    counts: dict[str, dict[str, int]] = {}
    for opinion in judgement.opinions:
        row = counts.setdefault(opinion.vector.statement, dict.fromkeys(VERDICTS, 0))
        row[opinion.verdict] += 1
    table = text_table("statement", *VERDICTS)
    for statement, row in counts.items():
        table.add_row(escape(statement), *(str(count) if count else "·" for count in row.values()))
    worst = [opinion for opinion in judgement.opinions if opinion.verdict in ("unsound", "vacuous")]
    lines: list[RenderableType] = [Text(describe(opinion), style=_STYLES[opinion.verdict]) for opinion in worst]
    total = ", ".join(f"{judgement.counts[verdict]} {verdict}" for verdict in VERDICTS if judgement.counts[verdict])
    return Group(table, Text(""), *lines, Text(f"{total}; {judgement.unanswered} cases of these statements unanswered"))
