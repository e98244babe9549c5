"""Certified bounds of the worst-case profile of many rounds, by convolution on a loss grid.

The rounds are randomized responses, and at most one Gaussian (Gaussian rounds compose to one, exactly). Two laws are
convolved: a spread one, whose delta is an upper bound at every epsilon, and a merged one, whose tests give lower
bounds (``loss_grid`` proves both). Where all losses fall on the grid, one law gives both bounds and there is no
discretization error.

Cost, for k different rounds and a relative width w: the step is of the order of sqrt(w) k^(-1/4), the supports on
one level of the tree of products have sum(eps)/step points together, and there are log k levels. So about
k^(5/4) w^(-1/2) coefficients a level, and 6 atoms a round before that. Measured on one core: 0.03, 0.4 and 4 seconds
for 10^2, 10^3 and 10^4 rounds to 1e-4; 10^3 rounds to 1e-6 in 2. Equal rounds cost no more than their binomial law.

Floats only *plan*: they choose the tilt, the step, the windows and the number of bits. Every bound is computed in
integers and enclosures and is valid for any plan; a bad plan costs width, which is measured and mended.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count as counter

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import float_log
from privref.statements.params import Multiset

from . import loss_grid
from .basic import total
from .loss_grid import AtomLaw, Grid, GridMeasure

# Planning of loss grids: where the law of the loss must be fine for one answer. Floats, which no bound depends on.


@contextmanager
def planning() -> Iterator[None]:
    """Where a plan leaves what floats can tell (a step that is 0, an overflow), the question is out of reach.

    For plans alone: around an enclosure it would hide a defect.
    """
    try:
        yield
    except UndecidedError:
        raise
    except (ArithmeticError, ValueError):
        raise UndecidedError("the numbers are beyond what a plan in floats can tell: out of reach") from None


#: By what factor the variance of a loss grows in a jump, and a tilt below which none is sought.
_JUMP, _LEAST_TILT = 16, 1e-3


@dataclass(frozen=True, slots=True)
class Moments:
    """About log E_P[e^(tilt L)] of a loss L and its first two derivatives in the tilt."""

    value: float
    mean: float
    variance: float


@dataclass(frozen=True, slots=True)
class LossShape:
    """The tilted law at the answer; ``deeper`` is by how many bits delta is below what is usual at that tilt."""

    tilt: float
    eps: float
    deviation: float
    deeper: float = 0.0

    @property
    def eps_per_variance(self) -> float:
        """How much epsilon moves per unit of variance added to the loss."""
        return (self.tilt + 1) / 2 + 1 / (self.deviation * 2.5)

    @property
    def log_delta_per_eps(self) -> float:
        return self.tilt + 1.25 / self.deviation

    @property
    def rounded_tilt(self) -> Fraction:
        """The tilt of a grid, of few digits."""
        return Fraction(math.floor(self.tilt * 64 + 0.5), 64)


@dataclass(frozen=True, slots=True)
class LossPlan:
    """The moments by tilt, with a floor of the variance, the largest tilt of use, and how closely one is sought."""

    moments: Callable[[float], Moments]
    least_variance: float
    most_tilt: float
    closeness: float

    def at_eps(self, eps: Fraction) -> LossShape:
        """For delta at a given epsilon: tilt until the mean loss is epsilon."""
        target = float(eps)
        tilt = self._least_tilt(lambda tilt: self.moments(tilt).mean - target)
        found = self.moments(tilt)
        return replace(self._shape(tilt, found.value - tilt * found.mean), eps=target)

    def at_delta(self, log_delta: float) -> LossShape:
        """For epsilon at a given delta: the saddle point."""

        def shortfall(tilt: float) -> float:
            found = self.moments(tilt)
            spread = (1 + tilt) * (1 + 2.5 * tilt * math.sqrt(found.variance))
            return log_delta - (found.value - tilt * found.mean - math.log(spread))

        return self._shape(self._least_tilt(shortfall), log_delta)

    def _shape(self, tilt: float, log_delta: float) -> LossShape:
        found = self.moments(tilt)
        settled = self._settled(tilt)
        if settled == tilt:
            return LossShape(tilt, found.mean, math.sqrt(max(found.variance, self.least_variance)))
        found = self.moments(settled)
        # By Chernoff's bound, which is near enough to begin with.
        eps = (found.value - log_delta) / settled
        deeper = (found.value - settled * found.mean - log_delta) / math.log(2)
        return LossShape(settled, eps, math.sqrt(max(found.variance, self.least_variance)), max(deeper, 0.0))

    def _settled(self, tilt: float) -> float:
        """A smaller tilt where this one is in a jump: a law of rare large losses is there two at once, far apart.

        One is that of the answer, the other of losses that are too rare to count before they are tilted.
        """
        while tilt > _LEAST_TILT:
            before = max(self.moments(tilt / 2).variance, self.least_variance)
            if self.moments(tilt).variance <= _JUMP * before:
                break
            tilt /= 2
        return tilt

    def _least_tilt(self, increasing: Callable[[float], float]) -> float:
        """About the least tilt >= 0 at which the function is not negative; at most one that leaves only the top."""
        if increasing(0.0) >= 0:
            return 0.0
        low, high = 0.0, 1.0
        while increasing(high) < 0:
            if high >= self.most_tilt:
                return self.most_tilt
            high *= 2
        while high - low > self.closeness * high:
            middle = (low + high) / 2
            low, high = (low, middle) if increasing(middle) >= 0 else (middle, high)
        return high


def sharper(relative: float, found: Enclosure, width: Fraction) -> float:
    """The next relative width to plan for, after a plan that missed."""
    reached = float(found.width / found.upper) if found.upper else 1.0
    return relative * min(0.5, max(0.02, 0.7 * float(width) / reached))


def narrowed(known: Enclosure, lower: Enclosure | None, upper: Enclosure | None) -> Enclosure:
    """What is known of a value, with a lower and an upper bound of it, where they were found."""
    return Enclosure(
        known.lower if lower is None else max(known.lower, lower.lower),
        known.upper if upper is None else min(known.upper, upper.upper),
    )


#: Small groups of rounds are convolved exactly, atom by atom, up to this many atoms, before they go onto the grid.
MOST_ATOMS = 32
#: About the most points of a grid: a finer one would take minutes.
MOST_POINTS = 1 << 22
_ATTEMPTS = 8
_LEAST = Fraction(1, 10**100)


@dataclass(frozen=True, slots=True)
class FiniteRounds:
    """The part of a ledger whose loss is finite: epsilons with counts, and the sum of the Gaussian rounds' mu^2."""

    eps: Multiset
    mu_squared: Fraction = Fraction(0)


