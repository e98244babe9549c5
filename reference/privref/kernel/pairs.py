"""Turn a declared mechanism into what is known of it: the pair of laws of its answers, and the guarantee it implies.

A pair is the law P of the answers on one data set and Q on its neighbour, the worst there is. A mechanism of several
coordinates is a product of pairs. All pairs but sampled ones are symmetric: exchanging P and Q gives the same losses.

| kind | pair, for one unit added, removed or replaced |
|---|---|
| gaussian | normal laws at distance mu = sensitivity/sigma |
| matrix-gaussian | the same, sensitivity times the largest change of C x by a unit's rounds |
| discrete-gaussian | one pair of discrete Gaussian laws for each whole shift that is not 0 |
| laplace | one pair of Laplace laws for each shift, at distance shift/scale |
| geometric | one pair of two-sided geometric laws for each whole shift |
| randomized-response | the true one of m answers with probability e^eps/(e^eps + m - 1), else any other |
| report-noisy-max | Laplace laws at distance 2 sensitivity/scale, or one where monotone, which dominate it |
| four-outcome-randomized-response | with probability delta an answer that tells all, else randomized response |
| subsampled (balls in bins) | (1/b) sum_i N(a e_i, I) against N(0, I), and reversed (Chua et al. 2025) |
| subsampled (k of b bins) | k times that of b/k bins; attained: the mean of N(a 1_S, I) over all k bins S |
| gaussian-mixture | sum_i w_i N(shift_i/sigma, 1) against N(0, 1), and reversed (Ganesh 2024) |
| subsampled (Gaussian, clipped Poisson, a record replaced) | M_1 against M_-1, M_a = (1 - q) N(0, 4) + q N(a mu, 4) |
| subsampled (Gaussian, Poisson, records of a group) | sum_i Bin(a, q)(i) N(i mu, 1) against the same of b and -mu |
| subsampled (Gaussian, fixed size) | M_1 against M_0 or reversed, at losses above 0 the former, below 0 the latter, |
| | M_a = (1 - q) N(0, 1) + q N(a mu, 1); M_2 against M_1, below 0 as before, where a record is zeroed out |
| subsampled (Gaussian, with replacement) | for each number of copies k that of a fixed size, of k mu, revealed |
| subsampled (Poisson, none replaced) | (1 - q) Q + q P against Q, and reversed (Zhu, Dong, Wang 2022, Thm 11) |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import ceil, comb, floor, isqrt, lcm
from typing import Any, Union

from privref.kernel.balls import binomial_tail, end, rational, units, working
from privref.kernel.fields import MOST, Fields
from privref.kernel.numbers import Malformed, Refused, number, total

#: Coordinates of one query, and the digits of a parameter that a law is built from.
MOST_SHIFTS = 1000
MOST_SIZE = 10**60
MATRIX, NOISY_MAX, MIXTURE = "matrix-gaussian", "report-noisy-max", "gaussian-mixture"
IN_ANY_SAMPLE = "in any sample"  # The kind of a law that a sample has however it was drawn.
_BOUNDS = (MATRIX, NOISY_MAX, MIXTURE)  # Samples of them are not known; the first two may lose less than their pair.
MOST_CHANGED, MOST_RUNS = 10**5, 20  # Sums that a unit changes of such a run, and runs of a ledger.
MOST_STEPS, _UNIT = 200_000, 2**80  # Rounds times buffers, and what their coefficients are multiples of.
MOST_OF_A_GROUP, _FEW = 64, 2**20  # Records; and what more copies of one than are listed may have, of _UNIT.


@dataclass(frozen=True, slots=True)
class Normal:
    """Normal laws of one variance whose means are mu standard deviations apart; ``square`` is mu^2."""

    square: Fraction


@dataclass(frozen=True, slots=True)
class DiscreteNormal:
    """The law with masses in proportion to exp(-x^2/(2 variance)) on the integers, and its copy moved by ``shift``."""

    variance: Fraction
    shift: int


@dataclass(frozen=True, slots=True)
class DoubleExponential:
    """Laplace laws at a distance of ``epsilon`` scales."""

    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class TwoSidedGeometric:
    """The law with masses in proportion to exp(-|x|/scale) on the integers, and its copy moved by ``shift``."""

    scale: Fraction
    shift: int


@dataclass(frozen=True, slots=True)
class Response:
    """Randomized response of ``outcomes`` answers."""

    epsilon: Fraction
    outcomes: int = 2


@dataclass(frozen=True, slots=True)
class WorstApproximate:
    """The pair that every (epsilon, delta)-DP mechanism is a post-processing of (Kairouz, Oh, Viswanath 2015)."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True, slots=True)
