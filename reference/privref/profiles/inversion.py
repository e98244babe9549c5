"""The profile of declared mechanisms from the transforms of their losses, without any convolution.

It is independent of the grid, and the second engine with it. With M(z) = E_P e^(z L) of each round, N their product,
c > 0 and a period Lambda, Poisson summation gives exactly (Abate and Whitt 1992, The Fourier-series method for
inverting transforms of probability distributions)

  sum over all integers j of e^(c j Lambda) delta(eps + j Lambda) = (1/Lambda) sum over n of N(z_n) K(z_n),

z_n = c + 2 pi i n/Lambda, K(z) = e^(-eps z)/(z (z + 1)). All terms on the left are >= 0: the right side is an upper
bound of delta(eps), and what it has too much is bounded: for j < 0 by delta <= 1, for j > 0 by a Chernoff bound at a
second abscissa. Two ways to make the sum finite:

* **Contour**: what lies beyond T is bounded by |M(c + it)| <= M(c) of every round, e^(-mu^2 t^2/2) times that for a
  Gaussian, and for a Laplace round, whose atoms do not fall, (e^(c eps) + e^(-(c+1) eps)) (1/2 + 1/(4 T)).
* **Lattice**, where all losses are in o + hZ: N K repeats after n = Lambda/h nodes, and the sum over each residue is
  K(z) = sum over losses l > eps of e^(-z l) (1 - e^(eps - l)), two geometric series: a finite sum without truncation.

Both kernels are e^(-z l) (near(z) - e^(eps - l) far(z)), with l = eps, 1/z and 1/(z + 1), or with the least loss
l >= eps, 1/(1 - e^(-z h)) and 1/(1 - e^(-(z + 1) h)): the values at the nodes serve for every eps.

A discrete Gaussian's M is a quotient of theta functions, by Poisson summation a series of two or three terms. Laplace
noise has no lattice; it lies between two mechanisms that have one (hypothesis: the shift is v steps). Rounded down to
the lattice, a post-processing, it loses less. And an exponential variable is its whole part in steps plus an
independent rest, so that Laplace noise is discrete Laplace noise of the same scale plus independent noise: a
post-processing of the geometric mechanism, which loses more.

Most nodes are negligible: whole blocks of them are left out by their bound (ball arithmetic over the block, bisected
where it does not tell), which counts as error in full. Floats only plan; every bound is computed in enclosures.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from privref.composition.loss_convolution import planning
from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real, Scalar
from privref.exact.complex_interval import plane
from privref.exact.complex_pairs import ComplexPair, over, plus, power, product, scaled
from privref.exact.enclosure import Enclosure
from privref.exact.errors import WRITABLE_BITS, MorePrecisionError, UndecidedError
from privref.exact.numbers import float_log

from . import grid, laws
from .grid import gcd
from .laws import FinitePair
from .model import (
    Allocation,
    Composition,
    DiscreteGaussian,
    Drawn,
    Exchanged,
    Gaussian,
    Geometric,
    Instead,
    Labelled,
    Laplace,
    Response,
    Subsampled,
    SubsampledGaussian,
)

#: The most values of one law's transform, and the most nodes of one sum, that are worth their time.
MOST_VALUES = 12_000
MOST_NODES = 10**9
MOST_OF_CONTOUR = 1 << 14
_PRECISION = 128
#: The most steps towards an epsilon, the bits of what they try, and the part of its width that ends them.
_STEPS, _TRIED_BITS, _NEAR_ENOUGH = 30, 44, 1e-3
#: Then the width is widened by these factors until both ends are proved.
_WIDENED = (1, 4, 16, 64, 256, 1024, 4096)
#: The abscissas that are thought of, and how well one is placed, as a part of it.
_LEAST_ABSCISSA, _MOST_ABSCISSA, _ABSCISSA_WIDTH = 1e-7, 1e7, 1e-3
#: Near delta = 1 an abscissa is at least 1 over the deviation of the loss and 20 nats over the room below its mean, at
#: most 1; the least variance and the least room that are divided by.
_NATS_OF_ROOM, _LEAST_VARIANCE, _LEAST_ROOM = 20, 1e-12, 1e-3
#: The second abscissa over the first: the aliases' bound falls with their distance, and grows with the moment there.
_SECONDS = (1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 9.0)
#: A period is that of one nat at least, over the distance of the abscissas.
_LEAST_NATS = 1.0
_OUT_OF_REACH = "out of reach of the inversion: nothing is claimed about it"

_Rounds = tuple[tuple["InvertiblePair", int], ...]


@dataclass(frozen=True, slots=True)
class FlooredLaplace:
    """Laplace noise rounded down to a lattice, against the same moved by ``shift`` >= 1 steps; ``step`` = h/b."""

    step: Fraction
    shift: int


@dataclass(frozen=True, slots=True)
class Sometimes:
    """A law with the chance ``rate``; else nothing is lost."""

    base: Laplace | DiscreteGaussian | Geometric | Response | FlooredLaplace
    rate: Fraction


InvertiblePair = Gaussian | Laplace | DiscreteGaussian | Geometric | Response | FlooredLaplace | Sometimes


def _place(law: InvertiblePair) -> tuple[Fraction, Fraction] | None:
    """(o, h) with all losses in o + hZ; None where they are in no lattice."""
    match law:
        case Gaussian() | Laplace():
            return None
        case DiscreteGaussian(variance, shift):
            return Fraction(shift * shift) / (2 * variance), shift / variance
        case Geometric(scale, shift):
            return shift / scale, 2 / scale
        case Response(epsilon, outcomes):
            return (epsilon, 2 * epsilon) if outcomes == 2 else (Fraction(0), epsilon)
        case FlooredLaplace(step):
            return Fraction(0), step
        case Sometimes(base):
            place = _place(base)
            return None if place is None else (Fraction(0), gcd(*place) if place[0] else place[1])


class _Numbers:
    """Complex exponentials and series in one arithmetic."""

    def __init__(self, ar: EnclosingArithmetic) -> None:
        self.ar, self.plane = ar, plane(ar)
        self.pi: Real = self.plane.pi()
        self.sizes: dict[tuple[InvertiblePair, Scalar], Real] = {}
        """M(c), of each law and abscissa that a block of nodes too wide to say more asked for."""

    def exp(self, x: Scalar, y: Scalar) -> ComplexPair:
        """e^(x + iy)."""
        size, angle = self.ar.exp(x), self.ar.real(y)
        return size * self.plane.cosine(angle), size * self.plane.sine(angle)

    def upper(self, value: Real) -> Real:
        found: Real = self.plane.upper(value)
        return found

    def modulus(self, a: ComplexPair) -> Real:
        """An upper bound of |a|."""
        square = self.upper(a[0] * a[0] + a[1] * a[1])
        return self.upper(self.ar.sqrt(self.ar.maximum(square, 0)))


# --- transforms --------------------------------------------------------------------------------------------------


def transform(numbers: _Numbers, law: InvertiblePair, c: Scalar, t: Scalar) -> ComplexPair:
    """M(c + it) = E_P e^((c + it) L), c > 0."""
    ar, exp = numbers.ar, numbers.exp

    def tilted(loss: Fraction) -> ComplexPair:
        return exp(loss * ar.real(c), loss * ar.real(t))

    match law:
        case Gaussian(mu_squared):
            return exp(
                (ar.real(c) * (c + 1) - ar.real(t) * t) * (mu_squared / 2), ar.real(t) * (2 * c + 1) * (mu_squared / 2)
            )
        case Laplace(epsilon):
            top = tilted(epsilon)
            low = exp(-epsilon * (1 + ar.real(c)), -epsilon * ar.real(t))
            rate = (4 * ar.real(c) + 2, 4 * ar.real(t))
            inside = over((top[0] - low[0], top[1] - low[1]), rate)
            return plus(scaled(Fraction(1, 2), plus(top, low)), inside)
        case Response(epsilon, outcomes):
            small = ar.exp(-epsilon)
            total = plus(tilted(epsilon), scaled(small, tilted(-epsilon)))
            return scaled(1 / (1 + (outcomes - 1) * small), (total[0] + (outcomes - 2) * small, total[1]))
        case Geometric(scale, shift):
            step = 1 / scale
            a = ar.exp(-step)
            series = _series(numbers, step, c, t, shift - 1)
            # The inner losses are v - 2 x for 0 < x < v.
            inner = product(product(tilted((shift - 2) * step), series), (a * (1 - a), ar.real(0)))
            low = exp(-(1 + ar.real(c)) * (shift * step), -ar.real(t) * (shift * step))
            return scaled(1 / (1 + a), plus(plus(tilted(shift * step), low), inner))
        case FlooredLaplace(step, shift):
            # P(x) is (1 - a)/2 a^x for x >= 0 and (1 - a)/2 a^(-x - 1) below.
            series = _series(numbers, step, c, t, shift)
            inner = scaled(-ar.expm1(-step), product(tilted((shift - 1) * step), series))
            low = exp(-(1 + ar.real(c)) * (shift * step), -ar.real(t) * (shift * step))
            return scaled(Fraction(1, 2), plus(plus(tilted(shift * step), low), inner))
        case DiscreteGaussian():
            return _discrete_gaussian(numbers, law, c, t)
        case Sometimes(base, rate):
            return plus(scaled(rate, transform(numbers, base, c, t)), (ar.real(1 - rate), ar.real(0)))


def _series(numbers: _Numbers, step: Fraction, c: Scalar, t: Scalar, count: int) -> ComplexPair:
    """The sum of r^x over 0 <= x < count, r = e^(-(1 + 2 z) step)."""
    ar = numbers.ar
    if not count:
        return ar.real(0), ar.real(0)
    rate, turn = (1 + 2 * ar.real(c)) * step, 2 * ar.real(t) * step
    ratio, last = numbers.exp(-rate, -turn), numbers.exp(-count * rate, -count * turn)
    return over((1 - last[0], -last[1]), (1 - ratio[0], -ratio[1]))


def _discrete_gaussian(numbers: _Numbers, law: DiscreteGaussian, c: Scalar, t: Scalar) -> ComplexPair:
    """With s = sigma^2, w = u - 2 pi k and u = -t v/s: the sum of e^(-(x + c v)^2/(2 s)) e^(i u x) over integers x is
    sqrt(2 pi s) times that of e^(-s w^2/2) e^(-i c v w) over integers k."""
    ar, (s, v) = numbers.ar, (law.sigma_squared, law.shift)

    def front() -> ComplexPair:
        half = Fraction(v * v) / (2 * s)
        return numbers.exp(ar.real(c) * (c + 1) * half, ar.real(t) * half)

    if s < Fraction(1, 4):
        return product(front(), _few_atoms(numbers, law, c, t))
    u = -ar.real(t) * (v / s)
    known = decide.finite(ar, u, "a node of the inversion is not finite")
    nearest = round(float((known.lower + known.upper) / 2) / (2 * math.pi))
    off = ar.enclosure(u - 2 * numbers.pi * nearest)
    assert off is not None
    nearness = max(abs(off.lower), abs(off.upper))
    if nearness > 4:
        return _anywhere(numbers, law, c)
    total: ComplexPair = (ar.real(0), ar.real(0))
    reach = max(1, math.ceil(math.sqrt(2 * math.log(2) * (ar.precision + 8) / float(s)) / (2 * math.pi) + 0.5))
    for k in range(nearest - reach, nearest + reach + 1):
        w = u - 2 * numbers.pi * k
        total = plus(total, numbers.exp(-(w * w) * (s / 2), -(c * v) * w))
    # The next terms are at |w| >= 2 pi (reach + 1) - |u - 2 pi nearest|, each following one less than half as large.
    beyond = 2 * numbers.pi * (reach + 1) - nearness
    rest = numbers.upper(4 * ar.exp(-(beyond * beyond) * (s / 2)))
    total = numbers.plane.around(total[0], rest), numbers.plane.around(total[1], rest)
    return product(front(), scaled(1 / _theta(numbers, s), total))


def _theta(numbers: _Numbers, s: Fraction) -> Real:
    """1 + 2 sum over k >= 1 of e^(-2 pi^2 s k^2), s >= 1/4: each term is less than a hundredth of the one before."""
    ar = numbers.ar
    rate = 2 * numbers.pi * numbers.pi * s
    reach = max(1, math.ceil(math.sqrt(math.log(2) * (ar.precision + 8) / (20 * float(s)))))
    inside = ar.sum(ar.exp(-rate * (k * k)) for k in range(1, reach + 1))
    return 1 + 2 * ar.hull(inside, inside + 2 * ar.exp(-rate * ((reach + 1) * (reach + 1))))


def _few_atoms(numbers: _Numbers, law: DiscreteGaussian, c: Scalar, t: Scalar) -> ComplexPair:
    """The sum of e^(-(x + c v)^2/(2 s)) e^(-i t v x/s) over that of e^(-x^2/(2 s)), atom by atom, s < 1/4."""
    ar, (s, v) = numbers.ar, (law.sigma_squared, law.shift)
    centre = ar.enclosure(-(ar.real(c) * v))
    if centre is None or centre.width > 1:
        return _anywhere(numbers, law, c)
    middle = round(centre.lower)
    reach = math.isqrt(math.ceil(2 * float(s) * math.log(2) * (ar.precision + 8))) + 3
    total: ComplexPair = (ar.real(0), ar.real(0))
    for x in range(middle - reach, middle + reach + 1):
        off = x + ar.real(c) * v
        total = plus(total, numbers.exp(-(off * off) / (2 * s), -ar.real(t) * (v * x / s)))
    # Beyond, |x + c v| >= reach - 1, and e^(-j^2/(2 s)) with s < 1/4 falls by more than half each time.
    rest = numbers.upper(4 * ar.exp(-Fraction((reach - 1) ** 2) / (2 * s)))
    total = numbers.plane.around(total[0], rest), numbers.plane.around(total[1], rest)
    weights = ar.sum(ar.exp(-Fraction(x * x) / (2 * s)) for x in range(1, reach + 1))
    whole = 1 + 2 * ar.hull(weights, weights + rest)
    return scaled(1 / whole, total)


def _anywhere(numbers: _Numbers, law: InvertiblePair, c: Scalar) -> ComplexPair:
    """What |M(c + it)| <= M(c) says: for a block of nodes that is too wide to say more."""
    if (law, c) not in numbers.sizes:
        numbers.sizes[law, c] = numbers.upper(transform(numbers, law, c, 0)[0])
    size = numbers.sizes[law, c]
    zero = numbers.ar.real(0)
    return numbers.plane.around(zero, size), numbers.plane.around(zero, size)


# --- the plan, in floats -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """The abscissa, the second one, about how long the period must be, and about log delta: floats plan."""

    abscissa: Fraction
    second: Fraction
    period: float
    eps: float
    log_delta: float


def _log_moment(rounds: _Rounds, c: float) -> tuple[float, float, float]:
    value = mean = variance = 0.0
    for law, n in rounds:
        one = laws.moments(_planned(law), c)
        value, mean, variance = value + n * one.value, mean + n * one.mean, variance + n * one.variance
    return value, mean, variance


def _planned(law: InvertiblePair) -> FinitePair:
    """The law that a plan is made for."""
    match law:
        case FlooredLaplace(step, shift):
            return Laplace(step * shift)
        case Sometimes(base, rate):
            own = _planned(base)
            assert isinstance(own, DiscreteGaussian | Laplace | Geometric | Response)
            return Drawn(own, rate)
        case _:
            return law


def _saddle(rounds: _Rounds, c: float) -> tuple[float, float]:
    """The epsilon whose saddle point is c, and about log delta there."""
    value, mean, variance = _log_moment(rounds, c)
    eps = mean - 1 / c - 1 / (1 + c)
    curvature = variance + 1 / c**2 + 1 / (1 + c) ** 2
    return eps, value - c * eps - math.log(c * (c + 1)) - math.log(2 * math.pi * curvature) / 2


@planning()
def _line(rounds: _Rounds, short: Callable[[float, float], float], tolerance: float, eps: float | None) -> _Line:
    """The abscissa where ``short`` of epsilon and log delta, decreasing in the abscissa, is 0."""
    low, high = _LEAST_ABSCISSA, 1.0
    while short(*_saddle(rounds, high)) > 0:
        high *= 2
        if high > _MOST_ABSCISSA:
            raise UndecidedError(_OUT_OF_REACH)
    while high - low > _ABSCISSA_WIDTH * high:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if short(*_saddle(rounds, middle)) > 0 else (low, middle)
    at, log_delta = _saddle(rounds, high)
    # Near delta = 1 the saddle point goes to 0 and the period would be long: any abscissa will do, in its stead.
    _, mean, variance = _log_moment(rounds, 0.0)
    room = mean - (at if eps is None else eps)
    c = _dyadic(
        max(high, min(1 / math.sqrt(max(variance, _LEAST_VARIANCE)), _NATS_OF_ROOM / max(room, _LEAST_ROOM), 1.0))
    )
    at, log_delta = (at, min(log_delta, 0.0)) if eps is None else _saddle(rounds, float(c))
    if eps is not None:
        value = _log_moment(rounds, float(c))[0]
        log_delta += float(c) * (at - eps)
        log_delta = min(log_delta, value - float(c) * eps, 0.0)
        at = eps
    return _Line(c, *_period(rounds, float(c), at, log_delta + math.log(tolerance)), at, log_delta)


def _period(rounds: _Rounds, c: float, eps: float, goal: float) -> tuple[Fraction, float]:
    """The second abscissa with the shortest period that makes the aliases smaller than e^goal."""
    best = (math.inf, 2 * c)
    for factor in _SECONDS:
        b = c * factor
        excess = _log_moment(rounds, b)[0] - b * eps + b * math.log(b) - (1 + b) * math.log1p(b)
        best = min(best, (max(excess - goal, _LEAST_NATS) / (b - c), b))
    return _dyadic(best[1]), max(best[0], max(-goal, _LEAST_NATS) / c)


def _dyadic(value: float, bits: int = 12) -> Fraction:
    """A short rational near a positive value."""
    exponent = bits - math.frexp(value)[1]
    return Fraction(round(value * 2.0**exponent)) / Fraction(2) ** exponent


def _power_of_two(log: float) -> Fraction:
    exponent = log / math.log(2)
    if not abs(exponent) <= WRITABLE_BITS:
        raise UndecidedError(_OUT_OF_REACH)
    return Fraction(2) ** math.floor(exponent)


# --- the sum -----------------------------------------------------------------------------------------------------

#: near and far of the kernel at c + it.
_Kernel = Callable[[Scalar, Real], tuple[ComplexPair, ComplexPair]]


class Inversion:
    """The values of one composition's transform along one line: delta at every epsilon near the planned one."""

    def __init__(self, ar: EnclosingArithmetic, rounds: _Rounds, line: _Line, tolerance: float, most: int) -> None:
        self.ar, self.rounds, self.line = ar, rounds, line
        self.numbers = _Numbers(ar)
        self.most, self.values = most, 0
        self.omitted: Real = ar.real(0)
        self.nodes: list[tuple[int, ComplexPair, ComplexPair]] = []
        self.at_zero = [self.numbers.upper(transform(self.numbers, law, line.abscissa, 0)[0]) for law, _ in rounds]
        self.lattice = _common_lattice(rounds)
        self.negligible = _power_of_two(line.log_delta + float(line.abscissa) * line.eps + math.log(tolerance)) / 16
        if self.lattice is None:
            self._contour()
        else:
            self._finite_sum(*self.lattice)

    def _counted(self) -> None:
        self.values += len(self.rounds)
        if self.values > self.most:
            raise UndecidedError(_OUT_OF_REACH)

    # The sums have the factor e^(-c l) taken out.

    def _contour(self) -> None:
        numbers = self.numbers
        with planning():
            self.period = Fraction(math.ceil(self.line.period * 64), 64)
        self.spacing = 2 * numbers.pi / self.period
        self.scale = self.period

        def kernel(abscissa: Scalar, t: Real) -> tuple[ComplexPair, ComplexPair]:
            real, one, zero = self.ar.real(abscissa), self.ar.real(1), self.ar.real(0)
            return over((one, zero), (real, t)), over((one, zero), (real + 1, t))

        last = 16
        goal = self.negligible * self.period
        while True:
            rest = self._beyond(last)
            known = self.ar.enclosure(rest)
            if known is not None and known.upper <= goal:
                break
            last *= 2
            if last > MOST_OF_CONTOUR:
                raise UndecidedError(_OUT_OF_REACH)
        self._sum(kernel, Fraction(1), last, goal)
        self.omitted = self.omitted + rest

    def _beyond(self, last: int) -> Real:
        """At least twice the sum of |N|/|z (z + 1)| over the nodes after the last one: the sum of 1/n^2 is at most
        1/last."""
        ar, c, t = self.ar, self.line.abscissa, self.spacing * (last + 1)
        size = ar.real(1)
        for (law, times), whole in zip(self.rounds, self.at_zero, strict=True):
            one = whole
            match law:
                case Gaussian(mu_squared):
                    one = whole * ar.exp(-t * t * (mu_squared / 2))
                case Laplace(epsilon):
                    atoms = ar.exp(c * epsilon) + ar.exp(-(c + 1) * epsilon)
                    one = ar.minimum(whole, atoms * (Fraction(1, 2) + 1 / (4 * t)))
                case _:
                    pass
            size = size * self.numbers.upper(one) ** times
        return self.numbers.upper(2 * size / (self.spacing * self.spacing * last))

    def _finite_sum(self, origin: Fraction, step: Fraction) -> None:
        numbers = self.numbers
        # An odd number of nodes: none of them but the first is its own mirror image.
        with planning():
            half = math.ceil(Fraction(self.line.period) / step) // 2 + 1
        if half > MOST_NODES:
            raise UndecidedError(_OUT_OF_REACH)
        nodes = 2 * half + 1
        self.period, self.scale = nodes * step, Fraction(nodes)
        self.spacing = 2 * numbers.pi / self.period

        def kernel(abscissa: Scalar, t: Real) -> tuple[ComplexPair, ComplexPair]:
            ratios = [numbers.exp(-(abscissa + i) * step, -step * t) for i in (0, 1)]
            one, zero = self.ar.real(1), self.ar.real(0)
            near, far = (over((one, zero), (1 - x, -y)) for x, y in ratios)
            return near, far

        self._sum(kernel, step, half, self.negligible * nodes)

    def _sum(self, kernel: _Kernel, step: Fraction, last: int, goal: Fraction) -> None:
        """Visit the nodes 0 to ``last``; whole blocks whose bound is a small part of ``goal`` are left out."""
        ar, numbers, c = self.ar, self.numbers, self.line.abscissa
        excess = ar.real(1) if self.lattice is None else ar.hull(ar.exp(-step), 1)

        def size(t: Real) -> Real:
            near, far = kernel(c, t)
            return numbers.modulus((near[0] - excess * far[0], near[1] - excess * far[1]))

        most_kernel = size(ar.real(0))
        blocks = [(0, 0)]
        low = 1
        while low <= last:
            blocks.append((low, min(2 * low - 1, last)))
            low *= 2
        blocks.reverse()
        while blocks:
            low, high = blocks.pop()
            if high - low >= 3:
                most = self._bound(size, most_kernel, low, high)
                known = None if most is None else ar.enclosure(most)
                if most is not None and known is not None and known.upper * 64 <= goal:
                    # Those left out are added up in full: the part of each only keeps the sum small.
                    self.omitted = self.omitted + most
                    continue
                middle = (low + high) // 2
                blocks += [(middle + 1, high), (low, middle)]
                continue
            for n in range(low, high + 1):
                self._counted()
                t = self.spacing * n
                value: ComplexPair = (ar.real(1), ar.real(0))
                for law, times in self.rounds:
                    value = product(value, power(transform(numbers, law, c, t), times))
                near, far = kernel(c, t)
                self.nodes.append((n, product(value, near), product(value, far)))

    def _bound(self, size: Callable[[Real], Real], most_kernel: Real, low: int, high: int) -> Real | None:
        """At least twice the sum of |N K| over a block of nodes; None where the block is too wide to tell."""
        self._counted()
        ar, numbers = self.ar, self.numbers
        t = ar.hull(self.spacing * low, self.spacing * high)
        try:
            most = ar.minimum(size(t), most_kernel)
            for (law, times), whole in zip(self.rounds, self.at_zero, strict=True):
                one = ar.minimum(numbers.modulus(transform(numbers, law, self.line.abscissa, t)), whole)
                most = most * numbers.upper(one) ** times
        except MorePrecisionError:
            return None
        return numbers.upper(2 * (high - low + 1) * most)

    def delta(self, eps: Fraction) -> Enclosure:
        """delta(eps), between 0 and 1 at the least."""
        ar, numbers, c, b = self.ar, self.numbers, self.line.abscissa, self.line.second
        least = eps
        if self.lattice is not None:
            origin, step = self.lattice
            least = origin - (origin - eps) // step * step
        front, excess = ar.exp(-c * least), ar.exp(eps - least)
        total = ar.real(0)
        for n, near, far in self.nodes:
            angle = self.spacing * (-n * least)
            x, y = near[0] - excess * far[0], near[1] - excess * far[1]
            part = x * numbers.plane.cosine(angle) - y * numbers.plane.sine(angle)
            total = total + (2 if n else 1) * part
        sum_ = front * total / self.scale
        error = numbers.upper(front * self.omitted / self.scale)
        kappa = ar.exp(b * ar.log(b) - (b + 1) * ar.log(b + 1))
        high = self._at_second * kappa * ar.exp(-b * eps) / ar.expm1((b - c) * self.period)
        aliases = numbers.upper(1 / ar.expm1(c * self.period) + high)
        ends = ar.enclosure(sum_ - error - aliases), ar.enclosure(sum_ + error)
        if ends[0] is None or ends[1] is None:
            raise MorePrecisionError("a bound of the inversion is not finite")
        return Enclosure(max(Fraction(0), ends[0].lower), min(Fraction(1), ends[1].upper))

    @cached_property
    def _at_second(self) -> Real:
        """N at the second abscissa."""
        whole = self.ar.real(1)
        for law, times in self.rounds:
            whole = whole * transform(self.numbers, law, self.line.second, 0)[0] ** times
        return self.numbers.upper(whole)


