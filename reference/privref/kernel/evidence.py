"""Evidence in a ledger: what attacks had found, and whether it contradicts that what ran is (epsilon, delta)-DP."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from privref.kernel.balls import Ball, above, at_most, binomial_tail, end, normal_cdf, rational, working
from privref.kernel.fields import Fields
from privref.kernel.numbers import Malformed, Refused, shown

MOST_PIECES, MOST_GUESSES, MOST_RUNS, MOST_CANARIES = 10, 50_000, 10**6, 10**9
#: From here on no piece contradicts: that all guesses are right has a chance above 1/2, and no rate is e^100 times a
#: rate that the most runs can show to be small.
MOST_EPSILON = 100
#: Bits of every ball here, and how often an interval around the end of a confidence interval is halved at most.
_BITS, _HALVINGS = 256, 80
_OPEN = "whether the evidence contradicts the claim is open at this precision"
_PREMISES = (
    "the data with the record and without it are neighbours as the ledger has them; the runs are independent, and "
    "their numbers, the attack and the confidence were chosen before",
    "a fair coin of its own chose between two states of each canary, which are neighbours as the ledger has them; the "
    "guesses saw no coin, and their number and the confidence were chosen before",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """The outcome of one attack: of one run, or of many; ``error`` is 1 less the confidence that it states."""

    counts: tuple[int, ...]
    of_one_run: bool
    error: Fraction

    @property
    def by(self) -> str:
        """The theorem by which it contradicts a claim."""
        return "steinke2023/one_run" if self.of_one_run else "clopper1934/two_rates"

    def __str__(self) -> str:
        if self.of_one_run:
            return "{2} of {1} guesses about {0} canaries of one run were right".format(*self.counts)
        return "an attack said yes in {1} of {0} runs with the record and in {3} of {2} without".format(*self.counts)

    @property
    def premise(self) -> str:
        """What it rests on and no ledger can show."""
        return f"{_PREMISES[self.of_one_run]}; what was attacked is what the ledger describes"


def read_evidence(fields: Fields) -> tuple[Piece, ...]:
    """Read the pieces of evidence of a ledger; all their errors together are less than 1/2."""
    found = fields.items("evidence", MOST_PIECES) if fields.has("evidence") else []
    pieces = tuple(_piece(Fields(item, f"ledger.evidence[{i}]")) for i, item in enumerate(found))
    if error_of(pieces) >= Fraction(1, 2):
        raise Malformed("ledger.evidence", shown(error_of(pieces)), "the errors add up to less than 1/2")
    return pieces


def error_of(pieces: tuple[Piece, ...]) -> Fraction:
    """Return how likely it is, at most, that one or more of them speaks against a claim that is true."""
    return sum((piece.error for piece in pieces), Fraction(0))


def _piece(fields: Fields) -> Piece:
    of_one_run = fields.one_of("kind", ("one-run", "many-runs")) == "one-run"
    fields.text("label")
    confidence = fields.exact("confidence")
    if of_one_run:
        canaries = fields.whole("canaries", most=MOST_CANARIES)
        guesses = fields.whole("guesses", most=min(canaries, MOST_GUESSES), least=0)
        counts: tuple[int, ...] = canaries, guesses, fields.whole("right", most=guesses, least=0)
    else:
        runs, others = (fields.whole(key, most=MOST_RUNS) for key in ("runs_with", "runs_without"))
        hits = fields.whole("true_positives", most=runs, least=0)
        counts = runs, hits, others, fields.whole("false_positives", most=others, least=0)
    fields.done()
    if not Fraction(1, 2) < confidence < 1:
        raise Malformed(f"{fields.place}.confidence", confidence, "give a number in (1/2, 1)")
    return Piece(counts, of_one_run, 1 - confidence)


def contradicts(piece: Piece, notion: str, size: Fraction, delta: Fraction) -> bool:
    """Return whether a piece contradicts (size, delta)-DP of what ran, or one run size-Gaussian DP; Refused if open."""
    with working(_BITS):
        if notion == "mu" and piece.of_one_run:
            return _exceeds(_all_counts(size, piece.error, *piece.counts), Fraction(1))
        if notion != "epsilon":
            raise Refused("the ledger has evidence of attacks, which is not weighed against such a claim")
        if size >= MOST_EPSILON:
            return False
        odds = rational(size).exp()
        if piece.of_one_run:
            return not _exceeds(_many_right(odds, delta, *piece.counts), piece.error)
        with_, hits, without, wrong = piece.counts
        most, least = end(odds, up=True), end(odds, up=False)
        a = below = (Fraction(0), Fraction(1))
        for _ in range(_HALVINGS):
            a = _halved(a, piece.error / 2, with_, hits)
            below = _halved(below, piece.error / 2, without, without - wrong)
            # At the low ends of both intervals, and at their high ends.
            if a[0] - delta > most * (1 - below[0]) or below[0] - delta > most * (1 - a[0]):
                return True
            if a[1] - delta <= least * (1 - below[1]) and below[1] - delta <= least * (1 - a[1]):
                return False
        raise Refused(_OPEN)


def _exceeds(value: Ball, bound: Fraction) -> bool:
    """Return whether a number is above a bound; Refused where that stays open."""
    if not above(value, bound) and not at_most(value, bound):
        raise Refused(_OPEN)
    return above(value, bound)


def _many_right(odds: Ball, delta: Fraction, canaries: int, guesses: int, right: int) -> Ball:
    """Bound the chance of at least v right guesses: B + m delta B (1 - B)/(v b), b and B of Bin(r, odds/(1 + odds))."""
    if not right or rational(guesses) * odds > rational(right) * (1 + odds):
        # No more than the mean, and so a chance of about 1/2 or more: nothing is shown.
        return rational(1)
    tail, beyond = (binomial_tail(guesses, odds / (1 + odds), least) for least in (right, right + 1))
    return tail + rational(canaries * delta / right) * tail / (tail - beyond) * (1 - tail)


def _all_counts(mu: Fraction, error: Fraction, canaries: int, guesses: int, right: int) -> Ball:
    """Bound the chance of all counts of right guesses from below, if ``right`` or more have chance ``error`` (ours).

    T_j, the chance of at least j, is at least T_(j+1) and (A + m g(((j + 1) T_(j+1) + A - T_(j+1))/m))/(r - j), where
    A = T_(j+1) + T_(j+2) + ... and g(x) = Phi(Phi^-1(x) - mu). A chance above 1 ends it.
    """
    tail, more = rational(error), rational(0)
    for j in range(right - 1, -1, -1):
        share = ((j + 1) * tail + more) / canaries
        less = normal_cdf(-(2 * share).erfcinv() * rational(2).sqrt() - rational(mu)) if mu else share
        more = more + tail
        tail = tail.max((more + canaries * less) / (guesses - j))
        if above(tail, Fraction(1)):
            break
    return tail


def _halved(around: tuple[Fraction, Fraction], level: Fraction, tries: int, hits: int) -> tuple[Fraction, Fraction]:
    """Return the half of an interval that holds the rate at which ``hits`` or more have the chance ``level``.

    The level is below 1/4. Where nothing was hit the rate is 0.
    """
    low, high = around
    if not hits:
        return low, low
    rate = (low + high) / 2
    if hits <= floor(tries * rate):
        return low, rate  # No more than the median: as many hits have a chance of 1/2 or more.
    return (low, rate) if _exceeds(binomial_tail(tries, rational(rate), hits), level) else (rate, high)
