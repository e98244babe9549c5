"""Rounds of which a rare part is revealed: the profile as a mean over how many rounds have that part.

A contour is hard to place where a round's pair is one of two (``Labelled``), and the rare one loses far more: of a cut
batch, say, the whole Gaussian step. How many of the k rounds have a rare part is revealed too, and has one law on both
data sets, the binomial one of its chance r. So in each orientation

    delta(eps) = sum_j C(k, j) r^j (1 - r)^(k - j) delta_j(eps),

where delta_j is the profile of k - j rounds given the usual part (or nothing) and of j rounds given a rare one; of each
of these a contour is found at once. Above m rare rounds at most C(k, m + 1) r^(m + 1) is left, the expected number of
sets of m + 1 rare rounds; each delta_j is between 0 and 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import product

from privref.exact import decide
from privref.exact.arithmetic import EnclosingArithmetic
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, UndecidedError
from privref.exact.numbers import float_log
from privref.guarantees.gaussian import gaussian_delta

from . import contour_mixed, subsampled
from .contour_plan import OutOfReachError
from .model import Composition, Gaussian, Labelled, Pair, Round, SubsampledGaussian

#: What may be left of delta beyond the cases, and the most cases; a part is rare up to this chance.
_SPARE, _MOST_CASES, _RARE = Fraction(1, 10**6), 12, Fraction(1, 20)
#: The accuracy of delta for which lines are planned.
_TOLERANCE = 1e-7
#: The same where it is mostly far below what it is compared with.
_COARSE = 1e-3


@dataclass(frozen=True, slots=True)
class Cases:
    """Compositions with their chances, and the most that all others have together."""

    known: tuple[tuple[Enclosure, Composition], ...]
    rest: Fraction


def _given(pair: Labelled) -> tuple[Pair, Pair, Fraction]:
    """The pair of a round given its likeliest part or nothing, that given any other part, and the chance of these.

    Of no other part the chance is 0.
    """
    at = max(range(len(pair.parts)), key=lambda i: pair.parts[i][0])
    often, rest = pair.parts[at], tuple(part for i, part in enumerate(pair.parts) if i != at and part[0])
    chance = sum((each for each, _ in rest), Fraction(0))
    still = pair.still / (1 - chance)
    usual: Pair = Labelled(((1 - still, often[1]),), still) if still else often[1]
    rare: Pair = often[1]
    if rest:
        rare = Labelled(tuple((each / chance, part) for each, part in rest)) if len(rest) > 1 else rest[0][1]
    return usual, rare, chance


def cases_of(ar: EnclosingArithmetic, composition: Composition, spare: Fraction) -> Cases | None:
    """The likely numbers of rare rounds; None where there are no rare parts, or too many numbers."""
    plain: list[Round] = []
    kinds: list[list[tuple[Enclosure, list[Round]]]] = []
    rest = Fraction(0)
    for item in composition.rounds:
        if not isinstance(item.pair, Labelled) or len(item.pair.parts) < 2:
            plain.append(item)
            continue
        usual, rare, chance = _given(item.pair)
        if chance > _RARE:
            return None
        found, k = [], item.count
        for j in range(_MOST_CASES):
            left = math.comb(k, j) * chance**j
            if j and left <= spare / len(composition.rounds):
                rest += left
                break
            with ar.active():
                value = ar.exp((k - j) * ar.log1p(-chance)) * left
                share = decide.finite(ar, value, "the chance of rare rounds has no enclosure")
            rounds = [Round(_simple(pair), n) for pair, n in ((usual, k - j), (rare, j)) if n]
            found.append((share, rounds))
        else:
            if k >= _MOST_CASES:
                return None
        kinds.append(found)
    if not kinds or math.prod(map(len, kinds)) > _MOST_CASES:
        return None
    known = []
    for each in product(*kinds):
        low, high = (math.prod(getattr(share, end) for share, _ in each) for end in ("lower", "upper"))
        known.append((Enclosure(low, high), Composition.of([*plain, *(r for _, rounds in each for r in rounds)])))
    return Cases(tuple(known), rest)


def _simple(pair: Pair) -> Pair:
    """A sample of all records is a Gaussian step."""
    if isinstance(pair, SubsampledGaussian) and pair.rate == 1:
        return Gaussian(1 / pair.sigma**2)
    return pair


def _contour(
    ar: EnclosingArithmetic, case: Composition, eps: float, log_delta: float | None, tolerance: float
) -> tuple[subsampled.ProvedLine, Fraction]:
    """A contour for a case, whose delta may be known to be about e^log_delta, and the least part of it that it has.

    Of equal samples alone there are contours for few jumps; of rounds in which nothing is lost with a small chance they
    take those that all lose, which is above; below it is the case that all do.
    """
    try:
        return contour_mixed.contour(ar, case, eps, log_delta, tolerance), Fraction(1)
    except OutOfReachError:
        (item, *more) = case.rounds
        labelled = item.pair if isinstance(item.pair, Labelled) and len(item.pair.parts) == 1 else None
        pair, still = (item.pair, Fraction(0)) if labelled is None else (labelled.parts[0][1], labelled.still)
        if more or not isinstance(pair, SubsampledGaussian):
            raise
        return subsampled.contour_at(ar, pair, item.count, eps, log_delta, tolerance), max(
            1 - item.count * still, Fraction(0)
        )


class _Line:
    """A contour for each case, for epsilons near one; a case that is Gaussian is in closed form.

    An addition that cannot lose as much has none: it adds nothing to delta.
    """

    def __init__(
        self, ar: EnclosingArithmetic, cases: Cases, eps: float, log_delta: float | None, tolerance: float
    ) -> None:
        self.ar, self.cases, self.eps = ar, cases, Fraction(eps)

        def about(share: Enclosure) -> float | None:
            """What all of them together are to be exact to a part of; each to a part of its own where that is None."""
            return None if log_delta is None else min(log_delta - float_log(share.upper), 0.0)

        self.lines = [
            _contour(ar, each, eps, about(share), tolerance)
            if contour_mixed.speaks_of(each) and not contour_mixed.is_above_all_losses(ar, each, self.eps)
            else None
            for share, each in cases.known
        ]

    @cached_property
    def abscissa(self) -> Fraction:
        """That of the case which makes most of delta."""
        sizes = [
            (share.upper * self._of_case(i, self.eps).upper, line[0].abscissa)
            for i, ((share, _), line) in enumerate(zip(self.cases.known, self.lines, strict=True))
            if line is not None
        ]
        if not sizes:
            raise OutOfReachError
        return max(sizes)[1]

    def _of_case(self, i: int, eps: Fraction) -> Enclosure:
        case, known = self.cases.known[i][1], self.lines[i]
        if known is not None:
            line, least = known
            found = line.delta(eps)
            return Enclosure(least * found.lower, found.upper)
        if contour_mixed.speaks_of(case):
            if contour_mixed.is_above_all_losses(self.ar, case, eps):
                return Enclosure(Fraction(0), Fraction(0))
            raise OutOfReachError
        mu_squared = Fraction(0)
        for item in case.rounds:
            if not isinstance(item.pair, Gaussian):
                raise OutOfReachError  # Another mechanism stands next to them, of which no contour speaks.
            mu_squared += item.count * item.pair.mu_squared
        with self.ar.active():
            value = self.ar.real(gaussian_delta(self.ar, self.ar.sqrt(mu_squared), eps))
            return decide.finite(self.ar, value, "the delta of Gaussian rounds has no enclosure")

    def about(self, eps: Fraction) -> Enclosure:
        return self.delta(eps)

    def delta(self, eps: Fraction) -> Enclosure:
        found = [(share, self._of_case(i, eps)) for i, (share, _) in enumerate(self.cases.known)]
        lower = sum((share.lower * each.lower for share, each in found), Fraction(0))
        upper = sum((share.upper * each.upper for share, each in found), Fraction(0)) + self.cases.rest
        return Enclosure(lower, min(upper, Fraction(1)))


class _Search(subsampled.EpsilonSearch):
    """The search of ``subsampled``, with these lines."""

    def __init__(self, ar: EnclosingArithmetic, cases: Cases, delta: Fraction, about: Fraction | None) -> None:
        self.ar, self.cases, self.delta = ar, cases, delta
        self.goal = float_log(delta)
        self.about = None if about is None else float_log(about)

    def contour(self, eps: float, tolerance: float) -> _Line:
        return _Line(self.ar, self.cases, eps, self.about, tolerance)

    def finer(self, eps: float) -> float:
        return _TOLERANCE


def _all_cases(ar: EnclosingArithmetic, composition: Composition, spare: Fraction) -> list[Cases] | None:
    """Those of a record's removal and those of its addition; None where one has none."""
    found = [cases_of(ar, part, spare) for part in composition.orientations]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def _delta(ar: EnclosingArithmetic, cases: Cases, eps: Fraction, about: Fraction | None, tolerance: float) -> Enclosure:
    return _Line(ar, cases, float(eps), None if about is None else float_log(about), tolerance).delta(eps)


