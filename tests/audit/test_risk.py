"""Attack success, advantage, right guesses and mu: both ends hold the true number, and the points are certified."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist
from typing import Any

import pytest

import privref
from privref.audit.risk import Risks, risk
from privref.report.findings import risk_claims
from tests.kernel.cases import DRAWN, adaptive, ledger, pure, records, under, zcdp

Document = dict[str, Any]
NORMAL = NormalDist()
GAUSSIAN = records({"mechanism": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}})


def found(record: Document, **given: Any) -> Risks:
    return risk(privref.ledger_from_document(record), **given)


def holds(all_: Risks, name: str, at: Fraction | None, true: float, width: float) -> None:
    """A true number of 15 digits lies between both ends, which are so near."""
    (one,) = [each for each in all_.found if each.name == name and (at is None or each.at == (at,))]
    assert float(one.enclosure.lower) - 1e-12 <= true <= float(one.enclosure.upper) + 1e-12
    assert one.enclosure.upper - one.enclosure.lower <= width


def test_a_gaussian_mechanism_has_its_known_numbers() -> None:
    """mu = 1: Phi(1/2) - Phi(-1/2), Phi(Phi^-1(a) + 1), and the guess at odds of 99 by the best threshold."""
    all_ = found(GAUSSIAN)
    holds(all_, "advantage", None, NORMAL.cdf(0.5) - NORMAL.cdf(-0.5), 2e-5)
    holds(all_, "right-guesses", Fraction(1, 2), NORMAL.cdf(0.5), 2e-5)
    end = 4.59511985013459 + 0.5  # log 99, and half of mu
    right = 0.01 * (1 - NORMAL.cdf(end - 1)) + 0.99 * NORMAL.cdf(end)
    holds(all_, "right-guesses", Fraction(1, 100), right, 2e-5)
    for rate in (Fraction(1, 1000), Fraction(1, 100)):
        holds(all_, "attack-success", rate, NORMAL.cdf(NORMAL.inv_cdf(float(rate)) + 1), 0.05)
    (mu,) = [each for each in all_.found if each.name == "mu"]
    assert mu.enclosure.lower <= 1 <= mu.enclosure.upper < Fraction(1000001, 1000000)


def test_randomized_response_has_its_known_numbers() -> None:
    """Of log 3, nearly: 3/4 against 1/4, so an advantage of 1/2, and 3a at small rates."""
    record = ledger({"mechanism": {"kind": "randomized-response", "epsilon": "1.0986122886681098"}})
    all_ = found(record, rates=["1/100"], priors=["1/2", "3/4"])
    holds(all_, "advantage", None, 0.5, 2e-5)
    holds(all_, "right-guesses", Fraction(1, 2), 0.75, 2e-5)
    holds(all_, "right-guesses", Fraction(3, 4), 0.75, 2e-5)
    holds(all_, "attack-success", Fraction(1, 100), 0.03, 0.04)


@pytest.mark.parametrize("record", [ledger(pure("0.5", 3)), ledger(zcdp("0.1", count=3))])
def test_guarantees_alone_have_upper_ends(record: Document) -> None:
    for each in found(record).found:
        assert not each.lost
        assert each.enclosure.upper <= 1 or each.name == "mu"


def test_the_points_are_claims_that_are_confirmed_and_verified() -> None:
    """Of samples, of which the curve is a contour's: the first points, since each is an audit of its own."""
    record = privref.ledger_from_document(records({**DRAWN, "count": 10}))
    document = risk_claims(risk(record, rates=["1/10"], priors=["1/10"], deltas=["1e-3", "1e-2"]))
    claims = privref.claims_from_document({**document, "claims": document["claims"][:2]})
    audit = privref.audit(record, claims)
    assert {opinion.verdict for opinion in audit.opinions} == {"confirmed"}
    made = privref.certificates(audit)
    assert [privref.verify(made[claim.id]).outcome for claim in claims] == ["verified"] * len(claims)


RESPONSE = {"mechanism": {"kind": "randomized-response", "epsilon": "1"}}
LAPLACE = {"count": 2, "mechanism": {"kind": "laplace", "scale": "2", "sensitivity": "1"}}
#: Ledgers, and how many ends of theirs are claims to be confirmed and to be refuted at least.
OF_EACH_KIND: dict[str, tuple[Document, int, int]] = {
    "a Gaussian": (GAUSSIAN, 5, 5), "randomized response": (ledger(RESPONSE), 5, 2),
    "Laplace noise": (records(LAPLACE), 5, 2), "guarantees": (ledger(pure("0.5", 3)), 5, 0),
    "zCDP": (ledger(zcdp("0.1", count=3)), 5, 0),
}  # fmt: skip


@pytest.mark.parametrize("kind", OF_EACH_KIND)
def test_every_end_is_trivial_or_has_certificates(kind: str) -> None:
    """Claims that are confirmed, for upper ends, and refuted, for lower ends; and the ends follow from them."""
    document, upper, lower = OF_EACH_KIND[kind]
    record = privref.ledger_from_document(document)
    risks = risk(record)
    written = risk_claims(risks)
    audit = privref.audit(record, privref.claims_from_document(written))
    wanted = {each["id"]: "refuted" if each["id"].startswith("lost-") else "confirmed" for each in written["claims"]}
    assert {each.claim.id: each.verdict for each in audit.opinions} == wanted
    made = privref.certificates(audit)
    assert dict(made.missing) == {}
    assert {privref.verify(made[id]).outcome for id in wanted} == {"verified"}
    verdicts = list(wanted.values())
    assert verdicts.count("confirmed") >= upper
    assert verdicts.count("refuted") >= lower
    trivial = {"advantage": Fraction(0), "mu": Fraction(0)}
    for each in risks.found:
        if not each.lost:
            least = max(each.at[0], 1 - each.at[0]) if each.name == "right-guesses" else each.at[0] if each.at else 0
            assert each.enclosure.lower == trivial.get(each.name, least)


def test_a_filter_guarantees_no_whole_curve() -> None:
    with pytest.raises(privref.HypothesisError, match="whole profile"):
        found(adaptive(pure("0.2"), **under("rogers2016/thm3.3", "1e-4")))


@pytest.mark.parametrize(
    "given", [{"rates": ["0"]}, {"priors": ["1"]}, {"deltas": ["1e-2", "1e-3"]}, {"deltas": ["1e-2"]}]
)
def test_what_cannot_be_asked_is_refused(given: dict[str, list[str]]) -> None:
    with pytest.raises(privref.InputError, match=next(iter(given))):
        found(GAUSSIAN, **given)


def test_what_the_lower_ends_rest_on_is_said() -> None:
    assert any("in every round" in premise for premise in found(GAUSSIAN).premises)
    assert found(ledger(pure("1"))).premises == ()
