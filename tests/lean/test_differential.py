"""The Lean accountant and filter against Python: every decision and every remaining budget, exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from leanci import cli
from leanci.build import olean
from leanci.check import Outcome
from leanci.toolchain import LEAN, Result, WasmLean

from privref.adaptive.output_dp import OutputAccountant, OutputFilter
from privref.exact.errors import InputError
from privref.guarantees.output_dp import output_dp

INTERACTIONS = 2000
PER_FILE = 1000


class Event(NamedTuple):
    delta: Fraction
    charged: Fraction
    cells: tuple[Fraction, ...]


class Interaction(NamedTuple):
    machine: str
    epsilon: Fraction
    delta: Fraction
    events: tuple[Event, ...]


class Step(NamedTuple):
    decision: str
    epsilon: Fraction
    delta: Fraction


def replay(run: Interaction) -> list[Step]:
    """The same interaction through the machines of the Python package.

    A request with a negative parameter, or with a charge that is not the cost of one of its cells, is refused by both;
    the package refuses it where it is read.
    """
    machine: Any = (OutputFilter if run.machine == "filter" else OutputAccountant)(run.epsilon, run.delta)
    state = machine.start()
    steps = []
    for event in run.events:
        # A partition is never empty in Python; a cell that costs nothing stands for none.
        cells = tuple((str(i), cost) for i, cost in enumerate(event.cells or (Fraction(0),)))
        decision = "halt" if getattr(state, "halted", False) else "reject"
        if event.delta < 0 or any(cost < 0 for cost in event.cells):
            with pytest.raises(InputError):
                output_dp(dict(cells), event.delta)
        else:
            after, decided = machine.step(state, output_dp(dict(cells), event.delta))
            if decided.verdict == "HALT":
                state, decision = after, "halt" if run.machine == "filter" else "reject"
            elif event.charged in event.cells:
                state, decision = machine.observe(after, str(event.cells.index(event.charged))), "cont"
        spent = run.machine == "filter"
        eps, delta = (run.epsilon - state.eps, run.delta - state.delta) if spent else (state.eps, state.delta)
        steps.append(Step(decision, eps, delta))
    return steps


def term(q: Fraction) -> str:
    return f"({'-' if q < 0 else ''}q {abs(q.numerator)} {q.denominator})"


def claim(run: Interaction, expected: list[Step]) -> str:
    """Lean's statement that its machine answers this interaction with exactly these steps."""
    asked = ", ".join(f"⟨[{', '.join(map(term, e.cells))}], {term(e.delta)}, {term(e.charged)}⟩" for e in run.events)
    answered = ", ".join(f"(.{s.decision}, ⟨{term(s.epsilon)}, {term(s.delta)}⟩)" for s in expected)
    start = f"(State.init ⟨{term(run.epsilon)}, {term(run.delta)}⟩)"
    return f"example : replay {run.machine}Step {start} [{asked}] = [{answered}] := by decide +kernel\n"


HEAD = """module

public import PrivRef.Protocol

open PrivRef

noncomputable abbrev q (n d : Nat) : Rat := mkRat n d

"""


# Small grids make exact ties (spending the last of a budget) frequent; the wide ones exercise big numbers.
GRID = st.sampled_from([Fraction(n, 12) for n in (0, 1, 2, 3, 4, 6)])
WIDE = st.fractions(min_value=0, max_value=1, max_denominator=10**12)
COST = st.one_of(GRID, GRID, GRID, WIDE)
DELTA = st.one_of(st.just(Fraction(0)), st.just(Fraction(0)), GRID.map(lambda x: x / 48), WIDE.map(lambda x: x / 10**6))
BUDGET = st.one_of(st.sampled_from([Fraction(n, 12) for n in (0, 6, 9, 12, 24)]), WIDE.map(lambda x: 2 * x))


@st.composite
def events(draw: st.DrawFn) -> Event:
    cells = draw(st.lists(COST, max_size=4))
    charged = draw(st.sampled_from(cells)) if cells and draw(st.integers(0, 9)) else draw(COST)
    event = Event(draw(DELTA), charged, tuple(cells))
    flaw = draw(st.integers(0, 24))
    if flaw == 0:
        return event._replace(delta=-Fraction(1, 7))
    if flaw == 1:
        return event._replace(cells=(*cells, -Fraction(1, 3)), charged=-Fraction(1, 3))
    return event


