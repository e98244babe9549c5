"""Where to integrate and how finely: a plan, in floats. A bad plan makes an enclosure wide, or none, but never wrong.

Everything is in units of the noise: y = x/s, N(0, 1) for y; u = y/s - 1/(2 s^2), R = 1 - q + q e^u.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from .model import SubsampledGaussian

#: What a law's nodes leave out, and how far apart they lie, in the plan.
_DROP = 70.0
_STEP = 0.25
#: A law that reaches farther than this, in units of the noise, is not planned.
_FARTHEST = 3000.0
#: The most nodes on which a plan looks for where the modulus on a strip falls.
_MOST_BEYOND = 3000
#: The most nodes of the contour, and of contour and law together, that are worth their time.
MOST_NODES = 1 << 17
MOST_PRODUCTS = 2e7

#: Terms below e^-40 of the largest one are below what a float has of digits, e^-37.
_NEGLIGIBLE = 40
#: In the place of 0 where a logarithm is taken: about the least number of all digits.
TINIEST = 1e-300
#: Masses below it, of the largest, do not move a bound by a digit; of few rounds it is the mass itself that is small.
_LEAST_MASS, _LEAST_MASS_OF_FEW = 1e-40, 1e-80
#: A top changes nothing this many of its widths below it, and lets nothing through this many above it.
_INSIDE, _ABOVE = 5, 14
#: How many widths of the top the nodes reach beyond it.
_PAST_TOP = 6
#: So much farther than the abscissa a law's top has to be out of sight: the second abscissa is looked for there.
TILTED_FARTHER = 1.5
#: The logs of abscissas: where the search begins, its first step, and ends beyond which floats are of no use.
_FIRST_LOG, _LOG_STEP, _LEAST_LOG, _MOST_LOG = -3.0, 1.5, -60, 40
#: A search ends where log delta is known to a tenth at an abscissa of three digits, or where floats have no more.
_LOG_WIDTH, _LOG_MISSED, _LEAST_LOG_WIDTH, _MOST_TRIES = 1e-3, 0.1, 1e-13, 80
#: A secant step stays so far from the ends, of their distance, that the bracket shrinks.
_OFF_ENDS = 0.1
#: Paths beyond the end of a line are shifted by at most 0.6 pi s, which leaves a strip up to the zero of R at pi s, and
#: by 12, where phi has grown by as much as the nodes leave out (12^2/2 is about 70).
PATH_TURN, MOST_SHIFT = 0.6 * math.pi, 12.0
#: The least shift of a path that is tried, the factor between two, and by how much a path is past the best one.
_LEAST_SHIFT, _SHRINK, _PAST_BEST = 1e-9, 0.6, 8
#: The lengths of a line that are thought of, and the halvings of its logarithm: a length is known to a hundredth.
_LEAST_LENGTH, _MOST_LENGTH, _HALVINGS = 1e-9, 1e12, 7
#: The second abscissa over the first: the aliases' bound falls with their distance, and grows with the moment there.
SECONDS = (1.05, 1.1, 1.2, 1.3, 1.45, 1.6, 1.8, 2.0, 2.4, 3.0, 4.0, 6.0)
#: More than what a period loses when it is rounded to 12 bits.
PERIOD_SPARE = 1.001
#: Where a top is looked for first, and how well it is placed, in units of the noise.
_FIRST_TOP, _TOP_WIDTH = 5.0, 0.05
#: The sharpest top.
_SHARPEST = Fraction(1, 64)
#: log delta for a first look, where nothing is known of it: a top for it lies 11 units of the noise out.
FIRST_LOOK = -60.0
#: How many nats of each sum are right at least: fewer would save little.
LEAST_QUALITY = 20.0
#: Fewer nodes than these are cheaper than the search for a cut; the cuts tried, as parts of the way through the nodes.
_FEW_NODES, _CUT_PLACES = 400, (0.15, 0.3, 0.45, 0.6, 0.75)
#: The least nodes of a line; bits beyond those that the error asks for.
LEAST_NODES, SPARE_BITS = 8, 64
#: How near a strip comes to the zero of R at pi s, where R is multiplied and where it divides; and to pi s/2, above
#: which the argument of R falls again. A strip wider than 30 gains nothing: phi has grown by e^450.
_TO_ZERO, _TO_POLE, _TO_QUARTER, _MOST_STRIP = 0.97, 0.9, 0.49, 30.0
#: The narrowest strip that is tried, and the factor between two.
_LEAST_STRIP, _STRIP_SHRINK = 1e-6, 0.8

_LOG_ROOT = math.log(2 * math.pi) / 2


class OutOfReachError(Exception):
    """No contour within the limits. Those who ask for a plan catch it and say UndecidedError."""


@contextmanager
def by_floats() -> Iterator[None]:
    """Where a plan leaves what floats can tell (the logarithm of 0, an overflow), it is out of reach.

    For plans alone: around an enclosure it would hide a defect.
    """
    try:
        yield
    except (ArithmeticError, ValueError):
        raise OutOfReachError from None


@dataclass(frozen=True, slots=True)
class Cut:
    """A smooth cut: the part near large losses has the weight Phi((y - place)/width) (mirrored for an addition)."""

    place: Fraction
    width: Fraction

    def __post_init__(self) -> None:
        if self.width <= 0:
            raise ValueError("a cut has a width above 0: its weight rises with the loss")


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a trapezoidal sum over y: step, first, last; and the half-width of the strip for its error."""

    step: Fraction
    first: int
    last: int
    strip: Fraction

    def __post_init__(self) -> None:
        if self.step <= 0 or self.first > self.last:
            raise ValueError("nodes have a step above 0, and the first is not after the last")


