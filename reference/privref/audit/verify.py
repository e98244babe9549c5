"""The check of a certificate, by code that decides for itself and computes with what the audit computes with.

Its own are: which events ran, each statement's inputs, the table of theorems with their hypotheses, and the
inequality of the verdict. It evaluates the statement anew, with both engines at a higher precision. It shares with the
audit the formulas of the statements, the laws of declared mechanisms and the searches on them, the arithmetic, and the
reading of files, numbers and mechanisms. A fault in what is shared can make an audit and its check wrong alike.
``docs/trust.md`` says how much that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from privref import kernel
from privref.audit import relation_check
from privref.audit.checker.basis import DIGITS, ENGINES, Mismatch, in_domain, total
from privref.audit.checker.guarantees import parameters_of
from privref.audit.checker.inputs import check_inputs
from privref.audit.checker.parts import check_combinations, check_of_unit, claim_of_unit, plain_record
from privref.audit.checker.record import RawRecord, read_record
from privref.audit.checker.rounding import at_end, reading_of, with_values
from privref.audit.checker.theorems import check_theorem, theorems_for
from privref.audit.checker.values import check_lower, check_margin, check_upper
from privref.audit.checker.witnesses import check_actual, check_epochs, check_witness, epochs
from privref.exact.errors import InputError, PrivrefError
from privref.exact.numbers import rational
from privref.exact.work import metered
from privref.games import attack_check
from privref.ledger import documents
from privref.statements.hypotheses import Hypothesis

_H = Hypothesis

VerificationOutcome = Literal["verified", "unlinked", "failed"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and what came out."""

    what: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome for a certificate.

    ``ledger_checked`` is False where no ledger was at hand: then nothing says that the numbers are about one, and the
    outcome is ``unlinked`` at best.
    """

    checks: tuple[Check, ...]
    ledger_checked: bool
    #: What to give where that link is missing.
    missing: str = "the link to the ledger was not checked: give --ledger FILE"
    #: What the certificate says that nothing was compared with.
    unchecked: tuple[str, ...] = ()
    #: What the verdict rests on and no ledger can show, as the kernel names it.
    premises: tuple[str, ...] = ()

    @property
    def outcome(self) -> VerificationOutcome:
        if not self.checks or not all(check.passed for check in self.checks):
            return "failed"
        return "verified" if self.ledger_checked else "unlinked"

    @property
    def exit_code(self) -> int:
        """0 verified · 1 failed · 4 unlinked."""
        return {"verified": 0, "failed": 1, "unlinked": 4}[self.outcome]


def verify(
    document: Any,
    ledger_path: str | Path | None = None,
    *,
    run_function: bool = False,
    texts: Mapping[str, str] | None = None,
    reviewed: Mapping[str, Any] | None = None,
) -> Verification:
    """Re-check a certificate with one budget of work; what needs more of it fails. See ``_verify``.

    ``texts`` are the scalars of a registry's entry by key, in which a ``relation-certificate.1``'s quotations are
    looked up. ``reviewed`` is the relation that a reviewed mapping of that entry has for its question, with which the
    certificate's is compared. Without either the certificate is ``unlinked``: its formulas may answer another question.
    """
    if isinstance(document, dict) and document.get("schema") == "relation-certificate.1":
        if ledger_path is not None:
            raise InputError("--ledger", str(ledger_path), "a relation has no ledger; give its entry with --entry")
        with metered():
            checks = tuple(Check(*entry) for entry in relation_check.check(document, texts, reviewed))
        missing = "the quotations were not looked up: give --entry FILE"
        if texts is not None:
            missing = "the formulas were compared with none: no mapping of this entry is reviewed"
        said = relation_check.unchecked(document, reviewed is not None)
        return Verification(checks, texts is not None and reviewed is not None, missing, said)
    if texts is not None or reviewed is not None:
        raise InputError("--entry", "(given)", "only the certificate of a relation quotes an entry")
    if isinstance(document, dict) and document.get("schema") == "certificate.2":
        return _by_kernel(document, ledger_path)
    with metered():
        return _verify(document, ledger_path, run_function=run_function)


def _by_kernel(document: Mapping[str, Any], ledger_path: str | Path | None) -> Verification:
    """What the kernel says of a ``certificate.2``: nothing else decides about it."""
    documents.validate(document, "certificate.2", "certificate")
    try:
        ledger = None
        if ledger_path is not None:
            ledger = kernel.document(documents.read_text(Path(ledger_path), "ledger"), "ledger")
        elif "document" not in document["ledger"]:
            return Verification((Check("the certificate's form", True),), False)
        found = kernel.check(document, ledger)
    except kernel.Malformed as error:
        raise InputError(error.field, error.value, error.remedy) from None
    except kernel.Refused as refusal:
        return Verification((Check("the kernel", False, str(refusal)),), True)
    said = f"{document['claim']['id']} is {found.verdict} by {', '.join(found.by)}"
    checks = Check("the ledger", True, found.sha256), Check("the kernel", True, said)
    return Verification(checks, True, premises=found.premises)


def _verify(document: Any, ledger_path: str | Path | None, *, run_function: bool) -> Verification:
    """Re-check a parsed ``certificate.1`` or ``attack-certificate.1``; InputError where it is malformed."""
    if isinstance(document, dict) and document.get("schema") == "attack-certificate.1":
        documents.validate(document, "attack-certificate.1", "certificate")
        # An attack is about an accountant, not about a ledger: there is no link that could be missing.
        entries = attack_check.check(document, run_function=run_function)
        return Verification(tuple(Check(*entry) for entry in entries), True)
    documents.validate(document, "certificate.1", "certificate")
    claim, verdict = document["claim"], document["verdict"]
    documents.validate({"schema": "claims.1", "claims": [claim]}, "claims.1", "certificate.claim")
    if "remaining" in claim or "after_event" in claim:
        raise InputError("certificate.claim", claim["id"], "certificates are for epsilon and rho claims")
    for name in ("epsilon", "delta", "rho", "mu"):
        if name in claim:
            in_domain(rational(claim[name], f"certificate.claim.{name}"), name, "certificate.claim")
    checks: list[Check] = []

    def attempt(what: str, action: Any) -> None:
        try:
            checks.append(Check(what, True, action() or ""))
        except InputError:
            raise
        except PrivrefError as error:
            checks.append(Check(what, False, str(error)))

    attempt("engines and digits", lambda: _check_settings(document))
    if verdict == "depends-on-digits":
        linked = _check_readings(document, ledger_path, attempt)
    else:
        for name in ("ends",) if "ends" in document else ():
            raise InputError(f"certificate.{name}", "(given)", "only a verdict that depends on digits has two readings")
        worst = "most" if verdict == "confirmed" else "least"
        record = read_record(document["ledger"], ledger_path, attempt, lambda found: at_end(found, worst))
        _check_verdict(document, claim, verdict, record, attempt)
        linked = record is not None
    return Verification(tuple(checks), linked)


def _check_verdict(
    part: Mapping[str, Any], claim: Mapping[str, Any], verdict: str, record: RawRecord | None, attempt: Any
) -> None:
    """What one verdict rests on: its bounds or its lower bound, and the margin."""
    decisive: Mapping[str, Any]
    if verdict in ("refuted", "underivable"):
        if "lower_bound" not in part or "bounds" in part:
            raise InputError(
                "certificate.lower_bound",
                "(missing)",
                "a refuted or underivable claim has its lower bound, and no other",
            )
        decisive = part["lower_bound"]
        attempt(f"{decisive['statement']}: value and inequality", lambda: check_lower(decisive, claim))
        if record is not None:
            check = check_actual if verdict == "refuted" else check_witness
            attempt(
                "the witness respects the ledger",
                lambda: check(decisive, plain_record(record, claim, decisive.get("case", {}), lower=True)),
            )
    else:
        bounds = part.get("bounds", [])
        if "lower_bound" in part:
            remedy = "only a refuted or underivable claim has a lower bound"
            raise InputError("certificate.lower_bound", "(given)", remedy)
        if not bounds:
            raise InputError("certificate.bounds", "(empty)", "give the bounds that the verdict rests on")
        if verdict == "confirmed" and len(bounds) != 1 and not all("case" in bound for bound in bounds):
            raise InputError("certificate.bounds", f"{len(bounds)} bounds", "a confirmed claim has exactly one")
        if record is not None:
            attempt("every combination of parts", lambda: check_combinations(bounds, claim, record, verdict))
        if record is not None and verdict == "confirmed" and epochs(record):
            attempt("no declared epoch loses more", lambda: check_epochs(claim_of_unit(bounds[0], claim), record))
        decisive = bounds[0]
        for bound in bounds:

            def about(bound: Mapping[str, Any] = bound) -> Mapping[str, Any]:
                return claim_of_unit(bound, claim)

            attempt(
                f"{bound['by']}: theorem and claim",
                lambda bound=bound, about=about: check_theorem(bound, about(), verdict),
            )
            attempt(
                f"{bound['statement']}: value and inequality",
                lambda bound=bound, about=about: check_upper(bound, about(), verdict),
            )
            if record is not None and "of_unit" in bound:
                attempt(
                    f"{bound['by']}: from a unit to its group",
                    lambda bound=bound: check_of_unit(bound, claim, record, verdict),
                )
            if record is not None:
                attempt(
                    f"{bound['by']}: inputs and hypotheses from the ledger",
                    lambda bound=bound, about=about: check_inputs(
                        bound, about(), plain_record(record, about(), bound.get("case", {})), verdict
                    ),
                )
    attempt("margin", lambda: check_margin(part["margin"], decisive, claim_of_unit(decisive, claim), verdict))


def _check_readings(document: Mapping[str, Any], ledger_path: str | Path | None, attempt: Any) -> bool:
    """Two readings within the published digits, the second of which loses more, have different verdicts."""
    ends = document["ends"]
    for name in ("bounds", "lower_bound", "margin"):
        if name in document:
            raise InputError(f"certificate.{name}", "(given)", "a verdict that depends on digits has them in its ends")
    attempt("the verdicts differ", lambda: _check_different(ends))
    records = []
    for end, other in ((ends[0], None), (ends[1], ends[0])):

        def named(what: str, action: Any, end: Mapping[str, Any] = end) -> None:
            attempt(f"{end['verdict']}: {what}", action)

        def read(found: Any, end: Mapping[str, Any] = end, other: Mapping[str, Any] | None = other) -> Any:
            return with_values(found, reading_of(found, end, other))

        record = read_record(document["ledger"], ledger_path, named, read)
        records.append(record)
        _check_verdict(end, document["claim"], end["verdict"], record, named)
    attempt("what proves one reading fails for the other", lambda: _check_shared(ends, records, document["claim"]))
    return None not in records


def _check_different(ends: list[Mapping[str, Any]]) -> str:
    if ends[0]["verdict"] == ends[1]["verdict"]:
        raise Mismatch("both readings have the same verdict")
    if ends[0]["verdict"] == "refuted" or (ends[0]["verdict"], ends[1]["verdict"]) == ("underivable", "unsupported"):
        raise Mismatch(f"what is {ends[0]['verdict']} where less is lost is so where more is: nothing hangs on digits")
    first, second = (
        {place: rational(value, f"certificate.ends.inputs.{place}") for place, value in end["inputs"].items()}
        for end in ends
    )
    if first == second:
        raise Mismatch("both readings are the same")
    return ""


def _check_shared(ends: list[Mapping[str, Any]], records: list[RawRecord | None], claim: Mapping[str, Any]) -> str:
    """A reading is not unsupported for want of the theorem that confirms the other one: it was computed there too."""
    for i in (0, 1):
        proved, other, record = ends[i], ends[1 - i], records[1 - i]
        if (proved["verdict"], other["verdict"]) != ("confirmed", "unsupported"):
            continue
        tried = {_case_of(bound): set[str]() for bound in other["bounds"]}
        for bound in other["bounds"]:
            tried[_case_of(bound)].add(bound["by"])
        shared = [bound for bound in proved["bounds"] if _case_of(bound) in tried]
        if not shared:
            raise Mismatch("the two readings are about different parts")
        for bound in shared:
            by, case = bound["by"], bound.get("case", {})
            if by in tried[_case_of(bound)]:
                continue
            about = claim_of_unit(bound, claim)
            if record is not None and not _out_of_hypotheses(by, plain_record(record, about, case), about):
                raise Mismatch(f"{by} confirms one reading and is not among the bounds of the unsupported one")
    return ""


def _case_of(bound: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(bound.get("case", {}).items()))


def _out_of_hypotheses(by: str, record: RawRecord, claim: Mapping[str, Any]) -> bool:
    """Whether a theorem need not apply to these values: unequal parameters, or deltas that leave it nothing."""
    hypotheses = theorems_for(claim).get(by, ("", ()))[1]
    if not {_H.APPROX_DP_ROUNDS, _H.OUTPUT_DP_ROUNDS, _H.ZCDP_ROUNDS} & set(hypotheses):
        return False
    notion = "zcdp" if _H.ZCDP_ROUNDS in hypotheses else "dp"
    pairs = [(parameters_of(event, notion), count) for event, count in record.events]
    spent = total([(delta, count) for (_, delta), count in pairs])
    if _H.EQUAL_PARAMETERS in hypotheses and len({pair for pair, _ in pairs}) > 1:
        return True
    return spent > 0 and (
        _H.PURE_ROUNDS in hypotheses or spent >= rational(claim.get("delta", "0"), "certificate.claim.delta")
    )


def _check_settings(document: Mapping[str, Any]) -> str:
    if tuple(document["engines"]) != ENGINES or document["digits"] != DIGITS:
        raise Mismatch(f"certificates rest on the engines {' and '.join(ENGINES)}, at {DIGITS} digits")
    return ""
