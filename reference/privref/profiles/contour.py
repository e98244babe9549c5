"""Engine B: the profile of many equal rounds of a Poisson-subsampled Gaussian, by a contour integral of balls.

With M(z) = E_P e^(z L) and c > 0, delta(eps) = (1/2 pi i) times the integral of e^(-eps z) N(z)/(z (z + 1)) over
Re z = c, N = M^k: 1/(z (z + 1)) is the Laplace transform of (1 - e^-x)_+. Error terms, each bounded here:

1. Aliases. With step 2 pi/Lambda the trapezoidal sum is exactly the sum over all m of e^(c m Lambda)
   delta(eps + m Lambda), which are >= 0. Those with m < 0 have delta <= 1; those with m > 0 a Chernoff bound at a
   second abscissa: (1 - e^-x)_+ <= kappa(b) e^(b x), kappa(b) = b^b/(1 + b)^(1 + b). (Poisson summation, as in Abate
   and Whitt 1992, The Fourier-series method for inverting transforms of probability distributions.)
2. The nodes left out, |t| > T: their sum is at most e^(-c eps) sup |N|/(pi T). With a smooth weight chi that is near
   1 at large losses, N(0, 1) density phi, R = 1 - q + q e^u and e = z + 1 (removal) or -z (addition):
   |M| <= A(c) + |B(z)|, A and B the integrals of (1 - chi) phi R^e and chi phi R^e. The path of B is moved to
   Im y = +-v, on the side where |R^e| = |R|^(Re e) e^(-|t| arg R), arg R in [0, pi): a bound that falls with |t|, so
   that its value at T bounds everything beyond. chi(y) = Phi((y - place)/width) has |chi(y + iv)| <=
   e^(v^2/(2 width^2)) chi(y), as phi has with width 1.
3. M itself is a trapezoidal sum over y, exponentially near: the integrand f is analytic where |Im u| < pi, and the
   error is at most 2 S/(e^(2 pi v/h) - 1), S the integral of |f| on Im y = +-v (Trefethen and Weideman 2014, The
   exponentially convergent trapezoidal rule, Theorem 5.1); what lies beyond the last nodes is bounded by the normal
   distribution.
4. For a removal the law may be cut smoothly at the top: delta gains at most the probability that one of the k rounds
   lies there. Tilted, a subsampled Gaussian's far tail would weigh more than all that matters.

5. Where few rounds make the loss, |M|^k hardly falls with |t|. With M = A + B, B the part above a smooth cut, what is
   integrated is the measure M^k - A^k: aliases as before, with its mass, at most k B(0), in place of 1; nodes left out
   by |M^k - A^k| <= k |B| (A(c) + |B|)^(k - 1). A^k adds to delta at most kappa(b) e^(-b eps) A'(b)^k for any b > 0,
   A' being A below another, sharp cut, and the probability that one of the k rounds is in A above it.

Cell by cell bounds: on a cell of width w a function with |f''| <= D is at most max(f at its ends) + D w^2/8, and the
part a log R of the exponent is convex for a >= 0, so that only the Gaussian's curvature counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, isqrt
from typing import Any

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real, Scalar
from privref.exact.complex_interval import TrigonometricSum, plane
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError

from .contour_plan import Cut, Line, Nodes
from .model import SubsampledGaussian

_CELL = Fraction(1, 2)
_MOST_CELLS = 3000
#: How far below the rest the tails of a strip's integral are kept, as a log.
_TAIL = 40
#: What is counted for a cell, for how it grows on a strip, for a node, and for a cut's weight there.
_CELL_WORK, _GROWTH_WORK, _NODE_WORK, _CUT_WORK = 40, 18, 18, 16
#: Rationals below and above 2 pi.
TURN = (Fraction(628318, 100000), Fraction(628319, 100000))


class BrokenLineError(UndecidedError):
    """A line on which the bounds do not hold: the floats that planned it were misled, and nothing is claimed."""


#: Which part of the law: all of it, or what the cut separates.
_Part = bool | None
#: The cosine and the sine of an angle.
_Turn = tuple[Real, Real]


@dataclass(frozen=True, slots=True)
class _Region:
    """A piece of the line: bounds of the integral there and of the nodes' sum, and of p = q e^u/R; all bare."""

    integral: Real
    sum: Real
    least: Real
    most: Real


