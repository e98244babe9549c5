"""Ledgers from the text of a spreadsheet: ``epsilon,delta[,count]`` or ``rho[,count]``, or what ``sheets`` reads."""

from __future__ import annotations

import codecs
import contextlib
import csv
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

from privref.exact.errors import InputError
from privref.exact.given import require_text

from . import columns, documents, sheets
from .model import Event, Interaction, Ledger, Neighbours, Parameters
from .reading import guarantee_from

_CSV_COLUMNS = (("epsilon", "delta"), ("epsilon", "delta", "count"), ("rho",), ("rho", "count"))


def ledger_from_csv(
    text: str,
    title: str,
    *,
    neighbours: Neighbours | None = None,
    parameters: Parameters | None = None,
    interaction: Interaction | None = None,
    progress: Callable[[int], None] = lambda rows: None,
) -> Ledger:
    """A ledger from CSV text; what a CSV can not say is given by keyword and stays undeclared otherwise.

    Columns in any order and case, with labels, dates and sources, semicolons and decimal commas (``sheets``). Runs of
    equal rows become one event with a count. All refusals come at once.
    """
    require_text(text, "ledger", "give the text of a CSV file; read_ledger(path) reads a file")
    try:
        header = tuple(name.strip() for name in next(csv.reader(StringIO(text.split("\n", 1)[0]), strict=True), ()))
    except csv.Error:
        header = ()
    events: Sequence[Event] = ()
    data = text.encode()
    if header in _CSV_COLUMNS:
        # The plain shapes have a reader of their own, for millions of rows; what it refuses is told in full below.
        with contextlib.suppress(InputError, columns.NoCommonDenominatorError):
            events = columns.columns_from_csv(data, header, progress)
            events = events if len(events) >= columns.LEAST else tuple(events)
    return Ledger(
        title=title,
        events=events or tuple(_sheet_events(text)),
        digest=hashlib.sha256(data).hexdigest(),
        digest_of="the CSV file's text",
        neighbours=neighbours,
        parameters=parameters,
        interaction=interaction,
    )


def _sheet_events(text: str) -> Iterator[Event]:
    previous: Event | None = None
    for row in sheets.rows(text):
        event = Event(guarantee_from(row.guarantee, f"ledger line {row.line}"), row.count, row.label)
        if previous is not None and (event.guarantee, event.label) == (previous.guarantee, previous.label):
            previous = replace(previous, count=previous.count + event.count)
            continue
        if previous is not None:
            yield previous
        previous = event
    if previous is not None:
        yield previous


def sheet_text(path: Path) -> str:
    """Return the rows of a spreadsheet's file as CSV text: UTF-8, UTF-16 with its mark, or Windows' Latin letters."""
    text = sheets.sheet_text(path)
    if text is not None:
        return text
    try:
        return documents.read_text(path, "ledger")
    except InputError:
        if not path.is_file():
            raise
        data = path.read_bytes()
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        if b"\0" in data and not marked:
            raise
        try:
            return data.decode("utf-16" if marked else "cp1252")
        except UnicodeDecodeError:
            raise InputError(
                "ledger", str(path), "the file is neither UTF-8 nor UTF-16 text; save it as UTF-8"
            ) from None
