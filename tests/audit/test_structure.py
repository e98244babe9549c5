"""Disjoint parts, periods, groups, private selection: verdicts, premises, certificates, and the kernel's own view."""

from __future__ import annotations

import copy
import importlib
import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.audit import summary
from privref.audit.certificate import certificates
from privref.audit.notices import attack_success, notices
from privref.audit.structure import group_guarantee, of_one_unit
from privref.exact.errors import UndecidedError
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    OutputDP,
    PureDP,
    RenyiDP,
    Unknown,
    dp_parameters,
    zcdp_parameters,
)
from privref.kernel import certificate as kernel_certificate
from privref.kernel import record as kernel_record
from privref.ledger import documents

Document = dict[str, Any]


def event(epsilon: str, part: str | None = None, of: str = "zip", **more: Any) -> Document:
    found: Document = {"guarantee": {"kind": "pure-dp", "epsilon": epsilon}, **more}
    return found if part is None else {**found, "part": {"of": of, "is": part}}


def ledger(*events: Document, **more: Any) -> Document:
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "period": "day",
        "partitions": {"zip": "the ZIP code", "age": "the year of birth"}, "events": list(events), **more,
    }  # fmt: skip


def audited(document: Document, **claim: Any) -> privref.Opinion:
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    result = privref.audit(privref.ledger_from_document(document), claims)
    for made in certificates(result).values():
        checked = privref.verify(made)
        assert checked.outcome == "verified", checked
    return result.opinions[0]


THREE = ledger(event("0.1", "a"), event("0.3", "b"), event("0.10", "c"), event("0.05"))
GRID = ledger(*(event("0.1", x) for x in "ab"), event("0.2", "c"), *(event("0.3", x, "age") for x in "12"))
SAME = ledger(*(event("0.1", x) for x in "abcdef"), event("0.05"))


@pytest.mark.parametrize(
    ("document", "claim", "verdict", "words"),
    [
        (THREE, {"epsilon": "0.35", "delta": "0"}, "confirmed", "worst of 3 combinations of parts, zip b"),
        (THREE, {"epsilon": "0.34", "delta": "0"}, "underivable", "zip b"),
        (THREE, {"rho": "0.04625", "by": "whitehouse2023/thm1"}, "confirmed", "zip b"),
        (THREE, {"rho": "0.046", "by": "whitehouse2023/thm1"}, "unsupported", "zip b"),
        # epsilon tanh(epsilon/2) for epsilon^2/2: 0.0459151... in all.
        (THREE, {"rho": "0.045916"}, "confirmed", "tight); decided by the worst of 3 combinations of parts, zip b"),
        (THREE, {"rho": "0.045915"}, "unsupported", "zip b"),
        (THREE, {"epsilon": "0.7", "delta": "0", "units": 2}, "confirmed", "of one unit, (7/20, 0)-DP"),
        (THREE, {"epsilon": "0.69", "delta": "0", "units": 2}, "unsupported", "of one unit, (69/200, 0)-DP"),
        (THREE, {"rho": "1", "units": 2}, "inapplicable", "different parts"),
        (THREE, {"epsilon": "1", "delta": "0", "periods": 2}, "inapplicable", "or leave `part` out"),
        (GRID, {"epsilon": "0.5", "delta": "0"}, "confirmed", "worst of 6 combinations of parts, zip c, age 1"),
        (GRID, {"epsilon": "0.49", "delta": "0"}, "unsupported", "zip c"),
        (GRID, {"epsilon": "0.3", "delta": "0"}, "unsupported", "zip c"),
        # Whoever is in age 1 is in an event of 0.3, wherever they live.
        (GRID, {"epsilon": "0.29", "delta": "0"}, "underivable", "read all records or age 1"),
        (SAME, {"epsilon": "0.15", "delta": "0"}, "confirmed", "6 combinations"),
        (SAME, {"epsilon": "0.45", "delta": "0", "periods": 3}, "confirmed", "6 combinations"),
        (SAME, {"epsilon": "0.44", "delta": "0", "periods": 3}, "underivable", "6 combinations"),
        ({**THREE, "neighbours": "replace-one"}, {"epsilon": "9", "delta": "0"}, "inapplicable", "add-or-remove-one"),
        ({**THREE, "parameters": "chosen-adaptively"}, {"epsilon": "9", "delta": "0"}, "inapplicable", "in advance"),
        (ledger(event("0.2")), {"epsilon": "0.6", "delta": "0", "units": 3}, "confirmed", "thm2.9"),
        (ledger(event("0.2")), {"epsilon": "0.59", "delta": "0", "units": 3}, "unsupported", ""),
        (ledger(event("0.2"), period="") | {"period": "x"}, {"rho": "0.06", "periods": 3}, "confirmed", ""),
        (ledger(event("0.1", selected="above-threshold")), {"epsilon": "0.2", "delta": "0"}, "confirmed", ""),
        (ledger(event("0.1", selected="above-threshold")), {"epsilon": "0.1", "delta": "0"}, "unsupported", ""),
        (ledger(event("0.1", selected="best-of-random-number")), {"epsilon": "0.3", "delta": "0"}, "confirmed", ""),
    ],
)  # fmt: skip
def test_verdicts(document: Document, claim: Document, verdict: str, words: str) -> None:
    opinion = audited(document, **claim)
    assert (opinion.verdict, words in opinion.reason) == (verdict, True), opinion.reason
    kind, shown = summary.advice(opinion)
    # What a lower bound rests on stands beside it; of a claim that nothing decides there is no premise to tell.
    decided = {"confirmed": kind == "premise", "underivable": "; premise: the ledger declares that" in shown}
    assert decided.get(verdict, "declares that" not in shown)
    assert verdict != "inapplicable" or (kind, shown) == ("reason", opinion.reason)
    said = " ".join(finding.how for finding in opinion.premises)
    assert ("disjoint by a public key (the ZIP code)" in said) == ("zip" in document["partitions"])
    assert "of a unit" in said


