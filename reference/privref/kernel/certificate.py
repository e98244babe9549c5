"""Check a certificate: read the ledger and the claim anew, take the claim apart, and check one proof for each part.

``check`` is what decides ``verified``. It searches for nothing: what had to be found stands in the certificate as a
witness, and is evaluated once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, prod
from typing import Any

from privref.kernel import numbers
from privref.kernel.balls import at_most, end, rational, working
from privref.kernel.evidence import contradicts, error_of
from privref.kernel.fields import LEAST, MOST, Fields
from privref.kernel.machines import showed
from privref.kernel.numbers import Malformed, Refused
from privref.kernel.pairs import MOST_OF_A_GROUP, of_group
from privref.kernel.record import ADD_OR_REMOVE, REPLACE, ZERO_OUT, Event, Guarantee, Record, normal_delta, read
from privref.kernel.refutations import refute, worst_case
from privref.kernel.theorems import Goal, only, prove

#: Combinations of parts that read differently, and units of a group or periods of a claim.
MOST_CASES = 64
MOST_UNITS = 10**6
MOST_GROUP_EPSILON = 10_000  # Beyond it the delta of a group counts as 1.
MOST_NAMED = 6  # Names of parts that a premise lists.
#: A proof of a claim of mu by guarantees at points of its curve, and how many there are at most; all delta.
POINTS, MOST_POINTS = "points", 64
_ALL = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Checked:
    """What was shown: the claim and verdict in the certificate's words, by what, and what it rests on."""

    claim: Mapping[str, Any]
    verdict: str
    by: tuple[str, ...]
    premises: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about the total: its notion, its number and delta, and of what it speaks."""

    notion: str
    size: Fraction
    delta: Fraction
    by: str
    units: int
    periods: int
    neighbours: str
    #: The delta of which a claim of mu speaks.
    deltas: tuple[Fraction, Fraction] = _ALL


def check(certificate: Mapping[str, Any], ledger: Mapping[str, Any] | None = None) -> Checked:
    """Check a ``certificate.2`` against a ledger, or against the one that it holds where none is given.

    Raise Malformed where a document cannot be read, Refused where the certificate does not show its verdict.
    """
    fields = Fields(certificate, "certificate")
    if fields.take("schema") != "certificate.2":
        raise Malformed("certificate.schema", certificate["schema"], "audit again: the kernel checks certificate.2")
    said = fields.take("claim")
    verdict = fields.one_of("verdict", ("confirmed", "refuted", "contradicted-by-evidence", "underivable"))
    document, sha256 = _ledger(fields.take("ledger"), ledger)
    proofs = fields.items("proofs", MOST_CASES)
    if fields.has("commentary"):
        fields.take("commentary")
    fields.done()
    record = read(document, MOST if verdict == "confirmed" else LEAST)
    premises = list(record.premises)
    if isinstance(said, Mapping) and ("reading" in said or "remaining" in said):  # Of a machine, not of the total.
        if record.evidence:
            raise Refused("the ledger has evidence of attacks, and none is weighed against what a machine showed")
        if verdict != "confirmed":
            raise Refused("what a machine showed is confirmed")
        if "together" in document:
            raise Refused("a machine needs the order of the events, and nobody declares that of several ledgers")
        if read(document, LEAST).events != record.events:
            raise Refused("a reading may fall where a loss grows: the kernel checks none of numbers that are rounded")
        if record.period:
            premises.append(f"the machine began anew with each {record.period}, whose events these are")
        return Checked(said, verdict, (showed(record, said, proofs, premises),), tuple(premises), sha256)
    claim = claim_of(said, record)
    if verdict == "contradicted-by-evidence":
        by = _by_evidence(record, claim, proofs, premises)
    elif verdict == "confirmed":
        _not_by_evidence(record, claim, premises)
        by = _confirm(record, claim, proofs, Goal(claim.notion, claim.size, claim.delta, claim.periods, premises))
    else:
        by = _contradict(record, claim, verdict, proofs, premises)
    return Checked(said, verdict, by, tuple(dict.fromkeys(premises)), sha256)


def _ledger(found: object, given: Mapping[str, Any] | None) -> tuple[Mapping[str, Any], str]:
    """Return the ledger's document; Refused where it is not the one that the certificate is about."""
    with Fields(found, "certificate.ledger") as fields:
        said = fields.text("sha256", required=True)
        held = fields.take("document") if fields.has("document") else None
    document = held if given is None else given
    if document is None:
        raise Malformed("--ledger", "(missing)", "the certificate holds no ledger: give the file that it is about")
    if not isinstance(document, dict):
        raise Malformed("certificate.ledger.document", document, "give a JSON object")
    own = numbers.digest(document, "ledger")
    if own != said or (held is not None and numbers.digest(held, "certificate.ledger.document") != said):
        raise Refused(f"the ledger's SHA-256 is {own}, the certificate is about {said}")
    return document, own


