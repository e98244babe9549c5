"""Odometers that are functions of the intrinsic time V = sum eps_m^2: the machines of Whitehouse et al. 2023."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.exact.rounding import to_decimal
from privref.guarantees.model import (
    ZCDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    ProbabilisticDP,
    checked_dp_parameters,
    named_kind,
)
from privref.statements.hypotheses import Failure, Hypothesis
from privref.statements.params import (
    AT_LEAST_TWO,
    BELOW_INVERSE_E,
    NON_NEGATIVE,
    OPEN_PROBABILITY,
    POSITIVE,
    OpenProbability,
    Positive,
    one,
)
from privref.statements.registry import implements
from privref.statements.theorems import called, theorem

from . import whitehouse
from .protocol import Decision, Reading, StepsByBlocks
from .running import RunningSum, checked, plus


def exact_rho(event: Guarantee) -> Fraction | None:
    """The rho of a zCDP or Gaussian DP round with delta = 0, whose loss has no bound but all its moments; else None."""
    match checked(event):
        case ZCDP(rho, delta) if not delta:
            return rho
        case GaussianDP(mu):
            return mu * mu / 2
        case _:
            return None


def width_of(event: Guarantee) -> Fraction | None:
    """The width of the interval in which a bounded-range round's losses lie, whatever the interval; else None.

    Centred, such a loss is sub-Gaussian with variance width^2/4 (Hoeffding), and its mean is at most width^2/8
    (cesar2021/br2zcdp.rho): a round of pure DP has the width 2 epsilon. Either way round, as the laws exchanged have a
    bounded range again.
    """
    found = checked(event)
    return found.epsilon if isinstance(found, BoundedRange) else None


def loss_parameters(event: Guarantee, statement: str, *, pdp: bool, dominating: bool) -> tuple[Fraction, Fraction]:
    """The (epsilon, delta) with which an odometer counts an event; HypothesisError where it must not.

    A round with delta = 0 has |loss| <= epsilon surely. With delta > 0 the loss of a DP round can exceed every
    odometer, surely (rogers2016/thm3.3 at (0, 1/10)); the loss of a pDP round can exceed those that rest on a
    martingale (whitehouse2023/thm3), but not their repaired forms nor the sum of the epsilons. ``dominating`` is the
    view in which the odometer bounds the loss of the randomized response that dominates the round.
    """
    found = checked_dp_parameters(event)
    if found is None:
        raise HypothesisError(
            f"{called(statement)} does not cover {named_kind(event)}: it requires bounded privacy losses"
        )
    if found[1] and not dominating and not (pdp and isinstance(event, ProbabilisticDP)):
        needs = "delta = 0 or a probabilistic DP guarantee" if pdp else "delta = 0"
        raise HypothesisError(
            f"{called(statement)} does not cover events of kind {event.kind} with delta > 0: it requires {needs}, "
            "or the loss of the dominating randomized response"
        )
    return found


_NOTHING = RunningSum()


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The exact intrinsic time and sum of the deltas, and what the odometer adds up alongside them."""

    time: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    extra: RunningSum = RunningSum()  # noqa: RUF009 - immutable


