"""What starting costs, and what verifying costs beside auditing: the least processor seconds of several processes.

Run ``python tests/benchmarks/bench_start.py [REPETITIONS]``. Python's bytecode is kept in a folder of its own and is
there before anything is measured, as it is after an installation; a process that has to compile all sources anew
(``PYTHONDONTWRITEBYTECODE``) takes more than twice as long.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

PRIVREF = ["-c", "from privref.cli.main import cli; cli()"]
SMALL = {
    "schema": "ledger.1", "title": "small", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
    "events": [
        {"guarantee": {"kind": "zcdp", "rho": "1/8"}},
        {"guarantee": {"kind": "approx-dp", "epsilon": "1/2", "delta": "1e-9"}},
    ],
}  # fmt: skip
#: The Census Bureau's persons, all of its redistricting data, and three trainings.
EXAMPLES = ("census2020", "census2020-release", "dpsgd-cifar10", "dpsgd-cifar100", "dpsgd-imagenet")


def seconds(arguments: list[str], environment: dict[str, str]) -> float:
    """Processor seconds of one Python process; 0 and 1 are the exit codes of a verdict."""
    quiet = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    child = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=[quiet])
    _, status, used = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), arguments
    return used.ru_utime + used.ru_stime


def least(cases: dict[str, list[str]], repetitions: int, environment: dict[str, str]) -> dict[str, float]:
    """The least seconds of each case, one after another in turns; the first turn writes the bytecode."""
    turns = [{name: seconds(case, environment) for name, case in cases.items()} for _ in range(repetitions + 1)]
    return {name: min(turn[name] for turn in turns[1:]) for name in cases}


def main(repetitions: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"
        ledger = Path(folder, "small.json")
        ledger.write_text(json.dumps(SMALL))
        small = [*PRIVREF, "audit", str(ledger), "--claim", "4,1e-6"]
        found = least({"flint": ["-c", "import flint"], "small": small}, repetitions, environment)
        print(f"import flint {found['flint']:.3f} s, a small audit {found['small']:.3f} s: ", end="")
        print(f"{found['small'] / found['flint']:.2f} times as much", flush=True)
        for name in EXAMPLES:
            audit = [*PRIVREF, "audit", "--example", name]
            made = Path(folder, name)
            seconds([*audit, "--certificates", str(made)], environment)
            cases = {path.name: [*PRIVREF, "verify", str(path)] for path in sorted(made.iterdir())}
            found = least({"audit": audit, **cases}, repetitions // 3 or 1, environment)
            verify = sum(found[each] for each in cases)
            print(
                f"{name:<20} audit {found['audit']:6.2f} s, verify {verify:6.2f} s in {len(cases)} process(es): ",
                end="",
            )
            print(f"{verify / found['audit']:4.0%}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
