"""Labels so rare that delta hardly shows them: what is left out of a composition, and that it is added again."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from privref.exact import decide
from privref.exact.work import apart
from privref.profiles import composed, exchanged, grid, rare, with_replacement
from privref.profiles.model import (
    TAKEN,
    ZEROED,
    Composition,
    Exchanged,
    Labelled,
    Round,
    SubsampledGaussian,
    WorstApproximate,
    group_pair,
)
from privref.profiles.subsampled import delta_of_one_round

F = Fraction
ARB = decide.engine("arb", 192)
WIDE = F(1)
OFTEN = Exchanged(F(1, 5), F(2), ZEROED, TAKEN)
#: Labels with 1/64 of all rounds.
SELDOM = (
    Exchanged(F(1, 9), F(1, 8), TAKEN, TAKEN),
    Exchanged(F(1, 9), F(1, 2), TAKEN, ZEROED),
    group_pair(F(1, 9), F(1, 4), 2, 1),
    group_pair(F(1, 9), F(1, 4), 1, 3),
    SubsampledGaussian(F(1, 9), F(1, 8)),
    SubsampledGaussian(F(1), F(1, 8)),
)


def _of_one(pair: Labelled, eps: Fraction) -> tuple[Fraction, Fraction]:
    """delta of one round from below and above, in closed form: the larger one of both orientations of each label."""
    low = high = F(0)
    for chance, part in pair.parts:
        of_part = exchanged.delta_of_one_round if isinstance(part, Exchanged) else delta_of_one_round
        found = of_part(ARB, part, eps)  # type: ignore[arg-type]
        low, high = low + chance * found.lower, high + chance * found.upper
    return low, high


@pytest.mark.parametrize("seldom", SELDOM)
def test_of_one_round_no_more_is_missing_than_is_said(
    monkeypatch: pytest.MonkeyPatch, seldom: Exchanged | SubsampledGaussian
) -> None:
    """Whatever epsilon; and of little noise as much at epsilon = 0, where one record is drawn."""
    monkeypatch.setattr(rare, "_SHARE", F(1, 2))
    whole = Labelled(((F(63, 64), OFTEN), (F(1, 64), seldom)))
    core = rare.core_of(Composition.of([Round(whole)]), F(9, 32), WIDE)
    (item,) = core.part.rounds
    assert item.pair == Labelled(((F(63, 64), OFTEN),), F(1, 64))
    lost = []
    for eps in (F(0), F(1, 10), F(1), F(4)):
        (low, high), (core_low, core_high) = _of_one(whole, eps), _of_one(item.pair, eps)
        assert core_low <= high
        assert low <= core_high + core.missing
        lost.append(high - core_low)
    if seldom.sigma == F(1, 8):
        assert max(lost) > core.missing * F(99, 100)


def test_what_is_left_out_is_what_is_rarest_and_no_more_than_the_room() -> None:
    parts = [(F(1, 2 ** (3 * i)), Exchanged(F(1, 2**i), F(1), TAKEN, TAKEN)) for i in range(1, 6)]
    pair = Labelled(tuple(parts), 1 - sum((chance for chance, _ in parts), F(0)))
    part = Composition.of([Round(pair, 7), Round(WorstApproximate(F(0), F(1, 2**40)), 3)])
    # 7/2^20 for the last label, 7/2^16 for the one before.
    core = rare.core_of(part, F(1), F(1024, 2**17))
    assert core.missing == F(7, 2**20) + F(3, 2**40)
    (item,) = core.part.rounds
    assert item == Round(Labelled(tuple(parts[:4]), pair.still + F(1, 2**15)), 7)
    for delta in (F(3, 2**40), F(1, 2**40)):
        # Nothing is left of it for losses that are finite.
        assert rare.core_of(part, delta, WIDE) == rare.Core(part, F(0))


def test_a_loss_of_which_only_a_part_is_infinite_stays() -> None:
    part = Composition.of([Round(WorstApproximate(F(1), F(1, 2**60)), 3), Round(OFTEN, 2)])
    assert rare.core_of(part, F(1, 2), WIDE) == rare.Core(part, F(0))


@pytest.mark.parametrize(("engine", "orientation"), product(["arb", "mpmath"], [0, 1]))
def test_the_bracket_of_a_core_holds_the_epsilon_of_all(
    monkeypatch: pytest.MonkeyPatch, engine: decide.EngineName, orientation: int
) -> None:
    """A fifth of delta is left out, so that both ends of epsilon and of delta show it: they hold those of a grid."""
    monkeypatch.setattr(rare, "_SHARE", F(1, 5))
    seldom = Exchanged(F(1, 2000), F(1, 2), ZEROED, TAKEN)
    whole = Labelled(((F(15, 16), Exchanged(F(1, 50), F(3, 2), ZEROED, TAKEN)), (F(1, 16), seldom)))
    part = Composition.of([Round(whole, 4), Round(WorstApproximate(F(0), F(1, 10**6)), 4)]).orientations[orientation]
    delta = F(1, 1000)
    core = rare.core_of(part, delta, WIDE)
    assert core.missing == F(4, 16 * 2000) + F(4, 10**6)
    monkeypatch.setattr(composed, "core_of", lambda *_: core)
    true, found = grid.eps_of(part, delta, F(1, 1000)), composed._eps_on_grid(part, delta, engine, F(1, 50))
    assert true is not None
    assert found is not None
    assert found.lower <= true.upper
    assert true.lower <= found.upper
    least = grid.eps_of(core.part, delta, F(1, 1000))
    assert least is not None
    assert found.lower <= least.upper < true.lower
    there = composed._delta_on_grid(part, F(1, 10), engine, F(1, 50))
    exactly = grid.delta_of(part, F(1, 10), F(1, 1000))
    assert there.lower <= exactly.lower
    assert exactly.upper <= there.upper
    assert there.upper - there.lower >= core.missing


@pytest.mark.parametrize(
    ("neighbours", "below", "above"), [("zero-out", "1.1548", "1.1551"), ("replace-one", "0.2563", "0.2564")]
)
def test_many_rounds_of_draws_with_replacement_are_narrow_within_little_work(
    neighbours: str, below: str, above: str
) -> None:
    """The labels of many copies made tilted grids long: an audit's work was not enough, or was all spent."""
    multiplier = F(47, 20)
    upper, _ = with_replacement.rounds_of(100, 10_000, (multiplier, multiplier), neighbours)
    run = Composition.of([Round(item.pair, 119 * item.count) for item in upper])
    with apart(4_000_000):
        found = composed._of_eps("arb", run, F(1, 10**7))
    assert found is not None
    assert found.relative_width_at_most(composed.GRID_WIDTH)
    assert F(below) < found.lower
    assert found.upper < F(above) + F(1, 10**4)


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_what_is_missing_is_a_part_of_all_and_not_of_the_finite_losses(engine: decide.EngineName) -> None:
    """Half of the mass loses all, so that of the finite losses twice as much is missing."""
    whole = Composition.of([Round(WorstApproximate(F(1), F(1, 2)), 1)])
    most, least = (grid.eps_of(whole, delta, F(1, 1000), engine) for delta in (F(5, 8), F(3, 4)))
    found = grid.eps_of(whole, F(3, 4), F(1, 1000), engine, missing=F(1, 8))
    assert found is not None
    assert most is not None
    assert least is not None
    assert found.lower <= least.upper
    assert found.upper >= most.lower
