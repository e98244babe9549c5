"""Other libraries' records as ledgers, read by their attributes: no other library is imported.

Numbers are taken over as the exact doubles that the library held. An event that privref can not account comes in as
``unknown`` and makes every claim out of scope. Sampled Gaussian events come in as ``subsampled`` mechanisms. What a
record does not say (neighbours, whether parameters were fixed in advance, how batches were drawn) the caller states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from privref.exact import decide
from privref.exact.errors import InputError
from privref.exact.given import require
from privref.exact.numbers import from_binary64, rational, spell
from privref.exact.rounding import to_decimal
from privref.profiles.sampled import Sampling

from .model import Interaction, Ledger, Neighbours, Parameters
from .reading import ledger_from_document

#: Digits to which an irrational epsilon of a recorded mechanism is rounded up.
_DIGITS = 40

#: A guarantee, or under the key ``mechanism`` what ran.
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
        said = guarantee if "mechanism" in guarantee else {"guarantee": guarantee}
        last = events[-1] if events else None
        if last is not None and said.items() <= last.items() and last.get("label", "") == label:
            last["count"] += count
            continue
        events.append({**said, "count": count} | ({"label": label} if label else {}))
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
    remedy = "give a BudgetAccountant, or its spent_budget: pairs of epsilon and delta"
    require(spends, (list, tuple), "accountant", remedy)
    for i, spend in enumerate(spends):
        if not isinstance(spend, (list, tuple)) or len(spend) != 2:
            raise InputError(f"spent_budget[{i}]", spend, remedy)

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
    sampling: Sampling = "poisson",
) -> Ledger:
    """The history of an Opacus accountant: of the accountant itself, its ``state_dict()``, or the list of triples.

    A step at sample rate 1 is the Gaussian mechanism with mu = 1/(noise multiplier) when one record is added or
    removed, the relation that Opacus accounts; at a smaller rate it is one on a Poisson sample, which Opacus accounts
    and its data loader draws unless told not to. ``sampling`` says what was drawn where it was another.
    """
    steps: Any = history.get("history") if isinstance(history, Mapping) else getattr(history, "history", history)
    require(steps, (list, tuple), "history", "give an Opacus accountant, its state_dict(), or its list of triples")

    def entries() -> Iterator[tuple[_Entry, int, str]]:
        for i, step in enumerate(steps):
            place = f"history[{i}]"
            if not isinstance(step, (list, tuple)) or len(step) != 3:
                raise InputError(place, step, "give noise multiplier, sample rate and steps")
            noise_multiplier, sample_rate, count = step
            sigma = _at_least_zero(noise_multiplier, f"{place}.noise_multiplier")
            rate = _at_least_zero(sample_rate, f"{place}.sample_rate")
            times = _times(count, f"{place}.steps")
            if rate == 0:
                continue
            if rate != 1:
                if rate > 1:
                    raise InputError(f"{place}.sample_rate", sample_rate, "a rate is a probability")
                yield _sampled(sigma, Fraction(1), rate, sampling), times, ""
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
    if type(event).__module__ == "builtins":
        raise InputError("event", event, "give a DpEvent of dp-accounting, or the ledger of one of its accountants")
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


def _sampled(
    sigma: Fraction, sensitivity: Fraction, rate: Fraction, sampling: str, cap: tuple[Fraction, Fraction] | None = None
) -> _Entry:
    """A Gaussian mechanism on samples, with the exact numbers of the record; with a cap and the number of records."""
    if sigma == 0:
        return _unknown(f"Gaussian mechanism without noise on samples ({sampling})")
    base = {"kind": "gaussian", "sigma": _spelled(sigma), "sensitivity": spell(sensitivity)}
    drawn = {"kind": "subsampled", "base": base, "rate": _spelled(rate), "sampling": sampling}
    if cap is not None:
        drawn |= {"batch_cap": spell(cap[0]), "records": spell(cap[1])}
    return {"mechanism": drawn}


def _spelled(value: Fraction) -> str:
    """As a fraction where that is short; a long double as the hexadecimal number that it is."""
    return spell(Fraction(value) if value.denominator <= 1 << 10 else value)


def ledger_from_dp_sgd(
    record: Mapping[str, Any],
    *,
    sampling: Sampling,
    parameters: Parameters = "fixed-in-advance",
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "DP-SGD training run",
) -> Ledger:
    """A training run as JAX-privacy and TF-privacy write it: one mapping.

    ``noise_multiplier``; ``sampling_rate``, or ``batch_size`` with ``num_examples``; ``num_steps``, or ``num_epochs``
    with batch size and examples; what is said twice has to agree. Other names of the same (``number_of_examples``,
    ``n``, ``epochs``, ``steps``, ``num_updates``, ``sample_rate``) are read too. With ``truncated_batch_size`` larger
    Poisson samples are cut to that, and ``num_examples`` bounds the records of every data set. ``delta`` and
    ``epsilon`` are no part of a ledger and are left out; any other field is refused. Neighbours: one record is added or
    removed.
    """
    require(record, Mapping, "record", "give the settings of the run as a mapping")
    given: dict[str, Any] = {}
    for name, value in record.items():
        own = _SAME.get(name, name)
        if own not in _OF_A_RUN:
            raise InputError(f"record.{name}", value, f"an unknown field; known here: {', '.join(_OF_A_RUN)}")
        if own in given:
            raise InputError(f"record.{name}", value, f"{own} stands twice under different names")
        given[own] = value

    def number(name: str) -> Fraction:
        if name not in given:
            raise InputError(f"record.{name}", "(missing)", "the run is not known without it")
        value = given[name]
        read = rational(value, f"record.{name}") if isinstance(value, str) else _exact(value, f"record.{name}")
        if read <= 0:
            raise InputError(f"record.{name}", value, "give a number > 0")
        return read

    drawn = number("batch_size") / number("num_examples") if {"batch_size", "num_examples"} <= set(given) else None
    rate = number("sampling_rate") if "sampling_rate" in given else number("batch_size") / number("num_examples")
    if rate > 1:
        raise InputError("record.sampling_rate", spell(rate), "a rate is a probability")
    # As a double the quotient is rounded.
    if drawn is not None and abs(rate - drawn) * 2**53 > drawn:
        remedy = f"batch_size and num_examples make it {spell(drawn)}; correct the record, or leave one of the two out"
        raise InputError("record.sampling_rate", given["sampling_rate"], remedy)
    steps = number("num_steps") if "num_steps" in given else number("num_epochs") / rate
    if {"num_steps", "num_epochs"} <= set(given):
        # Libraries round the steps of an epoch, or those of all, up or down.
        epochs, of_one = number("num_epochs"), 1 / (rate if drawn is None else drawn)
        if not floor(epochs * floor(of_one)) <= steps <= ceil(epochs * ceil(of_one)):
            remedy = "num_epochs makes it {}; correct the record, or leave one of the two out"
            raise InputError("record.num_steps", given["num_steps"], remedy.format(ceil(epochs * of_one)))
    # As TF-privacy does: a part of a step is a step.
    count = -(-steps.numerator // steps.denominator)
    cap = (number("truncated_batch_size"), number("num_examples")) if "truncated_batch_size" in given else None
    if cap is not None and sampling != "poisson":
        raise InputError(
            "record.truncated_batch_size",
            spell(cap[0]),
            f"a cap is known of Poisson samples only, these are {sampling}",
        )
    entry = _sampled(number("noise_multiplier"), Fraction(1), rate, sampling, cap)
    return _ledger(title, [(entry, count, "")], "add-or-remove-one", parameters, interaction, privacy_unit)


_OF_A_RUN = (
    "noise_multiplier",
    "sampling_rate",
    "batch_size",
    "num_examples",
    "num_steps",
    "num_epochs",
    "truncated_batch_size",
    "delta",
    "epsilon",
)
#: Other libraries' names of the same.
_SAME = {
    "number_of_examples": "num_examples",
    "n": "num_examples",
    "num_samples": "num_examples",
    "dataset_size": "num_examples",
    "epochs": "num_epochs",
    "steps": "num_steps",
    "num_updates": "num_steps",
    "iterations": "num_steps",
    "sample_rate": "sampling_rate",
    "sampling_probability": "sampling_rate",
    "target_delta": "delta",
    "target_epsilon": "epsilon",
}


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
        case "PoissonSampledDpEvent" if type(event.event).__name__ == "GaussianDpEvent":
            rate = _at_least_zero(event.sampling_probability, f"{place}.sampling_probability")
            sigma = _at_least_zero(event.event.noise_multiplier, f"{place}.event.noise_multiplier")
            if rate > 1:
                raise InputError(f"{place}.sampling_probability", event.sampling_probability, "give a probability")
            if rate:
                yield _sampled(sigma, sensitivity, rate, "poisson"), times, ""
        case "TruncatedSubsampledGaussianDpEvent":
            rate = _at_least_zero(event.sampling_probability, f"{place}.sampling_probability")
            sigma = _at_least_zero(event.noise_multiplier, f"{place}.noise_multiplier")
            size = _times(event.truncated_batch_size, f"{place}.truncated_batch_size")
            records = _times(event.dataset_size, f"{place}.dataset_size")
            if rate > 1:
                raise InputError(f"{place}.sampling_probability", event.sampling_probability, "give a probability")
            # Nothing is in an empty batch; an empty data set has a neighbour with a record.
            if rate and size:
                cap = Fraction(size), Fraction(max(records, 1))
                yield _sampled(sigma, sensitivity, rate, "poisson", cap), times, ""
        case "SampledWithoutReplacementDpEvent" if type(event.event).__name__ == "GaussianDpEvent":
            records = _times(event.source_dataset_size, f"{place}.source_dataset_size")
            size = _times(event.sample_size, f"{place}.sample_size")
            if not 0 < size <= records:
                raise InputError(f"{place}.sample_size", event.sample_size, "give a part of the data set")
            sigma = _at_least_zero(event.event.noise_multiplier, f"{place}.event.noise_multiplier")
            yield _sampled(sigma, sensitivity, Fraction(size, records), "fixed-size"), times, ""
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
