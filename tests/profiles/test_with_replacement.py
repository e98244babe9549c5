"""Batches drawn with replacement, where a record is replaced or zeroed out."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from statistics import NormalDist
from typing import Any

import pytest

import privref
from privref.exact.errors import UndecidedError
from privref.profiles import composed, with_replacement
from privref.profiles.model import Composition, Labelled, WorstApproximate

F = Fraction
ONE = (F(1), F(1))


@pytest.mark.parametrize(("draws", "records"), [(1, 2), (3, 3), (10, 1000), (40, 100)])
def test_the_chances_of_copies_are_bounds_of_the_binomial_law(draws: int, records: int) -> None:
    some, chances, rest = with_replacement.copies(draws, records)
    exactly = [
        math.comb(draws, k) * F(1, records) ** k * F(records - 1, records) ** (draws - k) for k in range(draws + 1)
    ]
    assert 0 <= (1 - exactly[0]) - some < F(1, 10**38)
    for found, true in zip(chances, exactly[1:], strict=False):
        assert 0 <= found - true < F(1, 10**38)
    assert rest >= sum(exactly[len(chances) + 1 :])
    assert rest <= with_replacement._LEFT * 2


def test_too_many_copies_are_out_of_reach() -> None:
    with pytest.raises(UndecidedError, match="more than 64 times"):
        with_replacement.copies(10**6, 10**3)


def _delta(first: list[tuple[float, float]], second: list[tuple[float, float]], scale: float) -> float:
    """Of two mixtures of normal laws on a line, by a sum over cells: from below, but for rounding."""
    normal = NormalDist()

    def mass(law: list[tuple[float, float]], low: float, high: float) -> float:
        return math.fsum(w * (normal.cdf(high - mean) - normal.cdf(low - mean)) for w, mean in law)

    cells = [-14 + i / 16 for i in range(28 * 16)]
    return math.fsum(max(mass(first, at, at + 1 / 16) - scale * mass(second, at, at + 1 / 16), 0.0) for at in cells)


@pytest.mark.parametrize(("neighbours", "x", "other"), [("replace-one", 0.5, -0.5), ("zero-out", 1.0, 0.0)])
@pytest.mark.parametrize("eps", ["0", "1/2", "2"])
def test_no_two_data_sets_on_a_line_lose_more_than_the_pair_in_either_order(
    neighbours: str, x: float, other: float, eps: str
) -> None:
    """Two draws of three records, each of the others' values at an end or in the middle of what they may be."""
    upper, _ = with_replacement.rounds_of(2, 3, ONE, neighbours)
    width = F(1, 10**4)
    bound = composed.profile_delta("arb", Composition.of(upper), F(eps), width)
    ends = (-abs(x), 0.0, abs(x))

    def law(values: tuple[float, ...]) -> list[tuple[float, float]]:
        return [(1 / 9, math.fsum(batch)) for batch in product(values, repeat=2)]

    found = [
        _delta(law((here, *others)), law((there, *others)), math.exp(F(eps)))
        for others in product(ends, repeat=2)
        for here, there in ((x, other), (other, x))
    ]
    assert max(found) < float(bound.upper)
    assert max(found) > float(bound.lower) / 4


def test_of_one_draw_the_pair_is_that_of_a_sample_without_replacement() -> None:
    (item,), _ = with_replacement.rounds_of(1, 10, ONE, "replace-one")
    assert isinstance(item.pair, Labelled)
    ((chance, part),) = item.pair.parts
    assert chance == 1
    assert abs(part.rate - F(1, 10)) < F(1, 10**38)


