"""``python -m tests.mutants``: mutate and see what goes red.

``record [FILE...]``: run the suite, or these tests, once and keep which test runs which line (do this first, and after
the code changed). ``record tests/kernel`` and ``judge kernel`` show whether the kernel's own tests notice its mutants;
``python -m tests.mutants.kernel`` does most of that faster.
``sample N``: N constants of formulas, each raised by one; every one must be caught.
``judge NAME...``: every mutant of these modules or layers (``exact``, ``privref.exact.roots``), all operators.
``score``: the score of what was judged, and the survivors, with what survivors.json says of each.

``sample`` and ``judge`` exit with 1 where a mutant survives that survivors.json does not explain.
"""

from __future__ import annotations

import argparse
import ast
import fcntl
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import campaign
from .operators import OPERATORS, Mutant, mutants
from .recorder import Record, record
from .rules import reason_of
from .runner import ROOT, SOURCES, path_of, warm_up

_FORMULAS = ("guarantees", "mechanisms", "composition", "adaptive")
EXPLAINED = Path(__file__).parent / "survivors.json"


def modules(names: Sequence[str]) -> list[str]:
    """The modules that are named, or lie in the layers that are."""
    found = []
    for name in names:
        layer = SOURCES / "privref" / name
        if not layer.is_dir():
            path_of(name).stat()
            found.append(name)
            continue
        for path in sorted(layer.glob("*.py")):
            if path.name != "__init__.py":
                found.append(f"privref.{name}.{path.stem}")
    return found


def every(names: Sequence[str]) -> list[Mutant]:
    """Every mutant of some modules or layers."""
    return [m for module in modules(names) for m in mutants(module, path_of(module).read_text(encoding="utf-8"))]


def constants() -> list[Mutant]:
    """Every numeric literal in a formula of the formula layers, one up."""
    found = []
    for module in modules(_FORMULAS):
        source = path_of(module).read_text(encoding="utf-8")
        if "@implements(" not in source:
            continue
        lines = _lines_of_formulas(source)
        raised = mutants(module, source, {"literal+1": OPERATORS["literal+1"]})
        found.extend(mutant for mutant in raised if mutant.line in lines)
    return found


def _lines_of_formulas(source: str) -> set[int]:
    """The lines of functions whose first argument is an arithmetic: the formulas and the searches over them."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.args.args and node.args.args[0].arg in ("ar", "inner"):
            lines.update(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def explained() -> dict[str, str]:
    """Why each known survivor changes nothing that a test could see, by the mutant's key."""
    found: dict[str, str] = json.loads(EXPLAINED.read_text(encoding="utf-8"))
    return found


def _tell(kept: Path, mutant: Mutant, verdict: str) -> None:
    row = {"key": mutant.key, "module": mutant.module, "line": mutant.line, "verdict": verdict}
    with kept.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(row) + "\n")
    print(f"{'red  ' if verdict else 'ALIVE'} {mutant}   [{verdict[:90]}]", file=sys.__stdout__, flush=True)


def results(kept: Path) -> dict[str, dict[str, Any]]:
    """The last verdict on each mutant, by key."""
    if not kept.exists():
        return {}
    rows = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    return {row["key"]: row for row in rows}


def _judge(todo: list[Mutant], chosen: argparse.Namespace) -> int:
    kept = chosen.folder / "verdicts.jsonl"
    known = {} if chosen.again else results(kept)
    left = [mutant for mutant in todo if mutant.key not in known]
    found = Record.read(chosen.folder / "record.json")
    random.Random(chosen.seed).shuffle(left)
    warm_up()
    campaign.shards(
        left,
        chosen.jobs,
        lambda part: campaign.run(part, found, chosen.budget, lambda m, verdict: _tell(kept, m, verdict)),
    )
    return _score(todo, results(kept), found)


def _score(todo: list[Mutant], known: dict[str, dict[str, Any]], found: Record) -> int:
    reasons = explained()
    verdicts = {mutant.key: known[mutant.key]["verdict"] for mutant in todo if mutant.key in known}
    if not verdicts or any(verdict.startswith("harness") for verdict in verdicts.values()):
        print(f"not judged: {[k for k, v in verdicts.items() if v.startswith('harness')] or 'all'}", file=sys.stderr)
        return 2
    accused = sorted({verdict for verdict in verdicts.values() if verdict in found.seconds})
    if guilty := campaign.alibis(accused, found):
        print(f"tests that fail alone on the code as it is: {guilty}", file=sys.stderr)
        return 2
    counts: Counter[tuple[str, str]] = Counter()
    bad = []
    for mutant in todo:
        if mutant.key not in verdicts:
            continue
        state = (
            "caught" if verdicts[mutant.key] else "explained" if mutant.key in reasons or reason_of(mutant) else "alive"
        )
        counts[mutant.module.split(".")[1], state] += 1
        if state == "alive":
            bad.append(mutant)
    for layer in sorted({layer for layer, _ in counts}):
        caught, known_, alive = (counts[layer, state] for state in ("caught", "explained", "alive"))
        total = caught + known_ + alive
        print(f"{layer}: {caught} of {total} caught ({caught / total:.1%}), {known_} explained, {alive} alive")
    for mutant in bad:
        print(f"ALIVE {mutant.key}   (line {mutant.line})")
    return 1 if bad or len(verdicts) < len(todo) else 0


def main(arguments: list[str]) -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("record", "sample", "judge", "score"))
    parser.add_argument("what", nargs="*", help="a number for sample; modules or layers for judge and score")
    parser.add_argument("--folder", type=Path, default=ROOT / ".mutants", help="where record and verdicts are kept")
    parser.add_argument("--budget", type=float, default=60, help="seconds of tests that a mutant must outlive")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, help="at most this many mutants, drawn at random")
    parser.add_argument("--again", action="store_true", help="judge also what has a verdict")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(exist_ok=True)
    if chosen.command == "record":
        record(ROOT, chosen.what).write(chosen.folder / "record.json")
        (chosen.folder / "verdicts.jsonl").unlink(missing_ok=True)
        return 0
    if chosen.command == "sample":
        todo = constants()
        chosen.limit = int(*chosen.what) if chosen.what else 50
        chosen.again = True
    else:
        todo = every(chosen.what)
    if chosen.limit and len(todo) > chosen.limit:
        todo = random.Random(chosen.seed).sample(todo, chosen.limit)
    if chosen.command == "score":
        return _score(todo, results(chosen.folder / "verdicts.jsonl"), Record.read(chosen.folder / "record.json"))
    return _judge(todo, chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
