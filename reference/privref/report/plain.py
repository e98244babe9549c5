"""What a report says before the theorems' words: plain sentences, one for a lawyer, and how it was made."""

from __future__ import annotations

import os
import time
from collections import Counter
from importlib.metadata import version

from privref.audit import summary
from privref.audit.opinions import MEANINGS, Audit, Verdict
from privref.exact.errors import InputError, one_line

#: What to do about a claim of each verdict; the one that asks for most comes first.
_NEXT: dict[Verdict, str] = {
    "refuted": "Do not publish a refuted claim: check that the ledger names what ran, and claim what it proves.",
    "contradicted-by-evidence": "Do not publish a contradicted claim: find out why what ran loses more.",
    "underivable": "Do not publish an underivable claim: declare the mechanisms that ran, and audit again.",
    "unsupported": "Do not publish an unsupported claim: publish the best bound, or declare more and audit again.",
    "out-of-scope": "Describe what is out of scope by a guarantee that privref knows, and audit again.",
    "inapplicable": "Declare what is missing, but only if it is true, or let privref choose the theorem; audit again.",
    "conditional": "Answer the question that stands under the conditional claim, and audit again.",
    "depends-on-digits": "Publish more digits of the inputs, or claim the larger bound.",
    "undecided": "Claim a little more than the best bound, and audit again.",
    "confirmed": "You may publish {}, if somebody vouches for the ledger, which nobody checked.",
}
LAWYER = (
    "For a lawyer: this report says what follows by mathematics from the ledger with this digest; it does not say "
    "that the ledger is true or complete, and it is neither legal advice nor a finding that a law is complied with."
)


def sentences(audit: Audit) -> tuple[str, str, str]:
    """Return what was checked, what came out, and what to do, for somebody who decides and has not read a theorem."""
    claims = len(audit.opinions)
    checked = (
        f"privref checked {claims} claim{_s(claims)} about {summary.releases(audit.ledger)} "
        f"that the ledger “{one_line(audit.ledger.title)}” lists."
    )
    counts = Counter(opinion.verdict for opinion in audit.opinions)
    found = [f"{count} {_is(count)} {verdict} ({MEANINGS[verdict]})" for verdict, count in counts.items()]
    came = f"Of these claims {', '.join(found)}."
    if len(counts) == 1:
        (verdict,) = counts
        meaning = MEANINGS[verdict]
        came = f"The claim is {verdict}: {meaning}."
        if claims > 1:
            came = f"All {claims} claims are {verdict}. Of each this means: {meaning}."
    do = next(text for verdict, text in _NEXT.items() if verdict in counts)
    if "confirmed" in counts and len(counts) > 1:
        do += f" {_NEXT['confirmed']}"
    confirmed = "the claim" if claims == 1 else "the confirmed claim" + _s(counts["confirmed"])
    return checked, came, do.format(confirmed)


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def made_words(asked_by: str = "") -> str:
    """Return when and with what a report was made, and who asked for it.

    The day is that of SOURCE_DATE_EPOCH where it is set, so that a build can be repeated; in UTC.
    """
    engines = ", ".join(f"{name} {version(name)}" for name in ("python-flint", "mpmath"))
    asked = f"; asked for by {one_line(asked_by)}" if asked_by else ""
    return f"Made on {_day()} by privref {version('privref')} ({engines}){asked}"


def _day() -> str:
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(int(text) if text else None))
    except (ValueError, OverflowError, OSError):
        raise InputError("SOURCE_DATE_EPOCH", text, "give whole seconds since 1970-01-01, or unset it") from None