@dataclass(frozen=True, slots=True)
class Split:
    """M^k - A^k is integrated, A being what the line's cut leaves below; A^k is bounded at a third abscissa.

    There A has a top of its own; ``rest`` are the nodes for what A has beyond it.
    """

    third: Fraction
    top: Cut
    third_law: Nodes
    rest: Nodes


@dataclass(frozen=True, slots=True)
class Line:
    """One contour: the abscissa, the period of the aliases, nodes, and what bounds the rest of it."""

    abscissa: Fraction
    second: Fraction
    period: Fraction
    nodes: int
    #: The shift of the path on which the law's transform is bounded beyond the last node.
    shift: Fraction
    #: What the bound separates; None where it takes the whole law.
    cut: Cut | None
    #: What is left out at the top of the losses.
    top: Cut | None
    #: The law's nodes on the contour; for the bound beyond its end; at the second abscissa.
    law: Nodes
    outer: Nodes
    second_law: Nodes
    precision: int
    split: Split | None = None

    @property
    def products(self) -> int:
        """What the sums cost."""
        return self.nodes * (self.law.last - self.law.first) * (1 if self.split is None else 2)


def log_add(a: float, b: float) -> float:
    if a < b:
        a, b = b, a
    return a + math.log1p(math.exp(b - a)) if b > -math.inf else a


def log_phi(x: float) -> float:
    """log Phi(x)."""
    if x > -25:
        return math.log(math.erfc(-x / math.sqrt(2)) / 2)
    return -x * x / 2 - math.log(-x) - _LOG_ROOT


def log_kappa(c: float) -> float:
    """log of c^c/(1+c)^(1+c), the largest (1 - e^-x) e^(-c x)."""
    return c * math.log(c) - (1 + c) * math.log1p(c)


def far_mode(slope: float, cut: Cut) -> float:
    """Where e^(slope y) phi times a cut's Gaussian is largest."""
    inverse = 1 / float(cut.width) ** 2
    return (slope + float(cut.place) * inverse) / (1 + inverse)


