"""Normal forms of symbolic quantities, their possible signs, and whether two of them agree where others are zero."""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from . import rational
from .transcription import vanishes


def possible(quantity: Any) -> list[int]:
    """The signs that the declared assumptions on the symbols leave a quantity."""
    if quantity.is_positive:
        return [1]
    if quantity.is_negative:
        return [-1]
    if quantity.is_zero:
        return [0]
    return [
        sign
        for sign, excluded in ((1, quantity.is_nonpositive), (0, quantity.is_nonzero), (-1, quantity.is_nonnegative))
        if not excluded
    ]


def _fraction(expression: Any) -> tuple[Any, tuple[Any, ...]]:
    """An expanded numerator, and factors of the denominator."""
    found = rational.fraction(expression) if rational.is_rational(expression) else None
    if found is not None:
        return found
    numerator, denominator = sp.fraction(sp.together(sp.expand(expression)))
    return sp.expand(numerator), (denominator,)


@cache
def canonical(expression: Any) -> tuple[Any, int]:
    """A normal form of the quantity up to a positive factor, and -1 where the sign was turned."""
    numerator, denominator = _fraction(expression)
    kernel = numerator if all(factor.is_positive for factor in denominator) else sp.expand(expression)
    _, kernel = kernel.as_content_primitive()
    if kernel.is_Add and kernel.is_polynomial() and len(possible(kernel)) > 1:
        content, factors = sp.factor_list(kernel)
        kernel = sp.expand(sp.prod(base**power for base, power in factors if not base.is_positive)) * sp.sign(content)
    kernel = sp.Mul(*(factor for factor in sp.Mul.make_args(kernel) if not factor.is_positive))
    return (-kernel, -1) if kernel.could_extract_minus_sign() else (kernel, 1)


@cache
def _solved(zero: Any) -> tuple[Any, Any] | None:
    """A symbol in which the zero polynomial is linear with a constant factor, and what it then is."""
    if not zero.is_polynomial():
        return None
    for symbol in sorted(zero.free_symbols, key=str, reverse=True):
        factor = sp.diff(zero, symbol)
        if factor.is_number and factor != 0:
            return symbol, sp.expand(symbol - zero / factor)
    return None


@cache
def remainder(expression: Any, zeros: tuple[Any, ...]) -> Any:
    """An expression where the ``zeros`` are zero, as far as they settle it."""
    return modulo(at_zero(expression, list(zeros)), list(zeros))


def modulo(expression: Any, zeros: list[Any]) -> Any:
    """The remainder of an expression where the quantities in ``zeros`` are zero; itself if it is not polynomial."""
    for number, zero in enumerate(zeros):
        solved = _solved(zero)
        if solved is not None:
            # Eliminating a symbol leaves one form of what is equal; a division alone depends on the order of symbols.
            later = [sp.expand(other.subs(*solved)) for other in zeros[number + 1 :]]
            return modulo(expression.subs(*solved), [*zeros[:number], *(other for other in later if other != 0)])
    numerator = _fraction(expression)[0]
    if numerator.is_number or not zeros:
        return numerator
    try:
        return sp.reduced(numerator, zeros)[1]
    except sp.PolynomialError:
        return expression


@cache
def identically_zero(difference: Any) -> bool:
    """``vanishes``, once for what many paths have in common."""
    return vanishes(difference)


def agree(ours: Any, theirs: Any, zeros: list[Any]) -> bool:
    """Whether two results are the same word, or provably the same expression where the ``zeros`` are zero."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return isinstance(ours, str) and isinstance(theirs, str) and ours == theirs
    difference = sp.sympify(ours) - sp.sympify(theirs)
    if identically_zero(difference):
        return True
    return bool(zeros) and _defined(difference, zeros) and remainder(difference, tuple(zeros)) == 0


def _defined(expression: Any, zeros: list[Any]) -> bool:
    """Whether no denominator of an expression becomes zero where the ``zeros`` are zero."""
    found = rational.fraction(expression)
    return found is not None and remainder(sp.Mul(*found[1]), tuple(zeros)) != 0


def at_zero(expression: Any, zeros: list[Any]) -> Any:
    """An expression where the ``zeros`` are zero, as far as each of them gives one symbol in terms of the others."""
    known: dict[sp.Symbol, Any] = {}
    for zero in zeros:
        found = _solved_for(sp.expand(zero.subs(known)))
        if found is not None:
            symbol, value = found
            known = {other: sp.expand(was.subs(symbol, value)) for other, was in known.items()} | {symbol: value}
    return expression.subs(known)


def _solved_for(zero: Any) -> tuple[sp.Symbol, Any] | None:
    """A symbol that the zero is a power of, or in which it is linear with a constant factor, and its value."""
    base = zero.as_base_exp()[0]
    if base.is_Symbol:
        return base, sp.S.Zero
    # In the order of _solved, so that both eliminate the same symbol.
    for symbol in sorted(zero.free_symbols, key=str, reverse=True):
        slope = sp.diff(zero, symbol)
        if slope.is_number and slope != 0:
            return symbol, sp.expand(symbol - zero / slope)
    return None


@cache
def plainly_positive(expression: Any) -> bool:
    forms = (sp.sympify, sp.simplify, lambda e: sp.factor(sp.together(sp.simplify(e))))
    return any(bool(form(expression).is_positive) for form in forms)


@cache
def moves_one_way(slope: Any) -> bool:
    return slope == 0 or plainly_positive(slope) or plainly_positive(-slope)
