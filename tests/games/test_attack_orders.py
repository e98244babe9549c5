"""Adversaries against filters of Renyi orders: several orders, and the rounds of DP-SGD."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import privref
from privref.adaptive.sgd import charge
from privref.games.attack_check import check
from privref.games.rounds import from_source, read_menu
from privref.guarantees import conversions

#: A first round whose moment is one answer's at order 8 and the other's at order 2, and for either a round that is
#: nearly tight at its order on what is left of a budget of epsilon = 8.
APART = "rdp(1/100; 2231/1000000; 2 8), rdp(381/500; 997/1000000; 2 8), rdp(7/4000; 2887/10000000000; 2 8)"
#: The same, tight at half of delta.
HALVED = "rdp(1/200; 11157/10000000; 2 8), rdp(19/25; 995/1000000; 2 8), rdp(805/1000000; 13285/100000000000; 2 8)"


def test_the_best_of_two_orders_at_the_whole_delta_is_no_filter() -> None:
    """It loses nearly twice the delta that each order by itself may lose."""
    found = privref.attack("best-order", APART, 2, epsilon="8", delta="1/1000", settings={"orders": "2 8"})
    assert found.verdict == "broken"
    assert Fraction("0.00186") < found.failure.lower <= found.ceiling < Fraction("0.00187")
    document = json.loads(json.dumps(privref.report.attack_document(found)["certificate"]))
    assert all(held for _, held, _ in check(document))
    document["rounds"][0]["orders"]["8"] = "8/10"
    assert [held for _, held, _ in check(document)] == [False]


def test_each_order_by_itself_is_a_filter() -> None:
    for order in ("2", "8"):
        found = privref.attack(
            "renyi-filter", APART, 3, epsilon="8", delta="1/1000", settings={"order": order, "delta_prime": "1/1000"}
        )
        assert found.verdict == "not-broken"
        assert found.ceiling <= Fraction(1, 1000)


@pytest.mark.parametrize(
    ("menu", "least"), [(APART, "0"), (HALVED, "0.00089"), (f"{APART}, 1/2, zcdp(1; 1/3; 1/4)", "0")]
)
def test_no_adversary_breaks_two_orders_that_share_delta(menu: str, least: str) -> None:
    """With half of delta for each order near nine tenths of delta are reached: the division is nearly needed."""
    settings = {"orders": "2 8", "delta_prime": "1/1000"}
    found = privref.attack("renyi-grid-filter", menu, 4, epsilon="8", delta="1/1000", settings=settings, largest=True)
    assert found.verdict == "not-broken"
    assert Fraction(least) <= found.failure.lower <= found.ceiling <= Fraction(1, 1000)


def _step(rate: str, p: str, q: str) -> dict[str, object]:
    """A step of DP-SGD with sigma = 1, of which it is published whether the gradient exceeds a threshold."""
    orders = {"4": str(charge(Fraction(rate), Fraction(1), 4))}
    return {"family": "rdp", "p": p, "q": q, "orders": orders}


def test_no_adversary_breaks_the_filter_for_dp_sgd() -> None:
    """Rates of 1/10 and 3/10, thresholds of 2 and 5/2, chosen on the way, charged by the moment at order 4."""
    menu = [_step("1/10", "0.0363", "0.0228"), _step("3/10", "0.0244", "0.0062")]
    settings = {"order": "4", "delta_prime": "1/20"}
    found = privref.attack("renyi-filter", menu, 6, epsilon="1", delta="1/20", settings=settings, largest=True)
    assert found.verdict == "not-broken"
    assert Fraction(1, 200) < found.failure.lower <= found.ceiling <= Fraction(1, 20)
    # A law that no such step has is not taken for one.
    with pytest.raises(privref.InputError, match="larger divergence"):
        from_source(_step("1/10", "0.4", "0.1"))


@pytest.mark.parametrize(
    ("name", "order"), [("renyi-filter", {"order": "6"}), ("renyi-grid-filter", {"orders": "4 8"})]
)
def test_no_adversary_breaks_the_filters_that_charge_randomized_response_what_it_loses(
    name: str, order: dict[str, str]
) -> None:
    """Randomized response is the worst round of its epsilon at every order, here beside a law of two orders."""
    menu = "1/5, 3/10, 1/2:1/1000, rdp(1/200; 11157/10000000; 2 8)"
    found = privref.attack(name, menu, 8, epsilon="1", delta="1/20", settings=order, largest=True)
    assert found.verdict == "not-broken"
    assert Fraction(1, 500) < found.failure.lower <= found.ceiling <= Fraction(1, 20)


def test_less_than_what_randomized_response_loses_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same search, where rounds are charged half of their divergence."""
    whole = conversions.charged_at_order
    monkeypatch.setattr(conversions, "charged_at_order", lambda eps, order: whole(eps, order) / 2)
    settings = {"order": "8", "delta_prime": "1/50"}
    found = privref.attack("renyi-filter", "1/5, 1/2", 14, epsilon="1", delta="1/50", settings=settings)
    assert found.verdict == "broken"


@pytest.mark.parametrize("menu", ["1/10, 1/5, 3/10, 1/2", "1/10, 1/5:1/1000, 3/10, 1/2:1/100, 0:1/20"])
def test_no_adversary_breaks_the_response_filter(menu: str) -> None:
    found = privref.attack("response-filter", menu, 14, epsilon="1", delta="1/20")
    assert (found.verdict, found.rounds) == ("not-broken", 14)
    assert 0 < found.failure.lower <= found.ceiling <= Fraction(1, 20)


@pytest.mark.parametrize(
    "menu", ["rdp(1/2; 1/2; 2)", "rdp(1/2; 1/3; 1)", "rdp(1/2; 1/3; 2 2)", "rdp(1/2; 0; 2)", "rdp(1/2; 1/3)"]
)
def test_renyi_rounds_that_can_not_be_meant_are_refused(menu: str) -> None:
    with pytest.raises(privref.InputError):
        read_menu(menu)


def test_a_renyi_round_that_is_written_down_is_the_one_that_is_read() -> None:
    (first, second) = read_menu("rdp(1/2; 1/3; 2 8)")
    assert from_source(first.source) == first
    assert second.name.endswith("swapped")
    for name, kind in (("natural-filter", None), ("S1", "filter"), ("dp-filter", None)):
        with pytest.raises((privref.InputError, privref.HypothesisError)):
            privref.attack(name, "rdp(1/2; 1/3; 2 8)", 2, epsilon="1/10", delta="1/100", kind=kind)
