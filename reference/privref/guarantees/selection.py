"""The best of a random number of trials, by the Renyi DP of one trial (Papernot, Steinke 2022). All in nats."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError, UndecidedError
from privref.exact.numbers import float_log, rational
from privref.statements.params import (
    OPEN_PROBABILITY,
    POSITIVE,
    AboveOne,
    Domain,
    OpenProbability,
    Positive,
    Probability,
)
from privref.statements.registry import implements

from .conversions import renyi_costs
from .model import Guarantee, PureDP, RenyiDP

ABOVE_MINUS_ONE = Domain("a number > -1", lambda x: x > -1)
_BITS = 96
#: The orders of a trial that has Renyi DP of all: eight for each doubling of a - 1; more gain little.
ORDERS_OF_A_TRIAL = tuple(1 + Fraction(2) ** j * (1 + Fraction(i, 8)) for j in range(-5, 10) for i in range(8))
#: The largest log of a moment, and how far the numbers of a law may be from 1.
_MOST_MOMENT, _MOST_NUMBER = 10**7, 10**12


@implements("papernot2022/thm2.eps", kind="upper", cites="Theorem 2, as both orders grow")
def best_of_eps(ar: Arithmetic, eps: Fraction, eta: Annotated[Fraction, ABOVE_MINUS_ONE]) -> Scalar:
    """The epsilon of the best of a truncated negative binomial number of eps-DP trials.

    papernot2022/thm2.eps: (2 + eta) eps, whatever gamma is: Theorem 2 as both orders grow. For eta = 1, a geometric
    number, it is liu2019/alg2.eps; for eta = 0 the number has the logarithmic law.
    """
    return (2 + eta) * eps


def _log_mean(ar: Arithmetic, eta: Fraction, gamma: Fraction) -> Real:
    """The log of the mean number of trials: (1/gamma - 1) eta/(1 - gamma^eta), of which eta = 0 is the limit."""
    log = ar.log(1 / gamma)
    return ar.log((1 / gamma - 1) / log if eta == 0 else (1 / gamma - 1) * eta / -ar.expm1(-eta * log))


@implements("papernot2022/thm2.renyi", kind="upper", cites="Theorem 2")
def best_of_renyi(
    ar: Arithmetic,
    order: AboveOne,
    eps_order: Fraction,
    other: AboveOne,
    eps_other: Fraction,
    eta: Annotated[Fraction, ABOVE_MINUS_ONE],
    gamma: OpenProbability,
) -> Real:
    """The Renyi DP of the best of a truncated negative binomial number of trials, at an order.

    papernot2022/thm2.renyi: eps(a) + (1 + eta)((1 - 1/b) eps(b) + log(1/gamma)/b) + log(E K)/(a - 1) at the order a,
    with any other order b > 1, for trials of eps(a) and eps(b). The number K of trials has P(K = k) in proportion to
    (1 - gamma)^k prod_(l < k) (l + eta)/(l + 1), k >= 1, and nothing but the best trial is released. Proved anew in
    proofs/derivations/selection.py.
    """
    others = (1 + eta) * ((1 - 1 / other) * eps_other + ar.log(1 / gamma) / other)
    return eps_order + others + _log_mean(ar, eta, gamma) / (order - 1)


@implements(
    "papernot2022/thm6.renyi", kind="upper", cites="Theorem 6, with the term of no trial at all", standing="ours"
)
def best_of_poisson_renyi(
    ar: Arithmetic, order: AboveOne, eps_order: Fraction, mean: Positive, delta: Probability
) -> Real:
    """The Renyi DP of the best of a Poisson number of trials, at an order.

    papernot2022/thm6.renyi: log(e^-m + m e^((a - 1)(eps(a) + m delta)))/(a - 1) at the order a, where a trial is
    (log(a/(a - 1)), delta)-DP and m is the mean of the number of trials. Of no trial nothing is released, which has the
    chance e^-m whatever the data are. Proved in proofs/derivations/selection.py; for m >= 1 Theorem 6 has eps(a) + m
    delta + log(m)/(a - 1), without that term.
    """
    return ar.log(ar.exp(-mean) + mean * ar.exp((order - 1) * (eps_order + mean * delta))) / (order - 1)


@dataclass(frozen=True, slots=True)
class Trials:
    """The law of the number of trials, of which the best was released, and what one trial guarantees."""

    of: Guarantee
    eta: Fraction | None = None
    """Of a truncated negative binomial law, with ``gamma``."""
    gamma: Fraction | None = None
    mean: Fraction | None = None
    """Of a Poisson law."""

    def __str__(self) -> str:
        if self.mean is not None:
            return f"a Poisson number of trials of mean {self.mean}"
        return f"a truncated negative binomial number of trials, eta = {self.eta} and gamma = {self.gamma}"

    @property
    def guarantee(self) -> Guarantee | None:
        """What the best trial guarantees; None where no theorem says it."""
        if isinstance(self.of, PureDP) and self.eta is not None:
            return PureDP((2 + self.eta) * self.of.epsilon)
        orders = tuple(order for order, _ in self.of.orders) if isinstance(self.of, RenyiDP) else ORDERS_OF_A_TRIAL
        delta, found = renyi_costs(self.of, orders)
        costs = {order: cost for order, cost in zip(orders, found, strict=True) if cost is not None}
        # The moments of more than that say nothing that is of use.
        costs = {order: cost for order, cost in costs.items() if order * (cost + (self.mean or 0)) < _MOST_MOMENT}
        if delta != 0 or not costs:
            return None
        # The divergence grows with the order: what it is at a larger one bounds it too.
        kept = list[tuple[Fraction, Fraction]]()
        for order in sorted(costs, reverse=True):
            cost = self._at(order, costs)
            if not kept or cost < kept[-1][1]:
                kept.append((order, cost))
        return RenyiDP(tuple(reversed(kept)))

    def _at(self, order: Fraction, costs: Mapping[Fraction, Fraction]) -> Fraction:
        """What it costs at an order, rounded up by less than 2^-96."""
        if self.mean is not None:
            mean, other = self.mean, min(costs, key=lambda b: _log_delta(b, costs[b], order))
            # Where it is not below 1 by floats, 1 will do.
            below = _log_delta(other, costs[other], order) < 0

            def value(ar: Arithmetic) -> Scalar:
                # Proposition 12 of Canonne, Kamath, Steinke 2020 at e^epsilon = a/(a - 1), and never above 1.
                b, rate = ar.real(other), (order - 1) / order
                log = (b - 1) * (costs[other] + ar.log(rate) + ar.log(1 - 1 / b)) - ar.log(b)
                delta = ar.exp(log) if below else ar.real(1)
                return ar.log(ar.exp(-mean) + mean * ar.exp((order - 1) * (costs[order] + mean * delta))) / (order - 1)

        else:
            assert self.eta is not None
            assert self.gamma is not None
            eta, gamma, loss = self.eta, self.gamma, -float_log(self.gamma)
            other = min(costs, key=lambda b: float((1 - 1 / b) * costs[b]) + loss / float(b))

            def value(ar: Arithmetic) -> Scalar:
                return best_of_renyi(ar, order, costs[order], other, costs[other], eta, gamma)

        width = Fraction(1, 2 ** (_BITS + 8))
        found = decide.enclose(value, decide.engine("arb", 256), width).upper
        return Fraction(math.ceil(found * 2**_BITS), 2**_BITS)


def _log_delta(other: Fraction, cost: Fraction, order: Fraction) -> float:
    """About the log of the delta that a Renyi order gives at e^epsilon = a/(a - 1): for the choice of an order."""
    b = float(other)
    return (b - 1) * (float(cost) + math.log(1 - 1 / float(order)) + math.log(1 - 1 / b)) - math.log(b)


def least_gamma(eta: Fraction, mean: Fraction) -> Fraction:
    """The gamma at which the number of trials has this mean above 1, rounded down by at most a 2^-40th of itself.

    The mean falls as gamma rises, and so does what the best trial loses by papernot2022/thm2.renyi.
    """
    ar = decide.engine("arb")

    def has_more(gamma: Fraction) -> bool:
        try:
            return decide.exceeds(
                lambda inner: _log_mean(inner, eta, gamma), lambda inner: inner.log(mean), ar, cap=512
            )
        except UndecidedError:
            # A tie, or nearly one: a smaller gamma will do.
            return False

    high = Fraction(1)
    low = high / 2
    while not has_more(low):
        high, low = low, low / 2
        if low * _MOST_NUMBER < 1:
            raise InputError("mean", str(mean), "numbers of trials have a gamma of at least 1e-12 here")
    while high - low > low / 2**40:
        middle = (low + high) / 2
        low, high = (middle, high) if has_more(middle) else (low, middle)
    return low


def trials_from(document: Mapping[str, Any], of: Guarantee, place: str) -> Trials:
    """Return the number of trials as a ledger declares it; InputError for numbers that are no such law."""
    wanted = {"negative-binomial": ("eta", "gamma"), "poisson": ("mean",)}[document["trials"]]
    domains = {"eta": ABOVE_MINUS_ONE, "gamma": OPEN_PROBABILITY, "mean": POSITIVE}
    for key in {*document} - {"trials", *wanted}:
        raise InputError(f"{place}.{key}", document[key], f"a {document['trials']} number has {' and '.join(wanted)}")
    values: dict[str, Fraction] = {}
    for key in wanted:
        if key not in document:
            raise InputError(f"{place}.{key}", "(missing)", f"a {document['trials']} number has {' and '.join(wanted)}")
        values[key] = rational(document[key], f"{place}.{key}")
        if not domains[key].contains(values[key]):
            raise InputError(f"{place}.{key}", document[key], f"give {domains[key].description}")
        if values[key] and not Fraction(1, _MOST_NUMBER) <= abs(values[key]) <= _MOST_NUMBER:
            raise InputError(f"{place}.{key}", document[key], "give a number between 1e-12 and 1e12 in size, or 0")
    return Trials(of, **values)
