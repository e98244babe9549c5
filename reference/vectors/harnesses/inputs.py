"""Inputs that several libraries can be given, and what they really get."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from serving import Skip


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
