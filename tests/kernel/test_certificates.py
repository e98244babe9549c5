"""Certificates: what the audit confirms the kernel verifies, and nothing that was altered to be false."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import privref
from privref import kernel
from privref.audit.certificate import certificates
from privref.cli.main import main
from privref.kernel.numbers import digest
from privref.kernel.theorems import TABLES
from privref.statements.theorems import THEOREMS
from tests.kernel.cases import (
    CAPPED,
    FALSE,
    GOOD,
    UNWITNESSED,
    WRONG,
    Document,
    adaptive,
    approx,
    by,
    ledger,
    pure,
    records,
    under,
    zcdp,
)  # fmt: skip
from tests.slow import shared

#: Each certificate is issued once, in one process.
pytestmark = pytest.mark.xdist_group("certificates")

CERTIFIED = list(GOOD)
IDS = {each.id for each in THEOREMS}


def issue(record: Document, claim: Document, verdict: str) -> dict[str, Any]:
    """The certificate of one claim, which the audit decides so."""
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    audit = privref.audit(privref.ledger_from_document(record), claims)
    assert [opinion.verdict for opinion in audit.opinions] == [verdict], audit.opinions[0].reason
    made = certificates(audit)
    assert "c" in made, made.missing
    document: dict[str, Any] = json.loads(json.dumps(made["c"]))
    return document


@shared
def good(name: str) -> dict[str, Any]:
    """One of ``GOOD``, issued once; it is not to be changed."""
    return issue(*GOOD[name], "confirmed")


@shared
def false(name: str) -> dict[str, Any]:
    """One of ``FALSE``, issued once; it is not to be changed."""
    return issue(*FALSE[name], "underivable")


def altered(base: Document, record: Document | None = None, claim: Document | None = None) -> dict[str, Any]:
    """The same proof about another ledger or claim; the digest is the ledger's own."""
    document = copy.deepcopy(base)
    document["claim"] |= claim or {}
    if record is not None:
        document["ledger"] = {"sha256": digest(record, "ledger"), "document": record}
    return document


def is_refused(document: Document) -> bool:
    """Whether the kernel refuses it: as no proof, or as a document that cannot be read."""
    try:
        kernel.check(document)
    except (kernel.Refused, kernel.Malformed):
        return True
    return False


@pytest.mark.parametrize("name", CERTIFIED)
def test_what_the_audit_confirms_is_verified(name: str) -> None:
    found = kernel.check(good(name))
    assert found.verdict == "confirmed"
    assert privref.verify(good(name)).premises == found.premises
    assert found.claim == good(name)["claim"]
    named = GOOD[name][1].get("by")
    assert named not in IDS or named == good(name)["proofs"][0]["by"]


@pytest.mark.parametrize("notion", TABLES)
def test_every_theorem_has_an_honest_certificate_and_a_forgery(notion: str) -> None:
    """Those of the audit, of which the kernel has a row each, and no other."""
    audited = {each.id for each in THEOREMS if getattr(each, notion)}
    assert set(TABLES[notion]) == audited
    rests: dict[str, set[str]] = {by: set() for by in audited}
    for name, (_, claim) in GOOD.items():
        # A certificate is by the theorem that its claim names, which the test above sees.
        if notion in claim and "units" not in claim:
            named = claim.get("by")
            rests.setdefault(named if named in IDS else good(name)["proofs"][0]["by"], set()).add(name)
    forged = {which for which, _ in WRONG.values()}
    assert [by for by, names in rests.items() if not names & forged] == []


#: Altered, and the claim still follows: the proof holds no number that the change would touch.
STILL_TRUE = frozenset(
    {
        "advanced, a claim of less delta",
        "cells, a dearer one was observed",
        "cells, in another order",
        "cells, none was observed",
        "cut samples, another round",
        "ex-post, a delta that the cells share",
        "ex-post, a later stage",
        "ex-post, another order declared",
        "ex-post, another split declared",
        "ex-post, in another order",
        "ex-post, none was observed",
        "filter, another split declared",
        "moments, a round of zCDP taken for a pure one",
        "zCDP, another theorem's tuning",
    }
)


@pytest.mark.parametrize("name", WRONG)
def test_another_ledger_or_claim_is_refused(name: str) -> None:
    """Each differs in one thing from what the proof is about; what is verified all the same is true."""
    which, change = WRONG[name]
    forgery = altered(good(which), **change)
    if name not in STILL_TRUE:
        assert is_refused(forgery)
        return
    assert kernel.check(forgery).verdict == "confirmed"
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [forgery["claim"]]})
    audit = privref.audit(privref.ledger_from_document(forgery["ledger"]["document"]), claims)
    assert audit.opinions[0].verdict == "confirmed"


