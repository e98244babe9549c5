"""What the judge found, as documents and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.exact.numbers import spell
from privref.vectors.judge import VERDICTS, Judgement, Opinion
from privref.vectors.oracle import describe, distance_words
from privref.vectors.peers.bench import Finding, Row
from privref.vectors.peers.floats import FUNCTION as OWN_FUNCTION
from privref.vectors.store import Vector

from .text import line, text_table

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
        table.add_row(line(row["statement"]), str(row["cases"]), line(flags))
    total = f"{document['cases']} cases, {len(document['statements'])} statements"
    return Group(table, line(f"{total}, in {document['folder']}"))


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
        table.add_row(line(statement), *(str(count) if count else "·" for count in row.values()))
    worst = [opinion for opinion in judgement.opinions if opinion.verdict in ("unsound", "vacuous")]
    lines: list[RenderableType] = [line(describe(opinion), _STYLES[opinion.verdict]) for opinion in worst]
    total = ", ".join(f"{judgement.counts[verdict]} {verdict}" for verdict in VERDICTS if judgement.counts[verdict])
    return Group(table, Text(""), *lines, Text(f"{total}; {judgement.unanswered} cases of these statements unanswered"))


def finding_document(finding: Finding) -> dict[str, Any]:
    """One judged answer of a peer, with the code that gave it."""
    document = opinion_document(finding.opinion) | {"reproduction": list(finding.reproduction)}
    # The id of a case that is judged at the doubles nearest to a vector's inputs is those inputs.
    document |= {"inputs": dict(finding.opinion.vector.inputs), "flags": list(finding.opinion.vector.flags)}
    return document | ({"error": finding.error} if finding.error else {})


def row_document(row: Row) -> dict[str, Any]:
    """One function of a peer: counts, and every answer that is not within or tight."""
    worth = [f for f in row.findings if f.opinion.verdict in ("unsound", "vacuous", "loose", "refused")]
    return {
        "peer": row.peer,
        "version": row.version,
        "function": row.function,
        "statement": row.statement,
        "cases": len(row.answerable),
        "bad_input_taken": row.accepted,
        "counts": {verdict: row.counts[verdict] for verdict in VERDICTS},
        "crashes": dict(row.crashes),
        "findings": [finding_document(finding) for finding in worth],
    }


def _peers_table(rows: Sequence[Row]) -> RenderableType:
    table = text_table(
        "library", "function", "statement", "cases", *VERDICTS[:-1], "no answer", "bad input taken", "worst"
    )
    for row in rows:
        # The farthest from the truth, where the input was good.
        worst = next((f for f in row.worst if "refused" not in f.opinion.vector.expected), None)
        told = "" if worst is None else distance_words(worst.opinion) or str(worst.opinion.reading)
        counts = (str(row.counts[verdict] or "·") for verdict in VERDICTS[:-1])
        crashes = ", ".join(f"{count} {name}" for name, count in row.crashes.items()) or "·"
        names = (line(f"{row.peer} {row.version}"), line(row.function), line(row.statement))
        accepted = str(row.accepted or "·")
        table.add_row(*names, str(len(row.answerable)), *counts, line(crashes), accepted, line(told))
    return table


def finding_report(finding: Finding) -> RenderableType:
    """One judged answer: what was expected, how far it is off, and the lines that reproduce it."""
    opinion = finding.opinion
    expected = opinion.vector.expected
    truth = expected.get("word") or (
        "a refusal" if "refused" in expected else f"[{expected['lower']}, {expected['upper']}]"
    )
    distance = distance_words(opinion)
    head = f"  {opinion.verdict}: {opinion.reading} for {truth}" + (f" ({distance})" if distance else "")
    return Group(line(head, _STYLES.get(opinion.verdict, "")), *(line(f"    {s}") for s in finding.reproduction))


def peers_report(rows: Sequence[Row], *, everything: bool = False) -> RenderableType:
    """The table of all functions, then a reproduction for each row with unsound answers (or for all answers)."""
    parts: list[RenderableType] = [_peers_table(rows), Text("")]
    for row in rows:
        if row.worst and row.function != OWN_FUNCTION:
            parts.append(line(f"{row.peer} {row.version}, {row.function}, {row.statement}", "bold"))
            parts += [finding_report(finding) for finding in (row.worst if everything else row.worst[:1])]
    return Group(*parts)
