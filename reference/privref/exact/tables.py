"""Rows as what a notebook shows and as data frames, and data frames as rows. Everything quoted is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any, Literal

from .errors import InputError

Library = Literal["pandas", "polars"]


def html_table(title: str, rows: Sequence[Mapping[str, str]]) -> str:
    """Return rows with the same names as an HTML table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else ()))
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row.values()) + "</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_facts(title: str, facts: Iterable[tuple[str, str]]) -> str:
    """Return names and what they are as an HTML table of two columns; what is empty is left out."""
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts if text)
    return f"<table><caption>{escape(title)}</caption><tbody>{body}</tbody></table>"


def frame(rows: Sequence[Mapping[str, str]], library: Library | None = None) -> Any:
    """Return the rows as a data frame of pandas or, where that is not installed, of polars; InputError for neither."""
    names: tuple[str, ...] = ("pandas", "polars") if library is None else (library,)
    if library not in (None, "pandas", "polars"):
        raise InputError("library", library, "give pandas or polars")
    for name in names:
        try:
            return import_module(name).DataFrame(list(rows))
        except ImportError:
            continue
    raise InputError("library", " or ".join(names), "this is not installed; `rows()` gives the same as dictionaries")
