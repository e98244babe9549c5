"""Lemma 11 with different composition theorems: each term is that theorem's own answer, and none beats the optimum."""

from __future__ import annotations

from fractions import Fraction

import pytest

from privref import catalogue
from privref.composition.iterative import THEOREMS, lemma11
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.statements.registry import evaluate

F = Fraction
catalogue.load()


def _delta(theorem: str, k: list[int], costs: list[str], delta: str = "0") -> Enclosure:
    inputs = {"theorem": theorem, "eps": "1/10", "delta": delta, "k": k, "E": costs}
    found = evaluate("hartmann2022/lem11.delta", inputs).enclosure
    assert found is not None
    return found


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


def test_any_callable_can_be_plugged_in() -> None:
    found = lemma11(decide.engine("arb"), lambda ar, k, cost: F(k) * cost, [2, 3], [F(1, 10), F(1, 5)])
    assert found == F(4, 5)
    with pytest.raises(InputError):
        lemma11(decide.engine("arb"), lambda ar, k, cost: F(0), [3, 2], [F(1), F(1)])
