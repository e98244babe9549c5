"""What has no canonical form, is no CSV, or contradicts itself is one refusal that names its place."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

import privref
from privref.exact.errors import InputErrors
from privref.ledger import documents, reading
from privref.ledger.combining import combined
from privref.ledger.documents import digest

PURE = {"kind": "pure-dp", "epsilon": "1"}
OUTPUT_DP = {"kind": "output-dp", "cells": {"a": "1", "b": "2"}, "delta": "0"}


@pytest.mark.parametrize(
    ("event", "field", "remedy"),
    [
        ({"count": 10**30}, "ledger.events[0].count", r"2\^53 - 1"),
        ({"count": 2**53}, "ledger.events[0].count", r"2\^53 - 1"),
        ({"label": "a\ud800"}, "ledger.events[0].label", "unpaired surrogate"),
    ],
    ids=["count", "first-too-large", "string"],
)
def test_what_has_no_canonical_form_is_refused_with_its_place(
    ledger_document: dict[str, Any], event: dict[str, Any], field: str, remedy: str
) -> None:
    ledger_document["events"] = [{"guarantee": {"kind": "pure-dp", "epsilon": "1"}, **event}]
    with pytest.raises(privref.InputError, match=remedy) as refusal:
        privref.ledger_from_document(ledger_document)
    assert refusal.value.field == field
    assert str(refusal.value).encode("utf-8")


@pytest.mark.parametrize(
    ("value", "field", "remedy"),
    [
        ({"steps": [1, -(10**30)]}, "ledger.steps[1]", r"2\^53 - 1"),
        ({"steps": 10**5000}, "ledger.steps", r"2\^53 - 1"),
        ({"deeper": {"\udc00": 1}}, "ledger.deeper", "unpaired surrogate"),
        ({"x": float("inf")}, "ledger.x", "this is not a number"),
        ({1: "x"}, "ledger", "keys of JSON are strings"),
    ],
    ids=["in-a-list", "thousands-of-digits", "key", "infinity", "whole-key"],
)
def test_a_digest_names_what_has_no_canonical_form(value: dict[Any, Any], field: str, remedy: str) -> None:
    with pytest.raises(privref.InputError, match=remedy) as refusal:
        documents.digest(value)
    assert refusal.value.field == field
    assert str(refusal.value).encode("utf-8")


def test_the_largest_integer_and_whole_pairs_have_a_digest(ledger_document: dict[str, Any]) -> None:
    ledger_document["events"][0]["count"] = 2**53 - 1
    ledger_document["title"] = "📊"
    assert privref.ledger_from_document(ledger_document).events[0].count == 2**53 - 1
    assert digest({"b": 2**53 - 1, "a": "📊"}) == hashlib.sha256('{"a":"📊","b":9007199254740991}'.encode()).hexdigest()


@pytest.mark.parametrize(
    "text",
    ['"rho', '"rho"x\n1\n', "rho\r1\r", "epsilon,delta\r1,0\r", "r" * 200_000 + "\n1\n", '"rho\n'],
    ids=["open-quote", "after-quote", "cr-only", "cr-only-pairs", "long-field", "open-quote-lines"],
)
def test_a_header_that_is_no_csv_is_refused(text: str) -> None:
    with pytest.raises(privref.InputError, match=r"^ledger (header|line)") as refusal:
        privref.ledger_from_csv(text, "t")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("decision", ["halt", "reject"])
def test_an_event_that_did_not_run_has_no_observed_cell(ledger_document: dict[str, Any], decision: str) -> None:
    ledger_document["events"] = [{"guarantee": OUTPUT_DP, "observed_cell": "a", "decision": decision}]
    with pytest.raises(privref.InputError, match="did not run has no observed cell") as refusal:
        privref.ledger_from_document(ledger_document)
    assert refusal.value.field == "ledger.events[0].observed_cell"


def test_an_event_that_ran_keeps_its_cell_and_one_that_did_not_needs_none(ledger_document: dict[str, Any]) -> None:
    ledger_document["events"] = [
        {"guarantee": OUTPUT_DP, "observed_cell": "a", "decision": "continue"},
        {"guarantee": OUTPUT_DP, "observed_cell": "b"},
        {"guarantee": OUTPUT_DP, "decision": "halt"},
    ]
    ledger = privref.ledger_from_document(ledger_document)
    assert [event.observed_cell for event in ledger.events] == ["a", "b", None]


def test_nothing_ran_after_the_run_ended(ledger_document: dict[str, Any]) -> None:
    """Of one run, in order; several ledgers together are several runs, one after another in the list."""
    halted = {"guarantee": PURE, "decision": "halt"}
    for after in ({"guarantee": PURE}, {"guarantee": PURE, "decision": "reject"}):
        document = {**ledger_document, "events": [{"guarantee": PURE}, halted, halted, after]}
        with pytest.raises(
            privref.InputError, match=r"events\[1\] says that the run ended.*write \"reject\""
        ) as refusal:
            privref.ledger_from_document(document)
        assert refusal.value.field == "ledger.events[3].decision"
    first, second = ({**ledger_document, "events": [{"guarantee": PURE}, end]} for end in (halted, {"guarantee": PURE}))
    joint = combined([privref.ledger_from_document(each) for each in (first, second)], ["a", "b"])
    assert [event.decision for event in joint.events] == [None, "halt", None, None]


def test_all_that_is_wrong_is_said_at_once() -> None:
    """Floats, mechanisms and shape, and what the events mean, each place once, in one document too."""
    head = '{"schema": "ledger.1", "title": "t", "privacy_unit": "p", "neighbours": "replace-one", '
    head += '"parameters": "fixed-in-advance", "interaction": "sequential", "events": '
    floats = '[{"guarantee": {"kind": "pure-dp", "epsilon": 0.1}}, {"guarantee": {"kind": "zcdp", "rho": 3e-1}}]}'
    shapes = '[{"mechanism": {"kind": "gausian"}}, {"guarantee": {"kind": "pure-dp", "epsilon": "x"}}, '
    shapes += '{"guarantee": {"kind": "unknown"}, "count": 0}]}'
    meanings = '[{"guarantee": {"kind": "zcdp", "rho": "-1"}}, {"guarantee": {"kind": "pure-dp", "epsilon": "-2"}}]}'
    places = {
        floats: ["ledger.events[0].guarantee.epsilon", "ledger.events[1].guarantee.rho"],
        shapes: ["ledger.events[0].mechanism.kind", "ledger.events[1].guarantee.epsilon", "ledger.events[2].count"],
        meanings: ["ledger.events[0].guarantee.rho", "ledger.events[1].guarantee.epsilon"],
    }
    mixed = '[{"mechanism": {"kind": "gausian"}}, {"guarantee": {"kind": "pure-dp", "epsilon": 0.1}}, '
    mixed += '{"guarantee": {"kind": "zcdp", "rho": "-1"}}, {"guarantee": {"kind": "pure-dp", "epsilon": "x"}}, '
    mixed += '{"guarantee": {"kind": "zcdp", "rho": "1"}, "count": 1.5}]}'
    places[mixed] = [f"ledger.events[{i}].{what}" for i, what in enumerate(
        ("mechanism.kind", "guarantee.epsilon", "guarantee.rho", "guarantee.epsilon", "count")
    )]  # fmt: skip
    for events, expected in places.items():
        with pytest.raises(InputErrors) as refused:
            reading.ledger_from_document(documents.parse(head + events, "ledger", reading.ledger_from_document))
        assert sorted(error.field for error in refused.value.errors) == expected


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("pure_dp", "pure-dp"), ("Pure-DP", "pure-dp"), ("gdp", "gaussian-dp"), ("zCDP", "zcdp"), ("rdpp", "rdp"),
        ("renyi-dp", "rdp"), ("unknwon", "unknown"), ("pate", ""), ("", ""),
    ],
)  # fmt: skip
def test_an_unlisted_kind_of_guarantee_is_refused(ledger_document: dict[str, Any], kind: str, meant: str) -> None:
    """A misspelled kind is an error and no verdict; the refusal is said once, with the kind that was meant."""
    for more in ({"epsilon": "1"}, {"description": "what ran"}, {"q": 1}, {}):
        document = {**ledger_document, "events": [{"guarantee": {"kind": kind, **more}}]}
        with pytest.raises(privref.InputError) as refused:
            privref.ledger_from_document(document)
        error = refused.value
        assert not isinstance(error, InputErrors)
        assert (error.field, error.value) == ("ledger.events[0].guarantee.kind", kind)
        assert ("did you mean" in error.remedy) == bool(meant)
        assert f"did you mean {meant}? " in error.remedy or not meant
        assert "is unknown, with a description" in error.remedy


def test_a_document_of_another_schema_or_with_many_refusals_is_no_crash(ledger_document: dict[str, Any]) -> None:
    """The schema then says nothing, or not all, of the events, which are not read as if it had."""
    bad = {**ledger_document, "schema": "1", "events": [{"guarantee": 5}]}
    with pytest.raises(privref.InputError, match=r"ledger\.schema"):
        privref.ledger_from_document(bad)
    with pytest.raises(InputErrors):
        privref.ledger_from_document({**ledger_document, "events": [{"guarantee": 5}] * 50})
