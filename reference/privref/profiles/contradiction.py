"""Whether a declared mechanism really has the guarantee that is declared alongside it.

A guarantee weaker than the mechanism's is allowed, a stronger one is a contradiction, and what cannot be compared is
refused as well: the audit may use either of the two, so that it must know the one to follow from the other. That holds
where the mechanism's shift is attained. Where it is not, its pair is an upper bound, and so is the guarantee. Of
samples that may be cut only an (epsilon, delta) is known to follow. Alongside samples without a pair (not drawn as
Poisson's are, or under replace-one) what is certainly impossible is refused, and the rest is taken at its word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache, partial

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.decide import Formula
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import spell
from privref.exact.work import apart, spend
from privref.guarantees.conversions import zcdp_to_dp_tight_delta
from privref.guarantees.gaussian import gaussian_delta
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    OutputDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    Unknown,
    as_approx_dp,
)

from . import grid, laws, sampled
from .declared import MIXTURE, MOST_WORK, NOISY_MAX, UNCOMPARED, UNSHOWN, Mechanism
from .laws import FinitePair
from .model import (
    Allocation,
    Composition,
    DiscreteGaussian,
    Drawn,
    Exchanged,
    Gaussian,
    Instead,
    Labelled,
    Laplace,
    Round,
    Subsampled,
    SubsampledGaussian,
)

#: Why no guarantee is taken next to batches drawn with replacement.
SEVERAL_COPIES = (
    "a batch that is drawn with replacement may hold a record several times, and no guarantee of one copy holds of "
    "it; leave the guarantee out"
)

_WIDTH = Fraction(1, 10**6)
_BITS = 192
#: Orders and epsilons at which a guarantee is compared with the mechanism, where no formula decides it.
_ORDERS = tuple(Fraction(order) for order in ("1048577/1048576", "17/16", "3/2", "2", "4", "16", "128"))
_EPSILONS = tuple(Fraction(eps) for eps in ("0", "1/10", "1/2", "1", "2", "4"))

_MOST_RHO = 64


#: What a plan in floats takes for each round, which nothing meters.
_PLAN = 200


@lru_cache(maxsize=4096)
def checked(mechanism: Mechanism, guarantee: Guarantee) -> tuple[str | None, int]:
    """What was found, and the units of work that it took."""
    found: str | None
    with apart(MOST_WORK) as spent:
        try:
            if mechanism.sample is not None and mechanism.sample.sampling == "with-replacement":
                found = SEVERAL_COPIES
            elif mechanism.may_be_cut:
                found = _cut(mechanism, guarantee)
            elif mechanism.upper is None:
                found = _beyond_any_sample(mechanism, guarantee)
            elif (
                mechanism.is_exchanged
                and mechanism.sample is not None
                and _implied(Composition.of(mechanism.sample.base.upper or ()), guarantee)
            ):
                found = None  # No sample has more than its base.
            elif mechanism.kind == MIXTURE and _implied(_largest_shift(mechanism), guarantee):
                found = None  # No mixture has more than its farthest part (``exchanged``).
            elif mechanism.kind == NOISY_MAX:
                implied = _of_range(mechanism.guarantee, guarantee) or _implied(
                    Composition.of(mechanism.upper), guarantee
                )
                found = None if implied else UNSHOWN  # Its pair only dominates: it contradicts nothing.
            else:
                above, below = Composition.of(mechanism.upper), Composition.of(mechanism.lower)
                spend(_PLAN * len(below.rounds))
                found = _compared(above, below, guarantee)
        except (MorePrecisionError, UndecidedError):
            found = UNCOMPARED
        # A plan that was refused for its price cost no more than what was allowed.
        return found, min(spent(), MOST_WORK)


def _largest_shift(mechanism: Mechanism) -> Composition:
    """A mixture's farthest part alone, which its own guarantee speaks of."""
    own = mechanism.guarantee
    mu_squared = own.mu**2 if isinstance(own, GaussianDP) else 2 * own.rho if isinstance(own, ZCDP) else Fraction(0)
    return Composition.of([Round(Gaussian(mu_squared))])


def _of_range(own: Guarantee | None, guarantee: Guarantee) -> bool:
    """Whether a guarantee follows from a bounded range, as a range or as zCDP."""
    if not isinstance(own, BoundedRange):
        return False
    rho = own.epsilon**2 / 8
    match guarantee:
        case BoundedRange(epsilon):
            return epsilon >= own.epsilon
        case ZCDP(least, _):
            return least >= rho
        case RenyiDP(orders, _):
            return all(cost >= order * rho for order, cost in orders)
        case _:
            return False


