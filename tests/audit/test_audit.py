"""Verdicts: each is earned by a bound on the right side, and certificates are re-checked independently."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.audit import summary
from privref.report.text import inapplicable_lines


def claims(*given_claims: dict[str, str]) -> tuple[privref.Claim, ...]:
    listed = [{"id": f"c{i}", **claim} for i, claim in enumerate(given_claims)]
    return privref.claims_from_document({"schema": "claims.1", "claims": listed})


def ledger(*events: dict[str, Any], parameters: str = "fixed-in-advance", **more: Any) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": parameters, "interaction": "sequential", "events": list(events), **more,
        }
    )  # fmt: skip


def pure(epsilon: str, count: int = 1) -> dict[str, Any]:
    return {"count": count, "guarantee": {"kind": "pure-dp", "epsilon": epsilon}}


def approx(epsilon: str, delta: str, count: int = 1) -> dict[str, Any]:
    return {"count": count, "guarantee": {"kind": "approx-dp", "epsilon": epsilon, "delta": delta}}


def zcdp(rho: str) -> dict[str, Any]:
    return {"guarantee": {"kind": "zcdp", "rho": rho}}


def verdicts(record: privref.Ledger, *given_claims: dict[str, str]) -> list[str]:
    return [opinion.verdict for opinion in privref.audit(record, claims(*given_claims)).opinions]


DECLARED = privref.ledger_from_document(privref.example_document("census2020", "ledger"))
#: The same with guarantees alone.
CENSUS = privref.ledger_from_document(
    {
        **privref.example_document("census2020", "ledger"),
        "events": [
            {key: value for key, value in event.items() if key != "mechanism"}
            for event in privref.example_document("census2020", "ledger")["events"]
        ],
    }
)


def test_the_census_release() -> None:
    audit = privref.audit(
        CENSUS,
        claims(
            {"epsilon": "17.14", "delta": "1e-10"},
            {"epsilon": "17.15", "delta": "1e-10"},
            {"epsilon": "17.90", "delta": "1e-10", "by": "whitehouse2023/lem1"},
            {"epsilon": "17.91", "delta": "1e-10", "by": "whitehouse2023/lem1.zcdp2dp.eps"},
            {"rho": "293764/114921"},
            {"rho": "2.5562"},
            {"epsilon": "16", "delta": "1e-10"},
        ),
    )
    found = [opinion.verdict for opinion in audit.opinions]
    assert found == ["unsupported", "confirmed", "unsupported", "confirmed", "confirmed", "underivable", "underivable"]
    assert audit.exit_code == 1
    published = audit.opinions[0]
    finite = [bound for bound in published.bounds if bound.enclosure is not None]
    assert [bound.application.by for bound in finite] == ["cks2020/zcdp2dp", "whitehouse2023/lem1"]
    tight, lemma = (bound.enclosure for bound in finite)
    assert tight is not None
    assert lemma is not None
    assert Fraction("17.14355") < tight.lower < tight.upper < Fraction("17.14356")
    assert Fraction("17.9001") < lemma.lower < lemma.upper < Fraction("17.9002")
    for words in ("rounded down", "17.15", "1.011e-10", "does not show it false"):
        assert words in published.reason


def test_a_single_event_of_the_census_total_is_refuted_by_two_points() -> None:
    one = ledger(zcdp("293764/114921"))
    opinion = privref.audit(one, claims({"epsilon": "17.14", "delta": "1e-10"})).opinions[0]
    assert opinion.verdict == "underivable"
    assert opinion.refutation is not None
    assert opinion.refutation.enclosure.lower > Fraction(1, 10**10)
    assert "two outcomes" in opinion.reason


def enforced(filter: str, epsilon: str, delta: str = "0", **more: str) -> dict[str, Any]:
    return {"budget": {"epsilon": epsilon, "delta": delta, "filter": filter, **more}}


@pytest.mark.parametrize("adaptive", [False, True])
def test_seventeen_rounds_at_a_tenth(adaptive: bool) -> None:
    event = {**pure("0.1", 17), "mechanism": {"kind": "randomized-response"}}
    how = {"parameters": "chosen-adaptively", **enforced("rogers2016/thm3.3", "1.7")} if adaptive else {}
    record = ledger(event, **how)
    audit = privref.audit(record, claims({"epsilon": "1.699", "delta": "1e-9"}, {"epsilon": "1.7", "delta": "0"}))
    # A filter of a larger budget than the claim is not the one that was in force, and so decides nothing about it.
    below = "inapplicable" if adaptive else "refuted"
    assert [opinion.verdict for opinion in audit.opinions] == [below, "confirmed"]
    assert adaptive or "the declared mechanisms (randomized-response; 17 round(s)" in audit.opinions[0].reason


def test_adaptive_parameters_leave_only_the_theorems_that_allow_them() -> None:
    fixed_only = {"rogers2016/thm2.9", "rogers2016/thm2.10", "whitehouse2023/eq2", "kov2015/optimal", "mv2016/optimal"}
    claim = {"epsilon": "1.69995", "delta": "1e-9"}
    fixed = privref.audit(ledger(pure("0.1", 17)), claims(claim)).opinions[0]
    adaptive = privref.audit(ledger(pure("0.1", 17), parameters="chosen-adaptively"), claims(claim)).opinions[0]
    assert (fixed.verdict, adaptive.verdict) == ("confirmed", "unsupported")
    assert fixed_only <= {bound.application.by for bound in fixed.bounds}
    assert not fixed_only & {bound.application.by for bound in adaptive.bounds}
    assert fixed_only <= {application.by for application in adaptive.inapplicable}
    named = privref.audit(
        ledger(pure("0.1", 17), parameters="chosen-adaptively"), claims({**claim, "by": "kov2015/optimal"})
    ).opinions[0]
    assert named.verdict == "inapplicable"
    assert "fixed in advance" in named.reason


def test_the_census_claims_on_an_adaptive_ledger() -> None:
    document = {**privref.example_document("census2020", "ledger"), "parameters": "chosen-adaptively"}
    record = privref.ledger_from_document(document)
    audit = privref.audit(
        record, claims({"epsilon": "17.14", "delta": "1e-10"}, {"epsilon": "17.15", "delta": "1e-10"})
    )
    assert [opinion.verdict for opinion in audit.opinions] == ["unsupported", "conditional"]
    # Half of delta does not give 17.15, all of it does: no event has a delta, as is known after the run.
    named = {"epsilon": "17.15", "delta": "1e-10", "delta_prime": "1e-10", "filter": "cks2020/zcdp2dp"}
    assert audit.opinions[1].declare is not None
    assert audit.opinions[1].declare.document == named
    assert audit.exit_code == 1
    document["budget"] = named
    (opinion,) = privref.audit(
        privref.ledger_from_document(document), claims({"epsilon": "17.15", "delta": "1e-10"})
    ).opinions
    assert opinion.verdict == "confirmed"
    assert ["cks2020/zcdp2dp) with the budget" in finding.how for finding in opinion.premises] == [True]


def test_a_declared_budget_above_an_adaptive_claim_is_not_that_claim() -> None:
    record = ledger(pure("0.1", 5), parameters="chosen-adaptively", **enforced("rogers2016/thm3.3", "2"))
    one, two = {"epsilon": "1", "delta": "0"}, {"epsilon": "2", "delta": "0"}
    assert verdicts(record, one, two) == ["inapplicable", "confirmed"]
    unnamed = ledger(pure("0.1", 5), parameters="chosen-adaptively", budget=two)
    assert verdicts(unnamed, one, two) == ["inapplicable", "conditional"]


def test_exact_exhaustion_is_confirmed_and_a_hair_more_is_not() -> None:
    assert verdicts(ledger(pure("0.1", 10)), {"epsilon": "1", "delta": "0"}) == ["confirmed"]
    assert verdicts(ledger(pure("0.1", 10), pure("1e-300")), {"epsilon": "1", "delta": "0"}) == ["underivable"]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ({"epsilon": "2", "delta": "1e-6", "by": "rogers2016/thm9.9"}, "out-of-scope"),
        ({"epsilon": "2", "delta": "1e-6", "by": "whitehouse2023/thm2.arxiv.printed"}, "out-of-scope"),
        ({"epsilon": "2", "delta": "1e-6", "by": "rogers2016/def2.6.p_top"}, "out-of-scope"),
        ({"rho": "1", "by": "rogers2016/thm2.9"}, "out-of-scope"),
        ({"epsilon": "1.2", "delta": "1e-6", "by": "rogers2016/thm2.10"}, "unsupported"),
        ({"epsilon": "3", "delta": "1e-6", "by": "rogers2016/thm2.10"}, "confirmed"),
    ],
)
def test_a_claim_by_a_named_theorem_is_about_that_theorem(claim: dict[str, str], verdict: str) -> None:
    assert verdicts(ledger(pure("0.1", 12)), claim) == [verdict]


def test_unknown_events_and_unmet_hypotheses_are_never_a_pass() -> None:
    unknown = {"guarantee": {"kind": "unknown", "description": "a PATE run"}}
    audit = privref.audit(ledger(pure("0.1"), unknown), claims({"epsilon": "100", "delta": "0.5"}))
    assert audit.opinions[0].verdict == "out-of-scope"
    assert audit.exit_code == 4
    mixed = ledger(zcdp("1"), rdp({"2": "1"}), parameters="chosen-adaptively")
    assert verdicts(mixed, {"epsilon": "100", "delta": "0.5"}) == ["inapplicable"]
    with pytest.raises(privref.InputError):
        privref.claims_from_document({"schema": "claims.1", "claims": []})


def rdp(orders: dict[str, str], **more: str) -> dict[str, Any]:
    return {"guarantee": {"kind": "rdp", "orders": orders, **more}}


def test_renyi_events_compose_by_order_and_convert_at_the_best() -> None:
    record = ledger(rdp({"2": "0.2", "8": "0.8"}), rdp({"2": "0.2", "10": "1"}), zcdp("0.1"))
    claim = {"epsilon": "5", "delta": "1e-6"}
    opinion = privref.audit(record, claims(claim)).opinions[0]
    assert opinion.verdict == "confirmed"
    assert opinion.deciding is not None
    # At order 8: 0.8 + 1 (declared at 10, which is above) + 0.8.
    assert opinion.deciding.application.inputs["order"] == 8
    assert opinion.deciding.application.inputs["eps_order"] == Fraction("2.6")
    assert privref.verify(certificate(claim, record)).outcome == "verified"
    adaptive = ledger(rdp({"8": "0.8"}), parameters="chosen-adaptively")
    assert verdicts(adaptive, {"epsilon": "50", "delta": "1e-6"}) == ["inapplicable"]
    assert verdicts(ledger(rdp({"8": "0.8"}, delta="1e-6")), {"epsilon": "50", "delta": "1e-6"}) == ["unsupported"]


def test_remaining_budgets_and_odometer_readings_are_decided_by_replay() -> None:
    sparse = {
        "guarantee": {"kind": "output-dp", "cells": {"0": "0.1", "1": "0.5"}, "delta": "0"},
        "observed_cell": "0",
    }  # fmt: skip
    record = ledger(sparse, pure("0.4"), parameters="chosen-adaptively", **enforced("hartmann2022/alg1", "1"))

    def left(epsilon: str, delta: str = "0") -> dict[str, Any]:
        return {"epsilon": "1", "delta": "0", "remaining": {"epsilon": epsilon, "delta": delta}}

    assert verdicts(record, left("0.5"), left("0.501"), left("0.5", "0.1")) == [
        "confirmed",
        "unsupported",
        "unsupported",
    ]
    mixture = {"whitehouse2023/thm3.mixture": {"gamma": "1/10", "delta_prime": "1e-6"}}
    tuned = ledger(pure("0.1", 10), parameters="chosen-adaptively", tuning=mixture)
    # V = 0.1 after ten rounds: the sample of the mixture odometer at these values reads 2.43009...
    readings = [
        {"after_event": 1, "by": "whitehouse2023/thm3.mixture", "reading": reading, "delta": "1e-6"}
        for reading in ("2.4301", "2.43")
    ]
    assert verdicts(tuned, *readings) == ["confirmed", "unsupported"]  # type: ignore[arg-type]
    untuned = ledger(pure("0.1", 10), parameters="chosen-adaptively")
    assert verdicts(untuned, readings[0]) == ["inapplicable"]  # type: ignore[arg-type]
    leaky = ledger(approx("0.1", "1e-9", 10), parameters="chosen-adaptively", tuning=mixture)
    assert verdicts(leaky, readings[0]) == ["inapplicable"]  # type: ignore[arg-type]
    # Of concurrent mechanisms too; but nothing is proved of the basic odometer's losses there.
    several = ledger(pure("0.1", 10), parameters="chosen-adaptively", tuning=mixture, interaction="concurrent")
    basic = {"after_event": 1, "by": "rogers2016/thm3.3", "reading": "1", "delta": "1e-6"}
    assert verdicts(several, *readings, basic) == ["confirmed", "unsupported", "inapplicable"]  # type: ignore[arg-type]


def test_a_ledger_in_which_nothing_ran_costs_nothing() -> None:
    nothing = {**pure("3"), "decision": "reject"}
    claimed = {"epsilon": "0", "delta": "0"}, {"rho": "0"}
    assert verdicts(ledger(nothing), *claimed) == ["conditional", "conditional"]
    assert verdicts(ledger(nothing, **enforced("rogers2016/thm3.3", "0")), claimed[0]) == ["confirmed"]
    assert verdicts(ledger(nothing, budget={"rho": "0", "filter": "whitehouse2023/thm1"}), claimed[1]) == ["confirmed"]


def test_astronomical_counts_are_decided_without_counting_them() -> None:
    record = ledger(pure("0.1", 10**15), parameters="chosen-adaptively")
    assert verdicts(record, {"epsilon": "1", "delta": "1e-9"}) == ["underivable"]
    assert verdicts(record, {"epsilon": str(10**14), "delta": "0"}) == ["conditional"]
    left = {"epsilon": "1", "delta": "0", "remaining": {"epsilon": "0", "delta": "0"}}
    assert verdicts(record, left) == ["undecided"]  # type: ignore[arg-type]


def test_a_named_theorem_decides_though_another_stays_open() -> None:
    # The loss grid knows the optimum of these to a stated width only; the claim lies within.
    record = ledger(*(pure(f"{997 + 13 * i}/{99991 + 2 * i}", 1 + i % 3) for i in range(16)))
    (optimum,) = (b for b in privref.compare(record, Fraction(1, 10**6))[0] if b.application.by == "mv2016/optimal")
    assert optimum.enclosure is not None
    assert optimum.enclosure.width > 0
    inside = str((optimum.enclosure.lower + optimum.enclosure.upper) / 2)
    claim = {"epsilon": inside, "delta": "1e-6"}
    assert verdicts(record, {**claim, "by": "mv2016/optimal"}, {**claim, "by": "rogers2016/thm2.9"}) == [
        "undecided",
        "unsupported",
    ]


def test_a_delta_that_the_events_overspend_is_refuted() -> None:
    assert verdicts(ledger(approx("0.1", "1e-5", 3)), {"epsilon": "1000", "delta": "2e-5"}) == ["underivable"]


def cells(observed: str, **costs: str) -> dict[str, Any]:
    return {"guarantee": {"kind": "output-dp", "cells": costs, "delta": "0"}, "observed_cell": observed}


def test_algorithm_1_needs_a_budget_that_was_in_force() -> None:
    events = (cells("b", a="2", b="1/4"), cells("a", a="2", b="1/4"))
    claim = {"epsilon": "9/4", "delta": "0"}
    # Fixed and without a budget, both events ran whatever the cells were: two randomized responses of 2 are allowed.
    assert verdicts(ledger(*events), claim) == ["underivable"]
    budget = enforced("hartmann2022/alg1", "9/4")["budget"]
    assert verdicts(ledger(*events, budget=budget), claim) == ["confirmed"]
    assert verdicts(ledger(*events, parameters="chosen-adaptively"), claim) == ["conditional"]
    unnamed = ledger(*events, budget={"epsilon": "9/4", "delta": "0"})
    assert verdicts(unnamed, claim, {**claim, "epsilon": "4"}) == ["conditional", "conditional"]
    # (9/4, 0)-DP implies this claim, so that it is not refuted by combining the dearest cells.
    implied = {"epsilon": "2.2", "delta": "0.05"}
    assert verdicts(ledger(*events, budget=budget), implied) != ["underivable"]
    left = {"epsilon": "9/4", "delta": "0", "remaining": {"epsilon": "0", "delta": "0"}}
    assert verdicts(ledger(*events), left) == ["inapplicable"]  # type: ignore[arg-type]
    assert verdicts(ledger(*events, budget=budget), left) == ["confirmed"]  # type: ignore[arg-type]
    assert verdicts(ledger(*events, budget={"epsilon": "3", "delta": "0"}), left) == ["inapplicable"]  # type: ignore[arg-type]


def test_a_refusal_may_hang_on_answers_so_nothing_was_fixed() -> None:
    rejected = {**pure("10"), "decision": "reject"}
    record = ledger(cells("a", a="0.1", b="0"), rejected, pure("0.1", 99), budget={"epsilon": "10", "delta": "0"})
    opinion = privref.audit(record, claims({"epsilon": "7", "delta": "1e-6"})).opinions[0]
    assert opinion.verdict == "inapplicable"
    opinion = privref.audit(record, claims({"epsilon": "10", "delta": "1e-6", "by": "mv2016/optimal"})).opinions[0]
    assert opinion.verdict == "inapplicable"


@pytest.mark.parametrize("large", [{"epsilon": "10", "delta": "0"}, {"epsilon": "9/4", "delta": "1e-9"}])
def test_algorithm_1_under_a_larger_budget_than_the_claim_proves_nothing(large: dict[str, str]) -> None:
    """A budget of 10 allows both dearest cells, which lose 4: the cells that were observed prove no (9/4, 0)-DP."""
    record = ledger(cells("b", a="2", b="1/4"), cells("a", a="2", b="1/4"), budget=large)
    claim = {"epsilon": "9/4", "delta": "0"}
    assert verdicts(record, claim, {**claim, "by": "hartmann2022/alg1"}) == ["inapplicable", "inapplicable"]


def test_a_declared_budget_that_was_exceeded_was_not_enforced() -> None:
    record = ledger(pure("0.5", 3), parameters="chosen-adaptively", budget={"epsilon": "1", "delta": "0"})
    assert verdicts(record, {"epsilon": "1.5", "delta": "0"}) == ["inapplicable"]


def test_odometer_readings_speak_of_entries_and_of_their_own_tuning() -> None:
    record = ledger(pure("0.1", 17), parameters="chosen-adaptively")

    def reading(value: str, after: int = 1, by: str = "rogers2016/thm3.3") -> Any:
        return {"after_event": after, "by": by, "reading": value, "delta": "1e-6"}

    assert verdicts(record, reading("0.1"), reading("1.7"), reading("2", 2)) == [
        "unsupported",
        "confirmed",
        "unsupported",
    ]
    assert verdicts(record, reading("9", by="ours"), reading("9", by="kov2015/optimal")) == ["out-of-scope"] * 2
    tuning = {"whitehouse2023/thm3.filter": {"y_star": "1", "delta_prime": "1e-6"}}
    tuned = ledger(pure("0.1", 17), parameters="chosen-adaptively", tuning=tuning)
    assert verdicts(tuned, reading("0", 0, "whitehouse2023/thm3.filter")) == ["unsupported"]
    other = ledger(
        pure("0.1"),
        parameters="chosen-adaptively",
        tuning={"whitehouse2023/thm2": tuning["whitehouse2023/thm3.filter"]},
    )
    assert verdicts(other, reading("9", 1, "whitehouse2023/thm3.filter")) == ["inapplicable"]


@pytest.mark.parametrize(
    ("by", "tuned", "failure", "tuning"),
    [
        ("rogers2016/thm3.3", {}, "absolute value of the loss exceeds", "delta = 1e-6 was fixed"),
        (
            "whitehouse2023/thm3.filter", {"y_star": "1", "delta_prime": "1e-6"},
            "the loss exceeds the reading at some time (Whitehouse et al. 2023, Definition 6)", "y_star = 1",
        ),
    ],
)  # fmt: skip
def test_a_confirmed_reading_says_which_loss_it_bounds(
    by: str, tuned: dict[str, str], failure: str, tuning: str
) -> None:
    record = ledger(pure("0.1", 17), parameters="chosen-adaptively", tuning={by: tuned} if tuned else {})
    claim: Any = {"after_event": 1, "by": by, "reading": "9", "delta": "1e-6"}
    audit = privref.audit(record, claims(claim))
    (opinion,) = audit.opinions
    assert opinion.verdict == "confirmed"
    first, second = (finding.how for finding in opinion.premises)
    assert failure in first
    assert tuning in second
    assert all(finding.premise for finding in opinion.premises)
    assert first in json.dumps(privref.report.audit_document(audit))


def test_output_dp_is_charged_by_the_observed_cell() -> None:
    sparse = {
        "guarantee": {"kind": "output-dp", "cells": {"0": "0.1", "1": "0.5"}, "delta": "0"},
        "observed_cell": "0",
    }  # fmt: skip
    record = ledger(sparse, pure("0.4"), parameters="chosen-adaptively")
    assert verdicts(record, {"epsilon": "0.5", "delta": "0"}) == ["conditional"]
    # 0.45 is below what the dearest cell of the first event alone may lose.
    assert verdicts(record, {"epsilon": "0.45", "delta": "0"}) == ["underivable"]
    # No worst case combines the dearest cell with what ran only because a cheaper one was observed.
    alone = privref.evaluate("kov2015/optimal.delta", {"eps": "0.5", "k": 1, "eps_g": "0.45"}).enclosure
    assert alone is not None
    above = str(alone.upper + Fraction(1, 1000))
    assert verdicts(record, {"epsilon": "0.45", "delta": above}) != ["underivable"]


EVENTS = st.lists(
    st.one_of(
        st.builds(pure, st.sampled_from(["0.1", "1/3", "0.05", "1"]), st.integers(1, 6)),
        st.builds(approx, st.sampled_from(["0.1", "0.5"]), st.sampled_from(["1e-7", "1e-3"]), st.integers(1, 4)),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25)
@given(
    EVENTS,
    st.sampled_from([None, "rogers2016/thm3.3", "whitehouse2023/thm2", "cks2020/zcdp2dp"]),
    st.integers(1, 80),
    st.sampled_from(["0", "1e-9", "1e-2"]),
)
def test_verdicts_are_monotone_and_their_certificates_verify(
    events: list[dict[str, Any]], filter: str | None, tenths: int, delta: str
) -> None:
    how = {} if filter is None else {"parameters": "chosen-adaptively", **enforced(filter, f"{tenths}/20", delta)}
    record = ledger(*events, **how)
    lower = {"epsilon": f"{tenths}/20", "delta": delta}
    higher = {"epsilon": f"{tenths + 1}/20", "delta": delta}
    audit = privref.audit(record, claims(lower, higher))
    order = ["underivable", "unsupported", "confirmed"]
    first, second = (opinion.verdict for opinion in audit.opinions)
    if first in order and second in order:
        assert order.index(first) <= order.index(second)
    for document in privref.certificates(audit).values():
        reread = json.loads(json.dumps(document))
        verification = privref.verify(reread)
        assert verification.outcome == "verified", verification
        assert verification.ledger_checked


def certificate(claim: dict[str, str], record: privref.Ledger = CENSUS) -> dict[str, Any]:
    (document,) = privref.certificates(privref.audit(record, claims(claim))).values()
    return copy.deepcopy(document)


@pytest.mark.parametrize(
    "tamper",
    [
        lambda c: c["claim"].update(epsilon="17.14"),
        lambda c: c["proofs"][0]["witness"].update(order="2"),
        lambda c: c["proofs"][0].update(by="whitehouse2023/lem1"),
        lambda c: c["ledger"].update(sha256="0" * 64),
        lambda c: c["ledger"]["document"]["events"].pop(),
        lambda c: c["ledger"]["document"].update(title="other"),
    ],
    ids=range(6),
)
def test_a_tampered_certificate_fails(tamper: Any) -> None:
    document = certificate({"epsilon": "17.15", "delta": "1e-10"})
    assert privref.verify(document).outcome == "verified"
    assert forged(document, tamper) in ("failed", "refused")


def forged(base: dict[str, Any], tamper: Any, *, redigest: bool = False) -> str:
    from privref.ledger.documents import digest

    document = copy.deepcopy(base)
    tamper(document)
    if redigest:
        document["ledger"]["sha256"] = digest(document["ledger"]["document"])
    try:
        return privref.verify(document).outcome
    except privref.InputError:
        return "refused"


def test_forged_certificates_do_not_verify() -> None:
    basic = certificate({"epsilon": "10", "delta": "0"}, ledger(pure("1", 10)))
    by_basic = certificate({"epsilon": "10", "delta": "0", "by": "rogers2016/thm2.9"}, ledger(pure("1", 10)))
    single = certificate({"rho": "1"}, ledger(zcdp("1")))
    lower = certificate({"epsilon": "0", "delta": "1e-6"}, ledger(zcdp("0.1")))
    lower_rho = certificate({"rho": "1/2"}, ledger(zcdp("1")))
    mixed = certificate({"epsilon": "1", "delta": "1"}, ledger(approx("1/2", "1/2"), approx("1/2", "1/2")))
    assert all(privref.verify(base).outcome == "verified" for base in (basic, single, lower, lower_rho, mixed))

    def as_eq2(document: dict[str, Any]) -> None:
        document["claim"]["by"] = document["proofs"][0]["by"] = "whitehouse2023/eq2"

    forgeries = [
        forged(single, lambda c: c.update(claim={"id": "x", "epsilon": "1", "delta": "0"})),
        forged(lower, lambda c: c.update(claim={"id": "x", "rho": "1/10"})),
        forged(lower_rho, lambda c: c["claim"].update(delta="1")),
        forged(by_basic, as_eq2),
        forged(basic, lambda c: c["claim"].update(remaining={"epsilon": "1", "delta": "0"})),
        forged(basic, lambda c: c.update(verdict="refuted")),
        forged(lower, lambda c: c.update(verdict="confirmed")),
        forged(basic, lambda c: c["proofs"].append(c["proofs"][0])),
        forged(
            mixed,
            lambda c: c["ledger"]["document"]["events"][1]["guarantee"].update(delta="-1/2"),
            redigest=True,
        ),
    ]  # fmt: skip
    assert set(forgeries) <= {"failed", "refused"}, forgeries


def test_a_split_chosen_in_hindsight_does_not_verify() -> None:
    named = enforced("whitehouse2023/thm2", "1.76", "1e-6")
    record = ledger(approx("0.1", "1e-8", 10), parameters="chosen-adaptively", **named)
    base = certificate({"epsilon": "1.76", "delta": "1e-6", "by": "whitehouse2023/thm2"}, record)
    assert (base["verdict"], privref.verify(base).outcome) == ("confirmed", "verified")
    assert forged(base, lambda c: c["proofs"][0]["witness"].update(delta_prime="9e-7")) == "refused"


def test_a_fixed_parameter_theorem_does_not_verify_on_an_adaptive_ledger() -> None:
    document = certificate({"epsilon": "1.69995", "delta": "1e-9"}, ledger(pure("0.1", 17)))
    changed = {**document["ledger"]["document"], "parameters": "chosen-adaptively"}
    from privref.ledger.documents import digest

    document["ledger"] |= {"document": changed, "sha256": digest(changed)}
    assert privref.verify(document).outcome == "failed"


def test_a_lower_bound_that_rests_on_other_events_fails() -> None:
    document = certificate({"epsilon": "1.699", "delta": "1e-9"}, ledger(pure("0.1", 17)))
    assert privref.verify(document).outcome == "verified"
    shorter = {**document["ledger"]["document"], "events": [pure("0.1", 16)]}
    assert forged(document, lambda c: c["ledger"].update(document=shorter), redigest=True) == "failed"
    assert forged(document, lambda c: c["proofs"][0]["witness"].update(events=[0, 0])) == "refused"


def test_without_the_ledger_the_check_says_so(tmp_path: Any) -> None:
    document = certificate({"epsilon": "17.15", "delta": "1e-10"})
    embedded = document["ledger"].pop("document")
    unlinked = privref.verify(document)
    assert (unlinked.outcome, unlinked.ledger_checked, unlinked.exit_code) == ("unlinked", False, 4)
    document["ledger"]["sha256"] = "0" * 64
    assert privref.verify(document).outcome == "unlinked"
    document["ledger"]["sha256"] = privref.ledger_from_document(embedded).digest
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(embedded))
    linked = privref.verify(document, path)
    assert (linked.outcome, linked.ledger_checked) == ("verified", True)


@pytest.mark.parametrize("broken", [{}, {"schema": "certificate.1"}, {"schema": "certificate.2"}, []], ids=str)
def test_a_malformed_certificate_is_refused(broken: Any) -> None:
    with pytest.raises(privref.InputError):
        privref.verify(broken)


def test_a_certificate_of_the_first_form_is_audited_again() -> None:
    """In one line, whatever else it holds."""
    old = {**certificate({"epsilon": "17.15", "delta": "1e-10"}), "schema": "certificate.1", "bounds": []}
    with pytest.raises(privref.InputError, match="audit again") as refusal:
        privref.verify(old)
    assert "\n" not in str(refusal.value)


def test_a_remaining_budget_names_the_premise_that_it_rests_on() -> None:
    """That Algorithm 1 enforced the declared budget; where none is declared nothing is confirmed."""
    left = {"epsilon": "1", "delta": "0", "remaining": {"epsilon": "1/2", "delta": "0"}}
    events = (cells("b", a="1", b="1/2"),)
    budget = {"epsilon": "1", "delta": "0"}
    named = enforced("hartmann2022/alg1", "1")
    other = enforced("rogers2016/thm3.3", "1")
    for more, verdict in (({}, "conditional"), ({"budget": budget}, "conditional"), (named, "confirmed"),
                          (other, "inapplicable")):  # fmt: skip
        record = ledger(*events, parameters="chosen-adaptively", **more)
        (opinion,) = privref.audit(record, claims(left)).opinions  # type: ignore[arg-type]
        assert opinion.verdict == verdict
        assert len(opinion.premises) == (verdict == "confirmed")
        assert all(finding.how.startswith("premise") for finding in opinion.premises)


@pytest.mark.parametrize(("budget", "listed"), [("10", True), ("9/4", True), ("2", False)])
def test_a_comparison_lists_no_bound_that_the_budget_did_not_enforce(budget: str, listed: bool) -> None:
    """Cells of cost 2 and 1/4 were observed: a budget of 10 holds the interaction to 10, and one of 2 had halted."""
    record = ledger(cells("b", a="2", b="1/4"), cells("a", a="2", b="1/4"), **enforced("hartmann2022/alg1", budget))
    bounds, inapplicable, _ = privref.compare(record, Fraction(0))
    assert [(item.application.by, item.value) for item in bounds] == [("hartmann2022/alg1", budget)] * listed
    assert ("hartmann2022/alg1" in {item.by for item in inapplicable}) == (not listed)


def test_a_comparison_of_an_adaptive_ledger_lists_what_its_budget_holds() -> None:
    """Ten rounds of 1/10 under a budget of 1 lose at most 1; under one of 2 they might have gone on."""
    for budget in ("1", "2"):
        record = ledger(
            pure("1/10", 10), parameters="chosen-adaptively", **enforced("rogers2016/thm3.3", budget)
        )  # fmt: skip
        bounds, _, _ = privref.compare(record, Fraction(0))
        assert [(item.application.by, item.value) for item in bounds] == [("rogers2016/thm3.3", budget)]
    unnamed = ledger(pure("1/10", 10), parameters="chosen-adaptively")
    bounds, _, _ = privref.compare(unnamed, Fraction(1, 10**6))
    assert bounds
    assert all(item.application.supposed is not None and "only if" in item.note for item in bounds)


def test_a_claim_that_fixed_parameters_would_prove_asks_for_them() -> None:
    """Whatever a filter would have proved: it was `unsupported`, and the option that its advice named confirmed it."""
    sheet = "epsilon,delta,count\n0.1,0,30\n0.3,1e-7,1\n"
    sizes = ({"epsilon": size, "delta": "1e-6"} for size in ("2.7", "3.25", "1"))
    close, beyond, far = privref.audit(privref.ledger_from_csv(sheet, "t"), claims(*sizes)).opinions
    assert (close.verdict, beyond.verdict, far.verdict) == ("conditional", "conditional", "underivable")
    assert close.deciding is not None
    assert close.deciding.if_fixed
    assert "only if all parameters were fixed in advance" in summary.bound_words(close)
    kind, text = summary.advice(close)
    assert kind == "advice"
    assert text.index("--parameters fixed-in-advance") < text.index("If not: claim what privref proves")
    # An answer to the question leaves no condition, in both ways.
    for parameters, verdict in (("fixed-in-advance", "confirmed"), ("chosen-adaptively", "unsupported")):
        said = privref.ledger_from_csv(sheet, "t", parameters=parameters)
        assert verdicts(said, {"epsilon": "2.7", "delta": "1e-6"}) == [verdict]


def test_a_comparison_says_why_a_budget_is_not_the_one_wanted() -> None:
    record = ledger(pure("1/10", 30), parameters="chosen-adaptively", **enforced("rogers2016/thm3.3", "2"))
    lines = "".join(str(item) for item in inapplicable_lines(privref.compare(record, Fraction(0))[1]))
    assert "by this theorem what ran exceeds the declared budget" in lines
    assert "names the basic filter (Rogers et al. 2016; rogers2016/thm3.3) as the filter" in lines
