"""The oracle's commands: the vectors, the judge, and other libraries before the judge."""

from __future__ import annotations

import os
import sys
from operator import attrgetter
from pathlib import Path

import click

import privref
from privref.cli.shared import FORMAT, PATH, WholeNumber, emit, progress

_FORMATS = ("json", "csv", "rust", "go")


@click.group()
def vectors() -> None:
    """Golden vectors: exact inputs with rigorous enclosures of the right answers."""


@vectors.command(name="list")
@FORMAT
def list_(form: str) -> int:
    """List the statements that have vectors, and the folder that holds them."""
    document = privref.report.vectors_document(privref.golden_vectors(), str(privref.vectors_folder()))
    emit(form, privref.report.vectors_report(document), document)
    return 0


@vectors.command()
@click.option("--check", is_flag=True, help="Compare with the files byte for byte and write nothing.")
@click.option("--output", type=PATH, metavar="DIR", help="Another folder than the package's.")
@click.argument("statements", nargs=-1)
def generate(check: bool, output: Path | None, statements: tuple[str, ...]) -> int:
    """Compute the answers of the vector files (all, or those of some STATEMENTS) with both engines."""
    with progress("checking the vectors" if check else "generating vectors") as report:
        if check:
            told = {"not up to date": tuple(privref.stale_vectors(output, statements, report))}
        else:
            changes = privref.generate_vectors(output, statements, report)
            told = {"written": changes.written, "removed": changes.removed}
    lines = [f"{what}: {name}" for what, names in told.items() for name in names]
    for text in lines or ["all vectors are up to date"]:
        click.echo(text)
    return 1 if check and lines else 0