def claim_of(found: object, record: Record) -> Claim:
    """Read a claim of ``claims.1`` about the total of a record."""
    fields = Fields(found, "certificate.claim")
    fields.name("id", required=True)
    notions = [name for name in ("epsilon", "rho", "mu") if fields.has(name)]
    if len(notions) != 1:
        raise Malformed("certificate.claim", ", ".join(notions), "a claim has one of epsilon, rho and mu")
    size = fields.exact(notions[0])
    if fields.has("delta") and notions == ["mu"]:
        raise Malformed("certificate.claim.delta", "(given)", "a claim of mu has no delta")
    needed = fields.has("delta") or notions == ["epsilon"]
    delta = fields.exact("delta", at_most=1) if needed else Fraction(0)
    low, high = _ALL
    if notions == ["mu"] and fields.has("deltas"):
        low, high = (numbers.number(end, "certificate.claim.deltas") for end in fields.items("deltas", 2, 2))
        if not 0 <= low < high <= 1:
            raise Malformed("certificate.claim.deltas", f"{low}, {high}", "give two numbers in [0, 1], the less first")
    by = fields.name("by")
    units, periods = (fields.whole(name, 1, MOST_UNITS) for name in ("units", "periods"))
    neighbours = fields.one_of("neighbours", (ADD_OR_REMOVE, REPLACE, ZERO_OUT), record.neighbours)
    fields.done()
    return Claim(notions[0], size, delta, by, units, periods, neighbours, (low, high))


#: A unit is removed and another one, or one that contributes nothing, is added; or it is zeroed out, and the other one
#: appears in its place. Each of both steps is between neighbours of the ledger.
_IN_TWO_STEPS = {(REPLACE, ADD_OR_REMOVE), (REPLACE, ZERO_OUT), (ZERO_OUT, ADD_OR_REMOVE)}


def apart_of(record: Record, claim: Claim) -> int:
    """Return how many of the ledger's neighbours the claim's data are apart."""
    if claim.neighbours == record.neighbours:
        return claim.units
    if (claim.neighbours, record.neighbours) in _IN_TWO_STEPS:
        return 2 * claim.units
    raise Refused(f"nothing follows for {claim.neighbours} from a ledger about {record.neighbours}")


def _confirm(record: Record, claim: Claim, proofs: list[Any], goal: Goal) -> tuple[str, ...]:
    """Check one proof for each combination of parts that a unit's records may lie in."""
    if goal.notion == "mu" and isinstance(proofs[0], Mapping) and proofs[0].get("by") == POINTS:
        return _by_points(record, claim, proofs, goal)
    premises, apart = goal.premises, apart_of(record, claim)
    _caps_hold(record, claim.units if claim.neighbours == record.neighbours else 1)
    if apart > 1:
        premises.append(f"a group: data {apart} neighbours apart")
    if (claim.neighbours, record.neighbours) == (ZERO_OUT, ADD_OR_REMOVE):
        premises.append("a unit that contributes nothing is one of those that the ledger lets be added")
    if record.period:
        apiece = f"each {record.period}'s events read that {record.period}'s data only"
        premises.append(f"{apiece}, and are these events again")
    found = list(cases(record, claim, premises))
    if len(found) != len(proofs):
        raise Refused(f"the claim falls into {len(found)} cases, the certificate has {len(proofs)} proofs")
    if not record.sequential:
        premises.append("mechanisms that run concurrently: Vadhan and Zhang 2023, Haney et al. 2023")
    names = [_proof(part, parts, claim, apart, proof, goal) for (parts, part), proof in zip(found, proofs, strict=True)]
    return tuple(dict.fromkeys(names))


