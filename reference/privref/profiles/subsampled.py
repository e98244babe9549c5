"""DP-SGD: the Poisson-subsampled Gaussian, composed; delta at epsilon and epsilon at delta, certified on both sides.

Floats find where to integrate and what to claim; every claim is then proved by enclosures: the contour's, or, where few
jumps make the loss and the contour is expensive, the grid's (``jumps``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, cast

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import WRITABLE_BITS, MorePrecisionError, UndecidedError, UnwritableError
from privref.exact.numbers import float_log
from privref.exact.rounding import to_decimal
from privref.exact.work import WorkLimitError, apart, kept, spend
from privref.guarantees.gaussian import gaussian_composition_delta, gaussian_composition_eps, gaussian_delta
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Positive, Probability
from privref.statements.registry import Result, implements

from . import jumps
from .contour import Contour
from .contour_few import epsilon_of_one, plan_few, single
from .contour_plan import Line, OutOfReachError, at_eps_of, by_floats, plan, start_at_delta
from .model import SubsampledGaussian
from .subsampled_renyi import renyi

#: Relative accuracy of delta in the search and in the end.
_COARSE, _FINE = 1e-3, 1e-8
_FINER = (_FINE, 1e-6, 3e-5)
#: As many times coarser a contour is tried where one is out of reach.
_FEWER_DIGITS = 30
_MOST_CONTOURS = 16
#: Nodes of contour and law together, in the engine that takes them one by one.
MOST_PLAIN = 120_000
#: So few that another platform's floats hardly ever change the answer's digits.
_BITS = 32
_DIGITS = 9
#: Products of a contour from which on it is worth looking for a cheaper one.
_DEAR = 2 * 10**6
#: About the most jumps for which the grid is tried before an expensive contour.
_FEW = 5
#: The relative widths of the grid that are enough, of epsilon and of delta; in the second arithmetic, which is slow.
_NARROW, _NARROW_DELTA = Fraction(1, 10**6), Fraction(1, 10**5)
_PLAIN, _PLAIN_DELTA = Fraction(1, 10**4), Fraction(1, 2000)
#: Half the relative widths of epsilon that are tried, from the narrowest.
_WIDTHS = tuple(Fraction(4**n, 10**9) for n in range(1, 10))
#: The relative width that is promised; nearly all answers are narrower than a millionth.
STATED_WIDTH = Fraction(1, 1000)
#: What an engine may spend where another one has answered, less narrowly than is sought, in units of work.
_SIDE_WORK = 8_000_000
#: The same for the second arithmetic, whose one grid is of more work.
_SIDE_WORK_PLAIN = 14_000_000
#: What the outer bracket of a refusal may spend.
_BRACKET_WORK = 3_000_000
_OUT_OF_REACH = "no contour or grid within the work allowed is narrower"
#: What is smaller is not written down.
_LEAST = Fraction(1, 1 << WRITABLE_BITS)
_TOO_SMALL = "it is too small to be written down; a claim of any delta that can be is decided by its epsilon"


@dataclass(slots=True)
class Reached:
    """What is proved of a value so far; an upper end of None is not known."""

    lower: Fraction = Fraction(0)
    upper: Fraction | None = None

    def meet(self, found: Enclosure) -> None:
        self.lower = max(self.lower, found.lower)
        self.upper = found.upper if self.upper is None else min(self.upper, found.upper)

    def words(self, what: str) -> str:
        """As a refusal says it."""
        if self.upper is None:
            return f"{what} is at least {to_decimal(self.lower, 6, 'down')}, and no upper end is known"
        shown = _interval_text(Enclosure(self.lower, self.upper))
        return f"{what} is within {shown}, wider than the stated {STATED_WIDTH} of it"


def contour_at(
    ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, eps: float, log_delta: float | None, tolerance: float
) -> Contour:
    return Contour(ar, pair, k, _line(ar, pair, k, eps, log_delta, tolerance))


def _line(
    ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, eps: float, log_delta: float | None, tolerance: float
) -> Line:
    """The cheaper of two contours at epsilon, of M^k or of M^k - A^k, where delta is about e^log_delta."""
    line = _line_of_many(pair, k, eps, log_delta, tolerance)
    if line is None or line.products > _DEAR:
        few = _line_of_few(pair, k, eps, log_delta, tolerance)
        line = few if line is None or (few is not None and few.products < line.products) else line
    if line is None:
        raise OutOfReachError
    if ar.name != "arb" and line.nodes * (line.law.last - line.law.first) > MOST_PLAIN:
        raise OutOfReachError
    return line


# A search asks for the same line to weigh it and to follow it, and so does the other engine's.
@kept(64)
def _line_of_few(
    pair: SubsampledGaussian, k: int, eps: float, log_delta: float | None, tolerance: float
) -> Line | None:
    """The contour of M^k - A^k; None where it is out of reach."""
    try:
        return plan_few(pair, k, eps, log_delta, tolerance)
    except (OutOfReachError, OverflowError):
        return None


@kept(64)
def _line_of_many(
    pair: SubsampledGaussian, k: int, eps: float, log_delta: float | None, tolerance: float
) -> Line | None:
    """The contour of M^k; None where it is out of reach."""
    try:
        guess = at_eps_of(pair, k, eps, log_delta, tolerance)
        return plan(guess, k, guess.at.log_delta if log_delta is None else log_delta, tolerance)
    except (OutOfReachError, OverflowError):
        return None


def _jumps(pair: SubsampledGaussian, k: int) -> bool:
    """Whether few jumps may make the loss."""
    return pair.orientation == "removal" and k * pair.rate <= _FEW


def _is_for_the_grid(pair: SubsampledGaussian, k: int, eps: float, log_delta: float) -> bool:
    """Whether few jumps make the loss and the contour of M^k is expensive: then the grid answers in less time."""
    if not _jumps(pair, k) or eps <= 0:
        return False
    line = _line_of_many(pair, k, eps, log_delta, _FINE)
    return line is None or line.products > _DEAR


def _is_cheap(pair: SubsampledGaussian, k: int, eps: float, log_delta: float) -> bool:
    """Whether a whole search on contours of M^k from there costs no more than an expensive one."""
    line = _line_of_many(pair, k, eps, log_delta, _FINE)
    return line is not None and _MOST_CONTOURS * line.products <= _DEAR


def _few_bits(value: float) -> Fraction:
    """The float, as a rational of few bits."""
    mantissa, exponent = math.frexp(value)
    return Fraction(round(mantissa * 2.0**_BITS)) * Fraction(2) ** (exponent - _BITS)


def _middle(found: Enclosure) -> float:
    return float_log((found.lower + found.upper) / 2) if found.upper > 0 else -math.inf


def delta_of_one_round(ar: EnclosingArithmetic, pair: SubsampledGaussian, eps: Fraction) -> Enclosure:
    """delta(eps) of a single round, q < 1: the Gaussian mechanism's at another epsilon.

    (1 - q) Q + q P - e^eps Q = q (P - (1 + (e^eps - 1)/q) Q), and Q - e^eps ((1 - q) Q + q P) =
    a (Q - (e^eps q/a) P) with a = 1 - (1 - q) e^eps, which has no positive part where a <= 0. A removal's is the larger
    at eps >= 0: with P and Q exchanged, which changes no integral, the latter is a P - e^eps q Q, and the former less
    the latter (1 - q)(e^eps - 1)(P - Q), where P >= Q wherever the latter is positive.
    """
    s, q = pair.sigma, pair.rate

    def base(ratio: Real) -> Real:
        y = s * ar.log(ratio)
        return ar.normal_cdf(1 / (2 * s) - y) - ratio * ar.normal_cdf(-1 / (2 * s) - y)

    ar = ar.at(2 * ar.precision)
    with ar.active():
        grown = ar.expm1(eps)
        if pair.orientation == "removal":
            found = ar.enclosure(q * base(1 + grown / q))
        else:
            a = q - (1 - q) * grown
            sign = ar.enclosure(a)
            if sign is not None and sign.upper <= 0:
                return Enclosure(Fraction(0), Fraction(0))
            found = None if sign is None or sign.lower <= 0 else ar.enclosure(a * base(ar.exp(eps) * q / a))
    if found is None:
        raise MorePrecisionError("delta of one round has no enclosure")
    return Enclosure(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


def _eps_of_one_round(ar: EnclosingArithmetic, pair: SubsampledGaussian, delta: Fraction) -> Enclosure:
    """The least epsilon >= 0 of a removal at delta: where the Gaussian mechanism's is at delta/q."""
    base = gaussian_composition_eps(ar, ((1 / pair.sigma, 1),), delta / pair.rate) if delta < pair.rate else Fraction(0)
    with ar.active():
        found = ar.enclosure(ar.log1p(pair.rate * ar.expm1(cast(Scalar, base))))
    if found is None:
        raise MorePrecisionError("epsilon of one round has no enclosure")
    return Enclosure(max(found.lower, Fraction(0)), max(found.upper, Fraction(0)))


