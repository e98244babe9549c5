"""Adding a theorem takes the four files that CONTRIBUTING names, and leaving any one out turns a test red."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.test_documents import ROOT, Block, blocks

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DIFFS = tuple(block for block in blocks(CONTRIBUTING) if block.kind == "diff")
FILES = tuple(dict.fromkeys(block.title for block in DIFFS))
CHECKS = (
    "tests/statements/test_theorems.py",
    "tests/test_cards.py",
    "tests/audit/test_structure.py",
    "tests/kernel/test_certificates.py",
)


def insert(text: str, block: Block) -> str:
    """The text with the block's added lines after its one line of context, which occurs once."""
    context, *added = block.text.splitlines()
    assert context.startswith(" ")
    assert all(line.startswith("+") for line in added)
    before = context[1:] + "\n"
    assert text.count(before) == 1, f"{block.title}: {context}"
    return text.replace(before, before + "".join(f"{line[1:]}\n" for line in added))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the checks read."""
    folder = tmp_path_factory.mktemp("clone")
    for part in ("reference", "tests", "proofs", "lean", "pyproject.toml"):
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
    command = [sys.executable, "-B", *arguments]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def green(clone: Path, files: Iterable[str]) -> tuple[bool, str]:
    """Whether the checks pass with the theorem added to those files, and what they print."""
    for name in FILES:
        text = (ROOT / name).read_text(encoding="utf-8")
        for block in DIFFS:
            if block.title == name and name in files:
                text = insert(text, block)
        (clone / name).write_text(text, encoding="utf-8")
    chosen = "made_up or made or table or theorem or printed or route or test_verdicts"
    done = python(clone, "-m", "pytest", *CHECKS, "-x", "-q", "-p", "no:cacheprovider", "-k", chosen)
    return done.returncode == 0, done.stdout + done.stderr


def test_four_files_are_enough(clone: Path) -> None:
    """Nothing else of the project has to change for the checks to pass, `explain` among them."""
    assert len(FILES) == 4
    passed, out = green(clone, FILES)
    assert passed, out


@pytest.mark.parametrize("left_out", FILES)
def test_no_file_may_be_left_out(clone: Path, left_out: str) -> None:
    """Each of the four is missed by some test."""
    passed, out = green(clone, [name for name in FILES if name != left_out])
    assert not passed
    assert "made_up" in out, out


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
