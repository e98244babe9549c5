"""Charts drawn as SVG or PNG, the same bytes every time; matplotlib is imported only when something is drawn."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, Literal

from privref.exact.errors import InputError, UndecidedError
from privref.exact.extras import install
from privref.reproductions.figures import Chart, Curve

Format = Literal["svg", "png"]
FORMATS: tuple[Format, ...] = ("svg", "png")

_STYLE = {"svg.hashsalt": "privref", "svg.fonttype": "none", "font.size": 9.0, "axes.grid": True, "grid.alpha": 0.3}
_INCHES = (6.4, 4.2)
_DPI = 150
#: No chart has more pixels than this in either direction, so an enclosure thinner than the range over it is invisible.
PIXELS = int(max(_INCHES) * _DPI)


def check(chart: Chart) -> None:
    """UndecidedError where an enclosure would be as thick as a pixel."""
    found = [y for curve in chart.curves for y in curve.y if y is not None]
    if not found:
        return
    least, most = min(y.lower for y in found), max(y.upper for y in found)
    pixel = (most - least) / PIXELS
    for curve in chart.curves:
        for x, y in zip(curve.x, curve.y, strict=True):
            if y is not None and y.width and y.width >= pixel:
                raise UndecidedError(f"{chart.name}: {curve.label} at {x} is known only to {float(y.width):.3g}")


def draw(chart: Chart, form: str = "svg") -> bytes:
    """The picture. Every enclosure is checked to be thinner than a pixel."""
    check(chart)

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
        raise InputError("format", form, f"pictures need matplotlib: {install('figures')}") from None

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
