"""The grid against laws written out one by one, closed forms and quadrature."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.exact.integer_poly import IntegerPolynomial
from privref.exact.work import WorkLimitError, apart
from privref.profiles import grid, laws
from privref.profiles.model import (
    Composition,
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    Pair,
    Response,
    Round,
    WorstApproximate,
)

WIDTH = Fraction(1, 10**5)
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 40


def real(value: Fraction) -> mpmath.mpf:
    return CONTEXT.mpf(value.numerator) / value.denominator


def written_out(pair: Pair) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Losses and masses under P from the densities of the outcomes, by definition: log P(x)/Q(x)."""
    exp = CONTEXT.exp
    match pair:
        case Response(epsilon, outcomes):
            p = [exp(real(epsilon))] + [CONTEXT.mpf(1)] * (outcomes - 1)
            q = [CONTEXT.mpf(1), exp(real(epsilon))] + [CONTEXT.mpf(1)] * (outcomes - 2)
        case Geometric(scale, shift):
            places = range(-200, 200 + shift)
            p = [exp(-abs(x) / real(scale)) for x in places]
            q = [exp(-abs(x - shift) / real(scale)) for x in places]
        case DiscreteGaussian(sigma_squared, shift):
            places = range(-120, 121 + shift)
            p = [exp(-x * x / (2 * real(sigma_squared))) for x in places]
            q = [exp(-((x - shift) ** 2) / (2 * real(sigma_squared))) for x in places]
        case _:
            raise AssertionError(pair)
    whole = sum(p)
    whole_q = sum(q)
    return [(CONTEXT.log(a / whole * whole_q / b), a / whole) for a, b in zip(p, q, strict=True)]


