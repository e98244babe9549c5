"""Formulas of accountants, read safely: + - * / and whole powers, log, exp, sqrt and their kin over a few names.

S1 = sum eps_i, S2 = sum eps_i^2, E1 = sum eps_i (e^eps_i - 1), T1 = sum eps_i tanh(eps_i/2), k = rounds,
D = sum delta_i, and the budget: eps, delta. Values stay exact as long as they are rationals or sums of logarithms;
comparisons are decided by privref, never here.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Union, cast

from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError
from privref.exact.logs import LogForm
from privref.exact.numbers import exact_root, rational

#: A value on its way through a formula.
Value = Union[LogForm, Scalar]
FUNCTIONS = ("log", "exp", "sqrt", "expm1", "log1p", "tanh")
NAMES = ("S1", "S2", "E1", "T1", "k", "D", "eps", "delta")
_MAX_LENGTH = 2_000
_MAX_POWER = 64


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed formula: its text, its tree, the names it uses, and its exact numbers by node."""

    text: str
    tree: ast.expr
    names: frozenset[str]
    numbers: Mapping[ast.expr, Fraction] = field(compare=False)

    def evaluate(self, ar: Arithmetic, values: Mapping[str, Value]) -> Value:
        """The value in an arithmetic; a ``LogForm`` or a ``Fraction`` where it is known exactly."""
        return _Evaluator(ar, values, self).visit(self.tree)


def parse(text: str) -> Expression:
    """Parse a formula; InputError at anything but the allowed names, numbers, operators and functions."""
    if len(text) > _MAX_LENGTH:
        raise InputError("formula", text, f"at most {_MAX_LENGTH} characters are read")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            "formula", text, "it does not parse; write e.g. S1*(exp(S1/k)-1) + sqrt(2*S2*log(1/delta))"
        ) from None
    names: set[str] = set()
    _check(tree, text.strip(), names)
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    numbers: dict[ast.expr, Fraction] = {
        node: number for node in constants if (number := _number(node, text.strip())) is not None
    }
    return Expression(text.strip(), tree, frozenset(names), numbers)


def _check(node: ast.expr, text: str, names: set[str]) -> None:
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right):
            _check(left, text, names)
            _check(right, text, names)
        case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))) if 0 <= power <= _MAX_POWER:
            _check(left, text, names)
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            _check(operand, text, names)
        case ast.Call(ast.Name(function), [argument], []) if function in FUNCTIONS:
            _check(argument, text, names)
        case ast.Name(name) if name in NAMES:
            names.add(name)
        case ast.Constant() if _number(node, text) is not None:
            return
        case _:
            raise InputError(
                "formula",
                ast.get_source_segment(text, node) or text,
                f"known: {', '.join(NAMES)}; {', '.join(FUNCTIONS)}; + - * /; ** with a whole power up to {_MAX_POWER}",
            )


def _number(node: ast.Constant, text: str) -> Fraction | None:
    # The source text, not the parsed float: 0.1 is one tenth here.
    if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
        return None
    return rational((ast.get_source_segment(text, node) or "").replace("_", ""), "formula")


class _Evaluator:
    def __init__(self, ar: Arithmetic, values: Mapping[str, Value], expression: Expression) -> None:
        self.ar = ar
        self.values = values
        self.text = expression.text
        self.numbers = expression.numbers

    def visit(self, node: ast.expr) -> Value:
        match node:
            case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))):
                base = self.visit(left)
                exact = _exact(base)
                return exact**power if exact is not None else cast(Real, self.real(base)) ** power
            case ast.BinOp(left, operator, right):
                return self.combine(operator, self.visit(left), self.visit(right))
            case ast.UnaryOp(ast.USub(), operand):
                return self.combine(ast.Mult(), Fraction(-1), self.visit(operand))
            case ast.UnaryOp(_, operand):
                return self.visit(operand)
            case ast.Call(ast.Name(function), [argument]):
                return self.call(function, self.visit(argument))
            case ast.Name(name):
                return self.values[name]
            case ast.Constant():
                return self.numbers[node]
        raise InputError("formula", self.text, "it does not parse")

    def real(self, value: Value) -> Scalar:
        return value.evaluate(self.ar) if isinstance(value, LogForm) else value

    def combine(self, operator: ast.operator, left: Value, right: Value) -> Value:
        a, b = _exact(left), _exact(right)
        if isinstance(operator, (ast.Add, ast.Sub)):
            first, second = _form(left), _form(right)
            if first is not None and second is not None:
                return first + second if isinstance(operator, ast.Add) else first - second
            x, y = cast(Real, self.real(left)), self.real(right)
            return x + y if isinstance(operator, ast.Add) else x - y
        if isinstance(operator, ast.Mult):
            if b is not None and (form := _form(left)) is not None:
                return form.scaled(b)
            if a is not None and (form := _form(right)) is not None:
                return form.scaled(a)
            return cast(Real, self.real(left)) * self.real(right)
        if b is not None:
            if not b:
                raise InputError(
                    "formula", self.text, "it divides by zero; name a formula that is defined in every round"
                )
            if (form := _form(left)) is not None:
                return form.scaled(1 / b)
        return self.ar.real(self.real(left)) / self.real(right)

    def call(self, function: str, argument: Value) -> Value:
        exact, form = _exact(argument), _form(argument)
        if function in ("log", "log1p") and exact is not None:
            inside = exact if function == "log" else 1 + exact
            if inside <= 0:
                raise InputError("formula", self.text, f"it takes the logarithm of {inside}")
            with contextlib.suppress(InputError):  # prime factors too large to find: an enclosure does as well
                return LogForm.log(inside)
            return self.ar.log(inside)
        if function in ("exp", "expm1") and form is not None and (known := form.rational_exp()) is not None:
            return known if function == "exp" else known - 1
        if function == "sqrt" and exact is not None:
            if exact < 0:
                raise InputError("formula", self.text, f"it takes the square root of {exact}")
            if (root := exact_root(exact)) is not None:  # a square stays exact, so that its ties with losses are seen
                return root
        return cast(Scalar, getattr(self.ar, function)(self.real(argument)))


def _exact(value: Value) -> Fraction | None:
    if isinstance(value, LogForm):
        return value.rational
    return Fraction(value) if isinstance(value, (int, Fraction)) else None


def _form(value: Value) -> LogForm | None:
    if isinstance(value, LogForm):
        return value
    return LogForm.of(value) if isinstance(value, (int, Fraction)) else None
