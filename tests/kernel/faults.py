"""Plant faults in all that is not the kernel: does a false claim ever get a certificate that the kernel verifies?

``python -m tests.kernel.faults corpus`` writes ``false_claims.json``: claims that are false, and why.
``python -m tests.kernel.faults run [--mutants N] [--minutes M] [--seed S]`` changes one line at a time of the readers,
the routes, the profiles and everything else that an audit of a false claim executes, and audits these claims again. It
counts the faults by which a false claim is confirmed, and writes ``faults.json``. A certificate of a false claim that
the kernel verifies is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import gc
import importlib
import json
import os
import pkgutil
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import coverage

import privref
from privref import kernel
from privref.audit.certificate import certificates
from privref.exact.errors import PrivrefError
from privref.exact.numbers import spell
from privref.kernel.fields import MOST
from privref.kernel.record import read
from tests.kernel import cases as c
from tests.kernel import test_relations as related
from tests.mutants import campaign
from tests.mutants.operators import Mutant, mutants
from tests.mutants.runner import SOURCES, limit, path_of

Document = dict[str, Any]
HERE = Path(__file__).parent
CORPUS, RESULT = HERE / "false_claims.json", HERE / "faults.json"
#: Shares of the least epsilon that is proved, and what a false claim is made smaller by once more.
SHARES = tuple(Fraction(n, 20) for n in (19, 17, 14, 10, 6, 3, 1))
MARGIN = Fraction(49, 50)
#: Seconds of audits that a mutant has to outlive, where no others are asked for; the most, and bytes that it may take.
SECONDS, LIMIT, MEMORY = 0.5, 5.0, 3 * 2**30
#: Seconds of an audit, traced, that is repeated for a fault; and the share of faults of which any may be the first.
DEAREST, SHARE = 3.0, Fraction(1, 8)


#: How a false claim about a filter's budget is named after the true one.
SMALLER = ", a smaller budget"


# -- the corpus ---------------------------------------------------------------------------------------------------


def by_hand() -> Iterator[tuple[str, Document, Document, str]]:
    """Yield false claims about what no lower bound of the audit speaks of, or what only a reader can see."""
    gaussian = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
    laplace = {"kind": "laplace", "scale": "1", "shifts": ["1", "1"]}
    half = c.pure("1/2")
    yield (
        "told samples", c.records(c.OFTEN_CUT), {"epsilon": "1/100", "delta": "1/500"},
        "with P(Bin(1000, 1/10) < 105) > 3/5 nothing is cut: four rounds of rate 3/50 at least, which lose 0.00238"
    )  # fmt: skip
    yield "a group of two", c.records(half), {"epsilon": "0.9", "delta": "0", "units": 2}, "geometric noise loses 1"
    yield (
        "a group of three with a delta",
        c.records(c.approx("1/2", "1e-6")), {"epsilon": "1.5", "delta": "1e-6", "units": 3},
        "with probability 1e-6 for each unit an answer tells all of it, so that three units have nearly 3e-6"
    )  # fmt: skip
    yield (
        "a group of zCDP",
        c.records(c.zcdp("1/2")),
        {"rho": "1.9", "units": 2},
        "a Gaussian sum has the rho 4/2 for two",
    )
    yield (
        "one replaced", c.records(half), {"epsilon": "0.9", "delta": "0", "neighbours": "replace-one"},
        "geometric noise on a count of each value loses 1/2 for what is removed and 1/2 for what is added"
    )  # fmt: skip
    yield (
        "two days", c.records(c.pure("1"), period="day"), {"epsilon": "1.9", "delta": "0", "periods": 2},
        "randomized response of each day's data loses 2"
    )  # fmt: skip
    yield (
        "two days of a Gaussian", c.records(c.event("gaussian-dp", mu="1"), period="day"),
        {"mu": "1.4", "periods": 2}, "two Gaussian queries have mu = sqrt 2 > 1.414"
    )  # fmt: skip
    parted = [{**c.pure("1"), "part": {"of": "county", "is": name}} for name in ("North", "North", "South")]
    yield (
        "two events of one part", c.records(*parted, partitions={"county": "its code"}),
        {"epsilon": "1.9", "delta": "0"}, "a record of the North is in two randomized responses of 1"
    )  # fmt: skip
    yield (
        "an event of all parts", c.records(parted[0], parted[2], c.pure("1/2"), partitions={"county": "its code"}),
        {"epsilon": "1.4", "delta": "0"}, "each record is in one response of 1 and in one of 1/2"
    )  # fmt: skip
    crossed = [{**c.pure("1"), "part": {"of": of, "is": "A"}} for of in ("county", "age")]
    yield (
        "parts of two partitions", c.records(*crossed, partitions={"county": "its code", "age": "the year of birth"}),
        {"epsilon": "1.9", "delta": "0"}, "a record may lie in both parts"
    )  # fmt: skip
    yield (
        "a guarantee that its mechanism does not have",
        c.ledger({"mechanism": gaussian, "guarantee": {"kind": "zcdp", "rho": "1/10"}}), {"rho": "0.4"},
        "the Gaussian query has the rho 1/2"
    )  # fmt: skip
    yield (
        "pure DP of a Gaussian", c.ledger({"mechanism": gaussian, "guarantee": {"kind": "pure-dp", "epsilon": "1"}}),
        {"epsilon": "1", "delta": "1e-9"}, "no Gaussian query is (1, 1e-9)-DP at sigma = 1"
    )  # fmt: skip
    yield "both shifts", c.ledger({"mechanism": laplace}), {"epsilon": "1.9", "delta": "0"}, "both coordinates lose 1"
    yield (
        "both shifts of geometric noise",
        c.ledger({"mechanism": {"kind": "geometric", "scale": "2", "shifts": ["1", "2"]}}),
        {"epsilon": "1.4", "delta": "0"}, "the coordinates lose 1/2 and 1"
    )  # fmt: skip
    yield (
        "a rounded epsilon", c.ledger(c.event("pure-dp", 3, epsilon={"rounded": "0.5"})),
        {"epsilon": "1.3", "delta": "0"}, "three responses of at least 0.45 lose 1.35"
    )  # fmt: skip
    yield (
        "a selected trial", c.ledger({**c.pure("1"), "selected": "best-of-random-number"}),
        {"epsilon": "0.9", "delta": "0"}, "the run may end after one trial, which is a response of 1"
    )  # fmt: skip
    yield (
        "a budget that was exceeded", c.adaptive(c.pure("1", 3), **c.budget("2", "0", c.THM33)),
        {"epsilon": "2", "delta": "0"}, "three responses of 1 lose 3"
    )  # fmt: skip
    yield (
        "a budget above the claim", c.adaptive(c.pure("1"), **c.budget("2", "0", c.THM33)),
        {"epsilon": "0.9", "delta": "0"}, "one response of 1"
    )  # fmt: skip
    for filter in (c.ALG1, c.SIMPLE, c.EX_POST):
        yield (
            f"a first event beyond its budget, {filter}",
            c.adaptive(c.svt("0"), **c.at_order("8", filter), **c.budget("4", "0.001", filter)),
            {"epsilon": "4", "delta": "0.001"},
            "the first event ran whatever was answered, and loses 5 at its last cell"
        )  # fmt: skip
    yield (
        "advanced composition without delta", c.ledger(c.pure("0.1", 100)), {"epsilon": "9.9", "delta": "0"},
        "100 responses of 0.1 lose 10 where all tell the truth"
    )  # fmt: skip
    yield (
        "cells that were cheap, without a budget", c.adaptive(c.svt("0"), c.svt("0")), {"epsilon": "4", "delta": "0"},
        "what is lost before the answer is known is the largest cell, 5"
    )  # fmt: skip
    yield (
        "ranges on the way as if in advance", c.ledger(c.event("bounded-range", 20, epsilon="0.5")),
        {"epsilon": "4.5", "delta": "1e-6"}, "mechanisms with t in the middle of the range lose more"
    )  # fmt: skip
    yield (
        "two ledgers", c.adaptive(c.pure("1"), c.pure("1"), interaction="concurrent", **c.JOINT),
        {"epsilon": "1.9", "delta": "0"}, "one response of 1 in each"
    )  # fmt: skip
    yield (
        "samples that were cut", c.records(c.CAPPED), {"epsilon": "0.01", "delta": "1e-9"},
        "the sampled Gaussian loses more where no sample is cut, which it hardly ever is"
    )  # fmt: skip
    yield (
        "an event that ran beside a halted one", c.ledger(c.pure("1"), {**c.pure("9"), "decision": "halt"}),
        {"epsilon": "0.9", "delta": "0"}, "one response of 1 ran"
    )  # fmt: skip
    yield (
        "delta of two rounds", c.ledger(c.approx("0", "1e-3", 2)), {"epsilon": "0", "delta": "1.9e-3"},
        "1 - (1 - 1e-3)^2 > 1.99e-3"
    )  # fmt: skip
    yield from on_samples()
    yield from attacked()


def on_samples() -> Iterator[tuple[str, Document, Document, str]]:
    """Yield false claims about samples without a known lower bound: the sum of all answers tells the data apart."""
    summed = "the sum of the {} answers is Gaussian noise of {} with a shift of {}, and at {} loses more than {}"
    for name, of in (("replaced", c.ledger), ("zeroed out", c.zeroed)):
        why = summed.format(200, "variance 200", 2, "1/10", "0.021")
        yield f"epochs of a shuffle, {name}", of(c.SHUFFLE), {"epsilon": "1/10", "delta": "1/50"}, why
    yield (
        "bins, new ones in each epoch", c.records({"mechanism": {**c.IN_BINS, "drawn": "each-epoch"}}),
        {"epsilon": "1/10", "delta": "1/25"}, summed.format(80, "variance 320", 4, "1/10", "0.05")
    )  # fmt: skip
    yield (
        "samples of records that are not clipped", c.ledger(c.DRAWN), {"epsilon": "1/100", "delta": "1/100"},
        "the sum of the 40 answers has means that are 4 apart and a deviation of 51, and at 1/100 loses more than 0.02"
    )  # fmt: skip
    yield (
        "told samples, a record zeroed out", c.zeroed(c.OFTEN_CUT), {"epsilon": "1/100", "delta": "1/500"},
        "with P(Bin(1000, 1/10) < 105) > 3/5 nothing is cut: four rounds of rate 3/50 at least, which lose 0.00238"
    )  # fmt: skip


def attacked() -> Iterator[tuple[str, Document, Document, str]]:
    """Yield claims that the ledger's own evidence contradicts, and false ones beside evidence that shows nothing."""
    one_run = {"kind": "one-run", "canaries": 1000, "guesses": 100, "right": 75, "confidence": "0.95"}
    rates = {"runs_with": 100_000, "true_positives": 4922, "runs_without": 100_000, "false_positives": 174}
    many_runs = {"kind": "many-runs", **rates, "confidence": "0.9999999999"}
    small, why = c.pure("1/5"), "the ledger's evidence contradicts it"
    yield "a claim against one run", c.ledger(small, evidence=[one_run]), {"epsilon": "1/2", "delta": "1e-4"}, why
    yield "a claim against many runs", c.ledger(small, evidence=[many_runs]), {"epsilon": "2", "delta": "1e-5"}, why
    yield (
        "a claim against the second piece", c.records(c.DRAWN, evidence=[{**one_run, "right": 50}, many_runs]),
        {"epsilon": "2", "delta": "1e-5"}, why
    )  # fmt: skip
    yield (
        "a group against one run", c.ledger(small, evidence=[one_run]),
        {"epsilon": "1/2", "delta": "1e-4", "units": 2}, f"{why} of one unit, and two lose at least as much"
    )  # fmt: skip
    yield (
        "a response beside an attack that failed", c.ledger(c.pure("1"), evidence=[{**one_run, "right": 50}]),
        {"epsilon": "0.9", "delta": "0"}, "one response of 1"
    )  # fmt: skip


