"""The whole check: build, completeness, cheats, and the theorems that documentation and Python rely on."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from leanci import build as building
from leanci import cheats, declared, meaning, source
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


def core_names(library: Path) -> tuple[set[str], set[str]]:
    """Every constant of the part of Lean's library that a module may import, and every class there."""
    names, classes = set[str](), set[str]()
    for part in ("Init", "Std"):
        for path in (library / part).rglob("*.olean"):
            constants, declared_classes = names_of(path)
            names.update(constants)
            classes.update(declared_classes)
    if "Nat.add" not in names or "LE" not in classes:
        raise OleanError(f"{library}: no constants of Lean's own library")
    return names, classes


def reached(modules: Mapping[str, graph.Module], out: Path, names: Sequence[str]) -> dict[str, str]:
    """The digests of all that the named theorems say, by the oleans."""
    return meaning.meanings((read(building.olean(out, name)) for name in modules), names)


def source_problems(base: Path) -> list[str]:
    """The cheats in every Lean file below `base`, whether or not it belongs to the library, and in the lakefile."""
    found = []
    known = {module.path for module in graph.library(base).values()} | {base / "Main.lean"}
    for path in graph.sources(base):
        where = path.relative_to(base).as_posix()
        found += [str(finding) for finding in cheats.in_source(source.load(path), where)]
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
    listed = declared.statements(source.load(stated)) if stated.exists() else []
    problems += [] if listed else [f"{stated.name} states no theorem"]
    named += listed
    if index is not None:
        listed = declared.index_declarations(index)
        named += listed
        problems += [] if listed else [f"{index.name} lists no declaration"]
    return named, problems


def _restatement(path: Path, named: Sequence[declared.Named]) -> list[str]:
    text = source.load(path)
    found = [str(finding) for finding in cheats.in_source(text, path.name)]
    return found + declared.restatement_problems(text, named)


def recorded(modules: Mapping[str, graph.Module], place: Callable[[str], Path], names: Sequence[str]) -> list[str]:
    """What the oleans give away: cheats in any module, imports that the sources do not show, axioms behind theorems."""
    problems = [str(finding) for name in modules for finding in cheats.in_olean(place(name), name)]
    found = {name: read(place(name)) for name in modules}
    for name, module in found.items():
        seen = {"Init", *modules[name].imports, *modules[name].outside}
        problems += [f"{name} imports {other} unseen" for other in module.imports if other not in seen]
        # Of the library, so that what is not checked is not imported either.
        problems += [
            f"{name} imports {other}, which has no file"
            for other in module.imports
            if other.split(".")[0] == graph.ROOT and other not in modules
        ]
        problems += [f"{name} does not import {other}" for other in seen - {"Init"} - set(module.imports)]
    uses = {name: used for module in found.values() for name, used in module.uses.items()}
    kinds = {constant.name: constant.kind for module in found.values() for constant in module.constants}
    return problems + declared.recorded_axiom_problems(names, uses, kinds)


@dataclass(frozen=True)
class Built:
    """What a build left: where the oleans of the modules are, and those of Lean's own library."""

    modules: Mapping[str, graph.Module]
    place: Callable[[str], Path]
    core: Path


def built_problems(
    built: Built, named: Sequence[declared.Named], meanings: Path | None, restated: Path | None = None
) -> tuple[list[str], int]:
    """All that the oleans show, whichever Lean wrote them: one line a problem, and the number of theorems."""
    problems = [f"{name} was not built" for name in built.modules if not built.place(name).exists()]
    if problems:
        return problems, 0
    found = {c.name: c.kind for name in built.modules for c in read(built.place(name)).constants}
    theorems = sum(kind == "theorem" for kind in found.values())
    if theorems == 0:
        problems.append("the library has no theorem")
    problems += declared.missing(named, found)
    if declared.STATEMENTS in built.modules:
        stated = read(built.place(declared.STATEMENTS)).constants
        problems += declared.unread((c.name for c in stated if c.kind == "theorem"), named)
    wanted = [item.name for item in named if item.name in found]
    core, classes = core_names(built.core)
    said = meaning.meanings((read(built.place(name)) for name in built.modules), wanted)
    problems += meaning.changes(meaning.read(meanings.read_text()), said) if meanings is not None else []
    for module in map(read, map(built.place, built.modules)):
        problems += meaning.assumed(module, said, classes)
    problems += declared.shadows(found, core)
    problems += declared.misplaced(found)
    problems += declared.outranked(source.load(restated), found) if restated is not None else []
    problems += recorded(built.modules, built.place, wanted)
    return problems, theorems


def restated_problems(olean: Path, named: Sequence[declared.Named]) -> list[str]:
    """All that the restatements' own olean shows."""
    module = read(olean)
    kinds = {constant.name: constant.kind for constant in module.constants}
    problems = [str(finding) for finding in cheats.in_olean(olean, "the restatements")]
    return problems + declared.restated_problems(kinds, module.uses, named)