# --- planning, in floats -----------------------------------------------------------------------------------------


def _check_plannable(rounds: FiniteRounds) -> None:
    """Refuse magnitudes that the plan's floats cannot hold."""
    for value in (*(eps for eps, _ in rounds.eps), *([rounds.mu_squared] if rounds.mu_squared else [])):
        if not _LEAST < value < 1 / _LEAST:
            raise UndecidedError("an epsilon or mu^2 outside [1e-100, 1e100] cannot be put on a loss grid")


def _moments(rounds: FiniteRounds, tilt: float) -> Moments:
    mu_squared = float(rounds.mu_squared)
    value, mean, variance = tilt * (tilt + 1) / 2 * mu_squared, (tilt + 0.5) * mu_squared, mu_squared
    for exact, n in rounds.eps:
        eps = float(exact)
        value += n * (math.log1p(math.exp(-(1 + 2 * tilt) * eps)) - math.log1p(math.exp(-eps)) + tilt * eps)
        slope = math.tanh((tilt + 0.5) * eps)
        mean += n * eps * slope
        variance += n * eps * eps * (1 - slope * slope)
    return Moments(value, mean, variance)


def _squares(rounds: FiniteRounds) -> float:
    """The sum of epsilon^2 and mu^2: about the variance of the loss where nothing is tilted, and never less."""
    return sum(n * float(eps) ** 2 for eps, n in rounds.eps) + float(rounds.mu_squared)