@vectors.command()
@click.argument("folder", type=PATH, metavar="DIR")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="json", show_default=True)
@click.argument("statements", nargs=-1)
def export(folder: Path, form: str, statements: tuple[str, ...]) -> int:
    """Export the vectors (all, or those of some STATEMENTS) for other languages, into DIR.

    Each case has its inputs' nearest doubles as bits, and the answer for these doubles besides that for the exact
    inputs. The file FORMAT.md that comes along explains every field.
    """
    with progress("exporting") as report:
        names = privref.export_vectors(folder, form, statements, report)
    for name in names:
        click.echo(f"written: {name}")
    return 0


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--rounding",
    type=WholeNumber(0, 1_000_000),
    default=4,
    show_default=True,
    metavar="ULPS",
    help="An answer on the unsafe side by at most ULPS is `rounding`, not `unsound`.",
)
@click.option("--strict", is_flag=True, help="No such tolerance: whatever is on the unsafe side is unsound.")
@click.option("--complete", is_flag=True, help="A case without an answer, or wrongly refused, is a failure.")
@click.option("--partial", is_flag=True, help="The answers cover some of the cases only: one of them is enough.")
@click.option("--binary64", is_flag=True, help="The answers are about the doubles nearest to the inputs.")
@FORMAT
def judge(file: Path, rounding: int, strict: bool, complete: bool, partial: bool, binary64: bool, form: str) -> int:
    """Judge the answers in FILE (- for stdin), JSON lines of {"id": …, "answer": …}, against the vectors.

    Exit code 1 where an answer is unsound or no answer at all to what was asked (or, with --complete, missing), or
    where more than half of the cases that have an answer were refused or answered by infinity (with --partial: all); 2
    where the file cannot be judged; 0 otherwise.
    """
    text = sys.stdin.read() if str(file) == "-" else privref.read_text(file, "answers")
    judgement = privref.judge_answers(
        privref.read_answers(text),
        rounding_ulps=0 if strict else rounding,
        complete=complete,
        partial=partial,
        binary64=binary64,
    )
    emit(form, privref.report.judgement_report(judgement), privref.report.judgement_document(judgement))
    return judgement.exit_code


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="Only this library (repeatable).")
@click.option("--search", type=float, metavar="SECONDS", help="Search beyond the vectors for this long.")
@click.option("--all", "everything", is_flag=True, help="Show every unsound answer, not one for each cause.")
@click.option(
    "--every-case", is_flag=True, help="Ask every case, however long a function takes; by default, for 15 s of CPU."
)
@click.option("--own-floats", is_flag=True, help="Judge privref's own formulas in double arithmetic instead.")
@click.option(
    "--report",
    "folder",
    type=PATH,
    metavar="DIR",
    help="Write a bug report for each cause of gross errors and of bad input taken.",
)
@click.option(
    "--harness",
    "harnesses",
    multiple=True,
    metavar="COMMAND",
    help="A program that puts a library behind JSON lines (repeatable), in the place of the libraries installed.",
)
@click.option("--statement", "ids", multiple=True, metavar="ID", help="Only this statement (repeatable).")
@click.option(
    "--case-seconds",
    type=click.FloatRange(0, 3600, min_open=True),
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one case may take, of processor time.",
)
@click.option(
    "--memory",
    type=WholeNumber(64, 2**20),
    default=8192,
    show_default=True,
    metavar="MIB",
    help="How much memory the process of a library may take.",
)
@click.option("--board", type=PATH, metavar="DIR", help="Write a page, JSON and badges of the run.")
@click.option("--since", type=PATH, metavar="FILE", help="With --board: what changed since this board.json.")
@FORMAT
def peers(
    only: tuple[str, ...],
    search: float | None,
    everything: bool,
    every_case: bool,
    own_floats: bool,
    folder: Path | None,
    harnesses: tuple[str, ...],
    ids: tuple[str, ...],
    case_seconds: float,
    memory: int,
    board: Path | None,
    since: Path | None,
    form: str,
) -> int:
    """Run the libraries that are installed over the vectors that apply to them, each in processes of its own.

    Every answer is judged at the exact values of the doubles that the library was given. A line on each function
    comes as soon as it was run. Exit code 1 where an answer is unsound, or a function answers none of its cases.
    """
    # NaN is in no range of click's, and infinity would never end.
    if search is not None and not 0 < search < float("inf"):
        raise privref.InputError("--search", search, "give a positive number of seconds")
    if harnesses and only:
        raise click.UsageError("--harness runs these programs only; give it without --only")
    if own_floats and (only or harnesses or ids or search is not None):
        raise click.UsageError("--own-floats judges privref on all statements; give it without a library or --search")
    if since is not None and board is None:
        raise click.UsageError("--since is for --board")
    before = None if since is None else privref.report.read_board(since)
    limits = privref.HarnessLimits(case_seconds, memory * 2**20)
    commands = () if own_floats else harnesses or privref.peer_commands(only)
    if own_floats:
        run = privref.own_float_rows()
    elif search is None:
        # No spinner: the rows themselves say how far it is, on stderr where stdout is for the document.
        # One more than processors: while it is computed what is right, that harness waits.
        workers = (os.cpu_count() or 1) + 1
        run = privref.run_harnesses(commands, statements=ids, limits=limits, every_case=every_case, workers=workers)
    else:
        run = privref.search_harnesses(commands, search, statements=ids, limits=limits)
    rows = []
    for row in run:
        rows.append(row)
        click.echo(privref.report.peer_row_line(row), err=form == "json")
    if not rows:
        raise click.UsageError("no library has a function for these statements, or there was no time to ask one")
    # They came as they were done; documents do not depend on that.
    rows.sort(key=attrgetter("peer", "function", "statement"))
    if board is not None:
        document = privref.report.board_document(rows, before)
        for name in privref.report.write_board(board, document):
            click.echo(f"written: {board / name}", err=True)
    if folder is not None:
        for name in privref.report.write_bug_reports(folder, rows):
            click.echo(f"written: {folder / name}", err=True)
    emit(
        form,
        privref.report.peers_report(rows, everything=everything),
        [privref.report.row_document(row) for row in rows],
    )
    return 1 if any(row.worst or not row.answered for row in rows) else 0
