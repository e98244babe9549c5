"""Seams: functions that the symbolic proofs may replace while they run, each declared where it is defined.

A proof runs the package's own formulas on symbols. What only makes a formula fast, or reads, checks and spells numbers,
takes no symbols; it is marked ``@seam``, and ``standing_in`` puts its definition in its place. Nothing else uses this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")

#: Every seam by name (``exact.roots.root``), with the function itself.
SEAMS: dict[str, Callable[..., Any]] = {}
_STAND_INS: dict[str, Callable[..., Any]] = {}


def seam(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """Declare a function to be a seam."""
    name = f"{function.__module__.removeprefix('privref.')}.{function.__name__.lstrip('_')}"
    SEAMS[name] = function

    @wraps(function)
    def call(*arguments: Given.args, **named: Given.kwargs) -> Found:
        found: Found = _STAND_INS.get(name, function)(*arguments, **named)
        return found

    return call


@contextmanager
def standing_in(stand_ins: dict[str, Callable[..., Any]]) -> Iterator[None]:
    """Let these functions stand in for the seams of those names; KeyError for a name that is not a seam."""
    for name in stand_ins:
        SEAMS[name]
    before = dict(_STAND_INS)
    _STAND_INS.update(stand_ins)
    try:
        yield
    finally:
        _STAND_INS.clear()
        _STAND_INS.update(before)
