"""Composition of dominating pairs (Zhu, Dong, Wang 2022, Theorem 10): the profile of mechanisms that are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, TypeVar

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, MorePrecisionError, UndecidedError, UnwritableError
from privref.exact.numbers import float_log
from privref.exact.rounding import to_decimal
from privref.exact.work import WorkLimitError, apart, counted, kept, left, most_of_it, spend
from privref.guarantees.gaussian import gaussian_delta, gaussian_eps
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Probability
from privref.statements.registry import Result, implements, solve, statement

from . import allocation, contour_few, contour_mixed, grid, inversion, jumps, simple
from .contour_plan import OutOfReachError, PlannedLaw, at_delta, by_floats
from .declared import Mechanism, mechanisms
from .model import (
    Allocation,
    Composition,
    Drawn,
    Exchanged,
    Gaussian,
    Instead,
    Labelled,
    Pair,
    Round,
    Subsampled,
    SubsampledGaussian,
    exchanges,
    parts_of,
)
from .rare import Core, core_of

#: Relative width of epsilon, and of delta, which moves about ten times as much.
STATED_WIDTH = Fraction(1, 2 * 10**6)
STATED_DELTA_WIDTH = Fraction(1, 10**5)
#: The same where only the grid speaks of Gaussian rounds on samples; and how far the second arithmetic checks them.
GRID_WIDTH, GRID_DELTA_WIDTH, _CHECKED_WIDTH = Fraction(1, 10**4), Fraction(1, 10**3), Fraction(1, 20)
#: The same of balls in bins with others.
BINS_WIDTH, BINS_DELTA_WIDTH = Fraction(1, 1000), Fraction(1, 100)
_NEARLY = Fraction(9, 10)
#: The width of epsilon on a grid that is asked for where the first one took so little work.
_FINE_WIDTH, _LITTLE_WORK = Fraction(1, 400_000), 100_000
#: What rounds that hold one record or another one in its place may spend, of other noise, before simpler ones stand in.
_INSTEAD_WORK = 6_000_000
#: The relative width of epsilon at which it is first looked whether the other orientation has less.
_GLANCE_WIDTH = Fraction(1, 5)
#: For the first look at a delta what is rare next to this one is left out.
_LIKELY_DELTA = Fraction(1, 10**8)
#: About the most jumps of records in other ones' places for which the grid of few jumps is asked, and how much finer;
#: and how wide where it answers for what no other grid does in the time: what is kept of it may be wider still.
_FEW_JUMPS, _FINER, _COARSER = 20, 6, Fraction(3, 2)
#: About the most jumps for which the grid of few jumps is asked before all else.
_RARE_JUMPS = Fraction(1, 5)
#: A contour of the second arithmetic that is as narrow has checked the first one's.
_SECOND_WIDTH = Fraction(1, 1000)
_HYPOTHESES = (Hypothesis.FIXED_PARAMETERS, Hypothesis.KNOWN_LAWS)
_CITES = "Theorem 10 (Dong, Roth, Su 2019, Theorem 4)"
_Found = TypeVar("_Found")

Counted = Sequence[tuple[Mechanism, int]]


def dominating(rounds: Counted) -> Composition:
    """The product of all dominating pairs."""
    return Composition.of([Round(r.pair, r.count * n) for mechanism, n in rounds for r in mechanism.upper or ()])


def lost(rounds: Counted) -> Composition:
    """The same with parameters that are not rationals rounded down: it loses no more.

    A pair that no neighbours have stands for itself: its profile is an upper bound, and no lower one.
    """
    return Composition.of(
        [
            Round(r.pair, r.count * n)
            for mechanism, n in rounds
            for r in ((mechanism.upper or ()) if mechanism.only_dominates else mechanism.lower)
        ]
    )


#: What the inversion may spend beside the grid, and the contour of sampled rounds alone, in units of work.
_SIDE_WORK, _SAMPLED_WORK = 2_000_000, 5_000_000
#: The same where it is revealed which pair a round has: each has a law of its own; and what the second arithmetic's
#: grid of such rounds may spend.
_LABELLED_WORK, _CHECK_WORK = 20_000_000, 5_000_000


def _beside(find: Callable[[], Enclosure | None], most: int) -> Enclosure | None:
    """What the inversion finds within a budget of its own; None where it is out of reach."""
    with apart(most) as spent:
        try:
            found = find()
        except UndecidedError:
            found = None
        used = min(spent(), most)
    spend(used // 4)
    return found


def _by_both(
    engine: decide.EngineName,
    part: Composition,
    by_grid: Callable[[Fraction], Enclosure | None],
    by_inversion: Callable[[], Enclosure],
    width: Fraction,
    stated: Fraction,
    refusal: Callable[[], str],
    bracket: Callable[[], str],
    enough: Callable[[Enclosure], bool] = lambda known: False,
) -> Enclosure | None:
    """Both engines where both are within reach: what they have in common.

    With the second arithmetic a grid of Gaussians alongside others takes long, and with either one of Gaussians on
    samples: there the inversion alone answers, and where it is ``enough``. Of rounds whose pair is revealed, and which
    it does not reach, the second arithmetic has a coarse grid.
    """
    sampled = contour_mixed.speaks_of(part)
    labelled = _tells(part)
    most = _SAMPLED_WORK if sampled else _SIDE_WORK
    if sampled and labelled:
        most = _LABELLED_WORK if engine == "arb" else _CHECK_WORK
    other = _beside(by_inversion, most) if engine == "arb" or sampled or _is_smooth(part) else None
    if other is not None and enough(other):
        return other
    # Of rounds on samples a grid takes too long for more digits than are stated of one, or than a check has to have.
    least = max(width, stated / 2 if engine == "arb" else _SECOND_WIDTH) if sampled and not labelled else width
    if (engine != "arb" or sampled) and other is not None and other.relative_width_at_most(least):
        return other
    # Both orientations together are as wide as the wider one.
    narrow = 2 * width * _NEARLY if engine == "arb" else _CHECKED_WIDTH
    if labelled and other is not None and other.relative_width_at_most(narrow):
        return other
    if sampled and other is None and not labelled:
        # A grid takes too long for more digits than these.
        coarse = None if width < GRID_WIDTH / 2 else _beside(lambda: by_grid(width), _SAMPLED_WORK)
        if coarse is None:
            raise UndecidedError(refusal())
        return coarse
    try:
        coarser = engine != "arb" and (sampled or _has(part, Subsampled, Instead))
        found = _second_check(by_grid, width) if coarser else by_grid(width)
    except UndecidedError as error:
        if other is None:
            raise _bracketed(error, bracket()) from None
        if labelled and engine != "arb" and not other.relative_width_at_most(5 * _CHECKED_WIDTH):
            raise  # no second opinion on rounds with a cap is wider
        return other
    if found is None or other is None:
        return found
    common = found.intersection(other)
    if common is None:
        raise EnginesDisagree("the grid and the inversion disagree about the profile of a composition")
    return common


def _second_check(by_grid: Callable[[Fraction], Enclosure | None], width: Fraction) -> Enclosure | None:
    """What the second arithmetic finds on a grid within a part of the work: where it is too fine, on coarser ones.

    It bounds the value for itself; ``_in_common`` takes the first one's digits.
    """
    for each in (width, _CHECKED_WIDTH, 5 * _CHECKED_WIDTH):
        refused: UndecidedError | None = None
        with apart(_CHECK_WORK) as spent:
            try:
                found = by_grid(each)
            except UndecidedError as error:
                refused = error
            used = spent()
        spend(used)
        if refused is None and (found is None or found.relative_width_at_most(max(each, 5 * _CHECKED_WIDTH))):
            return found
    # Of a wider enclosure the first engine's number would be as good as unchecked.
    raise refused or UndecidedError("the second engine does not reach these rounds with its share of the work")


def _refusal(what: str, highest: Fraction | None) -> str:
    """Why sampled rounds are refused, with the upper bound that is proved."""
    known = "" if highest is None else f"{what} is within [0, {to_decimal(highest, 6, 'up')}]: "
    return f"{known}no contour reaches these sampled Gaussian rounds, and a loss grid takes too much work"


def _bracketed(error: UndecidedError, known: str) -> UndecidedError:
    """The refusal with what is known nevertheless."""
    said = f"{known}: {error}"
    return WorkLimitError(said) if isinstance(error, WorkLimitError) else UndecidedError(said)


def _within(what: str, least: Fraction, most: Fraction | None) -> str:
    lower = to_decimal(least, 6, "down")
    return f"{what} is at least {lower}" if most is None else f"{what} is within [{lower}, {to_decimal(most, 6, 'up')}]"


def _single(composition: Composition) -> Pair | None:
    """The one round that a composition is."""
    (item, *more) = composition.rounds
    return item.pair if not more and item.count == 1 else None


def _jumping(part: Composition) -> jumps.JumpingRounds | None:
    """The kinds of rounds and their numbers, where all are on samples; else None."""
    found: list[tuple[jumps.Jumping, int]] = []
    for item in part.rounds:
        pair = item.pair
        if not isinstance(pair, SubsampledGaussian | Labelled | Exchanged):
            return None
        if isinstance(pair, SubsampledGaussian) and pair.rate == 1:
            return None
        found.append((pair, item.count))
    return tuple(found)


def _of_one_record(pair: jumps.Jumping) -> tuple[tuple[Fraction, SubsampledGaussian], ...]:
    """The pairs that a round may have, for a start: of one record in another's place that of twice its norm."""
    return tuple(
        (chance, SubsampledGaussian(each.rate, each.sigma / each.farthest) if isinstance(each, Exchanged) else each)
        for chance, each in parts_of(pair)
    )


