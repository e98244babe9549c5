"""Filters at one Renyi order, or by plain sums: of randomized response's own divergence, and of what was released.

No (epsilon, delta)-DP round exceeds randomized response's divergence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, Self, cast

from privref.composition.basic import total
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar, is_enclosing
from privref.exact.errors import InputError, MorePrecisionError
from privref.exact.numbers import spell
from privref.exact.work import spend
from privref.guarantees.conversions import conversion_cost, rdp_to_dp_eps, renyi_cost
from privref.guarantees.model import Guarantee, OutputDP, as_approx_dp, checked_dp_parameters
from privref.guarantees.output_dp import is_ex_post, require_cell, supremum
from privref.guarantees.randomized_response import charged, charged_ratio, response_renyi
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import AboveOne, Count, Multiset, OpenProbability, Probabilities, Probability
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .additive import as_number, best_order
from .protocol import Decision, Reading, StepsByBlocks, not_covered
from .renyi import limit_if_any
from .running import BudgetLimit, ExactSum, checked, exceeds, plus


@implements(
    "feldman2021/response_filter.decision",
    kind="exact",
    cites="the Renyi filter of one order, charged with the divergence of randomized response",
    hypotheses=(Hypothesis.APPROX_DP_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def response_filter_decision(
    ar: Arithmetic,
    order: AboveOne,
    eps: Multiset,
    delta: Probabilities,
    eps_g: Fraction,
    delta_prime: OpenProbability,
    delta_pp: Probability,
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


class ResponseState(NamedTuple):
    """The exact sums of charged divergences, epsilons and deltas, and whether the filter has halted."""

    spent: ExactSum = ExactSum()
    plain: ExactSum = ExactSum()
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
            raise not_covered(self, event, Hypothesis.APPROX_DP_ROUNDS)
        if state.halted:
            return state, Decision("HALT", self.read(state), "the filter has halted")
        epsilon, delta = found
        n, d = epsilon.numerator, epsilon.denominator
        after = ResponseState(
            state.spent.plus(*charged_ratio(n, d, self.order.numerator, self.order.denominator, self.engine), count),
            state.plain.plus(n, d, count),
            plus(state.delta, delta, count) if delta.numerator else state.delta,
        )
        if refused := self.refusal(after.plain, after.spent, after.delta):
            return state._replace(halted=True), Decision("HALT", self.read(state), refused)
        return after, Decision("CONT", self.read(after))

    def read(self, state: ResponseState) -> Reading:
        """The least epsilon that either sum gives for what has run."""
        return lambda ar: ar.minimum(self.converted(ar, state.spent.value), state.plain.value)


# --- the ex-post filter: rounds that pay for what they released -------------------------------------------------------


_RULE = theorem("rswr2023/ex_post_filter")


@implements(
    "rswr2023/ex_post_filter.decision",
    kind="exact",
    cites="ex-post rounds added to the Renyi filter of one order",
    hypotheses=(Hypothesis.EX_POST_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def ex_post_filter_decision(
    ar: Arithmetic,
    order: AboveOne,
    spends: Sequence[Fraction],
    eps: Multiset,
    rho: Multiset,
    delta: Probabilities,
    eps_g: Fraction,
    delta_prime: OpenProbability,
    delta_pp: Probability,
) -> Result:
    """Whether the ex-post filter lets the last of these rounds run.

    rswr2023/ex_post_filter.decision: ``spends`` are the ex-post epsilons of what ex-post rounds have released, and of
    the requested one the largest. HALT iff the sum of the deltas exceeds delta'', or S = sum spends plus sum order rho
    plus the sum of mironov2017/response.renyi(eps, order) converts (cks2020/rdp2dp.eps at delta') to more than eps_g,
    and so does not end below it either as sum spends + sum eps, where no rho is positive. What runs is (eps_g, delta' +
    delta'')-DP. Proof: the loss of ex-post rounds is at most sum spends, on every transcript; for that of the others
    less their charges, X, e^((order - 1) X) is a supermartingale from 1 on, whatever ex-post rounds tell in between;
    and (1 - e^(c - X))_+ <= delta' e^((order - 1) X) for the c that the conversion costs.
    """
    if total(delta) > delta_pp:
        return "HALT"
    released = sum(spends, Fraction(0))
    if not total(rho) > 0 and released + total(eps) <= eps_g:
        return "CONT"

    def converted(inner: Arithmetic) -> Scalar:
        responses = [count * response_renyi(inner, each, order) for each, count in eps]
        spent = released + order * total(rho) + conversion_cost(inner, order, delta_prime)
        return spent + inner.sum(responses) if responses else spent

    # No tie of these transcendental numbers with a rational is known to be impossible: the ladder's cap guards it.
    return "HALT" if decide.exceeds(converted, lambda inner: eps_g, ar) else "CONT"


@implements(
    "rswr2023/ex_post_filter.least_eps",
    kind="upper",
    cites="ex-post rounds added to the Renyi filter of one order, the least budget",
    hypotheses=(Hypothesis.EX_POST_ROUNDS, Hypothesis.EX_POST_BUDGET, Hypothesis.TUNING_IN_ADVANCE),
    standing="ours",
)
def ex_post_least_eps(
    ar: Arithmetic,
    order: AboveOne,
    sups: Sequence[Fraction],
    spends: Sequence[Fraction],
    eps: Sequence[Fraction],
    cost: Sequence[Fraction],
    counts: Sequence[Count],
    delta_prime: OpenProbability,
) -> Result:
    """The least budget epsilon on which the ex-post filter lets these rounds run, in order.

    rswr2023/ex_post_filter.least_eps: entry i stands for counts_i equal rounds; an ex-post one has its largest cost in
    ``sups`` and what it released in ``spends``, any other its epsilon in ``eps``, or in ``cost`` what it costs at the
    order where it has none. The largest, over the rounds, of the smaller of both sums of
    rswr2023/ex_post_filter.decision. An enforced budget of at least this makes what runs (eps, delta' + delta'')-DP.
    """
    for name, values in (("spends", spends), ("eps", eps), ("cost", cost), ("counts", counts)):
        if len(values) != len(sups):
            raise InputError(name, f"{len(values)} values", f"give {len(sups)}, one for each of sups")
    conversion, responses = conversion_cost(ar, order, delta_prime), ar.real(Fraction(0))
    released = other = plain = Fraction(0)
    has_epsilons, least = True, cast(Scalar, Fraction(0))
    for i, times in enumerate(counts):
        if spends[i] > sups[i]:
            raise InputError(f"spends[{i}]", spell(spends[i]), f"it exceeds the largest cost {spell(sups[i])}")
        _charge(ar, released, plain, other, sups[i], spends[i], eps[i], cost[i])
        # Sums only grow along an entry, so that its last round asks for the most.
        asked = released + (times - 1) * spends[i] + sups[i]
        released, plain, other = released + times * spends[i], plain + times * eps[i], other + times * cost[i]
        has_epsilons = has_epsilons and not cost[i] > 0
        if eps[i] > 0:
            responses = responses + times * response_renyi(ar, eps[i], order)
        converted = asked + other + responses + conversion
        needed = _smaller(ar, converted, asked + plain) if has_epsilons else converted
        least = _larger(ar, least, needed)
    return least


def _charge(ar: Arithmetic, *values: Scalar) -> None:
    """Count an entry's exact work alongside the arithmetic's own: sums of rationals of ever longer denominators.

    Their greatest common divisors, and in balls their conversion, take the square of the length.
    """
    bits = sum(value.denominator.bit_length() for value in values if isinstance(value, Fraction))
    spend(16 + (bits * bits >> (24 if ar.name == "mpmath" else 21)))


def _smaller(ar: Arithmetic, first: Scalar, second: Scalar) -> Scalar:
    """The smaller number, as it is where that is certain, so that a sum of rationals stays one."""
    sign = _sign(ar, first, second)
    return ar.minimum(first, second) if sign is None else second if sign > 0 else first


def _larger(ar: Arithmetic, first: Scalar, second: Scalar) -> Scalar:
    sign = _sign(ar, first, second)
    return ar.maximum(first, second) if sign is None else second if sign < 0 else first


def _sign(ar: Arithmetic, first: Scalar, second: Scalar) -> int | None:
    """The sign of the difference; None of symbols, and where it is open at this precision, as a tie may be at any."""
    if not is_enclosing(ar):
        return None
    try:
        return decide.sign_now(cast(Real, first) - second, ar)
    except MorePrecisionError:
        return None


@dataclass(frozen=True, slots=True)
class ExPostState:
    """Exact sums: what ex-post rounds released, what the others cost at the order and plainly, and their deltas.

    ``plain`` is None once a round has no epsilon. ``pending`` is the last ex-post round until its cell is reported.
    """

    released: Fraction = Fraction(0)
    spent: Fraction = Fraction(0)
    plain: Fraction | None = Fraction(0)
    delta: Fraction = Fraction(0)
    pending: OutputDP | None = None
    halted: bool = False


@dataclass(frozen=True, slots=True)
class ExPostFilter(AtOneOrder, StepsByBlocks[ExPostState]):
    """The ex-post filter as a machine in two phases: ``step`` reserves the largest cost, ``observe`` settles it.

    An answer whose cell is never reported stays charged at the largest cost. Output-DP rounds with a delta are charged
    as (epsilon, delta)-DP ones, at the order.
    """

    statement: str = _RULE.id
    hypotheses: tuple[Hypothesis, ...] = _RULE.hypotheses

    def start(self) -> ExPostState:
        return ExPostState()

    def block(self, state: ExPostState, event: Guarantee, count: int) -> tuple[ExPostState, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through, at its largest cost.

        HALT where both sums would exceed their limits or the deltas exceed delta'', strictly.
        """
        asked = self._asked(state, checked(event), count)
        if state.halted:
            return state, Decision("HALT", self.read(state), "the filter has halted")
        plain = None if asked.plain is None else asked.released + asked.plain
        if refused := self.refusal(plain, asked.released + asked.spent, asked.delta):
            return replace(state, halted=True, pending=None), Decision("HALT", self.read(state), refused)
        return asked, Decision("CONT", self.read(asked))

    def _asked(self, state: ExPostState, event: Guarantee, count: int) -> ExPostState:
        pending = event if isinstance(event, OutputDP) and count == 1 else None
        if is_ex_post(event):
            assert isinstance(event, OutputDP)
            return replace(state, released=state.released + count * supremum(event.cells), pending=pending)
        approx = as_approx_dp(event)
        if approx is not None:
            plain = None if state.plain is None else state.plain + count * approx.epsilon
            cost, delta = charged(approx.epsilon, self.order, self.engine), approx.delta
        else:
            found = renyi_cost(event, self.order)
            if found is None:
                raise not_covered(self, event, Hypothesis.EX_POST_ROUNDS)
            (cost, delta), plain = found, state.plain if not found[0] else None
        return replace(
            state, spent=state.spent + count * cost, plain=plain, delta=state.delta + count * delta, pending=pending
        )

    def observe(self, state: ExPostState, cell: str) -> ExPostState:
        """Settle the last round at the cost of the observed cell; InputError for a cell it does not have."""
        if state.pending is None:
            raise InputError("observed_cell", cell, "no admitted event is waiting for its answer")
        saved = supremum(state.pending.cells) - require_cell(state.pending, cell)
        if not is_ex_post(state.pending):
            saved = Fraction(0)
        return replace(state, released=state.released - saved, pending=None)

    def read(self, state: ExPostState) -> Reading:
        """The least epsilon that either sum gives for what has run, what is not settled at its largest cost."""
        if state.plain == 0:
            return state.released

        def reading(ar: Arithmetic) -> Scalar:
            converted = self.converted(ar, state.spent)
            return state.released + (converted if state.plain is None else ar.minimum(converted, state.plain))

        return reading
