"""The audit prints each premise that the kernel demands; neither has the words, or the reasons, from the other."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from privref import kernel
from tests.kernel.cases import (
    ALG1,
    BEST,
    CORRELATED,
    COUNTED,
    DIVIDED,
    DRAWN,
    GOOD,
    LAPLACE,
    LINE,
    NOISE,
    QUERY,
    RUN,
    SHIFTED,
    SHOWN,
    SOME_BINS,
    THM3,
    Document,
    adaptive,
    budget,
    ledger,
    pure,
    reads,
    records,
    tuned,
    zeroed,
)
from tests.kernel.test_certificates import good, issue

#: Each certificate is issued once, in one process.
pytestmark = pytest.mark.xdist_group("certificates")

#: A premise of the kernel, and how the audit says it; both patterns have to match the same words in their groups.
SAME = {
    r"(\S+) with the budget .*decided from before the first event":
        r"([\w./]+)\)? with the budget .*decided from before",
    r"the Renyi order (\S+) was fixed before": r"the order (\S+) was fixed before",
    r"the filter's orders were fixed before": r"the filter's orders were 3/2, .* fixed before",
    r"drawn on its own, anew in every round": r"drawn on its own, anew in every round",
    r"place was drawn with at most its chance": r"which records a batch holds depends on coins",
    r"any of all records, as many as declared": r"any of all records, as many as declared .*, and anew in every round",
    r"a unit has at most as many records as declared, each of which was drawn on its own":
        r"a unit has no more records than declared; each one, also of a group, was drawn on its own",
    r"a unit has exactly as many records as declared, each of which was drawn on its own":
        r"a unit has exactly as many records as declared .*; each one was drawn on its own",
    r"batch is any of the batches of one size, without replacement and anew in every round":
        r"drawn from all batches of its size, without replacement and anew in every round",
    r"no record contributes more than half of what a replaced one changes":
        r"no record contributes more than half of what a replaced one changes",
    r"the record is on one side only, and moves the sum by at most one of the `shifts`, drawn by its weight anew"
    r" in every round, on its own, and not released":
        r"moves the sum on one of two neighbours alone, by no more than the drawn shift, which is each of the `shifts`"
        r" with its weight, drawn anew in every round, on its own, and not released",
    r"the record is on one side only, and moves the sum by exactly, and in one direction, one of the `shifts`":
        r"moves the sum on one of two neighbours alone, by the whole of the drawn shift, in one direction",
    r"what a record and the one in its place contribute are opposite, each half of what is changed":
        r"what both contribute is opposite, each exactly half of what a replaced one changes",
    r"fell into (\S+) of the bins on its own and uniformly, and took part in (?:that bin's|their) rounds only as":
        r"fell into (\S+) of the bins on its own and uniformly,.* in (?:that bin's steps|the steps of these) only",
    r"rounds only, with the same contribution in every epoch": r"with the same contribution in every epoch",
    r"a neighbour changes no score by more than `sensitivity`(?:, all in one direction)?; the candidates are the same,"
    r" each score got noise of its own, and only the best candidate was released":
        r"same candidates, no neighbour changes a score by more than `sensitivity`.*, every score got noise of its own,"
        r" and only the best candidate was released",
    r"a unit changes the sums of at most `participations` rounds, at least `separation` apart$":
        r"changes the sums of its own rounds only: at most as many as `participations`, and at least",
    r"a unit changes .* apart, where it may be drawn, whatever others' data are":
        r"where it may be drawn, which no other unit's data change",
    r"a unit changes the sums of at most `participations` rounds, exactly `separation` apart":
        r"changes the sums of its own rounds only: at most as many as `participations`, and exactly",
    r"a unit is in the first rounds, as many and as close as declared":
        r"a privacy unit is in the first rounds, as many and as close as declared",
    r"of what was released nobody checked: .*; nor, of which nothing is declared: (.*)":
        r"of what was released, and nobody checked it: .*; not declared, and assumed as theorems need it: (.*)",
    r"(\d+) records may contribute nothing to these sums; .*divided by that or by (\d+)":
        r"some data set has (\d+) records that contribute nothing to these sums, .* which is (\d+) for a neighbour",
    r"contributes nothing changes no count, divisor or order": r"changes no count, divisor or order",
    r"more than (\d+) records is cut .*rule of the records drawn.* more than (\d+) records besides":
        r"more than (\d+) records is cut .* more than (\d+) besides .*depends on the records drawn",
    r"a cut batch keeps its records by an order": r"a cut batch keeps its records by an order",
    r"what contributes nothing is drawn, and takes a place": r"contributes nothing is drawn .* and takes a place",
    r"a batch holds depends on coins .*, each at most once": r"a batch holds depends on coins .*, each at most once",
    r"randomized response answers for every unit; .* drawn as that of one (with \S+ value)":
        r"an answer is given for every unit, and that of an absent one is drawn as that of a unit (with \S+ value)",
    r"guarantees of mechanisms without a known law are taken": r"taken at (?:its|their) word; .*not known here",
    r"only the best trial is released; how many ran \(eta (\S+), gamma (\S+)\)":
        r"the best of .* eta = (\S+) and gamma = (\S+): each is run afresh",
    r"only the best trial is released; how many ran \(mean (\S+)\)":
        r"the best of .* of mean (\S+): each is run afresh",
    r"private selection: independent trials, after each of which a coin": r"private selection: .*coin",
    r"a group: data (\d+) neighbours apart": r"data (\d+) neighbours apart",
    r"a unit that contributes nothing is one of those": r"that contribute nothing and are records too",
    r"each (\w+)'s events read that \w+'s data only": r"the claim speaks of .* (\w+)(?:'s|s') data of a unit",
    r"none of one (\w+)'s events runs while": r"none of one (\w+)'s runs while one of another's does",
    r"every (\w+) has these events": r"each (\w+)'s events .* are these events again",
    r"the machine began anew with each (\w+)": r"the machine began anew with each (\w+)",
    r"the parts of (\S+) are disjoint by a public key \((.*)\), and each unit's records lie in one":
        r"the parts of (\S+) are disjoint by a public key \((.*)\), and that each unit's records lie in one",
    r"look alike, and the ledger declares that they are": r"look alike, and the ledger declares that they are",
    r"the events are all those of the ledgers (.*)": r"the events are all those of the ledgers (.*)",
    r"parameters of all (\d+) ledgers' events": r"of the (\d+) ledgers together that the privacy parameters of all",
    r"no event of one of the (\d+) ledgers ran while": r"of the (\d+) ledgers together that their events ran one after",
    r"lie in the same part of a partition in every ledger": r"the same in every ledger",
    r"mechanisms that run concurrently: (.*)": r"of concurrent mechanisms|concurrent",
    r"each epoch takes its batches from a random order of all records":
        r"each epoch takes its batches from a random order of all records",
    r"shifts of the declared mechanisms are attained":
        r"(?:one|some) pair of neighbouring data sets is the worst case of",
    r"of a reading by \S+ this is proved: with probability at most (\S+) (the (?:absolute|loss))":
        r"of a reading by .* this is proved: with probability at most (\S+) (the (?:absolute|loss))",
    r"delta = (\S+)(?: and .*)? fixed before the first event":
        r"delta = (\S+)(?: and .*)? (?:was|were) fixed before the first event",
}  # fmt: skip

DAILY: Document = {"period": "day"}
LINED = f"{THM3}.filter"


def on_samples(**more: Any) -> Document:
    """Noise on samples."""
    return {"mechanism": {"kind": "subsampled", "base": QUERY, "rate": "1/100", "sampling": "poisson", **more}}


MORE: dict[str, tuple[Document, Document, str]] = {
    "days": (ledger(pure("1"), **DAILY), {"epsilon": "3", "delta": "0", "periods": 3}, "confirmed"),
    "one day": (ledger(pure("1"), **DAILY), {"epsilon": "1", "delta": "0"}, "confirmed"),
    "a reading of a day": (
        {**SHOWN["the basic odometer"][0], **DAILY}, SHOWN["the basic odometer"][1], "confirmed"),
    **{
        f"a reading {name}": ({**tuned(LINED, event, **LINE), **more}, reads(LINED, "90", after=1), "confirmed")
        for name, event, more in (
            ("of clipped samples", on_samples(clipped=True), {}),
            ("of samples of one size", on_samples(sampling="fixed-size"), {}),
            ("of samples of one size, zeroed", on_samples(sampling="fixed-size"), {"neighbours": "zero-out"}),
            ("of correlated noise", {"mechanism": CORRELATED}, {}),
            ("of a noisy maximum", {"mechanism": BEST}, {}),
            ("of any samples", on_samples(), {}),
            ("of an epoch of Laplace noise", on_samples(base=LAPLACE, sampling="shuffled", rate="1/4"), {}),
            ("of bins, zeroed", RUN, {"neighbours": "zero-out"}),
            ("of randomized response", {"mechanism": {"kind": "randomized-response", "epsilon": "1"}},
             {"neighbours": "add-or-remove-one"}),
            ("of another mechanism", {**pure("1"), "mechanism": {"kind": "other", "description": "a rule"}}, {}),
            ("of trials", {**pure("1/2"), "selected": "best-of-random-number"}, {}),
        )
    },
    "what remains after trials": (
        adaptive({**pure("1/2"), "selected": "best-of-random-number"}, **budget("6", "1e-6", ALG1)),
        {"epsilon": "6", "delta": "1e-6", "remaining": {"epsilon": "4.5", "delta": "1e-6"}}, "confirmed"),
    "what remains of a day": ({**SHOWN["what remains"][0], **DAILY}, SHOWN["what remains"][1], "confirmed"),
    "correlated noise": (zeroed({"mechanism": CORRELATED}), {"epsilon": "1/100", "delta": "1e-9"}, "refuted"),
    "noise": (records(NOISE), {"epsilon": "1/100", "delta": "0"}, "refuted"),
    "divided sums": (records(DIVIDED, **COUNTED), {"epsilon": "8", "delta": "1e-5"}, "refuted"),
    "a mixture": (records(SHIFTED), {"epsilon": "1/1000", "delta": "1e-9"}, "refuted"),
    "a mixture, once": (records(SHIFTED), {"epsilon": "4", "delta": "1e-2"}, "confirmed"),
    "samples": (records(DRAWN), {"epsilon": "1/1000", "delta": "1e-9"}, "refuted"),
    "samples of users": (records(on_samples(records_per_unit=3)), {"epsilon": "1/1000", "delta": "1e-9"}, "refuted"),
    "clipped samples": (ledger(on_samples(clipped=True)), {"epsilon": "1/1000", "delta": "1e-9"}, "refuted"),
    "bins": (records(RUN), {"epsilon": "1/100", "delta": "1e-9"}, "refuted"),
    "several bins": (zeroed({"mechanism": SOME_BINS}), {"epsilon": "1/100", "delta": "1e-9"}, "refuted"),
    "an epoch of a shuffle": (
        records({"mechanism": {**on_samples(rate="1/9", sampling="shuffled")["mechanism"]}, "count": 9}),
        {"epsilon": "1/1000", "delta": "1e-3"}, "refuted"),
    "bins zeroed": (zeroed(RUN), {"epsilon": "1/100", "delta": "1e-9"}, "refuted"),
    "days of noise": (
        records({"mechanism": LAPLACE}, **DAILY), {"epsilon": "1/100", "delta": "0", "periods": 2}, "refuted"),
    "a trial": (
        ledger({**pure("1"), "selected": "best-of-random-number"}), {"epsilon": "3", "delta": "0"}, "confirmed"),
}  # fmt: skip


def same(groups: tuple[str | None, ...]) -> list[object]:
    """What a premise names, and its numbers: the kernel writes 1/1000000 where a report writes 1e-6."""
    found: list[object] = []
    for group in groups:
        try:
            found.append(Fraction(group or ""))
        except ValueError:
            found.append(group)
    return found


def compared(certificate: dict[str, Any]) -> None:
    """Each premise of the kernel is printed, and is one of the list."""
    commentary = certificate["commentary"]
    printed = [*commentary.get("premises", ()), commentary["reason"], commentary.get("witness", "")]
    for premise in kernel.check(certificate).premises:
        (pattern,) = (pattern for pattern in SAME if re.search(pattern, premise))
        said = [found for words in printed for found in re.finditer(SAME[pattern], words)]
        assert said, f"the kernel demands, and no report says: {premise}"
        groups = re.search(pattern, premise).groups()  # type: ignore[union-attr]
        if all(found.groups() for found in said):
            assert any(same(found.groups()) == same(groups) for found in said), (premise, printed)


@pytest.mark.parametrize("name", GOOD)
def test_the_audit_prints_what_the_kernel_demands(name: str) -> None:
    compared(good(name))


@pytest.mark.parametrize("name", MORE)
def test_it_does_for_readings_periods_and_lower_bounds(name: str) -> None:
    compared(issue(*MORE[name]))
