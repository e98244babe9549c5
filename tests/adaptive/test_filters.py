"""What every filter must do, whatever is asked of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from mpmath import mpf

from privref.adaptive.additive import Spent
from privref.adaptive.machines import MACHINES, Setup, build
from privref.adaptive.protocol import Decision, run
from privref.adaptive.renyi import renyi_costs
from privref.exact import decide
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    OutputDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    Unknown,
)
from tests.oracles import around, meets

# Independent formulas, typed from the papers in mpmath and sharing nothing with the package.
mpmath.mp.dps = 50


def q(value: Fraction | int | str) -> mpf:
    """A rational as an mpf of 50 digits."""
    fraction = Fraction(value)
    return mpf(fraction.numerator) / fraction.denominator


def f(time: Fraction, delta_prime: Fraction) -> mpf:
    """Whitehouse 2023, Theorem 2."""
    return mpmath.sqrt(2 * mpmath.log(1 / q(delta_prime)) * q(time)) + q(time) / 2


def rogers_bound(eps: Iterable[Fraction], eps_g: Fraction, delta_g: Fraction) -> mpf:
    """Rogers 2016, equation (2)."""
    values = [q(e) for e in eps]
    drift = mpmath.fsum(e * (mpmath.exp(e) - 1) / 2 for e in values)
    square = mpmath.fsum(e * e for e in values)
    log = mpmath.log(1 / q(delta_g))
    beta = q(eps_g) ** 2 / (mpf("28.04") * log)
    return drift + mpmath.sqrt(
        2 * (square + beta) * (1 + mpmath.log(square / beta + 1) / 2) * mpmath.log(2 / q(delta_g))
    )


def tight_delta(rho: Fraction, eps: Fraction) -> mpf:
    """Canonne, Kamath, Steinke 2020, Corollary 13, minimised by golden section over log(alpha - 1)."""
    if rho == 0:
        return mpf(0)

    def log_objective(t: mpf) -> mpf:
        alpha = 1 + mpmath.exp(t)
        exponent = (alpha - 1) * (alpha * q(rho) - q(eps))
        return exponent - mpmath.log(alpha - 1) + alpha * mpmath.log(1 - 1 / alpha)

    low, high = mpf(-8), mpf(20)
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(120):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if log_objective(left) < log_objective(right):
            high = right
        else:
            low = left
    return mpmath.exp(log_objective((low + high) / 2))


def gaussian_delta(square: Fraction | mpf, eps: Fraction) -> mpf:
    """The profile of mu-Gaussian DP, mu^2 = square."""
    if square == 0:
        return mpf(0)
    mu = mpmath.sqrt(square if isinstance(square, mpf) else q(square))
    return mpmath.ncdf(mu / 2 - q(eps) / mu) - mpmath.exp(q(eps)) * mpmath.ncdf(-mu / 2 - q(eps) / mu)


def dominating_square(ran: list[Guarantee]) -> mpf:
    """From the last round back: the square of the Gaussian of the same total variation as a round and what follows."""
    square = mpf(0)
    for event in reversed(ran):
        if isinstance(event, GaussianDP):
            square += q(event.mu) ** 2
        elif eps := q(getattr(event, "epsilon", 0)):
            v = mpmath.sqrt(square)
            delta = mpmath.ncdf(v / 2 - eps / v) - mpmath.exp(eps) * mpmath.ncdf(-v / 2 - eps / v) if v else mpf(0)
            total = mpmath.tanh(eps / 2) + 2 * delta / (1 + mpmath.exp(eps))
            square = 8 * mpmath.erfinv(total) ** 2
    return square


def renyi_delta(order: Fraction, cost: mpf, eps: Fraction) -> mpf:
    """Canonne, Kamath, Steinke 2020, Proposition 12, solved for delta."""
    alpha = q(order)
    return mpmath.exp((alpha - 1) * (cost - q(eps))) / (alpha - 1) * (1 - 1 / alpha) ** alpha


def response(eps: Fraction, order: int) -> mpf:
    """Randomized response's divergence (Mironov 2017, Table II)."""
    p = 1 / (1 + mpmath.exp(-q(eps)))
    return mpmath.log(p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)) / (order - 1)


FILTERS = [entry.name for entry in MACHINES if entry.role == "filter"]
SETUP = Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(24))
SLACK, REST = Fraction(1, 2 * 10**6), Fraction(1, 2 * 10**6)

epsilons = st.fractions(0, Fraction(2, 5), max_denominator=60)
deltas = st.sampled_from([Fraction(0), Fraction(0), Fraction(0), Fraction(1, 10**8), Fraction(1, 10**7)])


