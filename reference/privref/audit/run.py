"""The audit: every applicable theorem, the tightest first, a verdict per claim, decided by both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from privref.exact.errors import OutOfScopeError, UndecidedError
from privref.exact.numbers import probability
from privref.exact.work import metered
from privref.ledger.model import Ledger
from privref.statements.hypotheses import Hypothesis

from . import structure
from .both_ends import audit_both_ends
from .bounds import all_bounds
from .claims import Claim, ReadingClaim, RemainingClaim, TotalClaim
from .deciding import audit_total
from .facts import ANSWERS_OF_ABSENT, Facts, Finding
from .opinions import Audit, Bound, Opinion, Verdict
from .readings import audit_reading, audit_remaining
from .reasons import inapplicable
from .refuting import refute
from .routes import EPSILON_ROUTES, Application


def audit_claim(facts: Facts, claim: Claim, report: Callable[[str], None] = lambda step: None) -> Opinion:
    """The verdict on one claim. Refuted takes precedence over unsupported; a claim that is proved is never refuted."""
    try:
        match claim:
            case ReadingClaim() | RemainingClaim() if facts.unknown:
                return _unaccounted(facts, claim)
            case ReadingClaim():
                return audit_reading(facts, claim)
            case RemainingClaim():
                return audit_remaining(facts, claim)
            case _:
                if structure.is_plain(facts.ledger, claim):
                    return _with_premises(_audit_plain(facts, claim, report), facts, claim)
                return _audit_structured(facts, claim, report)
    except UndecidedError as error:
        return Opinion(claim, "undecided", str(error))


def _audit_plain(facts: Facts, claim: TotalClaim, report: Callable[[str], None]) -> Opinion:
    return _unaccounted(facts, claim) if facts.unknown else audit_total(facts, claim, report)


def _unaccounted(facts: Facts, claim: Claim) -> Opinion:
    """Out of scope; where only the sampling is not a theorem's, that one is inapplicable, or the claim is refuted."""
    if not facts.only_sampling_unknown or isinstance(claim, (ReadingClaim, RemainingClaim)):
        return Opinion(claim, "out-of-scope", f"the ledger has an event that can not be accounted: {facts.unknown[0]}")
    refutation = refute(facts, claim) if facts.attainable else None
    if refutation is not None and refutation.witness.actual:
        return Opinion(claim, "refuted", f"lost by {refutation.witness.words}", None, refutation)
    (route,) = (route for route in EPSILON_ROUTES if route.by == "zdw2022/poisson_gaussian")
    application = route.apply(facts, claim.delta)
    if not application.unmet:
        return Opinion(claim, "inapplicable", f"an event can not be accounted: {facts.unknown[0]}")
    return Opinion(claim, "inapplicable", inapplicable(route.by, application.unmet), inapplicable=(application,))


def _with_premises(opinion: Opinion, facts: Facts, claim: TotalClaim) -> Opinion:
    found = structure.premises(facts.ledger, claim)
    if opinion.verdict == "confirmed" and facts.answers_of_absent:
        found = (*found, Finding(Hypothesis.KNOWN_LAWS, True, ANSWERS_OF_ABSENT, premise=True))
    return replace(opinion, premises=(*opinion.premises, *found)) if found else opinion


#: Of the verdicts on the cases of one claim the first that occurs is the claim's.
_GRAVEST: tuple[Verdict, ...] = (
    "refuted", "underivable", "unsupported", "out-of-scope", "inapplicable", "conditional", "undecided", "confirmed",
)  # fmt: skip


def _audit_structured(facts: Facts, claim: TotalClaim, report: Callable[[str], None]) -> Opinion:
    """The verdict on a claim about parts, periods or a group: it must hold of each plain ledger that it comes to."""
    found = structure.cases(facts.ledger, claim)
    if isinstance(found, structure.Unstructured):
        return _with_premises(Opinion(claim, "inapplicable", found.reason), facts, claim)
    opinions = []
    for case in found:
        plain = Facts(case.ledger)
        plain.of_group = claim.units > 1 or len(case.parts) > 1
        plain.of_periods = claim.periods > 1
        opinions.append(_audit_plain(plain, claim, report))
    at = min(range(len(found)), key=lambda i: _gravity(opinions[i]))
    gravest, case = opinions[at], found[at]
    reason = gravest.reason
    if len(found) > 1 or case.alike > 1:
        here = ", ".join(f"{name} {part}" for name, part in case.parts.items())
        total = sum(each.alike for each in found)
        reason += f"; decided by the worst of {total} combinations of parts, {here}"
    others = tuple(
        (each.parts, opinion) for i, (each, opinion) in enumerate(zip(found, opinions, strict=True)) if i != at
    )
    gravest = replace(gravest, reason=reason, case=case.parts, others=others)
    return _with_premises(gravest, facts, claim)


def _gravity(opinion: Opinion) -> tuple[int, Fraction]:
    """The gravest verdict first, and of equal ones the largest bound."""
    bound = opinion.deciding.enclosure if opinion.deciding is not None else None
    return _GRAVEST.index(opinion.verdict), Fraction(0) if bound is None else -bound.upper


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
    return all_bounds(facts, EPSILON_ROUTES, delta, lambda step: None)


def audit(
    ledger: Ledger, claims: Iterable[Claim], *, progress: Callable[[str, str], None] = lambda claim, step: None
) -> Audit:
    """Audit claims against a ledger: one opinion per claim, in order; at both ends of what was published rounded."""
    facts = Facts(ledger)
    opinions = []
    with metered():
        for claim in claims:

            def report(step: str, id: str = claim.id) -> None:
                progress(id, step)

            def exact(read: Facts, about: Claim, report: Callable[[str], None] = report) -> Opinion:
                return audit_claim(read, about, report)

            opinions.append(audit_both_ends(ledger, claim, exact) if ledger.rounded else exact(facts, claim))
    return Audit(ledger, tuple(opinions))
