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
from fractions import Fraction

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import POSITIVE, POSITIVE_PROBABILITY, choice, one
from privref.statements.registry import Result, implements

from .model import OF_ONE_OR_ANOTHER, REPLACED, TAKEN, ZEROED, Exchanged, exchanged_pair
from .subsampled_law import Masses, Window

#: The sketch of a law for plans: places of the noise in standard deviations, beyond which no plan looks.
_SKETCHED, _PARTS = 48, 8
#: Mass that the places do not show has the loss 0; less of it than this is the sum's own error.
_UNSEEN = 1e-6
#: A window is this much longer than what the sketch shows: its places are those of the sketch.
_LONGER = 1.02
#: What may be left out of a law without more ado, and else the pieces, a 16th of a standard deviation each, of a bound.
_LITTLE, _PIECES = Fraction(1, 2**64), 768
#: Relative width of the epsilon of one round.
_ONE_ROUND = Fraction(1, 10**8)


class ExchangedLaw:
    """The loss of one round on a grid: P and Q by cells, in closed form."""

    def __init__(self, ar: EnclosingArithmetic, pair: Exchanged) -> None:
        self.ar, self.pair = ar, pair
        self.known: dict[tuple[tuple[int, int], Fraction], Masses] = {}
        # Read once: a law has a hundred thousand points.
        q, s = pair.rate, pair.sigma
        self._q, self._still, self._rest, self._s, self._s_squared = map(ar.real, (q, 1 - q, (1 - q) / q, s, s * s))
        self._c = ar.exp(-1 / (2 * s * s))

    def end(self, means: tuple[int, int], grown: Scalar) -> Real:
        """Where M_a = grown M_b, (a, b) the means and grown >= 1: M_a is the larger one beyond it."""
        ar, rest, s_squared, c = self.ar, self._rest, self._s_squared, self._c
        # With v = e^(x/s^2) and c = e^(-1/(2 s^2)): rest + (c^a v)^a = grown (rest + (c^b v)^b), a linear or quadratic.
        if means == TAKEN:
            return s_squared * ar.log(grown + (grown - 1) * rest) + Fraction(1, 2)
        if means == REPLACED:
            half = (grown - 1) * rest / (2 * c)
            return s_squared * ar.log(half + ar.sqrt(half * half + grown))
        half = grown / (2 * c**3)
        return s_squared * ar.log(half + ar.sqrt(half * half + (grown - 1) * rest / c**4))

    def above_end(self, means: tuple[int, int], end: Real) -> Masses:
        """M_a and M_b of all beyond the end."""
        q, s, cdf = self._q, self._s, self.ar.normal_cdf
        still = self._still * cdf(-end / s)
        first, second = (still + q * cdf((mean - end) / s) for mean in means)
        return first, second

    def beyond(self, loss: Fraction) -> Masses:
        """P and Q of all losses above one."""
        if loss >= 0:
            return self._reached(self.pair.above, loss)
        q_mass, p_mass = self._reached(self.pair.below, -loss)
        return 1 - p_mass, 1 - q_mass

    def _reached(self, means: tuple[int, int], loss: Fraction) -> Masses:
        """M_a and M_b where M_a is that much the larger one; losses of two signs mostly come with both."""
        found = self.known.get((means, loss))
        if found is None:
            found = self.known[means, loss] = self.above_end(means, self.end(means, self.ar.exp(loss)))
        return found

    def cells(self, first: Fraction, step: Fraction, window: Window | None) -> dict[int, tuple[Real, Real]]:
        """P- and Q-masses of all cells; cell j is what lies between first + j step and the next point."""
        assert window is not None
        found = {}
        last = self.beyond(first + window.low * step)
        for j in range(window.low, window.high):
            after = self.beyond(first + (j + 1) * step)
            found[j] = self.ar.real(last[0] - after[0]), self.ar.real(last[1] - after[1])
            last = after
        return found

    def left_out(self, low: Fraction, high: Fraction, tilt: Fraction, window: Window | None) -> Real:
        """A bound of what the cells leave out, tilted, low < 0 < high.

        Below: e^(t low) P(L <= low). Above: piece by piece, with the loss at its farther end, and what is beyond them.
        """
        if not low < 0 < high:
            raise UndecidedError("the grid does not hold the loss 0 of a round: out of reach")
        ar, s = self.ar, self.pair.sigma
        _, p_mass = self.above_end(self.pair.below, self.end(self.pair.below, ar.exp(-low)))
        end = self.end(self.pair.above, ar.exp(high))
        above = self._far(end, tilt)
        known = ar.enclosure(above)
        if known is None or known.upper > _LITTLE:
            # Near the loss 0 the larger law is mostly N_0, and the bound of it as a part of N_a is far above.
            place, mass = end, self.above_end(self.pair.above, end)[0]
            above = ar.real(0)
            for _ in range(_PIECES):
                place += s / 16
                after = self.above_end(self.pair.above, place)[0]
                above, mass = above + (mass - after) * ar.exp(tilt * self._loss(place)), after
            above += self._far(place, tilt)
        return ar.exp(tilt * low) * p_mass + above

    def _loss(self, place: Real) -> Real:
        """log M_a/M_b at a place, which rises with it."""
        ar, q, s = self.ar, self.pair.rate, self.pair.sigma
        first, second = (1 - q + q * ar.exp((2 * m * place - m * m) / (2 * s * s)) for m in self.pair.above)
        return ar.log(first / second)

    def _far(self, end: Real, tilt: Fraction) -> Real:
        """A bound of what is beyond the end, tilted.

        M_a <= k q N_a there, k = 1 + ((1 - q)/q) N_0/N_a at the end, and M_b >= w N_m for each of its parts, so that
        M_a^(t + 1) M_b^-t <= (k q)^(t + 1) w^-t N_a^(t + 1) N_m^-t.
        """
        ar, q, s = self.ar, self.pair.rate, self.pair.sigma
        a, b = self.pair.above
        k = 1 + (1 - q) / q * ar.exp((a * a - 2 * a * end) / (2 * s * s))
        bounds = []
        for weight, m in ((Fraction(1), 0),) if b == 0 else ((1 - q, 0), (q, b)):
            moment = tilt * (tilt + 1) * (a - m) ** 2 / (2 * s * s)
            share = ar.exp((tilt + 1) * ar.log(k * q) - tilt * ar.log(ar.real(weight)) + moment)
            bounds.append(share * ar.normal_cdf((a + tilt * (a - m) - end) / s))
        return bounds[0] if len(bounds) == 1 else ar.minimum(*bounds)


