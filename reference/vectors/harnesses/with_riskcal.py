"""riskcal: its accountant by connecting the dots, and the advantage of a guarantee."""

from __future__ import annotations

from inputs import steps
from serving import Function, serve

FUNCTIONS = [
    Function(
        "CTDAccountant.get_epsilon",
        "zdw2022/poisson_gaussian.eps",
        "from riskcal.accountants import CTDAccountant\naccountant = CTDAccountant()\n"
        "accountant.history = [(sigma, q, k)]  # k steps at once\naccountant.get_epsilon(delta=delta)",
        steps,
        part="PLD",
    ),
    Function(
        "CTDAccountant.get_pld, its delta",
        "zdw2022/poisson_gaussian.delta",
        "from riskcal.accountants import CTDAccountant\naccountant = CTDAccountant()\n"
        "accountant.history = [(sigma, q, k)]  # k steps at once\naccountant.get_pld().get_delta_for_epsilon(eps)",
        steps,
        part="PLD",
    ),
]

if __name__ == "__main__":
    serve("riskcal", FUNCTIONS)