def of_relations() -> Iterator[Document]:
    """Yield relations between published numbers that are not confirmed, with their right verdict."""
    for name, (relation, verdict) in related.MADE.items():
        if verdict != "confirmed":
            mapping, made = related.mapping(relation), related.certified(relation)
            why = f"the numbers give {verdict} ({', '.join(side['left_is'] for side in made['sides'])})"
            claim = {"id": "r", "verdict": verdict}
            yield {"name": f"relation: {name}", "mapping": mapping, "relation": made["relation"], "claim": claim,
                   "why": why}  # fmt: skip


#: What a sheet leaves open, and its true ledger states.
DECLARED: dict[str, Any] = {
    "neighbours": "replace-one", "parameters": "fixed-in-advance", "interaction": "sequential",
}  # fmt: skip


def of_sheets() -> Iterator[Document]:
    """Yield false claims about sheets: the text, and the ledger that it says in the words of a document."""
    half = (c.pure("0.5"), c.pure("0.25", 3))
    gaussian = (c.event("gaussian-dp", mu="1.5"), c.event("gaussian-dp", mu="0.5"))
    small = (c.approx("0.5", "1e-9"), c.approx("0.25", "0"), c.approx("1", "0.001", 2))
    cheap = [c.zcdp("0.1", count=3), c.zcdp("1/8", "1e-9")]
    rows = {
        "a sheet of epsilons": ("epsilon,count\n0.5,1\n0.25,3\n", half, "1.24", "0", "its events lose 1.25"),
        "a sheet with semicolons and commas": (
            "Datum;Epsilon;Delta\n2024-01-02;0,5;1e-9\n;0,25;0\n;1;0,001\n;1;0,001\n", small, "2.7", "0.0019",
            "rounds of these parameters lose 2.75 and 2e-3"),
        "a sheet with titles": (
            "Releases of the year,,\n,,\nname,Privacy loss (ε),δ\na,0.5,1e-9\nb,0.25,0\n"
            "c,1,0.001\nd,1,0.001\n",
            small, "2.7", "0.0019", "rounds of these parameters lose 2.75 and 2e-3"),
        "a sheet of rhos": (
            "count\tRho\tdelta\n3\t0,1\t0\n1\t0,125\t1e-9\n", cheap, "0.42", "1e-9", "the rhos are 0.425"),
        "a sheet of powers": ("eps,delta\n5·10⁻¹,10^-9\n2.5e-1,0\n1,10⁻³\n1,1e-3\n", small, "2.7", "0.0019",
                              "rounds of these parameters lose 2.75 and 2e-3"),
        "a sheet of mus": ("μ;name\n1,5;a\n0,5;b\n", gaussian, "1.58", "", "mu is sqrt 2.5 > 1.581"),
        "a sheet of fractions": ("epsilon\n1/2\n1/4\n1/4\n1/4\n", half, "1.24", "0", "its events lose 1.25"),
        "a sheet with an interval": (
            "epsilon,delta,label\n0.5,1e-9,first\n0.25,0,\"second, again\"\n1,0.001,x\n1,0.001,y\n", small, "2.7",
            "0.0019", "rounds of these parameters lose 2.75 and 2e-3"),
    }  # fmt: skip
    for name, (text, events, size, delta, why) in rows.items():
        notion = "rho" if "rhos" in name else "mu" if "mus" in name else "epsilon"
        claim = {notion: size, **({"delta": delta} if delta else {}), "id": "c"}
        yield {"name": name, "ledger": c.ledger(*events), "claim": claim, "why": why, "sheet": text}


