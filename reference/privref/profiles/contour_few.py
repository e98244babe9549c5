"""Contours for few jumps, planned by floats: where most rounds lose next to nothing and few lose nearly all.

There |M(c + it)|^k hardly falls: that no round draws the record at a noise that matters has nearly all the mass. So
the law is cut into A, small losses, and B, large ones, and what is integrated is M^k - A^k, at most
k |B| (A(c) + |B|)^(k - 1) on the line; A^k hardly reaches epsilon, by a Chernoff bound at a third abscissa.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .contour_plan import (
    LEAST_QUALITY,
    MOST_PRODUCTS,
    SPARE_BITS,
    Beyond,
    Cut,
    Line,
    OutOfReachError,
    PlannedLaw,
    Split,
    TooLongError,
    by_floats,
    dyadic,
    growth,
    law_nodes,
    least_length,
    least_period,
    log_add,
    log_kappa,
    log_mass,
    log_phi,
    nodes_of,
    quality_of,
    tilted,
    top_cut,
)
from .model import SubsampledGaussian

_TOPS = (Fraction(1, 2), Fraction(1, 8), Fraction(1, 32))
#: Into how many equal losses epsilon is divided to place the cut below them.
_PARTS = (1, 2, 3, 5, 8)
#: The widths of the cut that bounds the small losses.
_SHARP = (Fraction(1, 16), Fraction(1, 64))
#: What a law's nodes leave out: A^k is taken off M^k, so that more digits are needed than elsewhere.
_DROP = 120.0
#: Products of a line so cheap that no better cut is looked for.
_ENOUGH = 3e5
#: The epsilons that are thought of: e^600 is still a float.
_LEAST_EPS, _MOST_EPS = 1e-12, 600.0
#: A difference of two parts that floats do not see counts as so large.
_UNSEEN = 1e-12
#: How well a starting epsilon, and an abscissa, are placed: as factors.
_EPS_WIDTH, _ABSCISSA_WIDTH = 1.001, 1.05
#: e^709 is the largest float.
_MOST_LOG_RATIO = 700.0
#: From here on e^x and e^x - 1 are one float.
_FAR = 40
#: Factors between two abscissas that are tried, for the whole and for A alone; no abscissa is below the least one.
_NEXT, _NEXT_OF_THIRD, _LEAST_ABSCISSA = 1.5, 1.4, 1e-6
#: Nats below the goal: where an abscissa is good enough, and for the part of the goal that A's own top may take.
_GOOD_ENOUGH, _SHARE_OF_TOP = 2, 3
#: How well A's top is placed, in units of the noise, and how many of its widths farther out it is put.
_TOP_WIDTH, _TOP_FARTHER = 0.01, 6
#: The second abscissa over the first, as in ``contour_plan``; what is farther is beyond the law's top.
_SECONDS = (1.1, 1.2, 1.3, 1.45, 1.6, 1.8, 2.0, 2.4, 3.0)
#: A cut's width is s sqrt(parts)/6, between 2^-5 and 1: wider ones overlap, sharper ones need finer nodes.
_OF_NOISE, _SHARPEST_BITS = 6, 5
#: Nats of quality for what lies beyond A's top.
_REST_QUALITY = 10
#: The factor between two shifts of a path; a line of few rounds is long, and a better path is worth a finer search.
_SHRINK = 0.7


def single(pair: SubsampledGaussian, k: int, eps: float) -> float:
    """About log delta at epsilon where one round makes it all."""
    s, q = float(pair.sigma), float(pair.rate)
    base = math.log1p(math.expm1(eps) / q)
    upper, lower = log_phi(1 / (2 * s) - s * base), base + log_phi(-1 / (2 * s) - s * base)
    return math.log(k * q) + upper + math.log(max(-math.expm1(min(lower - upper, -_UNSEEN)), _UNSEEN))


@by_floats()
def epsilon_of_one(pair: SubsampledGaussian, k: int, log_delta: float) -> float | None:
    """About the epsilon at delta where one round makes it all; None where that has none."""
    if pair.orientation == "addition" and pair.rate < 1:
        return None
    low, high = _LEAST_EPS, _MOST_EPS
    if single(pair, k, low) <= log_delta or single(pair, k, high) > log_delta:
        return None
    while high > _EPS_WIDTH * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if single(pair, k, middle) > log_delta else (low, middle)
    return low


def noise_at(pair: SubsampledGaussian, loss: float) -> float:
    """The noise y at which a removal loses that much."""
    s, q = float(pair.sigma), float(pair.rate)
    return s * math.log1p(math.expm1(loss) / q) + 1 / (2 * s)


@dataclass(frozen=True, slots=True)
class _Halves:
    """Logs of A and B at an abscissa, and their mean losses."""

    a: float
    b: float
    a_mean: float
    b_mean: float


class _SplitLaw:
    """One round's law in two parts."""

    def __init__(self, law: PlannedLaw, k: int, cut: Cut) -> None:
        self.law, self.k, self.cut = law, k, cut
        self._logs: dict[int, tuple[float, float]] = {}

    def parts(self, c: float) -> _Halves:
        indices, logs = self.law.reach(c, _DROP)
        top = max(logs)
        sums = [0.0, 0.0, 0.0, 0.0]
        for i, value in zip(indices, logs, strict=True):
            if i not in self._logs:
                y = i * self.law.step
                self._logs[i] = self.law.log_cut(y, self.cut, False), self.law.log_cut(y, self.cut, True)
            below, above = self._logs[i]
            loss = self.law.log_ratio(i * self.law.step)
            a, b = math.exp(value - top + below), math.exp(value - top + above)
            sums[0] += a
            sums[1] += b
            sums[2] += a * loss
            sums[3] += b * loss
        if not sums[0] or not sums[1]:
            # Sharper tops do not help: one part is out of sight.
            raise OutOfReachError
        scale = top + math.log(self.law.step)
        return _Halves(math.log(sums[0]) + scale, math.log(sums[1]) + scale, sums[2] / sums[0], sums[3] / sums[1])

    def log_n(self, c: float) -> tuple[float, float]:
        """log (M^k - A^k) and its derivative."""
        found = self.parts(c)
        ratio = math.exp(min(found.b - found.a, _MOST_LOG_RATIO))
        x = self.k * math.log1p(ratio)
        slope = self.k * ratio * (found.b_mean - found.a_mean) / (1 + ratio)
        if x > _FAR:
            return self.k * found.a + x, self.k * found.a_mean + slope
        return self.k * found.a + math.log(math.expm1(x)), self.k * found.a_mean + slope / -math.expm1(-x)

    def log_bound(self, c: float) -> float:
        """The same as the bound of the aliases has it: k B (A + B)^(k - 1)."""
        found = self.parts(c)
        return math.log(self.k) + found.b + (self.k - 1) * log_add(found.a, found.b)

    def abscissa(self, eps: float, near: float) -> float:
        """Where e^(-c eps) (M^k - A^k)/(c (c + 1)) is least, about."""

        def rises(c: float) -> bool:
            return self.log_n(c)[1] > eps + 1 / c + 1 / (1 + c)

        low = high = near
        if rises(near):
            while rises(low):
                high, low = low, low / _NEXT
                if low < _LEAST_ABSCISSA:
                    raise OutOfReachError
        else:
            while not rises(high):
                low, high = high, high * _NEXT
                if not self.law.topped(high):
                    return low
        while high / low > _ABSCISSA_WIDTH:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if rises(middle) else (middle, high)
        return math.sqrt(low * high)


