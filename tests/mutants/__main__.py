"""``python -m tests.mutants``: mutate and see what goes red.

``--sample N``: N constants of formulas (straight-line functions of an arithmetic), each raised by one;
    every one must be caught (exit 1 otherwise, 2 where the checks are red on the code as it is).
``--module NAME``: every mutant of one module, all operators; prints the score and the survivors.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys

from .operators import OPERATORS, Mutant, mutants
from .runner import SOURCES, caught_by, path_of, tests_of, warm_up

_FORMULAS = ("guarantees", "mechanisms", "composition", "adaptive")


def modules(layers: tuple[str, ...]) -> list[str]:
    """The modules of some layers, by name."""
    found = []
    for layer in layers:
        for path in sorted((SOURCES / "privref" / layer).glob("*.py")):
            if path.name != "__init__.py":
                found.append(f"privref.{layer}.{path.stem}")
    return found


def constants() -> list[Mutant]:
    """Every numeric literal in a function of the formula layers, one up."""
    found = []
    for module in modules(_FORMULAS):
        source = path_of(module).read_text(encoding="utf-8")
        if "@implements(" not in source:
            continue
        formula_lines = _lines_of_formulas(source)
        for mutant in mutants(module, source, {"literal+1": OPERATORS["literal+1"]}):
            if mutant.line in formula_lines:
                found.append(mutant)
    return found


def _lines_of_formulas(source: str) -> set[int]:
    """The lines of straight-line functions whose first argument is an arithmetic: the formulas.

    Loops make searches and recursions, whose constants are often step sizes that change no result: for those there is
    ``--module``, and its survivors have to be read one by one.
    """
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef) or not node.args.args:
            continue
        takes_arithmetic = node.args.args[0].arg in ("ar", "inner")
        loops = any(isinstance(part, (ast.For, ast.While)) for part in ast.walk(node))
        if takes_arithmetic and not loops:
            lines.update(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def main(arguments: list[str]) -> int:
    """Run and report; 1 where a mutant survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, help="this many constants of formulas")
    parser.add_argument("--module", help="every mutant of this module")
    parser.add_argument("--limit", type=int, help="at most this many mutants, drawn at random")
    parser.add_argument("--quick", action="store_true", help="samples and proofs only, no unit tests")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    if chosen.module:
        todo = list(mutants(chosen.module, path_of(chosen.module).read_text(encoding="utf-8")))
        size = chosen.limit or len(todo)
    else:
        todo, size = constants(), chosen.sample or 50
    if len(todo) > size:
        todo = random.Random(chosen.seed).sample(todo, size)
    warm_up()
    survivors = []
    controls = {() if chosen.quick else tests_of(mutant.module): mutant.module for mutant in todo}
    for targets in controls.items():
        if verdict := caught_by(targets[1], path_of(targets[1]).read_text(encoding="utf-8"), targets[0]):
            print(f"the checks {targets[0]} are red on the code as it is: {verdict}", file=sys.stderr)
            return 2
    for i, mutant in enumerate(todo, 1):
        verdict = caught_by(mutant.module, mutant.source)
        if not verdict and not chosen.quick:
            verdict = caught_by(mutant.module, mutant.source, tests_of(mutant.module))
        print(f"{i:4} {'red ' if verdict else 'ALIVE'} {mutant}   [{verdict[:90]}]", flush=True)
        if not verdict:
            survivors.append(mutant)
    print(f"{len(todo) - len(survivors)} of {len(todo)} caught")
    return 1 if survivors or not todo else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