@dataclass(frozen=True, slots=True)
class TimeOdometer(StepsByBlocks[Elapsed]):
    """An odometer whose reading is a function of the intrinsic time and at most one more running sum.

    A round of pure DP adds epsilon^2 to the time, one of bounded range epsilon epsilon^2/4: its loss by itself, also
    in the dominating view, as it has no delta.

    ``failure`` is what its theorem bounds: the loss above the reading, or the absolute value of the loss.
    ``delta_pp`` is the budget of the events' deltas, beyond which it shows inf. ``pdp`` odometers cover pDP rounds with
    positive deltas. ``dominating`` is the view in which it bounds the loss of the dominating randomized response.
    """

    statement: str
    hypotheses: tuple[Hypothesis, ...]
    failure: Failure | Literal[""]
    delta_pp: Fraction
    reading: Callable[[Fraction, RunningSum], Reading]
    extra: Callable[[Fraction, Fraction], RunningSum] | None = None
    pdp: bool = False
    dominating: bool = False
    #: Whether a rho-zCDP round with delta = 0 counts as 2 rho: the proof asks for no more than its moments.
    moments: bool = False
    #: What a bounded-range round of that width adds beside its intrinsic time, where that is not nothing.
    of_width: Callable[[Fraction], RunningSum] | None = None

    def start(self) -> Elapsed:
        return Elapsed()

    def block(self, state: Elapsed, event: Guarantee, count: int) -> tuple[Elapsed, Decision]:
        """The reading after ``count`` equal events.

        The reading after the event. An odometer refuses nothing: it shows inf once the deltas exceed delta''.
        """
        if self.moments and (rho := exact_rho(event)) is not None:
            after = replace(state, time=state.time + count * 2 * rho)
            return after, Decision("CONT", self.read(after))
        if (width := width_of(event)) is not None:
            # Half its width is to such a round what epsilon is to one of pure DP.
            extra = state.extra if self.of_width is None else state.extra.plus(self.of_width(width), count)
            after = replace(state, time=plus(state.time, width * width / 4, count), extra=extra)
            return after, Decision("CONT", self.read(after))
        eps, delta = loss_parameters(event, self.statement, pdp=self.pdp, dominating=self.dominating)
        spent = plus(state.delta, delta, count)
        extra = state.extra
        if self.extra is not None and spent <= self.delta_pp and (term := self.extra(eps, delta)).upper:
            extra = extra.plus(term, count)
        after = Elapsed(plus(state.time, eps * eps, count), spent, extra)
        return after, Decision("CONT", self.read(after))

    def read(self, state: Elapsed) -> Reading:
        """What it shows in a state."""
        return "inf" if state.delta > self.delta_pp else self.reading(state.time, state.extra)


def tuned_odometer(
    statement: str,
    value: Fraction,
    delta_prime: Fraction,
    delta_pp: Fraction,
    *,
    repaired: bool = False,
    dominating: bool = False,
    engine: decide.EngineName = "arb",
) -> TimeOdometer:
    """One of ``whitehouse.TUNED``, at its y*, gamma or v0. The stitched one shows inf until the time is v0."""
    formula, name = whitehouse.TUNED[statement]
    one(name, POSITIVE).read(value)
    one("delta_prime", OPEN_PROBABILITY).read(delta_prime)
    one("delta_pp", NON_NEGATIVE).read(delta_pp)

    def reading(time: Fraction, extra: RunningSum) -> Reading:
        if name == "v0" and time < value:
            return "inf"
        if repaired:
            return lambda ar: extra.real(ar) + formula(ar, time, value, delta_prime)
        return lambda ar: formula(ar, time, value, delta_prime)

    def repair(eps: Fraction, delta: Fraction) -> RunningSum:
        return _repair_term(delta, engine) if delta else _NOTHING

    rule = theorem(f"{statement}.repaired" if repaired else statement)
    return TimeOdometer(
        rule.id,
        rule.odometer_hypotheses,
        rule.odometer_failure,
        delta_pp,
        reading,
        extra=repair if repaired else None,
        pdp=repaired,
        dominating=dominating and not repaired,
        moments=not repaired,
    )


@lru_cache(maxsize=4096)
def _repair_term(delta: Fraction, engine: decide.EngineName) -> RunningSum:
    if delta == 1:
        raise HypothesisError("a pDP round with delta = 1 promises nothing: its loss has no repaired bound")
    return RunningSum.of(lambda ar: -ar.log1p(-ar.real(delta)), engine)


def restated_odometer(
    n: Fraction, delta_prime: Fraction, delta_pp: Fraction, *, dominating: bool = False
) -> TimeOdometer:
    """The restated Rogers odometer (whitehouse2023/lem3, third branch corrected), for a public size n >= 2."""
    one("n", AT_LEAST_TWO).read(n)
    one("delta_prime", BELOW_INVERSE_E).read(delta_prime)
    one("delta_pp", NON_NEGATIVE).read(delta_pp)
    rule = theorem("whitehouse2023/lem3")
    return TimeOdometer(
        rule.id,
        rule.odometer_hypotheses,
        rule.odometer_failure,
        delta_pp,
        lambda time, extra: lambda ar: whitehouse.restated(ar, time, n, delta_prime),
        dominating=dominating,
    )


