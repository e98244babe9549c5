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
            "The release of “t” is (47, 1e-7)-DP: adding or removing the data of one user-day changes",
            "whether the data of one user-day are among the data",
        ),
        (
            LARGE | {"periods": 730},
            "The releases of “t”, the same in each of 730 periods (day), together are (47, 1e-7)-DP over 730 periods: "
            "adding or removing the data of one user-day in each of 730 periods (day) changes",
            "whether the data of one user-day in each of 730 periods (day) are among the data",
        ),
        (
            LARGE | {"units": 3},
            "adding or removing the data of a group of 3 (each one user-day) changes",
            "whether the data of a group of 3 (each one user-day) are among the data",
        ),
        (
            LARGE | {"neighbours": "replace-one"},
            "replacing the data of one user-day changes",
            "whether the data of one user-day were replaced by given other ones",
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
