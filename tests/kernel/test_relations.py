"""Relations between published numbers: certificates of every verdict pass, one thing altered does not."""

from __future__ import annotations

import copy
import hashlib
import json
from fractions import Fraction
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from privref import kernel
from privref.exact.errors import InputError
from privref.kernel import Refused
from privref.kernel.balls import working
from privref.kernel.numbers import Malformed
from privref.kernel.relations import STATEMENTS, _number, _position, _quoted, _relation, _stands
from privref.registry import formulas
from privref.registry.checks import answers_of
from privref.registry.entries import RegistryEntry
from privref.registry.gallery import relation_certificate
from privref.registry.mapping import mapping_from
from privref.verification import verify

STATED = {
    "total": {"key": "a.total", "number": "0.30"},
    "part": {"key": "a.text", "words": "each of two costs 0.15.", "number": "0.15"},
    "rho": {"key": "a.text", "words": "rho is 0.33", "number": "0.33"},
    "epsilon": {"key": "a.text", "words": "epsilon is 3.72", "number": "3.72"},
    "delta": {"key": "a.text", "words": "delta 10^{-5}", "number": "1e-5", "written": "10^{-5}"},
}
TEXT = "Once, each of two\n costs 0.15. Then rho is 0.33, epsilon is 3.72 at delta 10^{-5}."
ENTRY = RegistryEntry(
    "made_up.yaml", "made-up-2020", "Made up", {"url_slug": "made-up-2020", "a.total": "0.30", "a.text": TEXT}
)
TIGHT = {"statement": "cks2020/zcdp2dp.eps", "inputs": {"rho": {"rounded": "rho"}, "delta": {"stated": "delta"}}}
RUNS = {"runs": {"from": "1", "to": "9", "is": "the number of runs", "whole": True}}
MADE: dict[str, tuple[dict[str, Any], str]] = {
    "sum": ({"left": {"sum": [{"stated": "part"}] * 2}, "is": "equal", "right": {"stated": "total"}}, "confirmed"),
    "different": ({"left": {"stated": "part"}, "is": "equal", "right": {"stated": "total"}}, "statements-differ"),
    "amplified": (
        {
            "left": {"log": {"sum": ["1", {"product": ["1/5", {"difference": [{"exp": {"stated": "part"}}, "1"]}]}]}},
            "is": "at-most", "right": {"stated": "part"},
        },
        "confirmed",
    ),
    "cut": ({"left": {"sqrt": "0.0923"}, "is": "at-most", "right": {"stated": "total"}}, "nearest-below"),
    "above": ({"left": {"exp": {"stated": "part"}}, "is": "at-most", "right": {"stated": "total"}}, "unsupported"),
    "digits": ({"left": TIGHT, "is": "at-most", "right": {"stated": "epsilon"}}, "depends-on-digits"),
    "runs": (
        {"left": {"product": [{"stated": "part"}, {"not_in_entry": "runs"}]}, "is": "at-most",
         "right": {"stated": "total"}},
        "depends-on-missing",
    ),
    "all runs": (
        {"left": {"quotient": [{"stated": "part"}, {"not_in_entry": "runs"}]}, "is": "at-most",
         "right": {"stated": "total"}},
        "confirmed",
    ),
    "no runs": (
        {"left": {"product": ["3", {"stated": "part"}, {"not_in_entry": "runs"}]}, "is": "at-most",
         "right": {"stated": "total"}},
        "unsupported",
    ),
}  # fmt: skip


def mapping(relation: dict[str, Any]) -> dict[str, Any]:
    """A mapping with the relation as its one question."""
    check = {"id": "r", "asks": "?", "relation": relation, "by": "arithmetic"}
    if "not_in_entry" in json.dumps(relation):
        check["not_in_entry"] = RUNS
    return {
        "schema": "registry-mapping.1", "name": "made-up", "entry": "made-up-2020", "file": "made_up.yaml",
        "title": "Made up", "status": "Draft", "tier": "1",
        "reviewed": "no registry", "stated": STATED, "checks": [check], "missing": [],
    }  # fmt: skip


