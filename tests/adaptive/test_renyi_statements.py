"""The registered decisions of the Renyi filters are those of the machines."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.adaptive.renyi import RenyiGridFilter, renyi_filter
from privref.guarantees.model import RenyiDP

PRIME, REST = Fraction(1, 10**6), Fraction(1, 10**6)
ORDERS = (Fraction(10), Fraction(32))
COSTS = st.lists(st.tuples(st.fractions(0, Fraction(1, 2), max_denominator=50), st.integers(0, 3)), max_size=6)


def decided(id: str, **inputs: object) -> str:
    shared = {"eps_g": "2", "delta_prime": str(PRIME), "delta_pp": str(REST)}
    value = privref.evaluate(id, {**shared, **inputs}).value
    assert value is not None
    return value


@given(COSTS)
def test_one_order(rounds: list[tuple[Fraction, int]]) -> None:
    """Up to the first HALT the machine and the statement agree round by round, the deltas included."""
    machine = renyi_filter(Fraction(2), ORDERS[0], PRIME, REST)
    state = machine.start()
    for k, (cost, part) in enumerate(rounds, 1):
        state, decision = machine.step(state, RenyiDP(((ORDERS[0], cost),), part * REST / 4))
        ran = rounds[:k]
        assert decision.verdict == decided(
            "feldman2021/renyi_filter.decision",
            order=str(ORDERS[0]),
            eps_order=[str(cost) for cost, _ in ran],
            delta=[str(part * REST / 4) for _, part in ran],
        )
        if decision.verdict == "HALT":
            break


@given(COSTS)
def test_a_grid_of_orders(rounds: list[tuple[Fraction, int]]) -> None:
    """The sums at each order decide, as an order that is once exceeded stays so."""
    machine = RenyiGridFilter.of(Fraction(2), ORDERS, PRIME, REST)
    state = machine.start()
    for k, (cost, part) in enumerate(rounds, 1):
        event = RenyiDP(((ORDERS[0], cost), (ORDERS[1], cost + part)), Fraction(0))
        state, decision = machine.step(state, event)
        ran = rounds[:k]
        assert decision.verdict == decided(
            "lecuyer2021/renyi_grid_filter.decision",
            order=[str(order) for order in ORDERS],
            eps_order=[str(sum(cost for cost, _ in ran)), str(sum(cost + part for cost, part in ran))],
            delta=[],
        )
        if decision.verdict == "HALT":
            break
