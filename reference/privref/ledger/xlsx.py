"""Spreadsheets in XLSX as CSV text, of bounded size before anything of them is parsed.

An XLSX file is a ZIP archive of XML, of which a hundred kilobytes may unpack to gigabytes: what is unpacked is measured
first, and its elements are counted.
"""

from __future__ import annotations

import contextlib
import csv
import re
import zipfile
from collections.abc import Generator, Iterator
from fractions import Fraction
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from privref.exact.errors import InputError, InputErrors
from privref.exact.extras import install

from .cells import instead_of_a_bound, is_a_quantity, repetitions
from .documents import MOST_REFUSALS

#: Bytes of all parts of the file, unpacked.
MOST_BYTES = 64 * 2**20
#: Signs "<" of all parts: a cell with a number has four, as elements begin and end with one.
MOST_TAGS = 1_500_000
#: Cells of a sheet, those counted that are left out before the last of a row.
MOST_CELLS = 1_000_000
#: Rows of a sheet, and characters of a cell, in any spreadsheet program.
MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
#: Characters of a sheet as CSV: many cells may share one long text.
MOST_TEXT = 64 * 2**20
_CHUNK = 2**20
#: Significant digits that a spreadsheet program shows at most.
_DIGITS = 15
_ADVICE = "save it as CSV, of which millions of rows are read"


def _require_small(path: Path) -> None:
    """Refuse a file that unpacks to too much, before it is parsed.

    ``zipfile`` gives no more bytes of a part than the archive's directory says, so that their sum is a bound.
    """
    with zipfile.ZipFile(path) as archive:
        size = sum(part.file_size for part in archive.infolist())
        if size > MOST_BYTES:
            raise InputError(
                "ledger", str(path), f"it unpacks to {size} bytes, and at most {MOST_BYTES} are read; {_ADVICE}"
            )
        tags = 0
        for part in archive.infolist():
            if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                # Others may ask for gigabytes of memory, and no spreadsheet program writes them.
                raise InputError(
                    "ledger", str(path), f"{part.filename} is packed by another method than deflate; {_ADVICE}"
                )
            last = b""
            with archive.open(part) as file:
                while chunk := file.read(_CHUNK):
                    tags += chunk.count(b"<")
                    if tags > MOST_TAGS:
                        remedy = f"it has more than {MOST_TAGS} tags of XML, and no more are read; {_ADVICE}"
                        raise InputError("ledger", str(path), remedy)
                    # Of UTF-16 every other byte is 0. A declaration may be cut in two by the chunks.
                    seen = last + chunk.replace(b"\0", b"")
                    if b"<!DOCTYPE" in seen or b"<!ENTITY" in seen:
                        remedy = "its XML declares entities, which could unpack to anything; save it anew, or as CSV"
                        raise InputError("ledger", str(path), remedy)
                    if b"vertAlign" in seen and part.filename.startswith("xl/worksheets/"):
                        # Of such text within a sheet openpyxl keeps the letters alone.
                        raise InputError("ledger", str(path), f"in a cell {_RAISED}")
                    last = seen[-16:]


def xlsx_text(path: Path) -> str:
    """The sheet of an XLSX file that is not empty, which must be the only one, as CSV text.

    A number in a cell is a double; what is written here is its shortest decimal, which is what was typed. A formula
    counts as the value that was saved with it, and is refused where there is none.
    """
    try:
        from openpyxl import load_workbook
    except ImportError:
        remedy = f"this needs openpyxl: {install('sheets')}; or save the sheet as CSV"
        raise InputError("ledger", str(path), remedy) from None
    try:
        _require_small(path)
        with contextlib.ExitStack() as opened:
            # The file holds of each cell a formula or not, and the value; openpyxl gives one of the two at a time. The
            # files are opened here, as its parsers leave theirs open where they raise.
            values, formulas = (
                load_workbook(opened.enter_context(path.open("rb")), read_only=True, data_only=only, rich_text=only)
                for only in (True, False)
            )
            for book in (values, formulas):
                for page in book.worksheets:
                    page.reset_dimensions()  # what a file says about its size may be wrong, and would cut rows off
            return _sheet_text(values, formulas, path)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError("ledger", str(path), "this file does not exist; check its name and its folder") from None
    except Exception as error:  # openpyxl raises what its parsers raise, some of it while rows are read
        raise InputError("ledger", str(path), f"this is not a readable XLSX file ({type(error).__name__})") from None


