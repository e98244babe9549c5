"""Gaussian rounds on batches that are drawn with replacement, where a record is replaced or zeroed out.

Each of the m draws of a batch takes any of the n records, so that the one that differs, x or x', is in it K times:
Bin(m, 1/n). Reveal the record y_j that a draw takes where it does not take that one. Given these, let J be the draws
that do take it, u_J the sum of x - y_j over J and v_J that of x' - y_j. Up to a shift by the sum of all y_j the round
is sum_J Pr(J) N(u_J, s^2) against sum_J Pr(J) N(v_J, s^2).

At most this is lost: let c_k >= Pr(K = k) be any numbers that sum to 1, for k = 1, 2, .... Then both laws are the
mixtures, with the chances c_k, of (1 - q_k) N(0, s^2) + q_k N_k, with q_k = Pr(K = k)/c_k and N_k the mean of all
N(u_J, s^2), or N(v_J, s^2), with |J| = k. Given k and J that is a sample of a fixed size without replacement, of the
rate q_k, where u_J, v_J and u_J - v_J are at most k times as long as for one copy: the pair of ``exchanged`` with the
noise divided by k dominates it, and so the pair that reveals k, by joint convexity. Of even more copies than are kept
apart nothing is known: with their chance r all is lost, and of the others q_k = Pr(K = k)/((1 - r) c_k). A larger q_k
loses more: both laws of the pair with the smaller one are mixtures of those with the larger one and of N(0, s^2).

At least this is lost: if the others all equal x' (or contribute nothing), the shift is K times what x changes. That is
one change at least with the chance h = Pr(K > 0), and the laws' ratio rises along the line. So each test of N(0, s^2)
against (1 - h) N(0, s^2) + h N(1, s^2) has no less power here: the Poisson pair of the rate h, in both orientations.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.exact.rounding import to_decimal
from privref.exact.work import kept

from .model import Exchanged, Labelled, Round, SubsampledGaussian, WorstApproximate, exchanged_pair

#: Digits of a chance; and what more copies than are told apart may have, which counts as lost.
_DIGITS, _LEFT = 40, Fraction(1, 10**18)
#: The most numbers of copies that are kept apart.
_MOST_COPIES = 64
_PRECISION = 512


def _rounded(value: Fraction, side: Literal["down", "up"]) -> Fraction:
    return Fraction(to_decimal(value, _DIGITS, side))


@kept(64)
def copies(draws: int, records: int) -> tuple[Fraction, tuple[Fraction, ...], Fraction]:
    """Pr(K > 0) from below; and from above Pr(K = 1), Pr(K = 2), ..., and that of even more copies together.

    UndecidedError where there may be too many.
    """
    ar = decide.engine("arb", _PRECISION)
    odds = Fraction(1, records - 1)
    found: list[Fraction] = []
    with ar.active():
        unseen = draws * ar.log1p(-Fraction(1, records))
        some = decide.finite(ar, -ar.expm1(unseen), "the chance of a record has no enclosure")
        mass = ar.exp(unseen)
        for k in range(min(draws, _MOST_COPIES)):
            mass = mass * ((draws - k) * odds / (k + 1))
            found.append(_rounded(decide.finite(ar, mass, "a chance has no enclosure").upper, "up"))
            # The chances fall at least by this from here on.
            ratio = (draws - k - 1) * odds / (k + 2)
            rest = found[-1] * ratio / (1 - ratio) if ratio < 1 else Fraction(1)
            if rest <= _LEFT:
                return _rounded(some.lower, "down"), tuple(found), _rounded(rest, "up") if rest else rest
    raise UndecidedError(f"a batch may hold a record more than {_MOST_COPIES} times: out of reach")


def _shares(chances: tuple[Fraction, ...]) -> list[Fraction]:
    """The c_k, by floats: any will do that are at least as large as the chances."""
    roots = [Fraction(math.sqrt(chance)).limit_denominator(10**9) for chance in chances]
    found = [root / sum(roots) for root in roots]
    if all(share >= chance for share, chance in zip(found, chances, strict=True)):
        return found
    return [chance / sum(chances) for chance in chances]


def rounds_of(
    draws: int, records: int, multipliers: tuple[Fraction, Fraction], neighbours: str
) -> tuple[tuple[Round, ...], tuple[Round, ...]]:
    """What dominates one round, and what is lost at least, for replace-one or zero-out neighbours.

    ``multipliers`` is the noise over what a changed record changes a sum by, rounded down and up.
    """
    down, up = multipliers
    some, chances, rest = copies(draws, records)
    parts: list[tuple[Fraction, SubsampledGaussian | Exchanged]] = []
    # The label is of what is kept apart, which has the chance 1 - rest.
    chances = tuple(chance / (1 - rest) for chance in chances)
    for k, (share, chance) in enumerate(zip(_shares(chances), chances, strict=True), 1):
        pair = exchanged_pair(chance / share, down / k, "fixed-size", neighbours)
        assert pair is not None
        parts.append((share, pair))
    upper = [Round(Labelled(tuple(parts)))]
    if rest:
        upper.append(Round(WorstApproximate(Fraction(0), rest)))
    return tuple(upper), (Round(SubsampledGaussian(some, up)),)
