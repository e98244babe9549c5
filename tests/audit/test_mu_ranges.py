"""Claims of mu by points of the curve: a cover proves a whole range, one point in it refutes."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.audit import mu_ranges
from privref.audit.mu_ranges import covers
from tests.audit.test_mechanisms import claims, ledger, verdicts

F = Fraction
RANGE = ["1e-6", "1e-2"]
LAPLACE = {"mechanism": {"kind": "laplace", "scale": "1", "sensitivity": "1"}}
#: Twice the normal quantile of e/(1 + e), where the curves of randomized response and of mu meet at epsilon = 0.
RESPONSE = 2 * 0.61587
DRAWN = {"kind": "subsampled", "base": {"kind": "gaussian", "sigma": "4", "sensitivity": "1"}, "rate": "1/10",
         "sampling": "poisson"}  # fmt: skip


def ranged(mu: str, *deltas: str) -> dict[str, Any]:
    return {"mu": mu, "deltas": list(deltas or RANGE)}


def test_a_bounded_loss_is_decided_over_all_epsilon() -> None:
    """Randomized response meets its mu at epsilon = 0; Laplace noise of scale 1 has delta(0) = 1 - e^(-1/2)."""
    bare = ledger({"guarantee": {"kind": "pure-dp", "epsilon": "1"}})
    assert verdicts(bare, {"mu": "1.233"}, {"mu": "1.231"}) == ["confirmed", "underivable"]
    assert 1.231 < RESPONSE < 1.233
    # 2 Phi^-1((1 + 0.39347)/2) = 1.0300
    assert verdicts(ledger(LAPLACE), {"mu": "1.04"}, {"mu": "1.029"}) == ["confirmed", "refuted"]
    assert verdicts(ledger({"guarantee": {"kind": "pure-dp", "epsilon": "0"}}), {"mu": "0"}) == ["confirmed"]


def test_a_range_of_delta_is_decided_for_other_noise() -> None:
    rounds = ledger({"count": 10, "mechanism": {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}})
    # sqrt(10)/2 = 1.5811 of continuous noise.
    assert verdicts(rounds, ranged("1.62"), ranged("1.5")) == ["confirmed", "refuted"]
    assert verdicts(ledger({"guarantee": {"kind": "zcdp", "rho": "1/2"}}), ranged("1.6"), ranged("0.9")) == [
        "confirmed", "underivable",
    ]  # fmt: skip


def test_sampling_counts_on_a_range() -> None:
    """Over all epsilon mu = sqrt(100)/4; with a tenth of the records in each round about a tenth of it on the range."""
    rounds = ledger({"count": 100, "mechanism": DRAWN}, neighbours="add-or-remove-one")
    part = "1e-4", "1e-2"
    audit = privref.audit(
        rounds, claims({"mu": "0.3"}, ranged("0.3", *part), ranged("0.24", *part), ranged("2.6", *part))
    )
    assert [opinion.verdict for opinion in audit.opinions] == ["refuted", "confirmed", "refuted", "confirmed"]
    assert "`deltas`" in audit.opinions[0].reason
    assert covers(F("0.3"), F("1e-4"), F("1e-2"), audit.opinions[1].cover)
    points = [{"epsilon": str(epsilon), "delta": str(delta)} for epsilon, delta in audit.opinions[1].cover]
    some = points[:: len(points) // 4]
    assert {each.verdict for each in privref.audit(rounds, claims(*some)).opinions} == {"confirmed"}
    # And one of them with a certificate that verifies.
    assert verdicts(rounds, points[-1]) == ["confirmed"]
    refutation = audit.opinions[2].refutation
    assert refutation is not None
    assert refutation.witness.statement == "zdw2022/poisson_gaussian.delta"
    assert "where that mu allows a delta of" in refutation.witness.words


def test_what_is_true_of_a_part_of_the_range_only_is_not_confirmed() -> None:
    """Pure DP of 1 has no delta beyond epsilon = 1: mu = 1 holds there, and not near epsilon = 0."""
    assert verdicts(ledger(LAPLACE), ranged("1", "1e-9", "0.1"), ranged("1", "1e-9", "0.4")) == ["confirmed", "refuted"]
    # A delta above that of epsilon = 0 asks for nothing: (0, 0.39)-DP is claimed, and 0.3935 is lost.
    assert verdicts(ledger(LAPLACE), ranged("1", "0.39", "1"), ranged("1", "0.394", "1")) == ["refuted", "confirmed"]


def test_one_point_too_few_covers_nothing() -> None:
    (opinion,) = privref.audit(ledger(LAPLACE), claims({"mu": "1.1"})).opinions
    points = opinion.cover
    assert covers(F("1.1"), F(0), F(1), points)
    for i in range(len(points)):
        assert not covers(F("1.1"), F(0), F(1), points[:i] + points[i + 1 :])
    assert not covers(F("1.08"), F(0), F(1), points)
    assert not covers(F("1.1"), F(0), F(1), ())


def test_the_rule_of_a_cover_by_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    """A falling curve of ten deltas in place of mu's: where the rule says yes, each delta of a grid has a point."""
    draw = random.Random(7)
    said = [0, 0]
    for _ in range(3000):
        curve = sorted((F(draw.randint(1, 60), 60) for _ in range(10)), reverse=True)
        # Strictly falling, between the whole epsilons too.
        curve = [value - F(i, 10**4) for i, value in enumerate(curve)]
        monkeypatch.setattr(mu_ranges, "gaussian", lambda mu, epsilon, curve=curve: (curve[int(epsilon)],) * 2)
        low, high = sorted((F(draw.randint(0, 30), 60), F(draw.randint(1, 60), 60)))
        points = tuple(
            (F(epsilon), F(draw.randint(0, 60), 60)) for epsilon in sorted(draw.sample(range(10), draw.randint(1, 5)))
        )
        yes = covers(F(1), low, high, points)
        said[yes] += 1
        if yes:
            for i in range(601):
                delta = low + (high - low) * F(i, 600)
                # The least epsilon of mu's curve is at least e where the curve at e is at least delta.
                assert any(d <= delta and (e == 0 or curve[int(e)] >= delta) for e, d in points)
    assert min(said) > 30


