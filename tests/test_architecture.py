"""The project's own rules: layers, types, lint, one importer per engine, no floats in bounds, a clean top level."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import privref
from privref.exact.seams import SEAMS, standing_in
from tests.slow import shared

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "reference" / "privref"
MODULES = sorted(PACKAGE.rglob("*.py"))

# One process parses the modules, once for all tests.
pytestmark = pytest.mark.xdist_group("architecture")


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@shared
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@shared
def imports(path: Path) -> frozenset[str]:
    found: set[str] = set()
    # Statements only: no import stands within an expression.
    nodes: list[ast.AST] = list(tree(path).body)
    for node in nodes:
        nodes += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
    return frozenset(found)


def test_layers_are_one_way() -> None:
    run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])")


def test_the_package_is_type_checked_strictly() -> None:
    run("-m", "mypy")


def test_the_sources_are_linted_and_formatted() -> None:
    run("-m", "ruff", "check", "reference", "tests", "proofs", "lean")
    run("-m", "ruff", "format", "--check", "reference", "tests", "proofs", "lean")


@pytest.mark.parametrize(
    ("library", "importers"),
    [
        ("flint", {"exact/interval.py", "exact/integer_poly.py", "exact/complex_interval.py", "kernel/balls.py"}),
        ("mpmath", {"exact/second.py"}),
        ("sympy", set()),
    ],
)
def test_each_engine_has_one_door(library: str, importers: set[str]) -> None:
    found = {
        str(path.relative_to(PACKAGE))
        for path in MODULES
        if any(name.split(".")[0] == library for name in imports(path))
    }
    assert found == importers


def test_the_unreliable_interval_context_is_not_used() -> None:
    for path in MODULES:
        assert not re.search(r"mpmath\.iv\b|\bmp\.iv\b|import iv\b", path.read_text().replace("``mpmath.iv``", "")), (
            path
        )


def test_the_command_line_uses_only_the_public_interface() -> None:
    """The pages of ``privref app`` are an interface of their own, which one command starts."""
    for path in sorted((PACKAGE / "cli").glob("*.py")):
        own = ("privref.cli", "privref.app") if path.name == "app.py" else ("privref.cli",)
        for name in imports(path):
            assert not name.startswith("privref.") or name.startswith(own), f"{path}: {name}"


def test_the_command_line_asks_for_public_names_only() -> None:
    for path in sorted((PACKAGE / "cli").glob("*.py")):
        text = re.sub(r"privref\.(cli|app)(\.\w+)*", "", path.read_text())
        assert set(re.findall(r"\bprivref\.report\.(\w+)", text)) <= set(privref.report.__all__), path
        assert set(re.findall(r"\bprivref\.(\w+)", text)) <= set(privref.__all__), path


def test_a_name_that_has_moved_says_where_to() -> None:
    """Reports and documents were names of the package once."""
    assert not set(privref.__all__) & set(privref.report.__all__)
    for name in privref.report.__all__:
        assert callable(getattr(privref.report, name))
        with pytest.raises(AttributeError, match=rf"privref\.report\.{name}$"):
            getattr(privref, name)


def test_there_is_no_tolerance_in_the_package() -> None:
    for path in MODULES:
        assert not re.search(r"\b(isclose|allclose|pytest\.approx|assertAlmostEqual)\(", path.read_text()), path


@shared
def reached(module: str) -> frozenset[str]:
    """The modules of the package that a module imports, directly or not, within functions too."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        path = FILES[name]
        owner = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names if alias.name in FILES]
            elif isinstance(node, ast.ImportFrom):
                above = owner.split(".")[: len(owner.split(".")) - node.level + 1] if node.level else []
                base = ".".join(filter(None, (*above, node.module)))
                names = [f"{base}.{alias.name}" for alias in node.names]
                waiting += [each if each in FILES else base for each in names if each in FILES or base in FILES]
    return frozenset(found)


FILES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES
}


def test_the_check_of_an_audit_s_certificate_is_the_kernel() -> None:
    """What decides shares no module with the audit; nor does the door lead to what derives or decides for it."""
    assert not {name for name in reached("privref.kernel") if not name.startswith("privref.kernel")} - {"privref"}
    deciding = {f"privref.audit.{name}" for name in ("run", "certificate", "facts", "opinions", "routes", "witnesses")}
    assert deciding <= reached("privref.audit.run") | reached("privref.audit.certificate")
    assert not deciding & reached("privref.verification")


def test_the_top_level_is_the_design_s() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    top = {name.split("/")[0] for name in listed}
    documents = {"README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md"}
    allowed = {"pyproject.toml", "reference", "proofs", "lean", "tests"} | documents
    assert {name for name in top if not name.startswith(".")} <= allowed


def test_no_commit_names_a_registry_host_or_a_machine_path() -> None:
    pattern = r"(registry|files|deb)\.[a-z.]*(npmjs|pythonhosted|debian)|pypi\.org/simple|/work/|/root/"
    found = subprocess.run(
        ["git", "grep", "-nIE", pattern, "--", ".", ":!*.svg", ":!tests/test_architecture.py"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.stdout == ""


def test_one_word_means_one_thing() -> None:
    """No class and no alias of a type has a name that another module gives to something else.

    The kernel says on purpose a second time what a ledger holds, in the field's same words.
    """
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        if path.parent.name == "kernel":
            continue
        for node in tree(path).body:
            names = [node.name] if isinstance(node, ast.ClassDef) else []
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            # Constants are in capitals, and speak for their module.
            names += [target.id for target in targets if isinstance(target, ast.Name) and not target.id.isupper()]
            for name in names:
                if name[0].isupper():
                    homes.setdefault(name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_the_proofs_replace_declared_seams_only() -> None:
    """Beside SymPy's own classes nothing is patched under ``proofs/`` but what the package declares with ``seam``."""
    for path in sorted((ROOT / "proofs").glob("*.py")):
        patched = re.findall(r"patch\.object\((\w[\w.]*)", path.read_text())
        assert set(patched) <= {"Relational", "sp.Expr"}, path
    privref.statements()  # which loads the modules that declare seams
    assert {"exact.decide.sign", "exact.numbers.weighted_sum", "guarantees.pointwise.check_laws"} <= set(SEAMS)
    with pytest.raises(KeyError), standing_in({"exact.decide.enclose_once": print}):
        pass
