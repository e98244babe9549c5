"""Every word that a verdict or a ledger is made of can be asked."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import get_args

import pytest

import privref
from privref import cards
from privref.adaptive.machines import MACHINES, Role
from privref.adaptive.protocol import FilterVerdict
from privref.adaptive.running import CellOutcome
from privref.audit.opinions import MEANINGS, Verdict
from privref.cli.main import main
from privref.games.attack import AttackVerdict
from privref.profiles.sampled import Sampling
from privref.registry.checks import MEANING
from privref.statements.errata import Severity
from privref.statements.hypotheses import Failure, Hypothesis
from privref.statements.theorems import THEOREMS, Theorem, called
from privref.vectors.judge import AnswerVerdict
from privref.verification import VerificationOutcome

from .glossary import SECTIONS, page

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads((ROOT / "reference/privref/schemas/ledger.1.json").read_text())


def kinds(name: str) -> list[str]:
    return [kind for kind in SCHEMA["$defs"][name]["properties"]["kind"]["enum"] if kind != "other"]


WORDS = {
    "verdict": get_args(Verdict),
    "guarantee": kinds("guarantee"),
    "mechanism": kinds("mechanism"),
    "word of a ledger": [
        word for name in ("neighbours", "parameters", "interaction") for word in SCHEMA["properties"][name]["enum"]
    ],
}


@pytest.mark.parametrize(("kind", "word"), [(kind, word) for kind, words in WORDS.items() for word in words])
def test_a_printed_word_has_its_card(kind: str, word: str) -> None:
    # The Gaussian filter is called "gaussian" too.
    word = "gaussian mechanism" if word == "gaussian" else word
    card = cards.explain(word)
    assert (card.kind, card.term, card.id) == ("term", kind, word)
    assert card.says.endswith(".")
    assert bool(card.advice) == (kind == "verdict")


#: What audits, checks, judgements, attacks, replays and the gallery print of a closed list, and where it is listed.
PRINTED = {
    "verdicts": {*get_args(Verdict), *MEANINGS},
    "gallery": set(MEANING),
    "verify": set(get_args(VerificationOutcome)),
    "attack": set(get_args(AttackVerdict)),
    "judge": set(get_args(AnswerVerdict)),
    "replay": {*get_args(FilterVerdict), *get_args(CellOutcome), *get_args(Role)},
    "machines": {entry.name for entry in MACHINES},
    "sampling": set(get_args(Sampling)),
    "failures": {failure for failure in get_args(Failure) if failure},
    "errata": set(get_args(Severity)),
    "ledger": {"ledger", "claim", "event", "premise", "budget", "filter", "tuning", "part", "period", "group", "sheet"}
    | {"attained", "attained_together", "observed_cell", "different_names", "privacy_unit", "batch_cap", "shifts"}
    | {"best_of", "trials", "released", "divided_by", "number-of-records", "public-constant", "batch-size"}
    | set(SCHEMA["$defs"]["event"]["properties"]["decision"]["enum"])
    | set(SCHEMA["$defs"]["event"]["properties"]["selected"]["enum"]),
    "report": {"best bound", "margin", "claim short by", "worst case", "what ran", "theorem", "hypothesis", "ours"},
    "audit": {
        "sum of epsilon",
        "sum of rho",
        "sum of mu^2",
        "sum of delta",
        "largest parts",
        "advice",
        "declare",
        "next",
    }
    | {"reason", "question", "meaning", "not declared", "neighbours not declared", "published rounded", "guarantee"}
    | {
        "privacy parameters",
        "mechanism",
        "digest",
        "SHA-256",
        "canonical JSON",
        "hatched",
        "conversion",
        "sigma",
        "scale",
    }
    | {"rate", "sampling rate", "steps", "DP-SGD", "clipped", "noise", "pair", "attack", "PLD", "Rényi", "event(s)"}
    | {"Not applicable", "the claim", "delta-approximate zCDP", "neighbors", "kind", "baseline", "enforced", "optimum"},
    "sentences": {"release", "releases", "adaptive", "curve", "canaries", "row"},
    # Gathered from what all commands print, their help, and the reports as text, HTML and letter.
    "outputs": set((ROOT / "tests/data/printed_words.txt").read_text().splitlines()),
    "proofs": {"identical", "enclosed", "cases", "property", "grid"},
    "documents": {"machine", "menu", "y*", "sidecar", "dominating pair", "loss grid", "witness", "kernel", "erratum"},
}


@pytest.mark.parametrize(("where", "word"), [(where, word) for where in PRINTED for word in sorted(PRINTED[where])])
def test_a_word_that_is_printed_can_be_asked(where: str, word: str) -> None:
    assert cards.explain(word).says, where


def labels() -> set[str]:
    """Return what reports print before the facts of a card and of a ledger: read off their source."""
    files = [ROOT / "reference/privref/report" / name for name in ("cards.py", "html.py", "text.py")]
    pairs = [node for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Tuple)]
    first = {pair.elts[0].value for pair in pairs if len(pair.elts) == 2 and isinstance(pair.elts[0], ast.Constant)}
    return {label for label in first if isinstance(label, str) and label.replace(" ", "").isalpha()}


#: Labels of everyday English.
EVERYDAY = {"at", "is"}


def test_a_label_of_a_report_can_be_asked() -> None:
    assert {"text read", "neighbours", "premise", "hypothesis"} <= labels()
    for label in sorted(labels() - EVERYDAY):
        assert cards.explain(label).says, label


@pytest.mark.parametrize("rule", THEOREMS, ids=lambda rule: rule.id)
def test_a_theorem_can_be_asked_as_it_is_printed(rule: Theorem) -> None:
    for said in (rule.name, rule.name.capitalize(), called(rule.id), called(rule.id, authors=False)):
        assert cards.explain(said).id == rule.id


@pytest.mark.parametrize("hypothesis", Hypothesis)
def test_a_hypothesis_can_be_asked_by_its_words(hypothesis: Hypothesis) -> None:
    assert cards.explain(hypothesis.value) == cards.explain(hypothesis.key)


@pytest.mark.parametrize("word", ["case", "blubb", "wall", "datum", "frog", "table", "notice", "adept"])
def test_no_word_of_another_meaning_is_offered(word: str) -> None:
    with pytest.raises(privref.InputError) as refused:
        cards.explain(word)
    assert "did you mean" not in str(refused.value)


@pytest.mark.parametrize("hypothesis", Hypothesis)
def test_a_hypothesis_has_a_card(hypothesis: Hypothesis) -> None:
    """Either what theorems say of it, or the ledger's word of the same name; with the theorems that need it."""
    card = cards.explain(hypothesis.key)
    assert card.kind == "hypothesis" or card.term in ("word of a ledger", "mechanism", "notion")
    assert all(hypothesis in privref.explain(id).hypotheses for id in card.theorems)


@pytest.mark.parametrize(
    ("asked", "word"), [("ZCDP", "zcdp"), ("Rényi DP", "rdp"), ("privacy_unit", "privacy unit"), ("ε", "epsilon")]
)
def test_other_spellings_of_a_word(asked: str, word: str) -> None:
    assert cards.explain(asked).id == word


def test_words_refer_to_words() -> None:
    """No two entries have one word, and what stands under "see also" has an entry."""
    words = [term["term"] for term in cards.terms()]
    assert len(set(words)) == len(words)
    assert {term["kind"] for term in cards.terms()} == set(SECTIONS)
    for term in cards.terms():
        assert set(term.get("see", ())) <= set(words), term


def test_the_command_takes_words(capsys: pytest.CaptureFixture[str]) -> None:
    def asked(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["explain", *words])
        assert ended.value.code == 0
        return capsys.readouterr().out

    assert asked("privacy", "loss").startswith("privacy loss\nThe logarithm of")
    document = json.loads(asked("conditional", "--format", "json"))
    assert (document["kind"], document["term"]) == ("term", "verdict")
    assert "fixed-in-advance" in document["advice"]


def test_the_page_is_the_list() -> None:
    assert (ROOT / "reference/docs/glossary.md").read_text() == page()
