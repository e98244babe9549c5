"""``privref audit-batch``: the ledger of every unit of an events file audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import privref
from privref.cli.shared import FORMAT, PATH, WholeNumber, emit, progress, read_key, stated_claims


@click.command(name="audit-batch")
@click.argument("events", type=PATH)
@click.argument("claims", type=PATH, required=False)
@click.option("--unit", required=True, metavar="COLUMN", help="The column that says whose event a row is.")
@click.option(
    "--ledger", required=True, type=PATH, metavar="META.json", help="What all units share: a ledger without its events."
)
@click.option(
    "--claim", "stated", multiple=True, metavar="EPS,DELTA", help="A claim on every unit, instead of a CLAIMS file."
)
@click.option("--output", required=True, type=PATH, metavar="DIR", help="A new folder.")
@click.option("--table", type=click.Choice(["parquet", "csv"]), default="parquet", help="Form of the units' table.")
@click.option(
    "--quarantine",
    type=PATH,
    metavar="FILE",
    help="Write rows that cannot be read here; their units are out of scope. Otherwise such rows are refused.",
)
@click.option("--ignore", "ignored", multiple=True, metavar="COLUMN", help="A column that says nothing; repeatable.")
@click.option(
    "--engine",
    type=click.Choice(["duckdb", "spark"]),
    default="duckdb",
    show_default=True,
    help="What groups and joins.",
)
@click.option("--workers", type=WholeNumber(1, 1024), help="Processes that audit [one per core].")
@click.option("--memory", default="2GB", show_default=True, help="What the engine may hold before it uses the disk.")
@click.option(
    "--key",
    type=PATH,
    metavar="FILE",
    help="A secret that salts the units' hashes [one is made, and kept in the output].",
)
@click.option("--ordered-by", metavar="COLUMN", help="The place of each event among those of its unit.")
@click.option("--filter", metavar="NAME", help="Also say where this filter of each unit alone halts: renyi-filter, …")
@click.option("--different-units", is_flag=True, help="Units whose names look alike are different ones.")
@click.option("--best", is_flag=True, help="Look for the smallest bound of each unit; the verdicts are the same.")
@FORMAT
def audit_batch(
    events: Path, claims: Path | None, ledger: Path, stated: tuple[str, ...], key: Path | None, form: str, **given: Any
) -> int:
    """Audit the ledger of every unit of EVENTS (Parquet or CSV: one row per event) against the CLAIMS.

    Equal ledgers are audited once. What is interrupted is continued by the same command.
    """
    if (claims is None) == (not stated):
        raise click.UsageError("give a CLAIMS file or --claim EPS,DELTA")
    shared = privref.parse_document(privref.read_text(ledger, "ledger"), "ledger")
    if claims is not None:
        wanted = privref.parse_document(privref.read_text(claims, "claims"), "claims")
    else:
        wanted = stated_claims(stated)
    secret = None if key is None else read_key(key)
    with progress("auditing") as report:
        summary = privref.audit_batch(events, ledger=shared, claims=wanted, key=secret, progress=report, **given)
    emit(form, privref.report.batch_report(summary), summary)
    return privref.batch_exit_code(summary)
