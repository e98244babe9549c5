"""The inverse question: the largest cost per round, or number of rounds, that a machine or a theorem still admits.

Every answer is certified from both sides: admitted at the value, refused at the next one of the resolution, by both
engines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from privref.composition.basic import advanced_eps, advanced_heterogeneous_eps, basic_eps
from privref.composition.optimal import optimal_eps
from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import HypothesisError, InputError, UndecidedError, require_text
from privref.exact.numbers import at_least_zero, count, pair, probability, rational, spell, written
from privref.exact.tables import html_facts
from privref.exact.work import metered
from privref.guarantees.conversions import zcdp_to_dp_eps, zcdp_to_dp_tight_eps
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    ProbabilisticDP,
    PureDP,
    as_approx_dp,
    as_zcdp,
)
from privref.statements import theorems
from privref.statements.registry import Result
from privref.statements.theorems import called

from .additive import profile_eps_of_square
from .machines import MACHINES, Setup, build, entry

RoundKind = Literal["pure-dp", "approx-dp", "pdp", "zcdp", "gaussian-dp"]

#: A quantity that is still admitted here has no limit.
_NO_LIMIT = Fraction(2**80)


@dataclass(frozen=True, slots=True)
class EqualRounds:
    """Equal rounds of one kind: a cost (epsilon, rho or mu) and a count, of which one is None, the unknown."""

    kind: RoundKind
    cost: Fraction | None = None
    count: int | None = None
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if (self.cost is None) == (self.count is None):
            remedy = "give rounds (--rounds), and the largest cost is found, or cost (--cost), and the most rounds are"
            raise InputError("rounds or cost", "(missing)" if self.cost is None else "(given)", remedy)
        if self.cost is not None and self.cost < 0:
            raise InputError("plan.cost", spell(self.cost), "give a number >= 0")
        if self.count is not None and self.count < 1:
            raise InputError("plan.count", str(self.count), "give at least one round")
        if self.delta and self.kind in ("pure-dp", "gaussian-dp"):
            raise InputError("plan.delta", spell(self.delta), f"a {self.kind} event has no delta")

    @property
    def unknown(self) -> str:
        """The name of what is calibrated."""
        if self.count is None:
            return "count"
        return {"zcdp": "rho", "gaussian-dp": "mu"}.get(self.kind, "epsilon")

    def event(self, cost: Fraction) -> Guarantee:
        """One round at a cost."""
        match self.kind:
            case "pure-dp":
                return PureDP(cost)
            case "approx-dp":
                return ApproxDP(cost, self.delta)
            case "pdp":
                return ProbabilisticDP(cost, self.delta)
            case "zcdp":
                return ZCDP(cost, self.delta)
            case "gaussian-dp":
                return GaussianDP(cost)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The largest multiple of the resolution that is admitted; ``refused`` is the next one, which is not."""

    rule: str
    statement: str
    unknown: str
    value: Fraction
    refused: Fraction
    premises: tuple[str, ...] = ()
    """What it rests on and nothing that was given can show."""

    @property
    def texts(self) -> tuple[str, str]:
        """The value and the refused one, as people write numbers."""
        return written(self.value), written(self.refused)

    def _repr_html_(self) -> str:
        value, refused = self.texts
        facts = [(self.unknown, value), ("refused", refused), ("by", called(self.statement))]
        return html_facts(self.rule, [*facts, *(("premise", text) for text in self.premises)])


_Bound = Callable[[Arithmetic], Result]


def _basic(found: ApproxDP, count: int, delta: Fraction) -> _Bound:
    if count * found.delta > delta:
        return lambda ar: "inf"
    return lambda ar: basic_eps(ar, ((found.epsilon, count),))


def _advanced(found: ApproxDP, count: int, delta: Fraction) -> _Bound:
    slack = delta - count * found.delta
    return (lambda ar: "inf") if slack <= 0 else lambda ar: advanced_eps(ar, found.epsilon, count, slack)