def _common_lattice(rounds: _Rounds) -> tuple[Fraction, Fraction] | None:
    """(o, h) with all losses of the composition in o + hZ."""
    origin, step = Fraction(0), None
    for law, n in rounds:
        place = _place(law)
        if place is None:
            return None
        origin += n * place[0]
        step = place[1] if step is None else gcd(step, place[1])
    return None if step is None else (origin, step)


# --- answers -----------------------------------------------------------------------------------------------------


@planning()
def _between(rounds: _Rounds, tolerance: float) -> tuple[_Rounds, _Rounds] | None:
    """Lattice mechanisms that lose less, and more, than the Laplace ones among the rounds; None where there are none.

    The relative tolerance of delta is what the steps are for: each adds about epsilon h^2/2 to the spread of the loss.
    """
    found = [
        (base.epsilon, n * float(law.rate if isinstance(law, Sometimes) else 1))
        for law, n in rounds
        if isinstance(base := law.base if isinstance(law, Sometimes) else law, Laplace)
    ]
    if not found:
        return None
    common = found[0][0]
    for law, _ in rounds:
        base = law.base if isinstance(law, Sometimes) else law
        place = (Fraction(0), base.epsilon) if isinstance(base, Laplace) else _place(law)
        if place is None:
            return None
        for spacing in place:
            common = gcd(common, spacing) if spacing else common
    weight = sum(n * min(float(eps), 1.0) for eps, n in found)
    wanted = math.sqrt(tolerance / weight)
    step = common / max(1, math.ceil(float(common) / wanted))

    def put(law: InvertiblePair, *, up: bool) -> InvertiblePair:
        match law:
            case Laplace(epsilon):
                shift = int(epsilon / step)
                return Geometric(1 / step, shift) if up else FlooredLaplace(step, shift)
            case Sometimes(Laplace() as base, rate):
                own = put(base, up=up)
                assert isinstance(own, Geometric | FlooredLaplace)
                return Sometimes(own, rate)
            case _:
                return law

    less, more = (tuple((put(law, up=up), n) for law, n in rounds) for up in (False, True))
    return less, more


