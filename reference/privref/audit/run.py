"""The audit: every applicable theorem, the tightest first, a verdict per claim, decided by both engines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError, OutOfScopeError, PrivrefError, UndecidedError
from privref.exact.numbers import can_be_read, probability, spell
from privref.exact.work import metered
from privref.ledger.model import FILTERS, ZCDP_FILTER, Budget, Ledger
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import Answer, Statement, non_negative, solve, statement

from . import frames
from .advice import advice
from .claims import Claim
from .facts import OUTPUT_FILTER, Facts, Finding
from .refuters import Witness, declared, declared_rho, gaussian_rho_witness, witnesses
from .replayed import ODOMETERS, odometer_by, reading_after, remaining_budget
from .routes import BUDGET_HYPOTHESES, EPSILON_ROUTES, RHO_ROUTES, Application, Route, largest_split, split_in_advance

#: The closed list of verdicts; they have no order and no truth value.
Verdict = Literal[
    "confirmed",
    "conditional",
    "unsupported",
    "refuted",
    "underivable",
    "undecided",
    "inapplicable",
    "out-of-scope",
]
ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")
DIGITS = 20


class EnginesDisagree(PrivrefError, RuntimeError):
    """The two engines gave disjoint enclosures or different verdicts: a defect of privref or of a library under it."""


@dataclass(frozen=True, slots=True, repr=False)
class Bound:
    """What one theorem gives for the ledger: an enclosure of its epsilon (or rho), exact where ``value`` is set."""

    application: Application
    enclosure: Enclosure | None = None
    value: str | None = None
    note: str = ""

    def __repr__(self) -> str:
        return f"<Bound by {self.application.by}: {self.note if self.enclosure is None else self.enclosure!r}>"


@dataclass(frozen=True, slots=True)
class Refutation:
    """A lower bound that is certainly above the claim, and the mechanisms that attain it."""

    witness: Witness
    enclosure: Enclosure
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Hints:
    """What the tightest theorem would prove instead of an unsupported claim; all numbers rounded up."""

    would_prove: str | None = None
    """The least epsilon (or rho) with as many decimals as the claim."""
    at_delta: str | None = None
    """The delta at which the claimed epsilon would be proved."""
    rounded_down: bool = False
    """Whether the claim is the bound itself, rounded down to its own decimals."""
    mechanisms: str = ""
    """What to declare of the mechanisms that ran, and what that would give."""
    mechanisms_short: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Opinion:
    """The audit of one claim: the verdict, what decided it, and all bounds that apply, the tightest first."""

    claim: Claim
    verdict: Verdict
    reason: str
    deciding: Bound | None = None
    refutation: Refutation | None = None
    bounds: tuple[Bound, ...] = ()
    inapplicable: tuple[Application, ...] = ()
    premises: tuple[Finding, ...] = ()
    declare: Budget | None = None
    """For a conditional verdict: the budget that proves the claim, if it is what was enforced."""
    hints: Hints | None = None

    def __repr__(self) -> str:
        return f"<Opinion {self.claim.id}: {self.claim} {self.verdict}>"


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """The audit of a ledger against its claims."""

    ledger: Ledger
    opinions: tuple[Opinion, ...]

    def __repr__(self) -> str:
        said = ", ".join(f"{opinion.claim.id} {opinion.verdict}" for opinion in self.opinions[:5])
        more = f", and {len(self.opinions) - 5} more" if len(self.opinions) > 5 else ""
        return f"<Audit of {self.ledger.title[:60]!r}: {said}{more}>"

    def _repr_html_(self) -> str:
        return frames.table(self)

    def rows(self) -> list[dict[str, str]]:
        """One dictionary of text for each claim."""
        return frames.rows(self)

    def to_frame(self, library: frames.Library | None = None) -> Any:
        """The rows as a data frame of pandas or polars; InputError where neither is installed."""
        return frames.frame(self.rows(), library)

    @property
    def exit_code(self) -> int:
        """The worst of the verdicts.

        0 all confirmed · 1 some refuted, underivable or unsupported · 4 some inapplicable, conditional or out of scope
        · 3 some undecided.
        """
        verdicts = {opinion.verdict for opinion in self.opinions}
        undecidable = {"inapplicable", "conditional", "out-of-scope"}
        for code, kinds in ((1, {"refuted", "underivable", "unsupported"}), (4, undecidable), (3, {"undecided"})):
            if verdicts & kinds:
                return code
        return 0


def _formula(found: Statement, inputs: object) -> decide.Formula:
    def formula(ar: Arithmetic) -> Scalar:
        result = found.function(ar, **inputs)  # type: ignore[arg-type]
        if isinstance(result, str):
            raise TypeError(f"{found.id} gave {result!r} where a number is compared")
        return result

    return formula


def _can_be_read(inputs: object) -> bool:
    """Whether the numbers in a theorem's inputs can be read again from a certificate."""
    if isinstance(inputs, (int, Fraction)):
        return can_be_read(inputs)
    if isinstance(inputs, Mapping):
        return _can_be_read(tuple(inputs.values())) and _can_be_read(tuple(inputs))
    return not isinstance(inputs, (tuple, list)) or all(map(_can_be_read, inputs))


