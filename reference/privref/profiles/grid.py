"""Engine A: the profile of any mix of pairs by convolution on a loss grid, with bounds on both sides.

The upper bound comes from spread laws, the lower one from merged labels (``composition.loss_grid`` proves both). Equal
rounds are raised to their count by repeated squaring. After each product the ends of the law are cut off where what
they hold is negligible; what is cut off or rounded away counts as missing, in full, in every bound.

The step of the grid is a part of a lattice that as many atoms as possible lie on, since an atom on a grid point costs
nothing; where all laws live on one lattice that is not too fine, the grid is that lattice and both bounds come from
one law, without any error of discretization.

Floats only *plan* (tilt, step, bits); every bound is computed in integers and enclosures and is valid for any plan.
A composition has one orientation here: ask for each of ``Composition.orientations`` and take the larger answer.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import count as counter

from privref.composition.loss_convolution import LossPlan, LossShape, Moments, Profile, narrowed, planning, sharper
from privref.composition.loss_grid import Grid, GridMeasure, most_places
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import float_log
from privref.exact.work import afford, left, spend

from . import direct, laws
from .laws import FinitePair
from .model import (
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
    WorstApproximate,
)

#: About the most points of a grid of the whole composition: a finer one would take minutes.
MOST_POINTS = 1 << 21
#: The most rounds of one composition, and of different ones.
MOST_ROUNDS = 10**9
MOST_DIFFERENT = 10**4
#: Half of what a point of sampled rounds costs with the second arithmetic: distribution functions of a normal variable.
_PLAIN_POINT = 90
_ATTEMPTS = 6
_BISECTIONS = 40
_SMALL = Fraction(1, 10**60)
#: A product of chances of more bits is not written out exactly.
_MOST_BITS = 1 << 18
#: The most coefficients of laws and about of their product, kept for the second engine: some fifty bytes each.
_MOST_KEPT = 1 << 20


@dataclass(frozen=True, slots=True)
class Finite:
    """What goes on the grid: pairs of finite loss with counts, and alongside it the deltas of infinite loss."""

    rounds: tuple[tuple[FinitePair, int], ...]
    deltas: tuple[tuple[Fraction, int], ...]

    @property
    def count(self) -> int:
        return sum(n for _, n in self.rounds)


def finite(composition: Composition) -> Finite:
    """The composition with infinite losses apart; rounds that lose nothing are left out."""
    rounds: dict[FinitePair, int] = {}
    deltas: dict[Fraction, int] = {}
    for item in composition.rounds:
        pair = item.pair
        match pair:
            case WorstApproximate(epsilon, delta):
                if delta:
                    deltas[delta] = deltas.get(delta, 0) + item.count
                part: FinitePair = Response(epsilon)
            case Drawn(WorstApproximate(epsilon, delta), rate):
                # All of it is lost with the chance rate delta, on its own; else the place is drawn with what is left.
                lost = rate * delta
                if lost:
                    deltas[lost] = deltas.get(lost, 0) + item.count
                part = Drawn(Response(epsilon), rate * (1 - delta) / (1 - lost) if lost < 1 else Fraction(0))
            case _:
                part = pair
        laws.check_reach(part)
        if not _loses_nothing(part):
            rounds[part] = rounds.get(part, 0) + item.count
    if len(rounds) > MOST_DIFFERENT or sum(rounds.values()) > MOST_ROUNDS:
        raise UndecidedError(f"more than {MOST_DIFFERENT} different rounds, or {MOST_ROUNDS}: out of the grid's reach")
    return Finite(tuple(rounds.items()), tuple(deltas.items()))


def _loses_nothing(pair: FinitePair) -> bool:
    match pair:
        case Gaussian(mu_squared):
            return not mu_squared
        case Laplace(epsilon) | Response(epsilon):
            return not epsilon
        case Subsampled(base) | Instead(base):
            return _loses_nothing(base)
        case Drawn(_, rate):
            return not rate or _loses_nothing(laws.base_of(pair))
        case _:
            return False


def largest_loss(rounds: Finite) -> Enclosure | None:
    """The loss from which on delta is 0; None where there is none."""
    found = [(_largest_loss(pair), n) for pair, n in rounds.rounds]
    known = [(loss, n) for loss, n in found if loss is not None]
    if len(known) < len(found):
        return None
    return Enclosure(
        sum((n * loss.lower for loss, n in known), Fraction(0)), sum((n * loss.upper for loss, n in known), Fraction(0))
    )


def largest_of_all(composition: Composition) -> Enclosure | None:
    """The largest finite loss of all orientations; None where there is none."""
    found = [largest_loss(finite(part)) for part in composition.orientations]
    known = [loss for loss in found if loss is not None]
    if len(known) < len(found):
        return None
    return Enclosure(max(loss.lower for loss in known), max(loss.upper for loss in known))


def _largest_loss(pair: FinitePair) -> Enclosure | None:
    match pair:
        case Laplace(epsilon) | Response(epsilon):
            return Enclosure(epsilon, epsilon)
        case Geometric(scale, shift):
            return Enclosure(shift / scale, shift / scale)
        case SubsampledGaussian(rate, _, "addition") | Subsampled(DiscreteGaussian(), rate, "addition") if rate < 1:
            return _log_ratio(rate, None, -1)
        case Labelled(parts):
            found = [_largest_loss(part) for chance, part in parts if chance]
            known = [each for each in found if each is not None]
            if len(known) < len(found):
                return None
            return Enclosure(max(each.lower for each in known), max(each.upper for each in known))
        case Drawn():
            return _largest_loss(laws.base_of(pair))
        case Instead(base, rate):
            most = _largest_loss(base)
            return None if most is None else _log_ratio(rate, most.upper, 1)
        case Subsampled(base, rate, orientation) if not isinstance(base, DiscreteGaussian):
            most = _largest_loss(base)
            assert most is not None
            return _log_ratio(rate, most.upper, 1) if orientation == "removal" else _log_ratio(rate, -most.upper, -1)
        case _:
            return None


def _log_ratio(rate: Fraction, loss: Fraction | None, sign: int) -> Enclosure | None:
    """sign log(1 - q + q e^loss); a loss of None is -infinity."""
    ar = decide.engine("arb", 256)
    with ar.active():
        reached = 0 if loss is None else rate * ar.exp(loss)
        return ar.enclosure(sign * ar.log(ar.real(1 - rate + reached)))


# --- planning, in floats -----------------------------------------------------------------------------------------


def _moments(rounds: Finite, tilt: float) -> Moments:
    value = mean = variance = 0.0
    for pair, n in rounds.rounds:
        one = laws.moments(pair, tilt)
        value, mean, variance = value + n * one.value, mean + n * one.mean, variance + n * one.variance
    return Moments(value, mean, variance)


def _most_tilt(rounds: Finite) -> float:
    """Beyond it a tilted law is its largest loss; about where that is so for the smallest atom."""
    spacings = [float(spacing) for spacing in (laws.lattice(pair) for pair, _ in rounds.rounds) if spacing]
    return 64 / min(spacings) if spacings else 1e9


def plan(rounds: Finite) -> LossPlan:
    """Where the grid has to be fine."""
    least = max(_moments(rounds, 0.0).variance * 1e-4, 1e-30)
    return LossPlan(lambda tilt: _moments(rounds, tilt), least, _most_tilt(rounds), 1e-2)


@dataclass(frozen=True, slots=True)
class ProfileSetting:
    """One grid; what may go missing, as -log2 of a share of the whole; whether all losses lie on it; its length."""

    grid: Grid
    missing_bits: float
    exact: bool
    points: int


def gcd(first: Fraction, second: Fraction) -> Fraction:
    """The largest number of which both are multiples."""
    multiple = math.lcm(first.denominator, second.denominator)
    return Fraction(math.gcd(int(first * multiple), int(second * multiple)), multiple)


def _reach(shape: LossShape, missing_bits: float) -> float:
    """About half the length of the tilted law's support that counts."""
    return math.sqrt(2 * math.log(2) * max(missing_bits, 4.0)) * shape.deviation


