"""Names that are compared: one form, what does not show refused, alike names a question; a search over spellings."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref import kernel
from privref.audit.certificate import certificates
from privref.guarantees.model import PureDP
from privref.kernel import record as kernel_record
from privref.kernel.fields import MOST
from privref.ledger import documents, names

Document = dict[str, Any]
NFD = unicodedata.normalize("NFD", "Zürich")


def document(*parts: str, of: str = "city", **more: Any) -> Document:
    """A ledger in which each part is read by one event of epsilon 1/2."""
    events = [{"guarantee": {"kind": "pure-dp", "epsilon": "1/2"}, "part": {"of": of, "is": part}} for part in parts]
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "partitions": {"city": "the city of residence"},
        "events": events, **more,
    }  # fmt: skip


def verdict(given: Document, epsilon: str) -> privref.Opinion:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": epsilon, "delta": "0"}]}
    )
    audit = privref.audit(privref.ledger_from_document(given), claims)
    for made in certificates(audit).values():
        checked = privref.verify(made)
        assert checked.outcome == "verified", checked
    return audit.opinions[0]


@pytest.mark.parametrize("other", ["Zürich ", " Zürich", "Zürich\t", "\u00a0Zürich\u2003", NFD, f"{NFD} "])
def test_one_name_in_two_spellings_is_one_part(other: str) -> None:
    """Half of what a unit loses is not what it loses."""
    assert verdict(document("Zürich", other), "1/2").verdict == "underivable"
    opinion = verdict(document("Zürich", other), "1")
    assert opinion.verdict == "confirmed"
    assert "1 different part(s) are counted by their names: 'Zürich'" in " ".join(f.how for f in opinion.premises)


@pytest.mark.parametrize(
    "sign",
    ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u034f", "\ufe0f", "\u3164", "\u2800",
     "\x00", "\n", "\U000e0041", "\ue000", "\u0378", "\ud800"],
)  # fmt: skip
def test_what_does_not_show_is_refused(sign: str) -> None:
    for refusing in (document("Zürich", f"Zü{sign}rich"), document("a", of=f"ci{sign}ty")):
        with pytest.raises(privref.InputError, match=r"events\[[01]\].part\.(is|of)") as refused:
            privref.ledger_from_document(refusing)
        assert str(refused.value).isprintable()
    with pytest.raises((kernel.Refused, kernel.Malformed)):
        kernel_record.read(document("Zürich", f"Zü{sign}rich"), MOST)
    with pytest.raises(privref.InputError, match="can be seen"):
        privref.ledger_from_document(document(" \t"))


ALIKE = [
    ("Zürich", "ZÜRICH"),
    ("Zürich", "zürich"),
    ("Basel", "Bаsel"),  # Cyrillic a
    ("Basel", "ВASEL"),  # Cyrillic capital ve, and case
    ("Straße", "STRASSE"),
    ("Illinois", "lllinois"),
    ("India", "lNDIA"),
    ("0slo", "Oslo"),
    ("A1", "Al"),
    ("m²", "m2"),
    ("New York", "New\u00a0York"),
    ("New York", "New  York"),
    ("Ａ", "A"),
    ("Москва", "MOCKBA"),
    ("İzmir", "izmir"),
    ("ΑΒΓ", "αβγ"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_are_alike_are_a_question(one: str, other: str) -> None:
    """Which the ledger answers: by one spelling, or by the declaration that they are two."""
    for asked in (document(one, other), document(other, one)):
        with pytest.raises(privref.InputError, match=r"events\[1\].part.is.*looks like.*different_names") as refused:
            privref.ledger_from_document(asked)
        assert repr(asked["events"][0]["part"]["is"]) in str(refused.value)
        with pytest.raises((kernel.Refused, kernel.Malformed)):
            kernel_record.read(asked, MOST)
    assert verdict(document(one, one), "1").verdict == "confirmed"
    opinion = verdict(document(one, other, different_names=[[other, one]]), "1/2")
    assert opinion.verdict == "confirmed"
    said = " ".join(finding.how for finding in opinion.premises)
    assert "2 different part(s)" in said
    assert "look alike, and the ledger declares that they are two" in said


@pytest.mark.parametrize("other", ["Zürich ", NFD, "ZÜRICH", "Zü\u200brich", "Zür\u0456ch"])
def test_a_certificate_of_two_parts_is_none_of_two_spellings(other: str) -> None:
    """One forged about a ledger that names one part twice, right in all else: the kernel has a rule of its own."""
    honest, forged = document("Zürich", "Basel"), document("Zürich", other)
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1/2", "delta": "0"}]}
    )
    made = certificates(privref.audit(privref.ledger_from_document(honest), claims))["c"]
    assert privref.verify(made).outcome == "verified"
    made["ledger"] |= {"document": forged, "sha256": documents.digest(forged)}
    try:
        found = privref.verify(made).outcome
    except privref.InputError as error:
        found = str(error)
    assert found == "failed" or "part.is" in found


@pytest.mark.parametrize(
    ("one", "other"),
    [("IA", "LA"), ("Mali", "Mall"), ("Zürich", "Zurich"), ("рот", "рог"), ("van", "nan"), ("10", "16"), ("u", "y"),
     ("modern", "modem"), ("county 00001", "county 00007"), ("Évry", "Ivry")],
)  # fmt: skip
def test_names_that_look_different_are_two(one: str, other: str) -> None:
    assert verdict(document(one, other), "1/2").verdict == "confirmed"


def test_names_of_partitions_follow_the_rule() -> None:
    twice = document("a", partitions={"city": "the city", "city ": "the city"})
    with pytest.raises(privref.InputError, match="stands twice"):
        privref.ledger_from_document(twice)
    alike = document("a", partitions={"city": "the city", "City": "the city"})
    with pytest.raises(privref.InputError, match=r"ledger\.partitions\.City.*only by case"):
        privref.ledger_from_document(alike)
    assert verdict({**alike, "different_names": [["city", "City"]]}, "1/2").verdict == "confirmed"
    assert verdict(document("a", of=" city"), "1/2").verdict == "confirmed"


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([["Bern", "BERN"]], "no part"),
        ([["Genf", "Basel"]], "looks like it"),
        ([["Genf", "GENF", "Basel"]], "looks like it"),
        ([["Genf", "Genf "]], "twice"),
        ([["Genf", "Ge\u200bnf"]], "does not show"),
        ([["Genf"]], "different_names"),
    ],
)
def test_an_answer_to_nothing_is_refused(groups: list[list[str]], words: str) -> None:
    with pytest.raises(privref.InputError, match=words):
        privref.ledger_from_document(document("Genf", "Basel", different_names=groups))


def test_ledgers_that_are_combined_follow_the_rule() -> None:
    """What one ledger calls Zürich and another ZÜRICH is asked, and each of them answers: neither knows what the other
    means by a name."""
    first, second = document("Zürich"), document("ZÜRICH", partitions={"city ": "the city of residence"})
    second["events"][0]["part"]["of"] = "city "
    one, other = map(privref.ledger_from_document, (first, second))
    with pytest.raises(privref.InputError, match="looks like"):
        privref.combined([one, other], ["a", "b"], "same-parts")
    answer = {"different_names": [["Zürich", "ZÜRICH"]]}
    one_says, other_says = (privref.ledger_from_document({**each, **answer}) for each in (first, second))
    for pair, silent in (((one, other_says), "a"), ((one_says, other), "b")):
        with pytest.raises(privref.InputError, match=rf"^{silent}, .*declare here too"):
            privref.combined(pair, ["a", "b"], "same-parts")
    assert len(privref.combined([one_says, other_says], ["a", "b"], "same-parts").told_apart()) == 1


def test_an_answer_of_one_ledger_is_not_that_of_another() -> None:
    """One knows both names as two; the other, which uses one of them, may mean either."""
    both = privref.ledger_from_document(document("Zürich", "ZÜRICH", different_names=[["Zürich", "ZÜRICH"]]))
    plain, unlike = (privref.ledger_from_document(document(name)) for name in ("Zürich", "Genf"))
    with pytest.raises(privref.InputError, match=r"^b, .*Zürich.*declare here too"):
        privref.combined([both, plain], ["a", "b"], "same-parts")
    assert privref.combined([both, unlike], ["a", "b"], "same-parts").rounds == 3


def test_a_ledger_made_by_hand_follows_the_rule() -> None:
    event = privref.Event(PureDP(Fraction(1)), part=("city ", f"{NFD} "))
    assert event.part == ("city", "Zürich")
    with pytest.raises(privref.InputError, match="does not show"):
        privref.Event(PureDP(Fraction(1)), part=("city", "a\u200b"))
    parted = privref.ledger_from_document(document("Zürich"))
    with pytest.raises(privref.InputError, match="looks like"):
        privref.what_if(parted, "0", add=[privref.Event(PureDP(Fraction(1)), part=("city", "ZÜRICH"))])


def test_labels_are_compared_by_the_rule() -> None:
    """An event that is taken out is named by its label, in whatever spelling, and by no other that looks like it."""
    events = [{"label": label, "guarantee": {"kind": "pure-dp", "epsilon": "1"}} for label in (NFD, "Basel", "b")]
    ledger = privref.ledger_from_document({**document("a"), "events": events})
    found = privref.what_if(ledger, "0", remove=["Zürich "])
    assert found.after is not None
    assert found.after.enclosure is not None
    assert found.after.enclosure.upper == 2
    with pytest.raises(privref.InputError, match=r"--remove.*'Basel' looks like it .*CYRILLIC"):
        privref.what_if(ledger, "0", remove=["Bаsel"])


@pytest.mark.parametrize("name", ["раrt", "dаte", "decisi\u200bon", "ｐart", "neighbоurs"])
def test_columns_of_a_sheet_are_what_they_look_like(name: str) -> None:
    """What says that a row reads a part, or did not run, is not kept as a label."""
    with pytest.raises(privref.InputError, match=r"looks like|does not show"):
        privref.ledger_from_csv(f"epsilon,{name}\n1,a\n", "t")


# --- a search over spellings ------------------------------------------------------------------------------------------

#: Of each letter some that look the same; not taken from the table of the rule.
LOOKS = {
    "a": "аɑ", "e": "е", "o": "оο0", "p": "рρ", "c": "сϲ", "x": "хχ", "y": "у", "i": "іɩ", "s": "ѕ", "j": "ј", "q": "ԛ",
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "H": "НΗ", "I": "ІΙl1", "K": "КΚ", "M": "МΜ", "N": "Ν", "O": "ОΟ0",
    "P": "РΡ", "T": "ТΤ", "X": "ХΧ", "Y": "ΥҮ", "Z": "Ζ", "S": "Ѕ", "J": "Ј", "l": "1I", " ": "\u00a0\u2009", "v": "ν",
    "-": "‐–",
}  # fmt: skip
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202a\u202e\u2069\u061c\u180e\ufe0f\u034f"
letters = "aeopcxyisjqtbdlmnuvzäéüAEBCHIKMNOPTXYZSJÄÉ 01-"
base_names = st.text(letters, min_size=1, max_size=9).filter(str.strip)


@st.composite
def spellings(draw: st.DrawFn, of: st.SearchStrategy[str] = base_names) -> tuple[str, str]:
    """A name and an equivalent spelling: at each place another case, or a sign that looks the same; and forms."""
    name = draw(of)
    changed = []
    for sign in name:
        options = [sign, sign.swapcase(), *LOOKS.get(sign, "")]
        changed.append(draw(st.sampled_from(options)))
    other = unicodedata.normalize(draw(st.sampled_from(["NFC", "NFD"])), "".join(changed))
    other = draw(st.sampled_from(["", " ", "\u3000"])) + other + draw(st.sampled_from(["", " ", "\n", "\u00a0"]))
    if draw(st.booleans()) and draw(st.booleans()):
        at = draw(st.integers(0, len(other)))
        other = other[:at] + draw(st.sampled_from(UNSEEN)) + other[at:]
    return name, other


@given(spellings(), st.randoms(use_true_random=False))
def test_no_two_equivalent_spellings_are_ever_disjoint(pair: tuple[str, str], order: Any) -> None:
    """A ledger that names one part in two spellings is refused with a question, or reads them as one part."""
    shuffled = [*pair, "Quito"]
    order.shuffle(shuffled)
    given_document = document(*shuffled)
    try:
        ledger = privref.ledger_from_document(given_document)
    except privref.InputError as error:
        refused = str(error)
    else:
        assert names.trimmed(pair[0]) == names.trimmed(pair[1])
        assert len({event.part for event in ledger.events}) == len({names.trimmed(pair[0]), "Quito"})
        try:
            read = kernel_record.read(given_document, MOST)
        except (kernel.Refused, kernel.Malformed):
            return
        assert {event.part for event in read.events} == {event.part for event in ledger.events}
        return
    assert "looks like" in refused or "does not show" in refused
    with pytest.raises((kernel.Refused, kernel.Malformed)):
        kernel_record.read(given_document, MOST)


@given(st.lists(st.one_of(base_names, spellings().map(lambda pair: pair[1])), min_size=2, max_size=12))
def test_names_are_compared_by_hash_as_by_pairs_and_the_kernel_asks_no_less(given_names: list[str]) -> None:
    try:
        forms = [names.canonical(name, "x") for name in given_names]
    except privref.InputError:
        return
    found = {frozenset(pair) for pair in names.alike(forms, "x")}
    different = list(dict.fromkeys(forms))
    assert found == {frozenset(pair) for pair in combinations(different, 2) if names.are_alike(*pair)}
    if found:
        with pytest.raises((kernel.Refused, kernel.Malformed)):
            kernel_record.read(document(*different), MOST)


def test_signs_that_look_the_same_share_a_key() -> None:
    """Of all characters that look like another one, or have another case."""
    looking = [
        sign
        for sign in map(chr, range(0x110000))
        if not (sign == sign.casefold() == sign.upper() and sign not in names._prototypes())
        if names.spread(sign) == sign  # others stand for several
    ]
    beyond = "".join(sign for sign in looking if not sign.isascii())
    known: dict[tuple[int, str], str] = {}
    for sign in looking:
        for look in enumerate(names._looks(sign)):
            key = names.key(sign, beyond)
            assert known.setdefault(look, key) == key, sign


def test_names_of_digits_share_no_key_for_the_sake_of_others() -> None:
    """Which letters link 0 and 6 does not count where they do not occur."""
    digits = [f"ü {i:04d}" for i in range(10_000)]
    assert len({names.key(name, "\u0308") for name in digits}) == len(digits)


def test_too_many_names_that_differ_by_little_are_refused() -> None:
    """In bounded time, and not compared in part."""
    near = [format(i, "012b").replace("1", "l").replace("0", "i") for i in range(4096)] + ["I1" * 6]
    with pytest.raises(privref.InputError, match="too many names differ by little"):
        list(names.alike(near, "x"))
    many = [f"county {i:05d}" for i in range(20_000)]
    assert list(names.alike(many, "x")) == []
    assert len(kernel_record.read(document(*many), MOST).events) == len(many)
