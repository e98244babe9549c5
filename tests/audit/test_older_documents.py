"""Documents of earlier versions are read, and answered as before: ledgers, claims and vectors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import privref
from privref.audit.opinions import MEANINGS
from privref.vectors.store import vectors, vectors_of

FORMATS = Path(__file__).parents[1] / "data" / "formats"
ANSWERS = sorted(FORMATS.glob("*/answers.json"))
CASES = [(path.parent, name) for path in ANSWERS for name in json.loads(path.read_text(encoding="utf-8"))]


def names(case: object) -> str:
    return case.name if isinstance(case, Path) else str(case)


@pytest.mark.parametrize(("folder", "name"), CASES, ids=names)
def test_a_ledger_and_its_claims_have_the_verdicts_that_they_had(folder: Path, name: str) -> None:
    ledger = privref.read_ledger(folder / f"{name}.ledger.json")
    claims = privref.read_claims(folder / f"{name}.claims.json")
    answers = json.loads((folder / "answers.json").read_text(encoding="utf-8"))[name]
    assert {opinion.claim.id: opinion.verdict for opinion in privref.audit(ledger, claims).opinions} == answers


def test_every_ledger_that_is_kept_is_asked() -> None:
    kept = {(path.parent, path.name.removesuffix(".ledger.json")) for path in FORMATS.glob("*/*.ledger.json")}
    assert kept == set(CASES)
    answers = [json.loads(path.read_text(encoding="utf-8")) for path in ANSWERS]
    verdicts = {verdict for document in answers for said in document.values() for verdict in said.values()}
    assert verdicts >= {"confirmed", "underivable", "refuted", "unsupported", "contradicted-by-evidence"}


def test_the_page_of_what_is_frozen_names_what_is_there() -> None:
    """Its schemas by URN, and as many verdicts as there are."""
    root = FORMATS.parents[2]
    page = (root / "reference" / "docs" / "stability.md").read_text(encoding="utf-8")
    frozen = re.findall(r"`(\w+\.\d)`", page.split("## Frozen")[1].split("## ")[0])
    assert {"ledger.1", "claims.1", "certificate.2", "vectors.1", "vectors.2"} <= {*frozen}
    for name in frozen:
        schema = json.loads((root / "reference" / "privref" / "schemas" / f"{name}.json").read_text(encoding="utf-8"))
        assert schema["$id"] == f"urn:privref:schema:{name}"
    assert len(MEANINGS) == 10
    assert "The ten verdicts" in page


@pytest.mark.parametrize("path", sorted(FORMATS.glob("*/vectors/*.json")), ids=lambda path: path.stem)
def test_a_case_of_vectors_keeps_its_meaning(path: Path) -> None:
    """Where the case is still there, its inputs are the same, and the exact answer has not moved."""
    now = vectors()
    kept = list(vectors_of(json.loads(path.read_text(encoding="utf-8"))))
    assert len(kept) > 20
    for case in kept:
        assert case.id in now
        assert (now[case.id].statement, now[case.id].inputs) == (case.statement, case.inputs)
        assert now[case.id].expected == case.expected
