"""Ledgers from JSON (``ledger.1``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, replace
from fractions import Fraction
from importlib.resources import files
from itertools import islice
from typing import Any

from privref.exact.errors import InputError, InputErrors, nearest
from privref.exact.numbers import can_be_read, rational, spell
from privref.exact.work import CELLS
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    OutputDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
    Unknown,
)
from privref.guarantees.output_dp import partition_from_rule, read_cells, require_cell
from privref.guarantees.selection import trials_from
from privref.profiles.allowance import Allowance
from privref.profiles.correlated import MOST_RUNS
from privref.profiles.declared import (
    MATRIX,
    UNCOMPARED,
    UNSHOWN,
    WORST_CASE,
    Mechanism,
    mechanism_from,
    unamplified,
    under,
)
from privref.statements.params import ABOVE_ONE, NON_NEGATIVE, PROBABILITY, Domain
from privref.statements.theorems import THEOREMS

from . import documents, names
from .evidence import evidence_from
from .model import FILTERS, SELECTED, ZCDP_FILTER, Budget, Event, Joined, Ledger, most_others
from .released import released_from
from .rounded import RoundedInput, at_end, rounded_inputs, with_values

#: The kinds of guarantee. ``unknown`` is said of an event that happened and that no theorem here accounts.
_THEOREMS = {each.id for each in THEOREMS}
_GUARANTEES = ("pure-dp", "approx-dp", "pdp", "zcdp", "gaussian-dp", "bounded-range", "rdp", "output-dp", "unknown")
#: Those of which a document says nothing but the numbers.
OF_NUMBERS: Mapping[str, Any] = {
    each.kind: each for each in (PureDP, ApproxDP, ProbabilisticDP, ZCDP, GaussianDP, BoundedRange)
}


def _number(document: Mapping[str, Any], key: str, domain: Domain, place: str, default: str | None = None) -> Fraction:
    text = document.get(key, default)
    value = rational(text, f"{place}.{key}")
    if not domain.contains(value):
        raise InputError(f"{place}.{key}", text, f"give {domain.description}")
    return value


def guarantee_from(document: Mapping[str, Any], place: str) -> Guarantee:
    """Read the guarantee of one event; InputError for a kind that is not listed, and for a wrong parameter."""

    def number(key: str, domain: Domain = NON_NEGATIVE, default: str | None = None) -> Fraction:
        return _number(document, key, domain, place, default)

    kind = document["kind"]
    if (made := OF_NUMBERS.get(kind)) is not None:
        domains = {each.name: PROBABILITY if each.name == "delta" else NON_NEGATIVE for each in fields(made)}
        left_out = {each.name: None if each.default is MISSING else "0" for each in fields(made)}
        read: Guarantee = made(**{name: number(name, domains[name], left_out[name]) for name in domains})
        return read
    match kind:
        case "rdp":
            orders = {}
            for text in document["orders"]:
                order = rational(text, f"{place}.orders")
                if not ABOVE_ONE.contains(order):
                    raise InputError(f"{place}.orders", text, f"give {ABOVE_ONE.description}")
                if order in orders:
                    raise InputError(f"{place}.orders", text, "this order stands twice; keep one")
                orders[order] = _number(document["orders"], text, NON_NEGATIVE, f"{place}.orders")
            return RenyiDP(tuple(sorted(orders.items())), number("delta", PROBABILITY, "0"))
        case "output-dp":
            if "cells" in document:
                cells = read_cells(document["cells"], f"{place}.cells")
            else:
                cells = partition_from_rule(document["partition"], f"{place}.partition")
            return OutputDP(cells, number("delta", PROBABILITY))
        case "unknown":
            return Unknown(document.get("description", kind))
        case _:
            raise _unlisted(kind, place)


def _unlisted(kind: str, place: str) -> InputError:
    """Return the refusal of a guarantee whose kind is not listed."""
    from . import sheets

    remedy = (
        f"this kind of guarantee does not exist; {sheets.meant_kind(kind, _GUARANTEES)}known here: "
        f"{', '.join(_GUARANTEES)}; an event that privref cannot account is unknown, with a description"
    )
    return InputError(f"{place}.kind", kind, remedy)


def _declared(
    document: Mapping[str, Any], place: str, allowance: Allowance | None, neighbours: str | None
) -> tuple[Guarantee, Mechanism | None]:
    """What the event guarantees and what ran; the guarantee follows from the mechanism where it is left out."""
    law = None
    if "mechanism" in document:
        law = under(mechanism_from(document["mechanism"], f"{place}.mechanism"), neighbours, f"{place}.mechanism")
    if "guarantee" not in document:
        times = document.get("count", 1)
        if law is not None and type(times) is int and times >= 1:
            law = unamplified(law, neighbours, times)
        if law is None or law.guarantee is None:
            remedy = "give what the event guarantees, or a mechanism whose parameters imply it"
            raise InputError(f"{place}.guarantee", "(missing)", remedy)
        numbers = (getattr(law.guarantee, name, 0) for name in ("epsilon", "delta", "rho", "mu"))
        if not all(map(can_be_read, numbers)):
            remedy = "its guarantee would have more digits than are read; give the parameters with fewer"
            raise InputError(f"{place}.mechanism", law.kind, remedy)
        return law.guarantee, law
    guarantee = guarantee_from(document["guarantee"], f"{place}.guarantee")
    if law is None:
        return guarantee, None
    if law.kind == "randomized-response" and law.upper is None and isinstance(guarantee, PureDP):
        law = mechanism_from({**law.document, "epsilon": spell(guarantee.epsilon)}, f"{place}.mechanism")
    if law.kind == WORST_CASE and law.upper is None and isinstance(guarantee, PureDP | ApproxDP):
        delta = guarantee.delta if isinstance(guarantee, ApproxDP) else Fraction(0)
        parameters = {"epsilon": spell(guarantee.epsilon), "delta": spell(delta)}
        law = mechanism_from({**law.document, **parameters}, f"{place}.mechanism")
    beyond = None if allowance is None else allowance.contradiction(law, guarantee)
    if beyond is not None:
        remedy = f"this guarantee is stronger than what the declared mechanism, {law}, gives: {beyond}; correct "
        remedy += "the guarantee, or the mechanism's parameters"
        if beyond in (UNCOMPARED, UNSHOWN):
            remedy = f"{law}: {beyond}"
        said = ", ".join(f"{name} {value}" for name, value in document["guarantee"].items() if isinstance(value, str))
        raise InputError(f"{place}.guarantee", said.removeprefix("kind "), remedy)
    return guarantee, law


def _event(
    document: Mapping[str, Any],
    place: str,
    allowance: Allowance | None,
    neighbours: str | None,
    public_size: bool = False,
) -> Event:
    guarantee, law = _declared(document, place, allowance, neighbours)
    cell = document.get("observed_cell")
    if cell is not None:
        if not isinstance(guarantee, OutputDP):
            raise InputError(f"{place}.observed_cell", cell, "only an output-dp event has cells")
        require_cell(guarantee, cell, f"{place}.observed_cell")
        if document.get("decision") not in (None, "continue"):
            remedy = (
                f"an event that did not run has no observed cell; remove it, or the decision {document['decision']!r}"
            )
            raise InputError(f"{place}.observed_cell", cell, remedy)
    selected, trial, best_of = document.get("selected"), None, None
    if selected is not None and "best_of" in document:
        raise InputError(f"{place}.best_of", document["best_of"]["trials"], "give one of selected and best_of")
    released = released_from(document, law, neighbours, public_size, place)
    part = {key: names.canonical(name, f"{place}.part.{key}") for key, name in document.get("part", {}).items()}
    if selected is not None:
        if not isinstance(guarantee, PureDP):
            remedy = "private selection is accounted for trials with a pure-dp guarantee"
            raise InputError(f"{place}.selected", selected, remedy)
        guarantee, law, trial = PureDP(SELECTED[selected] * guarantee.epsilon), None, law
    elif "best_of" in document:
        if law is not None and law.shared:
            raise InputError(
                f"{place}.best_of", law.kind, "what one round of a shuffle loses is not known; give a trial"
            )
        if cell is not None:
            raise InputError(f"{place}.best_of", cell, "the cell of the best trial's answer is not used; leave it out")
        best_of = trials_from(document["best_of"], guarantee, f"{place}.best_of")
        found = best_of.guarantee
        if found is None:
            remedy = (
                "no theorem here has the best of trials with this guarantee; give pure, zero-concentrated, Gaussian "
            )
            raise InputError(f"{place}.best_of", guarantee.kind, f"{remedy}or Renyi DP without a delta")
        guarantee, law, trial = found, None, law
    elif released is not None and released.obstacle is not None:
        guarantee, law, trial = Unknown(released.obstacle), None, law
    return Event(
        guarantee,
        document.get("count", 1),
        document.get("label", ""),
        "" if law is None else law.kind,
        cell,
        document.get("decision"),
        law,
        (part["of"], part["is"]) if part else None,
        selected,
        trial,
        released,
        best_of,
    )


def _check_halts(events: Iterable[Event]) -> None:
    """Refuse an event after the one before which the run ended, unless it says the same."""
    halted: int | None = None
    for i, event in enumerate(events):
        if halted is not None and event.decision != "halt":
            remedy = (
                f'events[{halted}] says that the run ended before it ("halt"), so no later event ran; if the run went '
                f'on, or the events are in no order, write "reject" in events[{halted}]; if it ended, write "halt" here'
            )
            raise InputError(f"ledger.events[{i}].decision", event.decision or "(left out)", remedy)
        if event.decision == "halt" and halted is None:
            halted = i


def _check_records(event: Event, place: str, size: int | None, neighbours: str | None) -> None:
    """Refuse a cap that rests on fewer records than the data set has besides one that a neighbour changes; other draws.

    An event in one part of a partition reads fewer. Of several bounds on one data set the least is true as well, and so
    are the others.
    """
    drawn = 0 if event.law is None or event.law.sample is None else event.law.sample.records
    if drawn and size is not None and (drawn > size or (event.part is None and drawn != size)):
        remedy = f"each draw takes one of all records, and the ledger's dataset_size is {size}; correct one of the two"
        raise InputError(f"{place}.mechanism.records", drawn, remedy)
    truncation = event.truncation
    if size is None or truncation is None or event.part is not None:
        return
    least = most_others(size, neighbours)
    if truncation.records < least:
        remedy = (
            f"the ledger's dataset_size is {size}, and a neighbour has {least} records besides the one that differs; "
            f"give at least {least}, or correct dataset_size"
        )
        raise InputError(f"{place}.mechanism.records", truncation.records, remedy)


def _budget(document: Mapping[str, Any], place: str) -> Budget:
    """The enforced budget; its filter decides which of the fields it may have."""
    name = document.get("filter")
    if ("rho" in document) != (name == ZCDP_FILTER):
        remedy = (
            f"a budget of rho is enforced by {ZCDP_FILTER}, and by no other filter; give epsilon and delta to those"
        )
        raise InputError(f"{place}.filter", "(missing)" if name is None else name, remedy)
    delta = _number(document, "delta", PROBABILITY, place, "0")
    prime = _number(document, "delta_prime", NON_NEGATIVE, place) if "delta_prime" in document else None
    if prime is not None:
        if name is None or not FILTERS[name]:
            said = "a budget without a filter" if name is None else name
            raise InputError(f"{place}.delta_prime", document["delta_prime"], f"{said} splits no delta; remove it")
        if not 0 < prime <= delta:
            raise InputError(f"{place}.delta_prime", document["delta_prime"], "give a part of delta: in (0, delta]")
    if "rho" in document:
        return Budget(delta, filter=name, rho=_number(document, "rho", NON_NEGATIVE, place))
    return Budget(delta, _number(document, "epsilon", NON_NEGATIVE, place), name, prime)


def _all_events(
    documents_: Iterable[Mapping[str, Any]], neighbours: str | None, allowance: Allowance | None, public_size: bool
) -> tuple[Event, ...]:
    """The events; InputErrors where some are wrong."""
    cells, found = 0, []
    wrong: list[InputError] = []
    for i, document in enumerate(documents_):
        try:
            event = _event(document, f"ledger.events[{i}]", allowance, neighbours, public_size)
        except InputError as error:
            wrong.append(error)
            if len(wrong) == documents.MOST_REFUSALS:
                break
            continue
        if isinstance(event.guarantee, OutputDP):
            cells += len(event.guarantee.cells)
            if cells > CELLS.most:
                place = f"ledger.events[{i}].guarantee"
                raise InputError(place, f"{cells} cells so far", f"at most {CELLS.most} {CELLS.what}; {CELLS.remedy}")
        found.append(event)
    if wrong:
        raise InputErrors.of(wrong)
    return tuple(found)


def _wrong_declarations(document: Any) -> Iterator[tuple[str, InputError]]:
    """Yield the place and the refusal of each wrong mechanism and each unlisted kind of guarantee.

    They are said in their own words, which tell more than the schema's.
    """
    events = document.get("events") if isinstance(document, Mapping) else None
    for i, event in enumerate(events if isinstance(events, list) else ()):
        if not isinstance(event, Mapping):
            continue
        if isinstance(event.get("mechanism"), Mapping):
            place = f"ledger.events[{i}].mechanism"
            try:
                mechanism_from(event["mechanism"], place)
            except InputError as error:
                yield place, error
        kind = event["guarantee"].get("kind") if isinstance(event.get("guarantee"), Mapping) else None
        if isinstance(kind, str) and kind not in _GUARANTEES:
            place = f"ledger.events[{i}].guarantee"
            yield place, _unlisted(kind, place)


def _wrong_events(document: Any, known: list[InputError]) -> Iterator[InputError]:
    """What is wrong in the events that no refusal is about yet."""
    events = document.get("events") if isinstance(document, Mapping) else None
    allowance, neighbours = Allowance(), document.get("neighbours") if isinstance(document, Mapping) else None
    for i, event in enumerate(events if isinstance(events, list) else ()):
        place = f"ledger.events[{i}]"
        if isinstance(event, Mapping) and not any(f"{error.field}.".startswith(f"{place}.") for error in known):
            try:
                _event(event, place, allowance, neighbours if isinstance(neighbours, str) else None)
            except InputError as error:
                yield error


def _check_runs(document: Any) -> None:
    """Refuse more runs of correlated noise than are read: each of them is a sum over its rounds."""
    events = document.get("events") if isinstance(document, Mapping) else None
    listed = events if isinstance(events, list) else ()
    found = [event.get("mechanism") for event in listed if isinstance(event, Mapping)]
    found += [law.get("base") for law in found if isinstance(law, Mapping)]
    runs = sum(isinstance(law, Mapping) and law.get("kind") == MATRIX for law in found)
    if runs > MOST_RUNS:
        remedy = f"at most {MOST_RUNS} events of a ledger are {MATRIX}; write equal runs as one event with a count"
        raise InputError("ledger.events", f"{runs} runs", remedy)


def _check_shape(document: Any) -> None:
    """Refuse all that declarations and the schema do not allow, and then what other events mean, each thing once."""
    _check_runs(document)
    declared = list(islice(_wrong_declarations(document), documents.MOST_REFUSALS))
    wrong, places = [error for _, error in declared], tuple(place for place, _ in declared)
    others = documents.mismatches(document, "ledger.1", "ledger")
    wrong += [error for error in others if not error.field.startswith(places)]
    if wrong:
        # Only of events that the schema allows: of another schema, or beyond the refusals shown, none is known to be.
        named = isinstance(document, Mapping) and document.get("schema") == "ledger.1"
        if named and len(others) < documents.MOST_REFUSALS:
            wrong += islice(_wrong_events(document, list(wrong)), documents.MOST_REFUSALS)
        raise InputErrors.of(wrong[: documents.MOST_REFUSALS])


def ledger_from_document(document: Any) -> Ledger:
    """A ledger from a parsed ``ledger.1`` document; InputError names the first field that is wrong.

    Where parameters were published rounded, its events are those with which most is lost (``ledger_at`` for others).
    """
    documents.require_shallow(document, "ledger")
    found = _read(document)
    return replace(found, digest=documents.digest(document), document=document)


def ledger_with(shared: Ledger, document: Mapping[str, Any], digest: str) -> Ledger:
    """The ledger of a document that has other events than ``shared`` and nothing else; they only have guarantees.

    Its shape and its digest are known: of a batch every ledger is written by the batch itself, its events in no order.
    """
    events = _all_events(document["events"], shared.neighbours, None, shared.dataset_size_public)
    return replace(shared, events=events, digest=digest, document=document, in_order=False)


#: What a document of rows may leave open, for its shape alone.
_OPEN = {
    "privacy_unit": "unit", "neighbours": "replace-one", "parameters": "chosen-adaptively",
    "interaction": "concurrent",
}  # fmt: skip


def ledger_from_rows(document: Mapping[str, Any]) -> Ledger:
    """Return the ledger that the rows of a sheet say as a document, which leaves open what a sheet does not declare."""
    return replace(_read(document, rows=True), rows=document)


def _read(document: Any, *, rows: bool = False) -> Ledger:
    """Return the ledger of a document; where it has rounded parameters, as of those with which most is lost."""
    inputs = rounded_inputs(document)
    allowance = Allowance()
    if not inputs:
        return _exact_ledger(document, allowance, rows=rows)
    found = _at({item: item.most for item in inputs}, at_end(document, inputs, "most"), allowance, rows=rows)
    # Refused here, and not in the midst of an audit.
    _at({item: item.least for item in inputs}, at_end(document, inputs, "least"), allowance, rows=rows)
    return replace(found, rounded=inputs)


def ledger_at(ledger: Ledger, values: Mapping[RoundedInput, Fraction]) -> Ledger:
    """The same ledger with these values in place of its rounded parameters; its digest stays that of the document."""
    own = ledger.rows if ledger.document is None else ledger.document
    assert own is not None
    document = with_values(own, {item.path: value for item, value in values.items()})
    # No mechanism contradicts its guarantee at either end (``ledger_from_document``), and so at no value between.
    found = _at(values, document, None, rows=ledger.document is None)
    return replace(found, digest=ledger.digest, digest_of=ledger.digest_of, document=ledger.document, rows=ledger.rows)


def _at(
    values: Mapping[RoundedInput, Fraction], document: Any, allowance: Allowance | None, *, rows: bool = False
) -> Ledger:
    """The ledger read with these values; InputError says with which."""
    try:
        return _exact_ledger(document, allowance, rows=rows)
    except InputErrors:
        raise
    except InputError as error:
        # The rounded inputs of the same event.
        here = [(item, value) for item, value in values.items() if error.field.startswith(f"ledger.{item.event}.")]
        if not here:
            raise
        shown = ", ".join(f"{item.place} = {spell(value)}" for item, value in here[:3])
        more = f" and {len(here) - 3} more" if len(here) > 3 else ""
        remedy = f"{error.remedy}; read with {shown}{more}, which the published digits allow: publish more digits"
        raise InputError(error.field, error.value, remedy) from None


def _exact_ledger(document: Any, allowance: Allowance | None, *, rows: bool = False) -> Ledger:
    """The ledger; no mechanism is compared with its guarantee where there is no allowance for it."""
    _check_shape({**_OPEN, **document} if rows else document)
    neighbours = document.get("neighbours")
    size = document.get("dataset_size", {})
    events = _all_events(document["events"], neighbours, allowance, size.get("public", False))
    partitions = _partitions(document)
    for i, event in enumerate(events):
        if event.part is not None and event.part[0] not in partitions:
            remedy = "describe the public key of this partition in the ledger's `partitions`"
            raise InputError(f"ledger.events[{i}].part.of", event.part[0], remedy)
    different = names.groups_from(document.get("different_names", ()), "ledger.different_names")
    budget = document.get("budget")
    if "together" not in document:
        _check_halts(events)
    for i, event in enumerate(events):
        _check_records(event, f"ledger.events[{i}]", size.get("value"), neighbours)
    for theorem in document.get("tuning", {}):
        if theorem not in _THEOREMS:
            remedy = (
                f"{nearest(theorem, _THEOREMS)}name the theorem of the machine that ran, such as whitehouse2023/thm2"
            )
            raise InputError("ledger.tuning", theorem, remedy)
    tuning = {
        statement: {name: _number(values, name, NON_NEGATIVE, f"ledger.tuning.{statement}") for name in values}
        for statement, values in document.get("tuning", {}).items()
    }
    ledger = Ledger(
        title=document["title"],
        events=events,
        digest="",
        digest_of="the ledger's canonical JSON (RFC 8785)",
        neighbours=neighbours,
        parameters=document.get("parameters"),
        interaction=document.get("interaction"),
        privacy_unit=document.get("privacy_unit", ""),
        queries=document.get("queries"),
        attained_together=document.get("attained_together", False),
        dataset_size=size.get("value"),
        dataset_size_public=size.get("public", False),
        budget=None if budget is None else _budget(budget, "ledger.budget"),
        partitions=partitions,
        different_names=different,
        period=document.get("period", ""),
        tuning=tuning,
        source=document.get("source", ""),
        together=tuple(Joined(part["title"], part["sha256"]) for part in document.get("together", ())),
        evidence=evidence_from(document.get("evidence", ()), "ledger.evidence"),
    )
    _check_answers(ledger)
    return ledger


def _partitions(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the partitions by their names in the one form; InputError where two keys are one name."""
    found: dict[str, str] = {}
    for given, public_key in document.get("partitions", {}).items():
        name = names.canonical(given, "ledger.partitions")
        if name in found:
            raise InputError("ledger.partitions", given, "this partition stands twice, spelled otherwise; keep one")
        found[name] = public_key
    return found


