"""Inputs as published: verdicts at both ends of the last digit, where they flip, and certificates of two readings."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import privref
from privref.audit.refuters import MOST_GROUPS
from privref.exact.errors import InputError
from privref.guarantees.model import ZCDP, PureDP
from privref.ledger.rounded import at_end, rounded_inputs
from privref.profiles import grid
from privref.profiles.model import Composition, DiscreteGaussian, Round
from privref.report.documents import audit_document
from privref.report.outputs import junit_text, markdown_text, sarif_document
from tests.audit.test_mechanisms import at, claims, ledger


def rounded(text: str) -> dict[str, str]:
    return {"rounded": text}


def zcdp(*rhos: Any) -> privref.Ledger:
    return ledger(*({"guarantee": {"kind": "zcdp", "rho": rho}} for rho in rhos))


def opinions(record: privref.Ledger, *said: dict[str, str]) -> list[privref.Opinion]:
    """The opinions; every certificate verifies, also after a round trip."""
    audit = privref.audit(record, claims(*said))
    for document in privref.certificates(audit).values():
        verification = privref.verify(json.loads(json.dumps(document)))
        assert verification.outcome == "verified", [check for check in verification.checks if not check.passed]
    return list(audit.opinions)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.81", "0.805", "0.815"),
        ("0.810", "0.8095", "0.8105"),
        ("3", "2.5", "3.5"),
        ("1e-3", "5e-4", "1.5e-3"),
        ("0.0", "0", "0.05"),
    ],
)
def test_half_a_unit_of_the_last_digit_either_way(text: str, low: str, high: str) -> None:
    (found,) = rounded_inputs({"events": [{"guarantee": {"kind": "pure-dp", "epsilon": rounded(text)}}]})
    assert (found.least, found.most) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    ("mechanism", "least", "most"),
    [
        ({"kind": "laplace", "scale": rounded("10.0"), "sensitivity": "1"}, "10.05", "9.95"),
        ({"kind": "laplace", "scale": "1", "sensitivity": rounded("10.0")}, "9.95", "10.05"),
        ({"kind": "laplace", "scale": "1", "shifts": ["1", rounded("2")]}, "1.5", "2.5"),
        ({"kind": "gaussian", "sigma": rounded("2.0"), "sensitivity": "1"}, "2.05", "1.95"),
        ({"kind": "gaussian", "sigma_squared": "1", "sensitivity_squared": rounded("79")}, "78.5", "79.5"),
        ({"kind": "geometric", "scale": rounded("2"), "shifts": ["1"]}, "2.5", "1.5"),
        ({"kind": "randomized-response", "probability": rounded("0.75")}, "0.745", "0.755"),
        ({"kind": "four-outcome-randomized-response", "epsilon": rounded("1.0"), "delta": "0"}, "0.95", "1.05"),
    ],
)
def test_the_end_where_more_is_lost(mechanism: dict[str, Any], least: str, most: str) -> None:
    """The audit at that end proves less: the bound there is the larger one."""
    record = ledger({"mechanism": mechanism})
    (found,) = record.rounded
    assert (found.least, found.most) == (Fraction(least), Fraction(most))
    assert record.document is not None
    bounds = []
    for end in ("least", "most"):
        read = privref.ledger_from_document(at_end(record.document, record.rounded, end))
        (first, *_), _, _ = privref.compare(read, "1e-6")
        assert first.enclosure is not None
        bounds.append(first.enclosure)
    assert bounds[0].upper < bounds[1].lower


@pytest.mark.parametrize(
    ("event", "what"),
    [
        (
            {"mechanism": {"kind": "discrete-gaussian", "sigma": rounded("1.2"), "shifts": ["1"]}},
            "does not move one way",
        ),
        ({"mechanism": {"kind": "discrete-gaussian", "sigma": "2", "shifts": [rounded("1")]}}, "exactly"),
        ({"mechanism": {"kind": "laplace", "scale": rounded("0"), "sensitivity": "1"}}, "give more digits"),
        ({"count": rounded("3"), "guarantee": {"kind": "pure-dp", "epsilon": "1"}}, "only the real parameters"),
        ({"guarantee": {"kind": "pure-dp", "epsilon": rounded("1/3")}}, "only a decimal"),
        ({"guarantee": {"kind": "pure-dp", "epsilon": rounded("-1.0")}}, "only a decimal"),
        ({"guarantee": {"kind": "pure-dp", "epsilon": {"rounded": "1", "digits": "2"}}}, "alone"),
        (
            {"guarantee": {"kind": "output-dp", "partition": {"rule": "ptr", "eps": rounded("1")}, "delta": "0"}},
            "exactly",
        ),
    ],
)
def test_what_may_not_be_rounded_is_refused(event: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError, match=rf"ledger\.events\[0\].*{what}"):
        ledger(event)


def test_a_discrete_gaussian_really_moves_both_ways() -> None:
    """Why its sigma may not be rounded: delta at epsilon = 5 falls and rises again as sigma falls."""
    deltas = []
    for variance in (Fraction(1, 8), Fraction(1, 10), Fraction(1, 12)):
        deltas.append(
            grid.delta_of(Composition.of([Round(DiscreteGaussian(variance, 1))]), Fraction(5), Fraction(1, 100))
        )
    assert deltas[0].lower > deltas[1].upper
    assert deltas[2].lower > deltas[1].upper


def test_one_verdict_for_all_readings() -> None:
    proved, lost, bare = opinions(zcdp(rounded("0.81")), {"rho": "0.815"}, {"rho": "0.8"}, at("11"))
    assert [proved.verdict, lost.verdict, bare.verdict] == ["confirmed", "underivable", "confirmed"]
    assert "so with every other reading" in proved.reason
    assert "the same at both ends" in lost.reason
    # The lower bound is that of the reading where least is lost, so that it holds for all.
    assert lost.refutation is not None
    assert lost.refutation.enclosure.upper == Fraction("0.805")


def test_what_is_refuted_where_least_is_lost_is_refuted() -> None:
    """Where most is lost, four heavier events keep the one that refutes from being tried; it still does."""
    heavier = [
        {"mechanism": {"kind": "gaussian", "sigma": f"2.{i}", "sensitivity": rounded("1")}} for i in range(MOST_GROUPS)
    ]
    record = ledger(
        {"mechanism": {"kind": "four-outcome-randomized-response", "epsilon": "0", "delta": "0.2"}}, *heavier
    )
    (found,) = opinions(record, at("8", "1/10"))
    assert found.verdict == "refuted"
    assert found.refutation is not None
    assert found.refutation.witness.actual
    assert found.ends[1].opinion.verdict != "refuted"
    assert "so with every other reading" in found.reason


@pytest.mark.parametrize(
    ("event", "value"),
    [
        ({"mechanism": {"kind": "randomized-response", "probability": rounded("0.3"), "outcomes": "3"}}, "1/4"),
        ({"mechanism": {"kind": "randomized-response", "probability": rounded("0.5")}}, "9/20"),
        (
            {
                "guarantee": {"kind": "pure-dp", "epsilon": rounded("0.1")},
                "mechanism": {"kind": "laplace", "scale": "10", "sensitivity": "1"},
            },
            "1/20",
        ),
        (
            {
                "guarantee": {"kind": "pure-dp", "epsilon": "0.1"},
                "mechanism": {"kind": "laplace", "scale": rounded("10"), "sensitivity": "1"},
            },
            "19/2",
        ),
    ],
)
def test_an_end_that_can_not_be_is_refused_at_reading(event: dict[str, Any], value: str) -> None:
    """The message names the reading; the audit never meets it."""
    with pytest.raises(InputError, match=rf"ledger\.events\[0\].*read with events\[0\].* = {value}, which"):
        ledger(event)


@pytest.mark.parametrize(
    ("epsilon", "verdict"), [("0.1", "refuted"), ("0.4", "depends-on-digits"), ("0.45", "depends-on-digits")]
)
def test_the_bounds_are_those_where_most_is_lost(epsilon: str, verdict: str) -> None:
    """What is advised instead of the claim must hold of every reading: 1/1.5, and not 1/2.5 or where it flips."""
    record = ledger({"mechanism": {"kind": "laplace", "scale": rounded("2"), "sensitivity": "1"}})
    (found,) = opinions(record, at(epsilon, "0"))
    assert found.verdict == verdict
    assert found.bounds[0].enclosure is not None
    assert found.bounds[0].enclosure.lower == Fraction(2, 3)


def test_a_claim_between_the_ends_depends_on_the_digits() -> None:
    (found,) = opinions(zcdp(rounded("0.81")), {"rho": "0.812"})
    assert found.verdict == "depends-on-digits"
    least, most = found.ends
    assert (least.opinion.verdict, most.opinion.verdict) == ("confirmed", "underivable")
    ((_, first),), ((_, last),) = least.values, most.values
    assert Fraction("0.805") < first <= Fraction("0.812") < last < first + Fraction(1, 10**8)
    assert "it flips between 0.81" in found.reason
    audit = privref.audit(zcdp(rounded("0.81")), claims({"rho": "0.812"}))
    assert audit.exit_code == 4


def test_several_rounded_inputs_are_read_at_their_extreme_corners() -> None:
    record = zcdp(rounded("0.81"), "1", rounded("0.1"))
    assert [event.guarantee for event in record.events] == [
        ZCDP(Fraction("0.815")),
        ZCDP(Fraction(1)),
        ZCDP(Fraction("0.15")),
    ]
    inside, below, above = opinions(record, {"rho": "1.9"}, {"rho": "1.854"}, {"rho": "1.965"})
    assert [inside.verdict, below.verdict, above.verdict] == ["depends-on-digits", "underivable", "confirmed"]
    assert "flips" not in inside.reason


def test_laplace_noise_of_a_published_scale() -> None:
    noise = {"count": 25, "mechanism": {"kind": "laplace", "scale": rounded("10.0"), "sensitivity": "1"}}
    proved, lost = opinions(ledger(noise), at("2.07"), at("2.03"))
    assert [proved.verdict, lost.verdict] == ["confirmed", "refuted"]


def test_gaussian_noise_of_a_published_sigma() -> None:
    noise = {"count": 3, "mechanism": {"kind": "gaussian", "sigma": rounded("4.0"), "sensitivity": "1"}}
    proved, open_one, lost = opinions(ledger(noise), at("2.1"), at("1.9"), at("1.8"))
    assert [proved.verdict, open_one.verdict, lost.verdict] == ["confirmed", "depends-on-digits", "refuted"]
    least, most = open_one.ends
    assert (least.opinion.verdict, most.opinion.verdict) == ("confirmed", "refuted")
    ((_, first),), ((_, last),) = least.values, most.values
    # Less is lost with the larger sigma.
    assert Fraction("3.95") < last < first < Fraction("4.05")
    assert first - last < Fraction(1, 10**6)


def test_everything_else_reads_the_ledger_where_most_is_lost() -> None:
    record = ledger({"guarantee": {"kind": "pure-dp", "epsilon": rounded("0.1")}})
    assert record.events[0].guarantee == PureDP(Fraction("0.15"))
    assert record.digest == privref.ledger_from_document(copy.deepcopy(dict(record.document or {}))).digest


def forged(document: dict[str, Any], change: Any) -> str:
    changed = json.loads(json.dumps(document))
    change(changed)
    try:
        return privref.verify(changed).outcome
    except InputError:
        return "refused"


def test_no_reading_within_the_digits_stands_for_all_of_them() -> None:
    """The kernel reads what was rounded where most is lost, and of a lower bound where least is."""
    audit = privref.audit(zcdp(rounded("0.81")), claims({"rho": "0.812"}, {"rho": "0.815"}, {"rho": "0.8"}))
    made = privref.certificates(audit)
    assert made.missing == {"c0": "depends-on-digits says what was not proved"}
    proved, lost = made["c1"], made["c2"]
    for change in (
        lambda c: c["claim"].update(rho="0.814"),
        lambda c: c["ledger"]["document"]["events"][0]["guarantee"].update(rho="0.81"),
        lambda c: c["proofs"][0].update(reading="0.81"),
    ):
        assert forged(proved, change) in ("failed", "refused")
    for change in (
        lambda c: c["claim"].update(rho="0.806"),
        lambda c: c.update(verdict="refuted"),
        lambda c: c.update(verdict="depends-on-digits"),
    ):
        assert forged(lost, change) in ("failed", "refused")


def test_reports_say_what_was_rounded() -> None:
    audit = privref.audit(zcdp(rounded("0.81")), claims({"rho": "0.812"}))
    document = audit_document(audit)
    assert document["ledger"]["rounded"] == {
        "events[0].guarantee.rho": {"published": "0.81", "least_lost": "161/200", "most_lost": "163/200"}
    }
    assert [end["verdict"] for end in document["opinions"][0]["ends"]] == ["confirmed", "underivable"]
    privref.ledger.documents.validate(document, "audit.1", "audit")
    assert "depends-on-digits" in markdown_text(audit)
    assert 'type="depends-on-digits"' in junit_text(audit)
    (result,) = sarif_document(audit)["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("privref/depends-on-digits", "warning")


@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink])
@given(
    st.lists(st.tuples(st.sampled_from(["zcdp", "pure-dp"]), st.integers(1, 99)), min_size=1, max_size=3),
    st.integers(1, 300),
    st.lists(st.integers(-5, 5), min_size=3, max_size=3),
)
def test_every_reading_agrees_with_a_verdict_for_all(
    events: list[tuple[str, int]], claimed: int, off: list[int]
) -> None:
    """Rho adds up exactly: what is confirmed or underivable is so of any reading within the digits."""
    names = {"zcdp": "rho", "pure-dp": "epsilon"}
    said = [{"kind": kind, names[kind]: rounded(f"0.{n:02}")} for kind, n in events]
    read = [
        {"kind": kind, names[kind]: str(Fraction(10 * n + tenths, 1000))}
        for (kind, n), tenths in zip(events, off, strict=False)
    ]
    claim = {"rho": str(Fraction(claimed, 100))}
    (found,) = privref.audit(ledger(*({"guarantee": g} for g in said)), claims(claim)).opinions
    (one,) = privref.audit(ledger(*({"guarantee": g} for g in read)), claims(claim)).opinions
    if found.verdict != "depends-on-digits":
        assert found.verdict == one.verdict or {found.verdict, one.verdict} == {"unsupported", "underivable"}


def test_readings_of_odometers_are_not_read_at_two_ends() -> None:
    """The stitched boundary is infinite below its v0: at epsilon 0.15 it reads 0.9, at 0.06 nothing."""
    ledger = privref.ledger_from_document({
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "chosen-adaptively", "interaction": "sequential", "dataset_size": {"value": 1000, "public": True},
        "tuning": {"whitehouse2023/thm3.stitched": {"v0": "0.01", "delta_prime": "5e-7"}},
        "events": [{"guarantee": {"kind": "pure-dp", "epsilon": {"rounded": "0.1"}}}],
    })  # fmt: skip
    claim = {"id": "r", "by": "whitehouse2023/thm3.stitched", "reading": "3", "delta": "1e-6", "after_event": 1}
    found = privref.audit(ledger, privref.claims_from_document({"schema": "claims.1", "claims": [claim]}))
    assert found.opinions[0].verdict == "inapplicable"