def events_for(name: str) -> st.SearchStrategy[Guarantee]:
    """Events that the filter covers."""
    if name == "gaussian-filter":
        return st.builds(GaussianDP, epsilons)
    kinds = [st.builds(PureDP, epsilons), st.builds(ApproxDP, epsilons, deltas)]
    kinds.append(st.builds(ProbabilisticDP, epsilons, deltas))
    if name == "domination-filter":
        kinds.append(st.builds(GaussianDP, epsilons))
    if name in ("zcdp-filter", "tight-zcdp-filter", "renyi-filter", "renyi-grid-filter", "ex-post-filter"):
        kinds += [st.builds(ZCDP, epsilons.map(lambda e: e / 20), deltas), st.builds(GaussianDP, epsilons)]
    if name.startswith("renyi"):
        kinds.append(st.builds(lambda e, d: RenyiDP(((Fraction(16), e / 2), (Fraction(32), e)), d), epsilons, deltas))
    return st.one_of(kinds)


def within(name: str, ran: list[Guarantee]) -> bool:
    """Whether what ran is within (1, 10^-6), by formulas of our own, up to 40 digits."""
    room = 1 + q(Fraction(1, 10**40))
    delta = sum((getattr(event, "delta", Fraction(0)) for event in ran), Fraction(0))
    eps = [event.epsilon for event in ran if isinstance(event, (PureDP, ApproxDP, ProbabilisticDP))]
    if name == "basic-filter":
        return sum(eps) <= 1 and delta <= Fraction(1, 10**6)
    if name == "rogers-filter":
        return delta <= Fraction(1, 2 * 10**6) and rogers_bound(eps, Fraction(1), Fraction(1, 10**6)) <= room
    if name == "dp-filter":
        return delta <= REST and f(sum((e * e for e in eps), Fraction(0)), SLACK) <= room
    if name == "gaussian-filter":
        square = sum((event.mu**2 for event in ran if isinstance(event, GaussianDP)), Fraction(0))
        return bool(gaussian_delta(square, Fraction(1)) <= q(Fraction(1, 10**6)) * room)
    if name == "domination-filter":
        square = dominating_square(ran)
        return bool(delta <= REST and gaussian_delta(square, Fraction(1)) <= q(SLACK) * room)
    rho = sum((event.rho for event in ran if isinstance(event, ZCDP)), Fraction(0))
    rho += sum((event.mu**2 / 2 for event in ran if isinstance(event, GaussianDP)), Fraction(0))
    if name in ("zcdp-filter", "tight-zcdp-filter"):
        rho += sum((e * e / 2 for e in eps), Fraction(0))
        if delta + (1 - delta) * SLACK > Fraction(1, 10**6):
            return False
        if name == "zcdp-filter":
            return f(2 * rho, SLACK) <= room
        return tight_delta(rho, Fraction(1)) <= q(SLACK) * room

    def cost(order: int) -> mpf:
        declared = 16 if order <= 16 else 32
        costs = [dict(event.orders)[Fraction(declared)] for event in ran if isinstance(event, RenyiDP)]
        return q(order * rho + sum(costs, Fraction(0))) + sum((response(e, order) for e in eps), mpf(0))

    if delta > REST:
        return False
    if name in ("response-filter", "ex-post-filter") and not rho and sum(eps) <= 1:
        return True
    if name == "ex-post-filter":
        return renyi_delta(Fraction(24), cost(24), Fraction(1)) <= q(SLACK) * room
    if name == "renyi-filter":
        return renyi_delta(Fraction(24), cost(24), Fraction(1)) <= q(SLACK) * room
    grid = [3, 4, 6, 8, 12, 16, 24, 32]
    if not any(isinstance(event, RenyiDP) for event in ran):
        grid += [48, 64, 96, 128, 256, 512]
    return any(renyi_delta(Fraction(a), cost(a), Fraction(1)) <= q(SLACK) / 16 * room for a in grid)


