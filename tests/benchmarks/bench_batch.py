"""A batch audit, measured: processor time and memory by engine, against reading the events; verdicts against the audit.

Run ``python tests/benchmarks/bench_batch.py [--engine duckdb|spark] [EVENTS UNITS [SAMPLED]]``; 10^7 events over 10^6
units without. The sampled units' ledgers are made from the events by themselves, and audited one by one.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

META = {
    "schema": "ledger.1", "title": "benchmark", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
}  # fmt: skip
CLAIMS = {"schema": "claims.1", "claims": [{"id": "claim", "epsilon": "2", "delta": "1e-6"}]}
#: Parameters are quantised, as those of running systems are, and each unit has a handful of events.
EPSILONS, WEIGHTS = ("0.05", "0.1", "1/5"), (0.8, 0.15, 0.05)


def write(path: Path, events: int, units: int) -> None:
    """A random unit and epsilon for every event, as text; the deltas are 0."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    rng = random.Random(events)
    schema = pa.schema([("person", pa.int64()), ("epsilon", pa.string()), ("delta", pa.string())])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, events, 1_000_000):
            size = min(1_000_000, events - start)
            people = [rng.randrange(units) for _ in range(size)]
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


def compare(path: Path, folder: Path, sampled: int) -> int:
    """How many sampled units have the verdict, the theorem and the bound of ``privref.audit``: all, or it ends."""
    import pyarrow.parquet as parquet

    import privref

    table = {row["unit"]: row for row in parquet.read_table(folder / "units.parquet").to_pylist()}
    chosen = set(random.Random(1).sample(sorted(map(int, table)), min(sampled, len(table))))
    events: dict[int, list[dict[str, Any]]] = {}
    for unit, epsilon in rows(path, chosen):
        guarantee = {"kind": "approx-dp", "epsilon": epsilon, "delta": "0"}
        events.setdefault(unit, []).append({"guarantee": guarantee})
    claims = privref.claims_from_document(CLAIMS)
    for unit in chosen:
        ledger = privref.ledger_from_document({**META, "events": events[unit]})
        (opinion,) = privref.audit(ledger, claims).opinions
        bound = opinion.deciding or opinion.bounds[0]
        assert bound.enclosure is not None
        found = table[str(unit)]
        ours = (found["verdict"], found["theorem"], found["lower"], found["upper"])
        assert ours == (opinion.verdict, bound.application.by, *bound.enclosure.decimals(20)), unit
    return len(chosen)


def one(path: Path, output: Path, engine: str) -> None:
    """Run the batch in this process; print its seconds, those of its workers, and the memory."""
    import privref

    start = time.perf_counter()
    summary = privref.audit_batch(
        path, unit="person", ledger=META, claims=CLAIMS, output=output, engine=engine, key=bytes(32)
    )
    wall = time.perf_counter() - start
    own, workers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime
    peak = own.ru_maxrss // 1024, workers.ru_maxrss // 1024
    print(
        json.dumps([wall, seconds, *peak, summary["units"], summary["distinct_ledgers"], summary["verdicts"]["claim"]])
    )


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
        return
    words = sys.argv[1:]
    engine = words[1] if words[:1] == ["--engine"] else "duckdb"
    numbers = [int(float(text)) for text in (words[2:] if words[:1] == ["--engine"] else words)]
    events, units, sampled = [*numbers, *(10_000_000, 1_000_000, 1000)[len(numbers) :]]
    with tempfile.TemporaryDirectory() as folder:
        path, output = Path(folder) / "events.parquet", Path(folder) / "out"
        write(path, events, units)
        start = time.process_time()
        for _ in rows(path, set()):
            pass
        scan = time.process_time() - start
        command = [sys.executable, __file__, "--one", str(path), str(output), engine]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        wall, seconds, peak, most, people, ledgers, verdicts = json.loads(text.splitlines()[-1])
        print(f"{engine}: {events} events, {people} units, {ledgers} different ledgers: {verdicts}")
        print(
            f"reading the events alone {scan:.1f} s of processor time; the batch {seconds:.1f} s, {wall:.1f} s passed"
        )
        print(f"peak memory {peak} MiB, of a worker at most {most} MiB")
        print(f"{compare(path, output, sampled)} sampled units have the verdict, theorem and bound of privref audit")


if __name__ == "__main__":
    main()
