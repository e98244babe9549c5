"""Certified roots of monotone functions: a rational bracket whose two signs are certain."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import isqrt

from . import work
from .arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from .decide import enclose_once, enclosing, sign
from .enclosure import Enclosure
from .errors import MorePrecisionError, UndecidedError, UnwritableError
from .numbers import exact_root
from .seams import seam

Increasing = Callable[[Arithmetic, Fraction], Scalar]


def root_above_one(function: Increasing, arithmetic: Arithmetic) -> tuple[Fraction, Fraction]:
    """Bracket the root of an increasing function that tends to -inf at 1."""
    low = Fraction(2)
    while sign(partial(_at, function, low), arithmetic) > 0:
        low = 1 + (low - 1) / 16
    return root_above(function, low, arithmetic)


#: How far from the root floats may be, relative to it.
_FLOATS = Fraction(1, 2**40)


def root_above(
    function: Increasing, low: Fraction, arithmetic: Arithmetic, near: float | None = None
) -> tuple[Fraction, Fraction]:
    """Bracket the root of an increasing function that is not positive at ``low``.

    ``near`` is where floats have the root: it saves steps where certain signs next to it show that they are right.
    """
    if near is not None:
        first, last = Fraction(near) * (1 - _FLOATS), Fraction(near) * (1 + _FLOATS)
        balls = enclosing(arithmetic)
        if low < first and _sides(function, first, last, balls):
            return root(function, first, last, balls)
    return root(function, low, bracket_above(function, low, arithmetic), arithmetic)


def _sides(function: Increasing, first: Fraction, last: Fraction, balls: EnclosingArithmetic) -> bool:
    """Whether the function is seen to be negative at the first and positive at the last, without more precision."""
    low, high = (enclose_once(partial(_at, function, x), balls) for x in (first, last))
    return low is not None and high is not None and low.upper < 0 < high.lower


def least(function: Increasing, arithmetic: Arithmetic) -> Scalar:
    """The least x >= 0 at which an increasing function is not negative; 0 exactly where it is not negative there."""
    balls = enclosing(arithmetic)
    if sign(partial(_at, function, Fraction(0)), balls) >= 0:
        return Fraction(0)
    return arithmetic.hull(*root_above(function, Fraction(0), balls))


def _at(function: Increasing, x: Fraction, arithmetic: Arithmetic) -> Scalar:
    return function(arithmetic, x)


@seam
def bracket_above(function: Increasing, low: Fraction, arithmetic: Arithmetic) -> Fraction:
    """Some point above ``low`` where the increasing function is certainly positive, by doubling the step."""
    step = Fraction(1)
    while sign(partial(_at, function, low + step), arithmetic) <= 0:
        step *= 2
    return low + step


@seam
def root(function: Increasing, low: Fraction, high: Fraction, arithmetic: Arithmetic) -> tuple[Fraction, Fraction]:
    """Rationals a <= b with f(a) <= 0 <= f(b), certain, about as close as the arithmetic's precision allows.

    Needs f increasing and f(low) <= 0 <= f(high), which the caller has shown. Secant steps (the Illinois rule: Dowell,
    Jarratt 1971) on the midpoints of enclosures find the root; only certain signs move an end of the bracket.
    """
    balls = enclosing(arithmetic)
    bits = balls.precision
    evaluator = balls.at(bits + 32)
    values: dict[Fraction, Enclosure | None] = {}

    def value(x: Fraction) -> Enclosure | None:
        if x not in values:
            # The points and the weights of the rule are rationals: they grow with the precision too.
            work.spend(8 + bits // 2)
            try:
                values[x] = enclose_once(lambda ar: function(ar, x), evaluator)
            except UnwritableError:
                values[x] = None
        return values[x]

    low_weight = high_weight = Fraction(1)
    moved = 0
    for _ in range(8 * bits):
        tolerance = max(abs(low), abs(high)) * Fraction(1, 2**bits)
        if high - low <= tolerance:
            return low, high
        at_low, at_high = value(low), value(high)
        candidate = (low + high) / 2
        if at_low is not None and at_high is not None and at_low.upper < 0 < at_high.lower:
            left, right = low_weight * -at_low.upper, high_weight * at_high.lower
            candidate = low + (high - low) * left / (left + right)
        margin = min((high - low) / 4, tolerance / 2)
        x = _dyadic(min(max(candidate, low + margin), high - margin), bits + 8)
        if not low < x < high:
            x = (low + high) / 2
        found = value(x)
        if found is not None and found.upper <= 0:
            # An end that stays twice counts half: one that alternates with the other must not, or each step but halves.
            low, low_weight, high_weight = x, Fraction(1), high_weight / 2 if moved < 0 else high_weight
            moved = -1
        elif found is not None and found.lower >= 0:
            high, high_weight, low_weight = x, Fraction(1), low_weight / 2 if moved > 0 else low_weight
            moved = 1
        else:
            return _around(value, x, low, high, tolerance)
    raise MorePrecisionError("the root was not bracketed at this precision")


def _around(
    value: Callable[[Fraction], Enclosure | None], x: Fraction, low: Fraction, high: Fraction, step: Fraction
) -> tuple[Fraction, Fraction]:
    """A bracket around a point whose sign is open: walk out on both sides until the signs are certain."""
    down = up = step
    while x - down > low:
        found = value(x - down)
        if found is not None and found.upper <= 0:
            low = x - down
            break
        down *= 4
    while x + up < high:
        found = value(x + up)
        if found is not None and found.lower >= 0:
            high = x + up
            break
        up *= 4
    return low, high


def _dyadic(x: Fraction, bits: int) -> Fraction:
    """``x`` rounded to about ``bits`` significant bits, so that candidates stay short."""
    shift = bits - (x.numerator.bit_length() - x.denominator.bit_length())
    scale = Fraction(2) ** shift
    return Fraction(round(x * scale)) / scale


#: The largest epsilon of one round that is looked for.
MOST_EPSILON = 10**6
#: How often the place where a decision flips is halved at most.
MOST_HALVINGS = 160


def flip(
    decided: Callable[[Fraction], bool | None],
    first: Fraction,
    last: Fraction,
    *,
    whole: bool = False,
    pick: Callable[[Fraction, Fraction], Fraction] | None = None,
) -> tuple[Fraction, Fraction]:
    """Two numbers close together, towards ``first`` and towards ``last``, between which a decision changes.

    ``decided`` says whether a number is decided as ``first`` is; ``last`` is not. Where it cannot tell (None), the
    search goes out from there on both sides and ends. A whole number is followed to its neighbour, any other one to
    nine digits. ``pick`` may choose the number to try between the two that are known.
    """
    for _ in range(MOST_HALVINGS):
        low, high = min(first, last), max(first, last)
        if high - low <= (1 if whole else abs(high) / 10**9):
            break
        middle = _between(low, high) if pick is None else pick(first, last)
        middle = Fraction(middle.numerator // middle.denominator) if whole else middle
        if not low < middle < high:
            middle = _between(low, high)
        alike = decided(middle)
        if alike is None:
            return _beside(decided, middle, first, True), _beside(decided, middle, last, False)
        first, last = (middle, last) if alike else (first, middle)
    return first, last


def _beside(decided: Callable[[Fraction], bool | None], middle: Fraction, end: Fraction, alike: bool) -> Fraction:
    """The first of some numbers on the way to the end that is decided as the end is."""
    step = (end - middle) / 4**12
    while abs(step) * 4 < abs(end - middle):
        step *= 4
        if abs(step) > abs(middle) / 10**8 and decided(middle + step) is alike:
            return middle + step
    return end


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A number strictly between: the arithmetic mean, or about the geometric one of numbers far apart."""
    if low > 0 and high / low > 1000:
        return low * (1 << int(high / low).bit_length() // 2)
    return (low + high) / 2


def epsilon_at(delta_at: Callable[[Fraction], Enclosure], delta: Fraction, width: Fraction) -> Enclosure:
    """The least epsilon >= 0 at delta, to a relative width, by halving between ends at which the sign is certain.

    ``delta_at`` encloses a delta that falls as epsilon grows.
    """
    low, high = Fraction(0), Fraction(1)
    if delta_at(low).upper <= delta:
        return Enclosure(low, low)
    while delta_at(high).upper > delta:
        low, high = high, 2 * high
        if high > MOST_EPSILON:
            raise UndecidedError(f"epsilon of one round is above {MOST_EPSILON}")
    while high - low > high * width:
        middle = (low + high) / 2
        found = delta_at(middle)
        if found.lower > delta:
            low = middle
        elif found.upper <= delta:
            high = middle
        else:
            break
    return Enclosure(low, high)


def first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least whole number above ``low`` at which something holds that holds at ``high`` and once it does, for good.

    It is not asked at the ends.

    >>> first(lambda n: n * n >= 50, 0, 100)
    8
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def root_up(square: Fraction) -> Fraction:
    """The square root of a number > 0 where it is rational, else rounded up, by less than a part in 10^35."""
    root = exact_root(square)
    if root is not None:
        return root
    n, d = square.numerator, square.denominator
    bits = 120 + max(0, d.bit_length() - n.bit_length()) // 2
    return Fraction(isqrt((n << 2 * bits) // d) + 1, 1 << bits)


def fixed_point(before: tuple[Fraction, Fraction] | None, here: tuple[Fraction, Fraction]) -> Fraction:
    """A little beyond where what follows from u is u: along the line through two points, from one at its value."""
    u, value = here
    if before is None or before[0] == u:
        return value
    slope = (value - before[1]) / (u - before[0])
    return u + (value - u) / (1 - slope) * Fraction(21, 20) if 0 < slope < 1 else value
