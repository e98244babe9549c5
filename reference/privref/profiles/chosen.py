"""A record in k of t steps, drawn uniformly: what such a run loses at least.

With the noise multiplier s and a = 1/s, the answers of a record that is always the same unit vector, next to others
that contribute nothing, have the laws

    P = mean over all S of k steps of N(a 1_S, I)   where the record is there,   Q = N(0, I)   where it is not.

dP/dQ is the mean over all S of the products of X_i = exp(a Z_i - a^2/2) over S: not a sum, and P and Q have no
profile that could be summed up. But a sum T of one function f of each step is distributed alike whichever S is drawn:
under P as k summands of N(a, 1) and t - k of N(0, 1), all independent. So the event T >= c has both chances exactly,
and delta(eps) >= P(T >= c) - e^eps Q(T >= c) for any f and any c.

The best f would be log(1 + w X) if each step took part on its own, with the odds w = k/(t - k). Here f is that in whole
numbers of ``mesh``, rounded down to one of the ``levels``: neighbours up to 128, and then apart by a part of 128. So
the powers of two polynomials in whole numbers have both laws, as in ``allocation``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real
from privref.exact.errors import InputError, MorePrecisionError
from privref.exact.integer_poly import IntegerPolynomial
from privref.exact.work import kept
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Count, Positive
from privref.statements.registry import Result, implements

from .allocation import OptionLattice, joined, power

#: Up to this level all whole numbers are levels.
_FINE = 128
#: Binary places of a mass beyond those of the arithmetic, and those of a plan.
_SPARE_BITS, _PLANNED_BITS = 32, 128
#: The mesh, in deviations of one summand, and the most points: at the end, and while a weight is chosen.
_FINE_MESH, _COARSE_MESH = (0.1, 1 << 15), (0.5, 1 << 12)
#: The weights that are tried, in odds; and how far above the test of independent steps the sum's law is computed.
_WEIGHTS, _FAR = (1.0, 0.25, 1 / 16, 1 / 256), 0.5
#: On how many nodes, and how far out, the moments of a summand are computed.
_NODES, _REACH = 400, 10.0
#: The largest exponent whose exponential is a float.
_MOST_EXPONENT = 700.0
#: Binary digits of an event's numbers.
_DIGITS = 2**12

#: How many steps, in how many of them the record is, and the noise multiplier.
Run = tuple[int, int, Fraction]


@dataclass(frozen=True, slots=True)
class Below:
    """Bounds of the chance of T < c, in 2^-bits, from the place ``low`` on."""

    totals: tuple[int, ...]
    low: int

    def __getitem__(self, threshold: int) -> int:
        return self.totals[min(max(threshold - self.low, 0), len(self.totals) - 1)]


def levels(most: int) -> list[int]:
    """The levels below a number, and the next one."""
    found = [0]
    while found[-1] < most:
        found.append(found[-1] + max(1, found[-1] // _FINE))
    return found


def _law(
    ar: EnclosingArithmetic, ends: list[Real], at: list[int], bits: int
) -> tuple[IntegerPolynomial, IntegerPolynomial]:
    """One summand's masses at the levels, from the distribution function's values where they begin, down and up.

    At the last one there may be more levels: what is there counts from above only.
    """
    down, up = [0] * (at[-1] + 1), [0] * (at[-1] + 1)
    for level, (before, after) in zip(at, pairwise([ar.real(0), *ends, ar.real(1)]), strict=True):
        found = ar.in_units(after - before, bits)
        if found is None:
            raise MorePrecisionError("a mass of a step has no finite enclosure")
        down[level], up[level] = max(found[0], 0), max(found[1], 0)
    down[at[-1]] = 0
    return IntegerPolynomial(down), IntegerPolynomial(up)


@kept(32)
def below(
    engine: decide.EngineName, run: Run, weight: Fraction, mesh: Fraction, points: int, bits: int
) -> tuple[tuple[Below, Below], tuple[Below, Below]]:
    """The law of T below ``points`` under P and under Q, each from below and from above."""
    steps, chosen, sigma = run
    ar = decide.engine(engine, bits + _SPARE_BITS)
    # Where hardly any mass is left no level begins: log(1 + w X) is below this there.
    far = math.sqrt(2 * math.log(2) * bits) + 2 / float(sigma)
    most = math.log1p(float(weight) * math.exp(min(far / float(sigma), _MOST_EXPONENT)))
    at = levels(points)
    at = at[: 2 + sum(float(mesh) * level < most for level in at[1:])]
    with ar.active():
        a = 1 / ar.real(sigma)
        # Where Z is above it f has the level.
        ends = [(ar.log(ar.expm1(mesh * level) / weight) + a * a / 2) / a for level in at[1:]]
        with_it = _law(ar, [ar.normal_cdf(end - a) for end in ends], at, bits)
        without = _law(ar, [ar.normal_cdf(end) for end in ends], at, bits)
    lattice = OptionLattice(Fraction(1), points, bits)

    def chances(times: int, *, up: bool) -> Below:
        """Where ``times`` steps have the record."""
        laws = [(law[up], n) for law, n in ((with_it, times), (without, steps - times)) if n]
        found, *more = (power(law, n, lattice, up=up) for law, n in laws)
        for other in more:
            found = joined(found, other, lattice, up=up)
        masses = found.law.part(0, points - found.low).coefficients()
        return Below(tuple(accumulate(masses, initial=found.missing)), found.low)

    of_both = [(chances(times, up=False), chances(times, up=True)) for times in (chosen, 0)]
    return of_both[0], of_both[1]


@implements(
    "feldman2025/allocation.delta",
    kind="lower",
    cites="the pair of k out of t random steps; its test by a sum over the steps (ours)",
    hypotheses=(Hypothesis.RANDOM_STEPS,),
)
def chosen_delta(
    ar: Arithmetic,
    steps: Count,
    chosen: Count,
    sigma: Positive,
    eps: Fraction,
    weight: Positive,
    mesh: Positive,
    threshold: Count,
) -> Result:
    """A lower bound on delta at epsilon of DP-SGD where each record is in ``chosen`` of ``steps`` steps, at random.

    feldman2025/allocation.delta: with a = 1/sigma and Z_i ~ N(0, 1), or N(a, 1) in ``chosen`` steps, let f_i be the
    largest level j with j mesh <= log(1 + weight exp(a Z_i - a^2/2)), the levels being 0, 1, ..., 128 and each next one
    larger by a part of 128, rounded down. Then delta >= P(sum f_i >= threshold) - e^eps Q(sum f_i >= threshold), at any
    weight, mesh and threshold. A record added, removed or zeroed out; Gaussian noise, noise multiplier sigma. Negative
    where the event says nothing; epsilon in nats.
    """
    if chosen > steps:
        raise InputError("chosen", chosen, f"a record is in at most all {steps} steps")
    balls = decide.enclosing(ar)
    bits = balls.precision
    found = below(decide.engine_name(ar), (steps, chosen, sigma), weight, mesh, threshold, bits)
    p, q = (ar.hull(*(1 - Fraction(side[threshold], 1 << bits) for side in (up, down))) for down, up in found)
    return p - ar.exp(eps) * q


@kept(32)
def best_event(steps: int, chosen: int, sigma: Fraction, eps: Fraction) -> tuple[Fraction, Fraction, int] | None:
    """About the weight, mesh and threshold of the largest bound, by floats; None where they are out of reach."""
    run = steps, chosen, sigma
    tried = [(_best(run, part, eps, _COARSE_MESH), part) for part in _WEIGHTS]
    known = [(found[0], part) for found, part in tried if found is not None]
    if not known:
        return None
    found = _best(run, max(known)[1], eps, _FINE_MESH)
    return None if found is None else found[1]


def _best(
    run: Run, part: float, eps: Fraction, mesh_of: tuple[float, int]
) -> tuple[float, tuple[Fraction, Fraction, int]] | None:
    """The best threshold at one weight, and the bound there."""
    steps, chosen, sigma = run
    odds, a = chosen / max(steps - chosen, 1), 1 / float(sigma)
    try:
        weight = _short(part * odds)
        spread = deviation(a, float(weight))
        # The largest ratio's test of steps that take part on their own, which the sum at a smaller weight is below.
        most = min(
            float(eps) + steps * math.log1p(odds) + _FAR, float(weight) * steps * (1 + 2 * math.exp(eps) / chosen)
        )
        mesh = _short(max(mesh_of[0] * spread, most / mesh_of[1]))
        points = math.ceil(most / mesh)
        (_, above), (under, _) = below("arb", run, weight, mesh, points, _PLANNED_BITS)
    except (ArithmeticError, ValueError):
        return None
    grown, one = Fraction(math.exp(min(float(eps), _MOST_EXPONENT))), 1 << _PLANNED_BITS
    gains = [(one - above[c]) - grown * (one - under[c]) for c in range(1, points + 1)]
    best = max(range(points), key=gains.__getitem__)
    return float(gains[best] / one), (weight, mesh, best + 1)


def _short(value: float) -> Fraction:
    """A number of few binary digits near it."""
    exponent = math.frexp(value)[1]
    scale = Fraction(2) ** exponent / _DIGITS
    return math.ceil(Fraction(value) / scale) * scale


def deviation(a: float, weight: float) -> float:
    """The deviation of log(1 + w X) without the record, about."""
    nodes = [(2 * i + 1 - _NODES) * _REACH / _NODES for i in range(_NODES)]
    masses = [math.exp(-z * z / 2) for z in nodes]
    values = [math.log1p(weight * math.exp(a * z - a * a / 2)) for z in nodes]
    total = sum(masses)
    mean = sum(m * v for m, v in zip(masses, values, strict=True)) / total
    return math.sqrt(sum(m * (v - mean) ** 2 for m, v in zip(masses, values, strict=True)) / total)
