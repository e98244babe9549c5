"""A fast judge for mutants of the kernel: ``python -m tests.mutants.kernel collect``, then ``judge`` and ``score``.

``collect`` runs tests/kernel once and keeps every question that the tests ask the kernel (a certificate to check, a
ledger or claim to read), with the answer and the lines of the kernel that it ran. ``judge`` forks a child for each
mutant, with the mutated function in the place of the kernel's (or all of it imported anew), and asks those questions
again that ran the mutated line. A mutant is caught if an answer changes. What outlives this ``python -m tests.mutants
judge kernel`` judges by the tests themselves; what outlives both is explained in survivors.json, or by a class of
``rules``. Run ``python -m tests.mutants record tests/kernel`` before, as it forgets all verdicts.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import io
import json
import os
import pickle
import random
import resource
import sys
import time
import types
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from . import campaign
from .__main__ import every, explained, results
from .operators import Mutant
from .rules import reason_of
from .runner import ROOT, SOURCES, ended_by_limit, limit, path_of

FOLDER = ROOT / ".mutants"
KERNEL = SOURCES / "privref" / "kernel"
#: The functions whose calls by the tests are questions, by module: of the kernel, or of a test that asks its numbers.
ASKED = {
    "certificate": ("check", "claim_of"),
    "record": ("read",),
    "pairs": ("mechanism",),
    "numbers": ("document", "number", "count", "shown", "total", "around"),
    "__main__": ("main",),
    "relations": ("relate",),
    "evidence": ("contradicts",),
    "tests.kernel.test_exact": ("answer",),
}
#: A question may take so many times its seconds, and so many more; questions of one mutant take at most so many.
_PATIENCE, _SECONDS_MORE, _BUDGET = 5, 3.0, 0.6
#: Seconds of one question.
_MOST_SECONDS = 4.0
_MEMORY = 3 * 2**30
#: The tests of claims on their border.
_BORDERS = "test_borders"
#: Letters of the reason of a refusal that have to stay.
_LETTERS = 40


@dataclass
class Question:
    """A call of the kernel: the function, its pickled arguments, the answer, its seconds, and the lines that it ran."""

    function: str
    arguments: bytes
    answer: tuple[str, str]
    seconds: float
    lines: set[tuple[str, int]]
    asked_by: str


def answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, str]:
    """Return what the kernel answers, or why it refuses; anything else that it raises is a crash."""
    try:
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
            found = function(*arguments)
        return "answered", repr(found) + said.getvalue()
    except Exception as error:
        if type(error).__name__ in ("Refused", "Malformed"):
            return type(error).__name__, str(error)[:_LETTERS]
        return "crashed", type(error).__name__


# -- collecting ---------------------------------------------------------------------------------------------------


class _Collector:
    """Notes the calls that the tests of the kernel make."""

    def __init__(self) -> None:
        self.questions: dict[tuple[str, bytes], str] = {}
        self.test = ""
        self.inside = False

    def wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if not self.inside:
                # What holds a ball, or nests too deep, cannot be kept; the tests ask it themselves.
                with contextlib.suppress(TypeError, pickle.PicklingError, AttributeError, RecursionError):
                    self.questions.setdefault((name, pickle.dumps(arguments)), self.test)
            self.inside, before = True, self.inside
            try:
                return function(*arguments)
            finally:
                self.inside = before

        return call

    def pytest_collection_finish(self) -> None:
        for module, names in ASKED.items():
            home = _module(module)
            for name in names:
                self.replace(getattr(home, name), self.wrapped(f"{module}.{name}", getattr(home, name)))

    def replace(self, before: object, after: object) -> None:
        """Give the tests, and those who ask by the package, the function that takes notes."""
        for other in list(sys.modules.values()):
            if isinstance(other, types.ModuleType) and other.__name__.startswith(("tests.kernel", "privref.kernel")):
                inside = other.__name__.startswith("privref.kernel.")
                for key, value in list(vars(other).items()):
                    if value is before and not inside:
                        setattr(other, key, after)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.test = item.nodeid


def collect(paths: Sequence[str]) -> list[Question]:
    """Run the tests of the kernel once; return what they ask."""
    collector = _Collector()
    options = ["-q", "--no-lean", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
    if pytest.main([*options, *paths], plugins=[collector]) != 0:
        raise RuntimeError("the tests are red on the code as it is")
    found = []
    for (name, arguments), test in collector.questions.items():
        question = Question(name, arguments, ("", ""), 0.0, set(), test)
        ask = _function(name)
        started = time.process_time()
        question.answer = answer(ask, pickle.loads(arguments))
        question.seconds = time.process_time() - started
        if question.seconds > _MOST_SECONDS or question.answer != answer(ask, pickle.loads(arguments)):
            continue
        question.lines = _traced(ask, pickle.loads(arguments))
        found.append(question)
    return found


def _function(name: str) -> Callable[..., Any]:
    module, function = name.rsplit(".", 1)
    found: Callable[..., Any] = getattr(_module(module), function)
    return found


def _module(name: str) -> types.ModuleType:
    return importlib.import_module(name if name.startswith("tests.") else f"privref.kernel.{name}")


def _traced(ask: Callable[..., Any], arguments: tuple[Any, ...]) -> set[tuple[str, int]]:
    """Return the lines of the kernel that a question runs."""
    lines: set[tuple[str, int]] = set()
    done: set[types.CodeType] = set()
    often: Counter[types.CodeType] = Counter()

    def line(frame: Any, event: str, _: Any) -> Any:
        lines.add((Path(frame.f_code.co_filename).stem, frame.f_lineno))
        often[frame.f_code] += 1
        if often[frame.f_code] > 20_000:  # a loop is not followed to its end
            done.add(frame.f_code)
            return None
        return line

    def call(frame: Any, event: str, _: Any) -> Any:
        own = frame.f_code.co_filename.startswith(str(KERNEL)) and frame.f_code not in done
        return line if own else None

    sys.settrace(call)
    try:
        answer(ask, arguments)
    finally:
        sys.settrace(None)
    return lines


# -- judging ------------------------------------------------------------------------------------------------------


class _Kernel:
    """The kernel as it is loaded, into which a child puts a mutant."""

    def __init__(self) -> None:
        names = [f"privref.kernel.{path.stem}" for path in KERNEL.glob("*.py") if path.stem != "__init__"]
        for name in names:
            importlib.import_module(name)
        sources = {**{name: path_of(name) for name in names}, "privref.kernel": KERNEL / "__init__.py"}
        self.codes = {name: compile(path.read_text("utf-8"), str(path), "exec") for name, path in sources.items()}
        self.functions = campaign._live_functions()

    def put(self, mutant: Mutant, patches: campaign.Patches | campaign.Values | None) -> None:
        """Patch the mutated function; import the kernel anew where what changed runs at import."""
        if patches is not None:
            campaign._patch(mutant, patches, self.functions)
            return
        for name in [name for name in sys.modules if name.startswith(("privref.kernel", "tests.kernel.test_exact"))]:
            del sys.modules[name]
        changed = {**self.codes, mutant.module: compile(mutant.tree, str(path_of(mutant.module)), "exec")}
        sys.meta_path.insert(0, _Sources(changed))
        importlib.import_module("privref.kernel")


class _Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports modules from code objects."""

    def __init__(self, codes: dict[str, types.CodeType]) -> None:
        self.codes = codes

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.codes:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=name == "privref.kernel")

    def exec_module(self, module: types.ModuleType) -> None:
        exec(self.codes[module.__name__], module.__dict__)


