"""From a unit's spelled events to its ledger: every number read exactly, equal ledgers with one spelling.

The ledger is a ``ledger.1`` document, the sidecar's with the unit's events: what ``privref audit`` reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import rfc8785

from privref.exact.errors import InputError, InputErrors
from privref.exact.numbers import Binary64, rational, spell
from privref.ledger import names
from privref.ledger.documents import MOST_INTEGER
from privref.ledger.reading import ledger_from_document
from privref.ledger.sheets import KINDS, NOT_IN_COLUMNS, cell_count, meant_kind

from .columns import ABSENT, EVENT_END, FIELD_END, FIELDS, NUMBERS

if TYPE_CHECKING:
    import pyarrow as pa

_SIZES = {"epsilon": "pure-dp", "rho": "zcdp", "mu": "gaussian-dp"}
#: Fields of a ledger that are not the same for all units, and what to do with them.
_OF_ONE_UNIT = {
    "events": "the events stand in the events file; leave them out here",
    "evidence": "it would count against every unit; leave it out here, and audit the ledger of what was attacked "
    "by privref audit",
    "together": "only a joint audit of several ledgers writes it, and none of these units is one; leave it out here",
}
_DECISIONS = ("continue", "halt", "reject")


def sidecar(document: Any) -> dict[str, Any]:
    """The sidecar: a ``ledger.1`` document without its events, which the events file has; InputError otherwise."""
    for name, remedy in _OF_ONE_UNIT.items():
        if isinstance(document, dict) and name in document:
            raise InputError(f"ledger.{name}", "(given)", remedy)
    if not isinstance(document, dict):
        raise InputError(
            "ledger", "(value)", "give an object with what all units share: schema, title, privacy_unit, …"
        )
    ledger_from_document(with_no_loss(document))
    return dict(document)


def with_no_loss(shared: Mapping[str, Any]) -> dict[str, Any]:
    """The ledger of a unit of which nothing is lost."""
    return {**shared, "events": [{"guarantee": {"kind": "pure-dp", "epsilon": "0"}}]}


@lru_cache(1 << 16)
def read_event(spelled: str) -> tuple[str, int]:
    """An event as canonical JSON without its count, with every number in its one spelling, and its count.

    InputErrors with all that is wrong with it; an event of a kind that is not known is one that cannot be accounted.
    """
    cells = {name: cell.strip(" \t\r\n") for name, cell in zip(FIELDS, spelled.split(FIELD_END), strict=True)}
    errors: list[InputError] = []
    guarantee: dict[str, str] = {}
    try:
        guarantee = _guarantee(cells)
    except InputError as error:
        errors += error.errors if isinstance(error, InputErrors) else [error]
    times = 1
    if cells["count"] != ABSENT:
        try:
            times = cell_count(cells["count"], "count")
            if times > MOST_INTEGER:
                raise InputError("count", cells["count"], f"give at most {MOST_INTEGER} (2^53 - 1) in a row")
        except InputError as error:
            errors.append(error)
    decision = ""
    if cells["decision"] not in ("", ABSENT):
        decision = cells["decision"].casefold()
        if decision not in _DECISIONS:
            errors.append(InputError("decision", cells["decision"], f"give one of {', '.join(_DECISIONS)}, or nothing"))
    if errors:
        raise InputErrors.of(errors)
    # Known words and digits need no escapes, so that this is their JSON.
    said = ",".join(f'"{name}":"{guarantee[name]}"' for name in sorted(guarantee))
    return (f'{{"decision":"{decision}",' if decision else "{") + f'"guarantee":{{{said}}}}}', times


def _guarantee(given: Mapping[str, str]) -> dict[str, str]:
    cells = {name: "" if cell == ABSENT else cell for name, cell in given.items()}
    kind = cells["kind"].casefold()
    sizes = [name for name in _SIZES if cells[name]]
    if not kind:
        if len(sizes) != 1:
            raise InputError("event", ", ".join(sizes) or "(none)", "give one of epsilon, rho, mu in a row, or a kind")
        kind = _SIZES[sizes[0]]
        if kind == "pure-dp" and given["delta"] != ABSENT:
            kind = "approx-dp"
    if kind in NOT_IN_COLUMNS:
        raise InputError("kind", kind, "its parameters do not fit into columns; audit such ledgers one by one")
    if kind not in KINDS:
        raise InputError("kind", cells["kind"], f"{meant_kind(kind, KINDS)}known are {', '.join(KINDS)}")
    required, optional = KINDS[kind]
    # Where the file has a column of deltas, an empty cell is no 0.
    wanted = [*required, *(name for name in optional if given[name] != ABSENT)]
    errors = [InputError(name, "(empty)", "give a number; 0 where there is none") for name in wanted if not cells[name]]
    numbers: dict[str, str] = {}
    for name in NUMBERS:
        if not cells[name]:
            continue
        try:
            # The plain fraction: 0.5, 1/2 and 0x1p-1 are one number.
            value = rational(cells[name], name)
            if value and name not in (*required, *optional):
                raise InputError(name, cells[name], f"{kind} has no {name}; leave it out")
            if value.numerator < 0 or (name == "delta" and value.numerator > value.denominator):
                raise InputError(name, cells[name], f"give a number {'in [0, 1]' if name == 'delta' else '>= 0'}")
            if name in (*required, *optional):
                numbers[name] = spell(Fraction(value) if isinstance(value, Binary64) else value)
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputErrors.of(errors)
    document = {"kind": kind, **numbers}
    if kind == "zcdp" and document.get("delta") == "0":
        del document["delta"]
    return document


def around_events(shared: Mapping[str, Any]) -> tuple[str, str]:
    """The canonical JSON of what all units share, cut at the place of the events."""
    first, last = (
        rfc8785.dumps({name: shared[name] for name in shared if (name < "events") is before})[1:-1].decode()
        for before in (True, False)
    )
    return f'{{{first}{"," * bool(first)}"events":[', f"]{',' * bool(last)}{last}}}"


def events_of(key: str, *, ordered: bool = False) -> tuple[str, list[str]]:
    """The events of a unit's key as canonical JSON, and which cannot be read; those become ones that no audit accounts.

    Equal multisets give equal events, and so do equal sequences where the order counts.
    """
    events: list[tuple[str, int]] = []
    bad: list[str] = []
    for token in key.split(EVENT_END):
        spelled, _, times = token.rpartition(FIELD_END)
        try:
            event, count = read_event(spelled)
        except InputError as error:
            bad.append(spelled)
            unread = {"guarantee": {"kind": "unknown", "description": f"a row that cannot be read: {error}"}}
            event, count = rfc8785.dumps(unread).decode(), 1
        events.append((event, count * int(times)))
    if ordered:
        events = _runs(events)
    else:
        merged: dict[str, int] = {}
        for event, count in events:
            merged[event] = merged.get(event, 0) + count
        events = sorted(merged.items())
    # In the order of keys the count comes first.
    return ",".join(f'{{"count":{part},{event[1:]}' for event, count in events for part in _parts(count)), bad


def _parts(count: int) -> Iterator[int]:
    """A count as the counts of entries that have a canonical form."""
    whole, rest = divmod(count, MOST_INTEGER)
    yield from [MOST_INTEGER] * whole
    if rest:
        yield rest


def _runs(events: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Equal events that follow one another as one with a count."""
    runs: list[tuple[str, int]] = []
    for event, count in events:
        if runs and runs[-1][0] == event:
            runs[-1] = event, runs[-1][1] + count
        else:
            runs.append((event, count))
    return runs


