"""What the readers of other libraries' records share: exact numbers, the neighbours they say, laws, and a ledger."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import from_binary64, spell
from privref.profiles.declared import is_short

from .model import Interaction, Ledger, Neighbours, Parameters
from .reading import ledger_from_document

#: A guarantee, or under the key ``mechanism`` what ran.
Entry = dict[str, Any]


def exact(value: Any, field: str) -> Fraction:
    """The exact value of a recorded number, of whatever type it is."""
    if isinstance(value, (bool, str)):
        raise InputError(field, value, "a record holds numbers")
    if isinstance(value, int):
        return Fraction(value)
    try:
        double = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(field, value, "a record holds numbers") from None
    if not math.isfinite(double):
        raise InputError(field, value, "this record holds no finite number; it proves nothing")
    if double != value:
        raise InputError(field, value, "the number is longer than a double and would be rounded")
    return from_binary64(double)


def at_least_zero(value: Any, field: str) -> Fraction:
    number = exact(value, field)
    if number < 0:
        raise InputError(field, value, "a negative entry would refund what was spent")
    return number


def whole_count(value: Any, field: str) -> int:
    number = exact(value, field)
    if number.denominator != 1 or number < 0:
        raise InputError(field, value, "a count is a whole number >= 0; a negative one would refund what was spent")
    return number.numerator


def unknown(description: str) -> Entry:
    return {"kind": "unknown", "description": description}


#: What other libraries call the neighbouring relation, in objects and in settings.
RELATION = (
    "neighboring_relation", "neighbouring_relation", "neighbor_relation", "neighbors", "neighbours", "adjacency",
)  # fmt: skip
_RELATIONS: Mapping[str, Neighbours] = {
    "add-or-remove-one": "add-or-remove-one",
    "replace-one": "replace-one",
    "replace-special": "zero-out",
    "zero-out": "zero-out",
}


def require_relation(said: Any, declared: str, field: str) -> None:
    """Refuse a record whose neighbouring relation (a word, or a member of an enumeration) is not the declared one."""
    word = getattr(said, "name", said)
    relation = _RELATIONS.get(word.strip().casefold().replace("_", "-")) if isinstance(word, str) else None
    if relation is None:
        remedy = (
            "a ledger knows add-or-remove-one, replace-one and zero-out (dp-accounting's REPLACE_SPECIAL); of another "
            "relation nothing follows for these"
        )
        raise InputError(field, word, remedy)
    if relation != declared:
        remedy = f"the ledger would say {declared}, under which the same noise hides another change; declare {relation}"
        if field.startswith(("record", "history")):
            remedy = f"this importer reads runs accounted for {declared}, and nothing follows for {relation} from those"
        raise InputError(field, word, remedy)


def hold_relation(record: Any, declared: str, field: str) -> bool:
    """Refuse an object that says another neighbouring relation than declared; return whether it says one."""
    found = [name for name in RELATION if getattr(record, name, None) is not None]
    for name in found:
        require_relation(getattr(record, name), declared, f"{field}.{name}")
    return bool(found)


def ledger_of(
    title: str,
    entries: Iterable[tuple[Entry, int, str]],
    neighbours: Neighbours,
    parameters: Parameters,
    interaction: Interaction,
    privacy_unit: str,
) -> Ledger:
    events: list[dict[str, Any]] = []
    for guarantee, count, label in entries:
        if not count:
            continue
        said = guarantee if {"mechanism", "guarantee"} & set(guarantee) else {"guarantee": guarantee}
        last = events[-1] if events else None
        if last is not None and last == {**said, "count": last["count"]} | ({"label": label} if label else {}):
            last["count"] += count
            continue
        events.append({**said, "count": count} | ({"label": label} if label else {}))
    # An accountant before its first event, or a tree that does nothing.
    nothing = {"guarantee": {"kind": "pure-dp", "epsilon": "0"}, "label": "nothing ran"}
    return ledger_from_document(
        {
            "schema": "ledger.1",
            "title": title,
            "privacy_unit": privacy_unit,
            "neighbours": neighbours,
            "parameters": parameters,
            "interaction": interaction,
            "events": events or [nothing],
        }
    )


#: The label of an event of which only a guarantee is read.
NO_LAW = "only its guarantee is read: its parameters are too long for a law"
Leaf = tuple[Entry, str]


def at_most(law: dict[str, Any], sensitivity: Fraction) -> dict[str, Any]:
    """The law; that replacing a record moves the sum by twice the norm is a bound only."""
    return law if sensitivity == 1 else {**law, "attained": False}


def gaussian(sigma: Fraction, sensitivity: Fraction) -> Leaf:
    """A Gaussian mechanism by its law."""
    if sigma == 0:
        return unknown("Gaussian mechanism without noise"), ""
    if not is_short(sigma):
        return {"kind": "gaussian-dp", "mu": spell(sensitivity / sigma)}, NO_LAW
    law = {"kind": "gaussian", "sigma": spelled(sigma), "sensitivity": spell(sensitivity)}
    return {"mechanism": at_most(law, sensitivity)}, ""


def sampled(
    sigma: Fraction,
    sensitivity: Fraction,
    rate: Fraction,
    sampling: str,
    cap: tuple[Fraction, Fraction] | None = None,
    records: Fraction | int | None = None,
) -> Entry:
    """A Gaussian mechanism on samples, with the exact numbers of the record.

    With a cap and the number of records that it is for; of draws with replacement with the ``records`` they are of.
    """
    if sigma == 0:
        return unknown(f"Gaussian mechanism without noise on samples ({sampling})")
    base = at_most({"kind": "gaussian", "sigma": spelled(sigma), "sensitivity": spell(sensitivity)}, sensitivity)
    drawn: dict[str, Any] = {"kind": "subsampled", "base": base, "rate": spelled(rate), "sampling": sampling}
    if sampling == "poisson" and sensitivity == 2:
        # In units of the clipping norm no record contributes more than half of what replacing one changes.
        drawn["clipped"] = True
    if cap is not None:
        drawn |= {"batch_cap": int(cap[0]), "records": int(cap[1])}
    if records is not None:
        drawn["records"] = int(records)
    return {"mechanism": drawn}


def spelled(value: Fraction) -> str:
    """As a fraction where that is short; a long double as the hexadecimal number that it is."""
    return spell(Fraction(value) if value.denominator <= 1 << 10 else value)
