"""One unit's result, proved to be part of a batch: its path to the published root, and its certificates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from privref.audit.certificate import certificates
from privref.audit.claims import Claim, claims_from_document
from privref.audit.run import audit
from privref.audit.verify import Check, Verification, verify
from privref.exact.errors import InputError
from privref.exact.given import path_from
from privref.ledger import documents
from privref.ledger.names import trimmed
from privref.ledger.reading import ledger_from_document

from . import columns, merkle, verdicts
from .run import KEY, LEDGERS, SUMMARY, VERDICTS

_HEX = re.compile(r"[0-9a-f]{64}")
#: A decimal as bounds are printed; the exponent stays small, since it is expanded.
_DECIMAL = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e-?[0-9]{1,5})?")


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
    found = audit(ledger_from_document(ledger), claims)
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

    The path leads from the result to the root, the ledger has the digest that the result names, and every certificate
    is re-checked, on that ledger and that claim, by the code that re-checks those of single audits. Of what a
    filter said, and of verdicts without a certificate, it is only shown that they were published. InputError where the
    proof is malformed.
    """
    documents.validate(document, "unit-proof.1", "proof")
    if root is not None and not _HEX.fullmatch(root.lower()):
        raise InputError("--root", root, "give the published root: 64 hexadecimal digits")
    result, ledger = document["result"], document["ledger"]
    documents.validate(ledger, "ledger.1", "proof.ledger")
    given: Mapping[str, Any] = document["certificates"]
    for id, certificate in given.items():
        documents.validate(certificate, "certificate.1", f"proof.certificates.{id}")
    # Repeated ids are refused here too.
    claims_from_document({"schema": "claims.1", "claims": [entry["claim"] for entry in result["claims"]]})
    checks = [_path_check(document, document["merkle_root"] if root is None else root.lower())]
    digest = documents.digest(ledger)
    checks.append(_check("the ledger is the one that the result names", digest == result["ledger_sha256"], digest))
    checks.append(_check("the title is the ledger's", document["title"] == ledger["title"], document["title"]))
    more = sorted(set(given) - {entry["claim"]["id"] for entry in result["claims"]})
    checks.append(_check("every certificate is of a claim of the result", not more, ", ".join(more)))
    for entry in result["claims"]:
        checks += _claim_checks(entry, ledger, given.get(entry["claim"]["id"]))
    missing = "the link to a published root was not checked: give --root HEX"
    return Verification(tuple(checks), root is not None, missing)


def _claim_checks(
    entry: Mapping[str, Any], ledger: Mapping[str, Any], certificate: Mapping[str, Any] | None
) -> Iterator[Check]:
    """One claim of the result, by its certificate on this ledger."""
    verdict = entry["verdict"]
    name = f"claim {entry['claim']['id']}: {verdict}"
    if certificate is None:
        # Where no bound was found, "unsupported" has nothing to show.
        empty = all(entry[field] is None for field in verdicts.COMMITTED)
        passed = empty and (verdict not in verdicts.SHOWN_BY or verdict == "unsupported")
        yield Check(name, passed, "has no certificate" if passed else "the certificate is missing")
        return
    if certificate["ledger"].get("document", ledger) != ledger:
        yield Check(f"{name}: certificate", False, "it is about another ledger")
        return
    # A long ledger is not repeated in its certificates: the checker always gets the one of the proof.
    found = verify({**certificate, "ledger": {**certificate["ledger"], "document": ledger}})
    wrong = next((check for check in found.checks if not check.passed), None)
    yield Check(f"{name}: certificate", found.outcome == "verified", "" if wrong is None else wrong.what)
    if found.outcome != "verified":
        return
    same = (certificate["claim"], certificate["verdict"]) == (entry["claim"], verdict)
    yield Check(f"{name}: the certificate is about this claim and ledger", same)
    yield Check(f"{name}: the certificate shows the bound or the witness", _shown(entry, certificate))


def _shown(entry: Mapping[str, Any], certificate: Mapping[str, Any]) -> bool:
    """Whether the bound, or the witness, of a result is one of its certificate, and there is nothing beside it."""
    fields = verdicts.SHOWN_BY.get(entry["verdict"], ())
    if any((entry[name] is None) == (name in fields) for name in verdicts.COMMITTED):
        return False
    if "witness" in fields:
        return bool(entry["witness"] == certificate.get("lower_bound", {}).get("statement"))
    if not fields:
        return True
    if not all(_DECIMAL.fullmatch(entry[name]) for name in ("lower", "upper")):
        return False
    lower, upper = Fraction(entry["lower"]), Fraction(entry["upper"])
    bounds = certificate.get("bounds", [])[: 1 if entry["verdict"] == "confirmed" else None]
    # What is certified may be a little wider than what was found.
    return any(
        bound["by"] == entry["theorem"]
        and Fraction(bound["enclosure"]["lower"]) <= lower <= upper <= Fraction(bound["enclosure"]["upper"])
        for bound in bounds
    )


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
