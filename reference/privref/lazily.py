"""Public names that are imported when they are first asked for: those that a module imports for type checkers only."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any


@cache
def homes(owner: str) -> Mapping[str, tuple[str, str]]:
    """Public name -> module and name there, from the owner's block ``if TYPE_CHECKING``, which names each once."""
    module = sys.modules[owner]
    # Not get_source, which pytest's loader of an installed plugin does not have.
    loader: Any = module.__loader__
    tree = ast.parse(loader.get_data(module.__file__))
    blocks = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    imports = (line for block in blocks for line in block.body if isinstance(line, ast.ImportFrom))
    return {name.asname or name.name: (f"{owner}.{line.module}", name.name) for line in imports for name in line.names}


def loader(owner: str, moved: Mapping[str, str] | None = None) -> Callable[[str], object]:
    """A module's ``__getattr__`` for such names; for one that has moved the error says where to."""

    def load(name: str) -> object:
        if name not in homes(owner):
            where = (moved or {}).get(name)
            hint = "" if where is None else f"; it is {where}"
            raise AttributeError(f"module {owner!r} has no attribute {name!r}{hint}")
        module, original = homes(owner)[name]
        found: object = getattr(import_module(module), original)
        setattr(sys.modules[owner], name, found)
        return found

    return load


def keep_names(owner: str) -> None:
    """Let a public name stay what it is where a package inside has the same name, as ``privref.audit`` has.

    Python binds a package to its name in the parent when it is imported; here only where no public name is lost.
    """

    class Parent(ModuleType):
        def __setattr__(self, name: str, value: object) -> None:
            if not isinstance(value, ModuleType) or name not in homes(owner):
                super().__setattr__(name, value)

    sys.modules[owner].__class__ = Parent
