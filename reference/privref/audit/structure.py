"""The structure of a release: disjoint parts, periods, groups; each claim becomes claims about plain ledgers.

Of two neighbours one differs from the other in one part of each partition: what reads other parts has the same law on
both. So a claim holds where it holds of what reads each part, and of no partition, by itself (mcsherry2009/thm4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

from privref.exact import decide
from privref.exact.errors import UndecidedError, UnwritableError
from privref.exact.rounding import to_decimal
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    Unknown,
    as_approx_dp,
)
from privref.guarantees.structure import group_delta
from privref.ledger.model import Event, EventColumns, Ledger, most_others
from privref.profiles.declared import Mechanism, of_group
from privref.statements.hypotheses import Hypothesis

from .claims import ApproxDPClaim, TotalClaim
from .facts import Facts, Finding
from .facts.hypotheses import together
from .facts.record import Structure

#: Of a group of more units the pairs of samples are not composed: each split of it is a case of its own.
MOST_SPLIT = 16
#: So many different combinations of parts are audited, each as a ledger of its own.
MOST_CASES = 64
#: Digits to which the delta of a group, which is no rational, is rounded up.
GROUP_DIGITS = 30


#: Claims and ledgers whose data are two of the ledger's neighbours apart where one unit changes: a record is removed
#: and another one, or one that contributes nothing, is added; or it is zeroed out, and another appears in its place.
IN_TWO_STEPS = {
    ("replace-one", "add-or-remove-one"): "removes {units} and adds {units}",
    ("replace-one", "zero-out"): "zeroes out {units}, and puts {units} in the place of what contributes nothing",
    ("zero-out", "add-or-remove-one"): "removes {units}, and adds {units} that contribute nothing and are records too",
}


@dataclass(frozen=True, slots=True)
class PartsCase:
    """One combination of parts, of those that read alike the first; and what of the ledger reads it."""

    parts: Mapping[str, str]
    alike: int
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Unstructured:
    """Why a claim cannot be taken apart."""

    reason: str


#: By which statement the guarantee of a unit becomes that of a group.
_GROUPS = {
    "pure-dp": "dr2014/thm2.2",
    "approx-dp": "vadhan2017/lem2.2",
    "pdp": "vadhan2017/lem2.2",
    "output-dp": "vadhan2017/lem2.2",
    "zcdp": "bs2016/prop1.9",
    "gaussian-dp": "gdp/group",
    "rdp": "mironov2017/prop2",
    "bounded-range": "dong2020/group",
}


def steps(ledger: Ledger, claim: TotalClaim) -> int | Unstructured:
    """How many of the ledger's neighbours the data of the claim are apart."""
    if claim.neighbours in (None, ledger.neighbours):
        return claim.units
    if (claim.neighbours, ledger.neighbours) in IN_TWO_STEPS:
        return 2 * claim.units
    return Unstructured(
        f"the ledger declares {ledger.neighbours or 'no'} neighbours, from which nothing follows for {claim.neighbours}"
    )


def beside(ledger: Ledger, claim: TotalClaim) -> int:
    """Return how many more units of the claim's group may be besides the one that differs.

    None where units are replaced: all of them may be removed before others are added.
    """
    adds = ledger.neighbours == "add-or-remove-one" and claim.neighbours in (None, "add-or-remove-one")
    return claim.units - 1 if adds else 0


def too_few_records(ledger: Ledger, claim: TotalClaim) -> str:
    """Return which cap rests on fewer records than a group has besides one of its units, in words; "" where none does.

    When a ledger is read, its caps are checked against its ``dataset_size`` for one unit. What reads one part only has
    fewer records, of which the ledger says nothing.
    """
    more = beside(ledger, claim)
    if ledger.dataset_size is None or not more or isinstance(ledger.events, EventColumns):
        return ""
    least = most_others(ledger.dataset_size, ledger.neighbours, claim.units)
    for place, event in enumerate(ledger.events):
        ran, cap = event.decision in (None, "continue"), event.truncation
        if ran and cap is not None and event.part is None and cap.records < least:
            return (
                f"the cap of events[{place}] rests on at most {cap.records} records besides the one that differs, and "
                f"by the ledger's dataset_size of {ledger.dataset_size} there are up to {least} where {claim.units} "
                f"units are added: give records of at least {least}, or claim it of fewer units"
            )
    return ""


