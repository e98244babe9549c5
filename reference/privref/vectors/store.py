"""The vectors that come with the package, read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from .cases import Quantity, Safe
from .generate import data_folder


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
