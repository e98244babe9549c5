"""How far each honest proof goes: the smallest claim that it shows, and a slightly smaller one that it does not.

``python -m tests.kernel.borders [NAME…]`` writes ``borders.json``, all of it or what stands there of these names: for a
certificate the proofs as the audit found them, and for each number of its claim the last value that the kernel verifies
with them and the first that it refuses. A kernel that is more generous than it was by a billionth is noticed.
"""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from privref import kernel
from privref.exact.numbers import spell
from privref.kernel.numbers import digest
from tests.kernel import cases as c
from tests.kernel.test_certificates import issue

Document = dict[str, Any]
HERE = Path(__file__).parent / "borders.json"
#: Halvings where a check takes little time, and where it takes longer; a check that takes long has no border.
FINE, COARSE = 110, 34
CHEAP, SLOW = 0.02, 0.3
#: Longest proofs that are kept, as JSON.
MOST_LETTERS = 20_000

NOISE = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
LAPLACE = {"kind": "laplace", "scale": "2", "shifts": ["1", "1/2"]}
GEOMETRIC = {"kind": "geometric", "scale": "3", "shifts": ["1", "2"]}
DISCRETE = {"kind": "discrete-gaussian", "sigma": "3", "shifts": ["1", "2"]}
ANSWER = {"kind": "randomized-response", "epsilon": "1", "outcomes": "3"}
WORST = {"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "1e-2"}


def sampled(base: Document, rate: str = "1/5") -> Document:
    return {"mechanism": {"kind": "subsampled", "base": base, "rate": rate, "sampling": "poisson"}}


GRID = {"step": "1/8", "bits": 64, "low": -44, "high": 52, "own": 30}
BASES: dict[str, Document] = {
    "normal noise": NOISE, "Laplace noise": LAPLACE, "geometric noise": GEOMETRIC, "discrete noise": DISCRETE,
    "answers": ANSWER, "the worst case": WORST,
}  # fmt: skip
#: Of these a sample has a law: they have one coordinate.
SINGLE: dict[str, Document] = {
    **BASES, "Laplace noise": {"kind": "laplace", "scale": "2", "sensitivity": "1"},
    "geometric noise": {"kind": "geometric", "scale": "3", "shifts": ["2"]},
    "discrete noise": {"kind": "discrete-gaussian", "sigma": "3", "shifts": ["2"]},
}  # fmt: skip

#: A ledger, a claim, the verdict, the theorem or lower bound, and its witness.
Case = tuple[Document, Document, str, str, Document]
LOOSE, LOST = {"epsilon": "3/5", "delta": "0.9"}, {"epsilon": "1/60", "delta": "1e-9"}


def attained(*events: Document) -> Document:
    return c.ledger(*events, attained_together=True)


def on_grids() -> Iterator[tuple[str, Case]]:
    """Yield proofs on small grids, which the kernel checks in no time: each kind of noise, whole and sampled."""
    for name, base in BASES.items():
        rounds = {"count": 5, "mechanism": base}
        yield f"rounds of {name}", (c.ledger(rounds, c.approx("0.3", "1e-3")), LOOSE, "confirmed", c.LAWS, GRID)
        test = {**GRID, "events": [0], "threshold": 6}
        yield f"rounds of {name} lose", (attained({**rounds, "count": 2}), LOST, "refuted", "event", test)
    yield (
        "noisy maxima",
        (c.ledger({"count": 5, "mechanism": {**c.BEST, "scale": "15"}}), LOOSE, "confirmed", c.LAWS, GRID),
    )
    for name, base in SINGLE.items():
        mixed = c.records({"count": 3, **sampled(base)}, sampled(base, "1/3"), {"mechanism": base})
        yield f"samples of {name}", (mixed, LOOSE, "confirmed", c.LAWS, GRID)
        for way in (True, False):
            test = {**GRID, "step": "1/16", "events": [0], "threshold": 2, "removal": way}
            some = c.records({"count": 2, **sampled(base)})
            yield f"samples of {name} lose, {way}", (some, LOST, "refuted", "event", test)
    steps = {**GRID, "step": "1/16", "low": -1, "high": 40, "own": 30, "weight": "1/8", "events": [0]}
    some_bins = c.zeroed({"mechanism": {**c.SOME_BINS, "base": NOISE}})
    yield "several bins lose, True", (some_bins, LOST, "refuted", "event", {**steps, "threshold": 12})
    anew = {**c.IN_BINS, "bins": "4", "epochs": "3", "drawn": "each-epoch"}
    for name, ran in (("new bins in each epoch", anew), ("several bins", c.SOME_BINS)):
        yield f"{name} lose at most", (
            c.records({"mechanism": ran}), {"epsilon": "3/5", "delta": "1/2"}, "confirmed", c.LAWS,
            {**GRID, "lattice": 256})  # fmt: skip
    epoch = {"kind": "subsampled", "base": NOISE, "rate": "1/10", "sampling": "shuffled"}
    for name, ledger in (("added", c.records), ("zeroed", c.zeroed)):
        yield f"an epoch of a shuffle loses, {name}", (
            ledger({"mechanism": epoch, "count": 10}), {"epsilon": "1/2", "delta": "0.1"}, "refuted", "epoch",
            {"events": [0], "deviations": "3"})  # fmt: skip
    pieces = {**GRID, "low": -9, "high": 11, "own": 9}
    yield "a small window", (c.ledger({"count": 9, "mechanism": NOISE}), LOOSE, "confirmed", c.LAWS, pieces)
    for name in ("normal noise", "answers"):
        far = attained({"count": 4, "mechanism": BASES[name]})
        test = {**pieces, "events": [0], "threshold": 3}
        yield f"a small window, {name} lose", (far, LOST, "refuted", "event", test)
    three = attained({"mechanism": LAPLACE}, {"mechanism": DISCRETE}, {"mechanism": WORST})
    test = {**GRID, "events": [0, 2, 1], "threshold": 7}
    yield "three mechanisms lose", (three, LOST, "refuted", "event", test)
    ranges = (c.event("bounded-range", 2, epsilon="1"), c.event("bounded-range", epsilon="0.5"))
    test = {**GRID, "events": [0, 1, 2], "threshold": 5, "tops": ["3/5", "1/5", "0"]}
    yield "ranges and a worst case", (
        c.ledger(*ranges, c.approx("0.2", "0.01")), LOST, "underivable", "event", test)  # fmt: skip


def in_sums() -> Iterator[tuple[str, Case]]:
    """Yield proofs by sums and orders: of noise, of groups and of days."""
    yield "rhos of noise", (
        attained({"count": 3, "mechanism": NOISE}, {"mechanism": DISCRETE}), {"rho": "1"}, "refuted", "moment",
        {"events": [0, 1]})  # fmt: skip
    yield "a mu of noise", (
        c.ledger({"count": 3, "mechanism": NOISE}), {"mu": "1.5"}, "refuted", "moment", {"events": [0]})  # fmt: skip
    for name, ran in (("samples", c.DRAWN), ("bins", c.RUN)):
        yield f"a mu of {name}", (c.records(ran), {"mu": "0.7"}, "refuted", "moment", {"events": [0]})
    group = {"epsilon": "9", "delta": "1e-4", "units": 3}
    yield "a group of events", (
        c.records(c.approx("1/2", "1e-6"), c.pure("1/4", 2)), group, "confirmed", c.THM29, {})  # fmt: skip
    yield "a group of exponential mechanisms", (
        c.ledger({"count": 5, "mechanism": c.GUMBEL}), {"rho": "1", "units": 3}, "confirmed",
        "whitehouse2023/thm1", {})  # fmt: skip
    yield "a group of Renyi DP", (
        c.records(c.event("rdp", orders={"8": "0.05", "16": "0.1"}), c.zcdp("0.01")), {**group, "units": 2},
        "confirmed", c.RENYI, {"order": "4"})  # fmt: skip
    yield "three days", (
        c.records(c.zcdp("0.1", "1e-7"), c.pure("0.5"), period="day"),
        {"epsilon": "9", "delta": "1e-4", "periods": 3}, "confirmed", c.TIGHT, {"order": "5"})  # fmt: skip


def by_inequalities() -> Iterator[tuple[str, Case]]:
    """Yield proofs whose border is an inequality's, not a budget's: parameters that were fixed in advance."""
    some, claim = (c.FIVE, c.pure("0.2", 3)), {"epsilon": "20", "delta": "1e-4"}
    yield "a filter of a fixed ledger", (c.ledger(*some), claim, "confirmed", c.THM2, {})
    wide = {**claim, "delta": "1e-2"}
    yield "twelve ranges in advance", (
        c.ledger(c.event("bounded-range", 12, epsilon="0.5"), **c.IN_ADVANCE), {**wide, "epsilon": "4"}, "confirmed",
        c.ADVANCE, {})  # fmt: skip
    yield "three hundred ranges by their means", (
        c.ledger(c.event("bounded-range", 300, epsilon="0.1"), c.event("bounded-range", 9, epsilon="0.2")), wide,
        "confirmed", c.MEANS, {})  # fmt: skip
    yield "ranges in boxes", (
        c.ledger(c.FEW, c.event("bounded-range", epsilon="0.25"), **c.IN_ADVANCE),
        {**wide, "epsilon": "1.2", "delta": "0.3"}, "confirmed", c.DIFFERENT, {"splits": [0, 1, -1, -1, -1]},
    )  # fmt: skip
    kinds = (
        c.DRAWN, {**c.DRAWN, "count": 3}, c.RANGES, c.event("bounded-range", epsilon="7"), c.zcdp("0.01", "1e-9"),
        c.event("rdp", orders={"6": "0.1", "9": "0.2"}, delta="1e-9"), c.approx("0.3", "1e-9"),
        c.event("gaussian-dp", mu="0.1"),
    )  # fmt: skip
    yield (
        "one order of everything",
        (c.records(*kinds), {**claim, "epsilon": "40"}, "confirmed", c.RENYI, {"order": "6"}),
    )
    yield "a low order of samples", (c.records(c.DRAWN), claim, "confirmed", c.RENYI, {"order": "2"})
    yield "an order that is no whole one", (
        c.ledger(c.pure("0.3", 4), c.zcdp("0.1"), c.event("rdp", orders={"3": "0.1"})), claim, "confirmed", c.RENYI,
        {"order": "5/2"})  # fmt: skip
    often = {**c.CAP, "batch_cap": "130"}
    yield "samples that are cut often", (
        c.records({"count": 2, "mechanism": {**c.ANSWER, **often}}, {"mechanism": {**c.ANSWER, "rate": "1/20"}}),
        {"epsilon": "1/2", "delta": "1/2"}, "confirmed", c.CUT_BATCHES, {**GRID, "step": "1/16"})  # fmt: skip
    for way in (True, False):
        yield f"samples that are cut often lose, {way}", (
            c.records({"count": 2, "mechanism": {**c.ANSWER, **often}}), LOST, "refuted", "event",
            {**GRID, "step": "1/16", "events": [0], "threshold": 1, "removal": way})  # fmt: skip


def beside_laws() -> Iterator[tuple[str, Case]]:
    """Yield proofs about declared guarantees beside laws, and laws by their guarantees."""
    beside = c.ledger({"mechanism": LAPLACE}, c.event("gaussian-dp", mu="2/3"), c.pure("0.4"))
    yield "Gaussian DP beside a law", (beside, LOOSE, "confirmed", c.LAWS, GRID)
    claim = {"epsilon": "40", "delta": "0.1"}
    laws = c.ledger({"mechanism": NOISE}, {"mechanism": DISCRETE}, {"mechanism": LAPLACE})
    yield "laws by their rhos", (laws, claim, "confirmed", c.TIGHT, {"order": "4"})
    yield "laws by one order", (c.ledger({"mechanism": WORST}, {"mechanism": LAPLACE}), claim, "confirmed", c.RENYI,
                                {"order": "4"})  # fmt: skip
    yield "a group of five of Renyi DP", (
        c.records(c.event("rdp", orders={"64": "0.001"})), {"epsilon": "90", "delta": "0.1", "units": 5}, "confirmed",
        c.RENYI, {"order": "8"})  # fmt: skip


def by_declarations() -> Iterator[tuple[str, Case]]:
    """Yield proofs about mechanisms with guarantees, and about groups of each kind of event."""
    said = (
        {"guarantee": {"kind": "approx-dp", "epsilon": "1", "delta": "1e-2"}, "mechanism": {"kind": WORST["kind"]}},
        {"guarantee": {"kind": "pure-dp", "epsilon": "1/2"}, "mechanism": {"kind": "randomized-response"}},
        {"mechanism": {"kind": "randomized-response", "probability": "3/4", "outcomes": "4", "attained": False}},
        {"mechanism": {"kind": "laplace", "scale": {"rounded": "2.5"}, "shifts": ["-1", {"rounded": "0.5"}, "0"]}},
        {"mechanism": {"kind": "gaussian", "sigma": {"rounded": "2.1"}, "sensitivity_squared": "2"}, **c.zcdp("9")},
    )  # fmt: skip
    for i, event in enumerate(said):
        yield f"a declaration, {i}", (c.ledger(event), LOOSE, "confirmed", c.LAWS, GRID)
        if i != 2:
            test = {**GRID, "events": [0], "threshold": 1}
            alone = {key: value for key, value in event.items() if i != 4 or key != "guarantee"}
            yield f"a declaration, {i}, loses", (attained(alone), LOST, "refuted", "event", test)
    pair = {"units": 2}
    both: dict[str, tuple[Document, Document, str]] = {
        "Gaussian DP": (c.event("gaussian-dp", mu="1/2"), {"mu": "3"}, c.GAUSSIAN),
        "zCDP": (c.zcdp("1/3"), {"rho": "3", "delta": "0"}, "whitehouse2023/thm1"),
        "cells": (c.svt("1"), {"epsilon": "20", "delta": "1e-4"}, c.THM29),
        "a range": (c.event("bounded-range", epsilon="0.3"), {"epsilon": "20", "delta": "1e-4"}, c.THM29),
        "Laplace noise": ({"mechanism": LAPLACE}, {"epsilon": "20", "delta": "1e-4"}, c.THM29),
        "normal noise": ({"mechanism": NOISE}, {"rho": "20"}, "whitehouse2023/thm1"),
        "probabilistic DP": (c.event("pdp", epsilon="0.3", delta="1e-6"), {"epsilon": "20", "delta": "1e-4"}, c.THM29),
        "no epsilon": (c.approx("0", "1e-6"), {"epsilon": "20", "delta": "1e-4"}, c.THM29),
        "no delta": (c.approx("0.3", "0"), {"rho": "20"}, "whitehouse2023/thm1"),
    }  # fmt: skip
    for name, (event, claim, by) in both.items():
        yield f"two units, {name}", (c.records(event), {**claim, **pair}, "confirmed", by, {})


def of_odometers() -> Iterator[tuple[str, Case]]:
    """Yield readings at the ends of the cases that a theorem tells apart."""
    # The size n of the data, the epsilon and the count of its rounds, which are V = count epsilon^2, and delta.
    for name, (size, epsilon, times, delta) in {
        "n^2 V below 1": (3, "0.1", 10, "1e-6"), "n^2 V = 1": (10, "0.1", 1, "1e-6"),
        "n^2 V above 1": (3, "0.1", 12, "1e-6"), "V = 1": (1000, "1", 1, "1e-6"), "V above 1": (1000, "0.5", 6, "1e-6"),
        "two records": (2, "0.1", 1, "0.3"),
    }.items():  # fmt: skip
        record = {**c.adaptive(c.pure(epsilon, times)), "dataset_size": {"value": size, "public": True}}
        yield f"a sized odometer, {name}", (record, c.reads(c.THM62, "60", delta, 1), "confirmed", c.THM62, {})
    side, stitched = f"{c.THM3}.one_sided", f"{c.THM3}.stitched"
    yield "an odometer of one side that reads less than V", (
        c.tuned(side, c.pure("20"), **c.MIXED), c.reads(side, "350", after=1), "confirmed", side, {})  # fmt: skip
    yield "a stitched odometer at its time", (
        c.tuned(stitched, c.pure("0.1"), **c.STITCHED), c.reads(stitched, "60", after=1), "confirmed", stitched, {}
    )  # fmt: skip


def at_equality() -> Iterator[tuple[str, Case]]:
    """Yield proofs that stand where two numbers are equal, and bounds at the ends of what they are shown for."""
    both = c.ledger(c.FEW)
    for name, witness in {"all high": {}, "one by one": {"step": "1/8", "bits": 64}}.items():
        yield f"ranges at their sum, {name}", (
            both, {"epsilon": "1", "delta": "0"}, "confirmed", c.ON_THE_WAY, witness)  # fmt: skip
    yield "a budget of rho whose delta is all spent", (
        c.adaptive(c.LEAKY, **c.rho_budget("1", "1e-7")), {"epsilon": "9", "delta": "1e-6"}, "confirmed", c.TIGHT,
        {"order": "5"})  # fmt: skip
    yield "released answers that are the whole budget", (
        c.adaptive(c.cells("a", a="0.1"), c.zcdp("0.001"), **c.at_order("8"), **c.budget("0.1", "0.5", c.EX_POST)),
        {"epsilon": "1", "delta": "0.5"}, "confirmed", c.EX_POST, {})  # fmt: skip
    yield "the first filter of advanced rate at a large delta", (
        c.adaptive(c.pure("0.1", 5), **c.budget("4", "0.3", c.ROGERS)), {"epsilon": "4", "delta": "0.3"}, "confirmed",
        c.ROGERS, {})  # fmt: skip
    yield "sums divided by the number of records", (
        c.records(c.DIVIDED, **c.COUNTED), {"epsilon": "8", "delta": "1e-5"}, "refuted", "division", {"events": [0]}
    )  # fmt: skip
    test = {**GRID, "events": [0], "threshold": 2}
    yield "zCDP may lose", (c.ledger(c.zcdp("1/2", count=2)), LOST, "underivable", "event", test)
    yield "a range may lose", (c.ledger(c.event("bounded-range", 2, epsilon="1")), LOST, "underivable", "event", test)
    yield "the rhos of zCDP may be spent", (
        c.ledger(c.zcdp("1/2", count=2)), {"rho": "1/2"}, "underivable", "moment", {"events": [0]})  # fmt: skip
    rho, thm1 = {"rho": "9", "delta": "0"}, "whitehouse2023/thm1"
    yield "Laplace noise that is said to be zCDP", (
        c.ledger({"mechanism": LAPLACE, **c.zcdp("5")}), rho, "confirmed", thm1, {})  # fmt: skip
    yield "the rho of zCDP with a delta", (
        c.ledger(c.zcdp("0.1", "1e-7")), {"rho": "1", "delta": "1e-6"}, "confirmed", thm1, {})  # fmt: skip
    yield "two units, the rho of a range", (
        c.records(c.event("bounded-range", epsilon="0.3")), {**rho, "units": 2}, "confirmed", thm1, {})  # fmt: skip
    yield "two units, a large epsilon without delta", (
        c.records(c.approx("6000", "0")), {"epsilon": "20000", "delta": "0", "units": 2}, "confirmed", c.THM29, {}
    )  # fmt: skip


MORE: dict[str, Case] = {
    **dict(on_grids()), **dict(in_sums()), **dict(by_inequalities()), **dict(beside_laws()),
    **dict(by_declarations()), **dict(of_odometers()), **dict(at_equality()),
}  # fmt: skip


def asked() -> Iterator[tuple[str, Document, Document, str]]:
    """Yield each ledger with its claim and verdict."""
    for name, (record, claim) in c.GOOD.items():
        yield name, record, claim, "confirmed"
    for name, (record, claim) in c.FALSE.items():
        yield name, record, claim, "underivable"
    for name, (record, claim) in c.SHOWN.items():
        yield name, record, claim, "confirmed"
    for name, (record, claim, verdict, _, _) in MORE.items():
        yield name, record, claim, verdict


#: Numbers of a budget that a filter enforced, which the claim has too.
BUDGET = {"budget.epsilon": "epsilon", "budget.delta": "delta"}


def with_number(certificate: Document, number: str, value: str) -> Document:
    """Return the certificate with this number in its claim; one of a budget in the claim and in the ledger."""
    made = copy.deepcopy(certificate)
    made["claim"][BUDGET.get(number, number)] = value
    if number in BUDGET:
        document = made["ledger"]["document"]
        document["budget"][BUDGET[number]] = value
        made["ledger"]["sha256"] = digest(document, "ledger")
    return made


def value_of(certificate: Document, number: str) -> Fraction:
    """Return the number as the certificate has it: of a budget the ledger's."""
    where = certificate["ledger"]["document"]["budget"] if number in BUDGET else certificate["claim"]
    return Fraction(where[BUDGET.get(number, number)])


def verifies(certificate: Document, number: str, value: Fraction) -> bool:
    """Return whether the kernel verifies the certificate with this number."""
    made = with_number(certificate, number, spell(value))
    try:
        kernel.check(made)
    except (kernel.Refused, kernel.Malformed):
        return False
    return True


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of the least denominator between two numbers."""
    whole = low.numerator // low.denominator
    if low == whole or whole + 1 <= high:
        return Fraction(whole if low == whole else whole + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def border(certificate: Document, number: str) -> dict[str, str] | None:
    """Return the last number that is verified and the first that is refused; None where there is no border."""
    inside = value_of(certificate, number)
    started = time.process_time()
    if not verifies(certificate, number, inside):
        return None  # a budget below the claim
    seconds = time.process_time() - started
    if seconds > SLOW:
        return None
    # Smaller claims are harder to confirm, larger ones to contradict.
    outside = Fraction(0) if certificate["verdict"] == "confirmed" else inside
    while certificate["verdict"] != "confirmed" and verifies(certificate, number, outside):
        outside = 2 * outside + Fraction(1, 10**9)
        if number == "delta" and outside >= 1:
            outside = Fraction(1)
            break
    if verifies(certificate, number, outside):
        return None
    for _ in range(FINE if seconds < CHEAP else COARSE):
        middle = (inside + outside) / 2
        if verifies(certificate, number, middle):
            inside = middle
        else:
            outside = middle
    # Where the border is a short number, as that of a sum is, the claim stands on it.
    low, high = sorted((inside, outside))
    short = simplest(low, high)
    if short != outside and len(str(short)) < 30 and verifies(certificate, number, short):
        inside = short
    return {"verified": spell(inside), "refused": spell(outside)}


def written(name: str) -> Document:
    """Return a certificate of ``MORE``."""
    record, claim, verdict, by, witness = MORE[name]
    return {
        "schema": "certificate.2", "claim": {"id": "c", **claim}, "verdict": verdict,
        "ledger": {"sha256": digest(record, "ledger"), "document": record}, "proofs": [{"by": by, "witness": witness}],
    }  # fmt: skip


def made(name: str, record: Document, claim: Document, verdict: str) -> Document | None:
    """Return the row of one certificate."""
    certificate = written(name) if name in MORE else issue(record, claim, verdict)
    if len(json.dumps(certificate["proofs"])) > MOST_LETTERS:
        return None
    numbers = [number for number in ("epsilon", "delta", "rho", "mu", "reading") if number in claim]
    # What remains is of a budget with its own epsilon and delta.
    numbers = [] if "remaining" in claim else numbers
    if numbers and "epsilon" in record.get("budget", {}) and record["budget"].get("filter"):
        numbers += BUDGET
    found = {number: border(certificate, number) for number in numbers}
    kept = {number: ends for number, ends in found.items() if ends is not None}
    return {"name": name, "verdict": verdict, "proofs": certificate["proofs"], "borders": kept} if kept else None


def rows() -> list[Document]:
    """Return what the file holds."""
    found: list[Document] = json.loads(HERE.read_text(encoding="utf-8"))
    return found


def main(names: list[str]) -> int:
    """Write the file."""
    kept = {row["name"]: row for row in rows()} if HERE.exists() else {}
    order = [name for name, *_ in asked()]
    for name, record, claim, verdict in asked():
        if names and name not in names:
            continue
        kept.pop(name, None)
        row = made(name, record, claim, verdict)
        if row is not None:
            kept[name] = row
        print(f"{name}: {'none' if row is None else ', '.join(row['borders'])}", flush=True)
        listed = [kept[each] for each in order if each in kept]
        HERE.write_text("[\n" + ",\n".join(json.dumps(each) for each in listed) + "\n]\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
