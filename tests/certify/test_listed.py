"""Lean files of rounds of several kinds: what they list, and which claims their moments reach."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.certify import listed
from privref.certify.lean import exp_numerator
from privref.certify.listed import listed_file
from privref.certify.proposed import AT
from privref.ledger.model import Ledger

ADD = "add-or-remove-one"
DELTA = Fraction(1, 10**6)


def declared(kind: str, **numbers: Any) -> dict[str, Any]:
    return {"guarantee": {"kind": kind, **numbers}}


def sampled(rate: str, sigma: str, count: int, **more: Any) -> dict[str, Any]:
    base = {"kind": "gaussian", "sigma": sigma, "sensitivity": "1"}
    return {
        "mechanism": {"kind": "subsampled", "base": base, "rate": rate, "sampling": "poisson", **more},
        "count": count,
    }


def ledger(*events: dict[str, Any], neighbours: str = "replace-one") -> Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": neighbours,
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": list(events),
        }
    )  # fmt: skip


def rows(text: str) -> list[str]:
    """Return the rounds that the file lists."""
    listed = text.split("def ledger : List (Nat × ListedRound Rat) :=", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"[ \[]\((\d+, \..*)\)[,\]]$", listed, re.MULTILINE)


def certificate(record: Ledger, epsilon: str, by: str) -> dict[str, Any]:
    claim = {"id": "c", "epsilon": epsilon, "delta": "1e-6", "by": by}
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [claim]})
    document = privref.certificates(privref.audit(record, claims))["c"]
    assert document["verdict"] == "confirmed"
    return document


PURE, APPROX, ZCDP = (
    {**declared("pure-dp", epsilon="1/10"), "count": 40},
    declared("approx-dp", epsilon="1/2", delta="1e-8"),
    {**declared("zcdp", rho="1/10"), "count": 3},
)
MIXED = ledger(PURE, APPROX, ZCDP, PURE)
RENYI = ledger(declared("rdp", orders={"4": "1/10", "8": "1/5"}), PURE, declared("rdp", orders={"8": "1/4"}))
RATES = ledger(sampled("1/100", "2", 100), PURE, sampled("1/200", "1", 300), neighbours=ADD)


def test_a_claim_by_moments_becomes_a_file_in_the_ledger_s_order() -> None:
    text = privref.lean_file(certificate(MIXED, "7", "mironov2017/mixed"))
    assert rows(text) == [
        "40, .dp (mkRat 1 10) 0",
        "1, .dp (mkRat 1 2) (mkRat 1 100000000)",
        "3, .zcdp (mkRat 1 10) 0",
        "40, .dp (mkRat 1 10) 0",
    ]
    assert "reals_have_logarithms claim g f hf h0 h1 b" in text


@pytest.mark.parametrize("relative", [Fraction(1, 10**9), Fraction(-1, 10**9)])
def test_the_file_reaches_what_the_theorem_gives(relative: Fraction) -> None:
    """To nine digits, with an order of six; a claim that the theorem does not give has no file."""
    spent = Fraction(1, 10**8)
    inputs = {"eps": (*(Fraction(1, 10),) * 80, Fraction(1, 2)), "rho": Fraction(3, 10)}
    exact = privref.evaluate("mironov2017/mixed.eps", {**inputs, "delta": (DELTA - spent) / (1 - spent)}, digits=15)
    assert exact.enclosure is not None
    text = listed_file(MIXED, exact.enclosure.upper * (1 + relative), DELTA)
    assert (text is not None) is (relative > 0)


def test_renyi_rounds_are_listed_at_an_order_that_all_declare() -> None:
    text = privref.lean_file(certificate(RENYI, "4", "cks2020/rdp2dp"))
    assert rows(text) == [
        "1, .renyi 7 (mkRat 7 5) 0",
        "40, .dp (mkRat 1 10) 0",
        "1, .renyi 7 (mkRat 7 4) 0",
    ]
    assert "at the order 8." in text
    assert listed_file(ledger(*(declared("rdp", orders={o: "1"}) for o in ("2", "3"))), Fraction(99), DELTA) is None


def test_samples_of_several_rates_are_listed_as_noise() -> None:
    text = listed_file(RATES, Fraction(16, 5), DELTA)
    assert text is not None
    assert rows(text) == [
        "100, .sampled (mkRat 1 100) (mkRat 1 4)",
        "40, .dp (mkRat 1 10) 0",
        "300, .sampled (mkRat 1 200) 1",
    ]
    assert "not of the normal law" in text
    assert listed_file(RATES, Fraction(2), DELTA) is None


def test_the_rounds_of_samples_have_a_file_whichever_theorem_confirms_them() -> None:
    assert ".sampled (mkRat 1 200) 1" in privref.lean_file(certificate(RATES, "4", "zdw2022/thm10"))


@pytest.mark.parametrize(
    "record",
    [
        ledger(sampled("1/100", "2", 9), sampled("1/50", "2", 9)),
        ledger(sampled("1/100", "2", 9, batch_cap=100, records=5000), PURE, neighbours=ADD),
    ],
    ids=["replaced", "capped"],
)
def test_other_samples_are_not_listed_as_noise(record: Ledger) -> None:
    text = listed_file(record, Fraction(50), DELTA)
    assert text is None or ".sampled" not in text


def test_the_header_says_what_was_converted() -> None:
    cells = declared("output-dp", cells={"yes": "1", "no": "1/2"}, delta="1e-9")
    laplace = {"mechanism": {"kind": "laplace", "scale": "10", "sensitivity": "1"}}
    record = ledger(cells, laplace, declared("gaussian-dp", mu="1/5"), declared("bounded-range", epsilon="1/5"), ZCDP)
    text = listed_file(record, Fraction(9), DELTA)
    assert text is not None
    assert rows(text)[2:4] == ["1, .zcdp (mkRat 1 50) 0", "1, .zcdp (mkRat 1 200) 0"]
    kinds = re.findall(r"A round declared by ([a-z-]+) is listed", text)
    assert kinds == ["bounded-range", "gaussian-dp", "mechanism", "output-dp"]
    assert "A round declared" not in str(listed_file(MIXED, Fraction(9), DELTA))


def test_no_more_groups_are_listed_than_lean_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours that are alike are one group."""
    monkeypatch.setattr(listed, "MOST_GROUPS", 4)
    assert listed_file(MIXED, Fraction(9), DELTA) is not None
    monkeypatch.setattr(listed, "MOST_GROUPS", 3)
    assert listed_file(MIXED, Fraction(9), DELTA) is None


