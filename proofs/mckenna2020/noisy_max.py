"""The least delta of permute-and-flip, for a change of the differences of scores by at most a shift:

  max(0, 1 - e^((eps - shift)/2)).

Hypotheses: the candidates are the same; no difference of two scores changes by more than the shift, in scales of noise.
Source: permute-and-flip by its definition (McKenna and Sheldon 2020, Algorithm 1); its profile is ours.

Scores are whole numbers of half units, e^(half unit) = 2, so that all weights are rational. Permute-and-flip is run
over every order of the candidates; the best event of candidates is taken, for every change of every grid of scores.
"""

from fractions import Fraction
from functools import cache
from itertools import permutations, product

import sympy as sp

from proofs.transcription import Property, Transcription

F = Fraction
ID = "mckenna2020/noisy_max.delta"
shift, eps = sp.symbols("shift eps", nonnegative=True)


@cache
def permute_and_flip(scores):
    """Each candidate's chance: in a random order, the first whose coin of chance e^(score - best) shows heads."""
    best, chances = max(scores), [F(0)] * len(scores)
    orders = list(permutations(range(len(scores))))
    for order in orders:
        left = F(1, len(orders))
        for r in order:
            heads = F(1, 2 ** (best - scores[r]))
            chances[r] += left * heads
            left *= 1 - heads
    return tuple(chances)


@cache
def noisy_maximum(scores):
    """The candidate of the largest score plus exponential noise: an integral over z = e^(best - its sum), to 1."""
    best, found = max(scores), []
    weights = [F(1, 2 ** (best - score)) for score in scores]
    for r, weight in enumerate(weights):
        powers = [weight]
        for other in weights[:r] + weights[r + 1 :]:
            powers = [a - other * b for a, b in zip([*powers, F(0)], [F(0), *powers], strict=True)]
        found.append(sum((power / (i + 1) for i, power in enumerate(powers)), F(0)))
    return tuple(found)


@cache
def exponential_mechanism(scores):
    weights = [F(2) ** score for score in scores]
    return tuple(weight / sum(weights) for weight in weights)


def lost(law, one, other, grown):
    """The most that an event has above grown = e^eps times its chance on the other data set."""
    return sum((max(p - grown * q, F(0)) for p, q in zip(law(one), law(other), strict=True)), F(0))


#: Grids of scores, what a neighbour adds to each, and the change of a difference, all in half units.
GRIDS = (
    (2, tuple(range(8)), (-2, 0, 2), 4),
    (2, tuple(range(8)), (0, 2), 2),
    (3, (0, 1, 2, 4, 5), (-2, 0, 2), 4),
    (3, (0, 1, 3, 4), (0, 2), 2),
    (4, (0, 2, 3), (-2, 2), 4),
)


def every_event(code):
    for count, places, steps, change in GRIDS:
        for half in range(change + 2):
            stated = sp.nsimplify(code.symbolic(shift=change * sp.log(2), eps=half * sp.log(2)))
            most = {law: F(0) for law in (permute_and_flip, exponential_mechanism)}
            for scores in product(places, repeat=count):
                for added in product(steps, repeat=count):
                    moved = tuple(score + more for score, more in zip(scores, added, strict=True))
                    for law in most:
                        most[law] = max(most[law], lost(law, scores, moved, 2**half), lost(law, moved, scores, 2**half))
            # Laplace's profile, whose square is rational here: 1 - delta = 2^((half - change)/2).
            largest = most[permute_and_flip]
            for bound in most.values():
                assert (1 - bound) ** 2 >= F(2) ** min(half - change, 0), (count, change, half, bound)
            if count == 2 and (half - change) % 2 == 0:
                assert sp.simplify(stated - sp.Rational(largest.numerator, largest.denominator)) == 0
                assert most[exponential_mechanism] < largest or half >= change


def both_definitions(code):
    """The first heads in a random order is the largest noisy score (Ding et al. 2021)."""
    for count, places in ((1, (0,)), (2, range(6)), (3, range(5)), (4, range(3))):
        for scores in product(places, repeat=count):
            assert permute_and_flip(scores) == noisy_maximum(scores)
            assert sum(permute_and_flip(scores)) == 1


def of_laplace(shift, eps):
    """P(best) - e^eps P'(best) of the first of two candidates, whose difference has Laplace noise, at its worst gap."""
    if eps >= shift:
        return sp.S.Zero
    gap = -(shift + eps) / 2
    return 1 - sp.exp(-(gap + shift)) / 2 - sp.exp(eps) * sp.exp(gap) / 2


PROVES = (
    Transcription(ID, of_laplace, ({"shift": shift, "eps": eps},), "every shift and eps"),
    Property(ID, every_event, "up to 4 candidates on grids of scores, every event, in exact rationals", "cases"),
    Property(ID, both_definitions, "up to 4 candidates on grids of scores, both definitions", "cases"),
)
