"""The recordings of a terminal say what the page says, whose commands run with all other blocks."""

from __future__ import annotations

import json

from .recordings import FOLDER, PAGE, TITLES, recordings
from .test_documents import blocks


def test_the_files_are_of_the_page_and_nothing_is_left_out() -> None:
    """A recording plays: a header, times that grow, and the block's own text, letter by letter."""
    assert {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == recordings()
    page = PAGE.read_text(encoding="utf-8")
    consoles = [block.text for block in blocks(page) if block.kind == "console"]
    for console, (name, title) in zip(consoles, TITLES.items(), strict=True):
        assert "\n...\n" not in console
        assert f"## {title}\n" in page
        assert f"(recordings/{name}.cast)" in page
        head, *events = map(json.loads, (FOLDER / f"{name}.cast").read_text(encoding="utf-8").splitlines())
        assert (head["version"], head["title"]) == (2, title)
        times = [time for time, _, _ in events]
        assert times == sorted(times)
        assert times[0] > 0
        assert {kind for _, kind, _ in events} == {"o"}
        assert "".join(text for _, _, text in events).replace("\r\n", "\n") == console
