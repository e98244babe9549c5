"""prv-accountant: its upper bounds, with an error of 0.1 in epsilon and a thousandth of delta."""

from __future__ import annotations

from typing import Any

from inputs import equal_pure, steps
from noise import one_sigma
from serving import Function, Skip, serve


def few_steps(inputs: dict[str, Any]) -> dict[str, Any]:
    """Its memory grows with the steps."""
    if steps(inputs)["k"] > 20_000:
        raise Skip("more than 20,000 steps")
    return inputs


CODE = (
    "from prv_accountant import *\nlaw = {0}\nPRVAccountant(law, 0.1, {2} / 1000, {1}).compute_epsilon({2}, [{1}])[2]"
)
FUNCTIONS = [
    Function(
        "PRVAccountant, PoissonSubsampledGaussianMechanism (upper)",
        "zdw2022/poisson_gaussian.eps",
        CODE.format("PoissonSubsampledGaussianMechanism(sampling_probability=q, noise_multiplier=sigma)", "k", "delta"),
        few_steps,
        part="PRVAccountant",
    ),
    Function(
        "PRVAccountant, PureDPMechanism (upper)",
        "kov2015/optimal.eps",
        CODE.format("PureDPMechanism(eps)", "k", "delta_g"),
        equal_pure,
        part="PRVAccountant",
    ),
    Function(
        "PRVAccountant, GaussianMechanism (upper)",
        "gdp/profile.eps",
        CODE.format("GaussianMechanism(sigma)", "1", "delta"),
        part="PRVAccountant",
        **one_sigma(),
    ),
]

if __name__ == "__main__":
    serve("prv-accountant", FUNCTIONS)
