"""``python -m proofs [ID ... | --index]``: prove everything or some statements, or rewrite the index."""

from __future__ import annotations

import sys

from privref.exact.errors import OutOfScopeError
from privref.exact.extras import install

try:
    from . import folders, harness, index
except ModuleNotFoundError as error:
    if error.name != "sympy":
        raise
    print(f"python -m proofs: this needs SymPy: {install('symbolic')}", file=sys.stderr)
    sys.exit(2)


def main(arguments: list[str]) -> int:
    """Print a table of what was proved; 1 where something was not."""
    if arguments == ["--index"]:
        index.write()
        return 0
    entries = folders.entries()
    unknown = [id for id in arguments if id not in {entry.id for entry in entries}]
    if unknown:
        print(f"no proof of {' '.join(unknown)}", file=sys.stderr)
        return 2
    chosen = [entry for entry in entries if not arguments or entry.id in arguments]
    failures = 0
    for entry in chosen:
        try:
            outcome = harness.prove(entry.proof)
            row = f"{outcome.status:10} {outcome.paths:5} paths"
        except (AssertionError, OutOfScopeError) as error:
            failures += 1
            row = f"FAILED: {error}"
        print(f"{entry.id:45} {row:24} {entry.file}  ({entry.proof.covers})")
    print(f"{len(chosen) - failures} of {len(chosen)} proved")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
