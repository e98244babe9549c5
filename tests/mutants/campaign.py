"""Judges many mutants with the suite's own tests: one collected pytest session, a forked child for each mutant.

In a child the mutated function's code takes the place of the original's, so nothing is imported again. A mutant of
what runs at import (constants, defaults, decorators) has nothing to patch: it is judged by the overlay of ``runner``.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import importlib
import inspect
import os
import resource
import sys
import types
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any, NamedTuple

import pytest

from .operators import Mutant
from .recorder import Record
from .runner import ROOT, SOURCES, ended_by_limit, install, limit, path_of

#: A test may take this many times what it takes on the code as it is, and this much more; beyond, the mutant is caught.
_PATIENCE, _SECONDS_MORE = 6, 20
#: A test of fewer seconds is tried before it is chosen by merit.
_QUICK = 0.05
#: What is imported anew is judged by the tests of this many files.
_FILES = 4
#: Bytes of address space of a child: a mutant that wants more is caught.
_MEMORY = 12 * 2**30

Verdict = Callable[[Mutant, str], None]
#: The code of functions, and what takes its place: of an outermost one, and of closures that it may have made before.
Patches = list[tuple[types.CodeType, types.CodeType]]


Inside = tuple[types.CodeType, ...]


class Values(NamedTuple):
    """A name of a module and what it is now; or a function's name, the place of a default and what that is now."""

    name: str
    parameter: int | None
    expression: ast.expr


def judges(mutant: Mutant, record: Record, budget: float, eager: Set[str] = frozenset()) -> list[str]:
    """The tests that judge a mutant, until ``budget`` seconds are full: the ``eager``, those of its mirror, quick ones.

    Those that run the line; for a line that runs at import, those that run anything in the file.
    """
    lines = record.lines.get(str(path_of(mutant.module).relative_to(ROOT)), {})
    found = set(lines.get(mutant.line, ())) or {test for tests in lines.values() for test in tests}
    _, layer, name = mutant.module.split(".", 2)
    mirror = f"tests/{layer}/test_{name}"
    ordered = sorted(
        found,
        key=lambda test: (
            test not in eager and record.seconds[test] > _QUICK,
            not test.startswith(mirror),
            record.seconds[test],
            test,
        ),
    )
    chosen, spent = [], 0.0
    for test in ordered:
        if chosen and spent + record.seconds[test] > budget:
            continue
        chosen.append(test)
        spent += record.seconds[test]
    return chosen


def _codes(code: types.CodeType, outer: Inside = ()) -> Iterator[tuple[types.CodeType, Inside]]:
    """Every code object with the functions that it is part of, the outermost first and itself last; none for bodies."""
    inside = (*outer, code) if outer or code.co_flags & inspect.CO_OPTIMIZED else ()
    yield code, inside
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant, inside)


def _own(code: types.CodeType) -> tuple[Any, ...]:
    """What a code object is without the code objects in it; 1 and True, 0 and -0.0 apart."""
    constants = tuple(repr(c) for c in code.co_consts if not isinstance(c, types.CodeType))
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars


@functools.lru_cache(maxsize=32)
def _compiled(source: str, path: str) -> types.CodeType:
    return compile(ast.parse(source), path, "exec")


def _patches(mutant: Mutant) -> Patches | None:
    """What to patch; None where the change runs at import."""
    path = path_of(mutant.module)
    before = _compiled(mutant.original, str(path))
    after = compile(mutant.tree, str(path), "exec")
    found: Patches = []
    for (old, old_inside), (new, inside) in zip(_codes(before), _codes(after), strict=True):
        if _own(old) != _own(new):
            # A comprehension in a body has run when it is imported.
            if not inside or (inside[0].co_name.startswith("<") and inside[0].co_name != "<lambda>"):
                return None
            found += zip(old_inside, inside, strict=True)
    return found or None


