"""One unit's result, proved to be part of a batch: its path to the published root, and its certificates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from privref.audit.certificate import CERTIFIED, certificates
from privref.audit.claims import Claim, claim_named, claims_from_document
from privref.audit.run import audit
from privref.exact.errors import InputError, path_from
from privref.ledger import documents
from privref.ledger.names import trimmed
from privref.ledger.reading import ledger_from_document, ledger_with
from privref.verification import Check, Verification, verify

from . import columns, merkle, verdicts
from .run import KEY, LEDGERS, SUMMARY, VERDICTS
from .spelling import with_no_loss

_HEX = re.compile(r"[0-9a-f]{64}")


def unit_proof(folder: str | Path, unit: str, key: bytes | None = None) -> dict[str, Any]:
    """The proof (``unit-proof.1``) of one unit's result in the output folder of a batch.

    It shows the verdicts on this unit and their certificates, and of the others nothing but salted hashes. ``key`` is
    the secret of the run where it was given one.
    """
    folder = path_from(folder, "folder")
    columns.needed()
    summary = documents.parse(documents.read_text(folder / SUMMARY, "batch"), "batch")
    documents.validate(summary, "batch.1", "batch")
    if key is None:
        if not (folder / KEY).is_file():
            raise InputError("--key", "(missing)", "the run was given a secret key, and needs it again")
        key = (folder / KEY).read_bytes()
    unit = trimmed(unit)
    table = folder / summary["table"]
    index = _place(table, unit)
    claims = claims_from_document(summary["claims"])
    result, ledger = _result(folder, index[1], claims)
    leaves = (merkle.leaf(merkle.salt(key, name), name, bytes.fromhex(digest)) for name, _, digest in _units(table))
    shared = ledger_from_document(with_no_loss(ledger))
    found = audit(ledger_with(shared, ledger, documents.digest(ledger)), claims)
    return {
        "schema": "unit-proof.1",
        "title": summary["title"],
        "unit": unit,
        "index": index[0],
        "units": summary["units"],
        "salt": merkle.salt(key, unit).hex(),
        "path": [entry.hex() for entry in merkle.path(leaves, index[0], summary["units"])],
        "merkle_root": summary["merkle_root"],
        "result": result,
        "ledger": ledger,
        "certificates": certificates(found),
    }


def _units(table: Path) -> Iterator[tuple[str, str, str]]:
    """Each unit once, in order: its name, and the digests of its ledger and of its result."""
    import pyarrow as pa
    import pyarrow.csv as arrow_csv
    import pyarrow.parquet as parquet

    names = ["unit", "ledger_sha256", "result_sha256"]
    batches: Iterator[Any]
    if table.suffix == ".parquet":
        batches = parquet.ParquetFile(table).iter_batches(columns=names)
    else:
        kinds = arrow_csv.ConvertOptions(include_columns=names, column_types=dict.fromkeys(names, pa.string()))
        parse = arrow_csv.ParseOptions(newlines_in_values=True)
        batches = iter(arrow_csv.open_csv(table, convert_options=kinds, parse_options=parse))
    before: str | None = None
    for batch in batches:
        for row in zip(*(batch.column(name).to_pylist() for name in names), strict=True):
            if row[0] != before:
                before = row[0]
                yield row


def _place(table: Path, unit: str) -> tuple[int, str]:
    for i, (name, ledger, _) in enumerate(_units(table)):
        if name == unit:
            return i, ledger
    raise InputError("--unit", unit, "this batch has no such unit")


def _result(folder: Path, ledger_sha256: str, claims: Sequence[Claim]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The result and the ledger of a unit, by the ledger's digest."""
    import pyarrow.parquet as parquet

    only = [("ledger_sha256", "=", ledger_sha256)]
    rows = parquet.read_table(folder / VERDICTS, filters=only).sort_by("claim_index").to_pylist()
    texts = parquet.read_table(folder / LEDGERS, filters=only).column("ledger").to_pylist()
    if len(rows) != len(claims) or len(texts) != 1:
        raise InputError("batch", str(folder), "its tables do not fit together; they are not those of one run")
    return verdicts.result_document(ledger_sha256, claims, rows), json.loads(texts[0])


