"""The filter and the odometer of Rogers et al. 2016, Theorems 5.1 and 6.2. All epsilons are in nats.

Formulas take the drift m = sum eps_i (e^eps_i - 1)/2 and the intrinsic time S = sum eps_i^2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from privref.composition.basic import total, total_of_squares
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import HypothesisError, UndecidedError
from privref.guarantees.model import Guarantee, checked_dp_parameters
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import (
    AT_LEAST_TWO,
    BELOW_INVERSE_E,
    POSITIVE,
    AtLeastTwo,
    BelowInverseE,
    Multiset,
    Positive,
    Probabilities,
    one,
)
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .odometers import TimeOdometer
from .protocol import Decision, StepsByBlocks, not_covered
from .running import ExactSum, RunningSum, exceeds, plus
from .whitehouse import in_epochs

#: The paper's rounding of 8 x*, where x* = 2 + log(1 + x*) = 3.50524…
TUNING = Fraction(2804, 100)


def drift(ar: Arithmetic, eps: Multiset) -> Real:
    """sum eps_i (e^eps_i - 1) / 2."""
    return ar.sum(count * value * ar.expm1(value) / 2 for value, count in eps)


def filter_bound(ar: Arithmetic, m: Scalar, S: Scalar, eps_g: Scalar, delta_g: Scalar) -> Real:
    """Equation (2), with 28.04 in both places."""
    scale = ar.lift(TUNING) * ar.log(1 / ar.real(delta_g))
    spread = 2 * (S + eps_g * eps_g / scale) * (1 + ar.log(scale * S / (eps_g * eps_g) + 1) / 2)
    return m + ar.sqrt(spread * ar.log(2 / ar.real(delta_g)))


def odometer_inside(ar: Arithmetic, m: Scalar, S: Scalar, n: Scalar, delta_g: Scalar) -> Real:
    """Equation (3)."""
    epochs = ar.log(n) / ar.log(2)
    return m + 2 * ar.sqrt(S * (1 + ar.log(ar.sqrt(3))) * ar.log(4 * epochs / delta_g))


def odometer_outside(ar: Arithmetic, m: Scalar, S: Scalar, n: Scalar, delta_g: Scalar) -> Real:
    """Equation (4), without its surplus parenthesis."""
    epochs = ar.log(n) / ar.log(2)
    floor = 1 / (ar.lift(Fraction(1)) * n * n)
    spread = 2 * (floor + S) * (1 + ar.log(1 + n * n * S) / 2)
    return m + ar.sqrt(spread * ar.log(4 * epochs / delta_g))


@implements("rogers2016/thm5.1.bound", kind="upper", cites="Theorem 5.1, equation (2)")
def rogers_filter_bound(ar: Arithmetic, eps: Multiset, eps_g: Positive, delta_g: BelowInverseE) -> Scalar:
    """What the Rogers filter compares with its epsilon budget.

    rogers2016/thm5.1.bound: Rogers et al. 2016, Theorem 5.1, equation (2), delta_g in (0, 1/e), eps_g > 0:
    m + sqrt(2 (S + eps_g^2/(28.04 l)) (1 + log(28.04 l S/eps_g^2 + 1)/2) log(2/delta_g)), l = log(1/delta_g). It is
    positive for no rounds. Theorem 4.1 with beta = eps_g^2/(28.04 l) forces 28.04 in both places.
    """
    return filter_bound(ar, drift(ar, eps), total_of_squares(eps), eps_g, delta_g)


@implements("rogers2016/thm5.1.decision", kind="exact", cites="Theorem 5.1")
def rogers_filter_decision(
    ar: Arithmetic, eps: Multiset, delta: Probabilities, eps_g: Positive, delta_g: BelowInverseE
) -> Result:
    """Whether the Rogers filter lets the last of these rounds run.

    rogers2016/thm5.1.decision: Rogers et al. 2016, Theorem 5.1: HALT iff sum delta_i > delta_g/2 or the bound of
    equation (2) exceeds eps_g, strictly. UndecidedError where they agree to the precision cap.
    """
    if total(delta) > delta_g / 2:
        return "HALT"
    # No rational tie is known to be impossible here, so the ladder's cap is the only certain end.
    over = decide.exceeds(lambda inner: rogers_filter_bound(inner, eps, eps_g, delta_g), lambda inner: eps_g, ar)
    return "HALT" if over else "CONT"


_ODOMETER = (Hypothesis.RR_LOSS, Hypothesis.PUBLIC_SIZE)


@implements("rogers2016/thm6.2.eq3", kind="upper", cites="Theorem 6.2, equation (3)", hypotheses=_ODOMETER)
def rogers_odometer_inside(ar: Arithmetic, eps: Multiset, n: AtLeastTwo, delta_g: BelowInverseE) -> Scalar:
    """The Rogers odometer for an intrinsic time in [1/n^2, 1].

    rogers2016/thm6.2.eq3: Rogers et al. 2016, Theorem 6.2, equation (3), n >= 2 public, delta_g in (0, 1/e):
    m + 2 sqrt(S (1 + log sqrt 3) log(4 log_2(n)/delta_g)). HypothesisError for S outside [1/n^2, 1].
    """
    S = total_of_squares(eps)
    if not in_epochs(S, n):
        raise HypothesisError(f"rogers2016/thm6.2.eq3 requires sum eps^2 in [1/n^2, 1], which {S} is not (n = {n})")
    return odometer_inside(ar, drift(ar, eps), S, n, delta_g)


@implements("rogers2016/thm6.2.eq4", kind="upper", cites="Theorem 6.2, equation (4)", hypotheses=_ODOMETER)
def rogers_odometer_outside(ar: Arithmetic, eps: Multiset, n: AtLeastTwo, delta_g: BelowInverseE) -> Scalar:
    """The Rogers odometer for an intrinsic time outside [1/n^2, 1].

    rogers2016/thm6.2.eq4: Rogers et al. 2016, Theorem 6.2, equation (4) without its surplus parenthesis:
    m + sqrt(2 (1/n^2 + S) (1 + log(1 + n^2 S)/2) log(4 log_2(n)/delta_g)). HypothesisError for S in [1/n^2, 1].
    """
    S = total_of_squares(eps)
    if in_epochs(S, n):
        raise HypothesisError(f"rogers2016/thm6.2.eq4 requires sum eps^2 outside [1/n^2, 1], where {S} lies (n = {n})")
    return odometer_outside(ar, drift(ar, eps), S, n, delta_g)


@implements("rogers2016/thm6.2.odometer", kind="upper", cites="Theorem 6.2", hypotheses=_ODOMETER)
def rogers_odometer(
    ar: Arithmetic, eps: Multiset, delta: Probabilities, n: AtLeastTwo, delta_g: BelowInverseE
) -> Result:
    """What the Rogers odometer shows.

    rogers2016/thm6.2.odometer: Rogers et al. 2016, Theorem 6.2: inf if sum delta_i > delta_g/2, else equation (3) for
    S in [1/n^2, 1] (closed), else equation (4). Discontinuous at both ends of that interval.
    """
    if total(delta) > delta_g / 2:
        return "inf"
    S = total_of_squares(eps)
    branch = odometer_inside if in_epochs(S, n) else odometer_outside
    return branch(ar, drift(ar, eps), S, n, delta_g)


@dataclass(frozen=True, slots=True)
class Within:
    """An intrinsic time and a drift at which the bound is certainly within epsilon, and how far ahead they lay.

    The bound increases with both, so that nothing up to there needs to be evaluated.
    """

    time: Fraction = Fraction(0)
    drift: int = 0
    #: The next one is sought 2^-halvings further on.
    halvings: int = 0


@dataclass(frozen=True, slots=True)
class RogersState:
    """The exact intrinsic time, the enclosed drift, the exact sum of the deltas, and whether the filter has halted."""

    time: ExactSum = ExactSum()  # noqa: RUF009 - immutable
    drift: RunningSum = RunningSum()  # noqa: RUF009 - immutable
    delta: Fraction = Fraction(0)
    halted: bool = False
    #: What is known of the bound further on: it decides nothing that the sums do not.
    within: Within = field(default=Within(), compare=False)


@lru_cache(maxsize=4096)
def _drift_term(numerator: int, denominator: int, engine: decide.EngineName) -> RunningSum:
    # By two integers, since Python divides modulo a prime to hash a rational.
    def term(ar: Arithmetic) -> Scalar:
        eps = ar.real(numerator) / denominator
        return eps * ar.expm1(eps) / 2

    return RunningSum.of(term, engine) if numerator else RunningSum()


@lru_cache(maxsize=4096)
def _drift_of_width(width: Fraction, engine: decide.EngineName) -> RunningSum:
    """The largest mean of a loss in an interval of that width: at most width^2/8."""
    return RunningSum.of(lambda ar: width * width / 8, engine)


@dataclass(frozen=True, slots=True)
class RogersFilter(StepsByBlocks[RogersState]):
    """The Rogers filter (rogers2016/thm5.1) as a machine: (eps_g, delta_g)-DP for (epsilon, delta)-DP events."""

    eps_g: Fraction
    delta_g: Fraction
    engine: decide.EngineName = "arb"
    statement: str = theorem("rogers2016/thm5.1").id
    hypotheses: tuple[Hypothesis, ...] = theorem("rogers2016/thm5.1").hypotheses

    def __post_init__(self) -> None:
        one("eps_g", POSITIVE).read(self.eps_g)
        one("delta_g", BELOW_INVERSE_E).read(self.delta_g)

    def start(self) -> RogersState:
        return RogersState()

    def block(self, state: RogersState, event: Guarantee, count: int) -> tuple[RogersState, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through.

        HALT where the sum of the deltas exceeds delta_g/2 or the bound of equation (2) exceeds eps_g, strictly.
        """
        found = checked_dp_parameters(event)
        if found is None:
            raise not_covered(self, event, Hypothesis.APPROX_DP_ROUNDS)
        if state.halted:
            return state, Decision("HALT", self._bound(state), "the filter has halted")
        n, d = found[0].numerator, found[0].denominator
        delta = plus(state.delta, found[1], count)
        time = state.time.plus(n * n, d * d, count)
        if delta.numerator and exceeds(2 * delta, self.delta_g):
            return self._halt(state, "sum of delta exceeds delta_g / 2")
        within = state.within
        later = exceeds(time, within.time)
        # The drift alone is at least half the intrinsic time; without this, e^eps of a huge epsilon would be computed.
        if later and exceeds(time, 2 * self.eps_g):
            return self._halt(state, "sum of epsilon^2 alone exceeds 2 eps_g")
        drift = state.drift.plus(_drift_term(n, d, self.engine), count)
        if later or drift.upper > within.drift:
            if self._exceeds(time.value, drift):
                return self._halt(state, "the bound of equation (2) would exceed eps_g")
            within = self._further(time.value, drift, within.halvings)
        after = RogersState(time, drift, delta, within=within)
        return after, Decision("CONT", self._bound(after))

    def _exceeds(self, time: Fraction, drift: RunningSum) -> bool:
        # The drift is known to about 2^-240: a bound closer to eps_g than that stays open and is refused as undecided.
        bound = self._bound(RogersState(ExactSum(time.numerator, time.denominator), drift))
        return decide.exceeds(bound, lambda ar: self.eps_g, decide.engine(self.engine), cap=768)

    def _further(self, time: Fraction, drift: RunningSum, halvings: int) -> Within:
        """A point ahead that is within the budget too; else this one, and the next is sought half as far."""
        most = drift.upper + (drift.upper >> halvings)
        later = time + time / 2**halvings
        try:
            if not self._exceeds(later, RunningSum(most, most)):
                return Within(later, most, halvings)
        except UndecidedError:
            pass
        return Within(time, drift.upper, halvings + 1)

    def _halt(self, state: RogersState, reason: str) -> tuple[RogersState, Decision]:
        return replace(state, halted=True), Decision("HALT", self._bound(state), reason)

    def _bound(self, state: RogersState) -> Callable[[Arithmetic], Scalar]:
        def bound(ar: Arithmetic) -> Scalar:
            return filter_bound(ar, state.drift.real(ar), state.time.value, self.eps_g, self.delta_g)

        return bound


def rogers_odometer_machine(
    n: Fraction, delta_g: Fraction, *, dominating: bool = False, engine: decide.EngineName = "arb"
) -> TimeOdometer:
    """The Rogers odometer (rogers2016/thm6.2) as a machine, for a public data set size n >= 2."""
    one("n", AT_LEAST_TWO).read(n)
    one("delta_g", BELOW_INVERSE_E).read(delta_g)
    rule = theorem("rogers2016/thm6.2")

    def reading(time: Fraction, extra: RunningSum) -> Callable[[Arithmetic], Scalar]:
        def shown(ar: Arithmetic) -> Scalar:
            branch = odometer_inside if in_epochs(time, n) else odometer_outside
            return branch(ar, extra.real(ar), time, n, delta_g)

        return shown

    return TimeOdometer(
        rule.id,
        rule.odometer_hypotheses,
        rule.odometer_failure,
        delta_g / 2,
        reading,
        extra=lambda eps, delta: _drift_term(eps.numerator, eps.denominator, engine),
        dominating=dominating,
        of_width=lambda width: _drift_of_width(width, engine),
    )
