"""The audit: every applicable theorem, the tightest first, a verdict per claim, decided by both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from privref.exact.errors import OutOfScopeError, UndecidedError
from privref.exact.numbers import probability
from privref.exact.work import metered
from privref.ledger.model import Ledger

from .bounds import all_bounds
from .claims import Claim, ReadingClaim, RemainingClaim
from .deciding import audit_total
from .facts import Facts
from .opinions import Audit, Bound, Opinion
from .readings import audit_reading, audit_remaining
from .reasons import inapplicable
from .refuting import refute
from .routes import EPSILON_ROUTES, Application


def audit_claim(facts: Facts, claim: Claim, report: Callable[[str], None] = lambda step: None) -> Opinion:
    """The verdict on one claim. Refuted takes precedence over unsupported; a claim that is proved is never refuted."""
    if facts.unknown:
        return _unaccounted(facts, claim)
    try:
        match claim:
            case ReadingClaim():
                return audit_reading(facts, claim)
            case RemainingClaim():
                return audit_remaining(facts, claim)
            case _:
                return audit_total(facts, claim, report)
    except UndecidedError as error:
        return Opinion(claim, "undecided", str(error))


def _unaccounted(facts: Facts, claim: Claim) -> Opinion:
    """Out of scope; where only the sampling is not a theorem's, that one is inapplicable, or the claim is refuted."""
    if not facts.only_sampling_unknown or isinstance(claim, (ReadingClaim, RemainingClaim)):
        return Opinion(claim, "out-of-scope", f"the ledger has an event that can not be accounted: {facts.unknown[0]}")
    refutation = refute(facts, claim)
    if refutation is not None and refutation.witness.actual:
        return Opinion(claim, "refuted", f"lost by {refutation.witness.words}", None, refutation)
    (route,) = (route for route in EPSILON_ROUTES if route.by == "zdw2022/poisson_gaussian")
    application = route.apply(facts, claim.delta)
    if not application.unmet:
        return Opinion(claim, "inapplicable", f"an event can not be accounted: {facts.unknown[0]}")
    return Opinion(claim, "inapplicable", inapplicable(route.by, application.unmet), inapplicable=(application,))


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
    """Audit claims against a ledger: one opinion per claim, in order."""
    facts = Facts(ledger)
    opinions = []
    with metered():
        for claim in claims:
            opinions.append(audit_claim(facts, claim, lambda step, id=claim.id: progress(id, step)))  # type: ignore[misc]
    return Audit(ledger, tuple(opinions))
