"""Pairs and their normal form."""

from __future__ import annotations

from fractions import Fraction

from privref.profiles.model import Composition, DiscreteGaussian, Gaussian, Laplace, Round, SubsampledGaussian


def test_equal_pairs_are_united_and_gaussians_are_one() -> None:
    a = Composition.of(
        [Round(Laplace(Fraction(1, 2)), 2), Round(Gaussian(Fraction(1, 4)), 3), Round(Laplace(Fraction(1, 2)))]
    )
    b = Composition.of(
        [Round(Gaussian(Fraction(1, 2))), Round(Laplace(Fraction(1, 2)), 3), Round(Gaussian(Fraction(1, 4)))]
    )
    assert a == b
    assert Composition.of([Round(Laplace(Fraction(1)), 0)]).rounds == ()


def test_only_what_is_asymmetric_has_two_orientations() -> None:
    symmetric = Composition.of([Round(DiscreteGaussian(Fraction(3), 1)), Round(Laplace(Fraction(1)))])
    assert symmetric.orientations == (symmetric,)
    sampled = Composition.of([Round(SubsampledGaussian(Fraction(1, 100), Fraction(1)), 5), Round(Laplace(Fraction(1)))])
    first, second = sampled.orientations
    assert second.reversed() == first != second
    assert Round(Laplace(Fraction(1))) in second.rounds
