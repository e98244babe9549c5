"""Rounded inputs of a raw ledger, and the readings that their published digits allow."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell

#: By what they are parameters of: with which of them more is lost, and with which less. The checker's own.
_LOSE_MORE = {
    "guarantee": {"epsilon", "delta", "rho", "mu", "orders", "cells"},
    "gaussian": {"sensitivity", "sensitivity_squared"},
    "laplace": {"sensitivity", "shifts"},
    "randomized-response": {"epsilon", "probability"},
    "four-outcome-randomized-response": {"epsilon", "delta"},
}

_LOSE_LESS = {"gaussian": {"sigma", "sigma_squared"}, "laplace": {"scale"}, "geometric": {"scale"}}


def _rounded(document: Mapping[str, Any]) -> dict[str, tuple[tuple[str | int, ...], Fraction, Fraction]]:
    """By place: the path of a rounded input, and its values where least and where most is lost."""
    found: dict[str, tuple[tuple[str | int, ...], Fraction, Fraction]] = {}
    for i, event in enumerate(document["events"]):
        for part in ("guarantee", "mechanism"):
            for name, value in event.get(part, {}).items():
                inner: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
                if isinstance(value, dict) and "rounded" not in value:
                    inner = [((key,), each) for key, each in value.items()]
                elif isinstance(value, list):
                    inner = [((j,), each) for j, each in enumerate(value)]
                for rest, each in inner:
                    if not (isinstance(each, dict) and "rounded" in each):
                        continue
                    shown = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in rest)
                    place = f"events[{i}].{part}.{name}{shown}"
                    kind = part if part == "guarantee" else event[part]["kind"]
                    number, text = rational(each["rounded"], place), each["rounded"].lower()
                    mantissa, _, exponent = text.partition("e")
                    half = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2])) / 2
                    low, high = max(number - half, Fraction(0)), number + half
                    if name == "delta":
                        high = min(high, Fraction(1))
                    if name in _LOSE_MORE.get(kind, ()):
                        found[place] = ("events", i, part, name, *rest), low, high
                    elif name in _LOSE_LESS.get(kind, ()):
                        found[place] = ("events", i, part, name, *rest), high, low
                    else:
                        raise InputError(f"ledger: {place}", "(rounded)", "this parameter may not be rounded")
    return found


def with_values(document: Any, values: Mapping[tuple[str | int, ...], Fraction]) -> Any:
    found = copy.deepcopy(document)
    for path, value in values.items():
        inner = found
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = spell(value)
    return found


def at_end(document: Any, end: str) -> Any:
    """The ledger with every rounded input where most is lost, or where least is."""
    return with_values(
        document, {path: most if end == "most" else least for path, least, most in _rounded(document).values()}
    )


def reading_of(
    document: Mapping[str, Any], end: Mapping[str, Any], other: Mapping[str, Any] | None
) -> dict[tuple[str | int, ...], Fraction]:
    """The values of one reading by path: within the digits, and no less lost than with the other reading's."""
    rounded = _rounded(document)
    if set(end["inputs"]) != set(rounded):
        raise InputError("certificate.ends.inputs", ", ".join(end["inputs"]), "give a number for each rounded input")
    values = {}
    for place, (path, least, most) in rounded.items():
        value = rational(end["inputs"][place], f"certificate.ends.inputs.{place}")
        before = least if other is None else rational(other["inputs"][place], f"certificate.ends.inputs.{place}")
        between = before <= value <= most if least <= most else most <= value <= before
        if not between or not min(least, most) <= value <= max(least, most):
            raise InputError(f"certificate.ends.inputs.{place}", spell(value), "it is not what the digits allow here")
        values[path] = value
    return values
