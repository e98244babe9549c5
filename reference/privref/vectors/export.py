"""The vectors for other languages: JSON, CSV, Rust or Go source, each with the doubles that a client really sees."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from privref.exact.errors import InputError, path_from
from privref.ledger.writing import write_folder

from .binary64 import at_binary64, bounds_binary64, inputs_binary64
from .store import Vector, vectors

SCHEMA = "vectors.2"
FORMATS = ("json", "csv", "rust", "go")
PAGE = "FORMAT.md"


def exported(vector: Vector) -> dict[str, Any]:
    """One case: as it is published, and as a client in doubles sees it (null where none can)."""
    case: dict[str, Any] = {
        "id": vector.id,
        "statement": vector.statement,
        "quantity": vector.quantity,
        "safe": vector.safe,
        "flags": list(vector.flags),
        "comment": vector.comment,
        "inputs": dict(vector.inputs),
        "expected": dict(vector.expected),
        "inputs_binary64": None,
        "expected_binary64": None,
    }
    at = at_binary64(vector)
    if at is not None:
        bounds = bounds_binary64(at)
        case["inputs_binary64"] = inputs_binary64(vector)
        case["expected_binary64"] = dict(at.expected) if bounds is None else {"lower": bounds[0], "upper": bounds[1]}
    return case


def exported_cases(
    only: Iterable[str] = (), progress: Callable[[str], None] = lambda step: None
) -> list[dict[str, Any]]:
    """Return the cases (or those of some statements) as they are published; InputError for an unknown statement."""
    chosen = tuple(only)
    known = {vector.statement for vector in vectors().values()}
    for id in chosen:
        if id not in known:
            raise InputError("statement", id, "it has no vectors; `privref vectors list` shows those that have")
    documents = []
    for vector in vectors().values():
        if not chosen or vector.statement in chosen:
            progress(vector.id)
            documents.append(exported(vector))
    return documents


def written(cases: list[dict[str, Any]], form: str) -> dict[str, str]:
    """Return the files of these cases in one of FORMATS: their texts by name."""
    return dict(_WRITERS[form](cases))


def export(
    folder: str | Path, form: str, only: Iterable[str] = (), progress: Callable[[str], None] = lambda step: None
) -> tuple[str, ...]:
    """Write the vectors (or those of some statements) and the format page; the names of the files.

    Every file is written whole or not at all. InputError for an unknown statement or a folder that cannot be written.
    """
    folder = path_from(folder, "folder")
    if form not in _WRITERS:
        raise InputError("form", form, f"give one of {', '.join(_WRITERS)}")
    return write_folder(folder, {**written(exported_cases(only, progress), form), PAGE: format_page()}, "DIR")


def format_page() -> str:
    """The page on the format: fields, changes, and a judge of ten lines in three languages."""
    return files("privref").joinpath("vectors", PAGE).read_text(encoding="utf-8")


def _json(cases: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    yield "vectors.json", f'{{"schema": "{SCHEMA}", "cases": [\n{lines}\n]}}\n'


# --- flat forms --------------------------------------------------------------------------------------------------
#
# What is no list of numbers (a count, a word, a flag) is the text that it is; lists of equal rounds keep their counts.

_NUMBER, _WORD, _REFUSED = "number", "word", "refused"


def _flat(case: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """What a case expects of a client in doubles: its kind, lower and upper bits, or the word."""
    expected = case["expected_binary64"]
    if "lower" in expected:
        return _NUMBER, expected["lower"], expected["upper"], ""
    if "word" in expected:
        return _WORD, "", "", expected["word"]
    return _REFUSED, "", "", ""


def _spoken(cases: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The cases that doubles can say."""
    return (case for case in cases if case["expected_binary64"] is not None)


