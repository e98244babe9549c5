"""Replays, comparisons, calibrations, figures and tables for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from rich.console import Group, RenderableType
from rich.text import Text

from privref.adaptive import calibrate as calibration
from privref.adaptive.machines import Setup
from privref.adaptive.protocol import reads_remaining
from privref.adaptive.replay import Cell, every
from privref.audit.opinions import Bound
from privref.audit.replayed import Replay, replay_ledger, setup_for
from privref.audit.routes import Application
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import at_least_zero, count, pair, probability, rational, spell
from privref.exact.work import metered
from privref.ledger.model import Ledger
from privref.statements import errata

from . import bench, chart, figures, odp_figures, odp_tables, readings
from .documents import bound_document, inapplicable_document
from .price_table import price_of_adaptivity
from .text import bounds_table, inapplicable_lines, line, plain_ends, text_table

_DIGITS = 10
_REMAINING = "; what remains of a budget is rounded down"


# --- replay -----------------------------------------------------------------------------------------------------


def replay(
    ledger: Ledger,
    budget: object,
    *,
    delta_prime: object = None,
    machines: Sequence[str] = (),
    rows: object = 20,
) -> Replay:
    """Run the requests of a ledger through filters and odometers with one budget; readings at about ``rows`` rounds.

    The budget is a pair of exact numbers, or text with a comma between them. Raises InputError for a number that is not
    exact, and for a machine that does not exist or can not be built from the budget and the declarations.
    """
    slack = None if delta_prime is None else at_least_zero(delta_prime, "delta_prime")
    setup = setup_for(ledger, *pair(budget, "budget"), slack)
    requested = sum(event.count for event in ledger.events)
    read = every(count(rows, "rows", least=1), requested)
    # Building the machines is part of the question: their limits are enclosed for whatever budget was given.
    with metered():
        return replay_ledger(ledger, setup, read=read, names=tuple(machines))


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
    refused = [line(f"not built: {name}: {why}", "dim") for name, why in result.refused.items()]
    head = Text(
        f"budget ({spell(result.setup.eps)}, {spell(result.setup.delta)}); readings are rounded up: "
        "what a filter has spent, what an odometer shows" + _REMAINING * bool(left)
    )
    return Group(head, Text(""), steps, Text(""), summary, *refused)


def replay_picture(result: Replay, axis: str, form: str) -> bytes:
    """The readings of a replay as a picture, over the round or over the sum of epsilon squared."""
    found = readings.readings_chart(result.rows, result.machines, axis=axis, budget=result.setup.eps)
    return chart.draw(found, form)


# --- compare ----------------------------------------------------------------------------------------------------


def comparison_document(
    bounds: Sequence[Bound], inapplicable: Sequence[Application], undecided: Sequence[str]
) -> dict[str, Any]:
    """All bounds at one delta as a JSON document."""
    return {
        "schema": "comparison.1",
        "bounds": [bound_document(bound) for bound in bounds],
        "inapplicable": [inapplicable_document(application) for application in inapplicable],
        "undecided": list(undecided),
    }


def comparison_report(
    bounds: Sequence[Bound], inapplicable: Sequence[Application], undecided: Sequence[str]
) -> RenderableType:
    """All bounds at one delta as a table, the tightest first."""
    parts: list[RenderableType] = [bounds_table(bounds, "epsilon")] if bounds else [Text("no theorem applies")]
    parts += inapplicable_lines(inapplicable)
    parts += [line(f"  undecided: {what}") for what in undecided]
    return Group(*parts)


# --- calibrate --------------------------------------------------------------------------------------------------


def calibrate(
    rule: str,
    budget: object,
    *,
    kind: calibration.Kind = "pure-dp",
    rounds: object = None,
    cost: object = None,
    round_delta: object = "0",
    delta_prime: object = None,
    size: object = None,
    resolution: object = "1e-6",
) -> calibration.Calibration:
    """The largest cost per round, or number of rounds, that a machine or theorem admits, certified from both sides.

    Numbers are exact (integers, Fractions, strings); the budget is a pair of them, or text with a comma between them.
    """

    def number(value: object, field: str) -> Fraction | None:
        return None if value is None else at_least_zero(value, field)

    setup = Setup(*pair(budget, "budget"), delta_prime=number(delta_prime, "delta_prime"), n=number(size, "size"))
    times = None if rounds is None else count(rounds, "rounds", least=1)
    plan = calibration.Plan(kind, number(cost, "cost"), times, probability(round_delta, "round_delta"))
    return calibration.calibrate(rule, setup, plan, rational(resolution, "resolution"))


def calibration_document(found: calibration.Calibration) -> dict[str, str]:
    """A calibration as a JSON document."""
    return {
        "rule": found.rule,
        "statement": found.statement,
        "unknown": found.unknown,
        "value": spell(found.value),
        "refused": spell(found.refused),
    }


# --- figures and tables -----------------------------------------------------------------------------------------

_ODP_FIGURES = {
    "hartmann-1": odp_figures.draw_figure_1,
    "hartmann-2": odp_figures.draw_figure_2,
    "hartmann-optdel-gap": odp_figures.draw_optdel_gap,
}
_TABLES = {
    "hartmann-table-1": odp_tables.table_1,
    "hartmann-figure-1": odp_tables.figure_1,
    "hartmann-figure-2": odp_tables.figure_2,
    "optdel-against-lemma-11": odp_tables.optdel_against_lemma11,
    "price-of-adaptivity": price_of_adaptivity,
}


def figure_names() -> tuple[str, ...]:
    """The figures that ``figure`` draws."""
    return (*(f"whitehouse-{name}" for name in figures.FIGURES), *_ODP_FIGURES)


def figure(name: str) -> bytes:
    """One of the papers' figures as SVG, from rigorous values."""
    if name not in figure_names():
        raise InputError("figure", name, f"give one of {', '.join(figure_names())}")
    if name in _ODP_FIGURES:
        return _ODP_FIGURES[name]().encode()
    return figures.figure(name.removeprefix("whitehouse-"), "svg")


