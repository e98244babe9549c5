"""The board: libraries by statements, what each answers at its worst, as JSON, one static page, and a badge a library.

The outcome of a cell is its worst answer, and the words with it say what speaks for the library: a documented limit,
an unusual call, a delta out of use, an upstream thread.
"""

from __future__ import annotations

import datetime
import html
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any, Literal, get_args

from privref.exact.errors import InputError, path_from
from privref.ledger.documents import parse, read_text, validate
from privref.ledger.writing import write_folder
from privref.statements.registry import statement
from privref.vectors.peers.explanations import explanation, minor
from privref.vectors.peers.findings import PeerFinding, order
from privref.vectors.peers.running import PeerRow, causes

from .html import environment
from .oracle import harm_words, truth_words

BoardOutcome = Literal[
    "unsound", "minor", "bad input taken", "last digits", "approximation", "no answer", "loose", "tight", "within"
]
#: The gravest first. A refusal of something that has an answer is graver than a loose answer, and neither is unsafe.
OUTCOMES: tuple[BoardOutcome, ...] = get_args(BoardOutcome)
#: What each outcome means to who reads the page.
MEANING: dict[BoardOutcome, str] = {
    "unsound": "some answer claims more privacy than there is, by more than a millionth of the truth",
    "minor": "unsound, but only at deltas that we take to be out of use, below zero where the truth is zero, "
    "or to a call that few users make",
    "bad input taken": "not unsound, but a number was given for an input that has no answer (NaN, a negative cost). "
    "A library may leave this check to its caller",
    "last digits": "wrong by a millionth of the truth at most, on the unsafe side. Most of it is rounding",
    "approximation": "on the unsafe side, where the library itself warns that it can be",
    "no answer": "an error, or no number, for some case that has an answer; nothing unsafe",
    "loose": "no answer unsafe by more than 4 units in the last place, some safe by more than that",
    "tight": "no answer further from the truth than 4 units in the last place",
    "within": "every answer right to the last digit that is certified, or unsafe by at most 4 units in the last place",
}
_COLOURS = {
    "unsound": "#b3261e",
    "minor": "#a15c00",
    "bad input taken": "#a15c00",
    "last digits": "#7a5200",
    "approximation": "#7a5200",
}
_KINDS: dict[str, BoardOutcome] = {
    "gross": "unsound",
    "last-digits": "last digits",
    "bad-input": "bad input taken",
    "approximation": "approximation",
    "no-answer": "no answer",
}
_LONGEST = 240


def outcome(finding: PeerFinding, unusual: bool = False) -> BoardOutcome:
    """Return what one answer counts as; ``unusual``: to a call that few users make."""
    if finding.kind == "gross" and finding.documented:
        return "approximation"
    if finding.kind == "gross" and (unusual or not finding.usable or finding.harm == 0):
        return "minor"
    if finding.kind in _KINDS:
        return _KINDS[finding.kind]
    verdict = finding.opinion.verdict
    return verdict if verdict in ("loose", "tight") else "within"


def _outcomes(row: PeerRow) -> Iterator[tuple[PeerFinding, BoardOutcome]]:
    """Yield each answer of a function with what it counts as."""
    unusual = {
        id(finding) for cause in causes([row]) if explanation(cause).usage == "unusual" for _, finding in cause.findings
    }
    return ((finding, outcome(finding, id(finding) in unusual)) for finding in row.findings)


def _worst(outcomes: Iterable[BoardOutcome]) -> BoardOutcome:
    return min(outcomes, key=OUTCOMES.index)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _answer(finding: PeerFinding) -> str:
    """Return the answer as it was given; a long fraction, or the bits of a double, with a few of its digits."""
    text, number = str(finding.opinion.reading), finding.opinion.reading.number
    return f"{text}, about {float(number):.6g}" if number is not None and ("/" in text or "0x" in text) else text