def of_one_unit(ledger: Ledger, claim: TotalClaim, epsilon: Fraction | None = None) -> ApproxDPClaim | None:
    """The claim about one unit from which a claim of (epsilon, delta) about a group follows; None for other claims.

    With the largest epsilon that makes the group's, or a smaller one that is given, which goes with a larger delta.
    None too where the unit's delta would be too small to be written down.

    Whatever the interaction is, that it is (epsilon/m, delta')-DP for each unit makes it (epsilon, delta)-DP for data m
    neighbours apart with delta' (1 + e^(epsilon/m) + ... + e^((m-1) epsilon/m)) <= delta (vadhan2017/lem2.2).
    """
    apart = steps(ledger, claim)
    if not isinstance(claim, ApproxDPClaim) or not isinstance(apart, int) or apart == 1:
        return None
    each, delta = claim.epsilon / apart if epsilon is None else epsilon, Fraction(0)
    if claim.delta:
        width = Fraction(1, 10 ** (GROUP_DIGITS + 2))
        try:
            factor = decide.enclose(lambda ar: group_delta(ar, each, Fraction(1), apart), decide.engine("arb"), width)
        except UnwritableError:
            return None
        delta = Fraction(to_decimal(claim.delta / factor.upper, GROUP_DIGITS, "down"))
    return replace(claim, epsilon=each, delta=delta, units=1, neighbours=None, document=None)


def _of_the_whole(ledger: Ledger, claim: TotalClaim, apart: int) -> Finding:
    """The premise of a claim that follows from one of a unit."""
    how = (
        f"{_apart_words(ledger, claim, apart)}, the guarantee of the whole for one unit made one of {apart} steps "
        "(vadhan2017/lem2.2)"
    )
    return Finding(Hypothesis.GROUP, True, how, premise=True)


def _apart_words(ledger: Ledger, claim: TotalClaim, apart: int) -> str:
    how = IN_TWO_STEPS.get((claim.neighbours or "", ledger.neighbours or ""), "")
    what = f"a group of {claim.units}" if claim.units > 1 else "a unit"
    if apart > claim.units:
        does = "zeroing out" if claim.neighbours == "zero-out" else "replacing"
        what = f"{does} {what} {how.format(units=claim.units)}"
    return f"{what}: data {apart} neighbours apart"


def premises(ledger: Ledger, claim: TotalClaim, *, whole: bool = False) -> tuple[Finding, ...]:
    """What the structure rests on and no ledger can show; ``whole`` where a group's claim follows from a unit's."""
    found = [*together(ledger)]
    apart = steps(ledger, claim)
    if isinstance(apart, int) and apart > 1 and whole:
        found.append(_of_the_whole(ledger, claim, apart))
    elif isinstance(apart, int) and apart > 1:
        # Of approximate zCDP and Renyi DP no group theorem is known.
        kinds = sorted(
            {
                event.guarantee.kind
                for event in ledger.ran
                if not (isinstance(event.guarantee, (ZCDP, RenyiDP)) and event.guarantee.delta)
            }
        )
        by = ", ".join(f"{kind} by {_GROUPS[kind]}" for kind in kinds if kind in _GROUPS)
        if _splits(ledger, claim, apart) != (None,):
            by += "; Gaussian noise, also on Poisson samples, by kahane1985/group"
        how = (
            f"{_apart_words(ledger, claim, apart)}, each guarantee made one of {apart} steps ({by or 'none is known'})"
        )
        found.append(Finding(Hypothesis.GROUP, True, how, premise=True))
    for name, key in ledger.partitions.items():
        how = (
            f"the ledger declares that the parts of {name!r} are disjoint by a public key ({key}), and that each "
            f"unit's records lie in one of them{', the same in every ledger' if ledger.together else ''} "
            f"(parallel composition: McSherry 2009; mcsherry2009/thm4){_taken_as_different(ledger, name)}"
        )
        found.append(Finding(Hypothesis.DISJOINT_PARTS, True, how, premise=True))
    if ledger.period:
        each = (
            f"; each {ledger.period}'s events read that {ledger.period}'s data only, and are these events again"
            if claim.periods > 1
            else ""
        )
        if each and ledger.interaction == "sequential":
            # The ledger speaks of the events of one period.
            each += f", and none of one {ledger.period}'s runs while one of another's does"
        said = f"{claim.periods} {ledger.period}s'" if claim.periods > 1 else f"one {ledger.period}'s"
        how = f"the claim speaks of {said} data of a unit{each}"
        found.append(Finding(Hypothesis.PERIODS, True, how, premise=True))
    return (*found, *selection(ledger))


def selection(ledger: Ledger) -> tuple[Finding, ...]:
    """What trials rest on of which one was released."""
    if not ledger.selects:
        return ()
    by_coin = any(event.selected for event in ledger.ran)
    found = ["the ledger declares private selection: " + Hypothesis.SELECTION.value] if by_coin else []
    found += dict.fromkeys(
        f"the ledger declares the best of {event.best_of}: each is run afresh, and how many there are does not depend "
        "on the data and is not released, nor is anything of the other trials"
        for event in ledger.ran
        if event.best_of
    )
    return tuple(Finding(Hypothesis.SELECTION, True, how, premise=True) for how in found)


#: So many names of parts are listed in a premise.
_MOST_NAMED = 6