#: Relative tolerances of delta: of a sum, and of what lies between two lattice mechanisms.
_TOLERANCE = 1e-9
_OF_LAPLACE = 1e-4


def _inversions(
    ar: EnclosingArithmetic, rounds: _Rounds, planned: Callable[[_Rounds, float], _Line], most: int
) -> tuple[Inversion, Inversion]:
    """The lines for the lower and for the upper end, the same one where no Laplace law has to be enclosed."""
    enclosing = None if any(isinstance(law, Gaussian) for law, _ in rounds) else _between(rounds, _OF_LAPLACE)
    try:
        both = Inversion(ar, rounds, planned(rounds, _TOLERANCE), _TOLERANCE, most)
        return both, both
    except UndecidedError:
        if enclosing is None:
            raise
    less, more = (Inversion(ar, part, planned(part, _TOLERANCE), _TOLERANCE, most) for part in enclosing)
    return less, more


def _most(engine: decide.EngineName) -> int:
    return MOST_VALUES if engine == "arb" else MOST_VALUES // 4


def _invertible(rounds: grid.Finite) -> _Rounds:
    """The rounds whose transforms are known here; UndecidedError where there are others."""
    found = []
    for pair, n in rounds.rounds:
        if isinstance(pair, SubsampledGaussian | Subsampled | Instead | Labelled | Exchanged | Allocation):
            raise UndecidedError(_OUT_OF_REACH)
        found.append((Sometimes(laws.base_of(pair), pair.rate) if isinstance(pair, Drawn) else pair, n))
    return tuple(found)


