"""Gaussian rounds on samples that hold one record or another one in its place, against other ways to compute them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import privref
from privref.composition.loss_grid import Grid
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.profiles import composed, exchanged, grid, jumps, laws, subsampled_law
from privref.profiles.declared import mechanism_from, under
from privref.profiles.model import (
    REPLACED,
    Composition,
    Exchanged,
    Round,
    SubsampledGaussian,
    exchanged_pair,
    group_pair,
    mixture_pair,
    swapped,
)
from tests.audit.test_mechanisms import at, verdicts
from tests.audit.test_sampled import ledger, opinion, steps

F = Fraction
ARB = decide.engine("arb", 128)
QUERY = {"kind": "gaussian", "sigma": "4", "sensitivity": "1"}
KINDS = (("poisson", "replace-one"), ("fixed-size", "replace-one"), ("fixed-size", "zero-out"))


def of(rate: str, sigma: str, sampling: str, neighbours: str) -> Exchanged:
    found = exchanged_pair(F(rate), F(sigma), sampling, neighbours)
    assert found is not None
    return found


def density(x: float, mean: float, q: float, s: float) -> float:
    return (1 - q) * math.exp(-x * x / (2 * s * s)) + q * math.exp(-((x - mean) ** 2) / (2 * s * s))


@pytest.mark.parametrize("rate", ["1/10", "3/4"])
def test_two_rounds_of_replaced_records_are_the_sum_over_the_plane(rate: str) -> None:
    """The pair of Poisson samples is one of two laws: its profile is an integral, here a sum over a lattice."""
    pair, q, s, eps, step = of(rate, "1/2", "poisson", "replace-one"), float(F(rate)), 1.0, 0.5, 1 / 16
    at_ = [(density(i * step, 1, q, s), density(i * step, -1, q, s)) for i in range(-16 * 7, 16 * 7 + 1)]
    total = math.fsum(max(p * r - math.exp(eps) * u * v, 0) for p, u in at_ for r, v in at_) * step**2 / (2 * math.pi)
    found = grid.delta_of(Composition.of([Round(pair, 2)]), F(1, 2), F(1, 1000))
    assert float(found.lower) * 0.998 < total < float(found.upper) * 1.002


@pytest.mark.parametrize(("sampling", "neighbours"), KINDS)
def test_both_arithmetics_and_the_closed_form_agree(sampling: str, neighbours: str) -> None:
    pair = of("1/10", "2", sampling, neighbours)
    parts = Composition.of([Round(pair)]).orientations
    for eps in (F(0), F(1, 2)):
        closed = exchanged.delta_of_one_round(decide.engine("arb", 192), pair, eps)
        found = [
            [grid.delta_of(part, eps, F(1, 50), engine) for part in parts]
            for engine in ("arb", "mpmath")  # type: ignore[arg-type]
        ]
        for each in found:
            assert max(one.lower for one in each) <= closed.upper
            assert max(one.upper for one in each) >= closed.lower


def test_what_is_replaced_loses_between_a_removal_and_two() -> None:
    """The pair of removal at the clipping norm is a post-processing; two steps of it are an upper bound."""
    of_one = Composition.of([Round(SubsampledGaussian(F(1, 10), F(4)), 20)])
    of_both = Composition.of([Round(of("1/10", "2", "poisson", "replace-one"), 20)])
    for eps in (F(1, 10), F(1, 2)):
        least, found = (grid.delta_of(each, eps, F(1, 100)) for each in (of_one, of_both))
        half = max(grid.delta_of(part, eps / 2, F(1, 100)).upper for part in of_one.orientations)
        assert least.lower < found.upper
        assert float(found.lower) <= (1 + math.exp(float(eps) / 2)) * float(half)


def test_orders_of_laws() -> None:
    replaced, taken, zeroed = (of("1/10", "2", *kind) for kind in KINDS)
    assert swapped(replaced) == replaced
    assert swapped(taken) == taken
    assert swapped(zeroed) != zeroed == swapped(swapped(zeroed))
    assert exchanged_pair(F(1, 10), F(2), "shuffled", "replace-one") is None
    assert exchanged_pair(F(1, 10), F(2), "poisson", "zero-out") is None


def test_a_window_without_the_loss_zero_is_refused() -> None:
    law = exchanged.ExchangedLaw(decide.engine("arb", 128), of("1/10", "2", *KINDS[0]))
    with pytest.raises(UndecidedError, match="does not hold the loss 0"):
        law.left_out(F(1), F(2), F(1), None)


def said(**changed: Any) -> dict[str, Any]:
    return {"kind": "subsampled", "base": QUERY, "rate": "1/10", "sampling": "poisson", **changed}


def test_a_mechanism_says_its_neighbours_and_is_read_back() -> None:
    for sampling, neighbours in KINDS:
        clipped = {"clipped": True} if sampling == "poisson" else {}
        found = under(mechanism_from(said(sampling=sampling, **clipped), "m"), neighbours)
        assert found.is_exchanged
        assert found.document["neighbours"] == neighbours
        assert mechanism_from(found.document, "m") == found
    assert not under(mechanism_from(said(), "m"), "replace-one").is_exchanged
    with pytest.raises(privref.InputError, match="leave it out of a ledger"):
        mechanism_from(said(neighbours="replace-one"), "m")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("sampling", "neighbours"), KINDS)
def test_verdicts_at_the_border_and_what_they_rest_on(sampling: str, neighbours: str) -> None:
    """Of Poisson samples all is decided; of a fixed size what lies between the Poisson pair's and ours is open."""
    clipped = {"clipped": True} if sampling == "poisson" else {}
    run = ledger(steps(20, base=QUERY, sampling=sampling, **clipped), neighbours=neighbours)
    pair = of("1/10", "4", sampling, neighbours)
    parts = Composition.of([Round(pair, 20)]).orientations
    most = max(found.upper for part in parts if (found := grid.eps_of(part, F(1, 10**5), F(1, 1000))) is not None)
    above, below = f"{float(most) * 1.001:.6f}", f"{float(most) * 0.99:.6f}"
    expected = "refuted" if sampling == "poisson" else "unsupported"
    assert verdicts(run, at(above, "1e-5"), at(below, "1e-5")) == ["confirmed", expected]
    words = " ".join(finding.how for finding in opinion(run, at(above, "1e-5")).premises)
    assert ("drawn on its own" in words) == (sampling == "poisson")
    assert ("without replacement" in words) == (sampling == "fixed-size")


