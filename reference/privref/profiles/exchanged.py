"""Gaussian rounds on samples, one record replaced or zeroed out: the largest profile, by convex order.

In a round of rate q and noise N(0, s^2 I) let x be the record on one data set and x' what is in its place on the other.

* Poisson samples. Given the others' sample, and up to a shift by its sum, the laws are (1 - q) N_0 + q N_x and
  (1 - q) N_0 + q N_x', |x|, |x'| <= 1: no norm of a record is above half of what a replaced one changes.
* Samples of a fixed size B of n, q = B/n. Draw B - 1 others and one more, y: the sample has x (x') in place of y with
  probability q, whichever they are. Given the B - 1, the laws are (1 - q) avg_y N_y + q N_x and the same with N_x'.

With scale = e^eps >= 1 both have P - scale Q = q (N_x - sum of w_i N_i), all w_i >= 0, and so
delta(eps) = q E (1 - Z)_+, Z = sum of w_i e^(G_i - Var G_i/2), under N_x, with Cov(G_i, G_j) = <x_i - x, x_j - x>/s^2.
(1 - z)_+ is convex, and its mean rises with every covariance (Kahane's inequality 1985): it is largest where all of
them are at their bounds, which one line of means attains:

* Poisson, replaced: x = 1, x' = -1, the pair (M_1, M_-1), M_a = (1 - q) N_0 + q N_a: |x' - x|^2 <= 4,
  <-x, x' - x> <= 2.
* fixed size, replaced by a difference of at most 1: y = x' all, the pair (M_1, M_0).
* fixed size, zeroed out, x' = 0 and norms at most 1: y = -x, means -1, 1 and 0, so that it is the pair (M_2, M_1); the
  other way round, x = 0 on the first data set, y = x', and (M_1, M_0).

Below 0 the profile is that of the other way round: delta(-eps) = 1 - e^-eps + e^-eps delta'(eps). A largest profile is
the profile of some pair (Zhu, Dong, Wang 2022, Proposition 8): its losses above 0 have the masses of the first pair,
those below 0 of the second, and the rest of both laws has the loss 0. These pairs compose, whatever the queries.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Annotated

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import WRITABLE_BITS, InputError, MorePrecisionError, UndecidedError, UnwritableError
from privref.exact.numbers import float_log, spell
from privref.exact.work import kept
from privref.guarantees.gaussian import gaussian_delta
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Positive, PositiveProbability, Probability, choice
from privref.statements.registry import Result, implements

from .contour_plan import TINIEST, log_add
from .model import (
    MOST_OF_A_GROUP,
    OF_ONE_OR_ANOTHER,
    REPLACED,
    TAKEN,
    ZEROED,
    Exchanged,
    Mixture,
    Mixtures,
    exchanged_pair,
    group_pair,
    mixture_pair,
    weights_of,
)
from .subsampled_law import GridCell, Masses, Window, between, longest, places

#: The sketch of a law for plans: places of the noise in standard deviations, beyond which no plan looks.
_SKETCHED, _PARTS = 48, 8
#: Mass that the places do not show has the loss 0; less of it than this is the sum's own error.
_UNSEEN = 1e-6
#: A window is this much longer than what the sketch shows: its places are those of the sketch.
_LONGER = 1.02
#: What may be left out of a law without more ado, and else the pieces, a 16th of a standard deviation each, of a
#: bound, and after how many of them it is looked at again.
_LITTLE, _PIECES, _LOOKS = Fraction(1, 2**64), 768, 16
#: Halvings in floats of where the losses of a group are, how far that is, and steps that double the digits.
_HALVINGS, _FARTHEST, _MOST_STEPS = 56, 2.0**40, 100
#: Steps in floats from where the last ones were, and the part of a place that the last step may have.
_FEW_STEPS, _ARRIVED = 12, 1e-13
#: Times as many bits, one after the other, for one round; and epsilons up to which e^epsilon is written.
_MORE_BITS, _MOST_WRITTEN = (1, 4, 16), 2**16
#: Relative width of the epsilon of one round.
_ONE_ROUND = Fraction(1, 10**8)


@dataclass(frozen=True, slots=True)
class _Term:
    """A mean of two laws with its weights over N_0 at v = 1, their ratio (None where the second has none), and floats.

    ``log`` is that of the second weight, or of the only one.
    """

    mean: Fraction
    ratio: Enclosure | None
    more: Real
    less: Real
    log: float
    log_ratio: float

    def log_at(self, log_grown: float) -> float:
        """About the log of how far apart the first weight and grown times the second one are."""
        if self.ratio is None:
            return self.log
        far, near = max(self.log_ratio, log_grown), min(self.log_ratio, log_grown)
        return self.log + far + math.log(max(-math.expm1(near - far), TINIEST))


def is_of_group(pair: Exchanged) -> bool:
    """Whether where its losses are takes a search."""
    return not {pair.above, pair.below} <= {TAKEN, REPLACED, ZEROED}


class ExchangedLaw:
    """The loss of one round on a grid: P and Q by cells, in closed form."""

    def __init__(self, ar: EnclosingArithmetic, pair: Exchanged) -> None:
        self.ar, self.pair = ar, pair
        self.known: dict[tuple[Mixtures, Fraction], Masses] = {}
        self.shared: dict[Mixtures, list[_Term]] = {}
        self.weights: dict[Mixture, list[tuple[Real, Fraction]]] = {}
        # Where the losses of a group were last found: the next ones are near.
        self.near = 0.0
        # Read once: a law has a hundred thousand points.
        q, s = pair.rate, pair.sigma
        self._rest, self._s, self._s_squared = map(ar.real, ((1 - q) / q, s, s * s))
        self._c = ar.exp(-1 / (2 * s * s))

    def end(self, laws: Mixtures, grown: Scalar) -> Real | None:
        """Where the first law is grown >= 1 times the second: it is more beyond it. None where it never is."""
        ar, rest, s_squared, c = self.ar, self._rest, self._s_squared, self._c
        # With v = e^(x/s^2) and c = e^(-1/(2 s^2)): rest + (c^a v)^a = grown (rest + (c^b v)^b), a linear or quadratic.
        if laws == TAKEN:
            return s_squared * ar.log(grown + (grown - 1) * rest) + Fraction(1, 2)
        if laws == REPLACED:
            half = (grown - 1) * rest / (2 * c)
            return s_squared * ar.log(half + ar.sqrt(half * half + grown))
        if laws == ZEROED:
            half = grown / (2 * c**3)
            return s_squared * ar.log(half + ar.sqrt(half * half + (grown - 1) * rest / c**4))
        return self._end_of_groups(laws, grown)

    def _end_of_groups(self, laws: Mixtures, grown: Scalar) -> Real | None:
        """The same for groups: the root of a polynomial in v whose coefficients change sign once.

        With u = log v let F be the log of its positive terms over the negative ones. The positive ones have the larger
        powers: F rises with a slope of 1 at least, so that the root is within |F| of u. The slope is a difference of
        two means of powers, and changes with u by their variances: by at most D^2/4 times as much, D the largest power
        less the smallest one. So the root is u - F/m with m within D^2 |F|/4 of the slope. Where that says nothing yet,
        a step of Newton's is made, or a halving where it would leave what is known of the root.
        """
        ar = self.ar
        ends = Enclosure(grown, grown) if isinstance(grown, Fraction) else ar.enclosure(grown)
        if ends is None:
            raise MorePrecisionError("where the losses of a group are is open")
        terms, logs, size = [], [], _log_of(ends.upper)
        for term in self._shared(laws):
            if term.ratio == ends:
                continue
            positive = term.ratio is None or term.ratio.lower > ends.upper
            if not positive and term.ratio is not None and term.ratio.upper >= ends.lower:
                raise MorePrecisionError("where the losses of a group are is open")
            terms.append((term.mean, term.more - grown * term.less, positive))
            logs.append((float(term.mean), term.log_at(size), positive))
        if not terms[-1][2]:
            return None
        least, far = terms[0][0], terms[-1][0] - terms[0][0]
        self.near = _about(logs, self.near)
        place = Fraction(self.near)
        low: Fraction | None = None
        high: Fraction | None = None
        for _ in range(_MOST_STEPS):
            v = ar.exp(place)
            values = [(mean, factor * _power(ar, v, place, mean - least), positive) for mean, factor, positive in terms]
            up, down = (ar.sum(v for _, v, positive in values if positive is sign) for sign in (True, False))
            slope = (
                ar.sum(mean * v for mean, v, positive in values if positive) / up
                - ar.sum(mean * v for mean, v, positive in values if not positive) / down
            )
            excess = ar.log(-up / down)
            found = ar.enclosure(excess)
            if found is None:
                break
            error = far * far * max(abs(found.lower), abs(found.upper)) / 4
            steep = slope + ar.hull(-error, error)
            rise, moved = ar.enclosure(steep), ar.enclosure(excess / slope)
            if moved is None:
                break
            if rise is not None and rise.lower > 0:
                move = ar.enclosure(excess / steep)
                if move is not None and move.width * 2 ** (3 * ar.precision // 4) <= 1:
                    return self._s_squared * (place - excess / steep)
                moved = moved if move is None else move
            first, last = place - max(found.upper, Fraction(0)), place - min(found.lower, Fraction(0))
            low, high = first if low is None else max(low, first), last if high is None else min(high, last)
            place -= (moved.lower + moved.upper) / 2
            if not low <= place <= high:
                place = (low + high) / 2
            place = Fraction(round(place * 2**ar.precision), 2**ar.precision)
        raise MorePrecisionError("where the losses of a group are is open")

    def _shared(self, laws: Mixtures) -> list[_Term]:
        """The terms of both laws."""
        found = self.shared.get(laws)
        if found is None:
            ar, s = self.ar, self.pair.sigma
            one, other = ({mean: weight for weight, mean in weights_of(self.pair.rate, law)} for law in laws)
            found = self.shared[laws] = []
            for mean in sorted({*one, *other}):
                square = mean * mean / (2 * s * s)
                c, more, less = ar.exp(-square), one.get(mean, Fraction(0)), other.get(mean, Fraction(0))
                ratio = Enclosure(more / less, more / less) if less else None
                logs = float_log(less or more) - float(square), _log_of(more / less) if more and less else -math.inf
                found.append(_Term(mean, ratio, more * c, less * c, *logs))
        return found

    def parts(self, law: Mixture) -> list[tuple[Real, Fraction]]:
        """The weights and the means of a law's normal parts, the farthest last."""
        found = self.weights.get(law)
        if found is None:
            found = [(self.ar.real(weight), mean) for weight, mean in weights_of(self.pair.rate, law)]
            self.weights[law] = found
        return found

    def above_end(self, laws: Mixtures, end: Real | None) -> Masses:
        """Both laws' mass of all beyond the end."""
        if end is None:
            return Fraction(0), Fraction(0)
        s, cdf, ar = self._s, self.ar.normal_cdf, self.ar
        tails: dict[Fraction, Real] = {}
        for law in laws:
            for _, mean in self.parts(law):
                if mean not in tails:
                    tails[mean] = cdf((mean - end) / s)
        first, second = (ar.sum(weight * tails[mean] for weight, mean in self.parts(law)) for law in laws)
        return first, second

    def beyond(self, loss: Fraction) -> Masses:
        """P and Q of all losses above one."""
        if loss >= 0:
            return self._reached(self.pair.above, loss)
        q_mass, p_mass = self._reached(self.pair.below, -loss)
        return 1 - p_mass, 1 - q_mass

    def _reached(self, laws: Mixtures, loss: Fraction) -> Masses:
        """Both laws where the first is that much the larger one; losses of two signs mostly come with both."""
        found = self.known.get((laws, loss))
        if found is None:
            grown = self.ar.exp(loss) if loss else Fraction(1)
            found = self.known[laws, loss] = self.above_end(laws, self.end(laws, grown))
        return found

    def cells(self, first: Fraction, step: Fraction, window: Window | None) -> list[GridCell]:
        """P- and Q-masses of all cells."""
        assert window is not None
        masses = (self.beyond(first + j * step) for j in window.ends)
        return between(window, ((self.ar.real(p), self.ar.real(q)) for p, q in masses))

    def left_out(self, low: Fraction, high: Fraction, tilt: Fraction, window: Window | None) -> Real:
        """A bound of what the cells leave out, tilted, low < 0 < high.

        Below: e^(t low) P(L <= low). Above: piece by piece, with the loss at its farther end, and what is beyond them.
        """
        if not low < 0 < high:
            raise UndecidedError("the grid does not hold the loss 0 of a round: out of reach")
        ar, s = self.ar, self.pair.sigma
        _, p_mass = self.above_end(self.pair.below, self.end(self.pair.below, ar.exp(-low)))
        end = self.end(self.pair.above, ar.exp(high))
        if end is None:
            return ar.exp(tilt * low) * p_mass
        above = self._far(end, tilt)
        if not self._is_little(above):
            # Near the loss 0 the larger law is mostly N_0, and the bound of it as a part of N_a is far above.
            place, mass = end, self.above_end(self.pair.above, end)[0]
            above = ar.real(0)
            for i in range(_PIECES):
                if i % _LOOKS == 0 and self._is_little(self._far(place, tilt)):
                    break
                place += s / 16
                after = self.above_end(self.pair.above, place)[0]
                above, mass = above + (mass - after) * ar.exp(tilt * self._loss(place)), after
            above += self._far(place, tilt)
        return ar.exp(tilt * low) * p_mass + above

    def _is_little(self, value: Real) -> bool:
        known = self.ar.enclosure(value)
        return known is not None and known.upper <= _LITTLE

    def _loss(self, place: Real) -> Real:
        """The log of the ratio of both laws at a place, which rises with it."""
        ar, s = self.ar, self.pair.sigma
        first, second = (
            ar.sum(weight * ar.exp((2 * m * place - m * m) / (2 * s * s)) for weight, m in self.parts(law))
            for law in self.pair.above
        )
        return ar.log(first / second)

    def _far(self, end: Real, tilt: Fraction) -> Real:
        """A bound of what is beyond the end, tilted.

        P <= k N_a there for the farthest of its means, a, and k their ratio at the end, which falls; Q >= w N_m for
        each of its parts: P^(t + 1) Q^-t <= k^(t + 1) w^-t N_a^(t + 1) N_m^-t.
        """
        ar, s = self.ar, self.pair.sigma
        first, second = map(self.parts, self.pair.above)
        a = first[-1][1]
        k = ar.sum(w * ar.exp(((m - a) * (2 * end - m - a)) / (2 * s * s)) for w, m in first)
        bounds = []
        for weight, m in second:
            moment = tilt * (tilt + 1) * (a - m) ** 2 / (2 * s * s)
            share = ar.exp((tilt + 1) * ar.log(k) - tilt * ar.log(ar.real(weight)) + moment)
            bounds.append(share * ar.normal_cdf((a + tilt * (a - m) - end) / s))
        return reduce(ar.minimum, bounds)


