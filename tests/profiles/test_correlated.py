"""Noise that is correlated over the rounds of a run: the reader, the audit, and the kernel's own reading."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import privref
from privref import kernel
from privref.audit.certificate import certificates
from privref.certify.closed import sampled_rounds
from privref.exact.errors import InputError
from privref.guarantees.model import ZCDP, GaussianDP
from privref.kernel.fields import LEAST, MOST
from privref.kernel.numbers import Malformed, Refused
from privref.kernel.pairs import IN_ANY_SAMPLE, Normal, Pair
from privref.kernel.pairs import mechanism as kernel_mechanism
from privref.kernel.record import read
from privref.profiles.allowance import contradiction
from privref.profiles.correlated import largest_square
from privref.profiles.declared import mechanism_from, of_group
from privref.profiles.model import Gaussian, Round, SubsampledGaussian
from privref.profiles.sampled import multipliers
from tests.kernel import cases as c
from tests.oracles import around, meets

RUN: dict[str, Any] = {
    "kind": "matrix-gaussian", "sigma": "4", "sensitivity": "1", "coefficients": ["1", "1/2", "3/8", "5/16"],
    "rounds": 2000, "participations": 5, "separation": 400,
}  # fmt: skip


BLT: dict[str, Any] = {"coefficients": None}
TREE: dict[str, Any] = {"coefficients": None, "tree": "binary"}


def run(changed: dict[str, Any]) -> dict[str, Any]:
    """The run with these fields, without those that are None."""
    return {key: value for key, value in {**RUN, **changed}.items() if value is not None}


def squares(document: dict[str, Any], *, least: bool = False) -> tuple[Fraction, Fraction]:
    """mu^2 as both readers have it: no more than that is lost, or no less."""
    law = mechanism_from(document, "mechanism")
    mine = law.lower if least else law.upper
    theirs = kernel_mechanism(document, "mechanism", LEAST if least else MOST, "zero-out")
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
        # Of coefficients that rise or are below 0: exact where rounds are exactly apart and none is below 0.
        ({"coefficients": ["1/2", "1"], "rounds": 2, "separation": 1, "spacing": "exactly"}, Fraction(5, 2) / 16),
        ({"coefficients": ["1/2", "1"], "rounds": 2, "separation": 1}, Fraction(5) / 16),
        ({"coefficients": ["1", "-1"], "rounds": 2, "separation": 1}, Fraction(5) / 16),
        ({**BLT, "omega": ["1/2"], "theta": ["0"], "rounds": 2, "separation": 1}, (1 + Fraction(9, 4)) / 16),
        ({**BLT, "omega": ["1"], "theta": ["1"], "rounds": 3, "separation": 1}, Fraction(14, 16)),
        # A tree of 4 rounds has 7 sums: a unit in two of them is once in 4 of one and two rounds, and twice in all.
        ({**TREE, "rounds": 4, "separation": 2}, Fraction(8, 16)),
        ({**TREE, "participations": 1}, Fraction(11, 16)),
    ],
)
def test_both_readers_have_the_square(changed: dict[str, Any], square: Fraction) -> None:
    assert squares(run(changed)) == (square, square)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"tree": "binary"}, "exactly one of coefficients, theta, tree"),
        ({"coefficients": None}, "exactly one of coefficients, theta, tree"),
        ({"omega": ["1/2"]}, "unknown field"),
        ({**BLT, "theta": ["1/2"]}, "omega.*missing"),
        ({**BLT, "theta": ["1/2"], "omega": ["1/4", "1/4"]}, "2 omega and 1 theta"),
        ({**BLT, "theta": ["1/2"], "omega": ["-1/4"]}, r"omega\[0\].*>= 0"),
        ({**BLT, "theta": ["3/2"], "omega": ["1/4"]}, r"theta\[0\].*in \[0, 1\]"),
        ({**BLT, "theta": ["1/2"] * 3, "omega": ["1/4"] * 3, "rounds": 70_000}, "rounds times buffers are at most"),
        ({**TREE, "tree": "ternary"}, "give one of binary"),
        ({**TREE, "rounds": 10**6, "participations": 10**6, "separation": 9}, "100000 sums"),
        ({"spacing": "about"}, "give one of at-least, exactly"),
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
    document = run(changed)
    with pytest.raises(InputError, match=words):
        mechanism_from(document, "mechanism")
    with pytest.raises(Malformed):
        kernel_mechanism(document, "mechanism", MOST, "zero-out")


def the_worst(rows: list[list[Fraction]], times: int, apart: int, exactly: bool) -> Fraction:
    """The largest |sum of u_t C e_t|^2 over all sets of rounds and all signs, by trying them."""
    found = Fraction(0)
    for size in range(1, times + 1):
        for chosen in itertools.combinations(range(len(rows[0])), size):
            steps = [later - earlier for earlier, later in itertools.pairwise(chosen)]
            if any(step != apart if exactly else step < apart for step in steps):
                continue
            for signs in itertools.product((1, -1), repeat=size):
                sums = (sum(u * row[t] for u, t in zip(signs, chosen, strict=True)) for row in rows)
                found = max(found, sum((each**2 for each in sums), Fraction(0)))
    return found


def toeplitz(column: list[Fraction], rounds: int) -> list[list[Fraction]]:
    return [[column[i - j] if 0 <= i - j < len(column) else Fraction(0) for j in range(rounds)] for i in range(rounds)]


@pytest.mark.parametrize("spacing", ["at-least", "exactly"])
@pytest.mark.parametrize("seed", range(12))
def test_no_rounds_of_a_unit_are_worse_than_both_readers_say(seed: int, spacing: str) -> None:
    """And what they say is lost at least is lost by some rounds, whatever the matrix."""
    draw = Random(seed)
    rounds, times, apart = draw.randint(1, 7), draw.randint(1, 3), draw.randint(1, 3)
    column = [Fraction(1), *(Fraction(draw.randint(-3, 4), draw.choice((2, 3))) for _ in range(draw.randint(0, 5)))]
    omega = [Fraction(draw.randint(0, 6), 10) for _ in range(draw.randint(1, 3))]
    theta = [Fraction(draw.randint(0, 10), 10) for _ in omega]
    buffered = [
        Fraction(1),
        *(sum((w * d**t for w, d in zip(omega, theta, strict=True)), Fraction(0)) for t in range(rounds)),
    ]
    sums = [
        [Fraction(first <= t < first + size) for t in range(rounds)]
        for size in (2**level for level in range(rounds.bit_length())) for first in range(0, rounds - size + 1, size)
    ]  # fmt: skip
    exactly = spacing == "exactly"
    for fields, rows in (
        ({"coefficients": list(map(str, column))}, toeplitz(column, rounds)),
        ({**BLT, "omega": list(map(str, omega)), "theta": list(map(str, theta))}, toeplitz(buffered, rounds)),
        (TREE, sums),
    ):
        document = run({
            **fields, "rounds": rounds, "participations": times, "separation": apart, "sigma": "1", "spacing": spacing
        })  # fmt: skip
        worst = the_worst(rows, times, apart, exactly)
        most, least = squares(document)[0], squares(document, least=True)[0]
        assert squares(document) == (most, most)
        assert squares(document, least=True) == (least, least)
        assert least <= worst <= most
        if times == 1 or rows is sums or (exactly and all(c >= 0 for row in rows for c in row)):
            assert most - least < Fraction(1, 10**20)


def test_what_a_tree_is_said_to_lose_is_lost() -> None:
    """Five rounds of a unit, 400 apart: the bound is 62, and the first rounds have 60, which is what refutes."""
    document = run({**TREE, "attained": True})
    assert squares(document)[0] == Fraction(62, 16)
    assert squares(document, least=True)[0] == Fraction(60, 16)
    ledger = privref.ledger_from_document(c.zeroed({"mechanism": document}))
    claims = [privref.ZCDPClaim(str(n), Fraction(n, 32)) for n in (59, 60, 61, 62)]
    verdicts = [opinion.verdict for opinion in privref.audit(ledger, claims).opinions]
    assert verdicts == ["refuted", "unsupported", "unsupported", "confirmed"]
    # What two units lose at least is not what one loses at most, twice.
    pair = of_group(mechanism_from(document, "mechanism"), 2, 0)
    assert pair is not None
    assert not pair.attained


def on_samples(**changed: Any) -> dict[str, Any]:
    return {"kind": "subsampled", "base": run(changed), "rate": "1/3", "sampling": "poisson"}


@pytest.mark.parametrize(
    ("changed", "more", "words"),
    [
        ({"separation": 3}, {}, "4 coefficients.*no more than the separation, which is 3"),
        ({**TREE}, {}, "no more than the separation"),
        ({**BLT, "omega": ["1/2"], "theta": ["1/2"]}, {}, "no more than the separation"),
        ({}, {"sampling": "fixed-size"}, "give one of poisson"),
        ({}, {"batch_cap": 5, "records": 9}, "unknown field"),
        ({}, {"clipped": True}, "unknown field"),
        ({}, {"records_per_unit": 2}, "unknown field"),
    ],
)
def test_samples_of_such_rounds_that_have_no_law_are_refused_by_both(
    changed: dict[str, Any], more: dict[str, Any], words: str
) -> None:
    document = {**on_samples(**changed), **more}
    with pytest.raises(InputError, match=words):
        mechanism_from(document, "mechanism")
    with pytest.raises(Malformed):
        kernel_mechanism(document, "mechanism", MOST, "add-or-remove-one")


@pytest.mark.parametrize(
    ("changed", "most", "least"),
    [
        # 4 coefficients, 8 rounds: two whole columns; of 7 rounds the second one is cut.
        ({"rounds": 8, "separation": 4}, 2, 2),
        ({"rounds": 7, "separation": 4}, 2, 1),
        ({"rounds": 7, "separation": 4, "participations": 1}, 1, 1),
        ({"rounds": 2, "separation": 1, "participations": 1}, 1, 1),
        ({**TREE, "rounds": 7, "participations": 1}, 1, 1),
        ({**BLT, "omega": ["1/2"], "theta": ["1/2"], "participations": 1, "rounds": 7}, 1, 1),
    ],
)
def test_samples_of_such_rounds_are_as_many_as_a_record_has(changed: dict[str, Any], most: int, least: int) -> None:
    document = on_samples(**changed)
    law = mechanism_from(document, "mechanism")
    column = run({**changed, "participations": 1})
    for items, times, low in ((law.upper, most, False), (law.lower, least, True)):
        assert items is not None
        (item,) = items
        assert item.count == times
        assert isinstance(item.pair, SubsampledGaussian)
        square = squares(column, least=low)[0]
        assert item.pair.rate == Fraction(1, 3)
        assert item.pair.sigma == multipliers(square)[low]
        theirs = kernel_mechanism(document, "mechanism", LEAST if low else MOST, "zero-out")
        assert theirs is not None
        assert theirs.pairs == (Pair(Normal(square), Fraction(1, 3)),) * times
        assert theirs.mu_squared == times * square
    replaced = kernel_mechanism(document, "mechanism", MOST, "replace-one")
    assert replaced is not None
    assert (replaced.kind, replaced.attained) == (IN_ANY_SAMPLE, False)
    assert all(pair.rate == 1 for pair in replaced.pairs)


def test_a_run_on_samples_of_groups_loses_what_its_definition_says() -> None:
    """A record of the first of two groups, 4 rounds: all 4 answers on a lattice, with and without it."""
    column, sigma, rate, eps = (1.0, 0.5), 1.5, 1 / 3, 0.3
    step = 0.45
    line = np.arange(-19, 23) * step
    grid = np.stack(np.meshgrid(*[line] * 4, indexing="ij"))
    matrix = np.array([[column[i - j] if 0 <= i - j < 2 else 0.0 for j in range(4)] for i in range(4)])

    def density(drawn: tuple[int, ...]) -> Any:
        mean = (matrix @ np.array([drawn[0], 0, drawn[1], 0])).reshape(4, 1, 1, 1, 1)
        return np.exp(-((grid - mean) ** 2).sum(axis=0) / (2 * sigma**2)) * (step / sigma / np.sqrt(2 * np.pi)) ** 4

    ways = itertools.product((0, 1), repeat=2)
    p = sum(rate ** sum(way) * (1 - rate) ** (2 - sum(way)) * density(way) for way in ways)
    q = density((0, 0))
    found = max(float(np.maximum(a - np.exp(eps) * b, 0).sum()) for a, b in ((p, q), (q, p)))
    inputs = {"coefficients": ["1", "1/2"], "rounds": 4, "groups": 2, "q": "1/3", "sigma": "3/2", "eps": "3/10"}
    assert meets(
        privref.evaluate("choquette2023/thm4.delta", inputs, digits=4).enclosure,
        around(found, absolute=Fraction(1, 10**4)),
    )


def test_a_run_on_samples_is_decided_on_both_sides_and_not_for_groups() -> None:
    ledger = privref.ledger_from_document(c.records(c.CYCLIC))
    claims = [
        privref.ApproxDPClaim("proved", "0.38667", "1e-6"), privref.ApproxDPClaim("false", "0.37", "1e-6"),
        privref.ApproxDPClaim("two", "0.78", "1e-6", units=2),
    ]  # fmt: skip
    audit = privref.audit(ledger, claims)
    assert [opinion.verdict for opinion in audit.opinions] == ["confirmed", "refuted", "unsupported"]
    assert len(certificates(audit)) == 2
    for made in certificates(audit).values():
        kernel.check(json.loads(json.dumps(made)))
    # A Lean file has as many rounds as its events; these are more.
    assert sampled_rounds(privref.ledger_from_document(c.records(c.DRAWN))) is not None
    assert sampled_rounds(ledger) is None
    # More than 20 runs are refused on samples, too.
    events = [{"mechanism": {**c.CYCLIC["mechanism"], "rate": f"1/{n}"}} for n in range(2, 23)]
    with pytest.raises(InputError, match="at most 20 events"):
        privref.ledger_from_document(c.zeroed(*events))
    with pytest.raises(Refused, match="more than 20 events"):
        read(c.zeroed(*events), MOST)


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
