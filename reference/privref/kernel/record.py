"""Read a ledger from its document: what ran, what each event has, and what the ledger declares of the whole.

This is a second reader, on purpose: it shares nothing with the one that audits. A field that it does not know is
refused, and so is what it cannot hold against the rest of the ledger.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from privref.kernel import pairs
from privref.kernel.balls import at_most, normal_cdf, rational, working
from privref.kernel.evidence import Piece, read_evidence
from privref.kernel.fields import MOST, Fields
from privref.kernel.numbers import Malformed, Refused, count, number
from privref.kernel.pairs import IN_ANY_SAMPLE, MATRIX, NOISY_MAX, InBins, Law, Normal, Pair, Response, Revealed

#: The kind of what the best of a random number of trials guarantees, which no ledger may declare.
BEST = "best-of"
ADD_OR_REMOVE, REPLACE, ZERO_OUT = "add-or-remove-one", "replace-one", "zero-out"
#: The filters whose enforced budget proves a claim about parameters chosen on the way.
FILTERS = (
    "rogers2016/thm3.3", "whitehouse2023/thm2", "whitehouse2023/lem1", "cks2020/zcdp2dp", "gdp/composition",
    "hartmann2022/alg1", "rswr2023/ex_post_filter", "whitehouse2023/thm1", "rogers2016/thm5.1", "hartmann2022/def19",
    "feldman2021/renyi_filter", "feldman2021/response_filter", "lecuyer2021/renyi_grid_filter", "gdp/domination",
)  # fmt: skip
#: Filters that charge the cell that was observed, so that what ran depends on the answers.
_BY_ANSWERS = ("", "hartmann2022/alg1", "hartmann2022/def19", "rswr2023/ex_post_filter")
_THEOREM = re.compile(r"[a-z0-9]+/[A-Za-z0-9_.]+")
MOST_EVENTS, MOST_ALL_CELLS = 10**9, 200_000  # Entries of one ledger, and cells of all its partitions.


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What an event guarantees; numbers that its kind does not have are 0."""

    kind: str
    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)
    mu: Fraction = Fraction(0)
    orders: tuple[tuple[Fraction, Fraction], ...] = ()
    cells: tuple[tuple[str, Fraction], ...] = ()
    #: Of the best of a random number of trials: what one of them has, and eta and gamma of the number, or its mean.
    of: Guarantee | None = None
    numbers: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """What ran, how often, and the part of a partition that it reads.

    Where the law is known, what the event has is taken from the law; the guarantee beside it must follow from it.
    """

    count: int
    guarantee: Guarantee | None
    law: Law | None
    cell: str = ""
    part: tuple[str, str] | None = None
    selected: bool = False
    #: Numbers with normal noise that a round released, all divided by a number of records that neighbours change.
    divided: int = 0

    @property
    def own(self) -> Guarantee | None:
        """The guarantee that the event has: of its law where that is known, else the declared one."""
        law = self.law
        if law is None:
            return self.guarantee
        if law.pure is not None:
            return Guarantee("pure-dp" if law.width is None else "bounded-range", law.pure)
        if law.approx is not None:
            return Guarantee("approx-dp", *law.approx)
        return None if law.rho is None else Guarantee("zcdp", rho=law.rho)

    @property
    def dp(self) -> tuple[Fraction, Fraction] | None:
        """The epsilon and delta of (epsilon, delta)-DP."""
        found = self.own
        if found is None or found.kind not in ("pure-dp", "approx-dp", "pdp", "bounded-range", "output-dp"):
            return None
        return max((cost for _, cost in found.cells), default=found.epsilon), found.delta

    @property
    def zcdp(self) -> tuple[Fraction, Fraction] | None:
        """The rho and delta of delta-approximate zCDP (Bun and Steinke 2016; Cesar and Rogers 2021 for a range)."""
        found = self.own
        if found is not None and found.kind == "zcdp":
            return found.rho, found.delta
        if found is not None and found.kind == "gaussian-dp":
            return found.mu**2 / 2, Fraction(0)
        halved = 8 if self.width is not None else 2
        return None if self.dp is None else (self.dp[0] ** 2 / halved, self.dp[1])

    @property
    def mu_squared(self) -> Fraction | None:
        """The square of the mu of Gaussian DP."""
        if self.law is not None:
            return self.law.mu_squared
        return self.own.mu**2 if self.own is not None and self.own.kind == "gaussian-dp" else None

    @property
    def width(self) -> Fraction | None:
        """The epsilon of bounded range."""
        return self.own.epsilon if self.own is not None and self.own.kind == "bounded-range" else None

    @property
    def dominating(self) -> tuple[Pair, ...] | None:
        """The pairs whose product dominates the event: of its law, else the worst case of its guarantee."""
        if self.law is not None:
            return self.law.pairs
        found = self.guarantee
        if found is not None and found.kind == "gaussian-dp":
            return (Pair(Normal(found.mu**2)),) if found.mu else ()
        return None if self.dp is None else (pairs.worst_pair(*self.dp),)

    @property
    def own_delta(self) -> Fraction:
        """The delta that the event has whatever notion it is accounted by."""
        return Fraction(0) if self.own is None else self.own.delta


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget that was enforced: epsilon or rho, a delta, the filter, and the split of delta where it has one."""

    size: Fraction
    delta: Fraction
    of_rho: bool
    filter: str
    prime: Fraction | None


@dataclass(frozen=True, slots=True)
class Record:
    """A ledger as the kernel knows it."""

    neighbours: str
    sequential: bool
    queries_fixed: bool
    fixed: bool
    budget: Budget | None
    tuning: Mapping[str, Mapping[str, Fraction]]
    events: tuple[Event, ...]
    together: bool
    period: str
    partitions: Mapping[str, str]
    size: int | None
    premises: tuple[str, ...]
    #: The places of these events among the entries of the ledger, how many entries it has, and whether its size is
    #: public: what odometers are about.
    places: tuple[int, ...]
    entries: int
    public_size: bool
    evidence: tuple[Piece, ...]


def read(found: Mapping[str, Any], reading: str) -> Record:
    """Read a ``ledger.1`` document; numbers that were published rounded at the end that ``reading`` asks for."""
    fields = Fields(found, "ledger", reading)
    if fields.take("schema") != "ledger.1":
        raise Malformed("ledger.schema", found["schema"], "the kernel reads ledger.1")
    fields.text("title", required=True)
    fields.text("source")
    fields.text("privacy_unit", required=True)
    neighbours = fields.one_of("neighbours", (ADD_OR_REMOVE, REPLACE, ZERO_OUT))
    parameters = fields.one_of("parameters", ("fixed-in-advance", "chosen-adaptively"))
    sequential = fields.one_of("interaction", ("sequential", "concurrent")) == "sequential"
    queries = fields.one_of("queries", ("fixed-in-advance", "chosen-adaptively"), "chosen-adaptively")
    size, public = None, False
    if fields.has("dataset_size"):
        with fields.inner("dataset_size") as given_size:
            size, public = given_size.whole("value"), given_size.flag("public", False)
    budget = _budget(fields.inner("budget")) if fields.has("budget") else None
    tuning = _tuning(fields.take("tuning")) if fields.has("tuning") else {}
    partitions = _partitions(fields.take("partitions")) if fields.has("partitions") else {}
    different = _different_names(fields.take("different_names")) if fields.has("different_names") else []
    period = fields.name("period")
    evidence = read_evidence(fields)
    premises: list[str] = []
    if fields.has("together"):
        premises += _joined(fields.items("together", MOST_EVENTS, 2), found, parameters, sequential)
    together = fields.flag("attained_together", False)
    given = fields.items("events", MOST_EVENTS)
    fields.done()
    named = [item.get("mechanism") for item in given if isinstance(item, dict)]
    named += [item.get("base") for item in named if isinstance(item, dict)]
    if sum(isinstance(found, dict) and found.get("kind") == MATRIX for found in named) > pairs.MOST_RUNS:
        raise Refused(f"more than {pairs.MOST_RUNS} events with noise that is correlated over rounds")
    ran: list[Event] = []
    places: list[int] = []
    cells = 0
    for i, item in enumerate(given):
        place = f"ledger.events[{i}]"
        event, happened = _event(item, place, reading, neighbours, public, premises)
        if event.part is not None and event.part[0] not in partitions:
            raise Malformed(f"{place}.part.of", event.part[0], "its public key is not among the partitions")
        drawn = 0 if event.law is None else event.law.records
        if size and (drawn > size or (drawn and event.part is None and drawn != size)):
            raise Malformed(f"{place}.mechanism.records", drawn, "each draw takes one of all records (`dataset_size`)")
        cells += 0 if event.guarantee is None else len(event.guarantee.cells)
        if cells > MOST_ALL_CELLS:
            raise Refused(f"the partitions of the ledger have more than {MOST_ALL_CELLS} cells")
        if happened:
            ran.append(event)
            places.append(i)
    premises += _distinct_names(tuple(ran), different, partitions)
    several = any(event.guarantee is not None and len(event.guarantee.cells) > 1 for event in ran)
    by_answers = budget is not None and budget.filter in _BY_ANSWERS and several
    fixed = parameters == "fixed-in-advance" and len(ran) == len(given) and not by_answers
    return Record(
        neighbours, sequential, queries == "fixed-in-advance", fixed, budget, tuning, tuple(ran), together, period,
        partitions, size, tuple(dict.fromkeys(premises)), tuple(places), len(given), public,
        evidence,
    )  # fmt: skip


def _budget(fields: Fields) -> Budget:
    of_rho = fields.has("rho")
    size = fields.exact("rho" if of_rho else "epsilon")
    delta = fields.exact("delta", at_most=1) if fields.has("delta") or not of_rho else Fraction(0)
    name = fields.one_of("filter", FILTERS, "")
    prime = fields.exact("delta_prime", positive=True) if fields.has("delta_prime") else None
    fields.done()
    if of_rho != (name == "whitehouse2023/thm1"):
        raise Malformed("ledger.budget.filter", name, "a budget of rho is that of whitehouse2023/thm1, and of no other")
    if prime is not None and (prime > delta or of_rho):
        raise Malformed("ledger.budget.delta_prime", prime, "it is a part of delta")
    return Budget(size, delta, of_rho, name, prime)


def _tuning(found: object) -> dict[str, dict[str, Fraction]]:
    if not isinstance(found, Mapping):
        raise Malformed("ledger.tuning", found, "give an object")
    read: dict[str, dict[str, Fraction]] = {}
    for name, values in found.items():
        if not _THEOREM.fullmatch(name):
            raise Malformed("ledger.tuning", ascii(name), "give the id of a theorem, such as whitehouse2023/thm2")
        with Fields(values, f"ledger.tuning.{name}") as fields:
            keys = ("delta_prime", "gamma", "v0", "y_star", "order")
            read[name] = {key: fields.exact(key) for key in keys if fields.has(key)}
    return read


def _partitions(found: object) -> dict[str, str]:
    if not isinstance(found, Mapping) or len(found) > 8:
        raise Malformed("ledger.partitions", found, "give at most 8 partitions with their public keys")
    read = {}
    for name, key in found.items():
        if not isinstance(key, str) or not key or not key.isprintable():
            remedy = "say by which public key a record's part is decided, in characters that can be printed"
            raise Malformed("ledger.partitions", ascii(name), remedy)
        read[_one_form(name, "ledger.partitions")] = key
    if len(read) != len(found):
        raise Malformed("ledger.partitions", ", ".join(found), "a partition stands twice, spelled otherwise")
    return read


def _event(
    found: object, place: str, reading: str, neighbours: str, public: bool, premises: list[str]
) -> tuple[Event, bool]:
    """Read one event, and whether it ran."""
    fields, before = Fields(found, place, reading), len(premises)
    fields.text("label")
    times = fields.whole("count", 1)
    happened = fields.one_of("decision", ("continue", "halt", "reject"), "continue") == "continue"
    guarantee = _guarantee(fields.inner("guarantee")) if fields.has("guarantee") else None
    law = None
    if fields.has("mechanism"):
        given = fields.take("mechanism")
        law = pairs.mechanism(given, f"{place}.mechanism", reading, neighbours, guarantee, times)
        law = _beside(given, law, guarantee, place, premises)
        premises += [] if law is None else _rests(given, law, neighbours, reading)
    cell = fields.text("observed_cell")
    if cell and (guarantee is None or cell not in dict(guarantee.cells)):
        raise Malformed(f"{place}.observed_cell", cell, "it is not a cell of the event's output-dp guarantee")
    part = None
    if fields.has("part"):
        with fields.inner("part") as own:
            part = _one_form(own.take("of"), f"{own.place}.of"), _one_form(own.take("is"), f"{own.place}.is")
    event = Event(times, guarantee, law, cell, part)
    best, trials = _selected(fields, event)
    if guarantee is None and law is None:
        raise Refused(f"{place}: the event has no guarantee, and the kernel knows no law of its mechanism")
    if fields.has("released"):
        if law is None or best is not None:
            raise Refused(f"{place}.released: it is about all answers of a mechanism whose law the kernel knows")
        alike = {"number-of-records"} if public or neighbours != ADD_OR_REMOVE else set[str]()
        if neighbours != ADD_OR_REMOVE and given.get("sampling") in ("fixed-size", "shuffled"):
            alike.add("batch-size")
        event = _released(event, law, fields.inner("released"), alike, premises)
        if event.law is None:
            if reading == MOST:
                raise Refused(f"{place}.released: sums were divided by a number of records that neighbours change")
            del premises[before:]  # They are about the law.
    fields.done()
    if best is not None:
        premises.append(trials)
        # What is paid for a trial bounds what is released from above, and need not be lost.
        event = replace(event, guarantee=best, law=None, cell="", selected=True)
    return event, happened


#: What may be declared of the answers that were released, and the words under which they are the mechanism's own.
_RELEASED = {
    "divided_by": ("nothing", "public-constant"), "clipping": ("each-record",), "padding": ("none", "zeros"),
    "empty_batches": ("like-others",), "not_finite": ("zeroed",), "noise": ("new-each-step",),
    "across_records": ("none",), "metrics": ("none", "events"), "tuning": ("none", "other-data", "events"),
}  # fmt: skip


def _released(event: Event, law: Law, fields: Fields, alike: set[str], premises: list[str]) -> Event:
    """Read what of an event's answers was released; return it without its law where only the divisor is another.

    ``alike`` are the divisors that are the same number for both data sets.
    """
    said = {key: fields.text(key) for key in _RELEASED if fields.has(key)}
    sized = said.get("divided_by") == "number-of-records"
    numbers = fields.whole("coordinates") if sized and fields.has("coordinates") else 0
    fields.done()
    known = {**_RELEASED, "divided_by": (*_RELEASED["divided_by"], *alike)}
    other = {key for key, word in said.items() if word not in known[key]}
    if rest := other - {"divided_by"} if sized else other:
        raise Refused(f"{fields.place}: something else than the mechanism's answers was released, by {min(rest)}")
    if not other:
        words = ", ".join(f"{key} {word}" for key, word in said.items())
        left = ", ".join(key for key in _RELEASED if key not in said)
        premises.append(f"of what was released nobody checked: {words}; nor, of which nothing is declared: {left}")
        return event
    normal = law.attained and bool(law.pairs) and all(isinstance(pair.base, (Normal, InBins)) for pair in law.pairs)
    return replace(event, guarantee=None, law=None, divided=numbers if normal and event.part is None else 0)


_LOOK = str.maketrans("1i|0", "lllo")  # Letters and digits that look alike in many fonts, in lower case.


def _skeleton(name: str) -> str:
    """Return a name without case, accents, compatibility forms and what tells 1, l and I or 0 and O apart."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold()).translate(_LOOK)
    kept = "".join(sign if sign.isalnum() else "-" for sign in plain if not unicodedata.combining(sign))
    return re.sub("-+", "-", kept).replace("rn", "m").replace("vv", "w")


