"""DP-SGD over random parameters: widths and processor times of the certified epsilon, beside PLD and PRV.

    python tests/benchmarks/bench_sgd.py [--first 0] [--count 1000] [--peers 20] [--compared 1000] [--save FILE]

Rates 1e-5 to 0.3, noise multipliers 0.4 to 30, 1 to 10^7 steps, delta 1e-4 to 1e-30, all log-uniform. Up to 1,000 steps
the contour and the grid are also asked apart. What a library that is not installed raises is shown as its answer. Exit
code 1 where a goal is missed.

``--save`` writes a line for each: ``tests/data/bench_sgd.csv`` is what the documentation's counts are of.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from privref import evaluate
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.profiles import grid, jumps, subsampled
from privref.profiles.contour_plan import OutOfReachError
from privref.profiles.model import Composition, Round, SubsampledGaussian

EPS = "zdw2022/poisson_gaussian.eps"
#: Up to so many steps both engines are asked, the grid to this relative width.
MOST_COMPARED, COMPARED_WIDTH = 1000, Fraction(1, 200)
COLUMNS = ("seed", "lower", "upper", "seconds", "engines")


def parameters(seed: int) -> dict[str, str | int]:
    """The same for everybody: rate, noise multiplier, steps, delta."""
    source = random.Random(seed)

    def log_uniform(low: float, high: float) -> float:
        return math.exp(source.uniform(math.log(low), math.log(high)))

    q, sigma, k = f"{log_uniform(1e-5, 0.3):.3g}", f"{log_uniform(0.4, 30):.3g}", round(log_uniform(1, 1e7))
    return {"q": q, "sigma": sigma, "k": k, "delta": f"{10 ** -source.uniform(4, 30):.3g}"}


def _pld(inputs: dict[str, str | int]) -> float:
    from dp_accounting.pld import privacy_loss_distribution as pld

    q, sigma, k, delta = (float(value) for value in inputs.values())
    one = pld.from_gaussian_mechanism(sigma, sampling_prob=q, value_discretization_interval=1e-4)
    return float(one.self_compose(int(k)).get_epsilon_for_delta(delta))


def _prv(inputs: dict[str, str | int]) -> float:
    from prv_accountant import Accountant

    q, sigma, k, delta = (float(value) for value in inputs.values())
    accountant = Accountant(
        noise_multiplier=sigma, sampling_probability=q, delta=delta, max_compositions=int(k), eps_error=0.1
    )
    return float(accountant.compute_epsilon(num_compositions=int(k))[2])


PEERS: dict[str, Callable[[dict[str, str | int]], float]] = {"dp-accounting PLD": _pld, "prv-accountant": _prv}


def engines(inputs: Mapping[str, str | int]) -> str:
    """Which engines, each alone, enclose the epsilon of a record's removal; AssertionError where they contradict."""
    q, sigma, delta = (Fraction(inputs[name]) for name in ("q", "sigma", "delta"))
    k, pair, ar = int(inputs["k"]), SubsampledGaussian(q, sigma), decide.engine("arb", 128)

    def by_contour() -> Enclosure | None:
        with ar.active():
            return subsampled.eps_by_contour(ar, pair, k, delta)

    def by_grid() -> Enclosure | None:
        if k * q > 5:
            return grid.eps_of(Composition.of([Round(pair, k)]), delta, COMPARED_WIDTH)
        near = subsampled.epsilon_of_one(pair, k, math.log(delta)) or 1e-3
        with ar.active():
            return jumps.eps_of(ar, pair, k, delta, near, COMPARED_WIDTH)

    found: dict[str, Enclosure] = {}
    for name, answer in (("contour", by_contour), ("grid", by_grid)):
        try:
            enclosure = answer()
        except (OutOfReachError, UndecidedError):
            continue
        if enclosure is not None:
            found[name] = enclosure
    if len(found) == 2 and found["contour"].intersection(found["grid"]) is None:
        raise AssertionError(f"the engines contradict each other: {inputs}: {found}")
    return " and ".join(found)


