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

INTERACTIONS = 2400
PER_FILE = 1200


class Event(NamedTuple):
    delta: Fraction
    charged: Fraction
    cells: tuple[Fraction, ...]


class Interaction(NamedTuple):
    machine: str
    epsilon: Fraction
    delta: Fraction
    events: tuple[Event, ...]


def replay(run: Interaction) -> list[str]:
    """The same interaction through the machines of the Python package.

    A request with a negative parameter, or with a charge that is not the cost of one of its cells, is refused by both;
    the package refuses it where it is read.
    """
    machine: Any = (OutputFilter if run.machine == "filter" else OutputAccountant)(run.epsilon, run.delta)
    state = machine.start()
    lines = [f"start {run.epsilon} {run.delta}"]
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
        lines.append(f"{decision} {eps} {delta}")
    return lines


def protocol(run: Interaction) -> list[str]:
    lines = [f"{run.machine} {run.epsilon} {run.delta}"]
    for event in run.events:
        lines.append(" ".join(["event", *map(str, (event.delta, event.charged, *event.cells))]))
    return lines


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


def chunks(lines: list[list[str]], size: int) -> list[list[str]]:
    """Whole interactions packed into texts of at most `size` lines."""
    packed: list[list[str]] = [[]]
    for block in lines:
        if len(packed[-1]) + len(block) > size:
            packed.append([])
        packed[-1] += block
    return packed


@pytest.mark.parametrize("part", range(INTERACTIONS // PER_FILE))
def test_every_decision_and_remaining_budget_agree(run_lean: Callable[[str], Result], part: int) -> None:
    runs = generate(INTERACTIONS)[part * PER_FILE : (part + 1) * PER_FILE]
    assert len(runs) == PER_FILE
    text = "module\n\npublic import PrivRef.Protocol\n\n"
    for lines in chunks([protocol(run) for run in runs], 400):
        quoted = "\\n".join(lines)
        text += f'#eval IO.print (PrivRef.Protocol.run "{quoted}")\n\n'
    result = run_lean(text)
    assert result.ok, result.output
    answers = iter(result.said.splitlines())
    for run in runs:
        expected = replay(run)
        assert [next(answers, "") for _ in expected] == expected, run
    assert next(answers, None) is None


def test_interactions_reach_every_kind_of_decision() -> None:
    """Without this the comparison could agree on nothing but refusals."""
    seen: dict[tuple[str, str], int] = {}
    exact_ties = 0
    for run in generate(INTERACTIONS):
        lines = replay(run)
        for line in lines[1:]:
            key = run.machine, line.split()[0]
            seen[key] = seen.get(key, 0) + 1
        exact_ties += any(line.startswith("cont 0 ") for line in lines)
    assert set(seen) == {(m, d) for m in ("filter", "accountant") for d in ("cont", "halt", "reject")} - {
        ("accountant", "halt")
    }
    assert min(seen.values()) > 100
    assert exact_ties > 100


def test_protocol_refuses_what_it_cannot_read(run_lean: Callable[[str], Result]) -> None:
    asked = [
        "event 0 0 0",
        "filter 1 x",
        "filter 1 1/0",
        "filter 1",
        "filter 1/2 -1/3",
        "nonsense",
        "event 0",
        "event 0 1/2 1/2",
    ]
    quoted = "\\n".join(asked)
    result = run_lean(f'module\n\npublic import PrivRef.Protocol\n\n#eval IO.print (PrivRef.Protocol.run "{quoted}")\n')
    assert result.ok, result.output
    assert result.said.splitlines() == [*["error"] * 4, "start 1/2 -1/3", "error", "error", "halt 1/2 -1/3"]


def test_executable_compiles(lean: WasmLean, library: Outcome) -> None:
    assert olean(cli.CHECKED, "PrivRef.Protocol").exists()
    result = lean.run(["-DwarningAsError=true", "Main.lean"], path=[cli.CHECKED], cwd=LEAN)
    assert result.ok, result.output