def test_a_period_that_is_not_declared_is_no_period() -> None:
    document = ledger(event("0.1"))
    del document["period"]
    assert audited(document, epsilon="9", delta="0", periods=2).verdict == "inapplicable"
    with pytest.raises(privref.InputError, match="partitions"):
        audited(ledger(event("1", "a", "sex")), epsilon="9", delta="0")
    approximate = event("0.1", selected="above-threshold")
    approximate["guarantee"] = {"kind": "zcdp", "rho": "1"}
    with pytest.raises(privref.InputError, match="selected"):
        audited(ledger(approximate), rho="9")


PLAIN = ledger(event("0.2"))
RANGE = ledger({"guarantee": {"kind": "bounded-range", "epsilon": "0.2"}, "count": 3})
REPLACE = {"neighbours": "replace-one"}


@pytest.mark.parametrize(
    ("document", "claim", "verdict", "words"),
    [
        (PLAIN, {"epsilon": "0.2", "delta": "0", "neighbours": "add-or-remove-one"}, "confirmed", ""),
        (PLAIN, {"epsilon": "0.4", "delta": "0", **REPLACE}, "confirmed", "removes 1 and adds 1: data 2 neighbours"),
        (PLAIN, {"epsilon": "0.4", "delta": "0", **REPLACE}, "confirmed", "pure-dp by dr2014/thm2.2"),
        (PLAIN, {"epsilon": "0.39", "delta": "0", **REPLACE}, "unsupported", "2 neighbours apart"),
        (PLAIN, {"epsilon": "1.2", "delta": "0", "units": 3, **REPLACE}, "confirmed", "6 neighbours apart"),
        (PLAIN, {"rho": "0.08", **REPLACE}, "confirmed", "2 neighbours apart"),
        (RANGE, {"rho": "0.06", **REPLACE}, "confirmed", "bounded-range by dong2020/group"),
        (RANGE, {"epsilon": "1.2", "delta": "0", **REPLACE}, "confirmed", "bounded-range by dong2020/group"),
        (RANGE, {"epsilon": "1.19", "delta": "0", **REPLACE}, "unsupported", "bounded-range by dong2020/group"),
        ({**PLAIN, **REPLACE}, {"epsilon": "0.2", "delta": "0", **REPLACE}, "confirmed", ""),
        (THREE, {"epsilon": "0.7", "delta": "0", **REPLACE}, "confirmed", "apart, the guarantee of the whole for"),
        ({**PLAIN, **REPLACE}, {"epsilon": "9", "delta": "0", "neighbours": "add-or-remove-one"}, "inapplicable", ""),
        ({**PLAIN, "parameters": "chosen-adaptively"}, {"rho": "9", **REPLACE}, "inapplicable", "2 neighbours apart"),
    ],
)  # fmt: skip
def test_replacing_a_unit_is_removing_and_adding_one(
    document: Document, claim: Document, verdict: str, words: str
) -> None:
    """From add-or-remove-one to replace-one, and not back; the report says by which statements."""
    opinion = audited(document, **claim)
    assert opinion.verdict == verdict, opinion.reason
    said = " ".join(finding.how for finding in opinion.premises)
    assert words in said
    assert bool(words) == ("neighbours apart" in said)


@pytest.mark.parametrize(
    ("record", "claim"),
    [
        (PLAIN, {"epsilon": "0.39", "delta": "0", **REPLACE}),
        ({**PLAIN, **REPLACE}, {"epsilon": "0.4", "delta": "0", "neighbours": "add-or-remove-one"}),
    ],
)
def test_a_certificate_is_for_its_claims_neighbours(record: Document, claim: Document) -> None:
    """The same numbers for other neighbours are not derived from the ledger."""
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "0.4", "delta": "0", **REPLACE}]}
    )
    (made,) = certificates(privref.audit(privref.ledger_from_document(PLAIN), claims)).values()
    assert privref.verify(made).outcome == "verified"
    made["claim"] = {"id": "c", **claim}
    made["ledger"] |= {"document": record, "sha256": documents.digest(record)}
    assert privref.verify(made).outcome == "failed"


