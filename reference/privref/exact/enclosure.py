"""The answer of a rigorous computation: two exact endpoints between which the true value provably lies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .errors import WRITABLE_BITS, InputError
from .numbers import ExactInput, rational
from .rounding import to_binary64, to_decimal
from .tables import html_facts
from .work import spend, writing

#: Significant digits of the ends that are shown.
_SHOWN = 12


def ends_in_units(lower: tuple[int, int], upper: tuple[int, int], bits: int) -> tuple[int, int] | None:
    """Ends m 2^e, given as (m, e), in units of 2^-bits, rounded outward; None beyond what is worth writing down.

    Counts as much work as the ends as fractions.
    """
    (low, left), (high, right) = lower, upper
    length = high.bit_length()
    if (low and abs(left + low.bit_length()) > WRITABLE_BITS) or (high and abs(right + length) > WRITABLE_BITS):
        return None
    spend(writing((-left if left < 0 else 0) + 1 + length + (right if right > 0 else 0)))
    left, right = left + bits, right + bits
    return (low << left if left >= 0 else low >> -left, high << right if right >= 0 else -(-high >> -right))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Enclosure:
    """A closed interval with exact rational endpoints that contains the value; it has no order and no truth value."""

    lower: Fraction
    upper: Fraction

    def __init__(self, lower: ExactInput, upper: ExactInput) -> None:
        low, high = rational(lower, "lower"), rational(upper, "upper")
        if low > high:
            raise InputError("upper", str(high), f"it is below the lower end, {low}")
        object.__setattr__(self, "lower", low)
        object.__setattr__(self, "upper", high)

    def __bool__(self) -> bool:
        raise TypeError("an enclosure has no truth value")

    def __repr__(self) -> str:
        lower, upper = self.decimals(_SHOWN)
        return f"<Enclosure [{lower}, {upper}]>"

    def _repr_html_(self) -> str:
        return html_facts("Enclosure", zip(("at least", "at most"), self.decimals(_SHOWN), strict=True))

    def __float__(self) -> float:
        raise TypeError(
            "an enclosure is not one number: float_down is the largest double at most its lower end, float_up the "
            "least double at least its upper end"
        )

    @property
    def float_down(self) -> float:
        """The largest double that is at most the lower end."""
        return to_binary64(self.lower, "down")

    @property
    def float_up(self) -> float:
        """The least double that is at least the upper end."""
        return to_binary64(self.upper, "up")

    @property
    def width(self) -> Fraction:
        return self.upper - self.lower

    def relative_width_at_most(self, bound: Fraction) -> bool:
        """Whether the width is at most ``bound`` times the least magnitude in the interval."""
        if self.lower == self.upper:
            return True
        ends = (self.lower, self.upper) if self.lower > 0 else (-self.upper, -self.lower)
        (n, d), (m, e), (p, q) = (end.as_integer_ratio() for end in (*ends, bound))
        # Whether the larger is at most (1 + bound) times the smaller, in integers: online machines ask at every step.
        return n > 0 and m * d * q <= n * e * (p + q)

    def contains(self, value: Fraction) -> bool:
        return self.lower <= value <= self.upper

    def intersection(self, other: Enclosure) -> Enclosure | None:
        """What both enclose; None where they are disjoint, so that one of them must be wrong."""
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        return Enclosure(lower, upper) if lower <= upper else None

    def in_units(self, bits: int) -> tuple[int, int]:
        """Both ends in units of 2^-bits, rounded outward."""
        lower, upper = self.lower, self.upper
        return (lower.numerator << bits) // lower.denominator, -((-upper.numerator << bits) // upper.denominator)

    def decimals(self, digits: int) -> tuple[str, str]:
        """Both ends as decimals of ``digits`` significant digits, rounded outward."""
        return to_decimal(self.lower, digits, "down"), to_decimal(self.upper, digits, "up")

    def binary64(self) -> tuple[str, str]:
        """Both ends as hexadecimal doubles, rounded outward."""
        return to_binary64(self.lower, "down").hex(), to_binary64(self.upper, "up").hex()
