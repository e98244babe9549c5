"""The Lean accountant and filter against Python: every decision and every remaining budget, exactly."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest
from leanci import cli
from leanci.build import olean
from leanci.check import Outcome
from leanci.toolchain import LEAN, Result, WasmLean

from privref.adaptive.output_dp import OutputAccountant, OutputFilter
from privref.exact.errors import InputError
from privref.guarantees.output_dp import output_dp

INTERACTIONS = 300
PER_FILE = 150


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
    """A decision, or None where the package refused to read the request and decided nothing; what remains after it."""

    decision: str | None
    epsilon: Fraction
    delta: Fraction


def replay(run: Interaction) -> list[Step]:
    """The same interaction through the machines of the Python package: what they decided, and where they ended up.

    A charge that is the cost of a cell is reported as that cell; any other as a cell that does not exist, which the
    package refuses, so that the request stays charged at its largest cost. A HALT of the accountant, which goes on to
    the next request, is Lean's reject.
    """
    machine: Any = (OutputFilter if run.machine == "filter" else OutputAccountant)(run.epsilon, run.delta)
    names = {"CONT": "cont", "HALT": "halt" if run.machine == "filter" else "reject"}
    state = machine.start()
    steps = []
    for event in run.events:
        decision = None
        # A partition is never empty in Python; a cell that costs nothing stands for none.
        cells = {str(i): cost for i, cost in enumerate(event.cells or (Fraction(0),))}
        if flawed(event):
            with pytest.raises(InputError):
                output_dp(cells, event.delta)
        else:
            state, decided = machine.step(state, output_dp(cells, event.delta))
            decision = names[decided.verdict]
            if decided.verdict == "CONT" and event.charged in event.cells:
                state = machine.observe(state, str(event.cells.index(event.charged)))
            elif decided.verdict == "CONT":
                with pytest.raises(InputError):
                    machine.observe(state, "no such cell")
        spent = run.machine == "filter"
        eps, delta = (run.epsilon - state.eps, run.delta - state.delta) if spent else (state.eps, state.delta)
        steps.append(Step(decision, eps, delta))
    return steps


def flawed(event: Event) -> bool:
    return event.delta < 0 or any(cost < 0 for cost in event.cells)


def term(q: Fraction) -> str:
    return f"({'-' if q < 0 else ''}q {abs(q.numerator)} {q.denominator})"


def claim(run: Interaction, expected: list[Step]) -> str:
    """Lean's statement that its machine answers this interaction with exactly these steps.

    Where the package decided nothing, Lean's machine must not let the request through, and the budgets must agree.
    """
    asked = ", ".join(f"⟨[{', '.join(map(term, e.cells))}], {term(e.delta)}, {term(e.charged)}⟩" for e in run.events)
    decisions = ("none" if s.decision is None else f"some .{s.decision}" for s in expected)
    answered = ", ".join(
        f"({decision}, ⟨{term(s.epsilon)}, {term(s.delta)}⟩)" for decision, s in zip(decisions, expected, strict=True)
    )
    start = f"(State.init ⟨{term(run.epsilon)}, {term(run.delta)}⟩)"
    return f"example : agree {run.machine}Step {start} [{asked}] [{answered}] = true := by decide +kernel\n"


# What remains is compared and then taken as it is written here, so that the kernel need not work it out again.
HEAD = """module

public import PrivRef.Protocol

open PrivRef

noncomputable abbrev q (n d : Nat) : Rat := mkRat n d

noncomputable def agree (step : State → Event → State × Decision) (s : State) :
    List Event → List (Option Decision × Budget) → Bool
  | [], [] => true
  | e :: events, (expected, left) :: steps =>
    match step s e with
    | (⟨remaining, halted⟩, said) =>
      (match expected with
        | some decision => decide (said = decision)
        | none => !decide (said = .cont)) && decide (remaining = left) &&
        agree step ⟨left, halted⟩ events steps
  | _, _ => false