def enclosed(statement_id: str, inputs: object, digits: int = DIGITS) -> tuple[Enclosure | None, str | None]:
    """A statement's value from both engines: their common enclosure and the exact spelling, if any."""
    found = statement(statement_id)
    if not _can_be_read(inputs):
        raise UndecidedError("its inputs have more digits than a certificate may: declare shorter numbers")
    answers = [solve(found, inputs, digits=digits, engine=engine) for engine in ENGINES]  # type: ignore[arg-type]
    first, second = answers
    if first.value != second.value:
        raise EnginesDisagree(f"{statement_id}: the engines say {first.value} and {second.value}")
    if first.enclosure is None or second.enclosure is None:
        return None, first.value
    common = first.enclosure.intersection(second.enclosure)
    if common is None:
        raise EnginesDisagree(f"{statement_id}: the engines' enclosures are disjoint")
    return common, first.value


def certainly_exceeds(statement_id: str, inputs: object, claimed: Fraction, known: Enclosure) -> bool:
    """Whether the statement's value is strictly above the claimed number, decided alike by both engines."""
    if known.lower > claimed:
        return True
    if known.upper <= claimed:
        return False
    found = statement(statement_id)
    if found.stated_width is not None and found.stated_width(inputs) is not None:  # type: ignore[arg-type]
        raise UndecidedError(
            f"{statement_id} is known here only to lie in [{', '.join(known.decimals(10))}], and the claim lies within"
        )
    formula = _formula(found, inputs)
    said = {decide.exceeds(formula, lambda ar: claimed, decide.engine(engine)) for engine in ENGINES}
    if len(said) != 1:
        raise EnginesDisagree(f"{statement_id}: the engines decide the comparison with {claimed} differently")
    return said.pop()


def bound(application: Application) -> Bound:
    """Evaluate a theorem with both engines, if it is applicable."""
    if application.unmet:
        return Bound(application)
    if application.obstacle:
        return Bound(application, note=application.obstacle)
    try:
        enclosure, value = enclosed(application.statement, application.inputs)
    except HypothesisError as error:
        return Bound(application, note=str(error))
    if enclosure is None:
        return Bound(application, None, value, "the theorem gives no finite bound at this delta")
    kept = non_negative(Answer(value, enclosure))
    note = "" if enclosure.upper >= 0 else f"the formula gives {enclosure.decimals(6)[1]}, and no epsilon is negative"
    return Bound(application, kept.enclosure, kept.value, note)


def _tightest_first(bounds: Iterable[Bound]) -> tuple[Bound, ...]:
    """By the upper end, an exact rational; theorems without a finite bound come last."""
    finite = [item for item in bounds if item.enclosure is not None]
    infinite = [item for item in bounds if item.enclosure is None]
    finite.sort(key=lambda item: (item.enclosure.upper, item.enclosure.lower))  # type: ignore[union-attr]
    return tuple(finite + infinite)


