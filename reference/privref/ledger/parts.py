"""Parts of a sheet's rows that may share records: all of them, several at once, or one that is written in two ways.

Rows of two parts lose as much as the larger of them, since no record lies in both. A sheet whose cells may mean one
record in two parts is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from .cells import is_total, may_be_total

#: Words for all parts, or for all but some.
_ALL = re.compile(
    r"(?<![^\W\d_])(?:"
    r"all|any|both|each|every|everyone|everybody|everywhere|everything|whole|entire|total|"
    r"totals|subtotal|overall|combined|statewide|state[- ]wide|national|nationwide|countrywide|"
    r"citywide|global|worldwide|alle|aller|alles|gesamt|insgesamt|summe|sum|except|excluding|"
    r"without|outside|not"
    r")(?![^\W\d_])",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:\band\b|\bund\b|\bor\b|[&+;])\s*", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:\band\b|\bund\b|\bor\b|\bto\b|\bbis\b|[&+;,/|–—-])\s*", re.IGNORECASE)
_NUMBER = r"([0-9]+(?:\.[0-9]+)?)"
_RANGE = re.compile(rf"{_NUMBER}\s*(?:-|–|—|\.\.\.?|…|\bto\b|\bbis\b)\s*{_NUMBER}", re.IGNORECASE)
_FROM = re.compile(
    rf"(?:{_NUMBER}\s*(?:\+|and over|and older|or more|or older)|(?:≥|>=|from)\s*{_NUMBER})", re.IGNORECASE
)
_WRITE = "if it is one part that shares no record with the others, write a name that says so; else leave the cell empty"


def overlapping(names: Sequence[str], of: str) -> dict[str, str]:
    """Return a question for each name of a part that may have records in common with another one."""
    found = {name: why for name in names if (why := _of_all(name, of))}
    found |= {name: why for name, why in _lists(names).items() if name not in found}
    found |= {name: why for name, why in _numbers(names).items() if name not in found}
    return found


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def _of_all(name: str, of: str) -> str:
    if "*" not in name and _ALL.search(name) is None and not is_total(name) and not may_be_total(name):
        return ""
    return f"is this one part of {of}, or several or all? {_WRITE}, and the row then counts for every part"


def _lists(names: Sequence[str]) -> dict[str, str]:
    """Return a question for each name that joins names of parts, as "A and B" alongside "A"."""
    known = {_plain(name): name for name in names}
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for name in names:
        own = _plain(name)
        pieces = {piece for piece in _JOINED.split(own) if piece and piece != own}
        other = next((known[piece] for piece in sorted(pieces) if piece in known), None)
        for piece in {piece for piece in _LISTED.split(own) if piece and piece != own}:
            other = other or (first[piece] if first.setdefault(piece, name) != name else None)
        if other is not None:
            found[name] = f"does it hold records of the part {other!r} too? {_WRITE}"
    return found


def _numbers(names: Sequence[str]) -> dict[str, str]:
    """Return a question for each name that is a number or a range which another name shares."""
    spans = sorted((span, name) for name in names if (span := _span(name)) is not None)
    found: dict[str, str] = {}
    last: tuple[Fraction | None, str] | None = None
    for (low, open_, high), name in spans:
        if last is not None and (last[0] is None or low <= last[0]):
            found[name] = f"privref reads it as numbers that the part {last[1]!r} has too; {_WRITE}"
        if last is None or (last[0] is not None and (open_ or high > last[0])):
            last = (None if open_ else high, name)
    return found


def _span(name: str) -> tuple[Fraction, bool, Fraction] | None:
    """Return the least number of a name, whether it has no largest, and the largest; None where it is not a number."""
    text = _plain(name)
    if re.fullmatch(_NUMBER, text):
        return Fraction(text), False, Fraction(text)
    if ends := _RANGE.fullmatch(text):
        low, high = Fraction(ends[1]), Fraction(ends[2])
        return (low, False, high) if low <= high else None
    if above := _FROM.fullmatch(text):
        low = Fraction(above[1] or above[2])
        return low, True, low
    return None
