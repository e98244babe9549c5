"""Commands on filters, odometers and bounds: replay, compare, calibrate, figures, tables, errata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import privref
from privref.cli.shared import FORMAT, PATH, WholeNumber, budget_of, declared, emit, progress, write_file

_PICTURES = (".svg", ".png")


def _form(path: Path) -> str:
    if path.suffix.lower() not in _PICTURES:
        raise privref.InputError("output", str(path), "name a file that ends in .svg or .png")
    return path.suffix.lower()[1:]


def _ledger(path: Path, sheet: dict[str, Any]) -> privref.Ledger:
    with progress("reading the ledger") as report:
        return privref.read_ledger(path, **sheet, progress=lambda rows: report(f"line {rows}"))


@click.command()
@click.argument("ledger", type=PATH)
@click.option(
    "--budget", metavar="EPS,DELTA", required=True, help="The budget (epsilon, delta) of every filter, e.g. 1,1e-6."
)
@click.option(
    "--delta-prime", metavar="NUMBER", help="The part of delta for the conversion or the martingale [delta/2]."
)
@click.option("--machine", "machines", multiple=True, metavar="NAME", help="Only this machine; may be repeated.")
@click.option("--rows", type=WholeNumber(1), default=20, show_default=True, help="About how many rounds to show.")
@click.option("--plot", type=PATH, metavar="FILE", help="Draw the readings, .svg or .png.")
@click.option("--axis", type=click.Choice(["round", "time"]), default="round", show_default=True, help="Of the plot.")
@declared
@FORMAT
def replay(
    ledger: Path,
    budget: str,
    delta_prime: str | None,
    machines: tuple[str, ...],
    rows: int,
    plot: Path | None,
    axis: Any,
    sheet: dict[str, Any],
    form: str,
) -> int:
    """Run the requests of LEDGER through every filter and odometer, step by step."""
    picture_form = None if plot is None else _form(plot)
    record = _ledger(ledger, sheet)
    with progress("replaying"):
        result = privref.replay(record, budget_of(budget), delta_prime=delta_prime, machines=machines, rows=rows)
        picture = None if picture_form is None else privref.report.replay_picture(result, axis, picture_form)
    if plot is not None and picture is not None:
        write_file(plot, picture, "output")
    emit(form, privref.report.replay_report(result), privref.report.replay_document(result))
    return 0


@click.command()
@click.argument("ledger", type=PATH)
@click.option("--delta", metavar="NUMBER", required=True, help="The delta at which epsilons are compared.")
@declared
@FORMAT
def compare(ledger: Path, delta: str, sheet: dict[str, Any], form: str) -> int:
    """List every valid bound on epsilon for LEDGER at a delta, the tightest first."""
    record = _ledger(ledger, sheet)
    with progress("comparing"):
        result = privref.compare(record, delta)
    emit(form, privref.report.comparison_report(*result), privref.report.comparison_document(*result))
    return 0


@click.command()
@click.argument("rule")
@click.option("--budget", metavar="EPS,DELTA", required=True, help="The budget (epsilon, delta).")
@click.option(
    "--kind", type=click.Choice(["pure-dp", "approx-dp", "pdp", "zcdp", "gaussian-dp"]), default="pure-dp",
    show_default=True, help="What each round guarantees.",
)  # fmt: skip
@click.option("--rounds", type=WholeNumber(1), help="Number of rounds; the cost per round is then calibrated.")
@click.option(
    "--cost", metavar="NUMBER", help="Cost per round (epsilon, rho or mu); the number of rounds is calibrated."
)
@click.option("--round-delta", metavar="NUMBER", default="0", help="The delta of each round.")
@click.option("--delta-prime", metavar="NUMBER", help="The part of delta for the conversion [delta/2].")
@click.option("--size", metavar="NUMBER", help="The public size of the data set, for odometers that need one.")
@click.option("--resolution", metavar="NUMBER", default="1e-6", show_default=True, help="Of the cost.")
@FORMAT
def calibrate(rule: str, budget: str, form: str, **given: Any) -> int:
    """The largest cost per round, or number of rounds, that RULE (a machine or a theorem) admits in a budget."""
    with progress("calibrating"):
        found = privref.calibrate(rule, budget_of(budget), **given)
    document = privref.report.calibration_document(found)
    emit(form, privref.report.calibration_report(found), document)
    return 0


@click.command(name="calibrate-sgd")
@click.argument("budget", metavar="EPS,DELTA", required=False)
@click.option("--rate", metavar="NUMBER", help="The rate of the Poisson samples, e.g. 256/60000.")
@click.option("--steps", type=WholeNumber(1), help="Number of steps; privref finds the least noise multiplier.")
@click.option("--sigma", metavar="NUMBER", help="The noise multiplier; privref finds the most steps.")
@click.option("--resolution", metavar="NUMBER", default="0.01", show_default=True, help="Of the noise multiplier.")
@FORMAT
def calibrate_sgd(
    budget: str | None, rate: str | None, steps: int | None, sigma: str | None, resolution: str, form: str
) -> int:
    """The least noise multiplier, or the most steps, of DP-SGD within a budget, certified from both sides."""
    missing = [name for name, given in (("a budget EPS,DELTA", budget), ("--rate", rate)) if given is None]
    missing += ["one of --steps or --sigma"] if (steps is None) == (sigma is None) else []
    if budget is None or rate is None or missing:
        raise click.UsageError(
            f"give {' and '.join(missing)}: `privref calibrate-sgd 1,1e-5 --rate 256/60000 --steps 1000` finds the "
            "noise, and `privref calibrate-sgd 1,1e-5 --rate 256/60000 --sigma 2` finds the number of steps"
        )
    with progress("calibrating"):
        found = privref.calibrate_sgd(
            budget_of(budget, "budget"), rate=rate, steps=steps, sigma=sigma, resolution=resolution
        )
    emit(form, privref.report.calibration_report(found, budget or ""), privref.report.calibration_document(found))
    return 0


@click.command()
@click.option("--out", type=PATH, metavar="DIR", required=True, help="Where to write them.")
@click.option("--only", metavar="NAME", help="One figure, e.g. whitehouse-2a or hartmann-1.")
def figures(out: Path, only: str | None) -> int:
    """Draw the papers' figures from rigorous values, as SVG."""
    pictures = {}
    with progress("drawing") as report:
        for name in privref.figure_names() if only is None else (only,):
            report(name)
            pictures[name] = privref.figure(name)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise privref.InputError("--out", str(out), f"name a folder that can be written ({error.strerror})") from None
    for name, picture in pictures.items():
        write_file(out / f"{name}.svg", picture, "output")
        click.echo(str(out / f"{name}.svg"))
    return 0


