"""Pairs of laws, one for each mechanism, as exact parameters, and their composition.

A pair (P, Q) has the privacy loss L = log dP/dQ and the profile delta(eps) = sup_S P(S) - e^eps Q(S). It dominates a
mechanism in one orientation of the neighbouring relation where its profile is at least the mechanism's at every eps.
Products of dominating pairs dominate the composition, also when later queries are chosen from earlier answers, as
long as the pairs are fixed in advance (Zhu, Dong, Wang 2022, Theorem 10; Dong, Roth, Su 2019, Theorem 4). Both
orientations count, each composed separately: ``Composition.reversed`` swaps all pairs together, never some of them.

Parameters are free of units: what a mechanism's noise and sensitivity have in common is divided out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Literal, Union, cast


@dataclass(frozen=True, slots=True)
class Gaussian:
    """N(0, 1) against N(mu, 1): a query of l2 sensitivity D with noise N(0, sigma^2) has mu^2 = D^2/sigma^2."""

    mu_squared: Fraction


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """N_Z(0, sigma^2) against N_Z(shift, sigma^2), shift >= 1: one cell; the cells of a query multiply."""

    sigma_squared: Fraction
    shift: int


@dataclass(frozen=True, slots=True)
class Laplace:
    """Lap(0, b) against Lap(D, b): epsilon = D/b."""

    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Geometric:
    """Weights proportional to e^(-|x|/scale) on the integers against the same moved by shift >= 1."""

    scale: Fraction
    shift: int


@dataclass(frozen=True, slots=True)
class Response:
    """Randomized response among ``outcomes`` >= 2: the true one e^epsilon times as likely as each other one."""

    epsilon: Fraction
    outcomes: int = 2


@dataclass(frozen=True, slots=True)
class WorstApproximate:
    """The worst (epsilon, delta)-DP mechanism: infinite loss with probability delta, else ``Response(epsilon)``.

    It dominates every such mechanism (Kairouz, Oh, Viswanath 2015); what ran may lose less.
    """

    epsilon: Fraction
    delta: Fraction


#: The orientation of a neighbouring pair under add-or-remove-one: P is the law with the differing record, or Q is.
Orientation = Literal["removal", "addition"]


@dataclass(frozen=True, slots=True)
class SubsampledGaussian:
    """A Poisson-subsampled Gaussian under add-or-remove-one, with noise multiplier s = sigma/D and rate 0 < q <= 1.

    With N = N(0, s^2) and R = (1 - q) N(0, s^2) + q N(1, s^2): removal is (R, N), addition is (N, R).
    """

    rate: Fraction
    sigma: Fraction
    orientation: Orientation = "removal"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One of several sampled Gaussian pairs, with the chance of each. The chances sum to 1; the pair reveals which.

    The label has the same law on both data sets. With the chance ``still`` nothing is lost.
    """

    parts: tuple[tuple[Fraction, SubsampledGaussian | Exchanged], ...]
    still: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        chances = [chance for chance, _ in self.parts]
        if min([*chances, self.still]) < 0 or sum(chances, self.still) != 1:
            raise ValueError("the chances of labels are at least 0 and sum to 1")


#: A base whose losses are atoms, or between two ends: symmetric, as the Gaussian is.
Base = Union[DiscreteGaussian, Laplace, Geometric, Response]
#: The same, and one that may lose all: whatever may run where it is revealed whether a record is drawn.
AnyBase = Union[Base, WorstApproximate]
DRAWN = (DiscreteGaussian, Laplace, Geometric, Response, WorstApproximate)


@dataclass(frozen=True, slots=True)
class Subsampled:
    """Another mechanism on a Poisson sample of rate 0 < q <= 1, under add-or-remove-one.

    With (P, Q) the base's pair, P where the differing record is there: removal is ((1 - q) Q + q P, Q), addition is
    (Q, (1 - q) Q + q P) (zdw2022/thm11.delta: Zhu, Dong, Wang 2022, Theorem 11).
    """

    base: Base
    rate: Fraction
    orientation: Orientation = "removal"


