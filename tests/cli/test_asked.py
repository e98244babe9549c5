"""What is asked of somebody at a terminal, and of nobody else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import privref

COMMAND = "import sys; from privref.cli.main import main; main(sys.argv[1:])"
SHEET = "release,epsilon\na,1\nb,1/2\n"


def at_a_terminal(answer: str, *arguments: str) -> tuple[int, str]:
    """Run a command at a pseudo-terminal on which somebody types, and return its exit code and what it shows."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", COMMAND, *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True) as process:
        os.close(theirs)
        # A terminal keeps what is typed before it is read.
        os.write(ours, f"{answer}\n".encode())
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the end of a pseudo-terminal on Linux
            pass
        code = process.wait()
    os.close(ours)
    return code, shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        ("yes", 0, "to say so without being asked: --parameters fixed-in-advance"),
        ("Y", 0, "to say so without being asked: --parameters fixed-in-advance"),
        ("no", 4, "to say so without being asked: --parameters chosen-adaptively"),
        ("", 4, "parameters not declared"),
    ],
)
def test_one_question_about_a_sheet(answer: str, code: int, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(SHEET)
    found, shown = at_a_terminal(answer, "audit", str(tmp_path / "a.csv"), "--claim", "1.5,0")
    assert "Were all privacy parameters fixed before the first release was seen?" in shown
    assert (found, words in shown) == (code, True)


SAMPLES = "mechanism,noise multiplier,rate,sampling,steps\ndp-sgd,2,0.01,poisson,100\n"
PARTS = "epsilon,part of county\n1,Kent\n1,Surrey\n"


@pytest.mark.parametrize(("sheet", "claim"), [(SAMPLES, "1,1e-5"), (PARTS, "1,0")])
def test_a_sheet_of_samples_or_parts_asks_who_the_neighbours_are(sheet: str, claim: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(sheet)
    asked = ("audit", str(tmp_path / "a.csv"), "--claim", claim)
    code, shown = at_a_terminal("yes\nadd", *asked)
    assert "What is done with the one record in which neighbouring data sets differ?" in shown
    assert (code, "to say so without being asked: --neighbours add-or-remove-one" in shown) == (0, True)
    said = subprocess.run([sys.executable, "-c", COMMAND, *asked], capture_output=True, text=True, check=False)
    words = " ".join(said.stdout.split())
    assert (said.returncode, "inapplicable" in words) == (4, True)
    assert "differ in one record that is added or removed? Then add --neighbours add-or-remove-one." in words
    assert " requires " not in words
    ledger = privref.ledger_from_csv(sheet, "t", neighbours="replace-one")
    assert not ledger.asks_for_neighbours


def test_who_has_said_it_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(SHEET)
    declared = ("--parameters", "fixed-in-advance")
    code, shown = at_a_terminal("", "audit", str(tmp_path / "a.csv"), "--claim", "1.5,0", *declared)
    assert (code, "Were all" in shown) == (0, False)


def test_nobody_is_asked_without_a_terminal(tmp_path: Path) -> None:
    """The option to add is said first, before any filter."""
    (tmp_path / "a.csv").write_text(SHEET)
    command = [sys.executable, "-c", COMMAND, "audit", str(tmp_path / "a.csv"), "--claim", "1.5,0"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    said = " ".join(done.stdout.split())
    assert done.returncode == 4
    assert (
        0
        < said.index("Then add --parameters fixed-in-advance.")
        < said.index("best bound")
        < said.index("filter enforced")
    )
    assert said.index("best bound") > said.index('declare "budget"')
    in_full = subprocess.run([*command, "-v"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert "Then add --parameters fixed-in-advance." in " ".join(in_full.stdout.split())
    assert not done.stderr