def _tells(part: Composition) -> bool:
    """Whether it is revealed which pair some round has."""
    return any(isinstance(item.pair, Labelled) for item in part.rounds)


def _at_jumps(engine: decide.EngineName, find: Callable[[EnclosingArithmetic], Enclosure]) -> Enclosure | None:
    """What a grid with one cell above the rest finds; None where that is out of reach."""
    ar = decide.engine(engine, 128)
    with ar.active():
        try:
            return find(ar)
        except (OutOfReachError, OverflowError, UnwritableError):
            return None


def _eps_by_jumps(
    part: Composition, delta: Fraction, engine: decide.EngineName, width: Fraction, missing: Fraction = Fraction(0)
) -> Enclosure | None:
    """epsilon at all of delta - missing to delta."""
    rounds = _jumping(part)
    if rounds is None:
        return None
    starts: list[float | None] = []
    for pair, k in rounds:
        for chance, each in _of_one_record(pair):
            with suppress(OutOfReachError):
                starts.append(contour_few.epsilon_of_one(each, k, float_log(delta / chance)))
            with suppress(OutOfReachError, OverflowError, UndecidedError):
                starts.append(at_delta(PlannedLaw(each), k, float_log(delta / chance)).eps)
    near = max((start for start in starts if start is not None and start > 0), default=1.0)

    def find(ar: EnclosingArithmetic) -> Enclosure:
        eps_of = partial(jumps.eps_of, ar, rounds, delta, width=width, missing=missing)
        found = eps_of(near)
        if not found.upper or found.relative_width_at_most(width):
            return found
        return jumps.met(found, eps_of(float(found.upper), all_points=True))

    return _at_jumps(engine, find)


