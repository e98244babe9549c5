"""What is known of one id or word: a card for a theorem, a result, a statement, an erratum, a paper, a game's
accountant, a hypothesis, or a word that privref prints (``glossary.json``).

A card joins the tables that speak of an id: the registry, the theorems, the index of proofs, the Lean library, the
golden vectors, the machines and the errata. ``python -m proofs --index`` writes the index of proofs that is read here.
"""

from __future__ import annotations

import difflib
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from .exact.errors import InputError, require_text
from .exact.tables import html_facts
from .statements import errata, papers
from .statements.hypotheses import Failure, Hypothesis
from .statements.registry import Statement, statements
from .statements.theorems import THEOREMS, Theorem, called, named

#: A ``result`` is a numbered result of a paper that several statements, or one of a longer id, evaluate.
CardKind = Literal["theorem", "result", "statement", "erratum", "paper", "accountant", "hypothesis", "term"]


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that is known of one id; empty where a part does not apply."""

    id: str
    """The id, or the word, that the card explains."""
    kind: CardKind
    """What the id belongs to."""
    says: str
    """What it says, in a sentence."""
    names: tuple[str, ...] = ()
    """Other names of it."""
    documentation: str = ""
    """The text of the function that computes it."""
    source: str = ""
    """The paper and the place in it."""
    links: tuple[str, ...] = ()
    """Where the paper can be read."""
    read: str = ""
    """Whether a developer has read the source's text."""
    read_note: str = ""
    """What was read, or where the citation is from."""
    standing: str = ""
    """Of a statement: as printed, corrected, or ours."""
    bound: str = ""
    """On which side of the truth its value lies: upper, lower, or exact."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """What a theorem requires."""
    inputs: tuple[tuple[str, str], ...] = ()
    """The parameters of a statement, each with what it may be."""
    function: str = ""
    """The function that computes it."""
    file: str = ""
    """The file and the line of that function."""
    proofs: tuple[Mapping[str, str], ...] = ()
    """What ``proofs/`` proves of the function, and by which method."""
    derivations: tuple[Mapping[str, str], ...] = ()
    """Derivations in ``proofs/`` that name the id."""
    lean: tuple[Mapping[str, str], ...] = ()
    """Theorems of the Lean library about it."""
    lean_checker: str = ""
    """The checker that a certificate's Lean file uses, or why there is none."""
    vectors: int = 0
    """How many golden vectors it has."""
    samples: int = 0
    """At how many sampled points ``proofs/`` compares it with its transcription."""
    statements: tuple[str, ...] = ()
    """Ids of the statements that belong to it."""
    theorems: tuple[str, ...] = ()
    """Ids of the theorems that use it."""
    filter: str = ""
    """The filter that enforces a theorem."""
    odometer: str = ""
    """The odometer that a theorem is about."""
    odometer_hypotheses: tuple[Hypothesis, ...] = ()
    """What that odometer requires."""
    odometer_failure: Failure | Literal[""] = ""
    """What counts as a failure of that odometer."""
    errata: tuple[errata.Erratum, ...] = ()
    """Faults of the paper that concern it."""
    term: str = ""
    """What kind of word a word is."""
    advice: str = ""
    """What to do where a word is printed."""
    related: tuple[str, ...] = ()
    """Words and ids that belong to it."""

    def _repr_html_(self) -> str:
        facts = [("is", self.term or self.kind), ("source", self.source), ("what to do", self.advice)]
        facts += [("hypothesis", each.value) for each in self.hypotheses]
        facts += [("input", f"{name}: {says}") for name, says in self.inputs]
        facts += [("erratum", f"{row.id}: {row.correct}") for row in self.errata]
        return html_facts(f"{called(self.id, authors=False)}: {self.says}", facts)


def explain(id: str) -> Card:
    """Return the card of an id or word, or of another name of it; InputError with the nearest for an unknown one."""
    require_text(id, "id", "`privref explain` lists all ids")
    known = {found.id: found for found in statements()}
    rule = named(id)
    if rule is not None and id not in known:
        return _theorem(rule)
    if id in known:
        return _statement(known[id], rule if rule is not None and rule.id == id else None)
    if id in _results():
        return _result(id)
    for row in errata.rows():
        if row.id.lower() == id.lower():
            return _erratum(row)
    if id in papers.REFERENCES:
        return _paper(id)
    if id in _accountants():
        return Card(id, "accountant", _accountants()[id])
    if (term := _terms().get(_plain(id)) or _terms().get(_singular(_plain(id)))) is not None:
        return _term(term)
    if id in _HYPOTHESES:
        return _hypothesis(_HYPOTHESES[id])
    if (said := _printed().get(_plain(id)) or _printed().get(_plain(id.rpartition("; ")[2].rstrip(")")))) is not None:
        return explain(said)
    # Below this likeness a word of another meaning would be offered.
    near = difflib.get_close_matches(id, ids(), n=3, cutoff=0.81)
    near = near or [name for name in ids() if name.startswith(f"{id}-")][:3]
    hint = f"did you mean {' or '.join(near)}?" if near else "`privref explain` lists all ids, --find WORD searches"
    if not near and id.strip() and (found := find(id)):
        hint = f"{len(found)} cards have this word, such as {found[0].id}: `privref explain --find {id}` lists them"
    raise InputError("id", id, hint)


