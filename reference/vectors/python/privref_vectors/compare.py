"""What changed between two releases of the vectors: cases, answers, and how wide the enclosures are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

#: How a case can differ. ``answer``: no number satisfies both. The next three are the enclosure of one same answer.
KINDS = ("added", "removed", "question", "answer", "narrower", "wider", "shifted", "spelling", "doubles")


def _cases(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the cases by id, of an export (``vectors.2``) or of one statement's file (``vectors.1``)."""
    if "cases" in document and isinstance(document["cases"], list):
        return {case["id"]: case for case in document["cases"]}
    shared = {name: document[name] for name in ("statement", "quantity", "safe")}
    return {case["id"]: {**shared, **case} for group in document["groups"] for case in group["cases"]}


def _enclosure(expected: dict[str, Any]) -> tuple[Fraction, Fraction] | None:
    if "lower" not in expected or "inf" in expected["lower"] + expected["upper"]:
        return None
    return Fraction(expected["lower"]), Fraction(expected["upper"])


def _kind(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Return how two expectations of one case differ; they are not equal."""
    before, after = _enclosure(old), _enclosure(new)
    if before is None or after is None:
        return "answer"
    if before == after:
        return "spelling"
    if after[1] < before[0] or before[1] < after[0]:
        return "answer"
    if before[0] <= after[0] and after[1] <= before[1]:
        return "narrower"
    return "wider" if after[0] <= before[0] and before[1] <= after[1] else "shifted"


def _shown(expected: dict[str, Any]) -> str:
    if "lower" in expected:
        return f"{expected['lower']} to {expected['upper']}"
    return str(expected.get("word") or f"refused: {expected.get('refused')}")


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, str]]:
    """Return one entry for each case that differs: ``id``, ``kind`` (one of KINDS), ``old`` and ``new``."""
    return list(_changes(_cases(old), _cases(new)))


def _changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[dict[str, str]]:
    for id in [*old, *(id for id in new if id not in old)]:
        before, after = old.get(id), new.get(id)
        if after is None:
            yield {"id": id, "kind": "removed", "old": _shown(old[id]["expected"]), "new": ""}
        elif before is None:
            yield {"id": id, "kind": "added", "old": "", "new": _shown(after["expected"])}
        elif any(before[name] != after[name] for name in ("quantity", "safe", "inputs")):
            yield {"id": id, "kind": "question", "old": before["safe"], "new": after["safe"]}
        elif before["expected"] != after["expected"]:
            kind = _kind(before["expected"], after["expected"])
            yield {"id": id, "kind": kind, "old": _shown(before["expected"]), "new": _shown(after["expected"])}
        elif before.get("expected_binary64") != after.get("expected_binary64"):
            doubles = [str(case.get("expected_binary64")) for case in (before, after)]
            yield {"id": id, "kind": "doubles", "old": doubles[0], "new": doubles[1]}
