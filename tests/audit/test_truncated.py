"""Audits of Poisson batches with a cap: what is confirmed, refuted and left open, and that no route forgets the cap."""

from __future__ import annotations

from typing import Any

import pytest

import privref
from privref.ledger.documents import digest
from tests.audit.test_mechanisms import at, claims, verdicts
from tests.audit.test_sampled import ledger, opinion, steps

CUT, TOLD = "chua2024b/truncated", "chua2024b/cut"
RESPONSE = {"kind": "randomized-response", "epsilon": "1"}
#: One round: its law is in closed form. A sample has 100 records in the mean, and the deviation is 9.5.
CAP = {"batch_cap": "150", "records": "1000"}


def cut(count: int = 1, **changed: Any) -> dict[str, Any]:
    return steps(count, **{**CAP, **changed})


def test_a_cap_costs_what_its_term_adds_and_both_sides_are_certified() -> None:
    """0.2283… for whole samples, 0.2296… for cut ones; between them nothing is known of these, below both is false."""
    claimed = at("0.2297"), at("0.229"), at("0.226")
    assert verdicts(ledger(steps(1)), *claimed) == ["confirmed", "confirmed", "refuted"]
    by_a_term = [{**claim, "by": CUT} for claim in claimed]
    assert verdicts(ledger(cut()), *by_a_term) == ["confirmed", "unsupported", "refuted"]
    # Told whether a batch may be cut, the pair is nearly that of whole samples: 0.2283…
    assert verdicts(ledger(cut()), *claimed, at("0.2284")) == ["confirmed", "confirmed", "refuted", "confirmed"]
    assert verdicts(ledger(cut(batch_cap="1001")), *claimed) == ["confirmed", "confirmed", "refuted"]


def test_all_that_a_verdict_rests_on_is_printed() -> None:
    cases: tuple[tuple[dict[str, str], list[str]], ...] = (
        ({}, ["cut-by-order", "poisson-sampling"]),
        ({"batch_cap": "1001"}, ["poisson-sampling", "truncated-samples"]),
    )
    for changed, rests_on in cases:
        found = opinion(ledger(cut(**changed)), at("1"))
        assert found.verdict == "confirmed"
        assert [premise.hypothesis.key for premise in found.premises] == rests_on
        words = next(premise.how for premise in found.premises if premise.hypothesis.key != "poisson-sampling")
        for said in (
            "no data set has more than 1000 beside",
            "depends on the records drawn",
            "no sum is divided by how many",
        ):
            assert said in words
    assert found.bounds[0].application.by == "zdw2022/poisson_gaussian"


def test_no_other_route_speaks_of_cut_samples() -> None:
    """Not the laws, not the Renyi divergences, not the base's guarantee; whatever else is in the ledger."""
    for event in (cut(), cut(rate="1")):
        for more in ((), ({"guarantee": {"kind": "pure-dp", "epsilon": "0.1"}},)):
            run = ledger(event, *more)
            found = opinion(run, at("900"))
            assert found.verdict in ("confirmed", "inapplicable", "unsupported")
            assert {bound.application.by for bound in found.bounds} <= {CUT, TOLD}
            assert opinion(run, {**at("900"), "by": "zdw2022/thm10"}).verdict == "inapplicable"
    for claim in ({"rho": "9"}, {"mu": "9"}, {"epsilon": "9", "delta": "0"}):
        assert opinion(ledger(cut()), claim).verdict in ("inapplicable", "unsupported"), claim


def test_what_is_declared_is_needed() -> None:
    for run in (
        ledger(cut(), parameters="chosen-adaptively"),
        ledger(cut(rate="1")),
        ledger(cut(base={"kind": "discrete-gaussian", "sigma": "9", "shifts": ["1", "1"]})),
    ):
        assert opinion(run, at("900")).verdict == "inapplicable"
    assert verdicts(ledger(cut(), interaction="concurrent"), at("0.3")) == ["confirmed"]


def test_a_replaced_record_is_in_the_batches_of_the_one_before_it() -> None:
    """So a round counts as its mechanism on all records, if which ones are cut depends on no record's content."""
    run = ledger(cut(), neighbours="replace-one")
    assert verdicts(run, at("900"), at("0.1")) == ["confirmed", "unsupported"]
    for by, other in (("gdp/composition", False), (TOLD, True)):
        said = " ".join(finding.how for finding in opinion(run, {**at("900"), "by": by}).premises)
        assert "depends on coins and on earlier answers only, each at most once" in said
        assert ("count as their mechanism on all records" in said) is not other
        assert ("one in another's place is drawn, and takes a place, as that one does" in said) is other


