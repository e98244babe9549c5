"""Odometers alongside each other: the mixture of one side against that of two, and how often each really errs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from privref.adaptive import odometers
from privref.exact import decide
from privref.exact.numbers import spell
from privref.exact.rounding import to_decimal
from privref.games.odometer_walk import boundaries
from privref.games.pointwise import walked
from privref.statements.registry import evaluate

_DIGITS = 8
#: Ours: the target epsilon at which everything is tuned, before the first round.
_TARGET = Fraction(1)
_DELTAS = ("1/10", "1e-3", "1e-6", "1e-9")
_TIMES = ("0", "1/100", "1/10", "1", "10", "100")
_GROWTH = Fraction(11, 10)
_ROUNDS = (10, 100, 400)
#: Of the data set, public: for the odometers of Rogers et al.
_SIZE = Fraction(10**4)


def one_sided_mixture() -> Iterator[dict[str, str]]:
    """The reading of both mixture odometers with the same gamma, and by how much ours is smaller, certainly."""
    for delta_prime in _DELTAS:
        prime = Fraction(delta_prime)
        gamma = odometers.tune_gamma(odometers.target_time(_TARGET, prime), prime).value
        for time in _TIMES:
            inputs = {"V": time, "gamma": str(gamma), "delta_prime": delta_prime}
            two, one = (
                evaluate(f"whitehouse2023/thm3.{name}", inputs, digits=20).enclosure
                for name in ("mixture", "one_sided")
            )
            assert two is not None
            assert one is not None
            saved = 1 - one.upper / two.lower
            yield {
                "delta'": delta_prime,
                "gamma": to_decimal(gamma, _DIGITS, "down"),
                "V": time,
                "two-sided": to_decimal(two.upper, _DIGITS, "up"),
                "one-sided": to_decimal(one.upper, _DIGITS, "up"),
                "smaller by at least": f"{to_decimal(100 * saved, 4, 'down')} %",
            }


def odometer_errors() -> Iterator[dict[str, str]]:
    """The exact probability that randomized response exceeds each odometer, as a part of what its theorem allows."""
    engine = decide.engine("arb")
    for delta_prime in _DELTAS[:3]:
        prime = Fraction(delta_prime)
        target = odometers.target_time(_TARGET, prime)
        gamma = odometers.tune_gamma(target, prime).value
        tuned = {
            "rogers": _SIZE, "restated": _SIZE, "filter": target, "mixture": gamma, "one_sided": gamma,
            "stitched": target / 100,
        }  # fmt: skip
        for odometer, value in tuned.items():
            walk = walked(_GROWTH, boundaries(odometer, _GROWTH, value, prime, engine), two_sided=False)
            reached = dict(enumerate(islice(walk, _ROUNDS[-1]), 1))
            yield {
                "delta'": delta_prime,
                "odometer": odometer,
                "e^eps": spell(_GROWTH),
                **{f"within {k} rounds": to_decimal(reached[k], 4, "up") if reached[k] else "0" for k in _ROUNDS},
                "of delta'": f"{to_decimal(100 * reached[_ROUNDS[-1]] / prime, 4, 'up')} %"
                if reached[_ROUNDS[-1]]
                else "0 %",
            }
