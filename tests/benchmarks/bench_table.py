"""What privref takes beside its peers, over and over, and how its time grows with the work.

    python tests/benchmarks/bench_table.py measure [--runs 3] [NAME ...]
    python tests/benchmarks/bench_table.py page > reference/docs/performance.md

``measure`` runs each row, or the named ones, and replaces their lines in ``tests/data/bench_table.csv``. Each cell is a
process of its own, so that nothing is kept from the run before but Python's bytecode, which is there after an
installation, and which a first run writes that is not counted; its seconds are of the processor. Where
``dp-accounting`` is the peer they are without imports, on both sides. Where it is not installed it is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import ctypes
import importlib
import json
import math
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "bench_table.csv"
EXAMPLES = HERE.parents[1] / "reference" / "privref" / "examples"
sys.path.insert(0, str(HERE))

#: A cell: what it answers, for the page, after the work that is timed.
Cell = Callable[[Path], str]


@dataclass(frozen=True)
class Row:
    """A line of the table: what is asked, our cell, the peer's name and cell, and the goal of ours over the peer's."""

    asked: str
    ours: Cell
    peer: str = ""
    theirs: Cell | None = None
    #: At most this often the peer's seconds; without a peer, the most seconds.
    goal: float = 1
    prepare: Callable[[Path], None] = lambda folder: None
    #: Of minutes: run once, and nothing before it.
    once: bool = False


# --- the cells ---------------------------------------------------------------------------------------------------


def questions() -> list[dict[str, Any]]:
    """Twenty trainings: rates 1e-3 to 0.05, noise 0.6 to 4, 100 to 20,000 steps, delta 1e-8 to 1e-5, log-uniform."""
    source = random.Random(2026)

    def drawn(low: float, high: float) -> float:
        return math.exp(source.uniform(math.log(low), math.log(high)))

    return [
        {
            "q": f"{drawn(1e-3, 0.05):.3g}", "sigma": f"{drawn(0.6, 4):.3g}", "k": round(drawn(100, 2e4)),
            "delta": f"{drawn(1e-8, 1e-5):.3g}",
        }
        for _ in range(20)
    ]  # fmt: skip


def evaluated(id: str, digits: int = 30, **inputs: Any) -> tuple[float, float]:
    found = importlib.import_module("privref").evaluate(id, inputs, digits=digits).enclosure
    return float(found.lower), float(found.upper)


def enclosed(ends: Iterable[tuple[float, float]]) -> str:
    return json.dumps(list(ends))


def sgd(folder: Path) -> str:
    return enclosed(evaluated("zdw2022/poisson_gaussian.eps", **each) for each in questions())


def pld() -> Any:
    return importlib.import_module("dp_accounting.pld.privacy_loss_distribution")


def sgd_pld(folder: Path) -> str:
    found = []
    for each in questions():
        q, sigma, delta = (float(each[name]) for name in ("q", "sigma", "delta"))
        one = pld().from_gaussian_mechanism(sigma, sampling_prob=q, value_discretization_interval=1e-4)
        found.append(float(one.self_compose(each["k"]).get_epsilon_for_delta(delta)))
    return json.dumps(found)


EQUAL = {"eps": "1/1000", "k": 10**5, "delta_g": "1e-9"}


def equal(folder: Path) -> str:
    return enclosed([evaluated("kov2015/optimal.eps", digits=10, **EQUAL)])


def equal_pld(interval: float) -> Cell:
    def cell(folder: Path) -> str:
        common = importlib.import_module("dp_accounting.pld.common")
        one = pld().from_privacy_parameters(common.DifferentialPrivacyParameters(0.001, 0.0), interval)
        return json.dumps([float(one.self_compose(10**5).get_epsilon_for_delta(1e-9))])

    return cell


def profile(case: str) -> tuple[Cell, Cell]:
    def ours(folder: Path) -> str:
        return enclosed([importlib.import_module("bench_profiles").ours(case)])

    def theirs(folder: Path) -> str:
        return json.dumps([importlib.import_module("bench_profiles").theirs(case)])

    return ours, theirs


def write_sheet(folder: Path) -> None:
    source = random.Random(300_000)
    with (folder / "sheet.csv").open("w") as file:
        file.write("epsilon,delta\n")
        for _ in range(300_000):
            file.write(f"0.000{source.randrange(1, 10**9):09d},{source.randrange(1, 10**6)}e-20\n")


def sheet(folder: Path) -> str:
    return str(importlib.import_module("bench_ledger").audit(folder / "sheet.csv"))


def sheet_read(folder: Path) -> str:
    with (folder / "sheet.csv").open() as file:
        rows = csv.reader(file)
        next(rows)
        return f"{len([(Fraction(epsilon), Fraction(delta)) for epsilon, delta in rows])} rows"


def write_events(events: int, values: int) -> Callable[[Path], None]:
    """Events of a tenth as many units; all different with more values than events, or of a few."""

    def prepare(folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        source = random.Random(events)
        people = source.choices(range(events // 10), k=events)
        sizes = [f"0.0{10**6 + source.randrange(values) * (9 * 10**6 // values)}" for _ in range(events)]
        table = pa.table({"person": people, "epsilon": sizes, "delta": ["0"] * events})
        parquet.write_table(table, folder / "events.parquet")

    return prepare


def batch(folder: Path) -> str:
    bench = importlib.import_module("bench_batch")
    found = importlib.import_module("privref").audit_batch(
        folder / "events.parquet", unit="person", ledger=bench.META, claims=bench.CLAIMS, output=folder / "out",
        engine="duckdb", workers=1, key=bytes(32),
    )  # fmt: skip
    return f"{found['distinct_ledgers']} ledgers"


def batch_on_spark(folder: Path) -> str:
    """In a process of its own. Its Java ends after it: as our child it is waited for, so that its seconds count."""
    be_told_of_orphans = 36
    assert ctypes.CDLL(None).prctl(be_told_of_orphans, 1) == 0
    events, output = (str(folder / name) for name in ("events.parquet", "out"))
    bench = [sys.executable, str(HERE / "bench_batch.py"), "--one", events, output, "spark", "1"]
    done = subprocess.run(bench, stdout=subprocess.PIPE, text=True, check=True)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    return f"{json.loads(done.stdout.splitlines()[-1])[3]} ledgers"


def peers(folder: Path) -> str:
    """Of this environment's libraries; each line goes to stderr when it comes, with the seconds since the start."""
    begun, found = time.monotonic(), []
    with subprocess.Popen([sys.executable, "-m", "privref", "peers"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"{time.monotonic() - begun:.0f} {line}", end="", file=sys.stderr, flush=True)
            found += re.findall(r"^(\S+) \S+, .*\): \d+ cases: ", line)
    assert process.returncode in (0, 1)
    return f"@{time.monotonic() - begun:.0f} {len(found)} functions of {len(set(found))} libraries"


def filtered(name: str, steps: int = 20_000) -> Cell:
    def cell(folder: Path) -> str:
        bench = importlib.import_module("bench_filters")
        sizes = [Fraction(i % 97 + 1, 10**8) for i in range(steps)]
        return f"@{bench.bare(sizes) if name == 'bare' else bench.stepped(name, bench.events('new epsilons', sizes))}"

    return cell


def commanded(*words: str) -> Cell:
    """A command in a process of its own; its verdict is not asked."""

    def cell(folder: Path) -> str:
        command = [word.replace("FOLDER", str(folder)) for word in words]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([sys.executable, *command], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode in (0, 1), done.stderr
        return f"@{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}"

    return cell


def write_parts(
    parts: int, events: Callable[[int], list[dict[str, Any]]], claim: tuple[str, str]
) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        ledger = {
            "schema": "ledger.1", "title": "parts", "privacy_unit": "person", "neighbours": "add-or-remove-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "partitions": {"areas": "code"},
            "events": [
                {**event, "part": {"of": "areas", "is": f"area {n:04d}"}} for n in range(parts) for event in events(n)
            ],
        }  # fmt: skip
        (folder / "ledger.json").write_text(json.dumps(ledger))
        claims = {"schema": "claims.1", "claims": [{"id": "c", "epsilon": claim[0], "delta": claim[1]}]}
        (folder / "claims.json").write_text(json.dumps(claims))

    return prepare


def write_small(folder: Path) -> None:
    write_parts(1, lambda n: [{"guarantee": {"kind": "pure-dp", "epsilon": "0.1"}}], ("1", "0"))(folder)


def unequal(n: int) -> list[dict[str, Any]]:
    """A thousand rounds each of three epsilons, other ones in each part."""
    return [{"count": 1000, "guarantee": {"kind": "pure-dp", "epsilon": f"{47 + 3 * n + j}/10000"}} for j in range(3)]


AUDIT = ("-m", "privref", "audit", "FOLDER/ledger.json", "FOLDER/claims.json")
PLD = "dp-accounting PLD, interval 1e-4"

ROWS: dict[str, Row] = {
    "sgd": Row("20 DP-SGD questions", sgd, PLD, sgd_pld, 0.5),
    "sgd-audit": Row(
        "the audit of one DP-SGD claim (CIFAR-10)",
        commanded("-m", "privref", "audit", *(str(EXAMPLES / f"dpsgd-cifar10.{n}.json") for n in ("ledger", "claims"))),
        goal=1.0,
    ),
    "equal": Row("10^5 equal pure rounds, 8 digits", equal, PLD, equal_pld(1e-4), 0.5),
    "equal-fine": Row(
        "10^5 equal pure rounds, 8 digits", equal, "dp-accounting PLD, interval 1e-5", equal_pld(1e-5), 0.5
    ),
    "discrete": Row("65 different discrete Gaussians", profile("census")[0], PLD, profile("census")[1], 1.0),
    "laplace": Row("10^5 Laplace rounds", profile("equal Laplace")[0], PLD, profile("equal Laplace")[1], 0.5),
    "sheet": Row(
        "a sheet of 300,000 different rows, audited", sheet, "reading it into Fractions", sheet_read, 1.2, write_sheet
    ),
    "batch": Row(
        "a batch of 10^5 events of 10^4 units, all different, with imports; the goal is 60 s for 10^6 events",
        batch, goal=6, prepare=write_events(10**5, 9 * 10**6),
    ),
    "rogers": Row("Rogers filter, each epsilon new", filtered("rogers-filter"), "bare loop", filtered("bare"), 4),
    "response": Row("response filter, each epsilon new", filtered("response-filter"), "bare loop", filtered("bare"), 4),
    "start": Row("a small audit, from the start of Python", commanded(*AUDIT), "import flint",
                 commanded("-c", "import flint"), 5, write_small),
    "optima": Row("2 parts of 3,000 unequal rounds (too many for the optimum)", commanded(*AUDIT), goal=15,
                  prepare=write_parts(2, unequal, ("1", "1e-6"))),
    "html": Row(
        "the audit of 3,143 counties, with its page", commanded(*AUDIT, "--html", "FOLDER/report.html"), goal=2,
        prepare=write_parts(3143, lambda n: [{"label": f"c{n}", "guarantee": {"kind": "pure-dp", "epsilon": "1/1000"}}],
                            ("0.1", "0")),
    ),
    "peers": Row(
        "`privref peers`, with all libraries that have a harness; seconds of the clock", peers, goal=600, once=True
    ),
}  # fmt: skip


def kinds(count: int) -> Cell:
    def cell(folder: Path) -> str:
        privref = importlib.import_module("privref")
        events = [
            {"count": 100, "guarantee": {"kind": "pure-dp", "epsilon": f"{n}/100000"}} for n in range(1, count + 1)
        ]
        ledger = privref.ledger_from_document({**importlib.import_module("bench_batch").META, "events": events})
        return f"{privref.epsilon(ledger, '1e-6').float_up:.6g}"

    return cell


def steps_of_sgd(k: int) -> Cell:
    return lambda folder: enclosed([evaluated("zdw2022/poisson_gaussian.eps", q="1/100", sigma="1", k=k, delta="1e-6")])


def rounds(k: int) -> Cell:
    return lambda folder: enclosed([evaluated("kov2015/optimal.eps", digits=10, **{**EQUAL, "k": k})])


#: What grows, and its cells by how much there is.
GROWTH: dict[str, tuple[str, dict[int, Row]]] = {
    "filter-steps": (
        "steps of the Rogers filter, a new epsilon in each",
        {n: Row("", filtered("rogers-filter", n)) for n in (10**3, 10**4, 10**5)},
    ),
    "rounds": ("k equal pure rounds", {10**n: Row("", rounds(10**n)) for n in range(2, 9)}),
    "sgd-steps": ("k steps of DP-SGD", {k: Row("", steps_of_sgd(k)) for k in (10**2, 10**3, 10**4, 10**5, 10**6)}),
    "kinds": ("different pure rounds, 100 of each", {n: Row("", kinds(n)) for n in (1, 10, 100, 1000)}),
    "batch-few": (
        "events of a batch, a tenth as many units, 3 values, DuckDB",
        {n: Row("", batch, prepare=write_events(n, 3)) for n in (10**4, 10**5)},
    ),
    "batch-different": (
        "events of a batch, a tenth as many units, all different, DuckDB",
        {n: Row("", batch, prepare=write_events(n, 9 * 10**6)) for n in (10**4, 10**5, 10**6)},
    ),
    "batch-spark": (
        "the same on Spark, with Java, on one thread",
        {n: Row("", batch_on_spark, prepare=write_events(n, 9 * 10**6)) for n in (10**4, 10**5, 10**6)},
    ),
}


# --- measuring ---------------------------------------------------------------------------------------------------


def cell_of(name: str, side: str) -> tuple[Row, Cell]:
    row = ROWS[name] if name in ROWS else GROWTH[name.partition(":")[0]][1][int(name.partition(":")[2])]
    cell = row.ours if side == "ours" else row.theirs
    assert cell is not None
    return row, cell


def one(name: str, side: str, folder: Path) -> None:
    """Run one cell in this process, and print its seconds and its answer."""
    _, cell = cell_of(name, side)
    if name in ROWS and "dp-accounting" in ROWS[name].peer:
        importlib.import_module("bench_profiles")
        assert pld() if side == "theirs" else importlib.import_module("privref").evaluate
    before = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    answer = cell(folder)
    after = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime for a, b in zip(before, after, strict=True))
    if answer.startswith("@"):  # A cell that prepares in Python what it then times, or that waits, has its own seconds.
        own, _, answer = answer[1:].partition(" ")
        seconds = float(own)
    print(f"\n{json.dumps((seconds, answer))}")


def measured(name: str, runs: int, environment: dict[str, str], *, first: bool) -> list[dict[str, str]]:
    row, _ = cell_of(name, "ours")
    found = []
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        row.prepare(folder)
        for run in range(-1 if first else 0, runs):
            for side in ("ours", "theirs") if row.theirs is not None else ("ours",):
                begun = time.monotonic()
                command = [sys.executable, "-W", "ignore", __file__, "--one", name, side, str(folder)]
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=environment)
                subprocess.run(["rm", "-rf", str(folder / "out")], check=True)
                if run < 0:
                    continue
                if done.returncode:
                    print(f"{name}, {side}: not measured", file=sys.stderr)
                    continue
                seconds, answer = json.loads(done.stdout.splitlines()[-1])
                found.append(
                    {"row": name, "side": side, "run": str(run), "seconds": f"{seconds:.4f}", "answer": answer}
                )
                print(f"{name}, {side}: {seconds:.3f} s of {time.monotonic() - begun:.1f} s {answer[:60]}", flush=True)
    return found


