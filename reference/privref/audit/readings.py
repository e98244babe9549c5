"""Claims about a machine that read the ledger: what an odometer showed, and what remained of a budget."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from privref.adaptive.protocol import Machine, failure_of
from privref.exact import decide
from privref.exact.errors import EnginesDisagree, HypothesisError, InputError
from privref.exact.numbers import written
from privref.ledger.model import Budget
from privref.profiles.sampled import NOT_BY_ROUND
from privref.statements.hypotheses import READING_FAILURES, Hypothesis
from privref.statements.theorems import called

from .claims import ReadingClaim, RemainingClaim
from .engines import CERTIFIED_DIGITS, ENGINES
from .facts import Facts, Finding
from .facts.hypotheses import check
from .opinions import Opinion
from .reasons import inapplicable, to_declare
from .replayed import ODOMETERS, OUTPUT_ACCOUNTANT, odometer_by, reading_after, remaining_budget


def audit_remaining(facts: Facts, claim: RemainingClaim) -> Opinion:
    """Whether at least the claimed (epsilon, delta) remains of the budget by Algorithm 1 of Hartmann et al. 2022."""
    wanted = (Hypothesis.OUTPUT_DP_ROUNDS, Hypothesis.OUTPUT_BUDGET, Hypothesis.SEQUENTIAL)
    budget = facts.declarations.budget
    supposed = not facts.declarations.fixed and facts.declarations.filter is None
    if supposed:
        facts = facts.under(replace(budget or Budget(claim.delta, claim.epsilon), filter=OUTPUT_ACCOUNTANT.id))
    findings = [check(facts, hypothesis, OUTPUT_ACCOUNTANT.id) for hypothesis in wanted]
    if budget is not None and (budget.epsilon, budget.delta) != (claim.epsilon, claim.delta):
        findings.append(Finding(Hypothesis.OUTPUT_BUDGET, False, "the ledger declares another budget than the claim"))
    unmet = [finding for finding in findings if not finding.met]
    if unmet:
        return Opinion(claim, "inapplicable", inapplicable(OUTPUT_ACCOUNTANT.id, unmet))
    left = remaining_budget(facts.ledger, claim.epsilon, claim.delta)
    if isinstance(left, str):
        return Opinion(claim, "unsupported", left)
    shown = f"by hartmann2022/alg1 ({written(left[0])}, {written(left[1])}) remains"
    proved = claim.remaining[0] <= left[0] and claim.remaining[1] <= left[1]
    if not proved:
        return Opinion(claim, "unsupported", shown)
    assert facts.declarations.budget is not None
    if supposed:
        return Opinion(
            claim, "conditional", f"{shown}; {to_declare(facts.declarations.budget)}", declare=facts.declarations.budget
        )
    rests = tuple(finding for finding in findings if finding.premise)
    return Opinion(claim, "confirmed", shown, premises=(*rests, *_of_a_period(facts)))


def _of_a_period(facts: Facts) -> tuple[Finding, ...]:
    """What the machine of one period rests on."""
    period = facts.ledger.period
    how = f"the machine began anew with each {period}, whose events these are"
    return (Finding(Hypothesis.PERIODS, True, how, premise=True),) if period else ()


#: What an odometer needs of the whole ledger; which events it covers it says itself.
_ODOMETER_HYPOTHESES = (Hypothesis.SEQUENTIAL, Hypothesis.CONCURRENT_DP, Hypothesis.CONCURRENT_ZCDP)


def audit_reading(facts: Facts, claim: ReadingClaim) -> Opinion:
    """Whether the odometer that the claim names reads at most the claimed number after that event."""
    assert claim.by is not None
    if claim.by not in ODOMETERS:
        return Opinion(claim, "out-of-scope", f"{claim.by} is not an odometer; these are: {', '.join(ODOMETERS)}")
    if claim.after_event > len(facts.ledger.events):
        return Opinion(claim, "unsupported", f"the ledger has only {len(facts.ledger.events)} event(s)")
    if facts.ledger.shares:
        return Opinion(claim, "inapplicable", f"{called(claim.by)} is read after every round: {NOT_BY_ROUND}")
    try:
        machine = odometer_by(facts.ledger, claim.by, claim.delta)
        unmet = [
            finding
            for hypothesis in machine.hypotheses
            if hypothesis in _ODOMETER_HYPOTHESES and not (finding := check(facts, hypothesis, claim.by)).met
        ]
        if unmet:
            return Opinion(claim, "inapplicable", inapplicable(claim.by, unmet))
        reading = reading_after(facts.ledger, machine, claim.after_event)
    except HypothesisError as error:
        return Opinion(claim, "inapplicable", str(error))
    except InputError as error:
        return Opinion(
            claim, "inapplicable", f"{called(claim.by)} requires {Hypothesis.TUNING_IN_ADVANCE.value}: {error}"
        )
    if reading is None:
        return Opinion(claim, "undecided", f"{called(claim.by)} cannot be read before the first event")
    if isinstance(reading, str):
        return Opinion(claim, "unsupported", f"{called(claim.by)} reads {reading}")
    formula: decide.Formula = (lambda ar: reading) if isinstance(reading, Fraction) else reading
    enclosure = decide.enclose(formula, decide.engine("arb"), Fraction(1, 10**CERTIFIED_DIGITS))
    said = {decide.exceeds(formula, lambda ar: claim.reading, decide.engine(engine)) for engine in ENGINES}
    if len(said) != 1:
        raise EnginesDisagree(f"{claim.by}: the engines decide the comparison with the reading differently")
    text = f"{called(claim.by)} reads [{', '.join(enclosure.decimals(10))}]"
    if said.pop():
        return Opinion(claim, "unsupported", text)
    return Opinion(claim, "confirmed", text, premises=_what_a_reading_says(facts, claim, machine))


def _what_a_reading_says(facts: Facts, claim: ReadingClaim, machine: Machine[Any]) -> tuple[Finding, ...]:
    """What the reading bounds, and what it rests on that no ledger can show."""
    event = READING_FAILURES[failure_of(machine)]
    means = f"premise: of a reading by {called(claim.by)} this is proved: "
    means += f"with probability at most {written(claim.delta)} {event}"
    tuned = ", ".join(
        f"{name} = {written(value)}" for name, value in facts.ledger.tuning.get(claim.by or "", {}).items()
    )
    before = f"premise: delta = {written(claim.delta)}{' and ' + tuned if tuned else ''}"
    return (
        Finding(machine.hypotheses[0], True, means, premise=True),
        Finding(
            Hypothesis.TUNING_IN_ADVANCE,
            True,
            f"{before} {'were' if tuned else 'was'} fixed before the first event (no ledger can show this)",
            premise=True,
        ),
        *_of_a_period(facts),
    )
