"""Bug reports that a library's maintainer can take: one for each cause, with a script that needs the library only."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from privref.exact import decide
from privref.exact.errors import PrivrefError
from privref.exact.numbers import spell
from privref.ledger.writing import require_file_name as require_file_name
from privref.ledger.writing import write_folder
from privref.ledger.writing import write_whole as write_whole
from privref.statements.registry import evaluate, statement
from privref.vectors.generate import VECTOR_DIGITS
from privref.vectors.peers.coverage import NOT_ASKED, summaries, table, unasked
from privref.vectors.peers.explanations import explanation, minor, ranked, upstream
from privref.vectors.peers.findings import Cause, PeerFinding
from privref.vectors.peers.running import PeerRow, causes

from .documents import answer_document
from .oracle import harm_words, one_line, truth_words

_KINDS = ("gross", "bad-input")
#: Said in every report.
_WRONG = (
    'We may be wrong: tell us. `CONTRIBUTING.md` of privref, "If we are wrong about you", says how, and what is '
    "corrected is shown. A finding is about the versions that are named and about the call that is printed, and about "
    "nothing else of the library."
)
#: What the numbers of a report are.
_ENCLOSED = (
    "The expected interval encloses the exact value for the very doubles that are passed (interval arithmetic by two "
    "independent engines)."
)
_NONE = "No finite number is right for this input."
_EXACT = "What is expected is decided for the very doubles that are passed, by two independent engines."
_KIND_WORDS = (
    "*gross*: on the unsafe side by more than one part in a million, at an input that the call takes; how far, stands "
    "in the column error."
)
_HEAD = ("| report | library | call | kind | error |", "| --- | --- | --- | --- | --- |")
_HARMLESS = "We know of no ordinary use of the libraries that these harm."
#: So many further findings of a cause are listed in its report.
_MORE = 12


def write_bug_reports(folder: Path, rows: Sequence[PeerRow]) -> tuple[str, ...]:
    """A report, its script and its certificate for each cause; the names of the files.

    Each file is written whole or not at all; others in the folder are left alone.
    """
    found = ranked(cause for cause in causes(rows) if cause.kind in _KINDS)
    return write_folder(folder, dict(_documents(found, rows)), "--report")


def _documents(found: Sequence[Cause], rows: Sequence[PeerRow]) -> Iterator[tuple[str, str]]:
    index = ["# What the oracle found", "", _WRONG, "", _KIND_WORDS, "", *_HEAD]
    last = False
    for number, cause in enumerate(found, 1):
        stem = f"{number:02d}-{_slug(f'{cause.peer} {cause.component} {cause.symptom}')}"
        if cause.worst.script == "Python":
            yield f"{stem}.py", script(cause)
        yield f"{stem}.json", json.dumps(certificate(cause.worst), indent=1, ensure_ascii=False) + "\n"
        yield f"{stem}.md", markdown(cause, stem)
        if minor(cause) and not last:
            last = True
            index += [
                "",
                "## Minor ones",
                "",
                "We know of no ordinary use of the libraries that these harm.",
                "",
                *_HEAD,
            ]
        row = (
            f"[{title(cause)}]({stem}.md)",
            f"{cause.peer} {cause.version}",
            explanation(cause).usage,
            minor(cause) or cause.kind,
            harm_words(cause.worst),
        )
        index.append(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |")
    if not found:
        index = ["# What the oracle found", "", _WRONG, "", "No gross error, and no bad input that was taken."]
    yield "README.md", "\n".join([*index, "", *_approximations(rows), *_classes(rows), *_coverage(rows)]) + "\n"


def _classes(rows: Sequence[PeerRow]) -> Iterator[str]:
    """What each class of cases found, or that no library fails there."""
    yield from (
        "## By class of cases",
        "",
        "| class | cases | libraries | wrong | gravest |",
        "| --- | --- | --- | --- | --- |",
    )
    for summary in summaries(rows):
        told = "no library fails here" if summary.answered else "nothing was answered"
        told = told if summary.cases else "no library was asked"
        if summary.worst is not None:
            row, finding = summary.worst
            told = f"{row.peer}, {row.function}: {harm_words(finding).split(';')[0] or finding.symptom}"
        yield f"| {summary.name} | {summary.cases} | {summary.libraries} | {summary.gross} | {_cell(told)} |"
    yield ""
    yield f"Not asked: {', '.join(NOT_ASKED)}. No function of these libraries computes: {', '.join(unasked(rows))}."


def _approximations(rows: Sequence[PeerRow]) -> Iterator[str]:
    """What is below the truth where the library itself warns of it: no bug, and not to be relied on."""
    found = [cause for cause in causes(rows) if cause.kind == "approximation"]
    if found:
        yield from ("## Approximations, by the libraries' own words", "")
    for cause in found:
        known = explanation(cause)
        yield (
            f"- {cause.peer} {cause.version}, {cause.component}: {len(cause.findings)} answers below the truth, the "
            f"gravest {harm_words(cause.worst)}. {known.why}".rstrip()
        )
        yield f"  `{one_line(cause.worst)}`"
    if found:
        yield ""


def _coverage(rows: Sequence[PeerRow]) -> Iterator[str]:
    """The classes of these libraries that nothing asks, with the reason."""
    yield from ("", "## Classes that are not asked", "", "| library | class | why |", "| --- | --- | --- |")
    for peer in dict.fromkeys(row.peer for row in rows):
        for name, entry in table().get(peer, {}).items():
            if isinstance(entry, str):
                yield f"| {peer} | {name} | {_cell(entry)} |"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:80]


#: What the libraries compute with: an answer can change with its version while the library's stays.
_BENEATH = {"NumPy": "numpy", "SciPy": "scipy"}


def environment() -> str:
    """Return the versions that an answer may depend on alongside the library's: Python, NumPy, SciPy."""
    return ", ".join(f"{name} {version}" for name, version in _versions().items())


