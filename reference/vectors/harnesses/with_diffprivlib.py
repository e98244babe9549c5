"""diffprivlib: its budget accountant, and the noise of its Gaussian mechanisms."""

from __future__ import annotations

from typing import Any

from serving import Function, Skip, pairs, serve

ACCOUNTANT = "from diffprivlib.accountant import BudgetAccountant\n"


def flat(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds as pairs (value, count), some of them, and a thousand at most."""
    given = {name: pairs(value) if isinstance(value, list) else value for name, value in inputs.items()}
    rounds = sum(count for value in given.values() if isinstance(value, list) for _, count in value)
    if not 0 < rounds <= 1000:
        raise Skip("from 1 to 1,000 rounds")
    return given


def slack(inputs: dict[str, Any]) -> dict[str, Any]:
    """Rounds without deltas, and some slack."""
    if inputs.get("k", 1) < 1 or any(inputs.get("delta", ())) or not inputs["delta_g"] or not inputs.get("eps"):
        raise Skip("deltas among the rounds, or none to spare")
    return {name: value for name, value in inputs.items() if name != "delta"}


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
    *(
        Function(
            f"{name}, its noise",
            "gdp/profile.mu",
            f"from fractions import Fraction; from diffprivlib.mechanisms import {name}\n"
            f"1 / Fraction(float({name}(epsilon=eps, delta=delta, sensitivity=1)._scale))",
            part=name,
        )
        for name in ("GaussianAnalytic", "Gaussian")
    ),
]

if __name__ == "__main__":
    serve("diffprivlib", FUNCTIONS)