def _by_points(record: Record, claim: Claim, proofs: list[Any], goal: Goal) -> tuple[str, ...]:
    """Check guarantees (e_0, d_0), ..., (e_n, d_n) that prove mu-Gaussian DP for each delta from ``low`` to ``high``.

    With D of mu-Gaussian DP, which falls strictly: e_0 = 0 or D(e_0) >= high, each later D(e_i) >= d_(i-1), and d_n <=
    low. Of any such delta let d_i be the first that is no larger. Then D(e_i) >= delta or e_i = 0: e_i is at most the
    epsilon at which D is delta.
    """
    case, _, witness = only(proofs)
    names, (low, before) = list[str](), claim.deltas
    for i, item in enumerate(witness.items("cover", MOST_POINTS)):
        with Fields(item, "certificate.proofs.witness.cover") as point:
            epsilon, own = point.exact("epsilon"), point.items("proofs", MOST_CASES)
            delta = point.exact("delta", at_most=1)
        with working(512):
            if (i or epsilon) and not at_most(-normal_delta(claim.size**2, epsilon), -before):
                raise Refused(f"point {i} is not certainly below the curve of mu from the one before it on")
        names += _confirm(record, claim, own, replace(goal, notion="epsilon", size=epsilon, delta=delta))
        before = delta
    witness.done()
    if case or before > low:
        raise Refused("the last point has a larger delta than the range begins with")
    return tuple(dict.fromkeys(names))


def _caps_hold(record: Record, added: int) -> None:
    """A cap on samples may not rest on fewer records than there are beside the last of ``added`` units.

    Units that are replaced may all be removed before others are added. That a sample is never above its cap rests on
    the stated records too.
    """
    if record.size is None:
        return
    least = record.size + added - 1 if record.neighbours == ADD_OR_REMOVE else record.size - 1
    for event in record.events:
        stated = None if event.law is None else event.law.stated
        if stated is not None and event.part is None and stated[1] < least:
            raise Refused(f"a cap rests on {stated[1]} records, and by the ledger there are {least}")


def _proof(record: Record, parts: Mapping[str, str], claim: Claim, apart: int, found: object, goal: Goal) -> str:
    """Check the proof of one combination of parts; return the theorem."""
    fields = Fields(found, "certificate.proofs")
    case = fields.take("case") if fields.has("case") else {}
    if case != dict(parts):
        raise Refused(f"the proof is about the parts {case}, and {dict(parts)} comes next")
    by, records = fields.name("by", required=True), [record]
    if fields.has("of_unit"):
        goal = _unit(fields.inner("of_unit"), goal, apart)
    elif apart > 1:
        if parts:
            raise Refused("the units of a group may lie in different parts: it is proved through one unit only")
        records = groups(record, claim, apart)
        if not record.fixed:
            raise Refused("groups event by event are accounted for parameters fixed in advance only")
    if claim.by and not (claim.by == by or claim.by.startswith(f"{by}.")):
        raise Refused(f"the claim is by {claim.by}, the proof by {by}")
    given = fields.take("witness")
    fields.done()
    for each in records:
        with Fields(given, "certificate.proofs.witness") as witness:
            prove(by, each, goal, witness)
    return by


