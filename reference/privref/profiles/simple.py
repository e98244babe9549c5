"""Simple bounds of a composition: one round in closed form, which loses no more than all; the largest losses; zCDP.

They answer one sampled round, and say what is known of compositions that neither grid nor contour reaches.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import cast

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError
from privref.exact.work import apart

from . import allocation, exchanged
from .model import (
    Allocation,
    Composition,
    DiscreteGaussian,
    Drawn,
    Exchanged,
    Gaussian,
    Geometric,
    Instead,
    Laplace,
    Pair,
    Response,
    Subsampled,
    SubsampledGaussian,
    WorstApproximate,
)

#: What the simple bounds of a refusal may spend.
_WORK = 1_000_000


def one_round_eps(ar: EnclosingArithmetic, pair: Pair, delta: Fraction) -> Enclosure | None:
    """The least epsilon >= 0 at delta of one round on samples of Laplace or geometric noise, or of randomized response.

    Also of one run of balls in bins, and of one on samples that hold one record or another one. None of others.

    q P + (1 - q) Q - e^eps Q = q (P - e^a Q), e^a = 1 + (e^eps - 1)/q, so that epsilon is log(1 + q (e^a - 1)) at the
    base's a at delta/q. A removal's is the larger at eps >= 0 for every pair that is the same the other way round: an
    addition has, P and Q exchanged, s P - e^eps q Q with s = 1 - (1 - q) e^eps; the former less that is
    (1 - q)(e^eps - 1)(P - Q), where P >= Q wherever that is positive. Where it is revealed which record is drawn, delta
    is q times the base's, so that epsilon is the base's at delta/q.
    """
    if isinstance(pair, Exchanged):
        return exchanged.eps_of_one_round(ar, pair, delta)
    if isinstance(pair, Allocation):
        return allocation.eps_of(cast(decide.EngineName, ar.name), pair.bins, pair.mu_squared, delta)
    if not isinstance(pair, Subsampled | Drawn | Instead) or isinstance(pair.base, DiscreteGaussian | WorstApproximate):
        return None
    share = delta / pair.rate
    if share >= 1:
        return Enclosure(Fraction(0), Fraction(0))
    with ar.active():
        match pair.base:
            case Laplace(epsilon):
                # e^a: delta is 1 - e^((a - epsilon)/2), or (e^epsilon - e^a)/(e^epsilon + outcomes - 1).
                grown: Scalar = ar.exp(epsilon) * (1 - share) ** 2
            case Response(epsilon, outcomes):
                most = ar.exp(epsilon)
                grown = most - share * (most + (outcomes - 1))
            case Geometric(scale, shift):
                grown = _geometric_ratio(ar, scale, shift, share)
        rate = Fraction(1) if isinstance(pair, Drawn) else pair.rate
        return _enclosed(ar, ar.log1p(ar.maximum(rate * (grown - 1), Fraction(0))))


def one_round_delta(ar: EnclosingArithmetic, pair: Pair, eps: Fraction) -> Enclosure | None:
    """delta at epsilon >= 0 of the same."""
    if isinstance(pair, Exchanged):
        return exchanged.delta_of_one_round(ar, pair, eps)
    if isinstance(pair, Allocation):
        return allocation.delta_of(cast(decide.EngineName, ar.name), pair.bins, pair.mu_squared, eps)
    if not isinstance(pair, Subsampled | Drawn | Instead) or isinstance(pair.base, DiscreteGaussian | WorstApproximate):
        return None
    with ar.active():
        grown = ar.real(1 + ar.expm1(eps) / (Fraction(1) if isinstance(pair, Drawn) else pair.rate))
        match pair.base:
            case Laplace(epsilon):
                found: Scalar = 1 - ar.sqrt(grown * ar.exp(-epsilon))
            case Response(epsilon, outcomes):
                most = ar.exp(epsilon)
                found = (most - grown) / (most + (outcomes - 1))
            case Geometric(scale, shift):
                found = _geometric_delta(ar, scale, shift, grown)
        return _enclosed(ar, pair.rate * ar.maximum(found, Fraction(0)))


# With r = e^(-1/scale) the answers up to m, 0 <= m < shift, have P = 1 - r^(m+1)/(1 + r) and Q = r^(shift-m)/(1 + r).
# P - e^a Q is concave in m, and so is what P - share leaves for Q in r^m: the best m is next to the best real number.


def _geometric_delta(ar: EnclosingArithmetic, scale: Fraction, shift: int, grown: Real) -> Real:
    """The largest P - e^a Q: its derivative is 0 where r^(2 m + 1) = e^a r^shift."""
    r = ar.exp(-1 / scale)
    best = (shift - 1 - scale * ar.log(grown)) / 2
    return _largest_of(ar, best, shift, lambda m: 1 - (r ** (m + 1) + grown * ar.exp((m - shift) / scale)) / (1 + r))


def _geometric_ratio(ar: EnclosingArithmetic, scale: Fraction, shift: int, share: Fraction) -> Real:
    """The largest e^a with P - e^a Q = share: (A z - r z^2) r^-shift at z = r^m, A = (1 - share)(1 + r)."""
    r = ar.exp(-1 / scale)
    whole = (1 - share) * (1 + r)
    best = -scale * ar.log(whole / 2) - 1
    return _largest_of(ar, best, shift, lambda m: (whole - r ** (m + 1)) * ar.exp((shift - m) / scale))


def _largest_of(ar: EnclosingArithmetic, best: Real, shift: int, value: Callable[[int], Real]) -> Real:
    """The largest value at a whole number from 0 to below ``shift``, where it rises up to ``best`` and then falls."""
    near = _enclosed(ar, best)
    if near.width >= 1:
        raise MorePrecisionError("the best event of a geometric round is open")
    first, last = (min(max(end, 0), shift - 1) for end in (math.floor(near.lower), math.ceil(near.upper)))
    values = [value(m) for m in range(first, last + 1)]
    return reduce(ar.maximum, values)


def _enclosed(ar: EnclosingArithmetic, value: Real) -> Enclosure:
    return decide.finite(ar, value, "a closed form has no finite enclosure")


def near_the_largest(
    ar: EnclosingArithmetic, composition: Composition, delta: Fraction, width: Fraction
) -> Enclosure | None:
    """epsilon at delta where it is within that part of the largest loss, which all rounds then have; else None.

    delta at epsilon is at least what the answers of the largest loss have, times 1 - e^(epsilon - largest).
    """
    with ar.active():
        log_mass: Scalar = Fraction(0)
        largest: Scalar = Fraction(0)
        for item in composition.rounds:
            top = _top(ar, item.pair)
            if top is None:
                return None
            loss, mass = top
            largest, log_mass = largest + item.count * loss, log_mass + item.count * ar.log(mass)
        known = _enclosed(ar, ar.real(largest))
        least = (
            _enclosed(ar, log_mass + ar.log(-ar.expm1(-width * largest)) - ar.log(delta)) if known.lower > 0 else None
        )
    return Enclosure((1 - width) * known.lower, known.upper) if least is not None and least.lower >= 0 else None


def _top(ar: EnclosingArithmetic, pair: Pair) -> tuple[Scalar, Real] | None:
    """The largest loss of a round, and the mass of the answers that have it; None of laws without."""
    base = pair.base if isinstance(pair, Instead | Drawn) else pair
    match base:
        case Laplace(epsilon):
            loss, p = epsilon, ar.real(Fraction(1, 2))
        case Response(epsilon, outcomes):
            loss, p = epsilon, 1 / (1 + (outcomes - 1) * ar.exp(-epsilon))
        case Geometric(scale, shift):
            loss, p = shift / scale, 1 / (1 + ar.exp(-1 / scale))
        case _:
            return None
    if not isinstance(pair, Instead):
        return loss, p * pair.rate if isinstance(pair, Drawn) else p
    q = pair.rate
    return ar.log1p(q * ar.expm1(loss)), p * (q + (1 - q) * ar.exp(-loss))


def eps_bracket(composition: Composition, delta: Fraction) -> tuple[Fraction, Fraction | None]:
    """A lower and an upper bound of epsilon at delta in (0, 1), of both orientations; None where no upper is known.

    rho-zCDP has (rho + 2 sqrt(rho log(1/delta)), delta)-DP (Bun and Steinke 2016, Proposition 1.3).
    """
    ar = decide.engine("arb", 192)
    least = Fraction(0)
    with ar.active(), apart(_WORK):
        most = _largest(ar, composition)
        for item in composition.rounds:
            found = one_round_eps(ar, item.pair, delta)
            least = least if found is None else max(least, found.lower)
        rho = _rho(composition)
        if rho is not None:
            tail = ar.enclosure(rho + 2 * ar.sqrt(rho * -ar.log(delta)))
            most = most if tail is None or (most is not None and most < tail.upper) else tail.upper
    return least, most


def delta_bracket(composition: Composition, eps: Fraction) -> tuple[Fraction, Fraction]:
    """The same of delta at epsilon >= 0: e^(-(eps - rho)^2/(4 rho)) above rho, and nothing above the largest loss."""
    ar = decide.engine("arb", 192)
    least, most = Fraction(0), Fraction(1)
    with ar.active(), apart(_WORK):
        largest = _largest(ar, composition)
        if largest is not None and eps >= largest:
            return least, least
        for item in composition.rounds:
            found = one_round_delta(ar, item.pair, eps)
            least = least if found is None else max(least, found.lower)
        rho = _rho(composition)
        if rho is not None and eps > rho:
            tail = ar.enclosure(ar.exp(-((eps - rho) ** 2) / (4 * rho)))
            most = most if tail is None else min(most, tail.upper)
    return least, most


def _largest(ar: EnclosingArithmetic, composition: Composition) -> Fraction | None:
    """A bound of the losses of both orientations; None where one has none.

    log(1 + q (e^L - 1)) of a sample whose base has L: an addition's, -log(1 - q + q e^-L), is less, as a harmonic mean
    is less than an arithmetic one.
    """
    total: Scalar = Fraction(0)
    for item in composition.rounds:
        rate = item.pair.rate if isinstance(item.pair, Subsampled | Instead) else Fraction(1)
        match item.pair.base if isinstance(item.pair, Subsampled | Drawn | Instead) else item.pair:
            case Laplace(epsilon) | Response(epsilon):
                most = epsilon
            case Geometric(scale, shift):
                most = shift / scale
            case _:
                return None
        total = total + item.count * (ar.real(most) if rate == 1 else ar.log1p(rate * ar.expm1(most)))
    return _enclosed(ar, ar.real(total)).upper


def _rho(composition: Composition) -> Fraction | None:
    """The rho of the whole, no sample having more than its base; None where a loss may be infinite, or none is lost."""
    total = Fraction(0)
    for item in composition.rounds:
        pair = item.pair.base if isinstance(item.pair, Subsampled | Drawn | Instead) else item.pair
        match pair:
            case Gaussian(mu_squared) | Allocation(_, mu_squared):
                rho = mu_squared / 2
            case SubsampledGaussian(_, sigma):
                rho = 1 / (2 * sigma * sigma)
            case DiscreteGaussian(variance, shift):
                rho = Fraction(shift * shift) / (2 * variance)
            case Laplace(epsilon) | Response(epsilon):
                rho = epsilon * epsilon / 2
            case Geometric(scale, shift):
                rho = (shift / scale) ** 2 / 2
            case _:
                return None
        total += item.count * rho
    return total or None
