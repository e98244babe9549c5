"""Directed export of exact rationals: to a decimal of given length and to binary64."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from .numbers import spell, written

Direction = Literal["down", "up"]

_MANTISSA_BITS = 53
_LEAST_EXPONENT = -1074
_LARGEST = Fraction(2**1024 - 2**971)


def _to_integer(value: Fraction, direction: Direction) -> int:
    floor = value.numerator // value.denominator
    return floor if direction == "down" or floor == value else floor + 1


def _shifted(value: Fraction, exponent: int) -> tuple[int, int]:
    """``value * 10^exponent`` as numerator and denominator, not reduced: a long number's gcd takes the time."""
    if exponent >= 0:
        return value.numerator * 10**exponent, value.denominator
    return value.numerator, value.denominator * 10**-exponent


def _reaches(magnitude: Fraction, exponent: int) -> bool:
    numerator, denominator = _shifted(magnitude, -exponent)
    return numerator >= denominator


def _decimal_exponent(magnitude: Fraction) -> int:
    """The e with 10^e <= magnitude < 10^(e+1); the bit lengths place it, an exact comparison settles it."""
    bits = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent = int(bits * 0.30103) - 1
    while _reaches(magnitude, exponent + 1):
        exponent += 1
    while not _reaches(magnitude, exponent):
        exponent -= 1
    return exponent


def to_decimal(value: Fraction, digits: int, direction: Direction) -> str:
    """``value`` rounded to ``digits`` significant decimals, toward -inf ("down") or +inf ("up")."""
    if value == 0:
        return "0"
    exponent = _decimal_exponent(abs(value))
    numerator, denominator = _shifted(value, digits - 1 - exponent)
    scaled = numerator // denominator if direction == "down" else -(-numerator // denominator)
    if abs(scaled) == 10**digits:
        scaled, exponent = scaled // 10, exponent + 1
    text = spell(abs(scaled))
    point = f"{text[0]}.{text[1:]}" if digits > 1 else text
    return f"{'-' if scaled < 0 else ''}{point}e{exponent}"


def about(value: Fraction) -> str:
    """A number in a sentence: exactly where that is short, else roughly, and said to be."""
    text = written(value)
    return text if len(text) <= 24 else approximately(value)


def approximately(value: Fraction) -> str:
    """Six digits of a number in a sentence."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    # A float holds no number beyond 2^1024.
    return f"about {float(value):.6g}" if abs(bits) < 1000 else f"about {to_decimal(value, 6, 'down')}"


def plain(scientific: str) -> str:
    """A decimal as people write it: without an exponent where that stays short. Only the point is moved."""
    mantissa, _, exponent = scientific.partition("e")
    shift = int(exponent or 0)
    sign, digits = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    digits = digits.replace(".", "")
    if not 0 <= shift < len(digits):
        return scientific if shift < -4 or shift > 0 else f"{sign}0.{'0' * (-shift - 1)}{digits}"
    whole, part = digits[: shift + 1], digits[shift + 1 :]
    return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"


def plain_decimal(value: Fraction, digits: int, direction: Direction) -> str:
    """A directed decimal, without an exponent where that stays short and without zeros that say nothing."""
    text = plain(to_decimal(value, digits, direction))
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def to_binary64(value: Fraction, direction: Direction) -> float:
    """The binary64 neighbour of ``value`` in the given direction; beyond the largest double it is that or ±inf."""
    if value == 0:
        return 0.0
    if abs(value) > _LARGEST:
        away = (value > 0) == (direction == "up")
        magnitude = float("inf") if away else float(_LARGEST)
        return magnitude if value > 0 else -magnitude
    binade = value.numerator.bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** binade:
        binade -= 1
    ulp = max(binade - _MANTISSA_BITS + 1, _LEAST_EXPONENT)
    # At most 53 bits times a power of two in range: float() is exact on it.
    return float(_to_integer(value / Fraction(2) ** ulp, direction) * Fraction(2) ** ulp)