def delta_of(composition: Composition, eps: Fraction, engine: decide.EngineName = "arb") -> Enclosure:
    """delta(eps) of one orientation, eps >= 0, mostly to a relative 1e-7; UndecidedError where it is out of reach.

    A few Laplace rounds alone lie between two lattice mechanisms: their delta is enclosed to about a relative 1e-3.
    """
    rounds = grid.finite(composition)
    largest = grid.largest_loss(rounds)
    ar = decide.engine(engine, _PRECISION)
    with ar.active():
        if any(delta == 1 for delta, _ in rounds.deltas):
            return Enclosure(Fraction(1), Fraction(1))
        found = Enclosure(Fraction(0), Fraction(0))
        if largest is None or eps < largest.upper:
            found = _delta(ar, _invertible(rounds), eps, _most(engine))
        return grid.with_infinite(ar, rounds, found)


def _delta(ar: EnclosingArithmetic, rounds: _Rounds, eps: Fraction, most: int) -> Enclosure:
    def planned(part: _Rounds, tolerance: float) -> _Line:
        return _line(part, lambda at, log_delta: float(eps) - at, tolerance, float(eps))

    less, more = _inversions(ar, rounds, planned, most)
    upper = more.delta(eps)
    return Enclosure((upper if less is more else less.delta(eps)).lower, upper.upper)