def _delta_by_jumps(part: Composition, eps: Fraction, engine: decide.EngineName, width: Fraction) -> Enclosure | None:
    rounds = _jumping(part)
    if rounds is None or not eps:
        return None
    sizes = []
    for pair, k in rounds:
        for chance, each in _of_one_record(pair):
            with suppress(OutOfReachError), by_floats():
                sizes.append(contour_few.single(each, k, float(eps)) + math.log(chance))
    log_delta = min(max(sizes, default=0.0), 0.0)
    return _at_jumps(engine, lambda ar: jumps.delta_of(ar, rounds, eps, log_delta, width))


def _inverted(
    part: Composition,
    at: Fraction,
    engine: decide.EngineName,
    width: Fraction,
    by_contours: Callable[..., Enclosure],
    by_jumps: Callable[..., Enclosure | None],
    otherwise: Callable[..., Enclosure],
) -> Enclosure:
    """By contours where rounds are on samples, or by jumps where none reaches them; all else ``otherwise``.

    Jumps whose pair is not revealed are not as narrow as contours: only where a loss grid's width is enough.
    """
    if not contour_mixed.speaks_of(part):
        return otherwise(part, at, engine=engine)
    try:
        return by_contours(part, at, engine)
    except WorkLimitError:
        raise
    except UndecidedError:
        if not _tells(part) and width < GRID_WIDTH / 4:
            raise
        found = by_jumps(part, at, engine, width if engine == "arb" else _CHECKED_WIDTH)
        if found is None or not (_tells(part) or found.relative_width_at_most(_CHECKED_WIDTH)):
            raise
        return found


