"""The command that a message gives for an extra works where the reader is."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest

from privref.exact import extras


@pytest.mark.parametrize(
    ("origin", "installs"),
    [
        ({}, ["privref[html]"]),
        ({"url": "file:///a%20clone", "dir_info": {}}, ["/a clone[html]"]),
        ({"url": "file:///clone", "dir_info": {"editable": True}}, ["--editable", "/clone[html]"]),
        ({"url": "file:///w/privref-1-py3-none-any.whl", "archive_info": {}}, ["/w/privref-1-py3-none-any.whl[html]"]),
        ({"url": "https://host/privref.whl", "archive_info": {}}, ["privref[html] @ https://host/privref.whl"]),
        (
            {"url": "https://host/privref.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            ["privref[html] @ git+https://host/privref.git@abc"],
        ),
    ],
)
def test_the_extra_comes_from_where_privref_came_from(
    origin: dict[str, Any], installs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return json.dumps(origin) if origin else None

    monkeypatch.setattr(extras, "distribution", lambda name: Installed())
    monkeypatch.setattr(extras, "find_spec", lambda name: object())
    assert shlex.split(extras.install("html")) == [sys.executable, "-m", "pip", "install", *installs]
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    assert shlex.split(extras.install("html")) == ["uv", "pip", "install", "--python", sys.executable, *installs]


def test_sources_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(extras, "distribution", missing)
    assert "privref[html]" in shlex.split(extras.install("html"))