class PlannedLaw:
    """One round's law and its tilts."""

    def __init__(self, pair: SubsampledGaussian, top: Cut | None = None, below: Cut | None = None) -> None:
        self.top, self.below = top, below
        self.step = min([_STEP, *(float(cut.width) / 2 for cut in (top, below) if cut is not None)])
        self.s = float(pair.sigma)
        self.q = float(pair.rate)
        self.removal = pair.orientation == "removal"
        self.sign = 1.0 if self.removal else -1.0
        self.log_q = math.log(self.q)
        rest = float(1 - pair.rate)
        self.log_rest = math.log(rest) if rest > 0 else -math.inf
        #: By node: log R, the part of the differing record, y^2/2, and the logs of the cuts' weights.
        self._known: dict[int, tuple[float, float, float, list[float]]] = {}
        self._moments: dict[float, tuple[float, float, float]] = {}

    def log_ratio(self, y: float) -> float:
        """log R."""
        return log_add(self.log_rest, self.log_q + y / self.s - 0.5 / self.s**2)

    def weight(self, y: float) -> float:
        """The part of R that the differing record makes."""
        return math.exp(self.log_q + y / self.s - 0.5 / self.s**2 - self.log_ratio(y))

    def power(self, c: float) -> float:
        """The exponent of R in the integrand at the abscissa c."""
        return c + 1 if self.removal else -c

    def _node(self, i: int) -> tuple[float, float, float, list[float]]:
        known = self._known.get(i)
        if known is None:
            y = i * self.step
            cuts = [self.log_cut(y, cut, False) for cut in (self.top, self.below) if cut is not None]
            known = self._known[i] = (self.log_ratio(y), self.weight(y), y * y / 2, cuts)
        return known

    def log_cut(self, y: float, cut: Cut, above: bool) -> float:
        z = self.sign * (y - float(cut.place)) / float(cut.width)
        return log_phi(z if above else -z)

    def value(self, i: int, power: float) -> float:
        """The log of the integrand at a node, for an exponent of R."""
        ratio, _, half, cuts = self._known.get(i) or self._node(i)
        value = power * ratio - half - _LOG_ROOT
        for weight in cuts:
            value += weight
        return value

    @by_floats()
    def reach(self, c: float, drop: float = _DROP) -> tuple[list[int], list[float]]:
        """The nodes that matter at the abscissa c and the logs of the integrand there."""
        power = self.power(c)
        if not self.removal:
            return self._reach_of_addition(power, drop)
        end = power / self.s
        far = math.sqrt(2 * drop)
        low, high = -far, max(0.0, end) + far
        if self.top is not None:
            high = min(high, float(self.top.place) + (_PAST_TOP + far) * float(self.top.width))
        if high - low > _FARTHEST:
            raise OutOfReachError
        indices = list(range(math.floor(low / self.step), math.ceil(high / self.step) + 1))
        logs = [self.value(i, power) for i in indices]
        least = max(logs) - drop
        kept = [n for n, value in enumerate(logs) if value > least]
        if not kept:
            raise OutOfReachError
        return indices[kept[0] : kept[-1] + 1], logs[kept[0] : kept[-1] + 1]

    def _reach_of_addition(self, power: float, drop: float) -> tuple[list[int], list[float]]:
        """The same for an addition, whose integrand is log-concave with its mode at y <= 0."""

        logs = {0: self.value(0, power)}
        most = logs[0]
        for direction in (-1, 1):
            i = 0
            while logs[i] > most - drop:
                i += direction
                logs[i] = self.value(i, power)
                most = max(most, logs[i])
                if abs(i) * self.step > _FARTHEST:
                    raise OutOfReachError
        indices = [i for i in sorted(logs) if logs[i] > most - drop]
        return indices, [logs[i] for i in indices]

    def topped(self, c: float) -> bool:
        """Whether the law tilted by c does not live beyond the cut at its top."""
        if self.top is None:
            return True
        indices, logs = self.reach(c)
        most, place, width = max(logs), float(self.top.place), float(self.top.width)
        power = self.power(c)
        if indices[logs.index(most)] * self.step > place + _INSIDE * width:
            return False
        y = place + _ABOVE * width
        end = 2 * far_mode(power / self.s, self.top)
        while y < end:
            z = (y - place) / width
            if power * self.log_ratio(y) - y * y / 2 - z * z / 2 > most - _NEGLIGIBLE:
                return False
            y += max(width, (y - place) / 8)
        return True

    @by_floats()
    def moments(self, c: float) -> tuple[float, float, float]:
        """log M, and the mean and the variance of the loss, at the tilt c."""
        if c not in self._moments:
            indices, logs = self.reach(c)
            top = max(logs)
            total = first = second = 0.0
            known, sign, exp = self._known, self.sign, math.exp
            for i, value in zip(indices, logs, strict=True):
                mass, loss = exp(value - top), sign * known[i][0]
                total += mass
                first += mass * loss
                second += mass * loss * loss
            mean = first / total
            self._moments[c] = (top + math.log(total * self.step), mean, max(second / total - mean * mean, 0.0))
        return self._moments[c]


