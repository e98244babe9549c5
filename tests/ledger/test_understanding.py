"""How columns are understood is what the reader of sheets does with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import privref
from privref.ledger import sheet_events, sheets, understanding
from privref.ledger.sheets import letters
from privref.ledger.understanding import columns_understood

SHEET = """Privacy ledger of the office;;;
;;;
Release;Privacy loss (ε);δ (rounded);Note
Karte;≤ 1,5;1e-6;first
Tabelle;50 %;1e-7;
"""


def test_each_column_is_shown_with_its_cell_and_its_reading() -> None:
    readings = columns_understood(SHEET)
    assert [(each.cell, each.heading, each.at, each.written, each.read) for each in readings] == [
        ("A3", "Release", "A4", "Karte", ""),
        ("B3", "Privacy loss (ε)", "B4", "≤ 1,5", "1.5"),
        ("C3", "δ (rounded)", "C4", "1e-6", "1e-6"),
        ("D3", "Note", "D4", "first", ""),
    ]
    assert readings[2].meaning == "delta of the guarantee, published rounded"
    assert readings[3].meaning.startswith("a word about the release")
    (first, _) = privref.ledger_from_csv(SHEET, "t").rounded
    assert first.path == ("events", 0, "guarantee", "delta")


def test_a_cell_that_is_asked_about_is_shown_so() -> None:
    (reading,) = columns_understood("epsilon\nln 3\n")
    assert (reading.written, reading.read) == ("ln 3", "1.0986122886681097, rounded")


@pytest.mark.parametrize(("column", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")])
def test_columns_have_the_letters_of_spreadsheet_programs(column: int, name: str) -> None:
    assert letters(column) == name


def test_every_meaning_has_words() -> None:
    known = {*sheets.MEANING.values(), *sheet_events.MEANING.values()}
    assert known == set(understanding._WORDS)


def test_rows_of_a_workbook_keep_their_numbers(tmp_path: Path) -> None:
    """A title above makes no row too short, and an empty row is counted, as the spreadsheet program counts it."""
    openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")
    book = openpyxl.Workbook()
    for row in (["Privacy ledger"], [], ["Release", "Privacy loss (ε)", "Note"], ["a", "≤ 1", None], ["b", "log 3"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(privref.InputError, match=r"^ledger cell B5: privref rejects 'log 3'"):
        privref.read_ledger(tmp_path / "a.xlsx")
    book.active["B5"] = "1.1"
    book.save(tmp_path / "a.xlsx")
    assert [event.label for event in privref.read_ledger(tmp_path / "a.xlsx").events] == ["a", "b"]


def test_a_mechanism_without_parameters_is_shown_as_a_word() -> None:
    (_, mechanism, *_) = columns_understood("epsilon,mechanism,sigma\n1,laplace,\n")
    assert mechanism.meaning.startswith("a word about the row")
    (mechanism, *_) = columns_understood("mechanism,sigma,sensitivity\ngaussian,1,1\n")
    assert mechanism.meaning == "mechanism that ran"
