"""Whether a declared guarantee is stronger than what the declared mechanism really gives: then one of them is wrong.

Only what is certain is called a contradiction. A guarantee weaker than the mechanism's is no contradiction, and
neither is one that was not decided here.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import spell
from privref.guarantees.gaussian import gaussian_delta
from privref.guarantees.model import ZCDP, GaussianDP, Guarantee, OutputDP, PureDP, RenyiDP, Unknown, as_approx_dp

from . import grid, laws
from .declared import Mechanism
from .laws import FinitePair
from .model import Composition, DiscreteGaussian, Gaussian, Laplace

_WIDTH = Fraction(1, 10**6)
_BITS = 192
#: Orders at which a zCDP guarantee is compared with the mechanism's Renyi divergence.
_ORDERS = tuple(Fraction(order) for order in ("17/16", "3/2", "2", "4", "16", "128"))


@lru_cache(maxsize=4096)
def contradiction(mechanism: Mechanism, guarantee: Guarantee) -> str | None:
    """What the mechanism loses beyond the guarantee, in words; None where nothing shows that it does."""
    if not mechanism.attained or not mechanism.lower or isinstance(guarantee, Unknown):
        return None
    composition = Composition.of(mechanism.lower)
    try:
        return _contradiction(composition, guarantee)
    except (MorePrecisionError, UndecidedError):
        return None


def _contradiction(composition: Composition, guarantee: Guarantee) -> str | None:
    match guarantee:
        case PureDP(epsilon):
            largest = grid.largest_loss(grid.finite(composition))
            if largest is None:
                return "its privacy loss has no bound, so that it has no pure DP"
            return f"it loses {spell(largest)}" if largest > epsilon else None
        case ZCDP(rho, delta):
            if delta:
                return None
            exact = _rho(composition)
            if exact is not None:
                return f"its Renyi divergences give rho = {spell(exact)}" if exact > rho else None
            for order in _ORDERS:
                if _above(composition, order, order * rho):
                    return f"its Renyi divergence of order {spell(order)} exceeds {spell(order * rho)}"
            return None
        case RenyiDP(orders, delta):
            for order, cost in orders if not delta else ():
                if _above(composition, order, cost):
                    return f"its Renyi divergence of order {spell(order)} exceeds {spell(cost)}"
            return None
        case GaussianDP(mu):
            for eps in (Fraction(0), mu * mu / 2, mu, 2 * mu):
                lost = grid.delta_of(composition, eps, _WIDTH).lower
                if _exceeds_gaussian(lost, mu, eps):
                    return f"its delta at epsilon = {spell(eps)} exceeds that of {spell(mu)}-Gaussian DP"
            return None
        case _:
            approx = as_approx_dp(guarantee)
            if approx is None or (isinstance(guarantee, OutputDP) and len(guarantee.cells) > 1):
                return None
            lost = grid.delta_of(composition, approx.epsilon, _WIDTH).lower
            return f"its delta at that epsilon exceeds {spell(approx.delta)}" if lost > approx.delta else None


def _rho(composition: Composition) -> Fraction | None:
    """The rho of Gaussians, exactly: half the sum of shift^2/sigma^2, attained at order 2 also by discrete ones."""
    total = Fraction(0)
    for item in composition.rounds:
        match item.pair:
            case Gaussian(mu_squared):
                total += item.count * mu_squared / 2
            case DiscreteGaussian(sigma_squared, shift):
                total += item.count * shift * shift / sigma_squared / 2
            case _:
                return None
    return total


def _exceeds_gaussian(lost: Fraction, mu: Fraction, eps: Fraction) -> bool:
    if not mu:
        return lost > 0
    found = decide.enclose_once(lambda ar: gaussian_delta(ar, mu, eps), decide.engine("arb", _BITS))
    return found is not None and lost > found.upper


def _above(composition: Composition, order: Fraction, cost: Fraction) -> bool:
    """Whether the Renyi divergence of that order certainly exceeds the cost."""

    def excess(ar: Arithmetic) -> Scalar:
        inner = decide.enclosing(ar)
        moment = inner.sum(
            item.count * log_moment(inner, item.pair, order - 1)  # type: ignore[arg-type]
            for item in composition.rounds
        )
        return moment - (order - 1) * cost

    found = decide.enclose_once(excess, decide.engine("arb", _BITS))
    return found is not None and found.lower > 0


def log_moment(ar: EnclosingArithmetic, pair: FinitePair, order: Fraction) -> Scalar:
    """log E_P[e^(order L)], order > 0: order times the Renyi divergence of order + 1."""
    match pair:
        case Gaussian(mu_squared):
            return order * (order + 1) * mu_squared / 2
        case Laplace(epsilon):
            rate = order + Fraction(1, 2)
            inside = ar.exp(-epsilon / 2) / 4 * (ar.exp(rate * epsilon) - ar.exp(-rate * epsilon)) / rate
            return ar.log(ar.exp(order * epsilon) / 2 + ar.exp(-(order + 1) * epsilon) / 2 + inside)
        case _:
            found = laws.atoms(ar, pair, order, ar.precision)
            assert found is not None
            whole = ar.sum(mass for _, mass in found.items)
            return ar.log(ar.hull(whole, whole + found.left_out)) + laws.normaliser(pair, order)
