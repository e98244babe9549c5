"""prv-accountant: its upper bounds, with an error of 0.1 in epsilon and a thousandth of delta."""

from __future__ import annotations

from math import frexp
from typing import Any

from inputs import at_most, equal_pure, no_deltas, some, steps
from laws import law
from noise import one_sigma
from serving import Function, Skip, serve


def few_steps(inputs: dict[str, Any]) -> dict[str, Any]:
    """Its memory grows with the steps."""
    if steps(inputs)["k"] > 20_000:
        raise Skip("more than 20,000 steps")
    return inputs


#: Each round of its own has a transform of its own.
FEW = at_most(30)
ONE = "from prv_accountant import *\nlaw = {0}\nPRVAccountant(law, 0.1, {2} / 1000, {1}).compute_epsilon({2}, [{1}])[2]"
SEVERAL = (
    "from prv_accountant import *\nlaws = {0}\naccountant = PRVAccountant(laws, 0.1, {1} / 1000, [1] * len(laws))\n"
    "accountant.compute_epsilon({1}, [1] * len(laws))[2]"
)
FUNCTIONS = [
    *(
        Function(
            name,
            "zdw2022/poisson_gaussian.eps",
            code,
            few_steps,
            part="PRVAccountant, PoissonSubsampledGaussianMechanism",
        )
        for name, code in (
            (
                "PRVAccountant, PoissonSubsampledGaussianMechanism (upper)",
                ONE.format(
                    "PoissonSubsampledGaussianMechanism(sampling_probability=q, noise_multiplier=sigma)", "k", "delta"
                ),
            ),
            (
                "DPSGDAccountant (upper)",
                "from prv_accountant.dpsgd import DPSGDAccountant\n"
                "DPSGDAccountant(sigma, q, k, 0.1, delta / 1000).compute_epsilon(delta, k)[2]",
            ),
        )
    ),
    Function(
        "PRVAccountant, PureDPMechanism (upper)",
        "kov2015/optimal.eps",
        ONE.format("PureDPMechanism(eps)", "k", "delta_g"),
        equal_pure,
        part="PRVAccountant",
    ),
    Function(
        "PRVAccountant, GaussianMechanism (upper)",
        "gdp/profile.eps",
        ONE.format("GaussianMechanism(sigma)", "1", "delta"),
        part="PRVAccountant",
        **one_sigma(),
    ),
    Function(
        "PRVAccountant, LaplaceMechanism (upper)",
        "zdw2022/thm10.eps",
        ONE.format("LaplaceMechanism(1 / scale)", "count", "delta"),
        law("laplace", lambda names: frexp(names["scale"])[0] == 0.5),
        part="PRVAccountant, LaplaceMechanism",
    ),
    Function(
        "PRVAccountant, ApproximateDPMechanism (upper)",
        "mv2016/optimal.eps",
        SEVERAL.format("[ApproximateDPMechanism(e, d) for e, d in zip(eps, delta, strict=True)]", "delta_g"),
        lambda inputs: FEW(some(inputs)),
        part="PRVAccountant",
    ),
    Function(
        "PRVAccountant, PureDPMechanism and GaussianMechanism (upper)",
        "mv2016/mixed.eps",
        SEVERAL.format("[PureDPMechanism(e) for e in eps] + [GaussianMechanism(s) for s, n in sigma]", "delta_g"),
        part="PRVAccountant",
        **one_sigma(then=lambda names: FEW(no_deltas(names))),
    ),
    Function(
        "PRVAccountant, different GaussianMechanisms (upper)",
        "gdp/composition.eps",
        SEVERAL.format("[GaussianMechanism(s) for s, n in sigma for _ in range(n)]", "delta"),
        part="PRVAccountant",
        **one_sigma(then=FEW),
    ),
]

if __name__ == "__main__":
    serve("prv-accountant", FUNCTIONS)
