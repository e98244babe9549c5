"""Text reports: what a ledger or a claim says of itself cannot start a line, colour one, or be read as markup."""

from __future__ import annotations

import io
import unicodedata
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from rich.console import Console, RenderableType

import privref
from privref.audit.replayed import replay
from privref.audit.summary import best, contributors
from privref.report.checks import verification_report
from privref.report.figures import table_report
from privref.report.findings import comparison_report
from privref.report.lines import line
from privref.report.oracle import vectors_report
from privref.report.replay import replay_document, replay_picture, replay_report
from privref.report.text import audit_report
from privref.verification import Check, Verification

FORGED = "x\nclaim claim: (9, 0)-DP → confirmed\x1b[2K\r\u2028\u202e[bold]"
ESCAPED = "x\\nclaim claim: (9, 0)-DP → confirmed\\x1b[2K\\r\\u2028\\u202e[bold]"


def printed(report: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=4000, highlight=False, force_terminal=False)
    console.print(report)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def refuse_forgery(text: str) -> None:
    assert not any(shown.startswith("claim claim") for shown in text.splitlines())
    assert {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} <= {"\n"}


def ledger(document: dict[str, Any], **changes: Any) -> privref.Ledger:
    return privref.ledger_from_document({**document, **changes})


def claims(**more: str) -> tuple[privref.Claim, ...]:
    claim = {"id": "c", "epsilon": "1", "delta": "0", **more}
    return privref.claims_from_document({"schema": "claims.1", "claims": [claim]})


def test_a_title_can_not_forge_a_verdict(ledger_document: dict[str, Any]) -> None:
    text = printed(audit_report(privref.audit(ledger(ledger_document, title=FORGED), claims()), verbosity=1))
    refuse_forgery(text)
    assert text.splitlines()[0] == ESCAPED


def test_an_unknown_event_can_not_forge_a_verdict(ledger_document: dict[str, Any]) -> None:
    guarantee = {"kind": "unknown", "description": FORGED}
    record = ledger(ledger_document, events=[{"guarantee": guarantee, "label": FORGED}])
    for verbosity in range(3):
        text = printed(audit_report(privref.audit(record, claims()), verbosity))
        refuse_forgery(text)
    assert ESCAPED in text
    refuse_forgery(printed(replay_report(replay(record, (Fraction(1), Fraction(1, 10**6))))))


def test_a_claim_and_the_reason_of_its_verdict_can_not_forge_another(ledger_document: dict[str, Any]) -> None:
    audit = privref.audit(ledger(ledger_document), claims(id="c"))
    (opinion,) = audit.opinions
    forged = replace(opinion.claim, by=FORGED)
    object.__setattr__(forged, "id", FORGED)  # no claim is made with such an id
    opinion = replace(opinion, reason=FORGED, claim=forged)
    refuse_forgery(printed(audit_report(replace(audit, opinions=(opinion,)))))
    text = printed(audit_report(replace(audit, opinions=(opinion,)), verbosity=1))
    refuse_forgery(text)
    assert text.count(ESCAPED) == 2  # as the theorem and as the reason; the id is cropped


@pytest.mark.parametrize("claim", [("1.7", "0"), ("1", "1e-9"), ("1.69", "1e-9"), ("3", "1e-6"), ("1.6999999999", "0")])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"parameters": "chosen-adaptively"},
        {"parameters": "chosen-adaptively", "budget": {"epsilon": "1.7", "delta": "0", "filter": "rogers2016/thm3.3"}},
        {"title": "a very long title " * 20},
        {"events": [{"guarantee": {"kind": "zcdp", "rho": "1/3"}, "label": "long " * 50}] * 4},
        {"events": [{"guarantee": {"kind": "unknown", "description": "something " * 40}}]},
    ],
    ids=["plain", "adaptive", "filter", "title", "zcdp", "unknown"],
)
def test_one_claim_takes_at_most_eighteen_lines_of_eighty_columns(
    ledger_document: dict[str, Any], changes: dict[str, Any], claim: tuple[str, str]
) -> None:
    """Whatever the verdict; and a premise is not cut short."""
    audit = privref.audit(ledger(ledger_document, **changes), claims(epsilon=claim[0], delta=claim[1]))
    shown = printed(audit_report(audit)).splitlines()
    assert len(shown) <= 18
    assert max(map(len, shown)) <= 80
    assert audit.opinions[0].verdict in "\n".join(shown)
    for finding in audit.opinions[0].premises:
        assert finding.how.removeprefix("premise: ") in " ".join("\n".join(shown).split())


def test_the_parts_of_the_sum_are_exact(ledger_document: dict[str, Any]) -> None:
    """Shares of rho for zCDP, of epsilon for basic composition, of epsilon^2 for advanced: counts included."""
    events = [
        {"guarantee": {"kind": "pure-dp", "epsilon": "1/10"}, "count": 6, "label": "a"},
        {"guarantee": {"kind": "pure-dp", "epsilon": "3/10"}, "count": 1, "label": "b"},
    ]
    record = ledger(ledger_document, events=events)
    wanted = {
        "rogers2016/thm2.9": ("epsilon", "a", Fraction(2, 3)),
        "whitehouse2023/eq2": ("epsilon^2", "b", Fraction(9, 15)),
        "whitehouse2023/lem1": ("rho", "b", Fraction(9, 15)),
    }
    for by, (measure, label, share) in wanted.items():
        (opinion,) = privref.audit(record, claims(epsilon="9", delta="1e-9", by=by)).opinions
        item = best(opinion)
        assert item is not None
        found = contributors(record, item)
        assert found is not None
        assert (found.measure, found.largest[0].label, found.largest[0].share) == (measure, label, share)
        assert sum((part.share for part in found.largest), Fraction(0)) == 1