def read() -> list[dict[str, str]]:
    if not DATA.exists():
        return []
    with DATA.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def measure(names: Sequence[str], runs: int) -> None:
    bench = importlib.import_module("bench_sgd")
    bytecode = tempfile.TemporaryDirectory()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = bytecode.name
    for name in names or (*ROWS, *GROWTH):
        cells = [f"{name}:{n}" for n in GROWTH[name][1]] if name in GROWTH else [name]
        once = name in ROWS and ROWS[name].once
        lines = [
            line
            for cell in cells
            for line in measured(
                cell, 1 if once or name in GROWTH else runs, environment, first=cell == cells[0] and not once
            )
        ]
        origin = {"commit": bench._commit(), "machine": bench._machine()}
        kept = [line for line in read() if line["row"].partition(":")[0] != name]
        with DATA.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["row", "side", "run", "seconds", "answer", *origin], lineterminator="\n")
            writer.writeheader()
            writer.writerows([*kept, *(line | origin for line in lines)])


# --- the page ----------------------------------------------------------------------------------------------------


def width_and_error(ours: Sequence[dict[str, str]], theirs: Sequence[dict[str, str]]) -> tuple[str, str]:
    """The largest relative width of our enclosures, and how far at most the peer's answers are from their ends."""
    if not ours[0]["answer"].startswith("["):
        return "", ""
    ends = json.loads(ours[0]["answer"])
    width = f"; relative width at most {max(2**-52, *(1 - low / high for low, high in ends)):.0e}"
    if not theirs:
        return width, ""
    answers = json.loads(theirs[0]["answer"])
    return width, f"{max((their / high - 1 for their, (_, high) in zip(answers, ends, strict=True)), key=abs):+.0e}"