def _log_of(value: Fraction) -> float:
    """About log(value), also of a number very near 1."""
    return math.log1p(float(value - 1)) if abs(value - 1) < 1 / 2 else float_log(value)


def _power(ar: EnclosingArithmetic, v: Real, place: Fraction, times: Fraction) -> Real:
    """v^times, v being e^place."""
    return v ** int(times) if times.denominator == 1 else ar.exp(times * place)


def _about(terms: list[tuple[float, float, bool]], near: float) -> float:
    """About where the positive terms are as large as the negative ones, by floats; the terms as powers and logs.

    By a few steps from ``near`` where these arrive, else by halvings.
    """

    def excess(place: float) -> tuple[float, float]:
        """The log of the positive terms over the negative ones, and how it rises."""
        found = []
        for wanted in (True, False):
            logs = [(mean, log + mean * place) for mean, log, positive in terms if positive is wanted]
            most = max(log for _, log in logs)
            shares = [(mean, math.exp(log - most)) for mean, log in logs]
            whole = sum([share for _, share in shares])
            found.append((most + math.log(whole), sum([mean * share for mean, share in shares]) / whole))
        (up, rise), (down, fall) = found
        return up - down, rise - fall

    for _ in range(_FEW_STEPS):
        value, slope = excess(near)
        step = value / slope
        near -= step
        if abs(step) <= _ARRIVED * max(abs(near), 1.0):
            return near
    low, high = -1.0, 1.0
    while excess(high)[0] <= 0 and high < _FARTHEST:
        high *= 2
    while excess(low)[0] > 0 and low > -_FARTHEST:
        low *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle)[0] > 0 else (middle, high)
    return high


