"""One build of the Lean library for the whole session, from scratch unless PRIVREF_LEAN_INCREMENTAL is set."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
LEAN = CHECKOUT / "lean"
# What the Python package says of the library, and what the tests know its theorems to state.
INDEX = CHECKOUT / "reference" / "privref" / "statements" / "lean.json"
RESTATED = Path(__file__).parent / "Restated.lean"
MEANINGS = Path(__file__).parent / "meanings.txt"
sys.path.insert(0, str(LEAN / "ci"))

from leanci import cli  # noqa: E402
from leanci.check import Outcome, check  # noqa: E402
from leanci.check import run_text as run_against  # noqa: E402
from leanci.toolchain import Result, WasmLean, wasm_lean  # noqa: E402


@pytest.fixture(scope="session")
def lean(request: pytest.FixtureRequest) -> Iterator[WasmLean]:
    """Lean in WebAssembly. A failed download fails the tests: only --no-lean skips them."""
    if request.config.getoption("--no-lean", default=False):
        pytest.skip("--no-lean")
    found = wasm_lean()
    yield found
    found.close()


@pytest.fixture(scope="session")
def jobs() -> int:
    """Processes of Lean: one where the other processor has other tests to run, since each compiles Lean for itself."""
    return 1 if "PYTEST_XDIST_WORKER" in os.environ else 2


@pytest.fixture(scope="session")
def library(lean: WasmLean, jobs: int) -> Outcome:
    """The library, built and checked once."""
    incremental = bool(os.environ.get("PRIVREF_LEAN_INCREMENTAL"))
    return check(
        out=cli.CHECKED,
        lean=lean,
        index=INDEX,
        restated=RESTATED,
        meanings=MEANINGS,
        incremental=incremental,
        jobs=jobs,
        say=lambda line: print(line, flush=True),
    )


@pytest.fixture(scope="session")
def run_lean(lean: WasmLean, library: Outcome) -> Callable[[str], Result]:
    """Lean's verdict on a text that may import the library."""
    return lambda text: run_against(lean, text, cli.CHECKED)