@click.command()
@click.argument("name", required=False)
@click.option("--plot", type=PATH, metavar="FILE", help="Draw the OptDel table, .svg.")
@FORMAT
def tables(name: str | None, plot: Path | None, form: str) -> int:
    """Recompute a table of the papers (without NAME: list them)."""
    if name is None:
        emit(form, "\n".join(privref.table_names()), list(privref.table_names()))
        return 0
    with progress(name):
        rows = privref.table(name)
    if plot is not None:
        write_file(plot, privref.report.table_picture(name), "output")
    emit(form, privref.report.table_report(rows), rows)
    return 0


@click.command()
@click.option(
    "--paper", metavar="P", help="Only what concerns one paper: rogers2016, whitehouse2023, hartmann2022, kov2015."
)
@FORMAT
def errata(paper: str | None, form: str) -> int:
    """List what is wrong, loose or to be noted in the papers or the copies read, and what it means for an auditor."""
    rows = privref.errata(paper)
    emit(form, privref.report.errata_report(rows), privref.report.errata_document(rows))
    return 0


@click.command()
@click.option("--most", type=WholeNumber(1), default=1000, show_default=True, help="Leave out ledgers of more rounds.")
@click.option("--no-peers", is_flag=True, help="Only our own times.")
@click.option("--svg", type=PATH, metavar="FILE", help="Draw width against time here.")
@FORMAT
def bench(most: int, no_peers: bool, svg: Path | None, form: str) -> int:
    """Time optimal composition alongside the libraries that are installed, with the width of every answer."""
    rows = []
    with progress("measuring") as report:
        for row in privref.bench(most, peers=not no_peers):
            report(f"{row.question}, {row.tool}")
            rows.append(row)
    if svg is not None:
        privref.report.bench_plot(rows, svg)
    emit(form, privref.report.bench_report(rows), privref.report.bench_document(rows))
    return 0
