"""``privref explain`` knows every id that a command prints, and says of it what the tables say."""

from __future__ import annotations

import ast
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import privref
from privref import cards
from privref.adaptive.calibrate import RULES
from privref.adaptive.machines import MACHINES, Setup, build_all
from privref.audit.replayed import ODOMETERS, machines_for
from privref.audit.routes import EPSILON_ROUTES, RHO_ROUTES
from privref.certify.listed import CHECKED_STATEMENTS
from privref.cli.main import main
from privref.games.named import names as accountant_names
from privref.kernel.theorems import TABLES
from privref.ledger.model import FILTERS
from privref.statements import errata, papers
from privref.statements.registry import statements
from privref.statements.theorems import THEOREMS

SETUP = Setup(Fraction(2), Fraction(1, 10**6), n=Fraction(1000), order=Fraction(32))


def printed(ledger_document: dict[str, Any]) -> set[str]:
    """Every id that audit, verify, replay, compare, calibrate, attack, certify, vectors, eval and errata can print."""
    ledger = privref.ledger_from_document(ledger_document)
    machines = machines_for(ledger, SETUP)[0] | build_all(SETUP)[0]
    found = {found.id for found in statements()} | {each.id for each in THEOREMS}
    found |= {route.by for route in (*EPSILON_ROUTES, *RHO_ROUTES)}
    found |= {route.statement for route in (*EPSILON_ROUTES, *RHO_ROUTES)}
    found |= {by for table in TABLES.values() for by in table}
    found |= set(ODOMETERS) | set(ODOMETERS.values()) | set(FILTERS) | set(CHECKED_STATEMENTS)
    found |= {entry.name for entry in MACHINES} | set(machines) | {machine.statement for machine in machines.values()}
    found |= set(RULES) | set(accountant_names())
    found |= {vector.statement for vector in privref.golden_vectors().values()}
    found |= {row.id for row in errata.rows()} | set(papers.PAPERS)
    return found


def test_a_theorem_is_found_by_its_name_with_or_without_an_article() -> None:
    for words in ("basic filter", "the basic filter", "basic-filter", "The Basic Filter"):
        assert cards.explain(words).id == "rogers2016/thm3.3"


def test_every_printed_id_is_explained(ledger_document: dict[str, Any]) -> None:
    """Each has a card that says something, in text and as JSON, and is among the ids that are suggested."""
    wanted = printed(ledger_document)
    assert len(wanted) > 200
    for id in sorted(wanted):
        card = cards.explain(id)
        assert card.says
        assert card.id == id or id in card.names or card.kind == "erratum"
        json.dumps(privref.report.card_document(card))
        assert privref.report.card_report(card)
    assert wanted <= set(cards.ids())


def test_a_card_says_what_kind_of_erratum_each_is(capsys: pytest.CaptureFixture[str]) -> None:
    """A note, or a fault of a copy, does not read as a charge: its severity stands beside it."""
    for row in errata.rows():
        with pytest.raises(SystemExit):
            main(["explain", row.id])
        assert f"{row.id} ({row.severity}; " in " ".join(capsys.readouterr().out.split())
        (shown,) = privref.report.card_document(cards.explain(row.id))["errata"]
        assert (shown["severity"], shown["says"]) == (row.severity, row.says)


def test_every_id_that_the_package_spells_is_explained() -> None:
    """Each string of its code that is or holds an id, docstrings apart, and each id in its data: the newest command's
    too, whichever premise, filter or sampler it names.
    """
    form = re.compile(r"(?<![\w./-])[a-z]+[0-9]*/[A-Za-z0-9_.]*[A-Za-z0-9_]")
    folder = Path(privref.__file__).parent
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in said)
        texts[path.name] = " ".join(node.value for node in strings if isinstance(node.value, str))
    for path in sorted(folder.rglob("*.json")):
        texts[str(path)] = path.read_text(encoding="utf-8") if path.parent.name != "data" else ""
    found = {name for text in texts.values() for name in form.findall(text) if name.split("/")[0] in papers.PAPERS}
    assert len(found) > 200
    unknown = found - set(cards.ids())
    assert unknown == set()


def test_a_result_names_its_statements() -> None:
    """What audits print of a group or a selection is a result; its statements say the rest."""
    card = cards.explain("bs2016/prop1.9")
    assert (card.kind, card.statements) == ("result", ("bs2016/prop1.9.rho",))
    assert card.says == cards.explain("bs2016/prop1.9.rho").says
    several = cards.explain("whitehouse2023/lem1")
    assert several.kind == "theorem"
    lemma = cards.explain("rogers2016/lem2.3")
    assert lemma.kind == "result"
    assert set(lemma.statements) == {f"rogers2016/lem2.3.{part}" for part in ("delta", "printed", "corrected")}
    assert {row.id for row in lemma.errata} >= {"E1"}


