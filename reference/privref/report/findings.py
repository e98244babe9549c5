"""What the verbs print that read a ledger and give no verdict: as text and as documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.audit import summary
from privref.audit.changes import Difference, WhatIf
from privref.audit.evidence import CURVE, EvidenceBound, by, premise_of, said
from privref.audit.opinions import Bound, caveat
from privref.audit.risk import Risk, Risks
from privref.audit.routes import Application
from privref.exact.enclosure import Enclosure
from privref.exact.numbers import ExactInput, probability, spell, written
from privref.exact.rounding import plain
from privref.statements.registry import statement
from privref.statements.theorems import called

from .documents import bound_document, inapplicable_document
from .lines import line, text_table
from .text import bounds_table, inapplicable_lines

# What is proved of a ledger, what a change of it does, and how two ledgers differ.

_DIGITS = 10
_ADAPTIVE = (
    "an event that is added because of earlier answers is chosen adaptively: then declare "
    '"parameters": "chosen-adaptively" and the filter that was enforced; and a mechanism that is, '
    '"queries": "chosen-adaptively"'
)


def _bound_line(name: str, item: Bound | None) -> Text:
    if item is None or item.enclosure is None:
        return line(f"{name:<8} no theorem gives a finite bound")
    return line(f"{name:<8} epsilon {_noted(item)}")


def _noted(item: Bound) -> str:
    """A finite bound with its note, which takes the caveat's place where it says what budget was enforced."""
    words = summary.at_most_words(item)
    if "enforced" in item.note:
        words = words.removesuffix(caveat(item))
    return f"{words}; {item.note}" if item.note else words


def _premises(*bounds: Bound | None) -> list[str]:
    """What the bounds rest on and no ledger can show, each once."""
    found = [finding for item in bounds if item is not None for finding in item.application.findings]
    return list(dict.fromkeys(each.how.removeprefix("premise: ") for each in found if each.premise))


def _premise_lines(*bounds: Bound | None) -> list[Text]:
    return [line(f"premise  {how}", "dim") for how in _premises(*bounds)]


def epsilon_report(found: Bound, delta: ExactInput) -> RenderableType:
    """The smallest epsilon that is proved at delta, its theorem, and what it rests on."""
    return Group(line(f"at delta = {written(probability(delta))}: epsilon {_noted(found)}"), *_premise_lines(found))


def epsilon_document(found: Bound, delta: ExactInput) -> dict[str, Any]:
    """``epsilon.1``."""
    at = spell(probability(delta))
    return {"schema": "epsilon.1", "delta": at, "bound": bound_document(found), "premises": _premises(found)}


def _left_words(left: Enclosure, of: str) -> str:
    if left.lower >= 0:
        return f"remains  at least {summary.plain_decimal(left.lower, 6, 'down')} {of}"
    if left.upper < 0:
        return f"missing  at most {summary.plain_decimal(-left.lower, 6, 'up')} {of}"
    return f"remains  open: the bound's enclosure holds the target ({of})"


def what_if_report(found: WhatIf) -> RenderableType:
    """Before, after, what remains, and what the change means for what was declared."""
    parts: list[RenderableType] = [
        line(f"at delta = {written(found.delta)}"),
        _bound_line("before", found.before),
        _bound_line("after", found.after),
    ]
    if found.left is not None and found.target is not None:
        parts.append(line(_left_words(found.left, f"of epsilon = {summary.amount(found.target)}")))
    if found.rho_left is not None:
        parts.append(line(_left_words(found.rho_left, f"in rho ({called(found.rho_by)})")))
    parts += _premise_lines(found.before, found.after)
    if found.adaptive_warning:
        parts.append(line(f"note     {_ADAPTIVE}", "dim"))
    return Group(*parts)


def _ends(found: Enclosure) -> dict[str, str]:
    lower, upper = found.decimals(12)
    return {"lower": lower, "upper": upper}


def what_if_document(found: WhatIf) -> dict[str, Any]:
    """``what-if.1``."""
    document: dict[str, Any] = {"schema": "what-if.1", "delta": spell(found.delta)}
    if found.target is not None:
        document["target"] = spell(found.target)
    for name, item in (("before", found.before), ("after", found.after)):
        if item is not None:
            document[name] = bound_document(item)
    for name, left in (("epsilon_left", found.left), ("rho_left", found.rho_left)):
        if left is not None:
            document[name] = _ends(left)
    if found.rho_by is not None:
        document["rho_left_by"] = found.rho_by
    return document