def _one_form(value: object, place: str) -> str:
    """Return a name in normal form C: two spellings with one form are one name."""
    if not isinstance(value, str) or not value or value != value.strip() or not value.isprintable():
        raise Malformed(place, ascii(value), "name a part by visible characters, without spaces at its ends")
    return unicodedata.normalize("NFC", value)


def _different_names(found: object) -> list[list[str]]:
    """Return the groups of names that look alike, and which the ledger declares to be different ones."""
    if not isinstance(found, list) or not found or not all(isinstance(group, list) for group in found):
        raise Malformed("ledger.different_names", found, "give groups of names that look alike and are different")
    groups = [[_one_form(name, "ledger.different_names") for name in group] for group in found]
    for group in groups:
        if len(group) < 2 or len(set(group)) != len(group) or len({_skeleton(name) for name in group}) > 1:
            raise Malformed("ledger.different_names", ", ".join(group), "give different names that look alike")
    return groups


def _distinct_names(events: tuple[Event, ...], different: list[list[str]], partitions: Mapping[str, str]) -> list[str]:
    """Refuse names of parts that a reader could take for one another: they would count as disjoint.

    Two names of one partition are too near if they have one skeleton, unless the ledger declares them to be different,
    which is a premise; or if their letters come from different scripts.
    """
    seen: dict[tuple[str, str], list[str]] = {}
    scripts: dict[str, str] = {}
    foreign: dict[str, str] = {}
    parts = sorted({event.part for event in events if event.part is not None})
    for of, name in parts:
        if any(ord(sign) > 0xFF for sign in name):
            foreign.setdefault(of, name)
        seen.setdefault((of, _skeleton(name)), []).append(name)
        for script in {_script(sign) for sign in name if sign.isalpha()}:
            if scripts.setdefault(of, script) != script:
                raise Refused(f"the parts of {of!r} are named in letters of different scripts, which may look alike")
    declared = [frozenset(group) for group in different]
    premises = []
    for (of, _), alike in seen.items():
        if len(alike) < 2:
            continue
        # In one group all of them: two groups that share a name say nothing of the others.
        if not any(group.issuperset(alike) for group in declared):
            raise Refused(f"the parts {alike[0]!r} and {alike[1]!r} of {of!r} are spelled too alike")
        listed = ", ".join(map(repr, alike))
        premises.append(f"{listed} look alike, and the ledger declares that they are {len(alike)} parts")
    several = Counter(of for of, _ in parts)
    for of in sorted(of for of in foreign if several[of] > 1):
        raise Refused(f"the kernel compares names of western letters only, and a part of {of!r} is {foreign[of]!r}")
    used = {name for _, name in parts} | set(partitions)
    for group in different:
        if not used & set(group):
            raise Malformed("ledger.different_names", ", ".join(group), "no part and no partition has such a name")
    return premises


