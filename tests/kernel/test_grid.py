"""Laws on a grid: bounds on both sides of the exact profile, in both orders of the two laws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.kernel.balls import end, rational, working
from privref.kernel.fields import Fields
from privref.kernel.grid import Grid, event_laws, lower_delta, upper_delta
from privref.kernel.losses import cells
from privref.kernel.numbers import Refused
from privref.kernel.pairs import (
    DiscreteNormal,
    DoubleExponential,
    InBins,
    Normal,
    Pair,
    Response,
    Revealed,
    TwoAnswers,
    TwoSidedGeometric,
    WorstApproximate,
)
from privref.kernel.record import normal_delta
from privref.kernel.refutations import steps_of
from proofs.feldman2025 import allocation

TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    ("steps", "held", "sigma", "weight", "threshold"),
    [(2, 1, "1", "1/4", 9), (3, 2, "1", "2", 14), (4, 2, "2", "1/4", 12), (3, 1, "1/2", "3", 25)],
)
def test_a_run_in_some_steps_is_as_a_list_of_all_sets_and_levels(
    steps: int, held: int, sigma: str, weight: str, threshold: int
) -> None:
    """The definition, at 30 digits: the mean over all sets of steps, and each step's level, listed."""
    mesh, eps = Fraction(1, 10), Fraction(1, 2)
    grid = Grid(mesh, 128, -1, 2000, 2000)
    with Fields({"weight": weight}, "witness") as witness:
        rounds = steps_of(Pair(InBins(steps, held / Fraction(sigma) ** 2, held)), witness)
    with working(256):
        found = end(lower_delta(rounds, True, grid, threshold, eps), up=False)
    exact = allocation.bound(steps, held, Fraction(sigma), eps, Fraction(weight), mesh, threshold)
    assert -1e-25 < exact - allocation.real(found) < 1e-25


def on_bins(bins: int, square: Fraction, times: int, removal: bool, grid: Grid, epsilon: Fraction) -> Fraction:
    """The upper bound of runs on bins."""
    with working(512):
        return end(upper_delta([(Pair(InBins(bins, square)), times)], removal, grid, epsilon), up=True)


#: Grids of balls in bins, from one that is useful to ones that say next to nothing.
OF_BINS = [
    Grid(Fraction(1, 64), 96, -300, 500, 256, 4096), Grid(Fraction(1, 8), 48, -40, 60, 30, 200),
    Grid(Fraction(1, 3), 40, -3, 9, 4, 64), Grid(Fraction(1), 32, -2, 3, 2, 16), Grid(Fraction(2), 32, -1, 1, 1, 16),
]  # fmt: skip


@pytest.mark.parametrize("removal", [True, False])
@pytest.mark.parametrize("grid", OF_BINS, ids=lambda grid: str(grid.step))
@pytest.mark.parametrize(("square", "times"), [("1/4", 1), ("1/4", 5), ("1", 3), ("9", 1)])
def test_runs_on_one_bin_lose_at_most_what_is_said_and_no_less_than_a_gaussian(
    square: str, times: int, grid: Grid, removal: bool
) -> None:
    """One bin holds every record: the runs are one Gaussian query. A useful grid is within a hundredth."""
    for epsilon in (Fraction(0), Fraction(1, 2), Fraction(2)):
        with working(256):
            exact = end(normal_delta(times * Fraction(square), epsilon), up=False)
        found = on_bins(1, Fraction(square), times, removal, grid, epsilon)
        assert found >= exact
        if grid == OF_BINS[0] and square != "9":
            assert found <= exact * Fraction(101, 100) + Fraction(1, 10**6)


@pytest.mark.parametrize(("bins", "square", "times"), [(2, "1", 1), (3, "1/4", 2), (2, "4", 2), (20, "1", 1)])
def test_runs_on_bins_lose_no_less_than_a_test_of_their_steps(bins: int, square: str, times: int) -> None:
    """The sum of the ratios is the best test of one run; on every grid the bound is above all of its thresholds."""
    weight, points = Fraction(1, 2**30), 512
    with Fields({"weight": str(weight)}, "witness") as witness:
        steps = [(part, times * n) for part, n in steps_of(Pair(InBins(bins, Fraction(square))), witness)]
    plan = Grid(weight * times * bins * 8 / points, 64, -1, points + bins * times, points)
    for epsilon in (Fraction(0), Fraction(3, 2)):
        shown = best_event(steps, True, plan, epsilon)
        for grid in OF_BINS:
            found = on_bins(bins, Fraction(square), times, True, grid, epsilon)
            assert found >= shown
            if grid == OF_BINS[0] and times == 1:
                assert shown > found * Fraction(9, 10)


