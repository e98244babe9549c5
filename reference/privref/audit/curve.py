"""Certified points of delta against epsilon: what a theorem proves at most, and what is certainly lost at least.

Of a guarantee (epsilon, delta) every larger epsilon and every larger delta are guarantees too. So a point that a
theorem proves bounds everything to its right from above, and a point that is certainly lost everything to its left from
below: both are drawn as steps, and no straight line between two points is a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappush, heapreplace

from privref.exact.errors import HypothesisError, UndecidedError
from privref.exact.rounding import to_decimal
from privref.exact.work import WorkLimitError, apart
from privref.statements.registry import non_negative, solve, statement

from .facts import Facts
from .opinions import Bound, Opinion
from .points import Point, delta_at, has_inverse, in_force, log10, lower_of
from .refuters import Witness, declared, quick_witnesses
from .routes import EPSILON_ROUTES, Application

#: Those that take a fraction of a second at any epsilon, the last one for few different laws.
_QUICK = {
    "cks2020/zcdp2dp.eps", "mironov2017/mixed.eps", "gdp/composition.eps", "kov2015/optimal.eps", "zdw2022/thm10.eps",
}  # fmt: skip
_MOST_LAWS = 3

#: In units of work: what one curve may cost, and that of the theorem that decides.
WORK, MOST_WORK = 600_000, 1_800_000
#: Points of one curve, and the largest step, in pixels, that is not looked into.
_MOST_POINTS, _STEP = 600, 1.25
#: Digits of a point: more are not seen.
_DIGITS = 6
#: Steps taller and wider than so many pixels are no picture of a curve.
_COARSE = 24.0


# --- one theorem at another epsilon ---------------------------------------------------------------------------------


def has_curve(item: Bound, delta: Fraction) -> bool:
    """Whether the theorem's inverse is known at this delta, and is quick: for curves of dozens of points."""
    rounds = item.application.inputs.get("rounds", ())
    few = not isinstance(rounds, tuple) or len(rounds) <= _MOST_LAWS
    return few and item.application.statement in _QUICK and has_inverse(item, delta)


def _epsilon_at(facts: Facts, item: Bound, delta: Fraction) -> Fraction | None:
    """The epsilon that the theorem proves of the same ledger at another delta, rounded up; None where it has none."""
    by = item.application.by
    (route,) = (route for route in EPSILON_ROUTES if route.by == by)
    application = route.apply(facts, delta, by)
    if application.unmet or application.obstacle:
        return None
    try:
        answer = solve(statement(application.statement), application.inputs, digits=_DIGITS, engine="arb")
    except WorkLimitError:
        raise
    except (HypothesisError, UndecidedError):
        return None
    enclosure = non_negative(answer).enclosure
    return None if enclosure is None else enclosure.upper


# --- points for a picture -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlotArea:
    """What a picture shows: epsilon from 0, delta on a logarithmic axis from 1 down to a power of ten, in pixels."""

    epsilon: Fraction
    exponent: int
    columns: int
    rows: int

    def epsilon_at(self, column: int) -> Fraction:
        """The epsilon of a column's left edge."""
        return self.epsilon * column / self.columns

    def delta_at(self, row: int) -> Fraction:
        """A short decimal near the delta of a row's upper edge; any would do."""
        whole, rest = divmod(Fraction(self.exponent * row, self.rows), 1)
        return Fraction(to_decimal(Fraction(10 ** float(rest)), 5, "down")) * Fraction(10) ** int(whole)

    def column(self, epsilon: Fraction) -> Fraction:
        """How far to the right an epsilon lies, in pixels."""
        return epsilon / self.epsilon * self.columns

    def row(self, delta: Fraction) -> float:
        """How far down a delta lies, in pixels, to a millionth of one."""
        return log10(delta) / self.exponent * self.rows if delta > 0 else math.inf


def _refined(
    last: int, evaluate: Callable[[int], Point | None], across: Callable[[Point | None], float], work: int = WORK
) -> tuple[list[Point], float]:
    """Evaluate at whole pixels from 0 to ``last``, always within the largest step, until each is small or work ends.

    ``across`` says where a point lies on the other axis. Also gives how large the largest step was that is left.
    """
    found: dict[int, Point | None] = {}

    def gap(i: int, j: int) -> tuple[float, int, int]:
        return -min(float(j - i), abs(across(found[i]) - across(found[j]))), i, j

    largest = math.inf
    try:
        with apart(work):
            for end in (0, last):
                found[end] = evaluate(end)
            heap = [gap(0, last)]
            heapify(heap)
            while (largest := -heap[0][0]) > _STEP and len(found) < _MOST_POINTS:
                _, i, j = heap[0]
                middle = (i + j) // 2
                found[middle] = evaluate(middle)
                heapreplace(heap, gap(i, middle))
                heappush(heap, gap(middle, j))
    except WorkLimitError:
        # What was found is true, only coarser: ``largest`` says so.
        pass
    return [point for point in found.values() if point is not None], largest


