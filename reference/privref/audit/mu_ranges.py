"""Claims of mu that finitely many points decide: on a range of delta, or over all epsilon where losses are bounded.

mu-Gaussian DP for delta in [a, b] says that for each of these delta the whole is (epsilon_mu(delta), delta)-DP, where
delta_mu is the curve of mu-Gaussian DP and epsilon_mu(delta) the least epsilon >= 0 at which it is at most delta. A
claim without a range is one of [0, 1].

Guarantees (e_0, d_0), ..., (e_n, d_n) prove it if

* e_0 = 0, or delta_mu(e_0) >= b;
* delta_mu(e_i) >= d_(i-1) for each later i;
* d_n <= a.

Take any delta in the range, and the first i with d_i <= delta. Then i = 0, or delta < d_(i-1) <= delta_mu(e_i). In both
cases e_i <= epsilon_mu(delta), because delta_mu falls strictly; so (e_i, d_i)-DP is what is claimed of this delta.
It does not matter how the points were found. One certain loss of more than delta at an epsilon with delta_mu(epsilon)
<= delta, delta in the range, shows the claim false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from privref.exact.errors import UndecidedError
from privref.exact.rounding import plain, to_decimal
from privref.exact.work import QUESTION, WorkLimitError, apart, spend
from privref.statements.registry import solve, statement
from privref.statements.theorems import called

from . import reasons
from .bounds import all_bounds, refute, require_consistent
from .claims import ApproxDPClaim, GaussianDPClaim
from .engines import enclosed
from .facts import Facts
from .opinions import Bound, Opinion
from .points import INVERSES, Point, delta_at, has_inverse, log10, lower_of
from .refuters import declared, quick_witnesses
from .routes import epsilon_routes

#: Points of one cover, digits of a point, and points that are tried for a loss.
MOST_POINTS, _DIGITS, _TRIED = 64, 10, 24
#: The smallest delta at which a loss is looked for, and a theorem is chosen, where the range begins at 0.
_LEAST = Fraction(1, 10**12)
#: A point's delta is so much above the theorem's: within the stated width of some bounds its audit would be undecided.
_ROOM = Fraction(1, 10**5)
#: A certificate's points for samples are so much above those, for a grid that takes the kernel less.
_GRID_ROOM = Fraction(1, 500)
#: A step of less than this share of epsilon leads nowhere.
_SHARE = Fraction(1, 10**4)


def covers(mu: Fraction, low: Fraction, high: Fraction, points: tuple[Point, ...]) -> bool:
    """Whether guarantees at these points prove mu-Gaussian DP for delta in [low, high]; by both engines."""
    before = high
    for i, (epsilon, delta) in enumerate(points):
        if not (i == 0 and epsilon == 0) and gaussian(mu, epsilon)[0] < before:
            return False
        before = delta
    return before <= low


def gaussian(mu: Fraction, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Both ends of the delta of mu-Gaussian DP at epsilon, on which the engines agree."""
    found, _ = enclosed("gdp/profile.delta", {"mu": mu, "eps": epsilon}, digits=_DIGITS)
    assert found is not None
    return found.lower, found.upper


@dataclass(frozen=True, slots=True)
class _Curve:
    """What one theorem proves of a record, and the epsilon at which nothing is lost any more, if there is one."""

    item: Bound
    last: tuple[Fraction, Bound] | None

    def delta(self, epsilon: Fraction) -> Fraction | None:
        """A delta at epsilon by one engine, a short decimal rounded up: a point that may be good."""
        found = delta_at(self.item, epsilon, _DIGITS)
        return None if found is None else _up(found.upper * (1 + _ROOM))

    def proved(self, epsilon: Fraction) -> Fraction | None:
        """The delta at epsilon by both engines, rounded alike."""
        id, name, dropped = INVERSES[self.item.application.statement]
        inputs = {key: value for key, value in self.item.application.inputs.items() if key != dropped}
        found, _ = enclosed(id, inputs | {name: epsilon}, digits=_DIGITS)
        return None if found is None else _up(found.upper)


def _few(value: Fraction) -> str:
    return plain(to_decimal(value, 6, "up"))


def _up(value: Fraction) -> Fraction:
    return min(Fraction(to_decimal(value, _DIGITS, "up")), Fraction(1)) if value else value