def _cut(mechanism: Mechanism, guarantee: Guarantee) -> str | None:
    """None where samples that may be cut certainly have it: only chua2024b/truncated speaks of them, of a delta."""
    # Only ledgers that declare a cap need this.
    from .truncated import truncated_delta

    whole = mechanism.whole
    if not isinstance(guarantee, ApproxDP) or whole is None or whole.upper is None:
        return UNCOMPARED

    def bound(ar: Arithmetic) -> Scalar:
        delta = truncated_delta(ar, ((mechanism, 1),), guarantee.epsilon)
        assert not isinstance(delta, str)
        return delta

    found = decide.enclose_once(bound, decide.engine("arb", _BITS))
    return None if found is not None and found.upper <= guarantee.delta else UNCOMPARED


def _beyond_any_sample(mechanism: Mechanism, guarantee: Guarantee) -> str | None:
    """What is lost beyond the guarantee however the sample was drawn, its law unknown; None where that is not certain.

    Where the others contribute nothing, Q is the base's noise and P at least w P', w > 0 the chance that the record is
    drawn: what has no bound for P' has none for P, and D_a(P||Q) >= D_a(P'||Q) + a/(a - 1) log w, over a for large a.

    Where a record is replaced, Q is a mixture as well, and at large orders P is as far from it as from the hull of its
    means: a quarter of rho at least, as of x against -x, each half of the change, on samples that may hold neither. A
    batch of one size may be full of the other record: that is all of rho.
    """
    assert mechanism.sample is not None
    base = Composition.of(mechanism.sample.base.lower)
    rounds, approx = grid.finite(base), as_approx_dp(guarantee)
    if rounds.deltas and not getattr(guarantee, "delta", 0):
        return "it may lose without bound with a probability above 0, on a sample as well"
    if approx is not None and not approx.delta and grid.largest_loss(rounds) is None:
        return "its privacy loss has no bound on a sample either, so that it has no pure DP"
    least = _rho(base)
    of_one_size = mechanism.sample.sampling in ("fixed-size", "shuffled")
    if least is not None and mechanism.guarantee == Unknown(sampled.NOT_ADD_OR_REMOVE) and not of_one_size:
        least /= 4
    match guarantee:
        case ZCDP(rho, delta) if not delta:
            below = least is not None and rho < least
        case GaussianDP(mu):
            below = least is not None and mu * mu / 2 < least
        case _:
            below = False
    if not below or least is None:
        return None
    return f"its Renyi divergences of large orders give rho = {spell(least)}, which no sampling lowers"


def _compared(above: Composition, below: Composition, guarantee: Guarantee) -> str | None:
    one, least = (_one_sampled(composition) for composition in (above, below))
    if one is not None and least is not None:
        found = sampled.beyond(least, guarantee)
        has = found is None and sampled.implied(one, guarantee)
    else:
        drawn = any(
            isinstance(item.pair, (Subsampled, SubsampledGaussian, Allocation, Exchanged, Instead, Drawn))
            for item in above.rounds
        )
        if drawn and all(_implied(part, guarantee) for part in above.orientations):
            # Its Renyi divergences are not known here, and need not be.
            return None
        found = _beyond(below, guarantee)
        has = found is None and all(_implied(part, guarantee) for part in above.orientations)
    return UNCOMPARED if found is None and not has else found


def _one_sampled(composition: Composition) -> SubsampledGaussian | None:
    """The pair, where the composition is one round of a subsampled Gaussian."""
    (item, *more) = composition.rounds or (None,)
    if item is None or more or item.count != 1 or not isinstance(item.pair, SubsampledGaussian):
        return None
    return item.pair


