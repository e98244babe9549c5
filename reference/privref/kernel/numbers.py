"""Read documents and exact numbers: the only door through which a text becomes a number that the kernel decides by."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import rfc8785

#: Longest document, deepest nesting, most digits of a number, and most bits of an exact sum.
MOST_BYTES = 32 * 2**20
MOST_DEPTH = 24
MOST_DIGITS = 4000
MOST_BITS = 400_000

_NUMBER = re.compile(r"([+-]?)(?:([0-9]+)/([0-9]+)|([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,5}))?)\Z")
_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]+)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]{1,5})\Z")
#: A text of a JSON document, also one that does not end, and what begins or ends one of its levels.
_TEXT, _BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL), re.compile(r"[\[\]{}]")
_DECIMAL = re.compile(r"[0-9]+(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?\Z")


class Malformed(Exception):
    """A document that the kernel cannot read: the field, what stands there, and what to write."""

    def __init__(self, field: str, value: object, remedy: str) -> None:
        said = shown(value) if isinstance(value, Fraction) else str(value)
        # A key of the document may stand in the field: it starts no line of its own.
        place = field if field.isprintable() else ascii(field)
        self.field, self.value, self.remedy = place, said[:80], remedy
        super().__init__(f"{place}: {self.value!r}: {remedy}")


class Refused(Exception):
    """The certificate does not show the verdict: the reason in words. It is not a proof that the claim is false."""


def document(text: str, what: str) -> dict[str, Any]:
    """Parse a JSON object in which no key stands twice and no number has a fraction or an exponent.

    Raise Malformed for anything else, and for a text of more than 32 MiB or 24 levels.
    """
    if len(text) > MOST_BYTES:
        raise Malformed(what, f"{len(text)} characters", "documents of at most 32 MiB are read")
    levels = accumulate(1 if sign in "[{" else -1 for sign in _BRACKET.findall(_TEXT.sub("", text)))
    if max(levels, default=0) > MOST_DEPTH:  # Before it is parsed: a parser's stack is no bound.
        raise Malformed(what, f"more than {MOST_DEPTH} levels", "documents do not nest that deep")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            raise Malformed(what, "a repeated key", "each key may stand once in an object")
        return found

    def refuse(value: str) -> Any:
        raise Malformed(what, value, 'write numbers that are not counts as strings, such as "0.1"')

    def whole(value: str) -> int:
        if len(value) > 30:
            raise Malformed(what, value, "a count has at most 30 digits")
        return int(value)

    try:
        found = json.loads(text, object_pairs_hook=pairs, parse_float=refuse, parse_int=whole, parse_constant=refuse)
    except ValueError as error:
        raise Malformed(what, str(error), "give a JSON document") from None
    if not isinstance(found, dict):
        raise Malformed(what, type(found).__name__, "give a JSON object")
    return found


def digest(found: dict[str, Any], what: str) -> str:
    """Return the SHA-256 of a document's canonical JSON (RFC 8785)."""
    try:
        return hashlib.sha256(rfc8785.dumps(found)).hexdigest()
    except (rfc8785.CanonicalizationError, UnicodeError) as error:
        raise Malformed(what, str(error), "the document has no canonical JSON form") from None


def number(value: object, field: str) -> Fraction:
    """Read an exact number: a string with an integer, a decimal, a fraction or a hexadecimal float."""
    if not isinstance(value, str) or len(value) > MOST_DIGITS + 8:
        raise Malformed(field, value, 'give an exact number as a string, such as "0.1" or "1/10"')
    found = _NUMBER.match(value)
    if found is not None and (found[2] or found[4] or found[5]):
        whole, part, exponent = found[4] or "", found[5] or "", int(found[6] or 0)
        if max(len(whole) + len(part) + max(exponent, 0), len(part) - exponent) > MOST_DIGITS:
            raise Malformed(field, value, f"numbers of at most {MOST_DIGITS} digits are read")
        if found[3] and not int(found[3]):
            raise Malformed(field, value, "the denominator is zero")
        return Fraction(value)
    hexadecimal = _HEX.match(value)
    if hexadecimal is not None:
        scale = int(hexadecimal[4]) - 4 * len(hexadecimal[3] or "")
        if max(abs(scale), 4 * len(value)) > 2 * MOST_DIGITS:
            raise Malformed(field, value, "the number is too long, or its exponent too large")
        size = int(hexadecimal[2] + (hexadecimal[3] or ""), 16) * Fraction(2) ** scale
        return -size if hexadecimal[1] == "-" else size
    raise Malformed(field, value, 'give an exact number as a string, such as "0.1" or "1/10"')


def half_unit(text: str) -> Fraction | None:
    """Return half of what a one in the last written place of a decimal is worth; None for what is no decimal."""
    found = _DECIMAL.match(text)
    return None if found is None else Fraction(10) ** (int(found[2] or 0) - len(found[1] or "")) / 2


def around(value: object, field: str) -> tuple[Fraction, Fraction]:
    """Read ``{"rounded": "0.81"}``: the two ends, half a unit of the last digit below and above."""
    if not isinstance(value, dict) or set(value) != {"rounded"} or not isinstance(value["rounded"], str):
        raise Malformed(field, value, 'give a number as a string, or {"rounded": "0.81"}')
    text = value["rounded"]
    centre = number(text, f"{field}.rounded")
    half = half_unit(text)
    if half is None:
        raise Malformed(f"{field}.rounded", text, "give the decimal as it was published")
    return max(centre - half, Fraction(0)), centre + half


def count(value: object, field: str, least: int = 1, most: int = 10**15) -> int:
    """Read a whole number within bounds, as a JSON integer or a string of digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 30 and value == str(int(value)):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Malformed(field, value, f"give a whole number from {least} to {most}")
    return value


def total(parts: Iterable[tuple[Fraction, int]]) -> Fraction:
    """Return the exact sum of numbers with their counts; Refused where it grows beyond 400,000 bits."""
    grouped: dict[int, int] = {}
    for value, times in parts:
        grouped[value.denominator] = grouped.get(value.denominator, 0) + value.numerator * times
    found = Fraction(0)
    for denominator, numerator in sorted(grouped.items()):
        found = grown(found, numerator, Fraction(1, denominator))
    return found


def grown(sum_: Fraction, times: int, value: Fraction) -> Fraction:
    """Return a running sum and ``times`` times a number; Refused where it grows beyond 400,000 bits.

    The sum of two reduced fractions takes the common divisor of their denominators only, of which one is short.
    """
    found = sum_ + times * value
    if found.denominator.bit_length() > MOST_BITS:
        raise Refused("the exact sum of these numbers has more than 400,000 bits")
    return found


def shown(value: Fraction) -> str:
    """Write an exact number for a reader, shortened where it is long."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if bits > 1000:
        return f"(a number of {bits} bits)"
    text = str(value)
    return text if len(text) <= 40 else f"{text[:18]}…{text[-18:]}"
