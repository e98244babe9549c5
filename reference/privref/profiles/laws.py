"""The laws of the privacy loss of pairs, put on a loss grid from above and from below.

Two forms. A law with atoms alone (discrete Gaussian, geometric, responses) gives them one by one, with a bound of what
it leaves out. A law with a density gives its tails above(l) = (P(L > l), Q(L > l)); between two grid points a < b,
with masses P_c and Q_c of (a, b], the spread puts (P_c - e^a Q_c)/(1 - e^-h) on b and the rest on a, which is what
``loss_grid`` does with each atom.

Masses are tilted: mass p at loss l is stored as p e^(tilt l - normaliser). The normaliser is any rational number near
the log of the tilted law's whole mass: a choice of units, which the caller multiplies back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import assert_never

from privref.composition.loss_convolution import Moments
from privref.composition.loss_grid import (
    GUARD_BITS,
    Grid,
    GridLaw,
    finish,
    fixed,
    log_gaussian_normaliser,
    merge_gaussian,
    spread_gaussian,
)
from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real, Scalar
from privref.exact.errors import UndecidedError
from privref.exact.numbers import float_log
from privref.exact.work import kept, spend

from . import allocation_law, exchanged, lattice_atoms, subsampled_law
from .contour_plan import OutOfReachError, log_add
from .lattice_atoms import LatticeAtoms
from .model import (
    Allocation,
    Base,
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
    WorstApproximate,
)

#: A pair whose loss has no mass at infinity: what goes on a grid.
FinitePair = (
    Gaussian
    | DiscreteGaussian
    | Laplace
    | Geometric
    | Response
    | SubsampledGaussian
    | Subsampled
    | Labelled
    | Drawn
    | Instead
    | Exchanged
    | Allocation
)

#: At most this many atoms or grid points of one round: more would take minutes.
MOST_POINTS_OF_A_ROUND = 1 << 17

#: The same of Laplace noise on samples that hold one record or another one, where simpler bounds stand in.
_MOST_INSTEAD = 1 << 15
#: At most about so many atoms of a geometric law in a plan.
_SKETCHED = 4096

_HALF = Fraction(1, 2)
_LN2 = math.log(2)


# --- what the plan must know: floats, which no bound depends on --------------------------------------------------


def moments(pair: FinitePair, tilt: float) -> Moments:
    """Cumulants of the tilted loss by floats, for planning."""
    if isinstance(pair, Gaussian):
        return _gaussian_moments(float(pair.mu_squared), tilt)
    if isinstance(pair, SubsampledGaussian):
        try:
            return Moments(*subsampled_law.planned(pair).moments(tilt))
        except (OutOfReachError, OverflowError):
            raise UndecidedError("a subsampled round reaches too far for the grid: out of reach") from None
    if isinstance(pair, Labelled | Drawn):
        return _told_moments(pair, tilt)
    if isinstance(pair, DiscreteGaussian) and pair.sigma_squared >= 4:
        return _gaussian_moments(pair.shift**2 / float(pair.sigma_squared), tilt)
    sketched = _sketch(pair)
    spend(2 + (len(sketched) >> 2))
    top = max(tilt * loss + weight for loss, weight in sketched)
    total = first = second = 0.0
    for loss, weight in sketched:
        mass = math.exp(tilt * loss + weight - top)
        total += mass
        first += mass * loss
        second += mass * loss * loss
    mean = first / total
    return Moments(top + math.log(total), mean, max(second / total - mean * mean, 0.0))


def _told_moments(pair: Labelled | Drawn, tilt: float) -> Moments:
    """Of a mixture: the means of the moments, by what each part makes of the tilted mass."""
    value, found = _told(pair, tilt)
    shares = [math.exp(log + each.value - value) for log, each in found]
    mean = sum(share * each.mean for share, (_, each) in zip(shares, found, strict=True))
    square = sum(share * (each.variance + each.mean**2) for share, (_, each) in zip(shares, found, strict=True))
    return Moments(value, mean, max(square - mean * mean, 0.0))


def _told(pair: Labelled | Drawn, tilt: float) -> tuple[float, list[tuple[float, Moments]]]:
    """The log of a mixture's tilted mass; of each part that of its chance, and its moments."""
    if isinstance(pair, Drawn):
        found, still = [(float_log(pair.rate), moments(base_of(pair), tilt))], 1 - pair.rate
    else:
        found, still = [(float_log(chance), moments(part, tilt)) for chance, part in pair.parts if chance], pair.still
    if still:
        found.append((float_log(still), Moments(0.0, 0.0, 0.0)))
    value = -math.inf
    for log, each in found:
        value = log_add(log + each.value, value)
    return value, found


def base_of(pair: Drawn) -> Base:
    """What runs where the place is drawn, of a pair whose infinite losses are counted apart (``grid.finite``)."""
    assert not isinstance(pair.base, WorstApproximate)
    return pair.base


#: Of a part with a little of the tilted mass at least so many bits are looked for.
_FEWEST_BITS = 8


