"""The declarations that the documentation and the Python package name, and whether Lean has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_CODE = re.compile(r"`([^`\s]+)`")
_AXIOMS = re.compile(r"'([^']+)' (?:depends on axioms: \[([^\]]*)\]|does not depend on any axioms)", re.DOTALL)
# What Lean's own library rests on, and all that a proof here may.
ALLOWED_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
NAMESPACE = "PrivRef"


@dataclass(frozen=True)
class Named:
    """A declaration someone names: its full name, whether it must be a theorem, and who says so."""

    name: str
    theorem: bool
    source: str


def full(name: str) -> str:
    return name if name.split(".")[0] == NAMESPACE else f"{NAMESPACE}.{name}"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def readme_theorems(text: str) -> list[Named]:
    """Every name in backquotes in a table column headed "theorem"; other tables are prose."""
    found: list[Named] = []
    column: int | None = None
    for line in text.splitlines():
        if not line.lstrip().startswith("|"):
            column = None
            continue
        cells = _cells(line)
        if column is None:
            heads = [cell.lower() for cell in cells]
            column = next((i for i, head in enumerate(heads) if head.startswith("theorem")), -1)
        elif 0 <= column < len(cells):
            found += [Named(full(name), True, "README") for name in _CODE.findall(cells[column])]
    return found


def index_declarations(path: Path) -> list[Named]:
    """Names from a JSON file: a list of them, or an object whose values are names or lists of names."""
    data = json.loads(path.read_text())
    groups = data.values() if isinstance(data, dict) else data
    names = [name for group in groups for name in ([group] if isinstance(group, str) else group)]
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"{path.name}: expected names of Lean declarations")
    return [Named(full(name), False, path.name) for name in names]


def missing(named: Iterable[Named], kinds: Mapping[str, str]) -> list[str]:
    """One line for each name that Lean does not have, or has as something else than a theorem."""
    problems = []
    for item in named:
        kind = kinds.get(item.name)
        if kind is None:
            problems.append(f"{item.source} names {item.name}, which does not exist")
        elif item.theorem and kind != "theorem":
            problems.append(f"{item.source} calls {item.name} a theorem, but it is a {kind}")
    return problems


def check_file(names: Iterable[str]) -> str:
    """A module that uses every name, so that Lean itself says whether a user of the library sees it."""
    lines = [f"example := @{name}" for name in dict.fromkeys(names)]
    return "module\n\nimport PrivRef\n\nnoncomputable section\n\n" + "\n".join(lines) + "\n"


def axioms_file(names: Iterable[str]) -> str:
    """For the official Lean: not a `module`, so that `#print axioms` sees every proof."""
    lines = [f"#print axioms {name}" for name in dict.fromkeys(names)]
    return "import PrivRef\n\n" + "\n".join(lines) + "\n"


def axiom_problems(output: str, names: Iterable[str]) -> list[str]:
    """Reads what `#print axioms` said: every name must be there and rest on nothing but Lean's own axioms."""
    said = {name: set(re.findall(r"[\w.]+", axioms or "")) for name, axioms in _AXIOMS.findall(output)}
    problems = []
    for name in dict.fromkeys(names):
        if name not in said:
            problems.append(f"#print axioms said nothing about {name}")
        elif extra := sorted(said[name] - ALLOWED_AXIOMS):
            problems.append(f"{name} rests on {', '.join(extra)}")
    return problems