def _beyond(composition: Composition, guarantee: Guarantee) -> str | None:
    """What the mechanism certainly loses beyond the guarantee, in words."""
    match guarantee:
        case PureDP(epsilon):
            rounds = grid.finite(composition)
            largest = grid.largest_loss(rounds)
            if largest is None or rounds.deltas:
                return "its privacy loss has no bound, so that it has no pure DP"
            return f"its epsilon is {spell(largest.lower)}" if largest.lower > epsilon else None
        case BoundedRange(epsilon):
            ends = [grid.largest_loss(grid.finite(part)) for part in (composition, composition.reversed())]
            if None in ends or grid.finite(composition).deltas:
                return "its privacy loss has no bound, so that it has no bounded range"
            width = sum((end.lower for end in ends if end is not None), Fraction(0))
            return f"its losses range over {spell(width)}" if width > epsilon else None
        case ZCDP(rho, delta):
            exact = _rho(composition)
            if not delta and exact is not None:
                return f"its Renyi divergences give rho = {spell(exact)}" if exact > rho else None
            for order in () if delta else _ORDERS:
                if _above(composition, order, order * rho):
                    return f"its Renyi divergence of order {spell(order)} exceeds {spell(order * rho)}"
            return _beyond_dp(composition, lambda eps: partial(zcdp_delta, rho=rho, delta=delta, eps=eps))
        case RenyiDP(orders, delta):
            for order, cost in orders if not delta else ():
                if _above(composition, order, cost):
                    return f"its Renyi divergence of order {spell(order)} exceeds {spell(cost)}"
            return None
        case GaussianDP(mu):
            return _beyond_dp(composition, lambda eps: lambda ar: gaussian_delta(ar, mu, eps) if mu else Fraction(0))
        case _:
            approx = as_approx_dp(guarantee)
            if approx is None:
                return None
            lost = _delta(composition, approx.epsilon).lower
            return f"its delta at that epsilon exceeds {spell(approx.delta)}" if lost > approx.delta else None


def _implied(composition: Composition, guarantee: Guarantee) -> bool:
    """Whether the mechanism certainly has the guarantee in this orientation."""
    rounds = grid.finite(composition)
    known = grid.largest_of_all(composition)
    largest = None if known is None else known.upper
    catastrophe = 1 - _product((1 - chance) ** times for chance, times in rounds.deltas)
    match guarantee:
        case PureDP(epsilon):
            return largest is not None and largest <= epsilon and not rounds.deltas
        case BoundedRange(epsilon):
            ends = [grid.largest_of_all(part) for part in (composition, composition.reversed())]
            if None in ends or rounds.deltas:
                return False
            return sum((end.upper for end in ends if end is not None), Fraction(0)) <= epsilon
        case ZCDP(rho, delta):
            own = _rho(composition) if not rounds.deltas else None
            if own is None and largest is not None:
                # D_a <= min(eps, a eps^2/2), and a > 1 (Bun and Steinke 2016, Proposition 1.4).
                own = min(largest, largest * largest / 2)
            return catastrophe <= delta and own is not None and own <= rho
        case RenyiDP(orders, delta):
            own = _rho(composition) if not rounds.deltas else None
            return catastrophe <= delta and all(
                (own is not None and order * own <= cost)
                or (largest is not None and min(largest, order * largest * largest / 2) <= cost)
                or (not rounds.deltas and not _maybe_above(composition, order, cost))
                for order, cost in orders
            )
        case GaussianDP(mu):
            square = _mu_squared(composition)
            return square is not None and square <= mu * mu
        case ProbabilisticDP(epsilon, delta):
            if largest is not None and largest <= epsilon:
                return catastrophe <= delta
            return _gaussian_tails(composition, epsilon) <= delta
        case OutputDP(cells, delta):
            # No law says which answers a cell holds: each may hold any.
            return _has(composition, ApproxDP(min(cost for _, cost in cells), delta), largest, catastrophe)
        case _:
            approx = as_approx_dp(guarantee)
            return approx is not None and _has(composition, approx, largest, catastrophe)


def _has(composition: Composition, approx: ApproxDP, largest: Fraction | None, catastrophe: Fraction) -> bool:
    if largest is not None and largest <= approx.epsilon:
        return catastrophe <= approx.delta
    return _delta(composition, approx.epsilon).upper <= approx.delta


def _product(factors: Iterable[Fraction]) -> Fraction:
    total = Fraction(1)
    for factor in factors:
        total *= factor
    return total


def _mu_squared(composition: Composition) -> Fraction | None:
    """The mu^2 of a composition of Gaussians; None where something else is among them."""
    total = Fraction(0)
    for item in composition.rounds:
        if not isinstance(item.pair, Gaussian):
            return None
        total += item.count * item.pair.mu_squared
    return total


def _delta(composition: Composition, eps: Fraction) -> Enclosure:
    """delta at epsilon: by the formula where all is Gaussian, and else on the grid."""
    square = _mu_squared(composition)
    if square is not None:
        if not square:
            return Enclosure(Fraction(0), Fraction(0))
        return decide.enclose(
            lambda ar: gaussian_delta(ar, ar.sqrt(square), eps), decide.engine("arb", _BITS), Fraction(1, 10**20)
        )
    return grid.delta_of(composition, eps, _WIDTH)


