"""From certificates to Lean files: only of what the Lean checker really states."""

from __future__ import annotations

import re
from typing import Any

import pytest

import privref
from privref.certify import lean_file
from privref.certify.lean import CONVERSIONS
from privref.certify.listed import CHECKED_STATEMENTS
from privref.statements.theorems import THEOREMS

REPLACE, ADD = "replace-one", "add-or-remove-one"


def dp(epsilon: str, delta: str | None = None, **more: Any) -> dict[str, Any]:
    kind = {"kind": "pure-dp"} if delta is None else {"kind": "approx-dp", "delta": delta}
    return {"guarantee": {**kind, "epsilon": epsilon}, **more}


def zcdp(rho: str, delta: str = "0") -> dict[str, Any]:
    return {"guarantee": {"kind": "zcdp", "rho": rho, "delta": delta}}


def certificate(claim: dict[str, Any], *events: dict[str, Any], **more: Any) -> dict[str, Any]:
    record = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": REPLACE,
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": list(events) or [zcdp("1/10")], **more,
        }
    )  # fmt: skip
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    return privref.certificates(privref.audit(record, claims))["c"]


def groups(text: str) -> list[str]:
    """What the file lists as its ledger."""
    listed = re.search(r"def ledger : List Group :=\s+\[(.*?)\]", text, re.DOTALL)
    assert listed is not None
    return re.findall(r"⟨(.*?)⟩", listed[1])


def header(text: str) -> str:
    return text.split("-/\nmodule", 1)[0]


def refusal(document: dict[str, Any], field: str) -> str:
    """Why a file of this confirmed claim is refused."""
    assert document["verdict"] == "confirmed"
    with pytest.raises(privref.InputError) as error:
        privref.lean_file(document)
    assert error.value.field == field
    assert "\n" not in str(error.value)
    return str(error.value)


BASIC = {"epsilon": "3", "delta": "0", "by": "rogers2016/thm2.9"}
CLAIM = {"epsilon": "5", "delta": "1e-6", "by": "cks2020/zcdp2dp"}
ONE, TWO, THREE = dp("1"), dp("2"), dp("1/2")
PARTS = {"neighbours": ADD, "partitions": {"place": "the place, a public column"}}


def part(name: str) -> dict[str, Any]:
    return {"part": {"of": "place", "is": name}}


def adaptive(**budget: str) -> dict[str, Any]:
    return {"parameters": "chosen-adaptively", "budget": {"delta": "1e-6", **budget}}


def test_a_confirmed_claim_becomes_a_lean_file() -> None:
    assert "CksBound" in privref.lean_file(certificate(CLAIM))
    assert "ZcdpBound" in privref.lean_file(certificate({**CLAIM, "by": "whitehouse2023/lem1"}))


@pytest.mark.parametrize(
    ("claim", "events", "more"),
    [
        ({**BASIC, "units": 3}, [ONE], {}),
        ({**BASIC, "epsilon": "7", "periods": 7}, [ONE], {"period": "week"}),
        ({**BASIC, "neighbours": REPLACE}, [ONE], {"neighbours": ADD}),
        (
            {"epsilon": "5", "delta": "1e-5", "by": "rogers2016/thm2.10", "units": 3},
            [dp("1/10", "1e-9", count=4)],
            {},
        ),
    ],
    ids=["units", "periods", "neighbours", "a delta of the group"],
)
def test_a_claim_of_more_than_one_unit_is_not_about_the_ledger_s_rounds(
    claim: dict[str, Any], events: list[dict[str, Any]], more: dict[str, Any]
) -> None:
    assert "a ledger's own rounds" in refusal(certificate(claim, *events, **more), "certificate.claim")


@pytest.mark.parametrize("other", [ONE, THREE], ids=["alike", "different"])
def test_a_claim_of_parts_is_not_about_all_rounds(other: dict[str, Any]) -> None:
    """Both parts' rounds together cost more than the claim."""
    document = certificate({**BASIC, "epsilon": "1"}, {**ONE, **part("a")}, {**other, **part("b")}, **PARTS)
    assert "what reads one part" in refusal(document, "ledger.partitions")


