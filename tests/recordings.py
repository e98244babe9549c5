"""Recordings of a terminal (asciicast v2) of the console blocks of a page: ``python -m tests.recordings``."""

from __future__ import annotations

import json

from .test_documents import DOCS, blocks

PAGE = DOCS / "recordings.md"
FOLDER = DOCS / "recordings"
#: Of each block of the page, in its order: the file and its title.
TITLES = {
    "auditor": "An auditor checks a sheet",
    "implementer": "An implementer tests a function",
    "theorist": "A theorist breaks a filter",
}
#: Seconds for a character that is typed, for an answer, and for reading a line of it.
_TYPED, _ANSWERED, _READ = 0.04, 0.6, 0.4


def recording(title: str, console: str) -> str:
    """One recording: a header, then a time and a text on each line."""
    widest = max(map(len, console.splitlines()))
    head = {"version": 2, "width": max(80, min(widest, 120)), "height": 24, "title": title}
    lines, clock = [json.dumps(head)], 0.0

    def say(seconds: float, text: str) -> None:
        nonlocal clock
        clock += seconds
        lines.append(json.dumps([round(clock, 2), "o", text], ensure_ascii=False))

    for line in console.splitlines():
        if line.startswith("$ "):
            say(_READ, "$ ")
            for sign in line[2:]:
                say(_TYPED, sign)
            say(_ANSWERED, "\r\n")
        else:
            say(_READ, f"{line}\r\n")
    return "\n".join(lines) + "\n"


def recordings() -> dict[str, str]:
    """The files of the page by name."""
    consoles = [block.text for block in blocks(PAGE.read_text(encoding="utf-8")) if block.kind == "console"]
    return {
        f"{name}.cast": recording(title, text) for (name, title), text in zip(TITLES.items(), consoles, strict=True)
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in recordings().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
