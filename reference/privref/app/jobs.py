"""The audits that pages ask for: each in a folder and a process of its own, within limits, and stopped when left."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TextIO


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on uploads, on each process and on how many there are."""

    upload_bytes: int = 32 * 2**20
    """Of a whole request, with its file."""
    fields: int = 40
    """In one form."""
    body_seconds: float = 60.0
    """In which a request has to arrive."""
    read_seconds: float = 60.0
    audit_seconds: float = 900.0
    memory_bytes: int = 3 * 2**30
    """Of the address space of a process, where the system limits it (Linux)."""
    file_bytes: int = 256 * 2**20
    """Of a file that a process writes."""
    gone_seconds: float = 20.0
    """So long after the last page has asked for progress, the process is stopped."""
    working: int = 2
    """Processes at the same time."""
    jobs: int = 16
    """Audits that are kept; the oldest is removed for a new one."""
    claims: int = 20


JobState = Literal["new", "reading", "read", "auditing", "done", "refused", "stopped"]
#: What a process runs, with its folder behind it.
COMMAND = (sys.executable, "-P", "-m", "privref.app.worker")
#: How the folder of a server is called, and the file in it that the server holds locked while it lives.
_FOLDER, _ALIVE = "privref-app-", "alive"
#: A folder that is younger may be that of a server that is just starting.
_YOUNG_SECONDS = 60.0
#: How often a process is looked at, in seconds.
_PAUSE = 0.05
_WORKING: tuple[JobState, ...] = ("reading", "auditing")


class BusyError(Exception):
    """As many processes work as may at once."""


@dataclass(eq=False)
class Job:
    """One ledger on its way to verdicts; ``answer`` is what its last process said."""

    id: str
    folder: Path
    name: str
    state: JobState = "new"
    understood: dict[str, Any] = field(default_factory=dict)
    answer: dict[str, Any] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    """What the form of the questions said last."""
    refusals: list[str] = field(default_factory=list)
    why: str = ""
    began: float = 0.0
    seen: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def works(self) -> bool:
        return self.state in _WORKING

    @property
    def seconds(self) -> int:
        return int(time.monotonic() - self.began)

    @property
    def step(self) -> str:
        """What its process works at, in its own words."""
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / "progress").read_text(encoding="utf-8", errors="replace")[:200]
        return ""

    def touch(self) -> None:
        """Note that a page waits for it."""
        self.seen = time.monotonic()

    def file(self, name: str) -> Path | None:
        """Return a file that may be downloaded; None for any other name."""
        return self.folder / "out" / name if name in self.answer.get("files", ()) else None


def file_name(given: str) -> str:
    """Return a name for an uploaded file that is safe in a folder of its own, and close to what it was called."""
    base = re.split(r"[/\\]", given)[-1]
    kept = re.sub(r"[^\w .()-]+", "_", base).strip(". ")
    stem, dot, ending = kept.rpartition(".")
    return f"{(stem or 'ledger')[:60].strip()}{dot}{ending[:10]}" if dot else kept[:60] or "ledger"


