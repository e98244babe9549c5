"""Options and shared fixtures of the whole suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

# Machines differ in speed: a property is judged by its truth, not by its time.
settings.register_profile("privref", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("privref")
# A mutant has only to fail, not to fail on the smallest example.
settings.register_profile("mutants", settings.get_profile("privref"), phases=(Phase.explicit, Phase.generate))

DATA = Path(__file__).parent / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-lean", action="store_true", default=False, help="leave out the check of the Lean library (needs npm)"
    )


@pytest.fixture(scope="session")
def samples() -> list[dict[str, Any]]:
    """Sample values of the statements, to 30 digits."""
    found: list[dict[str, Any]] = json.loads((DATA / "samples.json").read_text())["samples"]
    return found


@pytest.fixture
def ledger_document() -> dict[str, Any]:
    """A small valid ledger: 17 rounds of randomized response at 0.1."""
    return {
        "schema": "ledger.1",
        "title": "seventeen",
        "privacy_unit": "person",
        "neighbours": "replace-one",
        "parameters": "fixed-in-advance",
        "interaction": "sequential",
        "events": [
            {
                "count": 17,
                "guarantee": {"kind": "pure-dp", "epsilon": "0.1"},
                "mechanism": {"kind": "randomized-response"},
            }
        ],
    }