def made_of(document: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a mapping's one question."""
    read = mapping_from(document)
    (answer,) = answers_of(read, read.questions[0], None)
    made = relation_certificate(read, answer)
    assert made is not None
    return made


def certified(relation: dict[str, Any]) -> dict[str, Any]:
    return made_of(mapping(relation))


def resealed(document: dict[str, Any]) -> dict[str, Any]:
    """With the digest that the altered relation has, so that it is not the digest that gives it away."""
    document["sha256"] = hashlib.sha256(rfc8785.dumps(document["relation"])).hexdigest()
    return document


@pytest.fixture(scope="module")
def made() -> dict[str, dict[str, Any]]:
    return {name: certified(relation) for name, (relation, _) in MADE.items()}


@pytest.mark.parametrize("name", MADE)
def test_every_verdict_is_re_derived(name: str, made: dict[str, dict[str, Any]]) -> None:
    assert made[name]["verdict"] == MADE[name][1]
    result = verify(made[name], texts=ENTRY.texts, reviewed=made[name]["relation"])
    assert result.outcome == "verified", result
    assert any(check.what == "the entry says what is quoted" for check in result.checks)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("sum", "verdict", "unsupported"),
        ("sum", "relation.numbers.stated:part.number", "0.16"),
        ("sum", "relation.numbers.stated:part.words", "each of two costs 0.155."),
        ("sum", "relation.numbers.stated:part.words", "each of two costs 10.15."),
        ("sum", "relation.numbers.stated:total.key", "a.other"),
        ("sum", "relation.is", "at-most"),
        ("sum", "relation.right", {"number": "stated:nobody"}),
        ("sum", "sides.0.left.upper", "0.2999"),
        ("sum", "sides.0.left.upper", "0.3001"),
        ("sum", "sides.0.left_is", "below"),
        ("sum", "sides.0.at", "1"),
        ("sum", "digits", 10),
        ("sum", "engines", ["arb"]),
        ("sum", "threshold", {"lower": "1", "upper": "2", "holds": "below"}),
        ("different", "verdict", "confirmed"),
        ("amplified", "relation.left.log.sum.0", "2"),
        ("amplified", "sides.0.left.lower", "0.04"),
        ("cut", "verdict", "unsupported"),
        ("cut", "relation.left.sqrt", "0.0962"),
        ("above", "verdict", "nearest-below"),
        ("digits", "verdict", "confirmed"),
        ("digits", "verdict", "depends-on-missing"),
        ("runs", "verdict", "depends-on-digits"),
        ("digits", "relation.numbers.rounded:rho.to", "0.34"),
        ("digits", "relation.numbers.stated:delta.written", "10^{-6}"),
        ("digits", "relation.left.statement", "rogers2016/thm2.9.eps"),
        ("digits", "threshold.holds", "above"),
        ("digits", "threshold.lower", "0.334"),
        ("digits", "sides.1.at", "0.4"),
        ("runs", "threshold.upper", "1"),
        ("runs", "threshold.lower", "3/2"),
        ("runs", "relation.left.product", [{"number": "stated:part"}, {"number": "not_in_entry:runs"}, "-1"]),
        ("runs", "relation.left.product.1", "2"),
        ("all runs", "threshold", {"lower": "1", "upper": "2", "holds": "below"}),
        ("no runs", "verdict", "nearest-below"),
    ],
)  # fmt: skip
def test_one_thing_altered_fails(name: str, path: str, value: Any, made: dict[str, dict[str, Any]]) -> None:
    document = copy.deepcopy(made[name])
    *way, last = path.split(".") if not path.startswith("relation.numbers") else path.split(".", 3)
    inner: Any = document
    for step in way:
        inner = inner[int(step)] if isinstance(inner, list) else inner[step]
    if isinstance(inner, list):
        inner[int(last)] = value
    else:
        inner[last] = value
    if path.startswith("relation"):
        assert verify(document, texts=ENTRY.texts).outcome == "failed"
        if path != "relation.is":  # what is equal is at most, too: only the digest knows
            assert verify(resealed(document), texts=ENTRY.texts).outcome == "failed"
    else:
        assert verify(document, texts=ENTRY.texts).outcome == "failed"


def test_a_statement_between_the_ends_is_not_believed_where_the_sides_may_turn() -> None:
    """x (4 - x) <= 3.5 holds at 1 and at 3 and not at 2: a certificate of two ends proves nothing between."""
    document = certified(MADE["all runs"][0])
    numbers = {"not_in_entry:x": {"is": "a number", "from": "1", "to": "3", "whole": False}}
    x = {"number": "not_in_entry:x"}
    document["relation"] = {
        "numbers": numbers, "left": {"product": [x, {"difference": ["4", x]}]}, "is": "at-most", "right": "3.5",
    }  # fmt: skip
    side = {"left": {"lower": "3", "upper": "3"}, "right": {"lower": "3.5", "upper": "3.5"}, "left_is": "below"}
    document["sides"] = [{"at": "1", **side}, {"at": "3", **side}]
    (failed,) = (check for check in verify(resealed(document)).checks if not check.passed)
    assert "one way" in failed.detail


