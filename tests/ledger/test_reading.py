"""Ledgers: what is read from JSON and CSV, and that everything malformed is one clear refusal."""

from __future__ import annotations

import copy
import json
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    OutputDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    Unknown,
)
from privref.ledger.documents import digest, parse


@pytest.mark.parametrize(
    ("guarantee", "expected"),
    [
        ({"kind": "pure-dp", "epsilon": "0.1"}, PureDP(Fraction(1, 10))),
        ({"kind": "approx-dp", "epsilon": "1/3", "delta": "1e-6"}, ApproxDP(Fraction(1, 3), Fraction(1, 10**6))),
        ({"kind": "pdp", "epsilon": "1", "delta": "0"}, ProbabilisticDP(Fraction(1), Fraction(0))),
        ({"kind": "zcdp", "rho": "3/20"}, ZCDP(Fraction(3, 20), Fraction(0))),
        ({"kind": "zcdp", "rho": "3/20", "delta": "0.5"}, ZCDP(Fraction(3, 20), Fraction(1, 2))),
        ({"kind": "gaussian-dp", "mu": "2"}, GaussianDP(Fraction(2))),
        ({"kind": "bounded-range", "epsilon": "1/2"}, BoundedRange(Fraction(1, 2))),
        (
            {"kind": "rdp", "orders": {"4": "1", "1.5": "0.2"}},
            RenyiDP(((Fraction(3, 2), Fraction(1, 5)), (Fraction(4), Fraction(1)))),
        ),
        (
            {"kind": "output-dp", "cells": {"answer": "1/2", "bottom": "1/4"}, "delta": "0"},
            OutputDP((("answer", Fraction(1, 2)), ("bottom", Fraction(1, 4))), Fraction(0)),
        ),
        (
            {"kind": "output-dp", "partition": {"rule": "svt-count", "eps1": "1", "eps2": "2", "c": 2}, "delta": "0"},
            OutputDP((("0", Fraction(1)), ("1", Fraction(2)), ("2", Fraction(3))), Fraction(0)),
        ),
        ({"kind": "unknown"}, Unknown("unknown")),
        ({"kind": "unknown", "description": "a DP-SGD run"}, Unknown("a DP-SGD run")),
    ],
)
def test_every_kind_of_guarantee_is_read(ledger_document: dict[str, Any], guarantee: Any, expected: Any) -> None:
    ledger_document["events"] = [{"guarantee": guarantee}]
    assert privref.ledger_from_document(ledger_document).events[0].guarantee == expected


