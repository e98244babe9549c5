"""tmlt.core: its exact budgets, from which it subtracts."""

from __future__ import annotations

from serving import Function, serve
from with_diffprivlib import flat

FUNCTIONS = [
    Function(
        "ApproxDPBudget.subtract",
        "rogers2016/thm3.3.filter",
        "from functools import reduce; from tmlt.core.measures import *; from tmlt.core.utils.exact_number import *\n"
        "pair = lambda e, d: tuple(ExactNumber.from_float(float(x), round_up=True) for x in (e, d))\n"
        "spends = [pair(e, 0) for e, n in eps for _ in range(n)] + [pair(0, d) for d, n in delta for _ in range(n)]\n"
        'reduce(lambda budget, spend: budget.subtract(spend), spends, ApproxDPBudget(pair(eps_g, delta_g))) and "CONT"',
        flat,
        halts=("InsufficientBudgetError",),
    ),
]

if __name__ == "__main__":
    serve("tmlt.core", FUNCTIONS)
