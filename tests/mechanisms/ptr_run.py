"""Propose-test-release functions that run (Dwork, Lei 2009; Hartmann et al. 2022, section 4.2).

Both functions here have one shape. A statistic falls into a public bucket; A is the least number of records whose
replacement takes it out of the bucket, so A has sensitivity 1. The noisy A is tested first: unless it is large, the
answer is bottom. Otherwise the statistic is released with Laplace noise of the bucket's width over epsilon: where
A >= 2 all neighbours are in the same bucket. Where A <= 1 the test lets it pass with probability at most delta. So each
is an (epsilon, delta)-PTR function in the sense of Definition 9, with G the proposals for which A >= 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, Union

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.mechanisms.ptr import ptr_cascade, ptr_function
from tests.mechanisms import sampling
from tests.mechanisms.releases import Release, positive

#: Grid points per bucket on which the answer is released.
_POINTS = 64
BOTTOM = "bottom"
ANSWER = "answer"
#: The answer of M_IQR in the bucket of the interquartile range 0, where no neighbour has another one.
NO_SPREAD: Literal["zero"] = "zero"
#: A proposed scale: log2 of it, the word for 0, or bottom.
Scale = Union[Fraction, Literal["zero"], None]


def pass_margin(epsilon: Fraction, delta: Fraction) -> int:
    """The least m with P(Z >= m) = e^(-epsilon m)/(1 + e^-epsilon) <= delta, Z discrete Laplace of scale 1/epsilon."""
    if not 0 < delta < 1:
        raise InputError("delta", str(delta), "give a number in (0, 1)")

    def excess(m: int) -> int:
        def formula(ar: Arithmetic) -> Scalar:
            return ar.exp(-epsilon * m) - delta * (1 + ar.exp(-epsilon))

        # e^(-epsilon m) = delta (1 + e^-epsilon) has no solution with rational delta < 1 and epsilon > 0 but in
        # polynomials in a transcendental number: it never ties.
        return decide.sign(formula, decide.engine("arb"))

    low, high = 0, 1
    while excess(high) > 0:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high


def passes_test(distance: int, epsilon: Fraction, delta: Fraction, bits: sampling.Bits) -> bool:
    """Whether the noisy distance to another bucket is large enough to answer."""
    return distance + sampling.discrete_laplace(1 / epsilon, bits) >= 1 + pass_margin(epsilon, delta)


# --- the interquartile range ----------------------------------------------------------------------------------------


def _ranks(size: int) -> tuple[int, int]:
    """The positions (from 0) of the lower and the upper quartile."""
    if size < 4:
        raise InputError("data", f"{size} values", "give at least 4")
    return (size + 3) // 4 - 1, (3 * size + 3) // 4 - 1


def iqr(data: Sequence[Fraction]) -> Fraction:
    """The interquartile range: the order statistics of ranks n/4 and 3n/4, rounded up."""
    ordered = sorted(data)
    lower, upper = _ranks(len(ordered))
    return ordered[upper] - ordered[lower]


def _level(value: Fraction, half_steps: int) -> int:
    """The k with 2^((2k + half_steps)/2) <= value < 2^((2k + 2 + half_steps)/2), by exact comparison of squares."""
    square: Fraction = value * value / 2**half_steps
    k = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    while Fraction(4) ** k > square:
        k -= 1
    while Fraction(4) ** (k + 1) <= square:
        k += 1
    return k


def iqr_distance(data: Sequence[Fraction], half_steps: int) -> int:
    """The least number of records whose replacement changes the bucket of log2 of the interquartile range.

    j replacements can raise it to max over t of x(upper + t) - x(lower - (j - t)) and lower it to the least
    x(upper - t) - x(lower + (j - t)), or 0; a rank beyond the data is as far away as one likes. 0 is its own bucket.
    """
    ordered = sorted(data)
    lower, upper = _ranks(len(ordered))
    size = len(ordered)
    spread = ordered[upper] - ordered[lower]
    # Squares of the bucket's ends, so that the half step needs no root.
    low, high = Fraction(0), Fraction(0)
    if spread:
        level = _level(spread, half_steps)
        low, high = Fraction(4) ** level * 2**half_steps, Fraction(4) ** (level + 1) * 2**half_steps
    for j in range(1, size + 1):
        for t in range(j + 1):
            s = j - t
            if upper + t >= size or lower - s < 0:
                return j
            wide = (ordered[upper + t] - ordered[lower - s]) ** 2
            if wide >= high and (spread or wide):
                return j
            if spread and (lower + s >= upper - t or (ordered[upper - t] - ordered[lower + s]) ** 2 < low):
                return j
    return size


def _log_grid(value: Fraction) -> Fraction:
    """log2 of the value, rounded down to the grid of 1/_POINTS, exactly: from the size of its 64th power."""
    power = value**_POINTS
    k = power.numerator.bit_length() - power.denominator.bit_length()
    while Fraction(2) ** k > power:
        k -= 1
    while Fraction(2) ** (k + 1) <= power:
        k += 1
    return Fraction(k, _POINTS)


def ptr_iqr(
    data: Sequence[Fraction], half_steps: int, epsilon: Fraction, delta: Fraction, bits: sampling.Bits
) -> Release[Scale]:
    """M_j^D: log2 of the interquartile range, or bottom (None); ``half_steps`` 0 or 1 shifts the discretisation."""
    if half_steps not in (0, 1):
        raise InputError("half_steps", str(half_steps), "give 0 or 1")
    positive(epsilon, "epsilon")
    guarantee = ptr_function(epsilon, delta)
    if not passes_test(iqr_distance(data, half_steps), epsilon, delta, bits):
        return Release(None, guarantee, BOTTOM)
    spread = iqr(data)
    if not spread:
        return Release(NO_SPREAD, guarantee, ANSWER)
    noise = sampling.grid_laplace(1 / epsilon, Fraction(1, _POINTS), bits)
    return Release(_log_grid(spread) + noise, guarantee, ANSWER)


def iqr_cascade(
    data: Sequence[Fraction], epsilon: Fraction, delta: Fraction, bits: sampling.Bits
) -> tuple[Release[Scale], tuple[Release[Scale], ...]]:
    """M_IQR: the first discretisation, and the second where the first says bottom.

    Returns it as one release (hartmann2022/lem10, its delta as far as Definition 9 supports it) and as the separate
    events that it consists of, for an accountant to take either way, not both.
    """
    first = ptr_iqr(data, 0, epsilon, delta, bits)
    steps = (first,) if first.cell == ANSWER else (first, ptr_iqr(data, 1, epsilon, delta, bits))
    return Release(steps[-1].answer, ptr_cascade(epsilon, delta), steps[-1].cell), steps


# --- the median -----------------------------------------------------------------------------------------------------


def median_distance(data: Sequence[Fraction], width: Fraction) -> int:
    """The least number of records whose replacement takes the median out of its bucket of the given width."""
    if not data:
        raise InputError("data", "0 values", "give at least 1")
    positive(width, "width")
    ordered = sorted(data)
    size, rank = len(ordered), (len(ordered) - 1) // 2
    low = width * (ordered[rank] / width).__floor__()
    for j in range(1, size + 1):
        if rank + j >= size or rank - j < 0 or ordered[rank + j] >= low + width or ordered[rank - j] < low:
            return j
    return size


def ptr_median(
    data: Sequence[Fraction],
    scale: Scale,
    epsilon: Fraction,
    delta: Fraction,
    bits: sampling.Bits,
) -> Release[Fraction | None]:
    """The median with a scale proposed by M_IQR (Definition 9: bottom in, bottom out).

    The bucket's width is the power of two nearest below the proposed scale times n^(-1/3), n public.
    """
    positive(epsilon, "epsilon")
    guarantee = ptr_function(epsilon, delta)
    if scale is None or scale == NO_SPREAD:
        return Release(None, guarantee, BOTTOM)
    width = Fraction(2) ** (math.floor(scale) - math.ceil(len(data).bit_length() / 3))
    distance = median_distance(data, width)
    if not passes_test(distance, epsilon, delta, bits):
        return Release(None, guarantee, BOTTOM)
    ordered = sorted(data)
    step = width / _POINTS
    middle = step * (ordered[(len(ordered) - 1) // 2] / step).__floor__()
    return Release(middle + sampling.grid_laplace(width / epsilon, step, bits), guarantee, ANSWER)
