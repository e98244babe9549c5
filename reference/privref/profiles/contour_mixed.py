"""Different Poisson-subsampled Gaussians, and Gaussians alongside them, by one contour: their transforms multiply.

Of a round whose pair is one of several, and which one is revealed (``Labelled``), M is the sum of theirs by their
chances: so are its values, its errors, its bounds and what is left out at the tops. Where nothing is lost M is 1.

``contour`` bounds everything factor by factor. With N the product of the M_i^k_i: the aliases and the kernel are those
of one line; beyond T each |M_i| falls on a path of its own, and so does the product; each trapezoidal sum over y has
its own error; what each law leaves out at its top is added. A Gaussian's M is e^(z (z + 1) mu^2/2), exactly.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real
from privref.exact.complex_interval import plane
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import float_log
from privref.exact.work import apart

from . import model, subsampled
from .contour import TURN, BrokenLineError, Transform, kappa
from .contour_plan import (
    FIRST_LOOK,
    LEAST_QUALITY,
    MOST_PRODUCTS,
    MOST_SHIFT,
    PATH_TURN,
    SPARE_BITS,
    TILTED_FARTHER,
    TINIEST,
    Beyond,
    Nodes,
    OutOfReachError,
    PlannedLaw,
    Saddle,
    at_delta,
    at_eps,
    by_floats,
    dyadic,
    growth,
    law_nodes,
    least_period,
    log_add,
    nodes_of,
    tilted,
    top_cut,
)
from .model import Composition, Gaussian, Labelled, Round, SubsampledGaussian, exchanges
from .subsampled_renyi import renyi

#: The relative tolerance of delta for which a line is planned: an epsilon of seven digits.
_TOLERANCE = 1e-8
#: The same where it is only to be seen whether it is above another one.
_COARSE = 1e-3
#: What the upper bound of a refusal may spend.
_BRACKET_WORK = 1_000_000
#: The width of each law's top.
_WIDTH = Fraction(1, 2)
#: The least shift of a path, and the factor between two: all paths of all laws are kept.
_LEAST_SHIFT, _SHRINK = 1e-4, 0.7
#: The lengths of a line that are thought of, and how well one is placed, as a factor.
_LEAST_LENGTH, _MOST_LENGTH, _LENGTH_WIDTH = 1e-6, 1e9, 1.02
#: Nats below delta at which the law's top is put for a first look at epsilon; a first epsilon where that has none.
_BELOW, _FIRST_EPS = 7, 1e-3
_OUT_OF_REACH = "no contour within the work allowed reaches these sampled rounds; nothing is claimed about them"


@dataclass(frozen=True, slots=True)
class Factor:
    """One law's part of a line, with its chance: nodes on the line, for the bound beyond its end, at the second one."""

    pair: SubsampledGaussian
    chance: Fraction
    law: PlannedLaw
    nodes: Nodes
    shift: Fraction
    outer: Nodes
    second: Nodes


@dataclass(frozen=True, slots=True)
class Kind:
    """Equal rounds of a line: how many, the pairs that one may have, and how likely nothing is lost in it."""

    count: int
    factors: tuple[Factor, ...]
    still: Fraction


