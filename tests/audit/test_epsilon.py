"""The one question: a ledger in each form, and how narrow the answer is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import privref

LEDGER: dict[str, Any] = {
    "schema": "ledger.1", "title": "rounds", "privacy_unit": "record", "neighbours": "zero-out",
    "parameters": "fixed-in-advance", "interaction": "sequential",
    "events": [{
        "count": 4,
        "mechanism": {
            "kind": "gaussian-mixture", "sigma": "2", "shifts": ["0", "1", "3"], "weights": ["7/10", "1/5", "1/10"]},
    }],
}  # fmt: skip


def test_a_ledger_may_be_the_mapping_of_its_file() -> None:
    assert privref.epsilon(LEDGER, "1e-5") == privref.epsilon(privref.ledger_from_document(LEDGER), "1e-5")
    with pytest.raises(privref.InputError, match=r"ledger\.neighbours"):
        privref.epsilon({key: value for key, value in LEDGER.items() if key != "neighbours"}, "1e-5")


def test_a_narrower_answer_lies_within_the_first_one() -> None:
    first, second = privref.epsilon(LEDGER, "1e-5"), privref.epsilon(LEDGER, "1e-5", width="2e-6")
    assert not first.relative_width_at_most(Fraction("2e-6"))
    assert second.relative_width_at_most(Fraction("2e-6"))
    assert first.lower <= second.lower <= second.upper <= first.upper


def test_one_part_is_not_asked_again_for_all() -> None:
    """Another part may have more than what the first one has exactly: it was narrowed to that."""
    (event,) = LEDGER["events"]
    noise = {**event["mechanism"], "sigma": "2.0000001"}
    parts = [
        {**event, "mechanism": each, "part": {"of": "region", "is": name}}
        for each, name in ((event["mechanism"], "north"), (noise, "south"))
    ]
    split = {**LEDGER, "neighbours": "add-or-remove-one", "events": parts, "partitions": {"region": "by address"}}
    with pytest.raises(privref.UndecidedError, match="and to none narrower"):
        privref.epsilon(split, "1e-5", width="2e-6")


def test_a_width_that_is_there_asks_for_nothing_more() -> None:
    assert privref.epsilon(LEDGER, "1e-5", width="1/10") == privref.epsilon(LEDGER, "1e-5")


def test_a_width_out_of_reach_is_refused_with_the_one_that_is_known() -> None:
    with pytest.raises(privref.UndecidedError, match=r"enclosed to a relative \d.*e-\d.*, and to none narrower"):
        privref.epsilon(LEDGER, "1e-5", width="1e-12")


@pytest.mark.parametrize("width", ["0", "1", "-1e-6", "2"])
def test_a_width_is_a_part(width: str) -> None:
    with pytest.raises(privref.InputError, match=r"width: privref rejects .* above 0 and below 1"):
        privref.epsilon(LEDGER, "1e-5", width=width)
