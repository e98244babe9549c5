"""Exact inputs: integers, Fractions and decimal, rational or hexadecimal-float strings; floats are refused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, Union

from .columns import Column
from .errors import InputError
from .seams import seam
from .work import spend

ExactInput = Union[int, Fraction, str]

#: No exact input or printed exact value has more digits than this.
MAX_DIGITS = 4000
#: Sums of a denominator of more bits take more than the microsecond that any does.
LONG = 512

_RATIONAL = re.compile(r"([+-]?[0-9]+)/([0-9]+)\Z")
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,20}))?\Z")
_HEX_FLOAT = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]+)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]{1,20})\Z")
_ADVICE = "write a number such as 0.1, 1e-6 or 1/10"
_BOTH_MARKS = "a point and a comma are in one number; write it without a separator of thousands, such as 1234.5"


class Binary64(Fraction):
    """An exact rational that came in through ``from_binary64``; it is printed as the hexadecimal float it was."""

    __slots__ = ()

    @property
    def hex(self) -> str:
        """The hexadecimal spelling of the double, which every reader of exact inputs accepts."""
        return float(self).hex()


def from_binary64(value: float) -> Binary64:
    """The exact rational value of a double: the one explicit door for floats.

    The result remembers where it came from: certificates and reports print it as a hexadecimal float.
    Raises InputError for NaN and infinities.
    """
    if isinstance(value, bool) or not isinstance(value, float):
        raise InputError("value", value, "from_binary64 takes a float; other numbers are exact already")
    if not math.isfinite(value):
        raise InputError("value", value, "give a finite double")
    return Binary64(value)


def rational(value: object, field: str = "value", most: int = MAX_DIGITS) -> Fraction:
    """Read one exact number of at most this many digits, or raise InputError naming field, value and remedy."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool):
        raise InputError(field, value, f'{_ADVICE} as a string: "0.1"')
    if isinstance(value, int):
        return _checked_integer(value, field)
    if isinstance(value, float):
        raise InputError(
            field,
            value,
            "floats are not exact; write the decimal you mean as a string, or pass from_binary64(x) "
            "(in a file: its hexadecimal form) for the double itself",
        )
    if isinstance(value, str):
        return _from_text(value, field, most)
    raise InputError(field, value, f'{_ADVICE} as a string: "0.1"')


def _checked_integer(value: int, field: str) -> Fraction:
    if abs(value) >= 10**MAX_DIGITS:
        raise InputError(field, f"an integer of {value.bit_length()} bits", f"at most {MAX_DIGITS} digits are read")
    return Fraction(value)


def _from_text(text: str, field: str, most: int) -> Fraction:
    if len(text) > most + 8:
        raise InputError(field, text, f"at most {most} digits are read")
    if match := _RATIONAL.match(text):
        numerator, denominator = match.groups()
        if not int(denominator):
            raise InputError(field, text, "the denominator is zero")
        return Fraction(int(numerator), int(denominator))
    if (match := _DECIMAL.match(text)) and (match[2] or match[3]):
        sign, whole, part, exponent = match[1], match[2], match[3] or "", int(match[4] or 0)
        scale = exponent - len(part)
        # As an integer or over a power of ten: "1.000e3990" has no more digits than "1e3990".
        if max(len(whole) + len(part) + max(scale, 0), 1 - scale) > most:
            raise InputError(field, text, f"at most {most} digits are read, the exponent's zeros included")
        mantissa = int(sign + whole + part)
        return Fraction(mantissa * 10**scale) if scale >= 0 else Fraction(mantissa, 10**-scale)
    if match := _HEX_FLOAT.match(text):
        return _hexadecimal(match, field)
    if text.rstrip().endswith("%"):
        raise InputError(field, text, "write a percentage as a number: 5 % is 0.05 or 1/20")
    if re.fullmatch("[+-]?[0-9]+,[0-9]+", text):
        point = text.replace(",", ".")
        thousands = f"; if the comma parts thousands, write {text.replace(',', '')}" if text[-4:-3] == "," else ""
        raise InputError(field, text, f"write a decimal point: {point}{thousands}")
    raise InputError(field, text, _BOTH_MARKS if "." in text and "," in text else _ADVICE)


