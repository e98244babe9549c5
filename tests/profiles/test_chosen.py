"""A record in k of t steps: the test by a sum never shows more than the upper bound, and nearly all with one step."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import privref
from privref.profiles import chosen
from privref.profiles.allocation import delta_of
from privref.profiles.composed import profile_delta
from privref.profiles.model import Allocation, Composition, Round
from privref.statements.registry import evaluate

F = Fraction
STATEMENT = "feldman2025/allocation.delta"


def shown(steps: int, times: int, sigma: Fraction, eps: Fraction, **other: Any) -> privref.Enclosure:
    """What the planned test shows."""
    event = chosen.best_event(steps, times, sigma, eps)
    assert event is not None
    inputs = dict(zip(("weight", "mesh", "threshold"), event, strict=True)) | other
    found = evaluate(STATEMENT, {"steps": steps, "chosen": times, "sigma": sigma, "eps": eps, **inputs}).enclosure
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("steps", "sigma", "eps"), [(2, F(1), F(1)), (10, F(1, 2), F(4)), (100, F(1), F(1, 2)), (50, F(3), F(1, 10))]
)
def test_of_one_step_the_test_shows_all_but_a_small_part(steps: int, sigma: Fraction, eps: Fraction) -> None:
    found, exact = shown(steps, 1, sigma, eps), delta_of("arb", steps, 1 / sigma**2, eps)
    assert found.lower <= exact.upper
    assert found.lower >= exact.lower * F(995, 1000)


@pytest.mark.parametrize(
    ("steps", "times", "sigma", "eps", "share"),
    [
        (100, 10, F(5), F(1, 2), F(98, 100)),
        (1000, 10, F(1), F(1), F(95, 100)),
        (40, 5, F(2), F(1), F(3, 4)),
        (4, 2, F(1), F(2), F(4, 5)),
    ],
)
def test_the_lower_bound_is_below_the_upper_one_and_near(
    steps: int, times: int, sigma: Fraction, eps: Fraction, share: Fraction
) -> None:
    blocks = Composition.of([Round(Allocation(steps // times, 1 / sigma**2), times)])
    found, most = shown(steps, times, sigma, eps), profile_delta("arb", blocks, eps, F(1, 100))
    assert most.upper * share <= found.lower <= most.upper


@pytest.mark.parametrize("threshold", [1, 7, 30, 500])
def test_both_engines_say_the_same_at_any_threshold(threshold: int) -> None:
    inputs = {"steps": 9, "chosen": 4, "sigma": "3/2", "eps": "1", "weight": "1/3", "mesh": "1/50"}
    found = [
        evaluate(STATEMENT, {**inputs, "threshold": threshold}, engine=name).enclosure for name in ("arb", "mpmath")
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].intersection(found[1]) is not None


def test_levels_are_all_whole_numbers_and_then_apart() -> None:
    found = chosen.levels(1000)
    assert found[:257] == list(range(257))
    assert found[-2] < 1000 <= found[-1]
    assert all(after - before == max(1, before // 128) for before, after in pairwise(found))


def test_more_levels_than_a_mass_changes_nothing() -> None:
    """The law below a threshold is the same on a longer lattice."""
    short, long = (chosen.below("arb", (6, 2, F(1)), F(1, 2), F(1, 40), points, 128) for points in (200, 900))
    for (down, up), (low, high) in zip(short, long, strict=True):
        for at in (1, 50, 150, 200):
            assert max(down[at], low[at]) <= min(up[at], high[at])


def _run(**more: Any) -> privref.Ledger:
    mechanism = {
        "kind": "subsampled", "sampling": "balls-in-bins", "bins": 100, "chosen": 10,
        "base": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"},
    } | more  # fmt: skip
    neighbours = mechanism.pop("neighbours", "zero-out")
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "k of t", "privacy_unit": "example", "neighbours": neighbours,
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"mechanism": mechanism}],
        }
    )  # fmt: skip


@pytest.mark.parametrize("neighbours", ["zero-out", "add-or-remove-one"])
def test_claims_are_confirmed_and_refuted(neighbours: str) -> None:
    ledger = _run(neighbours=neighbours)
    upper = privref.epsilon(ledger, "1e-5").upper
    claims = [privref.ApproxDPClaim("c", upper * share, F(1, 10**5)) for share in (F(1), F(9, 10))]
    assert [opinion.verdict for opinion in privref.audit(ledger, claims).opinions] == ["confirmed", "refuted"]


def test_nothing_is_refuted_where_it_is_not_attained_or_a_record_is_replaced() -> None:
    for more in ({"attained": False}, {"neighbours": "replace-one"}):
        ledger = _run(**more)
        claim = privref.ApproxDPClaim("c", F(1, 10), F(1, 10**5))
        assert privref.audit(ledger, [claim]).opinions[0].verdict != "refuted"


def test_all_steps_are_gaussian_noise_and_half_of_them_at_most_that() -> None:
    whole = privref.epsilon(_run(bins=10), "1e-5")
    assert privref.epsilon(_run(bins=11), "1e-5") == whole
    assert privref.epsilon(_run(bins=20), "1e-5").upper < whole.lower


@pytest.mark.parametrize(
    "more", [{"chosen": 101}, {"chosen": 0}, {"chosen": 2, "epochs": 2}, {"chosen": 2, "drawn": "each-epoch"}]
)
def test_what_is_no_such_run_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(privref.InputError, match="chosen"):
        _run(**more)


def test_by_hand() -> None:
    """Two levels: some step is above the first level, or none is."""
    steps, times = 5, 2
    found = shown(steps, times, F(1), F(1), weight=F(1, 2), mesh=F(1, 3), threshold=1)
    (p, q) = (
        evaluate(STATEMENT, {"steps": 1, "chosen": 1, "sigma": F(1), "eps": eps, "weight": F(1, 2), "mesh": F(1, 3),
                             "threshold": 1}).enclosure
        for eps in (F(0), F(1))
    )  # fmt: skip
    assert p is not None
    assert q is not None
    # From P - Q and P - e Q of one step to both chances, in floats, and from these to five steps.
    grown = 2.718281828459045
    without = float(p.lower - q.lower) / (grown - 1)
    with_it = float(p.lower) + without
    none = [(1 - with_it) ** n * (1 - without) ** (steps - n) for n in (times, 0)]
    assert abs(float(found.lower) - ((1 - none[0]) - grown * (1 - none[1]))) < 1e-9


@pytest.mark.parametrize(("steps", "times", "sigma"), [(10**6, 999_999, F(1)), (1000, 10, F(1, 10**9))])
def test_a_run_whose_masses_have_no_enclosure_is_out_of_reach(steps: int, times: int, sigma: Fraction) -> None:
    """An audit of it then says what its upper bound says."""
    assert chosen.best_event(steps, times, sigma, F(1)) is None
