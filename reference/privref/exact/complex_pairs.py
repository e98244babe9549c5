"""Complex numbers as pairs of reals of one arithmetic, whichever it is: real and imaginary part."""

from __future__ import annotations

from typing import Any

ComplexPair = tuple[Any, Any]


def plus(a: ComplexPair, b: ComplexPair) -> ComplexPair:
    return a[0] + b[0], a[1] + b[1]


def scaled(factor: Any, a: ComplexPair) -> ComplexPair:
    """A real multiple."""
    return factor * a[0], factor * a[1]


def product(a: ComplexPair, b: ComplexPair) -> ComplexPair:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def over(a: ComplexPair, b: ComplexPair) -> ComplexPair:
    """a / b, as a times the conjugate of b over |b|^2."""
    scale = 1 / (b[0] * b[0] + b[1] * b[1])
    return (a[0] * b[0] + a[1] * b[1]) * scale, (a[1] * b[0] - a[0] * b[1]) * scale


def power(base: ComplexPair, exponent: int) -> ComplexPair:
    """A whole power >= 1, by repeated squaring."""
    result = None
    while True:
        if exponent & 1:
            result = base if result is None else product(result, base)
        exponent >>= 1
        if exponent <= 0:
            break
        base = product(base, base)
    assert result is not None
    return result
