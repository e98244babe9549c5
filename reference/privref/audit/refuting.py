"""What certainly loses more than a claim allows."""

from __future__ import annotations

from fractions import Fraction

from privref.exact.errors import InputError, UndecidedError
from privref.exact.work import WorkLimitError, spend

from .claims import ApproxDPClaim, GaussianDPClaim, TotalClaim, ZCDPClaim
from .engines import certainly_exceeds, enclosed
from .facts import Facts
from .refuters import Witness, declared, declared_rho, epochs, gaussian_rho_witness, witnesses
from .verdicts import Refutation

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


def _refute_epsilon(facts: Facts, claim: ApproxDPClaim) -> Refutation | None:
    for witness in (*declared(facts, claim.epsilon), *witnesses(facts.without_laws(), claim.epsilon, claim.delta)):
        try:
            enclosure, value = enclosed(witness.statement, witness.inputs)
            if enclosure is not None and certainly_exceeds(witness.statement, witness.inputs, claim.delta, enclosure):
                return Refutation(witness, enclosure, value)
        except UndecidedError:
            # A witness that is not certain refutes nothing; another one may.
            continue
    return None


def _refute_rho(facts: Facts, rho: Fraction) -> Refutation | None:
    actual = declared_rho(facts)
    for witness in (*(() if actual is None else (actual,)), gaussian_rho_witness(facts.without_laws())):
        enclosure, value = enclosed(witness.statement, witness.inputs)
        assert enclosure is not None
        if enclosure.lower > rho:
            return Refutation(witness, enclosure, value)
    return None