@kept(64)
def sketch(pair: Exchanged) -> tuple[tuple[float, float], ...]:
    """About the law of the loss under P as losses and logs of masses, by floats."""
    s = float(pair.sigma)

    parts = {
        law: [(float_log(weight), float(mean)) for weight, mean in weights_of(pair.rate, law) if weight]
        for law in (*pair.above, *pair.below)
    }

    def log_mixture(x: float, law: Mixture) -> float:
        """The log of the law over N_0."""
        found = -math.inf
        for weight, mean in parts[law]:
            found = log_add(weight + (2 * mean * x - mean * mean) / (2 * s * s), found)
        return found

    found, mass = [], 0.0
    width = s / _PARTS
    for sign, (a, b) in ((1, pair.above), (-1, pair.below)):
        # Losses above 0 are of the first pair, P being its first law; those below of the second, P being its second.
        low, end = -abs(parts[b][-1][1]) - 1, abs(parts[a][-1][1]) + 2
        for _ in range(_SKETCHED):
            middle = (low + end) / 2
            low, end = (low, middle) if log_mixture(middle, a) > log_mixture(middle, b) else (middle, end)
        for i in range(_SKETCHED * _PARTS):
            x = end + (i + 0.5) * width
            ratio = log_mixture(x, a) - log_mixture(x, b)
            density = -x * x / (2 * s * s) - math.log(s * math.sqrt(2 * math.pi)) + math.log(width)
            weight = density + log_mixture(x, a if sign > 0 else b)
            found.append((sign * ratio, weight))
            mass += math.exp(weight)
    if mass < 1 - _UNSEEN:
        found.append((0.0, math.log(1 - mass)))
    return tuple(found)


