"""Errata are found by the papers they concern."""

from __future__ import annotations

import pytest

import privref
from privref.exact.errors import InputError
from privref.statements import errata


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
