"""Subsampled mechanisms: what one round of a base mechanism on a sample of the records is, and what it guarantees.

Poisson sampling (every record on its own, anew in every round) has a registered theorem where one of two neighbours has
a record more, or one that contributes nothing in its place. How a run sampled is a hypothesis and not a detail: batches
of a shuffle can lose more than Poisson's epsilon.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, isqrt
from typing import Literal

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.errors import UndecidedError
from privref.exact.numbers import exact_root, spell
from privref.exact.roots import root_up
from privref.exact.rounding import to_decimal
from privref.exact.work import kept
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    Unknown,
)
from privref.guarantees.structure import sampled_eps
from privref.statements.hypotheses import Hypothesis

from .model import (
    DRAWN,
    AnyBase,
    Composition,
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    Response,
    Round,
    Subsampled,
    SubsampledGaussian,
)

Sampling = Literal["poisson", "fixed-size", "with-replacement", "shuffled", "balls-in-bins", "unknown"]
SAMPLINGS: tuple[Sampling, ...] = (
    "poisson", "fixed-size", "with-replacement", "shuffled", "balls-in-bins", "unknown"
)  # fmt: skip
#: Whose batches may hold a record twice.
MAYBE_TWICE = ("with-replacement", "unknown")

#: What the declared word claims of how the records were drawn.
CLAIMED: dict[Sampling, Hypothesis | None] = {
    "poisson": Hypothesis.POISSON_SAMPLING,
    "fixed-size": Hypothesis.FIXED_SIZE_SAMPLING,
    "with-replacement": Hypothesis.WITH_REPLACEMENT,
    "shuffled": Hypothesis.SHUFFLED_BATCHES,
    "balls-in-bins": Hypothesis.BALLS_IN_BINS,
    "unknown": None,
}

#: Why the theorem of Poisson sampling does not speak of the others.
NOT_POISSON: dict[Sampling, str] = {
    "poisson": "",
    "fixed-size": (
        "samples of a fixed size have other dominating pairs; zdw2022/thm10 composes those of Gaussian noise, for "
        "replace-one and zero-out neighbours"
    ),
    "with-replacement": (
        "a batch that is drawn with replacement may hold a record several times; zdw2022/thm10 composes those of "
        "Gaussian noise, for replace-one and zero-out neighbours"
    ),
    "shuffled": (
        "batches of a shuffle can lose more than Poisson samples of the same rate (Chua et al. 2024, arXiv 2403.17673 "
        "and 2411.04205); an upper bound is known for zero-out and replace-one neighbours only, and a lower one where "
        "1/rate is a whole number, the batches of an epoch"
    ),
    "balls-in-bins": "records in bins are in one batch of each epoch, which has a theorem of its own",
    "unknown": (
        "how the records were sampled is not known, and batches of a shuffle, which most training loops use, can lose "
        "more than Poisson samples of the same rate (Chua et al. 2024, arXiv 2403.17673)"
    ),
}

#: Why the theorems of Poisson samples do not speak of ones of which records are dropped.
TRUNCATED = (
    "of a Poisson sample above a cap records are dropped (`batch_cap`), which the theorems of Poisson samples do not "
    "allow; chua2024b/truncated bounds what that adds to delta"
)
ALWAYS_TRUNCATED = (
    "every sample holds all records at rate 1, and more than `batch_cap` of them are cut in every round, of which no "
    "theorem is registered"
)

#: Why nothing that looks or stops between rounds, or lists them one by one, is given those of a shuffle.
NOT_BY_ROUND = (
    "an event has sampling shuffled: it is known what the rounds of an epoch lose together, and not what each of them "
    "loses"
)

#: Why nothing is known of records in bins with other noise.
NOT_GAUSSIAN_BINS = "the theorem of balls in bins (chua2025/allocation) is about one Gaussian mechanism for each step"

#: Why nothing is known of samples under other neighbours.
NOT_ADD_OR_REMOVE = (
    "samples are accounted for add-or-remove-one and zero-out neighbours; where a record is replaced a dominating pair "
    "is registered of Gaussian noise on samples of a fixed size, and on Poisson samples of records that are clipped to "
    "half of what a replaced one changes (`clipped`)"
)

#: The neighbours of which the Poisson pair is the pair: a record is in the sample of one of both only, or in its place
#: one that is drawn as it is and contributes nothing. Given the others' sample both laws are those of Theorem 11.
SAMPLED_NEIGHBOURS = ("add-or-remove-one", "zero-out")

#: Why cut samples are not accounted where a record is zeroed out.
ZEROED_AND_CUT = (
    "of a Poisson sample above a cap records are dropped (`batch_cap`), and under zero-out neighbours the record that "
    "contributes nothing may take another's place; chua2024b/truncated is for add-or-remove-one"
)

#: The orders at which a subsampled Gaussian's Renyi guarantee is written down.
ORDERS = (*range(2, 33), 40, 48, 56, 64, 96, 128, 256)
_ORDER_DIGITS = 20
_ROOT = 2**120
_ENGINE = decide.engine("arb", 192)


def gaussian_of(base: tuple[Round, ...]) -> Fraction | None:
    """mu^2 = (sensitivity/sigma)^2 > 0 where the base is one Gaussian mechanism."""
    if len(base) == 1 and isinstance(base[0].pair, Gaussian) and base[0].count == 1 and base[0].pair.mu_squared:
        return base[0].pair.mu_squared
    return None


def one_of(base: tuple[Round, ...]) -> AnyBase | None:
    """The pair of the base where it is one query that is not Gaussian: of several coordinates there is none."""
    (item,) = base if len(base) == 1 else (None,)
    if item is None or item.count != 1 or not isinstance(item.pair, DRAWN):
        return None
    return item.pair


def multipliers(mu_squared: Fraction) -> tuple[Fraction, Fraction]:
    """The noise multiplier 1/mu, rounded down and up to a rational; both are it where it is one.

    More noise is a post-processing of less: the pair with the smaller multiplier dominates.
    """
    square = 1 / mu_squared
    exactly = exact_root(square)
    if exactly is not None:
        return exactly, exactly
    down = isqrt(square.numerator * _ROOT * _ROOT // square.denominator)
    return Fraction(down, _ROOT), Fraction(down + 1, _ROOT)


def pairs_of(base: tuple[Round, ...], rate: Fraction, *, up: bool = False) -> tuple[Round, ...] | None:
    """What dominates one Poisson-sampled round of the base, or with ``up`` what is lost at least; None where unknown.

    A sample of several cells or coordinates is not a product of samples of each.
    """
    if len(base) != 1 or base[0].count != 1:
        return None
    match base[0].pair:
        case Gaussian(mu_squared) if mu_squared:
            return (Round(SubsampledGaussian(rate, multipliers(mu_squared)[up])),)
        case DiscreteGaussian() | Laplace() | Geometric() | Response() as pair:
            return (Round(Subsampled(pair, rate)),)
        case _:
            return None


def guarantee_of(base: tuple[Round, ...], own: Guarantee | None, rate: Fraction) -> Guarantee | None:
    """What one Poisson-sampled round has: the Renyi DP of a Gaussian, the largest loss of a pure one, else the base's.

    No sample has more than its base: both laws of a pair are mixtures with the same weights of the base's and equal
    ones, and Renyi divergences and hockey sticks are quasi-convex.
    """
    mu_squared = gaussian_of(base)
    if mu_squared is not None:
        return renyi_guarantee(mu_squared, rate)
    pairs = pairs_of(base, rate)
    if not isinstance(own, PureDP):
        return own
    if pairs is not None:
        from . import grid

        try:
            largest = grid.largest_of_all(Composition.of(pairs))
        except UndecidedError:
            # Too many atoms to be written out.
            largest = None
        if largest is not None:
            return PureDP(Fraction(to_decimal(largest.upper, _ORDER_DIGITS, "up")))
    return _amplified(own, rate)


def _amplified(own: PureDP, rate: Fraction) -> PureDP:
    """What any eps-DP mechanism has on the sample (Balle, Barthe, Gaboardi 2018, Theorem 8), rounded up."""
    width = Fraction(1, 10**_ORDER_DIGITS)
    try:
        found = decide.enclose(lambda ar: sampled_eps(ar, own.epsilon, rate), _ENGINE, width, cap=1536)
    except UndecidedError:
        return own
    rounded = Fraction(to_decimal(found.upper, _ORDER_DIGITS, "up"))
    return PureDP(rounded) if rounded < own.epsilon else own


def unamplified(
    base: tuple[Round, ...], own: Guarantee | None, sampling: Sampling, rate: Fraction, count: int
) -> Guarantee | None:
    """What each of this many rounds on samples has where a record is replaced or zeroed out, however samples are drawn.

    Which records a round's batch holds depends on coins and earlier answers only, and is the same on both data sets:
    given it, a round is the base mechanism on two neighbours, or the same on both. So each round has what the base has.
    Of Gaussian rounds on batches of a shuffle each record is in one batch an epoch of floor(1/rate) rounds at least:
    if the batches are revealed, E epochs have mu^2 = E/s^2, of which each of the rounds counts its part. None where
    the base has no guarantee.
    """
    mu_squared = gaussian_of(base)
    if mu_squared is None or sampling != "shuffled":
        return own
    epochs = -(-count // (rate.denominator // rate.numerator))
    return GaussianDP(root_up(mu_squared * epochs / count))


def one_round(ar: EnclosingArithmetic, pair: SubsampledGaussian, eps: Fraction) -> Scalar:
    """A bound of delta(eps), eps >= 0, of one Poisson-sampled Gaussian round: its value for a record's removal.

    The best event is a half-line: q e^u = e^eps - (1 - q) at its end, u = (2x - 1)/(2 s^2).
    """
    q, s = pair.rate, pair.sigma
    scale = ar.expm1(eps) + q
    end = s * s * ar.log(scale / q) + Fraction(1, 2)
    return q * ar.normal_cdf((1 - end) / s) - scale * ar.normal_cdf(-end / s)


def _divergence_exceeds(rate: Fraction, sigma: Fraction, order: int, cost: Fraction) -> bool:
    return decide.exceeds(lambda ar: _divergence(ar, rate, sigma, order), lambda _: cost, _ENGINE)


def _divergence(ar: Arithmetic, rate: Fraction, sigma: Fraction, order: int) -> Scalar:
    from .subsampled_renyi import renyi

    found = renyi(ar, rate, sigma, order)
    assert not isinstance(found, str)
    return found


def _renyi_up(mu_squared: Fraction, rate: Fraction, order: int) -> Fraction:
    sigma, _ = multipliers(mu_squared)
    found = decide.enclose(
        lambda ar: _divergence(ar, rate, sigma, order), _ENGINE, Fraction(1, 10**_ORDER_DIGITS), cap=1536
    )
    return Fraction(to_decimal(found.upper, _ORDER_DIGITS, "up"))


@kept(4096)
def renyi_guarantee(mu_squared: Fraction, rate: Fraction) -> Guarantee:
    """The Renyi DP of one Poisson-sampled round at a list of whole orders, each rounded up.

    mtz2019/poisson_gaussian.renyi is the divergence for a record's removal, which for a Gaussian is the larger one
    (Mironov, Talwar, Zhang 2019, Theorem 5).
    """
    orders = []
    for order in ORDERS:
        try:
            orders.append((Fraction(order), _renyi_up(mu_squared, rate, order)))
        except UndecidedError:
            # Far out of range of what can be written, and so are all larger ones.
            break
    if not orders:
        return Unknown("a subsampled Gaussian whose Renyi divergences are out of reach")
    return RenyiDP(tuple(orders))


def beyond(pair: SubsampledGaussian, guarantee: Guarantee) -> str | None:
    """What one Poisson-sampled round certainly loses beyond the guarantee, in words; None where nothing is known."""
    q, s = pair.rate, pair.sigma
    match guarantee:
        case PureDP() | BoundedRange():
            return "its privacy loss has no bound, so that it has no pure DP"
        case ZCDP(rho, delta) if not delta and rho < 1 / (2 * s * s):
            # D_a >= (a log q)/(a - 1) + a/(2 s^2): over a, for large a, half of 1/s^2.
            least = spell(1 / (2 * s * s))
            return f"its Renyi divergences of large orders give rho = {least}, which no sampling lowers"
        case RenyiDP(orders, delta) if not delta:
            for order, cost in orders:
                whole = min(int(order), ORDERS[-1])
                if whole >= 2 and _divergence_exceeds(q, s, whole, cost):
                    return f"its Renyi divergence of order {whole} exceeds {spell(cost)}"
            return None
        case ApproxDP(eps, delta) | ProbabilisticDP(eps, delta):
            found = decide.enclose_once(lambda ar: one_round(decide.enclosing(ar), pair, eps), _ENGINE)
            if found is not None and found.lower > delta:
                return f"its delta at that epsilon exceeds {spell(delta)}"
            return None
        case _:
            return None


def implied(pair: SubsampledGaussian, guarantee: Guarantee) -> bool:
    """Whether one Poisson-sampled round certainly has the guarantee; a sample is never worse than all records."""
    s = pair.sigma
    match guarantee:
        case ZCDP(rho):
            return rho >= 1 / (2 * s * s)
        case GaussianDP(mu):
            return mu >= 1 / s
        case RenyiDP(orders):
            return all(_has_order(pair, order, cost) for order, cost in orders)
        case ApproxDP(eps, delta):
            bounds = (
                decide.enclose_once(lambda ar: one_round(decide.enclosing(ar), pair, eps), _ENGINE),
                decide.enclose_once(lambda ar: _added(decide.enclosing(ar), pair, eps), _ENGINE),
            )
            return all(found is not None and found.upper <= delta for found in bounds)
        case _:
            return False


def _has_order(pair: SubsampledGaussian, order: Fraction, cost: Fraction) -> bool:
    """By the divergence of the next whole order, or by the base mechanism's."""
    if cost >= order / (2 * pair.sigma * pair.sigma):
        return True
    above = max(2, ceil(order))
    return above <= ORDERS[-1] and _renyi_up(1 / pair.sigma**2, pair.rate, above) <= cost


def _added(ar: EnclosingArithmetic, pair: SubsampledGaussian, eps: Fraction) -> Scalar:
    """delta(eps) of one round for a record's addition, 0 where no loss is above eps."""
    q, s = pair.rate, pair.sigma
    scale = ar.exp(eps)
    level = 1 / scale - (1 - q)
    if decide.sign_now(level, ar) <= 0:
        return Fraction(0)
    end = s * s * ar.log(level / q) + Fraction(1, 2)
    # 1 - e^eps (1 - q) = e^eps level.
    return scale * (level * ar.normal_cdf(end / s) - q * ar.normal_cdf((end - 1) / s))
