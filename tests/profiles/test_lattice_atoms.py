"""Discrete Gaussian rounds on a grid by recurrences in integers, against an exponential for each atom."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.composition.loss_grid import GUARD_BITS, Grid
from privref.exact import decide
from privref.profiles import lattice_atoms, laws
from privref.profiles.contradiction import log_moment
from privref.profiles.lattice_atoms import LatticeAtoms
from privref.profiles.model import DiscreteGaussian

PAIRS = st.builds(
    DiscreteGaussian, st.builds(Fraction, st.integers(1, 900), st.integers(1, 40)), st.sampled_from([1, 1, 2, 5])
)
GRIDS = st.builds(
    Grid,
    st.sampled_from([Fraction(1), Fraction(1, 3), Fraction(1, 7), Fraction(1, 1024)]),
    st.just(1),
    st.sampled_from([50, 90]),
    st.sampled_from([Fraction(-1, 2), Fraction(0), Fraction(3, 4), Fraction(1)]),
)


@settings(max_examples=15)
@given(PAIRS, GRIDS, st.sampled_from(["arb", "mpmath"]))
def test_the_cells_are_those_of_the_exponentials(pair: DiscreteGaussian, grid: Grid, engine: decide.EngineName) -> None:
    """Cell by cell both enclose the same number, at most a unit apart; so the engines put the same integers there."""
    ar = decide.engine(engine, 192)
    found = laws.atoms_for(ar, pair, grid)
    assert isinstance(found, LatticeAtoms)
    inner = ar.at(grid.bits + 3 * GUARD_BITS)
    with inner.active():
        written_out = laws.atoms(inner, pair, grid.tilt, grid.bits + GUARD_BITS)
    for one, other in zip(
        (laws.spread(ar, pair, grid, found), *laws.merge(ar, pair, grid, found)),
        (laws.spread(ar, pair, grid, written_out), *laws.merge(ar, pair, grid, written_out)),
        strict=True,
    ):
        assert one.bounds.keys() == other.bounds.keys()
        assert abs(one.total - other.total) <= 1
        for j, (lower, upper) in one.bounds.items():
            assert upper - lower <= 1
            assert lower <= other.bounds[j][1]
            assert other.bounds[j][0] <= upper


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_a_ratio_of_many_steps_is_enclosed_to_the_last_bits(engine: decide.EngineName) -> None:
    """The bits that the recurrences have beyond the grid's cover what 10^4 steps lose."""
    grid = Grid(Fraction(1, 100), 1, 60)
    ar, variance, count = decide.engine(engine, 256), Fraction(10**8), 10**4
    bits = lattice_atoms.wide(grid, count)
    with ar.active():
        found = lattice_atoms.falling(ar, ar.real(1), Fraction(-1, 2), variance, count, bits)
        last = ar.in_units(ar.exp(-((count - Fraction(3, 2)) ** 2) / (2 * variance)), bits)
    assert last is not None
    low, high = found[-1]
    assert low <= last[1]
    assert last[0] <= high
    assert high - low < 1 << (bits - grid.bits - GUARD_BITS)


def test_where_tilting_changes_much_within_a_step_every_atom_has_its_own_exponential() -> None:
    assert lattice_atoms.is_reachable(Grid(Fraction(1, 2), 2, 60, Fraction(1)))
    for grid in (Grid(Fraction(1), 1, 60, Fraction(9, 8)), Grid(Fraction(9, 8), 1, 60)):
        assert not lattice_atoms.is_reachable(grid)
        found = laws.atoms_for(decide.engine("arb", 192), DiscreteGaussian(Fraction(3), 1), grid)
        assert isinstance(found, laws.Atoms)


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize("variance", [Fraction(1, 10**9), Fraction(1, 150), Fraction(3), Fraction(10**4)])
def test_a_gaussian_sum_has_the_digits_of_its_arithmetic(engine: decide.EngineName, variance: Fraction) -> None:
    """Of a noise that is hardly ever not 0, whose other masses cannot be written down, and of one of many points."""
    ar = decide.engine(engine, 64)
    with ar.active():
        found = ar.enclosure(laws.theta(ar, variance, 64))
    mpf = mpmath.MPContext()
    mpf.dps = 40
    terms = (mpf.exp(-mpf.mpf(x * x * variance.denominator) / (2 * variance.numerator)) for x in range(1, 1200))
    exact = Fraction(*mpmath.libmp.to_rational((1 + 2 * mpf.fsum(terms))._mpf_))
    assert found is not None
    assert found.lower <= exact + Fraction(1, 10**30)
    assert exact - Fraction(1, 10**30) <= found.upper
    assert found.relative_width_at_most(Fraction(1, 2**56))


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_a_moment_of_hardly_any_noise_is_known(engine: decide.EngineName) -> None:
    """Order 2 of the discrete Gaussian is about 1/sigma^2, however small the masses beside 0 are."""
    ar = decide.engine(engine, 64)
    with ar.active():
        found = ar.enclosure(log_moment(ar, DiscreteGaussian(Fraction(1, 10**9), 1), Fraction(1)))
    assert found is not None
    assert found.lower <= 10**9 <= found.upper
    assert found.relative_width_at_most(Fraction(1, 2**50))
