"""The quick run is red where a hypothesis of the kernel is not asked for, or a term of the contour is forgotten."""

from __future__ import annotations

import os

import pytest

from .runner import _OPTIONS, ROOT, install, path_of

#: The module, text in it that occurs once, what replaces it, and tests of the quick run that go red.
MUTANTS: dict[str, tuple[str, str, str, str]] = {
    "parameters need not be fixed": (
        "privref.kernel.theorems",
        'if (by not in FILTERS or goal.notion == "mu") and not record.fixed:',
        "if False:",
        "tests/kernel/test_quick.py",
    ),
    "refused events are nothing": (
        "privref.kernel.record",
        " and len(ran) == len(given) and ",
        " and ",
        "tests/kernel/test_quick.py",
    ),
    "nodes left out do not count in the upper bound": (
        "privref.profiles.contour",
        "high = middle + rest + self.topped",
        "high = middle + self.topped",
        "tests/profiles/test_contour.py::test_four_nodes_bound_from_above_what_they_leave_out",
    ),
}


def quick_run(module: str, source: str, tests: str) -> int:
    """The exit code of these tests in a quick run in which the module has this source."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            with open(os.devnull, "w") as sink:
                os.dup2(sink.fileno(), 1)
                os.dup2(sink.fileno(), 2)
            os.chdir(ROOT)
            install(module, source)
            code = int(pytest.main([*_OPTIONS, "--quick", str(ROOT / tests)]))
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("name", MUTANTS)
def test_the_quick_run_is_red(name: str) -> None:
    module, before, after, tests = MUTANTS[name]
    source = path_of(module).read_text(encoding="utf-8")
    assert source.count(before) == 1, "the place of the mutation moved: adapt the mutant"
    assert quick_run(module, source.replace(before, after), tests) == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("tests", sorted({tests for *_, tests in MUTANTS.values()}))
def test_it_is_green_on_the_code_as_it_is(tests: str) -> None:
    module = "privref.kernel.record"
    assert quick_run(module, path_of(module).read_text(encoding="utf-8"), tests) == pytest.ExitCode.OK
