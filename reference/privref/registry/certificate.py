"""Relation certificates (``relation-certificate.1``): what a re-check of a relation between published numbers needs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import rfc8785

from privref.exact.enclosure import Enclosure
from privref.exact.numbers import rational, spell, unit_in_last_place

from .checks import GalleryAnswer
from .formulas import ENGINES
from .mapping import EntryMapping, Stated

RELATION_DIGITS = 20


def relation_name(mapping: EntryMapping, answer: GalleryAnswer) -> str:
    """The name of the file that a relation's certificate is written to."""
    return f"{mapping.name}.relation.{answer.question.id}"


def relation_certificate(mapping: EntryMapping, answer: GalleryAnswer) -> dict[str, Any] | None:
    """The certificate of a relation between published numbers; None where none was decided."""
    found = answer.relation
    if found is None:
        return None
    from importlib.metadata import version  # expensive, and few commands write certificates

    relation = {
        "numbers": {name: _number(mapping, answer, name) for name in _names([found.left, found.right])},
        "left": found.left,
        "is": found.sign,
        "right": found.right,
    }
    document: dict[str, Any] = {
        "schema": "relation-certificate.1",
        "entry": mapping.entry,
        "question": answer.question.id,
        "relation": relation,
        "sha256": hashlib.sha256(rfc8785.dumps(relation)).hexdigest(),
        "verdict": found.verdict,
        "sides": [
            {
                **({} if side.at is None else {"at": spell(side.at)}),
                "left": _enclosure(side.left),
                "right": _enclosure(side.right),
                "left_is": side.left_is,
            }
            for side in found.sides
        ],
        "engines": list(ENGINES),
        "digits": RELATION_DIGITS,
        "commentary": {
            "title": mapping.title,
            "asks": answer.question.asks,
            "by": answer.question.document["by"],
            "reason": answer.reason,
            "inferred": list(answer.inferences),
            "versions": {"privref": version("privref")},
        },
    }
    if found.threshold is not None:
        lower, upper = found.threshold
        holds = "above" if found.sides[0].left_is == "above" else "below"
        document["threshold"] = {"lower": spell(lower), "upper": spell(upper), "holds": holds}
    return document


def _enclosure(enclosure: Enclosure) -> dict[str, str]:
    lower, upper = enclosure.decimals(RELATION_DIGITS)
    return {"lower": lower, "upper": upper}


def _names(expression: Any) -> list[str]:
    """The named numbers of a formula, each once, in its order."""
    match expression:
        case {"number": name}:
            return [name]
        case list():
            inner = expression
        case {"inputs": inputs}:
            inner = list(inputs.values())
        case Mapping():
            inner = list(expression.values())
        case _:
            return []
    return list(dict.fromkeys(name for part in inner for name in _names(part)))


def _number(mapping: EntryMapping, answer: GalleryAnswer, name: str) -> dict[str, Any]:
    kind, _, id = name.partition(":")
    match kind:
        case "fact":
            return {"source": mapping.facts[id].source, "number": mapping.facts[id].number}
        case "not_in_entry":
            given = answer.question.document["not_in_entry"][id]
            return {
                "is": given["is"],
                "from": given["from"],
                "to": given["to"],
                "whole": bool(given.get("whole", False)),
            }
        case _:
            return _quoted(mapping.stated[id], kind == "rounded")


def _quoted(item: Stated, rounded: bool) -> dict[str, Any]:
    text = item.number or ""
    document = {"key": item.key, "number": text}
    document |= {} if item.words is None else {"words": item.words}
    document |= {} if item.written is None else {"written": item.written}
    if rounded:
        half, number = unit_in_last_place(text) / 2, rational(text)
        document |= {"from": spell(number - half), "to": spell(number + half)}
    return document
