"""Claims are read exactly, and shown as they were written."""

from __future__ import annotations

from dataclasses import replace
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
            "(0.5, 0) remains of (1.0, 0)",
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


RECORD = privref.ledger_from_document(
    {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
        "parameters": "fixed-in-advance", "interaction": "sequential",
        "events": [{"count": 3, "guarantee": {"kind": "gaussian-dp", "mu": "1/10"}}],
    }
)  # fmt: skip


@pytest.mark.parametrize(
    "made",
    [
        privref.ApproxDPClaim("c", "1", "1e-6", by="cks2020/zcdp2dp"),
        privref.ApproxDPClaim("c", "4", "1e-6", units=2, neighbours="replace-one"),
        privref.ZCDPClaim("c", "1/10"),
        privref.GaussianDPClaim("c", "1/2"),
    ],
)
def test_a_claim_made_in_python_has_a_certificate_that_says_it(made: privref.ApproxDPClaim) -> None:
    """It had none, without a word."""
    audit = privref.audit(RECORD, [made])
    assert audit.opinions[0].verdict == "confirmed"
    document = privref.certificates(audit)["c"]
    assert privref.verify(document).outcome == "verified"
    (again,) = privref.claims_from_document({"schema": "claims.1", "claims": [document["claim"]]})
    assert replace(again, document=None) == made


@pytest.mark.parametrize("bad", [0, -1, "2.5", 1.5, True, None, 10**7])
@pytest.mark.parametrize("field", ["units", "periods", "neighbours"])
def test_a_scope_that_is_none_is_refused(field: str, bad: Any) -> None:
    """A group of 0 ended in a division by zero."""
    if (field, bad) == ("neighbours", None):
        return
    with pytest.raises(privref.InputError, match=rf"^{field}"):
        privref.ApproxDPClaim("c", "1", "0", **{field: bad})