def test_where_many_copies_are_left_out_it_is_still_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the label had the chance of all copies, and the mixture less of those that it keeps apart."""
    monkeypatch.setattr(with_replacement, "_LEFT", F(1, 50))
    with_replacement.copies.cache_clear()
    upper, lower = with_replacement.rounds_of(20, 20, (F(1, 3), F(1, 3)), "replace-one")
    with_replacement.copies.cache_clear()
    most, least = (composed.profile_delta("arb", Composition.of(part), F(1), F(1, 10**4)) for part in (upper, lower))
    assert most.upper > least.upper


def test_no_guarantee_of_one_copy_is_taken_next_to_it() -> None:
    """(1, 0.13)-DP holds of one copy, and ten draws of ten records may hold more: 0.172 is lost at epsilon 1."""
    for neighbours in ("replace-one", "zero-out"):
        document = _ledger(neighbours, rate="1", records=10)
        document["events"][0]["guarantee"] = {"kind": "approx-dp", "epsilon": "1", "delta": "13/100"}
        with pytest.raises(privref.InputError, match="several times"):
            privref.ledger_from_document(document)


def test_as_gaussian_dp_it_counts_as_all_its_draws() -> None:
    """The multiplier is irrational, so that mu is that of the guarantee or of none, and never that of one copy."""
    base = {"kind": "gaussian", "sigma_squared": "2", "sensitivity": "1"}
    document = _ledger("zero-out", rate="1", records=10, base=base)
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", "mu": "1.5"}]})
    (found,) = privref.audit(privref.ledger_from_document(document), claims).opinions
    assert found.verdict == "unsupported"


@pytest.mark.parametrize(("size", "fits"), [(100, True), (99, False), (101, False)])
def test_the_records_are_all_there_are(size: int, fits: bool) -> None:
    document = {**_ledger("zero-out"), "dataset_size": {"value": size, "public": True}}
    if fits:
        privref.ledger_from_document(document)
    else:
        with pytest.raises(privref.InputError, match="dataset_size"):
            privref.ledger_from_document(document)


def test_what_is_not_told_apart_counts_as_lost() -> None:
    upper, _ = with_replacement.rounds_of(256, 50_000, ONE, "zero-out")
    (rest,) = (item.pair for item in upper if isinstance(item.pair, WorstApproximate))
    assert 0 < rest.delta < F(1, 10**17)


def _ledger(neighbours: str, **more: Any) -> dict[str, Any]:
    noise = {"kind": "gaussian", "sigma": "4", "sensitivity": "1"}
    law = {"kind": "subsampled", "sampling": "with-replacement", "rate": "1/50", "records": 100, "base": noise, **more}
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": neighbours,
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"count": 4, "mechanism": law}],
    }  # fmt: skip


def _opinions(document: dict[str, Any], *epsilons: str) -> list[Any]:
    claims = [{"id": f"c{i}", "epsilon": each, "delta": "1e-3"} for i, each in enumerate(epsilons)]
    read = privref.claims_from_document({"schema": "claims.1", "claims": claims})
    return list(privref.audit(privref.ledger_from_document(document), read).opinions)


@pytest.mark.parametrize("neighbours", ["replace-one", "zero-out"])
def test_an_audit_confirms_and_refutes(neighbours: str) -> None:
    above, below = _opinions(_ledger(neighbours), "3/5", "1/1000")
    assert (above.verdict, below.verdict) == ("confirmed", "refuted")
    assert any("with-replacement" in finding.how for finding in above.premises)


def test_a_batch_of_as_many_draws_as_there_are_records_is_not_all_of_them() -> None:
    ledger = privref.ledger_from_document(_ledger("zero-out", rate="1", records=4))
    (event,) = ledger.events
    assert event.law is not None
    assert event.law.upper is not None
    (item,) = event.law.upper
    assert isinstance(item.pair, Labelled)
    assert len(item.pair.parts) == 4


def test_of_an_added_record_nothing_is_known() -> None:
    (found,) = _opinions(_ledger("add-or-remove-one"), "3")
    assert found.verdict == "inapplicable"
    assert "several times" in found.reason


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"records": 1}, "records"),
        ({"records": 99}, "records"),
        ({"batch_cap": 3}, "batch_cap"),
        ({"clipped": True}, "clipped"),
    ],
)
def test_what_is_no_batch_of_draws_is_refused(more: dict[str, Any], field: str) -> None:
    with pytest.raises(privref.InputError, match=field):
        privref.ledger_from_document(_ledger("zero-out", **more))


def test_the_number_of_records_is_asked_for() -> None:
    document = _ledger("zero-out")
    del document["events"][0]["mechanism"]["records"]
    with pytest.raises(privref.InputError, match="of how many records"):
        privref.ledger_from_document(document)
