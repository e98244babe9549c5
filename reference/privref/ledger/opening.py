"""The ledger that a file holds: JSON, or a spreadsheet of any form that is read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from privref.exact.errors import InputError, path_from

from . import documents
from .model import Interaction, Ledger, Neighbours, Parameters
from .reading import ledger_from_document

#: Files in which people keep ledgers and that are not read, with what to do.
_FOREIGN = {
    ".xls": "this is a workbook of Excel 97 to 2003; save it as XLSX or CSV",
    ".ods": "this is an OpenDocument sheet; save it as XLSX or CSV",
    ".pdf": "this is a PDF; copy its table into a sheet, and save that as XLSX or CSV",
    ".docx": "this is a text document; copy its table into a sheet, and save that as XLSX or CSV",
    ".yaml": "this is YAML; write the same as JSON, with every number but counts as a string",
    ".yml": "this is YAML; write the same as JSON, with every number but counts as a string",
}
#: The endings of the spreadsheets that are read.
SHEETS = (".csv", ".tsv", ".xlsx", ".parquet")


def read_ledger(
    path: str | Path,
    *,
    neighbours: Neighbours | None = None,
    parameters: Parameters | None = None,
    interaction: Interaction | None = None,
    progress: Callable[[int], None] = lambda rows: None,
) -> Ledger:
    """Read a ledger file: CSV (``.csv``, ``.tsv``), XLSX or Parquet by its ending, else JSON; ``-`` is standard input.

    The keywords are for spreadsheets only. On standard input, a text that begins with ``{`` is JSON.
    """
    path = path_from(path, "ledger")
    if (remedy := _FOREIGN.get(path.suffix.lower())) is not None:
        raise InputError("ledger", path.name, remedy)
    piped = str(path) == "-"
    text = sys.stdin.read() if piped else None if path.suffix.lower() in SHEETS else documents.read_text(path, "ledger")
    if text is None or (piped and not text.lstrip().startswith("{")):
        from .spreadsheets import ledger_from_csv, sheet_text

        return ledger_from_csv(
            sheet_text(path) if text is None else text,
            "standard input" if piped else path.name,
            neighbours=neighbours,
            parameters=parameters,
            interaction=interaction,
            progress=progress,
        )
    for name, value in (("neighbours", neighbours), ("parameters", parameters), ("interaction", interaction)):
        if value is not None:
            raise InputError(name, value, "a JSON ledger states this itself; the option is for CSV")
    return ledger_from_document(documents.parse(text, "ledger", ledger_from_document))
