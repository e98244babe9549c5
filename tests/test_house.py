"""What ``python -m tests.house`` counts, and that no modules of the package import each other in a circle."""

from __future__ import annotations

import grimp

from tests import house


def test_no_modules_import_each_other() -> None:
    assert house.circles(grimp.build_graph("privref")) == []


def test_a_circle_of_three_and_arrows_are_seen() -> None:
    graph = grimp.ImportGraph()
    for one, other in (("p.a.x", "p.b.y"), ("p.b.y", "p.c"), ("p.c", "p.a.x"), ("p.a.x", "p.a.z")):
        for module in (one, other):
            graph.add_module(module)
        graph.add_import(importer=one, imported=other)
    assert house.circles(graph) == [("p.a.x", "p.b.y", "p.c")]
    assert house.arrows(graph) == {("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1}


def test_lines_are_those_of_the_files() -> None:
    """Each line once: the rooms together have all of them, and a kind of line never more than there are."""
    rooms = house.lines()
    whole = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in house.FOLDER.rglob("*.py"))
    assert sum(found["lines"] for found in rooms.values()) == whole
    kinds = ("docstrings", "imports", "comments", "blank")
    assert all(max(found[kind] for kind in kinds) <= found["lines"] for found in rooms.values())