def _sheet_text(values: Any, formulas: Any, path: Path) -> str:
    from openpyxl.utils import get_column_letter

    filled = [page.title for page in formulas.worksheets if _is_filled(page, path)]
    if len(filled) > 1:
        remedy = (
            "several sheets are filled, and privref reads a workbook of one: copy the rows of all that hold "
            "releases below one header, and delete the others"
        )
        raise InputError("ledger", ", ".join(filled), remedy)
    sheet = filled[0] if filled else formulas.worksheets[0].title
    if said := repetitions(sheet):
        remedy = (
            f"the sheet's name says {said[0]!r}: if rows ran more than once, write how often into a column count; then "
        )
        raise InputError("ledger sheet", sheet, f"{remedy}give the sheet a name without it")
    kept: list[list[str]] = []
    length = 0
    errors: list[InputError] = []
    with contextlib.ExitStack() as opened:
        # Closed even where a row is refused: each holds its part of the archive open.
        pages = [opened.enter_context(contextlib.closing(_bounded(book[sheet], path))) for book in (values, formulas)]
        for number, (found, written) in enumerate(zip(*pages, strict=True), 1):
            row = [cell.value for cell in found]
            for column, (cell, formula) in enumerate(zip(found, written, strict=True), 1):
                if cell.value is None and formula.value is None:
                    continue
                remedy = _not_as_it_looks(cell, formula.value)
                if remedy and len(errors) < MOST_REFUSALS:
                    shown = str(cell.value if formula.value is None else formula.value)
                    errors.append(InputError(f"ledger cell {get_column_letter(column)}{number}", shown, remedy))
            end = max((i for i, value in enumerate(row, 1) if value is not None), default=0)
            cells = [_cell(value) for value in row[:end]]
            length += sum(map(len, cells)) + 1
            if max(map(len, cells), default=0) > MOST_CHARACTERS or length > MOST_TEXT:
                remedy = f"a cell has at most {MOST_CHARACTERS} characters, and all of them {MOST_TEXT}; {_ADVICE}"
                raise InputError(f"ledger row {number}", "(too large)", remedy)
            # Empty rows are kept, so that a refusal names the row that the spreadsheet program shows.
            kept.append(cells)
    errors += islice(_notes(values[sheet]), MOST_REFUSALS - len(errors))
    if errors:
        raise InputErrors.of(errors)
    return _csv(kept, path)


_RAISED = "a part of it is raised or lowered; write powers as 10^-6, and footnotes into another cell"


def _notes(page: Any) -> Iterator[InputError]:
    """Yield a question about each comment and text box, about words at the edge, and numbers in merged cells."""
    from openpyxl.comments.comment_sheet import CommentSheet
    from openpyxl.packaging.relationship import get_dependents, get_rels_path
    from openpyxl.xml.constants import COMMENTS_NS
    from openpyxl.xml.functions import fromstring

    archive, part = page.parent._archive, page._worksheet_path
    rels = get_rels_path(part)
    for found in get_dependents(archive, rels).find(COMMENTS_NS) if rels in archive.NameToInfo else ():
        for place, comment in CommentSheet.from_tree(fromstring(archive.read(found.target))).comments:
            remedy = "privref reads no comments: write what this one says into a column of its own, or delete it"
            yield InputError(f"ledger cell {place}", comment.text or "(empty)", remedy)
    for name in archive.namelist():
        for text in _BOXES.findall(archive.read(name)) if name.startswith("xl/drawings/drawing") else ():
            remedy = "privref reads no text boxes: write what this one says into a column of its own, or delete it"
            yield InputError("ledger text box", text.decode(errors="replace"), remedy)
    for text in _MARGINS.findall(archive.read(part)):
        shown = text.decode(errors="replace")
        if repetitions(shown) or instead_of_a_bound(shown, None):
            remedy = "this stands at the edge of the printed page: write what it says into a column, and take it out"
            yield InputError("ledger page header or footer", shown, remedy)
    if merged := dict(_MERGED.findall(archive.read(part).replace(b"\0", b""))):
        with contextlib.closing(_bounded(page, Path(part))) as rows:
            cells = {cell.coordinate: cell for row in rows for cell in row if cell.value is not None}
        for first, last in merged.items():
            value = getattr(cells.get(first.decode()), "value", None)
            if value is not None and is_a_quantity(_cell(value)):
                place = f"{first.decode()}:{last.decode()}"
                remedy = "these cells are merged: does the number hold of all together, or of each? unmerge them, and "
                yield InputError(f"ledger cells {place}", _cell(value), f"{remedy}write a number into each row")


_BOXES = re.compile(rb"<a:t>([^<]*\w[^<]*)</a:t>")
_MARGINS = re.compile(rb"<(?:\w+:)?(?:odd|even|first)(?:Header|Footer)>([^<]+)<")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^<>]*?ref\s*=\s*[\"']([A-Z]+[0-9]+):([A-Z]+[0-9]+)[\"']")


