"""The gallery of published claims: the entries audited, and the certificates of all answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from privref.audit.certificate import certificates
from privref.exact.errors import InputError
from privref.exact.given import require, require_text

from .certificate import relation_certificate, relation_name
from .checks import EntryAudit, GalleryAnswer, answers_of, audit_entry, audit_mapping
from .entries import read_entries
from .mapping import mapping_named, mappings


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