def test_what_a_relation_certificate_has_is_all_needed(made: dict[str, dict[str, Any]]) -> None:
    honest = made["sum"]
    assert kernel.relate(honest).says.startswith("confirmed")
    (side,) = honest["sides"]
    value = Fraction(side["left"]["lower"])
    wide = [
        [{**side, "left": {"lower": str(value - away), "upper": str(value + away)}}]
        for away in (Fraction(1, 100), Fraction(1, 10**17))
    ]
    without = [
        {key: honest[key] for key in honest if key != left} for left in ("entry", "question", "verdict", "sha256")
    ]
    numbers = [[], {"part": {"number": "0.15"}}, {"pa\nrt": {"number": "0.15", "source": "x"}}]
    for document in (
        *without, *({**honest, "sides": sides} for sides in (*wide, [side, side], [], side)),
        *({**honest, "relation": {**honest["relation"], "numbers": each}} for each in numbers),
    ):  # fmt: skip
        with pytest.raises((Refused, Malformed)):
            kernel.relate(document)


def test_malformed_certificates_are_refused_in_one_line(made: dict[str, dict[str, Any]]) -> None:
    deep: Any = "1"
    for _ in range(2000):
        deep = {"exp": deep}
    for left in (deep, {"sum": ["1"] * 5000}, {"sum": []}, {"power": ["1", "2"]}, {"sum": [0.5]}):
        document = copy.deepcopy(made["sum"])
        document["relation"]["left"] = left
        with pytest.raises(InputError) as refused:
            verify(document)
        assert "\n" not in str(refused.value)
    with pytest.raises(InputError, match="ledger"):
        verify(made["sum"], "ledger.json")
    with pytest.raises(InputError, match="relation"):
        verify({"schema": "certificate.1"}, texts={})


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("scale = 1", "noise scale = 10"),
        ("scale = 1", "noise scale = 1.5"),
        ("scale = 1", "noise scale = 1,500"),
        ("scale = 1", "noise scale = 1/2"),
        ("scale = 1", "noise scale = 1e-5"),
        ("scale = 1", "noise scale = 1 \\times 10^{-5}"),
        ("scale = 10", "noise scale = 10^{-5}"),
        ("scale = 10", "noise scale = 10−5"),
        ("5", "10^{-5}"),
        ("5", "1e-5"),
        ("5", "1e5"),
        ("5", "0.5"),
        ("5", ".5"),
        ("5", "1,5"),
        ("5", "1/5"),
        ("5 rounds", "35 rounds"),
        ("k = 65", "k = 65,546"),
        ("k = 65", "k = 65 546"),
        ("k = 65 546", "k = 65 546 100"),
        ("k = 65", "k = 65\u202f546"),
        ("k = 65", "k = 65'546"),
        ("546 users", "65 546 users"),
        ("546 users", "1 065\xa0546 users"),
        ("scale=1", "scale = 1"),
        ("run is 5", "prune; overrun is 5"),
    ],
)
def test_what_is_cut_out_of_a_longer_number_is_not_quoted(words: str, text: str) -> None:
    assert _stands(words, f"So: {words}, and {text}.")
    assert not _stands(words, f"So: {text}.")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("65", "k = 65,546"), ("546", "k = 65,546"), ("1", "1e-10"), ("10", "1e-10"), ("1", "1/2"), ("2", "1/2"),
        ("10", "10^{-7}"), ("7", "10^{-7}"), ("4.08", "4.08 \\times 10^{-8}"),
    ],
)  # fmt: skip
def test_the_words_write_the_whole_number(number: str, words: str) -> None:
    with pytest.raises(Refused, match="do not write"):
        _quoted("x", _number("x", {"key": "a", "number": number, "words": words}), None)


def test_a_year_before_a_number_is_no_group_of_it() -> None:
    given = _number("x", {"key": "a", "number": "546", "words": "546 users"})
    _quoted("x", given, {"a": "in 2020 546 users"})
    _quoted("x", given, {"a": "of 5, 546\n users"})
    with pytest.raises(Refused, match="not found"):
        _quoted("x", given, {"a": "of 5 546 users"})