def _taken_as_different(ledger: Ledger, partition: str) -> str:
    """Return how many parts of the partition count as different ones, by which names; nothing where none is read."""
    parts = list(dict.fromkeys(e.part[1] for e in ledger.ran if e.part is not None and e.part[0] == partition))
    if not parts:
        return ""
    listed = ", ".join(repr(part) for part in parts[:_MOST_NAMED])
    more = f" and {len(parts) - _MOST_NAMED} more" if len(parts) > _MOST_NAMED else ""
    said = f"; {len(parts)} different part(s) are counted by their names: {listed}{more}"
    declared = [pair for pair in ledger.told_apart() if set(pair) <= set(parts)]
    said += "".join(
        f"; {one!r} and {other!r} look alike, and the ledger declares that they are two"
        for one, other in declared[:_MOST_NAMED]
    )
    return said + (f"; so do {len(declared) - _MOST_NAMED} more pairs" if len(declared) > _MOST_NAMED else "")


def is_plain(ledger: Ledger, claim: TotalClaim) -> bool:
    """Whether the claim is about the ledger as it stands."""
    parted = bool(ledger.partitions) and any(event.part is not None for event in ledger.events)
    return steps(ledger, claim) == claim.periods == 1 and not parted


def cases(ledger: Ledger, claim: TotalClaim) -> tuple[PartsCase, ...] | Unstructured:
    """The plain ledgers of which a claim must hold, or why it cannot be taken apart into them."""
    in_parts = any(event.part is not None for event in ledger.ran)
    apart = steps(ledger, claim)
    if isinstance(apart, Unstructured):
        return apart
    if not Facts.of(ledger).declarations.fixed:
        return Unstructured(
            "parts, periods, and groups event by event, are accounted for parameters fixed in advance only; if none "
            "was chosen after an answer was seen, declare that"
        )
    if in_parts and ledger.neighbours != "add-or-remove-one":
        return Unstructured("a replaced record may leave one part and enter another: parts need add-or-remove-one")
    if in_parts and apart > 1:
        return Unstructured(
            "the units of a group may lie in different parts; claim it of one unit, or declare no parts"
        )
    if claim.periods > 1 and not ledger.period:
        return Unstructured("the ledger does not say of which period a unit is (`period`)")
    ran = Counter(event.part[0] for event in ledger.ran if event.part is not None)
    classes = [_classes(ledger, name) for name in ran]
    if prod(map(len, classes)) > MOST_CASES:
        return Unstructured(f"at most {MOST_CASES} combinations of parts that read differently are audited")
    if claim.periods > 1 and prod(map(len, classes)) > 1:
        return Unstructured(
            "a unit may lie in different parts in different periods, of which nothing is proved for parts that read "
            "differently: claim it of one period, or leave `part` out, so that all events count for every unit"
        )
    found = []
    for chosen in product(*classes):
        parts = {name: part for name, (part, _, _) in zip(ran, chosen, strict=True)}
        events = tuple(event for event in ledger.ran if event.part is None or parts[event.part[0]] == event.part[1])
        ways = _splits(ledger, claim, apart)
        for split in ways:
            plain = replace(
                ledger,
                events=tuple(_scaled(event, apart, claim.periods, split) for event in events),
                budget=None,
                attained_together=ledger.attained_together and apart == claim.periods == 1,
            )
            named = (
                parts if split is None or len(ways) == 1 else {_GROUP: "{} in one only, {} in the other".format(*split)}
            )
            found.append(PartsCase(named, prod(alike for _, alike, _ in chosen), plain))
    return tuple(found)


def by_partition(ledger: Ledger, claim: TotalClaim) -> Iterator[PartsCase]:
    """Yield each case of the events that read all records or one partition: what a unit of that part certainly loses.

    No ledger says that a unit lies in parts of several partitions. But some unit lies in each part, and events that
    read other partitions can only add to what it loses. Nothing where there is one partition only, or a group.
    """
    names = list(dict.fromkeys(event.part[0] for event in ledger.ran if event.part is not None))
    if len(names) < 2 or steps(ledger, claim) != 1:
        return
    for name in names:
        read = tuple(event for event in ledger.ran if event.part is None or event.part[0] == name)
        found = cases(replace(ledger, events=read), claim)
        if not isinstance(found, Unstructured):
            yield from found


#: What a case of a group is called.
_GROUP = "units"


