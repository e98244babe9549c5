"""Noisy maxima, permute-and-flip and exponential mechanisms: the readers, the audit, and adversaries that attain it."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

import privref
from privref import kernel
from privref.audit.certificate import certificates
from privref.exact.errors import InputError
from privref.guarantees.model import BoundedRange, Guarantee, PureDP
from privref.kernel.fields import MOST
from privref.kernel.numbers import Malformed
from privref.kernel.pairs import DoubleExponential, Pair
from privref.kernel.pairs import mechanism as kernel_mechanism
from privref.ledger.reading import ledger_from_document
from privref.profiles.declared import mechanism_from
from privref.profiles.model import Laplace, Round
from tests.kernel import cases as c

BEST: dict[str, Any] = {"kind": "report-noisy-max", "noise": "exponential", "scale": "10", "sensitivity": "1"}
F = Fraction


def exact(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator


def exp(value: Fraction) -> arb:
    return exact(value).exp()


def audited(events: list[dict[str, Any]], epsilon: str, delta: str, **more: Any) -> str:
    """The verdict, on which both audit and kernel agree."""
    audit = privref.audit(
        ledger_from_document(c.ledger(*events, **more)), [privref.ApproxDPClaim("claim", epsilon, delta)]
    )
    (opinion,) = audit.opinions
    if opinion.verdict == "confirmed":
        (made,) = certificates(audit).values()
        assert kernel.check(json.loads(json.dumps(made))).verdict == "confirmed"
    return opinion.verdict


@pytest.mark.parametrize(
    ("changed", "shift", "guarantee"),
    [
        ({}, F(1, 5), PureDP(F(1, 5))),
        ({"monotone": True}, F(1, 10), PureDP(F(1, 10))),
        ({"noise": "laplace", "sensitivity": "3"}, F(3, 5), PureDP(F(3, 5))),
        ({"noise": "gumbel"}, F(1, 5), BoundedRange(F(1, 5))),
        ({"noise": "gumbel", "monotone": True}, F(1, 10), BoundedRange(F(1, 10))),
        ({"monotone": False}, F(1, 5), PureDP(F(1, 5))),
    ],
)
def test_both_readers_have_the_shift(changed: dict[str, Any], shift: Fraction, guarantee: Guarantee) -> None:
    mine = mechanism_from({**BEST, **changed}, "mechanism")
    theirs = kernel_mechanism({**BEST, **changed}, "mechanism", MOST, "replace-one")
    assert mine.upper == (Round(Laplace(shift)),)
    assert mine.guarantee == guarantee
    assert not mine.attained
    assert mechanism_from(mine.document, "mechanism") == mine
    assert theirs is not None
    assert theirs.pairs == theirs.lost == (Pair(DoubleExponential(shift)),)
    assert (theirs.pure, theirs.attained) == (shift, False)
    assert theirs.width == (shift if isinstance(guarantee, BoundedRange) else None)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"noise": "gaussian"}, "exponential, laplace, gumbel"),
        ({"noise": None}, "noise"),
        ({"scale": "0"}, "scale"),
        ({"sensitivity": "-1"}, "sensitivity"),
        ({"attained": False}, "unknown field"),
        ({"monotone": "yes"}, "true or false"),
        ({"shifts": ["1"]}, "unknown field"),
    ],
)
def test_what_is_not_so_declared_is_refused_by_both(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        mechanism_from({**BEST, **changed}, "mechanism")
    with pytest.raises(Malformed):
        kernel_mechanism({**BEST, **changed}, "mechanism", MOST, "replace-one")


def test_a_sample_of_scores_has_no_law_here() -> None:
    document = {"kind": "subsampled", "base": BEST, "rate": "1/10", "sampling": "poisson"}
    with pytest.raises(InputError, match="report-noisy-max"):
        mechanism_from(document, "mechanism")
    with pytest.raises(Malformed):
        kernel_mechanism(document, "mechanism", MOST, "add-or-remove-one")


@pytest.mark.parametrize("epsilon", ["0", "1/20", "1/10", "19/100"])
def test_two_candidates_attain_what_is_confirmed(epsilon: str) -> None:
    """Permute-and-flip, exactly: the first candidate's chances before and after both scores move by 1, scale 10."""
    gap = -(0.2 + float(F(epsilon))) / 2
    before, after = math.exp(gap) / 2, 1 - math.exp(-(gap + 0.2)) / 2
    lost = after - math.exp(F(epsilon)) * before
    assert audited([{"mechanism": BEST}], epsilon, str(round(lost + 1e-5, 12))) == "confirmed"
    # Its pair only dominates, so that less is not proved, and not refuted either.
    assert audited([{"mechanism": BEST}], epsilon, str(round(lost - 1e-3, 12))) == "unsupported"


