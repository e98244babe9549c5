"""What a sceptic has to read: the kernel, and by its imports nothing else but a few libraries."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import privref.kernel
from tests.kernel.test_certificates import good

ROOT = Path(privref.kernel.__file__).parent
#: All that the kernel imports, in functions too: Arb, canonical JSON, and the standard library.
ALLOWED = {
    "__future__", "collections", "contextlib", "dataclasses", "flint", "fractions", "functools", "hashlib", "itertools",
    "json", "math", "pathlib", "re", "rfc8785", "sys", "typing", "unicodedata",
}  # fmt: skip
MOST_LINES = 5000


def imported(path: Path) -> set[str]:
    """The modules that a file imports anywhere, by their whole names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}: a relative import"
            found |= {
                f"{node.module}.{alias.name}" if node.module == "privref" else str(node.module) for alias in node.names
            }
    return found


def test_the_kernel_imports_only_what_is_listed() -> None:
    own = {f"privref.kernel.{path.stem}" for path in ROOT.glob("*.py")} | {"privref.kernel"}
    for path in ROOT.glob("*.py"):
        names = imported(path)
        assert {name for name in names if name.startswith("privref")} <= own, path.name
        assert {name.split(".")[0] for name in names if not name.startswith("privref")} <= ALLOWED, path.name


@pytest.mark.parametrize("word", ["importlib", "__import__", "exec(", "eval(", "globals("])
def test_no_name_is_imported_by_a_string(word: str) -> None:
    assert not [path.name for path in ROOT.glob("*.py") if word in path.read_text(encoding="utf-8")]


def test_the_kernel_runs_where_there_is_no_other_module_of_the_package(tmp_path: Path) -> None:
    """A copy of its folder alone, in an empty package, verifies a certificate and refuses an altered one."""
    shutil.copytree(ROOT, tmp_path / "privref" / "kernel")
    (tmp_path / "privref" / "__init__.py").write_text("")
    for name, epsilon, code in (("good", "50", 0), ("bad", "0.1", 1)):
        document = {**good("basic"), "claim": {**good("basic")["claim"], "epsilon": epsilon}}
        (tmp_path / name).write_text(json.dumps(document))
        command = [sys.executable, "-m", "privref.kernel", name]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert ran.returncode == code, ran.stderr
        assert ran.stdout.startswith("verified: confirmed" if code == 0 else "not verified: ")


def test_the_kernel_stays_short() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in ROOT.glob("*.py"))
    assert lines <= MOST_LINES
