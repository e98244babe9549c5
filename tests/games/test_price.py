"""The price of adaptivity: exact ratios, certified from both sides, and how they grow."""

from __future__ import annotations

from fractions import Fraction

import pytest

import privref
from privref.games.attack import certificate
from privref.reproductions.tables import INSTANCES, ROUNDS, Instance, price_of_adaptivity, prices

FIRST = INSTANCES[0]


def found(instance: Instance, rounds: int) -> list:
    return list(prices(instance.menu, instance.epsilon, instance.delta, rounds))


def test_the_known_ratio() -> None:
    """53/180 against 1/4 in three rounds, and nothing in one or two."""
    rows = found(FIRST, 3)
    assert [row.reached for row in rows] == [Fraction(1, 4), Fraction(1, 4), Fraction(53, 180)]
    assert rows[-1].lower == Fraction(53, 45)


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.menu)
def test_rounds_are_certified_from_both_sides(instance: Instance) -> None:
    """The price never falls; its certificate holds, and so does the ceiling.

    Ten rounds of six choices take a quarter of a minute, so that here fewer must do.
    """
    rounds = {2: ROUNDS, 3: 8, 4: 7, 5: 5}[instance.menu.count(",")]
    rows = found(instance, rounds)
    assert [row.rounds for row in rows] == list(range(1, rounds + 1))
    ratios = [row.lower for row in rows]
    assert ratios == sorted(ratios)
    # Fixed rounds attain every claim but that of the family with a fourth choice, which was given.
    assert 1 in ratios or instance.delta == "1/10"
    for row in rows:
        assert row.lower <= row.upper
        assert row.upper - row.lower < Fraction(1, 10**20)
    last = rows[-1]
    assert last.lower > Fraction(11, 10)
    checked = privref.verify(certificate(last.attack))
    assert checked.outcome == "verified"


def test_the_family_with_a_fourth_choice() -> None:
    """1102/10125 against 1/10, a ratio of 1.0884 in four rounds, which is not the largest for four choices."""
    family = next(instance for instance in INSTANCES if instance.delta == "1/10")
    rows = found(family, 4)
    assert rows[-1].reached == Fraction(1102, 10125)
    largest = max((i for i in INSTANCES if i.menu.count(",") == 3), key=lambda i: found(i, 8)[-1].lower)
    assert largest != family


def test_the_least_horizon_agrees_with_the_attack() -> None:
    """The attack stops at the first round with a price above 1; with the largest failure asked for it goes on."""
    shortest = privref.attack("natural-filter", FIRST.menu, 6, epsilon=FIRST.epsilon, delta=FIRST.delta)
    largest = privref.attack("natural-filter", FIRST.menu, 6, epsilon=FIRST.epsilon, delta=FIRST.delta, largest=True)
    rows = found(FIRST, 6)
    assert (shortest.rounds, shortest.exact) == (3, rows[2].reached)
    assert (largest.rounds, largest.exact) == (6, rows[5].reached)
    assert largest.verdict == "broken"


def test_what_holds_is_told_so_with_the_largest_failure_too() -> None:
    """A single kind of round has no price."""
    held = privref.attack("natural-filter", "log(2)", 5, epsilon="log(2)", delta="1/4", largest=True)
    assert held.verdict == "not-broken"
    assert held.rounds == 5


def test_a_search_that_is_cut_short_gives_fewer_rounds() -> None:
    """No row for a horizon that was not searched whole."""
    menu, epsilon, delta = FIRST.menu, FIRST.epsilon, FIRST.delta
    rows = list(prices(menu, epsilon, delta, ROUNDS, max_states=300))
    assert 0 < len(rows) < ROUNDS
    assert rows[-1].reached == found(FIRST, len(rows))[-1].reached


@pytest.mark.parametrize("delta", ["0", "1", "-1"])
def test_a_claim_of_no_delta_has_no_price(delta: str) -> None:
    """A ratio to 0 says nothing."""
    with pytest.raises(privref.InputError):
        list(prices(FIRST.menu, FIRST.epsilon, delta, 2))


def test_the_table_rounds_outward() -> None:
    """Both ends of each ratio hold as they are printed."""
    rows = list(price_of_adaptivity((FIRST,), 4))
    for row, price in zip(rows, found(FIRST, 4), strict=True):
        assert Fraction(row["ratio at least"]) <= price.lower <= price.upper <= Fraction(row["ratio at most"])
    assert rows[2]["reached"] == "53/180"
    assert "price-of-adaptivity" in privref.table_names()