class Transform:
    """Values and bounds of the integrals of one round's law, at one precision."""

    def __init__(self, ar: EnclosingArithmetic, pair: SubsampledGaussian, top: Cut | None = None) -> None:
        self.ar, self.plane = ar, plane(ar)
        self.bare = ar.bare()
        self.bare_plane = plane(self.bare)
        self.top = top
        self.removal = pair.orientation == "removal"
        if top is not None and not self.removal:
            raise BrokenLineError("a line has a top for a removal only: an addition's losses have an end")
        self.sigma = pair.sigma
        self.q, self.s, self.rest = ar.real(pair.rate), ar.real(pair.sigma), ar.real(1 - pair.rate)
        self.half = 1 / (2 * self.s * self.s)
        self.root = ar.sqrt(2 * self.plane.pi())
        self.bare_law = [self.bare.real(value) for value in (self.q, self.s, self.rest, self.half)]
        self.bare_root = self.bare.real(self.root)

    # --- the law ---

    def record(self, y: Fraction) -> Real:
        """q e^u: what the differing record adds to R."""
        return self.q * self.ar.exp(y / self.s - self.half)

    def share(self, y: Fraction) -> Real:
        """p = q e^u/R, increasing in y."""
        record = self.record(y)
        return record / (self.rest + record)

    def power(self, c: Real) -> Real:
        """The exponent of R at a real abscissa."""
        return c + 1 if self.removal else -c

    def record_and_ratio(self, y: Real) -> tuple[Real, Real]:
        """q e^u and R, of bare numbers."""
        q, s, rest, half = self.bare_law
        record = q * self.bare.exp(y / s - half)
        return record, rest + record

    def exponent_and_share(self, y: Real, power: Real) -> tuple[Real, Real]:
        record, ratio = self.record_and_ratio(y)
        return power * self.bare.log(ratio) - y * y / 2, record / ratio

    def of_part(self, ys: list[Fraction], values: list[Real], cut: Cut | None, above: _Part) -> list[Real]:
        """The values at each y times the weight there of a part: above or below the cut, all of it below the top."""
        ar = self.bare
        for place, part in ((self.top, False), (cut, above)):
            if place is not None and part is not None:
                ar.count(_CUT_WORK * len(ys))
                centre, width = ar.real(place.place), ar.real(place.width if part == self.removal else -place.width)
                weights = [ar.dressed(ar.normal_cdf((ar.real(y) - centre) / width)) for y in ys]
                values = [value * weight for value, weight in zip(values, weights, strict=True)]
        return values

    def lost_at_top(self) -> Real:
        """The probability of a round beyond the top, 0 without one.

        P has N(0, 1) with 1 - q and N(1/s, 1) with q, and phi Phi((y - place)/width) integrates to Phi.
        """
        ar = self.ar
        if self.top is None:
            return ar.real(0)
        spread = ar.sqrt(1 + self.top.width**2)
        lost = self.rest * ar.normal_cdf(-self.top.place / spread)
        return lost + self.q * ar.normal_cdf((1 / self.s - self.top.place) / spread)

    # --- bounds ---

    def _falls(self, cut: Cut | None, above: _Part) -> list[Cut]:
        """The cuts whose weight falls with y."""
        found = [] if self.top is None else [self.top]
        return found if cut is None or above is None or above == self.removal else [*found, cut]

    def _cells(
        self, low: Fraction, high: Fraction, c: Real, cut: Cut | None, above: _Part, step: Fraction, fine: Fraction,
        cell: Fraction = _CELL
    ) -> Iterator[_Region]:  # fmt: skip
        """Regions that cover [low, high], as long as a cell up to ``fine`` and growing from there."""
        ar = self.bare
        real, power, bare_step, quarter = ar.real, ar.real(self.power(c)), ar.real(step), ar.real(Fraction(1, 4))
        slope = ar.real(c / (self.s * self.s))
        falling = [(ar.rational(part.place), real(part.place), real(part.width)) for part in self._falls(cut, above)]
        rising = None
        if cut is not None and above is not None and cut not in self._falls(cut, above):
            rising = real(cut.place), real(cut.width)
        low, high, fine, cell = map(ar.rational, (low, high, fine, cell))
        y, at = low, real(low)
        value, p = self.exponent_and_share(at, power)
        while y < high:
            ar.count(_CELL_WORK)
            # An addition's bend would outgrow what its integrand falls.
            after = min(y + (max(cell, (y - fine) / 8) if self.removal and y > fine else cell), high)
            next_at = real(after)
            width = real(after - y)
            next_value, next_p = self.exponent_and_share(next_at, power)
            # Removal: the part in log R is convex, below its chord. Addition: its second derivative is -c p (1-p)/s^2.
            bend = real(1) if self.removal else 1 + slope * ar.minimum(next_p, quarter)
            first, second = value, next_value
            chi = real(1)
            for place, bare_place, spread in falling:
                if y >= place:
                    # Phi(-z) <= e^(-z^2/2)/2 for z >= 0 joins the exponent.
                    z, next_z = (at - bare_place) / spread, (next_at - bare_place) / spread
                    first, second = first - z * z / 2, second - next_z * next_z / 2
                    bend = bend + 1 / (spread * spread)
                else:
                    chi = chi * ar.normal_cdf((bare_place - at) / spread)
            if rising is not None:
                chi = chi * ar.normal_cdf((next_at - rising[0]) / rising[1])
            peak = ar.maximum(first, second) + bend * (width * width / 8)
            most = self.bare_plane.upper(ar.exp(peak) / self.bare_root * chi)
            yield _Region(most * width, most * (width + bare_step), p, next_p)
            y, at, value, p = after, next_at, next_value, next_p

    def _cell(self, cut: Cut | None) -> Fraction:
        """No cell is much wider than a cut."""
        return min(_CELL, *(2 * part.width for part in (self.top, cut) if part is not None), _CELL)

    def _upper_tail(self, y: Fraction, c: Real, cut: Cut | None, above: _Part, step: Fraction) -> _Region:
        """Beyond y; the nodes' sum needs the integrand's bound to fall there."""
        # a log R is below its line at y: of slope a/s, the most it has (a >= 0), or its tangent (a < 0: concave).
        power = self.power(c)
        slope = power / self.s if self.removal else power * self.share(y) / self.s
        falling = [part for part in self._falls(cut, above) if y >= part.place]
        return self._tail(y, power, slope, 1, falling, step, self.share(y), 1)

    def _lower_tail(self, y: Fraction, c: Real, cut: Cut | None, above: _Part, step: Fraction) -> _Region:
        """Below y; the nodes' sum needs the integrand's bound to rise there."""
        # The same: of slope 0, the least it has (a >= 0), or its tangent.
        power = self.power(c)
        slope = self.ar.real(0) if self.removal else power * self.share(y) / self.s
        rising = [] if cut is None or above is None or cut in self._falls(cut, above) or y > cut.place else [cut]
        return self._tail(y, power, slope, -1, rising, step, 0, self.share(y))

    def _tail(
        self, y: Fraction, power: Real, slope: Real, side: int, cuts: list[Cut], step: Fraction, least: Scalar,
        most: Scalar
    ) -> _Region:  # fmt: skip
        """The integral of phi R(y)^a e^(slope (x - y)) times the Gaussians that bound the cuts' weights.

        With f = 1 + sum 1/w^2 and g = y + sum (y - place)/w^2 - slope the exponent at y + d is its value at y minus
        f d^2/2 + g d: over d > 0 it integrates to e^value sqrt(2 pi/f) e^(g^2/(2 f)) Phi(-g/sqrt f).
        """
        ar = self.ar
        value, factor, g = power * ar.log(self.rest + self.record(y)) - y * y / 2, ar.real(1), y - slope
        weight = ar.real(1)
        for cut in cuts:
            z = (y - cut.place) / cut.width
            value, g = value - z * z / 2, g + z / cut.width
            factor = factor + 1 / (cut.width * cut.width)
            weight = weight / 2
        root = ar.sqrt(factor)
        mass = weight * ar.exp(value + g * g / (2 * factor)) * ar.normal_cdf(-side * g / root) / root
        first = weight * ar.exp(value) / self.root * step
        real = self.bare.real
        return _Region(real(self._upper(mass)), real(self._upper(mass + first)), real(least), real(most))

    def _falling_from(self, c: Real, cut: Cut | None, above: _Part) -> Fraction:
        """Beyond it the bound of the integrand's exponent falls, for a removal: where slope a/s meets the Gaussians."""
        falling = self._falls(cut, above)
        squares = [1 / (part.width * part.width) for part in falling]
        slope = self._above(c + 1)
        if not falling:
            return slope
        places = sum(part.place * square for part, square in zip(falling, squares, strict=True))
        return max(Fraction(ceil((slope + places) / (1 + sum(squares)))), *(part.place for part in falling))

    def _outside(
        self, c: Real, nodes: Nodes, cut: Cut | None, above: _Part, far: Fraction | int = 0
    ) -> Iterator[_Region]:
        """What lies beyond the first and the last node, out to where the integrand is monotone, and the tails."""
        first, last = nodes.first * nodes.step, nodes.last * nodes.step
        high = max(last, (self._falling_from(c, cut, above) if self.removal else Fraction(0)) + far)
        low = min(first, Fraction(0))
        if not self.removal:
            rising = self.ar.enclosure(-first - c * self.share(first) / self.s)
            if rising is None or rising.lower < 0:
                low = min(first, -self._above(c))
        cell = self._cell(cut)
        yield from self._cells(low, first, c, cut, above, nodes.step, first, cell)
        yield from self._cells(last, high, c, cut, above, nodes.step, last, cell)
        yield self._lower_tail(low, c, cut, above, nodes.step)
        yield self._upper_tail(high, c, cut, above, nodes.step)

    def _above(self, c: Real) -> Fraction:
        """A whole number above c/s."""
        found = decide.finite(self.ar, c, "a bound of the contour is not finite")
        return Fraction(ceil(found.upper / self.sigma) + 1)

    def _upper(self, value: Scalar) -> Real:
        found: Real = self.plane.upper(value)
        return found

    def _around(self, value: Real, radius: Real) -> Real:
        found: Real = self.plane.around(value, radius)
        return found

    def _float(self, value: Real) -> float:
        found = decide.finite(self.ar, value, "a bound of the contour is not finite")
        try:
            return float(found.upper)
        except OverflowError:
            raise BrokenLineError("a bound of the contour is beyond floats") from None

    def _turn(self, theta: Real) -> _Turn:
        return self.bare.real(self.plane.cosine(theta)), self.bare.real(self.plane.sine(theta))

    def _growth(self, region: _Region, turn: _Turn, c: Real, top: Real | None) -> Real:
        """The most of |R^e|/R^a on a region where theta turns so: e^(top arg R), and (|R|/R)^-c for an addition.

        arg R = arg(1 - p + p e^(i theta)) rises with p; |R|^2/R^2 = 1 - 2 p (1 - p) (1 - cos theta).
        """
        ar, (cos, sin) = self.bare, turn
        ar.count(_GROWTH_WORK)
        growth = ar.real(0)
        if top is not None:
            p = region.most
            growth = top * self.bare_plane.angle(1 - p + p * cos, p * sin)
        if not self.removal:
            product = ar.minimum(ar.minimum(region.most, 1 - region.least), ar.real(Fraction(1, 4)))
            growth = growth - c / 2 * ar.log(1 - 2 * product * (1 - cos))
        return ar.exp(growth)

    def _widening(self, v: Fraction, cut: Cut | None, above: _Part) -> Real:
        """|phi chi| on Im y = v is at most this times phi chi."""
        cuts = [self.top, None if above is None else cut]
        return self.ar.exp(v * v / 2 * (1 + sum(1 / (part.width * part.width) for part in cuts if part is not None)))

    def omitted(self, c: Real, nodes: Nodes, cut: Cut | None, above: _Part, turn: _Turn | None = None) -> Real:
        """A bound of the integral and of the nodes' sum beyond the nodes; with a turn, on the path at its angle."""
        total, bare_c = self.bare.real(0), self.bare.real(c)
        far = 0 if turn is None or self.removal else self._far(bare_c, turn, None)
        for region in self._outside(c, nodes, cut, above, far):
            part = region.integral + region.sum
            total = total + (part if turn is None else part * self._growth(region, turn, bare_c, None))
        return self._upper(self.bare.dressed(total))

    def _far(self, c: Real, turn: _Turn, top: Real | None) -> Fraction:
        """How far from its mode the normal density outweighs all growth on a strip."""
        real = self.bare.real
        worst = _Region(real(0), real(0), real(Fraction(1, 2)), real(1))
        grown = self.bare.dressed(self._growth(worst, turn, c, top))
        return Fraction(isqrt(2 * ceil(_TAIL + self._float(self.ar.log(grown)))) + 2)

    def strip(self, c: Real, nodes: Nodes, cut: Cut | None, above: _Part, top: Fraction, extra: Fraction) -> Real:
        """A bound of the trapezoidal sum's error over all nodes, for |t| <= top; ``extra``: a path shifted already.

        On a shifted path the sum also has the factor e^(-T arg R), which is bounded by 1 here. At the height w above a
        path at v it is e^(-T (arg R((w + v)/s) - arg R((w - v)/s))/2), whose exponent has the sign of
        sin(v/s) ((1 - p) cos(w/s) + p cos(v/s)): it is at most 1 for every p where w <= pi s/2.
        """
        ar = self.ar
        if nodes.strip <= 0:
            raise BrokenLineError("a strip has two sides: its half-width must be positive")
        theta = ar.real(nodes.strip + extra) / self.s
        inside = ar.enclosure(self.plane.pi() - theta)
        if inside is None or inside.lower <= 0:
            raise BrokenLineError("a strip must stay where R has no zero")
        if extra:
            quarter = ar.enclosure(self.plane.pi() / 2 - ar.real(nodes.strip) / self.s)
            if quarter is None or quarter.lower < 0:
                raise BrokenLineError("a strip about a shifted path is at most pi/2 standard deviations high")
        turn, bare_c, bare_top = self._turn(theta), self.bare.real(c), self.bare.real(top) if top else None
        far = self._far(bare_c, turn, bare_top)
        first, last = nodes.first * nodes.step, nodes.last * nodes.step
        high = max(last, (self._falling_from(c, cut, above) if self.removal else Fraction(0)) + far)
        low = min(first, Fraction(0))
        total = self.bare.real(0)
        # So short that e^(top arg R) does not change much on a cell.
        turns = self._float(top * theta * self.share(last if self.top is None else min(last, self.top.place)) / self.s)
        cell = max(min(self._cell(cut), Fraction(1, max(ceil(turns), 1))), (high - low) / _MOST_CELLS)
        # Short cells up to where the cuts have taken all.
        fine = max([last, *(part.place + 12 * part.width for part in self._falls(cut, above))])
        for region in self._cells(low, high, c, cut, above, nodes.step, fine, cell):
            total = total + region.integral * self._growth(region, turn, bare_c, bare_top)
        for region in (
            self._lower_tail(low, c, cut, above, nodes.step), self._upper_tail(high, c, cut, above, nodes.step)
        ):  # fmt: skip
            total = total + region.integral * self._growth(region, turn, bare_c, bare_top)
        decay = ar.expm1(2 * self.plane.pi() * (nodes.strip / nodes.step))
        return self._upper(2 * self.bare.dressed(total) * self._widening(nodes.strip, cut, above) / decay)

    # --- values ---

    def rows(self, c: Real, nodes: Nodes) -> tuple[list[Fraction], list[Real], list[Real]]:
        """The nodes, their log R, and the integrand there times the step."""
        ar, power = self.bare, self.bare.real(self.power(c))
        ar.count(_NODE_WORK * (nodes.last - nodes.first + 1))
        ys = [j * nodes.step for j in range(nodes.first, nodes.last + 1)]
        at = [ar.real(y) for y in ys]
        logs = [ar.log(self.record_and_ratio(y)[1]) for y in at]
        scale = ar.real(nodes.step / self.root)
        weights = [ar.dressed(ar.exp(power * l - y * y / 2) * scale) for y, l in zip(at, logs, strict=True)]
        return ys, [ar.dressed(l) for l in logs], weights

    def error(self, c: Real, nodes: Nodes, top: Fraction, cut: Cut | None = None, above: _Part = None) -> Real:
        """How far the sum over the nodes is from the integral, |t| <= top."""
        return self.omitted(c, nodes, cut, above) + self.strip(c, nodes, cut, above, top, Fraction(0))

    def moment(self, c: Real, nodes: Nodes, cut: Cut | None = None, above: _Part = None) -> Real:
        """The integral at a real abscissa."""
        return self._around(self.moment_on(c, nodes, cut, above), self.error(c, nodes, Fraction(0), cut, above))

    def moment_on(self, c: Real, nodes: Nodes, cut: Cut | None = None, above: _Part = None) -> Real:
        """The same as its nodes have it, whatever that is away from the integral."""
        ys, _, weights = self.rows(c, nodes)
        return self.ar.sum(self.of_part(ys, weights, cut, above))

    def beyond(self, c: Real, nodes: Nodes, cut: Cut | None, shift: Fraction, top: Fraction) -> Real:
        """A bound of |B(c + it)| for all |t| >= top, on the path shifted by ``shift``."""
        ar, power, theta = self.ar, self.power(c), self.ar.real(shift) / self.s
        above = None if cut is None else True
        ys, _, weights = self.rows(c, nodes)
        cos, sin = turn = self._turn(theta)
        bare = self.bare
        bare_power, bare_top = bare.real(power), bare.real(top)
        bare.count(2 * _NODE_WORK * len(ys))
        values = []
        for y, weight in zip(ys, weights, strict=True):
            record, ratio = self.record_and_ratio(bare.real(y))
            p = record / ratio
            across, along = p * sin, 1 - p + p * cos
            modulus = bare.log(across * across + along * along) / 2
            grown = bare.exp(bare_power * modulus - bare_top * self.bare_plane.angle(along, across))
            values.append(weight * bare.dressed(grown))
        total = ar.sum(self.of_part(ys, values, cut, above)) + self.omitted(c, nodes, cut, above, turn)
        total = total + self.strip(c, nodes, cut, above, Fraction(0), shift)
        return self._upper(total * self._widening(shift, cut, above))