@planning()
def _setting(rounds: Finite, shape: LossShape, variance: float, missing: float) -> ProfileSetting:
    """A grid whose discretization adds about ``variance`` to the loss, the two bounds together, or none at all."""
    missing_bits = (
        max(-math.log2(missing), 8.0) + math.log2(8 * (1 + 2.5 * shape.tilt * shape.deviation)) + shape.deeper
    )
    length = 2 * _reach(shape, missing_bits)
    step = _best_step(rounds, variance)
    if length / float(step) > MOST_POINTS:
        step = Fraction(length / MOST_POINTS)
    # One law on its own lattice takes the place of three on any other grid.
    own = _lattice_step(rounds, max(float(step) / 4, length / MOST_POINTS))
    exact = own is not None
    step = step if own is None else own
    points = max(length / float(step), 16.0)
    bits = math.ceil(missing_bits + math.log2(points) + math.log2(rounds.count + len(rounds.rounds)) + 8)
    return ProfileSetting(Grid(step, 1, bits, shape.rounded_tilt), missing_bits, exact, int(points))


def _lattice_step(rounds: Finite, least: float) -> Fraction | None:
    """The lattice of all atoms, where there is nothing else and it is not finer than ``least``."""
    common: Fraction | None = None
    for pair, _ in rounds.rounds:
        spacing = laws.lattice(pair)
        if spacing is None or laws.off_lattice(pair):
            return None
        common = spacing if common is None else gcd(common, spacing)
        if common < least:
            return None
    return common


