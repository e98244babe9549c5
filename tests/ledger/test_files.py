"""A file is written whole, or what was there stays and nothing is left beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from privref.exact.errors import InputError
from privref.ledger.writing import require_file_name, write_whole


def test_text_and_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for content in ("é\r\n", b"\x00\n"):
        write_whole(path, content)
        assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_an_interruption_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    path = tmp_path / "a"
    write_whole(path, "before")

    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(error):
        write_whole(path, "after")
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("a", "before")]


@pytest.mark.parametrize(
    "name",
    ["con", "CON", "Nul", "prn", "aux", "com1", "LPT9", "com0", "aux.txt", "con.a.b", "nul.", "a.", "a..", "a ",
     "con .x", "COM¹", "conin$", ""],
)  # fmt: skip
def test_a_name_that_is_no_file_s_on_some_platform_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="choose another") as refused:
        require_file_name(name, "claims.id")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "name", ["published", "console", "con-1", "com", "com10", "lpt", "a.con", "nulls", "auxiliary.v2"]
)
def test_other_names_are_taken(name: str) -> None:
    require_file_name(name, "claims.id")
