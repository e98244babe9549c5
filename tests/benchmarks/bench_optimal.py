"""Optimal composition of unequal rounds: our time and width beside dp-accounting, prv-accountant and diffprivlib.

    python tests/benchmarks/bench_optimal.py [--most 10000] [--svg width-against-time.svg] [--no-peers]

Libraries that are not installed are left out, and named. Exit code 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from fractions import Fraction
from pathlib import Path

from rich.console import Console

from privref.report import bench
from privref.vectors.peers import timing

_GOAL = "1,000 random"


def goals(rows: list[timing.Timing]) -> list[str]:
    """What is missed of: 1e-4 in less time than dp-accounting at its default grid, 1e-6 within three times that."""
    seconds = {row.tool: row.seconds for row in rows if row.question == _GOAL}
    default = seconds.get("dp-accounting PLD at 0.0001")
    if default is None:
        return []
    missed = []
    for tool, limit in (("privref to 1e-4", default), ("privref to 1e-6", 3 * default)):
        if tool in seconds and seconds[tool] > limit:
            missed.append(f"{tool}: {seconds[tool]:.2f} s, goal {limit:.2f} s")
    return missed


def growth(delta: str = "1e-9", width: str = "1e-4") -> list[tuple[int, float]]:
    """Seconds of processor time for 10^2, 10^3 and 10^4 different random rounds."""
    found = []
    for k in (100, 1_000, 10_000):
        start = time.process_time()
        timing.ours(timing.TimedQuestion("", timing.random_rounds(k), delta), Fraction(width))
        found.append((k, time.process_time() - start))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=100_000, help="leave out ledgers of more rounds")
    parser.add_argument("--svg", type=Path, help="where to draw width against time")
    parser.add_argument("--no-peers", action="store_true", help="only our own times")
    chosen = parser.parse_args()
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 150)
    for package in timing.missing_peers():
        console.print(f"{package} is not installed: its rows are left out", style="yellow")
    rows = []
    for row in timing.run(timing.questions(chosen.most), peers=not chosen.no_peers):
        console.print(f"{row.question}: {row.tool}: {row.seconds:.2f} s", style="dim")
        rows.append(row)
    console.print(bench.table(rows))
    for k, seconds in growth():
        console.print(f"growth: {k} random rounds to 1e-4 in {seconds:.2f} s of processor time")
    if chosen.svg is not None:
        bench.plot(rows, _GOAL, chosen.svg)
    missed = goals(rows)
    for line in missed:
        console.print(f"missed: {line}", style="red")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