def _lake(lake: str, base: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [lake, *arguments], cwd=base, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


def _lake_lean(lake: str, base: Path, text: str, folder: Path, *options: str) -> tuple[int, str, Path]:
    """What the official Lean says to a file with this text, and where it wrote the file's olean."""
    file, olean = folder / "Check.lean", folder / "Check.olean"
    file.write_text(text)
    code, said = _lake(lake, base, "env", "lean", *options, "-o", str(olean), str(file))
    return code, said, olean


def _replay(
    lake: str, base: Path, prefix: Path, modules: Mapping[str, graph.Module], say: Callable[[str], None]
) -> list[str]:
    """A second run of the kernel over what the build wrote, by the checker that comes with the official Lean."""
    checker = prefix / "bin" / "leanchecker"
    if not checker.exists():
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
    named: Sequence[declared.Named],
    restated: Path | None = None,
    meanings: Path | None = None,
    *,
    incremental: bool = False,
    say: Callable[[str], None] = print,
) -> tuple[list[str], int]:
    """Build with the official Lean, which sees the proofs of core as well; the problems and the number of theorems."""
    if not incremental:
        # Lake believes the hashes that it left there.
        shutil.rmtree(base / ".lake" / "build", ignore_errors=True)
    code, said = _lake(lake, base, "build")
    if code != 0:
        return ["lake build failed:\n" + said], 0
    code, prefix = _lake(lake, base, "env", "lean", "--print-prefix")
    if code != 0:
        return ["lean does not say where its library is:\n" + prefix], 0
    oleans = base / ".lake" / "build" / "lib" / "lean"
    modules = graph.library(base)
    built = Built(modules, lambda name: building.olean(oleans, name), Path(prefix.strip()) / "lib" / "lean")
    problems, theorems = built_problems(built, named, meanings, restated)
    problems += _replay(lake, base, Path(prefix.strip()), modules, say)
    names = [item.name for item in named]
    with tempfile.TemporaryDirectory() as folder:
        said = _lake_lean(lake, base, declared.axioms_file(names), Path(folder))[1]
        problems += declared.axiom_problems(said, names)
        code, said, _ = _lake_lean(lake, base, declared.check_file(names), Path(folder), *building.OPTIONS)
        problems += [] if code == 0 else ["a theorem is not what is said of it:\n" + said]
        if restated is not None:
            code, said, olean = _lake_lean(lake, base, source.load(restated), Path(folder), *building.OPTIONS)
            problems += (
                restated_problems(olean, named) if code == 0 else ["a theorem is not what is said of it:\n" + said]
            )
    return problems, theorems


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
    if not report.ok:
        return
    modules = graph.library(base)
    built = Built(modules, lambda name: building.olean(out, name), lean.toolchain / "lib")
    # Lean has a process of its own: what the oleans show is read while it works.
    with ThreadPoolExecutor(1) as pool:
        later = pool.submit(_said_by_wasm, lean, restated, out, named) if named else None
        problems, outcome.theorems = built_problems(built, named, meanings, restated)
        outcome.problems += problems
        found = {c.name for name in modules for c in read(building.olean(out, name)).constants}
        # Of a theorem that is missing, which is a problem already, Lean would only say so once more.
        if later is not None and all(item.name in found for item in named):
            outcome.problems += later.result()


def _said_by_wasm(lean: WasmLean, restated: Path | None, out: Path, named: Sequence[declared.Named]) -> list[str]:
    """What Lean says to the theorems that are relied on, and to the second statement of each."""
    result = run_text(lean, declared.check_file(item.name for item in named), out)
    problems = [] if result.ok else ["a theorem is not what is said of it:\n" + result.output]
    return problems + (_restated_by_wasm(lean, restated, out, named) if restated is not None else [])


def _restated_by_wasm(lean: WasmLean, restated: Path, out: Path, named: Sequence[declared.Named]) -> list[str]:
    with tempfile.TemporaryDirectory(dir=out.parent, prefix="restated-") as folder:
        file = Path(folder) / "Check.lean"
        file.write_text(source.load(restated))
        olean = Path(folder) / "Check.olean"
        options = [*building.OPTIONS, file.name, "-o", str(olean)]
        result = lean.run(options, path=[out], cwd=Path(folder), timeout=1200)
        if not result.ok:
            return ["a theorem is not what is said of it:\n" + result.output]
        return restated_problems(olean, named)


def run_text(lean: WasmLean, text: str, out: Path, *, timeout: float = 1200) -> Result:
    """Lean's verdict on a file with this text, against the library built in `out`."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix="run-") as folder:
        file = Path(folder) / "Check.lean"
        file.write_text(text)
        return lean.run([*building.OPTIONS, file.name], path=[out], cwd=Path(folder), timeout=timeout)


def shown(lean: WasmLean, modules: Mapping[str, graph.Module], out: Path, names: Sequence[str]) -> str:
    """What each theorem states, in Lean's words, and the axioms that the library's oleans record behind it."""
    found = [read(building.olean(out, name)) for name in modules]
    kinds = {constant.name: constant.kind for module in found for constant in module.constants}
    uses = {name: used for module in found for name, used in module.uses.items()}
    lines = []
    for name in map(declared.full, names):
        if kinds.get(name) != "theorem":
            raise OleanError(f"the last check had no theorem {name}")
        said = run_text(lean, f"module\n\nimport PrivRef\n\n#check {name}\n", out)
        axioms = ", ".join(sorted(declared.recorded_axioms(name, uses, kinds))) or "none"
        lines.append(f"theorem {said.said or said.output}\naxioms: {axioms}\n")
    return "\n".join(lines)


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
        problems, outcome.theorems = with_lake(lake, base, named, restated, meanings, incremental=incremental, say=say)
        outcome.problems += problems
    else:
        with nullcontext(lean) if lean is not None else closing(wasm_lean()) as used:
            _with_wasm(used, base, out, incremental, named, restated, meanings, outcome, jobs, say)
    outcome.total = time.monotonic() - start
    return outcome
