"""The output-DP accountant and filter: they agree, they are sound on exact games, and the worked interaction."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref import catalogue
from privref.adaptive.output_dp import OutputAccountant, OutputFilter
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.model import ZCDP, ApproxDP, GaussianDP, Guarantee, OutputDP, PureDP
from privref.guarantees.output_dp import output_dp, partition_from_rule
from privref.statements.registry import evaluate

F = Fraction
catalogue.load()

_COSTS = st.fractions(0, 1, max_denominator=8)


@st.composite
def interactions(draw: st.DrawFn) -> tuple[F, F, list[tuple[OutputDP, str]]]:
    """A budget, and requests each with the cell that would be observed if it ran."""
    events = []
    for _ in range(draw(st.integers(0, 8))):
        costs = draw(st.lists(_COSTS, min_size=1, max_size=3))
        cells = tuple((chr(97 + i), cost) for i, cost in enumerate(costs))
        delta = draw(st.sampled_from([F(0), F(1, 100), F(1, 50)]))
        events.append((OutputDP(cells, delta), draw(st.sampled_from(cells))[0]))
    return draw(st.fractions(0, 3, max_denominator=4)), draw(st.sampled_from([F(0), F(1, 50), F(1, 10)])), events


@settings(deadline=None)
@given(interactions())
def test_accountant_and_filter_agree_with_definition_19(case: tuple[F, F, list[tuple[OutputDP, str]]]) -> None:
    eps_t, delta_t, events = case
    accountant, odp_filter = OutputAccountant(eps_t, delta_t), OutputFilter(eps_t, delta_t)
    budget, spent = accountant.start(), odp_filter.start()
    past: list[tuple[F, F]] = []
    for guarantee, cell in events:
        worst = max(cost for _, cost in guarantee.cells)
        asked = [*past, (worst, guarantee.delta)]
        definition = evaluate(
            "hartmann2022/def19.simple_filter",
            {
                "eps": [str(e) for e, _ in asked],
                "delta": [str(d) for _, d in asked],
                "eps_t": str(eps_t),
                "delta_t": str(delta_t),
            },
        ).value
        budget, admitted = accountant.step(budget, guarantee)
        spent, passed = odp_filter.step(spent, guarantee)
        assert admitted.verdict == passed.verdict == definition
        if admitted.verdict == "HALT":
            # Algorithm 6 ends here; Algorithm 1 goes on with the budget as it was.
            assert odp_filter.step(spent, PureDP(F(0)))[1].verdict == "HALT"
            assert accountant.step(budget, PureDP(F(0)))[1].verdict == "CONT"
            break
        budget, spent = accountant.observe(budget, cell), odp_filter.observe(spent, cell)
        past.append((dict(guarantee.cells)[cell], guarantee.delta))
        assert (budget.eps, budget.delta) == (eps_t - spent.eps, delta_t - spent.delta)
        assert (budget.eps, budget.delta) == (
            eps_t - sum(e for e, _ in past),
            delta_t - sum(d for _, d in past),
        )


@settings(deadline=None)
@given(interactions())
def test_the_budget_never_becomes_negative_and_a_refusal_changes_nothing(
    case: tuple[F, F, list[tuple[OutputDP, str]]],
) -> None:
    eps_t, delta_t, events = case
    accountant = OutputAccountant(eps_t, delta_t)
    state = accountant.start()
    for guarantee, cell in events:
        after, decision = accountant.step(state, guarantee)
        if decision.verdict == "HALT":
            assert after == state
            assert decision.reason
            continue
        state = accountant.observe(after, cell)
        assert state.eps >= 0
        assert state.delta >= 0


def test_an_answer_whose_cell_is_not_reported_stays_charged_at_the_largest_cost() -> None:
    accountant = OutputAccountant(F(2), F(0))
    state, _ = accountant.step(accountant.start(), output_dp({"a": "1", "b": "1/4"}))
    assert state.eps == 1
    state, decision = accountant.step(state, output_dp({"a": "1", "b": "1/4"}))
    assert decision.verdict == "CONT"
    assert accountant.observe(state, "b").eps == F(3, 4)


def test_cells_are_checked_and_answers_belong_to_admitted_events() -> None:
    for machine in (OutputAccountant(F(2), F(0)), OutputFilter(F(2), F(0))):
        _check_observation(machine.start(), machine.step, machine.observe)


def _check_observation(start: object, step: Callable[..., object], observe: Callable[..., object]) -> None:
    with pytest.raises(InputError):
        observe(start, "a")
    state, _ = step(start, output_dp({"a": "1"}))  # type: ignore[misc]
    with pytest.raises(InputError):
        observe(state, "b")
    settled = observe(state, "a")
    with pytest.raises(InputError):
        observe(settled, "a")


def test_dp_events_are_charged_whole_and_other_notions_are_refused() -> None:
    accountant = OutputAccountant(F(1), F(1, 10))
    state, decision = accountant.step(accountant.start(), ApproxDP(F(1, 4), F(1, 20)))
    assert decision.verdict == "CONT"
    assert (state.eps, state.delta) == (F(3, 4), F(1, 20))
    with pytest.raises(HypothesisError):
        accountant.step(state, ZCDP(F(1)))


# --- exact games: Theorem 7 holds for what the accountant admits, and fails for the two wrong readings ---------------


def _law(rng: random.Random, size: int) -> list[F]:
    weights = [rng.randint(0, 8) for _ in range(size)]
    weights[0] += 1
    return [F(weight, sum(weights)) for weight in weights]


def _least_delta(p: list[F], q: list[F], growth: list[F]) -> F:
    sides = ((p, q), (q, p))
    return max(sum((max(a - g * b, F(0)) for a, b, g in zip(x, y, growth, strict=True)), F(0)) for x, y in sides)


@pytest.mark.parametrize(
    "event",
    [
        OutputDP((("a", F(-1)), ("b", F(1, 2))), F(0)),
        OutputDP((("a", F(1)),), F(-1, 10)),
        PureDP(F(-1)),
        ApproxDP(F(1, 2), F(2)),
        GaussianDP(F(-1)),
    ],
)
def test_parameters_that_no_guarantee_can_have_are_refused(event: Guarantee) -> None:
    """A negative cost would give budget back."""
    for machine in (OutputAccountant(F(1), F(1, 10)), OutputFilter(F(1), F(1, 10))):
        with pytest.raises(InputError):
            machine.step(machine.start(), event)


def test_admitted_interactions_are_as_private_as_the_budget_says() -> None:
    """Two adaptive rounds of random finite mechanisms, epsilons in units of log 2, every view enumerated exactly."""
    rng = random.Random(7)
    admitted = 0
    for _ in range(1500):
        budget_units, delta_t = rng.randint(0, 3), F(rng.randint(0, 10), 20)
        accountant = OutputAccountant(F(budget_units), delta_t)
        size = rng.randint(1, 3)
        units = [rng.randint(0, 2) for _ in range(size)]
        p, q = _law(rng, size), _law(rng, size)
        first = OutputDP(
            tuple((str(o), F(n)) for o, n in enumerate(units)), _least_delta(p, q, [F(2) ** n for n in units])
        )
        state, decision = accountant.step(accountant.start(), first)
        if decision.verdict == "HALT":
            continue
        views: list[tuple[F, F]] = []
        for o in range(size):
            after = accountant.observe(state, str(o))
            other = [rng.randint(0, 3) for _ in range(2)]
            a, b = _law(rng, 2), _law(rng, 2)
            second = OutputDP(
                tuple((str(i), F(n)) for i, n in enumerate(other)), _least_delta(a, b, [F(2) ** n for n in other])
            )
            if accountant.step(after, second)[1].verdict == "CONT":
                admitted += 1
                views += [(p[o] * x, q[o] * y) for x, y in zip(a, b, strict=True)]
            else:
                views.append((p[o], q[o]))
        growth = [F(2) ** budget_units] * len(views)
        assert _least_delta([v for v, _ in views], [w for _, w in views], growth) <= delta_t
    assert admitted > 100


def test_reading_lines_7_and_8_as_assignments_is_unsound() -> None:
    """Erratum E11: two randomized responses of log 2 on a budget of log 2 have delta 2/9, not 0."""
    rr = ([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)])
    views = [(rr[0][i] * rr[0][j], rr[1][i] * rr[1][j]) for i, j in itertools.product((0, 1), repeat=2)]
    assert _least_delta([v for v, _ in views], [w for _, w in views], [F(2)] * 4) == F(2, 9)
    printed = evaluate(
        "hartmann2022/alg1.remaining.printed", {"eps_t": "1", "delta_t": "0", "spends": ["1"], "deltas": ["0"]}
    )
    assert printed.value == "eps_r=1, delta_r=0"
    accountant = OutputAccountant(F(1), F(0))
    state, _ = accountant.step(accountant.start(), PureDP(F(1)))
    assert accountant.step(accountant.observe(state, "any"), PureDP(F(1)))[1].verdict == "HALT"


def test_charging_the_delta_of_the_observed_cell_is_unsound() -> None:
    """Erratum E12: charged by the cell, a budget (log 2, 1/2) would admit what has delta 3/4 at log 2."""
    half = F(1, 2)
    first = {"a": (half, F(0)), "c": (half, F(1))}
    # Cell a: E = 0 with Delta = 1/2; cell c: E = log 2 with Delta = 0. Both are right as subset DP.
    assert max(first["a"][0] - first["a"][1], 0) == half
    assert first["c"][0] - 2 * first["c"][1] < 0
    assert first["c"][1] - 2 * first["c"][0] == 0
    # After c, charged (log 2, 0), a (0, 1/2)-DP round would still fit.
    second = [(half, F(0)), (half, F(1))]
    views = [first["a"]] + [(first["c"][0] * x, first["c"][1] * y) for x, y in second]
    assert _least_delta([v for v, _ in views], [w for _, w in views], [F(2)] * 3) == F(3, 4)
    accountant = OutputAccountant(F(1), half)
    state, _ = accountant.step(accountant.start(), OutputDP((("a", F(0)), ("c", F(1))), half))
    assert accountant.step(accountant.observe(state, "c"), ApproxDP(F(0), half))[1].verdict == "HALT"


# --- the statements ---------------------------------------------------------------------------------------------------


def test_remaining_budget_refuses_what_could_not_have_been_admitted() -> None:
    for spends, deltas in ((["3/4", "1/2"], ["0", "0"]), (["1/4"], ["1/10"]), (["1/4"], [])):
        with pytest.raises(InputError):
            evaluate(
                "hartmann2022/alg1.remaining", {"eps_t": "1", "delta_t": "1/20", "spends": spends, "deltas": deltas}
            )


# --- the worked interaction -------------------------------------------------------------------------------------------


def _guarantee(document: dict[str, object]) -> Guarantee:
    if document["kind"] == "pure-dp":
        return PureDP(F(str(document["epsilon"])))
    if "partition" in document:
        return output_dp(partition_from_rule(document["partition"]), document["delta"])
    return output_dp(document["cells"], document["delta"])


def test_the_worked_interaction_leaves_exactly_these_budgets() -> None:
    text = files("privref").joinpath("examples", "odp_interaction.json").read_text(encoding="utf-8")
    ledger = json.loads(text)
    accountant = OutputAccountant(F(ledger["budget"]["epsilon"]), F(ledger["budget"]["delta"]))
    requests = [(_guarantee(event["guarantee"]), event.get("observed_cell")) for event in ledger["events"]]
    state, left = accountant.start(), []
    for asked, cell in requests:
        state, decision = accountant.step(state, asked)
        assert decision.verdict == "CONT"
        state = state if cell is None else accountant.observe(state, cell)
        left.append((state.eps, state.delta))
    # One more release, however small, is refused.
    assert accountant.step(state, PureDP(F(1, 10**9)))[1].verdict == "HALT"
    half_millionth = F(1, 2 * 10**6)
    assert left == [(F(19, 25), 2 * half_millionth), (F(33, 50), half_millionth), (F(0), half_millionth)]
    # Charged at their largest cells, the first two events would have left 3/10 for the release.
    worst = sum(max(c for _, c in _guarantee(e["guarantee"]).cells) for e in ledger["events"][:2])  # type: ignore[union-attr]
    assert 1 - worst == F(3, 10)
    sevenths = F(33, 50) / 7
    assert sevenths > F(3, 10) / 7


@pytest.mark.parametrize(
    ("spends", "deltas"), [(["5"], ["0"]), (["1/2", "3/4"], ["0", "0"]), (["1"], ["1/2"]), (["1", "1"], ["0", "1/8"])]
)
def test_the_printed_algorithm_refuses_what_exceeds_what_it_takes_to_remain(
    spends: list[str], deltas: list[str]
) -> None:
    inputs = {"eps_t": "1", "delta_t": "1/4", "spends": spends, "deltas": deltas}
    with pytest.raises(InputError, match="exceeds the remaining"):
        evaluate("hartmann2022/alg1.remaining.printed", inputs)