def _first_reached(find: Callable[[Fraction | None], Enclosure], about: Fraction) -> Enclosure:
    """Planned for each case's own delta; where that is out of reach, for a part of about the whole one."""
    try:
        return find(None)
    except OutOfReachError:
        return find(about)


def _eps(ar: EnclosingArithmetic, cases: Cases, delta: Fraction, start: float, about: Fraction | None) -> Enclosure:
    eps, line = _Search(ar, cases, delta, about).run(start)
    return subsampled.proved(line, eps, delta)


def eps_of(engine: decide.EngineName, composition: Composition, delta: Fraction, start: float) -> Enclosure | None:
    """The least epsilon at delta, searched for from a start; None where there are no few cases, or no contours."""
    ar = decide.engine(engine, 128)
    known: Enclosure | None = None
    with ar.active():
        try:
            for cases in _all_cases(ar, composition, delta * _SPARE) or ():
                # The second orientation has mostly less.
                if known is not None and _delta(ar, cases, known.lower, delta, _COARSE).upper <= delta:
                    continue
                found = _first_reached(partial(_eps, ar, cases, delta, start), delta)
                lower, upper = (found.lower, found.upper) if known is None else (known.lower, known.upper)
                known = Enclosure(max(lower, found.lower), max(upper, found.upper))
        except (OutOfReachError, OverflowError, UndecidedError):
            return None
    return known


