"""What the quick run leaves out exists."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import slow
from tests.conftest import SLOW, code, sampled
from tests.slow import remade, shared, spent

ROOT = Path(__file__).parents[1]


def functions(path: str) -> set[str]:
    return set(re.findall(r"^(?:def )?(\w+)(?:\(| = )", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE))


def test_what_the_quick_run_leaves_out_is_a_test() -> None:
    """A test that was renamed or mended is not left in the list; each stands there once, in order."""
    listed = (ROOT / "tests/data/slow_tests.txt").read_text(encoding="utf-8").splitlines()
    assert listed == sorted(set(listed))
    names = [test.split("[")[0].split("::")[:2] for test in listed]
    by_path = {path: functions(path) for path, _ in names}
    assert [name for path, name in names if name not in by_path[path]] == []


def test_the_quick_run_tests_every_package() -> None:
    """Some test function of each package's folder is left, and of the proofs."""
    packages = {path.name for path in (ROOT / "reference" / "privref").iterdir() if (path / "__init__.py").is_file()}
    for folder in [ROOT / "proofs", *(ROOT / "tests" / name for name in sorted(packages))]:
        left = {
            f"{path.relative_to(ROOT).as_posix()}::{name}"
            for path in folder.glob("test_*.py")
            for name in functions(str(path.relative_to(ROOT)))
            if name.startswith("test_")
        }
        assert left - SLOW, folder


def test_the_slow_ones_are_those_that_were_measured_so() -> None:
    """What is slow leaves, what is quick again returns, what was not measured stays; of each file one test is kept."""
    times = {"a.py::f[1]": 0.3, "a.py::f[2]": 0.01, "a.py::f[3]": 0.01, "a.py::g": 0.06, "b.py::f": 0.2, "b.py::g": 0.3}
    assert remade({"a.py::g", "c.py::f"}, times) == {"a.py::f[1]", "a.py::g", "b.py::g", "c.py::f"}
    assert remade({"a.py::f[1]", "a.py::f[2]", "a.py::g"}, times | {"a.py::g": 0.04}) == {"a.py::f[1]", "b.py::g"}
    assert remade(set(), {"a.py::f[1]": 0.3, "a.py::f[2]": 0.4, "b.py::f": 0.7}) == {"a.py::f[2]", "b.py::f"}


def test_what_tests_share_counts_for_each() -> None:
    calls = []

    @shared
    def answer(seconds: float) -> float:
        calls.append(seconds)
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return seconds

    before = spent()
    for _ in range(10):
        assert [answer(0.02), answer(0.02)] == [0.02] * 2
        slow._asked.clear()  # as where the next test begins
    assert calls == [0.02]
    assert 0.2 <= spent() - before < 0.4


def test_a_sample_of_the_cases_is_drawn_and_all_where_that_is_asked() -> None:
    """An eighth or so, the same in every process, another one with other code; of each function at least one."""
    cases = [f"a.py::f[{n}]" for n in range(80)]
    drawn = sampled(cases, 8, "code")
    assert 3 <= len(drawn) <= 20
    assert drawn == sampled(cases[::-1], 8, "code") != sampled(cases, 8, "other code")
    assert len(sampled(["a.py::f[1]"], 10**9, "code")) == 1
    assert len(code()) == 64


def test_a_release_takes_all_cases_of_which_a_run_draws_some() -> None:
    """By their marks; a test that asks whether all is wanted, or whose fixture does, has one."""
    release = (ROOT / ".ci" / "release").read_text(encoding="utf-8")
    assert '["-m", "sampled or exhaustive or longer", "--exhaustive"]' in release
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        asks = len(re.findall(r"getoption\(.exhaustive.\)|^def test_.*\blong_examples\b", text, re.MULTILINE))
        assert text.count("@pytest.mark.longer\n") == asks, path


def test_groups_are_kept_together(pytestconfig: pytest.Config, request: pytest.FixtureRequest) -> None:
    """pytest-xdist names the group in the id: without that, two processes build the Lean library in one folder."""
    if not pytestconfig.getoption("loadgroup", False):
        pytest.skip("the tests run in one process")
    items = [item for item in request.session.items if item.nodeid.startswith("tests/lean/")]
    assert all(item.nodeid.endswith("@lean") for item in items)


@pytest.mark.exhaustive
def test_the_tests_run_without_xdist() -> None:
    """Collect, in a pytest without pytest-xdist, every file that names a group of tests, and those of Lean."""
    grouped = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if "mark.xdist_group" in path.read_text(encoding="utf-8") or path.parent.name == "lean"
    ]
    assert len(grouped) > 8
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "--collect-only", "-q"]
    done = subprocess.run([*command, *grouped], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert all(f"{path}::" in done.stdout for path in grouped)
