"""The sentence for a privacy notice: what was proved, of whom, under which assumptions, and what it means.

Only a confirmed claim gets a sentence. Attack success is the largest true-positive rate that any test can have at a
false-positive rate, under the curves of the theorems that hold of the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import HypothesisError, UndecidedError, UnwritableError
from privref.guarantees.model import GaussianDP
from privref.ledger.documents import digest
from privref.ledger.model import Ledger
from privref.statements.registry import solve, statement
from privref.statements.theorems import called

from . import summary
from .both_ends import words as rounded_words
from .certificate import certificates
from .claims import ApproxDPClaim, GaussianDPClaim, TotalClaim, ZCDPClaim
from .curve import has_curve
from .opinions import Audit, Bound, Opinion
from .points import delta_at

#: The false-positive rates at which attack success is said.
RATES = (Fraction(1, 1000), Fraction(1, 100))
_WIDTH = Fraction(1, 10**12)
#: At how many points of the curve attack success is looked for.
_STEPS = 32
#: A rho or mu above this, or an epsilon above its square, leaves an attack all of its success in the digits shown.
_LARGE = 100
_NEIGHBOURS = {
    "replace-one": "replacing the data of {whom}",
    "add-or-remove-one": "adding or removing the data of {whom}",
    "zero-out": "replacing the data of {whom} by data that contribute nothing",
    None: "a change of {whom} (which change, the ledger does not say)",
}
_QUESTIONS = {
    "replace-one": "whether the data of {whom} were replaced by given other ones",
    "add-or-remove-one": "whether the data of {whom} are among the data",
    "zero-out": "whether the data of {whom} contribute to the data or nothing does in their place",
    None: "whether a given one of two data sets was used, which differ in the data of {whom}",
}


@dataclass(frozen=True, slots=True)
class Notice:
    """What may be said of one confirmed claim; numbers are rounded to the safe side."""

    opinion: Opinion
    sentence: str
    theorem: str
    assumptions: tuple[str, ...]
    certificate_sha256: str | None
    attack: tuple[tuple[Fraction, Fraction], ...]
    """(false-positive rate, an upper bound on the true-positive rate)."""
    attack_by: tuple[str, ...]
    """The theorem whose curve gave each of them; "" where it is the claim alone."""
    gaussian: str
    question: str
    """What such a test answers, e.g. "whether the data of one person are among the data"."""


def attack_success(epsilon: Fraction, delta: Fraction, rate: Fraction) -> Fraction:
    """An upper bound, rounded up, on the true-positive rate of any test of that false-positive rate.

    min(e^epsilon a + delta, 1 - e^-epsilon (1 - a - delta)): Wasserman and Zhou 2010, Kairouz, Oh, Viswanath 2015.
    """

    def first(ar: Arithmetic) -> Scalar:
        return rate * ar.exp(epsilon) + delta

    def second(ar: Arithmetic) -> Scalar:
        return 1 - ar.exp(-epsilon) * (1 - rate - delta)

    try:
        ends = [decide.enclose(formula, decide.engine("arb"), _WIDTH).upper for formula in (first, second)]
    except UnwritableError:
        # So large an epsilon says nothing.
        return Fraction(1)
    return min(*ends, Fraction(1))


def _curves(opinion: Opinion, claim: ApproxDPClaim) -> list[Bound]:
    """The theorems of which every point of a whole curve is a guarantee.

    None for disjoint parts, as the curve of the part that decides is not a guarantee of the others; nor where a group's
    claim follows from one of a unit, whose curve it is.
    """
    if opinion.case or opinion.of_unit is not None:
        return []
    return [item for item in opinion.bounds if item.enclosure is not None and has_curve(item, claim.delta)]


def _points(curves: list[Bound], claim: ApproxDPClaim) -> list[tuple[Fraction, Fraction, Bound | None]]:
    """Guarantees (epsilon, delta) that all hold, the claim first, and of which theorem's curve each is."""
    found: list[tuple[Fraction, Fraction, Bound | None]] = [(claim.epsilon, claim.delta, None)]
    for item in curves:
        for step in range(_STEPS + 1):
            epsilon = claim.epsilon * step / _STEPS
            delta = delta_at(item, epsilon)
            if delta is not None and delta.upper <= 1:
                found.append((epsilon, delta.upper, item))
    return found


