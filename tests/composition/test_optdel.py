"""OptDel (hartmann2022/thm15): the recursion against the theorem's own maximum over all prefix-disjoint families."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.composition.optdel import exact_equal_delta, exact_unequal_delta

Word = tuple[int, ...]


@cache
def families(symbols: int, points: tuple[int, ...]) -> tuple[tuple[tuple[Word, int], ...], ...]:
    """Every prefix-disjoint choice of words of lengths in ``points``, each word with the cell it is claimed in."""
    leaves = points[-1]

    def below(word: Word) -> list[tuple[tuple[Word, int], ...]]:
        claimed = [((word, points.index(len(word))),)] if len(word) in points else []
        if len(word) == leaves:
            return [(), *claimed]
        parts = [below((*word, symbol)) for symbol in range(symbols)]
        return [sum(choice, ()) for choice in itertools.product(*parts)] + claimed

    return tuple(below(()))


def brute_force(x: Sequence[Fraction], d: Sequence[Fraction], k: tuple[int, ...], y: Sequence[Fraction]) -> Fraction:
    """Equation (3) as it stands: the best family of all."""
    pure = not any(d)
    laws = []
    for growth, delta in zip(x, d, strict=True):
        a, b = (1 - delta) * growth / (1 + growth), (1 - delta) / (1 + growth)
        laws.append([(a, b), (b, a)] if pure else [(delta, Fraction(0)), (a, b), (b, a), (Fraction(0), delta)])

    def gain(word: Word, cell: int) -> Fraction:
        p0 = p1 = Fraction(1)
        for law, symbol in zip(laws, word, strict=False):
            p0, p1 = p0 * law[symbol][0], p1 * law[symbol][1]
        return p0 - y[cell] * p1

    words = {
        (word, cell): gain(word, cell)
        for cell, length in enumerate(k)
        for word in itertools.product(range(len(laws[0])), repeat=length)
    }
    # Integers over a common denominator make 83,521 sums cheap.
    common = 1
    for value in words.values():
        common = common * value.denominator // math.gcd(common, value.denominator)
    scaled = {key: int(value * common) for key, value in words.items()}
    return Fraction(max(sum(scaled[pick] for pick in family) for family in families(len(laws[0]), k)), common)


def patterns(last: int) -> Iterator[tuple[int, ...]]:
    """Every set of stopping points with k_n <= last."""
    for size in range(1, last + 1):
        yield from itertools.combinations(range(1, last + 1), size)


def _parameters(rng: random.Random, rounds: int, cells: int, pure: bool) -> tuple[list[Fraction], ...]:
    x = [1 + Fraction(rng.randint(0, 12), rng.randint(4, 8)) for _ in range(rounds)]
    d = [Fraction(0) if pure else Fraction(rng.randint(0, 6), 20) for _ in range(rounds)]
    y = [1 + Fraction(rng.randint(0, 16), rng.randint(4, 8)) for _ in range(cells)]
    return x, d, y


def test_there_are_83521_families_of_two_rounds() -> None:
    assert len(families(4, (1, 2))) == 17**4 == 83_521


@pytest.mark.parametrize("k", list(patterns(2)), ids=str)
def test_recursion_is_the_maximum_over_all_families_of_four_symbols(k: tuple[int, ...]) -> None:
    rng = random.Random(15)
    for _ in range(20):
        x, d, y = _parameters(rng, k[-1], len(k), pure=False)
        d[0] = max(d[0], Fraction(1, 50))
        assert exact_unequal_delta(x, d, k, y) == brute_force(x, d, k, y)
        equal = [x[0]] * k[-1], [d[0]] * k[-1]
        assert exact_equal_delta(x[0], d[0], k, y)[0] == brute_force(*equal, k, y)


def test_recursion_is_the_maximum_over_all_families_of_pure_rounds() -> None:
    rng = random.Random(16)
    every = list(patterns(3))
    for trial in range(200):
        k = every[trial % len(every)]
        x, d, y = _parameters(rng, k[-1], len(k), pure=True)
        assert exact_unequal_delta(x, d, k, y) == brute_force(x, d, k, y)
        equal = [x[0]] * k[-1]
        assert exact_equal_delta(x[0], Fraction(0), k, y)[0] == brute_force(equal, d, k, y)