@pytest.mark.parametrize(
    ("claim", "change"),
    [
        ({"epsilon": "0.35", "delta": "0"}, lambda made: made["proofs"].pop()),
        ({"epsilon": "0.35", "delta": "0"}, lambda made: made["proofs"].reverse()),
        ({"epsilon": "0.35", "delta": "0"}, lambda made: made["proofs"][0].pop("case")),
        ({"epsilon": "0.35", "delta": "0"}, lambda made: made["proofs"][0]["case"].update(zip="b")),
        ({"epsilon": "0.35", "delta": "0"}, lambda made: made["proofs"][1]["case"].update(zip="z")),
        ({"epsilon": "0.35", "delta": "0"}, lambda made: made["claim"].update(units=2)),
        ({"epsilon": "0.35", "delta": "0"}, lambda made: made["claim"].update(periods=2)),
        ({"epsilon": "0.34", "delta": "0"}, lambda made: made["proofs"][0]["case"].update(zip="a")),
        ({"epsilon": "0.34", "delta": "0"}, lambda made: made["proofs"][0].pop("case")),
    ],
)
def test_an_altered_certificate_fails(claim: Document, change: Any) -> None:
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    (made,) = certificates(privref.audit(privref.ledger_from_document(THREE), claims)).values()
    altered = copy.deepcopy(made)
    change(altered)
    assert altered != made
    assert privref.verify(altered).outcome == "failed"


def bounds_of(document: Document, delta: str) -> dict[str, tuple[Fraction, str]]:
    bounds, _, _ = privref.compare(privref.ledger_from_document(document), delta)
    return {item.application.by: (item.enclosure.upper, item.note) for item in bounds if item.enclosure is not None}


def test_a_comparison_is_of_the_worst_combination_of_parts() -> None:
    """Each theorem's bound is that of the plain ledger of one combination, and of no other a larger one."""
    for document in (THREE, GRID, SAME):
        found = bounds_of(document, "1e-9")
        of_parts = []
        for chosen in product("abcdef", "12"):
            read = [each for each in document["events"] if "part" not in each or each["part"]["is"] in chosen]
            plain = [{key: value for key, value in each.items() if key != "part"} for each in read]
            of_parts += [bounds_of(ledger(*plain), "1e-9")] if plain else []
        assert len(found) >= 4
        for by, (upper, note) in found.items():
            assert upper == max(each[by][0] for each in of_parts), by
            assert "combinations of parts" in note
    for change in ({"neighbours": "replace-one"}, {"parameters": "chosen-adaptively"}):
        with pytest.raises(privref.OutOfScopeError, match="read parts"):
            bounds_of({**THREE, **change}, "1e-9")


def test_a_change_of_one_part_counts_only_where_it_is_the_worst() -> None:
    """What-if and diff agree with the audit: the largest of the best bounds, each by a theorem of its own."""
    mixed = ledger(
        {"label": "a", **event("0.3", "a")}, {"label": "b", **event("0.1", "b")}, {"label": "all", **event("0.05")}
    )  # fmt: skip
    record = privref.ledger_from_document(mixed)
    found = privref.what_if(record, "0", target="0.4", remove=["a"])
    assert found.before is not None
    assert found.after is not None
    assert (found.before.value, found.after.value) == ("7/20", "3/20")
    assert "zip a" in found.before.note
    assert any(each.premise and "ZIP code" in each.how for each in found.before.application.findings)
    assert audited(mixed, epsilon="0.35", delta="0").verdict == "confirmed"
    same = privref.what_if(record, "0", remove=["b"])
    assert same.before is not None
    assert same.after is not None
    assert same.before.value == same.after.value == "7/20"
    rho = {"guarantee": {"kind": "zcdp", "rho": "0.1"}}
    of_rho = ledger({**rho, "part": {"of": "zip", "is": "a"}}, {**rho, "part": {"of": "zip", "is": "b"}}, rho)
    left = privref.what_if(privref.ledger_from_document(of_rho), "1e-6", target="4").rho_left
    plain = privref.what_if(privref.ledger_from_document(ledger(rho, rho)), "1e-6", target="4").rho_left
    assert left == plain is not None
    other = privref.diff(record, privref.ledger_from_document({**mixed, "title": "x"}), "0")
    assert other.bounds is not None
    assert [item.value for item in other.bounds if item is not None] == ["7/20", "7/20"]


def test_sums_are_of_the_parts_that_decide() -> None:
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1", "delta": "0"}]})
    result = privref.audit(privref.ledger_from_document(THREE), claims)
    document = privref.report.audit_document(result)
    assert document["ledger"]["totals"] == {}
    (found,) = document["contributors"].values()
    assert (found["total"], [each["event"] for each in found["largest"]]) == ("7/20", [2, 4])