def _heterogeneous(found: ApproxDP, count: int, delta: Fraction) -> _Bound:
    slack = delta - count * found.delta
    if slack <= 0:
        return lambda ar: "inf"
    return lambda ar: advanced_heterogeneous_eps(ar, ((found.epsilon, count),), slack)


def _pure(event: Guarantee) -> ApproxDP | None:
    found = as_approx_dp(event)
    return None if found is None or found.delta else found


def _optimal(found: ApproxDP, count: int, delta: Fraction) -> _Bound:
    return lambda ar: optimal_eps(ar, found.epsilon, count, delta)


def _zcdp_slack(zcdp: ZCDP, count: int, delta: Fraction) -> Fraction:
    spent = count * zcdp.delta
    return Fraction(0) if spent >= delta else (delta - spent) / (1 - spent)


def _lemma1(found: ZCDP, count: int, delta: Fraction) -> _Bound:
    slack = _zcdp_slack(found, count, delta)
    return (lambda ar: "inf") if slack == 0 else lambda ar: zcdp_to_dp_eps(ar, count * found.rho, slack)


def _tight(found: ZCDP, count: int, delta: Fraction) -> _Bound:
    slack = _zcdp_slack(found, count, delta)
    return lambda ar: zcdp_to_dp_tight_eps(ar, count * found.rho, slack)


def _gaussian(found: GaussianDP, count: int, delta: Fraction) -> _Bound:
    square = count * found.mu * found.mu
    return (lambda ar: "inf") if delta == 0 and square else lambda ar: profile_eps_of_square(ar, square, delta)


#: Theorems for parameters fixed in advance, as rules: the statement, what of an event it takes (None: it does not cover
#: the event), and the epsilon it gives for that number of them.
FIXED: dict[str, tuple[str, Callable[[Guarantee], Any], Callable[[Any, int, Fraction], _Bound]]] = {
    "basic": ("rogers2016/thm2.9.eps", as_approx_dp, _basic),
    "advanced": ("rogers2016/thm2.10.eps_g", as_approx_dp, _advanced),
    "advanced-heterogeneous": ("whitehouse2023/eq2.eps", as_approx_dp, _heterogeneous),
    "optimal-equal": ("kov2015/optimal.eps", _pure, _optimal),
    "zcdp-lemma1": ("whitehouse2023/lem1.zcdp2dp.eps", as_zcdp, _lemma1),
    "zcdp-tight": ("cks2020/zcdp2dp.eps", as_zcdp, _tight),
    "gaussian": ("gdp/composition.eps", lambda event: event if isinstance(event, GaussianDP) else None, _gaussian),
}

#: Odometers whose final reading increases with the cost and the count, so that a budget can be read off them.
MONOTONE_ODOMETERS = (
    "basic-odometer",
    "filter-odometer",
    "mixture-odometer",
    "one-sided-mixture-odometer",
    "filter-odometer-repaired",
    "mixture-odometer-repaired",
)

RULES: tuple[str, ...] = (
    *(each.name for each in MACHINES if each.role == "filter" or each.name in MONOTONE_ODOMETERS),
    *FIXED,
)


def _within(bound: _Bound, eps: Fraction, engine: decide.EngineName) -> bool:
    """Whether a bound is at most epsilon."""
    word = False

    def formula(ar: Arithmetic) -> Scalar:
        nonlocal word
        result = bound(ar)
        word = isinstance(result, str)
        return Fraction(0) if isinstance(result, str) else result

    # Rational bounds are compared exactly; a tie of the others with a rational ends at the cap, as undecided.
    over = decide.exceeds(formula, lambda ar: eps, decide.engine(engine))
    return not word and not over


