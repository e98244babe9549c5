"""The campaign tells mutants that a test catches from those that live, whichever way it puts the mutant in place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .__main__ import every, results
from .recorder import Record
from .runner import ROOT, path_of

SAMPLES = "tests/adaptive/test_samples.py"
BLIND = "tests/exact/test_rounding.py::test_the_least_positive_double_bounds_tiny_values"

pytestmark = pytest.mark.xdist_group("campaign")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """One command, in the project."""
    return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def sample_of_advanced_composition() -> str:
    """The test that reproduces a sample of rogers2016/thm2.10.eps_g."""
    found = run("pytest", "--collect-only", "-q", SAMPLES).stdout.splitlines()
    return next(line for line in found if "rogers2016/thm2.10.eps_g" in line)


def judged(folder: Path, module: str, test: str) -> dict[str, str]:
    """The verdicts on a module's mutants by operator, before and after, where one test runs every line."""
    source = path_of(module)
    lines = {line: [test] for line in range(1, len(source.read_text(encoding="utf-8").splitlines()) + 1)}
    Record({test: 0.5}, {str(source.relative_to(ROOT)): lines}).write(folder / "record.json")
    done = run("tests.mutants", "judge", module, "--folder", str(folder), "--jobs", "1")
    assert done.returncode == 1, done.stderr
    found = results(folder / "verdicts.jsonl")
    assert found.keys() == {mutant.key for mutant in every([module])}
    return {key.split(".", 3)[3]: row["verdict"] for key, row in found.items()}


def test_a_formula_is_patched_in_place(tmp_path: Path, sample_of_advanced_composition: str) -> None:
    """The sample of advanced composition catches its constants and not those of equation (2)."""
    found = judged(tmp_path, "privref.composition.basic", sample_of_advanced_composition)
    assert found["advanced_eps | literal+1 | 2 -> 3"] == sample_of_advanced_composition
    assert found["advanced_eps | arithmetic | 1 / delta_hat -> 1 * delta_hat"]
    assert found["advanced_heterogeneous_eps | literal+1 | 2 -> 3"] == ""


def test_a_test_that_looks_elsewhere_catches_nothing(tmp_path: Path) -> None:
    """Every mutant lives under a test of something else."""
    assert set(judged(tmp_path, "privref.composition.basic", BLIND).values()) == {""}


@pytest.mark.exhaustive
def test_constants_and_what_runs_at_import(tmp_path: Path, sample_of_advanced_composition: str) -> None:
    """A limit of the readers is changed wherever it was imported to; a decorator's argument by importing anew."""
    found = judged(tmp_path, "privref.statements.params", sample_of_advanced_composition)
    assert any(verdict for key, verdict in found.items() if key.startswith("<module>"))