def _csv(cases: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = "id statement quantity safe flags inputs_binary64 kind lower upper word comment"
    writer.writerow(columns.split())
    for case in _spoken(cases):
        given = json.dumps(case["inputs_binary64"], separators=(",", ":"))
        head = (case["id"], case["statement"], case["quantity"], case["safe"], " ".join(case["flags"]), given)
        writer.writerow((*head, *_flat(case), case["comment"]))
    yield "vectors.csv", text.getvalue()


def _values(value: Any) -> tuple[list[tuple[str, int]], str]:
    """An input as pairs of bits and count, or as text."""
    if isinstance(value, list):
        if all(isinstance(entry, Mapping) or _is_bits(entry) for entry in value):
            return [(e["value"], e["count"]) if isinstance(e, Mapping) else (e, 1) for e in value], ""
        return [], " ".join(map(str, value))
    return ([(value, 1)], "") if _is_bits(value) else ([], str(value))


def _is_bits(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 16 and all(digit in "0123456789abcdef" for digit in value)


def _quoted(text: str) -> str:
    """A string literal of Rust and of Go."""
    return json.dumps(text, ensure_ascii=False)


def _parts(case: Mapping[str, Any], pair: str, one: str) -> str:
    """The inputs of a case in a language's own notation of a pair of bits and count, and of an input."""
    inputs = []
    for name, value in case["inputs_binary64"].items():
        pairs, text = _values(value)
        values = ", ".join(pair.format(bits, count) for bits, count in pairs)
        inputs.append(one.format(name=_quoted(name), values=values, text=_quoted(text)))
    return ", ".join(inputs)


def _rust(cases: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    lines = [
        f"// {SCHEMA}: written by `privref vectors export`; see {PAGE}. Doubles are their bits: f64::from_bits.",
        "pub struct Input { pub name: &'static str, pub values: &'static [(u64, u64)], pub text: &'static str }",
        "pub enum Expected { Number(u64, u64), Word(&'static str), Refused }",
        "pub struct Case {",
        "    pub id: &'static str, pub statement: &'static str, pub quantity: &'static str, pub safe: &'static str,",
        "    pub inputs: &'static [Input], pub expected: Expected,",
        "}",
        "pub static CASES: &[Case] = &[",
    ]
    for case in _spoken(cases):
        inputs = _parts(case, "(0x{}, {})", "Input {{ name: {name}, values: &[{values}], text: {text} }}")
        kind, lower, upper, word = _flat(case)
        expected = {
            _NUMBER: f"Expected::Number(0x{lower}, 0x{upper})",
            _WORD: f"Expected::Word({_quoted(word)})",
            _REFUSED: "Expected::Refused",
        }[kind]
        head = ", ".join(f"{name}: {_quoted(case[name])}" for name in ("id", "statement", "quantity", "safe"))
        lines.append(f"    Case {{ {head}, inputs: &[{inputs}], expected: {expected} }},")
    yield "privref_vectors.rs", "\n".join([*lines, "];"]) + "\n"


def _go(cases: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    lines = [
        f"// {SCHEMA}: written by `privref vectors export`; see {PAGE}. Doubles are their bits: math.Float64frombits.",
        "package privrefvectors",
        "",
        "type Value struct{ Bits, Count uint64 }",
        "type Input struct {",
        "\tName   string",
        "\tValues []Value",
        "\tText   string",
        "}",
        "type Case struct {",
        "\tID, Statement, Quantity, Safe string",
        "\tInputs                        []Input",
        '\tKind                          string // "number", "word" or "refused"',
        "\tLower, Upper                  uint64",
        "\tWord                          string",
        "}",
        "",
        "var Cases = []Case{",
    ]
    for case in _spoken(cases):
        inputs = _parts(case, "{{0x{}, {}}}", "{{{name}, []Value{{{values}}}, {text}}}")
        kind, lower, upper, word = _flat(case)
        head = ", ".join(_quoted(case[name]) for name in ("id", "statement", "quantity", "safe"))
        ends = f"0x{lower or '0'}, 0x{upper or '0'}"
        lines.append(f"\t{{{head}, []Input{{{inputs}}}, {_quoted(kind)}, {ends}, {_quoted(word)}}},")
    yield "privref_vectors.go", "\n".join([*lines, "}"]) + "\n"


_WRITERS: dict[str, Callable[[list[dict[str, Any]]], Iterator[tuple[str, str]]]] = {
    "json": _json,
    "csv": _csv,
    "rust": _rust,
    "go": _go,
}
