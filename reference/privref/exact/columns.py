"""Many rationals as columns: integers over one common denominator, with how often each occurs.

A million Fractions take hundreds of bytes and some microseconds each. Here a number is an integer, sums of powers are
sums of integers, and nothing is rounded: a column is the multiset that it stands for.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from math import gcd, log2
from operator import mul
from typing import overload

#: Numerators that fit take eight bytes each.
Integers = Sequence[int]
#: Powers are formed for so many numbers at a time.
_BLOCK = 4096
#: Equal values are sought among so many different ones: a dictionary of more takes hundreds of megabytes.
MOST_MERGED = 1 << 20


def packed(values: Integers) -> Integers:
    """The integers in eight bytes each where they fit, else as they are."""
    if isinstance(values, array):
        return values
    try:
        return array("q", values)
    except OverflowError:
        return values


class Column(Sequence[tuple[Fraction, int]]):
    """A multiset of rationals >= 0: pairs of a value and how often it occurs, as any other multiset."""

    __slots__ = ("_moments", "counts", "denominator", "numerators")

    def __init__(self, numerators: Integers, denominator: int, counts: Integers | None = None) -> None:
        self.numerators = numerators
        self.denominator = denominator
        self.counts = counts
        """How often each occurs; None where each occurs once."""
        self._moments: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.numerators)

    @overload
    def __getitem__(self, place: int) -> tuple[Fraction, int]: ...
    @overload
    def __getitem__(self, place: slice) -> Column: ...
    def __getitem__(self, place: int | slice) -> tuple[Fraction, int] | Column:
        if isinstance(place, slice):
            counts = None if self.counts is None else self.counts[place]
            return Column(self.numerators[place], self.denominator, counts)
        times = 1 if self.counts is None else self.counts[place]
        return Fraction(self.numerators[place], self.denominator), times

    def __iter__(self) -> Iterator[tuple[Fraction, int]]:
        if self.counts is None:
            return ((Fraction(n, self.denominator), 1) for n in self.numerators)
        return ((Fraction(n, self.denominator), times) for n, times in zip(self.numerators, self.counts, strict=True))

    @property
    def size(self) -> int:
        """How many there are, counts included."""
        return len(self.numerators) if self.counts is None else sum(self.counts)

    def _blocks(self) -> Iterator[tuple[Integers, Integers | None]]:
        for start in range(0, len(self.numerators), _BLOCK):
            part = slice(start, start + _BLOCK)
            yield self.numerators[part], None if self.counts is None else self.counts[part]

    def moment(self, power: int) -> Fraction:
        """The exact sum of value^power * count; 0 for none."""
        if power not in self._moments:
            self._moments |= self._sums((power,))
        return Fraction(self._moments[power], self.denominator**power)

    def even_moments(self, pairs: int) -> list[Fraction]:
        """The exact sums of value^2, value^4, ... of this many even powers, in one pass."""
        powers = tuple(range(2, 2 * pairs + 1, 2))
        if not all(power in self._moments for power in powers):
            self._moments |= self._sums(powers)
        return [self.moment(power) for power in powers]

    def _sums(self, powers: tuple[int, ...]) -> dict[int, int]:
        totals = dict.fromkeys(powers, 0)
        even = powers[0] % 2 == 0
        for values, counts in self._blocks():
            squares = list(map(mul, values, values)) if even else []
            current: Integers = squares if even else values
            for power in powers:
                if power != powers[0]:
                    current = list(map(mul, current, squares))
                elif power > 2:
                    current = [value**power for value in values]
                totals[power] += sum(current) if counts is None else sum(map(mul, current, counts))
        return totals

    def merged(self) -> Column:
        """The same multiset with equal values once, and in lowest terms; itself where more than 2^20 differ."""
        counter: dict[int, int] = {}
        for values, counts in self._blocks():
            for value, times in zip(values, repeat(1) if counts is None else counts):  # noqa: B905 - repeat has no end
                counter[value] = counter.get(value, 0) + times
            if len(counter) > MOST_MERGED:
                return self
        if len(counter) == len(self.numerators):
            return self
        common = gcd(self.denominator, *counter)
        return Column(
            packed([value // common for value in counter]), self.denominator // common, packed(list(counter.values()))
        )

    def half_squares(self) -> Column:
        """Half the square of each value, as often."""
        return Column([value * value for value in self.numerators], 2 * self.denominator**2, self.counts)

    def split(self, bound: Fraction) -> tuple[Column, Column]:
        """The values up to the bound, and the others."""
        most = bound.numerator * self.denominator // bound.denominator
        if not self.numerators or max(self.numerators) <= most:
            return self, Column((), self.denominator)
        chosen: tuple[list[int], list[int]] = [], []
        for place, value in enumerate(self.numerators):
            chosen[value > most].append(place)
        small, large = (
            Column(
                packed([self.numerators[i] for i in places]),
                self.denominator,
                None if self.counts is None else packed([self.counts[i] for i in places]),
            )
            for places in chosen
        )
        return small, large


#: The series converges fast up to here; beyond it a value is summed by itself.
SERIES_UP_TO = Fraction(1, 2)
#: Its terms shrink by (2 pi)^2 each at 1/2, so that these give 300 bits and more.
MOST_TERMS = 64


def x_tanh_half_coefficients(terms: int) -> list[Fraction]:
    """The coefficients t_1, t_2, ... of x tanh(x/2) = t_1 x^2 + t_2 x^4 + ..., exactly.

    tanh(x/2) = y solves 2 y' = 1 - y^2: with y = sum a_j x^(2j-1), 2 (2j-1) a_j = -(sum of a_i a_(j-i)), 2 a_1 = 1.
    """
    found = [Fraction(1, 2)]
    for j in range(2, terms + 1):
        products = sum((found[i - 1] * found[j - i - 1] for i in range(1, j)), Fraction(0))
        found.append(-products / (2 * (2 * j - 1)))
    return found


def _terms(values: Column, precision: int) -> int:
    """About how many terms it takes: each is less than the one before by the square of the largest value over pi."""
    largest = max(values.numerators, default=0) / values.denominator
    if not largest:
        return 1
    shrinks = 2 * log2(3.14 / min(largest, 3.0))
    return min(MOST_TERMS, 2 + int(precision / shrinks))


def x_tanh_half_between(values: Column, precision: int) -> tuple[Fraction, Fraction] | None:
    """Exact bounds on the sum of count * x tanh(x/2), about 2^-precision of it apart, for values up to 1/2.

    x tanh(x/2) = 4 sum over odd k of q/(1+q) with q = (x/(k pi))^2, and the sum of the first J terms of the geometric
    series of q/(1+q) differs from it by q^(J+1)/(1+q), with the sign of the next term and less than it. So two
    successive partial sums of the Taylor series enclose the value, for every x >= 0; sums over x keep the sign. None
    where this many terms are not enough.
    """
    total = values.moment(2) / 2
    terms = _terms(values, precision)
    while terms <= MOST_TERMS:
        coefficients = x_tanh_half_coefficients(terms)
        parts = [t * moment for t, moment in zip(coefficients, values.even_moments(terms), strict=True)]
        if abs(parts[-1]) * 2**precision <= total:
            before = sum(parts[:-1], Fraction(0))
            after = before + parts[-1]
            return (before, after) if before <= after else (after, before)
        terms *= 2
    return None
