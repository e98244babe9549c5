"""Errata are found by the papers they concern."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

import privref
from privref.exact.errors import InputError
from privref.statements import errata
from privref.statements.papers import REFERENCES


def ids(paper: str) -> set[str]:
    return {row.id for row in errata.for_paper(paper)}


def test_a_papers_errata_include_those_printed_elsewhere_about_its_statements() -> None:
    """E1 is printed in Rogers et al. and repeated by Whitehouse et al.; E17 and E18 concern Kairouz, Oh, Viswanath."""
    assert {"E1", "E3"} <= ids("whitehouse2023")
    assert {"E1", "E30", "E32"} <= ids("rogers2016")
    assert ids("kov2015") >= {"E17", "E18"}
    assert "E3" not in ids("rogers2016")


@pytest.mark.parametrize("row", errata.rows(), ids=lambda row: row.id)
def test_every_row_is_listed_under_its_paper_and_those_of_its_statements(row: errata.Erratum) -> None:
    """No look-up by paper hides a row about a statement of that paper."""
    for paper in {row.paper, *(id.split("/")[0] for id in row.statements)}:
        assert row in errata.for_paper(paper)


def test_the_public_list_takes_the_same_papers() -> None:
    """A paper without rows of its own is known if a row concerns its statements; any other is refused."""
    assert [row.id for row in privref.errata("kov2015")] == [row.id for row in errata.for_paper("kov2015")]
    with pytest.raises(InputError, match="hartmann2022, kov2015, rogers2016, whitehouse2023"):
        privref.errata("mironov2017")


@pytest.mark.parametrize("row", errata.rows(), ids=lambda row: row.id)
def test_every_row_says_which_copy_was_read_and_how_to_object(row: errata.Erratum) -> None:
    """Its card, its document and its text name the copy; a quotation is whole, and a fault of a copy is no charge."""
    assert row.read
    (document,) = privref.report.errata_document([row])["errata"]
    assert (document["read"], document["says"]) == (row.read, row.says)
    text = plain(privref.report.errata_report([row]))
    assert row.read in text
    assert "We may be wrong: tell us" in text
    assert row.says.count('"') % 2 == 0
    if row.severity == "extraction":
        assert "copy" in row.says or "copies" in row.says
        assert "nothing is said against the paper" in row.correct


def test_the_page_of_errata_names_the_copies_and_how_to_object() -> None:
    """The same on the generated page, and nothing is called printed there that is not quoted."""
    page = (Path(__file__).parents[2] / "reference" / "docs" / "errata.md").read_text(encoding="utf-8")
    assert "If we are wrong about you" in page
    assert "- printed:" not in page
    for paper in {row.paper for row in errata.rows()}:
        assert REFERENCES[paper].read == "yes"
        assert f"Read: {REFERENCES[paper].note}." in page


def plain(parts: RenderableType) -> str:
    """A report as it stands in a file, with no line folded."""
    console = Console(width=100_000, file=StringIO())
    console.print(parts)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()
