"""Interactive mechanisms that run concurrently: the largest moment of an adversary who interleaves their queries."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import InputError
from privref.exact.work import spend
from privref.statements.params import OPEN_PROBABILITY, sequence, whole, wholes
from privref.statements.registry import Result, implements

#: So deep a mechanism has 21,845 points.
_MOST_DEPTH = 8
_MOST_ORDER = 64


@implements(
    "haney2023/concurrent.moment",
    kind="exact",
    cites="for Renyi DP of a fixed order (abstract), on finite mechanisms; proved here anew",
    params=(whole("order", 2), wholes("depths", 1), sequence("p", OPEN_PROBABILITY), sequence("q", OPEN_PROBABILITY)),
)
def concurrent_moment(
    ar: Arithmetic, order: int, depths: Sequence[int], p: Sequence[Fraction], q: Sequence[Fraction]
) -> Result:
    """The largest moment, the sum of p^order q^(1-order), of an adversary who interleaves interactive mechanisms.

    haney2023/concurrent.moment: each mechanism is asked up to ``depths`` times, every time one of two questions that
    are answered yes or no, with laws that may depend on its own conversation so far. ``p`` and ``q`` hold the
    probabilities of yes on two inputs, mechanism by mechanism, level by level, a point's two questions side by side;
    point i has the points 4 i + 1 + 2 question + answer below it, with yes 0 and no 1. The moment is the product of the
    mechanisms' own V: at a point the larger of 1 and, over both questions, the mean of p^order q^(1-order) V below.
    Interleaving gains nothing (proofs/derivations/concurrent.py), so that a filter may add up what each one costs.
    """
    if order > _MOST_ORDER:
        raise InputError("order", order, f"give a whole number from 2 to {_MOST_ORDER}")
    for i, depth in enumerate(depths):
        if depth > _MOST_DEPTH:
            raise InputError(f"depths[{i}]", depth, f"give a whole number from 1 to {_MOST_DEPTH}")
    sizes = [2 * (4**depth - 1) // 3 for depth in depths]
    for name, values in (("p", p), ("q", q)):
        if len(values) != sum(sizes):
            raise InputError(name, f"{len(values)} values", f"give {sum(sizes)}: two for each point of each mechanism")
    spend(8 * order * sum(sizes))
    moment, start = Fraction(1), 0
    for size in sizes:
        moment, start = moment * _largest(order, p[start : start + size], q[start : start + size]), start + size
    return moment


def _largest(order: int, p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """V at the start of one mechanism, from its last points upward."""
    points = len(p) // 2
    values = [Fraction(1)] * points

    def below(point: int) -> Fraction:
        return values[point] if point < points else Fraction(1)

    for point in reversed(range(points)):
        for question in (0, 1):
            i, child = 2 * point + question, 4 * point + 1 + 2 * question
            yes = p[i] ** order / q[i] ** (order - 1) * below(child)
            no = (1 - p[i]) ** order / (1 - q[i]) ** (order - 1) * below(child + 1)
            values[point] = max(values[point], yes + no)
    return values[0]
