"""gdpnum: the mu of DP-SGD, read as the guarantee that mu-GDP is."""

from __future__ import annotations

from inputs import steps
from serving import Function, serve

MU = "import gdpnum; from math import erfc, exp, sqrt\nmu, _ = gdpnum.dpsgd.get_mu_and_regret_for_dpsgd(sigma, q, k)\n"
FUNCTIONS = [
    Function(
        "get_mu_and_regret_for_dpsgd, its mu",
        "zdw2022/poisson_gaussian.delta",
        f"{MU}phi = lambda x: erfc(-x / sqrt(2)) / 2\nphi(mu / 2 - eps / mu) - exp(eps) * phi(-mu / 2 - eps / mu)",
        steps,
    ),
    Function(
        "CTDAccountant.get_epsilon",
        "zdw2022/poisson_gaussian.eps",
        "import gdpnum\naccountant = gdpnum.CTDAccountant()\n"
        "accountant.history = [(sigma, q, k)]  # k steps at once\naccountant.get_epsilon(delta=delta)",
        steps,
        part="PLD",
    ),
]

if __name__ == "__main__":
    serve("gdpnum", FUNCTIONS)
