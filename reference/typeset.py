"""Hooks of MkDocs: formulas as MathML, so that the site fetches no script for them, and the version on every page."""

from __future__ import annotations

import html
import re
import tomllib
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

#: What the extension arithmatex makes of ``$…$`` and ``$$…$$``.
_INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.S)
_DISPLAYED = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.S)


def on_config(config: Any) -> Any:
    """Say at the foot of each page which version it describes."""
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    config.copyright = f"privref {tomllib.loads(text)['project']['version']}"
    return config


def on_page_content(content: str, **_: Any) -> str:
    """Replace each formula by MathML."""
    content = _DISPLAYED.sub(lambda part: _typeset(part, "block"), content)
    return _INLINE.sub(lambda part: _typeset(part, "inline"), content)


def _typeset(part: re.Match[str], display: str) -> str:
    return convert(html.unescape(part.group(1)).strip(), display=display)
