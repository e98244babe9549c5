"""A raw ledger as the checker reads it: what ran, what is declared, and the budget.

The checker goes through the events by itself. What reads a file, a number, a mechanism with its parameters or the cells
of a partition is the audit's.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from privref.audit.checker.basis import Mismatch, in_domain
from privref.audit.checker.guarantees import cell_costs
from privref.audit.checker.names import parts_told_apart, spelling
from privref.audit.checker.theorems import FILTERS
from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell
from privref.guarantees.model import RenyiDP, Unknown
from privref.ledger import documents, sheets
from privref.ledger.reading import guarantee_from
from privref.profiles.contradiction import Allowance
from privref.profiles.declared import mechanism_from, under

#: Filters that charge what was observed, so that what ran may hang on the answers; and where none is named.
_BY_ANSWERS = (None, "hartmann2022/alg1", "hartmann2022/def19", "rswr2023/ex_post_filter")

RawEvents = list[tuple[Mapping[str, Any], int]]


@dataclass(frozen=True, slots=True)
class RawBudget:
    """A declared budget; ``size`` is its epsilon, or its rho where ``of_rho``."""

    size: Fraction
    delta: Fraction
    of_rho: bool
    filter: str | None
    delta_prime: Fraction | None


@dataclass(frozen=True, slots=True)
class RawRecord:
    """What ran, of a ledger, and what is declared about it."""

    events: RawEvents
    declared: Mapping[str, Any]
    budget: RawBudget | None
    fixed: bool


def read_record(
    part: Mapping[str, Any], path: str | Path | None, attempt: Any, read: Callable[[Any], Any]
) -> RawRecord | None:
    """What ran, from the given file, else from the embedded ledger, else None; ``read`` makes rounded inputs exact."""
    if path is not None:
        ending = Path(path).suffix.lower()
        sheet = sheets.sheet_text(Path(path))
        text = documents.read_text(Path(path), "ledger") if sheet is None else sheet
        if sheet is not None or ending in (".csv", ".tsv"):
            if "document" in part:
                raise InputError("certificate.ledger.document", "(given)", "this certificate is not about a CSV file")
            try:
                events = _csv_events(text)
            except (ValueError, csv.Error):
                raise InputError("ledger", str(path), "the CSV is malformed; audit it for the place") from None
            declared = part.get("declared", {})
            digest = hashlib.sha256(text.encode()).hexdigest()
            attempt("the ledger", lambda: _check_ledger(part, digest, _CSV_DIGEST, events))
            return RawRecord(events, declared, None, declared.get("parameters") == "fixed-in-advance")
        document = documents.parse(text, "ledger")
    elif "document" in part:
        document = part["document"]
    else:
        return None
    documents.validate(document, "ledger.1", "ledger")
    if part.get("document", document) != document:
        raise InputError("certificate.ledger.document", "(value)", "it is not the ledger that was given")
    exact = read(document)
    _check_records(exact)
    parts = parts_told_apart(exact)
    ran = [event for event in exact["events"] if event.get("decision", "continue") == "continue"]
    allowance = Allowance()
    neighbours = document["neighbours"]
    events = [
        (_structured(event, _raw_event(event, allowance, neighbours), parts), event.get("count", 1)) for event in ran
    ]
    attempt("the ledger", lambda: _check_ledger(part, documents.digest(document), _JSON_DIGEST, events))
    attempt("what is declared", lambda: _check_declared(part, document))
    budget = _budget(document["budget"]) if "budget" in document else None
    # A refusal, and a budget that may have been charged by what was observed, hang on the answers: what ran then was
    # not fixed in advance.
    by_answers = budget is not None and budget.filter in _BY_ANSWERS and any(
        event["kind"] == "output-dp" and len(cell_costs(event)) > 1 for event, _ in events
    )  # fmt: skip
    fixed = document["parameters"] == "fixed-in-advance" and len(ran) == len(document["events"]) and not by_answers
    return RawRecord(events, exact, budget, fixed)


def _check_records(document: Mapping[str, Any]) -> None:
    """No cap rests on fewer records than there are beside the one that is added to, or replaced in, the data set."""
    if "dataset_size" not in document:
        return
    others = document["dataset_size"]["value"] - (document["neighbours"] == "replace-one")
    for event in document["events"]:
        records = event.get("mechanism", {}).get("records")
        if records is not None and "part" not in event and rational(records, "ledger: records") < others:
            remedy = f"by the ledger's dataset_size there are {others} beside the one that differs"
            raise InputError("ledger: records", records, remedy)


def _raw_event(event: Mapping[str, Any], allowance: Allowance, neighbours: str) -> Mapping[str, Any]:
    """The raw guarantee, with the observed cell, and the mechanism with the parameters that it has or takes from it."""
    if "observed_cell" in event and event.get("guarantee", {}).get("kind") != "output-dp":
        raise InputError("ledger: observed_cell", event["observed_cell"], "only an output-dp event has cells")
    declared = event.get("mechanism")
    if declared is None:
        return {**event["guarantee"], "cell": event.get("observed_cell")}
    if "guarantee" not in event:
        implied = under(mechanism_from(declared, "ledger: mechanism"), neighbours).guarantee
        if implied is None:
            raise InputError("ledger: guarantee", "(missing)", "give what the event guarantees")
        if isinstance(implied, Unknown):
            return {"kind": "unknown", "cell": None, "mechanism": declared, "neighbours": neighbours}
        if isinstance(implied, RenyiDP):
            orders = {spell(order): spell(cost) for order, cost in implied.orders}
            return {"kind": "rdp", "orders": orders, "cell": None, "mechanism": declared, "neighbours": neighbours}
        names = {"pure-dp": ("epsilon",), "zcdp": ("rho",), "gaussian-dp": ("mu",), "approx-dp": ("epsilon", "delta")}
        event = {
            **event,
            "guarantee": {"kind": implied.kind} | {n: spell(getattr(implied, n)) for n in names[implied.kind]},
        }
    guarantee = event["guarantee"]
    kind, given = guarantee["kind"], {"epsilon", "probability", "delta"} & set(declared)
    if declared["kind"] == "randomized-response" and not given and kind == "pure-dp":
        declared = {**declared, "epsilon": guarantee["epsilon"]}
    if declared["kind"] == "four-outcome-randomized-response" and not given and kind in ("pure-dp", "approx-dp"):
        declared = {**declared, "epsilon": guarantee["epsilon"], "delta": guarantee.get("delta", "0")}
    law = under(mechanism_from(declared, "ledger: mechanism"), neighbours)
    if allowance.contradiction(law, guarantee_from(guarantee, "ledger: guarantee")):
        raise InputError("ledger: guarantee", kind, "this is stronger than what the declared mechanism gives")
    return {**guarantee, "cell": event.get("observed_cell"), "mechanism": declared, "neighbours": neighbours}


#: How often one trial's epsilon is paid by what private selection releases.
_TRIALS = {"above-threshold": 2, "best-of-random-number": 3}


def _structured(
    event: Mapping[str, Any], raw: Mapping[str, Any], parts: Mapping[str, Mapping[str, str]]
) -> Mapping[str, Any]:
    """The raw guarantee of what was selected, and the part that the event reads, by its one form."""
    if "selected" in event:
        if raw["kind"] != "pure-dp":
            raise InputError("ledger: selected", event["selected"], "only pure-dp trials are accounted")
        epsilon = _TRIALS[event["selected"]] * in_domain(rational(raw["epsilon"], "epsilon"), "epsilon")
        raw = {"kind": "pure-dp", "epsilon": spell(epsilon)}
    return {**raw, "part": parts[spelling(event["part"])]} if "part" in event else raw


_JSON_DIGEST, _CSV_DIGEST = "the ledger's canonical JSON (RFC 8785)", "the CSV file's text"


def _check_ledger(part: Mapping[str, Any], digest: str, digest_of: str, events: RawEvents) -> str:
    _same(digest, part["sha256"])
    for name, value in (("digest_of", digest_of), ("rounds", sum(count for _, count in events))):
        if part[name] != value:
            raise Mismatch(f"the ledger's {name} is {value}, the certificate says {part[name]}")
    return ""


def _check_declared(part: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """Beside a JSON ledger, which declares these things itself, the certificate says the same or nothing."""
    for name, value in part.get("declared", {}).items():
        if document[name] != value:
            raise Mismatch(f"the ledger declares {name} {document[name]}, the certificate {value}")
    return ""


def _budget(document: Mapping[str, Any]) -> RawBudget:
    """A raw budget; InputError where the audit's reader refuses it too."""
    name, of_rho = document.get("filter"), "rho" in document

    def number(key: str) -> Fraction:
        return in_domain(rational(document.get(key, "0"), f"ledger: budget.{key}"), key)

    delta = number("delta")
    if of_rho != (name == "whitehouse2023/thm1"):
        raise InputError(
            "ledger: budget.filter", str(name), "a budget of rho is that of whitehouse2023/thm1, and of no other"
        )
    prime = number("delta_prime") if "delta_prime" in document else None
    if prime is not None and not (name is not None and FILTERS[name] and 0 < prime <= delta):
        raise InputError(
            "ledger: budget.delta_prime", document["delta_prime"], "give a part of the delta of a filter that splits it"
        )
    return RawBudget(number("rho" if of_rho else "epsilon"), delta, of_rho, name, prime)


def _same(found: str, said: str) -> str:
    if found != said:
        raise Mismatch(f"the ledger's SHA-256 is {found}, the certificate says {said}")
    return found


def _csv_events(text: str) -> RawEvents:
    """The rows of a CSV ledger, the four plain shapes by this reader; InputError where an audit does not read them."""
    first = next(csv.reader(io.StringIO(text.split("\n", 1)[0])), [])
    header = [name.strip() for name in first]
    counted = header[-1:] == ["count"]
    names = header[:-1] if counted else header
    plain = names in (["epsilon", "delta"], ["rho"])
    rows = list(csv.reader(io.StringIO(text), strict=True)) if plain else []
    if not plain or any("," in cell for row in rows for cell in row):  # decimal commas are the sheets' reader's
        return [(dict(row.guarantee), row.count) for row in sheets.rows(text)]
    kind = "zcdp" if names == ["rho"] else "approx-dp"
    events: RawEvents = []
    for row in rows[1:]:
        if not row:
            continue
        values = dict(zip(header, (cell.strip() for cell in row), strict=True))
        times = sheets.cell_count(values.pop("count"), "ledger.count") if counted else 1
        events.append(({"kind": kind, **values}, times))
    return events
