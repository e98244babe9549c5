"""The verdicts on one distinct ledger, by the code of ``privref audit``, as rows of a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

from privref.adaptive.protocol import BlockMachine
from privref.audit.claims import Claim, ReadingClaim, RemainingClaim, claims_from_document
from privref.audit.opinions import Opinion, Verdict
from privref.audit.run import audit
from privref.audit.summary import best
from privref.exact.errors import InputError, InputErrors
from privref.ledger.documents import digest
from privref.ledger.reading import ledger_from_document

from .filters import decided, machine_for

if TYPE_CHECKING:
    import pyarrow as pa

#: The verdicts, the worst first.
SEVERITY: tuple[str, ...] = (
    "refuted", "contradicted-by-evidence", "underivable", "unsupported", "out-of-scope", "inapplicable",
    "conditional", "depends-on-digits", "undecided", "confirmed",
)  # fmt: skip
assert set(SEVERITY) == set(get_args(Verdict))
DIGITS = 20


def batch_claims(document: Any) -> tuple[Claim, ...]:
    """The claims that a batch can decide for every unit: its events have no order, and so no event is "after"."""
    claims = claims_from_document(document)
    errors = [
        InputError(f"claims.{claim.id}", str(claim), "a unit's events have no order here; claim epsilon, or rho")
        for claim in claims
        if isinstance(claim, ReadingClaim | RemainingClaim)
    ]
    if errors:
        raise InputErrors.of(errors)
    return claims


def verdict_schema() -> pa.Schema:
    """One row per distinct ledger and claim."""
    import pyarrow as pa

    text, number = pa.string(), pa.float64()
    return pa.schema(
        [
            ("ledger_sha256", text), ("claim_index", pa.int32()), ("claim", text), ("verdict", text),
            ("theorem", text), ("lower", text), ("upper", text), ("lower_double", number), ("upper_double", number),
            ("witness", text), ("reason", text), ("severity", pa.int32()), ("filter_says", text),
            ("filter_rounds", pa.int64()), ("halted_at", pa.int64()), ("result_sha256", text),
        ]
    )  # fmt: skip


def _row(index: int, opinion: Opinion) -> dict[str, Any]:
    found = best(opinion)
    row: dict[str, Any] = {
        "claim_index": index,
        "claim": opinion.claim.id,
        "verdict": opinion.verdict,
        "theorem": None,
        "lower": None,
        "upper": None,
        "lower_double": None,
        "upper_double": None,
        "witness": None if opinion.refutation is None else opinion.refutation.witness.statement,
        "reason": opinion.reason,
        "severity": SEVERITY.index(opinion.verdict),
    }
    if found is not None and found.enclosure is not None:
        lower, upper = found.enclosure.decimals(DIGITS)
        row |= {"theorem": found.application.by, "lower": lower, "upper": upper}
        row |= {"lower_double": found.enclosure.float_down, "upper_double": found.enclosure.float_up}
    return row


def result_document(ledger_sha256: str, claims: Sequence[Claim], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a unit's leaf commits to: its ledger's digest, and each claim with its verdict.

    The bounds of the tables are not committed: no certificate shows more than the verdict.
    """
    found: dict[str, Any] = {"ledger_sha256": ledger_sha256}
    found["claims"] = [
        {"claim": dict(claim.document or {}), "verdict": row["verdict"]}
        for claim, row in zip(claims, rows, strict=True)
    ]
    if rows and rows[0]["filter_says"] is not None:
        found["filter"] = {name: rows[0][name] for name in FILTER_COLUMNS}
    return found


#: What a filter of each unit by itself says: ``ran``, ``halted`` or ``not-covered``; the rounds let through; the first
#: round that is refused.
FILTER_COLUMNS = ("filter_says", "filter_rounds", "halted_at")


def verdict_rows(
    document: dict[str, Any], claims: Sequence[Claim], machine: BlockMachine[Any] | None = None
) -> list[dict[str, Any]]:
    """The rows of one ledger, in the order of the claims."""
    ledger = ledger_from_document(document)
    said: tuple[Any, ...] = (None,) * 3 if machine is None else tuple(decided(machine, ledger).values())
    more = dict(zip(FILTER_COLUMNS, said, strict=True))
    rows = [_row(i, opinion) | more for i, opinion in enumerate(audit(ledger, claims).opinions)]
    result = digest(result_document(ledger.digest, claims, rows))
    return [{"ledger_sha256": ledger.digest, **row, "result_sha256": result} for row in rows]


def audit_ledgers(batch: pa.RecordBatch, context: str) -> pa.RecordBatch:
    """The map over the distinct ledgers: ledger_sha256 and ledger to ``verdict_schema``; ``context`` is JSON."""
    import pyarrow as pa

    known = json.loads(context)
    claims = claims_from_document(known["claims"])
    machine = None if known["filter"] is None else machine_for(known["ledger"], known["filter"])
    ledgers = map(json.loads, batch.column("ledger").to_pylist())
    rows = [row for ledger in ledgers for row in verdict_rows(ledger, claims, machine)]
    return pa.RecordBatch.from_pylist(rows, schema=verdict_schema())
