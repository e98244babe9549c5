"""Evidence in a ledger: what the kernel verifies of it, and forgeries that it refuses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from privref import evaluate, kernel
from privref.kernel import evidence
from privref.kernel.balls import end, working
from privref.kernel.evidence import Piece, contradicts
from tests.kernel.cases import SHOWN, Document, ledger, pure
from tests.kernel.test_certificates import altered, is_refused, issue
from tests.kernel.test_forgeries import forged

ONE_RUN = {"kind": "one-run", "canaries": 1000, "guesses": 100, "right": 75, "confidence": "0.95"}
MANY_RUNS = {
    "kind": "many-runs", "runs_with": 100000, "true_positives": 4922, "runs_without": 100000, "false_positives": 174,
    "confidence": "0.9999999999",
}  # fmt: skip
AGAINST = "contradicted-by-evidence"
NOISE = {"mechanism": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}}


def attacked(*pieces: Document, epsilon: str = "1", **more: Any) -> Document:
    return ledger(pure(epsilon), evidence=list(pieces), **more)


def claim(epsilon: str, delta: str = "1e-4", **more: Any) -> Document:
    return {"epsilon": epsilon, "delta": delta, **more}


@pytest.mark.parametrize(("piece", "most", "delta"), [(ONE_RUN, "0.695", "1e-4"), (MANY_RUNS, "2.79", "1e-5")])
def test_a_contradiction_is_verified_and_a_smaller_one_is_not(piece: Document, most: str, delta: str) -> None:
    made = issue(attacked(piece, epsilon="0.2"), claim(most, delta), AGAINST)
    found = kernel.check(made)
    assert found.verdict == AGAINST
    assert any("chance of at most" in premise for premise in found.premises)
    for changed in (claim("2.8"), claim(most, "0.1"), claim(most, delta, units=2), claim(most, delta, periods=2)):
        assert is_refused(altered(made, claim=changed))
    assert is_refused(altered(made, claim={"neighbours": "zero-out"}))
    for less in (
        {"confidence": "0.99999999999999"}, {"guesses": 99, "right": 60}, {"canaries": 10**9}, {"true_positives": 400},
        {"false_positives": 4000},
    ):  # fmt: skip
        if set(less) <= set(piece):
            assert is_refused(altered(made, attacked({**piece, **less}, epsilon="0.2"))), less
    assert is_refused(altered(made, ledger(pure("0.2"))))


SURE = {**ONE_RUN, "guesses": 1000, "right": 900}
OF_MU = {"guarantee": {"kind": "gaussian-dp", "mu": "0.8"}}


def test_one_run_is_weighed_against_a_claim_of_mu() -> None:
    """It shows 0.8803 (mahloujifar2024/one_run), where points of the curve show less."""
    made = issue(ledger(OF_MU, evidence=[SURE]), {"mu": "0.88"}, AGAINST)
    assert kernel.check(made).by == ("mahloujifar2024/one_run",)
    held = made["ledger"]["document"]
    for changed in (
        {"mu": "0.881"}, {"units": 2}, {"periods": 2}, {"neighbours": "zero-out"}, {"deltas": ["1e-8", "1e-2"]},
    ):  # fmt: skip
        assert is_refused(altered(made, claim=changed)), changed
    for less in ({"confidence": "0.96"}, {"right": 899}, {"canaries": 1001, "guesses": 1001}, {"canaries": 1100}):
        assert is_refused(altered(made, {**held, "evidence": [{**SURE, **less}]})), less
    assert is_refused(altered(made, {**held, "evidence": [{**MANY_RUNS, "confidence": "0.95"}]}))
    assert is_refused(altered(made, {**held, "evidence": []}))
    wider = issue(ledger(OF_MU), {"mu": "0.88"}, "confirmed")
    assert kernel.check(wider)
    assert is_refused(altered(wider, held))
    assert kernel.check(altered(wider, held, {"mu": "0.881"}))


@pytest.mark.parametrize("mu", ["0", "1/10", "1/2", "2"])
@pytest.mark.parametrize(("m", "r", "v"), [(1, 1, 1), (5, 3, 2), (40, 12, 11), (200, 200, 120), (9, 9, 0)])
def test_all_counts_together_are_the_statement(mu: str, m: int, r: int, v: int) -> None:
    """Until they are above 1: from there on only that they are."""
    found = evaluate(
        "mahloujifar2024/one_run.total", {"mu": mu, "level": "0.05", "canaries": m, "guesses": r, "right": v}
    ).enclosure
    assert found is not None
    with working(256):
        total = evidence._all_counts(Fraction(mu), Fraction(1, 20), m, r, v)
        ends = end(total, up=False), end(total, up=True)
    assert ends[0] > 1 if found.lower > 1 else ends[0] <= found.upper and found.lower <= ends[1]


@pytest.mark.parametrize("witness", [{}, {"piece": 1}, {"piece": -1}, {"piece": "x"}, {"piece": 0, "order": "2"}])
def test_a_witness_names_one_piece(witness: Document) -> None:
    record = attacked(ONE_RUN)
    assert kernel.check(forged(record, claim("0.6"), AGAINST, "evidence", {"piece": 0}))
    assert is_refused(forged(record, claim("0.6"), AGAINST, "evidence", witness))


def test_no_proof_confirms_what_evidence_contradicts() -> None:
    by = "rogers2016/thm2.9"
    record = attacked(ONE_RUN, epsilon="0.6")
    assert kernel.check(forged(ledger(pure("0.6")), claim("0.6"), "confirmed", by, {}))
    assert is_refused(forged(record, claim("0.6"), "confirmed", by, {}))
    found = kernel.check(forged(record, claim("0.7"), "confirmed", by, {}))
    assert any("not contradicted" in premise for premise in found.premises)


def test_no_other_claim_is_a_way_around_evidence() -> None:
    """A group, and more periods, lose at least as much; what is not weighed is not confirmed."""
    plain, added = ledger(pure("0.3"), period="day"), ledger(pure("0.3"), neighbours="add-or-remove-one")
    for made, kept in (
        (issue(plain, claim("0.6", units=2), "confirmed"), False),
        (issue(plain, claim("0.8", units=2), "confirmed"), True),
        (issue(plain, claim("0.6", periods=2), "confirmed"), False),
        (issue(plain, claim("0.8", periods=2), "confirmed"), True),
        (issue(added, claim("0.8", neighbours="replace-one"), "confirmed"), False),
        (issue(plain, {"rho": "0.2"}, "confirmed"), False), (issue(ledger(NOISE), {"mu": "2"}, "confirmed"), True),
        (issue(ledger(NOISE), {"mu": "2", "deltas": ["1e-8", "1e-2"]}, "confirmed"), False),
        (issue(*SHOWN["the basic odometer"], "confirmed"), False), (issue(*SHOWN["what remains"], "confirmed"), False),
    ):  # fmt: skip
        held = made["ledger"]["document"]
        assert kernel.check(made)
        changed = altered(made, {**held, "evidence": [ONE_RUN]})
        assert is_refused(changed) is not kept, made["claim"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"right": 101}, {"guesses": 1001}, {"canaries": 0}, {"right": -1}, {"confidence": "1"}, {"confidence": "0.5"},
        {"kind": "few-runs"}, {"hits": 3}, {"right": "many"}, {**MANY_RUNS, "runs_with": 0, "true_positives": 0},
        {**MANY_RUNS, "runs_without": 0, "false_positives": 0},
    ],
)  # fmt: skip
def test_a_piece_that_contradicts_itself_is_refused(wrong: Document) -> None:
    piece = wrong if "runs_with" in wrong else {**ONE_RUN, **wrong}
    assert is_refused(forged(attacked(piece), claim("0.6"), AGAINST, "evidence", {"piece": 0}))


def test_attacks_that_failed_are_evidence_and_none_is_not() -> None:
    failed = (
        {**ONE_RUN, "canaries": 1, "guesses": 1, "right": 0},
        {**MANY_RUNS, "runs_with": 1, "true_positives": 0, "runs_without": 1, "false_positives": 0},
    )
    assert kernel.check(forged(attacked(*failed), claim("1"), "confirmed", "rogers2016/thm2.9", {}))
    assert is_refused(forged(attacked(), claim("1"), "confirmed", "rogers2016/thm2.9", {}))


def test_errors_add_up_to_less_than_a_half() -> None:
    """Ten pieces of 95 % would contradict a true claim by chance as often as not."""
    assert is_refused(forged(attacked(*[ONE_RUN] * 10), claim("0.6"), AGAINST, "evidence", {"piece": 0}))
    found = kernel.check(forged(attacked(*[ONE_RUN] * 9), claim("0.6"), AGAINST, "evidence", {"piece": 0}))
    assert any("at most 9/20" in premise for premise in found.premises)


@pytest.mark.parametrize("epsilon", ["99", "100", "1e400"])
def test_a_large_claim_is_contradicted_by_nothing(epsilon: str) -> None:
    every = Piece((50_000, 50_000, 50_000), True, Fraction(49, 100))
    rates = Piece((10**6, 10**6, 10**6, 0), False, Fraction(49, 100))
    assert not contradicts(every, "epsilon", Fraction(epsilon), Fraction(0))
    assert not contradicts(rates, "epsilon", Fraction(epsilon), Fraction(0))


def test_rates_are_narrowed_no_further_than_a_claim_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum of thousands of terms for each of eighty halvings of two rates is for a claim at the very border."""
    sums: list[int] = []
    honest = evidence.binomial_tail
    monkeypatch.setattr(evidence, "binomial_tail", lambda n, p, k: sums.append(k) or honest(n, p, k))
    many = Piece((10**6, 500_000, 10**6, 490_000), False, Fraction(1, 25))
    assert contradicts(many, "epsilon", Fraction(1, 100), Fraction(0))
    assert not contradicts(many, "epsilon", Fraction(1, 2), Fraction(0))
    assert len(sums) <= 20