def summary(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """The lines of the documentation's table."""
    answered = [(Fraction(row["lower"]), Fraction(row["upper"])) for row in rows if row["upper"]]
    widths = [(upper - lower) / upper if upper else Fraction(0) for lower, upper in answered]
    seconds = sorted(float(row["seconds"]) for row in rows)
    compared = [row["engines"] for row in rows if row["engines"]]
    within = ", ".join(str(sum(width <= Fraction(1, 10**n) for width in widths)) for n in (6, 5, 3))
    middle, late = seconds[len(seconds) // 2], seconds[len(seconds) * 95 // 100]
    agreed = sum(name == "contour and grid" for name in compared)
    lines = [
        f"| answered, both ends proved | {len(answered)} of {len(rows)} |",
        f"| to a relative width of 1e-6, 1e-5, 1e-3 | {within} |",
        f"| zero, exactly | {sum(upper == 0 for _, upper in answered)} |",
        f"| seconds of one processor: median, 95 %, most | {middle:.2f}, {late:.1f}, {seconds[-1]:.0f} |",
    ]
    if compared:
        both = "contour and grid both answer, and agree"
        lines.append(f"| up to {MOST_COMPARED:,} steps: {both} | {agreed} of {len(compared)} |")
    return lines


def save(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _is_reached(rows: Sequence[Mapping[str, str]]) -> bool:
    """The goals: all answered to 1e-3, 95 % to 1e-6, half within a second, none beyond a minute."""
    widths = [1 - Fraction(row["lower"]) / Fraction(row["upper"]) for row in rows if Fraction(row["upper"] or 0)]
    seconds = sorted(float(row["seconds"]) for row in rows)
    return (
        all(row["upper"] for row in rows)
        and max(widths) <= Fraction(1, 1000)
        and sum(width > Fraction(1, 10**6) for width in widths) <= 0.05 * len(rows)
        and seconds[len(seconds) // 2] <= 1
        and seconds[-1] <= 60
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--peers", type=int, default=20, help="how many of them the other libraries also get")
    parser.add_argument("--compared", type=int, default=1000, help="below which seed both engines are asked")
    parser.add_argument("--save", type=Path)
    chosen = parser.parse_args()
    rows: list[dict[str, str]] = []
    for seed in range(chosen.first, chosen.first + chosen.count):
        inputs = parameters(seed)
        row = {"seed": str(seed), "lower": "", "upper": "", "engines": ""}
        start = time.process_time()
        try:
            found = evaluate(EPS, inputs).enclosure
            assert found is not None
            row["lower"], row["upper"] = found.decimals(12)
            shown = f"[{row['lower']}, {row['upper']}]"
        except UndecidedError as error:
            shown, found = str(error), None
        row["seconds"] = f"{time.process_time() - start:.2f}"
        if seed < chosen.compared and int(inputs["k"]) <= MOST_COMPARED:
            row["engines"] = engines(inputs) or "none"
        rows.append(row)
        if chosen.save is not None:
            save(chosen.save, rows)
        print(seed, *inputs.values(), row["seconds"], "s", shown, row["engines"], flush=True)
        if len(rows) <= chosen.peers:
            for name, peer in PEERS.items():
                start = time.process_time()
                try:
                    value = peer(inputs)
                except Exception as error:  # whatever another library raises is its answer
                    print(f"    {name}: {type(error).__name__}: {str(error)[:80]}", flush=True)
                    continue
                short = math.isfinite(value) and found is not None and Fraction(value) < found.lower
                side = "" if found is None else "below" if short else "at or above"
                print(f"    {name}: {value:.9g} {side} in {time.process_time() - start:.2f} s", flush=True)
    print("\n".join(summary(rows)))
    return 0 if _is_reached(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
