"""Audits of declared mechanisms: what ran decides, its worst case does not; certificates re-check it."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import privref
from privref.guarantees.model import PureDP
from privref.profiles.composed import dominating
from privref.profiles.declared import counted
from tests.profiles.test_grid import CONTEXT, laplace_delta, law, real, united
from tests.profiles.test_grid import delta as written_out_delta

LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
GAUSSIAN = {"kind": "gaussian", "sigma": "1", "sensitivity_squared": "0.0104"}


def ledger(*events: dict[str, Any], **more: Any) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1",
            "title": "mechanisms",
            "privacy_unit": "person",
            "neighbours": "replace-one",
            "parameters": "fixed-in-advance",
            "interaction": "sequential",
            "events": list(events),
            **more,
        }
    )


def claims(*given_claims: dict[str, str]) -> tuple[privref.Claim, ...]:
    numbered = [{"id": f"c{i}", **claim} for i, claim in enumerate(given_claims)]
    return privref.claims_from_document({"schema": "claims.1", "claims": numbered})


def verdicts(record: privref.Ledger, *given_claims: dict[str, str]) -> list[str]:
    """The verdicts; every certificate verifies, also after a round trip."""
    audit = privref.audit(record, claims(*given_claims))
    for document in privref.certificates(audit).values():
        verification = privref.verify(json.loads(json.dumps(document)))
        assert verification.outcome == "verified", [check for check in verification.checks if not check.passed]
    return [opinion.verdict for opinion in audit.opinions]


def at(epsilon: str, delta: str = "1e-6") -> dict[str, str]:
    return {"epsilon": epsilon, "delta": delta}


def test_a_claim_at_which_no_grid_reaches_delta_has_a_certificate() -> None:
    """The verifier's other view, delta at the claimed epsilon, is out of reach; the certified epsilon is not."""
    geometric = {"kind": "geometric", "scale": "2", "shifts": ["1"]}
    gaussian = {"kind": "gaussian", "sigma": "3", "sensitivity": "1"}
    record = ledger({"count": 5, "mechanism": geometric}, {"mechanism": gaussian})
    assert verdicts(record, at("1000", "1e-10")) == ["confirmed"]
    tiny = {"kind": "laplace", "scale": "1e-20", "sensitivity": "1"}
    drawn = {"kind": "subsampled", "rate": "1/10", "sampling": "poisson", "base": tiny}
    poisson = ledger({"mechanism": drawn}, neighbours="add-or-remove-one")
    # Its largest loss is about 1e20, so that some delta is lost at 1000.
    assert verdicts(poisson, at("1000", "0")) == ["refuted"]


def test_a_hundred_laplace_rounds() -> None:
    """True of Laplace noise, underivable from pure DP, false of randomized response."""
    declared = ledger({"count": 100, "mechanism": LAPLACE})
    assert verdicts(declared, at("4.7"), at("4.69267"), at("4.69266")) == ["confirmed", "confirmed", "refuted"]
    bare = ledger({"count": 100, "guarantee": {"kind": "pure-dp", "epsilon": "0.1"}})
    assert verdicts(bare, at("4.7")) == ["underivable"]
    (opinion,) = privref.audit(bare, claims(at("4.7"))).opinions
    assert opinion.hints is not None
    assert "(zdw2022/thm10) would give epsilon = 4.69267, which would prove" in opinion.hints.mechanisms
    responses = ledger({"count": 100, "mechanism": {"kind": "randomized-response", "epsilon": "0.1"}})
    assert verdicts(responses, at("4.7"), at("4.775")) == ["refuted", "confirmed"]


def test_a_gaussian_is_judged_alike_however_it_is_declared() -> None:
    zcdp = {"kind": "zcdp", "rho": "0.0052"}
    claimed = (at("0.36", "1e-5"), at("0.348", "1e-5"))
    assert verdicts(ledger({"guarantee": zcdp}), *claimed) == ["underivable", "underivable"]
    for event in ({"mechanism": GAUSSIAN}, {"mechanism": GAUSSIAN, "guarantee": zcdp}):
        assert verdicts(ledger(event), *claimed) == ["confirmed", "refuted"]


