"""Mechanisms that run: randomized response, discretised Laplace, the sparse vector technique, iterative mechanisms.

Each returns what it releases together with the guarantee that the release has and, for output DP, the cell of the
answer: what an accountant needs. Noise is sampled exactly (``sampling``); values are rationals on a public grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from privref.exact.errors import InputError
from privref.guarantees.model import Guarantee, PureDP
from privref.mechanisms.iterative import iterative
from privref.mechanisms.svt import svt
from tests.mechanisms import sampling

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Release(Generic[T]):
    """What a mechanism gave out, the guarantee it has, and the cell of the answer (None for plain DP)."""

    answer: T
    guarantee: Guarantee
    cell: str | None = None


def positive(value: Fraction, field: str) -> Fraction:
    """The value, or InputError where it is not above 0."""
    if value <= 0:
        raise InputError(field, str(value), "give a number > 0")
    return value


def release_bit(truth: int, epsilon: Fraction, bits: sampling.Bits) -> Release[int]:
    """Randomized response on one bit: epsilon-DP."""
    if epsilon < 0:
        raise InputError("epsilon", str(epsilon), "give a number >= 0")
    return Release(sampling.randomized_response(truth, epsilon, bits), PureDP(epsilon))


def grid_sensitivity(sensitivity: Fraction, step: Fraction) -> Fraction:
    """The sensitivity of a query once it is rounded to the grid: the next multiple of the step."""
    return step * math.ceil(sensitivity / step)


def release_laplace(
    value: Fraction, sensitivity: Fraction, epsilon: Fraction, step: Fraction, bits: sampling.Bits
) -> Release[Fraction]:
    """A rational query rounded to the grid of ``step``, with discrete Laplace noise on that grid: epsilon-DP."""
    scale = grid_sensitivity(positive(sensitivity, "sensitivity"), positive(step, "step")) / positive(
        epsilon, "epsilon"
    )
    noisy = sampling.round_to_grid(value, step) + sampling.grid_laplace(scale, step, bits)
    return Release(noisy, PureDP(epsilon))


def sparse_vector(
    values: Sequence[Fraction],
    thresholds: Sequence[Fraction],
    eps1: Fraction,
    eps2: Fraction,
    c: int,
    sensitivity: Fraction,
    bits: sampling.Bits,
    *,
    step: Fraction = Fraction(1),
) -> Release[tuple[int, ...]]:
    """Algorithm 2 of Hartmann et al. 2022 with discrete noise: 1 for top, 0 for bottom, until c tops.

    Everything is on the grid of ``step``. The proof of Lemma 8 shifts rho by Delta and each nu_i by at most 2 Delta;
    both are grid points, and discrete Laplace noise has the same ratios there as Laplace noise.
    """
    if len(thresholds) != len(values):
        raise InputError("thresholds", f"{len(thresholds)} values", f"give {len(values)}, one for each query")
    if c < 1:
        raise InputError("c", str(c), "give a whole number >= 1")
    delta = grid_sensitivity(positive(sensitivity, "sensitivity"), positive(step, "step"))
    rho = sampling.grid_laplace(delta / positive(eps1, "eps1"), step, bits)
    answers: list[int] = []
    for value, threshold in zip(values, thresholds, strict=True):
        nu = sampling.grid_laplace(2 * c * delta / positive(eps2, "eps2"), step, bits)
        gap = sampling.round_to_grid(value, step) - sampling.round_to_grid(threshold, step)
        answers.append(int(gap + nu >= rho))
        if sum(answers) == c:
            break
    return Release(tuple(answers), svt(eps1, eps2, c), str(sum(answers)))


def run_iterative(
    mechanisms: Sequence[Callable[[tuple[Any, ...]], Any]],
    stops: Mapping[int, Callable[[tuple[Any, ...]], bool]],
    costs: Sequence[Fraction],
    delta: Fraction,
) -> Release[tuple[Any, ...]]:
    """Algorithm 3 of Hartmann et al. 2022: run the mechanisms in turn; after k_i of them a rule may stop.

    ``mechanisms[k]`` takes the answers so far; ``stops`` maps each k_i below the last to its rule, which sees released
    answers only. ``costs`` are the E(P_i) in the order of the stopping points, the last round included, and ``delta``
    is what hartmann2022/lem11 or thm15 gives for them.
    """
    last = len(mechanisms)
    points = sorted({*stops, last})
    if any(not 1 <= point < last for point in stops):
        raise InputError("stops", str(sorted(stops)), f"give numbers of rounds from 1 to {last - 1}")
    guarantee = iterative(points, costs, delta)
    answers: tuple[Any, ...] = ()
    for k, mechanism in enumerate(mechanisms, start=1):
        answers = (*answers, mechanism(answers))
        if k in stops and stops[k](answers):
            break
    return Release(answers, guarantee, str(len(answers)))


def noisy_median_search(
    data: Sequence[Fraction],
    low: Fraction,
    high: Fraction,
    epsilon: Fraction,
    rounds: int,
    tolerance: int,
    bits: sampling.Bits,
) -> Release[tuple[tuple[Fraction, int], ...]]:
    """An iterative mechanism: bisection for the median by noisy counts, stopped once a count is near the middle.

    Each round asks how many values are below the middle of the current interval (sensitivity 1, epsilon-DP) and may
    stop after any round: E after k rounds is k epsilon, delta 0. ``low``, ``high`` and the number of values are public.
    """
    half = len(data) // 2

    def bracket(answers: tuple[tuple[Fraction, int], ...]) -> Fraction:
        left, right = low, high
        for middle, counted in answers:
            left, right = (middle, right) if counted < half else (left, middle)
        return (left + right) / 2

    def ask(answers: tuple[tuple[Fraction, int], ...]) -> tuple[Fraction, int]:
        middle = bracket(answers)
        counted = sum(value < middle for value in data)
        return middle, counted + sampling.discrete_laplace(1 / epsilon, bits)

    def near(answers: tuple[tuple[Fraction, int], ...]) -> bool:
        return abs(answers[-1][1] - half) <= tolerance

    return run_iterative(
        [ask] * rounds, dict.fromkeys(range(1, rounds), near), [k * epsilon for k in range(1, rounds + 1)], Fraction(0)
    )