@dataclass(frozen=True, slots=True)
class MixedLine:
    """One contour for all: the abscissas, the period of the aliases and the number of nodes."""

    abscissa: Fraction
    second: Fraction
    period: Fraction
    nodes: int
    mu_squared: Fraction
    kinds: tuple[Kind, ...]
    precision: int

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The laws of all kinds of rounds."""
        return tuple(factor for kind in self.kinds for factor in kind.factors)

    @property
    def products(self) -> int:
        """What the sums cost."""
        return self.nodes * sum(factor.nodes.last - factor.nodes.first for factor in self.factors)


def speaks_of(composition: Composition) -> bool:
    """Whether all rounds are Gaussian, some of them on samples."""
    pairs = [item.pair for item in composition.rounds]
    told = [pair for pair in pairs if isinstance(pair, (SubsampledGaussian, Labelled)) and not exchanges(pair)]
    return bool(told) and len(told) + sum(isinstance(pair, Gaussian) for pair in pairs) == len(pairs)


def parts_of(pair: SubsampledGaussian | Labelled) -> tuple[tuple[Fraction, SubsampledGaussian], ...]:
    """The pairs that a round may have, with their chances."""
    return cast("tuple[tuple[Fraction, SubsampledGaussian], ...]", model.parts_of(pair))


@dataclass(frozen=True, slots=True)
class _PlannedKind:
    """Equal rounds, for a plan."""

    count: int
    parts: tuple[tuple[Fraction, SubsampledGaussian, PlannedLaw], ...]
    still: Fraction

    def moments(self, c: float) -> tuple[float, float, float]:
        """log M, and the mean and the variance of the loss, at the tilt c."""
        found = [(float_log(chance) + law.moments(c)[0], *law.moments(c)[1:]) for chance, _, law in self.parts]
        if self.still:
            found.append((float_log(self.still), 0.0, 0.0))
        value = found[0][0]
        for log, _, _ in found[1:]:
            value = log_add(value, log)
        shares = [math.exp(log - value) for log, _, _ in found]
        mean = sum(share * each[1] for share, each in zip(shares, found, strict=True))
        square = sum(share * (each[2] + each[1] ** 2) for share, each in zip(shares, found, strict=True))
        return value, mean, max(square - mean * mean, 0.0) if len(found) > 1 else found[0][2]

    def shares(self, c: float) -> list[float]:
        """What each part makes of M(c)."""
        whole = self.moments(c)[0]
        return [math.exp(float_log(chance) + law.moments(c)[0] - whole) for chance, _, law in self.parts]


class _MixedLaw:
    """The product's tilts, for a plan: it is one round of its own."""

    def __init__(self, composition: Composition, goal: float) -> None:
        self.mu_squared = Fraction(0)
        self.kinds: list[_PlannedKind] = []
        for item in composition.rounds:
            if isinstance(item.pair, (SubsampledGaussian, Labelled)):
                given = parts_of(item.pair)
                share = goal - math.log(len(composition.rounds) * len(given))
                parts = tuple((chance, pair, self._planned(pair, item.count, chance, share)) for chance, pair in given)
                still = item.pair.still if isinstance(item.pair, Labelled) else Fraction(0)
                self.kinds.append(_PlannedKind(item.count, parts, still))
            else:
                assert isinstance(item.pair, Gaussian)
                self.mu_squared += item.count * item.pair.mu_squared

    @staticmethod
    def _planned(pair: SubsampledGaussian, count: int, chance: Fraction, share: float) -> PlannedLaw:
        top = None
        if pair.orientation == "removal":
            top = top_cut(pair, count, share - float_log(chance), _WIDTH)
        return PlannedLaw(pair, top)

    def moments(self, c: float) -> tuple[float, float, float]:
        mu_squared = float(self.mu_squared)
        value, mean, variance = c * (c + 1) / 2 * mu_squared, (c + 0.5) * mu_squared, mu_squared
        for kind in self.kinds:
            one, count = kind.moments(c), kind.count
            value, mean, variance = value + count * one[0], mean + count * one[1], variance + count * one[2]
        return value, mean, variance

    def topped(self, c: float) -> bool:
        return all(law.topped(c) for kind in self.kinds for _, _, law in kind.parts)


@by_floats()
def plan(law: _MixedLaw, at: Saddle, log_delta: float, tolerance: float) -> MixedLine:
    """A contour that gives delta near the saddle's epsilon, about e^log_delta, to about the relative tolerance."""
    c = float(dyadic(at.abscissa))
    goal = log_delta + math.log(tolerance)
    if not law.topped(TILTED_FARTHER * c):
        raise OutOfReachError
    period, second = least_period(law, lambda tilt: law.moments(tilt)[0], c, at.eps, goal)
    peak = law.moments(c)[0] - c * at.eps
    length, shifts = _end(law, c, goal - peak)
    count, period_, top = nodes_of(length, period)
    parts = sum(len(kind.parts) for kind in law.kinds)
    spread = math.log(4 * max(1.0, 1 / (c * float(period_))) + math.log(2 + top / c)) + math.log(parts)
    kinds, most = [], 0.0
    for kind, own_shifts in zip(law.kinds, shifts, strict=True):
        factors, k = [], kind.count
        for (chance, pair, own), share, shift in zip(kind.parts, kind.shares(c), own_shifts, strict=True):
            quality = max(math.log(k) + peak - goal + spread + math.log(max(share, TINIEST)), LEAST_QUALITY)
            most = max(most, quality)
            factors.append(
                Factor(
                    pair, chance, own,
                    law_nodes(own, c, top, quality, None),
                    dyadic(shift),
                    law_nodes(own, c, 0.0, quality + growth(shift, own.top), None, shift),
                    law_nodes(own, float(dyadic(second)), 0.0, LEAST_QUALITY + math.log(k), None),
                )
            )  # fmt: skip
        kinds.append(Kind(k, tuple(factors), kind.still))
    rounds = sum(kind.count for kind in law.kinds)
    precision = SPARE_BITS + math.ceil(most / math.log(2)) + 2 * math.ceil(math.log2(count + rounds))
    line = MixedLine(dyadic(c), dyadic(second), period_, count, law.mu_squared, tuple(kinds), precision)
    if line.products > MOST_PRODUCTS:
        raise OutOfReachError
    return line