def test_a_lattice_of_another_run_is_no_bound() -> None:
    """Each of these is above the loss of more bins, or of fewer runs, and not above its own."""
    with working(256):
        assert on_bins(4, Fraction(1), 2, True, OF_BINS[0], Fraction(1)) < on_bins(
            4, Fraction(1), 3, True, OF_BINS[0], Fraction(1)
        )
        assert on_bins(5, Fraction(1), 2, True, OF_BINS[0], Fraction(1)) < on_bins(
            4, Fraction(1), 2, True, OF_BINS[0], Fraction(1)
        )


@pytest.mark.parametrize("base", [Normal(Fraction(1, 4)), DoubleExponential(Fraction(1, 3)), Response(Fraction(1, 2))])
def test_what_is_revealed_loses_a_part_of_what_its_base_loses(base: Any) -> None:
    """Of one round delta is the chance times that of the base, at every epsilon."""
    grid = Grid(Fraction(1, 512), 96, -4000, 4000, 4000)
    for epsilon in (Fraction(0), Fraction(1, 8), Fraction(1, 4)):
        with working(256):
            whole, part = (
                end(upper_delta([(pair, 1)], True, grid, epsilon), up=True)
                for pair in (Pair(base), Pair(Revealed(((TENTH, Pair(base)),))))
            )
            assert abs(part - whole / 10) < Fraction(1, 10**25)


#: What the growth of epsilon, rounded up, takes from a lower bound.
TINY = Fraction(1, 2**100)
#: A pair, and the same mechanism as a statement of the reference takes it.
KNOWN: dict[str, tuple[Pair, dict[str, Any]]] = {
    "gaussian": (Pair(Normal(Fraction(1, 4))), {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}),
    "laplace": (Pair(DoubleExponential(Fraction(1, 3))), {"kind": "laplace", "scale": "3", "sensitivity": "1"}),
    "discrete": (
        Pair(DiscreteNormal(Fraction(5), 2)), {"kind": "discrete-gaussian", "sigma_squared": "5", "shifts": ["2"]}),
    "geometric": (Pair(TwoSidedGeometric(Fraction(5), 3)), {"kind": "geometric", "scale": "5", "shifts": ["3"]}),
    "response": (
        Pair(Response(Fraction(1, 2), 4)), {"kind": "randomized-response", "epsilon": "1/2", "outcomes": "4"}),
    "worst": (
        Pair(WorstApproximate(Fraction(1, 2), Fraction(1, 1000))),
        {"kind": "four-outcome-randomized-response", "epsilon": "1/2", "delta": "1/1000"}),
}  # fmt: skip


def window(step: Fraction, reach: int = 12) -> Grid:
    wide = int(reach / step)
    return Grid(step, 128, -wide, wide, wide)


def best_event(rounds: list[tuple[Pair, int]], removal: bool, grid: Grid, epsilon: Fraction) -> Fraction:
    """The largest lower bound of all thresholds, each as ``lower_delta`` has it."""
    first, second = event_laws(rounds, removal, grid)
    with working(256):
        growth = end(rational(epsilon).exp(), up=True)
    found, p, q = [], first.infinite, second.infinite
    for j in range(grid.high, grid.low - 1, -1):
        p += first.masses[j - first.low] if 0 <= j - first.low < len(first.masses) else 0
        q += second.masses[j - second.low] if 0 <= j - second.low < len(second.masses) else 0
        found.append(Fraction(p) - growth * q)
    best = max(found) / 2**grid.bits
    threshold = grid.high - found.index(max(found))
    with working(256):
        assert end(lower_delta(rounds, removal, grid, threshold, epsilon), up=False) >= best - TINY
    return best


def sampled(pair: Pair, rate: Fraction) -> Pair:
    return Pair(pair.base, rate)