class TwoAnswers:
    """Two answers, of losses ``top`` and ``top - width``: a mechanism whose range is ``width``."""

    width: Fraction
    top: Fraction


@dataclass(frozen=True, slots=True)
class InBins:
    """A Gaussian step of shift a in ``held`` of ``bins`` batches, with ``square`` = held a^2: all steps of a run."""

    bins: int
    square: Fraction
    held: int = 1


@dataclass(frozen=True, slots=True)
class Revealed:
    """Each pair with its chance, and it is revealed which; else nothing is lost."""

    parts: tuple[tuple[Fraction, Pair], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One of these steps, with the record or without: N(a, 1) or N(0, 1) against N(0, 1).

    Its answers are listed by log(1 + ``weight`` times the ratio of the two): no loss, so for lower bounds only.
    """

    square: Fraction
    held: bool
    weight: Fraction


Base = Union[
    Normal, InBins, Revealed, Step, DiscreteNormal, DoubleExponential, TwoSidedGeometric, Response, WorstApproximate,
    TwoAnswers,
]  # fmt: skip


#: A normal law whose mean is drawn: each of these multiples of mu with its weight; and those of P and of Q.
Mixture = tuple[tuple[int, Fraction], ...]
Mixtures = tuple[Mixture, Mixture]


def _of(rate: Fraction, mean: int, records: int = 1) -> Mixture:
    """Return the law of ``records``, each drawn with the rate, that change the mean by ``mean`` norms each."""
    chances = (comb(records, j) * rate**j * (1 - rate) ** (records - j) for j in range(records + 1))
    return tuple((j * mean, chance) for j, chance in enumerate(chances))


# Which pair has the largest profile at losses above 0 and, reversed, below.


def group(rate: Fraction, first: int, second: int) -> tuple[Mixtures, Mixtures]:
    """Return the pair of data sets with ``first`` and ``second`` records alone, and that the other way round."""
    return (_of(rate, 1, first), _of(rate, -1, second)), (_of(rate, 1, second), _of(rate, -1, first))


def taken(rate: Fraction, zeroed: bool = False) -> tuple[Mixtures, Mixtures]:
    """Return those of a sample of a fixed size, a record replaced, or ``zeroed`` out."""
    one = _of(rate, 1), _of(rate, 0, 0)
    return (_of(rate, 2), _of(rate, 1)) if zeroed else one, one


@dataclass(frozen=True, slots=True)
class Pair:
    """A base pair, on a Poisson sample of the records where ``rate`` is below 1.

    ``means`` are those of a sample that holds one record or another one in its place, or several; or of a mixture.
    """

    base: Base
    rate: Fraction = Fraction(1)
    means: tuple[Mixtures, Mixtures] | None = None


def worst_pair(epsilon: Fraction, delta: Fraction) -> Pair:
    """Return the pair that every (epsilon, delta)-DP mechanism is a post-processing of."""
    return Pair(WorstApproximate(epsilon, delta) if delta else Response(epsilon))


@dataclass(frozen=True, slots=True)
class Law:
    """What is known of one use of a mechanism: its pairs, whose product dominates it, and whether it attains them.

    ``pure`` is an epsilon, ``rho`` and ``mu_squared`` those of zCDP and Gaussian DP, ``delta`` of the worst case; None
    for what the kernel does not know. ``cap`` is (batch cap, records) where samples may be cut, ``stated`` is that as
    it was declared, also where by these numbers no sample is ever cut. ``least`` is attained where ``pairs`` only
    dominate; these count ``times`` times. ``shared`` is a round's part of what the rounds of an epoch have together,
    and not its own; ``width`` the epsilon of bounded range, where it is less than twice the pure one. Each draw takes
    one of ``records``, and puts it back. Of a whole epoch of a shuffle that ran: how many batches, and the mu^2 of one.
    """

    kind: str
    pairs: tuple[Pair, ...]
    attained: bool
    pure: Fraction | None = None
    approx: tuple[Fraction, Fraction] | None = None
    rho: Fraction | None = None
    mu_squared: Fraction | None = None
    cap: tuple[int, int] | None = None
    stated: tuple[int, int] | None = None
    least: tuple[Pair, ...] | None = None
    shared: bool = False
    width: Fraction | None = None
    times: int = 1
    records: int = 0
    epoch: tuple[int, Fraction] | None = None

    @property
    def lost(self) -> tuple[Pair, ...]:
        """What some pair of neighbours attains, where the mechanism is attained."""
        return self.pairs if self.least is None else self.least


def mechanism(
    found: object, place: str, reading: str, neighbours: str, guarantee: Any = None, times: int = 1
) -> Law | None:
    """Read a mechanism that ran ``times`` times; None for one of no known law, which has a guarantee instead.

    Malformed where a field is missing, unknown or out of its range.
    """
    with Fields(found, place, reading) as fields:
        kind = fields.one_of("kind", sorted([*_READERS, "randomized-response", *_OTHERS]))
        if kind == "other":
            fields.text("description", required=True)
            return None
        if kind == "subsampled":
            return _sampled(fields, neighbours, times)
        if kind == "four-outcome-randomized-response":
            return _four_outcomes(fields, guarantee)
        if kind == "randomized-response":
            return _response(fields, guarantee)
        if kind == MIXTURE and neighbours not in _SAMPLED:
            raise Refused(f"{place}: of a mixture one data set alone has the record")
        return _READERS[kind](fields, kind != NOISY_MAX and fields.flag("attained", kind != MATRIX))


def _short(value: Fraction, fields: Fields) -> Fraction:
    if max(abs(value.numerator), value.denominator) >= MOST_SIZE:
        raise Malformed(fields.place, "a parameter of many digits", "parameters of a law have at most 60 digits")
    return value


def _squared(fields: Fields, key: str, *, loses: str, positive: bool) -> Fraction:
    """Take a number that is given itself or squared; return its square. Without ``loses`` it is never a rounded one."""
    if fields.has(key) == fields.has(f"{key}_squared"):
        raise Malformed(f"{fields.place}.{key}", "both or none", f"give one of {key} and {key}_squared")
    power, key = (2, key) if fields.has(key) else (1, f"{key}_squared")
    rounded = fields.parameter(key, loses=loses, positive=positive) if loses else fields.exact(key, positive=positive)
    return _short(rounded, fields) ** power


def _shifts(fields: Fields, *, whole: bool, loses: str = "more") -> tuple[Fraction, ...]:
    """Take the shift of each coordinate; return the sizes that are not 0."""
    found = []
    for i, item in enumerate(fields.items("shifts", MOST_SHIFTS)):
        if whole or isinstance(item, str):
            value = abs(_short(number(item, f"{fields.place}.shifts[{i}]"), fields))
        else:
            single = Fields({"shift": item}, fields.place, fields.reading)
            value = _short(single.parameter("shift", loses=loses), fields)
        if whole and value.denominator != 1:
            raise Malformed(f"{fields.place}.shifts[{i}]", item, "a shift of counts is a whole number")
        found.append(value)
    return tuple(sorted((value for value in found if value), reverse=True))


def _normal(fields: Fields, attained: bool) -> Law:
    variance = _squared(fields, "sigma", loses="less", positive=True)
    square = _squared(fields, "sensitivity", loses="more", positive=False) / variance
    return Law("gaussian", (Pair(Normal(square)),) if square else (), attained, rho=square / 2, mu_squared=square)


def _mixture(fields: Fields, attained: bool) -> Law:
    """A normal law that one record moves by one of the shifts: worst on a line, by Kahane (``_exchanged``)."""
    variance, lists = _squared(fields, "sigma", loses="less", positive=True), ("shifts", "weights")
    given = [[_short(number(each, key), fields) for each in fields.items(key, MOST_OF_A_GROUP + 1)] for key in lists]
    if [len({*given[0]})] * 2 != [*map(len, given)] or min(map(min, given)) < 0 or sum(given[1]) != 1:
        raise Malformed(f"{fields.place}.weights", "not known", "give one for each shift, at least 0, of sum 1")
    unit = _short(Fraction(lcm(*(shift.denominator for shift in given[0]))), fields).numerator
    moved = tuple((int(shift * unit), weight) for shift, weight in zip(*given, strict=True) if weight)
    square, largest = 1 / (unit**2 * variance), max(moved)[0] ** 2
    up, down = (tuple((sign * mean, weight) for mean, weight in moved) for sign in (1, -1))
    still = ((0, Fraction(1)),)
    pair = Pair(Normal(square), means=((up, still), (still, down)))
    return Law(MIXTURE, (pair,) if largest else (), attained, rho=largest * square / 2, mu_squared=largest * square)


def _matrix(fields: Fields, attained: bool, rate: Fraction = Fraction(1)) -> Law:
    """A run of rounds with correlated Gaussian noise: one query, of the largest change |C u| (Denisov 2022).

    Where a record is drawn in each of its rounds, and no two of these change one sum, each is a query of the norm of a
    column on a sample, given all answers before (Choquette-Choo 2023).
    """
    one = _normal(fields, attained)
    rounds, times, apart = (fields.whole(key, most=10**6) for key in ("rounds", "participations", "separation"))
    exactly = fields.one_of("spacing", ("at-least", "exactly"), "at-least") == "exactly"
    first = range(0, min(rounds, times * apart), apart)
    tree = fields.has("tree") and fields.one_of("tree", ("binary",)) == "binary"
    band = [] if tree else _band(fields, rounds)
    length, last, unit, many = min(rounds, first[-1] + len(band)), len(first) * apart, 1, 1
    if (len(first) if tree else length) > MOST_CHANGED:
        raise Malformed(f"{fields.place}.rounds", rounds, f"a unit changes at most {MOST_CHANGED} sums of a run")
    if rate < 1:
        if len(first) > 1 and (tree or len(band) > apart):
            raise Malformed(fields.place, "not known", "of samples give no more coefficients than the separation")
        many = len(first) if fields.reading == MOST else sum(start + len(band) <= rounds for start in first)
        first, length, last = first[:1], min(rounds, len(band)), apart
    if fields.reading == MOST and len(first) > 1 and len(band) > apart:
        # Where (C'C)_ij >= 0 falls with j, and with j - i where that is not given, no rounds give more than the first.
        band = [abs(c) for c in band]
        band = band if exactly else list(accumulate(band[::-1], max))[::-1]
    for c in band:
        unit = _short(Fraction(lcm(unit, c.denominator)), fields).numerator
    whole, changed = [int(c * unit) for c in band] + [0] * length, _tree(rounds, first, fields.reading) if tree else []
    for t in range(0 if tree else length):
        before, gone = changed[t - apart] if t >= apart else 0, whole[t - last] if t >= last else 0
        changed.append(before + whole[t] - gone)
    square = 2 * (one.rho or 0) * Fraction(sum(each * each for each in changed), unit * unit)
    pairs = (Pair(Normal(square), rate),) * many if square else ()
    return Law(MATRIX, pairs, attained, rho=many * square / 2, mu_squared=many * square)


def _tree(rounds: int, first: range, reading: str) -> list[int]:
    """Return how many of the first rounds each sum of 1, 2, 4, ... complete rounds has, or numbers of larger squares.

    No sum has more of a unit's rounds than the first sum of its kind has of these, nor all of a kind more together.
    """
    changed = list[int]()
    for level in range(rounds.bit_length()):
        held = Counter(start >> level for start in first if start >> level < rounds >> level)
        most, times = held[0], held.total()
        changed += [most] * (times // most) + [times % most] if reading == MOST else held.values()
    return changed


def _band(fields: Fields, rounds: int) -> list[Fraction]:
    """Take the first column of C; of a BLT c_0 = 1 and c_t = sum of omega_j theta_j^(t - 1), rounded to the reading."""
    keys = ("omega", "theta") if fields.has("theta") else ("coefficients",)
    given = [fields.take(key) for key in keys]
    read = [[_short(number(item, fields.place), fields) for item in each] for each in given if isinstance(each, list)]
    if len({len(each) for each in read}) != 1 or len(read) < len(keys) or not read[0]:
        raise Malformed(f"{fields.place}.{keys[-1]}", "not known", f"give lists of one length: {', '.join(keys)}")
    band = read[0][:rounds]
    if len(read) == 2:
        (omega, theta), to = read, ceil if fields.reading == MOST else floor
        if rounds * len(omega) > MOST_STEPS or min(omega + theta) < 0 or max(theta) > 1:
            remedy = f"give theta from 0 to 1, omega at least 0, and at most {MOST_STEPS} rounds times buffers"
            raise Malformed(f"{fields.place}.theta", "not known", remedy)
        band, left = [Fraction(1)], [to(each * _UNIT) for each in omega]
        while len(band) < rounds:
            band.append(Fraction(sum(left), _UNIT))
            left = [to(each * decay) for each, decay in zip(left, theta, strict=True)]
    band = band[: max((i + 1 for i, c in enumerate(band) if c), default=0)]
    if not band or not band[0]:
        raise Malformed(f"{fields.place}.coefficients", "not known", "the first, on the diagonal, is not 0")
    return band


def _discrete_normal(fields: Fields, attained: bool) -> Law:
    # Delta is not monotone in the sigma of integer noise.
    variance = _squared(fields, "sigma", loses="", positive=True)
    shifts = _shifts(fields, whole=True)
    pairs = tuple(Pair(DiscreteNormal(variance, int(shift))) for shift in shifts)
    return Law("discrete-gaussian", pairs, attained, rho=total((s * s, 1) for s in shifts) / (2 * variance))


def _laplace(fields: Fields, attained: bool, whole: bool = False) -> Law:
    """Laplace noise; or where answers are ``whole`` numbers two-sided geometric noise."""
    scale = _short(fields.parameter("scale", loses="less", positive=True), fields)
    if not whole and fields.has("sensitivity") == fields.has("shifts"):
        raise Malformed(f"{fields.place}.sensitivity", "both or none", "give one of sensitivity and shifts")
    if not whole and fields.has("sensitivity"):
        shifts = tuple(value for value in (_short(fields.parameter("sensitivity"), fields),) if value)
    else:
        shifts = _shifts(fields, whole=whole)
    bases = (TwoSidedGeometric(scale, int(s)) if whole else DoubleExponential(s / scale) for s in shifts)
    kind, pure = "geometric" if whole else "laplace", total((shift / scale, 1) for shift in shifts)
    return Law(kind, tuple(Pair(base) for base in bases), attained, pure=pure)


def _noisy_max(fields: Fields, attained: bool) -> Law:
    """The best candidate by score and noise of hazard rate 1/scale at most (McKenna, Sheldon 2020; its law is ours).

    With F of Laplace noise, P(best in S) = F(x) on one data set is at most F(x + shift) on the other, whatever the
    candidates; of Gumbel noise (the exponential mechanism) the log odds of S change by at most the shift: their range.
    """
    noise = fields.one_of("noise", ("exponential", "laplace", "gumbel"))
    scale = _short(fields.parameter("scale", loses="less", positive=True), fields)
    shift = _short(fields.parameter("sensitivity"), fields) * (1 if fields.flag("monotone", False) else 2) / scale
    law = Law(NOISY_MAX, (Pair(DoubleExponential(shift)),) if shift else (), attained, pure=shift)
    return replace(law, width=shift) if noise == "gumbel" else law


_READERS: dict[str, Callable[[Fields, bool], Law]] = {
    "gaussian": _normal, MIXTURE: _mixture, MATRIX: _matrix, "discrete-gaussian": _discrete_normal, "laplace": _laplace,
    "geometric": partial(_laplace, whole=True),
    NOISY_MAX: _noisy_max,
}  # fmt: skip
_OTHERS = ("four-outcome-randomized-response", "other", "subsampled")


def _four_outcomes(fields: Fields, guarantee: Any) -> Law | None:
    """The worst case of (epsilon, delta)-DP; without parameters, those of the guarantee beside it."""
    if not fields.has("epsilon") and not fields.has("delta"):
        if guarantee is None or guarantee.kind not in ("pure-dp", "approx-dp"):
            raise Malformed(f"{fields.place}.epsilon", "(missing)", "give epsilon and delta")
        epsilon, delta = guarantee.epsilon, guarantee.delta
    else:
        epsilon, delta = fields.parameter("epsilon"), fields.parameter("delta", at_most=1)
    pair = Pair(WorstApproximate(_short(epsilon, fields), _short(delta, fields)))
    return Law("four-outcome-randomized-response", (pair,), True, approx=(epsilon, delta))


def _response(fields: Fields, guarantee: Any) -> Law | None:
    outcomes = fields.whole("outcomes", 2, 10**9, least=2)
    attained = fields.flag("attained", True)
    if fields.has("probability"):
        truth = _short(fields.parameter("probability", positive=True, at_most=1), fields)
        odds = truth * (outcomes - 1) / (1 - truth) if truth < 1 else Fraction(0)
        if odds < 1:
            remedy = "the true answer is the likeliest, and not certain"
            raise Malformed(f"{fields.place}.probability", truth, remedy)
        with working(256):
            # Rounded to a multiple of 2^-120: up where more is lost then, down for what is lost at least.
            log = rational(odds).log() * 2**120
            up = fields.reading == MOST
            epsilon = Fraction((ceil if up else floor)(end(log, up=up)), 2**120)
    elif fields.has("epsilon"):
        epsilon = _short(fields.parameter("epsilon"), fields)
    elif guarantee is not None and guarantee.kind == "pure-dp":
        epsilon = _short(guarantee.epsilon, fields)
    else:
        raise Malformed(f"{fields.place}.epsilon", "(missing)", "give epsilon, or the probability of the true answer")
    return Law("randomized-response", (Pair(Response(epsilon, outcomes)),), attained, pure=epsilon)


def _in_any_sample(base: Law, rate: Fraction, sampling: str, cap: Any, times: int, replaced: bool) -> Law:
    """What a round on samples has where a record is replaced or zeroed out: the law of its mechanism on all records.

    Which records a batch holds is the same on both data sets: given it, a round is the base mechanism on two
    neighbours, or alike; so is it where it is only revealed whether the record is drawn, and a cut batch holds it at
    most then. In E epochs of a shuffle, of floor(1/rate) rounds at least, each record is in E batches; each Gaussian
    round counts its part of their mu^2. In a batch of a fixed size y is in the place of x or x'. If all are neighbours,
    P - e^eps Q = q (N_x - a mean of A N_y and A N_x') has at most q delta(log A) of the base, A = 1 + (e^eps - 1)/q, as
    if y is x' (Balle, Barthe, Gaboardi 2018).
    """
    law = replace(base, kind=IN_ANY_SAMPLE, attained=False)
    if sampling == "shuffled" and base.mu_squared:
        square = base.mu_squared * Fraction(ceil(Fraction(times, floor(1 / rate))), times)
        less = square < base.mu_squared
        return replace(law, pairs=(Pair(Normal(square)),), rho=square / 2, mu_squared=square, shared=less)
    if sampling == "shuffled" or len(base.pairs) != 1:
        return law
    law, own = replace(law, pairs=(Pair(Revealed(((rate, base.pairs[0]),))),), cap=cap), Pair(base.pairs[0].base, rate)
    if sampling == "fixed-size" and (replaced or isinstance(own.base, Response)):  # All answers are of some record.
        return replace(base, kind="subsampled", pairs=(replace(own, means=taken(rate)),), least=(own,))
    # Where all others equal what is there instead, or contribute nothing as it does, it is a Poisson sample's pair.
    return replace(law, attained=base.attained, least=(own,)) if sampling == "fixed-size" else law


#: Why no machine and no filter, which may look or stop between rounds, is given such a law.
NOT_BY_ROUND = "of a shuffle it is known what the rounds of an epoch lose together, and not what each of them loses"
#: A record is in one of both samples only; or what is drawn in its place contributes nothing, to the same sums.
_SAMPLED, _REPLACE = ("add-or-remove-one", "zero-out"), "replace-one"


def _sampled(fields: Fields, neighbours: str, times: int) -> Law | None:
    """A base mechanism on a sample: its own pair where one is known, else what it has in any sample."""
    given = fields.take("base")
    base = mechanism(given, f"{fields.place}.base", fields.reading, neighbours)
    ways = "poisson", "fixed-size", "with-replacement", "shuffled", "balls-in-bins", "unknown"
    sampling = fields.one_of("sampling", ways)
    attained = fields.flag("attained", True)
    if sampling == "poisson" and base is not None and base.kind == given["kind"] == MATRIX:
        rate = _short(fields.exact("rate", positive=True, at_most=1), fields)
        run = _matrix(Fields(given, f"{fields.place}.base", fields.reading), attained and base.attained, rate)
        return run if neighbours in _SAMPLED else replace(base, kind=IN_ANY_SAMPLE, attained=False)
    if base is None or base.kind in ("subsampled", IN_ANY_SAMPLE, *_BOUNDS):
        raise Malformed(f"{fields.place}.base", "no law", "give a mechanism with a law of its own, and one rate")
    if sampling == "balls-in-bins":
        return _in_bins(fields, base, attained, neighbours)
    rate = _short(fields.exact("rate", positive=True, at_most=1), fields)
    if sampling == "with-replacement":
        return _put_back(fields, base, rate, neighbours, attained and base.attained)
    cap = stated = None
    if fields.has("batch_cap") or fields.has("records"):
        cap = stated = fields.whole("batch_cap"), fields.whole("records")
        if sampling != "poisson":
            raise Malformed(f"{fields.place}.batch_cap", cap[0], "a cap is declared of Poisson samples only")
        if cap[0] > cap[1]:
            cap = None  # No sample can be above it: the largest has all others and the record that may be added.
    base = replace(base, attained=(attained := attained and base.attained))
    if fields.has("clipped") and (sampling, neighbours, base.kind) != ("poisson", _REPLACE, "gaussian"):
        remedy = f"leave it out: it is used of Gaussian noise on Poisson samples, under {_REPLACE}"
        raise Malformed(f"{fields.place}.clipped", "(given)", remedy)
    clipped = fields.flag("clipped", False)
    units = fields.whole("records_per_unit", 1, MOST_OF_A_GROUP // 2)
    if units > 1 and (sampling, base.kind, stated, rate < 1, len(base.pairs)) != ("poisson", "gaussian", None, True, 1):
        raise Malformed(f"{fields.place}.records_per_unit", units, "it is of Gaussian noise on Poisson samples, uncut")
    if rate < 1 and (stated is None or clipped) and len(base.pairs) == 1 and isinstance(base.pairs[0].base, Normal):
        law = _exchanged(base, rate, sampling, neighbours, clipped, attained and not cap)
        if law is not None:
            return replace(law, cap=cap, stated=stated) if units == 1 else of_group(law, units, units, units)
    # Batches of one size cannot hold all records of two data sets of two sizes, and an unknown one may hold one twice.
    some = neighbours == "add-or-remove-one" if sampling != "poisson" else cap is not None
    if rate == 1 and sampling != "unknown" and not some:
        return replace(base, kind="subsampled", attained=attained, stated=stated)
    if rate == 1 or sampling != "poisson" or neighbours not in _SAMPLED or len(base.pairs) != 1:
        known = neighbours != "add-or-remove-one" and sampling != "unknown" and units == 1
        law = _in_any_sample(base, rate, sampling, cap, times, neighbours == _REPLACE) if known else None
        whole = rate.numerator == 1 < rate.denominator <= times and base.kind == "gaussian" and len(base.pairs) == 1
        if sampling != "shuffled" or neighbours not in _SAMPLED or not whole:
            return law
        nothing = Law("subsampled", (worst_pair(Fraction(0), Fraction(1)),), False)  # is known of what is lost at most.
        epoch = rate.denominator, base.mu_squared or Fraction(0)
        return replace(law or nothing, attained=attained, least=(), epoch=epoch)
    square = None if cap else base.mu_squared  # No sample has more than all records, if it is not cut.
    law = Law("subsampled", (Pair(base.pairs[0].base, rate),), attained, mu_squared=square, cap=cap, stated=stated)
    return law if units == 1 else of_group(law, units, 0, units)


def if_cut(pair: Pair, cap: int, records: int, zeroed: bool) -> Pair:
    """Return the pair of a sample of which it is revealed whether it may be cut: at least ``cap`` others are drawn.

    With less it is the sample's. Else the record takes another's place: twice the distance, replaced (by Kahane) worst
    if the other is that one; zeroed out, of any noise, it is revealed if it is drawn. A larger chance is a bound.
    """
    with working(256):
        chance = min(end(binomial_tail(records, rational(pair.rate), cap), up=True), Fraction(1))
    if_above = chance * pair.rate, Pair(pair.base)
    if not zeroed and isinstance(pair.base, Normal):
        if_above = chance, Pair(Normal(4 * pair.base.square), pair.rate, pair.means and taken(pair.rate))
    elif not zeroed:
        raise Refused("of cut samples the kernel has a pair for Gaussian noise only")
    return Pair(Revealed(((1 - chance, pair), if_above)))


def _put_back(fields: Fields, base: Law, rate: Fraction, neighbours: str, attained: bool) -> Law | None:
    """Gaussian noise on batches whose draws each take any record; None where no pair is known.

    With the chance p_k the record is drawn k times: a part p_k/c_k, for any c_k >= p_k of sum 1, of the cases that are
    revealed as k. Given the draws that take it, such a case is a sample of a fixed size whose vectors are k times as
    long. All is lost of more copies than are listed. No batch has more than all its draws. Where all others equal what
    is there instead, a record that is drawn changes the sum once at least.
    """
    records = fields.whole("records", least=2)
    draws, square = rate * records, base.mu_squared
    if draws.denominator > 1:
        raise Malformed(f"{fields.place}.records", records, "rate times records is a batch's whole number of draws")
    if base.kind != "gaussian" or neighbours == "add-or-remove-one" or not square or base.rho is None:
        return None
    found, rest = list[int](), _UNIT
    with working(256):
        mass = (draws.numerator * rational(Fraction(-1, records)).log1p()).exp()
        some = Fraction(units((1 - mass) * _UNIT, up=False), _UNIT)
        while rest > _FEW:
            k = len(found)
            mass = mass * rational((draws - k) / ((k + 1) * (records - 1)))
            found.append(units(mass * _UNIT, up=True))
            falls = (draws - k - 1) / ((k + 2) * (records - 1))  # The chances do, by this at least from here on.
            rest = ceil(found[-1] * falls / (1 - falls))
    roots, zeroed = [isqrt(p * _UNIT) for p in found], neighbours != _REPLACE
    shares = [Fraction((_UNIT - rest) * root, sum(roots) * _UNIT) for root in roots]
    rates = [p / c / _UNIT for p, c in zip(found, shares, strict=True)]
    if max(rates) > 1:
        return None
    longer = (Pair(Normal(k * k * square), q, taken(q, zeroed)) for k, q in enumerate(rates, 1))
    parts = [*zip(shares, longer, strict=True), (Fraction(rest, _UNIT), worst_pair(Fraction(0), Fraction(1)))]
    return Law(
        "subsampled", (Pair(Revealed(tuple(parts))),), attained, rho=draws**2 * base.rho, mu_squared=draws**2 * square,
        least=(Pair(Normal(square), some),), records=records,
    )  # fmt: skip


def of_group(law: Law, first: int, second: int, apart: int) -> Law | None:
    """Return the law of data sets with ``first`` and ``second`` units alone; ``apart`` are neighbours' steps.

    Both laws are mixtures of normal laws. delta is the mean of a convex function of the one's sum of lognormals less
    e^epsilon times the other's: it rises with the covariances within each, and falls with those between both (by
    Kahane's proof), which are at their bounds on a line, the others' records pointing the other way. None of others.
    """
    rho, square = (value and apart * apart * value for value in (law.rho, law.mu_squared))
    whole = law.kind in (IN_ANY_SAMPLE, MIXTURE)
    if square and (whole or any(isinstance(pair.base, (InBins, Revealed)) for pair in law.pairs)):
        # Gaussian DP of a group has as many times the mu, whichever pair is known.
        return replace(law, pairs=(Pair(Normal(square)),), least=None, rho=rho, mu_squared=square, cap=None, times=1)
    (pair,) = law.pairs if len(law.pairs) == 1 and law.lost == law.pairs and law.stated is None else (None,)
    if pair is None or not isinstance(pair.base, Normal) or (law.kind == MATRIX and pair.rate < 1):
        return None
    records = len(pair.means[0][0]) - 1 if pair.means else 1
    if pair.rate == 1:
        found = Pair(Normal(apart * apart * pair.base.square))
    elif records * (first + second) > MOST_OF_A_GROUP:
        return None
    else:
        found = replace(pair, means=group(pair.rate, first * records, second * records))
    return replace(law, pairs=(found,), least=None, rho=rho, mu_squared=square)


def _exchanged(base: Law, rate: Fraction, sampling: str, neighbours: str, clipped: bool, attained: bool) -> Law | None:
    """Gaussian noise on samples that hold one record or another one in its place; None where no pair is known.

    Given the rest of a sample, P - e^eps Q at eps >= 0 is a law less a mixture, so that delta is the mean of a convex
    function of a sum of lognormals, and largest where all covariances are (Kahane 1985). No sample has more than what
    all records give.
    """
    (pair,) = base.pairs
    assert isinstance(pair.base, Normal)
    most = least = replace(pair, rate=rate)
    if clipped:  # Each record is half as far from 0 as both are from each other.
        most = least = Pair(Normal(pair.base.square / 4), rate, means=group(rate, 1, 1))
    elif sampling == "fixed-size" and neighbours in (_REPLACE, "zero-out"):
        most = replace(most, means=taken(rate, neighbours != _REPLACE))
    else:
        return None
    return Law("subsampled", (most,), attained, rho=base.rho, mu_squared=base.mu_squared, least=(least,))


def _in_bins(fields: Fields, base: Law, attained: bool, neighbours: str) -> Law | None:
    """A run whose batches are bins: its pair over the same bins, or one for each epoch; else the whole Gaussian.

    Of k bins the pair of each of k blocks into which all are cut at random, for who learns the blocks. With fewer bins
    it loses at least as much: a mean over some, given that over all, has that as its mean.
    """
    bins, epochs = fields.whole("bins", most=10**6), fields.whole("epochs", 1, 10**6)
    anew, held = fields.one_of("drawn", ("once", "each-epoch"), "once") == "each-epoch", fields.whole("chosen", 1, bins)
    if held > 1 and (anew or epochs > 1):
        raise Malformed(f"{fields.place}.chosen", held, "a record that is in several bins is so in one epoch")
    if len(base.pairs) != 1 or not isinstance(base.pairs[0].base, Normal):
        return None
    # The latter is the pair of any bins that are known: what a record holds does not choose them. It bounds only.
    square, times, known = base.pairs[0].base.square * epochs * held, 1, neighbours in _SAMPLED
    runs = epochs if anew else 1
    most = least = Pair(Normal(square))
    if known and bins >= 2 * held:
        times = runs * held
        most = Pair(InBins(bins // held, square / times))
    if known and bins > held:
        # All steps of new bins too: one of each epoch has the record, and a test of a sum sees no more.
        least = Pair(InBins(bins * runs, square, held * runs))
    attained = attained and base.attained and (bins == held or known)
    return Law("subsampled", (most,), attained, rho=square / 2, mu_squared=square, least=(least,), times=times)