def _told_parts(pair: Labelled, grid: Grid) -> list[tuple[Fraction, SubsampledGaussian | Exchanged, Grid]]:
    """The parts with their chances; each one's grid has the fewer bits, the less it has of the tilted mass."""
    value, found = _told(pair, float(grid.tilt))
    logs = iter([log + each.value - value for log, each in found])
    return [
        (chance, part, replace(grid, bits=max(grid.bits + math.floor(next(logs) / _LN2), _FEWEST_BITS)))
        for chance, part in pair.parts
        if chance
    ]


def _gaussian_moments(mu_squared: float, tilt: float) -> Moments:
    return Moments(tilt * (tilt + 1) / 2 * mu_squared, (tilt + 0.5) * mu_squared, mu_squared)


@kept(1024)
def _sketch(pair: FinitePair) -> tuple[tuple[float, float], ...]:
    """About the law as losses and logs of masses."""
    match pair:
        case Laplace(epsilon):
            eps, parts = float(epsilon), 64
            width = 2 * eps / parts
            inside = [eps * (2 * i + 1 - parts) / parts for i in range(parts)]
            density = [(l, math.log(width / 4) - (eps - l) / 2) for l in inside]
            return ((eps, -_LN2), (-eps, -_LN2 - eps), *density)
        case Response(epsilon, outcomes):
            eps = float(epsilon)
            rest = -eps - math.log1p((outcomes - 1) * math.exp(-eps))
            wrong = ((0.0, rest + math.log(outcomes - 2)),) if outcomes > 2 else ()
            return ((eps, rest + eps), (-eps, rest), *wrong)
        case Geometric(scale, shift):
            step = 1 / float(scale)
            left = -math.log1p(math.exp(-step))
            # Atoms together where they are many: the plan needs no more.
            few = 1 + shift // _SKETCHED
            density = [
                ((shift - 2 * x - (n - 1)) * step, left - x * step + math.log(-math.expm1(-step * n)))
                for x in range(1, shift, few)
                if (n := min(few, shift - x))
            ]
            return ((shift * step, left), (-shift * step, left - shift * step), *density)
        case DiscreteGaussian(sigma_squared, shift):
            variance = float(sigma_squared)
            few = 1 + math.isqrt(math.ceil(variance)) // 64
            reach = (math.ceil(40 * math.sqrt(variance)) + 40) // few * few
            weights = [-(x * x) / (2 * variance) for x in range(-reach, reach + 1, few)]
            normaliser = math.log(math.fsum(math.exp(weight) for weight in weights))
            return tuple(
                ((shift * shift - 2 * shift * x) / (2 * variance), weight - normaliser)
                for x, weight in zip(range(-reach, reach + 1, few), weights, strict=True)
            )
        case Subsampled(base, rate, orientation):
            # The masses under Q are those under P times e^-loss.
            q, rest, removal = float(rate), float(1 - rate), orientation == "removal"
            found = []
            for loss, log_mass in _sketch(base):
                ratio = log_add(math.log(rest) if rest else -math.inf, math.log(q) + loss)
                found.append((ratio, log_mass - loss + ratio) if removal else (-ratio, log_mass - loss))
            return tuple(found)
        case Instead(base, rate):
            q, rest = float(rate), float(1 - rate)
            found, seen = [], 0.0
            for loss, log_mass in _sketch(base):
                if loss > 0:
                    ratio = log_add(math.log(rest) if rest else -math.inf, math.log(q) + loss)
                    less = log_mass - loss
                    found += [(ratio, less + ratio), (-ratio, less)]
                    seen += math.exp(less + ratio) + math.exp(less)
            return (*found, (0.0, math.log(1 - seen))) if seen < 1 else tuple(found)
        case Exchanged():
            return exchanged.sketch(pair)
        case Allocation():
            return allocation_law.sketch(pair)
        case Gaussian() | SubsampledGaussian() | Labelled() | Drawn():
            raise AssertionError("neither a Gaussian nor a mixture needs a sketch")
        case _:
            assert_never(pair)


def normaliser(pair: FinitePair, tilt: Fraction) -> Fraction:
    """About the log of the tilted mass of one round: the unit that masses are counted in, where any serves."""
    if isinstance(pair, Gaussian):
        return log_gaussian_normaliser(pair.mu_squared, tilt)
    return Fraction(round(moments(pair, float(tilt)).value * 2**20), 2**20)


def lattice(pair: FinitePair) -> Fraction | None:
    """A spacing of which all the law's atoms are multiples; None where there are no atoms."""
    match pair:
        case Gaussian() | SubsampledGaussian() | Subsampled() | Instead() | Labelled() | Exchanged() | Allocation():
            return None
        case DiscreteGaussian(sigma_squared, shift):
            # The losses are shift^2/(2 sigma^2) - x shift/sigma^2.
            return shift / sigma_squared / (2 if shift % 2 else 1)
        case Laplace(epsilon) | Response(epsilon):
            return epsilon
        case Geometric(scale):
            return 1 / scale
        case Drawn():
            # A loss of 0 is a multiple of each base's spacing.
            return lattice(base_of(pair))
        case _:
            assert_never(pair)


