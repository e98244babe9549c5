"""The worst cases that are tried, and that they stay within what the events declare."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.audit.facts import Facts
from privref.audit.refuters import gaussian_rho_witness, witnesses


def record(*guarantees: tuple[dict[str, Any], int]) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [{"guarantee": guarantee, "count": count} for guarantee, count in guarantees],
        }
    )  # fmt: skip


def pure(epsilon: str) -> dict[str, Any]:
    return {"kind": "pure-dp", "epsilon": epsilon}


@pytest.mark.parametrize("mu", ["1/10", "3"])
def test_a_gaussian_mechanism_is_its_own_worst_case(mu: str) -> None:
    """Its rho is mu^2/2, so that the claims rho = mu^2/2 and a little less are on the two sides of the truth."""
    ledger = record(({"kind": "gaussian-dp", "mu": mu}, 1))
    rho = Fraction(mu) ** 2 / 2
    assert gaussian_rho_witness(Facts(ledger)).inputs == {"rho": ((rho, 1),)}
    (found,) = (w for w in witnesses(Facts(ledger), Fraction(1), Fraction(0)) if w.statement.startswith("cks2020/g"))
    assert found.inputs["rho"] == ((rho, 1),)
    claims = privref.claims_from_document(
        {
            "schema": "claims.1",
            "claims": [{"id": "at", "rho": str(rho)}, {"id": "below", "rho": str(rho * Fraction(999, 1000))}],
        }
    )
    assert [opinion.verdict for opinion in privref.audit(ledger, claims).opinions] == ["confirmed", "underivable"]


def test_equal_rounds_that_lose_most_together_are_tried() -> None:
    """Ten rounds of 1 lose 10 and refute 5; all 1011 rounds at 0.001 lose 1.011 at most and refute nothing."""
    ledger = record((pure("1"), 10), (pure("0.001"), 1001))
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "five", "epsilon": "5", "delta": "1e-9"}]}
    )
    (opinion,) = privref.audit(ledger, claims).opinions
    assert opinion.verdict == "underivable"
    assert opinion.refutation is not None
    assert opinion.refutation.witness.inputs == {"eps": 1, "k": 10, "eps_g": 5}
