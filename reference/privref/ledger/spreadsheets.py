"""Ledgers from the text of a spreadsheet: ``epsilon,delta[,count]`` or ``rho[,count]``, or what ``sheets`` reads."""

from __future__ import annotations

import codecs
import contextlib
import csv
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from privref.exact.errors import InputError, InputErrors
from privref.exact.given import require_text

from . import columns, documents, sheets
from .model import Event, Interaction, Ledger, Neighbours, Parameters
from .reading import guarantee_from, ledger_from_rows

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
    """A ledger from CSV text; what a CSV cannot say is given by keyword and stays undeclared otherwise.

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
    given: dict[str, Any] = {"neighbours": neighbours, "parameters": parameters, "interaction": interaction}
    digest, digest_of = hashlib.sha256(data).hexdigest(), "the CSV file's text"
    if not events:
        rows = list(sheets.rows(text, neighbours))
        if any(_says_more(row) for row in rows):
            return _ledger_of_rows(rows, title, given, digest, digest_of)
        events = tuple(_events(rows))
    return Ledger(title=title, events=events, digest=digest, digest_of=digest_of, **given)


def _says_more(row: sheets.SheetRow) -> bool:
    """Return whether a row says more than a guarantee with exact numbers."""
    guarantee = row.event.get("guarantee", {})
    return (
        bool(row.period or row.privacy_unit)
        or set(row.event) != {"guarantee"}
        or any(isinstance(n, dict) for n in guarantee.values())
    )


def _events(rows: Iterable[sheets.SheetRow]) -> Iterator[Event]:
    previous: Event | None = None
    for row in rows:
        event = Event(guarantee_from(row.event["guarantee"], f"ledger line {row.line}"), row.count, row.label)
        if previous is not None and (event.guarantee, event.label) == (previous.guarantee, previous.label):
            previous = replace(previous, count=previous.count + event.count)
            continue
        if previous is not None:
            yield previous
        previous = event
    if previous is not None:
        yield previous


def _ledger_of_rows(
    rows: Sequence[sheets.SheetRow], title: str, given: Mapping[str, Any], digest: str, digest_of: str
) -> Ledger:
    """Return the ledger whose document the rows say; runs of equal rows become one event with a count."""
    events: list[dict[str, Any]] = []
    lines: list[int] = []
    for row in rows:
        said = ({"label": row.label} if row.label else {}) | row.event
        if events and {**events[-1], "count": 1} == {**said, "count": 1}:
            events[-1]["count"] = events[-1].get("count", 1) + row.count
            continue
        events.append(({"count": row.count} if row.count > 1 else {}) | said)
        lines.append(row.line)
    partitions = {event["part"]["of"]: event["part"]["of"] for event in events if "part" in event}
    document = {
        "schema": "ledger.1",
        "title": title,
        **{name: value for name, value in given.items() if value is not None},
        **({"partitions": partitions} if partitions else {}),
        **{name: value for name in ("period", "privacy_unit") if (value := getattr(rows[0], name))},
        "events": events,
    }
    try:
        return replace(ledger_from_rows(document), digest=digest, digest_of=digest_of)
    except InputError as error:
        refused = error.errors if isinstance(error, InputErrors) else (error,)
        raise InputErrors.of([_at_its_line(each, lines) for each in refused]) from None


def _at_its_line(error: InputError, lines: Sequence[int]) -> InputError:
    """Return a refusal of an event with the line of its row as the place."""
    field = re.sub(r"^ledger\.events\[(\d+)\]", lambda found: f"ledger line {lines[int(found[1])]}", error.field)
    return InputError(field, error.value, error.remedy)


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
