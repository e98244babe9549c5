"""What one event guarantees: the closed list of notions that privref can account, as immutable records."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Union

from privref.exact.errors import InputError
from privref.exact.numbers import rational


class _Exact:
    """Numbers are read exactly where a guarantee is made by hand: strings and integers become Fractions."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name in ("epsilon", "rho", "mu", "delta"):
            value = getattr(self, name, _ZERO)
            if not isinstance(value, Fraction):
                object.__setattr__(self, name, rational(value, name))


_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class PureDP(_Exact):
    """epsilon-DP."""

    epsilon: Fraction
    kind: ClassVar[str] = "pure-dp"


@dataclass(frozen=True, slots=True)
class ApproxDP(_Exact):
    """(epsilon, delta)-DP."""

    epsilon: Fraction
    delta: Fraction
    kind: ClassVar[str] = "approx-dp"


@dataclass(frozen=True, slots=True)
class ProbabilisticDP(_Exact):
    """(epsilon, delta)-pDP: under each of two neighbours |loss| <= epsilon except with probability delta."""

    epsilon: Fraction
    delta: Fraction
    kind: ClassVar[str] = "pdp"


@dataclass(frozen=True, slots=True)
class ZCDP(_Exact):
    """delta-approximate rho-zCDP (delta = 0: rho-zCDP)."""

    rho: Fraction
    delta: Fraction = Fraction(0)
    kind: ClassVar[str] = "zcdp"


@dataclass(frozen=True, slots=True)
class RenyiDP(_Exact):
    """delta-approximate Renyi DP: epsilon at each of a few orders alpha > 1."""

    orders: tuple[tuple[Fraction, Fraction], ...]
    delta: Fraction = Fraction(0)
    kind: ClassVar[str] = "rdp"

    def __post_init__(self) -> None:
        _Exact.__post_init__(self)
        if not all(isinstance(number, Fraction) for entry in self.orders for number in entry):
            read = tuple((rational(order, "orders"), rational(cost, "orders")) for order, cost in self.orders)
            object.__setattr__(self, "orders", read)


@dataclass(frozen=True, slots=True)
class GaussianDP(_Exact):
    """mu-Gaussian DP."""

    mu: Fraction
    kind: ClassVar[str] = "gaussian-dp"


@dataclass(frozen=True, slots=True)
class BoundedRange(_Exact):
    """epsilon-bounded range: for each pair of neighbours the losses of all outputs lie in an interval that wide.

    The exponential mechanism with weights e^(epsilon q/(2 D)), for a score q of sensitivity D, and report-noisy-max
    with Gumbel noise, which is the same.
    """

    epsilon: Fraction
    kind: ClassVar[str] = "bounded-range"


@dataclass(frozen=True, slots=True)
class OutputDP(_Exact):
    """(partition, E, delta)-output DP: what each cell of the outputs costs, and one delta for all of them."""

    cells: tuple[tuple[str, Fraction], ...]
    delta: Fraction
    kind: ClassVar[str] = "output-dp"

    def __post_init__(self) -> None:
        _Exact.__post_init__(self)
        if not all(isinstance(cost, Fraction) for _, cost in self.cells):
            read = tuple((name, rational(cost, f"cells.{name}")) for name, cost in self.cells)
            object.__setattr__(self, "cells", read)


@dataclass(frozen=True, slots=True)
class Unknown:
    """An event that happened and that privref cannot account; it makes every claim out of scope."""

    description: str
    kind: ClassVar[str] = "unknown"


Guarantee = Union[PureDP, ApproxDP, ProbabilisticDP, ZCDP, RenyiDP, GaussianDP, BoundedRange, OutputDP, Unknown]


def named_kind(event: Guarantee) -> str:
    """Return what a refusal calls an event: by its kind, or by what is said of one that cannot be accounted.

    >>> named_kind(PureDP(Fraction(1))), named_kind(Unknown("a PATE run"))
    ('events of kind pure-dp', 'an event that cannot be accounted (a PATE run)')
    """
    if isinstance(event, Unknown):
        return f"an event that cannot be accounted ({event.description})"
    return f"events of kind {event.kind}"


