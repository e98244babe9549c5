"""One formula, several arithmetics: the protocol that formulas compute in, and the exact and float instances.

A formula takes an ``Arithmetic`` and exact inputs. Rational sub-expressions stay exact; ``exp``, ``log`` and their
kin step into the arithmetic's own values. ``Real`` values have + - * / and integer powers, mix with ``int`` and
``Fraction``, and cannot be compared: a comparison is made by ``privref.exact.decide``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Protocol, TypeGuard, Union, cast, runtime_checkable

from .columns import Column
from .enclosure import Enclosure
from .errors import NotRationalError
from .numbers import exact_root


class Real(Protocol):
    """A value of some arithmetic."""

    def __add__(self, other: Scalar, /) -> Real: ...
    def __radd__(self, other: Scalar, /) -> Real: ...
    def __sub__(self, other: Scalar, /) -> Real: ...
    def __rsub__(self, other: Scalar, /) -> Real: ...
    def __mul__(self, other: Scalar, /) -> Real: ...
    def __rmul__(self, other: Scalar, /) -> Real: ...
    def __truediv__(self, other: Scalar, /) -> Real: ...
    def __rtruediv__(self, other: Scalar, /) -> Real: ...
    def __pow__(self, exponent: int, /) -> Real: ...
    def __neg__(self) -> Real: ...


Scalar = Union["Real", Fraction, int]


class Arithmetic(Protocol):
    """What a formula may ask of the arithmetic it computes in."""

    name: str

    def lift(self, value: Fraction) -> Fraction:
        """How an exact input enters a formula (the enclosing arithmetics keep it exact)."""
        ...

    def real(self, value: Scalar) -> Real: ...
    def exp(self, value: Scalar) -> Real: ...
    def expm1(self, value: Scalar) -> Real: ...
    def log(self, value: Scalar) -> Real: ...
    def log1p(self, value: Scalar) -> Real: ...
    def sqrt(self, value: Scalar) -> Real: ...
    def tanh(self, value: Scalar) -> Real: ...
    def normal_cdf(self, value: Scalar) -> Real: ...
    def maximum(self, first: Scalar, second: Scalar) -> Real: ...
    def minimum(self, first: Scalar, second: Scalar) -> Real: ...
    def sum(self, values: Iterable[Scalar]) -> Real: ...
    def hull(self, first: Scalar, second: Scalar) -> Real:
        """A value that encloses everything between two enclosed ends (floats: the midpoint)."""
        ...

    def at(self, precision: int) -> Arithmetic:
        """The same arithmetic at another working precision in bits (itself where precision has no meaning)."""
        ...


class EnclosingArithmetic(Arithmetic, Protocol):
    """An arithmetic whose every value encloses the true one."""

    precision: int

    def at(self, precision: int) -> EnclosingArithmetic: ...
    def active(self) -> AbstractContextManager[None]:
        """A block in which the arithmetic's precision is in force."""
        ...

    def bare(self) -> BareArithmetic:
        """The same without what each value and each function adds to it, for long loops."""
        ...

    def enclosure(self, value: Scalar) -> Enclosure | None:
        """The value's exact endpoints; None where it is not finite (or beyond what is worth writing down)."""
        ...

    def in_units(self, value: Scalar, bits: int) -> tuple[int, int] | None:
        """The value's ends in units of 2^-bits, rounded outward; None where ``enclosure`` has to be asked."""
        ...

    def units_of(self, formula: Callable[[Arithmetic], Scalar], bits: int) -> tuple[int, int] | None:
        """``in_units`` of a formula of a few functions; each takes a ``real`` of this, not a rational number."""
        ...


class BareArithmetic(EnclosingArithmetic, Protocol):
    """Functions and operators take a ``real`` of this, not a rational number, and leave counting to ``count``."""

    def dressed(self, value: Real) -> Real:
        """The value as the arithmetic that it was taken from has it."""
        ...

    def rational(self, value: Fraction) -> Fraction:
        """The number as this computes with it exactly; it has an order, and ``real`` takes it."""
        ...

    def count(self, units: int) -> None:
        """Count work that the operations do not count themselves."""
        ...


@runtime_checkable
class SumsColumns(Protocol):
    """An arithmetic that sums a function over a column by a way of its own."""

    def x_tanh_half(self, values: Column) -> Real:
        """The sum of count * x tanh(x/2) over the column."""
        ...


