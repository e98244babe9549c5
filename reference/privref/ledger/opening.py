"""The ledger that a file holds: JSON, or a spreadsheet of any form that is read."""

from __future__ import annotations

import codecs
import contextlib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from privref.exact.errors import InputError, path_from

from . import documents
from .model import Interaction, Ledger, Neighbours, Parameters
from .reading import ledger_from_document

_TABLE = "copy its table into a sheet, and save that as XLSX or CSV"
#: Files in which people keep ledgers and that are not read, with what to do.
_FOREIGN = {
    ".xls": "this is a workbook of Excel 97 to 2003, or one with a password; save it as XLSX without one, or as CSV",
    ".ods": "this is an OpenDocument sheet; save it as XLSX or CSV",
    ".numbers": "this is a sheet of Apple Numbers; export it as XLSX or CSV",
    ".pdf": f"this is a PDF; {_TABLE}",
    ".docx": f"this is a text document; {_TABLE}",
    ".html": f"this is a web page (HTML); {_TABLE}",
    ".yaml": documents.YAML,
    ".yml": documents.YAML,
}
#: How such files begin, and a part that is in such an archive.
_BEGINNINGS = {b"%pdf": ".pdf", b"\xd0\xcf\x11\xe0": ".xls", b"<html": ".html", b"<!doc": ".html", b"<tabl": ".html"}
_PARTS = {
    "xl/workbook.xml": ".xlsx",
    "word/document.xml": ".docx",
    "content.xml": ".ods",
    "Index/Document.iwa": ".numbers",
}
#: The endings of the spreadsheets that are read.
SHEETS = (".csv", ".tsv", ".xlsx", ".parquet")


def _kind(path: Path) -> str:
    """Return the ending that a file's content asks for; its own where the content does not say."""
    if not path.is_file():  # of a pipe nothing is read twice
        return path.suffix.lower()
    with contextlib.suppress(OSError):
        with path.open("rb") as file:
            start = file.read(256).lstrip(b"\xef\xbb\xbf \r\n\t").lower()
        if start.startswith(b"pk\x03\x04"):
            # Imported late: most ledgers are not archives.
            import zipfile

            with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
                return next((kind for part, kind in _PARTS.items() if part in archive.NameToInfo), path.suffix.lower())
        return next((kind for bytes_, kind in _BEGINNINGS.items() if start.startswith(bytes_)), path.suffix.lower())
    return path.suffix.lower()


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
    piped, ending = str(path) == "-", path.suffix.lower()
    kind = "" if piped else _kind(path)
    if kind == ".xlsx" and ending != kind:
        raise InputError("ledger", path.name, "this is an XLSX workbook; give its name the ending .xlsx")
    if (remedy := _FOREIGN.get(kind)) is not None:
        raise InputError("ledger", path.name, remedy)
    data = sys.stdin.buffer.read() if piped else None
    if ending in SHEETS or (data is not None and not data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")):
        from .sheets import placed
        from .spreadsheets import ledger_from_csv, read_sheet

        text, digest = read_sheet(path, data)
        try:
            ledger = ledger_from_csv(
                text,
                "standard input" if piped else path.name,
                neighbours=neighbours,
                parameters=parameters,
                interaction=interaction,
                progress=progress,
            )
        except InputError as error:
            raise placed(error, text, cells=True) if ending == ".xlsx" else error from None
        # Of the bytes as they came, which the reader of a report has too; ledger_from_csv has the decoded text only.
        return replace(ledger, digest=digest, digest_of="the bytes read" if piped else "the file's bytes")
    text = documents.read_text(path, "ledger") if data is None else documents.decoded(data, path, "ledger")
    if text.strip() and text.lstrip()[0] not in '{["':
        other = f"a ledger is JSON, or a sheet whose name ends in one of {', '.join(SHEETS)}; if this is one, rename it"
        raise InputError("ledger", path.name, documents.YAML if documents.is_yaml(text) else other)
    for name, value in (("neighbours", neighbours), ("parameters", parameters), ("interaction", interaction)):
        if value is not None:
            raise InputError(name, value, "leave it out: a JSON ledger states this; the option is for a sheet")
    return ledger_from_document(documents.parse(text, "ledger", ledger_from_document))
