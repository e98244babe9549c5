"""An audit as one HTML file: no network, no script that it does not carry, readable without colour and on paper."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from privref.audit import summary
from privref.audit.both_ends import words as rounded_words
from privref.audit.certificate import certificates
from privref.audit.claims import claim_named
from privref.audit.notices import notices
from privref.audit.opinions import MEANINGS, Audit, Opinion
from privref.exact.errors import InputError, one_line
from privref.exact.extras import install
from privref.statements.theorems import called

from .notice import attack_lines
from .picture import pictures
from .plain import LAWYER, made_words, sentences
from .releases import releases
from .text import plain_ends

if TYPE_CHECKING:
    from jinja2 import Environment

_MOST_CURVES_PRINTED = 6
_MOST_NAMED = 20
#: Letters of all certificates that the page holds; a longer one is a file of its own.
_MOST_HELD = 100_000
MARKS = {
    "confirmed": "✓",
    "refuted": "✗",
    "unsupported": "–",
    "contradicted-by-evidence": "✗",
    "underivable": "–",
    "conditional": "?",
    "undecided": "?",
    "depends-on-digits": "?",
}


def _unchecked(audit: Audit) -> Iterator[tuple[str, str]]:
    """What the ledger declares and no computation can show."""
    ledger = audit.ledger
    yield "guarantees", "that each release has the guarantee, the parameters and the count that the ledger gives it"
    named = sorted({event.mechanism for event in ledger.events if event.mechanism})
    if named:
        more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
        yield "mechanisms", f"that these ran: {', '.join(map(one_line, named[:_MOST_NAMED]))}{more}"
    yield "completeness", "that the ledger lists everything that was released about these data"
    for name, value in (
        ("privacy unit", ledger.privacy_unit),
        ("neighbours", ledger.neighbours),
        ("parameters", ledger.parameters),
        ("interaction", ledger.interaction),
        ("size of the data set", None if ledger.dataset_size is None else str(ledger.dataset_size)),
        ("rounded inputs", rounded_words(ledger) or None),
        ("words", summary.unread_words(ledger) or None),
        ("question", summary.swapped(ledger) or None),
        ("budget", None if ledger.budget is None else json.dumps(ledger.budget.document)),
        ("evidence", "; ".join(map(str, ledger.evidence)) or None),
        ("source", ledger.source or None),
    ):
        if value:
            yield name, one_line(value)
    for how in dict.fromkeys(finding.how for opinion in audit.opinions for finding in opinion.premises):
        yield "premise", how.removeprefix("premise: ")


def _advice(opinion: Opinion) -> tuple[str, str] | None:
    """Return what stands below a claim: of a lower bound, which is shown itself, what it rests on."""
    if opinion.refutation is not None:
        return ("premise", summary.premise_words(opinion)) if opinion.premises else None
    kind, text = summary.advice(opinion)
    return (kind, text) if kind else None


def _claim(opinion: Opinion, picture: dict[str, Any] | None) -> dict[str, Any]:
    known = summary.bound_words(opinion)
    symbol = opinion.claim.symbol
    refuted = opinion.refutation
    lost = "" if refuted is None else summary.lost_symbol(refuted)
    return {
        "id": opinion.claim.id,
        "says": str(opinion.claim).removesuffix(opinion.claim.scope),
        "scope": opinion.claim.scope,
        "theorem": called(opinion.claim.by) if opinion.claim.by else "",
        "verdict": opinion.verdict,
        "meaning": MEANINGS[opinion.verdict],
        "mark": MARKS.get(opinion.verdict, "·"),
        "best": f"{symbol} {known}" if known else None,
        "margin": summary.margin_words(opinion),
        "advice": _advice(opinion),
        "reason": opinion.reason,
        "refutation": None
        if refuted is None
        else {
            "lost_by": summary.lost_by(refuted).capitalize(),
            "bound": f"{lost} ≥ {plain_ends(refuted.enclosure, 10)[0]}",
            "words": f"{refuted.witness.words}; by {summary.lower_bound_by(refuted)}",
        },
        "bounds": [
            {
                "by": called(bound.application.by, authors=False),
                "lower": "—" if bound.enclosure is None else plain_ends(bound.enclosure, 10)[0],
                "upper": "—" if bound.enclosure is None else plain_ends(bound.enclosure, 10)[1],
                "note": bound.note,
                "hypotheses": [(finding.hypothesis.value, finding.how) for finding in bound.application.findings],
            }
            for bound in opinion.bounds
        ],
        "inapplicable": [
            (called(a.by, authors=False), a.unmet[0].hypothesis.value, a.unmet[0].how) for a in opinion.inapplicable
        ],
        "curve": picture,
    }


def _contributors(audit: Audit) -> dict[str, Any] | None:
    parts = summary.of_first(audit, most=12)
    if parts is None:
        return None
    rows = [(part.event, one_line(part.label) or f"event {part.event}", part.share) for part in parts.named]
    shown = [*rows, *([(None, parts.equal_words, parts.largest[-1].share)] if parts.equal else [])]
    return {
        "measure": parts.measure,
        "by": called(parts.by),
        "decides": parts.decides,
        "equal": parts.equal,
        "parts": [
            {"event": event, "label": label, "percent": summary.percent(share), "width": round(float(share) * 100, 2)}
            for event, label, share in shown
        ],
    }


def environment(option: str, what: str = "a report as HTML or SVG") -> Environment:
    """Return Jinja's environment of the templates; InputError, naming the option, where it is not installed."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise InputError(option, what, f"this needs Jinja2: {install('html')}") from None
    loader = PackageLoader("privref.report", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def downloads(made: Mapping[str, Any]) -> dict[str, str]:
    """The certificates that the page holds, as base64: as many of the first as are not too long together."""
    found, length = {}, 0
    for id, document in made.items():
        text = base64.b64encode(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()).decode()
        length += len(text)
        if length > _MOST_HELD:
            break
        found[id] = text
    return found


def _statements(audit: Audit) -> tuple[list[dict[str, Any]], list[str]]:
    """The sentence of each claim that has one, and what all of them assume, which is said once."""
    found = list(notices(audit))
    common = [text for text in found[0].assumptions if all(text in each.assumptions for each in found)] if found else []
    said = [
        {
            "name": claim_named(each.opinion.claim.id),
            "sentence": each.sentence,
            "theorem": each.theorem,
            "assumptions": [text for text in each.assumptions if text not in common],
            "gaussian": each.gaussian,
            "attack": attack_lines(each),
            "sha256": each.certificate_sha256,
        }
        for each in found
    ]
    return said, common


def html_report(audit: Audit, *, asked_by: str = "") -> str:
    """Return the whole report as one HTML page, for whom it was made; InputError where Jinja2 is not installed."""
    template = environment("--html").get_template("audit.html")
    ledger, made = audit.ledger, certificates(audit)
    contributors, held = _contributors(audit), downloads(made)
    largest = None if contributors is None else [part["event"] - 1 for part in contributors["parts"] if part["event"]]
    table = releases(ledger, largest)
    said, assumed = _statements(audit)
    return template.render(
        title=one_line(ledger.title),
        counts=summary.counts_words(audit),
        read=[
            f"{len(ledger.events)} event(s), {ledger.rounds} round(s)",
            *(f"{name} {summary.amount(value)}" for name, value in summary.totals(ledger)),
        ],
        digest=ledger.digest,
        digest_of=ledger.digest_of,
        made=made_words(asked_by),
        sentences=sentences(audit),
        lawyer=LAWYER,
        claims=[_claim(*pair) for pair in zip(audit.opinions, pictures(audit), strict=True)],
        contributors=contributors,
        columns=table.columns,
        releases=table.rows,
        constant=table.constant,
        most_curves=_MOST_CURVES_PRINTED,
        printed=table.printed,
        events=len(ledger.events),
        left_out=table.left_out,
        cut=table.cut,
        unchecked=list(_unchecked(audit)),
        notices=said,
        assumed=assumed,
        downloads=held,
        apart=made.keys() - held.keys(),
        uncertified={id: one_line(reason) for id, reason in made.missing.items()},
    )