def chosen(mutant: Mutant, questions: Sequence[Question], eager: Counter[int]) -> list[int]:
    """Return the questions that run a mutant's line (all, of what runs at import): those that caught others first."""
    place = mutant.module.rsplit(".", 1)[1], mutant.line
    ran = [i for i, question in enumerate(questions) if place in question.lines] or list(range(len(questions)))
    # What caught others, then claims on their border, then what is quick.
    ran.sort(
        key=lambda i: (
            -eager[i] if questions[i].seconds < 0.05 else 0,
            _BORDERS not in questions[i].asked_by,
            questions[i].seconds,
        )
    )
    found, spent = [], 0.0
    for i in ran:
        if not found or spent + questions[i].seconds <= _BUDGET:
            found.append(i)
            spent += questions[i].seconds
    return found


def judge_one(mutant: Mutant, asked: Sequence[Question], kernel: _Kernel) -> tuple[str, int]:
    """Return what catches a mutant and the place of the question that did; empty for a survivor."""
    patches = campaign._patches(mutant) or campaign._values(mutant)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        sink = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(sink, descriptor)
        said = ["", -1]
        limit(_SECONDS_MORE + _PATIENCE * sum(question.seconds for question in asked))
        try:
            kernel.put(mutant, patches)
            said = list(_first_changed(asked))
        except BaseException as error:
            said = [f"not imported: {type(error).__name__}", -1]
        os.write(write, json.dumps(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read().decode()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) or not text:
        return ("time" if ended_by_limit(status) else "the child died"), -1
    verdict, place = json.loads(text)
    return verdict, place


def _first_changed(asked: Sequence[Question]) -> tuple[str, int]:
    reason = ("", -1)
    for i, question in enumerate(asked):
        found = answer(_function(question.function), pickle.loads(question.arguments))
        if found == question.answer:
            continue
        kind = f"{question.answer[0]} -> {found[0]}"
        if found[0] != question.answer[0] or found[0] == "answered":
            return f"{kind}: {question.asked_by}", i
        # Another reason for the same refusal catches a mutant only where nothing else does.
        reason = reason if reason[0] else (f"another reason: {question.asked_by}", i)
    return reason


def judge(todo: Sequence[Mutant], questions: Sequence[Question], kept: Path) -> None:
    """Judge each mutant, and keep the verdicts."""
    kernel = _Kernel()
    eager: Counter[int] = Counter()
    gc.collect()
    gc.freeze()
    caught = kept.with_name("verdicts.jsonl")
    with kept.open("a", encoding="utf-8") as file, caught.open("a", encoding="utf-8") as known:
        for mutant in todo:
            places = chosen(mutant, questions, eager)
            verdict, place = judge_one(mutant, [questions[i] for i in places], kernel)
            if place >= 0:
                eager[places[place]] += 1
            row = {"key": mutant.key, "module": mutant.module, "line": mutant.line, "verdict": verdict}
            file.write(json.dumps(row) + "\n")
            file.flush()
            if verdict:
                # So the tests need not judge it again.
                known.write(json.dumps(row) + "\n")


def score(todo: Sequence[Mutant], known: dict[str, dict[str, Any]], reasons: dict[str, str]) -> int:
    """Print how mutants were caught, and those that live and are not explained; return how many these are."""
    kinds: Counter[str] = Counter()
    alive = []
    for mutant in todo:
        if mutant.key not in known and not reason_of(mutant):
            kinds["not judged"] += 1
            continue
        verdict = known[mutant.key]["verdict"] if mutant.key in known else ""
        known_ = mutant.key in reasons or bool(reason_of(mutant))
        if not verdict and not known_:
            alive.append(mutant)
        kinds[verdict.partition(":")[0] or ("explained" if known_ else "alive")] += 1
    for kind, times in kinds.most_common():
        print(f"{times:5} {kind}")
    for mutant in alive:
        print(f"ALIVE {mutant.module.rsplit('.', 1)[1]}:{mutant.line}  {mutant.key}")
    return len(alive) + kinds["not judged"]


def questions_kept() -> list[Question]:
    """Return what ``collect`` kept."""
    found: list[Question] = pickle.loads((FOLDER / "kernel.pickle").read_bytes())
    return found


def main(arguments: list[str]) -> int:
    """Collect, judge or score."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants.kernel", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("collect", "judge", "score"))
    parser.add_argument("what", nargs="*", help="tests to collect from, or modules to judge; otherwise all")
    parser.add_argument("--again", action="store_true", help="judge also what was caught before")
    parser.add_argument("--alive", action="store_true", help="judge again what outlived the judge")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seed", type=int, default=0)
    chosen_ = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    if chosen_.command == "collect":
        found = collect(chosen_.what or [str(ROOT / "tests" / "kernel")])
        if chosen_.what and (FOLDER / "kernel.pickle").exists():
            found += [each for each in questions_kept() if not each.asked_by.startswith(tuple(chosen_.what))]
        (FOLDER / "kernel.pickle").write_bytes(pickle.dumps(found))
        print(f"{len(found)} questions, {sum(question.seconds for question in found):.0f} seconds")
        return 0
    kept = FOLDER / "kernel.jsonl"
    todo = every(chosen_.what or ["kernel"])
    known = {} if chosen_.again else results(kept)
    if chosen_.command == "judge":
        left = [m for m in todo if m.key not in known or (chosen_.alive and not known[m.key]["verdict"])]
        left = [m for m in left if not reason_of(m)]
        random.Random(chosen_.seed).shuffle(left)
        judge(left[: chosen_.limit], questions_kept(), kept)
    return min(score(todo, results(kept), explained()), 1)


if __name__ == "__main__":
    # Questions are pickled by the name of this module, not as part of ``__main__``.
    from tests.mutants import kernel

    sys.exit(kernel.main(sys.argv[1:]))
