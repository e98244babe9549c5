"""Batches that are drawn with replacement: the kernel's law against exact chances, and what it refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from privref import kernel
from privref.kernel import balls
from privref.kernel.fields import MOST
from privref.kernel.pairs import Normal, Revealed, WorstApproximate, taken
from privref.kernel.record import read
from privref.kernel.theorems import dominating_rounds
from tests.kernel.cases import GAUSSIAN, OFTEN_CUT, PUT_BACK, adaptive, drawn, ledger, records, zeroed
from tests.kernel.test_certificates import issue
from tests.kernel.test_exact import put_back
from tests.kernel.test_forgeries import forged, refused

F = Fraction


@pytest.mark.parametrize("neighbours", ["replace-one", "zero-out"])
@pytest.mark.parametrize(("draws", "records"), [(1, 2), (2, 2), (3, 3), (12, 12), (10, 1000), (99, 100)])
def test_each_label_holds_the_chance_of_its_copies(draws: int, records: int, neighbours: str) -> None:
    """By the binomial law, exactly: labels sum to 1, none has too little, and what is left out is all lost."""
    law = put_back(draws, records, neighbours)
    (pair,) = law.pairs
    assert isinstance(pair.base, Revealed)
    *parts, (rest, last) = pair.base.parts
    chances = [
        math.comb(draws, k) * F(1, records) ** k * F(records - 1, records) ** (draws - k) for k in range(draws + 1)
    ]
    assert sum(chance for chance, _ in parts) + rest == 1
    for k, (chance, part) in enumerate(parts, 1):
        assert 0 <= chance * part.rate - chances[k] < F(1, 10**23)
        assert part.base == Normal(F(k * k, 4))
        assert part.means == taken(part.rate, neighbours != "replace-one")
        assert part.rate <= 1
    assert last.base == WorstApproximate(F(0), F(1))
    assert sum(chances[len(parts) + 1 :]) <= rest < F(1, 2**59)
    (least,) = law.lost
    assert 0 <= 1 - chances[0] - least.rate < F(1, 10**23)
    assert least.base == Normal(F(1, 4))
    assert (law.rho, law.mu_squared) == (F(draws**2, 8), F(draws**2, 4))


def test_what_is_certainly_lost_refutes() -> None:
    for record in (ledger(drawn(**PUT_BACK)), zeroed(drawn(**PUT_BACK))):
        made = issue(record, {"epsilon": "1/10", "delta": "1e-6"}, "refuted")
        assert kernel.check(made).verdict == "refuted"


@pytest.mark.parametrize(
    ("record", "claim", "verdict", "by", "witness", "reason"),
    [
        # One copy has mu = sqrt(40)/8, three have three times that.
        (ledger(drawn(**PUT_BACK)), {"mu": "2"}, "confirmed", GAUSSIAN, {}, "squares of mu"),
        (ledger(drawn(**PUT_BACK)), {"rho": "2"}, "confirmed", "whitehouse2023/thm1", {}, "sum of the rhos"),
        (ledger(drawn(**PUT_BACK)), {"rho": "2"}, "confirmed", "whitehouse2023/thm1.tight", {}, "and the rhos"),
        (adaptive(drawn(**PUT_BACK), budget={"rho": "2", "filter": "whitehouse2023/thm1"}),
         {"rho": "2"}, "confirmed", "whitehouse2023/thm1", {}, "sum of the rhos"),
        (ledger(drawn(**PUT_BACK)), {"mu": "4", "units": 2}, "confirmed", GAUSSIAN, {}, "squares of mu"),
        (ledger(drawn(**PUT_BACK)), {"epsilon": "1/5", "delta": "1/100"}, "confirmed", "cks2020/rdp2dp",
         {"order": "4"}, "conversion"),
        (ledger({**drawn(**PUT_BACK), "guarantee": {"kind": "gaussian-dp", "mu": "1/8"}}),
         {"mu": "1"}, "confirmed", GAUSSIAN, {}, "guarantee follows"),
        # Nothing is lost for certain where the shift is not attained.
        (ledger(drawn(**PUT_BACK, attained=False)), {"mu": "1/100"}, "refuted", "moment", {"events": [0]},
         "not attained"),
        (ledger(drawn(**PUT_BACK)), {"rho": "1"}, "refuted", "moment", {"events": [0]}, "a rho of"),
        (ledger(drawn(**{**PUT_BACK, "records": 1})), {"mu": "9"}, "confirmed", GAUSSIAN, {}, "from 2 to"),
        (ledger(drawn(**{**PUT_BACK, "records": 31})), {"mu": "9"}, "confirmed", GAUSSIAN, {}, "whole number of draws"),
        (ledger(drawn(**PUT_BACK), dataset_size={"value": 29, "public": True}),
         {"mu": "9"}, "confirmed", GAUSSIAN, {}, "dataset_size"),
    ],
)  # fmt: skip
def test_what_holds_of_one_copy_does_not_hold_of_several(
    record: dict[str, Any], claim: dict[str, Any], verdict: str, by: str, witness: dict[str, Any], reason: str
) -> None:
    refused(forged(record, claim, verdict, by, witness), reason)


@pytest.mark.parametrize(
    "guarantee",
    [
        # Three copies have these, and so do what three draws take.
        {"kind": "zcdp", "rho": "9/128"},
        {"kind": "gaussian-dp", "mu": "3/8"},
        {"kind": "approx-dp", "epsilon": "3", "delta": "1e-4"},
        {"kind": "rdp", "orders": {"2": "9/64"}},
    ],
)
def test_no_guarantee_is_taken_beside_them(guarantee: dict[str, Any]) -> None:
    """As in the audit, which reads no such ledger, also where the guarantee follows."""
    record = ledger({**drawn(**PUT_BACK), "guarantee": guarantee})
    refused(forged(record, {"mu": "2.38"}, "confirmed", GAUSSIAN, {}), "does not see that the")


def test_with_as_many_copies_as_draws_it_holds() -> None:
    """The bounds that the last test's claims are below."""
    for record, claim, by in (
        (ledger(drawn(**PUT_BACK)), {"mu": "2.38"}, GAUSSIAN),
        (ledger(drawn(**PUT_BACK)), {"rho": "2.82"}, "whitehouse2023/thm1"),
        (ledger(drawn(**PUT_BACK)), {"mu": "4.75", "units": 2}, GAUSSIAN),
    ):
        assert kernel.check(forged(record, claim, "confirmed", by, {}))


def test_equal_events_with_a_cap_are_one_pair() -> None:
    """The chance of a cut is computed once for all of them."""
    record = read(records(OFTEN_CUT, OFTEN_CUT), MOST)
    ((pair, count),) = dominating_rounds(record, labelled=True)
    assert count == 2 * OFTEN_CUT["count"]
    assert isinstance(pair.base, Revealed)
    ((whole, n),) = dominating_rounds(record)
    assert (whole.base, n) == (pair.base.parts[0][1].base, count)


def test_where_two_terms_meet_is_found_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newton's step is the root then, and was refused as an end of the interval: 130 halvings for each mass."""
    monkeypatch.setattr(balls, "MOST_STEPS", 4)
    with balls.working(256):
        found = balls.crossing([(1, balls.rational(F(1, 3)))], [(0, -balls.rational(5))])
        assert found.overlaps(balls.rational(15).log())