@pytest.mark.parametrize(("epsilon", "delta"), [("9", "0"), ("9", "1e-8"), ("1e7", "1e-6"), ("1/10", "1e-6")])
def test_claims_out_of_reach_have_no_file(epsilon: str, delta: str) -> None:
    """The deltas of the rounds leave nothing of the second."""
    assert listed_file(MIXED, Fraction(epsilon), Fraction(delta)) is None


def test_a_round_too_large_for_the_kernel_s_numbers_is_left_out() -> None:
    assert listed_file(ledger(declared("pure-dp", epsilon="100000"), ZCDP), Fraction(200_000), DELTA) is None


@pytest.mark.parametrize("record", [MIXED, RENYI, RATES], ids=["mixed", "renyi", "rates"])
def test_what_is_proposed_passes_lean_s_check(record: Ledger) -> None:
    """The inequalities of `roundCheck` and of `listedCheck` but the moments of samples, in exact numbers."""
    epsilon = Fraction(7)
    listing = listed._listing(record)
    assert listing is not None
    found = listed._proposed(listing, epsilon, DELTA)
    assert found is not None
    m, mass = found.m, listing.mass

    def low(q: Fraction) -> Fraction:
        return Fraction(exp_numerator(q, AT), 1 << AT.bits)

    def high(q: Fraction) -> Fraction:
        return Fraction((1 << 2 * AT.bits) // exp_numerator(-q, AT) + 1, 1 << AT.bits)

    total = Fraction(0)
    for (count, one), cost in zip(listing.groups, found.costs, strict=True):
        total += count * cost
        if one.kind == "dp":
            eps = one.numbers[0]
            assert 1 + high(-(2 * m + 1) * eps) <= (1 + low(-eps)) * low(cost - m * eps)
        elif one.kind == "zcdp":
            assert m * (m + 1) * one.numbers[0] <= cost
        elif one.kind == "renyi":
            assert cost == m * dict(one.orders)[1 + m]
    assert m <= (1 + m) * low(found.log)
    assert (1 - mass) * high(total - m * epsilon + (1 + m) * found.log) <= (DELTA - mass) * m
