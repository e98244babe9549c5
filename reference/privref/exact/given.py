"""What a caller gave is of the type that is read, or refused in one line."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import InputError


def require(value: object, kind: type | tuple[type, ...], field: str, remedy: str) -> None:
    """InputError where the value is of no such type."""
    if not isinstance(value, kind):
        raise InputError(field, value, remedy)


def require_text(value: object, field: str, remedy: str = "give text") -> None:
    """InputError where the value is not a text."""
    require(value, str, field, remedy)


def path_from(value: object, field: str) -> Path:
    """A path from text or a path; InputError for anything else, and for none at all."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise InputError(field, value, "give the path of a file or folder, as text or as a Path")
    return Path(value)