def slope(points: dict[int, float]) -> float:
    """The exponent: least squares of the logs."""
    logs = [(math.log(n), math.log(seconds)) for n, seconds in points.items()]
    x, y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


def page(lines: Sequence[dict[str, str]]) -> str:
    def of(name: str, side: str) -> list[dict[str, str]]:
        return [line for line in lines if (line["row"], line["side"]) == (name, side)]

    def seconds(name: str, side: str) -> list[float]:
        return [float(line["seconds"]) for line in of(name, side)]

    machines = "; ".join(sorted({line["machine"] for line in lines}))
    shortest = {name: f"{min(seconds(name, 'ours'), default=math.nan):.2g}" for name in ROWS}
    text = [HEAD.format(machines=machines, **shortest)]
    text += ["| work | `measure` | seconds: shortest, median | peer | its seconds | its error | ratio | goal |"]
    text += ["|---|---|---|---|---|---|---|---|"]
    for name, row in ROWS.items():
        ours, theirs = seconds(name, "ours"), seconds(name, "theirs")
        if not ours:
            continue
        both = [f"{min(found):.3g}, {median(found):.3g}" if found else "" for found in (ours, theirs)]
        if theirs:
            ratio, goal = min(ours) / min(theirs), f"{row.goal:g} times"
            shown = f"{ratio:.2g}"
        else:
            ratio, goal, shown = min(ours), f"{row.goal:g} s", ""
        missed = "" if ratio <= row.goal else ", missed"
        width, error = width_and_error(of(name, "ours"), of(name, "theirs"))
        text.append(
            f"| {row.asked}{width} | `{name}` | {both[0]} | {row.peer} | {both[1]} | {error} | {shown} "
            f"| {goal}{missed} |"
        )
    text += ["", GROWS, "", "| what grows | `measure` | seconds by how much | exponent |", "|---|---|---|---|"]
    for name, (what, cells) in GROWTH.items():
        points = {n: found[0] for n in cells if (found := seconds(f"{name}:{n}", "ours"))}
        if len(points) > 1:
            shown = ", ".join(f"{n:,}: {value:.3g}" for n, value in points.items())
            last = dict(list(points.items())[-2:])
            text.append(f"| {what} | `{name}` | {shown} | {slope(points):.2f}; at the end {slope(last):.2f} |")
    planned = {}
    for name in ("batch-different", "batch-spark"):
        found = [(n, min(seconds(f"{name}:{n}", "ours"), default=math.nan)) for n in GROWTH[name][1]]
        (n, first), (m, last) = found[-2:]
        planned[name] = (last - first) / (m - n) * 10**9 / 3600
    (asked,) = [line["answer"] for line in of("peers", "ours")] or ["nothing"]
    tail = TAIL.format(
        duckdb=f"{planned['batch-different']:.0f}", spark=f"{planned['batch-spark']:.0f}",
        shared=f"{planned['batch-spark'] / 64 * 60:.0f}", peers=asked,
    )  # fmt: skip
    return "\n".join([*text, "", tail])