def _best_step(rounds: Finite, variance: float) -> Fraction:
    """The largest step that keeps the added variance: aligned with the lattice of some of the rounds, or with none.

    An atom off the grid adds h^2/6 to the spread law and h^2/12 to the merged one, on average.
    """
    spacings: dict[Fraction, float] = {}
    everything = 0.0
    for pair, n in rounds.rounds:
        everything += n
        spacing = laws.lattice(pair)
        if spacing is not None:
            spacings[spacing] = spacings.get(spacing, 0.0) + n * (1 - laws.off_lattice(pair))
    free = 2 * math.sqrt(variance / everything)
    best = Fraction(1, 2 ** max(0, math.ceil(-math.log2(free)))) if free < 1 else Fraction(1)
    for spacing, aligned in sorted(spacings.items(), key=lambda item: -item[1])[:8]:
        allowed = 2 * math.sqrt(variance / max(everything - aligned, 1e-9))
        step = spacing / max(1, math.ceil(float(spacing) / allowed))
        best = max(best, step)
    return best


# --- the convolution ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Node:
    laws: tuple[GridMeasure, ...]
    count: int


class _Convolver:
    """Products of laws on one grid, each cut where its ends hold a negligible share of the mass."""

    def __init__(self, setting: ProfileSetting, count: int) -> None:
        self.whole, self.bits = count, setting.grid.bits
        # Each round's mass is cut at about 2 log2(count) + 3 places, at both ends of up to two laws.
        self.share = 2.0 ** -(setting.missing_bits + 3) / (2 * math.log2(count + 1) + 3)

    def times(self, first: _Node, second: _Node) -> _Node:
        products = tuple(a * b for a, b in zip(first.laws, second.laws, strict=True))
        return self.cut(_Node(products, first.count + second.count))

    def cut(self, node: _Node) -> _Node:
        budget = int(self.share * node.count / self.whole * 2.0**self.bits)
        return _Node(tuple(_cut(law, budget) for law in node.laws), node.count)

    def powers(self, leaves: Iterable[tuple[_Node, int]]) -> _Node:
        """All of them, each raised to its count: squared together, by the bits of the counts from the highest down."""
        # One round alone is multiplied with nothing, for which it would have to be short.
        found = [(self.cut(leaf) if self.whole > 1 else leaf, times) for leaf, times in leaves]
        whole: _Node | None = None
        for bit in reversed(range(max(times for _, times in found).bit_length())):
            factors = [leaf for leaf, times in found if times >> bit & 1]
            if whole is not None:
                factors.append(self.times(whole, whole))
            whole = self.product(factors)
        assert whole is not None
        return whole

    def product(self, nodes: list[_Node]) -> _Node:
        """Smallest first."""
        ticket = counter()
        heap = [(sum(len(law.masses) for law in node.laws), next(ticket), node) for node in nodes]
        heapq.heapify(heap)
        while len(heap) > 1:
            first, second = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
            node = self.times(first, second)
            heapq.heappush(heap, (sum(len(law.masses) for law in node.laws), next(ticket), node))
        return heap[0][2]


