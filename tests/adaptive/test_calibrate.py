"""Calibration answers are the last admitted and the first refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from privref.adaptive.calibrate import FIXED, RULES, EqualRounds, largest
from privref.adaptive.machines import Setup, build
from privref.adaptive.protocol import run
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.model import PureDP

SETUP = Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(24))
COARSE = Fraction(1, 10**4)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_answers_or_says_what_it_does_not_cover(rule: str) -> None:
    kind: Any = "gaussian-dp" if rule in ("gaussian", "gaussian-filter") else "pure-dp"
    found = largest(rule, SETUP, EqualRounds(kind, count=50), COARSE)
    assert found.refused - found.value == COARSE
    assert 0 < found.value < 1
    count = largest(rule, SETUP, EqualRounds(kind, cost=found.value), COARSE)
    assert count.refused == count.value + 1
    assert count.value >= 50


def test_a_filter_really_runs_that_many_rounds() -> None:
    for rule in ("basic-filter", "dp-filter", "tight-zcdp-filter", "rogers-filter"):
        found = largest(rule, SETUP, EqualRounds("pure-dp", cost=Fraction(1, 20)))
        ran = sum(d.verdict == "CONT" for d in run(build(rule, SETUP), [PureDP(Fraction(1, 20))] * 60))
        assert found.value == ran


def test_fixed_parameter_answers_match_their_formulas() -> None:
    assert largest("basic", SETUP, EqualRounds("pure-dp", count=7), Fraction(1, 7)).value == Fraction(1, 7)
    found = largest("advanced-heterogeneous", SETUP, EqualRounds("pure-dp", count=100))

    def eps(cost: Fraction) -> mpmath.mpf:
        e = mpmath.mpf(cost.numerator) / cost.denominator
        return mpmath.sqrt(2 * mpmath.log(10**6) * 100) * e + 100 * e * mpmath.tanh(e / 2)

    assert eps(found.value) <= 1 < eps(found.refused)


def test_optimal_composition_admits_more_than_any_other_rule() -> None:
    plan = EqualRounds("pure-dp", count=100)
    best = largest("optimal-equal", SETUP, plan).value
    for rule in ("basic", "advanced", "advanced-heterogeneous", "zcdp-lemma1", "zcdp-tight", "tight-zcdp-filter"):
        assert largest(rule, SETUP, plan).value < best


def test_rho_is_calibrated_and_deltas_are_paid_for() -> None:
    free = largest("tight-zcdp-filter", SETUP, EqualRounds("zcdp", count=1))
    assert free.unknown == "rho"
    paying = largest("zcdp-tight", SETUP, EqualRounds("zcdp", count=10, delta=Fraction(9, 10**8)))
    assert paying.value < largest("zcdp-tight", SETUP, EqualRounds("zcdp", count=10)).value
    with pytest.raises(InputError, match="does not admit even"):
        largest("dp-filter", SETUP, EqualRounds("approx-dp", count=2, delta=Fraction(1, 10**6)))


def test_questions_without_an_answer_are_refused() -> None:
    with pytest.raises(InputError, match="no limit"):
        largest("basic-filter", SETUP, EqualRounds("pure-dp", cost=Fraction(0)))
    with pytest.raises(InputError, match="rule"):
        largest("stitched-odometer", SETUP, EqualRounds("pure-dp", count=1))
    with pytest.raises(InputError, match="rounds or cost"):
        EqualRounds("pure-dp")
    with pytest.raises(InputError, match="rounds or cost"):
        EqualRounds("pure-dp", cost=Fraction(1), count=1)
    with pytest.raises(InputError, match="delta"):
        EqualRounds("pure-dp", count=1, delta=Fraction(1, 10))
    with pytest.raises(InputError, match="resolution"):
        largest("basic", SETUP, EqualRounds("pure-dp", count=1), Fraction(0))
    with pytest.raises(HypothesisError, match="zcdp"):
        largest("basic", SETUP, EqualRounds("zcdp", count=1))
    for rule in FIXED:
        assert rule in RULES


def paid(rule: str, kind: str, delta: Fraction, cost: Fraction) -> mpmath.mpf:
    """The epsilon of ten rounds at a total delta of 1e-6, typed from the theorems; inf where the deltas use it up."""
    e, d, count = mpmath.mpf(cost.numerator) / cost.denominator, mpmath.mpf(delta.numerator) / delta.denominator, 10
    spent, allowed = count * d, mpmath.mpf(10) ** -6
    if rule == "basic":
        return count * e if spent <= allowed else mpmath.inf
    if rule.startswith("advanced") and spent >= allowed:
        return mpmath.inf
    if rule == "advanced":
        return count * e * mpmath.expm1(e) + e * mpmath.sqrt(2 * count * mpmath.log(1 / (allowed - spent)))
    if rule == "advanced-heterogeneous":
        drift = count * e * mpmath.tanh(e / 2)
        return mpmath.sqrt(2 * mpmath.log(1 / (allowed - spent)) * count * e * e) + drift
    # Lemma 1: the rounds' deltas are one event, the conversion's slack has what they leave (d + (1 - d) d').
    rho = count * (e if kind == "zcdp" else e * e / 2)
    slack = (allowed - spent) / (1 - spent)
    return rho + 2 * mpmath.sqrt(rho * mpmath.log(1 / slack)) if slack > 0 else mpmath.inf


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(3, 10**8), Fraction(99, 10**9)])
@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("basic", "approx-dp"),
        ("advanced", "approx-dp"),
        ("advanced-heterogeneous", "approx-dp"),
        ("zcdp-lemma1", "approx-dp"),
        ("zcdp-lemma1", "zcdp"),
    ],
)
def test_deltas_of_the_rounds_are_taken_from_the_budget(rule: str, kind: Any, delta: Fraction) -> None:
    """The answer is the last multiple of the resolution whose bound, at what the deltas leave, is at most epsilon."""
    found = largest(rule, SETUP, EqualRounds(kind, count=10, delta=delta))
    assert found.refused - found.value == Fraction(1, 10**6)
    with mpmath.workdps(30):
        assert paid(rule, kind, delta, found.value) <= 1 < paid(rule, kind, delta, found.refused)


@pytest.mark.parametrize("rule", ["basic", "advanced", "advanced-heterogeneous", "zcdp-lemma1", "zcdp-tight"])
def test_deltas_that_use_the_budget_up_admit_nothing(rule: str) -> None:
    """Ten times 1e-7 leave no slack: basic composition needs none, the tight conversion none for a rho of 0."""
    plan = EqualRounds("approx-dp", count=10, delta=Fraction(1, 10**7))
    if rule in ("basic", "zcdp-tight"):
        assert largest(rule, SETUP, plan).value == {"basic": Fraction(1, 10), "zcdp-tight": 0}[rule]
    else:
        with pytest.raises(InputError, match="does not admit even"):
            largest(rule, SETUP, plan)


def test_an_odometer_that_reads_infinity_admits_nothing() -> None:
    """Two deltas of 1e-6 exceed the budget's: the reading is inf at every epsilon."""
    with pytest.raises(InputError, match="does not admit even"):
        largest("basic-odometer", SETUP, EqualRounds("pdp", count=2, delta=Fraction(1, 10**6)))
