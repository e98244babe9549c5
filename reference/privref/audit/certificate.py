"""Certificates (``certificate.2``): a verdict, and the proof that ``privref.kernel`` evaluates once to check it.

This module only looks for what the kernel accepts, and may be wrong. A verdict for which it finds nothing has no
certificate, and the reason is given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import rfc8785

from privref import kernel
from privref.exact.errors import InputError, require
from privref.exact.interval import alone
from privref.exact.numbers import spell
from privref.kernel.certificate import POINTS
from privref.ledger import documents
from privref.ledger.model import Interaction, Ledger
from privref.ledger.writing import ledger_document

from . import witnesses
from .claims import GaussianDPClaim, ReadingClaim, TotalClaim
from .opinions import Audit, Opinion
from .points import Point
from .replayed import OUTPUT_ACCOUNTANT
from .witnesses import Proved

#: A ledger whose canonical bytes are longer than this is named by its digest only.
EMBEDDED_LEDGER_LIMIT = 2_000_000
#: Rows of a sheet beyond which its document is longer than that in any case.
_MOST_ROWS = 50_000
#: Verdicts that the kernel can check. The others say what was not proved, and of that there is nothing to check.
CERTIFIED = ("confirmed", "refuted", "contradicted-by-evidence", "underivable")


#: The interaction of a sheet that declares none: no theorem wants it, and releases one after another are a case of it.
_UNDECLARED: Interaction = "concurrent"


class Certificates(dict[str, dict[str, Any]]):
    """The certificates of an audit by claim id; ``missing`` says of each claim that has none why not."""

    missing: dict[str, str]

    def __init__(self, found: Mapping[str, dict[str, Any]], missing: Mapping[str, str]) -> None:
        super().__init__(found)
        self.missing = dict(missing)


def certificates(audit: Audit) -> Certificates:
    """Return the certificate of each claim of an audit, and in ``missing`` why a claim has none.

    A proof is looked for once: what was found stays with the audit.
    """
    require(audit, Audit, "audit", "give the Audit that audit(ledger, claims) returned")
    document = _document(audit.ledger)
    # The canonical form of a long document takes as long as its audit, and is made once.
    known = audit.ledger.digest if audit.ledger.document is not None else ""
    sha256 = known if known or isinstance(document, str) else documents.digest(document)
    found: dict[str, dict[str, Any]] = {}
    missing: dict[str, str] = {}
    for opinion in audit.opinions:
        id = opinion.claim.id
        proved = audit.proved.get(id)
        if not isinstance(proved, Proved):
            proved = audit.proved[id] = _proved(document, sha256, opinion)
        if proved.proofs and not isinstance(document, str):
            found[id] = _certificate(audit.ledger, document, sha256, opinion, proved)
        else:
            missing[id] = proved.reason
    return Certificates(found, missing)


def _proved(document: dict[str, Any] | str, sha256: str, opinion: Opinion) -> Proved:
    """Look for a proof of one verdict that the kernel accepts."""
    claim = opinion.claim
    if opinion.verdict not in CERTIFIED:
        return Proved((), f"{opinion.verdict} says what was not proved")
    if isinstance(document, str):
        return Proved((), document)
    if opinion.verdict == "contradicted-by-evidence":
        return _contradicted(document, sha256, opinion)
    if not isinstance(claim, TotalClaim):
        # A reading and what remains of a budget are closed formulas: there is nothing to look for.
        proof: dict[str, Any] = {
            "by": claim.by if isinstance(claim, ReadingClaim) else OUTPUT_ACCOUNTANT.id,
            "witness": {},
        }
        with alone():
            return _accepted(document, sha256, opinion, Proved((proof,)))
    deciding = (opinion.deciding, *opinion.bounds) if opinion.verdict == "confirmed" else ()
    preferred = tuple(dict.fromkeys(bound.application.by for bound in deciding if bound is not None))
    unit: tuple[Fraction, Fraction] | None = None
    if opinion.of_unit is not None:
        unit = opinion.of_unit.epsilon, opinion.of_unit.delta
    with alone():
        return _found(document, sha256, opinion, claim, preferred[:1], unit)


def _contradicted(document: dict[str, Any], sha256: str, opinion: Opinion) -> Proved:
    """Return which piece of evidence the kernel accepts; it weighs the claim itself, and not what the ledger proves."""
    refused = Proved((), "")
    for i in range(len(document["evidence"])):
        refused = _accepted(document, sha256, opinion, Proved(({"by": "evidence", "witness": {"piece": i}},)))
        if refused.proofs:
            return refused
    return refused


def _found(
    document: dict[str, Any],
    sha256: str,
    opinion: Opinion,
    claim: TotalClaim,
    preferred: tuple[str, ...],
    unit: tuple[Fraction, Fraction] | None,
) -> Proved:
    try:
        if opinion.cover or opinion.lost_at is not None:
            found = _at_points(document, opinion, claim, preferred)
        else:
            found = witnesses.proofs(document, dict(claim.written), opinion.verdict, preferred, unit)
    except (ArithmeticError, ValueError) as error:
        # The search plans with floats, which end at some e308.
        return Proved((), f"the search for a proof met a number beyond what it plans with ({error})")
    return _accepted(document, sha256, opinion, found) if found.proofs else found


def _at_points(document: dict[str, Any], opinion: Opinion, claim: TotalClaim, preferred: tuple[str, ...]) -> Proved:
    """Look for the proofs of a claim of mu at the points that decide it, each of which is a claim of its own."""
    said = {key: value for key, value in claim.written.items() if key not in ("mu", "deltas")}
    places: Sequence[Point] = opinion.cover if opinion.lost_at is None else (opinion.lost_at,)
    if (
        opinion.cover
        and isinstance(claim, GaussianDPClaim)
        and any(event.get("mechanism", {}).get("kind") == "subsampled" for event in document["events"])
    ):
        from .mu_ranges import loosened  # few claims are of mu

        places = loosened(claim.mu, opinion.cover, (claim.deltas or (Fraction(0),))[0])
    points: list[dict[str, Any]] = []
    for epsilon, delta in places:
        at = {"epsilon": spell(epsilon), "delta": spell(delta)}
        found = witnesses.proofs(document, said | at, opinion.verdict, preferred)
        if not found.proofs:
            return found
        preferred = (found.proofs[0]["by"],)
        points.append({**at, "proofs": list(found.proofs)})
    if opinion.lost_at is None:
        return Proved(({"by": POINTS, "witness": {"cover": points}},))
    (proof,) = points[0].pop("proofs")
    return Proved(({**proof, "witness": {**proof["witness"], "at": points[0]}},))


def _accepted(document: dict[str, Any], sha256: str, opinion: Opinion, found: Proved) -> Proved:
    """Return the proofs that the kernel accepts for the whole claim, or why it does not."""
    try:
        # Each proof was accepted by itself; the kernel asks more of the whole.
        kernel.check(_said(sha256, opinion, found), document)
    except (kernel.Refused, kernel.Malformed) as refusal:
        return Proved((), str(refusal))
    return found


def _said(sha256: str, opinion: Opinion, proved: Proved) -> dict[str, Any]:
    """Return what the kernel reads of a certificate."""
    return {
        "schema": "certificate.2",
        "claim": dict(opinion.claim.written),
        "verdict": opinion.verdict,
        "ledger": {"sha256": sha256},
        # A copy: what was found stays with the audit.
        "proofs": json.loads(json.dumps(proved.proofs)),
    }


def _certificate(
    ledger: Ledger, document: dict[str, Any], sha256: str, opinion: Opinion, proved: Proved
) -> dict[str, Any]:
    """Return the document of a proved verdict; a sheet's digest and the reason in words are commentary."""
    from importlib.metadata import version  # slow to import, and few commands write certificates

    made = _said(sha256, opinion, proved)
    # As long as the canonical form, which differs in the order of the keys: a ledger has no floats.
    if len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()) <= EMBEDDED_LEDGER_LIMIT:
        made["ledger"]["document"] = document
    commentary: dict[str, Any] = {
        "title": ledger.title,
        "reason": opinion.reason,
        "versions": {"privref": version("privref")},
    }
    if opinion.premises:
        commentary["premises"] = [finding.how for finding in opinion.premises]
    if opinion.refutation is not None:
        commentary["witness"] = opinion.refutation.witness.words
    if ledger.document is None:
        commentary["sheet"] = {"sha256": ledger.digest, "digest_of": ledger.digest_of}
        if ledger.interaction is None:
            commentary["sheet"]["undeclared"] = ["interaction"]
    return {**made, "commentary": commentary}


def _document(ledger: Ledger) -> dict[str, Any] | str:
    """The document that the kernel reads: the ledger's own, or what a sheet says as one; else why there is none."""
    if ledger.document is not None:
        return dict(ledger.document)
    declared = {"neighbours": ledger.neighbours, "parameters": ledger.parameters}
    if wanting := [f"--{name}" for name, value in declared.items() if value is None]:
        return f"the kernel reads a ledger's document, and the sheet does not say what it states: {', '.join(wanting)}"
    too_long = "the sheet's rows are too many for a certificate: write them as a JSON ledger and audit that"
    if len(ledger.events) > _MOST_ROWS:
        return too_long
    assert ledger.neighbours is not None
    assert ledger.parameters is not None
    try:
        document = ledger_document(
            ledger,
            title=ledger.title,
            privacy_unit=ledger.privacy_unit or "unit",
            neighbours=ledger.neighbours,
            parameters=ledger.parameters,
            interaction=ledger.interaction or _UNDECLARED,
        )
    except InputError as error:
        return str(error)
    return too_long if len(rfc8785.dumps(document)) > EMBEDDED_LEDGER_LIMIT else document