def product(laws: Iterable[tuple[GridMeasure, int]], setting: ProfileSetting) -> GridMeasure:
    """Return the laws composed, each as often as its count says. Does not charge the work meter."""
    leaves = [(_Node((law,), 1), times) for law, times in laws]
    return _Convolver(setting, sum(times for _, times in leaves)).powers(leaves).laws[0]


def _cut(law: GridMeasure, budget: int) -> GridMeasure:
    """Cut off both ends as far as each holds at most ``budget``."""
    size = len(law.masses)
    start = most_places(size, lambda places: law.masses.part(0, places).sum() <= budget)
    stop = most_places(size, lambda places: law.masses.part(size - places, size).sum() <= budget)
    return law.window(law.low + start, law.low + size - stop) if start or stop else law


def _price(engine: str, rounds: Finite, setting: ProfileSetting) -> int:
    """At least about what the laws and their products cost, in units of work: the meter counts what they do cost."""
    dear = _PLAIN_POINT if engine != "arb" else 1
    points = sum(
        laws.size(pair, setting.grid) * (dear if isinstance(pair, (Labelled, Exchanged)) else 1)
        for pair, _ in rounds.rounds
    )
    # The last products of one or three laws, and about as much again for those before them.
    products = setting.points * (2 if setting.exact else 6) * (16 + setting.grid.bits) // 96
    return 2 * points + products


_Laws = tuple[GridMeasure, ...]


def _composed(placed: tuple[_Laws, ...], counts: tuple[int, ...], setting: ProfileSetting) -> _Laws:
    """The laws' powers and their product.

    From the second engine come the same integers as from the first, but for a rare last bit: their product, which
    knows no engine, is taken once, and charged to both.
    """
    points = sum(len(law.masses) for laws in placed for law in laws) + len(placed[0]) * setting.points
    if points > _MOST_KEPT:
        return _product(placed, counts, setting)
    before = left()
    found, cost = _kept_product(placed, counts, setting)
    owed = cost - (before - left())
    # Where the meter would have stopped it, it is not known from before either.
    if owed > left():
        return _product(placed, counts, setting)
    spend(owed)
    return found


@lru_cache(maxsize=2)
def _kept_product(placed: tuple[_Laws, ...], counts: tuple[int, ...], setting: ProfileSetting) -> tuple[_Laws, int]:
    """With what it cost."""
    before = left()
    return _product(placed, counts, setting), before - left()


def _product(placed: tuple[_Laws, ...], counts: tuple[int, ...], setting: ProfileSetting) -> _Laws:
    leaves = ((_Node(laws, 1), n) for laws, n in zip(placed, counts, strict=True))
    return _Convolver(setting, sum(counts)).powers(leaves).laws


