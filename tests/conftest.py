"""Options and shared fixtures of the whole suite."""

from __future__ import annotations

import gc
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Collection, Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.slow import LIST, Meter

# Machines differ in speed: a property is judged by its truth, not by its time, nor by the time that drawing takes.
settings.register_profile(
    "privref", deadline=None, derandomize=True, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("privref")
# A mutant has only to fail, not to fail on the smallest example.
settings.register_profile("mutants", settings.get_profile("privref"), phases=(Phase.explicit, Phase.generate))

DATA = Path(__file__).parent / "data"


#: What ``--quick`` leaves out beside Lean, one function or one of its cases a line (``tests/slow.py`` says which).
SLOW = frozenset(LIST.read_text(encoding="utf-8").splitlines())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-lean", action="store_true", default=False, help="leave out the check of the Lean library (needs npm)"
    )
    parser.addoption(
        "--quick",
        action="store_true",
        default=False,
        help="leave out Lean and the slow tests (tests/data/slow_tests.txt)",
    )
    parser.addoption(
        "--other-vectors",
        action="store_true",
        default=False,
        help="compute the vectors' answers that the tests leave out otherwise, all but one in 32 (minutes)",
    )
    parser.addoption(
        "--exhaustive",
        action="store_true",
        default=False,
        help="take all cases of the tests of which a run takes some, and the tests that are for releases",
    )
    parser.addoption("--cpu", metavar="RUN", help="write what each test takes to RUN.PID, for tests/slow.py")


def pytest_configure(config: pytest.Config) -> None:
    if run := config.getoption("--cpu"):
        config.pluginmanager.register(Meter(run))
    # Processes that tests start import the package again: none compiles it where another did.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Tests and modules are there to stay: Python does not search them again and again for garbage.

    That took a third of the time of the collection, and some of every full search that a test met later.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the Lean library's one build in one process, leave out what is slow where that is asked, and draw cases.

    Where several processes share the tests, what is slow goes first, so that none waits for another's last test.
    """
    for item in items:
        if item.nodeid.startswith("tests/lean/"):
            item.add_marker(pytest.mark.xdist_group("lean"))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not is_slow(item))
    left_out = set()
    if config.getoption("--quick"):
        left_out = {item for item in items if item.nodeid.startswith("tests/lean/") or is_slow(item)}
    if not config.getoption("--exhaustive"):
        cases = defaultdict(list)
        for item in items:
            if mark := item.get_closest_marker("sampled"):
                cases[item.nodeid.split("[")[0], mark.args[0]].append(item.nodeid)
        kept = {case for (_, part), each in cases.items() for case in sampled(each, part, code())}
        left_out |= {item for item in items if item.get_closest_marker("sampled") and item.nodeid not in kept}
        left_out |= {item for item in items if item.get_closest_marker("exhaustive")}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


@cache
def code() -> str:
    """Changes with every change of the package's code, and with it which cases are drawn."""
    state = hashlib.sha256()
    for path in sorted((Path(__file__).parents[1] / "reference" / "privref").rglob("*.py")):
        state.update(path.read_bytes())
    return state.hexdigest()


def sampled(cases: Collection[str], part: int, draw: str) -> set[str]:
    """About one in ``part`` of the cases, and one at least."""
    numbers = {case: int(hashlib.sha256((draw + case).encode()).hexdigest(), 16) for case in cases}
    return {case for case, number in numbers.items() if number % part == 0} | {min(numbers, key=numbers.__getitem__)}


def is_slow(item: pytest.Item) -> bool:
    """Whether the test, or its function for all parameters, is among the slow ones."""
    return item.nodeid in SLOW or item.nodeid.split("[")[0] in SLOW


@pytest.fixture(scope="session")
def samples() -> list[dict[str, Any]]:
    """Sample values of the statements, to 30 digits."""
    found: list[dict[str, Any]] = json.loads((DATA / "samples.json").read_text())["samples"]
    return found


@pytest.fixture
def privref_command(capsys: pytest.CaptureFixture[str]) -> Any:
    """The command line within this process: its exit code, and what it printed on stdout and on stderr."""
    from privref.cli.main import main

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


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
