"""The vector files: every planned case evaluated by both engines and written down canonically.

The files are data of the package. They are generated, never edited: ``privref vectors generate --check`` compares
them with what the registry gives now, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import rfc8785

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, HypothesisError, InputError
from privref.exact.given import path_from
from privref.exact.numbers import rational
from privref.ledger.files import write_whole
from privref.statements.registry import Answer, Statement, solve, statement

from .cases import FLAGS, Case, CasePlan, plans

#: Significant digits of the published enclosures, and of the computation behind them: the gap makes the published
#: digits independent of the engine and of its version.
VECTOR_DIGITS = 30
_WORKING_DIGITS = 40
_LONGEST_VALUE = 400

SOURCE = {"name": "privref vectors", "version": "1"}
SCHEMA = "vectors.1"

_HEADER = (
    "Inputs are exact numbers as strings: integers, decimals, fractions, or hexadecimal doubles, which mean exactly "
    "the double they spell. A list may hold {value, count} for equal rounds. Epsilon, rho and losses are in nats.",
    "expected.value is exact; expected.lower and expected.upper enclose the true value, rounded outward; "
    "expected.binary64 holds the doubles next below and next above it; expected.word is the only right word; "
    "expected.refused says what must be refused.",
    "`safe` is the side on which an answer errs safely. Judge with `privref judge`.",
)


def expected(found: Statement, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What the statement gives on these raw inputs, on which both engines must agree; or what must be refused."""
    try:
        read = found.read(inputs)
    except InputError:
        return {"refused": "input"}
    answers: list[Answer | str] = []
    for engine in decide.ENGINES:
        try:
            answers.append(solve(found, read, digits=_WORKING_DIGITS, engine=engine))
        except InputError:
            answers.append("input")
        except HypothesisError:
            answers.append("hypothesis")
    return _agreed(found.id, inputs, *answers)


def _agreed(id: str, inputs: Mapping[str, Any], first: Answer | str, second: Answer | str) -> dict[str, Any]:
    if isinstance(first, str) or isinstance(second, str):
        if first != second:
            raise EnginesDisagree(f"{id} on {inputs}: {first} by one engine, {second} by the other")
        return {"refused": first}
    if first.value != second.value or (first.enclosure is None) != (second.enclosure is None):
        raise EnginesDisagree(f"{id} on {inputs}: {first.value} by one engine, {second.value} by the other")
    if first.enclosure is None or second.enclosure is None:
        return {"word": first.value}
    common = first.enclosure.intersection(second.enclosure)
    if common is None:
        raise EnginesDisagree(f"{id} on {inputs}: the two enclosures are disjoint")
    return _enclosure(common, first.value)


def _enclosure(enclosure: Enclosure, value: str | None) -> dict[str, Any]:
    lower, upper = enclosure.decimals(VECTOR_DIGITS)
    document: dict[str, Any] = {} if value is None or len(value) > _LONGEST_VALUE else {"value": value}
    document |= {"lower": lower, "upper": upper}
    # An end that is a double is rounded past itself as a decimal: the doubles are around what is published.
    down, up = (enclosure if value is not None else interval(document)).binary64()
    return document | {"binary64": {"lower": down, "upper": up}}


def interval(expectation: Mapping[str, Any]) -> Enclosure:
    """The interval that an expectation publishes: the exact value where it is known."""
    if "value" in expectation:
        return Enclosure(rational(expectation["value"]), rational(expectation["value"]))
    return Enclosure(rational(expectation["lower"]), rational(expectation["upper"]))


def case_id(statement_id: str, inputs: Mapping[str, Any]) -> str:
    """The id of a case: its statement and a digest of its inputs, so that it never comes to mean another case."""
    return f"{statement_id}#{hashlib.sha256(rfc8785.dumps(dict(inputs))).hexdigest()[:10]}"


def _merged(planned: Iterator[Case], found: Statement) -> dict[str, Case]:
    """The cases by id; a case that is planned twice keeps its first comment and gets all flags."""
    merged: dict[str, Case] = {}
    for case in planned:
        id = case_id(found.id, case.inputs)
        before = merged.get(id)
        if before is not None:
            flags = (*before.flags, *(flag for flag in case.flags if flag not in before.flags))
            case = Case(flags, before.comment, before.inputs, before.refuse, before.known_bugs + case.known_bugs)
        merged[id] = case
    return merged