def table_names() -> tuple[str, ...]:
    """The tables that ``table`` computes."""
    return tuple(_TABLES)


def table(name: str) -> list[dict[str, str]]:
    """One of the papers' tables, recomputed: rows of exact spellings and outward-rounded decimals."""
    if name not in _TABLES:
        raise InputError("table", name, f"give one of {', '.join(_TABLES)}")
    return list(_TABLES[name]())


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
    return odp_figures.draw_optdel_gap().encode()


# --- errata -----------------------------------------------------------------------------------------------------


def list_errata(paper: str | None = None) -> tuple[errata.Erratum, ...]:
    """What is wrong in the papers, or in one of them; InputError for a paper without errata."""
    if paper is None:
        return errata.rows()
    papers = sorted({concerned for row in errata.rows() for concerned in errata.concerned(row)})
    if paper not in papers:
        raise InputError("--paper", paper, f"give one of {', '.join(papers)}")
    return errata.for_paper(paper)


def errata_document(rows: Sequence[errata.Erratum]) -> dict[str, Any]:
    """Errata as a JSON document."""
    return {"schema": "errata.1", "errata": [asdict(row) for row in rows]}


def errata_report(rows: Sequence[errata.Erratum]) -> RenderableType:
    """Errata as text."""
    parts: list[RenderableType] = []
    for row in rows:
        parts.append(Text.assemble((row.id, "bold"), f" ({row.severity}) {row.where}"))
        parts += [
            Text(f"  printed      {row.printed}"),
            Text(f"  correct      {row.correct}"),
            Text(f"  for auditors {row.consequence}"),
        ]
    return Group(*parts)


# --- bench ------------------------------------------------------------------------------------------------------


def bench_rows(most: object = 1000, *, peers: bool = True) -> Iterator[bench.Row]:
    """Measure optimal composition on ledgers of at most so many rounds, beside the installed libraries."""
    return bench.run(bench.questions(count(most, "most", least=1)), peers=peers)


def bench_report(rows: Sequence[bench.Row]) -> RenderableType:
    """The measurements as a table, and which libraries were left out."""
    missing = [Text(f"{package} is not installed: its rows are left out") for package in bench.missing_peers()]
    return Group(bench.table(rows), *missing)


def bench_document(rows: Sequence[bench.Row]) -> dict[str, Any]:
    """The measurements as a JSON document; times and widths are measurements, not bounds."""
    return {"schema": "bench.1", "not_installed": bench.missing_peers(), "rows": [asdict(row) for row in rows]}


def bench_plot(rows: Sequence[bench.Row], path: Path) -> None:
    """Width against time on the ledger of 1,000 rounds, as SVG."""
    try:
        bench.plot(rows, "1,000 random", path)
    except OSError as error:
        raise InputError("--svg", str(path), f"name a file that can be written ({error.strerror})") from None
