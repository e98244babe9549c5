"""The tree over all units, and the proof of one: whatever is altered, the proof fails."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.batch import merkle
from privref.ledger import documents

from .conftest import CLAIMS, KEY, META, Batch, audited

EVENTS = "person,epsilon\na,0.5\nb,7\nc,0.5\nd,0.25\ne,0.75\n"


def by_definition(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962, section 2.1, by its recursion, over leaves that are hashed."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + by_definition(leaves[:k]) + by_definition(leaves[k:])).digest()


@given(st.integers(0, 70), st.data())
def test_the_root_is_the_definitions_and_every_path_leads_to_it_and_to_no_other(size: int, data: st.DataObject) -> None:
    leaves = [hashlib.sha256(bytes([i])).digest() for i in range(size)]
    assert merkle.root(leaves) == by_definition(leaves)
    if not size:
        return
    index = data.draw(st.integers(0, size - 1))
    path = merkle.path(iter(leaves), index, size)
    assert merkle.root_from(leaves[index], index, size, path) == merkle.root(leaves)
    other = data.draw(st.integers(0, size - 1).filter(lambda i: i != index)) if size > 1 else 1
    assert merkle.root_from(leaves[index], other, size, path) != merkle.root(leaves)
    assert merkle.root_from(leaves[index], index, size, [*path, leaves[0]]) is None
    if path:
        assert merkle.root_from(leaves[index], index, size, path[:-1]) is None


@pytest.fixture(scope="module")
def issued(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("proofs")
    audited(folder, EVENTS)
    return privref.unit_proof(folder / "out", "c", KEY)


def test_a_units_events_are_in_no_order_in_its_proof(run: Batch, tmp_path: Path) -> None:
    """The one that did not run stands first, which a ledger of one run refuses; and nothing is made of its place."""
    filtered = {
        **META, "parameters": "chosen-adaptively", "interaction": "sequential",
        "budget": {"epsilon": "1", "delta": "1e-6", "filter": "rogers2016/thm3.3"},
    }  # fmt: skip
    root = run("person,epsilon,decision\na,0.7,\na,0.6,halt\nb,0.7,\nb,0.1,halt\n", ledger=filtered)["merkle_root"]
    said = {}
    for unit in "ab":
        proof = privref.unit_proof(tmp_path / "out", unit, KEY)
        assert [event.get("decision") for event in proof["ledger"]["events"]] == ["halt", None]
        with pytest.raises(privref.InputError, match="the run ended before it"):
            privref.ledger_from_document(proof["ledger"])
        assert privref.verify_unit(proof, root).outcome == "verified"
        (certificate,) = proof["certificates"].values()
        said[unit] = " ".join(certificate["commentary"]["premises"])
    assert "and no other rule, decided" in said["a"]
    assert "something else decided too" in said["b"]


@pytest.fixture
def proof(issued: dict[str, Any]) -> dict[str, Any]:
    """The proof of one unit, to be changed."""
    return copy.deepcopy(issued)


def test_each_unit_is_proved_and_no_other_name_or_verdict_is_shown(run: Batch, tmp_path: Path) -> None:
    root = run(EVENTS)["merkle_root"]
    for unit in "abcde":
        proof = privref.unit_proof(tmp_path / "out", unit, KEY)
        assert privref.verify_unit(proof, root).outcome == "verified"
        assert privref.verify_unit(proof).outcome == "unlinked"
        assert privref.verify_unit(proof, "0" * 64).outcome == "failed"
        # Without the salts of others the hashes in the path cannot be guessed back.
        salts = {merkle.salt(KEY, other).hex() for other in "abcde" if other != unit}
        assert not any(salt in json.dumps(proof) for salt in salts)


def test_the_key_is_made_where_none_is_given_and_asked_for_where_one_was(run: Batch, tmp_path: Path) -> None:
    run(EVENTS, key=None)
    key = tmp_path / "out" / "merkle.key"
    assert len(key.read_bytes()) == 32
    assert key.stat().st_mode & 0o077 == 0
    assert privref.verify_unit(privref.unit_proof(tmp_path / "out", "a")).outcome == "unlinked"
    run(EVENTS, output=tmp_path / "keyed")
    with pytest.raises(privref.InputError, match="--key"):
        privref.unit_proof(tmp_path / "keyed", "a")
    with pytest.raises(privref.InputError, match="at least 16 bytes"):
        run(EVENTS, output=tmp_path / "short", key=b"short")


def altered(proof: dict[str, Any], change: str) -> dict[str, Any]:
    found = copy.deepcopy(proof)
    claim = found["result"]["claims"][0]
    match change:
        case "unit":
            found["unit"] = "d"
        case "index":
            found["index"] = 1
        case "size":
            found["units"] = 4
        case "salt":
            found["salt"] = "0" * 64
        case "verdict":
            claim["verdict"] = "unsupported"
        case "ledger":
            found["ledger"]["events"][0]["guarantee"]["epsilon"] = "1/4"
        case "path":
            found["path"] = found["path"][:-1]
        case "certificate":
            found["certificates"]["one"]["proofs"][0]["by"] = "rogers2016/thm2.10"
        case "claim":
            found["certificates"]["one"]["claim"]["epsilon"] = "2"
        case "claim in both":
            claim["claim"]["epsilon"] = found["certificates"]["one"]["claim"]["epsilon"] = "2"
        case "claim of another ledger":
            other = privref.ledger_from_document(
                {**proof["ledger"], "events": [{"guarantee": {"kind": "pure-dp", "epsilon": "1/8"}}]}
            )
            one = privref.certificates(privref.audit(other, privref.claims_from_document(CLAIMS)))["one"]
            del one["ledger"]["document"]
            found["certificates"]["one"] = one | {
                "ledger": {**one["ledger"], "sha256": proof["result"]["ledger_sha256"]}
            }
        case "title":
            found["title"] = "another"
        case "root in the file":
            found["merkle_root"] = "0" * 64
        case "more certificates":
            found["certificates"]["two"] = found["certificates"]["one"]
    return found


@pytest.mark.parametrize(
    "change",
    [
        "unit", "index", "size", "salt", "verdict", "ledger", "path", "certificate", "claim",
        "claim in both", "claim of another ledger", "title", "root in the file", "more certificates",
    ],
)  # fmt: skip
def test_whatever_is_altered_the_proof_fails(proof: dict[str, Any], change: str) -> None:
    assert privref.verify_unit(proof, proof["merkle_root"]).outcome == "verified"
    assert privref.verify_unit(altered(proof, change), proof["merkle_root"]).outcome == "failed"


def published(proof: dict[str, Any]) -> str:
    """The root as whoever made the proof could have published it."""
    result = bytes.fromhex(documents.digest(proof["result"]))
    leaf = merkle.leaf(bytes.fromhex(proof["salt"]), proof["unit"], result)
    tree = merkle.root_from(leaf, proof["index"], proof["units"], [bytes.fromhex(entry) for entry in proof["path"]])
    assert tree is not None
    proof["merkle_root"] = merkle.sized(tree, proof["units"]).hex()
    return str(proof["merkle_root"])


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "conditional"},
        {"verdict": "refuted"},
        {"claim": {"id": "one", "epsilon": "2", "delta": "1e-6"}},
        {"claim": {"id": "one", "epsilon": "1e-9", "delta": "0"}},
    ],
)
def test_a_published_result_that_its_certificate_does_not_show_fails(
    proof: dict[str, Any], change: dict[str, Any]
) -> None:
    proof["result"]["claims"][0] |= change
    assert privref.verify_unit(proof, published(proof)).outcome == "failed"


@pytest.mark.parametrize("verdict", ["confirmed", "refuted", "underivable", "unsupported", "conditional"])
def test_what_has_no_certificate_shows_nothing(proof: dict[str, Any], verdict: str) -> None:
    """A verdict that decides the claim is not shown then, and the proof says so; the others only were published."""
    proof["certificates"] = {}
    proof["result"]["claims"][0]["verdict"] = verdict
    found = privref.verify_unit(proof, published(proof))
    if verdict in ("unsupported", "conditional"):
        assert (found.outcome, found.unchecked) == ("verified", ())
    else:
        assert (found.outcome, found.exit_code) == ("unlinked", 4)
        assert found.unchecked == (f"that claim one is {verdict}: it has no certificate",)
        assert "not every verdict was checked" in found.missing


def test_malformed_proofs_are_refused(proof: dict[str, Any]) -> None:
    """A verdict that there is not, a claim twice, and certificates of something else."""
    entry = proof["result"]["claims"][0]
    for claims in ([{**entry, "verdict": "proved beyond doubt"}], [entry, entry]):
        other = {**proof, "result": {**proof["result"], "claims": claims}}
        with pytest.raises(privref.InputError):
            privref.verify_unit(other, published(other))
    for wrong in ({}, {"schema": "relation-certificate.1"}, {"schema": "attack-certificate.1"}):
        with pytest.raises(privref.InputError):
            privref.verify_unit({**proof, "certificates": {"one": wrong}}, proof["merkle_root"])
    with pytest.raises(privref.InputError):
        privref.verify_unit({**proof, "ledger": {}}, proof["merkle_root"])


def test_each_kind_of_verdict_is_proved(run: Batch, tmp_path: Path) -> None:
    claims = [
        {"id": "one", "epsilon": "1", "delta": "1e-6"},
        {"id": "rho", "rho": "1"},
        {"id": "named", "epsilon": "1", "delta": "1e-6", "by": "rogers2016/thm2.10"},
        {"id": "three", "epsilon": "0.1", "delta": "0.3"},
    ]
    root = run(EVENTS.replace("b,7", "b,7\nb,1"), claims={"schema": "claims.1", "claims": claims})["merkle_root"]
    seen = set()
    for unit in "abcde":
        proof = privref.unit_proof(tmp_path / "out", unit, KEY)
        found = privref.verify_unit(proof, root)
        assert found.outcome == "verified", [check for check in found.checks if not check.passed]
        assert [entry["claim"] for entry in proof["result"]["claims"]] == claims
        seen |= {entry["verdict"] for entry in proof["result"]["claims"]}
    assert {"confirmed", "underivable"} <= seen


def test_a_long_ledger_is_handed_to_the_kernel(proof: dict[str, Any]) -> None:
    """Its certificates do not repeat it."""
    del proof["certificates"]["one"]["ledger"]["document"]
    assert privref.verify_unit(proof, proof["merkle_root"]).outcome == "verified"
