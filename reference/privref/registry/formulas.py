"""Formulas in published numbers: exact arithmetic, exp, log, sqrt and registered statements, as data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, Literal, cast

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import rational
from privref.statements.registry import statement

ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")
#: Relative width of the enclosures that a report prints.
WIDTH = Fraction(1, 10**20)
_TURNED: Mapping[Literal[-1, 1], Literal[-1, 1]] = {1: -1, -1: 1}

#: Inputs of statements in which their values fall; in all others that a formula may name they rise.
_FALLING = frozenset({"delta", "delta_prime", "delta_g"})
_RISING = frozenset({"rho", "mu", "eps"})


def value(expression: Any, numbers: Mapping[str, Fraction], ar: Arithmetic) -> Scalar:
    """The value of a formula whose named numbers are given; rational parts stay exact."""

    def of(inner: Any) -> Scalar:
        return value(inner, numbers, ar)

    if isinstance(expression, str):
        return rational(expression, "formula")
    (operator, operands), *more = expression.items()
    if operator == "statement":
        found = statement(operands)
        inputs = {name: _exact(of(inner), name) for name, inner in expression["inputs"].items()}
        return cast(Scalar, found.function(ar, **inputs))
    if more:
        raise InputError("formula", ", ".join(expression), "one operator in each object")
    match operator:
        case "number":
            return numbers[operands]
        case "sum":
            total: Scalar = Fraction(0)
            return reduce(lambda sofar, inner: cast(Real, sofar) + of(inner), operands, total)
        case "product":
            product: Scalar = Fraction(1)
            return reduce(lambda sofar, inner: cast(Real, sofar) * of(inner), operands, product)
        case "difference":
            return cast(Real, of(operands[0])) - of(operands[1])
        case "quotient":
            return cast(Real, of(operands[0])) / of(operands[1])
        case "exp" | "log" | "sqrt":
            return cast(Scalar, getattr(ar, operator)(of(operands)))
        case _:
            raise InputError("formula", operator, "no such operator")


def _exact(scalar: Scalar, name: str) -> Fraction:
    if not isinstance(scalar, (int, Fraction)):
        raise InputError("formula", name, "a statement's inputs are exact rationals")
    return Fraction(scalar)


def direction(expression: Any, name: str) -> frozenset[Literal[-1, 1]]:
    """How a formula moves with a named number, if no factor is negative: rises (1), falls (-1), both or neither."""

    def of(inner: Any) -> frozenset[Literal[-1, 1]]:
        return direction(inner, name)

    def turned(signs: frozenset[Literal[-1, 1]]) -> frozenset[Literal[-1, 1]]:
        return frozenset(_TURNED[sign] for sign in signs)

    if isinstance(expression, str):
        return frozenset()
    operator, operands = next(iter(expression.items()))
    match operator:
        case "number":
            return frozenset({1}) if operands == name else frozenset()
        case "sum" | "product":
            return frozenset().union(*(of(inner) for inner in operands))
        case "difference" | "quotient":
            return of(operands[0]) | turned(of(operands[1]))
        case "statement":
            moved: frozenset[Literal[-1, 1]] = frozenset()
            for given, inner in expression["inputs"].items():
                if not of(inner):
                    continue
                if given not in _FALLING | _RISING:
                    raise InputError("formula", given, "how the statement moves with this input is not known here")
                moved |= turned(of(inner)) if given in _FALLING else of(inner)
            return moved
        case _:
            return of(operands)


def moves_one_way(expression: Any, name: str, ends: tuple[Mapping[str, Fraction], ...]) -> bool:
    """Whether a formula certainly rises, falls or stands still while the named number goes from end to end.

    Each part that moves must itself move one way, and what it is multiplied with or divided by must not be negative.
    """
    if isinstance(expression, str) or len(direction(expression, name)) > 1:
        return isinstance(expression, str)
    operator, operands = next(iter(expression.items()))
    if operator in ("number", "statement") or not direction(expression, name):
        return True
    parts = operands if isinstance(operands, list) else [operands]
    if operator in ("product", "quotient") and any(exceeds("0", part, given) for part in parts for given in ends):
        return False
    return all(moves_one_way(part, name, ends) for part in parts)


def exceeds(left: Any, right: Any, numbers: Mapping[str, Fraction]) -> bool:
    """Whether the left formula is strictly above the right one: certain, and decided alike by both engines."""
    said = {
        decide.exceeds(lambda ar: value(left, numbers, ar), lambda ar: value(right, numbers, ar), decide.engine(engine))
        for engine in ENGINES
    }
    if len(said) != 1:
        raise RuntimeError("the engines decide a comparison of published numbers differently")
    return said.pop()


def enclose(expression: Any, numbers: Mapping[str, Fraction]) -> Enclosure:
    """The formula's value as both engines enclose it."""
    found = [
        decide.enclose(lambda ar: value(expression, numbers, ar), decide.engine(engine), WIDTH) for engine in ENGINES
    ]
    common = found[0].intersection(found[1])
    if common is None:
        raise RuntimeError("the engines' enclosures of a formula are disjoint")
    return common


def flip(
    left: Any,
    right: Any,
    numbers: Mapping[str, Fraction],
    name: str,
    low: Fraction,
    high: Fraction,
    *,
    whole: bool = False,
) -> tuple[Fraction, Fraction]:
    """Two values of the named number, close together, between which ``left > right`` changes its truth.

    It must differ at the two ends. A whole number is followed to its neighbour, any other one to nine digits.
    """
    at_low = exceeds(left, right, {**numbers, name: low})
    return roots.flip(lambda middle: exceeds(left, right, {**numbers, name: middle}) == at_low, low, high, whole=whole)
