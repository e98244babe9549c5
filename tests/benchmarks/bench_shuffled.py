"""A search for the queries that lose most on shuffled batches, if a record is zeroed out.

``python tests/benchmarks/bench_shuffled.py [--tries 300] [--seed 1] [--batches 2 3 10 100]`` compares adaptive queries
with the pair of the known lower bound, avg N(2 e_t, s^2) against avg N(e_t, s^2). All numbers are floats: this is a
search, and proofs/derivations/shuffled.py proves what it found. Four parts:

1. the last round: random vectors of the plane against the query that the derivation says is best;
2. two batches: random vectors of the plane in the first round, the best query in the last one;
3. more batches, all other records equal: in each round the better of two queries, by the answers so far;
4. three batches of three different records in a small mechanism: all contributions -1, 0 and 1, fixed or, in the last
   round, adaptive.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import numpy as np

RUNS = ((0.8, 0.5), (1.0, 0.5), (1.0, 1.0), (2.0, 0.5), (2.0, 1.0))
Array = Any


def _phi(x: Array) -> Array:
    return np.vectorize(lambda t: math.erfc(-t / math.sqrt(2)) / 2, otypes=[float])(x)


def _call(strike: Array, deviation: float) -> Array:
    """E (X - strike)_+ of a lognormal X of mean 1."""
    strike = np.asarray(strike, float)
    if not deviation:
        return np.maximum(1 - strike, 0)
    inside = np.where(strike > 0, strike, 1)
    at = -np.log(inside) / deviation + deviation / 2
    return np.where(strike > 0, _phi(at) - strike * _phi(at - deviation), 1 - strike)


def last(c: Array, s: float, scale: float) -> Array:
    """What the best last query has at C: E (C + X_2 - K X_1)_+ below 0, E (C + 1 - K X_1)_+ above."""
    a = 1 / s
    z = np.linspace(-8, 8 + 2 * a, 1601)
    weights = np.exp(-z * z / 2) / math.sqrt(2 * math.pi) * (z[1] - z[0])
    change = np.exp(2 * a * z - 2 * a * a) - scale * np.exp(a * z - a * a / 2)
    below = (np.maximum(np.minimum(c, 0)[:, None] + change, 0) * weights).sum(1)
    return np.where(c < 0, below, c + 1 - scale + scale * _call((c + 1) / scale, a))


def _vectors(rng: np.random.Generator) -> tuple[Array, float]:
    """u in the plane, and |v|: v lies on the first axis, and |u - v| is at most 1."""
    length, apart = (rng.choice((1.0, rng.random())) for _ in range(2))
    angle = rng.choice((0.0, math.pi, rng.uniform(0, math.pi)))
    return np.array([length + apart * math.cos(angle), apart * math.sin(angle)]), float(length)


def _last_round(tries: int, rng: np.random.Generator) -> Iterator[str]:
    z = np.linspace(-9, 9, 1801)
    weights = np.exp(-z * z / 2) / math.sqrt(2 * math.pi) * (z[1] - z[0])
    most = -math.inf
    for _ in range(tries):
        s, eps = RUNS[rng.integers(len(RUNS))]
        scale, (u, v), c = math.exp(eps), _vectors(rng), rng.normal() * 3
        rest = c - scale * np.exp(v * z / s - v * v / (2 * s * s))
        factor = np.exp(u[0] * z / s - u[0] ** 2 / (2 * s * s))
        found = float((weights * factor * _call(-rest / factor, abs(u[1]) / s)).sum())
        most = max(most, found - float(last(np.array([c]), s, scale)[0]))
    yield f"last round: {tries} random queries have at most {most:.1e} more than the best (sums err by about 1e-5)"


def _two(tries: int, rng: np.random.Generator) -> Iterator[str]:
    for s, eps in RUNS:
        scale = math.exp(eps)
        grid = np.concatenate([-np.geomspace(1e6, 1e-5, 1500), [0.0], np.geomspace(1e-5, 1e9, 1500)])
        values = last(grid, s, scale)

        def lost(
            u: Array, v: float, points: int = 121, s: float = s, scale: float = scale, of: Array = (grid, values)
        ) -> float:
            z = np.linspace(-7, 8, points)
            one, two = np.meshgrid(z, z)
            weights = np.exp(-(one**2 + two**2) / 2) / (2 * math.pi) * (z[1] - z[0]) ** 2
            x = np.exp((u[0] * one + u[1] * two) / s - (u @ u) / (2 * s * s))
            return float((weights * np.interp(x - scale * np.exp(v * one / s - v * v / (2 * s * s)), *of)).sum()) / 2

        (u, v) = max((_vectors(rng) for _ in range(tries)), key=lambda drawn: lost(*drawn))
        line, best = lost(np.array([2.0, 0.0]), 1.0, 1201), lost(u, v, 1201)
        yield f"two batches, s = {s}, eps = {eps}: u = 2 v first {line:.6g}; best of {tries} random ones: " + (
            f"{best:.6g} at u = ({u[0]:.3f}, {u[1]:.3f}), |v| = {v:.3f}"
        )


def _more(batches: int, s: float, eps: float) -> tuple[float, float]:
    """The pair's delta, and that of the better query in each round, by a grid of C."""
    a, scale = 1 / s, math.exp(eps)
    z = np.linspace(-7, 7 + 2 * a, 401)
    weights = np.exp(-z * z / 2) / math.sqrt(2 * math.pi) * (z[1] - z[0])
    there = np.exp(2 * a * z - 2 * a * a) - scale * np.exp(a * z - a * a / 2)
    gone = 1 - scale * np.exp(a * z - a * a / 2)
    low, high = -scale * batches * 6 - 50, batches * 8 + 60 * scale
    at = np.sinh(np.linspace(-8, 8, 3001)) / math.sinh(8)
    grid = np.where(at < 0, -at * low, at * high)

    def expected(values: Array, changes: Array) -> Array:
        found = np.zeros_like(grid)
        for change, weight in zip(changes, weights, strict=True):
            moved = grid + change
            found += weight * (np.interp(moved, grid, values) + np.maximum(moved - high, 0))
        return found

    pair = best = np.maximum(grid, 0)
    for _ in range(batches):
        pair = expected(pair, there)
        best = np.maximum(expected(best, there), expected(best, gone))
    return float(np.interp(0, grid, pair)) / batches, float(np.interp(0, grid, best)) / batches


