"""An audit as one SVG file: title, verdicts, and the picture of each claim that has one. It fetches nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from privref.audit import summary
from privref.audit.opinions import MEANINGS, Audit, Opinion
from privref.exact.errors import one_line

from .html import MARKS, environment
from .picture import pictures

_WIDTH, _LINE, _GAP = 660, 18, 14
#: Letters of a line of text that fit beside each other at 13 pixels.
_LETTERS = 88
#: Claims of one file: more are a report.
MOST_CLAIMS = 12


def audit_picture(audit: Audit) -> str:
    """Return the verdicts and pictures of an audit's first claims as SVG; InputError where Jinja2 is not installed."""
    template = environment("--plot").get_template("audit.svg")
    blocks, y = [], 12 + 2 * _LINE
    for opinion, picture in list(zip(audit.opinions, pictures(audit), strict=True))[:MOST_CLAIMS]:
        block = _block(opinion, picture, y)
        blocks.append(block)
        y = block["end"] + _GAP
    left_out = len(audit.opinions) - len(blocks)
    return template.render(
        width=_WIDTH,
        height=y + (_LINE if left_out else 0),
        title=textwrap.shorten(one_line(audit.ledger.title), 72, placeholder=" …"),
        counts=summary.counts_words(audit),
        blocks=blocks,
        left_out=left_out,
        left_out_at=y,
    )


def _block(opinion: Opinion, picture: dict[str, Any] | None, y: int) -> dict[str, Any]:
    """What is drawn of one claim: lines of text with their places, and the picture below them."""
    known, margin = summary.bound_words(opinion), summary.margin_words(opinion)
    texts = [MEANINGS[opinion.verdict]]
    if known:
        texts.append(f"Best bound: {opinion.claim.symbol} {known}{f'; {margin}' if margin else ''}")
    head = y + _LINE
    lines = [
        (head + _LINE * (1 + i), part)
        for i, part in enumerate(part for text in texts for part in textwrap.wrap(text, _LETTERS))
    ]
    end = lines[-1][0] + 8
    legend = []
    if picture is not None:
        below = end + picture["height"]
        for i, (dash, text) in enumerate(_legend(picture)):
            legend.append((below + _LINE * (i + 1), dash, text))
        end = below + _LINE * len(legend) + 6
    return {
        "verdict": opinion.verdict,
        "head": f"{MARKS.get(opinion.verdict, '·')} {opinion.verdict}",
        "says": textwrap.shorten(f"{one_line(opinion.claim.id)}: {opinion.claim}", 64, placeholder=" …"),
        "head_at": head,
        "lines": lines,
        "picture": picture,
        "picture_at": lines[-1][0] + 8,
        "legend": legend,
        "top": y,
        "end": end,
    }


def _legend(picture: dict[str, Any]) -> Iterator[tuple[tuple[str, str] | tuple[()] | None, str]]:
    """Each text with its line's dashes and number, () where a text goes on, or None where there is no line.

    The claim's dot, which comes first, has the verdict's colour.
    """
    yield None, "the claim" + (f" ({picture['about']})" if picture["about"] else "")
    for i, each in enumerate(picture["lines"], 1):
        yield (each["dash"], str(i)), f"at most, by {each['name']}"
        if each["like"]:
            yield (), "too near to this line to be drawn apart:"
            yield from (((), name) for name in each["like"])
    for _, _, name in picture["single"]:
        yield None, f"□ the bound by {name}, computed at the claim's delta only"
    if picture["area"]:
        yield None, f"hatched: {picture['area_words']}"