class Tilts(Protocol):
    """What a plan asks of a law, or of a product of laws."""

    def moments(self, c: float) -> tuple[float, float, float]:
        """log M, and the mean and the variance of the loss, at the tilt c."""
        ...

    def topped(self, c: float) -> bool:
        """Whether the law tilted by c does not live beyond the cuts at its top."""
        ...


@dataclass(frozen=True, slots=True)
class Saddle:
    abscissa: float
    eps: float
    log_delta: float


def saddle(law: Tilts, k: int, c: float) -> Saddle:
    """What the abscissa c is the saddle of: epsilon, and about log delta there."""
    log_m, mean, variance = law.moments(c)
    eps = k * mean - 1 / c - 1 / (1 + c)
    curvature = k * variance + 1 / c**2 + 1 / (1 + c) ** 2
    log_delta = k * log_m - c * eps - math.log(c) - math.log1p(c) - math.log(2 * math.pi * curvature) / 2
    return Saddle(c, eps, log_delta)


def _search(law: Tilts, k: int, low_enough: Callable[[Saddle], float]) -> Saddle:
    """The saddle at which a function, decreasing in the abscissa, is zero."""

    def value(t: float) -> tuple[float, Saddle | None]:
        try:
            found = saddle(law, k, math.exp(t))
        except (OutOfReachError, OverflowError):
            return -math.inf, None
        return low_enough(found), found

    left, right = _FIRST_LOG, _FIRST_LOG
    at, found = value(left)
    step = _LOG_STEP
    if at > 0:
        while at > 0:
            left = right
            right += step
            at, found = value(right)
            if right > _MOST_LOG:
                raise OutOfReachError
    else:
        while at <= 0:
            right = left
            left -= step
            at, found = value(left)
            if left < _LEAST_LOG:
                raise OutOfReachError
    best = found
    f_left, s_left = value(left)
    f_right, s_right = value(right)
    for _ in range(_MOST_TRIES):
        if right - left < _LOG_WIDTH and (abs(f_left) < _LOG_MISSED or right - left < _LEAST_LOG_WIDTH):
            break
        middle = (left + right) / 2
        if math.isfinite(f_left) and math.isfinite(f_right):
            secant = left + (right - left) * f_left / (f_left - f_right)
            # Secant steps, kept off the ends so that the bracket shrinks.
            middle = min(max(secant, left + _OFF_ENDS * (right - left)), right - _OFF_ENDS * (right - left))
        at, found = value(middle)
        if at > 0:
            left, f_left, s_left = middle, at, found
        else:
            right, f_right, s_right = middle, at, found
    best = s_left or s_right
    if best is None:
        raise OutOfReachError
    return best


def at_delta(law: Tilts, k: int, log_delta: float) -> Saddle:
    return _search(law, k, lambda found: found.log_delta - log_delta)


