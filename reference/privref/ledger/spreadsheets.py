"""Ledgers from the text of a spreadsheet: ``epsilon,delta[,count]`` or ``rho[,count]``, or what ``sheets`` reads."""

from __future__ import annotations

import codecs
import contextlib
import csv
import hashlib
import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper
from math import lcm
from pathlib import Path
from typing import Any, TypeAlias

from privref.exact.columns import Column, packed
from privref.exact.errors import InputError, InputErrors, require_text
from privref.exact.numbers import Binary64, rational
from privref.statements.params import NON_NEGATIVE, PROBABILITY, Domain

from . import documents, sheets
from .model import Event, EventColumns, Interaction, Ledger, Neighbours, Parameters
from .reading import guarantee_from, ledger_from_rows
from .writing import says_more

#: What the lines above a header are called, of which only numbers and words that ask a question are read.
ABOVE = "the lines above the table"
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
    wanted = "give the text of a CSV file; read_ledger(path) reads a file"
    require_text(text, "ledger", wanted)
    if "\n" not in text and re.search(r"\.(csv|tsv|xlsx|parquet|json)$", text.strip().lower()):
        raise InputError("ledger", text, wanted)
    try:
        header = tuple(name.strip() for name in next(csv.reader(StringIO(text.split("\n", 1)[0]), strict=True), ()))
    except csv.Error:
        header = ()
    events: Sequence[Event] = ()
    data = text.encode()
    if header in _CSV_COLUMNS:
        # The plain shapes have a reader of their own, for millions of rows; what it refuses is told in full below.
        with contextlib.suppress(InputError, NoCommonDenominatorError):
            events = columns_from_csv(data, header, progress)
            events = events if len(events) >= LEAST else tuple(events)
    # Of a short sheet the numbers are kept as they were written.
    kept = {"events": _plain_documents(data, header)} if events and data.count(b"\n") <= LEAST else None
    given: dict[str, Any] = {"neighbours": neighbours, "parameters": parameters, "interaction": interaction}
    given["rows"] = kept
    digest, digest_of = hashlib.sha256(data).hexdigest(), "the CSV text in UTF-8"
    if not events:
        try:
            rows = list(sheets.rows(text, neighbours))
            above, _ = sheets.head_of(text)
            titles = [ABOVE] if any(re.search(r"\w", line) for line in text.split("\n", above)[:above]) else []
            unread = tuple(dict.fromkeys((*titles, *(name for row in rows for name in row.unread))))
            documents_, lines = _documents(rows)
            if any(row.period or row.privacy_unit or says_more(row.event) for row in rows):
                said = {name: value for name in ("period", "privacy_unit") if (value := getattr(rows[0], name))}
                found = _ledger_of_rows(documents_, lines, title, {**given, **said})
                return replace(found, digest=digest, digest_of=digest_of, unread=unread)
            events = tuple(
                Event(
                    guarantee_from(each["guarantee"], f"ledger line {n}"), each.get("count", 1), each.get("label", "")
                )
                for each, n in zip(documents_, lines, strict=True)
            )
        except InputError as error:
            raise sheets.placed(error, text) from None
        given |= {"unread": unread, "rows": {"events": documents_}}
    return Ledger(title=title, events=events, digest=digest, digest_of=digest_of, **given)


