"""No machine of ours is broken: each is attacked for the failure that its theorem bounds, over a menu of parameters."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.adaptive.machines import MACHINES, Setup, build_all
from privref.adaptive.protocol import failure_of
from privref.games.named import _OUTPUT
from privref.statements.theorems import THEOREMS

PURE = "1/25, 1/5, 1/2"
MIXED = "1/5, 1/2:1/100, 0:1/50"
LEAKS = "1/5, leak(1/50)"
ZCDP = "1/4, zcdp(113/2048; 1/3; 1/5)"
SPLITS = ("1/2", "1/10")
REST = "1/50"


def _split(prime: str) -> dict[str, Any]:
    """A delta of which delta' is one part, and the events may have the rest."""
    return {"delta": str(Fraction(prime) + Fraction(REST)), "settings": {"delta_prime": prime}}


def _tuned(prime: str, **tuning: str) -> dict[str, Any]:
    return {"delta": prime, "settings": {"delta_prime": prime, **tuning}}


def _each(name: str, values: tuple[str, ...]) -> list[dict[str, Any]]:
    return [_tuned(prime, **{name: value}) for prime, value in itertools.product(SPLITS, values)]


#: Menus, rounds, and parameters of each machine.
CASES: dict[str, tuple[tuple[str, ...], int, list[dict[str, Any]]]] = {
    "basic-filter": ((PURE, MIXED), 8, [{"delta": "1/10"}]),
    "rogers-filter": ((PURE, MIXED), 6, [{"delta": "1/10", "epsilon": "4"}, {"delta": "1/3", "epsilon": "3"}]),
    "zcdp-filter": ((PURE, MIXED, ZCDP), 6, [_split(prime) for prime in SPLITS]),
    "dp-filter": ((PURE, MIXED), 8, [_split(prime) for prime in SPLITS]),
    "tight-zcdp-filter": ((PURE, MIXED, ZCDP), 6, [_split(prime) for prime in SPLITS]),
    "response-filter": ((PURE, MIXED), 8, [_split(prime) for prime in SPLITS]),
    "ex-post-filter": (
        (PURE, MIXED, "1/4, reduced(3/2; 2)"), 5, [_split(prime) | {"epsilon": "3/2"} for prime in SPLITS],
    ),
    "renyi-filter": (
        (PURE, MIXED, ZCDP), 6,
        [{"epsilon": "3", "delta": "1/10", "settings": {"order": k, "delta_prime": "1/20"}} for k in ("2", "8")],
    ),
    "renyi-grid-filter": (
        (PURE, MIXED, ZCDP), 5, [{"delta": "1/10", "settings": {"orders": "2 8", "delta_prime": "1/20"}}],
    ),
    "gaussian-filter": ((), 0, []),
    "domination-filter": ((PURE, MIXED), 6, [_split(prime) | {"epsilon": "3/2"} for prime in SPLITS]),
    "output-dp-accountant": (("1/5, toy(1/2), 1/10:1/100",), 8, [{"delta": "1/20"}]),
    "output-dp-filter": (("1/5, toy(1/2), 1/10:1/100",), 8, [{"delta": "1/20"}]),
    "basic-odometer": ((PURE, LEAKS), 6, [{"delta": "1/10"}]),
    "rogers-odometer": ((PURE,), 8, [{"delta": "1/3", "settings": {"n": n}} for n in ("2", "30")]),
    "restated-odometer": ((PURE,), 8, [_tuned("1/3", n=n) for n in ("2", "30")]),
    "filter-odometer": ((PURE, ZCDP), 7, _each("y_star", ("1/50", "1/4", "4"))),
    "mixture-odometer": ((PURE, ZCDP), 7, _each("gamma", ("1/50", "1", "10"))),
    "one-sided-mixture-odometer": ((PURE, ZCDP), 7, _each("gamma", ("1/50", "1", "10"))),
    "stitched-odometer": ((PURE, ZCDP), 7, _each("v0", ("1/500", "1/20"))),
    "filter-odometer-repaired": ((PURE, LEAKS), 6, [_split("1/10")]),
    "mixture-odometer-repaired": ((PURE, LEAKS), 6, [_split("1/10")]),
    "stitched-odometer-repaired": ((PURE, LEAKS), 6, [_split("1/10")]),
}  # fmt: skip

