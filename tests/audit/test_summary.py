"""What a reader is told first: the bound as exact as it is proved, a margin that is one, parts that stand out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from rich.console import Console

import privref
from privref.audit import summary
from privref.audit.notices import notices
from privref.audit.opinions import shown
from privref.exact.enclosure import Enclosure


def audited(events: list[dict[str, Any]], *claims: dict[str, Any], **declared: Any) -> privref.Audit:
    ledger = {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": events,
    } | declared  # fmt: skip
    stated = privref.claims_from_document({"schema": "claims.1", "claims": list(claims)})
    return privref.audit(privref.ledger_from_document(ledger), stated)


def pure(epsilon: str, count: int = 1, label: str = "a") -> dict[str, Any]:
    return {"label": label, "count": count, "guarantee": {"kind": "pure-dp", "epsilon": epsilon}}


def text(audit: privref.Audit) -> str:
    console = Console(width=200, no_color=True)
    with console.capture() as captured:
        console.print(privref.report.audit_report(audit))
    return captured.get()


def test_what_is_proved_exactly_is_said_exactly() -> None:
    """The optimum of 15 rounds of 1 is 15 less 1e-16; that 15 is proved exactly is what there is to say."""
    audit = audited([pure("1", 15)], {"id": "c", "epsilon": "15", "delta": "1e-18"})
    (opinion,) = audit.opinions
    assert opinion.deciding is not None
    assert opinion.deciding.application.by == "kov2015/optimal"
    assert summary.bound_words(opinion) == "= 15 by basic composition (Rogers et al. 2016; rogers2016/thm2.9)"
    assert summary.margin_words(opinion) == "no margin"
    assert "e-16" not in text(audit)
    page = privref.report.html_report(audit)
    by = "basic composition (Rogers et al. 2016; rogers2016/thm2.9)"
    assert f'Best bound: <span class="n">epsilon = 15 by {by}</span>; no margin' in page
    # What the document says keeps its meaning: the tightest bound.
    assert privref.report.audit_document(audit)["opinions"][0]["best"]["by"] == "kov2015/optimal"


def test_a_bound_that_proves_a_claim_is_not_shown_above_it() -> None:
    claim = {"id": "c", "epsilon": "14.99999999999999995", "delta": "1e-18"}
    (opinion,) = audited([pure("1", 15)], claim).opinions
    assert opinion.verdict == "confirmed"
    shown_text = summary.bound_words(opinion)
    assert shown_text.startswith("≤ 14.99999999999999")
    assert Fraction(shown_text.split()[1]) <= Fraction("14.99999999999999995")


def test_a_claim_that_names_its_theorem_is_told_of_that_one() -> None:
    claim = {"id": "c", "epsilon": "15", "delta": "1e-18", "by": "kov2015/optimal"}
    (opinion,) = audited([pure("1", 15)], claim).opinions
    item = shown(opinion)
    assert item is not None
    assert item.application.by == "kov2015/optimal"


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        (("3", "3"), "no margin"),
        (("2", "3"), ""),
        (("2", "2.5"), "margin ≥ 0.5"),
        (("3.01", "3.01"), "claim short by ≤ 0.01"),
        (("3.01", "4"), "claim short by 0.01 to 1"),
        (("2", "4"), "the claim lies within the bound's enclosure"),
    ],
)
def test_a_margin_is_what_is_certain(ends: tuple[str, str], words: str) -> None:
    """Of a wide enclosure: neither is its width a margin, nor all of it a shortage."""
    from dataclasses import replace

    (opinion,) = audited([pure("1", 3)], {"id": "c", "epsilon": "3", "delta": "0"}).opinions
    (item,) = opinion.bounds[:1]
    enclosure = Enclosure(*map(Fraction, ends))
    wide = replace(item, enclosure=enclosure, value=None)
    said = summary.margin_words(replace(opinion, verdict="undecided", deciding=wide, bounds=(wide,)))
    assert said.replace(".000", "").replace("0.0100", "0.01").replace("0.5000", "0.5") == words


GROUP = {"delta": "1e-6", "units": 2}


@pytest.mark.parametrize(
    ("epsilon", "cut"),
    [("0.7", False), ("0.70", False), ("0.74", True), ("0.749", True), ("0.73", False), ("0.740", False)],
)
def test_a_claim_is_a_bound_rounded_down_only_by_less_than_its_last_decimal(epsilon: str, cut: bool) -> None:
    """The bound is 0.74999…: 0.7 is as likely a round number, and 0.740 is not what cutting gives."""
    events = [pure("1/4"), pure("1/8")]
    (opinion,) = audited(events, {"id": "c", "epsilon": epsilon, **GROUP}).opinions
    assert opinion.verdict == "unsupported"
    assert opinion.hints is not None
    assert opinion.hints.rounded_down is cut
    assert ("rounded down" in summary.advice(opinion)[1]) is cut
    assert ("rounded down" in opinion.reason) is cut


def test_what_would_be_proved_is_exact_where_it_is_known_exactly() -> None:
    (opinion,) = audited([pure("1/4"), pure("1/8")], {"id": "c", "epsilon": "0.7", **GROUP}).opinions
    assert "claim what privref proves: epsilon = 0.75" in summary.advice(opinion)[1]
    assert "It would prove epsilon = 0.75" in opinion.reason
    # The least with two decimals, although the claim has one.
    assert opinion.hints is not None
    assert opinion.hints.would_prove == "0.75"


def test_none_of_many_equal_parts_is_named() -> None:
    counties = [pure("1/1000", label=f"county {i:05}") for i in range(200)]
    claim = {"id": "c", "epsilon": "1", "delta": "1e-6"}
    audit = audited(counties, claim)
    assert "county" not in text(audit)
    assert "0.5 %  each of the 200 largest entries, which are equal" in text(audit)
    page = privref.report.html_report(audit)
    parts = page.partition("Largest parts")[2].partition("<h2>")[0]
    assert "county" not in parts
    assert "each of the 200 largest entries, which are equal" in parts

    audit = audited([*counties, pure("1/2", label="nation")], claim)
    assert "nation" in text(audit)
    assert "county" not in text(audit)
    few = audited([pure("1/1000", label=f"county {i:05}") for i in range(3)], claim)
    assert text(few).count("county") == 3


@pytest.mark.parametrize(
    ("epsilon", "delta", "asked"),
    [("1e-6", "1", True), ("0.01", "1/2", True), ("1", "1e-6", False), ("1/2", "1/2", False)],
)
def test_a_delta_above_epsilon_is_a_question(epsilon: str, delta: str, asked: bool) -> None:
    audit = audited([pure("1/100")], {"id": "c", "epsilon": epsilon, "delta": delta})
    assert audit.opinions[0].verdict == "confirmed"
    assert ("are the two numbers swapped?" in summary.advice(audit.opinions[0])[1]) == asked


@pytest.mark.parametrize(
    ("epsilon", "delta", "words"),
    [("1e-6", "1/2", "are the two numbers swapped?"), ("0", "0", "no event loses anything"), ("1/2", "1e-6", "")],
)
def test_a_question_about_the_numbers_is_in_every_answer(epsilon: str, delta: str, words: str) -> None:
    event = {"guarantee": {"kind": "approx-dp", "epsilon": epsilon, "delta": delta}}
    audit = audited([event], {"id": "c", "epsilon": "2", "delta": "0.6"})
    letter = " ".join(notices(audit)[0].assumptions)
    console = " ".join(text(audit).split())
    for answer in (console, privref.report.html_report(audit), letter):
        assert (words in answer) if words else "are the two numbers swapped" not in answer
    assert ("answer the question above" in console) == bool(words)
