"""Compiles the modules in dependency order, two at a time, and reports the time of each."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from leanci import modules as graph
from leanci.source import code, load
from leanci.toolchain import LEAN, Result, WasmLean, locked

OPTIONS = ("-DwarningAsError=true", "-DautoImplicit=false")
FEW = 6
# What one module leaves behind: the public part, what the language server and private imports read, and the IR.
SUFFIXES = (".olean", ".olean.server", ".olean.private", ".ir")


@dataclass
class Report:
    """Seconds per module built, modules taken from an earlier build, and what failed with its messages."""

    seconds: dict[str, float] = field(default_factory=dict)
    reused: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    total: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.failed and not self.skipped and bool(self.seconds or self.reused)


def olean(out: Path, name: str, suffix: str = ".olean") -> Path:
    return out.joinpath(*name.split(".")).with_suffix(suffix)


class _Record:
    """What a module was built from and what came of it, so that a later build can tell whether to build it again.

    A module depends on its source, the toolchain, and the code of all that it imports, directly or not: a comment is
    no part of that. (Oleans do not tell: behind flags of one byte Lean in WebAssembly writes what the memory held.)
    Its products are taken only as they were written. Whoever writes into the folder can write the records as well, so
    a check of what somebody else wrote begins from scratch.
    """

    def __init__(self, modules: Mapping[str, graph.Module], out: Path, toolchain: Path) -> None:
        self._modules, self._out, self._toolchain = modules, out, toolchain
        self._read: dict[str, str] = {}

    def _code(self, name: str) -> str:
        """The digest of a module's source without comments."""
        if name not in self._read:
            self._read[name] = hashlib.sha256(code(load(self._modules[name].path)).encode()).hexdigest()
        return self._read[name]

    def wanted(self, name: str) -> str:
        """What the record must say for the module not to be built again."""
        lines = [self._toolchain.name, repr(OPTIONS)]
        lines.append(hashlib.sha256(self._modules[name].path.read_bytes()).hexdigest())
        imports = graph.reachable(self._modules, name) - {name}
        lines += [f"{other} {self._code(other)}" for other in sorted(imports)]
        for suffix in SUFFIXES:
            file = olean(self._out, name, suffix)
            lines.append(f"{suffix} {hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else None}")
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def holds(self, name: str) -> bool:
        """Check that the module was built from what is there now, and that its products are as they were written."""
        key = olean(self._out, name, ".key")
        return olean(self._out, name).exists() and key.exists() and key.read_text() == self.wanted(name)

    def write(self, name: str) -> None:
        olean(self._out, name, ".key").write_text(self.wanted(name))


def _ahead(modules: Mapping[str, graph.Module], names: list[str]) -> dict[str, int]:
    """The bytes of source of the longest chain of imports from a module on, a measure of the time that it holds up."""
    ahead = dict.fromkeys(names, 0)
    for name in reversed(names):
        ahead[name] += modules[name].path.stat().st_size
        for wanted in modules[name].imports:
            if wanted in ahead:
                ahead[wanted] = max(ahead[wanted], ahead[name])
    return ahead


def compile_module(lean: WasmLean, module: graph.Module, out: Path, *, base: Path = LEAN) -> Result:
    """One module's oleans, moved into place only when Lean accepted the whole file and wrote them."""
    target = olean(out, module.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    # In the output folder, so that Lean can see it and the move is atomic; the name tells apart parallel builds.
    part = target.parent / f".part-{os.getpid()}-{target.stem}"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    try:
        source = os.path.relpath(module.path, base)
        result = lean.run([*OPTIONS, source, "-o", str(part / target.name)], path=[out], cwd=base)
        if result.ok and not (part / target.name).exists():
            return Result(1, result.messages, f"error: no olean of {module.name} was written")
        if result.ok:
            for suffix in SUFFIXES:
                made = part / target.with_suffix(suffix).name
                if made.exists():
                    os.replace(made, target.with_suffix(suffix))
        return result
    finally:
        shutil.rmtree(part, ignore_errors=True)


def build(
    lean: WasmLean,
    *,
    base: Path = LEAN,
    out: Path,
    only: Iterable[str] = (),
    incremental: bool = False,
    jobs: int = 2,
    say: Callable[[str], None] = print,
) -> Report:
    """Builds the library below `base` into `out`; `only` limits it to those modules and what they import."""
    start = time.monotonic()
    modules = graph.library(base)
    names = graph.order(modules)
    wanted = set().union(*(graph.reachable(modules, n) for n in only)) if only else set(names)
    unknown = [n for n in only if n not in modules]
    if unknown:
        raise graph.GraphError(f"no module {unknown[0]}")
    names = [n for n in names if n in wanted]
    record = _Record(modules, out, lean.toolchain)
    report = Report()
    with locked("build-" + hashlib.sha256(str(out).encode()).hexdigest()[:8]):
        if not incremental and not only:
            shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True, exist_ok=True)
        ahead = _ahead(modules, names)
        waiting, finished = sorted(names, key=lambda name: -ahead[name]), set[str]()
        running: dict[Future[tuple[Result, float]], str] = {}

        def job(name: str) -> tuple[Result, float]:
            began = time.monotonic()
            olean(out, name, ".key").unlink(missing_ok=True)
            return compile_module(lean, modules[name], out, base=base), time.monotonic() - began

        # A second process of Lean takes ten seconds to start, in which the first has compiled a few modules.
        jobs = jobs if len(names) > FEW else 1
        with ThreadPoolExecutor(jobs) as pool:
            while waiting or running:
                for name in list(waiting):
                    imports = modules[name].imports
                    if any(n in report.failed or n in report.skipped for n in imports):
                        waiting.remove(name)
                        report.skipped.append(name)
                    elif all(n in finished for n in imports):
                        if incremental and record.holds(name):
                            waiting.remove(name)
                            finished.add(name)
                            report.reused.append(name)
                        elif len(running) < jobs:
                            waiting.remove(name)
                            running[pool.submit(job, name)] = name
                if not running:
                    continue
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    name = running.pop(future)
                    result, took = future.result()
                    report.seconds[name] = took
                    if result.ok:
                        finished.add(name)
                        record.write(name)
                    else:
                        report.failed[name] = result.output
                    say(f"{'ok  ' if result.ok else 'FAIL'} {took:6.1f} s  {name}")
                    if result.output:
                        say(result.output)
    report.total = time.monotonic() - start
    return report
