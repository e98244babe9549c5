"""Ledgers in Parquet: what text, integers and decimals say exactly; floats are refused."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.cli.main import main

pa = pytest.importorskip("pyarrow", reason="needs pyarrow, of the extra batch")
parquet = pytest.importorskip("pyarrow.parquet")


def written(path: Path, columns: dict[str, Any]) -> Path:
    parquet.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize(
    "columns",
    [
        {"epsilon": ["0.1", "1/4"], "delta": ["0", "1e-9"], "count": [2, 1]},
        {"epsilon": pa.array(["0.1", "1/4"]).dictionary_encode(), "delta": ["0", "1e-9"], "count": ["2", "1"]},
        {
            "Delta": pa.array([Decimal("0"), Decimal("0.000000001")], pa.decimal128(18, 9)),
            "Epsilon": pa.array([Decimal("0.10"), Decimal("0.25")], pa.decimal128(9, 2)),
            "count": [2, 1],
            "label": ['a "first", one', None],
        },
    ],
)
def test_a_parquet_file_is_the_ledger_that_its_csv_is(tmp_path: Path, columns: dict[str, Any]) -> None:
    ledger = privref.read_ledger(written(tmp_path / "l.parquet", columns), parameters="fixed-in-advance")
    plain = privref.ledger_from_csv("epsilon,delta,count\n0.1,0,2\n1/4,1e-9,1\n", "l.parquet")
    assert [(event.guarantee, event.count) for event in ledger.events] == [
        (event.guarantee, event.count) for event in plain.events
    ]
    assert {event.label for event in ledger.events} <= {"", 'a "first", one'}


def test_its_certificates_are_about_what_was_read_and_name_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "l.parquet", {"rho": ["0.1", "1/8"]})
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", "rho": "1/4"}]})
    declared = {"parameters": "fixed-in-advance", "neighbours": "replace-one", "interaction": "sequential"}
    ledger = privref.read_ledger(path, **declared)
    certificate = privref.certificates(privref.audit(ledger, claims))["c"]
    found = privref.verify(certificate)
    assert found.outcome == "verified"
    assert ledger.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert ledger.digest in found.unchecked[0]
    with pytest.raises(privref.InputError, match="leave --ledger out"):
        privref.verify(certificate, path)


def refusal(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["audit", str(path), "--claim", "1,1e-6"])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    return err


def test_floats_and_what_is_no_parquet_are_refused_in_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    err = refusal(capsys, written(tmp_path / "f.parquet", {"epsilon": [0.1], "delta": [1e-9]}))
    assert err.count("floats are not exact") == err.count("\n") == 2
    (tmp_path / "no.parquet").write_text("epsilon\n0.1\n")
    assert "not a readable Parquet file" in refusal(capsys, tmp_path / "no.parquet")
    assert "this file does not exist" in refusal(capsys, tmp_path / "missing.parquet")
    assert "ledger line 2, column epsilon" in refusal(capsys, written(tmp_path / "x.parquet", {"epsilon": ["x"]}))
    listed = written(tmp_path / "l.parquet", {"epsilon": ["1"], "label": [[1]]})
    assert "neither text nor exact numbers" in refusal(capsys, listed)
