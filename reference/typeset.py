"""Hooks of MkDocs: formulas as MathML, so that the site fetches no script; wide tables; the version on every page."""

from __future__ import annotations

import html
import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

#: What the extension arithmatex makes of ``$…$`` and ``$$…$$``.
_INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.S)
_DISPLAYED = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.S)
#: From this many columns on a table does not fit on a page.
_WIDE = 8
#: From this many on, not on a phone.
_NARROW = 3


def on_config(config: Any) -> Any:
    """Say at the foot of each page which version it describes."""
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    config.copyright = f"privref {tomllib.loads(text)['project']['version']}"
    return config


def on_page_content(content: str, **_: Any) -> str:
    """Replace each formula by MathML, and mark the tables that are too wide for a page."""
    content = re.sub("<table>.*?</table>", _labelled, content, flags=re.S)
    content = _DISPLAYED.sub(lambda part: _typeset(part, "block"), content)
    return _INLINE.sub(lambda part: _typeset(part, "inline"), content)


def _labelled(part: re.Match[str]) -> str:
    """Return a table that names the column in each cell, for a page that shows a row as a block: of many columns
    always, of three or more on a phone.
    """
    columns = [html.escape(re.sub("<.*?>", "", head)) for head in re.findall("<th[^>]*>(.*?)</th>", part[0], re.S)]
    if len(columns) < _NARROW:
        return part[0]
    labels = itertools.cycle(columns)
    table = re.sub("<td", lambda _: f'<td data-label="{next(labels)}"', part[0])
    # The theme lays out tables without a class.
    return table.replace("<table>", '<table class="blocks">' if len(columns) >= _WIDE else "<table data-phone>")


def _typeset(part: re.Match[str], display: str) -> str:
    return convert(html.unescape(part.group(1)).strip(), display=display)