def unit_in_last_place(text: str, field: str = "number") -> Fraction:
    """What one unit of the last written digit is worth: 1/100 for "4.96", 10^-11 for "5.06e-9"; decimals only."""
    found = re.fullmatch(r"[0-9]+(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", text)
    if found is None:
        raise InputError(field, text, "only a decimal has a last digit")
    rational(text, field)
    return Fraction(10) ** (int(found[2] or 0) - len(found[1] or ""))


def at_least_zero(value: object, field: str = "value") -> Fraction:
    """Read one exact number >= 0."""
    number = rational(value, field)
    if number < 0:
        raise InputError(field, value, "give a number >= 0")
    return number


def probability(value: object, field: str = "delta") -> Fraction:
    """Read one exact number in [0, 1]."""
    number = rational(value, field)
    if not 0 <= number <= 1:
        raise InputError(field, value, "give a number in [0, 1]")
    return number


def pair(value: object, field: str = "budget") -> tuple[Fraction, Fraction]:
    """Read a pair (epsilon, delta): two exact numbers, or one text with a comma between them."""
    parts = tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else value
    if not isinstance(parts, (tuple, list)) or len(parts) != 2:
        raise InputError(field, value, "give epsilon and delta, e.g. 1.7,1e-9")
    epsilon, delta = (rational(part, field) for part in parts)
    if epsilon < 0 or not 0 <= delta <= 1:
        raise InputError(field, value, "give an epsilon >= 0 and a delta in [0, 1]")
    return epsilon, delta


def _hexadecimal(match: re.Match[str], field: str) -> Binary64:
    """The double that a hexadecimal float denotes; InputError where what is written is not exactly a finite double."""
    sign, whole, part, exponent = match[1], match[2], match[3] or "", int(match[4])
    mantissa, scale = int(whole + part, 16), exponent - 4 * len(part)
    try:
        # ``fromhex`` rounds: whether it did is seen in integers. A finite double is mantissa * 2^e with |e| <= 1100.
        nearest: Fraction | None = Fraction(float.fromhex(match[0]))
    except (OverflowError, ValueError):
        nearest = None
    if nearest is not None and (not mantissa or abs(scale) <= 5 * MAX_DIGITS):
        written = Fraction(mantissa) * Fraction(2) ** scale if mantissa else Fraction(0)
        if abs(nearest) == written:
            return Binary64(-written if sign == "-" else written)
    raise InputError(
        field,
        match[0],
        "it is not exactly a finite double, and no hexadecimal float is rounded; write the number as a decimal or as "
        "a fraction",
    )


def count(value: object, field: str = "count", *, least: int = 0, most: int | None = None) -> int:
    """Read a whole number from ``least`` to ``most``; JSON integers and digit strings are accepted."""
    number = rational(value, field)
    if number.denominator != 1 or number < least or (most is not None and number > most):
        raise InputError(
            field, value, f"give a whole number of at least {least}" + ("" if most is None else f" and at most {most}")
        )
    return number.numerator


@seam
def weighted_sum(pairs: Iterable[tuple[Fraction, int]], power: Literal[1, 2] = 1) -> Fraction:
    """The exact sum of value^power * count; 0 for none.

    Numerators are added per denominator first: decimals have few denominators, and adding Fractions one by one would
    take a greatest common divisor each. Those that are left take the product of their lengths.
    """
    if isinstance(pairs, Column):
        return pairs.moment(power)
    numerators: dict[int, int] = {}
    for value, times in pairs:
        denominator = value.denominator
        numerators[denominator] = numerators.get(denominator, 0) + value.numerator**power * times
    total = Fraction(0)
    for denominator, numerator in sorted(numerators.items()):
        part = Fraction(numerator, denominator**power)
        count_sum(total, part)
        total += part
    return total


