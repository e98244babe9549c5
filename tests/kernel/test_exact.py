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

from privref.kernel.balls import cut_tail, end, rational, working
from privref.kernel.bins import lower_delta, upper_delta
from privref.kernel.grid import Grid, event_laws
from privref.kernel.grid import upper_delta as upper_on_grid
from privref.kernel.numbers import Refused
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
    found = [lower_delta(base, at, points, bits, offset) for offset in (Fraction(0), Fraction(1, 7))]
    found.append(upper_delta(base, at, points, bits))
    assert max(found[:2]) <= found[2]
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


def written(power: int, sign: int) -> str:
    """Both ends of a ball around a power of 2, as they are written out."""
    with working(64):
        ball = sign * rational(3) * rational(2) ** power
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
        for bins in (2, 3, 6) for epsilon in ("0", "1/10", "2") for points, bits in ((40, 40), (64, 96))
    },
    **{
        f"tail | {rate} {cap} {records}": partial(tail, rate, cap, records)
        for rate, cap, records in (
            ("1/10", 6, 20), ("1/10", 20, 20), ("1/2", 3, 4), ("9/10", 2, 30), ("1/100", 1, 50), ("1/1000", 30, 12_000),
            ("1/2", 6_000, 30_000))
    },
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
        for power in (0, -49_998, -50_001, -50_002, -60_000, 49_990, 49_998, 49_999, 60_000) for sign in (1, -1)
    },
}  # fmt: skip


def answer(name: str) -> str:
    """What a case gives, or why it is refused."""
    try:
        return CASES[name]()
    except Refused as refusal:
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