def test_a_range_weighs_evidence_inside_it_only() -> None:
    """999 of 1000 right guesses: epsilon is above 5 at small deltas, and nothing is said of delta = 1/2 and more."""
    piece = {"kind": "one-run", "canaries": 1000, "guesses": 1000, "right": 999, "confidence": "0.95"}
    told = ledger({"guarantee": {"kind": "gaussian-dp", "mu": "9"}}, evidence=[piece])
    from privref.audit.run import weighing

    evidence = weighing(told)
    assert evidence is not None
    points = evidence.implied(privref.GaussianDPClaim("c", "9"))
    within = evidence.implied(privref.GaussianDPClaim("c", "9", deltas=("1e-4", "0.1")))
    assert set(within) < set(points)
    assert {delta for _, delta in within} == {F("1e-4"), F("1e-3"), F("1e-2"), F("0.1")}


@pytest.mark.parametrize(
    "claim",
    [ranged("1", "0.1", "0.1"), ranged("1", "0.2", "0.1"), {"mu": "1", "deltas": ["0.1"]}, ranged("1", "0.1", "1.5"),
     {"rho": "1", "deltas": RANGE}, {**ranged("1"), "by": "gdp/composition"}],
)  # fmt: skip
def test_what_is_no_range_is_refused(claim: dict[str, Any]) -> None:
    with pytest.raises(privref.InputError, match=r"delta|by"):
        claims(claim)


def test_a_claim_made_in_python_is_written_with_its_range() -> None:
    claim = privref.GaussianDPClaim("a", "1/2", deltas=("1e-6", "0.01"))
    assert str(claim) == "1/2-GDP for delta from 1/1000000 to 1/100"
    assert claim.written == {"id": "a", "mu": "1/2", "deltas": ["1/1000000", "1/100"]}
    with pytest.raises(privref.InputError, match="deltas"):
        privref.GaussianDPClaim("a", "1/2", deltas="1e-6")
