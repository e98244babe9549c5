"""Calibration answers are the last admitted and the first refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from privref.adaptive.calibrate import FIXED, RULES, Plan, calibrate
from privref.adaptive.machines import Setup, build
from privref.adaptive.protocol import run
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.model import PureDP

SETUP = Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(24))
COARSE = Fraction(1, 10**4)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_answers_or_says_what_it_does_not_cover(rule: str) -> None:
    kind: Any = "gaussian-dp" if rule in ("gaussian", "gaussian-filter") else "pure-dp"
    found = calibrate(rule, SETUP, Plan(kind, count=50), COARSE)
    assert found.refused - found.value == COARSE
    assert 0 < found.value < 1
    count = calibrate(rule, SETUP, Plan(kind, cost=found.value), COARSE)
    assert count.refused == count.value + 1
    assert count.value >= 50


def test_a_filter_really_runs_that_many_rounds() -> None:
    for rule in ("basic-filter", "dp-filter", "tight-zcdp-filter", "rogers-filter"):
        found = calibrate(rule, SETUP, Plan("pure-dp", cost=Fraction(1, 20)))
        ran = sum(d.verdict == "CONT" for d in run(build(rule, SETUP), [PureDP(Fraction(1, 20))] * 60))
        assert found.value == ran


def test_fixed_parameter_answers_match_their_formulas() -> None:
    assert calibrate("basic", SETUP, Plan("pure-dp", count=7), Fraction(1, 7)).value == Fraction(1, 7)
    found = calibrate("advanced-heterogeneous", SETUP, Plan("pure-dp", count=100))

    def eps(cost: Fraction) -> mpmath.mpf:
        e = mpmath.mpf(cost.numerator) / cost.denominator
        return mpmath.sqrt(2 * mpmath.log(10**6) * 100) * e + 100 * e * mpmath.tanh(e / 2)

    assert eps(found.value) <= 1 < eps(found.refused)


def test_optimal_composition_admits_more_than_any_other_rule() -> None:
    plan = Plan("pure-dp", count=100)
    best = calibrate("optimal-equal", SETUP, plan).value
    for rule in ("basic", "advanced", "advanced-heterogeneous", "zcdp-lemma1", "zcdp-tight", "tight-zcdp-filter"):
        assert calibrate(rule, SETUP, plan).value < best


def test_rho_is_calibrated_and_deltas_are_paid_for() -> None:
    free = calibrate("tight-zcdp-filter", SETUP, Plan("zcdp", count=1))
    assert free.unknown == "rho"
    paying = calibrate("zcdp-tight", SETUP, Plan("zcdp", count=10, delta=Fraction(9, 10**8)))
    assert paying.value < calibrate("zcdp-tight", SETUP, Plan("zcdp", count=10)).value
    with pytest.raises(InputError, match="does not admit even"):
        calibrate("dp-filter", SETUP, Plan("approx-dp", count=2, delta=Fraction(1, 10**6)))


def test_questions_without_an_answer_are_refused() -> None:
    with pytest.raises(InputError, match="no limit"):
        calibrate("basic-filter", SETUP, Plan("pure-dp", cost=Fraction(0)))
    with pytest.raises(InputError, match="rule"):
        calibrate("stitched-odometer", SETUP, Plan("pure-dp", count=1))
    with pytest.raises(InputError, match="one of the two"):
        Plan("pure-dp")
    with pytest.raises(InputError, match="one of the two"):
        Plan("pure-dp", cost=Fraction(1), count=1)
    with pytest.raises(InputError, match="delta"):
        Plan("pure-dp", count=1, delta=Fraction(1, 10))
    with pytest.raises(InputError, match="resolution"):
        calibrate("basic", SETUP, Plan("pure-dp", count=1), Fraction(0))
    with pytest.raises(HypothesisError, match="zcdp"):
        calibrate("basic", SETUP, Plan("zcdp", count=1))
    for rule in FIXED:
        assert rule in RULES
