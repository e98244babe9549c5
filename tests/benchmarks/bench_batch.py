"""A batch audit, measured: wall and processor time, peak memory, verdicts against single audits, engines' bytes.

Run ``python tests/benchmarks/bench_batch.py [--engine duckdb|spark|both] [--workers N] [EVENTS UNITS [SAMPLED]]``; 10^7
events over 10^6 units on DuckDB without. Each batch is a process of its own. Its peak memory is of all its processes
together, sampled five times a second from /proc (so that Spark's Java is counted), where there is one. The sampled
units' ledgers are made from the events by themselves, and audited one by one. ``both`` compares the outputs' bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

META = {
    "schema": "ledger.1", "title": "benchmark", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
}  # fmt: skip
#: Between what is proved of most units and what others' ledgers refute.
CLAIMS = {"schema": "claims.1", "claims": [{"id": "claim", "epsilon": "0.8", "delta": "1e-6"}]}
#: Parameters are quantised, as those of running systems are, and each unit has a handful of events.
EPSILONS, WEIGHTS = ("0.05", "0.1", "1/5"), (0.8, 0.15, 0.05)
TABLES = ("units.parquet", "ledgers.parquet", "verdicts.parquet", "batch.json")


def write(path: Path, events: int, units: int) -> None:
    """A random unit and epsilon for every event, as text; the deltas are 0."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    rng = random.Random(events)
    schema = pa.schema([("person", pa.int64()), ("epsilon", pa.string()), ("delta", pa.string())])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, events, 1_000_000):
            size = min(1_000_000, events - start)
            people = rng.choices(range(units), k=size)
            chosen = rng.choices(EPSILONS, WEIGHTS, k=size)
            writer.write_table(pa.table([people, chosen, ["0"] * size], schema=schema))