def at_eps(law: Tilts, k: int, eps: float) -> Saddle:
    return _search(law, k, lambda found: eps - found.eps)


def tilted(law: PlannedLaw, c: float, drop: float = _DROP) -> tuple[list[tuple[float, float, float]], float]:
    """Nodes as (y, weight of the record, normalised mass) at the tilt c, and log M."""
    indices, logs = law.reach(c, drop)
    log_m = law.moments(c)[0]
    return [
        (i * law.step, law._node(i)[1], math.exp(value - log_m) * law.step)
        for i, value in zip(indices, logs, strict=True)
    ], log_m


class Beyond:
    """The bound of k rounds beyond T over M(c)^k, as a function of T for a shift of the path."""

    def __init__(
        self,
        law: PlannedLaw,
        k: int,
        c: float,
        cut: Cut | None,
        parts: list[tuple[float, float, float]],
        few: bool = False,
    ) -> None:
        self.law, self.k, self.cut, self.parts, self.few = law, k, cut, parts, few
        self.power = law.power(c)
        above = [1.0 if cut is None else math.exp(law.log_cut(y, cut, True)) for y, _, _ in parts]
        below = [0.0 if cut is None else math.exp(law.log_cut(y, cut, False)) for y, _, _ in parts]
        self.mass = [m * a for (_, _, m), a in zip(parts, above, strict=True)]
        self.total = sum(self.mass)
        self.below = sum(m * b for (_, _, m), b in zip(parts, below, strict=True))

    def shifted(self, v: float) -> list[tuple[float, float]]:
        """Masses on the shifted path, and the arguments of R there."""
        theta = v / self.law.s
        grown = growth(v, self.cut, self.law.top)
        cos, sin = math.cos(theta), math.sin(theta)
        found = []
        least, half = _LEAST_MASS_OF_FEW if self.few else _LEAST_MASS, self.power / 2
        exp, log, atan2 = math.exp, math.log, math.atan2
        for (_, p, _), m in zip(self.parts, self.mass, strict=True):
            if m >= least:
                x, y = 1 - p + p * cos, p * sin
                found.append((m * exp(grown + half * log(x * x + y * y)), atan2(y, x)))
        return found

    def log_bound(self, shifted: list[tuple[float, float]], t: float) -> float:
        exp = math.exp
        mass = sum([m * exp(-t * a) for m, a in shifted])
        if self.few:
            log = math.log(self.k) + math.log(max(mass, TINIEST)) + (self.k - 1) * math.log(self.below + mass)
            return log - math.log(math.pi * t)
        rest = mass - self.total
        log = math.log1p(rest) if rest > -1 else math.log(max(self.below + mass, TINIEST))
        return self.k * log - math.log(math.pi * t)


def least_length(beyond: Beyond, goal: float, shrink: float = _SHRINK) -> tuple[float, float]:
    """The least T, and the shift, at which the bound of what lies beyond T is below ``goal``; infinite where none is.

    ``goal`` is a log over M(c)^k; each path is shifted by ``shrink`` of the one before.
    """
    best = (math.inf, 0.0)
    v = min(PATH_TURN * beyond.law.s, MOST_SHIFT)
    while v > _LEAST_SHIFT:
        try:
            shifted = beyond.shifted(v)
        except OverflowError:
            v *= shrink
            continue
        high = min(best[0], _MOST_LENGTH)
        if beyond.log_bound(shifted, high) <= goal:
            low = high
            while low > _LEAST_LENGTH and beyond.log_bound(shifted, low) <= goal:
                high, low = low, low / 4
            for _ in range(_HALVINGS):
                middle = math.sqrt(low * high)
                low, high = (low, middle) if beyond.log_bound(shifted, middle) <= goal else (middle, high)
            best = (high, v)
        elif best[0] < math.inf and v < best[1] / _PAST_BEST:
            break
        v *= shrink
    return best


