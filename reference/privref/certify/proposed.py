"""The decimal numbers that a Lean file proposes as upper bounds, and how they are written."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

from .lean import Precision

#: Numbers are rounded up to a multiple of this. The precision of the kernel's exponentials has room for it.
_UNIT = Decimal(10) ** -24
AT = Precision(112, 320)
#: The digits of the arithmetic in which they are found.
DIGITS = 80
#: No exponent of a file is above this, so that the kernel's numbers are short.
MOST_EXPONENT = 5000
#: A file lists at most so many groups of rounds.
MOST_GROUPS = 1000


def decimal(value: Fraction) -> Decimal:
    """Return the number to the digits in force."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def above(value: Decimal) -> Fraction:
    """Return a decimal number above the value, farther away than the kernel's enclosures are wide."""
    return Fraction(((value / _UNIT).to_integral_value(ROUND_CEILING) + 1) * _UNIT)


def rat(value: Fraction) -> str:
    """Return a rational number in Lean, as an argument."""
    top = f"({value.numerator})" if value < 0 else f"{value.numerator}"
    return top if value.denominator == 1 else f"(mkRat {top} {value.denominator})"


def rows(entries: list[str]) -> str:
    """Return a list in Lean, one entry a line."""
    return "[" + ",\n    ".join(entries) + "]"
