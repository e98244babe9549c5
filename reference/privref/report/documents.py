"""Results as JSON documents; numbers are strings, enclosures are rounded outward."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privref.audit.certificate import certificates
from privref.audit.run import DIGITS, Audit, Bound, Opinion
from privref.audit.verify import Verification
from privref.doctor import Diagnosis
from privref.exact.enclosure import Enclosure
from privref.statements.registry import Answer


def enclosure_document(enclosure: Enclosure, digits: int) -> dict[str, Any]:
    """An enclosure's decimals and binary64 neighbours, both rounded outward."""
    lower, upper = enclosure.decimals(digits)
    down, up = enclosure.binary64()
    return {"lower": lower, "upper": upper, "binary64": {"lower": down, "upper": up}}


def answer_document(id: str, inputs: Mapping[str, object], answer: Answer, digits: int, engine: str) -> dict[str, Any]:
    """What ``privref eval`` prints for one statement."""
    document: dict[str, Any] = {"id": id, "inputs": dict(inputs), "engine": engine, "digits": digits}
    if answer.value is not None:
        document["value"] = answer.value
    if answer.enclosure is not None:
        document |= enclosure_document(answer.enclosure, digits)
    return document


def _bound(bound: Bound) -> dict[str, Any]:
    document: dict[str, Any] = {"by": bound.application.by}
    if bound.enclosure is not None:
        document["statement"] = bound.application.statement
    if bound.enclosure is not None:
        document |= enclosure_document(bound.enclosure, DIGITS)
    if bound.value is not None:
        document["value"] = bound.value
    if bound.note:
        document["note"] = bound.note
    return document


def _opinion(opinion: Opinion) -> dict[str, Any]:
    document: dict[str, Any] = {
        "claim": dict(opinion.claim.document or {"id": opinion.claim.id}),
        "verdict": opinion.verdict,
        "reason": opinion.reason,
        "bounds": [_bound(bound) for bound in opinion.bounds],
        "inapplicable": [
            {
                "by": application.by,
                "unmet": [{"hypothesis": f.hypothesis.value, "found": f.how} for f in application.unmet],
            }
            for application in opinion.inapplicable
        ],
    }
    if opinion.deciding is not None:
        document["decided_by"] = opinion.deciding.application.by
    if opinion.premises:
        document["premises"] = [finding.how for finding in opinion.premises]
    if opinion.refutation is not None:
        document["refutation"] = {
            "statement": opinion.refutation.witness.statement,
            "witness": opinion.refutation.witness.words,
            **enclosure_document(opinion.refutation.enclosure, DIGITS),
        }
    return document


def audit_document(audit: Audit) -> dict[str, Any]:
    """The whole audit, its certificates included."""
    ledger = audit.ledger
    return {
        "schema": "audit.1",
        "ledger": {
            "title": ledger.title,
            "sha256": ledger.digest,
            "digest_of": ledger.digest_of,
            "neighbours": ledger.neighbours,
            "parameters": ledger.parameters,
            "interaction": ledger.interaction,
            "events": len(ledger.events),
            "rounds": ledger.rounds,
        },
        "opinions": [_opinion(opinion) for opinion in audit.opinions],
        "certificates": certificates(audit),
        "exit_code": audit.exit_code,
    }


def verification_document(verification: Verification) -> dict[str, Any]:
    """The re-check of a certificate."""
    return {
        "outcome": verification.outcome,
        "ledger_checked": verification.ledger_checked,
        "checks": [{"what": c.what, "passed": c.passed, "detail": c.detail} for c in verification.checks],
    }


def diagnosis_document(diagnosis: Diagnosis) -> dict[str, Any]:
    """Versions and self-tests."""
    return {
        "sound": diagnosis.sound,
        "versions": diagnosis.versions,
        "tests": [{"test": name, "passed": passed} for name, passed in diagnosis.tests],
    }
