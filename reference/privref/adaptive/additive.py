"""Filters that add up what each event costs and halt when a sum would exceed its limit, and the basic odometer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

from privref.composition.basic import total
from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError
from privref.exact.numbers import count_sum
from privref.exact.rounding import about, approximately
from privref.guarantees.conversions import zcdp_to_dp_eps, zcdp_to_dp_tight_eps
from privref.guarantees.gaussian import gaussian_delta
from privref.guarantees.model import GaussianDP, Guarantee, dp_parameters, zcdp_parameters
from privref.statements.hypotheses import Failure, Hypothesis
from privref.statements.params import (
    OPEN_PROBABILITY,
    POSITIVE_PROBABILITY,
    Multiset,
    OpenProbability,
    Probabilities,
    Probability,
    one,
)
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .odometers import loss_parameters
from .protocol import Decision, Reading, StepsByBlocks, not_covered
from .running import BudgetLimit, checked, plus
from .whitehouse import f, inverse_f

Charges = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """The exact sums so far, and whether the filter has halted."""

    totals: Charges
    halted: bool = False


@dataclass(frozen=True, slots=True)
class AdditiveFilter(StepsByBlocks[Spent]):
    """A filter with one exact sum per limit.

    ``charge`` gives what an event adds to each sum, or None where the theorem does not cover the event; ``names`` say
    what the sums are of; ``epsilon`` reads, from the sums, the epsilon that the theorem gives for what has run.
    """

    statement: str
    hypotheses: tuple[Hypothesis, ...]
    charge: Callable[[Guarantee], Charges | None]
    names: tuple[str, ...]
    limits: tuple[BudgetLimit, ...]
    epsilon: Callable[[Charges], Reading]

    def start(self) -> Spent:
        return Spent((Fraction(0),) * len(self.limits))

    def block(self, state: Spent, event: Guarantee, count: int) -> tuple[Spent, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through.

        CONT where no sum would exceed its limit, strictly; a refused event leaves the sums as they were.
        """
        charges = self.charge(checked(event))
        if charges is None:
            raise not_covered(self, event, self.hypotheses[0])
        if state.halted:
            return state, Decision("HALT", self.epsilon(state.totals), "the filter has halted")
        sums = []
        for i, (spent, charge) in enumerate(zip(state.totals, charges, strict=True)):
            if charge.numerator:
                spent = plus(spent, charge, count)
                limit = self.limits[i]
                if not limit.admits(spent):
                    refused = f"{self.names[i]}: {about(spent)} requested in all, at most {_limit_text(limit)} allowed"
                    return Spent(state.totals, True), Decision("HALT", self.epsilon(state.totals), refused)
            sums.append(spent)
        asked = tuple(sums)
        return Spent(asked), Decision("CONT", self.epsilon(asked))


def _limit_text(limit: BudgetLimit) -> str:
    return about(limit.lower) if limit.lower == limit.upper else approximately(limit.lower)


# --- (epsilon, delta)-DP rounds: sums of epsilon and delta (Rogers et al. 2016) ---------------------------------------


@implements(
    "rogers2016/thm3.3.odometer", kind="upper", cites="Theorem 3.3 (the odometer)", hypotheses=(Hypothesis.PDP_ROUNDS,)
)
def basic_odometer(ar: Arithmetic, eps: Multiset, delta: Probabilities, delta_g: Probability) -> Result:
    """What the basic odometer shows: the sum of the epsilons, inf once the deltas exceed their budget.

    rogers2016/thm3.3.odometer: Rogers et al. 2016, Theorem 3.3: inf if sum delta_i > delta_g, else sum eps_i. It bounds
    the privacy loss for pDP rounds (and for the loss of the dominating randomized response), not for general
    (epsilon, delta)-DP rounds with delta > 0.
    """
    return "inf" if total(delta) > delta_g else total(eps)


@implements("rogers2016/thm3.3.filter", kind="exact", cites="Theorem 3.3 (the filter)")
def basic_filter(ar: Arithmetic, eps: Multiset, delta: Probabilities, eps_g: Fraction, delta_g: Probability) -> Result:
    """Whether the basic filter lets the last of these rounds run.

    rogers2016/thm3.3.filter: Rogers et al. 2016, Theorem 3.3: HALT iff sum delta_i > delta_g or sum eps_i > eps_g,
    strictly; a budget that is hit exactly is CONT.
    """
    return "HALT" if total(delta) > delta_g or total(eps) > eps_g else "CONT"


_THEOREM = theorem("rogers2016/thm3.3")


def basic_filter_machine(eps_g: Fraction, delta_g: Fraction) -> AdditiveFilter:
    """The basic filter (rogers2016/thm3.3) as a machine: (eps_g, delta_g)-DP for (epsilon, delta)-DP events."""
    return AdditiveFilter(
        _THEOREM.id,
        _THEOREM.hypotheses,
        dp_parameters,
        ("sum of epsilon", "sum of delta"),
        (BudgetLimit.exactly(eps_g), BudgetLimit.exactly(delta_g)),
        lambda totals: totals[0],
    )


