"""The library's modules and their import graph, read from the `import` lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from leanci.source import load, strip

ROOT = "PrivRef"
_IMPORT = re.compile(r"^\s*(?:public\s+)?(?:meta\s+)?import\s+(?:all\s+)?([\w.«»]+)", re.MULTILINE)


class GraphError(RuntimeError):
    """The library is not one connected, acyclic whole; the message is one line."""


@dataclass(frozen=True)
class Module:
    """One file: its module name, its path, and the library modules it imports."""

    name: str
    path: Path
    imports: tuple[str, ...]
    outside: tuple[str, ...]


def module_name(path: Path, base: Path) -> str:
    return ".".join(path.relative_to(base).with_suffix("").parts)


def read(path: Path, base: Path) -> Module:
    """The module of one file; `base` is the folder its name starts from."""
    names = tuple(dict.fromkeys(_IMPORT.findall(strip(load(path)))))
    inside = tuple(n for n in names if n == ROOT or n.startswith(ROOT + "."))
    return Module(module_name(path, base), path, inside, tuple(n for n in names if n not in inside))


def library(base: Path) -> dict[str, Module]:
    """Every module file of the library: `PrivRef.lean` and all below `PrivRef/`."""
    files = [p for p in (base / f"{ROOT}.lean",) if p.exists()] + sorted((base / ROOT).rglob("*.lean"))
    return {m.name: m for m in (read(p, base) for p in files)}


def sources(base: Path) -> list[Path]:
    """Every Lean file below `base` that is not the product of a build."""
    return sorted(p for p in base.rglob("*.lean") if p.relative_to(base).parts[0] not in ("build", ".lake"))


def order(modules: Mapping[str, Module]) -> list[str]:
    """Module names so that each follows everything it imports."""
    done: dict[str, None] = {}
    open_: list[str] = []

    def visit(name: str, wanted_by: str) -> None:
        if name in done:
            return
        if name not in modules:
            raise GraphError(f"{wanted_by} imports {name}, which has no file")
        if name in open_:
            raise GraphError("import cycle: " + " -> ".join([*open_[open_.index(name) :], name]))
        open_.append(name)
        for wanted in modules[name].imports:
            visit(wanted, name)
        open_.pop()
        done[name] = None

    for name in modules:
        visit(name, "the library")
    return list(done)


def reachable(modules: Mapping[str, Module], start: str = ROOT) -> set[str]:
    """The modules that `start` imports, directly or not, with itself."""
    seen: set[str] = set()
    todo = [start] if start in modules else []
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(n for n in modules[name].imports if n in modules)
    return seen
