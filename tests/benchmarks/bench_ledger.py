"""A long CSV ledger: reading it into Fractions, auditing it, and the peers that can add up unequal rows.

Run ``python tests/benchmarks/bench_ledger.py [ROWS ...]``, in an environment with ``privref[peers]`` for the peers; one
that is not installed is left out with the reason. Every cell is a process of its own, so that peak memory is its own;
ratios are to reading the same file into Fractions, within one run, and hold on any machine. A peer that would need more
than ``LIMIT`` seconds by its time at the length before is not asked.
"""

from __future__ import annotations

import csv
import importlib
import importlib.metadata
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

LENGTHS = (100_000, 1_000_000, 10_000_000)
DELTA = "1e-6"
#: Seconds for one peer and length.
LIMIT = 100


def write(path: Path, rows: int, kind: str = "epsilon") -> None:
    """Different decimals of twelve places and more: epsilons with one delta, or rhos."""
    rng = random.Random(rows)
    with path.open("w") as file:
        file.write("epsilon,delta\n" if kind == "epsilon" else "rho\n")
        start, end = ("0.000", ",1e-15\n") if kind == "epsilon" else ("0.000000", "\n")
        for _ in range(rows):
            file.write(f"{start}{rng.randrange(1, 10**9):09d}{end}")


def fractions(path: Path) -> str:
    """The file as a list of Fractions, one delta for all rows."""
    kept = []
    deltas: dict[str, Fraction] = {}
    with path.open() as file:
        rows = csv.reader(file)
        next(rows)
        for size, *delta in rows:
            kept.append(Fraction(size))
            if delta and delta[0] not in deltas:
                deltas[delta[0]] = Fraction(delta[0])
    return f"{len(kept)} rows"


def audit(path: Path) -> str:
    """The best bound on epsilon of a claim that both engines decide, with everything that an audit does."""
    import privref

    ledger = privref.read_ledger(path, parameters="fixed-in-advance", interaction="sequential")
    claim = {"id": "claim", "epsilon": "100000", "delta": DELTA}
    found = privref.audit(ledger, privref.claims_from_document({"schema": "claims.1", "claims": [claim]}))
    (opinion,) = found.opinions
    assert opinion.verdict == "confirmed"
    assert opinion.deciding is not None
    assert opinion.deciding.enclosure is not None
    return f"{opinion.deciding.enclosure.decimals(7)[1]} by {opinion.deciding.application.by}"


def floats(path: Path) -> Iterator[tuple[float, ...]]:
    with path.open() as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            yield tuple(map(float, row))


def with_autodp(path: Path) -> str:
    account = importlib.import_module("autodp.dp_acct").DP_acct()
    for epsilon, delta in floats(path):
        account.update_DPlosses(epsilon, delta)
    return f"{float(account.get_eps(float(DELTA))):.7g}"


def with_diffprivlib(path: Path) -> str:
    """By ``total`` of a list; ``spend``, which checks a budget at each row, takes quadratic time."""
    accounting = importlib.import_module("diffprivlib.accountant")
    slack = float(DELTA) / 2
    epsilon, _ = accounting.BudgetAccountant(slack=slack).total(spent_budget=list(floats(path)))
    return f"{float(epsilon):.7g}"


def with_pld(path: Path) -> str:
    """Privacy loss distributions at an interval of 1e-4, pessimistic."""
    module = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    common = importlib.import_module("dp_accounting.pld.common")
    composed = module.identity()
    for epsilon, delta in floats(path):
        parameters = common.DifferentialPrivacyParameters(epsilon, delta)
        composed = composed.compose(module.from_privacy_parameters(parameters))
    return f"{composed.get_epsilon_for_delta(float(DELTA)):.7g}"


def with_rdp(path: Path) -> str:
    rdp, events = (importlib.import_module(f"dp_accounting.{name}") for name in ("rdp", "dp_event"))
    account = rdp.RdpAccountant()
    for (rho,) in floats(path):
        account.compose(events.ZCDpEvent(rho))
    return f"{account.get_epsilon(float(DELTA)):.7g}"


