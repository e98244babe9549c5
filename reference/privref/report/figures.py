"""The papers' figures as pictures, and their tables as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from rich.console import RenderableType

from privref.exact.errors import InputError
from privref.reproductions.figures import FIGURES, chart
from privref.reproductions.tables import PATTERNS, SHAPES, TableRow, figure_1, figure_2, optdel_against_lemma11

from .chart import draw, render
from .lines import line, text_table


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


# --- drawings of the output-DP tables, the same bytes every time ------------------------------------------------------


def draw_figure_1() -> str:
    """Figure 1 of Hartmann et al. 2022: noise per released entry with and without output DP (bounds)."""
    data = list(figure_1())

    def draw(axes: Any) -> None:
        at = [int(row["large entries"]) for row in data]
        for series in ("without output DP", "output DP, Chebyshev", "output DP, exact tail"):
            axes.plot(at, [float(row[series]) for row in data], marker=".", label=series)
        axes.set_xlabel("large entries")
        axes.set_ylabel("expected absolute noise per released entry (bound)")
        axes.set_ylim(bottom=0)
        axes.legend()

    caption = (
        "100 entries, at most 20 released, budgets 1/2 and 1/2, entries 500 from the threshold. Ours (open in the "
        "paper): noise is the expected absolute Laplace noise of a released entry at sensitivity 1, 0 where none is "
        "released. With output DP every point is an upper bound on the expectation."
    )
    return render(draw, "Noise on the released entries of a sparse vector", caption).decode()


def draw_figure_2() -> str:
    """Figure 2 of Hartmann et al. 2022: the 95th percentile of the noise on the test error."""
    data = list(figure_2())

    def draw(axes: Any) -> None:
        for eps2 in dict.fromkeys(row["eps2"] for row in data):
            chosen = [row for row in data if row["eps2"] == eps2]
            sizes = [int(row["records"]) for row in chosen]
            axes.loglog(sizes, [float(row["95th percentile"]) for row in chosen], marker=".", label=f"eps2 = {eps2}")
        axes.set_xlabel("records (70% for training)")
        axes.set_ylabel("95th percentile of the noise")
        axes.legend()

    caption = (
        "Lambda = 1. Ours: the sizes and the values of eps2. Both sensitivities agree here, as the test term dominates."
    )
    return render(draw, "95th percentile of the noise on the test error", caption).decode()


def draw_optdel_gap(rows: Iterable[TableRow] | None = None) -> str:
    """What Lemma 11 overpays: its delta over the optimal one, by the number of rounds and the stopping points."""
    data = [row for row in (_gap() if rows is None else rows) if row["Lemma 11 / OptDel"] != "-"]
    names = ("stopping points", "eps", "delta", "cost of stopping after r rounds")
    # What is the same in all rows is said once, in the title.
    varying = [name for name in names if len({row[name] for row in data}) > 1]
    common = [f"{name} {data[0][name]}" for name in names if name not in varying] if data else []

    def draw(axes: Any) -> None:
        for key in dict.fromkeys(tuple(row[name] for name in varying) for row in data):
            chosen = [row for row in data if tuple(row[name] for name in varying) == key]
            ratios = [float(row["Lemma 11 / OptDel"].strip("[]").split(",")[1]) for row in chosen]
            label = ", ".join(f"{name} {value}" for name, value in zip(varying, key, strict=True))
            axes.loglog([int(row["k"]) for row in chosen], ratios, marker=".", label=label)
        axes.set_xlabel("rounds k")
        axes.set_ylabel("delta of Lemma 11 / OptDel")
        axes.legend(fontsize=7)

    caption = "The delta of Lemma 11 with optimal composition (equation 4) over the optimum of Theorem 15."
    return render(draw, "\n".join(["What Lemma 11 overpays", "; ".join(common)]), caption).decode()


def _gap() -> Iterable[TableRow]:
    """The rows that the picture shows: one eps and one shape of costs, all stopping patterns with a choice."""
    return optdel_against_lemma11(
        eps=(Fraction(1, 10),),
        k=(10, 20, 50, 100, 200, 500, 1000),
        patterns=[name for name in PATTERNS if name != "end only"],
        shapes=list(SHAPES)[-1:],
    )


_HARTMANN = {
    "hartmann-1": draw_figure_1,
    "hartmann-2": draw_figure_2,
    "hartmann-optdel-gap": draw_optdel_gap,
}