def checked(event: Guarantee) -> Guarantee:
    """The event itself; InputError for a parameter that no guarantee can have (a negative epsilon, delta > 1, …)."""
    match event:
        case PureDP(epsilon) | BoundedRange(epsilon):
            _parameters(event, _ZERO, epsilon)
        case ApproxDP(epsilon, delta) | ProbabilisticDP(epsilon, delta):
            _parameters(event, delta, epsilon)
        case ZCDP(rho, delta):
            _parameters(event, delta, rho)
        case GaussianDP(mu):
            _parameters(event, _ZERO, mu)
        case RenyiDP(orders, delta):
            _parameters(event, delta, *(epsilon for _, epsilon in orders))
        case OutputDP(cells, delta):
            _parameters(event, delta, *(epsilon for _, epsilon in cells))
        case Unknown():
            pass
        case _:
            remedy = "give a guarantee, as an event of ledger_from_document(document) or event_from(text) has one"
            raise InputError("guarantee", event, remedy)
    return event


def _parameters(event: Guarantee, delta: Fraction, *costs: Fraction) -> None:
    # In integers: machines check every event that is asked for.
    for cost in costs:
        if cost.numerator < 0:
            raise InputError(event.kind, str(min(costs)), "privacy parameters are >= 0")
    if delta is not _ZERO and not 0 <= delta.numerator <= delta.denominator:
        raise InputError(f"{event.kind}.delta", str(delta), "give a number in [0, 1]")


def dp_parameters(guarantee: Guarantee) -> tuple[Fraction, Fraction] | None:
    """The epsilon and delta of ``as_approx_dp``, without an event made for them: machines ask at every step."""
    match guarantee:
        case ApproxDP(epsilon, delta) | ProbabilisticDP(epsilon, delta):
            return epsilon, delta
        case PureDP(epsilon) | BoundedRange(epsilon):
            return epsilon, _ZERO
        case OutputDP(cells, delta):
            return max(cost for _, cost in cells), delta
        case _:
            return None


def checked_dp_parameters(event: Guarantee) -> tuple[Fraction, Fraction] | None:
    """``dp_parameters`` of an event that ``checked`` lets pass; what machines are asked most, at one look."""
    match event:
        case PureDP(epsilon) if epsilon.numerator >= 0:
            return epsilon, _ZERO
        case _:
            return dp_parameters(checked(event))


def as_approx_dp(guarantee: Guarantee) -> ApproxDP | None:
    """The (epsilon, delta)-DP that the event has without any tuning; None where there is none.

    pDP implies DP with the same parameters (rogers2016/lem2.3, first half); output DP implies DP at the largest cell
    (hartmann2022/lem4). An interval that holds the losses of a pair holds 0, so that bounded range is pure DP.
    """
    if isinstance(guarantee, ApproxDP):
        return guarantee
    found = dp_parameters(guarantee)
    return None if found is None else ApproxDP(*found)


def zcdp_parameters(guarantee: Guarantee) -> tuple[Fraction, Fraction] | None:
    """The rho and delta of ``as_zcdp``, without an event made for them."""
    match guarantee:
        case ZCDP(rho, delta):
            return rho, delta
        case GaussianDP(mu):
            return _half_square(mu), _ZERO
        case BoundedRange(epsilon):
            return _half_square(epsilon / 2), _ZERO
        case _:
            found = dp_parameters(guarantee)
            return None if found is None else (_half_square(found[0]), found[1])


def as_zcdp(guarantee: Guarantee) -> ZCDP | None:
    """The approximate zCDP that the event has.

    whitehouse2023/lem1 for DP, rho = mu^2/2 for Gaussian DP, cesar2021/br2zcdp.rho for bounded range.
    """
    if isinstance(guarantee, ZCDP):
        return guarantee
    found = zcdp_parameters(guarantee)
    return None if found is None else ZCDP(*found)


def _half_square(value: Fraction) -> Fraction:
    return Fraction(value.numerator * value.numerator, 2 * value.denominator * value.denominator)