def _beyond_dp(composition: Composition, allowed: Callable[[Fraction], Formula]) -> str | None:
    """Where the mechanism's delta exceeds what the guarantee allows at some epsilon."""
    for eps in _EPSILONS:
        lost = _delta(composition, eps).lower
        found = decide.enclose_once(allowed(eps), decide.engine("arb", _BITS))
        if found is not None and lost > found.upper:
            return f"its delta at epsilon = {spell(eps)} exceeds what that allows"
    return None


def most_delta(rho: Fraction, delta: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """What delta-approximate rho-zCDP allows to be lost: some epsilons, each with a delta that is rounded up.

    None of a large rho, whose deltas are about 1.
    """
    for eps in _EPSILONS if rho <= _MOST_RHO else ():
        found = decide.enclose_once(partial(zcdp_delta, rho=rho, delta=delta, eps=eps), decide.engine("arb", _BITS))
        if found is not None:
            yield eps, found.upper


def zcdp_delta(ar: Arithmetic, rho: Fraction, delta: Fraction, eps: Fraction) -> Scalar:
    """The delta at epsilon that delta-approximate rho-zCDP implies (cks2020/zcdp2dp)."""
    slack = zcdp_to_dp_tight_delta(ar, rho, eps) if rho else Fraction(0)
    assert not isinstance(slack, str)
    return delta + (1 - delta) * slack


def _gaussian_tails(composition: Composition, eps: Fraction) -> Fraction:
    """P(|L| > eps) of Gaussians, rounded up; 1 for any other law."""
    square = _mu_squared(composition)
    if square is None:
        return Fraction(1)
    if not square:
        return Fraction(0)

    def outside(ar: Arithmetic) -> Scalar:
        mu = ar.sqrt(square)
        return ar.normal_cdf((square / 2 - eps) / mu) + ar.normal_cdf((-square / 2 - eps) / mu)

    return decide.enclose(outside, decide.engine("arb", _BITS), Fraction(1, 10**20)).upper


def _rho(composition: Composition) -> Fraction | None:
    """The rho of Gaussians, exactly: half the sum of shift^2/sigma^2, attained at order 2 also by discrete ones."""
    total = Fraction(0)
    for item in composition.rounds:
        match item.pair:
            case Gaussian(mu_squared):
                total += item.count * mu_squared / 2
            case DiscreteGaussian(sigma_squared, shift):
                total += item.count * shift * shift / sigma_squared / 2
            case _:
                return None
    return total


def _excess(composition: Composition, order: Fraction, cost: Fraction) -> Enclosure | None:
    """(order - 1) times the Renyi divergence of that order less the cost."""

    def excess(ar: Arithmetic) -> Scalar:
        inner = decide.enclosing(ar)
        moment = inner.sum(
            times * log_moment(inner, pair, order - 1) for pair, times in grid.finite(composition).rounds
        )
        return moment - (order - 1) * cost

    return decide.enclose_once(excess, decide.engine("arb", _BITS))


def _above(composition: Composition, order: Fraction, cost: Fraction) -> bool:
    """Whether the Renyi divergence of that order certainly exceeds the cost."""
    if grid.finite(composition).deltas:
        return True
    found = _excess(composition, order, cost)
    return found is not None and found.lower > 0


def _maybe_above(composition: Composition, order: Fraction, cost: Fraction) -> bool:
    found = _excess(composition, order, cost)
    return found is None or found.upper > 0


def log_moment(ar: EnclosingArithmetic, pair: FinitePair, order: Fraction) -> Scalar:
    """log E_P[e^(order L)], order > 0: order times the Renyi divergence of order + 1."""
    match pair:
        case Gaussian(mu_squared):
            return order * (order + 1) * mu_squared / 2
        case Laplace(epsilon):
            rate = order + Fraction(1, 2)
            inside = ar.exp(-epsilon / 2) / 4 * (ar.exp(rate * epsilon) - ar.exp(-rate * epsilon)) / rate
            return ar.log(ar.exp(order * epsilon) / 2 + ar.exp(-(order + 1) * epsilon) / 2 + inside)
        case SubsampledGaussian() | Subsampled() | Labelled() | Drawn() | Instead() | Exchanged() | Allocation():
            raise UndecidedError("the Renyi divergence of a subsampled round is not compared with a guarantee")
        case _:
            found = laws.atoms(ar, pair, order, ar.precision)
            assert found is not None
            whole = ar.sum(mass for _, mass in found.items)
            return ar.log(ar.hull(whole, whole + found.left_out)) + laws.normaliser(pair, order)
