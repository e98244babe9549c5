"""The Renyi filter that charges randomized response's own divergence, which no (epsilon, delta)-DP round exceeds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from privref.composition.basic import total
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import HypothesisError
from privref.guarantees.model import Guarantee, dp_parameters
from privref.guarantees.renyi import conversion_cost, rdp_to_dp_eps
from privref.guarantees.response import charged, response_renyi
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import ABOVE_ONE, OPEN_PROBABILITY, PROBABILITY, Multiset, multiset, one
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .protocol import Decision, Reading
from .renyi import limit_if_any
from .running import BudgetLimit, checked, plus
from .zcdp import as_number, best_order


@implements(
    "feldman2021/response_filter.decision",
    kind="exact",
    cites="the Renyi filter of one order, charged with the divergence of randomized response",
    params=(
        one("order", ABOVE_ONE),
        multiset("eps"),
        multiset("delta", PROBABILITY),
        one("eps_g"),
        one("delta_prime", OPEN_PROBABILITY),
        one("delta_pp", PROBABILITY),
    ),
    hypotheses=(Hypothesis.APPROX_DP_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def response_filter_decision(
    ar: Arithmetic,
    order: Fraction,
    eps: Multiset,
    delta: Multiset,
    eps_g: Fraction,
    delta_prime: Fraction,
    delta_pp: Fraction,
) -> Result:
    """Whether the response filter lets the last of these rounds run.

    feldman2021/response_filter.decision: HALT iff the sum of the deltas exceeds delta'', or both the sum of the
    epsilons exceeds eps_g and that of mironov2017/response.renyi at the order converts (cks2020/rdp2dp.eps at delta')
    to more than eps_g. What runs is (eps_g, delta' + delta'')-DP. Proof: an (epsilon, delta)-DP round is post-processed
    randomized response, so it is delta-approximate with that divergence, and feldman2021/renyi_filter holds up to the
    halting time of the one sum; up to that of the other the loss is at most eps_g. N is one of both times, so that
    E[(1 - e^(eps_g - L_N))_+] is at most the sum of the two expectations, delta' + 0. At the order of
    cks2020/zcdp2dp.order it lets run whatever the tight zCDP filter does, as the divergence is at most alpha eps^2/2.
    """
    if total(delta) > delta_pp:
        return "HALT"
    if total(eps) <= eps_g:
        return "CONT"

    def converted(inner: Arithmetic) -> Scalar:
        spent = inner.sum(count * response_renyi(inner, each, order) for each, count in eps) if eps else Fraction(0)
        return spent + conversion_cost(inner, order, delta_prime)

    # No tie of these transcendental numbers with a rational is known to be impossible: the ladder's cap guards it.
    return "HALT" if decide.exceeds(converted, lambda inner: eps_g, ar) else "CONT"


def tuned_order(eps: Fraction, delta_prime: Fraction, engine: decide.EngineName = "arb") -> Fraction:
    """A short rational next to the best order of the tight conversion: good for many small rounds, valid for all."""
    found = decide.enclose(
        lambda ar: as_number(best_order(ar, eps, delta_prime)), decide.engine(engine), Fraction(1, 2**60)
    )
    return Fraction(math.ceil(found.upper * 2**20), 2**20)


@dataclass(frozen=True, slots=True)
class ResponseState:
    """The exact sums of charged divergences, epsilons and deltas, and whether the filter has halted."""

    spent: Fraction = Fraction(0)
    plain: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    halted: bool = False


@dataclass(frozen=True, slots=True)
class ResponseFilter:
    """The response filter as a machine: it charges each round's divergence, rounded up by less than 2^-96."""

    eps: Fraction
    order: Fraction
    delta_prime: Fraction
    delta_pp: Fraction
    limit: BudgetLimit | None
    engine: decide.EngineName = "arb"
    statement: str = theorem("feldman2021/response_filter").id
    hypotheses: tuple[Hypothesis, ...] = theorem("feldman2021/response_filter").hypotheses

    @classmethod
    def of(
        cls,
        eps: Fraction,
        order: Fraction,
        delta_prime: Fraction,
        delta_pp: Fraction,
        engine: decide.EngineName = "arb",
    ) -> ResponseFilter:
        """The filter; where the conversion at the order alone costs more than eps, only the sum of epsilons is left."""
        limit = limit_if_any(eps, order, delta_prime, engine)
        return cls(eps, order, delta_prime, delta_pp, limit, engine)

    def start(self) -> ResponseState:
        return ResponseState()

    def step(self, state: ResponseState, event: Guarantee) -> tuple[ResponseState, Decision]:
        """HALT where both sums would exceed their limits or the deltas exceed delta'', strictly."""
        return self.block(state, event, 1)

    def block(self, state: ResponseState, event: Guarantee, count: int) -> tuple[ResponseState, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through."""
        found = dp_parameters(checked(event))
        if found is None:
            wanted = Hypothesis.APPROX_DP_ROUNDS.value
            raise HypothesisError(f"{self.statement} does not cover a {event.kind} event: it requires {wanted}")
        if state.halted:
            return state, Decision("HALT", self.read(state), "the filter has halted")
        epsilon, delta = found
        after = ResponseState(
            plus(state.spent, charged(epsilon, self.order, self.engine), count),
            plus(state.plain, epsilon, count),
            plus(state.delta, delta, count),
        )
        within = after.plain <= self.eps or (self.limit is not None and self.limit.admits(after.spent))
        if after.delta > self.delta_pp or not within:
            what = "sum of delta exceeds delta''" if after.delta > self.delta_pp else "both sums exceed their limits"
            return replace(state, halted=True), Decision("HALT", self.read(state), what)
        return after, Decision("CONT", self.read(after))

    def read(self, state: ResponseState) -> Reading:
        """The least epsilon that either sum gives for what has run."""

        def reading(ar: Arithmetic) -> Scalar:
            converted = rdp_to_dp_eps(ar, self.order, state.spent, self.delta_prime)
            return ar.minimum(ar.maximum(converted, 0), state.plain)

        return reading