class FilterMachine(RuleBasedStateMachine):
    """Ask a filter for one event after another and hold it to its budget."""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.name = data.draw(st.sampled_from(FILTERS))
        self.machine = build(self.name, SETUP)
        self.state = self.machine.start()
        self.ran: list[Guarantee] = []
        self.asked: list[Guarantee] = []
        self.halted = False

    @rule(data=st.data())
    def ask(self, data: st.DataObject) -> None:
        event = data.draw(events_for(self.name))
        before = repr(self.state)
        previous = self.state
        self.state, decision = self.machine.step(self.state, event)
        assert repr(previous) == before, "a step changed the state it was given"
        assert decision.reading is not None
        self.asked.append(event)
        if self.halted:
            assert decision.verdict == "HALT", "a halted filter let an event through"
        elif decision.verdict == "CONT":
            self.ran.append(event)
            assert within(self.name, self.ran), "a filter let its certified bound exceed the budget"
        else:
            assert not within(self.name, [*self.ran, event]), "a filter refused what fits its budget"
            self.halted = True

    @precondition(lambda self: getattr(self, "machine", None) is not None)
    @invariant()
    def resuming_gives_the_same_state(self) -> None:
        state = self.machine.start()
        for event in self.asked:
            state, _ = self.machine.step(state, event)
        assert state == self.state


FilterMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=12, deadline=None, derandomize=True)
TestFilters = FilterMachine.TestCase


@pytest.mark.parametrize("name", FILTERS)
def test_reading_twice_gives_the_same_and_is_within_the_budget(name: str) -> None:
    machine = build(name, SETUP)
    event = GaussianDP(Fraction(1, 50)) if name == "gaussian-filter" else PureDP(Fraction(1, 50))
    decisions = list(run(machine, [event] * 60))[::12]
    engine = decide.engine("arb", 128)
    for decision in decisions:
        reading = decision.reading
        if not callable(reading):
            assert isinstance(reading, Fraction)
            assert reading <= 1
            continue
        first = decide.enclose(reading, engine, Fraction(1, 10**12))
        assert first == decide.enclose(reading, engine, Fraction(1, 10**12))
        assert first.upper <= 1


# A round takes more from the filter by domination where less is left.
@pytest.mark.parametrize("name", [name for name in FILTERS if name != "domination-filter"])
@settings(max_examples=15)
@given(data=st.data())
def test_order_does_not_matter_for_what_all_runs(name: str, data: st.DataObject) -> None:
    events = data.draw(st.lists(events_for(name), max_size=4))
    machine = build(name, SETUP)
    shuffled = data.draw(st.permutations(events))
    ends = []
    for sequence in (events, shuffled):
        state: Any = machine.start()
        for event in sequence:
            state, _ = machine.step(state, event)
        ends.append(state)
    if not (ends[0].halted or ends[1].halted):
        assert ends[0] == ends[1]
    if not ends[0].halted:
        assert not ends[1].halted, "an order of the same events was refused"


def test_order_matters_for_what_runs_before_a_refusal() -> None:
    machine = build("basic-filter", SETUP)
    small, large = PureDP(Fraction(1, 2)), PureDP(Fraction(3, 2))
    assert [d.verdict for d in run(machine, [small, large])] == ["CONT", "HALT"]
    assert [d.verdict for d in run(machine, [large, small])] == ["HALT", "HALT"]


def test_ten_times_a_tenth_is_within_one_and_an_eleventh_is_not() -> None:
    for epsilon, times in ((Fraction("0.1"), 10), (Fraction(1, 3), 3), (Fraction(1), 1)):
        verdicts = [d.verdict for d in run(build("basic-filter", SETUP), [PureDP(epsilon)] * (times + 1))]
        assert verdicts == ["CONT"] * times + ["HALT"]


def test_exact_exhaustion_of_rho_and_of_delta() -> None:
    setup = Setup(Fraction(1), Fraction(1, 10**6), rho=Fraction(1, 10), delta_prime=Fraction(1, 10**7))
    rounds = [ZCDP(Fraction(1, 100))] * 11
    assert [d.verdict for d in run(build("zcdp-filter", setup), rounds)] == ["CONT"] * 10 + ["HALT"]
    exact = Setup(Fraction(1), Fraction(1, 10**6))
    spending = [ApproxDP(Fraction(0), Fraction(1, 10**7))] * 11
    for name, admitted in (("basic-filter", 10), ("dp-filter", 5), ("rogers-filter", 5)):
        verdicts = [d.verdict for d in run(build(name, exact), spending)]
        assert verdicts == ["CONT"] * admitted + ["HALT"] * (11 - admitted)


@pytest.mark.parametrize("name", FILTERS)
def test_a_first_request_that_alone_exceeds_the_budget_is_never_run(name: str) -> None:
    machine = build(name, SETUP)
    event = GaussianDP(Fraction(10)) if name == "gaussian-filter" else PureDP(Fraction(10))
    state, decision = machine.step(machine.start(), event)
    assert decision.verdict == "HALT"
    assert decision.reason
    assert state != machine.start()
    cheap = GaussianDP(Fraction(0)) if name == "gaussian-filter" else PureDP(Fraction(0))
    assert machine.step(state, cheap)[1].verdict == "HALT"


