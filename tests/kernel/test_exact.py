"""The kernel's numbers stay what they are, to the last unit: one certificate has one answer, on every platform.

``exact.json`` holds what small inputs gave (``python -m tests.kernel.test_exact > tests/kernel/exact.json``). Whether
such numbers are bounds is shown elsewhere (test_grid, test_certificates); here each one is also between the others'.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from privref.kernel import ranges
from privref.kernel.balls import cut_tail, end, rational, working
from privref.kernel.bins import _bends_up, _Lattice, _power, lower_delta, upper_delta
from privref.kernel.fields import Fields
from privref.kernel.grid import Grid, event_laws
from privref.kernel.grid import upper_delta as upper_on_grid
from privref.kernel.losses import _gaussian_tail, _normal_answers, _reaches, _unlisted
from privref.kernel.numbers import Malformed, Refused
from privref.kernel.pairs import (
    Cap,
    DiscreteNormal,
    DoubleExponential,
    InBins,
    Normal,
    Pair,
    Response,
    TwoAnswers,
    TwoSidedGeometric,
    WorstApproximate,
)
from privref.kernel.ranges import _Chords, _scaled, in_box
from privref.kernel.record import Event, Guarantee
from privref.kernel.refutations import _two_points
from privref.kernel.theorems import Goal

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
LAWS = {name: [(Pair(base), 3)] for name, base in BASES.items()}
LAWS |= {f"{name}, sampled": [(Pair(base, TENTH), 2)] for name, base in BASES.items() if name != "two"}
LAWS |= {
    "both": [(Pair(BASES["normal"]), 2), (Pair(BASES["worst"], HALF), 1)],
    "cut": [(Pair(BASES["normal"], TENTH, Cap(6, 20, zeroed=False)), 2)],
    "cut, zeroed": [(Pair(BASES["normal"], TENTH, Cap(6, 20, zeroed=True)), 2)],
}


def on_grid(name: str, removal: bool, grid: str) -> str:
    """All masses of both bounds, and the upper one of delta."""
    laws = event_laws(LAWS[name], removal, GRIDS[grid])
    with working(256):
        upper = [upper_on_grid(LAWS[name], removal, GRIDS[grid], eps) for eps in (Fraction(0), HALF)]
        deltas = [end(value * rational(2) ** GRIDS[grid].bits, up=True) for value in upper]
    digits = [-(-value.numerator * 2**16 // value.denominator) for value in deltas]
    return hashlib.sha256(repr((laws, digits)).encode()).hexdigest()[:16]


def in_bins(bins: int, epsilon: str, points: int, bits: int) -> str:
    """Both bounds of a run on balls in bins, from two beginnings of the lattice."""
    base, at = InBins(bins, HALF), Fraction(epsilon)
    found = [lower_delta(base, at, points, bits, offset) for offset in (Fraction(0), Fraction(1, 7), Fraction(20))]
    found.append(upper_delta(base, at, points, bits))
    assert max(found[:3]) <= found[3]
    return hashlib.sha256(repr(found).encode()).hexdigest()[:16]


def tail(rate: str, cap: int, records: int) -> str:
    """The bound of a binomial tail, rounded up to 2^-100."""
    with working(256):
        value = end(cut_tail(Fraction(rate), cap, records), up=True)
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
        balls = [_gaussian_tail(Fraction(3), 2), *_unlisted(base, bits)]
        balls += [ball for _, *both in _normal_answers(base, bits) for ball in both]
        ends = [end(ball * rational(2) ** 90, up=up) for ball in balls for up in (True, False)]
    digits = [value.numerator // value.denominator for value in ends]
    return hashlib.sha256(repr(digits).encode()).hexdigest()[:16]


def reaches(loss: str, radius: int) -> str:
    """Whether a loss that is known but for 2^-radius is at least 1/4 for certain."""
    with working(128):
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
            "means": lambda delta: ranges.means([(HALF, 3)], delta, Fraction(7, 5)),
            "the top": lambda delta: ranges.from_the_top([(HALF, 2), (Fraction(1), 1)], target, delta),
            "in advance": lambda delta: ranges.in_advance(equal, target, delta, [0, -1, -1], 128, free),
            "no splits": lambda delta: ranges.in_advance(equal, target, delta, [], 128, free),
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


def powers(times: int, up: int) -> str:
    """Weights of so few bits that each rounding is seen."""
    lattice = _Lattice(InBins(2, HALF), Fraction(1), 8, 4)
    bends = [_bends_up([5, 6, third], 0, 1, 2) for third in (6, 7, 8)]
    return f"{_power([1, 1, 3, 16, 15], times, lattice, up=bool(up))} {bends}"


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
        for bins in (1, 2, 3, 6) for epsilon in ("0", "1/10", "2") for points, bits in ((40, 40), (64, 96))
    },
    **{
        f"tail | {rate} {cap} {records}": partial(tail, rate, cap, records)
        for rate, cap, records in (
            ("1/10", 6, 20), ("1/10", 20, 20), ("1/2", 3, 4), ("9/10", 2, 30), ("1/100", 1, 50), ("1/1000", 30, 12_000),
            ("1/2", 6_000, 30_000))
    },
    **{f"listed | {bits}": partial(listed, bits) for bits in (0, 4)},
    **{
        f"reaches | {loss} {radius}": partial(reaches, loss, radius)
        for loss in ("0", "1/4", "1/2") for radius in (0, 2, 20)
    },
    **{
        f"ranges | {kind}": partial(of_ranges, kind)
        for kind in (
            "equal", "on the way", "off the grid", "means", "the top", "in advance", "no splits", "no such kind")
    },
    **{
        f"two answers | {p} {q} {orders}": partial(of_answers, p, q, orders)
        for p, q, orders in (
            ("4/5", "1/5", "2 4"), ("1/2", "1/10", "2 3 5"), ("3/4", "2/3", "3/2 2"), ("1/2", "0", "2"),
            ("1/3", "1/2", "2"), ("1/2", "1/4", "2 2"), ("1", "1/2", "2"))
    },
    **{f"powers | {times} {up}": partial(powers, times, up) for times in (1, 2, 3) for up in (0, 1)},
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