def _admission(rule: str, setup: Setup) -> tuple[str, Callable[[Guarantee, int], bool]]:
    """The statement behind a rule, and whether it admits a number of equal events."""
    if rule in FIXED:
        statement, taken, bound_of = FIXED[rule]

        def fits(event: Guarantee, count: int) -> bool:
            if (found := taken(event)) is None:
                raise HypothesisError(f"{called(statement)} does not cover events of kind {event.kind}")
            return _within(bound_of(found, count, setup.delta), setup.eps, setup.engine)

        return statement, fits
    machine = build(rule, setup)
    if entry(rule).role == "filter":
        return machine.statement, lambda event, count: machine.block(machine.start(), event, count)[1].verdict == "CONT"

    def reads_within(event: Guarantee, count: int) -> bool:
        reading = machine.block(machine.start(), event, count)[1].reading
        if reading is None or reading == "inf":
            return False
        if isinstance(reading, Fraction):
            return reading <= setup.eps
        return _within(reading, setup.eps, setup.engine)

    return machine.statement, reads_within


def _rule_name(name: str) -> str:
    """The rule that a theorem's name means, which may be an id: the one for fixed parameters first, then a machine."""
    found = theorems.named(name)
    if name in RULES or found is None:
        return name
    return next((each for each in (*found.aliases, found.machine, found.odometer) if each in RULES), name)


def largest(rule: str, setup: Setup, plan: EqualRounds, resolution: Fraction = Fraction(1, 10**6)) -> Calibration:
    """The largest cost per round (a multiple of the resolution) or number of rounds that the rule admits in the budget.

    Raises InputError where nothing is admitted or everything is, HypothesisError where the rule does not cover the
    plan's kind of event, and UndecidedError where a comparison is open at the cap.
    """
    with metered():
        return _calibrated(rule, setup, plan, resolution)


def calibrate(
    rule: str,
    budget: object,
    *,
    kind: RoundKind = "pure-dp",
    rounds: object = None,
    cost: object = None,
    round_delta: object = "0",
    delta_prime: object = None,
    size: object = None,
    resolution: object = "1e-6",
) -> Calibration:
    """The largest cost per round, or number of rounds, that a machine or theorem admits, certified from both sides.

    Numbers are exact (integers, Fractions, strings); the budget is a pair of them, or text with a comma between them.
    """
    require_text(rule, "rule", f"name a machine or theorem: {', '.join(RULES)}")

    def number(value: object, field: str) -> Fraction | None:
        return None if value is None else at_least_zero(value, field)

    setup = Setup(*pair(budget, "budget"), delta_prime=number(delta_prime, "delta_prime"), n=number(size, "size"))
    times = None if rounds is None else count(rounds, "rounds", least=1)
    plan = EqualRounds(kind, number(cost, "cost"), times, probability(round_delta, "round_delta"))
    return largest(rule, setup, plan, rational(resolution, "resolution"))


def _calibrated(rule: str, setup: Setup, plan: EqualRounds, resolution: Fraction) -> Calibration:
    rule = _rule_name(rule)
    if rule not in RULES:
        raise InputError("rule", rule, f"give one of {', '.join(RULES)}")
    if resolution <= 0:
        raise InputError("resolution", spell(resolution), "give a number > 0")
    step = Fraction(1) if plan.count is None else resolution
    statement, admits = _admission(rule, setup)

    def fits(j: int, check: Callable[[Guarantee, int], bool]) -> bool:
        if plan.count is None:
            assert plan.cost is not None
            return j == 0 or check(plan.event(plan.cost), j)
        return check(plan.event(j * step), plan.count)

    if not fits(0, admits):
        raise InputError("budget", f"({setup.eps}, {setup.delta})", f"{rule} does not admit even {plan.unknown} = 0")
    low, high = 0, 1
    while fits(high, admits):
        low, high = high, 2 * high
        if high * step > _NO_LIMIT:
            raise InputError("plan", plan.unknown, f"{rule} sets no limit to it")
    high = roots.first(lambda j: not fits(j, admits), low, high)
    low = high - 1
    other: decide.EngineName = "mpmath" if setup.engine == "arb" else "arb"
    again = _admission(rule, replace(setup, engine=other))[1]
    if not fits(low, again) or fits(high, again):
        raise UndecidedError(f"{rule}: the two engines do not agree at {spell(low * step)}")
    return Calibration(rule, statement, plan.unknown, low * step, high * step)
