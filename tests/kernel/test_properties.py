"""Every property of the schemas of ledgers, claims and certificates: the kernel's answer depends on it, or names it."""

from __future__ import annotations

import copy
import json
from importlib.resources import files
from typing import Any

import pytest

import privref
from privref import kernel
from privref.kernel.certificate import claim_of
from privref.kernel.fields import LEAST, MOST
from privref.kernel.record import read
from tests.kernel.cases import BESIDE, FALSE, GOOD, POISSON, RUN, SOME_BINS, ledger, pure, records, zeroed
from tests.kernel.test_certificates import CERTIFIED, false, good, is_refused, issue, leaves, replaced
from tests.ledger.test_properties import PAIRS, SCHEMA, properties
from tests.slow import shared

#: Each certificate is issued once, in one process.
pytestmark = pytest.mark.xdist_group("certificates")

Document = dict[str, Any]

#: What no answer depends on: words for readers, and the order of names that are different.
WORDS = {
    "title", "source", "privacy_unit", "events.label", "different_names",
    "together.title", "events.mechanism[other].description", "evidence[one-run].label", "evidence[many-runs].label",
}  # fmt: skip


def answer(document: Document, reading: str) -> str:
    """What the kernel reads of a ledger, or why it refuses it."""
    try:
        return repr(read(document, reading))
    except (kernel.Refused, kernel.Malformed) as refusal:
        return f"{type(refusal).__name__}: {refusal}"


def test_every_property_of_a_ledger_has_a_pair() -> None:
    """The walk is over the schema as it is: the pairs are those by which differences of ledgers are tested."""
    assert set(PAIRS) >= set(properties(SCHEMA)) - {"schema"}


@pytest.mark.parametrize("name", PAIRS)
def test_a_property_of_a_ledger_changes_the_answer_or_is_refused(name: str) -> None:
    first, second = PAIRS[name]
    same = [answer(first, reading) == answer(second, reading) for reading in (MOST, LEAST)]
    refused = [answer(each, MOST).startswith(("Refused", "Malformed")) for each in (first, second)]
    if name in WORDS:
        assert all(same)
        assert not any(refused), answer(first, MOST)
    else:
        assert not all(same) or all(refused), answer(first, MOST)


#: Objects whose keys are names that a user chose, or ids.
CHOSEN = ("cells", "orders", "tuning", "partitions")


@pytest.mark.parametrize("name", PAIRS)
def test_a_property_that_is_none_is_refused_by_name(name: str) -> None:
    for document in PAIRS[name]:
        for path in {leaf[:i] for leaf in leaves(document) for i in range(len(leaf))}:
            changed: Any = copy.deepcopy(document)
            place = changed
            for key in path:
                place = place[key]
            if isinstance(place, dict) and path[-1:] not in [(chosen,) for chosen in CHOSEN]:
                place["unheard_of"] = "1"
                said = answer(changed, MOST)
                assert said.startswith(("Refused", "Malformed")), path
                if not answer(document, MOST).startswith(("Refused", "Malformed")):
                    assert "unheard_of" in said, said


#: Samples of which nothing is decided by how much a record contributes: the neighbours, and what the samples have.
WITHOUT_USE: dict[str, tuple[str, Document]] = {
    "a record added": ("add-or-remove-one", {}),
    "a record zeroed out": ("zero-out", {}),
    "of a fixed size": ("replace-one", {"sampling": "fixed-size"}),
    "a shuffle": ("replace-one", {"sampling": "shuffled"}),
    "of an unknown kind": ("replace-one", {"sampling": "unknown"}),
    "balls in bins": ("replace-one", RUN["mechanism"]),
    "Laplace noise": ("replace-one", {"base": {"kind": "laplace", "scale": "10", "sensitivity": "1"}}),
}


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", WITHOUT_USE)
def test_a_bound_on_contributions_without_use_is_refused_by_both_readers(name: str, value: bool) -> None:
    neighbours, changed = WITHOUT_USE[name]
    mechanism = changed if "bins" in changed else {**POISSON, **changed}
    document = {**ledger({**BESIDE, "mechanism": {**mechanism, "clipped": value}}), "neighbours": neighbours}
    with pytest.raises(privref.InputError, match=r"ledger\.events\[0\]\.mechanism\.clipped"):
        privref.ledger_from_document(document)
    with pytest.raises(kernel.Malformed, match=r"mechanism(\.clipped)?"):
        read(document, MOST)


# -- claims -------------------------------------------------------------------------------------------------------

