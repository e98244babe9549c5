"""What the quick run leaves out exists."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import SLOW

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("slow", sorted(SLOW))
def test_what_the_quick_run_leaves_out_is_a_test(slow: str) -> None:
    """A test that was renamed or mended is not left in the list."""
    path, name = slow.split("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_groups_are_kept_together(pytestconfig: pytest.Config, request: pytest.FixtureRequest) -> None:
    """pytest-xdist names the group in the id: without that, two processes build the Lean library in one folder."""
    if not pytestconfig.getoption("loadgroup", False):
        pytest.skip("the tests run in one process")
    items = [item for item in request.session.items if item.nodeid.startswith("tests/lean/")]
    assert all(item.nodeid.endswith("@lean") for item in items)