def _versions() -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for name, package in _BENEATH.items():
        try:
            found[name] = installed_version(package)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def title(cause: Cause) -> str:
    """The report's title: what the explanation calls it, or the function and what it does wrong."""
    return explanation(cause).title


def script(cause: Cause) -> str:
    """A script that needs nothing but the library: it prints the answer, and fails while that is unsound."""
    finding = cause.worst
    *lines, last = finding.reproduction
    expression = last.removeprefix("print(").removesuffix(")")
    expected = finding.opinion.vector.expected
    head = [
        f'"""{title(cause)}.',
        "",
        f"{cause.peer} {cause.version}, {environment()}. Should be {truth_words(finding.opinion)}.",
        "Exit code 1 while the answer is wrong, 0 once it is not.",
        '"""',
        "",
    ]
    if "refused" in expected:
        ends = ["    print(answer)", '    raise SystemExit("a number for an input that should be refused")']
        tail = _trying(lines, expression, "refused: ", ends)
    elif "lower" in expected:
        above = finding.opinion.vector.safe == "above"
        end = expected.get("value", "")
        end = end if 0 < len(end) <= 80 else expected["lower" if above else "upper"]
        sign, word = ("<", "least") if above else (">", "most")
        tail = [
            "from fractions import Fraction",
            "",
            *lines,
            f"answer = {expression}",
            f'bound = Fraction("{end}")',
            'print(answer, "should be at ' + word + '", float(bound))',
            f'raise SystemExit("unsound" if not answer == answer or Fraction(answer) {sign} bound else 0)',
        ]
    elif expected["word"] == "inf":
        tail = [
            *lines,
            f"answer = {expression}",
            'print(answer, "should be inf (or a refusal)")',
            'raise SystemExit(0 if answer is None or answer == float("inf") else "unsound")',
        ]
    else:
        word = expected["word"]
        ends = [
            f'    print(answer, "should be {word}")',
            f'    raise SystemExit("unsound" if answer != "{word}" else 0)',
        ]
        tail = _trying(lines, expression, "", ends)
    return "\n".join([*head, *tail]) + "\n"


def _trying(lines: Sequence[str], expression: str, refused: str, ends: Sequence[str]) -> list[str]:
    """The lines of a script that prints what the library raises, and else goes on to its last lines."""
    return [
        "try:",
        *(f"    {text}" for text in lines),
        f"    answer = {expression}",
        "except ImportError:",
        "    raise",
        "except Exception as error:",
        f'    print(f"{refused}{{type(error).__name__}}: {{error}}")',
        "else:",
        *ends,
    ]