NUMBERS = st.fractions(min_value=0, max_value=3, max_denominator=30)


@given(
    st.one_of(
        st.builds(PureDP, NUMBERS),
        st.builds(ApproxDP, NUMBERS, st.fractions(0, Fraction(1, 3), max_denominator=10**6)),
        st.builds(ZCDP, NUMBERS),
        st.builds(GaussianDP, NUMBERS),
        st.builds(BoundedRange, NUMBERS),
        st.builds(lambda x, y: RenyiDP(((Fraction(2), x), (Fraction(16), y))), NUMBERS, NUMBERS),
        st.builds(lambda x, y: OutputDP((("a", x), ("b", y)), Fraction(0)), NUMBERS, NUMBERS),
    ),
    st.integers(2, 9),
)
def test_the_kernel_finds_the_same_guarantee_of_a_group(guarantee: Guarantee, k: int) -> None:
    """Of a delta no less than the lemma gives."""
    values = {name: getattr(guarantee, name) for name in ("epsilon", "delta", "rho", "mu") if hasattr(guarantee, name)}
    if isinstance(guarantee, RenyiDP | OutputDP):
        values |= {"orders": guarantee.orders} if isinstance(guarantee, RenyiDP) else {"cells": guarantee.cells}
    raw = kernel_record.Event(1, kernel_record.Guarantee(guarantee.kind, **values), None)
    ours = group_guarantee(guarantee, k)
    theirs = kernel_certificate.grouped(raw, k, k, 0)
    assert theirs.guarantee is not None
    if isinstance(guarantee, RenyiDP):
        assert theirs.guarantee.orders == (() if isinstance(ours, Unknown) else getattr(ours, "orders", None))
    elif isinstance(guarantee, ZCDP | GaussianDP):
        assert theirs.zcdp == zcdp_parameters(ours)
    elif values.get("delta"):
        assert isinstance(ours, ApproxDP)
        assert theirs.dp is not None
        exactly = {"eps": guarantee.epsilon, "delta": guarantee.delta, "k": k}  # type: ignore[union-attr]
        least = privref.evaluate("vadhan2017/lem2.2.delta", exactly).enclosure
        assert least is not None
        assert theirs.dp[0] == ours.epsilon
        assert theirs.dp[1] >= min(least.lower, Fraction(1))
    else:
        assert theirs.dp == dp_parameters(ours)


@pytest.mark.parametrize(("epsilon", "delta"), [("200000", "1e-9"), ("1e3900", "1e-3900"), ("9000", "1e-3900")])
def test_a_group_of_more_than_can_be_written_has_the_trivial_delta(epsilon: str, delta: str) -> None:
    """e^200000 is not written down: that delta is 1 at most proves a claim of 1 and no less, which is not false."""
    events = [{"guarantee": {"kind": "approx-dp", "epsilon": epsilon, "delta": delta}}]
    document = ledger(*events)
    both = str(2 * Fraction(epsilon))
    assert audited(document, epsilon=both, delta="1", units=2).verdict == "confirmed"
    for less in ("0.999999", "0"):
        opinion = audited(document, epsilon=both, delta=less, units=2)
        assert opinion.verdict == "unsupported"
        assert f"the deltas of the events sum to 1, more than the claimed {less}" in opinion.reason
    for k in (2, 5):
        ours = group_guarantee(ApproxDP(Fraction(epsilon), Fraction(delta)), k)
        assert ours == ApproxDP(k * Fraction(epsilon), Fraction(1))


def test_a_group_keeps_the_reason_why_an_event_can_not_be_accounted() -> None:
    found = group_guarantee(Unknown("sampling shuffled: no upper bound is registered"), 3)
    assert isinstance(found, Unknown)
    assert "sampling shuffled: no upper bound is registered" in found.description
    assert "group" in found.description


def test_two_ledgers_that_differ_in_their_structure_differ() -> None:
    """`privref diff`, the privacy notice and the HTML report know parts, periods and selection."""
    first = privref.ledger_from_document(THREE)
    for change in (
        {"partitions": {"zip": "the area code", "age": "the year of birth"}},
        {"period": "week"},
        {"events": [*THREE["events"][:3], event("0.05", "a")]},
        {"events": [*THREE["events"][:3], event("0.025", selected="above-threshold")]},
        {"attained_together": True},
    ):
        assert not privref.diff(first, privref.ledger_from_document({**THREE, **change})).same, change
    assert privref.diff(first, privref.ledger_from_document(copy.deepcopy(THREE))).same


