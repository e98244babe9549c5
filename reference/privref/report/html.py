"""An audit as one HTML file: no network, no script that it does not carry, readable without colour and on paper."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from typing import Any

from privref.audit import summary
from privref.audit.both_ends import words as rounded_words
from privref.audit.certificate import certificates
from privref.audit.notices import notices
from privref.audit.opinions import Audit, Opinion
from privref.exact.errors import InputError, one_line
from privref.guarantees.model import GaussianDP, as_approx_dp, as_zcdp
from privref.ledger.model import Event, Ledger
from privref.statements.theorems import called

from .notice import attack_lines
from .picture import pictures
from .text import plain_ends

#: Rows of the table of releases.
MOST_ROWS = 5_000
#: Of them on paper, which is to be two pages.
_MOST_PRINTED = 10
_MOST_CURVES_PRINTED = 6
_MOST_NAMED = 20
_COLUMNS = ("#", "release", "kind", "mechanism", "count", "epsilon", "delta", "rho", "mu", "decision")
_NUMBERS = ("#", "count", "epsilon", "delta", "rho", "mu")
_MARKS = {
    "confirmed": "✓",
    "refuted": "✗",
    "unsupported": "–",
    "underivable": "–",
    "conditional": "?",
    "undecided": "?",
    "depends-on-digits": "?",
}


def _number(value: Fraction | None) -> str:
    return "" if value is None else summary.amount(value)


def _exact(values: list[Fraction | None]) -> list[int]:
    """The place of each value in ascending order, equal for equal ones: what the table is sorted by, exactly."""
    order = {value: place for place, value in enumerate(sorted({value for value in values if value is not None}), 1)}
    return [0 if value is None else order[value] for value in values]


def _event(ledger: Ledger, i: int, event: Event) -> dict[str, Any]:
    guarantee = event.guarantee
    approx, zcdp = as_approx_dp(guarantee), as_zcdp(guarantee)
    return {
        "number": i + 1,
        "label": one_line(event.label) or f"event {i + 1}",
        "kind": guarantee.kind,
        "mechanism": one_line(event.mechanism),
        "count": event.count,
        "values": [
            None if approx is None else approx.epsilon,
            approx.delta if approx is not None else None if zcdp is None else zcdp.delta,
            None if zcdp is None else zcdp.rho,
            guarantee.mu if isinstance(guarantee, GaussianDP) else None,
        ],
        "decision": event.decision or "",
    }


def _releases(ledger: Ledger) -> list[dict[str, Any]]:
    return _cells([_event(ledger, i, event) for i, event in enumerate(ledger.events[:MOST_ROWS])])


def _cells(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the texts of their numbers, and the places by which these are sorted."""
    for column in range(4):
        for row, rank in zip(rows, _exact([row["values"][column] for row in rows]), strict=True):
            row.setdefault("cells", []).append((_number(row["values"][column]), rank))
    return rows


def _printed(ledger: Ledger, rows: list[dict[str, Any]], parts: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The rows of the table that are printed: of the largest contributors, or else the first."""
    if parts is None:
        return rows[:_MOST_PRINTED]
    places = [part["event"] - 1 for part in parts["parts"][:_MOST_PRINTED] if part["event"] is not None]
    # Of those that are equal the first ones.
    places += [i for i in range(min(len(rows), _MOST_PRINTED)) if i not in places][: _MOST_PRINTED - len(places)]
    return [rows[i] if i < len(rows) else _cells([_event(ledger, i, ledger.events[i])])[0] for i in places]


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
        ("budget", None if ledger.budget is None else json.dumps(ledger.budget.document)),
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
    return {
        "id": opinion.claim.id,
        "says": str(opinion.claim),
        "theorem": called(opinion.claim.by) if opinion.claim.by else "",
        "verdict": opinion.verdict,
        "mark": _MARKS.get(opinion.verdict, "·"),
        "best": f"{symbol} {known}" if known else None,
        "margin": summary.margin_words(opinion),
        "advice": _advice(opinion),
        "reason": opinion.reason,
        "refutation": None
        if refuted is None
        else f"{refuted.witness.statement} ≥ {plain_ends(refuted.enclosure, 10)[0]}: {refuted.witness.words}",
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
    return {
        "measure": parts.measure,
        "by": called(parts.by),
        "decides": parts.decides,
        "equal": parts.equal,
        "parts": [
            {
                "event": part.event,
                "label": one_line(part.label) or f"event {part.event}",
                "percent": summary.percent(part.share),
                "width": round(float(part.share) * 100, 2),
            }
            for part in parts.named
        ]
        + (
            [
                {
                    "event": None,
                    "label": parts.equal_words,
                    "percent": summary.percent(parts.largest[-1].share),
                    "width": round(float(parts.largest[-1].share) * 100, 2),
                }
            ]
            if parts.equal
            else []
        ),
    }


def html_report(audit: Audit) -> str:
    """The whole report as one HTML page; InputError where Jinja2 is not installed."""
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise InputError("--html", "(a file)", "this needs Jinja2: pip install 'privref[html]'") from None
    ledger = audit.ledger
    template = files("privref.report").joinpath("templates", "audit.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made = certificates(audit)
    downloads = {
        id: base64.b64encode(json.dumps(document, indent=1, ensure_ascii=False).encode()).decode()
        for id, document in made.items()
    }
    releases, contributors = _releases(ledger), _contributors(audit)
    return environment.from_string(template).render(
        title=one_line(ledger.title),
        counts=summary.counts_words(audit),
        read=[
            f"{len(ledger.events)} event(s), {ledger.rounds} round(s)",
            *(f"{name} {summary.amount(value)}" for name, value in summary.totals(ledger)),
        ],
        digest=ledger.digest,
        digest_of=ledger.digest_of,
        claims=[_claim(*pair) for pair in zip(audit.opinions, pictures(audit), strict=True)],
        contributors=contributors,
        columns=[(name, name in _NUMBERS) for name in _COLUMNS],
        releases=releases,
        most_curves=_MOST_CURVES_PRINTED,
        printed=_printed(ledger, releases, contributors),
        events=len(ledger.events),
        left_out=max(0, len(ledger.events) - MOST_ROWS),
        unchecked=list(_unchecked(audit)),
        notices=[
            {
                "id": found.opinion.claim.id,
                "sentence": found.sentence,
                "theorem": found.theorem,
                "assumptions": found.assumptions,
                "gaussian": found.gaussian,
                "attack": attack_lines(found),
                "sha256": found.certificate_sha256,
            }
            for found in notices(audit)
        ],
        downloads=downloads,
        uncertified={id: one_line(reason) for id, reason in made.missing.items()},
    )