@pytest.mark.parametrize("name", FALSE)
def test_what_the_audit_contradicts_is_verified(name: str) -> None:
    assert kernel.check(false(name)).verdict == "underivable"


NOT_ATTAINED = {"kind": "gaussian", "sigma": "1", "sensitivity": "1", "attained": False}


@pytest.mark.parametrize(
    ("events", "claim"),
    [
        ((pure("2", 2), {"mechanism": NOT_ATTAINED}), {"epsilon": "3", "delta": "0"}),
        ((zcdp("1/8"), pure("1"), {"mechanism": NOT_ATTAINED}), {"epsilon": "0.5", "delta": "0.15"}),
        ((zcdp("1/4"), {"mechanism": NOT_ATTAINED}), {"rho": "0.2"}),
        ((pure("2"),), {"epsilon": "0", "delta": "0"}),
        ((pure("3"),), {"epsilon": "0.1", "delta": "0"}),
    ],
)
def test_a_worst_case_is_found_next_to_a_law_and_for_one_large_response(
    events: tuple[Document, ...], claim: Document
) -> None:
    """A mechanism of which little is known, or a window that left the response out, cost the certificate."""
    record = ledger(*events)
    assert kernel.check(issue(record, claim, "underivable")).verdict == "underivable"


#: A ledger that declares less, of which the claim is underivable all the same.
STILL_FALSE = frozenset(
    {"a smaller mu", "a smaller range among different ones", "responses of more than half the range"}
)


@pytest.mark.parametrize("name", UNWITNESSED)
def test_a_worst_case_beyond_the_ledger_contradicts_nothing(name: str) -> None:
    which, record = UNWITNESSED[name]
    forgery = altered(false(which), record=record)
    if name not in STILL_FALSE:
        assert is_refused(forgery)
        return
    assert kernel.check(forgery).verdict == "underivable"
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [forgery["claim"]]})
    assert privref.audit(privref.ledger_from_document(record), claims).opinions[0].verdict == "underivable"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in a document that hold no other."""
    if isinstance(value, dict):
        return [place for key in value for place in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [place for i, item in enumerate(value) for place in leaves(item, (*path, i))]
    return [path]


def replaced(document: Document, path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


#: Told to the reader, and not checked; the id names the file.
FREE = {("commentary",), ("claim", "id")}


@pytest.mark.parametrize("name", ["basic", "optimum", "zCDP", "laws", "samples", "cut samples", "Renyi", "ex-post"])
def test_every_field_of_a_certificate_is_read(name: str) -> None:
    """A value of another kind in any place is refused."""
    document = good(name)
    for path in leaves(document):
        if path[:1] in FREE or path[:2] in FREE or path[:2] == ("ledger", "document"):
            continue
        assert is_refused(replaced(document, path, ["nonsense"])), path


#: Objects whose keys are names that a user chose.
NAMES = {("cells",), ("orders",), ("case",), ("tuning",), ("partitions",)}


@pytest.mark.parametrize("name", ["basic", "zCDP", "laws", "samples", "two dearest cells, fixed"])
def test_an_unknown_field_is_refused_wherever_it_stands(name: str) -> None:
    document = good(name) if name in GOOD else false(name)
    objects = {path[:i] for path in leaves(document) for i in range(len(path))}
    for path in objects:
        if path[:1] == ("commentary",) or path[-1:] in NAMES:
            continue
        changed = copy.deepcopy(document)
        place: Any = changed
        for key in path:
            place = place[key]
        if isinstance(place, dict):
            place["more"] = "1"
            if path[:2] == ("ledger", "document"):
                changed["ledger"]["sha256"] = digest(changed["ledger"]["document"], "ledger")
            assert is_refused(changed), path


def test_a_certificate_is_about_one_ledger() -> None:
    """Of another file, or with another one held, nothing is verified."""
    document = good("basic")
    other = ledger(approx("0.1", "1e-7", 5), pure("0.1"))
    with pytest.raises(kernel.Refused, match="SHA-256"):
        kernel.check(document, other)
    held = {**document, "ledger": {**document["ledger"], "document": other}}
    with pytest.raises(kernel.Refused, match="SHA-256"):
        kernel.check(held, document["ledger"]["document"])
    named = {**document, "ledger": {"sha256": document["ledger"]["sha256"]}}
    assert kernel.check(named, document["ledger"]["document"]).verdict == "confirmed"
    with pytest.raises(kernel.Malformed, match="--ledger"):
        kernel.check(named)


def test_the_premises_are_those_of_the_proof() -> None:
    record, claim = adaptive(pure("0.1", 5), **under("rogers2016/thm3.3")), by("rogers2016/thm3.3")
    (premise,) = kernel.check(issue(record, claim, "confirmed")).premises
    assert "decided from before the first event which events ran" in premise


def test_a_cap_that_is_never_reached_is_a_premise_too() -> None:
    premises = kernel.check(good("samples never above their cap, of a group")).premises
    assert any("no data set has more than 100 records besides the one that differs" in premise for premise in premises)


def test_a_refutation_rests_on_as_many_records_as_the_ledger_has() -> None:
    """Fewer would make a batch that is cut less likely, and what is lost at least larger."""
    record = records(CAPPED)
    document = issue(record, {"epsilon": "0.001", "delta": "1e-9"}, "refuted")
    assert kernel.check(document).verdict == "refuted"
    assert is_refused(altered(document, {**record, "dataset_size": {"value": 2000}}))


@pytest.mark.parametrize(("epsilon", "verdict", "whose"), [("1", "confirmed", "some"), ("0.5", "refuted", "another")])
def test_randomized_response_rests_on_the_answer_of_an_absent_unit(epsilon: str, verdict: str, whose: str) -> None:
    record = records({"mechanism": {"kind": "randomized-response", "epsilon": "1"}})
    premises = kernel.check(issue(record, {"epsilon": epsilon, "delta": "0"}, verdict)).premises
    assert any(f"absent is drawn as that of one with {whose} value" in premise for premise in premises)


def in_parts(*names: str) -> Document:
    events = [{**pure("1"), "part": {"of": "county", "is": name}} for name in names]
    return records(*events, partitions={"county": "by its code"})


def test_parts_are_counted_by_their_names_and_alike_names_are_refused() -> None:
    document = issue(in_parts("Ill", "Two"), {"epsilon": "1", "delta": "0"}, "confirmed")
    (premise,) = kernel.check(document).premises
    assert "2 are counted by their names: 'Ill', 'Two'" in premise
    for other in ("ILL", "I1l", "\uff29ll", "Il l"):
        assert is_refused(altered(document, in_parts("Ill", other))), other


@pytest.mark.parametrize("old", ["certificate.1", "ledger.1", None])
def test_a_certificate_of_another_form_is_named_as_old(old: str | None) -> None:
    with pytest.raises(kernel.Malformed, match="audit again"):
        kernel.check({**good("basic"), "schema": old})


def exit_code(*arguments: str) -> object:
    """What the command line ends with."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code