def _require_planned(pair: SubsampledGaussian, *numbers: Fraction | int) -> None:
    """Refuse what is far out of the range of floats, in which contours are planned."""
    for number in (pair.rate, pair.sigma, *numbers):
        if number and not Fraction(1, 2**300) <= number <= 2**300:
            raise UndecidedError(_OUT_OF_REACH)


def delta_in_one_orientation(
    ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, eps: Fraction, reached: Reached | None = None
) -> Enclosure:
    """delta(eps) of k rounds; UndecidedError, and what was ``reached``, where no work allowed gives three digits."""
    reached = Reached() if reached is None else reached
    if k == 1 and pair.rate < 1:
        return delta_of_one_round(ar, pair, eps)
    if pair.orientation == "addition" and _above_all_losses(ar, pair, k, eps):
        return Enclosure(Fraction(0), Fraction(0))
    _require_planned(pair, k, eps)
    best = Enclosure(Fraction(0), Fraction(1))
    guessed: float | None = None
    tolerance = _FINE
    few = _log_delta_of_few(pair, k, eps)
    narrow = _NARROW_DELTA if ar.name == "arb" else _PLAIN_DELTA
    if few is not None:
        known = _where_reached(lambda: jumps.delta_of(ar, ((pair, k),), eps, few, narrow))
        best = best if known is None else known
        reached.meet(best)
        if best.relative_width_at_most(narrow):
            return best
        guessed = _middle(best)
    for _ in range(6):
        try:
            found = contour_at(ar, pair, k, float(eps), guessed, tolerance).delta(eps)
        except OutOfReachError:
            # Fewer digits may need no more work than is allowed.
            tolerance *= 100
            if tolerance > _COARSE:
                break
            continue
        best = jumps.met(best, found)
        reached.meet(best)
        if best.relative_width_at_most(Fraction(1, 10**6)):
            return best
        before, guessed = guessed, _middle(best) - 2
        if before is not None and guessed > before - 0.5:
            break
    if not best.relative_width_at_most(STATED_WIDTH) and eps and (few is not None or _jumps(pair, k)):
        # Where the contours take little, they may still take too much in the second arithmetic.
        size = few if few is not None else float_log(best.lower) if best.lower else -1.0
        known = _where_reached(lambda: jumps.delta_of(ar, ((pair, k),), eps, size, narrow, all_points=few is not None))
        best = best if known is None else jumps.met(best, known)
        reached.meet(best)
    if best.relative_width_at_most(STATED_WIDTH):
        return best
    raise UndecidedError(_OUT_OF_REACH)


