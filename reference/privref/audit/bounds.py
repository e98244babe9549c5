"""What theorems prove of a ledger, also had their filter been enforced, and what certainly loses more than a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError, UndecidedError
from privref.exact.numbers import spell, written
from privref.exact.work import WorkLimitError, apart, left, most_of_it, spend
from privref.guarantees.model import Guarantee
from privref.ledger.model import FILTERS, ZCDP_FILTER, Budget, Event
from privref.statements.hypotheses import BUDGET_HYPOTHESES, PAID_BY_ANSWERS
from privref.statements.registry import Answer, non_negative

from .claims import ApproxDPClaim, GaussianDPClaim, TotalClaim, ZCDPClaim
from .engines import certainly_exceeds, enclosed
from .facts import Facts, Finding
from .facts.hypotheses import of_filter
from .opinions import Bound, Refutation
from .refuters import Witness, declared, declared_rho, epochs, gaussian_rho_witness, quick_witnesses, witnesses
from .routes import Application, Route, largest_split, split_in_advance


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


def tightest_first(bounds: Iterable[Bound]) -> tuple[Bound, ...]:
    """By the upper end, an exact rational; theorems without a finite bound come last."""
    finite = [item for item in bounds if item.enclosure is not None]
    infinite = [item for item in bounds if item.enclosure is None]
    finite.sort(key=lambda item: (item.enclosure.upper, item.enclosure.lower))  # type: ignore[union-attr]
    return tuple(finite + infinite)


#: By theorem: another one, asked before it, whose bound is never above.
_SHARPER = {"chua2024b/truncated": "chua2024b/cut"}


def all_bounds(
    facts: Facts,
    routes: tuple[Route, ...],
    delta: Fraction,
    report: Callable[[str], None],
    claim: TotalClaim | None = None,
    *,
    enough: bool = False,
    best: bool = False,
) -> tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]:
    """Every route applied: the bounds, the tightest first; the inapplicable ones; what the precision cap left open.

    With ``enough`` those after the first that proves the claim are left out; with ``best`` those of which another one
    that has answered is known to prove no more.
    """
    bounds: list[Bound] = []
    inapplicable, open_ones = [], []
    for route in routes:
        sharper = _SHARPER.get(route.by)
        if best and any(item.application.by == sharper and item.enclosure is not None for item in bounds):
            continue
        report(route.by)
        try:
            with most_of_it():
                if route.is_filter and not facts.declarations.fixed and facts.declarations.filter is None:
                    found = _supposed(facts, route, delta, claim)
                else:
                    found = _within_budget(facts, route, delta, claim)
            if found.application.unmet:
                inapplicable.append(found.application)
            else:
                bounds.append(found)
                if enough and claim is not None and proves(found, claim.size):
                    break
        except UndecidedError as error:
            open_ones.append(f"{route.by}: {error}")
    return tightest_first(bounds), tuple(inapplicable), tuple(open_ones)


def _within_budget(facts: Facts, route: Route, delta: Fraction, claim: TotalClaim | None) -> Bound:
    """What the theorem gives; where it is the filter that was in force, only if the record is one of that filter.

    That filter had the budget's own delta, and what it proves is its budget: what ran spent within it may have been
    less, as charged adaptively or by observed cells, and is not a bound by itself.
    """
    budget = facts.declarations.budget
    if (
        budget is None
        or not route.is_filter
        or (facts.declarations.fixed and not PAID_BY_ANSWERS & set(route.hypotheses))
    ):
        return bound(route.apply(facts, delta, None if claim is None else claim.by))
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
        within = facts.guarantees.rho <= own and facts.guarantees.zcdp_delta <= budget.delta
    else:
        proved = proves(spent, own)
        if proved is None:
            raise UndecidedError("whether what ran is within the declared budget stays open")
        within = proved
    if not within:
        return _not_in_force(
            application, "by this theorem what ran exceeds the declared budget, so its filter was not the one enforced"
        )
    stopped_otherwise = _stopped_otherwise(facts, route, budget)
    if stopped_otherwise:
        findings = [
            replace(each, how=of_filter(budget, stopped_otherwise)) if each.hypothesis in BUDGET_HYPOTHESES else each
            for each in application.findings
        ]
        application = replace(application, findings=tuple(findings))
        spent = replace(spent, application=application)
    if converted or claim is not None:
        return spent
    return Bound(application, Enclosure(own, own), spell(own), "the budget that was enforced")


#: So many kinds of events that did not run are compared with the filter that was in force.
_MOST_STOPPED = 20


def _stopped_otherwise(facts: Facts, route: Route, budget: Budget) -> str:
    """Return the first event that did not run though the filter in force lets it run, as "event 3"; "" for none."""
    ran: list[Event] = [] if facts.ledger.in_order else list(facts.ledger.ran)
    asked = set[tuple[Guarantee, int]]()
    for place, event in enumerate(facts.ledger.events if facts.declarations.refused else (), 1):
        if event.decision in (None, "continue"):
            if facts.ledger.in_order:
                ran.append(event)
        elif (kind := (event.guarantee, event.count)) not in asked and len(asked) < _MOST_STOPPED:
            # A later one of the same kind finds no less spent.
            asked.add(kind)
            had = replace(facts.ledger, events=(*ran, replace(event, decision=None)), parameters="chosen-adaptively")
            if _lets_run(Facts.of(had, facts.structure).under(budget), route, budget):
                return f"event {place}"
    return ""


def _lets_run(facts: Facts, route: Route, budget: Budget) -> bool:
    """Whether all events are within the filter's budget; False also where that stays open."""
    if budget.rho is not None:
        return facts.guarantees.rho <= budget.rho and facts.guarantees.zcdp_delta <= budget.delta
    assert budget.epsilon is not None
    try:
        return proves(bound(route.apply(facts, budget.delta)), budget.epsilon) is True
    except UndecidedError:
        return False


