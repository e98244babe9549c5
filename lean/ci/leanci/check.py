"""The whole check: build, completeness, cheats, and the theorems that documentation and Python rely on."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from leanci import build as building
from leanci import cheats, declared, meaning
from leanci import modules as graph
from leanci.olean import OleanError, names_of, read
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
    return {constant.name: constant.kind for name in modules for constant in read(building.olean(out, name)).constants}


def core_names(library: Path) -> set[str]:
    """Every constant of the part of Lean's library that a module may import."""
    found = {name for part in ("Init", "Std") for path in (library / part).rglob("*.olean") for name in names_of(path)}
    if "Nat.add" not in found:
        raise OleanError(f"{library}: no constants of Lean's own library")
    return found


def reached(modules: Mapping[str, graph.Module], out: Path, names: Sequence[str]) -> dict[str, str]:
    """The digests of all that the named theorems say, by the oleans."""
    return meaning.meanings((read(building.olean(out, name)) for name in modules), names)


def source_problems(base: Path) -> list[str]:
    """The cheats in every Lean file below `base`, whether or not it belongs to the library, and in the lakefile."""
    found = []
    known = {module.path for module in graph.library(base).values()} | {base / "Main.lean"}
    for path in graph.sources(base):
        where = path.relative_to(base).as_posix()
        found += [str(finding) for finding in cheats.in_source(path.read_text(), where)]
        if path not in known:
            found.append(f"{where} belongs neither to the library nor to its program")
    lakefile = base / "lakefile.toml"
    if lakefile.exists():
        found += map(str, cheats.in_lakefile(lakefile.read_text(), lakefile.name))
    else:
        found.append("there is no lakefile.toml, so nobody else can build the library")
    toolchain = base / "lean-toolchain"
    found += map(str, cheats.in_toolchain(toolchain.read_text() if toolchain.exists() else "nothing", toolchain.name))
    return found


def names(base: Path, index: Path | None) -> tuple[list[declared.Named], list[str]]:
    """Every theorem that someone relies on, and who of them named none."""
    readme, stated = base / "README.md", base.joinpath(*declared.STATEMENTS.split(".")).with_suffix(".lean")
    named = declared.readme_theorems(readme.read_text()) if readme.exists() else []
    problems = [] if named else ["lean/README.md has no table of theorems, so no headline theorem is checked"]
    listed = declared.statements(stated.read_text()) if stated.exists() else []
    problems += [] if listed else [f"{stated.name} states no theorem"]
    named += listed
    if index is not None:
        listed = declared.index_declarations(index)
        named += listed
        problems += [] if listed else [f"{index.name} lists no declaration"]
    return named, problems


def _restatement(path: Path, named: Sequence[declared.Named]) -> list[str]:
    text = path.read_text()
    found = [str(finding) for finding in cheats.in_source(text, path.name)]
    return found + declared.restatement_problems(text, named)


def recorded(modules: Mapping[str, graph.Module], place: Callable[[str], Path], names: Sequence[str]) -> list[str]:
    """What the oleans give away: cheats in any module, and axioms behind the named theorems."""
    problems = [str(finding) for name in modules for finding in cheats.in_olean(place(name), name)]
    found = [read(place(name)) for name in modules]
    uses = {name: used for module in found for name, used in module.uses.items()}
    kinds = {constant.name: constant.kind for module in found for constant in module.constants}
    return problems + declared.recorded_axiom_problems(names, uses, kinds)