def delta_of(engine: decide.EngineName, composition: Composition, eps: Fraction, about: Fraction) -> Enclosure | None:
    """delta at epsilon, which is at least about ``about``; None where there are no few cases, or no contours."""
    ar = decide.engine(engine, 128)
    with ar.active():
        try:
            cases = _all_cases(ar, composition, about * _SPARE)
            found = [
                _first_reached(partial(_delta, ar, each, eps, tolerance=_TOLERANCE), about) for each in cases or ()
            ]
        except (OutOfReachError, OverflowError, UndecidedError):
            return None
    return Enclosure(max(d.lower for d in found), max(d.upper for d in found)) if found else None


def _near(ar: EnclosingArithmetic, cases: Cases, delta: Fraction, at: Fraction, about: Fraction | None) -> Enclosure:
    """The epsilon of one orientation at delta, by a coarse contour at an epsilon: around it, or seen to be below."""
    line = _Line(ar, cases, float(at), None if about is None else float_log(about), _COARSE)
    if line.delta(at).upper <= delta:
        return Enclosure(Fraction(0), at)
    return subsampled.proved(line, float(at), delta)


def checked(engine: decide.EngineName, composition: Composition, delta: Fraction, first: Enclosure) -> Enclosure | None:
    """What an arithmetic leaves of another one's epsilon at delta, by a contour for each case.

    The contours have fewer digits, and are placed where the answer is: nothing is searched for. None where one is out
    of reach, or does not reach so far as to prove an epsilon there.
    """
    ar, known = decide.engine(engine, 128), Enclosure(Fraction(0), Fraction(0))
    if not first.lower:
        return None
    with ar.active():
        try:
            for cases in _all_cases(ar, composition, delta * _SPARE) or ():
                found = _first_reached(partial(_near, ar, cases, delta, first.lower), delta)
                known = Enclosure(max(known.lower, found.lower), max(known.upper, found.upper))
        except (OutOfReachError, OverflowError, UndecidedError):
            return None
    if not known.upper:
        return None
    common = first.intersection(known)
    # At its lower end the first one has certainly more than delta.
    if common is None or known.upper <= first.lower:
        raise EnginesDisagree("both arithmetics disagree about rounds of which a rare part is revealed")
    return common