@dataclass(frozen=True, slots=True)
class _Third:
    abscissa: float
    top: Cut
    law: PlannedLaw


@by_floats()
def _third(pair: SubsampledGaussian, k: int, cut: Cut, eps: float, goal: float) -> _Third:
    """An abscissa at which A^k, without its own far tail, is seen not to reach epsilon but with e^goal."""
    for sharp in _SHARP:
        top = _small_top(pair, k, cut, goal, sharp)
        law = PlannedLaw(pair, top, cut)
        best = (math.inf, 1.0)
        b = -goal / eps / 2
        while law.topped(b):
            value = k * law.moments(b)[0] - b * eps + log_kappa(b)
            if value > best[0]:
                break
            best = (value, b)
            if value < goal - _GOOD_ENOUGH:
                return _Third(b, top, law)
            b *= _NEXT_OF_THIRD
        if best[0] < goal:
            return _Third(best[1], top, law)
    raise OutOfReachError


def _small_top(pair: SubsampledGaussian, k: int, cut: Cut, goal: float, sharp: Fraction) -> Cut:
    """The cut beyond which A holds less than e^goal/k."""
    q, s = float(pair.rate), float(pair.sigma)

    def mass(y: float) -> float:
        beyond = log_add(log_phi(-y), math.log(q) + log_phi(1 / s - y))
        return math.log(k) + log_phi((float(cut.place) - y) / float(cut.width)) + beyond

    low = high = float(cut.place)
    while mass(high) > goal - _SHARE_OF_TOP:
        high += 1
    while high - low > _TOP_WIDTH:
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) > goal - _SHARE_OF_TOP else (low, middle)
    return Cut(dyadic(high + _TOP_FARTHER * float(sharp)), sharp)


