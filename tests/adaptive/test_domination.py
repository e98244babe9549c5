"""The filter by domination: whatever is asked of it, against the laws of what ran, and against the worst adversary."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from statistics import NormalDist

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import privref
from privref import evaluate
from privref.adaptive.domination import DominationFilter, Left, least_square
from privref.exact.errors import HypothesisError, InputError, UndecidedError
from privref.guarantees.model import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP

F = Fraction
PHI = NormalDist().cdf


def lost(at: float, square: float) -> float:
    """The delta at any epsilon of Gaussian DP of that square."""
    if not square:
        return max(0.0, 1 - math.exp(at))
    mu = math.sqrt(square)
    return PHI(mu / 2 - at / mu) - math.exp(at) * PHI(-mu / 2 - at / mu)


@cache
def machine() -> DominationFilter:
    return DominationFilter.of((2, "2/1000"), "1/1000")


class Asked(RuleBasedStateMachine):
    """Rounds in any order; of what ran, the law is kept apart: losses of randomized response, and a square."""

    def __init__(self) -> None:
        super().__init__()
        self.state, self.losses, self.square, self.delta = machine().start(), {F(0): 1.0}, 0.0, F(0)

    def ask(self, event: Guarantee, count: int) -> bool:
        before = self.state
        self.state, decision = machine().block(before, event, count)
        if decision.verdict == "HALT":
            assert self.state == Left(before.square, before.delta, True)
            assert decision.reason
            return False
        assert not before.halted
        assert decision.reading == self.state.square
        assert 0 <= self.state.square <= before.square
        return True

    @rule(
        eps=st.sampled_from([F(0), F(1, 100), F(1, 10), F(1, 5), F(1, 2), F(1), F(4)]),
        delta=st.sampled_from([F(0), F(0), F(1, 10**4), F(1, 100)]),
        count=st.sampled_from([1, 1, 2, 5, 30]),
    )
    def ask_for_approximate_dp(self, eps: Fraction, delta: Fraction, count: int) -> None:
        if self.ask(ApproxDP(eps, delta) if delta else PureDP(eps), count):
            self.delta += delta * count
            likely = 1 / (1 + math.exp(-eps))
            for _ in range(count):
                found: dict[Fraction, float] = {}
                for loss, chance in self.losses.items():
                    for more, share in ((eps, likely), (-eps, 1 - likely)):
                        found[loss + more] = found.get(loss + more, 0.0) + chance * share
                self.losses = found

    @rule(mu=st.sampled_from([F(0), F(1, 20), F(1, 4), F(1, 2), F(3)]), count=st.sampled_from([1, 3]))
    def ask_for_a_gaussian(self, mu: Fraction, count: int) -> None:
        if self.ask(GaussianDP(mu), count):
            self.square += float(mu * mu * count)

    @invariant()
    def what_ran_and_what_is_left_is_within_the_budget_at_every_epsilon(self) -> None:
        rest = self.square + float(self.state.square)
        for at in (0.0, 0.3, 1.0, 2.0, 4.0):
            together = sum(chance * lost(at - float(loss), rest) for loss, chance in self.losses.items())
            assert together <= lost(at, float(machine().square)) + 1e-12
        assert self.delta + self.state.delta == F(1, 1000)


TestAsked = Asked.TestCase
TestAsked.settings = settings(max_examples=30, stateful_step_count=12, deadline=None)


def game(budget: tuple[str, str], menu: tuple[Fraction, ...], rounds: int, at: float) -> tuple[float, int]:
    """The delta at an epsilon of the worst adversary: it sees the loss, and takes from the menu what may run."""
    filter_ = DominationFilter.of(budget, budget[1])
    ran = 0

    @cache
    def worst(state: Left, loss: Fraction, left: int) -> float:
        nonlocal ran
        best = max(0.0, 1 - math.exp(at - float(loss)))
        for eps in menu if left else ():
            after, decision = filter_.step(state, PureDP(eps))
            if decision.verdict == "CONT":
                ran = max(ran, rounds - left + 1)
                likely = 1 / (1 + math.exp(-eps))
                best = max(
                    best,
                    likely * worst(after, loss + eps, left - 1) + (1 - likely) * worst(after, loss - eps, left - 1),
                )
        return best

    return worst(filter_.start(), F(0), rounds), ran


def test_no_adversary_over_a_menu_gets_above_the_budget() -> None:
    # At the budget's epsilon, and, as the first mu bounds all of it, at others too.
    square = float(DominationFilter.of(("3/2", "1/50"), "1/50").square)
    for at in (0.0, 0.5, 1.5, 2.5):
        found, ran = game(("3/2", "1/50"), (F(1, 4), F(1, 2), F(3, 4)), 7, at)
        assert found <= lost(at, square)
        assert ran > 2
        if at == 1.5:
            # The adversary does get near: a filter that let much more run would be broken here.
            assert found > 0.004


def test_an_adversary_breaks_a_filter_that_takes_the_square_of_epsilon() -> None:
    # Near the end a round takes more than its square: alone it is randomized response.
    for eps in (F(1, 10), F(1), F(3)):
        given = {"eps": str(eps), "before": str(eps * eps), "after": "0"}
        assert evaluate("gdp/domination.decision", given).value == "HALT"
        assert math.tanh(eps / 2) > lost(0, float(eps * eps))


def test_a_group_costs_no_less_than_its_rounds_and_hardly_more() -> None:
    start = machine().start()
    one = start
    for _ in range(150):
        one, decision = machine().step(one, PureDP(F(1, 20)))
        assert decision.verdict == "CONT"
    grouped, _ = machine().block(start, PureDP(F(1, 20)), 150)
    assert grouped.square <= one.square
    assert one.square - grouped.square < (start.square - one.square) / 1000
    assert start.square - one.square > 150 * F(1, 400)


def test_many_small_rounds_run_nearly_as_if_fixed_in_advance() -> None:
    limit = evaluate("kov2015/optimal.eps", {"eps": "1/100", "k": "10000", "delta_g": "1e-6"}).enclosure
    assert limit is not None
    filter_ = DominationFilter.of((limit.upper + F(1, 100), "1e-6"), "1e-6")
    assert filter_.block(filter_.start(), PureDP(F(1, 100)), 10_000)[1].verdict == "CONT"
    assert filter_.block(filter_.start(), PureDP(F(1, 100)), 10_100)[1].verdict == "HALT"


def test_half_of_delta_buys_the_first_mu_where_no_part_is_named() -> None:
    """As in audits: the ledger of what the filter lets run is within the budget that it declares."""
    filter_ = DominationFilter.of(("3", "1e-6"))
    assert filter_ == DominationFilter.of(("3", "1e-6"), "5e-7")
    ran = 0
    while filter_.block(filter_.start(), PureDP(F(1, 10)), ran + 1)[1].verdict == "CONT":
        ran += 1
    for count, verdict in ((ran, "confirmed"), (ran + 2, "inapplicable")):
        record = privref.ledger_from_document({
            "schema": "ledger.1", "title": "run", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "chosen-adaptively", "interaction": "sequential",
            "budget": {"epsilon": "3", "delta": "1e-6", "filter": "gdp/domination"},
            "events": [{"count": count, "guarantee": {"kind": "pure-dp", "epsilon": "0.1"}}],
        })  # fmt: skip
        claims = privref.claims_from_document(
            {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "3", "delta": "1e-6"}]}
        )
        assert privref.audit(record, claims).opinions[0].verdict == verdict


def test_what_is_left_after_gaussian_rounds_stays_short() -> None:
    state = machine().start()
    for n in range(1000, 1100):
        state, decision = machine().block(state, GaussianDP(F(1, n)), 1)
        assert decision.verdict == "CONT"
        assert (2**96) % state.square.denominator == 0


def test_tiny_and_huge_rounds_are_answered() -> None:
    start = machine().start()
    for event, count, verdict in (
        (PureDP(F(1, 10**40)), 10**60, "CONT"),
        (PureDP(F(1, 10**40)), 10**90, "HALT"),
        (PureDP(F(10**30)), 1, "HALT"),
        (PureDP(F(0)), 10**30, "CONT"),
        (GaussianDP(F(10**9)), 1, "HALT"),
        (PureDP(F(1)), 0, "CONT"),
    ):
        assert machine().block(start, event, count)[1].verdict == verdict, (event, count)


def test_a_round_that_floats_cannot_see_takes_about_its_square() -> None:
    start = machine().start()
    for exponent in (3, 9, 13):
        eps = F(1, 10**exponent)
        left = machine().step(start, PureDP(eps))[0].square
        assert eps * eps <= start.square - left <= 2 * eps * eps + F(1, 2**96)
    for exponent in (30, 200, 400):
        left = machine().step(start, PureDP(F(1, 10**exponent)))[0].square
        assert 0 < start.square - left <= F(1, 2**95)


def test_the_audit_s_chain_is_what_the_filter_asks_for() -> None:
    """From the last round back: a budget of that square lets the rounds run in their order, and a smaller one not."""
    for rounds in (
        [(PureDP(F(1, 2)), 3)],
        [(GaussianDP(F(1, 4)), 2), (PureDP(F(1, 10)), 400), (PureDP(F(2)), 1)],
        [(PureDP(F(1)), 1), (GaussianDP(F(1, 2)), 1)],
        [(PureDP(F(20)), 2)],
    ):
        least = least_square(rounds)
        for share, verdict in ((F(1001, 1000), "CONT"), (F(999, 1000), "HALT")):
            filter_ = replace(machine(), square=least * share)
            state, decision = filter_.start(), None
            for event, count in rounds:
                state, decision = filter_.block(state, event, count)
            assert decision is not None
            assert decision.verdict == verdict, (rounds, share)
    assert least_square([(PureDP(F(1)), 1), (GaussianDP(F(1)), 1)]) < least_square(
        [(GaussianDP(F(1)), 1), (PureDP(F(1)), 1)]
    )
    assert least_square([]) == least_square([(PureDP(F(0)), 5)]) == 0
    assert least_square([(PureDP(F(1, 10**40)), 10**20)]) >= F(1, 10**60)
    many = [(GaussianDP(F(1, n)), 1) for n in range(1000, 1200)]
    exact, found = sum(event.mu**2 for event, _ in many), least_square(many)
    assert exact <= found <= exact + F(200, 2**96)
    assert found.denominator <= 2**96, "the exact sum of 100,000 of them would take minutes"
    with pytest.raises(UndecidedError, match="epsilon = 5000"):
        least_square([(PureDP(F(5000)), 1)])


def test_what_it_does_not_cover_is_refused() -> None:
    with pytest.raises(HypothesisError, match="does not cover events of kind zcdp"):
        machine().step(machine().start(), ZCDP(F(1, 100)))
    for budget, part in (((1, 0), None), ((1, 1), None), ((1, "1e-6"), "1e-5"), ((1, "1e-6"), 0)):
        with pytest.raises(InputError):
            DominationFilter.of(budget, part)
