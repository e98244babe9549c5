"""What the checker's modules share: how a check fails, how it is decided, and small exact helpers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from privref.exact import decide
from privref.exact.errors import InputError, PrivrefError

DIGITS = 20

ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")


class Mismatch(PrivrefError):
    """The certificate says something that the re-check does not find."""


def in_domain(value: Fraction, name: str, place: str = "ledger") -> Fraction:
    """A raw parameter within its domain; InputError otherwise, as the audit's reader refuses it too."""
    if value < 0 or (name == "delta" and value > 1):
        remedy = "give a number in [0, 1]" if name == "delta" else "give a number >= 0"
        raise InputError(f"{place}: {name}", str(value), remedy)
    return value


def total(pairs: list[tuple[Fraction, int]]) -> Fraction:
    return sum((value * count for value, count in pairs), Fraction(0))


def counted_values(pairs: list[tuple[Fraction, int]]) -> dict[Fraction, int]:
    counter: Counter[Fraction] = Counter()
    for value, count in pairs:
        counter[value] += count
    return dict(counter)