def _gridded(
    part: Composition,
    at: Fraction,
    engine: decide.EngineName,
    width: Fraction,
    by_grid: Callable[..., _Found],
    by_jumps: Callable[..., Enclosure | None],
    whole: Composition | None = None,
) -> _Found | Enclosure:
    """By a tilted grid; of records in other ones' places that hardly ever jump, by jumps, which take less.

    Of jumps so rare that a tilted law is mostly what none of them has, no tilted grid can be written down. Of the core
    of a ``whole`` composition jumps are asked first, however often there are any.
    """
    rounds = _jumping(part) if _exchanges(part) else None
    if rounds is None:
        return by_grid(part, at, width, engine)
    parts = [(k * chance, each) for pair, k in rounds for chance, each in parts_of(pair)]
    few = sum(k * each.rate * each.most_records for k, each in parts if isinstance(each, Exchanged)) <= _FEW_JUMPS
    if few or whole is not None:
        finer = width
        if not few or (whole is not None and _jumping(whole) is None):
            finer = width * _COARSER
        elif engine == "arb":
            finer = width / _FINER
        for most in (_LABELLED_WORK,) if _tells(part) else (_SAMPLED_WORK, _LABELLED_WORK):
            found = _beside(lambda: by_jumps(part, at, engine, finer), most)
            # Both orientations together are as wide as the wider one.
            if found is not None and (not found.upper or found.relative_width_at_most(2 * width * _NEARLY)):
                return found
            # If no tilted grid can be written down, jumps may take more work.
            with suppress(UnwritableError):
                return by_grid(part, at, width, engine)
    return by_grid(part, at, width, engine)


def _eps_on_grid(part: Composition, delta: Fraction, engine: decide.EngineName, width: Fraction) -> Enclosure | None:
    """epsilon at delta of one orientation: of its core, where records are in other ones' places."""
    core = core_of(part, delta, width) if _exchanges(part) else Core(part, Fraction(0))
    if not core.missing:
        return _gridded(part, delta, engine, width, grid.eps_of, _eps_by_jumps)
    by_grid, by_jumps = (partial(find, missing=core.missing) for find in (grid.eps_of, _eps_by_jumps))
    return _gridded(core.part, delta, engine, width, by_grid, by_jumps, part)


def _delta_on_grid(part: Composition, eps: Fraction, engine: decide.EngineName, width: Fraction) -> Enclosure:
    """The same of delta at epsilon."""
    core = _core_at(part, eps, engine, width) if _exchanges(part) and eps else Core(part, Fraction(0))
    if not core.missing:
        return _gridded(part, eps, engine, width, grid.delta_of, _delta_by_jumps)
    found = _gridded(core.part, eps, engine, width, grid.delta_of, _delta_by_jumps, part)
    return Enclosure(found.lower, min(found.upper + core.missing, Fraction(1)))


def _core_at(part: Composition, eps: Fraction, engine: decide.EngineName, width: Fraction) -> Core:
    """The core for delta at epsilon, of which a coarse grid has a lower bound."""
    core = core_of(part, _LIKELY_DELTA, _GLANCE_WIDTH)
    if not core.missing:
        return core
    found = _beside(lambda: _delta_by_jumps(core.part, eps, engine, _GLANCE_WIDTH), _SAMPLED_WORK)
    return core_of(part, Fraction(0) if found is None else found.lower, width)


#: Of delta at an epsilon, and of epsilon at a delta: the three ways.
_TO_DELTA = contour_mixed.delta_of, _delta_by_jumps, inversion.delta_of
_TO_EPS = contour_mixed.eps_of, _eps_by_jumps, partial(inversion.eps_of, width=STATED_WIDTH / 8)


def _is_smooth(part: Composition) -> bool:
    return any(isinstance(item.pair, Gaussian) for item in part.rounds)


@kept(256)
def _delta(
    engine: decide.EngineName, composition: Composition, eps: Fraction, width: Fraction = STATED_DELTA_WIDTH
) -> Enclosure:
    pair = _single(composition)
    alone = None if pair is None else simple.one_round_delta(decide.engine(engine, 192), pair, eps)
    if alone is not None:
        return alone
    found = [
        _by_both(
            engine,
            part,
            lambda width, part=part: _delta_on_grid(part, eps, engine, width),  # type: ignore[misc]
            lambda part=part: _inverted(part, eps, engine, width / 2, *_TO_DELTA),  # type: ignore[misc]
            width / 2,
            GRID_DELTA_WIDTH,
            lambda: _refusal("delta", contour_mixed.highest(composition, eps=eps)),
            lambda: _within("delta", *simple.delta_bracket(composition, eps)),
        )
        for part in composition.orientations
    ]
    known = [part for part in found if part is not None]
    return Enclosure(max(part.lower for part in known), max(part.upper for part in known))


