"""DP-SGD over random parameters: how narrow and how fast, whether the two engines agree, and what others say.

    python tests/benchmarks/bench_sgd.py answers FILE [--first 0] [--count 1000]
    python tests/benchmarks/bench_sgd.py engines FILE
    python tests/benchmarks/bench_sgd.py peers FILE --count 40 [--python /with/the/libraries/bin/python]
    python tests/benchmarks/bench_sgd.py tables

Rates 1e-5 to 0.3, noise multipliers 0.4 to 30, 1 to 10^7 steps, delta 1e-4 to 1e-30, all log-uniform. Each adds a row
for what FILE does not have yet, so that it can be stopped and go on. ``engines`` encloses delta at the epsilon that
``tests/data/bench_sgd.csv`` has, by a contour alone and by a grid alone, in both orientations. ``tables`` writes what
``reference/docs/dp-sgd.md`` has of the recorded rows. Exit code 1 where a goal is missed or two engines contradict
each other.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import platform
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import median

from privref import evaluate
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import MorePrecisionError, UndecidedError
from privref.exact.numbers import float_log
from privref.exact.work import WorkLimitError, apart
from privref.profiles import grid, jumps, subsampled
from privref.profiles.contour_plan import OutOfReachError
from privref.profiles.model import Composition, Orientation, Round, SubsampledGaussian

Row = Mapping[str, str]
EPS = "zdw2022/poisson_gaussian.eps"
HERE = Path(__file__).parent
DATA = HERE.parent / "data"
ANSWERS, ENGINES, PEERS_DATA = (DATA / f"bench_sgd{name}.csv" for name in ("", "_engines", "_peers"))
#: Up to so many steps both engines are asked: the contour to these widths of delta, the wider one if need be.
MOST_COMPARED = 1000
CONTOUR_WIDTHS, GRID_WIDTHS = (1e-6, 1e-3), {"removal": Fraction(1, 500), "addition": Fraction(1, 50)}
#: Up to so many expected jumps a removal is put on the grid that has one cell for all large losses.
FEW_JUMPS = 5
#: What either engine may spend on one comparison, in units of work.
COMPARED_WORK = {"removal": 12_000_000, "addition": 2_500_000}
ORIENTATIONS: tuple[Orientation, ...] = ("removal", "addition")
#: Wider than this says little of the other engine.
WIDE = Fraction(1, 20)
NEITHER = "; contour: "
BOTH, MEET, ZERO, CONTRADICTION = "both", "meet, one of them wide", "zero", "CONTRADICTION"
PEERS = ("dp-accounting PLD", "prv-accountant")


def parameters(seed: int) -> dict[str, str | int]:
    """The same for everybody: rate, noise multiplier, steps, delta."""
    source = random.Random(seed)

    def log_uniform(low: float, high: float) -> float:
        return math.exp(source.uniform(math.log(low), math.log(high)))

    q, sigma, k = f"{log_uniform(1e-5, 0.3):.3g}", f"{log_uniform(0.4, 30):.3g}", round(log_uniform(1, 1e7))
    return {"q": q, "sigma": sigma, "k": k, "delta": f"{10 ** -source.uniform(4, 30):.3g}"}


# --- what is recorded --------------------------------------------------------------------------------------------


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def append(path: Path, row: Row) -> None:
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def _commit() -> str:
    """Of the library that computes; a plus where it is changed since."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()

    return git("rev-parse", "--short=10", "HEAD") + (
        "+" if git("status", "--porcelain", "--", "../../reference") else ""
    )


def _machine() -> str:
    info = Path("/proc/cpuinfo")
    models = [line.partition(":")[2] for line in info.read_text().splitlines() if line.startswith("model name")]
    return f"{models[0].strip() if models else platform.machine()}, Python {platform.python_version()}"


# --- answers -----------------------------------------------------------------------------------------------------


def answered(seed: int, commit: str, machine: str) -> dict[str, str]:
    row = {"seed": str(seed), "lower": "", "upper": ""}
    start = time.process_time()
    try:
        found = evaluate(EPS, parameters(seed)).enclosure
        assert found is not None
        row["lower"], row["upper"] = found.decimals(12)
    except UndecidedError as error:
        print(seed, error)
    return {**row, "seconds": f"{time.process_time() - start:.2f}", "commit": commit, "machine": machine}