def groups(record: Record, claim: Claim, apart: int) -> list[Record]:
    """Return what the events have for a group, for all ways in which its units may lie in one data set or the other.

    Both orders of two data sets are one. Of replaced units each is in both; more of a group on samples are refused.
    """
    splits = [(apart - other, other) for other in range(apart // 2 + 1 if apart <= MOST_OF_A_GROUP else 1)]
    if REPLACE in (claim.neighbours, record.neighbours) or apart > claim.units:
        splits = [(claim.units, claim.units)]
    found = dict.fromkeys(tuple(grouped(event, apart, *split) for event in record.events) for split in splits)
    return [replace(record, events=events, budget=None) for events in found]


def _unit(fields: Fields, goal: Goal, apart: int) -> Goal:
    """Return the goal about one unit from which the group's follows (Vadhan 2017, Lemma 2.2)."""
    epsilon, delta = fields.point()
    if goal.notion != "epsilon" or apart == 1:
        raise Refused("only an (epsilon, delta) claim about a group follows from one about a unit")
    goal.holds(apart * epsilon <= goal.size, "the unit's epsilon, times the units")
    goal.holds(_group_delta(epsilon, delta, apart) <= goal.delta, "the unit's delta, as the group's")
    return replace(goal, size=epsilon, delta=delta)


def grouped(event: Event, apart: int, first: int, second: int) -> Event:
    """Return what an event has for data ``apart`` neighbours apart, with ``first`` and ``second`` units alone."""
    law = None if event.law is None else of_group(event.law, first, second, apart)
    if law is not None:
        return Event(event.count, None, law, "", event.part)
    own = event.own
    if own is None or (event.law is not None and event.law.approx is not None):
        raise Refused("a group of samples, or of a worst case with a delta, is proved through one unit only")
    if own.kind in ("approx-dp", "pdp", "output-dp") and not own.delta and event.dp is not None:
        own = Guarantee("pure-dp", event.dp[0])
    kind = own.kind
    if kind == "gaussian-dp":
        own = replace(own, mu=apart * own.mu)
    elif kind == "zcdp" and not own.delta:
        own = replace(own, rho=apart * apart * own.rho)
    elif kind in ("pure-dp", "bounded-range"):
        own = replace(own, epsilon=apart * own.epsilon)
    elif kind == "rdp" and not own.delta:
        times = (apart - 1).bit_length()
        kept = ((order / 2**times, 3**times * cost) for order, cost in own.orders if order >= 2 ** (times + 1))
        own = replace(own, orders=tuple(kept))
    elif kind in ("approx-dp", "pdp", "output-dp") and event.dp is not None:
        own = Guarantee("approx-dp", apart * event.dp[0], _group_delta(*event.dp, apart))
    else:
        raise Refused(f"what {kind} with a delta is for a group is proved through one unit only")
    return Event(event.count, own, None, "", event.part)


def _group_delta(epsilon: Fraction, delta: Fraction, apart: int) -> Fraction:
    """Return delta (e^(m epsilon) - 1)/(e^epsilon - 1), rounded up, and at most 1 (Vadhan 2017, Lemma 2.2)."""
    if not epsilon or not delta or apart * epsilon > MOST_GROUP_EPSILON:
        return min(apart * delta, Fraction(1)) if not epsilon or not delta else Fraction(1)
    with working(512):
        steps = rational(apart * epsilon).expm1() / rational(epsilon).expm1()
        scaled = ceil(end(rational(delta) * steps * rational(2) ** 400, up=True))
        return min(Fraction(scaled, 2**400), Fraction(1))


def cases(record: Record, claim: Claim, premises: list[str]) -> Iterator[tuple[Mapping[str, str], Record]]:
    """Yield each combination of parts, those that read alike once, with the record of what reads it.

    A unit's records lie in one part of each partition; what reads other parts has the same law on both neighbours.
    """
    if claim.periods > 1 and not (record.period and record.fixed):
        raise Refused("several periods need a declared period, and parameters fixed in advance")
    if claim.periods > 1 and record.sequential:  # The ledger declares it of one period's events.
        premises.append(f"none of one {record.period}'s events runs while one of another {record.period}'s does")
    events = tuple(replace(event, count=event.count * claim.periods) for event in record.events)
    named = sorted({event.part[0] for event in events if event.part is not None})
    if not named:
        yield {}, replace(record, events=events)
        return
    if not record.fixed or record.neighbours != ADD_OR_REMOVE:
        raise Refused("parts need parameters fixed in advance and add-or-remove-one neighbours")
    for name in named:
        own = list(dict.fromkeys(event.part[1] for event in events if event.part is not None and event.part[0] == name))
        listed = ", ".join(map(repr, own[:MOST_NAMED])) + (", …" if len(own) > MOST_NAMED else "")
        premises.append(
            f"the parts of {name!r} are disjoint by a public key ({record.partitions[name]}), and each unit's records "
            f"lie in one of them; {len(own)} are counted by their names: {listed}"
        )
    kinds = [_kinds(events, name) for name in named]
    if (number := prod(map(len, kinds))) > MOST_CASES or (claim.periods > 1 and number > 1):
        raise Refused("too many combinations of parts that read differently, or several periods of such parts")
    for chosen in product(*kinds):
        parts = dict(zip(named, chosen, strict=True))
        read = [event for event in events if event.part is None or parts[event.part[0]] == event.part[1]]
        yield parts, replace(record, events=tuple(replace(event, part=None) for event in read), budget=None)


def _kinds(events: tuple[Event, ...], name: str) -> list[str]:
    """Return one part of each kind that is read differently, the first by name."""
    read_by: dict[str, Counter[Event]] = {}
    for event in events:
        if event.part is not None and event.part[0] == name:
            read_by.setdefault(event.part[1], Counter())[replace(event, count=1, part=None)] += event.count
    first: dict[frozenset[tuple[Event, int]], str] = {}
    for part in sorted(read_by):
        first.setdefault(frozenset(read_by[part].items()), part)
    return sorted(first.values())


def _not_by_evidence(record: Record, claim: Claim, premises: list[str]) -> None:
    """Refuse a claim that the ledger's own evidence contradicts, or may. A group loses at least as much as one unit."""
    for piece in record.evidence:
        if claim.neighbours != record.neighbours or claim.deltas != _ALL:
            raise Refused("evidence of attacks is weighed in the ledger's own neighbours, and for all delta, only")
        if contradicts(piece, claim.notion, claim.size, claim.delta):
            raise Refused(f"the ledger's evidence contradicts the claim: {piece}")
        premises.append(f"{piece}: the claim itself is not contradicted by that; what else is proved is not weighed")


def _by_evidence(record: Record, claim: Claim, proofs: list[Any], premises: list[str]) -> tuple[str, ...]:
    """Check that a piece of the ledger's evidence contradicts the claim, at the errors that all pieces state."""
    case, by, witness = only(proofs)
    place = witness.whole("piece", most=10**6, least=0)
    witness.done()
    of_one_unit = (claim.units, claim.periods, claim.neighbours, claim.deltas) == (1, 1, record.neighbours, _ALL)
    if case or by != "evidence" or not of_one_unit or place >= len(record.evidence):
        raise Refused("no such piece of evidence speaks of the claim")
    piece = record.evidence[place]
    if not contradicts(piece, claim.notion, claim.size, claim.delta):
        raise Refused(f"the evidence does not contradict the claim: {piece}")
    premises.append(piece.premise)
    premises.append(
        f"{piece}; all evidence of the ledger contradicts a claim that is true with a chance of at most "
        f"{numbers.shown(error_of(record.evidence))}"
    )
    return ("mahloujifar2024/one_run" if claim.notion == "mu" else piece.by,)


def _contradict(record: Record, claim: Claim, verdict: str, proofs: list[Any], premises: list[str]) -> tuple[str, ...]:
    """Check one lower bound above the claim: of what ran, or of a worst case that the guarantees allow."""
    case, by, witness = only(proofs)
    if claim.notion == "mu" and witness.has("at"):
        epsilon, delta = witness.inner("at").point()
        with working(512):
            inside = claim.deltas[0] <= delta <= claim.deltas[1]
            if not inside or not at_most(normal_delta(claim.size**2, epsilon), delta):
                raise Refused("what is lost at this point says nothing of this mu, or of this range of delta")
        claim = replace(claim, notion="epsilon", size=epsilon, delta=delta)
    if claim.notion == "mu" and claim.deltas != _ALL:
        raise Refused("a claim on a range of delta is contradicted at a point of it")
    if apart_of(record, claim) > 1:
        raise Refused("lower bounds are about one unit and the ledger's own neighbours")
    _caps_hold(record, 1)
    if claim.periods > 1:
        premises.append(f"every {record.period} has these events")
    # What reads other partitions can only add to what is lost, wherever a unit lies in them.
    kept = tuple(one for one in record.events if not one.part or (isinstance(case, dict) and one.part[0] in case))
    chosen = [part for parts, part in cases(replace(record, events=kept), claim, premises) if dict(parts) == case]
    if len(chosen) != 1 or len(case) > 1 or (not case and len(kept) < len(record.events)):
        raise Refused("the lower bound is about parts of which no ledger says that a unit lies in all of them")
    goal = Goal(claim.notion, claim.size, claim.delta, claim.periods, premises)
    part = replace(chosen[0], together=chosen[0].together and claim.periods == 1, budget=record.budget)
    (refute if verdict == "refuted" else worst_case)(part, goal, by, witness)
    witness.done()
    return (by,)