def dyadic(value: float, bits: int = 12) -> Fraction:
    """A short rational near the value."""
    if value == 0:
        return Fraction(0)
    exponent = bits - math.frexp(value)[1]
    return Fraction(round(value * 2.0**exponent)) / Fraction(2) ** exponent if abs(exponent) < 1000 else Fraction(value)


def least_period(
    law: Tilts,
    log_moment: Callable[[float], float],
    c: float,
    eps: float,
    goal: float,
    mass: float = 0.0,
    seconds: Sequence[float] = SECONDS,
) -> tuple[float, float]:
    """The least period whose aliases are below e^goal on both sides, and the second abscissa.

    ``log_moment`` is that of what is integrated, and e^mass its mass.
    """
    best = (math.inf, 2 * c)
    for factor in seconds:
        second = c * factor
        try:
            log_m = log_moment(second)
            if not law.topped(second):
                break
        except (OutOfReachError, OverflowError):
            break
        period = log_add(log_m - second * eps + log_kappa(second) - goal, 0.0) / (second - c)
        if period < best[0]:
            best = (period, second)
    if best[0] == math.inf:
        raise OutOfReachError
    return max(best[0], log_add(mass - goal, 0.0) / c), best[1]


class TooLongError(OutOfReachError):
    """A contour that would take too many nodes or products."""


def nodes_of(length: float, period: float) -> tuple[int, Fraction, float]:
    """How many nodes a line of that length has, its period with something to spare, and the last node's height."""
    count = max(LEAST_NODES, math.ceil(length * period / (2 * math.pi)) + 1)
    if count > MOST_NODES:
        raise TooLongError
    spare = dyadic(period * PERIOD_SPARE)
    return count, spare, 2 * math.pi / float(spare) * count


@dataclass(frozen=True, slots=True)
class _End:
    length: float
    shift: float
    cut: Cut | None


@dataclass(frozen=True, slots=True)
class Guess:
    """Where a contour should run: the law with its top, and the saddle."""

    law: PlannedLaw
    at: Saddle


def log_mass(pair: SubsampledGaussian, k: int, place: float, width: Fraction) -> float:
    """log of k times the probability that a round lies beyond a cut."""
    spread = math.sqrt(1 + float(width) ** 2)
    drawn = math.log(float(pair.rate)) + log_phi((1 / float(pair.sigma) - place) / spread)
    return log_add(log_phi(-place / spread), drawn) + math.log(k)


def top_cut(pair: SubsampledGaussian, k: int, goal: float, width: Fraction) -> Cut:
    """The cut beyond which a round comes to lie with probability e^goal/k."""
    low, high = -_FIRST_TOP, _FIRST_TOP
    while log_mass(pair, k, high, width) > goal:
        high *= 2
        if high > 100 * _FARTHEST:
            # So far out that floats could not even tell places a twentieth apart.
            raise OutOfReachError
    while high - low > _TOP_WIDTH:
        middle = (low + high) / 2
        low, high = (middle, high) if log_mass(pair, k, middle, width) > goal else (low, middle)
    return Cut(dyadic(high), width)


def _with_top(pair: SubsampledGaussian, k: int, goal: float, find: Callable[[PlannedLaw], Guess]) -> Guess:
    """A guess whose law has a top so sharp that tilting does not reach beyond it."""
    if pair.orientation == "addition":
        return find(PlannedLaw(pair))
    width = Fraction(1, 2)
    while True:
        law = PlannedLaw(pair, top_cut(pair, k, goal, width))
        try:
            found = find(law)
            if law.topped(TILTED_FARTHER * found.at.abscissa):
                return found
        except OutOfReachError:
            if width <= _SHARPEST:
                raise
        if width <= _SHARPEST:
            raise OutOfReachError
        width /= 2