def _bounds(
    facts: Facts,
    routes: tuple[Route, ...],
    delta: Fraction,
    report: Callable[[str], None],
    claim: Claim | None = None,
) -> tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]:
    """Every route applied: the bounds, the tightest first; the inapplicable ones; what the precision cap left open."""
    bounds, inapplicable, open_ones = [], [], []
    for route in routes:
        report(route.by)
        try:
            if route.is_filter and not facts.fixed and facts.filter is None:
                found = _supposed(facts, route, delta, claim)
            else:
                found = _within_budget(facts, route, delta, claim)
            if found.application.unmet:
                inapplicable.append(found.application)
            else:
                bounds.append(found)
        except UndecidedError as error:
            open_ones.append(f"{route.by}: {error}")
    return _tightest_first(bounds), tuple(inapplicable), tuple(open_ones)


def _within_budget(facts: Facts, route: Route, delta: Fraction, claim: Claim | None) -> Bound:
    """What the theorem gives; where it is the filter that was in force, only if the record is one of that filter.

    That filter had the budget's own delta, and what it proves is its budget: what ran spent within it may have been
    less, as charged adaptively or by observed cells, and is no bound by itself.
    """
    budget = facts.budget
    if budget is None or not route.is_filter or (facts.fixed and Hypothesis.OUTPUT_BUDGET not in route.hypotheses):
        return bound(route.apply(facts, delta))
    of_rho = budget.rho is not None
    own = budget.rho if of_rho else budget.epsilon
    application = route.apply(facts, delta if of_rho else budget.delta)
    if application.unmet:
        return Bound(application)
    assert own is not None
    # What a budget of rho guarantees may be converted at will, after the run too.
    converted = of_rho and route.by != ZCDP_FILTER
    if budget.delta > delta or (claim is not None and not converted and own > claim.size):
        return _not_in_force(application, LARGER)
    spent = bound(application)
    if of_rho:
        within = facts.rho <= own and facts.zcdp_delta <= budget.delta
    else:
        proved = _proves(spent, own)
        if proved is None:
            raise UndecidedError("whether what ran is within the declared budget stays open")
        within = proved
    if not within:
        return _not_in_force(
            application, "by this theorem what ran exceeds the declared budget, so its filter was not the one enforced"
        )
    if converted or claim is not None:
        return spent
    return Bound(application, Enclosure(own, own), spell(own), "the budget that was enforced")


#: Why a filter with a larger budget proves nothing here: a record that spent less was let spend more.
LARGER = "the declared budget is larger than the claim, so no filter with the claim as its budget was enforced"


def _not_in_force(application: Application, why: str) -> Bound:
    hypothesis = next(f.hypothesis for f in application.findings if f.hypothesis in BUDGET_HYPOTHESES)
    return Bound(replace(application, findings=(*application.findings, Finding(hypothesis, False, why))))


def _supposed(facts: Facts, route: Route, delta: Fraction, claim: Claim | None) -> Bound:
    """What the theorem would give had exactly its filter been enforced, with the claim or the declared size as budget.

    With the default split where that proves the claim, and otherwise with the best one for this record: a choice that
    is made after the run, so that nothing is proved by it.
    """
    declared = facts.budget
    if declared is not None:
        sized = declared
    elif claim is not None:
        sized = Budget(claim.delta, claim.epsilon, rho=claim.rho)
    else:
        sized = Budget(delta)
    splits: list[Fraction | None] = [None]
    if FILTERS[route.by] and "delta_prime" not in facts.ledger.tuning.get(route.by, {}):
        largest = largest_split(facts, sized.delta, route.by)
        splits += [largest] if 0 < largest != sized.delta / 2 else []
    item = Bound(Application(route.by, ()))
    for prime in splits:
        budget = replace(sized, filter=route.by, delta_prime=prime)
        under = facts.under(budget)
        item = _within_budget(under, route, delta, claim) if declared else bound(route.apply(under, delta))
        item = replace(
            item, application=replace(item.application, supposed=budget), note=item.note or _only_if(under, route)
        )
        if claim is None or (not item.application.unmet and _proves(item, claim.size)):
            break
    return item