RUNS = [
    pytest.param(name, menu, rounds, claim, id=f"{name} {menu} {number}")
    for name, (menus, rounds, claims) in CASES.items()
    for menu in menus
    for number, claim in enumerate(claims)
]


def test_every_machine_is_attacked() -> None:
    """But the one that takes Gaussian rounds only, whose laws are not finite."""
    assert set(CASES) == {entry.name for entry in MACHINES} | set(_OUTPUT)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "menu", "rounds", "claim"), RUNS)
def test_no_adversary_over_the_menu_breaks_our_machine(
    name: str, menu: str, rounds: int, claim: dict[str, Any]
) -> None:
    found = privref.attack(name, menu, rounds, **({"epsilon": "1"} | claim))
    assert found.failure_of == found.accountant.promised
    assert (found.verdict, found.rounds) == ("not-broken", rounds)
    assert found.ceiling <= Fraction(claim["delta"])


@pytest.mark.parametrize(
    ("name", "menu", "rounds", "claim"),
    [
        ("filter-odometer", "1/25", 60, _tuned("1/10", y_star="1/50")),
        ("one-sided-mixture-odometer", "1/10, 3/10, 1", 6, _tuned("9/10", gamma="1")),
        ("one-sided-mixture-odometer", "1/5, 1/2", 12, _tuned("1/2", gamma="1/20")),
    ],
)
def test_what_is_proved_from_one_side_is_asked_from_one_side(
    name: str, menu: str, rounds: int, claim: dict[str, Any]
) -> None:
    """|loss| exceeds two of these readings more often than delta: the theorem does not speak of it."""
    found = privref.attack(name, menu, rounds, **claim)
    assert (found.verdict, found.failure_of) == ("not-broken", "one-sided")
    assert found.other is not None
    assert found.other.failure_of == "loss"
    assert (found.other.verdict == "broken") == (rounds != 12)
    assert found.failure.upper <= found.other.ceiling
    asked = privref.attack(name, menu, rounds, failure_of="loss", **claim)
    assert (asked.verdict, asked.other) == (found.other.verdict, None)


def test_the_report_shows_both_failures_and_the_certified_factor() -> None:
    found = privref.attack("filter-odometer", "1/25", 60, **_tuned("1/10", y_star="1/50"))
    document = privref.report.attack_document(found)
    assert document["theorem_bounds"] == document["failure_of"] == "one-sided"
    assert Fraction(document["factor_at_least"]) < Fraction(67, 100)
    other = document["other_failure"]
    assert (other["failure_of"], other["verdict"]) == ("loss", "broken")
    assert Fraction(113, 100) < Fraction(other["factor_at_least"]) <= Fraction(other["failure_at_most"]) * 10
    json.dumps(document)


def test_each_machine_names_the_failure_that_its_theorem_bounds() -> None:
    built, refused = build_all(Setup(Fraction(1), Fraction(1, 10**6), n=Fraction(1000), order=Fraction(24)))
    assert refused == {}
    of_theorem = {each.odometer: each.odometer_failure for each in THEOREMS if each.odometer}
    assert all(of_theorem.values())
    for entry in MACHINES:
        named = failure_of(built[entry.name])
        assert named == ("view" if entry.role == "filter" else of_theorem[entry.name])
    # Definition 3.1 of Rogers et al. is about |loss|; Definition 6 of Whitehouse et al. about the loss.
    assert {name for name, failure in of_theorem.items() if failure == "loss"} == {"basic-odometer", "rogers-odometer"}


def test_a_statement_is_asked_for_what_its_theorem_bounds() -> None:
    claim: dict[str, Any] = {"delta": "1/10", "settings": {"delta_prime": "1/10", "y_star": "1/50"}}
    found = privref.attack("whitehouse2023/thm3.filter.at", "1/25", 60, **claim)
    assert (found.failure_of, found.verdict) == ("one-sided", "not-broken")
    assert privref.attack("rogers2016/thm3.3.odometer", "1/4", 2, delta="1/10").failure_of == "loss"
    # A formula of one's own has no theorem: the stricter failure is asked for.
    own = privref.attack("S1", "1/4", 2, delta="1/10", kind="odometer")
    assert (own.failure_of, own.accountant.promised) == ("loss", None)