class ExactArithmetic:
    """Rational arithmetic; a transcendental value is refused unless it is a rational that everybody knows."""

    name = "exact"

    def lift(self, value: Fraction) -> Fraction:
        return value

    def at(self, precision: int) -> Arithmetic:
        return self

    def real(self, value: Scalar) -> Real:
        return cast(Real, value)

    def exp(self, value: Scalar) -> Real:
        return self._known(value, "exp", {Fraction(0): Fraction(1)})

    def expm1(self, value: Scalar) -> Real:
        return self._known(value, "expm1", {Fraction(0): Fraction(0)})

    def log(self, value: Scalar) -> Real:
        return self._known(value, "log", {Fraction(1): Fraction(0)})

    def log1p(self, value: Scalar) -> Real:
        return self._known(value, "log1p", {Fraction(0): Fraction(0)})

    def tanh(self, value: Scalar) -> Real:
        return self._known(value, "tanh", {Fraction(0): Fraction(0)})

    def normal_cdf(self, value: Scalar) -> Real:
        return self._known(value, "normal_cdf", {Fraction(0): Fraction(1, 2)})

    def sqrt(self, value: Scalar) -> Real:
        fraction = cast(Fraction, value)
        root = exact_root(fraction) if fraction >= 0 else None
        if root is None:
            raise NotRationalError("this square root is not rational")
        return cast(Real, root)

    def maximum(self, first: Scalar, second: Scalar) -> Real:
        return cast(Real, max(cast(Fraction, first), cast(Fraction, second)))

    def minimum(self, first: Scalar, second: Scalar) -> Real:
        return cast(Real, min(cast(Fraction, first), cast(Fraction, second)))

    def sum(self, values: Iterable[Scalar]) -> Real:
        return cast(Real, sum(cast("Iterable[Fraction]", values), Fraction(0)))

    def hull(self, first: Scalar, second: Scalar) -> Real:
        if first == second:
            return cast(Real, first)
        raise NotRationalError("a value known only between two bounds is not an exact rational")

    @staticmethod
    def _known(value: Scalar, function: str, known: dict[Fraction, Fraction]) -> Real:
        result = known.get(cast(Fraction, value))
        if result is None:
            raise NotRationalError(f"this {function} is not rational")
        return cast(Real, result)


class FloatArithmetic:
    """Binary64 through ``math``: what fast code would get. For benchmarks and for showing the error, never a bound."""

    name = "float"

    def lift(self, value: Fraction) -> Fraction:
        return cast(Fraction, float(value))

    def at(self, precision: int) -> Arithmetic:
        return self

    def real(self, value: Scalar) -> Real:
        return cast(Real, float(cast(float, value)))

    def exp(self, value: Scalar) -> Real:
        return cast(Real, math.exp(cast(float, value)))

    def expm1(self, value: Scalar) -> Real:
        return cast(Real, math.expm1(cast(float, value)))

    def log(self, value: Scalar) -> Real:
        return cast(Real, math.log(cast(float, value)))

    def log1p(self, value: Scalar) -> Real:
        return cast(Real, math.log1p(cast(float, value)))

    def sqrt(self, value: Scalar) -> Real:
        return cast(Real, math.sqrt(cast(float, value)))

    def tanh(self, value: Scalar) -> Real:
        return cast(Real, math.tanh(cast(float, value)))

    def normal_cdf(self, value: Scalar) -> Real:
        return cast(Real, math.erfc(-cast(float, value) / math.sqrt(2)) / 2)

    def maximum(self, first: Scalar, second: Scalar) -> Real:
        return cast(Real, max(cast(float, first), cast(float, second)))

    def minimum(self, first: Scalar, second: Scalar) -> Real:
        return cast(Real, min(cast(float, first), cast(float, second)))

    def sum(self, values: Iterable[Scalar]) -> Real:
        return cast(Real, float(sum(cast("Iterable[float]", values))))

    def hull(self, first: Scalar, second: Scalar) -> Real:
        return cast(Real, (cast(float, first) + cast(float, second)) / 2)


def is_enclosing(arithmetic: Arithmetic) -> TypeGuard[EnclosingArithmetic]:
    """Return whether the arithmetic encloses: exact rationals, doubles and symbols do not."""
    return getattr(arithmetic, "enclosure", None) is not None
