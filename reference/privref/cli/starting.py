"""From a spreadsheet to a ledger: ``privref init`` asks what a spreadsheet cannot say."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

import privref
from privref.cli.shared import PATH, write_file

_QUESTIONS = {
    "neighbours": (
        "Neighbouring data sets: one record replaced, one added or removed, or one zeroed out",
        ["replace-one", "add-or-remove-one", "zero-out"],
    ),
    "parameters": (
        "Privacy parameters: all fixed in advance, or some chosen after earlier answers were seen",
        ["fixed-in-advance", "chosen-adaptively"],
    ),
    "interaction": ("Releases: one after the other, or interleaved with each other", ["sequential", "concurrent"]),
}


def _ask(question: str, option: str, **prompt: Any) -> str:
    """Ask at the terminal; UsageError with the option where nobody is there to answer."""
    try:
        answer: str = click.prompt(question, err=True, **prompt)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise click.UsageError(
            f"init asks questions, and there is no terminal: give --{option}, and whichever of --title, "
            "--privacy-unit, --neighbours, --parameters and --interaction are missing"
        ) from None
    return answer


@click.command()
@click.argument("sheet", type=PATH)
@click.option("--out", type=PATH, metavar="FILE", help="[SHEET with the ending .ledger.json]")
@click.option("--title", help="What the ledger is about.")
@click.option("--privacy-unit", help="Whose data one record is, e.g. person or user-day.")
@click.option("--neighbours", type=click.Choice(_QUESTIONS["neighbours"][1]))
@click.option("--parameters", type=click.Choice(_QUESTIONS["parameters"][1]))
@click.option("--interaction", type=click.Choice(_QUESTIONS["interaction"][1]))
def init(sheet: Path, out: Path | None, title: str | None, privacy_unit: str | None, **declared: Any) -> int:
    """Write a ledger from a spreadsheet (CSV or XLSX), and ask what the spreadsheet cannot say."""
    ledger = privref.read_ledger(sheet)
    if ledger.document is not None:
        raise privref.InputError("sheet", str(sheet), "this is a ledger already")
    target = out or sheet.with_suffix(".ledger.json")
    if target.exists():
        raise privref.InputError("--out", str(target), "this file exists; name another with --out")
    click.echo(f"{sheet}: {len(ledger.events)} event(s), {ledger.rounds} round(s)", err=True)
    title = title or _ask("Title", "title", default=sheet.stem)
    privacy_unit = privacy_unit or ledger.privacy_unit or _ask("Privacy unit", "privacy-unit", default="person")
    for name, (question, choices) in _QUESTIONS.items():
        if declared[name] is None:
            declared[name] = _ask(question, name, type=click.Choice(choices, case_sensitive=False))
    ledger = privref.read_ledger(sheet, **declared)  # what a noise multiplier means depends on the neighbours
    document = privref.ledger_document(ledger, title=title, privacy_unit=privacy_unit, **declared)
    write_file(target, json.dumps(document, indent=1, ensure_ascii=False) + "\n", "--out")
    click.echo(str(target))
    return 0
