"""The table of releases in a report: exact places to sort by, and nothing that is the same in every row."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privref.audit import summary
from privref.exact.errors import one_line
from privref.guarantees.model import GaussianDP, as_approx_dp, as_zcdp
from privref.ledger.model import Event, Ledger

#: Rows of the table.
MOST_ROWS = 5_000
#: Bytes of the table: where labels would make it longer, they are cut in their middle to the longest of these lengths
#: that keeps it within. A page of 3,000 releases stays below 300 kB.
_MOST_BYTES = 230_000
_LABELS = (400, 200, 120, 80, 60, 50, 40, 32, 24)
#: Letters of a mechanism with its parameters.
_OF_MECHANISM = 160
#: Of them on paper, which is to be two pages.
_MOST_PRINTED = 10

SheetCell = tuple[str, int | None]
"""The text of a cell, and its place among the numbers of its column where the text does not say it."""
_DECIMAL = re.compile(r"[0-9]{1,8}(?:\.[0-9]{1,10})?(?:e-?[0-9]{1,3})?")
_Value = str | int | Fraction | None


def _delta(event: Event) -> Fraction | None:
    approx, zcdp = as_approx_dp(event.guarantee), as_zcdp(event.guarantee)
    return approx.delta if approx is not None else None if zcdp is None else zcdp.delta


#: The columns after the number and the label of a release. Those of texts are sorted as texts.
_COLUMNS: Mapping[str, Callable[[Event], _Value]] = {
    "kind": lambda event: event.guarantee.kind,
    "mechanism": lambda event: _cut(one_line(str(event.law or event.trial or event.mechanism)), _OF_MECHANISM),
    "count": lambda event: event.count,
    "epsilon": lambda event: summary.COSTS["epsilon"](event.guarantee),
    "delta": _delta,
    "rho": lambda event: summary.COSTS["rho"](event.guarantee),
    "mu": lambda event: event.guarantee.mu if isinstance(event.guarantee, GaussianDP) else None,
    "decision": lambda event: event.decision or "",
}
_TEXTS = ("kind", "mechanism", "decision")


@dataclass(frozen=True, slots=True)
class Releases:
    """The first releases of a ledger as rows of cells, and those rows that are printed."""

    columns: tuple[tuple[str, bool], ...]
    """The name of each column, and whether it holds numbers."""
    rows: tuple[tuple[SheetCell, ...], ...]
    printed: tuple[tuple[SheetCell, ...], ...]
    constant: tuple[tuple[str, str], ...]
    """What is the same for all rows, by name."""
    left_out: int
    cut: int | None = None
    """To how many letters labels were cut, so that the page stays short."""


def releases(ledger: Ledger, contributing: Sequence[int] | None) -> Releases:
    """Return the table; printed are the places in ``contributing``, or else the first rows."""
    events = list(ledger.events[:MOST_ROWS])
    places = _printed(len(ledger.events), contributing)
    # A release beyond the table may be printed: its numbers are placed with those of the table.
    more = [i for i in places if i >= len(events)]
    numbers = [*range(len(events)), *more]
    shown = [*events, *(ledger.events[i] for i in more)]
    columns: list[tuple[str, bool]] = [("#", True), ("release", False)]
    cells: list[list[SheetCell]] = [
        [(str(i + 1), None) for i in numbers],
        [(one_line(event.label) or f"event {i + 1}", None) for i, event in zip(numbers, shown, strict=True)],
    ]
    as_written = ledger.as_written
    constant = []
    # Of these kinds alone, rho is a function of epsilon, and the same column once more.
    own = {event.guarantee.kind for event in shown} <= {"pure-dp", "approx-dp"}
    for name, value in _COLUMNS.items():
        if name == "rho" and own:
            continue
        values = [value(event) for event in shown]
        if all(each in (None, "") for each in values):
            continue
        said = {each: _text(each) for each in set(values)}
        texts = [
            _as_written(as_written[i].get(name), each) or said[each] for i, each in zip(numbers, values, strict=True)
        ]
        if len(shown) > 1 and len(set(values)) == 1:
            constant.append((name, texts[0]))
            continue
        columns.append((name, name not in _TEXTS))
        places_of = [None] * len(texts) if name in _TEXTS else _places(values, texts)
        cells.append(list(zip(texts, places_of, strict=True)))
    rows = list(zip(*cells, strict=True))
    row_of = dict(zip(numbers, rows, strict=True))
    listed = rows[: len(events)]
    others = sum(8 + sum(4 + len(text.encode()) + 16 * (rank is not None) for text, rank in row) for row in listed)
    others -= sum(len(row[1][0].encode()) for row in listed)
    cut = next(
        (
            most
            for most in _LABELS
            if others + sum(len(_cut(row[1][0], most).encode()) for row in listed) <= _MOST_BYTES
        ),
        _LABELS[-1],
    )
    shortened = any(len(row[1][0]) > cut for row in listed)
    return Releases(
        tuple(columns),
        tuple((row[0], (_cut(row[1][0], cut), None), *row[2:]) for row in listed),
        tuple(row_of[i] for i in places),
        tuple(constant),
        len(ledger.events) - len(events),
        cut if shortened else None,
    )


def _cut(label: str, most: int) -> str:
    """Return a label of at most this many letters, without its middle."""
    return label if len(label) <= most else f"{label[: most - most // 3 - 1]}…{label[len(label) - most // 3 :]}"


def _printed(events: int, contributing: Sequence[int] | None) -> list[int]:
    """The places of the rows that are printed: the largest contributors, or else the first."""
    places = list(contributing or ())[:_MOST_PRINTED]
    # Of those that are equal the first ones.
    return places + [i for i in range(min(events, _MOST_PRINTED)) if i not in places][: _MOST_PRINTED - len(places)]


def _text(value: _Value) -> str:
    return "" if value is None else summary.amount(value) if isinstance(value, Fraction) else str(value)


def _as_written(text: object, value: _Value) -> str:
    """Return a short decimal as the user wrote it; "" where that is not this number."""
    is_short = isinstance(text, str) and _DECIMAL.fullmatch(text) is not None
    return str(text) if is_short and Fraction(str(text)) == value else ""


def _places(values: Sequence[_Value], texts: Sequence[str]) -> list[int | None]:
    """The place of each value in ascending order, equal for equal ones; None where the texts sort in the same way."""
    numbers = [Fraction(value) for value in values if isinstance(value, int | Fraction)]
    order = {value: place for place, value in enumerate(sorted(set(numbers)), 1)}
    found = [0 if value is None else order[Fraction(value)] for value in values]
    written = {text: Fraction(text.removeprefix("≤ ")) for text in texts if text}
    as_written = {value: place for place, value in enumerate(sorted(set(written.values())), 1)}
    same = all(place == (as_written[written[text]] if text else 0) for place, text in zip(found, texts, strict=True))
    return [None] * len(found) if same else list(found)
