"""What an oracle that rounds says, as an interval: its value, widened outward by the error that it states."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from mpmath import libmp, mpf

from privref.exact.enclosure import Enclosure


def around(value: Any, *, absolute: Fraction = Fraction(0), relative: Fraction = Fraction(0)) -> Enclosure:
    """A float's or an mpf's exact value, less and plus the stated error."""
    exact = Fraction(*libmp.to_rational(value._mpf_)) if isinstance(value, mpf) else Fraction(value)
    error = absolute + relative * abs(exact)
    return Enclosure(exact - error, exact + error)


def meets(found: Enclosure | None, oracle: Enclosure) -> bool:
    """Whether a certified enclosure and an oracle's interval have a number in common, as they must."""
    return found is not None and found.intersection(oracle) is not None


def encloses(outer: object, inner: Enclosure) -> bool:
    """Whether a certified enclosure holds all of another one, which is known to be much narrower."""
    return isinstance(outer, Enclosure) and outer.contains(inner.lower) and outer.contains(inner.upper)