def _small(scale: float, base: float) -> str:
    """Three records, noise of masses base^(-k^2) up to 6: the best fixed queries, and with an adaptive last round."""
    noise = {k: base ** -(k * k) for k in range(-6, 7)}
    whole = sum(noise.values())
    law = {m: np.array([noise.get(at - m, 0) / whole for at in range(-7, 8)]) for m in (-1, 0, 1)}
    rounds = list(product((-1, 0, 1), repeat=3))
    without = {each: (0, *each[1:]) for each in rounds}
    fixed, adaptive, equal = 0.0, 0.0, 0.0
    for first, second in product(rounds, repeat=2):
        halves = []
        for one, two in ((first, second), (without[first], without[second])):
            halves.append([
                sum(np.outer(law[one[i]], law[two[j]]).ravel() for i, j, k in permutations(range(3)) if k == third) / 6
                for third in range(3)
            ])  # fmt: skip
        lost = np.array([
            np.maximum(
                sum(np.outer(halves[0][i], law[third[i]]) for i in range(3))
                - scale * sum(np.outer(halves[1][i], law[without[third][i]]) for i in range(3)), 0,
            ).sum(1)
            for third in rounds
        ])  # fmt: skip
        fixed, most = max(fixed, float(lost.sum(1).max())), float(lost.max(0).sum())
        adaptive = max(adaptive, most)
        if first[1] == first[2] and second[1] == second[2]:
            equal = max(equal, most)
    return (
        f"three batches, a small mechanism, e^eps = {scale}, masses {base}^(-k^2): fixed {fixed:.6g}, "
        f"adaptive last round {adaptive:.6g}, of equal others before it {equal:.6g}"
    )


def main() -> None:
    """Print what each part found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, nargs="*", default=[2, 3, 10, 100])
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    for part in (_last_round(10 * given.tries, rng), _two(given.tries, rng)):
        for line in part:
            sys.stdout.write(f"{line}\n")
    for batches, (s, eps) in product(given.batches, RUNS):
        pair, best = _more(batches, s, eps)
        sys.stdout.write(
            f"{batches} batches, s = {s}, eps = {eps}: pair {pair:.6g}, adaptive {best:.6g}, "
            f"{best / pair - 1:.2%} more\n"
        )
    for scale, base in product((1.5, 3.0), (2.0, 1.2)):
        sys.stdout.write(f"{_small(scale, base)}\n")


if __name__ == "__main__":
    main()