def spelled_schema() -> pa.Schema:
    """What becomes of the keys: the ledger each spells, and the spellings in it that cannot be read."""
    import pyarrow as pa

    names = ("key_id", "ledger_sha256", "ledger")
    return pa.schema([*((name, pa.string()) for name in names), ("bad", pa.list_(pa.string()))])


def spell_ledgers(batch: pa.RecordBatch, context: str) -> pa.RecordBatch:
    """The map over the different keys: key_id and key to ``spelled_schema``; ``context`` is JSON."""
    import pyarrow as pa

    known = json.loads(context)
    before, after = around_events(known["ledger"])
    ledgers, digests, refused = [], [], []
    for key in batch.column("key").to_pylist():
        events, bad = events_of(key, ordered=known["ordered"])
        text = f"{before}{events}{after}"
        ledgers.append(text)
        digests.append(hashlib.sha256(text.encode()).hexdigest())
        refused.append(bad)
    schema = spelled_schema()
    columns = (batch.column("key_id"), digests, ledgers, refused)
    return pa.RecordBatch.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
    )


def named_schema() -> pa.Schema:
    """What becomes of the names of units: their one form, why one is refused, and its characters beyond ASCII."""
    import pyarrow as pa

    return pa.schema([(name, pa.string()) for name in ("unit", "name", "refusal", "others")])


def spell_names(batch: pa.RecordBatch, context: str) -> pa.RecordBatch:
    """The map over the different names of units, as the file spells them, to ``named_schema``."""
    import pyarrow as pa

    rows: list[tuple[str, str, str, str]] = []
    for unit in batch.column("unit").to_pylist():
        try:
            name = names.canonical(unit, "unit")
            rows.append((unit, name, "", names.others(name)))
        except InputError as error:
            rows.append((unit, unit, error.remedy, ""))
    columns = zip(*rows, strict=True) if rows else ((),) * 4
    return pa.RecordBatch.from_arrays([pa.array(column, pa.string()) for column in columns], schema=named_schema())


def keyed_schema() -> pa.Schema:
    """Names of units with the key that alike ones share."""
    import pyarrow as pa

    return pa.schema([("name", pa.string()), ("key", pa.string())])


def key_names(batch: pa.RecordBatch, context: str) -> pa.RecordBatch:
    """The map over the different names of units to ``keyed_schema``; ``context`` has all characters beyond ASCII."""
    import pyarrow as pa

    column = batch.column("name")
    keys = pa.array([names.key(name, context) for name in column.to_pylist()], pa.string())
    return pa.RecordBatch.from_arrays([column.cast(pa.string()), keys], schema=keyed_schema())


def fingerprint(parts: Any) -> str:
    """The SHA-256 of what a run depends on, as JSON."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
