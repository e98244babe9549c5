"""Every theorem applied to one ledger: what it gives, and what it would give had its filter been enforced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, UndecidedError
from privref.exact.numbers import spell
from privref.exact.work import most_of_it
from privref.ledger.model import FILTERS, ZCDP_FILTER, Budget
from privref.statements.hypotheses import BUDGET_HYPOTHESES, PAID_BY_ANSWERS
from privref.statements.registry import Answer, non_negative

from .claims import ApproxDPClaim, GaussianDPClaim, TotalClaim, ZCDPClaim
from .engines import certainly_exceeds, enclosed
from .facts import Facts, Finding
from .routes import Application, Route, largest_split, split_in_advance
from .verdicts import Bound


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


def all_bounds(
    facts: Facts,
    routes: tuple[Route, ...],
    delta: Fraction,
    report: Callable[[str], None],
    claim: TotalClaim | None = None,
) -> tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]:
    """Every route applied: the bounds, the tightest first; the inapplicable ones; what the precision cap left open."""
    bounds, inapplicable, open_ones = [], [], []
    for route in routes:
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
    if converted or claim is not None:
        return spent
    return Bound(application, Enclosure(own, own), spell(own), "the budget that was enforced")


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
    split = spell(split_in_advance(facts, facts.declarations.budget.delta, route.by))
    return "only if this filter was enforced" + (f" with delta' = {split}" if FILTERS[route.by] else "")


def proves(item: Bound, claimed: Fraction) -> bool | None:
    """Whether the bound is at most the claim; None where that stays open."""
    if item.enclosure is None:
        return False
    try:
        return not certainly_exceeds(item.application.statement, item.application.inputs, claimed, item.enclosure)
    except UndecidedError:
        return None
