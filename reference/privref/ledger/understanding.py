"""How the columns of a sheet are understood, with a cell of each, for somebody to look at before an audit."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

from privref.exact.errors import InputError
from privref.exact.numbers import rational

from . import sheet_events, sheets
from .cells import NOTHING, nearest_decimal

#: What a column is, in words.
_WORDS = {name: of["is"] for columns in sheet_events.COLUMNS.values() for name, of in columns.items() if "is" in of}
#: What a verdict does not depend on.
_DECIDES_NOTHING = ("label", "date", "source")
_OF_NUMBERS = ("epsilon", "delta", "rho", "mu", *sheet_events.NUMBERS)
#: Rows that are looked at for a cell that is not empty.
_MOST_ROWS = 1_000
_MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """A column: where its heading stands, what it means, and its first cell that is not empty, as it is read."""

    cell: str
    heading: str
    meaning: str
    at: str = ""
    written: str = ""
    read: str = ""
    decides: bool = True
    """Whether a verdict may depend on the column."""


def columns_understood(text: str) -> tuple[ColumnReading, ...]:
    """Return how each column of a sheet is understood; InputError where there is no table."""
    above, between = sheets.head_of(text)
    rest = text.split("\n", above)[-1]
    reader = csv.reader(StringIO(rest), strict=True, delimiter=between)
    try:
        header = next(reader, [])
        rows = [(above + reader.line_num, cells) for _, cells in zip(range(_MOST_ROWS), reader, strict=False)]
    except csv.Error as error:
        raise InputError("ledger", str(error), "mend the CSV; its lines end in LF or CR LF") from None
    columns, _ = sheets.columns_of(header)
    commas = between == ";" or sheets.has_decimal_commas(rest, between, columns.meanings)
    return tuple(_reading(columns, i, above + 1, rows, commas=commas) for i in range(len(header)))


def _reading(
    columns: sheets.SheetColumns, i: int, line: int, rows: list[tuple[int, list[str]]], *, commas: bool
) -> ColumnReading:
    meaning = columns.meanings[i]
    words = _WORDS[meaning] if meaning else "a word about the release, kept with its name"
    if not meaning and sheets.is_unused(columns.header[i], [c[i] for _, c in rows if i < len(c)], is_first=i == 0):
        words = "a number that privref does not use: it counts or dates the rows, or says how large something is"
    decides = bool(meaning) and meaning not in _DECIDES_NOTHING
    if meaning == "part" and columns.partition:
        words = f"part of {columns.partition} that the row reads"
    if meaning == "mechanism" and not _gives_parameters(columns, rows):
        words = "a word about the row, from which nothing follows: no row gives a parameter of a mechanism"
        decides = False
    if meaning in columns.rounded:
        words += ", published rounded"
    at, written = next(_filled(rows, i), (0, ""))
    place = f"{sheets.letters(i)}{at}" if at else ""
    read = _read(written, meaning, commas=commas) if meaning in _OF_NUMBERS else ""
    heading = columns.header[i].strip()
    return ColumnReading(f"{sheets.letters(i)}{line}", heading, words, place, written[:_MOST_SHOWN], read, decides)


def _gives_parameters(columns: sheets.SheetColumns, rows: list[tuple[int, list[str]]]) -> bool:
    """Return whether any of these rows gives a parameter of a mechanism."""
    names = (*sheet_events.NUMBERS, "shifts")
    return any(meaning in names and any(_filled(rows, i)) for i, meaning in enumerate(columns.meanings))


def _filled(rows: list[tuple[int, list[str]]], i: int) -> Iterator[tuple[int, str]]:
    for line, cells in rows:
        if i < len(cells) and cells[i].strip().casefold() not in ("", *NOTHING):
            yield line, cells[i].strip()


def _read(written: str, meaning: str, *, commas: bool) -> str:
    """Return a number as it is read; a question mark where privref has to ask."""
    if not written:
        return ""
    try:
        if meaning in ("epsilon", "delta", "rho", "mu") and (nearest := nearest_decimal(written, f"cell.{meaning}")):
            return f"{nearest}, rounded"
        number = sheets.cell_number(written, f"cell.{meaning}", commas=commas)
        rational(number, "cell")
        return number[:_MOST_SHOWN]
    except InputError:
        return "?"