def rows(path: Path, wanted: set[int]) -> Iterator[tuple[int, str]]:
    """The events of the wanted units."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as parquet

    for batch in parquet.ParquetFile(path).iter_batches():
        kept = batch.filter(pc.is_in(batch.column("person"), pa.array(sorted(wanted), pa.int64())))
        yield from zip(kept.column("person").to_pylist(), kept.column("epsilon").to_pylist(), strict=True)


def compare(path: Path, folder: Path, sampled: int) -> Counter[str]:
    """The verdicts on sampled units, each as ``privref.audit`` has it, and with a bound of its theorem, or it ends."""
    import pyarrow.compute as pc
    import pyarrow.parquet as parquet

    import privref

    names = parquet.read_table(folder / "units.parquet", columns=["unit"]).column("unit").to_pylist()
    chosen = set(random.Random(1).sample(sorted(map(int, names)), min(sampled, len(names))))
    table = parquet.read_table(folder / "units.parquet", filters=pc.field("unit").isin([str(unit) for unit in chosen]))
    found = {int(row["unit"]): row for row in table.to_pylist()}
    events: dict[int, list[dict[str, Any]]] = {}
    for unit, epsilon in rows(path, chosen):
        guarantee = {"kind": "approx-dp", "epsilon": epsilon, "delta": "0"}
        events.setdefault(unit, []).append({"guarantee": guarantee})
    claims = privref.claims_from_document(CLAIMS)
    verdicts: Counter[str] = Counter()
    for unit in chosen:
        ledger = privref.ledger_from_document({**META, "events": events[unit]})
        (opinion,) = privref.audit(ledger, claims).opinions
        row = found[unit]
        (bound,) = (each.enclosure for each in opinion.bounds if each.application.by == row["theorem"])
        assert bound is not None
        ours = (row["verdict"], row["theorem"], row["lower"], row["upper"])
        said = f"unit {unit}: the batch says {ours}, the audit {opinion.verdict}, {bound}"
        assert row["verdict"] == opinion.verdict, said
        assert Fraction(row["lower"]) <= bound.upper, said
        assert bound.lower <= Fraction(row["upper"]), said
        verdicts[opinion.verdict] += 1
    return verdicts


class Sampler(threading.Thread):
    """The resident memory and processor time of a process and all its descendants, from /proc."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root, self.peak, self.ended = root, 0, threading.Event()
        self._ticks: dict[str, int] = {}

    @property
    def seconds(self) -> float:
        """Processor time as last seen of each process."""
        return sum(self._ticks.values()) / os.sysconf("SC_CLK_TCK")

    def run(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self.ended.wait(0.2):
            parents, resident, ticks = {}, {}, {}
            for entry in Path("/proc").glob("[0-9]*/stat"):
                try:
                    fields = entry.read_text().rpartition(")")[2].split()
                except OSError:  # it has ended
                    continue
                name = entry.parent.name
                parents[name], resident[name] = fields[1], int(fields[21]) * page
                ticks[name] = int(fields[11]) + int(fields[12])
            tree = {str(self.root)}
            while more := {name for name, parent in parents.items() if parent in tree} - tree:
                tree |= more
            self._ticks |= {name: ticks[name] for name in tree & set(ticks)}
            self.peak = max(self.peak, sum(resident.get(name, 0) for name in tree))


def one(path: Path, output: Path, engine: str, workers: int | None) -> None:
    """Run the batch in this process; print its seconds, those of its workers, and what it found."""
    import privref

    start = time.perf_counter()
    summary = privref.audit_batch(
        path, unit="person", ledger=META, claims=CLAIMS, output=output, engine=engine, workers=workers, key=bytes(32)
    )
    wall = time.perf_counter() - start
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = sum(each.ru_utime + each.ru_stime for each in spent)
    print(json.dumps([wall, seconds, summary["units"], summary["distinct_ledgers"], summary["verdicts"]["claim"]]))


def batch(path: Path, output: Path, engine: str, workers: int | None) -> float:
    """Run one batch in a process of its own and print what it took; the seconds that passed."""
    command = [sys.executable, __file__, "--one", str(path), str(output), engine, str(workers or 0)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        sampler = Sampler(process.pid)
        sampler.start()
        out, err = process.communicate()
        sampler.ended.set()
        sampler.join()
    if process.returncode:
        raise SystemExit(f"the batch on {engine} failed:\n{err}")
    wall, seconds, people, ledgers, verdicts = json.loads(out.splitlines()[-1])
    print(f"{engine}: {people} units, {ledgers} different ledgers: {verdicts}")
    print(f"  {wall:.1f} s passed, {max(seconds, sampler.seconds):.1f} s of processor time")
    if sampler.peak:
        print(f"  at most {sampler.peak / 2**30:.2f} GiB in all its processes")
    return float(wall)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        path, output, engine, workers = sys.argv[2:]
        one(Path(path), Path(output), engine, int(workers) or None)
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=("duckdb", "spark", "both"), default="duckdb")
    parser.add_argument("--workers", type=int)
    parser.add_argument("numbers", nargs="*", type=float, metavar="EVENTS UNITS [SAMPLED]")
    asked = parser.parse_args()
    given = [int(number) for number in asked.numbers]
    events, units, sampled = [*given, *(10_000_000, 1_000_000, 1000)[len(given) :]]
    engines = ("duckdb", "spark") if asked.engine == "both" else (asked.engine,)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "events.parquet"
        write(path, events, units)
        start = time.process_time()
        for _ in rows(path, set()):
            pass
        print(
            f"{events} events of {units} units in {path.stat().st_size / 2**20:.0f} MiB of Parquet, "
            f"{shutil.disk_usage(folder).free / 2**30:.0f} GiB free; {os.cpu_count()} processors at load "
            f"{os.getloadavg()[0]:.1f}"
        )
        print(f"reading the events alone: {time.process_time() - start:.1f} s of processor time", flush=True)
        for engine in engines:
            batch(path, folder / engine, engine, asked.workers)
            found = compare(path, folder / engine, sampled)
            print(
                f"  {found.total()} sampled units have the verdict of privref audit, and a bound: {dict(found)}",
                flush=True,
            )
        if len(engines) == 2:
            for table in TABLES:
                first, second = ((folder / engine / table).read_bytes() for engine in engines)
                if first != second:
                    raise SystemExit(f"{table} differs between the engines")
                print(f"{table}: {len(first)} bytes, the same from both engines")


if __name__ == "__main__":
    main()