"""


# Small grids make exact ties (spending the last of a budget) frequent; the wide ones exercise big numbers.
GRID = tuple(Fraction(n, 12) for n in (0, 1, 2, 3, 4, 6))


def wide(rng: random.Random) -> Fraction:
    denominator = rng.choice((rng.randint(1, 30), rng.randint(1, 10**12)))
    return Fraction(rng.randint(0, denominator), denominator)


def a_cost(rng: random.Random) -> Fraction:
    return rng.choice(GRID) if rng.randrange(4) else wide(rng)


def a_delta(rng: random.Random) -> Fraction:
    return (Fraction(0), Fraction(0), rng.choice(GRID) / 48, wide(rng) / 10**6)[rng.randrange(4)]


def a_budget(rng: random.Random) -> Fraction:
    return Fraction(rng.choice((0, 6, 9, 12, 24)), 12) if rng.randrange(2) else 2 * wide(rng)


def an_event(rng: random.Random) -> Event:
    cells = [a_cost(rng) for _ in range(rng.randrange(5))]
    charged = rng.choice(cells) if cells and rng.randrange(10) else a_cost(rng)
    event = Event(a_delta(rng), charged, tuple(cells))
    flaw = rng.randrange(25)
    if flaw == 0:
        return event._replace(delta=-Fraction(1, 7))
    if flaw == 1:
        return event._replace(cells=(*cells, -Fraction(1, 3)), charged=-Fraction(1, 3))
    return event


@cache
def generate(count: int) -> list[Interaction]:
    """The same interactions in every run."""
    rng = random.Random(2022)
    return [
        Interaction(
            rng.choice(("filter", "accountant")),
            a_budget(rng),
            a_budget(rng) / 12,
            tuple(an_event(rng) for _ in range(rng.randint(1, 10))),
        )
        for _ in range(count)
    ]


def wrong(result: Result, text: str) -> list[str]:
    """The statements that Lean's kernel did not accept."""
    assert not result.died, result.output
    lines = text.splitlines()
    return [lines[m.line - 1] for m in result.messages if m.severity == "error"]


def test_every_decision_and_remaining_budget_agree(run_lean: Callable[[str], Result], jobs: int) -> None:
    runs = generate(INTERACTIONS)
    claims = [claim(run, replay(run)) for run in runs]
    assert len(claims) == INTERACTIONS
    texts = [HEAD + "".join(claims[i : i + PER_FILE]) for i in range(0, INTERACTIONS, PER_FILE)]
    # As many processes of Lean as for the build: this is the longest of its tests.
    with ThreadPoolExecutor(jobs) as pool:
        for text, result in zip(texts, pool.map(run_lean, texts), strict=True):
            assert wrong(result, text) == []
            assert result.ok, result.output


def test_a_wrong_step_is_noticed(run_lean: Callable[[str], Result]) -> None:
    """One budget off by little, one decision changed or withheld, one step too few: each must be rejected."""
    run = next(r for r in generate(INTERACTIONS) if any(s.decision == "cont" for s in replay(r)))
    steps = replay(run)
    last = steps[-1]
    ran = next(i for i, s in enumerate(steps) if s.decision == "cont")
    bad = [
        [*steps[:ran], steps[ran]._replace(decision=None), *steps[ran + 1 :]],
        [*steps[:-1], last._replace(epsilon=last.epsilon + Fraction(1, 10**12))],
        [*steps[:-1], last._replace(decision="halt" if last.decision != "halt" else "reject")],
        steps[:-1],
    ]
    text = HEAD + claim(run, steps) + "".join(claim(run, b) for b in bad)
    assert wrong(run_lean(text), text) == text.splitlines()[-len(bad) :]


def test_interactions_reach_every_kind_of_decision() -> None:
    """Without this the comparison could agree on nothing but refusals."""
    seen: dict[tuple[str, str | None], int] = {}
    spent = unknown = 0
    for run in generate(INTERACTIONS):
        steps = replay(run)
        for step in steps:
            seen[run.machine, step.decision] = seen.get((run.machine, step.decision), 0) + 1
        spent += any(s.decision == "cont" and s.epsilon == 0 for s in steps)
        unknown += any(
            s.decision == "cont" and e.cells and e.charged not in e.cells and max(e.cells) > 0
            for e, s in zip(run.events, steps, strict=True)
        )
    assert set(seen) == {("accountant", d) for d in ("cont", "reject", None)} | {
        ("filter", d) for d in ("cont", "halt", None)
    }
    assert min(seen.values()) > INTERACTIONS // 10
    assert spent > 20  # budgets spent to the last bit, where strict and non-strict comparison differ
    assert unknown > 20  # charges that are not the cost of a cell, paid for with the largest cost


def test_a_charge_that_is_no_cell_costs_the_largest_cost(run_lean: Callable[[str], Result]) -> None:
    """The answer is out: both machines of both sides keep what they reserved."""
    event = Event(Fraction(1, 100), Fraction(1, 7), (Fraction(1, 4), Fraction(1, 2)))
    text = HEAD
    for machine in ("filter", "accountant"):
        run = Interaction(machine, Fraction(1), Fraction(1, 10), (event,))
        assert replay(run) == [Step("cont", Fraction(1, 2), Fraction(9, 100))]
        text += claim(run, replay(run))
    result = run_lean(text)
    assert result.ok, result.output


TEXT = """event 0 0 0
filter 1 x
filter 1 1/0
filter 1
filter 1/2 -1/3
event 0 1/2 1/2
filter 10 1
event 1/12 3/4 1 3/4

event 1/12 2 3/4
event -1/12 2 2
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
cont 17/2 5/6
reject 17/2 5/6
error
halt 17/2 5/6
halt 17/2 5/6
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
