"""The sentence of a privacy notice says of whose data the claim speaks: neighbours, units, periods."""

from __future__ import annotations

from typing import Any

import pytest

import privref
from privref.audit.notices import notices
from privref.report.notice import attack_lines

LEDGER = {
    "schema": "ledger.1", "title": "t", "privacy_unit": "user-day", "period": "day",
    "neighbours": "add-or-remove-one", "parameters": "fixed-in-advance", "interaction": "sequential",
    "events": [{"label": "a", "guarantee": {"kind": "pure-dp", "epsilon": "0.01"}}],
}  # fmt: skip
LARGE = {"epsilon": "47", "delta": "1e-7"}


@pytest.mark.parametrize(
    ("claim", "words", "question"),
    [
        (
            LARGE,
            "The release of “t”, the same in each day, is (47, 1e-7)-DP: "
            "adding or removing the data of one user-day in one day changes",
            "whether the data of one user-day in one day are among the data",
        ),
        (
            LARGE | {"periods": 730},
            "The releases of “t”, the same in each of 730 periods (day), together are (47, 1e-7)-DP over 730 periods: "
            "adding or removing the data of one user-day in each of 730 periods (day) changes",
            "whether the data of one user-day in each of 730 periods (day) are among the data",
        ),
        (
            LARGE | {"units": 3},
            "adding or removing the data of a group of 3 (each one user-day) in one day changes",
            "whether the data of a group of 3 (each one user-day) in one day are among the data",
        ),
        (
            LARGE | {"neighbours": "replace-one"},
            "replacing the data of one user-day in one day changes",
            "whether the data of one user-day in one day were replaced by given other ones",
        ),
        (
            LARGE | {"neighbours": "replace-one", "units": 2, "periods": 7},
            "replacing the data of a group of 2 (each one user-day) in each of 7 periods (day) changes",
            "whether the data of a group of 2 (each one user-day) in each of 7 periods (day) were replaced",
        ),
    ],
)
def test_of_whom_the_sentence_speaks(claim: dict[str, Any], words: str, question: str) -> None:
    stated = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    audit = privref.audit(privref.ledger_from_document(LEDGER), stated)
    (found,) = notices(audit)
    assert words in found.sentence
    assert found.question.startswith(question)
    for line in attack_lines(found):
        assert question in line
        assert "one record" not in line
    assert words in privref.report.html_report(audit)


SAID: dict[str, Any] = {
    "neighbours": "add-or-remove-one",
    "parameters": "fixed-in-advance",
    "interaction": "sequential",
}


@pytest.mark.parametrize(
    ("sheet", "words", "assumed"),
    [
        (
            "epsilon,period\n0.1,monthly\n",
            "the data of one record in one month changes",
            "the claim speaks of one month's data",
        ),
        (
            "epsilon,part of county\n0.1,Kent\n0.1,Surrey\n",
            "; the parts of county are taken to share no record, as the ledger declares.",
            "the ledger declares that the parts of 'county' are disjoint",
        ),
    ],
)
def test_the_sentence_of_a_sheet_says_its_period_and_its_parts(sheet: str, words: str, assumed: str) -> None:
    ledger = privref.ledger_from_csv(sheet, "t", **SAID)
    (found,) = notices(privref.audit(ledger, [privref.ApproxDPClaim("c", epsilon="0.1", delta="0")]))
    assert words in found.sentence
    assert any(assumed in text for text in found.assumptions), found.assumptions
    assert found.assumptions[0] == "every event has the guarantee that the ledger declares"
