"""Adaptive DP-SGD alongside what is possible with rates and noise fixed in advance: how many steps, and how close."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from math import floor, log

from privref.adaptive.machines import Setup, build
from privref.adaptive.sgd import order_for_steps, sgd_guarantee
from privref.exact.enclosure import Enclosure
from privref.exact.errors import PrivrefError
from privref.guarantees.renyi import ORDERS
from privref.profiles.subsampled import estimated_log_delta
from privref.statements.registry import evaluate

#: Rate, noise multiplier, epsilon and delta of the budget.
SETTINGS = (
    ("1/100", "1", "2", "1e-5"),
    ("1/100", "1", "8", "1e-5"),
    ("1/100", "2", "1", "1e-6"),
    ("1/20", "2", "4", "1e-6"),
    ("1/1000", "1", "2", "1e-6"),
)
_GRID = tuple(order for order in ORDERS if order.denominator == 1)
#: The optimum is searched until it is known to within so many parts.
_PARTS = 200


def steps(name: str, q: Fraction, sigma: Fraction, eps: Fraction, delta: Fraction, orders: tuple[Fraction, ...]) -> int:
    """How many equal steps a Renyi filter lets run, with all of delta for its conversion."""
    setup = Setup(eps, delta, delta_prime=delta, order=orders[0], orders=orders)
    machine, event = build(name, setup), sgd_guarantee(q, sigma, orders)
    return _last(lambda k: machine.block(machine.start(), event, k)[1].verdict == "CONT", 1, 1)


def possible(q: str, sigma: str, eps: str, delta: str, least: int) -> tuple[int, int]:
    """Two numbers of steps close to each other: with the first delta is certainly kept, and not with the second."""

    def enclosed(k: int) -> Enclosure:
        found = evaluate("zdw2022/poisson_gaussian.delta", q=q, sigma=sigma, k=k, eps=eps, digits=6).enclosure
        assert found is not None
        return found

    def kept(k: int) -> bool:
        return enclosed(k).upper <= Fraction(delta)

    def exceeded(k: int) -> bool:
        return enclosed(k).lower > Fraction(delta)

    def seems_kept(k: int) -> bool:
        found = estimated_log_delta(Fraction(q), Fraction(sigma), k, Fraction(eps))
        return kept(k) if found is None else found <= log(Fraction(delta))

    # Floats say where to look; where they are wrong about an end, all is asked of the enclosures.
    guess = _last(seems_kept, max(1, least), 1)
    margin = guess // (2 * _PARTS + 1)
    low, high = guess - margin, guess + max(1, margin)
    if kept(low) and exceeded(high):
        return low, high
    low = _last(kept, max(1, least), _PARTS)
    part = max(1, low // _PARTS)
    # That delta is not seen to be kept does not say that it is exceeded.
    return low, next(high for high in count(low + part, part) if exceeded(high))


def _last(holds: Callable[[int], bool], start: int, parts: int) -> int:
    """A number at which what holds up to some number holds, and does not a part of it later."""
    low, high = 0, start
    while holds(high):
        low, high = high, 2 * high
    while high - low > max(1, low // parts if parts > 1 else 1):
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def sgd_filter() -> Iterator[dict[str, str]]:
    """A row for each setting: steps by one order fixed in advance, by a grid that shares delta, and at best."""
    for q, sigma, eps, delta in SETTINGS:
        rate, noise, budget, total = Fraction(q), Fraction(sigma), Fraction(eps), Fraction(delta)
        order = order_for_steps(rate, noise, budget, total)
        one = steps("renyi-filter", rate, noise, budget, total, (Fraction(order),))
        many = steps("renyi-grid-filter", rate, noise, budget, total, _GRID)
        try:
            low, high = possible(q, sigma, eps, delta, one)
            told = {
                "fixed in advance": f"{low} to {high}",
                "reached": f"{floor(Fraction(1000 * one, high)) / 10:.1f} %",
            }
        except PrivrefError:
            told = {"fixed in advance": "-", "reached": "-"}
        yield {
            "q": q, "sigma": sigma, "epsilon": eps, "delta": delta, "order": str(order),
            "one order": str(one), f"{len(_GRID)} orders": str(many), **told,
        }  # fmt: skip
