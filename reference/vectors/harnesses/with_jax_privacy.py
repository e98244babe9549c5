"""jax-privacy: the accountant of DP-SGD, with a batch size and a number of examples whose quotient is the rate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from serving import Function, Skip, serve
from with_dp_accounting import steps

CODE = (
    "from jax_privacy import accounting as a\n"
    "given = a.DpParams(noise_multipliers=sigma, num_samples=samples, delta=delta, batch_size=batch)\n"
    "a.DpsgdTrainingAccountant(dp_accountant_config=a.{}()).compute_epsilon(k, given)"
)


def batches(inputs: dict[str, Any]) -> dict[str, Any]:
    """Whole numbers whose quotient is the rate to the last bit."""
    rate = Fraction(steps(inputs)["q"]).limit_denominator(10**9)
    if rate.numerator / rate.denominator != inputs["q"]:
        raise Skip("the rate is no quotient of small whole numbers")
    return {"batch": rate.numerator, "samples": rate.denominator} | {n: v for n, v in inputs.items() if n != "q"}


FUNCTIONS = [
    Function(f"DpsgdTrainingAccountant, {name}", "zdw2022/poisson_gaussian.eps", CODE.format(name), batches)
    for name in ("PldAccountantConfig", "RdpAccountantConfig")
]

if __name__ == "__main__":
    serve("jax-privacy", FUNCTIONS)
