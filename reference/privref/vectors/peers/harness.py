"""Libraries behind the protocol of JSON lines: a process for each, limited in time and memory, judged like any other.

The messages are those of the schema ``harness.1``. A harness sees a case's inputs and never its answer. What it says it
gave the library instead (a noise 1/mu is rounded once more) has to be next to what it was sent.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import shlex
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from queue import SimpleQueue
from threading import Condition, Lock, Thread
from typing import Any

from privref.exact.errors import InputError, PrivrefError
from privref.exact.extras import install
from privref.ledger.documents import mismatches
from privref.statements.registry import Statement, statement

from ..answers import REFUSED, read_answer
from ..binary64 import at_binary64, inputs_binary64
from ..store import Vector, vectors
from .findings import PeerFinding
from .running import FUNCTION_SECONDS, CallOutcome, PeerRow, Truths, has_a_meaning, judged, total_rounds

VERSION = 1
#: After so many cases without an orderly reply a function is asked no further.
PATIENCE = 3
#: How much longer than its time of the processor a case may take in all, and what it may take on a busy machine.
_WAITING, _WAITING_SECONDS = 10, 120.0
#: Seconds of the processor in which a harness has to reply to its start, if a case may not take longer anyway.
_STARTING = 60.0
_LONGEST_REPLY = 1_000_000
#: How far what the library got may be from what it was sent, relative.
_NEXT_TO = Fraction(1, 2**40)
_POLL = 0.05
#: So few functions are not worth another process.
_LEAST_FUNCTIONS = 4
#: Held while a statement's cases are prepared, so that two threads do not do it twice.
_CASES = Lock()
#: A number as programs print a double. Whole numbers, fractions and hexadecimal doubles are exact.
_DECIMAL = re.compile(r"[+-]?\d*(\.\d*([eE][+-]?\d{1,4})?|[eE][+-]?\d{1,4})")


@dataclass(frozen=True, slots=True)
class HarnessLimits:
    """What one case may take: seconds of the processor (where the system counts them), and bytes of the process."""

    seconds: float = 20.0
    memory: int = 8 * 2**30


class HarnessError(Exception):
    """The harness did not reply, or not in order; it is stopped."""


def _limited(process: subprocess.Popen[bytes], memory: int) -> None:
    """Limit the process's own memory, where the system can (Linux)."""
    try:
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory, memory))
    except (ImportError, AttributeError, OSError):
        return


def _processor_seconds(pid: int) -> float:
    """Return what a process has used of the processor; the time of the clock where the system does not say it."""
    try:
        # Linux: the clock of a process has its complemented id in the upper bits, and 2 for "scheduled".
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, AttributeError, OverflowError):
        return time.monotonic()


