"""The whole library compiles without warnings, hides no cheat, and has what is said of it."""

from __future__ import annotations

from leanci import modules
from leanci.check import Outcome
from leanci.toolchain import LEAN


def test_library_checks(library: Outcome) -> None:
    assert library.problems == []
    assert library.theorems > 0


def test_every_module_was_built(library: Outcome) -> None:
    sources = {p.relative_to(LEAN).with_suffix("") for p in (LEAN / "PrivRef").rglob("*.lean")}
    assert sources
    assert {".".join(p.parts) for p in sources} <= modules.reachable(modules.library(LEAN))