def convolve(ar: EnclosingArithmetic, rounds: Finite, setting: ProfileSetting) -> Profile:
    """The laws of the whole composition and the bounds they give."""
    afford(_price(ar.name, rounds, setting))
    grid = setting.grid
    units = sum((n * laws.normaliser(pair, grid.tilt) for pair, n in rounds.rounds), Fraction(0))
    counts = tuple(n for _, n in rounds.rounds)

    def normaliser(inner: EnclosingArithmetic) -> Scalar:
        return units

    above: list[tuple[GridMeasure, ...]] = []
    labels: list[tuple[GridMeasure, ...]] = []
    for pair, _ in rounds.rounds:
        found = laws.atoms_for(ar, pair, grid)
        above.append((laws.spread(ar, pair, grid, found).measure(),))
        if not setting.exact:
            labels.append(tuple(law.measure() for law in laws.merge(ar, pair, grid, found)))
    (upper,) = _composed(tuple(above), counts, setting)
    infinite = sum((n * laws.infinite(decide.engine_name(ar), pair, grid) for pair, n in rounds.rounds), Fraction(0))
    if setting.exact:
        q = replace(upper, grid=replace(grid, tilt=grid.tilt + 1))
        return Profile(upper, normaliser, upper, q, normaliser)
    p, q = _composed(tuple(labels), counts, setting)
    return Profile(upper, normaliser, p, q, normaliser, infinite)


# --- answers -----------------------------------------------------------------------------------------------------


def _survival(ar: Arithmetic, rounds: Finite) -> Real:
    """prod (1 - delta_i), the chance that no loss is infinite."""
    return ar.exp(ar.sum(n * ar.log1p(-delta) for delta, n in rounds.deltas))


def delta_of(composition: Composition, eps: Fraction, width: Fraction, engine: decide.EngineName = "arb") -> Enclosure:
    """delta(eps) of one orientation, eps >= 0, to about the relative width asked for."""
    rounds = finite(composition)
    ar = decide.engine(engine, 192)
    largest = largest_loss(rounds)
    if any(delta == 1 for delta, _ in rounds.deltas):
        return Enclosure(Fraction(1), Fraction(1))
    with ar.active():
        beyond = largest is not None and eps >= largest.upper
        pure = Enclosure(Fraction(0), Fraction(0)) if beyond else _delta(ar, rounds, eps, width)
        return with_infinite(ar, rounds, pure)


def with_infinite(ar: EnclosingArithmetic, rounds: Finite, pure: Enclosure) -> Enclosure:
    """1 - prod (1 - delta_i) (1 - pure): delta with the chances of infinite loss, from that of the finite losses."""
    if not rounds.deltas:
        return pure
    survival = _survival(ar, rounds)
    ends = [ar.enclosure(1 - survival * (1 - end)) for end in (pure.lower, pure.upper)]
    if ends[0] is None or ends[1] is None:
        raise MorePrecisionError("a chance of infinite loss has no finite enclosure")
    return Enclosure(max(ends[0].lower, Fraction(0)), min(ends[1].upper, Fraction(1)))


def _delta(ar: EnclosingArithmetic, rounds: Finite, eps: Fraction, width: Fraction) -> Enclosure:
    summed = direct.delta_of(ar, rounds.rounds, eps, width)
    if summed is not None:
        return summed
    with planning():
        shape = plan(rounds).at_eps(eps)
    best = Enclosure(Fraction(0), Fraction(1))
    relative = float(width)
    for _ in range(_ATTEMPTS):
        variance = relative / shape.log_delta_per_eps / shape.eps_per_variance
        setting = _setting(rounds, shape, variance, relative / 16)
        inner = ar.at(max(ar.precision, setting.grid.bits + 64))
        with inner.active():
            try:
                profile = convolve(inner, rounds, setting)
            except UndecidedError:
                if best.width < 1:
                    break  # a finer grid is out of reach: the enclosure says what was reached
                raise
            lower = inner.enclosure(profile.delta_lower(inner, eps))
            upper = inner.enclosure(profile.delta_upper(inner, eps))
        best = narrowed(best, lower, upper)
        if best.relative_width_at_most(width):
            break
        relative = sharper(relative, best, width)
    return best