def plan(rounds: FiniteRounds) -> LossPlan:
    """Where the grid has to be fine."""
    _check_plannable(rounds)
    most = 32 / float(min(eps for eps, _ in rounds.eps)) if rounds.eps else math.inf
    return LossPlan(lambda tilt: _moments(rounds, tilt), _squares(rounds) * 1e-4, most, 1e-3)


# --- the convolution ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setting:
    """One grid with the reach of its windows, in standard deviations."""

    grid: Grid
    reach: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """Bounds of the profile at every epsilon, from the convolved laws.

    ``upper`` is a law that dominates; ``p`` and ``q`` are the label masses under P and Q. The normalisers are the logs
    of what tilting divided out. ``infinite`` bounds what ``upper`` loses without any bound.
    """

    upper: GridMeasure
    upper_normaliser: Callable[[EnclosingArithmetic], Scalar]
    p: GridMeasure
    q: GridMeasure
    lower_normaliser: Callable[[EnclosingArithmetic], Scalar]
    infinite: Fraction = Fraction(0)

    def delta_upper(self, ar: EnclosingArithmetic, eps: Fraction) -> Real:
        """An enclosure whose upper end is an upper bound of delta(eps)."""
        head, tail, missing, _ = self._upper_parts(ar, eps)
        return head - ar.exp(eps) * tail + missing

    def _upper_parts(self, ar: EnclosingArithmetic, eps: Fraction) -> tuple[Real, Real, Real, int]:
        """The masses above eps under P and Q, and the bound of what is missing.

        Missing mass v at a loss s counts v e^(-tilt s) (1 - e^(eps - s))_+ at most, which over all s is largest at
        e^(eps - s) = tilt/(1 + tilt): v e^(-tilt eps) (tilt/(1+tilt))^tilt / (1 + tilt).
        """
        grid = self.upper.grid
        first = eps // grid.step + 1
        head, tail = _tails(ar, self.upper, first, self.upper_normaliser)
        tilt = grid.tilt
        bound = self.upper_normaliser(ar) - tilt * eps
        if tilt:
            bound = bound + tilt * (ar.log(tilt) - ar.log(1 + tilt)) - ar.log(1 + tilt)
        missing = ar.exp(bound) * Fraction(self.upper.missing, 1 << grid.bits) + self.infinite
        return head, tail, missing, first

    def eps_upper(self, ar: EnclosingArithmetic, delta: Real, near: Fraction, margin: Fraction) -> Fraction | None:
        """An epsilon >= 0 at which delta_upper is certainly at most delta; None where none was found.

        Newton steps on log delta find it (any point that passes the final test is valid), then margins are added.
        """
        target = _log(ar, delta)
        # Above the largest grid point there is nothing to solve.
        eps = max(min(near, (self.upper.high - Fraction(3, 2)) * self.upper.grid.step), Fraction(0))
        for _ in range(12):
            head, tail, missing, _ = self._upper_parts(ar, eps)
            mass = ar.exp(eps) * tail
            value, slope = _log(ar, head - mass + missing), _log(ar, mass)
            if target is None or value is None or slope is None:
                break
            move = Fraction((value - target) * math.exp(min(value - slope, 50.0)))
            eps += max(min(move, 4 * self.upper.grid.step + eps), -eps)
            if abs(move) <= self.upper.grid.step:
                break
        back = self.upper.grid.step
        for _ in range(24):
            # Newton's step in e^eps, in which delta is convex, and linear between grid points: it goes to the left of
            # the solution at once, climbs from there, and is exact in the right interval.
            head, tail, missing, _ = self._upper_parts(ar, eps)
            try:
                found = ar.enclosure(ar.log((head + missing - delta) / tail))
            except MorePrecisionError:
                found = None
            if found is None and eps > 0:
                # Even at epsilon = -inf this line would stay below delta: start further to the left.
                eps, back = max(eps - back, Fraction(0)), 2 * back
                continue
            if found is None or found.upper <= 0:
                eps = Fraction(0)
                break
            moved, eps = abs(found.upper - eps), found.upper
            if moved <= margin / 16:
                break
        for factor in (0, Fraction(1, 4), 1, 4, 16, 64, 256, 1024, 4096):
            candidate = eps + factor * margin
            if _not_above(ar, self.delta_upper(ar, candidate), delta):
                return candidate
        return None

    def delta_lower(self, ar: EnclosingArithmetic, eps: Fraction) -> Real:
        """An enclosure whose lower end is a lower bound of delta(eps): the best threshold test on labels."""
        head, tail = self._test(ar, self._threshold(eps))
        return head - ar.exp(eps) * tail

    def eps_lower(self, ar: EnclosingArithmetic, delta: Real, near: Fraction) -> Fraction:
        """An epsilon >= 0 whose delta is certainly at least ``delta``: the best of a few threshold tests.

        A test with masses P and Q proves delta(eps) >= P - e^eps Q, hence epsilon >= log((P - delta)/Q).
        """
        best, guess = Fraction(0), near
        for _ in range(6):
            head, tail = self._test(ar, self._threshold(guess))
            try:
                found = ar.enclosure(ar.log((head - delta) / tail))
            except MorePrecisionError:
                break
            if found is None or found.lower <= best:
                break
            best = guess = found.lower
        return best

    def _threshold(self, eps: Fraction) -> int:
        """The first label at which P exceeds e^eps Q, about: any label is a valid test."""
        target = float(eps)
        step = float(self.p.grid.step)
        low, high = max(self.p.low, self.q.low) - 1, min(self.p.high, self.q.high) - 1
        while high - low > 1:
            middle = (low + high) // 2
            p, q = self.p.masses[middle - self.p.low], self.q.masses[middle - self.q.low]
            known = p > 0 and q > 0
            loss = math.log(p) - math.log(q) + middle * step if known else middle * step
            low, high = (low, middle) if loss > target else (middle, high)
        return high

    def _test(self, ar: EnclosingArithmetic, first: int) -> tuple[Real, Real]:
        """Label sums of at least ``first``: a lower bound under P, an upper one under Q with all that is missing."""
        head, _ = _tails(ar, self.p, first, self.lower_normaliser)
        tail, _ = _tails(ar, self.q, first, self.lower_normaliser)
        grid = self.q.grid
        missing = ar.exp(self.lower_normaliser(ar) - grid.tilt * first * grid.step)
        return head, tail + missing * Fraction(self.q.missing, 1 << grid.bits)


