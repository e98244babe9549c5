"""The documentation site builds without a warning, and names what the schemas and the code have."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import privref
from privref.audit.opinions import Verdict

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "reference" / "docs"


def test_the_site_builds_strictly(tmp_path: Path) -> None:
    """No broken link, no page left out, no name that is not documented."""
    pytest.importorskip("material", reason="needs mkdocs-material, of the extra dev")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-f", "reference/mkdocs.yml", "-d", tmp_path]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    page = (tmp_path / "python" / "index.html").read_text(encoding="utf-8")
    assert 'id="privref.audit.run.audit"' in page


def addresses(module: ModuleType) -> dict[str, str]:
    """Where each public name of a module is defined, by its import statements."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            home = ".".join(filter(None, (module.__name__, node.module)))
            found |= {alias.asname or alias.name: f"{home}.{alias.name}" for alias in node.names}
    return {name: found[name] for name in module.__all__}


@pytest.mark.parametrize(("page", "module"), [("python.md", privref), ("report.md", privref.report)])
def test_every_public_name_has_its_place_in_the_reference(page: str, module: ModuleType) -> None:
    """Each name of ``__all__`` once, by its address, and nothing else; ``privref.report`` is a page of its own."""
    listed = [line.removeprefix("::: ") for line in (DOCS / page).read_text(encoding="utf-8").splitlines()]
    wanted = set(addresses(module).values()) - {"privref.report"}
    shown = [line for line in listed if line.startswith("privref.")]
    assert sorted(shown) == sorted(wanted)


def test_every_field_and_kind_of_a_ledger_is_explained() -> None:
    """The page of the ledger has a row for each field of the schema."""
    text = (DOCS / "ledger.md").read_text(encoding="utf-8")
    schema = json.loads((ROOT / "reference/privref/schemas/ledger.1.json").read_text(encoding="utf-8"))
    fields = {*schema["properties"], *schema["$defs"]["event"]["properties"]}
    assert not {field for field in fields if f"| `{field}` |" not in text}


def test_every_verdict_is_explained() -> None:
    """The page of verdicts has a row for each of the closed list, and no other."""
    text = (DOCS / "verdicts.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert rows == set(get_args(Verdict))
