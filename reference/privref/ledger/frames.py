"""Ledgers from data frames. A frame is read as the sheet that it would be written as; floats are refused."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from privref.exact.errors import InputError

from .model import Interaction, Ledger, Neighbours, Parameters
from .spreadsheets import ledger_from_csv

_FLOAT = (
    "a float is not the decimal that was written; read the sheet as text, e.g. pandas.read_csv(file, dtype=str), or "
    "turn the column into text yourself"
)


def ledger_from_frame(
    frame: Any,
    title: str,
    *,
    neighbours: Neighbours | None = None,
    parameters: Parameters | None = None,
    interaction: Interaction | None = None,
) -> Ledger:
    """Return the ledger that a data frame of pandas or polars holds, or a mapping of columns: one row for each release.

    The columns are those of a sheet (``epsilon``, ``delta``, ``rho``, ``mu``, ``count``, ``label``, …). Numbers are
    text, ints, Decimal or Fraction; InputError for a float, because it is not the decimal that was written. What a
    sheet cannot say is given by keyword. The ledger's digest is that of the frame as CSV text.

    >>> frame = {"release": ["counts", "means"], "epsilon": ["0.5", "0.25"], "delta": ["0", "1e-7"]}
    >>> ledger_from_frame(frame, "a survey", parameters="fixed-in-advance")
    <Ledger 'a survey': 2 event(s), 2 round(s)>
    """
    columns = _columns(frame)
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1:
        raise InputError("frame", f"columns of {sorted(lengths)} rows", "give columns of the same length")
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for i, row in enumerate(zip(*columns.values(), strict=True)):
        writer.writerow(_cell(value, f"frame[{name!r}][{i}]") for name, value in zip(columns, row, strict=True))
    given: dict[str, Any] = {"neighbours": neighbours, "parameters": parameters, "interaction": interaction}
    return ledger_from_csv(text.getvalue(), title, **given)


def _columns(frame: Any) -> dict[str, Sequence[Any]]:
    """The columns by name: of a mapping, or of a frame of pandas or polars, whose ``to_dict`` differ."""
    if isinstance(frame, Mapping):
        found: Any = frame
    else:
        try:
            home = type(frame).__module__.partition(".")[0]
            found = frame.to_dict("list") if home == "pandas" else frame.to_dict(as_series=False)
        except (AttributeError, TypeError):
            remedy = "give a data frame of pandas or polars, or a mapping of column names to lists"
            raise InputError("frame", type(frame).__name__, remedy) from None
    if not found or not all(isinstance(name, str) and isinstance(each, list | tuple) for name, each in found.items()):
        raise InputError("frame", list(found), "give columns with names, each a list of cells")
    return dict(found)


def _cell(value: Any, field: str) -> str:
    """The cell as a sheet has it; empty for None, NaN and pandas' NA and NaT, which stand for no value."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, float):
        if value != value:
            return ""
        raise InputError(field, value, _FLOAT)
    return str(value)