def eps_of(composition: Composition, delta: Fraction, width: Fraction, engine: decide.EngineName = "arb") -> Enclosure:
    """The least epsilon >= 0 of one orientation at delta in (0, 1), to about that relative width.

    For rounds of finite loss; UndecidedError where it is out of reach.
    """
    rounds = grid.finite(composition)
    if rounds.deltas or not rounds.rounds:
        raise UndecidedError(_OUT_OF_REACH)
    goal = float_log(delta)
    ar = decide.engine(engine, _PRECISION)

    def planned(part: _Rounds, tolerance: float) -> _Line:
        return _line(part, lambda at, log_delta: log_delta - goal, tolerance, None)

    with ar.active():
        less, more = _inversions(ar, _invertible(rounds), planned, _most(engine))
        upper, _ = _crossing(more, delta, width / 2)
        lower = _crossing(less, delta, width / 2)[1] if less is not more else _crossing(more, delta, width / 2)[1]
    if lower > upper:
        raise AssertionError("the bounds of an epsilon have crossed")
    return Enclosure(lower, upper)


def _crossing(line: Inversion, delta: Fraction, width: Fraction) -> tuple[Fraction, Fraction]:
    """An epsilon where delta is at most the given one, and one where it is at least that (0 where there is none)."""
    goal = float_log(delta)
    eps = max(line.line.eps, 0.0)
    slope = float(line.line.abscissa)
    for _ in range(_STEPS):
        found = line.delta(_dyadic(eps, _TRIED_BITS) if eps else Fraction(0))
        middle = (found.lower + found.upper) / 2
        if middle <= 0:
            raise UndecidedError(_OUT_OF_REACH)
        excess = float_log(middle) - goal
        after = max(eps + excess / slope, 0.0)
        if after == eps or abs(after - eps) <= _NEAR_ENOUGH * float(width) * after:
            break
        eps = after
    upper = lower = None
    middle = _dyadic(eps, _TRIED_BITS) if eps else Fraction(0)
    for factor in _WIDENED:
        above, below = middle * (1 + width * factor), middle * (1 - width * factor)
        if upper is None and line.delta(above).upper <= delta:
            upper = above
        if lower is None and (not below or line.delta(below).lower >= delta):
            lower = below
        if upper is not None and lower is not None:
            return upper, lower
    raise UndecidedError(_OUT_OF_REACH)
