"""The whole check: build, completeness, cheats, and the names that documentation and Python rely on."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leanci import build as building
from leanci import cheats, declared
from leanci import modules as graph
from leanci.olean import Module, parts
from leanci.toolchain import LEAN, Result, WasmLean, wasm_lean


@dataclass
class Outcome:
    """What is wrong, one line each, and the seconds every module took."""

    problems: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    theorems: int = 0
    total: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.problems


def completeness(modules: Mapping[str, graph.Module]) -> list[str]:
    """A check over nothing is a failure: there must be modules, all reachable from the root."""
    if graph.ROOT not in modules:
        return [f"there is no {graph.ROOT}.lean, so nothing of the library is checked"]
    if len(modules) == 1:
        return [f"{graph.ROOT}.lean is the only module: the library is empty"]
    seen = graph.reachable(modules)
    return [f"{name} is not imported by {graph.ROOT}, directly or not" for name in modules if name not in seen]


def kinds(modules: Mapping[str, graph.Module], out: Path) -> dict[str, str]:
    """Every constant of the built library with its kind."""
    return {
        constant.name: constant.kind
        for name in modules
        for constant in Module(parts(building.olean(out, name))).constants
    }


def _names(base: Path, index: Path | None) -> tuple[list[declared.Named], list[str]]:
    readme = base / "README.md"
    named = declared.readme_theorems(readme.read_text()) if readme.exists() else []
    problems = [] if named else ["lean/README.md has no table of theorems, so no headline theorem is checked"]
    if index is not None:
        listed = declared.index_declarations(index)
        named += listed
        problems += [] if listed else [f"{index.name} lists no declaration"]
    return named, problems


def with_lake(lake: str, base: Path, names: Sequence[str]) -> list[str]:
    """`lake build` and `#print axioms` by the official Lean, which sees the proofs of core as well."""
    done = subprocess.run(
        [lake, "build"], cwd=base, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        return ["lake build failed:\n" + done.stdout]
    with tempfile.NamedTemporaryFile("w", suffix=".lean") as file:
        file.write(declared.axioms_file(names))
        file.flush()
        said = subprocess.run(
            [lake, "env", "lean", file.name],
            cwd=base,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    return declared.axiom_problems(said.stdout, names)


def _with_wasm(
    lean: WasmLean,
    base: Path,
    out: Path,
    incremental: bool,
    named: Sequence[declared.Named],
    outcome: Outcome,
    say: Callable[[str], None],
) -> None:
    report = building.build(lean, base=base, out=out, incremental=incremental, say=say)
    outcome.seconds = report.seconds
    outcome.problems += [f"{name} does not compile:\n{text}" for name, text in report.failed.items()]
    outcome.problems += [f"{name} was not tried: what it imports failed" for name in report.skipped]
    modules = graph.library(base)
    outcome.problems += [f"{name} was not built" for name in modules if not building.olean(out, name).exists()]
    if outcome.problems:
        return
    outcome.problems += map(str, (f for name in modules for f in cheats.in_olean(building.olean(out, name), name)))
    found = kinds(modules, out)
    outcome.theorems = sum(kind == "theorem" for kind in found.values())
    if outcome.theorems == 0:
        outcome.problems.append("the library has no theorem")
    absent = declared.missing(named, found)
    outcome.problems += absent
    if named and not absent:
        result = run_text(lean, declared.check_file(item.name for item in named), out)
        if not result.ok:
            outcome.problems.append("a named declaration cannot be used from outside:\n" + result.output)


def run_text(lean: WasmLean, text: str, out: Path, *, timeout: float = 1200) -> Result:
    """Lean's verdict on a file with this text, against the library built in `out`."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix="run-") as folder:
        file = Path(folder) / "Check.lean"
        file.write_text(text)
        return lean.run([*building.OPTIONS, file.name], path=[out], cwd=Path(folder), timeout=timeout)


def check(
    *,
    base: Path = LEAN,
    out: Path,
    index: Path | None = None,
    incremental: bool = False,
    lean: WasmLean | None = None,
    say: Callable[[str], None] = print,
) -> Outcome:
    """Everything CI asks of the library. With `lake` on the PATH the official Lean does the building."""
    start = time.monotonic()
    outcome = Outcome()
    modules = graph.library(base)
    outcome.problems += completeness(modules)
    outcome.problems += map(str, (f for m in modules.values() for f in cheats.in_source(m.path.read_text(), m.name)))
    named, problems = _names(base, index)
    outcome.problems += problems
    lake = shutil.which("lake") if lean is None else None
    if lake:
        outcome.problems += with_lake(lake, base, [item.name for item in named])
    else:
        _with_wasm(lean or wasm_lean(), base, out, incremental, named, outcome, say)
    outcome.total = time.monotonic() - start
    return outcome
