"""Interrupted: one line, exit code 130, nothing half-written, nothing on stdout; no progress where no terminal is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from privref.cli import shared

SLOW = ("audit", "--example", "census2020-release", "--certificates", "c", "--output", "report.json")


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
def test_an_interrupt_leaves_no_trace(tmp_path: Path) -> None:
    # Its own session, so that the signal is the command's alone.
    running = subprocess.Popen(
        [sys.executable, "-m", "privref", *SLOW],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    # Interrupted once it computes, which is after its modules are loaded.
    while running.poll() is None and time.monotonic() < deadline and _cpu_seconds(running.pid) < 1.5:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert (running.returncode, out) == (130, "")
    assert err.split() == ["privref:", "interrupted"]
    assert list(tmp_path.iterdir()) == []


def _cpu_seconds(pid: int) -> float:
    """What a process has used; without /proc, enough."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 1e9
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError("full")])
def test_a_write_that_is_stopped_leaves_the_old_file(
    stop: BaseException | type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")

    def stopped(*arguments: object) -> None:
        raise stop

    monkeypatch.setattr(os, "replace", stopped)
    with pytest.raises((KeyboardInterrupt, shared.privref.InputError)):
        shared.write_file(path, "new", "--output")
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("report.json", "old")]


def test_nothing_but_the_report_is_on_stdout(tmp_path: Path) -> None:
    """A pipe is no terminal: no progress on stderr either, and JSON on stdout is JSON."""
    (tmp_path / "ledger.csv").write_text("epsilon,delta\n0.1,0\n")
    done = subprocess.run(
        [sys.executable, "-m", "privref", "audit", "ledger.csv", "--claim", "0.1,0", "--format", "json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stderr, done.stdout[0], done.stdout.rstrip()[-1]) == ("", "{", "}")
