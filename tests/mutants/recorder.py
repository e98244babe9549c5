"""Which test runs which line, and how long it takes: what a campaign chooses its tests by."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import pytest

#: Not judges of mutants: this folder itself, the Lean library and CrossHair's subprocesses see no patched function.
IGNORED = ("tests/mutants", "tests/lean", "tests/benchmarks", "proofs/test_contracts.py")


@dataclass(frozen=True)
class Record:
    """Seconds of each test, and the tests that run each line of each file."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]

    def write(self, path: Path) -> None:
        """As JSON, tests by number."""
        names = list(self.seconds)
        number = {name: i for i, name in enumerate(names)}
        lines = {
            file: {line: [number[test] for test in tests if test in number] for line, tests in found.items()}
            for file, found in self.lines.items()
        }
        path.write_text(json.dumps({"tests": [[name, self.seconds[name]] for name in names], "lines": lines}))

    @staticmethod
    def read(path: Path) -> Record:
        """What ``write`` wrote."""
        document: dict[str, Any] = json.loads(path.read_text())
        names = [name for name, _ in document["tests"]]
        lines = {
            file: {int(line): [names[i] for i in tests] for line, tests in found.items()}
            for file, found in document["lines"].items()
        }
        return Record(dict(document["tests"]), lines)


class _Contexts:
    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.measured.switch_context(item.nodeid)
        start = time.perf_counter()
        yield
        self.seconds[item.nodeid] = time.perf_counter() - start

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def record(root: Path, only: Sequence[str] = ()) -> Record:
    """Run the suite, or some of its files, once; RuntimeError where a test fails on the code as it is."""
    measured = coverage.Coverage(data_file=None, source=[str(root / "reference" / "privref")], config_file=False)
    contexts = _Contexts(measured)
    ignored = [f"--ignore={root / path}" for path in IGNORED]
    chosen = [str(root / path) for path in only] or [str(root)]
    options = ["-q", "--no-lean", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
    measured.start()
    try:
        pytest.main([*options, *ignored, *chosen], plugins=[contexts])
    finally:
        measured.stop()
    if contexts.failed or not contexts.seconds:
        raise RuntimeError(f"red on the code as it is: {contexts.failed or 'nothing ran'}")
    data = measured.get_data()
    lines = {
        str(Path(file).relative_to(root)): {
            line: sorted(test for test in tests if test) for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    return Record(contexts.seconds, lines)
