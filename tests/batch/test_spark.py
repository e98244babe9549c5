"""The same plan on Spark: the output is that of DuckDB, byte for byte."""

from __future__ import annotations

import csv
import io
import shutil
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

import privref
from privref.batch.engines import ENGINES

from .conftest import CLAIMS, KEY, META, Batch
from .test_batch import BAD, PLAIN, csv_of, forking, random_events

WANTING = [
    *(["PySpark is not installed (privref[spark])"] if find_spec("pyspark") is None else []),
    *(["there is no java here (Debian: openjdk-17-jre-headless)"] if shutil.which("java") is None else []),
]
pytestmark = [
    pytest.mark.skipif(bool(WANTING), reason="; ".join(WANTING)),
    # Spark's gateway keeps its sockets until the process ends.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.xdist_group("spark"),
]


#: Data of a few rows: nothing is compiled for them, and each exchange of rows makes two partitions, not two hundred of
#: which Spark then makes one.
SETTINGS = """
spark.sql.shuffle.partitions 2
spark.sql.adaptive.enabled false
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
"""


@pytest.fixture(autouse=True)
def quick_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Runs of seconds end before Java's optimising compiler pays, and load many classes for little."""
    options = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", f"-XX:+IgnoreUnrecognizedVMOptions {options}")
    (tmp_path / "spark-defaults.conf").write_text(SETTINGS)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))


def test_spark_gives_the_same_bytes(run: Batch, tmp_path: Path) -> None:
    """Tables, summary, root and quarantine; what cannot be read is told alike."""
    events = random_events(5, 5, 12)
    bad = [dict.fromkeys(events[0], "") | row for row in csv.DictReader(io.StringIO(BAD))]
    for engine in ENGINES:
        summary = run(
            csv_of(events + bad), engine=engine, output=tmp_path / engine, quarantine=tmp_path / f"{engine}.csv"
        )
        assert summary["quarantined"]["rows"] >= 10
    files = sorted(path.name for path in (tmp_path / "duckdb").iterdir())
    assert files == ["batch.json", "ledgers.parquet", "units.parquet", "verdicts.parquet"]
    for name in files:
        ours, theirs = ((tmp_path / engine / name).read_bytes() for engine in ("duckdb", "spark"))
        assert ours == theirs, name
    assert (tmp_path / "duckdb.csv").read_bytes() == (tmp_path / "spark.csv").read_bytes()


def test_a_run_that_is_killed_on_spark_is_continued(run: Batch, tmp_path: Path) -> None:
    """Killed when the events are grouped; in the end the output is that of DuckDB."""
    run(PLAIN, output=tmp_path / "whole")
    with forking(tmp_path / "events.csv", "spark") as start:
        assert start(tmp_path / "out", before="keys.stage") == -signal.SIGKILL
    steps: list[str] = []
    asked = {"unit": "person", "ledger": META, "claims": CLAIMS, "engine": "spark", "key": KEY, "workers": 1}
    privref.audit_batch(tmp_path / "events.csv", **asked, output=tmp_path / "out", progress=steps.append)
    assert "grouping the events" not in steps
    assert "writing" in steps
    for path in sorted((tmp_path / "whole").iterdir()):
        assert path.read_bytes() == (tmp_path / "out" / path.name).read_bytes(), path.name
