"""Answers: each verdict where it belongs, quotations looked up, and nothing refuted by an inference."""

from __future__ import annotations

import copy
import json
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from privref.audit.claims import claims_from_document
from privref.audit.run import audit
from privref.exact.errors import InputError
from privref.ledger.reading import ledger_from_document
from privref.registry.checks import (
    EntryAudit,
    GalleryAnswer,
    audit_entry,
    audit_mapping,
    quotations,
    registry_exit_code,
    rests_on,
)
from privref.registry.entries import RegistryEntry, read_entries
from privref.registry.mapping import mapping_from, mapping_named, mappings, read_number

FOLDER = Path(__file__).parents[1] / "data" / "registry"

DOCUMENT: dict[str, Any] = {
    "schema": "registry-mapping.1",
    "name": "made-up",
    "entry": "made-up-2020",
    "file": "made_up.yaml",
    "title": "Made up",
    "status": "Draft",
    "tier": "1",
    "reviewed": "no registry",
    "stated": {
        "total": {"key": "a.total", "number": "0.30"},
        "part": {"key": "a.text", "words": "each of two costs 0.15.", "number": "0.15"},
        "rho": {"key": "a.text", "words": "rho is 0.33", "number": "0.33"},
        "epsilon": {"key": "a.text", "words": "epsilon is 3.8", "number": "3.8"},
        "delta": {"key": "a.text", "words": "delta 1e-5", "number": "1e-5"},
    },
    "checks": [],
    "missing": ["nothing"],
}
ENTRY = RegistryEntry(
    "made_up.yaml",
    "made-up-2020",
    "Made up",
    {
        "status": "Pending",
        "tier": "2",
        "a.total": "0.30",
        "a.text": "Once, each of two costs 0.15. Then rho is 0.33, epsilon is 3.8 at delta 1e-5.",
    },
)
LEDGER: dict[str, Any] = {
    "title": "t", "privacy_unit": "person", "neighbours": "replace-one", "parameters": "fixed-in-advance",
    "interaction": "sequential",
    "events": [{"guarantee": {"kind": "pure-dp", "epsilon": {"stated": "part"}}, "count": 2}],
}  # fmt: skip


def answered(*checks: dict[str, Any], entry: RegistryEntry | None = None, **changes: Any) -> tuple[GalleryAnswer, ...]:
    document = copy.deepcopy(DOCUMENT) | {"checks": list(checks)} | changes
    return audit_mapping(mapping_from(document), entry).answers


def relation(left: Any, sign: str, right: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": "r", "asks": "?", "relation": {"left": left, "is": sign, "right": right}, "by": "arithmetic", **more,
    }  # fmt: skip


TWICE = {"product": ["2", {"stated": "part"}]}


@pytest.mark.parametrize(
    ("check", "verdict", "words"),
    [
        (relation(TWICE, "equal", {"stated": "total"}), "confirmed", "0.3"),
        (relation(TWICE, "equal", "0.3000001"), "statements-differ", "0.3 against 0.3000001"),
        (relation({"sum": [TWICE, "0.005"]}, "at-most", {"stated": "total"}), "nearest-below", "written 0.31"),
        (relation({"sum": [TWICE, "0.009"]}, "at-most", {"stated": "total"}), "unsupported", "above the stated 0.3"),
        (relation({"sum": [TWICE, "0.01"]}, "at-most", {"stated": "total"}), "unsupported", "above the stated 0.3"),
        (relation({"sum": [TWICE, "0.009"]}, "at-most", "0.3"), "unsupported", "above the stated 0.3"),
        (relation({"log": "2"}, "at-most", {"stated": "total"}), "unsupported", "0.693147"),
        (relation({"sqrt": "0.09"}, "at-most", {"stated": "total"}), "undecided", "precision cap"),
        (relation({"product": ["2", {"rounded": "part"}]}, "at-most", {"stated": "total"}), "depends-on-digits", "0.1"),
        (relation({"product": ["1.9", {"rounded": "part"}]}, "at-most", {"stated": "total"}), "confirmed", "both ends"),
        (relation({"product": ["3", {"rounded": "part"}]}, "at-most", {"stated": "total"}), "unsupported", "neither"),
        (
            relation(
                {"product": ["0.1", {"not_in_entry": "k"}]}, "at-most", {"stated": "total"},
                not_in_entry={"k": {"from": "1", "to": "9", "is": "how many", "whole": True}},
            ),
            "depends-on-missing",
            "it holds for 3 and less",
        ),
        (
            relation(
                {"quotient": ["9", {"not_in_entry": "k"}]}, "at-most", {"stated": "total"},
                not_in_entry={"k": {"from": "1", "to": "900", "is": "how many", "whole": True}},
            ),
            "depends-on-missing",
            "it holds from 30 on",
        ),
    ],
)  # fmt: skip
def test_a_relation_gets_the_verdict_that_it_deserves(check: dict[str, Any], verdict: str, words: str) -> None:
    (answer,) = answered(check)
    assert (answer.verdict, words in answer.reason) == (verdict, True), answer.reason


