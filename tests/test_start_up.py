"""What starting costs: each command loads what it uses, and the public names are there without loading them all."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.lazily import homes

LEDGER = {
    "schema": "ledger.1", "title": "small", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
    "events": [{"guarantee": {"kind": "zcdp", "rho": "1/8"}}],
}  # fmt: skip


def python(code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


PUBLIC = pytest.mark.parametrize("module", [privref, privref.report], ids=lambda module: module.__name__)


@PUBLIC
def test_names_that_are_imported_later_are_those_that_are_type_checked(module: Any) -> None:
    """The imports for the type checker and the table for run time name the same things in the same modules."""
    inside = module.__name__.removeprefix("privref").removeprefix(".")
    checked = {}
    for block in ast.parse(Path(module.__file__).read_text()).body:
        if isinstance(block, ast.If):
            for line in block.body:
                assert isinstance(line, ast.ImportFrom)
                for name in line.names:
                    checked[name.asname or name.name] = (".".join(filter(None, (inside, line.module))), name.name)
    assert checked
    assert checked == homes(module._LATER)


@PUBLIC
def test_every_public_name_is_there(module: Any) -> None:
    """Each name of ``__all__`` resolves, and ``dir`` shows it."""
    assert set(module.__all__) <= set(dir(module))
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is getattr(module, name)


def test_a_function_keeps_its_name_when_a_package_of_that_name_is_imported() -> None:
    """``privref.audit``, ``privref.statements`` and ``privref.doctor`` are packages or modules too."""
    python(
        "import privref.audit.verify, privref.statements.errata, privref.doctor\n"
        "from privref.audit import certificate as c\n"
        "assert callable(privref.audit) and callable(privref.statements) and callable(privref.doctor)\n"
        "assert privref.certificates is c.certificates"
    )


def test_an_audit_loads_neither_sympy_nor_matplotlib_and_runs_without_them(tmp_path: Path) -> None:
    """The proofs and the pictures are extras; the verdict and the doctor need neither."""
    ledger = tmp_path / "ledger.json"
    ledger.write_text(json.dumps(LEDGER))
    code = (
        "import sys\n"
        "sys.modules['sympy'] = sys.modules['matplotlib'] = None\n"
        "from privref.cli.main import cli\n"
        "code = cli.main(sys.argv[1:], standalone_mode=False)\n"
        "assert code == 0, code\n"
        "unused = {'privref.vectors', 'privref.games.attack', 'privref.audit.verify'}\n"
        "assert sys.argv[1] == 'doctor' or not unused & set(sys.modules)"
    )
    assert "confirmed" in python(code, "audit", str(ledger), "--claim", "4,1e-6")
    assert "only the proofs need it" in python(code, "doctor")


def test_pictures_without_matplotlib_are_refused_with_the_remedy() -> None:
    """The refusal names the extra to install."""
    code = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "import privref\n"
        "try:\n    privref.figure('whitehouse-2a')\n"
        "except privref.InputError as error:\n    print(error)"
    )
    assert "privref[figures]" in python(code)


def test_asking_for_any_statement_loads_the_modules_that_hold_them() -> None:
    """An id is known whatever was imported before."""
    code = "from privref.statements.registry import statement\nprint(statement('hartmann2022/table1.delta_i').id)"
    assert python(code).strip() == "hartmann2022/table1.delta_i"
