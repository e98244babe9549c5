"""opacus: its three accountants. Without torch, which they do not use, the package is imported around."""

from __future__ import annotations

import importlib.util
import sys
import types

from inputs import steps
from serving import Function, serve

if importlib.util.find_spec("torch") is None:
    spec = importlib.util.find_spec("opacus")
    assert spec is not None
    package, optimizers = types.ModuleType("opacus"), types.ModuleType("opacus.optimizers")
    package.__spec__, package.__path__ = spec, list(spec.submodule_search_locations or ())
    optimizers.DPOptimizer = object  # type: ignore[attr-defined]
    sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})

WARNING = "GDP accounting is experimental and can underestimate privacy expenditure"
CODE = (
    "from opacus.accountants import {0}\naccountant = {0}()\n"
    "accountant.history = [(sigma, q, k)]  # k steps, as in opacus.accountants.utils\naccountant.get_epsilon(delta)"
)
FUNCTIONS = [
    Function(
        name,
        "zdw2022/poisson_gaussian.eps",
        CODE.format(name),
        steps,
        note=WARNING if name == "GaussianAccountant" else "",
    )
    for name in ("RDPAccountant", "GaussianAccountant", "PRVAccountant")
]

if __name__ == "__main__":
    serve("opacus", FUNCTIONS)
