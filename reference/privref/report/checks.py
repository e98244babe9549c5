"""What checking a certificate or this installation says, as text and as JSON documents; no audit is needed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from .lines import line

if TYPE_CHECKING:
    from privref.diagnosis import Diagnosis
    from privref.verification import Verification


def verification_report(verification: Verification) -> RenderableType:
    """What checking a certificate says, as text."""
    lines: list[RenderableType] = [
        line(f"{'ok    ' if check.passed else 'FAILED'} {check.what}" + (f": {check.detail}" if check.detail else ""))
        for check in verification.checks
    ]
    lines += [line(f"not checked: {said}") for said in verification.unchecked]
    lines += [line(f"premise: {said}") for said in verification.premises]
    if not verification.ledger_checked:
        lines.append(Text(verification.missing))
    return Group(*lines, Text(verification.outcome, style="bold"))


def diagnosis_report(diagnosis: Diagnosis) -> RenderableType:
    """Versions and self-tests as text."""
    lines = [line(f"{name} {version}") for name, version in diagnosis.versions.items()]
    lines += [Text(f"{'ok    ' if passed else 'FAILED'} {name}") for name, passed in diagnosis.tests]
    return Group(*lines, Text("sound" if diagnosis.sound else "NOT SOUND", style="bold"))


def verification_document(verification: Verification) -> dict[str, Any]:
    """What checking a certificate says."""
    return {
        "schema": "verification.1",
        "outcome": verification.outcome,
        "ledger_checked": verification.ledger_checked,
        "checks": [{"what": c.what, "passed": c.passed, "detail": c.detail} for c in verification.checks],
        **({"unchecked": list(verification.unchecked)} if verification.unchecked else {}),
        **({"premises": list(verification.premises)} if verification.premises else {}),
    }


def diagnosis_document(diagnosis: Diagnosis) -> dict[str, Any]:
    """Versions and self-tests."""
    return {
        "schema": "diagnosis.1",
        "sound": diagnosis.sound,
        "versions": diagnosis.versions,
        "tests": [{"test": name, "passed": passed} for name, passed in diagnosis.tests],
    }