def test_the_sides_must_move_one_way_with_an_unknown() -> None:
    mixed = {"difference": [{"not_in_entry": "k"}, {"sqrt": {"not_in_entry": "k"}}]}
    unpublished = {"k": {"from": "1", "to": "9", "is": "k"}}
    with pytest.raises(InputError, match="move one way"):
        answered(relation(mixed, "at-most", "1", not_in_entry=unpublished))
    two = relation({"sum": [{"rounded": "part"}, {"rounded": "total"}]}, "at-most", "1")
    with pytest.raises(InputError, match="one number"):
        answered(two)


def check(claims: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    return {"id": "audit", "asks": "?", "ledger": LEDGER | changes, "claims": claims}


def test_an_audit_is_that_of_the_ledger_as_anybody_would_write_it() -> None:
    claims = [{"id": "total", "epsilon": {"stated": "total"}, "delta": "0"}]
    (answer,) = answered(check(claims), entry=ENTRY)
    assert (answer.verdict, answer.command) == ("confirmed", "privref audit --example made-up")
    events = [{"guarantee": {"kind": "pure-dp", "epsilon": "0.15"}, "count": 2}]
    plain = ledger_from_document({"schema": "ledger.1"} | LEDGER | {"events": events})
    claimed = claims_from_document({"schema": "claims.1", "claims": [claims[0] | {"epsilon": "0.30"}]})
    assert answer.audit is not None
    assert answer.audit.opinions == audit(plain, claimed).opinions
    assert answer.audit.ledger.digest == plain.digest
    sentences = {quotation.key: quotation.sentence for quotation in answer.quotations}
    assert sentences == {"a.text": "Once, each of two costs 0.15.", "a.total": "0.30"}


def test_nothing_is_refuted_where_something_was_inferred() -> None:
    """The same ledger and claim: refuted as published, underivable once a part is an inference."""
    below = [{"id": "low", "epsilon": "0.1", "delta": "0"}]
    response = [{"guarantee": {"kind": "pure-dp", "epsilon": {"stated": "part"}}, "count": 2}]
    (published,) = answered(check(below, events=response))
    inferred = [response[0] | {"count": {"value": 2, "inferred": "there are two"}}]
    (guessed,) = answered(check(below, events=inferred))
    assert published.audit is not None
    assert guessed.audit is not None
    assert published.audit.opinions == guessed.audit.opinions
    assert published.verdict == published.audit.opinions[0].verdict
    assert guessed.verdict == "underivable"
    assert guessed.inferences == ("there are two",)


def test_a_claim_that_is_the_nearest_printed_digit_below_a_bound_is_called_so() -> None:
    events = [{"guarantee": {"kind": "zcdp", "rho": {"stated": "rho"}}, "count": 65}]
    stated = DOCUMENT["stated"] | {"epsilon": {"key": "a.text", "words": "epsilon is 70.6", "number": "70.6"}}
    claims = [{"id": "p", "epsilon": {"stated": "epsilon"}, "delta": {"stated": "delta"}}]
    (high,) = answered(check(claims, events=events), stated=stated)
    assert high.audit is not None
    bound = high.audit.opinions[0].bounds[0].enclosure
    assert bound is not None
    for places in range(1, 6):
        below = bound.lower * 10**places // 1
        digits = f"{below // 10**places}.{below % 10**places:0{places}}"
        nearest = bound.upper <= Fraction(digits) + Fraction(1, 2 * 10**places)
        stated["epsilon"] = {"key": "a.text", "words": f"epsilon is {digits}", "number": digits}
        (answer,) = answered(check(claims, events=events), stated=stated)
        assert answer.verdict == ("nearest-below" if nearest else "unsupported")
        above = Fraction(below + 1, 10**places)
        assert not nearest or f"written {above.numerator / above.denominator:.{places}f}" in answer.reason


def test_what_holds_by_an_inference_of_ours_is_not_confirmed() -> None:
    """The same numbers: confirmed, conditional by an inference, circular where one was chosen to fit."""
    sums = (TWICE, "equal", {"stated": "total"})
    assert answered(relation(*sums))[0].verdict == "confirmed"
    assert answered(relation(*sums, inferences=["there are two"]))[0].verdict == "conditional"
    (chosen,) = answered(relation(*sums, circular="2 was chosen as 0.30/0.15"))
    assert (chosen.verdict, "2 was chosen" in chosen.reason) == ("circular", True)
    assert chosen.relation is not None
    assert chosen.relation.verdict == "confirmed"
    # A factor that was chosen to fit the printed digits says nothing about those digits.
    (digits,) = answered(relation({"sum": [TWICE, "0.001"]}, "at-most", {"stated": "total"}, circular="2 was chosen"))
    assert (digits.verdict, "2 was chosen" in digits.reason) == ("circular", True)
    assert digits.relation is not None
    assert digits.relation.verdict == "nearest-below"
    for other in (("1", "equal"), ("1", "at-most")):
        with pytest.raises(InputError, match="only what fits can be circular"):
            answered(relation(*other, {"stated": "total"}, circular="nothing fits"))
    claims = [{"id": "total", "epsilon": {"stated": "total"}, "delta": "0"}]
    assert answered(check(claims))[0].verdict == "confirmed"
    assert answered(check(claims) | {"inferences": ["one person"]})[0].verdict == "conditional"


def test_a_round_value_corroborates_only_where_the_relation_begins_to_hold_at_it() -> None:
    over = relation(
        {"quotient": ["9", {"not_in_entry": "k"}]}, "at-most", {"stated": "total"},
        not_in_entry={"k": {"from": "1", "to": "900", "is": "how many", "whole": True}},
    )  # fmt: skip
    assert answered(over | {"corroborated_by": "30"})[0].verdict == "corroborated"
    for value in ("29", "3", "100"):
        with pytest.raises(InputError, match="does not begin to hold"):
            answered(over | {"corroborated_by": value})


def test_what_the_noise_settles_is_not_the_headline() -> None:
    below = relation({"sum": [TWICE, "0.005"]}, "at-most", {"stated": "total"}, settled_by="noise")
    noise = relation(TWICE, "at-most", {"stated": "total"}) | {"id": "noise"}
    document = copy.deepcopy(DOCUMENT) | {"checks": [below, noise]}
    audited = audit_mapping(mapping_from(document))
    assert audited.verdicts == ("confirmed",)
    assert [audited.settled(answer) for answer in audited.answers] == [True, False]
    assert registry_exit_code([audited]) == 0
    document["checks"][1]["relation"]["right"] = "0.1"
    assert audit_mapping(mapping_from(document)).verdicts == ("unsupported", "nearest-below")
    document["checks"][0]["settled_by"] = "r"
    with pytest.raises(InputError, match="name another check"):
        mapping_from(document)


@pytest.mark.parametrize(
    "texts",
    [
        {"a.total": "0.31"},
        {"a.total": "0.3"},
        {"a.text": "Once, each of two costs 0.151. Then rho is 0.33"},
        {"a.text": "Once, each of three costs 0.15."},
    ],
)
def test_a_quotation_that_is_gone_makes_the_answer_stale(texts: dict[str, str]) -> None:
    changed = replace(ENTRY, texts={**ENTRY.texts, **texts})
    question = relation(TWICE, "equal", {"stated": "total"})
    assert answered(question, entry=ENTRY)[0].verdict == "confirmed"
    (answer,) = answered(question, entry=changed)
    assert answer.verdict == "stale"
    assert next(iter(texts)) in answer.reason


def test_an_entry_without_a_mapping_concludes_nothing() -> None:
    audited = audit_entry(replace(ENTRY, slug="never-seen"))
    assert (audited.verdicts, audited.answers) == (("not-reviewed",), ())
    assert (audited.status, audited.tier) == ("Pending", "2")


def test_status_and_tier_are_those_of_the_entry_at_hand() -> None:
    document = copy.deepcopy(DOCUMENT)
    reviewed, at_hand = audit_mapping(mapping_from(document)), audit_mapping(mapping_from(document), ENTRY)
    assert (reviewed.status, reviewed.tier) == ("Draft", "1")
    assert (at_hand.status, at_hand.tier) == ("Pending", "2")


@pytest.mark.parametrize(
    ("written", "number"),
    [("10^{-10}", "1e-10"), ("10−10", "1e-10"), (r"4.08 \times 10^{-8}", "4.08e-8"), ("5.8 × 10−6", "5.8e-6"),
     ("65,546", "65546"), ("0.81", "0.81")],
)  # fmt: skip
def test_numbers_are_read_as_registries_write_them(written: str, number: str) -> None:
    assert read_number(written) == number


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"key": "a", "words": "it is 0.15", "number": "0.16"}, "do not write"),
        ({"key": "a", "words": "it is 0.155", "number": "0.15"}, "do not write"),
        ({"key": "a", "words": "it is 10.15", "number": "0.15"}, "do not write"),
        ({"key": "a", "words": "it is 10^{-3}", "number": "1e-4", "written": "10^{-3}"}, "this is not"),
        ({"key": "a"}, "quote words"),
        ({"key": "a", "words": "no", "number": "about 3"}, "rejects"),
    ],
)
def test_a_number_that_the_words_do_not_write_is_refused(stated: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        answered(stated=DOCUMENT["stated"] | {"wrong": stated})


@pytest.mark.parametrize(
    "check_",
    [
        relation({"stated": "nobody"}, "equal", "1"),
        relation({"fact": "nobody"}, "equal", "1"),
        relation({"not_in_entry": "nobody"}, "at-most", "1"),
        relation("1", "equal", "1", rests_on=["nobody"]),
        check([{"id": "x", "epsilon": {"stated": "nobody"}, "delta": "0"}]),
    ],
)
def test_a_reference_to_nothing_is_refused(check_: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="nobody"):
        answered(check_)


def test_a_mapping_without_checks_says_what_is_missing() -> None:
    with pytest.raises(InputError, match="missing"):
        answered(missing=[])
    with pytest.raises(InputError, match="id of its own"):
        answered(relation("1", "equal", "1"), relation("1", "equal", "1"))


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [(("confirmed",), 0), (("confirmed", "nearest-below"), 1), (("stale",), 4), (("undecided",), 3),
     (("stale", "statements-differ"), 1), (("undecided", "conditional"), 4), (("confirmed", "circular"), 4),
     (("corroborated",), 4), (("depends-on-missing", "undecided"), 4)],
)  # fmt: skip
def test_the_exit_code_is_the_gravest(verdicts: tuple[Any, ...], code: int) -> None:
    (answer,) = answered(relation("1", "equal", "1"))
    mapping = mapping_from(DOCUMENT)
    answers = tuple(replace(answer, verdict=verdict) for verdict in verdicts)
    assert registry_exit_code([EntryAudit("f", "s", "t", "Draft", "1", mapping, answers)]) == code


