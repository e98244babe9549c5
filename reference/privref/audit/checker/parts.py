"""What of a record counts for a claim: the parts that a unit is in, its group and its periods."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privref.audit.checker.basis import Mismatch
from privref.audit.checker.guarantees import of_group
from privref.audit.checker.record import RawRecord
from privref.audit.checker.values import ends_of, exceeds
from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell
from privref.statements.registry import statement


def _valued(value: Any) -> Any:
    """A raw event with its numbers spelled one way, so that what is equal reads alike."""
    if isinstance(value, Mapping):
        return {key: _valued(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_valued(inner) for inner in value]
    try:
        return spell(rational(value)) if isinstance(value, str) else value
    except InputError:
        return value


def _reads(record: RawRecord) -> dict[str, dict[str, Counter[str]]]:
    """Of each partition that events name, each part with what reads it."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for event, count in record.events:
        if "part" in event:
            alone = json.dumps(_valued({key: event[key] for key in event if key != "part"}), sort_keys=True)
            parts = found.setdefault(event["part"]["of"], {})
            parts.setdefault(event["part"]["is"], Counter())[alone] += count
    return found


def check_combinations(
    bounds: list[Mapping[str, Any]], claim: Mapping[str, Any], record: RawRecord, verdict: str
) -> str:
    """A claim is confirmed for what reads each combination of parts; the first bound is the largest."""
    reads = _reads(record)
    for bound in bounds:
        if set(bound.get("case", {})) != set(reads):
            raise Mismatch("a bound is not for one part of each partition that the events name")
    if verdict != "confirmed":
        return ""
    kinds = {name: {part: frozenset(read.items()) for part, read in parts.items()} for name, parts in reads.items()}
    for bound in bounds:
        for name, part in bound.get("case", {}).items():
            if part not in kinds[name]:
                raise Mismatch(f"no event reads {part!r} of {name!r}")
    covered = {tuple(kinds[name][bound["case"][name]] for name in sorted(reads)) for bound in bounds if reads}
    if not reads:
        return ""
    wanted = math.prod(len(set(parts.values())) for parts in kinds.values())
    if len(covered) != wanted:
        raise Mismatch(f"{wanted} combinations of parts read differently, {len(covered)} have a bound")
    most = ends_of(bounds[0]["enclosure"])[1]
    if any(ends_of(bound["enclosure"])[1] > most for bound in bounds):
        raise Mismatch("the first bound is not the largest")
    return f"{wanted} read differently"


def steps_apart(record: RawRecord, claim: Mapping[str, Any]) -> int:
    """How many of the ledger's neighbours the data of a claim are apart."""
    units: int = claim.get("units", 1)
    named, declared_ones = claim.get("neighbours"), record.declared.get("neighbours")
    if named is not None and named != declared_ones:
        if (named, declared_ones) != ("replace-one", "add-or-remove-one"):
            raise Mismatch(f"nothing follows for {named} neighbours from what holds for {declared_ones}")
        # One is removed and one added.
        return 2 * units
    _check_records_beside(record, units)
    return units


def _check_records_beside(record: RawRecord, units: int) -> None:
    """No cap rests on fewer records than a group that is added, one unit after another, has beside its last one."""
    size = record.declared.get("dataset_size", {}).get("value")
    if units == 1 or size is None or record.declared.get("neighbours") != "add-or-remove-one":
        return
    for event in record.declared["events"]:
        records = event.get("mechanism", {}).get("records")
        if records is None or "part" in event or event.get("decision", "continue") != "continue":
            continue
        if rational(records, "ledger: records") < size + units - 1:
            raise Mismatch(
                f"a cap rests on {records} records, and {size + units - 1} may be beside a unit of the group"
            )


def claim_of_unit(bound: Mapping[str, Any], claim: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the bound is held against: the claim, or the one about a unit from which it is said to follow."""
    given = bound.get("of_unit")
    if given is None:
        return claim
    if "epsilon" not in claim:
        raise Mismatch("only a claim of (epsilon, delta) follows from one about a unit")
    return {key: claim[key] for key in claim if key not in ("units", "neighbours")} | dict(given)


def check_of_unit(bound: Mapping[str, Any], claim: Mapping[str, Any], record: RawRecord, verdict: str) -> str:
    """The claim about a unit makes that about the group, by its lemma; and no larger one of that epsilon would.

    A smaller epsilon of a unit may confirm the group's too; that it proves nothing says nothing of the largest.
    """
    apart = steps_apart(record, claim)
    if apart == 1:
        raise Mismatch("the claim speaks of one unit itself")
    epsilon, delta = (rational(bound["of_unit"][key], f"certificate.of_unit.{key}") for key in ("epsilon", "delta"))
    if epsilon < 0 or not 0 <= delta <= 1:
        raise Mismatch("no interaction is so private")
    largest = rational(claim["epsilon"], "certificate.claim.epsilon")
    if apart * epsilon > largest or (verdict != "confirmed" and apart * epsilon != largest):
        raise Mismatch(f"its epsilon is not that of one of {apart} steps")
    wanted = rational(claim.get("delta", "0"), "certificate.claim.delta")
    lemma = statement("vadhan2017/lem2.2.delta")
    if exceeds(lemma, {"eps": epsilon, "delta": delta, "k": apart}, wanted):
        raise Mismatch("its delta makes more than the claim's for the group")
    more = delta * (1 + Fraction(1, 10**20))
    if wanted and (not delta or not exceeds(lemma, {"eps": epsilon, "delta": more, "k": apart}, wanted)):
        raise Mismatch("a larger delta of one unit would make the claim's for the group")
    return f"{apart} steps of (epsilon, delta)-DP"


def plain_record(
    record: RawRecord, claim: Mapping[str, Any], case: Mapping[str, str], *, lower: bool = False
) -> RawRecord:
    """What of a record the units of these parts are read by, as it counts for the claim's group and periods."""
    units, periods = steps_apart(record, claim), claim.get("periods", 1)
    reads = _reads(record)
    if lower and any("selected" in event for event in record.declared.get("events", ())):
        raise Mismatch("a worst case of one trial's guarantee is not known to be that of what was selected")
    if not reads and units == periods == 1:
        return record
    if not record.fixed:
        raise Mismatch("parts, periods and groups need parameters fixed in advance")
    if reads and record.declared.get("neighbours") != "add-or-remove-one":
        raise Mismatch("a replaced record may leave one part and enter another")
    if reads and units > 1:
        raise Mismatch("the units of a group may lie in different parts")
    if periods > 1 and not record.declared.get("period"):
        raise Mismatch("the ledger does not say of which period a unit is")
    if periods > 1 and any(len({frozenset(read.items()) for read in parts.values()}) > 1 for parts in reads.values()):
        raise Mismatch("a unit may lie in different parts in different periods")
    if units > 1 and lower:
        raise Mismatch("a worst case of one unit's guarantee is not known to be that of a group's")
    if len(reads) > 1 and lower:
        raise Mismatch("no ledger says that a unit lies in these parts of several partitions")
    if set(case) != set(reads):
        raise Mismatch("the case is not one part of each partition that the events name")
    declared = dict(record.declared)
    if units > 1 or periods > 1:
        declared.pop("attained_together", None)
    declared["periods"] = periods
    events = []
    for event, count in record.events:
        part = event.get("part")
        if part is not None and case[part["of"]] != part["is"]:
            continue
        event = {key: value for key, value in event.items() if key != "part"}
        events.append((event if units == 1 else of_group(event, units), count * periods))
    return RawRecord(events, declared, None, True)
