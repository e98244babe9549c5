"""random-allocation: the closed forms of one Gaussian; its scheme of allocation has no vectors."""

from __future__ import annotations

from noise import one_sigma
from serving import Function, serve

LOCAL = "from random_allocation.other_schemes.local import Gaussian_{0}\nGaussian_{0}(sigma, {1})"
FUNCTIONS = [
    Function("Gaussian_epsilon", "gdp/profile.eps", LOCAL.format("epsilon", "delta"), **one_sigma()),
    Function("Gaussian_delta", "gdp/profile.delta", LOCAL.format("delta", "eps"), **one_sigma()),
]

if __name__ == "__main__":
    serve("random-allocation", FUNCTIONS)