def off_lattice(pair: FinitePair) -> float:
    """About the mass that is not in atoms: what a grid that hits the atoms still has to split."""
    match pair:
        case Gaussian() | SubsampledGaussian() | Subsampled() | Instead() | Labelled() | Exchanged() | Allocation():
            return 1.0
        case Laplace(epsilon):
            return min(max(-math.expm1(-float(epsilon)) / 2, 1e-12), 1.0)
        case Drawn(_, rate):
            return float(rate) * off_lattice(base_of(pair))
        case _:
            return 0.0


# --- atoms -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atoms:
    """Losses and their untilted P-masses times e^(tilt loss), and a bound of what is left out, likewise tilted."""

    items: tuple[tuple[Fraction, Real], ...]
    left_out: Real


def atoms(ar: EnclosingArithmetic, pair: FinitePair, tilt: Fraction, bits: int) -> Atoms | None:
    """The law's atoms down to about 2^-bits of the tilted whole; None where it has a density."""
    unit = ar.exp(-normaliser(pair, tilt))
    nothing = ar.real(0)
    match pair:
        case Response(epsilon, outcomes):
            # Multiplied out so that nothing overflows: e^-eps is what a wrong answer weighs.
            small = ar.exp(-epsilon)
            share = unit / (1 + (outcomes - 1) * small)
            right, wrong = share * ar.exp(tilt * epsilon), share * ar.exp(-(1 + tilt) * epsilon)
            found = [(epsilon, right), (-epsilon, wrong)]
            if outcomes > 2:
                found.append((Fraction(0), (outcomes - 2) * share * small))
            return Atoms(tuple(found), nothing)
        case Geometric(scale, shift):
            _check_points(shift)
            ratio = ar.exp(-1 / scale)
            ends, inside = unit / (1 + ratio), unit * (1 - ratio) / (1 + ratio)
            top = shift / scale
            found = [(top, ends * ar.exp(tilt * top)), (-top, ends * ar.exp(-(1 + tilt) * top))]
            for x in range(1, shift):
                loss = (shift - 2 * x) / scale
                found.append((loss, inside * ar.exp(tilt * loss - x / scale)))
            return Atoms(tuple(found), nothing)
        case DiscreteGaussian():
            return _discrete_gaussian(ar, pair, tilt, bits)
        case Drawn(_, rate):
            own = atoms(ar, base_of(pair), tilt, bits)
            if own is None:
                return None
            share = _share(ar, pair, tilt)
            drawn = tuple((loss, share * mass) for loss, mass in own.items)
            return Atoms((*drawn, (Fraction(0), (1 - rate) * unit)), share * own.left_out)
        case _:
            return None


def _share(ar: EnclosingArithmetic, pair: Drawn, tilt: Fraction) -> Real:
    """What a mass of the base counts, each in units of its own normaliser."""
    return pair.rate * ar.exp(normaliser(base_of(pair), tilt) - normaliser(pair, tilt))


def plain_atoms(ar: EnclosingArithmetic, pair: FinitePair, bits: int) -> tuple[list[tuple[Real, Real, Real]], Scalar]:
    """The atoms (loss, P-mass, Q-mass) of a law that has nothing else, and a bound of the P-mass of those left out."""
    if isinstance(pair, Instead):
        base = _base(ar, pair, Grid(Fraction(1), 1, bits))
        return subsampled_law.InsteadLaw(ar, base, pair.rate).listed(), 2 * base.left_out
    if not isinstance(pair, Subsampled):
        found = atoms(ar, pair, Fraction(0), bits)
        assert found is not None
        unit = ar.exp(normaliser(pair, Fraction(0)))
        masses = [(loss, mass * unit) for loss, mass in found.items]
        return [(ar.real(loss), p, p * ar.exp(-loss)) for loss, p in masses], found.left_out * unit
    law = subsampled_law.SubsampledLaw(ar, _base(ar, pair, Grid(Fraction(1), 1, bits)), pair.rate, pair.orientation)
    sign = 1 if law.removal else -1
    listed = []
    for loss, p, q in law.base.atoms:
        listed.append((sign * ar.log1p(pair.rate * ar.expm1(loss)), *law.mixed((p, q))))
    return listed, law.base.left_out


@dataclass(frozen=True, slots=True)
class _Bell:
    """P(x) e^(tilt L(x)) = e^(tilt (tilt+1) v^2 / (2 s)) e^(-(x + tilt v)^2 / (2 s)) / Z with s = sigma^2."""

    centre: Fraction
    first: int
    last: int
    scale: Real
    left_out: Real