def _not_as_it_looks(cell: Any, formula: Any) -> str:
    """Return what to do about a cell whose value is not what the spreadsheet program shows; nothing where it is."""
    value = cell.value
    if value is None:
        return "this formula was saved without its value; save the file in a spreadsheet program, or write it"
    if isinstance(value, list):
        # Rich text keeps which letters are raised; as plain text, 10 with a raised 6 would be 106.
        raised = any(getattr(getattr(part, "font", None), "vertAlign", None) for part in value)
        return _RAISED if raised else ""
    if not isinstance(value, float | int) or isinstance(value, bool):
        return ""
    if _is_cut(value, formula):
        return f"its value was saved as {value!r}, which may be cut; write the number as text, such as 1/3"
    if shown := _shown_otherwise(value, str(cell.number_format)):
        return f"its number format shows {shown}; write the number that is meant, as text"
    return ""


def _is_cut(value: Any, formula: Any) -> bool:
    """Return whether a number has as many digits as a double has, and may have had more."""
    if not isinstance(value, float):
        return False
    digits = len(repr(value).partition("e")[0].replace(".", "").strip("-0"))
    # Who types a number has fifteen digits at most.
    return digits > _DIGITS or (digits == _DIGITS and isinstance(formula, str) and formula.startswith("="))


#: What stands in a number format: quoted and escaped letters, fill and width, brackets, and the rest.
_TOKENS = re.compile(r'"([^"]*)"|\\(.)|\*(.)|_(.)|\[([^\]]*)\]|(General|[eE][+-])|(.)', re.DOTALL | re.IGNORECASE)
#: Words that may stand beside a number, and that change nothing.
_HARMLESS = ("", "nat", "nats", "ε", "ε=", "δ", "δ=", "ρ", "ρ=", "-", "+")


def _shown_otherwise(value: float | int, format: str) -> str:
    """Return what a number format adds to a number or takes from it; nothing where the number is shown as it is."""
    sections: list[list[re.Match[str]]] = [[]]
    for token in _TOKENS.finditer(format):
        if token[7] == ";":
            sections.append([])
        else:
            sections[-1].append(token)
    conditional = any((token[5] or "")[:1] in tuple("<>=") for section in sections for token in section)
    place = 0 if value > 0 or len(sections) == 1 or (value == 0 and len(sections) == 2) else 1 if value < 0 else 2
    for section in sections if conditional else [sections[place]]:
        if not section and format:
            return "nothing"
        rest = "".join(token[7] or (token[6] and "0") or "" for token in section)
        words = "".join(token[1] or token[2] or (token[3] or "").strip() or _currency(token[5]) for token in section)
        words = re.sub(r"\s+", "", words)
        if words.casefold() not in _HARMLESS and not (value == 0 and words == "-"):
            return f"the words {words!r} with it"
        if re.search(r"[0#?],+(?![0#?,])", rest):
            return "it divided by a thousand or more"
        if "/" in rest and Fraction(value).limit_denominator(99) != Fraction(value):
            return "a fraction near it"
        if other := re.sub(r"[0#?.,%@\s/()+-]", "", rest):
            return f"{other!r} with it"
        if not re.search(r"[0#?@]", rest):
            return "no number"
    return ""


def _currency(bracket: str | None) -> str:
    """Return the sign that a bracket such as [$€-407] shows; nothing of colours, languages and conditions."""
    return bracket[1:].partition("-")[0] if bracket and bracket.startswith("$") else ""


def _csv(rows: list[list[str]], path: Path) -> str:
    """Return rows as CSV text, each as wide as the widest, down to the last that is not empty."""
    while rows and not rows[-1]:
        rows.pop()
    width = max(map(len, rows), default=0)
    if width * len(rows) > MOST_CELLS:
        remedy = f"a sheet of more than {MOST_CELLS} cells is not read; {_ADVICE}"
        raise InputError("ledger", str(path), remedy)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for cells in rows:
        # A row of one empty cell is an empty line, and not a pair of quotes.
        out.write("\n") if not cells else writer.writerow([*cells, *[""] * (width - len(cells))])
    return out.getvalue()


def _bounded(page: Any, path: Path) -> Generator[tuple[Any, ...]]:
    """Yield the rows of a page as cells; InputError where they are too many."""
    cells = 0
    with contextlib.closing(page.iter_rows()) as found:
        for rows, row in enumerate(found, 1):
            cells += len(row)
            if cells > MOST_CELLS or rows > MOST_ROWS:
                remedy = f"a sheet of more than {MOST_CELLS} cells or {MOST_ROWS} rows is not read; {_ADVICE}"
                raise InputError("ledger", str(path), remedy)
            yield tuple(row)


def _is_filled(page: Any, path: Path) -> bool:
    """Check whether any cell of a page has a value."""
    with contextlib.closing(_bounded(page, path)) as rows:
        return any(cell.value is not None for row in rows for cell in row)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat()).removesuffix("T00:00:00") if isoformat is not None else str(value)
