"""Lean sources without comments, doc-strings and strings, so that words can be looked for.

Reading a text as Lean does is only easy without Lean's finer points, and whoever hides something
makes use of them. So ``doubts`` names every place where this reader could lose its way, and the check
refuses them all: a library of theorems needs none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CHAR = re.compile(r"'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|[^\\'\n])'")
_RAW = re.compile(r'r(#*)"')
# A quoted name may hold anything; whether these comments end at their last stroke depends on what begins there.
_DOUBTFUL = re.compile(r"[«»]|/-[-!]?-?/")


def _lex(text: str) -> Iterator[tuple[str, int, int]]:
    """The text in pieces, each with its kind: `code`, `comment`, `string` or `char`."""
    i, n, code = 0, len(text), 0
    while i < n:
        start, kind = i, "code"
        if text.startswith("--", i):
            kind, end = "comment", text.find("\n", i)
            i = n if end < 0 else end
        elif text.startswith("/-", i):
            kind, depth, i = "comment", 1, i + 2
            while i < n and depth:
                if text.startswith("/-", i):
                    depth, i = depth + 1, i + 2
                elif text.startswith("-/", i):
                    depth, i = depth - 1, i + 2
                else:
                    i += 1
        elif text[i] == '"':
            kind, i = "string", i + 1
            while i < n and text[i] != '"':
                i += 2 if text[i] == "\\" else 1
            i = min(i + 1, n)
        elif text[i] == "r" and not _word(text, i - 1) and (raw := _RAW.match(text, i)):
            kind, end = "string", text.find('"' + raw.group(1), raw.end())
            i = n if end < 0 else end + 1 + len(raw.group(1))
        elif text[i] == "'" and not _word(text, i - 1) and (char := _CHAR.match(text, i)):
            kind, i = "char", char.end()
        else:
            i += 1
            continue
        yield "code", code, start
        yield kind, start, i
        code = i
    yield "code", code, n


def strip(text: str) -> str:
    """`text` with every comment and literal blanked; line numbers are kept. Block comments nest, as in Lean."""
    return "".join(
        text[start:end] if kind == "code" else "".join("\n" if c == "\n" else " " for c in text[start:end])
        for kind, start, end in _lex(text)
    )


def doubts(text: str) -> list[tuple[str, int]]:
    """What this reader might read otherwise than Lean, and where: without any, `strip` is exact.

    No string of any kind is let through: an interpolated one holds terms, which hold comments and strings.
    """
    found = [(f"doubtful {match.group()}", match.start()) for match in _DOUBTFUL.finditer(text)]
    for kind, start, end in _lex(text):
        if kind == "string" or (kind == "char" and '"' in text[start:end]):
            found.append(("string literal", start))
    return found


def _word(text: str, i: int) -> bool:
    return i >= 0 and (text[i].isalnum() or text[i] in "_'!?»")
