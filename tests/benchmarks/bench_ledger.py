"""Audit of a long CSV ledger: time and memory against merely parsing the file, at growing lengths.

Run ``python tests/benchmarks/bench_ledger.py [ROWS ...]``. Each length is a process of its own, so that peak memory is
its own; ratios are within one run and hold on any machine.
"""

from __future__ import annotations

import csv
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LENGTHS = (10_000, 100_000, 1_000_000)


def write(path: Path, rows: int) -> None:
    """Different decimal epsilons of twelve places, with one delta."""
    rng = random.Random(rows)
    with path.open("w") as file:
        file.write("epsilon,delta\n")
        for _ in range(rows):
            file.write(f"0.000{rng.randrange(1, 10**9):09d},1e-15\n")


def measure(path: Path) -> tuple[float, float, float, int]:
    """Seconds to parse the CSV, to read the ledger, to audit one claim; and the peak memory in MiB."""
    import privref

    start = time.perf_counter()
    with path.open() as file:
        for _ in csv.reader(file):
            pass
    parsed = time.perf_counter()
    ledger = privref.read_ledger(path, parameters="fixed-in-advance")
    read = time.perf_counter()
    claim = {"id": "claim", "epsilon": "1000", "delta": "1e-6"}
    audit = privref.audit(ledger, privref.claims_from_document({"schema": "claims.1", "claims": [claim]}))
    done = time.perf_counter()
    assert audit.opinions[0].verdict == "confirmed"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return parsed - start, read - parsed, done - read, peak


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(*measure(Path(sys.argv[2])))
        return
    lengths = [int(text) for text in sys.argv[1:]] or list(LENGTHS)
    print("rows      csv s  read s  audit s  (read+audit)/csv  us per row  peak MiB")
    with tempfile.TemporaryDirectory() as folder:
        for rows in lengths:
            path = Path(folder) / "ledger.csv"
            write(path, rows)
            command = [sys.executable, __file__, "--one", str(path)]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            parse, read, audit = (float(value) for value in out[:3])
            ratio, each = (read + audit) / parse, (read + audit) / rows * 1e6
            print(f"{rows:<9} {parse:<6.2f} {read:<7.2f} {audit:<8.2f} {ratio:<17.0f} {each:<11.1f} {out[3]}")


if __name__ == "__main__":
    main()
