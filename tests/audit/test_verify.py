"""The re-check of a certificate: each theorem's inputs follow from the ledger and the claim, or it is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.audit.engines import enclosed
from privref.exact.enclosure import Enclosure
from privref.exact.numbers import spell
from privref.ledger.documents import digest
from privref.statements.registry import non_negative
from privref.statements.theorems import THEOREMS, Theorem

Document = dict[str, Any]


def ledger(*events: Document, parameters: str = "fixed-in-advance", **more: Any) -> Document:
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": parameters, "interaction": "sequential", "events": list(events), **more,
    }  # fmt: skip


def adaptive(*events: Document, **more: Any) -> Document:
    return ledger(*events, parameters="chosen-adaptively", **more)


def event(kind: str, count: int = 1, **guarantee: Any) -> Document:
    return {"count": count, "guarantee": {"kind": kind, **guarantee}}


def pure(epsilon: str, count: int = 1) -> Document:
    return event("pure-dp", count, epsilon=epsilon)


def approx(epsilon: str, delta: str, count: int = 1) -> Document:
    return event("approx-dp", count, epsilon=epsilon, delta=delta)


def zcdp(rho: str, delta: str = "0", count: int = 1) -> Document:
    return event("zcdp", count, rho=rho, delta=delta)


def cells(observed: str | None, count: int = 1, delta: str = "0", **costs: str) -> Document:
    found = event("output-dp", count, cells=costs, delta=delta)
    return found if observed is None else {**found, "observed_cell": observed}


def svt(observed: str, delta: str = "0") -> Document:
    """The sparse vector technique at 1 + 4 with at most two tops: its cells "0", "1", "2" cost 1, 3, 5."""
    rule = {"rule": "svt-count", "eps1": "1", "eps2": "4", "c": 2}
    return {**event("output-dp", partition=rule, delta=delta), "observed_cell": observed}


def ptr(observed: str, delta: str = "0") -> Document:
    """Propose-test-release at 1/2: an answer costs 1, no answer 1/2."""
    return {**event("output-dp", partition={"rule": "ptr", "eps": "1/2"}, delta=delta), "observed_cell": observed}


def budget(epsilon: str, delta: str, filter: str | None = None, delta_prime: str | None = None) -> Document:
    named = {"filter": filter, "delta_prime": delta_prime}
    return {"budget": {"epsilon": epsilon, "delta": delta, **{k: v for k, v in named.items() if v is not None}}}


def under(by: str, delta: str = "1e-6", delta_prime: str | None = None) -> Document:
    """The budget of 50 that most claims here are about, enforced by a filter."""
    return budget("50", delta, by, delta_prime)


def rho_budget(rho: str, delta: str = "0") -> Document:
    return {"budget": {"rho": rho, "delta": delta, "filter": "whitehouse2023/thm1"}}


def tuning(by: str, delta_prime: str) -> Document:
    return {"tuning": {by: {"delta_prime": delta_prime}}}


#: Three stages of noise reduction, of which the first was enough.
def staged(observed: str | None, count: int = 1) -> Document:
    return cells(observed, count, first="0.1", second="1/2", third="1")


def at_order(order: str, **more: str) -> Document:
    return {"tuning": {EX_POST: {"order": order, **more}}}


def certificate(record: Document, claim: Mapping[str, str], verdict: str = "confirmed") -> Document:
    """What the audit issues for one claim, which must have that verdict."""
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    audit = privref.audit(privref.ledger_from_document(record), claims)
    assert [opinion.verdict for opinion in audit.opinions] == [verdict], audit.opinions[0].reason
    return copy.deepcopy(privref.certificates(audit)["c"])


@cache
def good_certificate(name: str) -> Document:
    """One of ``GOOD``, issued once; it is not to be changed."""
    return certificate(*GOOD[name])


@cache
def refuting_certificate(name: str) -> Document:
    """One of ``FALSE``, issued once; it is not to be changed."""
    return certificate(*FALSE[name], "underivable")


def enclosure(statement: str, inputs: Mapping[str, object]) -> Document:
    found = privref.evaluate(statement, inputs).enclosure
    assert found is not None
    lower, upper = found.decimals(20)
    return {"lower": lower, "upper": upper, "binary64": list(found.binary64())}


def altered(
    base: Document,
    inputs: Mapping[str, object] | None = None,
    record: Document | None = None,
    claim: Mapping[str, str] | None = None,
) -> Document:
    """A forgery that is right in itself: the value is that of its inputs, the digest that of its ledger."""
    document = copy.deepcopy(base)
    part = document["lower_bound"] if "lower_bound" in document else document["bounds"][0]
    part["inputs"] |= inputs or {}
    part.pop("value", None)
    if (exactly := privref.evaluate(part["statement"], part["inputs"]).value) is not None:
        part["value"] = exactly
    part["enclosure"] = enclosure(part["statement"], part["inputs"])
    document["claim"] |= claim or {}
    key = "delta" if document["verdict"] == "underivable" and "epsilon" in document["claim"] else "epsilon"
    claimed = Fraction(document["claim"].get(key, document["claim"].get("rho")))
    lower, upper = (claimed - Fraction(part["enclosure"][end]) for end in ("upper", "lower"))
    document["margin"] = dict(zip(("lower", "upper"), Enclosure(lower, upper).decimals(6), strict=True))
    if record is not None:
        rounds = sum(event.get("count", 1) for event in record["events"] if event.get("decision") is None)
        document["ledger"] |= {"document": record, "sha256": digest(record), "rounds": rounds}
    return document


def failed(document: Document) -> list[str]:
    """The checks that are not passed, without the theorem's id."""
    verification = privref.verify(document)
    assert verification.ledger_checked
    return [check.what.split(": ")[-1] for check in verification.checks if not check.passed]


LINK = ["inputs and hypotheses from the ledger"]
WITNESS = ["the witness respects the ledger"]
E50 = {"epsilon": "50", "delta": "1e-6"}


def by(theorem: str, **claim: str) -> Document:
    return {**E50, "by": theorem, **claim}


THM29, THM33, THM210 = "rogers2016/thm2.9", "rogers2016/thm3.3", "rogers2016/thm2.10"
EQ2, KOV, MV, THM2 = "whitehouse2023/eq2", "kov2015/optimal", "mv2016/optimal", "whitehouse2023/thm2"
ALG1, LEMMA1, TIGHT = "hartmann2022/alg1", "whitehouse2023/lem1", "cks2020/zcdp2dp"
OF_MOMENTS, TIGHT_RHO = "mironov2017/mixed", "whitehouse2023/thm1.tight"
EX_POST = "rswr2023/ex_post_filter"
RENYI, GAUSSIAN = "cks2020/rdp2dp", "gdp/composition"
ROGERS, SIMPLE, ONE_ORDER = "rogers2016/thm5.1", "hartmann2022/def19", "feldman2021/renyi_filter"
RESPONSE, GRID = "feldman2021/response_filter", "lecuyer2021/renyi_grid_filter"


def ordered(filter: str, order: str = "8", **more: str) -> Document:
    return {"tuning": {filter: {"order": order, **more}}}


ADVANCE, ON_THE_WAY, MEANS = "dong2020/thm3", "dong2020/adaptive", "dong2020/prop4"
IN_ADVANCE = {"queries": "fixed-in-advance"}
RANGES, FEW = event("bounded-range", 4, epsilon="0.5"), event("bounded-range", 2, epsilon="0.5")

FIVE = approx("0.1", "1e-7", 5)
LEAKY = zcdp("0.1", "1e-7")
MOMENTS = (LEAKY, event("gaussian-dp", mu="0.1"), event("rdp", orders={"8": "0.05"}, delta="1e-8"))

LAWS = "zdw2022/thm10"
LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
WORST = {"kind": "pure-dp", "epsilon": "0.2"}
NOISE: Document = {"count": 5, "mechanism": LAPLACE}
SAMPLES = "zdw2022/poisson_gaussian"
#: Noise of which a contour takes few steps: the second engine sums it for every forgery.
QUERY = {"kind": "gaussian", "sigma": "8", "sensitivity": "1"}
POISSON = {"kind": "subsampled", "base": QUERY, "rate": "1/10", "sampling": "poisson"}
ROOT = {**POISSON, "base": {"kind": "gaussian", "sigma_squared": "62", "sensitivity": "1"}}
DRAWN: Document = {"count": 40, "mechanism": POISSON}
CUT_BATCHES = "chua2024b/truncated"
CAP = {"batch_cap": "150", "records": "1000"}
CAPPED: Document = {"mechanism": {**POISSON, **CAP}}
#: Beside a cap the guarantee that the theorem proves of one round.
GUARDED: Document = {**CAPPED, "guarantee": {"kind": "approx-dp", "epsilon": "0.23", "delta": "1e-6"}}
ANSWER = {**POISSON, "base": {"kind": "randomized-response", "epsilon": "1"}}
CUT_AND_WHOLE: tuple[Document, ...] = (
    {"count": 2, "mechanism": {**ANSWER, **CAP}},
    {"mechanism": {**ANSWER, "rate": "1/20"}},
)
BESIDE = {"guarantee": {"kind": "zcdp", "rho": "1/128"}}