def _script(sign: str) -> str:
    """Return the script of a letter, by the first word of its name; of one that stands for another, that one's."""
    plain = unicodedata.normalize("NFKD", sign)[0]
    return unicodedata.name(plain, "UNNAMED").split()[0]


#: What one ledger declares of its own interaction, and which says nothing of several together.
_OF_ONE = ("budget", "queries", "attained_together", "tuning", "dataset_size")


def _joined(found: list[Any], whole: Mapping[str, Any], parameters: str, sequential: bool) -> list[str]:
    """Read which ledgers the events are of; return what is declared of their joint interaction as premises."""
    digests = []
    for i, item in enumerate(found):
        with Fields(item, f"ledger.together[{i}]") as one:
            one.text("title", required=True)
            digests.append(one.text("sha256", required=True))
        if not re.fullmatch("[0-9a-f]{64}", digests[-1]):
            raise Malformed(f"ledger.together[{i}].sha256", item, "give the SHA-256 of the ledger in hexadecimals")
    for key in _OF_ONE:
        if key in whole:
            raise Refused(f"ledger.{key}: the kernel takes it of one ledger, and these are {len(found)} together")
    if len(set(digests)) < len(digests):
        raise Refused("ledger.together names one ledger twice")
    premises = [f"the events are all those of the ledgers {', '.join(digest[:12] for digest in digests)}"]
    if parameters == "fixed-in-advance":
        premises.append(
            f"the privacy parameters of all {len(found)} ledgers' events, and which events there are, were fixed "
            "before the first answer in any of them"
        )
    if sequential:
        premises.append(f"no event of one of the {len(found)} ledgers ran while one of another did")
    if "partitions" in whole:
        premises.append("each unit's records lie in the same part of a partition in every ledger")
    return premises