@by_floats()
def start_at_delta(pair: SubsampledGaussian, k: int, log_delta: float, tolerance: float) -> Guess:
    """Where to begin the search for the epsilon at delta."""
    return _with_top(pair, k, log_delta + math.log(tolerance), lambda law: Guess(law, at_delta(law, k, log_delta)))


@by_floats()
def at_eps_of(pair: SubsampledGaussian, k: int, eps: float, log_delta: float | None, tolerance: float) -> Guess:
    """Where to integrate for delta at epsilon, delta being about e^log_delta."""
    if log_delta is None:
        # A top far out, to see about how large delta is.
        log_delta = at_eps_of(pair, k, eps, FIRST_LOOK, tolerance).at.log_delta
    return _with_top(pair, k, log_delta + math.log(tolerance), lambda law: Guess(law, at_eps(law, k, eps)))


def quality_of(k: int, c: float, period: float, top: float, logs: tuple[float, float], tolerance: float) -> float:
    """About minus the log of the error that M may have, by what it does to the sum relative to delta.

    ``logs`` are those of the integrand's peak and of delta.
    """
    peak, log_delta = logs
    sensitivity = math.log(k) + peak - log_delta + math.log(4 * max(1.0, 1 / (c * period)) + math.log(2 + top / c))
    return max(sensitivity - math.log(tolerance), LEAST_QUALITY)


@by_floats()
def plan(guess: Guess, k: int, log_delta: float, tolerance: float) -> Line:
    """A contour that gives delta near the guess's epsilon, about e^log_delta, to about the relative tolerance."""
    law, eps = guess.law, guess.at.eps
    c = float(dyadic(guess.at.abscissa))
    goal = log_delta + math.log(tolerance)
    period, second = least_period(law, lambda tilt: k * law.moments(tilt)[0], c, eps, goal)
    parts, log_m = tilted(law, c)
    peak = k * log_m - c * eps
    rest = goal - peak

    def nodes(t: float) -> float:
        return t * period / (2 * math.pi)

    t, shift = least_length(Beyond(law, k, c, None, parts), rest)
    ends = [_End(t, shift, None)]
    if nodes(t) > _FEW_NODES:
        low, high = parts[0][0], parts[-1][0]
        for fraction in _CUT_PLACES:
            cut = Cut(dyadic(low + (high - low) * fraction), Fraction(1))
            t, shift = least_length(Beyond(law, k, c, cut, parts), rest)
            ends.append(_End(t, shift, cut))
    end = min(ends, key=lambda item: item.length)
    if nodes(end.length) > MOST_NODES:
        raise OutOfReachError
    count = max(LEAST_NODES, math.ceil(nodes(end.length)) + 1)
    period_ = dyadic(period * PERIOD_SPARE)
    top = 2 * math.pi / float(period_) * count
    quality = quality_of(k, c, float(period_), top, (peak, log_delta), tolerance)
    nodes_ = law_nodes(law, c, top, quality, None)
    if (nodes_.last - nodes_.first) * count > MOST_PRODUCTS:
        raise OutOfReachError
    outer = law_nodes(
        law, c, 0.0, max(quality, -rest + math.log(k)) + growth(end.shift, end.cut, law.top), end.cut, end.shift
    )
    second_law = law_nodes(law, float(dyadic(second)), 0.0, LEAST_QUALITY + math.log(k), None)
    precision = SPARE_BITS + math.ceil(quality / math.log(2)) + 2 * math.ceil(math.log2(count + k))
    return Line(
        dyadic(c), dyadic(second), period_, count, dyadic(end.shift), end.cut, law.top,
        nodes_, outer, second_law, precision,
    )  # fmt: skip


def growth(v: float, *cuts: Cut | None) -> float:
    """The log of what a shift by v does to phi and to the cuts."""
    return v * v / 2 * (1 + sum(1 / float(cut.width) ** 2 for cut in cuts if cut is not None))


