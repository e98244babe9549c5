"""Exact state that a machine carries from round to round in constant work: limits to compare with, sums to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, repeat
from math import lcm
from typing import Any, Literal, NamedTuple

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, UndecidedError
from privref.exact.numbers import LONG, count_divisor, count_sum
from privref.exact.work import WorkLimitError
from privref.guarantees.model import Guarantee, as_zcdp, checked

from .protocol import Decision, Machine, ObservingMachine, Reading

__all__ = ["BudgetLimit", "ExactSum", "RunningSum", "checked", "exceeds", "plus"]

_LIMIT_BITS = 160
#: Running sums of irrational terms are kept as integers in units of 2^-this.
_SCALE_BITS = 256


def plus(total: Fraction, term: Fraction, count: int) -> Fraction:
    """total + count * term; no greatest common divisor is taken for a zero, nor for a count of one."""
    if not term.numerator:
        return total
    count_sum(total, term)
    return total + (term if count == 1 else count * term)


class ExactSum(NamedTuple):
    """An exact sum over the least common denominator of its terms, so that few steps take a greatest common divisor."""

    numerator: int = 0
    denominator: int = 1

    def plus(self, numerator: int, denominator: int, times: int = 1) -> ExactSum:
        common = self.denominator
        if common.bit_length() > LONG:
            count_divisor(common, denominator)
        more, left = divmod(common, denominator)
        if not left:
            return ExactSum(self.numerator + times * numerator * more, common)
        common = lcm(common, denominator)
        more = times * numerator * (common // denominator)
        return ExactSum(self.numerator * (common // self.denominator) + more, common)

    @property
    def value(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)


def exceeds(total: ExactSum | Fraction, limit: Fraction) -> bool:
    """Whether a sum is more than a limit, in integers."""
    return total.numerator * limit.denominator > limit.numerator * total.denominator


@dataclass(frozen=True, slots=True)
class BudgetLimit:
    """A budget that may be irrational: a certified rational bracket decides, and the formula where it does not."""

    formula: Callable[[Arithmetic], Scalar]
    engine: decide.EngineName
    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, formula: Callable[[Arithmetic], Scalar], engine: decide.EngineName = "arb") -> BudgetLimit:
        """The limit that a formula gives, bracketed once."""
        found = decide.enclose(formula, decide.engine(engine, _LIMIT_BITS), Fraction(1, 2 ** (_LIMIT_BITS // 2)))
        return cls(formula, engine, found.lower, found.upper)

    @classmethod
    def exactly(cls, value: Fraction) -> BudgetLimit:
        """A rational limit."""
        return cls(lambda ar: value, "arb", value, value)

    def admits(self, spent: ExactSum | Fraction) -> bool:
        """Whether ``spent`` is at most the limit: certain, or UndecidedError at the ladder's cap."""
        if not exceeds(spent, self.lower):
            return True
        if exceeds(spent, self.upper):
            return False
        exactly = Fraction(spent.numerator, spent.denominator)
        # Only a request within 2^-80 of an irrational limit comes here; the formulas say why a tie cannot occur.
        return decide.sign(lambda ar: ar.real(self.formula(ar)) - exactly, decide.engine(self.engine)) >= 0


class RunningSum(NamedTuple):
    """A sum of irrational terms between two integers in units of 2^-256: each step adds one unit of width."""

    lower: int = 0
    upper: int = 0

    def plus(self, term: RunningSum, times: int = 1) -> RunningSum:
        return RunningSum(self.lower + times * term.lower, self.upper + times * term.upper)

    @classmethod
    def of(cls, formula: Callable[[Arithmetic], Scalar], engine: decide.EngineName = "arb") -> RunningSum:
        """The enclosure of one term, to about 2^-256: by one evaluation unless the term is too large for that."""
        arithmetic = decide.engine(engine, _SCALE_BITS + 64)
        ends = arithmetic.units_of(formula, _SCALE_BITS)
        if ends is not None and ends[1] - ends[0] <= 2:
            return cls(*ends)
        return cls(*decide.enclose(formula, arithmetic, Fraction(1, 2**_SCALE_BITS)).in_units(_SCALE_BITS))

    def real(self, ar: Arithmetic) -> Real:
        """The sum in an arithmetic."""
        scale = 2**_SCALE_BITS
        return ar.hull(Fraction(self.lower, scale), Fraction(self.upper, scale))


# Replay an interaction: what every machine decides about every event, and what it reads after it.

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


#: The relative width of a reading that is shown.
_SHOWN_WIDTH = Fraction(1, 10**12)


def shown(reading: Reading | None, width: Fraction = _SHOWN_WIDTH) -> Enclosure | Literal["inf"] | None:
    """The enclosure of a reading, to a relative width."""
    if reading is None or isinstance(reading, str):
        return reading
    if isinstance(reading, Fraction):
        return Enclosure(reading, reading)
    return decide.enclose(reading, decide.engine("arb"), width)


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
                cells[name] = Cell(decision.verdict, shown(decision.reading) if read(k) else None)
                continue
            try:
                states[name], decision = machine.step(states[name], event)
                if cell is not None and decision.verdict == "CONT" and isinstance(machine, ObservingMachine):
                    states[name] = machine.observe(states[name], cell)
                    decision = replace(decision, reading=machine.read(states[name]))
                latest[name] = decision
                reading = shown(decision.reading) if read(k) else None
                cells[name] = Cell(decision.verdict, reading, decision.reason)
            except HypothesisError as refusal:
                cells[name] = stopped[name] = Cell("inapplicable", None, str(refusal))
            except UndecidedError as refusal:
                cells[name] = stopped[name] = Cell("undecided", None, str(refusal))
        yield ReplayRow(k, event, time, cells)
