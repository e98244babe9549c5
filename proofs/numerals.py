"""Digits from elsewhere as two rationals with the true number between them: no comparison needs a tolerance of its own.

SymPy states every digit that it gives to be right (``strict``), mpmath's quadrature says how far off it may be. This
module and the files that use it do not import privref.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import sympy as sp

Ends = tuple[Fraction, Fraction]

#: Digits that roundings cost in mpmath: fewer than a million, each by a unit of the last digit of what is at most 10.
_ROUNDINGS = 7


def _exactly(value: Any) -> Fraction:
    rational = sp.Rational(value)
    return Fraction(int(rational.p), int(rational.q))


def by_sympy(expression: Any, digits: int = 40) -> Ends:
    """A number between its first digits and a unit of the last of them to either side."""
    value = _exactly(sp.sympify(expression).evalf(digits, strict=True))
    unit = abs(value) / 10 ** (digits - 1)
    return value - unit, value + unit


def by_mpmath(value: Any, *errors: Any, digits: int = 30) -> Ends:
    """A number computed with so many digits from values of at most 10: the error that its quadrature states, and that
    of roundings.
    """
    # Not by the constructor of `mpf`, which would round to the digits of mpmath's own context.
    found, *stated = (Fraction(*mpmath.libmp.to_rational(each._mpf_)) for each in (value, *errors))
    off = sum(stated) + Fraction(10) ** (_ROUNDINGS - digits)
    return found - off, found + off


def meet(first: Ends, second: Ends) -> bool:
    """Whether one number may lie between both pairs of ends."""
    return first[0] <= second[1] and second[0] <= first[1]


def least(convex: Any, x: sp.Symbol, near: Any) -> Ends:
    """The least value of a convex expression of one variable, about 30 digits apart; ``near`` starts the search.

    Its slope has the signs - and + at two points around the root that SymPy finds: the least value is at most that at
    the lower point, and at least the tangent's there at the upper one.
    """
    slope = sp.diff(convex, x)
    root = sp.Rational(sp.nsolve(slope, x, near, prec=40))
    low, high = (root * (1 + sign * sp.Rational(1, 10**20)) for sign in (-1, 1))
    falls, rises = by_sympy(slope.subs(x, low)), by_sympy(slope.subs(x, high))
    assert falls[1] < 0 < rises[0], "the root is between the two points"
    value = by_sympy(convex.subs(x, low))
    return value[0] + falls[0] * _exactly(high - low), value[1]


def image(increasing: Callable[[Any], Any], ends: Ends) -> Ends:
    """What an increasing function makes of a number between two ends."""
    low, high = (by_sympy(increasing(sp.Rational(end.numerator, end.denominator))) for end in ends)
    return low[0], high[1]
