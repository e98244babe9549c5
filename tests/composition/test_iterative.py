"""Lemma 11 with different composition theorems: each term is that theorem's own answer, and none beats the optimum."""

from __future__ import annotations

from fractions import Fraction

import pytest

from privref import catalogue
from privref.composition.iterative import THEOREMS, exact_cell_delta, lemma11
from privref.exact import decide
from privref.exact.decide import EngineName
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.rounding import to_decimal
from privref.statements.registry import evaluate

F = Fraction
catalogue.load()


def _delta(theorem: str, k: list[int], costs: list[str], delta: str = "0") -> Enclosure:
    inputs = {"theorem": theorem, "eps": "1/10", "delta": delta, "k": k, "E": costs}
    found = evaluate("hartmann2022/lem11.delta", inputs).enclosure
    assert found is not None
    return found


def evaluate_log(growth: str) -> Fraction:
    """log of a rational, rounded up."""
    found = decide.enclose(lambda ar: ar.log(F(growth)), decide.engine("arb"), F(1, 10**20))
    return F(to_decimal(found.upper, 12, "up"))


def test_every_theorem_is_summed_over_the_cells() -> None:
    for theorem in THEOREMS:
        both = _delta(theorem, [50, 200], ["2", "4"])
        parts = [_delta(theorem, [50], ["2"]), _delta(theorem, [200], ["4"])]
        assert both.intersection(Enclosure(sum(p.lower for p in parts), sum(p.upper for p in parts))) is not None


@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_no_theorem_beats_the_optimal_one(delta: str) -> None:
    k, costs = [50, 200], ["2", "4"]
    best = _delta("optimal", k, costs, delta)
    for theorem in ("basic", "advanced", "zcdp"):
        assert best.upper < _delta(theorem, k, costs, delta).lower


def test_terms_are_the_theorems_own_answers() -> None:
    """Each theorem is asked the other way round, from a delta to an epsilon."""
    slack = _delta("advanced", [100], ["3"])
    eps = evaluate("rogers2016/thm2.10.eps_g", {"eps": "1/10", "k": 100, "delta_hat": str(slack.upper)}).enclosure
    assert eps is not None
    assert abs(eps.upper - 3) < F(1, 10**20)
    slack = _delta("zcdp", [100], ["3"])
    eps = evaluate("cks2020/zcdp2dp.eps", {"rho": "1/2", "delta": str(slack.upper)}).enclosure
    assert eps is not None
    assert abs(eps.upper - 3) < F(1, 10**20)
    assert _delta("basic", [10], ["1"], "1/100") == Enclosure(F(1, 10), F(1, 10))
    assert _delta("basic", [10], ["99/100"]) == Enclosure(F(1), F(1))
    assert _delta("advanced", [10], ["1/100"]).upper == 1
    assert _delta("advanced", [11], ["0"], "1/10") == Enclosure(F(1), F(1))
    assert _delta("advanced", [11], ["4"], "1/10").upper == 1


def test_any_callable_can_be_plugged_in() -> None:
    found = lemma11(decide.engine("arb"), lambda ar, k, cost: F(k) * cost, [2, 3], [F(1, 10), F(1, 5)])
    assert found == F(4, 5)
    with pytest.raises(InputError):
        lemma11(decide.engine("arb"), lambda ar, k, cost: F(0), [3, 2], [F(1), F(1)])


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize(("delta", "k"), [("1/2", 2), ("1/10", 12), ("1/1000", 50)])
@pytest.mark.parametrize("growth", ["5/4", "3/2"])
def test_zcdp_takes_the_coins_together(engine: EngineName, delta: str, k: int, growth: str) -> None:
    """Above the exact optimum of the same rounds, whose e^eps is at most e^(the epsilon given), and below the sum."""
    eps = evaluate_log(growth)
    inputs = {"theorem": "zcdp", "eps": str(eps), "delta": delta, "k": [k], "E": ["1"]}
    found = evaluate("hartmann2022/lem11.delta", inputs, engine=engine).enclosure
    pure = evaluate("hartmann2022/lem11.delta", {**inputs, "delta": "0"}, engine=engine).enclosure
    assert found is not None
    assert pure is not None
    # A larger e^E gains less, and e < 2.7182818285: this optimum is below that at E = 1.
    optimum = exact_cell_delta(F(growth), F(delta), k, F("2.7182818285"))
    assert optimum <= found.upper
    together = Enclosure(*(1 - (1 - F(delta)) ** k * (1 - end) for end in (pure.lower, pure.upper)))
    assert found.intersection(together) is not None
    summed = k * F(delta)
    assert found.upper < summed + max(1 - summed, F(0)) * pure.lower


@pytest.mark.parametrize(("delta", "value"), [("1/10", "3/10"), ("1/2", "1")])
def test_rounds_that_cost_nothing_lose_their_deltas(delta: str, value: str) -> None:
    """Advanced composition at epsilon 0, where its slack would be 0/0: k delta, at most 1."""
    inputs = {"theorem": "advanced", "eps": "0", "delta": delta, "k": [3], "E": ["1"]}
    assert evaluate("hartmann2022/lem11.delta", inputs).value == value
