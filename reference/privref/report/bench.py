"""Measurements of optimal composition, as a table, as a document and as a picture."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.vectors.peers.timing import CERTIFIED, Timing, missing_peers

from .text import plain_ends


def table(rows: Sequence[Timing]) -> Table:
    """The rows as a text table."""
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in ("ledger", "tool", "lower", "upper", "relative width or excess", "seconds", ""):
        shown.add_column(column)
    for row in rows:
        shown.add_row(
            row.question,
            row.tool,
            *_ends(row),
            "-" if row.relative_width is None else f"{row.relative_width:.1e}",
            f"{row.seconds:.3f}",
            row.verdict,
        )
    return shown


def _ends(row: Timing) -> tuple[str, str]:
    """Both ends: of our enclosures rounded outward, of a library's answer as the library would print it."""
    if row.verdict == CERTIFIED and row.lower is not None and row.upper is not None:
        return plain_ends(Enclosure(Fraction(row.lower), Fraction(row.upper)), 8)
    lower, upper = ("-" if end is None else f"{end:.8g}" for end in (row.lower, row.upper))
    return lower, upper


def plot(rows: Sequence[Timing], question: str, path: Path) -> None:
    """Width against time of every tool on one ledger, as SVG; answers below the truth have no width and no point."""
    matplotlib: Any = importlib.import_module("matplotlib")
    matplotlib.use("svg")
    pyplot: Any = importlib.import_module("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(6, 4))
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.question == question and row.relative_width is not None and row.relative_width > 0:
            tool = row.tool.partition(" to ")[0].partition(" at ")[0]
            series.setdefault(tool, []).append((row.seconds, row.relative_width))
    for tool, points in series.items():
        axes.loglog(*zip(*sorted(points), strict=True), marker="o", label=tool)
    axes.set_xlabel("seconds")
    axes.set_ylabel("relative width (or excess over the truth)")
    axes.set_title(question)
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)


def bench_report(rows: Sequence[Timing]) -> RenderableType:
    """The measurements as a table, and which libraries were left out."""
    missing = [Text(f"{package} is not installed: its rows are left out") for package in missing_peers()]
    return Group(table(rows), *missing)


def bench_document(rows: Sequence[Timing]) -> dict[str, Any]:
    """The measurements as a JSON document; times and widths are measurements, not bounds."""
    return {"schema": "1", "not_installed": missing_peers(), "rows": [asdict(row) for row in rows]}


def bench_plot(rows: Sequence[Timing], path: Path) -> None:
    """Width against time on the ledger of 1,000 rounds, as SVG."""
    try:
        plot(rows, "1,000 random", path)
    except OSError as error:
        raise InputError("--svg", str(path), f"name a file that can be written ({error.strerror})") from None