def _down(window: PlotArea, delta: Fraction) -> float:
    """How far down a delta lies, in pixels, at most a little below the edge where the steps leave the picture."""
    return min(max(window.row(delta), 0.0), window.rows + 2 * _STEP)


def above(points: Iterable[Point]) -> tuple[Point, ...]:
    """The steps that bound from above: from each epsilon on the least delta that is proved up to there."""
    steps: list[Point] = []
    for epsilon, delta in sorted(points):
        if not steps or delta < steps[-1][1]:
            steps.append((epsilon, delta))
    return tuple(steps)


def below(points: Iterable[Point]) -> tuple[Point, ...]:
    """The steps that bound from below: up to each epsilon the largest delta that is lost from there on."""
    steps: list[Point] = []
    for epsilon, delta in sorted(points, reverse=True):
        if delta > (steps[-1][1] if steps else 0):
            steps.append((epsilon, delta))
    return tuple(reversed(steps))


def curve(
    facts: Facts, item: Bound, delta: Fraction, window: PlotArea, others: Iterable[Fraction] = (), *, work: int = WORK
) -> tuple[Point, ...] | None:
    """The steps above a theorem's curve, through its bound at ``delta`` and, where it is quick, at ``others``.

    ``facts`` are those that the bound was found for. None where the theorem guarantees one point only (the budget of a
    filter), or where so few points can be computed that the steps would be no picture of it.
    """
    assert item.enclosure is not None
    # Whatever runs is (0, 1)-DP.
    known: list[Point] = [(Fraction(0), Fraction(1)), (item.enclosure.upper, delta)]
    if has_inverse(item, delta):

        def at(epsilon: Fraction) -> Point | None:
            found = delta_at(item, epsilon, _DIGITS)
            return None if found is None or found.upper >= 1 else (epsilon, found.upper)

        points, largest = _refined(
            window.columns,
            lambda column: at(window.epsilon_at(column)),
            lambda point: 0.0 if point is None else _down(window, point[1]),
            work,
        )
        if largest <= _STEP:
            points += [point for epsilon in others if (point := at(epsilon)) is not None]
    elif _convertible(facts, item.application):

        def proved(row: int) -> Point | None:
            # At the top nothing is left to prove.
            if row == 0:
                return Fraction(0), Fraction(1)
            found = _epsilon_at(facts, item, here := window.delta_at(row))
            return None if found is None else (found, here)

        points, largest = _refined(
            # Just below the lower edge, so that the steps leave the picture where the curve does.
            window.rows + 1,
            proved,
            lambda point: (
                float(window.columns) if point is None or point[0] >= window.epsilon else float(window.column(point[0]))
            ),
        )
    else:
        return None
    return above([*known, *points]) if largest <= _COARSE else None


def _convertible(facts: Facts, application: Application) -> bool:
    """Whether the theorem holds of the same record at every delta: of a filter, only where its budget is of rho."""
    if not in_force(application):
        return True
    budget = facts.declarations.budget
    return application.supposed is None and budget is not None and budget.rho is not None


@dataclass(frozen=True, slots=True)
class Lost:
    """Steps below what is lost, and whether all that they rest on is the mechanisms that ran."""

    steps: tuple[Point, ...]
    actual: bool


def lost(facts: Facts, window: PlotArea, opinions: Iterable[Opinion], epsilons: Iterable[Fraction]) -> Lost:
    """What is certainly lost, by the declared mechanisms or in a worst case of the other events' guarantees.

    With what refuted ``opinions``, claims of (epsilon, delta) about the same ledger. Nothing where no worst case is
    known. ``epsilons`` are looked at besides.
    """
    if not facts.attainable:
        return Lost((), False)
    points: list[Point] = []
    actual: list[bool] = []
    for opinion in opinions:
        if opinion.refutation is not None:
            epsilon = getattr(opinion.claim, "epsilon")  # noqa: B009 - a claim of (epsilon, delta)
            points.append((epsilon, opinion.refutation.enclosure.lower))
            actual.append(opinion.refutation.witness.actual)
    others = facts.without_laws()

    def worst(epsilon: Fraction) -> Iterable[Witness]:
        return quick_witnesses(others, epsilon, Fraction(0))

    def ran(epsilon: Fraction) -> Iterable[Witness]:
        return declared(facts, epsilon)

    kinds = ((worst, False), (ran, True)) if facts.mechanisms.declares_laws else ((worst, False),)
    for witnesses, of_what_ran in kinds:

        def at(epsilon: Fraction, witnesses: Callable[[Fraction], Iterable[Witness]] = witnesses) -> Point:
            return epsilon, max(map(lower_of, witnesses(epsilon)), default=Fraction(0))

        found, _ = _refined(
            window.columns,
            lambda column, at=at: at(window.epsilon_at(column)),  # type: ignore[misc]
            lambda point: 0.0 if point is None else _down(window, point[1]),
        )
        try:
            with apart(WORK // 4):
                found += [at(epsilon) for epsilon in epsilons]
        except WorkLimitError:
            pass
        points += found
        actual += [of_what_ran for _, delta in found if delta]
    return Lost(below(points), all(actual))
