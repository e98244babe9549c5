"""The trusted enclosure: real balls of FLINT/Arb through python-flint. The only module that imports flint.

Working precision belongs to the arithmetic object; FLINT's global precision is set for the length of one operation
batch by ``active`` and restored. Balls stay rigorous at any precision, so a forgotten ``active`` costs width, never
truth.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

import flint

from .arithmetic import Arithmetic, Scalar
from .columns import Column
from .enclosure import Enclosure, ends_in_units
from .errors import WRITABLE_BITS, UnwritableError
from .work import spend, writing

#: Reading a rational of a denominator of more bits takes more than a unit of work.
_LONG = 512
#: Held while FLINT's working precision is set. There is one for the whole process: if another thread set its own in
#: between, balls would be wider, and the answer to a question would depend on what runs beside it.
_PRECISION = threading.RLock()


@contextmanager
def alone() -> Iterator[None]:
    """Let no other thread set FLINT's precision in the block, in which the kernel sets its own."""
    with _PRECISION:
        yield


def _operand(value: object) -> object:
    """The value as FLINT takes it; NotImplemented for a type that is none of ours, as an operator must answer."""
    spend(1 + (flint.ctx.prec >> 10))
    # Most of all calls: `isinstance` of an abstract class's heir is ten times as slow.
    if type(value) is Ball:
        return value.arb
    if type(value) is int:
        return value
    if isinstance(value, Fraction):
        denominator = value.denominator
        if (long := denominator.bit_length()) > _LONG:
            spend((long >> 7) + (long * long >> 24))
        return flint.arb(flint.fmpq(value.numerator, denominator))
    return value if isinstance(value, int) else NotImplemented


def _lift(value: Scalar) -> object:
    """The value as FLINT takes it; TypeError for a type that is none of ours."""
    lifted = _operand(value)
    if lifted is NotImplemented:
        raise TypeError(f"not a value of this arithmetic: {value!r}")
    return lifted


class Ball:
    """A real ball. Comparisons and truth are refused: ``privref.exact.decide`` makes them."""

    __slots__ = ("arb",)

    def __init__(self, arb: flint.arb) -> None:
        self.arb = arb

    def __add__(self, other: Scalar) -> Ball:
        return NotImplemented if (lifted := _operand(other)) is NotImplemented else Ball(self.arb + lifted)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Ball:
        return NotImplemented if (lifted := _operand(other)) is NotImplemented else Ball(self.arb - lifted)

    def __rsub__(self, other: Scalar) -> Ball:
        return NotImplemented if (lifted := _operand(other)) is NotImplemented else Ball(lifted - self.arb)

    def __mul__(self, other: Scalar) -> Ball:
        return NotImplemented if (lifted := _operand(other)) is NotImplemented else Ball(self.arb * lifted)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Ball:
        return NotImplemented if (lifted := _operand(other)) is NotImplemented else Ball(self.arb / lifted)

    def __rtruediv__(self, other: Scalar) -> Ball:
        return NotImplemented if (lifted := _operand(other)) is NotImplemented else Ball(lifted / self.arb)

    def __pow__(self, exponent: int) -> Ball:
        spend(4 + (flint.ctx.prec >> 7))
        return Ball(self.arb**exponent)

    def __neg__(self) -> Ball:
        return Ball(-self.arb)

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("a ball has no order and no truth value: decide the comparison with privref.exact.decide")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = _refuse
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Ball({self.arb})"


