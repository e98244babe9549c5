"""Every module that registers statements, imported when the registry is asked for what is not there yet."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

#: The layers whose modules may hold statements.
_LAYERS = ("guarantees", "mechanisms", "composition", "profiles", "adaptive", "games")


@cache
def load() -> None:
    """Import every module of the statement-bearing layers."""
    for layer in _LAYERS:
        package = importlib.import_module(f"privref.{layer}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