def test_samples_of_a_fixed_size_lose_what_poisson_samples_do() -> None:
    """A smaller claim than the removal's from Poisson samples is refuted, and the certificate verifies."""
    run = ledger(steps(20, base=QUERY, sampling="fixed-size"), neighbours="replace-one")
    assert verdicts(run, at("0.3", "1e-5")) == ["refuted"]
    declared = ledger(steps(20, base=QUERY, sampling="fixed-size", attained=False), neighbours="replace-one")
    assert verdicts(declared, at("0.3", "1e-5")) == ["unsupported"]


def test_rounds_that_lose_little_have_their_epsilon() -> None:
    """Most of the larger law is N_0 where the losses are: what is beyond the grid is bounded piece by piece."""
    rounds = [
        {
            "kind": "subsampled", "base": {"kind": "gaussian", "sigma": "4", "sensitivity": "2"}, "rate": "1/100",
            "sampling": "poisson", "clipped": True, "neighbours": "replace-one", "count": 40,
        }
    ]  # fmt: skip
    found = privref.evaluate("zdw2022/thm10.eps", {"rounds": rounds, "delta": "1e-6"}).enclosure
    assert F("0.1163") < found.lower <= found.upper < F("0.1164")


@pytest.mark.parametrize("pair", [Exchanged(F(1, 50), F(2), REPLACED, REPLACED), SubsampledGaussian(F(1, 50), F(1))])
def test_long_cells_bound_the_same_profile_as_short_ones(
    pair: Exchanged | SubsampledGaussian, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where cells are long the bounds are a little wider, and those of a grid with short cells lie between them."""
    setting = grid.ProfileSetting(Grid(F(1, 256), 1, 96, F(4)), 60.0, False, 4096)
    rounds = grid.finite(Composition.of([Round(pair, 30)]))
    ar = decide.engine("arb", 192)

    def bounds() -> Enclosure:
        with ar.active():
            profile = grid.convolve(ar, rounds, setting)
            found = [ar.enclosure(each(ar, F(1, 2))) for each in (profile.delta_lower, profile.delta_upper)]
        assert found[0] is not None
        assert found[1] is not None
        return Enclosure(found[0].lower, found[1].upper)

    longer = bounds()
    cells = laws.size(pair, setting.grid)
    monkeypatch.setattr(subsampled_law, "places", lambda sketch, longest, step, low, high: tuple(range(low, high + 1)))
    monkeypatch.setattr(exchanged, "places", subsampled_law.places)
    shorter = bounds()
    assert 2 * cells < laws.size(pair, setting.grid)
    assert longer.lower <= shorter.lower <= shorter.upper <= longer.upper
    assert longer.width < shorter.width * F(3, 2)


def test_two_rounds_at_a_small_delta_have_the_epsilon_of_their_laws() -> None:
    """What a law leaves out beyond the grid is bounded in pieces, which are short enough at a large tilt."""
    base = {"kind": "gaussian", "sigma": "4.56", "sensitivity": "1"}
    said = {"kind": "subsampled", "base": base, "rate": "1/53", "sampling": "poisson", "clipped": True}
    found = privref.epsilon(
        privref.ledger_from_document({
            "schema": "ledger.1", "title": "t", "privacy_unit": "record", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"count": 2, "mechanism": said}],
        }),
        "1e-7",
    )  # fmt: skip
    assert F("0.0225") < found.lower <= found.upper < F("0.0226")


def test_the_place_where_two_laws_are_equal_is_found_from_anywhere() -> None:
    """A place that was near, one that is far, and ones from which steps do not arrive."""
    terms = [(0, math.log(0.9), False), (1, -3.0, False), (3, -9.0, True), (7, -30.0, True)]

    def excess(place: float) -> float:
        return sum(math.exp(log + mean * place) * (1 if positive else -1) for mean, log, positive in terms)

    found = {exchanged._about(terms, near) for near in (0.0, 3.0, -400.0, 1e6, -1e6)}
    assert max(found) - min(found) < 1e-9
    assert excess(min(found) - 1e-9) < 0 < excess(max(found) + 1e-9)


def test_the_loss_of_a_group_ends_where_both_laws_are_as_planned() -> None:
    """Asked for in any order, since each search begins where the last one ended."""
    pair = group_pair(F(1, 17), F(147, 50), 7, 2)
    ar = decide.engine("arb", 128)
    losses = [F(n, 8) for n in (1, 40, 2, 39, 0, 20)]
    with ar.active():
        once = exchanged.ExchangedLaw(ar, pair)
        for loss in losses:
            anew, again = (law.beyond(loss) for law in (exchanged.ExchangedLaw(ar, pair), once))
            for first, second in zip(anew, again, strict=True):
                one, other = ar.enclosure(ar.real(first)), ar.enclosure(ar.real(second))
                assert one is not None
                assert other is not None
                assert one.intersection(other) is not None
                assert one.width < F(1, 2**90)


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_the_other_way_round_is_seen_to_lose_less(engine: decide.EngineName) -> None:
    """A coarse grid says so; it says nothing where the epsilon is below its own."""
    rounds = Composition.of([Round(of("1/167", "3.11", "fixed-size", "zero-out"), 30)])
    other, delta = rounds.reversed(), F(1, 10**7)
    assert composed._is_within(other, F(102, 1000), delta, engine)
    assert not composed._is_within(other, F(52, 1000), delta, engine)


EXCHANGED = (
    (of("1/167", "3.11", "fixed-size", "zero-out"), 30, F(1, 10**7)),
    (of("1/50", "1.5", "poisson", "replace-one"), 12, F(1, 10**5)),
    (group_pair(F(1, 60), F(3, 2), 3, 1), 4, F(1, 10**6)),
)


@pytest.mark.parametrize(("pair", "count", "delta"), EXCHANGED)
@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_few_jumps_are_what_a_tilted_grid_says(
    engine: decide.EngineName, pair: Exchanged, count: int, delta: Fraction
) -> None:
    for part in Composition.of([Round(pair, count)]).orientations:
        tilted = grid.eps_of(part, delta, F(1, 1000), "arb")
        found = composed._eps_by_jumps(part, delta, engine, F(1, 1000))
        assert tilted is not None
        assert found is not None
        assert found.relative_width_at_most(F(1, 1000))
        assert found.intersection(tilted) is not None
        there = composed._delta_by_jumps(part, found.upper, engine, F(1, 100))
        back = grid.delta_of(part, found.upper, F(1, 100), "arb")
        assert there is not None
        assert there.intersection(back) is not None
        assert there.lower <= delta


def test_one_round_by_jumps_is_the_closed_form() -> None:
    for pair, _, _ in EXCHANGED:
        for each, eps in ((pair, F(1, 3)), (swapped(pair), F(1, 5))):
            rounds = ((each, 1),)
            chosen = jumps.plan(rounds, float(eps), -6.0, 400, 1e-9)
            at = (chosen.high - 1) * chosen.step
            with ARB.active():
                p, q = exchanged.ExchangedLaw(ARB, each).beyond(at)
                truth = ARB.enclosure(p - ARB.exp(at) * q)
            found = jumps.Jumps(ARB, rounds, chosen).delta(at)
            assert truth is not None
            assert found.intersection(truth) is not None
            assert found.width <= F(1, 10**9)


def test_replaced_records_that_hardly_ever_jump_have_a_bracket() -> None:
    """No tilted law of theirs can be written down; they counted as without sampling, with an epsilon of 4.8."""
    run = [Round(Exchanged(F(119, 10**5), F(101, 10), REPLACED, REPLACED), 21)]
    with pytest.raises(UndecidedError):
        grid.eps_of(Composition.of(run), F(1, 10**7), F(1, 10**4))
    found = composed._of_eps("arb", Composition.of(run), F(1, 10**7))
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**4))
    assert F("0.003656") < found.lower < F("0.003657") < found.upper + F(1, 10**5)


def test_more_jumps_than_few_are_left_to_a_tilted_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Composition] = []
    monkeypatch.setattr(composed, "_eps_by_jumps", lambda part, *_: asked.append(part))
    seldom, often = (Composition.of([Round(group_pair(F(1, 40), F(3), 2, 0), k)]) for k in (5, 2000))
    for run in (seldom, often):
        composed._gridded(run, F(1, 10**4), "arb", F(1, 10), grid.eps_of, composed._eps_by_jumps)
    assert asked == [seldom]


def test_a_law_of_too_many_cells_is_refused_before_they_fill_the_memory() -> None:
    """Noise of a thousandth: losses of many thousands, and short cells since they are tilted."""
    pair = exchanged_pair(F(1, 50), F(1, 1000), "fixed-size", "replace-one")
    assert pair is not None
    with pytest.raises(UndecidedError, match="cells of its law"):
        exchanged.window_of(pair, exchanged.sketch(pair), 100.0, F(1, 1000), 64)


def test_jumps_take_more_work_where_no_tilted_grid_can_be_written_down() -> None:
    """14 rounds in which hardly ever a record is drawn: the bound without sampling, 4.34, was all."""
    query = {"kind": "gaussian", "sigma": "4.15", "sensitivity": "1"}
    drawn = {"kind": "subsampled", "base": query, "rate": "1/524", "sampling": "poisson", "clipped": True}
    document = {
        "schema": "ledger.1", "title": "t", "privacy_unit": "record", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"count": 14, "mechanism": drawn}],
    }  # fmt: skip
    found = privref.epsilon(privref.ledger_from_document(document), delta="1e-6")
    assert F(4962, 10**6) < found.lower <= found.upper < F(4963, 10**6)
    assert found.relative_width_at_most(F(1, 10**4))


def mixed(sigma: str, weights: dict[str, str], count: int = 1) -> dict[str, Any]:
    shifts, chances = list(weights), list(weights.values())
    return {"kind": "gaussian-mixture", "sigma": sigma, "shifts": shifts, "weights": chances, "count": count}


RARE = {"0": "0.999999", "1/100": "1/2000000", "1": "1/2000000"}


@pytest.mark.parametrize(
    ("mechanism", "delta", "low", "high"),
    [
        # The laws of ten rounds differ by 10^-5 at most: floats began their grid at an epsilon below 0.
        (mixed("1", RARE, 10), "1e-5", 0.0, 0.0),
        # delta at epsilon = 1, where the search begins, has no digits that could be written.
        (mixed("60", {"0": "14900/15153", "1/10": "253/15153"}), "1e-5", 2.27e-6, 2.29e-6),
        # The weight of the shift 0 is so near 1 that what is left of it takes more bits.
        (mixed("1", {"0": str(1 - F(2, 10**30)), "1": "1e-30", "2": "1e-30"}), "1e-5", 0.0, 0.0),
        # Shifts of very different size: nearly a sample of the larger one alone.
        (mixed("1", {"0": "9/10", "1e-6": "1/20", "1": "1/20"}), "1e-5", 1.03279, 1.0328),
    ],
)
def test_mixtures_of_very_different_shifts_and_weights(mechanism: Any, delta: str, low: float, high: float) -> None:
    found = privref.evaluate("zdw2022/thm10.eps", {"rounds": [mechanism], "delta": delta}).enclosure
    assert found is not None
    assert low <= found.lower <= found.upper <= high


def test_a_root_is_found_where_powers_are_far_apart() -> None:
    """Of shifts 1 and 10^6 a first step in floats is too far for the interval step."""
    pair = mixture_pair({F(0): F(9, 10), F(1, 10**6): F(1, 20), F(1): F(1, 20)}, F(1))
    ar = decide.engine("arb", 128)
    with ar.active():
        law = exchanged.ExchangedLaw(ar, pair)
        for laws, grown in product((pair.above, pair.below), (F(1), F(11, 10), F(1001, 1000))):
            end = law.end(laws, grown)
            if end is not None:
                law.near += 1e-3
                again = ar.enclosure(law.end(laws, grown) - end)
                assert again is not None
                assert again.lower <= 0 <= again.upper
                assert again.width < F(1, 10**9)