def decided(record: Document, claim: Document, sheet: str | None = None) -> privref.Audit:
    """Return the audit of one claim, about a ledger or about the sheet that says the same."""
    if sheet is None:
        ledger = privref.ledger_from_document(copy.deepcopy(record))
    else:
        ledger = privref.ledger_from_csv(sheet, "t", **DECLARED)
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [copy.deepcopy(claim)]})
    return privref.audit(ledger, claims)


def shrunk(record: Document, claim: Document) -> tuple[Document, str] | None:
    """Return a smaller claim that a lower bound contradicts, and which; the kernel verifies it where it has a row."""
    notion = next(name for name in ("epsilon", "rho", "mu") if name in claim)
    asked = {key: value for key, value in claim.items() if key != "by"} | {"id": "c"}
    ledger = privref.ledger_from_document(record)
    size = Fraction(claim[notion])
    if notion == "epsilon":
        bounds, _, _ = privref.compare(ledger, claim["delta"])
        size = min((bound.enclosure.lower for bound in bounds if bound.enclosure is not None), default=size)
    for share in SHARES:
        tried = {**asked, notion: spell(Fraction(round(size * share * 10**6), 10**6))}
        audit = decided(record, tried)
        opinion = audit.opinions[0]
        if opinion.verdict not in ("refuted", "underivable"):
            continue
        made = certificates(audit)
        if "c" not in made:
            continue
        kernel.check(json.loads(json.dumps(made["c"])))
        return {**tried, notion: spell(Fraction(round(size * share * MARGIN * 10**6), 10**6))}, opinion.reason
    return None


