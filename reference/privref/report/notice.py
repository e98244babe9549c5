"""The sentences for privacy notices, as text and as a document."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.console import Group, RenderableType

from privref.audit import summary
from privref.audit.claims import claim_named
from privref.audit.notices import Notice, notice, notices
from privref.audit.opinions import Audit
from privref.statements.theorems import called

from .lines import line


def percent_up(value: Fraction) -> str:
    """A probability in percent with two decimals, rounded up."""
    hundredths = -((-value * 10_000) // 1)
    return f"{hundredths // 100}.{hundredths % 100:02} %"


#: From what attack success follows where no theorem's curve says less.
_ALONE = {"epsilon": "this epsilon and delta alone", "rho": "this rho alone", "mu": "this mu alone"}


def attack_lines(found: Notice) -> tuple[str, ...]:
    """The attack success, in words."""
    return tuple(
        f"a test of {found.question} that wrongly says yes with probability {summary.percent(rate)} "
        f"rightly says yes with probability at most {percent_up(success)}"
        + (f" (the curve of {called(by)})" if by else f" ({_ALONE[found.opinion.claim.symbol]})")
        for (rate, success), by in zip(found.attack, found.attack_by, strict=True)
    )


def notice_report(audit: Audit) -> RenderableType:
    """The sentences, for people to copy; what cannot be said, and why."""
    parts: list[RenderableType] = []
    said = {found.opinion.claim.id: found for found in notices(audit)}
    for opinion in audit.opinions:
        found = said.get(opinion.claim.id)
        if found is None:
            why = f"no sentence, since the verdict is {opinion.verdict}; `privref audit` says what to do"
            if opinion.verdict == "confirmed":
                why = "confirmed, but no sentence: privref writes them about an epsilon (delta below 1), a rho or a mu"
            parts.append(line(f"{claim_named(opinion.claim.id)}: {why}"))
            continue
        parts.append(line(claim_named(opinion.claim.id), "bold"))
        parts.append(line(found.sentence))
        parts.append(line(f"Theorem: {found.theorem}."))
        parts.append(line(f"Assuming: {'; '.join(found.assumptions)}."))
        if found.gaussian:
            parts.append(line(f"In terms of Gaussian DP: {found.gaussian}."))
        parts += [line(f"Attack success: {words}.") for words in attack_lines(found)]
        if found.certificate_sha256 is not None:
            parts.append(line(f"Certificate SHA-256 {found.certificate_sha256} (canonical JSON, RFC 8785)."))
        parts.append(line(""))
    return Group(*parts)


def notice_document(audit: Audit) -> dict[str, Any]:
    """``notice.1``."""
    return {
        "schema": "notice.1",
        "notices": [
            {
                "claim": found.opinion.claim.id,
                "sentence": found.sentence,
                "theorem": found.theorem,
                "assumptions": list(found.assumptions),
                "attack_success": [
                    {
                        "false_positive_rate": str(rate),
                        "true_positive_rate_at_most": summary.plain_decimal(tpr, 8, "up"),
                    }
                    | ({"by": by} if by else {})
                    for (rate, tpr), by in zip(found.attack, found.attack_by, strict=True)
                ],
            }
            | ({"gaussian": found.gaussian} if found.gaussian else {})
            | ({"certificate_sha256": found.certificate_sha256} if found.certificate_sha256 else {})
            for found in notices(audit)
        ],
        "without": [
            {"claim": opinion.claim.id, "verdict": opinion.verdict}
            for opinion in audit.opinions
            if notice(audit, opinion) is None
        ],
    }