def _log(ar: EnclosingArithmetic, value: Real) -> float | None:
    """The log of about the value, for the search only."""
    found = ar.enclosure(value)
    if found is None or found.upper <= 0:
        return None
    middle = (found.lower + found.upper) / 2 if found.lower > 0 else found.upper
    return float_log(middle)


def _not_above(ar: EnclosingArithmetic, value: Real, bound: Real) -> bool:
    found = ar.enclosure(value - bound)
    return found is not None and found.upper <= 0


def _tails(
    ar: EnclosingArithmetic, law: GridMeasure, first: int, normaliser: Callable[[EnclosingArithmetic], Scalar]
) -> tuple[Real, Real]:
    """The untilted mass at indices >= first, and the same with each mass times e^-loss."""
    grid = law.grid
    start = max(first, law.low)
    masses = law.masses.part(start - law.low, len(law.masses))
    sums = []
    for tilt in (grid.tilt, grid.tilt + 1):
        ratio = decide.finite(ar, ar.exp(-tilt * grid.step), "a grid step has no finite exponential")
        low, high = masses.value_between(ratio.lower, ratio.upper, ar.precision)
        scale = ar.exp(normaliser(ar) - tilt * start * grid.step)
        sums.append(scale * ar.hull(low / (1 << grid.bits), high / (1 << grid.bits)))
    return sums[0], sums[1]


