"""Which verdicts have no certificate of the kernel: those that its page lists, each with the reason that is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

import privref
from tests.kernel.cases import UNCERTIFIED
from tests.kernel.page import page


@pytest.mark.parametrize("name", UNCERTIFIED)
def test_a_verdict_of_the_list_has_no_certificate(name: str) -> None:
    record, claim, verdict, reason = UNCERTIFIED[name]
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    audit = privref.audit(privref.ledger_from_document(record), claims)
    assert audit.opinions[0].verdict == verdict
    made = privref.certificates(audit)
    assert not made
    assert reason in made.missing["c"]
    assert f"- {name} ({verdict});" in page()


def test_a_sheet_that_leaves_something_open_has_no_certificate(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("epsilon\n1\n")
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1", "delta": "0"}]})
    said = {"neighbours": "replace-one", "parameters": "fixed-in-advance", "interaction": "sequential"}
    for left in said:
        declared = {name: value for name, value in said.items() if name != left}
        audit = privref.audit(privref.read_ledger(sheet, **declared), claims)  # type: ignore[arg-type]
        missing = privref.certificates(audit).missing
        # What is not declared of interaction is read as mechanisms that run at the same time.
        if audit.opinions[0].verdict == "confirmed" and left != "interaction":
            assert f"--{left}" in missing["c"]
    assert not privref.certificates(privref.audit(privref.read_ledger(sheet, **said), claims)).missing  # type: ignore[arg-type]
