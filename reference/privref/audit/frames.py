"""An audit as rows, as a data frame, and as the table that a notebook shows. Numbers are decimals, as text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import import_module
from typing import Any, Literal

from privref.exact.errors import InputError
from privref.exact.rounding import plain, to_decimal

from .best import best, caveat, margin
from .verdicts import Bound, Opinion

_DIGITS = 10
Library = Literal["pandas", "polars"]


def _by(bound: Bound) -> str:
    return f"{bound.application.by}{caveat(bound)}"


def rows(opinions: Iterable[Opinion]) -> list[dict[str, str]]:
    """One row for each claim: id, claim, verdict, the best bound (rounded up), by which theorem, the margin (rounded
    down), and why."""
    found = []
    for opinion in opinions:
        bound, left = best(opinion), margin(opinion)
        found.append(
            {
                "claim": opinion.claim.id,
                "says": str(opinion.claim),
                "verdict": opinion.verdict,
                "bound": ""
                if bound is None or bound.enclosure is None
                else plain(bound.enclosure.decimals(_DIGITS)[1]),
                "by": "" if bound is None else _by(bound),
                "margin": "" if left is None else plain(to_decimal(left.lower, _DIGITS, "down")),
                "reason": opinion.reason,
            }
        )
    return found


def frame(found: list[dict[str, str]], library: Library | None = None) -> Any:
    """The rows as a data frame of pandas or, where that is not installed, of polars."""
    names: tuple[str, ...] = ("pandas", "polars") if library is None else (library,)
    if library not in (None, "pandas", "polars"):
        raise InputError("library", library, "give pandas or polars")
    for name in names:
        try:
            return import_module(name).DataFrame(found)
        except ImportError:
            continue
    raise InputError("library", " or ".join(names), "this is not installed; `rows()` gives the same as dictionaries")


def table(title: str, opinions: Iterable[Opinion]) -> str:
    """The rows as an HTML table; everything that a ledger or a claim says is escaped."""
    columns = ("claim", "says", "verdict", "bound", "by", "margin")
    head = "".join(f"<th>{name}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(row[name])}</td>" for name in columns) + "</tr>" for row in rows(opinions)
    )
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
