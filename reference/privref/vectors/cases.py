"""How cases are planned: why a case is there (its flags), its exact inputs, and what must come out of it.

A plan belongs to one statement. It says which side of the true value is safe for the quantity the statement computes,
and yields cases. What a case's answer is, the plan does not say: the registry computes it, twice.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from privref.exact.errors import RegistrationError
from privref.exact.numbers import rational
from privref.statements.registry import Statement, statements

#: Why a case is there.
FLAGS: dict[str, str] = {
    "ordinary": "Parameters that people use. An implementation that fails here is wrong, not merely imprecise.",
    "boundary": "An end of the domain, a tie, or the border between two branches of the formula.",
    "exact-exhaustion": "Parameters that add up to the budget exactly (0.1 ten times is 1): binary floating point "
    "accumulates an error here, in either direction.",
    "tiny-delta": "A delta of 1e-18, 1e-30 or less: 1 - delta is 1 in binary64, and errors of the size of one ulp of 1 "
    "are larger than delta.",
    "cancellation": "The answer is a small difference of large terms; the obvious formula loses most of its digits.",
    "huge-k": "Very many rounds: counts overflow, products underflow, errors of single rounds add up.",
    "subnormal": "Inputs or answers below the least normal double, where relative precision is lost.",
    "halting-step": "The last round that may run, and the first that may not: one round to either side of the halt.",
    "hypothesis-trap": "Inputs at which a theorem is tempting and its hypothesis fails, or at which a misprint in a "
    "paper, or a theorem for fixed parameters, gives a different answer.",
    "bad-input": "Outside the domain: an implementation must refuse it (or answer with an infinite bound).",
    "known-bug": "An input at which a released library answered wrongly; `known_bugs` says which and with what.",
}

Quantity = Literal["epsilon", "delta", "rho", "loss", "rounds", "budget", "decision", "number"]
Safe = Literal["above", "below", "neither"]


@dataclass(frozen=True, slots=True)
class KnownBug:
    """What a released library answered at the case's exact inputs, and the few lines that show it."""

    peer: str
    version: str
    reported: str
    reproduction: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        return {
            "peer": self.peer,
            "version": self.version,
            "reported": self.reported,
            "reproduction": list(self.reproduction),
        }


@dataclass(frozen=True, slots=True)
class Case:
    """One planned case; ``refuse`` says that the only right answer is a refusal."""

    flags: tuple[str, ...]
    comment: str
    inputs: Mapping[str, Any]
    refuse: bool = False
    known_bugs: tuple[KnownBug, ...] = ()


Cases = Callable[[], Iterable[Case]]


@dataclass(slots=True)
class CasePlan:
    """The cases of one statement, and how its quantity is judged."""

    statement: str
    quantity: Quantity
    safe: Safe
    sources: list[Cases] = field(default_factory=list)

    def cases(self, found: Statement) -> Iterator[Case]:
        """The planned cases, and then inputs outside the domain, which follow from the statement's parameters."""
        first: Case | None = None
        for source in self.sources:
            for planned in source():
                first = first or planned
                yield planned
        if first is not None:
            yield from outside(found, first.inputs)


_PLANS: dict[str, CasePlan] = {}


def plan(id: str, quantity: Quantity, safe: Safe | None = None) -> Callable[[Cases], Cases]:
    """Declare the plan of a statement: its quantity, and the safe side where the statement's kind does not say it.

    An upper bound and an exact privacy cost are safe above, a lower bound below; an exact allowance (rounds that may
    run, budget that remains) must be planned with ``safe="below"``, any other exact number with ``safe="neither"``.
    """

    def declare(cases: Cases) -> Cases:
        if id in _PLANS:
            raise RegistrationError(f"{id}: planned twice")
        side: Safe = safe or ("below" if quantity in ("rounds", "budget") else "above")
        _PLANS[id] = CasePlan(id, quantity, side, [cases])
        return cases

    return declare


def more(id: str) -> Callable[[Cases], Cases]:
    """Add cases to a statement that is planned elsewhere."""

    def declare(cases: Cases) -> Cases:
        _PLANS[id].sources.append(cases)
        return cases

    return declare


def case(flags: str, comment: str, **inputs: Any) -> Case:
    """One case; several flags are separated by blanks."""
    names = tuple(flags.split())
    for name in names:
        if name not in FLAGS:
            raise RegistrationError(f"unknown flag {name!r}")
    # A file holds numbers as text, whole ones too.
    return Case(names, comment, {name: str(value) if type(value) is int else value for name, value in inputs.items()})


def refused(flags: str, comment: str, **inputs: Any) -> Case:
    """A case that must be refused."""
    planned = case(flags, comment, **inputs)
    return Case(planned.flags, planned.comment, planned.inputs, refuse=True)


def grid(flags: str, comment: str, **axes: Iterable[Any]) -> Iterator[Case]:
    """Every combination of the values of each input."""
    names = list(axes)
    for values in itertools.product(*axes.values()):
        yield case(flags, comment, **dict(zip(names, values, strict=True)))


def rounds(value: str, count: int) -> list[Any]:
    """``count`` equal rounds, as a multiset writes them."""
    return [{"value": value, "count": count}]


#: Values that lie outside one domain or another, from the subtle to the gross.
_CANDIDATES = (
    "0",
    "-1/1000000000000000000000000000000",
    "1",
    "1000000000000000000001/1000000000000000000000",
    "2",
    "-1",
)


def outside(found: Statement, inputs: Mapping[str, Any]) -> Iterator[Case]:
    """For each input of the statement, values just outside its domain, and things that are no number."""
    numeric = [param for param in found.params if param.shape in ("one", "sequence", "multiset")]
    for param in found.params:
        wrong: list[tuple[Any, str]] = []
        if param.shape in ("one", "sequence", "multiset"):
            bad = [text for text in _CANDIDATES if not param.domain.contains(rational(text))][:2]
            wrong = [(text, f"{param.name} = {text}; it must be {param.domain.description}") for text in bad]
            if param is numeric[0]:
                wrong += [(text, f"{param.name} = {text} is not a number") for text in ("nan", "inf", "1/0")]
        elif param.shape in ("whole", "wholes"):
            wrong = [
                (text, f"{param.name} = {text} is not a whole number >= {param.least}")
                for text in (str(param.least - 1), "3/2")
            ]
        for value, comment in wrong:
            if param.shape in ("sequence", "multiset", "wholes"):
                value = [*inputs[param.name], value]
            yield Case(("bad-input",), comment, {**inputs, param.name: value}, refuse=True)


def plans() -> dict[str, CasePlan]:
    """All plans, by statement id, of statements that are registered."""
    package = importlib.import_module("privref.vectors.plans")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    return {id: _PLANS[id] for id in sorted(_PLANS) if any(found.id == id for found in statements())}


#: Statements without one right answer: any bound within the gap that is asked for is right.
WITHOUT_ONE_ANSWER = ("hartmann2022/thm15.optdel_lower", "hartmann2022/thm15.optdel_upper")


def unplanned() -> tuple[str, ...]:
    """Registered statements that should have a plan and have none; wrong printed formulas are not meant to."""
    known = (*plans(), *WITHOUT_ONE_ANSWER)
    return tuple(found.id for found in statements() if found.id not in known and found.standing != "printed")
