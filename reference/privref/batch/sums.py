"""What exact integers decide of a ledger of (epsilon, delta)-DP events, so that it needs no audit.

Most units lie far below a claim or far above it. Below, the sum of the epsilons proves the claim. Above, the answers
that say most lose more. An audit of each ledger is left for what lies between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import islice
from math import lcm
from typing import Any

from privref.audit import structure
from privref.audit.claims import ApproxDPClaim, Claim
from privref.audit.facts import Facts
from privref.audit.opinions import Bound, Verdict
from privref.audit.reasons import confirmed, underivable
from privref.audit.routes import EPSILON_ROUTES, MOST_DIFFERENT_ROUNDS
from privref.audit.run import audit
from privref.audit.summary import premise_words
from privref.exact.enclosure import Enclosure
from privref.ledger.model import Ledger
from privref.ledger.reading import ledger_with

_BASIC, _OPTIMUM = "rogers2016/thm2.9", "mv2016/optimal"
_KINDS = ("pure-dp", "approx-dp")
#: Longer denominators are left to an audit, which counts the work that they take.
_MOST_DENOMINATOR_BITS = 20_000
#: Bits of fractions below, and events at which the answers that say most are looked for.
_BITS, _MOST_EVENTS = 128, 100
#: Sets of rounds of which the losses are added up.
_MOST_SETS = 256
_ONE = 1 << _BITS
#: By what the cube of a fraction is divided for x^3 / 48.
_CUBIC = 48 << 2 * _BITS
_WORDS = "randomized response with the epsilons of the largest events; the other events release nothing"

#: A number as numerator and denominator, and how often it occurs.
_Times = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class UnitSums:
    """The epsilons of a ledger's events, their sum, and that of the deltas."""

    epsilons: tuple[_Times, ...]
    epsilon: Fraction
    delta: Fraction

    @staticmethod
    def of(events: Iterable[Mapping[str, Any]]) -> UnitSums | None:
        """The sums of events as a batch writes them; None where one has another guarantee, or did not run."""
        epsilons: list[_Times] = []
        deltas: list[_Times] = []
        for event in events:
            guarantee, times = event["guarantee"], event["count"]
            if guarantee["kind"] not in _KINDS or event.get("decision", "continue") != "continue":
                return None
            for text, into in ((guarantee["epsilon"], epsilons), (guarantee.get("delta", "0"), deltas)):
                if text != "0":
                    numerator, _, denominator = text.partition("/")
                    into.append((int(numerator), int(denominator or 1), times))
        if sum(denominator.bit_length() for _, denominator, _ in (*epsilons, *deltas)) > _MOST_DENOMINATOR_BITS:
            return None
        return UnitSums(tuple(epsilons), _total(epsilons), _total(deltas))


