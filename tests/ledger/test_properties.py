"""Every property of ``ledger.1``: whatever reads a ledger and writes or compares one uses it, or refuses it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from importlib.resources import files
from typing import Any

import pytest

import privref
from privref.audit.changes import changed, diff, event_from
from privref.ledger.combining import combined
from privref.ledger.writing import ledger_document

Document = dict[str, Any]

SCHEMA: Document = json.loads(files("privref").joinpath("schemas", "ledger.1.json").read_text(encoding="utf-8"))


def _resolved(node: Mapping[str, Any]) -> Mapping[str, Any]:
    name = node.get("$ref", "").removeprefix("#/$defs/")
    return _resolved(SCHEMA["$defs"][name]) if name else node


def properties(node: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """The places of all properties that have none themselves; those of a kind carry it in brackets."""
    node = _resolved(node)
    inner = {key: value for key, value in node.get("properties", {}).items() if value is not False}
    kinds = [each["then"] for each in node.get("allOf", ()) if "kind" in each.get("if", {}).get("properties", {})]
    if kinds:
        for kind in kinds:
            name = kind["properties"]["kind"]["const"]
            yield from (f"{place}[{name}].{key}" for key in kind["properties"] if key != "kind")
    elif inner:
        for key, value in inner.items():
            yield from properties(value, f"{place}.{key}" if place else key)
    elif node.get("type") == "array" and "items" in node:
        yield from properties(node["items"], place)
    elif _resolved(node.get("additionalProperties") or {}).get("properties"):
        yield from properties(node["additionalProperties"], place)
    else:
        yield place


PURE: Document = {"kind": "pure-dp", "epsilon": "0.2"}
CELLS: Document = {"kind": "output-dp", "cells": {"a": "1", "b": "2"}, "delta": "0"}
RULE = {"kind": "output-dp", "partition": {"rule": "ptr", "eps": "1/2"}, "delta": "0"}
LAPLACE: Document = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
NOISE: Document = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
MATRIX = {
    **NOISE, "kind": "matrix-gaussian", "coefficients": ["1", "1/2"], "rounds": 3, "participations": 2, "separation": 1,
}  # fmt: skip
LATTICE: Document = {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}
SAMPLE: Document = {"kind": "subsampled", "base": NOISE, "rate": "1/10", "sampling": "poisson"}
RUN: Document = {
    "kind": "subsampled", "base": NOISE, "sampling": "balls-in-bins", "bins": "10", "epochs": "2", "drawn": "once",
}  # fmt: skip
CUT: Document = {**SAMPLE, "batch_cap": "150", "records": "1000"}
RESPONSE: Document = {"kind": "randomized-response", "epsilon": "1"}
HASHES = ("0" * 64, "1" * 64, "2" * 64)
BASE: Document = {
    "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
    "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"guarantee": PURE}],
}  # fmt: skip


def of(**event: Any) -> Document:
    """The document with one event; its guarantee is 0.2-DP where neither it nor a mechanism is given."""
    return {**BASE, "events": [event if {"guarantee", "mechanism"} & set(event) else {"guarantee": PURE, **event}]}


def joint(*ledgers: tuple[str, str]) -> Document:
    return {**BASE, "together": [{"title": title, "sha256": digest} for title, digest in ledgers]}


def budget(**said: str) -> Document:
    return {**BASE, "budget": {"epsilon": "1", "delta": "1e-6", **said}}


def size(value: int, public: bool) -> Document:
    return {**BASE, "dataset_size": {"value": value, "public": public}}


def tuned(**said: str) -> Document:
    return {**BASE, "tuning": {"whitehouse2023/thm3.mixture": said}}


def without(document: Document, *keys: str) -> Document:
    return {key: value for key, value in document.items() if key not in keys}


def mechanism(first: Document, **second: Any) -> tuple[Document, Document]:
    return of(mechanism=first), of(mechanism={**first, **second})


def guarantee(first: Document, **second: Any) -> tuple[Document, Document]:
    return of(guarantee=first), of(guarantee={**first, **second})


def in_part(of_: str, is_: str) -> Document:
    return {**of(part={"of": of_, "is": is_}), "partitions": {"zip": "the ZIP code", "age": "the year of birth"}}


ONE_RUN: Document = {"kind": "one-run", "canaries": 10, "guesses": 8, "right": 6, "confidence": "0.95", "label": "x"}
MANY_RUNS: Document = {
    "kind": "many-runs", "runs_with": 20, "true_positives": 9, "runs_without": 30, "false_positives": 9,
    "confidence": "0.95", "label": "x",
}  # fmt: skip


def attacked(first: Document, **second: Any) -> tuple[Document, Document]:
    return {**BASE, "evidence": [first]}, {**BASE, "evidence": [{**first, **second}]}


SPLIT = "whitehouse2023/thm2"
#: Of every property two ledgers that differ in it alone.
PAIRS: dict[str, tuple[Document, Document]] = {
    "title": (BASE, {**BASE, "title": "u"}),
    "source": (BASE, {**BASE, "source": "a page"}),
    "privacy_unit": (BASE, {**BASE, "privacy_unit": "household"}),
    "neighbours": (BASE, {**BASE, "neighbours": "replace-one"}),
    "parameters": (BASE, {**BASE, "parameters": "chosen-adaptively"}),
    "interaction": (BASE, {**BASE, "interaction": "concurrent"}),
    "queries": (BASE, {**BASE, "queries": "fixed-in-advance"}),
    "dataset_size.value": (size(10, True), size(11, True)),
    "dataset_size.public": (size(10, True), size(10, False)),
    "budget.epsilon": (budget(), budget(epsilon="2")),
    "budget.delta": (budget(), budget(delta="2e-6")),
    "budget.rho": tuple(
        {**BASE, "budget": {"rho": rho, "delta": "0", "filter": "whitehouse2023/thm1"}} for rho in "12"
    ),  # type: ignore[dict-item]
    "budget.filter": (budget(), budget(filter=SPLIT)),
    "budget.delta_prime": (budget(filter=SPLIT), budget(filter=SPLIT, delta_prime="1e-7")),
    **{f"tuning.{name}": (tuned(**{name: "2"}), tuned(**{name: "3"})) for name in ("gamma", "v0", "y_star", "order")},
    "tuning.delta_prime": (tuned(delta_prime="0.1"), tuned(delta_prime="0.2")),
    "attained_together": (BASE, {**BASE, "attained_together": True}),
    "partitions": (BASE, {**BASE, "partitions": {"zip": "the ZIP code"}}),
    "different_names": (
        {**BASE, "partitions": {"zip": "a", "ZIP": "b", "Zip": "c"}, "different_names": [["zip", "ZIP", "Zip"]]},
        {**BASE, "partitions": {"zip": "a", "ZIP": "b", "Zip": "c"}, "different_names": [["ZIP", "zip", "Zip"]]}),
    "period": (BASE, {**BASE, "period": "day"}),
    **{f"evidence[one-run].{name}": attacked(ONE_RUN, **{name: 7}) for name in ("guesses", "right")},
    "evidence[one-run].canaries": attacked(ONE_RUN, canaries=11),
    **{
        f"evidence[many-runs].{name}": attacked(MANY_RUNS, **{name: 25})
        for name in ("runs_with", "runs_without")
    },
    **{
        f"evidence[many-runs].{name}": attacked(MANY_RUNS, **{name: 10})
        for name in ("true_positives", "false_positives")
    },
    **{
        f"evidence[{first['kind']}].{name}": attacked(first, **{name: value})
        for first in (ONE_RUN, MANY_RUNS)
        for name, value in (("confidence", "0.9"), ("label", "y"))
    },
    "together.title": (joint(("a", HASHES[0]), ("b", HASHES[1])), joint(("a", HASHES[0]), ("c", HASHES[1]))),
    "together.sha256": (joint(("a", HASHES[0]), ("b", HASHES[1])), joint(("a", HASHES[0]), ("b", HASHES[2]))),
    "events.label": (BASE, of(label="x")),
    "events.count": (BASE, of(count=2)),
    "events.observed_cell": (of(guarantee=CELLS), of(guarantee=CELLS, observed_cell="a")),
    "events.decision": (BASE, of(decision="halt")),
    "events.part.of": (in_part("zip", "a"), in_part("age", "a")),
    "events.part.is": (in_part("zip", "a"), in_part("zip", "b")),
    **{
        f"events.released.{name}": tuple(of(mechanism=SAMPLE, released={name: word}) for word in words)
        for name, words in {
            "divided_by": ("nothing", "public-constant"), "clipping": ("each-record", "whole-batch"),
            "padding": ("none", "zeros"), "empty_batches": ("like-others", "left-out"),
            "not_finite": ("zeroed", "kept"), "noise": ("new-each-step", "reused"), "across_records": ("none", "some"),
            "metrics": ("none", "events"), "tuning": ("none", "left-out"),
        }.items()
    },
    "events.released.coordinates": tuple(
        of(mechanism=SAMPLE, released={"divided_by": "number-of-records", "coordinates": number}) for number in (8, 9)
    ),
    "events.best_of.trials": (
        of(best_of={"trials": "negative-binomial", "eta": "1", "gamma": "1/2"}),
        of(best_of={"trials": "poisson", "mean": "2"})),
    "events.best_of.eta": tuple(
        of(best_of={"trials": "negative-binomial", "eta": eta, "gamma": "1/2"}) for eta in ("1", "2")),
    "events.best_of.gamma": tuple(
        of(best_of={"trials": "negative-binomial", "eta": "1", "gamma": gamma}) for gamma in ("1/2", "1/3")),
    "events.best_of.mean": tuple(of(best_of={"trials": "poisson", "mean": mean}) for mean in ("2", "3")),
    "events.selected": (of(selected="above-threshold"), of(selected="best-of-random-number")),
    "events.guarantee[pure-dp].epsilon": guarantee(PURE, epsilon="0.3"),
    "events.guarantee[approx-dp].epsilon": guarantee({**PURE, "kind": "approx-dp", "delta": "0.1"}, epsilon="0.3"),
    "events.guarantee[approx-dp].delta": guarantee({**PURE, "kind": "approx-dp", "delta": "0.1"}, delta="0.2"),
    "events.guarantee[pdp].epsilon": guarantee({**PURE, "kind": "pdp", "delta": "0.1"}, epsilon="0.3"),
    "events.guarantee[pdp].delta": guarantee({**PURE, "kind": "pdp", "delta": "0.1"}, delta="0.2"),
    "events.guarantee[zcdp].rho": guarantee({"kind": "zcdp", "rho": "1"}, rho="2"),
    "events.guarantee[zcdp].delta": guarantee({"kind": "zcdp", "rho": "1"}, delta="0.1"),
    "events.guarantee[rdp].orders": guarantee({"kind": "rdp", "orders": {"8": "1"}}, orders={"8": "2"}),
    "events.guarantee[rdp].delta": guarantee({"kind": "rdp", "orders": {"8": "1"}}, delta="0.1"),
    "events.guarantee[gaussian-dp].mu": guarantee({"kind": "gaussian-dp", "mu": "1"}, mu="2"),
    "events.guarantee[bounded-range].epsilon": guarantee({"kind": "bounded-range", "epsilon": "1"}, epsilon="2"),
    "events.guarantee[output-dp].cells": guarantee(CELLS, cells={"a": "1", "b": "3"}),
    "events.guarantee[output-dp].partition": guarantee(RULE, partition={"rule": "ptr", "eps": "1"}),
    "events.guarantee[output-dp].delta": guarantee(CELLS, delta="0.1"),
    "events.guarantee[unknown].description": guarantee({"kind": "unknown", "description": "x"}, description="y"),
    "events.mechanism[gaussian].sigma": mechanism(NOISE, sigma="3"),
    "events.mechanism[gaussian].sensitivity": mechanism(NOISE, sensitivity="2"),
    "events.mechanism[gaussian].sigma_squared": mechanism(
        {**without(NOISE, "sigma"), "sigma_squared": "3"}, sigma_squared="5"),
    "events.mechanism[gaussian].sensitivity_squared": mechanism(
        {**without(NOISE, "sensitivity"), "sensitivity_squared": "3"}, sensitivity_squared="5"),
    "events.mechanism[gaussian].attained": mechanism(NOISE, attained=False),
    **{
        f"events.mechanism[matrix-gaussian].{name}": mechanism(MATRIX, **{name: value})
        for name, value in {
            "sigma": "3", "sensitivity": "2", "coefficients": ["1", "1/3"], "rounds": 2, "participations": 3,
            "separation": 2, "attained": True,
        }.items()
    },
    "events.mechanism[matrix-gaussian].spacing": mechanism({**MATRIX, "coefficients": ["1", "2"]}, spacing="exactly"),
    "events.mechanism[matrix-gaussian].tree": (
        of(mechanism={**without(MATRIX, "coefficients"), "tree": "binary"}), of(mechanism=MATRIX)),
    **{
        f"events.mechanism[matrix-gaussian].{name}": mechanism(
            {**without(MATRIX, "coefficients"), "omega": ["1/2"], "theta": ["1/2"]}, **{name: ["1/4"]})
        for name in ("omega", "theta")
    },
    "events.mechanism[matrix-gaussian].sigma_squared": mechanism(
        {**without(MATRIX, "sigma"), "sigma_squared": "3"}, sigma_squared="5"),
    "events.mechanism[matrix-gaussian].sensitivity_squared": mechanism(
        {**without(MATRIX, "sensitivity"), "sensitivity_squared": "3"}, sensitivity_squared="5"),
    "events.mechanism[discrete-gaussian].sigma": mechanism(LATTICE, sigma="3"),
    "events.mechanism[discrete-gaussian].sigma_squared": mechanism(
        {**without(LATTICE, "sigma"), "sigma_squared": "3"}, sigma_squared="5"),
    "events.mechanism[discrete-gaussian].shifts": mechanism(LATTICE, shifts=["2"]),
    "events.mechanism[discrete-gaussian].attained": mechanism(LATTICE, attained=False),
    "events.mechanism[laplace].scale": mechanism(LAPLACE, scale="9"),
    "events.mechanism[laplace].sensitivity": mechanism(LAPLACE, sensitivity="2"),
    "events.mechanism[laplace].shifts": mechanism(
        {**without(LAPLACE, "sensitivity"), "shifts": ["1"]}, shifts=["1", "1"]),
    "events.mechanism[laplace].attained": mechanism(LAPLACE, attained=False),
    "events.mechanism[geometric].scale": mechanism({"kind": "geometric", "scale": "5", "shifts": ["1"]}, scale="6"),
    "events.mechanism[geometric].shifts": mechanism({"kind": "geometric", "scale": "5", "shifts": ["1"]}, shifts=["2"]),
    "events.mechanism[geometric].attained": mechanism(
        {"kind": "geometric", "scale": "5", "shifts": ["1"]}, attained=False),
    **{
        f"events.mechanism[report-noisy-max].{name}": mechanism(
            {**LAPLACE, "kind": "report-noisy-max", "noise": "gumbel"}, **{name: value})
        for name, value in {
            "noise": "laplace", "scale": "9", "sensitivity": "2", "monotone": True,
        }.items()
    },
    "events.mechanism[randomized-response].epsilon": mechanism(RESPONSE, epsilon="2"),
    "events.mechanism[randomized-response].probability": mechanism(
        {"kind": "randomized-response", "probability": "3/4"}, probability="4/5"),
    "events.mechanism[randomized-response].outcomes": mechanism(RESPONSE, outcomes="3"),
    "events.mechanism[randomized-response].attained": mechanism(RESPONSE, attained=False),
    **{
        f"events.mechanism[four-outcome-randomized-response].{name}": mechanism(
            {"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "0.1"}, **{name: "0.2"})
        for name in ("epsilon", "delta")
    },
    **{
        f"events.mechanism[gaussian-mixture].{name}": mechanism(
            {"kind": "gaussian-mixture", "sigma": "2", "shifts": ["0", "1"], "weights": ["1/2"] * 2}, **{name: value})
        for name, value in (
            ("sigma", "3"), ("shifts", ["0", "2"]), ("weights", ["1/3", "2/3"]), ("attained", False))
    },
    "events.mechanism[gaussian-mixture].sigma_squared": tuple(
        of(mechanism={"kind": "gaussian-mixture", "sigma_squared": square, "shifts": ["1"], "weights": ["1"]})
        for square in ("2", "3")
    ),  # type: ignore[dict-item]
    "events.mechanism[subsampled].base": mechanism(SAMPLE, base={**NOISE, "sigma": "3"}),
    "events.mechanism[subsampled].rate": mechanism(SAMPLE, rate="1/9"),
    "events.mechanism[subsampled].sampling": mechanism(SAMPLE, sampling="unknown"),
    "events.mechanism[subsampled].bins": mechanism(RUN, bins="11"),
    "events.mechanism[subsampled].epochs": mechanism(RUN, epochs="3"),
    "events.mechanism[subsampled].drawn": mechanism(RUN, drawn="each-epoch"),
    "events.mechanism[subsampled].chosen": mechanism({**RUN, "epochs": "1", "chosen": "2"}, chosen="3"),
    "events.mechanism[subsampled].batch_cap": mechanism(CUT, batch_cap="151"),
    "events.mechanism[subsampled].records": mechanism(CUT, records="1001"),
    "events.mechanism[subsampled].clipped": (
        {**of(mechanism={**SAMPLE, "clipped": False}), "neighbours": "replace-one"},
        {**of(mechanism={**SAMPLE, "clipped": True}), "neighbours": "replace-one"}),
    "events.mechanism[subsampled].records_per_unit": mechanism(
        {**SAMPLE, "records_per_unit": 2}, records_per_unit=3),
    "events.mechanism[subsampled].attained": mechanism(SAMPLE, attained=False),
    "events.mechanism[other].description": tuple(
        of(guarantee=PURE, mechanism={"kind": "other", "description": words}) for words in ("x", "y")
    ),  # type: ignore[dict-item]
    "a rounded parameter, at its worse end": guarantee(
        {"kind": "pure-dp", "epsilon": {"rounded": "0.1"}}, epsilon="0.15"),
}  # fmt: skip


def test_every_property_has_a_pair() -> None:
    assert set(PAIRS) - {"a rounded parameter, at its worse end"} == set(properties(SCHEMA)) - {"schema"}


@pytest.mark.parametrize("name", PAIRS)
def test_a_difference_is_named(name: str) -> None:
    first, second = map(privref.ledger_from_document, PAIRS[name])
    assert not diff(first, second).same
    assert not diff(second, first).same
    assert diff(first, privref.ledger_from_document(PAIRS[name][0])).same


@pytest.mark.parametrize("name", PAIRS)
def test_a_joint_ledger_has_it_or_refuses_it(name: str) -> None:
    """Where it is about one ledger's own interaction it is refused, by name; nothing is left out without a word."""
    for document in PAIRS[name]:
        alike = {key: document[key] for key in ("neighbours", "privacy_unit", "period") if key in document}
        other = {**BASE, **alike, "title": "another"}
        ledgers = [privref.ledger_from_document(each) for each in (document, other)]
        unnamed = {key for key in document if key in ("queries", "dataset_size", "budget", "tuning", "together")}
        unnamed |= {"attained_together"} & set(document)
        if unnamed:
            with pytest.raises(
                privref.InputError, match=rf"mine\.({'|'.join(unnamed)}) is given: .*says nothing of several"
            ):
                combined(ledgers, ["mine", "other"])
            continue
        made = combined(ledgers, ["mine", "other"]).document
        assert made is not None
        assert made["events"] == [*document["events"], *other["events"]]
        for key in set(document) - {"events", "schema"}:
            if key in ("parameters", "interaction"):
                # What a ledger says of its own interaction is not used of several.
                assert made[key] in ("chosen-adaptively", "concurrent")
            else:
                assert made[key] == document[key] or made[key] == f"{document[key]}; another", key


