"""The loss grid's directions, against hockey sticks computed from plain lists of outcomes at 50 digits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.composition import loss_grid
from privref.composition.gaussian_cells import GaussianCells
from privref.composition.loss_grid import Atom, AtomLaw, Grid
from privref.exact import decide

BITS = 80
UNIT = Fraction(1, 2**30)
AR = decide.engine("arb", 256)
MP = mpmath.mp.clone()
MP.dps = 50
Pairs = list[tuple[mpmath.mpf, mpmath.mpf]]


def number(x: Fraction | int) -> mpmath.mpf:
    return MP.mpf(Fraction(x).numerator) / Fraction(x).denominator


def response(eps: Fraction) -> Pairs:
    plus = 1 / (1 + MP.exp(-number(eps)))
    return [(plus, 1 - plus), (1 - plus, plus)]


def product(*laws: Pairs) -> Pairs:
    found: Pairs = [(MP.mpf(1), MP.mpf(1))]
    for law in laws:
        found = [(p * a, q * b) for p, q in found for a, b in law]
    return found


def hockey_stick(pairs: Iterable[tuple[mpmath.mpf, mpmath.mpf]], eps: Fraction) -> mpmath.mpf:
    return MP.fsum(max(p - MP.exp(number(eps)) * q, 0) for p, q in pairs)


def normaliser(eps: Fraction, tilt: Fraction) -> mpmath.mpf:
    return MP.fsum(p * MP.exp(number(tilt) * (MP.log(p) - MP.log(q))) for p, q in response(eps))


def spread_pairs(eps: Fraction, n: int, grid: Grid) -> Pairs:
    """The spread law as outcomes; upper bounds of its masses."""
    with AR.active():
        cells = loss_grid.spread(loss_grid.randomized_response(AR, int(eps / UNIT), n, grid), grid)
    scale = normaliser(eps, grid.tilt) ** n / MP.mpf(2) ** grid.bits
    found = []
    for j, (_, high) in cells.bounds.items():
        loss = number(j * grid.step)
        p = high * scale * MP.exp(-number(grid.tilt) * loss)
        found.append((p, p * MP.exp(-loss)))
    return found


def merged_pairs(eps: Fraction, n: int, grid: Grid) -> Pairs:
    """The labels' masses: lower bounds under P, upper bounds under Q."""
    with AR.active():
        p_cells, q_cells = loss_grid.merge(loss_grid.randomized_response(AR, int(eps / UNIT), n, grid), grid)
    scale = normaliser(eps, grid.tilt) ** n / MP.mpf(2) ** grid.bits
    assert q_cells.grid.tilt == grid.tilt + 1
    found = []
    for j, (low, _) in p_cells.bounds.items():
        loss = number(j * grid.step)
        high = q_cells.bounds[j][1]
        found.append(
            (
                low * scale * MP.exp(-number(grid.tilt) * loss),
                high * scale * MP.exp(-number(grid.tilt + 1) * loss),
            )
        )
    return found


units = st.integers(1, 2**31).map(lambda n: n * UNIT)
tilts = st.fractions(0, 6, max_denominator=16)
strides = st.integers(1, 2**29)
SLACK = MP.mpf(2) ** (20 - BITS)


@settings(max_examples=60, deadline=None)
@given(units, units, tilts, strides, st.fractions(-2, 4, max_denominator=1000))
def test_a_spread_dominates_and_a_merge_is_dominated(
    first: Fraction, second: Fraction, tilt: Fraction, stride: int, eps: Fraction
) -> None:
    """Alone, and in composition with another round."""
    grid = Grid(UNIT, stride, BITS, tilt)
    true, other = response(first), response(second)
    upper, lower = spread_pairs(first, 1, grid), merged_pairs(first, 1, grid)
    for companions in ([], [other], [other, other]):
        exact = hockey_stick(product(true, *companions), eps)
        assert hockey_stick(product(upper, *companions), eps) >= exact * (1 - MP.mpf(10) ** -40)
        assert hockey_stick(product(lower, *companions), eps) <= exact * (1 + MP.mpf(10) ** -40)


@settings(max_examples=40, deadline=None)
@given(units, tilts, strides)
def test_a_spread_keeps_the_mass_of_both_laws(eps: Fraction, tilt: Fraction, stride: int) -> None:
    found = spread_pairs(eps, 3, Grid(UNIT, stride, BITS, tilt))
    for side in (0, 1):
        # A unit of tilted mass is e^(-tilt l) of mass: allow for the rounding of each cell at the lowest loss.
        growth = MP.exp(number((tilt + 1) * 4 * max(eps, stride * UNIT)))
        assert abs(MP.fsum(pair[side] for pair in found) - 1) <= SLACK * growth


