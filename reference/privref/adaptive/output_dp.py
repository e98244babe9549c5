"""The output-DP accountant (Hartmann et al. 2022, Algorithm 1) and the same rule as a filter (Algorithm 6).

Both are machines in two phases. ``step`` decides a request on the largest cost of its cells, before any answer, and
reserves that cost; ``observe`` receives the cell of the answer and gives back what the cell did not cost. An answer
whose cell is never reported stays charged at the largest cost, which is sound (hartmann2022/lem4). delta is charged
whole: no part of it depends on the cell (erratum E12).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import HypothesisError, InputError
from privref.exact.numbers import count_sum, spell
from privref.exact.seams import seam
from privref.guarantees.model import Guarantee, OutputDP, as_approx_dp
from privref.guarantees.output_dp import require_cell, supremum
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Probability
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .protocol import Decision, FilterVerdict
from .running import checked

#: The cell of an event whose guarantee is plain DP (hartmann2022/lem3: one cell suffices).
DP_CELL = "any"


def as_output_dp(event: Guarantee, statement: str) -> OutputDP:
    """The event's output-DP guarantee: its own, or by Lemma 3 the one cell of its DP guarantee.

    InputError for parameters that no guarantee can have.
    """
    checked(event)
    if isinstance(event, OutputDP):
        return event
    approx = as_approx_dp(event)
    if approx is None:
        raise HypothesisError(f"{statement}: it requires {Hypothesis.OUTPUT_DP_ROUNDS.value}, not {event.kind}")
    return OutputDP(((DP_CELL, approx.epsilon),), approx.delta)


@dataclass(frozen=True, slots=True)
class OutputBudget:
    """What remains of the budget, and the admitted event whose cell has not been reported yet."""

    eps: Fraction
    delta: Fraction
    pending: OutputDP | None = None


@dataclass(frozen=True, slots=True)
class OutputAccountant:
    """Algorithm 1 on a budget (eps, delta): a request is refused or runs, and the answer's cell is what it costs.

    A refusal changes nothing: a smaller request may still be admitted.
    """

    eps: Fraction
    delta: Fraction
    statement: str = theorem("hartmann2022/alg1").id
    hypotheses: tuple[Hypothesis, ...] = theorem("hartmann2022/alg1").hypotheses
    #: Its readings are what is left of the budget, not what was spent.
    reads_remaining: ClassVar[bool] = True

    def start(self) -> OutputBudget:
        """The whole budget."""
        return OutputBudget(self.eps, self.delta)

    def step(self, state: OutputBudget, event: Guarantee) -> tuple[OutputBudget, Decision]:
        """Admit the request iff its largest cost and its delta fit the remaining budget, and reserve them."""
        guarantee = as_output_dp(event, self.statement)
        worst = supremum(guarantee.cells)
        if worst > state.eps:
            return state, Decision("HALT", state.eps, f"the largest cost {spell(worst)} exceeds the remaining epsilon")
        if guarantee.delta > state.delta:
            reason = f"delta {spell(guarantee.delta)} exceeds the remaining delta {spell(state.delta)}"
            return state, Decision("HALT", state.eps, reason)
        # An earlier event still pending stays at its largest cost from here on.
        after = OutputBudget(state.eps - worst, state.delta - guarantee.delta, guarantee)
        return after, Decision("CONT", after.eps)

    def observe(self, state: OutputBudget, cell: str) -> OutputBudget:
        """Settle the admitted event at the cost of the observed cell; InputError for a cell it does not have."""
        if state.pending is None:
            raise InputError("observed_cell", cell, "no admitted event is waiting for its answer")
        saved = supremum(state.pending.cells) - require_cell(state.pending, cell)
        return OutputBudget(state.eps + saved, state.delta)

    def read(self, state: OutputBudget) -> Fraction:
        """The remaining epsilon."""
        return state.eps


@dataclass(frozen=True, slots=True)
class OutputFilterState:
    """What the answered events have cost, and the admitted event whose cell has not been reported yet."""

    eps: Fraction
    delta: Fraction
    halted: bool = False
    pending: OutputDP | None = None


@dataclass(frozen=True, slots=True)
class OutputFilter:
    """Algorithm 6 with the filter of Definition 19: HALT for good at the first request that does not fit."""

    eps: Fraction
    delta: Fraction
    statement: str = theorem("hartmann2022/def19").id
    hypotheses: tuple[Hypothesis, ...] = theorem("hartmann2022/def19").hypotheses

    def start(self) -> OutputFilterState:
        """Nothing spent."""
        return OutputFilterState(Fraction(0), Fraction(0))

    def step(self, state: OutputFilterState, event: Guarantee) -> tuple[OutputFilterState, Decision]:
        """CONT iff the costs of the past answers plus the request's largest cost fit the budget."""
        guarantee = as_output_dp(event, self.statement)
        count_sum(state.eps, supremum(guarantee.cells))
        count_sum(state.delta, guarantee.delta)
        eps, delta = state.eps + supremum(guarantee.cells), state.delta + guarantee.delta
        if state.halted:
            return state, Decision("HALT", state.eps, "the filter has halted")
        if simple_filter_verdict(eps, delta, self.eps, self.delta) == "HALT":
            reason = f"the request would take the spent budget to ({spell(eps)}, {spell(delta)})"
            return replace(state, halted=True, pending=None), Decision("HALT", state.eps, reason)
        return OutputFilterState(eps, delta, pending=guarantee), Decision("CONT", eps)

    def observe(self, state: OutputFilterState, cell: str) -> OutputFilterState:
        """Replace the largest cost of the admitted event by that of the observed cell."""
        if state.pending is None:
            raise InputError("observed_cell", cell, "no admitted event is waiting for its answer")
        spent = state.eps - supremum(state.pending.cells) + require_cell(state.pending, cell)
        return replace(state, eps=spent, pending=None)

    def read(self, state: OutputFilterState) -> Fraction:
        """The spent epsilon."""
        return state.eps


