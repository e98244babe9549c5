"""Public names that are imported when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


def homes(later: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Public name -> module of the package and name there, from ``{"module": "name original:public"}``."""
    return {
        word.split(":")[-1]: (module, word.split(":")[0]) for module, words in later.items() for word in words.split()
    }


def loader(owner: str, later: Mapping[str, str], moved: Mapping[str, str] | None = None) -> Callable[[str], object]:
    """A module's ``__getattr__`` for such names; for one that has moved the error says where to."""
    known = homes(later)

    def load(name: str) -> object:
        if name not in known:
            where = (moved or {}).get(name)
            hint = "" if where is None else f"; it is {where}"
            raise AttributeError(f"module {owner!r} has no attribute {name!r}{hint}")
        module, original = known[name]
        found: object = getattr(import_module(f"privref.{module}"), original)
        setattr(sys.modules[owner], name, found)
        return found

    return load


def keep_names(owner: str, later: Mapping[str, str]) -> None:
    """Let a public name stay what it is where a package inside has the same name, as ``privref.audit`` has.

    Python binds a package to its name in the parent when it is imported; here only where no public name is lost.
    """
    known = homes(later)

    class Parent(ModuleType):
        def __setattr__(self, name: str, value: object) -> None:
            if name not in known or not isinstance(value, ModuleType):
                super().__setattr__(name, value)

    sys.modules[owner].__class__ = Parent