def _guarantee(fields: Fields) -> Guarantee:
    kind = fields.one_of("kind", _KINDS)
    values: dict[str, Any] = {name: fields.parameter(name) for name in _KINDS[kind]}
    if kind in ("approx-dp", "pdp", "output-dp") or (kind in ("zcdp", "rdp") and fields.has("delta")):
        values["delta"] = fields.parameter("delta", at_most=1)
    if kind == "output-dp":
        values["cells"] = _rule(fields.inner("partition")) if fields.has("partition") else _costs(fields.inner("cells"))
    if kind == "rdp":
        place = f"{fields.place}.orders"
        values["orders"] = tuple(sorted((number(order, place), c) for order, c in _costs(fields.inner("orders"))))
        orders = [order for order, _ in values["orders"]]
        if min(orders) <= 1 or len(set(orders)) != len(orders):
            raise Malformed(place, ", ".join(map(str, orders)), "give each order above 1 once")
    fields.done()
    return Guarantee(kind, **values)


#: Kinds of guarantees, and the numbers that each has beside a delta.
_KINDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("pure-dp", "approx-dp", "pdp", "bounded-range"), ("epsilon",)),
    "zcdp": ("rho",), "gaussian-dp": ("mu",), "rdp": (), "output-dp": (),
}  # fmt: skip
MOST_CELLS = 10_000  # Cells of one partition.


