"""Interrupted: one line, exit code 130, nothing half-written, nothing on stdout; no progress where no terminal is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import privref
from privref.cli import shared

AUDIT = ("audit", "../ledger.json", "--claim", "2.3,1e-6", "--certificates", "c", "--output", "report.json")
LEDGER = {
    "schema": "ledger.1", "title": "a survey", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
    "events": [
        {"mechanism": {"kind": "gaussian", "sigma": "7/2", "sensitivity": "1"}},
        {"count": 17, "guarantee": {"kind": "pure-dp", "epsilon": "0.1"}},
    ],
}  # fmt: skip

posix = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")

#: Runs the command, and interrupts it when it calls a function for the n-th time: at a point of the computation, which
#: does not depend on how fast the machine is.
DRIVER = """
import os, signal, sys
from pathlib import Path
file, function, left = sys.argv[1], sys.argv[2], int(sys.argv[3])

def watch(frame, event, argument):
    global left
    code = frame.f_code
    if event == "call" and code.co_name == function and Path(code.co_filename).as_posix().endswith(file):
        left -= 1
        if left == 0:
            sys.setprofile(None)
            os.kill(os.getpid(), signal.SIGINT)

from privref.cli.main import main
# A shell that starts jobs in the background has them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.setprofile(watch)
main(sys.argv[4:])
"""


def interrupted(folder: Path, file: str, function: str, call: int, *, said: bool = False) -> None:
    """Run the audit in a folder and interrupt it at that call; a point that is not reached fails.

    The report is printed whole, before files are written, or not at all.
    """
    folder.mkdir()
    (folder.parent / "ledger.json").write_text(json.dumps(LEDGER))
    command = [sys.executable, "-c", DRIVER, f"privref/{file}", function, str(call), *AUDIT]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, bool(done.stdout)) == (130, said), done.stderr
    assert not said or "1 of 1 confirmed" in done.stdout.splitlines()[-1]
    assert done.stderr.split() == ["privref:", "interrupted"]


@posix
@pytest.mark.parametrize(
    ("file", "function", "call"),
    [
        ("ledger/reading.py", "ledger_from_document", 1),
        ("audit/run.py", "audit", 1),
        ("exact/decide.py", "enclose", 1),
        ("exact/interval.py", "exp", 1),
        ("exact/interval.py", "exp", 100),
        ("report/documents.py", "audit_document", 1),
        ("cli/shared.py", "write_all", 1),
    ],
)
def test_an_interrupt_leaves_no_trace(file: str, function: str, call: int, tmp_path: Path) -> None:
    """Interrupted as it reads, as it computes, and before it writes."""
    interrupted(tmp_path / "run", file, function, call, said=function == "write_all")
    assert list((tmp_path / "run").iterdir()) == []


@posix
@pytest.mark.parametrize(("call", "written"), [(1, []), (2, ["claim.json"])])
def test_an_interrupt_between_two_files_leaves_whole_ones(call: int, written: list[str], tmp_path: Path) -> None:
    """The certificate is written first, then the report; neither is ever there in part."""
    interrupted(tmp_path / "run", "ledger/writing.py", "write_whole", call, said=True)
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert [path.name for path in files] == written
    for path in files:
        assert privref.verify(json.loads(path.read_text())).outcome == "verified"


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
