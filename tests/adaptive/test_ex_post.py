"""The ex-post filter: its machine is its statement, it charges what was released, and no adversary breaks it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.adaptive.machines import Setup, build
from privref.adaptive.protocol import run
from privref.adaptive.response import ExPostFilter, ExPostState
from privref.exact.errors import HypothesisError, InputError
from privref.exact.numbers import spell
from privref.exact.work import WorkLimitError, apart
from privref.games import named
from privref.games.accountants import MachineAccountant
from privref.games.attack import attack
from privref.games.attack_check import check
from privref.games.rounds import read_menu
from privref.guarantees.model import ZCDP, ApproxDP, GaussianDP, Guarantee, OutputDP, PureDP, RenyiDP, Unknown
from privref.statements.registry import evaluate

F = Fraction
EPS, ORDER, PRIME, REST = F(3), F(6), F(1, 10**6), F(1, 10**6)
STAGES = OutputDP((("1", F(1, 10)), ("2", F(1, 2)), ("3", F(1))), F(0))


def made() -> ExPostFilter:
    return ExPostFilter.of(EPS, ORDER, PRIME, REST)


events = st.one_of(
    st.tuples(st.just(STAGES), st.sampled_from(["1", "2", "3", None])),
    st.tuples(st.builds(PureDP, st.sampled_from([F(1, 100), F(1, 4), F(1)])), st.none()),
    st.tuples(st.just(ApproxDP(F(1, 10), F(1, 10**7))), st.none()),
    st.tuples(st.builds(ZCDP, st.sampled_from([F(1, 1000), F(1, 50)])), st.none()),
)


@settings(deadline=None, max_examples=40)
@given(st.lists(events, max_size=14))
def test_the_machine_is_its_statement(asked: list[tuple[Guarantee, str | None]]) -> None:
    """Round by round: the same decision, what past rounds released and the largest of what is requested."""
    machine, state, ran = made(), made().start(), []
    for event, cell in asked:
        spends = [dict(e.cells)[c] if c else F(1) for e, c in ran if isinstance(e, OutputDP)]
        spends += [F(1)] if isinstance(event, OutputDP) else []
        plain = [e for e, _ in (*ran, (event, None))]
        said = evaluate(
            "rswr2023/ex_post_filter.decision",
            {
                "order": str(ORDER),
                "spends": [spell(each) for each in spends],
                "eps": [spell(e.epsilon) for e in plain if isinstance(e, (PureDP, ApproxDP))],
                "rho": [spell(e.rho) for e in plain if isinstance(e, ZCDP)],
                "delta": [spell(e.delta) for e in plain if isinstance(e, ApproxDP)],
                "eps_g": str(EPS),
                "delta_prime": str(PRIME),
                "delta_pp": str(REST),
            },
        ).value
        state, decision = machine.step(state, event)
        assert decision.verdict == said
        if said == "HALT":
            return
        ran.append((event, cell))
        if cell is not None:
            state = machine.observe(state, cell)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(events, st.integers(1, 12)), max_size=6))
def test_the_least_budget_is_what_the_machine_needs(asked: list[tuple[tuple[Guarantee, str | None], int]]) -> None:
    """The machine lets all of it run just where the audit's statement says that its budget is enough."""
    machine, state, halted = made(), made().start(), False
    for (event, cell), count in asked:
        for _ in range(count):
            state, decision = machine.step(state, event)
            halted = halted or decision.verdict == "HALT"
            if cell is not None and not halted:
                state = machine.observe(state, cell)
    rows = [
        (F(1), dict(e.cells)[c] if c else F(1), F(0), F(0)) if isinstance(e, OutputDP)
        else (F(0), F(0), F(0), ORDER * e.rho) if isinstance(e, ZCDP)
        else (F(0), F(0), e.epsilon if isinstance(e, (PureDP, ApproxDP)) else F(0), F(0))
        for (e, c), _ in asked
    ]  # fmt: skip
    columns = zip(*rows, strict=True) if rows else ((),) * 4
    sups, spends, eps, cost = ([spell(each) for each in column] for column in columns)
    found = evaluate(
        "rswr2023/ex_post_filter.least_eps",
        {"order": str(ORDER), "sups": sups, "spends": spends, "eps": eps, "cost": cost,
         "counts": [count for _, count in asked], "delta_prime": str(PRIME)},
    ).enclosure  # fmt: skip
    assert found is not None
    deltas = sum(count for (event, _), count in asked if isinstance(event, ApproxDP)) * F(1, 10**7)
    assert halted == (found.upper > EPS or deltas > REST)


