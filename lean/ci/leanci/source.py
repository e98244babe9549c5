"""Lean sources without comments, doc-strings and strings, so that words can be looked for."""

from __future__ import annotations

import re

_CHAR = re.compile(r"'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|[^\\'\n])'")
_RAW = re.compile(r'r(#*)"')


def strip(text: str) -> str:
    """`text` with every comment and string literal blanked; line numbers are kept.

    Block comments nest, as in Lean. An interpolated string is blanked whole, including its holes: a
    hole can hold a term, which the olean scan sees, but no command.
    """
    out: list[str] = []
    i, n = 0, len(text)

    def blank(start: int, end: int) -> None:
        out.append("".join("\n" if c == "\n" else " " for c in text[start:end]))

    while i < n:
        start = i
        if text.startswith("--", i):
            end = text.find("\n", i)
            i = n if end < 0 else end
            blank(start, i)
        elif text.startswith("/-", i):
            depth, i = 1, i + 2
            while i < n and depth:
                if text.startswith("/-", i):
                    depth, i = depth + 1, i + 2
                elif text.startswith("-/", i):
                    depth, i = depth - 1, i + 2
                else:
                    i += 1
            blank(start, i)
        elif text[i] == '"':
            i += 1
            while i < n and text[i] != '"':
                i += 2 if text[i] == "\\" else 1
            i = min(i + 1, n)
            blank(start, i)
        elif text[i] == "r" and not _word(text, i - 1) and (raw := _RAW.match(text, i)):
            end = text.find('"' + raw.group(1), raw.end())
            i = n if end < 0 else end + 1 + len(raw.group(1))
            blank(start, i)
        elif text[i] == "'" and not _word(text, i - 1) and (char := _CHAR.match(text, i)):
            i = char.end()
            blank(start, i)
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def _word(text: str, i: int) -> bool:
    return i >= 0 and (text[i].isalnum() or text[i] in "_'!?»")