def test_a_rho_claim_is_refuted_by_gaussian_noise_only() -> None:
    cells = {"kind": "discrete-gaussian", "sigma_squared": "4", "shifts": ["1", "1"]}
    noise = ledger({"count": 3, "mechanism": cells})
    assert verdicts(noise, {"rho": "3/4"}, {"rho": "0.7"}) == ["confirmed", "refuted"]
    bare = ledger({"count": 3, "guarantee": {"kind": "zcdp", "rho": "1/4"}})
    assert verdicts(bare, {"rho": "3/4"}, {"rho": "0.7"}) == ["confirmed", "underivable"]


def test_what_is_not_attained_refutes_nothing() -> None:
    loose = ledger({"count": 100, "mechanism": {**LAPLACE, "attained": False}})
    assert verdicts(loose, at("4.7"), at("4")) == ["confirmed", "unsupported"]


def test_a_known_part_refutes_whatever_else_ran() -> None:
    other = {"mechanism": {"kind": "other", "description": "?"}, "guarantee": {"kind": "zcdp", "rho": "1"}}
    mixed = ledger({"count": 100, "mechanism": LAPLACE}, other)
    (opinion,) = privref.audit(mixed, claims(at("4.69"))).opinions
    assert opinion.verdict == "refuted"
    assert "the other events can only add to it" in opinion.reason
    assert verdicts(mixed, at("12"), at("4.7")) == ["confirmed", "underivable"]


def test_worst_cases_of_guarantees_join_the_mechanisms() -> None:
    events = (
        {"count": 20, "mechanism": LAPLACE},
        {"count": 20, "guarantee": {"kind": "pure-dp", "epsilon": "0.1"}},
        {"guarantee": {"kind": "gaussian-dp", "mu": "1/10"}},
    )
    (opinion,) = privref.audit(ledger(*events), claims(at("5"))).opinions
    assert opinion.verdict == "confirmed"
    assert opinion.bounds[0].application.by == "zdw2022/thm10"
    assert verdicts(ledger(*events), at("0.5")) == ["refuted"]


def test_adaptive_parameters_get_the_guarantees_only() -> None:
    adaptive = {"parameters": "chosen-adaptively"}
    record = ledger({"count": 100, "mechanism": LAPLACE}, **adaptive)
    assert verdicts(record, at("4.7")) != ["confirmed"]
    budget = {"epsilon": "0.36", "delta": "1e-5", "filter": "gdp/composition"}
    filtered = ledger({"mechanism": {"kind": "gaussian", "sigma": "10", "sensitivity": "1"}}, budget=budget, **adaptive)
    assert verdicts(filtered, at("0.36", "1e-5")) == ["confirmed"]


@pytest.mark.parametrize("guarantee", [{"kind": "zcdp", "rho": "2"}, {"kind": "gaussian-dp", "mu": "2"}])
def test_a_gaussian_mechanism_composes_beside_any_guarantee(guarantee: dict[str, str]) -> None:
    """The kernel too takes the mechanism's mu, 1, also where a weaker guarantee is declared."""
    noise = {"mechanism": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}, "guarantee": guarantee}
    by = {**at("4.4", "1e-5"), "by": "gdp/composition"}
    assert verdicts(ledger(noise), by, at("4.4", "1e-5"), at("4.3", "1e-5")) == ["confirmed", "confirmed", "refuted"]
    budget = {"epsilon": "4.4", "delta": "1e-5", "filter": "gdp/composition"}
    adaptive = ledger(noise, parameters="chosen-adaptively", budget=budget)
    assert verdicts(adaptive, by) == ["confirmed"]


@pytest.mark.parametrize(
    "said",
    [
        {"probability": "0.75"},
        {"epsilon": "1", "outcomes": "2"},
        {"epsilon": "1", "attained": True},
        {"epsilon": "1.0"},
    ],
)
def test_randomized_response_is_refuted_however_it_is_written(said: dict[str, Any]) -> None:
    answers = {"count": 3, "mechanism": {"kind": "randomized-response", **said}}
    assert verdicts(ledger(answers), at("1", "0")) == ["refuted"]


