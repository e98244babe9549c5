"""Witnesses of the filter by domination: whatever is changed in one is refused, or still shows the claim."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from privref import evaluate, kernel
from privref.kernel.balls import working
from privref.kernel.inequalities import dominated
from tests.kernel.test_certificates import Document, good, is_refused

F = Fraction


def changed(name: str, change: Callable[[Document], object]) -> Document:
    made = copy.deepcopy(good(name))
    change(made["proofs"][0]["witness"])
    return made


def scaled(text: str, factor: str) -> str:
    return str(F(text) * F(factor))


FORGERIES: dict[str, Callable[[Document], object]] = {
    "a group is left out": lambda w: w["groups"].pop(),
    "a group too many": lambda w: w["groups"].append({"rounds": 1, "left": "0"}),
    "more rounds than ran": lambda w: w["groups"][0].update(rounds=10**6),
    "a group of none": lambda w: w["groups"].insert(0, {"rounds": 0, "left": w["square"]}),
    "a group of fewer than none": lambda w: w["groups"].insert(0, {"rounds": -1, "left": w["square"]}),
    "no groups": lambda w: w.update(groups=[]),
    "more is left than a round leaves": lambda w: w["groups"][0].update(left=scaled(w["groups"][0]["left"], "1.0001")),
    "it grows": lambda w: w["groups"][-1].update(left=scaled(w["square"], "2")),
    "less than nothing is left": lambda w: w["groups"][-1].update(left="-1/10"),
    "more than the budget buys": lambda w: w.update(square=scaled(w["square"], "3")),
    "less than the rounds take": lambda w: w.update(square=scaled(w["square"], "0.9999")),
    "a split of delta that nobody declared": lambda w: w.update(delta_prime="9e-7"),
    "a field of a group": lambda w: w["groups"][0].update(epsilon="0"),
    "a number for a group": lambda w: w["groups"].__setitem__(0, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", ["domination", "domination of three kinds of rounds"])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_witness_that_shows_nothing_is_refused(name: str, forgery: str) -> None:
    assert kernel.check(good(name)).verdict == "confirmed"
    assert is_refused(changed(name, FORGERIES[forgery]))


def test_a_larger_square_within_the_budget_shows_it_too() -> None:
    """More was there than the rounds took."""
    assert kernel.check(changed("domination", lambda w: w.update(square=scaled(w["square"], "1.0001"))))


def test_equal_rounds_are_charged_in_groups() -> None:
    groups = good("domination of three kinds of rounds")["proofs"][0]["witness"]["groups"]
    assert sum(each["rounds"] for each in groups) == 302
    assert len(groups) < 302


@pytest.mark.parametrize(
    ("eps", "before", "after"),
    product(("0", "1/100", "1", "7"), ("0", "1/10000", "1.01002", "50"), ("0", "1/20000", "1", "49")),
)
def test_the_inequality_is_the_statement(eps: str, before: str, after: str) -> None:
    found = evaluate("gdp/domination.decision", eps=eps, before=before, after=after).value
    with working(256):
        assert dominated(F(eps), F(before), F(after)) is (found == "CONT")