def _bell(ar: EnclosingArithmetic, pair: DiscreteGaussian, tilt: Fraction, bits: int) -> _Bell:
    """Where the tilted masses of a discrete Gaussian lie, and how they are scaled."""
    variance, shift = pair.sigma_squared, pair.shift
    reach = math.isqrt(math.ceil(2 * variance * bits)) + 2
    _check_points(2 * reach)
    centre = -tilt * shift
    moved = ar.exp(tilt * (tilt + 1) * shift * shift / (2 * variance) - normaliser(pair, tilt))
    scale = moved / theta(ar, variance, bits)
    return _Bell(
        centre, math.floor(centre) - reach, math.ceil(centre) + reach, scale, scale * 2 * _beyond(ar, variance, reach)
    )


def _loss(pair: DiscreteGaussian, x: int) -> Fraction:
    return (pair.shift * pair.shift - 2 * pair.shift * x) / (2 * pair.sigma_squared)


def _discrete_gaussian(ar: EnclosingArithmetic, pair: DiscreteGaussian, tilt: Fraction, bits: int) -> Atoms:
    bell = _bell(ar, pair, tilt, bits)
    found = []
    for x in range(bell.first, bell.last + 1):
        weight = bell.scale * ar.exp(-((x - bell.centre) ** 2) / (2 * pair.sigma_squared))
        found.append((_loss(pair, x), weight))
    return Atoms(tuple(found), bell.left_out)


def _lattice_atoms(ar: EnclosingArithmetic, pair: DiscreteGaussian, grid: Grid, share: Scalar) -> LatticeAtoms:
    """The atoms, each times ``share``."""
    bell = _bell(ar, pair, grid.tilt, grid.bits + GUARD_BITS)
    bits = lattice_atoms.wide(grid, bell.last - bell.first)
    scale = share * bell.scale
    masses = lattice_atoms.about(ar, scale, bell.centre, pair.sigma_squared, bell.first, bell.last, bits)
    return LatticeAtoms(_loss(pair, bell.first), pair.shift / pair.sigma_squared, masses, bits, share * bell.left_out)


def theta(ar: EnclosingArithmetic, variance: Fraction, bits: int) -> Real:
    """sum over integers x of e^(-x^2/(2 s)), s > 0."""
    reach = math.isqrt(math.ceil(2 * variance * bits)) + 2
    _check_points(reach)
    wide = ar.precision + 2 * reach.bit_length()
    if 2 * variance * wide < 1:
        # All others together are below the last bit of the one at 0, and may be too small to be written down.
        return 1 + 2 * ar.hull(ar.real(0), _beyond(ar, variance, 1))
    inner = ar.at(wide)
    with inner.active():
        terms = lattice_atoms.falling(inner, inner.real(1), Fraction(1), variance, reach - 1, wide)
    low, high = (Fraction(sum(ends), 1 << wide) for ends in zip(*terms, strict=True))
    return 1 + 2 * ar.hull(low, high + _beyond(ar, variance, reach))


def _beyond(ar: EnclosingArithmetic, variance: Fraction, reach: int) -> Real:
    """At least the sum over j >= 0 of e^(-(r + j)^2/(2 s)): its terms fall faster than by e^(-r/s) each."""
    return ar.exp(-Fraction(reach * reach) / (2 * variance)) / -ar.expm1(-Fraction(reach) / variance)


def check_reach(pair: FinitePair) -> None:
    """Refuse at once a round whose atoms are too many to be written out."""
    match pair:
        case Geometric(_, shift):
            _check_points(shift)
        case DiscreteGaussian(sigma_squared, _):
            _check_points(math.isqrt(math.ceil(sigma_squared)))
        case Subsampled(base) | Instead(base):
            check_reach(base)
        case Drawn():
            check_reach(base_of(pair))
        case _:
            pass


def size(pair: FinitePair, grid: Grid) -> int:
    """About how many points of the law are computed on the grid."""
    match pair:
        case Gaussian(mu_squared):
            return int(4 * math.sqrt(float(mu_squared) * (grid.bits + 8)) / float(grid.step))
        case DiscreteGaussian(sigma_squared, _):
            return 2 * math.isqrt(math.ceil(2 * sigma_squared * (grid.bits + GUARD_BITS)))
        case Laplace(epsilon):
            return int(2 * epsilon / grid.step) // 8 + 4
        case Geometric(_, shift):
            return shift + 1
        case Response(_, outcomes):
            return min(outcomes, 3)
        case SubsampledGaussian():
            return 4 * len(subsampled_law.gaussian_window(pair, grid).ends)
        case Exchanged():
            return 4 * len(_exchanged_window(pair, grid).ends)
        case Allocation():
            return 32 * allocation_law.points_for(pair, grid.step)
        case Labelled():
            return sum(size(part, own) for _, part, own in _told_parts(pair, grid)) + 1
        case Subsampled(base):
            return 4 * size(base, grid)
        case Drawn():
            return size(base_of(pair), grid) + 1
        case Instead(base):
            return 8 * size(base, grid) + 1
        case _:
            assert_never(pair)


def _check_points(points: int) -> None:
    if points > MOST_POINTS_OF_A_ROUND:
        raise UndecidedError(f"one round needs more than {MOST_POINTS_OF_A_ROUND} points of its law: out of reach")


# --- onto the grid -----------------------------------------------------------------------------------------------


