"""jax-privacy: the accountant of DP-SGD, on Poisson samples and on batches of a fixed size."""

from __future__ import annotations

from typing import Any

from inputs import fixed_samples, sampled_rate
from serving import Function, serve

CODE = (
    "from jax_privacy import accounting as a\n"
    "plan = dict(noise_multipliers=sigma, num_samples=records, delta=delta, batch_size=size)\n"
    "given = a.DpParams(**plan, sampling_method=a.SamplingMethod.{})\n"
    "a.DpsgdTrainingAccountant(dp_accountant_config=a.{}()).compute_epsilon(k, given)"
)


def poisson(inputs: dict[str, Any]) -> dict[str, Any]:
    """A batch size and a number of records whose quotient is the rate."""
    return fixed_samples(inputs) | {"sigma": inputs["sigma"]}


FUNCTIONS = [
    Function(
        f"DpsgdTrainingAccountant, {name}, {method}",
        "zdw2022/poisson_gaussian.eps",
        CODE.format(method, name),
        given,
        sampled_rate,
        part="PLD" if "Pld" in name else "",
    )
    for name in ("PldAccountantConfig", "RdpAccountantConfig")
    for method, given in (("POISSON", poisson), ("FIXED_BATCH_SIZE", fixed_samples))
]

if __name__ == "__main__":
    serve("jax-privacy", FUNCTIONS)