def test_answers_of_absent_units_are_a_premise_that_is_told() -> None:
    answers = {"count": 3, "mechanism": {"kind": "randomized-response", "epsilon": "1"}}
    for neighbours, told in (("replace-one", 0), ("add-or-remove-one", 1)):
        (opinion,) = privref.audit(ledger(answers, neighbours=neighbours), claims(at("2.99", "1/10"))).opinions
        assert opinion.verdict == "confirmed"
        told_by = [finding.how for finding in opinion.premises]
        assert len(told_by) == told
        assert all("an absent one is drawn as that of a unit" in how for how in told_by)


@pytest.mark.parametrize(
    ("mechanism", "guarantee", "beyond"),
    [
        (LAPLACE, {"kind": "pure-dp", "epsilon": "0.0999"}, "epsilon is 1/10"),
        (LAPLACE, {"kind": "zcdp", "rho": "1/1000"}, "Renyi divergence"),
        (LAPLACE, {"kind": "approx-dp", "epsilon": "0.05", "delta": "1e-3"}, "exceeds 1/1000"),
        (LAPLACE, {"kind": "gaussian-dp", "mu": "1/100"}, "exceeds what that allows"),
        (LAPLACE, {"kind": "rdp", "orders": {"2": "1/1000"}}, "order 2"),
        (GAUSSIAN, {"kind": "pure-dp", "epsilon": "9"}, "no bound"),
        (GAUSSIAN, {"kind": "zcdp", "rho": "0.00519"}, "rho = 13/2500"),
        (GAUSSIAN, {"kind": "pdp", "epsilon": "0.1", "delta": "1e-9"}, "exceeds"),
        (
            {"kind": "discrete-gaussian", "sigma": "1", "shifts": ["1", "1"]},
            {"kind": "zcdp", "rho": "99/100"},
            "rho = 1",
        ),
    ],
)
def test_a_stronger_guarantee_is_a_contradiction(mechanism: dict, guarantee: dict, beyond: str) -> None:
    with pytest.raises(privref.InputError, match=f"stronger than .*{beyond}"):
        ledger({"mechanism": mechanism, "guarantee": guarantee})


@pytest.mark.parametrize(
    ("mechanism", "guarantee"),
    [
        (LAPLACE, {"kind": "pure-dp", "epsilon": "0.1"}),
        (LAPLACE, {"kind": "zcdp", "rho": "1/200"}),
        (LAPLACE, {"kind": "approx-dp", "epsilon": "0.05", "delta": "1/10"}),
        (GAUSSIAN, {"kind": "zcdp", "rho": "0.0052"}),
        ({**LAPLACE, "attained": False}, {"kind": "pure-dp", "epsilon": "0.05"}),
    ],
)
def test_a_weaker_guarantee_is_allowed(mechanism: dict, guarantee: dict) -> None:
    assert ledger({"mechanism": mechanism, "guarantee": guarantee}).events[0].guarantee.kind == guarantee["kind"]


def test_a_guarantee_follows_from_the_mechanism_or_is_asked_for() -> None:
    assert ledger({"mechanism": LAPLACE}).events[0].guarantee == PureDP(Fraction(1, 10))
    with pytest.raises(privref.InputError, match=r"guarantee is missing: .*mechanism whose parameters imply it"):
        ledger({"mechanism": {"kind": "other", "description": "?"}})
    with pytest.raises(privref.InputError, match=r"events\[0\].mechanism.scael: .*did you mean scale"):
        ledger({"mechanism": {"kind": "laplace", "scael": "1", "scale": "1", "sensitivity": "1"}})