def _decimal(value: Any) -> Any:
    """Return inputs with each double in bits as the shortest decimal that names it."""
    if isinstance(value, Mapping):
        return {name: _decimal(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_decimal(item) for item in value]
    return repr(float.fromhex(value)) if isinstance(value, str) and "0x" in value else value


def _case(rows: Sequence[PeerRow]) -> dict[str, Any] | None:
    """Return the worst case of a cell with what is known of it; None where every answer is safe."""
    wrong = [
        (OUTCOMES.index(result), order(finding), place, row, finding)
        for place, row in enumerate(rows)
        for finding, result in _outcomes(row)
        if finding.opinion.verdict == "unsound" and result != "no answer"
    ]
    if not wrong:
        return None
    row, finding = min(wrong, key=lambda entry: entry[:3])[3:]
    cause = next(cause for cause in causes([row]) if any(other is finding for _, other in cause.findings))
    known, harmless = explanation(cause), minor(cause)
    words = [known.title, known.why]
    if harmless and known.usage not in ("ours", "unusual"):
        words.append(f"We know of no ordinary use that this harms: {harmless}.")
    if finding.underflow:
        words.append(
            "The truth is positive, but smaller than every normal double (2.2e-308). An answer of 0 is off by less."
        )
    if finding.documented and finding.documented not in known.why:
        words.append(f"The library's own words: “{finding.documented}”.")
    usage = {
        "documented": "The call is a documented one.",
        "deprecated": f"The call is deprecated: {known.because}.",
        "unusual": f"The call is unusual: {known.because}.",
        "unexamined": "Nobody has looked into the cause yet. The mistake may be in how we call the library.",
        "ours": f"No finding about a library: {known.because}.",
    }
    small = finding.kind == "last-digits" and known.usage == "unexamined"
    words.append("We have not looked for the cause of an error this small." if small else usage[known.usage])
    words.append(known.remedy and f"What could be done: {known.remedy}")
    return {
        "function": row.function,
        "inputs": _cut(json.dumps(_decimal(finding.opinion.vector.inputs), ensure_ascii=False)),
        "answer": _answer(finding),
        "truth": truth_words(finding.opinion),
        "error": harm_words(finding),
        "words": [text for text in words if text],
        "upstream": list(known.upstream),
        "script": list(finding.reproduction),
        "language": finding.script,
    }


def _cell(library: str, id: str, rows: Sequence[PeerRow]) -> dict[str, Any]:
    counts = Counter(result for row in rows for _, result in _outcomes(row))
    return {
        "library": library,
        "statement": id,
        "outcome": _worst(counts) if counts else "no answer",
        "functions": sorted({row.function for row in rows}),
        "counts": {name: counts[name] for name in OUTCOMES if counts[name]},
        "unasked": sum(row.unasked for row in rows),
        "worst": _case(rows),
    }


def board_document(rows: Sequence[PeerRow], since: Mapping[str, Any] | None = None, date: str = "") -> dict[str, Any]:
    """Return the board of these rows, and what changed since an earlier one; InputError where nothing was run."""
    if not rows:
        raise InputError("--board", "(no answers)", "run at least one library that answers something")
    names = sorted({row.peer for row in rows})
    ids = sorted({row.statement for row in rows})
    cells = [
        _cell(name, id, mine)
        for name in names
        for id in ids
        if (mine := [row for row in rows if (row.peer, row.statement) == (name, id)])
    ]
    libraries = []
    for name in names:
        first = next(row for row in rows if row.peer == name)
        counts = Counter(cell["outcome"] for cell in cells if cell["library"] == name)
        told = {"name": name, "version": first.version, "language": first.language}
        libraries.append(told | {"outcome": _worst(counts), "counts": dict(counts)})
    found = [finding for row in rows for finding in row.findings]
    document = {
        "schema": "board.1",
        "date": date or datetime.datetime.now(datetime.UTC).date().isoformat(),
        "privref": installed_version("privref"),
        "totals": {
            "cases": len({finding.opinion.vector.id for finding in found}),
            "answers": len(found),
            "functions": len({(row.peer, row.function, row.statement) for row in rows}),
            "libraries": len(names),
            "languages": len({row.language for row in rows}),
            "statements": len(ids),
            "seconds": round(sum(row.seconds for row in rows)),
        },
        "libraries": libraries,
        "statements": [{"id": id, "quantity": _quantity(rows, id), "title": statement(id).source} for id in ids],
        "cells": cells,
        "changes": [],
    }
    if since is not None:
        document["changes"] = board_changes(since, document)
    return document


def _quantity(rows: Sequence[PeerRow], id: str) -> str:
    return next(
        (finding.opinion.vector.quantity for row in rows if row.statement == id for finding in row.findings), "number"
    )


def _asked(cell: Mapping[str, Any]) -> int:
    """How many answers of a cell can be judged at all."""
    return int(sum(cell["counts"].values())) - int(cell["counts"].get("no answer", 0))


def board_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cells whose outcome differs.

    ``mended``: answers were on the unsafe side, none is now, and no fewer were judged by functions of the same names.
    Whatever was not asked again is not mended.
    """
    unsafe = ("unsound", "minor", "bad input taken", "last digits")
    versions = [{library["name"]: library["version"] for library in board["libraries"]} for board in (before, after)]
    known = {(cell["library"], cell["statement"]): cell for cell in before["cells"]}
    found = []
    for cell in after["cells"]:
        old = known.get((cell["library"], cell["statement"]))
        if old is None or old["outcome"] == cell["outcome"]:
            continue
        asked_again = _asked(cell) >= _asked(old) and set(old["functions"]) <= set(cell["functions"])
        found.append(
            {
                "library": cell["library"],
                "statement": cell["statement"],
                "before": old["outcome"],
                "after": cell["outcome"],
                "version_before": versions[0][cell["library"]],
                "version_after": versions[1][cell["library"]],
                "mended": old["outcome"] in unsafe and cell["outcome"] not in unsafe and asked_again,
            }
        )
    return found


def badge(name: str, version: str, result: str) -> str:
    """Return an SVG badge: the library with its version, and its worst outcome."""
    left, right = html.escape(f"{name} {version}"), html.escape(result)
    first, second = 7 * len(f"{name} {version}") + 12, 7 * len(result) + 12
    colour = _COLOURS.get(result, "#5a5a5a" if result in ("no answer", "loose") else "#14652b")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first + second}" height="20" role="img"'
        f' aria-label="{left}: {right}"><title>{left}: {right}</title>'
        f'<rect width="{first}" height="20" fill="#3a3a3a"/><rect x="{first}" width="{second}" height="20"'
        f' fill="{colour}"/><g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{first / 2:g}" y="14" textLength="{first - 12}">{left}</text>'
        f'<text x="{first + second / 2:g}" y="14" textLength="{second - 12}">{right}</text></g></svg>\n'
    )


def board_page(document: Mapping[str, Any]) -> str:
    """Return the board as one page that loads nothing; InputError where Jinja2 is not installed."""
    template = environment("--board", "(a folder)").get_template("board.html")
    cells = {(cell["library"], cell["statement"]): cell for cell in document["cells"]}
    return template.render(
        document=document,
        cells=cells,
        outcomes=OUTCOMES,
        meaning=MEANING,
        findings=sorted(
            (cell for cell in document["cells"] if cell["worst"]), key=lambda cell: OUTCOMES.index(cell["outcome"])
        ),
        places={pair: place for place, pair in enumerate(cells)},
    )


def read_board(path: str | Path) -> dict[str, Any]:
    """Read an earlier board; InputError for a file that is none."""
    document = parse(read_text(path, "--since"), "--since")
    validate(document, "board.1", "--since")
    return dict(document)


def write_board(folder: str | Path, document: Mapping[str, Any]) -> tuple[str, ...]:
    """Write ``board.json``, ``index.html`` and a badge for each library; the files' names."""
    folder = path_from(folder, "folder")
    texts = {
        "board.json": json.dumps(document, indent=1, ensure_ascii=False) + "\n",
        "index.html": board_page(document),
    }
    for library in document["libraries"]:
        name = "".join(sign if sign.isalnum() or sign in "-._" else "-" for sign in library["name"])
        texts[f"badges/{name}.svg"] = badge(library["name"], library["version"], library["outcome"])
    return write_folder(folder, texts, "--board")