def test_what_a_ledger_declares_of_itself_is_not_contradicted_together() -> None:
    for name, word in (("parameters", "fixed-in-advance"), ("interaction", "sequential")):
        worse = privref.ledger_from_document(PAIRS[name][1])
        other = privref.ledger_from_document(BASE)
        with pytest.raises(privref.InputError, match=f"mine declares {name}"):
            combined([worse, other], ["mine", "other"], [word])


@pytest.mark.parametrize("name", PAIRS)
def test_a_changed_ledger_keeps_it(name: str) -> None:
    for document in PAIRS[name]:
        ledger = privref.ledger_from_document(document)
        same = changed(changed(ledger, add=[event_from("rho=1,label=one more")]), remove=["one more"])
        for field in fields(privref.Ledger):
            if field.name not in ("title", "digest", "digest_of", "document"):
                assert getattr(same, field.name) == getattr(ledger, field.name), field.name


@pytest.mark.parametrize("name", PAIRS)
def test_a_written_ledger_says_it_or_is_refused(name: str) -> None:
    for document in PAIRS[name]:
        ledger = replace(privref.ledger_from_document(document), document=None)
        said = {key: document[key] for key in ("title", "privacy_unit", "neighbours", "parameters", "interaction")}
        try:
            written = ledger_document(replace(ledger, privacy_unit=""), **said)
        except privref.InputError:
            continue
        assert diff(privref.ledger_from_document(written), ledger).same


def test_a_spreadsheet_is_written() -> None:
    sheet = privref.ledger_from_csv("label,epsilon,delta,count\nx,0.1,1e-9,3\n", "t", neighbours="replace-one")
    said: Any = {key: BASE[key] for key in ("title", "privacy_unit", "parameters", "interaction")}
    written = ledger_document(sheet, **said, neighbours="replace-one")
    guarantee = {"kind": "approx-dp", "epsilon": "0.1", "delta": "1e-9"}
    assert written["events"] == [{"label": "x", "count": 3, "guarantee": guarantee}]