def sketch(pair: Exchanged) -> tuple[tuple[float, float], ...]:
    """About the law of the loss under P as losses and logs of masses, by floats."""
    q, s = float(pair.rate), float(pair.sigma)

    def log_mixture(x: float, mean: int) -> float:
        """log M_mean/N_0."""
        moved = math.log(q) + (2 * mean * x - mean * mean) / (2 * s * s)
        still = math.log1p(-q)
        return max(moved, still) + math.log1p(math.exp(-abs(moved - still)))

    found, mass = [], 0.0
    width = s / _PARTS
    for sign, (a, b) in ((1, pair.above), (-1, pair.below)):
        # Losses above 0 are of the first pair, P being its M_a; those below of the second, P being its M_b.
        end = {REPLACED: 0.0, TAKEN: 0.5, ZEROED: 1.5}[a, b]
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
    return Window(min(low, -2), max(high, 2), lambda *_: 0)


@implements(
    "kahane1985/exchanged.delta",
    kind="upper",
    cites="the convexity inequality, for the means of one round",
    params=(
        one("rate", POSITIVE_PROBABILITY),
        one("sigma", POSITIVE),
        choice("sampling", "poisson", "fixed-size"),
        choice("neighbours", *OF_ONE_OR_ANOTHER),
        one("eps"),
    ),
    hypotheses=(Hypothesis.EXCHANGED,),
)
def exchanged_delta(
    ar: Arithmetic, rate: Fraction, sigma: Fraction, sampling: str, neighbours: str, eps: Fraction
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


def _delta(ar: EnclosingArithmetic, pair: Exchanged, eps: Fraction) -> Real:
    law, grown = ExchangedLaw(ar, pair), ar.exp(eps)
    found = [law.above_end(means, law.end(means, grown)) for means in {pair.above, pair.below}]
    values = [first - grown * second for first, second in found]
    return values[0] if len(values) == 1 else ar.maximum(*values)


def delta_of_one_round(ar: EnclosingArithmetic, pair: Exchanged, eps: Fraction) -> Enclosure:
    """delta at epsilon >= 0 of one round in closed form, the larger of both orientations."""
    with ar.active():
        return decide.finite(ar, _delta(ar, pair, eps), "a round's delta has no finite enclosure")


def eps_of_one_round(ar: EnclosingArithmetic, pair: Exchanged, delta: Fraction) -> Enclosure:
    """The epsilon of one round."""
    return roots.epsilon_at(lambda eps: delta_of_one_round(ar, pair, eps), delta, _ONE_ROUND)
