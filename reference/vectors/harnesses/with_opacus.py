"""opacus: its three accountants. Without torch, which they do not use, the package is imported around."""

from __future__ import annotations

import importlib.util
import sys
import types

from inputs import at_most, steps
from noise import one_sigma
from serving import Function, serve

spec = importlib.util.find_spec("opacus")
if spec is not None and importlib.util.find_spec("torch") is None:
    package, optimizers = types.ModuleType("opacus"), types.ModuleType("opacus.optimizers")
    package.__spec__, package.__path__ = spec, list(spec.submodule_search_locations or ())
    optimizers.DPOptimizer = object  # type: ignore[attr-defined]
    sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})

ACCOUNTANTS = ("RDPAccountant", "GaussianAccountant", "PRVAccountant")
WARNING = "GDP accounting is experimental and can underestimate privacy expenditure"
HEAD = "from opacus.accountants import {0}\naccountant = {0}()\n"
FUNCTIONS = [
    *(
        Function(
            f"{name}, Poisson sampling",
            "zdw2022/poisson_gaussian.eps",
            HEAD.format(name) + "accountant.history = [(sigma, q, k)]  # k steps, as in opacus.accountants.utils\n"
            "accountant.get_epsilon(delta)",
            steps,
            note=WARNING if name == "GaussianAccountant" else "",
            part=name if name != "GaussianAccountant" else f"{name}, Poisson sampling",
        )
        for name in ACCOUNTANTS
    ),
    *(
        Function(
            f"{name}, sample rate 1",
            "gdp/profile.eps",
            HEAD.format(name) + "accountant.step(noise_multiplier=sigma, sample_rate=1)\naccountant.get_epsilon(delta)",
            note=WARNING if name == "GaussianAccountant" else "",
            part=name,
            **one_sigma(),
        )
        for name in ACCOUNTANTS
    ),
    *(
        Function(
            f"{name}, sample rate 1, several steps",
            "gdp/composition.eps",
            # By steps, since the accountants check there that they can account what changes.
            HEAD.format(name) + "[accountant.step(noise_multiplier=s, sample_rate=1) for s, n in sigma"
            " for _ in range(n)]\naccountant.get_epsilon(delta)",
            note=WARNING if name == "GaussianAccountant" else "",
            part=name,
            **one_sigma(then=at_most(1000)),
        )
        for name in ACCOUNTANTS
    ),
]

if __name__ == "__main__":
    serve("opacus", FUNCTIONS)
