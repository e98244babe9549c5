"""The filters of Whitehouse et al. 2023 that add up rho or epsilon^2: Theorems 1 and 2, and the tight conversion."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError
from privref.exact.numbers import count_sum
from privref.guarantees.conversions import zcdp_to_dp_eps, zcdp_to_dp_tight_eps
from privref.guarantees.model import Guarantee, dp_parameters, zcdp_parameters
from privref.statements.params import OPEN_PROBABILITY, POSITIVE_PROBABILITY, PROBABILITY, one, sequence
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .additive import AdditiveFilter, Charges
from .running import BudgetLimit
from .whitehouse import f, inverse_f


@implements(
    "whitehouse2023/thm1.N",
    kind="exact",
    cites="Theorem 1",
    params=(one("rho"), one("delta", PROBABILITY), sequence("rhos"), sequence("deltas", PROBABILITY)),
)
def zcdp_filter_rounds(
    ar: Arithmetic, rho: Fraction, delta: Fraction, rhos: Sequence[Fraction], deltas: Sequence[Fraction]
) -> Scalar:
    """How many of the requested rounds the zCDP filter runs before it halts (all, if it never does).

    whitehouse2023/thm1.N: Whitehouse et al. 2023, Theorem 1: the least n >= 0 at which the next round would take the
    sum of the rho_m strictly above rho or that of the delta_m strictly above delta.
    """
    if len(deltas) != len(rhos):
        raise InputError("deltas", f"{len(deltas)} values", f"give {len(rhos)}, one for each rho")
    rho_spent = delta_spent = Fraction(0)
    for n, (rho_m, delta_m) in enumerate(zip(rhos, deltas, strict=True)):
        count_sum(rho_spent, rho_m)
        count_sum(delta_spent, delta_m)
        rho_spent, delta_spent = rho_spent + rho_m, delta_spent + delta_m
        if rho_spent > rho or delta_spent > delta:
            return n
    return len(rhos)


@implements(
    "cks2020/zcdp2dp.rho",
    kind="exact",
    cites="Corollary 13 with Proposition 12, solved for rho",
    params=(one("eps"), one("delta", OPEN_PROBABILITY)),
)
def largest_rho(ar: Arithmetic, eps: Fraction, delta: Fraction) -> Result:
    """The largest rho that the tight conversion still turns into (epsilon, delta)-DP.

    cks2020/zcdp2dp.rho: with alpha the root of (alpha-1)^2 rho(alpha) + log(alpha) = log(1/delta), where rho(alpha) =
    (eps - log(1 - 1/alpha)) / (2 alpha - 1) is the rho whose best order at eps is alpha. rho(alpha) decreases and the
    least delta of cks2020/zcdp2dp.delta increases with rho, so the equation's left side increases with alpha.
    """

    low, high = _order_bracket(ar, eps, delta)
    return ar.hull(_rho_at(ar, eps, low), _rho_at(ar, eps, high))


@implements(
    "cks2020/zcdp2dp.order",
    kind="exact",
    cites="Corollary 13 with Proposition 12, the order at the largest rho",
    params=(one("eps"), one("delta", OPEN_PROBABILITY)),
)
def best_order(ar: Arithmetic, eps: Fraction, delta: Fraction) -> Result:
    """The Renyi order by which the largest rho converts to (epsilon, delta)-DP.

    cks2020/zcdp2dp.order: the alpha of cks2020/zcdp2dp.rho.
    """
    return ar.hull(*_order_bracket(ar, eps, delta))


def _rho_at(ar: Arithmetic, eps: Fraction, alpha: Scalar) -> Real:
    """The rho whose best order at eps is alpha."""
    return (eps - ar.log(1 - 1 / ar.real(alpha))) / (2 * alpha - 1)


def _order_bracket(ar: Arithmetic, eps: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    def excess(inner: Arithmetic, alpha: Fraction) -> Scalar:
        return (alpha - 1) ** 2 * _rho_at(inner, eps, alpha) + inner.log(alpha) - inner.log(1 / delta)

    return roots.root_above_one(excess, ar)


def zcdp_charges(event: Guarantee) -> Charges | None:
    """What an event adds to the sums of rho and delta."""
    return zcdp_parameters(event)


_LEMMA_1, _TIGHT, _DP = theorem("whitehouse2023/lem1"), theorem("cks2020/zcdp2dp"), theorem("whitehouse2023/thm2")


def zcdp_filter(
    rho: BudgetLimit | Fraction, delta_prime: Fraction, delta_pp: Fraction, engine: decide.EngineName = "arb"
) -> AdditiveFilter:
    """The zCDP filter (whitehouse2023/thm1): delta''-approximate rho-zCDP, read as DP through Lemma 1 at delta'."""
    one("delta_prime", POSITIVE_PROBABILITY).read(delta_prime)
    return AdditiveFilter(
        _LEMMA_1.id,
        _LEMMA_1.hypotheses,
        zcdp_charges,
        ("sum of rho", "sum of delta"),
        (rho if isinstance(rho, BudgetLimit) else BudgetLimit.exactly(rho), BudgetLimit.exactly(delta_pp)),
        lambda totals: lambda ar: zcdp_to_dp_eps(ar, totals[0], delta_prime),
    )