HEAD = """# How long it takes

In short: a small audit takes {start} s, the audit of one DP-SGD claim {sgd-audit} s, that of a sheet of 300,000 rows
{sheet} s, and that of 3,143 counties with its page {html} s. One ledger for each of 10,000 units takes {batch} s.

Every number in the tables is measured by `python tests/benchmarks/bench_table.py measure NAME`. The page is made of
`tests/data/bench_table.csv` by `bench_table.py page`. We ran each row three times (`peers` once), each in a new process
on one processor ({machines}). Python's bytecode was there, as it is after an
installation with pip. The tables have the shortest time and the median. Other programs ran on the same machine. So
look at the ratio: our shortest time divided by theirs. Our answers have proved bounds on both sides; a peer's error is
how far its answer is above or below ours. A goal that is not reached says `missed`.
"""
GROWS = """## How it grows

One run of each length, with the imports that it needs. If the time grows as n^p, the last column has p, fitted to all
points, and to the last two. Where it is near 0, imports and fixed work take most of the time; below 0, a longer input
took less time."""
TAIL = """A small audit (`start`) is compared with the import of Arb alone. More than half of its time are the imports
of Arb, mpmath, click and rich; it cannot become much shorter while it uses these.

`privref peers` asked {peers}, on two processors that had hardly anything else to do. It asks as many
libraries at once as there are processors, and one more, each function for at most 15 s of the processor.

## A plan for 10^9 events

10^9 events of 10^8 units that are all different, by the seconds for one event more between the last two points of the
rows: on Spark about {spark} hours of one processor, or {shared} minutes of 64 processors that are always busy; with
DuckDB, on one machine, about {duckdb} hours of one processor. Units whose claim lies near the best bound take seconds
each; this mix has few.

We did not run this. Nothing above 10^6 events was measured. Spark ran on one machine and one thread: what machines send
each other, and how long the last one of them works alone, is not in these numbers.
"""


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], sys.argv[3], Path(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("measure", "page"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_intermixed_args()
    if asked.what == "measure":
        measure(asked.names, asked.runs)
    else:
        print(page(read()), end="")


if __name__ == "__main__":
    main()