def _rule(fields: Fields) -> tuple[tuple[str, Fraction], ...]:
    """Return the cells of a partition that is given by a rule, with their costs (Hartmann et al. 2022)."""
    name = fields.one_of("rule", ("svt-count", "ptr", "constant", "iterations", "capped-count"))
    cells: list[tuple[str, Fraction]]
    if name == "svt-count":
        first, second, c = fields.exact("eps1"), fields.exact("eps2"), fields.whole("c", most=MOST_CELLS)
        cells = [(str(n), first + second * n / c) for n in range(c + 1)]
    elif name == "ptr":
        each = fields.exact("eps")
        cells = [("answer", 2 * each), ("bottom", each)]
    elif name == "capped-count":
        base, per, cap = fields.exact("base"), fields.exact("per"), fields.whole("cap", most=MOST_CELLS)
        cells = [(str(n), base + per * n) for n in range(cap)] if per else []
        cells.append((f"{cap if per else 0} or more", base + per * cap))
    elif name == "constant":
        each = fields.exact("eps")
        cells = [(cell, each) for cell in fields.items("cells", MOST_CELLS)]
    else:
        stops = [count(point, f"{fields.place}.k", 1) for point in fields.items("k", MOST_CELLS)]
        if stops != sorted(stops):
            raise Malformed(f"{fields.place}.k", ", ".join(map(str, stops)), "give stopping points in order")
        costs = [number(cost, f"{fields.place}.E") for cost in fields.items("E", MOST_CELLS)]
        if len(stops) != len(costs) or any(cost < 0 for cost in costs):
            raise Malformed(f"{fields.place}.E", len(costs), "give a cost of at least 0 for each stopping point")
        cells = list(zip(map(str, stops), costs, strict=True))
    fields.done()
    if not all(isinstance(cell, str) for cell, _ in cells) or len(dict(cells)) != len(cells):
        raise Malformed(fields.place, name, "name each cell once by a text")
    return tuple(cells)


