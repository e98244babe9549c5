"""Noise that is correlated over the rounds of a run: the reader, the audit, and the kernel's own reading."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref import kernel
from privref.audit.certificate import certificates
from privref.exact.errors import InputError
from privref.guarantees.model import ZCDP, GaussianDP
from privref.kernel.fields import MOST
from privref.kernel.numbers import Malformed, Refused
from privref.kernel.pairs import Normal, Pair
from privref.kernel.pairs import mechanism as kernel_mechanism
from privref.kernel.record import read
from privref.profiles.allowance import contradiction
from privref.profiles.correlated import largest_square
from privref.profiles.declared import mechanism_from
from privref.profiles.model import Gaussian, Round
from tests.kernel import cases as c

RUN: dict[str, Any] = {
    "kind": "matrix-gaussian", "sigma": "4", "sensitivity": "1", "coefficients": ["1", "1/2", "3/8", "5/16"],
    "rounds": 2000, "participations": 5, "separation": 400,
}  # fmt: skip


def squares(document: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """mu^2 as both readers have it."""
    mine = mechanism_from(document, "mechanism").upper
    theirs = kernel_mechanism(document, "mechanism", MOST, "zero-out")
    assert mine is not None
    assert theirs is not None
    (one,), (pair,) = mine, theirs.pairs
    assert isinstance(one, Round)
    assert isinstance(one.pair, Gaussian)
    assert isinstance(pair, Pair)
    assert isinstance(pair.base, Normal)
    return one.pair.mu_squared, pair.base.square


@pytest.mark.parametrize(
    ("changed", "square"),
    [
        ({}, 5 * (1 + Fraction(1, 4) + Fraction(9, 64) + Fraction(25, 256)) / 16),
        ({"separation": 1, "rounds": 2, "participations": 2}, (1 + Fraction(9, 4)) / 16),
        ({"coefficients": ["1", "-1"], "participations": 1}, Fraction(2, 16)),
        ({"coefficients": ["1", "-1"], "rounds": 1, "participations": 7, "separation": 1}, Fraction(1, 16)),
        # A tree's or a prefix sum's matrix of ones: 3 rounds, each unit in all of them: 1 + 4 + 9.
        ({"coefficients": ["1"] * 3, "rounds": 3, "participations": 3, "separation": 1, "sigma": "1"}, Fraction(14)),
        # Doubles mean exactly the double.
        ({"coefficients": ["0x1.8p+0"], "participations": 1}, Fraction(9, 64)),
        # What is 0, or beyond the rounds, is not in the matrix.
        ({"coefficients": ["1", "-1/2", "0", "0"], "separation": 2, "participations": 1}, Fraction(5, 64)),
        ({"coefficients": ["1", "1/2", "-9"], "rounds": 2, "separation": 1}, (1 + Fraction(9, 4)) / 16),
    ],
)
def test_both_readers_have_the_square(changed: dict[str, Any], square: Fraction) -> None:
    assert squares({**RUN, **changed}) == (square, square)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"coefficients": ["1", "-1"], "separation": 1}, "coefficients that rise or are below 0"),
        ({"coefficients": ["1/2", "1"], "separation": 1}, "coefficients that rise or are below 0"),
        ({"coefficients": ["0", "0"]}, "no first coefficient"),
        ({"coefficients": []}, "give a list"),
        ({"coefficients": ["1"] * 100_001, "rounds": 10**6, "participations": 1}, "at most 10000"),
        ({"coefficients": [f"1/{n}" for n in range(1, 200)]}, "numbers of many digits"),
        ({"coefficients": ["1"] * 9_000, "participations": 900, "separation": 200, "rounds": 10**6}, "100000 sums"),
        ({"coefficients": [1.0]}, "float"),
        ({"rounds": 0}, "rounds.*above 0|rounds.*> 0"),
        ({"participations": None}, "participations"),
        ({"shifts": ["1"]}, "unknown field"),
    ],
)
def test_what_the_theorem_does_not_speak_of_is_refused_by_both(changed: dict[str, Any], words: str) -> None:
    document = {**RUN, **changed}
    with pytest.raises(InputError, match=words):
        mechanism_from(document, "mechanism")
    with pytest.raises(Malformed):
        kernel_mechanism(document, "mechanism", MOST, "zero-out")


def test_a_sample_of_such_rounds_has_no_law_here() -> None:
    document = {"kind": "subsampled", "base": RUN, "rate": "1/10", "sampling": "poisson"}
    with pytest.raises(InputError, match="matrix-gaussian"):
        mechanism_from(document, "mechanism")
    with pytest.raises(Malformed):
        kernel_mechanism(document, "mechanism", MOST, "add-or-remove-one")


@pytest.mark.parametrize(("epsilon", "verdict"), [("3.1769", "confirmed"), ("3.1768", "refuted")])
def test_a_run_is_one_gaussian_query(epsilon: str, verdict: str) -> None:
    """Certified on both sides of its epsilon, and the kernel prints what a unit's rounds are taken to be."""
    ledger = privref.ledger_from_document(c.zeroed({"mechanism": {**RUN, "attained": True}}))
    audit = privref.audit(ledger, [privref.ApproxDPClaim("claim", epsilon, "1e-6")])
    (opinion,) = audit.opinions
    assert opinion.verdict == verdict
    assert any("`participations`" in each.how for each in opinion.premises)
    (made,) = certificates(audit).values()
    found = kernel.check(json.loads(json.dumps(made)))
    assert found.verdict == verdict
    words = "`participations`" if verdict == "confirmed" else "as many and as close as declared"
    assert any(words in premise for premise in found.premises)


def test_bounds_of_how_often_a_unit_takes_part_refute_nothing() -> None:
    ledger = privref.ledger_from_document(c.zeroed({"mechanism": RUN}))
    (opinion,) = privref.audit(ledger, [privref.ApproxDPClaim("claim", "3", "1e-6")]).opinions
    assert opinion.verdict == "unsupported"


def test_many_runs_of_many_rounds_are_refused_by_both() -> None:
    """Each of them is a sum over its rounds, so that a short document would take hours."""
    events = [{"mechanism": {**RUN, "sigma": str(n)}} for n in range(1, 22)]
    with pytest.raises(InputError, match="at most 20 events"):
        privref.ledger_from_document(c.zeroed(*events))
    with pytest.raises(Refused, match="more than 20 events"):
        read(c.zeroed(*events), MOST)


@pytest.mark.parametrize(("times", "apart"), [(10**30, 1), (10**6, 7)])
def test_more_rounds_than_are_counted_are_refused(times: int, apart: int) -> None:
    with pytest.raises(InputError, match="100000 sums"):
        largest_square((Fraction(1), Fraction(1, 2)), 10**30, times, apart, "")


def test_a_guarantee_of_less_than_the_run_is_refused() -> None:
    """Also where nothing is said of whether it is attained, which is false then."""
    law = mechanism_from(RUN, "mechanism")
    mu_squared = squares(RUN)[0]
    assert contradiction(law, GaussianDP(Fraction(1, 2)))
    assert contradiction(law, GaussianDP(Fraction(2))) is None
    assert contradiction(law, ZCDP(mu_squared / 2)) is None
    assert contradiction(mechanism_from({**RUN, "attained": False}, "mechanism"), GaussianDP(Fraction(1, 2))) is None