def test_what_is_told_of_a_part_is_no_more_than_its_claim() -> None:
    """The curve of the part that decides is no guarantee of the others: the attack success is that of the claim."""
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "0.5", "delta": "1e-6"}]}
    )
    gaussian = {"kind": "gaussian", "sigma": "12", "sensitivity": "1"}
    parts = [{"mechanism": gaussian, "part": {"of": "zip", "is": "a"}}, event("0.3", "b")]
    made = privref.audit(privref.ledger_from_document(ledger(*parts)), claims)
    (told,) = notices(made)
    assert any("disjoint by a public key" in words for words in told.assumptions)
    assert told.attack == tuple(
        (rate, attack_success(Fraction(1, 2), Fraction(1, 10**6), rate)) for rate, _ in told.attack
    )


def sampled(sampling: str, base: Document, rate: str = "1/100", **more: Any) -> Document:
    return {"mechanism": {"kind": "subsampled", "rate": rate, "sampling": sampling, "base": base}, **more}


def test_steps_of_two_periods_are_no_epoch_of_one_shuffle() -> None:
    """Twice half an epoch: each day the record's batch may not come, and delta is at most 3/4."""
    half = sampled("shuffled", {"kind": "gaussian", "sigma": "1/20", "sensitivity": "1"}, count=50)
    assert audited(ledger(half), epsilon="1", delta="9/10", periods=2).verdict == "inapplicable"
    assert audited(ledger({**half, "count": 100}), epsilon="1", delta="9/10").verdict == "refuted"


@pytest.mark.parametrize(
    ("base", "claim", "verdict"),
    [
        ({"kind": "laplace", "scale": "1", "shifts": ["1/2", "1/2"]}, {"epsilon": "0.02", "delta": "0"}, "confirmed"),
        (
            {"kind": "discrete-gaussian", "sigma": "1", "shifts": ["1", "1"]},
            {"epsilon": "1", "delta": "1/100"},
            "unsupported",
        ),
    ],
)
def test_no_worst_case_of_a_base_is_held_against_its_sample(base: Document, claim: Document, verdict: str) -> None:
    """The claims are true: epsilon is log(1 + (e - 1)/100) = 0.0170..., and delta at most the rate."""
    assert audited(ledger(sampled("poisson", base)), **claim).verdict == verdict


def test_no_unit_is_said_to_lie_in_parts_of_two_partitions() -> None:
    """Were no one in age 1 and in ZIP b, epsilon would be 5/4."""
    parts = [("1", "1", "age"), ("1/4", "2", "age"), ("1/4", "a", "zip"), ("1", "b", "zip")]
    laplace = [
        {"mechanism": {"kind": "laplace", "scale": str(1 / Fraction(eps)), "sensitivity": "1"},
         "part": {"of": of, "is": part}} for eps, part, of in parts
    ]  # fmt: skip
    assert audited(ledger(*laplace, attained_together=True), epsilon="1.3", delta="0").verdict == "unsupported"
    assert audited(ledger(*laplace), epsilon="2", delta="0").verdict == "confirmed"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        # 4.89 by each event of noise 1 alone, 7.287 by both, and 7.81 with the one in a part of the other partition.
        ({"epsilon": "4.8", "delta": "1e-6"}, "refuted"),
        ({"epsilon": "7.28", "delta": "1e-6"}, "refuted"),
        ({"epsilon": "7.29", "delta": "1e-6"}, "unsupported"),
        ({"epsilon": "7.81", "delta": "1e-6"}, "confirmed"),
        ({"rho": "0.999"}, "refuted"),  # 1/2 and 1/2
        ({"rho": "1.001"}, "unsupported"),  # and 1/8
        ({"rho": "1.125"}, "confirmed"),
        ({"mu": "1.4"}, "refuted"),
    ],
)
def test_what_one_part_certainly_loses_refutes_a_claim(claim: Document, verdict: str) -> None:
    """Parts of two partitions: of one of them, with what reads all records, and of no unit in both."""

    def noise(sigma: str) -> Document:
        return {"mechanism": {"kind": "gaussian", "sigma": sigma, "sensitivity": "1"}}

    parts = [noise("1") | {"part": {"of": "zip", "is": "a"}}, noise("2") | {"part": {"of": "age", "is": "1"}}]
    document = ledger(*parts, noise("1"), attained_together=True)
    opinion = audited(document, **claim)
    assert opinion.verdict == verdict
    if verdict == "refuted":
        assert opinion.refutation is not None
        assert "the events that read all records or zip a" in opinion.refutation.witness.words
        assert opinion.bounds, "what is proved of the whole stays"
        made = certificates(privref.audit(privref.ledger_from_document(document), privref.claims_from_document(
            {"schema": "claims.1", "claims": [{"id": "c", **claim}]})))  # fmt: skip
        assert made["c"]["proofs"][0]["case"] == {"zip": "a"}