@pytest.mark.parametrize("name", FILTERS)
def test_free_events_run_for_ever(name: str) -> None:
    machine = build(name, SETUP)
    event = GaussianDP(Fraction(0)) if name == "gaussian-filter" else PureDP(Fraction(0))
    assert {d.verdict for d in run(machine, [event] * 50)} == {"CONT"}


@pytest.mark.parametrize("name", FILTERS)
def test_an_empty_interaction_can_be_resumed_from_its_start(name: str) -> None:
    machine = build(name, SETUP)
    assert list(run(machine, [])) == []
    assert machine.start() == machine.start()


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("event", [Unknown("survey"), PureDP(Fraction(-1)), ApproxDP(Fraction(1), Fraction(2))])
def test_what_is_not_covered_or_not_a_guarantee_is_refused(name: str, event: Guarantee) -> None:
    machine = build(name, SETUP)
    with pytest.raises((HypothesisError, InputError)):
        machine.step(machine.start(), event)


def test_zcdp_events_are_no_dp_events() -> None:
    for name in ("basic-filter", "rogers-filter", "dp-filter"):
        machine = build(name, SETUP)
        with pytest.raises(HypothesisError, match="zcdp"):
            machine.step(machine.start(), ZCDP(Fraction(1, 100)))


def test_output_dp_events_cost_their_largest_cell() -> None:
    event = OutputDP((("answer", Fraction(3, 5)), ("bottom", Fraction(1, 10))), Fraction(0))
    verdicts = [d.verdict for d in run(build("basic-filter", SETUP), [event, event])]
    assert verdicts == ["CONT", "HALT"]


def test_keeping_rho_admits_more_than_theorem_2_which_admits_more_than_rogers() -> None:
    ran = {}
    for name in ("rogers-filter", "dp-filter", "zcdp-filter", "tight-zcdp-filter"):
        decisions = run(build(name, SETUP), [PureDP(Fraction(1, 50))] * 200)
        ran[name] = sum(decision.verdict == "CONT" for decision in decisions)
    assert ran["rogers-filter"] < ran["dp-filter"] == ran["zcdp-filter"] < ran["tight-zcdp-filter"]


def test_bounded_range_is_charged_a_quarter_of_what_pure_dp_is() -> None:
    """By filters of moments, as events of half the epsilon nearly are; by those of (epsilon, delta)-DP, its epsilon."""
    wide, half, same = (
        [event] * 400 for event in (BoundedRange(Fraction(1, 25)), PureDP(Fraction(1, 50)), PureDP(Fraction(1, 25)))
    )
    setup = Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(24), orders=(Fraction(24), Fraction(12)))
    for name in ("tight-zcdp-filter", "zcdp-filter", "renyi-filter", "renyi-grid-filter"):
        ran = [[d.verdict for d in run(build(name, setup), events)].count("CONT") for events in (wide, half, same)]
        assert ran[2] > 0, name
        # At an order half the epsilon costs a little less: randomized response's own divergence.
        assert ran[0] == ran[1] > ran[2] if "zcdp" in name else ran[1] >= ran[0] > ran[2], name
    for name in ("basic-filter", "dp-filter", "response-filter"):
        ran = [[d.verdict for d in run(build(name, setup), events)].count("CONT") for events in (wide, same)]
        assert ran[0] == ran[1] > 0, name


def test_a_grid_of_orders_pays_for_each_of_them() -> None:
    one = Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(24), orders=(Fraction(24),))
    events = [PureDP(Fraction(1, 50))] * 200
    alone = [d.verdict for d in run(build("renyi-filter", one), events)]
    assert [d.verdict for d in run(build("renyi-grid-filter", one), events)] == alone
    two = Setup(Fraction(1), Fraction(1, 10**6), orders=(Fraction(24), Fraction(24001, 1000)))
    assert sum(d.verdict == "CONT" for d in run(build("renyi-grid-filter", two), events)) < alone.count("CONT")