def _widths(rows: Iterable[Row]) -> list[Fraction]:
    """Relative widths of the answers."""
    return [1 - Fraction(row["lower"]) / Fraction(row["upper"]) for row in rows if Fraction(row["upper"] or 0)]


def is_reached(rows: Sequence[Row]) -> bool:
    """The goals: all answered to 1e-3, 95 % to 1e-6, half within a second, none beyond a minute."""
    widths, seconds = _widths(rows), [float(row["seconds"]) for row in rows]
    return (
        all(row["upper"] for row in rows)
        and max(widths) <= Fraction(1, 1000)
        and sum(width > Fraction(1, 10**6) for width in widths) <= 0.05 * len(rows)
        and median(seconds) <= 1
        and max(seconds) <= 60
    )


def answers_table(rows: Sequence[Row]) -> list[str]:
    widths, seconds = _widths(rows), sorted(float(row["seconds"]) for row in rows)
    zero = sum(row["upper"] != "" and not Fraction(row["upper"]) for row in rows)
    within = ", ".join(str(zero + sum(width <= Fraction(1, 10**n) for width in widths)) for n in (6, 5, 3))
    middle, late = median(seconds), seconds[len(seconds) * 95 // 100]
    return [
        f"| answered, with proved bounds on both sides | {sum(row['upper'] != '' for row in rows)} of {len(rows)} |",
        f"| to a relative width of 1e-6, 1e-5, 1e-3 | {within} |",
        f"| zero, exactly | {zero} |",
        f"| seconds of one processor: median, 95 %, most | {middle:.2f}, {late:.1f}, {seconds[-1]:.0f} |",
    ]


def computed_by(rows: Sequence[Row]) -> str:
    """Which commits the answers are from; the file names the machines too."""
    (first, times), *others = Counter(row["commit"] for row in rows).most_common()
    return f"{times:,} rows at `{first}`" + "".join(f", {count:,} at `{commit}`" for commit, count in others)


# --- the engines -------------------------------------------------------------------------------------------------


def by_contour(pair: SubsampledGaussian, k: int, eps: Fraction, log_delta: float | None) -> Enclosure:
    """delta at epsilon by one contour alone, delta being about e^log_delta."""
    ar = decide.engine("arb", 128)
    with ar.active():
        for width in CONTOUR_WIDTHS:
            try:
                return subsampled.contour_at(ar, pair, k, float(eps), log_delta, width).delta(eps)
            except (OutOfReachError, OverflowError):
                continue
    raise UndecidedError("no contour within reach")


def by_grid(pair: SubsampledGaussian, k: int, eps: Fraction, log_delta: float | None) -> Enclosure:
    """delta at epsilon by a grid alone."""
    if log_delta is None or k * pair.rate > FEW_JUMPS:
        return grid.delta_of(Composition.of([Round(pair, k)]), eps, GRID_WIDTHS[pair.orientation])
    ar = decide.engine("arb", 128)
    try:
        with ar.active():
            return jumps.delta_of(ar, ((pair, k),), eps, log_delta, GRID_WIDTHS["removal"])
    except (OutOfReachError, OverflowError):
        raise UndecidedError("no grid within reach") from None


def compared(seed: int, orientation: Orientation, eps: Fraction) -> dict[str, str]:
    """What each engine alone encloses delta to, at an epsilon, and whether that has anything in common."""
    inputs = parameters(seed)
    k, delta = int(inputs["k"]), Fraction(inputs["delta"])
    pair = SubsampledGaussian(Fraction(inputs["q"]), Fraction(inputs["sigma"]), orientation)
    # A removal's delta at the answer is the one that was asked for.
    near = float_log(delta) if orientation == "removal" and eps else None
    row = {"seed": str(seed), "orientation": orientation}
    found: dict[str, Enclosure] = {}
    refused = []
    for name, ask in (("grid", by_grid), ("contour", by_contour)):
        row[f"{name}_lower"], row[f"{name}_upper"] = "", ""
        start = time.process_time()
        try:
            with apart(COMPARED_WORK[orientation]):
                found[name] = ask(pair, k, eps, near)
            row[f"{name}_lower"], row[f"{name}_upper"] = found[name].decimals(9)
        except WorkLimitError:
            refused.append(f"{name}: too much work")
        except (UndecidedError, MorePrecisionError) as error:
            refused.append(f"{name}: {error}")
        row[f"{name}_seconds"] = f"{time.process_time() - start:.2f}"
    if "grid" in found and not found["grid"].upper and "contour" not in found:
        outcome = ZERO
    elif any(answer.lower > delta for answer in found.values()):
        # The answer's upper end says that delta is no more than was asked for.
        outcome = CONTRADICTION
    elif refused:
        outcome = "; ".join(refused)
    elif found["contour"].intersection(found["grid"]) is None:
        outcome = CONTRADICTION
    else:
        outcome = BOTH if all(answer.relative_width_at_most(WIDE) for answer in found.values()) else MEET
    return {**row, "outcome": outcome}


def _shares(rows: Iterable[Row], engine: str) -> list[Fraction]:
    """Relative widths of delta where both engines answer."""
    return [
        1 - Fraction(row[f"{engine}_lower"]) / Fraction(row[f"{engine}_upper"])
        for row in rows
        if row["outcome"] == BOTH and Fraction(row[f"{engine}_upper"])
    ]


def engines_table(rows: Sequence[Row]) -> list[str]:
    apart_ = [[row for row in rows if row["orientation"] == orientation] for orientation in ORIENTATIONS]

    def line(what: str, value: Callable[[list[Row]], str]) -> str:
        return f"| {what} | " + " | ".join(value(part) for part in apart_) + " |"

    def count(wanted: Callable[[str], bool]) -> Callable[[list[Row]], str]:
        return lambda part: str(sum(wanted(row["outcome"]) for row in part))

    def widths(engine: str) -> Callable[[list[Row]], str]:
        return lambda part: "{:.0e}, {:.0e}".format(*_median_and_most(_shares(part, engine)))

    return [
        line("compared", lambda part: str(len(part))),
        line("both answer to 5 %, and the two enclosures overlap", count(lambda outcome: outcome == BOTH)),
        line("both answer, one of them wider than 5 %, and overlap", count(lambda outcome: outcome == MEET)),
        line("they contradict each other", count(lambda outcome: outcome == CONTRADICTION)),
        line("delta is exactly 0, because epsilon is above each possible loss", count(lambda outcome: outcome == ZERO)),
        line("the grid alone answers", count(lambda outcome: outcome.startswith("contour: "))),
        line(
            "the contour alone answers", count(lambda outcome: outcome.startswith("grid: ") and NEITHER not in outcome)
        ),
        line("neither", count(lambda outcome: NEITHER in outcome)),
        line("relative width of the contour's delta: median, most", widths("contour")),
        line("relative width of the grid's delta: median, most", widths("grid")),
    ]


def _median_and_most(values: Sequence[Fraction]) -> tuple[float, float]:
    return float(median(values)), float(max(values))


# --- other libraries ---------------------------------------------------------------------------------------------


class Worker:
    """The process in which other libraries are asked; another one after it was ended."""

    def __init__(self, *command: str) -> None:
        self.command = command
        self.process: subprocess.Popen[str] | None = None

    def ask(self, peer: str, inputs: Mapping[str, str | int]) -> dict[str, str]:
        """Its version, what it says or how it failed, and its seconds."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
        questions, answers = self.process.stdin, self.process.stdout
        assert questions is not None
        assert answers is not None
        questions.write(json.dumps({"peer": peer, **inputs}) + "\n")
        questions.flush()
        version = answers.readline().strip()
        line = answers.readline()
        if line:
            return {"version": version, **json.loads(line)}
        code = self.process.wait()
        self.close()
        ended = "no answer in time" if code == -signal.SIGPROF else f"ended with code {code}"
        return {"version": version, "epsilon": "", "error": ended, "seconds": ""}

    def close(self) -> None:
        """End the process, if there is one, and its pipes."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def _percent(value: float) -> str:
    return f"{float(f'{100 * value:.2g}'):g} %"


def peers_table(rows: Sequence[Row], answers: Sequence[Row]) -> list[str]:
    """One line for each library, beside what is certified of the same parameters."""
    certified = {row["seed"]: row for row in answers}
    seeds = {row["seed"] for row in rows}
    ours = [certified[seed] for seed in seeds]
    lines = [
        f"| `privref` | {sum(row['upper'] != '' for row in ours)} of {len(ours)} | | | "
        f"{median(float(row['seconds']) for row in ours):.2f} |"
    ]
    for name, of_it in _by_peer(rows).items():
        said = [(row, float(row["epsilon"])) for row in of_it if row["epsilon"]]
        finite = [(certified[row["seed"]], value) for row, value in said if math.isfinite(value)]
        others = Counter(row["error"] for row in of_it if not row["epsilon"])
        others["infinity"] = len(said) - len(finite)
        below = sum(Fraction(value) < Fraction(row["lower"]) for row, value in finite)
        excess = sorted(value / float(row["upper"]) - 1 for row, value in finite if float(row["upper"]))
        shown = ", ".join(_percent(value) for value in (excess[0], median(excess), excess[-1]))
        failed = "".join(f"; {count} {what}" for what, count in sorted(others.items()) if count)
        seconds = median(float(row["seconds"]) for row in of_it if row["seconds"])
        lines.append(f"| {name} | {len(finite)}{failed} | {below} | {shown} | {seconds:.2f} |")
    return lines


def _by_peer(rows: Sequence[Row]) -> dict[str, list[Row]]:
    versions = {row["peer"]: row["version"] for row in rows}
    return {
        f"{peer} {version}": [row for row in rows if row["peer"] == peer] for peer, version in sorted(versions.items())
    }


# --- running -----------------------------------------------------------------------------------------------------


def _run_answers(path: Path, seeds: Sequence[int]) -> int:
    commit, machine = _commit(), _machine()
    for seed in seeds:
        row = answered(seed, commit, machine)
        append(path, row)
        print(*row.values(), flush=True)
    return 0 if is_reached(read(path)) else 1


def run_engines(path: Path, seeds: Sequence[int]) -> int:
    known = {int(row["seed"]): row for row in read(ANSWERS)}
    for seed in seeds:
        if int(parameters(seed)["k"]) > MOST_COMPARED or not known[seed]["upper"]:
            continue
        for orientation in ORIENTATIONS:
            row = compared(seed, orientation, Fraction(known[seed]["upper"]))
            append(path, row)
            print(*row.values(), flush=True)
    wrong = [row for row in read(path) if row["outcome"] == CONTRADICTION]
    for row in wrong:
        print(f"the engines contradict each other: {parameters(int(row['seed']))}: {row}", file=sys.stderr)
    return 1 if wrong else 0


def _run_peers(path: Path, seeds: Sequence[int], python: str) -> int:
    worker = Worker(python, str(HERE / "sgd_peers.py"))
    for seed in seeds:
        for peer in PEERS:
            row = {"seed": str(seed), "peer": peer, **worker.ask(peer, parameters(seed))}
            append(path, row)
            print(*row.values(), flush=True)
    worker.close()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("answers", "engines", "peers", "tables"))
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the other libraries")
    chosen = parser.parse_args()
    if chosen.what == "tables":
        answers = read(ANSWERS)
        tables = answers_table(answers), [computed_by(answers)], engines_table(read(ENGINES))
        print("\n\n".join("\n".join(lines) for lines in (*tables, peers_table(read(PEERS_DATA), answers))))
        return 0
    if chosen.file is None:
        parser.error("name a file for the rows")
    done = {int(row["seed"]) for row in read(chosen.file)}
    seeds = [seed for seed in range(chosen.first, chosen.first + chosen.count) if seed not in done]
    if chosen.what == "answers":
        return _run_answers(chosen.file, seeds)
    if chosen.what == "engines":
        return run_engines(chosen.file, seeds)
    return _run_peers(chosen.file, seeds, chosen.python)


if __name__ == "__main__":
    sys.exit(main())
