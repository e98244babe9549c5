"""The evidence of a ledger, weighed against what is claimed and proved: what ran may not be what is declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.exact.numbers import probability, spell
from privref.exact.rounding import plain, plain_decimal, to_decimal
from privref.exact.work import metered
from privref.ledger.evidence import Evidence, OneRun, error_of
from privref.ledger.model import Ledger, require_ledger
from privref.profiles.evidence import MOST_EPSILON
from privref.statements.hypotheses import Hypothesis

from .best import DIGITS, caveat
from .claims import ApproxDPClaim, Claim
from .engines import certainly_exceeds, enclosed
from .facts import Finding
from .verdicts import Opinion


@dataclass(frozen=True, slots=True)
class EvidenceBound:
    """What one piece of evidence shows at a delta: an epsilon, of which no smaller one is true but for its error."""

    piece: Evidence
    delta: Fraction
    enclosure: Enclosure


def evidence(ledger: Ledger, delta: object) -> tuple[EvidenceBound, ...]:
    """Return what each piece of a ledger's evidence shows at delta.

    Each holds for itself, with the confidence that it states: to take the largest of several is not covered by it.
    """
    require_ledger(ledger)
    slack = probability(delta, "delta")
    with metered():
        return tuple(EvidenceBound(piece, slack, shows(piece, slack)) for piece in ledger.evidence)


#: The theorems by which a piece of evidence contradicts a claim.
ONE_RUN, TWO_RATES = "steinke2023/one_run", "clopper1934/two_rates"


def by(piece: Evidence) -> str:
    """The theorem by which a piece of evidence contradicts a claim."""
    return ONE_RUN if isinstance(piece, OneRun) else TWO_RATES


def inputs(piece: Evidence, delta: Fraction) -> Mapping[str, int | Fraction]:
    """The inputs of the lower bound on epsilon that a piece shows; ``level`` is its error."""
    counts: tuple[str, ...] = ("canaries", "guesses", "right")
    if not isinstance(piece, OneRun):
        counts = ("runs_with", "true_positives", "runs_without", "false_positives")
    return {"level": 1 - piece.confidence, "delta": delta, **{name: getattr(piece, name) for name in counts}}


def shows(piece: Evidence, delta: Fraction) -> Enclosure:
    """An epsilon: of what was attacked no smaller one is true at delta, but for the error that the piece states."""
    found, _ = enclosed(f"{by(piece)}.eps", inputs(piece, delta))
    assert found is not None
    return found


def contradiction(piece: Evidence, epsilon: Fraction, delta: Fraction) -> str:
    """Why a piece contradicts that what ran is (epsilon, delta)-DP; "" where it does not.

    One run is decided by its p-value at this epsilon; UndecidedError where an equality stays open.
    """
    if epsilon >= MOST_EPSILON:
        return ""
    error = 1 - piece.confidence
    if not isinstance(piece, OneRun):
        found = shows(piece, delta)
        if not certainly_exceeds(f"{TWO_RATES}.eps", inputs(piece, delta), epsilon, found):
            return ""
        least, sure = plain(_few(found)[0]), said(piece.confidence)
        return f"{piece}: it is not ({least}, {said(delta)})-DP, with confidence {sure}"
    given = {**inputs(piece, delta), "eps": epsilon}
    del given["level"]
    chance, _ = enclosed(f"{ONE_RUN}.p", given)
    assert chance is not None
    if certainly_exceeds(f"{ONE_RUN}.p", given, error, chance):
        return ""
    here, most = f"({said(epsilon)}, {said(delta)})-DP", plain(_few(chance)[1])
    return f"{piece}: the chance of that many is at most {most} if it is {here}, and {said(error)} was chosen to decide"


def said(value: Fraction) -> str:
    """A number as a decimal, where that is exact and short."""
    mantissa, e, exponent = plain_decimal(value, 15, "up").partition("e")
    text = f"{mantissa.rstrip('0').rstrip('.')}e{exponent}" if e else mantissa
    return text if Fraction(text) == value else spell(value)


def _few(value: Enclosure) -> tuple[str, str]:
    return value.decimals(4)


def weighable(ledger: Ledger, claim: Claim) -> bool:
    """Whether attacks on one unit speak of the claim: (epsilon, delta) of one unit, one period, the same neighbours."""
    return (
        isinstance(claim, ApproxDPClaim)
        and claim.units == claim.periods == 1
        and claim.neighbours in (None, ledger.neighbours)
    )


def weighed(ledger: Ledger, opinion: Opinion) -> Opinion:
    """The opinion after the ledger's evidence is heard; what is refuted is false whatever an attack found."""
    claim = opinion.claim
    if not ledger.evidence or opinion.verdict == "refuted":
        return opinion
    if not isinstance(claim, ApproxDPClaim) or not weighable(ledger, claim):
        if opinion.verdict != "confirmed":
            return opinion
        open_ = "the ledger has evidence of attacks, which is weighed against (epsilon, delta) of one unit only"
        return replace(opinion, premises=(*opinion.premises, Finding(Hypothesis.EVIDENCE, True, open_, premise=True)))
    proved = _proved(opinion)
    try:
        for piece in ledger.evidence:
            why = contradiction(piece, claim.epsilon, claim.delta)
            if not why and proved is not None:
                why = contradiction(piece, proved, claim.delta)
                why = why and f"{why}; the ledger proves so much, which is less than the claim"
            if why:
                return _contradicted(ledger, opinion, piece, why)
    except UndecidedError as error:
        return replace(opinion, verdict="undecided", reason=f"whether evidence contradicts it stays open: {error}")
    return opinion


def _proved(opinion: Opinion) -> Fraction | None:
    """The epsilon of one unit that the ledger proves, where that is less than a confirmed claim."""
    item = opinion.deciding
    if opinion.verdict != "confirmed" or opinion.of_unit is not None or item is None or item.enclosure is None:
        return None
    found = Fraction(to_decimal(item.enclosure.upper, DIGITS, "up"))
    return (
        found if not caveat(item) and isinstance(opinion.claim, ApproxDPClaim) and found < opinion.claim.size else None
    )


def _contradicted(ledger: Ledger, opinion: Opinion, piece: Evidence, why: str) -> Opinion:
    error = said(error_of(ledger.evidence))
    reason = (
        f"{why}. What was attacked is not what the claim or the ledger says, or the attack was lucky: all evidence "
        f"here together contradicts a true claim with a chance of at most {error}"
    )
    if opinion.verdict == "confirmed":
        reason += f". From what the ledger declares the claim follows: {opinion.reason}"
    premise = Finding(Hypothesis.EVIDENCE, True, premise_of(piece), premise=True)
    return replace(
        opinion, verdict="contradicted-by-evidence", reason=reason, premises=(premise, *opinion.premises),
        refutation=None, hints=None, declare=None,
    )  # fmt: skip


def premise_of(piece: Evidence) -> str:
    """What a piece of evidence rests on and no ledger can show."""
    if isinstance(piece, OneRun):
        return (
            "a fair coin of its own chose between two states of each canary, which are neighbours as the ledger has "
            "them; the guesses saw no coin, and their number and the confidence were chosen before; what was "
            "attacked is what the ledger describes"
        )
    return (
        "the data with the record and without it are neighbours as the ledger has them; the runs are independent, "
        "and their numbers, the attack and the confidence were chosen before; what was attacked is what the ledger "
        "describes"
    )