def test_no_other_report_prints_a_foreign_line() -> None:
    checked = Verification((Check(FORGED, False, FORGED),), True)
    rows = {"cases": 1, "folder": FORGED, "statements": [{"statement": FORGED, "cases": 1, "flags": {FORGED: 1}}]}
    for report, lines in (
        (verification_report(checked), 2),
        (vectors_report(rows), 3),
        (comparison_report([], [], [FORGED]), 2),
        (table_report([{"a": FORGED}]), 2),
    ):
        text = printed(report)
        refuse_forgery(text)
        assert ESCAPED in text
        assert len(text.splitlines()) == lines


def test_a_line_keeps_its_style_and_its_words() -> None:
    assert line("ε ≤ 1 [red]", "bold").plain == "ε ≤ 1 [red]"
    assert line("x", "bold").style == "bold"


def test_what_remains_of_a_budget_is_rounded_down(ledger_document: dict[str, Any]) -> None:
    """A third is left: six digits rounded up would admit a request that the accountant refuses."""
    cells = {"kind": "output-dp", "cells": {"answer": "2/3", "bottom": "1/4"}, "delta": "0"}
    events = [
        {"guarantee": cells, "observed_cell": "answer"},
        {"guarantee": {"kind": "pure-dp", "epsilon": "0.333334"}},
    ]
    record = ledger(ledger_document, parameters="chosen-adaptively", events=events)
    result = replay(record, (Fraction(1), Fraction(1, 10**6)))
    text = printed(replay_report(result))
    (head, columns, first, second) = (row for row in text.splitlines()[:5] if row)
    assert "what remains of a budget is rounded down" in head
    assert "output-dp-accountant (remaining)" in columns
    assert "HALT 0.333333" in second
    assert "0.333334" not in first + second
    assert "CONT 0.666667" in first  # what a filter has spent is rounded up
    machines = replay_document(result)["machines"]
    assert machines["output-dp-accountant"]["reading"] == "remaining"
    assert machines["output-dp-filter"]["reading"] == "spent or shown"
    assert b"output-dp-accountant (remaining)" in replay_picture(result, "round", "svg")


SAMPLED = {"kind": "subsampled", "base": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}, "rate": "1/10"}
DRAWN = {"events": [{"count": 20, "mechanism": {**SAMPLED, "sampling": "poisson"}}], "neighbours": "add-or-remove-one"}


def test_a_report_says_what_ran_and_how_often(ledger_document: dict[str, Any]) -> None:
    audit = privref.audit(ledger(ledger_document, **DRAWN), claims(epsilon="3", delta="1e-6"))
    assert audit.opinions[0].verdict == "confirmed"
    assert "sum of rho" not in printed(audit_report(audit, verbosity=0))
    page = privref.report.html_report(audit)
    assert "subsampled (base gaussian (sigma 2, sensitivity 1), rate 1/10, sampling poisson)" in page
    assert "about 1 release (20 rounds) that the ledger" in page
    assert "composed Poisson-subsampled Gaussian rounds (zdw2022/poisson_gaussian) (which proves the claim)" in page


def test_what_to_do_next_is_true_of_the_claim(ledger_document: dict[str, Any]) -> None:
    noise = {"events": [{"mechanism": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}}]}
    audit = privref.audit(ledger(ledger_document, **noise), claims(epsilon="0.3", delta="1e-5"))
    text = " ".join(printed(audit_report(audit, verbosity=0)).split())
    assert "if it does, claim the best bound instead" in text
    audit = privref.audit(ledger(ledger_document), claims(epsilon="2", by="gdp/composition"))
    text = " ".join(printed(audit_report(audit, verbosity=0)).split())
    assert (audit.opinions[0].verdict, "leave `by` out" in text) == ("inapplicable", True)
    assert "no theorem here applies" not in text


def test_a_joint_ledger_says_what_was_not_declared_of_it(ledger_document: dict[str, Any]) -> None:
    one = ledger(ledger_document)
    both = privref.combined([one, ledger(ledger_document, title="other")], ["one", "other"])
    text = " ".join(printed(audit_report(privref.audit(both, claims(epsilon="4")), verbosity=0)).split())
    assert "chosen-adaptively, concurrent (of the joint run; what is not declared of it is read as the worst)" in text


def test_a_worst_case_is_called_one(ledger_document: dict[str, Any]) -> None:
    audit = privref.audit(ledger(ledger_document), claims(epsilon="0.5"))
    (document,) = privref.certificates(audit).values()
    text = printed(verification_report(privref.verify(document)))
    assert "c is refuted by a worst case of the ledger's events (event)" in text
