"""Inputs as published are rounded: ``{"rounded": "0.81"}`` is a number within half a unit of its last digit.

What is lost moves one way with each parameter that may be rounded, for every epsilon at once: a guarantee with smaller
numbers implies the one with larger numbers; noise of a larger scale is noise of the smaller one and more (Gaussian,
Laplace and geometric noise of a larger scale are that of a smaller one plus independent noise, by the quotients of
their characteristic functions), and a larger sensitivity is a smaller scale; a response of smaller epsilon is one of
the larger epsilon, answered at random at times. So two readings of a ledger speak for all: all parameters where most is
lost, and all where least is lost. Not so sigma of a discrete Gaussian: at epsilon = 5 and shift 1 delta is 0.0177 for
sigma^2 = 1/8, 0.0066 for 1/10 and 0.6315 for 1/12.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell, unit_in_last_place
from privref.statements.params import NON_NEGATIVE, OPEN_PROBABILITY, POSITIVE, PROBABILITY, Domain

#: A path into a ledger's document.
_Path = tuple[str | int, ...]
End = Literal["least", "most"]

_RISES: dict[str, Domain] = {
    "epsilon": NON_NEGATIVE,
    "delta": PROBABILITY,
    "rho": NON_NEGATIVE,
    "mu": NON_NEGATIVE,
    "orders": NON_NEGATIVE,
    "cells": NON_NEGATIVE,
}
#: The parameters with which more is lost, and those with which less is: of normal noise, and by kind of mechanism.
_NORMAL: tuple[dict[str, Domain], dict[str, Domain]] = (
    {"sensitivity": NON_NEGATIVE, "sensitivity_squared": NON_NEGATIVE},
    {"sigma": POSITIVE, "sigma_squared": POSITIVE},
)
_MECHANISMS: dict[str, tuple[dict[str, Domain], dict[str, Domain]]] = {
    "gaussian": _NORMAL,
    "matrix-gaussian": _NORMAL,
    "gaussian-mixture": ({}, _NORMAL[1]),
    "laplace": ({"sensitivity": NON_NEGATIVE, "shifts": NON_NEGATIVE}, {"scale": POSITIVE}),
    "geometric": ({}, {"scale": POSITIVE}),
    "report-noisy-max": ({"sensitivity": NON_NEGATIVE}, {"scale": POSITIVE}),
    "randomized-response": ({"epsilon": NON_NEGATIVE, "probability": OPEN_PROBABILITY}, {}),
    "four-outcome-randomized-response": ({"epsilon": NON_NEGATIVE, "delta": PROBABILITY}, {}),
}


@dataclass(frozen=True, slots=True)
class RoundedInput:
    """One rounded parameter: where it stands, as it was published, and its values where least and most is lost."""

    path: _Path
    text: str
    least: Fraction
    most: Fraction

    def __str__(self) -> str:
        return f"{self.place} {self.text}"

    @property
    def place(self) -> str:
        """The path as it is written in messages and certificates."""
        return place_of(self.path)

    @property
    def event(self) -> str:
        """The event that it is a parameter of, as it is written there."""
        return place_of(self.path[:2])


def place_of(path: _Path) -> str:
    """``events[0].guarantee.epsilon``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _is_rounded(value: object) -> bool:
    return isinstance(value, Mapping) and "rounded" in value


def _found(document: Any, path: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    """Every ``{"rounded": …}`` of a document, wherever it stands."""
    if _is_rounded(document):
        yield path, document
    elif isinstance(document, Mapping):
        for key, value in document.items():
            yield from _found(value, (*path, key))
    elif isinstance(document, list):
        for i, value in enumerate(document):
            yield from _found(value, (*path, i))


def rounded_inputs(document: Any) -> tuple[RoundedInput, ...]:
    """The rounded parameters of a ledger's document; InputError where one stands elsewhere or is not a decimal."""
    return tuple(_read(document, path, value) for path, value in _found(document))


def _read(document: Any, path: _Path, value: Mapping[str, Any]) -> RoundedInput:
    place, text = f"ledger.{place_of(path)}", value["rounded"]
    if set(value) != {"rounded"} or not isinstance(text, str):
        raise InputError(place, ", ".join(map(str, value)), 'give the published decimal alone, {"rounded": "0.81"}')
    rises, domain = _direction(document, path)
    unit = unit_in_last_place(text, place)
    ends = rational(text, place) - unit / 2, rational(text, place) + unit / 2
    low, high = (max(ends[0], Fraction(0)), ends[1])
    if domain is PROBABILITY:
        high = min(high, Fraction(1))
    for end in (low, high):
        if not domain.contains(end):
            raise InputError(place, text, f"half a unit of its last digit reaches {spell(end)}: give more digits")
    return RoundedInput(path, text, *((low, high) if rises else (high, low)))


def _direction(document: Any, path: _Path) -> tuple[bool, Domain]:
    """Whether more is lost the larger the parameter is, and its domain."""
    match path:
        case ("events", int(), "guarantee", str(name), *rest) if name in _RISES and len(rest) == (
            name in ("orders", "cells")
        ):
            return True, _RISES[name]
        case ("events", int(i), "mechanism", str(name), *rest) if len(rest) == (name == "shifts"):
            kind = document["events"][i]["mechanism"].get("kind")
            rising, falling = _MECHANISMS.get(kind, ({}, {}))
            if name in rising:
                return True, rising[name]
            if name in falling:
                return False, falling[name]
            if kind == "discrete-gaussian" and name in ("sigma", "sigma_squared"):
                remedy = (
                    "the profile of a discrete Gaussian does not move one way with sigma, so that two ends do not "
                    "speak for what lies between; give it exactly, or declare the guarantee zcdp with a rounded rho"
                )
                raise InputError(f"ledger.{place_of(path)}", "(rounded)", remedy)
    remedy = "only the real parameters of a guarantee or a mechanism may be rounded; give this one exactly"
    raise InputError(f"ledger.{place_of(path)}", "(rounded)", remedy)


def with_values(document: Any, values: Mapping[_Path, Fraction]) -> Any:
    """The document with exact numbers in place of the rounded ones."""
    if not values:
        return document
    found = copy.deepcopy(document)
    for path, value in values.items():
        inner = found
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = spell(value)
    return found


def at_end(document: Any, inputs: tuple[RoundedInput, ...], end: End) -> Any:
    """The document read where most, or where least, is lost."""
    return with_values(document, {item.path: item.most if end == "most" else item.least for item in inputs})