@dataclass(frozen=True, slots=True)
class _Node:
    """A law in the tree of products, with its mean and its variance for the choice of the window."""

    laws: tuple[GridMeasure, ...]
    mean: float
    variance: float


def _leaves(
    ar: EnclosingArithmetic, rounds: Multiset, setting: Setting, place: Callable[[AtomLaw], tuple[GridMeasure, ...]]
) -> list[_Node]:
    """The rounds' laws on the grid: equal rounds as one binomial law, and small groups united atom by atom."""
    grid = setting.grid
    tilt, unit = float(grid.tilt), float(grid.unit)
    leaves: list[_Node] = []
    pending: AtomLaw | None = None
    mean = variance = 0.0

    def close() -> None:
        nonlocal pending, mean, variance
        if pending is not None:
            leaves.append(_Node(place(pending), mean, variance))
        pending, mean, variance = None, 0.0, 0.0

    for eps, n in sorted(rounds, key=lambda item: (item[1], float(item[0]))):
        units = eps / grid.unit
        law = loss_grid.randomized_response(ar, units.numerator, n, grid)
        if pending is not None and len(pending.atoms) * len(law.atoms) > MOST_ATOMS:
            close()
        pending = law if pending is None else loss_grid.convolve_atoms(pending, law, grid)
        nats = units.numerator * unit
        mean += n * nats * math.tanh((tilt + 0.5) * nats)
        variance += n * nats * nats
    close()
    return leaves


def _product(nodes: list[_Node], setting: Setting) -> tuple[GridMeasure, ...]:
    """The convolution of all laws, smallest first, each product cut to its window."""
    ticket = counter()
    heap = [(sum(len(law.masses) for law in node.laws), next(ticket), node) for node in nodes]
    heapq.heapify(heap)
    step = float(setting.grid.step)
    while len(heap) > 1:
        first, second = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
        mean, variance = first.mean + second.mean, first.variance + second.variance
        reach = setting.reach * math.sqrt(variance)
        low, high = math.floor((mean - reach) / step), math.ceil((mean + reach) / step) + 1
        laws = tuple((a * b).window(low, high) for a, b in zip(first.laws, second.laws, strict=True))
        heapq.heappush(heap, (sum(len(law.masses) for law in laws), next(ticket), _Node(laws, mean, variance)))
    return heap[0][2].laws


