"""Every erratum's witness, recomputed; and the rows point at things that exist."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable

import pytest

from privref import catalogue
from privref.statements import errata
from privref.statements.registry import PAPERS, statements


def witness(row: errata.Erratum) -> Callable[[], None]:
    """The function that a row names."""
    module, name = row.witness.split(":")
    function: Callable[[], None] = getattr(importlib.import_module(module), name)
    return function


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in errata.rows()])
def test_witness_of_an_erratum_holds(row: errata.Erratum) -> None:
    """The evidence that the row states is recomputed exactly."""
    witness(row)()


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
        assert all((row.where, row.printed, row.correct, row.consequence))


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
