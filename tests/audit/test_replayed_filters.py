"""A ledger through the filters and odometers of the seed papers: what its declarations let them do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.audit.replayed import replay_ledger, setup_for
from privref.exact.errors import InputError

EPS, DELTA = Fraction(1), Fraction(1, 10**6)


def ledger(document: dict[str, Any], **changes: Any) -> privref.Ledger:
    return privref.ledger_from_document({**document, **changes})


def test_every_request_is_a_row_and_counts_are_expanded(ledger_document: dict[str, Any]) -> None:
    record = ledger(ledger_document)
    found = replay_ledger(record, setup_for(record, EPS, DELTA))
    assert [row.cells["basic-filter"].outcome for row in found.rows] == ["CONT"] * 10 + ["HALT"] * 7
    assert {"rogers-odometer", "restated-odometer", "renyi-filter"} <= set(found.refused)


def test_a_first_request_that_is_too_large_is_refused_before_anything_ran(ledger_document: dict[str, Any]) -> None:
    big = ledger(ledger_document, events=[{"guarantee": {"kind": "pure-dp", "epsilon": "2"}}])
    found = replay_ledger(big, setup_for(big, EPS, DELTA), names=("basic-filter", "dp-filter", "rogers-filter"))
    assert {cell.outcome for cell in found.rows[0].cells.values()} == {"HALT"}


def test_odometers_are_not_told_of_requests_that_never_ran(ledger_document: dict[str, Any]) -> None:
    events = [
        {"guarantee": {"kind": "pure-dp", "epsilon": "0.5"}, "decision": "continue"},
        {"guarantee": {"kind": "pure-dp", "epsilon": "0.7"}, "decision": "reject"},
        {"guarantee": {"kind": "pure-dp", "epsilon": "0.25"}, "decision": "continue"},
    ]
    record = ledger(ledger_document, events=events)
    rows = replay_ledger(record, setup_for(record, EPS, DELTA)).rows
    readings = [getattr(row.cells["basic-odometer"].reading, "lower", None) for row in rows]
    assert readings == [Fraction(1, 2), Fraction(1, 2), Fraction(3, 4)]


@pytest.mark.parametrize(
    ("neighbours", "public", "known"),
    [("replace-one", True, True), ("replace-one", False, False), ("add-or-remove-one", True, False)],
)
def test_the_size_is_used_only_where_it_is_public(
    ledger_document: dict[str, Any], neighbours: str, public: bool, known: bool
) -> None:
    sized = ledger(ledger_document, neighbours=neighbours, dataset_size={"value": 1000, "public": public})
    assert ("rogers-odometer" not in replay_ledger(sized, setup_for(sized, EPS, DELTA)).refused) == known


@pytest.mark.parametrize(
    ("mechanism", "outcome"), [("four-outcome-randomized-response", "CONT"), ("randomized-response", "inapplicable")]
)
def test_general_rounds_with_a_delta_are_covered_only_as_randomized_response(
    ledger_document: dict[str, Any], mechanism: str, outcome: str
) -> None:
    event = {
        "guarantee": {"kind": "approx-dp", "epsilon": "0.1", "delta": "1e-8"},
        "mechanism": {"kind": mechanism},
    }
    record = ledger(ledger_document, events=[event])
    cells = replay_ledger(record, setup_for(record, EPS, DELTA)).rows[0].cells
    assert cells["mixture-odometer"].outcome == outcome
    assert cells["dp-filter"].outcome == "CONT"
    assert cells["mixture-odometer-repaired"].outcome == "inapplicable"


def test_the_ledgers_tuning_is_used_and_must_be_one(ledger_document: dict[str, Any]) -> None:
    tuning = {
        "whitehouse2023/thm3.mixture": {"gamma": "1/100", "delta_prime": "1e-7"},
        "whitehouse2023/thm3.stitched": {"v0": "1/50"},
    }
    setup = setup_for(ledger(ledger_document, tuning=tuning), EPS, DELTA)
    assert (setup.gamma, setup.v0, setup.delta_prime) == (Fraction(1, 100), Fraction(1, 50), Fraction(1, 10**7))
    tuning["whitehouse2023/thm3.stitched"]["delta_prime"] = "1e-8"
    with pytest.raises(InputError, match="delta_prime"):
        setup_for(ledger(ledger_document, tuning=tuning), EPS, DELTA)
