"""A night over the newest releases: installed, run, compared with the night before."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from privref import InputError

SCRIPT = Path(__file__).parents[2] / "reference" / "vectors" / "nightly.py"
RHO = "whitehouse2023/lem1.dp2zcdp.rho"
HARNESS = """
import json, struct, sys
from fractions import Fraction
START = {{"version": 1, "implementation": {{"name": "mine", "version": {version!r}, "language": "Python"}},
          "functions": [{{"function": "f", "statement": {id!r}}}]}}
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    if message["cmd"] == "start":
        print(json.dumps(START), flush=True)
        continue
    bits = message["case"]["inputs_binary64"]
    eps = 0 if bits is None else struct.unpack(">d", bytes.fromhex(bits["eps"]))[0]
    good = bits is not None and 0 <= eps < float("inf")
    reply = {{"answer": str(Fraction(eps) ** 2 / {by})}} if good else {{"refused": "no"}}
    print(json.dumps({{"seq": message["seq"], **reply}}), flush=True)
"""


@pytest.fixture(scope="module")
def nightly() -> ModuleType:
    spec = importlib.util.spec_from_file_location("nightly", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["nightly"] = module
    spec.loader.exec_module(module)
    return module


def test_a_script_runs_where_the_library_is_and_privref_is_not(
    nightly: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it prints last, or the last line of its error; without PYTHONPATH, in which privref may be."""
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    script = ["import os, sys; print(1)", "print('/elsewhere' in sys.path)"]
    assert nightly._printed(script, "Python", sys.executable, "") == "False"
    assert nightly._printed(["1/0"], "Python", sys.executable, "") == "ZeroDivisionError: division by zero"
    assert nightly._printed(["print(spelled)"], "Python", sys.executable, "from inputs import steps as spelled")
    assert nightly._printed(["echo a; echo b"], "shell", "", "") == "b"
    monkeypatch.setattr(nightly, "_SCRIPT_SECONDS", 0.5)
    assert nightly._printed(["while True: pass"], "Python", sys.executable, "") == "nothing within 0.5 s"


def test_a_script_names_no_path_of_this_machine(nightly: ModuleType) -> None:
    go, node = (nightly.LIBRARIES[f"float reference, {name}"] for name in ("Go", "JavaScript"))
    line = f"printf 1 | node {nightly.HARNESSES / node.harness}"
    assert nightly._portable(line, "node", node) == "printf 1 | node harnesses/float_reference.mjs"
    built = nightly._portable("printf 1 | /home/me/harness", "/home/me/harness", go)
    assert built == "go build -o float_reference harnesses/float_reference.go && printf 1 | ./float_reference"


def test_what_is_mended_and_what_got_worse_is_said_with_the_versions(nightly: ModuleType, tmp_path: Path) -> None:
    """Three nights of one library: wrong, mended, wrong again."""
    harness = tmp_path / "mine.py"
    libraries = {"mine": nightly.Library(str(harness))}
    changes = []
    for day, (version, by) in enumerate((("1.0", 3), ("1.1", 2), ("1.2", 4)), 1):
        harness.write_text(HARNESS.format(version=version, id=RHO, by=by), encoding="utf-8")
        board, missing = nightly.night(tmp_path, libraries, date=f"2026-01-0{day}")
        assert missing == {}
        changes.append(board["changes"])
        assert (tmp_path / "boards" / f"2026-01-0{day}" / "index.html").exists()
        if day == 1:
            (worst,) = [cell["worst"] for cell in board["cells"]]
            assert json.loads(worst["printed"])["answer"] == worst["answer"].split(",")[0]
            assert nightly._prints_its_answer(worst)
            assert not nightly._prints_its_answer(worst | {"printed": "ValueError: no"})
            assert nightly._prints_its_answer({"printed": "0.5", "answer": "0x1.0000000000000p-1, about 0.5"})
            assert nightly._prints_its_answer({"printed": "CONT", "answer": "CONT"})
    assert changes[0] == []
    (mended,), (worse,) = changes[1:]
    assert (mended["mended"], mended["before"], mended["after"]) == (True, "unsound", "within")
    assert (mended["version_before"], mended["version_after"]) == ("1.0", "1.1")
    assert (worse["mended"], worse["after"], nightly._worse(worse)) == (False, "unsound", True)
    with pytest.raises(InputError, match="board of this date"):
        nightly.night(tmp_path, libraries, date="2026-01-03")


def test_what_cannot_be_installed_is_named_and_the_others_run(nightly: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HARNESS.format(version="1", id=RHO, by=2), encoding="utf-8")
    absent = nightly.Library("with_opendp.py", (("--no-index", "--find-links", str(tmp_path), "no-such-library"),))
    libraries = {"absent": absent, "mine": nightly.Library(str(tmp_path / "mine.py"))}
    board, missing = nightly.night(tmp_path, libraries, date="2026-01-01")
    assert [library["name"] for library in board["libraries"]] == ["mine"]
    assert "no-such-library" in missing["absent"]
    with pytest.raises(InputError, match="no library could be run"):
        nightly.night(tmp_path, {"absent": absent}, date="2026-01-02")
    assert not (tmp_path / "boards" / "2026-01-02").exists()


def test_one_command_runs_a_night(tmp_path: Path) -> None:
    """The float reference needs no installation; its exit codes are 0, and 2 where the board is there."""
    words = f"--only,float reference,--statement,{RHO},--date,2026-01-01"
    command = [sys.executable, str(SCRIPT), str(tmp_path), *words.split(",")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["libraries"] == 1
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert again.stderr.splitlines()[-1].startswith("error: DIR")


def test_every_harness_has_its_night(nightly: ModuleType) -> None:
    harnesses = {path.name for path in nightly.HARNESSES.iterdir() if path.name.startswith("with_")}
    assert {library.harness for library in nightly.LIBRARIES.values()} >= harnesses
    for library in nightly.LIBRARIES.values():
        assert (nightly.HARNESSES / library.harness).exists()
