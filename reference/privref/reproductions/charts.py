"""Charts of rigorous values: curves whose every point is an enclosure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from privref.exact.enclosure import Enclosure


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve: what it shows (its statement's id), and where it is known; None is a gap (no finite value there)."""

    label: str
    statement: str
    x: tuple[Fraction, ...]
    y: tuple[Enclosure | None, ...]
    dashed: bool = False
    #: The first x at which a filter halted, where it did.
    halted_at: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over one axis, with a caption that says what is ours in it."""

    name: str
    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    caption: str


def points(low: Fraction, high: Fraction, count: int) -> tuple[Fraction, ...]:
    """``count`` evenly spaced rationals, both ends included."""
    step = (high - low) / (count - 1)
    return tuple(low + i * step for i in range(count))


def table(chart: Chart, digits: int = 12) -> list[dict[str, str]]:
    """The chart's numbers, one row per point and curve, as outward-rounded decimals."""
    return [
        {"curve": curve.label, "statement": curve.statement, "x": str(x), "lower": low, "upper": high}
        for curve in chart.curves
        for x, y in zip(curve.x, curve.y, strict=True)
        if y is not None
        for low, high in [y.decimals(digits)]
    ]


def enclosures(found: Sequence[Enclosure | Literal["inf"] | None]) -> tuple[Enclosure | None, ...]:
    """Readings as a curve's heights: what is infinite or absent is a gap."""
    return tuple(None if isinstance(each, str) else each for each in found)