@pytest.mark.parametrize(("clipped", "most"), [(False, "1.0704"), (True, "0.10582")])
def test_a_replaced_record_has_a_pair_of_its_own(clipped: bool, most: str) -> None:
    """Clipped to half of what is changed by replacing one, or told who is drawn; on all records 4.4."""
    (given,) = [cut(1)]
    run = ledger({**given, "mechanism": {**given["mechanism"], "clipped": clipped}}, neighbours="replace-one")
    found = opinion(run, {**at(most), "delta": "1e-5"})
    assert found.verdict == "confirmed"
    assert found.bounds[0].application.by == TOLD
    assert ("half of what a replaced one changes (clipped)" in " ".join(each.how for each in found.premises)) is clipped


def test_what_is_not_attained_refutes_nothing() -> None:
    assert verdicts(ledger(cut(attained=False)), at("0.1")) == ["unsupported"]


def test_a_claim_near_what_whole_samples_lose_is_not_called_false() -> None:
    """The lower bound is less by the term; a batch that is cut nearly always has none."""
    assert verdicts(ledger(cut(batch_cap="140")), at("0.2")) == ["unsupported"]
    assert verdicts(ledger(cut(batch_cap="105")), at("0", "1e-2"), at("1", "1e-1")) == ["unsupported", "confirmed"]


def test_unequal_rounds_sum_their_terms_and_refute_together_where_one_pair_attains_them() -> None:
    events = cut(2, base=RESPONSE), cut(batch_cap="160", rate="1/9", base={**RESPONSE, "epsilon": "1/2"})
    together = ledger(*events, attained_together=True)
    found = opinion(together, at("0.4", "1e-3"))
    assert found.verdict == "confirmed"
    assert [bound.application.by for bound in found.bounds] == [CUT]
    assert found.bounds[0].enclosure is not None
    below = at(f"{float(found.bounds[0].enclosure.lower) * 0.99:.6f}", "1e-3")
    assert verdicts(together, below) == ["refuted"]
    assert verdicts(ledger(*events), below) == ["unsupported"]


def test_groups_and_periods_take_the_bound_of_one_unit() -> None:
    run = ledger(cut(base=RESPONSE), period="day")
    assert verdicts(run, {**at("0.4", "1e-3"), "periods": 2}) == ["confirmed"]
    (found,) = privref.audit(ledger(cut()), claims({**at("1", "1e-4"), "units": 2})).opinions
    assert found.verdict == "confirmed"
    assert found.of_unit is not None


def test_comparisons_have_the_cap_s_bound_only() -> None:
    bounds, _, _ = privref.compare(ledger(cut()), "1e-6")
    assert [bound.application.by for bound in bounds] == [TOLD, CUT]


@pytest.mark.parametrize("count", [1, 40])
def test_the_filter_of_dp_sgd_does_not_admit_cut_rounds(count: int) -> None:
    """A Renyi filter sums divergences, and of cut samples none is known."""
    run = ledger(cut(count), parameters="chosen-adaptively", budget={
        "epsilon": "9", "delta": "1e-6", "filter": "rogers2016/thm3.3"})  # fmt: skip
    assert opinion(run, at("9")).verdict == "inapplicable"


@pytest.mark.parametrize(
    "guarantee", [{"kind": "pure-dp", "epsilon": "9"}, {"kind": "approx-dp", "epsilon": "0.001", "delta": "1e-9"}]
)
def test_a_guarantee_beside_a_cap_is_not_stronger_than_what_a_record_alone_loses(guarantee: dict[str, str]) -> None:
    """Nothing is cut where no other record is; such a guarantee was taken at its word, and confirmed claims."""
    with pytest.raises(privref.InputError, match="stronger than what the declared mechanism"):
        ledger({**cut(4), "guarantee": guarantee})


def approx(epsilon: str, delta: str) -> dict[str, str]:
    return {"kind": "approx-dp", "epsilon": epsilon, "delta": delta}


NOISE = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
#: True of whole samples, and at 50 of 1000 false of cut ones, by an adversary who loses 6.08e-3; or of another kind.
DOES_NOT_FOLLOW: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"base": NOISE, "batch_cap": "50"}, approx("1", "2.2e-4")),
    ({}, {"kind": "gaussian-dp", "mu": "9"}),
    ({}, {"kind": "zcdp", "rho": "9"}),
    ({"base": RESPONSE}, {"kind": "pure-dp", "epsilon": "1"}),
    ({"base": RESPONSE, "rate": "1"}, {"kind": "pure-dp", "epsilon": "1"}),
    ({"rate": "1"}, approx("9", "0.5")),
    ({}, approx("1e9", "0")),
]


@pytest.mark.parametrize(("changed", "guarantee"), DOES_NOT_FOLLOW, ids=str)
def test_a_guarantee_beside_a_cap_is_refused_where_it_does_not_follow(
    changed: dict[str, Any], guarantee: dict[str, str]
) -> None:
    """At its word it confirmed false claims; declared as an upper bound like the shift it is the ledger's own."""
    with pytest.raises(privref.InputError, match=r"events\[0\].guarantee"):
        ledger({**cut(**changed), "guarantee": guarantee})
    assert ledger({**cut(**changed, attained=False), "guarantee": guarantee}).rounds == 1


