"""Renyi DP: what a guarantee costs at an order, and the conversion of that to an epsilon."""

from __future__ import annotations

from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.statements.params import ABOVE_ONE, POSITIVE_PROBABILITY, one
from privref.statements.registry import implements

from .model import BoundedRange, Guarantee, RenyiDP, dp_parameters, zcdp_parameters
from .randomized_response import charged_at_order

#: The grid of orders where none is given.
ORDERS = tuple(
    Fraction(order)
    for order in ("3/2", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64", "96", "128", "256", "512")
)


def conversion_cost(ar: Arithmetic, order: Scalar, delta: Scalar) -> Real:
    """log(1 - 1/alpha) + log(1/(alpha delta)) / (alpha - 1)."""
    alpha = ar.real(order)
    return ar.log(1 - 1 / alpha) + ar.log(1 / (alpha * delta)) / (alpha - 1)


@implements(
    "cks2020/rdp2dp.eps",
    kind="upper",
    cites="Proposition 12",
    params=(one("order", ABOVE_ONE), one("eps_order"), one("delta", POSITIVE_PROBABILITY)),
)
def rdp_to_dp_eps(ar: Arithmetic, order: Fraction, eps_order: Fraction, delta: Fraction) -> Scalar:
    """The epsilon to which Renyi DP of one order converts at delta.

    cks2020/rdp2dp.eps: Canonne, Kamath, Steinke 2020, Proposition 12: eps(alpha) + log(1 - 1/alpha) +
    log(1/(alpha delta))/(alpha - 1). This is the formula as it stands, which may be negative: the epsilon that it
    proves is the larger of it and 0, and that is what an audit and a comparison use.
    """
    return eps_order + conversion_cost(ar, order, delta)


def renyi_costs(event: Guarantee, orders: tuple[Fraction, ...]) -> tuple[Fraction | None, tuple[Fraction | None, ...]]:
    """The event's delta, and what it costs at each order; None for what it does not promise.

    The Renyi divergence increases with the order, so the least declared order that is at least as large will do. An
    (epsilon, delta)-DP event is delta-approximate with at most the divergence of randomized response
    (mironov2017/response.renyi, rounded up by less than 2^-96, or epsilon^2 alpha / 2 where epsilon alpha is small),
    which is below epsilon and epsilon^2 alpha / 2; that of a bounded range is at most epsilon and at most
    epsilon^2 alpha / 8.
    """
    if isinstance(event, RenyiDP):
        declared = sorted(event.orders)
        costs = tuple(next((cost for above, cost in declared if above >= order), None) for order in orders)
        return (None if all(cost is None for cost in costs) else event.delta), costs
    approx = dp_parameters(event)
    if isinstance(event, BoundedRange):
        return Fraction(0), tuple(min(event.epsilon**2 * order / 8, event.epsilon) for order in orders)
    if approx is not None:
        return approx[1], tuple(charged_at_order(approx[0], order) for order in orders)
    zcdp = zcdp_parameters(event)
    if zcdp is None:
        return None, (None,) * len(orders)
    return zcdp[1], tuple(zcdp[0] * order for order in orders)


def renyi_cost(event: Guarantee, order: Fraction) -> tuple[Fraction, Fraction] | None:
    """What the event costs at one order, and its delta; None where it promises nothing there."""
    delta, (cost,) = renyi_costs(event, (order,))
    return None if delta is None or cost is None else (cost, delta)
