"""Noise that is not Gaussian on samples of a fixed size, one record replaced or zeroed out: the largest profile.

Let B of n records be drawn, q = B/n, and let x be the record on one data set and x' what is in its place on the other.
Draw B - 1 others and one more, y: the batch has x (x') in the place of y with probability q, whichever they are. Given
the B - 1, y and all earlier answers, with N_z the law of the round's answer about a batch that has z as well, the laws
are P = (1 - q) N_y + q N_x and Q = (1 - q) N_y + q N_x'; a mean of such pairs loses no more than the largest of them.
For scale = e^eps >= 1

    P - scale Q = q (N_x - A ((1 - b) N_y + b N_x')),  A = 1 + (scale - 1)/q,  b = scale/A <= 1,

and so, a hockey stick being convex in its second law, delta(eps) <= q ((1 - b) delta(N_x, N_y) + b delta(N_x, N_x')) at
log A (Balle, Barthe, Gaboardi 2018, Theorem 2).

* A record is replaced: y, x and x' are in each other's place, neighbours all. With (P_0, Q_0) the base's pair and
  delta_0 its profile, delta(eps) <= q delta_0(log A). That is the profile of ((1 - q) Q_0 + q P_0, Q_0): where y is x'
  it is attained. The other way round it is the same, where y is x.
* A record is zeroed out: of randomized response any two batches have the base's pair, and so it is the same. Of other
  noise y and x are two steps apart, by what contributes nothing. There the pair reveals who is drawn: the round is the
  base on two neighbours with the chance q, or loses nothing (``cut``).

Below 0 the profile is that of the other way round: delta(-eps) = 1 - e^-eps + e^-eps delta'(eps). A largest profile is
the profile of some pair (Zhu, Dong, Wang 2022, Proposition 8): it has the losses above 0 of ((1 - q) Q_0 + q P_0, Q_0),
below 0 the same with the laws exchanged, and the rest of both laws has the loss 0. These pairs compose, whatever the
queries.

Some data sets lose as much as Poisson samples of the same rate do, in all rounds together: those whose other records
all equal x', or contribute nothing where x is zeroed out. Each batch without x has the law Q_0 there, and each with it
P_0: the round is (1 - q) Q_0 + q P_0 against Q_0, and the other way round.

Of randomized response this pair has one loss above 0, l = log(1 + q (e^eps - 1)), with P = (1 - q) r + q p and Q = r, p
and r being what the true answer and a wrong one have. So it is randomized response of epsilon l with the chance P + Q,
which is revealed, and else nothing. The worst (epsilon, delta)-DP mechanism loses all with the chance q delta besides.
Larger numbers than these dominate: both are rounded up.
"""

from __future__ import annotations

from fractions import Fraction

from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.exact.rounding import to_decimal
from privref.exact.work import kept

from .model import AnyBase, Drawn, Instead, Response, WorstApproximate

_ENGINE, _DIGITS = decide.engine("arb", 256), 40


def pair_of(base: AnyBase, rate: Fraction, neighbours: str) -> Instead | Drawn:
    """What dominates one round where a record is replaced or zeroed out."""
    match base:
        case Response(epsilon, outcomes):
            return _told(epsilon, outcomes, Fraction(0), rate)
        case WorstApproximate(epsilon, delta):
            return _told(epsilon, 2, delta, rate) if neighbours == "replace-one" else Drawn(base, rate)
        case _:
            return Instead(base, rate) if neighbours == "replace-one" else Drawn(base, rate)


@kept(1024)
def _told(epsilon: Fraction, outcomes: int, delta: Fraction, rate: Fraction) -> Drawn:
    """Of one loss above 0, and one that is infinite where ``delta`` is not 0."""
    ar = _ENGINE
    with ar.active():
        grown = ar.expm1(epsilon)
        loss = ar.enclosure(ar.log1p(rate * grown))
        chance = ar.enclosure((1 - delta) * (2 + rate * grown) / (grown + outcomes))
    if loss is None or chance is None:
        raise UndecidedError("the losses of a subsampled round have no finite enclosure")
    # No chance is above 1, which rounding may exceed.
    finite = min(_up(chance.upper), 1 - rate * delta)
    lost = rate * delta
    if not lost:
        return Drawn(Response(_up(loss.upper)), finite)
    return Drawn(WorstApproximate(_up(loss.upper), lost / (lost + finite)), lost + finite)


def _up(value: Fraction) -> Fraction:
    return Fraction(to_decimal(value, _DIGITS, "up"))