def test_a_question_that_no_reviewed_mapping_asks_fails(made: dict[str, dict[str, Any]]) -> None:
    found = verify(made["sum"], texts=ENTRY.texts, reviewed={})
    assert found.outcome == "failed"
    assert "no such question" in "".join(check.detail for check in found.checks)


def test_without_the_entry_it_is_unlinked(made: dict[str, dict[str, Any]]) -> None:
    found = verify(made["sum"])
    assert (found.outcome, found.exit_code) == ("unlinked", 4)
    assert "--entry" in found.missing
    document = copy.deepcopy(made["sum"])
    document["entry"] = "another"
    (failed,) = (check for check in verify(document, texts=ENTRY.texts).checks if not check.passed)
    assert "the entry is made-up-2020" in failed.detail


def test_a_fact_in_the_place_of_a_quotation_is_told_and_found(made: dict[str, dict[str, Any]]) -> None:
    document = copy.deepcopy(made["sum"])
    document["relation"]["numbers"]["stated:total"] = {"source": "made up", "number": "0.3"}
    document["commentary"]["inferred"] = ["all is well"]
    found = verify(resealed(document), texts=ENTRY.texts)
    assert found.unchecked == (
        "stated:total = 0.3, of made up",
        "that the formulas answer the question r",
        "inferred: all is well",
    )
    reviewed = made["sum"]["relation"]
    assert not verify(made["sum"], texts=ENTRY.texts, reviewed=reviewed).unchecked
    assert verify(made["sum"], texts=ENTRY.texts, reviewed=reviewed).outcome == "verified"
    assert verify(document, texts=ENTRY.texts, reviewed=reviewed).outcome == "failed"
    document = copy.deepcopy(made["sum"])
    document["relation"]["left"] = "0.3"
    assert verify(resealed(document), texts=ENTRY.texts).outcome == "unlinked"
    assert verify(document, texts=ENTRY.texts, reviewed=reviewed).outcome == "failed"


def test_of_an_entry_without_a_reviewed_mapping_nothing_is_verified(made: dict[str, dict[str, Any]]) -> None:
    """All numbers hold, and nobody has looked at whether the formulas answer the question."""
    found = verify(made["sum"], texts=ENTRY.texts)
    assert all(check.passed for check in found.checks)
    assert (found.outcome, found.exit_code) == ("unlinked", 4)
    assert "no mapping of this entry is reviewed" in found.missing


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ({"statement": "gdp/profile.eps", "inputs": {"mu": "1e9", "delta": "0"}}, "gives no number"),
        (
            {"statement": "gdp/profile.eps", "inputs": {"mu": {"product": ["9" * 900] * 9}, "delta": "1e-5"}},
            "gives no number",
        ),
        ({"sum": [{"quotient": ["1", {"product": ["7" * 900, str(n)]}]} for n in range(1, 99)]}, None),
        ({"product": [{"product": ["7" * 999] * 40}] * 10}, "16000 bits"),
    ],
)
def test_large_numbers_end_and_do_not_crash(left: Any, said: str | None, made: dict[str, dict[str, Any]]) -> None:
    document = copy.deepcopy(made["sum"])
    document["relation"]["left"] = left
    failed = [check for check in verify(resealed(document)).checks if not check.passed]
    assert len(failed) == 1
    assert said is None or said in failed[0].detail


NUMBERS = st.fractions(min_value=Fraction(1, 4), max_value=4, max_denominator=20)
LEAVES = st.one_of(NUMBERS.map(str), st.just({"number": "stated:x"}))
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"sum": parts}),
        st.lists(inner, min_size=1, max_size=2).map(lambda parts: {"product": parts}),
        st.tuples(inner, NUMBERS.map(str)).map(lambda parts: {"quotient": list(parts)}),
        inner.map(lambda part: {"sqrt": part}),
        inner.map(lambda part: {"log": {"sum": ["1", part]}}),
        NUMBERS.map(lambda number: {"exp": {"difference": ["0", str(number)]}}),
    ),
    max_leaves=5,
)


