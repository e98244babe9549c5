"""Conversions between notions of privacy, one function per arrow. All epsilons and rhos are in nats."""

from __future__ import annotations

import math
from fractions import Fraction

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.numbers import float_log
from privref.statements.params import AboveOne, PositiveProbability, Probability
from privref.statements.registry import Result, implements

from .model import BoundedRange, Guarantee, RenyiDP, dp_parameters, zcdp_parameters
from .randomized_response import charged_at_order


@implements("whitehouse2023/lem1.dp2zcdp.rho", kind="upper", cites="Lemma 1 (Bun and Steinke 2016, Prop. 1.4)")
def dp_to_zcdp(ar: Arithmetic, eps: Fraction) -> Scalar:
    """The rho for which an (epsilon, delta)-DP mechanism is delta-approximate rho-zCDP.

    whitehouse2023/lem1.dp2zcdp.rho: Whitehouse et al. 2023, Lemma 1, first half: rho = eps^2 / 2; delta is kept.
    """
    return eps * eps / 2


@implements(
    "whitehouse2023/lem1.dp2zcdp.least_delta", kind="exact", cites="Lemma 1, first half, sharpened", standing="ours"
)
def dp_to_zcdp_least_delta(ar: Arithmetic, eps: Fraction, delta: Probability, rho: Fraction) -> Result:
    """The least delta* for which every (epsilon, delta)-DP mechanism is delta*-approximate rho-zCDP.

    whitehouse2023/lem1.dp2zcdp.least_delta: delta + (1 - delta) (e^eps - e^x)/(1 + e^eps) for the x <= eps with
    x tanh(x/2) = rho, and delta itself where eps tanh(eps/2) <= rho. Lemma 1 asks for rho = eps^2/2, which is more.
    Proof: approximate zCDP passes through any channel, and every (eps, delta)-DP pair is a channel's image of the one
    with four outcomes (Kairouz, Oh, Viswanath 2015, Theorem 3.3). Its least favourable parts with delta* (see
    whitehouse2023/def3.delta) lose delta and are the randomized response of x. For that K(s) = log cosh(x (s +
    1/2)) - log cosh(x/2); as log cosh of a square root is concave, K(s)/(s (s + 1)) is largest as s -> 0, where it is
    x tanh(x/2).
    """

    def excess(inner: Arithmetic, x: Fraction) -> Scalar:
        return x * inner.tanh(x / 2) - rho

    if decide.sign(lambda inner: excess(inner, eps), ar) <= 0:
        return delta
    low, high = (Fraction(0), Fraction(0)) if rho == 0 else roots.root(excess, Fraction(0), eps, ar)
    lost = [-ar.expm1(x - eps) / (1 + ar.exp(-eps)) for x in (low, high)]
    return delta + (1 - delta) * ar.hull(*lost)


@implements("whitehouse2023/lem1.zcdp2dp.eps", kind="upper", cites="Lemma 1 (Bun and Steinke 2016, Prop. 1.3)")
def zcdp_to_dp_eps(ar: Arithmetic, rho: Fraction, delta_prime: PositiveProbability) -> Scalar:
    """The epsilon to which rho-zCDP converts at a slack of delta'.

    whitehouse2023/lem1.zcdp2dp.eps: Whitehouse et al. 2023, Lemma 1, second half:
    eps = rho + 2 sqrt(rho log(1/delta')), with delta' in (0, 1].
    """
    return rho + 2 * ar.sqrt(rho * ar.log(1 / delta_prime))


@implements("whitehouse2023/lem1.zcdp2dp.delta", kind="upper", cites="Lemma 1")
def zcdp_to_dp_delta(ar: Arithmetic, delta: Probability, delta_prime: PositiveProbability) -> Scalar:
    """The total delta when delta-approximate zCDP is converted at a slack of delta'.

    whitehouse2023/lem1.zcdp2dp.delta: Whitehouse et al. 2023, Lemma 1, second half: delta + (1 - delta) delta'.
    """
    return delta + (1 - delta) * delta_prime


def cks_eps_at(ar: Arithmetic, rho: Scalar, alpha: Scalar) -> Scalar:
    """The epsilon for which the order alpha is the best one: (2 alpha - 1) rho + log(1 - 1/alpha)."""
    return (2 * alpha - 1) * rho + ar.log(1 - 1 / ar.real(alpha))


def cks_log_inverse_delta_at(ar: Arithmetic, rho: Scalar, alpha: Scalar) -> Scalar:
    """log(1/delta) at the epsilon for which the order alpha is the best one: (alpha - 1)^2 rho + log(alpha)."""
    return ar.real((alpha - 1) * (alpha - 1) * rho) + ar.log(alpha)