def certificate(finding: PeerFinding) -> dict[str, Any]:
    """The right answer by both engines at the exact inputs, with what the statement supposes; nothing to believe."""
    vector = finding.opinion.vector
    found = statement(vector.statement)
    document: dict[str, Any] = {
        "statement": {"id": found.id, "summary": found.summary, "source": found.source},
        "hypotheses": [hypothesis.value for hypothesis in found.hypotheses],
        "inputs": dict(vector.inputs),
        "expected": dict(vector.expected),
        "safe": vector.safe,
        "answer": finding.opinion.reading.spelled,
        "privref": installed_version("privref"),
        "environment": _versions(),
    }
    if not finding.bad:
        document["again"] = f"privref eval {found.id} '{json.dumps(dict(vector.inputs))}'"
        document["engines"] = [_by(engine, found.id, vector.inputs) for engine in decide.ENGINES]
    if finding.opinion.margin is not None:
        document["margin"] = spell(finding.opinion.margin)[:400]
    return document


def _by(engine: decide.EngineName, id: str, inputs: Any) -> dict[str, Any]:
    try:
        return answer_document(
            id, inputs, evaluate(id, inputs, digits=VECTOR_DIGITS, engine=engine), VECTOR_DIGITS, engine
        )
    except PrivrefError as error:
        return {"engine": engine, "error": str(error)}


def markdown(cause: Cause, stem: str) -> str:
    """The report."""
    finding = cause.worst
    vector = finding.opinion.vector
    found = statement(vector.statement)
    known = explanation(cause)
    again = f"; `{stem}.py` is the reproduction, which exits with code 1 until the answer is right"
    again = again if finding.script == "Python" else ""
    here = f"{environment()}, {platform.system()} {platform.machine()}"
    lines = [f"# {title(cause)}", "", f"**{cause.peer} {cause.version}**, {here}", ""]
    if known.why:
        lines += [known.why, ""]
    lines += [f"```{finding.script.lower()}", *finding.reproduction, "```", ""]
    lines += [f"- answer: `{finding.opinion.reading}`", f"- expected: {truth_words(finding.opinion)}"]
    if harm_words(finding):
        lines.append(f"- error: {harm_words(finding)}")
    lines.append(f"- call: {_usage(cause)}")
    if minor(cause):
        lines.append(f"- minor: {minor(cause)}")
    if known.remedy:
        lines.append(f"- what a maintainer could do: {known.remedy}")
    lines += [f"- reported before: {thread}" for thread in upstream(cause)]
    if not upstream(cause):
        lines.append("- reported before: no thread is known to us; we searched an index that holds a part of them")
    lines += [
        f"- by: {found.summary} ({found.source}; `{found.id}`)",
        f"- in one line: `{one_line(finding)}`",
        "",
        f"{_NONE if finding.bad else _ENCLOSED if 'lower' in vector.expected else _EXACT} `{stem}.json` holds what is "
        f"expected, and of which statement{again}.",
        "",
    ]
    rest = cause.findings[1 : 1 + _MORE]
    if rest:
        lines += ["The same at:", "", "| function | inputs | answer | expected |", "| --- | --- | --- | --- |"]
        for function, other in rest:
            cells = (function, other.reproduction[0], str(other.opinion.reading), truth_words(other.opinion))
            lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
        left = len(cause.findings) - 1 - len(rest)
        lines += ["", f"and {left} more." if left else ""]
    lines += ["", _WRONG]
    return "\n".join(lines).rstrip() + "\n"


def _usage(cause: Cause) -> str:
    """How the reproduction calls the library, in words."""
    known = explanation(cause)
    if known.usage == "unexamined":
        return "unexamined: we have not looked into whether it is documented, deprecated or unusual"
    if known.usage == "ours":
        return f"no finding about a library: {known.because}"
    if known.usage != "documented":
        return f"{known.usage}, because {known.because}"
    words = "documented: a public function, not marked as deprecated in this version"
    return f"{words}; the input is none that it takes" if cause.worst.bad else words


def _cell(text: str) -> str:
    return (text if len(text) <= 160 else text[:157] + "…").replace("|", "/")
