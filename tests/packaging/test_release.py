"""`.ci/release`: each gate that runs without a package index, and that a gate which is not passed ends it."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.test_documents import ROOT

pytest.importorskip("hatchling", reason="needs hatchling, of the extra dev")
pytest.importorskip("material", reason="needs mkdocs-material, of the extra dev")
pytestmark = pytest.mark.xdist_group("packaging")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the project with the working tree's files, committed."""
    folder = tmp_path_factory.mktemp("release") / "privref"
    git("clone", "--quiet", str(ROOT), str(folder), at=ROOT)
    changed = git("diff", "--name-only", "HEAD", "--diff-filter=d", at=ROOT) + git(
        "ls-files", "--others", "--exclude-standard", at=ROOT
    )
    for name in changed.split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    commit(folder)
    return folder


def git(*words: str, at: Path) -> str:
    return subprocess.run(["git", *words], cwd=at, capture_output=True, text=True, check=True).stdout


def commit(folder: Path) -> None:
    git("add", "--all", at=folder)
    who = ("-c", "user.name=A Person", "-c", "user.email=person@example.org")
    git(*who, "commit", "--quiet", "--allow-empty", "--message", "Release", at=folder)


def released(clone: Path, out: Path, *steps: str) -> tuple[int, list[str]]:
    command = [sys.executable, str(clone / ".ci" / "release"), "--output", str(out), *steps]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_what_can_be_built_here_is_built_twice_alike_and_complete(clone: Path, tmp_path: Path) -> None:
    steps = ("tree", "version", "notes", "build", "site", "contents", "checksums")
    code, lines = released(clone, tmp_path, *steps)
    assert [line.split()[0] for line in lines[:7]] == [*steps]
    assert lines[7] == "not a release: static, tests, vectors, answers, metadata, install, lowest, bill did not run"
    assert code == 3
    sums = dict(reversed(line.split()) for line in (tmp_path / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {path.name for path in tmp_path.iterdir()} - {"SHA256SUMS"}
    assert (tmp_path / "NOTES.md").read_text(encoding="utf-8").startswith("- ")
    with tarfile.open(tmp_path / "privref-0.1.0-site.tar.gz") as site:
        inside = {name.removeprefix("./") for name in site.getnames()}
        assert {"0.1.0/index.html", "0.1.0/recordings/auditor.cast"} <= inside
        listed = site.extractfile(next(name for name in site.getnames() if name.endswith("versions.json")))
        assert listed is not None
        assert json.load(listed) == [{"version": "0.1.0", "title": "0.1.0", "aliases": ["latest"]}]


@pytest.mark.parametrize(
    ("name", "old", "new", "step", "said"),
    [
        ("CITATION.cff", "\nversion: ", "\nversion: 9", "version", "CITATION.cff does not say version"),
        (".zenodo.json", '"version": "', '"version": "9', "version", ".zenodo.json does not say version"),
        ("CHANGELOG.md", "## 0.1.0", "## 0.0.9", "notes", "CHANGELOG.md has no section ## 0.1.0"),
        ("README.md", "#", "# ", "tree", "the working tree differs from the commit"),
        (
            "pyproject.toml",
            '"reference/privref"]',
            '"reference/privref"]\nexclude = ["*.md"]',
            "contents",
            "the wheel lacks",
        ),
    ],
)
def test_a_gate_that_is_not_passed_ends_it(
    clone: Path, tmp_path: Path, name: str, old: str, new: str, step: str, said: str
) -> None:
    text = (clone / name).read_text(encoding="utf-8")
    (clone / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    try:
        code, lines = released(clone, tmp_path, *(("build",) * (step == "contents")), step)
    finally:
        (clone / name).write_text(text, encoding="utf-8")
    assert code == 1
    assert any(said in line for line in lines)
    assert lines[-1] == "nothing was released"


def test_a_tag_that_exists_and_a_folder_that_is_full_are_refused(clone: Path, tmp_path: Path) -> None:
    git("tag", "v0.1.0", at=clone)
    try:
        code, lines = released(clone, tmp_path, "version")
    finally:
        git("tag", "--delete", "v0.1.0", at=clone)
    assert code == 1
    assert any("the tag v0.1.0 exists" in line for line in lines)
    code, lines = released(clone, tmp_path)
    assert code == 2
    assert "the folder is not empty" in lines[-1]
    code, lines = released(clone, tmp_path, "publish")
    assert code == 2
    assert "no step 'publish'" in lines[-1]