@cache
def ids() -> tuple[str, ...]:
    """Every id and name that has a card, sorted."""
    found = {statement.id for statement in statements()} | {name for each in THEOREMS for name in each.names}
    found |= {row.id for row in errata.rows()} | set(papers.REFERENCES) | set(_accountants()) | set(_results())
    found |= {term["term"] for term in terms()} | set(_HYPOTHESES) | {each.name for each in THEOREMS}
    return tuple(sorted(found))


def all_cards() -> tuple[Card, ...]:
    """A card of every theorem and of every statement, by id; where both have one id it is one card."""
    own = sorted({each.id for each in THEOREMS} | {found.id for found in statements()})
    return tuple(explain(id) for id in own)


def find(words: str) -> tuple[Card, ...]:
    """The theorems and statements in whose id, names or text every word occurs, whatever its case."""
    require_text(words, "--find", "give one or more words")
    wanted = words.lower().split()
    if not wanted:
        raise InputError("--find", words, "give one or more words")
    return tuple(card for card in all_cards() if all(word in _text(card) for word in wanted))


def _text(card: Card) -> str:
    parts = (card.id, *card.names, card.says, card.documentation, card.source, card.filter, card.odometer)
    abbreviations = {"sparse vector": "svt", "propose-test-release": "ptr", "randomized response": "rr"}
    text = " ".join((*parts, *(hypothesis.value for hypothesis in card.hypotheses))).lower()
    return " ".join((text, *(short for long, short in abbreviations.items() if long in text)))


def _statement(found: Statement, rule: Theorem | None) -> Card:
    proved = _index().get(found.id, {})
    using = tuple(each.id for each in THEOREMS if found.id in each.statements and each is not rule)
    return Card(
        found.id,
        "statement" if rule is None else "theorem",
        found.summary if rule is None else rule.says,
        names=() if rule is None else rule.names[1:],
        documentation=found.documentation,
        source=found.source,
        **_cited(found.id.split("/")[0]),
        standing=found.standing,
        bound=found.kind,
        hypotheses=found.hypotheses if rule is None else rule.hypotheses,
        inputs=tuple((param.name, param.description) for param in found.params),
        function=f"{found.function.__module__}.{found.function.__name__}",
        file=_file(found),
        proofs=tuple(proved.get("proofs", ())),
        derivations=tuple(proved.get("derivations", ())),
        lean=_lean_of(found.id),
        lean_checker="" if rule is None else rule.lean or f"none: {rule.no_lean}",
        vectors=_vectors(found.id),
        samples=proved.get("samples", 0),
        statements=() if rule is None else rule.statements,
        theorems=using,
        filter="" if rule is None else rule.machine,
        odometer="" if rule is None else rule.odometer,
        odometer_hypotheses=() if rule is None else rule.odometer_hypotheses,
        odometer_failure="" if rule is None else rule.odometer_failure,
        errata=errata.for_statement(found.id),
    )


def _theorem(rule: Theorem) -> Card:
    rows = {row.id: row for id in rule.statements for row in errata.for_statement(id)}
    return Card(
        rule.id,
        "theorem",
        rule.says,
        names=rule.names[1:],
        source=rule.source,
        **_cited(rule.id.split("/")[0]),
        hypotheses=rule.hypotheses,
        lean=_lean_of(*rule.statements),
        lean_checker=rule.lean or f"none: {rule.no_lean}",
        statements=rule.statements,
        filter=rule.machine,
        odometer=rule.odometer,
        odometer_hypotheses=rule.odometer_hypotheses,
        odometer_failure=rule.odometer_failure,
        errata=tuple(rows.values()),
    )


@cache
def _results() -> dict[str, tuple[Statement, ...]]:
    """The results by id, a statement's id up to one of its dots, with the statements whose ids go on there."""
    found: dict[str, list[Statement]] = {}
    for each in statements():
        parts = each.id.split(".")
        for n in range(1, len(parts)):
            found.setdefault(".".join(parts[:n]), []).append(each)
    return {id: tuple(members) for id, members in found.items()}


def _result(id: str) -> Card:
    members = _results()[id]
    one = members[0] if len({each.source for each in members}) == 1 else None
    rows = {row.id: row for each in members for row in errata.for_statement(each.id)}
    return Card(
        id,
        "result",
        members[0].summary if len(members) == 1 else f"It is evaluated by {len(members)} statements.",
        documentation="" if len(members) == 1 else "\n".join(f"{each.id}: {each.summary}" for each in members),
        source=papers.PAPERS[id.split("/")[0]] if one is None else one.source,
        **_cited(id.split("/")[0]),
        lean=_lean_of(*(each.id for each in members)),
        statements=tuple(each.id for each in members),
        theorems=tuple(each.id for each in THEOREMS if {found.id for found in members} & set(each.statements)),
        errata=tuple(rows.values()),
    )


