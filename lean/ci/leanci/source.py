"""Lean sources without comments, doc-strings and strings, so that words can be looked for.

Reading a text as Lean does is only easy without Lean's finer points, and whoever hides something
makes use of them. So ``doubts`` names every place where this reader could lose its way, and the check
refuses them all: a library of theorems needs none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_CHAR = re.compile(r"'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|[^\\'\n])'")
# Where something else than code may begin.
_OTHER = re.compile(r"--|/-|[\"r']")
_RAW = re.compile(r'r(#*)"')
# The Greek letters that Lean counts as letters: lambda, capital pi and capital sigma stand for themselves.
_GREEK = "\u0391-\u039f\u03a1\u03a4-\u03a9\u03b1-\u03ba\u03bc-\u03c9"
_REST = rf"0-9A-Za-z_'!?{_GREEK}\u2080-\u2089"
_TOKEN = re.compile(rf"[A-Za-z_{_GREEK}][{_REST}]*|[0-9][{_REST}]*")
# The characters beyond ASCII that code may hold, and those that comments may hold besides. All others are refused:
# capital Greek that looks Latin, marks of direction, and spaces of no width.
_SIGNS = frozenset("¬·¹×⁻₀₁₂₃₄←→↔↦∀∃∈∉∑∧∨≠≤⊕⊢▸⟨⟩√" + "ΔΩαβγδεηικλμνρστφψω")
_PROSE = _SIGNS | frozenset("²³½é̂̃Σ…⁴⁺₊ℚℝ∏∘∞∩∪≥⊆⊤⊥–ℤ")
# Greek letters that can be taken for Latin ones, before two Latin letters or behind three.
_LOOKALIKE = re.compile("[αγηικνρστω][A-Za-z]{2}|[A-Za-z]{3}[αγηικνρστω]")
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
            after = _OTHER.search(text, i + 1)
            i = after.start() if after else n
            continue
        yield "code", code, start
        yield kind, start, i
        code = i
    yield "code", code, n


def load(path: Path) -> str:
    """Return the text of a file as Lean reads it: a carriage return ends no line."""
    return path.read_bytes().decode()


def tokens(code: str) -> Iterator[tuple[str, int]]:
    """Yield every identifier, keyword and number of `code` as Lean separates them, each with its place.

    A letter right after a digit, a superscript or a binder begins a new token. Pieces of a dotted name come one by one.
    """
    for match in _TOKEN.finditer(code):
        yield match.group(), match.start()


def strip(text: str) -> str:
    """`text` with every comment and literal blanked; line numbers are kept. Block comments nest, as in Lean."""
    return "".join(
        text[start:end] if kind == "code" else "".join("\n" if c == "\n" else " " for c in text[start:end])
        for kind, start, end in _lex(text)
    )


def code(text: str) -> str:
    """Return `text` without its comments and without empty lines; the rest keeps its columns."""
    kept = "".join(
        re.sub(r"[^\n]", " ", text[start:end]) if kind == "comment" else text[start:end]
        for kind, start, end in _lex(text)
    )
    return "\n".join(line for line in map(str.rstrip, kept.split("\n")) if line)


def doubts(text: str) -> list[tuple[str, int]]:
    """What this reader might read otherwise than Lean, and where: without any, `strip` is exact.

    No string of any kind is let through: an interpolated one holds terms, which hold comments and strings.
    """
    found = [(f"doubtful {match.group()}", match.start()) for match in _DOUBTFUL.finditer(text)]
    for kind, start, end in _lex(text):
        allowed = _PROSE if kind == "comment" else _SIGNS
        for at in range(start, end):
            if not (" " <= text[at] <= "~" or text[at] == "\n" or text[at] in allowed):
                found.append((f"character U+{ord(text[at]):04X}", at))
        if kind == "code":
            for token, at in tokens(text[start:end]):
                if token[0].isdigit() and not token.isdigit():
                    found.append((f"letters after digits in {token}", start + at))
                if _LOOKALIKE.search(token):
                    found.append((f"mixed scripts in {token}", start + at))
        if kind == "string" or (kind == "char" and '"' in text[start:end]):
            found.append(("string literal", start))
    return found


def _word(text: str, i: int) -> bool:
    return i >= 0 and (text[i].isalnum() or text[i] in "_'!?»")
