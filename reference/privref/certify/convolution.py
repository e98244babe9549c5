"""The convolution of discrete Gaussian noise, as Lean's kernel computes it (``PrivRef.Thm.Convolution``).

What is proposed here was computed step for step as the kernel does, in whole numbers: Lean accepts each term that is
returned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from privref.certify.lean import Precision, exp_numerator

#: The steps of the grid that are tried, and the most bits of a law and values of noise that the kernel computes with.
STEPS = (Fraction(1, 5), Fraction(1, 10), Fraction(1, 20), Fraction(1, 50))
MOST_BITS = 1_600_000
MOST_VALUES = 20_000
#: The largest loss of a noise, beyond which the kernel's exponentials have no digit left.
MOST_LOSS = 80
_AT = Precision(40, 128)
_ONE = 1 << _AT.bits


class _Kind(NamedTuple):
    """One kind of noise: the numbers of the values in the groups, what may have an infinite loss, and the losses."""

    groups: list[int]
    infinite: int
    packed: int
    total: int


def _up(q: Fraction) -> int:
    """Return the upper bound of 2^p exp(q), as `upNum` in Lean."""
    return (1 << 2 * _AT.bits) // exp_numerator(-q, _AT) + 1


def _split(near: int, far: int, first: int, second: int) -> tuple[int, int]:
    """Return the masses at two places of the grid, as `splitMass` in Lean."""
    b = (max(first * near - second * _ONE, 0) + (near - far) - 1) // (near - far)
    return max(first - b, 0), b


def _groups(rate: Fraction, values: int, step: Fraction) -> list[int]:
    """Return how many of the values from 0 on have their loss between two places of the grid, for all such pairs."""
    found, y = list[int](), 0
    while y < values:
        end = math.floor(((len(found) + 1) * step / rate - 1) / 2) + 1
        found.append(min(max(end, y), values) - y)
        y += found[-1]
    return found


def _kind(variance: Fraction, groups: list[int], step: Fraction, bits: int, width: int) -> _Kind:
    """Return the losses of one kind of noise at a distance of 1, as `noiseLosses` in Lean."""
    rate, zero = 1 / (2 * variance), len(groups)
    masses, total = list[tuple[int, int]](), 0
    low, high, ratio_low, ratio_high = _ONE, _ONE, exp_numerator(-rate, _AT), _up(-rate)
    fall_low, fall_high = exp_numerator(-2 * rate, _AT), _up(-2 * rate)
    for i, count in enumerate(groups):
        here_low = here_high = next_low = next_high = 0
        for _ in range(count):
            here_low, here_high = here_low + low, here_high + high
            low, high = low * ratio_low >> _AT.bits, (high * ratio_high >> _AT.bits) + 1
            ratio_low, ratio_high = ratio_low * fall_low >> _AT.bits, (ratio_high * fall_high >> _AT.bits) + 1
            next_low, next_high = next_low + low, next_high + high
        total += here_low + next_low
        near, far = i * step, (i + 1) * step
        a, b = _split(_up(-near), _up(-far), here_high, next_low)
        c, d = _split(_up(far), _up(near), next_high, here_low)
        masses += [(zero + i, a), (zero + i + 1, b), (zero - i - 1, c), (zero - i, d)]
    losses = [(place, (mass << bits) // total + 1) for place, mass in masses]
    fall = Fraction(_up(-2 * rate * sum(groups)), _ONE)
    infinite = math.ceil(Fraction(high << (bits + 1)) / (total * (1 - fall)))
    return _Kind(
        groups, infinite, sum(mass << width * place for place, mass in losses), sum(mass for _, mass in losses)
    )


def _delta(
    kinds: dict[Fraction, _Kind], noises: Sequence[Fraction], epsilon: Fraction, step: Fraction, bits: int, width: int
) -> tuple[Fraction, int]:
    """Return the bound of delta that the kernel computes, and the first place with a loss above epsilon."""
    ceiling, zero, places, infinite, total, number = (1 << bits) - 1, 0, 1, 0, 1 << bits, 1 << bits
    for variance in noises:
        kind = kinds[variance]
        infinite += (total * kind.infinite >> bits) + 1
        zero, places = zero + len(kind.groups), places + 2 * len(kind.groups)
        total = (total * kind.total + places * ceiling) >> bits
        units = ((1 << width * places) - 1) // ((1 << width) - 1)
        mask = ((1 << width) - (1 << bits)) * units
        number = (number * kind.packed + ceiling * units & mask) >> bits
    first = zero + math.floor(epsilon / step) + 1
    weight, fall, lost = exp_numerator(epsilon - (first - zero) * step, _AT), exp_numerator(-step, _AT), 0
    digits = number >> width * first
    for _ in range(first, places):
        lost += (digits & ((1 << width) - 1)) * max(_ONE - weight, 0)
        weight, digits = weight * fall >> _AT.bits, digits >> width
    return Fraction(lost + infinite * _ONE, _ONE << bits), first


def convolution_term(noises: Sequence[Fraction], epsilon: Fraction, delta: Fraction) -> str | None:
    """Return the arguments that Lean's check of (epsilon, delta) takes, for noises of a distance of 1 by sigma squared.

    None where the check does not reach the claim, or would take the kernel too long.
    """
    bits = 8 * math.ceil((30 + math.log2(1 / delta)) / 8)
    width = 2 * bits + 8
    reach = 2 * math.log(1000 * len(noises) / delta)
    values = {variance: math.ceil(math.sqrt(reach * variance)) + 1 for variance in noises}
    if sum(values.values()) > MOST_VALUES:
        return None
    for step in STEPS:
        # So many groups there are about; the exact number is known before the sums are.
        if sum(values[variance] / variance / step for variance in noises) > 2 * MOST_BITS / width:
            return None
        groups = {variance: _groups(1 / (2 * variance), count, step) for variance, count in values.items()}
        if 2 * sum(len(groups[variance]) for variance in noises) > MOST_BITS / width:
            return None
        if max(map(len, groups.values())) * step > MOST_LOSS:
            return None
        kinds = {variance: _kind(variance, group, step, bits, width) for variance, group in groups.items()}
        # Lean begins with the last round.
        found, first = _delta(kinds, noises[::-1], epsilon, step, bits, width)
        if found <= delta:
            rows = ",\n     ".join(
                f"(mkRat {variance.numerator} {variance.denominator}, {kind.groups}, {kind.infinite})"
                for variance, kind in kinds.items()
            )
            return (
                f"{_AT.squarings} {_AT.bits} {bits} {width} (mkRat {step.numerator} {step.denominator})\n"
                f"    [{rows}]\n    {first}"
            )
    return None
