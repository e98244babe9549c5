"""Ledgers from data frames: read as the sheet that they are, with floats refused, and back."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import privref

COLUMNS: dict[str, list[Any]] = {
    "release": ["counts", "means, again", None],
    "epsilon": ["0.5", Decimal("0.25"), Fraction(1, 3)],
    "delta": ["0", "1e-7", 0],
    "count": [3, 1, 1],
}
TEXT = 'release,epsilon,delta,count\ncounts,0.5,0,3\n"means, again",0.25,1e-7,1\n,1/3,0,1\n'


def test_a_frame_is_the_ledger_of_its_sheet() -> None:
    """The same events and the same digest as of the CSV text."""
    found = privref.ledger_from_frame(COLUMNS, "t", parameters="fixed-in-advance")
    assert found == privref.ledger_from_csv(TEXT, "t", parameters="fixed-in-advance")
    assert [row["guarantee"] for row in found.rows_of_events()][2] == "approx-dp(epsilon = 1/3, delta = 0)"


def test_frames_of_both_libraries_are_read() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS).replace({None: pandas.NA})
    assert privref.ledger_from_frame(frame, "t") == privref.ledger_from_csv(TEXT, "t")
    assert list(privref.ledger_from_frame(frame, "t").to_frame()["label"]) == ["counts", "means, again", ""]
    polars = SimpleNamespace(to_dict=lambda as_series: COLUMNS)
    assert privref.ledger_from_frame(polars, "t") == privref.ledger_from_csv(TEXT, "t")


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ({"epsilon": ["0.5", 0.5]}, r"frame\['epsilon'\]\[1\].*dtype=str"),
        ({"epsilon": ["0.5"], "delta": []}, "columns of the same length"),
        ({"epsilon": "0.5"}, "each a list of cells"),
        ({}, "columns with names"),
        (3, "a data frame of pandas or polars"),
    ],
)
def test_what_is_no_frame_of_exact_numbers_is_refused(frame: Any, said: str) -> None:
    with pytest.raises(privref.InputError, match=said):
        privref.ledger_from_frame(frame, "t")
