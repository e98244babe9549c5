"""Every module that registers statements, so that asking the registry never depends on what was imported before."""

from __future__ import annotations

import importlib
import pkgutil

#: The layers whose modules may hold statements.
_LAYERS = ("guarantees", "mechanisms", "composition", "profiles", "adaptive", "games")


def load() -> None:
    """Import every module of the statement-bearing layers."""
    for layer in _LAYERS:
        package = importlib.import_module(f"privref.{layer}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
