"""The verdicts on one distinct ledger, by the code of ``privref audit``, as rows of a table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, get_args

import rfc8785

from privref.adaptive.protocol import BlockMachine
from privref.audit.claims import Claim, ReadingClaim, RemainingClaim, claims_from_document
from privref.audit.opinions import Opinion, Verdict
from privref.audit.run import audit
from privref.audit.summary import best, premise_words
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, InputErrors
from privref.ledger.model import Ledger
from privref.ledger.reading import ledger_from_document, ledger_with

from .filters import decided as filtered
from .filters import machine_for
from .spelling import with_no_loss
from .sums import Rule, UnitSums

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
            ("witness", text), ("reason", text), ("premises", text), ("severity", pa.int32()),
            ("filter_says", text), ("filter_rounds", pa.int64()), ("halted_at", pa.int64()), ("result_sha256", text),
        ]
    )  # fmt: skip


def _row(
    claim: Claim,
    verdict: str,
    theorem: str | None,
    bound: Enclosure | None,
    witness: str | None,
    reason: str,
    premises: str,
) -> dict[str, Any]:
    lower, upper = (None, None) if bound is None else bound.decimals(DIGITS)
    return {
        "claim": claim.id,
        "verdict": verdict,
        "theorem": theorem,
        "lower": lower,
        "upper": upper,
        "lower_double": None if bound is None else bound.float_down,
        "upper_double": None if bound is None else bound.float_up,
        "witness": witness,
        "reason": reason,
        "premises": premises,
        "severity": SEVERITY.index(verdict),
    }


def _row_of(opinion: Opinion) -> dict[str, Any]:
    found = best(opinion)
    theorem = None if found is None or found.enclosure is None else found.application.by
    bound = None if found is None else found.enclosure
    witness = None if opinion.refutation is None else opinion.refutation.witness.statement
    return _row(opinion.claim, opinion.verdict, theorem, bound, witness, opinion.reason, premise_words(opinion))


def result_document(ledger_sha256: str, claims: Sequence[Claim], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a unit's leaf commits to: its ledger's digest, and each claim with its verdict.

    The bounds of the tables are not committed: no certificate shows more than the verdict.
    """
    found: dict[str, Any] = {"ledger_sha256": ledger_sha256}
    found["claims"] = [
        {"claim": dict(claim.document or {}), "verdict": row["verdict"]}
        for claim, row in zip(claims, rows, strict=True)
    ]
    if (filter := _filter_of(rows)) is not None:
        found["filter"] = filter
    return found


def _filter_of(rows: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """What a filter says of a unit; None where none was asked."""
    said = rows and rows[0]["filter_says"] is not None
    return {name: rows[0][name] for name in FILTER_COLUMNS} if said else None


#: What a filter of each unit by itself says: ``ran``, ``halted`` or ``not-covered``; the rounds let through; the first
#: round that is refused.
FILTER_COLUMNS = ("filter_says", "filter_rounds", "halted_at")


@dataclass(frozen=True, eq=False)
class Auditor:
    """What decides every ledger of a batch: the claims, what all units share, and the filter of each."""

    claims: tuple[Claim, ...]
    shared: Ledger
    machine: BlockMachine[Any] | None
    best: bool

    @staticmethod
    @lru_cache(maxsize=1)
    def of(context: str) -> Auditor:
        """The auditor of a batch, which every worker makes once."""
        known = json.loads(context)
        machine = None if known["filter"] is None else machine_for(known["ledger"], known["filter"])
        claims = claims_from_document(known["claims"])
        return Auditor(claims, ledger_from_document(with_no_loss(known["ledger"])), machine, known["best"])

    @cached_property
    def rules(self) -> tuple[Rule | None, ...]:
        """For each claim what its sums decide, where nothing else is asked for."""
        if self.best or self.machine is not None:
            return (None,) * len(self.claims)
        return tuple(Rule.of(self.shared, claim) for claim in self.claims)

    def rows(self, text: str, ledger_sha256: str) -> list[dict[str, Any]]:
        """The rows of one ledger, in the order of the claims."""
        document = json.loads(text)
        sums = UnitSums.of(document["events"]) if any(self.rules) else None
        decided = [None if rule is None or sums is None else rule.decided(sums) for rule in self.rules]
        if None in decided:
            ledger = ledger_with(self.shared, document, ledger_sha256)
            left = [claim for claim, found in zip(self.claims, decided, strict=True) if found is None]
            opinions = iter(audit(ledger, left, best=self.best).opinions)
        rows = [
            _row_of(next(opinions))
            if found is None
            else _row(claim, found.verdict, found.theorem, found.bound, found.witness, found.reason, found.premises)
            for claim, found in zip(self.claims, decided, strict=True)
        ]
        said: tuple[Any, ...] = (None,) * 3
        if self.machine is not None:
            said = tuple(filtered(self.machine, ledger).values())
        more = {"ledger_sha256": ledger_sha256, **dict(zip(FILTER_COLUMNS, said, strict=True))}
        rows = [{"claim_index": i, **row, **more} for i, row in enumerate(rows)]
        result = hashlib.sha256(self._result(ledger_sha256, rows).encode()).hexdigest()
        return [{**row, "result_sha256": result} for row in rows]

    @cached_property
    def _claims(self) -> tuple[str, ...]:
        return tuple(rfc8785.dumps(dict(claim.document or {})).decode() for claim in self.claims)

    def _result(self, ledger_sha256: str, rows: Sequence[dict[str, Any]]) -> str:
        """The canonical JSON of ``result_document``, put together of parts that are canonical already."""
        verdicts = (
            f'{{"claim":{claim},"verdict":"{row["verdict"]}"}}' for claim, row in zip(self._claims, rows, strict=True)
        )
        filter = _filter_of(rows)
        said = "" if filter is None else f'"filter":{rfc8785.dumps(filter).decode()},'
        return f'{{"claims":[{",".join(verdicts)}],{said}"ledger_sha256":"{ledger_sha256}"}}'


def audit_ledgers(batch: pa.RecordBatch, context: str) -> pa.RecordBatch:
    """The map over the distinct ledgers: ledger_sha256 and ledger to ``verdict_schema``; ``context`` is JSON."""
    import pyarrow as pa

    auditor = Auditor.of(context)
    ledgers = zip(batch.column("ledger").to_pylist(), batch.column("ledger_sha256").to_pylist(), strict=True)
    rows = [row for text, ledger_sha256 in ledgers for row in auditor.rows(text, ledger_sha256)]
    return pa.RecordBatch.from_pylist(rows, schema=verdict_schema())