def laplace_chances(scores: tuple[F, ...]) -> list[arb]:
    """The chance of each candidate to have the largest noisy score: between scores all factors are sums of e^(k x)."""
    places, found = sorted({*scores}), []
    for best in scores:
        others = list(scores)
        others.remove(best)
        total = arb(0)
        for low, high in zip([None, *places], [*places, None], strict=True):

            def is_left(score: F, high: F | None = high) -> bool:
                return high is not None and high <= score

            terms = {1 if is_left(best) else -1: arb(1) / 2 * (exp(-best) if is_left(best) else exp(best))}
            for other in others:
                factor = {1: exp(-other) / 2} if is_left(other) else {0: arb(1), -1: -exp(other) / 2}
                product: dict[int, arb] = {}
                for (k, one), (j, two) in itertools.product(terms.items(), factor.items()):
                    product[k + j] = product.get(k + j, arb(0)) + one * two
                terms = product
            for k, share in terms.items():
                # Towards -oo no k is below 1, and towards oo none above -1.
                if k:
                    total += share * sum(sign * exp(k * x) for sign, x in ((1, high), (-1, low)) if x is not None) / k
                else:
                    assert low is not None
                    assert high is not None
                    total += share * exact(high - low)
        found.append(total)
    return found


def gumbel_chances(scores: tuple[F, ...]) -> list[arb]:
    """The exponential mechanism: in proportion to e^score."""
    whole = sum(map(exp, scores), arb(0))
    return [exp(score) / whole for score in scores]


@pytest.mark.parametrize("chances", [laplace_chances, gumbel_chances])
def test_other_noise_loses_no_more(chances: Callable[[tuple[F, ...]], list[arb]]) -> None:
    """Three candidates, every event, enclosed: below the profile of Laplace noise, and near its epsilon."""
    largest = arb(0)
    for gaps in itertools.product((-3, -1, 0), repeat=2):
        scores = (F(0), *map(F, gaps))
        before = chances(scores)
        for moves in itertools.product((F(1, 2), F(-1, 2)), repeat=3):
            after = chances(tuple(score + move for score, move in zip(scores, moves, strict=True)))
            assert sum(after, arb(0)).overlaps(arb(1))
            assert sum(after, arb(0)).rad() < 1e-12
            for eps in (F(0), F(1, 2), F(9, 10)):
                for event in itertools.product((False, True), repeat=3):
                    lost = sum(
                        (p - exp(eps) * q for p, q, has in zip(after, before, event, strict=True) if has), arb(0)
                    )
                    assert lost < 1 - exp((eps - 1) / 2)
            for p, q in zip(after, before, strict=True):
                assert p < exp(F(1)) * q
                largest = largest.max(p / q)
    assert largest > exp(F(4, 5))


def test_the_chances_are_those_of_the_definition() -> None:
    """Two candidates a distance of d apart, by hand: the worse one is best with the chance e^-d (2 + d)/4."""
    for d in (F(0), F(1, 3), F(2)):
        assert (laplace_chances((F(0), d))[0] - exp(-d) * exact(2 + d) / 4).contains(0)
        assert (gumbel_chances((F(0), d))[0] - 1 / (1 + exp(d))).contains(0)


def test_the_exponential_mechanism_composes_as_a_bounded_range() -> None:
    """Two of range 1, chosen from earlier answers: the table of the docs; with other noise they are pure DP."""
    gumbel = {"count": 2, "mechanism": {**BEST, "noise": "gumbel", "scale": "2"}}
    assert audited([gumbel], "0.745", "0.1") == "confirmed"
    assert audited([gumbel], "0.7449", "0.1") == "unsupported"
    assert audited([{"count": 2, "mechanism": {**BEST, "scale": "2"}}], "0.745", "0.1") == "unsupported"


@pytest.mark.parametrize(
    ("noise", "guarantee", "stands"),
    [
        ("exponential", {"kind": "pure-dp", "epsilon": "0.2"}, True),
        ("exponential", {"kind": "pure-dp", "epsilon": "0.199"}, False),
        ("exponential", {"kind": "bounded-range", "epsilon": "0.2"}, False),
        ("gumbel", {"kind": "bounded-range", "epsilon": "0.2"}, True),
        ("gumbel", {"kind": "bounded-range", "epsilon": "0.3"}, True),
        ("gumbel", {"kind": "zcdp", "rho": "1/200"}, True),
        ("gumbel", {"kind": "zcdp", "rho": "1/201"}, False),
        ("gumbel", {"kind": "rdp", "orders": {"8": "1/25"}}, True),
        ("gumbel", {"kind": "rdp", "orders": {"8": "1/26"}}, False),
        ("laplace", {"kind": "approx-dp", "epsilon": "0.1", "delta": "0.05"}, True),
        ("laplace", {"kind": "approx-dp", "epsilon": "0.1", "delta": "0.04"}, False),
    ],
)
def test_a_guarantee_beside_it_has_to_follow(noise: str, guarantee: dict[str, Any], stands: bool) -> None:
    event = {"guarantee": guarantee, "mechanism": {**BEST, "noise": noise}}
    if stands:
        ledger_from_document(c.ledger(event))
        return
    with pytest.raises(InputError, match="not decided"):
        ledger_from_document(c.ledger(event))