class ArbArithmetic:
    """Ball arithmetic of a given working precision in bits."""

    name = "arb"

    def __init__(self, precision: int = 128) -> None:
        self.precision = precision

    def at(self, precision: int) -> ArbArithmetic:
        return ArbArithmetic(precision)

    @contextmanager
    def active(self) -> Iterator[None]:
        """Set FLINT's working precision for the block and restore it after; other threads wait until then."""
        with _PRECISION:
            before = flint.ctx.prec
            flint.ctx.prec = self.precision
            try:
                yield
            finally:
                flint.ctx.prec = before

    def lift(self, value: Fraction) -> Fraction:
        return value

    def bare(self) -> Bare:
        return Bare(self.precision)

    def real(self, value: Scalar) -> Ball:
        return Ball(self._arb(value))

    @staticmethod
    def _arb(value: Scalar) -> flint.arb:
        return flint.arb(_lift(value))

    def _costly(self, value: Scalar, times: int = 1) -> flint.arb:
        """The operand of a function that costs as much as this many exponentials."""
        p = self.precision
        spend(times * (2 + (p >> 7) + (p * p >> 20)))
        return self._arb(value)

    def exp(self, value: Scalar) -> Ball:
        return Ball(self._costly(value).exp())

    def expm1(self, value: Scalar) -> Ball:
        return Ball(self._costly(value).expm1())

    def log(self, value: Scalar) -> Ball:
        return Ball(self._costly(value).log())

    def log1p(self, value: Scalar) -> Ball:
        return Ball(self._costly(value).log1p())

    def sqrt(self, value: Scalar) -> Ball:
        return Ball(self._arb(value).sqrt())

    def tanh(self, value: Scalar) -> Ball:
        return Ball(self._costly(value).tanh())

    def normal_cdf(self, value: Scalar) -> Ball:
        return Ball((-self._costly(value, 4) / flint.arb(2).sqrt()).erfc() / 2)

    def maximum(self, first: Scalar, second: Scalar) -> Ball:
        return Ball(self._arb(first).max(self._arb(second)))

    def minimum(self, first: Scalar, second: Scalar) -> Ball:
        return Ball(self._arb(first).min(self._arb(second)))

    def sum(self, values: Iterable[Scalar]) -> Ball:
        total = flint.arb(0)
        for value in values:
            total += _lift(value)
        return Ball(total)

    def x_tanh_half(self, values: Column) -> Ball:
        """The sum of count * x tanh(x/2) over the column, value by value."""
        # A pass over the rows of a file, as reading it was: ten million of them leave half of a question's work.
        spend(len(values) * self.precision >> 9)
        half = flint.arb(1) / (2 * values.denominator)
        total = flint.arb(0)
        if values.counts is None:
            for value in values.numerators:
                total += value * (half * value).tanh()
        else:
            for value, times in zip(values.numerators, values.counts, strict=True):
                total += times * (value * (half * value).tanh())
        return Ball(total / values.denominator)

    def hull(self, first: Scalar, second: Scalar) -> Ball:
        return Ball(self._arb(first).union(self._arb(second)))

    def in_units(self, value: Scalar, bits: int) -> tuple[int, int] | None:
        return self._ends(self._arb(value), bits)

    @staticmethod
    def _ends(arb: flint.arb, bits: int) -> tuple[int, int] | None:
        if not arb.is_finite():
            return None
        (low, low_exponent), (high, high_exponent) = arb.lower().man_exp(), arb.upper().man_exp()
        return ends_in_units((int(low), int(low_exponent)), (int(high), int(high_exponent)), bits)

    def units_of(self, formula: Callable[[Arithmetic], Scalar], bits: int) -> tuple[int, int] | None:
        # A machine asks at each step: what is counted for every operation elsewhere is counted at once.
        spend(8 * (2 + (self.precision >> 7)))
        with _PRECISION:
            before, flint.ctx.prec = flint.ctx.prec, self.precision
            try:
                found: Any = formula(_BARE)
                if type(found) is not flint.arb:
                    return self.in_units(found, bits)
                return _BARE.in_units(found, bits)
            finally:
                flint.ctx.prec = before

    def enclosure(self, value: Scalar) -> Enclosure | None:
        if isinstance(value, (int, Fraction)):
            return Enclosure(Fraction(value), Fraction(value))
        arb = self._arb(value)
        if not arb.is_finite():
            return None
        ends = arb.lower(), arb.upper()
        lower, upper = (_dyadic(end) for end in ends)
        if lower is not None and upper is not None:
            spend(writing(lower.denominator.bit_length() + upper.numerator.bit_length()))
            return Enclosure(lower, upper)
        # Both ends are beyond what can be written, on one side of 0 and in one direction: no precision changes that.
        beyond = [_beyond(end) for end in ends]
        if lower is None and upper is None and beyond[0] == beyond[1]:
            raise UnwritableError(beyond[0][0])
        return None


class Bare(ArbArithmetic):
    """The same on FLINT's own numbers: a ``Ball`` around each costs more than a function of it."""

    @staticmethod
    def real(value: Scalar) -> flint.arb:
        if type(value) is int or type(value) is flint.fmpq:
            return flint.arb(value)
        if type(value) is flint.arb:
            return value
        if type(value) is Fraction and value.denominator.bit_length() <= _LONG:
            return flint.arb(flint.fmpq(value.numerator, value.denominator))
        return ArbArithmetic._arb(value)

    _arb = real

    def in_units(self, value: Any, bits: int) -> tuple[int, int] | None:
        # One floor for both ends, where they have the same; a long one has not, as it was rounded.
        floor = (value * _power_of_two(bits)).floor().unique_fmpz()
        if floor is None or value.is_exact():
            return self._ends(value, bits)
        return (low := int(floor)), low + 1

    dressed = Ball
    rational = staticmethod(lambda value: flint.fmpq(value.numerator, value.denominator))
    count = staticmethod(spend)

    # Not ``flint.arb.exp`` itself, which reads any argument as its own and so ends the process.
    exp = staticmethod(lambda value: value.exp())
    expm1 = staticmethod(lambda value: value.expm1())
    log = staticmethod(lambda value: value.log())
    log1p = staticmethod(lambda value: value.log1p())
    maximum = staticmethod(lambda first, second: first.max(second))
    minimum = staticmethod(lambda first, second: first.min(second))
    normal_cdf = staticmethod(lambda value: (-value / flint.arb(2).sqrt()).erfc() / 2)


_BARE = Bare()


@lru_cache(maxsize=64)
def _power_of_two(bits: int) -> flint.arb:
    return flint.arb(1 << bits)


def _beyond(exact: flint.arb) -> tuple[int, bool]:
    """The sign of an end that cannot be written, and whether it is too large rather than too small."""
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return (1 if mantissa > 0 else -1), exponent > 0


def _dyadic(exact: flint.arb) -> Fraction | None:
    mantissa, exponent = (int(part) for part in exact.man_exp())
    if not mantissa:
        return Fraction(0)
    if abs(exponent + mantissa.bit_length()) > WRITABLE_BITS:
        return None
    return Fraction(mantissa * 2**exponent) if exponent >= 0 else Fraction(mantissa, 2**-exponent)


def versions() -> dict[str, str]:
    """The versions of python-flint and of the FLINT library under it."""
    return {"python-flint": flint.__version__, "FLINT": flint.__FLINT_VERSION__}