def _check_answers(ledger: Ledger) -> None:
    """Refuse a declaration that names are different which answers nothing.

    One of the names may be of another ledger, with which this one is combined.
    """
    if not ledger.different_names:
        return
    used = ledger.names_in_use
    for i, group in enumerate(ledger.different_names):
        place = f"ledger.different_names[{i}]"
        if not used & set(group):
            raise InputError(place, ", ".join(group), "no part and no partition has one of these names; leave them out")
        alike = {name for pair in names.alike(group, place) for name in pair}
        for name in group:
            if name not in alike:
                raise InputError(place, name, "none of the names in the list looks like it; leave it out")


def example_names() -> tuple[str, ...]:
    """The examples of the package that have a ledger and claims."""
    folder = files("privref").joinpath("examples")
    ends = [entry.name.split(".", 1) for entry in folder.iterdir() if entry.name.endswith(".json")]
    ledgers, claims = ({name for name, end in ends if end == f"{what}.json"} for what in ("ledger", "claims"))
    return tuple(sorted(ledgers & claims))


def example_document(name: str, what: str) -> Any:
    """A document of the package's examples, e.g. ("census2020", "ledger")."""
    folder = files("privref").joinpath("examples")
    path = folder.joinpath(f"{name}.{what}.json")
    if not path.is_file():
        known = sorted(entry.name.split(".")[0] for entry in folder.iterdir() if entry.name.endswith(f".{what}.json"))
        raise InputError("example", name, f"{nearest(name, known)}give one of {', '.join(known)}")
    return documents.parse(path.read_text(encoding="utf-8"), what)
