"""Audits of DP-SGD: what Poisson samples prove and refute, and what no theorem says of other samples."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.audit import bounds, summary
from privref.audit.facts import Facts
from privref.ledger.documents import digest
from privref.profiles.sampled import CLAIMED
from tests.audit.test_mechanisms import at, claims, verdicts

QUERY = {"kind": "gaussian", "sigma": "3", "sensitivity": "1"}
LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}


def steps(count: int = 40, base: dict[str, Any] = QUERY, **changed: Any) -> dict[str, Any]:
    drawn = {"kind": "subsampled", "base": base, "rate": "1/10", "sampling": "poisson"}
    return {"count": count, "mechanism": {**drawn, **changed}}


def ledger(*events: dict[str, Any], **more: Any) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1",
            "title": "a training run",
            "privacy_unit": "record",
            "neighbours": "add-or-remove-one",
            "parameters": "fixed-in-advance",
            "interaction": "sequential",
            "events": list(events),
            **more,
        }
    )


def opinion(record: privref.Ledger, claim: dict[str, str]) -> privref.Opinion:
    (found,) = privref.audit(record, claims(claim)).opinions
    return found


def test_a_training_run_is_confirmed_and_refuted_at_its_own_epsilon() -> None:
    """Each certificate verifies; the epsilon is 0.8672…; the Renyi bound of the same run stands beside it."""
    run = ledger(steps())
    found = opinion(run, at("0.88", "1e-5"))
    names = [bound.application.by for bound in found.bounds]
    assert names[:2] == ["zdw2022/poisson_gaussian", "cks2020/rdp2dp"]
    assert found.bounds[0].enclosure is not None
    exact = found.bounds[0].enclosure
    above, below = (str(Decimal(text)) for text in reversed(exact.decimals(7)))
    audit = privref.audit(run, claims(at(above, "1e-5"), at(below, "1e-5")))
    assert [each.verdict for each in audit.opinions] == ["confirmed", "refuted"]
    # A certificate takes a grid, which is planned in seconds for five digits.
    above, below = (str(Decimal(text)) for text in reversed(exact.decimals(5)))
    assert verdicts(run, at(above, "1e-5"), at(below, "1e-5")) == ["confirmed", "refuted"]
    assert verdicts(run, {**at("2", "1e-5"), "by": "cks2020/rdp2dp"}) == ["confirmed"]
    assert verdicts(run, {**at("2", "1e-5"), "by": "zdw2022/poisson_gaussian"}) == ["confirmed"]


@pytest.mark.parametrize(
    ("sampling", "neighbours", "words"),
    [
        ("shuffled", "add-or-remove-one", "2403.17673 and 2411.04205"),
        ("fixed-size", "add-or-remove-one", "other dominating pairs"),
        ("unknown", "add-or-remove-one", "most training loops"),
    ],
)
def test_no_theorem_speaks_of_other_samples(sampling: str, neighbours: str, words: str) -> None:
    """Not even of a huge claim, and not by the Renyi DP that Poisson samples would have; nor is it called false."""
    run = ledger(steps(sampling=sampling), neighbours=neighbours)
    for epsilon in ("1000", "9"):
        found = opinion(run, at(epsilon, "1e-5"))
        assert found.verdict == "inapplicable"
        assert "zdw2022/poisson_gaussian) requires Poisson subsampling" in found.reason
        assert words in found.reason
        assert not found.bounds
    assert opinion(run, {"rho": "1"}).verdict == "inapplicable"


def approx(epsilon: str, delta: str) -> dict[str, Any]:
    return {"guarantee": {"kind": "approx-dp", "epsilon": epsilon, "delta": delta}}


def test_a_declared_guarantee_counts_whatever_the_samples_were() -> None:
    """It is compared with nothing, and every claim that it proves says so."""
    run = ledger({**steps(sampling="fixed-size"), **approx("0.02", "1e-7")})
    assert verdicts(run, at("1", "1e-5"), at("0.01", "1e-5")) == ["confirmed", "unsupported"]
    assert verdicts(run, {**at("1", "1e-5"), "by": "zdw2022/poisson_gaussian"}) == ["inapplicable"]
    others: list[dict[str, Any]] = [{"attained": False, "sampling": "unknown"}, {}]
    rest = [ledger({**steps(**other), **approx("0.02", "1e-7")}, neighbours="replace-one") for other in others]
    for drawn in (run, *rest):
        (premise,) = opinion(drawn, at("1", "1e-5")).premises
        assert premise.how.startswith("the guarantee of event 1 is taken at its word")
    twice = ledger(*({**steps(sampling="fixed-size"), **approx("0.02", "1e-7")} for _ in range(7)))
    (premise,) = opinion(twice, at("9", "1e-4")).premises
    assert "events 1, 2, 3, 4, 5 and 2 more are taken at their word" in premise.how


EPOCH: dict[str, Any] = {"base": {**QUERY, "sigma": "1/2"}, "sampling": "shuffled"}


def test_a_guarantee_of_a_shuffle_confirms_nothing_that_its_mechanism_refutes() -> None:
    """Without the guarantee the claim is refuted; with an impossible one it was confirmed."""
    assert verdicts(ledger(steps(10, **EPOCH)), at("1", "1e-5")) == ["refuted"]
    with pytest.raises(privref.InputError, match="no pure DP"):
        ledger({**steps(10, **EPOCH), "guarantee": {"kind": "pure-dp", "epsilon": "0.01"}})
    first = {"guarantee": {"kind": "pure-dp", "epsilon": "0"}}
    told = ledger(first, {**steps(10, **EPOCH), **approx("0.01", "1e-9")}, period="day")
    for more in ({}, {"units": 2}, {"periods": 2}):
        with pytest.raises(privref.InputError, match=r"events\[1\].guarantee: .*contradicts itself"):
            privref.audit(told, claims({**at("1", "1e-5"), **more}))
    # Of twenty units epsilon 20 is beyond what is known of one, and what proves it proves epsilon 1 of one.
    moments = ledger({**steps(10, **EPOCH), "guarantee": {"kind": "zcdp", "rho": "1e-4", "delta": "1e-9"}})
    for record in (told, moments):
        with pytest.raises(privref.InputError, match=r"guarantee: .*contradicts itself"):
            privref.audit(record, claims({**at("20", "0.1"), "units": 20}))
    # Above what is known to be lost the guarantee is taken at its word, and so it is where the shift is not attained.
    large = at("20", "1e-5"), at("1e400", "1e-5")
    assert verdicts(told, *large) == ["confirmed", "confirmed"]
    run = ledger({**steps(10, **EPOCH), "guarantee": {"kind": "zcdp", "rho": "2", "delta": "1e-9"}})
    assert verdicts(run, {"rho": "20", "delta": "1e-8"}, {"rho": "1e300", "delta": "1e-8"}) == ["confirmed"] * 2
    assert verdicts(ledger({**steps(10, **EPOCH, attained=False), **approx("0.01", "1e-9")}), at("1", "1e-5")) == [
        "confirmed"
    ]


SMALL: list[tuple[dict[str, Any], dict[str, str]]] = [
    (approx("0.01", "1e-9"), at("1", "1e-5")),
    ({"guarantee": {"kind": "zcdp", "rho": "1e-4", "delta": "1e-9"}}, {"rho": "1e-3", "delta": "1e-8"}),
]


@pytest.mark.parametrize(("told", "claim"), SMALL, ids=str)
def test_the_kernel_takes_no_guarantee_beside_a_shuffle(told: dict[str, Any], claim: dict[str, str]) -> None:
    """Where the shift is attained the ledger contradicts itself; else a confirmed claim has no certificate."""
    with pytest.raises(privref.InputError, match="contradicts itself"):
        privref.audit(ledger({**steps(10, **EPOCH), **told}), claims(claim))
    audit = privref.audit(ledger({**steps(10, **EPOCH, attained=False), **told}), claims(claim))
    assert audit.opinions[0].verdict == "confirmed"
    made = privref.certificates(audit)
    assert not made
    assert "does not take a guarantee for it" in made.missing["c0"]


@pytest.mark.parametrize(("sigma", "batches"), [("0.4", 100), ("0.5", 300), ("0.8", 100)])
def test_the_epsilon_of_poisson_samples_is_false_of_shuffled_batches(sigma: str, batches: int) -> None:
    """One epoch: the least epsilon of Poisson samples is refuted of a shuffle; with much noise the bound is silent."""
    noise = {**QUERY, "sigma": sigma}
    drawn = {"base": noise, "rate": f"1/{batches}", "count": batches}
    exact = privref.evaluate(
        "zdw2022/poisson_gaussian.eps", {"q": f"1/{batches}", "sigma": sigma, "k": batches, "delta": "1e-5"}
    ).enclosure
    assert exact is not None
    claim = at(str(Decimal(exact.decimals(4)[1])), "1e-5")
    shuffled = ledger(steps(**drawn, sampling="shuffled"))
    assert verdicts(shuffled, claim) == ["refuted"]
    quiet = ledger(steps(**{**drawn, "base": {**QUERY, "sigma": "4"}}, sampling="shuffled"))
    assert opinion(quiet, at("1", "1e-5")).verdict == "inapplicable"


def test_what_refutes_a_shuffle_is_a_whole_epoch_with_its_shift_attained() -> None:
    drawn: dict[str, Any] = {"base": {**QUERY, "sigma": "0.5"}, "rate": "1/100", "sampling": "shuffled"}
    assert opinion(ledger(steps(100, **drawn)), at("1", "1e-5")).verdict == "refuted"
    assert opinion(ledger(steps(250, **drawn)), at("1", "1e-5")).verdict == "refuted"
    assert opinion(ledger(steps(99, **drawn)), at("1", "1e-5")).verdict == "inapplicable"
    assert opinion(ledger(steps(100, **drawn, attained=False)), at("1", "1e-5")).verdict == "inapplicable"
    assert opinion(ledger(steps(100, **{**drawn, "rate": "2/200"})), at("1", "1e-5")).verdict == "refuted"
    assert opinion(ledger(steps(100, **{**drawn, "rate": "2/201"})), at("1", "1e-5")).verdict == "inapplicable"
    replaced = ledger(steps(100, **drawn), neighbours="replace-one")
    assert opinion(replaced, at("1", "1e-5")).verdict == "unsupported"
    chosen = ledger(steps(100, **drawn), parameters="chosen-adaptively")
    assert opinion(chosen, at("1", "1e-5")).verdict == "inapplicable"


def test_what_is_not_attained_refutes_nothing() -> None:
    assert verdicts(ledger(steps(attained=False)), at("1", "1e-5"), at("0.8", "1e-5")) == ["confirmed", "unsupported"]


def test_equal_rounds_of_several_events_refute_together_where_one_pair_attains_them() -> None:
    twice = (steps(20), steps(20, base={**QUERY, "sigma": "6", "sensitivity": "2"}))
    assert verdicts(ledger(*twice), at("0.87", "1e-5"), at("0.8", "1e-5")) == ["confirmed", "unsupported"]
    together = ledger(*twice, attained_together=True)
    assert verdicts(together, at("0.87", "1e-5"), at("0.8", "1e-5")) == ["confirmed", "refuted"]


def test_rounds_beside_ones_that_are_not_gaussian_are_composed_on_the_grid() -> None:
    """Tighter than by Renyi divergences; what one event loses alone refutes."""
    run = ledger(steps(), {"mechanism": LAPLACE})
    (first, second) = privref.audit(run, claims(at("1.2", "1e-5"), at("0.8", "1e-5"))).opinions
    assert first.verdict == "confirmed"
    composed, by_renyi = (
        next(b for b in first.bounds if b.application.by == id) for id in ("zdw2022/thm10", "cks2020/rdp2dp")
    )
    assert composed.enclosure is not None
    assert by_renyi.enclosure is not None
    assert composed.enclosure.upper < by_renyi.enclosure.lower
    assert composed.enclosure.relative_width_at_most(Fraction(1, 10**4))
    assert second.verdict == "refuted"
    assert "the other events can only add to it" in second.reason


def test_capped_rounds_beside_laplace_noise_are_composed_on_the_grid() -> None:
    """Where batches are hardly ever cut, the whole samples' bound is asked for as coarsely as the grid answers."""
    run = ledger(steps(batch_cap=300, records=1000), {"mechanism": LAPLACE})
    (only,) = privref.audit(run, claims(at("1.2", "1e-5"))).opinions
    assert only.verdict == "confirmed"
    assert {bound.application.by for bound in only.bounds} >= {"chua2024b/cut"}