def _costs(fields: Fields) -> tuple[tuple[str, Fraction], ...]:
    if not fields.left:
        raise Malformed(fields.place, "{}", "give at least one")
    return tuple((name, fields.parameter(name)) for name in list(fields.left))


def _selected(fields: Fields, event: Event) -> tuple[Guarantee | None, str]:
    """What is guaranteed where one of several trials is released (liu2019, papernot2022), or None; and a premise."""
    of, law, said = event.own, event.law, dict[str, Fraction]()
    if fields.has("best_of"):
        with fields.inner("best_of") as given:
            poisson = given.one_of("trials", ("negative-binomial", "poisson")) == "poisson"
            for key in ("mean",) if poisson else ("eta", "gamma"):
                said[key] = number(given.take(key), f"{given.place}.{key}")
            if not (said["mean"] > 0 if poisson else said["eta"] > -1 and 0 < said["gamma"] < 1):
                raise Malformed(given.place, "not known", "give eta above -1 and gamma in (0, 1), or a mean above 0")
        listed = ", ".join(f"{key} {value}" for key, value in said.items())
        premise = f"only the best trial is released; how many ran ({listed}) is up to no data"
        paid = None if poisson else 2 + said["eta"]
    else:
        how = fields.one_of("selected", ("above-threshold", "best-of-random-number"), "none")
        if how == "none":
            return None, ""
        premise = "private selection: independent trials, after each of which a coin fixed in advance ends the run"
        paid = Fraction(2 if how == "above-threshold" else 3)
    known = of is not None and not of.delta and of.kind != "output-dp" and (of.kind == "pure-dp" or bool(said))
    if of is None or not known or (law is not None and (law.shared or law.stated is not None)):
        raise Malformed(f"{fields.place}.guarantee", of, "no theorem here is about trials of this guarantee")
    if of.kind == "pure-dp" and paid is not None:
        return Guarantee("pure-dp", paid * of.epsilon), premise
    return Guarantee(BEST, of=of, numbers=tuple(said.values())), premise