def atoms_for(ar: EnclosingArithmetic, pair: FinitePair, grid: Grid) -> Atoms | LatticeAtoms | None:
    """The atoms that ``spread`` and ``merge`` put on the grid; None where the law has a density."""
    inner = ar.at(grid.bits + 3 * GUARD_BITS)
    with inner.active():
        if isinstance(pair, DiscreteGaussian) and lattice_atoms.is_reachable(grid):
            return _lattice_atoms(inner, pair, grid, 1)
        if isinstance(pair, Drawn) and isinstance(pair.base, DiscreteGaussian) and lattice_atoms.is_reachable(grid):
            # What loses nothing is added on the grid.
            return _lattice_atoms(inner, pair.base, grid, _share(inner, pair, grid.tilt))
        return atoms(inner, pair, grid.tilt, grid.bits + GUARD_BITS)


def spread(ar: EnclosingArithmetic, pair: FinitePair, grid: Grid, found: Atoms | LatticeAtoms | None) -> GridLaw:
    """The round's law on the grid from above (``loss_grid.spread``), ``normaliser`` divided out."""
    inner = ar.at(grid.bits + 3 * GUARD_BITS)
    with inner.active():
        match pair:
            case Gaussian():
                (cells,) = spread_gaussian(inner, pair.mu_squared, grid, *_gaussian_window(pair, grid))
                return cells
            case Laplace() | Drawn(Laplace()):
                return _spread_laplace(inner, pair, grid)
            case SubsampledGaussian() | Subsampled() | Instead() | Labelled() | Exchanged() | Allocation():
                law, window = _subsampled(inner, pair, grid, up=True)
                return subsampled_law.spread(law, grid, normaliser(pair, grid.tilt), window)
            case _:
                assert found is not None
                return _spread_atoms(inner, found, grid, _still(inner, pair, found, grid.tilt))


def merge(
    ar: EnclosingArithmetic, pair: FinitePair, grid: Grid, found: Atoms | LatticeAtoms | None
) -> tuple[GridLaw, GridLaw]:
    """The round's labels on the grid from below (``loss_grid.merge``), ``normaliser`` divided out of both laws."""
    inner = ar.at(grid.bits + 3 * GUARD_BITS)
    with inner.active():
        match pair:
            case Gaussian():
                return merge_gaussian(inner, pair.mu_squared, grid, *_gaussian_window(pair, grid))
            case Laplace() | Drawn(Laplace()):
                return _merge_laplace(inner, pair, grid)
            case SubsampledGaussian() | Subsampled() | Instead() | Labelled() | Exchanged() | Allocation():
                law, window = _subsampled(inner, pair, grid, up=False)
                return subsampled_law.merge(law, grid, normaliser(pair, grid.tilt), window)
            case _:
                assert found is not None
                return _merge_atoms(inner, found, grid, _still(inner, pair, found, grid.tilt))


def _still(ar: EnclosingArithmetic, pair: FinitePair, found: Atoms | LatticeAtoms, tilt: Fraction) -> Real | None:
    """What loses nothing, where the atoms are not listed with it."""
    if not isinstance(pair, Drawn) or isinstance(found, Atoms):
        return None
    return (1 - pair.rate) * ar.exp(-normaliser(pair, tilt))


def _gaussian_window(pair: Gaussian, grid: Grid) -> tuple[int, int]:
    """Grid points outside which the tilted law has less than 2^-bits."""
    mu_squared = float(pair.mu_squared)
    mean = (float(grid.tilt) + 0.5) * mu_squared
    reach = math.sqrt(2 * _LN2 * (grid.bits + 8) * mu_squared)
    step = float(grid.step)
    low, high = math.floor((mean - reach) / step), math.ceil((mean + reach) / step) + 1
    _check_points(high - low)
    return low, high


class _Bounds:
    """Masses added up by grid index, in units of 2^-(bits + GUARD_BITS)."""

    def __init__(self, ar: EnclosingArithmetic, grid: Grid, bounds: dict[int, tuple[int, int]] | None = None) -> None:
        self.ar, self.grid, self.work = ar, grid, grid.bits + GUARD_BITS
        self.bounds: dict[int, tuple[int, int]] = {} if bounds is None else bounds

    def add(self, index: int, mass: Scalar) -> None:
        lower, upper = fixed(self.ar, mass, self.work)
        low, high = self.bounds.get(index, (0, 0))
        self.bounds[index] = low + lower, high + upper

    def add_geometric(self, first: int, last: int, scale: Real, tilt: Fraction | None = None) -> None:
        """scale * e^((tilt + 1/2) j h) for first <= j < last, from the largest down."""
        if first >= last:
            return
        spend(last - first)
        rate = (self.grid.tilt if tilt is None else tilt) + _HALF
        step = self.grid.step
        lower, upper = fixed(self.ar, scale * self.ar.exp(rate * (last - 1) * step), self.work)
        ratio_low, ratio_high = fixed(self.ar, self.ar.exp(-rate * step), self.work)
        for j in range(last - 1, first - 1, -1):
            low, high = self.bounds.get(j, (0, 0))
            self.bounds[j] = low + lower, high + upper
            lower, upper = lower * ratio_low >> self.work, -(-upper * ratio_high >> self.work)

    def cells(self, left_out: Real) -> GridLaw:
        """What was left out may be moved by up to a step, which grows its tilted mass boundedly."""
        grown = left_out * self.ar.exp(abs(self.grid.tilt) * self.grid.step)
        total = sum(high for _, high in self.bounds.values()) + fixed(self.ar, grown, self.work)[1]
        return finish(self.grid, self.bounds, total)