def with_opacus(path: Path) -> str:
    """Each rho as the Gaussian mechanism that has it, on all of the data: what the accountant takes."""
    account = importlib.import_module("opacus.accountants").RDPAccountant()
    for (rho,) in floats(path):
        account.step(noise_multiplier=(2 * rho) ** -0.5, sample_rate=1.0)
    return f"{float(account.get_epsilon(delta=float(DELTA))):.7g}"


#: What is measured: the kind of rows, the library that it needs, and how.
MEASURED: dict[str, tuple[str, str, Callable[[Path], str]]] = {
    "reading into Fractions": ("epsilon", "", fractions),
    "privref audit": ("epsilon", "", audit),
    "autodp DP_acct": ("epsilon", "autodp", with_autodp),
    "diffprivlib total": ("epsilon", "diffprivlib", with_diffprivlib),
    "dp-accounting PLD": ("epsilon", "dp-accounting", with_pld),
    "reading rhos into Fractions": ("rho", "", fractions),
    "privref audit of rhos": ("rho", "", audit),
    "dp-accounting RDP": ("rho", "dp-accounting", with_rdp),
    "opacus RDP": ("rho", "opacus", with_opacus),
}


def version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return ""


def one(name: str, path: Path) -> None:
    """Measure in this process: seconds of processor time without imports, peak memory, and what was found."""
    _, library, measured = MEASURED[name]
    if library:
        importlib.import_module("opacus.accountants" if library == "opacus" else library.replace("-", "_"))
    elif measured is audit:
        importlib.import_module("privref")
    start = time.process_time()
    found = measured(path)
    seconds = time.process_time() - start
    print(f"\n{seconds}|{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}|{found}")


def cell(name: str, path: Path) -> tuple[float, int, str] | str:
    """What a process of its own measured, or why there is nothing."""
    command = [sys.executable, "-W", "ignore", __file__, "--one", name, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=4 * LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return f"ended after {4 * LIMIT} s"
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1][:90]}"
    seconds, peak, found = done.stdout.splitlines()[-1].split("|")
    return float(seconds), int(peak), found


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]))
        return
    lengths = [int(float(text)) for text in sys.argv[1:]] or list(LENGTHS)
    before: dict[str, tuple[int, float] | None] = {}
    print(f"{'rows':>9}  {'what':<28} {'s':>8} {'ratio':>7} {'us/row':>7} {'MiB':>6}  epsilon at {DELTA}")
    with tempfile.TemporaryDirectory() as folder:
        for rows in lengths:
            paths = {kind: Path(folder) / f"{kind}.csv" for kind in ("epsilon", "rho")}
            for kind, path in paths.items():
                write(path, rows, kind)
            base: dict[str, Any] = {}
            for name, (kind, library, measured) in MEASURED.items():
                line = f"{rows:>9}  {name:<28} "
                if library and not version(library):
                    print(f"{line}not installed ({library})")
                    continue
                known = before.get(name, (1, 0.0))
                if known is None or known[1] * rows / known[0] > LIMIT:
                    guess = "" if known is None else f", about {known[1] * rows / known[0]:.0f} s by the length before"
                    print(f"{line}not asked: more than {LIMIT} s{guess}")
                    before[name] = None
                    continue
                found = cell(name, paths[kind])
                if isinstance(found, str):
                    print(f"{line}{found}", flush=True)
                    before[name] = None
                    continue
                seconds, peak, shown = found
                before[name] = rows, seconds
                base.setdefault(kind, seconds)
                print(
                    f"{line}{seconds:>8.2f} {seconds / base[kind]:>7.2f} {seconds / rows * 1e6:>7.1f} {peak:>6}  "
                    f"{shown if measured is not fractions else ''}",
                    flush=True,
                )
    libraries = sorted({library for _, library, _ in MEASURED.values() if library})
    print("peers:", ", ".join(f"{each} {version(each) or '(not installed)'}" for each in libraries))


if __name__ == "__main__":
    main()