def test_only_what_was_released_is_paid_for() -> None:
    """Thirty rounds that stop at their first stage cost three; at their last stage three rounds do."""
    for cell, count in (("1", 21), ("2", 5), ("3", 3)):
        machine, state = made(), made().start()
        for _ in range(count):
            state, decision = machine.step(state, STAGES)
            assert decision.verdict == "CONT"
            state = machine.observe(state, cell)
        assert state.released == count * dict(STAGES.cells)[cell]
        assert machine.step(state, STAGES)[1].verdict == "HALT"
        # What is not settled stays at its largest cost, and a filter that has halted stays halted.
        halted = machine.step(state, STAGES)[0]
        assert halted.halted
        assert machine.step(halted, PureDP(F(0)))[1].verdict == "HALT"


def test_without_ex_post_rounds_it_is_the_response_filter() -> None:
    setup = Setup(EPS, F(1, 10**6), delta_prime=F(1, 10**6), order=ORDER)
    for event in (PureDP(F(1, 10)), PureDP(F(1)), PureDP(F(1, 50))):
        both = [
            [d.verdict for d in run(build(name, setup), [event] * 400)]
            for name in ("ex-post-filter", "response-filter")
        ]
        assert both[0] == both[1]
        assert "HALT" in both[0] or event.epsilon == F(1, 50)


def test_rounds_of_all_kinds_are_charged_at_the_order() -> None:
    machine, start = made(), made().start()
    cost = {
        ZCDP(F(1, 100)): ORDER / 100,
        GaussianDP(F(1, 10)): ORDER / 200,
        RenyiDP(((F(8), F(1, 20)),), F(1, 10**8)): F(1, 20),
    }
    for event, spent in cost.items():
        after, _ = machine.step(start, event)
        assert after == ExPostState(spent=spent, plain=None, delta=getattr(event, "delta", F(0)))
    # A delta of output DP depends on no cell: such a round is charged as (epsilon, delta)-DP, and settling it is free.
    leaky = replace(STAGES, delta=F(1, 10**8))
    after, _ = machine.step(start, leaky)
    assert after.released == 0
    assert after.plain == 1
    assert machine.observe(after, "1") == replace(after, pending=None)
    for event in (Unknown("survey"), RenyiDP(((F(2), F(1)),))):
        with pytest.raises(HypothesisError, match="requires"):
            machine.step(start, event)
    with pytest.raises(InputError, match="waiting"):
        machine.observe(start, "1")
    with pytest.raises(InputError):
        machine.observe(machine.step(start, STAGES)[0], "9")
    # The conversion alone is too dear: sums of epsilon are left.
    low = ExPostFilter.of(F(1), F(11, 10), PRIME, REST)
    assert [d.verdict for d in run(low, [PureDP(F(1, 2))] * 3)] == ["CONT", "CONT", "HALT"]
    assert low.step(low.start(), ZCDP(F(1, 10**9)))[1].verdict == "HALT"


#: Noise-reduced randomized response of two stages that goes on after one answer, in both orientations.
REDUCED = "reduced(3/2; 3)"


@pytest.mark.parametrize("extra", ["1/4", "1/5:1/100", "zcdp(113/2048; 1/3; 1/5)"])
def test_no_adversary_breaks_it(extra: str) -> None:
    """Noise reduction, randomized response and zCDP in any order: all adversaries over the menu."""
    menu = f"{REDUCED}, {extra}"
    found = privref.attack("ex-post-filter", menu, 5, epsilon="3/2", delta="1/20", settings={"order": "4"})
    assert (found.verdict, found.rounds) == ("not-broken", 5)
    assert found.ceiling <= F(1, 20)


def test_the_divergence_of_what_was_released_is_no_charge() -> None:
    """Charged at the order, and not as it is, an ex-post round lets more than twice the claimed delta be lost."""
    found = privref.attack(
        "realised-order", "reduced(3/2; 5/2)", 14, epsilon="8", delta="1/1000", settings={"order": "4"}
    )
    assert found.verdict == "broken"
    assert F("0.00219") < found.failure.lower <= found.ceiling < F("0.0022")
    document = json.loads(json.dumps(privref.report.attack_document(found)["certificate"]))
    assert all(held for _, held, _ in check(document))
    tuned = privref.attack("realised-order", "1/10, 1/2", 4, epsilon="1", delta="1/20")
    assert tuned.verdict == "not-broken"
    for menu in ("reduced(3/2)", "reduced(1; 2)", "reduced(2; 2)"):
        with pytest.raises(InputError):
            read_menu(menu)