def change(document: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    target = changed
    for step in path[:-1]:
        target = target[step]
    if to is None:
        del target[path[-1]]
    else:
        target[path[-1]] = to
    return changed


GUARANTEE = ("events", 0, "guarantee")


@pytest.mark.parametrize(
    ("path", "to", "field"),
    [
        ((*GUARANTEE, "epsilon"), "nan", "ledger.events[0].guarantee.epsilon"),
        ((*GUARANTEE, "epsilon"), "-1", "ledger.events[0].guarantee.epsilon"),
        ((*GUARANTEE, "epsilon"), 1, "ledger.events[0].guarantee.epsilon"),
        ((*GUARANTEE, "epsilon"), "1" * 4001, "ledger.events[0].guarantee.epsilon"),
        ((*GUARANTEE, "epsilon"), "1e5000", "ledger.events[0].guarantee.epsilon"),
        ((*GUARANTEE, "epsilon"), None, "ledger.events[0].guarantee.epsilon"),
        ((*GUARANTEE, "delta"), "0", "ledger.events[0].guarantee"),
        (GUARANTEE, {"kind": "approx-dp", "epsilon": "1", "delta": "1.5"}, "ledger.events[0].guarantee.delta"),
        (GUARANTEE, {"kind": "rdp", "orders": {"1": "1"}}, "ledger.events[0].guarantee.orders"),
        (GUARANTEE, {"kind": "rdp", "orders": {"2": "1", "2.0": "1"}}, "ledger.events[0].guarantee.orders"),
        (GUARANTEE, {"kind": "output-dp", "cells": {}, "delta": "0"}, "ledger.events[0].guarantee.cells"),
        (
            GUARANTEE,
            {"kind": "output-dp", "cells": {"a": "1"}, "delta": {"a": "0"}},
            "ledger.events[0].guarantee.delta",
        ),
        (GUARANTEE, {"kind": "output-dp", "cells": {"a": "-1"}, "delta": "0"}, "ledger.events[0].guarantee.cells.a"),
        (("events", 0, "observed_cell"), "a", "ledger.events[0].observed_cell"),
        (("events", 0, "count"), 0, "ledger.events[0].count"),
        (("events", 0, "count"), "3", "ledger.events[0].count"),
        (("events", 0, "cuont"), 3, "ledger.events[0]"),
        (("events",), [], "ledger.events"),
        (("neighbours",), "swap", "ledger.neighbours"),
        (("parameters",), None, "ledger.parameters"),
        (("schema",), "ledger.2", "ledger.schema"),
        (("budget",), {"epsilon": "1"}, "ledger.budget"),
        (("budget",), {"rho": "1"}, "ledger.budget"),
        (("budget",), {"epsilon": "1", "rho": "1", "delta": "0"}, "ledger.budget"),
        (("budget",), {"epsilon": "1", "delta": "0", "filter": "mine"}, "ledger.budget.filter"),
        (("budget",), {"epsilon": "1", "delta": "0", "filter": "whitehouse2023/thm1"}, "ledger.budget.filter"),
        (("budget",), {"rho": "1", "filter": "cks2020/zcdp2dp"}, "ledger.budget.filter"),
        (("budget",), {"epsilon": "1", "delta": "1e-6", "delta_prime": "1e-7"}, "ledger.budget.delta_prime"),
        (
            ("budget",),
            {"epsilon": "1", "delta": "1e-6", "delta_prime": "1e-7", "filter": "rogers2016/thm3.3"},
            "ledger.budget.delta_prime",
        ),
        (
            ("budget",),
            {"epsilon": "1", "delta": "1e-6", "delta_prime": "1e-5", "filter": "cks2020/zcdp2dp"},
            "ledger.budget.delta_prime",
        ),
        (("budget",), {"epsilon": "1", "delta": "2"}, "ledger.budget.delta"),
    ],
)
def test_a_malformed_ledger_names_its_field(ledger_document: dict[str, Any], path: Any, to: Any, field: str) -> None:
    with pytest.raises(privref.InputError) as refusal:
        privref.ledger_from_document(change(ledger_document, *path, to=to))
    assert refusal.value.field == field
    assert "\n" not in str(refusal.value)


def test_two_different_splits_of_delta_are_one_too_many(ledger_document: dict[str, Any]) -> None:
    """The budget and the tuning both may say delta'; where they differ, nobody knows which one ran."""
    name = "cks2020/zcdp2dp"
    for wrong in ("cks2020/zcdp2d", "zcdp"):
        with pytest.raises(privref.InputError, match="name the theorem of the machine"):
            privref.ledger_from_document({**ledger_document, "tuning": {wrong: {"delta_prime": "1e-7"}}})
    budget = {"epsilon": "1", "delta": "1e-6", "delta_prime": "5e-7", "filter": name}
    for split, refused in (("5e-7", False), ("4e-7", True)):
        document = {**ledger_document, "budget": budget, "tuning": {name: {"delta_prime": split}}}
        with pytest.raises(privref.InputError, match="give one of both") if refused else nullcontext():
            privref.ledger_from_document(document)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1,}', "take the comma out that no value follows"),
        ("[1,,2]", "take the comma out that no value follows"),
        ("{“a”: 1}", "write straight double quotation marks"),
        ('{"a": 1 // one\n}', "it has no comments"),
        ('{"a" 1}', "it is not complete"),
        ('{"count": 4.0}', "a whole number, such as 4)"),
        ('{"count": 4.5}', "a whole number, such as 10)"),
    ],
)
def test_the_repair_of_json_is_at_its_place(text: str, says: str) -> None:
    with pytest.raises(privref.InputError) as caught:
        parse(text, "ledger")
    assert says in str(caught.value)


def test_a_cell_dependent_delta_is_refused_with_the_reason(ledger_document: dict[str, Any]) -> None:
    guarantee = {"kind": "output-dp", "cells": {"a": "1"}, "delta": {"a": "0"}}
    with pytest.raises(privref.InputError, match="theorem is false"):
        privref.ledger_from_document(change(ledger_document, *GUARANTEE, to=guarantee))


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (0.1, "privref rejects '0.1': JSON numbers may be rounded: write it in quotation marks, \"0.1\""),
        (1, "privref rejects '1': write it in quotation marks: \"1\""),
        (float("nan"), "privref rejects 'NaN': this is not a number"),
        ("10^-6", "privref rejects '10^-6': write \"1e-6\""),
        ("10%", "privref rejects '10%': write \"0.1\""),
        ("0,1", "privref rejects '0,1': write a decimal point: \"0.1\""),
        ("ln(3)", "privref rejects 'ln(3)': write a decimal, rounded up: 1.0986123"),
        ("abc", "privref rejects 'abc': write a number such as 0.1, 1e-6 or 1/10"),
    ],
)
def test_a_number_that_is_not_read_says_what_to_write(
    ledger_document: dict[str, Any], number: object, says: str
) -> None:
    ledger_document["events"] = [{"guarantee": {"kind": "pure-dp", "epsilon": number}}]
    document = json.dumps(ledger_document)
    with pytest.raises(privref.InputError) as refused:
        privref.ledger_from_document(privref.parse_document(document, "ledger"))
    assert f"ledger.events[0].guarantee.epsilon: {says}" in str(refused.value)


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"parameters": "fixed"}, "parameters: privref rejects 'fixed': did you mean fixed-in-advance? give one of"),
        ({"neighbours": "replace_one"}, "did you mean replace-one?"),
        ({"neighbours": "bounded"}, "did you mean replace-one?"),
        ({"neighbours": "unbounded"}, "did you mean add-or-remove-one?"),
        ({"interaction": "seq"}, "give one of sequential, concurrent"),
    ],
)
def test_a_word_that_no_ledger_declares_is_refused_at_every_door(declared: dict[str, Any], says: str) -> None:
    """A ledger with a word of its own kept it, and a theorem's hypothesis was then silently not met."""
    for read in (
        lambda: privref.ledger_from_csv("epsilon\n0.1\n", "x", **declared),
        lambda: privref.ledger_from_frame({"epsilon": ["0.1"]}, "x", **declared),
        lambda: privref.Ledger("x", [privref.Event(PureDP(Fraction(1, 10)))], "", "", **declared),
    ):
        with pytest.raises(privref.InputError) as refused:
            read()
        assert says in str(refused.value)


