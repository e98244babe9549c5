"""Batches drawn with replacement: why the pair of profiles/with_replacement.py dominates, and what is lost at least.

The proof is in that module. Here small mechanisms are worked out exactly: all batches, all values of the others, and
noise on whole numbers whose ratios rise along the line, as a normal law's do.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import sympy as sp

from proofs.chua2024b import truncated as exact

from .steps import Derivation, Step, identity

F = Fraction
Law = dict[object, Fraction]
#: Draws and records.
_SMALL = ((1, 3), (2, 2), (2, 3), (3, 3))
_SCALES = (F(1), F(9, 8), F(3, 2), F(3))


#: No sum is farther from 0: where answers beyond it are one answer, nothing is lost of their ratios.
_END = 7


@cache
def _noise(total: int) -> Law:
    """The sum with noise of mass 2^-|z|/3, clamped."""
    inside = {at: F(1, 3) * F(1, 2) ** abs(at - total) for at in range(1 - _END, _END)}
    below, above = (F(2, 3) * F(1, 2) ** abs(end - total) for end in (-_END, _END))
    return {-_END: below, **inside, _END: above}


def _mixed(parts: list[tuple[Fraction, Law]]) -> Law:
    found: Law = {}
    for chance, law in parts:
        for answer, mass in law.items():
            found[answer] = found.get(answer, F(0)) + chance * mass
    return found


def _copies(draws: int, records: int) -> list[Fraction]:
    """The chances of 0, 1, ... copies of one record."""
    return [comb(draws, k) * F(1, records) ** k * F(records - 1, records) ** (draws - k) for k in range(draws + 1)]


def _law(draws: int, x: int, others: tuple[int, ...]) -> Law:
    """The answers: each draw takes any of the records, x among them."""
    values = (x, *others)
    every = list(product(values, repeat=draws))
    return _mixed([(F(1, len(every)), _noise(sum(batch))) for batch in every])


def _one_copy(rate: Fraction, moved: int, other: int) -> tuple[Law, Law]:
    """A sample without replacement of that rate: the record is in it, or what is in its place."""
    return (
        _mixed([(1 - rate, _noise(0)), (rate, _noise(moved))]),
        _mixed([(1 - rate, _noise(0)), (rate, _noise(other))]),
    )


@cache
def _most(rate: Fraction, k: int, scale: Fraction, reach: int, change: int) -> Fraction:
    """The most that k copies of a record lose in one sample, whatever is in their place."""
    moves = range(-reach * k, reach * k + 1)
    pairs = ((u, v) for u, v in product(moves, moves) if abs(u - v) <= change * k)
    return max(exact.hockey_stick(*_one_copy(rate, u, v), scale) for u, v in pairs)


def _shares(chances: list[Fraction]) -> list[list[Fraction]]:
    """Several c_k for the same chances: in proportion to them, and as nearly equal as they may be."""
    free = 1 - sum(chances)
    return [[each / sum(chances) for each in chances], [each + free / len(chances) for each in chances]]


def _dominated() -> bool:
    """No more than the mean over the number of copies, by any c_k, for all others; x replaced, or zeroed out."""
    tight = 0
    for (draws, records), scale in product(_SMALL, _SCALES):
        chances = _copies(draws, records)[1:]
        for c in _shares(chances):
            for reach, change, pairs in ((2, 2, ((1, -1), (-1, 1))), (2, 1, ((1, 0), (0, 1)))):
                most = sum(
                    (share * _most(chance / share, k, scale, reach, change)
                     for k, (share, chance) in enumerate(zip(c, chances, strict=True), 1)),
                    F(0),
                )  # fmt: skip
                for others, (x, other) in product(product((1, 0, -1), repeat=records - 1), pairs):
                    lost = exact.hockey_stick(_law(draws, x, others), _law(draws, other, others), scale)
                    if lost > most:
                        return False
                    tight += lost * 2 > most > 0
    return tight > 0


def _at_least() -> bool:
    """If the others contribute nothing, no less than a Poisson sample whose rate is the chance of any copy."""
    for (draws, records), scale in product(_SMALL, _SCALES):
        others = (0,) * (records - 1)
        here, there = _law(draws, 1, others), _law(draws, 0, others)
        pair = _one_copy(1 - _copies(draws, records)[0], 1, 0)
        if exact.hockey_stick(here, there, scale) < exact.hockey_stick(*pair, scale):
            return False
        if exact.hockey_stick(there, here, scale) < exact.hockey_stick(pair[1], pair[0], scale):
            return False
    return True


def _one_copy_is_not_enough() -> bool:
    """Without the further copies the bound is too small: somewhere more is lost."""
    beyond = 0
    for (draws, records), scale in product(_SMALL[1:], _SCALES):
        some = 1 - _copies(draws, records)[0]
        others = (-1,) * (records - 1)
        lost = exact.hockey_stick(_law(draws, 1, others), _law(draws, -1, others), scale)
        beyond += lost > _most(some, 1, scale, 2, 2)
    return beyond > 0


q, c, w, still, there = sp.symbols("q c w still there")

DERIVATIONS = (
    Derivation(
        "batches drawn with replacement (zdw2022/thm10)",
        (),
        (
            identity(
                "the law is a mixture of samples of the rates q/c and w/(1 - c), told apart by a label",
                (1 - q - w) * still + q * there + w * there**2,
                c * ((1 - q / c) * still + q / c * there)
                + (1 - c) * ((1 - w / (1 - c)) * still + w / (1 - c) * there**2),
            ),
            identity(
                "a sample of a smaller rate is a mixture of one of a larger one and of no record",
                (1 - w * q) * still + w * q * there,
                w * ((1 - q) * still + q * there) + (1 - w) * still,
            ),
            Step("small mechanisms lose no more than the mean over the copies, for all others", _dominated),
            Step("and no less than a Poisson sample of the rate of any copy, in both orientations", _at_least),
            Step("one copy alone would not bound them", _one_copy_is_not_enough),
        ),
    ),
)