@pytest.mark.parametrize("on_a_sample", [False, True])
def test_answers_of_absent_units_are_a_premise_by_every_theorem(on_a_sample: bool) -> None:
    response: Document = {"kind": "randomized-response", "epsilon": "1"}
    if on_a_sample:
        response = {"kind": "subsampled", "rate": "1/2", "sampling": "poisson", "base": response}
    found = audited(ledger({"mechanism": response}), epsilon="1", delta="0")
    assert found.verdict == "confirmed"
    assert any("an absent one is drawn as that of a unit" in finding.how for finding in found.premises)
    compared, _, _ = privref.compare(privref.ledger_from_document(ledger({"mechanism": response})), "1e-6")
    assert all(
        any("an absent one is drawn as that of a unit" in each.how for each in item.application.findings)
        for item in compared
    )


def test_a_claim_of_a_group_has_no_advice_that_would_not_help() -> None:
    """The mechanisms of a group are not composed by their own laws: declaring them changes nothing."""
    one = ledger({"guarantee": {"kind": "pure-dp", "epsilon": "0.5"}})
    assert "Laplace" in audited(one, epsilon="0.4", delta="0.01").reason
    assert "Laplace" not in audited(one, epsilon="0.8", delta="0.01", neighbours="replace-one").reason


APPROXIMATE = {"guarantee": {"kind": "zcdp", "rho": "0.05", "delta": "1e-7"}, "count": 2}
RENYI = {"guarantee": {"kind": "rdp", "orders": {"8": "0.4"}, "delta": "1e-7"}}
#: Of one unit epsilon 3/2, and a delta that is 1 + e^1.5 times smaller.
OF_TWO = {"epsilon": "3", "units": 2}


@pytest.mark.parametrize(
    ("document", "claim", "verdict"),
    [
        (ledger(APPROXIMATE), {**OF_TWO, "delta": "0.05"}, "confirmed"),
        (ledger(APPROXIMATE), {"epsilon": "3", "delta": "0.05", **REPLACE}, "confirmed"),
        (ledger(APPROXIMATE), {**OF_TWO, "delta": "1e-3"}, "unsupported"),
        (ledger(APPROXIMATE, parameters="chosen-adaptively"), {**OF_TWO, "delta": "0.05"}, "conditional"),
        (ledger(APPROXIMATE), {"rho": "9", "delta": "1e-3", "units": 2}, "out-of-scope"),
        (ledger(RENYI), {"epsilon": "4", "delta": "1e-3", "units": 2}, "confirmed"),
        (ledger(RENYI, APPROXIMATE), {"epsilon": "9", "delta": "1e-3", "units": 2}, "confirmed"),
        (ledger(APPROXIMATE, RENYI, {"guarantee": {"kind": "unknown", "description": "x"}}),
         {**OF_TWO, "delta": "1e-3"}, "out-of-scope"),
    ],
)  # fmt: skip
def test_a_group_follows_from_what_the_whole_is_for_one_unit(document: Document, claim: Document, verdict: str) -> None:
    """Where no event's guarantee is known of a group, that of the whole for one unit still is."""
    opinion = audited(document, **claim)
    assert opinion.verdict == verdict, opinion.reason
    assert (opinion.of_unit is not None) == (verdict not in ("out-of-scope", "inapplicable"))


def test_the_delta_of_a_group_is_that_of_its_lemma_to_the_last_digit() -> None:
    """Of a budget that a filter enforced: (1, 1e-6) of one unit, and delta (1 + e) for two, rounded up or down."""
    budget = {"epsilon": "1", "delta": "1e-6", "filter": "rogers2016/thm3.3"}
    record = ledger(event("0.5", count=2), parameters="chosen-adaptively", budget=budget)
    for delta, verdict in (("3.7182818285e-6", "confirmed"), ("3.7182818284e-6", "inapplicable")):
        opinion = audited(record, epsilon="2", delta=delta, units=2)
        assert opinion.verdict == verdict, opinion.reason
    assert audited(record, epsilon="1.999", delta="1e-5", units=2).verdict == "inapplicable"


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made["proofs"][0].pop("of_unit"),
        lambda made: made["proofs"][0]["of_unit"].update(epsilon="2"),
        lambda made: made["proofs"][0]["of_unit"].update(delta="2e-2"),
        lambda made: made["proofs"][0]["of_unit"].update(delta="1e-9"),
        lambda made: made["claim"].update(units=3),
        lambda made: made["claim"].update(delta="0.04"),
        lambda made: made["claim"].pop("units"),
    ],
)
def test_a_certificate_of_a_group_names_what_one_unit_has(change: Any) -> None:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", **OF_TWO, "delta": "0.05"}]}
    )  # fmt: skip
    record = privref.ledger_from_document(ledger(APPROXIMATE))
    (made,) = certificates(privref.audit(record, claims)).values()
    assert privref.verify(made).outcome == "verified"
    change(made)
    assert privref.verify(made).outcome == "failed"


