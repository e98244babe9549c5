"""Laws of the privacy loss on a grid, with integer masses and a proved direction for every step.

A pair of laws (P, Q) is known through its privacy loss L = log P/Q. Its profile is
delta(eps) = sum over outcomes of (P - e^eps Q)_+ = E_P[(1 - e^(eps - L))_+] = E_Q[(X - e^eps)_+], X = e^L.
For independent rounds the losses add, so the law of the sum is a convolution. Here it is one of integers.

**Units.** A fine unit u (a rational number of nats) is chosen so that all losses are integers; the grid point j is the
loss j h with h = stride * u. A mass is an integer in units of 2^-bits. Masses are *tilted*: what is stored for mass p
at loss l is p e^(tilt l), divided by a constant that the caller knows, so that the masses near the loss of interest
are the large ones and a delta of 10^-30 keeps all its digits.

**Masses** (``GridMeasure``). Coefficients are rounded down, always, and what is dropped outside a window is dropped;
``total`` is an upper bound of the whole true mass. Convolution is monotone in non-negative coefficients, so the
coefficients stay lower bounds of the true ones, and ``missing`` = total - kept bounds the mass that was rounded away
or dropped, wherever it lies. So for every weight w >= 0: sum m w <= integral w <= sum m w + missing * sup w.

**Upper bound: ``spread``** (as in Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, Connect the dots) moves mass p
at a loss l strictly between a = j h and b = (j+1) h onto a and b, keeping the mass of both laws:
p_a + p_b = p and p_a e^-a + p_b e^-b = p e^-l, that is
p_b = p (1 - e^-(l-a)) / (1 - e^-h), p_a = p - p_b.
Under Q this is a mean-preserving spread of X: mass p e^-l at X = e^l goes to e^a and e^b with the same total and mean.
For fixed values of the other rounds' ratios, with product Y, (X Y - e^eps)_+ is convex in X; so by Jensen each spread
can only raise E_Q[(X Y - e^eps)_+] and the spread pair dominates, also in any composition and for any adaptive use of
such a convex value. Second order: it adds (l-a)(b-l) <= h^2/4 to the variance of the loss and nothing to its first
exponential moments under P and Q.

**Lower bound: ``merge``** gives each outcome an integer label, the nearest grid point to its loss, and keeps the mass
of each label under P and under Q separately. The label, and the sum of labels over rounds, is a function of the
outcomes: a post-processing. So by data processing every (P(A) - e^eps Q(A)) of a set A of label sums is a lower bound.
P-masses are rounded down (``masses``); for Q the upper bound is masses plus ``missing``. The loss is replaced by its
barycentre within a label, so the error is again of second order: the conditional variance of the loss given the label,
at most h^2/4 a round. A label is not a loss: use the two masses.

A truncated or rounded outcome is in P's ``missing`` for the upper bound (its weight is at most sup w), and simply
dropped in P and added to Q in the lower one.

The mass at infinite loss (delta_i) stays outside: a round with delta_i is, with probability delta_i, an outcome of
infinite loss, and else the pure round; k rounds have delta = 1 - prod(1-delta_i) (1 - delta_pure).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real, Scalar
from privref.exact.integer_poly import IntegerPolynomial
from privref.exact.work import spend

from .gaussian_cells import GaussianCells

#: Bits that atoms and split weights carry beyond those of the grid's masses.
GUARD_BITS = 48

_HALF = Fraction(1, 2)
_MINUS = Fraction(-1)


@dataclass(frozen=True, slots=True)
class Grid:
    """Grid points j * stride * unit; masses in units of 2^-bits, stored times e^(tilt * loss)."""

    unit: Fraction
    stride: int
    bits: int
    tilt: Fraction = Fraction(0)

    @property
    def step(self) -> Fraction:
        """The distance of two grid points, in nats."""
        return self.unit * self.stride


@dataclass(frozen=True, slots=True)
class Atom:
    """An outcome (or several of the same loss): its loss in fine units, and bounds of its tilted mass.

    The mass is in units of 2^-(bits + GUARD_BITS).
    """

    loss: int
    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class AtomLaw:
    """A finite law: atoms, and an upper bound of the whole tilted mass, that of atoms left out included."""

    atoms: list[Atom]
    total: int


@dataclass(frozen=True, slots=True)
class GridLaw:
    """A law on a grid: for each index a lower and an upper bound of its mass, in units of 2^-bits.

    ``total`` bounds the whole mass from above, also that of atoms that were left out as too small.
    """

    grid: Grid
    bounds: dict[int, tuple[int, int]]
    total: int

    def measure(self) -> GridMeasure:
        """The masses rounded down, for convolution."""
        low = min(self.bounds)
        spend((max(self.bounds) - low) >> 3)
        coefficients = [0] * (max(self.bounds) - low + 1)
        for j, (mass, _) in self.bounds.items():
            coefficients[j - low] = mass
        return GridMeasure(self.grid, low, IntegerPolynomial(coefficients), self.total)


def randomized_response(ar: EnclosingArithmetic, eps: int, count: int, grid: Grid) -> AtomLaw:
    """The loss of ``count`` independent randomized responses, as atoms; their tilted masses sum to 1.

    ``eps`` is in fine units. Untilted (tilt 0) the mass is that under P. In general the sum of p e^(tilt l) is divided
    out: it is ``log_normaliser`` per response. The tilted law is binomial: the loss (count - 2 l) eps has mass
    C(count, l) s^(count-l) (1-s)^l with s = 1/(1 + e^(-(1 + 2 tilt) eps)). The masses run from the mode outward, so
    that each directed integer step shrinks what it rounds; what is below one unit is left out (it is ``missing``).
    """
    work = grid.bits + GUARD_BITS
    if eps == 0 or count == 0:
        return AtomLaw([Atom(0, 1 << work, 1 << work)], 1 << work)
    exponent = (1 + 2 * grid.tilt) * eps * grid.unit
    if exponent > work:
        # A minus has probability below e^-work: all count of them below one unit each.
        return AtomLaw([Atom(count * eps, max((1 << work) - count, 0), 1 << work)], 1 << work)
    odds = ar.exp(-exponent)
    if count == 1:
        # The integer way to the same two masses, for the many ledgers whose rounds all differ.
        low, high = fixed(ar, odds, work)
        whole = 1 << work
        plus_low, plus_high = (whole << work) // (whole + high), -((-whole << work) // (whole + low))
        return AtomLaw([Atom(eps, plus_low, plus_high), Atom(-eps, whole - plus_high, whole - plus_low)], whole)
    plus, minus = 1 / (1 + odds), odds / (1 + odds)
    # Any starting index is valid; the mode keeps everything else smaller.
    mode = min(count, fixed(ar, minus, work)[0] * (count + 1) >> work)
    start = fixed(ar, comb(count, mode) * plus ** (count - mode) * minus**mode, work)
    down = fixed(ar, odds, work)
    up = fixed(ar, 1 / odds, work)
    atoms = [Atom((count - 2 * mode) * eps, *start)]
    lower, upper = start
    for l in range(mode, count):
        lower, upper = _step(lower, upper, down, count - l, l + 1, work)
        if not lower:
            break
        atoms.append(Atom((count - 2 * (l + 1)) * eps, lower, upper))
    lower, upper = start
    for l in range(mode, 0, -1):
        lower, upper = _step(lower, upper, up, l, count - l + 1, work)
        if not lower:
            break
        atoms.append(Atom((count - 2 * (l - 1)) * eps, lower, upper))
    return AtomLaw(atoms, 1 << work)


def log_normaliser(ar: EnclosingArithmetic, eps: Scalar, tilt: Fraction) -> Real:
    """The log of the moment that tilting divides out of one randomized response: log E_P[e^(tilt L)].

    log((e^((1+tilt) eps) + e^(-tilt eps)) / (1 + e^eps)), written so that nothing overflows.
    """
    grown = ar.log1p(ar.exp(-(1 + 2 * tilt) * ar.real(eps))) - ar.log1p(ar.exp(-ar.real(eps)))
    return grown + tilt * ar.real(eps)


def fixed(ar: EnclosingArithmetic, value: Scalar, bits: int) -> tuple[int, int]:
    """The value's bounds as integers in units of 2^-bits, rounded outward."""
    if type(value) not in (int, Fraction):
        ends = ar.in_units(value, bits)
        if ends is not None:
            return max(ends[0], 0), ends[1]
    low, high = decide.finite(ar, value, "a mass has no finite enclosure").in_units(bits)
    return max(low, 0), high


