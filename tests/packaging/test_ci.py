"""What .ci/run runs: the README's test command, then the quick tests on each other Python that it finds."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.test_documents import ROOT, blocks, commands

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="no bash, in which .ci/run is written")

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
#: Stands for a Python of some version: it says what it runs, and its pip and its pytest fail where they shall.
PYTHON = """#!/bin/bash
case "$1 $2" in
  "-m venv")
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    printf '#!/bin/bash\\necho "VERSION pip $*" >> "$LOG"; [ "$FAILS" != "VERSION pip" ]\\n' > "$3/bin/pip"
    chmod +x "$3/bin/pip" ;;
  "-m pytest") shift 2; echo "VERSION pytest $*" >> "$LOG"; [ "$FAILS" != "VERSION pytest" ] ;;
  "-c "*) echo VERSION ;;
  *) exit 99 ;;
esac
"""
PIP, ALL = "pip install --quiet --editable .[dev]", "pytest -n auto --dist loadgroup"
QUICK = "pytest --quick -n auto --dist loadgroup"


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def ran(folder: Path, fails: str = "") -> tuple[int, list[str], str]:
    """The exit code of .ci/run, which commands it ran and what it said: 3.11 to 3.13 are here, two of them hidden."""
    program(folder / "checkout" / ".ci" / "run", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    for name in ("apt-get", "chromium"):
        program(folder / "bin" / name, "#!/bin/bash\n")
    program(folder / "bin" / "python3", PYTHON.replace("VERSION", "3.11"))
    # A shim of pyenv for a version that is not the one in use; the version itself stands in pyenv's folder.
    program(folder / "bin" / "python3.12", "#!/bin/bash\necho 'pyenv: python3.12: command not found' >&2; exit 127\n")
    program(folder / "pyenv" / "versions" / "3.12.1" / "bin" / "python", PYTHON.replace("VERSION", "3.12"))
    program(folder / "data/uv/python/cpython-3.13.0-linux/bin/python3.13", PYTHON.replace("VERSION", "3.13"))
    log = folder / "log"
    log.write_text("")
    places = {"HOME": folder, "PYENV_ROOT": folder / "pyenv", "XDG_DATA_HOME": folder / "data", "LOG": log}
    environment = {name: str(path) for name, path in places.items()} | {"FAILS": fails}
    environment["PATH"] = os.pathsep.join((str(folder / "bin"), "/usr/bin", "/bin"))
    # The Pythons of the system are hidden by commands that fail.
    for version in VERSIONS:
        if version != "3.12":
            program(folder / "bin" / f"python{version}", "#!/bin/bash\nexit 127\n")
    command = [str(BASH), str(folder / "checkout" / ".ci" / "run")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, log.read_text(encoding="utf-8").splitlines(), done.stdout + done.stderr


def test_ci_runs_the_readme_s_test_command_first() -> None:
    """One line, the same in both, and no other tests before it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = [
        command
        for block in blocks(readme)
        if block.kind == "sh"
        for command, _ in commands(block)
        if command.rstrip().split(" && ")[-1].startswith(".venv/bin/python -m pytest")
        and command.startswith("python3 -m venv")
    ]
    lines = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert next(line for line in lines if "pytest" in line) == command


def test_every_python_that_is_here_runs_the_quick_tests(tmp_path: Path) -> None:
    """The default one runs everything; a version that is not here is named."""
    code, log, said = ran(tmp_path)
    installed = [line for line in log if ".[spark]" not in line]
    assert installed == [f"3.11 {PIP}", f"3.11 {ALL}", f"3.12 {PIP}", f"3.12 {QUICK}", f"3.13 {PIP}", f"3.13 {QUICK}"]
    assert "Python 3.14 is not here" in said
    assert code == 0


@pytest.mark.parametrize("fails", [f"{version} {step}" for version in VERSIONS[:3] for step in ("pip", "pytest")])
def test_a_step_that_fails_fails_the_whole(fails: str, tmp_path: Path) -> None:
    """Nothing runs after it."""
    code, log, _ = ran(tmp_path, fails)
    assert code == 1
    assert log[-1].startswith(fails)


def test_every_version_of_the_classifiers_is_tried() -> None:
    """A version that the package says it supports is one that .ci/run looks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = [line.rsplit(" ", 1)[1] for line in project["classifiers"] if line.startswith("Programming Language")]
    supported = [version for version in said if version.startswith("3.")]
    assert f"for version in {' '.join(VERSIONS)}; do" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert set(supported) <= set(VERSIONS)
    assert project["requires-python"] == f">={supported[0]}"
