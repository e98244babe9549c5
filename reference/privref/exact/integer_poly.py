"""Polynomials with integer coefficients, multiplied exactly by FLINT: the kernel of every convolution of laws.

With ``interval`` the only module that imports flint. It holds no balls but one: ``value_between`` encloses a value
at a real point for coefficients that are not negative. Everything else is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

from .work import spend

_SLACK_BITS = 16


class IntegerPolynomial:
    """An immutable polynomial over the integers, lowest coefficient first."""

    __slots__ = ("_poly",)

    def __init__(self, coefficients: Sequence[int] | flint.fmpz_poly) -> None:
        self._poly = coefficients if isinstance(coefficients, flint.fmpz_poly) else flint.fmpz_poly(list(coefficients))

    def __len__(self) -> int:
        """The number of coefficients up to the last one that is not zero."""
        return int(self._poly.length())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IntegerPolynomial) and bool(self._poly == other._poly)

    def __hash__(self) -> int:
        return hash((len(self), self[len(self) // 2]))

    def __mul__(self, other: IntegerPolynomial) -> IntegerPolynomial:
        bits, length = self._poly.height_bits() + other._poly.height_bits(), len(self) + len(other)
        # FLINT multiplies long integers: a little more than as many digits as all coefficients have.
        spend(length * (32 + bits) * length.bit_length() >> 13)
        return IntegerPolynomial(self._poly * other._poly)

    def shifted_down(self, bits: int) -> IntegerPolynomial:
        """Every coefficient, none negative, divided by 2^bits and rounded down."""
        return IntegerPolynomial(self._poly // (1 << bits)) if bits and len(self) else self

    def shifted_up(self, bits: int) -> IntegerPolynomial:
        """Every coefficient divided by 2^bits and rounded up."""
        return IntegerPolynomial(-(-self._poly // (1 << bits))) if bits and len(self) else self

    def part(self, start: int, stop: int) -> IntegerPolynomial:
        """The coefficients start <= n < stop, moved down by start."""
        start, stop = max(start, 0), min(stop, len(self))
        if start >= stop:
            return IntegerPolynomial([])
        poly = self._poly if stop == len(self) else self._poly.truncate(stop)
        return IntegerPolynomial(poly.right_shift(start) if start else poly)

    def coefficients(self) -> list[int]:
        """All of them, lowest first."""
        spend(len(self) >> 4)
        return [int(c) for c in self._poly.coeffs()]

    def __getitem__(self, index: int) -> int:
        """One coefficient; 0 beyond the last."""
        return int(self._poly[index]) if index >= 0 else 0

    def sum(self) -> int:
        """The sum of the coefficients."""
        spend(len(self) >> 6)
        return int(self._poly(1))

    def value_between(self, low: Fraction, high: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        """Bounds on the value at every x in [low, high], for coefficients >= 0 and 0 <= low.

        The value increases in x, so the two ends suffice; each is a ball of about ``bits`` bits.
        """
        spend(len(self) * (bits + 512) >> 13)
        before = flint.ctx.prec
        flint.ctx.prec = bits + _SLACK_BITS + len(self).bit_length()
        try:
            poly = flint.arb_poly(self._poly)
            ends = [poly(flint.arb(flint.fmpq(x.numerator, x.denominator))) for x in (low, high)]
            return max(Fraction(0), _exact(ends[0].lower())), _exact(ends[1].upper())
        finally:
            flint.ctx.prec = before


def _exact(value: flint.arb) -> Fraction:
    mantissa, exponent = (int(part) for part in value.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent
