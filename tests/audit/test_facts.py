"""What a ledger is said to lack, or to be charged for."""

from __future__ import annotations

from typing import Any

import pytest

import privref
from privref.audit.facts import Facts
from privref.audit.facts.hypotheses import check
from privref.statements.hypotheses import Hypothesis
from privref.statements.theorems import theorem


def facts(*guarantees: dict[str, Any], observed: str | None = None, count: int = 1) -> Facts:
    """Of one event for each guarantee; the last one has the observed cell and the count."""
    events: list[dict[str, Any]] = [{"guarantee": guarantee} for guarantee in guarantees]
    events[-1] |= {"count": count} | ({} if observed is None else {"observed_cell": observed})
    return Facts.of(
        privref.ledger_from_document(
            {
                "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
                "parameters": "chosen-adaptively", "interaction": "sequential", "events": events,
            }
        )
    )  # fmt: skip


PURE = {"kind": "pure-dp", "epsilon": "1"}
ZCDP = {"kind": "zcdp", "rho": "1"}
RENYI = {"kind": "rdp", "orders": {"2": "1"}}
TWO_CELLS = {"kind": "output-dp", "cells": {"a": "1", "b": "0"}, "delta": "0"}
ONE_CELL = {"kind": "output-dp", "cells": {"a": "1"}, "delta": "0"}


@pytest.mark.parametrize(
    ("hypothesis", "kinds"),
    [
        (Hypothesis.APPROX_DP_ROUNDS, "rdp, zcdp"),
        (Hypothesis.PURE_ROUNDS, "rdp, zcdp"),
        (Hypothesis.OUTPUT_DP_ROUNDS, "rdp, zcdp"),
        (Hypothesis.ZCDP_ROUNDS, "rdp"),
    ],
)
def test_the_kinds_that_lack_a_guarantee_are_named(hypothesis: Hypothesis, kinds: str) -> None:
    """Those that have it are not."""
    finding = check(facts(ZCDP, PURE, TWO_CELLS, RENYI), hypothesis, "any/theorem")
    assert not finding.met
    assert finding.how == f"events of kind {kinds} have no such guarantee"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (facts(PURE, ONE_CELL, TWO_CELLS, count=3), "3 without an observed cell"),
        (facts(PURE, ONE_CELL, TWO_CELLS, count=3, observed="b"), "and its observed cell"),
        (facts(TWO_CELLS, PURE, count=3), "1 without an observed cell"),
        (facts(PURE, ONE_CELL), "and its observed cell"),
    ],
)
def test_only_rounds_that_could_have_been_cheaper_lack_an_observed_cell(found: Facts, said: str) -> None:
    """Where there is one cell, nothing is missing."""
    finding = check(found, Hypothesis.OUTPUT_DP_ROUNDS, "any/theorem")
    assert finding.met
    assert said in finding.how


def test_what_only_guarantees_speak_of_is_found_event_by_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of what ran is made a fixed number of times, however many events there are."""
    noise = {"mechanism": {"kind": "laplace", "scale": "10", "sensitivity": "1"}}
    events = [noise, {"guarantee": PURE}, {**noise, "decision": "reject"}, {"guarantee": ZCDP}] * 5
    record = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": events,
        }
    )  # fmt: skip
    calls = []
    made = type(record).ran.fget
    monkeypatch.setattr(type(record), "ran", property(lambda self: calls.append(1) or made(self)))
    left = Facts.of(record).without_laws()
    assert len(calls) <= 2
    kinds = [(event.guarantee.kind, event.decision) for event in left.ledger.events]
    assert kinds == [("pure-dp", None), ("pure-dp", "reject"), ("zcdp", None)] * 5


@pytest.mark.parametrize(
    ("events", "interaction", "met"),
    [
        ([{"kind": "rdp", "orders": {"2": "1/10"}}], "concurrent", True),
        ([{"kind": "rdp", "orders": {"2": "1/10"}, "delta": "1e-9"}], "concurrent", False),
        ([{"kind": "rdp", "orders": {"2": "1/10"}, "delta": "1e-9"}], "sequential", True),
        ([{"kind": "rdp", "orders": {"2": "1/10"}}, {"kind": "pure-dp", "epsilon": "1"}], "concurrent", True),
        ([{"kind": "zcdp", "rho": "1/10"}, {"kind": "approx-dp", "epsilon": "1", "delta": "1e-9"}], "concurrent", True),
        ([{"kind": "zcdp", "rho": "1/10", "delta": "1e-9"}], "concurrent", False),
        ([{"kind": "zcdp", "rho": "1/10", "delta": "1e-9"}], "sequential", True),
        ([{"kind": "unknown", "description": "survey"}], "concurrent", False),
    ],
)
def test_filters_of_moments_may_be_concurrent(events: list[object], interaction: str, met: bool) -> None:
    """Haney et al. 2023 for Renyi DP of a fixed order, and what follows from it; not for approximate zCDP."""
    ledger = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "chosen-adaptively", "interaction": interaction,
            "events": [{"guarantee": guarantee} for guarantee in events],
        }
    )  # fmt: skip
    for id in ("feldman2021/renyi_filter", "lecuyer2021/renyi_grid_filter", "cks2020/rdp2dp"):
        assert check(Facts.of(ledger), Hypothesis.CONCURRENT_RDP, id).met is met
        assert Hypothesis.CONCURRENT_RDP in theorem(id).hypotheses
    for id in ("whitehouse2023/thm1", "whitehouse2023/lem1", "cks2020/zcdp2dp"):
        assert check(Facts.of(ledger), Hypothesis.CONCURRENT_ZCDP, id).met is met
        assert Hypothesis.CONCURRENT_ZCDP in theorem(id).hypotheses
    # Observed cells, losses of pDP rounds, a public size and individual losses: nothing is proved of these.
    stay = (
        "hartmann2022/alg1", "hartmann2022/def19", "rogers2016/thm6.2", "whitehouse2023/lem3",
        "whitehouse2023/thm3.mixture.repaired", "feldman2021/individual_filter",
    )  # fmt: skip
    assert all(Hypothesis.SEQUENTIAL in theorem(id).hypotheses for id in stay)
    assert Hypothesis.CONCURRENT_DP in theorem("feldman2021/response_filter").hypotheses