def _end(law: _MixedLaw, c: float, rest: float) -> tuple[float, list[list[float]]]:
    """The least T at which the bound of what lies beyond is below e^rest of the whole, and each law's shift there."""
    ways = [[_ways(own, c) for _, _, own in kind.parts] for kind in law.kinds]
    shares = [kind.shares(c) for kind in law.kinds]
    still = [math.exp(float_log(k.still) - k.moments(c)[0]) if k.still else 0.0 for k in law.kinds]

    def bound(t: float) -> tuple[float, list[list[float]]]:
        total, shifts = -float(law.mu_squared) * t * t / 2 - math.log(math.pi * t), []
        for kind, kind_ways, kind_shares, left in zip(law.kinds, ways, shares, still, strict=True):
            least = [
                min((beyond.log_bound(shifted, t) + math.log(math.pi * t), v) for v, beyond, shifted in own_ways)
                for own_ways in kind_ways
            ]
            size = left + sum(share * math.exp(log) for share, (log, _) in zip(kind_shares, least, strict=True))
            total += kind.count * (least[0][0] if len(least) == 1 and not left else math.log(max(size, TINIEST)))
            shifts.append([v for _, v in least])
        return total, shifts

    low, high = _LEAST_LENGTH, _MOST_LENGTH
    if bound(high)[0] > rest:
        raise OutOfReachError
    while high > _LENGTH_WIDTH * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if bound(middle)[0] <= rest else (middle, high)
    return high, bound(high)[1]


def _ways(own: PlannedLaw, c: float) -> list[tuple[float, Beyond, list[tuple[float, float]]]]:
    """Paths on which one round of a law may be bounded beyond the end of the line."""
    beyond = Beyond(own, 1, c, None, tilted(own, c)[0])
    found, v = [], min(PATH_TURN * own.s, MOST_SHIFT)
    while v > _LEAST_SHIFT:
        with suppress(OverflowError):
            found.append((v, beyond, beyond.shifted(v)))
        v *= _SHRINK
    return found