def of_budget(record: Document, claim: Document) -> Document | None:
    """Return the ledger with a smaller enforced budget, and that as the claim: false where the events were fixed."""
    if record["parameters"] == "fixed-in-advance" or "budget" not in record:
        return None
    if any(each.get("guarantee", {}).get("kind") == "output-dp" for each in record["events"]):
        return None
    plain = {key: value for key, value in record.items() if key not in ("budget", "tuning")}
    made = shrunk({**plain, "parameters": "fixed-in-advance"}, claim)
    if made is None:
        return None
    size = "rho" if "rho" in record["budget"] else "epsilon"
    budget = {**record["budget"], size: made[0].get(size, record["budget"][size])}
    return {"ledger": {**record, "budget": budget}, "claim": made[0], "why": f"were all fixed in advance: {made[1]}"}


#: Audits of many seconds, about ledgers of which others in the corpus have all kinds.
DEAR = ("samples, a record replaced, beside noise",)


def write_corpus() -> None:
    """Write the false claims: of each kind of ledger whose true claim a theorem proves, and those made by hand."""
    found = []
    for name, (record, claim) in c.GOOD.items():
        made = None if "units" in claim or name in DEAR else shrunk(record, claim)
        if made is not None:
            found.append({"name": name, "ledger": record, "claim": made[0], "why": made[1]})
    for name, (record, claim) in c.GOOD.items():
        made = of_budget(record, claim)
        if made is not None:
            found.append({"name": name + SMALLER, **made})
    for name, (record, claim) in c.FALSE.items():
        opinion = decided(record, {**claim, "id": "c"}).opinions[0]
        found.append({"name": name, "ledger": record, "claim": {**claim, "id": "c"}, "why": opinion.reason})
    for name, record, claim, why in by_hand():
        found.append({"name": name, "ledger": record, "claim": {**claim, "id": "c"}, "why": why})
    found += [*of_sheets(), *of_relations()]
    CORPUS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{len(found)} false claims")