@pytest.mark.parametrize("apart", [2, 3])
def test_no_chain_of_data_loses_more_than_its_group(apart: int) -> None:
    """Exactly: bits that lean the more the more units there are, and that tell all with probability 1/100."""
    lean, tells = Fraction(3, 2), Fraction(1, 100)
    # log(3/2)^2/2 = 0.08219...
    record = ledger({"guarantee": {"kind": "zcdp", "rho": "0.0822", "delta": str(tells)}})

    def law(units: int) -> tuple[Fraction, Fraction]:
        return tuple((1 - tells) * w / (1 + lean**units) for w in (lean**units, Fraction(1)))  # type: ignore[return-value]

    confirmed = 0
    for epsilon, delta in product(("0.3", "0.9", "2", "4"), ("0.02", "0.05", "0.2", "0.6", "0.9")):
        opinion = audited(record, epsilon=epsilon, delta=delta, units=apart)
        # e^epsilon from below: what is lost is not above this.
        factor = sum((Fraction(epsilon) ** n / math.factorial(n) for n in range(60)), Fraction(0))
        pairs = ((law(apart), law(0)), (law(0), law(apart)))
        lost = max(tells + sum(max(p - factor * q, Fraction(0)) for p, q in zip(*pair, strict=True)) for pair in pairs)
        assert opinion.verdict != "confirmed" or lost <= Fraction(delta)
        confirmed += opinion.verdict == "confirmed"
    assert confirmed >= 3


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ({"epsilon": "300000", "delta": "0", "units": 2}, "confirmed"),
        ({"epsilon": "1000000", "delta": "1e-6", "units": 1000}, "confirmed"),
        ({"epsilon": "0.1", "delta": "0", "units": 2}, "unsupported"),
    ],
)
def test_a_group_s_own_proof_needs_no_claim_about_a_unit(claim: Document, verdict: str) -> None:
    """e^999000 is not written down: no delta of a unit is computed, and none is needed."""
    assert audited(PLAIN, **claim).verdict == verdict


def test_a_unit_s_claim_is_exact_at_delta_0_and_given_up_where_its_delta_can_not_be_written() -> None:
    def of_one(epsilon: str, delta: str, units: int) -> Any:
        claim = privref.ApproxDPClaim("c", Fraction(epsilon), Fraction(delta), units=units)
        return of_one_unit(privref.ledger_from_document(PLAIN), claim)

    exact = of_one("300000", "0", 2)
    assert (exact.epsilon, exact.delta, exact.units) == (150_000, 0, 1)
    assert of_one("1000000", "1e-6", 1000) is None
    assert of_one("1", "1e-6", 1) is None
    # What an enforced budget proves of a unit is exact at delta = 0, whatever epsilon is.
    budget = {"epsilon": "150000", "delta": "0", "filter": "rogers2016/thm3.3"}
    record = ledger(event("0.2"), parameters="chosen-adaptively", budget=budget)
    assert audited(record, epsilon="300000", delta="0", units=2).verdict == "confirmed"


def test_a_group_s_verdict_under_a_filter_says_what_the_unit_s_claim_came_to() -> None:
    staged = {"kind": "output-dp", "cells": {"1": "0.1", "2": "0.5"}, "delta": "0"}
    budget = {"epsilon": "1", "delta": "1e-6", "filter": "rswr2023/ex_post_filter"}
    record = ledger(
        {"guarantee": staged, "observed_cell": "1", "count": 2},
        parameters="chosen-adaptively",
        budget=budget,
        tuning={"rswr2023/ex_post_filter": {"order": "40"}},
    )
    for delta, verdict in (("3.7182818285e-6", "confirmed"), ("3.7182818284e-6", "inapplicable")):
        opinion = audited(record, epsilon="2", delta=delta, units=2)
        assert opinion.verdict == verdict, opinion.reason
    assert opinion.reason.startswith("of one unit, (1, 9.99999e-7)-DP, by vadhan2017/lem2.2: ")
    assert "the declared budget is larger than the claim" in opinion.reason
    periods = audited(record, epsilon="2", delta="1e-6", periods=2)
    assert (periods.verdict, "parts, periods" in periods.reason) == ("inapplicable", True)


def test_a_group_s_delta_of_rounds_without_epsilon_is_exact() -> None:
    """It may be a decimal of few digits, which an enclosure of it never decides to round up."""
    none = {"guarantee": {"kind": "approx-dp", "epsilon": "0", "delta": "1e-5"}}
    assert audited(ledger(none), epsilon="1", delta="5e-5", units=5).verdict == "confirmed"
    assert audited(ledger(none), epsilon="1", delta="4e-5", units=5).verdict == "unsupported"