def window_of(
    pair: Exchanged, found: tuple[tuple[float, float], ...], tilt: float, step: Fraction, bits: int
) -> Window:
    """Where the tilted law has more than about 2^-bits of its mass."""
    weights = [(loss, weight + tilt * loss) for loss, weight in found]
    least = max(weight for _, weight in weights) - bits * math.log(2)
    losses = [loss for loss, weight in weights if weight >= least]
    low, high = math.floor(min(losses) * _LONGER / float(step)) - 1, math.ceil(max(losses) * _LONGER / float(step)) + 1
    # The loss 0 is in it: on one side of it the law may be another pair's.
    low, high = min(low, -2), max(high, 2)
    return Window(low, high, lambda *_: 0, places(weights, longest(tilt), float(step), low, high))


@implements(
    "kahane1985/exchanged.delta",
    kind="upper",
    cites="the convexity inequality, for the means of one round",
    hypotheses=(Hypothesis.EXCHANGED,),
)
def exchanged_delta(
    ar: Arithmetic,
    rate: PositiveProbability,
    sigma: Positive,
    sampling: Annotated[str, choice("poisson", "fixed-size")],
    neighbours: Annotated[str, choice(*OF_ONE_OR_ANOTHER)],
    eps: Fraction,
) -> Result:
    """The delta at epsilon of one Gaussian round on a sample of which one record is replaced, or zeroed out.

    kahane1985/exchanged.delta: with M_a = (1 - q) N(0, s^2) + q N(a, s^2), sup_S M_a(S) - e^eps M_b(S), s being the
    noise over what a changed record changes a sum by (ours, by Kahane 1985): of Poisson samples, where no record
    contributes more than half of that, (1/2, -1/2) for (a, b); of samples of a fixed size (1, 0), and where a record
    is zeroed out (2, 1). Where a record is zeroed out of a Poisson sample, (1, 0). Attained; epsilon >= 0 in nats.
    """
    return _delta(
        decide.enclosing(ar),
        exchanged_pair(rate, sigma, sampling, neighbours) or Exchanged(rate, sigma, TAKEN, TAKEN),
        eps,
    )


