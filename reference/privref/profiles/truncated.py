"""Poisson samples with a cap: a sample of more records than the cap is cut to it, which adds a term to delta.

Let the data sets D and D' = D - {x} have at most n records besides x. In a round whose rate is q and cap B let c be how
many of the others are drawn, c at most binomial of n and q. Let M~ run as declared, but with x left out of every round
with c >= B. Then

* on D' it is the truncated mechanism itself; and on D too, but where x is drawn in a round with c >= B: with
  c <= B - 1 nothing is cut, and a sample without x is cut as it is on D'. Over all rounds that has the probability
  drawn = 1 - prod (1 - q P(Bin(n, q) >= B)), the rounds' samples being independent of each other and of all answers;
* it is dominated as the untruncated mechanism is, for x is drawn independently of the others' sample, given which the
  round is a mixture of weight q (zdw2022/thm11.delta), or the same on D and D'.

So delta(eps) is at most that of whole samples, plus drawn for a removal, e^eps drawn for an addition. It is also at
most that plus full = 1 - prod P(Bin(n, q) < B), in either orientation: the untruncated mechanism has its delta if the
others' samples are revealed. The truncated one is the same unless some c >= B. Chua et al. 2024 have (1 + e^eps)
times 1 - P(Bin(n, q) <= B)^T, of n records in all, which is never less: a sample is above the cap where x is drawn
and c >= B, too.

The other way: where the others contribute nothing, the truncated mechanism is the whole one's pair, again but for
``drawn`` on D. All of it holds whichever records are dropped, as long as that depends on the records drawn, on coins
and on earlier answers only, and for bases whose pair does not depend on how many records are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Literal

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError, UnwritableError
from privref.exact.numbers import float_log
from privref.exact.roots import fixed_point
from privref.exact.rounding import to_decimal
from privref.exact.work import WorkLimitError, kept
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Probability
from privref.statements.registry import Result, implements

from .binomial import Tail, tail
from .composed import composed_delta, composed_eps
from .declared import Mechanism, Truncation, mechanisms
from .model import SubsampledGaussian
from .subsampled import (
    STATED_WIDTH,
    estimated_log_delta,
    exceeds_in_one_orientation,
    poisson_gaussian_delta_statement,
    poisson_gaussian_eps_statement,
)

CutRounds = tuple[tuple[Mechanism, int], ...]

_PRECISION = 128
#: Above what is too small to be written.
_TINY = Fraction(1, 2**20_000)
#: Digits of what is left of delta.
_LEFT_DIGITS = 40
#: Steps towards the least epsilon; each is an epsilon of whole samples.
_MOST_STEPS = 8
#: Halvings of a guess by floats.
_FLOAT_STEPS = 24
#: Relative widths of epsilon that are tried, from the narrowest.
_WIDTHS = tuple(Fraction(8**n, 10**6) for n in range(4))
#: In the second arithmetic, which is slow.
_PLAIN_WIDTHS = _WIDTHS[-1:]
#: What an upper bound may leave out of delta, in parts of it.
_LEFT_OUT = Fraction(1, 10**5)


@dataclass(frozen=True, slots=True)
class Gap:
    """How likely it is that some sample is cut: while it holds the differing record; and at an upper bound, at all."""

    drawn: Enclosure
    full: Fraction


@kept(256)
def gap(engine: decide.EngineName, rounds: CutRounds) -> Gap:
    """Of all rounds together; WorkLimitError where a binomial tail has too many terms."""
    ar = decide.engine(engine, _PRECISION)
    with ar.active():
        drawn: Scalar = Fraction(0)
        full: Scalar = Fraction(0)
        for mechanism, count in rounds:
            sample = mechanism.sample
            if mechanism.whole is None or sample is None or sample.truncation is None:
                continue
            found = _tail(ar, sample.rate, sample.truncation)
            drawn = drawn + count * ar.log1p(-sample.rate * ar.real(found.probability))
            full = full + count * ar.real(found.log_below)
        return Gap(_probability(ar, -ar.expm1(drawn)), _probability(ar, -ar.expm1(full)).upper)


def _tail(ar: EnclosingArithmetic, q: Fraction, truncation: Truncation) -> Tail:
    """How likely a round has as many others as the cap; one too small to be written lies below a number that is not."""
    try:
        return tail(ar, q, truncation.records, truncation.cap)
    except UnwritableError:
        if truncation.cap <= q * truncation.records:
            raise
        tiny = ar.hull(Fraction(0), _TINY)
        return Tail(tiny, ar.log1p(-tiny))


def _probability(ar: EnclosingArithmetic, value: Scalar) -> Enclosure:
    """A probability's ends; one too small to be written lies below a number that is not."""
    try:
        found = ar.enclosure(value)
    except UnwritableError:
        return Enclosure(Fraction(0), _TINY)
    if found is None:
        return Enclosure(Fraction(0), Fraction(1))
    return Enclosure(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


def _left(delta: Fraction, spent: Fraction, side: Literal["down", "up"]) -> Fraction:
    """delta less what is spent, rounded to fewer digits: a delta at most as large, or at least."""
    left = delta - spent
    return Fraction(to_decimal(left, _LEFT_DIGITS, side)) if left > 0 else left


def whole(rounds: CutRounds) -> CutRounds:
    """The same rounds, had no sample been cut."""
    return tuple((mechanism.whole or mechanism, count) for mechanism, count in rounds)


def _equal(rounds: CutRounds, *, lost: bool = False) -> tuple[SubsampledGaussian, int] | None:
    """The one sampled Gaussian round that all are, and how often: its profile is computed at any count."""
    pairs = [
        (item.pair, item.count * count)
        for mechanism, count in rounds
        for item in (mechanism.lower if lost else mechanism.upper) or ()
    ]
    first = pairs[0][0] if pairs else None
    if not isinstance(first, SubsampledGaussian) or any(pair != first for pair, _ in pairs):
        return None
    return first, sum(count for _, count in pairs)


def _enclosed(ar: EnclosingArithmetic, value: Result) -> Enclosure | None:
    """None for an epsilon that is not finite."""
    if isinstance(value, str):
        return None
    found = ar.enclosure(value)
    if found is None:
        raise UndecidedError("the profile of whole samples has no enclosure")
    return found


def _whole_eps(ar: EnclosingArithmetic, rounds: CutRounds, delta: Fraction) -> Enclosure | None:
    same = _equal(rounds)
    if same is None:
        return _enclosed(ar, composed_eps(ar, rounds, delta))
    pair, count = same
    return _enclosed(ar, poisson_gaussian_eps_statement(ar, pair.rate, pair.sigma, count, delta))


def _whole_delta(ar: EnclosingArithmetic, rounds: CutRounds, eps: Fraction, *, lost: bool = False) -> Enclosure:
    same = _equal(rounds, lost=lost)
    if same is None:
        found = _enclosed(ar, composed_delta(ar, rounds, eps))
    else:
        pair, count = same
        found = _enclosed(ar, poisson_gaussian_delta_statement(ar, pair.rate, pair.sigma, count, eps))
    assert found is not None
    return found


def _grown(ar: EnclosingArithmetic, eps: Fraction, drawn: Enclosure) -> Enclosure:
    """e^eps drawn."""
    found = ar.enclosure(ar.exp(eps) * ar.hull(drawn.lower, drawn.upper))
    if found is None:
        raise UndecidedError("e^epsilon is out of the range of what can be written")
    return found


def least_eps(ar: EnclosingArithmetic, rounds: CutRounds, chance: Gap, delta: Fraction) -> Enclosure | None:
    """The least epsilon with delta(eps) + min(e^eps drawn, full) <= delta; None where there is none.

    delta(eps) and e^eps are convex in e^eps, and so is their sum: it is at most delta on one interval, of which this is
    the lower end, or from the least epsilon with delta(eps) <= delta - full on, if that is smaller.
    """
    uncut = whole(rounds)
    found = _by_drawn(ar, uncut, chance.drawn, delta)
    if found is not None and _grown(ar, found.upper, chance.drawn).upper <= chance.full:
        return found
    other = _whole_eps(ar, uncut, _left(delta, chance.full, "down")) if chance.full < delta else None
    known = [each for each in (found, other) if each is not None]
    if not known:
        return None
    return Enclosure(min(each.lower for each in known), min(each.upper for each in known))


def _by_drawn(ar: EnclosingArithmetic, uncut: CutRounds, drawn: Enclosure, delta: Fraction) -> Enclosure | None:
    """The least epsilon with delta(eps) + e^eps drawn <= delta; None where there is none."""
    upper = _proved(ar, uncut, drawn, delta)
    if upper is not None:
        for width in _WIDTHS if ar.name == "arb" else _PLAIN_WIDTHS:
            # What is convex in e^eps and at most delta at the upper end is above delta below where it is above it.
            if not upper or _is_above(ar, uncut, drawn, delta, upper * (1 - width)):
                return Enclosure(upper * (1 - width), upper)
    lower = Fraction(0) if upper is not None else _at_least(ar, uncut, drawn, delta)
    if lower is None:
        return None
    ends = f"at least {to_decimal(lower, 6, 'down')}"
    ends += "" if upper is None else f" and at most {to_decimal(upper, 6, 'up')}"
    raise UndecidedError(
        f"epsilon is {ends}, no nearer than the stated {STATED_WIDTH}: the term of the samples that are cut is large "
        "compared with delta; give a larger cap"
    )


def _proved(ar: EnclosingArithmetic, uncut: CutRounds, drawn: Enclosure, delta: Fraction) -> Fraction | None:
    """An epsilon with delta(eps) + e^eps drawn <= delta, about the least; None where no step finds one.

    Where delta(eps) <= delta - e^u drawn, and eps <= u, it is one.
    """
    most = _guess(uncut, drawn, delta)
    if most is None:
        left = _left(delta, drawn.upper, "down")
        found = _within_reach(partial(_whole_eps, ar, uncut, left)) if left > 0 else None
        if found is None:
            return None
        most = found.upper
    best: Fraction | None = None
    before: tuple[Fraction, Fraction] | None = None
    most = _up(most, 3)
    for _ in range(_MOST_STEPS):
        left = _left(delta, _grown(ar, most, drawn).upper, "down")
        # Of almost nothing that is left of delta no epsilon may be within reach.
        found = _within_reach(partial(_whole_eps, ar, uncut, left)) if left > 0 else None
        if found is None:
            break
        if found.upper <= most:
            best = found.upper
            # What the last step left out of delta beyond what it had to.
            if _grown(ar, most, drawn).upper - _grown(ar, best, drawn).lower <= delta * _LEFT_OUT or not best:
                break
            most = _up(best, 7)
        elif best is not None:
            break
        else:
            here = most, found.upper
            most = _up(fixed_point(before, here), 5)
            before = here
    return best


def _within_reach(find: Callable[[], Enclosure | None]) -> Enclosure | None:
    """What is found; None where it is refused for another reason than the work."""
    try:
        return find()
    except WorkLimitError:
        raise
    except UndecidedError:
        return None


def _up(eps: Fraction, digits: int) -> Fraction:
    """A little more, to this many digits: as a short number."""
    return Fraction(to_decimal(eps * (1 + Fraction(1, 10**digits)), digits + 2, "up")) + Fraction(1, 10**12)


def _guess(uncut: CutRounds, drawn: Enclosure, delta: Fraction) -> Fraction | None:
    """About the least epsilon, by floats; None where they do not reach."""
    same = _equal(uncut)
    if same is None or same[1] == 1 or not drawn.upper:
        # Of one round epsilon is in closed form.
        return None
    pair, count = same
    target, likely = float_log(delta), float_log(drawn.upper)

    def above(eps: float) -> bool | None:
        size = estimated_log_delta(pair.rate, pair.sigma, count, Fraction(eps))
        if size is None:
            return None
        high = max(size, likely + eps)
        return high + math.log1p(math.exp(min(size, likely + eps) - high)) > target

    low, high = 0.0, target - likely
    if high <= 0:
        return None
    for _ in range(_FLOAT_STEPS):
        middle = (low + high) / 2
        said = above(middle)
        if said is None:
            return None
        # Beyond the dip the term alone is nearly delta: what is above delta there is not below the least.
        low, high = (middle, high) if said and likely + middle < target - 1 else (low, middle)
    return Fraction(high)


def _is_above(ar: EnclosingArithmetic, uncut: CutRounds, drawn: Enclosure, delta: Fraction, eps: Fraction) -> bool:
    """Whether delta(eps) + e^eps drawn > delta is proved."""
    room = _left(delta, _grown(ar, eps, drawn).lower, "up")
    if room <= 0:
        return room < 0
    same = _equal(uncut)
    if same is None:
        return _whole_delta(ar, uncut, eps).lower > room
    pair, count = same
    return exceeds_in_one_orientation(ar, pair, count, eps, room)


def _at_least(ar: EnclosingArithmetic, uncut: CutRounds, drawn: Enclosure, delta: Fraction) -> Fraction | None:
    """A bound from below: above l only those with delta(eps) <= delta - e^l drawn. None where there is none at all."""
    lower = Fraction(0)
    for _ in range(_MOST_STEPS):
        room = _left(delta, _grown(ar, lower, drawn).lower, "up")
        found = _whole_eps(ar, uncut, room) if room >= 0 else None
        if found is None:
            return None
        if found.lower <= lower * (1 + STATED_WIDTH / 10):
            break
        lower = found.lower
    return lower


@kept(256)
def _eps(engine: decide.EngineName, rounds: CutRounds, delta: Fraction) -> Enclosure | None:
    ar = decide.engine(engine, _PRECISION)
    with ar.active():
        return least_eps(ar, rounds, gap(engine, rounds), delta)


def _stated_width(inputs: Mapping[str, Any]) -> Fraction:
    return STATED_WIDTH


_HYPOTHESES = (Hypothesis.FIXED_PARAMETERS, Hypothesis.TRUNCATED_SAMPLES)
_CITES = "a sharper term (ours) than that of truncated batches in Theorem 3.3, which was not read"


@implements(
    "chua2024b/truncated.delta",
    kind="upper",
    cites=_CITES,
    hypotheses=_HYPOTHESES,
    standing="ours",
    stated_width=_stated_width,
)
def truncated_delta(ar: Arithmetic, rounds: Annotated[CutRounds, mechanisms(truncated=True)], eps: Fraction) -> Result:
    """The delta at epsilon of mechanisms on Poisson samples that are cut above a cap, with others of known laws.

    chua2024b/truncated.delta: delta(eps) + min(e^eps drawn, full), where delta(eps) is that of whole samples, drawn =
    1 - prod (1 - q P(Bin(n, q) >= B)) over the rounds with rate q, cap B and at most n records besides the differing
    one, full = 1 - prod P(Bin(n, q) < B) (proofs/derivations/truncated.py). Add-or-remove-one; parameters fixed in
    advance; which records are dropped depends on the records drawn, on coins and on earlier answers only, and no sum is
    divided by how many were drawn. Above 1 it says nothing. epsilon in nats.
    """
    balls, chance = decide.enclosing(ar), gap(decide.engine_name(ar), rounds)
    found = _whole_delta(balls, whole(rounds), eps)
    grown = _grown(balls, eps, chance.drawn)
    upper = min(grown.upper, chance.full)
    return ar.hull(found.lower + min(grown.lower, upper), found.upper + upper)


@implements(
    "chua2024b/truncated.eps",
    kind="upper",
    cites=f"{_CITES}, solved for epsilon",
    hypotheses=_HYPOTHESES,
    standing="ours",
    stated_width=_stated_width,
)
def truncated_eps(
    ar: Arithmetic, rounds: Annotated[CutRounds, mechanisms(truncated=True)], delta: Probability
) -> Result:
    """An epsilon at delta of mechanisms on Poisson samples that are cut above a cap: the least that the bound proves.

    chua2024b/truncated.eps: the least epsilon >= 0 at which chua2024b/truncated.delta is at most delta, and so is
    proved of every larger one; ``inf`` where it is above delta everywhere, since the samples are cut too often.
    """
    if delta == 1:
        return Fraction(0)
    if delta == 0 and any(mechanism.whole is not None for mechanism, _ in rounds):
        return "inf"
    found = _eps(decide.engine_name(ar), rounds, delta)
    if found is None:
        return "inf"
    return ar.hull(found.lower, found.upper) if found.upper else Fraction(0)


@implements(
    "chua2024b/truncated.least",
    kind="lower",
    cites="what truncated batches lose at least, by the same coupling (ours)",
    hypotheses=_HYPOTHESES,
    standing="ours",
    stated_width=_stated_width,
)
def truncated_least(ar: Arithmetic, rounds: Annotated[CutRounds, mechanisms(truncated=True)], eps: Fraction) -> Result:
    """A lower bound on delta at epsilon of mechanisms on Poisson samples that are cut above a cap.

    chua2024b/truncated.least: delta(eps) - e^eps drawn, with those of chua2024b/truncated.delta: where all other
    records contribute nothing and the differing one attains the shift in every round, the truncated rounds have the
    pair of whole samples unless the differing record is drawn in a round with as many others as the cap. It holds at
    any number of records up to the stated one, and if the record is zeroed out. Negative where it says nothing.
    """
    balls, chance = decide.enclosing(ar), gap(decide.engine_name(ar), rounds)
    found = _whole_delta(balls, whole(rounds), eps, lost=True)
    grown = _grown(balls, eps, chance.drawn)
    known = Enclosure(found.lower - grown.upper, found.upper - grown.lower)
    if not known.relative_width_at_most(STATED_WIDTH):
        raise UndecidedError(f"delta is at least {to_decimal(known.lower, 6, 'down')}, which is all that is known here")
    return ar.hull(known.lower, known.upper)
