"""What a derivation is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from types import FunctionType
from typing import Any

import sympy as sp

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from proofs.transcription import vanishes


@dataclass(frozen=True)
class Step:
    """One sentence of a derivation with its machine check."""

    says: str
    check: Callable[[], bool]


@dataclass(frozen=True)
class Derivation:
    """A chain of steps that ends in the statements ``proves``."""

    name: str
    proves: tuple[str, ...]
    steps: tuple[Step, ...]


def _worked_out(side: object) -> Any:
    """An expression; one that takes SymPy long to find is given as a function, so that only its check finds it."""
    return sp.sympify(side() if isinstance(side, FunctionType) else side)


def identity(says: str, left: object, right: object) -> Step:
    """Both sides are the same expression."""
    return Step(says, lambda: vanishes(_worked_out(left) - _worked_out(right)))


def positive(says: str, expression: object) -> Step:
    """The expression is positive by the assumptions on its symbols."""
    return Step(says, lambda: bool(sp.factor(sp.together(_worked_out(expression))).is_positive))


def nonnegative(says: str, expression: object) -> Step:
    """The expression is non-negative by the assumptions on its symbols."""
    return Step(says, lambda: bool(sp.factor(sp.together(_worked_out(expression))).is_nonnegative))


def enclosure(formula: Callable[[Arithmetic], Scalar], digits: int = 30) -> Enclosure:
    """A rigorous enclosure that both engines agree on."""
    found = [decide.enclose(formula, decide.engine(name), Fraction(1, 10**digits)) for name in ("arb", "mpmath")]
    both = found[0].intersection(found[1])
    if both is None:
        raise AssertionError("the two engines contradict each other")
    return both


def below(says: str, left: Callable[[Arithmetic], Scalar], right: Callable[[Arithmetic], Scalar]) -> Step:
    """left < right, certain in both engines."""
    return Step(says, lambda: all(decide.exceeds(right, left, decide.engine(name)) for name in ("arb", "mpmath")))


def increasing_from_zero(says: str, expression: sp.Expr, variable: sp.Symbol, derivatives: int) -> Step:
    """expression >= 0 for variable >= 0: it and its first derivatives vanish at 0, and the last one is >= 0."""

    def check() -> bool:
        last = _last_derivative(expression, variable, derivatives)
        return last is not None and bool(sp.factor(sp.simplify(last)).is_nonnegative)

    return Step(says, check)


def rising_from_zero(says: str, expression: sp.Expr, variable: sp.Symbol, derivatives: int) -> Step:
    """expression > 0 for variable > 0: it and its first derivatives vanish at 0, and the last one is > 0 beyond."""

    def check() -> bool:
        last = _last_derivative(expression, variable, derivatives)
        if last is None:
            return False
        beyond = sp.simplify(last.subs(variable, sp.Symbol("beyond", positive=True)))
        return bool(beyond.is_positive or sp.factor(beyond).is_positive)

    return Step(says, check)


def _last_derivative(expression: sp.Expr, variable: sp.Symbol, derivatives: int) -> sp.Expr | None:
    """The derivative of that order; None where the expression or one of lower order does not vanish at 0."""
    current = expression
    for _ in range(derivatives):
        if sp.simplify(current.subs(variable, 0)) != 0:
            return None
        current = sp.diff(current, variable)
    return current


def larger(first: Any, second: Any) -> Any:
    """The larger of two expressions whose order follows from the assumptions on their symbols; ValueError otherwise."""
    difference = sp.factor(sp.together(first - second))
    if difference.is_nonnegative:
        return first
    if difference.is_nonpositive:
        return second
    raise ValueError(f"the order of {first} and {second} is open")


def smaller(first: Any, second: Any) -> Any:
    """The smaller of two expressions whose order follows from the assumptions on their symbols."""
    return first + second - larger(first, second)