@kept(256)
def _eps(
    engine: decide.EngineName,
    composition: Composition,
    delta: Fraction,
    width: Fraction = STATED_WIDTH,
    enough: Callable[[Enclosure], bool] = lambda known: False,
    stated: Fraction = GRID_WIDTH,
) -> Enclosure | None:
    pair = _single(composition)
    alone = None if pair is None else simple.one_round_eps(decide.engine(engine, 192), pair, delta)
    if alone is not None:
        return alone
    known: list[Enclosure] = []
    for part in composition.orientations:
        # At epsilon = 0 both orientations have the same delta, what the laws differ by.
        if known and (not known[0].upper or _is_within(part, known[0].lower, delta, engine)):
            continue
        found = _by_both(
            engine,
            part,
            lambda width, part=part: _eps_on_grid(part, delta, engine, width),  # type: ignore[misc]
            lambda part=part: _inverted(part, delta, engine, width / 2, *_TO_EPS),  # type: ignore[misc]
            width / 2,
            stated,
            lambda: _refusal("epsilon", contour_mixed.highest(composition, delta=delta)),
            lambda: _within("epsilon", *simple.eps_bracket(composition, delta)),
            enough,
        )
        if found is None:
            return None
        known.append(found)
    return Enclosure(max(part.lower for part in known), max(part.upper for part in known))


def profile_delta(engine: decide.EngineName, composition: Composition, eps: Fraction, width: Fraction) -> Enclosure:
    """delta at epsilon of a composition to about a relative width, the larger of both orientations."""
    if not composition.rounds:
        return Enclosure(Fraction(0), Fraction(0))
    found = _in_common(engine, lambda engine: _delta(engine, composition, eps, width), width)
    assert found is not None
    return found


def profile_eps(
    engine: decide.EngineName, composition: Composition, delta: Fraction, width: Fraction
) -> Enclosure | None:
    """The least epsilon >= 0 at delta in (0, 1), to about a relative width; None where there is none."""
    if not composition.rounds:
        return Enclosure(Fraction(0), Fraction(0))
    return _in_common(engine, lambda engine: _eps(engine, composition, delta, width), width)


@kept(256)
def of_few_jumps(
    engine: decide.EngineName,
    composition: Composition,
    width: Fraction,
    *,
    delta: Fraction | None = None,
    eps: Fraction | None = None,
) -> Enclosure | None:
    """epsilon at delta, or delta at epsilon, of rounds on samples that hardly ever jump, by jumps alone.

    None where jumps are not rare, or their grid is not as narrow as that. The second arithmetic's is coarse.
    """
    rounds = _jumping(composition) or ()
    rare = sum(k * chance * pair.rate for each, k in rounds for chance, pair in _of_one_record(each))
    if not 0 < rare <= _RARE_JUMPS:
        return None
    known: list[Enclosure] = []
    planned, most = (width / 2, width) if engine == "arb" else (_CHECKED_WIDTH, _CHECKED_WIDTH)
    for part in composition.orientations:
        if delta is None:
            assert eps is not None
            found = _beside(partial(_delta_by_jumps, part, eps, engine, planned), _LABELLED_WORK)
        elif known and _is_below(part, known[0].lower, delta, engine):
            continue
        else:
            found = _beside(partial(_eps_by_jumps, part, delta, engine, planned), _LABELLED_WORK)
        if found is None or not found.relative_width_at_most(most):
            return None
        known.append(found)
    both = Enclosure(max(part.lower for part in known), max(part.upper for part in known))
    if engine == "arb":
        return both
    first = of_few_jumps("arb", composition, width, delta=delta, eps=eps)
    return None if first is None else jumps.met(first, both)


def _in_common(
    engine: decide.EngineName, find: Callable[[decide.EngineName], Enclosure | None], width: Fraction
) -> Enclosure | None:
    """What an arithmetic finds; where that is wide, no more of it than the first one leaves."""
    found = find(engine)
    if engine == "arb" or found is None or found.relative_width_at_most(width):
        return found
    known = find("arb")
    common = None if known is None else known.intersection(found)
    if common is None:
        raise EnginesDisagree("both arithmetics disagree about the profile of a composition")
    return common


def eps_until(rounds: Counted, delta: Fraction, enough: Callable[[Enclosure], bool]) -> Enclosure | None:
    """zdw2022/thm10.eps for 0 < delta < 1, without the grid where what the inversion finds is ``enough``."""
    upper = dominating(rounds)
    has_own_way = _gaussian(rounds) is not None or _has(upper, Allocation) or _coarse(upper) is not None
    if has_own_way or not upper.rounds or upper != lost(rounds):
        inputs = {"rounds": rounds, "delta": delta}
        return solve(statement("zdw2022/thm10.eps"), inputs, digits=15, engine="arb").enclosure
    found = _eps("arb", upper, delta, STATED_WIDTH, enough)
    if found is None or enough(found) or found.relative_width_at_most(STATED_WIDTH):
        return found
    raise UndecidedError(f"only {found.decimals(6)} is known of epsilon")


