"""The fast judge of the kernel's mutants: what it catches, what it lets live, and which mutants need not be caught."""

from __future__ import annotations

import pickle

import pytest

from privref.kernel import certificate as certificate_
from tests.kernel.borders import rows
from tests.kernel.cases import THM29, ledger, pure
from tests.kernel.test_borders import certificate
from tests.kernel.test_forgeries import forged

from .__main__ import every
from .kernel import Question, _Kernel, answer, judge_one
from .operators import Mutant
from .rules import LIMIT, PRECISION, STRICT, TEXT, reason_of

# One process makes the mutants.
pytestmark = pytest.mark.xdist_group("mutants of the kernel")


def question(size: str) -> Question:
    """Whether two events of 1/2 are of this size by their sum."""
    document = forged(ledger(pure("1/2", 2)), {"epsilon": size, "delta": "0"}, "confirmed", THM29, {})
    return Question(
        "certificate.check", pickle.dumps((document,)), answer(certificate_.check, (document,)), 0.01, set(), size
    )


@pytest.fixture(scope="module")
def mutants() -> dict[str, Mutant]:
    return {mutant.key.removeprefix("privref.kernel."): mutant for mutant in every(["kernel"])}


def test_an_answer_that_changes_catches_a_mutant(mutants: dict[str, Mutant]) -> None:
    kernel, asked = _Kernel(), [question("1"), question("0.99")]
    assert [each.answer[0] for each in asked] == ["answered", "Refused"]
    sums = mutants["theorems._basic | opposite | spent <= goal.size -> spent > goal.size"]
    assert judge_one(sums, asked, kernel) == ("answered -> Refused: 1", 0)
    assert judge_one(sums, asked[1:], kernel) == ("Refused -> answered: 0.99", 0)
    # Not run by these questions: a function, and a constant that is read at import.
    for key in ("inequalities.pure_rho | literal+1 | 2 -> 3", "theorems.<module> | literal+1 | 512 -> 513"):
        assert judge_one(mutants[key], asked, kernel) == ("", -1)


def test_a_closure_that_was_made_at_import_is_changed(mutants: dict[str, Mutant]) -> None:
    """The odometers for rounds of probabilistic DP are closures; the change may lie in an expression inside of them."""
    row = next(row for row in rows() if row["name"] == "an odometer tight at a time, repaired")
    document = certificate(row, "reading", row["borders"]["reading"]["refused"])
    asked = Question(
        "certificate.check", pickle.dumps((document,)), answer(certificate_.check, (document,)), 0.01, set(), "closure"
    )
    for change in ("arithmetic | formula(known) + term -> formula(known) - term", "logic | -n -> n"):
        found = judge_one(mutants[f"machines._repaired.holds | {change}"], [asked], _Kernel())
        assert found == ("Refused -> answered: closure", 0)


@pytest.mark.exhaustive
def test_a_mutant_of_a_limit_a_text_or_a_precision_need_not_be_caught(mutants: dict[str, Mutant]) -> None:
    found = {reason: [key for key, mutant in mutants.items() if reason_of(mutant) == reason] for reason in (
        LIMIT, TEXT, PRECISION, STRICT)}  # fmt: skip
    assert all(found.values())
    assert "grid.<module> | literal+1 | 7 -> 8" in found[LIMIT]
    assert "theorems.<module> | literal+1 | 512 -> 513" not in {key for keys in found.values() for key in keys}
    decides = ("_fixed", "_sums", "_enforced", "_prime", "_times", "_split", "_labelled", "by_order", "_follows")
    for key, mutant in mutants.items():
        if mutant.function in decides and mutant.operator in ("opposite", "boundary"):
            assert not reason_of(mutant), key
