"""Textbook formulas in doubles, as anybody would write them first: what a library is without special care."""

from __future__ import annotations

from inputs import equal_pure, flat
from serving import Function, serve

VERSION = "1"
FUNCTIONS = [
    Function("sum", "rogers2016/thm2.9.eps", "sum(e * n for e, n in eps)", flat),
    Function("sum", "whitehouse2023/thm1.rho", "sum(r * n for r, n in rhos)", flat),
    Function("square", "whitehouse2023/lem1.dp2zcdp.rho", "eps**2 / 2"),
    Function(
        "Bun and Steinke",
        "whitehouse2023/lem1.zcdp2dp.eps",
        "from math import *\nrho + 2 * sqrt(rho * log(1 / delta_prime))",
    ),
    Function(
        "binomial sum",
        "kov2015/optimal.delta",
        "from math import *\nterm = lambda j: exp((k - j) * eps) - exp(eps_g + j * eps)\n"
        "sum(comb(k, j) * max(term(j), 0) for j in range(k + 1)) / (1 + exp(eps)) ** k",
        equal_pure,
    ),
    Function(
        "normal distribution",
        "gdp/profile.delta",
        "from math import *\nphi = lambda x: (1 + erf(x / sqrt(2))) / 2\n"
        "phi(mu / 2 - eps / mu) - exp(eps) * phi(-mu / 2 - eps / mu)",
    ),
]

if __name__ == "__main__":
    serve("float-reference", FUNCTIONS, VERSION)
