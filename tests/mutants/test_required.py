"""The hand-made mutants are caught, and the operators make what they say."""

from __future__ import annotations

import pytest

from .operators import mutants
from .required import REQUIRED, TESTS
from .runner import caught_by, path_of, warm_up


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.mark.parametrize("name", REQUIRED)
def test_required_mutant_is_caught(name: str) -> None:
    """Some check goes red."""
    module, before, after = REQUIRED[name]
    source = path_of(module).read_text(encoding="utf-8")
    assert source.count(before) == 1, "the place of the mutation moved: adapt the mutant"
    tests = (TESTS[module],) if module in TESTS else ()
    assert caught_by(module, source.replace(before, after), tests), f"{name} survives"


@pytest.mark.parametrize("module", ["privref.composition.basic", "privref.exact.enclosure", "privref.audit.run"])
def test_unchanged_code_is_not_caught(module: str) -> None:
    """The checks are green on the code as it is: what they catch is the mutation."""
    tests = (TESTS[module],) if module in TESTS else ()
    assert caught_by(module, path_of(module).read_text(encoding="utf-8"), tests) == ""


def test_operators_change_one_place_each() -> None:
    """Every operator applies to a small function, and docstrings are left alone."""
    source = (
        "def f(ar, delta, rounds):\n"
        '    """In 2 words, down."""\n'
        "    total = 1\n"
        "    for r in rounds:\n"
        "        total = total + r\n"
        '    return g(ar.log(delta), "down") if total > 2 else 0\n'
    )
    found = list(mutants("m", source))
    assert {mutant.operator for mutant in found} == {
        "literal+1",
        "literal-1",
        "boundary",
        "arithmetic",
        "log base",
        "delta/2",
        "drop a round",
        "round inward",
    }
    assert all("In 2 words, down." in mutant.source for mutant in found)
    assert len({mutant.source for mutant in found}) == len(found)
