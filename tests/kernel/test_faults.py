"""The corpus of false claims: the audit as it is confirms none, and with a fault planted the kernel still refuses."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.audit import structure
from privref.audit.certificate import certificates
from privref.audit.facts import guarantees
from privref.kernel.theorems import TABLES
from privref.ledger import reading, sheets
from tests.kernel.cases import GOOD
from tests.kernel.faults import MISREAD, RESULT, SMALLER, VERIFIED, corpus, decided, modules, of_sheets, outcome
from tests.kernel.test_certificates import good
from tests.mutants.runner import path_of

#: What is issued for these tests is issued for those of certificates too.
pytestmark = pytest.mark.xdist_group("certificates")

CLAIMS = {item["name"]: item for item in corpus()}


def test_the_corpus_is_over_all_routes() -> None:
    """At least sixty claims, of a ledger for which each theorem but the trivial ones proves a larger claim."""
    assert len(CLAIMS) >= 60
    assert all(item["why"].strip() for item in CLAIMS.values())
    proved = {good(name)["proofs"][0]["by"] for name in GOOD if name in CLAIMS or name + SMALLER in CLAIMS}
    assert not {id for id in TABLES["epsilon"] if id not in ALONE} - proved


#: Filters of which a claim made by hand is in the corpus.
ALONE = ("hartmann2022/alg1", "hartmann2022/def19", "rswr2023/ex_post_filter")


@pytest.mark.parametrize("name", CLAIMS)
def test_no_false_claim_is_confirmed(name: str) -> None:
    assert not outcome(CLAIMS[name]).startswith(("confirmed", VERIFIED))


#: A fault in what the audit believes: the attribute, what stands there instead, and a claim that it confirms.
FAULTS: dict[str, tuple[Any, str, Any, str]] = {
    "deltas that are forgotten": (
        guarantees.Guarantees, "approx_delta", property(lambda self: Fraction(0)), "a group of three with a delta"),
    "a group as one unit": (structure, "group_guarantee", lambda guarantee, k: guarantee, "a group of two"),
    "a replaced unit as an added one": (structure, "steps", lambda ledger, claim: 1, "one replaced"),
    "a guarantee that is compared with nothing": (
        reading.Allowance, "contradiction", lambda *_: None, "a guarantee that its mechanism does not have"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_confirms_and_gets_no_certificate(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, value, claim = FAULTS[name]
    monkeypatch.setattr(owner, attribute, value)
    assert outcome(CLAIMS[claim]).startswith("confirmed")


def test_a_sheet_that_is_misread_is_not_verified_as_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate holds the document that the sheet was read as, and the check says that the sheet is unchecked."""
    honest = sheets.rows
    monkeypatch.setattr(sheets, "rows", lambda *given: list(honest(*given))[:-1])
    item = CLAIMS["a sheet with titles"]
    assert outcome(item) == MISREAD
    made = certificates(decided(item["ledger"], item["claim"], item["sheet"]))["c"]
    assert "that the sheet with the SHA-256" in privref.verify(made).unchecked[0]


def test_sheets_are_in_the_corpus() -> None:
    assert [item for item in corpus() if "sheet" in item] == list(of_sheets())
    assert len(list(of_sheets())) >= 6


def test_the_recorded_campaign_is_large_enough_and_found_nothing() -> None:
    found = json.loads(RESULT.read_text(encoding="utf-8"))
    assert found["mutants"] >= 1000
    assert found["claims"] >= 60
    assert found["turned"] == len(found["faults"]) > 10
    assert found["verified"] == 0
    assert not [each for each in found["faults"] if VERIFIED in each["claims"].values()]


def test_no_module_of_the_kernel_is_mutated_and_every_other_one_may_be() -> None:
    names = modules()
    assert not [name for name in names if name.startswith("privref.kernel")]
    assert {"privref.audit.routes", "privref.ledger.reading", "privref.exact.decide"} <= set(names)
    assert all(path_of(name).is_file() for name in names)
