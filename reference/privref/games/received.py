"""What an attacked function receives of each round: the kind of its guarantee and what it declares, never its answer.

``AttackedFilter``, ``AttackedFilterWithRefusals`` and ``AttackedOdometer`` say what such a function is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, Protocol, Union

from privref.exact import decide
from privref.exact.errors import InputError
from privref.exact.logs import LogForm
from privref.exact.numbers import spell

from .rounds import GameRound

#: Exact where the number is rational, else the nearest double.
Received = Union[Fraction, float]
AskedKind = Literal["pure-dp", "approx-dp", "pdp", "output-dp", "zcdp", "rdp"]

_WHAT = {"output-dp": "round.cells, round.observed", "zcdp": "round.rho", "rdp": "round.orders"}


@dataclass(frozen=True, slots=True)
class AskedRound:
    """One round as an attacked function receives it; what its kind does not declare is None or empty.

    ``kind`` is ``pure-dp`` (``epsilon``), ``approx-dp`` or ``pdp`` (``epsilon``, ``delta``), ``output-dp`` (``cells``:
    name and epsilon of each; ``observed``: the cell of the answer, None before the round has run), ``zcdp`` (``rho``)
    or ``rdp`` (``orders``: order and divergence of each); all have a ``delta``. Epsilons are in nats.

    A round with an epsilon is also the pair (epsilon, delta): ``for epsilon, delta in history``. A round of another
    kind is no such pair, and unpacking it raises InputError.

    >>> epsilon, delta = AskedRound("approx-dp", Fraction(1, 10), epsilon=Fraction(1, 2))
    >>> epsilon, delta
    (Fraction(1, 2), Fraction(1, 10))
    """

    kind: AskedKind
    delta: Fraction
    epsilon: Received | None = None
    rho: Fraction | None = None
    orders: tuple[tuple[Fraction, Fraction], ...] = ()
    cells: tuple[tuple[str, Received], ...] = ()
    observed: str | None = None

    def _pair(self) -> tuple[Received, Fraction]:
        if self.epsilon is None:
            remedy = f"a {self.kind} round is not a pair (epsilon, delta): see round.kind and read {_WHAT[self.kind]}"
            raise InputError("accountant", self.spelled, remedy)
        return self.epsilon, self.delta

    def __iter__(self) -> Iterator[Received]:
        return iter(self._pair())

    def __len__(self) -> int:
        return len(self._pair())

    def __getitem__(self, place: int) -> Received:
        return self._pair()[place]

    def seen(self, cell: str) -> AskedRound:
        """Return the round once the cell of its answer is known."""
        return replace(self, observed=cell)

    @property
    def spelled(self) -> str:
        """The round in words: its kind and its numbers."""
        numbers: list[str] = [] if self.epsilon is None else [_number(self.epsilon)]
        numbers += [] if self.rho is None else [spell(self.rho)]
        numbers += [f"{spell(order)}: {spell(cost)}" for order, cost in self.orders]
        numbers += [f"{cell}: {_number(cost)}" for cell, cost in self.cells]
        numbers += [spell(self.delta)] if self.delta or not numbers else []
        return f"{self.kind}({', '.join(numbers)}{'' if self.observed is None else '; ' + self.observed})"


class AttackedFilter(Protocol):
    """A filter under attack: decides whether the last round of the history may run.

    ``history`` holds the rounds that ran, in order, and last the one that is asked for. ``budget`` is the pair
    (epsilon, delta), in nats; epsilon is None where none was given. Return ``"CONT"`` or ``"HALT"``. A function never
    sees an answer, and must keep no state, because the search asks it the same question again.

    >>> def careful(history: tuple[AskedRound, ...], budget: tuple[Received | None, Fraction]) -> str:
    ...     return "CONT" if sum(epsilon for epsilon, _ in history) <= (budget[0] or 0) else "HALT"
    >>> chosen: AttackedFilter = careful
    >>> chosen((AskedRound("pure-dp", Fraction(0), epsilon=Fraction(1, 2)),), (Fraction(1), Fraction(0)))
    'CONT'
    """

    def __call__(self, history: tuple[AskedRound, ...], budget: tuple[Received | None, Fraction], /) -> str:
        """Return "CONT" or "HALT"."""
        ...


class AttackedFilterWithRefusals(Protocol):
    """A filter under attack that also receives what it refused: pairs of how many rounds had run, and the round."""

    def __call__(
        self,
        history: tuple[AskedRound, ...],
        budget: tuple[Received | None, Fraction],
        refused: tuple[tuple[int, AskedRound], ...],
        /,
    ) -> str:
        """Return "CONT" or "HALT"."""
        ...


class AttackedOdometer(Protocol):
    """An odometer under attack: bounds the privacy loss of the rounds that ran, the last one of the history included.

    Return a number in nats (an int, a Fraction, a float or a decimal string), or ``"inf"`` for no bound.
    """

    def __call__(self, history: tuple[AskedRound, ...], /) -> Received | int | str:
        """Return the bound."""
        ...


def received(asked: GameRound) -> AskedRound:
    """Return what a function receives of a requested round."""
    match asked.notion:
        case "zcdp":
            return AskedRound("zcdp", asked.delta, rho=asked.rho)
        case "rdp":
            return AskedRound("rdp", asked.delta, orders=asked.orders)
        case "odp":
            return AskedRound("output-dp", asked.delta, cells=tuple((cell, plain(cost)) for cell, cost in asked.cells))
        case "pdp":
            return AskedRound("pdp", asked.delta, epsilon=plain(asked.epsilon))
    return AskedRound("approx-dp" if asked.delta else "pure-dp", asked.delta, epsilon=plain(asked.epsilon))


def _number(value: Received) -> str:
    return spell(value) if isinstance(value, Fraction) else repr(value)


def plain(value: LogForm) -> Received:
    """Return the number that a foreign function is given: exact where it is rational, else the nearest double."""
    exact = value.rational
    if exact is not None:
        return exact
    return float(decide.enclose(value.evaluate, decide.engine("arb"), Fraction(1, 2**60)).lower)
