"""The worst cases that are tried, and that they stay within what the events declare."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import privref
from privref.audit import bounds
from privref.audit.facts import Facts
from privref.audit.refuters import gaussian_rho_witness, witnesses


def record(*guarantees: tuple[dict[str, Any], int]) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [{"guarantee": guarantee, "count": count} for guarantee, count in guarantees],
        }
    )  # fmt: skip


def pure(epsilon: str) -> dict[str, Any]:
    return {"kind": "pure-dp", "epsilon": epsilon}


@pytest.mark.parametrize("mu", ["1/10", "3"])
def test_a_gaussian_mechanism_is_its_own_worst_case(mu: str) -> None:
    """Its rho is mu^2/2, so that the claims rho = mu^2/2 and a little less are on the two sides of the truth."""
    ledger = record(({"kind": "gaussian-dp", "mu": mu}, 1))
    rho = Fraction(mu) ** 2 / 2
    assert gaussian_rho_witness(Facts.of(ledger)).inputs == {"rho": ((rho, 1),)}
    (found,) = (w for w in witnesses(Facts.of(ledger), Fraction(1), Fraction(0)) if w.statement.startswith("cks2020/g"))
    assert found.inputs["rho"] == ((rho, 1),)
    claims = privref.claims_from_document(
        {
            "schema": "claims.1",
            "claims": [{"id": "at", "rho": str(rho)}, {"id": "below", "rho": str(rho * Fraction(999, 1000))}],
        }
    )
    assert [opinion.verdict for opinion in privref.audit(ledger, claims).opinions] == ["confirmed", "underivable"]


def test_equal_rounds_that_lose_most_together_are_tried() -> None:
    """Ten rounds of 1 lose 10 and refute 5; all 1011 rounds at 0.001 lose 1.011 at most and refute nothing."""
    ledger = record((pure("1"), 10), (pure("0.001"), 1001))
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "five", "epsilon": "5", "delta": "1e-9"}]}
    )
    (opinion,) = privref.audit(ledger, claims).opinions
    assert opinion.verdict == "underivable"
    assert opinion.refutation is not None
    assert opinion.refutation.witness.inputs == {"eps": 1, "k": 10, "eps_g": 5}


@pytest.mark.parametrize("epsilon", ["1e-400", "1/1000", "2", "1000", "1e400"])
def test_different_bounded_ranges_are_tried_whatever_their_size(epsilon: str) -> None:
    """The intervals come from a search on floats, which must not meet what floats do not hold."""
    ledger = record(
        ({"kind": "bounded-range", "epsilon": epsilon}, 2), ({"kind": "bounded-range", "epsilon": "1/3"}, 30)
    )
    found = [w for w in witnesses(Facts.of(ledger), Fraction(1, 2), Fraction(0)) if w.statement.startswith("dong2020/")]
    assert [w.statement for w in found] == ["dong2020/thm3.delta", "dong2020/intervals.delta"]
    widths, ends = found[1].inputs["eps"], found[1].inputs["t"]
    assert isinstance(widths, tuple)
    assert isinstance(ends, tuple)
    assert sorted(set(widths)) == sorted({Fraction(1, 3), Fraction(epsilon)})
    assert (widths.count(Fraction(1, 3)), widths.count(Fraction(epsilon))) == (20, 2)
    assert all(0 <= end <= width for end, width in zip(ends, widths, strict=True))


GAUSSIAN: dict[str, Any] = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
RESPONSE: dict[str, Any] = {"kind": "randomized-response", "epsilon": "1"}
OUTCOMES: dict[str, Any] = {"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "0"}
POISSON: dict[str, Any] = {"kind": "subsampled", "base": GAUSSIAN, "rate": "1/2", "sampling": "poisson"}
LESS = {"epsilon": "1/2", "delta": "1e-9"}
ADDED, REPLACED = {"neighbours": "add-or-remove-one"}, {"neighbours": "replace-one"}
TOGETHER = {"attained_together": True}
#: By statement: the mechanisms, what is declared of all, a claim that is false, and the premises that are printed.
REFUTED: list[tuple[str, list[dict[str, Any]], dict[str, Any], dict[str, str], list[str]]] = [
    ("zdw2022/thm10.delta", [GAUSSIAN], REPLACED, LESS, ["in every round (assumed, because "]),
    ("zdw2022/thm10.delta", [{**GAUSSIAN, "attained": True}], ADDED, LESS, ["(the ledger declares `attained`)"]),
    ("zdw2022/thm10.delta", [GAUSSIAN, RESPONSE], {**REPLACED, **TOGETHER}, LESS, ["`attained_together`)"]),
    ("zdw2022/thm10.delta", [GAUSSIAN, RESPONSE], {**ADDED, **TOGETHER}, {"epsilon": "1.2", "delta": "1e-9"}, [
        "`attained_together`)", "were it a fair coin"]),
    ("kov2015/optimal.delta", [RESPONSE], ADDED, LESS, ["assumed, because", "were it a fair coin"]),
    ("kov2015/optimal.delta", [RESPONSE], REPLACED, LESS, ["assumed, because"]),
    ("zdw2022/thm10.delta", [OUTCOMES], REPLACED, LESS, ["assumed, because"]),
    ("zdw2022/thm10.delta", [{**POISSON, "base": RESPONSE}], ADDED, {"epsilon": "1/10", "delta": "0"}, [
        "assumed, because", "were it a fair coin", "drawn otherwise may lose less"]),
    ("zdw2022/poisson_gaussian.delta", [POISSON], ADDED, LESS, ["assumed, because", "drawn otherwise may lose less"]),
    ("chua2024b/truncated.least", [{**POISSON, "batch_cap": "900", "records": "1000"}], ADDED, LESS, [
        "assumed, because", "drawn otherwise may lose less", "more than 1000 besides the one that differs"]),
    ("cks2020/gaussian_witness.rho", [GAUSSIAN], REPLACED, {"rho": "0.4"}, ["assumed, because"]),
    ("cks2020/gaussian_witness.rho", [GAUSSIAN], REPLACED, {"mu": "0.9"}, ["assumed, because"]),
]  # fmt: skip


def verdict(events: list[dict[str, Any]], said: dict[str, Any], claim: dict[str, Any]) -> privref.Audit:
    document = {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "parameters": "fixed-in-advance",
        "interaction": "sequential", "events": events, **said,
    }  # fmt: skip
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    return privref.audit(privref.ledger_from_document(document), claims)


def printed(audit: privref.Audit) -> Iterator[str]:
    """The reports, and the certificate, each as one line of text."""
    for verbosity in (0, 1):
        console = Console(width=4000, file=StringIO())
        console.print(privref.report.audit_report(audit, verbosity))
        assert isinstance(console.file, StringIO)
        yield " ".join(console.file.getvalue().split())
    yield json.dumps(privref.report.audit_document(audit), ensure_ascii=False)
    yield privref.report.report_text(audit, Path("report.md")).replace("\\", "")
    yield privref.report.report_text(audit, Path("report.xml")).replace("&apos;", "'")
    yield json.dumps(privref.certificates(audit)["c"]["commentary"], ensure_ascii=False)


@pytest.mark.parametrize(("statement", "mechanisms", "said", "claim", "words"), REFUTED)
def test_what_a_refutation_rests_on_is_printed(
    statement: str, mechanisms: list[dict[str, Any]], said: dict[str, Any], claim: dict[str, str], words: list[str]
) -> None:
    audit = verdict([{"mechanism": mechanism} for mechanism in mechanisms], said, claim)
    (opinion,) = audit.opinions
    assert opinion.refutation is not None
    assert (opinion.verdict, opinion.refutation.witness.statement) == ("refuted", statement)
    assert all(premise.premise for premise in opinion.premises)
    assert len(opinion.premises) == len(words)
    for premise, word in zip(opinion.premises, words, strict=True):
        assert word in premise.how
    for text in printed(audit):
        for premise in opinion.premises:
            assert premise.how in text


def test_an_epoch_of_shuffled_batches_rests_on_the_others_too() -> None:
    shuffled = {**POISSON, "sampling": "shuffled", "base": {**GAUSSIAN, "sigma": "1/2"}}
    audit = verdict([{"mechanism": shuffled, "count": 2}], ADDED, {"epsilon": "1", "delta": "1e-9"})
    (opinion,) = audit.opinions
    assert opinion.verdict == "refuted"
    assert [premise.hypothesis.key for premise in opinion.premises] == ["attained", "shuffled-batches"]


def test_a_worst_case_rests_on_no_mechanism() -> None:
    """It need not be what ran; what the ledger declares of its structure it rests on."""
    event = {"guarantee": {"kind": "pure-dp", "epsilon": "1"}}
    (opinion,) = verdict([event], ADDED, LESS).opinions
    assert (opinion.verdict, opinion.premises) == ("underivable", ())
    parted = {**event, "part": {"of": "zip", "is": "a"}}
    audit = verdict([parted], {**ADDED, "partitions": {"zip": "the ZIP code"}}, LESS)
    assert audit.opinions[0].verdict == "underivable"
    for text in printed(audit):
        assert "the parts of 'zip' are disjoint by a public key" in text


def test_a_verdict_that_depends_on_digits_rests_on_what_its_ends_do() -> None:
    laplace = {"kind": "laplace", "scale": {"rounded": "1.0"}, "sensitivity": {"rounded": "1.0"}}
    (opinion,) = verdict([{"mechanism": laplace}], REPLACED, {"epsilon": "1", "delta": "1e-3"}).opinions
    assert (opinion.verdict, [end.opinion.verdict for end in opinion.ends]) == (
        "depends-on-digits",
        ["confirmed", "refuted"],
    )
    assert [premise.hypothesis.key for premise in opinion.premises] == ["attained"]


def test_where_all_rounds_take_much_work_one_of_them_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A delta of 0 is refuted by any loss: of 100 rounds, far out, only one is in closed form."""
    drawn = {"kind": "subsampled", "base": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}, "rate": "1/100"}
    event = {"mechanism": {**drawn, "sampling": "poisson"}, "count": 100}
    monkeypatch.setattr(bounds, "_FIRST_WORK", 100_000)
    ledger = privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": [event],
        }
    )  # fmt: skip
    claims = {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "20", "delta": "0"}]}
    (opinion,) = privref.audit(ledger, privref.claims_from_document(claims)).opinions
    assert opinion.verdict == "refuted"
    assert opinion.refutation is not None
    assert opinion.refutation.witness.inputs["k"] == 1
    assert "1 declared Poisson-subsampled Gaussian round(s)" in opinion.reason
    assert "the other rounds can only add to it" in opinion.reason