_ANY_SAMPLE = (
    "which records a batch holds depends on coins and on earlier answers only, each at most once, and in an epoch of a "
    "shuffle each is in one batch; an event begins with an epoch"
)


def _rests(given: Any, law: Law, neighbours: str, reading: str) -> Iterator[str]:
    """Yield what the law of a mechanism rests on."""
    drawn, sampling, worst = any(pair.rate < 1 for pair in law.pairs), given.get("sampling"), reading == MOST
    run, revealed = given.get("base", given), [pair.base.parts for pair in law.pairs if isinstance(pair.base, Revealed)]
    if law.kind == IN_ANY_SAMPLE and worst:
        yield _ANY_SAMPLE
    if law.records:
        yield "each draw takes any of all records, as many as declared, whatever was drawn before, anew in every round"
    if drawn and sampling == "fixed-size":
        yield "each batch is any of the batches of one size, without replacement and anew in every round"
    elif drawn:
        yield "each record was drawn on its own, anew in every round (Poisson), as the ledger declares"
    if sampling == "balls-in-bins":
        alike = "" if worst else ", with the same contribution in every epoch,"
        held, these = (given["chosen"], "their") if "chosen" in given else ("one", "that bin's")
        yield (
            f"each record fell into {held} of the bins on its own and uniformly, and took part in {these} rounds only"
            f"{alike} as the ledger declares"
        )
    if "records_per_unit" in given:
        many = "at most" if worst else "exactly"
        yield f"a unit has {many} as many records as declared, each of which was drawn on its own"
    if drawn and neighbours == REPLACE and sampling == "poisson":
        opposite = "what a record and the one in its place contribute are opposite, each half of what is changed"
        halves = "no record contributes more than half of what a replaced one changes"
        yield f"{halves if worst else opposite} (`clipped`)"
    if neighbours == ZERO_OUT and (drawn or revealed or sampling == "balls-in-bins"):
        yield (
            "a record that contributes nothing changes no count, divisor or order: what runs on a sample with it has "
            "the law of what runs without it"
        )
    if law.kind == pairs.MIXTURE:
        moves = "at most" if worst else "exactly, and in one direction,"
        anew = "drawn by its weight anew in every round, on its own, and not released"
        yield f"the record is on one side only, and moves the sum by {moves} one of the `shifts`, {anew}"
    if law.kind == NOISY_MAX:
        one_way = ", all in one direction" if given.get("monotone") else ""
        yield (
            f"a neighbour changes no score by more than `sensitivity`{one_way}; the candidates are the same, each "
            "score got noise of its own, and only the best candidate was released"
        )
    if run["kind"] == MATRIX:
        apart = run.get("spacing", "at-least").replace("-", " ")
        anyhow = ", where it may be drawn, whatever others' data are" if "base" in given else ""
        yield (
            f"a unit changes the sums of at most `participations` rounds, {apart} `separation` apart{anyhow}"
            if worst
            else "a unit is in the first rounds, as many and as close as declared, and changes each fully, one way"
        )
    cases = [*law.pairs, *(part for parts in revealed for _, part in parts)]
    if any(isinstance(case.base, Response) for case in cases) and neighbours != REPLACE:
        drawn_as = f"drawn as that of one with {'some' if worst else 'another'} value"
        yield f"randomized response answers for every unit; the answer of one that is absent is {drawn_as}"
    if law.stated is not None:
        yield (
            "a batch of more than {} records is cut to that, by a rule of the records drawn, of coins and of "
            "earlier answers; no data set has more than {} records besides the one that differs".format(*law.stated)
        )