# --- the tuning that is tightest at a target time: found, rounded to a short rational, certified ----------------------
#
# Tuning is part of the mechanism: it must be fixed before the first event.


_DIGITS = 12
_WIDTH = Fraction(1, 2**100)


def best_ratio(ar: Arithmetic, delta_prime: Fraction) -> tuple[Fraction, Fraction]:
    """A bracket of the r > 0 with r - log(1 + r) = 2 log(1/delta'): the best V/gamma."""

    def excess(inner: Arithmetic, r: Fraction) -> Scalar:
        return r - inner.log1p(r) - 2 * inner.log(1 / delta_prime)

    return roots.root_above(excess, Fraction(0), ar)


@implements(
    "whitehouse2023/thm3.mixture.best", kind="exact", cites="Theorem 3.2, minimised over gamma", standing="ours"
)
def best_mixture(ar: Arithmetic, V: Positive, delta_prime: OpenProbability) -> Scalar:
    """The least reading at V of a mixture odometer over all gamma.

    whitehouse2023/thm3.mixture.best: sqrt(V (1 + r)) + V/2 with r - log(1 + r) = 2 log(1/delta'). With r = V/gamma the
    squared radius is 2 V (1 + 1/r)(log(1/delta') + log(1 + r)/2), whose derivative has the sign of r - log(1 + r) -
    2 log(1/delta'), which increases; at its root the bracket is r/2.
    """
    low, high = best_ratio(ar, delta_prime)
    return ar.sqrt(V * ar.hull(1 + low, 1 + high)) + V / 2


@implements(
    "whitehouse2023/thm3.mixture.best_gamma", kind="exact", cites="Theorem 3.2, minimised over gamma", standing="ours"
)
def best_gamma(ar: Arithmetic, V: Positive, delta_prime: OpenProbability) -> Scalar:
    """The gamma whose mixture odometer is least at V.

    whitehouse2023/thm3.mixture.best_gamma: V / r with r - log(1 + r) = 2 log(1/delta').
    """
    return V / ar.hull(*best_ratio(ar, delta_prime))


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tuning value, and its certificate: the reading it gives at the target and a bound on what any value gives."""

    value: Fraction
    reading: Enclosure
    best: Enclosure

    @property
    def excess(self) -> Fraction:
        """At most this much is lost at the target against the best value."""
        return self.reading.upper - self.best.lower


def short(value: Fraction, digits: int = _DIGITS) -> Fraction:
    """A positive number rounded down to a few significant digits."""
    return Fraction(to_decimal(value, digits, "down"))


def target_time(eps: Fraction, delta_prime: Fraction, engine: decide.EngineName = "arb") -> Fraction:
    """A short rational at, or just below, the intrinsic time at which the filter's bound is ``eps``."""
    one("eps", POSITIVE).read(eps)
    one("delta_prime", OPEN_PROBABILITY).read(delta_prime)
    found = _enclosed(lambda ar: whitehouse.inverse_f(ar, eps, delta_prime), engine)
    return short(found.lower)


def tune_gamma(target: Fraction, delta_prime: Fraction, engine: decide.EngineName = "arb") -> Tuned:
    """The mixture odometer's gamma."""
    if target <= 0:
        raise InputError("target", str(target), "give the intrinsic time sum eps^2 > 0 at which to be tight")
    one("delta_prime", OPEN_PROBABILITY).read(delta_prime)
    gamma = short(_enclosed(lambda ar: best_gamma(ar, target, delta_prime), engine).lower)
    reading = _enclosed(lambda ar: whitehouse.mixture_odometer(ar, target, gamma, delta_prime), engine)
    return Tuned(gamma, reading, _enclosed(lambda ar: best_mixture(ar, target, delta_prime), engine))


def _enclosed(formula: decide.Formula, engine: decide.EngineName) -> Enclosure:
    return decide.enclose(formula, decide.engine(engine, 160), _WIDTH)