def _only_if(facts: Facts, route: Route) -> str:
    assert facts.budget is not None
    split = spell(split_in_advance(facts, facts.budget.delta, route.by))
    return "only if this filter was enforced" + (f" with delta' = {split}" if FILTERS[route.by] else "")


def _proves(item: Bound, claimed: Fraction) -> bool | None:
    """Whether the bound is at most the claim; None where that stays open."""
    if item.enclosure is None:
        return False
    try:
        return not certainly_exceeds(item.application.statement, item.application.inputs, claimed, item.enclosure)
    except UndecidedError:
        return None


def audit_claim(facts: Facts, claim: Claim, report: Callable[[str], None] = lambda step: None) -> Opinion:
    """The verdict on one claim. Refuted takes precedence over unsupported; a claim that is proved is never refuted."""
    if facts.unknown:
        return Opinion(claim, "out-of-scope", f"the ledger has an event that can not be accounted: {facts.unknown[0]}")
    if claim.remaining is not None or claim.after_event is not None:
        try:
            return _audit_remaining(facts, claim) if claim.remaining is not None else _audit_reading(facts, claim)
        except UndecidedError as error:
            return Opinion(claim, "undecided", str(error))
    routes = EPSILON_ROUTES if claim.epsilon is not None else RHO_ROUTES
    if claim.epsilon is None and facts.budget is not None and facts.filter is None:
        # A declared (epsilon, delta) budget does not speak of rho.
        facts = facts.under(None)
    named = tuple(route for route in routes if claim.by is not None and route.answers(claim.by))
    if claim.by is not None and not named:
        return Opinion(claim, "out-of-scope", _why_not_a_route(claim.by, routes))
    if facts.budget is not None and not facts.fixed and _larger(facts.budget, claim):
        return Opinion(claim, "inapplicable", f"parameters were chosen adaptively, and {LARGER}")
    ordered, inapplicable, open_ones = _bounds(facts, routes, claim.delta, report, claim)
    try:
        return _decide(facts, claim, claim.size, ordered, inapplicable, named, open_ones, report)
    except UndecidedError as error:
        return Opinion(claim, "undecided", str(error), bounds=ordered, inapplicable=inapplicable)


def _audit_remaining(facts: Facts, claim: Claim) -> Opinion:
    """Whether at least the claimed (epsilon, delta) remains of the budget by Algorithm 1 of Hartmann et al. 2022."""
    assert claim.remaining is not None
    assert claim.epsilon is not None
    wanted = (Hypothesis.OUTPUT_DP_ROUNDS, Hypothesis.OUTPUT_BUDGET, Hypothesis.SEQUENTIAL)
    budget = facts.budget
    supposed = not facts.fixed and facts.filter is None
    if supposed:
        facts = facts.under(replace(budget or Budget(claim.delta, claim.epsilon), filter=OUTPUT_FILTER))
    findings = [facts.check(hypothesis, OUTPUT_FILTER) for hypothesis in wanted]
    if budget is not None and (budget.epsilon, budget.delta) != (claim.epsilon, claim.delta):
        findings.append(Finding(Hypothesis.OUTPUT_BUDGET, False, "the ledger declares another budget than the claim"))
    unmet = [finding for finding in findings if not finding.met]
    if unmet:
        return Opinion(claim, "inapplicable", _inapplicable(OUTPUT_FILTER, unmet))
    left = remaining_budget(facts.ledger, claim.epsilon, claim.delta)
    if isinstance(left, str):
        return Opinion(claim, "unsupported", left)
    shown = f"by hartmann2022/alg1 ({spell(left[0])}, {spell(left[1])}) remains"
    proved = claim.remaining[0] <= left[0] and claim.remaining[1] <= left[1]
    if not proved:
        return Opinion(claim, "unsupported", shown)
    assert facts.budget is not None
    if supposed:
        return Opinion(claim, "conditional", f"{shown}; {_declare(facts.budget)}", declare=facts.budget)
    return Opinion(claim, "confirmed", shown, premises=tuple(finding for finding in findings if finding.premise))


#: What an odometer needs of the whole ledger; which events it covers it says itself.
_ODOMETER_HYPOTHESES = (Hypothesis.SEQUENTIAL, Hypothesis.CONCURRENT_DP, Hypothesis.CONCURRENT_ZCDP)


