"""Runs the checks against a mutant in a forked child that imports the mutated module in place of the real one."""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "reference"
#: A mutant that makes samples and proofs take more processor time than this, or the unit tests than that, is caught:
#: the checks take a small part of it on the code as it is.
SECONDS = 120
SECONDS_OF_TESTS = 1200
#: One that waits for something that does not come takes no processor time: it is caught after so many times as long.
_WAITING = 60


#: Modules are shared with the parent, so pytest cannot rewrite the assertions of plugins that it has imported.
_OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]


def limit(seconds: float) -> None:
    """End this process by a signal once it has used so many seconds of processor time from now, or waited far longer.

    Processor time, because another program that runs at the same time must not make a check fail.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, _WAITING * seconds)


def ended_by_limit(status: int) -> bool:
    """Whether a process of this ``waitpid`` status was ended by ``limit``."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)


def path_of(module: str) -> Path:
    """The file of a privref module."""
    return SOURCES / (module.replace(".", "/") + ".py")


class _Overlay(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, module: str, source: str | ast.Module) -> None:
        self.module, self.source = module, source

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        return importlib.util.spec_from_loader(name, self) if name == self.module else None

    def exec_module(self, module) -> None:  # type: ignore[no-untyped-def]
        module.__file__ = str(path_of(self.module))
        exec(compile(self.source, module.__file__, "exec"), module.__dict__)


def install(module: str, source: str | ast.Module) -> None:
    """From here on, importing ``module`` gives the mutant: all that stands on it is imported anew."""
    for name in [n for n in sys.modules if n.split(".")[0] in ("privref", "proofs", "tests", "conftest")]:
        if not name.startswith("tests.mutants"):
            del sys.modules[name]
    sys.meta_path.insert(0, _Overlay(module, source))


def _failing_check(module: str, tests: tuple[str, ...]) -> str:
    """The name of the first check that fails; empty where all pass."""
    from privref import catalogue
    from privref.statements.registry import evaluate, statements

    catalogue.load()
    registered = statements()
    own = {statement.id for statement in registered if statement.function.__module__ == module}
    samples = json.loads((ROOT / "tests" / "data" / "samples.json").read_text(encoding="utf-8"))["samples"]
    from fractions import Fraction

    # Samples and proofs of the module's own statements first: they are what usually bites.
    for sample in sorted(samples, key=lambda sample: sample["id"] not in own):
        answer = evaluate(sample["id"], sample["inputs"], digits=30)
        if sample["kind"] == "exact":
            if answer.value != sample["value"]:
                return f"sample of {sample['id']}"
        else:
            low, high = Fraction(sample["lower"]), Fraction(sample["upper"])
            unit = (high - low) * 2
            found = answer.enclosure
            if found is None or not (low - unit <= found.lower <= found.upper <= high + unit):
                return f"sample of {sample['id']}"
    from proofs import folders, harness

    for entry in sorted(folders.entries(), key=lambda entry: entry.id not in own):
        if entry.id in own:
            harness.prove(entry.proof)
    import pytest

    limit(SECONDS_OF_TESTS)
    for target in tests:
        if pytest.main([*_OPTIONS, str(ROOT / target)]) != 0:
            return f"tests in {target}"
    return ""


def tests_of(module: str) -> tuple[str, ...]:
    """The unit tests of a module's layer."""
    layer = ROOT / "tests" / module.split(".")[1]
    return (str(layer.relative_to(ROOT)),) if layer.is_dir() else ()


def caught_by(module: str, source: str, tests: tuple[str, ...] = ()) -> str:
    """What catches the mutant: a check's name, an exception's, "time"; empty for a survivor.

    Samples first, then the transcription proofs of the module's statements, then ``tests``.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        verdict = "the child died"
        try:
            with open(os.devnull, "w") as sink:
                os.dup2(sink.fileno(), 1)
                os.dup2(sink.fileno(), 2)
            limit(SECONDS)
            install(module, source)
            verdict = _failing_check(module, tests)
        except BaseException as error:
            verdict = f"{type(error).__name__}: {error}"
        os.write(write, verdict.encode()[:400])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        verdict = pipe.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "time" if ended_by_limit(status) else f"signal {os.WTERMSIG(status)}"
    return verdict


def warm_up() -> None:
    """Import what children share, so that a fork costs little."""
    for name in ("flint", "mpmath", "sympy", "pytest"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