@pytest.mark.parametrize("rate", [None, Fraction(1, 3)], ids=["whole", "sampled"])
@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(3, 10), Fraction(2)], ids=str)
def test_the_exact_profile_lies_between_both_bounds(name: str, rate: Fraction | None, epsilon: Fraction) -> None:
    """Three rounds; the reference takes the larger of both orders where the pair is sampled."""
    pair, document = KNOWN[name]
    if rate is not None:
        if name == "worst":
            pytest.skip("the reference has no law of this sample")
        pair = sampled(pair, rate)
        document = {"kind": "subsampled", "base": document, "rate": str(rate), "sampling": "poisson"}
    exact = privref.evaluate("zdw2022/thm10.delta", {"rounds": [{**document, "count": 3}], "eps": str(epsilon)})
    assert exact.enclosure is not None
    orders = (True,) if rate is None else (True, False)
    uppers, lowers = [], []
    for order in orders:
        fine = window(Fraction(1, 64))
        uppers.append(end(upper_delta([(pair, 3)], order, fine, epsilon), up=True))
        lowers.append(best_event([(pair, 3)], order, fine, epsilon))
    assert max(uppers) >= exact.enclosure.lower
    assert max(lowers) <= exact.enclosure.upper
    # And both are near: a hundredth, and what the cells of three rounds blur.
    assert max(uppers) <= exact.enclosure.upper + Fraction(1, 100)
    assert max(lowers) >= exact.enclosure.lower - Fraction(1, 20)


@given(
    name=st.sampled_from(sorted(KNOWN)),
    step=st.fractions(Fraction(1, 32), Fraction(2)),
    own=st.integers(1, 60),
    wide=st.integers(1, 60),
    rate=st.sampled_from([Fraction(1), Fraction(1, 5)]),
    epsilon=st.fractions(0, 3, max_denominator=20),
    threshold=st.integers(-20, 60),
    removal=st.booleans(),
)
def test_no_window_however_bad_crosses_the_other_bound(
    name: str, step: Fraction, own: int, wide: int, rate: Fraction, epsilon: Fraction, threshold: int, removal: bool
) -> None:
    """A lower bound on any grid is at most an upper bound on any other."""
    pair = sampled(KNOWN[name][0], rate)
    bad = Grid(step, 64, -wide, wide, own)
    fine = window(Fraction(1, 16), 16)
    try:
        low = end(lower_delta([(pair, 2)], removal, bad, threshold, epsilon), up=False)
        above = end(upper_delta([(pair, 2)], removal, bad, epsilon), up=True)
    except Refused:
        return
    assert low <= end(upper_delta([(pair, 2)], removal, fine, epsilon), up=True)
    assert above >= best_event([(pair, 2)], removal, fine, epsilon)


@given(
    width=st.fractions(Fraction(1, 10), 3, max_denominator=20),
    share=st.fractions(0, 1, max_denominator=10),
)
def test_two_answers_have_the_declared_range(width: Fraction, share: Fraction) -> None:
    with working(128):
        found = cells(Pair(TwoAnswers(width, share * width)), True, Fraction(1, 8), -40, 40, 64)
        masses = [(p, q) for _, p, q in (*found.inner, *found.on_grid)]
        assert all(p >= 0 and q >= 0 for p, q in masses if p.rel_accuracy_bits() > 8 and q.rel_accuracy_bits() > 8)
        assert (sum(p for p, _ in masses) - 1).contains(0)
        assert (sum(q for _, q in masses) - 1).contains(0)


def test_a_grid_of_too_much_work_is_refused() -> None:
    pair = KNOWN["gaussian"][0]
    for grid in (
        Grid(TENTH, 128, -(2**21), 2**21, 10), Grid(TENTH, 5000, -9, 9, 9), Grid(Fraction(5), 128, -9, 9, 9),
        Grid(TENTH, 128, 1, 9, 9), Grid(TENTH, 128, -9, 9, 0), Grid(Fraction(1, 10**9), 128, -(2**19), 2**19, 9),
    ):  # fmt: skip
        with pytest.raises(Refused):
            upper_delta([(pair, 10**6)], True, grid, TENTH)
    with pytest.raises(Refused):
        upper_delta([(pair, 10**9)], True, window(TENTH), TENTH)


def test_the_laws_of_an_event_are_rounded_to_different_sides() -> None:
    first, second = event_laws([(KNOWN["laplace"][0], 4)], True, window(TENTH))
    scale = 1 << 128
    assert sum(first.masses) + first.infinite <= scale
    assert sum(second.masses) + second.infinite >= scale - 2**40
