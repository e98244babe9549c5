"""A budget may name every filter that a replay has: the audit proves its claim where that filter let all rounds run."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.adaptive.machines import ORDERS
from privref.audit.replayed import replay_ledger, setup_for
from privref.kernel.theorems import GRID_ORDERS, TABLES
from privref.ledger.model import FILTERS
from privref.statements.theorems import theorem

#: The filters that were no budget's before, with the tuning that a ledger has to declare.
NEW: dict[str, dict[str, str]] = {
    "rogers2016/thm5.1": {},
    "hartmann2022/def19": {},
    "feldman2021/renyi_filter": {"order": "12"},
    "feldman2021/response_filter": {"order": "12"},
    "lecuyer2021/renyi_grid_filter": {},
    "gdp/domination": {},
}
DELTA = Fraction(1, 1000)


def event(source: random.Random, filter: str) -> dict[str, Any]:
    kinds = ["pure-dp", "approx-dp"]
    kinds += ["zcdp", "rdp", "gaussian-dp"] if "renyi" in filter else []
    kinds += ["gaussian-dp"] if "domination" in filter else []
    kinds = ["output-dp"] if "hartmann" in filter else kinds
    epsilon = f"{source.randint(1, 40)}/100"
    match source.choice(kinds):
        case "approx-dp":
            guarantee = {"kind": "approx-dp", "epsilon": epsilon, "delta": "1/100000"}
        case "zcdp":
            guarantee = {"kind": "zcdp", "rho": f"{source.randint(1, 20)}/400", "delta": source.choice(["0", "1e-5"])}
        case "gaussian-dp":
            guarantee = {"kind": "gaussian-dp", "mu": f"{source.randint(1, 20)}/50"}
        case "rdp":
            guarantee = {"kind": "rdp", "orders": {"8": "0.05", "16": "0.09"}}
        case "output-dp":
            cells = {"a": epsilon, "b": "1/50"}
            found = {"kind": "output-dp", "cells": cells, "delta": "0"}
            return {"guarantee": found, "observed_cell": source.choice("ab"), "count": source.randint(1, 4)}
        case _:
            guarantee = {"kind": "pure-dp", "epsilon": epsilon}
    return {"guarantee": guarantee, "count": source.randint(1, 4)}


def document(filter: str, epsilon: Fraction, events: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "chosen-adaptively", "interaction": "sequential", "events": events,
        "budget": {"epsilon": str(epsilon), "delta": str(DELTA), "filter": filter},
        **({"tuning": {filter: NEW[filter]}} if NEW[filter] else {}),
    }  # fmt: skip


def record(filter: str, epsilon: Fraction, events: list[dict[str, Any]]) -> privref.Ledger:
    return privref.ledger_from_document(document(filter, epsilon, events))


def claimed(epsilon: Fraction) -> tuple[privref.Claim, ...]:
    claim = {"id": "c", "epsilon": str(epsilon), "delta": str(DELTA)}
    return privref.claims_from_document({"schema": "claims.1", "claims": [claim]})


@pytest.mark.parametrize("filter", NEW)
def test_the_audit_proves_the_budget_where_the_machine_let_all_rounds_run(filter: str) -> None:
    """And nowhere else, whatever the claim; every certificate verifies."""
    source = random.Random(filter)
    seen = []
    for _ in range(30):
        epsilon = Fraction(source.randint(4, 40), 10)
        ledger = record(filter, epsilon, [event(source, filter) for _ in range(source.randint(1, 4))])
        name = theorem(filter).machine
        rows = replay_ledger(ledger, setup_for(ledger, epsilon, DELTA), names=(name,)).rows
        outcomes = {row.cells[name].outcome for row in rows}
        audit = privref.audit(ledger, claimed(epsilon))
        (opinion,) = audit.opinions
        assert (opinion.verdict == "confirmed") == (outcomes == {"CONT"}), (opinion.reason, outcomes)
        seen.append(opinion.verdict)
        if opinion.verdict == "confirmed":
            assert opinion.deciding is not None
            assert opinion.deciding.application.by == filter
            assert any("no other rule, decided" in premise.how for premise in opinion.premises)
            made = privref.certificates(audit)
            assert "c" in made or filter not in TABLES["epsilon"], made.missing
            assert all(privref.verify(document).outcome == "verified" for document in made.values())
            # The budget is what is proved, not what was spent of it.
            (less,) = privref.audit(ledger, claimed(epsilon - Fraction(1, 1000))).opinions
            assert less.verdict == "inapplicable"
        else:
            assert opinion.verdict in ("inapplicable", "underivable")
    assert 4 < seen.count("confirmed") < len(seen)


@pytest.mark.parametrize("filter", NEW)
def test_a_premise_names_what_something_else_stopped(filter: str) -> None:
    """Events that the filter refuses show no other rule, wherever they stand; one that it lets run shows one."""
    source = random.Random(f"stopped {filter}")
    seen = set()
    for _ in range(12):
        epsilon = Fraction(source.randint(4, 20), 10)
        ran: list[dict[str, Any]] = []
        events: list[dict[str, Any]] = []
        for _ in range(source.randint(2, 5)):
            asked = {**event(source, filter), "count": 1}
            ledger, name = record(filter, epsilon, [*ran, asked]), theorem(filter).machine
            last = replay_ledger(ledger, setup_for(ledger, epsilon, DELTA), names=(name,)).rows[-1]
            if last.cells[name].outcome == "CONT":
                ran.append(asked)
                events.append(asked)
            else:
                events.append({**{key: asked[key] for key in ("guarantee", "count")}, "decision": "reject"})
        for stopped in (None, *range(len(events))):
            if stopped is not None and (events[stopped].get("decision") or len(ran) < 2):
                continue
            changed = [dict(each) for each in events]
            if stopped is not None:
                changed[stopped] = {"guarantee": events[stopped]["guarantee"], "decision": "reject"}
            (opinion,) = privref.audit(record(filter, epsilon, changed), claimed(epsilon)).opinions
            (said,) = (each.how for each in opinion.premises if "decided from before" in each.how)
            if stopped is None:
                assert "and no other rule, decided" in said
            else:
                assert "something else decided too" in said
                # The event that was stopped, or one before which more is left without it.
                assert f"event {stopped + 1} did not run" in said or any("decision" in each for each in events)
            seen.add(stopped is None)
    assert seen == {True, False}


def test_a_premise_of_rho_names_what_something_else_stopped() -> None:
    """By the sum of rho; and in a batch, whose events are in no order, only what all that ran leaves room for."""
    events = [{"guarantee": {"kind": "zcdp", "rho": rho}} for rho in ("1/100", "1/25", "1/20")]
    given = document("rogers2016/thm5.1", Fraction(1), events)
    budget = {"rho": "1/10", "filter": "whitehouse2023/thm1"}
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", "rho": "1/10"}]})
    for rho, ordered in (("1/25", True), ("3/100", True), ("1/10", False), ("1/1000", False)):
        stopped = {"guarantee": {"kind": "zcdp", "rho": rho}, "decision": "reject"}
        whole = {**given, "budget": budget, "events": [events[0], stopped, *events[1:2]]}
        ledger = replace(privref.ledger_from_document(whole), in_order=ordered)
        (opinion,) = privref.audit(ledger, claims).opinions
        assert opinion.verdict == "confirmed"
        assert any("event 2 did not run" in each.how for each in opinion.premises) == (rho != "1/10")
    for ordered in (True, False):
        # Before the last event ran, this one had room; after it, none.
        stopped = {"guarantee": {"kind": "zcdp", "rho": "9/100"}, "decision": "reject"}
        whole = {**given, "budget": budget, "events": [events[0], stopped, events[1]]}
        (opinion,) = privref.audit(replace(privref.ledger_from_document(whole), in_order=ordered), claims).opinions
        assert any("event 2 did not run" in each.how for each in opinion.premises) == ordered


@pytest.mark.parametrize("filter", [filter for filter, tuning in NEW.items() if tuning])
def test_an_order_that_is_not_declared_proves_nothing(filter: str) -> None:
    untuned = document(filter, Fraction(4), [{"guarantee": {"kind": "pure-dp", "epsilon": "1/10"}}])
    del untuned["tuning"]
    (opinion,) = privref.audit(privref.ledger_from_document(untuned), claimed(Fraction(4))).opinions
    assert opinion.verdict == "inapplicable"
    assert "tuning" in opinion.reason or "order" in opinion.reason


def test_the_orders_of_the_grid_are_those_of_a_replay_and_a_premise() -> None:
    """The kernel has them once more, on purpose."""
    assert GRID_ORDERS == ORDERS
    filter = "lecuyer2021/renyi_grid_filter"
    ledger = record(filter, Fraction(4), [{"guarantee": {"kind": "zcdp", "rho": "1/100"}}])
    (opinion,) = privref.audit(ledger, claimed(Fraction(4))).opinions
    assert opinion.verdict == "confirmed"
    assert any("3/2, 2, 3, 4" in premise.how for premise in opinion.premises)


def test_cells_without_a_budget_in_force_are_charged_at_their_most() -> None:
    """The simple filter of output DP counts observed cells only where it decided what ran."""
    events = [
        {"guarantee": {"kind": "output-dp", "cells": {"a": "1", "b": "0"}, "delta": "0"}, "observed_cell": "b"}
    ] * 3
    given = document("hartmann2022/def19", Fraction(1), events)
    (opinion,) = privref.audit(privref.ledger_from_document(given), claimed(Fraction(1))).opinions
    assert opinion.verdict == "confirmed"
    for changed in ({"parameters": "fixed-in-advance", "budget": None}, {"budget": {"epsilon": "1", "delta": "0.001"}}):
        other = {key: value for key, value in (given | changed).items() if value is not None}
        (opinion,) = privref.audit(privref.ledger_from_document(other), claimed(Fraction(1))).opinions
        assert opinion.verdict != "confirmed"


def test_every_new_filter_is_tried() -> None:
    tried = {"rogers2016/thm3.3", "whitehouse2023/thm2", "whitehouse2023/lem1", "cks2020/zcdp2dp", "gdp/composition"}
    tried |= {"hartmann2022/alg1", "rswr2023/ex_post_filter", "whitehouse2023/thm1"}
    assert set(FILTERS) == tried | set(NEW)
