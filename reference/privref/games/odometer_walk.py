"""How often an odometer errs: exact probabilities for randomized response, run as long as the loss stays below it.

An odometer at delta' may be exceeded with probability delta', by the theorem. For rounds of randomized response with
one epsilon the loss is a walk of steps +-epsilon with rational probabilities, and the probability is computed exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, islice
from typing import Annotated

from privref.adaptive import rogers, whitehouse
from privref.adaptive.martingale import one_sided_excess
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.statements.params import AboveOne, Count, OpenProbability, Positive, choice
from privref.statements.registry import Result, implements

from .pointwise import require_walkable, walked

#: A loss and an intrinsic time to a number that is positive where the loss exceeds the odometer.
_Excess = Callable[[Arithmetic, Scalar, Scalar], Scalar]


def _reading(odometer: str, tuning: Fraction, delta_prime: Fraction) -> _Excess:
    if odometer == "one_sided":
        return _one_sided(tuning, delta_prime)
    formula, _ = whitehouse.TUNED[f"{_THEOREM}{odometer}"]
    return lambda ar, loss, time: ar.real(loss) - formula(ar, time, tuning, delta_prime)


def _one_sided(tuning: Fraction, delta_prime: Fraction) -> _Excess:
    def excess(ar: Arithmetic, loss: Scalar, time: Scalar) -> Scalar:
        above = ar.real(loss) - ar.real(time) / 2
        total = ar.real(time) + tuning
        return one_sided_excess(ar, above / ar.sqrt(total), total / tuning, delta_prime)

    return excess


_THEOREM = "whitehouse2023/thm3."
#: The odometers of Rogers et al., as they are and as restated, whose tuning is the public size of the data set.
_SIZED = ("rogers", "restated")


def _sized(odometer: str, exp_eps: Fraction, n: Fraction, delta_prime: Fraction, k: int, ar: Arithmetic) -> _Excess:
    """One of the two at the intrinsic time of k rounds, which decides once which of its formulas holds there."""

    def signed(bound: Fraction) -> int:
        # log x is transcendental for a rational x > 1: no tie.
        return decide.sign(lambda inner: k * inner.log(exp_eps) ** 2 - bound, ar)

    inside = signed(1 / (n * n)) > 0 and signed(Fraction(1)) < 0

    def excess(inner: Arithmetic, loss: Scalar, time: Scalar) -> Scalar:
        if odometer == "rogers":
            drift = k * inner.log(exp_eps) * (exp_eps - 1) / 2
            formula = rogers.odometer_inside if inside else rogers.odometer_outside
            return inner.real(loss) - formula(inner, drift, time, n, delta_prime)
        if inside:
            return inner.real(loss) - whitehouse.rogers_inside(inner, time, n, delta_prime)
        log = whitehouse.epoch_log(inner, n, delta_prime)
        return inner.real(loss) - whitehouse.rogers_outside(inner, time, n, log)

    return excess


def boundaries(
    odometer: str, exp_eps: Fraction, tuning: Fraction, delta_prime: Fraction, ar: Arithmetic
) -> Iterator[int]:
    """For k = 1, 2, …: the least j >= 0 for which a loss of j eps exceeds the odometer at V = k eps^2.

    Where the stitched odometer is still infinite, j = k + 1, which no walk of k steps reaches.
    """
    sized = odometer in _SIZED
    excess = None if sized else _reading(odometer, tuning, delta_prime)
    j = 0
    for k in count(1):
        exceeds = excess or _sized(odometer, exp_eps, tuning, delta_prime, k, ar)

        def above(position: int, k: int = k, exceeds: _Excess = exceeds) -> bool:
            def formula(inner: Arithmetic) -> Scalar:
                eps = inner.log(exp_eps)
                return exceeds(inner, position * eps, k * eps**2)

            # A loss is j log x and the reading no such number: an unforeseen tie ends at the cap.
            return decide.sign(formula, ar) > 0

        if odometer == "stitched" and _before(tuning, exp_eps, k, ar):
            yield k + 1
            continue
        # A reading that changes its formula may fall; elsewhere it increases with the time, and the search goes on.
        while sized and j and above(j - 1):
            j -= 1
        while not above(j):
            j += 1
            if j > k:
                break
        yield j


def _before(start: Fraction, exp_eps: Fraction, k: int, ar: Arithmetic) -> bool:
    """Whether the intrinsic time after k rounds is below the start of the stitched odometer."""
    return decide.sign(lambda inner: k * inner.log(exp_eps) ** 2 - start, ar) < 0


@implements(
    "rogers2016/sec6.odometer_failure",
    kind="exact",
    cites="Definition 3.2, for the odometers of Theorem 6.2 and of Whitehouse et al. 2023, Theorem 3 and Lemma 3",
    standing="ours",
)
def odometer_failure(
    ar: Arithmetic,
    odometer: Annotated[str, choice(*(id.removeprefix(_THEOREM) for id in whitehouse.TUNED), *_SIZED)],
    tuning: Positive,
    exp_eps: AboveOne,
    delta_prime: OpenProbability,
    K: Count,
) -> Result:
    """The probability that rounds of randomized response exceed an odometer within K rounds: never more than delta'.

    rogers2016/sec6.odometer_failure: an exact rational for a rational e^eps > 1. ``tuning`` is y* of the filter
    odometer, gamma of the mixtures, v0 of the stitched one, the public size of those of Rogers et al. The adversary
    asks on until the loss exceeds the reading. At most 1,000 rounds.
    """
    if odometer in _SIZED:
        if tuning < 2:
            raise InputError("tuning", str(tuning), "give a public size of at least 2")
        # log(1/delta') is transcendental for a rational delta' < 1: no tie.
        if decide.sign(lambda inner: inner.log(1 / delta_prime) - 1, ar) < 0:
            raise InputError("delta_prime", str(delta_prime), "give a delta' in (0, 1/e)")
    require_walkable(exp_eps, K)
    walk = walked(exp_eps, boundaries(odometer, exp_eps, tuning, delta_prime, ar), two_sided=False)
    return next(islice(walk, K - 1, None))
