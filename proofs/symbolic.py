"""Formulas as SymPy expressions: what the symbolic proofs compare with the papers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, cast

import sympy

from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import NotRationalError


def _expression(value: object) -> Any:
    return sympy.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else sympy.sympify(value)


class SymbolicArithmetic:
    """Evaluate a formula on symbols: the result is the expression that the code computes."""

    name = "sympy"

    def lift(self, value: Fraction) -> Fraction:
        return cast(Fraction, _expression(value))

    def at(self, precision: int) -> Arithmetic:
        return self

    def real(self, value: Scalar) -> Real:
        return cast(Real, _expression(value))

    def exp(self, value: Scalar) -> Real:
        return cast(Real, sympy.exp(_expression(value)))

    def expm1(self, value: Scalar) -> Real:
        return cast(Real, sympy.exp(_expression(value)) - 1)

    def log(self, value: Scalar) -> Real:
        return cast(Real, sympy.log(_expression(value)))

    def log1p(self, value: Scalar) -> Real:
        return cast(Real, sympy.log(1 + _expression(value)))

    def sqrt(self, value: Scalar) -> Real:
        return cast(Real, sympy.sqrt(_expression(value)))

    def tanh(self, value: Scalar) -> Real:
        return cast(Real, sympy.tanh(_expression(value)))

    def normal_cdf(self, value: Scalar) -> Real:
        return cast(Real, (1 + sympy.erf(_expression(value) / sympy.sqrt(2))) / 2)

    def maximum(self, first: Scalar, second: Scalar) -> Real:
        return cast(Real, sympy.Max(_expression(first), _expression(second)))

    def minimum(self, first: Scalar, second: Scalar) -> Real:
        return cast(Real, sympy.Min(_expression(first), _expression(second)))

    def hull(self, first: Scalar, second: Scalar) -> Real:
        raise NotRationalError("a root found numerically has no symbolic form; prove its equation instead")

    def sum(self, values: Iterable[Scalar]) -> Real:
        return cast(Real, sympy.Add(*(_expression(value) for value in values)))