def corpus() -> list[Document]:
    """Return the false claims."""
    found: list[Document] = json.loads(CORPUS.read_text(encoding="utf-8"))
    return found


# -- one audit ----------------------------------------------------------------------------------------------------

VERIFIED, NONE = "verified", "confirmed, and no certificate"
REFUSED = "confirmed, and the kernel refuses its certificate"
OTHER = "confirmed, and the certificate is about another claim"
#: Whoever compares the sheet with it sees the difference; ``privref verify`` says that the kernel has not.
MISREAD = "confirmed, and the certificate holds another ledger than the sheet says"


def says(document: Document) -> Any:
    """Return what ran by a ledger, as the kernel reads it: each event as often as it counts."""
    ran: Counter[Any] = Counter()
    for event in read(document, MOST).events:
        ran[event.guarantee] += event.count
    return ran


def outcome(item: Document) -> str:
    """Audit a false claim; where it is confirmed, ask for a certificate and check it against the true ledger."""
    if "relation" in item:
        return outcome_of_relation(item)
    try:
        audit = decided(item["ledger"], item["claim"], item.get("sheet"))
    except PrivrefError:
        return "refused"
    if audit.opinions[0].verdict != "confirmed":
        return str(audit.opinions[0].verdict)
    made = certificates(audit)
    if "c" not in made:
        return NONE
    # Of a sheet the certificate holds the document that it was read as: the one that the kernel decides about.
    held = item["ledger"] if "sheet" not in item else made["c"]["ledger"]["document"]
    try:
        checked = kernel.check(json.loads(json.dumps(made["c"])), copy.deepcopy(held))
        if "sheet" in item and says(held) != says(item["ledger"]):
            return MISREAD
    except (kernel.Refused, kernel.Malformed):
        return REFUSED
    same = checked.verdict == "confirmed" and dict(checked.claim) == item["claim"]
    return VERIFIED if same else OTHER


