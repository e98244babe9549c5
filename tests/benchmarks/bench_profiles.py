"""Profiles of mechanisms against dp-accounting's (``python tests/benchmarks/bench_profiles.py``; needs dp-accounting).

One process, CPU time, and the ratio: dp-accounting's interval is 1e-4, ours an enclosure to a relative 1e-5, by the
inversion where it reaches and by the grid elsewhere. 65 unequal
discrete Gaussians of the 2020 Census (Gaussians there), 10^3 mixed Laplace and Gaussian rounds, 10^5 equal Laplace.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import privref
from privref.exact.errors import UndecidedError
from privref.profiles import grid, inversion
from privref.profiles.model import Composition, DiscreteGaussian, Gaussian, Laplace, Round

INTERVAL = 1e-4
WIDTH = Fraction(1, 10**5)


def census() -> list[Fraction]:
    """The rho of every query."""
    events = privref.example_document("census2020", "ledger")["events"]
    return [Fraction(event["guarantee"]["rho"]) for event in events]


def mixed() -> tuple[list[Fraction], Fraction]:
    """Scales of 500 different Laplace rounds of sensitivity 1, and the mu^2 of 500 Gaussian ones together."""
    return [Fraction(20) + Fraction(i, 25) for i in range(500)], Fraction(500, 900)


def theirs(name: str) -> float:
    from dp_accounting.pld import privacy_loss_distribution as pld

    if name == "equal Laplace":
        one = pld.from_laplace_mechanism(100.0, value_discretization_interval=INTERVAL)
        return float(one.self_compose(10**5).get_epsilon_for_delta(1e-6))
    if name == "mixed":
        scales, mu_squared = mixed()
        parts = [pld.from_laplace_mechanism(float(b), value_discretization_interval=INTERVAL) for b in scales]
        parts.append(pld.from_gaussian_mechanism(1 / math.sqrt(mu_squared), value_discretization_interval=INTERVAL))
        delta = 1e-6
    else:
        parts = [
            pld.from_gaussian_mechanism(1 / math.sqrt(2 * rho), value_discretization_interval=INTERVAL)
            for rho in census()
        ]
        delta = 1e-10
    total = parts[0]
    for part in parts[1:]:
        total = total.compose(part)
    return float(total.get_epsilon_for_delta(delta))


def ours(name: str) -> tuple[float, float]:
    delta = Fraction(1, 10**6)
    if name == "equal Laplace":
        rounds = [Round(Laplace(Fraction(1, 100)), 10**5)]
    elif name == "mixed":
        scales, mu_squared = mixed()
        rounds = [*(Round(Laplace(1 / b)) for b in scales), Round(Gaussian(mu_squared))]
    else:
        rounds, delta = [Round(DiscreteGaussian(1 / rho, 1), 2) for rho in census()], Fraction(1, 10**10)
    composition = Composition.of(rounds)
    try:
        found = inversion.eps_of(composition, delta, WIDTH / 4)
    except UndecidedError:
        found = grid.eps_of(composition, delta, WIDTH)
    assert found is not None
    assert found.relative_width_at_most(WIDTH)
    return float(found.lower), float(found.upper)


def timed(work: Callable[[], object]) -> tuple[object, float]:
    start = time.process_time()
    return work(), time.process_time() - start


if __name__ == "__main__":
    for case in ("census", "mixed", "equal Laplace"):
        here, seconds = timed(partial(ours, case))
        there, theirs_seconds = timed(partial(theirs, case))
        print(f"{case}: {here} in {seconds:.2f} s; {there} in {theirs_seconds:.2f} s; {seconds / theirs_seconds:.2f} x")