def _is_within(part: Composition, eps: Fraction, delta: Fraction, engine: decide.EngineName) -> bool:
    """Whether sampled rounds are seen to have no more than delta at epsilon, so that their own need not be found."""
    largest = grid.largest_loss(grid.finite(part))
    if largest is not None and largest.upper <= eps:
        # Above it there are only losses that are infinite, of which every orientation has as many.
        return True
    if _exchanges(part):
        core = core_of(part, delta, _GLANCE_WIDTH)
        if core.missing and (found := _glance(core.part, eps, delta - core.missing, engine)) is not None:
            return found.upper <= delta - core.missing
        # Mostly far below: a coarse grid, which takes little, says so.
        known = _beside(lambda: _eps_on_grid(part, delta, engine, _GLANCE_WIDTH), _SAMPLED_WORK)
        return known is not None and known.upper <= eps
    if not contour_mixed.speaks_of(part):
        return False
    for about in (delta, None):
        found = _beside(partial(contour_mixed.delta_of, part, eps, engine, about), _SAMPLED_WORK)
        if found is not None and (found.upper <= delta or found.lower > delta):
            return found.upper <= delta
    return _is_below(part, eps, delta, engine)


def _is_below(part: Composition, eps: Fraction, delta: Fraction, engine: decide.EngineName) -> bool:
    """Whether it is seen by jumps alone that rounds have no more than delta at epsilon."""
    found = _glance(part, eps, delta, engine)
    return found is not None and found.upper <= delta


def _glance(part: Composition, eps: Fraction, delta: Fraction, engine: decide.EngineName) -> Enclosure | None:
    """delta at epsilon by jumps, so far as it takes to see whether it is more than that; None where they do not say."""
    rounds = _jumping(part)
    if rounds is None or not eps:
        return None
    return _beside(lambda: _at_jumps(engine, lambda ar: jumps.glance(ar, rounds, eps, delta)), _SAMPLED_WORK)


def _has(composition: Composition, *kinds: type) -> bool:
    return any(isinstance(item.pair, kinds) for item in composition.rounds)


def _exchanges(composition: Composition) -> bool:
    return any(exchanges(item.pair) for item in composition.rounds)


def _checked(
    engine: decide.EngineName,
    find: Callable[[decide.EngineName, Fraction], Enclosure | None],
    width: Fraction,
    check: Fraction,
    finer: Fraction | None = None,
) -> Enclosure | None:
    """The first arithmetic's answer to this width, which the second one, far slower, checks on a coarser grid.

    To a ``finer`` width where the first answer took little work, and enough is left for the check.
    """
    with counted() as cost:
        known = find("arb", width)
    if finer is not None and cost() <= _LITTLE_WORK and left() > 4 * _SIDE_WORK:
        more = _beside(lambda: find("arb", finer), _SIDE_WORK)
        known = known if known is None or more is None else jumps.met(known, more)
    other = known if engine == "arb" else find(engine, check)
    common = None if known is None or other is None else known.intersection(other)
    if common is None and (known, other) != (None, None):
        raise EnginesDisagree("both arithmetics disagree about the profile of a composition")
    return common


def _coarse(composition: Composition) -> tuple[Fraction, Fraction, Fraction] | None:
    """The widths of epsilon and delta where only a loss grid answers, whose laws take long, and that of the check."""
    if _has(composition, Allocation) and _single(composition) is None:
        return BINS_WIDTH, BINS_DELTA_WIDTH, 5 * _CHECKED_WIDTH
    beyond_contours = _has(composition, SubsampledGaussian) and not contour_mixed.speaks_of(composition)
    if beyond_contours or _exchanges(composition) or _has(composition, Instead):
        return _BY_GRID
    return None


_BY_GRID = GRID_WIDTH, GRID_DELTA_WIDTH, _CHECKED_WIDTH


def _or_by_grid(
    composition: Composition,
    narrow: Callable[[], _Found],
    wide: Callable[[tuple[Fraction, Fraction, Fraction]], _Found],
) -> _Found:
    """What contours find, and where they reach no rounds on samples, what a loss grid does."""
    coarse = _coarse(composition)
    if coarse is None:
        try:
            with most_of_it():
                return narrow()
        except WorkLimitError:
            if not _has(composition, Subsampled, Instead):
                raise
        except UndecidedError:
            if not contour_mixed.speaks_of(composition):
                raise
    return wide(coarse or _BY_GRID)


