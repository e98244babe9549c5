"""What DP-SGD's refusals say: the bracket that was reached, also where the work ends or floats cannot plan."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from privref import evaluate
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.exact.work import WorkLimitError, metered
from privref.profiles import grid, subsampled
from privref.profiles.declared import mechanism_from
from privref.profiles.model import Composition, SubsampledGaussian
from proofs.zdw2022.poisson import in_one_orientation
from tests.benchmarks import bench_sgd

EPS, DELTA = "zdw2022/poisson_gaussian.eps", "zdw2022/poisson_gaussian.delta"
#: Few jumps make the loss: the grid and the contour both take some work.
ROUNDS = {"q": "1.99e-5", "sigma": "2.38"}


def bracket(error: UndecidedError, what: str) -> Enclosure:
    found = re.match(rf"{what} is within \[(\S+), (\S+)\], wider than the stated 1/1000 of it: ", str(error))
    assert found, str(error)
    return Enclosure(Fraction(found[1]), Fraction(found[2]))


@pytest.mark.parametrize(
    ("of", "at", "units", "k"),
    [
        (EPS, {"delta": "2.79e-24"}, 1, 7),
        (EPS, {"delta": "2.79e-24"}, 100_000, 8),
        (DELTA, {"eps": "1/1000"}, 1, 7),
        (DELTA, {"eps": "1/1000"}, 10_000, 8),
    ],
)
def test_what_is_refused_for_its_work_is_bracketed(of: str, at: dict[str, str], units: int, k: int) -> None:
    inputs = {**ROUNDS, "k": k, **at}
    with metered(units), pytest.raises(WorkLimitError, match="units of work") as refused:
        evaluate(of, inputs)
    truth = evaluate(of, inputs).enclosure
    assert truth is not None
    said = bracket(refused.value, "epsilon" if of == EPS else "delta")
    assert 0 < said.lower <= truth.lower
    assert truth.upper <= said.upper
    # The total variation is at most k times one round's.
    assert of == EPS or said.upper <= k * Fraction(ROUNDS["q"])


@pytest.mark.parametrize("of", [(EPS, {"delta": "1e-5"}), (DELTA, {"eps": "6e5"})])
def test_what_no_plan_reaches_is_bracketed(of: tuple[str, dict[str, str]]) -> None:
    id, at = of
    with pytest.raises(UndecidedError) as refused:
        evaluate(id, {"q": "1/10", "sigma": "1/1000", "k": 5, **at})
    said = bracket(refused.value, id.rpartition(".")[2].replace("eps", "epsilon"))
    assert 0 < said.lower < said.upper


def test_beyond_what_can_be_written_the_lower_end_is_said() -> None:
    with pytest.raises(UndecidedError, match=r"^epsilon is (at least|within) "):
        evaluate(EPS, {"q": "1/10", "sigma": "1e-100", "k": 5, "delta": "1e-5"})


def test_a_wide_bracket_keeps_the_starts_that_are_within() -> None:
    """Its middle may be far from the value: the contour found nothing from there."""
    wide, narrow = Enclosure(Fraction(0), Fraction(1)), Enclosure(Fraction(99, 100), Fraction(1))
    assert subsampled._starts_within(wide, [0.25, 2.0]) == [0.25, 0.5]
    assert subsampled._starts_within(narrow, [0.995]) == [0.995]
    assert subsampled._starts_within(narrow, []) == [0.995]


@pytest.mark.parametrize("seed", [520, 925])
def test_an_orientation_far_below_the_other_is_searched_itself(seed: int) -> None:
    """At a removal's epsilon of 10^5 and more an addition's delta is too small to be written."""
    found = evaluate(EPS, bench_sgd.parameters(seed)).enclosure
    assert found is not None
    assert found.relative_width_at_most(Fraction(1, 10**6))


def test_two_rates_refused_say_the_upper_end() -> None:
    """By Renyi divergences, of order 2 about 10^6 for each of five rounds."""
    base = {"kind": "gaussian", "sensitivity": "1"}
    rounds = [
        {"kind": "subsampled", "sampling": "poisson", "rate": rate, "base": {**base, "sigma": sigma}, "count": count}
        for rate, sigma, count in (("1/10", "1/1000", 5), ("1/5", "1", 3))
    ]
    for id, at in (("zdw2022/thm10.eps", {"delta": "1e-5"}), ("zdw2022/thm10.delta", {"eps": "5e6"})):
        with pytest.raises(
            UndecidedError, match=r"^(epsilon|delta) is within \[0, (\S+)\]: no contour reaches"
        ) as said:
            evaluate(id, {"rounds": rounds, **at})
        found = re.match(r"(\S+) is within \[0, (\S+)\]", str(said.value))
        assert found
        low, high = (Fraction(5 * 10**5), Fraction(6 * 10**6)) if found[1] == "epsilon" else (Fraction(0), Fraction(1))
        assert low < Fraction(found[2]) < high


def test_the_second_arithmetic_reaches_few_jumps() -> None:
    """Or no certificate of it would verify: Arb says [0.853507933, 0.853507940]."""
    hard = {"q": "517989/12695312500", "sigma": "0.614", "k": 1000, "delta": "1.1e-10"}
    found = evaluate(EPS, hard, engine="mpmath").enclosure
    assert found is not None
    assert found.relative_width_at_most(subsampled.STATED_WIDTH)
    assert found.intersection(Enclosure(Fraction("0.853507933"), Fraction("0.853507940"))) is not None


def _drawn(base: dict[str, object], count: int = 1, rate: str = "1/10") -> list[dict[str, object]]:
    return [{"kind": "subsampled", "base": base, "rate": rate, "sampling": "poisson", "count": count}]


FAR_APART = {"kind": "geometric", "scale": "1000000", "shifts": ["1000000"]}
SMOOTH = {"kind": "discrete-gaussian", "sigma": "1000000", "shifts": ["1"]}
LITTLE_NOISE = {"kind": "laplace", "scale": "1/1000", "sensitivity": "1"}


@pytest.mark.parametrize(
    ("base", "count", "at", "low", "high"),
    [
        # Five rounds lose at most 5 log(1 + (e - 1)/10), less than by the zCDP of their bases; one alone 0.15856.
        (FAR_APART, 5, {"delta": "1e-6"}, "0.158560", "0.792826"),
        (FAR_APART, 5, {"eps": "1/2"}, "0", "1"),
        # rho = 5e-7 for a million rounds: rho + 2 sqrt(rho log 10^6), and e^(-(1/100 - rho)^2/(4 rho)).
        (SMOOTH, 10**6, {"delta": "1e-6"}, "0", "0.00525703"),
        (SMOOTH, 10**6, {"eps": "1/100"}, "0", "1.93842e-22"),
        # One round, log(1 + (e^1000 (1 - 1e-5)^2 - 1)/10); at most three times log(1 + (e^1000 - 1)/10).
        (LITTLE_NOISE, 3, {"delta": "1e-6"}, "997.697", "2993.10"),
    ],
)
def test_samples_that_no_grid_reaches_are_bracketed(
    base: dict[str, object], count: int, at: dict[str, str], low: str, high: str
) -> None:
    """What is known nevertheless: one round in closed form, the largest losses, and zCDP of the bases."""
    what = "epsilon" if "delta" in at else "delta"
    with pytest.raises(UndecidedError, match=f"^{what} is within .*: one round needs more than") as refused:
        evaluate(EPS.replace("poisson_gaussian", "thm10") if "delta" in at else "zdw2022/thm10.delta",
                 {"rounds": _drawn(base, count), **at})  # fmt: skip
    found = re.match(r"\w+ is within \[(\S+), (\S+)\]", str(refused.value))
    assert found
    assert abs(Fraction(found[1]) - Fraction(low)) <= Fraction(low) / 10**5
    assert abs(Fraction(found[2]) - Fraction(high)) <= Fraction(high) / 10**4


@pytest.mark.parametrize(
    ("base", "delta"),
    [
        ({"kind": "laplace", "scale": "2", "sensitivity": "1"}, "1e-2"),
        ({"kind": "geometric", "scale": "2", "shifts": ["3"]}, "1e-2"),
        ({"kind": "randomized-response", "epsilon": "1"}, "1e-2"),
        ({"kind": "randomized-response", "epsilon": "3/2", "outcomes": "4"}, "1e-2"),
    ],
)
def test_one_round_on_a_sample_is_what_the_grid_finds(base: dict[str, object], delta: str) -> None:
    """The closed form beside the grid, for delta at epsilon and back, in both arithmetics, and where none reaches."""
    listed = mechanism_from({k: v for k, v in _drawn(base)[0].items() if k != "count"}, "m")
    orientations = Composition.of(listed.upper or ()).orientations
    found_by_grid = [grid.eps_of(each, Fraction(delta), Fraction(1, 10**5)) for each in orientations]
    by_grid = max((found for found in found_by_grid if found is not None), key=lambda found: found.upper)
    for engine in ("arb", "mpmath"):
        found = evaluate("zdw2022/thm10.eps", {"rounds": _drawn(base), "delta": delta}, engine=engine).enclosure
        assert found is not None
        assert by_grid.intersection(found) is not None
        back = evaluate(
            "zdw2022/thm10.delta", {"rounds": _drawn(base), "eps": str(found.upper)}, engine=engine
        ).enclosure
        assert back is not None
        assert abs(back.upper - Fraction(delta)) <= Fraction(delta) / 10**6
        tiny = evaluate("zdw2022/thm10.eps", {"rounds": _drawn(base), "delta": "1e-30"}, engine=engine).enclosure
        most = evaluate("zdw2022/thm10.eps", {"rounds": _drawn(base), "delta": "0"}, engine=engine).enclosure
        assert tiny is not None
        assert most is not None
        assert most.upper * (1 - Fraction(1, 10**20)) <= tiny.upper <= most.upper
    none = evaluate("zdw2022/thm10.eps", {"rounds": _drawn(base), "delta": "1/10"})
    assert none.enclosure is not None
    assert none.enclosure.upper == 0


@pytest.mark.parametrize(
    ("q", "k", "eps"), [("1e-10", 1, "1"), ("1e-10", 2, "1"), ("1e-20", 1000, "1"), ("1e-12", 10**6, "1")]
)
def test_a_delta_too_small_to_be_written_is_proved_to_be_small(q: str, k: int, eps: str) -> None:
    """It was within [0, 1], after a minute: each round of k has its own delta at eps/k."""
    with pytest.raises(UndecidedError, match=r"^delta is within \[0, (\S+)\]") as said:
        evaluate(DELTA, {"q": q, "sigma": "43", "k": k, "eps": eps})
    found = re.search(r"\[0, (\S+)\]", str(said.value))
    assert found
    assert Fraction(found[1]) < Fraction(1, 10**40_000)
    assert subsampled.within(decide.engine("arb", 128), Fraction(q), Fraction(43), k, Fraction(eps), Fraction("1e-300"))


@pytest.mark.parametrize("q", [Fraction(1, 10), Fraction(1, 1000)])
@pytest.mark.parametrize("sigma", [Fraction(1, 2), Fraction(3)])
@pytest.mark.parametrize("eps", [Fraction(1, 100), Fraction(1), Fraction(3)])
def test_rounds_of_half_the_epsilon_lose_more(q: Fraction, sigma: Fraction, eps: Fraction) -> None:
    """The bound of a refusal against the integral of two rounds, in both orientations."""
    ar = decide.engine("arb", 128)
    with ar.active():
        bound = subsampled._split_evenly(ar, SubsampledGaussian(q, sigma), 2, eps)
    assert max(in_one_orientation(q, sigma, 2, eps, removal)[0] for removal in (True, False)) <= bound
