"""A vector as a client sees it whose numbers are doubles: the doubles nearest to its inputs, and the answer for them.

A double is written as its 64 bits in 16 hexadecimal digits: every language turns them into the number.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from privref.exact.errors import InputError, UndecidedError
from privref.exact.numbers import Binary64, rational, spell
from privref.statements.registry import Statement, statement

from .generate import expected, interval
from .store import Vector

#: Inputs that are numbers, counts or words; what describes a mechanism has exact parameters of its own.
_SHAPES = ("one", "sequence", "multiset", "whole", "wholes", "flag", "choice")
_WORDS = {"nan": float("nan"), "inf": float("inf")}


def bits(value: float) -> str:
    """The IEEE 754 bits of a double, most significant first."""
    return struct.pack(">d", value).hex()


def nearest(text: str) -> float:
    """The double nearest to an exact number (ties to even); ValueError for what is none or beyond the doubles."""
    if text in _WORDS:
        return _WORDS[text]
    try:
        return float(rational(text))
    except (InputError, OverflowError):
        raise ValueError(text) from None


def _converted(found: Statement, inputs: Mapping[str, Any], change: Callable[[str], Any]) -> dict[str, Any]:
    """The inputs with every number changed; counts and words stay."""

    def item(entry: Any) -> Any:
        if isinstance(entry, Mapping):
            return {"value": change(entry["value"]), "count": entry["count"]}
        return change(entry)

    changed = dict(inputs)
    for param in found.params:
        value = inputs[param.name]
        if param.shape == "one":
            changed[param.name] = change(value)
        elif param.shape in ("sequence", "multiset"):
            changed[param.name] = [item(entry) for entry in value]
    return changed


def inputs_binary64(vector: Vector) -> dict[str, Any] | None:
    """The bits of the inputs' nearest doubles; None where a double cannot say what the case is about."""
    found = statement(vector.statement)
    if any(param.shape not in _SHAPES for param in found.params):
        return None
    try:
        given = _converted(found, vector.inputs, lambda text: bits(nearest(text)))
        if "refused" in vector.expected:
            _require_refusal(found, vector)
    except ValueError:
        return None
    return given


def _require_refusal(found: Statement, vector: Vector) -> None:
    """ValueError where the doubles are inside the domain, though the exact numbers are outside."""
    if vector.expected["refused"] != "input":
        raise ValueError("a failed hypothesis is judged at the exact inputs only")
    try:
        found.read(_converted(found, vector.inputs, _exactly))
    except InputError:
        return
    raise ValueError("the doubles are inside the domain")


def _exactly(text: str) -> str:
    value = nearest(text)
    return text if value - value != 0 else spell(Binary64(value))


#: A list of equal rounds is written out for a function up to so many; beyond, the case is left out.
_MOST_ROUNDS = 100_000


def as_floats(vector: Vector) -> dict[str, Any] | None:
    """The inputs as a function of floats takes them: floats, lists of floats and whole numbers; None where none can."""
    if inputs_binary64(vector) is None:
        return None
    found = statement(vector.statement)
    given = _converted(found, vector.inputs, nearest)
    for param in found.params:
        value = given[param.name]
        if param.shape == "multiset":
            pairs = [(entry["value"], entry["count"]) if isinstance(entry, Mapping) else (entry, 1) for entry in value]
            if sum(count for _, count in pairs) > _MOST_ROUNDS:
                return None
            given[param.name] = [number for number, count in pairs for _ in range(count)]
        elif param.shape in ("whole", "wholes"):
            try:
                given[param.name] = int(value) if param.shape == "whole" else [int(entry) for entry in value]
            except ValueError:
                return None
    return given


def at_binary64(vector: Vector) -> Vector | None:
    """The vector at its inputs' nearest doubles, its answer computed anew by both engines where they differ.

    None where a double cannot say what the case is about, where it leaves the domain, or where the answer for the
    doubles is out of reach.
    """
    if inputs_binary64(vector) is None:
        return None
    if "refused" in vector.expected:
        return vector
    found = statement(vector.statement)
    spelled = _converted(found, vector.inputs, _exactly)
    try:
        if found.read(vector.inputs) == found.read(spelled):
            return vector
        truth = expected(found, spelled)
        if "lower" in truth:
            interval(truth)
    except (UndecidedError, InputError):
        # Out of reach, or the nearest double of an input leaves its domain: what holds there is another question.
        return None
    return None if "refused" in truth else replace(vector, inputs=spelled, expected=truth)


def bounds_binary64(vector: Vector) -> tuple[str, str] | None:
    """The bits of the doubles next below and next above the answer; None where it is a word or a refusal."""
    if "lower" not in vector.expected:
        return None
    ends = vector.expected["binary64"]
    lower, upper = bits(float.fromhex(ends["lower"])), bits(float.fromhex(ends["upper"]))
    return lower, upper