def _audit_reading(facts: Facts, claim: Claim) -> Opinion:
    """Whether the odometer that the claim names reads at most the claimed number after that event."""
    assert claim.after_event is not None
    assert claim.reading is not None
    assert claim.by is not None
    if claim.by not in ODOMETERS:
        return Opinion(claim, "out-of-scope", f"{claim.by} is not an odometer; these are: {', '.join(ODOMETERS)}")
    if claim.after_event > len(facts.ledger.events):
        return Opinion(claim, "unsupported", f"the ledger has only {len(facts.ledger.events)} event(s)")
    try:
        machine = odometer_by(facts.ledger, claim.by, claim.delta)
        unmet = [
            finding
            for hypothesis in machine.hypotheses
            if hypothesis in _ODOMETER_HYPOTHESES and not (finding := facts.check(hypothesis, claim.by)).met
        ]
        if unmet:
            return Opinion(claim, "inapplicable", _inapplicable(claim.by, unmet))
        reading = reading_after(facts.ledger, machine, claim.after_event)
    except HypothesisError as error:
        return Opinion(claim, "inapplicable", str(error))
    except InputError as error:
        return Opinion(claim, "inapplicable", f"{claim.by} requires {Hypothesis.TUNING_IN_ADVANCE.value}: {error}")
    if reading is None:
        return Opinion(claim, "undecided", f"{claim.by} can not be read before the first event")
    if isinstance(reading, str):
        return Opinion(claim, "unsupported", f"{claim.by} reads {reading}")
    formula: decide.Formula = (lambda ar: reading) if isinstance(reading, Fraction) else reading
    enclosure = decide.enclose(formula, decide.engine("arb"), Fraction(1, 10**DIGITS))
    said = {decide.exceeds(formula, lambda ar: claim.reading or 0, decide.engine(engine)) for engine in ENGINES}
    if len(said) != 1:
        raise EnginesDisagree(f"{claim.by}: the engines decide the comparison with the reading differently")
    text = f"{claim.by} reads [{', '.join(enclosure.decimals(10))}]"
    return Opinion(claim, "unsupported" if said.pop() else "confirmed", text)


def compare(ledger: Ledger, delta: object) -> tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]:
    """All bounds on epsilon at delta, the tightest first; the theorems that do not apply; those left undecided.

    Every bound is at least 0, also where its statement's formula is negative. InputError for a delta that is no exact
    number in [0, 1].
    """
    delta = probability(delta, "delta")
    with metered():
        return _compared(ledger, delta)


def _compared(ledger: Ledger, delta: Fraction) -> tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]:
    facts = Facts(ledger)
    if facts.unknown:
        raise OutOfScopeError(f"the ledger has an event that can not be accounted: {facts.unknown[0]}")
    return _bounds(facts, EPSILON_ROUTES, delta, lambda step: None)


def _larger(budget: Budget, claim: Claim) -> bool:
    own, claimed = (budget.epsilon, claim.epsilon) if budget.rho is None else (budget.rho, claim.rho)
    return budget.delta > claim.delta or (own is not None and claimed is not None and own > claimed)