def _erratum(row: errata.Erratum) -> Card:
    return Card(
        row.id,
        "erratum",
        f"The paper says: {row.says}",
        advice=row.consequence,
        source=f"{papers.PAPERS[row.paper]}; {row.where}",
        **_cited(row.paper),
        statements=row.statements,
        errata=(row,),
    )


def _paper(id: str) -> Card:
    paper = papers.REFERENCES[id]
    return Card(
        id,
        "paper",
        paper.citation,
        source=paper.venue,
        **_cited(id),
        statements=tuple(found.id for found in statements() if found.id.split("/")[0] == id),
        theorems=tuple(each.id for each in THEOREMS if each.id.split("/")[0] == id),
        errata=tuple(row for row in errata.rows() if row.paper == id),
    )


_HYPOTHESES = {each.key: each for each in Hypothesis}


def _needing(hypothesis: Hypothesis) -> tuple[str, ...]:
    """Return the theorems that need a hypothesis."""
    return tuple(each.id for each in THEOREMS if hypothesis in each.hypotheses)


def _hypothesis(found: Hypothesis) -> Card:
    return Card(found.key, "hypothesis", found.value, theorems=_needing(found))


@cache
def terms() -> tuple[Mapping[str, Any], ...]:
    """Return the words that privref prints, each with what it means, as ``glossary.json`` lists them."""
    text = resources.files("privref").joinpath("glossary.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)["terms"])


def _plain(word: str) -> str:
    return " ".join(word.casefold().replace("-", " ").replace("_", " ").split())


def _singular(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


@cache
def _terms() -> dict[str, Mapping[str, Any]]:
    """Return the words by every spelling of theirs; a word's own entry comes before another one's second name."""
    found = {_plain(name): term for term in terms() for name in term.get("also", ())}
    return found | {_plain(term["term"]): term for term in terms()}


@cache
def _printed() -> dict[str, str]:
    """The ids of theorems and hypotheses by what a report prints of them: a theorem's name, a hypothesis's words."""
    found = {_plain(each.value): each.key for each in Hypothesis}
    for each in THEOREMS:
        shown = map(_plain, (each.id, *each.names, each.name, called(each.id, authors=False)))
        found |= {name: each.id for words in shown for name in (words, words.removeprefix("the "))}
    return found


def _term(found: Mapping[str, Any]) -> Card:
    word = found["term"]
    hypothesis = _HYPOTHESES.get(word)
    return Card(
        word,
        "term",
        found["says"],
        names=tuple(found.get("also", ())),
        term=found["kind"],
        advice=found.get("so", ""),
        related=tuple(found.get("see", ())),
        theorems=() if hypothesis is None else _needing(hypothesis),
    )


def _cited(paper: str) -> dict[str, Any]:
    """Where the paper is, and whether its text was read."""
    found = papers.REFERENCES[paper]
    return {"links": found.links, "read": found.read, "read_note": found.note}


def _file(found: Statement) -> str:
    """The function's file, from the folder that holds the package, and line."""
    path = Path(inspect.getsourcefile(found.function) or "").resolve()
    root = Path(__file__).resolve().parents[1]
    return f"{path.relative_to(root).as_posix()}:{inspect.getsourcelines(found.function)[1]}"


@cache
def _index() -> dict[str, dict[str, Any]]:
    """Proofs, derivations and samples of each statement, as ``python -m proofs --index`` wrote them."""
    text = resources.files("privref.statements").joinpath("proofs.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


@cache
def _lean() -> dict[str, list[dict[str, str]]]:
    text = resources.files("privref.statements").joinpath("lean.json").read_text(encoding="utf-8")
    found: dict[str, list[dict[str, str]]] = json.loads(text)
    return found


def _lean_of(*ids: str) -> tuple[Mapping[str, str], ...]:
    """The Lean theorems of statements, each with the statement that it is about."""
    return tuple({"statement": id, **entry} for id in ids for entry in _lean().get(id, ()))


def _vectors(id: str) -> int:
    """How many golden vectors a statement has."""
    file = resources.files("privref.vectors").joinpath("data", f"{id.replace('/', '.')}.json")
    return int(json.loads(file.read_text(encoding="utf-8"))["cases"]) if file.is_file() else 0


@cache
def _accountants() -> dict[str, str]:
    """Return the accountants of the games that belong to no theorem, with what they do."""
    from .games.accountants import RULES
    from .games.named import budget

    found = {}
    for name, make in RULES.items():
        made = make(budget("1", "1/10"))
        found[name] = (inspect.getdoc(type(made)) or name).splitlines()[0]
    return found
