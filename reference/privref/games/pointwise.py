"""Advanced composition at every round is not an odometer: exact failure probabilities (Rogers et al. 2016, Section 6).

The adversary runs randomized response with one epsilon until the loss exceeds the bound that advanced composition
gives for that number of rounds. After k rounds with j more "top" than "bottom" the loss is j eps, and the bound over
eps is k d + sqrt(2 k log(1/delta_g)), with d = (x - 1)/(x + 1) or x - 1 for x = e^eps: for a rational x every
probability is rational, computed here by walking over all positions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Annotated

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import InputError, UndecidedError
from privref.exact.work import afford, spend
from privref.statements.params import AboveOne, Count, OpenProbability, choice
from privref.statements.registry import Result, implements

#: The walk stops here: the exact numbers have some ten thousand digits by then.
MOST_ROUNDS = 1000


def _steps_above(drift: Fraction, delta_g: Fraction, ar: Arithmetic) -> Iterator[int]:
    """For k = 1, 2, …: the least j >= 0 with j > k d + sqrt(2 k log(1/delta_g))."""

    def above(position: int, k: int) -> bool:
        slack = position - k * drift
        # Squared, a tie would make log(1/delta_g) rational: impossible for 0 < delta_g < 1.
        return slack > 0 and decide.exceeds(
            lambda inner: slack * slack / (2 * k), lambda inner: inner.log(1 / delta_g), ar
        )

    j = 0
    for k in itertools.count(1):
        while not above(j, k):
            j += 1
        # The boundary increases with k, so the next search may start here.
        yield j


def failures(
    exp_eps: Fraction, delta_g: Fraction, *, two_sided: bool, drift: str, ar: Arithmetic
) -> Iterator[Fraction]:
    """For k = 1, 2, …: the exact probability that the loss has exceeded the bound by round k."""
    slope = (exp_eps - 1) / (exp_eps + 1) if drift == "tanh" else exp_eps - 1
    return walked(exp_eps, _steps_above(slope, delta_g, ar), two_sided=two_sided)


def require_walkable(exp_eps: Fraction, rounds: int) -> None:
    """InputError for too many rounds, WorkLimitError where odds of this many digits certainly need too much work."""
    if rounds > MOST_ROUNDS:
        raise InputError("K", rounds, f"at most {MOST_ROUNDS} rounds are walked exactly; give fewer")
    afford(exp_eps.numerator.bit_length() ** 2 * rounds**3 >> 22)


def walked(exp_eps: Fraction, boundaries: Iterable[int], *, two_sided: bool) -> Iterator[Fraction]:
    """For k = 1, 2, …: the exact probability that the walk has been at, or beyond, its boundary by step k.

    The walk is the loss of randomized response over eps: up by 1 with odds e^eps, else down by 1.
    """
    up, down = exp_eps.numerator, exp_eps.denominator
    walk = {0: 1}
    failed = 0
    total = 1
    for boundary in boundaries:
        bits = total.bit_length()
        # Products of each weight with both odds, and a fraction in lowest terms, in microseconds.
        spend(1 + len(walk) + (2 * len(walk) * bits * up.bit_length() >> 21) + (bits * bits >> 20))
        total *= up + down
        failed *= up + down
        moved: dict[int, int] = {}
        for position, weight in walk.items():
            for place, part in ((position + 1, weight * up), (position - 1, weight * down)):
                if place >= boundary or (two_sided and -place >= boundary):
                    failed += part
                else:
                    moved[place] = moved.get(place, 0) + part
        walk = moved
        yield Fraction(failed, total)


@implements("rogers2016/sec6.pointwise_failure", kind="exact", cites="Section 6 (exact companion of Theorem 6.1)")
def pointwise_failure(
    ar: Arithmetic,
    exp_eps: AboveOne,
    delta_g: OpenProbability,
    two_sided: bool,
    drift: Annotated[str, choice("tanh", "expm1")],
    K: Count,
) -> Result:
    """The probability that the loss exceeds pointwise advanced composition at some round up to K.

    rogers2016/sec6.pointwise_failure: an exact rational for a rational e^eps > 1; rounds of randomized response, the
    drift eps tanh(eps/2) of equation (2) of Whitehouse et al. or eps (e^eps - 1) of Theorem 2.10, |loss| or loss.
    At most 1,000 rounds.
    """
    require_walkable(exp_eps, K)
    walk = failures(exp_eps, delta_g, two_sided=two_sided, drift=drift, ar=ar)
    return next(islice(walk, K - 1, None))


@implements("rogers2016/sec6.pointwise_failure.K", kind="exact", cites="Section 6 (exact companion of Theorem 6.1)")
def first_pointwise_failure(
    ar: Arithmetic,
    exp_eps: AboveOne,
    delta_g: OpenProbability,
    two_sided: bool,
    drift: Annotated[str, choice("tanh", "expm1")],
) -> Result:
    """The first number of rounds at which that probability exceeds delta_g, so that the bound is not an odometer.

    rogers2016/sec6.pointwise_failure.K: UndecidedError where there is none within 1,000 rounds.
    """
    walk = failures(exp_eps, delta_g, two_sided=two_sided, drift=drift, ar=ar)
    for k, probability in enumerate(islice(walk, MOST_ROUNDS), 1):
        if probability > delta_g:
            return k
    raise UndecidedError(f"no failure above delta_g within {MOST_ROUNDS} rounds: give a smaller e^eps")
