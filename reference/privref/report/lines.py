"""Lines and tables of text, as all reports write them."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from privref.exact.errors import one_line


def line(text: str, style: str = "") -> Text:
    """One line of text or one cell: markup is not read, and control characters of what it quotes are escaped."""
    return Text(one_line(text), style=style)


def text_table(*columns: str) -> Table:
    """A table without lines."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