class _Strip:
    """The integrand's modulus above the line, relative to M(c)."""

    def __init__(self, law: PlannedLaw, c: float, top: float, cut: Cut | None, extra: float, drop: float) -> None:
        self.law, self.c, self.top, self.cut, self.extra = law, c, top, cut, extra
        self.power = law.power(c)
        log_m = law.moments(c)[0]
        self.offset = math.log(law.step) - log_m
        self.indices, logs = law.reach(c, drop)
        self.parts = [(law._node(i)[1], value + self.offset) for i, value in zip(self.indices, logs, strict=True)]
        #: Nodes above, where the integrand is negligible but its modulus on a strip may not be.
        self.beyond: list[tuple[float, float]] = []

    def _more(self, n: int) -> tuple[float, float] | None:
        if n == _MOST_BEYOND:
            return None
        if n == len(self.beyond):
            i = self.indices[-1] + 1 + n
            self.beyond.append((self.law._node(i)[1], self.law.value(i, self.power) + self.offset))
        return self.beyond[n]

    def log(self, v: float) -> float:
        """About the log of the integral of the integrand's modulus on Im y = v over M(c), at |t| <= top."""
        theta, power = (v + self.extra) / self.law.s, self.power
        cos, sin, slack = math.cos(theta), math.sin(theta), math.exp(0.5 / self.law.s)
        top, log1p, atan2 = self.top, math.log1p, math.atan2

        def at(p: float, m: float, higher: float) -> float:
            # As the bound has it: p at the upper end of its cell.
            if power < 0:
                m += power / 2 * log1p(-2 * min(p * slack, 1 - p, 0.25) * (1 - cos))
            return m + top * atan2(higher * sin, 1 - higher + higher * cos)

        found = [at(p, m, p) for p, m in self.parts]
        most, n = max(found), 0
        # The most that it grows by, which is where p is 1/2 and where it is 1: the integrand may dip in between.
        worst = self.top * theta + (power / 2 * math.log1p(-(1 - cos) / 2) if power < 0 else 0.0)
        while True:
            more = self._more(n)
            if more is None:
                return math.inf
            if more[1] + worst < most - _NEGLIGIBLE:
                break
            # Far out the cells of the bound are wide.
            width = n * self.law.step / 8
            p = more[0] / (more[0] + (1 - more[0]) * math.exp(-width / self.law.s)) if more[0] < 1 else 1.0
            bend = 0.0 if self.law.top is None else (width / float(self.law.top.width)) ** 2 / 8
            found.append(at(more[0], more[1] + bend, max(more[0], p)))
            most = max(most, found[-1])
            n += 1
        return growth(v, self.cut, self.law.top) + most + math.log(sum([math.exp(value - most) for value in found]))


@by_floats()
def law_nodes(law: PlannedLaw, c: float, top: float, quality: float, cut: Cut | None, extra: float = 0.0) -> Nodes:
    """Nodes for an error of about e^-quality relative to M(c), on the real line or a path shifted by ``extra``."""
    strip = _Strip(law, c, top, cut, extra, max(_DROP, quality + 8))
    best = (0.0, 0.0)
    v = min((_TO_ZERO if law.removal else _TO_POLE) * (math.pi * law.s - extra), _MOST_STRIP)
    if extra:
        # Higher up the argument of R falls again.
        v = min(v, _TO_QUARTER * math.pi * law.s)
    while v > _LEAST_STRIP:
        step = 2 * math.pi * v / (strip.log(v) + quality + 3)
        if step > best[0]:
            best = (step, v)
        elif step < best[0] / 2:
            break
        v *= _STRIP_SHRINK
    step_ = dyadic(min(best[0], 1.0), 8)
    kept = [i * law.step for i, (_, m) in zip(strip.indices, strip.parts, strict=True) if m > -quality - 4]
    if not step_ or not kept:
        raise OutOfReachError
    return Nodes(
        step_, math.floor((kept[0] - law.step) / step_), math.ceil((kept[-1] + law.step) / step_), dyadic(best[1])
    )
