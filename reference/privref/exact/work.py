"""One budget of work for whatever is asked: named limits, a meter, and a refusal that says which and what to do.

The meter counts what interval arithmetic does, in units of about a microsecond of a slow machine at every precision
(``tests/benchmarks/bench_work.py`` measures them); exact loops over integers and rationals name what they are about to
do. It is set once for a whole question (a statement evaluated, a ledger audited, a certificate re-checked), whatever is
evaluated within, and counts alike on every machine, so that the same question always has the same answer. Where nothing
is metered nothing is limited. Each thread and each task of asyncio has a meter of its own; a task that is started
within a metered block shares the block's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from typing import Generic, ParamSpec, TypeVar, cast

from .errors import UndecidedError

P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)

#: What one question may cost in all.
QUESTION = 30_000_000


class WorkLimitError(UndecidedError):
    """The question needs more work than is spent on one: it is refused, not answered with less."""


@dataclass(frozen=True, slots=True)
class WorkLimit:
    """A named limit: how much, of what, and what to ask instead."""

    most: int
    what: str
    remedy: str

    def require(self, amount: int) -> None:
        """WorkLimitError where the amount exceeds the limit."""
        if amount > self.most:
            shown = str(amount) if amount < 10**18 else "more than 10^18"
            raise WorkLimitError(f"{shown} {self.what}: at most {self.most} are computed; {self.remedy}")


#: Terms of a sum that has one for every vertex of a curve.
TERMS = WorkLimit(2_000_000, "terms of a sum", "ask for fewer rounds")
#: Decisions of a replay: each machine decides each round.
DECISIONS = WorkLimit(500_000, "decisions of a replay", "replay fewer rounds, or name fewer machines")
#: Cells of the partitions of one ledger, all events together.
CELLS = WorkLimit(1_000_000, "cells in one ledger", "coarsen the partitions")


class _Meter:
    """What is left to spend, and which kept results the question has paid for."""

    __slots__ = ("left", "paid")

    def __init__(self, left: int, paid: set[Hashable]) -> None:
        self.left = left
        self.paid = paid


#: Far more than anything costs: what is left where nothing is metered.
_UNLIMITED = 1 << 62
#: The meter of the question at work in this thread or task; None where nothing is metered.
_METER: ContextVar[_Meter | None] = ContextVar("privref_work", default=None)


def spend(units: int) -> None:
    """Count work; WorkLimitError where the question's budget has no room for it, which then stays for smaller work."""
    meter = _METER.get()
    if meter is None:
        return
    left = meter.left - units
    if left < 0:
        raise WorkLimitError(
            f"it takes more than the {QUESTION} units of work that are spent on one question: "
            "ask for fewer rounds, fewer digits or smaller numbers"
        )
    meter.left = left


def writing(bits: int) -> int:
    """The units of writing an enclosure's ends of this many bits as rationals."""
    return 4 + (bits >> 7) + (bits * bits >> 22)


@contextmanager
def all_where_refused() -> Iterator[None]:
    """Spend all that is left where the block's work is refused: for work whose amount shows only as it is done."""
    try:
        yield
    except WorkLimitError:
        meter = _METER.get()
        if meter is not None:
            meter.left = 0
        raise


def afford(units: int) -> None:
    """WorkLimitError where so much is not left, before anything is done; nothing is spent."""
    meter = _METER.get()
    if meter is not None and units > meter.left:
        raise WorkLimitError(
            f"it takes about {units} units of work, more than is left of the {QUESTION} that are spent on one "
            "question: ask for fewer rounds, fewer digits or smaller numbers"
        )


@contextmanager
def metered(units: int = QUESTION) -> Iterator[None]:
    """Give the block one budget of work; within another metered block it shares that one's."""
    if _METER.get() is not None:
        yield
        return
    with apart(units):
        yield


@contextmanager
def most_of_it() -> Iterator[None]:
    """Let the block spend nine tenths of what is left, so that what follows can still be answered where it runs out."""
    outer = _METER.get()
    if outer is None:
        yield
        return
    with apart(outer.left * 9 // 10) as spent:
        try:
            yield
        finally:
            outer.left -= spent()


def left() -> int:
    """What may still be spent: far more than anything costs where nothing is metered."""
    meter = _METER.get()
    return _UNLIMITED if meter is None else meter.left


@contextmanager
def apart(units: int) -> Iterator[Callable[[], int]]:
    """Give the block a budget of its own, whatever is metered around it: for a side question that may stay open.

    What it gives says how much was spent.
    """
    outer = _METER.get()
    meter = _Meter(units, set() if outer is None else outer.paid)
    token = _METER.set(meter)
    try:
        yield lambda: units - meter.left
    finally:
        _METER.reset(token)


class Kept(Generic[P, T_co]):
    """A function whose last results are kept, each with the work that it took: see ``kept``."""

    def __init__(self, function: Callable[P, T_co], most: int) -> None:
        wraps(function)(self)
        self._function = function
        self._most = most
        self._known: dict[Hashable, tuple[T_co, int]] = {}
        self._lock = Lock()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co:
        key = cast(Hashable, (args, *sorted(kwargs.items())))
        with self._lock:
            known = self._known.pop(key, None)
            if known is not None:
                self._known[key] = known
        meter = _METER.get()
        if known is None:
            with counted() as cost:
                value = self._function(*args, **kwargs)
            with self._lock:
                self._known[key] = value, cost()
                if len(self._known) > self._most:
                    del self._known[next(iter(self._known))]
        else:
            value, price = known
            if meter is not None and (self, key) not in meter.paid:
                # Where the meter would have stopped it, it is not known from before either.
                if price > meter.left:
                    return self._function(*args, **kwargs)
                spend(price)
        if meter is not None:
            meter.paid.add((self, key))
        return value

    def cache_clear(self) -> None:
        """Forget all results."""
        with self._lock:
            self._known.clear()

    def __len__(self) -> int:
        return len(self._known)


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    """Say what the block spends, also where nothing is metered."""
    if _METER.get() is None:
        with apart(_UNLIMITED) as spent:
            yield spent
        return
    before = left()
    yield lambda: before - left()


def kept(most: int) -> Callable[[Callable[P, T_co]], Kept[P, T_co]]:
    """Keep the last ``most`` results of a function of hashable arguments.

    A question pays once for each result, whoever computed it first, so that asked again it has the same answer. Two
    things may still differ by what was asked before: a result's price lacks what its question had paid for within it,
    and a function that answers None where work runs out keeps that. Neither makes an answer wrong.
    """
    return lambda function: Kept(function, most)
