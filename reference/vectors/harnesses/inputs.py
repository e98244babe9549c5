"""Inputs that several libraries can be given, and what they really get."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from serving import Skip, pairs


def equal_pure(inputs: dict[str, Any]) -> dict[str, Any]:
    """Equal pure rounds: at most 10,000 of them, and at least one."""
    if not 1 <= inputs["k"] <= 10_000:
        raise Skip("from 1 to 10,000 rounds")
    return inputs


def steps(inputs: dict[str, Any]) -> dict[str, Any]:
    """Some rounds of which each may see a record."""
    if inputs["k"] < 1 or inputs["q"] == 0:
        raise Skip("no round sees a record")
    return inputs


def at_most(most: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """At least one round, and not more than this many."""

    def given(inputs: dict[str, Any]) -> dict[str, Any]:
        lists = [value for value in inputs.values() if isinstance(value, list)]
        if not 0 < sum(count for value in lists for _, count in pairs(value)) <= most:
            raise Skip(f"from 1 to {most:,} rounds")
        return inputs

    return given


def flat(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds as pairs (value, count), some of them, and two thousand at most."""
    given = at_most(2000)(inputs)
    return {name: pairs(value) if isinstance(value, list) else value for name, value in given.items()}


def some(inputs: dict[str, Any]) -> dict[str, Any]:
    """At least one round."""
    if not inputs["eps"]:
        raise Skip("no round")
    return inputs


def fixed_samples(inputs: dict[str, Any]) -> dict[str, Any]:
    """A sample of ``size`` among ``records``, and noise for records of which the sum moves by twice the norm.

    Let every other record be the negative of the replaced one. Whoever is sampled with it moves the sum by 2, and who
    is not by nothing: the Poisson-subsampled Gaussian of half the noise, in both directions.
    """
    rate = Fraction(steps(inputs)["q"]).limit_denominator(10**9)
    if rate.numerator / rate.denominator != inputs["q"]:
        raise Skip("the rate is no quotient of small whole numbers")
    return {"size": rate.numerator, "records": rate.denominator, "sigma": 2 * inputs["sigma"]} | {
        name: inputs[name] for name in ("k", "delta")
    }


def sampled_rate(names: dict[str, Any]) -> dict[str, Any]:
    """The rate that is meant: a quotient of whole numbers."""
    return {"q": f"{names['size']}/{names['records']}"}


def no_deltas(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds of which none spends a delta; at least one."""
    if any(some(inputs)["delta"]):
        raise Skip("deltas among the rounds")
    return {name: value for name, value in inputs.items() if name != "delta"}


def calibration(inputs: dict[str, Any]) -> dict[str, Any]:
    """A target that some noise meets."""
    if 0 in (inputs["eps"], inputs["delta"]):
        raise Skip("an epsilon or a delta of 0")
    return inputs
