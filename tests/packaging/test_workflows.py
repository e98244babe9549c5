"""What cannot be run here is read: the workflows, the action and the container file name what is there."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import pytest
import yaml

from tests.test_documents import ROOT

GITHUB = ROOT / ".github"
FILES = sorted(GITHUB.rglob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]


def document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((GITHUB / name).read_text(encoding="utf-8"))
    return found


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every step of every job, with the name of its file."""
    for path in FILES:
        found = document(str(path.relative_to(GITHUB)))
        for job in found.get("jobs", {"": found.get("runs")}).values():
            for step in job["steps"]:
                yield path.name, step


def test_each_action_is_pinned_by_commit_but_the_one_that_cannot_be() -> None:
    used = [step["uses"] for _, step in steps() if "uses" in step]
    loose = {each for each in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", each)}
    assert loose == {"pypa/gh-action-pypi-publish@release/v1"}
    assert len({each.split("@")[0] for each in used}) == len(set(used))


def test_each_command_names_files_and_extras_that_exist() -> None:
    """Nothing of an event's text stands in a command, where a shell would run it."""
    commands = [step["run"] for _, step in steps() if "run" in step]
    assert len(commands) >= 8
    for command in commands:
        assert "${{" not in command
        for path in re.findall(r"(?<![\w$}/])\.?(?:ci|tests|reference)/[\w./]+", command):
            assert any((place / path).exists() for place in (ROOT, ROOT / "lean")), path
        for extras in re.findall(r"\[([\w,]+)\](?=\"|\s|$)", command):
            assert set(extras.split(",")) <= PROJECT["optional-dependencies"].keys(), command


def test_the_quick_tests_run_on_three_systems_and_each_python() -> None:
    jobs = document("workflows/test.yml")["jobs"]
    matrix = jobs["quick"]["strategy"]["matrix"]
    assert [name.split("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == [*PYTHONS, "3.14"]
    assert jobs["whole"]["steps"][-1] == {"run": ".ci/run"}


def test_a_tag_passes_the_gates_of_the_release_on_the_oldest_and_the_newest_python() -> None:
    workflow = document("workflows/release.yml")
    # YAML 1.1 reads the key as true.
    assert workflow[True] == {"push": {"tags": ["v*"]}}
    checkout, python, _, gates, kept = workflow["jobs"]["build"]["steps"]
    assert checkout["with"]["fetch-depth"] == 0
    assert set(python["with"]["python-version"].split()) == {PYTHONS[0], PYTHONS[-1]}
    assert gates == {"run": "python .ci/release --output dist"}
    assert kept["with"]["path"] == "dist/"


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("privref-1.0.0-py3-none-any.whl", "pypi"),
        ("privref-1.0.0.tar.gz", "pypi"),
        ("privref_vectors-1.0.0-py3-none-any.whl", "pypi-vectors"),
        ("privref_vectors-1.0.0.tar.gz", "pypi-vectors"),
        ("privref-1.0.0-site.tar.gz", None),
        ("privref-vectors-1.0.0-all.tar.gz", None),
        ("privref-1.0.0.cdx.json", None),
        ("SHA256SUMS", None),
    ],
)
def test_each_distribution_is_published_by_the_environment_of_its_project(name: str, environment: str | None) -> None:
    publish = document("workflows/release.yml")["jobs"]["publish"]
    rows = publish["strategy"]["matrix"]["include"]
    takes = [row["environment"] for row in rows if any(fnmatch(name, each) for each in row["files"].split())]
    assert takes == ([environment] if environment else [])
    assert publish["permissions"] == {"id-token": "write"}
    person = (ROOT / ".ci" / "person.txt").read_text(encoding="utf-8")
    assert all(f"environment {row['environment']}" in person for row in rows)


def test_an_independent_kernel_allows_the_axioms_of_lean_s_own_and_no_other() -> None:
    config = json.loads((ROOT / "lean" / "ci" / "nanoda.json").read_text(encoding="utf-8"))
    assert set(config["permitted_axioms"]) == {"propext", "Classical.choice", "Quot.sound"}
    (command,) = [step["run"] for _, step in steps() if "nanoda" in step.get("run", "")]
    assert f"> {config['export_file_path']}\n" in command
    assert "ci/nanoda.json" in command


def test_the_container_takes_what_a_release_has_built() -> None:
    text = (ROOT / ".ci" / "Containerfile").read_text(encoding="utf-8")
    version = re.search(r"^FROM docker\.io/library/python:(3\.\d+)-slim$", text, re.MULTILINE)
    assert version is not None
    assert version[1] in PYTHONS
    (pattern,) = re.findall(r"^COPY dist/(\S+) ", text, re.MULTILINE)
    assert [each for each in ("privref-1.0.0-py3-none-any.whl", "privref-1.0.0.tar.gz") if fnmatch(each, pattern)] == [
        "privref-1.0.0-py3-none-any.whl"
    ]
    assert 'ENTRYPOINT ["privref"]' in text


def test_the_extras_are_those_that_are_documented() -> None:
    """A page names each, once, and no page names another."""
    page = (ROOT / "reference" / "docs" / "stability.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `(\w+)` \|", page.split("## Extras")[1].split("## ")[0], re.MULTILINE)
    assert sorted(named) == sorted(PROJECT["optional-dependencies"])
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "reference").rglob("*.md")]:
        for extras in re.findall(r"(?:privref|'\.)\[([\w,]+)\]", path.read_text(encoding="utf-8")):
            assert set(extras.split(",")) <= {*named}, path