def test_the_command_writes_certificates_and_says_what_has_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``audit --certificates`` and ``verify``, as a user runs them."""
    monkeypatch.chdir(tmp_path)
    Path("ledger.json").write_text(json.dumps(ledger(pure("0.1", 10))))
    claims = ("--claim", "1,0", "--claim", "0.9,1e-9")
    assert exit_code("audit", "ledger.json", *claims, "--certificates", "made") == 1
    assert "no certificate" not in capsys.readouterr().out
    made = sorted(path.name for path in Path("made").iterdir())
    assert len(made) == 2
    for name in made:
        assert exit_code("verify", f"made/{name}", "--ledger", "ledger.json") == 0
        assert "ok     the kernel" in capsys.readouterr().out
    document = json.loads(Path(f"made/{made[0]}").read_text())
    document["claim"]["epsilon"] = "0.99"
    Path("forged.json").write_text(json.dumps(document))
    assert exit_code("verify", "forged.json") == 1
    assert "FAILED the kernel" in capsys.readouterr().out
    Path("ranges.json").write_text(json.dumps(GOOD["ranges on the way"][0]))
    exit_code("audit", "ranges.json", "--claim", "0.9,1e-6", "--certificates", "none")
    assert "kernel     no certificate: " in capsys.readouterr().out
    exit_code("audit", "ranges.json", "--claim", "0.9,1e-6")
    assert "kernel " not in capsys.readouterr().out


def test_that_periods_follow_one_another_is_a_premise() -> None:
    document = issue(records(pure("1"), period="day"), {"epsilon": "2", "delta": "0", "periods": 2}, "confirmed")
    assert any("none of one day's events runs while one of another" in each for each in kernel.check(document).premises)
