"""The modules that register statements, imported when the registry is asked for what is not there yet."""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import cache
from importlib.resources import files

#: The layers whose modules may hold statements.
_LAYERS = ("guarantees", "mechanisms", "composition", "profiles", "adaptive", "games")


@cache
def modules() -> dict[str, str]:
    """Return which module registers each statement, by its id; ``python -m proofs --index`` writes the file."""
    text = files("privref.statements").joinpath("modules.json").read_text(encoding="utf-8")
    homes: dict[str, str] = json.loads(text)
    return homes


def load_one(id: str) -> None:
    """Import the module that registers this statement; every module where the file does not name it."""
    module = modules().get(id)
    if module is None:
        load()
    else:
        importlib.import_module(module)


@cache
def load() -> None:
    """Import every module of the statement-bearing layers."""
    for layer in _LAYERS:
        package = importlib.import_module(f"privref.{layer}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