def _lake(lake: str, base: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [lake, *arguments], cwd=base, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


def _lake_lean(lake: str, base: Path, text: str, *options: str) -> tuple[int, str]:
    with tempfile.NamedTemporaryFile("w", suffix=".lean") as file:
        file.write(text)
        file.flush()
        return _lake(lake, base, "env", "lean", *options, file.name)


def _replay(lake: str, base: Path, modules: Mapping[str, graph.Module], say: Callable[[str], None]) -> list[str]:
    """A second run of the kernel over what the build wrote, by the checker that comes with the official Lean."""
    code, said = _lake(lake, base, "env", "lean", "--print-prefix")
    checker = Path(said.strip()) / "bin" / "leanchecker"
    if code != 0 or not checker.exists():
        say("this toolchain has no leanchecker: what the build wrote was not checked a second time")
        return []
    code, said = _lake(lake, base, "env", str(checker), "--verbose", graph.ROOT)
    if code != 0:
        return ["leanchecker refuses the build:\n" + said]
    seen = set(said.split())
    return [f"leanchecker did not replay {name}" for name in modules if name not in seen]


def with_lake(
    lake: str,
    base: Path,
    names: Sequence[str],
    restated: Path | None = None,
    say: Callable[[str], None] = print,
) -> list[str]:
    """`lake build` and `#print axioms` by the official Lean, which sees the proofs of core as well."""
    code, said = _lake(lake, base, "build")
    if code != 0:
        return ["lake build failed:\n" + said]
    modules = graph.library(base)

    def place(name: str) -> Path:
        return building.olean(base / ".lake" / "build" / "lib" / "lean", name)

    problems = [f"{name} was not built" for name in modules if not place(name).exists()]
    if problems:
        return problems
    problems += recorded(modules, place, names)
    problems += _replay(lake, base, modules, say)
    problems += declared.axiom_problems(_lake_lean(lake, base, declared.axioms_file(names))[1], names)
    for text in [declared.check_file(names), *([restated.read_text()] if restated else [])]:
        code, said = _lake_lean(lake, base, text, *building.OPTIONS)
        if code != 0:
            problems.append("a theorem is not what is said of it:\n" + said)
    return problems


def _with_wasm(
    lean: WasmLean,
    base: Path,
    out: Path,
    incremental: bool,
    named: Sequence[declared.Named],
    restated: Path | None,
    meanings: Path | None,
    outcome: Outcome,
    jobs: int,
    say: Callable[[str], None],
) -> None:
    report = building.build(lean, base=base, out=out, incremental=incremental, jobs=jobs, say=say)
    outcome.seconds = report.seconds
    outcome.problems += [f"{name} does not compile:\n{text}" for name, text in report.failed.items()]
    outcome.problems += [f"{name} was not tried: what it imports failed" for name in report.skipped]
    modules = graph.library(base)
    unbuilt = [f"{name} was not built" for name in modules if not building.olean(out, name).exists()]
    outcome.problems += unbuilt
    if unbuilt or not report.ok:
        return
    found = kinds(modules, out)
    outcome.theorems = sum(kind == "theorem" for kind in found.values())
    if outcome.theorems == 0:
        outcome.problems.append("the library has no theorem")
    absent = declared.missing(named, found)
    stated = read(building.olean(out, declared.STATEMENTS)).constants if declared.STATEMENTS in modules else ()
    absent += declared.unread((c.name for c in stated if c.kind == "theorem"), named)
    outcome.problems += absent
    wanted = [item.name for item in named if item.name in found]
    if meanings is not None:
        outcome.problems += meaning.changes(meaning.read(meanings.read_text()), reached(modules, out, wanted))
    outcome.problems += declared.shadows(found, core_names(lean.toolchain / "lib"))
    outcome.problems += recorded(modules, lambda name: building.olean(out, name), wanted)
    if named and not absent:
        for text in [declared.check_file(wanted), *([restated.read_text()] if restated else [])]:
            result = run_text(lean, text, out)
            if not result.ok:
                outcome.problems.append("a theorem is not what is said of it:\n" + result.output)


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
    restated: Path | None = None,
    meanings: Path | None = None,
    incremental: bool = False,
    lean: WasmLean | None = None,
    jobs: int = 2,
    say: Callable[[str], None] = print,
) -> Outcome:
    """Everything CI asks of the library. With `lake` on the PATH the official Lean does the building."""
    start = time.monotonic()
    outcome = Outcome()
    outcome.problems += completeness(graph.library(base))
    outcome.problems += source_problems(base)
    named, problems = names(base, index)
    outcome.problems += problems
    if restated is not None:
        outcome.problems += _restatement(restated, named)
    lake = shutil.which("lake") if lean is None else None
    if lake:
        outcome.problems += with_lake(lake, base, [item.name for item in named], restated, say)
    else:
        with nullcontext(lean) if lean is not None else closing(wasm_lean()) as used:
            _with_wasm(used, base, out, incremental, named, restated, meanings, outcome, jobs, say)
    outcome.total = time.monotonic() - start
    return outcome
