"""What starting costs: each command loads what it uses, and the public names are there without loading them all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.exact.extras import install
from privref.lazily import homes

LEDGER = {
    "schema": "ledger.1", "title": "small", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
    "events": [{"guarantee": {"kind": "zcdp", "rho": "1/8"}}],
}  # fmt: skip


ROOT = Path(__file__).parents[1]


def python(code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


PUBLIC = pytest.mark.parametrize("module", [privref, privref.report], ids=lambda module: module.__name__)


@PUBLIC
def test_names_that_are_imported_later_are_public(module: Any) -> None:
    """The imports for the type checker, which run time reads too, are those of the public names."""
    later = homes(module.__name__)
    assert set(later) == set(module.__all__) - {"report"}
    assert {module.__name__} == {home.rpartition(".")[0][: len(module.__name__)] for home, _ in later.values()}


@PUBLIC
def test_every_public_name_is_there(module: Any) -> None:
    """Each name of ``__all__`` resolves, and ``dir`` shows it."""
    assert set(module.__all__) <= set(dir(module))
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is getattr(module, name)


def test_a_function_keeps_its_name_when_a_package_of_that_name_is_imported() -> None:
    """``privref.audit`` and ``privref.statements`` are packages too."""
    python(
        "import privref.audit.certificate, privref.statements.errata\n"
        "from privref.audit import certificate as c\n"
        "assert callable(privref.audit) and callable(privref.statements)\n"
        "assert privref.certificates is c.certificates"
    )
    python(
        "import privref\nassert callable(privref.statements)\nimport privref.audit.run\nassert callable(privref.audit)"
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
        "unused = {'privref.vectors', 'privref.games.attack', 'privref.verification'}\n"
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
    assert install("figures") in python(code)


def test_asking_for_any_statement_loads_the_modules_that_hold_them() -> None:
    """An id is known whatever was imported before."""
    code = "from privref.statements.registry import statement\nprint(statement('hartmann2022/table1.delta_i').id)"
    assert python(code).strip() == "hartmann2022/table1.delta_i"


def loaded_by(code: str, *arguments: str) -> set[str]:
    """The modules that are loaded at the end of the code, which prints them last."""
    return set(python(f"import sys\n{code}\nprint(*sys.modules)", *arguments).splitlines()[-1].split())


def of_privref(names: set[str]) -> set[str]:
    return {name for name in names if name.partition(".")[0] == "privref"}


def test_the_package_alone_imports_nothing_but_its_loader() -> None:
    """Names are imported when they are asked for; so the kernel is imported without what it does not trust."""
    first = {"privref", "privref.lazily", "privref.report"}
    assert of_privref(loaded_by("import privref")) == first
    with_kernel = of_privref(loaded_by("import privref.kernel"))
    assert {name for name in with_kernel - first if not name.startswith("privref.kernel")} == set()


_RUN = "from privref.cli.main import cli\nassert cli.main(sys.argv[1:], standalone_mode=False) == 0"
#: What checks no certificate, and is slow to import.
_PROVERS = (
    "privref.audit", "privref.composition", "privref.guarantees", "privref.profiles", "privref.statements",
    "privref.ledger.model", "mpmath", "jsonschema",
)  # fmt: skip


def test_verify_imports_the_kernel_and_no_prover(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    ledger.write_text(json.dumps(LEDGER))
    python(f"import sys\n{_RUN}", "audit", str(ledger), "--claim", "4,1e-6", "--certificates", str(tmp_path / "made"))
    (made,) = (tmp_path / "made").iterdir()
    loaded = loaded_by(_RUN, "verify", str(made))
    assert "privref.kernel.certificate" in loaded
    assert len(of_privref(loaded)) <= 40
    assert not set(_PROVERS) & loaded


#: What a small audit may import of privref, and the modules that only other questions need.
MOST_MODULES = 90
_OTHER = (
    "privref.adaptive", "privref.games", "privref.profiles.grid", "privref.ledger.sheets", "privref.cli.asking",
    "privref.kernel", "privref.vectors", "jsonschema", "rich.progress",
)  # fmt: skip


@pytest.mark.parametrize(
    "second", ['{"kind": "zcdp", "rho": "1/8"}', '{"kind": "approx-dp", "epsilon": "1/2", "delta": "1e-9"}']
)
def test_a_small_audit_imports_little(second: str, tmp_path: Path) -> None:
    """Two events, one claim: the statements that bound them are imported, and no others."""
    ledger = tmp_path / "ledger.json"
    ledger.write_text(json.dumps({**LEDGER, "events": [*LEDGER["events"], {"guarantee": json.loads(second)}]}))
    loaded = loaded_by(_RUN, "audit", str(ledger), "--claim", "4,1e-6")
    assert "privref.audit.run" in loaded
    assert len(of_privref(loaded)) <= MOST_MODULES
    assert not set(_OTHER) & loaded


def test_every_command_is_found_where_the_table_says() -> None:
    """No command of the modules is missing in the table of ``cli.main``, and none stands there twice."""
    import importlib
    import pkgutil

    import click

    from privref import cli as folder
    from privref.cli import main

    context = click.Context(main.cli)
    for name in main.cli.list_commands(context):
        found = main.cli.get_command(context, name)
        assert found is not None
        assert found.name == name
    listed = [main.cli.get_command(context, name) for name in main.cli.list_commands(context)]
    inner = {command for group in listed if isinstance(group, click.Group) for command in group.commands.values()}
    for module in pkgutil.iter_modules(folder.__path__, "privref.cli."):
        for value in vars(importlib.import_module(module.name)).values():
            assert not isinstance(value, click.Command) or value is main.cli or value in listed or value in inner


def test_a_statement_that_the_table_of_modules_lacks_is_found_all_the_same() -> None:
    """A statement just added is known before the generator has run."""
    code = (
        "from privref import catalogue\n"
        "del catalogue.modules()['hartmann2022/table1.delta_i']\n"
        "from privref.statements.registry import statement\n"
        "print(statement('hartmann2022/table1.delta_i').id)"
    )
    assert python(code).strip() == "hartmann2022/table1.delta_i"


def test_the_proofs_say_what_to_install_where_sympy_is_not_there() -> None:
    code = "import runpy, sys; sys.modules['sympy'] = None; runpy.run_module('proofs', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    said = f"python -m proofs: this needs SymPy: {install('symbolic')}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
