"""Exact samplers: integers and rationals from random bits, no floating point anywhere.

Every sampler draws from exactly the law that it names, given independent fair bits. The bits come from the operating
system unless a seeded source is given (for tests and for replaying a run; a seeded run is not private).
Algorithms: Canonne, Kamath, Steinke 2020, The discrete Gaussian for differential privacy, Algorithms 1 and 2.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from privref.exact import decide
from privref.exact.errors import InputError
from privref.games.rounds import LawProbability

#: Bits compared at a time where a probability is only enclosed.
_WORD = 64


class Bits(Protocol):
    """A source of independent fair bits."""

    def bits(self, count: int) -> int:
        """An integer of ``count`` fair bits."""
        ...


class OperatingSystemBits:
    """The operating system's randomness: what a private release must use."""

    def bits(self, count: int) -> int:
        return secrets.randbits(count) if count else 0


class SeededBits:
    """A reproducible source, for tests and replays only."""

    def __init__(self, seed: int) -> None:
        self._generator = random.Random(seed)

    def bits(self, count: int) -> int:
        return self._generator.getrandbits(count) if count else 0


def source(seed: int | None = None) -> Bits:
    """The operating system's bits, or a seeded source."""
    return OperatingSystemBits() if seed is None else SeededBits(seed)


def uniform_below(limit: int, bits: Bits) -> int:
    """A uniform integer in [0, limit), by rejection."""
    if limit < 1:
        raise InputError("limit", str(limit), "give a whole number >= 1")
    width = (limit - 1).bit_length()
    while True:
        drawn = bits.bits(width)
        if drawn < limit:
            return drawn


def bernoulli(p: Fraction, bits: Bits) -> bool:
    """True with probability p, a rational in [0, 1]."""
    if not 0 <= p <= 1:
        raise InputError("p", str(p), "give a probability")
    return uniform_below(p.denominator, bits) < p.numerator


def bernoulli_exp(gamma: Fraction, bits: Bits) -> bool:
    """True with probability e^-gamma, gamma >= 0 (CKS 2020, Algorithm 1)."""
    if gamma < 0:
        raise InputError("gamma", str(gamma), "give a number >= 0")
    while gamma > 1:
        if not bernoulli_exp(Fraction(1), bits):
            return False
        gamma -= 1
    k = 1
    while bernoulli(gamma / k, bits):
        k += 1
    return k % 2 == 1


def randomized_response(truth: int, epsilon: Fraction, bits: Bits) -> int:
    """The bit ``truth``, kept with probability e^epsilon / (1 + e^epsilon): epsilon-DP."""
    if truth not in (0, 1):
        raise InputError("truth", str(truth), "give 0 or 1")
    while True:
        # A fair candidate; the false one is kept with probability e^-epsilon.
        if bits.bits(1):
            return truth
        if bernoulli_exp(epsilon, bits):
            return 1 - truth


def geometric(rate: Fraction, bits: Bits) -> int:
    """k >= 0 with probability (1 - e^-rate) e^(-rate k), rate > 0."""
    if rate <= 0:
        raise InputError("rate", str(rate), "give a number > 0")
    # With rate = s/t: u uniform on 0..t-1 kept with e^(-u/t) and v geometric of rate 1 give u + t v, geometric of 1/t.
    s, t = rate.numerator, rate.denominator
    while True:
        u = uniform_below(t, bits)
        if bernoulli_exp(Fraction(u, t), bits):
            break
    v = 0
    while bernoulli_exp(Fraction(1), bits):
        v += 1
    return (u + t * v) // s


def discrete_laplace(scale: Fraction, bits: Bits) -> int:
    """An integer z with probability proportional to e^(-|z| / scale) (CKS 2020, Algorithm 2)."""
    if scale <= 0:
        raise InputError("scale", str(scale), "give a number > 0")
    while True:
        negative = bits.bits(1)
        magnitude = geometric(1 / scale, bits)
        if not (negative and not magnitude):  # 0 would otherwise be drawn twice as often
            return -magnitude if negative else magnitude


def grid_laplace(scale: Fraction, step: Fraction, bits: Bits) -> Fraction:
    """Laplace noise of the given scale on the multiples of ``step``: step times a discrete Laplace of scale/step.

    Added to a value on the grid whose sensitivity is a multiple of the step, it gives epsilon = sensitivity/scale.
    """
    if step <= 0:
        raise InputError("step", str(step), "give a number > 0")
    return step * discrete_laplace(scale / step, bits)


def round_to_grid(value: Fraction, step: Fraction) -> Fraction:
    """The nearest multiple of ``step`` (ties upward). Rounding can raise a sensitivity by one step."""
    return step * ((value / step + Fraction(1, 2)).__floor__())


def choose(probabilities: Sequence[LawProbability], bits: Bits) -> int:
    """An index with the given probabilities, which add up to 1.

    Rationals are sampled by a uniform integer. Where one is only enclosed, the bits of a uniform real are compared with
    the cumulative probabilities, more bits and more precision at a time until the comparison is certain.
    """
    exact = [p for p in probabilities if isinstance(p, Fraction)]
    if len(exact) == len(probabilities):
        if sum(exact) != 1 or min(exact) < 0:
            raise InputError("probabilities", "(values)", "they must be >= 0 and add up to 1")
        common = 1
        for p in exact:
            common = math.lcm(common, p.denominator)
        drawn, total = uniform_below(common, bits), Fraction(0)
        for i, p in enumerate(exact):
            total += p * common
            if drawn < total:
                return i
        raise AssertionError("the probabilities add up to 1")
    drawn, length = bits.bits(_WORD), _WORD
    while True:
        low, high = Fraction(drawn, 1 << length), Fraction(drawn + 1, 1 << length)
        found = _locate(probabilities, low, high, length)
        if found is not None:
            return found
        drawn, length = (drawn << _WORD) | bits.bits(_WORD), length + _WORD
        if length > decide.PRECISION_CAP:
            raise AssertionError("the probabilities do not add up to 1")


def _locate(probabilities: Sequence[LawProbability], low: Fraction, high: Fraction, length: int) -> int | None:
    """The index whose cumulative interval certainly contains [low, high), None where that is open."""
    arithmetic = decide.engine("arb", length + 64)
    lower = upper = Fraction(0)
    for i, p in enumerate(probabilities[:-1]):
        if isinstance(p, Fraction):
            ends = (p, p)
        else:
            found = decide.enclose_once(p, arithmetic)
            if found is None:
                return None
            ends = (found.lower, found.upper)
        lower, upper = lower + ends[0], upper + ends[1]
        if high <= lower:
            return i
        if low < upper:
            return None
    return len(probabilities) - 1
