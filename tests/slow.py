"""Which tests the quick run leaves out, by what they were measured to take.

``python -m pytest --cpu RUN …`` writes the CPU time of each test to RUN.PID, one file a process. What several tests
share counts for each of them in full, whichever comes first. ``python -m tests.slow RUN.PID …`` remakes
``tests/data/slow_tests.txt`` from such files: the least time of each test counts, since other work on the machine only
adds to it. What was not measured stays as it is.
"""

from __future__ import annotations

import os
import resource
import sys
from collections import defaultdict
from collections.abc import Callable, Generator
from functools import wraps
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")

LIST = Path(__file__).parent / "data" / "slow_tests.txt"

#: Seconds of CPU, in the test's process and in those that it starts, from which on a test is slow; and below which one
#: that was is quick again.
SLOW, QUICK = 0.1, 0.05
#: A function is slow as a whole where this part of its cases is.
MOST = 0.5
#: Of each file a test stays quick, unless even the quickest takes more.
KEPT = 0.5
#: A forgery of each theorem, and a mutant that it catches, whatever they take.
ALWAYS_QUICK = ("tests/kernel/test_quick.py", "tests/mutants/test_quick.py::test_the_quick_run_is_red[parameters need")

#: What the tests that ran asked for and others had computed already, in seconds; and what this test has asked for.
_lent = 0.0
_asked: set[object] = set()


def spent() -> float:
    """CPU of this process and of those that it started and that have ended, with what was lent, in seconds."""
    each = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return _lent + sum(usage.ru_utime + usage.ru_stime for usage in each)


def shared(function: Callable[..., T]) -> Callable[..., T]:
    """Compute it once for all tests of a process, and count it for each test that asks for it."""
    known: dict[tuple[object, ...], tuple[T, float]] = {}

    @wraps(function)
    def answer(*args: object) -> T:
        global _lent
        if args not in known:
            before = spent()
            value = function(*args)
            known[args] = value, spent() - before
        elif (answer, args) not in _asked:
            _lent += known[args][1]
        _asked.add((answer, args))
        return known[args][0]

    return answer


class Meter:
    """A plugin that writes what each test takes, with all the fixtures that it shares with others."""

    def __init__(self, run: str) -> None:
        self.path = f"{run}.{os.getpid()}"
        self.fixtures: dict[tuple[str, str], float] = {}
        self.fresh: set[tuple[str, str]] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        before = spent()
        result = yield
        if fixturedef.scope != "function":
            key = fixturedef.argname, fixturedef.baseid
            self.fixtures[key] = spent() - before
            self.fresh.add(key)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.fresh.clear()
        _asked.clear()
        before = spent()
        result = yield
        taken = spent() - before
        names = getattr(item, "fixturenames", ())
        for key in self.fixtures.keys() - self.fresh:
            if key[0] in names and item.nodeid.startswith(key[1]):
                taken += self.fixtures[key]
        group = item.get_closest_marker("xdist_group")
        test = item.nodeid.removesuffix(f"@{group.args[0]}") if group and group.args else item.nodeid
        with open(self.path, "a", encoding="utf-8") as sink:
            sink.write(f"{taken:.3f} {test}\n")
        return result


def measured(paths: list[Path]) -> dict[str, float]:
    """The least time of each test in some runs."""
    least: dict[str, float] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            seconds, test = line.split(" ", 1)
            least[test] = min(float(seconds), least.get(test, float(seconds)))
    return least


def remade(listed: set[str], times: dict[str, float]) -> set[str]:
    """The list after these times; of each file that was measured a test stays in the quick run."""
    functions = defaultdict(set)
    files = defaultdict(set)
    for test in times:
        functions[test.split("[")[0]].add(test)
        files[test.split("::")[0]].add(test)
    found = {each for each in listed if each not in times and each not in functions}
    for function, cases in functions.items():
        if function.startswith("tests/lean/"):
            continue
        was = {case for case in cases if case in listed or function in listed}
        slow = {case for case in cases if times[case] >= (QUICK if case in was else SLOW)}
        kept = {case for case in cases if case.startswith(ALWAYS_QUICK)}
        found |= {function} if len(slow) >= MOST * len(cases) and not kept else slow - kept
    for path, tests in files.items():
        left = {test for test in tests if test not in found and test.split("[")[0] not in found}
        if not left and not path.startswith("tests/lean/"):
            kept = min(tests, key=lambda test: times[test])
            if times[kept] > KEPT:
                continue
            function = kept.split("[")[0]
            found -= {kept, function}
            found |= {case for case in functions[function] - {kept} if times[case] >= SLOW}
    return found


def main(arguments: list[str]) -> None:
    listed = set(LIST.read_text(encoding="utf-8").splitlines())
    found = remade(listed, measured([Path(each) for each in arguments]))
    LIST.write_text("".join(f"{test}\n" for test in sorted(found)), encoding="utf-8")
    print(f"{len(found - listed)} lines are new, {len(listed - found)} are gone")


if __name__ == "__main__":
    main(sys.argv[1:])