def _spread_atoms(ar: EnclosingArithmetic, law: Atoms | LatticeAtoms, grid: Grid, still: Real | None) -> GridLaw:
    """An atom of mass p at l = (j + f) h: (1 - e^(-f h))/(1 - e^-h) of it to j + 1, the rest to j, tilted there."""
    step, tilt = grid.step, grid.tilt
    if isinstance(law, LatticeAtoms):
        found = _Bounds(ar, grid, lattice_atoms.spread(ar, law, grid))
        if still is not None:
            found.add(0, still)
        return found.cells(law.left_out)
    found = _Bounds(ar, grid)
    whole = -ar.expm1(-step)
    lowered, raised = ar.exp(-step), ar.exp(tilt * step)
    for loss, mass in law.items:
        j = loss // step
        offset = loss - j * step
        if not offset:
            found.add(j, mass)
            continue
        kept = ar.exp(-offset)
        moved = mass * ar.exp(-tilt * offset) / whole
        found.add(j, moved * (kept - lowered))
        found.add(j + 1, moved * (1 - kept) * raised)
    return found.cells(law.left_out)


def _merge_atoms(
    ar: EnclosingArithmetic, law: Atoms | LatticeAtoms, grid: Grid, still: Real | None
) -> tuple[GridLaw, GridLaw]:
    """The label of an atom is the nearest grid point; P is tilted by the label, and Q by one more."""
    step, tilt = grid.step, grid.tilt
    q_grid = replace(grid, tilt=tilt + 1)
    if isinstance(law, LatticeAtoms):
        listed = lattice_atoms.merge(ar, law, grid)
        p, q = (_Bounds(ar, place, bounds) for place, bounds in zip((grid, q_grid), listed, strict=True))
        if still is not None:
            p.add(0, still)
            q.add(0, still)
        return p.cells(law.left_out), q.cells(law.left_out)
    p, q = _Bounds(ar, grid), _Bounds(ar, q_grid)
    for loss, mass in law.items:
        j = (loss + step / 2) // step
        excess = j * step - loss
        p_mass = mass * ar.exp(tilt * excess) if excess else mass
        p.add(j, p_mass)
        q.add(j, p_mass * ar.exp(excess) if excess else p_mass)
    return p.cells(law.left_out), q.cells(law.left_out)


# --- Laplace -----------------------------------------------------------------------------------------------------
#
# The loss is eps with P-mass 1/2, -eps with Q-mass 1/2, and between them has the P-density e^(-(eps - l)/2)/4. On an
# inner cell all masses are geometric sequences in its index.


def _above(ar: EnclosingArithmetic, eps: Fraction, loss: Fraction) -> tuple[Scalar, Scalar]:
    """P(L > loss) and Q(L > loss)."""
    if loss >= eps:
        return 0, 0
    if loss < -eps:
        return 1, 1
    return 1 - ar.exp((loss - eps) / 2) / 2, ar.exp(-(loss + eps) / 2) / 2


def _laplace_of(ar: EnclosingArithmetic, pair: FinitePair, tilt: Fraction) -> tuple[Fraction, Real, Real | None]:
    """The epsilon of Laplace noise, the unit of its masses, and what loses nothing, in the same; None without it."""
    unit = ar.exp(-normaliser(pair, tilt))
    if isinstance(pair, Drawn):
        base = base_of(pair)
        assert isinstance(base, Laplace)
        return base.epsilon, pair.rate * unit, (1 - pair.rate) * unit
    assert isinstance(pair, Laplace)
    return pair.epsilon, unit, None