def test_ids_in_the_output_of_commands_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """What the example's audit and its comparison name, taken from their text."""
    for command in (("audit", "--example", "census2020-guarantees"), ("errata",)):
        with pytest.raises(SystemExit):
            main([*command, "--format", "json"])
        text = capsys.readouterr().out
        found = {id for id in re.findall(r'"([a-z]+[0-9]*/[A-Za-z0-9_.]+)"', text) if id.split("/")[0] in papers.PAPERS}
        assert found
        for id in found:
            assert cards.explain(id).says


def test_a_card_joins_what_is_known() -> None:
    """A statement's card has its function's place, proof, vectors and theorem; a theorem's its machine and errata."""
    card = cards.explain("whitehouse2023/thm2.f")
    assert card.kind == "statement"
    path, _, line = card.file.partition(":")
    source = (Path(privref.__file__).parents[1] / path).read_text(encoding="utf-8").splitlines()
    assert "whitehouse2023/thm2.f" in "\n".join(source[int(line) - 1 : int(line) + 3])
    assert card.proofs
    assert card.vectors > 0
    assert card.theorems == ("whitehouse2023/thm2",)
    theorem = cards.explain("whitehouse2023/thm2")
    assert theorem.filter == "dp-filter"
    assert {"E9", "E10"} <= {row.id for row in theorem.errata}
    assert cards.explain("dp-filter") == theorem


def test_the_card_of_a_theorem_that_is_a_statement_is_one() -> None:
    """whitehouse2023/thm3.mixture is an odometer's theorem and its formula."""
    card = cards.explain("whitehouse2023/thm3.mixture")
    assert card.kind == "theorem"
    assert card.odometer == "mixture-odometer"
    assert card.function.endswith(".mixture_reading") or card.function
    assert card.inputs


@pytest.mark.parametrize(("words", "id"), [("svt", "hartmann2022/lem8.cost"), ("tight zcdp", "cks2020/zcdp2dp")])
def test_words_find_cards(words: str, id: str) -> None:
    """Every word must occur, in any case; abbreviations of the field count."""
    assert id in {card.id for card in cards.find(words)}
    assert {card.id for card in cards.find(words.upper())} == {card.id for card in cards.find(words)}
    assert not cards.find(f"{words} xyzzy")


def test_unknown_ids_are_refused_with_the_nearest() -> None:
    """One line that names the near ones; no words are refused too."""
    with pytest.raises(privref.InputError, match=r"whitehouse2023/thm2"):
        cards.explain("whitehouse2023/thm22")
    with pytest.raises(privref.InputError, match="give one or more words"):
        cards.find(" ")


def test_a_citation_says_whether_anybody_has_read_it() -> None:
    """Every card with a source prints it; what was read is one of three words, with what is unconfirmed."""
    words = {"yes", "abstract only", "no"}
    assert {paper.read for paper in papers.REFERENCES.values()} == words
    assert all(paper.note for paper in papers.REFERENCES.values())
    for card in (*cards.all_cards(), *map(cards.explain, papers.REFERENCES), cards.explain("E2")):
        paper = papers.REFERENCES[card.id.split("/")[0]] if "/" in card.id else None
        assert card.read in words
        assert paper is None or (card.read, card.read_note) == (paper.read, paper.note)
        assert f"text read   {card.read}" in shown(card)
    # Texts at hand when the statements were written; of the others nobody has confirmed a number.
    assert {key for key, paper in papers.REFERENCES.items() if paper.read == "yes"} == {
        "rogers2016", "whitehouse2023", "hartmann2022",
    }  # fmt: skip


@pytest.mark.parametrize("id", ["dong2020/prop4", "liu2019/alg1.eps", "liu2019/alg2.eps", "zdw2022/poisson_gaussian"])
def test_an_unconfirmed_number_says_so_on_its_card(id: str) -> None:
    assert cards.explain(id).read != "yes"
    assert re.search("unconfirmed|as others quote", cards.explain(id).read_note)


def test_a_card_says_which_failure_an_odometer_bounds() -> None:
    assert (
        "bounds the probability that the loss exceeds the reading at some time (Whitehouse et al. 2023, Definition 6)"
        in (shown(cards.explain("mixture-odometer")))
    )
    assert "the absolute value of the loss exceeds" in shown(cards.explain("rogers-odometer"))
    assert cards.explain("dp-filter").odometer_failure == ""


def shown(card: cards.Card) -> str:
    console = Console(width=300)
    with console.capture() as capture:
        console.print(privref.report.card_report(card))
    return capture.get()