#: Why a filter with a larger budget proves nothing here: a record that spent less was let spend more.
LARGER = "the declared budget is larger than the claim, so no filter with the claim as its budget was enforced"


def _not_in_force(application: Application, why: str) -> Bound:
    hypothesis = next(f.hypothesis for f in application.findings if f.hypothesis in BUDGET_HYPOTHESES)
    return Bound(replace(application, findings=(*application.findings, Finding(hypothesis, False, why))))


def _supposed(facts: Facts, route: Route, delta: Fraction, claim: TotalClaim | None) -> Bound:
    """What the theorem would give had exactly its filter been enforced, with the claim or the declared size as budget.

    With the default split where that proves the claim, and otherwise with the best one for this record: a choice that
    is made after the run, so that nothing is proved by it.
    """
    declared = facts.declarations.budget
    if declared is not None:
        sized = declared
    elif claim is not None:
        sized = _budget_of(claim)
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
        if claim is None or (not item.application.unmet and proves(item, claim.size)):
            break
    return item


def _budget_of(claim: TotalClaim) -> Budget:
    """The claim as a filter's budget."""
    match claim:
        case ApproxDPClaim():
            return Budget(claim.delta, claim.epsilon)
        case ZCDPClaim():
            return Budget(claim.delta, rho=claim.rho)
        case GaussianDPClaim():
            raise AssertionError("a claim of mu is audited for parameters fixed in advance only")


def _only_if(facts: Facts, route: Route) -> str:
    assert facts.declarations.budget is not None
    split = written(split_in_advance(facts, facts.declarations.budget.delta, route.by))
    return "only if this filter was enforced" + (f" with delta' = {split}" if FILTERS[route.by] else "")


def proves(item: Bound, claimed: Fraction) -> bool | None:
    """Whether the bound is at most the claim; None where that stays open."""
    if item.enclosure is None:
        return False
    try:
        return not certainly_exceeds(item.application.statement, item.application.inputs, claimed, item.enclosure)
    except UndecidedError:
        return None


# --- lower bounds ---


#: In units of work: what a witness may spend before a cheaper one is tried.
_FIRST_WORK = 6_000_000
#: In units of work: what the search for an epoch's threshold takes, in floats.
_THRESHOLD = 2000


def refute(facts: Facts, claim: TotalClaim) -> Refutation | None:
    """What certainly loses more than the claim: the declared mechanisms, else a worst case of the guarantees."""
    match claim:
        case ApproxDPClaim():
            return _refute_epsilon(facts, claim)
        case ZCDPClaim():
            return None if claim.delta else _refute_rho(facts, claim.rho)
        case GaussianDPClaim() if claim.deltas is not None:
            # By points of the curve only (mu_ranges): large orders say nothing of a range.
            return None
        case GaussianDPClaim():
            # mu-GDP is mu^2/2-zCDP (Dong, Roth, Su 2019, Corollary B.6).
            return _refute_rho(facts, claim.mu**2 / 2)


