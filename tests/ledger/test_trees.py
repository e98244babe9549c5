"""Random trees of events: dp-accounting's recorded answers have one of privref next to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ledger import trees

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "event_trees.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["number"]))
def test_what_dp_accounting_answers_privref_answers(row: dict[str, Any]) -> None:
    """By the same comparison as when the row was recorded, of a tree that is drawn again."""
    relation, delta, tree = trees.drawn(row["number"], row["seed"])
    assert (relation, delta, tree) == (row["relation"], row["delta"], row["tree"])
    found = trees.ours(relation, delta, tree)
    assert trees.judged({**row, **found}) == trees.judged(row)
    assert trees.judged(row) != "privref has no answer"
    assert found["low"] <= row["high"]
    assert row["low"] <= found["high"] or not row["exact"]


def test_the_recorded_trees_are_of_each_relation_and_of_most_classes() -> None:
    assert {row["relation"] for row in ROWS} == set(trees.RELATIONS)
    assert {"not above", "above, an upper bound only"} <= {trees.judged(row) for row in ROWS}
    seen = {name for row in ROWS for name in trees.names(row["tree"])}
    assert len(seen) >= 10


RR: Any = {"class": "RandomizedResponseDpEvent", "noise_parameter": 0.5, "num_buckets": 2}
ROW: dict[str, Any] = {"relation": "zero-out", "tree": {"class": "GaussianDpEvent", "noise_multiplier": 1.0}}


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"pld": None, "rdp": None}, "no peer answers"),
        ({"pld": 1.0, "why": "no theorem"}, "privref has no answer"),
        ({"pld": 1.0, "rdp": 2.0, "low": 0.9, "high": 1.0, "exact": True}, "not above"),
        ({"pld": 2.0, "rdp": 1.0, "low": 1.1, "high": 1.1, "exact": False}, "above, an upper bound only"),
        ({"pld": 1.0, "low": 1.0, "high": 1.1, "exact": True}, "above by the width of the enclosure"),
        ({"pld": 1.0, "low": 1.1, "high": 1.1, "exact": True}, "a peer is below what some data sets lose"),
        ({"relation": "replace-one", "pld": 2.0, "rdp": 1.0, "low": 1.9, "high": 2.0, "exact": True}, "not above"),
        ({"relation": "replace-one", "rdp": 1.0}, "no peer answers"),
        ({"pld": 1.0, "tree": {"class": "SelfComposedDpEvent", "event": RR, "count": 2}}, "no peer answers"),
    ],
)
def test_what_a_row_shows(more: dict[str, Any], shown: str) -> None:
    assert trees.judged({**ROW, **more}) == shown


def test_the_counts_name_what_has_no_answer() -> None:
    rows = [{**ROW, "pld": 1.0, "why": "no theorem"}, {**ROW, "pld": 1.0, "low": 1.0, "high": 1.0, "exact": True}]
    lines = [line.strip() for line in trees.counted(rows)]
    assert {"2 trees", "1 privref has no answer", "1 zero-out: Gaussian", "1 no theorem"} <= set(lines)
