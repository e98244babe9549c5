"""Every erratum's witness, recomputed; and the rows point at things that exist."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from privref import catalogue
from privref.statements import errata
from privref.statements.registry import PAPERS, statements

#: Digits that are no claims: references to parts of the papers and of this project, and digits within names.
_REFERENCES = re.compile(
    r"(?:Theorem|Lemma|Definition|Condition|Algorithm|Section|Appendix|Figure|line|equation|step|Fact)s? "
    r"\(?\d[\d.]*\)?(?:(?:,| and| or) \(?\d[\d.]*\)?)*|\(\d\d?\)|(?<=[A-Za-z_])\d+"
)


def witness(row: errata.Erratum) -> Callable[[], tuple[str, ...]]:
    """The function that a row names."""
    module, name = row.witness.split(":")
    function: Callable[[], tuple[str, ...]] = getattr(importlib.import_module(module), name)
    return function


def unfounded(row: errata.Erratum, facts: tuple[str, ...]) -> list[str]:
    """What the row does not say of the facts, and the numbers that it prints beyond them."""
    words = " | ".join((row.says, row.correct, row.consequence))
    missing = [fact for fact in facts if not re.search(rf"(?<![\d./]){re.escape(fact)}(?![\d/]|\.\d)", words)]
    for fact in sorted(facts, key=len, reverse=True):
        words = words.replace(fact, "~")
    return missing + re.findall(r"\S*\d\S*", _REFERENCES.sub("~", words))


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in errata.rows()])
def test_witness_of_an_erratum_holds(row: errata.Erratum) -> None:
    """The evidence that the row states is recomputed exactly, and every number in the row is part of it."""
    facts = witness(row)()
    assert facts
    assert unfounded(row, facts) == []


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in errata.rows()])
def test_a_row_names_its_own_witness(row: errata.Erratum) -> None:
    """The witness is called as the row."""
    assert row.witness.split(":")[1] == row.id.lower()


def test_a_changed_number_is_unfounded() -> None:
    """The comparison of a row with its facts bites."""
    row = next(row for row in errata.rows() if row.id == "E1")
    facts = witness(row)()
    for was, instead in (("0.1443", "0.2443"), ("1/5", "1/3"), ("1/30", "1/31"), ("(2 eps", "(3 eps")):
        assert was in row.correct + row.says
        changed = replace(row, correct=row.correct.replace(was, instead), says=row.says.replace(was, instead))
        assert unfounded(changed, facts)
    assert unfounded(row, ())


def test_every_witness_belongs_to_a_row() -> None:
    """No certificate is left over, and no row is without one."""
    named = {row.witness for row in errata.rows()}
    assert len(named) == len(errata.rows())
    for paper in ("rogers", "whitehouse", "hartmann"):
        module = importlib.import_module(f"proofs.errata.{paper}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                assert f"{module.__name__}:{name}" in named, name


def test_rows_name_known_papers_and_registered_statements() -> None:
    """A row's paper and statements exist, and its number is its own."""
    catalogue.load()
    known = {statement.id for statement in statements()}
    assert len({row.id for row in errata.rows()}) == len(errata.rows())
    for row in errata.rows():
        assert row.paper in PAPERS
        assert row.statements
        assert set(row.statements) <= known, row.id
        assert all((row.where, row.says, row.correct, row.consequence))


def test_every_printed_statement_has_an_erratum() -> None:
    """What privref keeps as printed and wrong is explained by a row."""
    catalogue.load()
    for statement in statements():
        if statement.standing == "printed":
            assert errata.for_statement(statement.id), statement.id


def test_errata_are_found_by_statement_and_by_paper() -> None:
    """The reader's two look-ups agree with the rows."""
    assert [row.id for row in errata.for_statement("whitehouse2023/thm2.arxiv.printed")] == ["E3"]
    assert {row for paper in PAPERS for row in errata.for_paper(paper)} == set(errata.rows())