def united(atoms: list[tuple[mpmath.mpf, mpmath.mpf]]) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Equal losses as one atom, tiny ones dropped, so that products stay small."""
    found: dict[str, list[mpmath.mpf]] = {}
    for loss, mass in atoms:
        if mass > CONTEXT.mpf(10) ** -25:
            entry = found.setdefault(CONTEXT.nstr(loss, 20), [loss, CONTEXT.mpf(0)])
            entry[1] += mass
    return [(loss, mass) for loss, mass in found.values()]


def law(pairs: list[Pair]) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    total = [(CONTEXT.mpf(0), CONTEXT.mpf(1))]
    for pair in pairs:
        total = united([(a + c, b * d) for (a, b), (c, d) in product(total, united(written_out(pair)))])
    return total


def delta(atoms: list[tuple[mpmath.mpf, mpmath.mpf]], eps: Fraction) -> mpmath.mpf:
    return sum((mass * (1 - CONTEXT.exp(real(eps) - loss)) for loss, mass in atoms if loss > real(eps)), CONTEXT.mpf(0))


def laplace_delta(epsilon: Fraction, at: mpmath.mpf) -> mpmath.mpf:
    """By the definition: P - e^at Q on the event x <= t, which is the best one."""
    if at >= real(epsilon):
        return CONTEXT.mpf(0)
    if at <= -real(epsilon):
        return 1 - CONTEXT.exp(at)
    return 1 - CONTEXT.exp((at - real(epsilon)) / 2)


def holds(found: object, value: mpmath.mpf) -> bool:
    slack = CONTEXT.mpf(10) ** -15
    return bool(real(found.lower) <= value + slack and value - slack <= real(found.upper))  # type: ignore[attr-defined]


def rationals(low: int, high: int) -> st.SearchStrategy[Fraction]:
    return st.builds(Fraction, st.integers(low, high), st.integers(3, 12))


ATOMIC = st.one_of(
    st.builds(Response, rationals(1, 20), st.integers(2, 4)),
    st.builds(Geometric, rationals(1, 30), st.integers(1, 3)),
    st.builds(DiscreteGaussian, rationals(2, 40), st.integers(1, 2)),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(ATOMIC, min_size=1, max_size=2), rationals(0, 12))
def test_delta_of_atomic_laws_is_enclosed(pairs: list[Pair], eps: Fraction) -> None:
    composition = Composition.of([Round(pair) for pair in pairs])
    found = grid.delta_of(composition, eps, WIDTH)
    assert holds(found, delta(law(pairs), eps))
    assert found.upper < Fraction(1, 10**12) or found.relative_width_at_most(WIDTH)


@settings(max_examples=15, deadline=None)
@given(rationals(1, 20), st.lists(ATOMIC, max_size=1), rationals(0, 8))
def test_a_laplace_round_beside_atoms_is_enclosed(epsilon: Fraction, pairs: list[Pair], eps: Fraction) -> None:
    composition = Composition.of([Round(Laplace(epsilon)), *map(Round, pairs)])
    exact = sum((m * laplace_delta(epsilon, real(eps) - l) for l, m in law(pairs)), CONTEXT.mpf(0))
    assert holds(grid.delta_of(composition, eps, WIDTH), exact)


def test_two_laplace_rounds_agree_with_quadrature() -> None:
    first, second, eps = Fraction(1), Fraction(3, 5), Fraction(7, 10)
    a, b = real(first), real(second)

    def at(loss: mpmath.mpf) -> mpmath.mpf:
        return laplace_delta(second, real(eps) - loss)

    breaks = sorted({-a, real(eps) - b, min(real(eps) + b, a), a})
    inside = CONTEXT.quad(lambda l: CONTEXT.exp(-(a - l) / 2) / 4 * at(l), breaks)
    exact = at(a) / 2 + CONTEXT.exp(-a) / 2 * at(-a) + inside
    composition = Composition.of([Round(Laplace(first)), Round(Laplace(second))])
    assert holds(grid.delta_of(composition, eps, Fraction(1, 10**7)), exact)


@settings(max_examples=10, deadline=None)
@given(st.lists(ATOMIC, min_size=1, max_size=2), st.integers(2, 40))
def test_epsilon_is_where_delta_crosses(pairs: list[Pair], inverse: int) -> None:
    atoms, asked = law(pairs), Fraction(1, inverse)
    found = grid.eps_of(Composition.of([Round(pair) for pair in pairs]), asked, WIDTH)
    assert found is not None
    assert delta(atoms, found.upper) <= real(asked) * (1 + CONTEXT.mpf(10) ** -12)
    if found.lower:
        assert delta(atoms, found.lower) >= real(asked) * (1 - CONTEXT.mpf(10) ** -12)


@pytest.mark.parametrize(
    ("rounds", "asked", "around"),
    [
        # Another accountant of privacy loss distributions says 4.6927.
        ([Round(Laplace(Fraction(1, 10)), 100)], "1e-6", "4.69267"),
        ([Round(Laplace(Fraction(1, 100)), 100_000)], "1e-6", "19.38167"),
        ([Round(Response(Fraction(1, 10)), 100)], "1e-6", "4.774567587"),
    ],
)
def test_many_rounds(rounds: list[Round], asked: str, around: str) -> None:
    found = grid.eps_of(Composition.of(rounds), Fraction(asked), WIDTH)
    assert found is not None
    assert abs(found.upper - Fraction(around)) < Fraction(1, 10**4) * 2
    assert found.relative_width_at_most(WIDTH)


def test_gaussians_are_their_closed_form() -> None:
    found = grid.eps_of(Composition.of([Round(Gaussian(Fraction(13, 10000)), 8)]), Fraction(1, 10**5), WIDTH)
    assert found is not None
    # gdp/profile.eps at mu^2 = 0.0104.
    assert found.lower <= Fraction("0.34802445") <= found.upper


def test_the_mass_of_infinite_loss_is_apart() -> None:
    composition = Composition.of([Round(WorstApproximate(Fraction(1, 10), Fraction(1, 100)), 2)])
    assert grid.eps_of(composition, Fraction(1, 100), WIDTH) is None
    pure = law([Response(Fraction(1, 10)), Response(Fraction(1, 10))])
    survival = real(Fraction(99, 100)) ** 2
    found = grid.delta_of(composition, Fraction(1, 20), WIDTH)
    assert holds(found, 1 - survival * (1 - delta(pure, Fraction(1, 20))))
    certain = Composition.of([Round(WorstApproximate(Fraction(1), Fraction(1)))])
    assert grid.delta_of(certain, Fraction(3), WIDTH).lower == 1
    assert grid.eps_of(certain, Fraction(1, 2), WIDTH) is None


def test_small_deltas_keep_their_digits() -> None:
    rounds = [Round(Laplace(Fraction(1, 3)), 200), Round(DiscreteGaussian(Fraction(29, 3), 3), 7)]
    composition = Composition.of(rounds)
    eps = grid.eps_of(composition, Fraction(1, 10**30), WIDTH)
    assert eps is not None
    assert eps.relative_width_at_most(WIDTH)
    assert grid.delta_of(composition, eps.upper, WIDTH).lower <= Fraction(1, 10**30)
    assert grid.delta_of(composition, eps.lower, WIDTH).upper >= Fraction(1, 10**30)


def test_the_second_arithmetic_agrees() -> None:
    composition = Composition.of([Round(Laplace(Fraction(1, 2)), 3), Round(DiscreteGaussian(Fraction(5), 1), 2)])
    found = [grid.delta_of(composition, Fraction(1), WIDTH, engine) for engine in ("arb", "mpmath")]
    assert found[0].intersection(found[1]) is not None
    assert found[1].relative_width_at_most(WIDTH)


def test_a_product_that_is_kept_for_the_second_engine_is_charged_to_both() -> None:
    """What is answered and what is refused does not depend on what was asked before."""
    place = grid.Grid(Fraction(1, 64), 1, 60)
    ar = decide.engine("arb", 192)
    pair = DiscreteGaussian(Fraction(5), 1)
    placed = ((laws.spread(ar, pair, place, laws.atoms_for(ar, pair, place)).measure(),),)
    setting = grid.ProfileSetting(place, 30.0, False, 1000)

    def composed(units: int) -> tuple[Any, int]:
        with apart(units) as spent:
            return grid._composed(placed, (1000,), setting), spent()

    grid._kept_product.cache_clear()
    known = composed(10**6)
    assert known == composed(10**6)
    assert known[1] > 100
    for _ in range(2):
        with pytest.raises(WorkLimitError):
            composed(known[1] - 1)
        grid._kept_product.cache_clear()


def test_a_long_product_is_not_kept() -> None:
    """Laws of few points may have a product of millions: what is kept is bounded with it."""
    found = grid.GridMeasure(
        grid.Grid(Fraction(1, 8), 1, 40), -1, IntegerPolynomial([1 << 38, 1 << 39, 1 << 38]), 1 << 40
    )
    for points, kept in ((64, 1), (1 << 19, 1), (1 << 20, 0)):
        setting = grid.ProfileSetting(found.grid, 20.0, False, points)
        grid._kept_product.cache_clear()
        (whole,) = grid._composed(((found,),), (3,), setting)
        assert grid._kept_product.cache_info().currsize == kept
        assert whole.masses == (found * found * found).masses


def test_rounds_that_lose_nothing_do_not_count() -> None:
    nothing = Composition.of([Round(Laplace(Fraction(0)), 9), Round(Response(Fraction(0)), 2)])
    assert grid.delta_of(nothing, Fraction(0), WIDTH).upper == 0
    assert grid.eps_of(nothing, Fraction(1, 2), WIDTH).upper == 0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "rounds",
    [
        [Round(Laplace(Fraction(1, 10)), 10**10)],
        [Round(DiscreteGaussian(Fraction(10**12), 1))],
        [Round(Geometric(Fraction(1), 10**7))],
    ],
)
def test_what_is_out_of_reach_is_said_to_be(rounds: list[Round]) -> None:
    with pytest.raises(UndecidedError, match="out of"):
        grid.delta_of(Composition.of(rounds), Fraction(1), WIDTH)


@settings(max_examples=20, deadline=None)
@given(ATOMIC | st.builds(Laplace, rationals(1, 20)), st.integers(0, 3), st.integers(2, 40))
def test_each_law_keeps_its_mass(pair: Pair, tilt: int, parts: int) -> None:
    """Spread and merged masses add up to the tilted law's, within what they say is missing; Q has mass one as well."""
    place = grid.Grid(Fraction(1, parts), 1, 120, Fraction(0))
    ar = decide.engine("arb")
    found = laws.atoms_for(ar, pair, place)
    for cells in (laws.spread(ar, pair, place, found), *laws.merge(ar, pair, place, found)):
        measure = cells.measure()
        unit = laws.normaliser(pair, Fraction(0))
        assert abs(unit) < Fraction(1, 100)
        total = sum(Fraction(mass, 1 << 120) * _untilted(j, cells.grid) for j, mass in measure.items())
        assert abs(total * Fraction(CONTEXT.nstr(CONTEXT.exp(real(unit)), 30)) - 1) < Fraction(1, 10**9)


def _untilted(index: int, place: grid.Grid) -> Fraction:
    return Fraction(CONTEXT.nstr(CONTEXT.exp(-real(place.tilt * index * place.step)), 35))
