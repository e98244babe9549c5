"""Every stored bug of a library, run again where that version is installed."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest

from privref.vectors.answers import read_answer
from privref.vectors.judge import judge
from privref.vectors.peers.harness import harness_folder
from privref.vectors.store import vectors

BUGS = [(vector, bug) for vector in vectors().values() for bug in vector.known_bugs]


def test_four_libraries_have_stored_bugs() -> None:
    """The vectors hold what was found."""
    assert len({bug["peer"] for _, bug in BUGS}) >= 4
    assert all("known-bug" in vector.flags for vector, _ in BUGS)


@pytest.mark.parametrize(("vector", "bug"), BUGS, ids=lambda value: value.id if hasattr(value, "id") else value["peer"])
def test_what_was_reported_is_unsound(vector, bug) -> None:
    """By the judge, on the stored answer."""
    reported = bug["reported"]
    number = reported not in ("CONT", "nan")
    assert judge(vector, read_answer(float(reported) if number else reported)).verdict == "unsound"


@pytest.mark.parametrize(("vector", "bug"), BUGS, ids=lambda value: value.id if hasattr(value, "id") else value["peer"])
def test_reproductions_reproduce(vector, bug) -> None:
    """At most five lines, whose last gives an unsound answer in the version that is named."""
    assert len(bug["reproduction"]) <= 5
    try:
        version = importlib.metadata.version(bug["peer"])
    except importlib.metadata.PackageNotFoundError:
        version = ""
    if version != bug["version"]:
        pytest.skip(f"{bug['peer']} {bug['version']} is not installed")
    *lines, last = bug["reproduction"]
    # In the harness's own folder and process, which loads what the library lacks.
    stem = f"with_{bug['peer'].replace('-', '_')}"
    text = "\n".join([f"import {stem}", *lines, f"answer = {last}", "print(answer)"])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", text], capture_output=True, text=True, cwd=harness_folder(), check=False
    )
    assert done.returncode == 0, done.stderr
    answer = done.stdout.splitlines()[-1]
    reading = read_answer(answer if answer in ("CONT", "HALT", "nan") or "/" in answer else float(answer))
    assert judge(vector, reading).verdict == "unsound"
