"""The least costs for a delta, and the optimal stopping rule in nats."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest

from privref import catalogue
from privref.composition.optdel import StopRow, exact_equal_delta, undominated
from privref.composition.optdel_inverse import _undominated, stopping_rule
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.statements.registry import evaluate

F = Fraction
catalogue.load()


def _delta(scale: F, k: list[int], shape: list[F], delta: str) -> Enclosure:
    costs = [str(scale * part) for part in shape]
    found = evaluate("hartmann2022/thm15.optdel_eps", {"eps": "1/10", "delta": delta, "k": k, "E": costs}).enclosure
    assert found is not None
    return found


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize(
    ("k", "shape", "delta", "wanted"),
    [
        ([4, 8, 16], [F(4), F(8), F(16)], "1e-9", "1e-5"),
        ([10, 20], [F(1), F(1)], "0", "1e-3"),
        ([25], [F(3)], "1e-4", "1/50"),
    ],
)
def test_the_least_scale_is_where_optdel_meets_the_delta(
    engine: decide.EngineName, k: list[int], shape: list[F], delta: str, wanted: str
) -> None:
    inputs = {"eps": "1/10", "delta": delta, "k": k, "shape": [str(part) for part in shape], "delta_t": wanted}
    scale = evaluate("hartmann2022/thm15.least_E", inputs, engine=engine).enclosure
    assert scale is not None
    assert scale.relative_width_at_most(F(1, 10**28))
    # OptDel falls: a little less than the scale is too little, a little more suffices.
    margin = F(1, 10**20)
    assert _delta(scale.upper + margin, k, shape, delta).upper < F(wanted)
    assert _delta(scale.lower - margin, k, shape, delta).lower > F(wanted)


def test_the_ends_of_the_inverse_are_exact() -> None:
    shape = {"eps": "1/10", "k": [3, 6], "shape": ["1", "4"]}
    inverse = "hartmann2022/thm15.least_E"
    # 1 - (1 - delta)^6 is lost at every cost; it is reached where no loss exceeds its cost, at 3 eps/1 > 6 eps/4.
    assert evaluate(inverse, shape | {"delta": "1/2", "delta_t": str(1 - F(1, 2) ** 6)}).value == "3/10"
    assert evaluate(inverse, shape | {"delta": "1/2", "delta_t": "9/10"}).value == "inf"
    assert evaluate(inverse, shape | {"delta": "0", "delta_t": "0"}).value == "3/10"
    assert evaluate(inverse, shape | {"delta": "0", "delta_t": "1"}).value == "0"
    assert evaluate(inverse, shape | {"eps": "0", "delta": "0", "delta_t": "0"}).value == "0"
    assert evaluate(inverse, shape | {"eps": "0", "delta": "1/10", "delta_t": "1/2"}).value == "0"
    assert evaluate(inverse, shape | {"eps": "0", "delta": "1/10", "delta_t": "1/10"}).value == "inf"
    assert evaluate(inverse, shape | {"delta": "1", "delta_t": "1"}).value == "0"


def test_the_stopping_rule_in_nats_is_that_of_a_close_rational() -> None:
    k, costs = [4, 8, 12], [F(1, 5), F(2, 5), F(3, 5)]
    exp_tenth, exp_fifth = F(1105170918075648, 10**15), F(1221402758160170, 10**15)
    rational = exact_equal_delta(exp_tenth, F(1, 10**6), k, [exp_fifth, exp_fifth**2, exp_fifth**3])[1]
    assert stopping_rule(F(1, 10), F(1, 10**6), k, costs) == rational
    assert any(row.least_ones is not None for row in rational[:-1])


def test_cells_that_later_ones_beat_are_never_claimed() -> None:
    rows = stopping_rule(F(1, 10), F(0), [5, 10, 20], [F(1, 2), F(1, 2), F(1, 2)])
    assert [row.least_ones for row in rows] == [None, None, 13]
    rows = stopping_rule(F(1, 10), F(0), [5, 10], [F(2), F(2)])
    assert [row.least_ones for row in rows] == [None, None]


def mpf(value: F) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


@pytest.mark.parametrize("seed", range(30))
def test_a_cell_is_kept_unless_a_later_claim_of_everything_costs_no_more(seed: int) -> None:
    """Going on from k_i to k_j and claiming all costs e^E_j (1 - delta)^(k_j - k_i), for any later j."""
    draw = random.Random(seed)
    delta = F(draw.randrange(0, 4), 10)
    k = sorted(draw.sample(range(1, 12), 4))
    rational = [F(draw.randrange(10, 40), 10) for _ in k]
    dominated = [
        any(rational[j] * (1 - delta) ** (k[j] - k[i]) <= rational[i] for j in range(i + 1, len(k)))
        for i in range(len(k))
    ]
    assert undominated(k, rational, delta) == [i for i in range(len(k)) if not dominated[i]]
    costs = [F(draw.randrange(0, 12), 10) for _ in k]
    in_nats = [
        any(mpmath.exp(mpf(costs[j] - costs[i])) * mpf(1 - delta) ** (k[j] - k[i]) <= 1 for j in range(i + 1, len(k)))
        for i in range(len(k))
    ]
    assert _undominated(delta, k, costs) == [i for i in range(len(k)) if not in_nats[i]]


@pytest.mark.parametrize(("cost", "ones"), [("3/2", 3), ("1", 2), ("0", 2), ("5/2", 3)])
def test_the_last_claim_pays_from_the_loss_that_is_no_less_than_its_cost(cost: str, ones: int) -> None:
    """Three rounds of epsilon 1 with a ones lose 2 a - 3."""
    assert stopping_rule(F(1), F(0), [3], [F(cost)]) in (
        (StopRow(3, ones),),
        (StopRow(3, None),) if cost == "3" else (),
    )


def test_a_loss_above_all_costs_is_never_claimed() -> None:
    assert stopping_rule(F(1), F(0), [3], [F(7, 2)]) == (StopRow(3, None),)
    assert stopping_rule(F(1), F(1), [2, 3], [F(1), F(1)]) == (StopRow(2, None), StopRow(3, None))