class MixedContour:
    """The profile of the whole along one line, for any epsilon; narrow near the one it was planned for."""

    def __init__(self, ar: EnclosingArithmetic, line: MixedLine) -> None:
        shifts = [factor.shift for factor in line.factors]
        if not 0 < line.abscissa < line.second or line.nodes < 2 or min(shifts) < 0 or line.period <= 0:
            raise BrokenLineError("a line needs 0 < abscissa < second, two nodes, a period and shifts upward")
        self.ar = ar.at(line.precision)
        self.plane = plane(self.ar)
        self.line = line
        with self.ar.active():
            self._prepare(line)

    @property
    def abscissa(self) -> Fraction:
        return self.line.abscissa

    def _prepare(self, line: MixedLine) -> None:
        ar, field = self.ar, self.plane
        self.c, self.second = ar.real(line.abscissa), ar.real(line.second)
        step = 2 * field.pi() / line.period
        half = ar.real(line.mu_squared) / 2
        # The nodes are at most T, and what is left out begins there.
        top, beyond = TURN[1] * (line.nodes - 1) / line.period, TURN[0] * line.nodes / line.period
        c, d = self.c, self.second
        outer = ar.exp(half * (c * (c + 1) - beyond * beyond))
        high = ar.exp(half * d * (d + 1))
        topped = ar.real(0)
        values = None
        for kind in line.kinds:
            sums, error, most, moment, lost = self._of_one(kind, step, top, beyond)
            if values is None:
                values = field.powers_over_kernel(sums, error, kind.count, c, step)
            else:
                values = field.times_powers(values, sums, error, kind.count)
            outer = outer * field.upper(most) ** kind.count
            high = high * field.upper(moment) ** kind.count
            topped = topped + kind.count * lost
        assert values is not None
        if line.mu_squared:
            values = field.times_powers(
                values, [self._gaussian(half, step * n) for n in range(line.nodes)], half * 0, 1
            )
        self.sum = field.trigonometric_sum(values)
        # The sum of 1/n^2 over n >= N is at most 1/(N - 1).
        self.outer = field.upper(outer / (field.pi() * step * (line.nodes - 1)))
        self.low = field.upper(1 / ar.expm1(c * line.period))
        self.topped = field.upper(topped)
        self.high = field.upper(high * kappa(ar, d) / ar.expm1((d - c) * line.period))

    def _of_one(
        self, kind: Kind, step: Real, top: Fraction, beyond: Fraction
    ) -> tuple[list[Any], Real, Real, Real, Real]:
        """M of a round at the nodes, its error, its bound beyond them, M at the second abscissa, what the top loses."""
        ar, field = self.ar, self.plane
        still = ar.real(kind.still)
        found: list[Any] = [field.complex(still, ar.real(0))] * self.line.nodes
        error, lost, most, moment = ar.real(0), ar.real(0), still, still
        for part in kind.factors:
            law = Transform(ar, part.pair, part.law.top)
            ys, logs, weights = law.rows(self.c, part.nodes)
            weights = law.of_part(ys, [part.chance * w for w in weights], None, None)
            losses = logs if law.removal else [-l for l in logs]
            (sums,) = field.oscillating_sums([weights], losses, step, self.line.nodes)
            found = [field.added(known, more) for known, more in zip(found, sums, strict=True)]
            error = error + part.chance * law.error(self.c, part.nodes, top)
            most = most + part.chance * law.beyond(self.c, part.outer, None, part.shift, beyond)
            moment = moment + part.chance * law.moment(self.second, part.second)
            lost = lost + part.chance * law.lost_at_top()
        return found, error, most, moment, lost

    def _gaussian(self, half: Real, t: Real) -> object:
        """e^(z (z + 1) mu^2/2) at c + it."""
        c, angle = self.c, half * t * (2 * self.c + 1)
        size = self.ar.exp(half * (c * (c + 1) - t * t))
        return self.plane.complex(size * self.plane.cosine(angle), size * self.plane.sine(angle))

    def about(self, eps: Fraction) -> Enclosure:
        return self.delta(eps)

    def delta(self, eps: Fraction) -> Enclosure:
        """delta(eps), between 0 and 1 at the least."""
        ar = self.ar
        with ar.active():
            front = ar.exp(-self.c * eps)
            middle = front * self.sum.real_part(-2 * self.plane.pi() / self.line.period * eps) / self.line.period
            rest = front * self.outer
            low = ar.enclosure(middle - rest - self.low - ar.exp(-self.second * eps) * self.high)
            high = ar.enclosure(middle + rest + self.topped)
        lower = Fraction(0) if low is None else max(Fraction(0), low.lower)
        return Enclosure(lower, Fraction(1) if high is None else min(Fraction(1), high.upper))


@by_floats()
def _line(composition: Composition, eps: float, log_delta: float | None, tolerance: float) -> MixedLine:
    if log_delta is None:
        log_delta = min(at_eps(_MixedLaw(composition, FIRST_LOOK), 1, eps).log_delta, 0.0)
    law = _MixedLaw(composition, log_delta + math.log(tolerance))
    return plan(law, at_eps(law, 1, eps), log_delta, tolerance)


def contour(
    ar: EnclosingArithmetic, composition: Composition, eps: float, log_delta: float | None, tolerance: float
) -> MixedContour:
    """The contour for delta at epsilon, delta being about e^log_delta."""
    line = _line(composition, eps, log_delta, tolerance)
    if ar.name != "arb" and line.products > subsampled.MOST_PLAIN:
        raise OutOfReachError
    return MixedContour(ar, line)