def bits(value: Fraction) -> int:
    """The length of a rational, its numerator's and its denominator's together."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def bits_below(value: Fraction) -> int:
    """About how many binary places stand between the point and the first digit of a positive number below 1; else 0."""
    return max(0, value.denominator.bit_length() - value.numerator.bit_length())


def count_sum(total: object, term: object) -> None:
    """Count the work of adding to a sum of long denominator: its greatest common divisor takes the lengths' product."""
    if isinstance(total, Fraction) and isinstance(term, Fraction):
        count_divisor(total.denominator, term.denominator)


def count_divisor(long: int, other: int) -> None:
    """Count the work of a greatest common divisor of a long number and another."""
    if (length := long.bit_length()) > LONG:
        spend(length * other.bit_length() >> 18)


def float_log(value: Fraction) -> float:
    """About log(value), for searches only: also of rationals that no double holds."""
    return math.log(value.numerator) - math.log(value.denominator)


@seam
def parts(value: Fraction) -> tuple[int, int]:
    """Numerator and denominator, for what is computed in integers."""
    return value.numerator, value.denominator


@seam
def ratio(numerator: int, denominator: int) -> Fraction:
    """What was computed in integers, as a rational."""
    return Fraction(numerator, denominator)


def spell(value: ExactInput) -> str:
    """The exact spelling of a rational, as inputs are read: ``3/5``, ``7``, or the hexadecimal float it came as."""
    if isinstance(value, Binary64):
        return value.hex
    # What was computed may have more digits than an input; a float is refused here as everywhere.
    exact = isinstance(value, (int, Fraction)) and not isinstance(value, bool)
    # Made again a Fraction would be checked again.
    fraction = value if type(value) is Fraction else Fraction(value) if exact else rational(value)
    numerator = _digits(fraction.numerator)
    return numerator if fraction.denominator == 1 else f"{numerator}/{_digits(fraction.denominator)}"


#: Decimal places of a number that is written as a decimal.
_MOST_PLACES = 400


def written(value: Fraction) -> str:
    """An exact rational as people write it: a short decimal, ``1e-7``, ``1e30``, or ``3/7`` if no decimal is exact.

    >>> [written(Fraction(text)) for text in ("1/10", "1/10000000", "17.14", "1200", "3/7", "25e30")]
    ['0.1', '1e-7', '17.14', '1200', '3/7', '2.5e31']
    """
    rest, places = value.denominator, (value.denominator & -value.denominator).bit_length() - 1
    rest, fives = rest >> places, 0
    while rest % 5 == 0 and fives < _MOST_PLACES:
        rest, fives = rest // 5, fives + 1
    places = max(places, fives)
    if rest != 1 or places > _MOST_PLACES or isinstance(value, Binary64):
        return spell(value)
    digits = _digits(abs(value.numerator) * 10**places // value.denominator)
    sign, first, short = "-" * (value < 0), len(digits) - 1 - places, digits.rstrip("0")
    if first < -4 or (first > 15 and len(short) < 10):
        return f"{sign}{short[0]}{'.' * (len(short) > 1)}{short[1:]}e{first}" if len(short) <= 20 else spell(value)
    if not places or len(digits) > 20:
        return spell(value)
    digits = digits.zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def can_be_read(value: Fraction | int) -> bool:
    """Whether the spelling of a computed number is short enough to be read again."""
    fraction = Fraction(value)
    # A digit takes between 3 and 4 bits; the digits of a long number are not cheap.
    if bits(fraction) <= 3 * MAX_DIGITS:
        return True
    if bits(fraction) > 5 * MAX_DIGITS:
        return False
    try:
        return rational(spell(value)) == fraction
    except InputError:
        return False


def _digits(number: int) -> str:
    """Decimal digits of any integer: Python's own conversion stops at 4,300 digits, so long ones are split."""
    if number < 0:
        return "-" + _digits(-number)
    if number.bit_length() <= 10_000:
        return str(number)
    half = int(number.bit_length() * 0.30103) // 2
    high, low = divmod(number, 10**half)
    return _digits(high) + _digits(low).zfill(half)


def exact_root(square: Fraction) -> Fraction | None:
    """Return the square root of a number >= 0 where it is rational; None where it is not."""
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    return root if root * root == square else None
