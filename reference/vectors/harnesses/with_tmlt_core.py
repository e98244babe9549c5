"""tmlt.core: its exact budgets, from which it subtracts."""

from __future__ import annotations

from serving import Function, serve
from with_opendp import pure

HEAD = "from fractions import Fraction; from functools import reduce; from tmlt.core.measures import *\nimport sympy\n"
EXACT = "exact = lambda x: sympy.Rational(*x.as_integer_ratio())\n"
FUNCTIONS = [
    Function(
        "PureDPBudget.subtract",
        "rogers2016/thm3.3.filter",
        f"{HEAD}{EXACT}"
        "reduce(lambda b, e: b.subtract(PureDPBudget(exact(e))), (e for e, n in eps for _ in range(n)),"
        ' PureDPBudget(exact(eps_g))) and "CONT"',
        pure,
        halts=("InsufficientBudgetError",),
    ),
]

if __name__ == "__main__":
    serve("tmlt.core", FUNCTIONS)
