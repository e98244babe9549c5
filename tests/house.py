"""``python -m tests.house [LEDGER CLAIMS]``: the package as it stands, and the way of a claim through it.

Lines by room (a package, or a module beside them), the arrows between rooms, circles of modules, and, where a ledger
and its claims are given, the modules that an audit of them goes through, in order, with how often it comes back.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import grimp

import privref

FOLDER = Path(privref.__file__).parent


def room(module: str) -> str:
    """The room of a module: its package, or itself."""
    return ".".join(module.split(".")[1:2]) or "privref"


def lines() -> dict[str, Counter[str]]:
    """Lines of each room: all, and of these docstrings, imports, comments and blank ones."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(FOLDER.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        rows = text.splitlines()
        kinds = Counter(lines=len(rows), modules=1, blank=sum(not row.strip() for row in rows))
        kinds["comments"] = sum(row.lstrip().startswith("#") for row in rows)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                kinds["imports"] += (node.end_lineno or node.lineno) - node.lineno + 1
            elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node, clean=False):
                kinds["docstrings"] += (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
        found.setdefault(path.relative_to(FOLDER).parts[0].removesuffix(".py"), Counter()).update(kinds)
    return found


def arrows(graph: grimp.ImportGraph) -> Counter[tuple[str, str]]:
    """How many imports of modules go from one room to another."""
    pairs = ((one, other) for one in graph.modules for other in graph.find_modules_directly_imported_by(one))
    return Counter((room(one), room(other)) for one, other in pairs if room(one) != room(other))


def circles(graph: grimp.ImportGraph) -> list[tuple[str, ...]]:
    """Modules that import each other, directly or by others."""
    below = {module: graph.find_upstream_modules(module) for module in graph.modules}
    together = ({one, *(other for other in below[one] if one in below[other])} for one in below)
    return sorted({tuple(sorted(circle)) for circle in together if len(circle) > 1})


def way(ledger: str, claims: str) -> list[str]:
    """The modules of an audit, each time that it enters another one."""
    prefix, visited = f"{FOLDER}/", ["privref"]

    def note(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(prefix):
            module = name.removeprefix(prefix).removesuffix(".py").replace("/", ".")
            if module != visited[-1]:
                visited.append(module)

    read, claimed = privref.read_ledger(ledger), privref.read_claims(claims)
    privref.audit(read, claimed)  # what is imported or cached the first time is no part of the way
    sys.setprofile(note)
    try:
        privref.audit(read, claimed)
    finally:
        sys.setprofile(None)
    return visited[1:]


def main(arguments: list[str]) -> None:
    """Print what the module's text says."""
    kinds = ("modules", "lines", "docstrings", "imports", "comments", "blank")
    print(f"{'room':16}" + "".join(f"{kind:>12}" for kind in kinds))
    rooms = lines()
    for name, found in [
        *sorted(rooms.items(), key=lambda item: -item[1]["lines"]),
        ("all", sum(rooms.values(), Counter())),
    ]:
        print(f"{name:16}" + "".join(f"{found[kind]:12,}" for kind in kinds))
    graph = grimp.build_graph("privref")
    between = arrows(graph)
    print(f"\n{len(between)} arrows between {len(rooms)} rooms, {sum(between.values()):,} imports; circles of modules:")
    print("\n".join(" <-> ".join(circle) for circle in circles(graph)) or "none")
    if arguments:
        visited = way(*arguments)
        print(f"\n{len(set(visited))} modules, {len(visited):,} entries; in the order of the first one, with entries:")
        for module, entries in Counter(visited).items():
            print(f"  {module:32}{entries:8,}")


if __name__ == "__main__":
    main(sys.argv[1:])