@pytest.mark.parametrize(
    ("claim", "events", "budget"),
    [
        ({"epsilon": "5", "by": "whitehouse2023/thm2"}, [THREE, dp("1/3")], {"filter": "whitehouse2023/thm2"}),
        ({"epsilon": "5", "by": "whitehouse2023/lem1"}, [zcdp("1/10")], {"filter": "whitehouse2023/lem1"}),
        ({"epsilon": "5", "by": "cks2020/zcdp2dp"}, [zcdp("1/10")], {"filter": "cks2020/zcdp2dp"}),
        ({"epsilon": "5", "by": "rogers2016/thm3.3"}, [THREE, dp("1/3")], {"filter": "rogers2016/thm3.3"}),
    ],
    ids=["thm2", "lem1", "cks2020", "thm3.3"],
)
def test_what_was_spent_is_not_the_budget_that_was_enforced(
    claim: dict[str, str], events: list[dict[str, Any]], budget: dict[str, str]
) -> None:
    """A filter whose budget is known after the run is no filter."""
    document = certificate({**claim, "delta": "1e-6"}, *events, **adaptive(epsilon="5", **budget))
    assert "fixed in advance" in refusal(document, "ledger.parameters")


def test_a_budget_of_rho_is_not_what_the_events_spent() -> None:
    document = certificate(CLAIM, **adaptive(rho="1/5", filter="whitehouse2023/thm1", delta="0"))
    assert "fixed in advance" in refusal(document, "ledger.parameters")


def test_the_basic_filter_is_no_basic_composition() -> None:
    """Fixed parameters are its special case: the claim is then audited by the theorem that the file states."""
    assert "rogers2016/thm2.9" in refusal(
        certificate({**BASIC, "by": "rogers2016/thm3.3"}, ONE), "certificate.proofs[0].by"
    )
    assert "BasicBound" in privref.lean_file(certificate(BASIC, ONE))


@pytest.mark.parametrize("by", ["rogers2016/thm2.9", "whitehouse2023/lem1"])
def test_concurrent_rounds_are_not_one_after_another(by: str) -> None:
    document = certificate({"epsilon": "9", "delta": "1e-6", "by": by}, ONE, interaction="concurrent")
    assert "Vadhan and Zhang 2023" in refusal(document, "ledger.interaction")


def test_rounds_are_listed_in_the_order_in_which_they_ran() -> None:
    """What basic composition is about has an order; only neighbours that are alike are counted together."""
    text = privref.lean_file(certificate({**BASIC, "epsilon": "6"}, ONE, TWO, ONE, {**ONE, "count": 2}))
    assert groups(text) == ["1, 1, 0", "1, 2, 0", "3, 1, 0"]


@pytest.mark.parametrize(("by", "bound"), [("whitehouse2023/thm2", "Filter"), ("whitehouse2023/eq2", "Drift")])
def test_where_only_sums_matter_rounds_are_merged(by: str, bound: str) -> None:
    claim = {"epsilon": "30", "delta": "1e-6", "by": by}
    text = privref.lean_file(certificate(claim, ONE, TWO, ONE))
    assert groups(text) == ["2, 1, 0", "1, 2, 0"]
    assert "behind the filter" in header(text)
    assert f"theorem claim : {bound}Bound ledger (1/1000000) (30) (1/1000000)" in text


def test_a_file_lists_so_many_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean_file, "MOST_GROUPS", 2)
    claim = {"epsilon": "30", "delta": "1e-6", "by": "whitehouse2023/thm2"}
    assert len(groups(privref.lean_file(certificate(claim, ONE, TWO, ONE)))) == 2
    assert "at most 2" in refusal(certificate({**BASIC, "epsilon": "6"}, ONE, TWO, ONE), "ledger.events")


PDP = {"guarantee": {"kind": "pdp", "epsilon": "1", "delta": "1e-9"}}
CELLS = {"guarantee": {"kind": "output-dp", "cells": {"yes": "1", "no": "1/2"}, "delta": "0"}}
RANGE = {"guarantee": {"kind": "bounded-range", "epsilon": "1"}}
GAUSSIAN = {"guarantee": {"kind": "gaussian-dp", "mu": "1"}}