@settings(max_examples=20)
@given(st.lists(st.tuples(events_for("renyi-grid-filter"), st.integers(1, 40)), max_size=6))
def test_a_grids_integers_are_the_sums_of_the_costs(asked: list[tuple[Guarantee, int]]) -> None:
    """Each order that is alive has the exact sum of what the events cost there, whatever their denominators."""
    orders = (Fraction(5, 2), Fraction(24))
    machine = build("renyi-grid-filter", Setup(Fraction(9), Fraction(1, 10**6), orders=orders))
    state, sums = machine.start(), [Fraction(0), Fraction(0)]
    for event, count in asked:
        state, decision = machine.block(state, event, count)
        if decision.verdict == "HALT":
            return
        costs = renyi_costs(event, orders)[1]
        sums = [total + count * (cost or 0) for total, cost in zip(sums, costs, strict=True)]
        for total, found, alive in zip(sums, state.sums, state.alive, strict=True):
            assert not alive or total == Fraction(found, state.denominator)


@settings(max_examples=20)
@given(st.lists(st.tuples(epsilons, st.integers(1, 30)), min_size=1, max_size=12))
def test_what_the_rogers_filter_knows_ahead_decides_nothing(asked: list[tuple[Fraction, int]]) -> None:
    """It decides as one that evaluates its bound at every step."""
    machine = build("rogers-filter", SETUP)
    state = plain = machine.start()
    for epsilon, count in asked:
        state, decision = machine.block(state, PureDP(epsilon), count)
        plain, wanted = machine.block(replace(plain, within=type(plain.within)()), PureDP(epsilon), count)
        assert (decision.verdict, decision.reason) == (wanted.verdict, wanted.reason)
        assert state == plain


def test_an_order_that_died_stays_dead() -> None:
    setup = Setup(Fraction(1), Fraction(1, 10**6), orders=(Fraction(16), Fraction(32)))
    machine = build("renyi-grid-filter", setup)
    state, _ = machine.step(machine.start(), RenyiDP(((Fraction(16), Fraction(1, 10)),)))
    assert state.alive == (True, False)
    state, decision = machine.step(state, RenyiDP(((Fraction(16), Fraction(2)), (Fraction(32), Fraction(0)))))
    assert decision.verdict == "HALT"


def test_blocks_agree_with_single_steps() -> None:
    for name in FILTERS:
        machine = build(name, SETUP)
        event = GaussianDP(Fraction(1, 50)) if name == "gaussian-filter" else PureDP(Fraction(1, 50))
        admitted = sum(d.verdict == "CONT" for d in run(machine, [event] * 200))
        assert machine.block(machine.start(), event, admitted)[1].verdict == "CONT"
        assert machine.block(machine.start(), event, admitted + 1)[1].verdict == "HALT"


def test_a_hundred_thousand_steps_take_the_time_of_as_many_single_ones() -> None:
    machine = build("dp-filter", Setup(Fraction(40), Fraction(1, 10**6)))
    state: Any = machine.start()
    decision = Decision("CONT")
    for _ in range(100_000):
        state, decision = machine.step(state, PureDP(Fraction(1, 100)))
    assert decision.verdict == "CONT"
    assert state == Spent((Fraction(10), Fraction(0)))


def test_both_engines_halt_at_the_same_round() -> None:
    other = Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(24), engine="mpmath")
    for name in FILTERS:
        event = GaussianDP(Fraction(1, 20)) if name == "gaussian-filter" else PureDP(Fraction(1, 20))
        first, second = (sum(d.verdict == "CONT" for d in run(build(name, s), [event] * 60)) for s in (SETUP, other))
        assert first == second


@pytest.mark.parametrize(
    "costs", [("1/100", "20", "25"), ("1/100", "1/100", "1/100"), ("1/2", "1/10", "3/4"), ("2", "1", "1/2")]
)
def test_a_grid_reads_the_least_epsilon_of_its_orders(costs: tuple[str, str, str]) -> None:
    """Each order at delta'/m; here each order is once the best, and the reading may be below 1."""
    orders = (Fraction(2), Fraction(16), Fraction(32))
    machine = build("renyi-grid-filter", Setup(Fraction(30), Fraction(1, 10**6), orders=orders))
    event = RenyiDP(tuple(zip(orders, map(Fraction, costs), strict=True)))
    _, decision = machine.step(machine.start(), event)
    assert decision.reading is not None
    found = decide.enclose(decision.reading, decide.engine("arb"), Fraction(1, 10**15))
    share = q(SLACK) / 3
    readings = [
        q(cost) + mpmath.log(1 - 1 / q(order)) - mpmath.log(q(order) * share) / (q(order) - 1)
        for order, cost in zip(orders, costs, strict=True)
    ]
    # At 15 digits or more, of readings of at most 30.
    assert meets(found, around(max(mpf(0), min(readings)), absolute=Fraction(1, 10**13)))
