"""Replay an interaction: what every machine decides about every event, and what it reads after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, repeat
from typing import Any, Literal

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, UndecidedError
from privref.exact.work import WorkLimitError
from privref.guarantees.model import Guarantee, as_zcdp

from .protocol import Decision, Machine, ObservingMachine, Reading
from .running import plus

CellOutcome = Literal["CONT", "HALT", "inapplicable", "undecided"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One machine at one round. ``reading`` is None where it was not asked for, or where there is none."""

    outcome: CellOutcome
    reading: Enclosure | Literal["inf"] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """One round: the event that was requested, the intrinsic time after it (None where unknown), and all machines."""

    round: int
    event: Guarantee
    time: Fraction | None
    cells: Mapping[str, Cell]


def shown(reading: Reading | None, engine: decide.EngineName, digits: int) -> Enclosure | Literal["inf"] | None:
    """The enclosure of a reading to a relative width of 10^-digits."""
    if reading is None or isinstance(reading, str):
        return reading
    if isinstance(reading, Fraction):
        return Enclosure(reading, reading)
    return decide.enclose(reading, decide.engine(engine), Fraction(1, 10**digits))


def every(points: int, rounds: int) -> Callable[[int], bool]:
    """Which of ``rounds`` rounds to read, about ``points`` of them: evenly spread, the first and last included."""
    step = max(1, -(-rounds // max(points, 1)))
    return lambda k: k in (1, rounds) or k % step == 0


def run_machines(
    events: Iterable[Guarantee],
    machines: Mapping[str, Machine[Any]],
    *,
    read: Callable[[int], bool] = lambda k: True,
    passed_over: Callable[[int, str], bool] = lambda k, name: False,
    engine: decide.EngineName = "arb",
    digits: int = 12,
    observed: Iterable[str | None] = (),
) -> Iterator[ReplayRow]:
    """The rows of a replay, one per event, in order.

    ``observed`` gives the cells of the answers, event by event, where they were recorded: a machine that charges by
    the cell gets it after its decision, and reads what it read then.

    A machine that does not cover an event is ``inapplicable`` from there on, and one whose comparison was open at the
    precision cap is ``undecided``, as nothing can be said about what it would have done next. ``read`` says at which
    rounds readings are wanted: decisions are cheap, readings need digits. ``passed_over`` says which machines are not
    informed of a round, as an odometer is not of a request that was never run: their cell is the one before.
    """
    states = {name: machine.start() for name, machine in machines.items()}
    stopped: dict[str, Cell] = {}
    latest: dict[str, Decision] = {}
    time: Fraction | None = Fraction(0)
    for k, (event, cell) in enumerate(zip(events, chain(observed, repeat(None)), strict=False), 1):
        zcdp = as_zcdp(event)
        try:
            time = None if zcdp is None or time is None else plus(time, zcdp.rho, 2)
        except WorkLimitError:
            time = None
        cells: dict[str, Cell] = {}
        for name, machine in machines.items():
            if name in stopped:
                cells[name] = stopped[name]
                continue
            if passed_over(k, name):
                decision = latest.get(name, Decision("CONT"))
                cells[name] = Cell(decision.verdict, shown(decision.reading, engine, digits) if read(k) else None)
                continue
            try:
                states[name], decision = machine.step(states[name], event)
                if cell is not None and decision.verdict == "CONT" and isinstance(machine, ObservingMachine):
                    states[name] = machine.observe(states[name], cell)
                    decision = replace(decision, reading=machine.read(states[name]))
                latest[name] = decision
                reading = shown(decision.reading, engine, digits) if read(k) else None
                cells[name] = Cell(decision.verdict, reading, decision.reason)
            except HypothesisError as refusal:
                cells[name] = stopped[name] = Cell("inapplicable", None, str(refusal))
            except UndecidedError as refusal:
                cells[name] = stopped[name] = Cell("undecided", None, str(refusal))
        yield ReplayRow(k, event, time, cells)
