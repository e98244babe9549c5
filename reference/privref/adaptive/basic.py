"""The basic filter and odometer of Rogers et al. 2016: sums of epsilons and deltas, exactly."""

from __future__ import annotations

from fractions import Fraction

from privref.composition.basic import total
from privref.exact.arithmetic import Arithmetic
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import PROBABILITY, Multiset, multiset, one
from privref.statements.registry import Result, implements


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