def _step(lower: int, upper: int, factor: tuple[int, int], n: int, d: int, bits: int) -> tuple[int, int]:
    """Both bounds times factor * n / d, rounded outward."""
    return (lower * factor[0] * n // d) >> bits, -((-upper * factor[1] * n // d) >> bits)


def convolve_atoms(first: AtomLaw, second: AtomLaw, grid: Grid) -> AtomLaw:
    """The law of the sum of two independent losses, exactly in the losses; equal losses are united."""
    work = grid.bits + GUARD_BITS
    found: dict[int, tuple[int, int]] = {}
    for a in first.atoms:
        for b in second.atoms:
            loss = a.loss + b.loss
            low, high = found.get(loss, (0, 0))
            found[loss] = low + a.lower * b.lower, high + a.upper * b.upper
    atoms = [Atom(loss, low >> work, -(-high >> work)) for loss, (low, high) in found.items()]
    return AtomLaw(atoms, -(-first.total * second.total >> work))


def spread(law: AtomLaw, grid: Grid) -> GridLaw:
    """The law's mass split onto neighbouring grid points: it dominates the law (see the module)."""
    splitter = _Splitter(grid)
    work = splitter.bits
    cells = _Filler(splitter, law, abs(grid.tilt))
    for atom in law.atoms:
        j, offset = divmod(atom.loss, grid.stride)
        if not offset:
            cells.add(j, atom.lower, atom.upper)
            continue
        low_a, high_a, low_b, high_b = splitter.shares(offset)
        cells.add(j, atom.lower * low_a >> work, -(-atom.upper * high_a >> work))
        cells.add(j + 1, atom.lower * low_b >> work, -(-atom.upper * high_b >> work))
    return cells.done(grid)


def merge(law: AtomLaw, grid: Grid) -> tuple[GridLaw, GridLaw]:
    """The masses of the labels under P and under Q: a post-processing (see the module).

    P is stored times e^(tilt j h), Q times e^((1 + tilt) j h), where j is the label, both with the same constant
    divided out: near the loss of interest they have about the same size. The grid of Q's cells has that tilt.
    """
    splitter = _Splitter(grid)
    work = splitter.bits
    q_grid = Grid(grid.unit, grid.stride, grid.bits, grid.tilt + 1)
    p_cells = _Filler(splitter, law, abs(grid.tilt))
    q_cells = _Filler(splitter, law, abs(q_grid.tilt))
    for atom in law.atoms:
        j, offset = divmod(2 * atom.loss + grid.stride, 2 * grid.stride)
        # Twice (the label's grid point minus the loss), in fine units: in (-stride, stride].
        excess = grid.stride - offset
        low, high = splitter.exponential(grid.tilt / 2, excess)
        p_low, p_high = atom.lower * low >> work, -(-atom.upper * high >> work)
        p_cells.add(j, p_low, p_high)
        low, high = splitter.exponential(_HALF, excess)
        q_cells.add(j, p_low * low >> work, -(-p_high * high >> work))
    return p_cells.done(grid), q_cells.done(q_grid)


def spread_gaussian(ar: EnclosingArithmetic, mu_squared: Fraction, grid: Grid, low: int, high: int) -> tuple[GridLaw]:
    """The spread law of a Gaussian round on the grid points low..high; what lies outside is in its total.

    Under P the loss is N(mu^2/2, mu^2), under Q N(-mu^2/2, mu^2). From the interval between the grid points a and b,
    with masses P_c and Q_c, the point b gets the integral of (1 - e^-(l-a))/(1 - e^-h) dP = (P_c - e^a Q_c)/(1 - e^-h),
    because e^-l dP = dQ, and a gets the rest of P_c. ``log_gaussian_normaliser`` is divided out.
    """
    inner = ar.at(grid.bits + 3 * GUARD_BITS)
    work = grid.bits + GUARD_BITS
    cells = GaussianCells(ar, mu_squared, grid.step, grid.tilt, low, high, work)
    with inner.active():
        gaussian = _GaussianTails(inner, mu_squared, grid)
        outside = gaussian.outside(low * grid.step, high * grid.step) * inner.exp(abs(grid.tilt) * grid.step)
        beyond = fixed(inner, outside, work)[1]
        if cells.reachable:
            bounds = cells.spread()
            return (finish(grid, bounds, sum(upper for _, upper in bounds.values()) + beyond),)
        bounds = {}
        shrink = 1 / -inner.expm1(-grid.step)
        last_p, last_q = gaussian.above(Fraction(low) * grid.step)
        carried: Scalar = 0
        for j in range(low, high + 1):
            if j < high:
                next_p, next_q = gaussian.above((j + 1) * grid.step)
                mass = last_p - next_p
                to_next = (mass - inner.exp(j * grid.step) * (last_q - next_q)) * shrink
                stored: Scalar = mass - to_next + carried
                carried, last_p, last_q = to_next, next_p, next_q
            else:
                stored = carried
            bounds[j] = fixed(inner, stored * gaussian.weight(grid.tilt, j), work)
        total = sum(upper for _, upper in bounds.values()) + beyond
    return (finish(grid, bounds, total),)


def merge_gaussian(
    ar: EnclosingArithmetic, mu_squared: Fraction, grid: Grid, low: int, high: int
) -> tuple[GridLaw, GridLaw]:
    """The label masses of a Gaussian round under P and Q: label j is the loss within half a step of j h."""
    inner = ar.at(grid.bits + 3 * GUARD_BITS)
    work = grid.bits + GUARD_BITS
    q_grid = Grid(grid.unit, grid.stride, grid.bits, grid.tilt + 1)
    cells_of_labels = GaussianCells(ar, mu_squared, grid.step, grid.tilt, low, high, work)
    with inner.active():
        gaussian = _GaussianTails(inner, mu_squared, grid)
        p_bounds: dict[int, tuple[int, int]] = {}
        q_bounds: dict[int, tuple[int, int]] = {}
        if cells_of_labels.reachable:
            p_bounds, q_bounds = cells_of_labels.merge()
        else:
            last_p, last_q = gaussian.above((low - _HALF) * grid.step)
            for j in range(low, high + 1):
                next_p, next_q = gaussian.above((j + _HALF) * grid.step)
                p_bounds[j] = fixed(inner, (last_p - next_p) * gaussian.weight(grid.tilt, j), work)
                q_bounds[j] = fixed(inner, (last_q - next_q) * gaussian.weight(q_grid.tilt, j), work)
                last_p, last_q = next_p, next_q
        tails = gaussian.outside((low - _HALF) * grid.step, (high + _HALF) * grid.step)
        cells = []
        for place, bounds in ((grid, p_bounds), (q_grid, q_bounds)):
            outside = fixed(inner, tails * inner.exp(abs(place.tilt) * grid.step), work)[1]
            cells.append(finish(place, bounds, sum(upper for _, upper in bounds.values()) + outside))
    return cells[0], cells[1]


def log_gaussian_normaliser(mu_squared: Fraction, tilt: Fraction) -> Fraction:
    """log E_P[e^(tilt L)] of a Gaussian round: tilt (tilt + 1) mu^2 / 2."""
    return tilt * (tilt + 1) * mu_squared / 2


class _GaussianTails:
    def __init__(self, ar: EnclosingArithmetic, mu_squared: Fraction, grid: Grid) -> None:
        self.ar, self.mu_squared, self.grid = ar, mu_squared, grid
        self.mu, self.half = ar.sqrt(mu_squared), mu_squared / 2
        self.normaliser = log_gaussian_normaliser(mu_squared, grid.tilt)

    def above(self, loss: Fraction) -> tuple[Real, Real]:
        """P(L > loss) and Q(L > loss): upper tails, which keep their relative precision far out."""
        half = self.half
        return self.ar.normal_cdf((half - loss) / self.mu), self.ar.normal_cdf((-half - loss) / self.mu)

    def weight(self, tilt: Fraction, index: int) -> Real:
        """e^(tilt j h) over the normaliser."""
        return self.ar.exp(tilt * index * self.grid.step - self.normaliser)

    def outside(self, low: Fraction, high: Fraction) -> Real:
        """The tilted mass outside [low, high]: tilted, the loss is N((tilt + 1/2) mu^2, mu^2)."""
        mean = (self.grid.tilt + _HALF) * self.mu_squared
        return self.ar.normal_cdf((low - mean) / self.mu) + self.ar.normal_cdf((mean - high) / self.mu)


def finish(grid: Grid, bounds: dict[int, tuple[int, int]], total: int) -> GridLaw:
    """From the finer units of atoms to those of the grid, rounded outward."""
    spend(len(bounds) >> 1)
    rounded = {j: (low >> GUARD_BITS, -(-high >> GUARD_BITS)) for j, (low, high) in bounds.items()}
    return GridLaw(grid, rounded, -(-total >> GUARD_BITS))


class _Filler:
    """Adds up the masses of cells; what the law's atoms leave out moves by at most a step, so it grows boundedly."""

    def __init__(self, splitter: _Splitter, law: AtomLaw, tilt: Fraction) -> None:
        self.bounds: dict[int, tuple[int, int]] = {}
        self.work = splitter.bits
        left_out = law.total - sum(atom.lower for atom in law.atoms)
        # Tilted mass grows by at most e^(|tilt| h) when it is moved by less than a grid step.
        self.left_out = -(-left_out * splitter.exponential(tilt, splitter.grid.stride)[1] >> self.work)

    def add(self, index: int, lower: int, upper: int) -> None:
        low, high = self.bounds.get(index, (0, 0))
        self.bounds[index] = low + lower, high + upper

    def done(self, grid: Grid) -> GridLaw:
        return finish(grid, self.bounds, sum(high for _, high in self.bounds.values()) + self.left_out)


class _Splitter:
    """Exponentials of multiples of the fine unit, in fixed point with bounds."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.bits = grid.bits + GUARD_BITS
        self.whole = 1 << self.bits
        self.step_low, self.step_high = self.exponential(_MINUS, grid.stride)
        # 1 / (1 - e^-h) between these, in the same units.
        square = self.whole * self.whole
        self.inverse = square // (self.whole - self.step_low), -(-square // (self.whole - self.step_high))
        self.tilted_step = self.exponential(grid.tilt, grid.stride)

    def exponential(self, factor: Fraction, units: int) -> tuple[int, int]:
        """Bounds of e^(factor * units * unit), in units of 2^-bits."""
        if not factor or not units:
            return self.whole, self.whole
        numerator = factor.numerator * self.grid.unit.numerator * units
        denominator = factor.denominator * self.grid.unit.denominator
        # Halve the exponent until it is below 1, and square back; the work is in wider integers.
        halvings = (abs(numerator) // denominator).bit_length()
        extra = 2 * halvings + 8
        bits = self.bits + extra
        y = (numerator << bits) // (denominator << halvings)
        term = total = 1 << bits
        n = 0
        while term not in (0, -1):
            n += 1
            term = (term * y >> bits) // n
            total += term
        # |y| <= 2^bits with an error below 1 unit, so the error of term n is e_n <= (e_(n-1) + 2)/n + 1 <= 7/2 units;
        # the tail after a term found in {0, -1} is at most twice that term's true size, below 9 units.
        slack = 4 * n + 9
        low, high = max(total - slack, 0), total + slack
        for _ in range(halvings):
            low, high = low * low >> bits, -(-high * high >> bits)
        return low >> extra, -(-high >> extra)

    def shares(self, offset: int) -> tuple[int, int, int, int]:
        """Bounds of the shares that go to the grid point below and to the one above, tilted to those points.

        With x = offset * unit: p_a/p = (e^-x - e^-h)/(1 - e^-h), times e^(-tilt x), and
        p_b/p = (1 - e^-x)/(1 - e^-h), times e^(-tilt x) e^(tilt h).
        """
        work = self.bits
        low, high = self.exponential(_MINUS, offset)
        tilt_low, tilt_high = self.exponential(-self.grid.tilt, offset)
        scale_low, scale_high = tilt_low * self.inverse[0] >> work, -(-tilt_high * self.inverse[1] >> work)
        above_low = (self.whole - high) * scale_low >> work
        above_high = -(-(self.whole - low) * scale_high >> work)
        return (
            max(low - self.step_high, 0) * scale_low >> work,
            -(-(high - self.step_low) * scale_high >> work),
            max(above_low, 0) * self.tilted_step[0] >> work,
            -(-above_high * self.tilted_step[1] >> work),
        )


@dataclass(frozen=True, slots=True)
class GridMeasure:
    """A non-negative measure on grid points: coefficients at most the true masses, and a bound of the true total."""

    grid: Grid
    low: int
    masses: IntegerPolynomial
    total: int

    @property
    def missing(self) -> int:
        """An upper bound of the mass that was rounded away or dropped, in units of 2^-bits."""
        return self.total - self.masses.sum()

    @property
    def high(self) -> int:
        """One past the last grid index."""
        return self.low + len(self.masses)

    def items(self) -> Iterator[tuple[int, int]]:
        """Grid index and mass (rounded down), where it is not zero."""
        for n, mass in enumerate(self.masses.coefficients()):
            if mass:
                yield self.low + n, mass

    def __mul__(self, other: GridMeasure) -> GridMeasure:
        """The convolution: the law of a sum of independent losses (or labels)."""
        if self.grid != other.grid:
            raise ValueError("convolution needs one grid")
        bits = self.grid.bits
        return GridMeasure(
            self.grid,
            self.low + other.low,
            (self.masses * other.masses).shifted_down(bits),
            -(-self.total * other.total >> bits),
        )

    def window(self, low: int, high: int) -> GridMeasure:
        """Drop what lies outside low <= index < high; it becomes missing."""
        start = max(low, self.low)
        return GridMeasure(self.grid, start, self.masses.part(start - self.low, high - self.low), self.total)


def most_places(size: int, holds: Callable[[int], bool]) -> int:
    """The most below ``size`` for which it holds, where it holds of all fewer: the step doubles, and is halved."""
    found, step = 0, 1
    while found + step < size and holds(found + step):
        found += step
        step *= 2
    while step > 1:
        step //= 2
        if found + step < size and holds(found + step):
            found += step
    return found