@dataclass(frozen=True, slots=True)
class Drawn:
    """Another mechanism with the chance ``rate``; else nothing is lost. The pair reveals which.

    A round on a sample in which a record is replaced: the two data sets hold the same places in each sample, so the
    round is the base on two neighbours, with the chance that the record's place is drawn, or is the same on both. With
    (P, Q) the base's pair and * an answer of its own it is (q P + (1 - q) *, q Q + (1 - q) *): symmetric, as (P, Q) is.
    """

    base: AnyBase
    rate: Fraction


@dataclass(frozen=True, slots=True)
class Instead:
    """Another mechanism on a sample of a fixed size, rate 0 < q <= 1, that has one record or another in its place.

    With (P, Q) the base's pair it has at epsilon >= 0 the profile of ((1 - q) Q + q P, Q), and the same the other way
    round: no one pair of neighbours need have both (``instead``).
    """

    base: Base
    rate: Fraction


@dataclass(frozen=True, slots=True)
class Allocation:
    """Gaussian steps in ``bins`` >= 2 batches, one record in one of them: one run of all steps.

    With e_i the unit vectors and a^2 = mu_squared, P = (1/b) sum_i N(a e_i, I) and Q = N(0, I): removal is (P, Q),
    addition is (Q, P) (``allocation``). Of E epochs over the same bins a^2 is E (sensitivity/sigma)^2.
    """

    bins: int
    mu_squared: Fraction
    orientation: Orientation = "removal"


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A Gaussian round on a sample of rate 0 < q < 1 that holds one record or another one in its place, or a group.

    Or one that moves by one of several shifts, q being the chance that it moves at all (``mixture_pair``).

    The largest profile is that of ``above`` at epsilon >= 0, and below 0 that of ``below`` the other way round: no one
    pair of neighbours need have both (``exchanged``).
    """

    rate: Fraction
    sigma: Fraction
    above: Mixtures
    below: Mixtures

    @property
    def most_records(self) -> int:
        """How many records may be in the sample on one of the data sets."""
        return max(records_of(law) for law in self.above)

    @property
    def farthest(self) -> Fraction:
        """For searches, how far one record moves the mean at most: by two norms where another one is in its place."""
        parts = [law.parts for law in (*self.above, *self.below) if isinstance(law, Listed)]
        return max([abs(mean) for each in parts for _, mean in each], default=Fraction(2))


@dataclass(frozen=True, slots=True)
class Listed:
    """The law sum_i w_i N(m_i, s^2), with its parts (w_i, m_i) one by one, the farthest last."""

    parts: tuple[tuple[Fraction, Fraction], ...]


#: n records of mean m, each in the sample or not: the law sum_j Bin(n, q)(j) N(j m, s^2); or a law by its parts.
Mixture = Union[tuple[int, int], Listed]
Mixtures = tuple[Mixture, Mixture]
#: The relations under which a sample holds one record or another one, and the laws of the pairs.
OF_ONE_OR_ANOTHER = ("replace-one", "zero-out")
REPLACED: Mixtures = ((1, 1), (1, -1))
TAKEN: Mixtures = ((1, 1), (0, 0))
ZEROED: Mixtures = ((1, 2), (1, 1))


def records_of(law: Mixture) -> int:
    """How many records may move the mean; of a law by its parts, one."""
    return 1 if isinstance(law, Listed) else law[0]


def weights_of(rate: Fraction, law: Mixture) -> list[tuple[Fraction, Fraction]]:
    """The weights and the means of a law's normal parts, exactly, the farthest last."""
    if isinstance(law, Listed):
        return list(law.parts)
    n, mean = law
    return [(comb(n, j) * rate**j * (1 - rate) ** (n - j), Fraction(j * mean)) for j in range(n + 1)]


Sampled = Union[SubsampledGaussian, Exchanged]


def parts_of(pair: Sampled | Labelled) -> tuple[tuple[Fraction, Sampled], ...]:
    """The pairs that a round may have, with their chances."""
    return tuple(part for part in pair.parts if part[0]) if isinstance(pair, Labelled) else ((Fraction(1), pair),)


def exchanges(pair: Pair) -> bool:
    """Whether a round's sample may hold one record or another one in its place."""
    return isinstance(pair, (Exchanged, Labelled)) and any(isinstance(part, Exchanged) for _, part in parts_of(pair))