def require_consistent(facts: Facts, claim: TotalClaim) -> None:
    """InputError where a claim that is proved is below what a declared epoch loses: its guarantee is none of its own.

    Only samples without a pair come to that: of all others the guarantee was compared with the mechanism. What is
    claimed without delta, of rho or mu, is compared with the base's when the ledger is read.
    """
    match claim:
        case ApproxDPClaim(epsilon=epsilon, delta=delta):
            points = [(epsilon, delta)]
        case ZCDPClaim(rho=rho, delta=delta) if delta:
            points = _epoch_points(facts, rho, delta)
        case _:
            points = []
    for epsilon, delta in points:
        for place, witness in epochs(facts, epsilon):
            spend(_THRESHOLD)
            if _is_beyond(witness, delta):
                remedy = (
                    f"the ledger contradicts itself: its guarantees prove {claim}, which is less than what is lost by "
                    f"{witness.words}; correct one of the two, leave the guarantee out, or declare attained false"
                )
                kind = facts.ledger.events[place].guarantee.kind
                raise InputError(f"ledger.events[{place}].guarantee", kind, remedy)


def _epoch_points(facts: Facts, rho: Fraction, delta: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return the (epsilon, delta) that a claim of rho implies, where a declared epoch is compared with them."""
    if not has_epochs(facts):
        return []
    from privref.profiles.contradiction import most_delta

    return list(most_delta(rho, delta))


def has_epochs(facts: Facts) -> bool:
    """Whether a declared event is an epoch of shuffled batches, of which a lower bound is known."""
    return next(epochs(facts, Fraction(1)), None) is not None


def _is_beyond(witness: Witness, delta: Fraction) -> bool:
    """Whether the witness certainly loses more; one that is not certain contradicts nothing."""
    try:
        enclosure, _ = enclosed(witness.statement, witness.inputs)
        return enclosure is not None and certainly_exceeds(witness.statement, witness.inputs, delta, enclosure)
    except WorkLimitError:
        raise
    except UndecidedError:
        return False


def refute_quickly(facts: Facts, claim: TotalClaim) -> Refutation | None:
    """The same by worst cases that take next to no time; None also where what ran may lose more by its own law."""
    if facts.mechanisms.declares_laws:
        return None
    if not isinstance(claim, ApproxDPClaim):
        return refute(facts, claim)
    return _first_beyond(quick_witnesses(facts, claim.epsilon, claim.delta), claim)


def _refute_epsilon(facts: Facts, claim: ApproxDPClaim) -> Refutation | None:
    guaranteed = witnesses(facts.without_laws(), claim.epsilon, claim.delta)
    return _first_beyond(chain(declared(facts, claim.epsilon), guaranteed), claim)


def _first_beyond(witnesses: Iterable[Witness], claim: ApproxDPClaim) -> Refutation | None:
    for witness in witnesses:
        most = witness.highest()
        if most is not None and most <= claim.delta:
            continue
        is_open, found = True, None
        if witness.cheaper is not None:
            with apart(min(_FIRST_WORK, left())) as spent:
                is_open, found = _tried(witness, claim.delta)
                used = spent()
            spend(used)
            if is_open:
                _, found = _tried(witness.cheaper, claim.delta)
        if is_open and found is None:
            _, found = _tried(witness, claim.delta)
        if found is not None:
            return found
    return None


def _tried(witness: Witness, delta: Fraction) -> tuple[bool, Refutation | None]:
    """Whether it stays open what the witness shows, which then refutes nothing; and what it refutes."""
    try:
        return False, _beyond(witness, delta)
    except UndecidedError:
        return True, None


def _beyond(witness: Witness, delta: Fraction) -> Refutation | None:
    enclosure, value = enclosed(witness.statement, witness.inputs)
    if enclosure is None or not certainly_exceeds(witness.statement, witness.inputs, delta, enclosure):
        return None
    return Refutation(witness, enclosure, value)


def _refute_rho(facts: Facts, rho: Fraction) -> Refutation | None:
    actual = declared_rho(facts)
    for witness in (*(() if actual is None else (actual,)), gaussian_rho_witness(facts.without_laws())):
        enclosure, value = enclosed(witness.statement, witness.inputs)
        assert enclosure is not None
        if enclosure.lower > rho:
            return Refutation(witness, enclosure, value)
    return None
