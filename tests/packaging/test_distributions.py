"""The wheel and the source archive: what they hold, and that what is installed from them works alone."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

# The wheel and the archive are built once.
pytestmark = pytest.mark.xdist_group("packaging")
ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "reference" / "privref"
pytest.importorskip("hatchling", reason="needs hatchling, of the extra dev")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and a source archive of the working tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", "wheel", "-t", "sdist"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def tracked(folder: str) -> set[str]:
    """The files of a folder that git knows, from the project's root."""
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(listed.stdout.split("\n")) - {""}


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    """Every module and data file of the package, the licence and the metadata."""
    with zipfile.ZipFile(wheel(built)) as archive:
        names = set(archive.namelist())
    inside = {name for name in names if ".dist-info/" not in name}
    assert {name.removeprefix("reference/") for name in tracked("reference/privref")} <= inside
    assert {name.split("/")[0] for name in inside} == {"privref"}
    assert not [name for name in inside if "__pycache__" in name]
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_metadata_are_complete(built: Path) -> None:
    """Name, version, licence, Python, extras, entry points and the README."""
    with zipfile.ZipFile(wheel(built)) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
        (points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        entry_points = archive.read(points).decode()
    assert metadata["Name"] == "privref"
    assert f"version: {metadata['Version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## {metadata['Version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert {"figures", "symbolic", "dev"} <= set(metadata.get_all("Provides-Extra", []))
    assert "privref = privref.cli.main:main" in entry_points
    assert str(metadata.get_payload()).lstrip().startswith("# privref")


def test_the_source_archive_holds_what_is_tracked(built: Path) -> None:
    """Proofs, Lean, tests and documents too: the archive can be tested where it is unpacked."""
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames() if "/" in name}
    missing = {name for name in tracked(".") if (ROOT / name).exists()} - names
    assert not missing


def test_an_installed_wheel_audits_explains_and_verifies(built: Path, tmp_path: Path) -> None:
    """Installed to a folder of its own, the command runs from there, with all its data."""
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*install, str(wheel(built))], check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(target), "PYTHONSAFEPATH": "1"}

    # One process for all, which imports and compiles the package once.
    code = (
        "import privref, sys\n"
        "assert privref.__file__.startswith(sys.argv[1]), privref.__file__\n"
        "from privref.cli.main import main\n"
        "for line in sys.argv[2:]:\n"
        "    try:\n"
        "        main(line.split())\n"
        "    except SystemExit as ended:\n"
        "        print('ended', ended.code)\n"
    )
    commands = (
        "audit --example census2020-guarantees --certificates certificates",
        "verify certificates/rounded-up.json",
        "errata",
        "explain whitehouse2023/lem3.odometer",
    )
    command = [sys.executable, "-c", code, str(target), *commands]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    audit, verified, errata, explained = re.split(r"^ended \d+\n", done.stdout, flags=re.MULTILINE)[:-1]
    assert "17.14355" in audit
    assert "verified" in verified
    assert "Lemma 2.3" in errata
    assert "hypothesis" in explained


def test_pytest_imports_an_installed_wheel(built: Path, tmp_path: Path) -> None:
    """privref is a plugin of pytest, which loads the modules of an installed one with a loader of its own."""
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*install, str(wheel(built))], check=True, capture_output=True)
    lines = ("import privref.cli.main", "def test_it():", f"    assert privref.__file__.startswith({str(target)!r})")
    (tmp_path / "test_one.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(target)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "test_one.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