def simple_filter_verdict(eps_sum: Fraction, delta_sum: Fraction, eps_t: Fraction, delta_t: Fraction) -> FilterVerdict:
    """HALT iff a sum strictly exceeds its budget."""
    return "HALT" if eps_sum > eps_t or delta_sum > delta_t else "CONT"


def _left(
    eps_t: Fraction, delta_t: Fraction, spends: Sequence[Fraction], deltas: Sequence[Fraction], *, printed: bool = False
) -> str:
    """What remains after the spends; refuses a spend that Algorithm 1 could not have admitted.

    Its line 4 stands as printed too: what does not fit the remaining budget, however that came about, is not run.
    """
    if len(deltas) != len(spends):
        raise InputError("deltas", f"{len(deltas)} values", f"give {len(spends)}, one for each spend")
    eps_r, delta_r = eps_t, delta_t
    for i, (spend, delta) in enumerate(zip(spends, deltas, strict=True)):
        if spend > eps_r:
            raise InputError(f"spends[{i}]", str(spend), f"it exceeds the remaining epsilon {eps_r}")
        if delta > delta_r:
            raise InputError(f"deltas[{i}]", str(delta), f"it exceeds the remaining delta {delta_r}")
        eps_r, delta_r = (spend, delta) if printed else (eps_r - spend, delta_r - delta)
    return f"eps_r={_spelled(eps_r)}, delta_r={_spelled(delta_r)}"


@seam
def _spelled(number: Fraction) -> str:
    """A number of a statement's answer or refusal, spelled exactly."""
    return spell(number)


@implements("hartmann2022/alg1.remaining", kind="exact", cites="Algorithm 1, lines 7 and 8, Theorem 7")
def remaining_budget(
    ar: Arithmetic, eps_t: Fraction, delta_t: Fraction, spends: Sequence[Fraction], deltas: Sequence[Probability]
) -> Result:
    """What Algorithm 1 leaves of a budget after answers whose cells cost ``spends``.

    hartmann2022/alg1.remaining: Hartmann et al. 2022, Algorithm 1: eps_r = eps_t - sum of E_i(observed cell),
    delta_r = delta_t - sum of delta_i (lines 7 and 8 read as subtraction, erratum E11). The whole interaction is
    (eps_t, delta_t)-DP (Theorem 7).
    """
    return _left(eps_t, delta_t, spends, deltas)