def lemma1_rho(eps: Fraction, delta_prime: Fraction, engine: decide.EngineName = "arb") -> BudgetLimit:
    """The largest rho with rho + 2 sqrt(rho log(1/delta')) <= eps: half the y with f(y) = eps."""
    if eps == 0 or delta_prime == 1:
        return BudgetLimit.exactly(eps)
    return BudgetLimit.of(lambda ar: inverse_f(ar, eps, delta_prime) / 2, engine)


def tight_zcdp_filter(
    eps: Fraction, delta_prime: Fraction, delta_pp: Fraction, engine: decide.EngineName = "arb"
) -> AdditiveFilter:
    """The filter that keeps rho and converts tightly at the end: whitehouse2023/thm1 with cks2020/zcdp2dp.

    Theorem 1 keeps all Renyi orders, so the conversion may take the infimum over them: it admits strictly more than
    whitehouse2023/thm2 for the same (epsilon, delta).
    """
    one("delta_prime", OPEN_PROBABILITY).read(delta_prime)
    return AdditiveFilter(
        _TIGHT.id,
        _TIGHT.hypotheses,
        zcdp_charges,
        ("sum of rho", "sum of delta"),
        (
            BudgetLimit.of(lambda ar: as_number(largest_rho(ar, eps, delta_prime)), engine),
            BudgetLimit.exactly(delta_pp),
        ),
        lambda totals: lambda ar: as_number(zcdp_to_dp_tight_eps(ar, totals[0], delta_prime)),
    )


def as_number(result: Result) -> Scalar:
    """A result that is a number; InputError for the word that comes of a delta' of 0 or 1."""
    if isinstance(result, str):
        raise InputError("delta_prime", result, "give a delta' in (0, 1)")
    return result


def dp_filter(
    eps: Fraction, delta_prime: Fraction, delta_pp: Fraction, engine: decide.EngineName = "arb"
) -> AdditiveFilter:
    """The (epsilon, delta) filter (whitehouse2023/thm2): (eps, delta' + delta'')-DP for (epsilon, delta)-DP events.

    eps < f(V) is V > y* with f(y*) = eps, as f increases; V = y* would make log(1/delta') rational.
    """
    one("delta_prime", POSITIVE_PROBABILITY).read(delta_prime)

    def charge(event: Guarantee) -> Charges | None:
        found = dp_parameters(event)
        return None if found is None else (found[0] * found[0], found[1])

    if eps == 0 or delta_prime == 1:
        limit = BudgetLimit.exactly(2 * eps)
    else:
        limit = BudgetLimit.of(lambda ar: inverse_f(ar, eps, delta_prime), engine)
    return AdditiveFilter(
        _DP.id,
        _DP.hypotheses,
        charge,
        ("sum of epsilon^2", "sum of delta"),
        (limit, BudgetLimit.exactly(delta_pp)),
        lambda totals: lambda ar: f(ar, totals[0], delta_prime),
    )