def _within_share(find: Callable[[], _Found]) -> _Found | str:
    """What is found with the part of the work that such rounds may take; "" where that is out of reach."""
    found: _Found | str = ""
    with apart(_INSTEAD_WORK) as spent, suppress(UndecidedError, MorePrecisionError):
        found = find()
    spend(min(spent(), _INSTEAD_WORK))
    return found


@kept(256)
def _first(composition: Composition, *, delta: Fraction | None = None, eps: Fraction | None = None) -> Any:
    """What the first arithmetic finds, once for both: epsilon at delta, or delta at epsilon."""
    if delta is not None:
        return _within_share(lambda: _eps("arb", composition, delta, GRID_WIDTH))
    assert eps is not None
    return _within_share(lambda: _delta("arb", composition, eps, GRID_DELTA_WIDTH))


def _instead(engine: decide.EngineName, composition: Composition, **at: Fraction) -> Any:
    """What both arithmetics find of rounds that hold one record or another one in its place; "" out of reach."""
    first = _first(composition, **at)
    if engine == "arb" or first == "" or first is None:
        return first
    find = _eps if "delta" in at else _delta
    (value,) = at.values()
    second = _within_share(lambda: find(engine, composition, value, _CHECKED_WIDTH))
    if second is None or isinstance(second, str):
        return ""
    common = first.intersection(second)
    if common is None:
        raise EnginesDisagree("both arithmetics disagree about the profile of a composition")
    return common


def revealed(composition: Composition) -> Composition:
    """The same where it is revealed who is drawn: q times the base's delta at epsilon, and not at a larger one."""
    return Composition.of(
        [
            Round(Drawn(item.pair.base, item.pair.rate) if isinstance(item.pair, Instead) else item.pair, item.count)
            for item in composition.rounds
        ]
    )


def _of_delta(engine: decide.EngineName, composition: Composition, eps: Fraction) -> Enclosure:
    if _has(composition, Instead):
        largest = grid.largest_of_all(composition)
        if largest is not None and largest.upper <= eps and not grid.finite(composition).deltas:
            return Enclosure(Fraction(0), Fraction(0))
        known = _instead(engine, composition, eps=eps)
        if isinstance(known, Enclosure):
            return known
        composition = revealed(composition)
    found = _or_by_grid(
        composition,
        lambda: profile_delta(engine, composition, eps, STATED_DELTA_WIDTH),
        lambda coarse: _checked(engine, lambda engine, width: _delta(engine, composition, eps, width), *coarse[1:]),
    )
    assert found is not None
    return found


def _of_eps(engine: decide.EngineName, composition: Composition, delta: Fraction) -> Enclosure | None:
    largest: Enclosure | None = None
    if _has(composition, Instead):
        near = simple.near_the_largest(decide.engine(engine, 192), composition, delta, GRID_WIDTH / 2)
        known = _instead(engine, composition, delta=delta) if near is None else near
        if known is None or isinstance(known, Enclosure):
            return known
        largest = None if grid.finite(composition).deltas else grid.largest_of_all(composition)
        composition = revealed(composition)
    # Of records in other ones' places a narrow grid takes too long, and of balls in bins any.
    takes_long = _exchanges(composition) or _has(composition, Allocation)
    finer = None if takes_long else _FINE_WIDTH
    found = _or_by_grid(
        composition,
        lambda: profile_eps(engine, composition, delta, STATED_WIDTH),
        lambda coarse: _checked(
            engine, lambda engine, width: _eps(engine, composition, delta, width), *coarse[::2], finer
        ),
    )
    return found if largest is None or (found is not None and found.upper <= largest.upper) else largest


def whole_delta(engine: decide.EngineName, composition: Composition, eps: Fraction, width: Fraction) -> Enclosure:
    """delta at epsilon to about a relative width, or to that of a loss grid where only one answers."""
    if _coarse(composition) is None:
        return profile_delta(engine, composition, eps, width)
    return _of_delta(engine, composition, eps)


def whole_eps(
    engine: decide.EngineName, composition: Composition, delta: Fraction, width: Fraction
) -> Enclosure | None:
    """The least epsilon >= 0 at delta to about a relative width, or to that of a loss grid where only one answers."""
    if _coarse(composition) is None:
        return profile_eps(engine, composition, delta, width)
    return _of_eps(engine, composition, delta)


