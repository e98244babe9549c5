"""The Gaussian-DP filter (Smith and Thakurta 2022; Koskela, Tobaben, Honkela 2023): squares of mu add up."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.guarantees.gaussian import gaussian_delta
from privref.guarantees.model import GaussianDP, Guarantee
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import OPEN_PROBABILITY, Multiset, multiset, one
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .additive import AdditiveFilter, Charges
from .running import BudgetLimit


@implements(
    "gdp/profile.mu",
    kind="exact",
    cites="Corollary 1, solved for mu",
    params=(one("eps"), one("delta", OPEN_PROBABILITY)),
)
def largest_mu(ar: Arithmetic, eps: Fraction, delta: Fraction) -> Scalar:
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
    params=(multiset("mu"), one("eps_g"), one("delta_g", OPEN_PROBABILITY)),
    hypotheses=(Hypothesis.GAUSSIAN_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE),
)
def gaussian_filter_decision(ar: Arithmetic, mu: Multiset, eps_g: Fraction, delta_g: Fraction) -> Result:
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