def test_the_error_is_of_second_order() -> None:
    """On a smooth law, half the step leaves a quarter of the error of a spread and of a merge."""
    mu, at = Fraction(1), Fraction(1, 3)
    exact = MP.ncdf(MP.mpf(1) / 6) - MP.exp(number(at)) * MP.ncdf(-MP.mpf(5) / 6)
    excess, deficit = [], []
    for bits in (4, 5, 6):
        grid = Grid(UNIT, 2 ** (30 - bits), 100)
        with AR.active():
            (cells,) = loss_grid.spread_gaussian(AR, mu, grid, -(10 << bits), 10 << bits)
            p_cells, q_cells = loss_grid.merge_gaussian(AR, mu, grid, -(10 << bits), 10 << bits)
        unit = MP.mpf(2) ** -100
        upper = [(high * unit, high * unit * MP.exp(-number(j * grid.step))) for j, (_, high) in cells.bounds.items()]
        lower = [
            (low * unit, q_cells.bounds[j][1] * unit * MP.exp(-number(j * grid.step)))
            for j, (low, _) in p_cells.bounds.items()
        ]
        excess.append(hockey_stick(upper, at) - exact)
        deficit.append(exact - hockey_stick(lower, at))
    for errors in (excess, deficit):
        assert 0 < errors[2] < errors[1] < errors[0] < MP.mpf(1) / 1000
    assert 3 < excess[0] / excess[1] < 5
    assert deficit[2] < deficit[0] / 8


@settings(max_examples=12, deadline=None)
@given(
    st.fractions(Fraction(1, 10**4), 100, max_denominator=10**4),
    st.fractions(0, 300, max_denominator=64),
    st.integers(5, 9),
    st.sampled_from(("arb", "mpmath")),
)
def test_the_series_of_a_gaussian_round_are_its_tails(
    mu_squared: Fraction, tilt: Fraction, fineness: int, engine: decide.EngineName
) -> None:
    """Points by recurrence and polynomial against each point from the normal distribution function."""
    step = Fraction(math.isqrt(int(mu_squared * 10**12)), 10**6) / 2**fineness
    mean = round((tilt + Fraction(1, 2)) * mu_squared / step)
    ar = decide.engine(engine, 128)
    grid = Grid(step, 1, BITS, tilt)
    for low in (mean - 2 ** (fineness + 3), mean + 2**fineness):
        cells = GaussianCells(ar, mu_squared, step, tilt, low, low + 40, BITS)
        if not cells.reachable:
            continue
        with pytest.MonkeyPatch.context() as patch:
            fast = loss_grid.spread_gaussian(ar, mu_squared, grid, low, low + 40)
            fast += loss_grid.merge_gaussian(ar, mu_squared, grid, low, low + 40)
            patch.setattr(GaussianCells, "reachable", False)
            slow = loss_grid.spread_gaussian(ar, mu_squared, grid, low, low + 40)
            slow += loss_grid.merge_gaussian(ar, mu_squared, grid, low, low + 40)
        for n, (one, other) in enumerate(zip(fast, slow, strict=True)):
            # The slow spread has nothing from beyond its ends.
            for j in range(low + (not n), low + 41 - (not n)):
                assert one.bounds[j][0] <= other.bounds[j][1]
                assert other.bounds[j][0] <= one.bounds[j][1]
                assert one.bounds[j][1] - one.bounds[j][0] <= 1


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize("tilt", [Fraction(0), Fraction(5, 4)])
def test_equal_rounds_are_one_binomial_law(n: int, tilt: Fraction) -> None:
    eps = Fraction(1, 4)
    with AR.active():
        law = loss_grid.randomized_response(AR, int(eps / UNIT), n, Grid(UNIT, 1, BITS, tilt))
    unit = MP.mpf(2) ** (BITS + loss_grid.GUARD_BITS)
    plus = 1 / (1 + MP.exp(-(1 + 2 * number(tilt)) * number(eps)))
    found = {atom.loss: atom for atom in law.atoms}
    for l in range(n + 1):
        exact = MP.binomial(n, l) * plus ** (n - l) * (1 - plus) ** l * unit
        atom = found.get((n - 2 * l) * int(eps / UNIT), Atom(0, 0, 1))
        assert atom.lower <= exact <= atom.upper
        assert atom.upper - atom.lower <= n + 2
    assert law.total == 2 ** (BITS + loss_grid.GUARD_BITS)


def test_what_is_left_out_is_in_the_total() -> None:
    law = AtomLaw([Atom(5, 10**30, 10**30)], 3 * 10**30)
    grid = Grid(UNIT, 3, BITS, Fraction(2))
    assert loss_grid.spread(law, grid).total * 2**loss_grid.GUARD_BITS >= 3 * 10**30
    assert all(cells.total * 2**loss_grid.GUARD_BITS >= 3 * 10**30 for cells in loss_grid.merge(law, grid))


