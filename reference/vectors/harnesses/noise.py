"""Gaussian noise: libraries take sigma where the vectors have mu = sensitivity/sigma."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from serving import Skip, pairs

Given = Callable[[dict[str, Any]], dict[str, Any]]


def one_sigma(sensitivity: int = 1, then: Given = lambda inputs: inputs) -> dict[str, Any]:
    """Let the code have the noise ``sigma`` for a ``mu``, which the library divides by once more; ``then`` goes on."""

    def each(mu: float) -> float:
        if mu == 0:
            raise Skip("no noise has mu = 0")
        return sensitivity / mu

    def given(inputs: dict[str, Any]) -> dict[str, Any]:
        mu = inputs["mu"]
        if mu == []:
            raise Skip("no Gaussian")
        sigma = [(each(value), count) for value, count in pairs(mu)] if isinstance(mu, list) else each(mu)
        return then({"sigma": sigma} | {name: value for name, value in inputs.items() if name != "mu"})

    def exactly(sigma: float) -> str:
        return str(sensitivity / Fraction(sigma)) if sigma - sigma == 0 and sigma else str(sigma)

    def really(names: dict[str, Any]) -> dict[str, Any]:
        sigma = names["sigma"]
        if isinstance(sigma, list):
            if sum(count for _, count in sigma) <= 1000:
                # A list in order has no counts; one of equal rounds may be written without.
                return {"mu": [exactly(value) for value, count in sigma for _ in range(count)]}
            return {"mu": [{"value": exactly(value), "count": count} for value, count in sigma]}
        return {"mu": exactly(sigma)}

    return {"given": given, "really": really}
