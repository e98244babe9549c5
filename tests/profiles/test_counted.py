"""By how many rounds have a rare part: the same profile as by one contour, and an answer where that finds none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree
from privref.profiles import composed, contour_mixed, counted, cut
from privref.profiles.contour_plan import OutOfReachError
from privref.profiles.model import Composition, Gaussian, Labelled, Response, Round, SubsampledGaussian

F = Fraction
KEPT = SubsampledGaussian(F(1, 10), F(3))
ZEROED = Labelled(((F(999, 1000), KEPT), (F(1, 10**4), SubsampledGaussian(F(1), F(3)))), F(9, 10**4))
HALVED = Labelled(((F(999, 1000), KEPT), (F(1, 2000), SubsampledGaussian(F(1, 10), F(3, 2))),
                   (F(1, 2000), SubsampledGaussian(F(1, 20), F(3, 2)))))  # fmt: skip
RUNS = (
    Composition.of([Round(ZEROED, 40)]),
    Composition.of([Round(HALVED, 40)]),
    Composition.of([Round(ZEROED, 10), Round(Gaussian(F(1, 50)))]),
    Composition.of([Round(ZEROED, 10), Round(Labelled(((F(9999, 10000), KEPT), (F(1, 10000), KEPT))), 5)]),
)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_the_mean_over_the_cases_is_the_profile_of_the_whole(run: Composition, engine: decide.EngineName) -> None:
    eps = F(1, 2)
    parts = [contour_mixed.delta_of(part, eps) for part in run.orientations]
    found = counted.delta_of(engine, run, eps, max(part.lower for part in parts))
    assert found is not None
    assert found.lower <= max(part.upper for part in parts)
    assert max(part.lower for part in parts) <= found.upper
    assert found.relative_width_at_most(F(1, 10**5))


def test_epsilon_and_delta_are_of_one_profile() -> None:
    delta = F(1, 10**6)
    found = counted.eps_of("arb", RUNS[0], delta, 0.5)
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**6))
    below, above = (counted.delta_of("arb", RUNS[0], eps, delta) for eps in (found.lower, found.upper))
    assert below is not None
    assert above is not None
    assert below.upper >= delta >= above.lower


def test_next_to_a_mechanism_that_no_contour_speaks_of_it_is_out_of_reach() -> None:
    """It was an internal error: a random tree of events found it."""
    for rare in (ZEROED, HALVED):
        run = Composition.of([Round(rare, 1), Round(Response(F(1, 2)), 1)])
        assert counted.eps_of("arb", run, F(1, 10**6), 0.5) is None
        assert counted.delta_of("arb", run, F(1, 2), F(1, 10**6)) is None


def test_another_arithmetic_checks_an_answer_and_no_wrong_one() -> None:
    """By coarse contours, which leave the digits of the first one; of one that is off nothing is left."""
    run, delta = RUNS[0], F(1, 10**6)
    found = counted.eps_of("arb", run, delta, 0.5)
    assert found is not None
    assert counted.checked("mpmath", run, delta, found) == found
    below, above = (Enclosure(found.lower * factor, found.upper * factor) for factor in (F(99, 100), F(101, 100)))
    assert counted.checked("mpmath", run, delta, below) is None
    with pytest.raises(EnginesDisagree):
        counted.checked("mpmath", run, delta, above)


def test_all_that_is_left_beyond_the_cases_is_counted() -> None:
    """The chances of the cases and the rest sum to 1 at least, and without the rest to less."""
    found = counted.cases_of(decide.engine("arb", 128), RUNS[0], F(1, 10**3))
    assert found is not None
    assert sum(share.upper for share, _ in found.known) + found.rest >= 1
    assert sum(share.upper for share, _ in found.known) < 1


def test_a_part_that_is_not_rare_has_no_cases() -> None:
    often = Labelled(((F(1, 2), KEPT), (F(1, 2), SubsampledGaussian(F(1, 10), F(3, 2)))))
    assert counted.eps_of("arb", Composition.of([Round(often, 40)]), F(1, 10**6), 1.0) is None
    assert counted.cases_of(decide.engine("arb", 128), Composition.of([Round(KEPT, 40)]), F(1, 10**9)) is None


def test_a_cap_is_answered_where_no_contour_reached_it() -> None:
    """358 steps of a rate of 1/1000 whose batches are hardly ever cut: undecided after 30 s before."""
    low, high = cut._chance(F(1, 1000), 49999, 88)
    assert low < high
    kept, whole = SubsampledGaussian(F(1, 1000), F(301, 100)), SubsampledGaussian(F(1), F(301, 100))
    pair = Labelled(((1 - high, kept), (high / 1000, whole)), high * F(999, 1000))
    found = cut._by_count("arb", Composition.of([Round(pair, 358)]), delta=F(1, 10**6))
    assert found is not None
    assert found.relative_width_at_most(cut.STATED_WIDTH)
    alone = composed.profile_eps("arb", Composition.of([Round(Gaussian(1 / whole.sigma**2))]), F(1, 10**6), F(1, 100))
    assert alone is not None
    assert found.upper < alone.lower


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_few_rounds_of_two_rates_have_the_bracket_of_a_grid(engine: decide.EngineName) -> None:
    """No contour reaches them; they counted by their Renyi divergences, with an epsilon of 0.314."""
    run = Composition.of(
        [Round(SubsampledGaussian(F(1, 65), F(107, 50)), 10), Round(SubsampledGaussian(F(1, 207), F(53, 20)), 26)]
    )
    found = composed._of_eps(engine, run, F(1, 10**6))
    assert found is not None
    assert F("0.1254") < found.lower <= found.upper < F("0.1255")
    assert found.relative_width_at_most(composed.GRID_WIDTH)
    delta = composed._of_delta(engine, run, F(1, 10))
    assert delta.relative_width_at_most(composed.GRID_DELTA_WIDTH)
    assert delta.lower > F(1, 10**6)


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_an_addition_that_cannot_lose_as_much_adds_nothing(engine: decide.EngineName) -> None:
    """Three rounds that are hardly ever cut had no epsilon: that of an addition is mostly at most 0.03."""
    kept, whole = SubsampledGaussian(F(1, 100), F(99, 100)), SubsampledGaussian(F(1), F(99, 100))
    rare = F(135, 10**9)
    pair = Labelled(((1 - rare, kept), (rare / 100, whole)), rare * F(99, 100))
    run, delta = Composition.of([Round(pair, 3)]), F(1, 10**8)
    found = cut._by_count(engine, run, delta=delta)
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**5))
    addition = next(part for part in run.orientations if part.rounds[0].pair != pair)
    ar = decide.engine(engine, 128)
    cases = counted.cases_of(ar, addition, delta / 10**6)
    assert cases is not None
    below = counted._delta(ar, cases, found.lower, delta, 1e-3)
    assert below.lower > 0
    assert below.upper < delta
    with ar.active(), pytest.raises(OutOfReachError):
        counted._Line(ar, cases, 1.0, -18.0, 1e-3).delta(F(1, 100))
