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


@pytest.mark.parametrize("epsilon", ["1e-400", "1/1000", "2", "1000", "1e400"])
def test_different_bounded_ranges_are_tried_whatever_their_size(epsilon: str) -> None:
    """The intervals come from a search on floats, which must not meet what floats do not hold."""
    ledger = record(
        ({"kind": "bounded-range", "epsilon": epsilon}, 2), ({"kind": "bounded-range", "epsilon": "1/3"}, 30)
    )
    found = [w for w in witnesses(Facts(ledger), Fraction(1, 2), Fraction(0)) if w.statement.startswith("dong2020/")]
    assert [w.statement for w in found] == ["dong2020/thm3.delta", "dong2020/intervals.delta"]
    widths, ends = found[1].inputs["eps"], found[1].inputs["t"]
    assert isinstance(widths, tuple)
    assert isinstance(ends, tuple)
    assert sorted(set(widths)) == sorted({Fraction(1, 3), Fraction(epsilon)})
    assert (widths.count(Fraction(1, 3)), widths.count(Fraction(epsilon))) == (20, 2)
    assert all(0 <= end <= width for end, width in zip(ends, widths, strict=True))