#: The most records of a group, on both data sets together.
MOST_OF_A_GROUP = 64


def group_pair(rate: Fraction, sigma: Fraction, first: int, second: int) -> Exchanged:
    """The pair of a Poisson sample with ``first`` records that only P has, and ``second`` that only Q has.

    ``sigma`` is the noise over one record's norm. For all losses one pair of data sets has it.
    """
    return Exchanged(rate, sigma, ((first, 1), (second, -1)), ((second, 1), (first, -1)))


def mixture_pair(weights: Mapping[Fraction, Fraction], sigma: Fraction) -> Exchanged:
    """The pair of a query that moves by one of these shifts >= 0, each with its weight, under noise N(0, sigma^2).

    In units of the least shift above 0, of which there is one: two neighbouring means are at least that far apart.
    """
    unit = min(shift for shift in weights if shift)
    up, down = (Listed(tuple((weights[c], sign * c / unit) for c in sorted(weights))) for sign in (1, -1))
    return Exchanged(1 - weights.get(Fraction(0), Fraction(0)), sigma / unit, (up, (0, 1)), ((0, 1), down))


def exchanged_pair(rate: Fraction, multiplier: Fraction, sampling: str, neighbours: str) -> Exchanged | None:
    """The largest profile of one round, with this noise multiplier for a changed record; None of others."""
    match sampling, neighbours:
        case "poisson", "replace-one":
            # Half of what a replaced record changes is the norm of each.
            return Exchanged(rate, 2 * multiplier, REPLACED, REPLACED)
        case "fixed-size", "replace-one":
            return Exchanged(rate, multiplier, TAKEN, TAKEN)
        case "fixed-size", "zero-out":
            return Exchanged(rate, multiplier, ZEROED, TAKEN)
        case _:
            return None


Pair = Union[
    Gaussian,
    DiscreteGaussian,
    Laplace,
    Geometric,
    Response,
    WorstApproximate,
    SubsampledGaussian,
    Subsampled,
    Labelled,
    Drawn,
    Instead,
    Allocation,
    Exchanged,
]


def swapped(pair: Pair) -> Pair:
    """The pair (Q, P); all but the subsampled ones have the same profile that way round."""
    if isinstance(pair, (SubsampledGaussian, Subsampled, Allocation)):
        return replace(pair, orientation="addition" if pair.orientation == "removal" else "removal")
    if isinstance(pair, Exchanged):
        return replace(pair, above=pair.below, below=pair.above)
    if isinstance(pair, Labelled):
        parts = ((chance, cast(Sampled, swapped(part))) for chance, part in pair.parts)
        return replace(pair, parts=tuple(parts))
    return pair


@dataclass(frozen=True, slots=True)
class Round:
    """``count`` independent uses of one pair."""

    pair: Pair
    count: int = 1


@dataclass(frozen=True, slots=True)
class Composition:
    """A product of pairs, the order of which does not matter: equal pairs are united, and all Gaussians are one."""

    rounds: tuple[Round, ...]

    @classmethod
    def of(cls, rounds: tuple[Round, ...] | list[Round]) -> Composition:
        """The composition in its normal form."""
        counts: Counter[Pair] = Counter()
        mu_squared = Fraction(0)
        for item in rounds:
            if isinstance(item.pair, Gaussian):
                # N(0, I) against N(mu, I) depends on the length of mu alone.
                mu_squared += item.count * item.pair.mu_squared
            else:
                counts[item.pair] += item.count
        found = [Round(pair, count) for pair, count in counts.items() if count]
        if mu_squared:
            found.append(Round(Gaussian(mu_squared)))
        return cls(tuple(sorted(found, key=lambda item: (type(item.pair).__name__, repr(item)))))

    def reversed(self) -> Composition:
        """Every pair the other way round."""
        return Composition.of([Round(swapped(item.pair), item.count) for item in self.rounds])

    @property
    def orientations(self) -> tuple[Composition, ...]:
        """The compositions whose largest profile counts: one where all pairs are symmetric."""
        other = self.reversed()
        return (self,) if other == self else (self, other)
