"""Slow, literal definitions of OptDel that the tests compare with."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

import mpmath

Word = tuple[int, ...]


def family_values(symbols: int, points: tuple[int, ...], gain: Callable[[Word, int], int]) -> list[int]:
    """The value of every prefix-disjoint family of words with lengths in ``points``, one number per family."""

    def below(word: Word) -> list[int]:
        claimed = [gain(word, points.index(len(word)))] if len(word) in points else []
        if len(word) == points[-1]:
            return [0, *claimed]
        values = [0]
        for symbol in range(symbols):
            part = below((*word, symbol))
            values = [value + more for value in values for more in part]
        return values + claimed

    return below(())


def brute_force(x: Sequence[Fraction], d: Sequence[Fraction], k: tuple[int, ...], y: Sequence[Fraction]) -> Fraction:
    """Equation (3) as it stands: the best of all prefix-disjoint families (without the symbols of probability 0)."""
    laws = []
    for growth, delta in zip(x, d, strict=True):
        a, b = (1 - delta) * growth / (1 + growth), (1 - delta) / (1 + growth)
        two = [(a, b), (b, a)]
        laws.append([(delta, Fraction(0)), *two, (Fraction(0), delta)] if any(d) else two)
    gains = {}
    for cell, length in enumerate(k):
        for word in itertools.product(range(len(laws[0])), repeat=length):
            p0 = p1 = Fraction(1)
            for law, symbol in zip(laws, word, strict=False):
                p0, p1 = p0 * law[symbol][0], p1 * law[symbol][1]
            gains[word, cell] = p0 - y[cell] * p1
    common = lcm(*(value.denominator for value in gains.values()))
    scaled = {key: int(value * common) for key, value in gains.items()}
    return Fraction(max(family_values(len(laws[0]), k, lambda word, cell: scaled[word, cell])), common)


def patterns(last: int) -> Iterator[tuple[int, ...]]:
    """Every set of stopping points with k_n <= last."""
    for size in range(1, last + 1):
        yield from itertools.combinations(range(1, last + 1), size)


def gain_recursion(eps: Sequence[Any], d: Sequence[Any], k: Sequence[int], e: Sequence[Any], digits: int = 50) -> Any:
    """The recursion on gains, over all words of the symbols 1 and 2 of unequal rounds, in mpmath: 2^k leaves."""
    with mpmath.workdps(digits):
        claims = {rounds: mpmath.exp(_mp(cost)) for rounds, cost in zip(k, e, strict=True)}

        @cache
        def value(r: int, ups: tuple[int, ...]) -> Any:
            # ``ups`` are the rounds with symbol 1; with equal losses merged by their set of rounds, nothing is shared.
            p0 = p1 = mpmath.mpf(1)
            for n in range(r):
                growth, stay = mpmath.exp(_mp(eps[n])), 1 - _mp(d[n])
                likely, unlikely = stay * growth / (1 + growth), stay / (1 + growth)
                p0 *= likely if n in ups else unlikely
                p1 *= unlikely if n in ups else likely
            stop = p0 - claims[r] * p1 if r in claims else None
            if r == k[-1]:
                return max(stop, mpmath.mpf(0))
            on = value(r + 1, ups) + value(r + 1, (*ups, r)) + _mp(d[r]) * p0
            return on if stop is None else max(stop, on)

        return value(0, ())


def equal_gain_recursion(eps: Any, d: Any, k: Sequence[int], e: Sequence[Any], digits: int = 60) -> Any:
    """The recursion on gains of equal rounds by (round, number of symbols 1), in mpmath."""
    with mpmath.workdps(digits):
        growth, d = mpmath.exp(_mp(eps)), _mp(d)
        likely, unlikely = (1 - d) * growth / (1 + growth), (1 - d) / (1 + growth)
        claims = {rounds: mpmath.exp(_mp(cost)) for rounds, cost in zip(k, e, strict=True)}
        row: list[Any] = []
        for r in range(k[-1], -1, -1):
            prefixes = [(likely**a * unlikely ** (r - a), unlikely**a * likely ** (r - a)) for a in range(r + 1)]
            if r == k[-1]:
                row = [max(p0 - claims[r] * p1, mpmath.mpf(0)) for p0, p1 in prefixes]
                continue
            row = [row[a] + row[a + 1] + d * p0 for a, (p0, _) in enumerate(prefixes)]
            if r in claims:
                row = [max(v, p0 - claims[r] * p1) for v, (p0, p1) in zip(row, prefixes, strict=True)]
        return row[0]


def _mp(value: Any) -> Any:
    fraction = Fraction(value)
    return mpmath.mpf(fraction.numerator) / fraction.denominator


def contains(enclosure: Any, value: Any, slack: str = "1e-45") -> bool:
    """Whether an enclosure contains an mpmath value, up to that value's own error."""
    with mpmath.workdps(60):
        wide = mpmath.mpf(slack)
        return bool(_mp(enclosure.lower) - wide <= value <= _mp(enclosure.upper) + wide)
