"""Results as JSON documents; numbers are strings, enclosures are rounded outward."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privref.audit import summary
from privref.audit.certificate import certificates
from privref.audit.engines import CERTIFIED_DIGITS
from privref.audit.opinions import Audit, Bound, Opinion
from privref.audit.routes import Application
from privref.exact.enclosure import Enclosure
from privref.exact.numbers import spell
from privref.ledger.rounded import RoundedInput
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


def bound_document(bound: Bound) -> dict[str, Any]:
    """One theorem's bound."""
    document: dict[str, Any] = {"by": bound.application.by}
    if bound.enclosure is not None:
        document["statement"] = bound.application.statement
    if bound.enclosure is not None:
        document |= enclosure_document(bound.enclosure, CERTIFIED_DIGITS)
    if bound.value is not None:
        document["value"] = bound.value
    if bound.note:
        document["note"] = bound.note
    if bound.application.supposed is not None:
        document["only_under"] = bound.application.supposed.document
    return document


def inapplicable_document(application: Application) -> dict[str, Any]:
    """A theorem that does not apply, and which hypotheses fail."""
    return {
        "by": application.by,
        "unmet": [{"hypothesis": f.hypothesis.value, "found": f.how} for f in application.unmet],
    }


def _opinion(opinion: Opinion) -> dict[str, Any]:
    document: dict[str, Any] = {
        "claim": dict(opinion.claim.document or {"id": opinion.claim.id}),
        "verdict": opinion.verdict,
        "reason": opinion.reason,
        "bounds": [bound_document(bound) for bound in opinion.bounds],
        "inapplicable": [inapplicable_document(application) for application in opinion.inapplicable],
    }
    if opinion.deciding is not None:
        document["decided_by"] = opinion.deciding.application.by
    if opinion.declare is not None:
        document["declare"] = {"budget": opinion.declare.document}
    item, margin = summary.best(opinion), summary.margin(opinion)
    if item is not None:
        document["best"] = bound_document(item)
    if margin is not None:
        lower, upper = margin.decimals(6)
        document["margin"] = {"lower": lower, "upper": upper}
    kind, text = summary.advice(opinion)
    if kind:
        document["advice"] = {"kind": kind, "text": text}
    if opinion.hints is not None:
        known = {"would_prove": opinion.hints.would_prove, "at_delta": opinion.hints.at_delta}
        document["hints"] = {
            **{name: value for name, value in known.items() if value is not None},
            "rounded_down": opinion.hints.rounded_down,
            **({"mechanisms": opinion.hints.mechanisms} if opinion.hints.mechanisms else {}),
        }
    if opinion.premises:
        document["premises"] = [finding.how for finding in opinion.premises]
    if opinion.ends:
        document["ends"] = [
            {
                "inputs": {item.place: spell(value) for item, value in end.values},
                "verdict": end.opinion.verdict,
                "reason": end.opinion.reason,
            }
            for end in opinion.ends
        ]
    if opinion.cover:
        document["cover"] = [{"epsilon": spell(epsilon), "delta": spell(delta)} for epsilon, delta in opinion.cover]
    if opinion.refutation is not None:
        document["refutation"] = {
            "statement": opinion.refutation.witness.statement,
            "witness": opinion.refutation.witness.words,
            **enclosure_document(opinion.refutation.enclosure, CERTIFIED_DIGITS),
        }
    return document


def _ends(item: RoundedInput) -> dict[str, str]:
    return {"published": item.text, "least_lost": spell(item.least), "most_lost": spell(item.most)}


def contributors_document(found: summary.Contributors) -> dict[str, Any]:
    """The largest parts of the sum behind a bound; amounts and shares are exact."""
    return {
        "by": found.by,
        "measure": found.measure,
        "bound_is_a_function_of_the_sum": found.decides,
        "total": spell(found.total),
        "largest": [
            {"event": part.event, "count": part.count, "amount": spell(part.amount), "share": spell(part.share)}
            | ({"label": part.label} if part.label else {})
            for part in found.largest
        ],
    }


def _contributors(audit: Audit) -> dict[str, Any]:
    """By theorem, for every best bound among the opinions."""
    items = [(opinion, item) for opinion in audit.opinions if (item := summary.best(opinion)) is not None]
    found = {item.application.by: summary.contributors(audit.ledger, item, 10, opinion.case) for opinion, item in items}
    return {by: contributors_document(parts) for by, parts in found.items() if parts is not None}


def audit_document(audit: Audit) -> dict[str, Any]:
    """The whole audit, with its certificates, and why a claim has none."""
    ledger = audit.ledger
    made = certificates(audit)
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
            "kinds": dict(summary.kinds(ledger)),
            **({"rounded": {item.place: _ends(item) for item in ledger.rounded}} if ledger.rounded else {}),
            **({"unread": list(ledger.unread)} if ledger.unread else {}),
            "totals": {name: spell(value) for name, value in summary.totals(ledger)},
        },
        "summary": {"counts": dict(summary.counts(audit)), "text": summary.counts_words(audit)},
        "contributors": _contributors(audit),
        "opinions": [_opinion(opinion) for opinion in audit.opinions],
        "certificates": made,
        "without_certificate": made.missing,
        "exit_code": audit.exit_code,
    }
