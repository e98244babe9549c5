"""Contours of products: against one law's contour, the grid, closed forms, and themselves along changed lines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.profiles import contour_mixed, grid, subsampled
from privref.profiles.model import Composition, Gaussian, Laplace, Round, SubsampledGaussian

F = Fraction
ARB = decide.engine("arb", 128)
DELTA = F(1, 10**6)
MIXED = Composition.of(
    [
        Round(SubsampledGaussian(F(1, 10), F(3)), 20),
        Round(SubsampledGaussian(F(1, 20), F(2)), 10),
        Round(Gaussian(F(1, 25))),
    ]
)


def test_one_law_is_its_own_contour() -> None:
    pair = SubsampledGaussian(F(1, 20), F(2))
    for one in (pair, replace(pair, orientation="addition")):
        found = contour_mixed.eps_of(Composition.of([Round(one, 200)]), DELTA)
        assert found.intersection(subsampled.eps_in_one_orientation(ARB, one, 200, DELTA)) is not None
        assert found.relative_width_at_most(F(1, 10**6))


def test_the_grid_encloses_the_same() -> None:
    for part in MIXED.orientations:
        found, other = contour_mixed.eps_of(part, DELTA), grid.eps_of(part, DELTA, F(1, 200))
        assert other is not None
        assert found.intersection(other) is not None
        assert found.relative_width_at_most(F(1, 10**6))
        assert (
            contour_mixed.delta_of(part, found.lower).upper >= DELTA >= contour_mixed.delta_of(part, found.upper).lower
        )


def test_a_sample_of_everything_is_the_gaussian_itself() -> None:
    """The quadrature of a law of rate 1 against e^(z (z + 1) mu^2/2)."""
    other = Round(SubsampledGaussian(F(1, 10), F(3)), 20)
    whole = contour_mixed.eps_of(Composition.of([other, Round(SubsampledGaussian(F(1), F(5)))]), DELTA)
    closed = contour_mixed.eps_of(Composition.of([other, Round(Gaussian(F(1, 25)))]), DELTA)
    assert whole.intersection(closed) is not None


def test_the_second_engine_encloses_the_same() -> None:
    part = MIXED.orientations[1]
    assert contour_mixed.eps_of(part, DELTA, "mpmath").intersection(contour_mixed.eps_of(part, DELTA)) is not None


def test_a_changed_line_is_not_a_narrower_claim() -> None:
    part = MIXED.orientations[0]
    eps = F(9, 10)
    truth = contour_mixed.delta_of(part, eps)
    line = contour_mixed.contour(ARB, part, 0.9, None, 1e-7).line
    first, *rest = line.factors
    for change in (
        {"nodes": 8},
        {"period": line.period / 3},
        {"second": line.abscissa * F(21, 20)},
        {"factors": (replace(first, shift=first.shift / 16), *rest), "nodes": line.nodes // 2},
        {"factors": (replace(first, nodes=replace(first.nodes, last=first.nodes.last // 2)), *rest)},
    ):
        found = contour_mixed.MixedContour(ARB, replace(line, **change)).delta(eps)  # type: ignore[arg-type]
        assert found.lower <= truth.upper, change
        assert truth.lower <= found.upper, change
        assert found.width > truth.width, change
    with pytest.raises(UndecidedError, match="a line needs"):
        contour_mixed.MixedContour(ARB, replace(line, second=line.abscissa))


def test_what_it_speaks_of() -> None:
    assert contour_mixed.speaks_of(MIXED)
    assert not contour_mixed.speaks_of(Composition.of([Round(Gaussian(F(1)))]))
    assert not contour_mixed.speaks_of(Composition.of([*MIXED.rounds, Round(Laplace(F(1)))]))


def test_an_epsilon_of_nothing_is_zero_and_what_is_out_of_reach_is_refused() -> None:
    assert contour_mixed.eps_of(MIXED, F(99, 100)).upper == 0
    far = Composition.of([Round(SubsampledGaussian(F(1, 10), F(1, 1000)), 5), *MIXED.rounds])
    with pytest.raises(UndecidedError, match="no contour within the work allowed"):
        contour_mixed.eps_of(far, DELTA)