def test_certificates_about_mechanisms_that_were_changed_fail() -> None:
    record = ledger({"count": 100, "mechanism": LAPLACE})
    documents = privref.certificates(privref.audit(record, claims(at("4.7"), at("4.69"))))
    confirmed, refuted = documents["c0"], documents["c1"]
    other = {**LAPLACE, "scale": "11"}
    for changed, change in (
        (confirmed, lambda c: c["claim"].update(epsilon="4.6")),
        (confirmed, lambda c: c.update(ledger=named({"count": 101, "mechanism": LAPLACE}))),
        (confirmed, lambda c: c.update(ledger=named({"count": 100, "mechanism": {**LAPLACE, "scale": "9"}}))),
        (refuted, lambda c: c.update(verdict="underivable")),
        (refuted, lambda c: c["claim"].update(epsilon="4.7")),
        (refuted, lambda c: c.update(ledger=named({"count": 99, "mechanism": LAPLACE}))),
        (refuted, lambda c: c.update(ledger=named({"count": 100, "mechanism": other}))),
        (refuted, lambda c: c.update(ledger=named({"count": 100, "mechanism": {**LAPLACE, "attained": False}}))),
    ):
        document = copy.deepcopy(changed)
        change(document)
        assert privref.verify(document).outcome == "failed"


def named(*events: Any) -> dict[str, Any]:
    """What a certificate says of a ledger."""
    found = ledger(*events)
    return {"document": found.document, "sha256": found.digest}


def rationals(low: int, high: int) -> st.SearchStrategy[str]:
    return st.builds(lambda n, d: str(Fraction(n, d)), st.integers(low, high), st.integers(3, 9))


MECHANISMS = st.one_of(
    st.builds(
        lambda eps, k: {"kind": "randomized-response", "epsilon": eps, "outcomes": str(k)},
        rationals(1, 9),
        st.integers(2, 4),
    ),
    st.builds(lambda b, v: {"kind": "geometric", "scale": b, "shifts": [str(v)]}, rationals(2, 20), st.integers(1, 2)),
    st.builds(lambda s: {"kind": "discrete-gaussian", "sigma_squared": s, "shifts": ["1"]}, rationals(4, 30)),
)


#: Without the phase that explains a failure, which takes minutes of audits.
QUICK = settings(deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink])


@settings(QUICK, max_examples=8)
@given(st.lists(MECHANISMS, min_size=1, max_size=2), rationals(0, 9), st.integers(-9, 9))
def test_no_true_claim_is_refuted_and_no_false_one_confirmed(
    mechanisms: list[dict[str, Any]], epsilon: str, off: int
) -> None:
    """Against the laws written out at 40 digits; the claimed delta lies above or below the true one by a part."""
    pairs = [item.pair for item in dominating([counted(document, "m") for document in mechanisms]).rounds]
    true = written_out_delta(united(law(pairs)), Fraction(epsilon))
    claimed = Fraction(str(round(true * 10**9))) / 10**9 * (1 + Fraction(off, 100))
    if not 0 < claimed < 1 or len(pairs) < len(mechanisms):
        return
    record = ledger(*({"mechanism": document} for document in mechanisms), attained_together=True)
    (verdict,) = verdicts(record, {"epsilon": epsilon, "delta": str(claimed)})
    holds = true <= real(claimed)
    assert verdict in ({"confirmed", "unsupported", "undecided"} if holds else {"refuted", "unsupported", "undecided"})
    if off and abs(true / real(claimed) - 1) > 1e-3:
        assert verdict == ("confirmed" if holds else "refuted")


SMOOTH = st.one_of(
    st.builds(lambda b: {"kind": "laplace", "scale": b, "sensitivity": "1"}, rationals(2, 9)),
    st.builds(lambda s: {"kind": "gaussian", "sigma": s, "sensitivity": "1"}, rationals(2, 9)),
)


def smooth_delta(mechanism: dict[str, str], at: Any) -> Any:
    """delta of the one continuous mechanism at any real epsilon, in closed form."""
    if mechanism["kind"] == "laplace":
        return laplace_delta(1 / Fraction(mechanism["scale"]), at)
    mu = 1 / real(Fraction(mechanism["sigma"]))
    return CONTEXT.ncdf(mu / 2 - at / mu) - CONTEXT.exp(at) * CONTEXT.ncdf(-mu / 2 - at / mu)


