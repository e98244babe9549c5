"""The rows of a plain sheet, read into columns: a million of them in a second and in tens of megabytes."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from math import lcm
from typing import TypeAlias

from privref.exact.columns import Column, packed
from privref.exact.errors import InputError
from privref.exact.numbers import Binary64, rational
from privref.statements.params import NON_NEGATIVE, PROBABILITY, Domain

from . import sheets
from .model import EventColumns

#: Fewer events are kept as they are: columns are for what is long.
LEAST = 10_000
#: A common denominator is kept up to so many bits.
_MOST_BITS = 256
_MOST_PLACES = 77
#: A cell that is longer is read in full.
_SHORT = 60


class NoCommonDenominatorError(Exception):
    """The numbers of a column have no common denominator of a size that is worth keeping."""


#: Eight bytes for each number, or a list from the first on that needs more.
_Growing: TypeAlias = "array[int] | list[int]"


def _grown(values: list[int]) -> _Growing:
    try:
        return array("q", values)
    except OverflowError:
        return values


class _Numbers:
    """The numbers of one column of text, as integers over a common denominator that grows when it has to."""

    def __init__(self, name: str, domain: Domain) -> None:
        self._name, self._domain = name, domain
        self._places = 0
        self.denominator = 1
        self.numerators: _Growing = array("q")
        self._powers = [1]
        self._text, self._last = "", 0

    def add(self, text: str, line: int) -> None:
        """Append what a cell says, exactly; InputError where that is not a number of the domain."""
        if text != self._text:
            self._last = self._value(text, line)
            self._text = text
        try:
            self.numerators.append(self._last)
        except OverflowError:
            self.numerators = [*self.numerators, self._last]

    def _value(self, text: str, line: int) -> int:
        mantissa, power, exponent = text.partition("e-")
        whole, _, part = mantissa.partition(".")
        digits = whole + part
        short = self._places - len(part)
        if power:
            short = short - int(exponent) if len(exponent) < 4 and exponent.isdigit() and exponent.isascii() else -1
        if short >= 0 and digits.isdigit() and digits.isascii() and len(digits) < _SHORT:
            value = int(digits) * self._powers[short]
            if self._domain is PROBABILITY and value > self.denominator:
                raise InputError(f"ledger line {line}.{self._name}", text, f"give {self._domain.description}")
            return value
        return self._read(text, line)

    def _read(self, text: str, line: int) -> int:
        place = f"ledger line {line}.{self._name}"
        value = rational(text.strip(), place)
        if not self._domain.contains(value):
            raise InputError(place, text, f"give {self._domain.description}")
        if isinstance(value, Binary64):
            # It is shown as the hexadecimal float that it was.
            raise NoCommonDenominatorError
        if self.denominator % value.denominator:
            self._widen(value.denominator)
        return value.numerator * (self.denominator // value.denominator)

    def _widen(self, other: int) -> None:
        """A denominator that the other divides too: a power of ten where it can be."""
        wanted = lcm(self.denominator, other)
        if wanted.bit_length() > _MOST_BITS:
            raise NoCommonDenominatorError
        ten = next((k for k in range(_MOST_PLACES + 1) if not 10**k % wanted), None) if self._places >= 0 else None
        wider = wanted if ten is None else 10**ten
        factor = wider // self.denominator
        self.numerators = _grown([value * factor for value in self.numerators])
        self.denominator = wider
        self._places = -1 if ten is None else ten
        self._powers = [10**i for i in range(self._places + 1)]


def columns_from_csv(data: bytes, header: tuple[str, ...], progress: Callable[[int], None]) -> EventColumns:
    """The rows under a plain header; runs of equal rows are one event. InputError for the first that is wrong.

    NoCommonDenominatorError where the numbers are better kept one by one.
    """
    rows = csv.reader(TextIOWrapper(BytesIO(data), encoding="utf-8", newline="\n"), strict=True)
    next(rows)
    counted = header[-1] == "count"
    sizes = _Numbers(header[0], NON_NEGATIVE)
    deltas = _Numbers("delta", PROBABILITY) if header[0] == "epsilon" else None
    counts: _Growing = array("q")
    several = False
    previous: list[str] = []
    width = len(header)
    try:
        for row in rows:
            if len(row) != width:
                if not row:
                    continue
                line = rows.line_num
                raise InputError(f"ledger line {line}", ",".join(row), f"give {width} values, as in the header")
            times = 1
            if counted:
                times = sheets.cell_count(row.pop(), f"ledger line {rows.line_num}.count")
            if row == previous:
                try:
                    counts[-1] += times
                except OverflowError:
                    counts = [*counts[:-1], counts[-1] + times]
                several = True
                continue
            sizes.add(row[0], rows.line_num)
            if deltas is not None:
                deltas.add(row[1], rows.line_num)
            try:
                counts.append(times)
            except OverflowError:
                counts = [*counts, times]
            several = several or times > 1
            previous = row
            if not len(counts) & 0xFFFF:
                progress(rows.line_num)
    except csv.Error as error:
        raise InputError(f"ledger line {rows.line_num}", str(error), "mend the CSV") from None
    if not counts:
        raise InputError("ledger", "(empty)", "give at least one event")
    kept = packed(counts) if several else None
    first = Column(packed(sizes.numerators), sizes.denominator, kept)
    second = None if deltas is None else Column(packed(deltas.numerators), deltas.denominator, kept)
    return EventColumns("zcdp" if header[0] == "rho" else "approx-dp", first, second, kept)
