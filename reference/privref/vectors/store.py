"""The vectors that come with the package, read; and what lies outside a statement's domain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from privref.exact.numbers import rational
from privref.statements.registry import Statement


@dataclass(frozen=True, slots=True)
class Vector:
    """One case with what the judge needs to know of its statement."""

    id: str
    statement: str
    quantity: Quantity
    safe: Safe
    flags: tuple[str, ...]
    comment: str
    inputs: Mapping[str, Any]
    expected: Mapping[str, Any]
    known_bugs: tuple[Mapping[str, Any], ...] = ()


def vectors_of(document: Mapping[str, Any]) -> Iterator[Vector]:
    """The cases of one vector document."""
    for group in document["groups"]:
        for case in group["cases"]:
            yield Vector(
                case["id"],
                document["statement"],
                document["quantity"],
                document["safe"],
                tuple(case["flags"]),
                case["comment"],
                case["inputs"],
                case["expected"],
                tuple(case.get("known_bugs", ())),
            )


def data_folder() -> Path:
    """Where the package keeps its vectors."""
    return Path(str(files("privref").joinpath("vectors", "data")))


@cache
def vectors() -> Mapping[str, Vector]:
    """All vectors of the package, by case id."""
    found = {}
    for path in sorted(data_folder().glob("*.json")):
        for vector in vectors_of(json.loads(path.read_text(encoding="utf-8"))):
            found[vector.id] = vector
    return found


@cache
def examples() -> Mapping[str, Vector]:
    """One vector of each statement that has any, which says the quantity that it computes and its safe side."""
    return {vector.statement: vector for vector in vectors().values()}


# --- why a vector is there, which side is safe, and what lies outside a statement's domain ----------------------------


#: Why a case is there.
FLAGS: dict[str, str] = {
    "ordinary": "Parameters that people use. An implementation that fails here is wrong, not merely imprecise.",
    "boundary": "An end of the domain, a tie, or the border between two branches of the formula.",
    "exact-exhaustion": "Parameters that add up to the budget exactly (0.1 ten times is 1): binary floating point "
    "accumulates an error here, in either direction.",
    "tiny-delta": "A delta of 1e-18, 1e-30 or less: 1 - delta is 1 in binary64, and errors of the size of one ulp of 1 "
    "are larger than delta.",
    "cancellation": "The answer is a small difference of large terms; the obvious formula loses most of its digits.",
    "huge-k": "Very many rounds: counts overflow, products underflow, errors of single rounds add up.",
    "subnormal": "Inputs or answers below the least normal double, where relative precision is lost.",
    "halting-step": "The last round that may run, and the first that may not: one round to either side of the halt.",
    "hypothesis-trap": "Inputs at which a theorem is tempting and its hypothesis fails, or at which a misprint in a "
    "paper, or a theorem for fixed parameters, gives a different answer.",
    "bad-input": "Outside the domain: an implementation must refuse it (or answer with an infinite bound).",
    "known-bug": "An input at which a released library answered wrongly; `known_bugs` says which and with what.",
}

Quantity = Literal["epsilon", "delta", "rho", "loss", "rounds", "budget", "decision", "number"]
Safe = Literal["above", "below", "neither"]


#: Values that lie outside one domain or another, from the subtle to the gross.
_CANDIDATES = (
    "0",
    "-1/1000000000000000000000000000000",
    "1",
    "1000000000000000000001/1000000000000000000000",
    "2",
    "-1",
)


def outside(found: Statement, inputs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """For each input of the statement, values just outside its domain, and things that are not numbers."""
    numeric = [param for param in found.params if param.shape in ("one", "sequence", "multiset")]
    for param in found.params:
        wrong: list[tuple[Any, str]] = []
        if param.shape in ("one", "sequence", "multiset"):
            bad = [text for text in _CANDIDATES if not param.domain.contains(rational(text))][:2]
            wrong = [(text, f"{param.name} = {text}; it must be {param.domain.description}") for text in bad]
            if param is numeric[0]:
                wrong += [(text, f"{param.name} = {text} is not a number") for text in ("nan", "inf", "1/0")]
        elif param.shape in ("whole", "wholes"):
            wrong = [
                (text, f"{param.name} = {text} is not a whole number >= {param.least}")
                for text in (str(param.least - 1), "3/2")
            ]
        for value, comment in wrong:
            if param.shape in ("sequence", "multiset", "wholes"):
                value = [*inputs[param.name], value]
            yield {
                "comment": comment,
                "flags": ["bad-input"],
                "inputs": {**inputs, param.name: value},
                "expected": {"refused": "input"},
            }
