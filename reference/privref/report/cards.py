"""Cards (``privref explain``) and the errata, as text and as JSON documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.cards import Card
from privref.statements.errata import WRONG, Erratum
from privref.statements.hypotheses import Hypothesis, promised
from privref.statements.theorems import called

_STANDINGS = {
    "holds": "holds as stated here",
    "printed": "the wording of the copy that was read, kept with its errata: no audit uses it",
    "ours": "proved by this project",
}


#: What a card's document says first; the card's other fields follow in their order.
_FIRST = ("id", "kind", "says", "term", "advice", "related")


def card_document(card: Card) -> dict[str, Any]:
    """A card as one JSON document; what does not apply is empty."""
    names = dict.fromkeys((*_FIRST, *(each.name for each in fields(card))))
    document = {"schema": "card.1", **{name: _plain(getattr(card, name)) for name in names}}
    return document | {"inputs": dict(card.inputs)}


def _plain(value: Any) -> Any:
    """What a field of a card is in JSON."""
    match value:
        case Hypothesis():
            return {"key": value.key, "says": value.value}
        case Erratum():
            return {name: getattr(value, name) for name in ("id", "severity", "where", "says", "correct")}
        case tuple():
            return [_plain(each) for each in value]
        case Mapping():
            return dict(value)
    return value


def card_report(card: Card) -> RenderableType:
    """A card as text: one fact per line, what does not apply left out."""
    lines: list[RenderableType] = [Text(called(card.id, authors=False), style="bold"), Text(card.says)]
    more = card.documentation.removeprefix(card.says).strip()
    if more and card.kind != "erratum":
        lines += [Text(""), Text(more)]
    lines.append(Text(""))
    word = card.term or card.kind
    facts: list[tuple[str, str]] = [("what to do", card.advice), ("is", f"a{_n(word)} {word}")]
    facts += [("also called", ", ".join(card.names)), ("source", card.source)]
    facts += [("at", link) for link in card.links]
    facts += [("text read", f"{card.read}: {card.read_note}" if card.read_note else card.read)]
    facts += [("kind", card.bound), ("standing", _STANDINGS.get(card.standing, ""))]
    facts += [("hypothesis", each.value) for each in card.hypotheses]
    facts += [("input", f"{name}: {says}") for name, says in card.inputs]
    verb = {"theorem": "evaluates", "result": "in full"}.get(card.kind, "concerns")
    facts += [(verb, ", ".join(card.statements))]
    facts += [
        ("used by", ", ".join(called(id, authors=False) for id in card.theorems)),
        ("see also", ", ".join(card.related)),
    ]
    facts += [("filter", card.filter), ("odometer", card.odometer)]
    facts += [("its reading", f"requires {each.value}") for each in card.odometer_hypotheses]
    if card.odometer_failure:
        facts += [("its reading", f"bounds {promised(card.odometer_failure)}")]
    facts += [("function", f"{card.function} ({card.file})" if card.function else "")]
    facts += [("proof", f"{each['status']}: {each['covers']} ({each['file']})") for each in card.proofs]
    facts += [("derivation", f"{each['name']} ({each['file']})") for each in card.derivations]
    facts += [("Lean", line) for line in _lean(card)]
    if card.lean_checker:
        none = card.lean_checker.startswith("none: ")
        facts += [("Lean file", card.lean_checker if none else "`privref certify CERTIFICATE --lean FILE` writes it")]
    facts += [("vectors", str(card.vectors) if card.vectors else "")]
    facts += [("erratum", f"{row.id} ({row.severity}; {row.where}): {row.correct}") for row in card.errata]
    lines += [Text(f"{name:12}{says}") for name, says in facts if says]
    return Group(*lines)


def _n(word: str) -> str:
    return "n" if word[0] in "aeiou" else ""


def _lean(card: Card) -> Iterator[str]:
    """Each theorem of Lean with the statements that it is about, where these are not the card itself."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for entry in card.lean:
        key = (entry["theorem"], entry["relation"], entry.get("part", ""))
        found.setdefault(key, []).append(entry["statement"])
    for (theorem, relation, part), ids in found.items():
        what = "" if ids == [card.id] else f" {', '.join(ids)}"
        yield f"{theorem} ({relation}{what}{': ' if part else ''}{part})"


def cards_document(cards: Sequence[Card]) -> list[dict[str, str]]:
    """Ids and what they say, as ``statements.1``."""
    return [{"id": card.id, "summary": card.says} for card in cards]


def cards_report(cards: Sequence[Card]) -> RenderableType:
    """One line per card."""
    width = max((len(card.id) for card in cards), default=0)
    return Group(*(Text(f"{card.id:{width}}  {card.says}") for card in cards)) if cards else Text("nothing found")


# --- the papers' errata -----------------------------------------------------------------------------------------------


def errata_document(rows: Sequence[Erratum]) -> dict[str, Any]:
    """Errata as a JSON document."""
    return {"schema": "errata.1", "note": WRONG, "errata": [asdict(row) | {"read": row.read} for row in rows]}


def errata_report(rows: Sequence[Erratum]) -> RenderableType:
    """Errata as text."""
    parts: list[RenderableType] = [Text(WRONG)]
    for row in rows:
        parts.append(Text.assemble((row.id, "bold"), f" ({row.severity}) {row.where}"))
        parts += [
            Text(f"  says         {row.says}"),
            Text(f"  correct      {row.correct}"),
            Text(f"  for auditors {row.consequence}"),
            Text(f"  read         {row.read}"),
            *(Text(f"  corrected    {text}") for text in row.corrections),
        ]
    return Group(*parts)
