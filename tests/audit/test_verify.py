"""The re-check of a certificate: each theorem's inputs follow from the ledger and the claim, or it is refused."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.exact.numbers import spell
from privref.ledger.documents import digest

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


def budget(epsilon: str, delta: str) -> Document:
    return {"budget": {"epsilon": epsilon, "delta": delta}}


def tuning(by: str, delta_prime: str) -> Document:
    return {"tuning": {by: {"delta_prime": delta_prime}}}


def certificate(record: Document, claim: Mapping[str, str], verdict: str = "confirmed") -> Document:
    """What the audit issues for one claim, which must have that verdict."""
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    audit = privref.audit(privref.ledger_from_document(record), claims)
    assert [opinion.verdict for opinion in audit.opinions] == [verdict], audit.opinions[0].reason
    return copy.deepcopy(privref.certificates(audit)["c"])


def enclosure(statement: str, inputs: Mapping[str, object]) -> Document:
    found = privref.evaluate(statement, inputs).enclosure
    assert found is not None
    lower, upper = found.decimals(20)
    return {"lower": lower, "upper": upper}


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
    part["enclosure"] = enclosure(part["statement"], part["inputs"])
    document["claim"] |= claim or {}
    if record is not None:
        document["ledger"] |= {"document": record, "sha256": digest(record)}
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
RENYI, GAUSSIAN = "cks2020/rdp2dp", "gdp/composition"

FIVE = approx("0.1", "1e-7", 5)
LEAKY = zcdp("0.1", "1e-7")

#: By name: the ledger and the claim. The audit confirms each, and each certificate verifies.
GOOD: dict[str, tuple[Document, Document]] = {
    "basic": (ledger(FIVE, pure("0.2")), by(THM29)),
    "basic filter": (adaptive(FIVE, pure("0.2")), by(THM33)),
    "basic filter, all spent": (adaptive(FIVE), by(THM33, delta="5e-7")),
    "basic filter in its budget": (adaptive(FIVE, **budget("1/2", "5e-7")), by(THM33)),
    "advanced": (ledger(FIVE), by(THM210)),
    "equation (2)": (ledger(FIVE, pure("0.2")), by(EQ2)),
    "optimum of equal rounds": (ledger(pure("0.1", 5)), by(KOV)),
    "optimum": (ledger(approx("0.1", "1e-7", 2), pure("0.2")), by(MV)),
    "optimum of cells": (ledger(svt("0", "1e-7"), ptr("bottom")), by(MV)),
    "filter without deltas": (adaptive(pure("0.1", 5)), by(THM2)),
    "filter without deltas, tuned": (adaptive(pure("0.1", 5), **tuning(THM2, "3e-7")), by(THM2)),
    "filter by halves": (adaptive(FIVE), by(THM2)),
    "filter, tuned": (adaptive(FIVE, **tuning(THM2, "3e-7")), by(THM2)),
    "filter, fixed": (ledger(FIVE), by(THM2)),
    "filter in a budget that parameters fixed in advance do not need": (ledger(FIVE, **budget("60", "0")), by(THM2)),
    "filter in its budget": (adaptive(pure("0.1", 5), **budget("2", "1e-6")), by(THM2)),
    "filter in a budget by halves": (adaptive(FIVE, **budget("2", "1e-6")), by(THM2)),
    "cells": (adaptive(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7")), by(ALG1)),
    "cells in a budget": (ledger(svt("0"), ptr("bottom"), **budget("5", "0")), by(ALG1)),
    "lemma 1": (ledger(LEAKY, pure("0.2")), by(LEMMA1)),
    "lemma 1 by halves": (adaptive(LEAKY, pure("0.2")), by(LEMMA1)),
    "lemma 1, tuned": (adaptive(LEAKY, pure("0.2"), **tuning(LEMMA1, "3e-7")), by(LEMMA1)),
    "lemma 1 without deltas, tuned": (adaptive(zcdp("0.1"), **tuning(LEMMA1, "3e-7")), by(LEMMA1)),
    "zCDP": (ledger(LEAKY, pure("0.2"), event("gaussian-dp", mu="3")), by(TIGHT)),
    "zCDP by halves": (adaptive(LEAKY), by(TIGHT)),
    "zCDP, tuned": (adaptive(LEAKY, **tuning(TIGHT, "3e-7")), by(TIGHT)),
    "zCDP in its budget": (adaptive(zcdp("0.1"), **budget("10", "1e-6")), by(TIGHT)),
    "zCDP of cells": (adaptive(svt("0", "1e-7")), by(TIGHT)),
    "zCDP at delta 1": (adaptive(zcdp("0", "1e-7"), **tuning(TIGHT, "3e-7")), by(TIGHT, delta="1")),
    "concurrent zCDP": (adaptive(zcdp("0.1"), interaction="concurrent"), by(TIGHT)),
    "rho": (ledger(zcdp("0.1", "1e-7"), pure("0.2")), {"rho": "1", "delta": "1e-7"}),
    "rho under a budget": (adaptive(zcdp("0.1"), **budget("1", "0")), {"rho": "1"}),
    "Gaussian": (ledger(event("gaussian-dp", 2, mu="1"), event("gaussian-dp", mu="0")), by(GAUSSIAN)),
    "Gaussian in its budget": (adaptive(event("gaussian-dp", mu="1"), **budget("10", "1e-6")), by(GAUSSIAN)),
    "Renyi": (ledger(event("rdp", orders={"8": "0.5"}, delta="1e-7"), zcdp("0.1")), by(RENYI)),
    "the statement's full name": (ledger(zcdp("0.1")), by("whitehouse2023/lem1.zcdp2dp.eps")),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_what_the_audit_confirms_verifies(name: str) -> None:
    """The checker derives from the raw ledger the inputs that the audit used."""
    record, claim = GOOD[name]
    assert failed(certificate(record, claim)) == []


#: What is wrong: the good certificate, and its inputs, ledger or claim that do not fit together any more.
WRONG: dict[str, tuple[str, Document]] = {
    "basic, a smaller round": ("basic", {"inputs": {"eps": ["0.1"] * 5 + ["0.1"]}}),
    "basic, a round less": ("basic", {"inputs": {"eps": ["0.1"] * 4 + ["0.2"]}}),
    "basic, deltas above the claim": ("basic", {"claim": {"delta": "4.9e-7"}}),
    "basic, adaptive": ("basic", {"record": adaptive(FIVE, pure("0.2"))}),
    "basic, an event refused": ("basic", {"record": ledger(FIVE, pure("0.2"), {**pure("1"), "decision": "halt"})}),
    "basic filter, a round less": ("basic filter", {"inputs": {"eps": ["0.1"] * 5}}),
    "basic filter, deltas above the claim": ("basic filter", {"claim": {"delta": "4.9e-7"}}),
    "basic filter, a larger budget": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("51", "5e-7"))}),
    "basic filter, a budget of a larger delta": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("1/2", "1.1e-6"))}),
    "basic filter, a budget that was exceeded": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("0.49", "5e-7"))}),
    "basic filter, a budget whose delta was exceeded": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("1/2", "4.9e-7"))}),
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
    "filter without deltas, a smaller delta": ("filter without deltas", {"inputs": {"delta_prime": "5e-7"}}),
    "filter without deltas, a round less": ("filter without deltas", {"inputs": {"eps": ["0.1"] * 4}}),
    "filter, not the tuned delta": ("filter without deltas, tuned", {"inputs": {"delta_prime": "1e-6"}}),
    "filter by halves, what is left": ("filter by halves", {"inputs": {"delta_prime": "4e-7"}}),
    "filter by halves, deltas above their half": ("filter by halves", {"record": adaptive(approx("0.1", "1.1e-7", 5))}),
    "filter, deltas above what the tuning leaves": (
        "filter, tuned", {"record": adaptive(approx("0.1", "1.5e-7", 5), **tuning(THM2, "3e-7"))}),
    "filter, a larger delta": ("filter, fixed", {"inputs": {"delta_prime": "5.1e-7"}}),
    "filter, a budget that was exceeded": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("0.9", "1e-6"))}),
    "filter, a budget that was exceeded at its delta": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("2", "1e-60"))}),
    "filter, a budget without delta": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("50", "0"))}),
    "filter, deltas above half of the budget's": (
        "filter in a budget by halves", {"record": adaptive(FIVE, **budget("2", "9e-7"))}),
    "cells, a smaller largest cost": ("cells", {"inputs": {"sups": ["4", "1", "0.1"]}}),
    "cells, a smaller observed cost": ("cells", {"inputs": {"spends": ["1", "1/2", "0.1"]}}),
    "cells, a claim of less delta": ("cells", {"claim": {"delta": "9.9e-7"}}),
    "cells, a dearer one was observed": (
        "cells", {"record": adaptive(svt("2"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"))}),
    "cells, none was observed": (
        "cells", {"record": adaptive(svt("1"), cells(None, delta="4e-7", answer="1", bottom="1/2"),
                                     approx("0.1", "6e-7"))}),
    "cells, in another order": (
        "cells", {"record": adaptive(ptr("bottom", "4e-7"), svt("1"), approx("0.1", "6e-7"))}),
    "cells, concurrent": (
        "cells", {"record": adaptive(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"),
                                     interaction="concurrent")}),
    "cells, fixed and without a budget": (
        "cells", {"record": ledger(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"))}),
    "cells, a budget that was exceeded": (
        "cells in a budget", {"record": ledger(svt("0"), ptr("bottom"), **budget("4.9", "0"))}),
    "cells, a larger budget": ("cells in a budget", {"record": ledger(svt("0"), ptr("bottom"), **budget("51", "0"))}),
    "lemma 1, a smaller rho": ("lemma 1", {"inputs": {"rho": "0.1"}}),
    "lemma 1, a larger delta": ("lemma 1", {"inputs": {"delta_prime": "9.1e-7"}}),
    "lemma 1, concurrent with a delta": ("lemma 1", {"record": ledger(LEAKY, pure("0.2"), interaction="concurrent")}),
    "lemma 1 by halves, what is left": ("lemma 1 by halves", {"inputs": {"delta_prime": "9e-7"}}),
    "lemma 1, not the tuned delta": ("lemma 1 without deltas, tuned", {"inputs": {"delta_prime": "3e-7"}}),
    "zCDP, a smaller rho": ("zCDP", {"inputs": {"rho": "1"}}),
    "zCDP, a larger delta": ("zCDP", {"inputs": {"delta": "9.1e-7"}}),
    "zCDP by halves, deltas above their half": ("zCDP by halves", {"record": adaptive(zcdp("0.1", "5.1e-7"))}),
    "zCDP, deltas above what the tuning leaves": (
        "zCDP, tuned", {"record": adaptive(zcdp("0.1", "7.1e-7"), **tuning(TIGHT, "3e-7"))}),
    "zCDP, all of the delta tuned away": (
        "zCDP, tuned", {"record": adaptive(LEAKY, **tuning(TIGHT, "1"))}),
    "zCDP, another theorem's tuning": ("zCDP, tuned", {"record": adaptive(LEAKY, **tuning(LEMMA1, "3e-7"))}),
    "zCDP, a budget that was exceeded at its delta": (
        "zCDP in its budget", {"record": adaptive(zcdp("0.1"), **budget("10", "1e-300"))}),
    "zCDP, a budget without delta": ("zCDP in its budget", {"record": adaptive(zcdp("0.1"), **budget("10", "0"))}),
    "zCDP of cells, at the observed one": ("zCDP of cells", {"inputs": {"rho": "1/2"}}),
    "rho, a smaller one": ("rho", {"inputs": {"rhos": ["0.1", "0.01"]}}),
    "rho, a claim of less delta": ("rho", {"claim": {"delta": "9e-8"}}),
    "Gaussian, a smaller mu": ("Gaussian", {"inputs": {"mu": ["1", "0.9"]}}),
    "Gaussian, a round less": ("Gaussian", {"inputs": {"mu": ["1"]}}),
    "Gaussian, a larger delta": ("Gaussian", {"inputs": {"delta": "2e-6"}}),
    "Gaussian, an event that is not": ("Gaussian", {"record": ledger(event("gaussian-dp", 2, mu="1"), pure("9"))}),
    "Gaussian, an event of an unknown kind": (
        "Gaussian", {"record": ledger(event("gaussian-dp", mu="1"), event("subsampled-gaussian", mu="1"))}),
    "Gaussian, a budget that was exceeded at its delta": (
        "Gaussian in its budget", {"record": adaptive(event("gaussian-dp", mu="1"), **budget("10", "1e-300"))}),
    "Gaussian, a budget without delta": (
        "Gaussian in its budget", {"record": adaptive(event("gaussian-dp", mu="1"), **budget("10", "0"))}),
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
    assert failed(altered(certificate(*GOOD[good]), **change)) == LINK


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
    assert failed(certificate(adaptive(approx("0.1", "1e-7", 5)), by(THM2))) == []
    third = adaptive(zcdp("0.1", "1/3"), **tuning(TIGHT, "1/4"))
    document = certificate(third, by(TIGHT, delta="1/2"))
    assert document["bounds"][0]["inputs"]["delta"] == "1/4"
    assert failed(document) == []


FALSE: dict[str, tuple[Document, Document]] = {
    "two dearest cells, fixed": (ledger(cells("b", 2, a="2", b="1/4")), {"epsilon": "3", "delta": "0"}),
    "the dearest cell alone": (adaptive(cells("b", a="2", b="1/4")), {"epsilon": "1", "delta": "0"}),
    "one-cell events together": (adaptive(cells("a", 2, a="2")), {"epsilon": "3", "delta": "0"}),
    "rounds with deltas": (ledger(approx("1", "0.1", 2)), {"epsilon": "2", "delta": "0.1"}),
    "Gaussian mechanisms": (ledger(event("gaussian-dp", 3, mu="2")), {"epsilon": "1", "delta": "0.01"}),
    "rhos of Gaussian mechanisms": (ledger(event("gaussian-dp", 2, mu="2")), {"rho": "3.9"}),
    "two points": (ledger(zcdp("1/2")), {"epsilon": "4", "delta": "1e-4"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_the_audit_refutes_verifies(name: str) -> None:
    """The checker finds the witness within the declared guarantees."""
    record, claim = FALSE[name]
    assert failed(certificate(record, claim, "refuted")) == []


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
    "a Gaussian mechanism less": ("rhos of Gaussian mechanisms", ledger(event("gaussian-dp", 1, mu="2"))),
    "a smaller rho": ("two points", ledger(zcdp("0.49"))),
}  # fmt: skip


@pytest.mark.parametrize("name", UNWITNESSED)
def test_a_witness_beyond_the_ledger_refutes_nothing(name: str) -> None:
    """On a ledger that declares less, the same mechanisms are not allowed."""
    good, record = UNWITNESSED[name]
    assert failed(altered(certificate(*FALSE[good], "refuted"), record=record)) == WITNESS


VALUE = ["value and inequality"]


def test_an_enclosure_wider_than_one_in_ten_thousand_is_no_answer() -> None:
    """The stated limit, just under and just above: the value 1 within 1 +- w/2 has the relative width w/(1 - w/2)."""
    base = certificate(ledger(pure("1")), {"epsilon": "2", "delta": "0", "by": THM29})

    def around(width: Fraction) -> list[str]:
        ends = {"lower": spell(1 - width / 2), "upper": spell(1 + width / 2)}
        base["bounds"][0]["enclosure"] = ends
        return failed(base)

    assert around(Fraction(9, 100_000)) == []
    assert around(Fraction(11, 100_000)) == VALUE


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
    document["claim"]["epsilon"] = below
    assert failed(document) == VALUE
    document["verdict"] = "unsupported"
    assert failed(document) == []
    assert failed(certificate(record, {"epsilon": below, "delta": "1e-6"}, "refuted")) == []


def test_a_claim_at_the_lower_end_of_a_stated_width_stays_open() -> None:
    """The value may be that end itself, so that the bound does not certainly exceed the claim."""
    record = ledger(*(pure(f"{997 + 13 * i}/{99991 + 2 * i}", 1 + i % 3) for i in range(60)))
    base = certificate(record, by(MV))
    found = privref.evaluate("mv2016/optimal.eps", base["bounds"][0]["inputs"]).enclosure
    assert found is not None
    assert found.width > 0
    base["verdict"] = "unsupported"
    base["claim"]["epsilon"] = spell(found.lower)
    assert failed(base) == VALUE
