"""Each kind of mechanism that a ledger may declare, against its definition: the law of its answers, summed here."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from privref import evaluate, kernel
from privref.profiles.declared import KINDS
from tests.kernel.cases import records
from tests.kernel.test_certificates import altered, is_refused, issue
from tests.oracles import around, meets

Density = Callable[[float], float]
#: Probabilities of the answers on two neighbouring data sets; or densities at places, times their distance.
Answers = Sequence[tuple[float, float]]
#: The distance of the places at which a density is summed, and what the sum of a density with a kink has wrong.
STEP, WRONG = 1 / 64, Fraction(1, 10**5)


def normal(x: float, sigma: float = 2) -> float:
    return math.exp(-((x / sigma) ** 2) / 2) / math.sqrt(2 * math.pi) / sigma


def on_a_line(with_record: Density, without: Density) -> Answers:
    places = ((n + 0.5) * STEP for n in range(round(-40 / STEP), round(40 / STEP)))
    return [(with_record(x) * STEP, without(x) * STEP) for x in places]


def in_two_rounds() -> Answers:
    """C x + z in the plane, for a unit that is in both rounds: C has the columns (1, 1/2) and (0, 1)."""
    places = [(n + 0.5) / 16 for n in range(-16 * 12, 16 * 14)]
    return [
        (normal(x - 1) * normal(y - 1.5) / 256, normal(x) * normal(y) / 256)
        for x, y in itertools.product(places, repeat=2)
    ]


def on_integers(weight: Density, shift: int) -> Answers:
    whole = sum(weight(n) for n in range(-300, 301))
    return [(weight(n - shift) / whole, weight(n) / whole) for n in range(-300, 301)]


def responses() -> Answers:
    true, other = math.exp(0.5) / (math.exp(0.5) + 2), 1 / (math.exp(0.5) + 2)
    return [(true, other), (other, true), (other, other)]


def four_answers() -> Answers:
    more, less = (0.9 * share / (math.exp(0.5) + 1) for share in (math.exp(0.5), 1))
    return [(0.1, 0), (more, less), (less, more), (0, 0.1)]


def two_candidates() -> list[Answers]:
    """Permute-and-flip of two scores, the first below the second by a gap that a neighbour closes by 1/2, and more.

    At each epsilon another gap is the worst one.
    """

    def first(gap: float) -> float:
        return math.exp(gap) / 2 if gap <= 0 else 1 - math.exp(-gap) / 2

    pairs = ((first(n / 40 + 0.5), first(n / 40)) for n in range(-40, 40))
    return [[(p, q), (1 - p, 1 - q)] for p, q in pairs]


NOISE = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
#: A mechanism of each kind, and its answers by the definition.
DEFINED: dict[str, tuple[dict[str, Any], Callable[[], Answers | list[Answers]]]] = {
    "gaussian": (NOISE, lambda: on_a_line(lambda x: normal(x - 1), normal)),
    "matrix-gaussian": (
        {**NOISE, "kind": "matrix-gaussian", "coefficients": ["1", "1/2"], "rounds": 2, "participations": 2,
         "separation": 1}, in_two_rounds),
    "discrete-gaussian": (
        {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}, lambda: on_integers(normal, 1)),
    "laplace": (
        {"kind": "laplace", "scale": "2", "sensitivity": "1"},
        lambda: on_a_line(lambda x: math.exp(-abs(x - 1) / 2) / 4, lambda x: math.exp(-abs(x) / 2) / 4)),
    "geometric": (
        {"kind": "geometric", "scale": "2", "shifts": ["3"]}, lambda: on_integers(lambda n: math.exp(-abs(n) / 2), 3)),
    "report-noisy-max": (
        {"kind": "report-noisy-max", "noise": "exponential", "scale": "4", "sensitivity": "1"}, two_candidates),
    "randomized-response": ({"kind": "randomized-response", "epsilon": "1/2", "outcomes": 3}, responses),
    "four-outcome-randomized-response": (
        {"kind": "four-outcome-randomized-response", "epsilon": "1/2", "delta": "1/10"}, four_answers),
    "gaussian-mixture": (
        {"kind": "gaussian-mixture", "sigma": "2", "shifts": ["0", "1/2", "2"], "weights": ["1/2", "1/4", "1/4"]},
        lambda: on_a_line(lambda x: (2 * normal(x) + normal(x - 0.5) + normal(x - 2)) / 4, normal)),
    "subsampled": (
        {"kind": "subsampled", "base": NOISE, "rate": "1/4", "sampling": "poisson"},
        lambda: on_a_line(lambda x: 0.75 * normal(x) + 0.25 * normal(x - 1), normal)),
}  # fmt: skip


def test_every_kind_has_a_definition() -> None:
    """A kind whose law nothing was compared with is not accepted in ledgers."""
    assert DEFINED.keys() ^ set(KINDS) == {"other"}


def larger(answers: Answers | list[Answers], eps: Fraction) -> float:
    """The larger of both sums of (p - e^epsilon q)_+ over the answers: delta; the largest of several pairs' answers."""
    grown = math.exp(eps)
    if isinstance(answers[0], list):
        return max(larger(each, eps) for each in answers)
    return max(sum(max(p - grown * q, 0) for p, q in pairs) for pairs in (answers, [pair[::-1] for pair in answers]))


@pytest.mark.parametrize("eps", ["0", "1/10", "2/5"])
@pytest.mark.parametrize("kind", DEFINED)
def test_the_profile_is_that_of_the_definition(kind: str, eps: str) -> None:
    document, answers = DEFINED[kind]
    found = evaluate("zdw2022/thm10.delta", {"rounds": [document], "eps": eps}).enclosure
    assert meets(found, around(larger(answers(), Fraction(eps)), absolute=WRONG))


@pytest.mark.parametrize("kind", DEFINED)
def test_the_kernel_verifies_so_much_and_no_less(kind: str) -> None:
    """Of a claim a hundredth above the definition, and of none a hundredth below, by the same proof."""
    document, answers = DEFINED[kind]
    delta = larger(answers(), Fraction("1/10"))
    more, less = (f"{share * delta:.6f}" for share in (1.01, 0.99))
    made = issue(records({"mechanism": document}), {"epsilon": "1/10", "delta": more}, "confirmed")
    assert kernel.check(made).verdict == "confirmed"
    assert is_refused(altered(made, claim={"delta": less}))
