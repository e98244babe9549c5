"""Neighbours one of which has a record that contributes nothing: what follows from it, and what does not."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import privref
from tests.audit.test_mechanisms import claims
from tests.kernel.cases import LAPLACE, POISSON, pure

Document = dict[str, Any]
SGD = {**POISSON, "base": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}, "rate": "1/100"}


def record(neighbours: str, *events: Document, **more: Any) -> privref.Ledger:
    document = {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": neighbours,
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": list(events), **more,
    }  # fmt: skip
    return privref.ledger_from_document(document)


def said(ledger: privref.Ledger, **claim: Any) -> Any:
    (opinion,) = privref.audit(ledger, claims(claim)).opinions
    return opinion


@pytest.mark.parametrize(("epsilon", "verdict"), [("1.8283", "confirmed"), ("1.8282", "refuted")])
def test_a_record_that_contributes_nothing_has_the_poisson_pair(epsilon: str, verdict: str) -> None:
    """It is drawn like any other, and changes no sum: the same numbers as of one that is added or removed."""
    event = {"count": 1000, "mechanism": SGD}
    for neighbours in ("zero-out", "add-or-remove-one"):
        opinion = said(record(neighbours, event), epsilon=epsilon, delta="1e-5")
        assert opinion.verdict == verdict
        assert any(f"sampling poisson and {neighbours} neighbours" in finding.how for finding in opinion.premises)


#: (claim, ledger): how many steps of the ledger's neighbours the claim's data are apart; 0 where nothing follows.
STEPS = {
    ("zero-out", "zero-out"): 1, ("add-or-remove-one", "add-or-remove-one"): 1, ("replace-one", "replace-one"): 1,
    ("replace-one", "zero-out"): 2, ("replace-one", "add-or-remove-one"): 2, ("zero-out", "add-or-remove-one"): 2,
    ("zero-out", "replace-one"): 0, ("add-or-remove-one", "zero-out"): 0, ("add-or-remove-one", "replace-one"): 0,
}  # fmt: skip


@pytest.mark.parametrize(("claimed", "declared"), STEPS)
def test_a_claim_follows_in_so_many_steps_or_not_at_all(claimed: str, declared: str) -> None:
    apart = STEPS[claimed, declared]
    ledger = record(declared, pure("1"))
    enough = said(ledger, epsilon=str(apart or 100), delta="0", neighbours=claimed)
    assert enough.verdict == ("confirmed" if apart else "inapplicable")
    if apart > 1:
        assert said(ledger, epsilon="1.999", delta="0", neighbours=claimed).verdict != "confirmed"
        assert any("data 2 neighbours apart" in finding.how for finding in enough.premises)


def test_small_mechanisms_attain_the_steps() -> None:
    """A count with a constant for each record: of the zeroed one 0, of the replaced ones -1 and 1."""
    one, other, nothing = 1, -1, 0
    scale = 10
    moved = {(a, b): abs(a - b) for a, b in product((one, other, nothing), repeat=2)}
    zeroed = max(moved[value, nothing] for value in (one, other))
    assert moved[one, other] == 2 * zeroed
    ledger = record("zero-out", {"mechanism": {**LAPLACE, "scale": str(scale), "sensitivity": str(zeroed)}})
    exact = str(moved[one, other]) + "/" + str(scale)
    assert said(ledger, epsilon=exact, delta="0", neighbours="replace-one").verdict == "confirmed"


def test_cut_samples_are_not_those_of_a_removed_record() -> None:
    """The record that contributes nothing may take another one's place: the theorem about removing is not used."""
    event = {"mechanism": {**SGD, "batch_cap": 150, "records": 1000}}
    opinion = said(record("zero-out", event), epsilon="5", delta="1e-2", by="chua2024b/truncated")
    assert opinion.verdict == "inapplicable"
    assert any("take another's place" in finding.how for item in opinion.inapplicable for finding in item.findings)


def test_parts_are_not_read_where_a_record_is_zeroed_out() -> None:
    event = {**pure("1"), "part": {"of": "city", "is": "Ghent"}}
    opinion = said(record("zero-out", event, partitions={"city": "the city of residence"}), epsilon="1", delta="0")
    assert opinion.verdict == "inapplicable"


def test_a_cap_rests_on_all_records_but_one() -> None:
    """The number of records is public and stays as it is, of a group too."""
    event = {"mechanism": {**SGD, "rate": "1", "batch_cap": 101, "records": 99}}
    size = {"value": 100, "public": True}
    assert said(record("zero-out", event, dataset_size=size), epsilon="9", delta="1e-2", units=2).verdict
    with pytest.raises(privref.InputError, match="records"):
        record("zero-out", event, dataset_size={"value": 101, "public": True})