@implements(
    "kahane1985/group.delta",
    kind="upper",
    cites="the convexity inequality, for the means of one round of a group",
    hypotheses=(Hypothesis.EXCHANGED,),
)
def group_delta(
    ar: Arithmetic, rate: PositiveProbability, sigma: Positive, first: int, second: int, eps: Fraction
) -> Result:
    """The delta at epsilon of one Gaussian round on a Poisson sample, of data sets that several records tell apart.

    kahane1985/group.delta: one data set has ``first`` records alone, the other ``second``; the larger of both ways
    round of sup_S P(S) - e^eps Q(S), P = sum_i Bin(first, q)(i) N(i, s^2), Q = sum_j Bin(second, q)(j) N(-j, s^2), s
    being the noise over the norm of a record (ours, by Kahane 1985; for records that are added: Ganesh 2024). Attained;
    epsilon >= 0 in nats.
    """
    if not 1 <= first + second <= MOST_OF_A_GROUP:
        raise InputError("first", f"{first} and {second}", f"give 1 to {MOST_OF_A_GROUP} records in all")
    if rate == 1:
        return gaussian_delta(ar, Fraction(first + second) / sigma, eps)
    return _delta(decide.enclosing(ar), group_pair(rate, sigma, first, second), eps)


@implements(
    "kahane1985/mixture.delta",
    kind="upper",
    cites="the convexity inequality, for the means of one round",
    hypotheses=(Hypothesis.EXCHANGED,),
)
def mixture_delta(
    ar: Arithmetic, sigma: Positive, shifts: Sequence[Fraction], weights: Sequence[Probability], eps: Fraction
) -> Result:
    """The delta at epsilon of one Gaussian query that one record moves by a random one of several shifts.

    kahane1985/mixture.delta: the larger of both ways round of sup_S P(S) - e^eps Q(S), P = sum_i w_i N(c_i, s^2) and
    Q = N(0, s^2), c being the ``shifts``, w their ``weights``, of sum 1, and s ``sigma``: of vectors of at most these
    norms, whatever their directions (ours, by Kahane 1985; in one direction: Ganesh 2024). Attained; epsilon >= 0 in
    nats.
    """
    found = read_mixture(shifts, weights, "shifts")
    moved = [shift for shift in found if shift]
    if not moved:
        return Fraction(0)
    if found[moved[0]] == 1:
        return gaussian_delta(ar, moved[0] / sigma, eps)
    return _delta(decide.enclosing(ar), mixture_pair(found, sigma), eps)


