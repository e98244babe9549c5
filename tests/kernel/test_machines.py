"""Readings of odometers and what remains of a budget: certificates, and what they do not show."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref import kernel
from privref.kernel.machines import ODOMETERS
from privref.statements.theorems import THEOREMS
from tests.kernel.cases import NOT_SHOWN, SHOWN, THM33
from tests.kernel.test_certificates import altered, is_refused, issue, leaves, replaced
from tests.slow import shared


@shared
def showing(name: str) -> dict[str, Any]:
    """One of ``SHOWN``, issued once; it is not to be changed."""
    return issue(*SHOWN[name], "confirmed")


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_machine_showed_is_verified(name: str) -> None:
    document = showing(name)
    found = kernel.check(document)
    assert found.verdict == "confirmed"
    assert privref.verify(document).outcome == "verified"
    assert any("before the first event" in premise for premise in found.premises)


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_another_ledger_or_claim_is_refused(name: str) -> None:
    which, change = NOT_SHOWN[name]
    assert is_refused(altered(showing(which), **change))


def test_every_odometer_has_an_honest_certificate_and_a_reading_that_is_too_small() -> None:
    """The kernel has a row for each odometer of the audit; a hundredth less than it reads is refused."""
    assert set(ODOMETERS) == {each.id for each in THEOREMS if each.odometer}
    shown = {showing(name)["proofs"][0]["by"]: name for name in SHOWN}
    assert set(shown) == {*ODOMETERS, "hartmann2022/alg1"}
    for name in shown.values():
        document = copy.deepcopy(showing(name))
        if "reading" not in document["claim"]:
            continue
        low, high = Fraction(0), Fraction(document["claim"]["reading"])
        while high - low > high / 1000:
            document["claim"]["reading"] = str((low + high) / 2)
            low, high = (low, (low + high) / 2) if not is_refused(document) else ((low + high) / 2, high)
        by = document["claim"]["by"]
        claims = [{"id": "c", **SHOWN[name][1], "reading": str(value)} for value in (high, low)]
        audit = privref.audit(
            privref.ledger_from_document(SHOWN[name][0]),
            privref.claims_from_document(
                {"schema": "claims.1", "claims": [{**each, "id": f"c{i}"} for i, each in enumerate(claims)]}
            ),
        )
        assert [opinion.verdict for opinion in audit.opinions] == ["confirmed", "unsupported"], by


@pytest.mark.parametrize("name", ["the basic odometer", "an odometer of mixtures", "what remains"])
def test_every_field_is_read(name: str) -> None:
    document = showing(name)
    for path in leaves(document):
        if path[0] == "commentary" or path in {("claim", "id"), ("claim", "by")} or path[:2] == ("ledger", "document"):
            continue
        assert is_refused(replaced(document, path, ["nonsense"])), path
    for path in (("claim",), ("proofs", 0), ("proofs", 0, "witness")):
        place: Any = copy.deepcopy(document)
        changed = place
        for key in path:
            changed = changed[key]
        changed["more"] = "1"
        assert is_refused(place), path
    assert is_refused({**document, "proofs": document["proofs"] * 2})
    assert is_refused({**document, "verdict": "refuted"})
    assert is_refused(replaced(document, ("proofs", 0, "by"), "rogers2016/thm2.9"))


def test_a_reading_is_by_the_odometer_that_the_claim_names() -> None:
    document = copy.deepcopy(showing("the basic odometer"))
    document["proofs"][0]["by"] = "rogers2016/thm6.2"
    with pytest.raises(kernel.Refused, match=f"the claim is by {THM33}"):
        kernel.check(document)


def test_a_reading_of_concurrent_mechanisms_has_no_certificate() -> None:
    record = {**SHOWN["an odometer of mixtures"][0], "interaction": "concurrent"}
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", **SHOWN["an odometer of mixtures"][1]}]}
    )
    audit = privref.audit(privref.ledger_from_document(record), claims)
    assert audit.opinions[0].verdict == "confirmed"
    made = privref.certificates(audit)
    assert not made
    assert "sequential" in made.missing["c"]
