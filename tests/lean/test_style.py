"""What people who read Lean expect of the sources: short lines, module documentation, one spelling, docstrings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from leanci.toolchain import LEAN

SOURCES = sorted([LEAN / "PrivRef.lean", *(LEAN / "PrivRef").rglob("*.lean")])


def relative(path: Path) -> str:
    return path.relative_to(LEAN).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_lines_have_at_most_100_characters(path: Path) -> None:
    assert [line for line in path.read_text().splitlines() if len(line) > 100] == []


@pytest.mark.parametrize("path", [path for path in SOURCES if path.parent != LEAN], ids=relative)
def test_a_module_says_what_it_holds(path: Path) -> None:
    assert re.search(r"^/-!\n", path.read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_one_spelling(path: Path) -> None:
    assert "andomis" not in path.read_text()


def test_every_main_theorem_has_a_docstring() -> None:
    text = (LEAN / "PrivRef" / "Statements.lean").read_text()
    theorems = re.findall(r"(.*)\ntheorem ([\w.]+)", text)
    assert len(theorems) > 40
    assert [name for before, name in theorems if not before.endswith("-/")] == []
