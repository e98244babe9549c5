"""The relational part of a batch, written once: every engine that Ibis knows may run it."""

from __future__ import annotations

from typing import Any

from .columns import ABSENT, EVENT_END, FIELD_END, FIELDS, UNREADABLE, Columns, SourceColumn

#: Places of an event among those of its unit are compared as text of this many digits.
ORDER_DIGITS = 20


def grouped(events: Any, where: Columns) -> Any:
    """Each unit with its events, spelled: a multiset in the order of its spelling, or the sequence where one is given.

    One row per unit: ``unit``, ``key`` (the events) and ``key_id`` (its SHA-256). Equal events of a unit are counted.
    """
    import ibis

    fields = [_field(events, where.fields.get(field, ())) for field in FIELDS]
    spelled = ibis.literal(FIELD_END).join(fields)
    unit = events[where.unit.name].cast("string")
    if where.order is None:
        rows = events.select(unit=unit, spelled=spelled)
        counted = rows.group_by(["unit", "spelled"]).agg(times=lambda t: t.count())
        tokens = counted.select("unit", token=counted.spelled + FIELD_END + counted.times.cast("string"))
        keyed = tokens.group_by("unit").agg(key=tokens.token.collect().sort().join(EVENT_END))
    else:
        place = _text(events, where.order).lpad(ORDER_DIGITS, "0")
        tokens = events.select(unit=unit, token=place + FIELD_END + spelled + FIELD_END + "1")
        sequence = tokens.token.collect().sort().map(lambda token: token.substr(ORDER_DIGITS + 1))
        keyed = tokens.group_by("unit").agg(key=sequence.join(EVENT_END))
    return keyed.select("unit", "key", key_id=keyed.key.hexdigest("sha256"))


def misplaced(events: Any, where: Columns) -> Any:
    """Units with a place that is not a whole number, or that two of their events have, with the place; some of them."""
    assert where.order is not None
    text = _text(events, where.order)
    whole = text.re_search(f"^[0-9]{{1,{ORDER_DIGITS}}}$")
    place = whole.ifelse(text.lpad(ORDER_DIGITS, "0"), text)
    rows = events.select(unit=events[where.unit.name].cast("string"), place=place, whole=whole)
    counted = rows.group_by(["unit", "place", "whole"]).agg(times=lambda t: t.count())
    return counted.filter((counted.times > 1) | ~counted.whole).order_by(["unit", "place"]).limit(20)


def without_unit(events: Any, where: Columns) -> Any:
    """How many rows name no unit."""
    unit = events[where.unit.name].cast("string")
    return events.filter(unit.isnull() | (unit == "")).count()


def unit_names(events: Any, where: Columns) -> Any:
    """Return the names of units as the file spells them, each once."""
    return events.select(unit=events[where.unit.name].cast("string")).distinct()


def refused_names(named: Any) -> Any:
    """Return names that cannot be compared, with the refusals; some of them."""
    return named.filter(named.refusal != "").select("unit", "refusal").order_by("unit").limit(20)


def respelled(named: Any) -> Any:
    """Return the spellings of names that are not their one form."""
    return named.filter(named.unit != named.name).select(spelled_unit=named.unit, unit_name=named.name)


def renamed(events: Any, where: Columns, respelled: Any) -> Any:
    """Return the events with each unit by the one form of its name."""
    import ibis

    unit = events[where.unit.name].cast("string")
    found = events.left_join(respelled, unit == respelled.spelled_unit)
    name = ibis.coalesce(found.unit_name, found[where.unit.name].cast("string"))
    return found.mutate(**{where.unit.name: name}).drop("spelled_unit", "unit_name")


def beyond_ascii(named: Any) -> Any:
    """Return the characters beyond ASCII of the names, as often as names have different ones."""
    return named.filter(named.others != "").select("others").distinct()


def names_of_units(named: Any) -> Any:
    """Return the names of units in their one form, each once."""
    return named.select("name").distinct()


def near_names(keyed: Any) -> Any:
    """Return the names that share a key with another one, in the order of the keys."""
    shared = keyed.group_by("key").agg(times=lambda t: t.count()).filter(lambda t: t.times > 1)
    return keyed.semi_join(shared, "key").order_by(["key", "name"])


def distinct_keys(units: Any) -> Any:
    """The different keys, each once."""
    return units.select("key_id", "key").distinct()


def distinct_ledgers(spelled: Any) -> Any:
    """The different ledgers, each once: two keys may spell one ledger."""
    return spelled.select("ledger_sha256", "ledger").distinct()


def joined(units: Any, spelled: Any, verdicts: Any) -> Any:
    """One row per unit and claim, in the order of the units: the verdicts joined back."""
    keys = spelled.select("key_id", "ledger_sha256")
    found = units.select("unit", "key_id").join(keys, "key_id").join(verdicts, "ledger_sha256")
    return found.drop("key_id").order_by(["unit", "claim_index"])


def worst(joined: Any, most: int) -> Any:
    """The units with the worst verdicts, among equal ones those with the largest bounds."""
    import ibis

    bound = joined.upper_double.fill_null(float("inf"))
    return joined.order_by([joined.severity, ibis.desc(bound), joined.unit, joined.claim_index]).limit(most)


def premises(decided: Any, most: int) -> Any:
    """What verdicts rest on, each once; some of it."""
    rests = decided.filter(decided.premises != "").select("premises").distinct()
    return rests.order_by("premises").limit(most)


def said(joined: Any) -> Any:
    """How many units a filter says what of."""
    first = joined.filter(joined.claim_index == 0)
    return first.group_by("filter_says").agg(units=lambda t: t.count())


def _text(events: Any, column: SourceColumn) -> Any:
    return events[column.name].cast("string").fill_null("")


def _field(events: Any, found: tuple[SourceColumn, ...]) -> Any:
    """The text of one field of an event; nothing where the file has no such column."""
    import ibis

    if not found:
        return ibis.literal(ABSENT)
    cells = []
    for column in found:
        cell = _text(events, column)
        if column.text:
            for sign in (FIELD_END, EVENT_END, ABSENT):
                cell = cell.replace(sign, UNREADABLE)
        cells.append(cell)
    return cells[0] if len(cells) == 1 else cells[0] + "/" + cells[1]
