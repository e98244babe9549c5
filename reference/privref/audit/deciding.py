"""The verdict on a claim about the whole ledger, from all bounds and all refuters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from privref.exact.errors import UndecidedError
from privref.exact.work import apart
from privref.ledger.model import Budget
from privref.statements.hypotheses import Hypothesis
from privref.statements.theorems import called

from . import reasons
from .bounds import LARGER, all_bounds, proves, refute, refute_quickly, tightest_first
from .claims import ApproxDPClaim, GaussianDPClaim, TotalClaim, ZCDPClaim
from .facts import Facts
from .opinions import Bound, Hints, Opinion, Refutation
from .routes import MU_ROUTES, RHO_ROUTES, Application, Route, epsilon_routes


def routes_for(claim: TotalClaim, facts: Facts) -> tuple[Route, ...]:
    """The theorems that bound what the claim is about."""
    match claim:
        case ApproxDPClaim():
            return epsilon_routes(facts, claim.by)
        case ZCDPClaim():
            return RHO_ROUTES
        case GaussianDPClaim():
            return MU_ROUTES


def audit_total(facts: Facts, claim: TotalClaim, report: Callable[[str], None], *, best: bool = True) -> Opinion:
    """The verdict on one claim, without advice; ``report`` receives each step.

    Without ``best`` the first theorem or worst case that decides is enough.
    """
    routes = routes_for(claim, facts)
    if isinstance(claim, ZCDPClaim) and facts.declarations.budget is not None and facts.declarations.filter is None:
        # A declared (epsilon, delta) budget does not speak of rho.
        facts = facts.under(None)
    named = tuple(route for route in routes if claim.by is not None and route.answers(claim.by))
    if claim.by is not None and not named:
        return _outside(facts, claim, routes)
    if isinstance(claim, GaussianDPClaim):
        if not facts.declarations.fixed:
            return Opinion(claim, "inapplicable", f"a claim of mu needs {Hypothesis.FIXED_PARAMETERS.value}")
        facts = facts.under(None)
    if (
        facts.declarations.budget is not None
        and not facts.declarations.fixed
        and _larger(facts.declarations.budget, claim)
    ):
        return Opinion(claim, "inapplicable", f"parameters were chosen adaptively, and {LARGER}")
    # Where no filter is declared and none of its theorems counts, each of them is asked what it would prove.
    enough = not best and (facts.declarations.fixed or facts.declarations.filter is not None)
    if enough and claim.by is None and not isinstance(claim, GaussianDPClaim):
        (ordered, inapplicable, open_ones), refutation = _until_decided(facts, claim, routes, report)
        if refutation is not None:
            return exceeded(partial(Opinion, claim, bounds=ordered, inapplicable=inapplicable), refutation)
    else:
        ordered, inapplicable, open_ones = all_bounds(facts, routes, claim.delta, report, claim)
    try:
        if isinstance(claim, GaussianDPClaim) and not named:
            return _decide_mu(facts, claim, ordered, inapplicable, open_ones, report)
        return _decide(facts, claim, ordered, inapplicable, named, open_ones, report)
    except UndecidedError as error:
        return Opinion(claim, "undecided", str(error), bounds=ordered, inapplicable=inapplicable)


def _outside(facts: Facts, claim: TotalClaim, routes: tuple[Route, ...]) -> Opinion:
    """On a claim by a theorem that has none of its kind: still refuted where the mechanisms certainly lose more."""
    assert claim.by is not None
    outside = Opinion(claim, "out-of-scope", reasons.why_not_a_route(claim.by, routes))
    if not facts.attainable or isinstance(claim, GaussianDPClaim):
        return outside
    try:
        refutation = refute(facts, claim)
    except UndecidedError:
        return outside
    found = outside if refutation is None else exceeded(partial(Opinion, claim), refutation)
    return found if found.verdict == "refuted" else outside


#: The theorems that are tried first where any proof is enough: sums, and one formula of a sum. Then worst cases are
#: tried, and then the other theorems, the optimum of (epsilon, delta)-DP rounds before those that it makes needless.
_CHEAP, _OPTIMUM = ("rogers2016/thm2.9", "whitehouse2023/thm1", "whitehouse2023/lem1"), "mv2016/optimal"
#: In units of work: what worst cases may take before all theorems had their turn.
_WORST_CASES = 100_000

_Found = tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]


def _until_decided(
    facts: Facts, claim: TotalClaim, routes: tuple[Route, ...], report: Callable[[str], None]
) -> tuple[_Found, Refutation | None]:
    """What ``all_bounds`` finds, up to the first theorem that proves the claim, or to what loses more than it allows.

    A verdict by these is that by all: one proof is enough, and what certainly loses more leaves none to be found.
    """
    first = tuple(route for route in routes if route.by in (*_CHEAP, facts.declarations.filter))
    found = all_bounds(facts, first, claim.delta, report, claim, enough=True)
    if any(proves(item, claim.size) for item in found[0]):
        return found, None
    try:
        # Apart: what this spends is not missed where all theorems are needed.
        with apart(_WORST_CASES):
            refutation = refute_quickly(facts, claim) if facts.attainable else None
    except UndecidedError:
        refutation = None
    if refutation is not None:
        return found, refutation
    others = sorted((route for route in routes if route not in first), key=lambda route: route.by != _OPTIMUM)
    bounds, inapplicable, open_ones = all_bounds(facts, tuple(others), claim.delta, report, claim, enough=True)
    return (tightest_first((*found[0], *bounds)), (*found[1], *inapplicable), (*found[2], *open_ones)), None


def exceeded(said: Callable[..., Opinion], refutation: Refutation) -> Opinion:
    """The claim refuted by what ran, or beyond what its guarantees can prove."""
    words = refutation.witness.words
    if refutation.witness.actual:
        return said("refuted", f"lost by {words}", refutation=refutation, premises=refutation.witness.premises)
    return said("underivable", reasons.underivable(words), refutation=refutation, hints=Hints())


def _decide_mu(
    facts: Facts,
    claim: GaussianDPClaim,
    bounds: tuple[Bound, ...],
    inapplicable: tuple[Application, ...],
    open_ones: tuple[str, ...],
    report: Callable[[str], None],
) -> Opinion:
    """The verdict on a claim over all epsilon, or else by points of the curve. What is proved of all is of a range."""
    everywhere = claim if claim.deltas is None else replace(claim, deltas=None)
    found = _decide(facts, everywhere, bounds, inapplicable, (), open_ones, report)
    if found.verdict == "confirmed":
        return replace(found, claim=claim)
    # Over all epsilon, points are looked for where no theorem has the least mu: each may cost as much as an audit.
    exact = any(bound.application.by == "gdp/composition" for bound in bounds)
    if claim.deltas is None and (exact or found.refutation is not None):
        if found.refutation is None or found.refutation.witness.statement != "gdp/sampled.rho":
            return found
        return replace(found, reason=f"{found.reason}; state the range of delta that is meant (`deltas`)")
    # Imported late: few claims are of mu.
    from .mu_ranges import decide

    by_points = decide(facts, claim, report)
    if by_points is not None and (claim.deltas is not None or by_points.verdict != "unsupported" or not bounds):
        return by_points
    if claim.deltas is not None:
        return Opinion(claim, "inapplicable", "no theorem that proves a whole curve applies", inapplicable=inapplicable)
    return found


def _larger(budget: Budget, claim: TotalClaim) -> bool:
    own = budget.epsilon if budget.rho is None else budget.rho
    alike = isinstance(claim, ApproxDPClaim) == (budget.rho is None)
    return budget.delta > claim.delta or (alike and own is not None and own > claim.size)


def _decide(
    facts: Facts,
    claim: TotalClaim,
    bounds: tuple[Bound, ...],
    inapplicable: tuple[Application, ...],
    named: tuple[Route, ...],
    open_ones: tuple[str, ...],
    report: Callable[[str], None],
) -> Opinion:
    said = partial(Opinion, claim, bounds=bounds, inapplicable=inapplicable)
    wanted = {route.by for route in named} or {route.by for route in routes_for(claim, facts)}
    relevant = [item for item in bounds if item.application.by in wanted]
    proved = {item.application.by: proves(item, claim.size) for item in bounds}
    proving = next((item for item in relevant if proved[item.application.by]), None)
    if proving is not None and proving.application.supposed is not None:
        budget = proving.application.supposed
        reason = f"{called(proving.application.by)} would prove it; {reasons.to_declare(budget)}"
        undeclared = reasons.undeclared(facts.ledger)
        if facts.ledger.together and undeclared:
            reason += f"; or, if no parameter in any of them was chosen after an answer in any was seen, {undeclared}"
        return said("conditional", reason, deciding=proving, declare=budget, undeclared=undeclared)
    if proving is not None:
        premises = reasons.premises(proving)
        return said("confirmed", reasons.confirmed(proving), deciding=proving, premises=premises)
    if facts.attainable and not any(proved.values()):
        report("lower bounds")
        refutation = refute(facts, claim)
        if refutation is not None:
            return exceeded(said, refutation)
    if any(proved[item.application.by] is None for item in relevant) or (open_ones and not (named and relevant)):
        names = [item.application.by for item in relevant if proved[item.application.by] is None]
        reason = "; ".join([*(f"{name}: the claim lies within its enclosure" for name in names), *open_ones])
        return said("undecided", reason)
    undeclared = reasons.undeclared(facts.ledger)
    if not relevant:
        if undeclared and (item := _if_fixed(facts, claim, report)) is not None:
            reason = f"{called(item.application.by)} would prove it; that holds only if {reasons.FIXED}"
            return said("conditional", reason, deciding=item, undeclared=undeclared)
        failing = [item for item in inapplicable if item.by in wanted]
        if not facts.declarations.fixed and facts.declarations.filter is not None and not named:
            # What stands in the way is the filter that was in force; that the others were not is no news.
            failing = [item for item in failing if item.by == facts.declarations.filter] or failing
        return said("inapplicable", "; ".join(sorted({reasons.inapplicable(item.by, item.unmet) for item in failing})))
    reason, hints = reasons.unsupported(facts, claim, relevant)
    undeclared = "" if relevant[0].application.supposed is None else undeclared
    if undeclared and (item := _if_fixed(facts, claim, report)) is not None:
        reason = f"{called(item.application.by)} would prove it; that holds only if {reasons.FIXED}. {reason}"
        return said("conditional", reason, deciding=item, hints=hints, undeclared=undeclared)
    return said("unsupported", reason, deciding=relevant[0], hints=hints, undeclared=undeclared)


def _if_fixed(facts: Facts, claim: TotalClaim, report: Callable[[str], None]) -> Bound | None:
    """The bound that would confirm the claim, had no parameter been chosen after an answer was seen."""
    fixed = Facts.of(replace(facts.ledger, parameters="fixed-in-advance"), facts.structure)
    found = audit_total(fixed, claim, report)
    if found.verdict != "confirmed" or found.deciding is None:
        return None
    note = "; ".join(filter(None, (found.deciding.note, f"only if {reasons.FIXED}")))
    return replace(found.deciding, note=note, if_fixed=True)
