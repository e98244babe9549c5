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
from math import ceil, isqrt

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real, Scalar
from privref.exact.complex_interval import TrigonometricSum, plane
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError

from .contour_plan import Cut, Line, Nodes, Split
from .model import SubsampledGaussian

_CELL = Fraction(1, 2)
_MOST_CELLS = 3000
#: How far below the rest the tails of a strip's integral are kept, as a log.
_TAIL = 40
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
    """A piece of the line: bounds of the integral there and of the nodes' sum, and of p = q e^u/R."""

    integral: Real
    sum: Real
    least: Scalar
    most: Scalar


class Transform:
    """Values and bounds of the integrals of one round's law, at one precision."""

    def __init__(self, ar: EnclosingArithmetic, pair: SubsampledGaussian, top: Cut | None = None) -> None:
        self.ar, self.plane = ar, plane(ar)
        self.top = top
        self.removal = pair.orientation == "removal"
        if top is not None and not self.removal:
            raise BrokenLineError("a line has a top for a removal only: an addition's losses have an end")
        self.sigma = pair.sigma
        self.q, self.s, self.rest = ar.real(pair.rate), ar.real(pair.sigma), ar.real(1 - pair.rate)
        self.half = 1 / (2 * self.s * self.s)
        self.root = ar.sqrt(2 * self.plane.pi())

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

    def exponent_and_share(self, y: Fraction, power: Real) -> tuple[Real, Real]:
        record = self.record(y)
        ratio = self.rest + record
        return power * self.ar.log(ratio) - y * y / 2, record / ratio

    def chi(self, y: Fraction, cut: Cut | None, above: _Part) -> Real:
        """The weight of a part at y: above or below the cut, all of it below the top."""
        ar = self.ar
        weight = ar.real(1)
        for place, part in ((self.top, False), (cut, above)):
            if place is not None and part is not None:
                z = (y - place.place) / place.width
                weight = weight * ar.normal_cdf(z if part == self.removal else -z)
        return weight

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
        cell: Fraction = _CELL,
    ) -> Iterator[_Region]:  # fmt: skip
        """Regions that cover [low, high], as long as a cell up to ``fine`` and growing from there."""
        ar, power = self.ar, self.power(c)
        falling = self._falls(cut, above)
        y, (value, p) = low, self.exponent_and_share(low, power)
        while y < high:
            # An addition's bend would outgrow what its integrand falls.
            after = min(y + (max(cell, (y - fine) / 8) if self.removal else cell), high)
            width = after - y
            next_value, next_p = self.exponent_and_share(after, power)
            # Removal: the part in log R is convex, below its chord. Addition: its second derivative is -c p (1-p)/s^2.
            bend = ar.real(1)
            if not self.removal:
                bend = 1 + c * ar.minimum(next_p, Fraction(1, 4)) / (self.s * self.s)
            first, second = value, next_value
            chi = ar.real(1)
            for part in falling:
                if y >= part.place:
                    # Phi(-z) <= e^(-z^2/2)/2 for z >= 0 joins the exponent.
                    z, next_z = (y - part.place) / part.width, (after - part.place) / part.width
                    first, second = first - z * z / 2, second - next_z * next_z / 2
                    bend = bend + 1 / (part.width * part.width)
                else:
                    chi = chi * ar.normal_cdf(ar.real((part.place - y) / part.width))
            if cut is not None and above is not None and cut not in falling:
                chi = chi * ar.normal_cdf(ar.real((after - cut.place) / cut.width))
            peak = ar.maximum(first, second) + bend * (width * width / 8)
            most = self.plane.upper(ar.exp(peak) / self.root * chi)
            yield _Region(most * width, most * (width + step), p, next_p)
            y, value, p = after, next_value, next_p

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
        most: Scalar,
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
        return _Region(self.plane.upper(mass), self.plane.upper(mass + first), least, most)

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
        return self.plane.cosine(theta), self.plane.sine(theta)

    def _growth(self, region: _Region, turn: _Turn, c: Real, top: Fraction | int) -> Real:
        """The most of |R^e|/R^a on a region where theta turns so: e^(top arg R), and (|R|/R)^-c for an addition.

        arg R = arg(1 - p + p e^(i theta)) rises with p; |R|^2/R^2 = 1 - 2 p (1 - p) (1 - cos theta).
        """
        ar, (cos, sin) = self.ar, turn
        growth = ar.real(0)
        if top:
            p = ar.real(region.most)
            growth = top * self.plane.angle(1 - p + p * cos, p * sin)
        if not self.removal:
            product = ar.minimum(ar.minimum(region.most, 1 - ar.real(region.least)), Fraction(1, 4))
            growth = growth - c / 2 * ar.log(1 - 2 * product * (1 - cos))
        return ar.exp(growth)

    def _widening(self, v: Fraction, cut: Cut | None, above: _Part) -> Real:
        """|phi chi| on Im y = v is at most this times phi chi."""
        cuts = [self.top, None if above is None else cut]
        return self.ar.exp(v * v / 2 * (1 + sum(1 / (part.width * part.width) for part in cuts if part is not None)))

    def omitted(self, c: Real, nodes: Nodes, cut: Cut | None, above: _Part, turn: _Turn | None = None) -> Real:
        """A bound of the integral and of the nodes' sum beyond the nodes; with a turn, on the path at its angle."""
        total = self.ar.real(0)
        far = 0 if turn is None or self.removal else self._far(c, turn, Fraction(0))
        for region in self._outside(c, nodes, cut, above, far):
            part = region.integral + region.sum
            total = total + (part if turn is None else part * self._growth(region, turn, c, 0))
        return self._upper(total)

    def _far(self, c: Real, turn: _Turn, top: Fraction) -> Fraction:
        """How far from its mode the normal density outweighs all growth on a strip."""
        worst = _Region(self.q, self.q, Fraction(1, 2), 1)
        return Fraction(isqrt(2 * ceil(_TAIL + self._float(self.ar.log(self._growth(worst, turn, c, top))))) + 2)

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
        turn = self._turn(theta)
        far = self._far(c, turn, top)
        first, last = nodes.first * nodes.step, nodes.last * nodes.step
        high = max(last, (self._falling_from(c, cut, above) if self.removal else Fraction(0)) + far)
        low = min(first, Fraction(0))
        total = ar.real(0)
        # So short that e^(top arg R) does not change much on a cell.
        turns = self._float(top * theta * self.share(last if self.top is None else min(last, self.top.place)) / self.s)
        cell = max(min(self._cell(cut), Fraction(1, max(ceil(turns), 1))), (high - low) / _MOST_CELLS)
        # Short cells up to where the cuts have taken all.
        fine = max([last, *(part.place + 12 * part.width for part in self._falls(cut, above))])
        for region in self._cells(low, high, c, cut, above, nodes.step, fine, cell):
            total = total + region.integral * self._growth(region, turn, c, top)
        for region in (
            self._lower_tail(low, c, cut, above, nodes.step), self._upper_tail(high, c, cut, above, nodes.step)
        ):  # fmt: skip
            total = total + region.integral * self._growth(region, turn, c, top)
        decay = ar.expm1(2 * self.plane.pi() * (nodes.strip / nodes.step))
        return self._upper(2 * total * self._widening(nodes.strip, cut, above) / decay)

    # --- values ---

    def rows(self, c: Real, nodes: Nodes) -> tuple[list[Fraction], list[Real], list[Real]]:
        """The nodes, their log R, and the integrand there times the step."""
        ar, power = self.ar, self.power(c)
        ys = [j * nodes.step for j in range(nodes.first, nodes.last + 1)]
        logs = [ar.log(self.rest + self.record(y)) for y in ys]
        scale = nodes.step / self.root
        return ys, logs, [ar.exp(power * l - y * y / 2) * scale for y, l in zip(ys, logs, strict=True)]

    def error(self, c: Real, nodes: Nodes, top: Fraction, cut: Cut | None = None, above: _Part = None) -> Real:
        """How far the sum over the nodes is from the integral, |t| <= top."""
        return self.omitted(c, nodes, cut, above) + self.strip(c, nodes, cut, above, top, Fraction(0))

    def moment(self, c: Real, nodes: Nodes, cut: Cut | None = None, above: _Part = None) -> Real:
        """The integral at a real abscissa."""
        ys, _, weights = self.rows(c, nodes)
        if above is not None or self.top is not None:
            weights = [w * self.chi(y, cut, above) for y, w in zip(ys, weights, strict=True)]
        return self._around(self.ar.sum(weights), self.error(c, nodes, Fraction(0), cut, above))

    def beyond(self, c: Real, nodes: Nodes, cut: Cut | None, shift: Fraction, top: Fraction) -> Real:
        """A bound of |B(c + it)| for all |t| >= top, on the path shifted by ``shift``."""
        ar, power, theta = self.ar, self.power(c), self.ar.real(shift) / self.s
        above = None if cut is None else True
        ys, _, weights = self.rows(c, nodes)
        cos, sin = turn = self._turn(theta)
        values = []
        for y, weight in zip(ys, weights, strict=True):
            p = self.share(y)
            across, along = p * sin, 1 - p + p * cos
            modulus = ar.log(across * across + along * along) / 2
            values.append(
                weight * self.chi(y, cut, above) * ar.exp(power * modulus - top * self.plane.angle(along, across))
            )
        total = ar.sum(values) + self.omitted(c, nodes, cut, above, turn)
        total = total + self.strip(c, nodes, cut, above, Fraction(0), shift)
        return self._upper(total * self._widening(shift, cut, above))


