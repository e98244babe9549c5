"""Other libraries' records as ledgers, read by their attributes: no other library is imported.

Numbers are taken over as the exact doubles that the library held. What ran comes in with its law, as a declared
mechanism, where ``ledger.1`` can say it: Gaussian, Laplace and discrete Laplace noise, randomized response, and Poisson
samples of one of them. Of what has no such law only the guarantee comes in, and its label says so; an event of which
not even that is known comes in as ``unknown`` and makes every claim out of scope. What a record does not say
(neighbours, whether parameters were fixed in advance, how batches were drawn) the caller states; a record that says
other neighbours is refused.

Noise on a vector is drawn coordinate by coordinate, and Laplace noise is calibrated to the l1 norm of what one record
adds. The pair of one coordinate that is shifted by the whole norm dominates: its trade-off function is the chain
g(1 - f) of those of the parts of the shift (their likelihood ratios are monotone), and by hybrid steps from coordinate
to coordinate no product has a smaller one than that chain (ours). A vector along one axis attains it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from privref.exact.errors import InputError, require
from privref.exact.numbers import ExactInput, rational, spell
from privref.exact.rounding import to_decimal
from privref.guarantees.conversions import renyi_costs
from privref.guarantees.selection import ORDERS_OF_A_TRIAL, least_gamma
from privref.profiles.declared import MOST_BINS, is_short
from privref.profiles.model import MOST_OF_A_GROUP
from privref.profiles.sampled import ORDERS, Sampling

from .model import Interaction, Ledger, Neighbours, Parameters
from .records import (
    NO_LAW,
    RELATION,
    Entry,
    Leaf,
    at_least_zero,
    at_most,
    exact,
    gaussian,
    hold_relation,
    ledger_of,
    require_relation,
    sampled,
    spelled,
    unknown,
    whole_count,
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

    They are guarantees: the accountant does not record which mechanisms ran, so that there is no law to read.
    Its ceiling does not become the ledger's budget: it was enforced in floating point, which is not the filter of a
    theorem.
    """
    hold_relation(accountant, neighbours, "accountant")
    spends = getattr(accountant, "spent_budget", accountant)
    remedy = "give a BudgetAccountant, or its spent_budget: pairs of epsilon and delta"
    require(spends, (list, tuple), "accountant", remedy)
    for i, spend in enumerate(spends):
        if not isinstance(spend, (list, tuple)) or len(spend) != 2:
            raise InputError(f"spent_budget[{i}]", spend, remedy)

    def entries() -> Iterator[tuple[Entry, int, str]]:
        for i, (epsilon, delta) in enumerate(spends):
            e = at_least_zero(epsilon, f"spent_budget[{i}].epsilon")
            d = at_least_zero(delta, f"spent_budget[{i}].delta")
            pure = {"kind": "pure-dp", "epsilon": spell(e)}
            yield ({"kind": "approx-dp", "epsilon": spell(e), "delta": spell(d)} if d else pure), 1, ""

    return ledger_of(title, entries(), neighbours, parameters, interaction, privacy_unit)


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
    and its data loader draws by default. ``sampling`` says what was drawn where it was another.
    """
    if isinstance(history, Mapping):
        for name, value in history.items():
            if name in RELATION:
                require_relation(value, "add-or-remove-one", f"history.{name}")
            elif name not in ("history", "mechanism"):
                known = "history, mechanism and the neighbouring relation"
                raise InputError(
                    f"history.{name}", value, f"an unknown field of an accountant's state; known are {known}"
                )
        steps: Any = history.get("history")
    else:
        hold_relation(history, "add-or-remove-one", "history")
        steps = getattr(history, "history", history)
    require(steps, (list, tuple), "history", "give an Opacus accountant, its state_dict(), or its list of triples")

    def entries() -> Iterator[tuple[Entry, int, str]]:
        for i, step in enumerate(steps):
            place = f"history[{i}]"
            if not isinstance(step, (list, tuple)) or len(step) != 3:
                raise InputError(place, step, "give noise multiplier, sample rate and steps")
            noise_multiplier, sample_rate, count = step
            sigma = at_least_zero(noise_multiplier, f"{place}.noise_multiplier")
            rate = at_least_zero(sample_rate, f"{place}.sample_rate")
            times = whole_count(count, f"{place}.steps")
            if rate == 0:
                continue
            if rate != 1 or sampling != "poisson":
                if rate > 1:
                    raise InputError(f"{place}.sample_rate", sample_rate, "a rate is a probability")
                yield sampled(sigma, Fraction(1), rate, sampling), times, ""
            else:
                entry, label = gaussian(sigma, Fraction(1))
                yield entry, times, label

    return ledger_of(title, entries(), "add-or-remove-one", parameters, interaction, privacy_unit)


def ledger_from_tensorflow(
    history: Any,
    *,
    parameters: Parameters,
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "TensorFlow Privacy ledger",
    sampling: Sampling = "poisson",
) -> Ledger:
    """The list of samples that a ``PrivacyLedger`` of TensorFlow Privacy formats, whose rates and noises may change.

    Each has a ``selection_probability`` and ``queries``: sums on the same sample, by ``l2_norm_bound`` and
    ``noise_stddev``. The record holds them as floats of 32 bits, and these are what is read. One record is added or
    removed, the relation that the library accounts. ``sampling`` says what was drawn where it was no Poisson sample.
    """
    require(history, (list, tuple), "history", "give the list of samples, as PrivacyLedger formats it")

    def entries() -> Iterator[tuple[Entry, int, str]]:
        for i, sample in enumerate(history):
            place = f"history[{i}]"
            rate = _probability(sample, "selection_probability", place)
            noises: list[tuple[Fraction, int]] = []
            for j, query in enumerate(_sequence(sample, "queries", place)):
                where = f"{place}.queries[{j}]"
                norm, noise = (
                    at_least_zero(_field(query, name, where), f"{where}.{name}")
                    for name in ("l2_norm_bound", "noise_stddev")
                )
                noises += [(noise / norm, 1)] if norm else []
            base = _one_query(noises, Fraction(1))
            if isinstance(base, dict) and rate == 1 and sampling == "poisson":
                yield {"mechanism": base}, 1, ""
            elif rate:
                found = _on_samples("TensorFlow Privacy sample", base, rate, sampling, Fraction(1))
                if found is not None:
                    yield found[0], 1, found[1]

    return ledger_of(title, entries(), "add-or-remove-one", parameters, interaction, privacy_unit)


def ledger_from_accountant(
    accountant: Any,
    *,
    neighbours: Neighbours,
    parameters: Parameters,
    epsilon: ExactInput | None = None,
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "stored values of an accountant",
) -> Ledger:
    """What an accountant computed, where nobody kept what ran: the library is taken at its word.

    Renyi values are a mapping from orders to values, or an object with ``orders`` and ``rdp``. Of a privacy loss
    distribution (``get_delta_for_epsilon``, or an accountant's ``get_delta``) the delta at one ``epsilon`` is read.
    Nobody bounds the rounding errors of the library, and the event's label says so. If events are known, import these.
    """
    hold_relation(accountant, neighbours, "accountant")
    stored = accountant if isinstance(accountant, Mapping) else None
    if stored is None and hasattr(accountant, "orders") and hasattr(accountant, "rdp"):
        stored = dict(zip(list(accountant.orders), list(accountant.rdp), strict=True))
    if stored is not None and not stored:
        raise InputError("accountant", "(empty)", "give the Renyi value of one order at least")
    if stored is not None and epsilon is not None:
        raise InputError("epsilon", epsilon, "Renyi values are read at all orders; leave it out")
    if stored is not None:
        orders = {
            spell(exact(order, "accountant.orders")): spell(at_least_zero(value, f"accountant.rdp[{order}]"))
            for order, value in stored.items()
            if value != math.inf
        }
        entry: Entry = {"kind": "rdp", "orders": orders} if orders else unknown("Renyi values that are all infinite")
    else:
        ask = getattr(accountant, "get_delta_for_epsilon", None) or getattr(accountant, "get_delta", None)
        if ask is None:
            remedy = "give Renyi values by order, a privacy loss distribution, or an accountant that has one of these"
            raise InputError("accountant", type(accountant).__name__, remedy)
        if epsilon is None:
            raise InputError("epsilon", "(missing)", "of a privacy loss distribution one epsilon is read; say which")
        # The library answers at a double: that very number is declared.
        given = rational(epsilon, "epsilon")
        if not 0 <= given <= _MOST_EPSILON:
            raise InputError("epsilon", epsilon, f"give a number from 0 to {_MOST_EPSILON}")
        asked = float(given)
        at = at_least_zero(asked, "epsilon")
        delta = at_least_zero(ask(asked), "accountant.delta")
        entry = {"kind": "approx-dp", "epsilon": spell(at), "delta": spell(delta)}
        if not delta:
            entry = {"kind": "pure-dp", "epsilon": spell(at)}
    return ledger_of(title, [(entry, 1, _AT_ITS_WORD)], neighbours, parameters, interaction, privacy_unit)


#: No library stores what is lost beyond.
_MOST_EPSILON = 10**6
#: The label of values that a library computed.
_AT_ITS_WORD = "as a library computed it: nobody bounds its rounding errors"


def ledger_from_dp_event(
    event: Any,
    *,
    neighbours: Neighbours,
    parameters: Parameters,
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "dp-accounting DpEvent",
) -> Ledger:
    """The tree of a dp-accounting ``DpEvent``, or one of its accountants, whose neighbouring relation must be this one.

    An event does not say its relation, and neither does the ``ledger`` of an accountant: give the accountant itself.

    Additive noise is calibrated there to a bound on the norm of one record's contribution, so that replacing a record
    moves the sum by up to twice that: mu and epsilon double under replace-one, as an upper bound (``attained`` false).
    Where nothing ran the ledger has one event of epsilon 0, as that of every record in which nothing ran.
    """
    if type(event).__module__ == "builtins":
        raise InputError("event", event, "give a DpEvent of dp-accounting, or one of its accountants")
    said = hold_relation(event, neighbours, "accountant")
    if hasattr(event, "ledger") and not said:
        remedy = "this accountant says no neighbouring relation; give its ledger, and be sure of the relation"
        raise InputError("accountant.neighboring_relation", "(missing)", remedy)
    entries = _events(getattr(event, "ledger", event), 1, neighbours, "event", itertools.count())
    return ledger_of(title, entries, neighbours, parameters, interaction, privacy_unit)


def _laplace(scale: Fraction, sensitivity: Fraction) -> Leaf:
    """A Laplace mechanism by its law."""
    if scale == 0:
        return unknown("Laplace mechanism without noise"), ""
    if not is_short(scale):
        return {"kind": "pure-dp", "epsilon": spell(sensitivity / scale)}, NO_LAW
    law = {"kind": "laplace", "scale": spelled(scale), "sensitivity": spell(sensitivity)}
    return {"mechanism": at_most(law, sensitivity)}, ""


def _discrete_laplace(decay: Fraction, norm: int, sensitivity: Fraction) -> Leaf:
    """A discrete Laplace mechanism, P(x) ~ exp(-decay |x|), by its law."""
    shift = norm * sensitivity
    if shift == 0:
        return {"kind": "pure-dp", "epsilon": "0"}, ""
    if decay == 0:
        return unknown("discrete Laplace mechanism without a law: a decay of 0"), ""
    if not is_short(1 / decay):
        return {"kind": "pure-dp", "epsilon": spell(decay * shift)}, NO_LAW
    law = {"kind": "geometric", "scale": spell(Fraction(1 / decay)), "shifts": [spell(shift)]}
    return {"mechanism": at_most(law, sensitivity)}, ""


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
    ``epsilon`` are not part of a ledger and are left out; any other field is refused. Neighbours: one record is added
    or removed; a record whose ``neighboring_relation`` is another one is refused.
    """
    require(record, Mapping, "record", "give the settings of the run as a mapping")
    given: dict[str, Any] = {}
    for name, value in record.items():
        if name in RELATION:
            require_relation(value, "add-or-remove-one", f"record.{name}")
            continue
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
        read = rational(value, f"record.{name}") if isinstance(value, str) else exact(value, f"record.{name}")
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
    records = number("num_examples") if sampling == "with-replacement" else None
    entry = sampled(number("noise_multiplier"), Fraction(1), rate, sampling, cap, records)
    return ledger_of(title, [(entry, count, "")], "add-or-remove-one", parameters, interaction, privacy_unit)


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


#: A tree of events nests so deeply at most, and has so many events. One object may stand in it many times.
_MOST_NESTED, _MOST_EVENTS = 100, 1_000_000


def _name(event: Any) -> str:
    """The class of an event; a named tuple that stands for one says it in a field."""
    name = getattr(event, "class_name", None) if hasattr(event, "_fields") else None
    name = name.decode("utf-8", "replace") if isinstance(name, bytes) else name
    return name if isinstance(name, str) else type(event).__name__


def _visit(event: Any, place: str, seen: Iterator[int]) -> None:
    """Count an event of the tree; InputError where it is too deep, or there are too many."""
    if place.count(".") > _MOST_NESTED:
        raise InputError("event", _name(event), f"a tree of more than {_MOST_NESTED} levels is not read")
    if next(seen) >= _MOST_EVENTS:
        raise InputError("event", _name(event), f"a tree of more than {_MOST_EVENTS} events is not read")


def _sequence(event: Any, name: str, place: str) -> Sequence[Any]:
    found = _field(event, name, place)
    try:
        return list(found)
    except TypeError:
        raise InputError(f"{place}.{name}", found, f"an event of kind {_name(event)} has a list of them") from None


def _events(
    event: Any, times: int, neighbours: Neighbours, place: str, seen: Iterator[int]
) -> Iterator[tuple[Entry, int, str]]:
    """The leaves of the tree with their multiplicities; a kind of event that is not known here is ``unknown``."""
    _visit(event, place, seen)
    match _name(event):
        case "NoOpDpEvent":
            return
        case "ComposedDpEvent":
            for i, part in enumerate(_sequence(event, "events", place)):
                yield from _events(part, times, neighbours, f"{place}.events[{i}]", seen)
        case "SelfComposedDpEvent":
            count = times * whole_count(_field(event, "count", place), f"{place}.count")
            yield from _events(_field(event, "event", place), count, neighbours, f"{place}.event", seen)
        case _:
            leaf = _leaf(event, neighbours, place, seen)
            if leaf is None:
                return
            entry, label = leaf
            often = _most_often(event, neighbours, place) if entry.get("kind") == "unknown" else 0
            if not often:
                yield entry, times, label
                return
            of_all = _field(event, "event", place)
            for inner, count, words in _events(of_all, times * often, neighbours, f"{place}.event", seen):
                law = {"mechanism": {**inner["mechanism"], "attained": False}} if "mechanism" in inner else {}
                yield {**inner, **law}, count, words or _ON_ALL


#: The label of what ran on samples and is read as if it ran on all records.
_ON_ALL = "on samples, of which no law is read: as on all records"


def _most_often(event: Any, neighbours: Neighbours, place: str) -> int:
    """In how many samples of an event one record is at most, where no others are drawn because of it; 0 elsewhere.

    Given the coins, what runs on a sample runs on two neighbours or on one data set twice, and a mixture of such pairs
    loses no more than the worst of them: the event loses no more than what runs, as often, on all records.
    """
    match _name(event):
        case "PoissonSampledDpEvent":
            return 1
        case "SampledWithoutReplacementDpEvent" if neighbours != "add-or-remove-one":
            return 1
        case "RandomAllocationDpEvent":
            return whole_count(_field(event, "num_selected", place), f"{place}.num_selected")
    return 0


def _field(event: Any, name: str, place: str) -> Any:
    found = getattr(event, name, None)
    if found is None:
        raise InputError(f"{place}.{name}", "(missing)", f"an event of kind {_name(event)} has one")
    return found


def _leaf(event: Any, neighbours: Neighbours, place: str, seen: Iterator[int]) -> Leaf | None:
    """What one event is, by its law where a ledger can say it, and its label; None for what reveals nothing."""

    def number(name: str) -> Fraction:
        return at_least_zero(_field(event, name, place), f"{place}.{name}")

    def whole(name: str) -> int:
        return whole_count(_field(event, name, place), f"{place}.{name}")

    sensitivity = Fraction(2 if neighbours == "replace-one" else 1)
    match name := _name(event):
        case "GaussianDpEvent":
            return gaussian(number("noise_multiplier"), sensitivity)
        case "LaplaceDpEvent":
            return _laplace(number("noise_multiplier"), sensitivity)
        case "DiscreteLaplaceDpEvent":
            return _discrete_laplace(number("noise_parameter"), whole("sensitivity"), sensitivity)
        case "RandomizedResponseDpEvent":
            return _randomized_response(number("noise_parameter"), whole("num_buckets"), neighbours, place)
        case "ZCDpEvent":
            return _zcdp(number("rho"), at_least_zero(getattr(event, "xi", 0), f"{place}.xi")), ""
        case "EpsilonDeltaDpEvent":
            epsilon, delta = number("epsilon"), number("delta")
            if delta > 1:
                raise InputError(f"{place}.delta", event.delta, "give a probability")
            return {"kind": "approx-dp", "epsilon": spell(epsilon), "delta": spell(delta)}, ""
        case "PoissonSampledDpEvent":
            rate = _rate(event, place)
            what = _field(event, "event", place)
            return _on_a_sample(what, rate, "poisson", neighbours, place, seen) if rate else None
        case "SampledWithoutReplacementDpEvent":
            records, size = whole("source_dataset_size"), whole("sample_size")
            if not 0 < size <= records:
                raise InputError(f"{place}.sample_size", event.sample_size, "give a part of the data set")
            what = _field(event, "event", place)
            return _on_a_sample(what, Fraction(size, records), "fixed-size", neighbours, place, seen)
        case "SampledWithReplacementDpEvent" if neighbours != "add-or-remove-one":
            records, size = whole("source_dataset_size"), whole("sample_size")
            base = _gaussian_base(_field(event, "event", place), sensitivity, f"{place}.event", seen)
            if not size:
                return None
            if not 1 < records >= size:
                return unknown(
                    f"dp-accounting {name}: no law of it is read with more draws than records, or one record"
                ), ""
            return _on_samples(event, base, Fraction(size, records), "with-replacement", sensitivity, records)
        case "TruncatedSubsampledGaussianDpEvent":
            rate, size, records = _rate(event, place), whole("truncated_batch_size"), whole("dataset_size")
            # Nothing is in an empty batch; an empty data set has a neighbour with a record.
            if not (rate and size):
                return None
            cap = Fraction(size), Fraction(max(records, 1))
            return sampled(number("noise_multiplier"), sensitivity, rate, "poisson", cap), ""
        case "MixtureOfGaussiansDpEvent" if neighbours != "replace-one":
            return _mixture(event, place)
        case "DiscreteGaussianDpEvent":
            return _discrete_gaussian(event, number("sigma"), number("sensitivity"), sensitivity, place)
        case "ExponentialMechanismDpEvent":
            # Its scores are whatever they are: of the mechanism the range of the loss is known, and no law.
            return {"kind": "bounded-range", "epsilon": spell(number("epsilon"))}, ""
        case "PermuteAndFlipDpEvent":
            return {"kind": "pure-dp", "epsilon": spell(number("epsilon"))}, _NO_FLIPS
        case "SingleEpochTreeAggregationDpEvent" if neighbours != "add-or-remove-one":
            return _tree(event, number("noise_multiplier"), sensitivity, place)
        case "RepeatAndSelectDpEvent":
            return _best_of(event, neighbours, place, seen)
        case "RandomAllocationDpEvent":
            return _allocation(event, whole("num_selected"), whole("num_steps"), neighbours, place, seen)
        case _:
            return unknown(f"dp-accounting {name}: {_WHY.get(name, 'no law of it is read')}"), ""


#: Why nothing is read of an event of that class.
_WHY = {
    "NonPrivateDpEvent": "it says that no epsilon holds of what ran",
    "UnsupportedDpEvent": "it says that nothing is known of what ran",
    "SampledWithReplacementDpEvent": (
        "where a record is added, no theorem of samples with replacement is registered; give zero-out neighbours "
        "(REPLACE_SPECIAL), or replace-one"
    ),
    "SingleEpochTreeAggregationDpEvent": (
        "a tree's nodes are sums over fixed records, so that adding one moves others; give zero-out neighbours "
        "(REPLACE_SPECIAL), or replace-one"
    ),
    "MixtureOfGaussiansDpEvent": "no law of it is read where a record is replaced",
}
#: The label of an event whose mechanism is known and whose law is not.
_NO_FLIPS = "permute-and-flip: its guarantee is read, no law of it is registered"


def _discrete_gaussian(event: Any, sigma: Fraction, norm: Fraction, sensitivity: Fraction, place: str) -> Leaf | None:
    """Discrete Gaussian noise: its law where one number moves by 1, else the rho of zCDP (Canonne et al. 2020)."""
    dimension = getattr(event, "dimension", None)
    if dimension is not None and whole_count(dimension, f"{place}.dimension") == 0:
        return None
    if sigma == 0:
        return unknown("discrete Gaussian mechanism without noise"), ""
    shift = norm * sensitivity
    if dimension == 1 and shift < 1:
        return None  # Whole numbers at a distance below 1 are equal.
    if dimension == 1 and shift < 2 and is_short(sigma):
        # The only whole shifts are 1 and -1, which are each other's mirror.
        law = {"kind": "discrete-gaussian", "sigma": spelled(sigma), "shifts": ["1"]}
        return {"mechanism": at_most(law, sensitivity)}, ""
    label = "discrete Gaussian: only its guarantee is read, since the worst change of a vector is not said"
    return {"kind": "zcdp", "rho": spell(shift * shift / (2 * sigma * sigma))}, label


def _tree(event: Any, sigma: Fraction, sensitivity: Fraction, place: str) -> Leaf | None:
    """Sums of a binary tree: a record is in one leaf of one tree, and so in at most as many nodes as it is high.

    All nodes together are one Gaussian query. The first leaf is below a node of each height, which attains it.
    """
    counts = _field(event, "step_counts", place)
    listed = [counts] if isinstance(counts, int) or not isinstance(counts, Iterable) else list(counts)
    steps = [whole_count(count, f"{place}.step_counts[{i}]") for i, count in enumerate(listed)]
    height = max((count.bit_length() for count in steps), default=0)
    if not height:
        return None
    if sigma == 0:
        return unknown("tree aggregation without noise"), ""
    square = height * sensitivity * sensitivity
    if not is_short(sigma):
        return {"kind": "zcdp", "rho": spell(square / (2 * sigma * sigma))}, NO_LAW
    law = {"kind": "gaussian", "sigma": spelled(sigma), "sensitivity_squared": spell(square)}
    return {"mechanism": at_most(law, sensitivity)}, "tree aggregation, one epoch"


def _allocation(
    event: Any, selected: int, steps: int, neighbours: Neighbours, place: str, seen: Iterator[int]
) -> Leaf | None:
    """A record in ``selected`` of ``steps`` steps, uniformly: with one of them balls in bins.

    With too many steps for a ledger, with fewer bins.
    """
    if not selected:
        return None
    if selected > steps:
        raise InputError(f"{place}.num_selected", selected, f"a record is in at most all {steps} steps")
    if neighbours == "replace-one":
        return unknown("dp-accounting RandomAllocationDpEvent: no theorem of replaced records is registered"), ""
    base = _gaussian_base(_field(event, "event", place), Fraction(1), f"{place}.event", seen)
    if base is None:
        return None
    if isinstance(base, str):
        return unknown(f"dp-accounting {base} in random steps: no law of it is read"), ""
    drawn: dict[str, Any] = {"kind": "subsampled", "base": base, "sampling": "balls-in-bins"}
    if steps <= MOST_BINS:
        return {"mechanism": {**drawn, "bins": steps, **({"chosen": selected} if selected > 1 else {})}}, ""
    # Fewer bins lose at least as much: the mean of b + 1 ratios is the mean of its means of b.
    drawn |= {"bins": min(steps // selected, MOST_BINS), "epochs": selected, "drawn": "each-epoch", "attained": False}
    return {"mechanism": drawn}, ""


def _best_of(event: Any, neighbours: Neighbours, place: str, seen: Iterator[int]) -> Leaf | None:
    """The best of a random number of trials (Papernot and Steinke 2022): a trial of several events by its Renyi DP."""
    mean, shape = at_least_zero(_field(event, "mean", place), f"{place}.mean"), _field(event, "shape", place)
    inner = list(_events(_field(event, "event", place), 1, neighbours, f"{place}.event", seen))
    if not inner or mean == 0:
        return None
    for entry, _, label in inner:
        if entry.get("kind") == "unknown":
            return entry, label
    trial = ledger_of("trial", inner, neighbours, "fixed-in-advance", "sequential", "record")
    costs = [(*renyi_costs(each.guarantee, ORDERS_OF_A_TRIAL), each.count) for each in trial.events]
    found = {
        order: sum((n * (of[i] or 0) for _, of, n in costs), Fraction(0))
        for i, order in enumerate(ORDERS_OF_A_TRIAL)
        if all(of[i] is not None for _, of, _ in costs)
    }
    if not found or any(delta != 0 for delta, _, _ in costs):
        return unknown(f"dp-accounting {_name(event)}: its trial has no Renyi DP without a delta"), ""
    ((entry, times, label), *more) = inner
    if more or times != 1:
        entry, label = {"kind": "rdp", "orders": {spell(order): spell(cost) for order, cost in found.items()}}, ""
    said = entry if "mechanism" in entry else {"guarantee": entry}
    if shape == math.inf:
        return {**said, "best_of": {"trials": "poisson", "mean": spelled(mean)}}, label
    eta = exact(shape, f"{place}.shape")
    if eta <= -1 or mean < 1:
        raise InputError(f"{place}.mean", event.mean, "there is one trial at least, and the shape is above -1")
    if mean == 1:
        return entry, label
    gamma = 1 / mean if eta == 1 else least_gamma(eta, mean)
    numbers = {"eta": spelled(eta), "gamma": spell(Fraction(gamma))}
    return {**said, "best_of": {"trials": "negative-binomial", **numbers}}, label


def _probability(event: Any, name: str, place: str) -> Fraction:
    rate = at_least_zero(_field(event, name, place), f"{place}.{name}")
    if rate > 1:
        raise InputError(f"{place}.{name}", getattr(event, name), "give a probability")
    return rate


def _rate(event: Any, place: str) -> Fraction:
    return _probability(event, "sampling_probability", place)


#: Decimals of the variance of several Gaussian mechanisms on one sample, where the exact one is too long for a law.
_DIGITS_OF_A_SUM = 25


def _gaussian_base(event: Any, sensitivity: Fraction, place: str, seen: Iterator[int]) -> dict[str, Any] | str | None:
    """The Gaussian mechanism that an event on a sample is, also where it is composed of several on the same sample.

    Their multipliers are those of one with the sum of the precisions, as an upper bound: no record need move all of
    them by its whole norm. A word where it is another mechanism, and None where nothing runs.
    """
    found: list[tuple[Fraction, int]] = []
    for part, times, where in _parts(event, 1, place, seen):
        if _name(part) != "GaussianDpEvent":
            return _name(part)
        found.append((at_least_zero(_field(part, "noise_multiplier", where), f"{where}.noise_multiplier"), times))
    return _one_query(found, sensitivity)


def _one_query(sigmas: Sequence[tuple[Fraction, int]], sensitivity: Fraction) -> dict[str, Any] | str | None:
    """Several Gaussian mechanisms on the same records, by their noise multipliers and how often each runs, as one."""
    if any(sigma == 0 for sigma, _ in sigmas):
        return "a Gaussian mechanism without noise"
    if not sigmas:
        return None
    alone = sigmas[0][0] if len(sigmas) == 1 and sigmas[0][1] == 1 else None
    variance = 1 / Fraction(sum(times / (sigma * sigma) for sigma, times in sigmas))
    if alone is None and not is_short(variance):
        variance = Fraction(to_decimal(variance, _DIGITS_OF_A_SUM, "down"))  # Less noise loses at least as much.
    if not variance or not is_short(variance if alone is None else alone):
        return "a Gaussian mechanism whose parameters are too long for a law"
    size = {"sigma_squared": spell(variance)} if alone is None else {"sigma": spelled(alone)}
    law = at_most({"kind": "gaussian", **size, "sensitivity": spell(sensitivity)}, sensitivity)
    return law if alone is not None else {**law, "attained": False}


def _parts(event: Any, times: int, place: str, seen: Iterator[int]) -> Iterator[tuple[Any, int, str]]:
    """The events that run on one sample, with how often."""
    _visit(event, place, seen)
    match _name(event):
        case "NoOpDpEvent":
            return
        case "ComposedDpEvent":
            for i, part in enumerate(_sequence(event, "events", place)):
                yield from _parts(part, times, f"{place}.events[{i}]", seen)
        case "SelfComposedDpEvent":
            count = times * whole_count(_field(event, "count", place), f"{place}.count")
            if count:
                yield from _parts(_field(event, "event", place), count, f"{place}.event", seen)
        case _:
            yield event, times, place


#: Whose law is one pair, also where the noise is on a vector.
_ONE_PAIR = ("LaplaceDpEvent", "DiscreteLaplaceDpEvent", "DiscreteGaussianDpEvent")


def _on_a_sample(
    event: Any, rate: Fraction, sampling: Sampling, neighbours: Neighbours, place: str, seen: Iterator[int]
) -> Leaf | None:
    """What runs on a sample: one mechanism with a law, or several Gaussian ones."""
    sensitivity, poisson = Fraction(2 if neighbours == "replace-one" else 1), sampling == "poisson"
    parts = list(itertools.islice(_parts(event, 1, f"{place}.event", seen), 2))
    if len(parts) == 1 and parts[0][1] == 1 and _name(parts[0][0]) != "GaussianDpEvent":
        only, _, where = parts[0]
        if _name(only) == "PoissonSampledDpEvent" and poisson:
            # A record is in a sample of a sample where it is in both, and each is drawn on its own.
            inner = _rate(only, where)
            what = _field(only, "event", where)
            return _on_a_sample(what, rate * inner, sampling, neighbours, where, seen) if inner else None
        # Where a record is added to samples of a fixed size, no law of what runs on them helps.
        known = _ONE_PAIR if poisson or neighbours != "add-or-remove-one" else ()
        if _name(only) in known or (_name(only) == "RandomizedResponseDpEvent" and neighbours == "replace-one"):
            found = _leaf(only, neighbours, where, seen)
            if found is None:
                return None
            entry, _ = found
            return _on_samples(only, entry.get("mechanism", _name(only)), rate, sampling, sensitivity)
    base = _gaussian_base(event, sensitivity, f"{place}.event", seen)
    return _on_samples(event, base, rate, sampling, sensitivity)


def _on_samples(
    event: Any,
    base: Mapping[str, Any] | str | None,
    rate: Fraction,
    sampling: Sampling,
    sensitivity: Fraction,
    records: int | None = None,
) -> Leaf | None:
    """A mechanism on samples; unknown where it has no law that a ledger can say, and None where nothing runs."""
    if base is None:
        return None
    if isinstance(base, str) or not is_short(rate):
        what = base if isinstance(base, str) else f"{_name(event)} at a rate of too many digits"
        return unknown(f"dp-accounting {what} on samples ({sampling}): no law of it is read"), ""
    drawn: dict[str, Any] = {"kind": "subsampled", "base": base, "rate": spelled(rate), "sampling": sampling}
    # The noise of these events is in units of what one record contributes at most.
    if sampling == "poisson" and sensitivity == 2 and base["kind"] == "gaussian":
        drawn["clipped"] = True
    if records is not None:
        drawn["records"] = records
    return {"mechanism": drawn}, ""


def _mixture(event: Any, place: str) -> Leaf | None:
    """A mixture of Gaussians; of one shift it is a Poisson sample of one Gaussian query.

    Weights that do not add up to 1 are rounded: what is missing is added to the largest shift's, and what is too much
    taken from the least ones'. With larger shifts at the same weights more is lost (kahane1985/mixture.delta).
    """
    sigma = at_least_zero(_field(event, "standard_deviation", place), f"{place}.standard_deviation")
    weights: dict[Fraction, Fraction] = {}
    shifts, chances = _sequence(event, "sensitivities", place), _sequence(event, "sampling_probs", place)
    if len(shifts) != len(chances):
        raise InputError(f"{place}.sampling_probs", f"{len(chances)} of them", f"give {len(shifts)}, as sensitivities")
    for i, (shift, chance) in enumerate(zip(shifts, chances, strict=True)):
        at = abs(Fraction(exact(shift, f"{place}.sensitivities[{i}]")))  # In one direction more is lost.
        weights[at] = weights.get(at, Fraction(0)) + at_least_zero(chance, f"{place}.sampling_probs[{i}]")
    total = sum(weights.values(), Fraction(0))
    # The doubles of probabilities that add up to 1 need not do so.
    if abs(total - 1) > Fraction(len(chances), 2**52):
        raise InputError(f"{place}.sampling_probs", to_decimal(total, 20, "up"), "give probabilities that add up to 1")
    moved = sorted(shift for shift, weight in weights.items() if shift and weight)
    if not moved:
        return None
    missing = 1 - total
    for shift in moved[-1:] if missing > 0 else sorted(weights):
        kept = max(weights[shift] + missing, Fraction(0))
        missing, weights[shift] = missing + weights[shift] - kept, kept
    moved = [shift for shift in moved if weights[shift]]
    if not sigma:
        return unknown("dp-accounting MixtureOfGaussiansDpEvent without noise"), ""
    if not all(map(is_short, (sigma, *moved, *weights.values()))) or len(moved) > MOST_OF_A_GROUP:
        return unknown("dp-accounting MixtureOfGaussiansDpEvent of parameters that are too long for a law"), ""
    said: dict[str, Any] = {} if total == 1 else {"attained": False}
    if len(moved) > 1:
        law = {"kind": "gaussian-mixture", "sigma": spelled(sigma)}
        kept_weights = {shift: weight for shift, weight in sorted(weights.items()) if weight}
        listed = {"shifts": list(map(spell, kept_weights)), "weights": list(map(spell, kept_weights.values()))}
        return {"mechanism": {**law, **listed, **said}}, ""
    base = {"kind": "gaussian", "sigma": spelled(sigma), "sensitivity": spell(moved[0])}
    rate = spell(weights[moved[0]])
    return {"mechanism": {"kind": "subsampled", "base": base, "rate": rate, "sampling": "poisson", **said}}, ""


def _zcdp(rho: Fraction, xi: Fraction) -> Entry:
    """rho-zCDP; with xi the Renyi DP xi + rho a at a list of orders a, which is what (xi, rho)-zCDP says of those."""
    if not xi:
        return {"kind": "zcdp", "rho": spell(rho)}
    return {"kind": "rdp", "orders": {spell(order): spell(Fraction(xi + rho * order)) for order in _ORDERS}}


_ORDERS = (*(Fraction(k, 8) for k in range(9, 64)), *map(Fraction, ORDERS[6:]), *(Fraction(2**k) for k in range(9, 13)))


def _randomized_response(p: Fraction, k: int, neighbours: Neighbours, place: str) -> Leaf | None:
    """With probability p one of k answers at random, else the true one."""
    if p > 1 or k < 1:
        raise InputError(place, f"p = {p}, k = {k}", "give a noise parameter in [0, 1] and at least one bucket")
    if k == 1:
        return None  # there is one answer
    if neighbours == "add-or-remove-one":
        return unknown("randomized response where records are added or removed: no law of it is read"), ""
    if p == 0:
        return unknown("randomized response without noise"), ""
    if p == 1:
        return {"kind": "pure-dp", "epsilon": "0"}, ""
    truth = Fraction(1 - p + p / k)
    if neighbours == "zero-out":
        from privref.exact import decide  # Engines, which most imports do without.

        # dp-accounting's special record answers uniformly: no ratio of chances is above k times the truth's, or 1/p.
        ratio = max(k * truth, 1 / p)
        found = decide.enclose(lambda ar: ar.log(ratio), decide.engine("arb", 192), Fraction(1, 2**64))
        label = "randomized response against a uniform answer: only its guarantee is read"
        return {"kind": "pure-dp", "epsilon": to_decimal(found.upper, 20, "up")}, label
    if not is_short(truth):
        remedy = "its probability has more digits than a law is composed with"
        return unknown(f"randomized response: {remedy}"), ""
    return {"mechanism": {"kind": "randomized-response", "probability": spell(truth), "outcomes": k}}, ""
