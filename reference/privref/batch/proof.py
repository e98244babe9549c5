"""One unit's result, proved to be part of a batch: its path to the published root, and its certificates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from privref.audit.certificate import certificates
from privref.audit.claims import claims_from_document
from privref.audit.run import audit
from privref.audit.verify import Check, Verification, verify
from privref.exact.errors import InputError
from privref.ledger import documents
from privref.ledger.reading import ledger_from_document

from . import columns, merkle, verdicts
from .run import KEY, LEDGERS, SUMMARY, VERDICTS

_HEX = re.compile(r"[0-9a-f]{64}")


def unit_proof(folder: str | Path, unit: str, key: bytes | None = None) -> dict[str, Any]:
    """The proof (``unit-proof.1``) of one unit's result in the output folder of a batch.

    It shows the verdicts on this unit and their certificates, and of the others nothing but salted hashes. ``key`` is
    the secret of the run where it was given one.
    """
    columns.needed()
    folder = Path(folder)
    summary = documents.parse(documents.read_text(folder / SUMMARY, "batch"), "batch")
    documents.validate(summary, "batch.1", "batch")
    if key is None:
        if not (folder / KEY).is_file():
            raise InputError("--key", "(missing)", "the run was given a secret key, and needs it again")
        key = (folder / KEY).read_bytes()
    table = folder / summary["table"]
    index = _place(table, unit)
    result, ledger = _result(folder, index[1])
    leaves = (merkle.leaf(merkle.salt(key, name), name, bytes.fromhex(digest)) for name, _, digest in _units(table))
    found = audit(ledger_from_document(ledger), claims_from_document(summary["claims"]))
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


def _result(folder: Path, ledger_sha256: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The result and the ledger of a unit, by the ledger's digest."""
    import pyarrow.parquet as parquet

    only = [("ledger_sha256", "=", ledger_sha256)]
    rows = parquet.read_table(folder / VERDICTS, filters=only).sort_by("claim_index").to_pylist()
    texts = parquet.read_table(folder / LEDGERS, filters=only).column("ledger").to_pylist()
    if not rows or len(texts) != 1:
        raise InputError("batch", str(folder), "its tables do not fit together; they are not those of one run")
    return verdicts.result_document(ledger_sha256, rows), json.loads(texts[0])


def verify_unit(document: Any, root: str | None = None) -> Verification:
    """Re-check the proof of one unit's result, by ``root`` as it was published; without it the proof is unlinked.

    The path leads from the result to the root, the ledger has the digest that the result names, and every certificate
    is re-checked by the code that re-checks those of single audits. InputError where the proof is malformed.
    """
    documents.validate(document, "unit-proof.1", "proof")
    if root is not None and not _HEX.fullmatch(root.lower()):
        raise InputError("--root", root, "give the published root: 64 hexadecimal digits")
    result, ledger = document["result"], document["ledger"]
    checks = [_path_check(document, document["merkle_root"] if root is None else root.lower())]
    digest = documents.digest(ledger)
    checks.append(_check("the ledger is the one that the result names", digest == result["ledger_sha256"], digest))
    given: Mapping[str, Any] = document["certificates"]
    for entry in result["claims"]:
        name = f"claim {entry['claim']}: {entry['verdict']}"
        certificate = given.get(entry["claim"])
        if certificate is None:
            decides = entry["verdict"] in ("confirmed", "refuted")
            checks.append(Check(name, not decides, "the certificate is missing" if decides else "has no certificate"))
            continue
        found = verify(certificate)
        wrong = next((check for check in found.checks if not check.passed), None)
        checks.append(Check(f"{name}: certificate", wrong is None, "" if wrong is None else wrong.what))
        named = certificate["claim"]["id"], certificate["verdict"], certificate["ledger"]["sha256"]
        same = named == (entry["claim"], entry["verdict"], digest)
        checks.append(Check(f"{name}: the certificate is about this claim and ledger", same))
    missing = "the link to a published root was not checked: give --root HEX"
    return Verification(tuple(checks), root is not None, missing)


def _path_check(document: Mapping[str, Any], root: str) -> Check:
    result = bytes.fromhex(documents.digest(document["result"], "proof.result"))
    leaf = merkle.leaf(bytes.fromhex(document["salt"]), document["unit"], result)
    hashes = [bytes.fromhex(entry) for entry in document["path"]]
    found = merkle.root_from(leaf, document["index"], document["units"], hashes)
    shown = "no tree of that size has such a path" if found is None else found.hex()
    return _check("the path leads from the result to the root", found is not None and found.hex() == root, shown)


def _check(what: str, passed: bool, found: str) -> Check:
    """A check that says what it found where that is not what it should be."""
    return Check(what, passed, "" if passed else found)
