"""The evidence of a ledger, weighed against what is claimed and proved: what ran may not be what is declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, OutOfScopeError, UndecidedError
from privref.exact.numbers import probability, spell
from privref.exact.rounding import plain, plain_decimal, to_decimal
from privref.exact.work import apart, metered
from privref.ledger.evidence import Evidence, ManyRuns, OneRun, error_of
from privref.ledger.model import Ledger, require_ledger
from privref.profiles.evidence import CURVE_GUESSES, MOST_EPSILON
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import solve, statement

from .claims import ApproxDPClaim, Claim, GaussianDPClaim, TotalClaim, ZCDPClaim
from .engines import certainly_exceeds, enclosed
from .facts import Finding
from .opinions import DIGITS, Bound, Opinion, caveat


@dataclass(frozen=True, slots=True)
class EvidenceBound:
    """What one piece of evidence shows at a delta: an epsilon, of which no smaller one is true but for its error.

    ``mu`` is the same of Gaussian DP; None for many runs, and for more than 5,000 guesses.
    """

    piece: Evidence
    delta: Fraction
    enclosure: Enclosure
    mu: Enclosure | None = None


def evidence(ledger: Ledger, delta: object) -> tuple[EvidenceBound, ...]:
    """Return what each piece of a ledger's evidence shows at delta.

    Each holds for itself, with the confidence that it states: to take the largest of several is not covered by it.
    """
    require_ledger(ledger)
    slack = probability(delta, "delta")
    with metered():
        return tuple(EvidenceBound(piece, slack, shows(piece, slack), _shown_mu(piece)) for piece in ledger.evidence)


#: The theorems by which a piece of evidence contradicts a claim; the last one a claim of Gaussian DP.
ONE_RUN, TWO_RATES, CURVE = "steinke2023/one_run", "clopper1934/two_rates", "mahloujifar2024/one_run"


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


def _speaks_of_mu(piece: Evidence) -> bool:
    return isinstance(piece, OneRun) and piece.guesses <= CURVE_GUESSES.most


def _shown_mu(piece: Evidence) -> Enclosure | None:
    if not _speaks_of_mu(piece):
        return None
    given = inputs(piece, Fraction(0))
    found, _ = enclosed(f"{CURVE}.mu", {name: given[name] for name in given if name != "delta"}, digits=9)
    return found


def contradiction_of_mu(piece: Evidence, mu: Fraction) -> str:
    """Why a piece contradicts that what ran is mu-Gaussian DP; "" where it does not, or says nothing of it."""
    if not _speaks_of_mu(piece):
        return ""
    given = {**inputs(piece, Fraction(0)), "mu": mu}
    del given["delta"]
    total, value = enclosed(f"{CURVE}.total", given)
    known = Enclosure(value, value) if total is None and value is not None else total
    assert known is not None
    if not certainly_exceeds(f"{CURVE}.total", given, Fraction(1), known):
        return ""
    return f"{piece}: the chance of that many is below {said(1 - piece.confidence)} if it is {said(mu)}-Gaussian DP"


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


_Point = tuple[Fraction, Fraction]
"""An epsilon and a delta."""

#: The deltas at which is weighed what the ledger proves, and what a claim of rho or mu implies.
DELTAS: tuple[Fraction, ...] = tuple(
    map(Fraction, ("1e-5", "1e-2", "0.25", "1e-3", "0.1", "1e-4", "1e-6", "1e-8", "0.5", "0"))
)
#: In units of work: what the curve that the ledger proves may cost. A delta that it does not reach is not weighed.
_CURVE_WORK = 3_000_000


class Weighing:
    """The evidence of one ledger, weighed once against what the ledger proves, and against each claim.

    All points of the proved curve are weighed at the one error that a piece states, without a correction for their
    number: if the ledger is true, all of them hold. A piece of many runs contradicts one of them only where its
    intervals leave out the true rates, which is one event for all points. A piece of one run contradicts the point i
    only if at least v_i guesses are right, v_i the least number of which the p-value at that point is at most the
    error; the largest of these events is that of the least v_i, and its chance is at most that p-value. So it is with a
    mu under which that number of right guesses has a chance below the error (proofs/derivations/false_alarms.py).
    """

    def __init__(
        self,
        ledger: Ledger,
        best: Callable[[Fraction], Bound | None],
        confirmed: Callable[[Claim], bool],
        joined: tuple[Weighing, ...] = (),
    ) -> None:
        self.ledger = ledger
        self._best, self._confirmed, self._joined = best, confirmed, joined

    @cached_property
    def proved(self) -> tuple[_Point, ...]:
        """Points (epsilon, delta) that the ledger proves: of each delta the best bound, or what a budget guarantees."""
        found: list[_Point] = []
        of_budget = False
        with apart(_CURVE_WORK):
            for delta in DELTAS:
                try:
                    item = self._best(delta)
                except (OutOfScopeError, UndecidedError):
                    continue
                if item is None or item.enclosure is None:
                    continue
                if caveat(item):
                    of_budget = True
                else:
                    found.append((Fraction(to_decimal(item.enclosure.upper, DIGITS, "up")), delta))
            if of_budget:
                found += self._of_budget()
        return tuple(found)

    def _of_budget(self) -> tuple[_Point, ...]:
        """What a filter guarantees of what ran is its budget, spent or not."""
        budget = self.ledger.budget
        if budget is None:
            return ()
        claim: Claim
        if budget.rho is not None:
            claim = ZCDPClaim("budget", budget.rho, budget.delta)
        else:
            claim = ApproxDPClaim("budget", budget.epsilon or 0, budget.delta)
        return self.implied(claim) if self._confirmed(claim) else ()

    def implied(self, claim: Claim) -> tuple[_Point, ...]:
        """What a claim implies of one unit in the ledger's own neighbours; a group loses at least as much."""
        if not isinstance(claim, TotalClaim) or claim.neighbours not in (None, self.ledger.neighbours):
            return ()
        if isinstance(claim, ApproxDPClaim):
            return ((claim.epsilon, claim.delta),)
        if claim.size >= MOST_EPSILON:
            # An epsilon so large is contradicted by nothing.
            return ()
        found: list[_Point] = []
        for delta in DELTAS:
            low, high = getattr(claim, "deltas", None) or (0, 1)
            if delta and delta + claim.delta < 1 and low <= delta <= high:
                if isinstance(claim, ZCDPClaim):
                    answer = solve(_ZCDP, {"rho": claim.rho, "delta": delta}, digits=DIGITS, engine="arb")
                else:
                    mus = ((claim.size, 1),) if claim.size else ()
                    answer = solve(_GAUSSIAN, {"mu": mus, "delta": delta}, digits=DIGITS, engine="arb")
                if answer.enclosure is not None:
                    most = Fraction(to_decimal(max(answer.enclosure.upper, Fraction(0)), DIGITS, "up"))
                    found.append((most, delta + claim.delta))
        return tuple(found)

    @cached_property
    def _of_ledger(self) -> tuple[Evidence, str] | None:
        found = self._against(self.proved, _WRONG) or self._against_proved_mu()
        # What ran together is no better than each part of it, and rests on what each ledger declares.
        return found or next((against for each in self._joined if (against := each._of_ledger)), None)

    def require_uncontradicted(self) -> None:
        """HypothesisError where the evidence contradicts what the ledger proves."""
        if self._of_ledger is not None:
            raise HypothesisError(f"ledger.evidence: {self._of_ledger[1]}")

    def _against_mu(self, claim: Claim) -> tuple[Evidence, str] | None:
        """The first piece that contradicts a claim of mu over all epsilon by its curve, which says more than points.

        A group loses at least as much as one unit.
        """
        if not isinstance(claim, GaussianDPClaim) or claim.deltas is not None:
            return None
        if claim.neighbours not in (None, self.ledger.neighbours):
            return None
        found = ((piece, contradiction_of_mu(piece, claim.mu)) for piece in self.ledger.evidence)
        return next((each for each in found if each[1]), None)

    def _against_proved_mu(self) -> tuple[Evidence, str] | None:
        """The first piece that shows a mu which the ledger proves to be enough."""
        for piece in self.ledger.evidence:
            shown = _shown_mu(piece)
            size = Fraction(0) if shown is None else Fraction(to_decimal(shown.lower, DIGITS, "down"))
            if size and self._confirmed(GaussianDPClaim("weighed", size)):
                least, sure = f"{said(size)}-Gaussian DP", said(piece.confidence)
                return piece, f"{piece}: it is not {least}, with confidence {sure}; {_WRONG.format(least)}"
        return None

    def _against(self, points: tuple[_Point, ...], because: str = "") -> tuple[Evidence, str] | None:
        """The first piece that contradicts one of these points, how, and ``because`` of what the point is weighed."""
        for i, piece in enumerate(self.ledger.evidence):
            for epsilon, delta in points:
                if not self._leaves_alone(i, epsilon, delta) and (why := contradiction(piece, epsilon, delta)):
                    here = f"({plain(to_decimal(epsilon, 4, 'up'))}, {said(delta)})-DP"
                    return piece, f"{why}; {because.format(here)}" if because else why
        return None

    @cached_property
    def _rates(self) -> dict[int, tuple[Fraction, Fraction]]:
        """Upper ends of both lower confidence bounds of each piece of many runs: of true positives, true negatives."""
        found: dict[int, tuple[Fraction, Fraction]] = {}
        for i, piece in enumerate(self.ledger.evidence):
            if isinstance(piece, ManyRuns):
                negatives = piece.runs_without - piece.false_positives
                level = (1 - piece.confidence) / 2
                found[i] = (
                    _lower_end(level, piece.runs_with, piece.true_positives),
                    _lower_end(level, piece.runs_without, negatives),
                )
        return found

    def _leaves_alone(self, i: int, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether many runs certainly do not contradict a point: decided from their rates, which are found once."""
        if epsilon >= MOST_EPSILON:
            return True
        if i not in self._rates:
            return False
        a, below = self._rates[i]
        odds = decide.enclose(lambda ar: ar.exp(epsilon), decide.engine("arb"), Fraction(1, 10**12)).lower
        return a - delta <= odds * (1 - below) and below - delta <= odds * (1 - a)

    def opinion(self, found: Opinion) -> Opinion:
        """The opinion after the evidence is heard; what is refuted is false whatever an attack found."""
        if found.verdict == "refuted":
            return found
        confirmed = found.verdict == "confirmed"
        try:
            points = self.implied(found.claim)
            itself = isinstance(found.claim, ApproxDPClaim) and found.claim.units == found.claim.periods == 1
            against = self._against(points, "" if itself else "the claim implies {} of one unit")
            against = against or self._against_mu(found.claim)
            if against is None and confirmed:
                here = _proved_here(found)
                against = self._of_ledger or (None if here is None else self._against((here,), _WRONG))
        except UndecidedError as error:
            return replace(found, verdict="undecided", reason=f"whether evidence contradicts it stays open: {error}")
        if against is not None:
            return _contradicted(self.ledger, found, *against)
        if not confirmed:
            return found
        return replace(found, premises=(*found.premises, self.premise(_weighed(found.claim, points))))

    def premise(self, claim: str = "") -> Finding:
        """What was weighed and found not contradicted, and that the rest was not weighed."""
        deltas = ", ".join(said(delta) for _, delta in sorted(self.proved, key=lambda point: point[1]))
        proved = f"what the ledger proves at delta {deltas}" if deltas else "nothing that the ledger proves"
        how = (
            f"the ledger's evidence was weighed against {claim}{' and ' if claim else ''}{proved}, and contradicts "
            "none of it; it was weighed at no other delta, and what no attack found may still be there"
        )
        if self.ledger.together and not self.ledger.attacked:
            how += (
                ". It was not weighed against what each of the ledgers declares alone, which this document does not "
                "say: audit these ledgers together anew"
            )
        return Finding(Hypothesis.EVIDENCE, True, how, premise=True)


_WRONG = (
    "the ledger proves {}, so the evidence contradicts what the ledger proves: a hypothesis or the implementation is "
    "wrong, and no claim that rests on the ledger stands"
)
_ZCDP, _GAUSSIAN = statement("cks2020/zcdp2dp.eps"), statement("gdp/composition.eps")


def _lower_end(level: Fraction, tries: int, hits: int) -> Fraction:
    given = {"level": level, "tries": tries, "hits": hits}
    found = solve(statement("clopper1934/lower.p"), given, digits=15, engine="arb").enclosure
    assert found is not None
    return found.upper


def _weighed(claim: Claim, points: tuple[_Point, ...]) -> str:
    if not points:
        return ""
    return "the claim" if isinstance(claim, ApproxDPClaim) else "what the claim implies at the deltas from 1e-8 to 0.5"


def _proved_here(opinion: Opinion) -> _Point | None:
    """What the ledger proves of one unit at the delta of a confirmed claim, where that is less than the claim."""
    item, claim = opinion.deciding, opinion.claim
    if opinion.of_unit is not None or item is None or item.enclosure is None or not isinstance(claim, ApproxDPClaim):
        return None
    found = Fraction(to_decimal(item.enclosure.upper, DIGITS, "up"))
    plain_claim = claim.units == claim.periods == 1 and claim.neighbours is None
    return (found, claim.delta) if plain_claim and not caveat(item) else None


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
