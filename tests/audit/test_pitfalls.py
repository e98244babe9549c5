"""The pitfalls of training that the page on DP-SGD lists: what a ledger can declare of each, and what is said then."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import privref
from privref import kernel
from privref.ledger.released import OTHER, OWN
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import solve, statement
from tests.audit.test_mechanisms import claims, ledger, verdicts

DRAWN = {"kind": "subsampled", "base": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}, "rate": "1/10",
         "sampling": "poisson"}  # fmt: skip
ADDED = {"neighbours": "add-or-remove-one"}
LARGE = {"epsilon": "1000", "delta": "1/2"}


def test_the_page_lists_nine() -> None:
    page = Path("reference/docs/dp-sgd.md").read_text(encoding="utf-8")
    rows = page.partition("| pitfall |")[2].partition("\n\n")[0].splitlines()
    assert len(rows) == 11


#: Where each pitfall is declared: what of an event's `released` breaks the guarantee, with words of the reason.
BROKEN = {
    "divided_by": ("batch-size", "divided by the number of records that were drawn"),
    "clipping": ("whole-batch", "sums were clipped"),
    "padding": ("other-records", "padded by other records"),
    "empty_batches": ("left-out", "empty batch failed or was left out"),
    "not_finite": ("kept", "not finite numbers were kept"),
    "noise": ("reused", "noise was used in more than one sum"),
    "across_records": ("some", "depends on the others of its batch"),
    "metrics": ("exact", "metrics of the run were released without noise"),
    "tuning": ("left-out", "chosen among others on these data"),
}
SIZED = {"dataset_size": {"value": 50_000, "public": False}}


def released(**words: Any) -> dict[str, Any]:
    return {"count": 10_000, "mechanism": DRAWN, "released": words}


def test_every_word_has_its_place_in_the_list() -> None:
    assert set(BROKEN) == set(OWN) == set(OTHER)
    schema = json.loads(files("privref").joinpath("schemas", "ledger.1.json").read_text(encoding="utf-8"))
    listed = schema["$defs"]["event"]["properties"]["released"]["properties"]
    assert {key: set(listed[key]["enum"]) for key in OWN} == {key: {*OWN[key], *OTHER[key]} for key in OWN}
    assert set(listed) == {*OWN, "coordinates"}


@pytest.mark.parametrize("key", BROKEN)
def test_what_breaks_a_guarantee_is_out_of_scope_where_it_is_declared(key: str) -> None:
    word, reason = BROKEN[key]
    found = ledger(released(**{key: word}), **ADDED)
    (opinion,) = privref.audit(found, claims(LARGE)).opinions
    assert (opinion.verdict, reason in opinion.reason) == ("out-of-scope", True)
    assert privref.audit(found, [privref.GaussianDPClaim("mu", 1000)]).opinions[0].verdict == "out-of-scope"


@pytest.mark.parametrize("key", BROKEN)
def test_what_keeps_it_is_a_premise_with_what_is_not_declared(key: str) -> None:
    for word, said in OWN[key].items():
        (opinion,) = privref.audit(ledger(released(**{key: word}), **ADDED), claims(LARGE)).opinions
        assert opinion.verdict == "confirmed"
        (premise,) = (each.how for each in opinion.premises if each.hypothesis is Hypothesis.RELEASED)
        assert said in premise
        assert premise.endswith(", ".join(each for each in OWN if each != key))
    (plain,) = privref.audit(ledger({"count": 10_000, "mechanism": DRAWN}, **ADDED), claims(LARGE)).opinions
    assert not any(each.hypothesis is Hypothesis.RELEASED for each in plain.premises)


def test_sums_divided_by_the_number_of_records_refute_a_claim_with_a_certificate() -> None:
    """One record more or less is seen in the noise itself, whatever the noise multiplier and the clipping are."""
    divided = released(divided_by="number-of-records", coordinates=11_700_000)
    audit = privref.audit(ledger(divided, **ADDED, **SIZED), claims({"epsilon": "8", "delta": "0.97"}))
    assert audit.opinions[0].verdict == "refuted"
    (premise,) = audit.opinions[0].premises
    assert "which is 49999 for a neighbour" in premise.how
    (certificate,) = privref.certificates(audit).values()
    assert kernel.check(certificate).verdict == "refuted"


@pytest.mark.parametrize(
    ("event", "changed", "verdict"),
    [
        ({}, SIZED, "refuted"),
        ({}, {"dataset_size": {"value": 50_000, "public": True}}, "confirmed"),
        ({}, {}, "out-of-scope"),
        ({"released": {"divided_by": "number-of-records"}}, SIZED, "out-of-scope"),
        ({"count": 100}, SIZED, "out-of-scope"),
        *(
            (released(divided_by="number-of-records", coordinates=11_700_000, **{key: word}), SIZED, "out-of-scope")
            for key, word in (("tuning", "left-out"), ("noise", "reused"), ("padding", "other-records"))
        ),
        ({"mechanism": {**DRAWN, "attained": False}}, SIZED, "out-of-scope"),
        ({"mechanism": {"kind": "laplace", "scale": "2", "sensitivity": "1"}}, SIZED, "out-of-scope"),
        ({}, {**SIZED, "parameters": "chosen-adaptively"}, "out-of-scope"),
        ({}, {**SIZED, "neighbours": "zero-out"}, "confirmed"),
        ({}, {**SIZED, "neighbours": "replace-one"}, "confirmed"),
    ],
)
def test_a_division_is_refuted_only_where_neighbours_change_the_divisor(
    event: dict[str, Any], changed: dict[str, Any], verdict: str
) -> None:
    divided = {**released(divided_by="number-of-records", coordinates=11_700_000), **event}
    claim: dict[str, Any] = {"epsilon": "8" if verdict != "confirmed" else "2000", "delta": "0.97"}
    found = ledger(divided, **{**ADDED, **changed})
    assert privref.audit(found, claims(claim)).opinions[0].verdict == verdict
    assert privref.audit(found, claims({**claim, "units": 2})).opinions[0].verdict != "refuted"


def test_what_was_released_is_refused_where_it_is_not_used() -> None:
    for event in (
        {"released": {"divided_by": "nothing"}, "guarantee": {"kind": "pure-dp", "epsilon": "1"}},
        {"released": {"divided_by": "nothing", "coordinates": 5}, "mechanism": DRAWN},
        {"released": {"coordinates": 5}, "mechanism": DRAWN},
        {"released": {"divided_by": "number-of-records", "coordinates": 10**16}, "mechanism": DRAWN},
        {"released": {"divided_by": "number-of-records", "coordinates": 0}, "mechanism": DRAWN},
        {"released": {}, "mechanism": DRAWN},
        # The number of records is that of all parts.
        {**released(divided_by="number-of-records", coordinates=9), "part": {"of": "zip", "is": "a"}},
        {"released": {"padding": "ones"}, "mechanism": DRAWN},
    ):
        with pytest.raises(privref.InputError, match="released"):
            ledger(event, **ADDED, partitions={"zip": "by region"})


def test_a_division_by_the_number_of_records_loses_what_no_noise_hides() -> None:
    """At the size of a published training, a claim of (8, 1e-5) is far off; for few coordinates nothing follows."""

    def lost(n: int, coordinates: int, eps: int) -> Fraction:
        given = {"n": n, "coordinates": coordinates, "eps": Fraction(eps)}
        found = solve(statement("gdp/divided.delta"), given, digits=10, engine="arb").enclosure
        assert found is not None
        return found.lower

    assert lost(50_000, 10_000 * 11_700_000, 8) > Fraction(97, 100)
    assert lost(50_000, 11_700_000, 0) < 0


def test_a_guarantee_below_the_sensitivity_is_refused() -> None:
    base: dict[str, Any] = {"kind": "gaussian", "sigma": "1", "sensitivity": "2"}
    with pytest.raises(privref.InputError, match="guarantee"):
        ledger({"mechanism": base, "guarantee": {"kind": "gaussian-dp", "mu": "1"}})


def test_batches_that_were_drawn_otherwise_are_no_poisson_samples() -> None:
    for sampling in ("shuffled", "unknown"):
        assert verdicts(ledger({"mechanism": {**DRAWN, "sampling": sampling}}, **ADDED), LARGE) == ["inapplicable"]
    (opinion,) = privref.audit(ledger({"mechanism": DRAWN}, **ADDED), claims(LARGE)).opinions
    assert any("every record was drawn on its own" in finding.how for finding in opinion.premises)


def test_a_cap_rests_on_no_fewer_records_than_the_ledger_has() -> None:
    cut = {**DRAWN, "batch_cap": "150", "records": "1000"}
    with pytest.raises(privref.InputError, match="records"):
        ledger({"mechanism": cut}, dataset_size={"value": 5000, "public": False}, **ADDED)


def test_neighbours_are_declared() -> None:
    with pytest.raises(privref.InputError, match="neighbours"):
        ledger({"mechanism": DRAWN}, neighbours=None)
    other = privref.ApproxDPClaim("c", 1000, "1/2", neighbours="add-or-remove-one")
    replaced = ledger({"mechanism": DRAWN["base"]})
    assert privref.audit(replaced, [other]).opinions[0].verdict == "inapplicable"


def test_a_metric_that_is_an_event_counts() -> None:
    alone = {"count": 4, "mechanism": DRAWN["base"]}
    metric = {"mechanism": {"kind": "laplace", "scale": "1/4", "sensitivity": "1"}}
    claim = {"epsilon": "3.3", "delta": "1e-3"}
    assert verdicts(ledger(alone), claim) == ["confirmed"]
    assert verdicts(ledger(alone, metric), claim) != ["confirmed"]
