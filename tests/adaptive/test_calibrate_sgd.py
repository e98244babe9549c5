"""DP-SGD the other way round: within the budget at the answer, not at its neighbour; bounded work."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.adaptive import sgd


def eps(q: str, sigma: Fraction, k: int, delta: str) -> privref.Enclosure:
    found = privref.evaluate(
        "zdw2022/poisson_gaussian.eps", {"q": q, "sigma": sigma, "k": k, "delta": delta}, digits=10
    ).enclosure
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("budget", "rate", "steps", "resolution"),
    [("1,1e-5", "1/10", 40, "0.01"), ("1,1e-5", "4096/50000", 875, "1"), ("3,1e-8", "1/4", 30, "1/3")],
)
def test_the_least_noise(budget: str, rate: str, steps: int, resolution: str) -> None:
    """By the statement of epsilon, another contour."""
    found = privref.calibrate_sgd(budget, rate=rate, steps=steps, resolution=resolution)
    assert found.unknown == "sigma"
    assert found.value - found.refused == Fraction(resolution)
    claimed, delta = budget.split(",")
    assert eps(rate, found.value, steps, delta).upper <= Fraction(claimed)
    assert eps(rate, found.refused, steps, delta).lower > Fraction(claimed)


@pytest.mark.parametrize(("budget", "rate", "sigma"), [("1,1e-5", "1/10", "4"), ("1/2,1e-6", "1/100", "5")])
def test_the_most_steps(budget: str, rate: str, sigma: str) -> None:
    found = privref.calibrate_sgd(budget, rate=rate, sigma=sigma)
    assert (found.unknown, found.refused) == ("steps", found.value + 1)
    claimed, delta = budget.split(",")
    assert eps(rate, Fraction(sigma), int(found.value), delta).upper <= Fraction(claimed)
    assert eps(rate, Fraction(sigma), int(found.refused), delta).lower > Fraction(claimed)


def test_at_rate_one_it_is_the_gaussian_mechanism() -> None:
    found = privref.calibrate_sgd("1,1e-5", rate="1", sigma="50")
    gaussian = [
        privref.evaluate("gdp/composition.eps", {"mu": [{"value": "1/50", "count": int(k)}], "delta": "1e-5"}).enclosure
        for k in (found.value, found.refused)
    ]
    assert gaussian[0] is not None
    assert gaussian[1] is not None
    assert gaussian[0].upper <= 1 < gaussian[1].lower


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"rate": "1/10"}, "steps"),
        ({"rate": "1/10", "steps": 1, "sigma": "1"}, "steps"),
        ({"rate": "0", "steps": 1}, "rate"),
        ({"rate": 0.1, "steps": 1}, "rate"),
        ({"rate": "1/10", "sigma": "0"}, "sigma"),
        ({"rate": "1/10", "steps": 0}, "steps"),
        ({"rate": "1/10", "steps": 40, "resolution": "1000"}, "resolution"),
        (
            {"rate": "1/10", "steps": 40, "resolution": "1e-300"},
            "resolution: .*1e-300.*at least 1e-9",
        ),
        ({"rate": "1", "sigma": "1/10"}, "budget"),
        ({"rate": "1e-20", "sigma": "1"}, "budget: .*all numbers of steps"),
    ],
)
def test_what_has_no_answer_is_refused(words: dict[str, Any], field: str) -> None:
    with pytest.raises(privref.InputError, match=f"^{field}"):
        privref.calibrate_sgd("1,1e-5", **words)


def test_out_of_reach_is_said_and_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgd, "within", lambda *_: None)
    with pytest.raises(privref.UndecidedError, match="out of the contour's reach"):
        privref.calibrate_sgd("1,1e-5", rate="1/10", sigma="4")


def test_the_second_engine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    real = sgd.within

    def contrary(ar: Any, *rest: Any) -> bool | None:
        found = real(ar, *rest)
        return found if ar.name == "arb" else not found

    monkeypatch.setattr(sgd, "within", contrary)
    with pytest.raises(privref.EnginesDisagree):
        privref.calibrate_sgd("1,1e-5", rate="1/10", sigma="4")
