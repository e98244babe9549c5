"""What a change of a ledger does to its best bound, and how two ledgers differ."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, nearest, require_text
from privref.exact.numbers import at_least_zero, probability, spell, written
from privref.exact.numbers import count as read_count
from privref.ledger import names
from privref.ledger.model import Budget, Event, Ledger, require_ledger
from privref.ledger.reading import guarantee_from
from privref.profiles.declared import Mechanism
from privref.statements.hypotheses import BUDGET_HYPOTHESES
from privref.statements.registry import solve, statement

from .facts import Facts
from .facts.hypotheses import of_filter
from .opinions import Bound
from .run import best_bound, weighed_bound

_KINDS = {"rho": "zcdp", "mu": "gaussian-dp", "epsilon": "pure-dp"}


def event_from(text: str, field: str = "--add") -> Event:
    """One event from ``rho=0.1``, ``epsilon=0.1,delta=1e-9,count=3,label=x`` or ``mu=1/2``."""
    require_text(text, field)
    given: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        name = name.strip().lower()
        if not equals or name in given:
            raise InputError(field, text, "give name=value pairs, each once, e.g. epsilon=0.1,delta=1e-9,count=3")
        given[name] = value.strip()
    label, times = given.pop("label", "added"), read_count(given.pop("count", "1"), f"{field}.count", least=1)
    kind = next((kind for name, kind in _KINDS.items() if name in given), None)
    known = {"zcdp": {"rho", "delta"}, "gaussian-dp": {"mu"}, "pure-dp": {"epsilon", "delta"}}
    if kind is None or set(given) - known[kind]:
        hint = nearest(next((name for name in given if name not in {*_KINDS, "delta"}), ""), [*_KINDS, "delta"])
        remedy = f"{hint}give rho[,delta], epsilon[,delta] or mu, and, if you like, count and label"
        raise InputError(field, text, remedy)
    if kind == "pure-dp" and "delta" in given:
        kind = "approx-dp"
    return Event(guarantee_from({"kind": kind, **given}, field), times, label)


def changed(ledger: Ledger, add: Iterable[Event] = (), remove: Iterable[str] = ()) -> Ledger:
    """The ledger with events added at its end, and those of some labels (or ``#3``, by place) removed."""
    added = tuple(add) if isinstance(add, Iterable) else (add,)
    if isinstance(add, Event) or not all(isinstance(event, Event) for event in added):
        raise InputError("add", add, "give a list of events, such as the events of ledger_from_csv(...)")
    if isinstance(remove, str):
        raise InputError("remove", remove, f"give a list of labels: [{remove!r}]")
    events = list(ledger.events)
    gone: set[int] = set()
    for name in remove:
        place = name[1:]
        if name.startswith("#") and place.isdigit() and 1 <= int(place) <= len(events):
            gone.add(int(place) - 1)
            continue
        labels = sorted({event.label for event in events if event.label})
        wanted = names.trimmed(name)
        found = [i for i, event in enumerate(events) if event.label and names.trimmed(event.label) == wanted]
        near = [label for label in labels if names.trimmed(label) != wanted and names.are_alike(label, name)]
        if near:
            differ = names.how_they_differ(near[0], name)
            remedy = f"{near[0]!r} looks like it ({differ}); name the event by its place, #1 to #{len(events)}"
            raise InputError("--remove", name, remedy)
        if not found:
            near = difflib.get_close_matches(name, labels, n=3)
            hint = "no event has this label; "
            hint += (
                f"did you mean {' or '.join(near)}?" if near else f"name an event by its place, #1 to #{len(events)}"
            )
            raise InputError("--remove", name, hint)
        gone.update(found)
    kept = [event for i, event in enumerate(events) if i not in gone]
    title, of = f"{ledger.title} (changed)", "nothing: this ledger stands in no file"
    return replace(ledger, title=title, events=(*kept, *added), digest="", digest_of=of, document=None, rows=None)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The best bounds at delta of a ledger and of its changed copy, and what of a target remains."""

    delta: Fraction
    target: Fraction | None
    before: Bound | None
    after: Bound | None
    rho_left: Enclosure | None
    """What of the rho that converts to the target (cks2020/zcdp2dp) the changed ledger's own leaves."""
    rho_by: str | None
    """The theorem that gives the changed ledger's own rho."""
    adaptive_warning: bool

    @property
    def left(self) -> Enclosure | None:
        """The target less the changed ledger's bound: what remains, or (negative) what is missing."""
        if self.target is None or self.after is None or self.after.enclosure is None:
            return None
        return Enclosure(self.target - self.after.enclosure.upper, self.target - self.after.enclosure.lower)


def what_if(
    ledger: Ledger, delta: object, *, target: object = None, add: Iterable[Event] = (), remove: Iterable[str] = ()
) -> WhatIf:
    """The best bound on epsilon at delta before and after a change; with a target, what remains of it.

    Where the best bound is the tight conversion of zCDP, or that of its moments with DP rounds', what remains is said
    in rho too: the largest rho that still converts to the target, less the ledger's (of the combination of disjoint
    parts with the largest). Moments convert to a little less than a rho, which is said where it leaves something only.
    """
    require_ledger(ledger)
    slack = probability(delta, "delta")
    goal = None if target is None else at_least_zero(target, "target")
    add = tuple(add) if isinstance(add, Iterable) else add
    other = changed(ledger, add, remove)
    # What an attack found was found of what ran, and not of what would have run.
    (before, _), (after, plain) = weighed_bound(ledger, slack), best_bound(other, slack)
    before, after = _with_budget(before, goal), _with_budget(after, goal)
    found = WhatIf(slack, goal, before, after, None, None, bool(add) and ledger.parameters == "fixed-in-advance")
    by = None if after is None else _RHO_BY.get(after.application.by)
    if found.left is None or goal is None or by is None or not 0 < slack < 1:
        return found
    summed = [Facts.of(each) for each in plain]
    if not all(facts.guarantees.has_zcdp and not facts.guarantees.zcdp_delta for facts in summed):
        return found
    most = solve(statement("cks2020/zcdp2dp.rho"), {"eps": goal, "delta": slack}, digits=20, engine="arb").enclosure
    if most is None:
        return found
    spent = [_rho(facts, by) for facts in summed]
    rho_left = Enclosure(most.lower - max(each.upper for each in spent), most.upper - max(each.lower for each in spent))
    if rho_left.lower < 0 <= found.left.lower:
        return found
    return replace(found, rho_left=rho_left, rho_by=by)


def _with_budget(found: Bound | None, goal: Fraction | None) -> Bound | None:
    """Return a bound that rests on a filter that is not declared, with the target as the budget that it names."""
    supposed = None if found is None else found.application.supposed
    if found is None or goal is None or supposed is None or (supposed.epsilon, supposed.rho) != (None, None):
        return found
    budget = replace(supposed, epsilon=goal)
    findings = tuple(
        replace(each, how=of_filter(budget)) if each.premise and each.hypothesis in BUDGET_HYPOTHESES else each
        for each in found.application.findings
    )
    return replace(found, application=replace(found.application, findings=findings))


#: The theorem that gives the rho of all events, by the one of the best bound; its hypotheses are among those.
_RHO_BY = {"cks2020/zcdp2dp": "whitehouse2023/thm1", "mironov2017/mixed": "whitehouse2023/thm1.tight"}


def _rho(facts: Facts, by: str) -> Enclosure:
    """The rho of all events by this theorem."""
    if by == "whitehouse2023/thm1":
        return Enclosure(facts.guarantees.rho, facts.guarantees.rho)
    eps, rho = facts.guarantees.pure_and_rho
    found = solve(statement(f"{by}.rho"), {"eps": eps, "rhos": ((rho, 1),)}, digits=20, engine="arb").enclosure
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class Difference:
    """How two ledgers differ: declarations, and events by label and guarantee with how often each runs."""

    declared: Mapping[str, tuple[str, str]]
    only_first: tuple[tuple[str, int], ...]
    only_second: tuple[tuple[str, int], ...]
    bounds: tuple[Bound | None, Bound | None] | None
    delta: Fraction | None

    @property
    def same(self) -> bool:
        return not (self.declared or self.only_first or self.only_second)


def _ran(law: Mechanism) -> str:
    """A mechanism in words; that its shifts are attained is the default and not said, so that both spellings agree."""
    said = replace(law, said=tuple((key, value) for key, value in law.said if key != "attained"))
    return f"{said}, not attained" if law.upper is not None and not law.attained else str(said)


def _said(event: Event) -> str:
    """An event in words: all of it that a theorem may use."""
    guarantee = event.guarantee
    fields = []
    for field in dataclass_fields(guarantee):
        value = getattr(guarantee, field.name)
        if isinstance(value, tuple):
            # What it costs at each order, or by each cell.
            at = ((written(of) if isinstance(of, Fraction) else repr(of), written(cost)) for of, cost in value)
            value = ", ".join(f"{of}: {cost}" for of, cost in at)
        fields.append(f"{field.name} = {written(value) if isinstance(value, Fraction) else value}")
    more = [f"cell {event.observed_cell}"] if event.observed_cell is not None else []
    more += [event.decision] if event.decision not in (None, "continue") else []
    law = event.law or event.trial
    more += [_ran(law)] if law is not None else [event.mechanism] if event.mechanism else []
    more += [f"selected {event.selected}"] if event.selected is not None else []
    more += [f"the best of {event.best_of}"] if event.best_of is not None else []
    more += [f"{event.part[0]} {event.part[1]}"] if event.part is not None else []
    more += [str(event.released)] if event.released is not None else []
    label = f"{event.label}: " if event.label else ""
    return f"{label}{guarantee.kind} ({', '.join([*fields, *more])})"


def _declaration(value: object) -> str:
    if isinstance(value, Budget):
        return json.dumps(value.document)
    if isinstance(value, Mapping):
        return json.dumps(
            {
                key: given if isinstance(given, str) else {name: spell(number) for name, number in given.items()}
                for key, given in value.items()
            }
        )
    if isinstance(value, tuple):
        said = (json.dumps(part, ensure_ascii=False) if isinstance(part, tuple) else str(part) for part in value)
        return "; ".join(said) or "not declared"
    return "not declared" if value in (None, "") else str(value)


#: What of a ledger is not declared: its events, which are compared one by one, and the files that it was read from.
_OF_THE_FILE = {"events", "document", "rows", "digest", "digest_of", "attacked", "unread"}


def diff(first: Ledger, second: Ledger, delta: object = None) -> Difference:
    """The differences of two ledgers; with a delta, also the best bound of each."""
    require_ledger(first, "first")
    require_ledger(second, "second")
    slack = None if delta is None else probability(delta, "delta")
    declared = {}
    for field in dataclass_fields(Ledger):
        name = field.name
        if name in _OF_THE_FILE:
            continue
        one, other = getattr(first, name), getattr(second, name)
        if one != other:
            declared[name] = (_declaration(one), _declaration(other))
    counts = []
    for ledger in (first, second):
        counter: Counter[str] = Counter()
        for event in ledger.events:
            counter[_said(event)] += event.count
        counts.append(counter)
    if counts[0] == counts[1]:
        # An odometer's reading after the third event is about the first three.
        one, other = ([f"{_said(event)} x {event.count}" for event in ledger.events] for ledger in (first, second))
        place = next((i for i, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
        if place is not None:
            declared["order of events"] = (f"#{place + 1} {one[place]}", f"#{place + 1} {other[place]}")
    bounds = None if slack is None else (weighed_bound(first, slack)[0], weighed_bound(second, slack)[0])
    return Difference(
        declared, tuple((counts[0] - counts[1]).items()), tuple((counts[1] - counts[0]).items()), bounds, slack
    )