@implements(
    "hartmann2022/alg1.remaining.printed",
    kind="exact",
    cites="Algorithm 1, lines 7 and 8 as the copy that was read has them",
    standing="printed",
)
def remaining_budget_printed(
    ar: Arithmetic, eps_t: Fraction, delta_t: Fraction, spends: Sequence[Fraction], deltas: Sequence[Probability]
) -> Result:
    """What Algorithm 1 would leave if its lines 7 and 8 were assignments: unsound.

    hartmann2022/alg1.remaining.printed: Hartmann et al. 2022, Algorithm 1 as the copy that was read has it (its prose
    says that both are subtracted): eps_r = E_i(observed cell), delta_r = delta_i. Two randomized responses of log 2 on
    a budget of log 2 would both run (erratum E11).
    """
    return _left(eps_t, delta_t, spends, deltas, printed=True)


@implements("hartmann2022/def19.simple_filter", kind="exact", cites="Definition 19 and Algorithm 6")
def simple_filter(
    ar: Arithmetic, eps: Sequence[Fraction], delta: Sequence[Probability], eps_t: Fraction, delta_t: Fraction
) -> Result:
    """Whether the output-DP filter lets the last request run: CONT or HALT.

    hartmann2022/def19.simple_filter: Hartmann et al. 2022, Definition 19 with Algorithm 6: HALT iff sum eps^i > eps_t
    or sum delta_i > delta_t (strict), where eps^i is the cost of the observed cell for past rounds and the largest
    cost for the requested one.
    """
    if len(delta) != len(eps):
        raise InputError("delta", f"{len(delta)} values", f"give {len(eps)}, one for each eps")
    return simple_filter_verdict(sum(eps, Fraction(0)), sum(delta, Fraction(0)), eps_t, delta_t)


@implements(
    "hartmann2022/alg1.least_eps",
    kind="upper",
    cites="Algorithm 1 and Theorem 7",
    hypotheses=(Hypothesis.OUTPUT_DP_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.SEQUENTIAL),
)
def least_admitting_eps(ar: Arithmetic, sups: Sequence[Fraction], spends: Sequence[Fraction]) -> Result:
    """The least budget epsilon on which Algorithm 1 admits these rounds.

    hartmann2022/alg1.least_eps: Hartmann et al. 2022, Algorithm 1: the largest, over the rounds i, of the spends before
    i plus the largest cost of i; a budget of at least this, fixed in advance, makes the interaction
    (eps, sum of delta_i)-DP by Theorem 7. InputError where a spend exceeds its round's largest cost.
    """
    if len(sups) != len(spends):
        raise InputError("spends", f"{len(spends)} values", f"give {len(sups)}, one for each largest cost")
    spent = least = Fraction(0)
    for i, (worst, spend) in enumerate(zip(sups, spends, strict=True)):
        if spend > worst:
            raise InputError(f"spends[{i}]", _spelled(spend), f"it exceeds the round's largest cost {_spelled(worst)}")
        count_sum(spent, worst)
        count_sum(spent, spend)
        least = max(least, spent + worst)
        spent += spend
    return least


@implements(
    "hartmann2022/thm7.eps",
    kind="upper",
    cites="Theorem 7 with Lemma 20",
    hypotheses=(Hypothesis.OUTPUT_DP_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.SEQUENTIAL),
)
def interaction_eps(ar: Arithmetic, eps_t: Fraction, delta_t: Fraction) -> Result:
    """The epsilon of the whole interaction that Algorithm 1 admits on a budget: the budget's own.

    hartmann2022/thm7.eps: Hartmann et al. 2022, Theorem 7: the view of every adversary is (eps_t, delta_t)-DP.
    """
    return eps_t


@implements(
    "hartmann2022/thm7.delta",
    kind="upper",
    cites="Theorem 7 with Lemma 20",
    hypotheses=(Hypothesis.OUTPUT_DP_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.SEQUENTIAL),
)
def interaction_delta(ar: Arithmetic, eps_t: Fraction, delta_t: Fraction) -> Result:
    """The delta of the whole interaction that Algorithm 1 admits on a budget: the budget's own.

    hartmann2022/thm7.delta: Hartmann et al. 2022, Theorem 7: the view of every adversary is (eps_t, delta_t)-DP.
    """
    return delta_t
