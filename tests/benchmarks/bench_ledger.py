"""Audit of a long CSV ledger: processor time and memory against reading the same file into Fractions.

Run ``python tests/benchmarks/bench_ledger.py [ROWS ...]``. Each length is two processes of their own, so that peak
memory is its own; ratios are within one run and hold on any machine.
"""

from __future__ import annotations

import csv
import random
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

LENGTHS = (100_000, 1_000_000, 10_000_000)


def write(path: Path, rows: int) -> None:
    """Different decimal epsilons of twelve places, with one delta."""
    rng = random.Random(rows)
    with path.open("w") as file:
        file.write("epsilon,delta\n")
        for _ in range(rows):
            file.write(f"0.000{rng.randrange(1, 10**9):09d},1e-15\n")


def fractions(path: Path) -> float:
    """Seconds to read the file into a list of Fractions, one delta for all rows."""
    start = time.process_time()
    kept = []
    deltas: dict[str, Fraction] = {}
    with path.open() as file:
        rows = csv.reader(file)
        next(rows)
        for epsilon, delta in rows:
            kept.append(Fraction(epsilon))
            if delta not in deltas:
                deltas[delta] = Fraction(delta)
    return time.process_time() - start


def measure(path: Path) -> tuple[float, float]:
    """Seconds to read the ledger, and to audit one claim by both engines."""
    import privref

    start = time.process_time()
    ledger = privref.read_ledger(path, parameters="fixed-in-advance")
    read = time.process_time()
    claim = {"id": "claim", "epsilon": "100000", "delta": "1e-6"}
    audit = privref.audit(ledger, privref.claims_from_document({"schema": "claims.1", "claims": [claim]}))
    done = time.process_time()
    assert audit.opinions[0].verdict == "confirmed"
    return read - start, done - read


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        path = Path(sys.argv[3])
        figures = measure(path) if sys.argv[2] == "audit" else (fractions(path),)
        print(*figures, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    lengths = [int(float(text)) for text in sys.argv[1:]] or list(LENGTHS)
    print("rows      fractions s  read s  audit s  ratio  us per row  peak MiB")
    with tempfile.TemporaryDirectory() as folder:
        for rows in lengths:
            path = Path(folder) / "ledger.csv"
            write(path, rows)

            def one(what: str, path: Path = path) -> list[float]:
                command = [sys.executable, __file__, "--one", what, str(path)]
                text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                return [float(word) for word in text.split()]

            (plain, _), (read, audit, peak) = one("fractions"), one("audit")
            ratio, each = (read + audit) / plain, (read + audit) / rows * 1e6
            print(f"{rows:<9} {plain:<12.2f} {read:<7.2f} {audit:<8.2f} {ratio:<6.2f} {each:<11.1f} {peak:.0f}")


if __name__ == "__main__":
    main()
