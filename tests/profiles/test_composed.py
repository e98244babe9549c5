"""How many digits of a composition there are, and how many are checked, within less work than all would take."""

from __future__ import annotations

from fractions import Fraction

import pytest

from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, UndecidedError
from privref.exact.work import WorkLimitError, apart
from privref.profiles import composed
from privref.profiles.declared import mechanism_from
from privref.profiles.model import Composition, Round, SubsampledGaussian

SAMPLED = mechanism_from(
    {
        "kind": "subsampled",
        "base": {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]},
        "rate": "1/10",
        "sampling": "poisson",
    },
    "mechanism",
)
ROUNDS = composed.dominating(((SAMPLED, 12),))
DELTA = Fraction(1, 1000)


def _both(budget: int) -> list[composed.Enclosure]:
    composed._eps.cache_clear()
    with apart(budget):
        found = [composed._of_eps(engine, ROUNDS, DELTA) for engine in ("arb", "mpmath")]
    known = [each for each in found if each is not None]
    assert len(known) == 2
    return known


def test_both_engines_answer_within_less_work_with_fewer_digits() -> None:
    """Of a sampled discrete Gaussian, which has only a grid."""
    first, second = _both(8_000_000)
    assert first.relative_width_at_most(composed.STATED_WIDTH)
    assert second.relative_width_at_most(composed.STATED_WIDTH)
    _, coarse = _both(1_900_000)
    assert not coarse.relative_width_at_most(composed.STATED_WIDTH)
    assert coarse.relative_width_at_most(composed.GRID_WIDTH)
    assert coarse.lower <= first.lower
    assert first.upper <= coarse.upper


def test_a_contour_of_the_second_arithmetic_checks_with_fewer_digits() -> None:
    """Few rounds at two rates: its grid took all the work of a question, and left a bound by Renyi divergences."""
    few = Composition.of(
        [
            Round(SubsampledGaussian(Fraction(1, 30), Fraction("0.74")), 14),
            Round(SubsampledGaussian(Fraction(1, 126), Fraction("4.13")), 7),
        ]
    )
    with apart(4_000_000):
        first, second = (composed._of_eps(engine, few, Fraction(1, 10**5)) for engine in ("arb", "mpmath"))
    assert first is not None
    assert second is not None
    assert first.relative_width_at_most(composed.STATED_WIDTH)
    assert first.lower <= second.lower
    assert second.upper <= first.upper


def test_too_little_work_is_a_refusal() -> None:
    with pytest.raises((WorkLimitError, UndecidedError)):
        _both(400_000)


def test_a_finer_answer_that_shares_nothing_with_the_first_is_an_error() -> None:
    """It was taken for no finite epsilon."""
    wide, narrow = Fraction(1, 10), Fraction(1, 100)
    found = {wide: Enclosure(Fraction(1), Fraction(2)), narrow: Enclosure(Fraction(3), Fraction(4))}
    with pytest.raises(EnginesDisagree):
        composed._checked("arb", lambda _, width: found[width], wide, wide, narrow)