def _gaussian(audit: Audit, opinion: Opinion, claim: ApproxDPClaim) -> str:
    """The claim in terms of Gaussian DP."""
    events = audit.ledger.ran
    if events and all(isinstance(event.guarantee, GaussianDP) for event in events):
        squares = sum(
            (event.guarantee.mu**2 * event.count for event in events if isinstance(event.guarantee, GaussianDP)),
            Fraction(0),
        )
        root = decide.enclose(lambda ar: ar.sqrt(squares), decide.engine("arb"), _WIDTH)
        if not opinion.premises:
            return f"the events together are mu-Gaussian DP with mu = {summary.plain_decimal(root.upper, 6, 'up')}"
    if not 0 < claim.delta < 1 or claim.epsilon > _LARGE**2:
        return ""
    found = statement("gdp/profile.mu")
    try:
        answer = solve(found, {"eps": claim.epsilon, "delta": claim.delta}, digits=15, engine="arb").enclosure
    except (HypothesisError, UndecidedError):
        return ""
    if answer is None:
        return ""
    return (
        "a Gaussian mechanism with this epsilon and delta has "
        f"mu = {summary.plain_decimal(answer.upper, 6, 'up')} (a comparison at this one point, not a guarantee)"
    )


def _of_the_claim(claim: TotalClaim) -> list[tuple[Fraction, Fraction, Bound | None]]:
    """Return guarantees (epsilon, delta) that a claim of rho or mu implies, at about the best epsilon of each rate."""
    if claim.size > _LARGE:
        return [(Fraction(0), Fraction(1), None)]
    found: list[tuple[Fraction, Fraction, Bound | None]] = []
    for rate in RATES:
        threshold = Fraction(NormalDist().inv_cdf(float(1 - rate))).limit_denominator(1000)
        if isinstance(claim, GaussianDPClaim):
            inputs = {"mu": claim.mu, "eps": max(claim.mu * threshold - claim.mu**2 / 2, Fraction(0))}
            delta = solve(statement("gdp/profile.delta"), inputs, digits=15, engine="arb").enclosure
            if delta is not None:
                found.append((inputs["eps"], delta.upper, None))
            continue
        assert isinstance(claim, ZCDPClaim)
        for step in range(_STEPS):
            slack = rate / 2**step
            of_rho = {"rho": claim.rho, "delta": slack}
            epsilon = solve(statement("cks2020/zcdp2dp.eps"), of_rho, digits=15, engine="arb").enclosure
            if epsilon is not None:
                found.append((epsilon.upper, slack, None))
    return found


def _sentence(ledger: Ledger, opinion: Opinion, change: str, asked: str) -> str:
    """Return what the claim says, of the change of one unit's data; "" for claims without a sentence.

    With delta = 1 every release keeps a claim, so that a sentence about it would promise what is nothing.
    """
    claim = opinion.claim
    match claim:
        case ApproxDPClaim() if claim.delta < 1:
            said = (
                f"{change} changes the probability of any set of outputs by a factor of at most "
                f"e^{_said(opinion, 'epsilon')}"
                + (f", up to an additional {_said(opinion, 'delta')}" if claim.delta else "")
            )
        case ZCDPClaim() if not claim.delta:
            said = (
                f"for every order alpha > 1, {change} changes the law of the outputs by a Renyi divergence of at most "
                f"{_said(opinion, 'rho')} times alpha"
            )
        case GaussianDPClaim() if claim.deltas is None:
            said = (
                f"deciding from all outputs {asked} is at least as hard as deciding from one number whether it was "
                f"drawn from N(0, 1) or from N({_said(opinion, 'mu')}, 1)"
            )
        case _:
            return ""
    return f"{_released(ledger, claim)} {claim}: {said}{_parts(ledger)}"


