"""The papers' figures as pictures, and their tables as text."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType

from privref.exact.errors import InputError
from privref.reproductions.figures import FIGURES, chart

from .chart import draw
from .hartmann_figures import draw_figure_1, draw_figure_2, draw_optdel_gap
from .lines import line, text_table

_HARTMANN = {
    "hartmann-1": draw_figure_1,
    "hartmann-2": draw_figure_2,
    "hartmann-optdel-gap": draw_optdel_gap,
}


def figure_names() -> tuple[str, ...]:
    """The figures that ``figure`` draws."""
    return (*(f"whitehouse-{name}" for name in FIGURES), *_HARTMANN)


def figure(name: str) -> bytes:
    """One of the papers' figures as SVG, from rigorous values."""
    if name not in figure_names():
        raise InputError("figure", name, f"give one of {', '.join(figure_names())}")
    if name in _HARTMANN:
        return _HARTMANN[name]().encode()
    return draw(chart(name.removeprefix("whitehouse-")), "svg")


def table_report(rows: Sequence[dict[str, str]]) -> RenderableType:
    """A table as text."""
    shown = text_table(*rows[0])
    for row in rows:
        shown.add_row(*(line(value) for value in row.values()))
    return shown


def table_picture(name: str) -> bytes:
    """The table of OptDel against Lemma 11 as SVG; InputError for tables that have no picture."""
    if name != "optdel-against-lemma-11":
        raise InputError("--plot", name, "only optdel-against-lemma-11 has a picture; see `privref figures`")
    return draw_optdel_gap().encode()
