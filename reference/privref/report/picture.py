"""The picture of a claim: delta against epsilon, what each theorem proves and what is certainly lost, as SVG places.

What bounds from above is drawn as steps that lie on or above what is proved, what bounds from below as steps on or
below what is lost, at every place of the picture: also where a number is rounded to a place.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from privref.audit import structure, summary
from privref.audit.both_ends import where_least
from privref.audit.claims import ApproxDPClaim
from privref.audit.curve import MOST_WORK, WORK, Lost, PlotArea, curve, lost
from privref.audit.facts import Facts
from privref.audit.facts.record import Structure
from privref.audit.opinions import Audit, Bound, Opinion
from privref.audit.points import Point, log10
from privref.ledger.model import Ledger
from privref.ledger.reading import ledger_at
from privref.statements.theorems import called

_DASHES = ("", "7 4", "2 3", "9 3 2 3", "12 4", "4 2")
_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 82, 12, 12, 40
_COLUMNS, _ROWS = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
#: Places are whole eighths of a pixel, which a browser reads exactly.
_PARTS = 8
#: Rows come from a logarithm in binary64, whose error is far smaller than this.
_ERROR = 1e-6
#: How many decades the axis of delta goes below the claim's, and at most how many ticks an axis has.
_DECADES, _TICKS = 3, 7
#: Lines that are everywhere as near as this are drawn once; a number for a line is looked for at places so far apart.
_ALIKE, _APART = 3, 16


@dataclass(frozen=True, slots=True)
class _Scene:
    """What one picture speaks of: a claim about a plain ledger."""

    claim: ApproxDPClaim
    opinion: Opinion
    most: Facts
    """Of the reading that the bounds are of."""
    least: Facts
    """Where what was published rounded is read where least is lost."""
    words: str
    """Which part of the claim it is, where it is not all of it."""

    @property
    def axis(self) -> tuple[object, ...]:
        """Pictures of equal ones have axes of the same meaning."""
        claim = self.claim
        return claim.units, claim.periods, claim.neighbours, self.words

    @property
    def reading(self) -> tuple[object, ...]:
        """Pictures of equal ones have the same curves, in the same window."""
        return *self.axis, self.claim.delta, tuple((bound.application.by, bound.enclosure) for bound in self.bounds)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The finite bounds, first the one that decided."""
        found = [item for item in self.opinion.bounds if item.enclosure is not None]
        decided = self.opinion.deciding
        by = None if decided is None else decided.application.by
        return tuple(sorted(found, key=lambda item: item.application.by != by))


def pictures(audit: Audit) -> tuple[dict[str, Any] | None, ...]:
    """The picture of each opinion, in order; None of a claim that has no delta between 0 and 1, or no bounds."""
    scenes = [_scene(audit, opinion) for opinion in audit.opinions]
    drawn: dict[object, tuple[list[tuple[Bound, tuple[Point, ...]]], Lost]] = {}
    found: list[dict[str, Any] | None] = []
    for scene in scenes:
        if scene is None:
            found.append(None)
            continue
        alike = [each for each in scenes if each is not None and each.axis == scene.axis]
        window = PlotArea(_end(scene, alike), math.floor(log10(scene.claim.delta) + _ERROR) - _DECADES, _COLUMNS, _ROWS)
        key = scene.reading, window
        if key not in drawn:
            drawn[key] = _curves(scene, window, [each for each in alike if each.reading == scene.reading])
        found.append(_picture(scene, window, *drawn[key]))
    return tuple(found)


def _scene(audit: Audit, opinion: Opinion) -> _Scene | None:
    """What the picture of an opinion speaks of: the claim, or the one of a unit, or of parts, that decides it."""
    claim, ledger = opinion.of_unit or opinion.claim, audit.ledger
    if not isinstance(claim, ApproxDPClaim) or not claim.epsilon or not 0 < claim.delta < 1:
        return None
    if not opinion.refutation and not any(item.enclosure is not None for item in opinion.bounds):
        return None
    # The bounds are those of one of the readings of what was published rounded.
    values = [end.values for end in opinion.ends if end.opinion.bounds is opinion.bounds]
    readings = (ledger_at(ledger, dict(values[0])) if values else ledger, where_least(ledger))
    facts = [_facts(read, claim, opinion) for read in readings]
    if facts[0] is None or facts[1] is None:
        return None
    words = ", ".join(f"{name} {part}" for name, part in opinion.case.items())
    if opinion.of_unit is not None:
        said = f"({summary.amount(claim.epsilon)}, {summary.plain_decimal(claim.delta, 4, 'down')})"
        words = f"that of one unit from which it follows, {said}-DP" + (f"; {words}" if words else "")
    return _Scene(claim, opinion, facts[0], facts[1], words)