def test_every_mapping_of_the_gallery_is_whole() -> None:
    """41 entries; every reference resolves; short names are unique; no long text of the registry is shipped."""
    found = mappings()
    assert len(found) == 41
    assert len({mapping.name for mapping in found.values()}) == 41
    for mapping in found.values():
        quoted = {item.id for item in mapping.stated.values() if item.words and len(item.words) > 120}
        assert not quoted, mapping.name
        assert mapping_named(mapping.name) is mapping
    with pytest.raises(InputError, match="spectus-hurricane"):
        mapping_named("nobody")


def everything_is_quoted(entry: RegistryEntry) -> int:
    """How many quotations the entry's questions rest on, each found where the mapping says."""
    mapping = mappings()[entry.slug]
    found = [
        quotation
        for question in mapping.questions
        for quotation in quotations(mapping, rests_on(mapping, question), entry)
    ]
    for quotation in found:
        assert quotation.sentence, (entry.file, quotation.key, quotation.words)
    return len(found)


def test_the_whole_snapshot_says_what_the_mappings_quote() -> None:
    """Every entry of the registry, with its status and tier."""
    pytest.importorskip("yaml", reason="PyYAML is the extra `registry`")
    entries = read_entries(os.environ.get("PRIVREF_REGISTRY") or FOLDER)
    assert {entry.slug for entry in entries} == set(mappings())
    assert sum(map(everything_is_quoted, entries)) > 100
    for entry in entries:
        mapping = mappings()[entry.slug]
        assert (mapping.file, mapping.status, mapping.tier) == (entry.file, entry.status, entry.tier)


def test_mappings_are_json_that_a_reviewer_can_read() -> None:
    from importlib.resources import files

    for path in files("privref").joinpath("registry", "mappings").iterdir():
        document = json.loads(path.read_text(encoding="utf-8"))
        assert path.name == f"{document['name']}.json"