def test_an_audit_of_no_claim_is_refused() -> None:
    with pytest.raises(privref.InputError, match="claims is empty: give a list of claims"):
        privref.audit(privref.ledger_from_csv("epsilon\n0.1\n", "x"), [])


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a": 1, "a": 2}', "[1.5]", "[NaN]", "[Infinity]", "[" * 100_000, "[" + "9" * 5000 + "]", "nul"],
    ids=lambda text: text[:12],
)
def test_text_that_is_not_strict_json_is_refused(text: str) -> None:
    with pytest.raises(privref.InputError, match=r"^ledger(\[0\]| line 1, column \d+| is empty)?: "):
        privref.parse_document(text, "ledger")


def test_files_that_can_not_be_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, message in ((tmp_path, "directory"), (tmp_path / "none.json", "does not exist")):
        with pytest.raises(privref.InputError, match=message):
            privref.read_ledger(path)
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(privref.InputError, match="UTF-8"):
        privref.read_ledger(binary)

    def denied(self: Path) -> bytes:
        raise PermissionError

    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(privref.InputError, match="permission"):
        privref.read_ledger(binary)


def test_the_digest_is_of_the_content_not_of_its_layout(ledger_document: dict[str, Any]) -> None:
    reordered = json.loads(json.dumps(dict(reversed(ledger_document.items())), indent=7))
    assert digest(reordered) == digest(ledger_document)
    assert digest(change(ledger_document, "title", to="other")) != digest(ledger_document)


def test_csv_rows_become_events_and_equal_neighbours_are_counted() -> None:
    ledger = privref.ledger_from_csv("epsilon,delta\n0.1,0\n0.1,0\n0.2,1e-6\n0.1,0\n", "t")
    assert [(event.guarantee, event.count) for event in ledger.events] == [
        (ApproxDP(Fraction(1, 10), Fraction(0)), 2),
        (ApproxDP(Fraction(1, 5), Fraction(1, 10**6)), 1),
        (ApproxDP(Fraction(1, 10), Fraction(0)), 1),
    ]
    assert (ledger.neighbours, ledger.parameters, ledger.interaction) == (None, None, None)
    counted = privref.ledger_from_csv("rho,count\n1/2,3\n1/2,4\n", "t")
    assert [(event.guarantee, event.count) for event in counted.events] == [(ZCDP(Fraction(1, 2)), 7)]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=30))
def test_csv_and_json_agree_on_what_was_run(rows: list[tuple[int, int]]) -> None:
    text = "epsilon,delta,count\n" + "".join(f"0.{eps},0,{times}\n" for eps, times in rows)
    ledger = privref.ledger_from_csv(text, "t")
    expanded = [Fraction(eps, 10) for eps, times in rows for _ in range(times)]
    assert [e.guarantee.epsilon for e in ledger.events for _ in range(e.count)] == expanded  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "header"),
        ("cost,delta\n1,0\n", "header"),
        ("epsilon,delta\n", "ledger is empty"),
        ("epsilon,delta\n1\n", "line 2"),
        ("epsilon,delta\n1,0\n1,0,3\n", "line 3"),
        ("epsilon,delta\n1,2\n", "line 2, column delta"),
        ("epsilon,delta\n-1,0\n", "line 2, column epsilon"),
        ("epsilon,delta\nnan,0\n", "line 2, column epsilon"),
        ("rho,count\n1,0\n", "line 2, column count"),
        ("rho,count\n1,1.5\n", "line 2, column count"),
        ('rho\n"1\n', "mend|line"),
    ],
)
def test_a_malformed_csv_names_its_line(text: str, message: str) -> None:
    with pytest.raises(privref.InputError, match=message):
        privref.ledger_from_csv(text, "t")


def test_the_census_example_sums_to_the_published_total() -> None:
    ledger = privref.ledger_from_document(privref.example_document("census2020", "ledger"))
    assert len(ledger.events) == 65
    assert sum(event.guarantee.rho for event in ledger.events) == Fraction(542, 339) ** 2  # type: ignore[union-attr]


def test_events_that_did_not_run_cost_nothing(ledger_document: dict[str, Any]) -> None:
    ledger_document["events"].append({"guarantee": {"kind": "pure-dp", "epsilon": "5"}, "decision": "halt"})
    assert privref.ledger_from_document(ledger_document).rounds == 17
