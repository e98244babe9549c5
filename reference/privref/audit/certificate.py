"""Certificates (``certificate.1``): everything that a re-check of one verdict needs.

A re-check recomputes every field. What is only told to the reader, the reason in words for example, stands apart in
``commentary``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import rfc8785

from privref.exact import decide, interval, second
from privref.exact.enclosure import Enclosure
from privref.exact.given import require
from privref.exact.numbers import spell
from privref.ledger.model import Ledger
from privref.statements.registry import statement

from .claims import ApproxDPClaim, GaussianDPClaim, TotalClaim, ZCDPClaim
from .engines import CERTIFIED_DIGITS, ENGINES
from .facts import Finding
from .opinions import Audit, Bound, Opinion

#: A ledger whose canonical bytes are longer than this is named by its digest only.
EMBEDDED_LEDGER_LIMIT = 2_000_000
#: Verdicts that a certificate can carry: the others decide nothing that could be re-checked.
CERTIFIED = ("confirmed", "unsupported", "refuted", "underivable")


def _enclosure(enclosure: Enclosure) -> dict[str, Any]:
    lower, upper = enclosure.decimals(CERTIFIED_DIGITS)
    return {"lower": lower, "upper": upper, "binary64": list(enclosure.binary64())}


def _certified(statement_id: str, inputs: Mapping[str, object], found: Enclosure) -> Enclosure:
    """The enclosure that is certified: at a stated width a thousandth of it wider at both ends.

    Floats plan the grids, and a checker elsewhere may plan a little otherwise: what it finds has to lie within.
    """
    known = statement(statement_id)
    stated = known.stated_width(inputs) if known.stated_width is not None else None
    if stated is None or found.lower == found.upper or found.lower <= 0:
        return found
    more = found.lower * stated / 1000
    return Enclosure(found.lower - more, found.upper + more)


def _evaluation(statement_id: str, inputs: Mapping[str, object]) -> dict[str, Any]:
    found = statement(statement_id)
    return {
        "statement": statement_id,
        "kind": found.kind,
        "source": found.source,
        "inputs": {param.name: param.spell(inputs[param.name]) for param in found.params},
    }


def _findings(findings: tuple[Finding, ...]) -> list[dict[str, str]]:
    return [{"hypothesis": finding.hypothesis.value, "met_by": finding.how} for finding in findings]


def _bound(item: Bound, case: Mapping[str, str], unit: ApproxDPClaim | None) -> dict[str, Any]:
    assert item.enclosure is not None
    document: dict[str, Any] = {
        **({"case": dict(case)} if case else {}),
        **({"of_unit": {"epsilon": spell(unit.epsilon), "delta": spell(unit.delta)}} if unit is not None else {}),
        "by": item.application.by,
        "hypotheses": [finding.hypothesis.value for finding in item.application.findings],
        **({"lifted_by": item.application.lifted_by} if item.application.lifted_by else {}),
        **_evaluation(item.application.statement, item.application.inputs),
        "enclosure": _enclosure(_certified(item.application.statement, item.application.inputs, item.enclosure)),
    }
    if item.value is not None:
        document["value"] = item.value
    return document


def certificate(ledger: Ledger, opinion: Opinion) -> dict[str, Any] | None:
    """The certificate of one opinion; None where the verdict decides nothing (undecided, inapplicable, out of scope).

    A confirmed claim carries the bound that proves it; an unsupported one all bounds that were tried; a refuted one
    the lower bound and its witness. With rounded inputs a confirmed claim's is about the reading where most is lost,
    any other one's about that where least is; one that depends on digits carries two readings.
    """
    claim = opinion.claim
    if opinion.verdict not in (*CERTIFIED, "depends-on-digits"):
        return None
    if not isinstance(claim, TotalClaim):
        return None
    from importlib.metadata import version  # dear, and few commands write certificates

    commentary: dict[str, Any] = {
        "title": ledger.title,
        "reason": opinion.reason,
        "precision": {"first_bits": decide.FIRST_PRECISION, "cap_bits": decide.PRECISION_CAP},
        "versions": {"privref": version("privref"), **interval.versions(), **second.versions()},
    }
    document: dict[str, Any] = {
        "schema": "certificate.1",
        "claim": dict(claim.written),
        "verdict": opinion.verdict,
        "ledger": _ledger(ledger),
        "engines": list(ENGINES),
        "digits": CERTIFIED_DIGITS,
        "commentary": commentary,
    }
    if opinion.premises:
        commentary["premises"] = [finding.how for finding in opinion.premises]
    if opinion.verdict == "depends-on-digits":
        parts = [_decided(claim, end.opinion, {}) for end in opinion.ends]
        if None in parts:
            return None
        document["ends"] = [
            {
                "inputs": {item.place: spell(value) for item, value in end.values},
                "verdict": end.opinion.verdict,
                **(part or {}),
            }
            for end, part in zip(opinion.ends, parts, strict=True)
        ]
        return document
    found = _decided(claim, opinion.ends[0].opinion if opinion.ends else opinion, commentary)
    return None if found is None else document | found


def _decided(claim: TotalClaim, opinion: Opinion, commentary: dict[str, Any]) -> dict[str, Any] | None:
    """The bounds, or the lower bound, that a verdict rests on, and the margin; None where it decides nothing."""
    if opinion.verdict not in CERTIFIED:
        return None
    if opinion.verdict == "unsupported" and (opinion.deciding is None or opinion.deciding.enclosure is None):
        return None
    document: dict[str, Any] = {}
    if opinion.refutation is not None:
        witness = opinion.refutation.witness
        enclosure = _certified(witness.statement, witness.inputs, opinion.refutation.enclosure)
        document["lower_bound"] = {
            **({"case": dict(opinion.case)} if opinion.case else {}),
            **_evaluation(witness.statement, witness.inputs),
            "enclosure": _enclosure(enclosure),
            "bounds": "delta" if isinstance(claim, ApproxDPClaim) else "rho",
        }
        if opinion.refutation.value is not None:
            document["lower_bound"]["value"] = opinion.refutation.value
        commentary["witness"] = witness.words
        document["margin"] = _margin(enclosure, _bounded_below(claim))
        return document
    shown = [opinion.deciding] if opinion.verdict == "confirmed" else list(opinion.bounds)
    if opinion.verdict == "unsupported" and claim.by is not None:
        shown = [
            item
            for item in opinion.bounds
            if opinion.deciding and item.application.by == opinion.deciding.application.by
        ]
    listed = [item for item in shown if item is not None]
    document["bounds"] = [_bound(item, opinion.case, opinion.of_unit) for item in listed if item.enclosure is not None]
    if opinion.verdict == "confirmed":
        # Of disjoint parts each combination has a bound of its own; the largest stands first.
        document["bounds"] += [
            _bound(other.deciding, case, opinion.of_unit)
            for case, other in opinion.others
            if other.deciding is not None
        ]
    commentary["hypotheses"] = {item.application.by: _findings(item.application.findings) for item in listed}
    if unbounded := {item.application.by: item.note for item in listed if item.enclosure is None}:
        commentary["no_finite_bound"] = unbounded
    first = listed[0]
    assert first.enclosure is not None
    certified = _certified(first.application.statement, first.application.inputs, first.enclosure)
    document["margin"] = _margin(certified, (opinion.of_unit or claim).size)
    return document


def _bounded_below(claim: TotalClaim) -> Fraction:
    """The number of which a lower bound speaks: delta, rho, or the rho that mu-GDP has."""
    match claim:
        case ApproxDPClaim():
            return claim.delta
        case ZCDPClaim():
            return claim.rho
        case GaussianDPClaim():
            return claim.mu**2 / 2


def _margin(enclosure: Enclosure, claimed: Fraction) -> dict[str, str]:
    """The claimed number less the certified enclosure, as its printed ends have it, rounded outward."""
    least, most = (Fraction(end) for end in enclosure.decimals(CERTIFIED_DIGITS))
    lower, upper = Enclosure(claimed - most, claimed - least).decimals(6)
    return {"lower": lower, "upper": upper}


def _ledger(ledger: Ledger) -> dict[str, Any]:
    document: dict[str, Any] = {
        "sha256": ledger.digest,
        "digest_of": ledger.digest_of,
        "rounds": ledger.rounds,
    }
    if ledger.document is not None and len(rfc8785.dumps(dict(ledger.document))) <= EMBEDDED_LEDGER_LIMIT:
        document["document"] = ledger.document
    else:
        document["declared"] = {
            key: value
            for key, value in (
                ("neighbours", ledger.neighbours),
                ("parameters", ledger.parameters),
                ("interaction", ledger.interaction),
            )
            if value is not None
        }
    return document


def certificates(audit: Audit) -> dict[str, dict[str, Any]]:
    """The certificates of an audit, by claim id."""
    require(audit, Audit, "audit", "give the Audit that audit(ledger, claims) returned")
    found = {opinion.claim.id: certificate(audit.ledger, opinion) for opinion in audit.opinions}
    return {id: document for id, document in found.items() if document is not None}