def _plain_documents(data: bytes, header: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the events of a plain sheet that was read already, as ``ledger.1`` has them."""
    kind = "zcdp" if header[0] == "rho" else "approx-dp"
    found: list[dict[str, Any]] = []
    previous: list[str] = []
    rows = _plain_rows(data)
    next(rows)
    for cells in filter(None, rows):
        times = int(cells.pop()) if header[-1] == "count" else 1
        if cells == previous:
            found[-1]["count"] = found[-1].get("count", 1) + times
        else:
            numbers = {name: cell.strip() for name, cell in zip(header, cells, strict=False)}
            found.append(({"count": times} if times > 1 else {}) | {"guarantee": {"kind": kind, **numbers}})
        previous = cells
    return found


def _plain_rows(data: bytes) -> Any:
    return csv.reader(TextIOWrapper(BytesIO(data), encoding="utf-8", newline="\n"), strict=True)


def _documents(rows: Iterable[sheets.SheetRow]) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the events as ``ledger.1`` has them, runs of equal rows as one with a count, and the line of each."""
    events: list[dict[str, Any]] = []
    lines: list[int] = []
    for row in rows:
        said = ({"label": row.label} if row.label else {}) | row.event
        if events and {**events[-1], "count": 1} == {**said, "count": 1}:
            events[-1]["count"] = events[-1].get("count", 1) + row.count
            continue
        events.append(({"count": row.count} if row.count > 1 else {}) | said)
        lines.append(row.line)
    return events, lines


def _ledger_of_rows(
    events: Sequence[dict[str, Any]], lines: Sequence[int], title: str, given: Mapping[str, Any]
) -> Ledger:
    """Return the ledger whose document the rows say; InputErrors names the line of each that is wrong."""
    partitions = {event["part"]["of"]: event["part"]["of"] for event in events if "part" in event}
    document = {
        "schema": "ledger.1",
        "title": title,
        **{name: value for name, value in given.items() if value is not None},
        **({"partitions": partitions} if partitions else {}),
        "events": events,
    }
    try:
        return ledger_from_rows(document)
    except InputError as error:
        refused = error.errors if isinstance(error, InputErrors) else (error,)
        raise InputErrors.of([_at_its_line(each, lines) for each in refused]) from None


def _at_its_line(error: InputError, lines: Sequence[int]) -> InputError:
    """Return a refusal of an event with the line of its row as the place."""
    field = re.sub(r"^ledger\.events\[(\d+)\]", lambda found: f"ledger line {lines[int(found[1])]}", error.field)
    return InputError(field, error.value, error.remedy)


def read_sheet(path: Path, data: bytes | None = None) -> tuple[str, str]:
    """Return the rows of a spreadsheet's file as CSV text, and the SHA-256 of the file as ``sha256sum`` prints it.

    Text is UTF-8, UTF-16 with its mark, or Windows' Latin letters. ``data`` are the file's bytes if they were read.
    """
    text = sheets.sheet_text(path) if data is None else None
    if text is not None:
        with path.open("rb") as file:
            return text, hashlib.file_digest(file, "sha256").hexdigest()
    data = documents.read_bytes(path, "ledger") if data is None else data
    return _decoded(data, path), hashlib.sha256(data).hexdigest()


def _decoded(data: bytes, path: Path) -> str:
    try:
        text = documents.decoded(data, path, "ledger")
    except InputError:
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        if b"\0" in data and not marked:
            raise
        try:
            text = data.decode("utf-16" if marked else "cp1252")
        except UnicodeDecodeError:
            raise InputError(
                "ledger", str(path), "the file is neither UTF-8 nor UTF-16 text; save it as UTF-8"
            ) from None
    if text.count("\0") > len(text) // 4:
        raise InputError("ledger", path.name, "this looks like UTF-16 without its mark; save it as UTF-8")
    # Lines of old Macs end in CR alone.
    return text if "\n" in text else text.replace("\r", "\n")


# --- a plain sheet, read into columns: a million rows in a second and in tens of megabytes ----------------------------


#: Fewer events are kept as they are: columns are for what is long.
LEAST = 10_000
#: A common denominator is kept up to this number of bits.
_MOST_BITS = 256
_MOST_PLACES = 77
#: A cell that is longer is read in full.
_SHORT = 60


class NoCommonDenominatorError(Exception):
    """The numbers of a column have no common denominator of a size that is worth keeping."""


#: Eight bytes for each number, or a list from the first on that needs more.
_Growing: TypeAlias = "array[int] | list[int]"


def _grown(values: list[int]) -> _Growing:
    try:
        return array("q", values)
    except OverflowError:
        return values


class _Numbers:
    """The numbers of one column of text, as integers over a common denominator that grows when it has to."""

    def __init__(self, name: str, domain: Domain) -> None:
        self._name, self._domain = name, domain
        self._places = 0
        self.denominator = 1
        self.numerators: _Growing = array("q")
        self._powers = [1]
        # No cell was read yet: an empty one is not the number 0.
        self._text: str | None = None
        self._last = 0

    def add(self, text: str, line: int) -> None:
        """Append what a cell says, exactly; InputError where that is not a number of the domain."""
        if text != self._text:
            self._last = self._value(text, line)
            self._text = text
        try:
            self.numerators.append(self._last)
        except OverflowError:
            self.numerators = [*self.numerators, self._last]

    def _value(self, text: str, line: int) -> int:
        mantissa, power, exponent = text.partition("e-")
        whole, _, part = mantissa.partition(".")
        digits = whole + part
        short = self._places - len(part)
        if power:
            short = short - int(exponent) if len(exponent) < 4 and exponent.isdigit() and exponent.isascii() else -1
        if short >= 0 and digits.isdigit() and digits.isascii() and len(digits) < _SHORT:
            value = int(digits) * self._powers[short]
            if self._domain is PROBABILITY and value > self.denominator:
                raise InputError(f"ledger line {line}.{self._name}", text, f"give {self._domain.description}")
            return value
        return self._read(text, line)

    def _read(self, text: str, line: int) -> int:
        place = f"ledger line {line}.{self._name}"
        value = rational(text.strip(), place)
        if not self._domain.contains(value):
            raise InputError(place, text, f"give {self._domain.description}")
        if isinstance(value, Binary64):
            # It is shown as the hexadecimal float that it was.
            raise NoCommonDenominatorError
        if self.denominator % value.denominator:
            self._widen(value.denominator)
        return value.numerator * (self.denominator // value.denominator)

    def _widen(self, other: int) -> None:
        """A denominator that the other divides too: a power of ten where it can be."""
        wanted = lcm(self.denominator, other)
        if wanted.bit_length() > _MOST_BITS:
            raise NoCommonDenominatorError
        ten = next((k for k in range(_MOST_PLACES + 1) if not 10**k % wanted), None) if self._places >= 0 else None
        wider = wanted if ten is None else 10**ten
        factor = wider // self.denominator
        self.numerators = _grown([value * factor for value in self.numerators])
        self.denominator = wider
        self._places = -1 if ten is None else ten
        self._powers = [10**i for i in range(self._places + 1)]


def columns_from_csv(data: bytes, header: tuple[str, ...], progress: Callable[[int], None]) -> EventColumns:
    """The rows under a plain header; runs of equal rows are one event. InputError for the first that is wrong.

    NoCommonDenominatorError where the numbers are better kept one by one.
    """
    rows = _plain_rows(data)
    next(rows)
    counted = header[-1] == "count"
    sizes = _Numbers(header[0], NON_NEGATIVE)
    deltas = _Numbers("delta", PROBABILITY) if header[0] == "epsilon" else None
    counts: _Growing = array("q")
    several = False
    previous: list[str] = []
    width = len(header)
    try:
        for row in rows:
            if len(row) != width:
                if not row:
                    continue
                line = rows.line_num
                raise InputError(f"ledger line {line}", ",".join(row), f"give {width} values, as in the header")
            times = 1
            if counted:
                times = sheets.cell_count(row.pop(), f"ledger line {rows.line_num}.count")
            if row == previous:
                try:
                    counts[-1] += times
                except OverflowError:
                    counts = [*counts[:-1], counts[-1] + times]
                several = True
                continue
            sizes.add(row[0], rows.line_num)
            if deltas is not None:
                deltas.add(row[1], rows.line_num)
            try:
                counts.append(times)
            except OverflowError:
                counts = [*counts, times]
            several = several or times > 1
            previous = row
            if not len(counts) & 0xFFFF:
                progress(rows.line_num)
    except csv.Error as error:
        raise InputError(f"ledger line {rows.line_num}", str(error), "mend the CSV") from None
    if not counts:
        raise InputError("ledger", "(empty)", "give at least one event")
    kept = packed(counts) if several else None
    first = Column(packed(sizes.numerators), sizes.denominator, kept)
    second = None if deltas is None else Column(packed(deltas.numerators), deltas.denominator, kept)
    return EventColumns("zcdp" if header[0] == "rho" else "approx-dp", first, second, kept)
