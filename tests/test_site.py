"""The documentation site builds without a warning, and names what the schemas and the code have."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, get_args

import pytest

import privref
from privref.audit.opinions import MEANINGS, Verdict

from .test_documents import blocks

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "reference" / "docs"
#: The site is built once, in one process.
BUILT = pytest.mark.xdist_group("site")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site. No broken link, no page left out, no name that is not documented."""
    pytest.importorskip("material", reason="needs mkdocs-material, of the extra dev")
    pytest.importorskip("latex2mathml", reason="needs latex2mathml, of the extra dev")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-f", "reference/mkdocs.yml", "-d", folder]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


class Shown(NamedTuple):
    """A heading of the reference: its level, its anchor, what kind of thing it names, and the name that is shown."""

    level: int
    anchor: str
    kind: str
    name: str


def headings(page: Path) -> list[Shown]:
    """What the reference shows, in order."""
    pattern = re.compile(
        r'<h(\d) id="([^"]+)" class="doc doc-heading">\s*<span class="doc doc-object-name doc-(\w+)-name">(\w+)</span>'
    )
    return [Shown(int(level), *rest) for level, *rest in pattern.findall(page.read_text(encoding="utf-8"))]


@BUILT
def test_formulas_are_typeset_and_nothing_is_fetched(site: Path) -> None:
    """The home page has its formula as MathML; no page names a script, a font or a picture of another host."""
    home = (site / "index.html").read_text(encoding="utf-8")
    assert home.count("<math") >= 4
    assert "arithmatex" not in home
    assert {'data-md-color-scheme="slate"', 'data-md-color-scheme="default"'} <= set(
        re.findall(r"data-md-color-s\S+", home)
    )
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|img|iframe)[^>]* src="(?:https?:)?//', text), page
        assert not re.search(r'<link[^>]* rel="(?:stylesheet|preload|preconnect)"[^>]* href="(?:https?:)?//', text), (
            page
        )


@BUILT
@pytest.mark.parametrize(("page", "module"), [("python", privref), ("report", privref.report)])
def test_the_page_shows_the_public_names_and_no_others(site: Path, page: str, module: ModuleType) -> None:
    """Each name of ``__all__`` once, as it is imported; ``privref.report`` is a page of its own."""
    shown = headings(site / page / "index.html")
    assert sorted(item.name for item in shown if item.level == 3) == sorted({*module.__all__} - {"report"})
    for item in shown:
        if item.level == 3:
            public = getattr(module, item.name)
            # ``privref.audit`` is a package too, and others are modules: their functions stand by their own addresses.
            address = f"{module.__name__}.{item.name}"
            home = f"{getattr(public, '__module__', None)}.{item.name}"
            assert item.anchor == (home if address in sys.modules else address), item
            assert item.kind != "module", item
        else:
            # A field without a default has no value in its class.
            own = {part.name for part in fields(public)} if is_dataclass(public) else set()
            # Nor has an attribute that only instances have.
            own |= set(re.findall(r"self\.(\w+)", inspect.getsource(public))) if isinstance(public, type) else set()
            assert item.name in {*dir(public), *own}, item


def test_every_public_name_has_an_example_that_runs() -> None:
    """The examples of the page are run with all other blocks; each public name is used in one of them."""
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    used = {name for block in blocks(text) for name in re.findall(r"\bprivref\.(\w+)", block.text)}
    assert set(privref.__all__) - used == set()


@pytest.mark.parametrize("public", [privref.Card, privref.Event, privref.Ledger], ids=lambda each: each.__name__)
def test_each_field_of_cards_and_ledgers_says_what_it_means(public: type) -> None:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(public))).body
    assert isinstance(tree, ast.ClassDef)
    named = [part for part in tree.body if isinstance(part, ast.AnnAssign)]
    said = {id(after) for after in tree.body if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)}
    silent = [tree.body[i] for i in range(len(tree.body)) if tree.body[i] in named and id(tree.body[i + 1]) not in said]
    assert (len(named) > 10, silent) == (True, [])


@BUILT
def test_a_class_shows_its_fields_and_a_function_its_types(site: Path) -> None:
    """Each public field of a data class stands below it; each parameter has its type."""
    shown = headings(site / "python" / "index.html")
    for name in privref.__all__:
        public = getattr(privref, name)
        if is_dataclass(public):
            below = {item.name for item in shown if item.anchor.startswith(f"privref.{name}.")}
            assert {part.name for part in fields(public) if not part.name.startswith("_")} <= below, name
    page = (site / "python" / "index.html").read_text(encoding="utf-8")
    assert page.count("ExactInput") > 20


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
    assert rows == set(get_args(Verdict)) == MEANINGS.keys()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for verdict, meaning in MEANINGS.items():
        assert f"| `{verdict}` | {meaning} |" in text
        assert f"`{verdict}`" in readme
