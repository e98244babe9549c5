"""The masses of a Gaussian round on the points of a fine grid, in integers: a recurrence and one polynomial.

The tilted loss has the density g of N(m, mu^2), m = (tilt + 1/2) mu^2. What the grid point j h stores is an integral
of g(j h + u) against a kernel k(u) on |u| <= h that does not depend on j (``loss_grid`` says which):

- spread: e^(-tilt u) (e^-u - e^-h)/(1 - e^-h) for u > 0 and e^(-tilt u) (1 - e^-(h + u))/(1 - e^-h) for u < 0;
- merge: e^(-tilt u) for P and e^(-(tilt + 1) u) for Q, |u| <= h/2.

With b = j h/mu^2 - 1/2 it is g(j h) e^(-(b - tilt) u - u^2/(2 mu^2)), and the tilt cancels: every kernel is a
combination of integrals of e^(-b u - u^2/(2 mu^2)) and of the same with b + 1, each a power series in b. As a
polynomial in T = (b + 1/2) h = j h^2/mu^2 its coefficients are enclosed once; the g(j h) follow from the one nearest
to m by ratios that are a geometric sequence. Points are integers from there on, rounded outward.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real
from privref.exact.complex_interval import plane
from privref.exact.errors import MorePrecisionError
from privref.exact.work import spend

#: The series are used for |T|, h and h^2/mu^2 up to this: beyond it points are few, and each is computed on its own.
_MOST = Fraction(1, 4)
_MOST_TERMS = 200
_HALF = Fraction(1, 2)
#: Bits beyond those that are asked for.
_GUARD = 64

#: An integral of e^(-b u - u^2/(2 mu^2)) over h: weights of the powers of (b + 1) h, and of those of b h.
Series = tuple[list[Real], list[Real]]


@dataclass(frozen=True, slots=True)
class GaussianCells:
    """A Gaussian round on grid points low … high of step h, in units of 2^-bits."""

    ar: EnclosingArithmetic
    mu_squared: Fraction
    step: Fraction
    tilt: Fraction
    low: int
    high: int
    bits: int

    @property
    def reachable(self) -> bool:
        """Whether the series converge fast on all of the points."""
        ratio = self.step * self.step / self.mu_squared
        return max(ratio, self.step, max(abs(self.low), abs(self.high)) * ratio) <= _MOST

    @property
    def _largest(self) -> Fraction:
        """At least |b h| and |(b + 1) h| on all points."""
        return max(abs(self.low), abs(self.high)) * self.step * self.step / self.mu_squared + self.step

    def spread(self) -> dict[int, tuple[int, int]]:
        """What each point gets from the cells on both sides of it."""
        ar = self._inner()
        with ar.active():
            kept, whole = ar.exp(-self.step), -ar.expm1(-self.step)
            shifted, plain = [], []
            for n, moment in enumerate(self._moments(ar, Fraction(1))):
                share = moment / whole
                # Above the point (-(b + 1) u, then -b u), and below it the same with the sign of u turned.
                shifted.append(share * ((-1) ** n - kept))
                plain.append(share * (1 - (-1) ** n * kept))
            return self._cells(ar, (shifted, plain), 2 / self.step + 2)

    def merge(self) -> tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]]:
        """What each label has under P and under Q."""
        ar = self._inner()
        with ar.active():
            even = [(1 + (-1) ** n) * moment for n, moment in enumerate(self._moments(ar, _HALF))]
            none: list[Real] = []
            return self._cells(ar, (none, even), Fraction(2)), self._cells(ar, (even, none), Fraction(2))

    def _inner(self) -> EnclosingArithmetic:
        points = self.high - self.low + 1
        fine = self.bits + _GUARD + 2 * points.bit_length()
        # What 1/(1 - e^-h) loses again.
        return self.ar.at(fine + _GUARD + math.ceil(1 / self.step).bit_length())

    def _terms(self) -> int:
        """The number of terms after which the rest of a series is below a unit: its terms fall faster than by 1/2
        each."""
        largest = float(self._largest)
        wanted = (self.bits + _GUARD + math.log2(1 + 1 / float(self.step))) * math.log(2)
        for n in range(2, _MOST_TERMS):
            if math.lgamma(n + 1) - n * math.log(largest) > wanted:
                return n
        raise MorePrecisionError("a Gaussian round needs too many terms on this grid")

    def _moments(self, ar: EnclosingArithmetic, end: Fraction) -> list[Real]:
        """The integrals of v^n e^(-h^2 v^2/(2 mu^2))/n! over 0 < v < end <= 1: alternating series that fall."""
        kappa = self.step * self.step / (2 * self.mu_squared)
        found: list[Real] = []
        factorial = 1
        for n in range(self._terms()):
            factorial *= max(n, 1)
            total, weight, k = ar.real(0), ar.real(end ** (n + 1)), 0
            while True:
                term = weight / (n + 2 * k + 1)
                total = total + term if k % 2 == 0 else total - term
                size = decide.finite(ar, term, "a moment of a Gaussian cell has no finite enclosure")
                if size.upper <= Fraction(1, 1 << ar.precision):
                    break
                k += 1
                weight = weight * (kappa * end * end / k)
            # The rest has the sign of the next term and is smaller.
            found.append(ar.hull(total - term, total + term) / factorial)
        return found

    def _polynomial(self, ar: EnclosingArithmetic, series: Series) -> list[Real]:
        """The series as one in T: b h = T - h/2, (b + 1) h = T + h/2."""
        size = max(map(len, series))
        total = [ar.real(0)] * size
        for weights, shift in zip(series, (self.step / 2, -self.step / 2), strict=True):
            powers = [shift**k for k in range(len(weights))]
            for n, weight in enumerate(weights):
                for k in range(n + 1):
                    total[k] = total[k] + weight * (math.comb(n, k) * powers[n - k])
        return total

    def _cells(self, ar: EnclosingArithmetic, series: Series, scale: Fraction) -> dict[int, tuple[int, int]]:
        """h g(j h) times the series at j; ``scale`` bounds what multiplies t^n/n! in it."""
        points = self.high - self.low + 1
        spend(2 * points)
        fine = self.bits + _GUARD + 2 * points.bit_length()
        wide = self.bits + _GUARD // 2
        coefficients, errors, sizes = [], [], []
        for weight in self._polynomial(ar, series):
            low, high = _outward(ar, weight, wide)
            coefficients.append((low + high) >> 1)
            errors.append(high - low + 2)
            sizes.append(max(abs(low), abs(high)) + 2)
        # Horner at |T| <= 1/4 + 2^-wide, T known to 2 units, each step rounded down: the error in units, step by step.
        error, size = errors[-1], sizes[-1]
        for own, mine in zip(errors[-2::-1], sizes[-2::-1], strict=True):
            error = own + 2 + (error >> 1) + 1 + 2 * (size >> wide) + 2
            size = mine + (size >> 1) + 1
        # The rest of the series: |t|^n/n! with |t| <= |T| + h, twice its first term.
        terms = len(coefficients)
        rest = 4 * scale * self._largest**terms / math.factorial(terms)
        error += math.ceil(rest * (1 << wide)) + 1
        # T is j times this.
        ratio, drop = self.step * self.step / self.mu_squared, points.bit_length() + abs(self.low).bit_length()
        slope = (ratio.numerator << (wide + drop)) // ratio.denominator
        top = coefficients[-1]
        lower_first = coefficients[-2::-1]
        found: dict[int, tuple[int, int]] = {}
        for j, below, above in self._densities(ar, fine):
            at = j * slope >> drop
            value = top
            for coefficient in lower_first:
                value = coefficient + (value * at >> wide)
            low, high = max(value - error, 0), max(value + error, 0)
            shift = fine + wide - self.bits
            found[j] = below * low >> shift, -(-above * high >> shift)
        return found

    def _densities(self, ar: EnclosingArithmetic, fine: int) -> Iterator[tuple[int, int, int]]:
        """Bounds of h g(j h) in units of 2^-fine, from the point nearest to the mean outward."""
        step, mu_squared = self.step, self.mu_squared
        mean = (self.tilt + _HALF) * mu_squared
        start = min(max(round(mean / step), self.low), self.high)
        pi = plane(ar).pi()

        def bounds(value: Real) -> tuple[int, int]:
            low, high = _outward(ar, value, fine)
            return max(low, 0), high

        peak = step * ar.exp(-((start * step - mean) ** 2) / (2 * mu_squared)) / ar.sqrt(2 * pi * mu_squared)
        first = bounds(peak)
        fall = bounds(ar.exp(-step * step / mu_squared))
        yield start, *first
        for way, end in ((1, self.high), (-1, self.low)):
            # g((j + way) h)/g(j h) = e^(-(h^2 + 2 way h (j h - m))/(2 mu^2)).
            ratio = bounds(ar.exp(-(step * step + 2 * way * step * (start * step - mean)) / (2 * mu_squared)))
            (low, high), (ratio_low, ratio_high) = first, ratio
            for j in range(start + way, end + way, way):
                low, high = low * ratio_low >> fine, -(-high * ratio_high >> fine)
                ratio_low, ratio_high = ratio_low * fall[0] >> fine, -(-ratio_high * fall[1] >> fine)
                yield j, low, high


def _outward(ar: EnclosingArithmetic, value: Real, bits: int) -> tuple[int, int]:
    """The value's bounds in units of 2^-bits, of any sign."""
    return decide.finite(ar, value, "a mass has no finite enclosure").in_units(bits)
