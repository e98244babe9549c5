"""What one event guarantees: the closed list of notions that privref can account, as immutable records."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Union


@dataclass(frozen=True, slots=True)
class PureDP:
    """epsilon-DP."""

    epsilon: Fraction
    kind: ClassVar[str] = "pure-dp"


@dataclass(frozen=True, slots=True)
class ApproxDP:
    """(epsilon, delta)-DP."""

    epsilon: Fraction
    delta: Fraction
    kind: ClassVar[str] = "approx-dp"


@dataclass(frozen=True, slots=True)
class ProbabilisticDP:
    """(epsilon, delta)-pDP: under each of two neighbours |loss| <= epsilon except with probability delta."""

    epsilon: Fraction
    delta: Fraction
    kind: ClassVar[str] = "pdp"


@dataclass(frozen=True, slots=True)
class ZCDP:
    """delta-approximate rho-zCDP (delta = 0: rho-zCDP)."""

    rho: Fraction
    delta: Fraction = Fraction(0)
    kind: ClassVar[str] = "zcdp"


@dataclass(frozen=True, slots=True)
class RenyiDP:
    """delta-approximate Renyi DP: epsilon at each of a few orders alpha > 1."""

    orders: tuple[tuple[Fraction, Fraction], ...]
    delta: Fraction = Fraction(0)
    kind: ClassVar[str] = "rdp"


@dataclass(frozen=True, slots=True)
class GaussianDP:
    """mu-Gaussian DP."""

    mu: Fraction
    kind: ClassVar[str] = "gaussian-dp"


@dataclass(frozen=True, slots=True)
class OutputDP:
    """(partition, E, delta)-output DP: what each cell of the outputs costs, and one delta for all of them."""

    cells: tuple[tuple[str, Fraction], ...]
    delta: Fraction
    kind: ClassVar[str] = "output-dp"


@dataclass(frozen=True, slots=True)
class Unknown:
    """An event that happened and that privref can not account; it makes every claim out of scope."""

    description: str
    kind: ClassVar[str] = "unknown"


Guarantee = Union[PureDP, ApproxDP, ProbabilisticDP, ZCDP, RenyiDP, GaussianDP, OutputDP, Unknown]


def as_approx_dp(guarantee: Guarantee) -> ApproxDP | None:
    """The (epsilon, delta)-DP that the event has without any tuning; None where there is none.

    pDP implies DP with the same parameters (rogers2016/lem2.3, first half); output DP implies DP at the largest cell
    (hartmann2022/lem4).
    """
    match guarantee:
        case PureDP(epsilon):
            return ApproxDP(epsilon, Fraction(0))
        case ApproxDP() as same:
            return same
        case ProbabilisticDP(epsilon, delta):
            return ApproxDP(epsilon, delta)
        case OutputDP(cells, delta):
            return ApproxDP(max(cost for _, cost in cells), delta)
        case _:
            return None


def as_zcdp(guarantee: Guarantee) -> ZCDP | None:
    """The approximate zCDP that the event has: whitehouse2023/lem1 for DP, rho = mu^2/2 for Gaussian DP."""
    match guarantee:
        case ZCDP() as same:
            return same
        case GaussianDP(mu):
            return ZCDP(mu * mu / 2)
        case _:
            approx = as_approx_dp(guarantee)
            return None if approx is None else ZCDP(approx.epsilon * approx.epsilon / 2, approx.delta)
