"""The independent second enclosure, on mpmath's floating point. The only module that imports mpmath.

Every value is a pair of mpf ends. + - * / and sqrt are correctly rounded by mpmath and are rounded outward here.
exp, log, tanh, erfc are computed with guard bits and widened outward by far more than mpmath's stated error (a few
units of the last guard bit). ``mpmath.iv`` is not used: its exp can miss the true value (mpmath issue 1181).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

from mpmath import __version__ as mpmath_version
from mpmath import libmp

from .arithmetic import Arithmetic, Real, Scalar
from .columns import SERIES_UP_TO, Column, x_tanh_half_between
from .complex_pairs import over, power, product, scaled
from .enclosure import Enclosure, ends_in_units
from .errors import WRITABLE_BITS, MorePrecisionError, UnwritableError
from .work import spend, writing

_Mpf = Any  # sign, mantissa, exponent, bit count: a libmp tuple
_DOWN, _UP, _NEAREST = "f", "c", "n"
_GUARD_BITS = 40
_WIDENING_BITS = 20
#: Beyond 2^this mpmath's erfc overflows inside; Phi there is 0 or 1 to a billion digits.
_LARGEST_ERFC_BITS = 32
#: Beyond 2^this an argument is not reduced: the reduction takes as many bits.
_LARGEST_REDUCED_BITS = 8_000_000
#: Up to here a rational is rounded with the guard bits before its exponential is taken.
_LARGEST_ROUNDED = 1 << 16
#: Beyond 2^this the exponential is far out of what can be written, and libmp slow.
_LARGEST_EXP_BITS = 64


@lru_cache(maxsize=1 << 14)
def _upper_tail(x: _Mpf, precision: int, rounding: str) -> _Mpf:
    """erfc(-x). The ends of neighbouring cells, and of pairs that share a law, ask for the same one again."""
    return libmp.mpf_erfc(libmp.mpf_neg(x), precision, rounding)


class MpInterval:
    """A closed interval with mpf ends. Comparisons and truth are refused, as for balls."""

    __slots__ = ("lower", "precision", "upper")

    def __init__(self, lower: _Mpf, upper: _Mpf, precision: int) -> None:
        self.lower = lower
        self.upper = upper
        self.precision = precision

    def _lift(self, other: object) -> MpInterval | None:
        if isinstance(other, MpInterval):
            return other
        if isinstance(other, (int, Fraction)):
            return _from_rational(other, self.precision)
        return None

    def __add__(self, other: Scalar) -> MpInterval:
        if (right := self._lift(other)) is None:
            return NotImplemented
        p = self.precision
        spend(2 + (p >> 10))
        return MpInterval(
            libmp.mpf_add(self.lower, right.lower, p, _DOWN), libmp.mpf_add(self.upper, right.upper, p, _UP), p
        )

    __radd__ = __add__

    def __neg__(self) -> MpInterval:
        return MpInterval(libmp.mpf_neg(self.upper), libmp.mpf_neg(self.lower), self.precision)

    def __sub__(self, other: Scalar) -> MpInterval:
        return NotImplemented if (right := self._lift(other)) is None else self + (-right)

    def __rsub__(self, other: Scalar) -> MpInterval:
        return NotImplemented if (left := self._lift(other)) is None else left + (-self)

    def __mul__(self, other: Scalar) -> MpInterval:
        if (right := self._lift(other)) is None:
            return NotImplemented
        return self._corners(right, libmp.mpf_mul, _PRODUCT)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> MpInterval:
        if (right := self._lift(other)) is None:
            return NotImplemented
        if libmp.mpf_sign(right.lower) * libmp.mpf_sign(right.upper) <= 0:
            raise MorePrecisionError("division by an interval that contains zero")
        return self._corners(right, libmp.mpf_div, _QUOTIENT)

    def __rtruediv__(self, other: Scalar) -> MpInterval:
        return NotImplemented if (left := self._lift(other)) is None else left / self

    def __pow__(self, exponent: int) -> MpInterval:
        if exponent < 0:
            return _from_rational(Fraction(1), self.precision) / self**-exponent
        result = _from_rational(Fraction(1), self.precision)
        base: MpInterval = self
        while exponent:
            if exponent & 1:
                result = result * base
            base = base * base
            exponent >>= 1
        return result

    def _corners(
        self,
        right: MpInterval,
        operation: Callable[..., _Mpf],
        known: Mapping[tuple[int, int], tuple[int, int, int, int]],
    ) -> MpInterval:
        """The least and the largest result at the ends; where the signs say which these are, only they are computed."""
        p = self.precision
        # Python's integers: a product is Karatsuba's, a quotient takes the square of the digits.
        spend(2 + (p >> 8) + (p * p >> 21) if operation is libmp.mpf_mul else 8 + (p >> 6) + (p * p >> 17))
        corners = known.get((_sign(self), _sign(right)))
        if corners is not None:
            ends = self.lower, self.upper, right.lower, right.upper
            a, b, c, d = corners
            return MpInterval(operation(ends[a], ends[b], p, _DOWN), operation(ends[c], ends[d], p, _UP), p)
        pairs = [(a, b) for a in (self.lower, self.upper) for b in (right.lower, right.upper)]
        lows = [operation(a, b, p, _DOWN) for a, b in pairs]
        highs = [operation(a, b, p, _UP) for a, b in pairs]
        lower, upper = lows[0], highs[0]
        for low, high in zip(lows[1:], highs[1:], strict=True):
            if libmp.mpf_lt(low, lower):
                lower = low
            if libmp.mpf_gt(high, upper):
                upper = high
        return MpInterval(lower, upper, p)

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("an interval has no order and no truth value: decide the comparison with privref.exact.decide")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = _refuse
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"MpInterval({libmp.to_str(self.lower, 15)}, {libmp.to_str(self.upper, 15)})"


#: By the signs of both sides, as ``_sign`` has them, the ends that make the lower and the upper end of the result: 0
#: and 1 are the left side's, 2 and 3 the right's. Where both products of opposite ends may be least, nothing is known.
_PRODUCT = {
    (1, 1): (0, 2, 1, 3), (1, -1): (1, 2, 0, 3), (1, 0): (1, 2, 1, 3),
    (-1, 1): (0, 3, 1, 2), (-1, -1): (1, 3, 0, 2), (-1, 0): (0, 3, 0, 2),
    (0, 1): (0, 3, 1, 3), (0, -1): (1, 2, 0, 2),
}  # fmt: skip
#: The same of a quotient, whose right side does not contain 0.
_QUOTIENT = {
    (1, 1): (0, 3, 1, 2), (-1, 1): (0, 2, 1, 3), (0, 1): (0, 2, 1, 2),
    (1, -1): (1, 3, 0, 2), (-1, -1): (1, 2, 0, 3), (0, -1): (1, 3, 0, 3),
}  # fmt: skip


def _sign(x: MpInterval) -> int:
    """1 for an interval of numbers >= 0, -1 for one of numbers <= 0, 0 for others; 2 where an end is not a number."""
    (minus, mantissa, exponent, _), (upper_minus, upper_mantissa, upper_exponent, _) = x.lower, x.upper
    if (exponent and not mantissa) or (upper_exponent and not upper_mantissa):
        # Special values have mantissa 0 and a nonzero exponent.
        return 2
    if not minus:
        return 1
    return -1 if upper_minus or not upper_mantissa else 0


def _from_rational(value: Fraction | int, precision: int) -> MpInterval:
    n, d = value.numerator, value.denominator
    return MpInterval(libmp.from_rational(n, d, precision, _DOWN), libmp.from_rational(n, d, precision, _UP), precision)


def _is_huge(x: _Mpf) -> bool:
    """Whether the magnitude is beyond 2^_LARGEST_EXP_BITS."""
    return bool(x[1]) and x[2] + x[3] > _LARGEST_EXP_BITS + 1


def _expm1(x: _Mpf, precision: int, rounding: str) -> _Mpf:
    # exp(x) - 1 loses as many leading bits as x has zeros after the point.
    lost = max(0, -(x[2] + x[3])) if x[1] else 0
    return libmp.mpf_sub(libmp.mpf_exp(x, precision + lost + 10, rounding), libmp.fone, precision, rounding)


def _log1p(x: _Mpf, precision: int, rounding: str) -> _Mpf:
    return libmp.mpf_log(libmp.mpf_add(libmp.fone, x), precision, rounding)


def _widening(image: _Mpf, precision: int) -> _Mpf:
    """By how much an image is widened: far more than its stated error."""
    return libmp.mpf_shift(libmp.mpf_abs(image), -(precision + _WIDENING_BITS))


class MpmathArithmetic:
    """Outward-rounded intervals of a given working precision in bits."""

    name = "mpmath"

    def __init__(self, precision: int = 128) -> None:
        self.precision = precision

    def at(self, precision: int) -> MpmathArithmetic:
        return MpmathArithmetic(precision)

    def active(self) -> AbstractContextManager[None]:
        """Nothing to set: precision travels with the values."""
        return nullcontext()

    def lift(self, value: Fraction) -> Fraction:
        return value

    def bare(self) -> MpmathArithmetic:
        """Itself: its values wrap nothing, and each counts its own work."""
        return self

    def dressed(self, value: Real) -> Real:
        return value

    def rational(self, value: Fraction) -> Fraction:
        return value

    def count(self, units: int) -> None:
        """Nothing to do."""

    def real(self, value: Scalar) -> MpInterval:
        if isinstance(value, MpInterval):
            return value
        if isinstance(value, (int, Fraction)):
            return _from_rational(value, self.precision)
        raise TypeError(f"not a value of this arithmetic: {value!r}")

    def _increasing(
        self, function: Callable[..., _Mpf], value: Scalar, *, reduced: bool = True, like_identity: bool = False
    ) -> MpInterval:
        """An increasing function, evaluated at both ends with guard bits and widened outward.

        ``reduced``: a large argument is reduced, and a small one subtracted from 1, with as many bits more as its
        exponent is large. A logarithm does neither: an exponent is one term of it. ``like_identity``: the function is
        within x^2 of a small x (log1p, expm1, tanh), which is all that is wanted of an x below the last bit of 1.
        """
        x = self.real(value)
        p = self.precision
        bits = p + _GUARD_BITS
        tiny = -(p + _WIDENING_BITS) if like_identity else None
        near = [tiny is not None and bool(end[1]) and end[2] + end[3] < tiny for end in (x.lower, x.upper)]
        sizes = [
            abs(end[2] + end[3]) for end, small in zip((x.lower, x.upper), near, strict=True) if end[1] and not small
        ]
        reach = max(sizes, default=0) if reduced else 0
        if reach > _LARGEST_REDUCED_BITS:
            raise MorePrecisionError("an argument of that size is beyond this engine")
        all_bits = bits + reach
        spend(6 + (all_bits >> 5) + (all_bits * all_bits >> 14))
        if near[0]:
            least = libmp.mpf_sub(x.lower, libmp.mpf_mul(x.lower, x.lower), p, _DOWN)
        else:
            image = function(x.lower, bits, _NEAREST)
            least = libmp.mpf_sub(image, _widening(image, p), p, _DOWN)
        if near[1]:
            return MpInterval(least, libmp.mpf_add(x.upper, libmp.mpf_mul(x.upper, x.upper), p, _UP), p)
        if near[0] or x.upper != x.lower:
            image = function(x.upper, bits, _NEAREST)
        return MpInterval(least, libmp.mpf_add(image, _widening(image, p), p, _UP), p)

    def exp(self, value: Scalar) -> MpInterval:
        if isinstance(value, (int, Fraction)) and abs(value.numerator) <= _LARGEST_ROUNDED * value.denominator:
            # Rounding x by 2^-(p + 40) of it moves e^x by less than 2^-(p + 23) of it, a small part of the widening.
            point = libmp.from_rational(value.numerator, value.denominator, self.precision + _GUARD_BITS, _NEAREST)
            return self._increasing(libmp.mpf_exp, MpInterval(point, point, self.precision))
        x = self.real(value)
        if _is_huge(x.upper) and x.upper[0] and x.lower[0]:
            # Far below every number that could be written, and above 0.
            return MpInterval(libmp.fzero, (0, 1, -(1 << _LARGEST_EXP_BITS), 1), self.precision)
        self._require_exponent(x)
        return self._increasing(libmp.mpf_exp, x)

    def expm1(self, value: Scalar) -> MpInterval:
        x = self.real(value)
        self._require_exponent(x)
        return self._increasing(_expm1, x, like_identity=True)

    @staticmethod
    def _require_exponent(x: MpInterval) -> None:
        """libmp takes minutes for the exponential of a number of thousands of digits, which nobody can write."""
        if _is_huge(x.lower) or _is_huge(x.upper):
            raise MorePrecisionError("the exponential of a number so large is beyond this engine")

    def log(self, value: Scalar) -> MpInterval:
        x = self.real(value)
        if libmp.mpf_sign(x.lower) <= 0:
            raise MorePrecisionError("log of an interval that is not positive")
        return self._increasing(libmp.mpf_log, x, reduced=False)

    def log1p(self, value: Scalar) -> MpInterval:
        x = self.real(value)
        if libmp.mpf_le(x.lower, libmp.from_int(-1)):
            raise MorePrecisionError("log1p of an interval that is not above -1")
        return self._increasing(_log1p, x, like_identity=True)

    def sqrt(self, value: Scalar) -> MpInterval:
        x = self.real(value)
        if libmp.mpf_sign(x.lower) < 0:
            raise MorePrecisionError("sqrt of an interval that is not non-negative")
        p = self.precision
        return MpInterval(libmp.mpf_sqrt(x.lower, p, _DOWN), libmp.mpf_sqrt(x.upper, p, _UP), p)

    def tanh(self, value: Scalar) -> MpInterval:
        return self._increasing(libmp.mpf_tanh, value, like_identity=True)

    def normal_cdf(self, value: Scalar) -> MpInterval:
        argument = self.real(value) / self.sqrt(2)
        if any(end[1] and end[2] + end[3] > _LARGEST_ERFC_BITS for end in (argument.lower, argument.upper)):
            raise MorePrecisionError("the normal distribution so far out is beyond this engine")

        # Far out it takes a series of as many terms as the square says, until an asymptotic one is short enough.
        p = self.precision
        square = int(libmp.to_float(argument.lower)) ** 2 if argument.lower[1] else 0
        spend(40 + (p >> 2) + (p * p >> 11) + (p**3 >> 28) + (2 * square if square < p else 0))

        return self._increasing(_upper_tail, argument) / 2

    def hull(self, first: Scalar, second: Scalar) -> MpInterval:
        lower, upper = self.minimum(first, second), self.maximum(first, second)
        return MpInterval(lower.lower, upper.upper, self.precision)

    def maximum(self, first: Scalar, second: Scalar) -> MpInterval:
        a, b = self.real(first), self.real(second)
        lower = b.lower if libmp.mpf_lt(a.lower, b.lower) else a.lower
        upper = b.upper if libmp.mpf_lt(a.upper, b.upper) else a.upper
        return MpInterval(lower, upper, self.precision)

    def minimum(self, first: Scalar, second: Scalar) -> MpInterval:
        return -self.maximum(-self.real(first), -self.real(second))

    def sum(self, values: Iterable[Scalar]) -> MpInterval:
        p = self.precision
        lower = upper = libmp.fzero
        for value in values:
            x = self.real(value)
            spend(2 + (p >> 10))
            lower, upper = libmp.mpf_add(lower, x.lower, p, _DOWN), libmp.mpf_add(upper, x.upper, p, _UP)
        return MpInterval(lower, upper, p)

    def x_tanh_half(self, values: Column) -> MpInterval:
        """The sum of count * x tanh(x/2) over the column, by exact sums of even powers where values are small."""
        small, large = values.split(SERIES_UP_TO)
        # Each power is a product of longer integers; a pass as in the other engine.
        spend(len(small) * self.precision >> 9)
        ends = x_tanh_half_between(small, self.precision)
        if ends is None:
            small, large, ends = small[:0], values, (Fraction(0), Fraction(0))
        first = self.hull(*(self.real(end) for end in ends))
        return first + self.sum(times * self.real(x) * self.tanh(x / 2) for x, times in large)

    def in_units(self, value: Scalar, bits: int) -> tuple[int, int] | None:
        x = self.real(value)
        ends = [(-int(man) if sign else int(man), exponent) for sign, man, exponent, _ in (x.lower, x.upper)]
        # Infinities have mantissa 0 and an exponent.
        if any(exponent and not mantissa for mantissa, exponent in ends):
            return None
        return ends_in_units(ends[0], ends[1], bits)

    def units_of(self, formula: Callable[[Arithmetic], Scalar], bits: int) -> tuple[int, int] | None:
        return self.in_units(formula(self), bits)

    def enclosure(self, value: Scalar) -> Enclosure | None:
        if isinstance(value, (int, Fraction)):
            return Enclosure(Fraction(value), Fraction(value))
        x = self.real(value)
        ends = x.lower, x.upper
        lower, upper = (_dyadic(end) for end in ends)
        if lower is not None and upper is not None:
            spend(writing(lower.denominator.bit_length() + upper.numerator.bit_length()))
            return Enclosure(lower, upper)
        if lower is None and upper is None and all(end[1] for end in ends):
            # Both ends are beyond what can be written, on one side of 0 and in one direction, as for balls.
            beyond = {(-1 if end[0] else 1, end[2] > 0) for end in ends}
            if len(beyond) == 1:
                raise UnwritableError(beyond.pop()[0])
        return None


class MpmathPlane:
    """Complex numbers as pairs of intervals: the second engine of a contour integral, plain and slow."""

    def __init__(self, precision: int) -> None:
        self.precision = precision
        self.ar = MpmathArithmetic(precision)

    def _near(self, function: Callable[..., _Mpf], value: MpInterval) -> MpInterval:
        """A function of slope at most 1: its value in the middle, as far about it as the argument goes."""
        middle, slack = self._middle(value)
        return self._about(function(middle, self.precision + _GUARD_BITS, _NEAREST), slack)

    def _middle(self, value: MpInterval) -> tuple[_Mpf, _Mpf]:
        """The middle of an argument, and how far from there a function of slope at most 1 may be."""
        work = self.precision + _GUARD_BITS
        middle = libmp.mpf_shift(libmp.mpf_add(value.lower, value.upper, work, _NEAREST), -1)
        # Rounding moves the middle by less than the slack that follows.
        radius = libmp.mpf_sub(value.upper, value.lower, work, _UP)
        return middle, libmp.mpf_add(radius, libmp.mpf_shift(libmp.fone, -(self.precision + _WIDENING_BITS)), work, _UP)

    def _about(self, image: _Mpf, slack: _Mpf) -> MpInterval:
        work = self.precision + _GUARD_BITS
        low, high = libmp.mpf_sub(image, slack, work, _DOWN), libmp.mpf_add(image, slack, work, _UP)
        return MpInterval(low, high, self.precision)

    def _turn(self, angle: MpInterval) -> tuple[MpInterval, MpInterval]:
        """The cosine and the sine, computed together."""
        middle, slack = self._middle(angle)
        cosine, sine = libmp.mpf_cos_sin(middle, self.precision + _GUARD_BITS, _NEAREST)
        return self._about(cosine, slack), self._about(sine, slack)

    def pi(self) -> MpInterval:
        p = self.precision
        return MpInterval(libmp.mpf_pi(p, _DOWN), libmp.mpf_pi(p, _UP), p)

    def cosine(self, angle: MpInterval) -> MpInterval:
        return self._near(libmp.mpf_cos, angle)

    def sine(self, angle: MpInterval) -> MpInterval:
        return self._near(libmp.mpf_sin, angle)

    def angle(self, x: MpInterval, y: MpInterval) -> MpInterval:
        # 2 arctan(y/(|z| + x)) holds for every z off the negative axis; arctan has a slope of at most 1.
        half = y / (self.ar.sqrt(x * x + y * y) + x)
        return 2 * self._near(libmp.mpf_atan, half)

    def upper(self, value: MpInterval) -> MpInterval:
        return MpInterval(value.upper, value.upper, self.precision)

    def around(self, value: MpInterval, radius: MpInterval) -> MpInterval:
        return self.ar.hull(value - radius, value + radius)

    def powers_over_kernel(
        self, sums: Sequence[tuple[MpInterval, MpInterval]], radius: MpInterval, k: int, c: MpInterval, step: MpInterval
    ) -> list[tuple[MpInterval, MpInterval]]:
        found = []
        for n, (x, y) in enumerate(sums):
            t = step * n
            # z (z + 1) = c (c + 1) - t^2 + i t (2 c + 1).
            kernel = c * (c + 1) - t * t, t * (2 * c + 1)
            value = power((self.around(x, radius), self.around(y, radius)), k)
            found.append(scaled(2 if n else 1, over(value, kernel)))
        return found

    def times_powers(
        self,
        values: Sequence[tuple[MpInterval, MpInterval]],
        sums: Sequence[tuple[MpInterval, MpInterval]],
        radius: MpInterval,
        k: int,
    ) -> list[tuple[MpInterval, MpInterval]]:
        return [
            product(value, power((self.around(x, radius), self.around(y, radius)), k))
            for value, (x, y) in zip(values, sums, strict=True)
        ]

    def complex(self, x: MpInterval, y: MpInterval) -> tuple[MpInterval, MpInterval]:
        return x, y

    def added(
        self, one: tuple[MpInterval, MpInterval], other: tuple[MpInterval, MpInterval]
    ) -> tuple[MpInterval, MpInterval]:
        return one[0] + other[0], one[1] + other[1]

    def oscillating_sums(
        self, weights: Sequence[Sequence[MpInterval]], points: Sequence[MpInterval], step: MpInterval, count: int
    ) -> list[list[tuple[MpInterval, MpInterval]]]:
        """The sums of w e^(i n step x) for n below ``count``, in integers: a turn is a product with the one before.

        U/2^q is within 2/2^q of e^(i m) for a middle m, and each product is floored. So the n-th power is within
        6 n/2^q of e^(i n m), and that within n times the radius about m of e^(i n step x).
        """
        p = self.precision
        q = p + _GUARD_BITS + count.bit_length()
        turns: list[tuple[int, int]] = []
        slacks: list[int] = []
        for x in points:
            angle = step * x
            middle = libmp.mpf_shift(libmp.mpf_add(angle.lower, angle.upper, q + _GUARD_BITS, _NEAREST), -1)
            cosine, sine = libmp.mpf_cos_sin(middle, q + _GUARD_BITS, _NEAREST)
            turns.append((_scaled(cosine, q, _DOWN), _scaled(sine, q, _DOWN)))
            sides = (angle.upper, middle), (middle, angle.lower)
            slacks.append(6 + max(_scaled(libmp.mpf_sub(*side, p, _UP), q, _UP) for side in sides))
        unit = (
            p
            + _GUARD_BITS
            - max(
                (end[2] + end[3] for each in weights for w in each for end in (w.lower, w.upper) if end[1]), default=0
            )
        )
        ends = [[(_scaled(w.lower, unit, _DOWN), _scaled(w.upper, unit, _UP)) for w in each] for each in weights]
        middles = [[(low + high) >> 1 for low, high in each] for each in ends]
        # What the n-th sum may be off: n times what its turns are, and what its weights are.
        drifts = [sum(abs(m) * slack for m, slack in zip(each, slacks, strict=True)) for each in middles]
        spreads = [sum(high - low for low, high in each) << q for each in ends]
        found: list[list[tuple[MpInterval, MpInterval]]] = [[] for _ in weights]
        now = [(1 << q, 0)] * len(turns)
        for n in range(count):
            # As much as the intervals' own products and sums would take.
            spend((2 + (p >> 8) + (p * p >> 21)) * (1 + (1 + 2 * len(weights)) * len(points)))
            spend(2 * (2 + (p >> 10)) * len(weights) * len(points))
            for i, each in enumerate(middles):
                off = n * drifts[i] + spreads[i]
                real = sum(m * cos for m, (cos, _) in zip(each, now, strict=True))
                imaginary = sum(m * sin for m, (_, sin) in zip(each, now, strict=True))
                found[i].append((self._within(real, off, unit + q), self._within(imaginary, off, unit + q)))
            now = [
                ((x * cos - y * sin) >> q, (x * sin + y * cos) >> q)
                for (x, y), (cos, sin) in zip(now, turns, strict=True)
            ]
        return found

    def _within(self, middle: int, off: int, bits: int) -> MpInterval:
        """The interval that far about a middle, both in units of 2^-bits."""
        p = self.precision
        low, high = middle - off, middle + off
        return MpInterval(libmp.from_man_exp(low, -bits, p, _DOWN), libmp.from_man_exp(high, -bits, p, _UP), p)

    def trigonometric_sum(self, coefficients: Sequence[tuple[MpInterval, MpInterval]]) -> MpmathSum:
        return MpmathSum(self, coefficients)


class MpmathSum:
    """A trigonometric sum, term by term."""

    def __init__(self, plane: MpmathPlane, coefficients: Sequence[tuple[MpInterval, MpInterval]]) -> None:
        self._plane, self._coefficients = plane, coefficients

    def real_part(self, angle: MpInterval) -> MpInterval:
        turns = [self._plane._turn(angle * n) for n in range(len(self._coefficients))]
        return self._plane.ar.sum(
            x * cos - y * sin for (x, y), (cos, sin) in zip(self._coefficients, turns, strict=True)
        )


def _scaled(x: _Mpf, bits: int, rounding: str) -> int:
    """A number in units of 2^-bits, rounded down or up."""
    if not x[1] and x[2]:
        raise MorePrecisionError("an end that is infinite or no number has no units")
    return int(libmp.to_int(libmp.mpf_shift(x, bits), rounding))


def _dyadic(x: _Mpf) -> Fraction | None:
    sign, mantissa, exponent, _ = x
    if not mantissa:
        return Fraction(0) if x == libmp.fzero else None
    if abs(exponent + mantissa.bit_length()) > WRITABLE_BITS:
        return None
    magnitude: Fraction = Fraction(int(mantissa))
    magnitude = magnitude * 2**exponent if exponent >= 0 else magnitude / 2**-exponent
    return -magnitude if sign else magnitude


def versions() -> dict[str, str]:
    """The version of mpmath."""
    return {"mpmath": mpmath_version}