def _values(mutant: Mutant) -> Values | None:
    """The expression that changes, where it is all of what a name of the module or a parameter's default is."""
    before, after = ast.parse(mutant.original), mutant.tree
    for old, new in zip(before.body, after.body, strict=True):
        if ast.dump(old) == ast.dump(new):
            continue
        if isinstance(new, ast.Assign | ast.AnnAssign) and new.value is not None:
            target = new.targets[0] if isinstance(new, ast.Assign) else new.target
            return Values(target.id, None, new.value) if isinstance(target, ast.Name) else None
        if isinstance(old, ast.FunctionDef) and isinstance(new, ast.FunctionDef):
            if ast.dump(old.args) == ast.dump(new.args):
                return None
            kept, changed = old.args.defaults, new.args.defaults
            for i, (was, default) in enumerate(zip(kept, changed, strict=True)):
                if ast.dump(was) != ast.dump(default):
                    return Values(new.name, i, default)
        return None
    return None


def _set(mutant: Mutant, values: Values) -> None:
    """Give the name its changed value in the module and wherever it was imported to, or the parameter its default."""
    module = importlib.import_module(mutant.module)
    value = eval(compile(ast.Expression(values.expression), "<mutant>", "eval"), vars(module))
    if values.parameter is not None:
        function = inspect.unwrap(getattr(module, values.name))
        defaults = list(function.__defaults__)
        defaults[values.parameter] = value
        function.__defaults__ = tuple(defaults)
        return
    before = getattr(module, values.name)
    for other in list(sys.modules.values()):
        if isinstance(other, types.ModuleType) and other.__dict__.get(values.name, mutant) is before:
            other.__dict__[values.name] = value


def _live_functions() -> dict[tuple[str, str, int], list[types.FunctionType]]:
    """The package's functions by file, qualified name and first line."""
    found: dict[tuple[str, str, int], list[types.FunctionType]] = {}
    gc.unfreeze()  # what the session has frozen (tests/conftest.py) is not among the objects
    for function in gc.get_objects():
        if isinstance(function, types.FunctionType) and function.__code__.co_filename.startswith(str(SOURCES)):
            code = function.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(function)
    return found


def _patch(mutant: Mutant, patches: Patches | Values, functions: dict[tuple[str, str, int], list[Any]]) -> None:
    if isinstance(patches, Values):
        _set(mutant, patches)
        return
    for old, new in patches:
        for function in functions.get((str(path_of(mutant.module)), old.co_qualname, old.co_firstlineno), ()):
            # Two lambdas of one line are told apart by what they do.
            if _own(function.__code__) == _own(old):
                function.__code__ = new


class _Child:
    """Tells the parent which test failed, and ends the child."""

    def __init__(self, write: int) -> None:
        self.write = write

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.end(report.nodeid)

    def end(self, verdict: str) -> None:
        os.write(self.write, verdict.encode()[:400])
        os._exit(0)


