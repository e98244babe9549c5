"""The least costs for a delta, and the cells that are worth claiming."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from privref import catalogue
from privref.composition.optdel import undominated
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
