"""What ``[tool.privref]`` of a pyproject.toml says for ``privref audit`` where no ledger is named."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import privref

_KEYS = ("ledger", "together", "claims", "baseline", "fail-on")


@dataclass(frozen=True, slots=True)
class Settings:
    """Paths as they are found from here, and the words of ``together`` and ``fail-on``, each as one text."""

    ledgers: tuple[Path, ...]
    claims: Path
    baseline: Path | None
    fail_on: str | None
    together: str | None


def settings(folder: Path) -> Settings | None:
    """The settings of the folder's pyproject.toml; None where it has none. InputError names what is wrong."""
    path = folder / "pyproject.toml"
    if not path.is_file():
        return None
    try:
        document = tomllib.loads(privref.read_text(path, "pyproject.toml"))
    except tomllib.TOMLDecodeError as error:
        raise privref.InputError("pyproject.toml", str(error), "the text is not TOML; mend it") from None
    except RecursionError:
        raise privref.InputError("pyproject.toml", "too deeply nested", "no settings nest so deeply") from None
    tool = document.get("tool", {})
    table = tool.get("privref") if isinstance(tool, dict) else None
    if table is None:
        return None
    place = "pyproject.toml: tool.privref"
    if not isinstance(table, dict):
        raise privref.InputError(place, table, "give a table")
    for key in table:
        if key not in _KEYS:
            raise privref.InputError(place, key, f"unknown field; known here: {', '.join(_KEYS)}")
    ledgers = tuple(folder / name for name in _texts(table, "ledger", place))
    if not ledgers or "claims" not in table:
        raise privref.InputError(place, ", ".join(table) or "(empty)", "give ledger (a path or several) and claims")
    baseline = table.get("baseline")
    return Settings(
        ledgers,
        folder / _text(table["claims"], f"{place}.claims"),
        None if baseline is None else folder / _text(baseline, f"{place}.baseline"),
        ",".join(_texts(table, "fail-on", place)) if "fail-on" in table else None,
        ",".join(_texts(table, "together", place)) if "together" in table else None,
    )


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise privref.InputError(place, value, "give a text")
    return value


def _texts(table: dict[str, Any], key: str, place: str) -> list[str]:
    value = table.get(key, [])
    values = value if isinstance(value, list) else [value]
    return [_text(entry, f"{place}.{key}") for entry in values]