def _splits(ledger: Ledger, claim: TotalClaim, apart: int) -> tuple[tuple[int, int] | None, ...]:
    """How many of a group's units lie in one data set only, and in the other, where samples have a pair for each.

    Up to the order of both, which every bound takes both ways. Where units are replaced, all of them lie in both.
    (None,) where no event is a sample with such a pair.
    """
    sampled = any(event.law is not None and event.law.sample and _grouped(event, (1, 1), 1) for event in ledger.ran)
    if apart == 1 or claim.units > MOST_SPLIT or not sampled:
        return (None,)
    if "replace-one" in (claim.neighbours, ledger.neighbours) or apart > claim.units:
        return ((claim.units, claim.units),)
    return tuple((apart - other, other) for other in range(apart // 2 + 1))


def _grouped(event: Event, split: tuple[int, int], apart: int) -> Mechanism | None:
    """The pair of an event on Poisson samples, or of Gaussian noise, for a group that is split so; None of others."""
    law = event.law
    if law is None or law.upper is None or event.selected is not None:
        return None
    if law.sample is None:
        return of_group(law, apart, 0) if law.is_gaussian else None
    each = law.sample.of_unit
    return of_group(law, each * split[0], each * split[1]) if law.sample.rate < 1 else None


def case_facts(ledger: Ledger, claim: TotalClaim, case: PartsCase, *, group: TotalClaim | None = None) -> Facts:
    """Return the facts of one case of a claim, or of one unit's from which a claim about ``group`` follows."""
    several = group is not None or steps(ledger, claim) != 1 or len(case.parts) > 1
    return Facts.of(case.ledger, Structure(several, beside(ledger, group or claim), claim.periods > 1))


_Alike = tuple[str, int, Counter[Event]]


def _classes(ledger: Ledger, name: str) -> list[_Alike]:
    """The parts of a partition that are read differently: one of each kind, how many are alike, and its events."""
    read: dict[str, Counter[Event]] = {}
    for event in ledger.ran:
        if event.part is not None and event.part[0] == name:
            alone = replace(event, label="", count=1, part=None)
            read.setdefault(event.part[1], Counter())[alone] += event.count
    found: dict[frozenset[tuple[Event, int]], _Alike] = {}
    for part, events in read.items():
        key = frozenset(events.items())
        first, alike, _ = found.get(key, (part, 0, events))
        found[key] = (first, alike + 1, events)
    return list(found.values())


def _scaled(event: Event, apart: int, periods: int, split: tuple[int, int] | None = None) -> Event:
    """An event as it counts for data this many neighbours apart, as often as it runs in the claim's periods."""
    event = replace(event, part=None, count=event.count * periods)
    if apart == 1:
        return event
    # The pair of laws of a mechanism is that of one unit, but for Gaussian noise.
    law = None if split is None else _grouped(event, split, apart)
    return replace(event, guarantee=group_guarantee(event.guarantee, apart), law=law)


def group_guarantee(guarantee: Guarantee, k: int) -> Guarantee:
    """The guarantee of one unit for a group of k: what is known of its kind, else one that cannot be accounted."""
    match guarantee:
        case PureDP():
            return PureDP(k * guarantee.epsilon)
        case GaussianDP():
            return GaussianDP(k * guarantee.mu)
        case BoundedRange():
            return BoundedRange(k * guarantee.epsilon)
        case Unknown(description):
            return Unknown(f"{description}; nor is it for a group")
        case ZCDP() if not guarantee.delta:
            return ZCDP(k * k * guarantee.rho)
        case RenyiDP() if not guarantee.delta:
            doublings = (k - 1).bit_length()
            orders = tuple(
                (order / 2**doublings, 3**doublings * cost)
                for order, cost in guarantee.orders
                if order >= 2 ** (doublings + 1)
            )
            return RenyiDP(orders) if orders else Unknown("Renyi DP of too small an order for a group of that size")
    approx = as_approx_dp(guarantee)
    if approx is None:
        return Unknown(f"{guarantee.kind} with delta > 0 for a group: no theorem is registered")
    if not approx.delta:
        return PureDP(k * approx.epsilon)
    return ApproxDP(k * approx.epsilon, _rounded_up(approx.epsilon, approx.delta, k))


def _rounded_up(eps: Fraction, delta: Fraction, k: int) -> Fraction:
    """vadhan2017/lem2.2.delta to this many digits, rounded up; 1 where it is more, any mechanism has 1."""
    if (k - 1) * eps >= delta.denominator.bit_length():
        # The last term alone, delta e^((k-1) eps), is at least 1, however large it is.
        return Fraction(1)
    for digits in _precisions():
        found = decide.enclose(lambda ar: group_delta(ar, eps, delta, k), decide.engine("arb"), Fraction(1, 10**digits))
        if found.lower >= 1:
            return Fraction(1)
        ends = {Fraction(to_decimal(end, GROUP_DIGITS, "up")) for end in (found.lower, found.upper)}
        if len(ends) == 1:
            return min(ends.pop(), Fraction(1))
    raise UndecidedError("the delta of the group is too close to a decimal of 30 digits to be rounded up")


def _precisions() -> Iterator[int]:
    yield from (GROUP_DIGITS + 10, 4 * GROUP_DIGITS, 16 * GROUP_DIGITS)
