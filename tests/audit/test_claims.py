"""Claims are read exactly, and shown as they were written."""

from __future__ import annotations

from typing import Any

import pytest

import privref


def claim(**said: Any) -> privref.Claim:
    (found,) = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **said}]})
    return found


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"epsilon": "17.14", "delta": "1e-10"}, "(17.14, 1e-10)-DP"),
        ({"rho": "0.50"}, "0.50-zCDP"),
        (
            {"epsilon": "1.0", "delta": "0", "remaining": {"epsilon": "0.5", "delta": "0"}},
            "(1/2, 0) remains of (1.0, 0)",
        ),
    ],
)
def test_a_claim_is_shown_as_it_was_written(said: dict[str, Any], shown: str) -> None:
    """17.14 is not shown as 857/50."""
    assert str(claim(**said)) == shown


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"epsilon": "1", "delta": "1.01"}, "delta"),
        ({"rho": "1", "delta": "1.01"}, "delta"),
        ({"epsilon": "1", "delta": "0", "remaining": {"epsilon": "1", "delta": "1.01"}}, "remaining.delta"),
    ],
)
def test_a_delta_is_a_probability(said: dict[str, Any], field: str) -> None:
    """Also the one that remains; 1 itself is one."""
    with pytest.raises(privref.InputError) as refusal:
        claim(**said)
    assert refusal.value.field == f"claims.claims[0].{field}"
    (said["remaining"] if "." in field else said)["delta"] = "1"
    assert claim(**said)


def test_neighbours_are_of_total_claims_only() -> None:
    """What an odometer read, and what a filter has left, is under the ledger's own neighbours."""
    reading = {"id": "r", "reading": "1", "delta": "0", "after_event": 1, "by": "rogers2016/thm3.3"}
    privref.claims_from_document({"schema": "claims.1", "claims": [reading]})
    with pytest.raises(privref.InputError):
        privref.claims_from_document({"schema": "claims.1", "claims": [{**reading, "neighbours": "replace-one"}]})
