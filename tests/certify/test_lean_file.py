"""From certificates to Lean files: only of what the Lean checker really states."""

from __future__ import annotations

from typing import Any

import pytest

import privref


def certificate(claim: dict[str, str], **more: Any) -> dict[str, Any]:
    record = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [{"guarantee": {"kind": "zcdp", "rho": "1/10"}}], **more,
        }
    )  # fmt: skip
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    return privref.certificates(privref.audit(record, claims))["c"]


CLAIM = {"epsilon": "5", "delta": "1e-6", "by": "cks2020/zcdp2dp"}


def adaptive(**budget: str) -> dict[str, Any]:
    return {"parameters": "chosen-adaptively", "budget": {"delta": "1e-6", **budget}}


def test_a_confirmed_claim_becomes_a_lean_file() -> None:
    assert "CksBound" in privref.lean_file(certificate(CLAIM))
    assert "ZcdpBound" in privref.lean_file(certificate({**CLAIM, "by": "whitehouse2023/lem1"}))


def test_the_split_of_a_filter_is_the_one_that_lean_checks() -> None:
    """The tight conversion has no split in Lean: one that was fixed in advance must leave it all of delta."""
    named = {"epsilon": "5", "filter": "cks2020/zcdp2dp"}
    assert "CksBound" in privref.lean_file(certificate(CLAIM, **adaptive(**named, delta_prime="1e-6")))
    with pytest.raises(privref.InputError, match="gives all of the claimed delta"):
        privref.lean_file(certificate(CLAIM, **adaptive(**named)))


def test_a_budget_of_rho_is_not_what_the_events_spent() -> None:
    document = certificate(CLAIM, **adaptive(rho="1/5", filter="whitehouse2023/thm1", delta="0"))
    with pytest.raises(privref.InputError, match=r"ledger\.budget\.rho"):
        privref.lean_file(document)


def test_what_confirms_nothing_or_has_no_ledger_is_refused() -> None:
    document = certificate(CLAIM)
    false = certificate({**CLAIM, "epsilon": "2", "by": "whitehouse2023/lem1"})
    assert false["verdict"] != "confirmed"
    del document["ledger"]["document"]
    for broken in (document, false, certificate({"rho": "1"})):
        with pytest.raises(privref.InputError):
            privref.lean_file(broken)