class Harness:
    """One running harness; use it as a context, or call ``stop``."""

    def __init__(self, command: str, limits: HarnessLimits) -> None:
        self._command, self._limits = command, limits
        self._process: subprocess.Popen[bytes] | None = None
        self._seq = 0
        self._stopped = False
        #: Seconds of the processor that all cases took.
        self.spent = 0.0
        self.started = self._start()

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _start(self) -> dict[str, Any]:
        try:
            words = shlex.split(self._command)
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except (OSError, ValueError, IndexError) as error:
            raise InputError("--harness", self._command, f"give a command that can be run ({error})") from None
        _limited(self._process, self._limits.memory)
        try:
            # Libraries are loaded now, which counts for no case.
            spent = self.spent
            reply = self._exchange({"cmd": "start", "version": VERSION}, max(_STARTING, self._limits.seconds))
            self.spent = spent
        except HarnessError as error:
            raise InputError("--harness", self._command, f"it has to reply to the message start ({error})") from None
        if "functions" not in reply:
            self.stop()
            raise InputError("--harness", self._command, "its first reply has to list its functions")
        return reply

    def ask(self, function: str, case: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to one case; HarnessError where there is none. The harness is then started anew."""
        if self._stopped:
            raise HarnessError("the harness was stopped")
        if self._process is None:
            try:
                self._start()
            except InputError as error:
                raise HarnessError(f"it did not start again: {error.remedy}") from None
        self._seq += 1
        message = {"cmd": "run", "seq": self._seq, "function": function, "case": dict(case)}
        reply = self._exchange(message, self._limits.seconds)
        if reply.get("seq") != self._seq:
            self._kill()
            raise HarnessError("the reply is to another message")
        return reply

    def again(self, function: str, case: Mapping[str, Any], reply: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
        """Return lines that give the answer again, and their language: the harness's script, or its message."""
        if reply.get("script"):
            return tuple(reply["script"]), str(self.started["implementation"]["language"])
        message = json.dumps({"cmd": "run", "seq": 0, "function": function, "case": dict(case)})
        return (f"printf '%s\\n' {shlex.quote(message)} | {self._command}",), "shell"

    def row(
        self, offer: Mapping[str, str], findings: tuple[PeerFinding, ...], unasked: int = 0, seconds: float = 0.0
    ) -> PeerRow:
        """Return the findings on one of its functions as a row."""
        own, function = self.started["implementation"], offer["function"]
        of, part = (own["name"], own["version"], function, offer["statement"]), offer.get("part", function)
        return PeerRow(*of, findings, part, unasked, own["language"], seconds)

    def stop(self) -> None:
        """End the harness in order, and by force where it does not end; it is not started again."""
        self._stopped, process = True, self._process
        if process is None:
            return
        # ValueError: the thread that asks may have closed the pipe meanwhile, since its question failed.
        with contextlib.suppress(OSError, ValueError, subprocess.TimeoutExpired):
            assert process.stdin is not None
            process.stdin.write(b'{"cmd": "stop"}\n')
            process.stdin.close()
            process.wait(timeout=5)
        self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _exchange(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Write a message and read one line; where that fails the process is ended."""
        try:
            process = self._process
            assert process is not None
            assert process.stdin is not None
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            reply = json.loads(self._line(process, seconds))
            if mismatches(reply, "harness.1", "reply") or "cmd" in reply:
                raise HarnessError("the reply is none of the protocol")
        except (OSError, ValueError) as error:
            self._kill()
            raise HarnessError(f"the harness ended, or wrote no JSON ({type(error).__name__})") from None
        except HarnessError:
            self._kill()
            raise
        return dict(reply)

    def _line(self, process: subprocess.Popen[bytes], seconds: float) -> bytes:
        assert process.stdout is not None
        before, since, text = _processor_seconds(process.pid), time.monotonic(), b""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not text.endswith(b"\n"):
                if selector.select(_POLL):
                    part = os.read(process.stdout.fileno(), 65536)
                    if not part:
                        raise OSError("it ended")
                    text += part
                if len(text) > _LONGEST_REPLY:
                    raise HarnessError("the reply is too long")
                spent = _processor_seconds(process.pid) - before
                if spent > seconds or time.monotonic() - since > max(_WAITING * seconds, _WAITING_SECONDS):
                    raise HarnessError(f"no answer within {seconds:g} s")
        self.spent += _processor_seconds(process.pid) - before
        return text


def _outcome(reply: Mapping[str, Any]) -> CallOutcome | None:
    """Return what a reply says; None where the harness did not ask the library."""
    if "skipped" in reply:
        return None
    if "answer" not in reply:
        return CallOutcome(read_answer(REFUSED), str(reply.get("refused", reply.get("failed"))))
    try:
        text = reply["answer"]
        # Programs write the shortest decimal that names their double, which is not the double.
        return CallOutcome(read_answer(float(text) if _DECIMAL.fullmatch(text) else text))
    except (InputError, ValueError):
        return CallOutcome(read_answer(REFUSED), f"unreadable answer: {reply['answer']!r:.100}")


def _beside(sent: Any, got: Any) -> bool:
    """Whether what the library got is next to what it was sent, number by number."""
    if isinstance(sent, tuple) and isinstance(got, tuple):
        return len(sent) == len(got) and all(map(_beside, sent, got))
    if isinstance(sent, Fraction) and isinstance(got, Fraction):
        return abs(sent - got) <= _NEXT_TO * abs(sent)
    return bool(sent == got)


def _judgeable(found: Statement, vector: Vector, reply: Mapping[str, Any], truths: Truths) -> Vector | None:
    """Return the vector at what the library really got; None where no answer is known there."""
    if "given" not in reply or "refused" in vector.expected:
        return vector
    sent = found.read(vector.inputs)
    try:
        got = found.read({**vector.inputs, **reply["given"]})
    except InputError as error:
        raise HarnessError(f"`given` cannot be read: {error}") from None
    if any(not _beside(sent[name], got[name]) for name in sent):
        raise HarnessError("`given` is not next to what was sent")
    at = truths.at(found, got, vectors().get(vector.id, vector))
    return None if at is None else replace(at, flags=vector.flags, comment=vector.comment)


def message_of(vector: Vector, bits: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a harness is sent of a case: everything but the answer."""
    names = {"id": vector.id, "statement": vector.statement, "quantity": vector.quantity}
    return names | {"inputs": dict(vector.inputs), "inputs_binary64": bits}


@cache
def _prepared(id: str) -> list[tuple[Vector, dict[str, Any]]]:
    found = statement(id)
    cases = []
    for vector in vectors().values():
        if vector.statement != id or ("refused" in vector.expected and has_a_meaning(vector)):
            continue
        at = at_binary64(vector)
        message = message_of(vector, None if at is None else inputs_binary64(vector))
        rounds = 0 if "refused" in vector.expected else total_rounds(found.read(vector.inputs))
        cases.append((rounds, at or vector, message))
    return [(vector, message) for _, vector, message in sorted(cases, key=lambda entry: entry[0])]


def cases(id: str) -> list[tuple[Vector, dict[str, Any]]]:
    """Return the statement's vectors as they are judged, with the message of each; those of few rounds first."""
    with _CASES:
        return _prepared(id)


@dataclass
class _Library:
    """A command, and the functions that nobody asks yet: None where it was not started."""

    command: str
    offers: deque[tuple[Mapping[str, str], Statement]] | None = None
    taken: bool = False


class _Run:
    """Libraries that are asked by several threads, each with one process of the library that it is at."""

    def __init__(
        self,
        commands: Iterable[str],
        statements: tuple[str, ...],
        limits: HarnessLimits | None,
        seconds: float,
        truths: Truths,
    ) -> None:
        self._libraries = [_Library(command) for command in commands]
        self._statements, self._limits = statements, limits or HarnessLimits()
        self._seconds, self._truths = seconds, truths
        self._changed, self._ended = Condition(), False
        self._running: set[Harness] = set()
        self._done: SimpleQueue[PeerRow | BaseException | None] = SimpleQueue()

    def rows(self, workers: int) -> Iterator[PeerRow]:
        """Each row as it is done; the first error ends the run."""
        crew = [Thread(target=self._work, daemon=True) for _ in range(workers)]
        for thread in crew:
            thread.start()
        try:
            for _ in crew:
                while (found := self._done.get()) is not None:
                    if isinstance(found, BaseException):
                        raise found
                    yield found
        finally:
            # Where nobody asks for further rows, nothing goes on.
            with self._changed:
                self._ended = True
                self._changed.notify_all()
                running = [*self._running]
            for harness in running:
                harness.stop()
            for thread in crew:
                thread.join()

    def _work(self) -> None:
        try:
            while (library := self._next()) is not None:
                self._ask(library)
        except BaseException as error:
            self._done.put(error)
        self._done.put(None)

    def _next(self) -> _Library | None:
        """A library that nobody is at, or else the one with most functions left, if they are worth another process."""
        with self._changed:
            while not self._ended:
                for library in self._libraries:
                    if not library.taken:
                        library.taken = True
                        return library
                most = max(self._libraries, key=lambda library: len(library.offers or ()), default=None)
                if most is not None and len(most.offers or ()) >= _LEAST_FUNCTIONS:
                    return most
                if all(library.offers is not None for library in self._libraries):
                    return None
                self._changed.wait()
        return None

    def _ask(self, library: _Library) -> None:
        with Harness(library.command, self._limits) as harness:
            with self._changed:
                self._running.add(harness)
                if library.offers is None:
                    library.offers = deque(
                        (offer, _registered(offer["statement"]))
                        for offer in harness.started["functions"]
                        if not self._statements or offer["statement"] in self._statements
                    )
                self._changed.notify_all()
            while not self._ended:
                with self._changed:
                    if not library.offers:
                        break
                    offered = library.offers.popleft()
                self._done.put(_row(harness, *offered, self._truths, self._seconds))
        with self._changed:
            self._running.discard(harness)


def _registered(id: str) -> Statement:
    """Return the statement that a harness names; InputError where there is none."""
    try:
        return statement(id)
    except PrivrefError:
        raise InputError("--harness", id, "no statement has this id; `privref vectors list` shows them") from None


def _row(harness: Harness, offer: Mapping[str, str], found: Statement, truths: Truths, seconds: float) -> PeerRow:
    """Ask one function of a harness all vectors of its statement."""
    before = harness.spent
    findings, unasked = _all_asked(harness, offer, found, cases(found.id), truths, seconds)
    return harness.row(offer, tuple(findings), unasked, harness.spent - before)


def asked(
    harness: Harness,
    offer: Mapping[str, str],
    found: Statement,
    vector: Vector,
    message: Mapping[str, Any],
    truths: Truths,
) -> tuple[PeerFinding | None, bool]:
    """Return the finding on a case (None where the library was not asked), and whether the harness replied in order."""
    try:
        reply = harness.ask(offer["function"], message)
        outcome = _outcome(reply)
        at = None if outcome is None else _judgeable(found, vector, reply, truths)
    except HarnessError as error:
        lines, script = harness.again(offer["function"], message, {})
        return judged(vector, CallOutcome(read_answer(REFUSED), str(error)), lines, "", script), False
    if outcome is None or at is None:
        return None, True
    lines, script = harness.again(offer["function"], message, reply)
    return judged(at, outcome, lines, offer.get("note", ""), script), True


def _all_asked(
    harness: Harness,
    offer: Mapping[str, str],
    found: Statement,
    cases: list[tuple[Vector, dict[str, Any]]],
    truths: Truths,
    seconds: float,
) -> tuple[list[PeerFinding], int]:
    """Return the findings on one function, and how many cases it was not asked."""
    findings: list[PeerFinding] = []
    failures, end = 0, harness.spent + seconds
    for place, (vector, message) in enumerate(cases):
        if harness.spent > end or failures == PATIENCE:
            return findings, len(cases) - place
        finding, replied = asked(harness, offer, found, vector, message, truths)
        failures += not replied
        if finding is not None:
            findings.append(finding)
    return findings, 0


def run_harnesses(
    commands: Iterable[str],
    *,
    statements: tuple[str, ...] = (),
    limits: HarnessLimits | None = None,
    seconds: float = FUNCTION_SECONDS,
    every_case: bool = False,
    truths: Truths | None = None,
    workers: int = 1,
) -> Iterator[PeerRow]:
    """Ask harnesses all vectors of their statements (or of some), one row for each function, as it is done.

    A function that has taken ``seconds`` is asked no further, unless ``every_case`` is given; nor is one that failed to
    reply PATIENCE times. Several ``workers`` are at as many libraries; where none is left to start, they share the
    functions of another one. InputError for a command that is not a harness.
    """
    run = _Run(commands, statements, limits, float("inf") if every_case else seconds, truths or Truths())
    yield from run.rows(workers)


def harness_folder() -> Path:
    """Return where the harnesses of known libraries are: in the installed package, or alongside it in the sources."""
    package = Path(str(files("privref")))
    installed = package / "vectors" / "harnesses"
    return installed if installed.is_dir() else package.parent / "vectors" / "harnesses"


def peer_names() -> tuple[str, ...]:
    """Return the names of the libraries that have a harness here."""
    paths = harness_folder().glob("with_*.py")
    return tuple(sorted(path.stem.removeprefix("with_").replace("_", "-") for path in paths))


def peer_commands(only: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the commands that start the harnesses of the libraries installed in this environment, or of some of them.

    InputError for a library that has no harness, or that is asked for and not installed.
    """
    wanted = {re.sub(r"[-_.]+", "-", name).lower(): name for name in only}
    known = peer_names()
    for name, given in wanted.items():
        if name not in known:
            raise InputError("only", given, f"unknown library; give one of {', '.join(known)}")
    found = []
    for name in known:
        try:
            version(name)
        except PackageNotFoundError:
            if name in wanted:
                problem = f"this library is not installed: {install('peers')}"
                raise InputError("only", wanted[name], problem) from None
            continue
        if not wanted or name in wanted:
            path = harness_folder() / f"with_{name.replace('-', '_')}.py"
            found.append(shlex.join([sys.executable, str(path)]))
    if not found:
        raise InputError("peers", "(not installed)", f"none of these libraries is here: {install('peers')}")
    return tuple(found)