@dataclass(frozen=True, slots=True)
class Sums:
    """The exact sums of the epsilons and of the deltas."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True, slots=True)
class BasicOdometer(StepsByBlocks[Sums]):
    """The basic odometer (rogers2016/thm3.3). It covers pDP rounds; ``dominating`` reads the loss of the dominating
    randomized response instead of the mechanism's own, and then covers every (epsilon, delta)-DP event."""

    delta_g: Fraction
    dominating: bool = False
    statement: str = _THEOREM.id
    failure: Failure | Literal[""] = _THEOREM.odometer_failure

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        own = _THEOREM.odometer_hypotheses
        dominated = {Hypothesis.PDP_ROUNDS: Hypothesis.RR_LOSS} if self.dominating else {}
        return tuple(dominated.get(each, each) for each in own)

    def start(self) -> Sums:
        return Sums(Fraction(0), Fraction(0))

    def block(self, state: Sums, event: Guarantee, count: int) -> tuple[Sums, Decision]:
        """The reading after ``count`` equal events.

        The reading after the event: inf once the deltas exceed their budget.
        """
        eps, delta = loss_parameters(event, self.statement, pdp=True, dominating=self.dominating)
        after = Sums(plus(state.epsilon, eps, count), plus(state.delta, delta, count))
        return after, Decision("CONT", "inf" if after.delta > self.delta_g else after.epsilon)


# --- sums of rho, or of epsilon^2 (Whitehouse et al. 2023) ------------------------------------------------------------


@implements("whitehouse2023/thm1.N", kind="exact", cites="Theorem 1")
def zcdp_filter_rounds(
    ar: Arithmetic, rho: Fraction, delta: Probability, rhos: Sequence[Fraction], deltas: Sequence[Probability]
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


@implements("cks2020/zcdp2dp.rho", kind="exact", cites="Corollary 13 with Proposition 12, solved for rho")
def largest_rho(ar: Arithmetic, eps: Fraction, delta: OpenProbability) -> Result:
    """The largest rho that the tight conversion still turns into (epsilon, delta)-DP.

    cks2020/zcdp2dp.rho: with alpha the root of (alpha-1)^2 rho(alpha) + log(alpha) = log(1/delta), where rho(alpha) =
    (eps - log(1 - 1/alpha)) / (2 alpha - 1) is the rho whose best order at eps is alpha. rho(alpha) decreases and the
    least delta of cks2020/zcdp2dp.delta increases with rho, so the equation's left side increases with alpha.
    """

    low, high = _order_bracket(ar, eps, delta)
    return ar.hull(_rho_at(ar, eps, low), _rho_at(ar, eps, high))


@implements(
    "cks2020/zcdp2dp.order", kind="exact", cites="Corollary 13 with Proposition 12, the order at the largest rho"
)
def best_order(ar: Arithmetic, eps: Fraction, delta: OpenProbability) -> Result:
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


# --- sums of mu^2 (Smith and Thakurta 2022; Koskela, Tobaben, Honkela 2023) -------------------------------------------


@implements("gdp/profile.mu", kind="exact", cites="Corollary 1, solved for mu")
def largest_mu(ar: Arithmetic, eps: Fraction, delta: OpenProbability) -> Scalar:
    """The largest mu for which mu-Gaussian DP is (epsilon, delta)-DP.

    gdp/profile.mu: Dong, Roth, Su 2019, Corollary 1, solved for mu: the profile increases with mu from 0 to 1.
    """

    def excess(inner: Arithmetic, mu: Fraction) -> Scalar:
        return gaussian_delta(inner, mu, eps) - delta

    low = Fraction(1)
    while decide.sign(partial(excess, mu=low), ar) > 0:
        low /= 2
    return ar.hull(*roots.root_above(excess, low, ar))


def profile_eps_of_square(ar: Arithmetic, square: Fraction, delta: Fraction) -> Scalar:
    """The least epsilon >= 0 at which sqrt(square)-Gaussian DP has the given delta in (0, 1)."""
    if square == 0:
        return Fraction(0)

    def shortfall(inner: Arithmetic, eps: Fraction) -> Scalar:
        return delta - gaussian_delta(inner, inner.sqrt(square), eps)

    return roots.least(shortfall, ar)


@implements(
    "smith2022/filter.decision",
    kind="exact",
    cites="the Gaussian-DP filter (also Koskela, Tobaben, Honkela 2023; numbers not verified)",
    hypotheses=(Hypothesis.GAUSSIAN_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE),
)
def gaussian_filter_decision(ar: Arithmetic, mu: Multiset, eps_g: Fraction, delta_g: OpenProbability) -> Result:
    """Whether the Gaussian-DP filter lets the last of these rounds run.

    smith2022/filter.decision: HALT iff the exact profile of sqrt(sum mu_i^2)-Gaussian DP at eps_g exceeds delta_g.
    """
    square = sum((value * value * count for value, count in mu), Fraction(0))
    if square == 0:
        return "CONT"
    # Nothing is known to forbid a tie of these transcendental numbers: the ladder's cap is the only certain end.
    over = decide.exceeds(lambda inner: gaussian_delta(inner, inner.sqrt(square), eps_g), lambda inner: delta_g, ar)
    return "HALT" if over else "CONT"


def gaussian_filter(eps: Fraction, delta: Fraction, engine: decide.EngineName = "arb") -> AdditiveFilter:
    """The Gaussian-DP filter as a machine: sum mu_m^2 <= mu^2 for the mu whose exact profile meets (eps, delta)."""
    one("delta", OPEN_PROBABILITY).read(delta)
    rule = theorem("gdp/composition")

    def charge(event: Guarantee) -> Charges | None:
        return (event.mu * event.mu,) if isinstance(event, GaussianDP) else None

    return AdditiveFilter(
        rule.id,
        rule.hypotheses,
        charge,
        ("sum of mu^2",),
        (BudgetLimit.of(lambda ar: ar.real(largest_mu(ar, eps, delta)) ** 2, engine),),
        lambda totals: lambda ar: profile_eps_of_square(ar, totals[0], delta),
    )