def notice(audit: Audit, opinion: Opinion) -> Notice | None:
    """The notice of one claim; None unless it is a confirmed one on the whole ledger that has a sentence."""
    claim, item, ledger = opinion.claim, opinion.deciding, audit.ledger
    if opinion.verdict != "confirmed" or item is None or not isinstance(claim, TotalClaim):
        return None
    neighbours, whom = claim.neighbours or ledger.neighbours, _whom(ledger, claim)
    asked = _QUESTIONS[neighbours].format(whom=whom)
    sentence = _sentence(ledger, opinion, _NEIGHBOURS[neighbours].format(whom=whom), asked)
    if not sentence:
        return None
    points = _points(_curves(opinion, claim), claim) if isinstance(claim, ApproxDPClaim) else _of_the_claim(claim)
    least = [
        min(((attack_success(epsilon, delta, rate), i) for i, (epsilon, delta, _) in enumerate(points)))
        for rate in RATES
    ]
    by = [points[i][2] for _, i in least]
    assumptions = [
        "every event has the guarantee that the ledger declares",
        "the ledger lists everything that was released about these data",
        *([rounded] if (rounded := rounded_words(ledger)) else []),
        *([unread] if (unread := summary.unread_words(ledger)) else []),
        *([question] if (question := summary.swapped(ledger)) else []),
        *(finding.how for used in (item, *by) if used is not None for finding in used.application.findings),
        *(finding.how for finding in opinion.premises),
    ]
    document = certificates(audit).get(opinion.claim.id)
    attack = tuple((rate, success) for rate, (success, _) in zip(RATES, least, strict=True))
    attack_by = tuple("" if used is None else used.application.by for used in by)
    theorem = f"{called(item.application.by)}; {statement(item.application.statement).source}"
    hashed = None if document is None else digest(document, "certificate")
    said = tuple(dict.fromkeys(assumptions))
    gaussian = _gaussian(audit, opinion, claim) if isinstance(claim, ApproxDPClaim) else ""
    return Notice(opinion, sentence, theorem, said, hashed, attack, attack_by, gaussian, asked)


def _released(ledger: Ledger, claim: TotalClaim) -> str:
    """What the sentence is about: the releases, in each of the claim's periods."""
    if claim.periods > 1:
        each = f"the same in each of {claim.periods} periods ({ledger.period})"
        return f"The releases of “{ledger.title}”, {each}, together are"
    every = f", the same in each {ledger.period}," if ledger.period else ""
    if ledger.rounds == 1:
        return f"The release of “{ledger.title}”{every} is"
    if len(ledger.events) == 1:
        return f"All {ledger.rounds} rounds of the release of “{ledger.title}”{every} together are"
    return f"All {summary.releases(ledger)} of “{ledger.title}”{every} together are"


def _parts(ledger: Ledger) -> str:
    """What the sentence takes from the ledger about parts, and its end."""
    names = dict.fromkeys(event.part[0] for event in ledger.ran if event.part is not None)
    if not names:
        return "."
    return f"; the parts of {' and of '.join(names)} are taken to share no record, as the ledger declares."


def _whom(ledger: Ledger, claim: TotalClaim) -> str:
    """Whose data the claim speaks of: of this many units, in this many periods."""
    unit = ledger.privacy_unit or "record"
    whom = f"one {unit}" if claim.units == 1 else f"a group of {claim.units} (each one {unit})"
    if claim.periods == 1:
        return f"{whom} in one {ledger.period}" if ledger.period else whom
    return f"{whom} in each of {claim.periods} periods ({ledger.period})"


def _said(opinion: Opinion, name: str) -> str:
    value = (opinion.claim.document or {}).get(name)
    return str(value) if value is not None else summary.amount(getattr(opinion.claim, name))


def notices(audit: Audit) -> tuple[Notice, ...]:
    """The notices of all claims that have one."""
    return tuple(found for opinion in audit.opinions if (found := notice(audit, opinion)) is not None)