def eps_of(
    composition: Composition,
    delta: Fraction,
    width: Fraction,
    engine: decide.EngineName = "arb",
    missing: Fraction = Fraction(0),
) -> Enclosure | None:
    """The least epsilon >= 0 of one orientation at delta, to about that relative width; None where none is finite.

    With some of delta ``missing``, far less than is left to finite losses, that at all of delta - missing to delta.
    """
    rounds = finite(composition)
    if any(chance == 1 for chance, _ in rounds.deltas):
        return None
    ar = decide.engine(engine, 192)
    exact = _left(rounds, delta)
    if exact == 0:
        # All of delta is the chance of infinite loss: the finite losses must have none above epsilon.
        return largest_loss(rounds)

    def rest(inner: Arithmetic) -> Scalar:
        """What delta leaves to the finite losses."""
        return 1 - (1 - delta) / _survival(inner, rounds) if exact is None else exact

    if decide.sign(rest, ar) <= 0:
        return None
    if not rounds.rounds:
        return Enclosure(Fraction(0), Fraction(0))
    with ar.active():
        target = ar.real(rest(ar))
        if missing:
            # It is a part of what all rounds have, of which the finite losses are no more than survives.
            target = target - ar.hull(0, missing) / _survival(ar, rounds)
        return _eps(ar, rounds, target, width)


def _left(rounds: Finite, delta: Fraction) -> Fraction | None:
    """What delta leaves to the finite losses, 1 - (1 - delta)/prod (1 - delta_i); None where that is too long."""
    digits = sum(n * chance.denominator.bit_length() for chance, n in rounds.deltas)
    if digits > _MOST_BITS:
        return None
    survival = Fraction(1)
    for chance, n in rounds.deltas:
        survival *= (1 - chance) ** n
    return 1 - (1 - delta) / survival


def _eps(ar: EnclosingArithmetic, rounds: Finite, target: Real, width: Fraction) -> Enclosure:
    known = ar.enclosure(target)
    if known is None or known.lower <= _SMALL**3:
        raise MorePrecisionError("delta is not known to be positive")
    ceiling = largest_loss(rounds)
    summed = direct.eps_of(ar, rounds.rounds, known, None if ceiling is None else ceiling.upper, width)
    if summed is not None:
        return summed
    log_delta = float_log(known.lower)
    with planning():
        shape = plan(rounds).at_delta(log_delta)
    near = Fraction(max(shape.eps, 0.0))
    best: Enclosure | None = None
    relative, least = float(width), shape.deviation * 1e-3
    for _ in range(_ATTEMPTS):
        allowed = relative * max(float(near), least)
        missing = min(allowed * shape.log_delta_per_eps, 1.0) / 16
        setting = _setting(rounds, shape, allowed / shape.eps_per_variance, missing)
        inner = ar.at(max(ar.precision, setting.grid.bits + 64))
        with inner.active():
            try:
                profile = convolve(inner, rounds, setting)
            except UndecidedError:
                if best is not None:
                    break
                raise
            upper = profile.eps_upper(inner, target, near, Fraction(allowed) / 256)
            known_upper = (None if ceiling is None else ceiling.upper) if best is None else best.upper
            if upper is None or (known_upper is not None and known_upper < upper):
                upper = known_upper
            if upper is None:
                relative /= 4
                continue
            lower = profile.eps_lower(inner, target, upper)
            upper = _bisected(inner, profile, target, lower, upper, Fraction(allowed))
        best = Enclosure(lower if best is None else max(lower, best.lower), upper)
        if best.upper == 0 or best.relative_width_at_most(width):
            break
        near = best.upper
        # Where epsilon was planned wrongly, the last plan was for another relative width of it.
        relative = sharper(allowed / max(float(near), least), best, width)
    if best is None:
        raise UndecidedError("no finite upper bound of epsilon was found on the grid")
    return best


def _bisected(
    ar: EnclosingArithmetic, profile: Profile, target: Real, low: Fraction, high: Fraction, width: Fraction
) -> Fraction:
    """A smaller upper bound where the first one is far above: what is missing can mislead the steps that found it."""
    for _ in range(_BISECTIONS):
        if high - low <= width:
            break
        middle = (low + high) / 2
        found = ar.enclosure(profile.delta_upper(ar, middle) - target)
        if found is not None and found.upper <= 0:
            high = middle
        else:
            low = middle
    return high