def convolve(ar: EnclosingArithmetic, rounds: FiniteRounds, setting: Setting) -> Profile:
    """The laws of the whole ledger and the bounds they give."""
    grid = setting.grid

    def rounded(up: bool) -> Multiset:
        # A round with a larger epsilon dominates: randomized response at the smaller one is a post-processing of it.
        if setting.exact:
            return rounds.eps
        return tuple(((-(-eps // grid.unit) if up else eps // grid.unit) * grid.unit, n) for eps, n in rounds.eps)

    def normaliser(eps: Multiset) -> Callable[[EnclosingArithmetic], Scalar]:
        known: dict[int, Real] = {}

        def log_moment(inner: EnclosingArithmetic) -> Scalar:
            if inner.precision not in known:
                discrete = inner.sum(n * loss_grid.log_normaliser(inner, value, grid.tilt) for value, n in eps)
                known[inner.precision] = discrete + loss_grid.log_gaussian_normaliser(rounds.mu_squared, grid.tilt)
            return known[inner.precision]

        return log_moment

    def spread(law: AtomLaw) -> tuple[GridMeasure, ...]:
        return (loss_grid.spread(law, grid).measure(),)

    def merge(law: AtomLaw) -> tuple[GridMeasure, ...]:
        p, q = loss_grid.merge(law, grid)
        return p.measure(), q.measure()

    up = rounded(True)
    nodes = _leaves(ar, up, setting, spread)
    if rounds.mu_squared:
        nodes.append(_gaussian(ar, rounds, setting, loss_grid.spread_gaussian))
    (upper,) = _product(nodes, setting)
    if setting.exact:
        q = replace(upper, grid=replace(grid, tilt=grid.tilt + 1))
        return Profile(upper, normaliser(up), upper, q, normaliser(up))
    down = rounded(False)
    nodes = _leaves(ar, down, setting, merge)
    if rounds.mu_squared:
        nodes.append(_gaussian(ar, rounds, setting, loss_grid.merge_gaussian))
    p, q = _product(nodes, setting)
    return Profile(upper, normaliser(up), p, q, normaliser(down))


def _gaussian(
    ar: EnclosingArithmetic, rounds: FiniteRounds, setting: Setting, place: Callable[..., tuple[loss_grid.GridLaw, ...]]
) -> _Node:
    mu_squared = float(rounds.mu_squared)
    mean = (float(setting.grid.tilt) + 0.5) * mu_squared
    reach = setting.reach * math.sqrt(mu_squared)
    step = float(setting.grid.step)
    low, high = math.floor((mean - reach) / step), math.ceil((mean + reach) / step) + 1
    cells = place(ar, rounds.mu_squared, setting.grid, low, high)
    return _Node(tuple(part.measure() for part in cells), mean, mu_squared)


# --- to a requested width ----------------------------------------------------------------------------------------


def _leaf_count(rounds: FiniteRounds) -> float:
    return max(1.0, len(rounds.eps) / math.log2(MOST_ATOMS)) + (1 if rounds.mu_squared else 0)


def _finish(rounds: FiniteRounds, shape: LossShape, grid: Grid, missing_bits: float, exact: bool) -> Setting:
    """Windows and bits for which about 2^-missing_bits of delta goes missing."""
    missing_bits += math.log2(8 * _leaf_count(rounds) * (1 + 2.5 * shape.tilt * shape.deviation))
    reach = math.sqrt(2 * math.log(2) * max(missing_bits, 2.0))
    points = 2 * reach * math.sqrt(_squares(rounds)) / float(grid.step) + 4
    bits = math.ceil(missing_bits + math.log2(points * _leaf_count(rounds))) + 4
    return Setting(replace(grid, bits=bits), reach, exact)


def _dyadic(rounds: FiniteRounds, shape: LossShape, variance: float, missing: float) -> Setting:
    """A grid of a dyadic step whose discretization adds about ``variance`` to the loss, the two laws together.

    The fine unit is so small that rounding each epsilon to it is nothing: it costs at most half a unit a round.
    """
    # The spread adds h^2/6 and the merge h^2/12 a leaf, on average.
    step = max(2 * math.sqrt(variance / _leaf_count(rounds)), 16 * math.sqrt(_squares(rounds)) / MOST_POINTS)
    exponent = math.floor(math.log2(step)) - 8
    fine = 48 + sum(n for _, n in rounds.eps).bit_length() - min(exponent, 0)
    stride = math.floor(step / 2.0**exponent) << (exponent + fine)
    return _finish(rounds, shape, Grid(Fraction(1, 2**fine), stride, 0, shape.rounded_tilt), -math.log2(missing), False)


def _lattice(rounds: FiniteRounds, shape: LossShape, unit: Fraction, bits: int) -> Setting:
    """A grid on which all losses fall."""
    return _finish(rounds, shape, Grid(unit, 1, 0, shape.rounded_tilt), float(bits), True)


def lattice_delta(ar: EnclosingArithmetic, rounds: FiniteRounds, eps: Fraction, unit: Fraction) -> Enclosure:
    """delta(eps) where all losses are multiples of ``unit``, to about the arithmetic's precision."""
    shape = plan(rounds).at_eps(eps)
    setting = _lattice(rounds, shape, unit, ar.precision)
    inner = ar.at(setting.grid.bits + 64)
    with inner.active():
        profile = convolve(inner, rounds, setting)
        lower, upper = profile.delta_lower(inner, eps), profile.delta_upper(inner, eps)
        return narrowed(Enclosure(Fraction(0), Fraction(1)), inner.enclosure(lower), inner.enclosure(upper))


def lattice_eps(
    ar: EnclosingArithmetic, rounds: FiniteRounds, delta: Callable[[EnclosingArithmetic], Scalar], unit: Fraction
) -> Enclosure:
    """epsilon at delta in (0, 1) where all losses are multiples of ``unit``, to about the arithmetic's precision."""
    shape = plan(rounds).at_delta(_log_delta(ar, delta))
    setting = _lattice(rounds, shape, unit, ar.precision)
    inner = ar.at(setting.grid.bits + 64)
    with inner.active():
        profile = convolve(inner, rounds, setting)
        near = Fraction(max(shape.eps, 0.0))
        margin = max(near, unit) / 2 ** (ar.precision - 8)
        target = inner.real(delta(inner))
        upper = profile.eps_upper(inner, target, near, margin)
        if upper is None:
            upper = _ceiling(rounds)
        return Enclosure(profile.eps_lower(inner, target, upper), upper)


def grid_delta(ar: EnclosingArithmetic, rounds: FiniteRounds, eps: Fraction, width: Fraction) -> Enclosure:
    """delta(eps) to about the given relative width (the enclosure says what was reached)."""
    shape = plan(rounds).at_eps(eps)
    best = Enclosure(Fraction(0), Fraction(1))
    relative = float(width)
    for _ in range(_ATTEMPTS):
        variance = relative / shape.log_delta_per_eps / shape.eps_per_variance
        profile = convolve(ar, rounds, _dyadic(rounds, shape, variance, relative / 16))
        lower, upper = profile.delta_lower(ar, eps), profile.delta_upper(ar, eps)
        best = narrowed(best, ar.enclosure(lower), ar.enclosure(upper))
        if best.relative_width_at_most(width):
            break
        relative = sharper(relative, best, width)
    return best


def grid_eps(
    ar: EnclosingArithmetic, rounds: FiniteRounds, delta: Callable[[EnclosingArithmetic], Scalar], width: Fraction
) -> Enclosure:
    """The least epsilon >= 0 at delta in (0, 1), to about the given relative width."""
    target = ar.real(delta(ar))
    shape = plan(rounds).at_delta(_log_delta(ar, delta))
    ceiling = None if rounds.mu_squared else _ceiling(rounds)
    best: Enclosure | None = None
    near = Fraction(max(shape.eps, 0.0))
    relative = float(width)
    for _ in range(_ATTEMPTS):
        allowed = relative * max(float(near), shape.deviation * 1e-3)
        variance = allowed / shape.eps_per_variance
        missing = min(allowed * shape.log_delta_per_eps, 1.0) / 16
        profile = convolve(ar, rounds, _dyadic(rounds, shape, variance, missing))
        upper = profile.eps_upper(ar, target, near, Fraction(allowed) / 256)
        known = ceiling if best is None else best.upper
        if upper is None or (known is not None and known < upper):
            upper = known
        if upper is None:
            relative /= 4
            continue
        lower = profile.eps_lower(ar, target, upper)
        best = Enclosure(lower if best is None else max(lower, best.lower), upper)
        if best.upper == 0 or best.relative_width_at_most(width):
            return best
        near = best.upper
        relative = sharper(relative, best, width)
    if best is None:
        raise MorePrecisionError("no finite upper bound was found")
    return best


def _ceiling(rounds: FiniteRounds) -> Fraction:
    """The largest loss: delta is 0 from there on."""
    return total(rounds.eps)


def _log_delta(ar: EnclosingArithmetic, delta: Callable[[EnclosingArithmetic], Scalar]) -> float:
    found = _log(ar, ar.real(delta(ar)))
    if found is None:
        raise MorePrecisionError("delta is not known to be positive")
    return found
