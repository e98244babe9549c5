"""The kernel's numbers stay what they are, to the last unit: one certificate has one answer, on every platform.

``exact.json`` holds what small inputs gave (``python -m tests.kernel.test_exact > tests/kernel/exact.json``). Whether
such numbers are bounds is shown elsewhere (test_grid, test_certificates); here each one is also between the others'.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import tempfile
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from privref.kernel import bins as on_bins
from privref.kernel import ranges, theorems
from privref.kernel.__main__ import main
from privref.kernel.balls import binomial_tail, end, rational, units, working
from privref.kernel.bins import _chords, _power, upper_delta
from privref.kernel.evidence import _HALVINGS, Piece, _all_counts, _halved, _many_right, contradicts
from privref.kernel.fields import MOST, Fields
from privref.kernel.grid import Grid, Masses, _split, _times, _windowed, event_laws
from privref.kernel.grid import lower_delta as lower_on_grid
from privref.kernel.grid import upper_delta as upper_on_grid
from privref.kernel.inequalities import dominated
from privref.kernel.losses import Cells, _gaussian_tail, _normal_answers, _place, _reaches, cells
from privref.kernel.numbers import Malformed, Refused
from privref.kernel.pairs import (
    DiscreteNormal,
    DoubleExponential,
    InBins,
    Law,
    Normal,
    Pair,
    Response,
    Revealed,
    Step,
    TwoAnswers,
    TwoSidedGeometric,
    WorstApproximate,
    group,
    if_cut,
    mechanism,
    taken,
)
from privref.kernel.ranges import _Chords, _scaled, in_box
from privref.kernel.record import Event, Guarantee
from privref.kernel.refutations import _two_points
from privref.kernel.relations import STATEMENTS, Formula, Number, Span, _formula, _Relation, _stands
from privref.kernel.theorems import Goal
from tests.kernel.cases import THM29, ledger, pure
from tests.kernel.test_forgeries import forged

EXACT = Path(__file__).parent / "exact.json"
HALF, TENTH, THIRD = Fraction(1, 2), Fraction(1, 10), Fraction(1, 3)
BASES = {
    "normal": Normal(Fraction(1, 4)),
    "wide normal": Normal(Fraction(9)),
    "laplace": DoubleExponential(THIRD),
    "response": Response(HALF),
    "answers": Response(Fraction(3, 8), 4),
    "worst": WorstApproximate(HALF, TENTH),
    "two": TwoAnswers(Fraction(1), THIRD),
    "geometric": TwoSidedGeometric(Fraction(5, 2), 3),
    "on the grid": TwoSidedGeometric(Fraction(8), 2),
    "discrete": DiscreteNormal(Fraction(3), 2),
}
#: A narrow window cuts on both sides; a wide one has losses of its own far within.
GRIDS = {
    "wide": Grid(Fraction(1, 4), 40, -40, 36, 20),
    "narrow": Grid(Fraction(1, 8), 32, -3, 2, 9),
    "off": Grid(Fraction(2, 7), 48, -11, 14, 4),
}
NARROW = Grid(HALF, 4, -2, 3, 9)


def put_back(draws: int, records: int, neighbours: str) -> Law:
    """Noise 2 on batches that are drawn with replacement."""
    noise = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
    said = {"kind": "subsampled", "base": noise, "sampling": "with-replacement", "rate": f"{draws}/{records}"}
    found = mechanism({**said, "records": records}, "", MOST, neighbours)
    assert found is not None
    return found


def mixed(weights: dict[str, str]) -> Pair:
    """Noise 2 on a sum that is moved by one of several shifts."""
    said = {"kind": "gaussian-mixture", "sigma": "2", "shifts": list(weights), "weights": list(weights.values())}
    found = mechanism(said, "", MOST, "zero-out")
    assert found is not None
    return found.pairs[0]


LAWS = {name: [(Pair(base), 3)] for name, base in BASES.items()}
LAWS |= {f"{name}, sampled": [(Pair(base, TENTH), 2)] for name, base in BASES.items() if name != "two"}
LAWS |= {
    "both": [(Pair(BASES["normal"]), 2), (Pair(BASES["worst"], HALF), 1)],
    "cut": [(if_cut(Pair(BASES["normal"], TENTH), 6, 20, False), 2)],
    "cut, zeroed": [(if_cut(Pair(BASES["normal"], TENTH), 6, 20, True), 2)],
    "cut, nearly all": [(if_cut(Pair(BASES["normal"], Fraction(9, 10)), 1, 30, False), 2)],
    "replaced": [(Pair(BASES["normal"], TENTH, means=group(TENTH, 1, 1)), 2)],
    "taken": [(Pair(BASES["normal"], THIRD, means=taken(THIRD)), 2)],
    "zeroed": [(Pair(BASES["normal"], TENTH, means=taken(TENTH, zeroed=True)), 1)],
    "mixed": [(mixed({"0": "1/3", "1/2": "1/2", "5/2": "1/6"}), 2)],
    "mixed, never still": [(mixed({"1/3": "1/3", "3/2": "2/3"}), 1)],
    **{f"put back, {way}": [(put_back(3, 4, way).pairs[0], 2)] for way in ("replace-one", "zero-out")},
    **{
        f"{name}, revealed": [(Pair(Revealed(((TENTH, Pair(BASES[name])),))), 2)]
        for name in ("normal", "laplace", "worst")
    },
}


def on_grid(name: str, removal: bool, grid: str) -> str:
    """All masses of both bounds, and the upper one of delta."""
    laws = event_laws(LAWS[name], removal, GRIDS[grid])
    with working(256):
        upper = [upper_on_grid(LAWS[name], removal, GRIDS[grid], eps) for eps in (Fraction(0), HALF)]
        deltas = [end(value * rational(2) ** GRIDS[grid].bits, up=True) for value in upper]
    digits = [-(-value.numerator * 2**16 // value.denominator) for value in deltas]
    return hashlib.sha256(repr((laws, digits)).encode()).hexdigest()[:16]


def by_label(zeroed: int) -> str:
    """The cases of a sample that may be cut, with their chances, which are rounded up."""
    found = if_cut(Pair(BASES["normal"], TENTH), 6, 20, bool(zeroed)).base
    assert isinstance(found, Revealed)
    return " ".join(f"{part.rate} {chance}" for chance, part in found.parts)


def of_copies(draws: int, records: int) -> str:
    """The labels of batches with replacement, their rates, and what is lost at least."""
    law = put_back(draws, records, "zero-out")
    assert isinstance(law.pairs[0].base, Revealed)
    parts = " ".join(f"{chance} {part.rate}" for chance, part in law.pairs[0].base.parts)
    return f"{parts} {law.lost[0].rate} {law.rho} {law.mu_squared}"


def placed(loss: str, away: str) -> str:
    """The cell of an answer whose loss is known but for so much, on a grid from -2 to 3 of step 1/2."""
    found, at = Cells(), Fraction(loss)
    with working(64):
        ball = rational(at - Fraction(away)).union(rational(at + Fraction(away)))
        _place(found, ball if Fraction(away) else at, rational(HALF), rational(THIRD), HALF, -2, 3)
    return f"{[j for j, *_ in found.inner]} {[j for j, *_ in found.on_grid]} {found.beyond > 0}"


def moved(places: str) -> str:
    """Where answers on points of a grid from -2 to 3 come to lie, rounded up."""
    with working(64):
        third = rational(THIRD)
        return str(_split(Cells(on_grid=[(int(place), third, third) for place in places.split()]), NARROW))


def multiplied(one: str, other: str, up: int) -> str:
    """The product of two laws of whole units, on a grid of four bits."""
    laws = [Masses(-1, [int(mass) for mass in text.split()], 3) for text in (one, other)]
    return str(_times(laws[0], laws[1], NARROW, up=bool(up)))


def windowed(low: int, masses: str, up: int) -> str:
    """A law that is cut to the grid, or lies beyond it."""
    return str(_windowed(Masses(low, [int(mass) for mass in masses.split()], 1), NARROW, up=bool(up)))


def at_least(name: str, threshold: int) -> str:
    """The lower bound of a test at a threshold, rounded down to 2^-30."""
    with working(256):
        value = end(lower_on_grid(LAWS[name], True, GRIDS["narrow"], threshold, HALF) * 2**30, up=False)
    return str(value.numerator // value.denominator)


def of_mass(mass: str, up: int) -> str:
    """A mass in whole units."""
    return str(units(rational(Fraction(mass)), up=bool(up)))


def endless() -> str:
    """A mass that is not known is refused."""
    return str(units(rational(1) / 0, up=True))


def in_bins(bins: int, epsilon: str, points: int, bits: int, square: Fraction = HALF) -> str:
    """The bound of a run on balls in bins."""
    return hashlib.sha256(
        repr(upper_delta(InBins(bins, square), Fraction(epsilon), points, bits)).encode()
    ).hexdigest()[:16]


def in_bins_by_cells(bins: int, removal: bool, points: int, low: int, high: int) -> str:
    """The cells of a run on balls in bins, in billionths."""
    with working(160):
        found = on_bins.cells(InBins(bins, HALF), removal, Fraction(1, 4), low, high, points, 96)
        masses = [*((p, q) for _, p, q in [*found.inner, *found.on_grid]), (found.beyond, rational(0))]
        return " ".join(f"{end(p * 10**9, up=False) // 1}/{end(q * 10**9, up=False) // 1}" for p, q in masses)


def in_steps(weight: str, held: bool, removal: bool) -> str:
    """The cells of a step of a run, in billionths."""
    with working(128):
        found = cells(Pair(Step(HALF, held, Fraction(weight))), removal, Fraction(1, 4), -1, 6, 64)
        masses = [*((p, q) for _, p, q in found.inner), (found.beyond, rational(0))]
        return " ".join(f"{end(p * 10**9, up=False) // 1}/{end(q * 10**9, up=False) // 1}" for p, q in masses)


def tail(rate: str, cap: int, records: int) -> str:
    """The bound of a binomial tail, rounded up to 2^-100."""
    with working(256):
        value = end(binomial_tail(records, rational(Fraction(rate)), cap), up=True)
    return str(-(-value.numerator * 2**100 // value.denominator))


def chords(step: str, size: int, bits: int) -> str:
    """The weights of chords, and what they make of a convex falling curve that is rounded."""
    with working(512):
        found = _Chords(rational(Fraction(step)).exp(), size, bits)
        curve = [
            max(0, (1 << bits) - _scaled((i * rational(Fraction(step))).exp(), bits, up=False)) for i in range(-9, 4)
        ]
        rough = [value + i % 2 for i, value in enumerate(curve)]
        largest = [found.largest(values) for values in (curve, rough, curve[::-1])]
    return hashlib.sha256(repr((found.left, found.right, found.bends, found.ratio, largest)).encode()).hexdigest()[:16]


def box(target: str, *sides: tuple[str, int, str, str]) -> str:
    """What is lost in a box of intervals, rounded up to 2^-100."""
    kinds = [(Fraction(width), times) for width, times, _, _ in sides]
    with working(256):
        lost = in_box(kinds, tuple((Fraction(low), Fraction(high)) for *_, low, high in sides), Fraction(target))
        value = end(lost, up=True)
    return str(-(-value.numerator * 2**100 // value.denominator))


def listed(bits: int) -> str:
    """The answers of integer noise that are written out, and what is left: of so few bits that both are seen."""
    base = DiscreteNormal(Fraction(3), 2)
    with working(128):
        balls = [_gaussian_tail(Fraction(3), 2), cells(Pair(base), True, Fraction(1), -9, 9, bits).beyond]
        balls += [ball for _, *both in _normal_answers(base, bits) for ball in both]
        ends = [end(ball * rational(2) ** 90, up=up) for ball in balls for up in (True, False)]
    digits = [value.numerator // value.denominator for value in ends]
    return hashlib.sha256(repr(digits).encode()).hexdigest()[:16]


def slopes(bits: int) -> str:
    """The weights of one summand, of a root that is known but for 1/1000."""
    with working(128):
        root = rational(Fraction(7, 10)).union(rational(Fraction(701, 1000)))
        return str(_chords(root, Fraction(1, 3), 24, bits))


def reaches(loss: str, radius: int | None) -> str:
    """Whether a loss that is known but for 2^-radius, or exactly, is at least 1/4 for certain."""
    with working(128):
        if radius is None:
            return str(_reaches(rational(Fraction(loss)), Fraction(1, 4)))
        ball = rational(Fraction(loss) - Fraction(1, 2**radius)).union(
            rational(Fraction(loss) + Fraction(1, 2**radius))
        )
        return str(_reaches(ball, Fraction(1, 4)))


def least(holds: Callable[[Fraction], bool]) -> str:
    """The least delta, or rho, of 2^-40 units below 2 at which an inequality is shown."""
    low, high = -1, 2**41
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(Fraction(middle, 2**40)) else (middle, high)
    return str(high)


def free(_: int) -> None:
    """Spend nothing."""


def of_ranges(kind: str) -> str:
    """The least delta that a theorem about bounded ranges shows of two or three of them."""
    equal, target = [(Fraction(2), 2)], Fraction(3, 2)
    with working(128):
        return least({
            "equal": lambda delta: ranges.equal_ranges(Fraction(2), 2, target, delta, 128, free),
            "on the way": lambda delta: ranges.on_the_way([HALF, Fraction(1)], HALF, delta, Fraction(1, 8), 32, free),
            "off the grid": lambda delta: ranges.on_the_way([HALF, HALF], Fraction(3, 7), delta, TENTH, 40, free),
            "a wide one": lambda delta: ranges.on_the_way([Fraction(6)], Fraction(1), delta, Fraction(1), 32, free),
            "means": lambda delta: ranges.means([(HALF, 3)], delta, Fraction(7, 5)),
            "the top": lambda delta: ranges.from_the_top([(HALF, 2), (Fraction(1), 1)], target, delta),
            "in advance": lambda delta: ranges.in_advance(equal, target, delta, [0, -1, -1], 128, free),
            "no splits": lambda delta: ranges.in_advance(equal, target, delta, [], 128, free),
            "no such cut": lambda delta: ranges.in_advance(equal, target, delta, [-2], 128, free),
            "no such kind": lambda delta: ranges.in_advance(equal, target, delta, [1], 128, free),
        }[kind])  # fmt: skip


def of_answers(p: str, q: str, orders: str) -> str:
    """The least rho of which two answers are shown to be."""

    def holds(rho: Fraction) -> bool:
        goal = Goal("epsilon", Fraction(0), Fraction(0))
        event = Event(1, Guarantee("zcdp", rho=rho), None)
        try:
            _two_points([event], goal, Fields({"p": p, "q": q, "orders": orders.split()}, "witness"))
        except (Malformed, Refused):
            return False
        return True

    return least(holds)


def powers(times: int) -> str:
    """Weights of so few bits that each rounding is seen."""
    return str([_power(each, times, 8, 4) for each in ([1, 1, 3, 16, 15], [1, 1, 7])])


def weighs(piece: Piece, epsilon: Fraction, delta: Fraction) -> str:
    """Whether a piece contradicts a claim, or leaves that open."""
    try:
        return "yes" if contradicts(piece, "epsilon", epsilon, delta) else "no"
    except Refused:
        return "open"


def guessed(canaries: int, guesses: int, right: int, delta: str) -> str:
    """The chance of so many right guesses in units of 2^-100, and which claims they contradict at 95 %."""
    piece = Piece((canaries, guesses, right), True, Fraction(1, 20))
    found = []
    for epsilon in (Fraction(0), TENTH, HALF, Fraction(1), Fraction(3)):
        with working(256):
            chance = _many_right(rational(epsilon).exp(), Fraction(delta), *piece.counts)
            found.append(f"{end(chance, up=True).__ceil__()} {int(end(chance * 2**100, up=True))}")
        found.append(weighs(piece, epsilon, Fraction(delta)))
    return " ".join(found)


def of_all_counts(mu: str, canaries: int, guesses: int, right: int) -> str:
    """The chance of all counts of right guesses, at an error of a tenth, and which claims of mu that contradicts."""
    with working(256):
        chance = _all_counts(Fraction(mu), TENTH, canaries, guesses, right)
        found = f"{end(chance, up=False) * 2**100 // 1} {end(chance, up=True) * 2**100 // 1}"
    piece = Piece((canaries, guesses, right), True, TENTH)
    try:
        return f"{found} {contradicts(piece, 'mu', Fraction(mu), Fraction(0))}"
    except Refused as refusal:
        return f"{found} {refusal}"


def is_dominated(eps: str, before: str, after: str) -> str:
    """Whether a round of the filter by domination may run."""
    with working(256):
        return str(dominated(Fraction(eps), Fraction(before), Fraction(after)))


def told_apart(counts: tuple[int, int, int, int], delta: str) -> str:
    """Both rates, and what they say of claims below, at and above the one that stays open; and of ties."""
    with_, hits, without, wrong = counts
    piece, away, lost = Piece(counts, False, TENTH), Fraction(1, 2**60), Fraction(delta)
    with working(256):
        a = b = Fraction(0), Fraction(1)
        for _ in range(_HALVINGS):
            a, b = _halved(a, TENTH / 2, with_, hits), _halved(b, TENTH / 2, without, without - wrong)
        odds = [max((x - lost) / (1 - y), (y - lost) / (1 - x)) for x, y in zip(a, b, strict=True)]
        middle = sum(end(rational(each).log(), up=True) for each in odds) / 2 if min(odds) > 1 else HALF
    said = [weighs(piece, middle + offset, lost) for offset in (-away, Fraction(0), away)]
    said += [weighs(piece, Fraction(0), x + y - 1) for x, y in zip(a, b, strict=True) if x + y > 1]
    # Claims at which one end of a rate decides.
    with working(256):
        least = end(rational(TENTH).exp(), up=False)
    open_ = [x[0] - least * (1 - y[1]) for x, y in ((a, b), (b, a))]
    said += [weighs(piece, TENTH, each) for each in open_ if each >= 0]
    return f"{[int(x * 2**90) for x in (*a, *b)]} {' '.join(said)}"


#: A number between two ends, and one that is known.
KNOWN = {"x": Number("", Fraction(0), (HALF, Fraction(3))), "n": Number("2", Fraction(2))}


def formula(found: Any, low: str = "1/2") -> str:
    """The value of a formula at one end of what is not known, and the ways that it moves from there.

    Irrational ends are in units of 2^-100; with few bits they are further apart, and around those with many.
    """
    read = _formula(found, "formula", 0, [0])
    relation = _Relation(KNOWN, read, False, Formula(""))
    over = {**relation.points, "x": Span(Fraction(low), Fraction(3))}
    try:
        with working(48):
            wide = relation._at(read, Fraction(low))
        with working(640):
            value = relation._at(read, Fraction(low))
    except (Malformed, Refused) as refusal:
        return str(refusal)
    ends = [str(x) if x.denominator < 2**30 else f"{int(x * 2**100)} units" for x in (value.low, value.high)]
    said = f"{' '.join(ends)} {wide.low <= value.low <= value.high <= wide.high}"
    try:
        with working(640):
            reach = relation._value(read, over)
            said += f" up to {int(reach.high * 2**100)} from {int(reach.low * 2**100)}"
            return f"{said} {sorted(relation._moves(read, 'x', over))}"
    except Refused as refusal:
        return f"{said} {refusal}"


def nested(depth: int) -> Any:
    """A formula that nests so deep."""
    return "1" if not depth else {"sqrt": nested(depth - 1)}


X, N = {"number": "x"}, {"number": "n"}
FORMULAS: dict[str, Any] = {
    **{f"{name} {of}": {name: of} for name in ("exp", "log", "sqrt") for of in ("-1", "0", "1", "2", "1/3")},
    **{f"{name} x": {name: X} for name in ("exp", "log", "sqrt")},
    **{
        f"{name} {label}": {name: of} for name in ("difference", "quotient", "sum", "product")
        for label, of in {"x n": [X, N], "n x": [N, X], "x -1": [X, "-1"], "x 0": [X, "0"], "-2 3": ["-2", "3"]}.items()
    },
    "three": {"product": [X, N, "3"]}, "four": {"sum": [X, {"difference": [N, X]}, "1", {"log": N}]},
    "x over log": {"quotient": [X, {"log": N}]}, "by log 1": {"quotient": ["1", {"log": "1"}]},
    "20 deep": nested(20), "21 deep": nested(21), "one": {"sum": [X]}, "difference of three": {"difference": [X, N, N]},
    "exp up to 0": {"product": [X, {"exp": {"difference": [X, "3"]}}]},
    "unknown": {"number": "y"}, "none": {"sum": []},
    **{
        f"{name} {one} {other}": {"statement": name, "inputs": {STATEMENTS[name][0]: one, STATEMENTS[name][1]: other}}
        for name in STATEMENTS
        for one, other in (
            ("1/2", "1/10"), ("0", "1/10"), ("1/2", "1/5"), ("1/2", "0"), ("1/2", "1"), ("-1", "1/2"), ("30", "1/1000"),
            ("1/100", "1/10"), ("1/10", "1/10"))
    },
    **{
        f"{name} {label}": {"statement": name, "inputs": {STATEMENTS[name][0]: one, STATEMENTS[name][1]: other}}
        for name in STATEMENTS for label, one, other in (("of x", X, "1/10"), ("at x", "1", {"quotient": [X, "9"]}))
    },
}  # fmt: skip


def stands(words: str, text: str) -> str:
    """Whether words stand in a text by themselves."""
    return str(_stands(words, text))


#: Words and texts in which they are a part of something else, or not.
TEXTS = (
    ("5", "1/5"), ("5", "of 1/5"), ("5", "x.5"), ("5", "x^{5}"), ("5", "10^{5}"), ("5", "1e5"), ("5", "2.5"),
    ("5", "5"), ("5", "of 5 days"), ("5", "5.5"), ("5", "5e-3"), ("5", "5 \\times 10"), ("5", "55"), ("5", "2,5"),
    ("a1", "x ba1"), ("a1", "a1"), ("1a", "1ab c"), ("1a", "1a c"), ("a", "ab"), ("a", "ba"), ("a1", "x a1"),
    ("123", "45 123"), ("123", "n 123"), ("123", "4567 123"), ("45", "45 123"), ("45", "45 1234"),
    ("345", "12 345 678"),
    ("of 45", "of 45 123"), ("x 12345", "x 12345 678"), ("123", "1 000 123"), ("5", "−5"), ("5", "1−5 and 5"),
    ("5 days", "x.5 days"),
)  # fmt: skip


def command(*names: str) -> str:
    """The exit code of the command about files of these names, and how its words begin."""
    record = ledger(pure("1"))
    files = {
        name: json.dumps(forged(record, {"epsilon": size, "delta": "0"}, "confirmed", THM29, {}))
        for name, size in (("true", "1"), ("false", "0.9"))
    }
    files |= {"ledger": json.dumps(record), "other": json.dumps(ledger(pure("1/2"))), "text": "none"}
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        with contextlib.redirect_stderr(said):
            code = main([str(Path(folder) / name) for name in names])
    return f"{code} {said.getvalue().partition(':')[0]}"


def written(power: int, factor: int) -> str:
    """Both ends of a ball around a multiple of a power of 2, as they are written out."""
    with working(64):
        ball = rational(factor) * rational(2) ** power
        try:
            ends = [end(ball, up=up) for up in (True, False)]
        except Refused as refusal:
            return str(refusal)
    return " ".join(
        "0" if not value else f"{value.numerator.bit_length() - value.denominator.bit_length()}{'+-'[value < 0]}"
        for value in ends
    )


CASES: dict[str, Callable[[], str]] = {
    **{
        f"{name} | {'removal' if removal else 'addition'} | {grid}": partial(on_grid, name, removal, grid)
        for name in LAWS for removal in (True, False) for grid in GRIDS
    },
    **{
        f"bins | {bins} {epsilon} {points} {bits}": partial(in_bins, bins, epsilon, points, bits)
        for bins in (1, 2, 3, 6) for epsilon in ("0", "1/1000", "1/10", "2") for points, bits in ((40, 40), (64, 96))
    },
    **{
        f"step | {weight} {held} {way}": partial(in_steps, weight, bool(held), bool(way))
        for weight in ("1/8", "3") for held in (0, 1) for way in (0, 1)
    },
    # Here the upper bound of an addition is the larger one.
    **{f"bins | 1 {at}, further": partial(in_bins, 1, at, 40, 40, Fraction(4)) for at in ("1/1000", "1/10")},
    **{
        f"tail | {rate} {cap} {records}": partial(tail, rate, cap, records)
        for rate, cap, records in (
            ("1/10", 6, 20), ("1/10", 20, 20), ("1/2", 3, 4), ("9/10", 2, 30), ("1/100", 1, 50), ("1/1000", 30, 12_000),
            ("1/2", 6_000, 30_000), ("1/2", 1, 40_000), ("1/2", 1, 20_002), ("1/2", 1, 20_003),
            ("1/2", 0, 5), ("1/2", 6, 5), ("1/2", 1, 0))
    },
    **{f"slopes | {bits}": partial(slopes, bits) for bits in (4, 6, 40)},
    **{
        f"bins by cells | {bins} {removal} {points} {low} {high}": partial(
            in_bins_by_cells, bins, bool(removal), points, low, high)
        for bins in (1, 3) for removal in (0, 1) for points, low, high in ((16, -3, 9), (48, -9, 3), (512, -8, 8))
    },
    **{f"by label | {zeroed}": partial(by_label, zeroed) for zeroed in (0, 1)},
    **{f"copies | {m} {n}": partial(of_copies, m, n) for m, n in ((1, 2), (2, 2), (3, 100), (100, 100), (64, 10**6))},
    **{
        f"placed | {loss} {away}": partial(placed, loss, away)
        for loss in ("-3", "-1", "0", "1/4", "1/2", "1", "3/2", "2") for away in ("0", "1/100")
    },
    **{f"moved | {places}": partial(moved, places) for places in ("-5 -2", "0", "2 3 3", "4", "5 -3")},
    **{
        f"multiplied | {one} | {other} | {up}": partial(multiplied, one, other, up)
        for one, other in (("15", "1"), ("16", "16 1"), ("3 5 7 9 11 13", "1 2 3 4 5 6 7"), ("9 9", "16 0 0 0 0 1"))
        for up in (0, 1)
    },
    **{
        f"at least | {name} | {threshold}": partial(at_least, name, threshold)
        for name in ("response", "answers", "replaced", "normal, sampled") for threshold in (-90, -3, 0, 1, 2, 3)
    },
    **{
        f"windowed | {low} | {masses} | {up}": partial(windowed, low, masses, up)
        for low, masses in ((6, "5 7"), (3, "5 7"), (-3, "5 7"), (-9, "5 7"), (-2, "1 2 3 4 5 6")) for up in (0, 1)
    },
    "endless": endless,
    **{f"units | {mass} {up}": partial(of_mass, mass, up) for mass in ("12", "5/2", "-7/3") for up in (0, 1)},
    "orders": lambda: " ".join(map(str, theorems.GRID_ORDERS)),
    **{f"listed | {bits}": partial(listed, bits) for bits in (0, 4)},
    **{
        f"reaches | {loss} {radius}": partial(reaches, loss, radius)
        for loss in ("0", "1/4", "1/2") for radius in (0, 2, 20, None)
    },
    **{
        f"ranges | {kind}": partial(of_ranges, kind)
        for kind in (
            "equal", "on the way", "off the grid", "a wide one", "means", "the top", "in advance", "no splits",
            "no such cut", "no such kind")
    },
    **{
        f"two answers | {p} {q} {orders}": partial(of_answers, p, q, orders)
        for p, q, orders in (
            ("4/5", "1/5", "2 4"), ("1/2", "1/10", "2 3 5"), ("3/4", "2/3", "3/2 2"), ("1/2", "0", "2"),
            ("1/3", "1/2", "2"), ("1/2", "1/4", "2 2"), ("1", "1/2", "2"))
    },
    **{
        f"guessed | {counts} {delta}": partial(guessed, *counts, delta)
        for counts in ((10, 8, 7), (8, 8, 8), (300, 200, 130), (20, 9, 0), (9, 6, 3), (5000, 4000, 2500))
        for delta in ("0", "1/1000", "1/78")
    },
    **{
        f"all counts | {mu} {counts}": partial(of_all_counts, mu, *counts)
        for mu in ("0", "1/10", "1") for counts in ((1, 1, 1), (4, 3, 2), (4, 4, 0), (9, 9, 8), (30, 20, 19), (2, 2, 1))
    },
    **{
        f"dominated | {eps} {before} {after}": partial(is_dominated, eps, before, after)
        for eps in ("0", "1/10", "2") for before in ("0", "1", "1.01002", "9") for after in ("0", "1", "9")
    },
    **{
        f"told apart | {counts} {delta}": partial(told_apart, counts, delta)
        for counts in ((10, 9, 10, 1), (10, 6, 40, 0), (40, 40, 10, 3), (60, 58, 60, 5), (9, 0, 9, 9), (9, 2, 9, 2))
        for delta in ("0", "1/20")
    },
    **{f"formula | {name}": partial(formula, found) for name, found in FORMULAS.items()},
    **{
        f"formula | {name}, from {low}": partial(formula, FORMULAS[name], low)
        for name in ("product x n", "quotient n x", "log x", "sqrt x") for low in ("0", "-1")
    },
    **{
        f"command | {' '.join(names)}": partial(command, *names)
        for names in (
            (), ("true",), ("false",), ("true", "ledger"), ("true", "other"), ("true", "ledger", "other"), ("none",),
            ("text",))
    },
    **{f"stands | {words} | {text}": partial(stands, words, text) for words, text in TEXTS},
    **{f"powers | {times}": partial(powers, times) for times in (1, 2, 3)},
    **{
        f"chords | {step} {size} {bits}": partial(chords, step, size, bits)
        for step in ("1/8", "1/3") for size in (1, 2, 4) for bits in (32, 64)
    },
    **{
        f"box | {target} {sides}": partial(box, target, *sides)
        for target in ("0", "1/2", "3/2")
        for sides in (
            (("1", 2, "0", "1/2"),), (("1", 3, "1/4", "1/4"), ("1/2", 1, "0", "1/2")), (("2", 1, "1", "2"),))
    },
    **{
        f"end | {power} {sign}": partial(written, power, sign)
        for power in (0, -49_998, -50_001, -50_002, -60_000, 49_990, 49_998, 49_999, 60_000) for sign in (3, -3, 1, -1)
    },
}  # fmt: skip


def answer(name: str) -> str:
    """What a case gives, or why it is refused."""
    try:
        return CASES[name]()
    except (Malformed, Refused) as refusal:
        return str(refusal)


def known() -> dict[str, Any]:
    """What the file holds."""
    found: dict[str, Any] = json.loads(EXACT.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", CASES)
def test_a_small_input_has_the_number_that_it_had(name: str) -> None:
    assert answer(name) == known()[name]


def test_the_file_holds_what_is_asked_and_nothing_else() -> None:
    assert set(known()) == set(CASES)


if __name__ == "__main__":
    print(json.dumps({name: answer(name) for name in CASES}, indent=1))
