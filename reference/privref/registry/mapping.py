"""Reviewed mappings: what an entry states, where, and the questions asked of it, with every inference written down."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from privref.exact.errors import InputError, require_text
from privref.exact.numbers import rational
from privref.ledger import documents
from privref.ledger.reading import example_document

from .entries import RegistryEntry, sentence_with

SCHEMA = "registry-mapping.1"


@dataclass(frozen=True, slots=True)
class Stated:
    """Something an entry says: the key of the scalar, the words quoted, and the exact number read from them."""

    id: str
    key: str
    words: str | None = None
    number: str | None = None
    written: str | None = None

    @property
    def quoted(self) -> str:
        """The words that must stand at the key: quoted ones, or the whole scalar, which is then the number."""
        if self.words is not None:
            return self.words
        return self.number or ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that another public source states."""

    id: str
    number: str
    source: str


@dataclass(frozen=True, slots=True)
class Question:
    """One check: an audit of a ledger against claims, or a relation between published numbers."""

    id: str
    asks: str
    document: Mapping[str, Any]

    @property
    def is_audit(self) -> bool:
        return "ledger" in self.document

    @property
    def is_finding(self) -> bool:
        """Whether the answer is worth telling a curator; set by the reviewer."""
        return bool(self.document.get("finding", False))