class Contour:
    """The profile of k equal rounds along one line, for any epsilon; narrow near the one it was planned for."""

    def __init__(self, ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, line: Line) -> None:
        if not 0 < line.abscissa < line.second or line.nodes < 2 or line.shift < 0 or line.period <= 0:
            raise BrokenLineError("a line needs 0 < abscissa < second, two nodes, a period and a shift upward")
        self.ar = ar.at(line.precision)
        self.plane = plane(self.ar)
        self.line = line
        with self.ar.active():
            self._prepare(pair, k, line)

    @property
    def abscissa(self) -> Fraction:
        return self.line.abscissa

    def _prepare(self, pair: SubsampledGaussian, k: int, line: Line) -> None:
        ar, law, c = self.ar, Transform(self.ar, pair, line.top), self.ar.real(line.abscissa)
        self.c, self.second = c, ar.real(line.second)
        step = 2 * self.plane.pi() / line.period
        top = TURN[1] * (line.nodes - 1) / line.period
        ys, logs, untopped = law.rows(c, line.law)
        losses = logs if law.removal else [-l for l in logs]
        cuts: list[tuple[Cut | None, _Part]] = [(None, None)]
        if line.split is not None:
            assert line.cut is not None
            cuts.append((line.cut, False))
        weights = [[w * law.chi(y, *cut) for y, w in zip(ys, untopped, strict=True)] for cut in cuts]
        summed = [
            self.plane.trigonometric_sum(
                self.plane.powers_over_kernel(sums, law.error(c, line.law, top, *cut), k, c, step)
            )
            for cut, sums in zip(cuts, self.plane.oscillating_sums(weights, losses, step, line.nodes), strict=True)
        ]
        self.sum: TrigonometricSum = summed[0]
        self.small: TrigonometricSum | None = summed[1] if len(summed) > 1 else None
        # The nodes left out begin at T.
        shifted = law.beyond(c, line.outer, line.cut, line.shift, TURN[0] * line.nodes / line.period)
        below = ar.real(0) if line.cut is None else self.plane.upper(law.moment(c, line.outer, line.cut, False))
        self.outer = (below + shifted) ** k if line.split is None else k * shifted * (below + shifted) ** (k - 1)
        # The sum of 1/n^2 over n >= N is at most 1/(N - 1).
        self.outer = self.plane.upper(self.outer / (self.plane.pi() * step * (line.nodes - 1)))
        self.low = self.plane.upper(1 / ar.expm1(c * line.period))
        self.topped = self.plane.upper(k * law.lost_at_top())
        if line.split is None:
            beyond = law.moment(self.second, line.second_law) ** k
        else:
            beyond = self._prepare_split(pair, k, line, line.split, law)
        self.high = self.plane.upper(beyond * kappa(ar, self.second) / ar.expm1((self.second - c) * line.period))

    def _prepare_split(self, pair: SubsampledGaussian, k: int, line: Line, split: Split, law: Transform) -> Real:
        """What bounds A^k at epsilon, and the mass of M^k - A^k; returns its moment at the second abscissa.

        With M = A + B, M^k - A^k <= k B M^(k - 1) for measures, under convolution, and so for moments and masses.
        """
        ar, cut = self.ar, line.cut
        assert cut is not None
        if pair.orientation != "removal":
            raise BrokenLineError("small losses are split off from those of a removal only")
        # A without the law's top, which is larger, and with a sharper one; what is beyond counts in full.
        self.third = ar.real(split.third)
        small = self.plane.upper(Transform(ar, pair, split.top).moment(self.third, split.third_law, cut, False))
        self.reached = self.plane.upper(small**k * kappa(ar, self.third))
        lost = Transform(ar, pair, cut).moment(ar.real(0), split.rest, split.top, True)
        self.topped = self.plane.upper(self.topped + k * lost)
        spread = ar.sqrt(1 + cut.width**2)
        mass = law.rest * ar.normal_cdf(-cut.place / spread)
        mass = mass + law.q * ar.normal_cdf((1 / law.s - cut.place) / spread)
        self.low = self.plane.upper(self.low * ar.minimum(1, k * mass))
        large = self.plane.upper(law.moment(self.second, line.second_law, cut, True))
        rest = self.plane.upper(law.moment(self.second, line.second_law, cut, False))
        found: Real = k * large * (large + rest) ** (k - 1)
        return found

    def bounds(self, eps: Fraction) -> tuple[Real, Real]:
        """A lower and an upper bound of delta(eps), as balls (their lower and upper end)."""
        ar = self.ar
        front = ar.exp(-self.c * eps)
        angle = -2 * self.plane.pi() / self.line.period * eps
        total = self.sum.real_part(angle)
        if self.small is not None:
            total = total - self.small.real_part(angle)
        sum_ = front * total / self.line.period
        rest = front * self.outer
        low = sum_ - rest - self.low - ar.exp(-self.second * eps) * self.high
        high = sum_ + rest + self.topped
        if self.small is not None:
            high = high + self.reached * ar.exp(-self.third * eps)
        return low, high

    def delta(self, eps: Fraction) -> Enclosure:
        """delta(eps), between 0 and 1 at the least."""
        with self.ar.active():
            low, high = self.bounds(eps)
            found = self.ar.enclosure(low), self.ar.enclosure(high)
        lower_end = Fraction(0) if found[0] is None else max(Fraction(0), found[0].lower)
        return Enclosure(lower_end, Fraction(1) if found[1] is None else min(Fraction(1), found[1].upper))


def kappa(ar: EnclosingArithmetic, b: Real) -> Real:
    """The largest (1 - e^-x) e^(-b x) over x >= 0."""
    return ar.exp(b * ar.log(b) - (b + 1) * ar.log(b + 1))
