"""diffprivlib: its budget accountant, and the noise of its Gaussian mechanisms."""

from __future__ import annotations

import struct
from typing import Any

from inputs import calibration, flat
from serving import Function, Skip, serve

ACCOUNTANT = "from diffprivlib.accountant import BudgetAccountant\n"


def slack(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds without deltas, and some slack."""
    if inputs.get("k", 1) < 1 or any(inputs.get("delta", ())) or not inputs["delta_g"] or not inputs.get("eps"):
        raise Skip("deltas among the rounds, or none to spare")
    return {name: value for name, value in inputs.items() if name != "delta"}


def slack_and_deltas(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds with deltas, of which some of the target is left."""
    if not 0 < sum(inputs["delta"]) < inputs["delta_g"]:
        raise Skip("no deltas among the rounds, or none to spare")
    return inputs


def halves(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds without deltas, whose epsilons are numbers of half precision."""
    given = flat(inputs)
    if any(value for value, _ in given.pop("delta")) or not given["eps"]:
        raise Skip("deltas among the rounds, or no epsilon")
    for value, _ in given["eps"]:
        if not 0 < value < 65504 or struct.unpack("<e", struct.pack("<e", value))[0] != value:
            raise Skip("not of half precision")
    return given


FUNCTIONS = [
    Function(
        "BudgetAccountant.total, slack=0",
        "rogers2016/thm2.9.eps",
        f"{ACCOUNTANT}BudgetAccountant(spent_budget=[(e, 0) for e, n in eps for _ in range(n)]).total()[0]",
        flat,
    ),
    Function(
        "BudgetAccountant.total, slack>0",
        "kov2015/optimal.eps",
        f"{ACCOUNTANT}BudgetAccountant(slack=delta_g, spent_budget=[(eps, 0)] * k).total()[0]",
        slack,
    ),
    Function(
        "BudgetAccountant.total, slack>0",
        "mv2016/optimal.eps",
        f"{ACCOUNTANT}BudgetAccountant(slack=delta_g, spent_budget=[(e, 0) for e in eps]).total()[0]",
        slack,
    ),
    Function(
        "BudgetAccountant.spend",
        "rogers2016/thm3.3.filter",
        f"{ACCOUNTANT}spends = [(e, 0) for e, n in eps for _ in range(n)]"
        " + [(0, d) for d, n in delta for _ in range(n)]\n"
        "accountant = BudgetAccountant(eps_g, delta_g)\n"
        '[accountant.spend(e, d) for e, d in spends if e or d] and "CONT"',
        flat,
        halts=("BudgetError",),
    ),
    Function(
        "BudgetAccountant.total, slack>0 and deltas",
        "mv2016/optimal.eps",
        f"{ACCOUNTANT}slack = (delta_g - sum(delta)) * 0.999  # so that the total delta stays below delta_g\n"
        "BudgetAccountant(slack=slack, spent_budget=list(zip(eps, delta, strict=True))).total()[0]",
        slack_and_deltas,
        part="BudgetAccountant.total",
    ),
    Function(
        "BudgetAccountant.spend, half precision",
        "rogers2016/thm3.3.filter",
        f"import numpy as np; {ACCOUNTANT}accountant = BudgetAccountant(eps_g, delta_g)\n"
        '[accountant.spend(np.float16(e), 0) for e, n in eps for _ in range(n)] and "CONT"',
        halves,
        part="BudgetAccountant, NumPy's half precision",
        halts=("BudgetError",),
    ),
    *(
        Function(
            f"{name}, its noise",
            "gdp/profile.mu",
            f"from fractions import Fraction; from diffprivlib.mechanisms import {name}\n"
            f"1 / Fraction(float({name}(epsilon=eps, delta=delta, sensitivity=1)._scale))",
            calibration,
            part=name,
        )
        for name in ("GaussianAnalytic", "Gaussian")
    ),
]

if __name__ == "__main__":
    serve("diffprivlib", FUNCTIONS)
