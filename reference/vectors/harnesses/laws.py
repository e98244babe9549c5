"""Mechanisms by their noise: what a library is given for one of them, of which every number is a double."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from serving import Skip

#: What a round of each kind may say besides its kind and its count.
FIELDS = {
    "laplace": {"scale", "sensitivity"},
    "geometric": {"scale", "shifts"},
    "discrete-gaussian": {"sigma", "shifts"},
    "randomized-response": {"probability", "outcomes"},
}


def double(value: str | Fraction) -> float:
    """A number that is a double."""
    if value in ("nan", "inf"):
        return float(value)
    nearest = float(Fraction(value))
    if Fraction(nearest) != Fraction(value):
        raise Skip("no double")
    return nearest


def parameters(round_: dict[str, Any]) -> dict[str, Any]:
    """The scale, the rate, the standard deviation, or the noise and the number of answers."""
    match round_["kind"]:
        case "laplace" if round_["sensitivity"] == "1":
            return {"scale": double(round_["scale"])}
        case "geometric" if round_["shifts"] == ["1"]:
            return {"rate": double(1 / Fraction(round_["scale"]))}
        case "discrete-gaussian" if round_["shifts"] == ["1"]:
            return {"sigma": double(round_["sigma"])}
        case "randomized-response":
            buckets = int(round_.get("outcomes", 2))
            # The true answer with probability 1 - noise, else any of the answers.
            noise = (1 - Fraction(round_["probability"])) * buckets / (buckets - 1)
            return {"noise": double(noise), "buckets": buckets}
    raise Skip("one record moves it by another distance than 1")


def law(
    kind: str, only: Callable[[dict[str, Any]], bool] = lambda names: True
) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Let the code have one mechanism of this kind, run ``count`` times, and the target."""

    def given(inputs: dict[str, Any]) -> dict[str, Any]:
        exact = inputs["exact"]
        round_ = exact["rounds"][0] if len(exact["rounds"]) == 1 else {"kind": "several"}
        if round_["kind"] != kind or not set(round_) <= FIELDS[kind] | {"kind", "count"}:
            raise Skip(f"not one mechanism of the kind {kind}")
        target = {name: double(exact[name]) for name in ("delta", "eps") if name in exact}
        names = parameters(round_) | {"count": int(round_.get("count", 1))} | target
        if not only(names):
            raise Skip("not for this function")
        return names

    return given


def binary_response(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds of randomized response between two answers, whose noise is a double."""
    if len(inputs["k"]) != 1 or inputs["delta"] or inputs["exp_eps"] not in (3, 7, 15, 31) or inputs["exp_E"][0] <= 1:
        raise Skip("not rounds of one response whose noise is a double")
    return {"noise": 2 / (1 + inputs["exp_eps"]), "count": inputs["k"][0], "exp_E": inputs["exp_E"][0]}