def test_a_filter_that_forgets_stages_is_found_out() -> None:
    """The same search against one that charges every noise-reduced round its first stage."""

    class Forgetful(ExPostFilter):
        def observe(self, state: ExPostState, cell: str) -> ExPostState:
            return super().observe(state, "1")

    machine = Forgetful(F(5, 2), F(4), F(1, 20), F(0), None)
    target = MachineAccountant("ex-post-filter", machine, "filter", {})
    found = attack(target, named.read_rounds(REDUCED), named.budget("5/2", "1/20"), 4)
    assert found.verdict == "broken"


def test_claims_about_stages_are_exact() -> None:
    """Nothing is lost beyond each stage's own epsilon; a claim of the first stage's for all is false."""
    stages = ["3/2", "2", "4"]
    for claims, lost in ((stages, 0), (["3/2", "3/2", "3/2"], F(1, 2))):
        found = evaluate("ligett2017/gradual_response.delta", {"exp_eps": stages, "exp_E": claims})
        assert found.enclosure is not None
        assert found.enclosure.lower == found.enclosure.upper == lost
    for bad in ({"exp_eps": ["2", "2"], "exp_E": ["2", "2"]}, {"exp_eps": ["2"], "exp_E": []}):
        with pytest.raises(InputError):
            evaluate("ligett2017/gradual_response.delta", bad)


def test_a_brownian_mechanism_costs_its_least_noise_in_every_filter() -> None:
    """Stages of variances 100, 25, 4 as zCDP rounds: 1/8 in all, like the last value alone; a time of 1/4."""
    variances = [F(100), F(25), F(4)]
    steps = [1 / variances[0], *(1 / b - 1 / a for a, b in pairwise(variances))]
    rounds = [ZCDP(step / 2) for step in steps]
    found = evaluate("whitehouse2022/brownian.rho", {"sensitivity": "1", "variance": ["100", "25", "4"]}).enclosure
    assert found is not None
    assert found.lower == found.upper == sum(r.rho for r in rounds) == F(1, 8)
    odometer = build("one-sided-mixture-odometer", Setup(F(1), F(1, 10**6)))
    state = odometer.start()
    for each in rounds:
        state, _ = odometer.step(state, each)
    assert state.time == F(1, 4)
    with pytest.raises(InputError, match="only reduced"):
        evaluate("whitehouse2022/brownian.rho", {"sensitivity": "1", "variance": ["4", "25"]})


@pytest.mark.parametrize("name", ["one-sided-mixture-odometer", "filter-odometer", "mixture-odometer"])
def test_no_adversary_breaks_an_odometer_with_zcdp_rounds(name: str) -> None:
    """DP and zCDP rounds mixed: the loss exceeds the reading at any time with probability below delta'."""
    mixed = "1/4, 1/2, zcdp(881/4096; 1/10; 1/50), zcdp(113/2048; 1/3; 1/5)"
    found = privref.attack(
        name, mixed, 5, epsilon="1", delta="1/2", failure_of="one-sided", largest=True, settings={"delta_prime": "1/2"}
    )
    assert found.verdict == "not-broken"
    assert 0 < found.ceiling < F(1, 2)


def test_the_least_budget_s_exact_sums_are_paid_for_as_their_denominators_grow() -> None:
    """What has one denominator is read in a pass; what has none in common is refused before it takes minutes."""

    def rows(eps: list[str]) -> dict[str, object]:
        zero = ["0"] * len(eps)
        return {
            "order": "6", "sups": zero, "spends": zero, "eps": eps, "cost": zero, "counts": [1] * len(eps),
            "delta_prime": "1e-6",
        }  # fmt: skip

    def price(eps: list[str]) -> int:
        with apart(10**9) as spent:
            evaluate("rswr2023/ex_post_filter.least_eps", rows(eps))
            return spent()

    alike = [f"{i}e-6" for i in range(1, 51)]
    assert price(alike) <= 150 * 50
    assert price([f"1/{2**400 + i}" for i in range(50)]) > 2 * price(alike)
    with apart(10**6), pytest.raises(WorkLimitError):
        evaluate("rswr2023/ex_post_filter.least_eps", rows([f"1/{2**2000 + 2 * i + 1}" for i in range(2000)]))