class Jobs:
    """All jobs of one server; closing it stops them and removes their files."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        remove_left_behind(Path(tempfile.gettempdir()))
        self._root = tempfile.TemporaryDirectory(prefix=_FOLDER)
        self._alive = (self.folder / _ALIVE).open("w")
        _locks(self._alive)
        self._jobs: dict[str, Job] = {}
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """The folder of all files of this server, which only its user may read."""
        return Path(self._root.name)

    def __iter__(self) -> Iterator[Job]:
        return iter(list(self._jobs.values()))

    def get(self, id: str) -> Job | None:
        return self._jobs.get(id)

    def new(self, name: str) -> Job:
        """Return a new job with an empty folder; the oldest that does not work goes where there are too many."""
        with self._lock:
            idle = [job for job in self._jobs.values() if not job.works]
            if len(self._jobs) >= self.limits.jobs:
                if not idle:
                    raise BusyError
                self._remove(idle[0])
            id = secrets.token_urlsafe(9)
            job = Job(id, self.folder / id, file_name(name))
            (job.folder / "in").mkdir(parents=True)
            self._jobs[id] = job
            return job

    def remove(self, job: Job) -> None:
        """Stop a job and remove its files."""
        job.stop.set()
        with self._lock:
            self._remove(job)

    def _remove(self, job: Job) -> None:
        self._jobs.pop(job.id, None)
        if not job.works:
            shutil.rmtree(job.folder, ignore_errors=True)

    def start(self, job: Job, kind: Literal["read", "audit"], task: dict[str, Any]) -> None:
        """Begin a process for a job; BusyError where too many work."""
        limits = self.limits
        seconds = limits.read_seconds if kind == "read" else limits.audit_seconds
        task |= {
            "kind": kind,
            "name": job.name,
            "seconds": seconds,
            "memory_bytes": limits.memory_bytes,
            "file_bytes": limits.file_bytes,
        }
        with self._lock:
            if job.works or sum(other.works for other in self._jobs.values()) >= limits.working:
                raise BusyError
            shutil.rmtree(job.folder / "out", ignore_errors=True)
            for name in ("answer.json", "progress"):
                (job.folder / name).unlink(missing_ok=True)
            (job.folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
            job.answer, job.refusals, job.why = {}, [], ""
            job.stop.clear()
            job.began = job.seen = time.monotonic()
            job.state = "reading" if kind == "read" else "auditing"
        thread = threading.Thread(target=self._watch, args=(job, seconds), daemon=True)
        self._threads = [other for other in self._threads if other.is_alive()] + [thread]
        thread.start()

    def _watch(self, job: Job, seconds: float) -> None:
        """Run a job's process to its end; whatever goes wrong here, the job no longer counts as one that works."""
        try:
            self._run(job, seconds)
        except OSError as error:
            job.why, job.state = f"Its files could not be written or read ({error.strerror}).", "stopped"
        except BaseException:
            job.why, job.state = "It ended without an answer, by a fault of privref.", "stopped"
            raise
        finally:
            if job.id not in self._jobs:
                shutil.rmtree(job.folder, ignore_errors=True)

    def _run(self, job: Job, seconds: float) -> None:
        """Run a job's process to its end, or to that of its time, of its pages or of the server."""
        command = [*COMMAND, str(job.folder)]
        with (job.folder / "errors").open("wb") as errors:
            why = ""
            try:
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)
            except OSError as error:
                self._settle(job, f"No process could be started for it ({error.strerror}).")
                return
            try:
                while process.poll() is None and not why:
                    now = time.monotonic()
                    if job.stop.wait(_PAUSE):
                        why = "It was stopped, as asked."
                    elif now - job.began > seconds:
                        why = f"It took longer than {seconds:g} seconds, and was stopped."
                    elif now - job.seen > self.limits.gone_seconds:
                        why = "Its page was closed, so it was stopped."
            finally:
                process.kill()
                process.wait()
                if process.stdin is not None:
                    process.stdin.close()
        self._settle(job, why)

    def _settle(self, job: Job, why: str) -> None:
        """Take the answer of a process that has ended; without one there is no verdict."""
        path = job.folder / "answer.json"
        answer = json.loads(path.read_text(encoding="utf-8")) if path.is_file() and not why else {}
        if "refused" in answer:
            job.refusals = answer["refused"]
            job.state = "refused"
        elif answer.get("stopped") == "memory" or not answer:
            job.why = why or self._failed(job, answer)
            job.state = "stopped"
        elif job.state == "reading":
            job.understood, job.state = answer, "read"
        else:
            job.answer, job.state = answer, "done"

    def _failed(self, job: Job, answer: dict[str, Any]) -> str:
        last = (job.folder / "errors").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        # Where memory is short, even the answer that says so may not be written.
        if "stopped" in answer or last == ["MemoryError"]:
            return f"It needed more memory than {self.limits.memory_bytes // 2**20} MB, and was stopped."
        said = f" ({last[0][:200]})" if last else ""
        return f"Its process ended without an answer: too much time or memory, or a fault of privref{said}."

    def close(self) -> None:
        """Stop all processes and remove all files."""
        for job in self:
            job.stop.set()
        for thread in self._threads:
            thread.join()
        self._alive.close()
        self._root.cleanup()


def _locks(file: TextIO) -> bool:
    """Lock a file until it is closed; False where another process holds it."""
    try:
        import fcntl
    except ImportError:  # Windows: there an open file cannot be removed, which says the same
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def remove_left_behind(parent: Path) -> None:
    """Remove the folders of servers that were killed before they could remove them: sheets lie in them."""
    for folder in parent.glob(f"{_FOLDER}*"):
        alive = folder / _ALIVE
        with contextlib.suppress(OSError):  # of another user, just removed, or still open
            about = folder.lstat()
            old = time.time() - about.st_mtime > _YOUNG_SECONDS
            if not stat.S_ISDIR(about.st_mode) or not old or (hasattr(os, "getuid") and about.st_uid != os.getuid()):
                continue
            with alive.open("r") as file:
                is_left = _locks(file)
            if is_left:
                alive.unlink()
                shutil.rmtree(folder)
