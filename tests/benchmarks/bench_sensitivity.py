"""How often a sensitivity that is computed in single precision is below the exact one of the same coefficients.

``python tests/benchmarks/bench_sensitivity.py [--each 1000] [--seed 1]`` prints a table. The formula is that of
jax-privacy (``toeplitz.minsep_sensitivity_squared``: cumulative sums over the rounds of a unit, their difference, and
the product with itself), in numpy's float32; JAX adds in another order. The exact number is
``kalinin2024/thm2.sensitivity_squared`` of the float32 coefficients. Last, from how many rounds on a tree's depth, as
dp-accounting computes it (``ceil(log2(n + 1))`` in double precision), is too small.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from privref.profiles.correlated import largest_square

Floats = Any


def in_floats(coefficients: Floats, rounds: int, times: int, apart: int) -> Fraction:
    """The squared sensitivity in float32: each sum of a unit's rounds, less what its last round had, squared."""
    padded = np.zeros(-(-rounds // apart) * apart, dtype=np.float32)
    padded[: len(coefficients)] = coefficients[:rounds]
    sums = padded.reshape(-1, apart).cumsum(axis=0, dtype=np.float32).flatten()
    last = apart * times
    if last < len(sums):
        sums[last:] = sums[last:] - sums[:-last].copy()
    return Fraction(float(np.dot(sums[:rounds], sums[:rounds])))


def square_roots(draw: Random, apart: int) -> Floats:
    """The first coefficients of the square root of the matrix of ones, as many as a band may have."""
    found = [1.0]
    for t in range(1, draw.randint(2, apart)):
        found.append(found[-1] * (2 * t - 1) / (2 * t))
    return np.array(found, dtype=np.float32)


def buffered(draw: Random, apart: int) -> Floats:
    """A BLT of up to four buffers, of any length."""
    buffers = [(draw.uniform(0, 0.25), draw.uniform(0.5, 0.999)) for _ in range(draw.randint(1, 4))]
    column = [1.0, *(sum(omega * theta**t for omega, theta in buffers) for t in range(2 * apart))]
    return np.array(column, dtype=np.float32)


def falling(draw: Random, apart: int) -> Floats:
    """Numbers between 0 and 1, sorted."""
    found = sorted((draw.random() for _ in range(draw.randint(2, apart))), reverse=True)
    return np.array(found, dtype=np.float32)


KINDS: dict[str, Callable[[Random, int], Floats]] = {
    "square roots, banded": square_roots, "BLT": buffered, "random, banded": falling,
}  # fmt: skip


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print("| coefficients | runs | below the exact number | largest relative shortfall |\n|---|---:|---:|---:|")
    for name, column in KINDS.items():
        draw, short = Random(args.seed), list[float]()
        for _ in range(args.each):
            apart, times = draw.randint(20, 200), draw.randint(1, 8)
            rounds = apart * times
            coefficients = column(draw, apart)
            exact = largest_square([Fraction(float(c)) for c in coefficients], rounds, times, apart, "")
            short.append(float(1 - in_floats(coefficients, rounds, times, apart) / exact))
        below = [each for each in short if each > 0]
        print(f"| {name} | {args.each} | {len(below)} | {max(below, default=0):.1e} |")
    wrong = next(k for k in range(1, 60) if math.ceil(np.log2(2.0**k + 1)) < k + 1)
    print(f"\nA tree's depth is too small from 2^{wrong} rounds on.")


if __name__ == "__main__":
    main()