@pytest.mark.parametrize(
    ("by", "event", "listed", "said"),
    [
        (
            "rogers2016/thm2.9",
            PDP,
            "1, 1, 1/1000000000",
            "pdp is listed as (ε, δ)-DP with the same numbers; not proved",
        ),
        ("rogers2016/thm2.9", CELLS, "1, 1, 0", "output-dp is listed at its largest cell; proved"),
        ("rogers2016/thm2.9", RANGE, "1, 1, 0", "bounded-range is listed as (ε, 0)-DP; proved"),
        ("whitehouse2023/lem1", ONE, "1, 1/2, 0", "pure-dp is listed with ρ = ε²/2; proved in this library for finite"),
        ("whitehouse2023/lem1", GAUSSIAN, "1, 1/2, 0", "gaussian-dp is listed with ρ = μ²/2; not proved"),
        ("whitehouse2023/lem1", RANGE, "1, 1/8, 0", "bounded-range is listed with ρ = ε²/8; not proved"),
        ("cks2020/zcdp2dp", ONE, "1, 1/2, 0", "pure-dp is listed with ρ = ε²/2; proved in this library for finite"),
        ("rogers2016/thm2.9", ONE, "1, 1, 0", ""),
        ("whitehouse2023/lem1", zcdp("1/2", "1e-9"), "1, 1/2, 1/1000000000", ""),
    ],
)
def test_a_file_says_what_was_converted(by: str, event: dict[str, Any], listed: str, said: str) -> None:
    text = privref.lean_file(certificate({"epsilon": "20", "delta": "1e-6", "by": by}, event))
    assert groups(text) == [listed]
    assert ("is listed" in header(text)) == bool(said)
    assert said in header(text)
    parameter = "ε" if by == "rogers2016/thm2.9" else "ρ"
    assert f"number of rounds, {parameter}, δ." in text


def test_a_declared_mechanism_is_said_to_be_one() -> None:
    event = {"mechanism": {"kind": "laplace", "scale": "1", "sensitivity": "1"}}
    text = header(privref.lean_file(certificate(BASIC, event)))
    assert "A round declared by mechanism is listed with the guarantee that follows from the mechanism" in text


def test_rounded_parameters_are_listed_where_most_is_lost() -> None:
    event = {"mechanism": {"kind": "laplace", "scale": {"rounded": "1.0"}, "sensitivity": "1"}}
    text = privref.lean_file(certificate(BASIC, event))
    assert groups(text) == ["1, 20/19, 0"]
    assert "A round declared by rounded parameters is listed at the end of the rounding where most is lost" in text


def test_every_kind_has_its_words() -> None:
    """All kinds that a theorem's view converts, and none that it takes as it is."""
    follows = {"mechanism", "selection", "rounded parameters"}
    assert set(CONVERSIONS["ε"]) == {"pdp", "bounded-range", "output-dp", *follows}
    assert set(CONVERSIONS["ρ"]) == set(CONVERSIONS["ε"]) | {"pure-dp", "approx-dp", "gaussian-dp"}
    assert {each.lean for each in THEOREMS if each.lean} == set(CHECKED_STATEMENTS)
    assert all(each.id == each.lean for each in THEOREMS if each.lean)


def test_the_tight_conversion_takes_all_of_the_delta() -> None:
    """Its Lean checker splits nothing: rounds with a delta of their own are listed by their moments."""
    text = privref.lean_file(certificate(CLAIM, zcdp("1/10", "1e-9")))
    assert "CksBound" not in text
    assert "(1, .zcdp (mkRat 1 10) (mkRat 1 1000000000))" in text


def test_what_confirms_nothing_or_has_no_ledger_is_refused() -> None:
    document = certificate(CLAIM)
    false = certificate({"epsilon": "1/100", "delta": "1e-6"})
    assert false["verdict"] != "confirmed"
    del document["ledger"]["document"]
    for broken in (document, false, certificate({"rho": "1"})):
        with pytest.raises(privref.InputError):
            privref.lean_file(broken)