INTERACTION = st.builds(
    Interaction,
    st.sampled_from(["filter", "accountant"]),
    BUDGET,
    BUDGET.map(lambda x: x / 12),
    st.lists(events(), min_size=1, max_size=10).map(tuple),
)


@cache
def generate(count: int) -> list[Interaction]:
    """The same interactions in every run."""
    found: list[Interaction] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(INTERACTION)
    def collect(run: Interaction) -> None:
        found.append(run)

    collect()
    return found


def wrong(result: Result, text: str) -> list[str]:
    """The statements that Lean's kernel did not accept."""
    assert not result.died, result.output
    lines = text.splitlines()
    return [lines[m.line - 1] for m in result.messages if m.severity == "error"]


@pytest.mark.parametrize("part", range(INTERACTIONS // PER_FILE))
def test_every_decision_and_remaining_budget_agree(run_lean: Callable[[str], Result], part: int) -> None:
    runs = generate(INTERACTIONS)[part * PER_FILE : (part + 1) * PER_FILE]
    assert len(runs) == PER_FILE
    text = HEAD + "".join(claim(run, replay(run)) for run in runs)
    result = run_lean(text)
    assert wrong(result, text) == []
    assert result.ok, result.output


def test_a_wrong_step_is_noticed(run_lean: Callable[[str], Result]) -> None:
    """One budget off by little, one decision changed, one step too few: each must be rejected."""
    run = next(r for r in generate(INTERACTIONS) if any(s.decision == "cont" for s in replay(r)))
    steps = replay(run)
    last = steps[-1]
    bad = [
        [*steps[:-1], last._replace(epsilon=last.epsilon + Fraction(1, 10**12))],
        [*steps[:-1], last._replace(decision="halt" if last.decision != "halt" else "reject")],
        steps[:-1],
    ]
    text = HEAD + claim(run, steps) + "".join(claim(run, b) for b in bad)
    assert wrong(run_lean(text), text) == text.splitlines()[-3:]


def test_interactions_reach_every_kind_of_decision() -> None:
    """Without this the comparison could agree on nothing but refusals."""
    seen: dict[tuple[str, str], int] = {}
    spent = 0
    for run in generate(INTERACTIONS):
        steps = replay(run)
        for step in steps:
            seen[run.machine, step.decision] = seen.get((run.machine, step.decision), 0) + 1
        spent += any(s.decision == "cont" and s.epsilon == 0 for s in steps)
    machines, decisions = ("filter", "accountant"), ("cont", "halt", "reject")
    assert set(seen) == {(m, d) for m in machines for d in decisions} - {("accountant", "halt")}
    assert min(seen.values()) > INTERACTIONS // 10
    assert spent > 20  # budgets spent to the last bit, where strict and non-strict comparison differ


TEXT = """event 0 0 0
filter 1 x
filter 1 1/0
filter 1
filter 1/2 -1/3
event 0 1/2 1/2
filter 10 1
event 1/12 3/4 1 3/4

event 1/12 2 3/4
event 0
event 1/12 9 37/4
event 0 10 10
accountant 1 0
event 0 2 2
event 0 1/3 1/3
nonsense
"""
ANSWERS = """error
error
error
error
start 1/2 -1/3
halt 1/2 -1/3
start 10 1
cont 37/4 11/12
reject 37/4 11/12
error
reject 37/4 11/12
halt 37/4 11/12
start 1 0
reject 1 0
cont 2/3 0
error
"""


def characters(text: str) -> str:
    return "[" + ", ".join("'\\n'" if c == "\n" else f"'{c}'" for c in text) + "]"


def test_protocol_reads_and_answers_lines(run_lean: Callable[[str], Result]) -> None:
    """The protocol of the executable, by the kernel, since this build makes no executable."""
    text = (
        "module\n\npublic import PrivRef.Protocol\n\nset_option maxRecDepth 20000\n\n"
        f"example : PrivRef.Protocol.run\n    {characters(TEXT)} =\n    {characters(ANSWERS)} := by decide +kernel\n"
    )
    result = run_lean(text)
    assert result.ok, result.output


def test_executable_compiles(lean: WasmLean, library: Outcome) -> None:
    assert olean(cli.CHECKED, "PrivRef.Protocol").exists()
    result = lean.run(["-DwarningAsError=true", "Main.lean"], path=[cli.CHECKED], cwd=LEAN)
    assert result.ok, result.output