def test_what_is_false_of_a_record_alone_is_so_at_rate_one() -> None:
    told = {"guarantee": {"kind": "pure-dp", "epsilon": "0.01"}}
    with pytest.raises(privref.InputError, match="no pure DP"):
        ledger({**cut(rate="1", batch_cap="50"), **told})


def test_a_guarantee_beside_a_cap_may_be_what_the_bound_gives() -> None:
    """At epsilon 0.23 the bound is just below 1e-6, which whole samples are well below."""
    assert verdicts(ledger({**cut(), "guarantee": approx("0.23", "1e-6")}), at("0.23")) == ["confirmed"]
    with pytest.raises(privref.InputError, match="not decided"):
        ledger({**cut(), "guarantee": approx("0.229", "1e-6")})


@pytest.mark.parametrize(
    ("changed", "epsilon", "delta"),
    [
        ({"rate": "1e-50"}, "10000", "1e-30"),
        ({"rate": "1e-20"}, "1e9", "1e-300"),
        ({"rate": "1e-12", "records": "1000000000000000", "batch_cap": "5000"}, "1e9", "1e-300"),
    ],
)
def test_tiny_rates_of_huge_data_sets_are_answered(changed: dict[str, str], epsilon: str, delta: str) -> None:
    """Also a huge claim at a tiny delta has a certificate that verifies."""
    assert verdicts(ledger(cut(**changed)), at("1", "1e-5"), at(epsilon, delta)) == ["confirmed", "confirmed"]


SIZED = {"dataset_size": {"value": 1000, "public": False}}


@pytest.mark.parametrize("records", ["49", "999"])
def test_the_records_beside_the_differing_one_are_all_of_the_data_set(records: str) -> None:
    """With 49 no batch of 1000 records was ever above a cap of 50, and Poisson's claims were confirmed."""
    with pytest.raises(privref.InputError, match=r"events\[0\].mechanism.records: .*dataset_size is 1000"):
        ledger(cut(batch_cap="50", records=records), **SIZED)


def test_records_are_held_against_the_size_of_what_is_read() -> None:
    assert ledger(cut(), **SIZED).rounds == 1
    replaced = {"neighbours": "replace-one", **SIZED}
    assert ledger(cut(records="999"), **replaced).rounds == 1
    with pytest.raises(privref.InputError, match="at least 999"):
        ledger(cut(records="998"), **replaced)
    trial = {"guarantee": {"kind": "pure-dp", "epsilon": "9"}, "selected": "above-threshold"}
    with pytest.raises(privref.InputError, match="at least 1000"):
        ledger({**cut(records="999", attained=False), **trial}, **SIZED)
    part = {"part": {"of": "ZIP code", "is": "98052"}}
    assert ledger({**cut(records="200"), **part}, **SIZED, partitions={"ZIP code": "a public key"}).rounds == 1


def test_the_kernel_holds_records_against_a_group_too() -> None:
    """Also where the group's claim follows from one of a unit: a group has the unit before beside the last one."""
    claim = {**at("1", "1e-4"), "units": 2}
    made = privref.certificates(
        privref.audit(ledger(cut(), dataset_size={"value": 999, "public": True}), claims(claim))
    )
    (certificate,) = made.values()
    assert "of_unit" in certificate["proofs"][0]
    assert privref.verify(certificate).outcome == "verified"
    document = {**certificate["ledger"]["document"], **SIZED}
    certificate["ledger"] |= {"document": document, "sha256": digest(document)}
    (failed,) = (check.detail for check in privref.verify(certificate).checks if not check.passed)
    assert "a cap rests on 1000 records, and by the ledger there are 1001" in failed


def test_the_kernel_holds_records_against_the_size_too() -> None:
    (certificate,) = privref.certificates(privref.audit(ledger(cut()), claims(at("1")))).values()
    document = {**certificate["ledger"]["document"], "dataset_size": {"value": 1001, "public": True}}
    certificate["ledger"] |= {"document": document, "sha256": digest(document)}
    (failed,) = (check.detail for check in privref.verify(certificate).checks if not check.passed)
    assert "a cap rests on 1000 records" in failed


@pytest.mark.parametrize("name", ["batch_cap", "records"])
def test_a_count_is_an_integer_and_strings_stay_readable(name: str) -> None:
    """Both are the same ledger; what is no whole number of at least 1 is refused with the field."""
    read, spelled = (
        privref.ledger_from_document(
            {
                "schema": "ledger.1", "title": "t", "privacy_unit": "record", "neighbours": "add-or-remove-one",
                "parameters": "fixed-in-advance", "interaction": "sequential",
                "events": [cut(**{name: kind(1000)})],
            }
        )
        for kind in (int, str)
    )  # fmt: skip
    assert read.events[0].law == spelled.events[0].law
    assert verdicts(read, at("1")) == verdicts(spelled, at("1")) == ["confirmed"]
    for wrong in (0, -1, 1.5, True, "3/2", None, [1000]):
        with pytest.raises(privref.InputError, match=name):
            ledger(cut(**{name: wrong}))
