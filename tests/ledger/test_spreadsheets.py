"""The reader of plain sheets of few columns."""

from __future__ import annotations

from pathlib import Path

import pytest

import privref


@pytest.mark.parametrize(
    "text",
    [
        "epsilon,delta\n1,\n1,\n", "epsilon,delta\n,0\n,0\n", "epsilon,delta,count\n,1e-6,1000\n1,1e-6,1\n",
        "rho,count\n,5\n1,2\n",
    ],
)  # fmt: skip
def test_an_empty_first_cell_is_not_the_number_0(text: str, tmp_path: Path) -> None:
    """Plain sheets of few columns are read by a reader of their own, which remembers the last cell."""
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(privref.InputError, match="line 2"):
        privref.read_ledger(path)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("release,epsilon,repetitions\nA,1,a dozen\n", "how often"),
        ("release,epsilon,frequency\nA,1,regularly\n", "how often|frequency"),
        ("release,epsilon,number of queries\nA,1,hundreds\n", "how often"),
        ("release,privacy loss\nA,5 nats\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("release,privacy loss\nA,5*\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("release,privacy loss\nA,(5)\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("release,privacy loss\nA,five\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("part of report,epsilon\nchapter 1,1\nchapter 2,2\n", "groups of people"),
        ("part of total epsilon,epsilon\na,1\n", "groups of people"),
    ],
)
def test_what_may_count_more_or_less_is_a_question(text: str, match: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(privref.InputError, match=match):
        privref.read_ledger(path)