def _total(numbers: Iterable[_Times]) -> Fraction:
    numbers = tuple(numbers)
    common = lcm(*(denominator for _, denominator, _ in numbers))
    return Fraction(
        sum(times * numerator * (common // denominator) for numerator, denominator, times in numbers), common
    )


@dataclass(frozen=True, slots=True)
class Decided:
    """A verdict by integers, the bound of a theorem, what loses more, why, and what it rests on."""

    verdict: Verdict
    theorem: str | None
    bound: Enclosure | None
    witness: str | None
    reason: str
    premises: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A claim that exact sums may decide of every ledger with what a batch shares."""

    claim: ApproxDPClaim
    by_sum: str
    """Why the sum of the epsilons proves it, in words."""
    by_optimum: str
    beyond: bool
    """Whether a ledger whose guarantees allow more than the claim is underivable."""
    premises: str
    """What a claim that is proved rests on, and what one that is underivable does."""
    premises_beyond: str

    @staticmethod
    def of(shared: Ledger, claim: Claim) -> Rule | None:
        """The rule, by what an audit says of two such ledgers; None where such sums do not decide alone.

        Which theorems apply to events of these kinds is a matter of what is shared, and the same for each ledger.
        """
        if not isinstance(claim, ApproxDPClaim) or claim.by or not structure.is_plain(shared, claim):
            return None
        none, more = (
            ledger_with(shared, {"events": [_event(kind, size) for kind in _KINDS]}, "")
            for size in (Fraction(0), claim.epsilon + 10)
        )
        ((opinion,), (other,)) = (audit(ledger, [claim], best=False).opinions for ledger in (none, more))
        facts, used = Facts.of(none), (route for route in EPSILON_ROUTES if route.by in (_BASIC, _OPTIMUM))
        basic, optimum = (route.apply(facts, claim.delta) for route in used)
        if opinion.verdict != "confirmed" or basic.unmet or optimum.unmet:
            return None
        proved = confirmed(Bound(basic)), confirmed(Bound(optimum))
        return Rule(claim, *proved, other.verdict == "underivable", premise_words(opinion), premise_words(other))

    def decided(self, sums: UnitSums) -> Decided | None:
        """The verdict on a ledger with these sums; None where an audit is needed."""
        claim = self.claim
        bound = Enclosure(sums.epsilon, sums.epsilon) if sums.delta <= claim.delta else None
        theorem = None if bound is None else _BASIC
        if bound is not None and bound.upper <= claim.epsilon:
            return Decided("confirmed", theorem, bound, None, self.by_sum, self.premises)
        if self.beyond and exceeds(sums.epsilons, claim.epsilon, claim.delta):
            return Decided(
                "underivable", theorem, bound, f"{_OPTIMUM}.delta", underivable(_WORDS), self.premises_beyond
            )
        optimum = optimal(sums, claim.delta)
        if optimum is not None and optimum.upper <= claim.epsilon:
            return Decided("confirmed", _OPTIMUM, optimum, None, self.by_optimum, self.premises)
        return None


def _event(kind: str, size: Fraction) -> dict[str, Any]:
    more = {"delta": "0"} if kind == "approx-dp" else {}
    return {"guarantee": {"kind": kind, "epsilon": f"{size.numerator}/{size.denominator}", **more}, "count": 1}


def exceeds(epsilons: Iterable[_Times], epsilon: Fraction, delta: Fraction) -> bool:
    """Whether randomized responses with some of these epsilons certainly lose more than (epsilon, delta) allows.

    All of the m largest say the truth with probability p = prod 1/(1 + e^-x_i), and all say the opposite with
    probability p e^-s, where s is the sum of the x_i. So delta is at least p (1 - e^-y) with y = s - epsilon > 0. From
    below, 1/(1 + e^-x) >= 1/2 + x/4 - x^3/48, as tanh t >= t - t^3/3, and 1 - e^-y >= y - y^2/2, for all x, y >= 0.
    The x_i are the epsilons, or 1 where they are larger, rounded down to fractions of 128 bits: a smaller loss keeps
    the guarantee too. The same holds of y. All further rounding is down.
    """
    sizes = sorted(((min(n * _ONE // d, _ONE), times) for n, d, times in epsilons), reverse=True)
    claimed = -(-epsilon.numerator * _ONE // epsilon.denominator)
    likely, total, events = _ONE, 0, 0
    for size, times in sizes:
        factor = (_ONE >> 1) + (size >> 2) - size**3 // _CUBIC - 1
        for _ in range(min(times, _MOST_EVENTS - events)):
            likely, total, events = likely * factor >> _BITS, total + size, events + 1
            beyond = min(total - claimed, _ONE)
            if beyond > 0:
                least = likely * (beyond - (beyond * beyond >> _BITS + 1) - 1)
                if least * delta.denominator > delta.numerator << 2 * _BITS:
                    return True
    return False


def optimal(sums: UnitSums, delta: Fraction) -> Enclosure | None:
    """The optimum of these rounds at delta, between what takes the largest loss alone, and all near it.

    Each set of rounds that say the opposite, whose epsilons add up to l, has the term p e^-l (1 - e^(2 l - y)) of delta
    where 2 l < y = s - epsilon, and else none (``exceeds``; mv2016/optimal.delta). From above such a term is at most
    p (y - 2 l), and 1/(1 + e^-x) <= 1/2 + x/4: the y at which these add up to delta is one at which delta suffices.
    From below, the empty set alone needs delta >= p (1 - e^-y), so that y <= -log(1 - z) <= z + z^2 for z = delta / p
    <= 1/2. The deltas of the events take at most their sum.
    """
    rounds = sum(times for _, _, times in sums.epsilons)
    if sums.delta >= delta or rounds > MOST_DIFFERENT_ROUNDS:
        return None
    most = least = _ONE
    sizes: list[int] = []
    for n, d, times in sums.epsilons:
        size = n * _ONE // d
        kept = min(size, _ONE)
        above, below = min((_ONE >> 1) + (size >> 2) + 1, _ONE), (_ONE >> 1) + (kept >> 2) - kept**3 // _CUBIC - 1
        for _ in range(times):
            sizes.append(size)
            most, least = -(-most * above >> _BITS), least * below >> _BITS
    z, near, total = int((delta - sums.delta) * (_ONE << _BITS) / most), 0, 0
    for lost in islice(_ascending(sorted(sizes)), _MOST_SETS):
        if near and z + 2 * total <= 2 * lost * near:
            break
        near, total = near + 1, total + lost
    else:
        if near == _MOST_SETS:
            return None
    upper = max(sums.epsilon - Fraction((z + 2 * total) // near, _ONE), Fraction(0))
    z_most = delta * _ONE / least if least else Fraction(1)
    lower = sums.epsilon - z_most - z_most * z_most if z_most <= Fraction(1, 2) else Fraction(0)
    return Enclosure(max(lower, Fraction(0)), upper)


def _ascending(sizes: list[int]) -> Iterator[int]:
    """The sums of all sets of these sizes, which ascend: the smallest first."""
    yield 0
    # Each set comes from the one without its last size, or with the size before in its place.
    found = [(size, 0) for size in sizes[:1]]
    while found:
        total, last = heappop(found)
        yield total
        if last + 1 < len(sizes):
            heappush(found, (total + sizes[last + 1], last + 1))
            heappush(found, (total - sizes[last] + sizes[last + 1], last + 1))
