"""The Renyi filter that charges randomized response's own divergence, which no (epsilon, delta)-DP round exceeds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from privref.composition.basic import total
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import HypothesisError
from privref.guarantees.model import Guarantee, checked_dp_parameters
from privref.guarantees.randomized_response import charged_ratio, response_renyi
from privref.guarantees.renyi import conversion_cost, rdp_to_dp_eps
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import ABOVE_ONE, OPEN_PROBABILITY, PROBABILITY, Multiset, multiset, one
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .additive import as_number, best_order
from .protocol import Decision, Reading, StepsByBlocks
from .renyi import limit_if_any
from .running import BudgetLimit, ExactSum, exceeds, plus


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

    spent: ExactSum = ExactSum()  # noqa: RUF009 - immutable
    plain: ExactSum = ExactSum()  # noqa: RUF009 - immutable
    delta: Fraction = Fraction(0)
    halted: bool = False


@dataclass(frozen=True, slots=True)
class AtOneOrder:
    """What two filters share that let run what either the sum of epsilons or the sum at one Renyi order lets run."""

    eps: Fraction
    order: Fraction
    delta_prime: Fraction
    delta_pp: Fraction
    limit: BudgetLimit | None
    engine: decide.EngineName = "arb"

    @classmethod
    def of(
        cls,
        eps: Fraction,
        order: Fraction,
        delta_prime: Fraction,
        delta_pp: Fraction,
        engine: decide.EngineName = "arb",
    ) -> Self:
        """The filter; where the conversion at the order alone costs more than eps, only sums of epsilon are left."""
        return cls(eps, order, delta_prime, delta_pp, limit_if_any(eps, order, delta_prime, engine), engine)

    def refusal(self, plain: ExactSum | Fraction | None, at_order: ExactSum | Fraction, delta: Fraction) -> str:
        """Return why these sums are too much, of deltas, or of epsilons and at the order too; "" where they are not."""
        if delta.numerator and exceeds(delta, self.delta_pp):
            return "sum of delta exceeds delta''"
        if plain is not None and not exceeds(plain, self.eps):
            return ""
        within = self.limit is not None and self.limit.admits(at_order)
        return "" if within else "both sums exceed their limits"

    def converted(self, ar: Arithmetic, spent: Fraction) -> Scalar:
        """The epsilon, at least 0, to which a sum at the order converts."""
        return ar.maximum(rdp_to_dp_eps(ar, self.order, spent, self.delta_prime), 0)


@dataclass(frozen=True, slots=True)
class ResponseFilter(AtOneOrder, StepsByBlocks[ResponseState]):
    """The response filter as a machine: it charges each round's divergence, rounded up by less than 2^-96."""

    statement: str = theorem("feldman2021/response_filter").id
    hypotheses: tuple[Hypothesis, ...] = theorem("feldman2021/response_filter").hypotheses

    def start(self) -> ResponseState:
        return ResponseState()

    def block(self, state: ResponseState, event: Guarantee, count: int) -> tuple[ResponseState, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through.

        HALT where both sums would exceed their limits or the deltas exceed delta'', strictly.
        """
        found = checked_dp_parameters(event)
        if found is None:
            wanted = Hypothesis.APPROX_DP_ROUNDS.value
            raise HypothesisError(f"{self.statement} does not cover a {event.kind} event: it requires {wanted}")
        if state.halted:
            return state, Decision("HALT", self.read(state), "the filter has halted")
        epsilon, delta = found
        n, d = epsilon.numerator, epsilon.denominator
        after = ResponseState(
            state.spent.plus(*charged_ratio(n, d, self.order.numerator, self.order.denominator, self.engine), count),
            state.plain.plus(n, d, count),
            plus(state.delta, delta, count),
        )
        if refused := self.refusal(after.plain, after.spent, after.delta):
            return replace(state, halted=True), Decision("HALT", self.read(state), refused)
        return after, Decision("CONT", self.read(after))

    def read(self, state: ResponseState) -> Reading:
        """The least epsilon that either sum gives for what has run."""
        return lambda ar: ar.minimum(self.converted(ar, state.spent.value), state.plain.value)
