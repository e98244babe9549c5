"""The readings of a replay as a chart, over the intrinsic time sum eps^2 or over the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from privref.adaptive.protocol import Machine, reads_remaining
from privref.adaptive.replay import ReplayRow
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.reproductions.charts import Chart, Curve, enclosures


def readings_chart(
    rows: Sequence[ReplayRow],
    machines: Mapping[str, Machine[Any]],
    *,
    axis: str = "round",
    budget: Fraction | None = None,
) -> Chart:
    """One curve per machine that read anything, as far as it did; a cross where a filter halted, and the budget.

    ``axis`` is "round", or "time" for sum eps^2 (2 sum rho for zCDP events), which every event must have.
    """
    if axis not in ("time", "round"):
        raise InputError("axis", axis, "give time or round")
    read = [row for row in rows if any(cell.reading is not None for cell in row.cells.values())]
    places = []
    for row in read:
        place = Fraction(row.round) if axis == "round" else row.time
        if place is None:
            raise InputError("axis", axis, f"the {row.event.kind} event of round {row.round} has no epsilon: use round")
        places.append(place)
    x = tuple(places)
    curves = []
    for name, machine in machines.items():
        y = enclosures([row.cells[name].reading for row in read])
        if any(height is not None for height in y):
            halted = next(
                (place for place, row in zip(x, read, strict=True) if row.cells[name].outcome == "HALT"), None
            )
            label = f"{name} (remaining)" if reads_remaining(machine) else name
            curves.append(Curve(label, machine.statement, x, y, halted_at=halted))
    if budget is not None and x:
        curves.append(Curve("budget", "", x, (Enclosure(budget, budget),) * len(x), dashed=True))
    label = "round" if axis == "round" else "sum of eps^2"
    return Chart(
        "replay",
        "Readings of filters and odometers",
        label,
        "epsilon",
        tuple(curves),
        "An odometer's reading bounds the loss so far; a filter's is the epsilon its theorem gives for what it let "
        "run, and is a guarantee only as part of its budget, fixed in advance. Where a curve says so, it is what "
        "remains of the budget.",
    )