@implements(
    "cks2020/zcdp2dp.delta", kind="upper", cites="Corollary 13 with Proposition 12 (the infimum over all orders)"
)
def zcdp_to_dp_tight_delta(ar: Arithmetic, rho: Fraction, eps: Fraction) -> Result:
    """The least delta that the Renyi orders give for rho-zCDP at epsilon.

    cks2020/zcdp2dp.delta: Canonne, Kamath, Steinke 2020, Corollary 13:
    delta = inf over alpha > 1 of exp((alpha-1)(alpha rho - eps)) / (alpha-1) * (1 - 1/alpha)^alpha.
    The logarithm of the objective is strictly convex in alpha, with derivative (2 alpha - 1) rho - eps +
    log(1 - 1/alpha), which increases from -inf; so the infimum is at its one root, where delta =
    exp(-(alpha-1)^2 rho) / alpha. A certified bracket of the root encloses the infimum from both sides.
    rho = 0 gives 0.
    """
    if rho == 0:
        return Fraction(0)

    def derivative(inner: Arithmetic, alpha: Fraction) -> Scalar:
        return cks_eps_at(inner, rho, alpha) - eps

    low, high = roots.root_above_one(derivative, ar)
    return ar.hull(ar.exp(-cks_log_inverse_delta_at(ar, rho, low)), ar.exp(-cks_log_inverse_delta_at(ar, rho, high)))


@implements("cks2020/zcdp2dp.eps", kind="upper", cites="Corollary 13 with Proposition 12, solved for epsilon")
def zcdp_to_dp_tight_eps(ar: Arithmetic, rho: Fraction, delta: Probability) -> Result:
    """The least epsilon >= 0 that the Renyi orders give for rho-zCDP at delta.

    cks2020/zcdp2dp.eps: Canonne, Kamath, Steinke 2020, Corollary 13, inverted: with alpha the root of
    (alpha-1)^2 rho + log(alpha) = log(1/delta), epsilon = (2 alpha - 1) rho + log(1 - 1/alpha), or 0 where that is
    negative. delta = 0 gives inf (0 for rho = 0).
    """
    if rho == 0 or delta == 1:
        return Fraction(0)
    if delta == 0:
        return "inf"
    # A symbol, in proofs, is of ordinary size.
    if isinstance(rho, Fraction) and rho >= _HUGE_RHO:
        return _tight_eps_of_huge(ar, rho, delta)

    def excess(inner: Arithmetic, alpha: Fraction) -> Scalar:
        return cks_log_inverse_delta_at(inner, rho, alpha) - inner.log(1 / delta)

    low, high = roots.root_above(excess, Fraction(1), ar, _order_by_floats(rho, delta))
    eps = ar.hull(cks_eps_at(ar, rho, low), cks_eps_at(ar, rho, high))
    return eps if decide.sign_now(eps, ar) >= 0 else Fraction(0)


def _order_by_floats(rho: Fraction, delta: Fraction) -> float | None:
    """About the order alpha with (alpha - 1)^2 rho + log(alpha) = log(1/delta); None where floats do not reach."""
    if not (isinstance(rho, Fraction) and isinstance(delta, Fraction) and 2**-100 < rho < 2**100):
        # A symbol, in proofs; or too far out.
        return None
    slope, loss = float(rho), -float_log(delta)
    # From where the square alone is as large as it should be.
    b = math.sqrt(loss / slope)
    for _ in range(_NEWTON):
        b -= (b * b * slope + math.log1p(b) - loss) / (2 * b * slope + 1 / (1 + b))
        if not 0 < b < math.inf:
            return None
    return 1 + b


#: Newton's steps by floats.
_NEWTON = 8
#: Beyond it the best order is closer to 1 than is worth a root, and the enclosure has more digits than are asked for.
_HUGE_RHO = 2**4096


def _tight_eps_of_huge(ar: Arithmetic, rho: Fraction, delta: Fraction) -> Scalar:
    """The same epsilon to a relative width of about 1/rho, where the best order is too near 1 for a root in alpha.

    With b = alpha - 1 and L = log(1/delta), b^2 rho + log(1 + b) = L; as 0 <= log(1 + b) <= b, sqrt((L - h) / rho) <= b
    <= h for h = sqrt(L / rho). Epsilon increases in b. Where L < h no enclosure comes out.
    """
    loss = ar.log(1 / delta)
    high = ar.sqrt(loss / rho)
    low = ar.sqrt((loss - high) / rho)
    ends = [(1 + 2 * b) * rho + ar.log(b) - ar.log(1 + b) for b in (low, high)]
    eps = ar.hull(*ends)
    return eps if decide.sign_now(eps, ar) >= 0 else Fraction(0)


# --- Renyi DP: what a guarantee costs at an order, and what that is as an epsilon -------------------------------------


#: The grid of orders where none is given.
ORDERS = tuple(
    Fraction(order)
    for order in ("3/2", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64", "96", "128", "256", "512")
)


def conversion_cost(ar: Arithmetic, order: Scalar, delta: Scalar) -> Real:
    """log(1 - 1/alpha) + log(1/(alpha delta)) / (alpha - 1)."""
    alpha = ar.real(order)
    return ar.log(1 - 1 / alpha) + ar.log(1 / (alpha * delta)) / (alpha - 1)


@implements("cks2020/rdp2dp.eps", kind="upper", cites="Proposition 12")
def rdp_to_dp_eps(ar: Arithmetic, order: AboveOne, eps_order: Fraction, delta: PositiveProbability) -> Scalar:
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