def narrower_eps(rounds: Counted, delta: Fraction, width: Fraction) -> Enclosure | None:
    """Return the epsilon of ``composed_eps`` to about this relative width, whatever that takes.

    UndecidedError beyond the work of one question. Parameters that are not rational may leave it wider.
    """

    def found(composition: Composition) -> Enclosure | None:
        def find(engine: decide.EngineName, width: Fraction) -> Enclosure | None:
            return _eps(engine, composition, delta, width, stated=width)

        return _checked("mpmath", find, width, _CHECKED_WIDTH)

    upper, lower = dominating(rounds), lost(rounds)
    above = found(upper)
    below = above if lower == upper else found(lower)
    return None if below is None or above is None else Enclosure(below.lower, above.upper)


def _stated(width: Fraction, in_bins: Fraction, *, eps: bool) -> Any:
    def stated(inputs: Mapping[str, Any]) -> Fraction | None:
        composition = dominating(inputs["rounds"])
        if (coarse := _coarse(composition)) is not None:
            return coarse[0 if eps else 1]
        if _has(composition, Allocation):
            return in_bins
        if contour_mixed.speaks_of(composition) or _has(composition, Subsampled, Instead):
            return _BY_GRID[0 if eps else 1]
        return None if _gaussian(inputs["rounds"]) is not None else width

    return stated


def _gaussian(rounds: Counted) -> Fraction | None:
    """mu^2 where all rounds are Gaussian: then the profile is in closed form."""
    if any(not isinstance(r.pair, Gaussian) for mechanism, _ in rounds for r in mechanism.upper or ()):
        return None
    found = dominating(rounds).rounds
    return found[0].pair.mu_squared if found and isinstance(found[0].pair, Gaussian) else None


@implements(
    "zdw2022/thm10.delta",
    kind="exact",
    cites=_CITES,
    hypotheses=_HYPOTHESES,
    stated_width=_stated(STATED_DELTA_WIDTH, allocation.STATED_DELTA_WIDTH, eps=False),
)
def composed_delta(
    ar: Arithmetic, rounds: Annotated[tuple[tuple[Mechanism, int], ...], mechanisms()], eps: Fraction
) -> Result:
    """The delta at epsilon of mechanisms whose laws are known, composed: the profile of the product of their pairs.

    zdw2022/thm10.delta: Zhu, Dong, Wang 2022, Theorem 10: a product of dominating pairs dominates the composition,
    delta = sup_S P(S) - e^eps Q(S), the larger of both orientations. Parameters fixed in advance; queries may be chosen
    from earlier answers. It is attained where one pair of neighbours attains every declared shift. epsilon in nats.
    """
    upper, lower = dominating(rounds), lost(rounds)
    if not upper.rounds:
        return Fraction(0)
    mu_squared = _gaussian(rounds)
    if mu_squared is not None:
        return gaussian_delta(ar, ar.sqrt(mu_squared), eps)
    found = _of_delta(decide.engine_name(ar), upper, eps)
    below = found if lower == upper else _of_delta(decide.engine_name(ar), lower, eps)
    return ar.hull(below.lower, found.upper)


@implements(
    "zdw2022/thm10.eps",
    kind="exact",
    cites=f"{_CITES}, solved for epsilon",
    hypotheses=_HYPOTHESES,
    stated_width=_stated(STATED_WIDTH, allocation.STATED_WIDTH, eps=True),
)
def composed_eps(
    ar: Arithmetic, rounds: Annotated[tuple[tuple[Mechanism, int], ...], mechanisms()], delta: Probability
) -> Result:
    """The least epsilon >= 0 at delta of mechanisms whose laws are known, composed.

    zdw2022/thm10.eps: zdw2022/thm10.delta solved for epsilon; the largest loss at delta = 0, ``inf`` where there is
    none, and where delta is below the mass of infinite loss.
    """
    upper, lower = dominating(rounds), lost(rounds)
    if not upper.rounds or delta == 1:
        return Fraction(0)
    mu_squared = _gaussian(rounds)
    if mu_squared is not None:
        return gaussian_eps(ar, lambda inner: inner.sqrt(mu_squared), delta)
    if delta == 0:
        largest = grid.largest_of_all(upper)
        if largest is None or grid.finite(upper).deltas:
            return "inf"
        least = grid.largest_of_all(lower)
        low = Fraction(0) if least is None else least.lower
        return low if low == largest.upper else ar.hull(low, largest.upper)
    found = _of_eps(decide.engine_name(ar), upper, delta)
    if found is None:
        return "inf"
    if lower == upper:
        return ar.hull(found.lower, found.upper)
    below = _of_eps(decide.engine_name(ar), lower, delta)
    return ar.hull(Fraction(0) if below is None else below.lower, found.upper)
