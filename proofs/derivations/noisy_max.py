"""The candidate of the largest noisy score is dominated by Laplace noise (mckenna2020/noisy_max.delta).

Scores q_r, noise Z_r, all drawn apart with one law of density f and tail T(z) = P(Z > z), with f <= T where noise is
measured in its scale: the hazard rate is at most 1. Exponential and Laplace noise have it, and so has Gumbel noise.

The largest of several noisy scores has it too: its density at x is the sum over r of f_r times the chance that all
others are below x; that is at most the chance that exactly one is above x, and so at most the chance that some one is.

Let S be any set of candidates, A the largest noisy score in S and B that outside of it, apart from each other. For
G(t) = P(A + t > B) = E T_A(B - t) that gives G' <= G, and for 1 - G(t) = E T_B(A + t) it gives G' <= 1 - G. Laplace
noise has F' = min(F, 1 - F): so F^-1(G(t)) has a slope of at most 1, and with G(0) = F(x), G(t) <= F(x + t).

Between neighbours every score in S gains at most c more than any one outside of it: c = 2 sensitivity/scale, or
sensitivity/scale where all scores move one way. P(best in S) grows with each score in S, so that it is at most
F(x + c) on the one data set where it is F(x) on the other. The events of Laplace noise moved by c that are thresholds
are these points: the trade-off between P(S) and P'(S) is nowhere worse than that of Laplace noise at the distance c.
Hence the pair dominates, also with what was chosen from earlier answers (Zhu, Dong, Wang 2022, Theorem 10).

Two candidates with exponential noise: their difference has Laplace noise, so that every single point is attained, each
by another gap of the scores. No scores attain all points at once: a candidate that is in some of these sets and not in
others would have to gain and to lose. So compositions may lose less than the pair's, and nothing is refuted by it.

Gumbel noise: P(best in S) is in proportion to the sum of e^(q_r/scale) over S. Of any two answers the losses differ by
the change of the difference of their scores: a range of c.
"""

from __future__ import annotations

from itertools import product

import sympy as sp

from .steps import Derivation, Step, identity, increasing_from_zero

x, y, c, e, gap = sp.symbols("x y c e gap", positive=True)
below, above = (sp.symbols(f"{name}0:4", nonnegative=True) for name in ("below", "above"))


def _exactly_one() -> bool:
    """P(some above) less the sum of T_r prod of F_j, in the chances of each: no coefficient is negative."""
    for count in (1, 2, 3, 4):
        some, one = sp.S.Zero, sp.S.Zero
        for places in product((0, 1), repeat=count):
            chance = sp.prod([(below, above)[place][r] for r, place in enumerate(places)])
            some += chance if any(places) else 0
            one += chance if sum(places) == 1 else 0
        density = sum(above[r] * sp.prod([below[j] for j in range(count) if j != r]) for r in range(count))
        if sp.expand(density - one) != 0 or any(k < 0 for k in sp.Poly(some - one, *below, *above).coeffs()):
            return False
    return True


DERIVATIONS = (
    Derivation(
        "The candidate of the largest noisy score is dominated by Laplace noise (mckenna2020/noisy_max.delta)",
        ("mckenna2020/noisy_max.delta",),
        (
            identity("exponential noise: the density is the tail", -sp.diff(sp.exp(-x), x), sp.exp(-x)),
            increasing_from_zero("Laplace noise below its centre: T - f = 1 - e^-x", 1 - sp.exp(-x), x, 1),
            increasing_from_zero("Gumbel noise: f/T = y/(e^y - 1) with y = e^-z", sp.exp(y) - 1 - y, y, 2),
            Step("the best of several: a density of at most the chance that exactly one is above", _exactly_one),
            identity("Laplace noise below its centre: F' = F", sp.diff(sp.exp(-x) / 2, x), -sp.exp(-x) / 2),
            identity("and beyond it: F' = 1 - F", sp.diff(1 - sp.exp(-x) / 2, x), 1 - (1 - sp.exp(-x) / 2)),
            identity(
                "two candidates, exponential noise: the first is the best as Laplace noise is below the gap",
                sp.integrate(sp.exp(-x) * (1 - sp.exp(-(x + gap))), (x, 0, sp.oo)),
                1 - sp.exp(-gap) / 2,
            ),
            identity(
                "the worst gap at eps, s = -(c + eps)/2: F(s + c) - e^eps F(s) is the profile there",
                (1 - sp.exp(-(c - e) / 2) / 2) - sp.exp(e) * sp.exp(-(c + e) / 2) / 2,
                1 - sp.exp((e - c) / 2),
            ),
            identity(
                "the derivative in s is 0 there: densities that are e^eps apart",
                sp.exp(-(c - e) / 2) / 2,
                sp.exp(e) * sp.exp(-(c + e) / 2) / 2,
            ),
        ),
    ),
)
