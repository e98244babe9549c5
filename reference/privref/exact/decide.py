"""Comparisons and digits by raising precision until they are certain, with a cap after which they are refused.

A comparison ends when the enclosure of the difference excludes zero. It can run into the cap only at a tie between
irrational expressions (or one closer than 2^-cap); ties between rationals are decided exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from typing import Literal, cast

from .arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar, is_enclosing
from .enclosure import Enclosure
from .errors import MorePrecisionError, UndecidedError, UnwritableError
from .interval import ArbArithmetic
from .seams import seam
from .second import MpmathArithmetic

EngineName = Literal["arb", "mpmath"]
ENGINES: dict[EngineName, type[ArbArithmetic] | type[MpmathArithmetic]] = {
    "arb": ArbArithmetic,
    "mpmath": MpmathArithmetic,
}

#: Bits at which a comparison starts and stops.
FIRST_PRECISION = 96
PRECISION_CAP = 24_576

Formula = Callable[[Arithmetic], Scalar]


@lru_cache(maxsize=64)
def engine(name: EngineName, precision: int = FIRST_PRECISION) -> EnclosingArithmetic:
    """The enclosing arithmetic of that name."""
    return ENGINES[name](precision)


@seam
def enclosing(arithmetic: Arithmetic, precision: int = FIRST_PRECISION) -> EnclosingArithmetic:
    """The arithmetic itself where it encloses; otherwise balls (for an exact or a float caller)."""
    return arithmetic if is_enclosing(arithmetic) else engine("arb", precision)


def engine_name(arithmetic: Arithmetic) -> EngineName:
    """The engine by which the arithmetic encloses, for what is computed at a precision of its own."""
    return cast(EngineName, enclosing(arithmetic).name)


def enclose_once(formula: Formula, arithmetic: EnclosingArithmetic) -> Enclosure | None:
    """Run the formula at the arithmetic's own precision; None where no finite enclosure came out."""
    with arithmetic.active():
        try:
            return arithmetic.enclosure(formula(arithmetic))
        except MorePrecisionError:
            return None


def enclose(
    formula: Formula, arithmetic: EnclosingArithmetic, relative_width: Fraction, *, cap: int = PRECISION_CAP
) -> Enclosure:
    """Enclose the formula's value to a relative width, raising precision; UndecidedError at the cap."""
    precision = arithmetic.precision
    while True:
        found = enclose_once(formula, arithmetic.at(precision))
        if found is not None and found.relative_width_at_most(relative_width):
            return found
        if precision >= cap:
            if found is None:
                raise UndecidedError(f"no finite enclosure of a writable size at the precision cap of {cap} bits")
            raise UndecidedError(f"only {found.decimals(6)} at the precision cap of {cap} bits: ask for fewer digits")
        precision = min(2 * precision, cap)


def finite(arithmetic: EnclosingArithmetic, value: Scalar, why: str) -> Enclosure:
    """The enclosure of a value already computed; MorePrecisionError with this text where it is not finite."""
    found = arithmetic.enclosure(value)
    if found is None:
        raise MorePrecisionError(why)
    return found


@seam
def sign(formula: Formula, arithmetic: Arithmetic, *, cap: int = PRECISION_CAP) -> Literal[-1, 0, 1]:
    """The certain sign of the formula's value; 0 only where it is exactly zero."""
    if not is_enclosing(arithmetic):
        value = cast(Fraction, formula(arithmetic))
        return 1 if value > 0 else -1 if value < 0 else 0
    precision = FIRST_PRECISION
    while True:
        known = _sign_of(partial(enclose_once, formula, arithmetic.at(precision)))
        if known is not None:
            return known
        if precision >= cap:
            raise UndecidedError(f"the comparison is still open at the precision cap of {cap} bits")
        precision = min(2 * precision, cap)


def _sign_of(find: Callable[[], Enclosure | None]) -> Literal[-1, 0, 1] | None:
    """The sign that an enclosure shows; None where it straddles zero, or where there is none."""
    try:
        found = find()
    except UnwritableError as huge:
        return 1 if huge.sign > 0 else -1
    if found is None:
        return None
    if found.lower > 0:
        return 1
    if found.upper < 0:
        return -1
    return 0 if found.lower == found.upper else None


def sign_now(value: Scalar, arithmetic: Arithmetic) -> Literal[-1, 0, 1]:
    """The sign of a value already computed; MorePrecisionError where its enclosure straddles zero.

    For algorithms that branch inside one run of the precision ladder.
    """
    if isinstance(value, (int, Fraction)) or not is_enclosing(arithmetic):
        number = cast(Fraction, value)
        return 1 if number > 0 else -1 if number < 0 else 0
    known = _sign_of(lambda: arithmetic.enclosure(value))
    if known is None:
        raise MorePrecisionError("the branch is open at this precision")
    return known


def exceeds(left: Formula, right: Formula, arithmetic: Arithmetic, *, cap: int = PRECISION_CAP) -> bool:
    """Whether ``left`` is strictly greater than ``right``: certain, or UndecidedError."""

    def difference(ar: Arithmetic) -> Scalar:
        # Two rationals are subtracted exactly, so that their tie is seen.
        return cast(Real, left(ar)) - right(ar)

    return sign(difference, arithmetic, cap=cap) > 0