def test_windows_and_products_keep_account_of_what_is_missing() -> None:
    """Convolution, rounding and cutting: the kept masses are lower bounds and nothing disappears from the total."""
    grid = Grid(UNIT, 2**24, 40)
    with AR.active():
        law = loss_grid.spread(loss_grid.randomized_response(AR, 12345678, 5, grid), grid).measure()
    square = law * law
    exact: dict[int, int] = {}
    for i, a in law.items():
        for j, b in law.items():
            exact[i + j] = exact.get(i + j, 0) + a * b
    assert dict(square.items()) == {j: m >> 40 for j, m in exact.items() if m >> 40}
    assert square.total << 40 >= law.total**2
    middle = (square.low + square.high) // 2
    cut = square.window(middle, middle + 2)
    assert dict(cut.items()) == {j: m for j, m in square.items() if j in (middle, middle + 1)}
    assert cut.total == square.total
    assert cut.missing == square.missing + square.masses.sum() - cut.masses.sum()
    with pytest.raises(ValueError, match="one grid"):
        law * loss_grid.GridLaw(replace(grid, stride=2 * grid.stride), {0: (1, 1)}, 1).measure()


@settings(max_examples=15, deadline=None)
@given(
    st.fractions(Fraction(1, 20), 2, max_denominator=50),
    tilts,
    st.fractions(0, 4, max_denominator=100),
    st.integers(25, 29),
)
def test_a_gaussian_round_is_bracketed(mu: Fraction, tilt: Fraction, eps: Fraction, stride_bits: int) -> None:
    """The spread law dominates the Gaussian profile and the merged one is below it, also composed with a response."""
    grid = Grid(UNIT, 2**stride_bits, BITS, tilt)
    reach = int(9 * mu / grid.step) + 2
    centre = int((tilt + Fraction(1, 2)) * mu * mu / grid.step)
    with AR.active():
        (upper,) = loss_grid.spread_gaussian(AR, mu * mu, grid, centre - reach, centre + reach)
        p_cells, q_cells = loss_grid.merge_gaussian(AR, mu * mu, grid, centre - reach, centre + reach)
    scale = MP.exp(number(loss_grid.log_gaussian_normaliser(mu * mu, tilt))) / MP.mpf(2) ** BITS

    def untilted(mass: int, j: int, by: Fraction) -> mpmath.mpf:
        return mass * scale * MP.exp(-number(by * j * grid.step))

    def profile(x: Fraction) -> mpmath.mpf:
        ratio, half = number(x) / number(mu), number(mu) / 2
        return MP.ncdf(half - ratio) - MP.exp(number(x)) * MP.ncdf(-half - ratio)

    above: Pairs = []
    for j, (_, high) in upper.bounds.items():
        p = untilted(high, j, tilt)
        above.append((p, p * MP.exp(-number(j * grid.step))))
    missing = upper.total - sum(low for low, _ in upper.bounds.values())
    # A missing unit at a loss s counts at most e^(-tilt s) (1 - e^(eps - s))_+ <= e^(-tilt eps).
    slack = untilted(missing, 0, tilt) * MP.exp(-number(tilt * (eps - 1)))
    below: Pairs = [
        (untilted(low, j, tilt), untilted(q_cells.bounds[j][1], j, tilt + 1)) for j, (low, _) in p_cells.bounds.items()
    ]
    round_ = response(Fraction(1, 2))
    exact = MP.fsum(p * profile(eps - x) for (p, _), x in zip(round_, (Fraction(1, 2), Fraction(-1, 2)), strict=True))
    assert hockey_stick(above, eps) + slack >= profile(eps)
    assert hockey_stick(below, eps) <= profile(eps) * (1 + MP.mpf(10) ** -40)
    assert hockey_stick(product(above, round_), eps) + 2 * slack >= exact
    assert hockey_stick(product(below, round_), eps) <= exact * (1 + MP.mpf(10) ** -40)


def test_the_fixed_point_exponential_encloses() -> None:
    splitter = loss_grid._Splitter(Grid(Fraction(1, 2**40), 2**30, 64))
    for x in (Fraction(1, 7), Fraction(-1, 3), Fraction(-9, 2), Fraction(40), Fraction(-100), Fraction(-1, 10**40)):
        low, high = splitter.exponential(x, 2**40)
        exact = MP.exp(number(x)) * MP.mpf(2) ** splitter.bits
        assert low <= exact <= high
        assert high - low <= max(4, exact * MP.mpf(2) ** -100)


@pytest.mark.parametrize("tilt", [Fraction(0), Fraction(3, 2)])
@pytest.mark.parametrize(("eps", "count"), [(0, 5), (12345, 0), (12345, 1), (12345, 7), (3 * 10**11, 4)])
def test_the_atoms_of_a_law_enclose_all_of_its_mass(eps: int, count: int, tilt: Fraction) -> None:
    """No loss, no rounds, one and several, and an epsilon whose minus is below one unit: the masses sum to 1."""
    grid = Grid(UNIT, 1, BITS, tilt)
    law = loss_grid.randomized_response(AR, eps, count, grid)
    whole = 1 << (BITS + loss_grid.GUARD_BITS)
    assert all(0 <= atom.lower <= atom.upper for atom in law.atoms)
    assert sum(atom.lower for atom in law.atoms) <= whole <= law.total
    assert sum(atom.upper for atom in law.atoms) >= whole - 2 * (count + 1)
    assert law.total <= whole + 2 * (count + 1) ** 2
    if eps == 0 or count == 0:
        assert law.atoms == [Atom(0, whole, whole)]