def _where_reached(find: Callable[[], Enclosure]) -> Enclosure | None:
    """What an engine says, where it reaches: not where masses of a grid are too small to be written down."""
    try:
        return find()
    except (OutOfReachError, OverflowError, UnwritableError):
        return None


def _narrower(ar: EnclosingArithmetic, known: Enclosure, find: Callable[[], Enclosure]) -> Enclosure:
    """What is known and what another engine says within a budget of its own, a part of which is counted."""
    most = _SIDE_WORK if ar.name == "arb" else _SIDE_WORK_PLAIN
    with apart(most) as spent:
        try:
            found = _where_reached(find)
        except WorkLimitError:
            found = None
        used = min(spent(), most)
    spend(used // 4)
    return known if found is None else jumps.met(known, found)


def _log_delta_of_few(pair: SubsampledGaussian, k: int, eps: Fraction) -> float | None:
    """About log delta(eps) where few jumps make it and the grid is to say how large it is; None elsewhere."""
    try:
        with by_floats():
            few = min(single(pair, k, float(eps)), 0.0)
    except OutOfReachError:
        return None
    try:
        # Where several rounds make most of it, it is far larger than one round's, and a contour says so at once.
        largest = at_eps_of(pair, k, float(eps), None, _FINE).at.log_delta
    except (OutOfReachError, OverflowError):
        largest = few
    if largest > few and _is_cheap(pair, k, float(eps), largest):
        return None
    return few if _is_for_the_grid(pair, k, float(eps), few) else None


def _interval_text(found: Enclosure) -> str:
    return "[{}, {}]".format(*found.decimals(6))


def _above_all_losses(ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, eps: Fraction) -> bool:
    """Whether eps is at least k log 1/(1 - q): for an addition no loss is larger."""
    if pair.rate == 1:
        return False
    found = ar.enclosure(ar.exp(-eps / k) - (1 - pair.rate))
    return found is not None and found.upper <= 0


def _total_variation(ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int) -> Real:
    """k times one round's, q (2 Phi(1/(2 s)) - 1), for either orientation: those of k rounds have no more."""
    return k * pair.rate * (2 * ar.normal_cdf(ar.real(1 / (2 * pair.sigma))) - 1)


def _split_evenly(ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, eps: Fraction) -> Fraction:
    """An upper bound of delta(eps) in both orientations: rounds that are (eps/k, d)-DP are (eps, k d)-DP together.

    At rates so small that hardly a round holds the record it is near, and needs no contour. One round's delta may be
    too small to be written: then the least number that can be is at least it.
    """
    try:
        one = delta_of_one_round(ar, replace(pair, orientation="removal"), eps / k).upper
    except UnwritableError:
        one = _LEAST
    return min(k * one, Fraction(1))


def _trivially_zero(ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, delta: Fraction) -> bool:
    """Whether delta(0), the total variation of k rounds, is at most delta by one of two simple bounds.

    It is at most k times one round's, k q (2 Phi(1/(2 s)) - 1), and at most half the root of the chi^2 divergence,
    (1 + q^2 (e^(1/s^2) - 1))^k - 1.
    """
    q, s = pair.rate, pair.sigma
    single = ar.enclosure(_total_variation(ar, pair, k))
    if single is not None and single.upper <= delta:
        return True
    if 1 / (s * s) > 60:
        return False
    square = ar.enclosure(k * ar.log1p(q * q * ar.expm1(1 / (s * s))) - ar.log1p(4 * delta * delta))
    return square is not None and square.upper <= 0


class ProvedLine(Protocol):
    """delta along one line, narrow near the epsilon that it was planned for."""

    def delta(self, eps: Fraction) -> Enclosure: ...
    def about(self, eps: Fraction) -> Enclosure:
        """What a search may rest on: about the middle of ``delta``, without what bounds the errors."""
        ...

    @property
    def abscissa(self) -> Fraction: ...


class EpsilonSearch:
    """The epsilon of one orientation at delta: contours, one after the other, nearer and nearer."""

    def __init__(self, ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, delta: Fraction) -> None:
        self.ar, self.pair, self.k, self.delta = ar, pair, k, delta
        self.goal = float_log(delta)

    def contour(self, eps: float, tolerance: float) -> ProvedLine:
        return contour_at(self.ar, self.pair, self.k, eps, self.goal, tolerance)

    def _excess(self, contour: ProvedLine, eps: float) -> float | None:
        """log delta(eps) - log delta, about; None where the contour does not tell."""
        found = contour.about(_few_bits(eps))
        # The planned error is relative to the delta asked for.
        if float(found.width) > 0.3 * float(found.upper):
            return -4.0 if found.upper < self.delta else None
        return _middle(found) - self.goal

    def _polish(self, contour: ProvedLine, eps: float, excess: float) -> float:
        """Secant steps on one contour."""
        slope = float(contour.abscissa)
        best = (abs(excess), eps)
        for _ in range(12):
            after = eps + excess / slope
            if after <= 0:
                after = eps / 2
            value = self._excess(contour, after)
            if value is None:
                break
            if after != eps and value != excess:
                measured = (excess - value) / (after - eps)
                if measured > 0:
                    slope = measured
            eps, excess = after, value
            if abs(excess) >= best[0] / 2 and best[0] < 1e-7:
                # Below what the epsilons' few bits can tell.
                break
            best = min(best, (abs(excess), eps))
        return best[1]

    def starts(self) -> list[float]:
        """Where to begin, the likeliest first: at the saddle point of all, or where a single round makes the loss."""
        found: list[float] = []
        try:
            guess = start_at_delta(self.pair, self.k, self.goal, _COARSE)
            found.append(guess.at.eps if guess.at.eps > 0 else 1e-3 / guess.at.abscissa)
        except (OutOfReachError, OverflowError):
            pass
        try:
            few = epsilon_of_one(self.pair, self.k, self.goal)
        except OutOfReachError:
            few = None
        if few is not None:
            # The saddle point of all is above the truth where few jumps make the loss.
            found.insert(0 if found and few > found[0] / 4 else len(found), few)
        return found

    def finer(self, eps: float) -> float:
        """The accuracy of delta at the end: the finest that is within reach, or not expensive."""
        reached = _COARSE
        for tolerance in _FINER:
            try:
                line = _line(self.ar, self.pair, self.k, eps, self.goal, tolerance)
            except (OutOfReachError, OverflowError):
                continue
            reached = tolerance
            if line.products <= _DEAR or tolerance > _FINE:
                break
        return reached

    def run(self, start: float) -> tuple[float, ProvedLine]:
        """About the epsilon, and a contour to prove it by."""
        eps, tolerance = start, _COARSE
        low = high = None
        coarse: ProvedLine | None = None
        for _ in range(_MOST_CONTOURS):
            try:
                contour = self.contour(eps, tolerance)
            except OutOfReachError:
                if coarse is None:
                    raise
                tolerance *= _FEWER_DIGITS
                if tolerance >= _COARSE:
                    return eps, coarse
                continue
            excess = self._excess(contour, eps)
            if excess is None:
                raise OutOfReachError
            if abs(excess) < 0.3:
                eps = self._polish(contour, eps, excess)
                if tolerance < _COARSE:
                    return eps, contour
                coarse, tolerance = contour, self.finer(eps)
                if tolerance >= _FINER[-1] * 1.01:
                    return eps, coarse
            else:
                if excess > 0:
                    low = (eps, excess)
                else:
                    high = (eps, excess)
                slope = float(contour.abscissa)
                if low is None:
                    eps = max(eps + excess / slope, eps / 2)
                elif high is None:
                    eps = eps + max(excess / slope, eps / 50)
                else:
                    share = min(max(low[1] / (low[1] - high[1]), 0.1), 0.9)
                    eps = low[0] + (high[0] - low[0]) * share
        raise OutOfReachError


def proved(contour: ProvedLine, eps: float, delta: Fraction) -> Enclosure:
    """The narrowest of a few brackets of epsilon whose two ends the contour proves."""
    middle = _few_bits(eps)
    lower: Fraction | None = None
    upper: Fraction | None = None
    for width in _WIDTHS:
        if lower is None and contour.delta(middle * (1 - width)).lower > delta:
            lower = middle * (1 - width)
        if upper is None and contour.delta(middle * (1 + width)).upper <= delta:
            upper = middle * (1 + width)
        if lower is not None and upper is not None:
            return Enclosure(lower, upper)
    raise OutOfReachError


def eps_by_contour(
    ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, delta: Fraction, starts: list[float] | None = None
) -> Enclosure:
    """The same by contours alone, searched from the starts; OutOfReachError where none proves both ends."""
    search = EpsilonSearch(ar, pair, k, delta)
    for start in search.starts() if starts is None else starts:
        try:
            eps, contour = search.run(start)
            if eps * float(contour.abscissa) < 0.5 and contour.delta(Fraction(0)).upper <= delta:
                return Enclosure(Fraction(0), Fraction(0))
            return proved(contour, eps, delta)
        except (OutOfReachError, OverflowError):
            continue
    raise OutOfReachError


def eps_in_one_orientation(
    ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, delta: Fraction, reached: Reached | None = None
) -> Enclosure:
    """The least epsilon >= 0 of k rounds at delta; UndecidedError as for delta."""
    reached = Reached() if reached is None else reached
    _require_planned(pair, k)
    search = EpsilonSearch(ar, pair, k, delta)
    starts = search.starts()
    best: Enclosure | None = None
    few = bool(starts) and _is_for_the_grid(pair, k, starts[0], search.goal)
    narrow = _NARROW if ar.name == "arb" else _PLAIN
    cheap = [start for start in starts[1:] if few and _is_cheap(pair, k, start, search.goal)]
    if cheap:
        # Where several rounds make the loss, one round's epsilon is far below it, and so a grid's masses are too few.
        best = _where_reached(lambda: eps_by_contour(ar, pair, k, delta, cheap))
        if best is not None and best.relative_width_at_most(STATED_WIDTH):
            return best
    if few:
        best = _where_reached(lambda: jumps.eps_of(ar, ((pair, k),), delta, starts[0], narrow))
        if best is not None:
            reached.meet(best)
            if not best.upper or best.relative_width_at_most(narrow):
                return best
            starts = _starts_within(best, starts)
    elif k * pair.rate >= 1:
        # One round alone makes less than all do, whose saddle point is the nearer start where several make the loss.
        starts.sort(reverse=True)
    if best is None:
        best = _where_reached(lambda: eps_by_contour(ar, pair, k, delta, starts))
    else:
        best = _narrower(ar, best, lambda: eps_by_contour(ar, pair, k, delta, starts))
        reached.meet(best)
        if not best.relative_width_at_most(10 * narrow):
            # A grid's upper bound is the better one where it is coarse.
            near = float(best.upper)
            best = _narrower(ar, best, lambda: jumps.eps_of(ar, ((pair, k),), delta, near, narrow, all_points=True))
    if best is None and starts and not few and _jumps(pair, k):
        # The contours take little, but too much in the second arithmetic.
        best = _where_reached(lambda: jumps.eps_of(ar, ((pair, k),), delta, starts[0], narrow))
    if best is None:
        raise UndecidedError(_OUT_OF_REACH)
    reached.meet(best)
    if not best.relative_width_at_most(STATED_WIDTH):
        raise UndecidedError(_OUT_OF_REACH)
    return best


def _starts_within(known: Enclosure, starts: list[float]) -> list[float]:
    """Where to search on: in the middle of a narrow bracket; of a wide one, first at the starts that are within."""
    middle = float((known.lower + known.upper) / 2)
    if known.relative_width_at_most(Fraction(1, 20)):
        return [middle]
    return [*(start for start in starts if known.lower <= start <= known.upper), middle]


def _at_most(ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, eps: Fraction, delta: Fraction) -> bool | None:
    """Whether delta(eps) <= delta in this orientation; None where it stays open."""
    if pair.orientation == "addition" and _above_all_losses(ar, pair, k, eps):
        return True
    if _is_for_the_grid(pair, k, float(eps), float_log(delta)):
        for width in (Fraction(1, 100), _NARROW_DELTA):
            known = _where_reached(partial(jumps.delta_of, ar, ((pair, k),), eps, float_log(delta), width))
            if known is not None and (known.upper <= delta or known.lower > delta):
                return known.upper <= delta
    for tolerance in (_COARSE, _FINE):
        try:
            found = contour_at(ar, pair, k, float(eps), float_log(delta), tolerance).delta(eps)
        except (OutOfReachError, OverflowError, UnwritableError):
            # Unwritable: epsilon is so far beyond this orientation's that delta is too small for a contour to say.
            return None
        if found.upper <= delta:
            return True
        if found.lower > delta:
            return False
    return None


def poisson_gaussian_eps(ar: EnclosingArithmetic, q: Fraction, sigma: Fraction, k: int, delta: Fraction) -> Enclosure:
    """The least epsilon >= 0 at delta in (0, 1), of the larger of both orientations, 0 < q < 1.

    UndecidedError with the bracket that was reached; WorkLimitError with it where the work ends.
    """
    removal = SubsampledGaussian(q, sigma, "removal")
    addition = SubsampledGaussian(q, sigma, "addition")
    one, other = Reached(), Reached()
    try:
        if _trivially_zero(ar, removal, k, delta):
            return Enclosure(Fraction(0), Fraction(0))
        if k == 1:
            return _eps_of_one_round(ar, removal, delta)
        # At epsilon 0 both have the same delta, the total variation.
        found = eps_in_one_orientation(ar, removal, k, delta, one)
        if found.upper == 0 or _at_most(ar, addition, k, found.lower, delta):
            return found
        return _larger(found, eps_in_one_orientation(ar, addition, k, delta, other))
    except UndecidedError as error:
        with _bracket_work():
            if one.upper is not None and other.upper is None and _at_most(ar, addition, k, one.upper, delta):
                other.upper = one.upper
        raise _refused("epsilon", error, one, other, lambda reached: _bracket_eps(reached, removal, k, delta)) from None


def poisson_gaussian_delta(ar: EnclosingArithmetic, q: Fraction, sigma: Fraction, k: int, eps: Fraction) -> Enclosure:
    """delta at epsilon >= 0, the larger of both orientations, 0 < q < 1; refused as epsilon is."""
    removal = SubsampledGaussian(q, sigma, "removal")
    addition = SubsampledGaussian(q, sigma, "addition")
    one, other = Reached(upper=Fraction(1)), Reached(upper=Fraction(1))
    try:
        if _split_evenly(ar, removal, k, eps) <= k * _LEAST:
            raise UndecidedError(_TOO_SMALL)
        found = delta_in_one_orientation(ar, removal, k, eps, one)
        if eps == 0 or k == 1 or _at_most(ar, addition, k, eps, found.lower) is True:
            return found
        return _larger(found, delta_in_one_orientation(ar, addition, k, eps, other))
    except UndecidedError as error:
        with _bracket_work():
            if one.upper is not None and other.upper == 1 and _at_most(ar, addition, k, eps, one.upper):
                other.upper = one.upper
        raise _refused("delta", error, one, other, lambda reached: _bracket_delta(reached, removal, k, eps)) from None


def _larger(one: Enclosure, other: Enclosure) -> Enclosure:
    return Enclosure(max(one.lower, other.lower), max(one.upper, other.upper))


@contextmanager
def _bracket_work() -> Iterator[None]:
    """Let a refusal's bracket spend so much; where that or decimals end, what is known without it is said."""
    with apart(_BRACKET_WORK), suppress(UndecidedError, MorePrecisionError):
        yield


def _refused(
    what: str, error: UndecidedError, one: Reached, other: Reached, bracket: Callable[[Reached], None]
) -> UndecidedError:
    """The refusal with what is known of the larger of both orientations, and of it by simple bounds."""
    known = None if one.upper is None or other.upper is None else max(one.upper, other.upper)
    reached = Reached(max(one.lower, other.lower), known)
    with _bracket_work():
        bracket(reached)
    said = f"{reached.words(what)}: {error}"
    return WorkLimitError(said) if isinstance(error, WorkLimitError) else UndecidedError(said)


def _bracket_eps(reached: Reached, pair: SubsampledGaussian, k: int, delta: Fraction) -> None:
    """Simple bounds of epsilon: one round loses no more than k; and by Renyi, k D_a + log(1/delta)/(a - 1)."""
    ar = decide.engine("arb", 128)
    with ar.active():
        reached.lower = max(reached.lower, _eps_of_one_round(ar, pair, delta).lower)
        for order, divergence in _divergences(ar, pair):
            found = ar.enclosure(k * ar.real(divergence) - ar.log(delta) / (order - 1))
            if found is not None:
                reached.meet(Enclosure(Fraction(0), found.upper))


def _bracket_delta(reached: Reached, pair: SubsampledGaussian, k: int, eps: Fraction) -> None:
    """The same of delta: e^((a - 1) (k D_a - eps)), the total variation, and k times one round's delta at eps/k."""
    ar = decide.engine("arb", 128)
    with ar.active():
        reached.meet(Enclosure(Fraction(0), _split_evenly(ar, pair, k, eps)))
        with suppress(UnwritableError):
            reached.lower = max(reached.lower, delta_of_one_round(ar, pair, eps).lower)
        found = ar.enclosure(_total_variation(ar, pair, k))
        if found is not None:
            reached.meet(Enclosure(Fraction(0), found.upper))
        for order, divergence in _divergences(ar, pair):
            found = ar.enclosure(ar.exp((order - 1) * (k * ar.real(divergence) - eps)))
            if found is not None:
                reached.meet(Enclosure(Fraction(0), found.upper))


def within(
    ar: EnclosingArithmetic, q: Fraction, sigma: Fraction, k: int, eps: Fraction, delta: Fraction
) -> bool | None:
    """Whether k rounds are (eps, delta)-DP, 0 < delta < 1; None where no contour decides it."""
    if q == 1:
        square = k / (sigma * sigma)
        found = ar.enclosure(gaussian_delta(ar, ar.sqrt(square), eps) - delta)
        return None if found is None or found.lower <= 0 < found.upper else found.upper <= 0
    if far_within(ar, q, sigma, k, eps, delta):
        return True
    removal = SubsampledGaussian(q, sigma, "removal")
    try:
        _require_planned(removal, k, eps)
        said = [_at_most(ar, pair, k, eps, delta) for pair in (removal, SubsampledGaussian(q, sigma, "addition"))]
    except UndecidedError:
        return None
    return None if None in said and False not in said else all(said)


def exceeds_in_one_orientation(
    ar: EnclosingArithmetic, pair: SubsampledGaussian, k: int, eps: Fraction, delta: Fraction
) -> bool:
    """Whether delta(eps) > delta is proved of k rounds in this orientation, 0 < delta < 1."""
    try:
        if k == 1 and pair.rate < 1:
            return delta_of_one_round(ar, pair, eps).lower > delta
        _require_planned(pair, k, eps)
        return _at_most(ar, pair, k, eps, delta) is False
    except UndecidedError:
        return False


def far_within(ar: EnclosingArithmetic, q: Fraction, sigma: Fraction, k: int, eps: Fraction, delta: Fraction) -> bool:
    """Whether the total variation is at most delta, or delta(eps) <= e^((a - 1) (k D_a - eps)) <= delta at some order.

    The order a is whole (Mironov 2017, Proposition 3); D_a is the Renyi divergence of one round for a removal, the
    larger one (mtz2019, Theorem 5).
    """
    removal = SubsampledGaussian(q, sigma, "removal")
    try:
        if _trivially_zero(ar, removal, k, delta):
            return True
    except (MorePrecisionError, UndecidedError):
        # Far beyond what can be written: nothing small.
        return False
    with suppress(MorePrecisionError):
        if _split_evenly(ar, removal, k, eps) <= delta:
            return True
    try:
        for order, divergence in _divergences(ar, removal):
            found = ar.enclosure((order - 1) * (k * ar.real(divergence) - eps) - ar.log(delta))
            if found is not None and found.upper <= 0:
                return True
    except (MorePrecisionError, UndecidedError):
        return False
    return False


def _divergences(ar: EnclosingArithmetic, pair: SubsampledGaussian) -> Iterator[tuple[int, Scalar]]:
    """Renyi divergences of one round for a removal, the larger ones (mtz2019, Theorem 5), at a few whole orders."""
    for order in (2, 4, 8, 16, 32, 64):
        divergence = renyi(ar, pair.rate, pair.sigma, order)
        assert not isinstance(divergence, str)
        yield order, divergence


def estimated_log_delta(q: Fraction, sigma: Fraction, k: int, eps: Fraction) -> float | None:
    """About log delta(eps) of k rounds for a removal, by floats; None where the law is out of their reach."""
    pair = SubsampledGaussian(q, sigma, "removal")
    try:
        return at_eps_of(pair, k, float(eps), None, _COARSE).at.log_delta
    except (OutOfReachError, OverflowError, ZeroDivisionError):
        return None


# --- statements --------------------------------------------------------------------------------------------------


@kept(512)
def _eps(engine: decide.EngineName, q: Fraction, sigma: Fraction, k: int, delta: Fraction) -> Enclosure:
    ar = decide.engine(engine, 128)
    with ar.active():
        return poisson_gaussian_eps(ar, q, sigma, k, delta)


@kept(512)
def _delta(engine: decide.EngineName, q: Fraction, sigma: Fraction, k: int, eps: Fraction) -> Enclosure:
    ar = decide.engine(engine, 128)
    with ar.active():
        found = poisson_gaussian_delta(ar, q, sigma, k, eps)
    lower, upper = to_decimal(found.lower, _DIGITS, "down"), to_decimal(found.upper, _DIGITS, "up")
    return Enclosure(Fraction(lower), Fraction(upper))


def _stated_width(inputs: Mapping[str, Any]) -> Fraction | None:
    """None where the answer is the Gaussian mechanism's or known exactly."""
    return None if inputs["q"] in (0, 1) or inputs["k"] == 0 else STATED_WIDTH


_HYPOTHESES = (Hypothesis.FIXED_PARAMETERS, Hypothesis.POISSON_SAMPLING)
_CITES = "Theorems 10 and 11"


@implements(
    "zdw2022/poisson_gaussian.delta", kind="exact", cites=_CITES, hypotheses=_HYPOTHESES, stated_width=_stated_width
)
def poisson_gaussian_delta_statement(ar: Arithmetic, q: Probability, sigma: Positive, k: int, eps: Fraction) -> Result:
    """The delta at epsilon of k rounds of a Poisson-subsampled Gaussian (DP-SGD) under add-or-remove-one.

    zdw2022/poisson_gaussian.delta: Zhu, Dong, Wang 2022, Theorems 10 and 11: N = N(0, sigma^2) and
    R = (1 - q) N(0, sigma^2) + q N(1, sigma^2) dominate one round, (R, N) for removal and (N, R) for addition; the
    larger of their k-fold products, each orientation composed separately. sigma is the noise multiplier, every record
    is drawn on its own with probability q in every round, parameters are fixed in advance; epsilon in nats.
    UndecidedError, with the width reached, where neither a contour nor the grid reaches the stated one.
    """
    if q == 0 or k == 0:
        return Fraction(0)
    if q == 1:
        return gaussian_composition_delta(ar, ((1 / sigma, k),), eps)
    found = _delta(decide.engine_name(ar), q, sigma, k, eps)
    return ar.hull(found.lower, found.upper) if found.upper else Fraction(0)


@implements(
    "zdw2022/poisson_gaussian.eps",
    kind="exact",
    cites=f"{_CITES}, solved for epsilon",
    hypotheses=_HYPOTHESES,
    stated_width=_stated_width,
)
def poisson_gaussian_eps_statement(
    ar: Arithmetic, q: Probability, sigma: Positive, k: int, delta: Probability
) -> Result:
    """The least epsilon >= 0 of k rounds of a Poisson-subsampled Gaussian (DP-SGD) at delta.

    zdw2022/poisson_gaussian.eps: zdw2022/poisson_gaussian.delta solved for epsilon, the larger of both orientations;
    ``inf`` at delta = 0. UndecidedError, with the width reached, where that is not the stated one.
    """
    if q == 0 or k == 0 or delta == 1:
        return Fraction(0)
    if delta == 0:
        return "inf"
    if q == 1:
        return gaussian_composition_eps(ar, ((1 / sigma, k),), delta)
    found = _eps(decide.engine_name(ar), q, sigma, k, delta)
    return ar.hull(found.lower, found.upper) if found.upper else Fraction(0)