def _forked(work: Callable[[_Child], None]) -> str:
    """What a child says: a test, "time", "memory", or empty where every test passed."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        child = _Child(write)
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        sink = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(sink, descriptor)
        try:
            work(child)
            child.end("")
        except BaseException as error:
            child.end(f"harness: {type(error).__name__}: {error}")
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        verdict = pipe.read().decode(errors="replace")
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return "time" if ended_by_limit(status) else f"signal {os.WTERMSIG(status)}"
    return verdict


class _Session:
    """Takes over the loop of a collected session."""

    def __init__(
        self, todo: Sequence[tuple[Mutant, Patches | Values]], record: Record, budget: float, tell: Verdict
    ) -> None:
        self.todo, self.record, self.budget, self.tell = todo, record, budget, tell

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for module in {mutant.module for mutant, _ in self.todo}:
            importlib.import_module(module)
        self.functions = _live_functions()
        gc.collect()
        gc.freeze()  # children collect their own garbage only, and so share the parent's pages
        caught: dict[str, set[str]] = {}
        for mutant, patches in self.todo:
            eager = caught.setdefault(mutant.module, set())
            chosen = [items[test] for test in judges(mutant, self.record, self.budget, eager) if test in items]
            verdict = _forked(functools.partial(self._judge, mutant, patches, chosen)) if chosen else ""
            eager.update({verdict} & items.keys())
            self.tell(mutant, verdict)
        return True

    def _judge(
        self,
        mutant: Mutant,
        patches: Patches | Values,
        chosen: list[pytest.Item],
        child: _Child,
    ) -> None:
        _patch(mutant, patches, self.functions)
        manager = chosen[0].config.pluginmanager
        manager.register(child)
        for item, following in zip(chosen, [*chosen[1:], None], strict=True):
            limit(_SECONDS_MORE + _PATIENCE * self.record.seconds[item.nodeid])
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _afresh(mutant: Mutant, record: Record, budget: float, child: _Child) -> None:
    """Judge a mutant of what runs at import: everything is imported anew, the mutated module through the overlay."""
    chosen = judges(mutant, record, budget)
    files = list(dict.fromkeys(test.split("::")[0] for test in chosen))[:_FILES]
    chosen = [test for test in chosen if test.split("::")[0] in files]
    limit(_SECONDS_MORE * 3 + _PATIENCE * sum(record.seconds[test] for test in chosen))
    install(mutant.module, mutant.tree)
    code = pytest.main([*_OPTIONS, *dict.fromkeys(str(ROOT / test.split("[")[0]) for test in chosen)], plugins=[child])
    if code == pytest.ExitCode.INTERRUPTED:
        child.end("the tests cannot be imported")
    if code != pytest.ExitCode.OK:
        raise RuntimeError(f"pytest ended with {code}")


_OPTIONS = ["-q", "-x", "--no-lean", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]


def alibis(tests: Sequence[str], record: Record) -> list[str]:
    """Those of the tests that fail alone on the code as it is: what they caught proves nothing."""
    guilty: list[str] = []

    class Alone:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            items = {item.nodeid: item for item in session.items}
            for test in tests:

                def alone(child: _Child, item: pytest.Item = items[test]) -> None:
                    item.config.pluginmanager.register(child)
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

                if _forked(alone):
                    guilty.append(test)
            return True

    if tests:
        _quietly(sorted({str(ROOT / test.split("::")[0]) for test in tests}), Alone())
    return guilty


def run(todo: Sequence[Mutant], record: Record, budget: float, tell: Verdict) -> None:
    """Judge every mutant and tell each verdict; those without a test that runs them survive."""
    os.chdir(ROOT)
    patched = [(mutant, _patches(mutant) or _values(mutant)) for mutant in todo]
    at_import = [mutant for mutant, patches in patched if patches is None]
    # In a child of its own: the overlay needs a parent that has not imported the package.
    pid = os.fork()
    if pid == 0:
        live = [(mutant, patches) for mutant, patches in patched if patches is not None]
        try:
            if live:
                files = sorted({str(ROOT / test.split("::")[0]) for test in record.seconds})
                _quietly(files, _Session(live, record, budget, tell))
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    for mutant in at_import:
        ran = bool(judges(mutant, record, 0))
        tell(mutant, _forked(functools.partial(_afresh, mutant, record, budget)) if ran else "")
    if status:
        raise RuntimeError("the session died")


def _quietly(files: Sequence[str], plugin: object) -> None:
    with open(os.devnull, "w") as sink, contextlib.redirect_stdout(sink):
        code = pytest.main([*_OPTIONS, *files], plugins=[plugin])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"pytest ended with {code}")


def shards(todo: Sequence[Mutant], jobs: int, work: Callable[[Sequence[Mutant]], None]) -> None:
    """Do the work in ``jobs`` forked processes."""
    pids = []
    for i in range(jobs):
        pid = os.fork()
        if pid == 0:
            try:
                work(todo[i::jobs])
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
                os._exit(1)
            os._exit(0)
        pids.append(pid)
    if any(os.waitpid(pid, 0)[1] for pid in pids):
        raise RuntimeError("a part of the campaign died")
