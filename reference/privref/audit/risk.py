"""What a whole profile says of attacks on one unit: attack success, advantage, right guesses, mu on a range of delta.

Each number lies between two ends. The upper end follows from guarantees (epsilon, delta) that theorems prove, the lower
end from what the declared mechanisms certainly lose. Each of the former is a claim that an audit confirms, and each of
the latter one that it refutes, with certificates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError, OutOfScopeError
from privref.exact.numbers import probability
from privref.exact.rounding import to_decimal
from privref.exact.work import metered
from privref.ledger.model import Ledger, require_ledger
from privref.statements.registry import solve, statement

from .both_ends import where_least
from .claims import ApproxDPClaim
from .facts import Facts
from .notices import attack_success
from .opinions import caveat
from .points import Point, delta_at, has_inverse, lower_of
from .refuters import declared
from .run import best_bound, weighing
from .structure import is_plain

#: The rates and priors that are reported, and the range of delta on which mu is, where none are given.
RATES, PRIORS = (Fraction(1, 1000), Fraction(1, 100)), (Fraction(1, 2), Fraction(1, 100))
RANGE = (Fraction(1, 10**8), Fraction(1, 100))
#: The delta at which the theorem is chosen of which the curve is taken.
_AT = Fraction(1, 10**6)
_STEPS, _DIGITS = 24, 12
#: A point's delta is so much above the theorem's, or below what is lost, and not below this: some bounds have a stated
#: width, within which an audit of the point would be undecided.
_ROOM, _LEAST = Fraction(1, 10**5), Fraction(1, 10**20)


@dataclass(frozen=True, slots=True)
class Risk:
    """One number: what it is, its ends, and the points (epsilon, delta) from which they follow."""

    name: str
    at: tuple[Fraction, ...]
    """The rate, the prior, or both ends of the range of delta."""
    enclosure: Enclosure
    proved: tuple[Point, ...]
    """Guarantees that a theorem proves, from which the upper end follows; of mu without any it is proved itself."""
    lost: tuple[Point, ...]
    """False claims, since the declared mechanisms lose more: the lower end follows. Without, it needs no proof."""


@dataclass(frozen=True, slots=True)
class Risks:
    """The numbers of one ledger, the theorem of the curve, and what they rest on."""

    ledger: Ledger
    by: str
    found: tuple[Risk, ...]
    premises: tuple[str, ...]


class _Profile:
    """Certain points of the curve delta(epsilon) of one ledger, from above and from below."""

    def __init__(self, ledger: Ledger) -> None:
        found, _ = best_bound(ledger, _AT)
        if found is None or found.enclosure is None or caveat(found):
            raise HypothesisError(
                f"{ledger.title}: no whole profile is proved; say that parameters were fixed in advance, if they were"
            )
        self.best = found
        self._ledger, self._least = ledger, Facts.of(where_least(ledger))
        self._grid: list[Point] | None = None
        #: What the lower ends rest on, in order.
        self.rests: dict[str, None] = {}
        self.above, self.below = cache(self._above), cache(self._below)

    def _above(self, epsilon: Fraction) -> Fraction:
        """A delta at which this epsilon is proved."""
        if has_inverse(self.best, _AT):
            found = delta_at(self.best, epsilon)
            if found is not None:
                room = max(found.upper * (1 + _ROOM), _LEAST) if found.upper else found.upper
                return min(Fraction(to_decimal(room, _DIGITS, "up")), Fraction(1))
        if self._grid is None:
            self._grid = [(each, delta) for delta in _DELTAS if (each := self.epsilon(delta)) is not None]
        return min((delta for each, delta in self._grid if each <= epsilon), default=Fraction(1))

    def _below(self, epsilon: Fraction) -> Fraction:
        """What the declared mechanisms lose at this epsilon; 0 where none is known."""
        if not self._least.attainable or not self._least.mechanisms.declares_laws:
            return Fraction(0)
        witnesses = tuple(declared(self._least, epsilon))
        self.rests.update(dict.fromkeys(each.how for witness in witnesses for each in witness.premises))
        found = max(map(lower_of, witnesses), default=Fraction(0)) * (1 - _ROOM)
        return Fraction(to_decimal(found, _DIGITS, "down")) if found >= _LEAST else Fraction(0)

    def epsilon(self, delta: Fraction) -> Fraction | None:
        """An epsilon that is proved at delta, a short decimal rounded up."""
        found, _ = best_bound(self._ledger, delta)
        if found is None or found.enclosure is None or caveat(found):
            return None
        return Fraction(to_decimal(found.enclosure.upper, _DIGITS, "up"))


#: Where a theorem's curve has no inverse: the deltas at which its epsilon is asked.
_DELTAS = (Fraction(0), *(Fraction(1, 10**i) for i in range(12, 0, -1)))


def risk(
    ledger: Ledger,
    *,
    rates: Sequence[object] = RATES,
    priors: Sequence[object] = PRIORS,
    deltas: Sequence[object] = RANGE,
) -> Risks:
    """Return what attacks on one unit can do: at false-positive ``rates``, at ``priors``, and mu on a range of delta.

    A test tells two neighbours apart, and a guess with a prior says which of both was used. ``mu`` is the least such
    that the profile is at most that of mu-Gaussian DP wherever its delta lies in the range: without a range it says
    nothing of how much noise there is (for Poisson samples it is that of no sampling at all). HypothesisError where no
    whole curve is proved, or evidence contradicts what is; OutOfScopeError for ledgers with parts.
    """
    require_ledger(ledger)
    asked = [_inside(rate, f"rates[{i}]") for i, rate in enumerate(rates)]
    before = [_inside(prior, f"priors[{i}]") for i, prior in enumerate(priors)]
    low, high = (_inside(delta, f"deltas[{i}]") for i, delta in enumerate(_two(deltas)))
    if low >= high:
        raise InputError("deltas", f"{low}, {high}", "give the smaller delta first")
    if low < _LEAST:
        raise InputError("deltas[0]", low, "give at least 1e-20")
    if not is_plain(ledger, ApproxDPClaim("all", Fraction(0), _AT)):
        raise OutOfScopeError("risks are said of ledgers whose events all read all records")
    with metered():
        if (evidence := weighing(ledger)) is not None:
            evidence.require_uncontradicted()
        profile = _Profile(ledger)
        most = profile.epsilon(low)
        if most is None:
            raise HypothesisError(f"{ledger.title}: no epsilon is proved at delta = {low}")
        least = min(profile.epsilon(high) or Fraction(0), most)
        steps = sorted({least, *(most * i / _STEPS for i in range(_STEPS + 1))})
        found = [
            _advantage(profile),
            *(_guess(profile, prior) for prior in before),
            *(_success(profile, rate, steps) for rate in asked),
            _mu(profile, low, high, steps),
        ]
    application = profile.best.application
    rests = dict.fromkeys(each.how for each in application.findings if each.premise) | profile.rests
    if evidence is not None:
        rests[evidence.premise().how] = None
    return Risks(ledger, application.by, tuple(found), tuple(rests))


def _two(deltas: Sequence[object]) -> Sequence[object]:
    if len(deltas) != 2:
        raise InputError("deltas", deltas, "give two deltas, the smaller one first")
    return deltas


def _inside(value: object, field: str) -> Fraction:
    found = probability(value, field)
    if not 0 < found < 1:
        raise InputError(field, value, "give a number in (0, 1)")
    return found


def _advantage(profile: _Profile) -> Risk:
    """The largest difference of both rates of a test: delta at epsilon = 0."""
    zero = Fraction(0)
    lower, upper = profile.below(zero), profile.above(zero)
    return Risk("advantage", (), Enclosure(lower, upper), ((zero, upper),), ((zero, lower),) if lower else ())


def _guess(profile: _Profile, prior: Fraction) -> Risk:
    """How often the best guess is right: 1 - p + p delta(log((1 - p)/p)), p the smaller of the prior and 1 less it."""
    p = min(prior, 1 - prior)
    ends = decide.enclose(lambda ar: ar.log((1 - p) / p), decide.engine("arb"), Fraction(1, 10**15))
    below = Fraction(to_decimal(ends.lower, _DIGITS, "down"))
    above = Fraction(to_decimal(ends.upper, _DIGITS, "up"))
    lower, upper = profile.below(above), profile.above(below)
    found = Enclosure(1 - p + p * lower, 1 - p + p * upper)
    return Risk("right-guesses", (prior,), found, ((below, upper),), ((above, lower),) if lower else ())


def _success(profile: _Profile, rate: Fraction, steps: Sequence[Fraction]) -> Risk:
    """The true-positive rate of the best test: the least that any point of the curve allows.

    Of delta at epsilon lost, some test of rates (f, g) has g - e^epsilon f >= delta. At another rate a it does, mixed
    with a blind guess, at least delta + a (1 - delta) where f <= a, and a e^epsilon/(1 - delta) where f > a.
    """
    upper, proved = min((attack_success(each, profile.above(each), rate), each) for each in steps)
    lower, lost = rate, Fraction(0)
    for each in steps:
        delta = profile.below(each)
        if 0 < delta < 1:
            grown = decide.enclose(partial(_exp, each), decide.engine("arb"), Fraction(1, 10**12)).lower
            here = min(delta + rate * (1 - delta), rate * grown / (1 - delta))
            if here > lower:
                lower, lost = here, each
    points = ((lost, profile.below(lost)),) if lower > rate else ()
    return Risk("attack-success", (rate,), Enclosure(lower, upper), ((proved, profile.above(proved)),), points)


def _exp(value: Fraction, ar: Arithmetic) -> Scalar:
    return ar.exp(value)


def _mu(profile: _Profile, low: Fraction, high: Fraction, steps: Sequence[Fraction]) -> Risk:
    """The least mu whose profile is nowhere below the ledger's where that lies in the range.

    From above by cells of epsilon, the last of which ends where the ledger's delta is below the range: within one the
    ledger's delta is at most that at its left end, and the Gaussian's at least that at its right end. From below by
    points that certainly lie in the range.
    """
    proved: list[Point] = []
    lost: list[Point] = []
    upper = lower = Fraction(0)
    for left, right in pairwise(steps):
        delta = profile.above(left)
        proved.append((left, delta))
        upper = max(upper, _gaussian(right, min(delta, high), up=True))
    for each in steps:
        delta = profile.below(each)
        if delta >= low and profile.above(each) <= high and (here := _gaussian(each, delta, up=False)) > lower:
            lower, lost = here, [(each, delta)]
    if profile.best.application.statement == "gdp/composition.eps":
        # Of Gaussians the whole curve is that of one.
        squares = {"mu": profile.best.application.inputs["mu"]}
        whole = solve(statement("gdp/composition.mu"), squares, digits=_DIGITS, engine="arb").enclosure
        assert whole is not None
        if whole.upper < upper:
            upper, proved = whole.upper, []
    return Risk("mu", (low, high), Enclosure(lower, upper), tuple(proved), tuple(lost))


def _gaussian(epsilon: Fraction, delta: Fraction, *, up: bool) -> Fraction:
    """The mu of the Gaussian mechanism with this point, rounded up or down."""
    answer = solve(statement("gdp/profile.mu"), {"eps": epsilon, "delta": delta}, digits=_DIGITS, engine="arb")
    assert answer.enclosure is not None
    return answer.enclosure.upper if up else answer.enclosure.lower
