"""The basic filter and odometer of Rogers et al. 2016: sums of epsilons and deltas, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from privref.composition.basic import total
from privref.exact.arithmetic import Arithmetic
from privref.guarantees.model import Guarantee, dp_parameters
from privref.statements.failures import Failure
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import PROBABILITY, Multiset, multiset, one
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .additive import AdditiveFilter
from .losses import loss_parameters
from .protocol import Decision, StepsByBlocks
from .running import BudgetLimit, plus


@implements(
    "rogers2016/thm3.3.odometer",
    kind="upper",
    cites="Theorem 3.3 (the odometer)",
    params=(multiset("eps"), multiset("delta", PROBABILITY), one("delta_g", PROBABILITY)),
    hypotheses=(Hypothesis.PDP_ROUNDS,),
)
def basic_odometer(ar: Arithmetic, eps: Multiset, delta: Multiset, delta_g: Fraction) -> Result:
    """What the basic odometer shows: the sum of the epsilons, inf once the deltas exceed their budget.

    rogers2016/thm3.3.odometer: Rogers et al. 2016, Theorem 3.3: inf if sum delta_i > delta_g, else sum eps_i. It bounds
    the privacy loss for pDP rounds (and for the loss of the dominating randomized response), not for general
    (epsilon, delta)-DP rounds with delta > 0.
    """
    return "inf" if total(delta) > delta_g else total(eps)


@implements(
    "rogers2016/thm3.3.filter",
    kind="exact",
    cites="Theorem 3.3 (the filter)",
    params=(multiset("eps"), multiset("delta", PROBABILITY), one("eps_g"), one("delta_g", PROBABILITY)),
)
def basic_filter(ar: Arithmetic, eps: Multiset, delta: Multiset, eps_g: Fraction, delta_g: Fraction) -> Result:
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