#: An event is shortened if its text has at least this many items between commas.
_LONG = 8


def _shortened(said: str, others: Sequence[str]) -> str:
    """Return the text of an event without the items that the most similar event of the other ledger has too.

    The first and the last item stay: they hold the label, the kind and the end.

    >>> _shortened("x: rdp (orders = 2: 0.1, 3: 0.2, 4: 0.3, 5: 0.4, 6: 0.5, 7: 0.6, 8: 0.7, delta = 0)",
    ...            ["x: rdp (orders = 2: 0.1, 3: 0.2, 4: 0.1, 5: 0.4, 6: 0.5, 7: 0.6, 8: 0.7, delta = 0)"])
    'x: rdp (orders = 2: 0.1, …, 4: 0.3, …, delta = 0)'
    """
    items = said.split(", ")
    if len(items) < _LONG:
        return said
    shared = max((set(items) & set(other.split(", ")) for other in others), key=len, default=set[str]())
    kept = [items[0], *("…" if item in shared else item for item in items[1:-1]), items[-1]]
    return ", ".join(item for item, before in zip(kept, ["", *kept], strict=False) if not item == before == "…")


def diff_report(found: Difference) -> RenderableType:
    """A line for every difference; what is only in the first with -, only in the second with +."""
    parts: list[RenderableType] = [line(f"{name}: {one} → {other}") for name, (one, other) in found.declared.items()]
    first, second = ([said for said, _ in only] for only in (found.only_first, found.only_second))
    parts += [line(f"- {_shortened(said, second)} x {times}", "red") for said, times in found.only_first]
    parts += [line(f"+ {_shortened(said, first)} x {times}", "green") for said, times in found.only_second]
    if found.same:
        parts.append(Text("the ledgers say the same"))
    if found.bounds is not None and found.delta is not None:
        parts.append(line(f"at delta = {written(found.delta)}"))
        parts += [_bound_line(name, item) for name, item in zip(("first", "second"), found.bounds, strict=True)]
        parts += _premise_lines(*found.bounds)
    return Group(*parts)


def diff_document(found: Difference) -> dict[str, Any]:
    """``diff.1``."""
    document: dict[str, Any] = {
        "schema": "diff.1",
        "same": found.same,
        "declared": {name: {"first": one, "second": other} for name, (one, other) in found.declared.items()},
        "only_first": [{"event": said, "count": times} for said, times in found.only_first],
        "only_second": [{"event": said, "count": times} for said, times in found.only_second],
    }
    if found.bounds is not None and found.delta is not None:
        document["delta"] = spell(found.delta)
        for name, item in zip(("first", "second"), found.bounds, strict=True):
            if item is not None:
                document[name] = bound_document(item)
    return document


# All bounds at one delta, as a document and as a table.


def comparison_document(
    bounds: Sequence[Bound], inapplicable: Sequence[Application], undecided: Sequence[str]
) -> dict[str, Any]:
    """All bounds at one delta as a JSON document."""
    return {
        "schema": "comparison.1",
        "bounds": [bound_document(bound) for bound in bounds],
        "inapplicable": [inapplicable_document(application) for application in inapplicable],
        "undecided": list(undecided),
    }


def comparison_report(
    bounds: Sequence[Bound], inapplicable: Sequence[Application], undecided: Sequence[str]
) -> RenderableType:
    """All bounds at one delta as a table, the tightest first."""
    parts: list[RenderableType] = [bounds_table(bounds, "epsilon")] if bounds else [Text("no theorem applies")]
    parts += inapplicable_lines(inapplicable)
    parts += [line(f"  premise: {how}", "dim") for how in _premises(*bounds)]
    parts += [line(f"  undecided: {what}") for what in undecided]
    return Group(*parts)


# What attacks on one unit can do, as a document and as text.

_RISK_DIGITS = 8
_SAID = {
    "advantage": "advantage of a test over a blind guess",
    "right-guesses": "right guesses, prior {0}",
    "attack-success": "true-positive rate at false-positive rate {0}",
    "mu": "least mu for delta from {0} to {1}",
}


def _risk_ends(found: Risk) -> tuple[str, str]:
    lower, upper = (plain(end) for end in found.enclosure.decimals(_RISK_DIGITS))
    return lower, upper