def _decide(
    facts: Facts,
    claim: Claim,
    claimed: Fraction,
    bounds: tuple[Bound, ...],
    inapplicable: tuple[Application, ...],
    named: tuple[Route, ...],
    open_ones: tuple[str, ...],
    report: Callable[[str], None],
) -> Opinion:
    wanted = {route.by for route in named} or {route.by for route in (*EPSILON_ROUTES, *RHO_ROUTES)}
    relevant = [item for item in bounds if item.application.by in wanted]
    proved = {item.application.by: _proves(item, claimed) for item in bounds}
    proving = next((item for item in relevant if proved[item.application.by]), None)
    if proving is not None and proving.application.supposed is not None:
        budget = proving.application.supposed
        reason = f"{proving.application.by} would prove it; {_declare(budget)}"
        return Opinion(claim, "conditional", reason, proving, None, bounds, inapplicable, declare=budget)
    if proving is not None:
        return Opinion(claim, "confirmed", _confirmed(proving), proving, None, bounds, inapplicable, _premises(proving))
    if not any(proved.values()):
        report("lower bounds")
        refutation = refute(facts, claim)
        if refutation is not None:
            words = refutation.witness.words
            if refutation.witness.actual:
                return Opinion(claim, "refuted", f"lost by {words}", None, refutation, bounds, inapplicable)
            declare, short = advice(facts, claim)
            reason = (
                "some mechanism with these guarantees loses more, so that no theorem proves it from this ledger; worst "
                f"case: {words}. This says nothing of the mechanisms that ran{_to_declare(declare)}"
            )
            told = Hints(mechanisms=declare, mechanisms_short=short)
            return Opinion(claim, "underivable", reason, None, refutation, bounds, inapplicable, hints=told)
    if any(proved[item.application.by] is None for item in relevant) or (open_ones and not (named and relevant)):
        names = [item.application.by for item in relevant if proved[item.application.by] is None]
        reason = "; ".join([*(f"{name}: the claim lies within its enclosure" for name in names), *open_ones])
        return Opinion(claim, "undecided", reason, None, None, bounds, inapplicable)
    if not relevant:
        failing = [item for item in inapplicable if item.by in wanted]
        if not facts.fixed and facts.filter is not None and not named:
            # What stands in the way is the filter that was in force; that the others were not is no news.
            failing = [item for item in failing if item.by == facts.filter] or failing
        reasons = "; ".join(sorted({_inapplicable(item.by, list(item.unmet)) for item in failing}))
        return Opinion(claim, "inapplicable", reasons, None, None, bounds, inapplicable)
    tightest = relevant[0]
    reason, hints = _unsupported(facts, claim, claimed, tightest)
    return Opinion(claim, "unsupported", reason, tightest, None, bounds, inapplicable, hints=hints)


def refute(facts: Facts, claim: Claim) -> Refutation | None:
    """What certainly loses more than the claim: the declared mechanisms, else a worst case of the guarantees."""
    if claim.epsilon is None:
        return _refute_rho(facts, claim)
    for witness in (*declared(facts, claim.epsilon), *witnesses(facts.without_laws(), claim.epsilon, claim.delta)):
        try:
            enclosure, value = enclosed(witness.statement, witness.inputs)
            if enclosure is not None and certainly_exceeds(witness.statement, witness.inputs, claim.delta, enclosure):
                return Refutation(witness, enclosure, value)
        except UndecidedError:
            # A witness that is not certain refutes nothing; another one may.
            continue
    return None


def _refute_rho(facts: Facts, claim: Claim) -> Refutation | None:
    assert claim.rho is not None
    if claim.delta:
        return None
    actual = declared_rho(facts)
    for witness in (*(() if actual is None else (actual,)), gaussian_rho_witness(facts.without_laws())):
        enclosure, value = enclosed(witness.statement, witness.inputs)
        assert enclosure is not None
        if enclosure.lower > claim.rho:
            return Refutation(witness, enclosure, value)
    return None


def _to_declare(what: str) -> str:
    return f"; declare {what}" if what else ""


def _confirmed(item: Bound) -> str:
    return f"proved by {item.application.by}"


def _premises(item: Bound) -> tuple[Finding, ...]:
    return tuple(finding for finding in item.application.findings if finding.premise)


def _declare(budget: Budget) -> str:
    """What a ledger has to say so that a conditional claim is proved."""
    return (
        "that holds only if exactly this filter decided, from before the first event, which events ran, since a filter "
        "or a split chosen after the run proves nothing; if it did, declare in the ledger "
        f'"budget": {json.dumps(budget.document)}'
    )


def _inapplicable(by: str, unmet: list[Finding]) -> str:
    return f"{by} requires {unmet[0].hypothesis.value}: {unmet[0].how}"


def _why_not_a_route(by: str, routes: tuple[Route, ...]) -> str:
    try:
        known = statement(by)
    except OutOfScopeError as error:
        return f"{error}; theorems that audit this kind of claim: {', '.join(route.by for route in routes)}"
    if known.standing == "printed":
        return f"{by} is the printed form of a statement that is wrong; no audit may use it"
    return f"{by} does not bound this kind of claim; these do: {', '.join(route.by for route in routes)}"


