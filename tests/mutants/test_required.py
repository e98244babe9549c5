"""The hand-made mutants are caught, and the operators make what they say."""

from __future__ import annotations

import ast
import time

import pytest

from . import runner
from .__main__ import every, explained
from .operators import OPERATORS, mutants
from .required import REQUIRED, TESTS
from .runner import caught_by, path_of, warm_up


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", REQUIRED)
def test_required_mutant_is_caught(name: str) -> None:
    """Some check goes red."""
    module, before, after = REQUIRED[name]
    source = path_of(module).read_text(encoding="utf-8")
    assert source.count(before) == 1, "the place of the mutation moved: adapt the mutant"
    tests = (TESTS[module],) if module in TESTS else ()
    assert caught_by(module, source.replace(before, after), tests), f"{name} survives"


@pytest.mark.parametrize("module", ["privref.composition.basic", "privref.exact.enclosure", "privref.audit.engines"])
def test_unchanged_code_is_not_caught(module: str) -> None:
    """The checks are green on the code as it is: what they catch is the mutation."""
    tests = (TESTS[module],) if module in TESTS else ()
    assert caught_by(module, path_of(module).read_text(encoding="utf-8"), tests) == ""


def test_the_time_limit_is_of_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that loops is ended; one that waits, as beside other programs, is not."""
    monkeypatch.setattr(runner, "SECONDS", 0.5)
    assert caught_by("privref.lazily", "while True: pass", ()) == "time"
    monkeypatch.setattr(runner, "_failing_check", lambda *_: time.sleep(1) or "it has waited")
    assert caught_by("privref.lazily", "", ()) == "it has waited"


SOURCE = '''
LIMIT = 8


def f(ar, delta, rounds, most=3):
    """In 2 words, down."""
    total = 1
    for r in rounds:
        total = total + r
    return g(ar.log(delta), "down") if total > LIMIT and not most else 0
'''.strip()


def test_operators_change_one_place_each() -> None:
    """Every operator applies to a small module, docstrings are left alone, and no two mutants are the same."""
    found = list(mutants("m", SOURCE))
    assert {mutant.operator for mutant in found} == OPERATORS.keys()
    texts = [ast.unparse(mutant.tree) for mutant in found]
    assert all("In 2 words, down." in text for text in texts)
    assert len(set(texts)) == len({mutant.key for mutant in found}) == len(found)
    assert ast.unparse(ast.parse(SOURCE)) not in texts


def module_of(key: str) -> str:
    """The module of a mutant's key, which goes on with the names of a function or of a class and its method."""
    parts = key.split(" | ")[0].split(".")
    return next(name for n in range(len(parts), 0, -1) if path_of(name := ".".join(parts[:n])).is_file())


def test_explained_survivors_are_mutants_of_the_code_as_it_is() -> None:
    """A survivor that the code no longer has is taken off the list; each one kept says why it changes nothing."""
    reasons = explained()
    modules = sorted({module_of(key) for key in reasons})
    assert not reasons.keys() - {mutant.key for mutant in every(modules)}
    assert all(reason.strip() for reason in reasons.values())
