"""What checking a certificate says, and the door to the code that checks each kind.

About an audit's certificate (``certificate.2``) and that of a relation between published numbers ``privref.kernel``
alone decides. The certificate of a broken accountant, which runs a program, has a checker of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from privref import kernel
from privref.exact.errors import InputError
from privref.exact.interval import alone
from privref.exact.work import metered
from privref.kernel.machines import ODOMETERS
from privref.kernel.refutations import DIVISION, EPOCH, MOMENT, TEST, TWO_POINTS
from privref.kernel.theorems import TABLES
from privref.ledger import documents

VerificationOutcome = Literal["verified", "unlinked", "failed"]

#: Why the kernel does not decide about this kind: said with each of its checks.
_NO_ATTACKS = "by the kernel: an attack is about an accountant's program and no ledger; privref.games checks it"


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

    def __bool__(self) -> bool:
        raise TypeError('a verification is not true or false: compare its outcome with "verified"')

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
    """Check a certificate; InputError where it is malformed, or of a kind that is not checked any more.

    ``texts`` are the scalars of a registry's entry by key, in which a ``relation-certificate.1``'s quotations are
    looked up. ``reviewed`` is the relation that a reviewed mapping of that entry has for its question, with which the
    certificate's is compared. Without either the certificate is ``unlinked``: its formulas may answer another question.
    """
    if isinstance(document, str | Path):
        raise InputError("certificate", str(document)[:80], "give its document: certificate_from_text(its text)")
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema == "relation-certificate.1":
        return _of_relation(document, ledger_path, texts, reviewed)
    if texts is not None or reviewed is not None:
        raise InputError("--entry", "(given)", "only the certificate of a relation quotes an entry")
    if schema == "attack-certificate.1":
        from privref.games import attack_check  # which the certificate of an audit does not need

        documents.validate(document, "attack-certificate.1", "certificate")
        # An attack is about an accountant, not about a ledger: there is no link that could be missing.
        with metered():
            entries = attack_check.check(document, run_function=run_function)
        return Verification(tuple(Check(*entry) for entry in entries), True, unchecked=(_NO_ATTACKS,))
    if schema == "certificate.1":
        raise InputError("certificate.schema", "certificate.1", "audit again: `privref verify` checks certificate.2")
    documents.validate(document, "certificate.2", "certificate")
    return _by_kernel(document, ledger_path)


def certificate_from_text(text: str) -> Any:
    """Return a certificate's document; what the kernel decides about, the kernel reads."""
    document = documents.parse(text, "certificate")
    if not isinstance(document, dict) or document.get("schema") != "certificate.2":
        return document
    try:
        return kernel.document(text, "certificate")
    except kernel.Malformed as error:
        raise InputError(error.field, error.value, error.remedy) from None


def _of_relation(
    document: Any, ledger_path: str | Path | None, texts: Mapping[str, str] | None, reviewed: Mapping[str, Any] | None
) -> Verification:
    """Check the certificate of a relation between published numbers, against its entry where that is given."""
    if ledger_path is not None:
        raise InputError("--ledger", str(ledger_path), "a relation has no ledger; give its entry with --entry")
    try:
        with alone():
            found = kernel.relate(document, texts, reviewed)
    except kernel.Malformed as error:
        raise InputError(error.field, error.value, error.remedy) from None
    except kernel.Refused as refusal:
        return Verification((Check("the kernel", False, str(refusal)),), True)
    checks = [Check("the quoted words write the numbers", True), Check("the relation", True, found.sha256)]
    missing = "the quotations were not looked up: give --entry FILE"
    if texts is not None:
        checks.append(Check("the entry says what is quoted", True))
        missing = "the formulas were compared with none: no mapping of this entry is reviewed"
    if reviewed is not None:
        checks.append(Check("the relation is the one that was reviewed", True))
    checks.append(Check("the kernel", True, found.says))
    inferred = document["commentary"].get("inferred", [])
    said = tuple(f"inferred: {words}" for words in inferred) if isinstance(inferred, list) else ()
    linked = texts is not None and reviewed is not None
    return Verification(tuple(checks), linked, missing, (*found.premises, *said))


def _by_kernel(document: Mapping[str, Any], ledger_path: str | Path | None) -> Verification:
    """Return what the kernel says of an audit's certificate: nothing else decides about it."""
    try:
        ledger = None
        if ledger_path is not None:
            ledger = _ledger(Path(ledger_path))
        elif "document" not in document["ledger"]:
            return Verification((Check("the certificate's form", True),), False)
        with alone():
            found = kernel.check(document, ledger)
    except kernel.Malformed as error:
        raise InputError(error.field, error.value, error.remedy) from None
    except kernel.Refused as refusal:
        return Verification((Check("the kernel", False, str(refusal)),), True)
    said = f"{document['claim']['id']} is {found.verdict} by {', '.join(map(_called, found.by))}"
    checks = Check("the ledger", True, found.sha256), Check("the kernel", True, said)
    return Verification(checks, True, unchecked=_of_sheet(document), premises=found.premises)


#: What shows the contrary of a claim: no theorem about the ledger, but what may be lost.
_WORST_CASES = (TEST, MOMENT, TWO_POINTS, DIVISION, EPOCH)


def _called(by: str) -> str:
    """Return a theorem in the kernel's own words, with its id behind them; a construction that has none by its id."""
    rows: tuple[Mapping[str, Any], ...] = (*TABLES.values(), ODOMETERS)
    row = next((table[by] for table in rows if by in table), None)
    if row is not None:
        return f"“{row.says}” ({row.cites}; {by})"
    return f"a worst case of the ledger's events ({by})" if by in _WORST_CASES else by


def _ledger(path: Path) -> dict[str, Any]:
    """Read the ledger's document; of a sheet there is none, since a reader is not what the kernel trusts."""
    if path.suffix.lower() in (".csv", ".tsv", ".xlsx", ".parquet"):
        raise InputError(
            "--ledger",
            str(path),
            "a certificate is about a ledger's JSON document; of a sheet it holds the document that it was read as: "
            "leave --ledger out",
        )
    return kernel.document(documents.read_text(path, "ledger"), "ledger")


def _of_sheet(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Say of a ledger that was read from a sheet that the kernel never saw the sheet."""
    sheet = document.get("commentary", {}).get("sheet")
    digest = sheet.get("sha256") if isinstance(sheet, dict) else None
    if digest is None:
        return ()
    return (f"that the sheet with the SHA-256 {digest} says what the ledger in this certificate says",)