def risk_document(found: Risks) -> dict[str, Any]:
    """``risk.1``: both ends of each number, and the points from which they follow."""
    return {
        "schema": "risk.1",
        "ledger": {"title": found.ledger.title, "sha256": found.ledger.digest},
        "by": found.by,
        "premises": list(found.premises),
        "risks": [
            {
                "name": each.name,
                "at": [spell(value) for value in each.at],
                "lower": _risk_ends(each)[0],
                "upper": _risk_ends(each)[1],
                "proved": len(each.proved),
                "lost": len(each.lost),
            }
            for each in found.found
        ],
    }


def risk_claims(found: Risks) -> dict[str, Any]:
    """What the ends of all numbers follow from as ``claims.1``, with certificates where an audit decides them so.

    The claims named ``point-…`` and ``mu`` are to be confirmed: upper ends follow from them. Those named ``lost-…``
    are to be refuted: lower ends follow. A lower end without one is what a blind guess does.
    """
    points = dict.fromkeys(point for each in found.found for point in each.proved if point[1] < 1)
    lost = dict.fromkeys(point for each in found.found for point in each.lost)
    claims: list[dict[str, Any]] = [
        {"id": f"{name}-{i}", "epsilon": spell(epsilon), "delta": spell(delta)}
        for name, points_of in (("point", points), ("lost", lost))
        for i, (epsilon, delta) in enumerate(points_of, 1)
    ]
    for each in found.found:
        if each.name == "mu" and not each.proved and each.enclosure.upper:
            claims.append({"id": "mu", "mu": _risk_ends(each)[1]})
    return {"schema": "claims.1", "claims": claims}


def risk_report(found: Risks) -> RenderableType:
    """A table of the numbers, the theorem of the curve, and what it rests on."""
    table = text_table("  of any attack on one unit", "at least", "at most")
    for each in found.found:
        at = map(said, each.at)
        table.add_row(line("  " + _SAID[each.name].format(*at)), *_risk_ends(each))
    return Group(
        line(found.ledger.title, "bold"),
        table,
        line(f"the curve is that of {called(found.by)}", "dim"),
        line(_risk_proofs(found), "dim"),
        *(line(f"premise: {premise}", "dim") for premise in found.premises),
    )


def _risk_proofs(found: Risks) -> str:
    """What proves the ends, for a reader of the table."""
    claims = risk_claims(found)["claims"]
    lost = sum(claim["id"].startswith("lost-") for claim in claims)
    trivial = sum(not each.lost for each in found.found)
    upper = len(claims) - lost
    text = f"--claims writes {upper} claims to be confirmed (upper ends) and {lost} to be refuted (lower ends)"
    return f"{text}; {trivial} lower ends are what a blind guess does, without a proof" if trivial else text


# What the evidence of a ledger shows, as a document and as text.


def evidence_document(found: tuple[EvidenceBound, ...]) -> dict[str, Any]:
    """``evidence.1``: of each piece the epsilon that it shows, rounded down, with its confidence and premise."""
    return {
        "schema": "evidence.1",
        "shown": [
            {
                "evidence": str(each.piece),
                "by": by(each.piece),
                "delta": said(each.delta),
                "epsilon": plain(each.enclosure.decimals(_DIGITS)[0]),
                **({} if each.mu is None else {"mu": plain(each.mu.decimals(_DIGITS)[0])}),
                "confidence": said(each.piece.confidence),
                "premise": premise_of(each.piece),
            }
            for each in found
        ],
    }


def evidence_report(found: tuple[EvidenceBound, ...]) -> RenderableType:
    """The pieces, each with the epsilon that it shows."""
    parts: list[RenderableType] = []
    for each in found:
        least, sure = plain(each.enclosure.decimals(_DIGITS)[0]), said(each.piece.confidence)
        parts.append(line(str(each.piece), "bold"))
        parts.append(
            line(f"  not (epsilon, {said(each.delta)})-DP for any epsilon below {least}, with confidence {sure}")
        )
        if each.mu is not None:
            most = plain(each.mu.decimals(_DIGITS)[0])
            parts.append(line(f"  not mu-Gaussian DP for any mu below {most}, with confidence {sure}"))
        parts.append(line(f"  premise: {premise_of(each.piece)}"))
        parts.append(line(f"  {statement(f'{by(each.piece)}.eps').source}", "dim"))
        if each.mu is not None:
            parts.append(line(f"  {statement(f'{CURVE}.mu').source}", "dim"))
    return Group(*parts)
