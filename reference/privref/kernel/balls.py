"""Real numbers with their errors: the few things that the kernel asks of Arb (python-flint), and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import ceil, floor
from typing import Any

import flint

from privref.kernel.numbers import Refused

#: Highest working precision, in bits: what is not decided at the one that a certificate states is refused.
MOST_PRECISION = 20_000
MOST_EXPONENT = 50_000  # Largest and smallest power of 2 that is written out.
MOST_STEPS = 200  # Steps of the search for a root, the last ones of which double the digits.
WORK_OF_A_TAIL = 10**7  # What the tail of a binomial law costs, in the units of the grids.

Ball = Any


@contextmanager
def working(bits: int) -> Iterator[None]:
    """Compute with this many bits inside the block. A ball contains the true value at any precision."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def rational(value: Fraction | int, times: int = 1) -> Ball:
    """Return a ball around an exact number, or a multiple of it."""
    if isinstance(value, int):
        return flint.arb(times * value)
    return flint.arb(flint.fmpq(times * value.numerator, value.denominator))


def end(value: Ball, *, up: bool) -> Fraction:
    """Return an end of a ball as an exact number; Refused for one beyond 2^50000, or none at all.

    A number that is nearer to 0 than 2^-50000 is rounded outward: to 0, or to plus or minus 2^-50000.
    """
    if not value.is_finite():
        raise Refused("a number is not finite at this precision")
    mantissa, exponent = map(int, (value.upper() if up else value.lower()).mid().man_exp())
    if mantissa.bit_length() + exponent > MOST_EXPONENT:
        raise Refused("a number is too large to be written")
    if mantissa and mantissa.bit_length() + exponent < -MOST_EXPONENT:
        if (mantissa > 0) != up:
            return Fraction(0)
        return Fraction(1 if up else -1, 2**MOST_EXPONENT)
    return Fraction(mantissa << max(exponent, 0), 1 << max(-exponent, 0))


def units(mass: Ball, *, up: bool) -> int:
    """Return an end of a mass, rounded outward to a whole number, at least 0."""
    edge = end(mass, up=up)
    return max(ceil(edge) if up else floor(edge), 0)


def at_most(value: Ball, bound: Fraction) -> bool:
    """Return whether the number in the ball is certainly at most the bound."""
    return bool(value.is_finite()) and end(value, up=True) <= bound


def above(value: Ball, bound: Fraction) -> bool:
    """Return whether the number in the ball is certainly larger than the bound."""
    return bool(value.is_finite()) and end(value, up=False) > bound


def summed(parts: Iterable[Ball]) -> Ball:
    """Return the sum of balls; 0 where there is none."""
    return sum(parts, rational(0))


def normal_cdf(value: Ball) -> Ball:
    """Return the standard normal distribution function."""
    return (-value / rational(2).sqrt()).erfc() / 2


def crossing(above: list[tuple[int, Ball]], below: list[tuple[int, Ball]]) -> Ball:
    """Return the u at which sum c e^(n u) of ``above``, all c > 0, is that of ``below`` with c < 0, all n smaller.

    The log of their ratio rises by at least 1 for each 1 of u, so that the root is no farther away than it is large.
    """
    place, low, high = rational(0), -flint.arb("inf"), flint.arb("inf")
    for _ in range(MOST_STEPS):
        up, down = ([(n, c * (n * place).exp()) for n, c in terms] for terms in (above, below))
        more, less = (summed(c for _, c in terms) for terms in (up, down))
        found = (-more / less).log()
        error = found.abs_upper()
        if error < flint.arb(2) ** (-3 * flint.ctx.prec // 4):
            return place + flint.arb(0, error)
        moved = (place - found).mid()
        low, high = (max(low, moved), place) if found > 0 else (place, min(high, moved))
        slope = summed(n * c for n, c in up) / more - summed(n * c for n, c in down) / less
        place = (place - found / slope).mid()
        if not low <= place <= high:
            place = ((low + high) / 2).mid()
    raise Refused("at this precision a root is not found")


def convolved(one: list[int], other: list[int]) -> list[int]:
    """Return the exact convolution of two lists of integers, as the product of two polynomials."""
    first = flint.fmpz_poly(one)
    return list(map(int, (first * (first if other is one else flint.fmpz_poly(other))).coeffs()))


def binomial_tail(tries: int, chance: Ball, least: int) -> Ball:
    """Return the chance of at least ``least`` hits; in (0, 1) it is a regularized incomplete beta function."""
    if not 0 < least <= tries:
        return rational(int(least <= 0))
    return chance.beta_lower(least, tries - least + 1, 1)