def verify_unit(document: Any, root: str | None = None) -> Verification:
    """Re-check the proof of one unit's result, by ``root`` as it was published; without it the proof is unlinked.

    The path leads from the result to the root, the ledger has the digest that the result names, and the kernel checks
    every certificate on that ledger and that claim. A verdict that decides a claim and has no certificate is not shown:
    the proof is unlinked at best. Of what a filter said, and of verdicts that say what was not proved, it is only shown
    that they were published. InputError where the proof is malformed.
    """
    documents.validate(document, "unit-proof.1", "proof")
    if root is not None and not _HEX.fullmatch(root.lower()):
        raise InputError("--root", root, "give the published root: 64 hexadecimal digits")
    result, ledger = document["result"], document["ledger"]
    documents.validate(ledger, "ledger.1", "proof.ledger")
    given: Mapping[str, Any] = document["certificates"]
    for id, certificate in given.items():
        documents.validate(certificate, "certificate.2", f"proof.certificates.{id}")
    # Repeated ids are refused here too.
    claims_from_document({"schema": "claims.1", "claims": [entry["claim"] for entry in result["claims"]]})
    checks = [_path_check(document, document["merkle_root"] if root is None else root.lower())]
    digest = documents.digest(ledger)
    checks.append(_check("the ledger is the one that the result names", digest == result["ledger_sha256"], digest))
    checks.append(_check("the title is the ledger's", document["title"] == ledger["title"], document["title"]))
    more = sorted(set(given) - {entry["claim"]["id"] for entry in result["claims"]})
    checks.append(_check("every certificate is of a claim of the result", not more, ", ".join(more)))
    unshown: list[str] = []
    premises: list[str] = []
    for entry in result["claims"]:
        id, verdict = entry["claim"]["id"], entry["verdict"]
        if id in given:
            found, rests_on = _claim_checks(entry, ledger, given[id])
            checks += found
            premises += rests_on
        elif verdict in CERTIFIED:
            unshown.append(f"that {claim_named(id)} is {verdict}: it has no certificate")
        else:
            checks.append(
                Check(f"{claim_named(id)}: {verdict}", True, "says what was not proved, and has no certificate")
            )
    missing = []
    if root is None:
        missing.append("the link to a published root was not checked: give --root HEX")
    if unshown:
        missing.append("not every verdict was checked: ask who audited for what decides it")
    return Verification(tuple(checks), not missing, "; ".join(missing), tuple(unshown), tuple(dict.fromkeys(premises)))


def _claim_checks(
    entry: Mapping[str, Any], ledger: Mapping[str, Any], certificate: Mapping[str, Any]
) -> tuple[list[Check], tuple[str, ...]]:
    """Check one claim of the result by its certificate on this ledger; also return what the verdict rests on."""
    name = f"{claim_named(entry['claim']['id'])}: {entry['verdict']}"
    if certificate["ledger"].get("document", ledger) != ledger:
        return [Check(f"{name}: certificate", False, "it is about another ledger")], ()
    # A long ledger is not repeated in its certificates: the kernel always gets the one of the proof.
    found = verify({**certificate, "ledger": {**certificate["ledger"], "document": ledger}})
    wrong = next((check.detail for check in found.checks if not check.passed), "")
    same = (certificate["claim"], certificate["verdict"]) == (entry["claim"], entry["verdict"])
    return [
        Check(f"{name}: certificate", found.outcome == "verified", wrong),
        Check(f"{name}: the certificate is about this claim and verdict", same),
    ], found.premises


def _path_check(document: Mapping[str, Any], root: str) -> Check:
    result = bytes.fromhex(documents.digest(document["result"], "proof.result"))
    leaf = merkle.leaf(bytes.fromhex(document["salt"]), document["unit"], result)
    hashes = [bytes.fromhex(entry) for entry in document["path"]]
    size = document["units"]
    tree = merkle.root_from(leaf, document["index"], size, hashes) if size < 2**64 else None
    found = None if tree is None else merkle.sized(tree, size).hex()
    shown = "no tree of that size has such a path" if found is None else found
    return _check("the path leads from the result to the root", found == root == document["merkle_root"], shown)


def _check(what: str, passed: bool, found: str) -> Check:
    """A check that says what it found where that is not what it should be."""
    return Check(what, passed, "" if passed else found)