def outcome_of_relation(item: Document) -> str:
    """Judge a relation; of another verdict than the right one, check the certificate against the true relation."""
    try:
        made = related.made_of(item["mapping"])
    except PrivrefError:
        return "refused"
    if made["verdict"] == item["claim"]["verdict"]:
        return str(made["verdict"])
    try:
        kernel.relate(json.loads(json.dumps(made)), None, item["relation"])
    except (kernel.Refused, kernel.Malformed):
        return REFUSED
    return VERIFIED


def in_child(work: Callable[[Callable[[Any], None]], None], seconds: float) -> list[Any]:
    """Return what a forked child said before it ended or was ended: one JSON value a line."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sink = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(sink, descriptor)
        limit(seconds)
        with contextlib.suppress(BaseException):
            work(lambda value: os.write(write, json.dumps(value).encode() + b"\n") and None)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        lines = pipe.read().decode().split("\n")
    os.waitpid(pid, 0)
    return [json.loads(line) for line in lines[:-1]]


def executed(item: Document) -> tuple[float, set[tuple[str, int]]]:
    """Return the seconds that an audit takes, and the lines outside of the kernel that it executes.

    None are those of an audit that takes too long to be repeated for each fault.
    """
    own = SOURCES / "privref"

    def traced(say: Callable[[Any], None]) -> None:
        cover = coverage.Coverage(
            data_file=None, config_file=False, include=[f"{own}/*"], omit=[f"{own / 'kernel'}/*"], messages=False
        )
        cover.start()
        started = time.process_time()
        outcome(item)
        seconds = time.process_time() - started
        cover.stop()
        say(seconds)
        data = cover.get_data()
        for name in data.measured_files():
            say([name, sorted(data.lines(name) or ())])

    seconds, *found = in_child(traced, DEAREST) or [DEAREST]
    return seconds, {(name, number) for name, numbers in found for number in numbers}


# -- the campaign -------------------------------------------------------------------------------------------------


def modules() -> list[str]:
    """Return all modules of the package that are no part of the kernel."""
    found = (info.name for info in pkgutil.walk_packages(privref.__path__, "privref.") if not info.ispkg)
    return [name for name in found if not name.startswith(("privref.kernel", "privref.batch")) and "__main" not in name]


def run(count: int, minutes: float, seed: int, seconds: float) -> int:
    """Plant faults one at a time; return how many certificates of false claims the kernel verified."""
    started, chance = time.process_time(), random.Random(seed)
    items = corpus()
    for module in modules():
        importlib.import_module(module)
    reach: dict[tuple[str, int], list[int]] = {}
    cost = []
    for place, item in enumerate(items):
        taken, lines = executed(item)
        cost.append(taken)
        for line in lines:
            reach.setdefault(line, []).append(place)
    files = {name for name, _ in reach}
    every = [
        mutant
        for module in modules()
        if str(path_of(module)) in files
        for mutant in mutants(module, path_of(module).read_text(encoding="utf-8"))
        if (str(path_of(module)), mutant.line) in reach
    ]
    functions = campaign._live_functions()
    gc.freeze()
    chance.shuffle(every)
    print(
        f"{len(items)} false claims, {len(every)} mutants in {len(files)} files on lines that they execute", flush=True
    )
    ends: Counter[str] = Counter()
    turned: list[Document] = []
    planted = 0
    for mutant in every:
        if planted == count or time.process_time() + children() - started > 60 * minutes:
            break
        patches = campaign._patches(mutant)
        if patches is None:
            continue
        planted += 1
        chosen = cheap(chance, reach[str(path_of(mutant.module)), mutant.line], cost, seconds)
        said = in_child(partial(plant, mutant, patches, functions, [items[i] for i in chosen]), LIMIT)
        found = {items[i]["name"]: end for i, end in zip(chosen, said, strict=False) if end.startswith("confirmed")}
        found |= {items[i]["name"]: end for i, end in zip(chosen, said, strict=False) if end == VERIFIED}
        ends.update(set(found.values()))
        if found:
            turned.append({"mutant": str(mutant), "claims": found})
            print(f"{planted:5} {mutant}   {found}", flush=True)
    verified = [each for each in turned if VERIFIED in each["claims"].values()]
    result = {
        "claims": len(items), "mutants": planted, "files": len(files), "seed": seed, "turned": len(turned),
        "certificates": sum(1 for each in turned if set(each["claims"].values()) - {NONE, MISREAD}),
        "misread": sum(1 for each in turned if MISREAD in each["claims"].values()), "verified": len(verified),
        "by_end": dict(sorted(ends.items())), "faults": turned,
    }  # fmt: skip
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in result.items() if key != "faults"}))
    for each in verified:
        print(f"VERIFIED {each}")
    return len(verified)


def children() -> float:
    """Return the processor seconds of all children that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cheap(chance: random.Random, places: list[int], cost: list[float], seconds: float) -> list[int]:
    """Return items in random order, while their audits together take few seconds."""
    found, spent = [], 0.0
    cheapest = [place for place in places if cost[place] <= seconds]
    if cheapest and chance.random() >= SHARE:
        places = cheapest
    for place in chance.sample(places, len(places)):
        if spent + cost[place] > seconds and found:
            continue
        found.append(place)
        spent += cost[place]
    return sorted(found, key=lambda place: cost[place])


def plant(mutant: Mutant, patches: Any, functions: Any, items: list[Document], say: Callable[[Any], None]) -> None:
    """Put the changed code in the place of the original's, and audit the items."""
    campaign._patch(mutant, patches, functions)
    for item in items:
        try:
            say(outcome(item))
        except Exception as error:  # the fault may raise anything
            say(f"error: {type(error).__name__}")


def main(arguments: list[str]) -> int:
    """Write the corpus, or run the campaign."""
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.faults", description=__doc__)
    parser.add_argument("command", choices=("corpus", "run"))
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of audits for each fault")
    chosen = parser.parse_args(arguments)
    os.nice(10)
    if chosen.command == "corpus":
        write_corpus()
        return 0
    return min(run(chosen.mutants, chosen.minutes, chosen.seed, chosen.seconds), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