@given(FORMULAS, FORMULAS, NUMBERS)
def test_it_decides_like_the_registry_s_own_code(left: Any, right: Any, x: Fraction) -> None:
    """Two evaluations that share no line: the same side is above, and the enclosures meet."""
    numbers = {"stated:x": {"key": "a", "number": str(x)}}
    relation = _relation({"numbers": numbers, "left": left, "is": "at-most", "right": right})
    if left == right:
        return
    exact = {"stated:x": x}
    with working(640):
        spans = [relation._at(formula, None) for formula in (relation.left, relation.right)]
    for formula, span in zip((left, right), spans, strict=True):
        found = formulas.enclose(formula, exact)
        assert span.low <= found.upper
        assert found.lower <= span.high
        assert span.high - span.low <= abs(span.high) / 10**12
    assert formulas.exceeds(left, right, exact) == (_position(*spans) == "above")


@pytest.mark.parametrize("id", STATEMENTS)
@pytest.mark.parametrize("size", ["1e-6", "1/100", "1.7", "60", "4000"])
@pytest.mark.parametrize("delta", ["1e-300", "1e-5", "1/2", "0.999"])
def test_its_statements_are_the_registered_ones(id: str, size: str, delta: str) -> None:
    rising, falling, value = STATEMENTS[id]
    found = formulas.enclose({"statement": id, "inputs": {rising: size, falling: delta}}, {})
    with working(640):
        span = value(Fraction(size), Fraction(delta))
    assert found.lower <= span.low <= span.high <= found.upper or span.low <= found.lower <= found.upper <= span.high
    assert span.high - span.low <= span.high / 10**40


def changed(document: dict[str, Any], **numbers: Any) -> dict[str, Any]:
    return resealed({**document, "relation": {**document["relation"], "numbers": numbers}})


def test_no_field_of_a_number_is_left_aside(made: dict[str, dict[str, Any]]) -> None:
    """A number of another source with two ends would be taken for exact; one without a name for any formula's."""
    part, total = (made["sum"]["relation"]["numbers"][f"stated:{name}"] for name in ("part", "total"))
    fact = {"source": "made up", "number": "0.3", "from": "0.1", "to": "0.5"}
    for wrong in (fact, {**total, "is": "a total"}, {**total, "whole": True}, {**total, "words": "0.30 " * 300}):
        with pytest.raises(InputError):
            verify(changed(made["sum"], **{"stated:part": part, "stated:total": wrong}))
    for verdict, outcome in (("unsupported", "unlinked"), ("nearest-below", "failed")):
        document = copy.deepcopy(made["cut"]) | {"verdict": verdict}
        document["relation"]["right"] = {"sum": ["0.30"]}
        document["relation"]["numbers"] = {"": made["cut"]["relation"]["numbers"]["stated:total"]}
        assert verify(resealed(document)).outcome == outcome


def test_half_a_unit_above_is_the_nearest_and_no_more() -> None:
    """0.305 is half a unit above 0.30; what is a little more is none that was cut."""
    for left, verdict in (("0.305", "nearest-below"), ("0.3050000001", "unsupported"), ("0.30", "confirmed")):
        document = certified({"left": left, "is": "at-most", "right": {"stated": "total"}})
        assert verify({**document, "verdict": verdict}).outcome == "unlinked"
        other = "unsupported" if verdict == "nearest-below" else "nearest-below"
        assert verify({**document, "verdict": other}).outcome == "failed"


def test_a_range_of_one_point_and_two_unknown_numbers_are_refused(made: dict[str, dict[str, Any]]) -> None:
    unknown = {"is": "a number", "from": "1", "to": "9", "whole": False}
    part = made["runs"]["relation"]["numbers"]["stated:part"]
    total = made["runs"]["relation"]["numbers"]["stated:total"]
    both = {"stated:part": part, "stated:total": total}
    name = "not_in_entry:runs"
    assert verify(changed(made["runs"], **both, **{name: {**unknown, "whole": True}})).outcome == "unlinked"
    for wrong in ({**unknown, "to": "1"}, {**unknown, "from": "9", "to": "1"}):
        assert verify(changed(made["runs"], **both, **{name: wrong})).outcome == "failed"
    assert verify(changed(made["runs"], **both, **{name: unknown, "b": unknown})).outcome == "failed"
    halves = {**unknown, "from": "1/2", "whole": True}
    assert verify(changed(made["runs"], **both, **{name: halves})).outcome == "failed"


def test_a_fraction_has_no_last_digit_that_a_side_could_be_rounded_to(made: dict[str, dict[str, Any]]) -> None:
    document = copy.deepcopy(made["above"])
    document["relation"]["numbers"]["stated:total"]["number"] = "1/3"
    document["sides"][0]["right"] = {"lower": "1/3", "upper": "1/3"}
    assert kernel.relate(resealed(document)).says.startswith("unsupported")
