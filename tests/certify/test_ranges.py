"""Lean files of bounded ranges by the means of their losses."""

from __future__ import annotations

from fractions import Fraction

import pytest

import privref
from privref.certify import ranges
from privref.certify.lean import exp_numerator
from privref.certify.proposed import AT
from privref.certify.ranges import ranges_file
from tests.certify.test_listed import PURE, certificate, declared, ledger

DELTA = Fraction(1, 10**6)


def width(epsilon: str, count: int = 1) -> dict[str, object]:
    return {**declared("bounded-range", epsilon=epsilon), "count": count}


RANGES = ledger(width("1/10", 30), width("1/2", 4), width("1/10"), width("1e-9"))


def test_a_claim_by_means_becomes_a_file_in_the_ledger_s_order() -> None:
    text = privref.lean_file(certificate(RANGES, "4.9", "dong2020/prop4"))
    assert "[(30, (mkRat 1 10)),\n    (4, (mkRat 1 2)),\n    (1, (mkRat 1 10)),\n    (1, (mkRat 1 1000000000))]" in text
    assert "reals_have_roots claim g f hf h0 h1 b" in text
    assert "A round declared" not in text


@pytest.mark.parametrize("relative", [Fraction(1, 10**12), Fraction(-1, 10**12)])
def test_the_file_reaches_what_the_theorem_gives(relative: Fraction) -> None:
    """A claim that the theorem does not give has no file."""
    eps = [{"value": "1/10", "count": 31}, {"value": "1/2", "count": 4}, {"value": "1e-9", "count": 1}]
    exact = privref.evaluate("dong2020/prop4.eps", {"eps": eps, "delta": "1e-6"}, digits=18)
    assert exact.enclosure is not None
    assert exact.enclosure.upper < 5
    assert (ranges_file(RANGES, exact.enclosure.upper * (1 + relative), DELTA) is not None) is (relative > 0)


def test_other_ledgers_have_no_file() -> None:
    assert ranges_file(ledger(width("1"), PURE), Fraction(99), DELTA) is None
    assert ranges_file(ledger(width("1"), width("0")), Fraction(99), DELTA) is None
    assert ranges_file(RANGES, Fraction(99), Fraction(0)) is None


def test_no_more_groups_are_listed_than_lean_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours that are alike are one group."""
    monkeypatch.setattr(ranges, "MOST_GROUPS", 4)
    assert ranges_file(RANGES, Fraction(9), DELTA) is not None
    monkeypatch.setattr(ranges, "MOST_GROUPS", 3)
    assert ranges_file(RANGES, Fraction(9), DELTA) is None


def test_a_declared_mechanism_is_said_to_be_one() -> None:
    best = {"kind": "report-noisy-max", "noise": "gumbel", "scale": "4", "sensitivity": "1"}
    record = ledger({"mechanism": best, "count": 20})
    assert "the range that follows from it" in str(ranges_file(record, Fraction(20), DELTA))


@pytest.mark.parametrize("epsilon", ["1e-12", "1/10", "1", "40", "5000"])
def test_what_is_proposed_passes_lean_s_check(epsilon: str) -> None:
    """The inequalities of `meanCheck`, in exact numbers."""
    eps = Fraction(epsilon)
    (mean,) = (found for found in [ranges._mean(eps)])

    def high(q: Fraction) -> Fraction:
        return Fraction((1 << 2 * AT.bits) // exp_numerator(-q, AT) + 1, 1 << AT.bits)

    assert 0 < high(-eps) < 1
    ratio = Fraction((eps / (1 - high(-eps)) * (1 << AT.bits)).__floor__() + 1, 1 << AT.bits)
    assert high(ratio - 1 - mean) <= ratio
