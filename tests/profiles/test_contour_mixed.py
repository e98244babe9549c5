"""Contours of products: against one law's contour, the grid, closed forms, and themselves along changed lines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from privref import evaluate
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.profiles import contour_mixed, grid, subsampled
from privref.profiles.model import Composition, Gaussian, Laplace, Orientation, Round, SubsampledGaussian
from proofs.zdw2022.poisson import CONTEXT, one_round, ratio, real

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


@pytest.mark.parametrize("orientation", ["removal", "addition"])
@pytest.mark.parametrize(
    ("first", "second", "eps"),
    [((F(1, 2), F(4)), (F(1, 4), F(3)), F(1, 5)), ((F(9, 10), F(2)), (F(1, 4), F(3, 2)), F(1, 2))],
    ids=["noisy", "often"],
)
def test_two_different_rounds_are_their_integral(
    orientation: Orientation, first: tuple[F, F], second: tuple[F, F], eps: F
) -> None:
    """Over the first one's noise, of the second one's formula at the epsilon that is left."""
    rounds = [Round(SubsampledGaussian(q, s, orientation)) for q, s in (first, second)]
    removal = orientation == "removal"
    (q, s), (other, noise) = ((real(a), real(b)) for a, b in (first, second))

    def integrand(x: mpmath.mpf) -> mpmath.mpf:
        loss = CONTEXT.log(ratio(q, s, x))
        weight = CONTEXT.npdf(x, 0, s) * (CONTEXT.exp(loss) if removal else 1)
        return weight * one_round(other, noise, real(eps) - (loss if removal else -loss), removal)

    exact = CONTEXT.quad(integrand, [s * n for n in range(-12, 13, 2)] + [s * 14 + 1])
    found = contour_mixed.delta_of(Composition.of(rounds), eps)
    assert real(found.lower) <= exact <= real(found.upper)
    assert found.relative_width_at_most(F(1, 10**6))


def test_no_loss_of_additions_is_above_their_largest() -> None:
    """Sums of k log 1/(1 - q): 0.208 here."""
    rounds = [Round(SubsampledGaussian(F(1, 10), F(3, 5)), 1), Round(SubsampledGaussian(F(1, 20), F(2)), 2)]
    part = Composition.of(rounds).reversed()
    assert contour_mixed.delta_of(part, F(21, 100)) == Enclosure(F(0), F(0))
    assert not contour_mixed.is_above_all_losses(ARB, part, F(20, 100))
    assert not contour_mixed.is_above_all_losses(ARB, Composition.of([*part.rounds, Round(Gaussian(F(1)))]), F(9))
    assert not contour_mixed.is_above_all_losses(ARB, Composition.of(rounds), F(9))


def test_steps_are_answered_where_their_addition_is_out_of_reach() -> None:
    """What an addition loses at most, 0.98, is below a removal's epsilon: it is not looked for."""
    base = {"kind": "gaussian", "sensitivity": "1", "sigma": "1/2"}
    rounds = [{"kind": "subsampled", "sampling": "poisson", "rate": rate, "base": base} for rate in ("1/2", "1/4")]
    found = evaluate("zdw2022/thm10.eps", {"rounds": rounds, "delta": "1e-5"}).enclosure
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**6))
    part = Composition.of([Round(SubsampledGaussian(F(rate), F(1, 2), "addition")) for rate in ("1/2", "1/4")])
    assert contour_mixed.delta_of(part, found.lower).upper == 0
    with pytest.raises(UndecidedError, match="no contour within the work allowed"):
        contour_mixed.eps_of(part, F(1, 10**5))


@pytest.mark.parametrize("pair", [SubsampledGaussian(F(1, 10**400), F(1)), SubsampledGaussian(F(1, 10), F(1, 10**400))])
def test_what_floats_cannot_plan_is_refused(pair: SubsampledGaussian) -> None:
    for part in Composition.of([Round(pair), *MIXED.rounds]).orientations:
        with pytest.raises(UndecidedError, match="no contour within the work allowed"):
            contour_mixed.delta_of(part, F(1))
        with pytest.raises(UndecidedError, match="no contour within the work allowed"):
            contour_mixed.eps_of(part, DELTA)


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
    kind, *others = line.kinds
    first, *rest = kind.factors

    def changed(**more: Any) -> tuple[contour_mixed.Kind, ...]:
        return (replace(kind, factors=(replace(first, **more), *rest)), *others)

    for change in (
        {"nodes": 8},
        {"period": line.period / 3},
        {"second": line.abscissa * F(21, 20)},
        {"kinds": changed(shift=first.shift / 16), "nodes": line.nodes // 2},
        {"kinds": changed(nodes=replace(first.nodes, last=first.nodes.last // 2))},
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
