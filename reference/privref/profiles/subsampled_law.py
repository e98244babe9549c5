"""The loss of a Poisson-subsampled pair on a grid: cell by cell, from the tails of the base pair.

With the base pair (P, Q) of losses l, R = (1 - q) + q e^l is the ratio of (1 - q) Q + q P to Q: a removal has the loss
log R and the laws ((1 - q) Q + q P, Q), an addition -log R and (Q, (1 - q) Q + q P). Both are monotone in l, so a cell
of the grid is an interval of l, and its masses are differences of the base's tails; an atom of the base is an atom at
an irrational loss. Masses P_c and Q_c of the cell from a = j h to b = a + h go to b as (P_c - e^a Q_c)/(1 - e^-h) and
to a as the rest (``loss_grid.spread``, summed over the cell); a label keeps both (``loss_grid.merge``).

A cell may also reach over several grid points: all of this holds of any two points. What a cell adds to the error grows
with its mass and the square of its length, so cells are long where there is little mass (``places``).

What lies outside the window is bounded tilted. With a tilt t >= 0: below x by e^(t x) P(L <= x); above x
- for a removal from a Gaussian of noise s by E_Q[R^(t+1); L > x], where R <= q e^l e^x/(e^x - (1 - q)), so by
  (q e^x/(e^x - (1 - q)))^(t+1) e^(t (t+1)/(2 s^2)) Phi((t + 1)/s - y), y the noise at x;
- for an addition by (1 - q)^-t P(L > x), or, as R >= q e^l, by q^-t e^(t (t+1)/(2 s^2)) Phi(y + t/s).

A grid may also end at any point X with all losses above it in one cell (``topped``): untilted, of its masses P_c and
Q_c the spread puts e^X Q_c on X and P_c - e^X Q_c on infinity, where it counts in full. That is the split above with b
to infinity, so it dominates; and (e^L Y - e^eps)_+ is linear in e^L on the cell wherever the other rounds' Y has
Y e^X >= e^eps: what the cell adds then is exact, and a far tail needs no grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Protocol

from privref.composition.loss_grid import GUARD_BITS, Grid, GridLaw, finish, fixed
from privref.exact.arithmetic import BareArithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.work import kept

from .contour_plan import OutOfReachError, PlannedLaw
from .model import Orientation, SubsampledGaussian

_LN2 = math.log(2)
#: How far a chance below delta counts, in nats.
_MOST_SELDOM = 30.0
#: What is smaller than the largest mass by so many nats has none, in a plan; so many long cells at least are in 1/tilt.
_MOST_NATS, _PER_TILT = 600.0, 4.0
#: The most cells of one law: of more no engine makes use, and a list of them fills the memory before they are priced.
_MOST_ENDS = 1 << 20
#: What is counted for a point of a grid with one cell above it.
_POINT_WORK = 55
#: The masses of something under P and under Q.
Masses = tuple[Scalar, Scalar]


@dataclass(frozen=True, slots=True)
class BaseLaw:
    """A base pair: its atoms (loss, P-mass, Q-mass), the tails of its density at a likelihood ratio, and its ends.

    ``above`` and ``below`` give the P- and Q-mass of the density at ratios beyond one that is positive; ``whole`` its
    mass. ``left_out`` bounds the mass of the atoms that are not listed, tilted as the round's law is.
    """

    atoms: tuple[tuple[Fraction, Real, Real], ...]
    left_out: Scalar = 0
    above: Callable[[Real], Masses] | None = None
    below: Callable[[Real], Masses] | None = None
    whole: Masses = (0, 0)


@dataclass(frozen=True, slots=True)
class Window:
    """Grid indices between which the density counts, and a bound of its tilted mass outside of any [low, high].

    ``at``: the indices from the first to the last one where cells end; all of them where it is empty.
    """

    low: int
    high: int
    outside: Callable[[EnclosingArithmetic, Fraction, Fraction, Fraction], Scalar]
    at: tuple[int, ...] = ()

    @property
    def ends(self) -> Sequence[int]:
        """Where cells end."""
        return self.at or range(self.low, self.high + 1)


@dataclass(frozen=True, slots=True)
class Seldom:
    """How seldom a law is drawn: its chance in a round, and the log of that over delta, for all rounds together."""

    chance: float
    log_of_delta: float

    def longer(self, known: Sequence[tuple[float, float]]) -> list[float]:
        """By what factors a cell may be longer where all losses beyond it are less likely than delta."""
        above, below = (self._beyond(each) for each in (reversed(known), known))
        beyond = [low if loss < 0 else high for (loss, _), low, high in zip(known, below, above[::-1], strict=True)]
        return [math.exp(min(max(-self.log_of_delta - log, 0.0), _MOST_SELDOM) / 3) for log in beyond]

    def _beyond(self, known: Iterable[tuple[float, float]]) -> list[float]:
        """Logs of sums, from the one end of the losses."""
        sums = accumulate(math.exp(max(weight, -_MOST_NATS)) for _, weight in known)
        return [math.log(each) for each in sums]


#: A law that has all there is.
ALWAYS = Seldom(1.0, math.inf)


def places(
    sketch: Iterable[tuple[float, float]], longest: float, step: float, low: int, high: int, seldom: Seldom = ALWAYS
) -> tuple[int, ...]:
    """Where cells end, by floats, from about a law's losses and logs of tilted masses: any ends serve.

    The long cells add about a quarter to the sum of mass times squared length that short ones alone have. For a density
    f of the losses that sum is least where the length falls as f^(-1/3). So it does where a loss has a smaller part of
    delta: no more than the chance of all losses beyond it.
    """
    known = sorted(sketch)
    losses = [loss for loss, _ in known]
    top = max(weight for _, weight in known)
    # Of places as near as these the masses count together.
    apart = [max(after - before, step / 8) for before, after in pairwise(losses)]
    masses = [math.exp(max(weight - top, -_MOST_NATS)) for _, weight in known]
    whole = sum(masses)
    density = [max(m, n) / whole / gap for (m, n), gap in zip(pairwise(masses), apart, strict=True)]
    thirds = [each ** (1 / 3) for each in density]
    scale = step / 2 / math.sqrt(sum(third * gap for third, gap in zip(thirds, apart, strict=True)))
    scale /= seldom.chance ** (1 / 3)
    longer = [longest] * len(thirds)
    if seldom is not ALWAYS:
        longer = [longest * min(one, other) for one, other in pairwise(seldom.longer(known))]
    lengths = [max(int(min(scale / third, most) / step), 1) for third, most in zip(thirds, longer, strict=True)]
    ends, here, at = [low], low, 0
    while here < high:
        while at < len(lengths) - 1 and losses[at + 1] <= here * step:
            at += 1
        length, beyond = lengths[at], at
        # A long cell ends where shorter ones begin.
        while beyond < len(lengths) - 1 and losses[beyond + 1] < (here + length) * step:
            beyond += 1
            length = min(length, max(lengths[beyond], int(losses[beyond] / step) - here, 1))
        here = min(here + length, high)
        ends.append(here)
        if len(ends) > _MOST_ENDS:
            raise UndecidedError(f"one round needs more than {_MOST_ENDS} cells of its law: out of reach")
    return tuple(ends)


def longest(tilt: float) -> float:
    """How long a cell may be over which a law is tilted."""
    return 1 / (_PER_TILT * (1 + abs(tilt)))


class SubsampledLaw:
    """The law of one subsampled round at one precision."""

    def __init__(self, ar: EnclosingArithmetic, base: BaseLaw, rate: Fraction, orientation: Orientation) -> None:
        self.ar, self.base, self.removal = ar, base, orientation == "removal"
        self.rate, self.rest = rate, 1 - rate
        self._rates = ar.real(rate), ar.real(1 - rate)

    def mixed(self, masses: Masses) -> tuple[Real, Real]:
        """The masses of the subsampled pair's P and Q from those of the base's."""
        p, q = map(self.ar.real, masses)
        rate, rest = self._rates
        mixture = rest * q + rate * p
        return (mixture, q) if self.removal else (q, mixture)

    def beyond(self, grown: Real) -> tuple[Real, Real]:
        """What the density has at losses above, from e^loss of a removal, e^-loss of an addition."""
        ratio = self._ratio(grown)
        if self._is_positive(ratio):
            return self._tail(ratio)
        return self.mixed(self.base.whole if self.removal else (0, 0))

    def beyond_rising(self, grown: Iterable[Real]) -> Iterator[tuple[Real, Real]]:
        """The same at losses of a removal that rise: where the ratio is positive once, it stays so."""
        positive = False
        for each in grown:
            ratio = self._ratio(each)
            positive = positive or self._is_positive(ratio)
            yield self._tail(ratio) if positive else self.mixed(self.base.whole)

    def _ratio(self, grown: Real) -> Real:
        rate, rest = self._rates
        return (grown - rest) / rate

    def _is_positive(self, ratio: Real) -> bool:
        found = self.ar.enclosure(ratio)
        if found is None or found.lower <= 0 <= found.upper:
            raise MorePrecisionError("a grid point is too near the end of a subsampled round's losses")
        return found.lower > 0

    def _tail(self, ratio: Real) -> tuple[Real, Real]:
        tail = self.base.above if self.removal else self.base.below
        assert tail is not None
        return self.mixed(tail(ratio))

    def _atoms(self, first: Fraction, step: Fraction) -> dict[int, tuple[Real, Real]]:
        """The atoms' masses by cell; cell j is what lies between first + j step and the next point."""
        found: dict[int, tuple[Real, Real]] = {}
        for loss, p, q in self.base.atoms:
            j = self._cell(loss, first, step)
            more = self.mixed((p, q))
            known = found.get(j)
            found[j] = more if known is None else (known[0] + more[0], known[1] + more[1])
        return found

    def _cell(self, loss: Fraction, first: Fraction, step: Fraction) -> int:
        if not loss:
            return int(-first // step)
        ratio = self.ar.log(self.rest + self.rate * self.ar.exp(loss))
        place = self.ar.enclosure(((ratio if self.removal else -ratio) - first) / step)
        # 1 - q + q e^l is no e^x with rational x unless q = 1 or l = 0 (Lindemann, Weierstrass): no atom on a point.
        if self.rate == 1:
            return int(((loss if self.removal else -loss) - first) // step)
        if place is None or place.lower // 1 != place.upper // 1:
            raise MorePrecisionError("the cell of a subsampled round's atom is open")
        return int(place.lower // 1)

    def cells(self, first: Fraction, step: Fraction, window: Window | None) -> list[GridCell]:
        """P- and Q-masses of all cells."""
        found = [(j, j + 1, p, q) for j, (p, q) in self._atoms(first, step).items()]
        if window is None:
            return found
        grown = _Powers(self.ar, first, step) if self.removal else _Powers(self.ar, -first, -step)
        points = map(grown.at, window.ends)
        beyond = self.beyond_rising(points) if self.removal else map(self.beyond, points)
        return found + between(window, beyond)

    def left_out(self, low: Fraction, high: Fraction, tilt: Fraction, window: Window | None) -> Real:
        """A bound of what the cells leave out, tilted; those of the atoms included."""
        found = self.ar.real(self.base.left_out)
        return found if window is None else found + window.outside(self.ar, low, high, tilt)


#: What lies between the grid points first + j step and first + k step: j, k, its mass under P and under Q.
GridCell = tuple[int, int, Real, Real]


def between(window: Window, beyond: Iterable[tuple[Real, Real]]) -> list[GridCell]:
    """The cells from what both laws have beyond each end."""
    found = []
    ends = pairwise(zip(window.ends, beyond, strict=True))
    for (j, before), (k, after) in ends:
        found.append((j, k, before[0] - after[0], before[1] - after[1]))
    return found


class CellLaw(Protocol):
    """The law of one round by the cells of a grid."""

    ar: EnclosingArithmetic

    def cells(self, first: Fraction, step: Fraction, window: Window | None) -> list[GridCell]:
        """All cells; of one that is there twice the masses add up."""
        ...

    def left_out(self, low: Fraction, high: Fraction, tilt: Fraction, window: Window | None) -> Real:
        """A bound of what the cells leave out, tilted."""
        ...


class InsteadLaw:
    """The losses above 0 of a removal, the same below 0 the other way round, and the rest at 0."""

    def __init__(self, ar: EnclosingArithmetic, base: BaseLaw, rate: Fraction) -> None:
        self.ar = ar
        zero, one = ar.real(0), ar.real(1)
        tails: dict[str, Callable[[Real], Masses] | None] = {"above": None, "below": None}
        self.left = base.left_out
        whole: Masses = (zero, zero)
        if base.above is not None and base.below is not None:
            above, below = base.above, base.below
            whole, least = above(one), below(one)

            def beyond(ratio: Real) -> Masses:
                return above(ar.maximum(ratio, one))

            def before(ratio: Real) -> Masses:
                p, q = below(ar.maximum(ratio, one))
                return p - least[0], q - least[1]

            tails = {"above": beyond, "below": before}
        positive = BaseLaw(tuple(atom for atom in base.atoms if atom[0] > 0), 0, whole=whole, **tails)
        self.gained, self.lost = (SubsampledLaw(ar, positive, rate, way) for way in ("removal", "addition"))
        masses = [self.gained.mixed((p, q)) for _, p, q in positive.atoms] + [self.gained.mixed(whole)]
        # What is left out of a list of atoms counts as lossless in both laws: so these answers are one.
        self.still = 1 - ar.sum(p + q for p, q in masses)

    def listed(self) -> list[tuple[Real, Real, Real]]:
        """The atoms (loss, P-mass, Q-mass) of a law that has nothing else."""
        ar, rate, found = self.ar, self.gained.rate, [(self.ar.real(0), self.still, self.still)]
        for loss, p, q in self.gained.base.atoms:
            ratio = ar.log1p(rate * ar.expm1(loss))
            more, less = self.gained.mixed((p, q))
            found += [(ratio, more, less), (-ratio, less, more)]
        return found

    def cells(self, first: Fraction, step: Fraction, window: Window | None) -> list[GridCell]:
        """P- and Q-masses of all cells."""
        j = int(-first // step)
        parts = self.gained.cells(first, step, window) + self.lost.cells(first, step, window)
        return [(j, j + 1, self.still, self.still), *parts]

    def left_out(self, low: Fraction, high: Fraction, tilt: Fraction, window: Window | None) -> Real:
        """Twice the bound for the base's: of losses below 0, tilted, it is no more."""
        return self.ar.real(2 * self.left)


class LabelledLaw:
    """Several laws with their chances, each with its own window; it is revealed which one it is, so cells add up."""

    def __init__(
        self, ar: EnclosingArithmetic, parts: tuple[tuple[Fraction, CellLaw, Window], ...], still: Fraction
    ) -> None:
        self.ar, self.parts, self.still = ar, parts, still
        low, high = min(each.low for _, _, each in parts), max(each.high for _, _, each in parts)
        self.window = Window(low, high, lambda *_: 0)

    def cells(self, first: Fraction, step: Fraction, window: Window | None) -> list[GridCell]:
        """All cells of all laws; where nothing is lost both masses are alike."""
        found: list[GridCell] = []
        if self.still:
            j, still = int(-first // step), self.ar.real(self.still)
            found.append((j, j + 1, still, still))
        for chance, law, own in self.parts:
            found += [(j, k, chance * p, chance * q) for j, k, p, q in law.cells(first, step, own)]
        return found

    def left_out(self, low: Fraction, high: Fraction, tilt: Fraction, window: Window | None) -> Real:
        """A bound of what the cells leave out, tilted: of each law outside of its own window."""
        step = (high - low) / (self.window.high - self.window.low)
        first = low - self.window.low * step
        total = self.ar.real(0)
        for chance, law, own in self.parts:
            total = total + chance * law.left_out(first + own.low * step, first + own.high * step, tilt, own)
        return total


class _Powers:
    """e^(first + j step) by index: where they are asked for in order each is the one before times e^step.

    A product loses a last bit, of 2 ``GUARD_BITS`` beyond those that are kept.
    """

    def __init__(self, ar: EnclosingArithmetic, first: Scalar, step: Fraction) -> None:
        self.ar, self.first, self.step = ar, first, step
        self.ratio = ar.exp(step)
        self.place: int | None = None
        self.value: Real = self.ratio

    def at(self, j: int) -> Real:
        if self.place is not None and j == self.place + 1:
            self.value = self.value * self.ratio
        elif j != self.place:
            self.value = self.ar.exp(self.first + j * self.step)
        self.place = j
        return self.value


class _Store:
    """Tilted masses by grid index, in fine units."""

    def __init__(self, ar: EnclosingArithmetic, grid: Grid, unit: Scalar) -> None:
        self.ar, self.grid, self.unit, self.work = ar, grid, unit, grid.bits + GUARD_BITS
        self.weights = _Powers(ar, -unit, grid.tilt * grid.step)
        self.bounds: dict[int, tuple[int, int]] = {}

    def add(self, index: int, mass: Real) -> None:
        lower, upper = fixed(self.ar, mass * self.weights.at(index), self.work)
        known = self.bounds.get(index, (0, 0))
        self.bounds[index] = known[0] + lower, known[1] + upper

    def done(self, left_out: Real) -> GridLaw:
        """What was left out is moved by less than a step, which its tilted mass outgrows boundedly."""
        grown = left_out * self.ar.exp(abs(self.grid.tilt) * self.grid.step - self.unit)
        total = sum(upper for _, upper in self.bounds.values()) + fixed(self.ar, grown, self.work)[1]
        return finish(self.grid, self.bounds, total)


def spread(law: CellLaw, grid: Grid, unit: Scalar, window: Window | None) -> GridLaw:
    """The round on the grid from above; ``unit`` is the log of what is divided out."""
    ar, step = law.ar, grid.step
    store = _Store(ar, grid, unit)
    shrinks: dict[int, Real] = {}
    grown = _Powers(ar, Fraction(0), step)
    found: dict[int, Real] = {}
    for j, k, p, q in law.cells(Fraction(0), step, window):
        if k - j not in shrinks:
            shrinks[k - j] = 1 / -ar.expm1((j - k) * step)
        moved = (p - grown.at(j) * q) * shrinks[k - j]
        for place, mass in ((j, p - moved), (k, moved)):
            found[place] = found[place] + mass if place in found else mass
    for place in sorted(found):
        store.add(place, found[place])
    low, high = (window.low * step, window.high * step) if window else (Fraction(0), Fraction(0))
    return store.done(law.left_out(low, high, grid.tilt, window))


def merge(law: CellLaw, grid: Grid, unit: Scalar, window: Window | None) -> tuple[GridLaw, GridLaw]:
    """The round's labels from below, under P and under Q."""
    step = grid.step
    q_grid = replace(grid, tilt=grid.tilt + 1)
    stores = _Store(law.ar, grid, unit), _Store(law.ar, q_grid, unit)
    first = -step / 2
    for j, k, *masses in law.cells(first, step, window):
        for store, mass in zip(stores, masses, strict=True):
            # A label's number is about its loss; any would do.
            store.add((j + k - 1) // 2, mass)
    low, high = (first + window.low * step, first + window.high * step) if window else (first, first)
    outside = law.left_out(low, high, grid.tilt, window)
    p, q = (store.done(outside) for store in stores)
    return p, q


@dataclass(frozen=True, slots=True)
class CellsBelowTop:
    """Where the cells below one large one may end, and how many steps one is at most."""

    low: int
    high: int
    longest: int = 1

    def of(self, pair: SubsampledGaussian, step: Fraction) -> list[int]:
        """For one law, by floats: short cells where it has its mass."""
        try:
            law = planned(pair)
            indices, logs = law.reach(0.0)
        except (OutOfReachError, OverflowError):
            return list(range(self.low, self.high + 1))
        sketch = [(law.sign * law.log_ratio(i * law.step), log) for i, log in zip(indices, logs, strict=True)]
        return list(places(sketch, self.longest * float(step), float(step), self.low, self.high))


@dataclass(frozen=True, slots=True)
class Tails:
    """Of a law with a chance: where cells end, e^loss there, P and Q of all losses above; whether any are below."""

    chance: Fraction
    at: list[int]
    grown: list[Real]
    beyond: list[tuple[Real, Real]]
    below: bool


def tails_of(ar: BareArithmetic, chance: Fraction, pair: SubsampledGaussian, step: Fraction, at: list[int]) -> Tails:
    """Of a Gaussian's round; a removal's losses have an end below, at rates below 1."""
    law, bare_step = gaussian(ar, pair), ar.real(step)
    ar.count(_POINT_WORK * len(at))
    grown = [ar.exp(j * bare_step) for j in at]
    if not law.removal:
        return Tails(chance, at, grown, [law.beyond(1 / each) for each in grown], True)
    least = ar.enclosure(grown[0] - ar.real(law.rest))
    if pair.rate < 1 and (least is None or least.upper >= 0):
        raise UndecidedError("the grid begins above a subsampled round's least loss: out of reach")
    return Tails(chance, at, grown, list(law.beyond_rising(grown)), pair.rate == 1)


def topped(ar: BareArithmetic, tails: Iterable[Tails], still: Fraction, grid: Grid) -> tuple[GridLaw, GridLaw, GridLaw]:
    """A round from above, and its labels from below under P and Q: cells from low to high, and one above.

    It is not tilted. With the chance ``still`` nothing is lost. Of a law that has losses below the first end those are
    one cell: from above they count as that loss.
    """
    if grid.tilt:
        raise ValueError("a grid with one cell for all large losses is not tilted")
    step, work = grid.step, grid.bits + GUARD_BITS
    upper: dict[int, Real] = {}
    p_labels: dict[int, Real] = {}
    q_labels: dict[int, Real] = {}
    shrinks: dict[int, Real] = {}
    bare_step, lost = ar.real(step), ar.real(0)

    def add(found: dict[int, Real], j: int, mass: Real) -> None:
        found[j] = found[j] + mass if j in found else mass

    for each_law in tails:
        share, at, grown = ar.real(each_law.chance), each_law.at, each_law.grown
        beyond = [(share * p, share * q) for p, q in each_law.beyond]
        if each_law.below:
            below = share - beyond[0][0], (share - beyond[0][1]) * grown[0]
            for found, mass in zip((upper, p_labels, q_labels), (below[0], *below), strict=True):
                add(found, at[0], mass)
        for (j, each, before), (k, _, after) in pairwise(zip(at, grown, beyond, strict=True)):
            p, q = before[0] - after[0], (before[1] - after[1]) * each
            if k - j not in shrinks:
                shrinks[k - j] = 1 / -ar.expm1((j - k) * bare_step)
            moved = (p - q) * shrinks[k - j]
            add(upper, j, p - moved)
            add(upper, k, moved)
            # A label's number is about its loss.
            label = (j + k - 1) // 2
            add(p_labels, label, p)
            add(q_labels, label, q if label == j else q * ar.exp((label - j) * bare_step))
        high, (p, q) = at[-1], beyond[-1]
        stays = grown[-1] * q
        add(upper, high, stays)
        add(p_labels, high, p)
        add(q_labels, high, stays)
        lost = lost + (p - stays)
    if still:
        for found in (upper, p_labels, q_labels):
            add(found, 0, ar.real(still))

    def done(masses: dict[int, Real], tilt: int, left_out: int) -> GridLaw:
        bounds = {j: fixed(ar, masses[j], work) for j in sorted(masses)}
        total = sum(most for _, most in bounds.values()) + left_out
        return finish(replace(grid, tilt=Fraction(tilt)), bounds, total)

    return done(upper, 0, fixed(ar, lost, work)[1]), done(p_labels, 0, 0), done(q_labels, 1, 0)


# --- the Gaussian ------------------------------------------------------------------------------------------------


def gaussian(ar: EnclosingArithmetic, pair: SubsampledGaussian) -> SubsampledLaw:
    """Its law; y = s (log(ratio) + 1/(2 s^2)) is the noise in its own units, N(0, 1) under Q and N(1/s, 1) under P."""
    s, shift, half = map(ar.real, (pair.sigma, 1 / pair.sigma, 1 / (2 * pair.sigma)))

    def noise(ratio: Real) -> Real:
        return s * ar.log(ratio) + half

    def above(ratio: Real) -> Masses:
        y = noise(ratio)
        return ar.normal_cdf(shift - y), ar.normal_cdf(-y)

    def below(ratio: Real) -> Masses:
        y = noise(ratio)
        return ar.normal_cdf(y - shift), ar.normal_cdf(y)

    return SubsampledLaw(ar, BaseLaw((), 0, above, below, (1, 1)), pair.rate, pair.orientation)


def gaussian_window(pair: SubsampledGaussian, grid: Grid) -> Window:
    """Where the tilted law has more than about 2^-bits of its mass."""
    law, tilt, step = planned(pair), float(grid.tilt), float(grid.step)
    try:
        indices, logs = law.reach(tilt, (grid.bits + 16) * _LN2)
    except (OutOfReachError, OverflowError):
        raise UndecidedError("a subsampled round reaches too far for the grid: out of reach") from None
    ends = sorted(law.sign * law.log_ratio(i * law.step) for i in (indices[0] - 1, indices[-1] + 1))
    low, high = math.floor(ends[0] / step) - 1, math.ceil(ends[1] / step) + 1
    sketch = [(law.sign * law.log_ratio(i * law.step), log) for i, log in zip(indices, logs, strict=True)]
    at = places(sketch, longest(tilt), step, low, high)

    def outside(ar: EnclosingArithmetic, first: Fraction, last: Fraction, tilt: Fraction) -> Scalar:
        return _outside_gaussian(ar, pair, first, last, tilt)

    return Window(low, high, outside, at)


def _outside_gaussian(
    ar: EnclosingArithmetic, pair: SubsampledGaussian, low: Fraction, high: Fraction, tilt: Fraction
) -> Scalar:
    s, q, rest = pair.sigma, pair.rate, 1 - pair.rate
    removal = pair.orientation == "removal"

    def noise(loss: Fraction) -> Real | None:
        """The noise at a loss; None at losses that there are not."""
        ratio = (ar.exp(loss if removal else -loss) - rest) / q
        found = ar.enclosure(ratio)
        if found is None or found.lower <= 0 <= found.upper:
            raise MorePrecisionError("a grid point is too near the end of a subsampled round's losses")
        return None if found.upper < 0 else s * ar.log(ratio) + 1 / (2 * s)

    at_low, at_high = noise(low), noise(high)
    moment = tilt * (tilt + 1) / (2 * s * s)
    total: Scalar = 0
    if removal:
        if at_low is not None:
            below = rest * ar.normal_cdf(at_low) + q * ar.normal_cdf(at_low - 1 / s)
            total = ar.exp(tilt * low) * below
        if at_high is None:
            raise UndecidedError("the grid ends below a subsampled round's losses: out of reach")
        grown = ar.log(q * ar.exp(high) / (ar.exp(high) - rest))
        return total + ar.exp((tilt + 1) * grown + moment) * ar.normal_cdf((tilt + 1) / s - at_high)
    if at_low is None:
        raise UndecidedError("the grid begins above a subsampled round's losses: out of reach")
    total = ar.exp(tilt * low) * ar.normal_cdf(-at_low)
    if at_high is None:
        return total
    above = ar.exp(moment - tilt * ar.log(q)) * ar.normal_cdf(at_high + tilt / s)
    if rest:
        above = ar.minimum(above, ar.exp(-tilt * ar.log(rest)) * ar.normal_cdf(at_high))
    return total + above


@kept(64)
def planned(pair: SubsampledGaussian) -> PlannedLaw:
    """The law in floats, for planning, with what it has computed."""
    return PlannedLaw(pair)