@settings(QUICK, max_examples=5)
@given(SMOOTH, st.lists(MECHANISMS, max_size=1), rationals(0, 9), st.sampled_from([-3, -1, 1, 3]))
def test_no_wrong_verdict_on_a_mix_with_continuous_noise(
    smooth: dict[str, str], mechanisms: list[dict[str, Any]], epsilon: str, off: int
) -> None:
    """Against closed forms, averaged over the written-out outcomes of the others."""
    pairs = [item.pair for item in dominating([counted(document, "m") for document in mechanisms]).rounds]
    atoms = united(law(pairs))
    true = sum((mass * smooth_delta(smooth, real(Fraction(epsilon)) - loss) for loss, mass in atoms), CONTEXT.mpf(0))
    claimed = Fraction(str(round(true * 10**9))) / 10**9 * (1 + Fraction(off, 100))
    if not Fraction(1, 10**6) < claimed < 1:
        return
    record = ledger(*({"mechanism": document} for document in (smooth, *mechanisms)), attained_together=True)
    (opinion,) = privref.audit(record, claims({"epsilon": epsilon, "delta": str(claimed)})).opinions
    assert opinion.verdict == ("confirmed" if off > 0 else "refuted")


# Beside the gallery's ledgers and the browser's test of these examples: one process composes their noise once.
@pytest.mark.xdist_group("gallery")
def test_the_census_noise() -> None:
    # One record may differ in all that the queries count.
    document = {**privref.example_document("census2020", "ledger"), "attained_together": True}
    record = privref.ledger_from_document(document)
    audit = privref.audit(record, claims(at("17.14", "1e-10"), at("16.46", "1e-10")))
    assert [opinion.verdict for opinion in audit.opinions] == ["confirmed", "refuted"]
    (best, *_) = audit.opinions[0].bounds
    assert best.enclosure is not None
    assert best.enclosure.width < Fraction(1, 10**5)
    assert Fraction("16.465154") < best.enclosure.lower < best.enclosure.upper < Fraction("16.465158")


@pytest.mark.xdist_group("gallery")
@pytest.mark.parametrize(
    ("name", "upper"),
    [("census2020-units", "2.36321"), ("census2020-units-pr", "2.36321"), ("census2020-dhc-persons", "24.4565")],
)
def test_other_census_releases(name: str, upper: str) -> None:
    record = privref.ledger_from_document(privref.example_document(name, "ledger"))
    published, total = privref.claims_from_document(privref.example_document(name, "claims"))
    audit = privref.audit(record, (published, total))
    assert [opinion.verdict for opinion in audit.opinions] == ["confirmed", "confirmed"]
    best = audit.opinions[0].bounds[0].enclosure
    assert best is not None
    assert Fraction(upper) * Fraction(9999, 10000) < best.upper < Fraction(upper)
    if name == "census2020-dhc-persons":
        # Another group's float computation with bounds.
        assert best.lower <= Fraction("24.45649397") <= best.upper


@pytest.mark.parametrize(
    "more",
    [
        {
            "parameters": "chosen-adaptively",
            "budget": {"rho": "0.2", "delta": "1e-7", "filter": "whitehouse2023/thm1"},
        },
        {},
    ],
)
def test_the_delta_that_is_told_proves_the_claim(more: dict[str, Any]) -> None:
    """Also where approximate zCDP takes a part of it: what is told is all of delta_0 + (1 - delta_0) delta'."""
    delta = "0" if more else "1e-7"
    record = ledger({"guarantee": {"kind": "zcdp", "rho": "0.2", "delta": delta}}, **more)
    (opinion,) = privref.audit(record, claims({**at("3.14"), "by": "cks2020/zcdp2dp"})).opinions
    assert opinion.verdict == "unsupported"
    assert opinion.hints is not None
    told = opinion.hints.at_delta
    assert told is not None
    below = str(Fraction(told) * Fraction(99, 100))
    proved = ({**at("3.14", part), "by": "cks2020/zcdp2dp"} for part in (told, below))
    assert verdicts(record, *proved) == ["confirmed", "unsupported"]