@dataclass(frozen=True, slots=True)
class EntryMapping:
    """The reviewed mapping of one entry."""

    name: str
    entry: str
    file: str
    title: str
    status: str
    tier: str
    reviewed: str
    stated: Mapping[str, Stated]
    facts: Mapping[str, Fact]
    questions: tuple[Question, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    corrections: tuple[str, ...]

    def example(self, question: Question) -> str:
        """The name under which ``privref audit --example`` knows the ledger of an audit."""
        audits = [other for other in self.questions if other.is_audit]
        return self.name if len(audits) == 1 else f"{self.name}-{question.id}"


@dataclass(slots=True)
class Used:
    """What a resolved document rests on: statements and facts by id, and inferences in words."""

    stated: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    inferences: list[str] = field(default_factory=list)

    def note(self, kind: list[str], id: str) -> None:
        if id not in kind:
            kind.append(id)


def mapping_from(document: Any) -> EntryMapping:
    """A mapping from a parsed document, checked: its schema, its numbers, its references."""
    documents.validate(document, SCHEMA, "mapping")
    place = f"mapping {document['name']}"
    stated = {id: Stated(id, **entry) for id, entry in document["stated"].items()}
    facts = {id: Fact(id, **entry) for id, entry in document.get("facts", {}).items()}
    for item in stated.values():
        _check_reading(item, f"{place}.stated.{item.id}")
    for fact in facts.values():
        rational(fact.number, f"{place}.facts.{fact.id}")
    questions = tuple(Question(check["id"], check["asks"], check) for check in document["checks"])
    if len({question.id for question in questions}) != len(questions):
        raise InputError(f"{place}.checks", "(ids)", "give every check an id of its own")
    words: dict[str, Any] = {
        name: document[name] for name in ("name", "entry", "file", "title", "status", "tier", "reviewed")
    }
    words |= {name: tuple(document.get(name, ())) for name in ("missing", "notes", "corrections")}
    found = EntryMapping(**words, stated=stated, facts=facts, questions=questions)
    for question in questions:
        settled_by = question.document.get("settled_by")
        if settled_by is not None and settled_by not in {other.id for other in questions} - {question.id}:
            raise InputError(f"{place}.checks.{question.id}.settled_by", settled_by, "name another check")
    if not questions and not found.missing:
        raise InputError(f"{place}.missing", "(empty)", "say what is missing where nothing can be checked")
    return found


#: How registries write numbers: 4.08 \times 10^{-8}, 5.8 × 10−6, 10^{-10}, 10−10 (a lost exponent), 65,546.
_POWER = re.compile(r"(?:([0-9]+(?:\.[0-9]+)?)\s*(?:\\times|×)\s*)?10\s*\^?\s*\{?\s*([-−–])\s*([0-9]+)\s*\}?\Z")


def read_number(written: str) -> str:
    """The exact number that a registry's text writes, as a decimal string; InputError where it is none."""
    if power := _POWER.match(written):
        return f"{power[1] or '1'}e-{power[3]}"
    if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+", written):
        return written.replace(",", "")
    rational(written, "written")
    return written


def _check_reading(item: Stated, place: str) -> None:
    """The number must be what the quoted words write; nothing is read into them."""
    if item.number is None:
        if item.words is None:
            raise InputError(place, item.key, "quote words, or give the number that the scalar is")
        return
    number = rational(item.number, place)
    if item.words is None:
        return
    written = item.written or item.number
    if rational(read_number(written), place) != number:
        raise InputError(place, written, f"this is not {item.number}")
    if not re.search(rf"(?<![0-9.]){re.escape(written)}(?![0-9]|\.[0-9])", item.words):
        raise InputError(place, item.words, f"the words do not write {written}")


def located(item: Stated, entry: RegistryEntry) -> str | None:
    """The entry's own sentence with the words, or None where they are no longer there."""
    text = entry.texts.get(item.key)
    if text is None:
        return None
    if item.words is None:
        return text if text == item.number else None
    return sentence_with(text, item.words)


def resolve(mapping: EntryMapping, document: Any, used: Used) -> Any:
    """A ledger or claims with every reference replaced by the number, and what it rests on noted in ``used``."""
    if isinstance(document, list):
        return [resolve(mapping, item, used) for item in document]
    if not isinstance(document, dict):
        return document
    keys = set(document)
    if "inferred" in keys:
        used.note(used.inferences, document["inferred"])
        return resolve(mapping, document["value"], used)
    if "stated" in keys and keys <= {"stated", "value", "as"}:
        number = _stated(mapping, document["stated"], used)
        if "value" in keys:
            return document["value"]
        return int(rational(number)) if document.get("as") == "integer" else number
    if keys == {"rounded"}:
        # Published rounded: the audit reads it at both ends of its last digit.
        return {"rounded": _stated(mapping, document["rounded"], used)}
    if keys == {"fact"}:
        return _fact(mapping, document["fact"], used)
    if keys == {"example"}:
        return dict(example_document(document["example"], "ledger"))
    return {key: resolve(mapping, item, used) for key, item in document.items()}


def _stated(mapping: EntryMapping, id: str, used: Used) -> str:
    if id not in mapping.stated:
        raise InputError(f"mapping {mapping.name}", id, "no such statement in the mapping")
    used.note(used.stated, id)
    return mapping.stated[id].number or ""


def _fact(mapping: EntryMapping, id: str, used: Used) -> str:
    if id not in mapping.facts:
        raise InputError(f"mapping {mapping.name}", id, "no such fact in the mapping")
    used.note(used.facts, id)
    return mapping.facts[id].number


def audit_documents(mapping: EntryMapping, question: Question) -> tuple[dict[str, Any], dict[str, Any], Used]:
    """The ledger.1 and claims.1 documents of an audit, and what they rest on."""
    used = Used()
    ledger = {"schema": "ledger.1", **resolve(mapping, question.document["ledger"], used)}
    claims = resolve(mapping, question.document["claims"], used)
    for id in question.document.get("rests_on", ()):
        _stated(mapping, id, used)
    for inference in question.document.get("inferences", ()):
        used.note(used.inferences, inference)
    return ledger, {"schema": "claims.1", "claims": claims}, used


@cache
def mappings() -> Mapping[str, EntryMapping]:
    """Every mapping of the package by the slug of its entry, in the order of the registry's file names."""
    folder = files("privref").joinpath("registry", "mappings")
    found = [
        mapping_from(json.loads(path.read_text(encoding="utf-8")))
        for path in folder.iterdir()
        if path.name.endswith(".json")
    ]
    return {mapping.entry: mapping for mapping in sorted(found, key=lambda mapping: mapping.file)}


def mapping_named(name: str) -> EntryMapping:
    """The mapping of that name; InputError lists the names."""
    for mapping in mappings().values():
        if mapping.name == name:
            return mapping
    raise InputError("--name", name, f"give one of {', '.join(mapping.name for mapping in mappings().values())}")


def examples() -> Mapping[str, tuple[EntryMapping, Question]]:
    """The ledgers of all audits by the name of their example."""
    return {
        mapping.example(question): (mapping, question)
        for mapping in mappings().values()
        for question in mapping.questions
        if question.is_audit
    }


def registry_examples() -> dict[str, str]:
    """The names of the gallery's ledgers, each with what it asks."""
    return {name: f"{mapping.title}: {question.asks}" for name, (mapping, question) in examples().items()}


def registry_example(name: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The ledger.1 and claims.1 documents of a gallery's ledger; None where the gallery has no such name."""
    require_text(name, "name", "name an example of the registry's gallery")
    found = examples().get(name)
    if found is None:
        return None
    ledger, claims, _ = audit_documents(*found)
    return ledger, claims
