"""The vector files: people write the cases, both engines compute the answers, and the text is canonical.

Of a file the ``statement``, its ``quantity`` and ``safe`` side, and the flags, comment, inputs and known bugs of each
case are written by hand; ``grid`` in the place of ``inputs`` gives a list of values for each input, and stands for all
combinations. ``privref vectors generate`` computes the rest, and ``--check`` compares all of it, byte for byte.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rfc8785

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, HypothesisError, InputError, path_from
from privref.exact.numbers import rational
from privref.ledger import documents
from privref.ledger.writing import write_whole
from privref.statements.registry import Answer, Statement, solve, statement

from .store import FLAGS, data_folder, outside

#: Significant digits of the published enclosures, and of the computation behind them: the gap makes the published
#: digits independent of the engine and of its version.
VECTOR_DIGITS = 30
_WORKING_DIGITS = 40
_LONGEST_VALUE = 400

#: Of a case, in this order after its id.
_FIELDS = ("comment", "flags", "inputs", "expected", "known_bugs")
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


def model(found: Statement) -> str:
    """Return what to write into a new file of the statement's vectors, with a place for each input."""
    case = {"flags": ["ordinary"], "comment": "…", "inputs": {param.name: "…" for param in found.params}}
    source = {"statement": found.id, "quantity": "…", "groups": [{"cases": [case]}]}
    return json.dumps(source, ensure_ascii=False)


def _written(source: Mapping[str, Any], found: Statement) -> list[dict[str, Any]]:
    """The cases as they are written; of a new file, where none has an id, also those outside the statement's domain."""
    cases: list[dict[str, Any]] = []
    try:
        written = [case for group in source["groups"] for case in group["cases"]]
        for case in written:
            if unknown := case.keys() - {"id", "grid", *_FIELDS}:
                raise InputError(file_name(found.id), ", ".join(sorted(unknown)), f"write it as {model(found)}")
            axes = case.get("grid", {})
            places = [dict(zip(axes, place, strict=True)) for place in itertools.product(*axes.values())]
            flags = [case["flags"][0], *case["flags"][1:]]
            for inputs in places if axes else [case["inputs"]]:
                whole = {**case, "flags": flags, "inputs": inputs, "expected": case.get("expected")}
                cases.append({name: whole[name] for name in _FIELDS if name in whole})
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(file_name(found.id), f"({error})", f"write it as {model(found)}") from error
    if cases and not any("id" in case for case in written):
        cases += outside(found, cases[0]["inputs"])
    return cases


def document(
    found: Statement,
    source: Mapping[str, Any],
    progress: Callable[[str], None] = lambda step: None,
    answer: Callable[[Statement, Mapping[str, Any]], dict[str, Any]] = expected,
) -> dict[str, Any]:
    """The vector document of one statement, from what was written of it; ``answer`` says what is expected of a case."""
    entries: dict[str, dict[str, Any]] = {}
    for case in _written(source, found):
        id = case_id(found.id, case["inputs"])
        progress(id)
        if id in entries:  # written twice: the first comment, and all flags
            entries[id]["flags"] += [flag for flag in case["flags"] if flag not in entries[id]["flags"]]
            if "known_bugs" in case:
                entries[id]["known_bugs"] = [*entries[id].get("known_bugs", []), *case["known_bugs"]]
            continue
        expectation = answer(found, case["inputs"])
        # A slip in a case makes it one that is refused: that a case must be is written by hand.
        refused = "refused" in (case["expected"] or {})
        if refused != ("refused" in expectation):
            remedy = "take `expected` out" if refused else 'where that is right, write "expected": {"refused": "input"}'
            raise InputError(id, str(case["inputs"]), f"expected otherwise: found {expectation}; {remedy}")
        entries[id] = {"id": id, **case, "flags": [*case["flags"]], "expected": expectation}
    used = {flag for entry in entries.values() for flag in entry["flags"]}
    if wrong := used - FLAGS.keys():
        raise InputError(file_name(found.id), ", ".join(sorted(wrong)), f"give flags among {', '.join(FLAGS)}")
    quantity = source.get("quantity")
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in entries.values():
        groups.setdefault(entry["flags"][0], []).append(entry)
    # An exact allowance (rounds that may run, budget that remains) errs safely below, any other number above.
    safe = source.get("safe", "below" if quantity in ("rounds", "budget") else "above")
    made = {
        "schema": SCHEMA,
        "statement": found.id,
        "source": SOURCE,
        "header": [f"{found.summary} {found.source}.", *_HEADER],
        "kind": found.kind,
        "standing": found.standing,
        "quantity": quantity,
        "safe": "below" if found.kind == "lower" else safe,
        "cases": len(entries),
        "notes": {flag: FLAGS[flag] for flag in FLAGS if flag in used},
        "groups": [{"name": name, "cases": groups[name]} for name in FLAGS if name in groups],
    }
    documents.validate(made, SCHEMA, file_name(found.id))
    return made


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


def planned() -> tuple[str, ...]:
    """Return the ids of the statements that have a vector file."""
    names = (path.name.removesuffix(".json") for path in data_folder().glob("*.json"))
    return tuple(sorted(name.replace(".", "/", 1) for name in names))


def texts(only: tuple[str, ...] = (), progress: Callable[[str], None] = lambda step: None) -> Iterator[tuple[str, str]]:
    """File names and texts of the statements' vectors (or of ``only`` some)."""
    known = planned()
    for id in only:
        if id not in known:
            target = data_folder() / file_name(id)
            raise InputError("statement", id, f"it has no vectors yet; write into {target}: {model(statement(id))}")
    for id in known:
        if not only or id in only:
            name = file_name(id)
            source = documents.parse(documents.read_text(data_folder() / name, name), name)
            yield name, render(document(statement(id), source, progress))


@dataclass(frozen=True, slots=True)
class Changes:
    """What a generation did to its folder: the names of the files that it wrote, and of those that it removed."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def generate(
    folder: str | Path | None = None, only: tuple[str, ...] = (), progress: Callable[[str], None] = lambda step: None
) -> Changes:
    """Write the vector files, each complete or not at all, and remove those of statements that have none any more.

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
    """The vector files in the folder, by the schema that they state, that no statement has any more."""
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
