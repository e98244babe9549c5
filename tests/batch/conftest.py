"""What the tests of batches share: a small events file, what its units have in common, and a run of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import privref

META: dict[str, Any] = {
    "schema": "ledger.1", "title": "visits", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
}  # fmt: skip
CLAIMS: dict[str, Any] = {"schema": "claims.1", "claims": [{"id": "one", "epsilon": "1", "delta": "1e-6"}]}
KEY = b"a secret of this test only"
Batch = Callable[..., dict[str, Any]]


def audited(folder: Path, events: Any, **more: Any) -> dict[str, Any]:
    """Audit CSV text, or an Arrow table, as a batch; the tables are in ``folder / "out"``."""
    import pyarrow.parquet as parquet

    if isinstance(events, str):
        source = folder / "events.csv"
        source.write_text(events, encoding="utf-8")
    else:
        source = folder / "events.parquet"
        parquet.write_table(events, source)
    asked = {"unit": "person", "ledger": META, "claims": CLAIMS, "output": folder / "out", "key": KEY}
    return privref.audit_batch(source, **{**asked, "workers": 1, **more})


@pytest.fixture
def run(tmp_path: Path) -> Batch:
    """Audit in ``tmp_path``."""
    return partial(audited, tmp_path)


def rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of the units' table."""
    import pyarrow.parquet as parquet

    return list(parquet.read_table(folder / "units.parquet").to_pylist())
