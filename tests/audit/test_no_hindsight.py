"""The audit under attack: an accountant that lets a round run if the audit of the record would confirm its budget.

What an adversary can choose, which events came and whether one had a delta, must not select the theorem or the split.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import privref
from privref.exact import decide
from privref.exact.logs import LogForm
from privref.games.accountants import Accountant, AccountantBudget
from privref.games.attack import attack
from privref.games.rounds import GameRound, both_orientations, finite, randomized_response
from privref.guarantees.two_point import is_zcdp

#: The two-outcome mechanism of the first counterexample: the probabilities of "bad" on the two inputs, and its rho.
P, Q, RHO = Fraction(185435169, 62500000000), Fraction(311732943009, 500000000000000), Fraction("0.092534")
REVEAL = Fraction(1, 2 * 10**6)


def zcdp(name: str, p: Fraction, q: Fraction, rho: Fraction) -> tuple[GameRound, dict[str, Any]]:
    """A finite law with a proved zCDP guarantee, which the ledger declares."""
    assert is_zcdp(decide.engine("arb"), rho, p, q)
    losses = [LogForm.log(p / q), LogForm.log((1 - q) / (1 - p))]
    law = finite(name, [("bad", p, q), ("good", 1 - p, 1 - q)], losses[0] + losses[1], Fraction(0))
    return law, {"kind": "zcdp", "rho": str(rho)}


def approximate(epsilon: str, delta: str) -> tuple[GameRound, dict[str, Any]]:
    law = randomized_response(LogForm.of(Fraction(epsilon)), Fraction(delta))
    return law, {"kind": "approx-dp", "epsilon": epsilon, "delta": delta}


def pure(epsilon: str) -> tuple[GameRound, dict[str, Any]]:
    return randomized_response(LogForm.of(Fraction(epsilon))), {"kind": "pure-dp", "epsilon": epsilon}


BAD = zcdp("two outcomes", P, Q, RHO)
LEAK = approximate("0", str(REVEAL))

Declared = tuple[dict[str, str], ...]


class Audited(Accountant):
    """Lets a round run if, under one of the declared budgets, the audit confirms the claim for the record with it."""

    kind = "filter"

    def __init__(self, menu: list[tuple[GameRound, dict[str, Any]]], claim: dict[str, str], budgets: Declared) -> None:
        self.guarantees = {law.name: guarantee for law, guarantee in menu}
        self.claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
        self.budgets = budgets
        self.confirmed = cache(self._confirmed)

    def document(self) -> dict[str, Any]:
        return {}

    def start(self) -> Hashable:
        return ()

    def request(self, state: Any, asked: GameRound) -> Hashable | None:
        record = tuple(sorted((*state, asked.name)))
        return record if self.confirmed(record) else None

    def _confirmed(self, record: tuple[str, ...]) -> bool:
        return any(self._verdict(record, budget) == "confirmed" for budget in self.budgets)

    def _verdict(self, record: tuple[str, ...], budget: dict[str, str]) -> str:
        document = {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "chosen-adaptively", "interaction": "sequential", "budget": budget,
            "events": [{"guarantee": self.guarantees[name]} for name in record],
        }  # fmt: skip
        (opinion,) = privref.audit(privref.ledger_from_document(document), self.claims).opinions
        return opinion.verdict


def enforced(filter: str, claim: dict[str, str], delta_prime: str | None = None) -> dict[str, str]:
    return {**claim, "filter": filter} | ({} if delta_prime is None else {"delta_prime": delta_prime})


CLAIM = {"epsilon": "3", "delta": "1e-6"}
TIGHT = "cks2020/zcdp2dp"
#: What the audit once did: all of delta for delta' where no event of the record has one, and else half of it.
BOTH_SPLITS = (enforced(TIGHT, CLAIM, "1e-6"), enforced(TIGHT, CLAIM))


def search(menu: list[tuple[GameRound, dict[str, Any]]], claim: dict[str, str], budgets: Declared, rounds: int) -> Any:
    allowed = AccountantBudget(LogForm.of(Fraction(claim["epsilon"])), Fraction(claim["delta"]), Fraction(1))
    return attack(Audited(menu, claim, budgets), [law for law, _ in menu], allowed, rounds)


def test_a_split_chosen_after_the_run_is_broken() -> None:
    """The search has teeth: the rule that this audit had is broken in two rounds, by a factor of 1.4939."""
    found = search([BAD, LEAK], CLAIM, BOTH_SPLITS, 2)
    assert (found.verdict, found.strategy.depth) == ("broken", 2)
    assert Fraction("1.493940952e-6") < found.failure.lower <= found.failure.upper < Fraction("1.493940953e-6")


def test_a_filter_chosen_after_the_run_is_broken() -> None:
    """The same with two theorems of one split each: equal rounds by one, rounds with a delta by the other."""
    thirds = (enforced(TIGHT, CLAIM, "1e-6"), enforced("whitehouse2023/lem1", CLAIM))
    assert search([BAD, LEAK], CLAIM, thirds, 2).verdict == "broken"


@pytest.mark.parametrize("split", [None, "1e-6"])
def test_one_named_filter_with_one_split_is_not(split: str | None) -> None:
    assert search([BAD, LEAK], CLAIM, (enforced(TIGHT, CLAIM, split),), 3).verdict == "not-broken"


TURNED = both_orientations(BAD[0])[1]
MIXED = [
    BAD,
    (TURNED, BAD[1]),
    zcdp("two others", Fraction(1, 3), Fraction(1, 5), Fraction(1, 2)),
    LEAK,
    approximate("1/2", "1e-7"),
    pure("1/3"),
]


@pytest.mark.parametrize("claim", [{"epsilon": "1", "delta": "1/20"}, CLAIM], ids=str)
@pytest.mark.parametrize("filter", ["rogers2016/thm3.3", "whitehouse2023/thm2", "whitehouse2023/lem1", TIGHT])
def test_no_adversary_breaks_a_budget_that_the_audit_confirms(filter: str, claim: dict[str, str]) -> None:
    """Every adversary of three rounds over pure, approximate and zCDP rounds, with and without a delta."""
    found = search(MIXED, claim, (enforced(filter, claim),), 3)
    assert found.verdict == "not-broken"
    assert found.ceiling <= Fraction(claim["delta"])


def record(*guarantees: dict[str, Any], **more: Any) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "chosen-adaptively", "interaction": "sequential",
            "events": [{"guarantee": guarantee} for guarantee in guarantees], **more,
        }
    )  # fmt: skip


GAUSSIANS = {"kind": "gaussian-dp", "mu": "0.592"}, {"kind": "gaussian-dp", "mu": "0.2627"}

#: Both records of each counterexample: an adversary takes the second where the first answer was good.
COUNTEREXAMPLES = {
    "splits": ((BAD[1], BAD[1]), (BAD[1], LEAK[1])),
    "theorems": (GAUSSIANS, (GAUSSIANS[0], LEAK[1])),
}


@pytest.mark.parametrize("name", COUNTEREXAMPLES)
@pytest.mark.parametrize("budget", [{}, {"budget": CLAIM}], ids=["no budget", "no filter"])
def test_without_a_named_filter_nothing_adaptive_is_confirmed(name: str, budget: dict[str, Any]) -> None:
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **CLAIM}]})
    for events in COUNTEREXAMPLES[name]:
        audit = privref.audit(record(*events, **budget), claims)
        (opinion,) = audit.opinions
        assert (opinion.verdict, audit.exit_code) == ("conditional", 4)
        assert opinion.declare is not None
        named = record(*events, budget=opinion.declare.document)
        assert privref.audit(named, claims).opinions[0].verdict == "confirmed"
        assert privref.certificates(audit) == {}


@pytest.mark.parametrize("name", COUNTEREXAMPLES)
@pytest.mark.parametrize("filter", ["rogers2016/thm3.3", "whitehouse2023/thm2", TIGHT, "gdp/composition"])
@pytest.mark.parametrize("split", [None, "1e-6"])
def test_no_one_filter_confirms_both_records_of_a_counterexample(name: str, filter: str, split: str | None) -> None:
    if split is not None and filter in ("rogers2016/thm3.3", "gdp/composition"):
        return
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **CLAIM}]})
    named = {"budget": enforced(filter, CLAIM, split)}
    verdicts = [privref.audit(record(*events, **named), claims).opinions[0].verdict for events in COUNTEREXAMPLES[name]]
    assert verdicts != ["confirmed", "confirmed"]
