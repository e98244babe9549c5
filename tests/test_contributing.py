"""Each addition takes the files that CONTRIBUTING names, and leaving any one out turns a test red."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.additions import shown
from tests.test_documents import ROOT, insert

#: For each addition: how many files it takes, the tests that miss one, and which of them are asked.
ADDITIONS = {
    "theorem": (
        4,
        (
            "tests/statements/test_theorems.py",
            "tests/test_cards.py",
            "tests/audit/test_structure.py",
            "tests/kernel/test_certificates.py",
        ),
        "made_up or made or table or theorem or printed or route or test_verdicts",
    ),
    "mechanism": (
        6,
        (
            "tests/profiles/test_definitions.py",
            "tests/profiles/test_declared.py",
            "tests/ledger/test_properties.py",
            "tests/test_glossary.py",
        ),
        "made-up or kind or pair or printed",
    ),
    "field": (
        7,
        ("tests/ledger/test_properties.py", "tests/kernel/test_properties.py"),
        "made_up or pair",
    ),
}
FILES = {what: tuple(dict.fromkeys(block.title for block in shown(what))) for what in ADDITIONS}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the checks read."""
    folder = tmp_path_factory.mktemp("clone")
    for part in ("reference", "tests", "proofs", "lean", "pyproject.toml", "CONTRIBUTING.md"):
        source = ROOT / part
        ignore = shutil.ignore_patterns("__pycache__", "node_modules", "build", ".lake")
        shutil.copytree(source, folder / part, ignore=ignore) if source.is_dir() else shutil.copy(source, folder)
    assert python(folder, "-c", "import privref; print(privref.__file__)").stdout.startswith(str(folder))
    return folder


def python(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the copy, where the copy's package comes first."""
    # No plugin of the environment is needed, and loading them all takes as long as the checks.
    path = os.pathsep.join((str(clone / "reference"), str(clone)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def green(clone: Path, what: str, files: Iterable[str]) -> tuple[bool, str]:
    """Whether the checks pass with the addition in those files, and what they print."""
    _, checks, chosen = ADDITIONS[what]
    for name in {name for each in FILES.values() for name in each}:
        text = (ROOT / name).read_text(encoding="utf-8")
        for block in shown(what):
            if block.title == name and name in files:
                text = insert(text, block)
        (clone / name).write_text(text, encoding="utf-8")
    done = python(clone, "-m", "pytest", *checks, "-x", "-q", "-p", "no:cacheprovider", "-k", chosen)
    return done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("what", ADDITIONS)
def test_the_files_are_enough(clone: Path, what: str) -> None:
    """Nothing else of the project has to change for the checks to pass, `explain` among them."""
    assert len(FILES[what]) == ADDITIONS[what][0]
    passed, out = green(clone, what, FILES[what])
    assert passed, out


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("what", "left_out"), [(what, name) for what, names in FILES.items() for name in names])
def test_no_file_may_be_left_out(clone: Path, what: str, left_out: str) -> None:
    """Each of them is missed by some test."""
    passed, out = green(clone, what, [name for name in FILES[what] if name != left_out])
    assert not passed
    assert re.search("made.up", out), out


def test_the_command_writes_them_under_another_name(clone: Path) -> None:
    for name in {name for each in FILES.values() for name in each}:
        shutil.copy(ROOT / name, clone / name)
    done = python(clone, "-m", "tests.additions", "mechanism", "rounded-noise")
    assert done.stdout.split() == [block.title for block in shown("mechanism")]
    for name in FILES["mechanism"]:
        text = (clone / name).read_text(encoding="utf-8")
        assert "rounded-noise" in text
        assert "made-up" not in text
    assert python(clone, "-m", "tests.additions", "sampler").returncode == 1


def test_the_hooks_run_programs_that_are_there() -> None:
    """.pre-commit-config.yaml: what each hook runs stands in the development environment or the project."""
    yaml = pytest.importorskip("yaml", reason="needs PyYAML, of the extra registry")
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    entries = {hook["id"]: hook["entry"].split() for hook in repository["hooks"]}
    assert {"ruff-check", "ruff-format", "mypy", "layers", "index"} == entries.keys()
    for program, *arguments in entries.values():
        folder, name = program.rsplit("/", 1)
        assert folder == ".venv/bin"
        assert (Path(sys.executable).parent / name).exists(), program
        if arguments[:1] == ["-m"]:
            assert (ROOT / arguments[1] / "__main__.py").is_file()