def _facts(ledger: Ledger, claim: ApproxDPClaim, opinion: Opinion) -> Facts | None:
    """The facts that the opinion's bounds were found for."""
    group = None if opinion.of_unit is None or not isinstance(opinion.claim, ApproxDPClaim) else opinion.claim
    if structure.is_plain(ledger, claim):
        return Facts.of(ledger, Structure(of_group=group is not None))
    cases = structure.cases(ledger, claim)
    if isinstance(cases, structure.Unstructured):
        return None
    case = next((case for case in cases if case.parts == opinion.case), None)
    return None if case is None else structure.case_facts(ledger, claim, case, group=group)


def _reach(scene: _Scene) -> Fraction:
    """How far the axis of epsilon has to go to show the claim and the least bound, unless that is beyond 3 claims."""
    claim, ends = scene.claim.epsilon, [item.enclosure.upper for item in scene.bounds if item.enclosure is not None]
    return max(claim, min([*ends, 3 * claim])) * Fraction(4, 3)


def _end(scene: _Scene, alike: Sequence[_Scene]) -> Fraction:
    """Where the axis of epsilon ends: at a round number, and one for all claims that need about as much of it."""
    size = math.floor(_log2(_reach(scene)))
    wanted = max(_reach(each) for each in alike if math.floor(_log2(_reach(each))) == size)
    step = _round_step(wanted)
    return -(-wanted // step) * step


def _log2(value: Fraction) -> float:
    return log10(value) / math.log10(2)


def _round_step(most: Fraction) -> Fraction:
    """The least of 1, 2 and 5 times a power of ten of which at most this many ticks fit."""
    power = Fraction(10) ** math.floor(log10(most / _TICKS))
    return next(step for factor in (1, 2, 5, 10, 20) if most / (step := factor * power) <= _TICKS)


def _curves(
    scene: _Scene, window: PlotArea, alike: Sequence[_Scene]
) -> tuple[list[tuple[Bound, tuple[Point, ...]]], Lost]:
    """The steps of the first theorems that have a curve here, and of what is lost."""
    epsilons = sorted({each.claim.epsilon for each in alike})
    found: list[tuple[Bound, tuple[Point, ...]]] = []
    for item in scene.bounds:
        # What gives the same number here is not worth a line of its own.
        if len(found) < len(_DASHES) and all(item.enclosure != other.enclosure for other, _ in found):
            work = MOST_WORK if item is scene.opinion.deciding else WORK
            steps = curve(scene.most, item, scene.claim.delta, window, epsilons, work=work)
            if steps is not None and _polyline(window, steps):
                found.append((item, steps))
    refuted = [each.opinion for each in alike if each.opinion.of_unit is None]
    return found, lost(scene.least, window, refuted, epsilons)


def _picture(
    scene: _Scene, window: PlotArea, curves: Sequence[tuple[Bound, tuple[Point, ...]]], least: Lost
) -> dict[str, Any]:
    """What the template draws: every place rounded to the side that keeps a bound a bound."""
    claim = scene.claim
    lines: list[dict[str, Any]] = []
    drawn: list[list[_Place]] = []
    for item, steps in curves:
        name, places = called(item.application.by, authors=False), _polyline(window, steps)
        like = next((line for line, other in zip(lines, drawn, strict=True) if _look_alike(places, other)), None)
        if like is not None:
            like["like"].append(name)
            continue
        lines.append({"name": name, "dash": _DASHES[len(lines)], "points": _text(places), "like": []})
        drawn.append(places)
    at = _near(_LEFT + float(window.column(claim.epsilon))), _near(_TOP + window.row(claim.delta))
    for line, place in zip(lines, _number_places(drawn, at), strict=True):
        line["at"] = place
    named = {item.application.by for item, _ in curves}
    single, beyond = [], []
    for item in scene.bounds:
        assert item.enclosure is not None
        if item.application.by in named:
            continue
        name = called(item.application.by, authors=False)
        if item.enclosure.upper > window.epsilon:
            beyond.append(name)
        else:
            only = "" if item.application.supposed is None else " (only if enforced)"
            if scene.opinion.verdict == "confirmed" and item is scene.opinion.deciding:
                only += " (which proves the claim)"
            place = _LEFT + float(window.column(item.enclosure.upper)), _TOP + window.row(claim.delta)
            single.append((*map(_near, place), f"{name}{only}"))
    step = _round_step(window.epsilon)
    ticks = [step * i for i in range(int(window.epsilon // step) + 1)]
    decades = -next(size for size in _round_steps() if -window.exponent <= size * _TICKS)
    area = _polygon(window, least.steps)
    words = f"certainly lost at least, {_LOST_BY[least.actual]}"
    legend = (
        [[line["name"], *line["like"]] for line in lines],
        [name for _, _, name in single],
        beyond,
        bool(area),
        words,
    )
    return {
        "legend": repr((scene.words, legend)),
        "width": _WIDTH,
        "height": _HEIGHT,
        "base": _TOP + _ROWS,
        "left": _LEFT,
        "right": _LEFT + _COLUMNS,
        "top": _TOP,
        "epsilon": str(window.epsilon),
        "exponent": window.exponent,
        "x_label": f"epsilon{claim.scope}",
        "about": scene.words,
        "area": _text(area),
        "area_words": words,
        "lines": lines,
        "single": single,
        "beyond": beyond,
        "claim": at,
        "x_ticks": [(_near(_LEFT + float(window.column(tick))), summary.amount(tick)) for tick in ticks],
        "y_ticks": [
            (_near(_TOP + window.row(Fraction(10) ** power)), f"1e{power}" if power else "1")
            for power in range(0, window.exponent - 1, decades)
        ],
    }


#: What loses as much as the hatched area says, by whether its mechanisms are those that ran.
_LOST_BY = {True: "by what ran", False: "by some mechanisms with these guarantees"}


def _round_steps() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, …"""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


_Place = tuple[float, float]


def _near(place: float) -> float:
    return round(place, 4)


def _text(places: Iterable[_Place]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def _places(window: PlotArea, point: Point, *, down: bool) -> _Place:
    """Where a point lies, in eighths of a pixel, rounded to the left and down, or to the right and up."""
    column, row = window.column(point[0]) * _PARTS, window.row(point[1])
    if math.isinf(row) or row > _ROWS:
        row = _ROWS + 1
    if down:
        return math.floor(column) / _PARTS, math.ceil((row + _ERROR) * _PARTS) / _PARTS
    return math.ceil(column) / _PARTS, math.floor((row - _ERROR) * _PARTS) / _PARTS


def _polyline(window: PlotArea, steps: Sequence[Point]) -> list[_Place]:
    """Steps above, cut off where they leave the picture: from each point to the right, then down to the next."""
    found: list[_Place] = []
    for step in steps:
        x, y = _places(window, step, down=False)
        y = max(y, 0.0)
        if found and found[-1][1] == y:
            continue
        if x >= _COLUMNS:
            break
        if found:
            found.append((x, found[-1][1]))
        if y >= _ROWS:
            found += [(x, float(_ROWS))] if found else []
            return _moved(found)
        found.append((x, y))
    # The first point, that every mechanism is (0, 1)-DP, alone says nothing.
    if len(found) < 2:
        return []
    return _moved([*found, (float(_COLUMNS), found[-1][1])])


def _look_alike(one: Sequence[_Place], other: Sequence[_Place]) -> bool:
    """Return whether two lines of steps lie within a few pixels of each other everywhere, so that nobody tells them."""

    def near(corners: Sequence[_Place], line: Sequence[_Place]) -> bool:
        columns = [x for x, _ in line]
        for x, y in corners:
            first = bisect_left(columns, x - _ALIKE) - 1
            after = bisect_right(columns, x + _ALIKE) - 1
            upper = line[first][1] if first >= 0 else line[0][1]
            lower = line[after][1] if after >= 0 else line[0][1]
            if not upper - _ALIKE <= y <= lower + _ALIKE:
                return False
        return True

    return near(one, other) and near(other, one)


def _number_places(lines: Sequence[Sequence[_Place]], claim: _Place) -> list[_Place]:
    """Return for each line the place for its number: on the line, and as far as possible from all else."""
    sampled = [_along(line) for line in lines]
    taken = [claim]
    for i, places in enumerate(sampled):
        others = [place for j, each in enumerate(sampled) if j != i for place in each]

        def room(place: _Place, others: Sequence[_Place] = others) -> float:
            edges = place[0] - _LEFT, _LEFT + _COLUMNS - place[0], _TOP + _ROWS - place[1]
            # Another number is wider than a line.
            return min(*edges, *(math.dist(place, near) / 2 for near in taken), *(math.dist(place, o) for o in others))

        taken.append(max(places, key=room))
    return [(_near(x), _near(y)) for x, y in taken[1:]]


def _along(line: Sequence[_Place]) -> list[_Place]:
    """Return places along a line, at most some pixels apart."""
    found = [line[0]]
    for (x0, y0), (x1, y1) in pairwise(line):
        parts = math.ceil(math.dist((x0, y0), (x1, y1)) / _APART)
        between = ((x0 + (x1 - x0) * i / parts, y0 + (y1 - y0) * i / parts) for i in range(1, parts + 1))
        found += [place for place in between if math.dist(place, found[-1]) >= _APART / 2]
    return found


def _polygon(window: PlotArea, steps: Sequence[Point]) -> list[_Place]:
    """The area under steps below, cut off where they leave the picture: to each point from the left."""
    found: list[_Place] = [(0.0, float(_ROWS))]
    for step in steps:
        x, y = _places(window, step, down=True)
        if y >= _ROWS:
            break
        x = min(x, float(_COLUMNS))
        if x <= found[-1][0]:
            continue
        found += [(found[-1][0], y), (x, y)]
        if x >= _COLUMNS:
            break
    if len(found) == 1:
        return []
    return _moved([*found, (found[-1][0], float(_ROWS))])


def _moved(places: Iterable[_Place]) -> list[_Place]:
    return [(_LEFT + x, _TOP + y) for x, y in places]