def _unsupported(facts: Facts, claim: Claim, claimed: Fraction, tightest: Bound) -> tuple[str, Hints | None]:
    """Why the tightest theorem does not prove the claim, and what would, in words and as data."""
    by = tightest.application.by
    if tightest.enclosure is None:
        return f"{by} gives no finite bound: {tightest.note}", None
    lower, upper = tightest.enclosure.decimals(9)
    symbol = "epsilon" if claim.epsilon is not None else "rho"
    only = "" if tightest.application.supposed is None else ", and that only had its filter been the one enforced"
    text = (
        f"{by} proves only {symbol} in [{lower}, {upper}]{only}, which is above the claim; this does not show it false."
    )
    declare, short = advice(facts, claim, only_if_proved=True)
    places = _decimal_places(claimed)
    if places is None:
        return text + _to_declare(declare), Hints(mechanisms=declare, mechanisms_short=short)
    unit = Fraction(1, 10**places)
    rounded_up = _plain(-(-tightest.enclosure.upper // unit) * unit, places)
    rounded_down = tightest.enclosure.lower // unit * unit == claimed
    if rounded_down:
        text += f" The claim is that bound rounded down to {places} decimal(s); a privacy bound must be rounded up."
    delta = _delta_at_claim(facts, claim, tightest)
    text += f" It would prove {symbol} = {rounded_up}"
    text += f", or the claimed epsilon at delta = {delta}." if delta else "."
    return text + _to_declare(declare), Hints(rounded_up, delta, rounded_down, declare, short)


def _delta_at_claim(facts: Facts, claim: Claim, tightest: Bound) -> str | None:
    """The delta at which the same theorem would prove the claimed epsilon, rounded up, where it has an inverse."""
    inverse = tightest.application.statement.removesuffix(".eps") + ".delta"
    inputs = dict(tightest.application.inputs)
    target = {"cks2020/zcdp2dp.delta": "delta", "kov2015/optimal.delta": "delta_g", "gdp/composition.delta": "delta"}
    aside = _delta_aside(facts) if inverse == "cks2020/zcdp2dp.delta" else Fraction(0)
    if inverse not in target or aside is None or claim.epsilon is None:
        return None
    del inputs[target[inverse]]
    inputs["eps_g" if inverse.startswith("kov") else "eps"] = claim.epsilon
    enclosure, _ = enclosed(inverse, inputs)
    if enclosure is None:
        return None
    upper = aside + (1 - aside) * enclosure.upper
    return Enclosure(upper, upper).decimals(4)[1]


def _delta_aside(facts: Facts) -> Fraction | None:
    """The delta_0 of approximate zCDP in delta_0 + (1 - delta_0) delta'; None where a filter's split decides it."""
    budget = facts.budget
    if facts.fixed:
        return facts.zcdp_delta
    if budget is not None and budget.rho is not None:
        return budget.delta
    return None if facts.zcdp_delta else Fraction(0)


def _decimal_places(value: Fraction) -> int | None:
    """How many decimals a terminating decimal has; None for other rationals."""
    denominator, places = value.denominator, 0
    while denominator % 10 == 0:
        denominator, places = denominator // 10, places + 1
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator, places = denominator // prime, places + 1
    return places if denominator == 1 else None


def _plain(value: Fraction, places: int) -> str:
    scaled = value * 10**places
    digits = spell(scaled).rjust(places + 1, "0")
    return digits if not places else f"{digits[:-places]}.{digits[-places:]}"


def audit(
    ledger: Ledger, claims: Iterable[Claim], *, progress: Callable[[str, str], None] = lambda claim, step: None
) -> Audit:
    """Audit claims against a ledger: one opinion per claim, in order."""
    facts = Facts(ledger)
    opinions = []
    with metered():
        for claim in claims:
            opinions.append(audit_claim(facts, claim, lambda step, id=claim.id: progress(id, step)))  # type: ignore[misc]
    return Audit(ledger, tuple(opinions))
