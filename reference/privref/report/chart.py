"""Charts of rigorous values: curves whose every point is an enclosure, drawn as SVG or PNG, the same bytes every time.

matplotlib is imported only when something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from typing import Any, Literal

from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, UndecidedError

Format = Literal["svg", "png"]
FORMATS: tuple[Format, ...] = ("svg", "png")

_STYLE = {"svg.hashsalt": "privref", "svg.fonttype": "none", "font.size": 9.0, "axes.grid": True, "grid.alpha": 0.3}
_INCHES = (6.4, 4.2)
_DPI = 150
#: No chart has more pixels than this in either direction, so an enclosure thinner than the range over it is invisible.
PIXELS = int(max(_INCHES) * _DPI)


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

    def check(self) -> None:
        """UndecidedError where an enclosure would be as thick as a pixel."""
        found = [y for curve in self.curves for y in curve.y if y is not None]
        if not found:
            return
        least, most = min(y.lower for y in found), max(y.upper for y in found)
        pixel = (most - least) / PIXELS
        for curve in self.curves:
            for x, y in zip(curve.x, curve.y, strict=True):
                if y is not None and y.width and y.width >= pixel:
                    raise UndecidedError(f"{self.name}: {curve.label} at {x} is known only to {float(y.width):.3g}")


def points(low: Fraction, high: Fraction, count: int) -> tuple[Fraction, ...]:
    """``count`` evenly spaced rationals, both ends included."""
    step = (high - low) / (count - 1)
    return tuple(low + i * step for i in range(count))


def draw(chart: Chart, form: str = "svg") -> bytes:
    """The picture. Every enclosure is checked to be thinner than a pixel."""
    chart.check()

    def on(axes: Any) -> None:
        for curve in chart.curves:
            _curve(axes, curve)
        axes.set_xlabel(chart.x_label)
        axes.set_ylabel(chart.y_label)
        axes.set_ylim(bottom=0)
        if chart.curves:
            axes.legend(fontsize=7)

    return render(on, chart.title, chart.caption, form)


def render(draw_on: Callable[[Any], None], title: str, caption: str, form: str = "svg") -> bytes:
    """What ``draw_on`` draws on a pair of axes, as a deterministic picture: no date, no random ids."""
    if form not in FORMATS:
        raise InputError("format", form, f"give one of {', '.join(FORMATS)}")
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise InputError("format", form, "pictures need matplotlib; install privref[figures]") from None

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=_INCHES, dpi=_DPI, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        draw_on(axes)
        axes.set_title(title)
        target = BytesIO()
        described = {"Title": title, "Description": caption}
        metadata = {"Date": None, "Creator": "privref", **described} if form == "svg" else {"Software": "", **described}
        figure.savefig(target, format=form, metadata=metadata)
    return target.getvalue()


def _curve(axes: Any, curve: Curve) -> None:
    """One curve in pieces between its gaps; a cross marks where a filter halted."""
    heights = [float("nan") if y is None else float((y.lower + y.upper) / 2) for y in curve.y]
    style = "--" if curve.dashed else "-"
    (line,) = axes.plot([float(x) for x in curve.x], heights, style, linewidth=1.1, label=curve.label)
    if curve.halted_at is not None:
        at = curve.x.index(curve.halted_at)
        axes.plot([float(curve.halted_at)], [heights[at]], "x", color=line.get_color())


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