class Contour:
    """The profile of k equal rounds along one line, for any epsilon; narrow near the one it was planned for.

    What bounds the errors takes most of the time, and is computed when a bound is asked for first.
    """

    def __init__(self, ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, line: Line) -> None:
        if not 0 < line.abscissa < line.second or line.nodes < 2 or line.shift < 0 or line.period <= 0:
            raise BrokenLineError("a line needs 0 < abscissa < second, two nodes, a period and a shift upward")
        if line.split is not None and pair.orientation != "removal":
            raise BrokenLineError("small losses are split off from those of a removal only")
        self.ar = ar.at(line.precision)
        self.plane = plane(self.ar)
        self.line, self.pair, self.k = line, pair, k
        with self.ar.active():
            self.law = Transform(self.ar, pair, line.top)
            self.c, self.second = self.ar.real(line.abscissa), self.ar.real(line.second)
            self.step = 2 * self.plane.pi() / line.period

    @property
    def abscissa(self) -> Fraction:
        return self.line.abscissa

    @property
    def _cuts(self) -> list[tuple[Cut | None, _Part]]:
        """The parts of the law whose k-th powers are integrated: all of it, and what a split takes off."""
        return [(None, None)] if self.line.split is None else [(None, None), (self.line.cut, False)]

    @cached_property
    def _values(self) -> list[list[Any]]:
        """The sums over the law's nodes of each part, at the contour's nodes."""
        ys, logs, untopped = self.law.rows(self.c, self.line.law)
        losses = logs if self.law.removal else [-l for l in logs]
        weights = [self.law.of_part(ys, untopped, *cut) for cut in self._cuts]
        return self.plane.oscillating_sums(weights, losses, self.step, self.line.nodes)

    def _integrated(self, values: list[Any], error: Real) -> TrigonometricSum:
        return self.plane.trigonometric_sum(
            self.plane.powers_over_kernel(values, error, self.k, self.c, self.step)
        )  # fmt: skip

    @cached_property
    def _sums(self) -> list[TrigonometricSum]:
        top = TURN[1] * (self.line.nodes - 1) / self.line.period
        return [
            self._integrated(values, self.law.error(self.c, self.line.law, top, *cut))
            for cut, values in zip(self._cuts, self._values, strict=True)
        ]

    @cached_property
    def _sum_on_nodes(self) -> TrigonometricSum:
        return self._integrated(self._values[0], self.ar.real(0))

    @cached_property
    def outer(self) -> Real:
        """A bound of the nodes left out, which begin at T, at epsilon 0."""
        law, line, k = self.law, self.line, self.k
        shifted = law.beyond(self.c, line.outer, line.cut, line.shift, TURN[0] * line.nodes / line.period)
        zero = self.ar.real(0)
        below = zero if line.cut is None else self.plane.upper(law.moment(self.c, line.outer, line.cut, False))
        outer = (below + shifted) ** k if line.split is None else k * shifted * (below + shifted) ** (k - 1)
        # The sum of 1/n^2 over n >= N is at most 1/(N - 1).
        return self._upper(outer / (self.plane.pi() * self.step * (line.nodes - 1)))

    @cached_property
    def low(self) -> Real:
        """A bound of the aliases below: no delta is above 1, nor above the mass that is integrated."""
        found = self._upper(1 / self.ar.expm1(self.c * self.line.period))
        if self.line.split is None:
            return found
        ar, law, cut = self.ar, self.law, self._cut
        spread = ar.sqrt(1 + cut.width**2)
        mass = law.rest * ar.normal_cdf(-cut.place / spread)
        mass = mass + law.q * ar.normal_cdf((1 / law.s - cut.place) / spread)
        return self._upper(found * ar.minimum(1, self.k * mass))

    @cached_property
    def topped(self) -> Real:
        """The probability of what is left out: beyond the top, and of A beyond its own."""
        found, split = self._upper(self.k * self.law.lost_at_top()), self.line.split
        if split is None:
            return found
        lost = Transform(self.ar, self.pair, self._cut).moment(self.ar.real(0), split.rest, split.top, True)
        return self._upper(found + self.k * lost)

    @cached_property
    def high(self) -> Real:
        """A bound of the aliases above, at epsilon 0."""
        law, line, k = self.law, self.line, self.k
        if line.split is None:
            return self._aliases_above(law.moment(self.second, line.second_law) ** k)
        # With M = A + B, M^k - A^k <= k B M^(k - 1) for measures, under convolution, and so for moments and masses.
        large = self._upper(law.moment(self.second, line.second_law, self._cut, True))
        rest = self._upper(law.moment(self.second, line.second_law, self._cut, False))
        return self._aliases_above(k * large * (large + rest) ** (k - 1))

    @cached_property
    def _high_on_nodes(self) -> Real:
        return self._aliases_above(self.law.moment_on(self.second, self.line.second_law) ** self.k)

    def _aliases_above(self, moment: Real) -> Real:
        apart = self.ar.expm1((self.second - self.c) * self.line.period)
        return self._upper(moment * kappa(self.ar, self.second) / apart)

    @cached_property
    def _small(self) -> tuple[Real, Real]:
        """The third abscissa, and a bound of A^k there, at epsilon 0.

        A is taken without the law's top, which is larger, and with a sharper one; what is beyond counts in full.
        """
        split = self.line.split
        assert split is not None
        third = self.ar.real(split.third)
        small = self._upper(Transform(self.ar, self.pair, split.top).moment(third, split.third_law, self._cut, False))
        return third, self._upper(small**self.k * kappa(self.ar, third))

    @property
    def _cut(self) -> Cut:
        assert self.line.cut is not None
        return self.line.cut

    def _upper(self, value: Real) -> Real:
        found: Real = self.plane.upper(value)
        return found

    def _at(self, eps: Fraction, *sums: TrigonometricSum) -> tuple[Real, Real]:
        """The first sum less the others at epsilon, and e^(-c eps)."""
        front = self.ar.exp(-self.c * eps)
        angle = -2 * self.plane.pi() / self.line.period * eps
        total = sums[0].real_part(angle)
        for other in sums[1:]:
            total = total - other.real_part(angle)
        return front * total / self.line.period, front

    def about(self, eps: Fraction) -> Enclosure:
        """Where delta(eps) is if the plan's nodes do: for a search, and no bound; the bounds have about its middle."""
        if self.line.split is not None:
            return self.delta(eps)
        with self.ar.active():
            middle, _ = self._at(eps, self._sum_on_nodes)
            low = middle - self.low - self.ar.exp(-self.second * eps) * self._high_on_nodes
            return self._within_one(low, middle + self.topped)

    def bounds(self, eps: Fraction) -> tuple[Real, Real]:
        """A lower and an upper bound of delta(eps), as balls (their lower and upper end)."""
        ar = self.ar
        middle, front = self._at(eps, *self._sums)
        rest = front * self.outer
        low = middle - rest - self.low - ar.exp(-self.second * eps) * self.high
        high = middle + rest + self.topped
        if self.line.split is not None:
            third, reached = self._small
            high = high + reached * ar.exp(-third * eps)
        return low, high

    def delta(self, eps: Fraction) -> Enclosure:
        """delta(eps), between 0 and 1 at the least."""
        with self.ar.active():
            return self._within_one(*self.bounds(eps))

    def _within_one(self, low: Real, high: Real) -> Enclosure:
        found = self.ar.enclosure(low), self.ar.enclosure(high)
        lower_end = Fraction(0) if found[0] is None else max(Fraction(0), found[0].lower)
        return Enclosure(lower_end, Fraction(1) if found[1] is None else min(Fraction(1), found[1].upper))


def kappa(ar: EnclosingArithmetic, b: Real) -> Real:
    """The largest (1 - e^-x) e^(-b x) over x >= 0."""
    return ar.exp(b * ar.log(b) - (b + 1) * ar.log(b + 1))