def decide(facts: Facts, claim: GaussianDPClaim, report: Callable[[str], None]) -> Opinion | None:
    """The verdict on a claim of mu by points of the curve; None where no theorem has a curve, and nothing more is lost.

    UndecidedError where that takes too many points, or too much work.
    """
    low, high = claim.deltas or (Fraction(0), Fraction(1))
    report("points of the curve")
    # Above the delta that mu has at epsilon = 0 there is nothing to choose a theorem by.
    curve = _curve_of(facts, low, max(low, min(high, gaussian(claim.mu, Fraction(0))[1])))
    found, left_open = None, None
    try:
        found = None if curve is None else _covering(curve, claim.mu, low, high)
    except UndecidedError as error:
        left_open = error
    if curve is not None and found is not None:
        for point in found:
            require_consistent(facts, ApproxDPClaim(claim.id, *point))
        item = curve.item
        by = {called(item.application.by): None}
        findings = reasons.premises(item)
        if curve.last is not None and found[-1] == (curve.last[0], Fraction(0)):
            by[called(curve.last[1].application.by)] = None
            findings += reasons.premises(curve.last[1])
        reason = f"by {len(found)} guarantee(s) (epsilon, delta) below the curve of mu, proved by {' and '.join(by)}"
        return Opinion(claim, "confirmed", reason, premises=tuple(dict.fromkeys(findings)), cover=found)
    lost = _lost(facts, claim, low, high) if facts.attainable else None
    if lost is not None:
        return lost
    if left_open is not None:
        raise left_open
    if curve is None:
        return None
    reason = f"{called(curve.item.application.by)} does not prove the curve of this mu; nor is more certainly lost"
    return Opinion(claim, "unsupported", reason)