def _beside(given: Any, law: Law | None, guarantee: Guarantee | None, place: str, premises: list[str]) -> Law | None:
    """Hold a guarantee against the mechanism that is declared beside it."""
    if guarantee is None:
        return law
    if law is None or law.kind == IN_ANY_SAMPLE or law.epoch is not None:
        if given.get("kind") != "other":
            raise Refused(f"{place}: the kernel knows no law of this sample, and does not take a guarantee for it")
        premises.append("guarantees of mechanisms without a known law are taken at their word")
        return None
    if law.records or not _follows(law, guarantee):
        raise Refused(f"{place}: the kernel does not see that the {guarantee.kind} guarantee follows from its law")
    return law


def _follows(law: Law, guarantee: Guarantee) -> bool:
    """Whether the guarantee is one that the law has, by a closed rule."""
    if guarantee.kind in ("pure-dp", "approx-dp", "pdp", "output-dp") and law.pure is not None:
        costs = [cost for _, cost in guarantee.cells] or [guarantee.epsilon]
        return min(costs) >= law.pure
    if guarantee.kind == "approx-dp" and law.approx is not None:
        return guarantee.epsilon >= law.approx[0] and guarantee.delta >= law.approx[1]
    if guarantee.kind == "bounded-range":
        return law.width is not None and guarantee.epsilon >= law.width
    if guarantee.kind == "zcdp":
        own = law.rho if law.rho is not None else None if law.pure is None else law.pure**2 / 2
        return own is not None and guarantee.rho >= own
    if guarantee.kind == "gaussian-dp":
        return law.mu_squared is not None and guarantee.mu**2 >= law.mu_squared
    if guarantee.kind == "rdp" and law.rho is not None:
        return all(cost >= order * law.rho for order, cost in guarantee.orders)
    if guarantee.kind == "approx-dp" and law.mu_squared is not None:
        with working(256):
            return at_most(normal_delta(law.mu_squared, guarantee.epsilon), guarantee.delta)
    return False


def normal_delta(square: Fraction, epsilon: Fraction) -> Any:
    """Return the delta at epsilon of normal laws at distance mu (Balle and Wang 2018; Dong, Roth, Su 2019)."""
    if not square:
        return rational(0)
    mu = rational(square).sqrt()
    half, part = mu / 2, rational(epsilon) / mu
    return normal_cdf(half - part) - rational(epsilon).exp() * normal_cdf(-half - part)
