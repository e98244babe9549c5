"""Lean files of Gaussian differential privacy, by sums over a grid."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.certify import normal
from privref.certify.normal import normal_file
from tests.certify.test_listed import PURE, certificate, declared, ledger

DELTA = Fraction(1, 10**6)


def gdp(mu: str, count: int = 1) -> dict[str, Any]:
    return {**declared("gaussian-dp", mu=mu), "count": count}


NORMAL = ledger(gdp("1/2", 3), gdp("1/4", 2), gdp("1/2"))


def exact(statement: str, **inputs: Any) -> Fraction:
    """The value, from above, as the statement has it."""
    found = privref.evaluate(f"gdp/composition.{statement}", inputs, digits=15)
    assert found.enclosure is not None
    return found.enclosure.upper


def test_a_claim_of_gaussian_dp_becomes_a_file_in_the_ledger_s_order() -> None:
    text = privref.lean_file(certificate(NORMAL, "5.3", "gdp/composition"))
    assert "[(3, (mkRat 1 2)),\n    (2, (mkRat 1 4)),\n    (1, (mkRat 1 2))]" in text
    assert "reals_have_roots N claim g f hf h0 h1 b" in text
    assert "A round declared" not in text


@pytest.mark.parametrize(("share", "reached"), [("1.0001", True), ("1", False)])
def test_the_file_nearly_reaches_what_the_theorem_gives(share: str, reached: bool) -> None:
    """The bound by the finest grid is a little above the exact one."""
    mu = [{"value": "1/2", "count": 4}, {"value": "1/4", "count": 2}]
    least = exact("eps", mu=mu, delta="1e-6")
    assert (normal_file(NORMAL, least * Fraction(share), DELTA) is not None) is reached


@pytest.mark.parametrize("mu", ["1/20", "1", "6"])
@pytest.mark.parametrize("delta", ["1/10", "1e-6", "1e-40"])
def test_the_bound_of_every_grid_is_above_the_exact_one(mu: str, delta: str) -> None:
    """Within five per cent by the finest, with the kink on either side of the mean."""
    distance, epsilon = Fraction(mu), exact("eps", mu=[mu], delta=delta)
    least = float(exact("delta", mu=[mu], eps=epsilon))
    found = []
    for width in (Fraction(1, 100), Fraction(1, 2000)):
        kink = distance / 2 - epsilon / distance
        last = Fraction(round((kink - width / 2) * 10**9), 10**9)
        grid = normal._Grid(width, last, round((float(last) + 16) / width), round(16 / width))
        found.append(grid.bound(float(distance), float(epsilon)))
    assert least <= found[1] <= found[0]
    assert found[1] <= 1.05 * least


def test_the_distance_is_rounded_up_where_it_is_irrational() -> None:
    assert normal._distance([(1, Fraction(3, 7)), (1, Fraction(4, 7))]) == Fraction(5, 7)
    root = normal._distance([(2, Fraction(1))])
    assert (root - Fraction(1, 10**12)) ** 2 < 2 < root**2


@pytest.mark.parametrize(
    ("record", "epsilon", "delta"),
    [
        (ledger(gdp("1"), PURE), "50", "1e-6"),
        (ledger(gdp("41")), "600", "1e-6"),
        (NORMAL, "601", "1e-6"),
        (NORMAL, "9", "0"),
        (NORMAL, "5", "1e-6"),
    ],
    ids=["other rounds", "too far", "large", "no delta", "false"],
)
def test_other_claims_have_no_file(record: Any, epsilon: str, delta: str) -> None:
    assert normal_file(record, Fraction(epsilon), Fraction(delta)) is None


def test_no_more_groups_are_listed_than_lean_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours that are alike are one group."""
    monkeypatch.setattr(normal, "MOST_GROUPS", 3)
    assert normal_file(NORMAL, Fraction(9), DELTA) is not None
    monkeypatch.setattr(normal, "MOST_GROUPS", 2)
    assert normal_file(NORMAL, Fraction(9), DELTA) is None


def test_a_declared_mechanism_is_said_to_be_one() -> None:
    noise = {"mechanism": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}}
    text = normal_file(ledger(noise), Fraction(3), DELTA)
    assert text is not None
    assert "[(1, (mkRat 1 2))]" in text
    assert "the μ that follows from it" in text