def _curve_of(facts: Facts, low: Fraction, high: Fraction) -> _Curve | None:
    """The tightest theorem in the middle of the range that has a curve; and at delta = 0.

    None where no theorem has one, or where the range begins at 0, which points reach only if the loss has an end.
    """
    routes = epsilon_routes(facts)
    pure, _, _ = all_bounds(facts, routes, Fraction(0), lambda step: None)
    finite = next((each for each in pure if each.enclosure is not None and each.application.supposed is None), None)
    last = None
    if finite is not None and finite.enclosure is not None:
        last = Fraction(to_decimal(finite.enclosure.upper, _DIGITS, "up")), finite
    elif not low:
        return None
    middle = (log10(max(low, _LEAST)) + log10(max(high, _LEAST))) / 2
    at = Fraction(to_decimal(Fraction(10 ** (middle % 1)), 3, "down")) * Fraction(10) ** int(middle // 1)
    bounds, _, _ = all_bounds(facts, routes, at, lambda step: None)
    item = next((each for each in bounds if each.enclosure is not None and has_inverse(each, at)), None)
    return None if item is None else _Curve(item, last)


def _covering(curve: _Curve, mu: Fraction, low: Fraction, high: Fraction) -> tuple[Point, ...] | None:
    """Points that prove the claim: as far as each reaches the next one; None where one leads no further."""
    epsilon = _epsilon_down(mu, high)
    points: list[Point] = []
    while True:
        if len(points) == MOST_POINTS:
            raise UndecidedError(f"the curve of mu is so near that more than {MOST_POINTS} points are needed")
        delta = curve.delta(epsilon)
        if delta is None:
            return None
        points.append((epsilon, delta))
        if delta <= low:
            break
        reached = _epsilon_down(mu, delta)
        if curve.last is not None and curve.last[0] <= reached:
            points.append((curve.last[0], Fraction(0)))
            break
        if reached <= epsilon * (1 + _SHARE):
            return None
        epsilon = reached
    # What was planned by one engine counts where both prove it. That a bounded loss ends was proved by both.
    ends = None if curve.last is None else (curve.last[0], Fraction(0))
    for epsilon, delta in points:
        if (epsilon, delta) == ends:
            continue
        by_both = curve.proved(epsilon)
        if by_both is None or by_both > delta:
            return None
    return tuple(points) if covers(mu, low, high, tuple(points)) else None


def _epsilon_down(mu: Fraction, delta: Fraction) -> Fraction:
    """Nearly the least epsilon at which mu-Gaussian DP has this delta, rounded down; any number would do."""
    if not mu or delta >= 1:
        return Fraction(0)
    found = solve(statement("gdp/profile.eps"), {"mu": mu, "delta": delta}, digits=_DIGITS + 4, engine="arb").enclosure
    assert found is not None
    return Fraction(to_decimal(found.lower, _DIGITS, "down")) if found.lower > 0 else Fraction(0)


def loosened(mu: Fraction, cover: tuple[Point, ...], low: Fraction) -> list[Point]:
    """Points near those of a cover, with deltas that leave the kernel room for a coarse grid: a plan, no proof.

    Where a point moves left, the delta there is guessed by twice the slope of log delta between the old points.
    """
    found = [(cover[0][0], _up(cover[0][1] * (1 + _GRID_ROOM)))]
    for (before, old), (epsilon, delta) in pairwise(cover):
        moved = _epsilon_down(mu, found[-1][1])
        slope = float(log10(old) - log10(delta)) / float(epsilon - before) if delta else 0.0
        grown = Fraction(10 ** min(2 * slope * max(float(epsilon - moved), 0.0), 1.0))
        found.append((min(moved, epsilon), _up(delta * (1 + _GRID_ROOM) * grown)))
    # Of the last point the range allows any delta up to its own beginning.
    return [*found[:-1], (found[-1][0], max(low, cover[-1][1]))]


def _candidates(mu: Fraction, low: Fraction, high: Fraction) -> Iterator[Point]:
    """Points just above the curve of mu, with a delta in the range."""
    most = min(high, gaussian(mu, Fraction(0))[1])
    least = max(low, _LEAST)
    epsilons = [Fraction(0)]
    if mu and least < most:
        ends = log10(most), log10(least)
        for i in range(_TRIED + 1):
            exponent = ends[0] + (ends[1] - ends[0]) * i / _TRIED
            delta = Fraction(to_decimal(Fraction(10 ** (exponent % 1)), 4, "down")) * Fraction(10) ** int(exponent // 1)
            epsilons.append(_epsilon_down(mu, min(max(delta, least), most)))
    for epsilon in dict.fromkeys(epsilons):
        delta = max(low, _up(gaussian(mu, epsilon)[1]))
        if delta <= high and delta < 1:
            yield epsilon, delta


def _lost(facts: Facts, claim: GaussianDPClaim, low: Fraction, high: Fraction) -> Opinion | None:
    """A point with a delta in the range at which more is lost than mu allows: the one where that is plainest."""
    others = facts.without_laws()

    def beyond(point: Point) -> Fraction:
        epsilon, delta = point
        found = (*declared(facts, epsilon), *quick_witnesses(others, epsilon, delta))
        least = max(map(lower_of, found), default=Fraction(0))
        return least / delta if delta else Fraction(least > 0)

    try:
        # Far out a point of samples costs as much as an audit, and a claim over all epsilon has many.
        with apart(QUESTION if claim.deltas else QUESTION // 100) as spent:
            points = tuple(_candidates(claim.mu, low, high))
            shares = {point: beyond(point) for point in points}
        spend(spent())
    except WorkLimitError:
        return None
    plainest = max(points, key=lambda point: (shares[point], point), default=None)
    # Of guarantees alone a worst case that has to be searched may lose more at one of both ends.
    ends = () if facts.mechanisms.declares_laws else (points[:1] + points[-1:])
    for epsilon, delta in dict.fromkeys((*((plainest,) if plainest and shares[plainest] > 1 else ()), *ends)):
        refutation = refute(facts, ApproxDPClaim(claim.id, epsilon, delta))
        if refutation is None:
            continue
        here = f"epsilon = {_few(epsilon)}, where that mu allows a delta of {_few(delta)}"
        words = refutation.witness.words.replace("the claimed epsilon", "epsilon") + f"; at {here}"
        shown = replace(refutation, witness=replace(refutation.witness, words=words))
        if refutation.witness.actual:
            rests = refutation.witness.premises
            reason = f"lost by {words}"
            return Opinion(claim, "refuted", reason, refutation=shown, premises=rests, lost_at=(epsilon, delta))
        reason = (
            "some mechanism with these guarantees loses more, so that no theorem proves it from this ledger; worst "
            f"case: {words}. This says nothing of the mechanisms that ran"
        )
        return Opinion(claim, "underivable", reason, refutation=shown, lost_at=(epsilon, delta))
    return None
