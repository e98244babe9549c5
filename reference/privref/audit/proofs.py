"""Certificates with a proof (``certificate.2``): a verdict, and what ``privref.kernel`` evaluates once to check it.

This module only looks for what the kernel accepts, and may be wrong. A verdict for which it finds nothing has no such
certificate, and the reason is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import rfc8785

from privref.exact.errors import InputError
from privref.exact.given import require
from privref.ledger import documents
from privref.ledger.model import Ledger
from privref.ledger.writing import ledger_document

from . import witnesses
from .claims import TotalClaim
from .opinions import Audit, Opinion

#: A ledger whose canonical bytes are longer than this is named by its digest only.
EMBEDDED_LEDGER_LIMIT = 2_000_000
#: Verdicts that the kernel can check. The others say what was not proved, and of that there is nothing to check.
CERTIFIED = ("confirmed", "refuted", "underivable")


@dataclass(frozen=True, slots=True)
class Proof:
    """The certificate of an opinion; or, where there is none, why."""

    document: dict[str, Any] | None
    reason: str = ""


def certified(ledger: Ledger, opinion: Opinion) -> Proof:
    """Look for a proof of one verdict that the kernel accepts."""
    claim = opinion.claim
    if opinion.verdict not in CERTIFIED:
        return Proof(None, f"{opinion.verdict} says what was not proved: there is nothing to check")
    if not isinstance(claim, TotalClaim):
        return Proof(None, "certificates are for claims about the total: epsilon, rho or mu")
    document = _document(ledger)
    if isinstance(document, str):
        return Proof(None, document)
    deciding = (opinion.deciding, *opinion.bounds) if opinion.verdict == "confirmed" else ()
    preferred = tuple(dict.fromkeys(bound.application.by for bound in deciding if bound is not None))
    unit: tuple[Fraction, Fraction] | None = None
    if opinion.of_unit is not None:
        unit = opinion.of_unit.epsilon, opinion.of_unit.delta
    written = dict(claim.written)
    found = witnesses.proofs(document, written, opinion.verdict, preferred[:1], unit)
    if not found.proofs:
        return Proof(None, found.reason)
    from importlib.metadata import version  # slow to import, and few commands write certificates

    named: dict[str, Any] = {"sha256": documents.digest(document)}
    if len(rfc8785.dumps(document)) <= EMBEDDED_LEDGER_LIMIT:
        named["document"] = document
    commentary = {"title": ledger.title, "reason": opinion.reason, "versions": {"privref": version("privref")}}
    if ledger.document is None:
        commentary["sheet"] = {"sha256": ledger.digest, "digest_of": ledger.digest_of}
    return Proof(
        {
            "schema": "certificate.2",
            "claim": written,
            "verdict": opinion.verdict,
            "ledger": named,
            "proofs": list(found.proofs),
            "commentary": commentary,
        }
    )


def _document(ledger: Ledger) -> dict[str, Any] | str:
    """The document that the kernel reads: the ledger's own, or what a sheet says as one; else why there is none."""
    if ledger.document is not None:
        return dict(ledger.document)
    if ledger.neighbours is None or ledger.parameters is None or ledger.interaction is None:
        return "a sheet without --neighbours, --parameters and --interaction is no ledger that the kernel could read"
    try:
        return ledger_document(
            ledger,
            title=ledger.title,
            privacy_unit=ledger.privacy_unit or "unit",
            neighbours=ledger.neighbours,
            parameters=ledger.parameters,
            interaction=ledger.interaction,
        )
    except InputError as error:
        return str(error)


def proofs(audit: Audit) -> dict[str, Proof]:
    """The certificate with a proof of each claim of an audit, or why there is none, by claim id."""
    require(audit, Audit, "audit", "give the Audit that audit(ledger, claims) returned")
    return {opinion.claim.id: certified(audit.ledger, opinion) for opinion in audit.opinions}