def _spread_laplace(ar: EnclosingArithmetic, pair: FinitePair, grid: Grid) -> GridLaw:
    step, tilt = grid.step, grid.tilt
    eps, unit, still = _laplace_of(ar, pair, tilt)
    whole = -ar.expm1(-step)
    # Cells between grid points j and j + 1: inner ones have -eps <= j h and (j + 1) h < eps; two have the atoms.
    first, last = -(eps // step), -(-eps // step) - 1
    _check_points(last - first)
    found = _Bounds(ar, grid)
    for j in sorted({first - 1, last}):
        below, above = _above(ar, eps, j * step), _above(ar, eps, (j + 1) * step)
        p_mass, q_mass = ar.real(below[0]) - above[0], ar.real(below[1]) - above[1]
        moved = (p_mass - ar.exp(j * step) * q_mass) / whole
        weight = unit * ar.exp(tilt * j * step)
        found.add(j, (p_mass - moved) * weight)
        found.add(j + 1, moved * weight * ar.exp(tilt * step))
    scale = unit * ar.exp(-eps / 2) / 2
    rise = ar.expm1(step / 2)
    moved = (rise + ar.expm1(-step / 2)) / whole
    found.add_geometric(first, last, scale * (rise - moved))
    found.add_geometric(first + 1, last + 1, scale * moved * ar.exp(-step / 2))
    if still is not None:
        found.add(0, still)
    return found.cells(ar.real(0))


def _merge_laplace(ar: EnclosingArithmetic, pair: FinitePair, grid: Grid) -> tuple[GridLaw, GridLaw]:
    step, tilt = grid.step, grid.tilt
    eps, unit, still = _laplace_of(ar, pair, tilt)
    # The label j is of losses in ((j - 1/2) h, (j + 1/2) h]; inner ones have -eps <= (j - 1/2) h and (j + 1/2) h < eps.
    first, last = -((eps - step / 2) // step), -((step / 2 - eps) // step)
    _check_points(last - first)
    p, q = _Bounds(ar, grid), _Bounds(ar, replace(grid, tilt=tilt + 1))
    for j in sorted({first - 1, last}):
        below, above = _above(ar, eps, (j - _HALF) * step), _above(ar, eps, (j + _HALF) * step)
        p.add(j, (ar.real(below[0]) - above[0]) * unit * ar.exp(tilt * j * step))
        q.add(j, (ar.real(below[1]) - above[1]) * unit * ar.exp((1 + tilt) * j * step))
    # P is e^((l - eps)/2)/2 below l, Q the rest of e^(-(l + eps)/2)/2: when tilted, the same sequence.
    scale = unit * ar.exp(-eps / 2) / 2 * (ar.exp(step / 4) - ar.exp(-step / 4))
    p.add_geometric(first, last, scale)
    q.add_geometric(first, last, scale, tilt=tilt)
    if still is not None:
        p.add(0, still)
        q.add(0, still)
    return p.cells(ar.real(0)), q.cells(ar.real(0))


# --- subsampled --------------------------------------------------------------------------------------------------


def _subsampled(
    ar: EnclosingArithmetic,
    pair: SubsampledGaussian | Subsampled | Instead | Labelled | Exchanged | Allocation,
    grid: Grid,
    *,
    up: bool,
) -> tuple[subsampled_law.CellLaw, subsampled_law.Window | None]:
    """A subsampled round's law, and where its density lies; of balls in bins one from above or from below."""
    window: subsampled_law.Window | None
    if isinstance(pair, Allocation):
        found = allocation_law.AllocationLaw(ar, pair, allocation_law.points_for(pair, grid.step), up=up)
        window = found.window(grid.step)
        _check_points(window.high - window.low)
        return found, window
    if isinstance(pair, Exchanged):
        window = _exchanged_window(pair, grid)
        _check_points(len(window.ends))
        return exchanged.ExchangedLaw(ar, pair), window
    if isinstance(pair, Labelled):
        cases = []
        for chance, part, own in _told_parts(pair, grid):
            law, window = _subsampled(ar, part, own, up=up)
            assert window is not None
            cases.append((chance, law, window))
        told = subsampled_law.LabelledLaw(ar, tuple(cases), pair.still)
        return told, told.window
    if isinstance(pair, SubsampledGaussian):
        window = subsampled_law.gaussian_window(pair, grid)
        _check_points(len(window.ends))
        return subsampled_law.gaussian(ar, pair), window
    base = _base(ar, pair, grid)
    sampled: subsampled_law.CellLaw
    if isinstance(pair, Instead):
        sampled = subsampled_law.InsteadLaw(ar, base, pair.rate)
    else:
        sampled = subsampled_law.SubsampledLaw(ar, base, pair.rate, pair.orientation)
    if not isinstance(pair.base, Laplace):
        return sampled, None
    window = _laplace_window(ar, pair, grid)
    if isinstance(pair, Instead) and window.high - window.low > _MOST_INSTEAD:
        raise UndecidedError(
            f"a round needs more than {_MOST_INSTEAD} points of its law: simpler rounds stand in for it"
        )
    _check_points(window.high - window.low)
    return sampled, window


def infinite(engine: decide.EngineName, pair: FinitePair, grid: Grid) -> Fraction:
    """The mass that ``spread`` leaves at infinite loss."""
    if not isinstance(pair, Allocation):
        return Fraction(0)
    points = allocation_law.points_for(pair, grid.step)
    found = allocation_law.corners(engine, pair.bins, pair.mu_squared, points, up=True)
    return found.infinite(removal=pair.orientation == "removal")


def _exchanged_window(pair: Exchanged, grid: Grid) -> subsampled_law.Window:
    return exchanged.window_of(pair, _sketch(pair), float(grid.tilt), grid.step, grid.bits + 16)


def _base(ar: EnclosingArithmetic, pair: Subsampled | Instead, grid: Grid) -> subsampled_law.BaseLaw:
    base, removal = pair.base, isinstance(pair, Instead) or pair.orientation == "removal"
    match base:
        case Laplace(epsilon):
            return _laplace_base(ar, epsilon)
        case DiscreteGaussian():
            return _discrete_gaussian_base(ar, pair.rate, base, grid, removal=removal)
        case _:
            found = atoms(ar, base, Fraction(0), grid.bits + GUARD_BITS)
            assert found is not None
            unit = ar.exp(normaliser(base, Fraction(0)))
            masses = ((loss, mass * unit) for loss, mass in found.items)
            return subsampled_law.BaseLaw(tuple((loss, p, p * ar.exp(-loss)) for loss, p in masses))


def _laplace_base(ar: EnclosingArithmetic, eps: Fraction) -> subsampled_law.BaseLaw:
    """P has e^((l - eps)/2)/2 of its density below l, above the half of e^-eps that -eps has; Q is its mirror image."""
    least, most = ar.exp(-eps), ar.exp(eps)
    rest, half = (1 - least) / 2, ar.exp(-eps / 2) / 2

    def below(ratio: Real) -> subsampled_law.Masses:
        root = ar.sqrt(ar.minimum(ar.maximum(ratio, least), most))
        return half * root - least / 2, Fraction(1, 2) - half / root

    def above(ratio: Real) -> subsampled_law.Masses:
        p, q = below(ratio)
        return rest - p, rest - q

    ends = ((eps, ar.real(Fraction(1, 2)), least / 2), (-eps, least / 2, ar.real(Fraction(1, 2))))
    return subsampled_law.BaseLaw(ends, 0, above, below, (rest, rest))


def _laplace_window(ar: EnclosingArithmetic, pair: Subsampled | Instead, grid: Grid) -> subsampled_law.Window:
    """Every loss that there is, as those of Laplace noise are bounded; nothing lies outside."""
    assert isinstance(pair.base, Laplace)
    signs = (1, -1) if isinstance(pair, Instead) else (1, 1) if pair.orientation == "removal" else (-1, -1)
    bases = (1, 1) if isinstance(pair, Instead) else (1, -1)
    ends = []
    for sign, way in zip(signs, bases, strict=True):
        found = ar.enclosure(sign * ar.log(1 - pair.rate + pair.rate * ar.exp(way * pair.base.epsilon)))
        if found is None:
            raise UndecidedError("the losses of a subsampled round have no finite enclosure")
        ends.append(found)
    low, high = min(end.lower for end in ends), max(end.upper for end in ends)
    return subsampled_law.Window(low // grid.step - 1, high // grid.step + 2, lambda *_: 0)


def _discrete_gaussian_base(
    ar: EnclosingArithmetic, rate: Fraction, base: DiscreteGaussian, grid: Grid, *, removal: bool
) -> subsampled_law.BaseLaw:
    """Atoms so far out that the rest is negligible, tilted.

    With p = tilt + 1 a removal weighs R^p <= 2^(p - 1) ((1 - q)^p + q^p e^(p l)) under Q, of which the second sums to
    q^p e^(p (p - 1) v^2/(2 s)) times a Gaussian sum about -tilt v. An addition weighs at most (1 - q)^-tilt, or
    q^-tilt e^(-tilt l), whose sum is about v (1 + tilt).
    """
    variance, shift, tilt = base.sigma_squared, base.shift, grid.tilt
    q, rest = rate, 1 - rate
    # A weight of up to 2^extra outside.
    extra = float(tilt) + 1 if removal else float(tilt) * -math.log2(max(float(rest), 2.0**-60))
    bits = grid.bits + GUARD_BITS + math.ceil(extra)
    reach = math.isqrt(math.ceil(2 * variance * bits)) + 2
    moved = -tilt * shift if removal else (1 + tilt) * shift
    centres = [Fraction(shift), moved] if removal or float(rest) < 2.0**-60 else [Fraction(shift)]
    first, last = math.floor(min(centres)) - reach, math.ceil(max(centres)) + reach
    _check_points(last - first)
    whole = theta(ar, variance, bits)
    found = []
    for x in range(first, last + 1):
        p = ar.exp(-Fraction(x * x) / (2 * variance)) / whole
        q_mass = ar.exp(-Fraction((x - shift) ** 2) / (2 * variance)) / whole
        found.append((shift * (shift - 2 * x) / (2 * variance), p, q_mass))
    outside = 2 * _beyond(ar, variance, reach) / whole
    if removal:
        grown = ar.exp(tilt * (tilt + 1) * shift * shift / (2 * variance) + (tilt + 1) * ar.log(q))
        factor: Real = ar.exp(tilt * ar.log(2)) * (1 + grown)
    elif len(centres) == 1:
        factor = ar.exp(-tilt * ar.log(rest))
    else:
        factor = ar.exp(tilt * (tilt + 1) * shift * shift / (2 * variance) - tilt * ar.log(q))
    return subsampled_law.BaseLaw(tuple(found), outside * factor)
