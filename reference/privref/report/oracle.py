"""What the judge found, as documents and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.exact.errors import one_line as spoken
from privref.exact.numbers import spell
from privref.vectors.generate import interval
from privref.vectors.judge import VERDICTS, JudgedAnswer, Judgement
from privref.vectors.oracle import describe, distance_words, short
from privref.vectors.peers.explanations import minor, ranked
from privref.vectors.peers.findings import KINDS, Cause, PeerFinding, target_delta, true_delta
from privref.vectors.peers.running import FUNCTION_SECONDS, PeerRow, causes
from privref.vectors.store import Vector

from .lines import line, text_table

_STYLES = {
    "unsound": "bold red",
    "misfit": "bold red",
    "rounding": "yellow",
    "vacuous": "yellow",
    "loose": "yellow",
    "tight": "green",
    "within": "green",
}


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


def opinion_document(opinion: JudgedAnswer) -> dict[str, Any]:
    """One opinion; the margin is exact."""
    document: dict[str, Any] = {
        "id": opinion.vector.id,
        "verdict": opinion.verdict,
        "answer": opinion.reading.spelled,
        "read_as": opinion.reading.read_as,
        "expected": dict(opinion.vector.expected),
        "safe": opinion.vector.safe,
        "inputs": dict(opinion.vector.inputs),
    }
    if opinion.remedy:
        document["remedy"] = opinion.remedy
    if opinion.margin is not None:
        spelled = spell(opinion.margin)
        if len(spelled) <= 2000:
            document["margin"] = spelled
        document["distance"] = distance_words(opinion)
    return document


def short_inputs(inputs: Mapping[str, Any]) -> str:
    """The inputs on one line; long lists are cut."""
    text = ", ".join(f"{name} = {value}" for name, value in inputs.items())
    return text if len(text) <= 400 else f"{text[:399]}…"


def judgement_document(judgement: Judgement) -> dict[str, Any]:
    """All opinions, with the counts."""
    return {
        "schema": "judgement.2",
        "rounding_ulps": judgement.rounding_ulps,
        "complete": judgement.complete,
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
    worst = [opinion for opinion in judgement.opinions if opinion.verdict in ("unsound", "misfit", "vacuous")]
    lines: list[RenderableType] = []
    for opinion in worst:
        lines.append(line(describe(opinion), _STYLES[opinion.verdict]))
        lines.append(line(f"    inputs  {short_inputs(opinion.vector.inputs)}"))
    total = ", ".join(f"{judgement.counts[verdict]} {verdict}" for verdict in VERDICTS if judgement.counts[verdict])
    lines.append(Text(f"{total}; {judgement.unanswered} cases of these statements unanswered"))
    if not judgement.answered:
        lines.append(Text("nothing was judged: all answers are refusals, infinite or HALT", "bold red"))
    elif judgement.too_little:
        silent, judged = judgement.silent
        said = f"of {judged} cases that have an answer, {silent} were refused or answered by infinity"
        remedy = "--partial says that the answers cover some of the cases only"
        lines.append(Text(f"too little was judged: {said}; {remedy}", "bold red"))
    return Group(table, Text(""), *lines)


def finding_document(finding: PeerFinding) -> dict[str, Any]:
    """One judged answer of a peer, with the code that gave it."""
    document = opinion_document(finding.opinion) | {"reproduction": list(finding.reproduction)}
    # The id of a case that is judged at the doubles nearest to a vector's inputs is those inputs.
    document |= {"flags": list(finding.opinion.vector.flags)}
    document |= {"kind": finding.kind, "again": one_line(finding)}
    return document | ({"error": finding.error} if finding.error else {})


def row_document(row: PeerRow) -> dict[str, Any]:
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
        "kinds": {kind: row.kinds[kind] for kind in KINDS},
        "crashes": dict(row.crashes),
        "findings": [finding_document(finding) for finding in worth if not (finding.bad and finding.kind == "sound")],
    }


def one_line(finding: PeerFinding) -> str:
    """The reproduction as one line for a POSIX shell with ``$'...'`` (bash, zsh, ksh)."""
    if finding.script != "Python":
        return "\n".join(finding.reproduction)
    text = "\n".join(finding.reproduction).replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"python -c $'{text}'"


def truth_words(opinion: JudgedAnswer) -> str:
    """What should have been answered."""
    expected = opinion.vector.expected
    if "refused" in expected:
        return "a refusal"
    if "lower" not in expected:
        return str(expected["word"])
    side = {"above": "at least ", "below": "at most ", "neither": ""}[opinion.vector.safe]
    value = expected.get("value", "")
    return f"{side}{value}" if 0 < len(value) <= 24 else f"{side}[{expected['lower']}, {expected['upper']}]"


def harm_words(finding: PeerFinding) -> str:
    """How wrong the answer is, in words: relative to the truth, and what delta it really has."""
    opinion = finding.opinion
    words = []
    if "lower" in opinion.vector.expected and opinion.margin is not None:
        side = "small" if opinion.vector.safe == "above" else "large"
        relative = interval(opinion.vector.expected).lower > 0
        far = min(finding.shortfall, Fraction(1)) if side == "small" else finding.shortfall
        words.append(f"{percent(far)} too {side}" if relative else distance_words(opinion))
    elif opinion.vector.quantity == "decision" and not finding.bad:
        words.append(f"{percent(finding.shortfall)} of the budget overspent")
    true = true_delta(finding)
    if true is not None:
        asked = target_delta(finding)
        times = f", {short(true.lower / asked)} times the delta asked for" if asked else ", and delta = 0 was asked for"
        words.append(f"the delta at this epsilon is {true.decimals(6)[0]} or more{times}")
    return "; ".join(words)


def percent(value: Fraction) -> str:
    """A fraction as a percentage with three digits."""
    return f"{float(100 * value):.3g} %"


def finding_report(finding: PeerFinding) -> RenderableType:
    """One judged answer: inputs, answer as given, truth, how far off it is, and one line that reproduces it."""
    opinion = finding.opinion
    parts = [
        ("inputs", finding.reproduction[0]),
        ("answer", str(opinion.reading)),
        ("truth", f"{truth_words(opinion)}, by {opinion.vector.statement}"),
        ("error", harm_words(finding)),
        ("again", one_line(finding)),
    ]
    style = _STYLES.get(opinion.verdict, "")
    return Group(*(line(f"    {name}  {text}", style if name == "error" else "") for name, text in parts if text))


def cause_report(cause: Cause, *, everything: bool = False) -> RenderableType:
    """A cause with its gravest finding, or with all of them."""
    shown = cause.findings if everything else cause.findings[:1]
    head = line(f"{cause.kind}: {cause.peer} {cause.version}, {cause.component}: {cause.symptom}", "bold")
    parts: list[RenderableType] = [head]
    if minor(cause):
        parts.append(line(f"  minor: {minor(cause)}"))
    for function, finding in shown:
        parts += [line(f"  {function}"), finding_report(finding)]
    rest = len(cause.findings) - len(shown)
    if rest:
        functions = sorted({function for function, _ in cause.findings})
        parts.append(line(f"    and {rest} more of this cause, in {'; '.join(functions)}"))
    return Group(*parts)


def peer_row_line(row: PeerRow) -> str:
    """Return one line on a function: how many cases it was asked, and what became of them."""
    kinds, counts = row.kinds, row.counts
    numbers = {
        **{kind: kinds[kind] for kind in ("gross", "last-digits", "approximation")},
        **{verdict: counts[verdict] for verdict in ("loose", "tight", "within")},
        "without an answer": len(row.answerable) - row.answered,
    }
    said = ", ".join(f"{number} {what}" for what, number in numbers.items() if number) or "none"
    bad = f"; bad input taken {kinds['bad-input']} times" if kinds["bad-input"] else ""
    silent = "" if row.answered else f"; ANSWERED NOTHING{_common_error(row)}"
    if row.unasked:
        silent += f"; {row.unasked} more not asked, after {FUNCTION_SECONDS} s of processor time"
    return (
        f"{row.peer} {row.version}, {row.function} ({row.statement}): {len(row.answerable)} cases: {said}{bad}{silent}"
    )


def _common_error(row: PeerRow) -> str:
    """What the function said most often where it had an answer to give."""
    errors = Counter(finding.error for finding in row.answerable if finding.error)
    return f": {spoken(errors.most_common(1)[0][0])}" if errors else ""


def peers_report(rows: Sequence[PeerRow], *, everything: bool = False) -> RenderableType:
    """The gravest finding of each cause, the gravest cause first (or all findings), for rows that were shown before."""
    parts: list[RenderableType] = [Text("")]
    found = ranked(causes(rows))
    for cause in found:
        parts += [cause_report(cause, everything=everything), Text("")]
    kinds = Counter(cause.kind for cause in found)
    total = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind])
    if few := sum(minor(cause) != "" for cause in found):
        total += f"; {few} of them minor, at the end"
    silent = [row for row in rows if not row.answered]
    for row in silent:
        parts.append(
            line(f"answered nothing: {row.peer} {row.version}, {row.function}{_common_error(row)}", "bold red")
        )
    if kinds:
        parts.append(Text(f"{sum(kinds.values())} causes of unsound answers: {total}"))
    elif len(silent) < len(rows):
        parts.append(Text("no unsound answer"))
    return Group(*parts)
