"""Replays and calibrations, as documents, as text and as pictures, over the intrinsic time or over the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from rich.console import Group, RenderableType
from rich.text import Text

from privref.adaptive.calibrate import Calibration
from privref.adaptive.protocol import Machine, failure_of, reads_remaining
from privref.adaptive.running import Cell, ReplayRow
from privref.audit.replayed import Replay
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import spell, written
from privref.reproductions.figures import Chart, Curve, enclosures
from privref.statements.hypotheses import promised
from privref.statements.theorems import cited

from . import chart
from .lines import line, text_table
from .text import plain_ends


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


_DIGITS = 10
_REMAINING = "; what remains of a budget is rounded down"


def _reading(reading: Enclosure | Literal["inf"] | None) -> Any:
    if reading is None or isinstance(reading, str):
        return reading
    lower, upper = reading.decimals(_DIGITS)
    return {"lower": lower, "upper": upper}


def replay_document(result: Replay) -> dict[str, Any]:
    """A replay as one JSON document: every decision, and the readings where they were taken."""
    return {
        "schema": "replay.1",
        "budget": {"epsilon": spell(result.setup.eps), "delta": spell(result.setup.delta)},
        "machines": {
            name: {
                "statement": machine.statement,
                "hypotheses": [hypothesis.value for hypothesis in machine.hypotheses],
                "failure": failure_of(machine),
                "reading": "remaining" if reads_remaining(machine) else "spent or shown",
            }
            for name, machine in result.machines.items()
        },
        "not_built": result.refused,
        "rounds": [
            {
                "round": row.round,
                "event": row.event.kind,
                "machines": {
                    name: {
                        key: value
                        for key, value in (
                            ("outcome", cell.outcome),
                            ("reading", _reading(cell.reading)),
                            ("reason", cell.reason),
                        )
                        if value
                    }
                    for name, cell in row.cells.items()
                },
            }
            for row in result.rows
        ],
    }


def _cell(cell: Cell, *, remaining: bool) -> str:
    """An outcome and its reading, rounded to the safe side: what remains down, everything else up."""
    if cell.outcome == "inapplicable":
        return "n/a"
    if cell.reading is None or isinstance(cell.reading, str):
        return f"{cell.outcome} {cell.reading or ''}".strip()
    return f"{cell.outcome} {plain_ends(cell.reading, 6)[0 if remaining else 1]}"


def replay_report(result: Replay) -> RenderableType:
    """A replay as text: a table of rounds against machines, and what each machine did in the end."""
    shown = [row for row in result.rows if any(cell.reading is not None for cell in row.cells.values())]
    shown = shown or [result.rows[-1]]
    live = [name for name in result.machines if any(row.cells[name].outcome != "inapplicable" for row in shown)]
    left = {name for name in live if reads_remaining(result.machines[name])}
    steps = text_table("round", "event", *(f"{name} (remaining)" if name in left else name for name in live))
    for row in shown:
        steps.add_row(
            str(row.round), line(row.event.kind), *(_cell(row.cells[name], remaining=name in left) for name in live)
        )
    summary = text_table("machine", "let run", "in the end", "")
    for name in result.machines:
        last = result.rows[-1].cells[name]
        admitted = sum(row.cells[name].outcome == "CONT" for row in result.rows)
        halted = next((row for row in result.rows if row.cells[name].outcome == "HALT"), None)
        why = last.reason
        if halted is not None and last.outcome == "HALT":
            why = f"first refused: round {halted.round}; {halted.cells[name].reason}"
        summary.add_row(name, f"{admitted} of {len(result.rows)}", last.outcome, line(why))
    bounded: dict[str, list[str]] = {}
    for name in live:
        if said := promised(failure_of(result.machines[name])):
            bounded.setdefault(said, []).append(name)
    shows = [line(f"{', '.join(names)}: delta bounds {said}") for said, names in bounded.items()]
    refused = [line(f"not built: {name}: {why}", "dim") for name, why in result.refused.items()]
    head = Text(
        f"budget ({written(result.setup.eps)}, {written(result.setup.delta)}); readings are rounded up: "
        "what a filter has spent, what an odometer shows" + _REMAINING * bool(left)
    )
    return Group(head, Text(""), steps, Text(""), summary, *shows, *refused)


def replay_picture(result: Replay, axis: str, form: str) -> bytes:
    """The readings of a replay as a picture, over the round or over the sum of epsilon squared."""
    found = readings_chart(result.rows, result.machines, axis=axis, budget=result.setup.eps)
    return chart.draw(found, form)


def calibration_report(found: Calibration, budget: str = "") -> RenderableType:
    """What a rule still admits and what it does not; or what is within a budget and what is not, by which theorem."""
    value, refused = found.texts
    if not budget:
        return line(f"{found.rule}, {cited(found.statement)}: {found.unknown} = {value} is admitted, {refused} is not")
    said = f"{found.unknown} = {value} is within ({budget}), {refused} is not; by {cited(found.statement)}"
    return Group(line(said), *(line(f"  premise: {premise}") for premise in found.premises))


def calibration_document(found: Calibration) -> dict[str, Any]:
    """A calibration as a JSON document."""
    return {
        "rule": found.rule,
        "statement": found.statement,
        "unknown": found.unknown,
        "value": spell(found.value),
        "refused": spell(found.refused),
        **({"premises": list(found.premises)} if found.premises else {}),
    }
