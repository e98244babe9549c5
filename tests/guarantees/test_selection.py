"""The best of a random number of trials: what ledgers say of it, what they may not, and the mean of their number."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.guarantees.model import PureDP, RenyiDP
from privref.guarantees.selection import least_gamma
from tests.audit.test_mechanisms import claims, ledger

GEOMETRIC = {"trials": "negative-binomial", "eta": "1", "gamma": "1/100"}
PURE = {"guarantee": {"kind": "pure-dp", "epsilon": "1/4"}}
GAUSSIAN = {"mechanism": {"kind": "gaussian", "sigma": "10", "sensitivity": "1"}}


def verdict(event: dict[str, Any], epsilon: str, **more: Any) -> str:
    found = ledger(event, **more)
    return privref.audit(found, claims({"epsilon": epsilon, "delta": "1e-6"})).opinions[0].verdict


def test_pure_trials_cost_two_and_eta_times_their_epsilon() -> None:
    for eta, times in (("0", 2), ("1", 3), ("1/2", Fraction(5, 2))):
        (event,) = ledger({**PURE, "best_of": {**GEOMETRIC, "eta": eta}}).events
        assert event.guarantee == PureDP(times * Fraction(1, 4))
    (older,) = ledger({**PURE, "selected": "best-of-random-number"}).events
    assert older.guarantee == PureDP(Fraction(3, 4))


@pytest.mark.parametrize("best_of", [GEOMETRIC, {"trials": "poisson", "mean": "50"}])
def test_gaussian_trials_have_renyi_dp_that_the_statement_gives(best_of: dict[str, str]) -> None:
    (event,) = ledger({**GAUSSIAN, "best_of": best_of}).events
    assert isinstance(event.guarantee, RenyiDP)
    assert event.law is None
    for order, cost in event.guarantee.orders:
        bounds = []
        for other in (Fraction(k, 2) for k in range(3, 400)):
            if "mean" in best_of:
                given = {"order": order, "eps_order": order / 200, "mean": best_of["mean"], "delta": "1"}
                bounds.append(privref.evaluate("papernot2022/thm6.renyi", given).enclosure)
                break
            given = {"order": order, "eps_order": order / 200, "other": other, "eps_other": other / 200}
            numbers = {"eta": best_of["eta"], "gamma": best_of["gamma"]}
            bounds.append(privref.evaluate("papernot2022/thm2.renyi", {**given, **numbers}).enclosure)
        least = min(float(each.lower) for each in bounds if each is not None)
        # The order of the grid is a little worse than the best one; with delta = 1 the other law is far worse.
        assert order / 200 < cost
        assert float(cost) < 1.05 * least or "mean" in best_of or order < 2


def test_a_claim_after_tuning_needs_the_tuning() -> None:
    """One Gaussian query is (0.45, 1e-6)-DP, and the best of about 100 of them is not shown to be."""
    assert verdict(GAUSSIAN, "0.45") == "confirmed"
    assert verdict({**GAUSSIAN, "best_of": GEOMETRIC}, "0.45") not in ("confirmed", "refuted", "underivable")
    assert verdict({**GAUSSIAN, "best_of": GEOMETRIC}, "2") == "confirmed"
    left_out = {**GAUSSIAN, "released": {"tuning": "left-out"}}
    assert verdict(left_out, "2") == "out-of-scope"


def test_what_it_rests_on_is_printed() -> None:
    found = ledger({**GAUSSIAN, "best_of": GEOMETRIC})
    (opinion,) = privref.audit(found, claims({"epsilon": "2", "delta": "1e-6"})).opinions
    assert any("does not depend on the data and is not released" in each.how for each in opinion.premises)


@pytest.mark.parametrize(
    ("event", "place"),
    [
        ({**PURE, "best_of": {**GEOMETRIC, "eta": "-1"}}, "eta"),
        ({**PURE, "best_of": {**GEOMETRIC, "gamma": "1"}}, "gamma"),
        ({**PURE, "best_of": {**GEOMETRIC, "gamma": "0"}}, "gamma"),
        ({**PURE, "best_of": {**GEOMETRIC, "mean": "3"}}, "mean"),
        ({**PURE, "best_of": {"trials": "negative-binomial", "eta": "1"}}, "gamma"),
        ({**PURE, "best_of": {"trials": "poisson", "mean": "0"}}, "mean"),
        ({**PURE, "best_of": {"trials": "binomial"}}, "trials"),
        ({**PURE, "best_of": GEOMETRIC, "selected": "above-threshold"}, "best_of"),
        ({**PURE, "best_of": GEOMETRIC, "released": {"padding": "none"}}, "released"),
        ({"guarantee": {"kind": "approx-dp", "epsilon": "1", "delta": "1e-9"}, "best_of": GEOMETRIC}, "best_of"),
        ({"guarantee": {"kind": "zcdp", "rho": "1", "delta": "1e-9"}, "best_of": GEOMETRIC}, "best_of"),
        ({"guarantee": {"kind": "unknown"}, "best_of": GEOMETRIC}, "best_of"),
        ({**PURE, "best_of": {"trials": "poisson", "mean": "1e300"}}, "mean"),
        ({**PURE, "best_of": {**GEOMETRIC, "gamma": "1e-300"}}, "gamma"),
        ({**PURE, "best_of": {**GEOMETRIC, "eta": "1e300"}}, "eta"),
        # Rounds of a shuffle have their part of what an epoch has together.
        (
            {
                "count": 100,
                "mechanism": {
                    "kind": "subsampled",
                    "base": GAUSSIAN["mechanism"],
                    "rate": "1/100",
                    "sampling": "shuffled",
                },
                "best_of": GEOMETRIC,
            },
            "best_of",
        ),
        (
            {
                "guarantee": {"kind": "output-dp", "cells": {"a": "1", "b": "2"}, "delta": "0"},
                "observed_cell": "a",
                "best_of": GEOMETRIC,
            },
            "best_of",
        ),
    ],
)
def test_what_is_no_such_number_of_trials_is_refused(event: dict[str, Any], place: str) -> None:
    with pytest.raises(privref.InputError, match=place):
        ledger(event)


def test_a_mean_far_beyond_use_is_refused() -> None:
    with pytest.raises(privref.InputError, match="mean"):
        least_gamma(Fraction(0), Fraction(10**300))


@pytest.mark.parametrize("eta", ["-1/2", "0", "1/2", "1", "3"])
@pytest.mark.parametrize("mean", ["1.001", "10", "5000"])
def test_the_gamma_of_a_mean_is_rounded_down_a_little(eta: str, mean: str) -> None:
    shape, wanted = Fraction(eta), Fraction(mean)

    def log_mean(gamma: Fraction) -> float:
        log = -math.log(gamma)
        ratio = 1 / log if shape == 0 else float(shape) / -math.expm1(-float(shape) * log)
        return math.log(float(1 / gamma - 1) * ratio)

    gamma = least_gamma(shape, wanted)
    assert log_mean(gamma) > math.log(wanted) - 1e-10
    assert log_mean(gamma * (1 + Fraction(1, 10**9))) < math.log(wanted) + 1e-10
