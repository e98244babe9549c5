"""`.ci/release`: each gate that runs without a package index, and that a gate which is not passed ends it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.test_documents import ROOT

pytest.importorskip("hatchling", reason="needs hatchling, of the extra dev")
pytest.importorskip("material", reason="needs mkdocs-material, of the extra dev")
pytestmark = pytest.mark.xdist_group("packaging")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the project with the working tree's files, committed."""
    folder = tmp_path_factory.mktemp("release") / "privref"
    git("clone", "--quiet", "--no-tags", str(ROOT), str(folder), at=ROOT)
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


@pytest.mark.exhaustive
def test_what_can_be_built_here_is_built_twice_alike_and_complete(clone: Path, tmp_path: Path) -> None:
    steps = ("tree", "version", "notes", "answers", "build", "site", "contents", "checksums")
    code, lines = released(clone, tmp_path, *steps)
    assert [line.split()[0] for line in lines[1:-1]] == [*steps]
    missing = "oracle, metadata, install, lowest, runners, bill, tests, vectors did not pass for this commit"
    assert lines[-1] == f"not a release: {missing}"
    assert code == 3
    assert (tmp_path / "gates" / "transcript.txt").read_text(encoding="utf-8").splitlines() == lines
    sums = dict(reversed(line.split()) for line in (tmp_path / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {path.name for path in tmp_path.iterdir()} - {"SHA256SUMS", "gates"}
    assert (tmp_path / "NOTES.md").read_text(encoding="utf-8").startswith("- ")
    with tarfile.open(tmp_path / "privref-0.1.0-site.tar.gz") as site:
        inside = {name.removeprefix("./") for name in site.getnames()}
        assert {"0.1.0/index.html", "0.1.0/recordings/auditor.cast"} <= inside
        listed = site.extractfile(next(name for name in site.getnames() if name.endswith("versions.json")))
        assert listed is not None
        assert json.load(listed) == [{"version": "0.1.0", "title": "0.1.0", "aliases": ["latest"]}]
    # What passed for this commit is left out where that is asked, but not for the next commit.
    code, lines = released(clone, tmp_path, "--resume", "version", "site", "build")
    assert [line.split()[:2] for line in lines[1:-1]] == [
        ["version", "before"],
        ["build", "before"],
        ["site", "before"],
    ]
    commit(clone)
    (tmp_path / "NOTES.md").unlink()
    code, lines = released(clone, tmp_path, "--resume", "version", "notes")
    assert [line.split()[0] for line in lines[1:-1]] == ["version", "notes"]
    assert "before" not in "".join(lines)
    assert "site" in lines[-1]
    assert (tmp_path / "NOTES.md").exists()


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
    assert lines[-1] == f"nothing was released; when {step} is mended: .ci/release --resume"


def test_what_a_changed_tree_passes_is_not_passed(clone: Path, tmp_path: Path) -> None:
    """A resumed run asks again."""
    text = (clone / "README.md").read_text(encoding="utf-8")
    (clone / "README.md").write_text(f"{text}\n", encoding="utf-8")
    try:
        assert released(clone, tmp_path, "notes")[0] == 3
    finally:
        (clone / "README.md").write_text(text, encoding="utf-8")
    assert not (tmp_path / "gates" / "passed.json").exists()
    assert "before" not in released(clone, tmp_path, "--resume", "notes")[1][1]


def test_an_answer_that_changed_since_the_last_release_is_listed_and_explained(clone: Path, tmp_path: Path) -> None:
    """The first release has nothing to compare with; a changed digit stops the next one until a page names it."""
    _, lines = released(clone, tmp_path, "answers")
    assert "no release before this one" in lines[1]
    data = clone / "reference" / "privref" / "vectors" / "data" / "kov2015.optimal.eps.json"
    text = data.read_text(encoding="utf-8")
    old = re.search(r'"id": "([^"]+)".*?"upper": "([^"]*)"', text)
    assert old is not None
    git("tag", "v0.0.9", at=clone)
    data.write_text(text.replace(f'"upper": "{old[2]}"', f'"upper": "9{old[2]}"', 1), encoding="utf-8")
    commit(clone)
    try:
        code, lines = released(clone, tmp_path, "answers")
        assert code == 1
        assert any(line.endswith(f"ANSWERS.md: {old[1]} (wider)") for line in lines)
        page = clone / "reference" / "vectors" / "ANSWERS.md"
        page.write_text(f"{page.read_text(encoding='utf-8')}\n- `{old[1]}`: an example.\n", encoding="utf-8")
        commit(clone)
        code, lines = released(clone, tmp_path, "answers")
        assert (code, lines[1].split(maxsplit=2)[2]) == (3, "1 wider (v0.0.9 to this commit)")
        assert f"| `{old[1]}` | wider |" in (tmp_path / "ANSWERS-CHANGED.md").read_text(encoding="utf-8")
    finally:
        git("reset", "--quiet", "--hard", "v0.0.9", at=clone)
        git("tag", "--delete", "v0.0.9", at=clone)


def test_the_commands_that_are_left_for_a_person_make_another_release(clone: Path, tmp_path: Path) -> None:
    """Those that change files: addresses, authors, the number 1.0.0, the day; the gates that read them pass then."""
    text = (clone / ".ci" / "person.txt").read_text(encoding="utf-8")
    lines = text.format(version="0.1.0", date="2030-01-02", folder="dist").splitlines()
    edits = [line.strip() for line in lines if line.strip().startswith(("sed ", "echo "))]
    assert len(edits) == 8
    try:
        for edit in edits:
            subprocess.run(["bash", "-c", edit], cwd=clone, check=True)
        assert "LICENSE" not in git("diff", "--name-only", at=clone)
        commit(clone)
        code, said = released(clone, tmp_path, "tree", "version", "notes", "build")
        assert code == 3, said
        project = tomllib.loads((clone / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert (project["version"], project["authors"]) == ("1.0.0", [{"name": "NAME"}])
        assert project["urls"]["Repository"] == "https://github.com/OWNER/privref"
        citation = yaml.safe_load((clone / "CITATION.cff").read_text(encoding="utf-8"))
        assert citation["repository-code"] == project["urls"]["Repository"]
        assert (citation["version"], citation["date-released"]) == ("1.0.0", "2030-01-02")
        assert "\n## 1.0.0 (2030-01-02)\n" in (clone / "CHANGELOG.md").read_text(encoding="utf-8")
        assert (tmp_path / "privref-1.0.0-py3-none-any.whl").exists()
    finally:
        git("reset", "--quiet", "--hard", "HEAD^", at=clone)


def test_a_tag_that_exists_and_a_folder_that_is_full_are_refused(clone: Path, tmp_path: Path) -> None:
    git("tag", "v0.1.0", at=clone)
    try:
        assert released(clone, tmp_path / "tagged", "version")[0] == 3
        commit(clone)
        code, lines = released(clone, tmp_path / "later", "version")
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
