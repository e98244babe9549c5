"""The base filter as a machine, whatever is asked of it: against its statement, and against the profile it keeps."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from privref import evaluate
from privref.adaptive.sgd import BaseFilter, BaseState
from privref.exact.errors import InputError

F = Fraction
BASE = {"base_q": "1/2", "base_sigma": "4", "eps_g": "1", "delta_g": "1/100"}


@cache
def machine() -> BaseFilter:
    return BaseFilter.of("1/2", "4", (1, "1/100"))


@cache
def stated(rounds: int) -> str:
    """What the statement says of so many rounds of the base, whose profile decides."""
    return str(
        evaluate("zdw2022/base_filter.decision", {**BASE, "q": ["1/2"], "sigma": ["4"], "steps": [rounds]}).value
    )


def test_the_rounds_are_those_whose_profile_is_within_the_budget() -> None:
    assert machine().rounds > 3
    assert (stated(machine().rounds), stated(machine().rounds + 1)) == ("CONT", "HALT")
    of = {"q": "1/2", "sigma": "4", "eps": "1"}
    within, beyond = (
        evaluate("zdw2022/poisson_gaussian.delta", {**of, "k": machine().rounds + more}).enclosure for more in (0, 1)
    )
    assert within is not None
    assert beyond is not None
    assert within.upper <= F(1, 100) < beyond.lower


class Asked(RuleBasedStateMachine):
    """Any rates and noise, asked one after the other; what ran is kept apart from the machine."""

    def __init__(self) -> None:
        super().__init__()
        self.state, self.ran, self.refused = machine().start(), list[tuple[Fraction, Fraction]](), False

    @rule(
        rate=st.sampled_from([F(0), F(1, 100), F(1, 4), F(1, 2), F(1, 2), F(1, 2) + F(1, 10**9), F(1)]),
        sigma=st.sampled_from([F(4), F(4), F(5), F(400), F(4) - F(1, 10**9), F(1)]),
    )
    def ask(self, rate: Fraction, sigma: Fraction) -> None:
        before = self.state
        self.state, decision = machine().step(before, (rate, sigma))
        if not self.refused and decision.verdict != self.by_the_statement(rate, sigma):
            raise AssertionError((self.ran, rate, sigma, decision))
        if decision.verdict == "CONT":
            assert not self.refused
            self.ran.append((rate, sigma))
        else:
            self.refused = True
            # A refused round leaves what is spent as it was, and nothing runs after it.
            assert self.state == BaseState(before.spent, True)
            assert decision.reason

    @rule(count=st.integers(1, 30))
    def ask_for_the_base(self, count: int) -> None:
        for _ in range(count):
            self.ask(F(1, 2), F(4))

    def by_the_statement(self, rate: Fraction, sigma: Fraction) -> str:
        """Its definition: a round beyond the base, or more rounds than the profile allows."""
        asked = [*self.ran, (rate, sigma)]
        if any(q > F(1, 2) or s < 4 for q, s in asked if q):
            return "HALT"
        return stated(sum(1 for q, _ in asked if q))

    @invariant()
    def what_ran_is_within_the_budget(self) -> None:
        drawn = [round_ for round_ in self.ran if round_[0]]
        assert len(drawn) == self.state.spent <= machine().rounds
        assert all(q <= F(1, 2) and s >= 4 for q, s in drawn)


TestAsked = Asked.TestCase
TestAsked.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)


@pytest.mark.parametrize("asked", [(F(-1), F(4)), (F(2), F(4)), (F(1, 2), F(0)), (0.5, F(4))])
def test_what_is_no_round_is_refused(asked: tuple[Fraction, Fraction]) -> None:
    with pytest.raises(InputError):
        machine().step(machine().start(), asked)
