"""What every filter and odometer is: a start state and a pure ``step(state, event) -> (state, decision)``.

A machine decides whether an event may run before it sees any answer; a refused event is a decision, not an
exception, and leaves the budget as it was. A filter that has halted stays halted. Each step is constant work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, Protocol, TypeVar, Union, cast, runtime_checkable

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import HypothesisError
from privref.guarantees.model import Guarantee, named_kind
from privref.statements.hypotheses import Failure, Hypothesis
from privref.statements.theorems import called

State = TypeVar("State")
_Read = TypeVar("_Read", contravariant=True)
FilterVerdict = Literal["CONT", "HALT"]

#: What an odometer shows, a filter has spent, or an accountant has left: an exact rational, ``inf``, or a formula to be
#: enclosed by whoever prints it (so that a step costs nothing that nobody reads).
Reading = Union[Fraction, Literal["inf"], Callable[[Arithmetic], Scalar]]


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of one step: may the event run, what the machine reads after it, and why it was refused."""

    verdict: FilterVerdict
    reading: Reading | None = None
    reason: str = ""


class Machine(Protocol[State]):
    """A filter or an odometer. ``statement`` is the id of the theorem that makes it valid."""

    @property
    def statement(self) -> str: ...
    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]: ...
    def start(self) -> State: ...
    def step(self, state: State, event: Guarantee) -> tuple[State, Decision]:
        """Decide one requested event; HypothesisError where the machine's theorem does not cover its kind."""
        ...


class BlockMachine(Machine[State], Protocol[State]):
    """A machine that can also decide many equal events at once, in the work of one."""

    def block(self, state: State, event: Guarantee, count: int) -> tuple[State, Decision]:
        """CONT where each of ``count`` equal events would be let through; else the state is that of a refused event."""
        ...


class StepsByBlocks(Generic[State]):
    """The step of a machine that decides equal events at once: a block of one."""

    __slots__ = ()

    def block(self, state: State, event: Guarantee, count: int) -> tuple[State, Decision]:
        """Decide ``count`` equal events at once, as ``BlockMachine`` says."""
        raise NotImplementedError

    def step(self, state: State, event: Guarantee) -> tuple[State, Decision]:
        """Decide one requested event."""
        return self.block(state, event, 1)


@runtime_checkable
class ReadingMachine(Protocol[_Read]):
    """A machine that can be read without a request."""

    def read(self, state: _Read) -> Reading: ...


@runtime_checkable
class ObservingMachine(ReadingMachine[State], Protocol[State]):
    """A machine that charges an admitted event by the cell of its answer, reported after the decision."""

    def observe(self, state: State, cell: str) -> State: ...


def reads_remaining(machine: Machine[Any]) -> bool:
    """Whether the machine's reading is what remains of its budget, which errs safely below; else it errs above."""
    return bool(getattr(machine, "reads_remaining", False))


def failure_of(machine: Machine[Any]) -> Failure:
    """Return the failure that the machine's theorem bounds: its ``failure``, and a filter's where it names none."""
    return cast(Failure, getattr(machine, "failure", "") or "view")


def not_covered(machine: Machine[Any], event: Guarantee, needs: Hypothesis) -> HypothesisError:
    """The refusal of an event of a kind that the machine's theorem does not cover."""
    return HypothesisError(f"{called(machine.statement)} does not cover {named_kind(event)}: it requires {needs.value}")


def run(machine: Machine[State], events: Iterable[Guarantee], state: State | None = None) -> Iterator[Decision]:
    """The decisions of a machine on a sequence of requests, from its start or from a saved state."""
    current = machine.start() if state is None else state
    for event in events:
        current, decision = machine.step(current, event)
        yield decision
