"""The page of what libraries answer: its certified ends, its words, and each library that is installed here."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

REFERENCE = Path(__file__).parents[2] / "reference"
PAGE = REFERENCE / "docs" / "side-by-side.md"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("side_by_side", REFERENCE / "vectors" / "side_by_side.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["side_by_side"] = module
    spec.loader.exec_module(module)
    return module


SCRIPT = loaded()
QUESTIONS = SCRIPT.QUESTIONS
LIBRARIES = {each.library: each.module for question in QUESTIONS for each in question.asked}


def cells() -> list[list[str]]:
    """The rows of the page's tables, one for each function that is asked."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("| question")
    ]


def test_the_page_has_a_row_for_each_function_that_is_asked() -> None:
    asked = [each for question in QUESTIONS for each in question.asked]
    assert [row[3:5] for row in cells()] == [[each.library, each.function] for each in asked]
    assert [row[0] for row in cells() if row[0]] == [question.text for question in QUESTIONS]


# One process follows the curve of the run once for all reports of risk.
@pytest.mark.xdist_group("side-by-side")
@pytest.mark.parametrize("question", QUESTIONS, ids=[f"{each.subject}-{i}" for i, each in enumerate(QUESTIONS)])
def test_the_certified_ends_are_those_on_the_page(question: object) -> None:
    (row,) = (row for row in cells() if row[0] == question.text)  # type: ignore[attr-defined]
    low, high = question.certified()  # type: ignore[attr-defined]
    assert low <= high
    assert tuple(row[1:3]) == SCRIPT.shown((low, high))
    assert Fraction(row[1]) <= low
    assert high <= Fraction(row[2])


def test_the_words() -> None:
    ends = (Fraction(1), Fraction(5, 4))
    upper = SCRIPT.Question("run", "", lambda: ends, ())
    lower = SCRIPT.Question("run", "", lambda: ends, (), safe="below")
    plain, warned = (SCRIPT.Asked("mine", "mine", "f", "", approximation=each) for each in (False, True))
    for said, above, below in (
        (1.125, "within", "within"),
        (1.5, "loose", "unsound"),
        (0.75, "unsound", "loose"),
        (1 - 2**-24, "last digits", "loose"),
        (float("inf"), "no answer", "no answer"),
        (float("nan"), "no answer", "no answer"),
    ):
        assert SCRIPT.word(said.hex(), ends, upper, plain) == above
        assert SCRIPT.word(said.hex(), ends, lower, plain) == below
    assert SCRIPT.word((0.75).hex(), ends, upper, warned) == "approximation"
    assert SCRIPT.word("ValueError: no", ends, upper, plain) == "no answer"


def test_what_is_missing_or_raises_is_said(tmp_path: Path) -> None:
    asked = [
        SCRIPT.Asked("no-such-library", "no_such_library", "f", "1.0"),
        SCRIPT.Asked("mpmath", "mpmath", "f", "import mpmath\nmpmath.mpf(1) / 4"),
        SCRIPT.Asked("mpmath", "mpmath", "f", "print('noise')\n1 / 0"),
    ]
    missing, quarter, raised = SCRIPT.answers(sys.executable, asked)
    assert missing is None
    assert quarter[1] == (0.25).hex()
    assert raised[1] == "ZeroDivisionError: division by zero"
    assert (SCRIPT.spelled(quarter[1]), SCRIPT.spelled(raised[1])) == ("0.25", "`ZeroDivisionError`")


@pytest.mark.parametrize("library", sorted(LIBRARIES))
def test_a_library_that_is_installed_answers_as_on_the_page(library: str) -> None:
    pytest.importorskip(LIBRARIES[library], reason=f"needs {library}")
    asked = [each for question in QUESTIONS for each in question.asked if each.library == library]
    said = SCRIPT.answers(sys.executable, asked)
    if f"{library} {said[0][0]}" not in PAGE.read_text(encoding="utf-8"):
        pytest.skip(f"the page is about another version than {said[0][0]}")
    assert [SCRIPT.spelled(each[1]) for each in said] == [row[5] for row in cells() if row[3] == library]
