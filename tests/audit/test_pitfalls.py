"""The pitfalls of training that the page on DP-SGD lists: what a ledger can declare of each, and what is said then."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import privref
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


def test_sums_that_were_divided_are_out_of_scope_where_they_are_declared() -> None:
    divided = {"guarantee": {"kind": "unknown", "description": "sums divided by the number of records"}}
    (opinion,) = privref.audit(ledger(divided, **ADDED), claims(LARGE)).opinions
    assert opinion.verdict == "out-of-scope"
    assert "divided by the number of records" in opinion.reason


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
