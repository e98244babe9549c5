"""A record in k of t steps, drawn uniformly without replacement; noise multiplier s, a = 1/s:

  P = mean over all sets S of k steps of N(a 1_S, I)  against  Q = N(0, I);
  delta(eps) >= P(T >= c) - e^eps Q(T >= c),  T = sum_i f(Z_i),

with f(z) the largest level j such that j m <= log(1 + w exp(a z - a^2/2)); the levels are 0, 1, 2, ..., each next one
larger by 1 or by a 128th of it, rounded down, if that is more.

Hypotheses: each record's steps are drawn on their own; the record is the same unit vector in each of its steps, and all
others contribute nothing; w > 0, m > 0 and c are any numbers.
Source: the pair of k out of t random allocation in Feldman and Shenfeld 2025 (arXiv 2502.08202), of which the abstract
was read; the event is derived in proofs/derivations/allocation.py.

Here all sets of steps and all levels of all steps are listed, at 30 digits.
"""

from fractions import Fraction
from itertools import combinations, product

import mpmath

from proofs.numerals import by_mpmath, meet
from proofs.transcription import Property

F = Fraction
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 30


def real(value):
    value = F(value)
    return CONTEXT.mpf(value.numerator) / value.denominator


def level_chances(a, weight, mesh, most, shift):
    """The chance of each level below ``most``, of a step whose answer is N(shift, 1)."""
    levels = [0]
    while levels[-1] < most:
        levels.append(levels[-1] + max(1, levels[-1] // 128))
    begins = [(CONTEXT.log(CONTEXT.expm1(mesh * j) / weight) + a * a / 2) / a for j in levels[1:]]
    below = [CONTEXT.mpf(0), *(CONTEXT.ncdf(z - shift) for z in begins)]
    return {j: high - low for j, low, high in zip(levels, below, below[1:], strict=False)}


def chance(steps, members, a, weight, mesh, threshold):
    """P(T >= c) where these steps have the record."""
    laws = [level_chances(a, weight, mesh, threshold, a if i in members else 0) for i in range(steps)]
    below = CONTEXT.mpf(0)
    for chosen in product(*laws):
        if sum(chosen) < threshold:
            below += CONTEXT.fprod(law[j] for law, j in zip(laws, chosen, strict=True))
    return 1 - below


def bound(steps, chosen, sigma, eps, weight, mesh, threshold):
    a, weight, mesh = 1 / real(sigma), real(weight), real(mesh)
    sets = list(combinations(range(steps), chosen))
    p = sum(chance(steps, members, a, weight, mesh, threshold) for members in sets) / len(sets)
    return p - CONTEXT.exp(real(eps)) * chance(steps, (), a, weight, mesh, threshold)


INPUTS = (
    (1, 1, F(1), F(1, 2), F(1), F(1, 8), 3),
    (2, 1, F(1), F(1), F(1, 4), F(1, 16), 9),
    (3, 1, F(2), F(1, 2), F(1, 100), F(1, 500), 20),
    (3, 2, F(1), F(1), F(2), F(1, 4), 14),
    (4, 2, F(1), F(2), F(1, 4), F(1, 10), 12),
    (4, 3, F(1, 2), F(3), F(3), F(1, 2), 11),
    (2, 2, F(1), F(1), F(1, 8), F(1, 100), 150),
)


def delta(code):
    for steps, chosen, sigma, eps, weight, mesh, threshold in INPUTS:
        given = {"steps": steps, "chosen": chosen, "sigma": sigma, "eps": eps, "weight": weight, "mesh": mesh}
        found = code.enclosed(15, threshold=threshold, **given)
        assert meet(found, by_mpmath(bound(threshold=threshold, **given))), given
    assert code.refuses(steps=2, chosen=3, sigma=F(1), eps=F(1), weight=F(1), mesh=F(1), threshold=1)


PROVES = (
    Property(
        "feldman2025/allocation.delta",
        delta,
        "7 inputs of up to four steps, one of them beyond the fine levels, by listing all sets and levels",
        "grid",
    ),
)
