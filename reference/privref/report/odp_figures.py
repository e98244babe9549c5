"""Drawings of the output-DP tables as SVG, the same bytes every time. matplotlib is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import StringIO
from typing import Any

from .odp_tables import Row, figure_1, figure_2, optdel_against_lemma11

_STYLE = {"svg.hashsalt": "privref", "svg.fonttype": "none", "font.size": 9.0, "axes.grid": True, "grid.alpha": 0.3}


def _svg(draw: Callable[[Any], None]) -> str:
    """The SVG of one pair of axes, without date or random ids."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot())
        target = StringIO()
        figure.savefig(target, format="svg", metadata={"Date": None, "Creator": "privref"})
    return target.getvalue()


def draw_figure_1(rows: Iterable[Row] | None = None) -> str:
    """Figure 1 of Hartmann et al. 2022: noise per released entry with and without output DP (bounds)."""
    data = list(figure_1() if rows is None else rows)

    def draw(axes: Any) -> None:
        at = [int(row["large entries"]) for row in data]
        for series in ("without output DP", "output DP, Chebyshev", "output DP, exact tail"):
            axes.plot(at, [float(row[series]) for row in data], marker=".", label=series)
        axes.set_xlabel("large entries")
        axes.set_ylabel("expected absolute noise per released entry (bound)")
        axes.set_ylim(bottom=0)
        axes.legend()

    return _svg(draw)


def draw_figure_2(rows: Iterable[Row] | None = None) -> str:
    """Figure 2 of Hartmann et al. 2022: the 95th percentile of the noise on the test error."""
    data = list(figure_2() if rows is None else rows)

    def draw(axes: Any) -> None:
        for eps2 in dict.fromkeys(row["eps2"] for row in data):
            chosen = [row for row in data if row["eps2"] == eps2]
            sizes = [int(row["records"]) for row in chosen]
            axes.loglog(sizes, [float(row["95th percentile"]) for row in chosen], marker=".", label=f"eps2 = {eps2}")
        axes.set_xlabel("records (70% for training)")
        axes.set_ylabel("95th percentile of the noise")
        axes.legend()

    return _svg(draw)


def draw_optdel_gap(rows: Iterable[Row] | None = None) -> str:
    """What Lemma 11 overpays: its delta over the optimal one, by the number of rounds and the stopping points."""
    data = [row for row in (optdel_against_lemma11() if rows is None else rows) if row["Lemma 11 / OptDel"] != "-"]

    def draw(axes: Any) -> None:
        names = ("stopping points", "eps", "delta", "cost of stopping after r rounds")
        for key in dict.fromkeys(tuple(row[name] for name in names) for row in data):
            chosen = [row for row in data if tuple(row[name] for name in names) == key]
            ratios = [float(row["Lemma 11 / OptDel"].strip("[]").split(",")[1]) for row in chosen]
            label = f"{key[0]}, eps={key[1]}, delta={key[2]}, E={key[3]}"
            axes.loglog([int(row["k"]) for row in chosen], ratios, marker=".", label=label)
        axes.set_xlabel("rounds k")
        axes.set_ylabel("delta of Lemma 11 / OptDel")
        axes.legend(fontsize=5)

    return _svg(draw)