def document(
    found: Statement,
    plan: CasePlan,
    progress: Callable[[str], None] = lambda step: None,
    answer: Callable[[Statement, Mapping[str, Any]], dict[str, Any]] = expected,
) -> dict[str, Any]:
    """The vector document of one statement; ``answer`` says what is expected of a case."""
    groups: dict[str, list[dict[str, Any]]] = {}
    used: set[str] = set()
    for id, case in _merged(plan.cases(found), found).items():
        progress(id)
        expectation = answer(found, case.inputs)
        if case.refuse != ("refused" in expectation):
            raise InputError(id, str(case.inputs), f"planned otherwise: refusal {case.refuse}, found {expectation}")
        entry: dict[str, Any] = {"id": id, "comment": case.comment, "flags": list(case.flags)}
        entry |= {"inputs": dict(case.inputs), "expected": expectation}
        if case.known_bugs:
            entry["known_bugs"] = [bug.document() for bug in case.known_bugs]
        groups.setdefault(case.flags[0], []).append(entry)
        used.update(case.flags)
    return {
        "schema": SCHEMA,
        "statement": found.id,
        "source": SOURCE,
        "header": [f"{found.summary} {found.source}.", *_HEADER],
        "kind": found.kind,
        "standing": found.standing,
        "quantity": plan.quantity,
        "safe": "below" if found.kind == "lower" else plan.safe,
        "cases": sum(len(cases) for cases in groups.values()),
        "notes": {flag: FLAGS[flag] for flag in FLAGS if flag in used},
        "groups": [{"name": name, "cases": groups[name]} for name in FLAGS if name in groups],
    }


def render(document: Mapping[str, Any]) -> str:
    """The document's canonical text: one case on each line, so that a change reads as the cases it changes."""
    head = json.dumps({key: value for key, value in document.items() if key != "groups"}, indent=1, ensure_ascii=False)
    groups = []
    for group in document["groups"]:
        lines = ",\n".join(f"   {json.dumps(case, ensure_ascii=False)}" for case in group["cases"])
        groups.append(f'  {{"name": {json.dumps(group["name"])}, "cases": [\n{lines}\n  ]}}')
    return head[:-2] + ',\n "groups": [\n' + ",\n".join(groups) + "\n ]\n}\n"


def file_name(id: str) -> str:
    """The file of a statement's vectors."""
    return f"{id.replace('/', '.')}.json"


def texts(only: tuple[str, ...] = (), progress: Callable[[str], None] = lambda step: None) -> Iterator[tuple[str, str]]:
    """File names and texts of the planned statements' vectors (or of ``only`` some)."""
    for id, plan in plans().items():
        if not only or id in only:
            yield file_name(id), render(document(statement(id), plan, progress))


def data_folder() -> Path:
    """Where the package keeps its vectors."""
    return Path(str(files("privref").joinpath("vectors", "data")))


@dataclass(frozen=True, slots=True)
class Changes:
    """What a generation did to its folder: the names of the files that it wrote, and of those that it removed."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def generate(
    folder: str | Path | None = None, only: tuple[str, ...] = (), progress: Callable[[str], None] = lambda step: None
) -> Changes:
    """Write the vector files, each complete or not at all, and remove those of statements that have no plan any more.

    Only vector files are ever removed: whatever else lies in the folder is not ours. InputError where the folder
    cannot be written.
    """
    folder = data_folder() if folder is None else path_from(folder, "folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written, names = [], set()
        for name, text in texts(only, progress):
            names.add(name)
            path = folder / name
            if path.exists() and path.read_bytes() == text.encode():
                continue
            write_whole(path, text)
            written.append(name)
        removed = [] if only else _left_over(folder, names)
        for name in removed:
            (folder / name).unlink()
    except OSError as error:
        raise InputError(
            "--output", str(folder), f"name a folder that can be written ({error.strerror or error})"
        ) from None
    return Changes(tuple(written), tuple(removed))


def _left_over(folder: Path, names: set[str]) -> list[str]:
    """The vector files in the folder, by the schema that they state, that no plan writes."""
    return sorted(
        path.name for path in folder.glob("*.json") if path.name not in names and path.is_file() and _is_vectors(path)
    )


def _is_vectors(path: Path) -> bool:
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError):
        # What cannot be read is no vector file of ours; it is left where it is.
        return False
    return isinstance(document, dict) and document.get("schema") == SCHEMA


def stale(
    folder: str | Path | None = None, only: tuple[str, ...] = (), progress: Callable[[str], None] = lambda step: None
) -> list[str]:
    """The names of vector files that are not byte for byte what the registry gives now."""
    folder = data_folder() if folder is None else path_from(folder, "folder")
    if not folder.is_dir():
        raise InputError("--output", str(folder), "name the folder whose vector files are to be checked")
    wrong, names = [], set()
    for name, text in texts(only, progress):
        names.add(name)
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode():
            wrong.append(name)
    return wrong if only else wrong + _left_over(folder, names)
