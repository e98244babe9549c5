"""Which events an odometer's statement about privacy loss covers."""

from __future__ import annotations

from fractions import Fraction

from privref.exact.errors import HypothesisError
from privref.guarantees.model import ZCDP, BoundedRange, GaussianDP, Guarantee, ProbabilisticDP, checked_dp_parameters

from .running import checked


def exact_rho(event: Guarantee) -> Fraction | None:
    """The rho of a zCDP or Gaussian DP round with delta = 0, whose loss has no bound but all its moments; else None."""
    match checked(event):
        case ZCDP(rho, delta) if not delta:
            return rho
        case GaussianDP(mu):
            return mu * mu / 2
        case _:
            return None


def width_of(event: Guarantee) -> Fraction | None:
    """The width of the interval in which a bounded-range round's losses lie, whatever the interval; else None.

    Centred, such a loss is sub-Gaussian with variance width^2/4 (Hoeffding), and its mean is at most width^2/8
    (cesar2021/br2zcdp.rho): a round of pure DP has the width 2 epsilon. Either way round, as the laws exchanged have a
    bounded range again.
    """
    found = checked(event)
    return found.epsilon if isinstance(found, BoundedRange) else None


def loss_parameters(event: Guarantee, statement: str, *, pdp: bool, dominating: bool) -> tuple[Fraction, Fraction]:
    """The (epsilon, delta) with which an odometer counts an event; HypothesisError where it must not.

    A round with delta = 0 has |loss| <= epsilon surely. With delta > 0 the loss of a DP round can exceed every
    odometer, surely (rogers2016/thm3.3 at (0, 1/10)); the loss of a pDP round can exceed those that rest on a
    martingale (whitehouse2023/thm3), but not their repaired forms nor the sum of the epsilons. ``dominating`` is the
    view in which the odometer bounds the loss of the randomized response that dominates the round.
    """
    found = checked_dp_parameters(event)
    if found is None:
        raise HypothesisError(f"{statement} does not cover a {event.kind} event: it requires bounded privacy losses")
    if found[1] and not dominating and not (pdp and isinstance(event, ProbabilisticDP)):
        needs = "delta = 0 or a probabilistic DP guarantee" if pdp else "delta = 0"
        raise HypothesisError(
            f"{statement} does not cover a {event.kind} event with delta > 0: it requires {needs}, "
            "or the loss of the dominating randomized response"
        )
    return found