def records(*events: Document, **more: Any) -> Document:
    return {**ledger(*events), "neighbours": "add-or-remove-one", **more}


def sized(value: int) -> Document:
    return {"dataset_size": {"value": value, "public": True}}


def drawn(**changed: Any) -> Document:
    return {"count": 40, "mechanism": {**POISSON, **changed}}


#: By name: the ledger and the claim. The audit confirms each, and each certificate verifies.
GOOD: dict[str, tuple[Document, Document]] = {
    "basic": (ledger(FIVE, pure("0.2")), by(THM29)),
    "basic filter": (adaptive(FIVE, pure("0.2"), **under(THM33)), by(THM33)),
    "basic filter, all spent": (adaptive(FIVE, **under(THM33, "5e-7")), by(THM33, delta="5e-7")),
    "basic filter in its budget": (adaptive(FIVE, **budget("1/2", "5e-7", THM33)), by(THM33)),
    "advanced": (ledger(FIVE), by(THM210)),
    "equation (2)": (ledger(FIVE, pure("0.2")), by(EQ2)),
    "optimum of equal rounds": (ledger(pure("0.1", 5)), by(KOV)),
    "optimum": (ledger(approx("0.1", "1e-7", 2), pure("0.2")), by(MV)),
    "optimum of cells": (ledger(svt("0", "1e-7"), ptr("bottom")), by(MV)),
    "filter without deltas": (adaptive(pure("0.1", 5), **under(THM2)), by(THM2)),
    "filter without deltas, tuned": (adaptive(pure("0.1", 5), **tuning(THM2, "3e-7"), **under(THM2)), by(THM2)),
    "filter by halves": (adaptive(FIVE, **under(THM2)), by(THM2)),
    "filter, tuned": (adaptive(FIVE, **tuning(THM2, "3e-7"), **under(THM2)), by(THM2)),
    "filter, its split declared": (adaptive(FIVE, **under(THM2, delta_prime="3e-7")), by(THM2)),
    "filter, fixed": (ledger(FIVE), by(THM2)),
    "filter in a budget that parameters fixed in advance do not need": (ledger(FIVE, **budget("60", "0")), by(THM2)),
    "filter in its budget": (adaptive(pure("0.1", 5), **budget("2", "1e-6", THM2)), by(THM2)),
    "filter in a budget by halves": (adaptive(FIVE, **budget("2", "1e-6", THM2)), by(THM2)),
    "cells": (adaptive(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"), **under(ALG1)), by(ALG1)),
    "cells in a budget": (ledger(svt("0"), ptr("bottom"), **budget("5", "0", ALG1)), by(ALG1)),
    "ex-post": (
        adaptive(staged("first", 3), approx("0.1", "1e-7"), *MOMENTS, **at_order("8"), **under(EX_POST)), by(EX_POST)),
    "ex-post in its budget": (
        adaptive(staged("first", 3), pure("0.1", 9), **at_order("8"), **budget("2.2", "1e-6", EX_POST)), by(EX_POST)),
    "ex-post, its split declared": (
        adaptive(staged("second"), LEAKY, **at_order("8"), **under(EX_POST, delta_prime="3e-7")), by(EX_POST)),
    "ex-post, its split tuned": (
        adaptive(staged(None), LEAKY, **at_order("8", delta_prime="3e-7"), **under(EX_POST)), by(EX_POST)),
    "ex-post, fixed": (ledger(staged("first", 3), **at_order("8"), **under(EX_POST)), by(EX_POST)),
    "ex-post, cells with a delta": (
        adaptive(svt("0", "1e-7"), staged("first"), **at_order("8"), **under(EX_POST)), by(EX_POST)),
    "lemma 1": (ledger(LEAKY, pure("0.2")), by(LEMMA1)),
    "lemma 1 by halves": (adaptive(LEAKY, pure("0.2"), **under(LEMMA1)), by(LEMMA1)),
    "lemma 1, tuned": (adaptive(LEAKY, pure("0.2"), **tuning(LEMMA1, "3e-7"), **under(LEMMA1)), by(LEMMA1)),
    "lemma 1 without deltas, tuned": (
        adaptive(zcdp("0.1"), **tuning(LEMMA1, "3e-7"), **under(LEMMA1)), by(LEMMA1)),
    "zCDP": (ledger(LEAKY, pure("0.2"), event("gaussian-dp", mu="3")), by(TIGHT)),
    "zCDP by halves": (adaptive(LEAKY, **under(TIGHT)), by(TIGHT)),
    "zCDP, tuned": (adaptive(LEAKY, **tuning(TIGHT, "3e-7"), **under(TIGHT)), by(TIGHT)),
    "zCDP in its budget": (adaptive(zcdp("0.1"), **budget("10", "1e-6", TIGHT)), by(TIGHT)),
    "zCDP of cells": (adaptive(svt("0", "1e-7"), **under(TIGHT)), by(TIGHT)),
    "zCDP at delta 1": (
        adaptive(zcdp("0", "1e-7"), **tuning(TIGHT, "3e-7"), **under(TIGHT, "1")), by(TIGHT, delta="1")),
    "concurrent zCDP of (epsilon, delta)-DP": (
        adaptive(zcdp("0.1"), approx("0.1", "1e-7"), interaction="concurrent", **under(TIGHT)), by(TIGHT)),
    "concurrent Renyi": (
        ledger(event("rdp", orders={"8": "0.5"}), zcdp("0.1"), interaction="concurrent"), by("cks2020/rdp2dp")),
    "concurrent zCDP": (adaptive(zcdp("0.1"), interaction="concurrent", **under(TIGHT)), by(TIGHT)),
    "concurrent Gaussian mechanisms, declared approximate zCDP": (
        ledger({**event("zcdp", 4, rho="0.02", delta="1e-9"),
                "mechanism": {"kind": "gaussian", "sigma": "5", "sensitivity": "1"}}, interaction="concurrent"),
        by(GAUSSIAN)),
    "rho": (ledger(zcdp("0.1", "1e-7"), pure("0.2")), {"rho": "1", "delta": "1e-7"}),
    "moments": (ledger(FIVE, LEAKY, event("gaussian-dp", mu="0.3"), RANGES), by(OF_MOMENTS)),
    "moments of cells": (ledger(svt("0", "1e-7"), zcdp("0.1")), by(OF_MOMENTS)),
    "moments of many pure rounds": (ledger(pure("0.1", 900), pure("0.2", 200)), by(OF_MOMENTS)),
    "concurrent moments": (ledger(FIVE, zcdp("0.1"), interaction="concurrent"), by(OF_MOMENTS)),
    "rho, tight": (ledger(zcdp("0.1", "1e-7"), pure("2"), RANGES), {"rho": "1.8", "delta": "1e-7", "by": TIGHT_RHO}),
    "rho under a budget": (adaptive(zcdp("0.1"), **rho_budget("1")), {"rho": "1"}),
    "epsilon under a budget of rho": (adaptive(LEAKY, **rho_budget("1", "2e-7")), by(TIGHT)),
    "epsilon under a budget of rho, by Lemma 1": (adaptive(LEAKY, **rho_budget("1", "2e-7")), by(LEMMA1)),
    "laws": (ledger(NOISE, pure("0.2")), by(LAWS)),
    "samples": (records(DRAWN), by(SAMPLES)),
    "samples in parts": (records({**DRAWN, "count": 30}, {**DRAWN, "count": 10}), by(SAMPLES)),
    "samples, a multiplier that is no rational": (records({"count": 40, "mechanism": ROOT}), by(SAMPLES)),
    "samples of two rates": (records(DRAWN, drawn(rate="1/20")), by(LAWS)),
    "cut samples": (records(CAPPED), by(CUT_BATCHES)),
    "cut samples and whole ones": (records(*CUT_AND_WHOLE), by(CUT_BATCHES, delta="1e-3")),
    "cut samples, concurrent": (records(CAPPED, interaction="concurrent"), by(CUT_BATCHES)),
    "cut samples of a group": (records(GUARDED, **sized(999)), {**by(THM29, delta="1e-5"), "units": 2}),
    "Gaussian": (ledger(event("gaussian-dp", 2, mu="1"), event("gaussian-dp", mu="0")), by(GAUSSIAN)),
    "Gaussian in its budget": (adaptive(event("gaussian-dp", mu="1"), **budget("10", "1e-6", GAUSSIAN)), by(GAUSSIAN)),
    "ranges in advance": (ledger(RANGES, **IN_ADVANCE), by(ADVANCE)),
    "ranges on the way": (ledger(FEW), by(ON_THE_WAY)),
    "different ranges in advance": (
        ledger(FEW, event("bounded-range", epsilon="0.25"), **IN_ADVANCE), by("dong2020/advance")),
    "unequal ranges": (
        ledger(FEW, event("bounded-range", epsilon="0.25"), **IN_ADVANCE), by("dong2020/unequal")),
    "ranges by their means": (ledger(RANGES, event("bounded-range", epsilon="0.1")), by(MEANS)),
    "ranges as pure DP": (ledger(RANGES), by(KOV)),
    "ranges as zCDP": (adaptive(RANGES, **under(TIGHT)), by(TIGHT)),
    "Renyi": (ledger(event("rdp", orders={"8": "0.5"}, delta="1e-7"), zcdp("0.1")), by(RENYI)),
    "Rogers filter": (adaptive(FIVE, pure("0.2"), **under(ROGERS)), by(ROGERS)),
    "Rogers filter in its budget": (adaptive(pure("0.1", 5), **budget("4", "1e-6", ROGERS)), by(ROGERS)),
    "simple filter of cells": (adaptive(svt("1"), ptr("bottom", "4e-7"), FIVE, **under(SIMPLE)), by(SIMPLE)),
    "simple filter of cells, fixed": (ledger(svt("0"), ptr("bottom"), **budget("5", "0", SIMPLE)), by(SIMPLE)),
    "Renyi filter": (adaptive(*MOMENTS, FIVE, **ordered(ONE_ORDER), **under(ONE_ORDER, "2e-6")),
        by(ONE_ORDER, delta="2e-6")),
    "Renyi filter in its budget": (
        adaptive(zcdp("0.1"), **ordered(ONE_ORDER), **budget("3", "1e-6", ONE_ORDER)), by(ONE_ORDER)),
    "Renyi filter, its split declared": (
        adaptive(LEAKY, **ordered(ONE_ORDER), **under(ONE_ORDER, delta_prime="3e-7")), by(ONE_ORDER)),
    "response filter": (adaptive(pure("0.1", 60), pure("0.2"), **ordered(RESPONSE), **under(RESPONSE)), by(RESPONSE)),
    "response filter in its budget": (
        adaptive(FIVE, **ordered(RESPONSE), **budget("1/2", "2e-6", RESPONSE)), by(RESPONSE, delta="2e-6")),
    "filter of several orders": (adaptive(LEAKY, pure("0.2"), **under(GRID)), by(GRID)),
    "filter of several orders in its budget": (
        adaptive(*MOMENTS, **budget("7", "1e-6", GRID)), by(GRID)),
    "the statement's full name": (ledger(zcdp("0.1")), by("whitehouse2023/lem1.zcdp2dp.eps")),
}  # fmt: skip


def test_a_concurrent_interaction_names_the_theorem_that_lifts() -> None:
    """The verdict and the certificate name it, the checker asks for the right one, and a sequential one has none."""
    record, claim = GOOD["concurrent zCDP"]
    document = certificate(record, claim)
    assert document["bounds"][0]["lifted_by"] == "haney2023/concurrent.renyi"
    assert document["commentary"]["reason"].endswith("of concurrent mechanisms by haney2023/concurrent.renyi")
    for said in (None, "haney2023/concurrent.dp", TIGHT):
        forged = copy.deepcopy(document)
        forged["bounds"][0] = {k: v for k, v in forged["bounds"][0].items() if k != "lifted_by"}
        if said is not None:
            forged["bounds"][0]["lifted_by"] = said
        assert failed(forged) == LINK
    sequential = certificate(*GOOD["zCDP by halves"])
    assert "lifted_by" not in sequential["bounds"][0]
    sequential["bounds"][0]["lifted_by"] = "haney2023/concurrent.renyi"
    assert failed(sequential) == LINK


@pytest.mark.parametrize("name", GOOD)
def test_what_the_audit_confirms_verifies(name: str) -> None:
    """The checker derives from the raw ledger the inputs that the audit used."""
    assert failed(good_certificate(name)) == []


#: What is wrong: the good certificate, and its inputs, ledger or claim that do not fit together any more.
WRONG: dict[str, tuple[str, Document]] = {
    "Rogers filter, a round less": ("Rogers filter", {"inputs": {"eps": ["0.1"] * 5}}),
    "Rogers filter, another budget than the ledger's": ("Rogers filter", {"inputs": {"eps_g": "49"}}),
    "Rogers filter, half of its delta": ("Rogers filter", {"inputs": {"delta_g": "1e-7"}}),
    "Rogers filter, more than half of its delta": (
        "Rogers filter", {"record": adaptive(approx("0.1", "1.1e-7", 5), pure("0.2"), **under(ROGERS))}),
    "Rogers filter, fixed": ("Rogers filter", {"record": ledger(FIVE, pure("0.2"), **under(ROGERS))}),
    "Rogers filter, no filter named": (
        "Rogers filter", {"record": adaptive(FIVE, pure("0.2"), **budget("50", "1e-6"))}),
    "Rogers filter, a budget that was exceeded": (
        "Rogers filter in its budget",
        {"inputs": {"eps_g": "1"}, "record": adaptive(pure("0.1", 5), **budget("1", "1e-6", ROGERS))}),
    "simple filter of cells, another cell": ("simple filter of cells, fixed", {"inputs": {"spends": ["0.1", "0"]}}),
    "simple filter of cells, none in force": (
        "simple filter of cells, fixed", {"record": ledger(svt("0"), ptr("bottom"))}),
    "simple filter of cells, Algorithm 1 named": (
        "simple filter of cells, fixed", {"record": ledger(svt("0"), ptr("bottom"), **budget("5", "0", ALG1))}),
    "Renyi filter, another order": ("Renyi filter", {"inputs": {"order": "9"}}),
    "Renyi filter, a smaller cost": ("Renyi filter in its budget", {"inputs": {"eps_order": "0.79"}}),
    "Renyi filter, all of its delta": ("Renyi filter in its budget", {"inputs": {"delta": "1e-6"}}),
    "Renyi filter, no order declared": (
        "Renyi filter in its budget", {"record": adaptive(zcdp("0.1"), **budget("3", "1e-6", ONE_ORDER))}),
    "Renyi filter, an order declared for another": (
        "Renyi filter in its budget",
        {"record": adaptive(zcdp("0.1"), **ordered(RESPONSE), **budget("3", "1e-6", ONE_ORDER))}),
    "Renyi filter, a budget that was exceeded": (
        "Renyi filter in its budget",
        {"record": adaptive(zcdp("0.1"), **ordered(ONE_ORDER), **budget("2", "1e-6", ONE_ORDER))}),
    "Renyi filter, another split": (
        "Renyi filter, its split declared",
        {"record": adaptive(LEAKY, **ordered(ONE_ORDER), **under(ONE_ORDER, delta_prime="4e-7"))}),
    "Renyi filter, deltas above what the split leaves": (
        "Renyi filter, its split declared",
        {"record": adaptive(zcdp("0.1", "8e-7"), **ordered(ONE_ORDER), **under(ONE_ORDER, delta_prime="3e-7"))}),
    "response filter, a round less": ("response filter", {"inputs": {"counts": ["59", "1"]}}),
    "response filter, another order": ("response filter", {"inputs": {"order": "7"}}),
    "response filter, charged by another rule": (
        "response filter", {"inputs": {"eps": ["0.1", "0"], "cost": ["0", "0.2"]}}),
    "response filter, all of its delta": ("response filter", {"inputs": {"delta_prime": "1e-6"}}),
    "response filter, a budget that was exceeded": (
        "response filter in its budget",
        {"record": adaptive(FIVE, **ordered(RESPONSE), **budget("0.49", "2e-6", RESPONSE))}),
    "filter of several orders, a share too large": ("filter of several orders", {"inputs": {"delta": "5e-7"}}),
    "filter of several orders, another order": ("filter of several orders", {"inputs": {"order": "20"}}),
    "filter of several orders, concurrent": (
        "filter of several orders", {"record": adaptive(LEAKY, pure("0.2"), interaction="concurrent", **under(GRID))}),
    "filter of several orders, a budget that was exceeded": (
        "filter of several orders in its budget", {"record": adaptive(*MOMENTS, **budget("1", "1e-6", GRID))}),
    "basic, a smaller round": ("basic", {"inputs": {"eps": ["0.1"] * 5 + ["0.1"]}}),
    "basic, a round less": ("basic", {"inputs": {"eps": ["0.1"] * 4 + ["0.2"]}}),
    "basic, deltas above the claim": ("basic", {"claim": {"delta": "4.9e-7"}}),
    "basic, adaptive": ("basic", {"record": adaptive(FIVE, pure("0.2"))}),
    "basic, an event refused": ("basic", {"record": ledger(FIVE, pure("0.2"), {**pure("1"), "decision": "halt"})}),
    "basic filter, a round less": ("basic filter", {"inputs": {"eps": ["0.1"] * 5}}),
    "basic filter, a claim below the budget": ("basic filter", {"claim": {"delta": "4.9e-7"}}),
    "basic filter, deltas above the budget": (
        "basic filter, all spent", {"record": adaptive(approx("0.1", "1.1e-7", 5), **under(THM33, "5e-7"))}),
    "basic filter, no filter named": ("basic filter", {"record": adaptive(FIVE, pure("0.2"), **budget("50", "1e-6"))}),
    "basic filter, no budget": ("basic filter", {"record": adaptive(FIVE, pure("0.2"))}),
    "basic filter, another filter named": ("basic filter", {"record": adaptive(FIVE, pure("0.2"), **under(THM2))}),
    "basic filter, a budget of rho": ("basic filter", {"record": adaptive(FIVE, pure("0.2"), **rho_budget("9"))}),
    "basic filter, a larger budget": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("51", "5e-7", THM33))}),
    "basic filter, a budget of a larger delta": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("1/2", "1.1e-6", THM33))}),
    "basic filter, a budget that was exceeded": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("0.49", "5e-7", THM33))}),
    "basic filter, a budget whose delta was exceeded": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("1/2", "4.9e-7", THM33))}),
    "advanced, a smaller epsilon": ("advanced", {"inputs": {"eps": "0.09"}}),
    "advanced, a round less": ("advanced", {"inputs": {"k": 4}}),
    "advanced, a larger delta": ("advanced", {"inputs": {"delta_hat": "5.1e-7"}}),
    "advanced, a claim of less delta": ("advanced", {"claim": {"delta": "9.9e-7"}}),
    "advanced, unequal rounds": ("advanced", {"record": ledger(FIVE, pure("0.2"))}),
    "advanced, adaptive": ("advanced", {"record": adaptive(FIVE)}),
    "equation (2), a round less": ("equation (2)", {"inputs": {"eps": ["0.1"] * 5}}),
    "equation (2), a larger delta": ("equation (2)", {"inputs": {"delta_prime": "5.1e-7"}}),
    "equation (2), adaptive": ("equation (2)", {"record": adaptive(FIVE, pure("0.2"))}),
    "optimum of equal rounds, a smaller epsilon": ("optimum of equal rounds", {"inputs": {"eps": "0.09"}}),
    "optimum of equal rounds, a round less": ("optimum of equal rounds", {"inputs": {"k": 4}}),
    "optimum of equal rounds, a larger delta": ("optimum of equal rounds", {"inputs": {"delta_g": "2e-6"}}),
    "optimum of equal rounds, rounds with a delta": ("optimum of equal rounds", {"record": ledger(FIVE)}),
    "optimum of equal rounds, adaptive": ("optimum of equal rounds", {"record": adaptive(pure("0.1", 5))}),
    "optimum, a smaller epsilon": ("optimum", {"inputs": {"eps": ["0.1", "0.1", "0.1"]}}),
    "optimum, a smaller delta": ("optimum", {"inputs": {"delta": ["1e-7", "0", "0"]}}),
    "optimum, a delta at another round": ("optimum", {"inputs": {"delta": ["1e-7", "0", "1e-7"]}}),
    "optimum, a round less": ("optimum", {"inputs": {"eps": ["0.1", "0.1"], "delta": ["1e-7", "1e-7"]}}),
    "optimum, a larger delta of the whole": ("optimum", {"inputs": {"delta_g": "2e-6"}}),
    "optimum, adaptive": ("optimum", {"record": adaptive(approx("0.1", "1e-7", 2), pure("0.2"))}),
    "optimum of cells, at the observed ones": ("optimum of cells", {"inputs": {"eps": ["1", "1/2"]}}),
    "filter without deltas, a smaller delta": ("filter without deltas", {"inputs": {"delta_prime": "4e-7"}}),
    "filter without deltas, all of delta": ("filter without deltas", {"inputs": {"delta_prime": "1e-6"}}),
    "filter, another split declared": (
        "filter, its split declared", {"record": adaptive(FIVE, **under(THM2, delta_prime="4e-7"))}),
    "filter, a budget without a filter": ("filter by halves", {"record": adaptive(FIVE, **budget("50", "1e-6"))}),
    "filter, a tuning without a filter": ("filter, tuned", {"record": adaptive(FIVE, **tuning(THM2, "3e-7"))}),
    "filter without deltas, a round less": ("filter without deltas", {"inputs": {"eps": ["0.1"] * 4}}),
    "filter, not the tuned delta": ("filter without deltas, tuned", {"inputs": {"delta_prime": "1e-6"}}),
    "filter by halves, what is left": ("filter by halves", {"inputs": {"delta_prime": "4e-7"}}),
    "filter by halves, deltas above their half": (
        "filter by halves", {"record": adaptive(approx("0.1", "1.1e-7", 5), **under(THM2))}),
    "filter, deltas above what the tuning leaves": (
        "filter, tuned", {"record": adaptive(approx("0.1", "1.5e-7", 5), **tuning(THM2, "3e-7"), **under(THM2))}),
    "filter, a larger delta": ("filter, fixed", {"inputs": {"delta_prime": "5.1e-7"}}),
    "filter, a budget that was exceeded": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("0.9", "1e-6", THM2))}),
    "filter, a budget that was exceeded at its delta": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("2", "1e-60", THM2))}),
    "filter, a budget without delta": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("50", "0", THM2))}),
    "filter, deltas above half of the budget's": (
        "filter in a budget by halves", {"record": adaptive(FIVE, **budget("2", "9e-7", THM2))}),
    "cells, a smaller largest cost": ("cells", {"inputs": {"sups": ["4", "1", "0.1"]}}),
    "cells, a smaller observed cost": ("cells", {"inputs": {"spends": ["1", "1/2", "0.1"]}}),
    "cells, a claim of less delta": ("cells", {"claim": {"delta": "9.9e-7"}}),
    "cells, a dearer one was observed": (
        "cells", {"record": adaptive(svt("2"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"), **under(ALG1))}),
    "cells, none was observed": (
        "cells", {"record": adaptive(svt("1"), cells(None, delta="4e-7", answer="1", bottom="1/2"),
                                     approx("0.1", "6e-7"), **under(ALG1))}),
    "cells, in another order": (
        "cells", {"record": adaptive(ptr("bottom", "4e-7"), svt("1"), approx("0.1", "6e-7"), **under(ALG1))}),
    "cells, concurrent": (
        "cells", {"record": adaptive(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"),
                                     interaction="concurrent", **under(ALG1))}),
    "cells, fixed and without a budget": (
        "cells", {"record": ledger(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"))}),
    "cells, a budget that was exceeded": (
        "cells in a budget", {"record": ledger(svt("0"), ptr("bottom"), **budget("1.4", "0", ALG1))}),
    "cells, a larger budget": (
        "cells in a budget", {"record": ledger(svt("0"), ptr("bottom"), **budget("51", "0", ALG1))}),
    "ex-post, a smaller largest cost": ("ex-post", {"inputs": {"sups": ["1/2", "0", "0", "0", "0"]}}),
    "ex-post, less released": ("ex-post", {"inputs": {"spends": ["0.05", "0", "0", "0", "0"]}}),
    "ex-post, a smaller epsilon": ("ex-post", {"inputs": {"eps": ["0", "0.09", "0", "0", "0"]}}),
    "ex-post, a smaller cost at the order": ("ex-post", {"inputs": {"cost": ["0", "0", "0.8", "0.04", "0.04"]}}),
    "ex-post, fewer rounds": ("ex-post", {"inputs": {"counts": [2, 1, 1, 1, 1]}}),
    "ex-post, another order": ("ex-post", {"inputs": {"order": "9"}}),
    "ex-post, a larger delta": ("ex-post", {"inputs": {"delta_prime": "6e-7"}}),
    "ex-post, another order declared": (
        "ex-post, fixed", {"record": ledger(staged("first", 3), **at_order("9"), **under(EX_POST))}),
    "ex-post, no order declared": ("ex-post, fixed", {"record": ledger(staged("first", 3), **under(EX_POST))}),
    "ex-post, no budget": ("ex-post, fixed", {"record": ledger(staged("first", 3), **at_order("8"))}),
    "ex-post, another filter named": (
        "ex-post, fixed", {"record": ledger(staged("first", 3), **at_order("8"), **under(ALG1))}),
    "ex-post, concurrent": (
        "ex-post, fixed",
        {"record": ledger(staged("first", 3), interaction="concurrent", **at_order("8"), **under(EX_POST))}),
    "ex-post, a later stage": (
        "ex-post, fixed", {"record": ledger(staged("second", 3), **at_order("8"), **under(EX_POST))}),
    "ex-post, none was observed": (
        "ex-post, fixed", {"record": ledger(staged(None, 3), **at_order("8"), **under(EX_POST))}),
    "ex-post, a delta that the cells share": (
        "ex-post, fixed",
        {"record": ledger(cells("first", 3, "1e-8", first="0.1", second="1/2", third="1"), **at_order("8"),
                          **under(EX_POST))}),
    "ex-post, in another order": (
        "ex-post in its budget",
        {"record": adaptive(pure("0.1", 9), staged("first", 3), **at_order("8"), **budget("2.2", "1e-6", EX_POST))}),
    "ex-post, a budget that was exceeded": (
        "ex-post in its budget",
        {"record": adaptive(staged("first", 3), pure("0.1", 9), **at_order("8"), **budget("1.1", "1e-6", EX_POST))}),
    "ex-post, a larger budget": (
        "ex-post in its budget",
        {"record": adaptive(staged("first", 3), pure("0.1", 9), **at_order("8"), **budget("51", "1e-6", EX_POST))}),
    "ex-post, another split declared": (
        "ex-post, its split declared",
        {"record": adaptive(staged("second"), LEAKY, **at_order("8"), **under(EX_POST, delta_prime="4e-7"))}),
    "ex-post, deltas above what the split leaves": (
        "ex-post, its split declared",
        {"record": adaptive(staged("second"), zcdp("0.1", "8e-7"), **at_order("8"),
                            **under(EX_POST, delta_prime="3e-7"))}),
    "moments, a smaller epsilon": ("moments", {"inputs": {"eps": ["0.1"] * 4 + ["0.09"]}}),
    "moments, a round less": ("moments", {"inputs": {"eps": ["0.1"] * 4}}),
    "moments, a smaller rho": ("moments", {"inputs": {"rho": "0.2"}}),
    "moments, all of delta": ("moments", {"inputs": {"delta": "1e-6"}}),
    "moments, adaptive": ("moments", {"record": adaptive(FIVE, LEAKY, event("gaussian-dp", mu="0.3"), RANGES)}),
    "moments, a round of zCDP taken for a pure one": (
        "moments of cells", {"record": ledger(svt("0", "1e-7"), zcdp("0.1"), pure("0.1"))}),
    "moments, at the observed cell": ("moments of cells", {"inputs": {"eps": ["1"]}}),
    "moments, concurrent with a delta": (
        "concurrent moments", {"record": ledger(FIVE, LEAKY, interaction="concurrent")}),
    "rho, tight, a smaller epsilon": ("rho, tight", {"inputs": {"eps": ["1.9"]}}),
    "rho, tight, a smaller rho": ("rho, tight", {"inputs": {"rhos": ["0.1"]}}),
    "rho, tight, a claim of less delta": ("rho, tight", {"claim": {"delta": "9e-8"}}),
    "lemma 1, a smaller rho": ("lemma 1", {"inputs": {"rho": "0.1"}}),
    "lemma 1, a larger delta": ("lemma 1", {"inputs": {"delta_prime": "9.1e-7"}}),
    "lemma 1, concurrent with a delta": ("lemma 1", {"record": ledger(LEAKY, pure("0.2"), interaction="concurrent")}),
    "lemma 1 by halves, what is left": ("lemma 1 by halves", {"inputs": {"delta_prime": "9e-7"}}),
    "lemma 1, not the tuned delta": ("lemma 1 without deltas, tuned", {"inputs": {"delta_prime": "1e-6"}}),
    "zCDP, a smaller rho": ("zCDP", {"inputs": {"rho": "1"}}),
    "zCDP, a larger delta": ("zCDP", {"inputs": {"delta": "9.1e-7"}}),
    "zCDP by halves, deltas above their half": (
        "zCDP by halves", {"record": adaptive(zcdp("0.1", "5.1e-7"), **under(TIGHT))}),
    "zCDP, deltas above what the tuning leaves": (
        "zCDP, tuned", {"record": adaptive(zcdp("0.1", "7.1e-7"), **tuning(TIGHT, "3e-7"), **under(TIGHT))}),
    "zCDP, all of the delta tuned away": (
        "zCDP, tuned", {"record": adaptive(LEAKY, **tuning(TIGHT, "1"), **under(TIGHT))}),
    "zCDP, another theorem's tuning": (
        "zCDP, tuned", {"record": adaptive(LEAKY, **tuning(LEMMA1, "3e-7"), **under(TIGHT))}),
    "zCDP, a budget that was exceeded at its delta": (
        "zCDP in its budget", {"record": adaptive(zcdp("0.1"), **budget("10", "1e-300", TIGHT))}),
    "zCDP, a budget without delta": (
        "zCDP in its budget", {"record": adaptive(zcdp("0.1"), **budget("10", "0", TIGHT))}),
    "zCDP of cells, at the observed one": ("zCDP of cells", {"inputs": {"rho": "1/2"}}),
    "rho, a smaller one": ("rho", {"inputs": {"rhos": ["0.1", "0.01"]}}),
    "rho, a claim of less delta": ("rho", {"claim": {"delta": "9e-8"}}),
    "rho, a larger budget": ("rho under a budget", {"record": adaptive(zcdp("0.1"), **rho_budget("1.1"))}),
    "rho, a budget that was exceeded": (
        "rho under a budget", {"record": adaptive(zcdp("0.1"), **rho_budget("0.09"))}),
    "epsilon under a budget of rho, at what was spent": ("epsilon under a budget of rho", {"inputs": {"rho": "0.1"}}),
    "epsilon under a budget of rho, a smaller one": (
        "epsilon under a budget of rho", {"record": adaptive(LEAKY, **rho_budget("0.09", "2e-7"))}),
    "epsilon under a budget of rho, less delta": (
        "epsilon under a budget of rho", {"record": adaptive(LEAKY, **rho_budget("1", "9e-8"))}),
    "epsilon under a budget of rho, by no filter": ("epsilon under a budget of rho", {"record": adaptive(LEAKY)}),
    "laws, a round less": (
        "laws", {"inputs": {"rounds": [{**LAPLACE, "count": 4}, WORST]}}),
    "laws, another scale": (
        "laws", {"inputs": {"rounds": [{**LAPLACE, "count": 5, "scale": "11"}, WORST]}}),
    "laws, a larger delta": ("laws", {"inputs": {"delta": "2e-6"}}),
    "laws, adaptive": ("laws", {"record": adaptive(NOISE, pure("0.2"))}),
    "laws, an event without one": ("laws", {"record": ledger(NOISE, zcdp("0.02"))}),
    "samples, a round less": ("samples", {"inputs": {"k": 39}}),
    "samples, a smaller rate": ("samples", {"inputs": {"q": "1/11"}}),
    "samples, more noise": ("samples", {"inputs": {"sigma": "8.01"}}),
    "samples, a larger delta": ("samples", {"inputs": {"delta": "2e-6"}}),
    "samples, a multiplier rounded up": ("samples, a multiplier that is no rational", {"inputs": {"sigma": "7.875"}}),
    "samples, far less noise": ("samples, a multiplier that is no rational", {"inputs": {"sigma": "7.8"}}),
    "samples, adaptive": ("samples", {"record": records(DRAWN, parameters="chosen-adaptively")}),
    "samples of records that are replaced": ("samples", {"record": ledger({**DRAWN, **BESIDE})}),
    "samples, another round of more": (
        "samples in parts", {"record": records({**DRAWN, "count": 30}, {**drawn(rate="1/9"), "count": 10})}),
    "samples, beside another mechanism": ("samples", {"record": records(DRAWN, NOISE)}),
    "samples of another mechanism": ("samples", {"record": records({**drawn(base=LAPLACE), **BESIDE})}),
    "cut samples, another round": ("cut samples", {"record": records({**CAPPED, "count": 2})}),
    "cut samples, a larger cap": (
        "cut samples", {"inputs": {"rounds": [{**CAPPED["mechanism"], "batch_cap": "151"}]}}),
    "cut samples, fewer records": ("cut samples", {"inputs": {"rounds": [{**CAPPED["mechanism"], "records": "999"}]}}),
    "cut samples of a group, more records than the cap rests on": (
        "cut samples of a group", {"record": records(GUARDED, **sized(1000))}),
    "cut samples of a group, a unit more": ("cut samples of a group", {"claim": {"units": 3}}),
    "cut samples, a larger delta": ("cut samples", {"inputs": {"delta": "2e-6"}}),
    "cut samples of records that are replaced": ("cut samples", {"record": ledger(CAPPED)}),
    "cut samples, adaptive": ("cut samples", {"record": records(CAPPED, parameters="chosen-adaptively")}),
    "cut samples, none cut": ("cut samples", {"record": records({"mechanism": POISSON})}),
    "cut samples and whole ones, all whole": (
        "cut samples and whole ones", {"record": records({**CUT_AND_WHOLE[0], "mechanism": ANSWER}, CUT_AND_WHOLE[1])}),
    "samples, cut": ("samples", {"record": records(drawn(**CAP))}),
    "samples of two rates, one cut": ("samples of two rates", {"record": records(drawn(**CAP), drawn(rate="1/20"))}),
    "samples of two rates, a round less": (
        "samples of two rates",
        {"inputs": {"rounds": [{**POISSON, "count": 40}, {**POISSON, "rate": "1/20", "count": 39}]}}),
    "samples of two rates, the smaller one twice": (
        "samples of two rates", {"inputs": {"rounds": [{**POISSON, "rate": "1/20", "count": 80}]}}),
    "samples of two rates, a larger delta": ("samples of two rates", {"inputs": {"delta": "2e-6"}}),
    "samples of two rates, one shuffled": (
        "samples of two rates", {"record": records(DRAWN, drawn(rate="1/20", sampling="shuffled"))}),
    "samples of two rates, chosen on the way": (
        "samples of two rates", {"record": records(DRAWN, drawn(rate="1/20"), parameters="chosen-adaptively")}),
    "samples that were shuffled": ("samples", {"record": records({**drawn(sampling="shuffled"), **BESIDE})}),
    "samples of a fixed size": ("samples", {"record": records({**drawn(sampling="fixed-size"), **BESIDE})}),
    "samples of an unknown kind": ("samples", {"record": records({**drawn(sampling="unknown"), **BESIDE})}),
    "Gaussian, a smaller mu": ("Gaussian", {"inputs": {"mu": ["1", "0.9"]}}),
    "Gaussian, a round less": ("Gaussian", {"inputs": {"mu": ["1"]}}),
    "Gaussian, a larger delta": ("Gaussian", {"inputs": {"delta": "2e-6"}}),
    "Gaussian, an event that is not": ("Gaussian", {"record": ledger(event("gaussian-dp", 2, mu="1"), pure("9"))}),
    "Gaussian, an event of the kind unknown": (
        "Gaussian", {"record": ledger(event("gaussian-dp", mu="1"), event("unknown", description="a sample"))}),
    "Gaussian, a budget that was exceeded at its delta": (
        "Gaussian in its budget", {"record": adaptive(event("gaussian-dp", mu="1"),
                         **budget("10", "1e-300", GAUSSIAN))}),
    "Gaussian, a budget without delta": (
        "Gaussian in its budget", {"record": adaptive(event("gaussian-dp", mu="1"), **budget("10", "0", GAUSSIAN))}),
    "ranges in advance, a round less": ("ranges in advance", {"inputs": {"k": 3}}),
    "ranges in advance, a smaller range": ("ranges in advance", {"inputs": {"eps": "0.4"}}),
    "ranges in advance, a larger delta": ("ranges in advance", {"inputs": {"delta_g": "2e-6"}}),
    "ranges in advance, nothing said of the mechanisms": ("ranges in advance", {"record": ledger(RANGES)}),
    "ranges in advance, chosen from answers": (
        "ranges in advance", {"record": ledger(RANGES, queries="chosen-adaptively")}),
    "ranges in advance, an event refused": (
        "ranges in advance", {"record": ledger(RANGES, {**RANGES, "decision": "halt"}, **IN_ADVANCE)}),
    "ranges in advance, pure DP": ("ranges in advance", {"record": ledger(pure("0.5", 4), **IN_ADVANCE)}),
    "ranges in advance, concurrent": (
        "ranges in advance", {"record": ledger(RANGES, interaction="concurrent", **IN_ADVANCE)}),
    "ranges on the way, a round less": ("ranges on the way", {"inputs": {"eps": ["0.5"]}}),
    "ranges on the way, a smaller range": ("ranges on the way", {"inputs": {"eps": ["0.5", "0.4"]}}),
    "ranges on the way, a larger delta": ("ranges on the way", {"inputs": {"delta_g": "2e-6"}}),
    "ranges on the way, concurrent": ("ranges on the way", {"record": ledger(FEW, interaction="concurrent")}),
    "ranges on the way, their parameters too": ("ranges on the way", {"record": adaptive(FEW)}),
    "ranges on the way, unequal": (
        "ranges on the way", {"record": ledger(event("bounded-range", epsilon="0.5"),
                                               event("bounded-range", epsilon="0.4"))}),
    "unequal ranges, a round less": ("unequal ranges", {"inputs": {"eps": ["0.5", "0.25"]}}),
    "different ranges in advance, a round less": (
        "different ranges in advance",
        {"inputs": {"eps": [{"value": "0.5", "count": 1}, {"value": "0.25", "count": 1}]}}),
    "different ranges in advance, a larger delta": ("different ranges in advance", {"inputs": {"delta_g": "2e-6"}}),
    "different ranges, chosen from answers": (
        "different ranges in advance", {"record": ledger(FEW, event("bounded-range", epsilon="0.25"))}),
    "unequal ranges, a larger delta": ("unequal ranges", {"inputs": {"delta_g": "2e-6"}}),
    "unequal ranges, chosen from answers": (
        "unequal ranges", {"record": ledger(FEW, event("bounded-range", epsilon="0.25"))}),
    "ranges by their means, a round less": (
        "ranges by their means", {"inputs": {"eps": [{"value": "0.5", "count": 4}]}}),
    "ranges by their means, a larger delta": ("ranges by their means", {"inputs": {"delta": "2e-6"}}),
    "ranges by their means, concurrent": (
        "ranges by their means", {"record": ledger(RANGES, event("bounded-range", epsilon="0.1"),
                                                   interaction="concurrent")}),
    "ranges as pure DP, a smaller one": ("ranges as pure DP", {"inputs": {"eps": "0.4"}}),
    "ranges as zCDP, a smaller rho": ("ranges as zCDP", {"inputs": {"rho": "0.12"}}),
    "Renyi, a smaller epsilon": ("Renyi", {"inputs": {"eps_order": "0.5"}}),
    "Renyi, an order above all": ("Renyi", {"inputs": {"order": "9"}}),
    "Renyi, a larger delta": ("Renyi", {"inputs": {"delta": "9.1e-7"}}),
    "Renyi, adaptive": ("Renyi", {"record": adaptive(event("rdp", orders={"8": "0.5"}, delta="1e-7"), zcdp("0.1"))}),
    "Renyi, concurrent": (
        "Renyi", {"record": ledger(event("rdp", orders={"8": "0.5"}, delta="1e-7"), zcdp("0.1"),
                                   interaction="concurrent")}),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_one_thing_altered_breaks_the_link_to_the_ledger(name: str) -> None:
    """All else in the forgery is right: its value, its inequality, its digest."""
    good, change = WRONG[name]
    assert failed(altered(good_certificate(good), **change)) == LINK


@pytest.mark.parametrize("each", [each for each in THEOREMS if each.epsilon or each.rho], ids=lambda each: each.id)
def test_every_audited_theorem_has_a_certificate_that_verifies_and_a_broken_one(each: Theorem) -> None:
    """Good certificates that rest on the theorem, and something altered in at least one of them."""

    def rests(claim: Document) -> bool:
        return bool(each.rho) if "rho" in claim else claim["by"] in (each.id, each.epsilon)

    good = {name for name, (_, claim) in GOOD.items() if rests(claim)}
    assert good
    assert good & {name for name, _ in WRONG.values()}


def test_parameters_outside_their_domain_are_refused() -> None:
    """A negative cost or delta would pay for another event's; a cost that stands twice hides the larger one."""
    renyi = certificate(*GOOD["Renyi"])
    basic = certificate(ledger(pure("0.1")), {"epsilon": "0.1", "delta": "0", "by": THM29})
    rdp = event("rdp", orders={"8": "5.5"}, delta="1e-7")
    twice = {"rule": "iterations", "k": [1, 1], "E": ["5", "0.1"]}
    forgeries = {
        "orders": altered(renyi, record=ledger(rdp, zcdp("0.1"), event("rdp", orders={"8": "-5"}))),
        "delta": altered(
            renyi,
            record=ledger(
                event("rdp", orders={"8": "0.5"}, delta="1"),
                zcdp("0.1"),
                event("rdp", orders={"8": "0"}, delta="-0.9999999"),
            ),
        ),
        "twice": altered(
            renyi, record=ledger(event("rdp", orders={"8": "9", "8.0": "0.5"}, delta="1e-7"), zcdp("0.1"))
        ),
        "partition.k": altered(basic, record=ledger(event("output-dp", partition=twice, delta="0"))),
    }  # fmt: skip
    for what, forgery in forgeries.items():
        with pytest.raises(privref.InputError, match=what):
            privref.verify(forgery)


def test_the_deltas_may_spend_exactly_what_the_split_leaves_them() -> None:
    """Half of delta; and with delta' = 1/4 of delta = 1/2, the third of it that delta_0 + (1 - delta_0)/4 = 1/2 has."""
    assert failed(certificate(adaptive(approx("0.1", "1e-7", 5), **under(THM2)), by(THM2))) == []
    third = adaptive(zcdp("0.1", "1/3"), **tuning(TIGHT, "1/4"), **under(TIGHT, "1/2"))
    document = certificate(third, by(TIGHT, delta="1/2"))
    assert document["bounds"][0]["inputs"]["delta"] == "1/4"
    assert failed(document) == []


FALSE: dict[str, tuple[Document, Document]] = {
    "two dearest cells, fixed": (ledger(cells("b", 2, a="2", b="1/4")), {"epsilon": "3", "delta": "0"}),
    "the dearest cell alone": (adaptive(cells("b", a="2", b="1/4")), {"epsilon": "1", "delta": "0"}),
    "one-cell events together": (adaptive(cells("a", 2, a="2")), {"epsilon": "3", "delta": "0"}),
    "rounds with deltas": (ledger(approx("1", "0.1", 2)), {"epsilon": "2", "delta": "0.1"}),
    "Gaussian mechanisms": (ledger(event("gaussian-dp", 3, mu="2")), {"epsilon": "1", "delta": "0.01"}),
    "bounded ranges": (ledger(RANGES), {"epsilon": "0.9", "delta": "1e-2"}),
    "different bounded ranges": (
        ledger(event("bounded-range", 2, epsilon="1"), event("bounded-range", 2, epsilon="0.5")),
        {"epsilon": "1.5", "delta": "0.015"}),
    "responses within bounded ranges": (ledger(RANGES, pure("1/4", 6)), {"epsilon": "2.4", "delta": "0"}),
    "rhos of Gaussian mechanisms": (ledger(event("gaussian-dp", 2, mu="2")), {"rho": "3.9"}),
    "two points": (ledger(zcdp("1/2")), {"epsilon": "4", "delta": "1e-4"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_the_audit_refutes_verifies(name: str) -> None:
    """The checker finds the witness within the declared guarantees."""
    assert failed(refuting_certificate(name)) == []


UNWITNESSED: dict[str, tuple[str, Document]] = {
    "two dearest cells, adaptive": ("two dearest cells, fixed", adaptive(cells("b", 2, a="2", b="1/4"))),
    "two dearest cells, a budget": (
        "two dearest cells, fixed", ledger(cells("b", 2, a="2", b="1/4"), **budget("4", "0"))),
    "two dearest cells, a budget, adaptive": (
        "two dearest cells, fixed", adaptive(cells("b", 2, a="2", b="1/4"), **budget("4", "0"))),
    "a cheaper dearest cell": ("the dearest cell alone", adaptive(cells("b", a="1.9", b="1/4"))),
    "cells for one-cell events": ("one-cell events together", adaptive(cells("a", 2, a="2", b="0"))),
    "a smaller delta": ("rounds with deltas", ledger(approx("1", "0.1"), approx("1", "0.09"))),
    "a round less": ("rounds with deltas", ledger(approx("1", "0.1"))),
    "a smaller mu": ("Gaussian mechanisms", ledger(event("gaussian-dp", 3, mu="1.9"))),
    "a smaller range": ("bounded ranges", ledger(event("bounded-range", 4, epsilon="0.4"))),
    "a smaller range among different ones": (
        "different bounded ranges",
        ledger(event("bounded-range", 2, epsilon="1"), event("bounded-range", 2, epsilon="0.49"))),
    "one range less among different ones": (
        "different bounded ranges",
        ledger(event("bounded-range", 1, epsilon="1"), event("bounded-range", 2, epsilon="0.5"))),
    "a range less": ("bounded ranges", ledger(event("bounded-range", 3, epsilon="0.5"))),
    "pure DP, which is of twice the range": ("bounded ranges", ledger(pure("0.4", 4))),
    "responses of more than half the range": (
        "responses within bounded ranges", ledger(event("bounded-range", 4, epsilon="0.49"), pure("1/4", 6))),
    "a Gaussian mechanism less": ("rhos of Gaussian mechanisms", ledger(event("gaussian-dp", 1, mu="2"))),
    "a smaller rho": ("two points", ledger(zcdp("0.49"))),
}  # fmt: skip


@pytest.mark.parametrize("name", UNWITNESSED)
def test_a_witness_beyond_the_ledger_refutes_nothing(name: str) -> None:
    """On a ledger that declares less, the same mechanisms are not allowed."""
    good, record = UNWITNESSED[name]
    assert failed(altered(refuting_certificate(good), record=record)) == WITNESS


VALUE = ["value and inequality"]


def test_an_enclosure_wider_than_its_digits_is_no_answer() -> None:
    """The stated limit, just under and just above: the value 1 within 1 +- w/2 has the relative width w/(1 - w/2)."""
    base = certificate(ledger(pure("1")), {"epsilon": "2", "delta": "0", "by": THM29})

    def around(width: Fraction) -> list[str]:
        ends = Enclosure(1 - width / 2, 1 + width / 2)
        doubles = list(ends.binary64())
        base["bounds"][0]["enclosure"] = {"lower": spell(ends.lower), "upper": spell(ends.upper), "binary64": doubles}
        base["margin"] = dict(
            zip(("lower", "upper"), Enclosure(2 - ends.upper, 2 - ends.lower).decimals(6), strict=True)
        )
        return failed(base)

    assert around(Fraction(9, 10**18)) == []
    assert around(Fraction(11, 10**17)) == VALUE


def test_inputs_without_a_number_are_refused() -> None:
    """Deltas that sum to more than the whole's leave the optimum infinite: there is no number to certify."""
    base = certificate(*GOOD["optimum"])
    base["bounds"][0]["inputs"]["delta_g"] = "1e-7"
    assert failed(base) == [*VALUE, *LINK]


def test_a_claim_at_many_digits_of_the_optimum_is_decided() -> None:
    """Where the optimum has digits on demand, the inequality is decided beyond those that are compared first."""
    record = ledger(approx("0.1", "1e-7", 2), pure("0.2"))
    inputs = {"eps": ["0.1", "0.1", "0.2"], "delta": ["1e-7", "1e-7", "0"], "delta_g": "1e-6"}
    found = privref.evaluate("mv2016/optimal.eps", inputs, digits=60).enclosure
    assert found is not None
    below, above = found.decimals(50)
    assert below != above
    document = certificate(record, by(MV, epsilon=above))
    assert failed(document) == []
    document = altered(document, claim={"epsilon": below})
    assert failed(document) == VALUE
    document["verdict"] = "unsupported"
    assert failed(document) == []
    assert failed(certificate(record, {"epsilon": below, "delta": "1e-6"}, "underivable")) == []


def known(statement: str, inputs: Mapping[str, object], *digits: int) -> Enclosure:
    """What both engines' enclosures have in common."""
    found = Enclosure(Fraction(0), Fraction(100))
    for each in digits:
        one = enclosed(statement, privref.statement(statement).read(inputs), each)[0]
        common = None if one is None else found.intersection(one)
        assert common is not None
        found = common
    return found


def test_a_claim_at_the_lower_end_of_a_stated_width_stays_open() -> None:
    """The value may be that end itself, so that the bound does not certainly exceed the claim."""
    record = ledger(*(pure(f"{997 + 13 * i}/{99991 + 2 * i}", 1 + i % 3) for i in range(16)))
    base = certificate(record, by(MV))
    found = known("mv2016/optimal.eps", base["bounds"][0]["inputs"], 20, 30)
    assert found.width > 0
    base["verdict"] = "unsupported"
    base["claim"]["epsilon"] = spell(found.lower)
    assert failed(base) == [*VALUE, "margin"]


def test_a_claim_at_the_upper_end_of_a_stated_width_verifies() -> None:
    """The audit decides by what both engines have in common, and so does the checker: each alone may leave it open."""
    record = ledger(pure("1/100"), {"mechanism": {"kind": "laplace", "scale": "1", "sensitivity": "1"}})
    inputs = certificate(record, by(LAWS))["bounds"][0]["inputs"]
    claim = by(LAWS, epsilon=spell(known("zdw2022/thm10.eps", inputs, 20).upper))
    assert not failed(certificate(record, claim))


#: By name: a ledger and a claim whose bound is known to a stated width only, and the verdict.
STATED_WIDTHS: dict[str, tuple[Document, Document, str]] = {
    "laws": (ledger({**NOISE, "count": 100}), by(LAWS, epsilon="5"), "confirmed"),
    "refuted by laws": (ledger({**NOISE, "count": 100}), {"epsilon": "4", "delta": "1e-6"}, "refuted"),
    "optimum": (ledger(*(pure(f"{997 + 13 * i}/{99991 + 2 * i}", 1 + i % 3) for i in range(16))), by(MV), "confirmed"),
}


@pytest.mark.parametrize("name", STATED_WIDTHS)
def test_no_part_of_a_stated_width_can_be_certified_alone(name: str) -> None:
    """A forged point, or either part of the enclosure, may not have the value, though it lies within what is known."""
    record, claim, verdict = STATED_WIDTHS[name]
    base = certificate(record, claim, verdict)
    assert failed(base) == []
    part = base["lower_bound"] if verdict == "refuted" else base["bounds"][0]
    claimed = Fraction(claim["delta" if verdict == "refuted" else "epsilon"])
    lower, upper = Fraction(part["enclosure"]["lower"]), Fraction(part["enclosure"]["upper"])

    def at(share: Fraction) -> Fraction:
        return lower + share * (upper - lower)

    whole = (Fraction(0), Fraction(1))
    middle, near = Fraction(1, 2), Fraction(9, 10)
    for start, stop in (whole, (middle, middle), (near, near), (whole[0], near), (1 - near, whole[1])):
        ends = Enclosure(at(start), at(stop))
        doubles = list(ends.binary64())
        part["enclosure"] = {"lower": spell(ends.lower), "upper": spell(ends.upper), "binary64": doubles}
        left = Enclosure(claimed - ends.upper, claimed - ends.lower).decimals(6)
        base["margin"] = dict(zip(("lower", "upper"), left, strict=True))
        assert failed(base) == ([] if (start, stop) == whole else VALUE), (start, stop)


#: What the certificate is about (one that is right about another claim is right), and what it says to be unchecked.
FREE = {("claim",), ("commentary",)}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that are no containers, those of the embedded ledger apart: its digest covers them."""
    if path in FREE or path[:2] == ("ledger", "document"):
        return
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path


def other(value: Any) -> list[Any]:
    """Values near the given one that mean something else, numbers first."""
    if isinstance(value, int):
        return [value + 1]
    try:
        near = Fraction(value) * (1 + Fraction(1, 10**15)) + Fraction(1, 10**25)
    except ValueError:
        return [f"{value}x", ""]
    return [spell(near), spell(2 * Fraction(value) + 1)]


def outcome(document: Document) -> str:
    try:
        return privref.verify(document).outcome
    except privref.InputError:
        return "refused"


EACH_KIND: dict[str, tuple[Document, Document, str]] = {
    "confirmed": (*GOOD["zCDP"], "confirmed"),
    "exactly confirmed": (*GOOD["basic"], "confirmed"),
    "confirmed under a filter": (*GOOD["filter, its split declared"], "confirmed"),
    "unsupported": (ledger(FIVE, pure("0.2")), by(EQ2, epsilon="0.7"), "unsupported"),
    "unsupported rho": (adaptive(approx("1", "0")), {"rho": "0.4", "delta": "0"}, "unsupported"),
    "underivable": (ledger(pure("1", 3)), {"epsilon": "1", "delta": "0.001"}, "underivable"),
    "refuted rho": (ledger(zcdp("1")), {"rho": "1/2"}, "underivable"),
}


@pytest.mark.parametrize("name", EACH_KIND)
def test_every_field_of_a_certificate_is_checked(name: str) -> None:
    """Each value changed a little, changed much, or taken away: none of these certificates verifies."""
    document = certificate(*EACH_KIND[name])
    assert outcome(document) == "verified"
    tried = 0
    for path in list(leaves(document)):
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        kept = parent[path[-1]]
        for value in other(kept):
            parent[path[-1]] = value
            assert outcome(document) in ("failed", "refused"), (path, kept, value)
            tried += 1
        if isinstance(parent, dict):
            del parent[path[-1]]
            assert outcome(document) in ("failed", "refused"), path
        parent[path[-1]] = kept
    assert tried > 20
    assert outcome(document) == "verified"


@pytest.mark.parametrize(
    ("claim", "field"),
    [
        ({"epsilon": "3", "delta": "2"}, "delta"),
        ({"epsilon": "3", "delta": "-1/2"}, "delta"),
        ({"epsilon": "-3", "delta": "0"}, "epsilon"),
        ({"rho": "-1"}, "rho"),
    ],
)
def test_a_claim_outside_its_domain_is_refused(claim: Document, field: str) -> None:
    document = certificate(*EACH_KIND["confirmed"])
    document["claim"] = {"id": "c", **claim}
    with pytest.raises(privref.InputError, match=f"certificate.claim: {field}"):
        privref.verify(document)


@pytest.mark.parametrize(
    "declared",
    [
        {"tuning": {THM2: {"delta_prime": "3e-7"}}},
        {"budget": {"epsilon": "50", "delta": "1e-6", "filter": THM33}},
        {"parameters": "always"},
        {"colour": "red"},
    ],
)
def test_what_a_csv_ledger_declares_is_a_closed_list(tmp_path: Path, declared: Document) -> None:
    path = tmp_path / "spends.csv"
    path.write_text("epsilon,delta,count\n0.1,0,17\n")
    record = privref.read_ledger(path, parameters="fixed-in-advance")
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **E50}]})
    document = copy.deepcopy(privref.certificates(privref.audit(record, claims))["c"])
    assert privref.verify(document, path).outcome == "verified"
    document["ledger"]["declared"] |= declared
    with pytest.raises(privref.InputError, match=r"certificate\.ledger\.declared"):
        privref.verify(document, path)


@pytest.mark.parametrize("count", ["1.000", "17.0", "1e3"])
def test_a_count_in_a_csv_ledger_is_digits(tmp_path: Path, count: str) -> None:
    path = tmp_path / "spends.csv"
    path.write_text("epsilon,delta,count\n0.1,0,17\n")
    record = privref.read_ledger(path, parameters="fixed-in-advance")
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **E50}]})
    document = privref.certificates(privref.audit(record, claims))["c"]
    path.write_text(f"epsilon,delta,count\n0.1,0,{count}\n")
    for read in (privref.read_ledger, lambda path: privref.verify(document, path)):
        with pytest.raises(privref.InputError):
            read(path)


def test_plain_columns_with_decimal_commas_verify(tmp_path: Path) -> None:
    path = tmp_path / "spends.csv"
    path.write_text('epsilon,delta,count\n"0,1",0,17\n')
    record = privref.read_ledger(path, parameters="fixed-in-advance")
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **E50}]})
    document = privref.certificates(privref.audit(record, claims))["c"]
    assert privref.verify(document, path).outcome == "verified"


def test_a_json_ledger_declares_these_things_itself(tmp_path: Path) -> None:
    document = certificate(*EACH_KIND["confirmed"])
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(document["ledger"].pop("document")))
    document["ledger"]["declared"] = {"parameters": "fixed-in-advance"}
    assert privref.verify(document, path).outcome == "verified"
    document["ledger"]["declared"] = {"parameters": "chosen-adaptively"}
    assert privref.verify(document, path).outcome == "failed"


def test_a_worse_order_of_renyi_does_not_make_a_claim_unsupported() -> None:
    """Any order that all events have may prove the claim; an unsupported one must be below the bounds of all."""
    record = ledger(event("rdp", orders={"2": "0.1", "8": "0.5"}))
    below = certificate(record, {"epsilon": "2", "delta": "1e-6", "by": RENYI}, "unsupported")
    assert failed(below) == []
    worse = {"order": "2", "eps_order": "0.1"}
    forged = altered(below, worse, claim={"epsilon": "3"})
    assert privref.audit(privref.ledger_from_document(record), privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "3", "delta": "1e-6"}]}
    )).opinions[0].verdict == "confirmed"  # fmt: skip
    assert failed(forged) == LINK


# --- no epsilon is negative -----------------------------------------------------------------------------------------

#: cks2020/rdp2dp gives less than 0 here.
LITTLE = event("rdp", orders={"10": "1/1000"})


def test_an_audit_and_a_comparison_give_no_negative_epsilon() -> None:
    formula = privref.evaluate("cks2020/rdp2dp.eps", {"order": "10", "eps_order": "1/1000", "delta": "1/2"}).enclosure
    assert formula is not None
    assert formula.upper < 0
    bounds, _, _ = privref.compare(privref.ledger_from_document(ledger(LITTLE)), "1/2")
    assert {item.application.by for item in bounds} == {"cks2020/rdp2dp"}
    for item in bounds:
        assert item.enclosure == privref.Enclosure(Fraction(0), Fraction(0))
        assert "the formula gives -" in item.note


def test_a_claim_of_epsilon_0_below_which_a_formula_lies_is_confirmed_and_verifies() -> None:
    document = certificate(ledger(LITTLE), {"epsilon": "0", "delta": "1/2"})
    assert document["bounds"][0]["enclosure"]["lower"] == document["bounds"][0]["enclosure"]["upper"] == "0"
    assert privref.verify(document).outcome == "verified"
    document["bounds"][0]["enclosure"] |= {"lower": "-0.2", "upper": "-0.1"}
    assert privref.verify(document).outcome == "failed"


def test_what_lies_on_both_sides_of_0_is_cut_at_0() -> None:
    zero, one = Fraction(0), Fraction(1)
    cut = non_negative(privref.Answer("1/2", privref.Enclosure(-one, one)))
    assert cut == privref.Answer("1/2", privref.Enclosure(zero, one))
    assert non_negative(privref.Answer("-1", privref.Enclosure(-one, -one))).value == "0"
    assert non_negative(privref.Answer("inf", None)) == privref.Answer("inf", None)
    kept = privref.Answer("1", privref.Enclosure(one, one))
    assert non_negative(kept) is kept
