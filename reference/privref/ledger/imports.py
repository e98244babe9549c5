"""Other libraries' records as ledgers, read by their attributes: no other library is imported.

Numbers are taken over as the exact doubles that the library held. An event that privref can not account, such as a
subsampled mechanism, comes in as ``unknown`` and makes every claim out of scope. What a record does not say
(neighbours, whether parameters were fixed in advance) the caller states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from privref.exact import decide
from privref.exact.errors import InputError
from privref.exact.numbers import from_binary64, spell
from privref.exact.rounding import to_decimal

from .model import Interaction, Ledger, Neighbours, Parameters
from .reading import ledger_from_document

#: Digits to which an irrational epsilon of a recorded mechanism is rounded up.
_DIGITS = 40

_Entry = dict[str, Any]


def _exact(value: Any, field: str) -> Fraction:
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


def _at_least_zero(value: Any, field: str) -> Fraction:
    number = _exact(value, field)
    if number < 0:
        raise InputError(field, value, "a negative entry would refund what was spent")
    return number


def _times(value: Any, field: str) -> int:
    number = _exact(value, field)
    if number.denominator != 1 or number < 0:
        raise InputError(field, value, "a count is a whole number >= 0; a negative one would refund what was spent")
    return number.numerator


def _unknown(description: str) -> _Entry:
    return {"kind": "unknown", "description": description}


def _ledger(
    title: str,
    entries: Iterable[tuple[_Entry, int, str]],
    neighbours: Neighbours,
    parameters: Parameters,
    interaction: Interaction,
    privacy_unit: str,
) -> Ledger:
    events: list[dict[str, Any]] = []
    for guarantee, count, label in entries:
        if not count:
            continue
        last = events[-1] if events else None
        if last is not None and last["guarantee"] == guarantee and last.get("label", "") == label:
            last["count"] += count
            continue
        events.append({"guarantee": guarantee, "count": count} | ({"label": label} if label else {}))
    return ledger_from_document(
        {
            "schema": "ledger.1",
            "title": title,
            "privacy_unit": privacy_unit,
            "neighbours": neighbours,
            "parameters": parameters,
            "interaction": interaction,
            "events": events,
        }
    )


def ledger_from_diffprivlib(
    accountant: Any,
    *,
    neighbours: Neighbours,
    parameters: Parameters,
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "diffprivlib BudgetAccountant",
) -> Ledger:
    """The spends of a diffprivlib ``BudgetAccountant`` (or its ``spent_budget`` list of pairs).

    Its ceiling does not become the ledger's budget: it was enforced in floating point, which is not the filter of a
    theorem.
    """
    spends = getattr(accountant, "spent_budget", accountant)

    def entries() -> Iterator[tuple[_Entry, int, str]]:
        for i, (epsilon, delta) in enumerate(spends):
            e = _at_least_zero(epsilon, f"spent_budget[{i}].epsilon")
            d = _at_least_zero(delta, f"spent_budget[{i}].delta")
            pure = {"kind": "pure-dp", "epsilon": spell(e)}
            yield ({"kind": "approx-dp", "epsilon": spell(e), "delta": spell(d)} if d else pure), 1, ""

    return _ledger(title, entries(), neighbours, parameters, interaction, privacy_unit)


def ledger_from_opacus(
    history: Any,
    *,
    parameters: Parameters,
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "Opacus accountant",
) -> Ledger:
    """The history of an Opacus accountant: of the accountant itself, its ``state_dict()``, or the list of triples.

    A step at sample rate 1 is the Gaussian mechanism with mu = 1/(noise multiplier) when one record is added or
    removed, the relation that Opacus accounts. Subsampled steps are unknown.
    """
    if isinstance(history, Mapping):
        history = history["history"]
    steps = getattr(history, "history", history)

    def entries() -> Iterator[tuple[_Entry, int, str]]:
        for i, (noise_multiplier, sample_rate, count) in enumerate(steps):
            place = f"history[{i}]"
            sigma = _at_least_zero(noise_multiplier, f"{place}.noise_multiplier")
            rate = _at_least_zero(sample_rate, f"{place}.sample_rate")
            times = _times(count, f"{place}.steps")
            if rate == 0:
                continue
            if rate != 1:
                shown = f"Gaussian step, noise multiplier {noise_multiplier}, Poisson-sampled at rate {sample_rate}"
                yield _unknown(shown), times, ""
            else:
                yield _gaussian(sigma, Fraction(1)), times, ""

    return _ledger(title, entries(), "add-or-remove-one", parameters, interaction, privacy_unit)


def ledger_from_dp_event(
    event: Any,
    *,
    neighbours: Neighbours,
    parameters: Parameters,
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "dp-accounting DpEvent",
) -> Ledger:
    """The tree of a dp-accounting ``DpEvent`` (or the ``ledger`` of one of its accountants).

    Additive noise is calibrated there to a bound on the norm of one record's contribution, so that replacing a record
    moves the sum by up to twice that: mu and epsilon double under replace-one.
    """
    return _ledger(
        title,
        _events(getattr(event, "ledger", event), 1, neighbours, "event"),
        neighbours,
        parameters,
        interaction,
        privacy_unit,
    )


def _gaussian(sigma: Fraction, sensitivity: Fraction) -> _Entry:
    if sigma == 0:
        return _unknown("Gaussian mechanism without noise")
    return {"kind": "gaussian-dp", "mu": spell(sensitivity / sigma)}


def _events(event: Any, times: int, neighbours: Neighbours, place: str) -> Iterator[tuple[_Entry, int, str]]:
    """The leaves of the tree with their multiplicities; a kind of event that is not known here is ``unknown``."""
    name = type(event).__name__
    sensitivity = Fraction(1 if neighbours == "add-or-remove-one" else 2)
    match name:
        case "NoOpDpEvent":
            return
        case "ComposedDpEvent":
            for i, part in enumerate(event.events):
                yield from _events(part, times, neighbours, f"{place}.events[{i}]")
        case "SelfComposedDpEvent":
            count = _times(event.count, f"{place}.count")
            yield from _events(event.event, times * count, neighbours, f"{place}.event")
        case "GaussianDpEvent":
            sigma = _at_least_zero(event.noise_multiplier, f"{place}.noise_multiplier")
            yield _gaussian(sigma, sensitivity), times, ""
        case "LaplaceDpEvent":
            scale = _at_least_zero(event.noise_multiplier, f"{place}.noise_multiplier")
            pure = {"kind": "pure-dp", "epsilon": spell(sensitivity / scale)} if scale else None
            yield pure or _unknown("Laplace mechanism without noise"), times, ""
        case "DiscreteLaplaceDpEvent":
            decay = _at_least_zero(event.noise_parameter, f"{place}.noise_parameter")
            bound = _at_least_zero(event.sensitivity, f"{place}.sensitivity")
            yield {"kind": "pure-dp", "epsilon": spell(Fraction(decay * bound * sensitivity))}, times, ""
        case "RandomizedResponseDpEvent":
            yield _randomized_response(event, neighbours, place), times, ""
        case "ZCDpEvent" if getattr(event, "xi", 0) == 0:
            yield {"kind": "zcdp", "rho": spell(_at_least_zero(event.rho, f"{place}.rho"))}, times, ""
        case _:
            yield _unknown(f"dp-accounting {name}"), times, ""


def _randomized_response(event: Any, neighbours: Neighbours, place: str) -> _Entry:
    """With probability p one of k answers at random: epsilon = log(1 + k (1 - p) / p), rounded up."""
    if neighbours != "replace-one":
        return _unknown("randomized response where records are added or removed")
    p = _at_least_zero(event.noise_parameter, f"{place}.noise_parameter")
    k = _times(event.num_buckets, f"{place}.num_buckets")
    if p > 1 or k < 2:
        raise InputError(place, f"p = {p}, k = {k}", "give a noise parameter in [0, 1] and at least two buckets")
    if p == 0:
        return _unknown("randomized response without noise")
    odds = k * (1 - p) / p
    if odds == 0:
        return {"kind": "pure-dp", "epsilon": "0"}
    width = Fraction(1, 10 ** (_DIGITS + 1))
    found = decide.enclose(lambda ar: ar.log1p(odds), decide.engine("arb"), width)
    return {"kind": "pure-dp", "epsilon": to_decimal(found.upper, _DIGITS, "up")}
