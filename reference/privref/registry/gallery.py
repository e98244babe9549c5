"""The gallery of published claims: the entries audited, and the certificates of all answers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rfc8785

from privref.audit.certificate import certificates
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, require, require_text
from privref.exact.numbers import rational, spell, unit_in_last_place

from .checks import EntryAudit, GalleryAnswer, answers_of, audit_entry, audit_mapping
from .entries import read_entries
from .formulas import ENGINES
from .mapping import EntryMapping, Stated, mapping_named, mappings


def registry_audits(
    path: str | Path | None = None, name: str | None = None, question: str | None = None
) -> tuple[EntryAudit, ...]:
    """What follows from the entries of a file or folder, or, without one, from the mappings as reviewed.

    ``name`` picks one mapping, ``question`` one of its questions. Raises InputError for what is not an entry, or a name
    that is not known.
    """
    if question is not None and name is None:
        raise InputError("--question", question, "give the entry with --name")
    if path is None:
        chosen = mappings().values() if name is None else (mapping_named(name),)
        return tuple(audit_mapping(mapping, question=question) for mapping in chosen)
    entries = read_entries(path)
    if name is not None:
        slug = mapping_named(name).entry
        entries = tuple(entry for entry in entries if entry.slug == slug)
    return tuple(audit_entry(entry, question) for entry in entries)


def registry_texts(path: str | Path) -> Mapping[str, str]:
    """The scalars of one entry by dotted key, as they were published; InputError where the file is not an entry."""
    entries = read_entries(path)
    if len(entries) != 1:
        raise InputError("--entry", str(path), "name the file of one entry")
    return entries[0].texts


def registry_relation(entry: str, question: Any) -> Mapping[str, Any] | None:
    """The relation that the reviewed mapping of an entry has for a question, in named numbers.

    None where no mapping of that entry is reviewed, and an empty one where it has no such question.
    """
    require_text(entry, "entry", "name an entry of the registry")
    mapping = mappings().get(entry)
    if mapping is None:
        return None
    for asked in mapping.questions:
        if asked.id == question and not asked.is_audit:
            for answer in answers_of(mapping, asked, None):
                document = relation_certificate(mapping, answer)
                if document is not None:
                    found: Mapping[str, Any] = document["relation"]
                    return found
    return {}


def registry_certificates(audits: Sequence[EntryAudit]) -> dict[str, Any]:
    """The certificates of all answers: of ledgers by example and claim, of relations by mapping and question."""
    require(audits, Sequence, "audits", "give what registry_audits() returned")
    made: dict[str, Any] = {}
    for audited in audits:
        require(audited, EntryAudit, "audits", "give what registry_audits() returned")
        for answer in audited.answers:
            if answer.audit is not None:
                example = answer.command.split()[-1]
                for claim, document in certificates(answer.audit).items():
                    made[f"{example}.{claim}"] = document
            elif (found := of_relation(audited, answer)) is not None:
                made[found[0]] = found[1]
    return made


def of_relation(audited: EntryAudit, answer: GalleryAnswer) -> tuple[str, dict[str, Any]] | None:
    """The name and the certificate of a relation; None for any other answer, or where nothing was decided."""
    if audited.mapping is None:
        return None
    document = relation_certificate(audited.mapping, answer)
    return None if document is None else (relation_name(audited.mapping, answer), document)


# --- relation certificates --------------------------------------------------------------------------------------------


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