def _cuts(pair: SubsampledGaussian, eps: float, tolerance: float) -> Iterator[Cut]:
    """Cuts below equal parts of epsilon, as far as their width asks for."""
    for parts in _PARTS:
        y = noise_at(pair, eps / parts)
        # A wider cut lies lower, where the transform of what is above falls more slowly.
        best = math.log2(float(pair.sigma) * math.sqrt(parts) / _OF_NOISE)
        for exponent in (round(best), round(best) - 1):
            width = Fraction(2) ** max(min(exponent, 0), -_SHARPEST_BITS)
            gap = float(width) * math.sqrt(2 * (2 - math.log(tolerance)) / parts)
            yield Cut(dyadic(y - gap, 8), width)


@by_floats()
def plan_few(pair: SubsampledGaussian, k: int, eps: float, log_delta: float | None, tolerance: float) -> Line:
    """A contour of M^k - A^k that gives delta near epsilon, about e^log_delta, to about the relative tolerance."""
    if pair.orientation == "addition" or eps <= 0 or eps > _MOST_EPS:
        raise OutOfReachError
    log_delta = single(pair, k, eps) if log_delta is None else log_delta
    goal = log_delta + math.log(tolerance)
    near = 1 / eps
    best: Line | None = None
    laws = [PlannedLaw(pair, top_cut(pair, k, goal, width)) for width in _TOPS]
    for cut in _cuts(pair, eps, tolerance):
        try:
            third = _third(pair, k, cut, eps, goal)
        except (OutOfReachError, OverflowError):
            continue
        for law in laws:
            try:
                near, line = _plan(law, pair, k, cut, third, eps, log_delta, tolerance, near)
            except TooLongError:
                break
            except (OutOfReachError, OverflowError):
                continue
            if best is None or line.products < best.products:
                best = line
            break
        if best is not None and best.products < _ENOUGH:
            break
    if best is None:
        raise OutOfReachError
    return best


@by_floats()
def _plan(
    law: PlannedLaw,
    pair: SubsampledGaussian,
    k: int,
    cut: Cut,
    third: _Third,
    eps: float,
    log_delta: float,
    tolerance: float,
    near: float,
) -> tuple[float, Line]:
    goal = log_delta + math.log(tolerance)
    whole = _SplitLaw(law, k, cut)
    c = whole.abscissa(eps, near)
    near = c
    c = float(dyadic(c))
    # Of the mass of B under P, which is at most 1.
    mass = min(0.0, log_mass(pair, k, float(cut.place), cut.width))
    period, second = least_period(law, whole.log_bound, c, eps, goal, mass, _SECONDS)
    parts, log_m = tilted(law, c, _DROP)
    peak = k * log_m - c * eps
    length, shift = least_length(Beyond(law, k, c, cut, parts, few=True), goal - peak, _SHRINK)
    if length == math.inf:
        raise OutOfReachError
    count, period_, top = nodes_of(length, period)
    quality = quality_of(k, c, float(period_), top, (peak, log_delta), tolerance)
    nodes = law_nodes(law, c, top, quality, cut)
    if (nodes.last - nodes.first) * count > MOST_PRODUCTS:
        raise TooLongError
    rest = peak - goal + math.log(k)
    outer = law_nodes(law, c, 0.0, max(quality, rest) + growth(shift, cut, law.top), cut, shift)
    b = float(dyadic(third.abscissa))
    split = Split(
        dyadic(third.abscissa),
        third.top,
        law_nodes(third.law, b, 0.0, LEAST_QUALITY + math.log(k), cut),
        law_nodes(PlannedLaw(pair, cut), 0.0, 0.0, _REST_QUALITY + math.log(k) - goal, third.top),
    )
    at_second = whole.parts(float(dyadic(second)))
    second_quality = LEAST_QUALITY + math.log(k) + max(at_second.a - at_second.b, 0.0)
    second_law = law_nodes(law, float(dyadic(second)), 0.0, second_quality, cut)
    precision = SPARE_BITS + math.ceil(max(quality, rest) / math.log(2)) + 2 * math.ceil(math.log2(count + k))
    return near, Line(
        dyadic(c), dyadic(second), period_, count, dyadic(shift), cut, law.top, nodes, outer, second_law, precision,
        split,
    )  # fmt: skip