class _Search(subsampled.EpsilonSearch):
    """The search of ``subsampled``, with these contours."""

    def __init__(self, ar: EnclosingArithmetic, composition: Composition, delta: Fraction) -> None:
        self.ar, self.composition, self.delta = ar, composition, delta
        self.goal = float_log(delta)

    def contour(self, eps: float, tolerance: float) -> MixedContour:
        return contour(self.ar, self.composition, eps, self.goal, tolerance)

    @by_floats()
    def starts(self) -> list[float]:
        found = at_delta(_MixedLaw(self.composition, self.goal - _BELOW), 1, self.goal)
        return [found.eps if found.eps > 0 else _FIRST_EPS / found.abscissa]

    def finer(self, eps: float) -> float:
        return _TOLERANCE


def eps_of(composition: Composition, delta: Fraction, engine: decide.EngineName = "arb") -> Enclosure:
    """The least epsilon >= 0 at delta in (0, 1) of one orientation; UndecidedError where no contour proves it."""
    ar = decide.engine(engine, 128)
    search = _Search(ar, composition, delta)
    with ar.active():
        try:
            eps, found = search.run(search.starts()[0])
            return subsampled.proved(found, eps, delta)
        except (OutOfReachError, OverflowError):
            # Perhaps there is no positive epsilon to be found.
            if delta_of(composition, Fraction(0), engine).upper <= delta:
                return Enclosure(Fraction(0), Fraction(0))
            raise UndecidedError(_OUT_OF_REACH) from None


def is_above_all_losses(ar: EnclosingArithmetic, composition: Composition, eps: Fraction) -> bool:
    """Whether all are additions and eps is at least the sum of k log 1/(1 - q): no loss is larger."""
    total = ar.real(eps)
    for item in composition.rounds:
        if isinstance(item.pair, Gaussian):
            return False
        pairs = [pair for _, pair in parts_of(item.pair)]  # type: ignore[arg-type]
        if any(pair.orientation == "removal" or pair.rate == 1 for pair in pairs):
            return False
        total = total + item.count * ar.log1p(-max(pair.rate for pair in pairs))
    found = ar.enclosure(total)
    return found is not None and found.lower >= 0


def delta_of(
    composition: Composition, eps: Fraction, engine: decide.EngineName = "arb", beside: Fraction | None = None
) -> Enclosure:
    """delta at epsilon >= 0 of one orientation; UndecidedError where no contour is within reach.

    To a thousandth of the delta that it is to be compared with, where one is given.
    """
    ar = decide.engine(engine, 128)
    with ar.active():
        if is_above_all_losses(ar, composition, eps):
            return Enclosure(Fraction(0), Fraction(0))
        try:
            log_delta, tolerance = (None, _TOLERANCE) if beside is None else (float_log(beside), _COARSE)
            return contour(ar, composition, float(eps), log_delta, tolerance).delta(eps)
        except (OutOfReachError, OverflowError):
            raise UndecidedError(_OUT_OF_REACH) from None


def highest(composition: Composition, *, delta: Fraction | None = None, eps: Fraction | None = None) -> Fraction | None:
    """An upper bound of epsilon at delta, or of delta at epsilon, by Renyi divergences of a few whole orders.

    For both orientations: a removal's divergence is the larger (mtz2019, Theorem 5). None where none can be written.
    """
    ar = decide.engine("arb", 128)
    found: list[Fraction] = []
    with ar.active(), apart(_BRACKET_WORK):
        for order in (2, 4, 8, 16, 32, 64):
            try:
                total = ar.sum(_divergence(ar, item, order) for item in composition.rounds)
                if delta is not None:
                    bound = ar.enclosure(total - ar.log(delta) / (order - 1))
                else:
                    assert eps is not None
                    bound = ar.enclosure(ar.exp((order - 1) * (total - eps)))
            except (UndecidedError, MorePrecisionError):
                break
            if bound is not None:
                found.append(bound.upper)
    return min(found, default=None)


def _divergence(ar: EnclosingArithmetic, item: Round, order: int) -> Real:
    if isinstance(item.pair, Gaussian):
        return ar.real(item.count * order * item.pair.mu_squared / 2)
    assert isinstance(item.pair, (SubsampledGaussian, Labelled))
    total = ar.real(item.pair.still if isinstance(item.pair, Labelled) else 0)
    for chance, pair in parts_of(item.pair):
        divergence = renyi(ar, pair.rate, pair.sigma, order)
        assert not isinstance(divergence, str)
        # Of a mixture with a public label the moments, not their logarithms, are a mean.
        total = total + chance * ar.exp((order - 1) * ar.real(divergence))
    return item.count * ar.log(total) / (order - 1)