@pytest.mark.parametrize(
    "wrong",
    [
        {"events": [event("0.1", "a", "sex")]},
        {"events": [event("0.1", observed_cell="a")]},
        {"partitions": {"age": "the year of birth"}},
    ],
    ids=str,
)
def test_the_kernel_refuses_a_ledger_that_the_audit_does_not_read(wrong: Document) -> None:
    document = ledger(event("0.1", "a"))
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1", "delta": "0"}]})
    (made,) = certificates(privref.audit(privref.ledger_from_document(document), claims)).values()
    other = {**document, **wrong}
    made = copy.deepcopy(made)
    made["ledger"] |= {"document": other, "sha256": documents.digest(other)}
    with pytest.raises(privref.InputError):
        privref.ledger_from_document(other)
    with pytest.raises(privref.InputError, match=r"part\.of|observed_cell"):
        privref.verify(made)


LEAKY = {"mechanism": {"kind": "four-outcome-randomized-response", "epsilon": "0.7", "delta": "1e-3"}}
ENFORCED = {"epsilon": "0.5", "delta": "1e-6", "filter": "rogers2016/thm3.3"}


@pytest.mark.parametrize(
    ("document", "claims"),
    [
        (ledger({**LEAKY, "part": {"of": "zip", "is": "a"}}), [("2", "0.01"), ("5", "0.01"), ("50", "0.01")]),
        (ledger(APPROXIMATE), [("3", "0.05"), ("1000", "0.05"), ("1e7", "0.05")]),
        (ledger(event("0.2"), parameters="chosen-adaptively", budget=ENFORCED), [("1", "3e-6"), ("20", "3e-6")]),
    ],
    ids=("parts", "no event by itself", "filter"),
)
def test_a_larger_epsilon_of_a_group_is_proved_by_what_proves_a_smaller_one(
    document: Document, claims: list[tuple[str, str]]
) -> None:
    """The larger the epsilon, the smaller one unit's delta: less than half of epsilon may prove what half does not."""
    for epsilon, delta in claims:
        opinion = audited(document, epsilon=epsilon, delta=delta, units=2)
        assert opinion.verdict == "confirmed", (epsilon, opinion.reason)
        assert opinion.of_unit is not None
        assert 2 * opinion.of_unit.epsilon <= Fraction(epsilon)


@pytest.mark.parametrize(
    ("mechanism", "guarantee", "words"),
    [
        ({"kind": "subsampled", "base": {"kind": "laplace", "scale": "1", "sensitivity": "1"}, "rate": "1/10",
          "sampling": "poisson"}, None, "sampling poisson"),
        ({"kind": "subsampled", "base": {"kind": "laplace", "scale": "1", "sensitivity": "1"}, "rate": "1/10",
          "sampling": "fixed-size"}, {"kind": "pure-dp", "epsilon": "0.2"}, "taken at its word"),
        ({"kind": "randomized-response", "epsilon": "0.1"}, None, "an absent one is drawn as that of a unit"),
    ],
    ids=("drawn", "at its word", "absent"),
)  # fmt: skip
def test_what_a_trial_rests_on_is_a_premise_of_what_was_selected(
    mechanism: Document, guarantee: Document | None, words: str
) -> None:
    trial = {"mechanism": mechanism, "selected": "above-threshold"} | ({"guarantee": guarantee} if guarantee else {})
    found = audited(ledger(trial), epsilon="1", delta="0")
    assert found.verdict == "confirmed"
    assert any(words in finding.how for finding in found.premises)


def test_ledgers_that_differ_in_a_trial_s_mechanism_differ() -> None:
    base = {"kind": "laplace", "scale": "1", "sensitivity": "1"}
    said = {"guarantee": {"kind": "pure-dp", "epsilon": "0.2"}, "selected": "above-threshold"}
    one, other = (
        privref.ledger_from_document(ledger(sampled("fixed-size", base, rate, **said))) for rate in ("1/10", "1/5")
    )
    assert not privref.diff(one, other).same


def test_a_largest_epsilon_of_one_unit_that_is_too_dear_leaves_smaller_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a delta like 1e-325 the optimum of bounded ranges takes more work than one question may."""
    module = importlib.import_module("privref.audit.run")
    audit_whole = module._audit_whole

    def dear(facts: Any, claim: Any, unit: Any, report: Any) -> privref.Opinion:
        if unit.epsilon == 500:
            raise UndecidedError("it takes more work than that")
        return audit_whole(facts, claim, unit, report)  # type: ignore[no-any-return]

    monkeypatch.setattr(module, "_audit_whole", dear)
    assert audited(ledger(APPROXIMATE), epsilon="1000", delta="0.05", units=2).verdict == "confirmed"
    assert audited(ledger(APPROXIMATE), epsilon="1000", delta="1e-9", units=2).verdict == "undecided"


@pytest.mark.parametrize(("interaction", "said"), [("sequential", True), ("concurrent", False)])
def test_that_periods_follow_one_another_is_a_premise(interaction: str, said: bool) -> None:
    """A ledger declares it of the events of one period only."""
    found = audited(ledger(event("1"), period="day", interaction=interaction), epsilon="2", delta="0", periods=2)
    assert found.verdict == "confirmed"
    assert any("none of one day's runs while one of another's does" in each.how for each in found.premises) is said