def test_rounds_that_lose_next_to_nothing_at_an_epsilon_are_not_asked_for_their_delta(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two sampled rounds have a delta of 1e-235 at 6.4, which no contour finds soon; the noise beside them refutes."""
    asked: list[str] = []
    monkeypatch.setattr(bounds, "_tried", lambda witness, delta: (asked.append(witness.statement), (False, None))[1])
    for more in ({}, {"batch_cap": 19, "records": 10000}):
        sampled = steps(2, {**QUERY, "sigma": "3.23"}, rate="1/1000", **more)
        run = ledger(sampled, {"count": 2, "mechanism": {**QUERY, "sigma": "1.02"}})
        bounds.refute(Facts.of(run), privref.ApproxDPClaim("far", Fraction("6.4"), Fraction(1, 10**8)))
    assert "zdw2022/thm10.delta" in asked
    assert not {"zdw2022/poisson_gaussian.delta", "chua2024b/truncated.least"} & set(asked)


def test_gaussian_rounds_of_several_rates_and_noises_are_composed_as_what_they_are() -> None:
    """A changed batch size and a mean beside it: confirmed and, where one pair attains all, refuted at one epsilon."""
    events = (steps(), steps(10, {**QUERY, "sigma": "2"}, rate="1/20"), {"mechanism": {**QUERY, "sigma": "15"}})
    together = ledger(*events, attained_together=True)
    claimed = claims(at("0.967751", "1e-5"), at("0.96775", "1e-5"))
    found = privref.audit(together, claimed).opinions
    assert [opinion.verdict for opinion in found] == ["confirmed", "refuted"]
    assert found[0].bounds[0].application.by == "zdw2022/thm10"
    assert found[0].bounds[0].enclosure is not None
    assert found[0].bounds[0].enclosure.relative_width_at_most(Fraction(1, 10**6))


def test_samples_of_laplace_noise_are_composed_on_the_grid() -> None:
    run = ledger(steps(10, base=LAPLACE))
    assert verdicts(run, at("0.09", "1e-5"), at("0.08", "1e-5")) == ["confirmed", "refuted"]
    assert opinion(run, at("0.09", "1e-5")).bounds[0].application.by == "zdw2022/thm10"


def test_rates_chosen_on_the_way_count_by_their_renyi_divergences_only() -> None:
    """The composition of laws is for parameters fixed in advance; a Renyi filter admits the rounds one by one."""
    run = ledger(steps(), parameters="chosen-adaptively")
    assert opinion(run, at("5", "1e-5")).verdict == "inapplicable"


def test_a_sample_of_all_records_is_the_base() -> None:
    run = ledger(steps(10, rate="1", sampling="shuffled"), neighbours="zero-out")
    assert [b.application.by for b in opinion(run, at("9", "1e-5")).bounds][:2] == ["gdp/composition", "zdw2022/thm10"]


EXTREMES: list[dict[str, Any]] = [
    {"base": {**QUERY, "sigma": "1e-30"}},
    {"base": {**QUERY, "sigma": "1e30"}},
    {"base": {**QUERY, "sigma": "1e-30"}, "sampling": "shuffled"},
    {"base": {**QUERY, "sigma": "1e30"}, "sampling": "shuffled"},
    {"base": {**QUERY, "sensitivity": "0"}},
    {"rate": "1e-50"},
    {"rate": "0.999999", "base": {**QUERY, "sigma": "0.1"}},
    {"count": 10**15},
    {"base": {"kind": "geometric", "scale": "1", "shifts": ["1000000"]}},
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("changed", EXTREMES, ids=str)
def test_the_extremes_are_answered_and_what_is_certified_verifies(changed: dict[str, Any]) -> None:
    for epsilon, delta in (("1", "1e-5"), ("0", "1e-5"), ("1e9", "1e-300"), ("1", "1")):
        verdicts(ledger(steps(**changed)), at(epsilon, delta))


def test_millions_of_steps_verify() -> None:
    run = ledger(steps(10**7, rate="1/1000", base={**QUERY, "sigma": "20"}))
    assert verdicts(run, at("1", "1e-6"), at("0.5", "1e-6")) == ["confirmed", "refuted"]


def test_a_sheet_of_samples_is_asked_whether_its_parameters_were_fixed(tmp_path: Path) -> None:
    sheet = tmp_path / "runs.csv"
    sheet.write_text("mechanism,noise multiplier,batch size,records,epochs,sampling\nDP-SGD,1.1,256,50000,1,poisson\n")
    run = privref.read_ledger(sheet, neighbours="add-or-remove-one")
    enough, too_little = privref.audit(run, claims(at("3", "1e-5"), at("1/10", "1e-5"))).opinions
    assert (enough.verdict, enough.undeclared) == ("conditional", "--parameters fixed-in-advance")
    assert summary.advice(enough)[1].startswith("were all privacy parameters fixed before the first answer was seen?")
    assert too_little.verdict == "inapplicable"


@pytest.mark.parametrize("sampling", ["poisson", None])
def test_a_claim_about_many_rounds_that_is_a_little_too_small_is_refuted_with_a_certificate(
    sampling: str | None,
) -> None:
    """Cells of a part of a round's deviation are added up, and not steps of which few make the sum."""
    many: dict[str, Any] = steps(4000, rate="1/200")
    if sampling is None:
        many = {"count": 4000, "mechanism": {**QUERY, "sigma": "40"}}
    audit = privref.audit(ledger(many), claims(at("100", "1e-6")))
    (upper,) = [bound.enclosure.upper for bound in audit.opinions[0].bounds[:1] if bound.enclosure is not None]
    found = privref.audit(ledger(many), claims(at(str(round(float(upper) * 0.998, 4)), "1e-6")))
    assert found.opinions[0].verdict == "refuted"
    (document,) = privref.certificates(found).values()
    assert document["proofs"][0]["by"] == "event"
    assert privref.verify(document).outcome == "verified"


def test_where_no_grid_for_many_rounds_is_planned_the_search_goes_on() -> None:
    """Of so little noise the floats of a plan say nothing; the other event has a certificate."""
    little = steps(1000, base={**QUERY, "sigma": "0.02"}, rate="3/10")
    other = {"mechanism": {**QUERY, "sigma": "1"}}
    found = privref.certificates(privref.audit(ledger(little, other), claims(at("0.5", "1e-6"))))
    assert [privref.verify(each).outcome for each in found.values()] == ["verified"]


@pytest.mark.parametrize("other", [steps(39), steps(rate="1/11"), steps(base={**QUERY, "sigma": "3.1"})], ids=str)
def test_a_lower_bound_of_more_than_what_ran_is_found_out(other: dict[str, Any]) -> None:
    """Its event has less than the claimed delta there; the claim is where the bound just tells."""
    (document,) = privref.certificates(privref.audit(ledger(steps()), claims(at("0.8665", "1e-5")))).values()
    assert privref.verify(document).outcome == "verified"
    run = ledger(other)
    document["ledger"] = {"document": run.document, "sha256": run.digest}
    assert privref.verify(document).outcome == "failed"


@pytest.mark.parametrize(
    "other", [{"neighbours": "replace-one"}, {"parameters": "chosen-adaptively"}, {"attained": False}]
)
def test_a_witness_needs_what_the_ledger_declares(other: dict[str, Any]) -> None:
    (document,) = privref.certificates(privref.audit(ledger(steps()), claims(at("0.8", "1e-5")))).values()
    record = json.loads(json.dumps(document["ledger"]["document"]))
    if "attained" in other:
        record["events"][0]["mechanism"] |= other
    else:
        record |= other
    document["ledger"] |= {"document": record, "sha256": digest(record)}
    assert privref.verify(document).outcome == "failed"


def test_how_records_were_drawn_is_printed_with_what_rests_on_it() -> None:
    """A Poisson sample's premise beside every confirmed claim; what is inapplicable names what was declared."""
    for run in (ledger(steps()), ledger(steps(base=LAPLACE)), ledger(steps(), steps(count=3, rate="1/5"))):
        found = opinion(run, at("50", "1e-5"))
        assert found.verdict == "confirmed"
        (premise,) = found.premises
        assert (premise.hypothesis.key, premise.premise) == ("poisson-sampling", True)
        (shown,) = privref.report.audit_document(privref.Audit(run, (found,)))["opinions"]
        assert "drawn on its own" in shown["advice"]["text"]
    lost = opinion(ledger(steps()), at("0.1", "1e-5"))
    assert {premise.hypothesis.key for premise in lost.premises} == {"attained", "poisson-sampling"}
    for sampling, claimed in CLAIMED.items():
        if claimed is None or sampling in ("poisson", "balls-in-bins"):
            continue
        of = {"records": 100} if sampling == "with-replacement" else {}
        found = opinion(ledger(steps(sampling=sampling, **of)), at("50", "1e-5"))
        assert (found.verdict, found.premises) == ("inapplicable", ())
        assert claimed.value in " ".join(each.how for each in found.inapplicable[0].unmet)
    keys = [each.key for each in privref.explain("chua2024/shuffled.delta").hypotheses]
    assert keys == ["shuffled-batches"]


def test_one_round_of_a_lattice_law_is_decided() -> None:
    """Theorem 11 in two lines, 0.15856190567, where a grid was refused; its certificates verify."""
    base = {"kind": "geometric", "scale": "1", "shifts": ["1"]}
    claimed = at("0.158563", "1e-6"), at("0.15856190568", "1e-6"), at("0.15856190566", "1e-6")
    assert verdicts(ledger(steps(1, base=base)), *claimed) == ["confirmed", "confirmed", "refuted"]
    base = {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}
    for count in (1, 3):
        assert verdicts(ledger(steps(count, base=base)), at("1", "1e-6"), at("0.1", "1e-6")) == ["confirmed", "refuted"]
