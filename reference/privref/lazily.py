"""Public names that are imported when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


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