ATTACK = {"kind": "one-run", "canaries": 99, "guesses": 99, "right": 80, "confidence": "0.95"}
CLAIM: Document = {"id": "c", "epsilon": "1", "delta": "0"}
#: A claim with each property, and another value of it; None where the kernel refuses the property, by name.
CLAIMS: dict[str, tuple[Document, Any]] = {
    "id": (CLAIM, "d"),
    "epsilon": (CLAIM, "2"),
    "delta": (CLAIM, "1/2"),
    "rho": ({"id": "c", "rho": "1"}, "2"),
    "mu": ({"id": "c", "mu": "1"}, "2"),
    "deltas": ({"id": "c", "mu": "1", "deltas": ["0.1", "0.2"]}, ["0.1", "0.3"]),
    "by": ({**CLAIM, "by": "rogers2016/thm2.9"}, "kov2015/optimal"),
    "periods": ({**CLAIM, "periods": 2}, 3),
    "units": ({**CLAIM, "units": 2}, 3),
    "neighbours": ({**CLAIM, "neighbours": "replace-one"}, "add-or-remove-one"),
    "after_event": ({**CLAIM, "after_event": 0}, None),
    "reading": ({"id": "c", "reading": "1", "by": "rogers2016/thm6.3", "after_event": 0}, None),
    "remaining": ({"id": "c", "remaining": {"epsilon": "1", "delta": "0"}}, None),
}


def schema(name: str) -> Document:
    found: Document = json.loads(files("privref").joinpath("schemas", name).read_text(encoding="utf-8"))
    return found


def test_every_property_of_a_claim_has_a_case() -> None:
    assert set(CLAIMS) == set(schema("claims.1.json")["$defs"]["claim"]["properties"])


@pytest.mark.parametrize("name", CLAIMS)
def test_a_property_of_a_claim_is_used_or_refused(name: str) -> None:
    record = read(records(pure("1"), period="day"), MOST)
    claim, other = CLAIMS[name]
    if other is None:
        with pytest.raises(kernel.Malformed, match=f"{name}|epsilon, rho and mu"):
            claim_of(claim, record)
    elif name != "id":
        assert claim_of(claim, record) != claim_of({**claim, name: other}, record)


# -- certificates -------------------------------------------------------------------------------------------------


@shared
def certificates() -> list[Document]:
    below = issue(records(RUN), {"epsilon": "1", "delta": "1e-4"}, "refuted")
    epoch = {**POISSON, "base": {**POISSON["base"], "sigma": "1"}, "sampling": "shuffled"}
    of_epoch = issue(records({"mechanism": epoch, "count": 10}), {"epsilon": "1/10", "delta": "1e-2"}, "refuted")
    of_steps = issue(zeroed({"mechanism": SOME_BINS}), {"epsilon": "1", "delta": "1e-4"}, "refuted")
    attacked = issue(
        ledger(pure("0.2"), evidence=[ATTACK]), {"epsilon": "0.1", "delta": "0"}, "contradicted-by-evidence"
    )
    noise = ledger({"mechanism": {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}})
    on_a_range = issue(noise, {"mu": "0.3", "deltas": ["1e-6", "1/10"]}, "refuted")
    return [*map(good, CERTIFIED), *map(false, FALSE), below, of_steps, of_epoch, attacked, on_a_range]


@pytest.mark.parametrize("name", sorted(schema("certificate.2.json")["$defs"]["witness"]["properties"]))
def test_a_property_of_a_witness_is_used(name: str) -> None:
    """Some certificate has it, and is refused without it, and with another value."""
    having = [each for each in certificates() if name in each["proofs"][0]["witness"]]
    if name in OPTIONAL:
        base, value = OPTIONAL[name]
        having = [with_((good if base in GOOD else false)(base), name, value)]
        assert kernel.check(having[0])
    assert having, "no certificate of the tests has this property"
    document = having[0]
    assert is_refused(with_(document, name, ["nonsense"]))
    assert is_refused(with_(document, name, None))
    without = copy.deepcopy(document)
    del without["proofs"][0]["witness"][name]
    if name not in (*OPTIONAL, "tops"):
        assert is_refused(without)


#: Properties that a witness may have: a certificate that takes one, and a value.
OPTIONAL: dict[str, tuple[str, Any]] = {
    "delta_prime": ("equation (2)", "1e-7"), "precision": ("equation (2)", 300), "removal": ("bounded ranges", True),
}  # fmt: skip


def with_(document: Document, name: str, value: Any) -> Document:
    made: Document = copy.deepcopy(document)
    made["proofs"][0]["witness"][name] = value
    return made


@pytest.mark.parametrize("name", sorted({*schema("certificate.2.json")["properties"]} - {"commentary"}))
def test_a_property_of_a_certificate_is_used(name: str) -> None:
    document = good("basic")
    assert is_refused({key: value for key, value in document.items() if key != name})
    assert is_refused({**document, name: ["nonsense"]})


@pytest.mark.parametrize("name", sorted(schema("certificate.2.json")["$defs"]["proof"]["properties"]))
def test_a_property_of_a_proof_is_used(name: str) -> None:
    document = copy.deepcopy(good("samples never above their cap, of a group"))
    for value in (["nonsense"], None, {"more": "1"}):
        assert is_refused(replaced(document, ("proofs", 0, name), value)), value


def test_the_ledger_of_a_certificate_is_used() -> None:
    document = good("basic")
    for name in schema("certificate.2.json")["properties"]["ledger"]["properties"]:
        assert is_refused({**document, "ledger": {**document["ledger"], name: "0" * 64}})
    other = ledger(pure("0.1"))
    assert is_refused({**document, "ledger": {**document["ledger"], "document": other}})