def read_mixture(shifts: Sequence[Fraction], weights: Sequence[Fraction], place: str) -> dict[Fraction, Fraction]:
    """The shifts that have a weight above 0, with it; InputError names ``place`` where they make no law."""
    if len(shifts) != len(weights) or sum(weights, Fraction(0)) != 1:
        given = f"{len(shifts)}, with {len(weights)} weights of sum {spell(sum(weights, Fraction(0)))}"
        raise InputError(place, given, "give as many weights as shifts, of sum 1")
    if len(set(shifts)) < len(shifts):
        raise InputError(place, ", ".join(map(spell, shifts)), "give each shift once, with all its weight")
    if len(shifts) > MOST_OF_A_GROUP + 1:
        raise InputError(place, f"{len(shifts)} of them", f"at most {MOST_OF_A_GROUP + 1} shifts are read")
    return {shift: weight for shift, weight in zip(shifts, weights, strict=True) if weight}


def _delta(ar: EnclosingArithmetic, pair: Exchanged, eps: Fraction) -> Real:
    law, grown = ExchangedLaw(ar, pair), ar.exp(eps) if eps else Fraction(1)
    found = [law.above_end(laws, law.end(laws, grown)) for laws in {pair.above, pair.below}]
    return reduce(ar.maximum, [ar.real(first - grown * second) for first, second in found])


def delta_of_one_round(ar: EnclosingArithmetic, pair: Exchanged, eps: Fraction) -> Enclosure:
    """delta at epsilon >= 0 of one round in closed form, the larger of both orientations.

    With more bits where a weight is very near 0 or 1.
    """
    for more in _MORE_BITS:
        finer = ar.at(more * ar.precision)
        with finer.active(), suppress(MorePrecisionError):
            found = _delta(finer, pair, eps)
            return decide.finite(finer, found, "a round's delta has no finite enclosure")
    raise MorePrecisionError("a round's delta has no finite enclosure")


def eps_of_one_round(ar: EnclosingArithmetic, pair: Exchanged, delta: Fraction) -> Enclosure:
    """The epsilon of one round."""

    def at(eps: Fraction) -> Enclosure:
        try:
            return delta_of_one_round(ar, pair, eps)
        except UnwritableError:
            if eps > _MOST_WRITTEN:
                raise
            return Enclosure(Fraction(0), Fraction(1, 2**WRITABLE_BITS))  # At most 1, so that it is too small.

    return roots.epsilon_at(at, delta, _ONE_ROUND)
